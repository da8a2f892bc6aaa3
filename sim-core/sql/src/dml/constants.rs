//! The constants of a change, which PostgreSQL computes first.

use super::Modifier;
use crate::print::{self, Names};
use crate::tree::Expr;

/// The most constants that a query computes.
const AT_ONCE: usize = 100;

impl Modifier<'_> {
    /// Notes the constants among values.
    pub(super) fn note_constants<'e>(&mut self, values: impl IntoIterator<Item = &'e Expr>) {
        let constants = values.into_iter().flat_map(Expr::constants);
        self.constants.extend(constants.map(|value| print::expression(value, Names::default())));
    }

    /// Queries of the constants, and how many each has.
    pub(super) fn constant_queries(&mut self) -> Vec<(String, usize)> {
        let constants = std::mem::take(&mut self.constants);
        let queries = constants.chunks(AT_ONCE);
        queries.map(|some| (format!("SELECT {}", some.join(", ")), some.len())).collect()
    }
}
