//! The functions of `information_schema`, which tools call to read `pg_attribute`.

use sqlparser::ast::{FunctionArg, FunctionArguments};

use crate::bind::{Binder, Scope};
use crate::error::{Result, SqlError};
use crate::source::Source;
use crate::tree::Expr;

/// The functions of rows of `pg_attribute` and `pg_type`, and those of a type and its modifier, as PostgreSQL defines them.
const FUNCTIONS: &[(&str, &str)] = &[
    ("_pg_truetypid", "CASE WHEN {1}.typtype = 'd' THEN {1}.typbasetype ELSE {0}.atttypid END"),
    ("_pg_truetypmod", "CASE WHEN {1}.typtype = 'd' THEN {1}.typtypmod ELSE {0}.atttypmod END"),
    (
        "_pg_char_max_length",
        "CASE WHEN {1} = -1 THEN NULL WHEN {0} IN (1042, 1043) THEN {1} - 4 WHEN {0} IN (1560, 1562) THEN {1} END",
    ),
    (
        "_pg_char_octet_length",
        "CASE WHEN {0} IN (25, 1042, 1043) THEN CASE WHEN {1} = -1 THEN 1073741824 \
         ELSE least((({1} - 4)::bigint * 4), 1073741824)::integer END END",
    ),
    (
        "_pg_numeric_precision",
        "CASE {0} WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 1700 THEN \
         CASE WHEN {1} = -1 THEN NULL ELSE (({1} - 4) >> 16) & 65535 END WHEN 700 THEN 24 WHEN 701 THEN 53 END",
    ),
    (
        "_pg_numeric_precision_radix",
        "CASE WHEN {0} IN (21, 23, 20, 700, 701) THEN 2 WHEN {0} IN (1700) THEN 10 END",
    ),
    (
        "_pg_numeric_scale",
        "CASE WHEN {0} IN (21, 23, 20) THEN 0 WHEN {0} IN (1700) THEN \
         CASE WHEN {1} = -1 THEN NULL ELSE ({1} - 4) & 65535 END END",
    ),
    (
        "_pg_datetime_precision",
        "CASE WHEN {0} IN (1082) THEN 0 WHEN {0} IN (1083, 1114, 1184, 1266) THEN CASE WHEN {1} < 0 THEN 6 ELSE {1} END \
         WHEN {0} IN (1186) THEN CASE WHEN {1} < 0 OR {1} & 65535 = 65535 THEN 6 ELSE {1} & 65535 END END",
    ),
];

impl Binder<'_> {
    /// A call of such a function, bound as what it computes; `None` for other names.
    pub(super) fn standard_function(
        &mut self,
        scope: &Scope<'_>,
        called: &str,
        arguments: &FunctionArguments,
    ) -> Result<Option<Expr>> {
        let (Some((_, text)), FunctionArguments::List(list)) =
            (FUNCTIONS.iter().find(|(name, _)| *name == called), arguments)
        else {
            return Ok(None);
        };
        let [first, second] = &list.args[..] else { return Ok(None) };
        let operand = |argument: &FunctionArg| {
            let text = argument.to_string();
            text.strip_suffix(".*").map_or_else(|| format!("({text})"), str::to_owned)
        };
        let text = text.replace("{0}", &operand(first)).replace("{1}", &operand(second));
        // A call within a call is bound several times, each of which counts.
        let parsed = Source::stored(&text).expression()?;
        self.expr(scope, &parsed).map(Some).map_err(SqlError::nowhere)
    }
}
