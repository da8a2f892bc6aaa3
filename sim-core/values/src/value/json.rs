//! JSON as PostgreSQL stores it: numbers with all their digits, objects of `jsonb` ordered by length and
//! bytes of their keys.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::{json_text, numeric};
use crate::error::Result;

/// The approximate size of an element in memory, without its text, in bytes.
pub const ELEMENT: usize = 64;

/// A JSON value. A number is stored as text; an object keeps the order of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as written.
    Number(String),
    /// A text.
    String(String),
    /// Values.
    Array(Vec<Json>),
    /// Members.
    Object(Vec<(String, Json)>),
}

/// The position for an index. Negative indexes count from the end.
pub fn place(index: i64, length: usize) -> Option<usize> {
    let index = if index < 0 { index.checked_add(length as i64)? } else { index };
    usize::try_from(index).ok().filter(|index| *index < length)
}

impl Json {
    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }

    /// Reads a document.
    ///
    /// Fails with 22P02 as PostgreSQL's `json` type does.
    pub fn parse(text: &str) -> Result<Json> {
        json_text::read(text, true)
    }

    /// The document as `jsonb`: members ordered, the last of equal keys kept, numbers canonical.
    #[must_use]
    pub fn canonical(self) -> Json {
        match self {
            Json::Number(number) => Json::Number(numeric::parse(&number).unwrap_or(number)),
            Json::Array(items) => Json::Array(items.into_iter().map(Json::canonical).collect()),
            Json::Object(members) => {
                let mut kept: Vec<(String, Json)> = Vec::with_capacity(members.len());
                let mut ordered: Vec<(usize, (String, Json))> = members.into_iter().enumerate().collect();
                ordered.sort_by(|(at, (a, _)), (bt, (b, _))| key_order(a, b).then(at.cmp(bt)));
                for (_, (key, value)) in ordered {
                    let value = value.canonical();
                    match kept.last_mut() {
                        Some(last) if last.0 == key => last.1 = value,
                        _ => kept.push((key, value)),
                    }
                }
                Json::Object(kept)
            }
            other => other,
        }
    }

    /// The text of a `jsonb`: a space after each colon and comma.
    pub fn print(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, ", ", ": ");
        text
    }

    /// The text without spaces.
    pub fn print_compact(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, ",", ":");
        text
    }

    fn write(&self, out: &mut String, comma: &str, colon: &str) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(number) => out.push_str(number),
            Json::String(text) => quote_into(out, text),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { comma });
                    item.write(out, comma, colon);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { comma });
                    quote_into(out, key);
                    out.push_str(colon);
                    value.write(out, comma, colon);
                }
                out.push('}');
            }
        }
    }

    /// The member `key` of an object; the last of several.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// PostgreSQL's order of `jsonb`: object > array > boolean > number > string > null. A document that is an empty array is less
    /// than all others.
    pub fn order(&self, other: &Json) -> Ordering {
        let is_empty = |json: &Json| matches!(json, Json::Array(items) if items.is_empty());
        is_empty(other).cmp(&is_empty(self)).then_with(|| self.order_inside(other))
    }

    /// The order of parts of documents.
    fn order_inside(&self, other: &Json) -> Ordering {
        let rank = |json: &Json| match json {
            Json::Null => 0,
            Json::String(_) => 1,
            Json::Number(_) => 2,
            Json::Bool(_) => 3,
            Json::Array(_) => 4,
            Json::Object(_) => 5,
        };
        match (self, other) {
            (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
            (Json::Number(a), Json::Number(b)) => numeric::compare(a, b),
            (Json::String(a), Json::String(b)) => a.cmp(b),
            (Json::Array(a), Json::Array(b)) => a.len().cmp(&b.len()).then_with(|| {
                a.iter()
                    .zip(b)
                    .map(|(a, b)| a.order_inside(b))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            }),
            (Json::Object(a), Json::Object(b)) => a.len().cmp(&b.len()).then_with(|| {
                let pairs = a.iter().zip(b);
                let mut orders =
                    pairs.map(|(a, b)| key_order(&a.0, &b.0).then_with(|| a.1.order_inside(&b.1)));
                orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            }),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

fn key_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// `text`, if it is a JSON document. Escapes in it may stand for no character.
pub fn check(text: &str) -> Result<&str> {
    json_text::read(text, false).map(|_| text)
}

/// The `jsonb` text of a JSON document.
pub fn canonical(text: &str) -> Result<String> {
    Json::parse(text).map(|json| json.canonical().print())
}

/// `text` as a JSON string.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_into(&mut out, text);
    out
}

fn quote_into(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
