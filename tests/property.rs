//! Histories by chance: the world answers as the model says, refused means unchanged, same seed means same bytes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::env;

use http::Method;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::Value;
use sim_core::Simulator;
use sim_core::management::project::ListProjects;
use sim_fixtures::model::{self, Expected, Model, Start};
use sim_fixtures::strategies::{Ask, Menu, Names, Step, What, Wrong, histories as all_histories};
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
        seen.borrow_mut().insert((ask.what.meta().id, reply.status));
    });
    assert!(made >= wanted, "{made} calls were made, {wanted} were wanted");
    let metas = What::one_of_each().into_iter().map(|what| what.meta());
    let never = metas.filter(|meta| !seen.borrow().contains(&(meta.id, meta.status))).map(|meta| meta.id);
    let never: Vec<_> = never.collect();
    assert!(never.is_empty() || wanted < CALLS, "they never succeeded: {never:?}");
    for status in [400, 401, 402, 403, 404, 405, 406, 413, 415, 422, 429, 544] {
        assert!(seen.borrow().iter().any(|(_, seen)| *seen == status), "{status} never came back");
    }
}

#[test]
fn any_history_goes_the_same_over_http() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..8 {
        let tree =
            all_histories(&Menu::everything(), STEPS).new_tree(&mut runner).expect("histories can be made");
        let (start, steps) = tree.current();
        let ((here, mut names), (there, _)) = (model::world(start), model::world(start));
        let mut here = InProcess::new(here);
        let mut there = over_http(there.into());
        for step in start.steps().into_iter().chain(steps) {
            match step {
                Step::Wait(length) => {
                    here.advance(length);
                    there.advance(length);
                }
                // The server refuses these before they become calls.
                Step::Ask(ask) if matches!(ask.wrong, Some(Wrong::TooLarge)) => {}
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
    let outcome = runner.run(&all_histories(&Menu::everything(), STEPS), |(start, steps)| {
        let (mut model, mut world) = (Model::new(start), World::new(start));
        let first = start.steps();
        for step in first.iter().chain(&steps) {
            model.step(step);
            if let Some((ask, call, reply)) = world.take(step, &model) {
                made.set(made.get() + 1);
                look(ask, &call, &reply);
            } else {
                world.audit(&model, false);
            }
        }
        world.audit(&model, true);
        world.replay();
        Ok(())
    });
    match outcome {
        Ok(()) => made.get(),
        Err(TestError::Fail(reason, (start, steps))) => panic!(
            "{reason}\nfrom {:?} {:#?}\nafter {steps:#?}\nagain with STUNTDOUBLE_PROPERTY_SEED={seed} STUNTDOUBLE_PROPERTY_CALLS={calls}",
            start,
            start.steps(),
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
    fn new(start: Start) -> World {
        let ((sim, names), (twin, _)) = (model::world(start), model::world(start));
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
        check(&self.names, &call, &reply, expected);
        self.compare(model, &call.to_string());
        self.seen = before.inspect(|before| {
            assert_eq!(everything(&self.sim), *before, "{call} came to {reply} and changed something");
        });
        Some((ask, call, reply))
    }

    /// Looks around in a copy of the world, and compares with a copy of the model.
    fn audit(&self, model: &Model, whole: bool) {
        let (mut sim, mut names, mut model) = (self.sim.fork(), self.names.clone(), model.clone());
        for step in model.audit(whole) {
            model.step(&step);
            let (Step::Ask(ask), Some(expected)) = (&step, &model.expected) else { continue };
            let call = ask.call(&names);
            let reply = Reply::from(sim.handle(&call.clone().request("", None)));
            names.learn(&ask.what, &reply);
            check(&names, &call, &reply, expected);
        }
    }

    /// Lives the whole history again from its replay file.
    fn replay(&self) {
        let replay = self.sim.replay_file().expect("the journal is whole");
        let again = replay.run(self.sim.registry()).unwrap_or_else(|divergence| panic!("{divergence}"));
        assert_eq!(again.journal_hash(), self.sim.journal_hash());
        assert_eq!(everything(&again), everything(&self.sim));
    }

    /// Compares the projects with the model's.
    fn compare(&self, model: &Model, after: &str) {
        let expected: Vec<_> =
            model.statuses().into_iter().map(|(n, status)| (self.names.name("project", n), status)).collect();
        let projects =
            self.sim.fork().as_admin().call(ListProjects {}).expect("lists are open to whoever drives");
        let list: Vec<_> = projects.iter().map(|one| (one.id.0.as_str(), one.status.as_str())).collect();
        assert_eq!(list, expected, "after {after}");
    }
}

fn check(names: &Names, call: &Call, reply: &Reply, expected: &Expected) {
    expected.check(reply, names).unwrap_or_else(|why| panic!("{call}: {why}"));
}
