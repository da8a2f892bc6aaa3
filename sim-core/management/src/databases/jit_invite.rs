//! `/v1/projects/{ref}/database/jit/invite`: invitations of people outside the organization to temporarily log in to a
//! project's database.
//!
//! The service mails the token. No mail is sent here: the token is the invitation's id.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Kind, Meta, New, Operation, Resource, Role, Scope, Secret, ToSchema,
    View, delete, from_micros, later, micros, post, view,
};
use uuid::Uuid;

use crate::from_text::from_text;
use crate::jit_access::{self, JitAccess, JitRole, ListedJitAccess};
use crate::project::{self, ProjectRef, Row as Project};

operations![InviteJitAccess, AcceptJitInvite, DeleteJitInvite];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE jit_invite (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        id TEXT NOT NULL UNIQUE,
        email TEXT NOT NULL,
        roles TEXT NOT NULL,
        until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX jit_invite_by_project ON jit_invite (project, seq);
";

/// The end of an invitation.
pub(crate) const END: End = End {
    kind: "end of invitation",
    sql: "SELECT until, project, json_object('email', email) FROM jit_invite WHERE until > ?1",
};

pub(crate) const VIEWS: &[View] = &[view(
    "jit_invite",
    "An invitation to log in to a project's database.",
    "SELECT project, email, roles, until FROM jit_invite ORDER BY seq",
)];

/// The lifetime of an invitation.
const VALID: Duration = Duration::from_secs(7 * 86_400);

/// An email address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Email(
    #[schemars(
        length(min = 1),
        regex(pattern = r"^[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$"),
        extend("x-rule" = "an email address")
    )]
    pub String,
);

from_text!(Email);

/// An invitation.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct JitInvite {
    /// UUID.
    pub invite_id: String,
    /// The email address of the invited person.
    pub email: String,
    /// The roles with which they may log in.
    pub user_roles: Vec<JitRole>,
}

/// Invite a person to log in to a project's database with these roles. Replaces an earlier invitation of the same address.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct InviteJitAccess {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The email address of the invited person.
    pub email: Email,
    /// The roles, each once.
    pub roles: Vec<JitRole>,
}

impl Operation for InviteJitAccess {
    type Output = JitInvite;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        check: Some(jit_access::check_networks),
        also: &[500],
        failure: "Failed to invite external user to database jit access",
        ..post("v1-invite-external-jit-access", "/v1/projects/{ref}/database/jit/invite")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitInvite, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let invite_id = cx.rng.uuid("jit invite").to_string();
        let email = self.email.0;
        let user_roles = jit_access::last_of_each(cx, self.roles)?;
        let roles = serde_json::to_string(&user_roles).expect("roles are plain data");
        cx.db.run("DELETE FROM jit_invite WHERE project = ?1 AND email = ?2", (&project.r#ref, &email));
        let sql = "INSERT INTO jit_invite (project, id, email, roles, until) VALUES (?1, ?2, ?3, ?4, ?5)";
        cx.db.run(sql, (&project.r#ref, &invite_id, &email, roles, micros(later(cx.now, VALID))));
        Ok(JitInvite { invite_id, email, user_roles })
    }
}

/// Accept an invitation: the caller may then log in with its roles.
///
/// Here only members of the project's organization can do so.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AcceptJitInvite {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The address that was invited.
    pub email: Email,
    /// The token of the invitation: its id here.
    #[schemars(length(min = 1))]
    pub token: Secret,
}

impl Operation for AcceptJitInvite {
    type Output = JitAccess;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::ReadOnly,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to accept database jit access invite",
        ..post("v1-accept-invite-external-jit-access", "/v1/projects/{ref}/database/jit/invite/accept")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitAccess, Error> {
        let user_id = jit_access::caller(cx)?;
        let project = project::load(cx, &self.r#ref)?;
        let sql = "DELETE FROM jit_invite WHERE project = ?1 AND id = ?2 AND email = ?3 AND until > ?4
                   RETURNING roles";
        let key = (&project.r#ref, &self.token.0, &self.email.0, micros(cx.now));
        let roles = cx.db.maybe(sql, key, |row| row.get::<_, String>(0)).ok_or_else(not_found)?;
        jit_access::store(cx, &project, &user_id, &roles);
        Ok(JitAccess { user_id, user_roles: jit_access::read_roles(&roles) })
    }
}

fn not_found() -> Error {
    Error::new(Kind::NotFound, "jit_invite_not_found", "Invite not found")
}

/// Withdraw an invitation.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteJitInvite {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the invitation.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub invite_id: Uuid,
}

impl Operation for DeleteJitInvite {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to delete database jit access invite",
        ..delete("v1-delete-invite-external-jit-access", "/v1/projects/{ref}/database/jit/invite/{invite_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "DELETE FROM jit_invite WHERE project = ?1 AND id = ?2";
        match cx.db.run(sql, (&project.r#ref, self.invite_id.to_string())) {
            0 => Err(not_found()),
            _ => Ok(Empty {}),
        }
    }
}

/// The valid invitations, oldest first.
pub(crate) fn listed(cx: &Cx<'_>, project: &Project) -> Vec<ListedJitAccess> {
    let sql = "SELECT id, email, roles, until FROM jit_invite WHERE project = ?1 AND until > ?2 ORDER BY seq";
    cx.db.all(sql, (&project.r#ref, micros(cx.now)), |row| {
        Ok(ListedJitAccess {
            user_id: None,
            user_roles: jit_access::read_roles(&row.get::<_, String>(2)?),
            primary_email: Some(row.get(1)?),
            invite_id: Some(row.get(0)?),
            expires_at: Some(from_micros(row.get(3)?)),
        })
    })
}
