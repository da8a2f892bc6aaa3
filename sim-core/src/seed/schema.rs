//! The JSON Schema of seed files, for editors and checkers.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::Seed;
use super::fill::{Filling, Fillings, Form, PROJECT, WORLD};
use crate::engine::Registry;

/// The JSON Schema (draft 2020-12) of seed files.
///
/// ```
/// let schema = sim_core::seed::schema();
/// assert_eq!(schema["properties"]["projects"]["items"]["$ref"], "#/$defs/ProjectSeed");
/// ```
pub fn schema() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Seed>().to_value();
    add(&mut schema, &WORLD);
    schema["unevaluatedProperties"] = false.into();
    let project = &mut schema["$defs"]["ProjectSeed"];
    add(project, &PROJECT);
    project["unevaluatedProperties"] = false.into();
    for registry in super::registries() {
        add_definitions(&mut schema, registry);
    }
    schema
}

fn add(schema: &mut Value, fillings: &Fillings) {
    // The generator allows any field where a map is flattened.
    if let Some(schema) = schema.as_object_mut() {
        schema.shift_remove("additionalProperties");
    }
    let there =
        |filling: &&Filling| super::registries().any(|one| one.newest().by_id(filling.operation).is_some());
    for filling in fillings.0.iter().filter(there) {
        schema["properties"][filling.field] = filling.schema();
    }
}

/// Adds a service's definitions with its name as a prefix, because some have the same name as definitions of the
/// seed.
fn add_definitions(schema: &mut Value, registry: &Registry) {
    for (name, definition) in registry.newest().definitions() {
        let own = format!("{}-{name}", registry.service.name);
        schema["$defs"][own] = relocated(definition, registry.service.name);
    }
}

/// Changes the references in a schema so that they lead to the definitions of a seed's schema.
fn relocated(value: &Value, service: &str) -> Value {
    match value {
        Value::Object(object) => {
            let moved = object.iter().map(|(name, value)| match (name.as_str(), value.as_str()) {
                ("$ref", Some(at)) => {
                    let definition = at.rsplit('/').next().unwrap_or_default();
                    (name.clone(), format!("#/$defs/{service}-{definition}").into())
                }
                _ => (name.clone(), relocated(value, service)),
            });
            Value::Object(moved.collect())
        }
        Value::Array(list) => list.iter().map(|value| relocated(value, service)).collect(),
        other => other.clone(),
    }
}

impl Filling {
    fn schema(&self) -> Value {
        let input = self.input();
        let field = |name: &str| input["properties"][name].clone();
        let without = |names: &[&str]| leave_out(&input, names);
        let mut schema = match self.form {
            Form::Fields => without(&["ref"]),
            Form::Field(name) => field(name),
            Form::Each => {
                json!({ "type": "array", "items": self.with_own_fields(without(&["ref", "project_ref"])) })
            }
            Form::EachField(name) => json!({ "type": "array", "items": field(name) }),
            Form::Members(_, value) => json!({ "type": "object", "additionalProperties": field(value) }),
            Form::Named(name) => json!({ "type": "object", "additionalProperties": without(&[name]) }),
            Form::Pairs(_) => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            Form::Flag => json!({ "type": "boolean" }),
        };
        if let Some(schema) = schema.as_object_mut() {
            schema.shift_remove("title");
            schema.insert("description".to_owned(), self.about.into());
        }
        schema
    }

    /// The schema of the operation's input.
    fn input(&self) -> Value {
        let registry = super::registries().find(|one| one.has(self.operation)).expect("it was looked up");
        let operation = registry.newest().published().find(|one| one.meta.id == self.operation);
        relocated(operation.expect("the registry has it").input, registry.service.name)
    }

    /// Adjusts the schema for fields that a seed has beside the input, or in place of it.
    fn with_own_fields(&self, mut input: Value) -> Value {
        match self.field {
            "branches" => {
                input["properties"]["status"] = json!({ "$ref": "#/$defs/management-BranchStatus" });
            }
            "apps" => {
                let names = json!({ "type": "array", "items": { "type": "string" } });
                input["properties"]["authorized_by"] = names;
            }
            "backends" => {
                let names = json!({ "type": "array", "items": { "type": "string" } });
                input["properties"]["sources"] = names;
            }
            "rules" => {
                input = leave_out(&input, &["source_id", "backend_id"]);
                for name in ["source", "sink", "backend"] {
                    input["properties"][name] = json!({ "type": "string" });
                }
            }
            "events" => {
                input["properties"]["body"] =
                    json!({ "description": "The events: a text, a table or a list." });
            }
            _ => {}
        }
        input
    }
}

fn leave_out(input: &Value, names: &[&str]) -> Value {
    let mut input = input.clone();
    let is_kept = |name: &str| !names.contains(&name);
    if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
        *properties =
            std::mem::take(properties).into_iter().filter(|(name, _)| is_kept(name)).collect::<Map<_, _>>();
    }
    if let Some(required) = input.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name.as_str().is_none_or(is_kept));
    }
    input
}
