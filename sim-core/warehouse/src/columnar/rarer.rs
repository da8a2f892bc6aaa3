//! Rarer calls whose form depends on what the arguments are: tuples as vectors, weeks, parts of times that change, formats of
//! another kind.

use sqlparser::ast::{Expr, FunctionArg, Value};

use super::Writer;
use super::call::{expr_of, form, moved, text_of, truth, unknown};
use super::expr::{or_empty, part_of, quoted, tuple};
use super::format::{joda_format, shown, text_format, unit_of};
use super::special::{host, zone_of};
use crate::refusal::Refusal;

/// Functions of vectors, which are lists or written tuples.
const OF_VECTORS: [&str; 10] = [
    "cosinedistance",
    "dotproduct",
    "l1distance",
    "l1norm",
    "l2distance",
    "l2norm",
    "l2squareddistance",
    "l2squarednorm",
    "linfdistance",
    "linfnorm",
];

/// Second labels of a host that belong to its country: `co.uk`.
const OF_COUNTRIES: &str = "ac|co|com|edu|gob|gov|mil|net|org";

impl Writer {
    /// Of tuples, texts and bits.
    pub(super) fn rarer_value(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        let text = |index: usize| arguments.get(index).and_then(text_of);
        if OF_VECTORS.contains(&name) {
            let mut lists = Vec::new();
            for (argument, list) in arguments.iter().zip(printed) {
                let elements = self.tuple_of_argument(Some(argument))?;
                lists.push(elements.map_or_else(|| list.clone(), |all| format!("[{}]", all.join(", "))));
            }
            return Ok(form(name, &lists));
        }
        if let Some(of_tuples) = name.strip_prefix("tuple").filter(|rest| *rest != "element") {
            return self.of_tuples(of_tuples, arguments, printed);
        }
        Ok(Some(match (name, printed) {
            ("printf", [_, values @ ..]) => {
                let format = text(0).ok_or_else(|| unknown(name))?.replace("%s", "%t");
                let all: Vec<_> = std::iter::once(quoted(&format)).chain(values.iter().cloned()).collect();
                format!("format({})", all.join(", "))
            }
            ("todecimalstring", [value, digits]) if digits.parse::<u8>().is_ok_and(|digits| digits < 60) => {
                format!("format('%.{digits}f', cast({value} as float64))")
            }
            ("cuttofirstsignificantsubdomain", [url]) => significant(&host(url, false)),
            ("firstsignificantsubdomain", [url]) => {
                format!("coalesce(regexp_extract({}, '^[^.]*'), '')", significant(&host(url, false)))
            }
            ("regexpquotemeta", [of]) => {
                format!(r"regexp_replace({of}, r'([\\.+*?()|\[\]{{}}^$-])', r'\\\1')")
            }
            ("splitbyregexp", [_, of]) if text(0) == Some("") => format!("split({of}, '')"),
            ("cuturlparameter", [url, _])
                if let Some(Expr::Array(names)) = arguments.get(1).and_then(expr_of) =>
            {
                let mut cut = url.clone();
                for one in &names.elem {
                    let one = self.expr(one)?;
                    cut = form(name, &[cut, one]).ok_or_else(|| unknown(name))?;
                }
                cut
            }
            ("bittestall" | "bittestany", [of, places @ ..]) if !places.is_empty() => {
                let is_set =
                    |place: &String| format!("mod(div({of}, cast(pow(2, {place}) as int64)), 2) = 1");
                let all: Vec<_> = places.iter().map(is_set).collect();
                let word = if name == "bittestall" { " and " } else { " or " };
                format!("if({}, 1, 0)", all.join(word))
            }
            ("throwif", [condition] | [condition, _]) => {
                let said = match text(1) {
                    Some(said) => quoted(said),
                    None => "'Value passed to \\'throwIf\\' function is non-zero'".to_owned(),
                };
                format!("if({}, cast(error({said}) as int64), 0)", truth(condition))
            }
            ("transform", [value, from, to, other @ ..])
                if other.len() < 2 && text(1).is_none() && !are_written(arguments) =>
            {
                let place = format!(
                    "(select min(o1) from unnest({from}) as e1 with offset as o1 where e1 = {value})"
                );
                format!("coalesce({to}[safe_offset({place})], {})", other.first().unwrap_or(value))
            }
            ("substringindexutf8", [of, _]) => part_of(of, &printed[1..]),
            ("arrayelementordefault", [list, place]) => or_empty(format!("{list}[safe_ordinal({place})]")),
            _ => return Ok(None),
        }))
    }

