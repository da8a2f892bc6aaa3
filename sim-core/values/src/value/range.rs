//! Ranges and multiranges. They are stored as printed: `[1,5)`, `empty`, `{[1,3),[5,7)}`.

use std::cmp::Ordering;

use rusqlite::types::{Value, ValueRef};

use super::{datetime, numeric};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// A range type, the type of its bounds, and the type of several ranges.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The range.
    pub range: Type,
    /// Several ranges.
    pub multirange: Type,
    /// The bounds.
    pub bound: Type,
}

impl Kind {
    /// The collation by which SQLite compares its values.
    pub fn collation(self) -> &'static str {
        match self.bound {
            Type::INT4 | Type::INT8 | Type::NUMERIC => "pg_range_number",
            Type::TIME => "pg_range_clock",
            Type::FLOAT8 => "pg_range_float",
            Type::TEXT => "pg_range_text",
            _ => "pg_range_time",
        }
    }
}

/// All types of ranges. The last ones stand under ranges that users create.
pub const KINDS: [Kind; 12] = [
    Kind { range: Type::INT4RANGE, multirange: Type::INT4MULTIRANGE, bound: Type::INT4 },
    Kind { range: Type::INT8RANGE, multirange: Type::INT8MULTIRANGE, bound: Type::INT8 },
    Kind { range: Type::NUMRANGE, multirange: Type::NUMMULTIRANGE, bound: Type::NUMERIC },
    Kind { range: Type::DATERANGE, multirange: Type::DATEMULTIRANGE, bound: Type::DATE },
    Kind { range: Type::TSRANGE, multirange: Type::TSMULTIRANGE, bound: Type::TIMESTAMP },
    Kind { range: Type::TSTZRANGE, multirange: Type::TSTZMULTIRANGE, bound: Type::TIMESTAMPTZ },
    Kind { range: Type::RANGE_OF_TIME, multirange: Type::RANGES_OF_TIME, bound: Type::TIME },
    Kind { range: Type::RANGE_OF_FLOAT8, multirange: Type::RANGES_OF_FLOAT8, bound: Type::FLOAT8 },
    Kind { range: Type::RANGE_OF_TEXT, multirange: Type::RANGES_OF_TEXT, bound: Type::TEXT },
    Kind { range: Type::RANGE_OF_NUMERIC, multirange: Type::RANGES_OF_NUMERIC, bound: Type::NUMERIC },
    Kind { range: Type::RANGE_OF_TIMESTAMP, multirange: Type::RANGES_OF_TIMESTAMP, bound: Type::TIMESTAMP },
    Kind {
        range: Type::RANGE_OF_TIMESTAMPTZ,
        multirange: Type::RANGES_OF_TIMESTAMPTZ,
        bound: Type::TIMESTAMPTZ,
    },
];

/// Whether values of a type have several ranges.
pub fn is_several(type_: Type) -> bool {
    kind(type_).is_some_and(|kind| kind.multirange == type_)
}

/// The system's own range of values of a type.
pub fn over(bound: Type) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.bound == bound && !kind.range.is_under_ranges())
}

/// What stands under a range of `bound` that a user creates.
pub fn under_range_of(bound: Type) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.bound == bound && kind.range.is_under_ranges())
}

/// The kind of a range or multirange type.
pub fn kind(type_: Type) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.range == type_ || kind.multirange == type_)
}

/// A value that a range can begin or end with.
#[derive(Clone, Debug, PartialEq)]
pub enum Point {
    /// Whole numbers, days, timestamps.
    Whole(i64),
    /// Any number.
    Decimal(String),
    /// Floating-point numbers.
    Float(f64),
    /// Texts.
    Text(String),
}

impl Point {
    /// The point of a stored value of type `bound`; `None` for null.
    pub fn of(bound: Type, value: ValueRef<'_>) -> Option<Point> {
        match value {
            ValueRef::Integer(value) if bound == Type::FLOAT8 => Some(Point::Float(value as f64)),
            ValueRef::Integer(value) => Some(Point::Whole(value)),
            ValueRef::Real(value) => Some(Point::Float(value)),
            ValueRef::Text(text) if bound == Type::TEXT => {
                Some(Point::Text(String::from_utf8_lossy(text).into_owned()))
            }
            ValueRef::Text(text) => Some(Point::Decimal(String::from_utf8_lossy(text).into_owned())),
            _ => None,
        }
    }

