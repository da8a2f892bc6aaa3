//! `ORDER BY … WITH FILL`: rows for the values of the key that are missing.
//!
//! The query becomes a common table expression, and so do the values that its key would have. A row that is only there to fill has
//! zeros and empty texts in its other columns.

use sqlparser::ast::{
    BinaryOperator, Expr, Interpolate, InterpolateExpr, OrderByExpr, OrderBySort, Select, SelectItem,
    WithFill,
};

use super::expr::is_day;
use super::{Writer, name};
use crate::refusal::Refusal;

pub(crate) const ROWS: &str = "rows_to_fill";
pub(crate) const KEYS: &str = "keys_to_fill";
/// All rows with their numbers, and the same with the values that follow from the row before.
const FILLED: &str = "rows_filled";
pub(crate) const STEPS: &str = "rows_step_by_step";

impl Writer {
    /// The common table expressions and the query that fill `rows`, the query without its order.
    pub(super) fn filled(
        &mut self,
        select: &Select,
        rows: &str,
        order: &[OrderByExpr],
        interpolate: Option<&Interpolate>,
    ) -> Result<(Vec<String>, String), Refusal> {
        let columns = columns(select)?;
        let continued = interpolate.map(|interpolate| continued(interpolate, &columns)).transpose()?;
        let continued = continued.unwrap_or_default();
        let place = order.iter().position(|key| key.with_fill.is_some()).unwrap_or_default();
        let (before, after) = (&order[..place], &order[(place + 1).min(order.len())..]);
        let Some(OrderByExpr { expr, options, with_fill: Some(fill) }) = order.get(place) else {
            return Err(Refusal::unsupported("WITH FILL here"));
        };
        if after.iter().any(|key| key.with_fill.is_some()) {
            return Err(Refusal::unsupported("WITH FILL of two keys"));
        }
        let column_of = |expr: &Expr| {
            let own = expr.to_string();
            let found = columns
                .iter()
                .find(|(name, meaning)| *name == own || meaning.is_some_and(|meaning| meaning == expr));
            found
                .map(|(column, meaning)| (name(column), *meaning))
                .ok_or_else(|| Refusal::unsupported("WITH FILL beside or of a key that is no column"))
        };
        let (key, meaning) = column_of(expr)?;
        let parts =
            before.iter().map(|key| Ok(column_of(&key.expr)?.0)).collect::<Result<Vec<_>, Refusal>>()?;
        let descending = options.sort == Some(OrderBySort::Desc);
        let ends = match parts.as_slice() {
            [] => ["min", "max"].map(|function| format!("(select {function}({key}) from {ROWS})")),
            _ => ["`least`", "`most`"].map(str::to_owned),
        };
        let values = self.values(fill, &ends, descending, kind_of(&key, meaning))?;
        if !continued.is_empty() && !parts.is_empty() {
            return Err(Refusal::unsupported("INTERPOLATE beside a key before the one that is filled"));
        }
        let direction = if descending { " desc" } else { "" };
        let last = |column: &str| {
            format!(
                "coalesce(last_value({ROWS}.{column} ignore nulls) over (order by coalesce({ROWS}.{key}, {KEYS}.`key`){direction} rows between unbounded preceding and current row), zero_of({ROWS}.{column})) as {column}"
            )
        };
        let computed = continued.iter().any(|(_, next)| next.is_some());
        let goes_on = |column: &String| continued.iter().any(|(own, _)| own == column);
        let shown: Vec<_> = columns
            .iter()
            .map(|(column, _)| match name(column) {
                column if goes_on(&column) && column != key && !computed => last(&column),
                column if column == key => format!("coalesce({ROWS}.{key}, {KEYS}.`key`) as {key}"),
                column => match parts.iter().position(|part| *part == column) {
                    Some(part) => format!("coalesce({ROWS}.{column}, {KEYS}.`part_{part}`) as {column}"),
                    None => format!(
                        "if({ROWS}.{key} is null, zero_of({ROWS}.{column}), {ROWS}.{column}) as {column}"
                    ),
                },
            })
            .collect();
        let listed = |item: &dyn Fn(usize, &String) -> String| {
            parts.iter().enumerate().map(|(index, part)| item(index, part)).collect::<String>()
        };
        // Each combination of the keys before it has values of its own.
        let keys = match parts.is_empty() {
            true => format!("select `key` from unnest({values}) as `key`"),
            false => format!(
                "select {}`key` from (select {}min({key}) as `least`, max({key}) as `most` from {ROWS} group by {}) cross join unnest({values}) as `key`",
                listed(&|index, _| format!("`part_{index}`, ")),
                listed(&|index, part| format!("{part} as `part_{index}`, ")),
                parts.join(", "),
            ),
        };
        let same = listed(&|index, part| format!(" and {KEYS}.`part_{index}` = {ROWS}.{part}"));
        let mut ctes = vec![format!("{ROWS} as ({rows})"), format!("{KEYS} as ({keys})")];
        let mut sorted = Vec::new();
        for one in order {
            let direction = if one.options.sort == Some(OrderBySort::Desc) { " desc" } else { "" };
            sorted.push(format!("{}{direction}", column_of(&one.expr)?.0));
        }
        if computed {
            let columns: Vec<_> = columns.iter().map(|(column, _)| name(column)).collect();
            let all = format!(
                "select row_number() over (order by coalesce({ROWS}.{key}, {KEYS}.`key`){direction}) as `nth`, {ROWS}.{key} is null as `is_new`, {} from {KEYS} full join {ROWS} on {KEYS}.`key` = {ROWS}.{key}{same}",
                shown.join(", ")
            );
            let nexts: Vec<_> = continued.into_iter().filter(|(column, _)| *column != key).collect();
            ctes.extend(self.steps(&columns, &all, &nexts)?);
            let body = format!("select {} from {STEPS} where `nth` > 0 order by `nth`", columns.join(", "));
            return Ok((ctes, body));
        }
        let body = format!(
            "select {} from {KEYS} full join {ROWS} on {KEYS}.`key` = {ROWS}.{key}{same} order by {}",
            shown.join(", "),
            sorted.join(", ")
        );
        Ok((ctes, body))
    }

