//! The fields of a struct, and the attributes of serde.

use std::iter::Peekable;

use proc_macro::token_stream::IntoIter;
use proc_macro::{TokenStream, TokenTree};

/// A field of a struct.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) attributes: Attributes,
    /// The value where a request leaves the field out; `None` if it must not.
    pub(crate) default: Option<String>,
}

pub(crate) fn fields_of(stream: TokenStream) -> Vec<Field> {
    let (mut fields, mut tokens) = (Vec::new(), stream.into_iter().peekable());
    while tokens.peek().is_some() {
        let attributes = attributes(&mut tokens);
        tokens.next_if(|token| token.to_string() == "pub");
        tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
        let Some(name) = tokens.next() else { break };
        tokens.next().expect("a colon follows");
        let (mut kind, mut depth) = (Vec::new(), 0);
        while let Some(token) = tokens.next_if(|token| depth > 0 || token.to_string() != ",") {
            depth += match token.to_string().as_str() {
                "<" => 1,
                ">" => -1,
                _ => 0,
            };
            kind.push(token);
        }
        tokens.next();
        let default = if kind.first().is_some_and(|first| first.to_string() == "Option") {
            Some("::core::option::Option::None".to_owned())
        } else {
            attributes.default()
        };
        let kind = kind.into_iter().collect::<TokenStream>().to_string();
        fields.push(Field { name: name.to_string(), kind, attributes, default });
    }
    fields
}

/// What the attributes of serde say: words, some with a text.
pub(crate) struct Attributes(Vec<(String, Option<String>)>);

/// Takes the attributes that begin here.
pub(crate) fn attributes(tokens: &mut Peekable<IntoIter>) -> Attributes {
    let mut all = Vec::new();
    while tokens.next_if(|token| token.to_string() == "#").is_some() {
        let Some(TokenTree::Group(brackets)) = tokens.next() else { panic!("an attribute follows") };
        let mut inside = brackets.stream().into_iter();
        if inside.next().is_none_or(|name| name.to_string() != "serde") {
            continue;
        }
        let Some(TokenTree::Group(arguments)) = inside.next() else { continue };
        let mut arguments = arguments.stream().into_iter().peekable();
        while let Some(word) = arguments.next() {
            let text = match arguments.next_if(|token| token.to_string() == "=") {
                Some(_) => arguments.next().map(|text| text.to_string().trim_matches('"').to_owned()),
                None => None,
            };
            all.push((word.to_string(), text));
            arguments.next_if(|token| token.to_string() == ",");
        }
    }
    Attributes(all)
}

impl Attributes {
    pub(crate) fn has(&self, word: &str) -> bool {
        self.0.iter().any(|(known, _)| known == word)
    }

    pub(crate) fn value(&self, word: &str) -> Option<String> {
        self.0.iter().find(|(known, _)| known == word).and_then(|(_, text)| text.clone())
    }

    /// Refuses other attributes than these, for which serde's own derive is there.
    pub(crate) fn are_of(&self, words: &[&str]) {
        for (word, _) in &self.0 {
            assert!(words.contains(&word.as_str()), "FromJson does not know {word}: derive Deserialize");
        }
    }

    /// What `default` and `skip` stand for.
    pub(crate) fn default(&self) -> Option<String> {
        let plain = || "::core::default::Default::default".to_owned();
        let given = self.has("default") || self.has("skip");
        given.then(|| self.value("default").unwrap_or_else(plain) + "()")
    }

    /// How names on the wire are written.
    pub(crate) fn case(&self) -> Case {
        Case(self.value("rename_all").unwrap_or_default())
    }
}

/// The value of `rename_all`; empty if names stay as they are.
pub(crate) struct Case(String);

impl Case {
    pub(crate) fn of_field(&self, name: &str) -> String {
        match self.0.as_str() {
            "" | "snake_case" | "lowercase" => name.to_owned(),
            "UPPERCASE" | "SCREAMING_SNAKE_CASE" => name.to_ascii_uppercase(),
            "kebab-case" => name.replace('_', "-"),
            "camelCase" => {
                let mut words = name.split('_');
                let first = words.next().unwrap_or_default().to_owned();
                words.fold(first, |name, word| name + &capital(word))
            }
            other => panic!("names of fields in {other} are not known"),
        }
    }

    pub(crate) fn of_variant(&self, name: &str) -> String {
        let apart = |between: char| {
            name.chars().enumerate().fold(String::new(), |mut text, (index, letter)| {
                if index > 0 && letter.is_ascii_uppercase() {
                    text.push(between);
                }
                text.push(letter.to_ascii_lowercase());
                text
            })
        };
        match self.0.as_str() {
            "" => name.to_owned(),
            "lowercase" => name.to_ascii_lowercase(),
            "UPPERCASE" => name.to_ascii_uppercase(),
            "snake_case" => apart('_'),
            "SCREAMING_SNAKE_CASE" => apart('_').to_ascii_uppercase(),
            "kebab-case" => apart('-'),
            "camelCase" => name[..1].to_ascii_lowercase() + &name[1..],
            other => panic!("names of variants in {other} are not known"),
        }
    }
}

fn capital(word: &str) -> String {
    word.get(..1).map_or_else(String::new, |first| first.to_ascii_uppercase() + &word[1..])
}
