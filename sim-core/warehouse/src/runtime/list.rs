//! Lists, which are JSON texts too.

use std::cmp::Ordering;

use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::{Value as Json, json};

use super::{Arguments, Function, fail, json, optional, refused};

/// The most elements that a function generates.
pub(super) const ELEMENTS_MAX: i64 = 1_000_000;

/// The units of work to make an element.
pub(super) const ELEMENT: usize = 5;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_elements", call: elements },
    Function { name: "wh_list", call: list },
    Function { name: "wh_only_list", call: only_list },
    Function { name: "wh_at", call: at },
    Function { name: "wh_slice", call: slice },
    Function { name: "wh_array_reverse", call: reverse },
    Function { name: "wh_array_concat", call: concat },
    Function { name: "wh_quantiles", call: quantiles },
    Function { name: "wh_sorted", call: sorted },
    Function { name: "wh_top_count", call: top_count },
    Function { name: "wh_top_sum", call: top_sum },
    Function { name: "wh_top", call: top },
    Function { name: "wh_top_items", call: top_items },
    Function { name: "wh_percentile_disc", call: percentile_disc },
    Function { name: "wh_percentile_cont", call: percentile_cont },
    Function { name: "wh_range_bucket", call: range_bucket },
    Function { name: "wh_array_to_string", call: to_string },
    Function { name: "wh_generate_array", call: generate },
];

fn print(elements: impl IntoIterator<Item = Json>) -> Result<Value> {
    Ok(Json::Array(elements.into_iter().collect()).to_string().into())
}

/// Reads a value of an event as a list: an object is a list of one. `None` for any other value.
fn as_list(text: &str) -> Result<Option<Vec<Json>>> {
    if !text.starts_with(['{', '[']) {
        return Ok(None);
    }
    Ok(match json::parse(text)? {
        Json::Array(elements) => Some(elements),
        other => Some(vec![other]),
    })
}

/// A list for `json_each`, which removes the quotes of texts, so scalars are written as JSON inside a text.
fn elements(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    // The usual case needs no parsing.
    if text.starts_with('{') {
        return Ok(format!("[{text}]").into());
    }
    let Some(elements) = as_list(text)? else { return Ok(Value::Null) };
    print(elements.into_iter().map(|element| match element {
        Json::Object(_) | Json::Array(_) => element,
        scalar => Json::String(scalar.to_string()),
    }))
}

fn list(a: &Arguments<'_, '_>) -> Result<Value> {
    as_list(a.text(0))?.map_or(Ok(Value::Null), print)
}

fn only_list(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    if text.starts_with('[') { list(a) } else { Ok(Value::Null) }
}

/// The element at a place, counted from zero. For a missing one, null if the flag is set.
fn at(a: &Arguments<'_, '_>) -> Result<Value> {
    let Some(elements) = as_list(a.text(0))? else { return Ok(Value::Null) };
    let index = a.int(1);
    match usize::try_from(index).ok().and_then(|index| elements.get(index)) {
        Some(element) => Ok(element.to_string().into()),
        None if a.safe(2) => Ok(Value::Null),
        None => fail(format!("Array index {index} is out of bounds")),
    }
}

fn slice(a: &Arguments<'_, '_>) -> Result<Value> {
    let elements = as_list(a.text(0))?.unwrap_or_default();
    print(elements.into_iter().take(usize::try_from(a.int(1)).unwrap_or(0)))
}

fn reverse(a: &Arguments<'_, '_>) -> Result<Value> {
    print(as_list(a.text(0))?.unwrap_or_default().into_iter().rev())
}

fn concat(a: &Arguments<'_, '_>) -> Result<Value> {
    let lists = (0..a.len()).map(|index| Ok(as_list(a.text(index))?.unwrap_or_default()));
    print(lists.collect::<Result<Vec<_>>>()?.concat())
}

