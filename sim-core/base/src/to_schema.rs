//! What `#[derive(ToSchema)]` stands on: `JsonSchema` of structs and of enums without values.
//!
//! The code that schemars derives builds each schema by statements of its own, which for the hundreds of types of an API is much of what
//! the compiler does. Here a type has a table, and the code that reads it is written once.

use std::borrow::Cow;
use std::cell::Cell;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

/// A struct. `#[derive(ToSchema)]` makes the table.
#[derive(Debug)]
pub struct Structure {
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// What its schema has besides.
    pub rules: &'static [Rule],
    /// Whether other fields are refused.
    pub closed: bool,
    /// Its fields.
    pub fields: &'static [Field],
}

/// A field of a struct.
#[derive(Debug)]
pub struct Field {
    /// The name on the wire.
    pub name: &'static str,
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// What its schema has besides.
    pub rules: &'static [Rule],
    /// Its type.
    pub of: &'static Type,
    /// Whether who writes a request may leave it out.
    pub when_read: bool,
    /// Whether an answer may leave it out.
    pub when_written: bool,
}

/// An enum without values.
#[derive(Debug)]
pub struct Enumeration {
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// What its schema has besides.
    pub rules: &'static [Rule],
    /// Its variants.
    pub variants: &'static [Variant],
}

/// A variant of an enum.
#[derive(Debug)]
pub struct Variant {
    /// The name on the wire.
    pub name: &'static str,
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// What its schema has besides.
    pub rules: &'static [Rule],
}

