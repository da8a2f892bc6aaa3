//! `/v1/organizations/{slug}/project-claim/{token}`: an organization claims a project with its claim token.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Kind, Meta, New, Operation, Payload, Resource, Role, Secret,
    Timestamp, ToSchema, act, get,
};

use crate::catalog::InstanceSize;
use crate::organization::{self, OrganizationDetail, Plan};
use crate::project::{self, MemberAtLimit, ProjectRef, Row as Project};
use crate::v2::member;
use crate::v2::webhooks::event::{self, EventType};
use crate::{backup_span, beyond_plan, claim_token, jit_access, project_row, text_of};

operations![PreviewClaim, ClaimProject];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A project that an organization can claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ClaimableProject {
    /// The project.
    pub project: ClaimedProject,
    /// The effects.
    pub preview: ClaimPreview,
    /// When the token expires.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// When the token was created.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// UUID of the user who created it.
    pub created_by: String,
}

/// The project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ClaimedProject {
    /// Its reference.
    pub r#ref: ProjectRef,
    /// Its name.
    pub name: String,
}

/// The effects of claiming a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ClaimPreview {
    /// Whether there are no errors.
    pub valid: bool,
    /// The losses.
    pub warnings: Vec<ClaimNotice>,
    /// The reasons why it can't be claimed.
    pub errors: Vec<ClaimNotice>,
    /// The other changes.
    pub info: Vec<ClaimNotice>,
    /// Members of the organization who have the maximum number of free projects.
    pub members_exceeding_free_project_limit: Vec<MemberAtLimit>,
    /// The project's present plan.
    pub source_subscription_plan: Plan,
    /// The plan after the claim.
    pub target_subscription_plan: Plan,
}

/// A notice about a project to be claimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ClaimNotice {
    /// A stable code.
    pub key: String,
    /// The message.
    pub message: String,
}

impl ClaimNotice {
    fn new(key: &str, message: &str) -> ClaimNotice {
        ClaimNotice { key: key.to_owned(), message: message.to_owned() }
    }
}

/// Get the project of a claim token, and the effects of claiming it.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct PreviewClaim {
    /// Slug of the organization that would claim it.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// The token.
    pub token: Secret,
}

impl Operation for PreviewClaim {
    type Output = ClaimableProject;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Administrator,
        ..get("v1-get-organization-project-claim", "/v1/organizations/{slug}/project-claim/{token}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ClaimableProject, Error> {
        let claim = claim_token::open(cx, &self.token)?;
        let project = project::load(cx, &claim.project)?;
        let target = organization::load(cx, &self.slug)?;
        Ok(ClaimableProject {
            preview: preview(cx, &project, &target)?,
            project: ClaimedProject { r#ref: claim.project, name: project.name },
            expires_at: claim.expires_at,
            created_at: claim.created_at,
            created_by: claim.created_by,
        })
    }
}

/// Claim a project, with its branches.
///
/// The organization's members and plan are then those of the project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ClaimProject {
    /// Slug of the organization that claims it.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// The token.
    pub token: Secret,
}

impl Operation for ClaimProject {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        since: Edition::V2026_11,
        ..act("v1-claim-project-for-organization", "/v1/organizations/{slug}/project-claim/{token}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &claim_token::open(cx, &self.token)?.project)?;
        let target = organization::load(cx, &self.slug)?;
        if let Some(obstacle) = obstacles(cx, &project, &target).into_iter().next() {
            return Err(obstacle);
        }
        hand_over(cx, &project, &target);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// Transfers a claimable project to another organization: the first one, by slug, that the user administers.
pub(crate) fn hand_over_to_user(cx: &Cx<'_>, project: &Project, user: i64) -> Result<(), Error> {
    claim_token::require_open(cx, &project.r#ref)?;
    let sql = "SELECT organization FROM member WHERE user = ?1 AND role IN (?2, ?3) AND organization <> ?4
               ORDER BY organization LIMIT 1";
    let [administrator, owner] = [Role::Administrator, Role::Owner].map(Role::as_str);
    let key = (user, administrator, owner, &project.organization);
    let slug = cx.db.maybe(sql, key, |row| row.get::<_, String>(0));
    let slug = slug.ok_or_else(|| {
        Error::invalid("no_organization", "The user administers no organization that could own the project.")
    })?;
    let target = organization::load(cx, &slug)?;
    if let Some(obstacle) = obstacles(cx, project, &target).into_iter().next() {
        return Err(obstacle);
    }
    hand_over(cx, project, &target);
    Ok(())
}

pub(crate) fn preview(
    cx: &Cx<'_>,
    project: &Project,
    target: &OrganizationDetail,
) -> Result<ClaimPreview, Error> {
    let source = organization::load(cx, &project.organization)?.plan;
    let errors = obstacles(cx, project, target);
    let lost =
        ClaimNotice::new("plan_lower", "What only the present plan has is lost, older backups among it.");
    Ok(ClaimPreview {
        valid: errors.is_empty(),
        warnings: if target.plan < source { vec![lost] } else { Vec::new() },
        errors: errors.iter().map(|error| ClaimNotice::new(&error.reason, &error.message)).collect(),
        info: vec![ClaimNotice::new("members_change", "Its members will be those of the organization.")],
        members_exceeding_free_project_limit: members_at_limit(cx, project, target),
        source_subscription_plan: source,
        target_subscription_plan: target.plan,
    })
}

/// The obstacles to claiming the project.
pub(crate) fn obstacles(cx: &Cx<'_>, project: &Project, target: &OrganizationDetail) -> Vec<Error> {
    if project.branch_of.is_some() {
        return vec![Error::invalid("project_is_branch", "A branch goes where its project goes.")];
    }
    if project.organization == target.id {
        return vec![Error::invalid("own_project", "The project is in this organization already.")];
    }
    let name = project::require_free_name(cx, &target.id, &project.name, &project.r#ref);
    let full = members_at_limit(cx, project, target);
    let room = project::require_none_at_limit(&full, Kind::Invalid);
    let refused = [name, room].into_iter().filter_map(Result::err);
    let beyond = beyond_plan::of(cx, project, target.plan).into_iter().map(|one| one.obstacle(target.plan));
    refused.chain(beyond).collect()
}

/// Members who have no free project left for this one.
fn members_at_limit(cx: &Cx<'_>, project: &Project, target: &OrganizationDetail) -> Vec<MemberAtLimit> {
    match project.status.is_resting() {
        true => Vec::new(),
        false => project::members_at_limit(cx, target, &project.r#ref),
    }
}

/// The project and its branches are the target's from now on. Whatever the former organization's people could still do with
/// them ends.
pub(crate) fn hand_over(cx: &Cx<'_>, project: &Project, target: &OrganizationDetail) {
    claim_token::spend(cx, &project.r#ref);
    member::forget_project(cx, &project.organization, &project.r#ref);
    for moved in project_row::with_branches(cx, &project.r#ref) {
        backup_span::hand_over(cx, &moved.r#ref, target);
        organization::count(cx, &moved.organization, &moved, -1);
        cx.db.run("UPDATE project SET organization = ?2 WHERE id = ?1", (moved.id, &target.id));
        organization::count(cx, &target.id, &moved, 1);
        jit_access::hand_over(cx, &moved.r#ref, &target.id);
        if target.plan == Plan::Free {
            let nano = text_of(&InstanceSize::Nano);
            cx.db.run("UPDATE project SET instance_size = ?2 WHERE id = ?1", (moved.id, nano));
        }
    }
    for organization in [&project.organization, &target.id] {
        event::happened(cx, EventType::ProjectTransferred, organization, Some(&project.r#ref));
    }
}