    /// The stored value.
    pub fn value(&self) -> Value {
        match self {
            Point::Whole(value) => Value::Integer(*value),
            Point::Float(value) => Value::Real(*value),
            Point::Decimal(text) | Point::Text(text) => Value::Text(text.clone()),
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Point::Whole(_) => 0,
            Point::Decimal(_) => 1,
            Point::Float(_) => 2,
            Point::Text(_) => 3,
        }
    }

    fn order(&self, other: &Point) -> Ordering {
        match (self, other) {
            (Point::Whole(a), Point::Whole(b)) => a.cmp(b),
            (Point::Decimal(a), Point::Decimal(b)) => numeric::compare(a, b),
            (Point::Float(a), Point::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Point::Text(a), Point::Text(b)) => a.cmp(b),
            // The points of a type are all of one kind.
            (a, b) => a.kind().cmp(&b.kind()),
        }
    }
}

/// One end of a range. Without a point, it is infinite.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The point.
    pub point: Option<Point>,
    /// Whether the point belongs to the range.
    pub inclusive: bool,
}

/// A range. `None` is the empty one.
pub type Range = Option<(End, End)>;

/// Where an end lies: before a point, at it, or behind it.
fn position(end: &End, upper: bool) -> (i8, Option<&Point>, i8) {
    match &end.point {
        None => (if upper { 1 } else { -1 }, None, 0),
        Some(point) => {
            let side = match (upper, end.inclusive) {
                (false, true) => -1,
                (false, false) => 1,
                (true, true) => 1,
                (true, false) => -1,
            };
            (0, Some(point), side)
        }
    }
}

/// The order of two ends, each a lower or an upper one.
pub fn compare_ends((left, left_upper): (&End, bool), (right, right_upper): (&End, bool)) -> Ordering {
    let (left, right) = (position(left, left_upper), position(right, right_upper));
    let points = match (left.1, right.1) {
        (Some(a), Some(b)) => a.order(b),
        _ => Ordering::Equal,
    };
    left.0.cmp(&right.0).then(points).then(left.2.cmp(&right.2))
}

/// The order of two ranges: the empty one first, then by lower end, then by upper end.
pub fn compare(left: &Range, right: &Range) -> Ordering {
    match (left, right) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(left), Some(right)) => compare_ends((&left.0, false), (&right.0, false))
            .then_with(|| compare_ends((&left.1, true), (&right.1, true))),
    }
}

/// The order of two stored ranges or multiranges whose bounds have type `bound`.
pub fn compare_texts(bound: Type, left: &str, right: &str) -> Ordering {
    let (left, right) = (stored(bound, left), stored(bound, right));
    let mut orders = left.iter().zip(&right).map(|(a, b)| compare(a, b));
    orders.find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// The range from one end to another, in the form in which equal ranges are the same.
///
/// # Errors
///
/// 22000 if the lower end is above the upper one, 22003 if a whole number is out of range.
pub fn canonical(bound: Type, mut lower: End, mut upper: End) -> Result<Range> {
    if let (Some(low), Some(high)) = (&lower.point, &upper.point) {
        match low.order(high) {
            Ordering::Greater => {
                let message = "range lower bound must be less than or equal to range upper bound";
                return Err(SqlError::new(SqlState::new("22000"), message));
            }
            Ordering::Equal if !(lower.inclusive && upper.inclusive) => return Ok(None),
            _ => {}
        }
    }
    for end in [&mut lower, &mut upper] {
        end.inclusive &= end.point.is_some();
    }
    if matches!(bound, Type::INT4 | Type::INT8 | Type::DATE) {
        for (end, wanted) in [(&mut lower, true), (&mut upper, false)] {
            if let (Some(Point::Whole(value)), true) = (&mut end.point, end.inclusive != wanted) {
                if bound == Type::DATE && value.abs() >= datetime::INFINITE_DATE {
                    continue;
                }
                let next = value.checked_add(1);
                let fitted = super::fit(if bound == Type::DATE { Type::INT8 } else { bound }, next)?;
                if let Value::Integer(next) = fitted {
                    (*value, end.inclusive) = (next, wanted);
                }
            }
        }
        if let (Some(low), Some(high)) = (&lower.point, &upper.point)
            && low.order(high).is_ge()
            && !(lower.inclusive && upper.inclusive)
        {
            return Ok(None);
        }
    }
    Ok(Some((lower, upper)))
}

/// Reads a literal of a range type.
///
/// # Errors
///
/// 22P02 for a text of another form, and the errors of its bounds.
pub fn parse(type_: Type, text: &str) -> Result<String> {
    let Some(kind) = kind(type_) else { return Err(SqlError::unsupported("this type of ranges")) };
    let mut reader = Reader { text, rest: text.trim(), what: "range", bound: kind.bound };
    if type_ == kind.multirange {
        reader.what = "multirange";
        let ranges = reader.ranges()?;
        return Ok(print_all(kind.bound, &union(ranges)));
    }
    let range = reader.range()?;
    if reader.rest.trim().is_empty() {
        return Ok(print(kind.bound, &range));
    }
    let empty = text.trim().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("empty"));
    let detail =
        if empty { "Junk after \"empty\" key word." } else { "Junk after right parenthesis or bracket." };
    Err(reader.malformed(detail))
}

