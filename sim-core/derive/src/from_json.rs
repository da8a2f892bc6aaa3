//! The code of `#[derive(FromJson)]`.

use proc_macro::{Delimiter, TokenStream};

use crate::fields::{Item, fields_of, variants_of};

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let item = Item::of(item);
    item.attributes.are_of(&["rename_all", "deny_unknown_fields"]);
    let code = if item.is_struct { structure(&item) } else { variants(&item) };
    code.parse().expect("it is made of what the compiler has read")
}

fn structure(item: &Item) -> String {
    let Item { name, generics, attributes, content, .. } = item;
    assert!(
        content.delimiter() == Delimiter::Brace,
        "FromJson is for structs with named fields: derive Deserialize"
    );
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
                format!("fields.take({index}).map_or_else(|| Ok({default}), {function})")
            }
            (None, Some(function)) => {
                format!("fields.take({index}).ok_or_else(|| fields.missing({index})).and_then({function})")
            }
            (Some(default), None) => format!("fields.or({index}, || {default})"),
            (None, None) if field.default.is_some() => format!("fields.or({index}, Default::default)"),
            (None, None) => format!("fields.required({index})"),
        };
        names += &format!("{:?},", attributes.case().field(&field));
        // As `?`, which costs the compiler twice as much.
        values += &format!(
            "{}: match {value} {{ Ok(value) => value, Err(error) => return Err(error) }},",
            field.name
        );
        index += 1;
    }
    let closed = attributes.has("deny_unknown_fields");
    let bounds: String =
        item.parameters().map(|parameter| format!("{parameter}: ::serde::de::DeserializeOwned,")).collect();
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

fn variants(item: &Item) -> String {
    let Item { name, attributes, content, .. } = item;
    let (mut names, mut arms) = (String::new(), String::new());
    for (index, variant) in variants_of(content).into_iter().enumerate() {
        variant.attributes.are_of(&["rename"]);
        assert!(variant.content.is_none(), "FromJson is for enums without values: derive Deserialize");
        names += &format!("{:?},", attributes.case().variant(&variant));
        arms += &format!("{index} => {name}::{},", variant.name);
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
