//! Translates between neutral tokens and a profile's names. Only the wire has these names; inside, each token has
//! one spelling.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// A profile's names, usable in both directions. Most worlds have none, and then translation costs nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pairs: Vec<(String, String)>,
}

/// The direction of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From the client to us.
    In,
    /// From us to the client.
    Out,
}

impl Names {
    /// `names` maps a neutral token to its wire name.
    pub(crate) fn new(names: &BTreeMap<String, String>) -> Names {
        Names { pairs: names.iter().map(|(neutral, wire)| (neutral.clone(), wire.clone())).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Replaces a token that `text` contains as a whole word by its other spelling. `None` if it contains none.
    pub(crate) fn spell(&self, way: Way, text: &str) -> Option<String> {
        self.pairs.iter().find_map(|(neutral, wire)| {
            let (from, to) = if way == Way::Out { (neutral, wire) } else { (wire, neutral) };
            let start = find_word(text, from)?;
            Some([&text[..start], to, &text[start + from.len()..]].concat())
        })
    }

    /// Spells the names of a JSON Schema, at any depth: property names, required names, enum members, parameters.
    pub(crate) fn spell_schema(&self, schema: &mut Value) {
        match schema {
            Value::Array(list) => list.iter_mut().for_each(|one| self.spell_schema(one)),
            Value::Object(object) => {
                for (key, value) in object.iter_mut() {
                    match (key.as_str(), value) {
                        ("properties", Value::Object(properties)) => self.spell_keys(properties),
                        ("required" | "enum", Value::Array(names)) => {
                            names.iter_mut().for_each(|n| self.spell_text(n));
                        }
                        ("name", name) => self.spell_text(name),
                        _ => {}
                    }
                }
                object.values_mut().for_each(|value| self.spell_schema(value));
            }
            _ => {}
        }
    }

    fn spell_keys(&self, object: &mut Map<String, Value>) {
        let renamed = std::mem::take(object).into_iter();
        *object = renamed.map(|(key, value)| (self.spell(Way::Out, &key).unwrap_or(key), value)).collect();
    }

    fn spell_text(&self, value: &mut Value) {
        if let Some(other) = value.as_str().and_then(|text| self.spell(Way::Out, text)) {
            *value = Value::from(other);
        }
    }
}

/// The position of `word` in `text` as a whole word: with no letter or digit next to it.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    text.match_indices(word).map(|(start, _)| start).find(|&start| {
        let bytes = text.as_bytes();
        let before = start.checked_sub(1).and_then(|index| bytes.get(index));
        !is_part(before) && !is_part(bytes.get(start + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_replaced_only_as_a_word_of_its_own() {
        let names = Names::new(&BTreeMap::from([("idp_01".to_owned(), "acme".to_owned())]));
        assert_eq!(names.spell(Way::Out, "external_idp_01_secret").as_deref(), Some("external_acme_secret"));
        assert_eq!(names.spell(Way::In, "external_acme_secret").as_deref(), Some("external_idp_01_secret"));
        assert_eq!(names.spell(Way::Out, "external_idp_010_secret"), None);
        assert_eq!(names.spell(Way::In, "external_acmeid_secret"), None);
    }
}
