//! Structs, enums and their fields, with the attributes of serde and schemars.

use std::iter::Peekable;

use proc_macro::token_stream::IntoIter;
use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// A struct with fields, or an enum.
pub(crate) struct Item {
    pub(crate) attributes: Attributes,
    pub(crate) is_struct: bool,
    pub(crate) name: String,
    /// Its parameters with their brackets, as `<P>`; empty if there are none.
    pub(crate) generics: String,
    pub(crate) content: Group,
}

impl Item {
    pub(crate) fn of(item: TokenStream) -> Item {
        let mut tokens = item.into_iter().peekable();
        let attributes = attributes(&mut tokens);
        let kind = tokens
            .find(|token| matches!(token.to_string().as_str(), "struct" | "enum"))
            .map(|kind| kind.to_string());
        let name = tokens.next().expect("an item has a name").to_string();
        let mut generics = String::new();
        let content = loop {
            match tokens.next() {
                Some(TokenTree::Group(content)) => break content,
                Some(TokenTree::Punct(part)) => generics.push(part.as_char()),
                Some(TokenTree::Ident(part)) => generics += &part.to_string(),
                _ => panic!("this derive is for structs with fields and for enums"),
            }
        };
        Item { attributes, is_struct: kind.as_deref() == Some("struct"), name, generics, content }
    }

    /// The names of the parameters, which are types without bounds.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &str> {
        let all = self.generics.trim_matches(['<', '>']).split(',');
        all.filter(|parameter| !parameter.is_empty())
    }
}

/// A variant of an enum.
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) attributes: Attributes,
    /// Its fields, in their brackets.
    pub(crate) content: Option<Group>,
}

pub(crate) fn variants_of(content: &Group) -> Vec<Variant> {
    let (mut variants, mut tokens) = (Vec::new(), content.stream().into_iter().peekable());
    while tokens.peek().is_some() {
        let attributes = attributes(&mut tokens);
        let Some(name) = tokens.next() else { break };
        let content = match tokens.next_if(|token| matches!(token, TokenTree::Group(_))) {
            Some(TokenTree::Group(content)) => Some(content),
            _ => None,
        };
        tokens.by_ref().take_while(|token| token.to_string() != ",").for_each(drop);
        variants.push(Variant { name: name.to_string(), attributes, content });
    }
    variants
}

/// A field of a struct.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) attributes: Attributes,
    /// The value where a request leaves the field out; `None` if it must not.
    pub(crate) default: Option<String>,
}

/// The fields in brackets. Between parentheses they have no names.
pub(crate) fn fields_of(content: &Group) -> Vec<Field> {
    let (mut fields, mut tokens) = (Vec::new(), content.stream().into_iter().peekable());
    let are_named = content.delimiter() == Delimiter::Brace;
    while tokens.peek().is_some() {
        let attributes = attributes(&mut tokens);
        tokens.next_if(|token| token.to_string() == "pub");
        tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
        let name = if are_named { tokens.next().map(|name| name.to_string()) } else { Some(String::new()) };
        let Some(name) = name else { break };
        if are_named {
            tokens.next().expect("a colon follows");
        }
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
        fields.push(Field { name, kind, attributes, default });
    }
    fields
}

/// What the attributes of an item, a field or a variant say.
pub(crate) struct Attributes {
    serde: Vec<(String, Option<String>)>,
    /// Each with what follows it: `= value` or `(…)`.
    pub(crate) schemars: Vec<(String, Vec<TokenTree>)>,
    /// The lines of the documentation, as literals.
    pub(crate) doc: Vec<String>,
    pub(crate) deprecated: bool,
}

/// Takes the attributes that begin here.
pub(crate) fn attributes(tokens: &mut Peekable<IntoIter>) -> Attributes {
    let mut all = Attributes { serde: Vec::new(), schemars: Vec::new(), doc: Vec::new(), deprecated: false };
    while tokens.next_if(|token| token.to_string() == "#").is_some() {
        let Some(TokenTree::Group(brackets)) = tokens.next() else { panic!("an attribute follows") };
        let mut inside = brackets.stream().into_iter().peekable();
        // So it is where a macro was given the attribute.
        if let Some(TokenTree::Group(whole)) = inside.peek() {
            inside = whole.stream().into_iter().peekable();
        }
        let name = inside.next().map(|name| name.to_string());
        match (name.as_deref(), inside.next()) {
            (Some("serde"), Some(TokenTree::Group(arguments))) => {
                all.serde.extend(named(arguments.stream()).into_iter().map(|(word, rest)| {
                    let text = rest.get(1).map(|text| text.to_string().trim_matches('"').to_owned());
                    (word, text)
                }));
            }
            (Some("schemars"), Some(TokenTree::Group(arguments))) => {
                all.schemars.extend(named(arguments.stream()));
            }
            (Some("doc"), Some(TokenTree::Punct(_))) => {
                all.doc.push(inside.collect::<TokenStream>().to_string());
            }
            (Some("deprecated"), _) => all.deprecated = true,
            _ => {}
        }
    }
    all
}

/// The arguments between commas, each with a name and what follows it.
pub(crate) fn named(arguments: TokenStream) -> Vec<(String, Vec<TokenTree>)> {
    let mut all = Vec::new();
    let mut tokens = arguments.into_iter();
    while let Some(name) = tokens.next() {
        let rest = tokens.by_ref().take_while(|token| token.to_string() != ",").collect();
        all.push((name.to_string().trim_matches('"').to_owned(), rest));
    }
    all
}

impl Attributes {
    pub(crate) fn has(&self, word: &str) -> bool {
        self.serde.iter().any(|(known, _)| known == word)
    }

    pub(crate) fn value(&self, word: &str) -> Option<String> {
        self.serde.iter().find(|(known, _)| known == word).and_then(|(_, text)| text.clone())
    }

    /// The text after a word of schemars.
    pub(crate) fn text(&self, word: &str) -> Option<String> {
        let (_, rest) = self.schemars.iter().find(|(known, _)| known == word)?;
        rest.get(1).map(|text| text.to_string().trim_matches('"').to_owned())
    }

    /// Refuses other attributes of serde than these, for which serde's and schemars' own derives are there.
    pub(crate) fn are_of(&self, words: &[&str]) {
        for (word, _) in &self.serde {
            assert!(
                words.contains(&word.as_str()),
                "this derive does not know {word}: use that of serde or schemars"
            );
        }
    }

    /// Refuses other attributes of schemars than these.
    pub(crate) fn schema_is_of(&self, words: &[&str]) {
        for (word, _) in &self.schemars {
            assert!(words.contains(&word.as_str()), "ToSchema does not know {word}: derive JsonSchema");
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
    /// The name of a field on the wire.
    pub(crate) fn field(&self, field: &Field) -> String {
        field.attributes.value("rename").unwrap_or_else(|| self.of_field(field.name.trim_start_matches("r#")))
    }

    /// The name of a variant on the wire.
    pub(crate) fn variant(&self, variant: &Variant) -> String {
        variant.attributes.value("rename").unwrap_or_else(|| self.of_variant(&variant.name))
    }

    fn of_field(&self, name: &str) -> String {
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

    fn of_variant(&self, name: &str) -> String {
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
