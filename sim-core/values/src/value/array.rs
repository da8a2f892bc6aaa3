//! Arrays and rows: JSON arrays of the representations of their elements.

use std::cmp::Ordering;

use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Element;

use super::order::{self, Order};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// The elements of an array; nested ones are arrays themselves.
pub fn elements(text: &str) -> Vec<Element> {
    serde_json::from_str(text).unwrap_or_default()
}

/// The representation of an array of `elements`.
pub fn of(elements: Vec<Element>) -> Value {
    Value::Text(Element::Array(elements).to_string())
}

/// The array of the arrays in `text`, which must be equally long. Without any element it has no dimension.
pub fn nested(text: &str) -> Result<String> {
    let lengths = elements(text).into_iter().map(|item| item.as_array().map_or(0, Vec::len));
    let lengths: Vec<usize> = lengths.collect();
    let first = lengths.first().copied().unwrap_or(0);
    if lengths.iter().any(|length| *length != first) {
        let message = "multidimensional arrays must have array expressions with matching dimensions";
        return Err(SqlError::new(SqlState::new("2202E"), message));
    }
    Ok(if first == 0 { "[]".to_owned() } else { text.to_owned() })
}

/// The representation of an array of `elements` whose indexes begin as those of the array `text`.
pub fn like(text: &str, elements: Vec<Element>) -> Value {
    let Value::Text(array) = of(elements) else { return Value::Null };
    Value::Text(with_lower_bounds(&lower_bounds(text), array))
}

/// The first index of each dimension. Empty if they are 1, as usual.
///
/// Other ones are blanks in front of the array, which readers of JSON skip: for each dimension the binary digits from the last to
/// the first, a space for 0 and a tab for 1, then a carriage return for a minus, and a line feed.
pub fn lower_bounds(text: &str) -> Vec<i64> {
    let mut bounds = Vec::new();
    let (mut bound, mut digit) = (0_i64, 0_u32);
    for byte in text.bytes() {
        match byte {
            b' ' => digit += 1,
            b'\t' => {
                bound |= 1_i64.checked_shl(digit).unwrap_or(0);
                digit += 1;
            }
            b'\r' => bound = -bound,
            b'\n' => {
                bounds.push(bound);
                (bound, digit) = (0, 0);
            }
            _ => break,
        }
    }
    bounds
}

/// An array with these first indexes.
pub fn with_lower_bounds(bounds: &[i64], array: String) -> String {
    if bounds.iter().all(|bound| *bound == 1) || array == "[]" {
        return array;
    }
    let mut text = String::new();
    for bound in bounds {
        let mut rest = bound.unsigned_abs();
        while rest > 0 {
            text.push(if rest & 1 == 1 { '\t' } else { ' ' });
            rest >>= 1;
        }
        text.push_str(if *bound < 0 { "\r\n" } else { "\n" });
    }
    text + &array
}

