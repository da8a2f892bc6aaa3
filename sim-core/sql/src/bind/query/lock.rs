//! `FOR UPDATE` and its kin: which rows they lock, and the queries whose rows they cannot lock.

use sqlparser::ast::{self, GroupByExpr, LockType, SetExpr, Spanned as _, TableFactor};

use crate::bind::Binder;
use crate::catalog::{Relation, RelationKind};
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::tree::{Body, Expr, Node, Query};

/// The sources whose rows a query locks.
#[derive(Clone, Debug, Default)]
pub(in crate::bind) enum Locked {
    #[default]
    None,
    Named(Vec<String>),
    All,
}

impl Locked {
    pub(super) fn by(locks: &[ast::LockClause]) -> Locked {
        match locks.iter().map(|lock| Some(alias_in(lock.of.as_ref()?))).collect::<Option<Vec<String>>>() {
            Some(names) if names.is_empty() => Locked::None,
            Some(names) => Locked::Named(names),
            None => Locked::All,
        }
    }
}

/// Where a query is that another one locks as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bind) enum Inside {
    Query,
    /// PostgreSQL looks into a view when the statement runs.
    View,
}

impl Binder<'_> {
    /// Whether the query that is being bound locks the rows of a source.
    pub(in crate::bind) fn locks(&self, called: &str) -> bool {
        match &self.locked {
            Locked::None => false,
            Locked::Named(names) => names.iter().any(|name| name == called),
            Locked::All => true,
        }
    }

    /// Refuses locks on rows that are not those of a table.
    pub(super) fn check_locks(&self, query: &ast::Query, bound: &Query) -> Result<()> {
        if let Some(lock) = lock_of_part(&query.body) {
            let words = self.words_of(&lock.lock_type);
            return Err(SqlError::new(
                SqlState::FEATURE_NOT_SUPPORTED,
                format!("{words} is not allowed with {UNITED}"),
            ));
        }
        for lock in &query.locks {
            let words = self.words_of(&lock.lock_type);
            if matches!(*query.body, SetExpr::Values(_)) {
                return Err(SqlError::new(
                    SqlState::FEATURE_NOT_SUPPORTED,
                    format!("{words} cannot be applied to VALUES"),
                ));
            }
            let computed = unlockable(&query.body).or_else(|| computed(&bound.body));
            let inner = sources(&query.body)
                .into_iter()
                .filter(|factor| lock.of.as_ref().is_none_or(|of| called(factor) == Some(alias_in(of))))
                .find_map(|factor| match factor {
                    TableFactor::Derived { subquery, .. } => unlockable(&subquery.body),
                    _ => None,
                });
            if let Some(what) = computed.or(inner) {
                return Err(SqlError::new(
                    SqlState::FEATURE_NOT_SUPPORTED,
                    format!("{words} is not allowed with {what}"),
                ));
            }
            if let Some(of) = &lock.of {
                self.check_locked(query, of, words)?;
            }
            let locked = |name: &String| lock.of.as_ref().is_none_or(|of| alias_in(of) == *name);
            if nullable(&query.body).iter().any(locked) {
                let message = format!("{words} cannot be applied to the nullable side of an outer join");
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
        }
        Ok(())
    }

    /// Refuses a lock of the query around for rows that are not those of a table.
    pub(super) fn check_lock_around(
        &mut self,
        query: &ast::Query,
        bound: &Query,
        inside: Inside,
    ) -> Result<()> {
        let words = self.lock_words;
        let written = unlockable(&query.body).filter(|what| inside == Inside::Query || *what != UNITED);
        let message = match written.or_else(|| computed(&bound.body)) {
            Some(what) => format!("{words} is not allowed with {what}"),
            None if nullable(&query.body).is_empty() => return Ok(()),
            None => format!("{words} cannot be applied to the nullable side of an outer join"),
        };
        let refusal = SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message);
        match inside {
            Inside::Query => return Err(refusal),
            Inside::View => self.stopped.get_or_insert(refusal),
        };
        Ok(())
    }

    /// Refuses to lock the rows of a materialized view. Definitions may say so, but never run.
    pub(in crate::bind) fn refuse_locks_of_materialized(&mut self, relation: &Relation) {
        if relation.kind == RelationKind::MaterializedView {
            let message = format!("cannot lock rows in materialized view \"{}\"", relation.name);
            self.stopped.get_or_insert(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
    }

    /// Refuses to lock what the query does not read.
    fn check_locked(&self, query: &ast::Query, of: &ast::ObjectName, words: &str) -> Result<()> {
        let wanted = alias_in(of);
        let at = self.place(of.span().start);
        let found = sources(&query.body).into_iter().find(|factor| called(factor).as_ref() == Some(&wanted));
        let Some(found) = found else {
            let message = format!("relation \"{wanted}\" in {words} clause not found in FROM clause");
            return Err(SqlError::new(SqlState::UNDEFINED_TABLE, message).at(at));
        };
        if matches!(found, TableFactor::Function { .. } | TableFactor::Table { args: Some(_), .. }) {
            let message = format!("{words} cannot be applied to a function");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(at));
        }
        let is_of_with = match (found, &query.with) {
            (TableFactor::Table { name: of_table, args: None, .. }, Some(with)) => {
                let known = with.cte_tables.iter().map(|cte| name(&cte.alias.name));
                matches!(&source::parts(of_table)[..], [only] if known.into_iter().any(|cte| cte == name(only)))
            }
            _ => false,
        };
        if is_of_with {
            let message = format!("{words} cannot be applied to a WITH query");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(at));
        }
        Ok(())
    }

    /// The words of a lock. The parser does not tell weak locks from others, so they are looked for in the text.
    pub(super) fn words_of(&self, lock: &LockType) -> &'static str {
        let text = self.source.text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        match lock {
            LockType::Update if text.contains("for no key update") && !text.contains("for update") => {
                "FOR NO KEY UPDATE"
            }
            LockType::Update => "FOR UPDATE",
            LockType::Share if text.contains("for key share") && !text.contains("for share") => {
                "FOR KEY SHARE"
            }
            LockType::Share => "FOR SHARE",
        }
    }
}

