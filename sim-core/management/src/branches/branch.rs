//! `/v1/projects/{ref}/branches`: copies of a project for trying changes, each with its own project. Single
//! branches are in `branch_config`, their background work is in `branch_workflow`.

mod create;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Kind, Meta, NO_PRIVILEGES, New, Operation, Profile, Resource, Role,
    Scope, Secret, TaskEntry, Timestamp, ToSchema, View, delete, from_micros, get, post, view,
};

use crate::action;
use crate::branch_removal::Removal;
use crate::branch_workflow::{BranchStatus, BranchStep};
use crate::catalog::{InstanceSize, PostgresEngine, Region, ReleaseChannel};
use crate::from_text::from_text;
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row as Project, Status};
use crate::v2::webhooks::event::{self, EventType};
use crate::{named, secret, text_of};

operations![CreateBranch, ListBranches, FindBranch, DisableBranching];

pub(crate) const RESOURCE: Resource =
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
        with_data INTEGER NOT NULL,
        notify_url TEXT,
        review_requested_at INTEGER,
        removed_at INTEGER,
        UNIQUE (parent, name)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "branch",
    "A branch: `project` is its own project, `parent` its parent project.",
    "SELECT id, project, parent, name, git_branch, is_default, persistent, pr_number, status, created_at, updated_at,
     with_data, notify_url, review_requested_at, removed_at FROM branch ORDER BY seq",
)];

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Branch {
    /// UUID.
    pub id: String,
    /// Its name, unique in the project.
    pub name: String,
    /// The reference of its own project.
    pub project_ref: ProjectRef,
    /// The reference of its parent project.
    pub parent_project_ref: ProjectRef,
    /// Whether it represents the project itself.
    pub is_default: bool,
    /// Its branch of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Number of its pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pr_number: Option<i64>,
    /// Number of the last check of that pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_check_run_id: Option<i64>,
    /// Whether it is persistent.
    pub persistent: bool,
    /// Whether it started with its parent's rows.
    pub with_data: bool,
    /// The progress of its migrations and functions.
    pub status: BranchStatus,
    /// When it was created.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
    /// When it will be deleted; absent unless its deletion was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub deletion_scheduled_at: Option<Timestamp>,
    /// The address that the platform notifies when its work on the branch is done. Nothing is sent here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri", "x-since" = "2026-11"))]
    pub notify_url: Option<String>,
    /// When a review of it was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time", "x-since" = "2026-11"))]
    pub review_requested_at: Option<Timestamp>,
    /// The status of its own project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub preview_project_status: Option<Status>,
}

/// A branch's address: its UUID, or the reference of its own project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

from_text!(BranchId);

/// Create a branch.
///
/// The first branch of a project enables branching and adds the default branch, which is the project itself. `is_default` creates
/// only the default branch, with the given name, and so does a first branch with the name that the default branch would get.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateBranch {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its name, unique in the project.
    #[schemars(length(min = 1))]
    pub branch_name: String,
    /// Its branch of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Whether it is persistent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// The code of the region where it will run; the project's region by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Size of its machine; micro by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_instance_size: Option<InstanceSize>,
    /// Its release channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_channel: Option<ReleaseChannel>,
    /// Major version of Postgres; the project's version by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postgres_engine: Option<PostgresEngine>,
    /// Whether it starts with the project's rows, which needs the project's add-on for point-in-time recovery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub with_data: Option<bool>,
    /// Whether the branch is the project itself. The project then has no other default branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub is_default: Option<bool>,
    /// The address that the platform notifies when its work on the branch is done. Nothing is sent here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri", "x-since" = "2026-11"))]
    pub notify_url: Option<String>,
    /// Its initial secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend(
        "additionalProperties" = { "type": "string", "maxLength": secret::LONGEST_VALUE, "x-secret": true },
        "propertyNames" = { "minLength": 1, "maxLength": secret::LONGEST_NAME },
    ))]
    pub secrets: Option<BTreeMap<String, Secret>>,
}

