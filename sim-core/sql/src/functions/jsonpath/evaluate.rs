//! Evaluates a path. Items are parts of the document; only those that are found at the end are copied.

use std::borrow::Cow;

use sim_values::budget::Budget;

use super::super::arrays::ELEMENT;
use super::super::json::{kind, place};
use super::{Bound, Expression, Path, Step};
use crate::error::{Result, SqlError, SqlState};
use crate::value::json::Json;

/// A part of the document, or a value that the path computes: a scalar.
type Item<'i> = Cow<'i, Json>;

/// The number of found items above which they count as memory.
const MANY: usize = 1_000;

/// The cost of comparing two scalars.
const COMPARISON: usize = 8;

/// The items that a path selects from a document.
pub(super) fn items(path: &Path, root: &Json, budget: &Budget) -> Result<Vec<Json>> {
    let found = Evaluation { root, strict: path.strict, budget }.expression(&path.expression, root)?;
    let copied = |item: Item<'_>| {
        budget.work(weight(&item))?;
        Ok(item.into_owned())
    };
    found.into_iter().map(copied).collect()
}

#[derive(Clone, Copy)]
struct Evaluation<'i> {
    root: &'i Json,
    strict: bool,
    budget: &'i Budget,
}

impl<'i> Evaluation<'i> {
    fn expression<'c>(self, expression: &'c Expression, current: &'c Json) -> Result<Vec<Item<'c>>>
    where
        'i: 'c,
    {
        Ok(match expression {
            Expression::Root => vec![Cow::Borrowed(self.root)],
            Expression::Current => vec![Cow::Borrowed(current)],
            Expression::Literal(value) => vec![Cow::Borrowed(value)],
            Expression::Steps(start, steps) => {
                let mut items = self.expression(start, current)?;
                for step in steps {
                    let mut found = Vec::new();
                    for item in items {
                        self.step(step, item, &mut found)?;
                    }
                    items = found;
                }
                items
            }
            predicate => {
                vec![Cow::Owned(self.predicate(predicate, current)?.map_or(Json::Null, Json::Bool))]
            }
        })
    }

    /// True, false or unknown.
    fn predicate(self, expression: &Expression, current: &Json) -> Result<Option<bool>> {
        Ok(match expression {
            Expression::And(operands) => self.junction(operands, current, false)?,
            Expression::Or(operands) => self.junction(operands, current, true)?,
            Expression::Not(inner) => self.predicate(inner, current)?.map(|value| !value),
            Expression::Exists(inner) => Some(!self.expression(inner, current)?.is_empty()),
            Expression::Compare(left, symbol, right) => {
                let (left, right) = (self.operands(left, current), self.operands(right, current));
                let (Ok(left), Ok(right)) = (left, right) else { return Ok(None) };
                let outcomes =
                    left.iter().flat_map(|left| right.iter().map(|right| compare(left, symbol, right)));
                any(&mut outcomes.take_while(|_| self.budget.draw(COMPARISON)))
            }
            Expression::StartsWith(text, prefix) => {
                let Ok(items) = self.operands(text, current) else { return Ok(None) };
                any(&mut items.iter().map(|item| match &**item {
                    Json::String(text) => Some(text.starts_with(prefix)),
                    _ => None,
                }))
            }
            other => match self.expression(other, current)?.as_slice() {
                [item] => match **item {
                    Json::Bool(value) => Some(value),
                    _ => None,
                },
                _ => None,
            },
        })
    }

    /// The result of `AND` or `OR`. An operand with the value `decisive` decides it. An error in any operand is an error.
    fn junction(self, operands: &[Expression], current: &Json, decisive: bool) -> Result<Option<bool>> {
        let mut result = Some(!decisive);
        for operand in operands {
            match self.predicate(operand, current)? {
                Some(outcome) if outcome == decisive => result = Some(decisive),
                None if result != Some(decisive) => result = None,
                _ => {}
            }
        }
        Ok(result)
    }

    /// The items to compare. Arrays are unwrapped unless the path is strict.
    fn operands<'c>(self, expression: &'c Expression, current: &'c Json) -> Result<Vec<Item<'c>>>
    where
        'i: 'c,
    {
        let mut operands = Vec::new();
        for item in self.expression(expression, current)? {
            self.open(item, &mut operands)?;
        }
        Ok(operands)
    }

