//! Results of background work: decided by the policy for its kind, for a project, or for the next piece of work.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Db, Empty, Error, FromJson, Kind, Meta, New, Operation, Outcome, Outcomes, Resource, Task,
    Timestamp, ToSchema, View, delete, from_micros, get, micros, put, view,
};

use crate::backup;
use crate::project::{self, ProjectRef, Row, Status};
use crate::{named, text_of};

operations![SetNextOutcome, ListNextOutcomes, DeleteNextOutcome];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE next_outcome (
        id INTEGER PRIMARY KEY,
        work TEXT NOT NULL,
        project TEXT REFERENCES project (ref) ON DELETE CASCADE,
        outcome TEXT NOT NULL,
        after_ms INTEGER,
        lasting INTEGER NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        due_at INTEGER,
        set_by_call INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX next_outcome_by_project ON next_outcome (project, work);
";

pub(crate) const VIEWS: &[View] = &[view(
    "next_outcome",
    "The decided result of the next work of a kind, for any project or one; with `lasting`, of all such work.",
    "SELECT work, project, outcome, after_ms, lasting, used, due_at, set_by_call FROM next_outcome ORDER BY work, id",
)];

/// A decision about work to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NextOutcome {
    /// The kind of work.
    pub work: Work,
    /// The result of the next work of that kind, or of all with `lasting`.
    pub outcome: Outcome,
    /// Its duration in milliseconds, if that was decided, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
    /// The project that it is about; any project if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Whether it applies to all work of that kind.
    pub lasting: bool,
    /// How often it was used: 0 unless it is lasting, because others end with their use.
    pub used: u64,
    /// When the daily backup that it is about is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub due_at: Option<Timestamp>,
    /// The number of the call that decided it; 0 for the world's start.
    pub set_by_call: u64,
}

impl fmt::Display for NextOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let which = if self.lasting { "each" } else { "the next" };
        let ends = match self.outcome {
            Outcome::Succeed => "succeeds",
            Outcome::Fail => "fails",
            Outcome::Never => "never ends",
        };
        write!(f, "{which} {}", text_of(&self.work))?;
        self.project.iter().try_for_each(|project| write!(f, " of project {project}"))?;
        write!(f, " {ends}")?;
        self.after_ms.iter().try_for_each(|ms| write!(f, " after {ms} ms"))
    }
}

/// Decide how the next piece of background work of a kind ends, and when. The decision is used once.
///
/// A decision for a project takes precedence over one for all projects. While work never ends, its project, branch or replica
/// does not change. A decision about `backup` is about the next daily backup of its project. `branch_create` is about a new branch
/// of its project; without such a decision, one about `create` is used.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
        self.store(cx, project.as_deref(), None);
        Ok(Empty {})
    }
}

impl SetNextOutcome {
    /// Replaces the decision about that work.
    fn store(&self, cx: &Cx<'_>, project: Option<&str>, due_at: Option<i64>) {
        let work = text_of(&self.work);
        remove(cx, &work, project);
        let sql = "INSERT INTO next_outcome (work, project, outcome, after_ms, lasting, due_at, set_by_call)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let lasting = self.lasting.unwrap_or(false);
        let (outcome, after_ms) = (text_of(&self.outcome), self.after_ms.map(u64::cast_signed));
        cx.db.run(sql, (work, project, outcome, after_ms, lasting, due_at, cx.call.cast_signed()));
    }

