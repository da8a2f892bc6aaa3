//! Answers, decoded as strictly as a client does that was made from the edition: what is required is there, types fit,
//! `null` and members of enums are among those declared.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use sim_core::engine::Answers;
use sim_core::management::project::CreateProject;
use sim_core::{Edition, Policy, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, scenario};

use super::reasons::written_down;
use super::samples::{samples, samples_under};
use super::{Published, Shown, nameless};
use crate::openapi::Schemas;
use crate::steps::under;

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
    let mut look = |operation: String, reply: &Reply| {
        let is_json = reply.header("content-type").starts_with("application/json");
        let Some(theirs) = published.0.get(&operation) else { return };
        *decoded.entry(operation.clone()).or_default() += 1;
        if is_json && !theirs["res"].is_null() {
            decode(&theirs["res"], &reply.json(), &mut String::from("answer"), &mut |problem| {
                found.insert(format!("{operation} {problem}"));
            });
        }
    };
    samples(edition, |what, reply| {
        let meta = what.meta();
        look(format!("{} {}", meta.method.as_str(), nameless(meta.path)), reply);
    });
    if edition == Edition::V2026_11 {
        elsewhere().into_iter().for_each(|(operation, reply)| look(operation, &reply));
    }
    let there: Vec<_> = published.0.keys().filter(|one| shown.operations.contains_key(*one)).collect();
    let never = there.iter().filter(|one| !decoded.contains_key(**one));
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

/// Successes of operations that need other worlds than those of histories: logs need an analytics server, a review needs
/// restrictions that wait for one, and histories do not ask for headers alone.
fn elsewhere() -> Vec<(String, Reply)> {
    let mut found = Vec::new();
    let mut sim = Simulator::builder().token("token-of-owner").with_self_log().build();
    let project = sim.as_admin().call(CreateProject::named("demo", "acme")).expect("it can be made").id;
    sim.advance(Duration::from_secs(60));
    let mut api = InProcess::new(Scene { sim, project });
    for name in [
        "logs",
        "logs.all",
        "usage.api-counts",
        "usage.api-requests-count",
        "functions.combined-stats?interval=1hr&function_id=one",
    ] {
        let path = format!("/v1/projects/{{ref}}/analytics/endpoints/{name}");
        let operation = format!("GET {}", nameless(path.split('?').next().unwrap_or_default()));
        found.push((operation, api.get(&path)));
    }
    let actions = "/v1/projects/{ref}/actions";
    found.push((format!("HEAD {}", nameless(actions)), api.send(Call::new(http::Method::HEAD, actions))));
    let mut api = InProcess::new(under(|policy| policy.review_restrictions = true));
    let at = |rest: &str| format!("/v1/projects/{{ref}}/network-restrictions/{rest}");
    let asked = json!({ "dbAllowedCidrs": ["192.0.2.0/24"], "dbAllowedCidrsV6": [] });
    let requested_at = api.post(&at("apply"), asked).json()["pending_requested_at"].clone();
    let review = json!({ "action": "apply", "requested_at": requested_at });
    found.push((format!("POST {}", nameless(&at("review"))), api.post(&at("review"), review)));
    for (operation, reply) in &found {
        assert!(reply.status < 300, "{operation}: {reply}");
    }
    found
}

#[test]
fn answers_of_other_forms_fit_the_document() {
    for answers in [Answers::Lean, Answers::Rich, Answers::Varied, Answers::Offsets] {
        let mut schemas = Schemas::new(&scenario::fresh());
        let mut decoded = 0;
        samples_under(&Policy { answers, ..Policy::default() }, 22, |what, reply| {
            if !what.meta().unlisted && reply.header("content-type").starts_with("application/json") {
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