/// What a value is sorted by: nulls are first, then texts, then numbers by size.
#[derive(PartialEq, PartialOrd)]
enum Key {
    Null,
    Text(String),
    Number(f64, i64),
}

impl Key {
    fn of(value: &Json) -> Key {
        match value {
            Json::Null => Key::Null,
            Json::Number(number) => {
                Key::Number(number.as_f64().unwrap_or_default(), number.as_i64().unwrap_or_default())
            }
            other => Key::Text(json::text(&other.to_string()).unwrap_or_default()),
        }
    }
}

fn in_order(a: &Arguments<'_, '_>, values: &mut Vec<Json>) -> Result<()> {
    // Sorting takes about so many comparisons for each value.
    let comparisons = values.len().checked_ilog2().unwrap_or(0) as usize + 1;
    a.budget.work(values.len() * comparisons / 2).map_err(refused)?;
    let mut keyed: Vec<_> = values.drain(..).map(|value| (Key::of(&value), value)).collect();
    keyed.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(Ordering::Equal));
    values.extend(keyed.into_iter().map(|(_, value)| value));
    Ok(())
}

fn sorted(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut values = as_list(a.text(0))?.unwrap_or_default();
    in_order(a, &mut values)?;
    if a.int(1) != 0 {
        values.reverse();
    }
    print(values)
}

/// The value at every n-th part of a list, including the least and the greatest.
fn quantiles(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut values = as_list(a.text(0))?.unwrap_or_default();
    if values.is_empty() {
        return Ok(Value::Null);
    }
    in_order(a, &mut values)?;
    let (count, groups) = (values.len() as i64, a.int(1));
    let place = |group: i64| usize::try_from((group * count + groups - 1) / groups - 1).unwrap_or(0);
    print((0..=groups).map(|group| values[place(group)].clone()))
}

/// The most frequent values with their counts. Of equally frequent values, the lesser is first.
fn top_count(a: &Arguments<'_, '_>) -> Result<Value> {
    print(counted(a)?.into_iter().map(|(value, count)| json!({ "value": value, "count": count })))
}

/// The values with the greatest sums of weights, of a list of pairs. Of equal ones, the lesser value is first.
fn top_sum(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut pairs: Vec<(Json, f64)> = Vec::new();
    for pair in as_list(a.text(0))?.unwrap_or_default() {
        let Json::Array(mut pair) = pair else { continue };
        let (Some(weight), Some(value)) = (pair.pop(), pair.pop()) else { continue };
        if let Some(weight) = weight.as_f64() {
            pairs.push((value, weight));
        }
    }
    let mut values: Vec<Json> = pairs.iter().map(|(value, _)| value.clone()).collect();
    in_order(a, &mut values)?;
    values.dedup_by(|one, other| same(one, other));
    a.budget.work(pairs.len().saturating_mul(values.len())).map_err(refused)?;
    let sum = |value: &Json| -> f64 {
        pairs.iter().filter(|(known, _)| same(known, value)).map(|(_, weight)| weight).sum()
    };
    let mut sums: Vec<(Json, f64)> = values.into_iter().map(|value| (value.clone(), sum(&value))).collect();
    sums.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    sums.truncate(usize::try_from(a.int(1)).unwrap_or(0));
    print(sums.into_iter().map(|(value, sum)| {
        let sum = if sum.fract() == 0.0 && sum.abs() < 9e15 { json!(sum as i64) } else { json!(sum) };
        json!({ "value": value, "sum": sum })
    }))
}

/// The most frequent values as the columnar store counts them.
fn top_items(a: &Arguments<'_, '_>) -> Result<Value> {
    print(counted(a)?.into_iter().map(|(value, count)| json!({ "item": value, "count": count, "error": 0 })))
}

/// The most frequent values. Of equally frequent values, the lesser is first.
fn top(a: &Arguments<'_, '_>) -> Result<Value> {
    print(counted(a)?.into_iter().map(|(value, _)| value))
}

