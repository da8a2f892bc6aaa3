//! `/v2/projects/{ref}/config`: all settings of a project in one document. Each part is read where `/v1` shows it too.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, get,
};

use super::document::{Object, One, kind};
use crate::auth_config::{self, AuthConfig};
use crate::network::{self, Entitlement, RestrictionStatus, Restrictions};
use crate::network_change::{Network, Networks};
use crate::pooler::{self, PoolMode};
use crate::postgres_config::{self, PostgresConfig};
use crate::project::{self, ProjectRef, Row};
use crate::storage::{self, StorageCapabilities, StorageConfig, Switch, UpstreamTarget};
use crate::{realtime, rest, ssl};

operations![GetProjectConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// The configuration of a project.
    ProjectConfigKind = "project_config";
}

/// The configuration of a project, by service.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ProjectConfig {
    /// The REST layer.
    pub api: ApiSettings,
    /// Authentication; secrets are digests.
    pub auth: AuthConfig,
    /// The database.
    pub database: DatabaseSettings,
    /// The connection pooler.
    pub pooler: PoolerLimits,
    /// The service that sends changes to clients.
    pub realtime: RealtimeLimits,
    /// Storage.
    pub storage: StorageSettings,
}

/// The configuration of a project's REST layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ApiSettings {
    /// Exposed schemas, separated by commas.
    pub db_schema: String,
    /// Additional schemas of the search path, separated by commas.
    pub db_extra_search_path: String,
    /// The maximum number of rows in an answer.
    pub max_rows: u32,
    /// Connections to the database; `null` for the default of the machine's size.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub db_pool: Option<u32>,
    /// Seconds that a request waits for a connection.
    pub db_pool_acquisition_timeout: u32,
    /// Seconds after which an unused connection is closed.
    #[schemars(range(min = 0, max = 60))]
    pub db_pool_max_idletime: u32,
    /// Seconds after which a connection is closed.
    #[schemars(range(min = 0, max = 3600))]
    pub db_pool_max_lifetime: u32,
}

/// The configuration of a project's database.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct DatabaseSettings {
    /// The major version of Postgres.
    pub major_version: u32,
    /// The network restrictions.
    pub network_restrictions: NetworkSettings,
    /// Settings that differ from the service's defaults.
    pub postgres_settings: PostgresSettings,
    /// Whether connections must be encrypted.
    pub ssl_enforced: bool,
}

/// The network restrictions of a project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NetworkSettings {
    /// Whether the project may have restrictions.
    pub entitlement: Entitlement,
    /// The networks that may connect.
    pub allowed_cidrs: Vec<Network>,
    /// The networks that may connect once requested restrictions are applied; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending_allowed_cidrs: Option<Vec<Network>>,
    /// Whether the requested restrictions are applied.
    pub status: RestrictionStatus,
    /// When restrictions were set; absent until they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Option<Timestamp>,
    /// When they took effect; absent until they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub applied_at: Option<Timestamp>,
    /// When restrictions that wait for review were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub pending_requested_at: Option<Timestamp>,
}

/// The settings of a project's database that differ from the service's. A dot in a name is `_` here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PostgresSettings(pub Map<String, Value>);

impl JsonSchema for PostgresSettings {
    fn schema_name() -> Cow<'static, str> {
        "PostgresSettings".into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        let mut schema = PostgresConfig::json_schema(schemas);
        if let Some(Value::Object(settings)) = schema.get_mut("properties") {
            *settings = std::mem::take(settings).into_iter().map(without_dot).collect();
        }
        let text = "Settings that differ from the service's; what is absent does not.";
        schema.insert("description".to_owned(), text.into());
        schema
    }
}

fn without_dot((name, value): (String, Value)) -> (String, Value) {
    (name.replace('.', "_"), value)
}

/// The limits of a project's connection pooler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct PoolerLimits {
    /// When a connection returns to the pool.
    pub pool_mode: PoolMode,
    /// Connections to the database for each user and database.
    pub default_pool_size: u32,
    /// Additional connections if all are in use.
    pub reserve_pool_size: u32,
    /// The maximum number of clients.
    pub max_client_conn: u32,
    /// Start-up parameters of clients that are ignored.
    pub ignore_startup_parameters: String,
    /// Seconds that a query waits for a connection.
    pub query_wait_timeout: u32,
    /// Seconds after which an unused connection is closed.
    pub server_idle_timeout: u32,
    /// Seconds after which a connection is closed.
    pub server_lifetime: u32,
}

