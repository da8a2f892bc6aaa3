//! Tests a client of yours: runs it through random histories and compares the result of each step with the
//! expected one.
//!
//! You implement how your client makes a call, and list the operations it knows. Random histories of those
//! operations are drawn: calls by owners, members and strangers, work that fails, and time in between. Your
//! client makes each call in one world; the trial makes the same call in a twin of that world. Your client
//! must report the result it got, and the two worlds must stay equal. A failing history is shortened as far
//! as possible.
//!
//! ```
//! use serde_json::json;
//! use sim_core::Simulator;
//! use sim_core::management::project::{GetProject, ListProjects, PauseProject};
//! use sim_fixtures::trial::{Client, Seen, Trial, Wanted};
//!
//! /// Calls in process; yours may keep a server, and call it.
//! struct Mine(Simulator);
//!
//! impl Client for Mine {
//!     fn begin(world: Simulator) -> Mine {
//!         Mine(world)
//!     }
//!
//!     fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
//!         look(&mut self.0);
//!     }
//!
//!     fn perform(&mut self, wanted: &Wanted) -> Seen {
//!         let Ok(mut session) = self.0.as_user(wanted.token().unwrap_or_default()) else {
//!             // It knows that nobody calls, and does not try.
//!             return Seen::Refused(401);
//!         };
//!         let done = if let Some(list) = wanted.typed::<ListProjects>() {
//!             session.call(list).map(|projects| json!(projects))
//!         } else if let Some(get) = wanted.typed::<GetProject>() {
//!             session.call(get).map(|project| json!({ "status": project.status }))
//!         } else {
//!             session.call(wanted.typed::<PauseProject>().expect("it knows no other")).map(|_| json!({}))
//!         };
//!         done.map_or_else(|refusal| Seen::Refused(refusal.kind.status()), Seen::Done)
//!     }
//! }
//!
//! Trial::of(&["v1-list-all-projects", "v1-get-project", "v1-pause-a-project"]).cases(8).run::<Mine>();
//! ```

use std::fmt;

use bytes::Bytes;
use http::Request;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use serde_json::Value;
use sim_core::engine::{Access, Call};
use sim_core::{Operation, Simulator, management};

use crate::api::Reply;
use crate::everything;
use crate::model::{self, Expected, Model, Start};
use crate::plans::Plan;
use crate::strategies::{Ask, Menu, Names, Step, Who, histories};

/// A client under test.
pub trait Client {
    /// Starts in `world`: keeps it, or puts it behind a server.
    fn begin(world: Simulator) -> Self;

    /// Makes the call and reports its result.
    fn perform(&mut self, wanted: &Wanted) -> Seen;

    /// Lets the trial inspect the world and move its clock.
    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator));
}

/// The result of a call as a client reports it.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// Success. The value has the fields of the response that the client knows; `null` if it knows none.
    Done(Value),
    /// Refused with that status.
    Refused(u16),
    /// Refused; the client does not know the status.
    Failed,
}

/// The call that a client is to make.
#[derive(Clone, Debug)]
pub struct Wanted {
    operation: &'static str,
    token: Option<String>,
    request: Request<Bytes>,
}

impl Wanted {
    /// The operation's id.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The caller's token; nothing for an anonymous call.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The call as an HTTP request, with its token.
    pub fn request(&self) -> &Request<Bytes> {
        &self.request
    }

    /// The call as a typed one; nothing if it is another operation.
    ///
    /// # Panics
    ///
    /// When the request is not valid for its operation: that is a defect of the strategies.
    pub fn typed<O: Operation>(&self) -> Option<O> {
        let read = || management::registry().read(&self.request);
        (self.operation == O::META.id)
            .then(|| read().unwrap_or_else(|error| panic!("{}: {error}", O::META.id)))
    }
}

/// How a client is tested.
#[derive(Clone, Debug)]
pub struct Trial {
    menu: Menu,
    seed: u64,
    cases: u32,
    steps: usize,
}

