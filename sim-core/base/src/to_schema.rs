//! What `#[derive(ToSchema)]` stands on: `JsonSchema` from tables.
//!
//! The code that schemars derives builds each schema by statements of its own, which for the hundreds of types of an API is much of what
//! the compiler does. Here a type has a table, and the code that reads it is written once.

use std::borrow::Cow;
use std::cell::Cell;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// A struct. `#[derive(ToSchema)]` makes the table.
#[derive(Debug)]
pub struct Structure {
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// What its schema has besides.
    pub rules: &'static [Rule],
    /// Whether other fields are refused.
    pub closed: bool,
    /// The struct of which fields that are left out are taken.
    pub absent: Option<fn() -> Value>,
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

impl Field {
    /// A field without a name.
    pub const NONE: Field = Field {
        name: "",
        doc: &[],
        rules: &[],
        of: &Type::Named(<()>::NAMED),
        when_read: true,
        when_written: true,
    };
}

/// A struct that is written as its only field.
#[derive(Debug)]
pub struct Wrapper {
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// The field's rules about values.
    pub checks: &'static [Rule],
    /// What its schema has besides.
    pub rules: &'static [Rule],
    /// The type of the field.
    pub of: &'static Type,
}

/// An enum.
#[derive(Debug)]
pub struct Enumeration {
    /// The lines of its documentation.
    pub doc: &'static [&'static str],
    /// What its schema has besides.
    pub rules: &'static [Rule],
    /// Where the name of the variant is.
    pub tag: Tag,
    /// Whether other fields are refused.
    pub closed: bool,
    /// Its variants.
    pub variants: &'static [Variant],
}

/// Where the name of a variant is written.
#[derive(Clone, Copy, Debug)]
pub enum Tag {
    /// Around the value.
    Outside,
    /// In a field of the value, with this name.
    Inside(&'static str),
    /// Nowhere.
    Nothing,
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
    /// The type of its value, if it has one.
    pub of: Option<&'static Type>,
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
    /// The same, of [`Structure::absent`].
    Absent,
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
    /// The struct of a variant.
    Structure(&'static Structure),
    /// A struct or map whose fields are those of the struct around it.
    Flat(&'static Type),
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
            Type::Made(_) | Type::Structure(_) | Type::Flat(_) => "made".into(),
        }
    }

    fn schema_id() -> Cow<'static, str> {
        match CURRENT.get() {
            Type::Named(of) => (of.schema_id)(),
            Type::Optional(of) => within(of, <Option<Current>>::schema_id),
            Type::List(of) => within(of, <Vec<Current>>::schema_id),
            Type::Made(_) | Type::Structure(_) | Type::Flat(_) => "made".into(),
        }
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        match CURRENT.get() {
            Type::Named(of) => (of.json_schema)(generator),
            Type::Optional(of) => within(of, || <Option<Current>>::json_schema(generator)),
            Type::List(of) => within(of, || <Vec<Current>>::json_schema(generator)),
            Type::Made(function) => function(generator),
            Type::Structure(of) => structure(generator, of),
            Type::Flat(of) => flat(generator, of),
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
        set(&mut schema, "additionalProperties", false.into());
    }
    let absent = of.absent.map(|absent| absent()).unwrap_or_default();
    for field in of.fields {
        let mut property = subschema(generator, field.of);
        if let Type::Flat(_) = field.of {
            merge(&mut schema, property);
            continue;
        }
        describe(&mut property, field.doc, field.rules, absent.get(field.name));
        let object = schema.ensure_object();
        object.entry("properties").or_insert_with(|| json!({}))[field.name] = property.to_value();
        let may_be_left_out =
            if generator.contract().is_deserialize() { field.when_read } else { field.when_written };
        if !may_be_left_out
            && let Value::Array(required) = object.entry("required").or_insert_with(|| json!([]))
        {
            required.push(field.name.into());
        }
    }
    describe(&mut schema, of.doc, of.rules, None);
    schema
}

/// The schema of a struct that is written as its only field.
pub fn wrapper(generator: &mut SchemaGenerator, of: &Wrapper) -> Schema {
    let mut schema = subschema(generator, of.of);
    describe(&mut schema, &[], of.checks, None);
    describe(&mut schema, of.doc, of.rules, None);
    schema
}

/// The schema of a type whose fields are added to others, which decide whether there may be more.
fn flat(generator: &mut SchemaGenerator, of: &'static Type) -> Schema {
    let (of, is_optional) = match of {
        Type::Optional(of) => (*of, true),
        of => (of, false),
    };
    let mut schema = within(of, || Current::json_schema(generator));
    let has = |key| schema.get(key).is_some();
    assert!(!["oneOf", "anyOf", "enum"].into_iter().any(has), "only structs and maps are flattened");
    if is_optional {
        schema.remove("required");
    }
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        schema.remove("additionalProperties");
    }
    schema
}

