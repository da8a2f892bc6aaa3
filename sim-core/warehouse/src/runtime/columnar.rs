//! Functions that only the columnar dialect has.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;
use sim_values::value::datetime::DAY;

use super::{Arguments, Function, instant, json, optional, refused};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_list_product", call: product },
    Function { name: "wh_list_entropy", call: entropy },
    Function { name: "wh_list_funnel", call: funnel },
    Function { name: "wh_list_sequence", call: sequence },
    Function { name: "wh_list_histogram", call: histogram },
    Function { name: "wh_list_flat", call: flat },
    Function { name: "wh_list_merged", call: merged },
    Function { name: "wh_list_of_key", call: of_key },
    Function { name: "wh_best_effort", call: |a| optional(best_effort(a.text(0))) },
    Function { name: "wh_time_words", call: |a| Ok(time_words(a.real(0)).into()) },
];

fn elements(a: &Arguments<'_, '_>) -> Result<Vec<Json>> {
    match json::parse(a.text(0))? {
        Json::Array(elements) => {
            a.budget.work(5 * elements.len()).map_err(refused)?;
            Ok(elements)
        }
        other => Ok(vec![other]),
    }
}

fn product(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(elements(a)?.iter().filter_map(Json::as_f64).product::<f64>().into())
}

/// The entropy of the elements in bits. Nulls do not count.
fn entropy(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut values: Vec<String> =
        elements(a)?.iter().filter(|value| !value.is_null()).map(Json::to_string).collect();
    values.sort_unstable();
    let total = values.len() as f64;
    let mut counts: Vec<usize> = values.chunk_by(|one, other| one == other).map(<[String]>::len).collect();
    counts.sort_unstable();
    let bits = counts.into_iter().map(|count| {
        let share = count as f64 / total;
        -share * (libm::log(share) / std::f64::consts::LN_2)
    });
    Ok(bits.fold(0.0, |sum, bits| sum + bits).into())
}

/// How many of the conditions are met one after another within a window: `(list of {time, condition, …}, window, conditions)`.
fn funnel(a: &Arguments<'_, '_>) -> Result<Value> {
    let (window, count) = (a.int(1), usize::try_from(a.int(2)).unwrap_or(0));
    let mut events = Vec::new();
    for event in elements(a)? {
        let Some(time) = event["_field_1"].as_i64() else { continue };
        let is_met = |place: usize| event[format!("_field_{}", place + 2)].as_bool() == Some(true);
        events.extend((0..count).filter(|place| is_met(*place)).map(|place| (time, place)));
    }
    // At one time the first conditions come first.
    events.sort_unstable();
    // When the chain began that has come to each condition.
    let mut begun: Vec<Option<i64>> = vec![None; count];
    for (time, place) in events {
        if place == 0 {
            begun[0] = Some(time);
        } else if let Some(first) = begun[place - 1]
            && time <= first.saturating_add(window)
        {
            begun[place] = Some(first);
            if place + 1 == count {
                break;
            }
        }
    }
    Ok((begun.iter().rposition(Option::is_some).map_or(0, |place| place as i64 + 1)).into())
}

/// Where a walk along a sequence goes on when it came to nothing.
#[derive(Clone, Copy)]
struct Walk {
    step: usize,
    event: usize,
    base: usize,
}

/// How often events follow each other as a pattern says, or whether they do: `(list of {time, conditions}, steps, flag)`.
fn sequence(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut events: Vec<(i64, i64)> = Vec::new();
    for event in elements(a)? {
        let (Some(time), Some(met)) = (event["_field_1"].as_i64(), event["_field_2"].as_i64()) else {
            continue;
        };
        // An event that meets no condition is passed over.
        if met != 0 {
            events.push((time, met));
        }
    }
    events.sort_by_key(|(time, _)| *time);
    let steps: Vec<&str> = a.text(1).split(' ').collect();
    let (mut from, mut count) = (0, 0_i64);
    while from < events.len() {
        let Some(end) = sequence_end(a, &events, &steps, from)? else { break };
        count += 1;
        if !a.safe(2) {
            break;
        }
        from = end;
    }
    Ok(count.into())
}

