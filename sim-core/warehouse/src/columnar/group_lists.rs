//! Aggregates that look through the values of a group one after another: they are written over its list.

use super::Writer;
use super::call::truth;
use super::expr::tuple;
use crate::refusal::Refusal;

impl Writer {
    /// The aggregate; `None` if it is no such one. With a condition the arguments are those of rows that meet it.
    pub(super) fn of_group(
        &mut self,
        name: &str,
        parameters: &[String],
        arguments: &[String],
        condition: Option<&str>,
    ) -> Result<Option<String>, Refusal> {
        if let Some(kind) = name.strip_prefix("sequence") {
            return sequence(kind, parameters, arguments);
        }
        let kept = |value: &str| match condition {
            Some(condition) => format!("if({}, {value}, null)", truth(condition)),
            None => value.to_owned(),
        };
        let values = |value: &str, order: &str| format!("array_agg(({}) ignore nulls{order})", kept(value));
        let part = |place: usize| format!("tuple_element(e1, {place})");
        Ok(Some(match (name, parameters, arguments) {
            ("deltasum", [], [value]) => self.increases(&values(value, "")),
            ("deltasumtimestamp", [], [value, at]) => {
                self.increases(&values(value, &format!(" order by {at}")))
            }
            ("grouparraylast", [count], [value]) => {
                let list = self.list_to_look_through(&values(value, ""));
                format!(
                    "array(select e1 from unnest({list}) as e1 with offset as o1 where o1 >= array_length({list}) - {count} order by mod(o1, {count}))"
                )
            }
            ("grouparraymovingsum" | "grouparraymovingavg", [] | [_], [value]) => {
                let list = self.list_to_look_through(&values(value, ""));
                let from = match parameters {
                    [width] => format!("rows between {} preceding and current row", less_one(width)?),
                    _ => "rows between unbounded preceding and current row".to_owned(),
                };
                let sum = format!("sum(e1) over (order by o1 {from})");
                let each = match (name, parameters) {
                    ("grouparraymovingsum", _) => sum,
                    (_, [width]) => format!("float_divide({sum}, {width})"),
                    _ => format!("float_divide({sum}, array_length({list}))"),
                };
                format!("array(select {each} from unnest({list}) as e1 with offset as o1 order by o1)")
            }
            ("grouparrayintersect", [], [value]) => {
                let list = self.list_to_look_through(&format!("array_agg(struct({value} as list))"));
                format!(
                    "array(select e3 from (select e2 as e3, count(distinct o1) as c1, min(o2) as p1 from unnest({list}) as e1 with offset as o1 cross join unnest(e1.list) as e2 with offset as o2 group by e2) where c1 = array_length({list}) order by p1)"
                )
            }
            ("grouparrayinsertat", [] | [_] | [_, _], [value, place]) => {
                let pairs = values(&tuple(&[value.clone(), place.clone()]), "");
                let list = self.list_to_look_through(&pairs);
                let at =
                    format!("(select {} from unnest({list}) as e1 where {} = p1 limit 1)", part(1), part(2));
                let other = match parameters {
                    [] => format!("zero_of({at})"),
                    [other, ..] => other.clone(),
                };
                let size = match parameters {
                    [_, size] => size.clone(),
                    _ => format!("coalesce((select max({}) + 1 from unnest({list}) as e1), 0)", part(2)),
                };
                format!(
                    "array(select coalesce({at}, {other}) from unnest(generate_array(0, {size} - 1)) as p1 order by p1)"
                )
            }
            ("histogram", [most], [value]) => {
                let value = format!("cast({} as float64)", kept(value));
                if !most.parse::<u32>().is_ok_and(|most| (1..=250).contains(&most)) {
                    return Err(Refusal::invalid("histogram takes a number of bins from 1 to 250"));
                }
                format!("list_histogram(array_agg({value} ignore nulls), {most})")
            }
            ("maxintersections" | "maxintersectionsposition", [], [from, to]) => {
                let list = self.list_to_look_through(&values(&tuple(&[from.clone(), to.clone()]), ""));
                let ends = format!(
                    "select {} as t1, 1 as v1 from unnest({list}) as e1 union all select {} as t1, -1 as v1 from unnest({list}) as e1",
                    part(1),
                    part(2)
                );
                let open =
                    "sum(v1) over (order by t1, v1 rows between unbounded preceding and current row) as c1";
                match name {
                    "maxintersections" => {
                        format!("(select coalesce(max(c1), 0) from (select {open} from ({ends})))")
                    }
                    _ => format!(
                        "(select t2 from (select t1 as t2, {open} from ({ends})) order by c1 desc, t2 limit 1)"
                    ),
                }
            }
            ("intervallengthsum", [], [from, to]) => {
                let list = self.list_to_look_through(&values(&tuple(&[from.clone(), to.clone()]), ""));
                let (from, to) = (part(1), part(2));
                format!(
                    "(select coalesce(sum(greatest(t1 - greatest(f1, coalesce(m1, f1)), 0)), 0) from (select {from} as f1, {to} as t1, max({to}) over (order by {from}, {to} rows between unbounded preceding and 1 preceding) as m1 from unnest({list}) as e1))"
                )
            }
            ("exponentialmovingaverage", [half], [value, at]) => {
                let value = format!("cast({value} as float64)");
                let list =
                    self.list_to_look_through(&values(&tuple(&[value, format!("plain_whole({at})")]), ""));
                format!(
                    "(select sum(v1 * pow(2, float_divide(t1 - m1, {half}))) * (1 - pow(2, float_divide(-1, {half}))) from (select {} as v1, {} as t1, max({}) over () as m1 from unnest({list}) as e1))",
                    part(1),
                    part(2),
                    part(2)
                )
            }
            ("uniqupto", [most], [value]) => {
                format!("least(count(distinct {}), {most} + 1)", kept(value))
            }
            ("anyheavy", [], [value]) => format!("list_top({}, 1)[safe_offset(0)]", values(value, "")),
            (each, [], [value]) if let Some(base) = each.strip_suffix("foreach") => {
                if !["sum", "min", "max", "avg", "count"].contains(&base) {
                    return Ok(None);
                }
                let list = self.list_to_look_through(&format!("array_agg(struct({value} as list))"));
                format!(
                    "array(select {base}(e2) from unnest({list}) as e1 cross join unnest(e1.list) as e2 with offset as o2 group by o2 order by o2)"
                )
            }
            _ => return self.weighted(name, parameters, arguments, &kept),
        }))
    }

