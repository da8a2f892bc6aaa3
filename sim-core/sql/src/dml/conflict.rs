//! `ON CONFLICT`: the index that decides, and the row that is there.

use std::collections::BTreeSet;

use sqlparser::ast::{self, ConflictTarget, OnConflict, OnConflictAction, OnInsert};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::Modifier;
use crate::bind::scope::Table;
use crate::bind::{Clause, Scope};
use crate::catalog::{Constraint, ConstraintKind, Index, Relation};
use crate::dml_rows;
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::source::{self, Source, is_word};
use crate::types::Type;

impl<'a> Modifier<'a> {
    pub(super) fn on_conflict(
        &mut self,
        conflict: &OnConflict,
        relation: &Relation,
        table: &Table,
    ) -> Result<String> {
        let target = match self.arbiter(conflict, relation)? {
            Some(index) => self.index_target(relation, index)?,
            None => String::new(),
        };
        let OnConflictAction::DoUpdate(update) = &conflict.action else {
            if self.only_skips {
                return Ok(String::new());
            }
            return Ok(format!(" ON CONFLICT{target} DO NOTHING"));
        };
        let source = self.binder.new_source();
        let excluded = self.table(relation, source, Some("excluded".to_owned()))?;
        let mut scope = Scope::of(table.clone());
        // A name without a table could mean the row that is there as well as the one that is not inserted.
        scope.visible.extend(excluded.visible());
        scope.tables.push(excluded);
        let names = Names::of(source, "excluded");
        let assignments = self.assignments(&update.assignments, relation, table, &scope)?;
        self.note_constants(assignments.iter().map(|(_, value)| value));
        self.require_assigned(relation, &assignments);
        self.binder.require_read(relation, table.source);
        let set = assignments.iter().map(|(number, value)| (*number, print::expression(value, names)));
        let mut set: Vec<(u32, String)> = set.collect();
        self.check_upsert(relation, table, &mut set)?;
        let set = set.iter().map(|(number, value)| format!("c{number} = {value}"));
        let mut sql = format!(" ON CONFLICT{target} DO UPDATE SET {}", set.collect::<Vec<_>>().join(", "));
        let condition = match &update.selection {
            Some(selection) => {
                let condition = self.binder.condition_in(Clause::Where, &scope, selection)?;
                self.note_constants([&condition]);
                print::expression(&condition, names)
            }
            None => "1".to_owned(),
        };
        self.binder.upserts = true;
        sql.push_str(&format!(" WHERE pg_affect(s{}.rowid, {condition})", table.source));
        Ok(sql)
    }

