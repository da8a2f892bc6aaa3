//! Set-returning functions in a select list.

use std::collections::BTreeMap;

use crate::bind::Binder;
use crate::tree::{Expr, Field, From, JoinKind, Node, Query};
use crate::types::Type;

/// Calls that go on in step: for each its new source, and its place in the rows of that.
pub(super) type Steps = BTreeMap<usize, (usize, usize)>;

/// Calls that return sets, each with its source.
type Calls = Vec<(usize, Expr)>;

impl Binder<'_> {
    /// Adds the rows of calls to `from`. Calls go on in step: one that has ended gives nulls until the longest has.
    /// A call that has another one among its arguments is called for each row of that.
    pub(super) fn join_calls(&mut self, from: &mut Vec<From>, mut calls: Calls) -> Steps {
        let mut steps = Steps::new();
        while !calls.is_empty() {
            let sources: Vec<usize> = calls.iter().map(|(source, _)| *source).collect();
            let (later, now) = calls.into_iter().partition(|(_, array)| reads(array, &sources));
            calls = later;
            let elements = self.in_step(now, &mut steps);
            let right = Box::new(elements);
            let joined = match from.pop() {
                None => *right,
                Some(last) => From::Join { left: Box::new(last), right, kind: JoinKind::Cross, on: None },
            };
            from.push(joined);
        }
        steps
    }

    fn in_step(&mut self, mut calls: Calls, steps: &mut Steps) -> From {
        if calls.len() == 1 {
            let (source, array) = calls.remove(0);
            return From::Elements { source, array };
        }
        let zipped = self.new_source();
        steps.extend(calls.iter().enumerate().map(|(at, (source, _))| (*source, (zipped, at))));
        let arrays = calls.into_iter().map(|(_, array)| array).collect();
        From::Elements { source: zipped, array: Expr::template("pg_zip({*})", arrays, Type::TEXT) }
    }
}

/// The calls, each with its source, that groups and windows read, and those that are made later for each of their rows.
pub(super) fn needed<'e>(calls: Calls, read: impl Iterator<Item = &'e Expr>) -> (Calls, Calls) {
    let mut wanted: Vec<Expr> = read.cloned().collect();
    let (mut needed, mut later) = (Vec::new(), calls);
    while let Some(next) = wanted.pop() {
        let (found, others): (Calls, Calls) =
            later.into_iter().partition(|(source, _)| reads(&next, &[*source]));
        wanted.extend(found.iter().map(|(_, array)| array.clone()));
        needed.extend(found);
        later = others;
    }
    (needed, later)
}

fn reads(array: &Expr, sources: &[usize]) -> bool {
    array.any(&mut |expr| matches!(&expr.node, Node::Column { source, .. } if sources.contains(source)))
}

/// Lets a query read calls where they are now.
pub(super) fn follow(query: &mut Query, steps: &Steps) {
    query.replace(&mut |expr| moved(expr, steps));
}

pub(super) fn moved(expr: &mut Expr, steps: &Steps) -> bool {
    let Node::Column { source, field } = expr.node else { return false };
    let Some((zipped, at)) = steps.get(&source).copied() else { return false };
    let column = |type_: Type| Expr::new(Node::Column { source: zipped, field: Field::Item(at) }, type_);
    match field {
        Field::Item(index) => {
            let path = Expr::literal(format!("$[{index}]"), Type::TEXT);
            let text = match expr.type_ {
                Type::BYTEA => "pg_cast(json_extract({0},{1}),25,17,-1,1)",
                _ => "json_extract({0},{1})",
            };
            *expr = Expr::template(text, vec![column(Type::JSON), path], expr.type_);
        }
        _ => *expr = column(expr.type_),
    }
    true
}