/// What several queries make of their rows.
const UNITED: &str = "UNION/INTERSECT/EXCEPT";

/// A lock of a part of a set operation.
fn lock_of_part(body: &SetExpr) -> Option<&ast::LockClause> {
    let SetExpr::SetOperation { left, right, .. } = body else { return None };
    [left, right].into_iter().find_map(|part| match &**part {
        SetExpr::Query(query) => query.locks.first().or_else(|| lock_of_part(&query.body)),
        part => lock_of_part(part),
    })
}

/// What makes the rows of a query others than those of its tables, as it is written.
fn unlockable(body: &SetExpr) -> Option<&'static str> {
    match body {
        SetExpr::SetOperation { .. } => Some(UNITED),
        SetExpr::Query(query) => unlockable(&query.body),
        SetExpr::Select(select) => {
            let groups = match &select.group_by {
                GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
                GroupByExpr::All(_) => true,
            };
            let distinct = select.distinct.as_ref().is_some_and(|distinct| *distinct != ast::Distinct::All);
            [
                (distinct, "DISTINCT clause"),
                (groups, "GROUP BY clause"),
                (select.having.is_some(), "HAVING clause"),
            ]
            .into_iter()
            .find_map(|(is, what)| is.then_some(what))
        }
        _ => None,
    }
}

/// The same, as it is bound.
fn computed(body: &Body) -> Option<&'static str> {
    let Body::Select(select) = body else { return None };
    let has_window =
        |expr: &Expr| expr.any(&mut |expr| matches!(&expr.node, Node::Call(call) if call.window.is_some()));
    match select.aggregated {
        true => Some("aggregate functions"),
        false => select.targets.iter().any(has_window).then_some("window functions"),
    }
}

/// What a query reads, without what is inside of its parts.
fn sources(body: &SetExpr) -> Vec<&TableFactor> {
    let SetExpr::Select(select) = body else { return Vec::new() };
    select.from.iter().flat_map(sources_of).collect()
}

fn sources_of(tables: &ast::TableWithJoins) -> Vec<&TableFactor> {
    let factors = std::iter::once(&tables.relation).chain(tables.joins.iter().map(|join| &join.relation));
    let sources = factors.flat_map(|factor| match factor {
        TableFactor::NestedJoin { table_with_joins, alias: None } => sources_of(table_with_joins),
        factor => vec![factor],
    });
    sources.collect()
}

/// The names of tables and queries whose rows an outer join may replace by nulls, unless a condition wants their values.
fn nullable(body: &SetExpr) -> Vec<String> {
    let SetExpr::Select(select) = body else { return Vec::new() };
    let mut found = Vec::new();
    select.from.iter().for_each(|tables| find_nullable(tables, &mut found));
    let lockable = found.into_iter().filter(|factor| {
        matches!(factor, TableFactor::Table { args: None, .. } | TableFactor::Derived { .. })
    });
    let names = lockable.filter_map(called);
    names.filter(|name| !select.selection.as_ref().is_some_and(|condition| wants(condition, name))).collect()
}

fn find_nullable<'a>(tables: &'a ast::TableWithJoins, found: &mut Vec<&'a TableFactor>) {
    use ast::JoinOperator::{FullOuter, Left, LeftOuter, Right, RightOuter};
    let mut sides = vec![(&tables.relation, false)];
    for join in &tables.joins {
        let (left, right) = match join.join_operator {
            Left(_) | LeftOuter(_) => (false, true),
            Right(_) | RightOuter(_) => (true, false),
            FullOuter(_) => (true, true),
            _ => (false, false),
        };
        sides.iter_mut().for_each(|(_, nullable)| *nullable |= left);
        sides.push((&join.relation, right));
    }
    for (side, is_nullable) in sides {
        match side {
            TableFactor::NestedJoin { table_with_joins, alias: None } if is_nullable => {
                found.extend(sources_of(table_with_joins));
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                find_nullable(table_with_joins, found);
            }
            side if is_nullable => found.push(side),
            _ => {}
        }
    }
}

/// Whether a condition may hold only where a source has values, so that the outer join is an inner one.
fn wants(condition: &ast::Expr, table: &str) -> bool {
    match condition {
        ast::Expr::BinaryOp { left, op: ast::BinaryOperator::And, right } => {
            wants(left, table) || wants(right, table)
        }
        ast::Expr::Nested(inner) => wants(inner, table),
        ast::Expr::IsNull(_) | ast::Expr::BinaryOp { op: ast::BinaryOperator::Or, .. } => false,
        // Names without their table may be of any.
        condition => {
            let text = condition.to_string();
            let qualified = [format!("{table}."), format!("{table}\".")];
            !text.contains('.') || qualified.iter().any(|name| text.contains(name))
        }
    }
}

/// The name by which a query knows what it reads.
fn called(factor: &TableFactor) -> Option<String> {
    match factor {
        TableFactor::Table { alias: Some(alias), .. }
        | TableFactor::Derived { alias: Some(alias), .. }
        | TableFactor::Function { alias: Some(alias), .. } => Some(name(&alias.name)),
        TableFactor::Table { name, .. } | TableFactor::Function { name, .. } => Some(alias_in(name)),
        _ => None,
    }
}

fn alias_in(object: &ast::ObjectName) -> String {
    source::parts(object).last().map(|ident| name(ident)).unwrap_or_default()
}
