//! Exclusion constraints: no two rows of a table may compare as true by all of their operators. Unique constraints that can be
//! deferred are such constraints whose operators are all `=`.
//!
//! Triggers note the rows that conflict with others when they are written; the engine looks at the notes at the end of the
//! statement, or of the transaction, as it does for foreign keys.

use rusqlite::types::Value;
use sqlparser::ast;
use sqlparser::tokenizer::Token;

use super::cursor::{Cursor, Written};
use super::names::{choose, relation_taken};
use super::operator_class::WrittenClass;
use super::physical::{ROW, bare, bare_condition, may_fail, printed};
use super::storage::{Of, Parameter, new_options, parameters};
use super::table::WrittenKind;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Constraint, ConstraintKind, Index, IndexKey, Relation, quote_identifier};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::Engine;
use crate::source;
use crate::tree::{Expr, Field, Node};
use crate::types::Type;

/// The number of the other row's source in a comparison with the row that is written.
const OTHER: usize = ROW + 1;

/// An exclusion constraint as written.
pub(super) struct Exclusion {
    method: String,
    elements: Vec<Element>,
    options: Vec<Parameter>,
    predicate: Option<Written>,
}

impl Exclusion {
    /// One like that of a table.
    pub(super) fn like(from: &Relation, index: &Index, operators: &[String]) -> Result<Exclusion> {
        let written = |text: &str| {
            let expr = Box::new(source::Source::stored(text).expression()?);
            Ok::<_, SqlError>(Written { expr, text: text.to_owned() })
        };
        let element = |(key, operator): (&IndexKey, &String)| {
            let text = match (key.column, &key.expression) {
                (Some(number), _) => quote_identifier(from.column_name(number)),
                (None, expression) => expression.clone().unwrap_or_default(),
            };
            Ok(Element {
                key: written(&text)?,
                class: key.class_name().map(WrittenClass::named),
                operator: operator.clone(),
            })
        };
        Ok(Exclusion {
            method: index.method.clone(),
            elements: index.keys.iter().zip(operators).map(element).collect::<Result<_>>()?,
            options: Vec::new(),
            predicate: index.predicate.as_deref().map(written).transpose()?,
        })
    }
}

struct Element {
    key: Written,
    class: Option<WrittenClass>,
    operator: String,
}

/// SQL about an exclusion constraint.
struct Conflict {
    /// The keys of a row of the table, for a row without a name and for the row `NEW`.
    bare: Vec<String>,
    new: Vec<String>,
    /// The texts of the keys `c1`, `c2` … of the row in braces.
    texts: Vec<String>,
    /// The conditions that a row counts, likewise.
    predicate: Option<(String, String)>,
    /// The comparison of the keys of `l` with those of `{new}`.
    operators: Vec<Expr>,
}

