//! `TABLESAMPLE`: each row is taken at random.

use sqlparser::ast;

use super::Part;
use crate::bind::{Binder, Clause, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::tree::{Expr, From};
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn sampled(
        &mut self,
        object: &ast::ObjectName,
        alias: Option<&ast::TableAlias>,
        sample: &ast::TableSampleKind,
    ) -> Result<Part> {
        let (ast::TableSampleKind::BeforeTableAlias(sample) | ast::TableSampleKind::AfterTableAlias(sample)) =
            sample;
        let (from, scope) = self.named_table(object, alias)?;
        let stored = scope.tables.first().and_then(|table| self.catalog.relation(table.relation?));
        let From::Table { source, name } = from else { return Err(not_sampled()) };
        if !stored.is_some_and(crate::catalog::Relation::is_stored) {
            return Err(not_sampled());
        }
        let method = sample.name.as_ref().map(ToString::to_string).unwrap_or_default();
        if !matches!(method.as_str(), "BERNOULLI" | "SYSTEM") {
            return Err(SqlError::unsupported(format!("the sampling method {method}")));
        }
        let Some(quantity) = sample.quantity.as_ref().filter(|quantity| quantity.unit.is_none()) else {
            return Err(SqlError::unsupported("this quantity of a sample"));
        };
        let percent = self.expr_in(Clause::Limit, &Scope::default(), &quantity.value)?;
        let percent = self.coerce(percent, Type::FLOAT8.plain(), Context::Assignment)?;
        let percent = percent.ok_or_else(|| SqlError::unsupported("this quantity of a sample"))?;
        let random = self.plain_call("random", Vec::new())?;
        let refusal = "pg_raise('2202H', 'sample percentage must be between 0 and 100', NULL)";
        let taken = Expr::template("{0} * 100.0 < {1}", vec![random, percent.clone()], Type::BOOL);
        let taken = print::expression(&taken, Names::default());
        let percent = print::expression(&percent, Names::default());
        let rows = format!(
            "(SELECT rowid AS rowid, * FROM {name} WHERE CASE WHEN {percent} BETWEEN 0 AND 100 THEN {taken} ELSE {refusal} END)"
        );
        Ok((From::Table { source, name: rows }, scope))
    }
}

fn not_sampled() -> SqlError {
    let message = "TABLESAMPLE clause can only be applied to tables and materialized views";
    SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
}
