//! Counts what the calls of a world have reached: operation, state of the project, role of the caller, and outcome.
//! Also counts which outcome followed which.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sim_base::ToSchema;
use sim_base::operation::{Access, Role};

use crate::engine::journal::{Origin, Record};
use crate::engine::service::registry::Registry;

/// Counts over calls. Excludes control operations and calls of the simulator's driver.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    #[serde(with = "pairs")]
    reached: BTreeMap<Outcome, u64>,
    /// Counts two consecutive calls of an operation by one caller, by their statuses.
    #[serde(with = "pairs")]
    followed: BTreeMap<(Id, u16, u16), u64>,
    /// The status of each caller's last call of each operation.
    #[serde(with = "pairs")]
    last: BTreeMap<(Id, Origin), u16>,
    /// What calls sent without effect, and how many did.
    #[serde(default, with = "pairs")]
    ignored: BTreeMap<(Id, String), u64>,
}

/// How many names without effect are counted. Clients make them up.
const IGNORED_MAX: usize = 1000;

type Id = Cow<'static, str>;

/// Operation, state, role, status, reason.
type Outcome = (Id, Option<Cow<'static, str>>, Option<Role>, u16, Cow<'static, str>);

impl Tally {
    pub(super) fn add(&mut self, entry: &Record) {
        let Some(operation) = entry.operation.as_ref().filter(|id| !id.starts_with("sim-")) else { return };
        if entry.caller == Origin::Control {
            return;
        }
        let reason = entry.refusal.as_ref().map(|refusal| refusal.reason.clone()).unwrap_or_default();
        let outcome = (operation.clone(), entry.state.clone(), entry.role, entry.status, reason);
        *self.reached.entry(outcome).or_default() += 1;
        let names = entry.ignored.iter().flat_map(|names| names.split(','));
        for name in names.filter(|name| *name != "+more") {
            let key = (operation.clone(), name.to_owned());
            if self.ignored.len() < IGNORED_MAX || self.ignored.contains_key(&key) {
                *self.ignored.entry(key).or_default() += 1;
            }
        }
        if let Some(before) = self.last.insert((operation.clone(), entry.caller), entry.status) {
            *self.followed.entry((operation.clone(), before, entry.status)).or_default() += 1;
        }
    }
}

/// Serializes maps as lists of pairs, for keys that are not strings.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer, K: Serialize, V: Serialize>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        D: Deserializer<'de>,
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
    {
        Vec::deserialize(deserializer).map(Vec::into_iter).map(BTreeMap::from_iter)
    }
}

/// What calls have reached. As JSON it can be merged with that of other worlds and processes.
///
/// ```
/// use sim_core::Simulator;
/// use sim_core::engine::Coverage;
/// use sim_core::management::project::ListProjects;
///
/// let mut sim = Simulator::builder().build();
/// sim.call(ListProjects {})?;
/// let coverage = sim.coverage();
/// assert_eq!(coverage.count("v1-list-all-projects", 200), 1);
/// assert!(coverage.misses(&["v1-list-all-projects: 429 then 200".parse().unwrap()]).len() == 1);
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Coverage {
    /// Outcomes, and how often each was reached.
    pub reached: Vec<Reached>,
    /// Pairs of outcomes: of a call of an operation, and of the same caller's next call of it.
    pub followed: Vec<Followed>,
    /// What calls sent that had no effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<Ignored>,
}

/// A part of requests that has no effect, and how many calls had it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Ignored {
    /// The operation's id.
    pub operation: String,
    /// The part: `body.colour`.
    pub name: String,
    /// How many calls.
    pub count: u64,
}

/// An outcome, and how often it was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Reached {
    /// The operation's id.
    pub operation: String,
    /// The status of the project; empty for operations without a project, and for calls that were refused before the
    /// project was read.
    pub state: String,
    /// The caller's role in the organization; empty in the same cases.
    pub role: String,
    /// The status answered.
    pub status: u16,
    /// Why it was refused; empty for a success.
    pub reason: String,
    /// How often it was reached.
    pub count: u64,
}

/// A pair of outcomes, and how often it was reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Followed {
    /// The operation's id.
    pub operation: String,
    /// The status of the first answer.
    pub status: u16,
    /// The status of the second answer.
    pub next: u16,
    /// How often it was reached.
    pub count: u64,
}

