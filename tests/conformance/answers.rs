//! Answers, decoded as strictly as a client does that was made from the edition: what is required is there, types fit,
//! `null` and members of enums are among those declared.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sim_core::engine::Answers;
use sim_core::{Edition, Policy};
use sim_fixtures::scenario;

use super::reasons::written_down;
use super::samples::{samples, samples_under};
use super::{Published, Shown, nameless};
use crate::openapi::Schemas;

#[test]
fn answers_of_the_newest_edition_decode_strictly() {
    answers(Edition::V2026_11);
}

#[test]
fn answers_of_the_first_edition_decode_strictly() {
    answers(Edition::V2025_05);
}

fn answers(edition: Edition) {
    let (published, shown) = (Published::read(edition), Shown::of(edition));
    let mut found = BTreeSet::new();
    let mut decoded = BTreeMap::<String, usize>::new();
    samples(edition, |what, reply| {
        let meta = what.meta();
        let operation = format!("{} {}", meta.method.as_str(), nameless(meta.path));
        let is_json = reply.header("content-type").starts_with("application/json");
        let Some(theirs) = published.0.get(&operation) else { return };
        *decoded.entry(operation.clone()).or_default() += 1;
        if is_json && !theirs["res"].is_null() {
            decode(&theirs["res"], &reply.json(), &mut String::from("answer"), &mut |problem| {
                found.insert(format!("{operation} {problem}"));
            });
        }
    });
    let there: Vec<_> = published.0.keys().filter(|one| shown.operations.contains_key(*one)).collect();
    let never = there.iter().filter(|one| !decoded.contains_key(**one) && !one.starts_with("HEAD "));
    found.extend(never.map(|one| format!("{one} never succeeded")));
    println!(
        "{edition}: {} answers of {} of {} operations decoded, {} problems",
        decoded.values().sum::<usize>(),
        decoded.len(),
        published.0.len(),
        found.len()
    );
    written_down("answers", edition, &found);
}

#[test]
fn answers_of_other_forms_fit_the_document() {
    for answers in [Answers::Lean, Answers::Rich, Answers::Varied, Answers::Offsets] {
        let mut schemas = Schemas::new(&scenario::fresh());
        let mut decoded = 0;
        samples_under(&Policy { answers, ..Policy::default() }, 22, |what, reply| {
            if reply.header("content-type").starts_with("application/json") {
                let problems = schemas.problems(&what.meta(), reply.status, &reply.json());
                assert!(problems.is_empty(), "{answers:?} {what:?}: {reply}\n{problems}");
                decoded += 1;
            }
        });
        assert!(decoded > 500, "{answers:?}: {decoded} answers");
    }
}

/// Reports what does not fit. Numbers in paths stand for any place in a list.
pub(super) fn decode(theirs: &Value, value: &Value, path: &mut String, add: &mut dyn FnMut(String)) {
    let kind = theirs["t"].as_str().unwrap_or_default();
    if value.is_null() {
        if theirs["nullable"] != true && !["null", "json"].contains(&kind) {
            add(format!("{path}: is null"));
        }
        return;
    }
    let fits = match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "record" => value.is_object(),
        "null" => false,
        "enum" => is_member(theirs, value),
        "union" => theirs["u"].as_array().into_iter().flatten().any(|one| {
            let mut good = true;
            decode(one, value, &mut String::new(), &mut |_| good = false);
            good
        }),
        _ => true,
    };
    if !fits {
        add(format!("{path}: is not {kind}"));
        return;
    }
    let length = path.len();
    for (name, field) in theirs["f"].as_object().into_iter().flatten() {
        path.push('.');
        path.push_str(name);
        match value.get(name) {
            Some(inner) => decode(field, inner, path, add),
            None if field["opt"] == true => {}
            None => add(format!("{path}: is missing")),
        }
        path.truncate(length);
    }
    let (items, step) = if kind == "array" { (&theirs["i"], "[]") } else { (&theirs["v"], ".*") };
    let inner = value.as_array().into_iter().flatten();
    let inner = inner.chain(value.as_object().into_iter().flat_map(serde_json::Map::values));
    for one in inner.filter(|_| ["array", "record"].contains(&kind)) {
        path.push_str(step);
        decode(items, one, path, add);
        path.truncate(length);
    }
}

fn is_member(theirs: &Value, value: &Value) -> bool {
    let members = || theirs["e"].as_array().into_iter().flatten();
    theirs["open"] == true || members().any(|one| one == value)
}
