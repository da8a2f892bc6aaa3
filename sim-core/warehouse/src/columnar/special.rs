//! Calls whose form depends on what the arguments are.

use sqlparser::ast::{Expr, FunctionArg, FunctionArguments};
use sqlparser::dialect::ClickHouseDialect;
use sqlparser::parser::Parser;

use super::aggregate::whole_key;
use super::call::{expr_of, form, is_aggregate_list, is_number, may_be_null, moved, text_of, truth, unknown};
use super::expr::{converted, or_empty, part_of, quoted, tuple, unit_named};
use super::format::{filled, is_of_days, shown, start_from, start_of_interval, text_format, unit_of};
use super::functions::is_aggregate;
use super::json::json_call;
use super::{Writer, element, is_attributes};
use crate::refusal::Refusal;

impl Writer {
    /// The form of such a call; `None` if its form is always the same.
    pub(super) fn special(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        for kind in [
            Writer::rarer_value,
            Writer::rarer_time,
            Writer::special_value,
            Writer::special_list,
            Writer::special_time,
        ] {
            let found = kind(self, name, arguments, printed)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Of texts, numbers, conditions and JSON.
    fn special_value(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        let text = |index: usize| arguments.get(index).and_then(text_of);
        Ok(Some(match (name, printed) {
            ("domain" | "domainwithoutwww", [url]) => host(url, name == "domainwithoutwww"),
            ("substring" | "substr" | "substringutf8" | "mid", [of, _] | [of, _, _]) => {
                part_of(of, &printed[1..])
            }
            ("round" | "roundbankers", [value, digits @ ..]) if digits.len() < 2 => {
                let digits = digits.first().map_or("0", String::as_str);
                // A decimal has no halves that a float would only be near to.
                let word = if value.starts_with("trunc(") { "round" } else { "round_even" };
                format!("{word}({value}, {digits})")
            }
            ("bitnot", [value]) => match value.parse::<u64>() {
                Ok(small @ 0..=0xff) => (0xff - small).to_string(),
                Ok(small @ ..=0xffff) => (0xffff - small).to_string(),
                Ok(small @ ..=0xffff_ffff) => (0xffff_ffff - small).to_string(),
                _ if is_signed(arguments.first()) => format!("(-1 - {value})"),
                _ => return Err(Refusal::unsupported("bitNot of other than a literal or toInt…")),
            },
            ("retention", [first, others @ ..]) if others.len() < 32 => {
                let met = |condition: &String| format!("countif({}) > 0", truth(condition));
                let first = met(first);
                let others = others.iter().map(|other| format!("if({first} and {}, 1, 0)", met(other)));
                let all = std::iter::once(format!("if({first}, 1, 0)")).chain(others);
                format!("[{}]", all.collect::<Vec<_>>().join(", "))
            }
            ("jsonextractkeysandvalues", [of, _]) => {
                let type_ = text(1).unwrap_or_default().to_lowercase();
                let map = format!("safe.parse_json({of})");
                let value = format!("map_text({map}, e1)");
                let value = match type_.as_str() {
                    "string" => value,
                    whole if whole.starts_with("int") || whole.starts_with("uint") => {
                        format!("safe_cast({value} as int64)")
                    }
                    float if float.starts_with("float") => format!("safe_cast({value} as float64)"),
                    _ => return Err(Refusal::unsupported("JSONExtractKeysAndValues of this type")),
                };
                format!(
                    "array(select (plain_text(e1), {value}) from unnest(map_keys({map})) as e1 with offset as o1 where {value} is not null order by o1)"
                )
            }
            ("tostring", [map]) if is_attributes(map) => attributes_text(map),
            // Nulls do not count.
            ("greatest" | "least", [one, other]) if may_be_null(arguments) => {
                format!("coalesce({name}({one}, {other}), {one}, {other})")
            }
            ("greatest" | "least", [_, _, _, ..]) if may_be_null(arguments) => {
                return Err(Refusal::unsupported(&format!(
                    "{name} of more than two values that may be null"
                )));
            }
            ("left" | "leftutf8" | "right" | "rightutf8", [of, count])
                if let Some(less) = count.strip_prefix("(-").and_then(|rest| rest.strip_suffix(')')) =>
            {
                let side = if name.starts_with("left") { "left" } else { "right" };
                format!("{side}({of}, greatest(length({of}) - {less}, 0))")
            }
            ("cast", [value, _]) => {
                let type_ = text(1).ok_or_else(|| Refusal::unsupported("cast to a type that is no text"))?;
                converted(value, type_, false)?
            }
            ("accuratecastornull" | "castornull", [value, _]) => {
                let type_ = text(1).ok_or_else(|| Refusal::unsupported("cast to a type that is no text"))?;
                converted(value, type_, true)?
            }
            ("concat", [_, ..]) => format!("plain_concat({})", printed.join(", ")),
            ("format", [_, values @ ..]) => filled(text(0).ok_or_else(|| unknown(name))?, values)?,
            ("substringindex", [of, at, count]) => {
                let back = count.strip_prefix("(-").and_then(|rest| rest.strip_suffix(')'));
                let kept = match (count.parse::<u32>(), back.and_then(|back| back.parse::<u32>().ok())) {
                    (Ok(count), _) => format!("o1 < {count}"),
                    (_, Some(back)) => format!("o1 >= array_length(split({of}, {at})) - {back}"),
                    _ => return Err(Refusal::unsupported("substringIndex with a count that is no number")),
                };
                format!(
                    "array_to_string(array(select e1 from unnest(split({of}, {at})) as e1 with offset as o1 where {kept} order by o1), {at})"
                )
            }
            ("multiif", [.., other]) if printed.len() >= 3 && printed.len() % 2 == 1 => {
                let cases = printed[..printed.len() - 1].chunks(2);
                let cases = cases.map(|pair| format!("when {} then {}", truth(&pair[0]), pair[1]));
                let cases: Vec<_> = cases.collect();
                format!("case {} else {other} end", cases.join(" "))
            }
            (
                "multisearchany"
                | "multisearchanycaseinsensitive"
                | "multimatchany"
                | "multisearchfirstindex"
                | "multimatchanyindex"
                | "multisearchallpositions"
                | "multisearchfirstposition",
                [text, list],
            ) => {
                let list = self.list_to_look_through(list);
                let from = format!("from unnest({list}) as e1 with offset as o1");
                let found = match name {
                    "multimatchany" | "multimatchanyindex" => format!("regexp_contains({text}, e1)"),
                    "multisearchanycaseinsensitive" => format!("strpos(lower({text}), lower(e1)) > 0"),
                    _ => format!("strpos({text}, e1) > 0"),
                };
                match name {
                    "multisearchfirstindex" | "multimatchanyindex" => {
                        format!("coalesce((select min(o1) + 1 {from} where {found}), 0)")
                    }
                    "multisearchfirstposition" => {
                        format!("coalesce((select min(strpos({text}, e1)) {from} where {found}), 0)")
                    }
                    "multisearchallpositions" => {
                        format!("array(select strpos({text}, e1) {from} order by o1)")
                    }
                    _ => format!("exists(select 1 {from} where {found})"),
                }
            }
            ("tostring", [at, zone]) => {
                format!("plain_text(datetime(as_moment({at}), {zone}))")
            }
            ("concatwithseparator" | "concat_ws", [separator, rest @ ..]) => {
                format!("array_to_string([{}], {separator})", rest.join(", "))
            }
            ("and" | "or", [_, _, ..]) => {
                let all: Vec<_> = printed.iter().map(|one| truth(one)).collect();
                format!("({})", all.join(&format!(" {name} ")))
            }
            ("json_exists", [of, path]) => format!("(json_query({of}, {path}) is not null)"),
            (json, [of, ..])
                if json.starts_with("jsonextract")
                    || matches!(json, "jsonhas" | "jsonlength" | "jsontype") =>
            {
                return json_call(json, of, arguments).map(Some);
            }
            (simple, [of, _]) if simple.starts_with("simplejson") || simple.starts_with("visitparam") => {
                let rest = simple.trim_start_matches("simplejson").trim_start_matches("visitparam");
                return json_call(&format!("json{rest}"), of, arguments).map(Some);
            }
            _ => return Ok(None),
        }))
    }

    /// Of lists, tuples and maps, and calls that collect values.
    fn special_list(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        let text = |index: usize| arguments.get(index).and_then(text_of);
        Ok(Some(match (name, printed) {
            ("finalizeaggregation", [state]) => self.finalized(arguments.first().and_then(expr_of), state)?,
            ("tojsonstring", [_]) if let Some(parts) = self.tuple_of_argument(arguments.first())? => {
                format!("to_json_string(json_array({}))", parts.join(", "))
            }
            // An element that is not there is zero or an empty text. Negative places count from the end.
            ("arrayelement", [list, place]) => {
                match place.strip_prefix("(-").and_then(|rest| rest.strip_suffix(')')) {
                    Some(place) => or_empty(format!("array_reverse({list})[safe_ordinal({place})]")),
                    None => or_empty(format!("{list}[safe_ordinal({place})]")),
                }
            }
            ("arrayconcat", [_, ..]) => format!("array_concat({})", printed.join(", ")),
            ("argmax" | "argmin", [value, _])
                if let Some(keys) = self.tuple_of_argument(arguments.get(1))? =>
            {
                let direction = if name == "argmax" { " desc" } else { "" };
                let keys: Vec<_> = keys.iter().map(|key| format!("{key}{direction}")).collect();
                format!(
                    "array_agg(({value}) ignore nulls order by {} limit 1)[safe_offset(0)]",
                    keys.join(", ")
                )
            }
            ("groupconcat", [list]) => format!("array_to_string(array_agg(({list}) ignore nulls), '')"),
            ("tojsonstring", [map]) if is_attributes(map) => {
                let pair =
                    "concat(to_json_string(tuple_element(e1, 1)), ':', to_json_string(tuple_element(e1, 2)))";
                format!(
                    "concat('{{', array_to_string(array(select {pair} from unnest(map_entries({map})) as e1 order by tuple_element(e1, 1)), ','), '}}')"
                )
            }
            ("tuple", [_, ..]) => tuple(printed),
            // The elements of a map are pairs of `keys` and `values`.
            ("tupleelement", [tuple, _]) if let Some(part) = text(1) => match part {
                "keys" => format!("tuple_element({tuple}, 1)"),
                "values" => format!("tuple_element({tuple}, 2)"),
                _ => return Err(Refusal::unsupported("tupleElement by a name")),
            },
            ("tupleelement", [tuple, place]) => format!("tuple_element({tuple}, {place})"),
            ("map", []) => "json_object()".to_owned(),
            ("map", _) if printed.len().is_multiple_of(2) => {
                let pairs: Vec<_> = printed.chunks(2).map(tuple).collect();
                format!("map_of([{}])", pairs.join(", "))
            }
            ("arrayzip", [one, others @ ..]) if !others.is_empty() => {
                let others = others.iter().map(|other| format!("{other}[safe_offset(o1)]"));
                let all: Vec<_> = std::iter::once("e1".to_owned()).chain(others).collect();
                format!(
                    "array(select {} from unnest({one}) as e1 with offset as o1 order by o1)",
                    tuple(&all)
                )
            }
            ("arrayreduce", [_, lists @ ..]) if !lists.is_empty() => self.reduced(text(0), lists)?,
            ("totypename", [_]) => {
                let known = arguments.first().and_then(expr_of).and_then(|expr| self.type_name(expr));
                quoted(&known.ok_or_else(|| {
                    Refusal::unsupported("toTypeName of a value whose type the query does not tell")
                })?)
            }
            ("arrayjoin", [map]) if is_attributes(map) || map.starts_with("map_of(") => {
                let entries = format!("map_entries({map})");
                return self.special(name, &[], &[entries]);
            }
            ("has" | "mapcontainskey", [map, key]) if is_attributes(map) => {
                format!("({key} in unnest(map_keys({map})))")
            }
            ("uniq" | "uniqexact" | "uniqcombined" | "uniqcombined64" | "uniqhll12", [_, _, ..])
            | ("countdistinct", [_, _, ..]) => format!("count(distinct {})", whole_key(printed)),
            ("topk", [value]) => format!("list_top(array_agg(({value}) ignore nulls), 10)"),
            ("length" | "empty" | "notempty", [map]) if is_attributes(map) => {
                return self
                    .special(name, arguments, &[format!("map_keys({map})")])
                    .map(|special| special.or_else(|| form(name, &[format!("map_keys({map})")])));
            }
            ("array", _) => format!("[{}]", printed.join(", ")),
            ("transform", [value, _, _, ..]) => {
                let lists = [1, 2].map(|index| arguments.get(index).and_then(expr_of));
                let [Some(Expr::Array(from)), Some(Expr::Array(to))] = lists else {
                    return Err(Refusal::unsupported("transform of other than written lists"));
                };
                let (from, to) = (from.elem.clone(), to.elem.clone());
                if from.len() != to.len() {
                    return Err(Refusal::invalid("transform takes two lists of the same length"));
                }
                let mut cases = String::new();
                for (from, to) in from.iter().zip(&to) {
                    cases.push_str(&format!(" when {} then {}", self.expr(from)?, self.expr(to)?));
                }
                let other = printed.get(3).unwrap_or(value);
                format!("case {value}{cases} else {other} end")
            }
            ("has", [list, value]) if is_aggregate_list(arguments.first()) => {
                format!("({value} in unnest({}))", self.list_to_look_through(list))
            }
            ("arrayjoin", [list]) => {
                let list = &self.list_to_look_through(list);
                let known = self.unnested.iter().position(|known| known == list);
                let index = known.unwrap_or_else(|| {
                    self.unnested.push(list.clone());
                    self.unnested.len() - 1
                });
                element(index)
            }
            _ => return Ok(None),
        }))
    }

    /// Of dates and times.
    fn special_time(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        let text = |index: usize| arguments.get(index).and_then(text_of);
        Ok(Some(match (name, printed) {
            // Days and timestamps of the store end with what their numbers hold.
            ("todate", [day]) if let Some(day) = text(0).or_else(|| negative(day)).and_then(day_in_range) => {
                format!("date({})", quoted(day))
            }
            ("todatetime", [at])
                if let Some(at) = text(0).or_else(|| negative(at)).and_then(instant_in_range) =>
            {
                format!("cast({} as timestamp)", quoted(at))
            }
            ("todatetime", [at]) if let Ok(4_294_967_296..) = at.parse::<i64>() => {
                "timestamp_seconds(4294967295)".to_owned()
            }
            ("todatetime", [at]) if text(0).is_some_and(|text| !text.contains('.')) => {
                match text(0).and_then(|text| text.parse::<u32>().ok()) {
                    Some(seconds) if seconds > 9999 => format!("timestamp_seconds({seconds})"),
                    _ => format!("cast({at} as timestamp)"),
                }
            }
            ("todatetime64", [at, digits]) if !is_number(arguments.first()) => {
                let is_short =
                    text(0).is_some_and(|text| digits_after_point(text) <= digits.parse().unwrap_or(0));
                let at = format!("cast({at} as timestamp)");
                if is_short { at } else { cut(&at, digits)? }
            }
            ("todate", [day]) if is_number(arguments.first()) => match day.parse::<i64>() {
                Ok(days @ 0..=65_535) => format!("date_add(date '1970-01-01', interval {days} day)"),
                _ => format!("date(timestamp_seconds(plain_whole({day})))"),
            },
            ("todate", [at]) if text(0).is_some_and(|text| text.trim().len() > 10) => {
                format!("date(cast({at} as timestamp))")
            }
            ("todayofweek", [at, mode]) if is_number(arguments.get(1)) => {
                let from_sunday = format!("extract(dayofweek from as_moment({at}))");
                match mode.as_str() {
                    "0" => format!("(mod({from_sunday} + 5, 7) + 1)"),
                    "1" => format!("mod({from_sunday} + 5, 7)"),
                    "2" => format!("({from_sunday} - 1)"),
                    "3" => from_sunday,
                    _ => return Err(Refusal::invalid("toDayOfWeek has the modes 0 to 3")),
                }
            }
            ("todatetime" | "todatetime64" | "fromunixtimestamp", [at, ..])
                if is_number(arguments.first()) =>
            {
                match at.contains('.') && name == "todatetime64" {
                    true => format!("timestamp_micros(plain_whole({at} * 1000000))"),
                    false => format!("timestamp_seconds(plain_whole({at}))"),
                }
            }
            ("parsedatetimebesteffort", [at, zone]) | ("parsedatetime64besteffort", [at, _, zone])
                if let Some(text) = text(0) =>
            {
                match has_own_zone(text) {
                    true => format!("best_effort({at})"),
                    false => format!("timestamp(datetime(best_effort({at})), {zone})"),
                }
            }
            // The zone of a timestamp changes only how it is shown; a text is in that zone.
            ("todatetime" | "parsedatetimebesteffort", [at, zone])
            | ("todatetime64" | "parsedatetime64besteffort", [at, _, zone]) => match text(0) {
                Some(text) if name == "todatetime64" => {
                    let digits = printed.get(1).map_or("0", String::as_str);
                    let at = format!("timestamp({at}, {zone})");
                    match digits_after_point(text) <= digits.parse().unwrap_or(0) {
                        true => at,
                        false => cut(&at, digits)?,
                    }
                }
                Some(_) => format!("timestamp({at}, {zone})"),
                None if name.contains("64") => format!("cast({at} as timestamp)"),
                None => format!("timestamp_trunc(cast({at} as timestamp), second)"),
            },
            ("tounixtimestamp", [at]) if text(0).is_some() => {
                format!("unix_seconds(cast({at} as timestamp))")
            }
            ("tounixtimestamp", [at, zone]) if text(0).is_some() => {
                format!("unix_seconds(timestamp({at}, {zone}))")
            }
            ("parsedatetimeorzero", _) => {
                let parsed = self.special("parsedatetimeornull", arguments, printed)?;
                format!("coalesce({}, timestamp_seconds(0))", parsed.ok_or_else(|| unknown(name))?)
            }
            ("parsedatetime" | "parsedatetimeornull", [at, _, zone @ ..]) => {
                let format = quoted(&text_format(text(1).ok_or_else(|| unknown(name))?)?);
                let zone = zone.first().map(|zone| format!(", {zone}")).unwrap_or_default();
                let safe = if name.ends_with("ornull") { "safe." } else { "" };
                format!("{safe}parse_timestamp({format}, {at}{zone})")
            }
            (
                "dateadd" | "date_add" | "timestamp_add" | "timestampadd" | "datesub" | "date_sub"
                | "timestamp_sub" | "timestampsub" | "adddate" | "subdate",
                [_, second, rest @ ..],
            ) => {
                let back = name.contains("sub");
                let interval = |place: usize| self.names.interval(arguments.get(place).and_then(expr_of)?);
                match (rest, interval(0), interval(1)) {
                    ([at], _, _) => {
                        moved(at, second, unit_of(arguments.first()).ok_or_else(|| unknown(name))?, back)
                    }
                    ([], None, Some(by)) => self.moved_by(printed[0].clone(), &by, back)?,
                    ([], Some(by), None) if !back => self.moved_by(second.clone(), &by, back)?,
                    _ => return Err(unknown(name)),
                }
            }
            ("age", [_, from, to]) => {
                let unit = unit_of(arguments.first()).ok_or_else(|| unknown(name))?;
                whole_units(from, to, unit)
            }
            ("datename", [_, at]) => match text(0).map(str::to_lowercase).as_deref() {
                Some("month") => format!("format_timestamp('%B', as_moment({at}))"),
                Some("weekday") => format!("format_timestamp('%A', as_moment({at}))"),
                Some(
                    part @ ("year" | "quarter" | "dayofyear" | "day" | "week" | "hour" | "minute" | "second"),
                ) => {
                    let part = if part == "week" { "isoweek" } else { part };
                    format!("cast(extract({part} from as_moment({at})) as string)")
                }
                _ => return Err(Refusal::unsupported("dateName of this part")),
            },
            ("datediff" | "date_diff" | "timestampdiff", [_, from, to]) => {
                match unit_of(arguments.first()).ok_or_else(|| unknown(name))? {
                    "week" => format!("date_diff(date({to}), date({from}), isoweek)"),
                    unit @ ("month" | "quarter" | "year") => {
                        format!("date_diff(date({to}), date({from}), {unit})")
                    }
                    unit => format!(
                        "timestamp_diff(timestamp_trunc(as_moment({to}), {unit}), timestamp_trunc(as_moment({from}), {unit}), {unit})"
                    ),
                }
            }
            ("datetrunc" | "date_trunc", [_, at, zone @ ..]) => {
                let unit = unit_of(arguments.first()).ok_or_else(|| unknown(name))?;
                let unit = if unit == "week" { "isoweek" } else { unit };
                let zone = zone.first().map(|zone| format!(", {zone}")).unwrap_or_default();
                let start = format!("timestamp_trunc(as_moment({at}), {unit}{zone})");
                if is_of_days(unit) { format!("date({start}{zone})") } else { start }
            }
            ("tostartofinterval", [at, ..]) => {
                let zone = arguments.get(2).map(text_of);
                let interval = arguments.get(1).and_then(expr_of).and_then(|by| self.one_interval(by));
                let interval = interval.as_ref().map(|(count, unit)| (count, *unit));
                let at = &format!("as_moment({at})");
                match (arguments.len(), zone) {
                    (2, _) | (3, Some(Some("UTC"))) => start_of_interval(at, interval, None)?,
                    (3, Some(Some(zone))) => start_of_interval(at, interval, Some(zone))?,
                    (3, Some(None)) => {
                        let origin = self.arguments(&arguments[2..])?.concat();
                        start_from(at, &origin, interval)?
                    }
                    _ => return Err(Refusal::unsupported("toStartOfInterval with an origin and a zone")),
                }
            }
            ("formatdatetime", [at, _, zone @ ..]) => {
                let at = format!("as_moment({at})");
                shown(&at, text(1).ok_or_else(|| unknown(name))?, zone.first())?
            }
            (shift, [at, count]) if shift.starts_with("add") || shift.starts_with("subtract") => {
                let unit = shift.trim_start_matches("add").trim_start_matches("subtract");
                let Some(unit) = unit_named(unit) else { return Ok(None) };
                moved(at, count, unit, shift.starts_with("subtract"))
            }
            _ => return Ok(None),
        }))
    }
}

/// A text that stands for a number below zero, which is before the first day.
/// Whether the text of a timestamp tells its zone, or is a number of seconds.
fn has_own_zone(text: &str) -> bool {
    let text = text.trim();
    let is_offset = |text: &str| {
        let digits = text.rsplit(['+', '-']).next().unwrap_or_default();
        text.contains(':')
            && digits.len() < text.len()
            && matches!(digits.len(), 2 | 4 | 5)
            && digits.chars().all(|sign| sign.is_ascii_digit() || sign == ':')
    };
    let is_number = matches!(text.len(), 9 | 10 | 13) && text.chars().all(|sign| sign.is_ascii_digit());
    ["Z", "GMT", "UTC"].iter().any(|zone| text.ends_with(zone)) || is_number || is_offset(text)
}

fn negative(number: &str) -> Option<&'static str> {
    number.strip_prefix("(-").map(|_| "0000-01-01")
}

/// The first or the last day of the store for a day that lies beyond; `None` for others.
fn day_in_range(day: &str) -> Option<&'static str> {
    let day = day.get(..10).filter(|day| is_day_text(day))?;
    if day < "1970-01-01" {
        return Some("1970-01-01");
    }
    (day > "2149-06-06").then_some("2149-06-06")
}

