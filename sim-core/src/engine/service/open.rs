//! Enums that are open: answers may have members that the edition does not list. What requests may have stays closed.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Prefix of the named schemas that answers have in the place of those that requests have as well.
const SHOWN: &str = "Shown";

/// The mark of an enum or a field whose values are all known, although there are several.
pub(super) const CLOSED: &str = "x-closed";

/// The mark of an enum of a single member that is open.
pub(super) const OPEN: &str = "x-open";

/// Members that the edition does not list.
fn further() -> Value {
    json!({ "type": "string", "description": "A value of a later edition." })
}

/// Whether the alternative stands for the members that the edition does not list.
pub(super) fn is_further(schema: &Value) -> bool {
    schema["type"] == "string" && *schema == further()
}

/// The schemas of answers with open enums.
pub(super) struct Open<'d> {
    definitions: &'d Map<String, Value>,
    /// Names of schemas that requests use, so that answers need another one.
    kept: BTreeSet<&'d str>,
}

impl<'d> Open<'d> {
    /// `requests` are the schemas of requests; they and what they refer to stay as they are.
    pub(super) fn new(
        definitions: &'d Map<String, Value>,
        requests: impl Iterator<Item = &'d Value>,
    ) -> Open<'d> {
        let mut kept = BTreeSet::new();
        requests.for_each(|schema| reach(schema, definitions, &mut kept));
        Open { definitions, kept }
    }

    /// The named schemas, for requests and for answers.
    pub(super) fn definitions(&self) -> Map<String, Value> {
        let mut all = Map::new();
        for (name, schema) in self.definitions {
            if !self.kept.contains(name.as_str()) && !is_enum(schema) {
                all.insert(name.clone(), self.open(schema));
                continue;
            }
            all.insert(name.clone(), schema.clone());
            if self.is_forked(name) {
                all.insert(format!("{SHOWN}{name}"), self.open(schema));
            }
        }
        all
    }

    /// The schema of an answer.
    pub(super) fn open(&self, schema: &Value) -> Value {
        match schema {
            Value::Object(object) if !object.contains_key(CLOSED) => match self.referred(object) {
                Some((_, named)) if is_enum(named) => or_further(object),
                Some((name, _)) if self.is_forked(name) => {
                    let mut object = object.clone();
                    object.insert("$ref".to_owned(), format!("#/components/schemas/{SHOWN}{name}").into());
                    Value::Object(object)
                }
                Some(_) => schema.clone(),
                None if is_enum(schema) => or_further(object),
                None => {
                    let inner = |(key, value): (&String, &Value)| match value.as_array() {
                        Some(all) if key == "oneOf" => (key.clone(), self.exclusive(all)),
                        _ => (key.clone(), self.open(value)),
                    };
                    Value::Object(object.iter().map(inner).collect())
                }
            },
            Value::Array(list) => list.iter().map(|one| self.open(one)).collect(),
            _ => schema.clone(),
        }
    }

    /// Alternatives that exclude each other: texts among them stay those that are listed.
    fn exclusive(&self, alternatives: &[Value]) -> Value {
        let is_text = |one: &Value| {
            is_enum(one)
                || one.as_object().and_then(|one| self.referred(one)).is_some_and(|(_, named)| is_enum(named))
        };
        alternatives.iter().map(|one| if is_text(one) { one.clone() } else { self.open(one) }).collect()
    }

    /// Whether requests use a named schema that is different in answers.
    fn is_forked(&self, name: &str) -> bool {
        self.kept.contains(name)
            && self
                .definitions
                .get(name)
                .is_some_and(|schema| !is_enum(schema) && self.has_enum(schema, &mut BTreeSet::from([name])))
    }

    /// Whether an answer of that schema has an open enum. What refers to itself is looked at once.
    fn has_enum<'s>(&'s self, schema: &'s Value, seen: &mut BTreeSet<&'s str>) -> bool {
        match schema {
            Value::Object(object) if !object.contains_key(CLOSED) => match self.referred(object) {
                Some((name, named)) => is_enum(named) || (seen.insert(name) && self.has_enum(named, seen)),
                None => is_enum(schema) || object.values().any(|value| self.has_enum(value, seen)),
            },
            Value::Array(list) => list.iter().any(|one| self.has_enum(one, seen)),
            _ => false,
        }
    }

    fn referred<'s>(&'s self, object: &'s Map<String, Value>) -> Option<(&'s str, &'s Value)> {
        let name = object.get("$ref")?.as_str()?.rsplit('/').next()?;
        Some((name, self.definitions.get(name)?))
    }
}

/// Whether the schema is that of an open enum: one that lists several texts. A single one tells the type of a thing.
fn is_enum(schema: &Value) -> bool {
    let members = schema["enum"].as_array().into_iter().flatten();
    let is_open = schema.get(OPEN).is_some() || members.filter(|one| one.is_string()).count() > 1;
    is_open && schema.get(CLOSED).is_none()
}

/// That schema, or any other text. The texts about it stay outside.
fn or_further(object: &Map<String, Value>) -> Value {
    let mut listed = object.clone();
    let mut open = Map::new();
    for key in ["description", "default", "x-since", "x-until"] {
        open.extend(listed.shift_remove(key).map(|value| (key.to_owned(), value)));
    }
    open.insert("anyOf".to_owned(), json!([listed, further()]));
    open.into()
}

/// Notes the names of all schemas that one refers to.
fn reach<'d>(schema: &'d Value, definitions: &'d Map<String, Value>, found: &mut BTreeSet<&'d str>) {
    match schema {
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str).and_then(|at| at.rsplit('/').next());
            if let Some((name, schema)) = name.and_then(|name| Some((name, definitions.get(name)?)))
                && found.insert(name)
            {
                reach(schema, definitions, found);
            }
            object.values().for_each(|one| reach(one, definitions, found));
        }
        Value::Array(list) => list.iter().for_each(|one| reach(one, definitions, found)),
        _ => {}
    }
}
