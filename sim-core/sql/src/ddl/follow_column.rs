//! A column has another name: the views, policies, rules and functions that read it name it so.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::alter::{rename_column_in, rename_where};
use super::row_texts::is_row;
use super::texts::name_of;
use crate::bind::named::{ColumnOf, Named};
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Catalog, Object, Oid, Relation, Routine, has_word, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::security::session::names_of_path;
use crate::source::{Source, is_word};
use crate::tree::Expr;

/// About the work to bind a text.
pub(super) const TEXT_WORK: usize = 4_000;

/// Where a text is that names columns.
#[derive(Clone, Copy, Debug)]
enum Place {
    Using(Oid, usize),
    Check(Oid, usize),
    View(Oid),
    Body(Oid),
    Command(Oid, usize, usize),
    /// The condition of a publication on the rows of a table.
    Filter(Oid, Oid),
}

/// A column with another name, in a table and its partitions.
pub(super) struct RenamedColumn<'r> {
    pub(super) columns: Vec<ColumnOf>,
    pub(super) from: &'r str,
    pub(super) to: &'r str,
    /// The definitions before the change.
    pub(super) before: Arc<Catalog>,
}

impl Engine<'_> {
    /// Lets definitions name a column by its new name. The columns of views keep their names.
    pub(super) fn follow_column(&mut self, renamed: &RenamedColumn<'_>) -> Result<()> {
        let before = renamed.before.clone();
        let mut followed = Vec::new();
        for place in places(&before, renamed) {
            self.budget.work(TEXT_WORK)?;
            let Some(text) = text_at(&before, place) else { continue };
            let names = |text: &str| self.names_at(&before, place, text).ok();
            let Some(known) = names(&text).map(|named| with_columns_of_stars(&text, &named, renamed)) else {
                self.follow_by_words(place, &text, renamed)?;
                continue;
            };
            let text = known.unwrap_or(text);
            let Some(named) = names(&text) else { continue };
            self.set_text(place, edited(&text, &named, renamed, false));
            followed.push((place, text, named));
        }
        // What a view reads may be followed after it, so all are looked at again at the end.
        for (place, text, named) in followed {
            self.budget.work(TEXT_WORK)?;
            if self.means(place, &named.meanings()) {
                continue;
            }
            self.set_text(place, edited(&text, &named, renamed, true));
            if !self.means(place, &named.meanings()) {
                let what = self.name_at(place);
                return Err(SqlError::unsupported(format!("renaming what {what} reads")));
            }
        }
        Ok(())
    }

    /// Whether the names in a text mean these columns.
    fn means(&self, place: Place, meanings: &[(ColumnOf, Option<usize>)]) -> bool {
        let text = text_at(&self.catalog, place).unwrap_or_default();
        self.names_at(&self.catalog, place, &text).is_ok_and(|named| named.meanings() == meanings)
    }

    fn name_at(&self, place: Place) -> String {
        let relation = |oid: Oid| self.catalog.relation(oid);
        let found = match place {
            Place::Using(oid, at) | Place::Check(oid, at) => relation(oid)
                .and_then(|relation| relation.policies.get(at))
                .map(|policy| format!("the policy {}", policy.name)),
            Place::View(oid) => relation(oid).map(|view| format!("the view {}", view.name)),
            Place::Body(oid) => {
                self.catalog.routine(oid).map(|routine| format!("the function {}", routine.name))
            }
            Place::Command(oid, at, _) => relation(oid)
                .and_then(|relation| relation.rules.get(at))
                .map(|rule| format!("the rule {}", rule.name)),
            Place::Filter(_, oid) => {
                relation(oid).map(|table| format!("the publication of the table {}", table.name))
            }
        };
        found.unwrap_or_default()
    }

    /// The names in the text of a definition.
    fn names_at(&self, catalog: &Catalog, place: Place, text: &str) -> Result<Named> {
        let mut binder = Binder::new(catalog, self.source.clone(), &self.settings, &[]);
        let missing = || SqlError::new(SqlState::UNDEFINED_OBJECT, "the definition does not exist");
        match place {
            Place::Using(oid, _) | Place::Check(oid, _) | Place::Filter(_, oid) => {
                let relation = catalog.relation(oid).ok_or_else(missing)?;
                binder.names_of_policy(relation, text)
            }
            Place::View(oid) => {
                let view = catalog.relation(oid).ok_or_else(missing)?;
                binder.stored_in(view, text, |binder| {
                    let parsed = binder.source.query()?;
                    binder.names_of(|binder| binder.subquery(&Scope::default(), &parsed))
                })
            }
            Place::Body(oid) => {
                let routine = catalog.routine(oid).ok_or_else(missing)?;
                binder.names_of_body(routine, text)
            }
            Place::Command(oid, at, _) => {
                let relation = catalog.relation(oid).ok_or_else(missing)?;
                let path = relation.rules.get(at).and_then(|rule| rule.path.clone());
                binder.names_of_command(relation, path.as_deref(), text)
            }
        }
    }

    fn set_text(&mut self, place: Place, text: String) {
        match place {
            Place::Using(oid, at) => self.relation_mut(oid).policies[at].using = Some(text),
            Place::Check(oid, at) => self.relation_mut(oid).policies[at].check = Some(text),
            Place::View(oid) => self.relation_mut(oid).definition = Some(text),
            Place::Command(oid, at, part) => self.relation_mut(oid).rules[at].commands[part] = text,
            Place::Filter(publication, oid) => {
                if let Some(Object::Publication(known)) = self.catalog_mut().objects.get_mut(&publication)
                    && let Some(part) = known.details.get_mut(&oid)
                {
                    part.filter = Some(text);
                }
            }
            Place::Body(oid) => {
                if let Some(routine) = self.catalog.routine(oid).cloned() {
                    let routine = Routine { body: text, ..routine };
                    self.catalog_mut().objects.insert(oid, Object::Routine(routine));
                }
            }
        }
    }

    /// Follows in a text that can't be bound, by what its words look like.
    fn follow_by_words(&mut self, place: Place, text: &str, renamed: &RenamedColumn<'_>) -> Result<()> {
        let (oid, _) = renamed.columns[0];
        let (from, to) = (renamed.from, renamed.to);
        let table = self.relation(oid)?.name;
        let by_qualifier = |qualifier| rename_column_in(text, qualifier, from, to);
        match place {
            Place::Using(of, _) | Place::Check(of, _) | Place::Filter(_, of) if of == oid => {
                self.set_text(place, by_qualifier(Some(&table)));
            }
            Place::Using(..) | Place::Check(..) | Place::Filter(..) => {}
            Place::Command(of, ..) if of == oid => {
                self.set_text(place, rename_where(text, from, to, is_row));
            }
            Place::Command(..) => {}
            Place::View(view) => {
                for qualifier in [Some(table.as_str()), None] {
                    if self.view_stands(view) {
                        break;
                    }
                    self.set_text(place, by_qualifier(qualifier));
                }
            }
            Place::Body(routine) => {
                for qualifier in [Some(table.as_str()), None] {
                    let known = self.catalog.routine(routine);
                    if known.is_some_and(|known| self.body_stands(&self.catalog, known)) {
                        break;
                    }
                    self.set_text(place, by_qualifier(qualifier));
                }
            }
        }
        Ok(())
    }
}

