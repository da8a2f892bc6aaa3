//! Results of background work: decided by the policy for its kind, for a project, or for the next piece of work.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, Meta, New, Operation, Outcome, Outcomes, Resource, Task, View, put, view,
};

use crate::backup;
use crate::project::{self, ProjectRef, Row, Status};
use crate::{named, text_of};

operations![SetNextOutcome];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE next_outcome (
        id INTEGER PRIMARY KEY,
        work TEXT NOT NULL,
        project TEXT REFERENCES project (ref) ON DELETE CASCADE,
        outcome TEXT NOT NULL,
        after_ms INTEGER,
        lasting INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX next_outcome_by_project ON next_outcome (project, work);
";

pub(crate) const VIEWS: &[View] = &[view(
    "next_outcome",
    "The decided result of the next work of a kind, for any project or one; with `lasting`, of all such work.",
    "SELECT work, project, outcome, after_ms, lasting FROM next_outcome ORDER BY id",
)];

/// Decide how the next piece of background work of a kind ends, and when. The decision is used once.
///
/// A decision for a project takes precedence over one for all projects. While work never ends, its project, branch or replica
/// does not change. A decision about `backup` is about the next daily backup of its project. `branch_create` is about a new branch
/// of its project; without such a decision, one about `create` is used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetNextOutcome {
    /// The kind of work.
    pub work: Work,
    /// The result of the next work of that kind.
    pub outcome: Outcome,
    /// Its duration in milliseconds of simulated time; the usual duration by default. At the instant pace it takes no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 31_536_000_000_u64))]
    pub after_ms: Option<u64>,
    /// Its project; any by default. The project of a branch's work is the branch's own project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectRef>,
    /// Whether the decision applies to all work of that kind, until the next decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasting: Option<bool>,
}

impl SetNextOutcome {
    /// The next work of that kind, on any project.
    pub fn of(work: Work, outcome: Outcome) -> SetNextOutcome {
        SetNextOutcome::new(work, outcome)
    }
}

impl Operation for SetNextOutcome {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-next-outcome", "/_sim/outcomes/{work}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = match &self.project {
            Some(project) => {
                let project = project::load(cx, project)?;
                self.work.check_project(&project)?;
                Some(project.r#ref)
            }
            None => None,
        };
        if self.outcome == Outcome::Never && self.after_ms.is_some() {
            let text = "after_ms: can't be given for work that never ends";
            return Err(Error::invalid("invalid_body.after_ms", text));
        }
        if self.work == Work::Backup {
            return self.decide_backup(cx);
        }
        let work = text_of(&self.work);
        if self.outcome == Outcome::Fail && !self.work.can_fail() {
            let text = format!("outcome: {work} can't fail, it succeeds or never ends");
            return Err(Error::invalid("invalid_body.outcome", text));
        }
        cx.db.run("DELETE FROM next_outcome WHERE project IS ?1 AND work = ?2", (&project, &work));
        let sql = "INSERT INTO next_outcome (work, project, outcome, after_ms, lasting) VALUES (?1, ?2, ?3, ?4, ?5)";
        let lasting = self.lasting.unwrap_or(false);
        let after_ms = self.after_ms.map(u64::cast_signed);
        cx.db.run(sql, (work, project, text_of(&self.outcome), after_ms, lasting));
        Ok(Empty {})
    }
}

impl SetNextOutcome {
    fn decide_backup(self, cx: &Cx<'_>) -> Result<Empty, Error> {
        let Some(project) = self.project.filter(|_| self.lasting != Some(true)) else {
            let text = "project: a decision about a backup is for the next one of a project; the policy decides for all";
            return Err(Error::invalid("invalid_body.project", text));
        };
        let project = project::load(cx, &project)?;
        let usual_ms = cx.policy.durations.backup_ms;
        backup::decide_next(cx, &project, self.outcome, self.after_ms.unwrap_or(usual_ms))?;
        Ok(Empty {})
    }
}

/// Background work whose result can be decided.
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
    Deploy,
    Restart,
    Resize,
    Delete,
    RestorePoint,
    ApplyRestrictions,
    HostnameVerification,
    ReplicaRemoval,
    BranchRemoval,
    Accept,
    BranchCreate,
    Backup,
}

impl Work {
    /// Refuses a project that never does such work.
    fn check_project(self, project: &Row) -> Result<(), Error> {
        let (is_branch, is_new) = (project.branch_of.is_some(), project.status == Status::Unknown);
        let problem = match self {
            Work::Accept => "has been accepted; leave it out, and the decision is about the next new project",
            Work::Create if !is_new => {
                "is created already; leave it out, and the decision is about the next new project"
            }
            Work::BranchMigrations | Work::BranchFunctions | Work::BranchRemoval if !is_branch => {
                "is not that of a branch"
            }
            Work::BranchCreate if is_branch => "is that of a branch, which has no branches",
            _ => return Ok(()),
        };
        Err(Error::invalid("invalid_body.project", format!("project: {problem}")))
    }

