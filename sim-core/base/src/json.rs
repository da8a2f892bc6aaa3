//! JSON that clients send.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::Error;

/// The most values in a text. Each takes about a hundred bytes when it is read, whatever its length.
pub const VALUES_MAX: usize = 1_500_000;

/// Reads a body.
///
/// # Errors
///
/// 400 if it is not JSON of this kind, or has more than [`VALUES_MAX`] values.
pub fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    let invalid = |reason: String| Error::invalid("invalid_json", format!("body: Invalid JSON, {reason}"));
    if has_too_many_values(body) {
        return Err(invalid(format!("it has more than {VALUES_MAX} values")));
    }
    serde_json::from_slice(body).map_err(|error| invalid(error.to_string()))
}

/// The members that an object of the text has more than once, each by its dotted path: of them the last alone counts. `value` is
/// what was read of the text.
pub fn repeated(text: &[u8], value: &Value) -> Vec<String> {
    // Each member has one colon, so a text without repetitions is not read again.
    if colons(text) == members(value) {
        return Vec::new();
    }
    let found = RefCell::new(BTreeSet::new());
    let look = Look { path: String::new(), found: &found };
    let _: Result<(), serde_json::Error> = look.deserialize(&mut serde_json::Deserializer::from_slice(text));
    found.into_inner().into_iter().collect()
}

/// The integers of the text that no 64 bits hold, each by its dotted path: they are read as floats, which keep about 16 of their
/// digits.
pub fn too_long_integers(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    // Paths are only worked out for the few texts that have such integers.
    if has_long_integer(text)
        && let Ok(raw) = serde_json::from_slice::<&RawValue>(text)
    {
        add_long_integers(raw, "", &mut found);
    }
    found
}

fn add_long_integers(raw: &RawValue, path: &str, found: &mut Vec<String>) {
    let text = raw.get();
    if found.len() >= FOUND_MAX || !has_long_integer(text.as_bytes()) {
        return;
    }
    let dot = if path.is_empty() { "" } else { "." };
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(text) {
        let each = list.into_iter().enumerate();
        each.for_each(|(index, raw)| add_long_integers(raw, &format!("{path}{dot}{index}"), found));
    } else if let Ok(object) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text) {
        let each = object.into_iter();
        each.for_each(|(name, raw)| add_long_integers(raw, &format!("{path}{dot}{name}"), found));
    } else {
        found.push(path.to_owned());
    }
}

/// The fewest bytes of an integer that no 64 bits hold, with its sign.
const LONG: usize = 20;

/// Whether an integer outside of quoted texts is too long for 64 bits.
fn has_long_integer(text: &[u8]) -> bool {
    let (mut quoted, mut escaped, mut start) = (false, false, None);
    for (index, byte) in text.iter().enumerate() {
        let is_of_number = !quoted && matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        match (is_of_number, start) {
            (true, None) => start = Some(index),
            (false, Some(from)) if is_too_long(&text[from..index]) => return true,
            (false, _) => start = None,
            (true, Some(_)) => {}
        }
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            _ => {}
        }
    }
    start.is_some_and(|from| is_too_long(&text[from..]))
}

fn is_too_long(number: &[u8]) -> bool {
    let is_integer = || !number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    number.len() >= LONG
        && is_integer()
        && std::str::from_utf8(number)
            .is_ok_and(|text| text.parse::<u64>().is_err() && text.parse::<i64>().is_err())
}

/// Refuses a text in which a member comes more than once.
///
/// # Errors
///
/// 400 that names the member.
pub fn refuse_repeated(text: &[u8], value: &Value) -> Result<(), Error> {
    repeated(text, value).first().map_or(Ok(()), |name| {
        Err(Error::invalid(format!("invalid_body.{name}"), format!("{name}: Given more than once")))
    })
}

/// The number of members of all objects.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(list) => list.iter().map(members).sum(),
        Value::Object(object) => object.len() + object.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// The number of colons outside of texts.
fn colons(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b':' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

/// Looks for members that come again, at a place and below.
struct Look<'f> {
    path: String,
    found: &'f RefCell<BTreeSet<String>>,
}

impl Look<'_> {
    fn at(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Look { path: format!("{}{dot}{name}", self.path), found: self.found }
    }
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        while list.next_element_seed(self.at(&index.to_string()))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = object.next_key::<String>()? {
            let member = self.at(&name);
            if names.contains(&name) {
                self.found.borrow_mut().insert(member.path.clone());
            }
            let is_full = self.found.borrow().len() >= FOUND_MAX;
            match is_full {
                false => object.next_value_seed(member)?,
                true => drop(object.next_value::<IgnoredAny>()?),
            }
            names.insert(name);
        }
        Ok(())
    }
}

/// How many members are named.
const FOUND_MAX: usize = 100;

/// Whether a text has more than [`VALUES_MAX`] values.
pub fn has_too_many_values(text: &[u8]) -> bool {
    // Most texts are too short.
    text.len() > VALUES_MAX && values_of(text) > VALUES_MAX
}

/// About the number of values in a text: each but the first is after a comma, a colon or an opening bracket.
fn values_of(text: &[u8]) -> usize {
    let (mut count, mut quoted, mut escaped) = (1, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b',' | b':' | b'[' | b'{' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_come_again_are_found() {
        let found = |text: &str| repeated(text.as_bytes(), &serde_json::from_str(text).expect("it is JSON"));
        for text in ["1", "{}", r#"{"a":":\"","b":[{"a":1},{"a":2}]}"#, r#"{"a":{"a":1}}"#] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        assert_eq!(found(r#"{"a":1,"b":null,"a":2,"a":1.5}"#), ["a"]);
        assert_eq!(found(r#"[{"a":{"b":1,"b":true}},{"a":{"c":-1,"\u0063":[]}}]"#), ["0.a.b", "1.a.c"]);
    }

    #[test]
    fn integers_longer_than_64_bits_are_found() {
        let found = |text: &str| too_long_integers(text.as_bytes());
        for text in [
            "18446744073709551615",
            "-9223372036854775808",
            "[1.8446744073709551616e19, 18446744073709551616.0]",
            r#"{"a":"18446744073709551616","18446744073709551616":1767225600000000000}"#,
            r#"["\"18446744073709551616", 0.18446744073709551616]"#,
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        let text = r#"[{"a":18446744073709551616,"b":[1,-9223372036854775809]},18446744073709551615]"#;
        assert_eq!(found(text), ["0.a", "0.b.1"]);
        assert_eq!(found("99999999999999999999"), [""]);
    }

    #[test]
    fn texts_with_too_many_values_are_refused_before_they_are_read() {
        let list = |item: &str, count: usize| format!("[{}{item}]", format!("{item},").repeat(count - 1));
        let read = |text: &str| read_json::<Value>(text.as_bytes()).map_err(|error| error.message);
        let refused = Err("body: Invalid JSON, it has more than 1500000 values".to_owned());
        for item in ["1", "[]", "\"a\"", "{\"a\":1}", "1, \"a,b\\\",\""] {
            assert_eq!(read(&list(item, 2_000_000)), refused, "{item}");
        }
        assert_eq!(read(&"[".repeat(2_000_000)), refused);
        assert!(read(&list("1", 1_400_000)).is_ok());
        let quoted = format!("[\"{}\"]", "1,[\\\"".repeat(1_000_000));
        assert!(read(&quoted).is_ok(), "a quoted text is one value");
        assert_eq!(
            read("[1,"),
            Err("body: Invalid JSON, EOF while parsing a value at line 1 column 3".to_owned())
        );
    }
}
