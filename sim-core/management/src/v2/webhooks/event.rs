//! What can happen, and who hears of it.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use sim_base::{Cx, FromJson, Role, Timestamp, ToSchema, from_micros, micros};

use super::posting;
use crate::organization::Plan;
use crate::project::Status;
use crate::text_of;

/// A kind of event, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(inline)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum EventType {
    #[serde(rename = "v1.project.paused")]
    ProjectPaused,
    #[serde(rename = "v1.project.created")]
    ProjectCreated,
    #[serde(rename = "v1.project.restored")]
    ProjectRestored,
    #[serde(rename = "v1.project.transferred")]
    ProjectTransferred,
    #[serde(rename = "v1.project.removed")]
    ProjectRemoved,
    #[serde(rename = "v1.project.restarted")]
    ProjectRestarted,
    #[serde(rename = "v1.project.status.changed")]
    ProjectStatusChanged,
    #[serde(rename = "v1.project.backup.started")]
    BackupStarted,
    #[serde(rename = "v1.project.branch.created")]
    BranchCreated,
    #[serde(rename = "v1.project.branch.updated")]
    BranchUpdated,
    #[serde(rename = "v1.project.branch.removed")]
    BranchRemoved,
    #[serde(rename = "v1.project.secrets.leaked")]
    ProjectSecretsLeaked,
    #[serde(rename = "v1.organization.member.invitation.created")]
    InvitationCreated,
    #[serde(rename = "v1.organization.member.invitation.canceled")]
    InvitationCanceled,
    #[serde(rename = "v1.organization.member.added")]
    MemberAdded,
    #[serde(rename = "v1.organization.member.removed")]
    MemberRemoved,
    #[serde(rename = "v1.organization.member.role.assigned")]
    RoleAssigned,
    #[serde(rename = "v1.organization.member.role.removed")]
    RoleRemoved,
    #[serde(rename = "v1.organization.member.role.updated")]
    RoleUpdated,
    #[serde(rename = "v1.organization.billing.plan.upgraded")]
    PlanUpgraded,
    #[serde(rename = "v1.organization.billing.plan.downgraded")]
    PlanDowngraded,
    #[serde(rename = "v1.organization.secrets.leaked")]
    OrganizationSecretsLeaked,
    #[serde(rename = "*")]
    All,
}

impl EventType {
    /// Every kind of event.
    pub const EVENTS: [EventType; 22] = {
        use EventType::*;
        [
            ProjectPaused,
            ProjectCreated,
            ProjectRestored,
            ProjectTransferred,
            ProjectRemoved,
            ProjectRestarted,
            ProjectStatusChanged,
            BackupStarted,
            BranchCreated,
            BranchUpdated,
            BranchRemoved,
            ProjectSecretsLeaked,
            InvitationCreated,
            InvitationCanceled,
            MemberAdded,
            MemberRemoved,
            RoleAssigned,
            RoleRemoved,
            RoleUpdated,
            PlanUpgraded,
            PlanDowngraded,
            OrganizationSecretsLeaked,
        ]
    };
}

/// The kinds of events, without `*`.
pub(super) fn events(_: &mut SchemaGenerator) -> Schema {
    let all: Vec<_> = EventType::EVENTS.iter().map(text_of).collect();
    json_schema!({ "type": "string", "enum": all })
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "WebhookEvent")]
pub struct Event {
    /// What kind of thing.
    #[schemars(schema_with = "events")]
    pub r#type: EventType,
    /// When.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub timestamp: Timestamp,
    /// Where.
    pub payload: EventPayload,
}

/// Where something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct EventPayload {
    /// The organization.
    pub organization_slug: String,
    /// The project; `null` if it happened to the organization itself.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub project_ref: Option<String>,
}

