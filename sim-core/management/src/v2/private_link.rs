//! `/v2/projects/{ref}/private-link/associations`: accounts of the cloud whose private networks reach a project's databases.

use std::time::Duration;

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, Scope, Timestamp, ToSchema,
    View, delete, from_micros, get, later, micros, post, view,
};

use super::document::{Given, Many, Object, One, kind};
use crate::organization::{self, Plan};
use crate::pooler::DatabaseType;
use crate::project::{self, ProjectRef, Row};
use crate::{replica, text_of};

operations![CreateAssociation, ListAssociations, DeleteAssociationOfDatabase, DeleteAssociation];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE private_link (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        account TEXT NOT NULL,
        account_name TEXT,
        database TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        UNIQUE (project, account, database)
    ) STRICT;
";

/// The plan that private links need.
pub(crate) const LEAST_PLAN: Plan = Plan::Team;

/// Whether the project has private links.
pub(crate) fn any(cx: &Cx<'_>, project: &str) -> bool {
    cx.db.maybe("SELECT 1 FROM private_link WHERE project = ?1 LIMIT 1", (project,), |_| Ok(())).is_some()
}

/// Ends the project's private links.
pub(crate) fn end_all(cx: &Cx<'_>, project: &str) {
    cx.db.run("DELETE FROM private_link WHERE project = ?1", (project,));
}

pub(crate) const VIEWS: &[View] = &[view(
    "private_link",
    "A cloud account whose private network can reach a project's database.",
    "SELECT id, project, account, account_name, database, created_at FROM private_link ORDER BY seq",
)];

kind! {
    /// An account whose private network can reach a database.
    AssociationKind = "private_link_association";
}

/// An account as a resource.
pub type AssociationObject = Object<AssociationKind, Association>;

/// A cloud account whose private network can reach a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "PrivateLinkAssociation")]
pub struct Association {
    /// The account's number.
    pub cloud_a_account_id: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_name: Option<String>,
    /// The database: the project's reference, or the identifier of a read replica.
    pub database_identifier: String,
    /// Whether it accepts writes.
    pub database_type: DatabaseType,
    /// Its status.
    pub status: AssociationStatus,
    /// When it became ready.
    #[schemars(with = "Option<String>", extend("format" = "date-time", "x-nullable" = true, "x-required" = true))]
    pub shared_at: Option<Timestamp>,
    /// The database's name in the private network.
    pub custom_dns_name: String,
    /// The share; absent until it is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_access_manager_share_arn: Option<String>,
    /// The shared resource; absent until it is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_access_manager_resource_config_arn: Option<String>,
    /// The last part of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_access_manager_resource_config_id: Option<String>,
}

/// The status of an association. Here it becomes ready without being accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum AssociationStatus {
    Creating,
    Ready,
    AssociationRequestExpired,
    AssociationAccepted,
    CreationFailed,
    Deleting,
}

/// An account to connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NewAssociation {
    /// The account's number.
    #[schemars(length(min = 12, max = 12), regex(pattern = ACCOUNT), extend("x-rule" = "twelve digits"))]
    pub cloud_a_account_id: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub account_name: Option<String>,
    /// The database; the project's own by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_identifier: Option<String>,
}

const ACCOUNT: &str = r"^\d{12}$";

/// The time until an association is ready.
const CREATION: Duration = Duration::from_secs(60);

/// Connect an account's private network to a project's database. This takes a minute. Needs the team plan.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateAssociation {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The account.
    pub data: Given<AssociationKind, NewAssociation>,
}

impl Operation for CreateAssociation {
    type Output = One<AssociationObject>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to create the association",
        ..post("v2-create-private-link-association", "/v2/projects/{ref}/private-link/associations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<AssociationObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_plan(cx, &project)?;
        let new = self.data.attributes;
        let database = new.database_identifier.unwrap_or_else(|| project.r#ref.clone());
        if database != project.r#ref && !replica::identifiers(cx, &project).contains(&database) {
            return Err(Error::not_found("database", &database));
        }
        let sql = "INSERT INTO private_link (id, project, account, account_name, database, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
        let id = cx.rng.uuid("private link").to_string();
        let row =
            (&id, &project.r#ref, &new.cloud_a_account_id, &new.account_name, &database, micros(cx.now));
        if cx.db.run(sql, row) == 0 {
            let text = "This account reaches the database already.";
            return Err(Error::invalid("association_exists", text).because(
                "account",
                new.cloud_a_account_id,
                None,
            ));
        }
        let made = all(cx, &project).into_iter().find(|one| one.id == id);
        Ok(One::of(made.expect("it was inserted")))
    }
}

/// List the accounts whose private networks can reach a project's databases, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListAssociations {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListAssociations {
    type Output = Many<AssociationObject>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to list the associations",
        ..get("v2-list-private-link-associations", "/v2/projects/{ref}/private-link/associations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Many<AssociationObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(Many { data: all(cx, &project) })
    }
}

