//! Background work of a branch after it was created, pushed or reset: its project comes up, migrations run,
//! functions are deployed.

use serde::Serialize;
use sim_base::{Cx, FromJson, Task, ToSchema, micros};

use crate::action;
use crate::branch::{self, Branch};
use crate::branch_merge;
use crate::lifecycles;
use crate::migration;
use crate::outcome::{self, Ending, Work};
use crate::project::{Event, Row as Project, Step};
use crate::text_of;
use crate::v2::webhooks::event;

/// The progress of a branch's migrations and functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum BranchStatus {
    CreatingProject,
    RunningMigrations,
    MigrationsPassed,
    MigrationsFailed,
    FunctionsDeployed,
    FunctionsFailed,
}

/// What can happen to a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum BranchEvent {
    ProjectReady,
    PassMigrations,
    FailMigrations,
    DeployFunctions,
    FailFunctions,
    Rerun,
}

impl BranchEvent {
    /// Every event.
    pub const ALL: [BranchEvent; 6] = {
        use BranchEvent::*;
        [ProjectReady, PassMigrations, FailMigrations, DeployFunctions, FailFunctions, Rerun]
    };
}

impl BranchStatus {
    /// Every status.
    pub const ALL: [BranchStatus; 6] = {
        use BranchStatus::*;
        [
            CreatingProject,
            RunningMigrations,
            MigrationsPassed,
            MigrationsFailed,
            FunctionsDeployed,
            FunctionsFailed,
        ]
    };

    /// The whole lifecycle of a branch. `None`: the event does not apply in this state.
    pub const fn on(self, event: BranchEvent) -> Option<BranchStatus> {
        use BranchEvent::*;
        use BranchStatus::*;
        Some(match (self, event) {
            (CreatingProject, ProjectReady) => RunningMigrations,
            (RunningMigrations, PassMigrations) => MigrationsPassed,
            (RunningMigrations, FailMigrations) => MigrationsFailed,
            (MigrationsPassed, DeployFunctions) => FunctionsDeployed,
            (MigrationsPassed, FailFunctions) => FunctionsFailed,
            (
                CreatingProject | RunningMigrations | MigrationsPassed | MigrationsFailed | FunctionsDeployed
                | FunctionsFailed,
                Rerun,
            ) => RunningMigrations,
            (CreatingProject, PassMigrations | FailMigrations | DeployFunctions | FailFunctions)
            | (RunningMigrations, ProjectReady | DeployFunctions | FailFunctions)
            | (MigrationsPassed, ProjectReady | PassMigrations | FailMigrations)
            | (
                MigrationsFailed | FunctionsDeployed | FunctionsFailed,
                ProjectReady | PassMigrations | FailMigrations | DeployFunctions | FailFunctions,
            ) => return None,
        })
    }
}

/// The purpose of a run on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum RunKind {
    Create,
    Push,
    Reset,
    Merge,
}

/// A run on a branch; all its steps carry this value.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Run {
    id: String,
    kind: RunKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    migration_version: Option<String>,
}

/// Background work that does one step of a branch.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct BranchStep {
    branch: String,
    run: Run,
    event: BranchEvent,
}

