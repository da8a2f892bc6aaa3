//! The search language as a query: its source, its filter, and its columns.
//!
//! `f:source` names the source, `s:path` or `s:path@name` what to select, `c:count(*)` or `c:avg(path)` what
//! to chart and `c:group_by(t::minute)` the buckets, by minute by default; every other word is a filter.

use sim_base::Timestamp;

use super::lql_time::Instants;
use super::lql_words::{Word, text_of, words};
use crate::lql::{Clause, Comparison, Filter, Operand, Test, require_path};
use crate::normalise::long_path;
use crate::source::OWN;

/// The possible buckets of a chart, with their short names.
const BUCKETS: [(&str, &str); 4] = [("second", "s"), ("minute", "m"), ("hour", "h"), ("day", "d")];

/// Aggregates of a chart by their names in queries.
const AGGREGATES: [&str; 5] = ["avg", "sum", "max", "min", "count"];

/// Percentiles of a chart with their places among the hundredths.
const PERCENTILES: [(&str, u8); 3] = [("p50", 50), ("p95", 95), ("p99", 99)];

#[derive(Default)]
struct Search {
    from: Option<String>,
    select: Vec<String>,
    /// The aggregate, and the name of its column.
    chart: Option<(String, &'static str)>,
    bucket: Option<String>,
    filter: Vec<Word>,
}

/// The columns of a search that selects none.
const COLUMNS: [&str; 3] = ["timestamp", "id", "event_message"];

/// The query in the warehouse's dialect, or the search's error. Without `f:` it reads `default`, and without `s:` it selects the
/// event's columns, but none of those that the searched table is `lacking`.
pub(crate) fn query(
    text: &str,
    default: Option<&str>,
    lacking: &[&str],
    now: Timestamp,
) -> Result<String, String> {
    let search = read(text)?;
    let source = search.from.as_deref().or(default);
    let source = source.ok_or("f: the source to search is missing")?;
    let filter = where_of(&Filter::of(&search.filter, now)?);
    let from = format!("from `{}` as t{filter}", source.replace('`', ""));
    if search.chart.is_some() || search.bucket.is_some() {
        let (value, name) = search.chart.unwrap_or_else(|| ("count(*)".to_owned(), "count"));
        let bucket = search.bucket.as_deref().unwrap_or("minute");
        return Ok(format!(
            "select timestamp_trunc(t.timestamp, {bucket}) as timestamp, {value} as {name} {from}
                 group by timestamp order by timestamp"
        ));
    }
    let mut columns = search.select;
    if columns.is_empty() {
        let there = COLUMNS.iter().filter(|column| !lacking.contains(*column));
        columns = there.map(|column| format!("t.{column}")).collect();
    }
    let order = if lacking.contains(&"timestamp") { "" } else { " order by t.timestamp desc" };
    Ok(format!("select {} {from}{order}", columns.join(", ")))
}

/// The column of a search that a table has not, by the refusal of its query.
pub(crate) fn lacking(refusal: &str) -> Option<&'static str> {
    COLUMNS.into_iter().find(|column| refusal == format!("Field \"t.{column}\" does not exist."))
}

/// The `where` of a filter over the table `t`; an empty filter has none.
pub(crate) fn condition_of(filter: &str, now: Timestamp) -> Result<String, String> {
    Filter::read(filter, now).map(|filter| where_of(&filter))
}

fn where_of(filter: &Filter) -> String {
    let conditions: Vec<String> = filter.clauses().iter().map(condition).collect();
    match conditions.is_empty() {
        true => String::new(),
        false => format!(" where {}", conditions.join(" and ")),
    }
}

fn read(text: &str) -> Result<Search, String> {
    let mut search = Search::default();
    for word in words(text)? {
        search.add(&word).map_err(|problem| word.problem(&problem))?;
    }
    Ok(search)
}

impl Search {
    fn add(&mut self, word: &Word) -> Result<(), String> {
        match word.text.split_once(':') {
            Some(("f" | "from", source)) => once(&mut self.from, text_of(source)?),
            Some(("s" | "select" | "c" | "chart", _)) if self.mixes(&word.text) => {
                Err("a search selects fields or charts, not both".to_owned())
            }
            Some(("s" | "select", field)) => {
                let field = selected(field)?;
                if self.select.contains(&field) {
                    return Err("the field is selected twice".to_owned());
                }
                self.select.push(field);
                Ok(())
            }
            Some(("c" | "chart", chart)) => match argument(chart) {
                Some(("group_by", bucket)) => once(&mut self.bucket, bucket_of(bucket)?),
                _ => once(&mut self.chart, aggregate(chart)?),
            },
            _ => {
                self.filter.push(word.clone());
                Ok(())
            }
        }
    }

