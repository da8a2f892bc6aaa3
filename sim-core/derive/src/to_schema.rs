//! The code of `#[derive(ToSchema)]`.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

use crate::fields::{Attributes, Field, Item, fields_of, named, variants_of};

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let item = Item::of(item);
    let attributes = &item.attributes;
    attributes.are_of(&["rename_all", "deny_unknown_fields", "default", "tag", "untagged", "transparent"]);
    attributes.schema_is_of(&["rename", "inline", "extend", "transform"]);
    let schema = if !item.is_struct {
        format!("table::enumeration(generator, const {{ &{} }})", enumeration(&item))
    } else if item.content.delimiter() == Delimiter::Parenthesis || attributes.has("transparent") {
        format!("table::wrapper(generator, const {{ &{} }})", wrapper(&item))
    } else {
        let about = about(attributes, None);
        let absent = match attributes.has("default") {
            true => format!("Some(|| ::serde_json::to_value({}::default()).unwrap_or_default())", item.name),
            false => "None".to_owned(),
        };
        let table =
            structure(&item.content, attributes, attributes.has("deny_unknown_fields"), &about, &absent);
        format!("table::structure(generator, const {{ &{table} }})")
    };
    let shown = attributes.text("rename").unwrap_or_else(|| item.name.clone());
    let cow = "::std::borrow::Cow";
    // Names of types may contain those of their parameters.
    let (mut shown_name, mut id) = (
        format!("{cow}::Borrowed({shown:?})"),
        format!("{cow}::Borrowed(concat!(module_path!(), \"::\", {shown:?}))"),
    );
    if !item.generics.is_empty() {
        let (mut names, mut ids) = (String::new(), String::new());
        for parameter in item.parameters() {
            if shown.contains(&format!("{{{parameter}}}")) {
                names += &format!("{parameter} = {parameter}::schema_name(),");
            }
            ids += &format!("{parameter}::schema_id(),");
        }
        let places = "{},".repeat(item.parameters().count());
        shown_name = format!("{cow}::Owned(format!({shown:?}, {names}))");
        let plain = shown.replace(['{', '}'], "");
        id = format!(
            "{cow}::Owned(format!(concat!(module_path!(), \"::\", {plain:?}, \"<{places}>\"), {ids}))"
        );
    }
    let inline = if attributes.schemars.iter().any(|(word, _)| word == "inline") {
        "fn inline_schema() -> bool { true }"
    } else {
        ""
    };
    let (name, generics) = (&item.name, &item.generics);
    let bounds: String =
        item.parameters().map(|parameter| format!("{parameter}: ::schemars::JsonSchema,")).collect();
    let code = format!(
        "#[automatically_derived] impl<{bounds}> ::schemars::JsonSchema for {name}{generics} {{
            {inline}
            fn schema_name() -> {cow}<'static, str> {{ {shown_name} }}
            fn schema_id() -> {cow}<'static, str> {{ {id} }}
            fn json_schema(generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {{
                use ::sim_base::to_schema as table;
                {schema}
            }}
        }}"
    );
    code.parse().expect("it is made of what the compiler has read")
}

fn structure(content: &Group, attributes: &Attributes, closed: bool, about: &str, absent: &str) -> String {
    let mut fields = String::new();
    for field in fields_of(content) {
        let own = &field.attributes;
        own.are_of(&[
            "rename",
            "default",
            "skip",
            "skip_serializing_if",
            "deserialize_with",
            "with",
            "flatten",
        ]);
        if own.has("skip") {
            continue;
        }
        let (kind, of) = kind(&field);
        if own.has("flatten") {
            fields += &format!("table::Field {{ of: &table::Type::Flat(&{of}), ..table::Field::NONE }},");
            continue;
        }
        let name = attributes.case().field(&field);
        let when_read = own.has("default") || absent != "None" || kind.starts_with("Option");
        let when_written = own.has("skip_serializing_if");
        let default =
            default(&field).or_else(|| (absent != "None").then(|| "table::Rule::Absent,".to_owned()));
        let about = crate::to_schema::about(own, default);
        fields += &format!(
            "table::Field {{ name: {name:?}, {about}, of: &{of}, when_read: {when_read}, when_written: {when_written} }},"
        );
    }
    format!("table::Structure {{ {about}, closed: {closed}, absent: {absent}, fields: &[{fields}] }}")
}