impl Engine<'_> {
    /// An exclusion constraint, after `EXCLUDE`.
    pub(super) fn exclusion(&mut self, cursor: &mut Cursor<'_>) -> Result<WrittenKind> {
        let method = if cursor.word("using") { cursor.ident()? } else { "btree".to_owned() };
        cursor.expect(&Token::LParen)?;
        let elements = cursor.list(|cursor| {
            let key = cursor.expr()?;
            let class = if cursor.is("with") { None } else { Some(WrittenClass::read(cursor)?) };
            cursor.expect_word("with")?;
            Ok(Element { key, class, operator: operator(cursor)? })
        })?;
        cursor.expect(&Token::RParen)?;
        let options = if cursor.word("with") { parameters(cursor)? } else { Vec::new() };
        let predicate = if cursor.word("where") { Some(cursor.bracketed()?) } else { None };
        Ok(WrittenKind::Exclude(Exclusion { method, elements, options, predicate }))
    }

    /// Adds the index of an exclusion constraint. Returns the constraint's name, columns and kind.
    pub(super) fn exclusion_constraint(
        &mut self,
        relation: &Relation,
        name: Option<String>,
        exclusion: Exclusion,
    ) -> Result<(String, Vec<u32>, ConstraintKind)> {
        if !matches!(exclusion.method.as_str(), "gist" | "spgist" | "btree" | "hash") {
            let message =
                format!("access method \"{}\" does not support exclusion constraints", exclusion.method);
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let mut binder = self.binder();
        let scope = Scope::of(binder.row_of(relation)?);
        let (mut keys, mut names, mut operators) = (Vec::new(), Vec::new(), Vec::new());
        for element in &exclusion.elements {
            let bound = binder.expr_in(Clause::Index, &scope, &element.key.expr)?;
            if !bound.is_immutable() {
                let message = "functions in index expression must be marked IMMUTABLE";
                return Err(SqlError::new(SqlState::new("42P17"), message));
            }
            let class = self.class_of_key(element.class.as_ref(), bound.type_, &exclusion.method)?;
            let (column, expression, part) = match &*element.key.expr {
                ast::Expr::Identifier(ident) => {
                    let name = source::name(ident);
                    (relation.column(&name).map(|column| column.number), None, name)
                }
                ast::Expr::Function(function) => {
                    let called = source::parts(&function.name).last().map(|ident| source::name(ident));
                    (None, Some(element), called.unwrap_or_default())
                }
                _ => (None, Some(element), "expr".to_owned()),
            };
            let expression = expression.map(|element| {
                let shown = binder.shown(&scope, &element.key.expr, Type::TEXT);
                shown.unwrap_or_else(|| element.key.text.clone())
            });
            binder.operation(&element.operator, bound.clone(), bound)?;
            keys.push(IndexKey {
                column,
                expression,
                descending: false,
                nulls_first: None,
                class,
                collation: None,
            });
            names.push(part);
            operators.push(element.operator.clone());
        }
        let predicate = match &exclusion.predicate {
            Some(written) => {
                binder.condition_in(Clause::Index, &scope, &written.expr)?;
                Some(binder.shown_condition(&scope, &written.expr, &written.text))
            }
            None => None,
        };
        let taken = |name: &str| self.catalog.relation_exists(relation.schema, name);
        let name = match name {
            Some(name) if taken(&name) => return Err(relation_taken(&name)),
            Some(name) => name,
            None => choose(&relation.name, &names.join("_"), "excl", taken),
        };
        let columns = keys.iter().filter_map(|key| key.column).collect();
        let oid = self.new_oid();
        let index = Index {
            oid,
            name: name.clone(),
            unique: false,
            method: exclusion.method.clone(),
            keys,
            include: Vec::new(),
            options: new_options(Of::Index(&exclusion.method), &exclusion.options)?,
            predicate,
            nulls_not_distinct: false,
            deferrable: false,
            comment: None,
            parent: None,
            only: false,
        };
        self.relation_mut(relation.oid).indexes.push(index);
        Ok((name, columns, ConstraintKind::Exclude { index: oid, operators }))
    }

    /// Creates the triggers that note conflicts.
    pub(super) fn create_exclusion_triggers(
        &self,
        relation: &Relation,
        constraint: &Constraint,
    ) -> Result<()> {
        if relation.dormant {
            return Ok(());
        }
        let conflict = self.conflict_of_exclusion(relation, constraint)?;
        let table = relation.physical();
        self.create_index_of_equals(relation, constraint)?;
        let texts = |of: &[String]| format!("json_array({})", of.join(", "));
        let counts = conflict.predicate.as_ref().map_or_else(String::new, |(_, new)| format!(" WHEN {new}"));
        let note = format!(
            "INSERT INTO pg_pending SELECT {oid}, json_array({new}, {old}, NEW.rowid), -1 FROM ({rows}) AS l \
             WHERE l.id <> NEW.rowid AND {conflicts} LIMIT 1",
            oid = constraint.oid,
            new = texts(&conflict.texts_of(&conflict.new)),
            old = texts(&conflict.texts_of(&columns("l", conflict.bare.len()))),
            rows = conflict.rows(&table),
            conflicts = conflict.compared(&conflict.new),
        );
        let new = conflict.predicate.as_ref().map_or_else(|| "1".to_owned(), |(_, new)| new.clone());
        self.execute(&format!(
            "CREATE TRIGGER {table}_f{oid}b BEFORE INSERT ON {table} \
             WHEN EXISTS (SELECT 1 FROM pg_pending WHERE key = -{oid}) AND {new} BEGIN \
             SELECT RAISE(IGNORE) FROM ({rows}) AS l WHERE {conflicts} LIMIT 1; END",
            oid = constraint.oid,
            rows = conflict.rows(&table),
            conflicts = conflict.compared(&conflict.new),
        ))?;
        for (suffix, event) in [("i", "INSERT"), ("u", "UPDATE")] {
            self.execute(&format!(
                "CREATE TRIGGER {table}_f{}{suffix} AFTER {event} ON {table}{counts} BEGIN {note}; END",
                constraint.oid
            ))?;
        }
        Ok(())
    }

    /// Creates an index with the keys that are compared by `=`, so that not every row is read, and with those that can't be computed
    /// of every row, so that such a row is refused.
    fn create_index_of_equals(&self, relation: &Relation, constraint: &Constraint) -> Result<()> {
        let ConstraintKind::Exclude { index, operators } = &constraint.kind else { return Ok(()) };
        let Some(index) = relation.indexes.iter().find(|known| known.oid == *index) else { return Ok(()) };
        let fails: Vec<bool> = self.key_exprs(relation, index)?.iter().map(may_fail).collect();
        let keys = self.index_keys(relation, index, "")?.into_iter().zip(operators).zip(&fails);
        let keys = keys.filter(|((_, operator), fails)| *operator == "=" || **fails);
        let keys: Vec<String> = keys.map(|((key, _), _)| key).collect();
        if keys.is_empty() {
            return Ok(());
        }
        let counts = match &index.predicate {
            Some(predicate) if fails.contains(&true) => {
                let condition = self.row_expression(relation, predicate, Clause::Index, None)?;
                format!(" WHERE {}", bare_condition(&condition))
            }
            _ => String::new(),
        };
        self.execute(&format!(
            "CREATE INDEX IF NOT EXISTS i{} ON {} ({}){counts}",
            index.oid,
            relation.physical(),
            keys.join(", ")
        ))
    }

    /// The error of a noted conflict, unless the constraint can be deferred and the rows do not conflict any more.
    pub(super) fn check_exclusion(
        &self,
        relation: &Relation,
        constraint: &Constraint,
        noted: &str,
    ) -> Result<()> {
        let noted = crate::value::array::elements(noted);
        let row = noted.get(2).and_then(serde_json::Value::as_i64).unwrap_or(0);
        let (mut new, mut old) = (texts_in(noted.first()), texts_in(noted.get(1)));
        if constraint.deferrable {
            match self.conflicting(relation, constraint, &format!("n.id = {row}"))? {
                Some(found) => (new, old) = found,
                None => return Ok(()),
            }
        }
        let names = self.names_of_exclusion(relation, constraint);
        if !matches!(constraint.kind, ConstraintKind::Exclude { .. }) {
            let message = format!("duplicate key value violates unique constraint \"{}\"", constraint.name);
            return Err(SqlError::new(SqlState::UNIQUE_VIOLATION, message)
                .detail(format!("Key ({names})=({new}) already exists."))
                .of_table(self.catalog.schema_name(relation.schema), &relation.name));
        }
        let message = format!("conflicting key value violates exclusion constraint \"{}\"", constraint.name);
        Err(SqlError::new(SqlState::EXCLUSION_VIOLATION, message)
            .detail(format!("Key ({names})=({new}) conflicts with existing key ({names})=({old})."))
            .of_table(self.catalog.schema_name(relation.schema), &relation.name))
    }

    /// Refuses a new constraint with which rows of the table conflict.
    pub(super) fn validate_exclusion(&self, relation: &Relation, constraint: &Constraint) -> Result<()> {
        let Some((new, old)) = self.conflicting(relation, constraint, "1")? else { return Ok(()) };
        let names = self.names_of_exclusion(relation, constraint);
        if !matches!(constraint.kind, ConstraintKind::Exclude { .. }) {
            let message = format!("could not create unique index \"{}\"", constraint.name);
            return Err(SqlError::new(SqlState::UNIQUE_VIOLATION, message)
                .detail(format!("Key ({names})=({new}) is duplicated."))
                .of_table(self.catalog.schema_name(relation.schema), &relation.name));
        }
        let message = format!("could not create exclusion constraint \"{}\"", constraint.name);
        Err(SqlError::new(SqlState::EXCLUSION_VIOLATION, message)
            .detail(format!("Key ({names})=({new}) conflicts with key ({names})=({old})."))
            .of_table(self.catalog.schema_name(relation.schema), &relation.name))
    }

    /// The texts of the keys of a row `n` for which the condition holds, and of another row that conflicts with it.
    fn conflicting(
        &self,
        relation: &Relation,
        constraint: &Constraint,
        condition: &str,
    ) -> Result<Option<(String, String)>> {
        let conflict = self.conflict_of_exclusion(relation, constraint)?;
        let rows = conflict.rows(&relation.physical());
        let count = conflict.bare.len();
        let sql = format!(
            "SELECT json_array({}), json_array({}) FROM ({rows}) AS n CROSS JOIN ({rows}) AS l \
             WHERE {condition} AND l.id <> n.id AND {} ORDER BY n.id, l.id LIMIT 1",
            conflict.texts_of(&columns("n", count)).join(", "),
            conflict.texts_of(&columns("l", count)).join(", "),
            conflict.compared(&columns("n", count)),
        );
        let found = self.fetch(&sql, 2)?.into_iter().next();
        let shown = |value: Option<&Value>| match value {
            Some(Value::Text(text)) => texts_in(serde_json::from_str(text).ok().as_ref()),
            _ => String::new(),
        };
        Ok(found.map(|row| (shown(row.first()), shown(row.get(1)))))
    }

    fn names_of_exclusion(&self, relation: &Relation, constraint: &Constraint) -> String {
        let index = noted_index(relation, constraint).map(|(index, _)| index);
        index.map_or_else(String::new, |index| describe::key_names(relation, index))
    }

    fn conflict_of_exclusion(&self, relation: &Relation, constraint: &Constraint) -> Result<Conflict> {
        let missing = || SqlError::unsupported("an exclusion constraint without its index");
        let (index, operators) = noted_index(relation, constraint).ok_or_else(missing)?;
        let keys = self.key_exprs(relation, index)?;
        let mut binder = Binder::new(&self.catalog, self.source.clone(), &self.settings, &[]);
        let (mut texts, mut compared) = (Vec::new(), Vec::new());
        for (at, (key, operator)) in (1..).zip(keys.iter().zip(&operators)) {
            let of = |source: usize| {
                let node = Node::Column { source, field: Field::Column(at) };
                Expr { modifier: key.modifier, ..Expr::new(node, key.type_) }
            };
            compared.push(binder.operation(operator, of(OTHER), of(ROW))?);
            texts.push(print::expression(&printed(&binder, of(ROW))?, Names::of(ROW, "{row}")));
        }
        let predicate = match &index.predicate {
            Some(predicate) => {
                let condition = self.row_expression(relation, predicate, Clause::Index, None)?;
                Some((bare_condition(&condition), print::condition(&condition, Names::of(ROW, "NEW"))))
            }
            None => None,
        };
        let new = keys.iter().map(|key| print::expression(key, Names::of(ROW, "NEW"))).collect();
        Ok(Conflict { bare: keys.iter().map(bare).collect(), new, texts, predicate, operators: compared })
    }
}

