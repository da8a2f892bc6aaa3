//! A sweep in process: runs a client written against [`Api`] and injects every kind of fault into each call.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bytes::Bytes;
use http::Request;
use sim_core::Simulator;
use sim_core::engine::fault::Effect;
use sim_core::sweep::{Ending, Judge, Outage, Report, USUAL, Verdict, count_calls, effect, points};

use crate::api::{Api, InProcess, Reply, peek};
use crate::scenario::Scene;

/// A run counts as hung after this many calls per call of the run without faults.
const PATIENCE: u64 = 20;
/// Every run may make at least this many calls.
const LEAST: u64 = 200;

/// The faults injected into a client, and the results it may end with.
#[derive(Clone, Debug)]
pub struct Sweep {
    effects: Vec<Effect>,
    outage: Outage,
    may_fail: bool,
}

impl Default for Sweep {
    /// All of [`USUAL`] that have an effect in process, where nothing waits.
    fn default() -> Sweep {
        let effects = USUAL.into_iter().filter_map(effect);
        let effects = effects.filter(|one| one.name() != "latency").collect();
        Sweep { effects, outage: Outage::default(), may_fail: false }
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
pub fn sweep<S: Into<Scene>, E>(
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

    /// See [`sweep`](sweep()).
    ///
    /// # Panics
    ///
    /// When the first run fails, a second run differs from it, or a run makes more calls than the journal
    /// keeps.
    pub fn run<S: Into<Scene>, E>(
        &self,
        world: impl FnOnce() -> S,
        mut client: impl FnMut(&mut dyn Api) -> Result<(), E>,
    ) -> Report {
        let Scene { sim: beginning, project } = world().into();
        let scene = || Scene { sim: beginning.fork(), project: project.clone() };
        let (good, ending) = run_in(scene(), u64::MAX, &mut client);
        assert_eq!(ending, Ending::Exit(0), "the client does its work where nothing is wrong");
        let allowed: &[i32] = if self.may_fail { &[1] } else { &[] };
        let judge = Judge::new(&beginning, &good, ending, allowed);
        let (again, ending) = run_in(scene(), u64::MAX, &mut client);
        assert_eq!(judge.judge(&again, ending), [], "the client does the same a second time");

        let dropped = good.dropped().calls;
        assert!(
            dropped <= beginning.calls(),
            "the journal has dropped {dropped} calls; raise Policy.journal_calls or journal_bytes"
        );
        let calls = count_calls(&beginning, &good);
        let patience = LEAST + PATIENCE * u64::from(calls);
        let points = points(&beginning, &good, &self.effects, self.outage);
        let runs = points.into_iter().map(|point| {
            let sim = point.harmed(&beginning).expect("a rule for a recorded call is valid");
            let (world, ending) = run_in(Scene { sim, ..scene() }, patience, &mut client);
            Verdict { troubles: judge.judge(&world, ending), ending, point }
        });
        Report { good: Ending::Exit(0), calls, runs: runs.collect() }
    }
}

/// The final world of `client`, and how the run ended.
fn run_in<E>(
    scene: Scene,
    calls: u64,
    client: &mut impl FnMut(&mut dyn Api) -> Result<(), E>,
) -> (Simulator, Ending) {
    let mut api = Patient { api: InProcess::new(scene), left: calls };
    let ended = catch_unwind(AssertUnwindSafe(|| client(&mut api).is_ok()));
    let ending = match ended {
        Ok(true) => Ending::Exit(0),
        Ok(false) => Ending::Exit(1),
        Err(why) if (*why).is::<OutOfPatience>() => Ending::Hung,
        Err(_) => Ending::Killed,
    };
    (peek(&mut api, |sim| sim.fork()), ending)
}

/// Ends a run that never stops calling.
struct Patient {
    api: InProcess,
    left: u64,
}

/// The payload that ends it.
struct OutOfPatience;

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
