//! Functions on arrays. [`sim_values::value::array`] defines how elements are stored.

use std::cmp::Ordering;

use rusqlite::Connection;
use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Element;
use sim_values::budget::Budget;

use super::LENGTH_MAX;
use super::text::{joined, own, truth};
use super::{Arguments, Function};
use crate::decoded::parsing_work;
use crate::pure;
use crate::state::Shared;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::json::ELEMENT;
use sim_values::value::order::Parts;
use sim_values::value::{array, numeric};

const ANY: Type = Type::ANYARRAY;

/// The columns of `pg_options_to_table`.
const OPTIONS: &[(&str, Type)] = &[("option_name", Type::TEXT), ("option_value", Type::TEXT)];
const LIST: Type = Type::ANYCOMPATIBLEARRAY;
const ITEM: Type = Type::ANYCOMPATIBLE;
const NUMERICS: Type = Type(1231);
const TEXTS: Type = Type(1009);
const INTS: Type = Type(1007);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("||", &[LIST, LIST], LIST, concatenate).nullable(),
    Function::rust("array_cat", &[LIST, LIST], LIST, concatenate).nullable(),
    Function::rust("||", &[LIST, ITEM], LIST, append).nullable(),
    Function::rust("array_append", &[LIST, ITEM], LIST, append).nullable(),
    Function::rust("||", &[ITEM, LIST], LIST, prepend).nullable(),
    Function::rust("array_prepend", &[ITEM, LIST], LIST, prepend).nullable(),
    Function::rust("@>", &[ANY, ANY], Type::BOOL, |a| truth(contains(a, 0, 1))),
    Function::rust("<@", &[ANY, ANY], Type::BOOL, |a| truth(contains(a, 1, 0))),
    Function::rust("&&", &[ANY, ANY], Type::BOOL, |a| truth(overlap(a))),
    Function::rust("array_length", &[ANY, Type::INT4], Type::INT4, |a| Ok(count(length(a)))),
    Function::rust("array_upper", &[ANY, Type::INT4], Type::INT4, |a| {
        Ok(length(a).map_or(Value::Null, |length| Value::Integer(lower(a, a.int(1)) + length as i64 - 1)))
    }),
    Function::rust("array_lower", &[ANY, Type::INT4], Type::INT4, |a| {
        Ok(length(a).map_or(Value::Null, |_| Value::Integer(lower(a, a.int(1)))))
    }),
    Function::rust("cardinality", &[ANY], Type::INT4, |a| Ok(count(Some(flat(a, 0).len())))),
    Function::rust("array_ndims", &[ANY], Type::INT4, |a| {
        Ok(count(Some(dimensions(&read(a, 0)).len()).filter(|dimensions| *dimensions > 0)))
    }),
    Function::rust("array_dims", &[ANY], Type::TEXT, |a| {
        let dimensions = dimensions(&read(a, 0));
        let text = (1..).zip(&dimensions).map(|(dimension, length)| {
            let lower = lower(a, dimension);
            format!("[{lower}:{}]", lower + *length as i64 - 1)
        });
        let text: String = text.collect();
        Ok(if text.is_empty() { Value::Null } else { Value::Text(text) })
    }),
    Function::rust("array_position", &[LIST, ITEM, Type::INT4], Type::INT4, position).nullable().optional(1),
    Function::rust("array_positions", &[LIST, ITEM], INTS, positions).nullable(),
    Function::rust("array_remove", &[LIST, ITEM], LIST, remove).nullable(),
    Function::rust("array_replace", &[LIST, ITEM, ITEM], LIST, replace).nullable(),
    Function::rust("array_fill", &[Type::ANYELEMENT, INTS, INTS], ANY, fill).nullable().optional(1),
    Function::rust("trim_array", &[ANY, Type::INT4], ANY, trim),
    Function::rust("array_to_string", &[Type::AS_TEXT, Type::TEXT, Type::TEXT], Type::TEXT, to_string)
        .nullable()
        .optional(1),
    Function::rust("string_to_array", &[Type::TEXT, Type::TEXT, Type::TEXT], TEXTS, from_string)
        .nullable()
        .optional(1),
    Function::set("string_to_table", &[Type::TEXT, Type::TEXT, Type::TEXT], Type::TEXT, &[], from_string)
        .nullable()
        .optional(1),
    Function::set("pg_options_to_table", &[Type(1009)], Type::RECORD, OPTIONS, |a| {
        let options = flat(a, 0).into_iter().map(|option| {
            let option = option.as_str().unwrap_or_default().to_owned();
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Element::from(value)),
                None => (option.as_str(), Element::Null),
            };
            Element::from(vec![Element::from(name), value])
        });
        Ok(array::of(options.collect()))
    }),
    Function::set("unnest", &[ANY], Type::ANYELEMENT, &[], |a| Ok(array::of(flat(a, 0)))),
    Function::set("generate_subscripts", &[ANY, Type::INT4, Type::BOOL], Type::INT4, &[], |a| {
        let lower = lower(a, a.int(1));
        let mut places: Vec<Element> =
            (0..length(a).unwrap_or(0)).map(|place| (lower + place as i64).into()).collect();
        if a.bool(2) {
            places.reverse();
        }
        Ok(array::of(places))
    })
    .optional(1),
    Function::rust("width_bucket", &[Type::NUMERIC, NUMERICS], Type::INT4, |a| {
        bucket(a, |bound| numeric::compare(bound.as_str().unwrap_or("0"), a.text(0)).is_le())
    }),
    Function::rust("width_bucket", &[Type::FLOAT8, Type(1022)], Type::INT4, |a| {
        bucket(a, |bound| bound.as_f64().is_some_and(|bound| bound <= a.real(0)))
    }),
    Function::rust("width_bucket", &[Type::INT4, INTS], Type::INT4, |a| {
        bucket(a, |bound| bound.as_i64().is_some_and(|bound| bound <= a.int(0)))
    }),
    Function::rust("width_bucket", &[Type::TIMESTAMPTZ, Type(1185)], Type::INT4, |a| {
        bucket(a, |bound| bound.as_i64().is_some_and(|bound| bound <= a.int(0)))
    }),
];

