//! Evaluates a path. Items are parts of the document; only those that are found at the end are copied.

use std::borrow::Cow;

use super::{Expression, Path, Step};
use crate::budget::Budget;
use crate::error::{Result, SqlError, SqlState};
use crate::regular::compile;
use crate::value::json::{self, ELEMENT, Json};

/// A part of the document, or a value that the path computes: a scalar.
type Item<'i> = Cow<'i, Json>;

/// The number of found items above which they count as memory.
const MANY: usize = 1_000;

/// The cost of comparing two scalars.
const COMPARISON: usize = 8;

/// The items that a path selects from a document.
pub(super) fn items(
    path: &Path,
    root: &Json,
    variables: Option<&Json>,
    budget: &Budget,
) -> Result<Vec<Json>> {
    let (strict, lenient) = (path.strict, !path.strict);
    let evaluation = Evaluation { root, variables, strict, lenient, last: 0, budget };
    let found = evaluation.expression(&path.expression, root)?;
    let copied = |item: Item<'_>| {
        budget.work(weight(&item))?;
        Ok(item.into_owned())
    };
    found.into_iter().map(copied).collect()
}

#[derive(Clone, Copy)]
struct Evaluation<'i> {
    root: &'i Json,
    variables: Option<&'i Json>,
    strict: bool,
    /// Whether a missing member or item is no error: after `.**`, too.
    lenient: bool,
    /// The number of the last item of the array whose subscript this is.
    last: i64,
    budget: &'i Budget,
}

