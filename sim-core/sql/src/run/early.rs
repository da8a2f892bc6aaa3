//! The constants of a query, which PostgreSQL computes when it plans the query: one that fails does so even if there are no rows.

use std::collections::BTreeSet;

use rusqlite::types::Value;

use super::Engine;
use crate::error::Result;
use crate::functions::Kind;
use crate::plpgsql::PARAMETER;
use crate::print::{self, Names};
use crate::tree::{Body, Candidates, Cte, Expr, Field, From, Key, Node, Query, Select};

/// The most constants that one query for SQLite computes.
const AT_ONCE: usize = 100;

/// Functions that are called often with constants, or make large values of them, and do not fail.
const NEVER_FAIL: [&str; 9] = ["||", "lower", "upper", "length", "=", "<>", "md5", "concat", "repeat"];

impl Engine<'_> {
    /// Computes the constants of a query that is about to run.
    pub(crate) fn compute_early(&self, query: &Query) -> Result<()> {
        let mut early = Early { engine: self, found: Vec::new(), read: BTreeSet::new() };
        early.top(query)?;
        let found = std::mem::take(&mut early.found);
        for some in found.chunks(AT_ONCE) {
            self.fetch(&format!("SELECT {}", some.join(", ")), some.len())?;
        }
        Ok(())
    }
}

/// Looks for constants in the order in which PostgreSQL computes them.
struct Early<'e, 'a> {
    engine: &'e Engine<'a>,
    /// Those to compute, as SQL.
    found: Vec<String>,
    /// The columns that expressions read. Others of queries in `FROM` are never computed.
    read: BTreeSet<(usize, u32)>,
}

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Rows, parameters or the session decide its value.
    Varies,
    /// PostgreSQL may know its value, such as that of a function's body, or of operands that decide. It is not computed here.
    Unclear,
    Constant,
}

impl Early<'_, '_> {
    /// The query that runs. Without sources its one row is computed anyway, apart from what a condition leaves out.
    fn top(&mut self, query: &Query) -> Result<()> {
        let alone =
            |select: &Select| select.from.is_empty() && select.filter.is_none() && select.having.is_none();
        match &query.body {
            Body::Select(select) if alone(select) && query.limit.is_none() && query.offset.is_none() => {
                select.targets.iter().try_for_each(|target| self.expr(target).map(drop))?;
                self.ctes(&query.ctes)
            }
            _ => self.query(query, true),
        }
    }

    /// `wanted` says whether something reads all its columns.
    fn query(&mut self, query: &Query, wanted: bool) -> Result<()> {
        self.body(&query.body, |_| wanted)?;
        let sorted = query.order.iter().filter_map(|order| match &order.key {
            Key::Expr(key) => Some(key),
            Key::Output(..) => None,
        });
        self.whole(sorted.chain(&query.limit).chain(&query.offset))?;
        self.ctes(&query.ctes)
    }

    fn ctes(&mut self, ctes: &[Cte]) -> Result<()> {
        // A later one may read an earlier one.
        ctes.iter().rev().filter(|cte| !cte.recursive).try_for_each(|cte| {
            let read = self.columns_read(cte.source);
            if read.is_empty() { Ok(()) } else { self.part(&cte.query, &read) }
        })
    }

    fn columns_read(&self, source: usize) -> BTreeSet<u32> {
        self.read.range((source, 0)..=(source, u32::MAX)).map(|(_, number)| *number).collect()
    }

    /// A query of which only some columns are read.
    fn part(&mut self, query: &Query, read: &BTreeSet<u32>) -> Result<()> {
        self.body(&query.body, |index| read.contains(&(index as u32 + 1)))?;
        self.ctes(&query.ctes)
    }

    fn body(&mut self, body: &Body, reads: impl Fn(usize) -> bool + Copy) -> Result<()> {
        match body {
            Body::Select(select) => self.select(select, reads),
            Body::Set { left, right, .. } => {
                for side in [left, right] {
                    self.body(&side.body, reads)?;
                    self.ctes(&side.ctes)?;
                }
                Ok(())
            }
            // Its rows are all computed.
            Body::Values(_) => Ok(()),
        }
    }

