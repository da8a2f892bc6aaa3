//! `/v1/projects/{ref}/branches` and `/v1/branches/{branch_id}`: copies of a project to try changes on, each a
//! project of its own. What happens to one after it was asked for is in `branch_workflow`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engine::{
    Access, Cx, Empty, Error, Kind, Meta, Operation, Profile, Resource, Role, Scope, Secret, TaskEntry,
    Timestamp, delete, from_micros, get, micros, patch, post, put,
};
use crate::operations;

use super::branch_workflow::{self as workflow, BranchStatus, BranchStep};
use super::catalog::{InstanceSize, PostgresEngine, Region, ReleaseChannel};
use super::organization::{self, Plan};
use super::project::{self, NewProject, ProjectRef, Row as Project, Status};
use super::{secret, text_of};

operations![
    CreateBranch,
    ListBranches,
    GetBranchConfig,
    UpdateBranchConfig,
    PushBranch,
    ResetBranch,
    DeleteBranch,
    DisableBranching,
    LinkPullRequest
];

pub(super) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<BranchStep>()] };

const TABLES: &str = "
    CREATE TABLE branch (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        project TEXT NOT NULL UNIQUE REFERENCES project (ref) ON DELETE CASCADE,
        parent TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        git_branch TEXT,
        is_default INTEGER NOT NULL,
        persistent INTEGER NOT NULL,
        pr_number INTEGER,
        latest_check_run_id INTEGER,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        UNIQUE (parent, name)
    ) STRICT;
";

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// UUID.
    pub id: String,
    /// Its name, unique in the project.
    pub name: String,
    /// The project that it is.
    pub project_ref: ProjectRef,
    /// The project that it is a branch of.
    pub parent_project_ref: ProjectRef,
    /// Whether it stands for the project itself.
    pub is_default: bool,
    /// The branch of the code that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Number of the pull request that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pr_number: Option<i64>,
    /// Number of the last check of that pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_check_run_id: Option<i64>,
    /// Whether it stays until it is told not to.
    pub persistent: bool,
    /// How far its migrations and functions are.
    pub status: BranchStatus,
    /// When it was made.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// How to reach a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BranchConfig {
    /// The project that it is.
    pub r#ref: ProjectRef,
    /// Version of Postgres.
    pub postgres_version: String,
    /// Major version of Postgres.
    pub postgres_engine: String,
    /// How settled that is.
    pub release_channel: String,
    /// Where that project stands in its life.
    pub status: Status,
    /// Host of its database.
    pub db_host: String,
    /// Port of its database.
    pub db_port: i64,
    /// Owner of its database; for developers and above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_user: Option<String>,
    /// The owner's password; for developers and above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_pass: Option<Secret>,
    /// What its tokens are signed with; for developers and above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwt_secret: Option<Secret>,
}

/// A branch's address: its UUID, or the reference of the project that it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct BranchId(
    #[schemars(
        regex(
            pattern = r"^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[a-z]{20})$"
        ),
        extend("x-rule" = "a UUID or a project reference")
    )]
    pub String,
);

impl From<&str> for BranchId {
    /// Takes the text as it is: one that is no address is refused by the call that it is used in.
    fn from(text: &str) -> BranchId {
        BranchId(text.to_owned())
    }
}

/// Create a branch.
///
/// The first of a project enables branching and adds the default branch, which is the project itself.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CreateBranch {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its name, unique in the project.
    #[schemars(length(min = 1))]
    pub branch_name: String,
    /// The branch of the code that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Whether it stays until it is told not to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// Where it will run; where the project does unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Size of the machine it will run on; micro unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_instance_size: Option<InstanceSize>,
    /// How settled its version may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_channel: Option<ReleaseChannel>,
    /// Major version of Postgres; the project's version unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postgres_engine: Option<PostgresEngine>,
    /// Secrets that it starts with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secrets: Option<BTreeMap<String, Secret>>,
}

impl CreateBranch {
    /// A preview branch of that name, with everything else as the project has it.
    pub fn named(r#ref: ProjectRef, name: &str) -> CreateBranch {
        CreateBranch {
            r#ref,
            branch_name: name.to_owned(),
            git_branch: None,
            persistent: None,
            region: None,
            desired_instance_size: None,
            release_channel: None,
            postgres_engine: None,
            secrets: None,
        }
    }
}

