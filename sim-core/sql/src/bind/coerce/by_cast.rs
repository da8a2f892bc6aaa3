//! Casts that a project has made.

use crate::bind::Binder;
use crate::cast::Context;
use crate::catalog::CallNumber;
use crate::error::Result;
use crate::tree::{Expr, Node};
use crate::types::{Modified, Type};

impl Binder<'_> {
    /// A value converted by a cast of the project's; `None` if there is none for these types.
    pub(super) fn by_own_cast(&self, expr: &Expr, to: Modified, context: Context) -> Result<Option<Expr>> {
        let from = self.catalog.base_type(expr.type_);
        let literal = matches!(expr.node, Node::Untyped(_)) || expr.is_null_literal();
        let Some((_, _, function)) = self.catalog.own_cast(from, to.base).filter(|_| !literal) else {
            return Ok(None);
        };
        let value = if from == expr.type_ { expr.clone() } else { expr.clone().known_as(from) };
        let Some(routine) = function.and_then(|oid| Some((oid, self.catalog.routine(oid)?))) else {
            return self.through_text(value, to, context).map(Some);
        };
        let (oid, routine) = routine;
        if !self.catalog.allows(&self.current, routine.guarded(), 'X') {
            self.once.deny(routine.denied());
        }
        let mut operands = vec![Expr::literal(i64::from(CallNumber::new(oid, None).oid()), Type::INT8)];
        for (place, input) in routine.inputs().enumerate() {
            operands.push(match place {
                0 => self.implicit(value.clone(), input.type_)?,
                1 => Expr::literal(i64::from(to.modifier), Type::INT4),
                _ => Expr::literal(i64::from(context == Context::Explicit), Type::BOOL),
            });
        }
        let text = if self.once.without_queries { "pg_call_pure({*})" } else { "pg_call({*})" };
        let called = Expr::template(text, operands, routine.returns);
        self.coerce(called, to, Context::Explicit)
    }

    /// A value read from the text of another one.
    fn through_text(&self, value: Expr, to: Modified, context: Context) -> Result<Expr> {
        let is_text = value.type_.is_string();
        let text = if is_text { value } else { self.run_time_cast(value, Type::TEXT.plain(), context)? };
        if to.base.is_string() || !to.base.is_user() {
            return self.cast(text, to);
        }
        self.run_time_cast(text, to, context)
    }
}
