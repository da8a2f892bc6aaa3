//! `/v1/projects/{ref}/config/database/pgbouncer`: the connection pooler, which follows the size of the machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::{
    Access, Address, Cx, Empty, Error, Meta, Operation, Resource, Scope, View, get, put, view,
};
use crate::operations;

use super::catalog::InstanceSize;
use super::database;
use super::project::{self, ProjectRef, Row};

operations![GetPoolerConfig, SetPoolMode];

pub(super) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE pooler (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        mode TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(super) const VIEWS: &[View] =
    &[view("pooler", "When a project's pooler takes connections back.", "SELECT project, mode FROM pooler")];

/// A project's connection pooler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PoolerConfig {
    /// When a connection goes back to the pool.
    pub pool_mode: PoolMode,
    /// Connections to the database for each user and database.
    pub default_pool_size: u32,
    /// Start-up parameters of clients that make no difference.
    pub ignore_startup_parameters: String,
    /// Clients at a time.
    pub max_client_conn: u32,
    /// Where clients connect.
    pub connection_string: String,
}

/// When a connection goes back to the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PoolMode {
    /// At the end of each transaction.
    Transaction,
    /// When the client leaves.
    Session,
    /// At the end of each statement.
    Statement,
}

/// Get the configuration of a project's connection pooler.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
        let (default_pool_size, max_client_conn) = limits(project.size);
        Ok(PoolerConfig {
            pool_mode: mode(cx, &project),
            default_pool_size,
            ignore_startup_parameters: "extra_float_digits".to_owned(),
            max_client_conn,
            connection_string: connection_string(cx, &project),
        })
    }
}

/// Let a project's connection pooler take connections back at another time, as on the service's web pages.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPoolMode {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// When a connection goes back to the pool from now on.
    pub pool_mode: PoolMode,
}

impl Operation for SetPoolMode {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-pool-mode", "/_sim/projects/{ref}/pool-mode") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "INSERT INTO pooler VALUES (?1, ?2) ON CONFLICT DO UPDATE SET mode = ?2";
        cx.db.run(sql, (&project.r#ref, super::text_of(&self.pool_mode)));
        Ok(Empty {})
    }
}

fn mode(cx: &Cx<'_>, project: &Row) -> PoolMode {
    let sql = "SELECT mode FROM pooler WHERE project = ?1";
    let mode = cx.db.maybe(sql, (&project.r#ref,), |row| row.get::<_, String>(0));
    mode.map_or(PoolMode::Transaction, |mode| {
        serde_json::from_value(mode.into()).expect("stored modes are published ones")
    })
}

fn connection_string(cx: &Cx<'_>, project: &Row) -> String {
    if let Some(Address { host, port, user, database }) = database::address(cx, project) {
        return format!("postgresql://{user}:[YOUR-PASSWORD]@{host}:{port}/{database}");
    }
    let (r#ref, domain) = (&project.r#ref, &cx.profile.project_domain);
    format!("postgresql://postgres:[YOUR-PASSWORD]@db.{ref}.{domain}:6543/postgres")
}

/// Connections in a pool and clients at a time on a machine of that size.
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