    /// The index that `ON CONFLICT` is about; `None` for any.
    pub(super) fn arbiter<'r>(
        &mut self,
        conflict: &OnConflict,
        relation: &'r Relation,
    ) -> Result<Option<&'r Index>> {
        let excludes = |constraint: &Constraint| matches!(constraint.kind, ConstraintKind::Exclude { .. });
        let updates = matches!(conflict.action, OnConflictAction::DoUpdate(_));
        let target = match &conflict.conflict_target {
            None => match self.conflict.take() {
                Some((target, condition)) => {
                    Some(self.conflict_index(relation, &target, condition.as_deref())?)
                }
                None => {
                    let late = relation.indexes.iter().any(|index| index.unique && index.deferrable)
                        || relation.constraints.iter().any(|known| excludes(known) && known.deferrable);
                    if late {
                        return Err(no_late_arbiter());
                    }
                    let excluding = relation.constraints.iter().filter(|constraint| excludes(constraint));
                    self.skips.extend(excluding.map(|constraint| constraint.oid));
                    None
                }
            },
            Some(ConflictTarget::Columns(columns)) => Some(self.conflict_columns(columns, relation)?),
            Some(ConflictTarget::OnConstraint(object)) => {
                let (_, constraint) = source::schema_and_name(object)?;
                if let Some(known) = relation.constraint(&constraint).filter(|known| excludes(known)) {
                    if updates {
                        let message = "ON CONFLICT DO UPDATE not supported with exclusion constraints";
                        return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
                    }
                    if known.deferrable {
                        return Err(no_late_arbiter());
                    }
                    self.skips.push(known.oid);
                    self.only_skips = true;
                    return Ok(None);
                }
                let found = relation.constraint(&constraint).and_then(|constraint| match constraint.kind {
                    ConstraintKind::Primary { index } | ConstraintKind::Unique { index } => Some(index),
                    _ => None,
                });
                let index = found.and_then(|oid| relation.indexes.iter().find(|index| index.oid == oid));
                let index = index.ok_or_else(|| {
                    let message =
                        format!("constraint \"{constraint}\" for table \"{}\" does not exist", relation.name);
                    SqlError::new(SqlState::UNDEFINED_OBJECT, message)
                })?;
                Some(index)
            }
        };
        if target.is_some_and(|index| index.deferrable) {
            return Err(no_late_arbiter());
        }
        if target.is_none() && matches!(conflict.action, OnConflictAction::DoUpdate(_)) {
            return Err(SqlError::new(
                SqlState::SYNTAX_ERROR,
                "ON CONFLICT DO UPDATE requires inference specification or constraint name",
            )
            .hint("For example, ON CONFLICT (column_name)."));
        }
        Ok(target)
    }

    /// The columns of the index that matches a conflict target with expressions or a condition.
    pub(super) fn conflict_index<'r>(
        &mut self,
        relation: &'r Relation,
        target: &str,
        condition: Option<&str>,
    ) -> Result<&'r Index> {
        let source = self.binder.new_source();
        let scope = Scope::of(self.table(relation, source, None)?);
        let wanted = self.binder.stored(&format!("ARRAY[{target}]"), |binder| {
            let ast::Expr::Array(keys) = binder.source.expression()? else {
                return Ok(vec![essence(target)]);
            };
            let shown = keys
                .elem
                .iter()
                .map(|key| binder.shown(&scope, key, Type::TEXT).unwrap_or_else(|| key.to_string()));
            Ok(shown.map(|text| essence(&text)).collect::<Vec<_>>())
        })?;
        // They may stand in any order.
        let wanted = BTreeSet::from_iter(wanted);
        let given = condition;
        let condition = match condition {
            Some(condition) => Some(self.binder.stored(condition, |binder| {
                let parsed = binder.source.expression()?;
                Ok(binder.shown_condition(&scope, &parsed, condition))
            })?),
            None => None,
        };
        let condition = condition.as_deref();
        let matches = |index: &Index| {
            let keys = index.keys.iter().map(|key| match (key.column, &key.expression) {
                (Some(number), _) => relation.column_name(number).to_owned(),
                (None, expression) => expression.clone().unwrap_or_default(),
            });
            let keys: BTreeSet<String> = keys.map(|key| essence(&key)).collect();
            index.unique && keys == wanted
        };
        for index in relation.indexes.iter().filter(|index| matches(index)) {
            let same = index.predicate.as_deref().map(essence) == condition.map(essence);
            if index.predicate.is_none() || same || self.is_implied(&scope, index, given)? {
                return Ok(index);
            }
        }
        Err(no_conflict_index())
    }

    /// Whether a row with the given condition belongs to a partial index.
    fn is_implied(&mut self, scope: &Scope<'_>, index: &Index, given: Option<&str>) -> Result<bool> {
        let mut bound = |text: &str| {
            self.binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.condition_in(Clause::Index, scope, &parsed)
            })
        };
        let (Some(given), Some(predicate)) = (given, &index.predicate) else { return Ok(false) };
        let (given, wanted) = (bound(given)?, bound(predicate)?);
        self.engine.implies(&given, &wanted)
    }

    pub(super) fn index_target(&mut self, relation: &Relation, index: &Index) -> Result<String> {
        let source = self.binder.new_source();
        let relation = self.stored_table(relation);
        let scope = Scope::of(self.binder.table_of(relation, source, None)?);
        let names = Names::of(source, "");
        let catalog = self.binder.catalog;
        // The texts must be those of the index, which has no queries.
        let mut bound = |text: &str| {
            let queries = std::mem::replace(&mut self.binder.once.without_queries, true);
            let bound = self.binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(Clause::Index, &scope, &parsed)
            });
            self.binder.once.without_queries = queries;
            bound
        };
        let mut keys = Vec::new();
        for key in &index.keys {
            let text = match (key.column, &key.expression) {
                (Some(number), _) => crate::catalog::quote_identifier(relation.column_name(number)),
                (None, expression) => expression.clone().unwrap_or_default(),
            };
            let expr = catalog.index_key(bound(&text)?);
            let collation =
                expr.type_.collation().map_or_else(String::new, |name| format!(" COLLATE {name}"));
            let printed = print::expression(&expr, names);
            keys.push(if index.nulls_not_distinct {
                format!("({printed} IS NULL), coalesce({printed}, 0){collation}")
            } else if key.expression.is_some() {
                format!("({printed}){collation}")
            } else {
                format!("{printed}{collation}")
            });
        }
        let condition = match &index.predicate {
            Some(predicate) => format!(" WHERE {}", print::condition(&bound(predicate)?, names)),
            None => String::new(),
        };
        Ok(format!("({}){condition}", keys.join(", ")))
    }

    pub(super) fn conflict_columns<'r>(
        &mut self,
        columns: &[ast::Ident],
        relation: &'r Relation,
    ) -> Result<&'r Index> {
        columns.iter().try_for_each(|ident| self.binder.refuse_variable(ident))?;
        let columns = columns.iter().map(|ident| self.column(relation, ident).map(|column| column.number));
        let mut wanted = columns.collect::<Result<Vec<_>>>()?;
        wanted.sort_unstable();
        wanted.dedup();
        let matches = |index: &&Index| {
            let mut keys: Vec<u32> = index.keys.iter().filter_map(|key| key.column).collect();
            keys.sort_unstable();
            index.unique && index.predicate.is_none() && keys.len() == index.keys.len() && keys == wanted
        };
        relation.indexes.iter().find(matches).ok_or_else(no_conflict_index)
    }

    /// `ON CONFLICT` for a row that is inserted by itself.
    pub(super) fn conflict_of_row(
        &mut self,
        conflict: &OnConflict,
        relation: &Relation,
        table: &Table,
    ) -> Result<dml_rows::OnConflict> {
        let index = self.arbiter(conflict, relation)?;
        if self.only_skips {
            let what = "ON CONFLICT ON CONSTRAINT of an exclusion, on a table with triggers,";
            return Err(SqlError::unsupported(what));
        }
        let (target, same) = match index {
            Some(index) => (self.index_target(relation, index)?, self.same_key(relation, index, table)?),
            None => (String::new(), String::new()),
        };
        let OnConflictAction::DoUpdate(update) = &conflict.action else {
            return Ok(dml_rows::OnConflict { target, same, update: None });
        };
        let source = self.binder.new_source();
        let excluded = self.table(relation, source, Some("excluded".to_owned()))?;
        let mut scope = Scope::of(table.clone());
        scope.visible.extend(excluded.visible());
        scope.tables.push(excluded);
        let names = Names::of(source, "excluded");
        let assignments = self.assignments(&update.assignments, relation, table, &scope)?;
        let condition = match &update.selection {
            Some(selection) => {
                let condition = self.binder.condition_in(Clause::Where, &scope, selection)?;
                print::expression(&condition, names)
            }
            None => "1".to_owned(),
        };
        let set = assignments.iter().map(|(number, value)| (*number, print::expression(value, names)));
        let mut set: Vec<(u32, String)> = set.collect();
        self.check_upsert(relation, table, &mut set)?;
        let (numbers, values) = set.into_iter().unzip();
        Ok(dml_rows::OnConflict { target, same, update: Some((numbers, values, condition)) })
    }

    /// The condition that a row of a table has the key of the row `excluded`.
    pub(super) fn same_key(&mut self, relation: &Relation, index: &Index, table: &Table) -> Result<String> {
        let relation = self.stored_table(relation);
        let scope = Scope::of(self.binder.table_of(relation, table.source, None)?);
        let names = Names::of(table.source, "excluded");
        let catalog = self.binder.catalog;
        let mut bound = |text: &str| {
            self.binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(Clause::Index, &scope, &parsed)
            })
        };
        let mut conditions = Vec::new();
        for index_key in &index.keys {
            let text = match (index_key.column, &index_key.expression) {
                (Some(number), _) => crate::catalog::quote_identifier(relation.column_name(number)),
                (None, expression) => expression.clone().unwrap_or_default(),
            };
            let key = catalog.index_key(bound(&text)?);
            let collation = key.type_.collation().map_or_else(String::new, |name| format!(" COLLATE {name}"));
            // The new row has no generated values yet.
            let column = index_key.column.and_then(|number| relation.column_number(number));
            let generated =
                column.and_then(|column| column.generated.as_deref()).map(&mut bound).transpose()?;
            let generated = generated.map(|generated| catalog.index_key(generated));
            let own = print::expression(&key, Names::default());
            let other = print::expression(generated.as_ref().unwrap_or(&key), names);
            let equal = if index.nulls_not_distinct { "IS" } else { "=" };
            conditions.push(format!("{own} {equal} {other}{collation}"));
        }
        if let Some(predicate) = &index.predicate {
            conditions.push(print::condition(&bound(predicate)?, Names::default()));
        }
        Ok(conditions.join(" AND "))
    }
}