/// The form of a value in an array.
pub fn element(value: ValueRef<'_>) -> Element {
    match value {
        ValueRef::Null => Element::Null,
        ValueRef::Integer(value) => value.into(),
        ValueRef::Real(value) => serde_json::Number::from_f64(value)
            .map_or_else(|| Element::String(super::print_float(value, false)), Element::Number),
        ValueRef::Text(text) => Element::String(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Element::String(super::print_bytea(bytes)),
    }
}

/// The value of `type_` stored in an array as `element`.
pub fn value(type_: Type, element: &Element) -> Value {
    match element {
        Element::Null => Value::Null,
        Element::Bool(value) => Value::Integer((*value).into()),
        Element::Number(number) if type_.is_float() => Value::Real(number.as_f64().unwrap_or(0.0)),
        Element::Number(number) => match number.as_i64() {
            Some(value) => Value::Integer(value),
            None => Value::Real(number.as_f64().unwrap_or(0.0)),
        },
        Element::String(text) if type_ == Type::BYTEA || type_.is_float() => {
            super::parse(type_, text).unwrap_or_else(|_| Value::Text(text.clone()))
        }
        Element::String(text) => Value::Text(text.clone()),
        nested @ (Element::Array(_) | Element::Object(_)) => Value::Text(nested.to_string()),
    }
}

/// Whether arrays of the type are written without brackets and count from 0, as in the catalog.
pub fn is_vector(type_: Type) -> bool {
    matches!(type_, Type::OIDVECTOR | Type::INT2VECTOR)
}

/// Reads an array literal, `{1,NULL,"a b"}`.
///
/// Fails with 22P02 for a malformed literal, and with the element type's error for an invalid element.
pub fn parse(type_: Type, text: &str) -> Result<String> {
    if is_vector(type_) && !text.contains('{') {
        let items = text.split_ascii_whitespace().collect::<Vec<_>>().join(",");
        return parse(type_, &format!("{{{items}}}"));
    }
    let element = type_.element().unwrap_or(Type::TEXT);
    let mut parser = Parser { text, rest: text.trim(), element };
    let bounds = parser.bounds()?;
    if !parser.rest.starts_with('{') {
        return Err(parser.malformed("Array value must start with \"{\" or dimension information."));
    }
    let (items, _) = parser.array(0)?;
    if !parser.rest.trim().is_empty() {
        return Err(parser.malformed("Junk after closing right brace."));
    }
    if !bounds.is_empty() && !has_lengths(&items, &bounds) {
        return Err(parser.malformed("Specified array dimensions do not match array contents."));
    }
    let lower: Vec<i64> = bounds.iter().map(|(lower, _)| *lower).collect();
    Ok(with_lower_bounds(&lower, items.to_string()))
}

/// Whether an array has the dimensions that are written before it.
fn has_lengths(items: &Element, bounds: &[(i64, i64)]) -> bool {
    match (items, bounds) {
        (Element::Array(items), [(lower, upper), rest @ ..]) => {
            i64::try_from(items.len()) == Ok(upper - lower + 1)
                && items.iter().all(|item| has_lengths(item, rest))
        }
        (item, bounds) => bounds.is_empty() && !item.is_array(),
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    element: Type,
}

impl Parser<'_> {
    fn malformed(&self, detail: &str) -> SqlError {
        let message = format!("malformed array literal: \"{}\"", self.text);
        SqlError::new(SqlState::INVALID_TEXT, message).detail(detail)
    }

    /// The bounds before an array: `[0:2][3]=`.
    fn bounds(&mut self) -> Result<Vec<(i64, i64)>> {
        let mut bounds = Vec::new();
        while let Some(rest) = self.rest.strip_prefix('[') {
            let dimension = "\"[\" must introduce explicitly-specified array dimensions.";
            let (inner, rest) = rest.split_once(']').ok_or_else(|| self.malformed(dimension))?;
            let number =
                |text: &str| text.trim().parse::<i32>().map(i64::from).map_err(|_| self.malformed(dimension));
            let (lower, upper) = match inner.split_once(':') {
                Some((lower, upper)) => (number(lower)?, number(upper)?),
                None => (1, number(inner)?),
            };
            if upper < lower {
                let message = "upper bound cannot be less than lower bound";
                return Err(SqlError::new(SqlState::new("2202E"), message));
            }
            bounds.push((lower, upper));
            self.rest = rest.trim_start();
        }
        if bounds.is_empty() {
            return Ok(bounds);
        }
        match self.rest.strip_prefix('=') {
            Some(rest) => self.rest = rest.trim_start(),
            None => return Err(self.malformed("Missing \"=\" after array dimensions.")),
        }
        if self.rest.starts_with('{') {
            Ok(bounds)
        } else {
            Err(self.malformed("Array contents must start with \"{\"."))
        }
    }

    /// An array, and the lengths of its dimensions.
    fn array(&mut self, depth: usize) -> Result<(Element, Vec<usize>)> {
        if depth > 5 {
            return Err(SqlError::new(
                SqlState::PROGRAM_LIMIT,
                "number of array dimensions (7) exceeds the maximum allowed (6)",
            ));
        }
        self.rest = self.rest[1..].trim_start();
        let mut items = Vec::new();
        if let Some(rest) = self.rest.strip_prefix('}') {
            self.rest = rest;
            return Ok((Element::Array(items), vec![0]));
        }
        // The dimensions of the items; `None` where these are no arrays.
        let mut inner: Option<Vec<usize>> = None;
        loop {
            self.rest = self.rest.trim_start();
            let begins = self.rest.bytes().next();
            if !items.is_empty() && inner.is_some() != (begins == Some(b'{')) {
                return Err(self.malformed(match inner {
                    Some(_) => "Unexpected array element.",
                    None => "Unexpected \"{\" character.",
                }));
            }
            items.push(match begins {
                None => return Err(self.malformed("Unexpected end of input.")),
                Some(b'{') => {
                    let (item, lengths) = self.array(depth + 1)?;
                    if inner.as_ref().is_some_and(|known| *known != lengths) {
                        let detail = "Multidimensional arrays must have sub-arrays with matching dimensions.";
                        return Err(self.malformed(detail));
                    }
                    inner = Some(lengths);
                    item
                }
                Some(b'"') => self.quoted()?,
                _ => self.bare()?,
            });
            self.rest = self.rest.trim_start();
            let next = self.rest.chars().next();
            self.rest = self.rest.get(1..).unwrap_or("");
            match next {
                Some(found) if found == between(self.element) => {}
                Some('}') => {
                    let lengths = [items.len()].into_iter().chain(inner.into_iter().flatten()).collect();
                    return Ok((Element::Array(items), lengths));
                }
                Some(_) => return Err(self.malformed("Unexpected array element.")),
                None => return Err(self.malformed("Unexpected end of input.")),
            }
        }
    }

    fn quoted(&mut self) -> Result<Element> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return self.read(&text);
                }
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                other => text.push(other),
            }
        }
        Err(self.malformed("Unexpected end of input."))
    }

    fn bare(&mut self) -> Result<Element> {
        let mut text = String::new();
        let mut end = self.rest.len();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                found if found == '}' || found == between(self.element) => {
                    end = at;
                    break;
                }
                '{' | '"' => return Err(self.malformed("Unexpected array element.")),
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                other => text.push(other),
            }
        }
        self.rest = &self.rest[end..];
        let text = text.trim_end();
        match text {
            "" => Err(self.malformed("Unexpected \"}\" character.")),
            null if null.eq_ignore_ascii_case("null") => Ok(Element::Null),
            text => self.read(text),
        }
    }

    fn read(&self, text: &str) -> Result<Element> {
        let value = super::parse(self.element, text)?;
        Ok(element(ValueRef::from(&value)))
    }
}

