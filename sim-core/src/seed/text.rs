//! Reading and writing seeds as text. TOML and JSON are told apart by the first character.

use std::str::FromStr;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use sim_base::{format, json, listed, near};

use super::place::Place;
use super::{Seed, wrong};
use crate::Error;

/// Whether a text is JSON rather than TOML.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Why an exported world is refused, if another version exported it.
fn other_version(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Export {
        state: Header,
    }
    #[derive(Deserialize)]
    struct Header {
        format: u32,
    }
    let read = if is_json(text) { serde_json::from_str(text).ok() } else { toml::from_str(text).ok() };
    let Export { state } = read?;
    format::refuse_other(state.format).map(|why| format!("state: {why}"))
}

/// A deserializer's message in plain words, after the table that it is about.
fn in_json(text: &str, error: &serde_json::Error) -> String {
    let shown = near::explained(&error.to_string());
    let value: Option<Value> = serde_json::from_str(text).ok();
    let bare = value.as_ref().and_then(|value| Seed::deserialize(value).err()).map(|error| error.to_string());
    let place = value.zip(bare).and_then(|(value, bare)| blamed(&value, &bare));
    place.map_or_else(|| shown.clone(), |place| format!("{place}: {shown}"))
}

/// The table, as in `projects.1`, that alone leads to the same message.
fn blamed(value: &Value, error: &str) -> Option<String> {
    let fails = |name: &str, part: Value| {
        let alone = Value::Object([(name.to_owned(), part)].into_iter().collect());
        Seed::deserialize(&alone).is_err_and(|other| other.to_string() == error)
    };
    value.as_object()?.iter().find_map(|(name, part)| match part {
        Value::Array(list) => {
            let at = list.iter().position(|one| fails(name, vec![one.clone()].into()))?;
            Some(format!("{name}.{at}"))
        }
        _ => fails(name, part.clone()).then(|| name.clone()),
    })
}

/// Refuses a list in the place of a table.
fn refuse_lists(text: &str) -> Result<(), Error> {
    static SCHEMA: LazyLock<Value> = LazyLock::new(listed::schema_of::<Seed>);
    let read = if is_json(text) { serde_json::from_str(text).ok() } else { toml::from_str(text).ok() };
    let Some(path) = read.and_then(|value| listed::path_in(&SCHEMA, &SCHEMA["$defs"], &value)) else {
        return Ok(());
    };
    Err(Seed { text: Some(text.into()), ..Seed::new() }.placed(wrong(&path, listed::FIELDS)))
}

impl Seed {
    /// Reads a seed file: JSON if it begins with `{`, otherwise TOML. Errors name the field, line and column, even
    /// errors that are found later, when the world is built.
    pub fn parse(text: &str) -> Result<Seed, Error> {
        let refuse = |text: String| Error::invalid("invalid_seed", text);
        let read: Result<Seed, String> = match is_json(text) {
            true => serde_json::from_str(text).map_err(|error| format!("JSON: {}", in_json(text, &error))),
            false => toml::from_str(text).map_err(|error| near::explained(&error.to_string())),
        };
        if is_json(text) {
            let value = serde_json::from_str(text).unwrap_or_default();
            json::refuse_repeated(text.as_bytes(), &value)
                .map_err(|error| refuse(format!("JSON: {}", error.message)))?;
        }
        // For an export of another version, other errors would not help the reader.
        if let Some(why) = read.is_err().then(|| other_version(text)).flatten() {
            return Err(refuse(why));
        }
        refuse_lists(text)?;
        let seed = Seed { text: Some(text.into()), ..read.map_err(refuse)? };
        seed.check().map_err(|error| seed.placed(error))?;
        Ok(seed)
    }

    /// Reads a seed from a JSON value.
    pub fn from_json(value: &Value) -> Result<Seed, Error> {
        Seed::deserialize(value).map_err(|error| {
            let place = blamed(value, &error.to_string()).map(|place| format!("{place}: "));
            let text = place.unwrap_or_default() + &near::explained(&error.to_string());
            Error::invalid("invalid_seed", format!("The seed can't be read: {text}"))
        })
    }

    /// Adds the field's position in the text to a refusal.
    pub(super) fn placed(&self, error: Error) -> Error {
        let path = match error.reason.strip_prefix("invalid_policy.") {
            Some(setting) => Some(format!("policy.{setting}")),
            None => error.reason.strip_prefix("invalid_seed.").map(str::to_owned),
        };
        match path.zip(self.text.as_deref()).and_then(|(path, text)| Place::of(&path, text)) {
            Some(place) => Error { message: format!("{place}: {}", error.message), ..error },
            None => error,
        }
    }

    /// Writes the seed as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a seed is tables, lists, texts and numbers")
    }

    /// Writes the seed as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a seed is plain data")
    }
}

impl FromStr for Seed {
    type Err = Error;

    fn from_str(text: &str) -> Result<Seed, Error> {
        Seed::parse(text)
    }
}