impl Binder<'_> {
    /// The names in a policy's condition.
    pub(super) fn names_of_policy(&mut self, relation: &Relation, text: &str) -> Result<Named> {
        self.stored_in(relation, text, |binder| {
            let parsed = binder.source.expression()?;
            let scope = Scope::of(binder.row_of(relation)?);
            binder.names_of(|binder| binder.condition_in(Clause::Policy, &scope, &parsed))
        })
    }

    /// The names in the body of a function in SQL's own form.
    fn names_of_body(&mut self, routine: &Routine, text: &str) -> Result<Named> {
        let path = routine.path_of_names().map(names_of_path);
        let null = || rusqlite::types::Value::Null;
        let inputs = routine.inputs().map(|input| (input.name.clone(), Expr::literal(null(), input.type_)));
        let inputs: Vec<_> = inputs.collect();
        self.stored(text, |binder| {
            binder.path_inside = path;
            let statements = binder.source.statements()?;
            binder.names_of(|binder| {
                statements.iter().try_for_each(|tokens| {
                    let parsed = binder.source.parse(tokens, Parser::parse_statement)?;
                    binder.know_arguments(inputs.clone());
                    binder.bind_names(&Scope::default(), &parsed)
                })
            })
        })
    }

    /// The names in a command of a rule, which knows the rows `old` and `new`.
    fn names_of_command(&mut self, relation: &Relation, path: Option<&str>, text: &str) -> Result<Named> {
        let path = path.map(names_of_path);
        self.stored(text, |binder| {
            binder.path_inside = path.or_else(|| binder.path_inside.take());
            let rows = binder.old_and_new(relation)?;
            let statements = binder.source.statements()?;
            binder.names_of(|binder| {
                statements.iter().try_for_each(|tokens| {
                    let parsed = binder.source.parse(without_into(tokens), Parser::parse_statement)?;
                    binder.bind_names(&rows, &parsed)
                })
            })
        })
    }
}

