//! Calls of aggregates that a project has defined.

use sqlparser::ast;

use super::Given;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Callee, Oid};
use crate::error::{Result, SqlError};
use crate::functions::{self, Function, Kind};
use crate::tree::{Expr, Node};
use crate::types::Type;

impl Binder<'_> {
    /// Whether a name may mean an aggregate: a built-in one if `builtin`, or one of the project.
    pub(super) fn is_aggregate(&self, builtin: bool, schema: Option<&str>, called: &str) -> bool {
        let known = functions::overloads(called).iter();
        builtin && known.into_iter().any(|function| matches!(function.kind, Kind::Aggregate { .. }))
            || self.catalog.routines().any(|(_, routine)| {
                routine.aggregation.is_some()
                    && routine.name == called
                    && schema.is_none_or(|schema| self.catalog.schema_name(routine.schema) == schema)
            })
    }

    /// Checks the call of a name that an aggregate of values and a function of lists or of two values have.
    pub(super) fn check_told_aggregate(&mut self, given: &Given) -> Result<()> {
        let [argument] = &given.positional[..] else { return Ok(()) };
        if argument.type_.element().is_some() {
            return Ok(());
        }
        let is_nested = argument.any(&mut |part| {
            matches!(&part.node, Node::Call(call) if matches!(call.function.kind, Kind::Aggregate { .. }))
        });
        let before = self.clause;
        if is_nested {
            self.clause = Clause::Aggregate;
        }
        let allowed = self.check_aggregate_allowed();
        self.clause = before;
        allowed
    }

    /// Binds a call of a project's aggregate: the rows of its arguments are collected, and the call of its functions is around that.
    pub(super) fn own_aggregate(
        &mut self,
        scope: &Scope<'_>,
        callee: &Callee,
        mut arguments: Vec<Expr>,
        function: &ast::Function,
    ) -> Result<Expr> {
        self.require_call(callee);
        if !function.within_group.is_empty() {
            return Err(SqlError::unsupported("WITHIN GROUP of an aggregate of the project"));
        }
        if arguments.is_empty() {
            arguments.push(Expr::literal(1, Type::INT4));
        }
        let names = (1..=arguments.len()).map(|number| format!("f{number}")).collect();
        let row = Expr::new(Node::Row(arguments, names), Type::RECORD);
        let collected = self.resolve("array_agg", vec![row], true)?;
        let mut collected = collected.map_err(|_| SqlError::unsupported("collecting these arguments"))?;
        self.decorate(scope, function, &mut collected)?;
        let number = Expr::literal(callee.number.0, Type::INT8);
        let text = "pg_call_aggregate({0},{1})";
        Ok(Expr::template(text, vec![number, collected], callee.routine.returns))
    }

    /// The function that a call with `arguments` means: its OID if it is one of the project, whether it is strict, and what it
    /// returns.
    pub(crate) fn function_of_types(
        &mut self,
        schema: Option<&str>,
        called: &str,
        arguments: Vec<Expr>,
    ) -> Result<Option<(Option<Oid>, bool, Type)>> {
        self.clause = Clause::Target;
        let given = Given { positional: arguments, ..Given::default() };
        if let Some((callee, _)) = self.user_routine(schema, called, &given)? {
            let oid = callee.number.oid();
            let routine = callee.routine;
            let plain = !routine.procedure && !routine.returns_set && routine.aggregation.is_none();
            return Ok(plain.then_some((Some(oid), routine.strict, routine.returns)));
        }
        let bound = self.call_named(schema, called, given)?;
        Ok(bound.map(|bound| match &bound.node {
            Node::Call(call) => (None, call.function.strict, bound.type_),
            _ => (None, true, bound.type_),
        }))
    }
}

/// Whether an aggregate and another function have this name.
pub(super) fn is_of_both_kinds(name: &str) -> bool {
    let known = functions::overloads(name);
    let is_aggregate = |function: &&&Function| matches!(function.kind, Kind::Aggregate { .. });
    let aggregates = known.iter().filter(is_aggregate).count();
    aggregates > 0 && known.iter().any(|function| function.kind == Kind::Scalar)
}