/// The same for timestamps in whole seconds.
fn instant_in_range(at: &str) -> Option<&'static str> {
    if !is_day_text(at) {
        return None;
    }
    if at < "1970-01-01" {
        return Some("1970-01-01 00:00:00");
    }
    (at.replace('T', " ").as_str() > "2106-02-07 06:28:15").then_some("2106-02-07 06:28:15")
}

/// Whether a text begins with a day as in `2025-02-10`.
fn is_day_text(text: &str) -> bool {
    let signs = text.as_bytes();
    let is_digit = |place: &usize| signs.get(*place).is_some_and(u8::is_ascii_digit);
    signs.get(4) == Some(&b'-')
        && signs.get(7) == Some(&b'-')
        && [0, 1, 2, 3, 5, 6, 8, 9].iter().all(is_digit)
}

/// The host of an address, empty if it has no dot or a sign that no host has.
pub(super) fn host(url: &str, without_www: bool) -> String {
    const NONE: &str = r" \\t<>%{}|\\\\^~\\[\\];=&/?#:@";
    let host = format!("(?:[^{NONE}.]*[.])+[^{NONE}.]+");
    let before = "^(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?";
    let found =
        format!("coalesce(regexp_extract({url}, '{before}(?:[^{NONE}]*@)?({host})(?:[:/?#]|$)'), '')");
    if without_www { format!("regexp_replace({found}, '^www[.]', '')") } else { found }
}