/// The index of a constraint, and the operators by which its keys are compared.
fn noted_index<'r>(relation: &'r Relation, constraint: &Constraint) -> Option<(&'r Index, Vec<String>)> {
    let found = |oid: u32| relation.indexes.iter().find(|known| known.oid == oid);
    match &constraint.kind {
        ConstraintKind::Exclude { index, operators } => Some((found(*index)?, operators.clone())),
        ConstraintKind::Primary { index } | ConstraintKind::Unique { index } => {
            let index = found(*index)?;
            Some((index, vec!["=".to_owned(); index.keys.len()]))
        }
        _ => None,
    }
}

impl Conflict {
    /// The query of the numbers and keys of the rows that count.
    fn rows(&self, table: &str) -> String {
        let keys: Vec<String> =
            (1..).zip(&self.bare).map(|(at, key): (usize, _)| format!("{key} AS c{at}")).collect();
        let counts = self.predicate.as_ref().map_or_else(String::new, |(bare, _)| format!(" WHERE {bare}"));
        format!("SELECT rowid AS id, {} FROM {table}{counts}", keys.join(", "))
    }

    /// The condition that the keys of `l` conflict with those in `keys`.
    fn compared(&self, keys: &[String]) -> String {
        let replaced: Vec<(u32, String)> = (1..).zip(keys.iter().cloned()).collect();
        let names = Names { renamed: Some((OTHER, "l")), replaced: Some((ROW, &replaced[..])) };
        let all: Vec<String> =
            self.operators.iter().map(|operator| print::expression(operator, names)).collect();
        all.join(" AND ")
    }

