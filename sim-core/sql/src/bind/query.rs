//! Queries.

mod flatten;
mod grouped;
mod grouping;
mod lock;
mod recursion;
mod select;
mod set;
mod step;
mod ties;
mod walk;
mod writes;

use std::collections::BTreeSet;

use rusqlite::types::Value;
use sqlparser::ast::{self, LimitClause, OrderByKind, SetExpr, SetQuantifier, Spanned as _};

use self::set::unequal_columns;
use super::{Binder, Clause, KnownCte, ReadsOfCtes, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::source::name;
use crate::tree::{Body, Cte, Expr, Key, LETS, Node, Order, Query, SetOperator};
use crate::types::Type;

pub(super) use self::lock::{Inside, Locked};
pub(crate) use self::select::expands_row;
pub(super) use self::set::renamed;
pub(super) use self::walk::is_clause;

/// A sort key, with PostgreSQL's defaults.
pub(super) fn order(written: &ast::OrderByExpr, key: Key) -> Order {
    let descending = match &written.options.sort {
        Some(ast::OrderBySort::Desc) => true,
        Some(ast::OrderBySort::Using(operator)) => operator.to_string().rsplit('.').next() == Some(">"),
        _ => false,
    };
    Order { key, descending, nulls_first: written.options.nulls_first.unwrap_or(descending) }
}

/// The stack that a query may need besides what is for queries inside of it, and the size of a new one.
const STACK_NEEDED: usize = 256 << 10;
const STACK_NEW: usize = 4 << 20;

impl Binder<'_> {
    /// Binds a query. All its columns get types.
    pub(crate) fn query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let mut bound = self.untyped_query(scope, query)?;
        let types: Vec<Type> = bound.columns.iter().map(|column| column.type_.base).collect();
        if types.contains(&Type::UNKNOWN) {
            let settled = |type_: &Type| if *type_ == Type::UNKNOWN { Type::TEXT } else { *type_ };
            self.retype(&mut bound, &types.iter().map(settled).collect::<Vec<_>>())?;
        }
        Ok(bound)
    }

    /// Binds a query inside an expression.
    pub(crate) fn subquery(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        if let Some(place) = self.clause.without_queries() {
            let message = format!("cannot use subquery in {place}");
            let at = self.source.place_before_query(query.span().start);
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(at));
        }
        let clause = std::mem::replace(&mut self.clause, Clause::Target);
        let outermost = self.outermost;
        self.outermost = outermost.or(Some(clause));
        let calls = std::mem::take(&mut self.set_calls);
        let windows = std::mem::take(&mut self.windows);
        let bound = self.query(scope, query);
        (self.clause, self.set_calls, self.windows) = (clause, calls, windows);
        self.outermost = outermost;
        bound
    }

    /// Binds a query whose literals may stay untyped.
    pub(crate) fn untyped_query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let known = self.ctes.len();
        // Functions and views that use others make queries deeper than the text is.
        let bound = stacker::maybe_grow(STACK_NEEDED, STACK_NEW, || self.query_with_ctes(scope, query));
        self.ctes.truncate(known);
        bound
    }

    fn query_with_ctes(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let inside = self.locks_next.take();
        let words = self.lock_words;
        if let (None, Some(lock)) = (inside, query.locks.first()) {
            self.lock_words = self.words_of(&lock.lock_type);
        }
        let locked = if inside.is_some() { Locked::All } else { Locked::by(&query.locks) };
        let around = std::mem::take(&mut self.locked);
        let bound = self.query_that_locks(scope, query, locked);
        let bound = match (bound, inside) {
            (Ok(bound), Some(inside)) => self.check_lock_around(query, &bound, inside).map(|()| bound),
            (bound, _) => bound,
        };
        (self.locked, self.lock_words) = (around, words);
        bound
    }

    fn query_that_locks(&mut self, scope: &Scope<'_>, query: &ast::Query, locked: Locked) -> Result<Query> {
        let ctes = match &query.with {
            Some(with) => self.with(scope, with)?,
            None => Vec::new(),
        };
        self.locked = locked;
        let sort = match &query.order_by {
            None => &[][..],
            Some(ast::OrderBy { kind: OrderByKind::Expressions(keys), .. }) => keys,
            Some(_) => return Err(SqlError::unsupported("ORDER BY ALL")),
        };
        let mut bound = self.body(scope, &query.body, sort)?;
        self.check_locks(query, &bound)?;
        if scope.is_outermost() {
            bound = self.read_before_calls(bound);
        }
        bound.ctes.splice(0..0, ctes);
        self.limit(scope, query, &mut bound)?;
        let ties = query.fetch.as_ref().is_some_and(|fetch| fetch.with_ties);
        let varies = |rows: &Option<Expr>| rows.as_ref().is_some_and(|rows| reads_around(scope, rows));
        match ties {
            true => self.with_ties(bound),
            false if varies(&bound.limit) || varies(&bound.offset) => self.counted_by_rows(bound),
            false => Ok(bound),
        }
    }

    fn limit(&mut self, scope: &Scope<'_>, query: &ast::Query, bound: &mut Query) -> Result<()> {
        let (mut limit, mut offset) = (None, None);
        match &query.limit_clause {
            None => {}
            Some(LimitClause::LimitOffset { limit: given, offset: skipped, .. }) => {
                (limit, offset) = (given.as_ref(), skipped.as_ref().map(|offset| &offset.value));
            }
            Some(LimitClause::OffsetCommaLimit { .. }) => {
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, "LIMIT #,# syntax is not supported")
                    .hint("Use separate LIMIT and OFFSET clauses."));
            }
        }
        if let Some(fetch) = &query.fetch {
            if fetch.percent {
                return Err(SqlError::unsupported("FETCH FIRST PERCENT"));
            }
            limit = limit.or(fetch.quantity.as_ref());
            if fetch.quantity.is_none() {
                bound.limit = Some(Expr::literal(1, Type::INT8));
            }
        }
        for (given, target, word) in
            [(limit, &mut bound.limit, "LIMIT"), (offset, &mut bound.offset, "OFFSET")]
        {
            let Some(given) = given else { continue };
            let expr = self.row_count(scope, query, (given, word))?;
            let type_ = expr.type_;
            let expr = self.coerce(expr, Type::INT8.plain(), Context::Assignment)?.ok_or_else(|| {
                let name = self.catalog.type_name(type_, -1);
                let message = format!("argument of {word} must be type bigint, not type {name}");
                SqlError::new(SqlState::DATATYPE_MISMATCH, message)
            })?;
            self.limited_by_columns |= expr.any(&mut |part| matches!(part.node, Node::Column { .. }));
            *target = match expr.node {
                Node::Literal(Value::Null) => None,
                Node::Literal(Value::Integer(..0)) => {
                    let code = SqlState::new(if word == "LIMIT" { "2201W" } else { "2201X" });
                    return Err(SqlError::new(code, format!("{word} must not be negative")));
                }
                Node::Literal(_) => Some(expr),
                _ => {
                    let word = Expr::literal(word.to_owned(), Type::TEXT);
                    Some(Expr::template("pg_row_count({0},{1})", vec![expr, word], Type::INT8))
                }
            };
        }
        Ok(())
    }

    /// A number of rows, which columns of the queries around may say, but not those of the query itself.
    fn row_count(
        &mut self,
        scope: &Scope<'_>,
        query: &ast::Query,
        (given, word): (&ast::Expr, &str),
    ) -> Result<Expr> {
        let bound = self.expr_in(Clause::Limit, scope, given);
        let is_column = |part: &Expr| matches!(part.node, Node::Column { .. });
        let names = match &bound {
            Ok(expr) => expr.any(&mut |part| is_column(part)),
            Err(error) => matches!(error.code, SqlState::UNDEFINED_COLUMN | SqlState::UNDEFINED_TABLE),
        };
        let SetExpr::Select(select) = &*query.body else { return bound };
        if !names {
            return bound;
        }
        let (_, own) = self.bind_from(scope, &select.from)?;
        let sources: Vec<usize> = own.tables.iter().map(|table| table.source).collect();
        let inner = Scope { parent: Some(scope), ..own };
        let Ok(of_row) = self.expr_in(Clause::Limit, &inner, given) else { return bound };
        let mut at = None;
        let is_own = of_row.any(&mut |part| match part.node {
            Node::Column { source, .. } if sources.contains(&source) => {
                at = part.at.0;
                true
            }
            _ => false,
        });
        if !is_own {
            return bound;
        }
        let message = format!("argument of {word} must not contain variables");
        Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message).at(at))
    }

    pub(super) fn with(&mut self, scope: &Scope<'_>, with: &ast::With) -> Result<Vec<Cte>> {
        let mut ctes = Vec::new();
        let mut names = BTreeSet::new();
        for place in order_of(with) {
            let cte = &with.cte_tables[place];
            if walk::is_clause(cte) {
                continue;
            }
            let clauses = with.cte_tables[place + 1..].iter().take_while(|cte| walk::is_clause(cte));
            let clauses: Vec<&ast::Cte> = clauses.collect();
            let called = name(&cte.alias.name);
            if self.ctes.iter().any(|known| known.name == called && known.rows.is_some()) {
                continue;
            }
            if !names.insert(called.clone()) {
                let message = format!("WITH query name \"{called}\" specified more than once");
                return Err(SqlError::new(SqlState::DUPLICATE_ALIAS, message)
                    .at(self.place(cte.alias.name.span.start)));
            }
            let source = self.new_source();
            let aliases: Vec<String> = cte.alias.columns.iter().map(|column| name(&column.name)).collect();
            let around = std::mem::take(&mut self.reads_of_ctes);
            let (query, recursive) = match &*cte.query.body {
                SetExpr::SetOperation { op: ast::SetOperator::Union, set_quantifier, left, right }
                    if with.recursive =>
                {
                    let all = *set_quantifier == SetQuantifier::All;
                    let parts = (&**left, &**right, all);
                    (self.recursive(scope, (&called, source), &aliases, (&cte.query, &clauses), parts)?, true)
                }
                _ if !clauses.is_empty() => {
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, "WITH query is not recursive")
                        .at(self.place(cte.alias.name.span.start)));
                }
                _ => {
                    let around = self.later.len();
                    if !with.recursive {
                        let later = with.cte_tables[place..].iter().map(|cte| name(&cte.alias.name));
                        self.later.extend(later);
                    }
                    let query = self.subquery(scope, &cte.query);
                    self.later.truncate(around);
                    (query?, false)
                }
            };
            let reads = std::mem::replace(&mut self.reads_of_ctes, around);
            let columns = renamed(&query.columns, &aliases, &called).map_err(|error| {
                SqlError::new(error.code, error.message.replacen("table", "WITH query", 1))
                    .at(self.place(cte.alias.name.span.start))
            })?;
            self.ctes.push(KnownCte { name: called, source, columns, rows: None, undefined: false, reads });
            let heavy = !recursive && self.weigh(source, &query);
            let asked = cte.materialized.as_ref();
            let asked = asked.map(|kind| matches!(kind, ast::CteAsMaterialized::Materialized));
            let materialized = if heavy { Some(true) } else { asked };
            ctes.push(Cte { source, recursive, materialized, query });
        }
        Ok(ctes)
    }

    fn recursive(
        &mut self,
        scope: &Scope<'_>,
        (called, source): (&str, usize),
        names: &[String],
        (whole, clauses): (&ast::Query, &[&ast::Cte]),
        (left, right, all): (&SetExpr, &SetExpr, bool),
    ) -> Result<Query> {
        let known = self.ctes.len();
        let with = match &whole.with {
            Some(with) => self.with(scope, with)?,
            None => Vec::new(),
        };
        let columns = Vec::new();
        let reads = ReadsOfCtes::default();
        let name = called.to_owned();
        self.ctes.push(KnownCte { name, source, columns, rows: None, undefined: true, reads });
        let first = self.body(scope, left, &[]);
        self.ctes.pop();
        let mut first = first?;
        let types = first.columns.iter().map(|column| column.type_.base);
        let types: Vec<Type> =
            types.map(|type_| if type_ == Type::UNKNOWN { Type::TEXT } else { type_ }).collect();
        self.retype(&mut first, &types)?;
        let own = renamed(&first.columns, names, called)?;
        let walk = self.walk(clauses, &own)?;
        let columns = walk.with_columns(own.clone());
        first = self.begin(&walk, first);
        first.columns.clone_from(&columns);
        let types: Vec<Type> = columns.iter().map(|column| column.type_.base).collect();
        self.ctes.push(KnownCte {
            name: called.to_owned(),
            source,
            columns: columns.clone(),
            rows: None,
            undefined: false,
            reads,
        });
        let second = walk.reading(right, called).and_then(|right| self.body(scope, &right, &[]));
        self.ctes.truncate(known);
        let mut second = second?;
        if !walk.is_none() && second.columns.len() == types.len() {
            second = self.go_on(&walk, second, &own)?;
        }
        self.check_recursion((called, source), whole, (&first, &mut second))?;
        if second.columns.len() != types.len() {
            return Err(unequal_columns("UNION"));
        }
        for (index, (column, type_)) in second.columns.iter().zip(&types).enumerate() {
            let given = column.type_.base;
            if given != Type::UNKNOWN
                && given != *type_
                && self.castable(given, *type_) != Some(Context::Implicit)
            {
                let (was, is) = (self.catalog.type_name(*type_, -1), self.catalog.type_name(given, -1));
                let message = format!(
                    "recursive query \"{called}\" column {} has type {was} in non-recursive term but type {is} overall",
                    index + 1
                );
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                    .hint("Cast the output of the non-recursive term to the correct type."));
            }
        }
        self.retype(&mut second, &types)?;
        if !all {
            self.require_equality_of_columns(&first, &second)?;
        }
        let body =
            Body::Set { operator: SetOperator::Union, all, left: Box::new(first), right: Box::new(second) };
        let mut query = Query { ctes: with, body, order: Vec::new(), limit: None, offset: None, columns };
        self.limit(scope, whole, &mut query)?;
        if !all && query.columns.iter().any(|column| self.is_told_apart_by_key(column)) {
            return self.recursive_by_keys(source, query);
        }
        Ok(query)
    }
}