/// Whether calls of a function have one more argument: how the elements compare.
pub fn compares_elements(function: &Function) -> bool {
    const NAMES: &[&str] =
        &["@>", "<@", "&&", "array_position", "array_positions", "array_remove", "array_replace"];
    matches!(function.arguments.first(), Some(&ANY | &LIST)) && NAMES.contains(&function.name)
}

/// How the elements compare: the argument behind those that are declared.
fn parts(a: &Arguments<'_, '_>, declared: usize) -> Parts {
    Parts::read(a.text(declared))
}

/// The elements of an array, to be changed.
fn read(a: &Arguments<'_, '_>, index: usize) -> Vec<Element> {
    a.budget().draw(parsing_work(a.bytes(index)));
    array::elements(a.text(index))
}

/// The elements of all dimensions, in order.
fn flat(a: &Arguments<'_, '_>, index: usize) -> Vec<Element> {
    let mut out = Vec::new();
    flatten(read(a, index), &mut out);
    out
}

fn flatten(elements: Vec<Element>, out: &mut Vec<Element>) {
    for element in elements {
        match element {
            Element::Array(nested) => flatten(nested, out),
            other => out.push(other),
        }
    }
}

fn count(value: Option<usize>) -> Value {
    value.map_or(Value::Null, |value| Value::Integer(value as i64))
}

/// The length in each dimension; empty for an empty array.
fn dimensions(elements: &[Element]) -> Vec<usize> {
    match elements.first() {
        None => Vec::new(),
        Some(Element::Array(nested)) => [vec![elements.len()], dimensions(nested)].concat(),
        Some(_) => vec![elements.len()],
    }
}

/// The length in the dimension given by argument 1.
fn length(a: &Arguments<'_, '_>) -> Option<usize> {
    dimensions(&read(a, 0)).get(usize::try_from(a.int(1) - 1).ok()?).copied()
}

/// The first index of a dimension of argument 0.
fn lower(a: &Arguments<'_, '_>, dimension: i64) -> i64 {
    let bounds = array::lower_bounds(a.text(0));
    usize::try_from(dimension - 1).ok().and_then(|at| bounds.get(at)).copied().unwrap_or(1)
}

/// Whether two elements, as keys, are the same.
fn same(left: &Element, right: &Element) -> bool {
    order(left, right).is_eq()
}

fn order(left: &Element, right: &Element) -> Ordering {
    array::compare_elements(left, right, str::cmp)
}

