//! `AND` and `OR`, which stop at the first side that decides, as in PostgreSQL.

use rusqlite::types::Value;

use super::Printer;
use crate::tree::{Candidates, Expr, Node};

/// The most bytes of SQL that are printed twice for a side that may be null.
const TWICE_MAX: usize = 2_000;

/// Joins SQL texts by an operator for which their grouping does not matter, nested as little as possible, because SQLite limits how
/// deep expressions nest.
pub(crate) fn joined(parts: &[String], operator: &str) -> String {
    /// The most texts that are not grouped.
    const PLAIN_MAX: usize = 16;
    if parts.len() <= PLAIN_MAX {
        return parts.join(operator);
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    format!("({}{operator}{})", joined(left, operator), joined(right, operator))
}

fn has_query(expr: &Expr) -> bool {
    expr.any(&mut |expr| match &expr.node {
        Node::Scalar(_) | Node::ArrayQuery(_) | Node::Exists { .. } | Node::InQuery { .. } => true,
        Node::Quantified { over, .. } => matches!(&**over, Candidates::Query(_)),
        _ => false,
    })
}

/// Whether an expression runs something that can fail, and has no query.
fn calls(expr: &Expr) -> bool {
    !has_query(expr)
        && expr.any(&mut |expr| match &expr.node {
            Node::Template { text, .. } => text.starts_with("pg_call"),
            Node::Call(call) => matches!(call.function.name, "/" | "%"),
            Node::Cast { .. } => true,
            _ => false,
        })
}

/// Whether it matters that an expression is not computed: it may fail, or change something.
fn matters(expr: &Expr) -> bool {
    let runs = |expr: &Expr| {
        matches!(expr.node, Node::Template { .. } | Node::Call(_) | Node::Cast { .. } | Node::Lookup { .. })
    };
    has_query(expr) || expr.any(&mut |expr| runs(expr))
}

/// Whether a condition is true or false in every row.
fn is_never_null(expr: &Expr) -> bool {
    match &expr.node {
        Node::IsNull { .. } | Node::IsDistinct { .. } | Node::Is { .. } | Node::Exists { .. } => true,
        Node::Literal(value) => *value != Value::Null,
        Node::And(left, right) | Node::Or(left, right) => is_never_null(left) && is_never_null(right),
        Node::Not(operand) => is_never_null(operand),
        _ => false,
    }
}

impl Printer<'_> {
    /// A condition of which counts only whether it is true, as after `WHERE` and `WHEN`. There SQLite stops at the side that decides.
    pub(crate) fn condition(&mut self, expr: &Expr) {
        match &expr.node {
            Node::And(left, right) => self.sides(left, " AND ", right),
            // SQLite would ask the side without a query first, although the other one may spare it a call that fails.
            Node::Or(left, right) if has_query(left) && calls(right) => {
                self.push("(");
                self.condition(left);
                self.around(" OR (SELECT ", right, "))");
            }
            Node::Or(left, right) => self.sides(left, " OR ", right),
            Node::Not(operand) => {
                self.push("(NOT ");
                self.condition(operand);
                self.push(")");
            }
            _ => self.expr(expr),
        }
    }

    fn sides(&mut self, left: &Expr, operator: &str, right: &Expr) {
        self.push("(");
        self.condition(left);
        self.push(operator);
        self.condition(right);
        self.push(")");
    }

    /// `AND` or `OR` as a value. SQLite would compute both sides; `decides` is the value of the left one that spares the right one.
    pub(super) fn logic(&mut self, left: &Expr, right: &Expr, decides: bool) {
        if !matters(right) {
            return self.infix("(", left, if decides { " OR " } else { " AND " }, right, ")");
        }
        if is_never_null(left) {
            self.push("(CASE WHEN ");
            self.condition(left);
            return match decides {
                true => self.around(" THEN 1 ELSE ", right, " END)"),
                false => self.around(" THEN ", right, " ELSE 0 END)"),
            };
        }
        let start = self.out.len();
        self.expr(right);
        let right = self.out.split_off(start);
        let (decided, other) = (u8::from(decides), u8::from(!decides));
        if right.len() > TWICE_MAX {
            let operator = if decides { " OR " } else { " AND " };
            // A left side that nothing depends on is printed twice instead. Of two long sides SQLite computes both.
            if !matters(left) {
                self.around("(CASE ", left, &format!(" WHEN {decided} THEN {decided} ELSE "));
                return self.around("(", left, &format!("{operator}{right}) END)"));
            }
            return self.around("(", left, &format!("{operator}{right})"));
        }
        self.around("(CASE ", left, &format!(" WHEN {decided} THEN {decided} WHEN {other} THEN {right}"));
        // Null and the value that does not decide are null.
        self.write(format_args!(" ELSE nullif({right}, {other}) END)"));
    }
}
