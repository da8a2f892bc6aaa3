//! The code of `#[derive(ToSchema)]`.

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::fields::{Attributes, Field, Item, fields_of, named, variants_of};

/// Attributes of serde that a schema has nothing to do with.
const OF_NO_MATTER: &[&str] = &["deserialize_with", "skip_serializing_if", "with"];

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let Item { attributes, is_struct, name, generics, content } = Item::of(item);
    assert!(generics.is_empty(), "ToSchema is for types without parameters: derive JsonSchema");
    attributes.are_of(&["rename_all", "deny_unknown_fields"]);
    attributes.schema_is_of(&["rename", "inline", "extend", "transform"]);
    let about = about(&attributes, None);
    let schema = if is_struct {
        let closed = attributes.has("deny_unknown_fields");
        let fields = fields(content, &attributes);
        format!(
            "table::structure(generator, &table::Structure {{ {about}, closed: {closed}, fields: &[{fields}] }})"
        )
    } else {
        let variants = variants(content, &attributes);
        format!(
            "static TABLE: table::Enumeration = table::Enumeration {{ {about}, variants: &[{variants}] }};
            table::enumeration(&TABLE)"
        )
    };
    let shown = attributes.text("rename").unwrap_or_else(|| name.clone());
    let inline = if attributes.schemars.iter().any(|(word, _)| word == "inline") {
        "fn inline_schema() -> bool { true }"
    } else {
        ""
    };
    let code = format!(
        "#[automatically_derived] impl ::schemars::JsonSchema for {name} {{
            {inline}
            fn schema_name() -> ::std::borrow::Cow<'static, str> {{ ::std::borrow::Cow::Borrowed({shown:?}) }}
            fn schema_id() -> ::std::borrow::Cow<'static, str> {{
                ::std::borrow::Cow::Borrowed(concat!(module_path!(), \"::\", {shown:?}))
            }}
            fn json_schema(generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {{
                use ::sim_base::to_schema as table;
                {schema}
            }}
        }}"
    );
    code.parse().expect("it is made of what the compiler has read")
}

fn fields(content: TokenStream, attributes: &Attributes) -> String {
    let mut code = String::new();
    for field in fields_of(content) {
        let own = &field.attributes;
        own.are_of(&[&["rename", "default", "skip"], OF_NO_MATTER].concat());
        own.schema_is_of(&[
            "with",
            "schema_with",
            "length",
            "range",
            "regex",
            "inner",
            "extend",
            "transform",
        ]);
        if own.has("skip") {
            continue;
        }
        let name = attributes.case().field(&field);
        let kind = own.text("with").unwrap_or_else(|| field.kind.clone());
        let of = own
            .text("schema_with")
            .map_or_else(|| of(&kind), |function| format!("table::Type::Made({function})"));
        let may_be_null = kind.starts_with("Option") && own.text("schema_with").is_none();
        let when_read = own.has("default") || may_be_null;
        let when_written = own.has("skip_serializing_if");
        let about = about(own, default(&field));
        code += &format!(
            "table::Field {{ name: {name:?}, {about}, of: &{of}, when_read: {when_read}, when_written: {when_written} }},"
        );
    }
    code
}

/// The code of a field's type.
fn of(kind: &str) -> String {
    let inner = |outer| kind.trim().strip_prefix(outer)?.trim_start().strip_prefix('<')?.strip_suffix('>');
    match (inner("Option"), inner("Vec")) {
        (Some(inner), _) => format!("table::Type::Optional(&{})", of(inner)),
        (_, Some(inner)) => format!("table::Type::List(&{})", of(inner)),
        _ => format!("table::Type::Named(<{kind} as table::Named>::NAMED)"),
    }
}

/// The code of the value that a field has when it is left out, unless that value is left out too.
fn default(field: &Field) -> Option<String> {
    let own = &field.attributes;
    let skip = own.value("skip_serializing_if");
    let is_plain = own.value("default").is_none();
    let is_nothing = ["Option", "Vec", "String", "BTreeMap"].iter().any(|kind| field.kind.starts_with(kind));
    if !own.has("default") || is_plain && is_nothing && skip.is_some() {
        return None;
    }
    assert!(!own.has("with"), "ToSchema does not know `with` beside `default`: derive JsonSchema");
    let kind = &field.kind;
    let value = own.value("default").map_or_else(|| format!("<{kind}>::default()"), |path| path + "()");
    let written = skip.map_or_else(String::new, |skip| format!(".filter(|value| !{skip}(value))"));
    Some(format!("|| Some({value}){written}.and_then(|value| ::serde_json::to_value(value).ok())"))
}

