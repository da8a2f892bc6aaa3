//! Calls of the columnar dialect: those with a form of their own, and what the others are looked up in.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, LambdaFunction,
    OneOrManyWithParens, Value, WindowFrame, WindowFrameBound, WindowSpec, WindowType,
};

use super::aggregate::{aggregate, combinators, or_zero, whole_key, with_parameters};
use super::convert::conversion;
use super::expr::{converted, or_empty, part_of, quoted, tuple, unit_named};
use super::format::{filled, is_of_days, shown, start_from, start_of_interval, text_format, unit_of};
use super::functions::{CONDITIONAL, FORMS, SAME};
use super::json::json_call;
use super::{Writer, element, is_attributes};
use crate::refusal::Refusal;

impl Writer {
    pub(super) fn call(&mut self, function: &Function) -> Result<String, Refusal> {
        if function.null_treatment.is_some() || !function.within_group.is_empty() {
            return Err(Refusal::unsupported(&function.to_string()));
        }
        let arguments = match &function.args {
            FunctionArguments::List(list) => {
                if !list.clauses.is_empty() {
                    return Err(Refusal::unsupported(&function.to_string()));
                }
                if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) {
                    return self.distinct(function, &list.args);
                }
                list.args.as_slice()
            }
            FunctionArguments::None => &[],
            FunctionArguments::Subquery(_) => return Err(Refusal::unsupported(&function.to_string())),
        };
        let name = function.name.to_string();
        if let Some(filter) = &function.filter {
            return self.filtered(&name, arguments, filter, function.over.is_some());
        }
        let sql = match (&function.parameters, &function.over) {
            (FunctionArguments::List(parameters), _) => {
                self.parametric(&name, &parameters.args, arguments)?
            }
            (_, Some(_)) => self.in_window(&name, arguments)?,
            _ => self.named_call(&name, arguments)?,
        };
        let window = match &function.over {
            None => return Ok(sql),
            Some(WindowType::WindowSpec(window)) => window.clone(),
            Some(WindowType::NamedWindow(name)) => {
                let known = self.windows.get(&name.value).cloned();
                known.ok_or_else(|| Refusal::invalid(format!("Window '{name}' is not defined")))?
            }
        };
        Ok(format!("{sql} over ({})", self.window(&window, &name.to_lowercase())?))
    }

    /// A call that a window follows. In a window the aggregate is the whole expression.
    fn in_window(&mut self, name: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let lower = name.to_lowercase();
        let printed = self.arguments(arguments)?;
        let (base, conditional, _) = combinators(&lower);
        Ok(match (base, printed.as_slice()) {
            ("sum" | "avg" | "min" | "max" | "count", [value, condition]) if conditional => {
                format!("{base}(if({}, plain_number({value}), null))", truth(condition))
            }
            ("sum" | "avg" | "min" | "max", [value]) if !conditional => {
                format!("{base}(plain_number({value}))")
            }
            ("any" | "any_value", [value]) if !conditional => format!("first_value({value})"),
            ("anylast", [value]) if !conditional => format!("last_value({value})"),
            ("first_value" | "last_value", [value]) if !conditional => format!("{base}({value})"),
            // Beyond the window there are zeros and empty texts.
            ("lag" | "lead", [_] | [_, _]) if !may_be_null(arguments) => {
                format!("{lower}inframe({})", printed.join(", "))
            }
            _ => self.named_call(name, arguments)?,
        })
    }

    fn distinct(&mut self, function: &Function, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let name = function.name.to_string();
        let is_more = function.over.is_some() || function.filter.is_some();
        match (name.to_lowercase().as_str(), arguments) {
            _ if is_more => Err(Refusal::unsupported(&function.to_string())),
            ("count", [_, _, ..]) => self.named_call("uniqExact", arguments),
            ("sum", [_]) => self.named_call("sumDistinct", arguments),
            _ => Ok(format!("{name}(distinct {})", self.arguments(arguments)?.join(", "))),
        }
    }

    /// `sum(x) FILTER (WHERE …)` is `sumIf(x, …)`.
    fn filtered(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        filter: &Expr,
        in_window: bool,
    ) -> Result<String, Refusal> {
        if in_window {
            return Err(Refusal::unsupported("FILTER in a window"));
        }
        let condition = FunctionArg::Unnamed(FunctionArgExpr::Expr(filter.clone()));
        let is_all =
            |argument: &FunctionArg| matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Wildcard));
        let given = arguments.iter().filter(|argument| !is_all(argument)).cloned();
        self.named_call(&format!("{name}If"), &given.chain([condition]).collect::<Vec<_>>())
    }

    /// The window. A function that looks beyond its row has no frame in the warehouse, so its frame must have all rows on that side.
    fn window(&mut self, window: &WindowSpec, function: &str) -> Result<String, Refusal> {
        let mut parts = Vec::new();
        if !window.partition_by.is_empty() {
            parts.push(format!("partition by {}", self.list(&window.partition_by)?));
        }
        if !window.order_by.is_empty() {
            parts.push(format!("order by {}", self.order(&window.order_by)?));
        }
        if matches!(function, "laginframe" | "leadinframe") {
            let from_start =
                |frame: &WindowFrame| matches!(frame.start_bound, WindowFrameBound::Preceding(None));
            let to_end =
                |frame: &WindowFrame| matches!(frame.end_bound, Some(WindowFrameBound::Following(None)));
            let is_whole = match &window.window_frame {
                // Without a frame it ends at the row.
                None => function == "laginframe",
                Some(frame) if function == "laginframe" => {
                    from_start(frame) && !matches!(frame.end_bound, Some(WindowFrameBound::Preceding(_)))
                }
                Some(frame) => to_end(frame) && !matches!(frame.start_bound, WindowFrameBound::Following(_)),
            };
            return match is_whole {
                true => Ok(parts.join(" ")),
                false => Err(Refusal::unsupported("lagInFrame or leadInFrame in a part of its partition")),
            };
        }
        if let Some(frame) = &window.window_frame {
            let end = frame.end_bound.as_ref().map(|end| format!(" and {end}")).unwrap_or_default();
            let between = if end.is_empty() { "" } else { "between " };
            parts.push(format!("{} {between}{}{end}", frame.units, frame.start_bound));
        }
        Ok(parts.join(" "))
    }

    /// `quantile(0.95)(x)`, `quantiles(0.5, 0.9)(x)`, `quantileIf(0.9)(x, condition)`, `topK(3)(x)`.
    fn parametric(
        &mut self,
        name: &str,
        parameters: &[FunctionArg],
        arguments: &[FunctionArg],
    ) -> Result<String, Refusal> {
        let (parameters, arguments) = (self.arguments(parameters)?, self.arguments(arguments)?);
        let lower = name.to_lowercase();
        let (base, conditional, empty) = combinators(&lower);
        let value = match arguments.as_slice() {
            [value, condition] if conditional => format!("if({}, {value}, null)", truth(condition)),
            [value] if !conditional => value.clone(),
            // The second argument only seeds a sample.
            [value, _] if base == "quantiledeterministic" => value.clone(),
            _ => return Err(unknown(name)),
        };
        if let Some(empty) = empty {
            let plain = with_parameters(name, base, &parameters, &value)?;
            return Ok(empty.around(&plain, &value, &format!("count({value})")));
        }
        with_parameters(name, base, &parameters, &value)
    }

    /// A call without parameters and window.
    pub(super) fn named_call(&mut self, name: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let lower = name.replace(['`', '"'], "").to_lowercase();
        if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(lambda))), lists @ ..] = arguments {
            return self.of_each(&lower, lambda, lists);
        }
        if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(tuple))] = arguments
            && lower.starts_with("uniq")
            && let Some(elements) = self.tuple_of(tuple)?
        {
            return Ok(format!("count(distinct {})", whole_key(&elements)));
        }
        // A part of an instant in another zone.
        if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Function(inner)))] = arguments
            && let FunctionArguments::List(list) = &inner.args
            && inner.name.to_string().eq_ignore_ascii_case("toTimeZone")
            && let [_, _] = list.args.as_slice()
        {
            return self.named_call(name, &list.args);
        }
        // An interval is no value of its own.
        let values =
            if lower == "tostartofinterval" { &arguments[..arguments.len().min(1)] } else { arguments };
        let printed = self.arguments(values)?;
        if let Some(special) = self.special(&lower, arguments, &printed)? {
            return Ok(special);
        }
        let printed = self.arguments_by_name(&lower, printed);
        if let Some(cast) = conversion(&lower, &printed) {
            return Ok(cast);
        }
        let (base, conditional, empty) = combinators(&lower);
        if conditional
            && CONDITIONAL.contains(&base)
            && let Some((condition, values)) = printed.split_last()
        {
            let condition = truth(condition);
            let filtered: Vec<_> =
                values.iter().map(|value| format!("if({condition}, {value}, null)")).collect();
            if base.starts_with("uniq") && values.len() > 1 {
                return Ok(format!("count(distinct if({condition}, {}, null))", whole_key(values)));
            }
            let sql = aggregate(base, &filtered).ok_or_else(|| unknown(name))?;
            if let (Some(empty), Some(value)) = (empty, values.first()) {
                return Ok(empty.around(
                    &sql,
                    value,
                    &format!("countif({condition} and {value} is not null)"),
                ));
            }
            let nullable = may_be_null(&arguments[..arguments.len() - 1]);
            return Ok(if nullable { sql } else { or_zero(base, sql, values) });
        }
        if let (Some(empty), false) = (empty, conditional) {
            let sql = aggregate(base, &printed).ok_or_else(|| unknown(name))?;
            return Ok(match printed.first() {
                Some(value) => empty.around(&sql, value, &format!("count({value})")),
                None => empty.around(&sql, "0", "count(*)"),
            });
        }
        if lower == "sum" && may_be_null(arguments) {
            return Ok(format!("sum(plain_number({}))", printed.join(", ")));
        }
        let sql = aggregate(&lower, &printed).ok_or_else(|| unknown(name))?;
        Ok(if self.grouped || may_be_null(arguments) { sql } else { or_zero(&lower, sql, &printed) })
    }

    /// The arguments of a function: by their names those lists of groups whose elements it looks through.
    fn arguments_by_name(&mut self, name: &str, printed: Vec<String>) -> Vec<String> {
        let found = FORMS.iter().find(|(known, count, _)| *known == name && *count == printed.len());
        let looks = |index: usize| {
            found.is_some_and(|(_, _, template)| template.contains(&format!("unnest({{{index}}})")))
        };
        let list = |(index, list): (usize, String)| {
            if looks(index) { self.list_to_look_through(&list) } else { list }
        };
        printed.into_iter().enumerate().map(list).collect()
    }

    /// `arrayMap(x -> …, list)`, `arrayMap((x, y) -> …, one, other)`, `mapFilter((k, v) -> …, map)` and their like.
    fn of_each(
        &mut self,
        name: &str,
        lambda: &LambdaFunction,
        lists: &[FunctionArg],
    ) -> Result<String, Refusal> {
        let parameters: Vec<_> = match &lambda.params {
            OneOrManyWithParens::One(one) => vec![one.name.value.clone()],
            OneOrManyWithParens::Many(many) => many.iter().map(|one| one.name.value.clone()).collect(),
        };
        let lists = self.arguments(lists)?;
        let lists: Vec<_> = lists.iter().map(|list| self.list_to_look_through(list)).collect();
        let of_map = name.starts_with("map");
        self.lambdas += 1;
        let (e, o) = (format!("each_{}", self.lambdas), format!("place_{}", self.lambdas));
        let (list, meanings) = match (lists.as_slice(), parameters.len()) {
            ([map], 2) if of_map => {
                let part = |place: usize| format!("tuple_element({e}, {place})");
                (format!("map_entries({map})"), vec![part(1), part(2)])
            }
            ([first, others @ ..], count) if !of_map && count == lists.len() => {
                let others = others.iter().map(|list| or_empty(format!("{list}[safe_offset({o})]")));
                (first.clone(), std::iter::once(e.clone()).chain(others).collect())
            }
            _ => {
                return Err(Refusal::invalid(format!(
                    "{name} takes a list for each parameter of its function"
                )));
            }
        };
        let before: Vec<_> = parameters
            .iter()
            .zip(meanings)
            .map(|(parameter, meaning)| (parameter, self.aliases.insert(parameter.clone(), meaning)))
            .collect();
        let body = self.expr(&lambda.body);
        let pair = self.tuple_of(&lambda.body);
        for (parameter, before) in before {
            match before {
                Some(before) => self.aliases.insert(parameter.clone(), before),
                None => self.aliases.remove(parameter),
            };
        }
        let (mut body, pair) = (body?, pair?);
        let tests = [
            "filter",
            "exists",
            "all",
            "count",
            "first",
            "last",
            "firstindex",
            "lastindex",
            "firstornull",
            "lastornull",
        ];
        if tests.contains(&name.trim_start_matches("array").trim_start_matches("map")) {
            body = truth(&body);
        }
        let from = format!("from unnest({list}) as {e}");
        let placed = format!("{from} with offset as {o}");
        let from = if lists.len() > 1 { placed.clone() } else { from };
        let found =
            |direction: &str| format!("(select {e} {placed} where {body} order by {o}{direction} limit 1)");
        let nth =
            |direction: &str| format!("coalesce({}, zero_of({list}[safe_offset(0)]))", found(direction));
        Ok(match name {
            "arraymap" => format!("array(select {body} {placed} order by {o})"),
            "arrayfilter" => format!("array(select {e} {placed} where {body} order by {o})"),
            "arraysort" => format!("array(select {e} {placed} order by {body}, {o})"),
            "arrayreversesort" => format!("array(select {e} {placed} order by {body} desc, {o} desc)"),
            "arrayexists" => format!("exists(select 1 {from} where {body})"),
            "arrayall" => format!("(not exists(select 1 {from} where not {body}))"),
            "arraycount" => format!("(select countif({body}) {from})"),
            "arrayfirst" => nth(""),
            "arraylast" => nth(" desc"),
            "arrayfirstornull" => found(""),
            "arraylastornull" => found(" desc"),
            "arraycumsum" => format!("array(select sum({body}) over (order by {o}) {placed} order by {o})"),
            "arrayfirstindex" => format!("coalesce((select min({o}) + 1 {placed} where {body}), 0)"),
            "arraylastindex" => format!("coalesce((select max({o}) + 1 {placed} where {body}), 0)"),
            "arraysum" => format!("(select coalesce(sum(plain_number({body})), 0) {from})"),
            "arraymax" | "arraymin" | "arrayavg" => {
                format!("(select {}({body}) {from})", name.trim_start_matches("array"))
            }
            "mapfilter" => format!("map_of(array(select {e} {placed} where {body} order by {o}))"),
            "mapexists" => format!("exists(select 1 {from} where {body})"),
            "mapall" => format!("(not exists(select 1 {from} where not {body}))"),
            "mapapply" => {
                let [key, value] = pair.as_deref().unwrap_or_default() else {
                    return Err(Refusal::invalid(
                        "the function of mapApply must give a tuple of key and value",
                    ));
                };
                let pair = tuple(&[key.clone(), value.clone()]);
                format!("map_of(array(select {pair} {placed} order by {o}))")
            }
            _ => return Err(unknown(name)),
        })
    }

    pub(super) fn arguments(&mut self, arguments: &[FunctionArg]) -> Result<Vec<String>, Refusal> {
        let given = arguments.iter().map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => self.expr(expr),
            FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => Ok("*".to_owned()),
            other => Err(Refusal::unsupported(&other.to_string())),
        });
        given.collect()
    }

    fn tuple_of_argument(&mut self, argument: Option<&FunctionArg>) -> Result<Option<Vec<String>>, Refusal> {
        match argument.and_then(expr_of) {
            Some(expr) => self.tuple_of(expr),
            None => Ok(None),
        }
    }

    /// Calls whose form depends on what the arguments are.
    fn special(
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
            ("tojsonstring", [_]) if let Some(parts) = self.tuple_of_argument(arguments.first())? => {
                format!("to_json_string(json_array({}))", parts.join(", "))
            }
            ("tostring", [map]) if is_attributes(map) => attributes_text(map),
            // An element that is not there is zero or an empty text. Negative places count from the end.
            ("arrayelement", [list, place]) => {
                match place.strip_prefix("(-").and_then(|rest| rest.strip_suffix(')')) {
                    Some(place) => or_empty(format!("array_reverse({list})[safe_ordinal({place})]")),
                    None => or_empty(format!("{list}[safe_ordinal({place})]")),
                }
            }
            // Nulls do not count.
            ("greatest" | "least", [one, other]) if may_be_null(arguments) => {
                format!("coalesce({name}({one}, {other}), {one}, {other})")
            }
            ("greatest" | "least", [_, _, _, ..]) if may_be_null(arguments) => {
                return Err(Refusal::unsupported(&format!(
                    "{name} of more than two values that may be null"
                )));
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
            ("left" | "leftutf8" | "right" | "rightutf8", [of, count])
                if let Some(less) = count.strip_prefix("(-").and_then(|rest| rest.strip_suffix(')')) =>
            {
                let side = if name.starts_with("left") { "left" } else { "right" };
                format!("{side}({of}, greatest(length({of}) - {less}, 0))")
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
            ("toweek", [at, mode]) => match mode.as_str() {
                "0" => format!("extract(week from as_moment({at}))"),
                "3" => format!("extract(isoweek from as_moment({at}))"),
                _ => return Err(Refusal::unsupported("toWeek with another mode than 0 and 3")),
            },
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
            ("groupconcat", [list]) => format!("array_to_string(array_agg(({list}) ignore nulls), '')"),
            ("todatetime" | "todatetime64" | "fromunixtimestamp", [at, ..])
                if is_number(arguments.first()) =>
            {
                match at.contains('.') && name == "todatetime64" {
                    true => format!("timestamp_micros(plain_whole({at} * 1000000))"),
                    false => format!("timestamp_seconds(plain_whole({at}))"),
                }
            }
            // The zone of an instant changes only how it is shown; a text is in that zone.
            ("todatetime" | "parsedatetimebesteffort", [at, zone])
            | ("todatetime64" | "parsedatetime64besteffort", [at, _, zone]) => match text(0) {
                Some(_) => format!("timestamp({at}, {zone})"),
                None => format!("cast({at} as timestamp)"),
            },
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
            ("tostartofweek", [at, _]) => match arguments.get(1).and_then(expr_of).map(ToString::to_string) {
                Some(mode) if mode == "0" => format!("date(timestamp_trunc(as_moment({at}), week))"),
                Some(mode) if mode == "1" || mode == "3" => {
                    format!("date(timestamp_trunc(as_moment({at}), isoweek))")
                }
                _ => return Err(Refusal::unsupported("toStartOfWeek with another mode than 0, 1 and 3")),
            },
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
            ("tuple", [_, ..]) => tuple(printed),
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
            ("arrayreduce", [_, list]) => {
                let of_all = text(0).and_then(|name| aggregate(&name.to_lowercase(), &["e1".to_owned()]));
                let of_all = of_all.ok_or_else(|| Refusal::unsupported("arrayReduce of this function"))?;
                let list = self.list_to_look_through(list);
                format!("(select {of_all} from unnest({list}) as e1)")
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
            (
                "dateadd" | "date_add" | "timestamp_add" | "timestampadd" | "datesub" | "date_sub"
                | "timestamp_sub" | "timestampsub" | "adddate" | "subdate",
                [_, second, rest @ ..],
            ) => {
                let back = name.contains("sub");
                match (rest, arguments.get(1).and_then(expr_of).and_then(interval_of)) {
                    ([at], _) => {
                        moved(at, second, unit_of(arguments.first()).ok_or_else(|| unknown(name))?, back)
                    }
                    ([], Some((count, unit))) => moved(&printed[0], &self.expr(count)?, unit, back),
                    _ => return Err(unknown(name)),
                }
            }
            ("multiif", [.., other]) if printed.len() >= 3 && printed.len() % 2 == 1 => {
                let cases = printed[..printed.len() - 1].chunks(2);
                let cases = cases.map(|pair| format!("when {} then {}", truth(&pair[0]), pair[1]));
                let cases: Vec<_> = cases.collect();
                format!("case {} else {other} end", cases.join(" "))
            }
            ("length" | "empty" | "notempty", [map]) if is_attributes(map) => {
                return self
                    .special(name, arguments, &[format!("map_keys({map})")])
                    .map(|special| special.or_else(|| form(name, &[format!("map_keys({map})")])));
            }
            ("array", _) => format!("[{}]", printed.join(", ")),
            ("multisearchany" | "multisearchanycaseinsensitive" | "multimatchany", [text, _]) => {
                let Some(Expr::Array(needles)) = arguments.get(1).and_then(expr_of) else {
                    return Err(Refusal::unsupported(&format!("{name} of other than a written list")));
                };
                let found = needles.elem.iter().map(|needle| {
                    self.expr(needle).map(|needle| match name {
                        "multimatchany" => format!("regexp_contains({text}, {needle})"),
                        "multisearchany" => format!("strpos({text}, {needle}) > 0"),
                        _ => format!("strpos(lower({text}), lower({needle})) > 0"),
                    })
                });
                format!("({})", found.collect::<Result<Vec<_>, _>>()?.join(" or "))
            }
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
            ("concatwithseparator" | "concat_ws", [separator, rest @ ..]) => {
                format!("array_to_string([{}], {separator})", rest.join(", "))
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
            ("has", [list, value]) if is_aggregate_list(arguments.first()) => {
                format!("({value} in unnest({}))", self.list_to_look_through(list))
            }
            ("and" | "or", [_, _, ..]) => {
                let all: Vec<_> = printed.iter().map(|one| truth(one)).collect();
                format!("({})", all.join(&format!(" {name} ")))
            }
            ("arrayjoin", [list]) => {
                let known = self.unnested.iter().position(|known| known == list);
                let index = known.unwrap_or_else(|| {
                    self.unnested.push(list.clone());
                    self.unnested.len() - 1
                });
                element(index)
            }
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
                let interval = arguments.get(1).and_then(expr_of).and_then(interval_of);
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
}

/// The host of an address, empty if it has no dot or a sign that no host has.
fn host(url: &str, without_www: bool) -> String {
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

/// An instant without what is below so many digits of a second.
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

/// The number of whole units between two instants: borders that are crossed do not count.
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

/// A condition: a number is true unless it is zero.
pub(super) fn truth(sql: &str) -> String {
    format!("truth_of({sql})")
}

/// Whether arguments may be null, as far as their words tell.
pub(super) fn may_be_null(arguments: &[FunctionArg]) -> bool {
    arguments.iter().any(|argument| argument.to_string().to_lowercase().contains("null"))
}

pub(super) fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The instant that many units later or earlier. The warehouse's instants know no months, its local times do.
pub(super) fn moved(at: &str, count: &str, unit: &str, back: bool) -> String {
    let word = if back { "sub" } else { "add" };
    if at.starts_with("date(") {
        match unit {
            "week" => return format!("date_{word}({at}, interval ({count} * 7) day)"),
            "day" | "month" | "quarter" | "year" => {
                return format!("date_{word}({at}, interval {count} {unit})");
            }
            _ => return format!("timestamp_{word}(timestamp({at}), interval {count} {unit})"),
        }
    }
    match unit {
        "week" => match count.parse::<i64>() {
            Ok(count) => format!("timestamp_{word}({at}, interval {} day)", count.saturating_mul(7)),
            Err(_) => format!("timestamp_{word}({at}, interval ({count} * 7) day)"),
        },
        "month" | "quarter" | "year" => {
            format!("timestamp(datetime_{word}(datetime({at}), interval {count} {unit}))")
        }
        unit => format!("timestamp_{word}({at}, interval {count} {unit})"),
    }
}

/// The call in the form of the table.
pub(super) fn form(name: &str, arguments: &[String]) -> Option<String> {
    let found = FORMS.iter().find(|(known, count, _)| *known == name && *count == arguments.len());
    let Some((_, _, template)) = found else {
        return SAME.contains(&name).then(|| format!("{name}({})", arguments.join(", ")));
    };
    let mut sql = String::new();
    let mut parts = template.split('{');
    sql.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (index, rest) = part.split_once('}')?;
        sql.push_str(arguments.get(index.parse::<usize>().ok()?)?);
        sql.push_str(rest);
    }
    Some(sql)
}

pub(super) fn unknown(name: &str) -> Refusal {
    Refusal::unsupported(&format!("the function {name}"))
}

pub(super) fn expr_of(argument: &FunctionArg) -> Option<&Expr> {
    if let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = argument { Some(expr) } else { None }
}

pub(super) fn text_of(argument: &FunctionArg) -> Option<&str> {
    match expr_of(argument)? {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn is_number(argument: Option<&FunctionArg>) -> bool {
    matches!(argument.and_then(expr_of), Some(Expr::Value(value)) if matches!(value.value, Value::Number(..)))
}

pub(super) fn is_aggregate_list(argument: Option<&FunctionArg>) -> bool {
    let Some(Expr::Function(function)) = argument.and_then(expr_of) else { return false };
    function.name.to_string().to_lowercase().starts_with("group")
}

/// The count and the unit of `INTERVAL 5 minute` or `toIntervalMinute(5)`.
pub(super) fn interval_of(expr: &Expr) -> Option<(&Expr, &'static str)> {
    match expr {
        Expr::Interval(interval) => {
            Some((&interval.value, unit_named(&interval.leading_field.as_ref()?.to_string())?))
        }
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            let unit = unit_named(name.strip_prefix("tointerval")?)?;
            let FunctionArguments::List(list) = &function.args else { return None };
            let [count] = list.args.as_slice() else { return None };
            Some((expr_of(count)?, unit))
        }
        _ => None,
    }
}
