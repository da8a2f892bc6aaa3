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
//!
//! An async client implements `AsyncClient` instead (feature `async`). With [faults](Trial::faults), the client has to
//! reach the same result although answers are lost and calls are refused.

mod stage;
mod subject;

use std::fmt;

use bytes::Bytes;
use http::Request;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use sim_core::engine::fault::Effect;
use sim_core::{Operation, Simulator, management};

use self::stage::Stage;
use self::subject::{Subject, Waitless, at_once};
use crate::model::Start;
use crate::plans::Plan;
use crate::strategies::{Menu, Step, histories};

#[cfg(feature = "async")]
pub use self::subject::AsyncClient;

/// The most attempts to shorten a failing history.
const SHORTENED: usize = 1_000;

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
#[non_exhaustive]
pub enum Seen {
    /// Success. The value has the fields of the response that the client knows; `null` if it knows none.
    Done(Value),
    /// Refused with that status.
    Refused(u16),
    /// Refused; the client does not know the status.
    Failed,
    /// The client can't make such a call, and has made none. The step is skipped.
    NotMine,
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
    faults: Vec<Effect>,
    samples: Vec<(String, Sample)>,
}

/// Rewrites the fields of a drawn body.
type Sample = fn(&mut Value);

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
        let menu = menu.clone().in_good_form();
        Trial { menu, seed: 0, cases: 32, steps: 20, faults: Vec::new(), samples: Vec::new() }
    }

    /// Injects one of these effects into every third step: into the next call that the client makes. The client has to
    /// report the result that the step has without a fault, so it must be one that tries again. After
    /// `Effect::RateLimit` it must also wait as long as `retry-after` says.
    ///
    /// # Panics
    ///
    /// When an effect is `late`, which happens after the step.
    #[must_use]
    pub fn faults(self, effects: &[Effect]) -> Trial {
        let is_late = |effect: &Effect| matches!(effect, Effect::Late { .. });
        assert!(
            !effects.iter().any(is_late),
            "faults: a late call is made after its step; leave it to a sweep"
        );
        Trial { faults: effects.to_vec(), ..self }
    }

    /// Rewrites the body of each drawn call of an operation, for clients that do not send all fields:
    /// `.sample("v1-create-a-project", |body| drop(body.as_object_mut().map(|fields| fields.remove("region"))))`.
    ///
    /// # Panics
    ///
    /// When the id is unknown.
    #[must_use]
    pub fn sample(mut self, operation: &str, sample: Sample) -> Trial {
        assert!(Menu::well_formed().of(&[operation]).is_ok(), "sample: there is no operation {operation:?}");
        self.samples.push((operation.to_owned(), sample));
        self
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
        at_once(self.outcome_of::<Waitless<C>>())
    }

    /// Runs the trial with an async client.
    ///
    /// # Panics
    ///
    /// When the client fails anywhere, with the [failure](Failure).
    #[cfg(feature = "async")]
    pub async fn run_async<C: AsyncClient>(&self) {
        if let Err(failure) = self.outcome_async::<C>().await {
            panic!("{failure}");
        }
    }

    /// Runs the trial with an async client; returns the failure if the client fails anywhere. Each world follows tokio's
    /// clock; pause that clock, so that nothing waits.
    #[cfg(feature = "async")]
    pub async fn outcome_async<C: AsyncClient>(&self) -> Result<(), Box<Failure>> {
        self.outcome_of::<subject::Waiting<C>>().await
    }

    async fn outcome_of<S: Subject>(&self) -> Result<(), Box<Failure>> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner =
            TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
        let courses = self.courses();
        for _ in 0..self.cases {
            let mut tree = match courses.new_tree(&mut runner) {
                Ok(tree) => tree,
                Err(reason) => return Err(Box::new(self.not_made(&reason))),
            };
            let first = tree.current();
            if let Err(reason) = self.try_course::<S>(&first).await {
                return Err(Box::new(self.shortened::<S>(&mut tree, first, reason).await));
            }
        }
        Ok(())
    }

    fn courses(&self) -> impl Strategy<Value = Course> + use<> {
        let fault = match self.faults.is_empty() {
            true => Just(None).boxed(),
            false => weighted(0.3, proptest::sample::select(self.faults.clone())).boxed(),
        };
        let samples = self.samples.clone();
        let histories = histories(&self.menu, self.steps);
        (histories, vec(fault, self.steps)).prop_map(move |((start, mut steps), faults)| {
            for step in &mut steps {
                sampled(&samples, step);
            }
            Course { start, steps, faults }
        })
    }

    async fn try_course<S: Subject>(&self, course: &Course) -> Result<(), String> {
        let mut stage = Stage::<S>::begin(course.start);
        for (number, step) in course.steps.iter().enumerate() {
            stage.take(step, course.fault(number)).await?;
        }
        Ok(())
    }

    /// The failure in the shortest history that still fails.
    async fn shortened<S: Subject>(
        &self,
        tree: &mut impl ValueTree<Value = Course>,
        mut course: Course,
        mut reason: String,
    ) -> Failure {
        let mut is_other = tree.simplify();
        for _ in 0..SHORTENED {
            if !is_other {
                break;
            }
            let shorter = tree.current();
            is_other = match self.try_course::<S>(&shorter).await {
                Ok(()) => tree.complicate(),
                Err(why) => {
                    (course, reason) = (shorter, why);
                    tree.simplify()
                }
            };
        }
        let plan = Plan::of(course.start, &course.steps);
        let steps = course.steps.iter().enumerate();
        let faults = steps.map(|(number, _)| course.fault(number).map(Effect::name)).collect();
        Failure { reason, plan: Some((course.steps, plan)), faults, ..self.not_made(&"".into()) }
    }

    fn not_made(&self, reason: &Reason) -> Failure {
        let reason = format!("no histories could be made: {reason}");
        Failure {
            reason,
            plan: None,
            faults: Vec::new(),
            seed: self.seed,
            cases: self.cases,
            steps: self.steps,
        }
    }
}