/// The ranges of a stored range or multirange.
pub fn stored(bound: Type, text: &str) -> Vec<Range> {
    let mut reader = Reader { text, rest: text, what: "range", bound };
    if text.starts_with('{') {
        reader.ranges().unwrap_or_default()
    } else {
        vec![reader.range().unwrap_or(None)]
    }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    what: &'static str,
    bound: Type,
}

impl Reader<'_> {
    fn malformed(&self, detail: &str) -> SqlError {
        let message = format!("malformed {} literal: \"{}\"", self.what, self.text);
        SqlError::new(SqlState::INVALID_TEXT, message).detail(detail)
    }

    fn ranges(&mut self) -> Result<Vec<Range>> {
        let Some(rest) = self.rest.strip_prefix('{') else {
            return Err(self.malformed("Missing left brace."));
        };
        self.rest = rest.trim_start();
        let mut ranges = Vec::new();
        if let Some(rest) = self.rest.strip_prefix('}') {
            self.rest = rest;
        } else {
            loop {
                if !self.rest.starts_with(['[', '('])
                    && !self.rest.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("empty"))
                {
                    return Err(self.malformed("Expected range start."));
                }
                ranges.push(self.range()?);
                self.rest = self.rest.trim_start();
                if let Some(rest) = self.rest.strip_prefix(',') {
                    self.rest = rest.trim_start();
                } else if let Some(rest) = self.rest.strip_prefix('}') {
                    self.rest = rest;
                    break;
                } else {
                    return Err(self.malformed("Expected comma or end of multirange."));
                }
            }
        }
        if self.rest.trim().is_empty() {
            Ok(ranges)
        } else {
            Err(self.malformed("Junk after closing right brace."))
        }
    }

    fn range(&mut self) -> Result<Range> {
        if let Some(rest) =
            self.rest.get(..5).filter(|word| word.eq_ignore_ascii_case("empty")).and(self.rest.get(5..))
        {
            self.rest = rest;
            return Ok(None);
        }
        let lower_inclusive = match self.rest.bytes().next() {
            Some(b'[') => true,
            Some(b'(') => false,
            _ => return Err(self.malformed("Missing left parenthesis or bracket.")),
        };
        self.rest = &self.rest[1..];
        let lower = self.text_of_point()?;
        let Some(rest) = self.rest.strip_prefix(',') else {
            return Err(self.malformed("Missing comma after lower bound."));
        };
        self.rest = rest;
        let upper = self.text_of_point()?;
        let upper_inclusive = match self.rest.bytes().next() {
            Some(b']') => true,
            Some(b')') => false,
            _ => return Err(self.malformed("Too many commas.")),
        };
        self.rest = &self.rest[1..];
        let lower = End { point: self.point(lower)?, inclusive: lower_inclusive };
        let upper = End { point: self.point(upper)?, inclusive: upper_inclusive };
        canonical(self.bound, lower, upper)
    }

    fn point(&self, text: Option<String>) -> Result<Option<Point>> {
        let Some(text) = text else { return Ok(None) };
        let value = super::parse(self.bound, &text)?;
        Ok(Point::of(self.bound, ValueRef::from(&value)))
    }

    /// The text of a bound; `None` if there is none.
    fn text_of_point(&mut self) -> Result<Option<String>> {
        if self.rest.starts_with([',', ')', ']']) {
            return Ok(None);
        }
        let mut text = String::new();
        let mut quoted = false;
        let mut end = None;
        let mut characters = self.rest.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                '"' if quoted && characters.peek().is_some_and(|(_, next)| *next == '"') => {
                    characters.next();
                    text.push('"');
                }
                '"' => quoted = !quoted,
                ',' | ')' | ']' | '(' | '[' if !quoted => {
                    end = Some(at);
                    break;
                }
                other => text.push(other),
            }
        }
        let Some(end) = end else { return Err(self.malformed("Unexpected end of input.")) };
        self.rest = &self.rest[end..];
        Ok(Some(text))
    }
}

