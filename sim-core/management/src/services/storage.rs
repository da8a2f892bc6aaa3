//! `/v1/projects/{ref}/config/storage`: limits and features of a project's storage.

use serde::Serialize;
use serde_json::{Value, json};
use sim_base::operations;
use sim_base::{
    Cx, Empty, Error, FromJson, Meta, Needs, New, Operation, Resource, ToSchema, View, get, patch, view,
};

use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};

operations![GetStorageConfig, UpdateStorageConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// The settings of a project's configuration that were set, as a JSON object.
const TABLES: &str = "
    CREATE TABLE storage_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        settings TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "storage_config",
    "The changed settings of a project's storage.",
    "SELECT project, settings ->> '$.fileSizeLimit' AS file_size_limit,
     settings ->> '$.features.imageTransformation.enabled' AS image_transformation,
     settings ->> '$.features.s3Protocol.enabled' AS s3_protocol, settings FROM storage_config",
)];

/// The largest file of a new project in bytes.
const NEW_FILE_SIZE_LIMIT: u64 = 50 << 20;

/// The configuration of a project's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageConfig {
    /// The largest file in bytes.
    pub file_size_limit: u64,
    /// Its features.
    pub features: StorageFeatures,
    /// The capabilities of its version.
    #[schemars(extend("x-since" = "2026-11"))]
    pub capabilities: StorageCapabilities,
    /// The release that answers for it.
    #[schemars(extend("x-since" = "2026-11"))]
    pub external: StorageUpstream,
    /// The last migration of its own tables.
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub migration_version: Option<String>,
}

/// The features of a project's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageFeatures {
    /// Image transformation.
    pub image_transformation: Switch,
    /// The S3 protocol.
    pub s3_protocol: Switch,
    /// Analytics tables in files.
    #[schemars(extend("x-since" = "2026-11"))]
    pub iceberg_catalog: IcebergCatalog,
    /// Removal of files from caches.
    #[schemars(extend("x-since" = "2026-11"))]
    pub purge_cache: Switch,
    /// Buckets of vectors.
    #[schemars(extend("x-since" = "2026-11"))]
    pub vector_buckets: VectorBuckets,
}

/// Changes of a project's storage features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageFeatureChanges {
    /// Image transformation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "required": true }))]
    pub image_transformation: Option<Switch>,
    /// The S3 protocol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "required": true }))]
    pub s3_protocol: Option<Switch>,
    /// Analytics tables in files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub iceberg_catalog: Option<IcebergCatalog>,
    /// Removal of files from caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub purge_cache: Option<Switch>,
    /// Buckets of vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub vector_buckets: Option<VectorBuckets>,
}

/// A feature that can be enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Switch {
    /// Whether it is enabled.
    pub enabled: bool,
}

/// Analytics tables in files, and their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IcebergCatalog {
    /// Whether it is enabled.
    pub enabled: bool,
    /// The maximum number of catalogs.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_catalogs: u32,
    /// The maximum number of namespaces.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_namespaces: u32,
    /// The maximum number of tables.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_tables: u32,
}

/// Buckets of vectors, and their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorBuckets {
    /// Whether they are enabled.
    pub enabled: bool,
    /// The maximum number of buckets.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_buckets: u32,
    /// The maximum number of indexes.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_indexes: u32,
}

/// The capabilities of the version of a project's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct StorageCapabilities {
    /// Analytics tables.
    pub iceberg_catalog: bool,
    /// The second version of listing files.
    pub list_v2: bool,
    /// Versions of a file.
    pub object_versioning: bool,
}

/// The release that answers for a project's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageUpstream {
    /// The release.
    pub upstream_target: UpstreamTarget,
}

/// A release of the storage service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpstreamTarget {
    /// The stable one.
    Main,
    /// The next one.
    Canary,
}

/// Get the configuration of a project's storage.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetStorageConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetStorageConfig {
    type Output = StorageConfig;
    const META: Meta = Meta {
        also: &[500],
        failure: "Failed to retrieve project's storage config",
        ..get("v1-get-storage-config", "/v1/projects/{ref}/config/storage")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StorageConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        config(cx, &project)
    }
}

/// The configuration of a project's storage.
pub(crate) fn config(cx: &Cx<'_>, project: &Row) -> Result<StorageConfig, Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    let mut config = serde_json::to_value(new_config(plan)).expect("a configuration is plain data");
    merge(&mut config, stored(cx, &project.r#ref));
    Ok(serde_json::from_value(config).expect("stored settings fit the configuration"))
}

/// The configuration of a new project.
fn new_config(plan: Plan) -> StorageConfig {
    StorageConfig {
        file_size_limit: NEW_FILE_SIZE_LIMIT,
        features: StorageFeatures {
            image_transformation: Switch { enabled: plan > Plan::Free },
            s3_protocol: Switch { enabled: true },
            iceberg_catalog: IcebergCatalog {
                enabled: false,
                max_catalogs: 2,
                max_namespaces: 5,
                max_tables: 10,
            },
            purge_cache: Switch { enabled: false },
            vector_buckets: VectorBuckets { enabled: false, max_buckets: 10, max_indexes: 5 },
        },
        capabilities: StorageCapabilities { iceberg_catalog: true, list_v2: true, object_versioning: false },
        external: StorageUpstream { upstream_target: UpstreamTarget::Main },
        migration_version: None,
    }
}

/// Update the configuration of a project's storage. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStorageConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The largest file in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 536_870_912_000_i64), extend("x-2025-05" = { "maximum": 53_687_091_200_i64 }))]
    pub file_size_limit: Option<u64>,
    /// Its features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<StorageFeatureChanges>,
    /// The release that answers for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub external: Option<StorageUpstream>,
}

impl Operation for UpdateStorageConfig {
    type Output = Empty;
    const META: Meta = Meta {
        also: &[500],
        failure: "Failed to update project's storage config",
        needs: Needs::SET_UP,
        ..patch("v1-update-storage-config", "/v1/projects/{ref}/config/storage")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mut settings = stored(cx, &project.r#ref);
        let mut changes = serde_json::to_value(&self).expect("a request is plain data");
        changes.as_object_mut().map(|fields| fields.shift_remove("ref"));
        merge(&mut settings, changes);
        let sql = "INSERT INTO storage_config VALUES (?1, ?2) ON CONFLICT DO UPDATE SET settings = ?2";
        cx.db.run(sql, (&project.r#ref, settings.to_string()));
        Ok(Empty {})
    }
}

/// The settings of a project's configuration that were set.
fn stored(cx: &Cx<'_>, project: &str) -> Value {
    let sql = "SELECT settings FROM storage_config WHERE project = ?1";
    let text = cx.db.maybe(sql, (project,), |row| row.get::<_, String>(0));
    text.map_or_else(|| json!({}), |text| serde_json::from_str(&text).expect("settings were stored as JSON"))
}

/// Puts the members of `changes` into `settings`, object by object.
fn merge(settings: &mut Value, changes: Value) {
    match (settings, changes) {
        (Value::Object(settings), Value::Object(changes)) => {
            for (name, change) in changes {
                merge(settings.entry(name).or_insert(Value::Null), change);
            }
        }
        (settings, change) => *settings = change,
    }
}
