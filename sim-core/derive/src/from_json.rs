//! The code of `#[derive(FromJson)]`.

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::fields::{Attributes, attributes, fields_of};

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let mut tokens = item.into_iter().peekable();
    let attributes = attributes(&mut tokens);
    attributes.are_of(&["rename_all", "deny_unknown_fields"]);
    let kind = tokens
        .find(|token| matches!(token.to_string().as_str(), "struct" | "enum"))
        .map(|kind| kind.to_string());
    let name = tokens.next().expect("an item has a name").to_string();
    let mut generics = String::new();
    let content = loop {
        match tokens.next() {
            Some(TokenTree::Group(content)) if content.delimiter() == Delimiter::Brace => {
                break content.stream();
            }
            Some(TokenTree::Punct(part)) => generics.push(part.as_char()),
            Some(TokenTree::Ident(part)) => generics += &part.to_string(),
            _ => panic!("FromJson is for structs with named fields and enums without values"),
        }
    };
    let code = match kind.as_deref() {
        Some("struct") => structure(&name, &generics, content, &attributes),
        _ => variants(&name, content, &attributes),
    };
    code.parse().expect("it is made of what the compiler has read")
}

fn structure(name: &str, generics: &str, content: TokenStream, attributes: &Attributes) -> String {
    let (mut names, mut values, mut index) = (String::new(), String::new(), 0);
    for field in fields_of(content) {
        field.attributes.are_of(&["rename", "default", "deserialize_with", "skip", "skip_serializing_if"]);
        let default = field.attributes.default();
        if field.attributes.has("skip") {
            values += &format!("{}: {},", field.name, default.expect("it has one"));
            continue;
        }
        let value = match (default, field.attributes.value("deserialize_with")) {
            (Some(default), Some(function)) => {
                format!("fields.take({index}).map_or_else(|| Ok({default}), {function})?")
            }
            (None, Some(function)) => {
                format!("fields.take({index}).ok_or_else(|| fields.missing({index})).and_then({function})?")
            }
            (Some(default), None) => format!("fields.or({index}, || {default})?"),
            (None, None) if field.default.is_some() => format!("fields.or({index}, Default::default)?"),
            (None, None) => format!("fields.required({index})?"),
        };
        let plain = field.name.trim_start_matches("r#");
        let renamed = field.attributes.value("rename").unwrap_or_else(|| attributes.case().of_field(plain));
        names += &format!("{renamed:?},");
        values += &format!("{}: {value},", field.name);
        index += 1;
    }
    let closed = attributes.has("deny_unknown_fields");
    let parameters = generics.trim_matches(['<', '>']);
    let bounds: String = parameters
        .split(',')
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| format!("{parameter}: ::serde::de::DeserializeOwned,"))
        .collect();
    let fields = if index > 0 { "mut fields" } else { "_" };
    format!(
        "#[automatically_derived] impl<{bounds}> ::sim_base::from_json::FromJson for {name}{generics} {{
            const NAME: &'static str = {name:?};
            const FIELDS: &'static [&'static str] = &[{names}];
            const CLOSED: bool = {closed};
            fn from_fields({fields}: ::sim_base::from_json::Fields) -> Result<Self, ::serde_json::Error> {{
                Ok(Self {{ {values} }})
            }}
        }}
        #[automatically_derived] impl<'de, {bounds}> ::serde::Deserialize<'de> for {name}{generics} {{
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {{
                ::sim_base::from_json::structure(deserializer)
            }}
        }}"
    )
}

fn variants(name: &str, content: TokenStream, attributes: &Attributes) -> String {
    let (mut names, mut arms) = (String::new(), String::new());
    let mut tokens = content.into_iter().peekable();
    let mut index = 0;
    while tokens.peek().is_some() {
        let own = crate::fields::attributes(&mut tokens);
        own.are_of(&["rename"]);
        let Some(variant) = tokens.next() else { break };
        let variant = variant.to_string();
        if tokens.next_if(|token| matches!(token, TokenTree::Group(_))).is_some() {
            panic!("FromJson is for enums without values: derive serde's Deserialize");
        }
        tokens.by_ref().take_while(|token| token.to_string() != ",").for_each(drop);
        let renamed = own.value("rename").unwrap_or_else(|| attributes.case().of_variant(&variant));
        names += &format!("{renamed:?},");
        arms += &format!("{index} => {name}::{variant},");
        index += 1;
    }
    format!(
        "#[automatically_derived] impl<'de> ::serde::Deserialize<'de> for {name} {{
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {{
                let index = ::sim_base::from_json::variant(deserializer, {name:?}, &[{names}])?;
                Ok(match index {{ {arms} _ => unreachable!(\"there are no more names\") }})
            }}
        }}"
    )
}
