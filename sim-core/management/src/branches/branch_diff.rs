//! `/v1/branches/{branch_id}/diff`: SQL that changes the schema of a branch's parent into that of the branch,
//! read from both catalogs.

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Payload, Resource, Role, Scope, ToSchema, get,
};

use crate::branch::{self, BranchId};
use crate::{catalog_diff, needs};

operations![DiffBranch];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// SQL as a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct SqlText(pub String);

/// Get the SQL that turns the schema of the branch's parent into the schema of the branch; empty if they are equal.
///
/// It covers schemas, enums, sequences, tables with their columns, constraints, indexes, triggers and policies, views and
/// functions, but no rows. After it ran on the parent's database, there is no difference.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DiffBranch {
    /// Its UUID, or the reference of its own project.
    pub branch_id: BranchId,
    /// Schemas to compare, separated by commas; all but the platform's own by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included_schemas: Option<String>,
    /// The service's tool for the comparison. It has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-sim-ignored" = true))]
    pub pgdelta: Option<bool>,
}

impl Operation for DiffBranch {
    type Output = SqlText;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        query: &["included_schemas", "pgdelta"],
        role: Role::Developer,
        scope: Some(Scope("environment:write")),
        produces: &["text/plain"],
        also: &[500],
        failure: "Failed to diff database branch",
        needs: Needs::DATABASE,
        ..get("v1-diff-a-branch", "/v1/branches/{branch_id}/diff")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SqlText, Error> {
        let branch = branch::load(cx, &self.branch_id)?;
        let (own, parent) = (branch::project_of(cx, &branch), branch::parent_of(cx, &branch));
        // The guard has looked at the branch's own project.
        needs::require(cx, &parent, &DiffBranch::META)?;
        let included: Option<Vec<&str>> =
            self.included_schemas.as_deref().map(|list| list.split(',').map(str::trim).collect());
        Ok(SqlText(catalog_diff::between(cx, &parent, &own, included.as_deref())?))
    }

    fn payload(output: &SqlText) -> Payload {
        Payload::text(&output.0)
    }
}