/// The text of the attributes: `{'key':'value'}`.
fn attributes_text(map: &str) -> String {
    let shown = |place: usize| {
        format!("replace(replace(tuple_element(e1, {place}), '\\\\', '\\\\\\\\'), '\\'', '\\\\\\'')")
    };
    let pair = format!("concat('\\'', {}, '\\':\\'', {}, '\\'')", shown(1), shown(2));
    format!(
        "concat('{{', array_to_string(array(select {pair} from unnest(map_entries({map})) as e1 order by tuple_element(e1, 1)), ','), '}}')"
    )
}

/// A timestamp without what is below so many digits of a second.
fn cut(at: &str, digits: &str) -> Result<String, Refusal> {
    Ok(match digits.parse::<u32>() {
        Ok(0) => format!("timestamp_trunc({at}, second)"),
        Ok(3) => format!("timestamp_trunc({at}, millisecond)"),
        Ok(digits @ (1 | 2 | 4 | 5)) => {
            let width = 10_i64.pow(6 - digits);
            format!("timestamp_micros(div(unix_micros({at}), {width}) * {width})")
        }
        Ok(6..=9) => at.to_owned(),
        _ => return Err(Refusal::invalid("toDateTime64 takes a number of digits from 0 to 9")),
    })
}

fn digits_after_point(text: &str) -> u32 {
    let after = text.split_once('.').map_or("", |(_, after)| after);
    after.chars().take_while(char::is_ascii_digit).count() as u32
}

