//! Calls of the columnar dialect: those with a form of their own, and what the others are looked up in.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, LambdaFunction,
    OneOrManyWithParens, Value, WindowFrameBound, WindowType,
};

use super::Writer;
use super::aggregate::{aggregate, combinators, or_zero, whole_key, with_parameters};
use super::applied::{chosen, is_columns};
use super::convert::conversion;
use super::expr::{or_empty, tuple, unit_named};
use super::functions::{CONDITIONAL, SAME, forms};
use super::inner_names::named;
use super::kinds::COUNT;
use super::more_functions::usual_name;
use super::special::zone_of;
use super::windows::{over_lists, takes_window};
use crate::refusal::Refusal;

impl Writer {
    pub(super) fn call(&mut self, function: &Function) -> Result<String, Refusal> {
        if let Some((value, _)) = named(function) {
            return Ok(format!("({})", self.expr(value)?));
        }
        if let (COUNT, FunctionArguments::List(list)) = (function.name.to_string().as_str(), &function.args) {
            return Ok(self.arguments(&list.args)?.concat());
        }
        if is_columns(function) {
            return self.only_column(function);
        }
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
        self.check_intervals(&name, arguments)?;
        if let Some(filter) = &function.filter {
            return self.filtered(&name, arguments, filter, function.over.is_some());
        }
        let sql = match (&function.parameters, &function.over) {
            (FunctionArguments::List(parameters), _) => {
                self.parametric(&name, &parameters.args, arguments)?
            }
            (FunctionArguments::None, None) if let Some(staged) = self.staged(&name, &[], arguments)? => {
                staged
            }
            (_, Some(_)) if let Some(collected) = self.collected(&name, arguments)? => collected,
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
        let lower = name.to_lowercase();
        if let "laginframe" | "leadinframe" = lower.as_str() {
            return self.in_frame(&lower, &window, arguments, &sql);
        }
        let over = self.window(&window)?;
        if lower == "nonnegativederivative" {
            return self.derivative(arguments, &over);
        }
        if let Some(listed) = over_lists(&sql, &over) {
            return Ok(listed);
        }
        if !takes_window(&sql) {
            return Err(Refusal::unsupported(&format!("the window function {name}")));
        }
        let sql = format!("{sql} over ({over})");
        // Beside its row a frame may have no rows; then these are zero or empty.
        let may_be_empty = window.window_frame.as_ref().is_some_and(|frame| {
            matches!(frame.start_bound, WindowFrameBound::Following(_))
                || matches!(frame.end_bound, Some(WindowFrameBound::Preceding(_)))
        });
        let (base, _, _) = combinators(&lower);
        // Before its row there is none.
        let may_be_empty = may_be_empty || base == "nth_value";
        let known =
            ["nth_value", "sum", "min", "max", "any", "any_value", "anylast", "first_value", "last_value"];
        match arguments.first().and_then(expr_of) {
            Some(value) if may_be_empty && known.contains(&base) && !may_be_null(arguments) => {
                Ok(format!("coalesce({sql}, zero_of({}))", self.expr(value)?))
            }
            _ => Ok(sql),
        }
    }

    /// A call that a window follows. In a window the aggregate is the whole expression.
    fn in_window(&mut self, name: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let lower = name.to_lowercase();
        let printed = self.arguments(arguments)?;
        let (base, conditional, _) = combinators(&lower);
        Ok(match (base, printed.as_slice()) {
            // Without a row that meets the condition it is zero.
            ("sum", [value, condition]) if conditional => {
                format!("sum(if({}, plain_number({value}), 0))", truth(condition))
            }
            ("avg" | "min" | "max" | "count", [value, condition]) if conditional => {
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

    /// `quantile(0.95)(x)`, `quantiles(0.5, 0.9)(x)`, `quantileIf(0.9)(x, condition)`, `topK(3)(x)`.
    fn parametric(
        &mut self,
        name: &str,
        parameters: &[FunctionArg],
        arguments: &[FunctionArg],
    ) -> Result<String, Refusal> {
        if let Some(staged) = self.staged(name, parameters, arguments)? {
            return Ok(staged);
        }
        let (parameters, arguments) = (self.arguments(parameters)?, self.arguments(arguments)?);
        let lower = name.to_lowercase();
        let (base, conditional, empty) = combinators(&lower);
        if let ("windowfunnel", [width], [at, conditions @ ..]) =
            (lower.as_str(), parameters.as_slice(), arguments.as_slice())
            && !conditions.is_empty()
        {
            let met: Vec<_> = conditions.iter().map(|condition| truth(condition)).collect();
            let event = format!("(plain_whole({at}), {})", met.join(", "));
            let count = conditions.len();
            return Ok(format!("list_funnel(array_agg({event}), {width}, {count})"));
        }
        if let ("topkweighted", [count], [value, weight]) =
            (lower.as_str(), parameters.as_slice(), arguments.as_slice())
        {
            return Ok(format!("top_values(approx_top_sum({value}, {weight}, {count}))"));
        }
        let (values, condition) = match arguments.split_last() {
            Some((condition, values)) if conditional => (values, Some(condition.as_str())),
            _ => (arguments.as_slice(), None),
        };
        if let Some(found) = self.of_group(base, &parameters, values, condition)? {
            return Ok(found);
        }
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
        let lower = usual_name(&lower).to_owned();
        if let Some((lambda, lists)) = of_lambda(arguments) {
            return self.of_each(&lower, lambda, lists).map_err(|refusal| named_as(&refusal, &lower, name));
        }
        if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(tuple))] = arguments
            && lower.starts_with("uniq")
            && let Some(elements) = self.tuple_of(tuple)?
        {
            return Ok(format!("count(distinct {})", whole_key(&elements)));
        }
        // A part of a timestamp in another zone.
        if let Some(zoned) = in_its_zone(&lower, arguments) {
            return self.named_call(name, &zoned);
        }
        // An interval is no value of its own.
        let values =
            if lower == "tostartofinterval" { &arguments[..arguments.len().min(1)] } else { arguments };
        let printed = self.arguments(values)?;
        let special = self.special(&lower, arguments, &printed);
        if let Some(special) = special.map_err(|refusal| named_as(&refusal, &lower, name))? {
            return Ok(special);
        }
        if let ([at, zone], true) = (printed.as_slice(), tells_part(&lower))
            && arguments.get(1).and_then(text_of).is_some()
        {
            let local = format!("timestamp(datetime(as_moment({at}), {zone}))");
            return form(&lower, &[local]).ok_or_else(|| unknown(name));
        }
        let printed = self.arguments_by_name(&lower, printed);
        if let Some(cast) = conversion(&lower, &printed) {
            return Ok(cast);
        }
        let (base, conditional, empty) = combinators(&lower);
        let (values, condition) = match printed.split_last() {
            Some((condition, values)) if conditional => (values, Some(condition.as_str())),
            _ => (printed.as_slice(), None),
        };
        if empty.is_none()
            && let Some(found) = self.of_group(base, &[], values, condition)?
        {
            return Ok(found);
        }
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
        let found = forms().find(|(known, count, _)| *known == name && *count == printed.len());
        let looks = found.is_some_and(|(_, _, template)| template.contains("unnest({"));
        let list = |list: String| if looks { self.list_to_look_through(&list) } else { list };
        printed.into_iter().map(list).collect()
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
        // How many elements are sorted changes nothing where all are.
        let (name, lists) = match (name.strip_prefix("arraypartial"), lists) {
            (Some("sort"), [_, lists @ ..]) => ("arraysort", lists),
            (Some("reversesort"), [_, lists @ ..]) => ("arrayreversesort", lists),
            _ => (name, lists),
        };
        let lists = self.arguments(lists)?;
        let lists: Vec<_> = lists.iter().map(|list| self.list_to_look_through(list)).collect();
        if name == "arrayfold" {
            return self.fold(&parameters, lambda, &lists);
        }
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
        if self.names.interval(&lambda.body).is_some() {
            return Err(Refusal::unsupported("a list of intervals"));
        }
        let (mut body, pair) = self.body_of(lambda, &parameters, meanings)?;
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
            "fill",
            "reversefill",
            "split",
            "reversesplit",
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
            "arrayfill" => filled_before(&list, &format!("{body} or {o} = 0"), &placed, &o, "max", ""),
            "arrayreversefill" => {
                let kept = format!("{body} or {o} = array_length({list}) - 1");
                filled_before(&list, &kept, &placed, &o, "min", " desc")
            }
            "arraysplit" => split_at(&list, &format!("{body} and {o} > 0"), &placed, &o, ""),
            "arrayreversesplit" => {
                split_at(&list, &body, &placed, &o, " rows between unbounded preceding and 1 preceding")
            }
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

    /// What a function of elements gives, and the elements of that if it is a tuple.
    fn body_of(
        &mut self,
        lambda: &LambdaFunction,
        parameters: &[String],
        meanings: Vec<String>,
    ) -> Result<(String, Option<Vec<String>>), Refusal> {
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
        Ok((body?, pair?))
    }

    /// `arrayFold((sum, x) -> …, list, start)`: a step for each element.
    fn fold(
        &mut self,
        parameters: &[String],
        lambda: &LambdaFunction,
        arguments: &[String],
    ) -> Result<String, Refusal> {
        let Some((start, lists)) =
            arguments.split_last().filter(|(_, lists)| lists.len() + 1 == parameters.len())
        else {
            return Err(Refusal::invalid(
                "arrayFold takes a list for each parameter of its function but the first",
            ));
        };
        let Some(first) = lists.first() else { return Err(unknown("arrayFold")) };
        self.lambdas += 1;
        let (steps, at, so_far) = (
            format!("fold_{}", self.lambdas),
            format!("at_{}", self.lambdas),
            format!("so_far_{}", self.lambdas),
        );
        let elements = lists.iter().map(|list| format!("{list}[safe_offset({at})]"));
        let meanings = std::iter::once(so_far.clone()).chain(elements).collect();
        let (body, _) = self.body_of(lambda, parameters, meanings)?;
        Ok(format!(
            "(with recursive {steps} as (select 0 as {at}, {start} as {so_far} union all select {at} + 1, {body} from {steps} where {at} < array_length({first})) select {so_far} from {steps} order by {at} desc limit 1)"
        ))
    }

    pub(super) fn arguments(&mut self, arguments: &[FunctionArg]) -> Result<Vec<String>, Refusal> {
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Function(call))) if is_columns(call) => {
                    for (expr, _) in chosen(&|_| self.all.clone(), call)? {
                        given.push(self.expr(&expr)?);
                    }
                }
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => given.push(self.expr(expr)?),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => given.push("*".to_owned()),
                other => return Err(Refusal::unsupported(&other.to_string())),
            }
        }
        Ok(given)
    }

