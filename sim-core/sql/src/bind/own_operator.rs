//! Operators that a project has made: calls of their functions.

use super::Binder;
use super::call::Given;
use crate::cast::Context;
use crate::catalog::{Oid, OwnOperator};
use crate::error::Result;
use crate::tree::Expr;
use crate::types::Type;

impl Binder<'_> {
    /// The operation of an operator of the project's; `None` if none fits. With `exact`, the operands have its types, of which one is
    /// the project's, too: that one comes before those of the system.
    pub(super) fn own_operation(
        &mut self,
        symbol: &str,
        left: Option<&Expr>,
        right: &Expr,
        exact: bool,
    ) -> Result<Option<Expr>> {
        let given: Vec<&Expr> = left.into_iter().chain([right]).collect();
        let mut best: Option<(usize, Vec<Type>, Oid)> = None;
        for operator in self.catalog.own_operators().filter(|operator| operator.symbol == symbol) {
            if !self.search_path().contains(&operator.schema) {
                continue;
            }
            let Some(fit) = self.fit_of(&operator, &given, exact) else { continue };
            if best.as_ref().is_none_or(|(known, ..)| fit > *known) {
                best = Some((fit, operator.types(), operator.function));
            }
        }
        let Some((_, types, function)) = best else { return Ok(None) };
        let catalog = self.catalog;
        let Some(routine) = catalog.routine(function) else { return Ok(None) };
        let mut positional = Vec::new();
        for (operand, type_) in given.into_iter().zip(types) {
            positional.push(self.implicit(operand.clone(), type_)?);
        }
        let given = Given { positional, ..Given::default() };
        self.user_call(Some(catalog.schema_name(routine.schema)), &routine.name, &given)
    }

    /// How many operands have the operator's own types; `None` if one can't be made one of them.
    fn fit_of(&self, operator: &OwnOperator<'_>, given: &[&Expr], exact: bool) -> Option<usize> {
        let types = operator.types();
        if types.len() != given.len() {
            return None;
        }
        let pairs = || given.iter().zip(&types);
        let same = pairs().filter(|(operand, type_)| operand.type_ == **type_).count();
        if exact {
            let literals = given.iter().filter(|operand| operand.type_ == Type::UNKNOWN).count();
            let own = types.iter().any(|type_| type_.is_user());
            return (own && same > 0 && same + literals == types.len()).then_some(same);
        }
        let implicit =
            |operand: &Expr, type_: Type| self.castable(operand.type_, type_) == Some(Context::Implicit);
        pairs().all(|(operand, type_)| implicit(operand, *type_)).then_some(same)
    }
}