fn variants(content: TokenStream, attributes: &Attributes) -> String {
    let mut code = String::new();
    for variant in variants_of(content) {
        variant.attributes.are_of(&["rename"]);
        variant.attributes.schema_is_of(&["extend"]);
        let name = attributes.case().variant(&variant);
        let about = about(&variant.attributes, None);
        code += &format!("table::Variant {{ name: {name:?}, {about} }},");
    }
    code
}

/// The code of documentation and rules. The order of rules is that of schemars.
fn about(attributes: &Attributes, default: Option<String>) -> String {
    let doc = attributes.doc.join(",");
    let mut rules = String::new();
    if attributes.deprecated {
        rules += "table::Rule::Key(\"deprecated\", \"true\"),";
    }
    for word in ["length", "range", "regex", "inner"] {
        for (_, rest) in attributes.schemars.iter().filter(|(known, _)| known == word) {
            rules += &bounds(word, rest);
        }
    }
    if let Some(default) = default {
        rules += &format!("table::Rule::Default({default}),");
    }
    for (_, rest) in attributes.schemars.iter().filter(|(word, _)| word == "extend") {
        for (key, value) in named(inside(rest)) {
            let value = &value[1..];
            rules += &match json(value) {
                Some(json) => format!("table::Rule::Key({key:?}, {json:?}),"),
                None => format!(
                    "table::Rule::Code(|schema| table::set(schema, {key:?}, ::serde_json::json!({}))),",
                    code(value)
                ),
            };
        }
    }
    for (_, rest) in attributes.schemars.iter().filter(|(word, _)| word == "transform") {
        rules += &format!("table::Rule::Code({}),", code(&rest[1..]));
    }
    format!("doc: &[{doc}], rules: &[{rules}]")
}

/// The rules of `length(…)`, `range(…)`, `regex(…)` or `inner(…)`.
fn bounds(word: &str, rest: &[TokenTree]) -> String {
    let arguments = named(inside(rest));
    if word == "inner" {
        let rules: String = arguments.iter().map(|(word, rest)| bounds(word, rest)).collect();
        return format!("table::Rule::OfItems(&[{rules}]),");
    }
    let keys: &[_] = match word {
        "length" => &[("string", "Length"), ("array", "Items")],
        "range" => &[("number", "imum")],
        _ => &[("string", "")],
    };
    let mut rules = String::new();
    for (kind, end) in keys {
        for (side, rest) in &arguments {
            let keys = match side.as_str() {
                "equal" => vec![format!("min{end}"), format!("max{end}")],
                "pattern" => vec!["pattern".to_owned()],
                _ => vec![format!("{side}{end}")],
            };
            let value = &rest[1..];
            for key in keys {
                rules += &match json(value) {
                    Some(json) => format!("table::Rule::OfType({kind:?}, {key:?}, {json:?}),"),
                    None => format!(
                        "table::Rule::Code(|schema| table::set_of_type(schema, {kind:?}, {key:?}, ::serde_json::json!({}))),",
                        code(value)
                    ),
                };
            }
        }
    }
    rules
}

/// What stands in the brackets that follow a word.
fn inside(rest: &[TokenTree]) -> TokenStream {
    match rest {
        [TokenTree::Group(group)] => group.stream(),
        _ => panic!("brackets follow"),
    }
}

fn code(tokens: &[TokenTree]) -> String {
    tokens.iter().cloned().collect::<TokenStream>().to_string()
}

/// The JSON text of literals; `None` if there is anything else.
fn json(tokens: &[TokenTree]) -> Option<String> {
    let mut text = String::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    _ => return None,
                };
                let inner = json(&group.stream().into_iter().collect::<Vec<_>>())?;
                text.push(open);
                text += inner.trim_end_matches(',');
                text.push(close);
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ':' | '-') => {
                text.push(punct.as_char())
            }
            TokenTree::Ident(word) if ["true", "false", "null"].contains(&word.to_string().as_str()) => {
                text += &word.to_string();
            }
            TokenTree::Literal(literal) => text += &json_of_literal(&literal.to_string())?,
            _ => return None,
        }
    }
    Some(text)
}

/// The JSON of a text or a number; `None` if its notation is Rust's alone.
fn json_of_literal(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let text = raw.trim_matches('#');
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        return Some(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")));
    }
    if literal.starts_with('"') {
        let is_json =
            !literal.contains('\n') && ["\\'", "\\x", "\\u", "\\0"].iter().all(|it| !literal.contains(it));
        return is_json.then(|| literal.to_owned());
    }
    let digits = literal.replace('_', "");
    let end = digits.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(digits.len());
    digits.starts_with(|first: char| first.is_ascii_digit()).then(|| digits[..end].to_owned())
}
