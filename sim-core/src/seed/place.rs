//! Finds the position of a field in the text of a seed file, for error messages.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::value::RawValue;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A position in a text. Lines and columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Place {
    /// The position of the field `path` (`projects.0.secrets`). If the field is missing, the position of the
    /// innermost enclosing field that exists.
    pub(super) fn of(path: &str, text: &str) -> Option<Place> {
        let offset = match super::text::is_json(text) {
            true => offset_in(text, json(text, path)?),
            false => toml(DeTable::parse(text).ok()?.get_ref(), path)?,
        };
        let before = text.get(..offset)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        Some(Place { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 })
    }
}

/// The offset of `part`, a slice of `text`.
fn offset_in(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// The innermost existing value on `path`, as a slice of `text`.
fn json<'t>(text: &'t str, path: &str) -> Option<&'t str> {
    let (value, rest) = if text.trim_start().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
        let (index, rest) = element(path)?;
        (items.get(index)?.get(), rest)
    } else {
        let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        let (_, value, rest) = member(fields.iter().map(|(name, value)| (name.as_str(), value)), path)?;
        (value.get(), rest)
    };
    json(value, rest).or(Some(value))
}

/// The offset of the innermost existing key or element on `path`.
fn toml(table: &DeTable<'_>, path: &str) -> Option<usize> {
    let members = table.iter().map(|(key, value)| (key.get_ref().as_ref(), (key, value)));
    let (_, (key, value), rest) = member(members, path)?;
    below(value, rest).or(Some(key.span().start))
}

fn below(value: &Spanned<DeValue<'_>>, path: &str) -> Option<usize> {
    match value.get_ref() {
        DeValue::Table(table) => toml(table, path),
        DeValue::Array(items) => {
            let (index, rest) = element(path)?;
            let item = items.get(index)?;
            below(item, rest).or(Some(item.span().start))
        }
        _ => None,
    }
}

/// The member that `path` begins with, and the rest of the path. Names may contain dots, so the longest match wins.
fn member<'n, 'p, V>(
    members: impl Iterator<Item = (&'n str, V)>,
    path: &'p str,
) -> Option<(&'n str, V, &'p str)> {
    let begins = members.filter_map(|(name, value)| {
        let rest = path.strip_prefix(name)?;
        Some((name, value, if rest.is_empty() { rest } else { rest.strip_prefix('.')? }))
    });
    begins.max_by_key(|(name, ..)| name.len())
}

/// The number that `path` begins with, and the rest of the path.
fn element(path: &str) -> Option<(usize, &str)> {
    let (number, rest) = path.split_once('.').unwrap_or((path, ""));
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::Place;

    fn place(path: &str, text: &str) -> String {
        Place::of(path, text).map_or_else(|| "nowhere".to_owned(), |place| place.to_string())
    }

    const TOML: &str = "seed = 7\n\n[[projects]]\nname = 'a'\n\n[[projects]]\nname = 'b'\nsecrets = { A = 1 }\n\
                        sql = ['select 1',\n  'selec 2']\n\n[dns.\"app.example.com\"]\ntxt = 1\n";

    #[test]
    fn fields_of_toml_are_found() {
        assert_eq!(place("seed", TOML), "line 1, column 1");
        assert_eq!(place("projects.1", TOML), "line 6, column 1");
        assert_eq!(place("projects.1.secrets.A", TOML), "line 8, column 13");
        assert_eq!(place("projects.1.sql.1", TOML), "line 10, column 3");
        assert_eq!(place("projects.1.upgrade.step", TOML), "line 6, column 1");
        assert_eq!(place("dns.app.example.com.txt", TOML), "line 13, column 1");
        assert_eq!(place("nothing", TOML), "nowhere");
    }

    #[test]
    fn values_of_json_are_found() {
        let text = "{\n  \"projects\": [\n    { \"name\": \"ä\", \"sql\": [\"a\", 7] }\n  ]\n}";
        assert_eq!(place("projects", text), "line 2, column 15");
        assert_eq!(place("projects.0", text), "line 3, column 5");
        assert_eq!(place("projects.0.sql.1", text), "line 3, column 33");
        assert_eq!(place("projects.0.hostname", text), "line 3, column 5");
        assert_eq!(place("projects.7", text), "line 2, column 15");
        assert_eq!(place("nothing", text), "nowhere");
    }
}
