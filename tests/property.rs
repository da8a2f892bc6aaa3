//! Random histories: the world answers as the model says, a refused call changes nothing, the same seed gives
//! the same bytes.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::{env, thread};

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use sim_core::Operation as _;
use sim_core::management::network_change::ReviewRestrictions;
use sim_fixtures::property::{self, STEPS};
use sim_fixtures::strategies::{Ask, Menu, Step, What, Wrong, histories as all_histories};
use sim_fixtures::{Api, Call, InProcess, Reply, api, everything, model};

use crate::support::over_http;

/// Calls in a normal run; set `STUNTDOUBLE_PROPERTY_CALLS` for more.
const CALLS: usize = 20_000;

/// Calls from one seed. Parts with other seeds run at the same time, and each can be repeated alone.
const PART: usize = 5_000;

/// Further histories are made, of this many calls that succeed and as often at most, until every operation has succeeded.
const FURTHER: (usize, u64) = (2_000, 8);

/// The random seed; set `STUNTDOUBLE_PROPERTY_SEED` for another.
const SEED: u64 = 1;

#[test]
fn any_history_goes_as_the_model_says() {
    let wanted = number("STUNTDOUBLE_PROPERTY_CALLS").map_or(CALLS, |calls| calls as usize);
    let parts = wanted.div_ceil(PART) as u64;
    let seen = Mutex::new(BTreeSet::new());
    let look = |ask: &Ask, _: &Call, reply: &Reply| {
        seen.lock().unwrap().insert((ask.what.meta().id, reply.status));
    };
    let made: usize = thread::scope(|scope| {
        let part = |part| histories_of(&Menu::everything(), seed() + part, wanted.min(PART), look);
        let running: Vec<_> = (0..parts).map(|number| scope.spawn(move || part(number))).collect();
        running.into_iter().map(|part| part.join().expect("the message is above")).sum()
    });
    assert!(made >= wanted, "{made} calls were made, {wanted} were wanted");
    let metas = What::one_of_each().into_iter().map(|what| what.meta());
    // Logs belong to the analytics server, which this world does not have.
    let metas = metas.filter(|meta| !meta.path.contains("/analytics/endpoints/"));
    // Restrictions wait for review only if the policy requires it.
    let metas: Vec<_> = metas.filter(|meta| meta.id != ReviewRestrictions::META.id).collect();
    let never = || {
        let never = metas.iter().filter(|meta| !seen.lock().unwrap().contains(&(meta.id, meta.status)));
        never.map(|meta| meta.id).collect::<Vec<_>>()
    };
    let (calls, times) = FURTHER;
    for further in 1..=times {
        if wanted >= CALLS && !never().is_empty() {
            histories_of(&Menu::everything().good(), seed() + parts + further, calls, look);
        }
    }
    assert!(never().is_empty() || wanted < CALLS, "they never succeeded: {:?}", never());
    for status in [400, 401, 402, 403, 404, 405, 406, 413, 415, 422, 429, 544] {
        assert!(seen.lock().unwrap().iter().any(|(_, seen)| *seen == status), "{status} never came back");
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
                // The server refuses these requests before they count as calls.
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

/// Makes at least `calls` calls and compares each with the model. Returns how many.
pub(crate) fn histories(calls: usize, look: impl Fn(&Ask, &Call, &Reply)) -> usize {
    histories_of(&Menu::everything(), seed(), calls, look)
}

fn seed() -> u64 {
    number("STUNTDOUBLE_PROPERTY_SEED").unwrap_or(SEED)
}

fn histories_of(menu: &Menu, seed: u64, calls: usize, look: impl Fn(&Ask, &Call, &Reply)) -> usize {
    property::histories_of(menu, seed, calls, look).unwrap_or_else(|failure| {
        panic!("{failure}\nagain with STUNTDOUBLE_PROPERTY_SEED={seed} STUNTDOUBLE_PROPERTY_CALLS={calls}")
    })
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}
