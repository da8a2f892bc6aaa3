//! Seeds as text: TOML or JSON, by what the text looks like.

use std::str::FromStr;

use super::Seed;
use crate::Error;

impl Seed {
    /// Reads a seed file: JSON where it begins with `{`, else TOML. What is wrong is named by line or field.
    pub fn parse(text: &str) -> Result<Seed, Error> {
        let refuse = |text: String| Error::invalid("invalid_seed", text);
        let seed: Seed = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| refuse(format!("JSON: {error}")))?
        } else {
            toml::from_str(text).map_err(|error| refuse(format!("TOML: {error}")))?
        };
        seed.check()?;
        Ok(seed)
    }

    /// As a file in TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a seed is tables, lists, texts and numbers")
    }

    /// As a file in JSON.
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
