//! Real time for a world: how far its clock has to move, and when work falls due next.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderName, HeaderValue};
use parking_lot::Mutex;
use sim_core::{Pace, Simulator, Timestamp};
use tokio::sync::Notify;

/// Requests within this time see the same instant, so that not each of them has to check for due work.
const RESOLUTION: Duration = Duration::from_millis(1);

/// The highest speed, in simulated seconds for each real one.
pub(crate) const SPEED_MAX: f64 = 1e6;

const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const WINDOWS: HeaderName = HeaderName::from_static("ratelimit");

/// The machine's present, in whole microseconds.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let micros = i64::try_from(since.as_micros()).ok();
    micros.and_then(|micros| Timestamp::from_microsecond(micros).ok()).unwrap_or(Timestamp::MAX)
}

/// Moves a world's clock with real time. It adds the time since the last check, so a clock that was moved by hand, or moved back by
/// a restore, needs no special treatment.
#[derive(Debug)]
pub(crate) struct Clock {
    speed: f64,
    /// The real instant of the last check.
    looked: Instant,
    /// Elapsed time that is not yet a whole microsecond.
    owed_us: f64,
}

impl Clock {
    /// A clock that runs at `speed` simulated seconds for each real one; at 0 it is paused.
    pub(crate) fn new(speed: f64) -> Clock {
        Clock { speed, looked: Instant::now(), owed_us: 0.0 }
    }

    /// The clock of a world that was kept on disk. If it runs at least as fast as real time, the world goes on at the machine's
    /// present, unless its own is later.
    pub(crate) fn going_on(speed: f64, sim: &Simulator) -> Clock {
        let behind = Duration::try_from(now().duration_since(sim.now())).unwrap_or_default();
        let owed_us = if speed >= 1.0 { behind.as_secs_f64() * 1e6 } else { 0.0 };
        Clock { owed_us, ..Clock::new(speed) }
    }

    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Changes the speed from now on.
    pub(crate) fn set_speed(&mut self, sim: &mut Simulator, speed: f64) {
        self.bring_up(sim, Duration::ZERO);
        *self = Clock::new(speed);
    }

    /// Moves `sim` to the present. Returns whether any work was done.
    pub(crate) fn sync(&mut self, sim: &mut Simulator) -> bool {
        self.bring_up(sim, RESOLUTION)
    }

    /// The real instant at which the next work falls due; `None` when none is scheduled or the clock is paused.
    pub(crate) fn next_wake(&mut self, sim: &mut Simulator) -> Option<Instant> {
        if !self.runs(sim) {
            return None;
        }
        self.bring_up(sim, Duration::ZERO);
        let due = sim.next_due()?;
        let ahead = Duration::try_from(due.duration_since(sim.now())).unwrap_or_default();
        let real_s = (ahead.as_secs_f64() - self.owed_us / 1e6) / self.speed;
        let wait = Duration::try_from_secs_f64(real_s.max(0.0)).unwrap_or(Duration::MAX);
        self.looked.checked_add(wait)
    }

    /// Makes the times until which the rate limit holds real seconds, by which the client waits. In answers that the
    /// rate limit did not make, `retry-after` stays as a fault rule gave it.
    pub(crate) fn tell_real_seconds(&self, sim: &Simulator, headers: &mut HeaderMap) {
        if !headers.contains_key(RESET) || !self.runs(sim) {
            return;
        }
        for name in [RESET, RETRY_AFTER] {
            let simulated = headers.get(&name).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
            if let Some(simulated) = simulated {
                headers.insert(name, self.real_seconds(simulated).into());
            }
        }
        let told: Vec<_> = headers.get_all(&WINDOWS).iter().cloned().collect();
        headers.remove(&WINDOWS);
        for window in told {
            let real = window.to_str().ok().and_then(|text| self.in_real_seconds(text));
            headers.append(WINDOWS, real.unwrap_or(window));
        }
    }

    fn real_seconds(&self, simulated: u64) -> u64 {
        (simulated as f64 / self.speed).ceil() as u64
    }

    /// The header of a window, whose seconds are at its end: `"queries";r=1;t=60`.
    fn in_real_seconds(&self, window: &str) -> Option<HeaderValue> {
        let (rest, seconds) = window.rsplit_once(";t=")?;
        HeaderValue::try_from(format!("{rest};t={}", self.real_seconds(seconds.parse().ok()?))).ok()
    }

    fn runs(&self, sim: &Simulator) -> bool {
        self.speed > 0.0 && sim.policy().pace != Pace::Manual
    }

    fn bring_up(&mut self, sim: &mut Simulator, at_least: Duration) -> bool {
        if !self.runs(sim) {
            return false;
        }
        let now = Instant::now();
        let elapsed = now.saturating_duration_since(self.looked);
        if elapsed < at_least {
            return false;
        }
        self.looked = now;
        let whole_us = self.credit(elapsed);
        whole_us > 0 && sim.now() < Timestamp::MAX && !sim.advance(Duration::from_micros(whole_us)).is_empty()
    }