/// Where the first sequence after an event ends.
fn sequence_end(
    a: &Arguments<'_, '_>,
    events: &[(i64, i64)],
    steps: &[&str],
    from: usize,
) -> Result<Option<usize>> {
    let mut at = Walk { step: 0, event: from, base: from };
    let mut back: Vec<Walk> = Vec::new();
    while at.step < steps.len() && at.event < events.len() {
        a.budget.work(1).map_err(refused)?;
        let step = steps[at.step];
        let (time, met) = events[at.event];
        let next = Walk { step: at.step + 1, event: at.event + 1, base: at.event };
        let seconds = step.trim_start_matches(['<', '>', '=']).parse::<i64>().unwrap_or(0);
        let limit = events[at.base].0.saturating_add(seconds);
        // Whether the step is met, whether it keeps its event, and whether a later event may meet it.
        let (met, stays, waits) = match step {
            "*" => (true, true, false),
            "." => (true, false, false),
            _ if step.starts_with("<=") => (time <= limit, true, false),
            _ if step.starts_with('<') => (time < limit, true, false),
            _ if step.starts_with(">=") => (time >= limit, true, true),
            _ if step.starts_with('>') => (time > limit, true, true),
            _ if step.starts_with("==") => (time == limit, true, time < limit),
            _ => (met >> (seconds - 1) & 1 == 1, false, false),
        };
        if met && stays {
            back.push(at);
            at = Walk { event: at.event, ..next };
        } else if met {
            at = next;
        } else if waits && at.event + 1 < events.len() {
            at.event += 1;
        } else {
            match back.pop() {
                Some(before) => at = Walk { event: before.event + 1, ..before },
                None => return Ok(None),
            }
            // Steps back that have no event left lead to nothing.
            while at.event >= events.len() {
                match back.pop() {
                    Some(before) => at = Walk { event: before.event + 1, ..before },
                    None => return Ok(None),
                }
            }
        }
    }
    while steps.get(at.step) == Some(&"*") {
        at.step += 1;
    }
    Ok((at.step == steps.len()).then_some(at.event))
}

/// A histogram of a list with so many bins at the most, by the store's rules: `(list, bins)`. A bin has a mean and a weight, and the
/// nearest two become one.
fn histogram(a: &Arguments<'_, '_>) -> Result<Value> {
    let most = usize::try_from(a.int(1)).unwrap_or(1).max(1);
    let mut bins: Vec<(f64, f64)> = Vec::new();
    let values: Vec<f64> = elements(a)?.iter().filter_map(Json::as_f64).collect();
    for value in &values {
        bins.push((*value, 1.0));
        if bins.len() >= most * 2 {
            a.budget.work(bins.len() * bins.len()).map_err(refused)?;
            merge_nearest(&mut bins, most);
        }
    }
    merge_nearest(&mut bins, most);
    let ends = values.iter().copied().fold(None, |ends: Option<(f64, f64)>, value| {
        Some(ends.map_or((value, value), |(least, greatest)| (least.min(value), greatest.max(value))))
    });
    let Some((mut from, greatest)) = ends else { return Ok("[]".to_owned().into()) };
    let mut out = Vec::new();
    for (place, (mean, weight)) in bins.iter().enumerate() {
        let before =
            place.checked_sub(1).map_or(weight / 2.0, |before| (3.0 * weight + bins[before].1) / 8.0);
        let next = bins.get(place + 1);
        let after = next.map_or(weight / 2.0, |next| (3.0 * weight + next.1) / 8.0);
        let to = next.map_or(greatest, |next| f64::midpoint(*mean, next.0));
        out.push(serde_json::json!({"_field_1": from, "_field_2": to, "_field_3": before + after}));
        from = to;
    }
    Ok(Json::Array(out).to_string().into())
}

/// Makes one of the two nearest bins until there are few enough.
fn merge_nearest(bins: &mut Vec<(f64, f64)>, most: usize) {
    bins.sort_by(|one, other| one.0.total_cmp(&other.0));
    while bins.len() > most {
        let distance = |place: usize| bins[place + 1].0 - bins[place].0;
        let nearest = (0..bins.len() - 1).min_by(|one, other| distance(*one).total_cmp(&distance(*other)));
        let Some(at) = nearest else { return };
        let ((mean, weight), (next, more)) = (bins[at], bins.remove(at + 1));
        bins[at] = ((mean * weight + next * more) / (weight + more), weight + more);
    }
}

/// The elements of lists one after another, each once if the flag is set.
fn merged(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut out: Vec<Json> = Vec::new();
    let mut seen = BTreeSet::new();
    for mut row in elements(a)? {
        let Json::Array(list) = row["list"].take() else { continue };
        a.budget.work(5 * list.len()).map_err(refused)?;
        out.extend(list.into_iter().filter(|element| !a.safe(1) || seen.insert(element.to_string())));
    }
    Ok(Json::Array(out).to_string().into())
}

