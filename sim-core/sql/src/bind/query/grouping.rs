//! `GROUP BY`: its keys, and the sets of keys of `GROUPING SETS`, `ROLLUP` and `CUBE`.
//!
//! A query with several sets has a query inside of it that computes the keys and aggregates: one part for each set, joined by
//! `UNION ALL`. The targets, the conditions on groups and the order are computed from its rows.

use std::collections::BTreeSet;

use rusqlite::types::Value;
use sqlparser::ast::{self, GroupByExpr, Spanned as _};

use super::step;
use crate::bind::call::OuterAggregate;
use crate::bind::{Binder, Clause, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::forms::DISTINCT_SETS;
use crate::functions::{self, Kind};
use crate::source::name;
use crate::tree::{Body, Call, Candidates, Expr, Field, From, Key, Node, Output, Query, Select, SetOperator};
use crate::types::{Modified, Type};

/// Stands for a call of `GROUPING` until the sets are known.
const GROUPING: &str = "grouping({*})";

/// The most sets of a query: each takes a pass over the rows.
const SETS_MAX: usize = 128;

/// The keys of a `GROUP BY`, and the sets of them by which it groups, if it names any.
#[derive(Default)]
pub(super) struct Groups {
    pub(super) keys: Vec<Expr>,
    /// Whether the query has a `GROUP BY`, which may be one without keys.
    pub(super) written: bool,
    sets: Option<Vec<Vec<usize>>>,
    /// Whether the query calls `GROUPING`.
    asked: bool,
}

impl Groups {
    /// The keys of all grouping sets.
    pub(super) fn common(&self) -> Vec<Expr> {
        let keys = self.keys.iter().enumerate();
        let in_all = |at: usize| self.sets.iter().flatten().all(|set| set.contains(&at));
        keys.filter(|(at, _)| in_all(*at)).map(|(_, key)| key.clone()).collect()
    }

    /// Notes a call of `GROUPING`. Fails if it is about something that is no key.
    pub(super) fn check(&mut self, expr: &Expr) -> Result<()> {
        self.asked |= check_grouping(expr, &self.keys)?;
        Ok(())
    }
}

/// What keys can refer to: the names of the query, and its targets.
#[derive(Clone, Copy)]
struct Place<'p> {
    scope: &'p Scope<'p>,
    targets: &'p [Expr],
    columns: &'p [Output],
}