    /// The sum of what each value is more than the one before.
    fn increases(&mut self, list: &str) -> String {
        let list = self.list_to_look_through(list);
        format!(
            "(select coalesce(sum(greatest(d1, 0)), 0) from (select e1 - lag(e1) over (order by o1) as d1 from unnest({list}) as e1 with offset as o1))"
        )
    }

    /// Quantiles of values that count several times, and those by other rules.
    fn weighted(
        &mut self,
        name: &str,
        parameters: &[String],
        arguments: &[String],
        kept: &dyn Fn(&str) -> String,
    ) -> Result<Option<String>, Refusal> {
        let half = ["0.5".to_owned()];
        let (kind, several, levels) = match (name.strip_prefix("quantiles"), name.strip_prefix("quantile")) {
            (Some(kind), _) => (kind, true, parameters),
            (None, Some(kind)) if parameters.is_empty() => (kind, false, &half[..]),
            (None, Some(kind)) => (kind, false, parameters),
            _ => match name.strip_prefix("median").filter(|_| parameters.is_empty()) {
                Some(kind) => (kind, false, &half[..]),
                None => return Ok(None),
            },
        };
        // The number before the levels only bounds the error.
        let bound = levels.first().cloned().unwrap_or_default();
        let levels = if matches!(kind, "gk" | "dd") && levels.len() > 1 { &levels[1..] } else { levels };
        let is_level = |text: &String| text.parse().is_ok_and(|level: f64| (0.0..=1.0).contains(&level));
        if !matches!(kind, "exactweighted" | "timingweighted" | "exactexclusive" | "gk" | "dd" | "bfloat16") {
            return Ok(None);
        }
        if levels.is_empty() || !levels.iter().all(is_level) || (!several && levels.len() > 1) {
            return Err(Refusal::invalid(format!("{name} takes numbers from 0 to 1 before its arguments")));
        }
        let of_level: Box<dyn Fn(&String) -> String> = match (kind, arguments) {
            ("exactweighted" | "timingweighted", [value, weight]) => {
                let pair = kept(&tuple(&[value.clone(), weight.clone()]));
                let list = self.list_to_look_through(&format!("array_agg(({pair}) ignore nulls)"));
                Box::new(move |level| {
                    format!(
                        "(select x1 from (select tuple_element(e1, 1) as x1, sum(tuple_element(e1, 2)) over (order by tuple_element(e1, 1)) as c1, sum(tuple_element(e1, 2)) over () as s1 from unnest({list}) as e1 where tuple_element(e1, 2) > 0) where c1 >= ceil(s1 * {level}) order by x1 limit 1)"
                    )
                })
            }
            ("exactexclusive", [value]) => {
                let value = format!("cast({} as float64)", kept(value));
                let list = format!("array_agg({value} ignore nulls order by {value})");
                let list = self.list_to_look_through(&list);
                Box::new(move |level| {
                    let place = format!("({level} * (array_length({list}) + 1))");
                    let at =
                        |less: u8| format!("{list}[safe_offset(cast(floor({place}) as int64) - {less})]");
                    format!(
                        "(case when {place} < 1 then {list}[safe_offset(0)] when {place} >= array_length({list}) then array_reverse({list})[safe_offset(0)] else {} + ({place} - floor({place})) * ({} - {}) end)",
                        at(1),
                        at(0),
                        at(1)
                    )
                })
            }
            // A value stands for all those of its bucket: the buckets grow by twice the error.
            ("dd", [value]) => {
                let value = format!("cast({} as float64)", kept(value));
                let list =
                    self.list_to_look_through(&format!("array_agg({value} ignore nulls order by {value})"));
                let error: f64 =
                    bound.parse().ok().filter(|error| *error > 0.0 && *error < 1.0).ok_or_else(|| {
                        Refusal::invalid(format!("{name} takes a relative error between 0 and 1 first"))
                    })?;
                let growth = ((1.0 + error) / (1.0 - error)).ln();
                Box::new(move |level| {
                    let at = format!(
                        "{list}[safe_offset(cast(floor({level} * (array_length({list}) - 1)) as int64))]"
                    );
                    format!(
                        "if({at} = 0, 0.0, sign({at}) * exp((ceil(ln(abs({at})) / {growth}) - 1) * {growth}) * {})",
                        1.0 + error
                    )
                })
            }
            // Of each value eight bits count.
            ("bfloat16", [value]) => {
                let value = format!("cast({} as float64)", kept(value));
                let list =
                    self.list_to_look_through(&format!("array_agg({value} ignore nulls order by {value})"));
                Box::new(move |level| {
                    let at = format!(
                        "{list}[safe_offset(cast(greatest(ceil({level} * array_length({list})) - 1, 0) as int64))]"
                    );
                    let width = format!("pow(2, floor(log(abs({at}), 2)) - 7)");
                    format!("if({at} = 0, 0.0, sign({at}) * floor(abs({at}) / {width}) * {width})")
                })
            }
            ("gk", [value]) => {
                let list = format!("array_agg(cast({} as float64) ignore nulls)", kept(value));
                Box::new(move |level| format!("list_disc({list}, {level})"))
            }
            _ => return Ok(None),
        };
        let all: Vec<_> = levels.iter().map(of_level).collect();
        Ok(Some(if several { format!("[{}]", all.join(", ")) } else { all.concat() }))
    }
}