    /// `COLUMNS('…')` inside an expression, where it stands for one column.
    fn only_column(&mut self, call: &Function) -> Result<String, Refusal> {
        match chosen(&|_| self.all.clone(), call)?.as_slice() {
            [(expr, _)] => self.expr(expr),
            _ => Err(Refusal::unsupported("COLUMNS of several columns inside an expression")),
        }
    }

    pub(super) fn tuple_of_argument(
        &mut self,
        argument: Option<&FunctionArg>,
    ) -> Result<Option<Vec<String>>, Refusal> {
        match argument.and_then(expr_of) {
            Some(expr) => self.tuple_of(expr),
            None => Ok(None),
        }
    }
}

/// The function of elements that a call begins with, and its other arguments.
fn of_lambda(arguments: &[FunctionArg]) -> Option<(&LambdaFunction, &[FunctionArg])> {
    let (first, others) = arguments.split_first()?;
    let mut first = expr_of(first)?;
    while let Expr::Nested(inner) = first {
        first = inner;
    }
    if let Expr::Lambda(lambda) = first { Some((lambda, others)) } else { None }
}

/// A list in which each element that is not kept is the nearest one that is.
fn filled_before(list: &str, kept: &str, placed: &str, o: &str, nearest: &str, order: &str) -> String {
    format!(
        "array(select {list}[safe_offset(p2)] from (select {nearest}(if({kept}, {o}, null)) over (order by {o}{order}) as p2, {o} as q2 {placed}) order by q2)"
    )
}

