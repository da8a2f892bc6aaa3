//! `/v1/projects/{ref}/actions`: the runs of branches, step by step: the effects of a build on them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Payload, Resource, Role, Scope, Timestamp, ToSchema,
    View, from_micros, get, micros, patch, view,
};
use uuid::Uuid;

use crate::branch::Branch;
use crate::branch_config::Okay;
use crate::branch_workflow::{BranchStatus, RunKind};
use crate::project::{self, ProjectRef, Row as Project};
use crate::text_of;

operations![ListActionRuns, GetActionRun, GetActionRunLogs, UpdateActionRun];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE action_run (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        branch TEXT NOT NULL,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        parent TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        check_run_id INTEGER,
        steps TEXT NOT NULL,
        log TEXT NOT NULL,
        made INTEGER NOT NULL,
        changed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX action_run_by_project ON action_run (project, seq);
    CREATE INDEX action_run_by_parent ON action_run (parent, seq);
    CREATE INDEX action_run_by_branch ON action_run (branch, seq);
";

pub(crate) const VIEWS: &[View] = &[view(
    "action_run",
    "A run of a branch: `project` is the branch's own.",
    "SELECT id, branch, project, parent, check_run_id, steps, made, changed FROM action_run ORDER BY seq",
)];

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepName {
    /// The code is fetched.
    Clone,
    /// The branch's configuration is read.
    Pull,
    /// The branch's project comes up.
    Health,
    /// Its services are configured.
    Configure,
    /// Migrations run.
    Migrate,
    /// It is filled by the seed.
    Seed,
    /// Functions are deployed.
    Deploy,
}

impl StepName {
    const ALL: [StepName; 7] = {
        use StepName::*;
        [Clone, Pull, Health, Configure, Migrate, Seed, Deploy]
    };
}

/// The status of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum StepStatus {
    /// It has not started.
    Created,
    /// It has failed or was cancelled.
    Dead,
    /// It is done.
    Exited,
    /// It was paused.
    Paused,
    /// It is being removed.
    Removing,
    /// It starts again.
    Restarting,
    /// It is running.
    Running,
}

/// A step of a run, and its status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RunStep {
    /// The name.
    pub name: StepName,
    /// Its status.
    pub status: StepStatus,
    /// When the run started.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// The time of the last change.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// A run of a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ActionRun {
    /// UUID.
    pub id: String,
    /// UUID of the branch.
    pub branch_id: String,
    /// Its steps, in order.
    pub run_steps: Vec<RunStep>,
    /// The folder of the code; always `null` here.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub workdir: Option<String>,
    /// The check of its pull request.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub check_run_id: Option<i64>,
    /// How the code is fetched; always absent here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_config: Option<Value>,
    /// When it started.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last updated.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// Runs of branches, and their number on all pages: the `x-total-count` header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct ActionRuns {
    /// The newest first.
    pub runs: Vec<ActionRun>,
    #[serde(skip)]
    total: u64,
}

/// List the runs of a project's branches, or of the branch if the project is one, the newest first.
///
/// The header `x-total-count` has their number.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListActionRuns {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The number of items to skip; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = i64::MAX))]
    pub offset: Option<i64>,
    /// The maximum number of items; 20 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 10, max = 100))]
    pub limit: Option<u32>,
}

