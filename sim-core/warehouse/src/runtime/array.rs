//! Functions of lists that compare elements, and of bits.

use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;

use super::{Arguments, Function, fail, json, optional, refused};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_list_position", call: position },
    Function { name: "wh_list_positions", call: positions },
    Function { name: "wh_list_without", call: without },
    Function { name: "wh_list_replaced", call: replaced },
    Function { name: "wh_list_overlaps", call: overlaps },
    Function { name: "wh_list_part", call: part },
    Function { name: "wh_gcd", call: |a| greatest_divisor(a).and_then(|(one, _, _)| in_range(Some(one))) },
    Function { name: "wh_lcm", call: least_multiple },
    Function { name: "wh_shift_bits", call: shifted },
    Function { name: "wh_json_cut_path", call: cut },
    Function { name: "wh_json_without_keys", call: without_keys },
];

fn elements(a: &Arguments<'_, '_>, index: usize) -> Result<Vec<Json>> {
    match json::parse(a.text(index))? {
        Json::Array(elements) => {
            a.budget.work(5 * elements.len()).map_err(refused)?;
            Ok(elements)
        }
        other => Ok(vec![other]),
    }
}

fn same(one: &Json, other: &Json) -> bool {
    json::compare_texts(&one.to_string(), &other.to_string()).is_eq()
}

fn printed(elements: Vec<Json>) -> Result<Value> {
    Ok(Json::Array(elements).to_string().into())
}

fn position(a: &Arguments<'_, '_>) -> Result<Value> {
    let (list, item) = (elements(a, 0)?, json::parse(a.text(1))?);
    optional(list.iter().position(|element| same(element, &item)).map(|place| place as i64 + 1))
}

fn positions(a: &Arguments<'_, '_>) -> Result<Value> {
    let (list, item) = (elements(a, 0)?, json::parse(a.text(1))?);
    let places = list.iter().zip(1_i64..).filter(|(element, _)| same(element, &item));
    printed(places.map(|(_, place)| place.into()).collect())
}

fn without(a: &Arguments<'_, '_>) -> Result<Value> {
    let (list, item) = (elements(a, 0)?, json::parse(a.text(1))?);
    printed(list.into_iter().filter(|element| !same(element, &item)).collect())
}

fn replaced(a: &Arguments<'_, '_>) -> Result<Value> {
    let (list, from, to) = (elements(a, 0)?, json::parse(a.text(1))?, json::parse(a.text(2))?);
    let element = |element: Json| if same(&element, &from) { to.clone() } else { element };
    printed(list.into_iter().map(element).collect())
}

/// Whether two lists have an element in common that is not null.
fn overlaps(a: &Arguments<'_, '_>) -> Result<Value> {
    let (one, other) = (elements(a, 0)?, elements(a, 1)?);
    a.budget.work(one.len().saturating_mul(other.len())).map_err(refused)?;
    Ok(one.iter().any(|one| !one.is_null() && other.iter().any(|other| same(one, other))).into())
}

/// The elements from one place to another, counted from 1.
fn part(a: &Arguments<'_, '_>) -> Result<Value> {
    let (first, last) = (a.int(1).max(1), a.int(2));
    let inside = |place: &i64| (first..=last).contains(place);
    let kept = elements(a, 0)?.into_iter().zip(1_i64..).filter(|(_, place)| inside(place));
    printed(kept.map(|(element, _)| element).collect())
}

fn in_range(number: Option<i128>) -> Result<Value> {
    match number.and_then(|number| i64::try_from(number).ok()) {
        Some(number) => Ok(number.into()),
        None => fail("bigint out of range"),
    }
}

/// The greatest common divisor of two numbers, and both.
fn greatest_divisor(a: &Arguments<'_, '_>) -> Result<(i128, i128, i128)> {
    let (one, other) = (i128::from(a.int(0)).abs(), i128::from(a.int(1)).abs());
    let (mut left, mut right) = (one, other);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    Ok((left, one, other))
}

fn least_multiple(a: &Arguments<'_, '_>) -> Result<Value> {
    let (divisor, one, other) = greatest_divisor(a)?;
    in_range(if divisor == 0 { Some(0) } else { (one / divisor).checked_mul(other) })
}

/// `wh_shift_bits(number, count, left, arithmetic)`: by 64 and more nothing is left.
fn shifted(a: &Arguments<'_, '_>) -> Result<Value> {
    let (number, count, left) = (a.int(0), a.int(1), a.int(2) != 0);
    let Ok(count) = u32::try_from(count) else {
        return fail("Bitwise shift by a negative number");
    };
    Ok(match (left, a.int(3) != 0) {
        (true, _) => number.checked_shl(count).unwrap_or(0),
        (false, true) => number.checked_shr(count).unwrap_or(if number < 0 { -1 } else { 0 }),
        (false, false) => (number as u64).checked_shr(count).unwrap_or(0) as i64,
    }
    .into())
}

/// `json #- '{a,0}'`, with the path as a list.
fn cut(a: &Arguments<'_, '_>) -> Result<Value> {
    let (mut value, path) = (json::parse(a.text(0))?, elements(a, 1)?);
    let path: Vec<&str> = path.iter().filter_map(Json::as_str).collect();
    if let Some((last, before)) = path.split_last() {
        let mut inside = Some(&mut value);
        for step in before {
            inside = inside.and_then(|value| match value {
                Json::Array(list) => place(list.len(), step).and_then(|place| list.get_mut(place)),
                Json::Object(object) => object.get_mut(*step),
                _ => None,
            });
        }
        match inside {
            Some(Json::Array(list)) => {
                if let Some(place) = place(list.len(), last) {
                    list.remove(place);
                }
            }
            Some(Json::Object(object)) => {
                object.remove(*last);
            }
            _ => {}
        }
    }
    Ok(value.to_string().into())
}

/// A place in a list; a negative one counts from the end.
fn place(length: usize, step: &str) -> Option<usize> {
    let place: i64 = step.parse().ok()?;
    let place = if place < 0 { place + length as i64 } else { place };
    usize::try_from(place).ok().filter(|place| *place < length)
}

/// An object without the members of these names, or a list without these texts.
fn without_keys(a: &Arguments<'_, '_>) -> Result<Value> {
    let names = elements(a, 1)?;
    let is_named = |name: &str| names.iter().any(|known| known.as_str() == Some(name));
    Ok(match json::parse(a.text(0))? {
        Json::Object(object) => {
            Json::Object(object.into_iter().filter(|(name, _)| !is_named(name)).collect())
        }
        Json::Array(list) => {
            let is_kept = |element: &Json| !element.as_str().is_some_and(is_named);
            list.into_iter().filter(is_kept).collect()
        }
        _ => return fail("cannot delete from scalar"),
    }
    .to_string()
    .into())
}
