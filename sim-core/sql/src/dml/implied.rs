//! Whether one condition implies another, as PostgreSQL can prove it: by the parts of both, by comparisons with constants, and
//! because a comparison with null is not true.

use rusqlite::types::Value;

use crate::error::Result;
use crate::functions::Kind;
use crate::print::{self, Names};
use crate::run::Engine;
use crate::tree::{Candidates, Comparison, Expr, Field, Node};

/// The most items of a list that are looked at one by one.
const LIST_MAX: usize = 100;

/// A condition whose parts are plain, with constants at the right.
enum Formula {
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Plain(Expr),
}

use Formula::{All, Any, Plain};

impl Engine<'_> {
    /// Whether each row for which `given` is true is one for which `wanted` is.
    pub(super) fn implies(&self, given: &Expr, wanted: &Expr) -> Result<bool> {
        self.implies_all(&formula(given, false), &formula(wanted, false))
    }

    fn implies_all(&self, given: &Formula, wanted: &Formula) -> Result<bool> {
        self.budget.work(20)?;
        match (given, wanted) {
            (_, All(parts)) => each(parts, |wanted| self.implies_all(given, wanted)),
            (Any(parts), _) => each(parts, |given| self.implies_all(given, wanted)),
            (Plain(given), Plain(wanted)) => self.implies_plain(given, wanted),
            (_, Any(parts)) if one(parts, |wanted| self.implies_all(given, wanted))? => Ok(true),
            (All(parts), _) => one(parts, |given| self.implies_all(given, wanted)),
            (Plain(_), Any(_)) => Ok(false),
        }
    }

    fn implies_plain(&self, given: &Expr, wanted: &Expr) -> Result<bool> {
        if given == wanted {
            return Ok(true);
        }
        match (&given.node, &wanted.node) {
            (_, Node::IsNull { expr, negated: true }) => Ok(is_null_with(given, expr)),
            (
                Node::Compare { operator, left, right },
                Node::Compare { operator: other, left: of, right: limit },
            ) if left == of && is_constant(right) && is_constant(limit) => {
                let Some(needed) = needed(*operator, *other) else { return Ok(false) };
                let compared = Node::Compare { operator: needed, left: right.clone(), right: limit.clone() };
                let compared = print::expression(&Expr::boolean(compared), Names::default());
                let rows = self.fetch(&format!("SELECT {compared}"), 1)?;
                Ok(matches!(rows.first().map(Vec::as_slice), Some([Value::Integer(1)])))
            }
            _ => Ok(false),
        }
    }
}