/// Writes an array as PostgreSQL prints it.
pub fn print(type_: Type, text: &str) -> String {
    let items = elements(text);
    let mut bounds = String::new();
    let mut dimension = Some(&items);
    for lower in lower_bounds(text) {
        let length = dimension.map_or(0, Vec::len);
        bounds.push_str(&format!("[{lower}:{}]", lower + i64::try_from(length).unwrap_or(0) - 1));
        dimension = dimension.and_then(|items| items.first()?.as_array());
    }
    let printed = print_items(type_.element().unwrap_or(Type::TEXT), &items);
    if is_vector(type_) {
        return printed.trim_matches(['{', '}']).replace(',', " ");
    }
    if bounds.is_empty() { printed } else { format!("{bounds}={printed}") }
}

fn print_items(element: Type, items: &[Element]) -> String {
    let printed = items.iter().map(|item| match item {
        Element::Null => "NULL".to_owned(),
        Element::Array(nested) if element != Type::RECORD => print_items(element, nested),
        Element::Array(fields) => quote_item(&print_row(fields), ','),
        item => quote_item(&super::print(element, ValueRef::from(&value(element, item))), between(element)),
    });
    format!("{{{}}}", printed.collect::<Vec<_>>().join(&between(element).to_string()))
}

/// Writes a row whose fields are of unknown types as PostgreSQL prints it.
pub(super) fn print_row(fields: &[Element]) -> String {
    let printed = fields.iter().map(|field| {
        let text = match field {
            Element::Null => return String::new(),
            Element::String(text) => text.clone(),
            other => other.to_string(),
        };
        let quoted = |c: char| ",()\"\\".contains(c) || c.is_ascii_whitespace() || c == '\u{b}';
        match text.is_empty() || text.contains(quoted) {
            true => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\"\"")),
            false => text,
        }
    });
    format!("({})", printed.collect::<Vec<_>>().join(","))
}

/// What stands between the elements of an array.
fn between(element: Type) -> char {
    if element == Type::BOX { ';' } else { ',' }
}

fn quote_item(text: &str, between: char) -> String {
    let plain = !text.is_empty()
        && !text.eq_ignore_ascii_case("null")
        && !text.contains(|c: char| {
            c == between || "{}\"\\".contains(c) || c.is_ascii_whitespace() || c == '\u{b}'
        });
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")) }
}

/// The order of two arrays or rows: by elements, then by length. Null is greater than any value.
pub fn compare(left: &str, right: &str, of_texts: Order) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    compare_items(&elements(left), &elements(right), of_texts)
        .then_with(|| lower_bounds(left).cmp(&lower_bounds(right)))
}

fn compare_items(left: &[Element], right: &[Element], of_texts: Order) -> Ordering {
    let orders = left.iter().zip(right).map(|(left, right)| compare_elements(left, right, of_texts));
    orders.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}

/// The order of two elements.
pub fn compare_elements(left: &Element, right: &Element, of_texts: Order) -> Ordering {
    match (left, right) {
        (Element::Null, Element::Null) => Ordering::Equal,
        (Element::Null, _) => Ordering::Greater,
        (_, Element::Null) => Ordering::Less,
        (Element::Number(a), Element::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => floats(a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0)),
        },
        // JSON has no numbers for these values.
        (Element::Number(a), Element::String(b)) => floats(a.as_f64().unwrap_or(0.0), not_finite(b)),
        (Element::String(a), Element::Number(b)) => floats(not_finite(a), b.as_f64().unwrap_or(0.0)),
        (Element::String(a), Element::String(b)) => of_texts(a, b),
        (Element::Array(a), Element::Array(b)) => compare_items(a, b, of_texts),
        (Element::Object(a), Element::Object(b)) => match (a.iter().next(), b.iter().next()) {
            (Some((name, Element::String(a))), Some((_, Element::String(b)))) => order::compare(name, a, b),
            _ => left.to_string().cmp(&right.to_string()),
        },
        _ => left.to_string().cmp(&right.to_string()),
    }
}

/// The order of two numbers, of which a zero has no sign.
fn floats(a: f64, b: f64) -> Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}

fn not_finite(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