    fn decide_backup(self, cx: &Cx<'_>) -> Result<Empty, Error> {
        let Some(project) = self.project.as_ref().filter(|_| self.lasting != Some(true)) else {
            let text = "project: a decision about a backup is for the next one of a project; the policy decides for all";
            return Err(Error::invalid("invalid_body.project", text));
        };
        let project = project::load(cx, project)?;
        let usual_ms = cx.policy.durations.backup_ms;
        let at = backup::decide_next(cx, &project, self.outcome, self.after_ms.unwrap_or(usual_ms))?;
        self.store(cx, Some(&project.r#ref), Some(at));
        Ok(Empty {})
    }
}

/// List the decisions about work to come, by kind of work.
///
/// A decision that was used is gone, unless it is lasting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema, New)]
pub struct ListNextOutcomes {}

impl Operation for ListNextOutcomes {
    type Output = Vec<NextOutcome>;
    const META: Meta = Meta { access: Access::Control, ..get("sim-list-next-outcomes", "/_sim/outcomes") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<NextOutcome>, Error> {
        Ok(pending(cx.db, cx.now).into_iter().filter(|one| one.counts(cx)).collect())
    }
}

impl NextOutcome {
    /// Whether it is about work after `now`. One about a daily backup is used when its time has come.
    pub fn is_pending(&self, now: Timestamp) -> bool {
        self.due_at.is_none_or(|due| due > now)
    }

    /// Whether it still counts. Decisions about backups lapse with the plan that has backups.
    fn counts(&self, cx: &Cx<'_>) -> bool {
        let (Some(project), Some(at)) = (&self.project, self.due_at.map(micros)) else { return true };
        backup::decided(cx, project, at - 1).iter().any(|one| one.at == at)
    }
}

/// Take back the decision about the next work of a kind: it ends as usual.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct DeleteNextOutcome {
    /// The kind of work.
    pub work: Work,
    /// The project of the decision; by default the decision for any project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectRef>,
}

impl Operation for DeleteNextOutcome {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        query: &["project"],
        ..delete("sim-delete-next-outcome", "/_sim/outcomes/{work}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = self.project.as_ref().map(|project| &*project.0);
        let found = pending(cx.db, cx.now)
            .into_iter()
            .find(|one| one.work == self.work && one.project.as_deref() == project && one.counts(cx));
        let Some(found) = found else {
            let of = project.map(|project| format!(" of project {project}")).unwrap_or_default();
            let text = format!(
                "There is no decision about the next {}{of}; GET /_sim/outcomes lists them",
                text_of(&self.work)
            );
            return Err(Error::new(Kind::NotFound, "outcome_not_found", text));
        };
        if let (Some(project), Some(at)) = (&found.project, found.due_at) {
            backup::undecide(cx, project, micros(at));
        }
        remove(cx, &text_of(&self.work), project);
        Ok(Empty {})
    }
}

fn remove(cx: &Cx<'_>, work: &str, project: Option<&str>) {
    cx.db.run("DELETE FROM next_outcome WHERE project IS ?1 AND work = ?2", (project, work));
}

/// Drops the decision about the backup of that time, which was decided in another way.
pub(crate) fn drop_backup(cx: &Cx<'_>, project: &str, at: i64) {
    let sql = "DELETE FROM next_outcome WHERE project = ?1 AND work = 'backup' AND due_at = ?2";
    cx.db.run(sql, (project, at));
}

/// The decisions about work to come, by kind of work.
fn pending(db: Db<'_>, now: Timestamp) -> Vec<NextOutcome> {
    let sql = "SELECT work, outcome, after_ms, project, lasting, used, due_at, set_by_call FROM next_outcome
               ORDER BY work, id";
    let all = db.all(sql, (), |row| {
        Ok(NextOutcome {
            work: named(row.get_ref(0)?.as_str()?),
            outcome: named(row.get_ref(1)?.as_str()?),
            after_ms: row.get::<_, Option<i64>>(2)?.map(i64::unsigned_abs),
            project: row.get(3)?,
            lasting: row.get(4)?,
            used: row.get::<_, i64>(5)?.unsigned_abs(),
            due_at: row.get::<_, Option<i64>>(6)?.map(from_micros),
            set_by_call: row.get::<_, i64>(7)?.unsigned_abs(),
        })
    });
    all.into_iter().filter(|one| one.is_pending(now)).collect()
}

/// The decisions that no work has used, for people to read.
pub(crate) fn unused(db: Db<'_>, now: Timestamp) -> Vec<String> {
    let unused = pending(db, now).into_iter().filter(|one| one.used == 0);
    unused.map(|one| format!("the decision of call {} that {one}", one.set_by_call)).collect()
}

/// Background work whose result can be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
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
    /// Every kind.
    pub const ALL: [Work; 21] = {
        use Work::*;
        [
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
        ]
    };

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
    let use_up = match lasting {
        true => "UPDATE next_outcome SET used = used + 1 WHERE id = ?1",
        false => "DELETE FROM next_outcome WHERE id = ?1",
    };
    cx.db.run(use_up, (id,));
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
