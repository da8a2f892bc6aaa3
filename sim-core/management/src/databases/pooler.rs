//! `/v1/projects/{ref}/config/database/pgbouncer` and `…/pooler`: the connection pooler, which follows the
//! machine's size, and its endpoints: the project's own and one per read replica.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Address, Cx, Edition, Empty, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope,
    ToSchema, View, get, patch, put, view,
};

use crate::catalog::InstanceSize;
use crate::database;
use crate::project::{self, ProjectRef, Row};
use crate::{replica, rest, text_of};

operations![GetPoolerConfig, ListPoolers, UpdatePooler, SetPoolMode];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE pooler (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        mode TEXT NOT NULL,
        size INTEGER
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "pooler",
    "The mode of a project's connection pooler, and its size if it was set.",
    "SELECT project, mode, size FROM pooler",
)];

/// A project's connection pooler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct PoolerConfig {
    /// When a connection returns to the pool.
    pub pool_mode: PoolMode,
    /// Connections to the database for each user and database.
    pub default_pool_size: u32,
    /// Start-up parameters of clients that are ignored.
    pub ignore_startup_parameters: String,
    /// The maximum number of clients.
    pub max_client_conn: u32,
    /// The endpoint of the pooler.
    pub connection_string: String,
    /// Seconds that a query waits for a connection.
    #[serde(default)]
    #[schemars(extend("x-since" = "2026-11"))]
    pub query_wait_timeout: u32,
    /// Additional connections for clients that have waited long.
    #[serde(default)]
    #[schemars(extend("x-since" = "2026-11"))]
    pub reserve_pool_size: u32,
    /// Seconds after which an idle connection is closed.
    #[serde(default)]
    #[schemars(extend("x-since" = "2026-11"))]
    pub server_idle_timeout: u32,
    /// Seconds after which any connection is closed.
    #[serde(default)]
    #[schemars(extend("x-since" = "2026-11"))]
    pub server_lifetime: u32,
}

/// When a connection returns to the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PoolMode {
    /// At the end of each transaction.
    Transaction,
    /// When the client leaves.
    Session,
    /// At the end of each statement.
    Statement,
}

fn settable_modes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": [PoolMode::Transaction, PoolMode::Session] })
}

/// Get the configuration of a project's connection pooler.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetPoolerConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetPoolerConfig {
    type Output = PoolerConfig;
    const META: Meta = Meta {
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to retrieve project's pgbouncer config",
        ..get("v1-get-project-pgbouncer-config", "/v1/projects/{ref}/config/database/pgbouncer")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<PoolerConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(config(cx, &project))
    }
}

/// The configuration of a project's connection pooler.
pub(crate) fn config(cx: &Cx<'_>, project: &Row) -> PoolerConfig {
    let (pool_mode, size) = settings(cx, project);
    let (default_pool_size, max_client_conn) = limits(project.size);
    PoolerConfig {
        pool_mode,
        default_pool_size: size.unwrap_or(default_pool_size),
        ignore_startup_parameters: "extra_float_digits".to_owned(),
        max_client_conn,
        connection_string: connection_string(cx, project),
        // The pooler's own defaults.
        query_wait_timeout: 120,
        reserve_pool_size: 0,
        server_idle_timeout: 600,
        server_lifetime: 3600,
    }
}

/// Change when connections of a project's connection pooler return to the pool, as on the service's web pages.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetPoolMode {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// When connections return to the pool from now on.
    pub pool_mode: PoolMode,
}

impl Operation for SetPoolMode {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-pool-mode", "/_sim/projects/{ref}/pool-mode") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        store(cx, &project, self.pool_mode, settings(cx, &project).1);
        Ok(Empty {})
    }
}

/// An endpoint of a project's connection pooler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct PoolerEntrance {
    /// The database behind it: the project's reference, or the identifier of a read replica.
    pub identifier: String,
    /// Whether it accepts writes.
    pub database_type: DatabaseType,
    /// Whether passwords are sent only as proofs; always true.
    pub is_using_scram_auth: bool,
    /// The user for logins.
    pub db_user: String,
    /// Host of the pooler.
    pub db_host: String,
    /// Port of the pooler.
    pub db_port: u16,
    /// Name of the database.
    pub db_name: String,
    /// The connection string.
    pub connection_string: String,
    /// The same connection string.
    pub connectionString: String,
    /// Connections to the database for each user and database; null if it depends on the size of the machine.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub default_pool_size: Option<u32>,
    /// The maximum number of clients; null because it depends on the size of the machine.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_client_conn: Option<u32>,
    /// When a connection returns to the pool.
    pub pool_mode: PoolMode,
}

/// The kind of database behind an endpoint of a pooler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DatabaseType {
    /// The project's own database.
    Primary,
    /// A read replica.
    ReadReplica,
}

/// List the endpoints of a project's connection pooler: for the database itself, then for its read replicas.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListPoolers {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListPoolers {
    type Output = Vec<PoolerEntrance>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to retrieve project's pooler config",
        ..get("v1-get-pooler-config", "/v1/projects/{ref}/config/database/pooler")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<PoolerEntrance>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let replicas = replica::identifiers(cx, &project);
        let replicas = replicas.into_iter().map(|one| (one, DatabaseType::ReadReplica));
        let all = std::iter::once((project.r#ref.clone(), DatabaseType::Primary)).chain(replicas);
        Ok(all.map(|(identifier, kind)| entrance(cx, &project, identifier, kind)).collect())
    }
}

