//! Examples in OpenAPI documents, derived from the schemas of requests and answers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value, json};
use sim_base::schema::IGNORED;

/// Adds an example to each parameter, request body and success of a document that has none.
///
/// ```
/// use sim_core::Simulator;
///
/// let document = Simulator::builder().build().openapi();
/// let create = &document["paths"]["/v1/projects"]["post"];
/// assert_eq!(create["requestBody"]["content"]["application/json"]["example"]["name"], "demo");
/// ```
pub fn add_examples(document: &mut Value) {
    let schemas = document["components"]["schemas"].take();
    let examples = Examples { schemas: &schemas, patterns: RefCell::default() };
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    for operation in paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        examples.add(operation);
    }
    document["components"]["schemas"] = schemas;
}

/// Texts by the name of their field, before those that suit any field.
const BY_NAME: [(&str, &str); 18] = [
    ("branch_name", "develop"),
    ("db_pass", "correct horse battery"),
    ("event_message", "GET /v1/projects 200"),
    ("git_branch", "develop"),
    ("ip_address", "192.0.2.1"),
    ("message", "It is done"),
    ("method", "POST"),
    ("name", "demo"),
    ("operation", "v1-list-all-projects"),
    ("organization_id", "acme"),
    ("organization_slug", "acme"),
    ("path", "/v1/projects"),
    ("query", "select 1"),
    ("region", "us-east-1"),
    ("slug", "acme"),
    ("sql", "select 1"),
    ("target", "/v1/projects"),
    ("to", "main"),
];

/// Texts by the end of the name of their field.
const BY_END: [(&str, &str); 4] = [
    ("_at", "2026-01-01T00:00:00Z"),
    ("email", "user@example.com"),
    ("uri", "https://example.com/hook"),
    ("url", "https://example.com/hook"),
];

/// Texts by their format.
const BY_FORMAT: [(&str, &str); 8] = [
    ("date", "2026-01-01"),
    ("date-time", "2026-01-01T00:00:00Z"),
    ("email", "user@example.com"),
    ("ip", "192.0.2.1"),
    ("ipv4-cidr", "192.0.2.0/24"),
    ("ipv6-cidr", "2001:db8::/32"),
    ("uri", "https://example.com/hook"),
    ("uuid", "3f8b5f6e-0d4c-4a55-9a0e-8a8c2f0b7f11"),
];

/// Texts of which one matches each pattern in use.
const ANY: [&str; 14] = [
    "text",
    "abcdefghijklmnopqrst",
    "64MB",
    "30s",
    "1",
    "123456789012",
    "https://example.com/hook",
    "user@example.com",
    "app.example.com",
    "1234567890=123456",
    "09:30:00",
    "192.0.2.1",
    "v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
];

/// Objects inside others, to which examples go.
const DEPTH: usize = 12;

struct Examples<'s> {
    schemas: &'s Value,
    /// Compiled patterns: the same few are in many schemas.
    patterns: RefCell<BTreeMap<String, Option<Regex>>>,
}