    /// Whether the word charts after a selection or selects after a chart.
    fn mixes(&self, word: &str) -> bool {
        match word.starts_with('c') {
            true => !self.select.is_empty(),
            false => self.chart.is_some() || self.bucket.is_some(),
        }
    }
}

/// Sets what a search has once.
fn once<T>(slot: &mut Option<T>, value: T) -> Result<(), String> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err("a search has this once".to_owned()),
    }
}

fn selected(field: &str) -> Result<String, String> {
    let Some((path, name)) = field.split_once('@') else { return column(field) };
    let is_name = name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    match is_name && !name.starts_with(|sign: char| sign.is_ascii_digit()) {
        _ if name.is_empty() => Err(format!("s:{field}: a name is missing after @")),
        true => Ok(format!("{} as `{name}`", column(path)?)),
        false => Err(format!("s:{field}: a name has letters, digits and _, and begins with no digit")),
    }
}

/// A path in SQL notation.
fn column(path: &str) -> Result<String, String> {
    require_path(path)?;
    let path = if path == "t" { "timestamp".to_owned() } else { long_path(path) };
    Ok(spelt(&path))
}

fn spelt(path: &str) -> String {
    let steps: Vec<String> = path.split('.').map(|step| format!("`{step}`")).collect();
    format!("t.{}", steps.join("."))
}

/// `name(inside)`
fn argument(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix(')')?.split_once('(')
}

/// The aggregate in SQL, and the name of its column.
fn aggregate(text: &str) -> Result<(String, &'static str), String> {
    let unknown =
        || format!("c:{text}: a chart is count(*), or avg, sum, max, min, count, p50, p95 or p99 of a path");
    let (name, inside) = argument(text).ok_or_else(unknown)?;
    if (name, inside) == ("count", "*") {
        return Ok(("count(*)".to_owned(), "count"));
    }
    if let Some((_, place)) = PERCENTILES.iter().find(|(known, _)| *known == name) {
        let quantiles = format!("approx_quantiles(safe_cast({} as float64), 100)", column(inside)?);
        return Ok((format!("{quantiles}[offset({place})]"), "value"));
    }
    let sql = AGGREGATES.iter().find(|known| **known == name).ok_or_else(unknown)?;
    let column_name = if *sql == "count" { "count" } else { "value" };
    Ok((format!("{sql}({})", column(inside)?), column_name))
}

fn bucket_of(text: &str) -> Result<String, String> {
    let unit =
        text.split_once("::").filter(|(path, _)| matches!(*path, "t" | "timestamp")).map(|(_, unit)| unit);
    match BUCKETS.iter().find(|(name, short)| unit.is_some_and(|unit| unit == *name || unit == *short)) {
        Some((name, _)) => Ok((*name).to_owned()),
        None => Err(format!("c:group_by({text}): groups are t::second, t::minute, t::hour or t::day")),
    }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r"))
}

/// The condition that a clause stands for. A path may lead through lists, of which any element may match.
fn condition(clause: &Clause) -> String {
    let (first, rest) = clause.path.split_once('.').unwrap_or((&clause.path, ""));
    let column = spelt(first);
    let holds = match OWN.contains(&clause.path.as_str()) {
        true => test(&Compared { value: &column, is_text: true }, &clause.test),
        false => {
            // A missing value is a null of JSON, which is none of SQL.
            let found = match &clause.test {
                Test::Null => "to_json_string(found) = 'null'".to_owned(),
                other => test(&Compared { value: "found", is_text: false }, other),
            };
            let any = format!(
                "exists (select 1 from unnest(values_along({column}, '{rest}')) as found where {found})"
            );
            match &clause.test {
                Test::Null => format!("({column} is null or {any})"),
                _ => any,
            }
        }
    };
    // An event without the field does not match, unless the filter is negated.
    format!("{}coalesce({holds}, false)", if clause.negated { "not " } else { "" })
}

/// What a condition is about: a column with texts, or a value of any type.
struct Compared<'v> {
    value: &'v str,
    is_text: bool,
}