fn less_one(width: &str) -> Result<u32, Refusal> {
    let width: Option<u32> = width.parse().ok().filter(|width| *width > 0);
    width.map(|width| width - 1).ok_or_else(|| Refusal::invalid("the width of a window is a number from 1"))
}

/// `sequenceMatch('(?1).*(?2)')(at, one, other)`: each event is a letter for the conditions that it meets, and the pattern one of
/// letters.
fn sequence(kind: &str, parameters: &[String], arguments: &[String]) -> Result<Option<String>, Refusal> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    let ([pattern], [at, conditions @ ..]) = (parameters, arguments) else { return Ok(None) };
    if !matches!(kind, "match" | "count") || conditions.is_empty() {
        return Ok(None);
    }
    if conditions.len() > 6 {
        return Err(Refusal::unsupported("a sequence of more than six conditions"));
    }
    if pattern.contains("(?t") {
        let steps = steps_of(pattern.trim_matches('\''), conditions.len())?;
        let weights = conditions.iter().enumerate();
        let met = weights.map(|(place, condition)| format!("if({}, {}, 0)", truth(condition), 1 << place));
        let event = tuple(&[format!("plain_whole({at})"), met.collect::<Vec<_>>().join(" + ")]);
        let many = kind == "count";
        return Ok(Some(format!("coalesce(list_sequence(array_agg({event}), '{steps}', {many}), 0)")));
    }
    let pattern = letters_of(pattern.trim_matches('\''), conditions.len(), LETTERS)?;
    let weights = conditions.iter().enumerate();
    let met = weights.map(|(place, condition)| format!("if({}, {}, 0)", truth(condition), 1 << place));
    let met = met.collect::<Vec<_>>().join(" + ");
    // An event that meets no condition is passed over.
    let events = format!(
        "coalesce(string_agg(if({met} = 0, null, substr('{LETTERS}', {met}, 1)), '' order by {at}), '')"
    );
    Ok(Some(match kind {
        "match" => format!("if(regexp_contains({events}, '{pattern}'), 1, 0)"),
        _ => format!("array_length(regexp_extract_all({events}, '{pattern}'))"),
    }))
}

