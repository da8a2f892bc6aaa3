//! Finds a list in the place of an object. A deserializer takes its items for the fields of the type, in their order; nobody
//! means that.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What is right in the place of such a list, for messages.
pub const FIELDS: &str = "must be fields with values, received a list";

/// A type that is read from a file and has a schema.
pub trait Described: DeserializeOwned + JsonSchema {}

impl<T: DeserializeOwned + JsonSchema> Described for T {}

/// The schema of a type, for [`path_in`].
pub fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}

/// The dotted path of the first list in `value` whose schema is that of an object. References of the schema lead to
/// `definitions`.
///
/// ```
/// use serde_json::json;
/// use sim_core::Policy;
/// use sim_core::engine::listed;
///
/// let schema = listed::schema_of::<Policy>();
/// let path_in = |value| listed::path_in(&schema, &schema["$defs"], &value);
/// assert_eq!(path_in(json!({ "durations": [1] })).as_deref(), Some("durations"));
/// assert_eq!(path_in(json!({ "durations": { "create_ms": 1 } })), None);
/// ```
pub fn path_in(schema: &Value, definitions: &Value, value: &Value) -> Option<String> {
    let mut path = Vec::new();
    Look { definitions }.finds(&[schema], value, &mut path).then(|| path.join("."))
}

struct Look<'s> {
    definitions: &'s Value,
}

impl<'s> Look<'s> {
    /// Whether such a list is in `value`, which may have any of these schemas. `path` then leads to it.
    fn finds(&self, schemas: &[&'s Value], value: &Value, path: &mut Vec<String>) -> bool {
        let mut forms = Vec::new();
        schemas.iter().for_each(|schema| self.gather(schema, &mut forms));
        let mut inside = |name: String, schemas: Vec<&'s Value>, value: &Value| {
            path.push(name);
            let found = self.finds(&schemas, value, path);
            if !found {
                path.pop();
            }
            found
        };
        match value {
            Value::Array(_) if is_object_alone(&forms) => true,
            Value::Array(items) => {
                let schemas = || forms.iter().filter_map(|form| form.get("items")).collect();
                items.iter().enumerate().any(|(index, item)| inside(index.to_string(), schemas(), item))
            }
            Value::Object(fields) => fields.iter().any(|(name, value)| {
                let of = |form: &&'s Value| {
                    form.get("properties")
                        .and_then(|known| known.get(name))
                        .or_else(|| form.get("additionalProperties"))
                };
                inside(name.clone(), forms.iter().filter_map(of).collect(), value)
            }),
            _ => false,
        }
    }

    /// Adds the schema, or those that it refers to, to `forms`.
    fn gather(&self, schema: &'s Value, forms: &mut Vec<&'s Value>) {
        let several = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
        let reference = schema.get("$ref").and_then(Value::as_str);
        let name = reference.and_then(|reference| reference.rsplit('/').next());
        let others: Vec<_> =
            several.flatten().chain(name.and_then(|name| self.definitions.get(name))).collect();
        if others.is_empty() || schema.get("type").is_some() {
            forms.push(schema);
        }
        others.into_iter().for_each(|other| self.gather(other, forms));
    }
}

/// Whether these schemas allow objects, but no lists.
fn is_object_alone(forms: &[&Value]) -> bool {
    let allows = |form: &&Value, name: &str| match form.get("type") {
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        Some(one) => one == name,
        None => form.get("const").is_none() && form.get("enum").is_none() && **form != false,
    };
    forms.iter().any(|form| allows(form, "object")) && !forms.iter().any(|form| allows(form, "array"))
}