impl Event {
    pub(super) fn now(cx: &Cx<'_>, r#type: EventType, organization: &str, project: Option<&str>) -> Event {
        let payload = EventPayload {
            organization_slug: organization.to_owned(),
            project_ref: project.map(str::to_owned),
        };
        // A timestamp of a row, which has microseconds.
        Event { r#type, timestamp: from_micros(micros(cx.now)), payload }
    }
}

/// Tells the endpoints that want to know of it what happened in an organization, or in a project of it.
pub(crate) fn happened(cx: &Cx<'_>, r#type: EventType, organization: &str, project: Option<&str>) {
    if has_endpoints(cx) {
        tell(cx, r#type, organization, project);
    }
}

/// The same for the organization that has the project.
pub(crate) fn happened_in(cx: &Cx<'_>, r#type: EventType, project: &str) {
    if !has_endpoints(cx) {
        return;
    }
    let sql = "SELECT organization FROM project WHERE ref = ?1";
    if let Some(organization) = cx.db.maybe(sql, (project,), |row| row.get::<_, String>(0)) {
        tell(cx, r#type, &organization, Some(project));
    }
}

/// Whether there are any, which in most worlds there are not.
fn has_endpoints(cx: &Cx<'_>) -> bool {
    cx.db.maybe("SELECT 1 FROM webhook_endpoint LIMIT 1", (), |_| Ok(())).is_some()
}

fn tell(cx: &Cx<'_>, r#type: EventType, organization: &str, project: Option<&str>) {
    let sql = "SELECT seq, enabled, event_types FROM webhook_endpoint WHERE organization = ?1 OR project = ?2 ORDER BY seq";
    let found = cx.db.all(sql, (organization, project), |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?, row.get::<_, String>(2)?))
    });
    let event = Event::now(cx, r#type, organization, project);
    let mut id = None;
    for (endpoint, enabled, types) in found {
        if super::endpoint::wants(&types, r#type) {
            let id = id.get_or_insert_with(|| posting::new_event(cx));
            posting::deliver(cx, endpoint, enabled, id, &event, 1);
        }
    }
}

/// Tells what a project's new status means.
pub(crate) fn status_changed(cx: &Cx<'_>, project: &str, from: Status, to: Status) {
    happened_in(cx, EventType::ProjectStatusChanged, project);
    let more = match (from, to) {
        (Status::Pausing, Status::Inactive) => EventType::ProjectPaused,
        (Status::Restoring, Status::ActiveHealthy) => EventType::ProjectRestored,
        (Status::Restarting, Status::ActiveHealthy) => EventType::ProjectRestarted,
        (_, Status::Removed) => EventType::ProjectRemoved,
        _ => return,
    };
    happened_in(cx, more, project);
}

/// Tells that a branch is in another state.
pub(crate) fn branch_updated(cx: &Cx<'_>, branch: &str) {
    if !has_endpoints(cx) {
        return;
    }
    let sql = "SELECT parent FROM branch WHERE id = ?1";
    if let Some(parent) = cx.db.maybe(sql, (branch,), |row| row.get::<_, String>(0)) {
        happened_in(cx, EventType::BranchUpdated, &parent);
    }
}

/// Tells that an organization is on another plan.
pub(crate) fn plan_changed(cx: &Cx<'_>, organization: &str, from: Plan, to: Plan) {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => happened(cx, EventType::PlanUpgraded, organization, None),
        std::cmp::Ordering::Greater => happened(cx, EventType::PlanDowngraded, organization, None),
        std::cmp::Ordering::Equal => {}
    }
}

/// Tells that a user has a role in an organization; `before` is the one that the user had.
pub(crate) fn role_given(cx: &Cx<'_>, organization: &str, before: Option<Role>, role: Role) {
    match before {
        None => {
            happened(cx, EventType::MemberAdded, organization, None);
            happened(cx, EventType::RoleAssigned, organization, None);
        }
        Some(before) if before != role => happened(cx, EventType::RoleUpdated, organization, None),
        Some(_) => {}
    }
}

/// Tells that a user is no longer a member of an organization.
pub(crate) fn member_removed(cx: &Cx<'_>, organization: &str) {
    happened(cx, EventType::RoleRemoved, organization, None);
    happened(cx, EventType::MemberRemoved, organization, None);
}