/// The limits of the service that sends a project's changes to clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RealtimeLimits {
    /// Whether the service is off for the project.
    pub suspend: bool,
    /// Whether only private channels are allowed.
    pub private_only: bool,
    /// Whether presence is enabled.
    pub presence_enabled: bool,
    /// Database connections for authorization checks.
    pub connection_pool: u32,
    /// Database connections for changes of rows; `null` for the service's default.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub postgres_changes_pool: Option<u32>,
    /// The maximum number of clients.
    pub max_concurrent_users: u32,
    /// Events per second in a channel.
    pub max_events_per_second: u32,
    /// Bytes per second in a channel.
    pub max_bytes_per_second: u32,
    /// Channels per client.
    pub max_channels_per_client: u32,
    /// Clients that join per second.
    pub max_joins_per_second: u32,
    /// Presence events per second.
    pub max_presence_events_per_second: u32,
    /// The largest message in kilobytes.
    pub max_payload_size_in_kb: u32,
}

/// The configuration of a project's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct StorageSettings {
    /// The largest file in bytes.
    pub file_size_limit: u64,
    /// Its features.
    pub features: StorageFeatures,
    /// The capabilities of its version.
    pub capabilities: StorageCapabilities,
    /// The release that answers.
    pub upstream_target: UpstreamTarget,
    /// The last migration of its own tables.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub migration_version: Option<String>,
}

/// The features of a project's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "StorageFeatureSettings")]
pub struct StorageFeatures {
    /// Image transformation.
    pub image_transformation: Switch,
    /// The S3 protocol.
    pub s3_protocol: Switch,
    /// Removal of files from caches.
    pub purge_cache: Switch,
    /// Analytics tables in files.
    pub iceberg_catalog: IcebergSettings,
    /// Buckets of vectors.
    pub vector_buckets: VectorSettings,
}

/// Analytics tables in files, and their limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct IcebergSettings {
    /// Whether it is enabled.
    pub enabled: bool,
    /// The maximum number of catalogs.
    pub max_catalogs: u32,
    /// The maximum number of namespaces.
    pub max_namespaces: u32,
    /// The maximum number of tables.
    pub max_tables: u32,
}

/// Buckets of vectors, and their limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct VectorSettings {
    /// Whether they are enabled.
    pub enabled: bool,
    /// The maximum number of buckets.
    pub max_buckets: u32,
    /// The maximum number of indexes.
    pub max_indexes: u32,
}