impl Binder<'_> {
    /// A call of `GROUPING`.
    pub(in crate::bind) fn grouping_call(
        &mut self,
        scope: &Scope<'_>,
        function: &ast::Function,
    ) -> Result<Expr> {
        let operands = self.given(scope, &function.args)?.positional;
        Ok(Expr::template(GROUPING, operands, Type::INT4))
    }

    pub(super) fn group_by(
        &mut self,
        scope: &Scope<'_>,
        group_by: &GroupByExpr,
        targets: &[Expr],
        columns: &[Output],
    ) -> Result<Groups> {
        let GroupByExpr::Expressions(written, modifiers) = group_by else {
            return Err(SqlError::unsupported("GROUP BY ALL"));
        };
        if !modifiers.is_empty() {
            return Err(SqlError::unsupported("GROUP BY with a modifier"));
        }
        let place = Place { scope, targets, columns };
        let mut keys = Vec::new();
        let mut sets = vec![Vec::new()];
        let (distinct, written) = match &written[..] {
            [ast::Expr::Identifier(first), rest @ ..] if first.value == DISTINCT_SETS => (true, rest),
            all => (false, all),
        };
        for item in written {
            let ways = self.ways(place, item, &mut keys)?;
            if sets.len() * ways.len() > SETS_MAX {
                return Err(SqlError::unsupported(format!("GROUP BY with more than {SETS_MAX} sets")));
            }
            let both = |set: &Vec<usize>| -> Vec<Vec<usize>> {
                ways.iter().map(|way| set.iter().chain(way).copied().collect()).collect()
            };
            sets = sets.iter().flat_map(both).collect();
        }
        if distinct {
            let mut seen = BTreeSet::new();
            sets.retain(|set| seen.insert(set.iter().copied().collect::<BTreeSet<usize>>()));
        }
        let several = written.iter().any(|item| several_sets(item).is_some());
        let written = !written.is_empty();
        Ok(Groups { keys, written, sets: several.then_some(sets), asked: false })
    }

    /// The sets of keys that an item of a `GROUP BY` stands for.
    fn ways(&mut self, place: Place<'_>, item: &ast::Expr, keys: &mut Vec<Expr>) -> Result<Vec<Vec<usize>>> {
        let Some((word, lists)) = several_sets(item) else {
            let items = match item {
                ast::Expr::Tuple(items) => items.as_slice(),
                item => std::slice::from_ref(item),
            };
            return Ok(vec![self.set(place, items, keys)?]);
        };
        if word == "grouping sets" {
            let mut ways = Vec::new();
            for list in lists {
                ways.extend(match &list[..] {
                    [only] => self.ways(place, only, keys)?,
                    items => vec![self.set(place, items, keys)?],
                });
            }
            return Ok(ways);
        }
        let parts = lists.iter().map(|items| self.set(place, items, keys)).collect::<Result<Vec<_>>>()?;
        if word == "rollup" {
            return Ok((0..=parts.len()).rev().map(|length| parts[..length].concat()).collect());
        }
        if parts.len() > SETS_MAX.ilog2() as usize {
            return Err(SqlError::unsupported(format!("GROUP BY with more than {SETS_MAX} sets")));
        }
        let subset = |bits: usize| -> Vec<usize> {
            parts
                .iter()
                .enumerate()
                .filter(|(at, _)| (bits >> at) & 1 == 1)
                .flat_map(|(_, part)| part.clone())
                .collect()
        };
        Ok((0..1 << parts.len()).rev().map(subset).collect())
    }

    fn set(&mut self, place: Place<'_>, items: &[ast::Expr], keys: &mut Vec<Expr>) -> Result<Vec<usize>> {
        let mut set = Vec::new();
        for item in items {
            if let ast::Expr::Tuple(inner) = item {
                set.extend(self.set(place, inner, keys)?);
                continue;
            }
            let key = self.group_key(place, item)?;
            let at = keys.iter().position(|known| *known == key).unwrap_or(keys.len());
            if at == keys.len() {
                keys.push(key);
            }
            set.push(at);
        }
        Ok(set)
    }

    fn group_key(&mut self, place: Place<'_>, key: &ast::Expr) -> Result<Expr> {
        let Place { scope, targets, columns } = place;
        let at = self.place(key.span().start);
        let bound = match key {
            ast::Expr::Identifier(ident)
                if scope.visible.iter().any(|visible| visible.name == name(ident)) =>
            {
                self.expr_in(Clause::GroupBy, scope, key)?
            }
            _ => match self.output_index(key, columns) {
                Ok(Some(index)) => self.copied(&targets[index])?,
                Ok(None) => self.expr_in(Clause::GroupBy, scope, key)?,
                Err(error) => {
                    let message = error.message.replace("ORDER BY", "GROUP BY");
                    return Err(SqlError::new(error.code, message).at(error.position));
                }
            },
        };
        if bound.is_aggregated() {
            let message = "aggregate functions are not allowed in GROUP BY";
            return Err(SqlError::new(SqlState::GROUPING_ERROR, message).at(at));
        }
        let bound = self.settle(bound)?;
        self.require_equality(bound.type_, at)?;
        Ok(bound)
    }

    /// The query with a query inside that groups, if it groups by several sets or uses its groups as SQLite can't.
    pub(super) fn regrouped(
        &mut self,
        mut query: Query,
        groups: Groups,
        own: Vec<OuterAggregate>,
        scope: &Scope<'_>,
    ) -> Result<Query> {
        let Body::Select(select) = &mut query.body else { return Ok(query) };
        let apart = select.having.iter().chain(&select.targets).any(compares_groups);
        if groups.sets.is_none() && !groups.asked && !apart && own.is_empty() {
            return Ok(query);
        }
        let sets = groups.sets.unwrap_or_else(|| vec![(0..groups.keys.len()).collect()]);
        let sources = scope.tables.iter().map(|table| table.source).collect();
        let source = self.new_source();
        let mut parts = Parts { keys: groups.keys, own, sources, source, taken: Vec::new(), windows: false };
        let Select { distinct_on, targets, having, .. } = &mut **select;
        distinct_on.iter_mut().chain(targets).chain(having).for_each(|expr| parts.take_in(expr));
        for order in &mut query.order {
            if let Key::Expr(expr) = &mut order.key {
                parts.take_in(expr);
            }
        }
        for expr in &parts.taken {
            (1..sets.len()).try_for_each(|_| self.once.charge(expr))?;
        }
        let inner = parts.query(select, &sets);
        select.from = vec![From::Query { source, query: Box::new(inner), lateral: false }];
        (select.filter, select.group, select.aggregated) = (select.having.take(), Vec::new(), false);
        Ok(query)
    }

    /// The query of groups or windows whose targets call functions that return sets: a query inside of it has the groups and
    /// windows, and the calls are made for each of its rows.
    pub(super) fn with_sets(
        &mut self,
        mut query: Query,
        groups: Groups,
        own: Vec<OuterAggregate>,
        mut calls: Vec<(usize, Expr)>,
        scope: &Scope<'_>,
    ) -> Result<Query> {
        let Body::Select(select) = &mut query.body else { return Ok(query) };
        let mut sources: Vec<usize> = own.iter().map(|own| own.source).collect();
        select.from.iter().for_each(|from| from.add_sources(&mut sources));
        let source = self.new_source();
        let keys = groups.keys.clone();
        let mut parts = Parts { keys, own: Vec::new(), sources, source, taken: Vec::new(), windows: true };
        let Select { distinct_on, targets, .. } = &mut **select;
        let called = calls.iter_mut().map(|(_, call)| call);
        distinct_on.iter_mut().chain(targets).chain(called).for_each(|expr| parts.take_in(expr));
        for order in &mut query.order {
            if let Key::Expr(expr) = &mut order.key {
                parts.take_in(expr);
            }
        }
        let columns = parts.columns();
        let inner = Select {
            targets: parts.taken,
            from: std::mem::take(&mut select.from),
            filter: select.filter.take(),
            group: std::mem::take(&mut select.group),
            aggregated: std::mem::take(&mut select.aggregated),
            having: select.having.take(),
            ..Select::default()
        };
        let body = Body::Select(Box::new(inner));
        let inner = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        let inner = Box::new(self.regrouped(inner, groups, own, scope)?);
        let mut from = vec![From::Query { source, query: inner, lateral: false }];
        let steps = self.join_calls(&mut from, calls);
        select.from = from;
        step::follow(&mut query, &steps);
        Ok(query)
    }
}

