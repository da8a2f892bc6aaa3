//! Values with a new part, as assignments to elements, slices and fields make them.

use rusqlite::Connection;
use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Element;
use sim_values::budget::Budget;

use super::connection::text;
use super::error::{Result, SqlError, SqlState};
use super::functions::pure;
use super::functions::through_sqlite;
use super::state::Shared;
use super::value::array;
use super::value::json::{ELEMENT, Json};

/// The most elements of an array.
const ELEMENTS_MAX: usize = 134_217_727;

pub(super) fn register(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    // A row, the place of a field, the number of fields, and the new value.
    pure(connection, shared, "pg_put_item", |context| {
        let (place, count) = (context.get::<u32>(1)?, context.get::<u32>(2)?);
        let mut items = elements(context);
        items.resize(count as usize, Element::Null);
        items[place as usize] = array::element(context.get_raw(3));
        Ok(array::of(items))
    })?;
    // An array, the new element, and the subscripts.
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_put_element", move |context| {
        let places = numbers(context, 2)?;
        let places = places.into_iter().collect::<Option<Vec<_>>>().ok_or_else(null_subscript);
        let places = places.map_err(through_sqlite)?;
        let array = Array::of(context, &budget);
        array.with_element(&places, array::element(context.get_raw(1))).map_err(through_sqlite)
    })?;
    // An array, the array with the new elements, which bounds are given, and the bounds.
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_put_slice", move |context| {
        let bounds = numbers(context, 3)?;
        let given = text(context, 2).bytes().map(|given| given == b'1');
        let bounds = given.zip(bounds).map(|(given, bound)| match (given, bound) {
            (true, None) => Err(null_subscript()),
            (true, bound) => Ok(bound),
            (false, _) => Ok(None),
        });
        let bounds = bounds.collect::<Result<Vec<_>>>().map_err(through_sqlite)?;
        let array = Array::of(context, &budget);
        if matches!(context.get_raw(1), ValueRef::Null) {
            return Ok(array.whole());
        }
        array.with_slice(&bounds, array::elements(text(context, 1))).map_err(through_sqlite)
    })?;
    // A document, the new value, whether the document is an array if there is none, and the path.
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_put_json", move |context| {
        put_json(context, &budget).map(|json| Value::Text(json.canonical().print())).map_err(through_sqlite)
    })
}

fn elements(context: &Context<'_>) -> Vec<Element> {
    match context.get_raw(0) {
        ValueRef::Text(_) => array::elements(text(context, 0)),
        _ => Vec::new(),
    }
}

fn numbers(context: &Context<'_>, from: usize) -> rusqlite::Result<Vec<Option<i64>>> {
    (from..context.len()).map(|index| context.get(index)).collect()
}

fn null_subscript() -> SqlError {
    SqlError::new(SqlState::new("22004"), "array subscript in assignment must not be null")
}

fn wrong(message: &str) -> SqlError {
    SqlError::new(SqlState::new("2202E"), message)
}

/// The elements of an array of several dimensions as an array of one.
pub(super) fn flattened(array: &str) -> Value {
    match array.trim_start().starts_with("[[") {
        true => array::of(flat(array::elements(array))),
        false => Value::Text(array.to_owned()),
    }
}

/// A slice of the array in argument 0. The next one says which bounds are given, and the others are the lower and the upper one of
/// each dimension. A slice of other dimensions than the array has is empty.
pub(super) fn slice(context: &Context<'_>) -> rusqlite::Result<Value> {
    let bounds = numbers(context, 2)?;
    let given: Vec<bool> = text(context, 1).bytes().map(|given| given == b'1').collect();
    if bounds.iter().zip(&given).any(|(bound, given)| *given && bound.is_none()) {
        return Ok(Value::Null);
    }
    let first = array::lower_bounds(text(context, 0));
    let bounds: Vec<(i64, i64)> = bounds
        .chunks(2)
        .enumerate()
        .map(|(at, pair)| {
            let first = first.get(at).copied().unwrap_or(1);
            let from_zero = |bound: i64| bound.saturating_sub(first);
            (pair[0].map_or(0, from_zero).max(0), pair[1].map_or(i64::MAX, from_zero))
        })
        .collect();
    Ok(array::of(sliced(elements(context), &bounds).unwrap_or_default()))
}

/// The part of an array between bounds that count from zero; `None` if it is empty or has not so many dimensions.
fn sliced(items: Vec<Element>, bounds: &[(i64, i64)]) -> Option<Vec<Element>> {
    let [(lower, upper), rest @ ..] = bounds else { return Some(items) };
    let count = usize::try_from(upper.saturating_sub(*lower).saturating_add(1)).ok()?;
    let kept = items.into_iter().skip(usize::try_from(*lower).ok()?).take(count);
    let inner = |item| match item {
        item if rest.is_empty() => Some(item),
        Element::Array(items) => sliced(items, rest).map(Element::Array),
        _ => None,
    };
    kept.map(inner).collect::<Option<Vec<_>>>().filter(|kept| !kept.is_empty())
}

