//! `/v2/projects/{ref}/transfers`: moving a project to another organization of its owner.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Cx, Edition, Empty, Error, Meta, Operation, Payload, Resource, Role, Scope, post};

use super::document::{Given, One, kind};
use crate::organization::{self, OrganizationDetail};
use crate::project::{self, ProjectRef};
use crate::project_claim::{self, ClaimNotice};

operations![PreviewTransfer, TransferProject];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// Where a project is to go.
    TransferKind = "project_transfer_input";
    /// What would come of it.
    TransferResultKind = "project_transfer_result";
}

/// Where a project is to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TransferTarget {
    /// Slug of the organization, in which the caller is at least an administrator.
    pub target_organization_slug: String,
}

/// What would come of moving a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TransferPreview {
    /// Whether nothing is in the way.
    pub valid: bool,
    /// What is in the way.
    pub errors: Vec<ClaimNotice>,
    /// What would be lost.
    pub warnings: Vec<ClaimNotice>,
    /// What would change besides.
    pub info: Vec<ClaimNotice>,
}

/// Get what would come of moving a project to another organization.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PreviewTransfer {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Where it is to go.
    pub data: Given<TransferKind, TransferTarget>,
}

impl Operation for PreviewTransfer {
    type Output = One<Given<TransferResultKind, TransferPreview>>;
    const META: Meta = Meta {
        status: 200,
        since: Edition::V2026_11,
        role: Role::Owner,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to preview the transfer",
        ..post("v2-preview-a-project-transfer", "/v2/projects/{ref}/transfers/previews")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Given<TransferResultKind, TransferPreview>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let target = target(cx, &self.data.attributes)?;
        let seen = project_claim::preview(cx, &project, &target)?;
        Ok(One::of(Given::new(TransferPreview {
            valid: seen.valid,
            errors: seen.errors,
            warnings: seen.warnings,
            info: seen.info,
        })))
    }
}

/// Move a project to another organization, with its branches.
///
/// Its members are those of the organization from now on, and so is its plan.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TransferProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Where it is to go.
    pub data: Given<TransferKind, TransferTarget>,
}

impl Operation for TransferProject {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        since: Edition::V2026_11,
        role: Role::Owner,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to transfer the project",
        ..post("v2-transfer-a-project", "/v2/projects/{ref}/transfers")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let target = target(cx, &self.data.attributes)?;
        if let Some(obstacle) = project_claim::obstacles(cx, &project, &target).into_iter().next() {
            return Err(obstacle);
        }
        project_claim::hand_over(cx, &project, &target);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// The organization, if the caller may bring projects there.
fn target(cx: &Cx<'_>, asked: &TransferTarget) -> Result<OrganizationDetail, Error> {
    let target = organization::load(cx, &asked.target_organization_slug)?;
    cx.require_role(&target.id, Role::Administrator)?;
    Ok(target)
}