/// A list in parts, each of which begins where the condition holds.
fn split_at(list: &str, begins: &str, placed: &str, o: &str, frame: &str) -> String {
    let marks = format!(
        "(select coalesce(sum(if({begins}, 1, 0)) over (order by {o}{frame}), 0) as g2, {o} as q2 {placed})"
    );
    format!(
        "array(select array(select {list}[safe_offset(q4)] from (select g2 as g4, q2 as q4 from {marks}) where g4 = g3 order by q4) from (select distinct g2 as g3 from {marks}) order by g3)"
    )
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

/// The timestamp that many units later or earlier. The warehouse's timestamps know no months, its local times do.
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
    // By its type it is a day or a timestamp.
    format!("moved_interval({at}, {count}, '{unit}', {})", if back { -1 } else { 1 })
}

/// The call in the form of the table.
pub(super) fn form(name: &str, arguments: &[String]) -> Option<String> {
    let found = forms().find(|(known, count, _)| *known == name && *count == arguments.len());
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

/// The refusal with the name as it is written.
fn named_as(refusal: &Refusal, lower: &str, name: &str) -> Refusal {
    let name = name.replace(['`', '"'], "");
    Refusal::new(
        refusal.kind,
        refusal.message.replace(&format!("the function {lower} "), &format!("the function {name} ")),
    )
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

/// The arguments with the zone that the timestamp among them has, for functions that take one.
fn in_its_zone(name: &str, arguments: &[FunctionArg]) -> Option<Vec<FunctionArg>> {
    let place = match (name, arguments) {
        ("formatdatetime" | "tostartofinterval", [_, _]) => 0,
        ("date_trunc" | "datetrunc", [_, _]) => 1,
        ("tostring" | "todate", [_]) => 0,
        (name, [_]) if takes_zone(name) || tells_part(name) => 0,
        _ => return None,
    };
    let zone = zone_of(arguments.get(place).and_then(expr_of)?)?;
    Some(arguments.iter().cloned().chain([zone]).collect())
}

/// Whether a function of a timestamp has a form with a zone.
fn takes_zone(name: &str) -> bool {
    forms().any(|(known, count, form)| *known == name && *count == 2 && form.contains("as_moment"))
}

/// Whether it has none, and tells a part of a timestamp: with a zone it is the part of the zone's local time.
fn tells_part(name: &str) -> bool {
    const OTHERS: [&str; 5] = ["timestamp", "as_moment", "unix", "(unix", "div(unix"];
    !takes_zone(name)
        && forms().any(|(known, count, form)| {
            *known == name
                && *count == 1
                && form.contains("as_moment")
                && !OTHERS.iter().any(|other| form.starts_with(other))
        })
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
