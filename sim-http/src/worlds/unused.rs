//! What tests have prepared in worlds and nothing has used, for the end of a run: fault rules, and decisions about work.

use parking_lot::Mutex;
use sim_core::Simulator;

/// How many of them are told of worlds that no longer have them.
const GONE_MAX: usize = 1000;

/// A fault rule or a decision that nothing has used.
struct Prepared {
    /// Tells it from others of its world.
    key: String,
    /// The line for people.
    line: String,
}

/// What is prepared in the world of that name.
fn prepared(name: &str, sim: &Simulator) -> Vec<Prepared> {
    let rule = |(service, rule): (&str, sim_core::engine::fault::FaultStanding)| Prepared {
        key: format!("{service} {}", serde_json::to_string(&rule.rule).expect("a rule is plain data")),
        line: format!("world {name}: a fault rule of {service} had no effect, {rule}"),
    };
    let decision = |decision: String| Prepared {
        line: format!("world {name}: {decision} had no effect"),
        key: decision,
    };
    let rules = sim.unused_faults().into_iter().map(rule);
    rules.chain(sim.unused_decisions().into_iter().map(decision)).collect()
}

/// What nothing has used in the world of that name, one line each.
pub(crate) fn unused_in(name: &str, sim: &Simulator) -> Vec<String> {
    prepared(name, sim).into_iter().map(|one| one.line).collect()
}

/// What was prepared in worlds that were deleted, reset or restored since, or was replaced, before anything used it.
#[derive(Default)]
pub(crate) struct Gone(Mutex<Vec<String>>);

impl Gone {
    /// Notes these lines, while there is room.
    pub(crate) fn note(&self, lines: impl IntoIterator<Item = String>) {
        let mut told = self.0.lock();
        let room = GONE_MAX.saturating_sub(told.len());
        told.extend(lines.into_iter().take(room));
    }

    /// Makes a change to the world of that name, and notes what is no longer prepared after it.
    pub(crate) fn note_change<T>(
        &self,
        name: &str,
        sim: &mut Simulator,
        change: impl FnOnce(&mut Simulator) -> T,
    ) -> T {
        let before = prepared(name, sim);
        let changed = change(sim);
        if !before.is_empty() {
            let after = prepared(name, sim);
            let is_gone = |one: &Prepared| after.iter().all(|other| other.key != one.key);
            self.note(before.into_iter().filter(is_gone).map(|one| one.line));
        }
        changed
    }

    /// The lines noted so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().clone()
    }
}
