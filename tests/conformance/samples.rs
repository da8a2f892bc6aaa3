//! For each operation, worlds in which a call of it succeeds, found by random histories of calls that should succeed.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};
use sim_core::{Edition, Policy, RateLimit, Simulator};
use sim_fixtures::model;
use sim_fixtures::strategies::{Ask, Dice, Menu, Names, Step, What, Who};
use sim_fixtures::{Call, Reply};

use super::{Published, nameless};

/// Histories, how many more are tried for operations of the newest edition that did not succeed in them, and how long each is.
const HISTORIES: u64 = 150;
const FURTHER: u64 = 150;
const STEPS: usize = 120;

/// Control operations that came later. With them the histories, and so all samples, would be others.
const LATER: [&str; 2] = ["sim-list-next-outcomes", "sim-delete-next-outcome"];

/// Samples of an operation that are kept: each has other fields in its body.
const KEPT: usize = 6;

/// A call that succeeds, and the world before it.
pub(super) struct Sample {
    pub what: What,
    pub who: Who,
    pub names: Names,
    pub before: Simulator,
}

impl Sample {
    /// The call, of a changed `what`.
    pub(super) fn call(&self, what: What) -> Call {
        Ask { who: self.who, what, wrong: None }.call(&self.names)
    }

    /// Sets what some fields of the operation need, so that more of their values can be taken.
    fn prepare(&mut self, operation: &str) {
        let path = self.call(self.what.clone()).path;
        let project = path.split('/').take(4).collect::<Vec<_>>().join("/").replace("/v2/", "/v1/");
        match operation {
            "POST /v2/projects/{}/webhooks/endpoints/{}/test" => {
                let all = json!({ "event_types": [{ "type": "*" }] });
                let body = json!({ "data": { "type": "endpoint", "attributes": all } });
                self.set(path.trim_end_matches("/test"), &body);
            }
            "PATCH /v1/projects/{}/config/auth" => {
                let server = json!({
                    "smtp_host": "mail.example.com", "smtp_port": "587", "smtp_user": "mailer",
                    "smtp_pass": "a secret", "smtp_admin_email": "a@b.example", "smtp_sender_name": "Mailer",
                });
                self.set(&path, &server);
            }
            "PATCH /v1/projects/{}/billing/addons" => {
                self.set(&path, &json!({ "addon_type": "compute_instance", "addon_variant": "ci_small" }));
                self.before.advance(Duration::from_secs(300));
            }
            "POST /v1/projects/{}/branches" | "POST /v2/projects/{}/branches" => {
                for (kind, variant) in [("compute_instance", "ci_small"), ("pitr", "pitr_7")] {
                    let body = json!({ "addon_type": kind, "addon_variant": variant });
                    self.set(&format!("{project}/billing/addons"), &body);
                    self.before.advance(Duration::from_secs(300));
                }
            }
            _ => {}
        }
    }

    /// A change that the sample's caller makes before.
    fn set(&mut self, path: &str, body: &Value) {
        let call = Call::new(http::Method::PATCH, path).json(body.clone());
        let caller = self.call(self.what.clone());
        reply(&mut self.before, Call { sender: caller.sender, ..call });
    }
}

/// Samples by method and path, as in an edition's file.
pub(super) type Samples = BTreeMap<String, Vec<Sample>>;

/// Finds samples in worlds that speak `edition`, and shows every success to `look`.
pub(super) fn samples(edition: Edition, look: impl FnMut(&What, &Reply)) -> Samples {
    samples_in(&Policy { edition, ..Policy::default() }, look)
}

/// The same in worlds under a policy.
pub(super) fn samples_in(policy: &Policy, look: impl FnMut(&What, &Reply)) -> Samples {
    let newest = policy.edition == Edition::V2026_11;
    let wanted = if newest { operations(policy.edition) } else { BTreeSet::new() };
    let mut found = samples_until(policy, HISTORIES, &wanted, look);
    for (operation, samples) in &mut found {
        samples.iter_mut().for_each(|sample| sample.prepare(operation));
    }
    found
}

/// The same with that many histories.
pub(super) fn samples_under(policy: &Policy, histories: u64, look: impl FnMut(&What, &Reply)) -> Samples {
    samples_until(policy, histories, &BTreeSet::new(), look)
}

/// The operations of an edition that succeed in worlds of histories; `answers::elsewhere` has the others.
fn operations(edition: Edition) -> BTreeSet<String> {
    let is_elsewhere = |one: &String| {
        one.starts_with("HEAD ")
            || one.contains("/analytics/endpoints/")
            || one.ends_with("/network-restrictions/review")
    };
    let all = Published::read(edition).0.into_iter().map(|(operation, _)| operation);
    all.filter(|one| !is_elsewhere(one)).collect()
}

/// The same, with further histories while a `wanted` operation has no sample.
fn samples_until(
    policy: &Policy,
    histories: u64,
    wanted: &BTreeSet<String>,
    mut look: impl FnMut(&What, &Reply),
) -> Samples {
    let mut found = Samples::new();
    let mut seen = BTreeSet::new();
    for seed in 0..histories + FURTHER {
        if seed >= histories && wanted.iter().all(|one| found.contains_key(one)) {
            break;
        }
        let menu = Menu::well_formed().good().without(&LATER);
        let (start, steps) = menu.history(&mut Dice::new(seed), STEPS);
        let policy = Policy { rate_limit: RateLimit::off(), ..policy.clone() };
        let (mut sim, mut names) = model::world_under(policy);
        for step in start.steps().into_iter().chain(steps) {
            let ask = match step {
                Step::Wait(length) => {
                    sim.advance(length);
                    continue;
                }
                Step::Ask(ask) => ask,
            };
            let (before, known) = (sim.fork(), names.clone());
            let reply = Reply::from(sim.handle(&ask.call(&names).request("", None)));
            names.learn(&ask.what, &reply);
            let meta = ask.what.meta();
            if reply.status != meta.status {
                continue;
            }
            look(&ask.what, &reply);
            let operation = format!("{} {}", meta.method.as_str(), nameless(meta.path));
            let fields: Vec<_> =
                ask.what.body().as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
            let kept = found.entry(operation.clone()).or_default();
            if kept.len() < KEPT && seen.insert((operation, fields)) {
                kept.push(Sample { what: ask.what, who: ask.who, names: known, before });
            }
        }
    }
    found
}

/// The answer of a world to a call of one of its users.
pub(super) fn reply(sim: &mut Simulator, call: Call) -> Reply {
    Reply::from(sim.handle(&call.request("", None)))
}
