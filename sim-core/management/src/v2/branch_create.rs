//! `POST /v2/projects/{ref}/branches`: the create of `/v1` with a document, and a disk of a chosen size.

use serde::Serialize;
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Profile, Resource, Role, Scope, Timestamp, ToSchema,
    post,
};

use super::document::{Given, Object, One, kind};
use crate::branch::{Branch, CreateBranch, project_of, require_region};
use crate::catalog::{self, InstanceSize};
use crate::disk;
use crate::project::ProjectRef;

operations![CreateBranchDocument];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// A branch.
    BranchKind = "branch";
}

/// A branch to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NewBranch {
    /// Its name, unique in the project.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The branch of the code that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub git_branch: Option<String>,
    /// Whether it stays until it is told not to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistent: Option<bool>,
    /// Where it will run, the code of a region; where the project does unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Whether it begins with the project's rows, for which that needs the add-on for point-in-time recovery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_data: Option<bool>,
    /// Where the platform tells that its work on the branch is done. Nothing is sent here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub notify_url: Option<String>,
    /// Size of the machine it will run on; micro unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "catalog::sizes_of_new_projects")]
    pub desired_instance_size: Option<InstanceSize>,
    /// Size of its disk, in gigabytes; as the policy says unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 8, max = 61_440))]
    pub desired_disk_size_gb: Option<u64>,
}

/// A branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "BranchAttributes")]
pub struct Shown {
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
    /// Whether it stays until it is told not to.
    pub persistent: bool,
    /// Whether it began with its parent's rows.
    pub with_data: bool,
    /// Where the platform tells that its work on the branch is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub notify_url: Option<String>,
    /// When it was made.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Timestamp,
}

impl From<Branch> for Object<BranchKind, Shown> {
    fn from(branch: Branch) -> Object<BranchKind, Shown> {
        let shown = Shown {
            name: branch.name,
            project_ref: branch.project_ref,
            parent_project_ref: branch.parent_project_ref,
            is_default: branch.is_default,
            git_branch: branch.git_branch,
            persistent: branch.persistent,
            with_data: branch.with_data,
            notify_url: branch.notify_url,
            created_at: branch.created_at,
            updated_at: branch.updated_at,
        };
        Object::new(branch.id, shown)
    }
}

/// Create a branch, which gets a project of its own.
///
/// The first of a project enables branching and adds the default branch, which is the project itself.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateBranchDocument {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The branch.
    pub data: Given<BranchKind, NewBranch>,
}

impl Operation for CreateBranchDocument {
    type Output = One<Object<BranchKind, Shown>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        check: Some(check),
        also: &[402, 422, 500],
        failure: "Failed to create database branch",
        ..post("v2-create-a-branch", "/v2/projects/{ref}/branches")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<BranchKind, Shown>>, Error> {
        let new = self.data.attributes;
        let create = CreateBranch {
            git_branch: new.git_branch,
            persistent: new.persistent,
            region: new.region,
            desired_instance_size: new.desired_instance_size,
            with_data: new.with_data,
            notify_url: new.notify_url,
            ..CreateBranch::named(self.r#ref, &new.name)
        };
        let branch = create.create(cx, "body.data.attributes")?;
        if let Some(size_gb) = new.desired_disk_size_gb {
            disk::resize(cx, &project_of(cx, &branch), size_gb);
        }
        Ok(One::of(branch.into()))
    }
}

fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    require_region(&input["data"]["attributes"]["region"], "data.attributes.region")
}