/// The steps of a sequence with times between its events: `1`, `.`, `*`, `<=60`.
fn steps_of(pattern: &str, conditions: usize) -> Result<String, Refusal> {
    let wrong = || Refusal::invalid("a sequence is of (?1), (?2) …, ., .* and times such as (?t<=60)");
    let (mut steps, mut rest) = (vec!["*".to_owned()], pattern.trim());
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(".*") {
            steps.push("*".to_owned());
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            steps.push(".".to_owned());
            rest = after;
        } else {
            let (inside, after) =
                rest.strip_prefix("(?").and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?;
            let step = match inside.strip_prefix('t') {
                Some(time) => {
                    let seconds = time.trim_start_matches(['<', '>', '=']);
                    let operator = &time[..time.len() - seconds.len()];
                    let known = ["<", "<=", ">", ">=", "=="].contains(&operator);
                    let seconds: u32 = seconds.parse().ok().filter(|_| known).ok_or_else(wrong)?;
                    format!("{operator}{seconds}")
                }
                None => {
                    let number: usize = inside.parse().map_err(|_| wrong())?;
                    if !(1..=conditions).contains(&number) {
                        return Err(wrong());
                    }
                    number.to_string()
                }
            };
            steps.push(step);
            rest = after;
        }
        rest = rest.trim_start();
    }
    Ok(steps.join(" "))
}

fn letters_of(pattern: &str, conditions: usize, letters: &str) -> Result<String, Refusal> {
    let wrong = || Refusal::invalid("a sequence is of (?1), (?2) …, . and .*");
    let mut out = String::new();
    let mut rest = pattern.trim();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(".*") {
            out.push_str(".*?");
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            out.push('.');
            rest = after;
        } else {
            let (number, after) =
                rest.strip_prefix("(?").and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?;
            let number: usize =
                number.parse().ok().filter(|number| (1..=conditions).contains(number)).ok_or_else(wrong)?;
            let met = letters.chars().enumerate().filter(|(place, _)| (place + 1) >> (number - 1) & 1 == 1);
            out.push_str(&format!("[{}]", met.map(|(_, letter)| letter).collect::<String>()));
            rest = after;
        }
        rest = rest.trim_start();
    }
    if out.is_empty() { Err(wrong()) } else { Ok(out) }
}