impl Operation for ListActionRuns {
    type Output = ActionRuns;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["offset", "limit"],
        scope: Some(Scope("environment:read")),
        also: &[500],
        failure: "Failed to list action runs",
        head: Some("v1-count-action-runs"),
        ..get("v1-list-action-runs", "/v1/projects/{ref}/actions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ActionRuns, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT count(*) FROM action_run WHERE project = ?1 OR parent = ?1";
        let total = cx.db.one(sql, (&project.r#ref,), |row| row.get::<_, i64>(0)).unsigned_abs();
        let sql = format!(
            "SELECT {COLUMNS} FROM action_run WHERE project = ?1 OR parent = ?1 ORDER BY seq DESC LIMIT ?2 OFFSET ?3"
        );
        let key = (&project.r#ref, self.limit.unwrap_or(20), self.offset.unwrap_or(0));
        Ok(ActionRuns { runs: cx.db.all(&sql, key, read), total })
    }

    fn payload(output: &ActionRuns) -> Payload {
        let headers = vec![("x-total-count", output.total.to_string())];
        Payload { headers, ..Payload::json(output) }
    }
}

/// Get a run of a branch.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetActionRun {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The run's UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub run_id: Uuid,
}

impl Operation for GetActionRun {
    type Output = ActionRun;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("environment:read")),
        also: &[500],
        failure: "Failed to get action run status",
        ..get("v1-get-action-run", "/v1/projects/{ref}/actions/{run_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ActionRun, Error> {
        let project = project::load(cx, &self.r#ref)?;
        load(cx, &project, &self.run_id)
    }
}

/// The log of a run, with one line for each event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct RunLog(pub String);

/// Get the log of a branch's run.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetActionRunLogs {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The run's UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub run_id: Uuid,
}

impl Operation for GetActionRunLogs {
    type Output = RunLog;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("environment:read")),
        produces: &["text/plain"],
        also: &[500],
        failure: "Failed to get action run logs",
        ..get("v1-get-action-run-logs", "/v1/projects/{ref}/actions/{run_id}/logs")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RunLog, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = load(cx, &project, &self.run_id)?;
        let sql = "SELECT log FROM action_run WHERE id = ?1";
        Ok(RunLog(cx.db.one(sql, (found.id,), |row| row.get(0))))
    }

    fn payload(output: &RunLog) -> Payload {
        Payload::text(&output.0)
    }
}

/// Set the status of a run's steps, as the build does. Omitted steps do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateActionRun {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The run's UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub run_id: Uuid,
    /// The status of fetching the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clone: Option<StepStatus>,
    /// The status of reading the branch's configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull: Option<StepStatus>,
    /// The status of starting the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<StepStatus>,
    /// The status of configuring its services.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configure: Option<StepStatus>,
    /// The status of the migrations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migrate: Option<StepStatus>,
    /// The status of the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<StepStatus>,
    /// The status of deploying functions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deploy: Option<StepStatus>,
}

/// The status of the steps was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct UpdatedRun {
    /// `ok`.
    pub message: Okay,
}

impl Operation for UpdateActionRun {
    type Output = UpdatedRun;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[500],
        failure: "Failed to update action run status",
        ..patch("v1-update-action-run-status", "/v1/projects/{ref}/actions/{run_id}/status")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<UpdatedRun, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mut found = load(cx, &project, &self.run_id)?;
        let given =
            [self.clone, self.pull, self.health, self.configure, self.migrate, self.seed, self.deploy];
        for (name, status) in StepName::ALL.into_iter().zip(given) {
            if let Some(status) = status {
                found.set(cx, name, status);
            }
        }
        found.store(cx);
        Ok(UpdatedRun { message: Okay::Ok })
    }
}

/// Starts a run: with its first step for a new branch, otherwise with the migrations. Ends a run that is in progress.
pub(crate) fn begin(cx: &Cx<'_>, id: &str, branch: &Branch, kind: RunKind) {
    break_off(cx, &branch.id);
    let step = |name| RunStep { name, status: StepStatus::Created, created_at: cx.now, updated_at: cx.now };
    let steps = serde_json::to_string(&StepName::ALL.map(step)).expect("steps are plain data");
    let sql = "INSERT INTO action_run (id, branch, project, parent, check_run_id, steps, log, made, changed)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
    let (own, parent) = (&branch.project_ref.0, &branch.parent_project_ref.0);
    let line = line(cx, &format!("{} {}", text_of(&kind), branch.name));
    let row = rusqlite::params![
        id,
        branch.id,
        own,
        parent,
        branch.latest_check_run_id,
        steps,
        line,
        micros(cx.now)
    ];
    cx.db.run(sql, row);
    let status = match kind {
        RunKind::Create => BranchStatus::CreatingProject,
        RunKind::Push | RunKind::Reset | RunKind::Merge => BranchStatus::RunningMigrations,
    };
    reach(cx, id, status);
}