/// The elements of all dimensions as keys, by which they compare. Rows, which are arrays of their fields, are no dimension.
fn keys(a: &Arguments<'_, '_>, index: usize) -> Vec<Element> {
    let parts = parts(a, 2);
    let elements = if matches!(parts, Parts::Row(_)) { read(a, index) } else { flat(a, index) };
    elements.into_iter().map(|element| parts.key(element)).collect()
}

fn contains(a: &Arguments<'_, '_>, outer: usize, inner: usize) -> bool {
    let (outer, inner) = (keys(a, outer), keys(a, inner));
    let known = Known::of(&outer, inner.len());
    inner.iter().all(|wanted| !wanted.is_null() && known.contains(a.budget(), wanted))
}

fn overlap(a: &Arguments<'_, '_>) -> bool {
    let (left, right) = (keys(a, 0), keys(a, 1));
    let known = Known::of(&left, right.len());
    right.iter().any(|wanted| !wanted.is_null() && known.contains(a.budget(), wanted))
}

/// A set of elements for lookups. If there are many, they are sorted.
struct Known<'e> {
    elements: &'e [Element],
    sorted: Option<Vec<&'e Element>>,
}

/// The number of comparisons above which sorting pays.
const MANY: usize = 1_000;

impl<'e> Known<'e> {
    fn of(elements: &'e [Element], wanted: usize) -> Known<'e> {
        let many = elements.len().saturating_mul(wanted) > MANY;
        let sorted = many.then(|| {
            let mut sorted: Vec<&Element> = elements.iter().collect();
            sorted.sort_by(|left, right| order(left, right));
            sorted
        });
        Known { elements, sorted }
    }

    fn contains(&self, budget: &Budget, wanted: &Element) -> bool {
        match &self.sorted {
            Some(sorted) => sorted.binary_search_by(|known| order(known, wanted)).is_ok(),
            None => budget.draw(self.elements.len()) && self.elements.iter().any(|item| same(item, wanted)),
        }
    }
}

fn incompatible() -> SqlError {
    SqlError::new(SqlState::new("2202E"), "cannot concatenate incompatible arrays")
}

fn concatenate(a: &Arguments<'_, '_>) -> Result<Value> {
    match (a.is_null(0), a.is_null(1)) {
        (true, true) => return Ok(Value::Null),
        (true, false) => return own(a.text(1).to_owned()),
        (false, true) => return own(a.text(0).to_owned()),
        (false, false) => {}
    }
    if let Some(joined) = joined_flat(a.text(0), a.text(1)) {
        a.budget().draw(joined.len() / 4);
        return own(joined);
    }
    let (mut left, mut right) = (read(a, 0), read(a, 1));
    if left.is_empty() || right.is_empty() {
        return Ok(array::of(if left.is_empty() { right } else { left }));
    }
    let (depth, other_depth) = (dimensions(&left).len(), dimensions(&right).len());
    // An array with one dimension less is appended as an element.
    if depth == other_depth + 1 {
        left.push(Element::Array(right));
    } else if other_depth == depth + 1 {
        right.insert(0, Element::Array(left));
        return rectangular(a.text(1), right);
    } else if depth == other_depth {
        left.append(&mut right);
    } else {
        return Err(incompatible().detail(format!(
            "Arrays of {depth} and {other_depth} dimensions are not compatible for concatenation."
        )));
    }
    rectangular(a.text(0), left)
}

/// Two arrays of one dimension as one. Their elements, which take several times as much memory as the text, are not read.
fn joined_flat(left: &str, right: &str) -> Option<String> {
    let left = left.strip_suffix(']')?;
    let right = right.trim_start().strip_prefix('[')?;
    let is_flat = |elements: &str| !elements.is_empty() && !elements.starts_with(['[', ']']);
    let flat = is_flat(left.trim_start().strip_prefix('[')?) && is_flat(right);
    flat.then(|| format!("{left},{right}"))
}

/// The array of these elements, whose indexes begin as those of `like`.
fn rectangular(like: &str, elements: Vec<Element>) -> Result<Value> {
    let lengths: Vec<usize> =
        elements.iter().filter_map(|element| element.as_array().map(Vec::len)).collect();
    if lengths.iter().any(|length| *length != lengths[0]) {
        return Err(incompatible()
            .detail("Arrays with differing element dimensions are not compatible for concatenation."));
    }
    Ok(array::like(like, elements))
}

fn require_one_dimension(elements: &[Element]) -> Result<()> {
    if dimensions(elements).len() > 1 {
        return Err(SqlError::new(SqlState::new("22000"), "argument must be empty or one-dimensional array"));
    }
    Ok(())
}

fn append(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut elements = read(a, 0);
    require_one_dimension(&elements)?;
    elements.push(array::element(a.value(1)));
    Ok(array::like(a.text(0), elements))
}

fn prepend(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut elements = read(a, 1);
    require_one_dimension(&elements)?;
    elements.insert(0, array::element(a.value(0)));
    Ok(array::like(a.text(1), elements))
}

fn position(a: &Arguments<'_, '_>) -> Result<Value> {
    let wanted = array::element(a.value(1));
    let lower = lower(a, 1);
    let skipped = if a.is_null(2) { 0 } else { usize::try_from(a.int(2).saturating_sub(lower)).unwrap_or(0) };
    let elements = read(a, 0);
    let parts = parts(a, 3);
    require_flat(&elements, &wanted, &parts, "searching for elements in")?;
    let wanted = parts.key(wanted);
    let mut places = elements.into_iter().enumerate().skip(skipped);
    let found = places.find(|(_, item)| same(&parts.key(item.clone()), &wanted));
    Ok(found.map_or(Value::Null, |(index, _)| Value::Integer(lower + index as i64)))
}

fn positions(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let wanted = array::element(a.value(1));
    let elements = read(a, 0);
    let parts = parts(a, 2);
    require_flat(&elements, &wanted, &parts, "searching for elements in")?;
    let wanted = parts.key(wanted);
    let places = elements.into_iter().enumerate().filter(|(_, item)| same(&parts.key(item.clone()), &wanted));
    let lower = lower(a, 1);
    Ok(array::of(places.map(|(index, _)| (lower + index as i64).into()).collect()))
}

/// Refuses an array of several dimensions. Rows are arrays, too.
fn require_flat(elements: &[Element], wanted: &Element, parts: &Parts, what: &str) -> Result<()> {
    let rows = matches!(parts, Parts::Row(_)) || wanted.is_array();
    if rows || wanted.is_null() || !elements.iter().any(Element::is_array) {
        return Ok(());
    }
    let message = format!("{what} multidimensional arrays is not supported");
    Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
}

fn remove(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let elements = read(a, 0);
    let unwanted = array::element(a.value(1));
    let parts = parts(a, 2);
    require_flat(&elements, &unwanted, &parts, "removing elements from")?;
    let unwanted = parts.key(unwanted);
    Ok(array::of(elements.into_iter().filter(|item| !same(&parts.key(item.clone()), &unwanted)).collect()))
}

fn replace(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let parts = parts(a, 3);
    let (from, to) = (parts.key(array::element(a.value(1))), array::element(a.value(2)));
    let replaced = read(a, 0).into_iter().map(|item| replaced(item, (&from, &to), &parts));
    Ok(array::like(a.text(0), replaced.collect()))
}

/// An element, or an array of elements, with one for another.
fn replaced(item: Element, (from, to): (&Element, &Element), parts: &Parts) -> Element {
    match item {
        item if same(&parts.key(item.clone()), from) => to.clone(),
        Element::Array(items) if !matches!(parts, Parts::Row(_)) => {
            Element::Array(items.into_iter().map(|item| replaced(item, (from, to), parts)).collect())
        }
        item => item,
    }
}

fn fill(a: &Arguments<'_, '_>) -> Result<Value> {
    let lengths: Vec<usize> = read(a, 1).iter().map(|length| length.as_u64().unwrap_or(0) as usize).collect();
    let total = lengths.iter().try_fold(1_usize, |product, length| product.checked_mul(*length));
    if total.is_none_or(|total| total > LENGTH_MAX / 64) {
        return Err(SqlError::new(
            SqlState::PROGRAM_LIMIT,
            "array size exceeds the maximum allowed (134217727)",
        ));
    }
    if total == Some(0) {
        return Ok(array::of(Vec::new()));
    }
    let element = array::element(a.value(0)).to_string().len();
    if total.unwrap_or(0).saturating_mul(element + 1) > LENGTH_MAX {
        return Err(super::text::too_long());
    }
    a.budget().hold(total.unwrap_or(0) * ELEMENT)?;
    let filled = lengths
        .iter()
        .rev()
        .fold(array::element(a.value(0)), |item, length| Element::Array(vec![item; *length]));
    let lower: Vec<i64> = read(a, 2).iter().map(|lower| lower.as_i64().unwrap_or(1)).collect();
    own(array::with_lower_bounds(&lower, filled.to_string()))
}

fn trim(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut elements = read(a, 0);
    match usize::try_from(a.int(1)).ok().filter(|trimmed| *trimmed <= elements.len()) {
        Some(trimmed) => elements.truncate(elements.len() - trimmed),
        None => {
            let message = format!("number of elements to trim must be between 0 and {}", elements.len());
            return Err(SqlError::new(SqlState::new("2202E"), message));
        }
    }
    Ok(array::of(elements))
}

/// Argument 0 is the text of an array, so its elements are texts.
fn to_string(a: &Arguments<'_, '_>) -> Result<Value> {
    fn collect(elements: &[Element], null: Option<&str>, out: &mut Vec<String>) {
        for element in elements {
            match element {
                Element::Array(nested) => collect(nested, null, out),
                Element::String(text) => out.push(text.clone()),
                _ => out.extend(null.map(str::to_owned)),
            }
        }
    }
    if a.is_null(0) || a.is_null(1) {
        return Ok(Value::Null);
    }
    // The text is parsed twice: to its own form, then to its elements.
    a.budget().work(2 * parsing_work(a.bytes(0)))?;
    let elements = array::elements(&array::parse(TEXTS, a.text(0))?);
    let mut parts = Vec::new();
    collect(&elements, (!a.is_null(2)).then(|| a.text(2)), &mut parts);
    joined(parts.iter().map(String::as_str), a.text(1))
}

fn from_string(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let (text, separator) = (a.text(0), a.text(1));
    let count = if a.is_null(1) { text.len() } else { text.matches(separator).count() };
    a.budget().make(count.saturating_mul(ELEMENT))?;
    let parts: Vec<String> = match (text, a.is_null(1), separator) {
        ("", _, _) => Vec::new(),
        (_, true, _) => text.chars().map(String::from).collect(),
        (_, false, "") => vec![text.to_owned()],
        (_, false, separator) => text.split(separator).map(str::to_owned).collect(),
    };
    let null = (!a.is_null(2)).then(|| a.text(2));
    let elements =
        parts.into_iter().map(|part| if null == Some(part.as_str()) { Element::Null } else { part.into() });
    Ok(array::of(elements.collect()))
}

/// The number of sorted bounds that are not greater than the operand.
fn bucket(a: &Arguments<'_, '_>, not_greater: impl Fn(&Element) -> bool) -> Result<Value> {
    let bounds = read(a, 1);
    if bounds.iter().any(Element::is_null) {
        return Err(SqlError::new(SqlState::new("22004"), "thresholds array must not contain NULLs"));
    }
    Ok(count(Some(bounds.iter().take_while(|bound| not_greater(bound)).count())))
}

/// Registers `x = ANY (array)` as a function, for where SQLite takes no query: the value, the array, and how its elements compare.
pub(super) fn register(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_any_equal", move |context| {
        let text = |index: usize| context.get_raw(index).as_str().unwrap_or("");
        if context.get_raw(1) == ValueRef::Null {
            return Ok(Value::Null);
        }
        let (list, parts) = (text(1), Parts::read(text(2)));
        budget.work(list.len() / 8).map_err(super::through_sqlite)?;
        let value = parts.key(array::element(context.get_raw(0)));
        let found = any_equal(&value, array::elements(list), &parts);
        Ok(found.map_or(Value::Null, |found| Value::Integer(found.into())))
    })
}

/// Whether an array has a value; `None` if that is not known.
fn any_equal(value: &Element, items: Vec<Element>, parts: &Parts) -> Option<bool> {
    let mut known = Some(false);
    for item in items {
        let found = match item {
            Element::Array(inner) => any_equal(value, inner, parts),
            item if item.is_null() || value.is_null() => None,
            item => Some(same(value, &parts.key(item))),
        };
        match found {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = None,
        }
    }
    known
}
