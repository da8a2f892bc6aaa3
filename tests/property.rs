//! Histories by chance: the world answers as the model says, refused means unchanged, same seed means same bytes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::env;
use std::sync::atomic::Ordering;

use http::Method;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use proptest_state_machine::ReferenceStateMachine as _;
use serde_json::Value;
use sim_core::Simulator;
use sim_core::management::project::ListProjects;
use sim_fixtures::model::{self, Expected, Model};
use sim_fixtures::strategies::{Ask, Names, Step, What, Wrong};
use sim_fixtures::{Api, Call, InProcess, Reply, api, everything};

use crate::support::over_http;

/// Calls in a normal run; `STUNTDOUBLE_PROPERTY_CALLS` may ask for more.
const CALLS: usize = 10_000;

/// Steps in a history, of which seven in eight are calls.
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
    for meta in What::one_of_each().iter().filter_map(What::meta) {
        assert!(seen.borrow().contains(&(meta.id, meta.status)), "{} never succeeded", meta.id);
    }
    for status in [400, 401, 403, 404, 405, 413, 415, 429] {
        assert!(seen.borrow().iter().any(|(_, seen)| *seen == status), "{status} never came back");
    }
}

#[test]
fn any_history_goes_the_same_over_http() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..8 {
        let tree = Model::sequential_strategy(STEPS).new_tree(&mut runner).expect("histories can be made");
        let (_, steps, _) = tree.current();
        let ((here, mut names), (there, _)) = (model::world(), model::world());
        let mut here = InProcess::new(here);
        let mut there = over_http(there.into());
        for step in steps {
            match step {
                Step::Wait(length) => {
                    here.advance(length);
                    there.advance(length);
                }
                // The server refuses these before they become calls.
                Step::Ask(Ask { wrong: Some(Wrong::TooLarge), .. }) => {}
                Step::Ask(ask) => {
                    let call = ask.call(&names);
                    let reply = here.send(call.clone());
                    assert_eq!(there.send(call.clone()).to_string(), reply.to_string(), "{call}");
                    names.learn(&ask.what, &reply);
                }
            }
        }
        let [here, there] = [&mut here as &mut dyn Api, &mut there]
            .map(|api| api::peek(api, |sim| (sim.journal(), sim.journal_hash(), everything(sim))));
        assert_eq!(here, there);
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
    let outcome = runner.run(&Model::sequential_strategy(STEPS), |(mut model, steps, counter)| {
        let mut world = World::new();
        for step in &steps {
            // It tells proptest how much of the history matters.
            if let Some(counter) = &counter {
                counter.fetch_add(1, Ordering::SeqCst);
            }
            model.step(step);
            if let Some((ask, call, reply)) = world.take(step, &model) {
                made.set(made.get() + 1);
                look(ask, &call, &reply);
            }
        }
        world.replay();
        Ok(())
    });
    match outcome {
        Ok(()) => made.get(),
        Err(TestError::Fail(reason, (_, steps, _))) => panic!(
            "{reason}\nafter {steps:#?}\nagain with STUNTDOUBLE_PROPERTY_SEED={seed} STUNTDOUBLE_PROPERTY_CALLS={calls}"
        ),
        Err(TestError::Abort(reason)) => panic!("no histories could be made: {reason}"),
    }
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
    /// All that can be seen, unless something changed since anyone looked.
    seen: Option<Value>,
}

impl World {
    fn new() -> World {
        let ((sim, names), (twin, _)) = (model::world(), model::world());
        World { sim, twin, names, seen: None }
    }

    /// Takes `step`, after the model has taken it, and compares.
    fn take<'s>(&mut self, step: &'s Step, model: &Model) -> Option<(&'s Ask, Call, Reply)> {
        let ask = match step {
            Step::Wait(length) => {
                self.sim.advance(*length);
                self.twin.advance(*length);
                self.seen = None;
                self.compare(model, "a wait");
                return None;
            }
            Step::Ask(ask) => ask,
        };
        let expected = model.expected.as_ref().expect("the model expects something of a call");
        let call = ask.call(&self.names);
        // Refused means unchanged, and so does read.
        let before = (expected.status >= 400 || call.method == Method::GET)
            .then(|| self.seen.take().unwrap_or_else(|| everything(&self.sim)));

        let reply = Reply::from(self.sim.handle(&call.clone().request("", None)));
        let echo = Reply::from(self.twin.handle(&call.clone().request("", None)));
        assert_eq!(reply.to_string(), echo.to_string(), "the twin answers {call}");
        assert_eq!(self.sim.journal_hash(), self.twin.journal_hash(), "the twin's journal after {call}");

        self.names.learn(&ask.what, &reply);
        self.check(ask, &call, &reply, expected);
        self.compare(model, &call.to_string());
        self.seen = before.inspect(|before| {
            assert_eq!(everything(&self.sim), *before, "{call} came to {reply} and changed something");
        });
        Some((ask, call, reply))
    }

    /// Lives the whole history again from its replay file.
    fn replay(&self) {
        let replay = self.sim.replay_file().expect("the journal is whole");
        let again = replay.run(self.sim.registry()).unwrap_or_else(|divergence| panic!("{divergence}"));
        assert_eq!(again.journal_hash(), self.sim.journal_hash());
        assert_eq!(everything(&again), everything(&self.sim));
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

    /// Compares the projects with the model's.
    fn compare(&self, model: &Model, after: &str) {
        let expected: Vec<_> =
            model.statuses().into_iter().map(|(n, status)| (self.names.project(n), status)).collect();
        let projects =
            self.sim.fork().as_admin().call(ListProjects {}).expect("lists are open to whoever drives");
        let list: Vec<_> = projects.iter().map(|one| (one.id.0.as_str(), one.status.as_str())).collect();
        assert_eq!(list, expected, "after {after}");
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