impl Operation for CreateBranch {
    type Output = Branch;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        check: Some(check),
        also: &[402, 422, 500],
        ..post("v1-create-a-branch", "/v1/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Branch, Error> {
        let parent = project::load(cx, &self.r#ref)?;
        require_plan(cx, &parent, "Branching")?;
        if parent.branch_of.is_some() {
            let text = "A branch can't have branches of its own.";
            return Err(Error::new(Kind::Unprocessable, "project_is_branch", text));
        }
        parent.require_active()?;
        if default_of(cx, &parent.r#ref).is_none() {
            insert_default(cx, &parent);
        }
        require_free_name(cx, &parent.r#ref, &self.branch_name, None)?;
        let own = self.insert_project(cx, &parent)?;
        if let Some(secrets) = &self.secrets {
            secret::set(cx, &own.r#ref, secrets)?;
        }
        let branch = New {
            project: &own.r#ref,
            parent: &parent.r#ref,
            name: &self.branch_name,
            git_branch: self.git_branch.as_deref(),
            is_default: false,
            persistent: self.persistent.unwrap_or(false),
            status: BranchStatus::CreatingProject,
        };
        let branch = branch.insert(cx);
        workflow::begin(cx, &branch, &own);
        Ok(branch)
    }
}

impl CreateBranch {
    fn insert_project(&self, cx: &Cx<'_>, parent: &Project) -> Result<Project, Error> {
        let region: Region = match &self.region {
            Some(region) => serde_json::from_value(region.as_str().into()).map_err(|_| {
                Error::invalid(
                    "invalid_body.region",
                    format!("region: {region} is none that projects run in"),
                )
            })?,
            None => serde_json::from_value(parent.region.as_str().into())
                .expect("stored regions are published ones"),
        };
        let plan = organization::load(cx, &parent.organization)?.plan;
        let db_pass = cx.rng.draw("branch password").hex::<16>();
        let new = NewProject {
            organization: &parent.organization,
            name: &self.branch_name,
            region,
            version: &self.version(cx, parent)?,
            size: InstanceSize::granted(plan, self.desired_instance_size),
            db_pass: &db_pass,
            branch_of: Some(&parent.r#ref),
        };
        Ok(new.insert(cx))
    }

    fn version(&self, cx: &Cx<'_>, parent: &Project) -> Result<crate::engine::PostgresVersion, Error> {
        if (self.postgres_engine, self.release_channel) == (None, None) {
            let [version, engine, release_channel] =
                [&parent.version, &parent.engine, &parent.release_channel].map(Clone::clone);
            return Ok(crate::engine::PostgresVersion { version, engine, release_channel });
        }
        let engine = self.postgres_engine.map_or(parent.engine.as_str(), |engine| engine.as_str());
        let channel = self.release_channel.map(|channel| text_of(&channel));
        let mut fitting = cx.profile.postgres_versions.iter().filter(|one| {
            one.engine == engine && channel.as_ref().is_none_or(|channel| *channel == one.release_channel)
        });
        fitting.next().cloned().ok_or_else(|| {
            let text = "postgres_engine: no version of this engine and release channel is on offer";
            Error::invalid("invalid_body.postgres_engine", text)
        })
    }
}

fn check(input: &Value, profile: &Profile) -> Result<(), Error> {
    let names = input["secrets"].as_object().into_iter().flatten();
    secret::check_names(names.map(|(name, _)| (name.clone(), name.as_str())), profile)
}

/// List a project's branches, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListBranches {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListBranches {
    type Output = Vec<Branch>;
    const META: Meta = Meta {
        scope: Some(Scope("environment:read")),
        also: &[422, 500],
        ..get("v1-list-all-branches", "/v1/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Branch>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let branches = of_project(cx, &project.r#ref);
        if branches.is_empty() && !cx.policy.list_branches_before_enabling {
            return Err(not_enabled());
        }
        Ok(branches)
    }
}

fn not_enabled() -> Error {
    let text = "Preview branching is not enabled for this project.";
    Error::new(Kind::Unprocessable, "branching_disabled", text)
}

/// Get how to reach a branch.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GetBranchConfig {
    /// Its UUID, or the reference of the project that it is.
    pub branch_id: BranchId,
}

impl Operation for GetBranchConfig {
    type Output = BranchConfig;
    const META: Meta = Meta {
        scope: Some(Scope("environment:read")),
        also: &[500],
        ..get("v1-get-a-branch-config", "/v1/branches/{branch_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<BranchConfig, Error> {
        let branch = load(cx, &self.branch_id)?;
        let own = project_of(cx, &branch);
        let trusted = cx.require_role(&own.organization, Role::Developer).is_ok();
        let sql = "SELECT db_pass, jwt_secret FROM project WHERE ref = ?1";
        let secrets = trusted
            .then(|| cx.db.one(sql, (&own.r#ref,), |row| Ok((Secret(row.get(0)?), Secret(row.get(1)?)))));
        let (db_pass, jwt_secret) = secrets.unzip();
        Ok(BranchConfig {
            r#ref: branch.project_ref,
            postgres_version: own.version,
            postgres_engine: own.engine,
            release_channel: own.release_channel,
            status: own.status,
            db_host: format!("db.{}.{}", own.r#ref, cx.profile.project_domain),
            db_port: 5432,
            db_user: trusted.then(|| "postgres".to_owned()),
            db_pass,
            jwt_secret,
        })
    }
}

/// Change a branch. What is not given stays.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UpdateBranchConfig {
    /// Its UUID, or the reference of the project that it is.
    pub branch_id: BranchId,
    /// Its name, unique in the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub branch_name: Option<String>,
    /// The branch of the code that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Makes no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true))]
    pub reset_on_push: Option<bool>,
    /// Whether it stays until it is told not to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// How far its migrations and functions are; what was under way ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BranchStatus>,
}

impl UpdateBranchConfig {
    /// Changes nothing but `persistent`.
    pub fn persistent(branch_id: BranchId, persistent: bool) -> UpdateBranchConfig {
        UpdateBranchConfig {
            branch_id,
            branch_name: None,
            git_branch: None,
            reset_on_push: None,
            persistent: Some(persistent),
            status: None,
        }
    }
}

impl Operation for UpdateBranchConfig {
    type Output = Branch;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[402, 422, 500],
        ..patch("v1-update-a-branch-config", "/v1/branches/{branch_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Branch, Error> {
        let branch = load(cx, &self.branch_id)?;
        if self.persistent == Some(true) {
            require_plan(cx, &project_of(cx, &branch), "A persistent branch")?;
        }
        if let Some(name) = &self.branch_name {
            require_free_name(cx, &branch.parent_project_ref.0, name, Some(&branch.id))?;
        }
        if let Some(status) = self.status {
            workflow::set(cx, &branch, status);
        }
        cx.db.run(
            "UPDATE branch SET name = ifnull(?2, name), git_branch = ifnull(?3, git_branch),
                 persistent = ifnull(?4, persistent), updated_at = ?5 WHERE id = ?1",
            (&branch.id, &self.branch_name, &self.git_branch, self.persistent, micros(cx.now)),
        );
        load(cx, &BranchId(branch.id))
    }
}

/// Work on a branch that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedRun {
    /// UUID of the run.
    pub workflow_run_id: String,
    /// `ok`.
    pub message: Okay,
}

/// A branch is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeletedBranch {
    /// `ok`.
    pub message: Okay,
}

/// The one word that the service has for success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Okay {
    /// It was done, or has begun.
    Ok,
}

/// Run the project's migrations that the branch lacks on it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PushBranch {
    /// Its UUID, or the reference of the project that it is.
    pub branch_id: BranchId,
    /// The last migration to run; all unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub migration_version: Option<String>,
}

impl Operation for PushBranch {
    type Output = StartedRun;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        ..post("v1-push-a-branch", "/v1/branches/{branch_id}/push")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StartedRun, Error> {
        start_run(cx, &self.branch_id, workflow::RunKind::Push, self.migration_version)
    }
}

/// Drop what a branch holds and run its migrations again.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResetBranch {
    /// Its UUID, or the reference of the project that it is.
    pub branch_id: BranchId,
    /// The last migration to run; all unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub migration_version: Option<String>,
}

impl Operation for ResetBranch {
    type Output = StartedRun;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        ..post("v1-reset-a-branch", "/v1/branches/{branch_id}/reset")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StartedRun, Error> {
        start_run(cx, &self.branch_id, workflow::RunKind::Reset, self.migration_version)
    }
}

fn start_run(
    cx: &Cx<'_>,
    id: &BranchId,
    kind: workflow::RunKind,
    migration_version: Option<String>,
) -> Result<StartedRun, Error> {
    let branch = load(cx, id)?;
    if branch.is_default {
        let text = format!("Cannot {} the default branch.", text_of(&kind));
        return Err(Error::new(Kind::Unprocessable, "default_branch", text));
    }
    project_of(cx, &branch).require_active()?;
    let workflow_run_id = workflow::rerun(cx, &branch, kind, migration_version);
    Ok(StartedRun { workflow_run_id, message: Okay::Ok })
}

/// Delete a branch and the project that it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DeleteBranch {
    /// Its UUID, or the reference of the project that it is.
    pub branch_id: BranchId,
}

impl Operation for DeleteBranch {
    type Output = DeletedBranch;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        ..delete("v1-delete-a-branch", "/v1/branches/{branch_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DeletedBranch, Error> {
        let branch = load(cx, &self.branch_id)?;
        let (reason, text) = if branch.is_default {
            ("default_branch", "Cannot delete the default branch.")
        } else if branch.persistent {
            ("persistent_branch", "Cannot delete a persistent branch. Make it not persistent first.")
        } else {
            remove(cx, &branch)?;
            return Ok(DeletedBranch { message: Okay::Ok });
        };
        Err(Error::new(Kind::Unprocessable, reason, text).because("branch", branch.name, None))
    }
}

fn remove(cx: &mut Cx<'_>, branch: &Branch) -> Result<(), Error> {
    let own = project_of(cx, branch);
    if !matches!(own.status, Status::GoingDown | Status::Removed) {
        project::begin_delete(cx, &own)?;
    }
    cx.cancel::<BranchStep>(&branch.id);
    cx.db.run("DELETE FROM branch WHERE id = ?1", (&branch.id,));
    Ok(())
}

/// Disable branching: all branches of a project are deleted, persistent ones too.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisableBranching {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for DisableBranching {
    type Output = Empty;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        ..delete("v1-disable-preview-branching", "/v1/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let branches = of_project(cx, &project.r#ref);
        if branches.is_empty() {
            return Err(not_enabled());
        }
        for branch in branches.iter().filter(|branch| !branch.is_default) {
            remove(cx, branch)?;
        }
        cx.db.run("DELETE FROM branch WHERE parent = ?1", (&project.r#ref,));
        Ok(Empty {})
    }
}

/// Say which pull request a branch is for, as the code host does.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkPullRequest {
    /// Its UUID, or the reference of the project that it is.
    pub branch_id: BranchId,
    /// Number of the pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pr_number: Option<i64>,
    /// Number of its last check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_check_run_id: Option<i64>,
}

impl Operation for LinkPullRequest {
    type Output = Branch;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-link-pull-request", "/_sim/branches/{branch_id}/pull-request")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Branch, Error> {
        let branch = load(cx, &self.branch_id)?;
        let sql = "UPDATE branch SET pr_number = ?2, latest_check_run_id = ?3, updated_at = ?4 WHERE id = ?1";
        cx.db.run(sql, (&branch.id, self.pr_number, self.latest_check_run_id, micros(cx.now)));
        load(cx, &self.branch_id)
    }
}

