//! `/v1/projects/{ref}/postgrest`: the REST layer over a project's database.

use serde::{Deserialize, Deserializer, Serialize};
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, Secret, ToSchema, View, get, patch,
    view,
};

use crate::project::{self, ProjectRef};

operations![GetRestConfig, UpdateRestConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE rest_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        db_schema TEXT NOT NULL,
        max_rows INTEGER NOT NULL,
        db_extra_search_path TEXT NOT NULL,
        db_pool INTEGER,
        db_pool_acquisition_timeout INTEGER,
        db_pool_max_idletime INTEGER,
        db_pool_max_lifetime INTEGER
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "rest_config",
    "A project's REST layer.",
    "SELECT project, db_schema, max_rows, db_extra_search_path, db_pool FROM rest_config",
)];

/// The configuration of the REST layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RestConfig {
    /// Exposed schemas, separated by commas.
    pub db_schema: String,
    /// The maximum number of rows in an answer.
    pub max_rows: u32,
    /// Additional schemas of the search path, separated by commas.
    pub db_extra_search_path: String,
    /// Connections to the database; `null` for the default of the machine's size.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub db_pool: Option<u32>,
    /// Seconds that a request waits for a connection; `null` for the service's default.
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub db_pool_acquisition_timeout: Option<u32>,
    /// Seconds after which an unused connection is closed; `null` for the service's default.
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub db_pool_max_idletime: Option<u32>,
    /// Seconds after which a connection is closed; `null` for the service's default.
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub db_pool_max_lifetime: Option<u32>,
}

impl Default for RestConfig {
    fn default() -> RestConfig {
        RestConfig {
            db_schema: "public,graphql_public".to_owned(),
            max_rows: 1000,
            db_extra_search_path: "public, extensions".to_owned(),
            db_pool: None,
            db_pool_acquisition_timeout: None,
            db_pool_max_idletime: None,
            db_pool_max_lifetime: None,
        }
    }
}

/// The configuration of the REST layer, with the secret that signs tokens for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RestConfigWithSecret {
    /// The configuration.
    #[serde(flatten)]
    pub config: RestConfig,
    /// The secret that signs the tokens that it accepts.
    pub jwt_secret: Secret,
}

/// Get the configuration of a project's REST layer, with the secret that signs tokens for it.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRestConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetRestConfig {
    type Output = RestConfigWithSecret;
    const META: Meta = Meta {
        scope: Some(Scope("rest:read")),
        also: &[500],
        failure: "Failed to retrieve project's postgrest config",
        ..get("v1-get-postgrest-service-config", "/v1/projects/{ref}/postgrest")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RestConfigWithSecret, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let jwt_secret = Secret(project::jwt_secret(cx, &project.r#ref));
        Ok(RestConfigWithSecret { config: stored(cx, &project.r#ref), jwt_secret })
    }
}

/// Update the configuration of a project's REST layer. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateRestConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Exposed schemas, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_schema: Option<String>,
    /// The maximum number of rows in an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub max_rows: Option<u32>,
    /// Additional schemas of the search path, separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_extra_search_path: Option<String>,
    /// Connections to the database; `null` for the default of the machine's size.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<u32>", range(min = 0, max = 1000), extend("x-nullable" = true))]
    pub db_pool: Option<Option<u32>>,
    /// Seconds that a request waits for a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 60), extend("x-since" = "2026-11"))]
    pub db_pool_acquisition_timeout: Option<u32>,
    /// Seconds after which an unused connection is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 60), extend("x-since" = "2026-11"))]
    pub db_pool_max_idletime: Option<u32>,
    /// Seconds after which a connection is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 3600), extend("x-since" = "2026-11"))]
    pub db_pool_max_lifetime: Option<u32>,
}

impl UpdateRestConfig {
    /// An empty update, as a base for updates of some fields.
    pub fn of(r#ref: ProjectRef) -> UpdateRestConfig {
        UpdateRestConfig::new(r#ref)
    }
}

/// Distinguishes `null` from a missing field.
pub(crate) fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u32>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl Operation for UpdateRestConfig {
    type Output = RestConfig;
    const META: Meta = Meta {
        scope: Some(Scope("rest:write")),
        also: &[500],
        failure: "Failed to update project's postgrest config",
        needs: Needs::SET_UP,
        ..patch("v1-update-postgrest-service-config", "/v1/projects/{ref}/postgrest")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RestConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let old = stored(cx, &project.r#ref);
        let new = RestConfig {
            db_schema: self.db_schema.unwrap_or(old.db_schema),
            max_rows: self.max_rows.unwrap_or(old.max_rows),
            db_extra_search_path: self.db_extra_search_path.unwrap_or(old.db_extra_search_path),
            db_pool: self.db_pool.unwrap_or(old.db_pool),
            db_pool_acquisition_timeout: self.db_pool_acquisition_timeout.or(old.db_pool_acquisition_timeout),
            db_pool_max_idletime: self.db_pool_max_idletime.or(old.db_pool_max_idletime),
            db_pool_max_lifetime: self.db_pool_max_lifetime.or(old.db_pool_max_lifetime),
        };
        cx.db.run(
            "INSERT OR REPLACE INTO rest_config VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            (
                &project.r#ref,
                &new.db_schema,
                new.max_rows,
                &new.db_extra_search_path,
                new.db_pool,
                new.db_pool_acquisition_timeout,
                new.db_pool_max_idletime,
                new.db_pool_max_lifetime,
            ),
        );
        Ok(new)
    }
}

pub(crate) fn stored(cx: &Cx<'_>, project: &str) -> RestConfig {
    let sql = "SELECT db_schema, max_rows, db_extra_search_path, db_pool, db_pool_acquisition_timeout,
               db_pool_max_idletime, db_pool_max_lifetime FROM rest_config WHERE project = ?1";
    let found = cx.db.maybe(sql, (project,), |row| {
        Ok(RestConfig {
            db_schema: row.get(0)?,
            max_rows: row.get(1)?,
            db_extra_search_path: row.get(2)?,
            db_pool: row.get(3)?,
            db_pool_acquisition_timeout: row.get(4)?,
            db_pool_max_idletime: row.get(5)?,
            db_pool_max_lifetime: row.get(6)?,
        })
    });
    found.unwrap_or_default()
}