/// The number of whole units between two timestamps: borders that are crossed do not count.
fn whole_units(from: &str, to: &str, unit: &str) -> String {
    let (from, to) = (format!("as_moment({from})"), format!("as_moment({to})"));
    let width = match unit {
        "month" => 1,
        "quarter" => 3,
        "year" => 12,
        "week" => return format!("div(timestamp_diff({to}, {from}, second), 604800)"),
        unit => return format!("timestamp_diff({to}, {from}, {unit})"),
    };
    let within = |at: &str| format!("format_timestamp('%d%H%M%S', {at})");
    let (first, last) = (within(&from), within(&to));
    let months = format!(
        "date_diff(date({to}), date({from}), month) + case when {to} >= {from} and {last} < {first} then -1 when {to} < {from} and {last} > {first} then 1 else 0 end"
    );
    format!("div({months}, {width})")
}

/// Whether an argument is a call such as `toInt32(x)`.
fn is_signed(argument: Option<&FunctionArg>) -> bool {
    let Some(Expr::Function(function)) = argument.and_then(expr_of) else { return false };
    function.name.to_string().to_lowercase().starts_with("toint")
}

/// The zone of `toTimeZone(at, zone)`, `toDateTime(at, zone)` or `toDateTime64(at, digits, zone)`.
pub(super) fn zone_of(expr: &Expr) -> Option<FunctionArg> {
    let Expr::Function(function) = expr else { return None };
    let FunctionArguments::List(list) = &function.args else { return None };
    let name = function.name.to_string().to_lowercase();
    match (name.as_str(), list.args.as_slice()) {
        ("totimezone" | "todatetime", [_, zone]) | ("todatetime64", [_, _, zone]) => Some(zone.clone()),
        _ => None,
    }
}

