//! Compares the OpenAPI documents with the contracts, which are data: `contract/management.txt`,
//! `contract/analytics.txt`.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde_json::{Map, Value, json};
use sim_core::engine::Builder;
use sim_core::{Edition, Policy, Simulator};
use sim_fixtures::{Call, analytics};

use crate::support::on_every_backend;

const CONTRACT: &str = include_str!("contract/management.txt");
const ANALYTICS: &str = include_str!("contract/analytics.txt");
/// Operations that differ from the contract, each with its reason. This list may only shrink.
const EXCEPTIONS: &str = include_str!("contract/exceptions.txt");

/// Statuses that any operation may answer, even if the contract does not list them: credentials, input, plan,
/// state, limits.
const EVERYWHERE: [u16; 11] = [400, 401, 402, 403, 404, 406, 413, 415, 422, 429, 544];

#[test]
fn the_documents_are_what_the_contracts_say() {
    keeps(&first(Simulator::analytics()).openapi(), ANALYTICS, BTreeMap::new());
    keeps(&first(Simulator::builder()).openapi(), CONTRACT, exceptions().collect());
}

#[test]
fn the_analytics_server_answers_as_its_contract_says() {
    on_every_backend(analytics::one_source, |api| {
        let contract = Contract::parse(ANALYTICS);
        let mut token = String::new();
        for operation in &contract.operations {
            let reply = api.send(operation.call(&token));
            assert_eq!(reply.status, operation.success, "{}: {reply}", operation.title);
            if operation.answer != "-" {
                let problems = contract.misfits("answer", operation.answer, &reply.json());
                assert!(problems.is_empty(), "{}: {problems:?}", operation.title);
            }
            if operation.method == "POST" {
                token = reply.json()["token"].as_str().expect("a created object has a token").to_owned();
            }
            if operation.path.contains("{token}") {
                let nothing = api.send(operation.call("99999999-9999-4999-8999-999999999999"));
                assert_eq!(nothing.status, 404, "{}: {nothing}", operation.title);
            }
        }
    });
}

/// Compares `document` with `contract`, except for the `excepted` operations, each with its reason.
fn keeps(document: &Value, contract: &'static str, mut excepted: BTreeMap<&str, &str>) {
    let contract = Contract::parse(contract);
    let mut problems = Vec::new();
    for operation in &contract.operations {
        let found = contract.differences(operation, document);
        let key = format!("{} {}", operation.method, operation.path);
        match (found.is_empty(), excepted.remove(key.as_str())) {
            (true, Some(reason)) => {
                problems.push(format!("{key}: keeps to the contract, drop the exception {reason:?}"));
            }
            (false, None) => {
                problems.extend(found.iter().map(|one| format!("{key} ({}): {one}", operation.title)));
            }
            (true, None) | (false, Some(_)) => {}
        }
    }
    problems.extend(
        excepted.keys().map(|key| format!("{key}: excepted, but the contract has no such operation")),
    );
    assert!(problems.is_empty(), "{} differences:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn nothing_is_published_beyond_the_contracts() {
    is_all(&first(Simulator::analytics()).openapi(), ANALYTICS);
    is_all(&first(Simulator::builder()).openapi(), CONTRACT);
}

/// A world of the edition that the contracts describe.
fn first(builder: Builder) -> Simulator {
    builder.policy(Policy { edition: Edition::V2025_05, ..Policy::default() }).build()
}

/// Published in both editions, though the contract only speaks of its codes.
const CODES: (&str, &str) = ("/v1/oauth/authorize", "get");

/// Whether `contract` contains all of `document`.
fn is_all(document: &Value, contract: &'static str) {
    let contract = Contract::parse(contract);
    let known: BTreeSet<_> =
        contract.operations.iter().map(|one| (one.path, one.method.to_lowercase())).collect();
    for (path, methods) in document["paths"].as_object().expect("the document has paths") {
        for method in methods.as_object().expect("a path has methods").keys() {
            let is_known =
                known.contains(&(path.as_str(), method.clone())) || (path.as_str(), method.as_str()) == CODES;
            assert!(is_known, "{method} {path}");
        }
    }
}

fn exceptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = EXCEPTIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").expect("an exception has a reason"))
}

/// The parsed contract.
struct Contract {
    operations: Vec<Operation>,
    types: BTreeMap<&'static str, Vec<Field>>,
}

struct Operation {
    title: &'static str,
    method: &'static str,
    path: &'static str,
    query: Vec<Field>,
    body: Vec<Field>,
    success: u16,
    answer: &'static str,
    others: Vec<u16>,
}

#[derive(Clone)]
struct Field {
    name: &'static str,
    kind: &'static str,
    required: bool,
    deprecated: bool,
    /// Not in the document.
    extra: bool,
}

impl Contract {
    fn parse(text: &'static str) -> Contract {
        let lines = || text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let types = lines().filter_map(|line| line.strip_prefix("type ")?.split_once(" = "));
        Contract {
            operations: lines().filter(|line| line.contains(" | ")).map(Operation::parse).collect(),
            types: types.map(|(name, list)| (name, fields(list))).collect(),
        }
    }