impl Compared<'_> {
    fn equals(&self, text: &str) -> String {
        let (value, literal) = (self.value, literal(text));
        match number(Operand::of(text)).filter(|_| !self.is_text) {
            Some(number) => {
                format!(
                    "case json_type({value}) when 'number' then {value} = {number} else {value} = {literal} end"
                )
            }
            None => format!("{value} = {literal}"),
        }
    }

    fn compares(&self, sign: &str, text: &str) -> String {
        let (value, literal) = (self.value, literal(text));
        match (Operand::of(text), self.is_text) {
            (Operand::Instant(_) | Operand::Text, true) => format!("{value} {sign} {literal}"),
            (Operand::Text, false) => format!("(json_type({value}) = 'string' and {value} {sign} {literal})"),
            (Operand::Instant(micros), false) => format!(
                "case json_type({value}) when 'number' then {value} {sign} {micros} when 'string' then {value} {sign} {literal} end"
            ),
            (operand, is_text) => {
                let number = number(operand).unwrap_or_default();
                let value = if is_text { format!("safe_cast({value} as numeric)") } else { value.to_owned() };
                format!("{value} {sign} {number}")
            }
        }
    }
}

/// The number in SQL.
fn number(operand: Operand) -> Option<String> {
    match operand {
        Operand::Whole(number) | Operand::Instant(number) => Some(number.to_string()),
        Operand::Real(number) => Some(format!("{number:?}")),
        Operand::Text => None,
    }
}

fn test(compared: &Compared<'_>, test: &Test) -> String {
    let value = compared.value;
    match test {
        Test::Equals(text) | Test::Includes(text) => compared.equals(text),
        Test::Null => format!("{value} is null"),
        Test::Contains(text) => format!("strpos({value}, {}) > 0", literal(text)),
        Test::Matches(regex) | Test::IncludesMatch(regex) => {
            format!("regexp_contains({value}, {})", literal(regex.as_str()))
        }
        Test::Compares(comparison, text) => {
            let sign = match comparison {
                Comparison::Less => "<",
                Comparison::LessOrEqual => "<=",
                Comparison::Greater => ">",
                Comparison::GreaterOrEqual => ">=",
            };
            compared.compares(sign, text)
        }
        Test::Between(low, high) => {
            format!("({} and {})", compared.compares(">=", low), compared.compares("<=", high))
        }
        Test::OneOf(texts) => {
            let texts: Vec<_> = texts.iter().map(|text| literal(text)).collect();
            format!("{value} in ({})", texts.join(", "))
        }
        Test::Within(Instants { from, until }) => {
            let bound =
                |sign: &str, at: &Option<i64>| at.map(|at| format!("{value} {sign} timestamp_micros({at})"));
            let bounds: Vec<_> = bound(">=", from).into_iter().chain(bound("<=", until)).collect();
            format!("({})", bounds.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_a_query() {
        let rows = [
            ("f:a.b", "select t.timestamp, t.id, t.event_message from `a.b` as t order by t.timestamp desc"),
            (
                "f:a s:m.status@code s:id boom -m.x:\"it's\"",
                r"select t.`metadata`.`status` as `code`, t.`id` from `a` as t where coalesce(strpos(t.`event_message`, 'boom') > 0, false) and not coalesce(exists (select 1 from unnest(values_along(t.`metadata`, 'x')) as found where found = 'it\'s'), false) order by t.timestamp desc",
            ),
            (
                "f:a c:avg(m.x) t:<=1767225600",
                "select timestamp_trunc(t.timestamp, minute) as timestamp, avg(t.`metadata`.`x`) as value from `a` as t where coalesce((t.`timestamp` <= timestamp_micros(1767225600000000)), false)
                 group by timestamp order by timestamp",
            ),
            (
                "f:a s:id m.level:<notice",
                "select t.`id` from `a` as t where coalesce(exists (select 1 from unnest(values_along(t.`metadata`, 'level')) as found where found in ('debug', 'info')), false) order by t.timestamp desc",
            ),
        ];
        for (search, sql) in rows {
            assert_eq!(query(search, None, &[], Timestamp::UNIX_EPOCH).as_deref(), Ok(sql), "{search}");
        }
    }

    #[test]
    fn invalid_searches_have_a_reason() {
        let rows = [
            ("m.status:500", "f: the source to search is missing"),
            (
                "f:a c:group_by(t::week)",
                "c:group_by(t::week): groups are t::second, t::minute, t::hour or t::day (at character 5: c:group_by(t::week))",
            ),
            (
                "f:a c:p98(x)",
                "c:p98(x): a chart is count(*), or avg, sum, max, min, count, p50, p95 or p99 of a path (at character 5: c:p98(x))",
            ),
            ("f:a s:", "\"\" is no path of a field (at character 5: s:)"),
            ("f:a s:m.x@", "s:m.x@: a name is missing after @ (at character 5: s:m.x@)"),
            ("f:a m.x:", "a value is missing (at character 5: m.x:)"),
        ];
        for (search, problem) in rows {
            assert_eq!(
                query(search, None, &[], Timestamp::UNIX_EPOCH).expect_err("no search"),
                problem,
                "{search}"
            );
        }
    }
}