    /// Functions of written tuples, element by element.
    fn of_tuples(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        if name == "concat" {
            let mut all = Vec::new();
            for argument in arguments {
                all.extend(self.tuple_of_argument(Some(argument))?.ok_or_else(|| unknown("tupleConcat"))?);
            }
            return Ok(Some(tuple(&all)));
        }
        let Some(these) = self.tuple_of_argument(arguments.first())? else { return Ok(None) };
        let each =
            |form: &dyn Fn(&String) -> String| Some(tuple(&these.iter().map(form).collect::<Vec<_>>()));
        match (name, printed) {
            ("negate", [_]) => return Ok(each(&|one| format!("(-{one})"))),
            ("multiplybynumber", [_, by]) => return Ok(each(&|one| format!("times({one}, {by})"))),
            ("dividebynumber", [_, by]) => return Ok(each(&|one| format!("float_divide({one}, {by})"))),
            _ => {}
        }
        let Some(those) = self.tuple_of_argument(arguments.get(1))? else { return Ok(None) };
        if these.len() != those.len() {
            return Err(Refusal::invalid(format!("tuple{name}: the tuples differ in length")));
        }
        let pairs = || these.iter().zip(&those);
        let form = |form: &dyn Fn(&String, &String) -> String| {
            Some(tuple(&pairs().map(|(this, that)| form(this, that)).collect::<Vec<_>>()))
        };
        Ok(match name {
            "plus" => form(&|this, that| format!("moved_by({this}, {that}, 1)")),
            "minus" => form(&|this, that| format!("moved_by({this}, {that}, -1)")),
            "multiply" => form(&|this, that| format!("times({this}, {that})")),
            "divide" => form(&|this, that| format!("float_divide({this}, {that})")),
            "hammingdistance" => {
                let differ: Vec<_> =
                    pairs().map(|(this, that)| format!("if({this} <> {that}, 1, 0)")).collect();
                Some(format!("({})", differ.join(" + ")))
            }
            _ => None,
        })
    }

