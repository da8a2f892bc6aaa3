//! How background work ends: as the policy says for its kind, or as was decided for the next piece of work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Access, Cx, Empty, Error, Meta, Operation, Outcome, Outcomes, Resource, View, put, view};

use crate::text_of;

operations![SetNextOutcome];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE next_outcome (work TEXT PRIMARY KEY, outcome TEXT NOT NULL) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "next_outcome",
    "How the next work of a kind is to end.",
    "SELECT work, outcome FROM next_outcome",
)];

/// Decide how the next piece of background work of a kind ends. It is used up by that one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetNextOutcome {
    /// The kind of work.
    pub work: Work,
    /// How the next one ends.
    pub outcome: Outcome,
}

impl Operation for SetNextOutcome {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-next-outcome", "/_sim/outcomes/{work}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let sql = "INSERT INTO next_outcome VALUES (?1, ?2) ON CONFLICT DO UPDATE SET outcome = ?2";
        cx.db.run(sql, (text_of(&self.work), text_of(&self.outcome)));
        Ok(Empty {})
    }
}

/// Background work whose end can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Work {
    Create,
    Pause,
    Restore,
    Upgrade,
    BranchMigrations,
    BranchFunctions,
    PitrRestore,
    Replica,
    Certificate,
}

/// `good` or `bad`: the decision for the next work of this kind, else the policy's for all.
pub(crate) fn choose<T>(cx: &Cx<'_>, work: Work, good: T, bad: T) -> T {
    let work_name = text_of(&work);
    let sql = "SELECT outcome FROM next_outcome WHERE work = ?1";
    let next = cx.db.maybe(sql, (&work_name,), |row| row.get::<_, String>(0));
    if next.is_some() {
        cx.db.run("DELETE FROM next_outcome WHERE work = ?1", (&work_name,));
    }
    let Outcomes { create, pause, restore, upgrade, .. } = cx.policy.outcomes;
    let Outcomes { branch_migrations, branch_functions, pitr_restore, replica, certificate, .. } =
        cx.policy.outcomes;
    let always = match work {
        Work::Create => create,
        Work::Pause => pause,
        Work::Restore => restore,
        Work::Upgrade => upgrade,
        Work::BranchMigrations => branch_migrations,
        Work::BranchFunctions => branch_functions,
        Work::PitrRestore => pitr_restore,
        Work::Replica => replica,
        Work::Certificate => certificate,
    };
    let fails = next.map_or(always == Outcome::Fail, |text| text == text_of(&Outcome::Fail));
    if fails { bad } else { good }
}