/// Who may pass below `/v1/branches/{branch_id}`: members of the organization with the role.
pub(super) fn guard(cx: &mut Cx<'_>, id: &str, role: Role) -> Result<(), Error> {
    let branch = load(cx, &id.into())?;
    let organization = project_of(cx, &branch).organization;
    cx.require_role(&organization, role)
}

fn require_plan(cx: &Cx<'_>, project: &Project, what: &str) -> Result<(), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    if plan != Plan::Free {
        return Ok(());
    }
    let text = format!("{what} requires a higher plan.");
    Err(Error::new(Kind::PaymentRequired, "plan_too_low", text).because("plan", plan.as_str(), None))
}

fn require_free_name(cx: &Cx<'_>, parent: &str, name: &str, except: Option<&str>) -> Result<(), Error> {
    let sql = "SELECT id FROM branch WHERE parent = ?1 AND name = ?2 AND id IS NOT ?3";
    match cx.db.maybe(sql, (parent, name, except), |row| row.get::<_, String>(0)) {
        Some(taken_by) => {
            let text = format!("A branch with name {name} already exists in this project.");
            Err(Error::new(Kind::Unprocessable, "branch_exists", text).because("branch", taken_by, None))
        }
        None => Ok(()),
    }
}

fn insert_default(cx: &Cx<'_>, project: &Project) {
    let name = cx.profile.default_branch.as_str();
    let default = New {
        project: &project.r#ref,
        parent: &project.r#ref,
        name,
        git_branch: Some(name),
        is_default: true,
        persistent: true,
        status: BranchStatus::FunctionsDeployed,
    };
    default.insert(cx);
}

