//! `/_sim/clock`, `/_sim/agenda`, `/_sim/history`: the time of the chosen world, scheduled work, and work that was done.

use std::time::Duration;

use bytes::Bytes;
use http::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use sim_core::engine::{Meta, act, get, patch, post};
use sim_core::{Due, Error, Happened, Pace, Simulator, Timestamp};

use super::journal::Part;
use super::worlds::check_speed;
use super::{Control, Place, Run};
use crate::worlds::{Inside, Touch};

/// A world's clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockState {
    /// The simulated time.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub now: Timestamp,
    /// The first time on the agenda; `null` if the agenda is empty.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub next_due: Option<Timestamp>,
    /// When work takes effect.
    pub pace: Pace,
    /// Simulated seconds per real second; 0 is a paused clock.
    pub speed: f64,
}

impl ClockState {
    pub(crate) fn of(inside: &Inside) -> ClockState {
        let Inside { sim, clock, .. } = inside;
        ClockState {
            now: sim.now(),
            next_due: sim.next_change(),
            pace: sim.policy().pace,
            speed: clock.speed(),
        }
    }

    /// The number of seconds by which this clock is ahead of an earlier state.
    pub(crate) fn ahead_of(&self, then: &ClockState) -> f64 {
        self.now.duration_since(then.now).as_secs_f64()
    }

    /// Whether the clock has the same speed and pace as `other`, at any instant.
    pub(crate) fn runs_like(&self, other: &ClockState) -> bool {
        (self.next_due, self.pace, self.speed) == (other.next_due, other.pace, other.speed)
    }
}

/// Get the clock of the chosen world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetClock {}

impl Control for GetClock {
    type Output = ClockState;
    const META: Meta = get("sim-get-clock", "/_sim/clock");
}

impl Run for GetClock {
    async fn run(self, place: &Place<'_>) -> Result<ClockState, Error> {
        place.world.with(Touch::Reads, |inside| ClockState::of(inside)).await
    }
}

/// Set the speed of the clock of the chosen world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetSpeed {
    /// Simulated seconds per real second; 0 is a paused clock.
    pub speed: f64,
}

impl Control for SetSpeed {
    type Output = ClockState;
    const META: Meta = patch("sim-set-speed", "/_sim/clock");
}

impl Run for SetSpeed {
    async fn run(self, place: &Place<'_>) -> Result<ClockState, Error> {
        let speed = check_speed("speed", self.speed)?;
        place
            .world
            .with(Touch::Writes, |inside| {
                let Inside { sim, clock, .. } = inside;
                clock.set_speed(sim, speed);
                ClockState::of(inside)
            })
            .await
    }
}

/// The result of moving the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// The simulated time now.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub now: Timestamp,
    /// The first time on the agenda; `null` if the agenda is empty.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub next_due: Option<Timestamp>,
    /// The work done and what ended by itself, such as a ban, in order; at most the last 10,000 of them.
    pub happened: Vec<Happened>,
    /// The number of them, if these are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
}

/// The most that one answer lists.
const LISTED: usize = 10_000;

/// The time of a world, and the number of pieces of work that it had done by then.
struct Before {
    now: Timestamp,
    work: u64,
}

impl Before {
    fn of(sim: &Simulator) -> Before {
        Before { now: sim.now(), work: all_work(sim) }
    }
}

impl Moved {
    /// `work` is what was done since `before`.
    fn by(sim: &Simulator, before: &Before, work: Vec<Happened>) -> Moved {
        let ended = sim.ended_since(before.now);
        let done = all_work(sim) - before.work + ended.len() as u64;
        let mut happened = work;
        happened.extend(ended.into_iter().map(Happened::from));
        happened.sort_by_key(|one| one.at);
        happened.drain(..happened.len().saturating_sub(LISTED));
        let done = (done > happened.len() as u64).then_some(done);
        Moved { now: sim.now(), next_due: sim.next_change(), happened, done }
    }
}

/// The number of pieces of work that all services of the world have done.
fn all_work(sim: &Simulator) -> u64 {
    sim.work_done() + sim.beside().map_or(0, Simulator::work_done)
}

/// Advance the clock of the chosen world. All work that falls due is done, each piece at its own time.
///
/// Give exactly one of `ms`, `until` and `to`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub struct Advance {
    /// The number of milliseconds.
    pub ms: Option<u64>,
    /// The target time. A time that has passed is refused.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub until: Option<Timestamp>,
    /// The target: the first time on the agenda.
    pub to: Option<Goal>,
}

/// A destination of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The first time on the agenda; the clock does not move if the agenda is empty.
    NextDue,
}