    /// The texts of these keys.
    fn texts_of(&self, keys: &[String]) -> Vec<String> {
        let pairs = (1..).zip(self.texts.iter().zip(keys));
        pairs.map(|(at, (text, key)): (usize, _)| text.replace(&format!("{{row}}.c{at}"), key)).collect()
    }
}

fn columns(of: &str, count: usize) -> Vec<String> {
    (1..=count).map(|at| format!("{of}.c{at}")).collect()
}

/// Texts of keys, for a message.
fn texts_in(texts: Option<&serde_json::Value>) -> String {
    let items = texts.and_then(serde_json::Value::as_array);
    let items =
        items.into_iter().flatten().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
    items.collect::<Vec<_>>().join(", ")
}

/// An operator's symbol, or `OPERATOR(schema.symbol)`.
fn operator(cursor: &mut Cursor<'_>) -> Result<String> {
    let written = cursor.word("operator");
    if written {
        cursor.expect(&Token::LParen)?;
        if cursor.peek().is_some_and(|token| matches!(token.token, Token::Word(_))) {
            cursor.ident()?;
            cursor.expect(&Token::Period)?;
        }
    }
    let symbol = match cursor.peek() {
        Some(token) if !matches!(token.token, Token::Word(_) | Token::Comma | Token::RParen) => {
            token.token.to_string()
        }
        _ => return Err(cursor.unexpected()),
    };
    cursor.at += 1;
    if written {
        cursor.expect(&Token::RParen)?;
    }
    Ok(symbol)
}
