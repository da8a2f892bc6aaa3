//! JSON that clients send.

use serde::de::DeserializeOwned;

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
    use serde_json::Value;

    use super::*;

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
