//! Read, modify, write: settings that are written back as they were read stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use serde_json::{Map, Value, json};
use sim_core::engine::fault::SetFaults;
use sim_core::{Edition, Policy, Simulator};
use sim_fixtures::{Call, Reply, everything};

use super::reasons::written_down;
use super::samples::{Sample, Samples, reply, samples_in};
use super::shape::{alternatives, resolve};
use super::{Shown, body_schema, first_schema, success};

/// Resources of an edition that can be read and written at one path: those whose writes take an object.
fn writers<'s>(samples: &'s Samples, shown: &Shown) -> Vec<(&'s str, &'s [Sample])> {
    let writes = samples.iter().filter(|(operation, _)| !operation.starts_with("GET "));
    let pairs = writes.filter_map(|(operation, samples)| {
        let (method, path) = operation.split_once(' ')?;
        let read = shown.operations.get(&format!("GET {path}"))?;
        let is_kept = ["PUT", "PATCH", "POST"].contains(&method)
            && !body_schema(&shown.operations[operation]).is_null();
        // A POST beside a list of things makes another one.
        let is_list = is_list(&shown.document, first_schema(&success(&Value::Null, read)?["content"]));
        (is_kept && !(method == "POST" && is_list)).then_some((operation.as_str(), samples.as_slice()))
    });
    pairs.collect()
}

fn is_list(document: &Value, schema: &Value) -> bool {
    let schema = resolve(document, schema).0;
    let fields = || schema["properties"].as_object().into_iter().flatten();
    schema["type"] == "array"
        || fields().any(|(_, field)| resolve(document, field).0["type"] == "array" && fields().count() < 3)
}

/// What `schema` knows of `value`; `None` if it does not take it.
fn known(document: &Value, schema: &Value, value: &Value) -> Option<Value> {
    let (schema, null) = resolve(document, schema);
    match value {
        Value::Null => null.then_some(Value::Null),
        // Shown in another form than it is written in.
        Value::Object(_) | Value::Array(_) if is_text(schema) => None,
        Value::Object(fields) => {
            let all = std::iter::once(schema)
                .chain(alternatives(schema).into_iter().map(|one| resolve(document, one).0));
            let properties: Vec<_> = all.filter_map(|one| one["properties"].as_object()).collect();
            if properties.is_empty() {
                return Some(value.clone());
            }
            let field = |name: &String| properties.iter().find_map(|one| one.get(name));
            let fields = fields
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), known(document, field(name)?, value)?)));
            Some(Value::Object(fields.collect()))
        }
        Value::Array(items) => items.iter().map(|item| known(document, &schema["items"], item)).collect(),
        other => Some(other.clone()),
    }
}

fn is_text(schema: &Value) -> bool {
    schema["type"] == "string" || schema["type"][0] == "string"
}

