//! Functions with a body of SQL's own form: `RETURN …`, `BEGIN ATOMIC … END`. What its names mean is settled when the function is
//! created: it follows renames, and what it names can't be dropped without it.

use std::collections::BTreeSet;

use sqlparser::ast;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::texts::{edited, name_of};
use crate::bind::Binder;
use crate::catalog::{Catalog, Object, Oid, Routine, Settled, quote_identifier};
use crate::error::Result;
use crate::run::{Engine, TOKEN_WORK};
use crate::source::{Source, is_word};
use crate::tree::Expr;

/// About the work to bind a body.
const BODY_WORK: usize = 4_000;

impl Engine<'_> {
    /// Notes what the names in the body of a new function mean.
    pub(super) fn settle_body(&self, routine: &mut Routine) -> Result<()> {
        if routine.settled.is_none() {
            return Ok(());
        }
        routine.body = self.with_columns_of_inserts(&routine.body)?;
        let reads = self.relations_named(&routine.body)?;
        let path = self.settings.search_path.iter().map(|schema| quote_identifier(schema));
        let path = path.collect::<Vec<_>>().join(", ");
        if let Some(settled) = &mut routine.settled {
            (settled.path, settled.reads) = (path, reads);
        }
        match self.bind_body(&self.catalog, routine) {
            Err(error) if self.is_certain(&error, &routine.name) => Err(error),
            _ => Ok(()),
        }
    }

    /// The relations that a body may read or change.
    fn relations_named(&self, body: &str) -> Result<Vec<Oid>> {
        let source = Source::stored(body);
        self.budget.work(TOKEN_WORK * source.most_tokens())?;
        let tokens = source.tokens()?;
        let mut found = BTreeSet::new();
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = name_of(token) else { continue };
            let qualified = at >= 2 && tokens[at - 1].token == Token::Period;
            let schema = if qualified { name_of(&tokens[at - 2]) } else { None };
            if let Ok(relation) = self.find(schema.as_deref(), &name) {
                found.insert(relation.oid);
            }
        }
        Ok(found.into_iter().collect())
    }

    /// A body in which each `INSERT` names its columns: those that the table has now.
    fn with_columns_of_inserts(&self, body: &str) -> Result<String> {
        let source = Source::stored(body);
        let mut edits = Vec::new();
        for tokens in source.statements()? {
            let Ok(ast::Statement::Insert(insert)) = source.parse(&tokens, Parser::parse_statement) else {
                continue;
            };
            let ast::TableObject::TableName(object) = &insert.table else { continue };
            let given = insert.source.as_ref().filter(|_| insert.columns.is_empty());
            let (Some(query), Ok(relation)) = (given, self.binder().find_relation(object)) else { continue };
            let width = match &*query.body {
                ast::SetExpr::Values(values) => values.rows.first().map_or(0, |row| row.content.len()),
                _ => self.width_of(query).unwrap_or(relation.columns.len()),
            };
            let columns = relation.columns.iter().take(width).map(|column| quote_identifier(&column.name));
            let after = tokens.iter().position(|token| is_word(token, "into")).map(|into| {
                let mut last = into + 1;
                while tokens.get(last + 1).is_some_and(|next| next.token == Token::Period) {
                    last += 2;
                }
                last
            });
            let end = after.and_then(|after| source.offset(tokens.get(after)?.span.end));
            edits.extend(end.map(|end| (end, format!(" ({})", columns.collect::<Vec<_>>().join(", ")))));
        }
        let mut text = body.to_owned();
        edits.into_iter().rev().for_each(|(at, columns)| text.insert_str(at, &columns));
        Ok(text)
    }

    /// How many columns a query has, if that is known without the parameters of the function.
    fn width_of(&self, query: &ast::Query) -> Option<usize> {
        let ast::SetExpr::Select(select) = &*query.body else { return None };
        let is_one = |item: &ast::SelectItem| {
            matches!(item, ast::SelectItem::UnnamedExpr(_) | ast::SelectItem::ExprWithAlias { .. })
        };
        select.projection.iter().all(is_one).then_some(select.projection.len())
    }

    /// Whether the body of a function can be bound with a catalog.
    pub(super) fn body_stands(&self, catalog: &Catalog, routine: &Routine) -> bool {
        self.bind_body(catalog, routine).is_ok()
    }

    pub(super) fn bind_body(&self, catalog: &Catalog, routine: &Routine) -> Result<()> {
        self.budget.work(BODY_WORK)?;
        let source = Source::stored(&routine.body);
        let statements = source.statements()?;
        statements.iter().try_for_each(|tokens| {
            let queries = queries_of(&source, tokens).unwrap_or_default();
            queries.into_iter().try_for_each(|query| {
                let nulls =
                    routine.inputs().map(|input| Expr::literal(rusqlite::types::Value::Null, input.type_));
                let mut binder = Binder::new(catalog, self.source.clone(), &self.settings, &[]);
                let part = Routine { body: query, ..routine.clone() };
                binder.expand(part, nulls.collect()).map(drop)
            })
        })
    }

    /// Those of some functions whose body can't be bound with the catalog that `change` makes.
    fn bodies_failing(
        &self,
        named: impl Fn(&Routine, &Settled) -> bool,
        change: impl FnOnce(&mut Catalog),
    ) -> Vec<Oid> {
        let named =
            |routine: &Routine| routine.settled.as_ref().is_some_and(|settled| named(routine, settled));
        let found: Vec<_> = self.catalog.routines().filter(|(_, routine)| named(routine)).collect();
        if found.is_empty() {
            return Vec::new();
        }
        let mut without = self.catalog.as_ref().clone();
        change(&mut without);
        found
            .into_iter()
            .filter(|(_, routine)| !self.body_stands(&without, routine))
            .map(|(oid, _)| oid)
            .collect()
    }

    /// The functions whose body needs an object.
    pub(super) fn bodies_needing(&self, oid: Oid) -> Vec<Oid> {
        let name = match self.catalog.objects.get(&oid) {
            Some(Object::Relation(_)) => None,
            Some(Object::Routine(routine)) => Some(routine.name.as_str()),
            Some(Object::Type(known)) => Some(known.name.as_str()),
            _ => return Vec::new(),
        };
        let named = |routine: &Routine, settled: &Settled| match name {
            Some(name) => routine.body.contains(name),
            None => settled.reads.contains(&oid),
        };
        let mut found = self.bodies_failing(named, |without| {
            without.objects.remove(&oid);
        });
        found.retain(|user| *user != oid);
        found
    }

    /// The functions whose body needs a column.
    pub(super) fn bodies_using(&self, table: Oid, number: u32) -> Vec<Oid> {
        let reads = |_: &Routine, settled: &Settled| settled.reads.contains(&table);
        self.bodies_failing(reads, |without| {
            if let Some(relation) = without.relation_mut(table) {
                relation.columns.retain(|column| column.number != number);
            }
        })
    }

    fn bodies_reading(&self, oid: Oid) -> Vec<(Oid, Routine)> {
        let reads =
            |routine: &Routine| routine.settled.as_ref().is_some_and(|settled| settled.reads.contains(&oid));
        let found = self.catalog.routines().filter(|(_, routine)| reads(routine));
        found.map(|(oid, routine)| (oid, routine.clone())).collect()
    }

    fn set_body(&mut self, oid: Oid, routine: Routine) {
        self.catalog_mut().objects.insert(oid, Object::Routine(routine));
    }

    /// Lets bodies that call a function which has another name now, beside others of its old name, call it by that.
    pub(super) fn follow_routine_in_bodies(
        &mut self,
        name: &str,
        rewrite: &dyn Fn(&str) -> Option<String>,
    ) -> Result<()> {
        let catalog = self.catalog.clone();
        for (oid, routine) in catalog.routines() {
            let calls = routine.settled.is_some() && routine.body.contains(name);
            if calls
                && !self.body_stands(&catalog, routine)
                && let Some(body) = rewrite(&routine.body)
            {
                self.set_body(oid, Routine { body, ..routine.clone() });
            }
        }
        Ok(())
    }

    /// Lets bodies name a relation by its new name. `renamed` gives the texts to try.
    pub(super) fn follow_in_bodies(
        &mut self,
        oid: Oid,
        before: (&str, &str),
        after: &str,
        renamed: impl Fn(&str) -> Vec<String>,
    ) -> Result<()> {
        for (routine_oid, mut routine) in self.bodies_reading(oid) {
            if self.body_stands(&self.catalog, &routine) {
                continue;
            }
            let text = with_target(&routine.body, before, after);
            for text in renamed(&text) {
                routine.body = text;
                if self.body_stands(&self.catalog, &routine) {
                    break;
                }
            }
            self.set_body(routine_oid, routine);
        }
        Ok(())
    }
}

