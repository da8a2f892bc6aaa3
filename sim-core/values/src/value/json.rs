//! JSON as PostgreSQL stores it: numbers with all their digits, objects of `jsonb` ordered by length and
//! bytes of their keys.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::numeric;
use crate::error::{Result, SqlError, SqlState};

/// How deep a document may nest.
const DEPTH_MAX: usize = 400;

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
        let mut parser = Parser { text, at: 0 };
        let value = parser.value(0)?;
        parser.blank();
        if parser.at < text.len() { Err(parser.expected("end of input")) } else { Ok(value) }
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

/// `text`, if it is a JSON document.
pub fn check(text: &str) -> Result<&str> {
    Json::parse(text).map(|_| text)
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

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blank(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn unexpected(&self) -> SqlError {
        self.expected("JSON value")
    }

    /// The error for an unexpected token where `wanted` should be.
    fn expected(&self, wanted: &str) -> SqlError {
        let error = SqlError::new(SqlState::INVALID_TEXT, "invalid input syntax for type json");
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return error.detail("The input string ended unexpectedly.");
        };
        let end = match first {
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| !(c.is_alphanumeric() || "_.+-".contains(c))).unwrap_or(rest.len()),
        };
        let token = &rest[..end.max(first.len_utf8())];
        let known = "{}[],:\"".contains(first) || token.parse::<f64>().is_ok();
        match known || matches!(token, "true" | "false" | "null") {
            true => error.detail(format!("Expected {wanted}, but found \"{token}\".")),
            false => error.detail(format!("Token \"{token}\" is invalid.")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        if depth > DEPTH_MAX {
            return Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded"));
        }
        self.blank();
        match self.rest().bytes().next() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Json::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Json> {
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let value = match &rest[..length] {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => return Err(self.unexpected()),
        };
        self.at += length;
        Ok(value)
    }

    fn number(&mut self) -> Result<Json> {
        let rest = self.rest();
        let length =
            rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let number = &rest[..length];
        let digits = number.strip_prefix('-').unwrap_or(number);
        let (mantissa, exponent) =
            digits.split_once(['e', 'E']).map_or((digits, None), |(m, e)| (m, Some(e)));
        let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
        let digits_only = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let fine = digits_only(whole)
            && (whole == "0" || !whole.starts_with('0'))
            && fraction.is_none_or(digits_only)
            && exponent
                .is_none_or(|exponent| digits_only(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)));
        if !fine {
            return Err(self.unexpected());
        }
        let number = number.to_owned();
        self.at += length;
        Ok(Json::Number(number))
    }

    fn array(&mut self, depth: usize) -> Result<Json> {
        self.at += 1;
        let mut items = Vec::new();
        self.blank();
        if self.take("]") {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blank();
            if self.take("]") {
                return Ok(Json::Array(items));
            }
            if !self.take(",") {
                return Err(self.expected("\",\" or \"]\""));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json> {
        self.at += 1;
        let mut members = Vec::new();
        self.blank();
        if self.take("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.blank();
            if !self.rest().starts_with('"') {
                return Err(self.expected(if members.is_empty() { "string or \"}\"" } else { "string" }));
            }
            let key = self.string()?;
            self.blank();
            if !self.take(":") {
                return Err(self.expected("\":\""));
            }
            members.push((key, self.value(depth + 1)?));
            self.blank();
            if self.take("}") {
                return Ok(Json::Object(members));
            }
            if !self.take(",") {
                return Err(self.expected("\",\" or \"}\""));
            }
        }
    }

    fn string(&mut self) -> Result<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(character) = self.rest().chars().next() else {
                self.at = start;
                return Err(self.unexpected());
            };
            self.at += character.len_utf8();
            match character {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                control if control < ' ' => {
                    self.at -= 1;
                    return Err(self.unexpected());
                }
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let Some(character) = self.rest().chars().next() else { return Err(self.unexpected()) };
        self.at += character.len_utf8();
        Ok(match character {
            '"' | '\\' | '/' => character,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            _ => return Err(self.unexpected()),
        })
    }

    fn unicode(&mut self) -> Result<char> {
        let first = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.take("\\u") {
            0x1_0000 + ((first - 0xd800) << 10) + (self.hex()?.wrapping_sub(0xdc00) & 0x3ff)
        } else {
            first
        };
        char::from_u32(code).filter(|character| *character != '\0').ok_or_else(|| {
            SqlError::new(SqlState::new("22P05"), "unsupported Unicode escape sequence")
                .detail("\\u0000 cannot be converted to text.")
        })
    }

    fn hex(&mut self) -> Result<u32> {
        let code = self.rest().get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += if code.is_some() { 4 } else { 0 };
        code.ok_or_else(|| self.unexpected())
    }
}