    /// Adds an item. An array is unwrapped unless the path is strict.
    fn open<'c>(self, item: Item<'c>, found: &mut Vec<Item<'c>>) -> Result<()> {
        match item {
            Cow::Borrowed(Json::Array(items)) if !self.strict => self.add(items, found),
            other => {
                found.push(other);
                Ok(())
            }
        }
    }

    /// Adds parts of the document.
    fn add<'c>(self, items: &'c [Json], found: &mut Vec<Item<'c>>) -> Result<()> {
        self.budget.work(items.len())?;
        found.extend(items.iter().map(Cow::Borrowed));
        Ok(())
    }

    fn step<'c>(self, step: &'c Step, item: Item<'c>, found: &mut Vec<Item<'c>>) -> Result<()> {
        self.budget.work(1)?;
        match step {
            Step::Member(name) => {
                for item in self.opened(item)? {
                    match self.member(&item, name)? {
                        Some(value) => found.push(value),
                        None if self.strict => return Err(missing(&item, name)),
                        None => {}
                    }
                }
            }
            Step::AnyMember => {
                for item in self.opened(item)? {
                    if let Cow::Borrowed(Json::Object(members)) = item {
                        self.budget.work(members.len())?;
                        found.extend(members.iter().map(|(_, value)| Cow::Borrowed(value)));
                    }
                }
            }
            Step::AnyItem => match self.items(&item)? {
                Some(items) => self.add(items, found)?,
                None => found.push(item),
            },
            Step::Items(bounds) => {
                let length = self.items(&item)?.map_or(1, <[Json]>::len);
                for (first, last) in bounds {
                    for place in self.places(length, *first, *last)? {
                        // Subscripts may select the same item many times.
                        self.budget.work(2)?;
                        if found.len() > MANY {
                            self.budget.hold(ELEMENT)?;
                        }
                        found.push(
                            self.items(&item)?.map_or(item.clone(), |items| Cow::Borrowed(&items[place])),
                        );
                    }
                }
            }
            Step::Filter(filter) => {
                for item in self.opened(item)? {
                    if self.predicate(filter, &item)? == Some(true) {
                        found.push(item);
                    }
                }
            }
            Step::Type => found.push(Cow::Owned(Json::String(kind(&item).to_owned()))),
            Step::Size => {
                let size = if let Json::Array(items) = &*item { items.len() } else { 1 };
                found.push(Cow::Owned(Json::Number(size.to_string())));
            }
        }
        Ok(())
    }

    fn opened<'c>(self, item: Item<'c>) -> Result<Vec<Item<'c>>> {
        let mut items = Vec::new();
        self.open(item, &mut items)?;
        Ok(items)
    }

    fn member<'c>(self, item: &Item<'c>, name: &str) -> Result<Option<Item<'c>>> {
        let Cow::Borrowed(object @ Json::Object(members)) = item else { return Ok(None) };
        self.budget.work(1 + members.len() / 4)?;
        Ok(object.get(name).map(Cow::Borrowed))
    }

    /// The items of an array; `None` for any other value, which counts as an array of one item.
    fn items<'c>(self, item: &Item<'c>) -> Result<Option<&'c [Json]>> {
        match item {
            Cow::Borrowed(Json::Array(items)) => Ok(Some(items)),
            _ if self.strict => Err(SqlError::new(
                SqlState::new("22039"),
                "jsonpath wildcard array accessor can only be applied to an array",
            )),
            _ => Ok(None),
        }
    }

    /// The places from `first` to `last` in an array of this length.
    fn places(self, length: usize, first: Bound, last: Bound) -> Result<impl Iterator<Item = usize>> {
        let index = |bound| match bound {
            Bound::At(index) => index,
            Bound::Last(before) => length as i64 - 1 - before,
        };
        let (first, last) = (index(first), index(last));
        if self.strict && (first < 0 || last >= length as i64) {
            return Err(SqlError::new(SqlState::new("22033"), "jsonpath array subscript is out of bounds"));
        }
        let inside = first.max(0)..=last.min(length as i64 - 1);
        Ok(inside.filter_map(move |index| place(index, length)))
    }
}

/// The cost of copying a value.
fn weight(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) => 1,
        Json::Number(text) | Json::String(text) => 2 + text.len() / 64,
        Json::Array(items) => 2 + items.iter().map(weight).sum::<usize>(),
        Json::Object(members) => 2 + members.iter().map(|(_, value)| 2 + weight(value)).sum::<usize>(),
    }
}

fn missing(item: &Json, name: &str) -> SqlError {
    match item {
        Json::Object(_) => {
            SqlError::new(SqlState::new("2203A"), format!("JSON object does not contain key \"{name}\""))
        }
        _ => {
            SqlError::new(SqlState::new("2203A"), "jsonpath member accessor can only be applied to an object")
        }
    }
}

/// True if any outcome is true; otherwise unknown if any is unknown.
fn any(outcomes: &mut dyn Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(false);
    for outcome in outcomes {
        match outcome {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

fn compare(left: &Json, symbol: &str, right: &Json) -> Option<bool> {
    let same_kind = kind(left) == kind(right);
    let with_null = *left == Json::Null || *right == Json::Null;
    if !same_kind && with_null {
        return Some(matches!(symbol, "!=" | "<>"));
    }
    if !same_kind || matches!(left, Json::Array(_) | Json::Object(_)) {
        return None;
    }
    let order = left.order(right);
    Some(match symbol {
        "==" => order.is_eq(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => order.is_ne(),
    })
}
