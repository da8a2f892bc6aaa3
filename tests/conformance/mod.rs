//! Compares the API as published by the service, in the recorded editions, with the document of a world.
//!
//! An edition file has one operation per line; a `.txt` next to it lists all remaining differences. The test compares that list
//! with the differences found, so a difference can only disappear, or be added to the list with its reason in `reasons.rs`.

mod answers;
mod effects;
mod reasons;
mod round_trip;
mod samples;
mod shape;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};
use sim_core::Edition;

use self::reasons::REASONS;
use self::shape::{Side, compare};
use crate::steps::under;
use crate::support::held;

/// An edition as published.
struct Published(Map<String, Value>);

impl Published {
    fn read(edition: Edition) -> Published {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("conformance/{edition}.json"));
        let text = std::fs::read_to_string(&path).expect("the edition is on file");
        Published(serde_json::from_str(&text).expect("it is a JSON object"))
    }
}

/// A world's document, by method and path with parameters without their names: `GET /v1/projects/{}`.
struct Shown {
    document: Value,
    operations: BTreeMap<String, Value>,
}

impl Shown {
    fn of(edition: Edition) -> Shown {
        let document = under(|policy| policy.edition = edition).sim.openapi();
        let mut operations = BTreeMap::new();
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, one) in methods.as_object().into_iter().flatten() {
                operations.insert(format!("{} {}", method.to_uppercase(), nameless(path)), one.clone());
            }
        }
        Shown { document, operations }
    }
}

/// A path whose parameters have no names.
fn nameless(path: &str) -> String {
    let words = path.split('/').map(|word| if word.starts_with('{') { "{}" } else { word });
    words.collect::<Vec<_>>().join("/")
}

/// Every difference between the edition on file and the document of a world that speaks it, one a line.
fn differences(edition: Edition) -> BTreeSet<String> {
    let (published, shown) = (Published::read(edition), Shown::of(edition));
    let mut found = BTreeSet::new();
    for (operation, theirs) in &published.0 {
        let Some(ours) = shown.operations.get(operation) else {
            found.insert(format!("{operation}: there is no such operation"));
            continue;
        };
        let mut add = |line: String| {
            found.insert(format!("{operation} {line}"));
        };
        let (id, own_id) = (theirs["op"].as_str(), ours["operationId"].as_str());
        if id != own_id {
            let text = |id: Option<&str>| id.unwrap_or_default().to_owned();
            add(format!("id: is {} there, {} here", text(id), text(own_id)));
        }
        query(theirs, ours, &shown.document, &mut add);
        let sent = body_schema(ours);
        compare(&shown.document, Side::Request, "body", &theirs["body"], sent, &mut add);
        match success(theirs, ours) {
            None => add(format!("status: {} is not answered", theirs["status"].as_str().unwrap_or("2xx"))),
            Some(answer) => {
                let schema = first_schema(&answer["content"]);
                compare(&shown.document, Side::Answer, "answer", &theirs["res"], schema, &mut add);
            }
        }
    }
    found
}

fn query(theirs: &Value, ours: &Value, document: &Value, add: &mut dyn FnMut(String)) {
    let parameters = ours["parameters"].as_array().into_iter().flatten();
    let ours: BTreeMap<&str, &Value> = parameters
        .filter(|one| one["in"] == "query")
        .filter_map(|one| Some((one["name"].as_str()?, one)))
        .collect();
    for (name, field) in theirs["query"].as_object().into_iter().flatten() {
        // The fields of an object are parameters of their own: `page[size]`.
        let inner = field["f"].as_object().filter(|_| !ours.contains_key(name.as_str()));
        let fields = match inner {
            Some(inner) => inner.iter().map(|(part, field)| (format!("{name}[{part}]"), field)).collect(),
            None => vec![(name.clone(), field)],
        };
        for (name, field) in fields {
            match ours.get(name.as_str()) {
                None => add(format!("query.{name}: missing")),
                Some(one) => {
                    compare(document, Side::Query, &format!("query.{name}"), field, &one["schema"], add);
                }
            }
        }
    }
}

/// Our answer with the status of their success. An edition that does not tell the status takes every success.
fn success<'v>(theirs: &Value, ours: &'v Value) -> Option<&'v Value> {
    match theirs["status"].as_str() {
        Some(status) => ours["responses"].get(status),
        None => {
            let mut all = ours["responses"].as_object()?.iter();
            all.find(|(status, _)| status.starts_with('2')).map(|(_, answer)| answer)
        }
    }
}

fn body_schema(operation: &Value) -> &Value {
    first_schema(&operation["requestBody"]["content"])
}

/// The schema of the first content type.
fn first_schema(content: &Value) -> &Value {
    content.as_object().and_then(|types| types.values().next()).map_or(&Value::Null, |one| &one["schema"])
}

#[test]
fn every_operation_of_the_newest_edition_is_there() {
    let (published, shown) = (Published::read(Edition::V2026_11), Shown::of(Edition::V2026_11));
    for (version, count) in [("/v1/", 172), ("/v2/", 53)] {
        let all: Vec<_> = published.0.keys().filter(|one| one.contains(version)).collect();
        let there = all.iter().filter(|one| shown.operations.contains_key(**one)).count();
        println!("{version}: {there} of {count} operations");
        assert_eq!((all.len(), there), (count, count), "{version}");
    }
}

#[test]
fn differences_from_the_newest_edition_are_recorded() {
    written_down(Edition::V2026_11);
}

#[test]
fn differences_from_the_first_edition_are_recorded() {
    written_down(Edition::V2025_05);
}

fn written_down(edition: Edition) {
    let found = differences(edition);
    let operations = Published::read(edition).0.len();
    let touched: BTreeSet<&str> =
        found.iter().map(|line| line.splitn(3, ' ').take(2).last().unwrap_or_default()).collect();
    println!(
        "{edition}: {operations} operations, {} lines of difference at {} paths",
        found.len(),
        touched.len()
    );
    let text: String = found.iter().map(|line| format!("{line}\n")).collect();
    held(&format!("tests/conformance/{edition}.txt"), &text);
    let no_reason = |line: &&String| !REASONS.iter().any(|(part, _)| line.contains(part));
    let silent: Vec<_> = found.iter().filter(|line| line.contains(" /v1/")).filter(no_reason).collect();
    assert!(silent.is_empty(), "they have no reason: {silent:#?}");
}

#[test]
fn every_reason_is_needed() {
    let all: BTreeSet<String> = Edition::ALL.into_iter().flat_map(differences).collect();
    let idle = REASONS.iter().filter(|(part, _)| !all.iter().any(|line| line.contains(part)));
    assert_eq!(idle.collect::<Vec<_>>(), [] as [&(&str, &str); 0]);
}