/// A run has brought its branch to a status: the steps before the next one are done.
pub(crate) fn reach(cx: &Cx<'_>, id: &str, status: BranchStatus) {
    use StepStatus::{Created, Dead, Exited, Running};
    let sql = format!("SELECT {COLUMNS} FROM action_run WHERE id = ?1");
    // A run from before runs were stored has no row.
    let Some(mut found) = cx.db.maybe(&sql, (id,), read) else { return };
    let (at, is_failed) = match status {
        BranchStatus::CreatingProject => (Some(StepName::Health), false),
        BranchStatus::RunningMigrations => (Some(StepName::Migrate), false),
        BranchStatus::MigrationsFailed => (Some(StepName::Migrate), true),
        BranchStatus::MigrationsPassed => (Some(StepName::Deploy), false),
        BranchStatus::FunctionsFailed => (Some(StepName::Deploy), true),
        BranchStatus::FunctionsDeployed => (None, false),
    };
    for name in StepName::ALL {
        let status = match at {
            Some(at) if name > at => Created,
            Some(at) if name == at && is_failed => Dead,
            Some(at) if name == at => Running,
            _ => Exited,
        };
        found.set(cx, name, status);
    }
    found.store(cx);
    let sql = "UPDATE action_run SET log = log || ?2 WHERE id = ?1";
    cx.db.run(sql, (id, line(cx, &text_of(&status))));
}

/// Ends the current step of the branch's run.
pub(crate) fn break_off(cx: &Cx<'_>, branch: &str) {
    let sql = format!("SELECT {COLUMNS} FROM action_run WHERE branch = ?1 ORDER BY seq DESC LIMIT 1");
    let Some(mut last) = cx.db.maybe(&sql, (branch,), read) else { return };
    let running =
        last.run_steps.iter().filter(|step| step.status == StepStatus::Running).map(|step| step.name);
    for name in running.collect::<Vec<_>>() {
        last.set(cx, name, StepStatus::Dead);
    }
    last.store(cx);
}

fn line(cx: &Cx<'_>, text: &str) -> String {
    format!("{} {text}\n", cx.now)
}

impl ActionRun {
    fn set(&mut self, cx: &Cx<'_>, name: StepName, status: StepStatus) {
        let steps = self.run_steps.iter_mut().filter(|step| step.name == name && step.status != status);
        for step in steps {
            (step.status, step.updated_at, self.updated_at) = (status, cx.now, cx.now);
        }
    }

    fn store(&self, cx: &Cx<'_>) {
        let steps = serde_json::to_string(&self.run_steps).expect("steps are plain data");
        let sql = "UPDATE action_run SET steps = ?2, changed = ?3 WHERE id = ?1";
        cx.db.run(sql, (&self.id, steps, micros(self.updated_at)));
    }
}

const COLUMNS: &str = "id, branch, steps, check_run_id, made, changed";

/// The run with that UUID, of the project or of one of its branches, or 404.
fn load(cx: &Cx<'_>, project: &Project, id: &Uuid) -> Result<ActionRun, Error> {
    let sql = format!("SELECT {COLUMNS} FROM action_run WHERE (project = ?1 OR parent = ?1) AND id = ?2");
    let found = cx.db.maybe(&sql, (&project.r#ref, id.to_string()), read);
    found.ok_or_else(|| Error::not_found("action_run", &id.to_string()))
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<ActionRun> {
    Ok(ActionRun {
        id: row.get(0)?,
        branch_id: row.get(1)?,
        run_steps: serde_json::from_str(row.get_ref(2)?.as_str()?).expect("stored steps are steps"),
        workdir: None,
        git_config: None,
        check_run_id: row.get(3)?,
        created_at: from_micros(row.get(4)?),
        updated_at: from_micros(row.get(5)?),
    })
}