impl Trial {
    /// With histories of these operations, by id. The trial makes the calls of the control API for the
    /// client.
    ///
    /// # Panics
    ///
    /// When an id is unknown.
    pub fn of(operations: &[&str]) -> Trial {
        let menu = Menu::well_formed().of(operations);
        Trial::on(&menu.unwrap_or_else(|error| panic!("{}", error.message)))
    }

    /// With histories from a menu, such as [good](Menu::good) calls only. Its calls are well formed.
    pub fn on(menu: &Menu) -> Trial {
        Trial { menu: menu.clone().in_good_form(), seed: 0, cases: 32, steps: 20 }
    }

    /// Sets the random seed; 0 by default.
    #[must_use]
    pub fn seed(self, seed: u64) -> Trial {
        Trial { seed, ..self }
    }

    /// Sets the number of histories; 32 by default.
    #[must_use]
    pub fn cases(self, cases: u32) -> Trial {
        Trial { cases, ..self }
    }

    /// Sets the steps of a history; 20 by default.
    #[must_use]
    pub fn steps(self, steps: usize) -> Trial {
        Trial { steps, ..self }
    }

    /// Runs the trial.
    ///
    /// # Panics
    ///
    /// When the client fails anywhere, with the [failure](Failure).
    pub fn run<C: Client>(&self) {
        if let Err(failure) = self.outcome::<C>() {
            panic!("{failure}");
        }
    }

    /// Runs the trial; returns the failure if the client fails anywhere.
    pub fn outcome<C: Client>(&self) -> Result<(), Box<Failure>> {
        let (cases, most) = (self.cases, 1_000);
        let config = Config { cases, failure_persistence: None, max_shrink_iters: most, ..Config::default() };
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let tried = runner.run(&histories(&self.menu, self.steps), |(start, steps)| {
            let mut stage = Stage::<C>::begin(start);
            for step in &steps {
                stage.take(step).map_err(TestCaseError::fail)?;
            }
            Ok(())
        });
        let failure = |reason: String, plan| {
            Err(Box::new(Failure { reason, plan, seed: self.seed, cases: self.cases, steps: self.steps }))
        };
        match tried {
            Ok(()) => Ok(()),
            Err(TestError::Fail(reason, (start, steps))) => {
                let plan = Plan::of(start, &steps);
                failure(reason.to_string(), Some((steps, plan)))
            }
            Err(TestError::Abort(reason)) => failure(format!("no histories could be made: {reason}"), None),
        }
    }
}

/// How a client failed, in the shortest history found.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong.
    pub reason: String,
    /// The steps of the history, and the same as a plan; the last step is the one that failed.
    pub plan: Option<(Vec<Step>, Plan)>,
    seed: u64,
    cases: u32,
    steps: usize,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.reason)?;
        if let Some((steps, plan)) = &self.plan {
            for (number, step) in steps.iter().enumerate() {
                writeln!(f, "  {} {step:?}", number + 1)?;
            }
            writeln!(f, "\nas a plan: {}", serde_json::to_string(plan).expect("a plan is plain data"))?;
        }
        let Failure { seed, cases, steps, .. } = self;
        write!(f, "\nagain: .seed({seed}).cases({cases}).steps({steps})")
    }
}

/// The client in its world, and a twin of that world in which the trial makes each call.
struct Stage<C> {
    model: Model,
    twin: Simulator,
    names: Names,
    client: C,
    /// How many calls both worlds had answered when they were last equal.
    calls: [u64; 2],
}

impl<C: Client> Stage<C> {
    /// The first steps are made before the client starts.
    fn begin(start: Start) -> Stage<C> {
        let (mut twin, mut names) = model::world(start);
        for step in start.steps() {
            match step {
                Step::Wait(length) => drop(twin.advance(length)),
                Step::Ask(ask) => {
                    let reply = Reply::from(twin.handle(&ask.call(&names).request("", None)));
                    names.learn(&ask.what, &reply);
                }
            }
        }
        let (client, calls) = (C::begin(twin.fork()), [twin.calls(); 2]);
        Stage { model: Model::begun(start), client, twin, names, calls }
    }