/// Disconnect an account's private network from a database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteAssociationOfDatabase {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The account's number.
    #[schemars(length(min = 12, max = 12), regex(pattern = ACCOUNT), extend("x-rule" = "twelve digits"))]
    pub cloud_a_account_id: String,
    /// The database.
    pub database_identifier: String,
}

impl Operation for DeleteAssociationOfDatabase {
    type Output = Empty;
    const META: Meta = deletion(
        "v2-delete-private-link-association-for-database",
        "/v2/projects/{ref}/private-link/associations/cloud_a-account/{cloud_a_account_id}/database/{database_identifier}",
    );

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        remove(cx, &project, &self.cloud_a_account_id, Some(&self.database_identifier))
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// Disconnect an account's private network from all databases of a project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteAssociation {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The account's number.
    #[schemars(length(min = 12, max = 12), regex(pattern = ACCOUNT), extend("x-rule" = "twelve digits"))]
    pub cloud_a_account_id: String,
}

impl Operation for DeleteAssociation {
    type Output = Empty;
    const META: Meta = deletion(
        "v2-delete-private-link-association",
        "/v2/projects/{ref}/private-link/associations/cloud_a-account/{cloud_a_account_id}",
    );

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        remove(cx, &project, &self.cloud_a_account_id, None)
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// The declaration of a deletion: of one association, or of all that an account has.
const fn deletion(id: &'static str, path: &'static str) -> Meta {
    Meta {
        status: 204,
        since: Edition::V2026_11,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to delete the association",
        ..delete(id, path)
    }
}

fn require_plan(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    if plan >= LEAST_PLAN {
        return Ok(());
    }
    let text = "Private links need the team plan.";
    Err(Error::forbidden("project_privatelink_disabled", text).because("plan", plan.as_str(), None))
}

fn all(cx: &Cx<'_>, project: &Row) -> Vec<AssociationObject> {
    let sql = "SELECT id, account, account_name, database, created_at FROM private_link WHERE project = ?1 ORDER BY seq";
    cx.db.all(sql, (&project.r#ref,), |row| {
        let (id, database): (String, String) = (row.get(0)?, row.get(3)?);
        let ready_at = later(from_micros(row.get(4)?), CREATION);
        let is_ready = ready_at <= cx.now;
        let region = text_of(&project.region);
        let resource = is_ready.then(|| format!("rcfg-{}", &id[..8]));
        Ok(Object::new(
            id.clone(),
            Association {
                cloud_a_account_id: row.get(1)?,
                account_name: row.get(2)?,
                database_type: match database == project.r#ref {
                    true => DatabaseType::Primary,
                    false => DatabaseType::ReadReplica,
                },
                status: if is_ready { AssociationStatus::Ready } else { AssociationStatus::Creating },
                shared_at: is_ready.then_some(ready_at),
                custom_dns_name: format!("{database}.private.{}", cx.profile.project_domain),
                resource_access_manager_share_arn: is_ready.then(|| format!("arn:ram:{region}:share/{id}")),
                resource_access_manager_resource_config_arn: resource
                    .as_ref()
                    .map(|resource| format!("arn:network:{region}:resource/{resource}")),
                resource_access_manager_resource_config_id: resource,
                database_identifier: database,
            },
        ))
    })
}

fn remove(cx: &Cx<'_>, project: &Row, account: &str, database: Option<&str>) -> Result<Empty, Error> {
    let sql =
        "DELETE FROM private_link WHERE project = ?1 AND account = ?2 AND database = ifnull(?3, database)";
    match cx.db.run(sql, (&project.r#ref, account, database)) {
        0 => Err(Error::not_found("association", account)),
        _ => Ok(Empty {}),
    }
}
