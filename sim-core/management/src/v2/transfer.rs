//! `/v2/projects/{ref}/transfers`: moving a project to another organization of its owner.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, Role, Scope, ToSchema, post,
};

use super::document::{Given, One, kind};
use crate::organization::{self, OrganizationDetail};
use crate::project::{self, ProjectRef};
use crate::project_claim::{self, ClaimNotice};

operations![PreviewTransfer, TransferProject];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// The target of a project's move.
    TransferKind = "project_transfer_input";
    /// The effects.
    TransferResultKind = "project_transfer_result";
}

/// The target of a project's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct TransferTarget {
    /// Slug of the target organization. The caller must be an administrator or owner of it.
    pub target_organization_slug: String,
}

/// The effects of moving a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct TransferPreview {
    /// Whether there are no errors.
    pub valid: bool,
    /// The reasons why it can't be moved.
    pub errors: Vec<ClaimNotice>,
    /// The losses.
    pub warnings: Vec<ClaimNotice>,
    /// The other changes.
    pub info: Vec<ClaimNotice>,
}

/// Get the effects of moving a project to another organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct PreviewTransfer {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The target.
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
/// The organization's members and plan are then those of the project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct TransferProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The target.
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

/// The organization, if the caller may move projects there.
fn target(cx: &Cx<'_>, asked: &TransferTarget) -> Result<OrganizationDetail, Error> {
    let target = organization::load(cx, &asked.target_organization_slug)?;
    cx.require_role(&target.id, Role::Administrator)?;
    Ok(target)
}