/// A text in which `INSERT` and `UPDATE` change a relation by its new name.
fn with_target(text: &str, (schema, name): (&str, &str), after: &str) -> String {
    let begins = |tokens: &[TokenWithSpan], at: usize| {
        at > 0 && ["into", "update"].iter().any(|word| is_word(&tokens[at - 1], word))
    };
    let followed = edited(text, |tokens, at| {
        let is = |at: usize, wanted: &str| tokens.get(at).and_then(name_of).as_deref() == Some(wanted);
        let period = |at: usize| tokens.get(at).is_some_and(|token| token.token == Token::Period);
        let qualified = |first: usize| {
            begins(tokens, first) && is(first, schema) && period(first + 1) && is(first + 2, name)
        };
        if qualified(at) || at >= 1 && qualified(at - 1) {
            return Some(String::new());
        }
        let named = begins(tokens, at) && is(at, name) && !period(at + 1);
        (named || at >= 2 && qualified(at - 2)).then(|| after.to_owned())
    });
    followed.unwrap_or_else(|| text.to_owned())
}

/// Queries that can be bound if a statement can be; `None` if the statement is one that this does not know.
fn queries_of(source: &Source, tokens: &[TokenWithSpan]) -> Option<Vec<String>> {
    let first = tokens.first()?;
    if ["select", "values", "table", "with"].iter().any(|word| is_word(first, word)) {
        return Some(vec![source.text_of(tokens)]);
    }
    let list = |items: Vec<String>| if items.is_empty() { "1".to_owned() } else { items.join(", ") };
    let from = |tables: Vec<String>| tables.join(", ");
    let condition = |selection: &Option<ast::Expr>| {
        selection.as_ref().map_or_else(String::new, |condition| format!(" WHERE {condition}"))
    };
    let returned = |items: &Option<Vec<ast::SelectItem>>, tables: &str| {
        let items = items.as_ref()?;
        let items = items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Some(format!("SELECT {items} FROM {tables}"))
    };
    match source.parse(tokens, Parser::parse_statement).ok()? {
        ast::Statement::Insert(insert) => {
            let table = match &insert.table_alias {
                Some(alias) => format!("{} AS {}", insert.table, alias.alias),
                None => insert.table.to_string(),
            };
            let columns = list(insert.columns.iter().map(ToString::to_string).collect());
            let mut queries = vec![format!("SELECT {columns} FROM {}", insert.table)];
            queries.extend(insert.source.as_ref().map(ToString::to_string));
            queries.extend(returned(&insert.returning, &table));
            Some(queries)
        }
        ast::Statement::Update(update) => {
            let mut tables = vec![update.table.to_string()];
            if let Some(
                ast::UpdateTableFromKind::BeforeSet(more) | ast::UpdateTableFromKind::AfterSet(more),
            ) = &update.from
            {
                tables.extend(more.iter().map(ToString::to_string));
            }
            let tables = from(tables);
            let values = update.assignments.iter().map(|assignment| format!("({})", assignment.value));
            let set = update.assignments.iter().map(|assignment| match &assignment.target {
                ast::AssignmentTarget::ColumnName(name) => name.to_string(),
                ast::AssignmentTarget::Tuple(names) => {
                    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                }
            });
            let set = list(set.collect());
            let mut queries = vec![
                format!("SELECT {} FROM {tables}{}", list(values.collect()), condition(&update.selection)),
                format!("SELECT {set} FROM {}", update.table),
            ];
            queries.extend(returned(&update.returning, &tables));
            Some(queries)
        }
        ast::Statement::Delete(delete) => {
            let (ast::FromTable::WithFromKeyword(of) | ast::FromTable::WithoutKeyword(of)) = &delete.from;
            let tables = of.iter().chain(delete.using.iter().flatten()).map(ToString::to_string);
            let tables = from(tables.collect());
            let mut queries = vec![format!("SELECT 1 FROM {tables}{}", condition(&delete.selection))];
            queries.extend(returned(&delete.returning, &tables));
            Some(queries)
        }
        _ => None,
    }
}