/// A command without the `INTO new` that ends it where it returns a row.
fn without_into(tokens: &[TokenWithSpan]) -> &[TokenWithSpan] {
    match tokens {
        [before @ .., into, row] if is_word(into, "into") && (is_word(row, "new") || is_word(row, "old")) => {
            before
        }
        all => all,
    }
}

/// Where texts are that may name a column by its old name, or something else by its new one.
fn places(catalog: &Catalog, renamed: &RenamedColumn<'_>) -> Vec<Place> {
    let words = [renamed.from, renamed.to, "natural", "NATURAL"];
    let named = |text: &str| text.contains('*') || words.iter().any(|word| has_word(text, word));
    let tables: BTreeSet<Oid> = renamed.columns.iter().map(|(table, _)| *table).collect();
    let mut found = Vec::new();
    for relation in catalog.relations() {
        let oid = relation.oid;
        for (at, policy) in relation.policies.iter().enumerate() {
            found.extend(policy.using.as_deref().filter(|text| named(text)).map(|_| Place::Using(oid, at)));
            found.extend(policy.check.as_deref().filter(|text| named(text)).map(|_| Place::Check(oid, at)));
        }
        let reads = relation.partition.is_none() && relation.reads.iter().any(|read| tables.contains(read));
        if reads && relation.definition.as_deref().is_some_and(named) {
            found.push(Place::View(oid));
        }
        for (at, rule) in relation.rules.iter().enumerate() {
            let commands = rule.commands.iter().enumerate().filter(|(_, command)| named(command));
            found.extend(commands.map(|(part, _)| Place::Command(oid, at, part)));
        }
    }
    for (publication, known) in catalog.publications() {
        let parts = known.details.iter().filter(|(table, _)| tables.contains(table));
        let parts = parts.filter(|(_, part)| part.filter.as_deref().is_some_and(named));
        found.extend(parts.map(|(table, _)| Place::Filter(publication, *table)));
    }
    for (oid, routine) in catalog.routines() {
        let settled = routine.settled.as_ref();
        let reads = settled.is_some_and(|settled| settled.reads.iter().any(|read| tables.contains(read)));
        if reads && named(&routine.body) {
            found.push(Place::Body(oid));
        }
    }
    found
}

fn text_at(catalog: &Catalog, place: Place) -> Option<String> {
    match place {
        Place::Using(oid, at) => catalog.relation(oid)?.policies.get(at)?.using.clone(),
        Place::Check(oid, at) => catalog.relation(oid)?.policies.get(at)?.check.clone(),
        Place::View(oid) => catalog.relation(oid)?.definition.clone(),
        Place::Body(oid) => catalog.routine(oid).map(|routine| routine.body.clone()),
        Place::Command(oid, at, part) => catalog.relation(oid)?.rules.get(at)?.commands.get(part).cloned(),
        Place::Filter(publication, oid) => {
            let (_, known) = catalog.publications().find(|(known, _)| *known == publication)?;
            known.details.get(&oid)?.filter.clone()
        }
    }
}

/// A text in which each `*` that stands for the column is written out; `None` if there is none.
fn with_columns_of_stars(text: &str, named: &Named, renamed: &RenamedColumn<'_>) -> Option<String> {
    let stars = named.stars.iter().filter(|(_, star)| {
        star.columns.iter().any(|column| renamed.columns.contains(column)) && !star.written.is_empty()
    });
    let edits: Vec<_> = stars.map(|(start, star)| (*start..star.end, star.written.clone())).collect();
    (!edits.is_empty()).then(|| apply(text, edits))
}

