//! What the calls of a world have reached: which operation, in which state of a project, as which role, with which outcome;
//! and which outcome came after which.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::db::Db;
use super::operation::{Access, Role};
use super::registry::Registry;
use super::simulator::Simulator;

/// What the journal has dropped is kept here as sums.
pub(crate) const TABLES: &str = "
    CREATE TABLE reached (
        operation TEXT NOT NULL,
        state TEXT NOT NULL,
        role TEXT NOT NULL,
        status INTEGER NOT NULL,
        reason TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (operation, state, role, status, reason)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE followed (
        operation TEXT NOT NULL,
        status INTEGER NOT NULL,
        next INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (operation, status, next)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE last_outcome (
        operation TEXT NOT NULL,
        caller INTEGER NOT NULL,
        status INTEGER NOT NULL,
        PRIMARY KEY (operation, caller)
    ) STRICT, WITHOUT ROWID;
";

/// Sums over the calls up to a number. What drives the simulator is not counted, nor who does.
const REACHED: &str = "
    SELECT operation, ifnull(state, ''), ifnull(role, ''), status, ifnull(reason, ''), count(*) AS count
    FROM journal WHERE operation NOT LIKE 'sim-%' AND caller IS NOT 0 AND call <= ?1 GROUP BY 1, 2, 3, 4, 5";
/// The same of neighbours among the calls that one caller made of an operation; the first may be dropped already.
const FOLLOWED: &str = "
    SELECT operation, before, status, count(*) AS count
    FROM (
        SELECT operation, status, ifnull(
            lag(status) OVER (PARTITION BY operation, caller ORDER BY call),
            (SELECT status FROM last_outcome AS last
             WHERE last.operation = journal.operation AND last.caller = ifnull(journal.caller, -1))
        ) AS before
        FROM journal WHERE operation NOT LIKE 'sim-%' AND caller IS NOT 0 AND call <= ?1
    )
    WHERE before IS NOT NULL GROUP BY 1, 2, 3";
/// The last of those up to a number.
const LAST: &str = "
    INSERT INTO last_outcome
    SELECT operation, ifnull(caller, -1), status FROM journal
    WHERE operation NOT LIKE 'sim-%' AND caller IS NOT 0 AND call <= ?1 ORDER BY call
    ON CONFLICT DO UPDATE SET status = excluded.status";

/// What of a call only those know who look at the permission: role and state.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    pub role: Cell<Option<Role>>,
    pub state: RefCell<Option<String>>,
}

/// Adds up what the journal is about to drop. Looks at nothing else, so its cost does not grow with the journal.
pub(super) fn keep(db: Db<'_>, until: i64) {
    let reached =
        format!("INSERT INTO reached {REACHED} ON CONFLICT DO UPDATE SET count = count + excluded.count");
    let followed =
        format!("INSERT INTO followed {FOLLOWED} ON CONFLICT DO UPDATE SET count = count + excluded.count");
    db.run(&reached, (until,));
    db.run(&followed, (until,));
    db.run(LAST, (until,));
}

/// What calls have reached. Written as JSON it can be merged with that of other worlds and processes.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Outcomes, and how often each was met.
    pub reached: Vec<Reached>,
    /// Outcomes of an operation, and what came of the same caller's next call of it.
    pub followed: Vec<Followed>,
}

/// An outcome, and how often it was met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Reached {
    /// The operation's id.
    pub operation: String,
    /// The status of the project concerned; empty where there is none, or nobody got as far.
    pub state: String,
    /// The caller's role in the organization concerned; empty likewise.
    pub role: String,
    /// The status answered.
    pub status: u16,
    /// Why it was refused; empty for a success.
    pub reason: String,
    /// How often.
    pub count: u64,
}

/// Two outcomes in a row, and how often they were met.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Followed {
    /// The operation's id.
    pub operation: String,
    /// The status answered first.
    pub status: u16,
    /// The status answered next.
    pub next: u16,
    /// How often.
    pub count: u64,
}

impl Coverage {
    pub(super) fn read(db: Db<'_>) -> Coverage {
        let reached = format!("{REACHED} UNION ALL SELECT * FROM reached");
        let followed = format!("{FOLLOWED} UNION ALL SELECT * FROM followed");
        let mut coverage = Coverage {
            reached: db.all(&reached, (i64::MAX,), |row| {
                Ok(Reached {
                    operation: row.get(0)?,
                    state: row.get(1)?,
                    role: row.get(2)?,
                    status: row.get(3)?,
                    reason: row.get(4)?,
                    count: row.get::<_, i64>(5)? as u64,
                })
            }),
            followed: db.all(&followed, (i64::MAX,), |row| {
                let count = row.get::<_, i64>(3)? as u64;
                Ok(Followed { operation: row.get(0)?, status: row.get(1)?, next: row.get(2)?, count })
            }),
        };
        coverage.merge(Coverage::default());
        coverage
    }

    /// Adds what another world's calls have reached.
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
    }

    /// How often an operation was answered with that status.
    pub fn count(&self, operation: &str, status: u16) -> u64 {
        let met = self.reached.iter().filter(|one| one.operation == operation && one.status == status);
        met.map(|one| one.count).sum()
    }

    /// Every operation of the service with the statuses that it can answer, and how often each was met.
    pub fn matrix(&self, registry: &Registry) -> Vec<(&'static str, Vec<(u16, u64)>)> {
        let operations = registry.operations().filter(|meta| meta.access != Access::Control);
        let row = |id, statuses: Vec<u16>| {
            let counted = statuses.into_iter().map(|status| (status, self.count(id, status)));
            (id, counted.collect())
        };
        operations.map(|meta| row(meta.id, meta.statuses())).collect()
    }

    /// The goals that were not met.
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

/// What calls ought to reach: `v1-get-project: 404`, or `v1-get-project: 429 then 200`, where the second is what the same
/// caller's next call of the operation comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The operation's id.
    pub operation: String,
    /// A status.
    pub status: u16,
    /// The status that comes next.
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

impl Simulator {
    /// What the calls of this world have reached, those included that the journal has dropped.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = self.read(Coverage::read);
        coverage.merge(self.beside().map(Simulator::coverage).unwrap_or_default());
        coverage
    }
}
