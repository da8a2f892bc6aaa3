//! Fields with an effect: each field of a request changes the answer or the world, or is marked as ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sim_core::{Edition, Simulator, Snapshot};
use sim_fixtures::Call;

use super::Published;
use super::reasons::written_down;
use super::samples::{Sample, reply, samples};
use super::values::{asking, least};

/// Headers that are different for each call.
const OF_THE_CALL: [&str; 2] = ["x-sim-call", "date"];

#[test]
fn every_field_of_the_newest_edition_acts_or_is_marked() {
    let edition = Edition::V2026_11;
    let (published, samples) = (Published::read(edition), samples(edition, |_, _| {}));
    let mut found = BTreeMap::new();
    for (operation, theirs) in &published.0 {
        for sample in samples.get(operation).into_iter().flatten() {
            let mut fields = Fields { operation, sample, found: &mut found };
            if theirs["body"].is_object() && sample.what.body().is_object() {
                fields.body(&theirs["body"], sample.what.body(), "body", &|value| value);
            }
            for (name, field) in theirs["query"].as_object().into_iter().flatten() {
                fields.query(name, field);
            }
        }
    }
    let is = |wanted: Verdict| found.iter().filter(move |(_, verdict)| **verdict == wanted);
    let silent: BTreeSet<String> = is(Verdict::Silent).map(|(field, _)| field.clone()).collect();
    println!(
        "{edition}: of {} fields {} act, {} are marked, {} are silent, {} took one value only",
        found.len(),
        is(Verdict::Acts).count(),
        is(Verdict::Marked).count(),
        silent.len(),
        is(Verdict::Unknown).count(),
    );
    is(Verdict::Unknown).for_each(|(field, _)| println!("one value only: {field}"));
    written_down("effects", edition, &silent);
}

/// What the values of a field do. A later verdict outweighs an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Fewer than two values are taken.
    Unknown,
    /// Two values or more are taken, and all do the same.
    Silent,
    Marked,
    Acts,
}

/// The fields of a sample's request.
struct Fields<'f> {
    operation: &'f str,
    sample: &'f Sample,
    found: &'f mut BTreeMap<String, Verdict>,
}

impl Fields<'_> {
    /// Tries the fields of an object in the body: `put` gives the body with another object there.
    fn body(&mut self, field: &Value, now: &Value, at: &str, put: &dyn Fn(Value) -> Value) {
        match field["t"].as_str().unwrap_or_default() {
            "object" => {
                for (name, inner) in field["f"].as_object().into_iter().flatten() {
                    let with = |value: Option<Value>| {
                        let mut whole = now.clone();
                        let fields = whole.as_object_mut().expect("the sample has an object there");
                        match value {
                            Some(value) => fields.insert(name.clone(), value),
                            None => fields.shift_remove(name),
                        };
                        put(whole)
                    };
                    let at = format!("{at}.{name}");
                    let beside = now.get(name).and_then(beside);
                    let others = beside.into_iter().chain(candidates(inner)).map(Some);
                    let absent = (inner["opt"] == true).then_some(None);
                    let all = now.get(name).cloned().map(Some).into_iter().chain(absent).chain(others);
                    let mut values: Vec<Option<Value>> = Vec::new();
                    all.for_each(|value| {
                        if !values.contains(&value) {
                            values.push(value);
                        }
                    });
                    let call = |value: Option<Value>| {
                        (value.is_some(), self.sample.call(self.sample.what.clone().with(with(value))))
                    };
                    if values.len() > 1 {
                        self.judge(&at, values.into_iter().map(call).collect());
                    }
                    let inside = now.get(name).cloned().unwrap_or_else(|| least(inner));
                    self.body(inner, &inside, &at, &|value| with(Some(value)));
                }
            }
            "array" => {
                let first = now.get(0).cloned().unwrap_or_else(|| least(&field["i"]));
                self.body(&field["i"], &first, &format!("{at}.0"), &|value| put(json!([value])));
            }
            "union" => {
                let all = field["u"].as_array().into_iter().flatten();
                for one in all.filter(|one| one["t"] == "object" && now.is_object()) {
                    self.body(one, now, at, put);
                }
            }
            _ => {}
        }
    }

    fn query(&mut self, name: &str, field: &Value) {
        if field["t"] == "object" {
            // Its fields are parameters of their own: `page[size]`.
            let parts = field["f"].as_object().into_iter().flatten();
            parts.for_each(|(part, field)| self.query(&format!("{name}[{part}]"), field));
            return;
        }
        let call = || self.sample.call(self.sample.what.clone());
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let others = candidates(field).into_iter().filter(|value| !value.is_array());
        let absent = (field["opt"] == true).then(|| (false, asking(call(), name, None)));
        let mut calls: Vec<_> = absent.into_iter().collect();
        let has_it = |pair: &str| pair.split('=').next() == Some(name);
        calls.extend(Some((true, call())).filter(|(_, call)| call.path.split(['?', '&']).any(has_it)));
        calls.extend(others.map(|value| (true, asking(call(), name, Some(&text(&value))))));
        let mut paths = BTreeSet::new();
        calls.retain(|(_, call)| paths.insert(call.path.clone()));
        if calls.len() > 1 {
            self.judge(&format!("query.{name}"), calls);
        }
    }

    /// Compares what the calls do. Each is given with whether it has the field.
    fn judge(&mut self, at: &str, calls: Vec<(bool, Call)>) {
        let known = self.found.entry(format!("{} {at}", self.operation)).or_insert(Verdict::Unknown);
        if *known >= Verdict::Marked {
            return;
        }
        let mut first: Option<Done> = None;
        for (is_given, call) in calls {
            let Some(done) = Done::of(self.sample, call) else { continue };
            if is_given && done.marks(at) {
                *known = Verdict::Marked;
                return;
            }
            match &first {
                None => first = Some(done),
                Some(other) if !other.is_like(&done) => {
                    *known = Verdict::Acts;
                    return;
                }
                Some(_) => *known = (*known).max(Verdict::Silent),
            }
        }
    }
}