impl<'de> Deserialize<'de> for Goal {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Goal, D::Error> {
        match &*String::deserialize(from)? {
            "next_due" => Ok(Goal::NextDue),
            other => {
                let text = format!("must be \"next_due\", received {other:?}; for a timestamp, give `until`");
                Err(serde::de::Error::custom(text))
            }
        }
    }
}

impl Advance {
    /// Advances by this length, in whole milliseconds.
    pub fn by(length: Duration) -> Advance {
        let ms = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        Advance { ms: Some(ms), ..Advance::default() }
    }

    /// Advances to this time.
    pub fn until(instant: Timestamp) -> Advance {
        Advance { until: Some(instant), ..Advance::default() }
    }

    /// Advances to the first time on the agenda.
    pub fn to_next_due() -> Advance {
        Advance { to: Some(Goal::NextDue), ..Advance::default() }
    }
}

impl Control for Advance {
    type Output = Moved;
    const META: Meta = Meta { status: 200, ..post("sim-advance-clock", "/_sim/clock/advance") };
}

impl Run for Advance {
    async fn run(self, place: &Place<'_>) -> Result<Moved, Error> {
        let until = self.until.map(|until| whole("until", until)).transpose()?;
        place
            .world
            .with(Touch::Writes, |inside| {
                let sim = &mut inside.sim;
                let before = Before::of(sim);
                let happened = match (self.ms, until, self.to) {
                    (Some(ms), None, None) => {
                        let end = sim.now().checked_add(Duration::from_millis(ms));
                        sim.advance_to(whole("ms", end.unwrap_or(Timestamp::MAX))?)
                    }
                    (None, Some(until), None) if until < sim.now() => {
                        return Err(has_passed(until, sim.now()));
                    }
                    (None, Some(until), None) => sim.advance_to(until),
                    (None, None, Some(Goal::NextDue)) => sim.advance_to_next().unwrap_or_default(),
                    _ => return Err(not_one()),
                };
                Ok(Moved::by(sim, &before, happened))
            })
            .await?
    }
}

/// `at` in whole microseconds, the resolution of a world; refuses an instant beyond the end of its calendar.
pub(super) fn whole(field: &str, at: Timestamp) -> Result<Timestamp, Error> {
    Timestamp::from_microsecond(at.as_microsecond()).map_err(|_| {
        let text = format!("{field}: is beyond the end of the calendar, 9999-12-30T22:00:00Z");
        Error::invalid(format!("invalid_body.{field}"), text)
    })
}

fn has_passed(until: Timestamp, now: Timestamp) -> Error {
    Error::invalid("invalid_body.until", format!("until: {until} has passed; the clock is at {now}"))
}

fn not_one() -> Error {
    let text =
        r#"body: takes exactly one of {"ms": 60000}, {"until": "2026-01-01T00:01:00Z"}, {"to": "next_due"}"#;
    Error::invalid("invalid_body", text)
}

/// Do the next piece of scheduled work of the chosen world, in every pace.
///
/// The clock moves to the due time of that work, unless that is in the past.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {}

impl Control for Step {
    type Output = Moved;
    const META: Meta = act("sim-step", "/_sim/clock/step");
}

impl Run for Step {
    async fn run(self, place: &Place<'_>) -> Result<Moved, Error> {
        place
            .world
            .with(Touch::Writes, |inside| {
                let before = Before::of(&inside.sim);
                let happened = inside.sim.step().into_iter().collect();
                Moved::by(&inside.sim, &before, happened)
            })
            .await
    }
}

/// List the scheduled work of the chosen world, in order, and what ends by itself: tokens, bans, codes and the like.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetAgenda {}

impl Control for GetAgenda {
    type Output = Vec<Due>;
    const META: Meta = get("sim-get-agenda", "/_sim/agenda");
}

impl Run for GetAgenda {
    async fn run(self, place: &Place<'_>) -> Result<Vec<Due>, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.agenda()).await
    }
}

/// List the finished work of the chosen world, oldest first, as far as the journal keeps it.
///
/// The header `x-sim-dropped-events` has the number of events that the journal has dropped.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetHistory {
    /// Only work on this subject, such as a project's reference; all work by default.
    pub subject: Option<String>,
}

impl Control for GetHistory {
    type Output = Part<Vec<Happened>>;
    const META: Meta = Meta { query: &["subject"], ..get("sim-get-history", "/_sim/history") };
}

impl Run for GetHistory {
    async fn run(self, place: &Place<'_>) -> Result<Part<Vec<Happened>>, Error> {
        let read = |sim: &Simulator| Part::of(sim, sim.history(self.subject.as_deref()));
        place.world.with(Touch::Reads, |inside| read(&inside.sim)).await
    }

    fn respond(output: &Part<Vec<Happened>>, _: &Place<'_>) -> Response<Bytes> {
        output.response()
    }
}