    fn select(&mut self, select: &Select, reads: impl Fn(usize) -> bool) -> Result<()> {
        let targets = select.targets.iter().enumerate();
        let targets = targets.filter(|(index, _)| reads(*index) || select.distinct).map(|(_, target)| target);
        self.whole(targets)?;
        self.whole(select.distinct_on.iter().chain(&select.group))?;
        self.whole(select.from.iter().flat_map(conditions_of))?;
        self.whole(select.filter.iter().chain(&select.having))?;
        select.from.iter().rev().try_for_each(|from| self.from(from))
    }

    fn from(&mut self, from: &From) -> Result<()> {
        match from {
            From::Query { source, query, .. } => {
                let read = self.columns_read(*source);
                self.part(query, &read)
            }
            From::Join { left, right, .. } => {
                self.from(right)?;
                self.from(left)
            }
            From::Named { source, name } => {
                let of = name.strip_prefix('w').and_then(|number| number.parse().ok());
                let read = self.columns_read(*source);
                let read = of.into_iter().flat_map(|of| read.iter().map(move |number| (of, *number)));
                self.read.extend(read);
                Ok(())
            }
            From::Table { .. } | From::Elements { .. } => Ok(()),
        }
    }

    /// Expressions that are no operands of others.
    fn whole<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Result<()> {
        exprs.into_iter().try_for_each(|expr| {
            let known = self.expr(expr)?;
            self.note(expr, known);
            Ok(())
        })
    }

    fn note(&mut self, expr: &Expr, known: Known) {
        if known == Known::Constant && may_fail(expr) {
            self.found.push(print::expression(expr, Names::default()));
        }
    }

    /// Notes the largest constants among the operands of an expression, unless it is a constant itself.
    fn expr(&mut self, expr: &Expr) -> Result<Known> {
        match &expr.node {
            Node::Literal(_) | Node::Untyped(_) => return Ok(Known::Constant),
            Node::Column { source, field } => {
                if let Field::Column(number) = field {
                    self.read.insert((*source, *number));
                }
                return Ok(Known::Varies);
            }
            Node::Template { text, .. } if *text == PARAMETER => return Ok(Known::Varies),
            Node::And(..) => return self.junction(expr, 0),
            Node::Or(..) => return self.junction(expr, 1),
            Node::Case { operand, branches, otherwise } => {
                return self.case(operand.as_deref(), branches, otherwise.as_deref());
            }
            Node::Coalesce(operands) => return self.coalesce(operands),
            _ => {}
        }
        let operands = expr.operands();
        let known = operands.iter().map(|operand| self.expr(operand)).collect::<Result<Vec<_>>>()?;
        for query in expr.queries() {
            self.query(query, !matches!(expr.node, Node::Exists { .. }))?;
        }
        let own = known_of_node(expr);
        let all = known.iter().fold(own, |all, known| all.with(*known));
        if all != Known::Constant {
            operands.into_iter().zip(known).for_each(|(operand, known)| self.note(operand, known));
        }
        Ok(all)
    }

    /// `AND` or `OR`: an operand with the value `decisive` decides it, and those after it are not computed.
    fn junction(&mut self, expr: &Expr, decisive: i64) -> Result<Known> {
        let mut all = Vec::new();
        add_operands(expr, decisive, &mut all);
        let mut known = Known::Constant;
        for operand in all {
            match self.expr(operand)? {
                Known::Constant if self.value(operand)? == Value::Integer(decisive) => {
                    return Ok(Known::Unclear);
                }
                Known::Unclear => return Ok(Known::Unclear),
                other => known = known.with(other),
            }
        }
        Ok(known)
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
    ) -> Result<Known> {
        let tested = operand.map(|operand| self.expr(operand)).transpose()?.unwrap_or(Known::Constant);
        operand.into_iter().for_each(|operand| self.note(operand, tested));
        if tested == Known::Unclear {
            return Ok(Known::Unclear);
        }
        let mut results = Vec::new();
        let mut known = Known::Constant;
        let (mut decided, mut skips) = (false, false);
        for (condition, result) in branches {
            let own = self.expr(condition)?;
            match tested.with(own) {
                Known::Unclear => return Ok(Known::Unclear),
                Known::Varies => {
                    self.note(condition, own);
                    known = Known::Varies;
                    results.push(result);
                }
                Known::Constant => {
                    skips = true;
                    if self.holds(operand, condition)? {
                        results.push(result);
                        decided = true;
                        break;
                    }
                }
            }
        }
        results.extend(otherwise.filter(|_| !decided));
        for result in results {
            let own = self.expr(result)?;
            self.note(result, own);
            known = known.with(own);
        }
        // What it leaves out may be no constant.
        Ok(if skips { known.with(Known::Unclear) } else { known })
    }

