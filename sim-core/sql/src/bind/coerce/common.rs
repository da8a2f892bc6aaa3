//! The common type of several expressions.

use crate::bind::Binder;
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::tree::Expr;
use crate::types::Type;

impl Binder<'_> {
    /// The common type of values of these types, for `CASE`, `UNION` and `VALUES`.
    pub(crate) fn common_type(&self, types: &[Type], what: &str) -> Result<Type> {
        let mut known = types.iter().copied().filter(|type_| *type_ != Type::UNKNOWN);
        let Some(first) = known.next() else { return Ok(Type::TEXT) };
        if types.iter().all(|type_| *type_ == first) {
            return Ok(first);
        }
        // An array of a domain's values stays one.
        let base = |type_: Type| match type_.element() {
            Some(_) => type_,
            None => self.catalog.named_base(type_),
        };
        known.try_fold(base(first), |common, next| {
            let next = base(next);
            if next == common {
                return Ok(common);
            }
            let implicit = |from, to| self.castable(from, to) == Some(Context::Implicit);
            let apart = common.is_user() != next.is_user() && common.element().is_none();
            if self.category(common) != self.category(next) || apart {
                let (left, right) = (self.catalog.type_name(common, -1), self.catalog.type_name(next, -1));
                let message = format!("{what} types {left} and {right} cannot be matched");
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
            }
            Ok(match (implicit(common, next), implicit(next, common)) {
                (true, false) if !common.is_preferred() => next,
                (false, false) => {
                    let (left, right) =
                        (self.catalog.type_name(common, -1), self.catalog.type_name(next, -1));
                    let message = format!("{what} could not convert type {right} to {left}");
                    return Err(SqlError::new(SqlState::CANNOT_COERCE, message));
                }
                _ => common,
            })
        })
    }

    /// Converts values to their common type.
    pub(crate) fn unify(&self, exprs: Vec<Expr>, what: &str) -> Result<(Vec<Expr>, Type)> {
        let types: Vec<Type> = exprs.iter().map(|expr| expr.type_).collect();
        // The message names the type that does not fit as the second one.
        let misfit = exprs.iter().skip(1).find(|expr| {
            expr.type_ != Type::UNKNOWN && self.common_type(&[types[0], expr.type_], what).is_err()
        });
        let at = misfit.and_then(|expr| expr.at.0);
        let common = self.common_type(&types, what).map_err(|error| error.at(at))?;
        let exprs = exprs.into_iter().map(|expr| self.implicit(expr, common)).collect::<Result<_>>()?;
        Ok((exprs, common))
    }

    /// The modifier that all these have: what is chosen among them has it too.
    pub(crate) fn common_modifier<'e>(mut exprs: impl Iterator<Item = &'e Expr>) -> i32 {
        let first = exprs.next().map_or(-1, |expr| expr.modifier);
        if exprs.all(|expr| expr.modifier == first) { first } else { -1 }
    }

    /// A literal without a type becomes a text.
    pub(crate) fn settle(&self, expr: Expr) -> Result<Expr> {
        if expr.type_ == Type::UNKNOWN { self.implicit(expr, Type::TEXT) } else { Ok(expr) }
    }
}