/// A branch about to be stored.
struct New<'a> {
    project: &'a str,
    parent: &'a str,
    name: &'a str,
    git_branch: Option<&'a str>,
    is_default: bool,
    persistent: bool,
    status: BranchStatus,
}

impl New<'_> {
    fn insert(self, cx: &Cx<'_>) -> Branch {
        let id = cx.rng.uuid("branch").to_string();
        cx.db.run(
            "INSERT INTO branch (id, project, parent, name, git_branch, is_default, persistent, status,
                                 created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
            rusqlite::params![
                id,
                self.project,
                self.parent,
                self.name,
                self.git_branch,
                self.is_default,
                self.persistent,
                text_of(&self.status),
                micros(cx.now),
            ],
        );
        find(cx, &id).expect("the branch was just stored")
    }
}

const COLUMNS: &str = "id, name, project, parent, is_default, git_branch, pr_number, latest_check_run_id, persistent, \
    status, created_at, updated_at";

/// The branch of that UUID or of that project, or 404.
fn load(cx: &Cx<'_>, id: &BranchId) -> Result<Branch, Error> {
    let column = if id.0.contains('-') { "id" } else { "project" };
    let sql = format!("SELECT {COLUMNS} FROM branch WHERE {column} = ?1");
    let found = cx.db.maybe(&sql, (id.0.to_lowercase(),), read);
    found.ok_or_else(|| Error::not_found("branch", &id.0))
}