    /// Whether there is a state after a failure of such work.
    const fn can_fail(self) -> bool {
        match self {
            Work::Create
            | Work::Pause
            | Work::Restore
            | Work::Upgrade
            | Work::BranchMigrations
            | Work::BranchFunctions
            | Work::PitrRestore
            | Work::Replica
            | Work::Certificate
            | Work::Deploy
            | Work::BranchCreate
            | Work::Backup => true,
            Work::Restart
            | Work::Resize
            | Work::Delete
            | Work::RestorePoint
            | Work::ApplyRestrictions
            | Work::HostnameVerification
            | Work::ReplicaRemoval
            | Work::BranchRemoval
            | Work::Accept => false,
        }
    }
}

/// The result of a piece of work, and its duration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    outcome: Outcome,
    wait: Duration,
}

impl Ending {
    /// Success after this many milliseconds.
    pub(crate) const fn usual(wait_ms: u64) -> Ending {
        Ending { outcome: Outcome::Succeed, wait: Duration::from_millis(wait_ms) }
    }

    /// `bad` for a failure, otherwise `good`.
    pub(crate) fn pick<T>(self, good: T, bad: T) -> T {
        if self.outcome == Outcome::Fail { bad } else { good }
    }

    /// How long the work takes; `None` if it never ends.
    pub(crate) fn wait(self) -> Option<Duration> {
        (self.outcome != Outcome::Never).then_some(self.wait)
    }

    /// Schedules the end of the work, unless it never ends.
    pub(crate) fn schedule(self, cx: &Cx<'_>, task: &impl Task) {
        if let Some(wait) = self.wait() {
            cx.after(wait, task);
        }
    }
}

/// The result of work on that project: the decision for the project, or for the next work of the kind, or else the policy.
/// `usual_ms` is its duration unless one was decided.
pub(crate) fn of(cx: &Cx<'_>, work: Work, project: &str, usual_ms: u64) -> Ending {
    let decided = take(cx, work, Some(project)).or_else(|| take(cx, work, None));
    decided.map_or_else(
        || Ending { outcome: always(&cx.policy.outcomes, work), ..Ending::usual(usual_ms) },
        |(outcome, after_ms)| Ending { outcome, ..Ending::usual(after_ms.unwrap_or(usual_ms)) },
    )
}

/// The result of the creation of a branch of `parent`, with its own project.
pub(crate) fn of_branch(cx: &Cx<'_>, parent: &str, own: &str, usual_ms: u64) -> Ending {
    let decided = take(cx, Work::BranchCreate, Some(parent)).or_else(|| take(cx, Work::BranchCreate, None));
    match decided {
        Some((outcome, after_ms)) => Ending { outcome, ..Ending::usual(after_ms.unwrap_or(usual_ms)) },
        None => of(cx, Work::Create, own, usual_ms),
    }
}

/// The result of the acceptance of a project that is not there yet.
pub(crate) fn of_acceptance(cx: &Cx<'_>) -> Ending {
    let usual_ms = cx.policy.durations.accept_ms;
    take(cx, Work::Accept, None).map_or_else(
        || Ending { outcome: cx.policy.outcomes.accept.into(), ..Ending::usual(usual_ms) },
        |(outcome, after_ms)| Ending { outcome, ..Ending::usual(after_ms.unwrap_or(usual_ms)) },
    )
}

/// The decision for a project, or for any project if there is none. It is deleted unless it applies to all work of its kind.
fn take(cx: &Cx<'_>, work: Work, project: Option<&str>) -> Option<(Outcome, Option<u64>)> {
    let sql = "SELECT id, outcome, after_ms, lasting FROM next_outcome WHERE project IS ?1 AND work = ?2";
    let (id, outcome, after_ms, lasting) = cx.db.maybe(sql, (project, text_of(&work)), |row| {
        let after_ms = row.get::<_, Option<i64>>(2)?.map(i64::unsigned_abs);
        Ok((row.get::<_, i64>(0)?, named(row.get_ref(1)?.as_str()?), after_ms, row.get::<_, bool>(3)?))
    })?;
    if !lasting {
        cx.db.run("DELETE FROM next_outcome WHERE id = ?1", (id,));
    }
    Some((outcome, after_ms))
}

fn always(outcomes: &Outcomes, work: Work) -> Outcome {
    match work {
        // Unless decided otherwise, the project of a branch is created like any other.
        Work::Create | Work::BranchCreate => outcomes.create,
        Work::Pause => outcomes.pause,
        Work::Restore => outcomes.restore,
        Work::Upgrade => outcomes.upgrade,
        Work::BranchMigrations => outcomes.branch_migrations,
        Work::BranchFunctions => outcomes.branch_functions,
        Work::PitrRestore => outcomes.pitr_restore,
        Work::Replica => outcomes.replica,
        Work::Certificate => outcomes.certificate,
        Work::Deploy => outcomes.deploy,
        Work::Restart => outcomes.restart.into(),
        Work::Resize => outcomes.resize.into(),
        Work::Delete => outcomes.delete.into(),
        Work::RestorePoint => outcomes.restore_point.into(),
        Work::ApplyRestrictions => outcomes.apply_restrictions.into(),
        Work::HostnameVerification => outcomes.hostname_verification.into(),
        Work::ReplicaRemoval => outcomes.replica_removal.into(),
        Work::BranchRemoval => outcomes.branch_removal.into(),
        Work::Accept => outcomes.accept.into(),
        Work::Backup => outcomes.backup,
    }
}
