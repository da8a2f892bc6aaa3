//! `/v1/projects/{ref}/ssl-enforcement`: whether a project's database accepts only encrypted connections.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, ToSchema, View, get, put, view,
};

use crate::project::{self, ProjectRef, Row};
use crate::restart::restart;

operations![GetSslEnforcement, UpdateSslEnforcement];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE ssl_enforcement (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        database INTEGER NOT NULL,
        changed_by_call INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "ssl_enforcement",
    "Whether a project's database requires TLS.",
    "SELECT project, database, changed_by_call FROM ssl_enforcement",
)];

/// Whether encryption is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SslEnforcement {
    /// Where it is.
    pub current_config: SslConfig,
    /// Whether it was applied; always true.
    pub applied_successfully: bool,
}

/// The connections for which encryption is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SslConfig {
    /// On connections to the database.
    pub database: bool,
}

/// Get whether a project's database accepts only encrypted connections.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetSslEnforcement {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetSslEnforcement {
    type Output = SslEnforcement;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to retrieve project's SSL enforcement config",
        bare: &[400],
        ..get("v1-get-ssl-enforcement-config", "/v1/projects/{ref}/ssl-enforcement")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SslEnforcement, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_support(cx)?;
        Ok(shown(cx, &project))
    }
}

/// Make a project's database accept only encrypted connections, or any.
///
/// A change restarts the database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSslEnforcement {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The connections for which encryption is enforced from now on.
    pub requested_config: SslConfig,
}

impl UpdateSslEnforcement {
    /// Requires encryption on connections to the database, or stops requiring it.
    pub fn database(r#ref: ProjectRef, enforced: bool) -> UpdateSslEnforcement {
        UpdateSslEnforcement { r#ref, requested_config: SslConfig { database: enforced } }
    }
}

impl Operation for UpdateSslEnforcement {
    type Output = SslEnforcement;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to update project's SSL enforcement configuration.",
        bare: &[400],
        needs: Needs::SET_UP,
        ..put("v1-update-ssl-enforcement-config", "/v1/projects/{ref}/ssl-enforcement")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SslEnforcement, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_support(cx)?;
        let before = shown(cx, &project);
        if before.current_config == self.requested_config {
            return Ok(before);
        }
        restart(cx, &project)?;
        let sql = "INSERT OR REPLACE INTO ssl_enforcement VALUES (?1, ?2, ?3)";
        cx.db.run(sql, (&project.r#ref, self.requested_config.database, cx.call as i64));
        Ok(shown(cx, &project))
    }
}

fn require_support(cx: &Cx<'_>) -> Result<(), Error> {
    if cx.policy.ssl_enforcement {
        return Ok(());
    }
    let text = "not allowed to configure SSL enforcements";
    Err(Error::invalid("ssl_enforcement_unsupported", text)
        .because("policy.ssl_enforcement", false, None)
        .bare())
}

/// Whether the project's database accepts only encrypted connections.
pub(crate) fn is_enforced(cx: &Cx<'_>, project: &Row) -> bool {
    shown(cx, project).current_config.database
}

fn shown(cx: &Cx<'_>, project: &Row) -> SslEnforcement {
    let sql = "SELECT database FROM ssl_enforcement WHERE project = ?1";
    let database = cx.db.maybe(sql, (&project.r#ref,), |row| row.get(0)).unwrap_or(false);
    SslEnforcement { current_config: SslConfig { database }, applied_successfully: true }
}