pub(super) fn take_conflict_target(
    source: &Source,
    tokens: &mut Vec<TokenWithSpan>,
) -> Option<(String, Option<String>)> {
    let mut on =
        tokens.windows(2).position(|pair| is_word(&pair[0], "on") && is_word(&pair[1], "conflict"))?;
    if ends_in_targets(&tokens[..on]) {
        // The parser would take `ON` for the name of the last column.
        let parts = [Token::make_keyword("WHERE"), Token::make_keyword("TRUE")];
        let parts = parts.map(|token| TokenWithSpan { token, span: tokens[on].span });
        tokens.splice(on..on, parts);
        on += 2;
    }
    let open = on + 2;
    if tokens.get(open)?.token != Token::LParen {
        return None;
    }
    let action = open + tokens[open..].iter().position(|token| is_word(token, "do"))?;
    let condition = tokens[open..action].iter().position(|token| is_word(token, "where")).map(|at| open + at);
    let close = condition.unwrap_or(action) - 1;
    if close <= open {
        return None;
    }
    let plain =
        tokens[open + 1..close].iter().all(|token| matches!(token.token, Token::Word(_) | Token::Comma));
    if plain && condition.is_none() {
        return None;
    }
    let text = |from: usize, to: usize| -> Option<String> {
        let (start, end) = (source.offset(tokens[from].span.start)?, source.offset(tokens[to].span.end)?);
        Some(source.text.get(start..end)?.to_owned())
    };
    let target = text(open + 1, close - 1)?;
    let condition = condition.and_then(|at| text(at + 1, action - 1));
    tokens.drain(open..action);
    Some((target, condition))
}