/// A history, with a fault for some of its steps.
#[derive(Clone, Debug)]
struct Course {
    start: Start,
    steps: Vec<Step>,
    faults: Vec<Option<Effect>>,
}

impl Course {
    fn fault(&self, step: usize) -> Option<&Effect> {
        self.faults.get(step)?.as_ref()
    }
}

/// Rewrites the body of a step.
fn sampled(samples: &[(String, Sample)], step: &mut Step) {
    let Step::Ask(ask) = step else { return };
    let of_it = samples.iter().filter(|(id, _)| ask.what.rule.meta.has_id(id)).map(|(_, sample)| *sample);
    for sample in of_it.collect::<Vec<_>>() {
        sample(&mut ask.what.body);
    }
}

/// How a client failed, in the shortest history found.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong.
    pub reason: String,
    /// The steps of the history, and the same as a plan; the last step is the one that failed.
    pub plan: Option<(Vec<Step>, Plan)>,
    /// The effect that was injected into each step, by name.
    pub faults: Vec<Option<&'static str>>,
    seed: u64,
    cases: u32,
    steps: usize,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.reason)?;
        if let Some((steps, plan)) = &self.plan {
            for (number, step) in steps.iter().enumerate() {
                let fault = self.faults.get(number).copied().flatten();
                let fault = fault.map_or_else(String::new, |effect| format!(", with {effect}"));
                writeln!(f, "  {} {step:?}{fault}", number + 1)?;
            }
            writeln!(f, "\nas a plan: {}", serde_json::to_string(plan).expect("a plan is plain data"))?;
        }
        let Failure { seed, cases, steps, .. } = self;
        write!(f, "\nagain: .seed({seed}).cases({cases}).steps({steps})")
    }
}
