//! `/v1/projects/{ref}` with PATCH, and `/v1/projects/{ref}/database/password`: changes of a project.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, Secret, ToSchema, patch,
};

use crate::project::{self, ProjectRef};

operations![RenameProject, UpdateDatabasePassword];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The name of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RenamedProject {
    /// Number of the project.
    pub id: i64,
    /// Its reference.
    pub r#ref: ProjectRef,
    /// Its name.
    pub name: String,
}

/// Rename a project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RenameProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its name: no dot, unique in the organization.
    #[schemars(
        length(min = 1, max = 256),
        regex(pattern = r"^[^.]*$"),
        extend("x-pattern-refusal" = "name should not contain a . string")
    )]
    pub name: String,
}

impl Operation for RenameProject {
    type Output = RenamedProject;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to update project",
        ..patch("v1-update-a-project", "/v1/projects/{ref}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RenamedProject, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if project.branch_of.is_none() {
            project::require_free_name(cx, &project.organization, &self.name, &project.r#ref)?;
        }
        cx.db.run("UPDATE project SET name = ?2 WHERE ref = ?1", (&project.r#ref, &self.name));
        Ok(RenamedProject { id: project.id, r#ref: self.r#ref, name: self.name })
    }
}

/// Change the password of the owner of a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateDatabasePassword {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The password.
    #[schemars(length(min = 4), extend("x-refusal" = "password must be longer than or equal to 4 characters"))]
    pub password: Secret,
}

/// The password was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct UpdatedPassword {
    /// The message.
    pub message: String,
}

impl Operation for UpdateDatabasePassword {
    type Output = UpdatedPassword;
    const META: Meta = Meta {
        needs: Needs { active: true, ..Needs::DATABASE },
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to update database password",
        ..patch("v1-update-database-password", "/v1/projects/{ref}/database/password")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<UpdatedPassword, Error> {
        let project = project::load(cx, &self.r#ref)?;
        cx.db.run("UPDATE project SET db_pass = ?2 WHERE ref = ?1", (&project.r#ref, &self.password.0));
        Ok(UpdatedPassword { message: "Successfully updated password".to_owned() })
    }
}