/// What a call did: its answer, and the world after it.
struct Done {
    answer: (u16, Vec<(String, String)>, Vec<u8>),
    ignored: String,
    after: Snapshot,
}

impl Done {
    /// `None` if the call does not succeed.
    fn of(sample: &Sample, call: Call) -> Option<Done> {
        let mut world: Simulator = sample.before.fork();
        let answer = reply(&mut world, call);
        if answer.status != sample.what.meta().status {
            return None;
        }
        let headers = answer.headers.iter().filter(|(name, _)| !OF_THE_CALL.contains(&name.as_str()));
        let headers = headers.map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
        let ignored = answer.header("x-sim-ignored").to_owned();
        Some(Done {
            answer: (answer.status, headers, answer.body.to_vec()),
            ignored,
            after: world.snapshot(),
        })
    }

    fn is_like(&self, other: &Done) -> bool {
        self.answer == other.answer && self.after.has_rows_of(&other.after)
    }

    /// Whether it says that the field, or a part of it, has no effect.
    fn marks(&self, at: &str) -> bool {
        let name = at.split_once('.').map_or(at, |(_, name)| name);
        let is_of_it = |ignored: &str| {
            ignored.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.ignored.split(',').any(|one| one.split_once('.').is_some_and(|(_, ignored)| is_of_it(ignored)))
    }
}

/// A value like that of the sample.
fn beside(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => Some(json!(format!("{text}x"))),
        Value::Number(number) => number.as_i64()?.checked_add(1).map(Value::from),
        Value::Array(items) if !items.is_empty() => Some(json!(items[..items.len() - 1])),
        _ => None,
    }
}

/// Values of a field to try.
fn candidates(field: &Value) -> Vec<Value> {
    match field["t"].as_str().unwrap_or_default() {
        "boolean" => vec![json!(true), json!(false)],
        "enum" => field["e"].as_array().cloned().unwrap_or_default(),
        "integer" | "number" => {
            let bounds = [&field["ge"], &field["le"]].into_iter().filter(|bound| bound.is_number()).cloned();
            bounds.chain([json!(1), json!(2), json!(10)]).collect()
        }
        "string" => {
            let length = field["minlen"].as_u64().unwrap_or(1).clamp(3, 64) as usize;
            let texts = match field["format"].as_str().unwrap_or_default() {
                "uuid" => ["00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001"],
                "uri" => ["https://a.example/b", "https://a.example/c"],
                "email" => ["a@b.example", "c@b.example"],
                "date-time" => ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
                "cidrv4" => ["10.0.0.0/8", "10.1.0.0/16"],
                "cidrv6" => ["fd00::/8", "fd01::/16"],
                "ipv4" => ["10.0.0.1", "10.0.0.2"],
                _ => return ["a", "b", "1"].map(|text| json!(text.repeat(length))).into(),
            };
            texts.map(Value::from).into()
        }
        "array" => {
            let one = candidates(&field["i"]).into_iter().take(2).map(|value| json!([value]));
            one.chain([json!([])]).collect()
        }
        "union" => field["u"].as_array().into_iter().flatten().flat_map(candidates).collect(),
        "record" => vec![json!({}), json!({ "key": least(&field["v"]) })],
        _ => Vec::new(),
    }
}