/// A text that names the column by its new name. With `says_all`, it says of which table the columns with one of the two names are.
pub(super) fn edited(text: &str, named: &Named, renamed: &RenamedColumn<'_>, says_all: bool) -> String {
    let is_meant = |column: &ColumnOf| renamed.columns.contains(column);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    // The names by which tables are joined stay as they are: the table gets them as a list.
    let mut listed = BTreeSet::new();
    for (place, table) in &named.tables {
        let Some(column) = renamed.columns.iter().find(|(oid, _)| *oid == table.relation) else { continue };
        if table.listed {
            listed.insert(*place);
        } else if table.natural || table.merged.contains(&column.1) {
            listed.insert(*place);
            let Some(relation) = renamed.before.relation(table.relation) else { continue };
            let names = relation.columns.iter().map(|column| quote_identifier(&column.name));
            let names = names.collect::<Vec<_>>().join(", ");
            let alias = format!(" {}", quote_identifier(&relation.name));
            let alias = if table.aliased { "" } else { &alias };
            edits.push((table.end..table.end, format!("{alias}({names})")));
        }
    }
    for (place, column) in &named.columns {
        let range = *place..column.end;
        let is_renamed =
            is_meant(&column.column) && column.table.is_none_or(|table| !listed.contains(&table));
        let name = if is_renamed { quote_identifier(renamed.to) } else { text[range.clone()].to_owned() };
        let alike = name.trim_matches('"') == renamed.to || name.trim_matches('"') == renamed.from;
        let table = column.unsaid.as_ref().filter(|_| says_all && alike);
        let qualifier = table.map_or_else(String::new, |table| format!("{}.", quote_identifier(table)));
        if is_renamed || !qualifier.is_empty() {
            edits.push((range, format!("{qualifier}{name}")));
        }
        if let Some(begin) = named.titles.get(place).filter(|_| is_renamed)
            && let Some(end) = end_of_result(text, *begin)
        {
            edits.push((end..end, format!(" AS {}", quote_identifier(renamed.from))));
        }
    }
    apply(text, edits)
}

fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = text.to_owned();
    edits.into_iter().rev().for_each(|(range, new)| text.replace_range(range, &new));
    text
}

/// Where the expression of a result ends that begins at a place.
fn end_of_result(text: &str, begin: usize) -> Option<usize> {
    const ENDS: [&str; 16] = [
        "from",
        "where",
        "group",
        "having",
        "window",
        "order",
        "limit",
        "offset",
        "fetch",
        "for",
        "union",
        "intersect",
        "except",
        "into",
        "returning",
        "on",
    ];
    let source = Source::stored(text);
    let tokens = source.tokens().ok()?;
    let offset = |at: usize| source.offset(tokens.get(at)?.span.start);
    let mut first = (0..tokens.len()).find(|at| offset(*at) >= Some(begin))?;
    // The parser's place of an expression in brackets is that of what is in them.
    let before = |at: usize| tokens[..at].last().is_some_and(|token| token.token == Token::LParen);
    while before(first) && tokens.get(first).and_then(name_of).as_deref() != Some("select") {
        let opens = first - 1;
        let begins = tokens[..opens].last().and_then(name_of);
        first = opens;
        if begins.is_some_and(|word| word == "select") {
            break;
        }
    }
    let mut depth = 0_usize;
    let mut cases = 0_usize;
    for at in first..tokens.len() {
        let token = &tokens[at];
        match &token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return source.offset(tokens[at - 1].span.end),
            Token::RParen | Token::RBracket => depth -= 1,
            Token::Comma | Token::SemiColon if depth == 0 => return source.offset(tokens[at - 1].span.end),
            Token::Word(_) if depth == 0 => {
                cases += usize::from(is_word(token, "case"));
                cases -= usize::from(is_word(token, "end") && cases > 0);
                let distinct = at > 0 && is_word(&tokens[at - 1], "distinct");
                let column = at > 0 && tokens[at - 1].token == Token::Period;
                let ends = ENDS.iter().any(|word| is_word(token, word));
                if ends && cases == 0 && !distinct && !column && at > first {
                    return source.offset(tokens[at - 1].span.end);
                }
            }
            _ => {}
        }
    }
    source.offset(tokens.last()?.span.end)
}