/// A new branch: its project comes up, then the run starts.
pub(crate) fn begin(cx: &mut Cx<'_>, branch: &Branch, own: &Project) {
    let parent = own.branch_of.as_deref().unwrap_or_default();
    let end = outcome::of_branch(cx, parent, &own.r#ref, cx.policy.durations.branch_step_ms);
    end.schedule(cx, &Step::to(own, end.pick(Event::FinishCreate, Event::FailCreate)));
    let run = Run { id: new_id(cx), kind: RunKind::Create, migration_version: None };
    action::begin(cx, &run.id, branch, RunKind::Create);
    end.schedule(cx, &BranchStep { branch: branch.id.clone(), run, event: BranchEvent::ProjectReady });
}

/// Starts a run, which replaces a run in progress; returns its UUID.
pub(crate) fn rerun(
    cx: &Cx<'_>,
    branch: &Branch,
    kind: RunKind,
    migration_version: Option<String>,
) -> String {
    let run = Run { id: new_id(cx), kind, migration_version };
    let id = run.id.clone();
    set(cx, branch, branch.status.on(BranchEvent::Rerun).expect("a branch can always be run again"));
    action::begin(cx, &id, branch, kind);
    run_migrations(cx, branch, run);
    id
}

/// Sets a branch's status; cancels work in progress.
pub(crate) fn set(cx: &Cx<'_>, branch: &Branch, status: BranchStatus) {
    cx.cancel::<BranchStep>(&branch.id);
    action::break_off(cx, &branch.id);
    store(cx, &branch.id, status);
}

fn new_id(cx: &Cx<'_>) -> String {
    cx.rng.uuid("workflow run").to_string()
}

fn run_migrations(cx: &Cx<'_>, branch: &Branch, run: Run) {
    let end = ending(cx, branch, Work::BranchMigrations);
    let event = end.pick(BranchEvent::PassMigrations, BranchEvent::FailMigrations);
    end.schedule(cx, &BranchStep { branch: branch.id.clone(), run, event });
}

/// The result of a step of the branch.
fn ending(cx: &Cx<'_>, branch: &Branch, work: Work) -> Ending {
    outcome::of(cx, work, &branch.project_ref.0, cx.policy.durations.branch_step_ms)
}

fn store(cx: &Cx<'_>, branch: &str, status: BranchStatus) {
    let sql = "UPDATE branch SET status = ?2, updated_at = ?3 WHERE id = ?1";
    cx.db.run(sql, (branch, text_of(&status), micros(cx.now)));
    event::branch_updated(cx, branch);
}

impl BranchStep {
    fn migrate(&self, cx: &Cx<'_>, branch: &Branch) -> bool {
        migration::run(cx, branch, self.run.kind, self.run.migration_version.as_deref())
    }

    fn deploy(&self, cx: &Cx<'_>, branch: &Branch) -> bool {
        self.run.kind != RunKind::Merge || branch_merge::deploy_functions(cx, branch)
    }
}

impl Task for BranchStep {
    const KIND: &'static str = "branch";
    const NAME: Option<&'static str> = Some("SELECT name FROM branch WHERE id = ?1");

    fn subject(&self) -> &str {
        &self.branch
    }

    fn step(&self) -> Option<sim_base::jobs::Step> {
        lifecycles::step(self.event, &BranchStatus::ALL, BranchStatus::on)
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        // It is deleted with its project.
        let Some(branch) = branch::find(cx, &self.branch) else { return "gone".to_owned() };
        let up = branch::project_of(cx, &branch).status.is_active();
        let event = match self.event {
            // If its project is not up, the branch keeps its status until another run is requested.
            BranchEvent::ProjectReady if !up => return text_of(&branch.status),
            BranchEvent::PassMigrations if !(up && self.migrate(cx, &branch)) => BranchEvent::FailMigrations,
            BranchEvent::DeployFunctions if !(up && self.deploy(cx, &branch)) => BranchEvent::FailFunctions,
            event => event,
        };
        let next = branch.status.on(event).expect("a step that no longer applies is cancelled");
        store(cx, &branch.id, next);
        action::reach(cx, &self.run.id, next);
        match next {
            BranchStatus::RunningMigrations => run_migrations(cx, &branch, self.run),
            BranchStatus::MigrationsPassed => {
                let end = ending(cx, &branch, Work::BranchFunctions);
                let event = end.pick(BranchEvent::DeployFunctions, BranchEvent::FailFunctions);
                end.schedule(cx, &BranchStep { event, ..self });
            }
            BranchStatus::CreatingProject
            | BranchStatus::MigrationsFailed
            | BranchStatus::FunctionsDeployed
            | BranchStatus::FunctionsFailed => {}
        }
        text_of(&next)
    }
}
