//! Settings: each value that an edition allows is taken and shown again, each that it forbids is refused by name.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};
use sim_core::Edition;
use sim_fixtures::{Api as _, Call, InProcess, Reply, Scene};

use super::reasons::VALUES;
use super::{Published, nameless};
use crate::steps::under;
use crate::support::held;

/// Settings: how to change them, and where they are shown.
const SETTINGS: [(Method, &str); 7] = [
    (Method::PATCH, "/v1/projects/{ref}/config/auth"),
    (Method::PUT, "/v1/projects/{ref}/config/database/postgres"),
    (Method::PATCH, "/v1/projects/{ref}/config/database/postgres"),
    (Method::PATCH, "/v1/projects/{ref}/config/storage"),
    (Method::PATCH, "/v1/projects/{ref}/config/realtime"),
    (Method::PATCH, "/v1/projects/{ref}/postgrest"),
    (Method::PATCH, "/v1/projects/{ref}/config/database/pooler"),
];

#[test]
fn values_of_the_newest_edition_are_taken_or_refused() {
    values(Edition::V2026_11);
}

#[test]
fn values_of_the_first_edition_are_taken_or_refused() {
    values(Edition::V2025_05);
}

/// The values that were sent, and those without effect.
#[derive(Default)]
struct Counts {
    allowed: usize,
    forbidden: usize,
    problems: BTreeSet<String>,
}

fn values(edition: Edition) {
    let scene = under(|policy| policy.edition = edition);
    let published = Published::read(edition);
    let mut counts = Counts::default();
    for (method, path) in SETTINGS {
        let theirs =
            &published.0.get(&format!("{method} {}", nameless(path))).unwrap_or(&Value::Null)["body"];
        for (name, field) in theirs["f"].as_object().into_iter().flatten() {
            fields(&scene, &method, path, &[name.as_str()], field, &mut counts);
        }
    }
    println!(
        "{edition}: {} allowed and {} forbidden values sent, {} problems",
        counts.allowed,
        counts.forbidden,
        counts.problems.len()
    );
    let text: String = counts.problems.iter().map(|line| format!("{line}\n")).collect();
    held(&format!("tests/conformance/values-{edition}.txt"), &text);
    let no_reason = |line: &&String| !VALUES.iter().any(|(part, _)| line.contains(part));
    let silent: Vec<_> = counts.problems.iter().filter(no_reason).collect();
    assert!(silent.is_empty(), "they have no reason: {silent:#?}");
}

fn fields(scene: &Scene, method: &Method, path: &str, at: &[&str], field: &Value, counts: &mut Counts) {
    for (name, inner) in field["f"].as_object().into_iter().flatten() {
        fields(scene, method, path, &[at, &[name.as_str()]].concat(), inner, counts);
    }
    if field["f"].is_object() {
        return;
    }
    let what = |value: &Value| format!("{method} {path} {}={value}", at.join("."));
    let (allowed, forbidden) = (allowed(field), forbidden(field));
    for value in &allowed {
        counts.allowed += 1;
        let mut api = fork(scene);
        let reply = send(&mut api, method, path, at, value);
        if !(200..300).contains(&reply.status) {
            counts.problems.insert(format!(
                "{}: refused with {} {}",
                what(value),
                reply.status,
                reply.reason()
            ));
            continue;
        }
        let mut shown = api.get(path).json();
        // A list of entrances shows the settings in each.
        shown = shown.get(0).cloned().unwrap_or(shown);
        let shown = at.iter().fold(&shown, |value, name| &value[*name]);
        if shown != value && !value.is_null() {
            counts.problems.insert(format!("{}: shown as {shown}", what(value)));
        }
    }
    for value in &forbidden {
        counts.forbidden += 1;
        let reply = send(&mut fork(scene), method, path, at, value);
        if reply.status != 400 {
            counts.problems.insert(format!("{}: answered with {}", what(value), reply.status));
        } else if !reply.json().to_string().contains(at[at.len() - 1]) {
            counts.problems.insert(format!("{}: the refusal does not name it", what(value)));
        }
    }
}

fn fork(scene: &Scene) -> InProcess {
    InProcess::new(Scene { sim: scene.sim.fork(), project: scene.project.clone() })
}

fn send(api: &mut InProcess, method: &Method, path: &str, at: &[&str], value: &Value) -> Reply {
    let body = at.iter().rev().fold(value.clone(), |inner, name| json!({ *name: inner }));
    api.send(Call::new(method.clone(), path).json(body))
}

/// Members, bounds, both flags, and `null` where it is allowed.
fn allowed(field: &Value) -> Vec<Value> {
    let mut all = match field["t"].as_str().unwrap_or_default() {
        "enum" => field["e"].as_array().cloned().unwrap_or_default(),
        "boolean" => vec![json!(true), json!(false)],
        "integer" | "number" => {
            [&field["ge"], &field["le"]].into_iter().filter(|bound| !bound.is_null()).cloned().collect()
        }
        _ => Vec::new(),
    };
    all.extend((field["nullable"] == true).then_some(Value::Null));
    all
}

/// A value of another type, no member, beyond the bounds, and `null` where it is not allowed.
fn forbidden(field: &Value) -> Vec<Value> {
    let kind = field["t"].as_str().unwrap_or_default();
    let mut all = match kind {
        "enum" => vec![json!("no such member"), json!(7)],
        "boolean" => vec![json!("perhaps")],
        "integer" | "number" => {
            let beyond = |bound: &Value, step: i64| Some(json!(bound.as_i64()?.checked_add(step)?));
            let mut all = vec![json!("many")];
            all.extend(beyond(&field["ge"], -1));
            all.extend(beyond(&field["le"], 1));
            all
        }
        "string" => vec![json!(7)],
        "array" => vec![json!("one")],
        _ => return Vec::new(),
    };
    all.extend((field["nullable"] != true).then_some(Value::Null));
    all
}