impl Coverage {
    pub(crate) fn of(tally: Tally) -> Coverage {
        let reached = |((operation, state, role, status, reason), count): (Outcome, u64)| Reached {
            operation: operation.into_owned(),
            state: state.unwrap_or_default().into_owned(),
            role: role.map_or("", Role::as_str).to_owned(),
            status,
            reason: reason.into_owned(),
            count,
        };
        let followed = |((operation, status, next), count): ((Id, u16, u16), u64)| Followed {
            operation: operation.into_owned(),
            status,
            next,
            count,
        };
        let ignored = |((operation, name), count): ((Id, String), u64)| Ignored {
            operation: operation.into_owned(),
            name,
            count,
        };
        let mut coverage = Coverage {
            reached: tally.reached.into_iter().map(reached).collect(),
            followed: tally.followed.into_iter().map(followed).collect(),
            ignored: tally.ignored.into_iter().map(ignored).collect(),
        };
        coverage.merge(Coverage::default());
        coverage
    }

    /// Adds the counts of another world's calls.
    pub fn merge(&mut self, other: Coverage) {
        let mut reached = BTreeMap::new();
        for one in self.reached.drain(..).chain(other.reached) {
            let Reached { operation, state, role, status, reason, count } = one;
            *reached.entry((operation, state, role, status, reason)).or_insert(0) += count;
        }
        let sum = |((operation, state, role, status, reason), count)| Reached {
            operation,
            state,
            role,
            status,
            reason,
            count,
        };
        self.reached = reached.into_iter().map(sum).collect();
        let mut followed = BTreeMap::new();
        for Followed { operation, status, next, count } in self.followed.drain(..).chain(other.followed) {
            *followed.entry((operation, status, next)).or_insert(0) += count;
        }
        let sum = |((operation, status, next), count)| Followed { operation, status, next, count };
        self.followed = followed.into_iter().map(sum).collect();
        let mut ignored = BTreeMap::new();
        for Ignored { operation, name, count } in self.ignored.drain(..).chain(other.ignored) {
            *ignored.entry((operation, name)).or_insert(0) += count;
        }
        let sum = |((operation, name), count)| Ignored { operation, name, count };
        self.ignored = ignored.into_iter().map(sum).collect();
    }

    /// How often an operation was answered with that status.
    pub fn count(&self, operation: &str, status: u16) -> u64 {
        let met = self.reached.iter().filter(|one| one.operation == operation && one.status == status);
        met.map(|one| one.count).sum()
    }

    /// Every operation of the service with the statuses that it can answer, and how often each was answered.
    pub fn matrix(&self, registry: &Registry) -> Vec<(&'static str, Vec<(u16, u64)>)> {
        let operations = registry.operations().filter(|meta| meta.access != Access::Control);
        let row = |id, statuses: Vec<u16>| {
            let counted = statuses.into_iter().map(|status| (status, self.count(id, status)));
            (id, counted.collect())
        };
        operations.map(|meta| row(meta.id, meta.statuses())).collect()
    }

    /// The goals that were not reached.
    pub fn misses<'g>(&self, goals: &'g [Goal]) -> Vec<&'g Goal> {
        goals.iter().filter(|goal| !self.meets(goal)).collect()
    }

    fn meets(&self, goal: &Goal) -> bool {
        match goal.next {
            None => self.count(&goal.operation, goal.status) > 0,
            Some(next) => self
                .followed
                .iter()
                .any(|one| one.operation == goal.operation && one.status == goal.status && one.next == next),
        }
    }
}

/// An outcome that calls should reach: `v1-get-project: 404`, or `v1-get-project: 429 then 200`, where the second status is
/// that of the same caller's next call of the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The operation's id.
    pub operation: String,
    /// A status.
    pub status: u16,
    /// The status of the next call.
    pub next: Option<u16>,
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        let wrong = || {
            format!("goal {text:?}: must be like \"v1-get-project: 404\" or \"v1-get-project: 429 then 200\"")
        };
        let (operation, outcomes) = text.split_once(':').ok_or_else(wrong)?;
        let status = |text: &str| text.trim().parse::<u16>().map_err(|_| wrong());
        let (first, next) = match outcomes.split_once("then") {
            Some((first, next)) => (first, Some(status(next)?)),
            None => (outcomes, None),
        };
        Ok(Goal { operation: operation.trim().to_owned(), status: status(first)?, next })
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.status)?;
        self.next.map_or(Ok(()), |next| write!(f, " then {next}"))
    }
}
