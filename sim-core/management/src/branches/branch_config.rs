//! `/v1/branches/{branch_id}`: one branch, addressed by its UUID or by the reference of its own project.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Address, Cx, Error, FromJson, Kind, Meta, New, Operation, Resource, Role, Scope, Secret,
    ToSchema, delete, get, micros, patch, post, put,
};

use crate::branch::{Branch, BranchId, load, parent_of, project_of, remove, require_free_name};
use crate::branch_removal;
use crate::branch_workflow::{self as workflow, BranchStatus};
use crate::migration;
use crate::needs;
use crate::organization;
use crate::pooler;
use crate::project::{ProjectRef, Status};
use crate::text_of;
use crate::v2::member;
use crate::v2::webhooks::event::{self, EventType};

operations![GetBranchConfig, UpdateBranchConfig, PushBranch, ResetBranch, DeleteBranch, LinkPullRequest];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The connection settings of a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BranchConfig {
    /// The reference of its own project.
    pub r#ref: ProjectRef,
    /// Version of Postgres.
    pub postgres_version: String,
    /// Major version of Postgres.
    pub postgres_engine: String,
    /// Its release channel.
    pub release_channel: String,
    /// The status of that project.
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
    /// The secret that signs its tokens; for developers and above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwt_secret: Option<Secret>,
}

/// Get the connection settings of a branch.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetBranchConfig {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
}

impl Operation for GetBranchConfig {
    type Output = BranchConfig;
    const META: Meta = Meta {
        scope: Some(Scope("environment:read")),
        also: &[500],
        failure: "Failed to retrieve database branch",
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
        let Address { host, port, user, .. } = pooler::reachable(cx, &own).unwrap_or_else(|| Address {
            host: format!("db.{}.{}", own.r#ref, cx.profile.project_domain),
            port: 5432,
            user: "postgres".to_owned(),
            database: "postgres".to_owned(),
        });
        Ok(BranchConfig {
            r#ref: branch.project_ref,
            postgres_version: own.version,
            postgres_engine: own.engine,
            release_channel: own.release_channel,
            status: own.status,
            db_host: host,
            db_port: port.into(),
            db_user: trusted.then_some(user),
            db_pass,
            jwt_secret,
        })
    }
}

/// Change a branch. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateBranchConfig {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
    /// Its name, unique in the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub branch_name: Option<String>,
    /// Its branch of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true, "x-sim-ignored" = true))]
    pub reset_on_push: Option<bool>,
    /// Whether it is persistent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// The progress of its migrations and functions; setting it ends the current work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<BranchStatus>,
    /// Whether to request a review of it now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub request_review: Option<bool>,
    /// The address that the platform notifies when its work on the branch is done. Nothing is sent here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri", "x-since" = "2026-11"))]
    pub notify_url: Option<String>,
}

impl UpdateBranchConfig {
    /// Changes only `persistent`.
    pub fn persistent(branch_id: BranchId, persistent: bool) -> UpdateBranchConfig {
        UpdateBranchConfig { persistent: Some(persistent), ..UpdateBranchConfig::new(branch_id) }
    }
}

impl Operation for UpdateBranchConfig {
    type Output = Branch;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[402, 422, 500],
        failure: "Failed to update database branch",
        ..patch("v1-update-a-branch-config", "/v1/branches/{branch_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Branch, Error> {
        let branch = load(cx, &self.branch_id)?;
        if self.persistent == Some(true) {
            organization::require_paid(cx, &project_of(cx, &branch).organization, "A persistent branch")?;
        }
        if let Some(name) = &self.branch_name {
            require_free_name(cx, &branch.parent_project_ref.0, name, Some(&branch.id))?;
        }
        if let Some(status) = self.status {
            workflow::set(cx, &branch, status);
        }
        cx.db.run(
            "UPDATE branch SET name = ifnull(?2, name), git_branch = ifnull(?3, git_branch),
                 persistent = ifnull(?4, persistent), notify_url = ifnull(?6, notify_url),
                 review_requested_at = CASE ?7 WHEN TRUE THEN ?5 WHEN FALSE THEN NULL ELSE review_requested_at END,
                 updated_at = ?5 WHERE id = ?1",
            (
                &branch.id,
                &self.branch_name,
                &self.git_branch,
                self.persistent,
                micros(cx.now),
                &self.notify_url,
                self.request_review,
            ),
        );
        event::happened_in(cx, EventType::BranchUpdated, &branch.parent_project_ref.0);
        load(cx, &BranchId(branch.id))
    }
}