    /// Whether the branch of a `CASE` with this constant condition is the one that it takes.
    fn holds(&self, operand: Option<&Expr>, condition: &Expr) -> Result<bool> {
        let Some(operand) = operand else { return Ok(self.value(condition)? == Value::Integer(1)) };
        let found = Expr::literal(1, crate::types::Type::INT4);
        let branches = vec![(condition.clone(), found)];
        let node = Node::Case { operand: Some(Box::new(operand.clone())), branches, otherwise: None };
        Ok(self.value(&Expr::new(node, crate::types::Type::INT4))? == Value::Integer(1))
    }

    fn coalesce(&mut self, operands: &[Expr]) -> Result<Known> {
        let mut known = Known::Constant;
        for operand in operands {
            match self.expr(operand)? {
                Known::Constant if self.value(operand)? != Value::Null => {
                    return Ok(known.with(Known::Unclear));
                }
                Known::Unclear => return Ok(Known::Unclear),
                other => known = known.with(other),
            }
        }
        Ok(known)
    }

    fn value(&self, constant: &Expr) -> Result<Value> {
        if let Node::Literal(value) = &constant.node {
            return Ok(value.clone());
        }
        let sql = format!("SELECT {}", print::expression(constant, Names::default()));
        let row = self.engine.fetch(&sql, 1)?.pop().unwrap_or_default();
        Ok(row.into_iter().next().unwrap_or(Value::Null))
    }
}

/// The operands of a chain of `AND` or `OR`.
fn add_operands<'e>(expr: &'e Expr, decisive: i64, all: &mut Vec<&'e Expr>) {
    match (&expr.node, decisive) {
        (Node::And(left, right), 0) | (Node::Or(left, right), 1) => {
            add_operands(left, decisive, all);
            add_operands(right, decisive, all);
        }
        _ => all.push(expr),
    }
}

/// The conditions of joins.
fn conditions_of(from: &From) -> Vec<&Expr> {
    match from {
        From::Join { left, right, on, .. } => {
            conditions_of(left).into_iter().chain(conditions_of(right)).chain(on).collect()
        }
        From::Elements { array, .. } => vec![array],
        _ => Vec::new(),
    }
}

impl Known {
    /// What is known of an expression that has two such operands.
    fn with(self, other: Known) -> Known {
        match (self, other) {
            (Known::Varies, _) | (_, Known::Varies) => Known::Varies,
            (Known::Unclear, _) | (_, Known::Unclear) => Known::Unclear,
            (Known::Constant, Known::Constant) => Known::Constant,
        }
    }
}

/// What is known of an expression whose operands are constants.
fn known_of_node(expr: &Expr) -> Known {
    let is_plain = match &expr.node {
        Node::Template { text, .. } => !text.contains("pg_") || text.starts_with("pg_cast("),
        Node::Let { .. } | Node::Lookup { .. } => false,
        _ => expr.queries().is_empty(),
    };
    let is_of_rows = match &expr.node {
        Node::Quantified { over, .. } => matches!(**over, Candidates::Query(_)),
        Node::Call(call) => call.window.is_some() || call.function.kind != Kind::Scalar,
        _ => expr.queries().iter().any(|query| reads_rows(query)),
    };
    match () {
        () if is_of_rows => Known::Varies,
        () if !is_plain => Known::Unclear,
        () if expr.is_steady() => Known::Constant,
        () => Known::Varies,
    }
}

/// Whether a query has sources. Without, it may be the body of a function.
fn reads_rows(query: &Query) -> bool {
    !matches!(&query.body, Body::Select(select) if select.from.is_empty())
}

fn may_fail(expr: &Expr) -> bool {
    expr.any(&mut |part| match &part.node {
        Node::Call(call) => !NEVER_FAIL.contains(&call.function.name),
        Node::Cast { .. } => !part.type_.is_string() || part.modifier >= 0,
        Node::Template { .. } => true,
        _ => false,
    })
}
