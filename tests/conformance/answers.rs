//! Answers, decoded as strictly as a client does that was made from the edition: what is required is there, types fit,
//! `null` and members of enums are among those declared.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sim_core::Edition;
use sim_fixtures::strategies::Wrong;

use super::reasons::ANSWERS;
use super::{Published, nameless};
use crate::property::histories;
use crate::support::held;

/// Calls of the random histories whose answers are decoded.
const CALLS: usize = 3_000;

#[test]
fn answers_decode_strictly() {
    let published = Published::read(Edition::V2026_11);
    let found = RefCell::new(BTreeSet::new());
    let decoded = RefCell::new(BTreeMap::<String, usize>::new());
    histories(CALLS, |ask, _, reply| {
        let meta = ask.what.meta();
        let operation = format!("{} {}", meta.method.as_str(), nameless(meta.path));
        let is_plain =
            reply.header("x-sim-fault").is_empty() && ask.wrong.as_ref().is_none_or(Wrong::is_routed);
        let is_json = reply.header("content-type").starts_with("application/json");
        let Some(theirs) = published.0.get(&operation) else { return };
        if !is_plain || !is_json || reply.status != meta.status || theirs["res"].is_null() {
            return;
        }
        *decoded.borrow_mut().entry(operation.clone()).or_default() += 1;
        decode(&theirs["res"], &reply.json(), &mut String::from("answer"), &mut |problem| {
            found.borrow_mut().insert(format!("{operation} {problem}"));
        });
    });
    let (decoded, found) = (decoded.into_inner(), found.into_inner());
    let answers: usize = decoded.values().sum();
    println!("{answers} answers of {} operations decoded, {} problems", decoded.len(), found.len());
    let text: String = found.iter().map(|line| format!("{line}\n")).collect();
    held("tests/conformance/answers.txt", &text);
    let no_reason = |line: &&String| !ANSWERS.iter().any(|(part, _)| line.contains(part));
    let silent: Vec<_> = found.iter().filter(no_reason).collect();
    assert!(silent.is_empty(), "they have no reason: {silent:#?}");
}

/// Reports what does not fit. Numbers in paths stand for any place in a list.
fn decode(theirs: &Value, value: &Value, path: &mut String, add: &mut dyn FnMut(String)) {
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
