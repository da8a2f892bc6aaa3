//! Compares a run with the good run.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::ToSchema;

use super::early::early_calls;
use super::inventory::{Inventory, Thing, at_rest, words_written};
use crate::engine::Simulator;

/// How a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By itself, with this exit code; in process 0 is `Ok` and 1 is `Err`.
    Exit(i32),
    /// By a signal; in process by a panic.
    Killed,
    /// It did not end.
    Hung,
}

/// A defect of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Trouble {
    /// Its kind.
    pub kind: TroubleKind,
    /// Its subject.
    pub what: String,
}

/// The kinds of defects of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TroubleKind {
    /// The client did not end.
    Hang,
    /// A signal or a panic ended the client.
    Killed,
    /// The client ended with another exit code than in the good run, and not with an allowed one.
    Exit,
    /// There are more things of one name than after the good run.
    Double,
    /// There is a thing that is not there after the good run.
    Garbage,
    /// The client ended as in the good run, and a thing is missing.
    Missing,
    /// A thing from before the run is gone, which the good run did not change.
    Lost,
    /// The client ended as in the good run, and a thing is different.
    Different,
    /// The client called again before the time was over that a 429 told it to wait.
    Impatient,
}

impl TroubleKind {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            TroubleKind::Hang => "hang",
            TroubleKind::Killed => "killed",
            TroubleKind::Exit => "exit",
            TroubleKind::Double => "double",
            TroubleKind::Garbage => "garbage",
            TroubleKind::Missing => "missing",
            TroubleKind::Lost => "lost",
            TroubleKind::Different => "different",
            TroubleKind::Impatient => "impatient",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.as_str(), self.what)
    }
}

/// Compares runs with the good run and finds what is wrong with them.
pub struct Judge {
    words: BTreeSet<String>,
    beginning: Simulator,
    good: Simulator,
    ending: Ending,
    allowed: Vec<i32>,
    ignored: Vec<String>,
    judges_waits: bool,
    known: [Inventory; 2],
}

impl Judge {
    /// Takes the world before and after the good run, and how that run ended. Other runs may also end with one of the
    /// `allowed` exit codes.
    pub fn new(beginning: &Simulator, good: &Simulator, ending: Ending, allowed: &[i32]) -> Judge {
        let words = words_written(good);
        let (beginning, good) = (at_rest(beginning), at_rest(good));
        let known = [&beginning, &good].map(|sim| Inventory::of(sim, &words));
        let allowed = allowed.to_vec();
        Judge { words, beginning, good, ending, allowed, ignored: Vec::new(), judges_waits: false, known }
    }

    /// Leaves things out of the comparison: a kind of things (`functions`), or a field of them
    /// (`functions/entrypoint_path`).
    #[must_use]
    pub fn ignoring(mut self, ignored: &[impl AsRef<str>]) -> Judge {
        self.ignored = ignored.iter().map(|one| one.as_ref().to_owned()).collect();
        for inventory in &mut self.known {
            inventory.forget(&self.ignored);
        }
        self
    }

    /// Also reports calls before the end of a block that the client was told of. For clients whose waits move the
    /// world's clock.
    #[must_use]
    pub fn judging_waits(self) -> Judge {
        Judge { judges_waits: true, ..self }
    }

    /// Finds what is wrong with a run that had this ending and left this world.
    pub fn judge(&self, world: &Simulator, ending: Ending) -> Vec<Trouble> {
        let mut words = words_written(world);
        words.extend(self.words.iter().cloned());
        let inventory = |sim: &Simulator| {
            let mut inventory = Inventory::of(sim, &words);
            inventory.forget(&self.ignored);
            inventory
        };
        let run = inventory(&at_rest(world));
        let mut troubles: Vec<Trouble> = self.of_ending(ending).into_iter().collect();
        troubles.extend(self.of_waits(world));
        if words == self.words {
            let [beginning, good] = &self.known;
            self.compare(beginning, good, &run, ending, &mut troubles);
        } else {
            let [beginning, good] = [&self.beginning, &self.good].map(inventory);
            self.compare(&beginning, &good, &run, ending, &mut troubles);
        }
        troubles
    }

    fn of_ending(&self, ending: Ending) -> Option<Trouble> {
        let (kind, what) = match ending {
            Ending::Hung => (TroubleKind::Hang, "it did not end".to_owned()),
            Ending::Killed => (TroubleKind::Killed, "a signal or a panic ended it".to_owned()),
            Ending::Exit(code) if ending == self.ending || self.allowed.contains(&code) => return None,
            Ending::Exit(code) => (TroubleKind::Exit, format!("it ended with {code}")),
        };
        Some(Trouble { kind, what })
    }

    fn of_waits(&self, world: &Simulator) -> Option<Trouble> {
        let journal = if self.judges_waits { world.journal() } else { Vec::new() };
        let early = early_calls(&journal);
        let first = early.first()?;
        let times = if early.len() == 1 { "once".to_owned() } else { format!("{} times", early.len()) };
        let what = format!("told to wait until {}, it called {times} before that", first.blocked_until);
        Some(Trouble { kind: TroubleKind::Impatient, what })
    }

    fn compare(
        &self,
        beginning: &Inventory,
        good: &Inventory,
        run: &Inventory,
        ending: Ending,
        troubles: &mut Vec<Trouble>,
    ) {
        let things: BTreeSet<&Thing> =
            [beginning, good, run].into_iter().flat_map(|one| one.things.keys()).collect();
        for thing in things {
            let of = |inventory: &Inventory| inventory.things.get(thing).cloned().unwrap_or_default();
            let found = Found { beginning: of(beginning), good: of(good), run: of(run) };
            if let Some(kind) = found.trouble(ending == self.ending) {
                let what = match kind {
                    TroubleKind::Double => {
                        format!("{thing}, {} instead of {}", found.run.len(), found.good.len())
                    }
                    TroubleKind::Different => format!("{thing} is {}", found.difference()),
                    _ => thing.to_string(),
                };
                troubles.push(Trouble { kind, what });
            }
        }
    }
}

/// The things with one name in the three worlds.
struct Found {
    beginning: Vec<Value>,
    good: Vec<Value>,
    run: Vec<Value>,
}

impl Found {
    /// The kind of trouble, if any. A client that failed may leave work of the good run undone, but nothing else may
    /// differ.
    fn trouble(&self, ended_well: bool) -> Option<TroubleKind> {
        let [beginning, good, run] = [&self.beginning, &self.good, &self.run].map(Vec::len);
        let most = if ended_well { good } else { good.max(beginning) };
        if run > most {
            return Some(if run > 1 { TroubleKind::Double } else { TroubleKind::Garbage });
        }
        if ended_well && run < good {
            return Some(TroubleKind::Missing);
        }
        if run < good.min(beginning) {
            return Some(TroubleKind::Lost);
        }
        (ended_well && self.run != self.good).then_some(TroubleKind::Different)
    }

    /// The first field that differs, as text.
    fn difference(&self) -> String {
        let pairs = self.run.iter().zip(&self.good);
        let (run, good) =
            pairs.into_iter().find(|(run, good)| run != good).unwrap_or((&Value::Null, &Value::Null));
        let fields = run.as_object().into_iter().flatten();
        match fields.into_iter().find(|(key, value)| good[key.as_str()] != **value) {
            Some((key, value)) => format!("otherwise: {key} is {value} instead of {}", good[key.as_str()]),
            None => format!("{run} instead of {good}"),
        }
    }
}
