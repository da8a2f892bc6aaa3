//! Tables that a function or the store itself makes: `numbers(3)`, `zeros(3)`, `generate_series(1, 3)`, `system.one`.

use sqlparser::ast::{TableAlias, TableFactor};

use super::call::expr_of;
use super::from::alias_of;
use super::{Writer, name};
use crate::refusal::Refusal;

/// The name of the only column of such a table.
pub(super) fn column_of(table: &str) -> Option<&'static str> {
    Some(match table.to_lowercase().as_str() {
        "numbers" | "numbers_mt" => "number",
        "zeros" | "zeros_mt" => "zero",
        "generate_series" | "generateseries" => "generate_series",
        _ => return None,
    })
}

impl Writer {
    /// Such a table; `None` for another.
    pub(super) fn made_table(&mut self, table: &TableFactor) -> Result<Option<String>, Refusal> {
        let TableFactor::Table { name: own, alias, args, .. } = table else { return Ok(None) };
        let own = own.to_string().replace(['`', '"'], "").to_lowercase();
        let Some(args) = args else {
            return Ok(
                (own == "system.one").then(|| format!("(select 0 as `dummy`){}", alias_of(alias.as_ref())))
            );
        };
        let Some(column) = column_of(&own) else { return Ok(None) };
        let ends = args.args.iter().map(expr_of).collect::<Option<Vec<_>>>().unwrap_or_default();
        let ends = ends.into_iter().map(|end| self.expr(end)).collect::<Result<Vec<_>, _>>()?;
        let list = match (column, ends.as_slice()) {
            ("number" | "zero", [count]) => format!("generate_array(0, {count} - 1)"),
            ("number", [first, count]) => format!("generate_array({first}, {first} + {count} - 1)"),
            ("number", [first, count, step]) => {
                format!("generate_array({first}, {first} + {count} - 1, {step})")
            }
            ("generate_series", [first, last]) => format!("generate_array({first}, {last})"),
            ("generate_series", [first, last, step]) => format!("generate_array({first}, {last}, {step})"),
            _ => return Err(Refusal::unsupported(&format!("{own} with these numbers"))),
        };
        Ok(Some(rows(column, &list, alias.as_ref())))
    }
}

fn rows(column: &str, list: &str, alias: Option<&TableAlias>) -> String {
    let own = name(column);
    match (column, alias) {
        ("zero", alias) => {
            format!("(select 0 as {own} from unnest({list}) as `number`){}", alias_of(alias))
        }
        (_, None) => format!("unnest({list}) as {own}"),
        (_, Some(_)) => format!("(select {own} from unnest({list}) as {own}){}", alias_of(alias)),
    }
}