    /// How the document differs from the contract's entry for `operation`.
    fn differences(&self, operation: &Operation, document: &Value) -> Vec<String> {
        let described = &document["paths"][operation.path][operation.method.to_lowercase()];
        if described.is_null() {
            return vec!["is not there".to_owned()];
        }
        let mut problems = operation.mark_differences(described);
        let parameters = described["parameters"].as_array().map_or(&[][..], Vec::as_slice);
        let (query, path): (Vec<_>, Vec<_>) = parameters.iter().partition(|one| one["in"] == "query");
        let path: BTreeSet<_> = path.iter().map(|one| one["name"].as_str().unwrap_or_default()).collect();
        let in_template: BTreeSet<_> =
            operation.path.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        if path != in_template {
            problems.push(format!("path parameters are {path:?}"));
        }
        let query: Vec<Seen<'_>> = query.into_iter().map(Seen::parameter).collect();
        compare_fields("query", &operation.query, &query, document, &mut problems);
        let body = Seen::body(described, document);
        // The contract lists no body if the service's document shows none.
        if !operation.body.is_empty() {
            compare_fields("body", &operation.body, &body, document, &mut problems);
        }
        self.compare_answer(operation, described, document, &mut problems);
        problems
    }

    fn compare_answer(
        &self,
        operation: &Operation,
        described: &Value,
        document: &Value,
        problems: &mut Vec<String>,
    ) {
        let answer = &described["responses"][operation.success.to_string()];
        if answer.is_null() {
            problems.push(format!("does not answer {}", operation.success));
            return;
        }
        let schema = &answer["content"]["application/json"]["schema"];
        match operation.answer {
            "-" if schema.is_null() => {}
            "-" => problems.push("the answer has a body".to_owned()),
            "object" if answer["content"].is_object() => {}
            kind => self.compare_type("answer", kind, schema, document, problems),
        }
    }

    /// How a value differs from the contract's type `kind`; unset fields are null.
    fn misfits(&self, at: &str, kind: &str, value: &Value) -> Vec<String> {
        if let Some(inner) = kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let Some(elements) = value.as_array() else { return vec![format!("{at} is no array: {value}")] };
            return elements.iter().flat_map(|element| self.misfits(at, inner, element)).collect();
        }
        if let Some(fields) = self.types.get(kind) {
            let none = Map::new();
            let object = value.as_object().unwrap_or(&none);
            let unknown = object.keys().filter(|name| fields.iter().all(|field| field.name != **name));
            let unknown = unknown.map(|name| format!("{at}.{name} is not in the contract"));
            let known = fields.iter().flat_map(|field| match object.get(field.name) {
                Some(value) => self.misfits(&format!("{at}.{}", field.name), field.kind, value),
                None if field.extra => Vec::new(),
                None => vec![format!("{at}.{} is missing", field.name)],
            });
            return unknown.chain(known).collect();
        }
        let fits = match kind {
            "string" | "enum" => value.is_string(),
            "integer" => value.is_i64(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            other => panic!("{other} is not a type"),
        };
        if fits || value.is_null() { Vec::new() } else { vec![format!("{at} is no {kind}: {value}")] }
    }

    /// Compares `schema` with the contract's type `kind`, field by field.
    fn compare_type(
        &self,
        at: &str,
        kind: &str,
        schema: &Value,
        document: &Value,
        problems: &mut Vec<String>,
    ) {
        let schema = resolve(schema, document);
        if let Some(inner) = kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let items = &schema["items"];
            if items.is_null() {
                problems.push(format!("{at} is no array"));
            } else {
                self.compare_type(at, inner, items, document, problems);
            }
            return;
        }
        let Some(fields) = self.types.get(kind) else {
            if !is_kind(kind, schema, document) {
                problems.push(format!("{at} is no {kind}: {schema}"));
            }
            return;
        };
        let none = serde_json::Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        for field in fields {
            let at = format!("{at}.{}", field.name);
            match properties.get(field.name) {
                Some(schema) => self.compare_type(&at, field.kind, schema, document, problems),
                None if field.extra => {}
                None => problems.push(format!("{at} is missing")),
            }
        }
        for name in properties.keys().filter(|name| fields.iter().all(|field| field.name != **name)) {
            problems.push(format!("{at}.{name} is not in the contract"));
        }
    }
}

impl Operation {
    fn parse(line: &'static str) -> Operation {
        let columns: Vec<_> = line.split('|').map(str::trim).collect();
        let [title, place, parts, success, others] = columns[..] else { panic!("five columns: {line}") };
        let (method, path) = place.split_once(' ').expect("a method and a path");
        let (code, answer) = success.split_once(' ').expect("a code and a type");
        let part = |name: &str| {
            let found = parts.split(';').find_map(|part| part.trim().strip_prefix(name));
            found.map(fields).unwrap_or_default()
        };
        Operation {
            title,
            method,
            path,
            query: part("query "),
            body: part("body "),
            success: code.parse().expect("a code is a number"),
            answer,
            others: others.split_whitespace().map(|code| code.parse().expect("a code is a number")).collect(),
        }
    }