/// An array and the first index of each of its dimensions.
struct Array<'b> {
    items: Vec<Element>,
    first: Vec<i64>,
    lengths: Vec<usize>,
    budget: &'b Budget,
}

impl<'b> Array<'b> {
    fn of(context: &Context<'_>, budget: &'b Budget) -> Array<'b> {
        let items = elements(context);
        let mut lengths = Vec::new();
        let mut level = Some(&items);
        while let Some(inner) = level.filter(|inner| !inner.is_empty()) {
            lengths.push(inner.len());
            level = inner[0].as_array();
        }
        let mut first = match context.get_raw(0) {
            ValueRef::Text(_) => array::lower_bounds(text(context, 0)),
            _ => Vec::new(),
        };
        first.resize(lengths.len(), 1);
        Array { items, first, lengths, budget }
    }

    fn whole(self) -> Value {
        match array::of(self.items) {
            Value::Text(text) => Value::Text(array::with_lower_bounds(&self.first, text)),
            other => other,
        }
    }

    /// Makes sure that a place is in an array of one dimension, after nulls if need be.
    fn reach(&mut self, place: i64) -> Result<()> {
        let length = i64::try_from(self.items.len()).unwrap_or(i64::MAX);
        let (before, after) = (self.first[0] - place, place - self.first[0] - length + 1);
        let added = usize::try_from(before.max(after)).unwrap_or(0);
        if added + self.items.len() > ELEMENTS_MAX {
            let message = format!("array size exceeds the maximum allowed ({ELEMENTS_MAX})");
            return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
        }
        self.budget.make(added.saturating_mul(ELEMENT))?;
        if before > 0 {
            self.items.splice(..0, std::iter::repeat_n(Element::Null, added));
            self.first[0] = place;
        } else if after > 0 {
            self.items.extend(std::iter::repeat_n(Element::Null, added));
        }
        Ok(())
    }

    fn with_element(mut self, places: &[i64], value: Element) -> Result<Value> {
        if self.lengths.is_empty() {
            let mut value = value;
            places.iter().for_each(|_| value = Element::Array(vec![std::mem::take(&mut value)]));
            self.first = places.to_vec();
            let Element::Array(items) = value else { return Ok(Value::Null) };
            self.items = items;
            return Ok(self.whole());
        }
        if places.len() != self.lengths.len() {
            return Err(wrong("wrong number of array subscripts"));
        }
        if let [place] = places {
            self.reach(*place)?;
        }
        let mut places = places.iter().zip(&self.first).map(|(place, first)| usize::try_from(place - first));
        let mut next = || places.next().and_then(std::result::Result::ok);
        let mut found = next().and_then(|at| self.items.get_mut(at)).ok_or_else(out_of_range)?;
        for _ in 1..self.lengths.len() {
            found = next().and_then(|at| found.get_mut(at)).ok_or_else(out_of_range)?;
        }
        *found = value;
        Ok(self.whole())
    }

    /// The bounds are the lower and the upper one of each dimension; those that are not given are those of the array.
    fn with_slice(mut self, bounds: &[Option<i64>], source: Vec<Element>) -> Result<Value> {
        let mut source = flat(source).into_iter();
        if self.lengths.is_empty() {
            return self.first_slice(bounds, source.collect());
        }
        if bounds.len() / 2 > self.lengths.len() {
            return Err(wrong("wrong number of array subscripts"));
        }
        let mut ranges = Vec::new();
        for (at, (first, length)) in self.first.iter().zip(&self.lengths).enumerate() {
            let given = |side: usize| bounds.get(at * 2 + side).copied().flatten();
            let last = first + i64::try_from(*length).unwrap_or(i64::MAX) - 1;
            let (lower, upper) = (given(0).unwrap_or(*first), given(1).unwrap_or(last));
            if lower > upper {
                return Err(wrong("upper bound cannot be less than lower bound"));
            }
            if self.lengths.len() > 1 && (lower < *first || upper > last) {
                return Err(out_of_range());
            }
            ranges.push((lower, upper));
        }
        if let [(lower, upper)] = ranges[..] {
            self.reach(lower)?;
            self.reach(upper)?;
        }
        let count = |(lower, upper): &(i64, i64)| usize::try_from(upper - lower + 1).unwrap_or(usize::MAX);
        let wanted = ranges.iter().map(count).fold(1, usize::saturating_mul);
        if source.len() < wanted {
            return Err(wrong("source array too small"));
        }
        let ranges: Vec<(usize, usize)> = ranges
            .iter()
            .zip(&self.first)
            .map(|(range, first)| (usize::try_from(range.0 - first).unwrap_or(0), count(range)))
            .collect();
        fill(&mut self.items, &ranges, &mut source);
        Ok(self.whole())
    }

    /// The slice of an array that has had no elements.
    fn first_slice(mut self, bounds: &[Option<i64>], source: Vec<Element>) -> Result<Value> {
        let mut lengths = Vec::new();
        self.first.clear();
        for pair in bounds.chunks(2) {
            let [Some(lower), Some(upper)] = pair else {
                let detail = "When assigning to a slice of an empty array value, slice boundaries must be fully specified.";
                return Err(wrong("array slice subscript must provide both boundaries").detail(detail));
            };
            self.first.push(*lower);
            lengths.push(usize::try_from(upper - lower + 1).unwrap_or(0));
        }
        let wanted = lengths.iter().copied().fold(1, usize::saturating_mul);
        if source.len() < wanted {
            return Err(wrong("source array too small"));
        }
        if wanted > 0 {
            self.items = shaped(&lengths, &mut source.into_iter());
        }
        Ok(self.whole())
    }
}

