//! Earlier states of a world: replayed from the beginning up to a call or a time.

use sim_base::time::Timestamp;

use super::Simulator;
use super::advance::STEP;
use super::beside::Beside;
use super::replay::{Replay, ReplayCall};
use crate::engine::journal::Origin;

/// A call, with the service that it was made to: 0 is the first service, 1 the second.
type Made = (usize, ReplayCall);

impl Simulator {
    /// This world as it was right after call `number`; 0 is its beginning. The world is replayed up to that call, so
    /// this takes as long as the calls did. In a world with two services both are restored, and the number is that of
    /// a call to the first. `None` when there has been no such call yet, or the journal has dropped calls.
    ///
    /// ```
    /// use sim_core::management::project::{CreateProject, ListProjects};
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let mut before = sim.at_call(0).expect("the journal is whole");
    /// assert!(before.call(ListProjects {})?.is_empty());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn at_call(&self, number: u64) -> Option<Simulator> {
        self.at_call_of(self.registry().name(), number)
    }

    /// This world as it was right after call `number` to the service of that name.
    ///
    /// ```
    /// use sim_core::analytics::source::{CreateSource, ListSources};
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().with_self_log().build();
    /// sim.call(CreateSource::named("mine"))?;
    /// sim.call(CreateSource::named("another"))?;
    /// let mut then = sim.at_call_of("analytics", 1).expect("the journal is whole");
    /// assert_eq!(then.call(ListSources {})?.len(), 10);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn at_call_of(&self, service: &str, number: u64) -> Option<Simulator> {
        let half = self.halves().position(|half| half.registry().name() == service)?;
        let mut made = self.made()?;
        let mut ends = (0..made.len()).filter(|at| made[*at].0 == half).map(|at| at + 1);
        let mut end = match number.checked_sub(1) {
            None => 0,
            Some(before) => ends.nth(usize::try_from(before).ok()?)?,
        };
        if half == 0 && end > 0 && made.get(end).is_some_and(|next| self.was_told(&made[end - 1], next)) {
            end += 1;
        }
        made.truncate(end);
        let instant = made.last().map_or(self.setup().start, |(_, call)| call.at);
        self.rerun(&made, instant)
    }

    /// This world as it was at a time, after all calls and work up to and at it. `None` when that time is in
    /// the future or before the beginning, or the journal has dropped calls.
    pub fn at(&self, instant: Timestamp) -> Option<Simulator> {
        if instant > self.now() || instant < self.setup().start {
            return None;
        }
        let mut made = self.made()?;
        made.retain(|(_, call)| call.at <= instant);
        self.rerun(&made, instant)
    }

    /// Every call to each service, in the order in which they were made. `None` when a journal has dropped calls.
    fn made(&self) -> Option<Vec<Made>> {
        let own = self.replay_file()?.calls;
        let mut other =
            self.beside().map_or(Some(Vec::new()), |other| Some(other.replay_file()?.calls))?.into_iter();
        let mut made = Vec::new();
        let mut count = 0;
        for (call, recorded) in own.into_iter().zip(self.journal.records()) {
            let before = recorded.beside.unwrap_or(count);
            let earlier = other.by_ref().take(before.saturating_sub(count) as usize);
            made.extend(earlier.map(|call| (1, call)));
            count = before;
            made.push((0, call));
        }
        made.extend(other.map(|call| (1, call)));
        Some(made)
    }

    /// Whether the second service recorded this call because its listener was told of the call before.
    fn was_told(&self, (_, before): &Made, (half, call): &Made) -> bool {
        self.is_heard() && *half == 1 && call.caller == Origin::Control && call.at == before.at
    }

    /// Replays those calls from the beginning of this world, up to that time. `None` if a call diverges.
    fn rerun(&self, made: &[Made], instant: Timestamp) -> Option<Simulator> {
        let mut again = self.rebuild()?;
        for (half, call) in made {
            again.advance_to(call.at);
            match &mut again.beside {
                // A step is made on the whole world: the due times decide which service does its work.
                Some(beside) if *half == 1 && call.method != STEP => drop(call.make(&mut beside.sim)),
                _ => drop(call.make(&mut again)),
            }
            if again.halves().nth(*half)?.journal_hash() != call.hash {
                return None;
            }
        }
        again.advance_to(instant);
        again.is_replaying = false;
        if let (Some(then), Some(now)) = (&mut again.beside, &self.beside) {
            then.sim.is_replaying = false;
            then.listener = now.listener;
        }
        Some(again)
    }

    /// The world at its beginning, with the text of its first user's token. The second service has no listener here,
    /// because calls made by the listener are among the replayed calls.
    fn rebuild(&self) -> Option<Simulator> {
        let begin = |half: &Simulator| -> Option<Simulator> {
            let file = Replay { calls: Vec::new(), ..half.replay_file()? };
            let begun = file.begin(half.registry(), half.database_server()).ok()?;
            Some(begun.with_token_of(half))
        };
        let mut again = begin(self)?;
        if let Some(other) = self.beside() {
            again.beside = Some(Box::new(Beside { sim: begin(other)?, listener: None }));
        }
        Some(again)
    }
}