impl CreateBranch {
    /// A preview branch with that name, and otherwise the project's values.
    pub fn named(r#ref: ProjectRef, name: &str) -> CreateBranch {
        CreateBranch::new(r#ref, name)
    }
}

impl Operation for CreateBranch {
    type Output = Branch;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        check: Some(check),
        also: &[402, 422, 500],
        failure: "Failed to create database branch",
        ..post("v1-create-a-branch", "/v1/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Branch, Error> {
        self.create(cx, "body")
    }
}

fn check(input: &Value, profile: &Profile) -> Result<(), Error> {
    let names = || input["secrets"].as_object().into_iter().flatten().map(|(name, _)| name);
    if names().any(|name| name.is_empty() || name.chars().count() > secret::LONGEST_NAME) {
        let text = format!("secrets: A name must contain 1 to {} character(s)", secret::LONGEST_NAME);
        return Err(Error::invalid("invalid_body.secrets", text));
    }
    require_region(&input["region"], "region")?;
    secret::check_names(names().map(|name| (name.clone(), name.as_str())), profile)
}

/// Refuses what is not the code of a region, if there is any text. `field` is its place in the body.
pub(crate) fn require_region(given: &Value, field: &str) -> Result<(), Error> {
    if given.as_str().is_none_or(|code| region_named(code).is_some()) {
        return Ok(());
    }
    let codes = Region::ALL.iter().map(text_of).collect::<Vec<_>>().join(", ");
    let text = format!("{field}: is not the code of a region, expected one of {codes}");
    Err(Error::invalid(format!("invalid_body.{field}"), &text).field(field, text))
}

fn region_named(code: &str) -> Option<Region> {
    Region::ALL.into_iter().find(|region| text_of(region) == code)
}

/// List a project's branches, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListBranches {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListBranches {
    type Output = Vec<Branch>;
    const META: Meta = Meta {
        scope: Some(Scope("environment:read")),
        also: &[422, 500],
        failure: "Failed to retrieve database branches",
        ..get("v1-list-all-branches", "/v1/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Branch>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if cx.policy.edition > Edition::FIRST && project.branch_of.is_some() {
            let text = "A branch has no branches of its own.";
            return Err(Error::forbidden("project_is_branch", text));
        }
        let branches = of_project(cx, &project.r#ref);
        if branches.is_empty() {
            require_branching(cx, &project)?;
        }
        Ok(branches)
    }
}

/// Get a branch by its name.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct FindBranch {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The branch's name.
    pub name: String,
}

impl Operation for FindBranch {
    type Output = Branch;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("environment:read")),
        also: &[500],
        failure: "Failed to fetch database branch",
        ..get("v1-get-a-branch", "/v1/projects/{ref}/branches/{name}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Branch, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = of_project(cx, &project.r#ref).into_iter().find(|branch| branch.name == self.name);
        found.ok_or_else(|| Error::not_found("branch", &self.name))
    }
}

/// Whether the list may be empty: not before branching is enabled in the first edition, and not on the free plan today.
fn require_branching(cx: &Cx<'_>, project: &Project) -> Result<(), Error> {
    if cx.policy.edition == Edition::FIRST {
        return Err(not_enabled());
    }
    let plan = organization::load(cx, &project.organization)?.plan;
    match plan {
        Plan::Free => Err(Error::forbidden("plan_too_low", NO_PRIVILEGES).because(
            "organization plan",
            plan.as_str(),
            None,
        )),
        _ => Ok(()),
    }
}

fn not_enabled() -> Error {
    let text = "Preview branching is not enabled for this project.";
    Error::new(Kind::Unprocessable, "branching_disabled", text).because("default branch", "none", None)
}

/// Deletes the branch and its own project, or refuses.
pub(crate) fn remove(cx: &mut Cx<'_>, branch: &Branch) -> Result<(), Error> {
    let own = project_of(cx, branch);
    if !matches!(own.status, Status::GoingDown | Status::Removed) {
        project::begin_delete(cx, &own)?;
    }
    cx.cancel::<BranchStep>(&branch.id);
    action::break_off(cx, &branch.id);
    cx.cancel::<Removal>(&branch.id);
    cx.db.run("DELETE FROM branch WHERE id = ?1", (&branch.id,));
    event::happened_in(cx, EventType::BranchRemoved, &branch.parent_project_ref.0);
    Ok(())
}

