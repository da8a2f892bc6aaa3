//! JSON schemas, derived from the request and response types. OpenAPI shows them, `node` compiles them.

use std::borrow::Cow;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Where named schemas live in the OpenAPI document.
const DEFINITIONS: &str = "/components/schemas";

/// A generator whose named schemas end up under `components` and whose optional fields are absent, not `null`.
pub fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.definitions_path = DEFINITIONS.into();
            settings.meta_schema = None;
            settings.transforms = vec![Box::new(Plain)];
        })
        .into_generator()
}

/// Brings a schema that was built by hand into the same form as those of [`generator`].
pub fn plain(mut schema: Schema) -> Value {
    Plain.transform(&mut schema);
    schema.to_value()
}

/// Optional is not nullable: an absent field is left out on the wire, and `x-nullable` marks the exceptions. An enum is
/// one list, however its variants are documented.
#[derive(Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
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

fn constants(alternatives: &[Value]) -> Option<Value> {
    alternatives.iter().map(|one| one.get("const").cloned()).collect()
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

impl From<&str> for Secret {
    fn from(text: &str) -> Secret {
        Secret(text.to_owned())
    }
}

/// Replaces a secret in the journal.
pub const MASK: &str = "•••";