fn entrance(cx: &Cx<'_>, project: &Row, identifier: String, database_type: DatabaseType) -> PoolerEntrance {
    let own = || (database_type == DatabaseType::Primary).then(|| database::address(cx, project)).flatten();
    let listener = cx.profile.pooler_port.map(|port| shared(cx, project, &identifier, port));
    let address = listener.or_else(own).unwrap_or_else(|| shared(cx, project, &identifier, 6543));
    let Address { host, port, user, database } = address;
    let connection_string = format!("postgresql://{user}:[YOUR-PASSWORD]@{host}:{port}/{database}");
    let (pool_mode, default_pool_size) = settings(cx, project);
    PoolerEntrance {
        identifier,
        database_type,
        is_using_scram_auth: true,
        db_user: user,
        db_host: host,
        db_port: port,
        db_name: database,
        connectionString: connection_string.clone(),
        connection_string,
        default_pool_size,
        max_client_conn: None,
        pool_mode,
    }
}

/// Update a project's connection pooler. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdatePooler {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Connections to the database for each user and database; null for the default of the machine's size.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "rest::given")]
    #[schemars(with = "Option<u32>", range(min = 0, max = 3000), extend("x-nullable" = true))]
    pub default_pool_size: Option<Option<u32>>,
    /// When a connection returns to the pool: not at the end of each statement, which is reserved for the platform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "settable_modes")]
    pub pool_mode: Option<PoolMode>,
}

/// The settings of a project's connection pooler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct PoolerSettings {
    /// Connections to the database for each user and database; null if it depends on the size of the machine.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub default_pool_size: Option<u32>,
    /// When a connection returns to the pool.
    pub pool_mode: PoolMode,
}

impl Operation for UpdatePooler {
    type Output = PoolerSettings;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to update project's pooler config",
        needs: Needs::SET_UP,
        ..patch("v1-update-pooler-config", "/v1/projects/{ref}/config/database/pooler")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<PoolerSettings, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let (mode, size) = settings(cx, &project);
        let pool_mode = self.pool_mode.unwrap_or(mode);
        let default_pool_size = self.default_pool_size.unwrap_or(size);
        store(cx, &project, pool_mode, default_pool_size);
        Ok(PoolerSettings { default_pool_size, pool_mode })
    }
}

fn store(cx: &Cx<'_>, project: &Row, mode: PoolMode, size: Option<u32>) {
    let sql = "INSERT INTO pooler VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET mode = ?2, size = ?3";
    cx.db.run(sql, (&project.r#ref, crate::text_of(&mode), size));
}

/// When connections return to the pool, and their number if it was set.
fn settings(cx: &Cx<'_>, project: &Row) -> (PoolMode, Option<u32>) {
    let sql = "SELECT mode, size FROM pooler WHERE project = ?1";
    let stored = cx.db.maybe(sql, (&project.r#ref,), |row| Ok((row.get::<_, String>(0)?, row.get(1)?)));
    stored.map_or((PoolMode::Transaction, None), |(mode, size)| {
        (serde_json::from_value(mode.into()).expect("stored modes are published ones"), size)
    })
}

/// The shared pooler's address of a database.
fn shared(cx: &Cx<'_>, project: &Row, identifier: &str, port: u16) -> Address {
    Address {
        host: cx.profile.pooler_host(&text_of(&project.region), &cx.profile.project_domain),
        port,
        user: format!("postgres.{identifier}"),
        database: "postgres".to_owned(),
    }
}

/// The address at which clients reach a project's database, if there is one.
pub(crate) fn reachable(cx: &Cx<'_>, project: &Row) -> Option<Address> {
    let listener = cx.profile.pooler_port.map(|port| shared(cx, project, &project.r#ref, port));
    listener.or_else(|| database::address(cx, project))
}

fn connection_string(cx: &Cx<'_>, project: &Row) -> String {
    if let Some(Address { host, port, user, database }) = reachable(cx, project) {
        return format!("postgresql://{user}:[YOUR-PASSWORD]@{host}:{port}/{database}");
    }
    let (r#ref, domain) = (&project.r#ref, &cx.profile.project_domain);
    format!("postgresql://postgres:[YOUR-PASSWORD]@db.{ref}.{domain}:6543/postgres")
}

/// The size of a pool and the limit of clients on a machine of that size.
const fn limits(size: InstanceSize) -> (u32, u32) {
    match size {
        InstanceSize::Pico | InstanceSize::Nano | InstanceSize::Micro => (15, 200),
        InstanceSize::Small => (15, 400),
        InstanceSize::Medium => (15, 600),
        InstanceSize::Large => (20, 800),
        InstanceSize::Xlarge => (20, 1000),
        InstanceSize::Xlarge2 => (25, 1500),
        InstanceSize::Xlarge4 => (32, 3000),
        InstanceSize::Xlarge8 => (64, 6000),
        InstanceSize::Xlarge12 => (96, 9000),
        InstanceSize::Xlarge16
        | InstanceSize::Xlarge24
        | InstanceSize::Xlarge24Memory
        | InstanceSize::Xlarge24Cpu
        | InstanceSize::Xlarge24HighMemory
        | InstanceSize::Xlarge48
        | InstanceSize::Xlarge48Memory
        | InstanceSize::Xlarge48Cpu
        | InstanceSize::Xlarge48HighMemory => (128, 12_000),
    }
}