/// Whether tokens end in the select list of a query.
fn ends_in_targets(tokens: &[TokenWithSpan]) -> bool {
    let mut depth = 0_usize;
    let mut inside = false;
    for token in tokens {
        match &token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if is_word(token, "select") => inside = true,
            _ if AFTER_TARGETS.iter().any(|word| is_word(token, word)) => inside = false,
            _ => {}
        }
    }
    inside
}

/// The words that end a select list.
const AFTER_TARGETS: &[&str] =
    &["from", "where", "group", "having", "window", "order", "limit", "offset", "fetch", "for", "values"];

/// The text in lower case without blanks and parentheses, which don't matter when two expressions are compared.
pub(super) fn essence(text: &str) -> String {
    let kept = text.chars().filter(|character| !character.is_whitespace() && !"()".contains(*character));
    kept.flat_map(char::to_lowercase).collect()
}

fn no_late_arbiter() -> SqlError {
    let message =
        "ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters";
    SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message)
}

pub(super) fn no_conflict_index() -> SqlError {
    let message = "there is no unique or exclusion constraint matching the ON CONFLICT specification";
    SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message)
}

/// Whether a clause for conflicts reads columns of the table.
pub(super) fn names_target(on: &OnInsert) -> bool {
    matches!(on, OnInsert::OnConflict(conflict) if conflict.conflict_target.is_some() || matches!(conflict.action, OnConflictAction::DoUpdate(_)))
}