fn counted(a: &Arguments<'_, '_>) -> Result<Vec<(Json, i64)>> {
    let mut values = as_list(a.text(0))?.unwrap_or_default();
    in_order(a, &mut values)?;
    let mut counted: Vec<(Json, i64)> = Vec::new();
    for value in values {
        match counted.last_mut().filter(|(known, _)| same(known, &value)) {
            Some((_, count)) => *count += 1,
            None => counted.push((value, 1)),
        }
    }
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted.truncate(usize::try_from(a.int(1)).unwrap_or(0));
    Ok(counted)
}

fn same(one: &Json, other: &Json) -> bool {
    one == other || super::json::compare_texts(&one.to_string(), &other.to_string()) == Ordering::Equal
}

/// The values that are not null, sorted.
fn present(a: &Arguments<'_, '_>) -> Result<Vec<Json>> {
    let mut values = as_list(a.text(0))?.unwrap_or_default();
    values.retain(|value| !value.is_null());
    in_order(a, &mut values)?;
    Ok(values)
}

/// The first value whose position is at least this fraction of the sorted list.
fn percentile_disc(a: &Arguments<'_, '_>) -> Result<Value> {
    let values = present(a)?;
    let place = (a.real(1) * values.len() as f64).ceil().max(1.0) as usize - 1;
    optional(values.get(place).map(Json::to_string))
}

/// The value at a fraction of the sorted list, interpolated between two values.
fn percentile_cont(a: &Arguments<'_, '_>) -> Result<Value> {
    let values = present(a)?;
    let numbers: Vec<f64> = values.iter().filter_map(Json::as_f64).collect();
    let Some(last) = numbers.len().checked_sub(1) else { return Ok(Value::Null) };
    let place = a.real(1).clamp(0.0, 1.0) * last as f64;
    let (low, high) = (numbers[place.floor() as usize], numbers[place.ceil() as usize]);
    Ok(Json::from(low + (place - place.floor()) * (high - low)).to_string().into())
}

/// The number of boundaries that are not above a value.
fn range_bucket(a: &Arguments<'_, '_>) -> Result<Value> {
    let borders = as_list(a.text(1))?.unwrap_or_default();
    let below = borders.iter().filter_map(Json::as_f64).filter(|border| *border <= a.real(0));
    Ok((below.count() as i64).into())
}

/// Joins the elements. Nulls are left out unless a replacement is given.
fn to_string(a: &Arguments<'_, '_>) -> Result<Value> {
    let instead = if a.len() > 2 { Some(a.text(2)) } else { None };
    let elements = as_list(a.text(0))?.unwrap_or_default();
    let texts = elements.iter().filter_map(|element| match element {
        Json::Null => instead.map(str::to_owned),
        Json::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    });
    let texts = texts.collect::<Vec<_>>();
    if texts.len().saturating_mul(a.text(1).len()) > super::text::LENGTH_MAX {
        return fail("the text would be too long");
    }
    Ok(texts.join(a.text(1)).into())
}

fn generate(a: &Arguments<'_, '_>) -> Result<Value> {
    let (start, end, step) = (a.int(0), a.int(1), a.int(2));
    optional(series(a, start, end, step)?.map(|numbers| Json::from(numbers).to_string()))
}

/// The numbers from `start` to `end`.
fn series(a: &Arguments<'_, '_>, start: i64, end: i64, step: i64) -> Result<Option<Vec<i64>>> {
    if step == 0 {
        return fail("Sequence step cannot be 0.");
    }
    let count = (i128::from(end) - i128::from(start)) / i128::from(step) + 1;
    let backwards = (end < start) != (step < 0) && end != start;
    if backwards {
        return Ok(Some(Vec::new()));
    }
    if count > i128::from(ELEMENTS_MAX) {
        return fail("the array would have too many elements");
    }
    a.budget.work(count as usize * ELEMENT).map_err(refused)?;
    Ok(Some((0..count as i64).map(|index| start + index * step).collect()))
}