impl<'i> Evaluation<'i> {
    fn expression<'c>(mut self, expression: &'c Expression, current: &'c Json) -> Result<Vec<Item<'c>>>
    where
        'i: 'c,
    {
        Ok(match expression {
            Expression::Root => vec![Cow::Borrowed(self.root)],
            Expression::Current => vec![Cow::Borrowed(current)],
            Expression::Literal(value) => vec![Cow::Borrowed(value)],
            Expression::Variable(name) => vec![Cow::Borrowed(self.variable(name)?)],
            Expression::Last => vec![Cow::Owned(Json::Number(self.last.to_string()))],
            Expression::Arithmetic(left, operator, right) => {
                let (left, right) = (self.operands(left, current)?, self.operands(right, current)?);
                let (left, right): (Vec<&Json>, Vec<&Json>) =
                    (left.iter().map(|item| &**item).collect(), right.iter().map(|item| &**item).collect());
                self.budget.work(weights(&left) + weights(&right))?;
                vec![Cow::Owned(operator.of(&left, &right)?)]
            }
            Expression::Signed(operator, inner) => {
                let items = self.operands(inner, current)?;
                let signed = |item: &Item<'_>| operator.of_one(item).map(Cow::Owned);
                items.iter().map(signed).collect::<Result<_>>()?
            }
            Expression::Steps(start, steps) => {
                let mut items = self.expression(start, current)?;
                for step in steps {
                    self.lenient |= matches!(step, Step::Below(..));
                    let mut found = Vec::new();
                    for item in items {
                        self.step((step, current), item, &mut found)?;
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
                let (left, right) = (self.known(left, current)?, self.known(right, current)?);
                let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
                let outcomes =
                    left.iter().flat_map(|left| right.iter().map(|right| compare(left, symbol, right)));
                any(&mut outcomes.take_while(|_| self.budget.draw(COMPARISON)))
            }
            Expression::StartsWith(text, prefix) => {
                let Some(items) = self.known(text, current)? else { return Ok(None) };
                any(&mut items.iter().map(|item| match &**item {
                    Json::String(text) => Some(text.starts_with(prefix)),
                    _ => None,
                }))
            }
            Expression::Like(text, pattern, flags) => {
                let Some(items) = self.known(text, current)? else { return Ok(None) };
                let pattern = compile(pattern, flags)?;
                let mut outcomes = Vec::with_capacity(items.len());
                for item in &items {
                    outcomes.push(match &**item {
                        Json::String(text) => Some(pattern.is_match(self.budget, text)?),
                        _ => None,
                    });
                }
                any(&mut outcomes.into_iter())
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

    fn variable(self, name: &str) -> Result<&'i Json> {
        self.variables.and_then(|known| known.get(name)).ok_or_else(|| {
            let message = format!("could not find jsonpath variable \"{name}\"");
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        })
    }

    /// Adds what is below an item, at depths from `first` to `last`. Only documents have such parts, not what is computed.
    fn below<'c>(
        self,
        item: Item<'c>,
        depth: usize,
        (first, last): (usize, usize),
        found: &mut Vec<Item<'c>>,
    ) -> Result<()> {
        self.budget.work(1)?;
        let parts: Vec<&'c Json> = match &item {
            Cow::Borrowed(Json::Array(items)) => items.iter().collect(),
            Cow::Borrowed(Json::Object(members)) => members.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        };
        if depth >= first {
            if found.len() > MANY {
                self.budget.hold(ELEMENT)?;
            }
            found.push(item);
        }
        if depth < last {
            for part in parts {
                self.below(Cow::Borrowed(part), depth + 1, (first, last), found)?;
            }
        }
        Ok(())
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

    /// The same; `None` after an error of the document, which leaves a predicate unknown.
    fn known<'c>(self, expression: &'c Expression, current: &'c Json) -> Result<Option<Vec<Item<'c>>>>
    where
        'i: 'c,
    {
        match self.operands(expression, current) {
            Err(error) if error.code.as_str().starts_with("22") => Ok(None),
            operands => operands.map(Some),
        }
    }

    /// Adds an item. An array is unwrapped unless the path is strict.
    fn open<'c>(self, item: Item<'c>, found: &mut Vec<Item<'c>>) -> Result<()> {
        match item {
            Cow::Borrowed(Json::Array(items)) if !self.strict => self.add(items, found),
            Cow::Owned(Json::Array(items)) if !self.strict => self.add_owned(items, found),
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

    /// Adds parts of what the path has computed.
    fn add_owned(self, items: Vec<Json>, found: &mut Vec<Item<'_>>) -> Result<()> {
        self.budget.work(items.len())?;
        found.extend(items.into_iter().map(Cow::Owned));
        Ok(())
    }

    fn step<'c>(
        self,
        (step, current): (&'c Step, &'c Json),
        item: Item<'c>,
        found: &mut Vec<Item<'c>>,
    ) -> Result<()>
    where
        'i: 'c,
    {
        self.budget.work(1)?;
        match step {
            Step::Member(name) => {
                for item in self.opened(item)? {
                    match self.member(&item, name)? {
                        Some(value) => found.push(value),
                        None if !self.lenient => return Err(missing(&item, name)),
                        None => {}
                    }
                }
            }
            Step::AnyMember => {
                for item in self.opened(item)? {
                    match item {
                        Cow::Borrowed(Json::Object(members)) => {
                            self.budget.work(members.len())?;
                            found.extend(members.iter().map(|(_, value)| Cow::Borrowed(value)));
                        }
                        Cow::Owned(Json::Object(members)) => {
                            self.add_owned(members.into_iter().map(|(_, value)| value).collect(), found)?;
                        }
                        _ if !self.lenient => {
                            let message =
                                "jsonpath wildcard member accessor can only be applied to an object";
                            return Err(SqlError::new(SqlState::new("2203C"), message));
                        }
                        _ => {}
                    }
                }
            }
            Step::AnyItem => match self.items(&item, "wildcard array")? {
                Some(Cow::Borrowed(items)) => self.add(items, found)?,
                Some(Cow::Owned(items)) => self.add_owned(items, found)?,
                None => found.push(item),
            },
            Step::Items(bounds) => {
                let items = self.items(&item, "array")?;
                let length = items.as_deref().map_or(1, <[Json]>::len);
                for (first, last) in bounds {
                    let within = Evaluation { last: length as i64 - 1, ..self };
                    let first = within.index(first, current)?;
                    let last = last.as_ref().map_or(Ok(first), |last| within.index(last, current))?;
                    for place in self.places(length, first, last)? {
                        // Subscripts may select the same item many times.
                        self.budget.work(2)?;
                        if found.len() > MANY {
                            self.budget.hold(ELEMENT)?;
                        }
                        found.push(match &items {
                            Some(Cow::Borrowed(items)) => Cow::Borrowed(&items[place]),
                            Some(Cow::Owned(items)) => Cow::Owned(items[place].clone()),
                            None => item.clone(),
                        });
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
            Step::Below(first, last) => self.below(item, 0, (*first, *last), found)?,
            Step::Method(method) => {
                for item in self.opened(item)? {
                    self.budget.work(weight(&item))?;
                    found.extend(method.of(&item)?.into_iter().map(Cow::Owned));
                }
            }
            Step::Type => found.push(Cow::Owned(Json::String(item.kind().to_owned()))),
            Step::Size => {
                let size = match &*item {
                    Json::Array(items) => items.len(),
                    _ if self.strict && !self.lenient => {
                        let message = "jsonpath item method .size() can only be applied to an array";
                        return Err(SqlError::new(SqlState::new("22039"), message));
                    }
                    _ => 1,
                };
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
        let Json::Object(members) = &**item else { return Ok(None) };
        self.budget.work(1 + members.len() / 4)?;
        Ok(match item {
            Cow::Borrowed(object) => object.get(name).map(Cow::Borrowed),
            Cow::Owned(object) => object.get(name).cloned().map(Cow::Owned),
        })
    }

    /// The items of an array; `None` for any other value, which counts as an array of one item.
    fn items<'c>(self, item: &Item<'c>, accessor: &str) -> Result<Option<Cow<'c, [Json]>>> {
        match item {
            Cow::Borrowed(Json::Array(items)) => Ok(Some(Cow::Borrowed(items))),
            Cow::Owned(Json::Array(items)) => Ok(Some(Cow::Owned(items.clone()))),
            _ if !self.lenient => Err(SqlError::new(
                SqlState::new("22039"),
                format!("jsonpath {accessor} accessor can only be applied to an array"),
            )),
            _ => Ok(None),
        }
    }

    /// The number that a subscript is.
    fn index(self, subscript: &Expression, current: &Json) -> Result<i64> {
        let wrong = |message: &str| SqlError::new(SqlState::new("22033"), message.to_owned());
        let found = self.expression(subscript, current)?;
        let [item] = &found[..] else {
            return Err(wrong("jsonpath array subscript is not a single numeric value"));
        };
        let Json::Number(number) = &**item else {
            return Err(wrong("jsonpath array subscript is not a single numeric value"));
        };
        let index =
            number.parse::<f64>().ok().map(f64::trunc).filter(|index| index.abs() <= f64::from(i32::MAX));
        index
            .map(|index| index as i64)
            .ok_or_else(|| wrong("jsonpath array subscript is out of integer range"))
    }

    /// The places from `first` to `last` in an array of this length.
    fn places(self, length: usize, first: i64, last: i64) -> Result<impl Iterator<Item = usize>> {
        if !self.lenient && (first < 0 || first > last || last >= length as i64) {
            return Err(SqlError::new(SqlState::new("22033"), "jsonpath array subscript is out of bounds"));
        }
        let inside = first.max(0)..=last.min(length as i64 - 1);
        Ok(inside.filter_map(move |index| json::place(index, length)))
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

fn weights(items: &[&Json]) -> usize {
    items.iter().map(|item| weight(item)).sum()
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
    let same_kind = left.kind() == right.kind();
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
