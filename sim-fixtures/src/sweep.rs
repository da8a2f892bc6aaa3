//! A sweep in process: runs a client written against [`Api`] and injects every kind of fault into each call.

use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bytes::Bytes;
use http::Request;
use sim_core::Simulator;
use sim_core::engine::fault::Effect;
use sim_core::sweep::{
    Ending, Judge, Outage, Point, Report, Trouble, TroubleKind, USUAL, Verdict, count_calls, effect,
    points_except,
};

use crate::api::{Api, InProcess, Reply, peek};
use crate::scenario::Scene;

/// A run counts as hung after this many calls per call of the run without faults.
pub(crate) const PATIENCE: u64 = 20;
/// How many characters of a client's error a report shows.
const ERROR_SHOWN: usize = 200;
/// Every run may make at least this many calls.
pub(crate) const LEAST: u64 = 200;

/// The faults injected into a client, and the results it may end with.
#[derive(Clone, Debug)]
pub struct Sweep {
    effects: Vec<Effect>,
    outage: Outage,
    may_fail: bool,
    ignored: Vec<String>,
    except: Vec<String>,
}

impl Default for Sweep {
    /// All of [`USUAL`] that have an effect in process, where nothing waits.
    fn default() -> Sweep {
        let effects = USUAL.into_iter().filter_map(effect);
        let effects = effects.filter(|one| one.name() != "latency").collect();
        let outage = Outage::default();
        Sweep { effects, outage, may_fail: false, ignored: Vec::new(), except: Vec::new() }
    }
}

/// Runs `client` once in a fresh world, then once for each call and each fault, with that fault injected into
/// that call. A call without a response is a 502 with the reason `no_answer`; a client waits by
/// [`Api::advance`].
///
/// ```
/// use serde_json::json;
/// use sim_core::sweep::TroubleKind;
/// use sim_fixtures::{Api, scenario, sweep};
///
/// fn careless(api: &mut dyn Api) -> Result<(), String> {
///     for _ in 0..3 {
///         if api.post("/v1/organizations", json!({ "name": "Shop" })).status == 201 {
///             return Ok(());
///         }
///     }
///     Err("no luck".to_owned())
/// }
///
/// let report = sweep(scenario::fresh, careless);
/// assert!(report.counts()[&TroubleKind::Double] > 0, "{report}");
/// ```
///
/// # Panics
///
/// When the first run fails, or a second run differs from it.
pub fn sweep<S: Into<Scene>, E: Debug>(
    world: impl FnOnce() -> S,
    client: impl FnMut(&mut dyn Api) -> Result<(), E>,
) -> Report {
    Sweep::default().run(world, client)
}

impl Sweep {
    /// Only these effects.
    #[must_use]
    pub fn effects(self, effects: &[Effect]) -> Sweep {
        Sweep { effects: effects.to_vec(), ..self }
    }

    /// Also delays answers, for clients that wait: by [`run_async`](Sweep::run_async).
    #[cfg(feature = "async")]
    #[must_use]
    pub fn with_latency(mut self) -> Sweep {
        self.effects.extend(effect("latency"));
        self
    }

    /// How long a fault lasts: for several calls, for a time, or for the rest of the run. In the last case
    /// the client may give up.
    ///
    /// ```
    /// use sim_core::sweep::Outage;
    /// use sim_fixtures::{Api, Sweep, scenario};
    ///
    /// let patient = |api: &mut dyn Api| {
    ///     let mut tries = (0..3).map(|_| api.get("/v1/projects").status);
    ///     if tries.any(|status| status == 200) { Ok(()) } else { Err("down") }
    /// };
    /// let sweep = Sweep::default().effects(&[sim_core::sweep::effect("503").expect("it is known")]);
    /// assert!(sweep.clone().outage(Outage::Calls(2)).run(scenario::fresh, patient).is_clean());
    /// assert!(!sweep.clone().outage(Outage::Calls(3)).run(scenario::fresh, patient).is_clean());
    /// assert!(sweep.outage(Outage::Rest).run(scenario::fresh, patient).is_clean(), "it gives up");
    /// ```
    #[must_use]
    pub fn outage(self, outage: Outage) -> Sweep {
        Sweep { outage, may_fail: self.may_fail || outage == Outage::Rest, ..self }
    }

    /// The client may give up with an `Err`, if it leaves no inconsistent state.
    #[must_use]
    pub fn may_fail(self) -> Sweep {
        Sweep { may_fail: true, ..self }
    }

    /// Leaves things out of the comparison of worlds: a kind (`functions`), or a field of a kind
    /// (`functions/entrypoint_path`). A kind is the last word of the path that lists it.
    ///
    /// ```
    /// use serde_json::json;
    /// use sim_core::sweep::effect;
    /// use sim_fixtures::{Api, Sweep, scenario};
    ///
    /// // Two attempts, with a name of its own each.
    /// let inventive = |api: &mut dyn Api| {
    ///     let mut names = ["Shop", "Shop 2"].into_iter();
    ///     let made = names.any(|name| api.post("/v1/organizations", json!({ "name": name })).status == 201);
    ///     if made { Ok(()) } else { Err("no luck") }
    /// };
    /// let sweep = Sweep::default().effects(&[effect("503").expect("a status")]);
    /// assert!(!sweep.clone().run(scenario::fresh, inventive).is_clean());
    /// assert!(sweep.ignore(&["organizations"]).run(scenario::fresh, inventive).is_clean());
    /// ```
    #[must_use]
    pub fn ignore(self, things: &[&str]) -> Sweep {
        Sweep { ignored: things.iter().map(|&thing| thing.to_owned()).collect(), ..self }
    }

