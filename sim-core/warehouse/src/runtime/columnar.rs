//! Functions that only the columnar dialect has.

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
    Function { name: "wh_list_flat", call: flat },
    Function { name: "wh_list_merged", call: merged },
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