/// A struct that is written as its only field.
fn wrapper(item: &Item) -> String {
    let mut fields = fields_of(&item.content);
    fields.retain(|field| !field.attributes.has("skip"));
    let [field] = &fields[..] else { panic!("ToSchema is for tuples with one field: derive JsonSchema") };
    let (_, of) = kind(field);
    let (checks, marks) = (checks(&field.attributes), marks(&field.attributes));
    let doc = item.attributes.doc.join(",");
    let own = self::marks(&item.attributes);
    format!("table::Wrapper {{ doc: &[{doc}], checks: &[{checks}], rules: &[{marks}{own}], of: &{of} }}")
}

fn enumeration(item: &Item) -> String {
    let closed = item.attributes.has("deny_unknown_fields");
    let tag = match item.attributes.value("tag") {
        Some(tag) => format!("Inside({tag:?})"),
        None if item.attributes.has("untagged") => "Nothing".to_owned(),
        None => "Outside".to_owned(),
    };
    let mut variants = String::new();
    for variant in variants_of(&item.content) {
        variant.attributes.are_of(&["rename"]);
        variant.attributes.schema_is_of(&["extend"]);
        let name = item.attributes.case().variant(&variant);
        let of = match &variant.content {
            None => "None".to_owned(),
            Some(content) if content.delimiter() == Delimiter::Brace => {
                let table = structure(content, &variant.attributes, closed, "doc: &[], rules: &[]", "None");
                format!("Some(&table::Type::Structure(&{table}))")
            }
            Some(content) => {
                let fields = fields_of(content);
                let [field] = &fields[..] else {
                    panic!("ToSchema is for variants with one value: derive JsonSchema")
                };
                field.attributes.schema_is_of(&["with"]);
                format!("Some(&{})", kind(field).1)
            }
        };
        let about = about(&variant.attributes, None);
        variants += &format!("table::Variant {{ name: {name:?}, {about}, of: {of} }},");
    }
    let about = about(&item.attributes, None);
    format!(
        "table::Enumeration {{ {about}, tag: table::Tag::{tag}, closed: {closed}, variants: &[{variants}] }}"
    )
}

/// The type that a field's schema is of, empty if there is none, and the code of its table.
fn kind(field: &Field) -> (String, String) {
    let own = &field.attributes;
    own.schema_is_of(&["with", "schema_with", "length", "range", "regex", "inner", "extend", "transform"]);
    if let Some(function) = own.text("schema_with") {
        return (String::new(), format!("table::Type::Made({function})"));
    }
    let kind = own.text("with").unwrap_or_else(|| field.kind.clone());
    let of = of(&kind);
    (kind, of)
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

/// The rule about the value that a field has when it is left out, unless that value is left out too.
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
    Some(format!(
        "table::Rule::Default(|| Some({value}){written}.and_then(|value| ::serde_json::to_value(value).ok())),"
    ))
}

/// The code of documentation and rules. The order of rules is that of schemars.
fn about(attributes: &Attributes, default: Option<String>) -> String {
    let doc = attributes.doc.join(",");
    let (checks, default, marks) = (checks(attributes), default.unwrap_or_default(), marks(attributes));
    format!("doc: &[{doc}], rules: &[{checks}{default}{marks}]")
}

/// The code of rules about values.
fn checks(attributes: &Attributes) -> String {
    let mut rules = String::new();
    if attributes.deprecated {
        rules += "table::Rule::Key(\"deprecated\", \"true\"),";
    }
    for word in ["length", "range", "regex", "inner"] {
        for (_, rest) in attributes.schemars.iter().filter(|(known, _)| known == word) {
            rules += &bounds(word, rest);
        }
    }
    rules
}

/// The code of other rules.
fn marks(attributes: &Attributes) -> String {
    let mut rules = String::new();
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
    rules
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
                text.push(punct.as_char());
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