/// Work on a branch that has started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct StartedRun {
    /// UUID of the run.
    pub workflow_run_id: String,
    /// `ok`.
    pub message: Okay,
}

/// The branch was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DeletedBranch {
    /// `ok`.
    pub message: Okay,
}

/// The service's only word for success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Okay {
    /// It is done or has started.
    Ok,
}

/// Run the project's new migrations on the branch.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct PushBranch {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
    /// The last migration to run; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration_version: Option<String>,
}

impl Operation for PushBranch {
    type Output = StartedRun;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        failure: "Failed to push database branch",
        ..post("v1-push-a-branch", "/v1/branches/{branch_id}/push")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StartedRun, Error> {
        start_run(cx, &self.branch_id, workflow::RunKind::Push, self.migration_version)
    }
}

/// Delete the content of a branch and run its migrations again.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ResetBranch {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
    /// The last migration to run; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration_version: Option<String>,
}

impl Operation for ResetBranch {
    type Output = StartedRun;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        failure: "Failed to reset database branch",
        ..post("v1-reset-a-branch", "/v1/branches/{branch_id}/reset")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StartedRun, Error> {
        start_run(cx, &self.branch_id, workflow::RunKind::Reset, self.migration_version)
    }
}

pub(crate) fn start_run(
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
    // A reset alone needs nothing of the parent.
    if kind != workflow::RunKind::Reset {
        parent_of(cx, &branch).require_active()?;
    }
    require_version(cx, &branch, kind, migration_version.as_deref())?;
    let workflow_run_id = workflow::rerun(cx, &branch, kind, migration_version);
    Ok(StartedRun { workflow_run_id, message: Okay::Ok })
}

/// Refuses a version that none of the migrations to run has.
fn require_version(
    cx: &Cx<'_>,
    branch: &Branch,
    kind: workflow::RunKind,
    version: Option<&str>,
) -> Result<(), Error> {
    let Some(version) = version else { return Ok(()) };
    let from = match kind {
        workflow::RunKind::Create | workflow::RunKind::Push => parent_of(cx, branch),
        workflow::RunKind::Reset | workflow::RunKind::Merge => project_of(cx, branch),
    };
    if migration::recorded(cx, &from).iter().any(|one| one.version == version) {
        return Ok(());
    }
    let text = format!("migration_version: no migration to run has the version {version}");
    Err(Error::invalid("invalid_body.migration_version", &text).field("migration_version", text))
}

/// Delete a branch and its own project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteBranch {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
    /// Whether to delete it at once, which is the default. With `false` it is deleted an hour later and can be restored until
    /// then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
}

impl Operation for DeleteBranch {
    type Output = DeletedBranch;
    const META: Meta = Meta {
        query: &["force"],
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        failure: "Failed to delete database branch",
        ..delete("v1-delete-a-branch", "/v1/branches/{branch_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DeletedBranch, Error> {
        let branch = load(cx, &self.branch_id)?;
        require_deletable(&branch)?;
        if self.force == Some(false) {
            branch_removal::schedule(cx, &branch);
        } else {
            remove(cx, &branch)?;
        }
        Ok(DeletedBranch { message: Okay::Ok })
    }
}

/// Refuses the default branch and persistent ones.
pub(crate) fn require_deletable(branch: &Branch) -> Result<(), Error> {
    let (reason, text) = if branch.is_default {
        ("default_branch", "Cannot delete the default branch.")
    } else if branch.persistent {
        ("persistent_branch", "Cannot delete persistent branch")
    } else {
        return Ok(());
    };
    Err(Error::new(Kind::Unprocessable, reason, text).because("branch", branch.name.clone(), None))
}

/// Set the pull request of a branch, as the code host does.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct LinkPullRequest {
    /// Its UUID, or the reference of its own project.
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

/// Controls access to `/v1/branches/{branch_id}`: for members of the organization with the role, if the branch's project has the
/// state and services that the operation needs.
pub(crate) fn guard(cx: &mut Cx<'_>, id: &str, meta: &Meta) -> Result<(), Error> {
    let branch = load(cx, &id.into())?;
    let own = project_of(cx, &branch);
    cx.require_role(&own.organization, meta.role)?;
    member::require_in_scope(cx, &own.organization, Some(&own), meta.role)?;
    needs::require(cx, &own, meta)
}
