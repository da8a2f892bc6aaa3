//! Minimises a replay file that still fails.

use std::sync::Arc;

use serde_json::Value;

use crate::engine::{DatabaseServer, Registry, ReplayCall, ReplayError};
use crate::{Error, Replay, Simulator};

/// A minimised replay file.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The file. If any one of its calls is removed, it no longer fails.
    pub replay: Replay,
    /// How many candidate files were replayed.
    pub tries: usize,
}

impl Replay {
    /// Removes calls, fault rules and pauses as long as the remaining world `fails`. `None` if the whole file does
    /// not fail.
    ///
    /// ```
    /// use sim_core::management::project::{CreateProject, ListProjects};
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListProjects {})?;
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// sim.call(ListProjects {})?;
    /// let _ = sim.call(CreateProject::named("demo", "acme"));
    ///
    /// let refused = |sim: &Simulator| sim.journal().iter().any(|call| call.status == 400);
    /// let file = sim.replay_file().expect("the journal is whole");
    /// let shrunk = file.shrink(sim.registry(), refused).expect("its world can be made").expect("a call is refused");
    /// let methods: Vec<_> = shrunk.replay.calls.iter().map(|call| call.method.as_str()).collect();
    /// assert_eq!(methods, ["POST", "POST"]);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn shrink(
        self,
        registry: &'static Registry,
        mut fails: impl FnMut(&Simulator) -> bool,
    ) -> Result<Option<Shrunk>, ReplayError> {
        shrink(self, registry, None, |sim| Ok(fails(sim)))
    }
}

/// Minimises like [`Replay::shrink`], with the projects' databases on `server`, if given. Here `fails` may return an
/// error.
pub fn shrink<E: From<ReplayError>>(
    replay: Replay,
    registry: &'static Registry,
    server: Option<Arc<dyn DatabaseServer>>,
    fails: impl FnMut(&Simulator) -> Result<bool, E>,
) -> Result<Option<Shrunk>, E> {
    let mut trial = Trial { registry, server, fails, tries: 0 };
    if !trial.fails(&replay)? {
        return Ok(None);
    }
    let fewer = trial.without_calls(replay)?;
    let fewer = trial.without_rules(fewer)?;
    let fewer = trial.without_pauses(fewer)?;
    let told = trial.rerun(&fewer)?.replay_file();
    let too_long = "it has more calls than its policy's journal keeps";
    let replay = told.ok_or_else(|| ReplayError::World(Error::invalid("journal_pruned", too_long)))?;
    Ok(Some(Shrunk { replay, tries: trial.tries }))
}

/// Replays candidate files and checks whether they fail.
struct Trial<F> {
    registry: &'static Registry,
    server: Option<Arc<dyn DatabaseServer>>,
    fails: F,
    tries: usize,
}

impl<E: From<ReplayError>, F: FnMut(&Simulator) -> Result<bool, E>> Trial<F> {
    /// Makes the calls of the file again, without comparing the answers.
    fn rerun(&self, replay: &Replay) -> Result<Simulator, ReplayError> {
        replay.rerun_on(self.registry, self.server.clone())
    }

    fn fails(&mut self, replay: &Replay) -> Result<bool, E> {
        self.tries += 1;
        let sim = self.rerun(replay)?;
        (self.fails)(&sim)
    }

    fn without_calls(&mut self, replay: Replay) -> Result<Replay, E> {
        let with = |calls: &[ReplayCall]| Replay { calls: calls.to_vec(), ..replay.clone() };
        let calls = minimised(replay.calls.clone(), &mut |calls| self.fails(&with(calls)))?;
        Ok(with(&calls))
    }

    /// Removes rules from calls that set a list of fault rules.
    fn without_rules(&mut self, mut replay: Replay) -> Result<Replay, E> {
        for index in 0..replay.calls.len() {
            let call = &replay.calls[index];
            let body = call.body.as_deref().and_then(|body| serde_json::from_str(body).ok());
            let (Some(Value::Array(rules)), "/_sim/faults") = (body, call.target.as_str()) else { continue };
            let with = |rules: &[Value]| {
                let mut replay = replay.clone();
                replay.calls[index].body = Some(Value::Array(rules.to_vec()).to_string());
                replay
            };
            let rules = minimised(rules, &mut |rules| self.fails(&with(rules)))?;
            replay = with(&rules);
        }
        Ok(replay)
    }

    /// Removes each pause before a call that is not needed for the failure.
    fn without_pauses(&mut self, mut replay: Replay) -> Result<Replay, E> {
        for index in 0..=replay.calls.len() {
            let mut sooner = replay.clone();
            let before = index.checked_sub(1).map_or(replay.start, |before| replay.calls[before].at);
            let at = replay.calls.get(index).map_or(replay.end, |call| call.at);
            let pause = at.duration_since(before);
            if pause.is_zero() {
                continue;
            }
            sooner.calls[index..].iter_mut().for_each(|call| call.at -= pause);
            sooner.end -= pause;
            if self.fails(&sooner)? {
                replay = sooner;
            }
        }
        Ok(replay)
    }
}

/// Minimises `items`: the result fails, and stops failing if any one item is removed. Removes halves first, then
/// smaller pieces.
fn minimised<T: Clone, E>(
    mut items: Vec<T>,
    fails: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    let mut piece = items.len().div_ceil(2);
    while piece > 0 && !items.is_empty() {
        let mut from = 0;
        let before = items.len();
        while from < items.len() {
            let end = (from + piece).min(items.len());
            let rest = [&items[..from], &items[end..]].concat();
            if fails(&rest)? {
                items = rest;
            } else {
                from = end;
            }
        }
        // Try single items again: the last removal may have made another item removable.
        piece = if piece == 1 && items.len() < before { 1 } else { piece / 2 };
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::minimised;

    #[test]
    fn every_remaining_item_is_needed() {
        for needed in [&[][..], &[7], &[0, 99], &[3, 4, 50, 51], &[98, 99]] {
            let mut tries = 0;
            let left = minimised((0..100).collect(), &mut |items: &[i32]| {
                tries += 1;
                Ok::<_, Infallible>(needed.iter().all(|one| items.contains(one)))
            });
            assert_eq!(left.unwrap_or_else(|never| match never {}), needed);
            assert!(tries < 100, "{needed:?}: {tries}");
        }
    }

    #[test]
    fn items_that_need_each_other_are_removed() {
        // An odd item is allowed only together with the even item after it.
        let is_good = |items: &[i32]| items.iter().all(|one| one % 2 == 0 || items.contains(&(one + 1)));
        let fails = &mut |items: &[i32]| Ok::<_, Infallible>(items.contains(&10) && is_good(items));
        assert_eq!(minimised((0..20).collect(), fails), Ok(vec![10]));
    }
}