    /// Adds `elapsed` real time. Returns by how many whole microseconds of simulated time the world is behind.
    fn credit(&mut self, elapsed: Duration) -> u64 {
        self.owed_us += elapsed.as_secs_f64() * 1e6 * self.speed;
        let whole = self.owed_us.floor();
        self.owed_us -= whole;
        whole as u64
    }
}

/// The next instant at which the server must check the worlds without a call.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    at: Mutex<Option<Instant>>,
    moved: Notify,
}

impl Alarm {
    /// Makes the server check the worlds at `when` or earlier.
    pub(crate) fn set(&self, when: Option<Instant>) {
        let Some(when) = when else { return };
        let mut at = self.at.lock();
        if at.is_none_or(|at| when < at) {
            *at = Some(when);
            drop(at);
            self.moved.notify_one();
        }
    }

    /// Waits until the next check.
    pub(crate) async fn rings(&self) {
        loop {
            let at = *self.at.lock();
            match at {
                None => self.moved.notified().await,
                Some(when) => {
                    tokio::select! {
                        () = tokio::time::sleep_until(when.into()) => {
                            *self.at.lock() = None;
                            return;
                        }
                        () = self.moved.notified() => {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_microsecond_are_not_lost() {
        let mut clock = Clock::new(0.001);
        let whole: u64 = (0..1000).map(|_| clock.credit(Duration::from_micros(3))).sum();
        assert!((2..=3).contains(&whole), "{whole} of 3");
    }

    #[test]
    fn a_paused_clock_does_not_move() {
        let mut sim = Simulator::builder().build();
        let start = sim.now();
        let mut clock = Clock { looked: Instant::now() - Duration::from_secs(5), ..Clock::new(0.0) };
        clock.sync(&mut sim);
        assert_eq!(sim.now(), start);
    }

    #[test]
    fn a_kept_world_goes_on_at_the_present_and_never_backwards() {
        let kept = || Simulator::builder().start("2020-01-01T00:00:00Z".parse().expect("an instant")).build();
        let after = |speed, sim: &mut Simulator| {
            let mut clock = Clock::going_on(speed, sim);
            clock.looked = Instant::now() - Duration::from_millis(2);
            clock.sync(sim);
            sim.now()
        };
        let present = now();
        assert!(after(1.0, &mut kept()) >= present);
        let start = kept().now();
        assert_eq!(after(0.0, &mut kept()), start, "a paused clock stays");
        let mut ahead =
            Simulator::builder().start("2200-01-01T00:00:00Z".parse().expect("an instant")).build();
        let later = ahead.now();
        assert!(after(1.0, &mut ahead).duration_since(later).as_secs() < 60);
    }

    #[test]
    fn manual_pace_pauses_the_clock_at_any_speed() {
        let policy = sim_core::Policy { pace: Pace::Manual, ..Default::default() };
        let mut sim = Simulator::builder().policy(policy).build();
        let start = sim.now();
        let mut clock = Clock { looked: Instant::now() - Duration::from_secs(5), ..Clock::new(60.0) };
        clock.sync(&mut sim);
        assert_eq!(sim.now(), start);
    }

    #[test]
    fn a_move_by_hand_adds_to_real_time() {
        let mut sim = Simulator::builder().build();
        let start = sim.now();
        let mut clock = Clock { looked: Instant::now() - Duration::from_secs(5), ..Clock::new(2.0) };
        sim.advance(Duration::from_secs(100));
        clock.sync(&mut sim);
        let gone = sim.now().duration_since(start).as_secs();
        assert!(gone >= 110, "{gone} s");
    }

    #[test]
    fn the_next_wake_is_as_far_as_the_speed_says() {
        let mut sim = Simulator::builder().build();
        assert_eq!(Clock::new(1.0).next_wake(&mut sim), None);
        sim.call(sim_core::management::project::CreateProject::named("demo", "acme"))
            .expect("it can be made");
        let wake = Clock::new(60.0).next_wake(&mut sim).expect("the project comes up");
        let wait = wake.saturating_duration_since(Instant::now());
        assert!(wait <= Duration::from_secs(1), "{wait:?}");
        assert_eq!(Clock::new(0.0).next_wake(&mut sim), None);
    }

    #[test]
    fn the_earliest_alarm_rings_once() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let (alarm, now) = (Alarm::default(), Instant::now());
        let (soon, late) = (now + Duration::from_millis(5), now + Duration::from_secs(3600));
        runtime.block_on(async {
            alarm.set(None);
            alarm.set(Some(late));
            let earlier = async { alarm.set(Some(soon)) };
            tokio::join!(alarm.rings(), earlier);
            assert!(Instant::now() >= soon);
            let again = tokio::time::timeout(Duration::from_millis(5), alarm.rings());
            assert!(again.await.is_err(), "the server looks at all worlds and sets the next alarm");
        });
    }
}
