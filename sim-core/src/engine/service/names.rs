//! Translates between neutral names and those of a profile. Only the wire has these; inside, each name has one spelling.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use sim_base::error::Error;
use sim_base::profile::Profile;
use sim_base::request::Sent;

/// A profile's names for the fields, parameters and values of one service. Most worlds have none, and then translation
/// costs nothing.
///
/// Names are translated whole: `external_abc_enabled` is looked up, not searched for `abc`. So a name may be a part of
/// another one, and the two spellings of all declared names belong together one to one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Tokens and what they are called, the longest token first.
    pairs: Vec<(String, String)>,
    outward: BTreeMap<String, String>,
    inward: BTreeMap<String, String>,
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
    /// The names of `profile` for a service that declares the names in `declared`. Refuses names by which two of these
    /// would be one.
    pub(crate) fn new(
        profile: &Profile,
        declared: impl FnOnce() -> BTreeSet<String>,
    ) -> Result<Names, Error> {
        if profile.names.is_empty() {
            return Ok(Names::default());
        }
        let mut pairs: Vec<_> = profile.names.clone().into_iter().collect();
        pairs.sort_by_key(|(token, _)| std::cmp::Reverse(token.len()));
        let mut names = Names { pairs, ..Names::default() };
        let declared = declared();
        let mut neutral_of: BTreeMap<String, &str> = BTreeMap::new();
        for neutral in &declared {
            let spelt = names.replaced(neutral).unwrap_or_else(|| neutral.clone());
            if let Some(other) = neutral_of.insert(spelt.clone(), neutral) {
                return Err(names.collision(&spelt, other, neutral));
            }
            if spelt != *neutral {
                names.outward.insert(neutral.clone(), spelt.clone());
                names.inward.insert(spelt, neutral.clone());
            }
        }
        Ok(names)
    }

    fn collision(&self, spelt: &str, one: &str, other: &str) -> Error {
        let of = |name: &str| self.pairs.iter().find(|(token, _)| find_word(name, token).is_some());
        let shown = |name: &str| match of(name) {
            Some((token, wire)) => format!("`{name}` ({token} = {wire:?})"),
            None => format!("`{name}`"),
        };
        let token = of(other).or(of(one)).map_or("", |(token, _)| token);
        let text = format!(
            "names.{token}: by these names `{spelt}` would mean both {} and {}; choose another name for one of them",
            shown(one),
            shown(other)
        );
        Error::invalid(format!("invalid_profile.names.{token}"), text)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The other spelling of a declared name. `None` if it is no declared name or has only one.
    pub(crate) fn spell(&self, way: Way, name: &str) -> Option<&str> {
        let map = if way == Way::Out { &self.outward } else { &self.inward };
        map.get(name).map(String::as_str)
    }

    /// What clients call the field or parameter `name`.
    pub(crate) fn wire<'a>(&'a self, name: &'a str) -> &'a str {
        self.spell(Way::Out, name).unwrap_or(name)
    }

    /// What clients call a path with its parameters in braces.
    pub(crate) fn wire_path(&self, template: &str) -> String {
        let wire = |word: &str| match word.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => format!("{{{}}}", self.wire(name)),
            None => self.wire(word).to_owned(),
        };
        template.split('/').map(wire).collect::<Vec<_>>().join("/")
    }

    /// A refusal in these names. Words that the request itself has are repeated as they are.
    pub(crate) fn spell_error(&self, error: Error, sent: &Sent<'_>) -> Error {
        if self.is_empty() {
            return error;
        }
        let spelt = |text: &str| self.spell_text(text, |word| !is_in(word, sent));
        let Error { reason, message, facts, aside, .. } = error;
        let reason = match reason.split_once('.') {
            // The first word is a word of the simulator.
            Some((first, rest)) => format!("{first}.{}", spelt(rest)).into(),
            None => reason,
        };
        let facts = facts.into_iter().map(|mut fact| {
            (fact.name, fact.value) = (spelt(&fact.name), spelt(&fact.value));
            fact
        });
        let aside = aside.map(|mut aside| {
            for (field, text) in &mut aside.fields {
                (*field, *text) = (spelt(field), spelt(text));
            }
            aside
        });
        Error { reason, message: spelt(&message), facts: facts.collect(), aside, ..error }
    }

    /// A text of ours in these names. `is_ours` says of a word with a token whether it is to be translated.
    fn spell_text(&self, text: &str, is_ours: impl Fn(&str) -> bool) -> String {
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        let mut spelt = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let word = &rest[..rest.find(|sign| !is_part(sign)).unwrap_or(rest.len())];
            match self.replaced(word).filter(|_| is_ours(word)) {
                Some(other) => spelt.push_str(&other),
                None => spelt.push_str(word),
            }
            rest = &rest[word.len()..];
            let between = &rest[..rest.find(is_part).unwrap_or(rest.len())];
            spelt.push_str(between);
            rest = &rest[between.len()..];
        }
        spelt
    }

    /// `text` with all its tokens replaced, the longest first. `None` if it has none.
    fn replaced(&self, text: &str) -> Option<String> {
        let found = self.pairs.iter().filter_map(|pair| Some((find_word(text, &pair.0)?, pair)));
        // Where two tokens begin at the same place, the longest comes first.
        let (start, (token, wire)) = found.min_by_key(|(start, _)| *start)?;
        let rest = &text[start + token.len()..];
        Some([&text[..start], wire, &self.replaced(rest).unwrap_or_else(|| rest.to_owned())].concat())
    }

    /// Spells the names in an OpenAPI document, at any depth: property names, required names, enum members, parameters, and
    /// texts.
    pub(crate) fn spell_schema(&self, schema: &mut Value) {
        match schema {
            Value::Array(list) => list.iter_mut().for_each(|one| self.spell_schema(one)),
            Value::Object(object) => {
                for (key, value) in object.iter_mut() {
                    match (key.as_str(), value) {
                        ("properties", Value::Object(properties)) => self.spell_keys(properties),
                        ("required" | "enum", Value::Array(names)) => {
                            names.iter_mut().for_each(|name| self.spell_name(name));
                        }
                        ("name" | "const" | "default", name) => self.spell_name(name),
                        ("description" | "summary" | "title", Value::String(text)) => {
                            *text = self.spell_text(text, |_| true);
                        }
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
        *object = renamed.map(|(key, value)| (self.wire(&key).to_owned(), value)).collect();
    }

    fn spell_name(&self, value: &mut Value) {
        if let Some(other) = value.as_str().and_then(|text| self.spell(Way::Out, text)) {
            *value = Value::from(other);
        }
    }
}

/// Whether the request has `word`.
fn is_in(word: &str, sent: &Sent<'_>) -> bool {
    let body = String::from_utf8_lossy(&sent.body);
    find_word(&sent.target, word).is_some() || find_word(&body, word).is_some()
}

/// The position of `word` in `text` as a whole word: with no letter or digit next to it.
pub(crate) fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    text.match_indices(word).map(|(start, _)| start).find(|&start| {
        let bytes = text.as_bytes();
        let before = start.checked_sub(1).and_then(|index| bytes.get(index));
        !is_part(before) && !is_part(bytes.get(start + word.len()))
    })
}

/// Adds the names that a schema declares, at any depth: fields and values.
pub(super) fn declared_in(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Array(list) => list.iter().for_each(|one| declared_in(one, found)),
        Value::Object(object) => {
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("properties", Value::Object(properties)) => found.extend(properties.keys().cloned()),
                    ("enum", Value::Array(names)) => {
                        found.extend(names.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    ("const", Value::String(name)) => {
                        found.insert(name.clone());
                    }
                    _ => {}
                }
                declared_in(value, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: [&str; 8] = [
        "external_idp_01_secret",
        "external_idp_02_secret",
        "external_idp_02_url",
        "external_phone_secret",
        "sms_provider",
        "vendor_c",
        "vendor_c_verify",
        "vendor_d",
    ];

    fn names(pairs: &[(&str, &str)]) -> Result<Names, String> {
        let mut profile = Profile::default();
        profile.names.extend(pairs.iter().map(|(token, wire)| ((*token).to_owned(), (*wire).to_owned())));
        let declared = || DECLARED.map(str::to_owned).into();
        Names::new(&profile, declared).map_err(|error| error.message)
    }

    #[test]
    fn only_declared_names_are_translated_and_only_whole() {
        let names = names(&[("idp_01", "acme")]).expect("it is unambiguous");
        assert_eq!(names.spell(Way::Out, "external_idp_01_secret"), Some("external_acme_secret"));
        assert_eq!(names.spell(Way::In, "external_acme_secret"), Some("external_idp_01_secret"));
        assert_eq!(names.spell(Way::Out, "external_idp_010_secret"), None);
        assert_eq!(names.spell(Way::In, "external_acmeid_secret"), None);
        assert_eq!(names.spell(Way::In, "external_acme_url"), None);
    }

    #[test]
    fn a_name_may_be_a_part_of_another_one() {
        for pairs in
            [[("idp_01", "abc"), ("idp_02", "abc_oidc")], [("idp_02", "abc"), ("idp_01", "abc_oidc")]]
        {
            let names = names(&pairs).expect("it is unambiguous");
            for (token, wire) in pairs {
                let (neutral, spelt) =
                    (format!("external_{token}_secret"), format!("external_{wire}_secret"));
                assert_eq!(names.spell(Way::In, &spelt), Some(&*neutral));
                assert_eq!(names.spell(Way::Out, &neutral), Some(&*spelt));
            }
        }
    }

    #[test]
    fn two_tokens_may_swap_their_names() {
        let names = names(&[("idp_01", "idp_02"), ("idp_02", "idp_01")]).expect("it is unambiguous");
        assert_eq!(names.spell(Way::In, "external_idp_02_secret"), Some("external_idp_01_secret"));
        assert_eq!(names.spell(Way::In, "external_idp_01_secret"), Some("external_idp_02_secret"));
    }

    #[test]
    fn ambiguous_names_are_refused_with_the_pair() {
        for (pairs, expected) in [
            (
                &[("idp_01", "xx"), ("idp_02", "xx")][..],
                "names.idp_02: by these names `external_xx_secret` would mean both `external_idp_01_secret` \
                 (idp_01 = \"xx\") and `external_idp_02_secret` (idp_02 = \"xx\"); choose another name for one of them",
            ),
            (
                &[("idp_01", "phone")],
                "names.idp_01: by these names `external_phone_secret` would mean both `external_idp_01_secret` \
                 (idp_01 = \"phone\") and `external_phone_secret`; choose another name for one of them",
            ),
            (
                &[("vendor_c", "a"), ("vendor_d", "a_verify")],
                "names.vendor_d: by these names `a_verify` would mean both `vendor_c_verify` (vendor_c = \"a\") and \
                 `vendor_d` (vendor_d = \"a_verify\"); choose another name for one of them",
            ),
        ] {
            assert_eq!(names(pairs).map(|_| ()), Err(expected.to_owned()));
        }
    }

    /// Some tokens with words that are parts of each other, of fields, or tokens themselves.
    #[cfg(all(feature = "management", feature = "analytics"))]
    fn some_names() -> impl proptest::strategy::Strategy<Value = BTreeMap<String, String>> {
        let words = [
            "a",
            "b",
            "a_b",
            "b_a",
            "acme",
            "acme_oidc",
            "phone",
            "email",
            "a_verify",
            "idp_02",
            "vendor_c",
            "wh",
            "x",
        ];
        let tokens = sim_base::profile::TOKENS.map(|(token, _)| token.to_owned()).to_vec();
        proptest::collection::btree_map(
            proptest::sample::select(tokens),
            proptest::sample::select(words.map(str::to_owned).to_vec()),
            0..6,
        )
    }

    #[cfg(all(feature = "management", feature = "analytics"))]
    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(16))]
        #[test]
        fn every_declared_name_is_read_back_as_itself(names in some_names()) {
            let profile = Profile { names, ..Profile::default() };
            for registry in [crate::management::registry(), crate::analytics::registry()] {
                let declared = registry.declared();
                let Ok(names) = Names::new(&profile, || declared.clone()) else { continue };
                let spelt: BTreeSet<&str> = declared.iter().map(|name| names.wire(name)).collect();
                proptest::prop_assert_eq!(spelt.len(), declared.len());
                for name in &declared {
                    let spelt = names.wire(name);
                    proptest::prop_assert_eq!(names.spell(Way::In, spelt).unwrap_or(spelt), name);
                }
            }
        }
    }

    #[test]
    fn texts_are_translated_but_for_words_of_others() {
        let names = names(&[("idp_01", "acme"), ("vendor_c", "courier")]).expect("it is unambiguous");
        let text = "external_idp_01_secret: needs vendor_c, or vendor_c_verify; not xidp_01";
        let expected = "external_acme_secret: needs courier, or courier_verify; not xidp_01";
        assert_eq!(names.spell_text(text, |_| true), expected);
        assert_eq!(names.spell_text("idp_01 vendor_c", |word| word != "idp_01"), "idp_01 courier");
    }
}