/// Whether an expression compares an aggregate with the elements of an array or the rows of a query.
fn compares_groups(expr: &Expr) -> bool {
    expr.any(
        &mut |expr| matches!(&expr.node, Node::Quantified { comparison, .. } if comparison.is_aggregated()),
    )
}

/// Whether an expression calls `GROUPING`. Fails if it does so for something that is no key.
fn check_grouping(expr: &Expr, keys: &[Expr]) -> Result<bool> {
    let mut called = false;
    let mut wrong = None;
    expr.any(&mut |expr| {
        if let Node::Template { text: GROUPING, operands } = &expr.node {
            called = true;
            wrong = operands.iter().find(|operand| !keys.contains(operand)).map(|operand| operand.at.0);
        }
        wrong.is_some()
    });
    match wrong {
        None => Ok(called),
        Some(at) => {
            let message = "arguments to GROUPING must be grouping expressions of the associated query level";
            Err(SqlError::new(SqlState::GROUPING_ERROR, message).at(at))
        }
    }
}

/// The word and the lists of an item that stands for several sets.
fn several_sets(item: &ast::Expr) -> Option<(&'static str, Vec<Vec<ast::Expr>>)> {
    match item {
        ast::Expr::GroupingSets(lists) => Some(("grouping sets", lists.clone())),
        ast::Expr::Rollup(lists) => Some(("rollup", lists.clone())),
        ast::Expr::Cube(lists) => Some(("cube", lists.clone())),
        // Inside of `GROUPING SETS` the parser reads these as calls.
        ast::Expr::Function(function) => {
            let called = function.name.to_string().to_lowercase();
            let word = ["rollup", "cube"].into_iter().find(|word| *word == called)?;
            let ast::FunctionArguments::List(list) = &function.args else { return None };
            let items = list.args.iter().map(|argument| match argument {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::Tuple(items))) => {
                    Some(items.clone())
                }
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(vec![expr.clone()]),
                _ => None,
            });
            Some((word, items.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// The parts of a query that the query inside of it computes.
struct Parts {
    keys: Vec<Expr>,
    /// The aggregates that queries in its expressions have.
    own: Vec<OuterAggregate>,
    /// The sources of the query's own rows.
    sources: Vec<usize>,
    /// The number of the query inside.
    source: usize,
    taken: Vec<Expr>,
    /// Whether it computes calls over windows too.
    windows: bool,
}

impl Parts {
    /// Replaces the parts of an expression that need the rows of a group.
    fn take_in(&mut self, expr: &mut Expr) {
        expr.replace(&mut |part| self.take(part, false));
    }

    fn take(&mut self, expr: &mut Expr, in_query: bool) -> bool {
        let of_group = match &mut expr.node {
            Node::Scalar(query) | Node::ArrayQuery(query) | Node::Exists { query, .. } => {
                query.replace(&mut |part| self.take(part, true));
                return true;
            }
            Node::InQuery { row, query, .. } => {
                row.iter_mut().for_each(|item| item.replace(&mut |part| self.take(part, in_query)));
                query.replace(&mut |part| self.take(part, true));
                return true;
            }
            Node::Quantified { comparison, over, .. } => {
                comparison.replace(&mut |part| self.take(part, in_query));
                match &mut **over {
                    Candidates::Array(array) => array.replace(&mut |part| self.take(part, in_query)),
                    Candidates::Query(query) => query.replace(&mut |part| self.take(part, true)),
                }
                return true;
            }
            Node::Template { text: GROUPING, .. } => true,
            Node::Column { source, .. } => match self.own.iter().find(|own| own.source == *source) {
                Some(own) => {
                    *expr = own.aggregate.clone();
                    true
                }
                None => self.sources.contains(source),
            },
            Node::Call(call) if call.window.is_some() => !in_query && self.windows,
            Node::Call(call) => !in_query && is_aggregate(call),
            _ => false,
        };
        if !of_group && self.key(expr).is_none() {
            return false;
        }
        let at = self.taken.iter().position(|known| known == expr).unwrap_or(self.taken.len());
        if at == self.taken.len() {
            self.taken.push(expr.clone());
        }
        expr.node = Node::Column { source: self.source, field: Field::Column(at as u32 + 1) };
        true
    }

    fn key(&self, expr: &Expr) -> Option<usize> {
        let is_key =
            |key: &Expr| key == expr || matches!(key.node, Node::Column { .. }) && key.node == expr.node;
        self.keys.iter().position(is_key)
    }

    /// The columns of the query inside.
    fn columns(&self) -> Vec<Output> {
        let columns = self.taken.iter().map(|expr| Output {
            name: String::new(),
            type_: Modified { base: expr.type_, modifier: expr.modifier },
        });
        columns.collect()
    }

    /// The query that computes the parts for all sets.
    fn query(&self, select: &Select, sets: &[Vec<usize>]) -> Query {
        let columns = self.columns();
        let whole = |body: Body| Query {
            ctes: Vec::new(),
            body,
            order: Vec::new(),
            limit: None,
            offset: None,
            columns: columns.clone(),
        };
        let selects = sets.iter().map(|set| whole(Body::Select(Box::new(self.select(select, set)))));
        let both = |left: Query, right: Query| {
            let (left, right) = (Box::new(left), Box::new(right));
            whole(Body::Set { operator: SetOperator::Union, all: true, left, right })
        };
        selects.reduce(both).expect("there is at least one set")
    }

    fn select(&self, select: &Select, set: &[usize]) -> Select {
        let mut targets: Vec<Expr> = self.taken.iter().map(|expr| self.value(expr, set)).collect();
        // Without a key, only an aggregate makes SQLite take all rows for one group.
        targets.push(count_of_rows());
        Select {
            targets,
            from: select.from.clone(),
            filter: select.filter.clone(),
            group: set.iter().map(|key| self.keys[*key].clone()).collect(),
            aggregated: true,
            ..Select::default()
        }
    }

    /// A part as it is for one set.
    fn value(&self, expr: &Expr, set: &[usize]) -> Expr {
        if let Node::Template { text: GROUPING, operands } = &expr.node {
            let bits = operands.iter().fold(0_i64, |bits, operand| {
                let grouped = self.key(operand).is_some_and(|key| set.contains(&key));
                (bits << 1) | i64::from(!grouped)
            });
            return Expr::literal(bits, Type::INT4);
        }
        match self.key(expr) {
            Some(key) if !set.contains(&key) => Expr::literal(Value::Null, expr.type_),
            _ => expr.clone(),
        }
    }
}

fn is_aggregate(call: &Call) -> bool {
    matches!(call.function.kind, Kind::Aggregate { .. })
}

fn count_of_rows() -> Expr {
    let rows = functions::overloads("count").iter().find(|count| count.arguments.is_empty());
    let rows = rows.expect("the table of functions has count(*)");
    Expr::new(Node::Call(Box::new(Call::plain(rows, Vec::new()))), Type::INT8)
}
