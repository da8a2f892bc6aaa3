//! `/v1/branches/{branch_id}/merge`: applies a branch's changes of schema and functions to its parent.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Role, Scope, ToSchema, post};

use crate::branch::{self, Branch, BranchId};
use crate::branch_config::{StartedRun, start_run};
use crate::branch_workflow::RunKind;
use crate::function::{self, Stored};
use crate::function_body;

operations![MergeBranch];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Run the branch's new migrations on the project, and deploy the branch's functions there.
///
/// The work continues after the answer; the branch's status shows the progress.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct MergeBranch {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
    /// The last migration to run; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration_version: Option<String>,
}

impl Operation for MergeBranch {
    type Output = StartedRun;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        also: &[422, 500],
        failure: "Failed to merge database branch",
        ..post("v1-merge-a-branch", "/v1/branches/{branch_id}/merge")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StartedRun, Error> {
        start_run(cx, &self.branch_id, RunKind::Merge, self.migration_version)
    }
}

/// Deploys all functions of the branch to its parent, or none if they exceed the parent's limit.
pub(crate) fn deploy_functions(cx: &Cx<'_>, branch: &Branch) -> bool {
    let (own, parent) = (branch::project_of(cx, branch), branch::parent_of(cx, branch));
    if !parent.status.is_active() {
        return false;
    }
    let functions = function::all(cx, &own);
    let is_new = |one: &&Stored| function::find(cx, &parent, &one.slug).is_none();
    let added = functions.iter().filter(is_new).count() as u32;
    if function::require_room(cx, &parent, added).is_err() {
        return false;
    }
    for function in functions {
        let sources = function_body::sources(cx, function.key(), function.version);
        function::deploy_copy(cx, &parent, function, &sources);
    }
    true
}
