//! Histories by chance: the world answers as the model says, refused means unchanged, same seed means same bytes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::env;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest_state_machine::ReferenceStateMachine as _;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_fixtures::model::{self, Expected, Model};
use sim_fixtures::strategies::{Ask, Names, Step, What};
use sim_fixtures::{Call, Reply, everything};

/// Calls in a normal run; `STUNTDOUBLE_PROPERTY_CALLS` may ask for more.
const CALLS: usize = 10_000;

/// Steps in a history, of which nine in ten are calls.
const STEPS: usize = 60;

/// The seed of chance, unless `STUNTDOUBLE_PROPERTY_SEED` says another.
const SEED: u64 = 1;

#[test]
fn any_history_goes_as_the_model_says() {
    let wanted = number("STUNTDOUBLE_PROPERTY_CALLS").map_or(CALLS, |calls| calls as usize);
    let seen = RefCell::new(BTreeSet::new());
    let made = histories(wanted, |ask, _, reply| {
        seen.borrow_mut().insert((ask.what.meta().map_or("", |meta| meta.id), reply.status));
    });
    assert!(made >= wanted, "{made} calls were made, {wanted} were wanted");
    for meta in model::world().0.registry().operations() {
        assert!(seen.borrow().contains(&(meta.id, meta.status)), "{} never succeeded", meta.id);
    }
    for status in [400, 401, 403, 404, 405, 413, 415, 429] {
        assert!(seen.borrow().iter().any(|(_, seen)| *seen == status), "{status} never came back");
    }
}

/// Makes at least `calls` calls, in histories of [`STEPS`] steps, and compares each with the model. Returns how many.
pub(crate) fn histories(calls: usize, look: impl Fn(&Ask, &Call, &Reply)) -> usize {
    let seed = number("STUNTDOUBLE_PROPERTY_SEED").unwrap_or(SEED);
    let made = Cell::new(0);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases: u32::try_from(calls.div_ceil(STEPS * 8 / 10)).expect("so many cases can be counted"),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let history = Model::sequential_strategy(STEPS);
    let outcome = runner.run(&history, |(mut model, steps, counter)| {
        let mut world = World::new();
        for step in &steps {
            // It tells proptest how much of the history matters.
            if let Some(counter) = &counter {
                counter.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            }
            model.step(step);
            if let Some((ask, call, reply)) = world.take(step, &model) {
                made.set(made.get() + 1);
                look(ask, &call, &reply);
            }
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}\nagain with STUNTDOUBLE_PROPERTY_SEED={seed} STUNTDOUBLE_PROPERTY_CALLS={calls}");
    }
    made.get()
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

/// The world under test and its twin, which must stay equal to the byte.
struct World {
    sim: Simulator,
    twin: Simulator,
    names: Names,
    /// What could be seen after the last step.
    seen: Value,
}

impl World {
    fn new() -> World {
        let ((sim, names), (twin, _)) = (model::world(), model::world());
        World { seen: everything(&sim), sim, twin, names }
    }

    /// Takes `step`, after the model has taken it, and compares.
    fn take<'s>(&mut self, step: &'s Step, model: &Model) -> Option<(&'s Ask, Call, Reply)> {
        let ask = match step {
            Step::Wait(length) => {
                self.sim.advance(*length);
                self.twin.advance(*length);
                self.compare(model, "a wait");
                return None;
            }
            Step::Ask(ask) => ask,
        };
        let call = ask.call(&self.names);
        let reply = Reply::from(self.sim.handle(&call.clone().request("", None)));
        let echo = Reply::from(self.twin.handle(&call.clone().request("", None)));
        assert_eq!(reply.to_string(), echo.to_string(), "the twin answers {call}");
        assert_eq!(self.sim.journal_hash(), self.twin.journal_hash(), "the twin's journal after {call}");

        self.names.learn(&ask.what, &reply);
        let expected = model.expected.as_ref().expect("the model expects something of a call");
        self.check(ask, &call, &reply, expected);
        let before = self.compare(model, &call.to_string());
        if reply.status >= 400 {
            assert_eq!(self.seen, before, "{call} was refused with {reply} and changed something");
        }
        Some((ask, call, reply))
    }

    fn check(&self, ask: &Ask, call: &Call, reply: &Reply, expected: &Expected) {
        assert_ne!(reply.status, 500, "{call}: {reply}");
        assert_eq!(reply.status, expected.status, "{call}: {reply}");
        if reply.status >= 400 {
            assert!(reply.json()["message"].is_string(), "{call} is refused without a text: {reply}");
            assert!(!reply.reason().is_empty(), "{call} is refused without a reason: {reply}");
        } else {
            let mut body = self.fill(&expected.body);
            if matches!(ask.what, What::ListOrganizations) {
                // They are listed by slug, which the model can't know.
                let list = body.as_array_mut().expect("it is a list");
                list.sort_by_key(|one| one["id"].to_string());
            }
            assert!(contains(&reply.json(), &body), "{call}: {reply}\nthe model says {body}");
        }
        let standing = (!reply.header("x-ratelimit-limit").is_empty()).then(|| {
            ["x-ratelimit-remaining", "x-ratelimit-reset"].map(|name| reply.header(name).to_owned())
        });
        let model = expected.standing.map(|(left, reset)| [left.to_string(), reset.to_string()]);
        assert_eq!(standing, model, "calls left and seconds, after {call}: {reply}");
        let retry_after = if reply.status == 429 { reply.header("x-ratelimit-reset") } else { "" };
        assert_eq!(reply.header("retry-after"), retry_after, "{call}: {reply}");
    }

    /// Compares the projects with the model's. Returns what could be seen before.
    fn compare(&mut self, model: &Model, after: &str) -> Value {
        let seen = everything(&self.sim);
        let project = |(number, status): (usize, &str)| json!([self.names.project(number), status]);
        let expected: Vec<_> = model.statuses().into_iter().map(project).collect();
        let projects = seen["projects"].as_array().expect("it is a list");
        let list: Vec<_> = projects.iter().map(|one| json!([one["ref"], one["status"]])).collect();
        assert_eq!(list, expected, "after {after}");
        std::mem::replace(&mut self.seen, seen)
    }

    /// `body` with the names that the world gave.
    fn fill(&self, body: &Value) -> Value {
        let name = |text: &str| -> Option<&str> {
            let (kind, number) = text.strip_prefix('{')?.strip_suffix('}')?.split_once(' ')?;
            let number = number.parse().ok()?;
            match kind {
                "project" => Some(self.names.project(number)),
                _ => Some(self.names.organization(number)),
            }
        };
        match body {
            Value::String(text) => name(text).unwrap_or(text).into(),
            Value::Array(list) => list.iter().map(|one| self.fill(one)).collect(),
            Value::Object(fields) => {
                Value::Object(fields.iter().map(|(name, value)| (name.clone(), self.fill(value))).collect())
            }
            other => other.clone(),
        }
    }
}

/// Whether `body` has every field of `part`; lists have the same length.
fn contains(body: &Value, part: &Value) -> bool {
    match (body, part) {
        (Value::Object(body), Value::Object(part)) => {
            part.iter().all(|(name, part)| body.get(name).is_some_and(|body| contains(body, part)))
        }
        (Value::Array(body), Value::Array(part)) => {
            body.len() == part.len() && body.iter().zip(part).all(|(body, part)| contains(body, part))
        }
        _ => body == part,
    }
}
