//! The recursive part of a query of `WITH RECURSIVE` may read the query within another one in its `FROM`. SQLite wants it among its
//! own sources, so that plain queries become part of what they are in.

use crate::tree::{Body, Cte, Expr, Field, From, JoinKind, Node, Query, Select};

/// Lets a query whose name in SQLite is `name` be a source of `part` itself, as far as plain queries are between them.
pub(super) fn flatten(part: &mut Query, name: &str) {
    match &mut part.body {
        Body::Set { left, right, .. } => {
            flatten(left, name);
            flatten(right, name);
        }
        Body::Select(select) => {
            let ctes = std::mem::take(&mut part.ctes);
            let (inlined, kept) = ctes.into_iter().partition(|cte: &Cte| reads_in(&cte.query, name));
            part.ctes = kept;
            inlined.into_iter().rev().for_each(|cte: Cte| inline(select, &cte));
            flatten_sources(select, name);
        }
        Body::Values(_) => {}
    }
}

/// Puts the query of a `WITH` in the places where its name stands.
fn inline(select: &mut Select, cte: &Cte) {
    fn put(from: &mut From, name: &str, cte: &Cte) {
        match from {
            From::Named { source, name: known } if known == name => {
                let query = Box::new(cte.query.clone());
                *from = From::Query { source: *source, query, lateral: false };
            }
            From::Join { left, right, .. } => {
                put(left, name, cte);
                put(right, name, cte);
            }
            From::Query { query, .. } => match &mut query.body {
                Body::Select(select) => select.from.iter_mut().for_each(|from| put(from, name, cte)),
                Body::Set { .. } | Body::Values(_) => {}
            },
            _ => {}
        }
    }
    let name = format!("w{}", cte.source);
    select.from.iter_mut().for_each(|from| put(from, &name, cte));
}

fn flatten_sources(select: &mut Select, name: &str) {
    let mut merged = Merged::default();
    let from = std::mem::take(&mut select.from);
    select.from = from.into_iter().flat_map(|from| merged.merge(from, name)).collect();
    for filter in merged.filters {
        select.filter = Some(match select.filter.take() {
            Some(before) => Expr::boolean(Node::And(Box::new(filter), Box::new(before))),
            None => filter,
        });
    }
    // A query among the merged ones may have read one before it.
    for (source, targets) in merged.columns.iter().rev() {
        select.replace(&mut |expr| {
            let Node::Column { source: of, field: Field::Column(number) } = expr.node else { return false };
            let target = targets.get(number as usize - 1).filter(|_| of == *source);
            if let Some(target) = target {
                let (type_, modifier, at) = (expr.type_, expr.modifier, expr.at);
                *expr = Expr { type_, modifier, at, ..target.clone() };
            }
            target.is_some()
        });
    }
}

/// What queries leave that are no sources any more: their conditions, and their columns, by the number of the source.
#[derive(Default)]
struct Merged {
    filters: Vec<Expr>,
    columns: Vec<(usize, Vec<Expr>)>,
}

impl Merged {
    fn merge(&mut self, from: From, name: &str) -> Vec<From> {
        match from {
            From::Query { source, mut query, lateral } if reads_in(&query, name) => {
                flatten(&mut query, name);
                if !is_plain(&query) {
                    return vec![From::Query { source, query, lateral }];
                }
                let Body::Select(select) = query.body else { return Vec::new() };
                self.filters.extend(select.filter);
                self.columns.push((source, select.targets));
                select.from
            }
            From::Join { left, right, kind, on } => {
                let left = self.merge(*left, name).into_iter().reduce(cross);
                let mut right = self.merge(*right, name);
                let last = right.pop();
                let left = right.into_iter().fold(left, |left, next| match left {
                    Some(left) => Some(cross(left, next)),
                    None => Some(next),
                });
                match (left, last) {
                    (Some(left), Some(right)) => {
                        vec![From::Join { left: Box::new(left), right: Box::new(right), kind, on }]
                    }
                    (left, right) => left.into_iter().chain(right).collect(),
                }
            }
            other => vec![other],
        }
    }
}

fn cross(left: From, right: From) -> From {
    From::Join { left: Box::new(left), right: Box::new(right), kind: JoinKind::Cross, on: None }
}

/// Whether a query has its own rows for each of those of its sources, and computes nothing that depends on when it is computed.
fn is_plain(query: &Query) -> bool {
    let Body::Select(select) = &query.body else { return false };
    let own = |expr: &Expr| !expr.is_of_many_rows() && !expr.any(&mut |expr| expr.is_drawn());
    query.ctes.is_empty()
        && query.order.is_empty()
        && query.limit.is_none()
        && query.offset.is_none()
        && !select.distinct
        && select.distinct_on.is_empty()
        && select.group.is_empty()
        && !select.aggregated
        && select.having.is_none()
        && !select.from.is_empty()
        && select.targets.iter().all(own)
}

/// Whether a query reads another one by name.
fn reads_in(query: &Query, name: &str) -> bool {
    fn reads(from: &From, name: &str) -> bool {
        match from {
            From::Named { name: known, .. } => known == name,
            From::Join { left, right, .. } => reads(left, name) || reads(right, name),
            From::Query { query, .. } => reads_in(query, name),
            _ => false,
        }
    }
    query.ctes.iter().any(|cte| reads_in(&cte.query, name))
        || match &query.body {
            Body::Select(select) => select.from.iter().any(|from| reads(from, name)),
            Body::Set { left, right, .. } => reads_in(left, name) || reads_in(right, name),
            Body::Values(_) => false,
        }
}

/// Whether a query is read within another one among the sources of `part`, where SQLite finds it no more.
pub(super) fn is_nested(part: &Query, name: &str) -> bool {
    fn nested(from: &From, name: &str) -> bool {
        match from {
            From::Join { left, right, .. } => nested(left, name) || nested(right, name),
            From::Query { query, .. } => reads_in(query, name),
            _ => false,
        }
    }
    match &part.body {
        Body::Select(select) => {
            part.ctes.iter().any(|cte| reads_in(&cte.query, name))
                || select.from.iter().any(|from| nested(from, name))
        }
        Body::Set { left, right, .. } => is_nested(left, name) || is_nested(right, name),
        Body::Values(_) => false,
    }
}