/// What a schema has besides its type and documentation. Values are JSON texts.
#[derive(Debug)]
pub enum Rule {
    /// A key and its value.
    Key(&'static str, &'static str),
    /// A key and its value if the schema is of this type.
    OfType(&'static str, &'static str, &'static str),
    /// Rules of an array's items.
    OfItems(&'static [Rule]),
    /// The value of a field that is left out; `None` if it is left out of an answer too.
    Default(fn() -> Option<Value>),
    /// What no text says.
    Code(fn(&mut Schema)),
}

/// The type of a field.
#[derive(Debug)]
pub enum Type {
    /// Any type.
    Named(&'static Functions),
    /// `Option<…>`.
    Optional(&'static Type),
    /// `Vec<…>`.
    List(&'static Type),
    /// A schema that a function makes.
    Made(fn(&mut SchemaGenerator) -> Schema),
}

/// The functions of [`JsonSchema`] for a type.
#[derive(Debug)]
pub struct Functions {
    inline_schema: fn() -> bool,
    schema_name: fn() -> Cow<'static, str>,
    schema_id: fn() -> Cow<'static, str>,
    json_schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Each type with a schema.
pub trait Named {
    /// Its functions.
    const NAMED: &'static Functions;
}

impl<T: JsonSchema> Named for T {
    const NAMED: &'static Functions = &Functions {
        inline_schema: T::inline_schema,
        schema_name: T::schema_name,
        schema_id: T::schema_id,
        json_schema: T::json_schema,
    };
}

thread_local! {
    /// The type for which [`Current`] stands.
    static CURRENT: Cell<&'static Type> = const { Cell::new(&Type::Named(<()>::NAMED)) };
}

/// Stands for any type. A generator has functions for types alone, of which the compiler would make a set for each type. They call the
/// type's functions, which get nothing that could name another type, so [`CURRENT`] does.
struct Current;

impl JsonSchema for Current {
    fn inline_schema() -> bool {
        match CURRENT.get() {
            Type::Named(of) => (of.inline_schema)(),
            _ => true,
        }
    }

    fn schema_name() -> Cow<'static, str> {
        match CURRENT.get() {
            Type::Named(of) => (of.schema_name)(),
            Type::Optional(of) => within(of, <Option<Current>>::schema_name),
            Type::List(of) => within(of, <Vec<Current>>::schema_name),
            Type::Made(_) => "made".into(),
        }
    }

    fn schema_id() -> Cow<'static, str> {
        match CURRENT.get() {
            Type::Named(of) => (of.schema_id)(),
            Type::Optional(of) => within(of, <Option<Current>>::schema_id),
            Type::List(of) => within(of, <Vec<Current>>::schema_id),
            Type::Made(_) => "made".into(),
        }
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        match CURRENT.get() {
            Type::Named(of) => (of.json_schema)(generator),
            Type::Optional(of) => within(of, || <Option<Current>>::json_schema(generator)),
            Type::List(of) => within(of, || <Vec<Current>>::json_schema(generator)),
            Type::Made(function) => function(generator),
        }
    }
}

fn within<T>(of: &'static Type, work: impl FnOnce() -> T) -> T {
    let before = CURRENT.replace(of);
    let result = work();
    CURRENT.set(before);
    result
}

/// The schema of a type, or a reference to it.
pub fn subschema(generator: &mut SchemaGenerator, of: &'static Type) -> Schema {
    within(of, || generator.subschema_for::<Current>())
}

/// The schema of a struct.
pub fn structure(generator: &mut SchemaGenerator, of: &Structure) -> Schema {
    let mut schema = json_schema!({ "type": "object" });
    if of.closed {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    for field in of.fields {
        let mut property = subschema(generator, field.of);
        describe(&mut property, field.doc, field.rules);
        let object = schema.ensure_object();
        object.entry("properties").or_insert_with(|| Value::Object(Default::default()))[field.name] =
            property.to_value();
        let may_be_left_out =
            if generator.contract().is_deserialize() { field.when_read } else { field.when_written };
        if !may_be_left_out
            && let Value::Array(required) =
                object.entry("required").or_insert_with(|| Value::Array(Vec::new()))
        {
            required.push(field.name.into());
        }
    }
    describe(&mut schema, of.doc, of.rules);
    schema
}

/// The schema of an enum without values. Variants with documentation have a schema each.
pub fn enumeration(of: &Enumeration) -> Schema {
    let (plain, described): (Vec<_>, Vec<_>) =
        of.variants.iter().partition(|variant| variant.doc.is_empty() && variant.rules.is_empty());
    let names: Vec<_> = plain.iter().map(|variant| variant.name).collect();
    let plain = json_schema!({ "type": "string", "enum": names });
    let mut schema = if described.is_empty() {
        plain
    } else {
        let mut all = if names.is_empty() { Vec::new() } else { vec![plain.to_value()] };
        for variant in described {
            let mut schema = json_schema!({ "type": "string", "const": variant.name });
            describe(&mut schema, variant.doc, variant.rules);
            all.push(schema.to_value());
        }
        json_schema!({ "oneOf": all })
    };
    describe(&mut schema, of.doc, of.rules);
    schema
}

fn describe(schema: &mut Schema, doc: &[&str], rules: &[Rule]) {
    let lines: Vec<_> = doc.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = lines.join("\n");
    if !text.trim_ascii().is_empty() {
        schema.insert("description".to_owned(), text.trim_ascii().into());
    }
    follow(schema, rules);
}

fn follow(schema: &mut Schema, rules: &[Rule]) {
    let parsed = |text| serde_json::from_str(text).expect("the derived code has JSON here");
    for rule in rules {
        match *rule {
            Rule::Key(key, text) => set(schema, key, parsed(text)),
            Rule::OfType(kind, key, text) => set_of_type(schema, kind, key, parsed(text)),
            Rule::OfItems(rules) => {
                if let Some(items) = schema.get_mut("items").and_then(|items| items.try_into().ok()) {
                    follow(items, rules);
                }
            }
            Rule::Default(value) => {
                if let Some(value) = value() {
                    set(schema, "default", value);
                }
            }
            Rule::Code(change) => change(schema),
        }
    }
}

/// Sets a key of a schema.
pub fn set(schema: &mut Schema, key: &str, value: Value) {
    schema.insert(key.to_owned(), value);
}

/// Sets a key of a schema if it is of this type, or may be null instead. An integer is a number.
pub fn set_of_type(schema: &mut Schema, kind: &str, key: &str, value: Value) {
    let is_one = |found: &Value| found == kind || kind == "number" && found == "integer";
    let is_of_type = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_one),
        Some(found) => is_one(found),
        None => false,
    };
    if is_of_type {
        set(schema, key, value);
    }
}