/// The branch of that UUID.
pub(super) fn find(cx: &Cx<'_>, id: &str) -> Option<Branch> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM branch WHERE id = ?1"), (id,), read)
}

fn of_project(cx: &Cx<'_>, project: &str) -> Vec<Branch> {
    let sql = format!("SELECT {COLUMNS} FROM branch WHERE parent = ?1 ORDER BY seq");
    cx.db.all(&sql, (project,), read)
}

fn default_of(cx: &Cx<'_>, project: &str) -> Option<()> {
    cx.db.maybe("SELECT 1 FROM branch WHERE project = ?1 AND is_default", (project,), |_| Ok(()))
}

/// The project that the branch is.
pub(super) fn project_of(cx: &Cx<'_>, branch: &Branch) -> Project {
    project::find(cx, &branch.project_ref.0).expect("a branch goes with its project")
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Branch> {
    Ok(Branch {
        id: row.get(0)?,
        name: row.get(1)?,
        project_ref: ProjectRef(row.get(2)?),
        parent_project_ref: ProjectRef(row.get(3)?),
        is_default: row.get(4)?,
        git_branch: row.get(5)?,
        pr_number: row.get(6)?,
        latest_check_run_id: row.get(7)?,
        persistent: row.get(8)?,
        status: serde_json::from_value(row.get::<_, String>(9)?.into())
            .expect("stored statuses are published ones"),
        created_at: from_micros(row.get(10)?),
        updated_at: from_micros(row.get(11)?),
    })
}