    /// A valid call of the operation, about the thing with that token if it takes one.
    fn call(&self, token: &str) -> Call {
        let method = Method::from_bytes(self.method.as_bytes()).expect("the contract names methods");
        let call = Call::new(method, &self.path.replace("{token}", token));
        let required = self.body.iter().filter(|field| field.required);
        let body: Map<_, _> = required
            .map(|field| {
                let value = if field.name == "query" { "select id from gateway" } else { "x" };
                (field.name.to_owned(), json!(value))
            })
            .collect();
        if body.is_empty() { call } else { call.json(Value::Object(body)) }
    }

    fn mark_differences(&self, described: &Value) -> Vec<String> {
        let mut problems = Vec::new();
        for (mark, key) in [("(beta)", "x-beta"), ("(deprecated)", "deprecated")] {
            if self.title.contains(mark) != (described[key] == true) {
                problems.push(format!("{key} is {}", described[key]));
            }
        }
        let none = serde_json::Map::new();
        let responses = described["responses"].as_object().unwrap_or(&none);
        let answered: BTreeSet<u16> = responses.keys().filter_map(|code| code.parse().ok()).collect();
        for code in self.others.iter().filter(|code| !answered.contains(code)) {
            problems.push(format!("does not answer {code}"));
        }
        let unexpected =
            |code: &&u16| **code != self.success && !self.others.contains(code) && !EVERYWHERE.contains(code);
        for code in answered.iter().filter(unexpected) {
            problems.push(format!("answers {code}, which is not in the contract"));
        }
        problems
    }
}

fn fields(list: &'static str) -> Vec<Field> {
    list.split_whitespace()
        .map(|word| {
            let (name, kind) = word.split_once(':').expect("a field has a type");
            Field {
                name: name.trim_start_matches('+'),
                extra: name.starts_with('+'),
                kind: kind.trim_end_matches(['!', '~']),
                required: kind.ends_with('!'),
                deprecated: kind.ends_with('~'),
            }
        })
        .collect()
}

/// A field in the form of the document.
struct Seen<'d> {
    name: &'d str,
    schema: &'d Value,
    required: bool,
}

impl<'d> Seen<'d> {
    fn parameter(parameter: &'d Value) -> Seen<'d> {
        let name = parameter["name"].as_str().unwrap_or_default();
        Seen { name, schema: &parameter["schema"], required: parameter["required"] == true }
    }

    fn body(described: &'d Value, document: &'d Value) -> Vec<Seen<'d>> {
        let content = described["requestBody"]["content"].as_object();
        let Some(media) = content.and_then(|content| content.values().next()) else { return Vec::new() };
        let schema = resolve(&media["schema"], document);
        let is_required =
            |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.map(|(name, schema)| Seen { name, schema, required: is_required(name) }).collect()
    }
}

fn compare_fields(
    at: &str,
    wanted: &[Field],
    seen: &[Seen<'_>],
    document: &Value,
    problems: &mut Vec<String>,
) {
    for field in wanted {
        let Some(found) = seen.iter().find(|one| one.name == field.name) else {
            if !field.extra {
                problems.push(format!("{at} {} is missing", field.name));
            }
            continue;
        };
        if !is_kind(field.kind, found.schema, document) {
            problems.push(format!("{at} {} is no {}: {}", field.name, field.kind, found.schema));
        }
        if field.required != found.required {
            problems.push(format!("{at} {}: required is {}", field.name, found.required));
        }
        if field.deprecated != (found.schema["deprecated"] == true) {
            problems.push(format!("{at} {}: deprecated is {}", field.name, found.schema["deprecated"]));
        }
    }
    for extra in seen.iter().filter(|one| wanted.iter().all(|field| field.name != one.name)) {
        problems.push(format!("{at} {} is not in the contract", extra.name));
    }
}

/// Whether a schema has a plain type; an enum is a string with members.
fn is_kind(kind: &str, schema: &Value, document: &Value) -> bool {
    let schema = resolve(schema, document);
    let is_type = |name: &str| match &schema["type"] {
        Value::Array(all) => all.iter().any(|one| one == name),
        one => one == name,
    };
    if let Some(inner) = kind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return is_type("array") && is_kind(inner, &schema["items"], document);
    }
    match kind {
        "enum" => schema["enum"].is_array() || schema["const"].is_string(),
        "{}" => is_type("object") && schema["properties"].as_object().is_none_or(serde_json::Map::is_empty),
        "integer" => is_type("integer"),
        other => is_type(other),
    }
}

/// Follows a reference; of alternatives takes the one that is not `null`.
fn resolve<'d>(schema: &'d Value, document: &'d Value) -> &'d Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let found = document.pointer(reference.trim_start_matches('#')).expect("references lead somewhere");
        return resolve(found, document);
    }
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    match alternatives.into_iter().find(|one| one["type"] != "null") {
        Some(real) => resolve(real, document),
        None => schema,
    }
}