fn out_of_range() -> SqlError {
    wrong("array subscript out of range")
}

/// The elements of all dimensions, in order.
fn flat(items: Vec<Element>) -> Vec<Element> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Element::Array(inner) => all.extend(flat(inner)),
            other => all.push(other),
        }
    }
    all
}

fn shaped(lengths: &[usize], source: &mut impl Iterator<Item = Element>) -> Vec<Element> {
    let Some((length, inner)) = lengths.split_first() else { return Vec::new() };
    let mut item = || match inner {
        [] => source.next().unwrap_or_default(),
        inner => Element::Array(shaped(inner, &mut *source)),
    };
    (0..*length).map(|_| item()).collect()
}

fn fill(items: &mut [Element], ranges: &[(usize, usize)], source: &mut dyn Iterator<Item = Element>) {
    let Some(((from, count), inner)) = ranges.split_first() else { return };
    for item in items.iter_mut().skip(*from).take(*count) {
        match item {
            Element::Array(nested) if !inner.is_empty() => fill(nested, inner, source),
            item => *item = source.next().unwrap_or_default(),
        }
    }
}

fn put_json(context: &Context<'_>, budget: &Budget) -> Result<Json> {
    let read = |index: usize| match context.get_raw(index) {
        ValueRef::Null => Ok(Json::Null),
        _ => Json::parse(text(context, index)),
    };
    let mut path = Vec::new();
    for index in 3..context.len() {
        path.push(match context.get_raw(index) {
            ValueRef::Null => {
                let message = "jsonb subscript in assignment must not be null";
                return Err(SqlError::new(SqlState::new("22004"), message));
            }
            ValueRef::Integer(number) => number.to_string(),
            _ => text(context, index).to_owned(),
        });
    }
    let document = match context.get_raw(0) {
        ValueRef::Null if matches!(context.get_raw(2), ValueRef::Integer(1)) => Json::Array(Vec::new()),
        ValueRef::Null => Json::Object(Vec::new()),
        _ => read(0)?,
    };
    put(document, &path, 1, read(1)?, budget)
}

/// The document with a value at a path, whose missing parts are made. `step` is the number of the path's first step.
fn put(document: Json, path: &[String], step: usize, value: Json, budget: &Budget) -> Result<Json> {
    let Some((key, rest)) = path.split_first() else { return Ok(value) };
    match document {
        Json::Object(mut members) => {
            match members.iter().rposition(|(name, _)| name == key) {
                Some(at) => {
                    let old = std::mem::replace(&mut members[at].1, Json::Null);
                    members[at].1 = put(old, rest, step + 1, value, budget)?;
                }
                None => members.push((key.clone(), nested(rest, value, budget)?)),
            }
            Ok(Json::Object(members))
        }
        Json::Array(mut items) => {
            let place: i64 = key.parse::<i32>().map(i64::from).map_err(|_| {
                let message = format!("path element at position {step} is not an integer: \"{key}\"");
                SqlError::new(SqlState::INVALID_TEXT, message)
            })?;
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let at = if place < 0 { place + length } else { place };
            let at = usize::try_from(at).map_err(|_| {
                let message = format!("path element at position {step} is out of range: {place}");
                SqlError::new(SqlState::INVALID_PARAMETER, message)
            })?;
            if at < items.len() {
                let old = std::mem::replace(&mut items[at], Json::Null);
                items[at] = put(old, rest, step + 1, value, budget)?;
            } else {
                fill_to(&mut items, at, budget)?;
                items.push(nested(rest, value, budget)?);
            }
            Ok(Json::Array(items))
        }
        _ => Err(SqlError::new(SqlState::INVALID_PARAMETER, "cannot replace existing key")
            .detail("The path assumes key is a composite object, but it is a scalar value.")),
    }
}

/// The value inside of the objects and arrays that a path names.
fn nested(path: &[String], value: Json, budget: &Budget) -> Result<Json> {
    let Some((key, rest)) = path.split_first() else { return Ok(value) };
    let inner = nested(rest, value, budget)?;
    let place = key.parse::<i32>().ok().and_then(|place| usize::try_from(place).ok());
    Ok(match place {
        Some(place) => {
            let mut items = Vec::new();
            fill_to(&mut items, place, budget)?;
            items.push(inner);
            Json::Array(items)
        }
        None => Json::Object(vec![(key.clone(), inner)]),
    })
}

fn fill_to(items: &mut Vec<Json>, length: usize, budget: &Budget) -> Result<()> {
    budget.make(length.saturating_sub(items.len()).saturating_mul(ELEMENT))?;
    items.resize(length, Json::Null);
    Ok(())
}