    /// Does a step; describes what failed.
    fn take(&mut self, step: &Step) -> Result<(), String> {
        self.model.step(step);
        match step {
            Step::Wait(length) => {
                self.twin.advance(*length);
                self.client.look(&mut |world| drop(world.advance(*length)));
            }
            Step::Ask(ask) => self.ask(ask)?,
        }
        self.compare_worlds(step)
    }

    fn ask(&mut self, ask: &Ask) -> Result<(), String> {
        let request = ask.call(&self.names).request("", None);
        let reply = Reply::from(self.twin.handle(&request));
        self.names.learn(&ask.what, &reply);
        let expected = self.model.expected.as_ref().expect("the model expects something of a call");
        expected.check(&reply, &self.names).map_err(|why| format!("{ask:?}: a defect of ours: {why}"))?;

        let meta = ask.what.meta();
        if meta.access == Access::Control {
            self.client.look(&mut |world| drop(world.handle(&request)));
            return Ok(());
        }
        let token = match ask.who {
            Who::Nobody => None,
            _ => request
                .headers()
                .get("authorization")
                .and_then(|bearer| bearer.to_str().ok()?.strip_prefix("Bearer ")),
        };
        let token = token.map(str::to_owned);
        let seen = self.client.perform(&Wanted { operation: meta.id, token, request });
        if is_what_there_was(&seen, &reply) {
            return Ok(());
        }
        Err(format!("{ask:?}: the client has seen {seen:?}, the answer is {reply}"))
    }

    /// The client has done the call, and nothing else.
    fn compare_worlds(&mut self, step: &Step) -> Result<(), String> {
        let Stage { twin, calls, .. } = self;
        let mut differ = None;
        self.client.look(&mut |world| {
            // Worlds with the same past are one world, and equal worlds stay equal while nobody changes them.
            let is_one = world.journal_hash() == twin.journal_hash();
            let [from, of_twin] = calls;
            if world.now() != twin.now() {
                differ = Some(format!("/now is {} instead of {}", world.now(), twin.now()));
            } else if !is_one && (has_changed(world, *from) || has_changed(twin, *of_twin)) {
                differ = difference(&state(world), &state(twin), String::new());
            }
            *calls = [world.calls(), twin.calls()];
        });
        match differ {
            None => Ok(()),
            Some(what) => Err(format!("{step:?}: the world is not what it should be: {what}")),
        }
    }
}

/// Whether a call after that number may have changed something.
fn has_changed(world: &Simulator, after: u64) -> bool {
    let reads = |call: &Call| call.method == "GET" && call.status < 300;
    world.journal_from(after + 1, u64::MAX).iter().any(|call| call.status < 400 && !reads(call))
}

fn is_what_there_was(seen: &Seen, reply: &Reply) -> bool {
    match seen {
        Seen::Refused(status) => reply.status == *status,
        Seen::Failed => reply.status >= 400,
        Seen::Done(_) if reply.status >= 400 => false,
        Seen::Done(Value::Null) => true,
        Seen::Done(shown) => {
            let body = serde_json::from_slice(&reply.body).unwrap_or_default();
            Expected::is_met_by(&body, shown) || shown.as_object().is_some_and(serde_json::Map::is_empty)
        }
    }
}

/// All observable state of a world except call numbers: a client may read before it writes.
fn state(world: &Simulator) -> Value {
    let mut state = everything(world);
    forget(&mut state, "caused_by_call");
    state
}

fn forget(value: &mut Value, name: &str) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| forget(one, name)),
        Value::Object(fields) => {
            fields.shift_remove(name);
            fields.values_mut().for_each(|one| forget(one, name));
        }
        _ => {}
    }
}

/// The first difference between two states.
fn difference(found: &Value, expected: &Value, place: String) -> Option<String> {
    match (found, expected) {
        _ if found == expected => None,
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            let mut pairs = one.iter().zip(other.values());
            pairs.find_map(|((name, one), other)| difference(one, other, format!("{place}/{name}")))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(number, (one, other))| difference(one, other, format!("{place}/{number}")))
        }
        _ => Some(format!("{place} is {found} instead of {expected}")),
    }
}
