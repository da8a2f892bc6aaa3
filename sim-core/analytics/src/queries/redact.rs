//! Results without network addresses.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::Value;

use crate::execute::Rows;

const REDACTED: &str = "REDACTED";

/// Replaces each address of the fourth and the sixth version in the texts of the rows.
pub(crate) fn rows(rows: &mut Rows) {
    for row in rows {
        row.values_mut().for_each(value);
    }
}

fn value(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(['.', ':']) => *text = redacted(text),
        Value::Array(list) => list.iter_mut().for_each(self::value),
        Value::Object(object) => object.values_mut().for_each(self::value),
        _ => {}
    }
}

/// A word is as long as it can be, so that `v1.2.3.4` and a time of day are none.
fn redacted(text: &str) -> String {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | ':' | '_');
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(word.find(|sign| !is_part(sign)).unwrap_or(word.len()));
        whole.push_str(before);
        whole.push_str(&redacted_word(word));
        rest = after;
    }
    whole + rest
}

/// The word, in which an address may be followed by a port or by the end of a sentence.
fn redacted_word(word: &str) -> String {
    let plain = word.trim_end_matches(['.', ':', '_']);
    let end = &word[plain.len()..];
    if plain.parse::<IpAddr>().is_ok() {
        return format!("{REDACTED}{end}");
    }
    match plain.split_once(':') {
        Some((host, port)) if host.parse::<Ipv4Addr>().is_ok() => format!("{REDACTED}:{port}{end}"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_replaced_and_nothing_else() {
        let rows = [
            ("192.168.0.1", "REDACTED"),
            ("from 10.0.0.1, to [2001:db8::1]:443.", "from REDACTED, to [REDACTED]:443."),
            ("10.0.0.1:8080", "REDACTED:8080"),
            ("client=10.0.0.1; via ::1", "client=REDACTED; via REDACTED"),
            (
                "v1.2.3.4 at 12:30:45, 1.2.3, 1.2.3.4.5, 300.1.1.1",
                "v1.2.3.4 at 12:30:45, 1.2.3, 1.2.3.4.5, 300.1.1.1",
            ),
            ("no address: é", "no address: é"),
        ];
        for (given, expected) in rows {
            assert_eq!(redacted(given), expected);
        }
    }
}