impl Examples<'_> {
    fn add(&self, operation: &mut Value) {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            self.fill(parameter, &name);
        }
        self.fill_content(operation.get_mut("requestBody"));
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (_, success) in responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2')) {
            self.fill_content(Some(success));
        }
    }

    fn fill_content(&self, holder: Option<&mut Value>) {
        let content = holder.and_then(|holder| holder.get_mut("content")).and_then(Value::as_object_mut);
        for (_, media) in content.into_iter().flatten() {
            if media["schema"]["format"] != "binary" {
                self.fill(media, "");
            }
        }
    }

    /// Gives a parameter or a content an example of its schema.
    fn fill(&self, holder: &mut Value, name: &str) {
        if holder.get("example").is_none() {
            let any = json!({});
            holder["example"] = self.value(holder.get("schema").unwrap_or(&any), name, DEPTH);
        }
    }

    fn value(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let schema = self.flat(schema, DEPTH);
        let given =
            ["const", "default"].into_iter().filter_map(|key| schema.get(key)).find(|one| !one.is_null());
        let first = || schema.get("enum")?.as_array()?.iter().find(|one| !one.is_null());
        if let Some(value) = given.or_else(first) {
            return value.clone();
        }
        match kind(&schema) {
            "string" => self.text(&schema, name).into(),
            "integer" | "number" => number(&schema),
            "boolean" => true.into(),
            "null" => Value::Null,
            "array" if depth > 0 && schema.get("items").is_some() => {
                let item = |place: u64| distinct(self.value(&schema["items"], name, depth - 1), place);
                (0..schema["minItems"].as_u64().unwrap_or(1).max(1)).map(item).collect()
            }
            "array" => json!([]),
            _ if depth > 0 => self.object(&schema, depth),
            _ => json!({}),
        }
    }

    /// The required fields; where none is required, the first one.
    fn object(&self, schema: &Value, depth: usize) -> Value {
        let Some(fields) = schema["properties"].as_object() else { return json!({}) };
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let is_offered = |field: &Value| {
            field["deprecated"] != true && ["x-hidden", IGNORED].iter().all(|mark| field.get(mark).is_none())
        };
        let first = fields.iter().find(|(_, field)| required.is_empty() && is_offered(field));
        let all = fields.iter().filter(|(name, _)| required.contains(&&***name)).chain(first);
        all.map(|(name, field)| (name.clone(), self.value(field, name, depth - 1))).collect()
    }

    /// A schema with references replaced and with the first of its alternatives.
    fn flat(&self, schema: &Value, depth: usize) -> Value {
        let mut flat = schema.clone();
        let Some(object) = flat.as_object_mut().filter(|_| depth > 0) else { return flat };
        let mut parts = Vec::new();
        if let Some(Value::String(at)) = object.shift_remove("$ref") {
            let name = at.rsplit('/').next().unwrap_or_default();
            parts.push(self.schemas[name].clone());
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(ways)) = object.shift_remove(key) {
                parts.extend(ways.into_iter().find(|way| way["type"] != "null"));
            }
        }
        if let Some(Value::Array(all)) = object.shift_remove("allOf") {
            parts.extend(all);
        }
        for part in parts {
            merge(&mut flat, self.flat(&part, depth - 1));
        }
        flat
    }

    fn text(&self, schema: &Value, name: &str) -> String {
        let find = |table: &'static [(&str, &'static str)], wanted: &str| {
            table.iter().find(|(key, _)| *key == wanted).map(|(_, text)| *text)
        };
        let format = schema["format"].as_str().unwrap_or_default();
        let end = BY_END.iter().find(|(end, _)| name.ends_with(end)).map(|(_, text)| *text);
        let known = find(&BY_FORMAT, format).into_iter().chain(find(&BY_NAME, name)).chain(end).chain(ANY);
        let long = "a".repeat(usize::try_from(schema["minLength"].as_u64().unwrap_or(1)).unwrap_or(1));
        let mut known = known.chain([&*long]).filter(|text| self.fits(schema, text));
        known.next().unwrap_or_default().to_owned()
    }

    fn fits(&self, schema: &Value, text: &str) -> bool {
        let length = text.chars().count() as u64;
        let bounds =
            schema["minLength"].as_u64().unwrap_or(0)..=schema["maxLength"].as_u64().unwrap_or(u64::MAX);
        bounds.contains(&length)
            && schema["pattern"].as_str().is_none_or(|pattern| self.matches(pattern, text))
    }

    fn matches(&self, pattern: &str, text: &str) -> bool {
        let mut patterns = self.patterns.borrow_mut();
        let compiled = patterns.entry(pattern.to_owned()).or_insert_with(|| Regex::new(pattern).ok());
        compiled.as_ref().is_some_and(|pattern| pattern.is_match(text))
    }
}

/// The type of a schema, the first that is not null. Without one, that of an object.
fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(name) => name,
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("object")
        }
        _ => "object",
    }
}

fn number(schema: &Value) -> Value {
    let least = schema["minimum"].as_f64().unwrap_or(1.0);
    let most = schema["maximum"].as_f64().unwrap_or(f64::MAX);
    let limit = if least > 1.0 { "minimum" } else { "maximum" };
    if (least..=most).contains(&1.0) { 1.into() } else { schema[limit].clone() }
}

/// Items of a list that needs several are different.
fn distinct(item: Value, place: u64) -> Value {
    match item {
        Value::String(text) if place > 0 => format!("{text}{place}").into(),
        item => item,
    }
}

/// Adds to a schema what another one says: fields and required names in addition, everything else if it is not there.
fn merge(schema: &mut Value, other: Value) {
    let (Some(schema), Value::Object(other)) = (schema.as_object_mut(), other) else { return };
    for (key, value) in other {
        match (schema.get_mut(&key), value) {
            (Some(Value::Object(fields)), Value::Object(more)) if key == "properties" => {
                for (name, field) in more {
                    let own = fields.entry(name).or_insert_with(|| json!({}));
                    merge(own, field);
                }
            }
            (Some(Value::Array(names)), Value::Array(more)) if key == "required" => names.extend(more),
            (Some(_), _) => {}
            (None, value) => {
                schema.insert(key, value);
            }
        }
    }
}