/// Adds the fields of another struct.
fn merge(schema: &mut Schema, other: Schema) {
    let Value::Object(other) = other.to_value() else { return };
    let object = schema.ensure_object();
    for (key, value) in other {
        match (object.get_mut(&key), value) {
            (None, value) => drop(object.insert(key, value)),
            (Some(Value::Object(own)), Value::Object(others)) if key == "properties" => own.extend(others),
            (Some(Value::Array(own)), Value::Array(others)) if key == "required" => own.extend(others),
            _ => {}
        }
    }
}

/// The schema of an enum.
pub fn enumeration(generator: &mut SchemaGenerator, of: &Enumeration) -> Schema {
    let is_plain = |variant: &&Variant| {
        matches!(of.tag, Tag::Outside)
            && variant.of.is_none()
            && variant.doc.is_empty()
            && variant.rules.is_empty()
    };
    let (plain, others): (Vec<_>, Vec<_>) = of.variants.iter().partition(is_plain);
    let names: Vec<_> = plain.iter().map(|variant| variant.name).collect();
    let mut all = Vec::new();
    if !names.is_empty() {
        all.push(json!({ "type": "string", "enum": names }));
    }
    for variant in &others {
        let mut schema = self::variant(generator, of, variant);
        describe(&mut schema, variant.doc, variant.rules, None);
        all.push(schema.to_value());
    }
    let mut schema = match of.tag {
        _ if others.is_empty() => all.swap_remove(0).try_into().expect("it is an object"),
        Tag::Nothing => json_schema!({ "anyOf": all }),
        _ => json_schema!({ "oneOf": all }),
    };
    describe(&mut schema, of.doc, of.rules, None);
    schema
}

fn variant(generator: &mut SchemaGenerator, of: &Enumeration, variant: &Variant) -> Schema {
    const NONE: &Type = &Type::Named(<()>::NAMED);
    let name = variant.name;
    match (of.tag, variant.of) {
        (Tag::Outside, None) => json_schema!({ "type": "string", "const": name }),
        (Tag::Outside, Some(value)) => {
            let value = subschema(generator, value);
            json_schema!({
                "type": "object",
                "properties": { name: value },
                "required": [name],
                "additionalProperties": false,
            })
        }
        (Tag::Nothing, value) => subschema(generator, value.unwrap_or(NONE)),
        (Tag::Inside(tag), value) => {
            let value = value.unwrap_or(NONE);
            let mut schema = within(value, || Current::json_schema(generator));
            if let Type::Named(functions) = value
                && !(functions.inline_schema)()
                && schema.get("additionalProperties") != Some(&Value::Bool(false))
            {
                schema = subschema(generator, value);
            }
            add_tag(&mut schema, tag, name, of.closed);
            schema
        }
    }
}

/// Adds the name of the variant to the fields of its value, in front of them.
fn add_tag(schema: &mut Schema, tag: &str, name: &str, closed: bool) {
    let object = schema.ensure_object();
    let is_empty = object.get("type").is_some_and(|kind| kind == "null");
    object.insert("type".to_owned(), "object".into());
    if let Value::Object(properties) = object.entry("properties").or_insert_with(|| json!({})) {
        properties.shift_insert(0, tag.to_owned(), json!({ "type": "string", "const": name }));
    }
    if let Value::Array(required) = object.entry("required").or_insert_with(|| json!([])) {
        required.insert(0, tag.into());
    }
    if closed && is_empty {
        object.entry("additionalProperties").or_insert(Value::Bool(false));
    }
}

fn describe(schema: &mut Schema, doc: &[&str], rules: &[Rule], absent: Option<&Value>) {
    let lines: Vec<_> = doc.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = lines.join("\n");
    if !text.trim_ascii().is_empty() {
        schema.insert("description".to_owned(), text.trim_ascii().into());
    }
    follow(schema, rules, absent);
}

fn follow(schema: &mut Schema, rules: &[Rule], absent: Option<&Value>) {
    let parsed = |text| serde_json::from_str(text).expect("the derived code has JSON here");
    for rule in rules {
        match *rule {
            Rule::Key(key, text) => set(schema, key, parsed(text)),
            Rule::OfType(kind, key, text) => set_of_type(schema, kind, key, parsed(text)),
            Rule::OfItems(rules) => {
                if let Some(items) = schema.get_mut("items").and_then(|items| items.try_into().ok()) {
                    follow(items, rules, None);
                }
            }
            Rule::Default(value) => {
                if let Some(value) = value() {
                    set(schema, "default", value);
                }
            }
            Rule::Absent => {
                if let Some(value) = absent {
                    set(schema, "default", value.clone());
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