    /// Injects nothing into calls of these operations, by id: `v1-deploy-a-function`.
    ///
    /// # Panics
    ///
    /// When the management API has no operation of that id.
    #[must_use]
    pub fn except(self, operations: &[&str]) -> Sweep {
        for id in operations {
            let is_known = sim_core::management::registry().operations().any(|meta| meta.has_id(id));
            assert!(is_known, "except: there is no operation {id:?}");
        }
        Sweep { except: operations.iter().map(|&id| id.to_owned()).collect(), ..self }
    }

    /// See [`sweep`](sweep()).
    ///
    /// # Panics
    ///
    /// When the first run fails, a second run differs from it, or a run makes more calls than the journal
    /// keeps.
    pub fn run<S: Into<Scene>, E: Debug>(
        &self,
        world: impl FnOnce() -> S,
        mut client: impl FnMut(&mut dyn Api) -> Result<(), E>,
    ) -> Report {
        let Scene { sim: beginning, project } = world().into();
        let scene = || Scene { sim: beginning.fork(), project: project.clone() };
        let good = run_in(scene(), u64::MAX, &mut client);
        let course = self.course(&beginning, &good);
        course.check_second(&run_in(scene(), u64::MAX, &mut client));
        let runs = course.points.iter().map(|point| {
            let scene = Scene { sim: course.harmed(point), ..scene() };
            course.verdict(point, run_in(scene, course.patience, &mut client))
        });
        course.report(runs.collect())
    }

    /// What follows from the good run.
    pub(crate) fn course(&self, beginning: &Simulator, good: &Run) -> Course {
        let failed = good.error.as_deref().unwrap_or_default();
        assert_eq!(good.ending, Ending::Exit(0), "the client does its work where nothing is wrong: {failed}");
        let allowed: &[i32] = if self.may_fail { &[1] } else { &[] };
        let judge = Judge::new(beginning, &good.world, good.ending, allowed);
        let dropped = good.world.dropped().calls;
        assert!(
            dropped <= beginning.calls(),
            "the journal has dropped {dropped} calls; raise Policy.journal_calls or journal_bytes"
        );
        let calls = count_calls(beginning, &good.world);
        Course {
            judge: judge.ignoring(&self.ignored).judging_waits(),
            points: points_except(beginning, &good.world, &self.effects, self.outage, &self.except),
            beginning: beginning.fork(),
            patience: LEAST + PATIENCE * u64::from(calls),
            calls,
        }
    }
}

/// The end of a run: its world, how it ended, and the client's error.
pub(crate) struct Run {
    pub(crate) world: Simulator,
    pub(crate) ending: Ending,
    pub(crate) error: Option<String>,
}

impl Run {
    /// Of a client that returned `ended`, or panicked.
    pub(crate) fn of<E: Debug>(world: Simulator, ended: Result<Result<(), E>, Box<dyn Any + Send>>) -> Run {
        let (ending, error) = match ended {
            Ok(Ok(())) => (Ending::Exit(0), None),
            Ok(Err(error)) => (Ending::Exit(1), Some(format!("{error:?}"))),
            Err(why) if (*why).is::<OutOfPatience>() => (Ending::Hung, None),
            Err(why) => (Ending::Killed, text_of_panic(&*why)),
        };
        Run { world, ending, error }
    }
}

pub(crate) fn text_of_panic(why: &(dyn Any + Send)) -> Option<String> {
    let text = why.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| why.downcast_ref::<String>().cloned())
}

/// The runs of a sweep to come, and how they are judged.
pub(crate) struct Course {
    judge: Judge,
    beginning: Simulator,
    calls: u32,
    pub(crate) points: Vec<Point>,
    /// The most calls of a run.
    pub(crate) patience: u64,
}

impl Course {
    pub(crate) fn check_second(&self, again: &Run) {
        let troubles = self.judge.judge(&again.world, again.ending);
        assert_eq!(troubles, [], "the client does the same a second time");
    }

    pub(crate) fn harmed(&self, point: &Point) -> Simulator {
        point.harmed(&self.beginning).expect("a rule for a recorded call is valid")
    }

    pub(crate) fn verdict(&self, point: &Point, run: Run) -> Verdict {
        let mut troubles = self.judge.judge(&run.world, run.ending);
        let of_ending = |one: &&mut Trouble| matches!(one.kind, TroubleKind::Exit | TroubleKind::Killed);
        if let (Some(trouble), Some(error)) = (troubles.iter_mut().find(of_ending), run.error) {
            trouble.what.push_str(": ");
            trouble.what.extend(error.chars().take(ERROR_SHOWN));
        }
        Verdict { point: point.clone(), ending: run.ending, troubles }
    }

    pub(crate) fn report(&self, runs: Vec<Verdict>) -> Report {
        Report { good: Ending::Exit(0), calls: self.calls, runs }
    }
}

fn run_in<E: Debug>(scene: Scene, calls: u64, client: &mut impl FnMut(&mut dyn Api) -> Result<(), E>) -> Run {
    let mut api = Patient { api: InProcess::new(scene), left: calls };
    let ended = catch_unwind(AssertUnwindSafe(|| client(&mut api)));
    Run::of(peek(&mut api, |sim| sim.fork()), ended)
}

/// Ends a run that never stops calling.
struct Patient {
    api: InProcess,
    left: u64,
}

/// The payload that ends it.
pub(crate) struct OutOfPatience;

impl Api for Patient {
    fn exchange(&mut self, request: Request<Bytes>) -> Reply {
        self.left = self.left.checked_sub(1).unwrap_or_else(|| {
            let why: Box<dyn Any + Send> = Box::new(OutOfPatience);
            // Not a panic: no panic hook runs.
            resume_unwind(why)
        });
        self.api.exchange(request)
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        self.api.look(look);
    }

    fn project(&self) -> String {
        self.api.project()
    }
}
