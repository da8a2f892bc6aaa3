//! `/v1/projects/{ref}/database/webhooks`: HTTP calls by a project's database when its rows change.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, Timestamp, ToSchema,
    View, act, from_micros, get, micros, view,
};

use crate::project::{self, ProjectRef};

operations![EnableWebhooks, GetWebhooks];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE database_webhooks (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        enabled_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "webhook",
    "A project whose database has webhooks.",
    "SELECT project, enabled_at FROM database_webhooks",
)];

/// Enable database webhooks. Enabling them again has no effect.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct EnableWebhooks {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for EnableWebhooks {
    type Output = Empty;
    const META: Meta = Meta {
        status: 201,
        beta: true,
        scope: Some(Scope("database:write")),
        also: &[500],
        needs: Needs::DATABASE,
        failure: "Failed to enable Database Webhooks on the project",
        ..act("v1-enable-database-webhook", "/v1/projects/{ref}/database/webhooks/enable")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "INSERT OR IGNORE INTO database_webhooks VALUES (?1, ?2)";
        cx.db.run(sql, (&project.r#ref, micros(cx.now)));
        Ok(Empty {})
    }
}

/// Whether database webhooks are enabled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Webhooks {
    /// Whether they are enabled.
    pub enabled: bool,
    /// When they were enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub enabled_at: Option<Timestamp>,
}

/// Get whether a project's database webhooks are enabled. The API itself has no such operation.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetWebhooks {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetWebhooks {
    type Output = Webhooks;
    const META: Meta =
        Meta { access: Access::Control, ..get("sim-get-webhooks", "/_sim/projects/{ref}/database/webhooks") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Webhooks, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let enabled_at = enabled_at(cx, &project.r#ref);
        Ok(Webhooks { enabled: enabled_at.is_some(), enabled_at })
    }
}

/// Since when the project's database webhooks are enabled, if they are.
fn enabled_at(cx: &Cx<'_>, project: &str) -> Option<Timestamp> {
    let sql = "SELECT enabled_at FROM database_webhooks WHERE project = ?1";
    cx.db.maybe(sql, (project,), |row| row.get(0)).map(from_micros)
}