/// The first pair with the greatest key, or with the least: `(list of {value, key}, sign)`. Numbers are before texts.
fn of_key(a: &Arguments<'_, '_>) -> Result<Value> {
    let compare = |one: &Json, other: &Json| match (one, other) {
        (Json::String(one), Json::String(other)) => one.cmp(other),
        (Json::Number(one), Json::Number(other)) => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => one.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal),
        },
        (one, other) => one.is_string().cmp(&other.is_string()),
    };
    let better = if a.int(1) < 0 { Ordering::Less } else { Ordering::Greater };
    let mut found: Option<Json> = None;
    for pair in elements(a)? {
        let key = &pair["_field_2"];
        let is_better =
            !key.is_null() && found.as_ref().is_none_or(|best| compare(key, &best["_field_2"]) == better);
        if is_better {
            found = Some(pair);
        }
    }
    Ok(found.map_or(Value::Null, |pair| pair.to_string().into()))
}

/// A list without the lists in it, whose elements stay.
fn flat(a: &Arguments<'_, '_>) -> Result<Value> {
    fn add(value: Json, out: &mut Vec<Json>) {
        match value {
            Json::Array(elements) => elements.into_iter().for_each(|element| add(element, out)),
            other => out.push(other),
        }
    }
    let mut out = Vec::new();
    elements(a)?.into_iter().for_each(|element| add(element, &mut out));
    Ok(Json::Array(out).to_string().into())
}

/// Forms of timestamps beside the usual one.
static FORMS: LazyLock<[Regex; 5]> = LazyLock::new(|| {
    const CLOCK: &str = r"(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(?: *(?:Z|GMT|UTC))?";
    let week = "(?:[A-Za-z]{3,9},? +)?";
    [
        format!(r"^(?P<d>\d{{1,2}})/(?P<m>\d{{1,2}})/(?P<y>\d{{4}}){CLOCK}$"),
        format!(r"^(?P<y>\d{{4}})/(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}}){CLOCK}$"),
        format!(r"^{week}(?P<d>\d{{1,2}})[ -](?P<n>[A-Za-z]{{3,9}})[ -](?P<y>\d{{4}}){CLOCK}$"),
        format!(r"^{week}(?P<n>[A-Za-z]{{3,9}}) +(?P<d>\d{{1,2}}),? +(?P<y>\d{{4}}){CLOCK}$"),
        r"^(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?:(\d{2})(\d{2})(\d{2}))?$".to_owned(),
    ]
    .map(|form| Regex::new(&form).expect("the pattern is a good one"))
});

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A timestamp in one of many forms.
fn best_effort(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(micros) = instant::parse_timestamp(text) {
        return Some(micros);
    }
    if text.chars().all(|sign| sign.is_ascii_digit()) {
        match text.len() {
            9 | 10 => return text.parse::<i64>().ok()?.checked_mul(1_000_000),
            13 => return text.parse::<i64>().ok()?.checked_mul(1_000),
            _ => {}
        }
    }
    FORMS.iter().find_map(|form| moment(&form.captures(text)?))
}

fn moment(found: &Captures<'_>) -> Option<i64> {
    let named = |name: &str| found.name(name)?.as_str().parse::<i64>().ok();
    let month = match found.name("n") {
        Some(name) => {
            let name = name.as_str().to_lowercase();
            MONTHS.iter().position(|known| name.starts_with(known))? as i64 + 1
        }
        None => named("m")?,
    };
    let day = instant::date(named("y")?, month, named("d")?)?;
    // The groups without a name are those of the clock.
    let clock = found.iter().skip(4).map(|group| group.map_or("", |group| group.as_str()));
    let clock: Vec<&str> = clock.collect();
    let number = |place: usize| clock.get(place).and_then(|text| text.parse().ok()).unwrap_or(0);
    let fraction = clock.get(3).copied().unwrap_or_default();
    Some(day * DAY + instant::clock(number(0), number(1), number(2), fraction)?)
}

/// `1 hour, 1 minute and 1 second`
fn time_words(seconds: f64) -> String {
    const UNITS: [(&str, i64); 6] = [
        ("year", 31_536_000),
        ("month", 2_635_200),
        ("day", 86_400),
        ("hour", 3_600),
        ("minute", 60),
        ("second", 1),
    ];
    let mut rest = seconds.abs() as i64;
    let sign = if seconds < 0.0 { "-" } else { "" };
    let mut parts = Vec::new();
    for (unit, width) in UNITS {
        let count = rest / width;
        rest %= width;
        if count > 0 {
            parts.push(format!("{count} {unit}{}", if count == 1 { "" } else { "s" }));
        }
    }
    let Some(last) = parts.pop() else { return format!("{sign}0 seconds") };
    let begin = parts.join(", ");
    if begin.is_empty() { format!("{sign}{last}") } else { format!("{sign}{begin} and {last}") }
}