/// Values of a field to try, the first that is taken is kept.
fn values(document: &Value, schema: &Value) -> Vec<Value> {
    let schema = resolve(document, schema).0;
    if let Some(members) = schema["enum"].as_array() {
        return members.iter().rev().cloned().collect();
    }
    match schema["type"].as_str().or(schema["type"][0].as_str()).unwrap_or_default() {
        "boolean" => vec![json!(true)],
        "integer" | "number" => vec![json!(7), schema["minimum"].clone(), schema["maximum"].clone()],
        "string" => {
            let hook = format!("v1,whsec_{}", "A".repeat(32));
            let texts = ["https://a.example/b", &hook, "a secret of some length", "ab:cd", "15s", "12MB"];
            texts.map(Value::from).into()
        }
        "object" => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields =
                fields.map(|(name, field)| Some((name.clone(), values(document, field).first()?.clone())));
            fields.collect::<Option<Map<_, _>>>().map(Value::Object).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Sets every setting that takes one of the values, secrets and hooks too, and gives the world after it.
fn filled(sample: &Sample, document: &Value, schema: &Value) -> Simulator {
    let mut world = sample.before.fork();
    // Rules of the history would strike the reads.
    world.as_admin().call(SetFaults { rules: Vec::new() }).expect("rules can be taken away");
    let mut body = sample.what.body().clone();
    let fields = resolve(document, schema).0["properties"].as_object();
    for (name, field) in fields.into_iter().flatten() {
        for value in values(document, field).into_iter().filter(|value| !value.is_null()) {
            let mut tried = world.fork();
            let mut more = body.clone();
            more[name] = value;
            if reply(&mut tried, sample.call(sample.what.clone().with(more.clone()))).status < 300 {
                (world, body) = (tried, more);
                break;
            }
        }
    }
    world
}

/// Members that tell of the last change: when it was, and whose.
const LAST_CHANGE: [&str; 6] =
    ["updated_at", "updated_by", "applied_at", "last_modified_at", "history", "now"];

/// A value without what it tells of its last change.
fn timeless(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !LAST_CHANGE.contains(&name.as_str()));
            fields.values_mut().for_each(|one| *one = timeless(one.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|one| *one = timeless(one.take())),
        _ => {}
    }
    value
}

/// What a world shows.
fn state(sim: &Simulator) -> Value {
    timeless(everything(sim))
}

/// The places where two values differ.
fn differences(before: &Value, after: &Value, at: &str, found: &mut BTreeSet<String>) {
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            let names: BTreeSet<_> = left.keys().chain(right.keys()).collect();
            for name in names {
                differences(&before[name], &after[name], &format!("{at}.{name}"), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                differences(left, right, &format!("{at}.{index}"), found);
            }
        }
        _ if before == after => {}
        _ => {
            found.insert(format!("{at} was {before}, is {after}"));
        }
    }
}

/// How many members were written back, and what that changed.
fn round_trip(operation: &str, sample: &Sample, shown: &Shown) -> (usize, BTreeSet<String>) {
    let alone = |line: String| BTreeSet::from([format!("{operation} {line}")]);
    let schema = body_schema(&shown.operations[operation]);
    let mut world = filled(sample, &shown.document, schema);
    let read = |world: &mut Simulator| -> Reply {
        let written = sample.call(sample.what.clone());
        let get = Call { method: http::Method::GET, body: Bytes::new(), headers: Vec::new(), ..written };
        reply(world, get)
    };
    let before = read(&mut world);
    if before.status != 200 {
        return (0, alone(format!("can't be read: {before}")));
    }
    let was = state(&world);
    let before = before.json();
    let back = known(&shown.document, schema, before.get(0).unwrap_or(&before)).unwrap_or(json!({}));
    let members = back.as_object().map_or(1, Map::len);
    let answer = reply(&mut world, sample.call(sample.what.clone().with(back)));
    if answer.status >= 300 {
        return (members, alone(format!("is refused: {answer}")));
    }
    let mut places = BTreeSet::new();
    let after = timeless(read(&mut world).json());
    differences(&timeless(before), &after, "shown", &mut places);
    differences(&was, &state(&world), "world", &mut places);
    (members, places.into_iter().map(|place| format!("{operation} {place}")).collect())
}

fn settings_stay(edition: Edition) {
    // Projects of branches are written like others, so they must be readable too.
    let policy = Policy { edition, show_branch_projects: true, ..Policy::default() };
    let (shown, samples) = (Shown::of(edition), samples_in(&policy, |_, _| {}));
    let mut found = BTreeSet::new();
    let mut members = BTreeMap::new();
    for (operation, samples) in writers(&samples, &shown) {
        // In some states a setting is out of reach.
        let trips = samples.iter().map(|sample| round_trip(operation, sample, &shown));
        let best = trips.min_by_key(|(members, problems)| (problems.len(), usize::MAX - members));
        let (written, problems) = best.expect("a sample is kept");
        members.insert(operation, written);
        found.extend(problems);
    }
    println!(
        "{edition}: {} settings of {} resources written back",
        members.values().sum::<usize>(),
        members.len()
    );
    written_down("round-trips", edition, &found);
}

#[test]
fn settings_of_the_newest_edition_that_are_written_back_stay_as_they_are() {
    settings_stay(Edition::V2026_11);
}

#[test]
fn settings_of_the_first_edition_that_are_written_back_stay_as_they_are() {
    settings_stay(Edition::V2025_05);
}