/// Get all settings of a project in one document.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetProjectConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetProjectConfig {
    type Output = One<Object<ProjectConfigKind, ProjectConfig>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve the project's configuration",
        ..get("v2-get-project-config", "/v2/projects/{ref}/config")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<ProjectConfigKind, ProjectConfig>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let config = ProjectConfig {
            api: api(cx, &project),
            auth: auth_config::of(cx, &project.r#ref),
            database: database(cx, &project)?,
            pooler: pooler(cx, &project),
            realtime: realtime(cx, &project),
            storage: storage(cx, &project)?,
        };
        Ok(One::of(Object::new(project.r#ref, config)))
    }
}

/// The defaults of the REST layer itself: seconds that a request waits for a connection, that an unused connection stays open,
/// and that a connection stays open.
const POOL_SECONDS: (u32, u32, u32) = (10, 30, 1800);

fn api(cx: &Cx<'_>, project: &Row) -> ApiSettings {
    let config = rest::stored(cx, &project.r#ref);
    let (wait, idle, life) = POOL_SECONDS;
    ApiSettings {
        db_schema: config.db_schema,
        db_extra_search_path: config.db_extra_search_path,
        max_rows: config.max_rows,
        db_pool: config.db_pool,
        db_pool_acquisition_timeout: config.db_pool_acquisition_timeout.unwrap_or(wait),
        db_pool_max_idletime: config.db_pool_max_idletime.unwrap_or(idle),
        db_pool_max_lifetime: config.db_pool_max_lifetime.unwrap_or(life),
    }
}

fn database(cx: &Cx<'_>, project: &Row) -> Result<DatabaseSettings, Error> {
    let settings = postgres_config::fields(&postgres_config::stored(cx, &project.r#ref));
    let major = project.engine.split(|c: char| !c.is_ascii_digit()).next().and_then(|text| text.parse().ok());
    Ok(DatabaseSettings {
        major_version: major.expect("a version begins with its major version"),
        network_restrictions: network(network::restrictions(cx, project)?),
        postgres_settings: PostgresSettings(settings.into_iter().map(without_dot).collect()),
        ssl_enforced: ssl::is_enforced(cx, project),
    })
}

/// The restrictions in force, and the requested ones if they differ.
fn network(restrictions: Restrictions) -> NetworkSettings {
    let Restrictions {
        entitlement,
        config,
        old_config,
        status,
        updated_at,
        applied_at,
        pending_config,
        pending_requested_at,
    } = restrictions;
    let list = |cidrs| Networks::from(cidrs).dbAllowedCidrs;
    let (allowed, pending) = match old_config {
        Some(old) => (list(old), Some(list(config))),
        None => (list(config), pending_config.map(list)),
    };
    NetworkSettings {
        entitlement,
        allowed_cidrs: allowed,
        pending_allowed_cidrs: pending,
        status: status.unwrap_or(RestrictionStatus::Applied),
        updated_at,
        applied_at,
        pending_requested_at,
    }
}

/// The pooler's defaults: seconds that a query waits, that an unused connection stays open, and that any connection stays open.
const POOLER_SECONDS: (u32, u32, u32) = (120, 600, 3600);

fn pooler(cx: &Cx<'_>, project: &Row) -> PoolerLimits {
    let config = pooler::config(cx, project);
    let (query_wait_timeout, server_idle_timeout, server_lifetime) = POOLER_SECONDS;
    PoolerLimits {
        pool_mode: config.pool_mode,
        default_pool_size: config.default_pool_size,
        reserve_pool_size: 0,
        max_client_conn: config.max_client_conn,
        ignore_startup_parameters: config.ignore_startup_parameters,
        query_wait_timeout,
        server_idle_timeout,
        server_lifetime,
    }
}

fn realtime(cx: &Cx<'_>, project: &Row) -> RealtimeLimits {
    let config = realtime::stored(cx, &project.r#ref).0;
    RealtimeLimits {
        suspend: config.suspend.unwrap_or(false),
        private_only: config.private_only.unwrap_or(false),
        presence_enabled: config.presence_enabled,
        connection_pool: config.connection_pool.unwrap_or(2),
        postgres_changes_pool: config.postgres_changes_pool,
        max_concurrent_users: config.max_concurrent_users.unwrap_or(200),
        max_events_per_second: config.max_events_per_second.unwrap_or(100),
        max_bytes_per_second: config.max_bytes_per_second.unwrap_or(100_000),
        max_channels_per_client: config.max_channels_per_client.unwrap_or(100),
        max_joins_per_second: config.max_joins_per_second.unwrap_or(100),
        max_presence_events_per_second: config.max_presence_events_per_second.unwrap_or(100),
        max_payload_size_in_kb: config.max_payload_size_in_kb.unwrap_or(100),
    }
}

fn storage(cx: &Cx<'_>, project: &Row) -> Result<StorageSettings, Error> {
    let StorageConfig { file_size_limit, features, capabilities, external, migration_version } =
        storage::config(cx, project)?;
    let (iceberg, vectors) = (features.iceberg_catalog, features.vector_buckets);
    Ok(StorageSettings {
        file_size_limit,
        features: StorageFeatures {
            image_transformation: features.image_transformation,
            s3_protocol: features.s3_protocol,
            purge_cache: features.purge_cache,
            iceberg_catalog: IcebergSettings {
                enabled: iceberg.enabled,
                max_catalogs: iceberg.max_catalogs,
                max_namespaces: iceberg.max_namespaces,
                max_tables: iceberg.max_tables,
            },
            vector_buckets: VectorSettings {
                enabled: vectors.enabled,
                max_buckets: vectors.max_buckets,
                max_indexes: vectors.max_indexes,
            },
        },
        capabilities,
        upstream_target: external.upstream_target,
        migration_version,
    })
}
