//! JSON schemas, derived from the request and response types. OpenAPI shows them, `node` compiles them.

use std::borrow::Cow;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::edition::Edition;

/// Where named schemas live in the OpenAPI document.
const DEFINITIONS: &str = "/components/schemas";

/// A generator of the schemas of `edition`. Named schemas end up under `components`; optional fields are absent, not
/// `null`.
pub fn generator(edition: Edition) -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.definitions_path = DEFINITIONS.into();
            settings.meta_schema = None;
            settings.transforms = vec![Box::new(Held { edition }), Box::new(Plain)];
        })
        .into_generator()
}

/// Brings a schema that a type made into the same form as those of [`generator`].
pub fn plain(edition: Edition, mut schema: Schema) -> Value {
    Held { edition }.transform(&mut schema);
    Plain.transform(&mut schema);
    schema.to_value()
}

/// A field with this mark has no effect. A call that sends it is told so, like of a field that the operation does not know
/// ([`Policy::unknown_fields`](super::Policy::unknown_fields)), and documents show the mark.
pub const IGNORED: &str = "x-sim-ignored";

/// A text with this mark may contain U+0000, which no other field may: databases keep none, or the half of such a text.
pub const ANY_TEXT: &str = "x-any-text";

/// Under this key an object schema lists the fields that the type has but the edition does not.
pub const DROPPED: &str = "x-dropped";

/// Reduces a schema to the part that an edition has. See [`Edition`] for the marks.
#[derive(Clone)]
struct Held {
    edition: Edition,
}

impl Held {
    /// Whether the edition has a field, a type or a member of an enum.
    fn has(&self, marked: &Value) -> bool {
        let named = |key: &str| {
            marked
                .get(key)
                .and_then(Value::as_str)
                .map(|name| name.parse::<Edition>().expect("a mark names an edition"))
        };
        named("x-since").is_none_or(|since| since <= self.edition)
            && named("x-until").is_none_or(|until| self.edition <= until)
    }

    /// Removes fields that the edition does not have, and lists them under [`DROPPED`].
    fn drop_fields(&self, schema: &mut Schema) {
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
        let gone = properties.iter().filter(|(_, field)| !self.has(field)).map(|(name, _)| name.clone());
        let gone: Vec<String> = gone.collect();
        if gone.is_empty() {
            return;
        }
        gone.iter().for_each(|name| drop(properties.shift_remove(name)));
        gone.iter().for_each(|name| set_required(schema, name, false));
        schema.insert(DROPPED.to_owned(), json!(gone));
    }

    /// Replaces keywords of fields by those of the edition. Keywords about the object itself are moved to the object.
    fn overlay_fields(&self, schema: &mut Schema) {
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
        let mut required = Vec::new();
        for (name, field) in properties.iter_mut() {
            let Some(field) = field.as_object_mut() else { continue };
            let Some(Value::Object(overlay)) = field.get_mut(&self.key()) else { continue };
            let (is_required, is_nullable) =
                (overlay.shift_remove("required"), overlay.shift_remove("nullable"));
            if let Some(Value::Bool(is)) = is_required {
                required.push((name.clone(), is));
                field.shift_remove("x-required");
            }
            if let Some(Value::Bool(is)) = is_nullable {
                set_nullable(field, is);
            }
        }
        for (name, is) in required {
            set_required(schema, &name, is);
        }
    }

    /// Replaces keywords by those of the edition.
    fn overlay(&self, schema: &mut Schema) {
        if let Some(Value::Object(overlay)) = schema.remove(&self.key()) {
            for (key, value) in overlay {
                schema.insert(key, value);
            }
        }
        for other in Edition::ALL {
            schema.remove(&key(other));
        }
    }

    fn key(&self) -> String {
        key(self.edition)
    }
}

/// The key of the keywords for `edition`.
fn key(edition: Edition) -> String {
    format!("x-{edition}")
}

impl Transform for Held {
    fn transform(&mut self, schema: &mut Schema) {
        self.drop_fields(schema);
        self.overlay_fields(schema);
        self.overlay(schema);
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(alternatives)) = schema.get_mut(key) {
                alternatives.retain(|one| self.has(one));
            }
        }
        transform_subschemas(self, schema);
    }
}

fn set_required(schema: &mut Schema, name: &str, is: bool) {
    let mut names: Vec<Value> = match schema.remove("required") {
        Some(Value::Array(names)) => names,
        _ => Vec::new(),
    };
    names.retain(|one| one != name);
    if is {
        names.push(name.into());
    }
    if !names.is_empty() {
        schema.insert("required".to_owned(), names.into());
    }
}

/// Makes the schema of a field nullable or not. The mark keeps [`Plain`] from removing `null`.
fn set_nullable(field: &mut Map<String, Value>, is: bool) {
    field.shift_remove("x-nullable");
    if !is {
        return;
    }
    field.insert("x-nullable".to_owned(), true.into());
    if let Some(reference) = field.shift_remove("$ref") {
        field.insert("anyOf".to_owned(), json!([{ "$ref": reference }, { "type": "null" }]));
    } else if let Some(Value::String(name)) = field.get("type") {
        let both = json!([name, "null"]);
        field.insert("type".to_owned(), both);
    }
}

/// Optional is not nullable: an absent field is left out on the wire, and `x-nullable` marks the exceptions. An enum is
/// written as one list, even if its variants have doc comments.
#[derive(Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        require_marked(schema);
        if let Some(names) = schema.get("oneOf").and_then(Value::as_array).and_then(|all| constants(all)) {
            schema.remove("oneOf");
            schema.insert("type".to_owned(), json!("string"));
            schema.insert("enum".to_owned(), names);
        }
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for property in properties.values_mut().filter_map(Value::as_object_mut) {
                if property.shift_remove("x-nullable").is_none() {
                    strip_null(property);
                }
            }
        }
        transform_subschemas(self, schema);
    }
}

/// Adds fields with the mark `x-required` to the required ones: those that may be `null` but are always there.
fn require_marked(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    let is_marked = |field: &mut Value| {
        field.as_object_mut().is_some_and(|field| field.shift_remove("x-required").is_some())
    };
    let marked: Vec<String> =
        properties.iter_mut().filter_map(|(name, field)| is_marked(field).then(|| name.clone())).collect();
    marked.iter().for_each(|name| set_required(schema, name, true));
}

/// The texts of alternatives that are texts: one each, or a list of those that have no documentation of their own.
fn constants(alternatives: &[Value]) -> Option<Value> {
    let names = |one: &Value| match (one.get("const"), one.get("enum")) {
        (Some(name), _) => Some(vec![name.clone()]),
        (None, Some(Value::Array(names))) => Some(names.clone()),
        _ => None,
    };
    let lists: Option<Vec<Vec<Value>>> = alternatives.iter().map(names).collect();
    Some(lists?.concat().into())
}

fn strip_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(names)) = schema.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        alternatives.retain(|one| one != &json!({ "type": "null" }));
        if let [Value::Object(only)] = &alternatives[..] {
            let only = only.clone();
            schema.shift_remove("anyOf");
            schema.extend(only);
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.shift_remove("default");
    }
}

/// A text that must not be shown: masked in journal and logs, hidden in `Debug`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl JsonSchema for Secret {
    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "string", "x-secret": true })
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Secret {
        Secret(text.to_owned())
    }
}

/// Replaces a secret in the journal.
pub const MASK: &str = "•••";
