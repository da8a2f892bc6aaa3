//! `/v1/projects/{ref}/cli/login-role`: short-lived roles with which command-line tools log in to a project's
//! database.

use std::time::Duration;

use serde::Serialize;
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Resource, Role, Scope, Secret, ToSchema, View,
    delete, later, micros, post, view,
};

use crate::branch_config::Okay;
use crate::project::{self, ProjectRef};

operations![CreateLoginRole, DeleteLoginRoles];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE login_role (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        role TEXT NOT NULL,
        password TEXT NOT NULL, -- secret
        read_only INTEGER NOT NULL,
        until INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX login_role_by_project ON login_role (project);
";

/// The end of a role.
pub(crate) const END: End = End {
    kind: "end of login role",
    sql: "SELECT until, project, json_object('role', role) FROM login_role WHERE until > ?1",
};

pub(crate) const VIEWS: &[View] = &[view(
    "login_role",
    "A temporary role for logins of a command-line tool.",
    "SELECT project, role, read_only, until FROM login_role ORDER BY seq",
)];

/// A role to log in with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct LoginRole {
    /// Its name.
    pub role: String,
    /// Its password.
    pub password: Secret,
    /// The lifetime in seconds.
    pub ttl_seconds: u64,
}

/// Create a temporary role with which a command-line tool can log in to a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateLoginRole {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Whether it is read-only.
    pub read_only: bool,
}

impl Operation for CreateLoginRole {
    type Output = LoginRole;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        role: Role::Developer,
        also: &[500],
        failure: "Failed to create login role",
        needs: Needs::DATABASE,
        ..post("v1-create-login-role", "/v1/projects/{ref}/cli/login-role")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<LoginRole, Error> {
        let project = project::load(cx, &self.r#ref)?;
        forget_old(cx);
        let mut draw = cx.rng.draw("login role");
        let kind = if self.read_only { "read_only" } else { "postgres" };
        let (role, password) = (format!("cli_login_{kind}_{}", draw.letters(8)), draw.hex::<16>());
        let lasts = Duration::from_millis(cx.policy.durations.login_role_ms);
        let until = micros(later(cx.now, lasts));
        let sql =
            "INSERT INTO login_role (project, role, password, read_only, until) VALUES (?1, ?2, ?3, ?4, ?5)";
        cx.db.run(sql, (&project.r#ref, &role, &password, self.read_only, until));
        Ok(LoginRole { role, password: Secret(password), ttl_seconds: lasts.as_secs() })
    }
}

/// Delete all roles of a project's database that were created for command-line tools.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteLoginRoles {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

/// The roles were deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DeletedLoginRoles {
    /// `ok`.
    pub message: Okay,
}

impl Operation for DeleteLoginRoles {
    type Output = DeletedLoginRoles;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        role: Role::Developer,
        also: &[500],
        failure: "Failed to delete login roles",
        needs: Needs::DATABASE,
        ..delete("v1-delete-login-roles", "/v1/projects/{ref}/cli/login-role")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DeletedLoginRoles, Error> {
        let project = project::load(cx, &self.r#ref)?;
        cx.db.run("DELETE FROM login_role WHERE project = ?1", (&project.r#ref,));
        Ok(DeletedLoginRoles { message: Okay::Ok })
    }
}

/// Expired roles.
fn forget_old(cx: &Cx<'_>) {
    cx.db.run("DELETE FROM login_role WHERE until <= ?1", (micros(cx.now),));
}