impl Writer {
    /// `arrayReduce('sumIf', list, conditions)`: the aggregate of rows with the elements at the same places.
    pub(super) fn reduced(&mut self, of: Option<&str>, lists: &[String]) -> Result<String, Refusal> {
        let refused = || Refusal::unsupported("arrayReduce of this function");
        let of = of.ok_or_else(refused)?;
        let lists: Vec<_> = lists.iter().map(|list| self.list_to_look_through(list)).collect();
        let names: Vec<_> = (1..=lists.len()).map(|place| format!("reduced_{place}")).collect();
        let text = format!("{of}({})", names.join(", "));
        let parsed =
            Parser::new(&ClickHouseDialect {}).try_with_sql(&text).map_err(|_| refused())?.parse_expr();
        let call = match parsed.map_err(|_| refused())? {
            Expr::Function(call) if is_aggregate(&call.name.to_string().to_lowercase()) => call,
            _ => return Err(refused()),
        };
        for (place, (own, list)) in names.iter().zip(&lists).enumerate() {
            let element = if place == 0 { "e1".to_owned() } else { format!("{list}[safe_offset(o1)]") };
            self.aliases.insert(own.clone(), element);
        }
        let looked_through = self.of_groups.len();
        let grouped = std::mem::replace(&mut self.grouped, false);
        let sql = self.expr(&Expr::Function(call));
        self.grouped = grouped;
        names.iter().for_each(|own| {
            self.aliases.remove(own);
        });
        if self.of_groups.len() > looked_through {
            self.of_groups.truncate(looked_through);
            return Err(refused());
        }
        let offset = if lists.len() > 1 { " with offset as o1" } else { "" };
        Ok(format!("(select {} from unnest({}) as e1{offset})", sql?, lists[0]))
    }
}