    /// The rows one after another, where the values of a row that is only there to fill follow from those of the row before. Before
    /// the first one is a row of zeros.
    fn steps(
        &mut self,
        columns: &[String],
        rows: &str,
        nexts: &[(String, Option<Expr>)],
    ) -> Result<[String; 2], Refusal> {
        self.read.borrow_mut().recursive = true;
        let before: Vec<_> = columns.iter().map(|column| (column, format!("{STEPS}.{column}"))).collect();
        let mut shown = Vec::new();
        for (column, _) in &before {
            let own = format!("{FILLED}.{column}");
            let next = match nexts.iter().find(|(known, _)| known == *column) {
                None => None,
                Some((_, None)) => Some(format!("{STEPS}.{column}")),
                Some((_, Some(next))) => {
                    let aliases =
                        before.iter().map(|(column, sql)| (column.trim_matches('`').to_owned(), sql.clone()));
                    let kept = std::mem::replace(&mut self.aliases, aliases.collect());
                    let sql = self.expr(next);
                    self.aliases = kept;
                    Some(sql?)
                }
            };
            shown.push(match next {
                Some(next) => format!("if({FILLED}.`is_new`, {next}, {own}) as {column}"),
                None => format!("{own} as {column}"),
            });
        }
        let zeros: Vec<_> =
            columns.iter().map(|column| format!("zero_of({FILLED}.{column}) as {column}")).collect();
        Ok([
            format!("{FILLED} as ({rows})"),
            format!(
                "{STEPS} as (select 0 as `nth`, {} from {FILLED} where {FILLED}.`nth` = 1 union all select {FILLED}.`nth` as `nth`, {} from {STEPS} join {FILLED} on {FILLED}.`nth` = {STEPS}.`nth` + 1)",
                zeros.join(", "),
                shown.join(", ")
            ),
        ])
    }