/// Disable branching: all branches of a project are deleted, persistent ones too.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
        failure: "Failed to disable preview branching",
        ..delete("v1-disable-preview-branching", "/v1/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if of_project(cx, &project.r#ref).is_empty() {
            return Err(not_enabled());
        }
        end_all(cx, &project.r#ref)?;
        Ok(Empty {})
    }
}

/// Deletes all branches of a project, persistent ones and the default one too.
pub(crate) fn end_all(cx: &mut Cx<'_>, project: &str) -> Result<(), Error> {
    for branch in of_project(cx, project).iter().filter(|branch| !branch.is_default) {
        remove(cx, branch)?;
    }
    if cx.db.run("DELETE FROM branch WHERE parent = ?1", (project,)) > 0 {
        event::happened_in(cx, EventType::BranchRemoved, project);
    }
    Ok(())
}

/// Refuses a name that another branch of the project has.
pub(crate) fn require_free_name(
    cx: &Cx<'_>,
    parent: &str,
    name: &str,
    except: Option<&str>,
) -> Result<(), Error> {
    let sql = "SELECT id FROM branch WHERE parent = ?1 AND name = ?2 AND id IS NOT ?3";
    match cx.db.maybe(sql, (parent, name, except), |row| row.get::<_, String>(0)) {
        Some(taken_by) => {
            let text = format!("A branch with name {name} already exists in this project.");
            Err(Error::new(Kind::Unprocessable, "branch_exists", text).because("branch", taken_by, None))
        }
        None => Ok(()),
    }
}

const COLUMNS: &str = "id, name, project, parent, is_default, git_branch, pr_number, latest_check_run_id, persistent, \
    status, created_at, updated_at, removed_at, with_data, notify_url, review_requested_at, \
    (SELECT own.status FROM project own WHERE own.ref = branch.project)";

/// The branch with that UUID or that project, or 404.
pub(crate) fn load(cx: &Cx<'_>, id: &BranchId) -> Result<Branch, Error> {
    let column = if id.0.contains('-') { "id" } else { "project" };
    let sql = format!("SELECT {COLUMNS} FROM branch WHERE {column} = ?1");
    let found = cx.db.maybe(&sql, (id.0.to_lowercase(),), read);
    found.ok_or_else(|| Error::not_found("branch", &id.0))
}

/// The branch with that UUID.
pub(crate) fn find(cx: &Cx<'_>, id: &str) -> Option<Branch> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM branch WHERE id = ?1"), (id,), read)
}

/// The branch whose own project it is.
pub(crate) fn of_own_project(cx: &Cx<'_>, project: &Project) -> Option<Branch> {
    project.branch_of.as_ref()?;
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM branch WHERE project = ?1"), (&project.r#ref,), read)
}

/// Whether the project has branches in addition to itself.
pub(crate) fn any(cx: &Cx<'_>, project: &str) -> bool {
    let sql = "SELECT 1 FROM branch WHERE parent = ?1 AND NOT is_default LIMIT 1";
    cx.db.maybe(sql, (project,), |_| Ok(())).is_some()
}

fn of_project(cx: &Cx<'_>, project: &str) -> Vec<Branch> {
    let sql = format!("SELECT {COLUMNS} FROM branch WHERE parent = ?1 ORDER BY seq");
    cx.db.all(&sql, (project,), read)
}

/// The name of the branch that is the project itself.
fn default_of(cx: &Cx<'_>, project: &str) -> Option<String> {
    cx.db.maybe("SELECT name FROM branch WHERE project = ?1 AND is_default", (project,), |row| row.get(0))
}

/// The project that the branch was made from.
pub(crate) fn parent_of(cx: &Cx<'_>, branch: &Branch) -> Project {
    project::find(cx, &branch.parent_project_ref.0).expect("a branch goes with its parent")
}

/// The branch's own project.
pub(crate) fn project_of(cx: &Cx<'_>, branch: &Branch) -> Project {
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
        with_data: row.get(13)?,
        deletion_scheduled_at: row.get::<_, Option<i64>>(12)?.map(from_micros),
        notify_url: row.get(14)?,
        review_requested_at: row.get::<_, Option<i64>>(15)?.map(from_micros),
        preview_project_status: row.get::<_, Option<String>>(16)?.map(|name| named(&name)),
    })
}