/// The places of the queries of a `WITH`. With `RECURSIVE` a query may read a later one, which then comes before it.
fn order_of(with: &ast::With) -> Vec<usize> {
    let all = &with.cte_tables;
    let in_text = (0..all.len()).collect();
    if !with.recursive || all.len() < 2 || all.iter().any(walk::is_clause) {
        return in_text;
    }
    let names: Vec<String> = all.iter().map(|cte| name(&cte.alias.name)).collect();
    let reads: Vec<BTreeSet<usize>> = all
        .iter()
        .enumerate()
        .map(|(place, cte)| {
            let text = cte.query.to_string();
            let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let words: BTreeSet<&str> = words.collect();
            let named = names.iter().enumerate().filter(|(_, name)| words.contains(name.as_str()));
            named.map(|(other, _)| other).filter(|other| *other != place).collect()
        })
        .collect();
    let mut ordered: Vec<usize> = Vec::new();
    while ordered.len() < all.len() {
        let ready = |place: &usize| {
            !ordered.contains(place) && reads[*place].iter().all(|read| ordered.contains(read))
        };
        let Some(next) = (0..all.len()).find(ready) else { return in_text };
        ordered.push(next);
    }
    ordered
}

/// Whether a value reads the rows of queries around, also in its own queries.
fn reads_around(scope: &Scope<'_>, expr: &Expr) -> bool {
    let around: Vec<usize> = std::iter::once(scope)
        .chain(scope.ancestors())
        .flat_map(|scope| scope.tables.iter().map(|table| table.source))
        .collect();
    let mut reads = expr.any(&mut |part| matches!(part.node, Node::Column { source, .. } if source < LETS));
    expr.clone().replace(&mut |part| {
        reads |= matches!(part.node, Node::Column { source, .. } if around.contains(&source));
        reads
    });
    reads
}