    /// The list of all values that the key has then.
    fn values(
        &mut self,
        fill: &WithFill,
        [least, most]: &[String; 2],
        descending: bool,
        kind: Kind,
    ) -> Result<String, Refusal> {
        let (first, last) = if descending { (most, least) } else { (least, most) };
        let from = fill.from.as_ref().map(|from| self.expr(from)).transpose()?;
        let from = from.unwrap_or_else(|| first.clone());
        let to = fill.to.as_ref().map(|to| self.expr(to)).transpose()?;
        let step = fill.step.as_ref();
        let one = if descending { -1 } else { 1 };
        let own_unit = match kind {
            Kind::Number => None,
            Kind::Instant => Some("second"),
            Kind::Day => Some("day"),
        };
        let (count, unit) = match step.map(|step| (step, self.one_interval(step))) {
            Some((_, Some((count, unit)))) => (whole(&count)?, Some(unit)),
            Some((step, None)) => (whole(step)?, own_unit),
            None => (one, own_unit),
        };
        if count == 0 || (count < 0) != descending {
            return Err(Refusal::invalid("The step of WITH FILL must go in the direction of its key"));
        }
        // The end that is written does not belong to the values.
        let short = if descending { "+" } else { "-" };
        Ok(match unit {
            None => {
                let to = to.map_or_else(|| last.clone(), |to| format!("{to} {short} 1"));
                format!("generate_array({from}, {to}, {count})")
            }
            Some(unit) if matches!(kind, Kind::Day) => {
                let word = if descending { "date_add" } else { "date_sub" };
                let to = to.map_or_else(|| last.clone(), |to| format!("{word}({to}, interval 1 day)"));
                format!("generate_date_array({from}, {to}, interval {count} {unit})")
            }
            Some("month" | "quarter" | "year") => {
                return Err(Refusal::unsupported("WITH FILL by months"));
            }
            Some(unit) => {
                let (count, unit) = if unit == "week" { (count * 7, "day") } else { (count, unit) };
                let word = if descending { "timestamp_add" } else { "timestamp_sub" };
                let to =
                    to.map_or_else(|| last.clone(), |to| format!("{word}({to}, interval 1 microsecond)"));
                format!("generate_timestamp_array({from}, {to}, interval {count} {unit})")
            }
        })
    }
}

/// The columns whose values of the row before go on in the rows that are filled in, and what becomes of them.
fn continued(
    interpolate: &Interpolate,
    columns: &[(String, Option<&Expr>)],
) -> Result<Vec<(String, Option<Expr>)>, Refusal> {
    let Some(named) = &interpolate.exprs else {
        return Ok(columns.iter().map(|(column, _)| (name(column), None)).collect());
    };
    let own = |one: &InterpolateExpr| {
        if !columns.iter().any(|(column, _)| *column == one.column.value) {
            return Err(Refusal::invalid(format!("INTERPOLATE: there is no column {}", one.column)));
        }
        let next = one.expr.as_ref().filter(|expr| expr.to_string() != one.column.to_string());
        Ok((name(&one.column.value), next.cloned()))
    };
    named.iter().map(own).collect()
}

/// The names of the columns, with their expressions.
fn columns(select: &Select) -> Result<Vec<(String, Option<&Expr>)>, Refusal> {
    let column = |item: &SelectItem| -> Option<String> {
        match item {
            SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => Some(parts.last()?.value.clone()),
            SelectItem::UnnamedExpr(expr) => Some(expr.to_string().replace(['`', '"'], "")),
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
            _ => None,
        }
    };
    let named = select.projection.iter().map(|item| Some((column(item)?, meaning(item))));
    named.collect::<Option<_>>().ok_or_else(|| Refusal::unsupported("WITH FILL of all columns"))
}

fn meaning(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

/// What a key is.
#[derive(Clone, Copy)]
enum Kind {
    Number,
    /// A plain step is in seconds.
    Instant,
    /// A plain step is in days.
    Day,
}

/// What a key is, as far as its name or function tells.
fn kind_of(key: &str, meaning: Option<&Expr>) -> Kind {
    let of_time = ["tostartof", "todatetime", "date_trunc", "datetrunc"];
    match meaning {
        Some(expr) if is_day(expr) => Kind::Day,
        Some(Expr::BinaryOp { left, op: BinaryOperator::Plus | BinaryOperator::Minus, right })
            if is_day(left) && !is_day(right) =>
        {
            Kind::Day
        }
        Some(Expr::Function(function)) => {
            let name = function.name.to_string().to_lowercase();
            if of_time.iter().any(|start| name.starts_with(start)) { Kind::Instant } else { Kind::Number }
        }
        _ if key == "`timestamp`" => Kind::Instant,
        _ => Kind::Number,
    }
}

fn whole(expr: &Expr) -> Result<i64, Refusal> {
    let text = expr.to_string().replace(' ', "");
    text.parse().map_err(|_| Refusal::unsupported("WITH FILL by a step that is no whole number"))
}
