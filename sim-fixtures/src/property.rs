//! Compares the simulator with the model in random histories. The simulator responds as the model says, a
//! refused call changes nothing, a twin stays equal to the byte even if it is polled, and a replay gives the
//! same results.
//!
//! ```
//! use sim_fixtures::property::histories;
//!
//! let made = histories(7, 50, |_, call, reply| {
//!     // A database that can't be reached, and logs that nobody keeps.
//!     assert!(reply.status < 500 || [503, 544].contains(&reply.status), "{call}");
//! });
//! assert!(made.expect("the simulator matches the model") >= 50);
//! ```

use std::cell::Cell;

use http::Method;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use sim_core::engine::fault::ListFaults;
use sim_core::management::oauth::Authorize;
use sim_core::management::project::ListProjects;
use sim_core::{Operation as _, Simulator};

use crate::api::{Call, Reply};
use crate::everything;
use crate::model::{self, Expected, Model, Start};
use crate::strategies::{Ask, Menu, Names, Step, histories as all_histories};

/// Steps in a history; seven of eight are calls.
pub const STEPS: usize = 60;

/// Makes at least `calls` calls, in histories of [`STEPS`] steps that follow from `seed`, and compares each
/// with the model; some calls get injected faults. Returns the number of calls, or the shortest failing
/// history found.
pub fn histories(seed: u64, calls: usize, look: impl Fn(&Ask, &Call, &Reply)) -> Result<usize, String> {
    histories_of(&Menu::everything(), seed, calls, look)
}

/// Like [`histories`], with the calls of a menu.
pub fn histories_of(
    menu: &Menu,
    seed: u64,
    calls: usize,
    look: impl Fn(&Ask, &Call, &Reply),
) -> Result<usize, String> {
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
    let outcome = runner.run(&all_histories(menu, STEPS), |(start, steps)| {
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
        world.recount();
        world.replay();
        Ok(())
    });
    match outcome {
        Ok(()) => Ok(made.get()),
        Err(TestError::Fail(reason, (start, steps))) => {
            let first = start.steps();
            Err(format!("{reason}\nfrom {start:?} {first:#?}\nafter {steps:#?}"))
        }
        Err(TestError::Abort(reason)) => Err(format!("no histories could be made: {reason}")),
    }
}

/// The world under test and its twin, which must stay equal to the byte.
struct World {
    sim: Simulator,
    twin: Simulator,
    names: Names,
}

impl World {
    fn new(start: Start) -> World {
        let ((sim, names), (twin, _)) = (model::world(start), model::world(start));
        World { sim, twin, names }
    }

    /// Does `step`, after the model has done it, and compares.
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
        let expected = model.expected.as_ref().expect("the model expects something of a call");
        let call = ask.call(&self.names);
        // A refused call changes nothing; a read changes nothing either.
        let before = (expected.status >= 400 || is_read(&call)).then(|| self.sim.fork());

        let reply = Reply::from(self.sim.handle(&call.clone().request("", None)));
        let echo = Reply::from(self.twin.handle(&call.clone().request("", None)));
        assert_eq!(reply.to_string(), echo.to_string(), "the twin answers {call}");
        assert_eq!(self.sim.journal_hash(), self.twin.journal_hash(), "the twin's journal after {call}");

        self.names.learn(&ask.what, &reply);
        check(&self.names, &call, &reply, expected);
        self.poll(&call);
        self.compare(model, &call.to_string());
        if let Some(before) = before {
            let is_same = look_alike(&self.sim, &before) || self.broke_off();
            assert!(is_same, "{call} gave {reply} and changed something");
        }
        Some((ask, call, reply))
    }

    /// Whether a rule broke the last call off amid its list.
    fn broke_off(&self) -> bool {
        let last = self.sim.journal_from(self.sim.calls(), 1);
        last.iter().filter_map(|call| call.fault.as_ref()).any(|fault| fault.ends_with("partial"))
    }

    /// Repeats a read, as polling clients do. The twin is a new fork each time, without cached answers.
    /// Repeating uses up none of a rate limit.
    fn poll(&mut self, call: &Call) {
        let rules =
            self.sim.fork().as_admin().call(ListFaults {}).expect("the control API may read everything");
        if !is_read(call) || !rules.is_empty() {
            return;
        }
        let is_limited = self.sim.policy().rate_limit.enabled;
        let before = is_limited.then(|| (self.sim.snapshot(), self.twin.snapshot()));
        for time in ["again", "and again"] {
            let reply = Reply::from(self.sim.handle(&call.clone().request("", None)));
            self.twin = self.twin.fork();
            let echo = Reply::from(self.twin.handle(&call.clone().request("", None)));
            assert_eq!(
                (reply.to_string(), &reply.headers),
                (echo.to_string(), &echo.headers),
                "{call} {time}"
            );
            assert_eq!(self.sim.journal_hash(), self.twin.journal_hash(), "the journal after {call} {time}");
        }
        if let Some((sim, twin)) = before {
            self.sim.restore(&sim);
            self.twin.restore(&twin);
        }
    }

    /// Reads everything in a copy of the world, and compares it with a copy of the model.
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

    /// Checks the counters of organizations against the rows.
    fn recount(&self) {
        let sql = "select slug, projects, branches, resting from organization o
            where projects <> (select count(*) from project where organization = o.slug)
               or branches <> (select count(branch_of) from project where organization = o.slug)
               or resting <> (select count(*) from project where organization = o.slug and branch_of is null
                              and status in ('PAUSING', 'INACTIVE'))";
        let wrong = self.sim.query_journal(sql).expect("the query is valid");
        assert!(wrong.is_empty(), "counted otherwise: {wrong:?}");
    }

    /// Runs the whole history again from its replay file.
    fn replay(&self) {
        let replay = self.sim.replay_file().expect("the journal is whole");
        let again = replay.run(self.sim.registry()).unwrap_or_else(|divergence| panic!("{divergence}"));
        assert_eq!(again.journal_hash(), self.sim.journal_hash());
        assert!(look_alike(&again, &self.sim), "a replay differs");
    }

    /// Compares the projects with those of the model.
    fn compare(&self, model: &Model, after: &str) {
        let expected: Vec<_> =
            model.statuses().into_iter().map(|(n, status)| (self.names.name("project", n), status)).collect();
        let projects =
            self.sim.fork().as_admin().call(ListProjects {}).expect("the control API may read lists");
        let list: Vec<_> = projects.iter().map(|one| (one.id.0.as_str(), one.status.as_str())).collect();
        assert_eq!(list, expected, "after {after}");
    }
}

/// Whether a call is a read. An authorization is a GET, because a browser follows a link to it, but makes a code, and one of a claim
/// hands the project over.
fn is_read(call: &Call) -> bool {
    call.method == Method::GET && !call.path.starts_with(Authorize::META.path)
}

/// Whether two worlds have the same observable state. That follows if their rows are equal.
fn look_alike(one: &Simulator, other: &Simulator) -> bool {
    one.snapshot().has_rows_of(&other.snapshot()) || everything(one) == everything(other)
}

fn check(names: &Names, call: &Call, reply: &Reply, expected: &Expected) {
    expected.check(reply, names).unwrap_or_else(|why| panic!("{call}: {why}"));
}