fn each(parts: &[Formula], mut holds: impl FnMut(&Formula) -> Result<bool>) -> Result<bool> {
    for part in parts {
        if !holds(part)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn one(parts: &[Formula], mut holds: impl FnMut(&Formula) -> Result<bool>) -> Result<bool> {
    Ok(!each(parts, |part| holds(part).map(|holds| !holds))?)
}

/// How the constant of the first comparison must compare with that of the second, so that the first implies the second.
fn needed(given: Comparison, wanted: Comparison) -> Option<Comparison> {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    Some(match (given, wanted) {
        (Equal, wanted) => wanted,
        (Less, Less | LessOrEqual | NotEqual) | (LessOrEqual, LessOrEqual) => LessOrEqual,
        (LessOrEqual, Less | NotEqual) => Less,
        (Greater, Greater | GreaterOrEqual | NotEqual) | (GreaterOrEqual, GreaterOrEqual) => GreaterOrEqual,
        (GreaterOrEqual, Greater | NotEqual) => Greater,
        (NotEqual, NotEqual) => Equal,
        _ => return None,
    })
}

/// Whether a condition is null, and so not true, where `part` is.
fn is_null_with(condition: &Expr, part: &Expr) -> bool {
    let within = |expr: &Expr| is_null_with(expr, part);
    condition == part
        || match &condition.node {
            Node::Compare { left, right, .. } => within(left) || within(right),
            Node::Not(expr) | Node::Cast { expr, .. } | Node::Rank { expr, .. } | Node::Key { expr, .. } => {
                within(expr)
            }
            Node::Call(call) if call.function.strict && call.function.kind == Kind::Scalar => {
                call.arguments.iter().any(within)
            }
            _ => false,
        }
}

fn is_constant(expr: &Expr) -> bool {
    let varies = |expr: &Expr| {
        let depends = matches!(
            expr.node,
            Node::Column { .. }
                | Node::Exists { .. }
                | Node::Scalar(_)
                | Node::ArrayQuery(_)
                | Node::InQuery { .. }
                | Node::Quantified { .. }
        );
        depends || expr.is_volatile()
    };
    !expr.any(&mut |expr| varies(expr))
}

/// A condition, or its opposite, in its parts.
fn formula(expr: &Expr, negated: bool) -> Formula {
    let both = |parts: Vec<Formula>, all: bool| if all == negated { Any(parts) } else { All(parts) };
    match &expr.node {
        Node::And(left, right) => both(vec![formula(left, negated), formula(right, negated)], true),
        Node::Or(left, right) => both(vec![formula(left, negated), formula(right, negated)], false),
        Node::Not(inner) => formula(inner, !negated),
        Node::Between { expr, low, high, negated: not } => {
            let part = |operator, limit: &Expr| compared(operator, expr, limit, negated ^ not);
            let parts = vec![part(Comparison::GreaterOrEqual, low), part(Comparison::LessOrEqual, high)];
            if negated ^ not { Any(parts) } else { All(parts) }
        }
        Node::In { expr, list, negated: not } if list.len() <= LIST_MAX => {
            let parts =
                list.iter().map(|item| compared(Comparison::Equal, expr, item, negated ^ not)).collect();
            if negated ^ not { All(parts) } else { Any(parts) }
        }
        Node::Quantified { comparison, source, over, all } => match &**over {
            Candidates::Array(Expr { node: Node::Array(items), .. }) if items.len() <= LIST_MAX => {
                let item = |item: &Expr| {
                    let mut comparison = (**comparison).clone();
                    comparison.replace(&mut |expr| {
                        let found = matches!(&expr.node, Node::Column { source: of, field: Field::Value } if of == source);
                        if found {
                            *expr = item.clone();
                        }
                        found
                    });
                    formula(&comparison, negated)
                };
                both(items.iter().map(item).collect(), *all)
            }
            _ => plain(expr, negated),
        },
        Node::Compare { operator, left, right } => compared(*operator, left, right, negated),
        Node::IsNull { expr, negated: not } => {
            Plain(Expr::boolean(Node::IsNull { expr: expr.clone(), negated: negated ^ not }))
        }
        _ => plain(expr, negated),
    }
}

fn plain(expr: &Expr, negated: bool) -> Formula {
    Plain(if negated { Expr::boolean(Node::Not(Box::new(expr.clone()))) } else { expr.clone() })
}

fn compared(operator: Comparison, left: &Expr, right: &Expr, negated: bool) -> Formula {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    if is_constant(left) && !is_constant(right) {
        let turned = match operator {
            Less => Greater,
            LessOrEqual => GreaterOrEqual,
            Greater => Less,
            GreaterOrEqual => LessOrEqual,
            same @ (Equal | NotEqual) => same,
        };
        return compared(turned, right, left, negated);
    }
    let operator = match (operator, negated) {
        (operator, false) => operator,
        (Equal, true) => NotEqual,
        (NotEqual, true) => Equal,
        (Less, true) => GreaterOrEqual,
        (LessOrEqual, true) => Greater,
        (Greater, true) => LessOrEqual,
        (GreaterOrEqual, true) => Less,
    };
    // A comparison of a condition with a constant is the condition or its opposite.
    if let (crate::types::Type::BOOL, Equal | NotEqual, Node::Literal(Value::Integer(value @ (0 | 1)))) =
        (left.type_, operator, &right.node)
    {
        return formula(left, (operator == Equal) != (*value == 1));
    }
    Plain(Expr::boolean(Node::Compare {
        operator,
        left: Box::new(left.clone()),
        right: Box::new(right.clone()),
    }))
}
