//! The names that the world gave to the things it created.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Text, What};
use crate::api::Reply;
use crate::scenario::NO_PROJECT;

/// The names that the world gave to the things it created, by kind, in order of creation.
///
/// ```
/// use sim_fixtures::strategies::Names;
///
/// let names = Names::of([("user", vec!["owner".to_owned()])]);
/// assert_eq!(names.fill_text("{user 0} and {user 1}"), "owner and no-such-user");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    made: BTreeMap<Text, Vec<String>>,
    /// Whether placeholders stay unchanged.
    kept: bool,
}

impl Names {
    /// These names, by kind.
    pub fn of<const N: usize>(made: [(Text, Vec<String>); N]) -> Names {
        Names { made: made.into(), kept: false }
    }

    /// The names in a world of [`scenario::cast`](crate::scenario::cast) with that project.
    pub fn of_cast(project: &str) -> Names {
        let mut made = crate::model::names().made;
        // There are no apps in that world.
        made.entry("token").or_default().truncate(crate::model::CAST.len());
        made.insert("project", vec![project.to_owned()]);
        Names { made, kept: false }
    }

    pub(super) fn as_they_are() -> Names {
        Names { kept: true, ..Names::default() }
    }

    /// The name of the thing with that number of its kind, or a valid name that is not used.
    pub fn name(&self, kind: &str, number: usize) -> &str {
        let nobody = match kind {
            "project" => NO_PROJECT,
            "organization" => "no-such-organization",
            "user" => "no-such-user",
            "branch" | "provider" | "snippet" | "app" | "upgrade" | "key" | "signing" | "drain"
            | "notebook" | "tpa" | "run" | "user_id" | "invite" | "webhook" | "delivery" => {
                "00000000-0000-4000-8000-000000000000"
            }
            _ => "nobody-has-this",
        };
        self.made.get(kind).and_then(|names| names.get(number)).map_or(nobody, String::as_str)
    }

    /// The text of a token.
    pub fn token(&self, number: usize) -> &str {
        self.name("token", number)
    }

    /// `text` with names in place of placeholders.
    pub fn fill_text(&self, text: &str) -> String {
        if self.kept || !text.contains('{') {
            return text.to_owned();
        }
        let mut filled = String::new();
        for (index, piece) in text.split('{').enumerate() {
            let name = || -> Option<(&str, &str)> {
                let (placeholder, rest) = piece.split_once('}')?;
                let (kind, number) = placeholder.split_once(' ')?;
                Some((self.name(kind, number.parse().ok()?), rest))
            };
            match name().filter(|_| index > 0) {
                Some((name, rest)) => filled.extend([name, rest]),
                None if index > 0 => filled.extend(["{", piece]),
                None => filled.push_str(piece),
            }
        }
        filled
    }

    /// The same, encoded for a path or a query.
    pub(super) fn fill_path(&self, text: &str) -> String {
        if self.kept { text.to_owned() } else { super::encoded(&self.fill_text(text)) }
    }

    /// `value` with names in place of placeholders in all its texts.
    pub fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.fill_text(text).into(),
            Value::Array(list) => list.iter().map(|one| self.fill(one)).collect(),
            Value::Object(fields) => {
                Value::Object(fields.iter().map(|(name, value)| (name.clone(), self.fill(value))).collect())
            }
            other => other.clone(),
        }
    }

    /// Records what `what` created, if `reply` is a success.
    pub fn learn(&mut self, what: &What, reply: &Reply) {
        if reply.status != what.rule.meta.status {
            return;
        }
        for (kind, place) in what.rule.makes {
            for name in found(reply, place) {
                let names = self.made.entry(kind).or_default();
                // Something learnt from a list may be known already, and so may the project of a default branch.
                let may_be_known = place.starts_with("/*") || *place == "/project_ref";
                if !may_be_known || !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
}

/// The texts at a place in the response: a JSON pointer, a pointer into each item of a list (`/*/…`), or the
/// code in the redirect of a browser.
fn found(reply: &Reply, place: &str) -> Vec<String> {
    if place == "code" {
        let codes = reply.header("location").split(['?', '&']).filter_map(|pair| pair.strip_prefix("code="));
        return codes.map(str::to_owned).collect();
    }
    let json = reply.json();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    match place.strip_prefix("/*") {
        Some(rest) => {
            json.as_array().into_iter().flatten().filter_map(|item| text(item.pointer(rest))).collect()
        }
        None => text(json.pointer(place)).into_iter().collect(),
    }
}