    /// Of dates and times.
    pub(super) fn rarer_time(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        let text = |index: usize| arguments.get(index).and_then(text_of);
        if let Some(part) = name.strip_prefix("change") {
            let [at, new] = printed else { return Ok(None) };
            let unit = unit_of_name(part).ok_or_else(|| unknown(name))?;
            let by = format!("({new} - extract({unit} from as_moment({at})))");
            return Ok(Some(moved(at, &by, unit, false)));
        }
        Ok(Some(match (name, printed) {
            ("toweek", [at, mode]) => week_of(at, mode)?,
            ("toyearweek", [at, mode]) => match mode.as_str() {
                "1" | "3" => {
                    let (year, week) = (part("isoyear", at), part("isoweek", at));
                    format!("({year} * 100 + {week})")
                }
                "0" => return Ok(form(name, &printed[..1])),
                _ => return Err(Refusal::unsupported("toYearWeek with another mode than 0, 1 and 3")),
            },
            ("tostartofweek" | "tolastdayofweek", [at, mode])
                if let Ok(mode @ 0..=9) = mode.parse::<u8>() =>
            {
                let week = if mode % 2 == 0 { "week" } else { "isoweek" };
                let start = format!("timestamp_trunc(as_moment({at}), {week})");
                match name {
                    "tostartofweek" => format!("date({start})"),
                    _ => format!("date(timestamp_add({start}, interval 6 day))"),
                }
            }
            ("datediff" | "date_diff", [_, from, to, zone]) => {
                let unit = unit_of(arguments.first()).ok_or_else(|| unknown(name))?;
                let local = |at: &String| format!("datetime(as_moment({at}), {zone})");
                let unit = if unit == "week" { "isoweek" } else { unit };
                format!("datetime_diff({}, {}, {unit})", local(to), local(from))
            }
            ("fromunixtimestamp", [at, _]) if text(1).is_some_and(|text| text.contains('%')) => {
                shown(&format!("timestamp_seconds({at})"), text(1).unwrap_or_default(), None)?
            }
            ("fromunixtimestampinjodasyntax", [at, _, zone @ ..]) => {
                let format = joda_format(text(1).ok_or_else(|| unknown(name))?)?;
                shown(&format!("timestamp_seconds({at})"), &format, zone.first())?
            }
            ("formatdatetimeinjodasyntax", [at, _, zone @ ..]) => {
                let format = joda_format(text(1).ok_or_else(|| unknown(name))?)?;
                shown(&format!("as_moment({at})"), &format, zone.first())?
            }
            (
                "parsedatetimeinjodasyntax"
                | "parsedatetimeinjodasyntaxornull"
                | "parsedatetimeinjodasyntaxorzero",
                [_, _, ..],
            ) => {
                let format = joda_format(text(1).ok_or_else(|| unknown(name))?)?;
                let mut given = arguments.to_vec();
                given[1] = FunctionArg::Unnamed(sqlparser::ast::FunctionArgExpr::Expr(Expr::value(
                    Value::SingleQuotedString(format),
                )));
                return self.special(&name.replace("injodasyntax", ""), &given, printed);
            }
            ("parsedatetime64" | "parsedatetime64ornull", [at, _, zone @ ..]) => {
                let format = text(1).ok_or_else(|| unknown(name))?;
                let (clock, rest) = format.split_once(".%f").ok_or_else(|| {
                    Refusal::unsupported("parseDateTime64 of a format without .%f behind the seconds")
                })?;
                let before = clock.strip_suffix("%S").or_else(|| clock.strip_suffix("%s"));
                let before = before.ok_or_else(|| unknown(name))?;
                let format = format!("{}%E*S{}", text_format(before)?, text_format(rest)?);
                let zone = zone.first().map(|zone| format!(", {zone}")).unwrap_or_default();
                let safe = if name.ends_with("ornull") { "safe." } else { "" };
                format!("{safe}parse_timestamp({}, {at}{zone})", quoted(&format))
            }
            ("timezoneoffset", [at]) => match arguments.first().and_then(expr_of).and_then(zone_of) {
                Some(zone) => {
                    let zone = self.arguments(&[zone])?.concat();
                    let at = format!("as_moment({at})");
                    format!("datetime_diff(datetime({at}, {zone}), datetime({at}), second)")
                }
                None => "0".to_owned(),
            },
            ("timezoneof", [_]) if let Some(zone) = arguments.first().and_then(expr_of).and_then(zone_of) => {
                self.arguments(&[zone])?.concat()
            }
            ("addtupleofintervals" | "subtracttupleofintervals", [..])
                if let (Some(at), Some(Expr::Tuple(all))) =
                    (arguments.first().and_then(expr_of), arguments.get(1).and_then(expr_of)) =>
            {
                let mut sql = self.expr(at)?;
                for one in all {
                    let by = self.names.interval(one).ok_or_else(|| unknown(name))?;
                    sql = self.moved_by(sql, &by, name.starts_with("sub"))?;
                }
                sql
            }
            _ => return Ok(None),
        }))
    }
}

/// Whether the lists of `transform` are written in the query.
fn are_written(arguments: &[FunctionArg]) -> bool {
    [1, 2].iter().all(|place| matches!(arguments.get(*place).and_then(expr_of), Some(Expr::Array(_))))
}

/// A host without what is before its own part.
fn significant(host: &str) -> String {
    format!("coalesce(regexp_extract({host}, '([^.]+[.](?:(?:{OF_COUNTRIES})[.][a-z][a-z]|[^.]+))$'), '')")
}

fn part(unit: &str, at: &str) -> String {
    format!("extract({unit} from as_moment({at}))")
}

fn unit_of_name(name: &str) -> Option<&'static str> {
    ["year", "month", "day", "hour", "minute", "second"].into_iter().find(|unit| *unit == name)
}

/// The week of the year by one of the rules that the dialect has for it.
fn week_of(at: &str, mode: &str) -> Result<String, Refusal> {
    let (iso, year) = (part("isoweek", at), part("year", at));
    let sundays = part("week", at);
    Ok(match mode {
        "0" => sundays,
        // The first days of a year may be in no week of it.
        "1" => format!(
            "case when {0} < {year} then 0 when {0} > {year} then 53 else {iso} end",
            part("isoyear", at)
        ),
        // They may be in the last one of the year before.
        "2" => {
            let before = format!("timestamp(date({year} - 1, 12, 31))");
            format!("if({sundays} = 0, {}, {sundays})", part("week", &before))
        }
        "3" => iso,
        "5" => part("week(monday)", at),
        _ => return Err(Refusal::unsupported("toWeek with another mode than 0, 1, 2, 3 and 5")),
    })
}