/// A range's text.
pub fn print(bound: Type, range: &Range) -> String {
    let Some((lower, upper)) = range else { return "empty".to_owned() };
    let point = |end: &End| {
        end.point
            .as_ref()
            .map_or_else(String::new, |point| quoted(&super::print(bound, ValueRef::from(&point.value()))))
    };
    format!(
        "{}{},{}{}",
        if lower.inclusive { '[' } else { '(' },
        point(lower),
        point(upper),
        if upper.inclusive { ']' } else { ')' }
    )
}

fn quoted(text: &str) -> String {
    let plain =
        !text.is_empty() && !text.contains(|c: char| "\"\\()[],".contains(c) || c.is_ascii_whitespace());
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\"\"")) }
}

/// A multirange's text.
pub fn print_all(bound: Type, ranges: &[Range]) -> String {
    format!("{{{}}}", ranges.iter().map(|range| print(bound, range)).collect::<Vec<_>>().join(","))
}

/// Whether two ranges share a point.
pub fn overlaps(left: &Range, right: &Range) -> bool {
    intersection(left, right).is_some()
}

/// The shared points of two ranges.
pub fn intersection(left: &Range, right: &Range) -> Range {
    let (left, right) = (left.as_ref()?, right.as_ref()?);
    let lower = if compare_ends((&left.0, false), (&right.0, false)).is_ge() { &left.0 } else { &right.0 };
    let upper = if compare_ends((&left.1, true), (&right.1, true)).is_le() { &left.1 } else { &right.1 };
    compare_ends((lower, false), (upper, true)).is_lt().then(|| (lower.clone(), upper.clone()))
}

/// Whether one range ends where the other begins, without a point between them or in both.
pub fn adjacent(left: &Range, right: &Range) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    let touch = |upper: &End, lower: &End| {
        upper.point.is_some() && lower.point.is_some() && compare_ends((upper, true), (lower, false)).is_eq()
    };
    touch(&left.1, &right.0) || touch(&right.1, &left.0)
}

/// The smallest range with all points of two.
pub fn merge(left: &Range, right: &Range) -> Range {
    let (Some(a), Some(b)) = (left, right) else { return left.clone().or_else(|| right.clone()) };
    let lower = if compare_ends((&a.0, false), (&b.0, false)).is_le() { &a.0 } else { &b.0 };
    let upper = if compare_ends((&a.1, true), (&b.1, true)).is_ge() { &a.1 } else { &b.1 };
    Some((lower.clone(), upper.clone()))
}

/// The ranges with the points of all, in order, without touching ones.
pub fn union(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.retain(Option::is_some);
    ranges.sort_by(compare);
    let mut out: Vec<Range> = Vec::new();
    for range in ranges {
        let joins = out.last().is_some_and(|last| overlaps(last, &range) || adjacent(last, &range));
        match out.last_mut() {
            Some(last) if joins => *last = merge(last, &range),
            _ => out.push(range),
        }
    }
    out
}

/// The points of the first ranges that are not in the second ones.
pub fn difference(left: &[Range], right: &[Range]) -> Vec<Range> {
    let mut rest: Vec<Range> = left.iter().filter(|range| range.is_some()).cloned().collect();
    for taken in right {
        rest = rest.iter().flat_map(|range| without(range, taken)).collect();
    }
    union(rest)
}

/// The parts of a range before and behind another.
fn without(range: &Range, taken: &Range) -> Vec<Range> {
    let (Some((lower, upper)), Some((from, to))) = (range, taken) else { return vec![range.clone()] };
    if !overlaps(range, taken) {
        return vec![range.clone()];
    }
    let turned = |end: &End| End { point: end.point.clone(), inclusive: !end.inclusive };
    let mut parts = Vec::new();
    if compare_ends((lower, false), (from, false)).is_lt() {
        parts.push(Some((lower.clone(), turned(from))));
    }
    if compare_ends((upper, true), (to, true)).is_gt() {
        parts.push(Some((turned(to), upper.clone())));
    }
    parts
}

/// Whether all points of `inner` are in one of `outer`, which are in order and do not touch.
pub fn contains(outer: &[Range], inner: &Range) -> bool {
    inner.is_none() || outer.iter().any(|range| compare(&intersection(range, inner), inner).is_eq())
}
