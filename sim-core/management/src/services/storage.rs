//! `/v1/projects/{ref}/config/storage`: limits and features of a project's storage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sim_base::operations;
use sim_base::{Cx, Empty, Error, Meta, Needs, Operation, Resource, View, get, patch, view};

use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};

operations![GetStorageConfig, UpdateStorageConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// What was set of a project's configuration, as JSON: a member for each setting.
const TABLES: &str = "
    CREATE TABLE storage_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        settings TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "storage_config",
    "A project's storage, where its settings were changed.",
    "SELECT project, settings ->> '$.fileSizeLimit' AS file_size_limit,
     settings ->> '$.features.imageTransformation.enabled' AS image_transformation,
     settings ->> '$.features.s3Protocol.enabled' AS s3_protocol, settings FROM storage_config",
)];

/// Largest file of a new project, in bytes.
const NEW_FILE_SIZE_LIMIT: u64 = 50 << 20;

/// The configuration of a project's storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageConfig {
    /// Largest file, in bytes.
    pub file_size_limit: u64,
    /// What it does beyond keeping files.
    pub features: StorageFeatures,
    /// What this version of it can do.
    #[schemars(extend("x-since" = "2026-11"))]
    pub capabilities: StorageCapabilities,
    /// Who answers for it.
    #[schemars(extend("x-since" = "2026-11"))]
    pub external: StorageUpstream,
    /// The last migration of its tables.
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub migration_version: Option<String>,
}

/// What a project's storage does beyond keeping files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageFeatures {
    /// Images in other sizes.
    pub image_transformation: Switch,
    /// Another protocol for files.
    pub s3_protocol: Switch,
    /// Tables of analytics in files.
    #[schemars(extend("x-since" = "2026-11"))]
    pub iceberg_catalog: IcebergCatalog,
    /// Removing files from caches.
    #[schemars(extend("x-since" = "2026-11"))]
    pub purge_cache: Switch,
    /// Buckets of vectors.
    #[schemars(extend("x-since" = "2026-11"))]
    pub vector_buckets: VectorBuckets,
}

/// Changes of what a project's storage does beyond keeping files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageFeatureChanges {
    /// Images in other sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "required": true }))]
    pub image_transformation: Option<Switch>,
    /// Another protocol for files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "required": true }))]
    pub s3_protocol: Option<Switch>,
    /// Tables of analytics in files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub iceberg_catalog: Option<IcebergCatalog>,
    /// Removing files from caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub purge_cache: Option<Switch>,
    /// Buckets of vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub vector_buckets: Option<VectorBuckets>,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Switch {
    /// Whether it is on.
    pub enabled: bool,
}

/// Tables of analytics in files, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IcebergCatalog {
    /// Whether it is on.
    pub enabled: bool,
    /// Catalogs at most.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_catalogs: u32,
    /// Namespaces at most.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_namespaces: u32,
    /// Tables at most.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_tables: u32,
}

/// Buckets of vectors, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorBuckets {
    /// Whether they are on.
    pub enabled: bool,
    /// Buckets at most.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_buckets: u32,
    /// Indexes at most.
    #[schemars(range(min = 0, max = 2_147_483_647))]
    pub max_indexes: u32,
}

/// What this version of a project's storage can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StorageCapabilities {
    /// Tables of analytics.
    pub iceberg_catalog: bool,
    /// The second way to list files.
    pub list_v2: bool,
    /// Versions of a file.
    pub object_versioning: bool,
}

/// Who answers for a project's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageUpstream {
    /// Which release.
    pub upstream_target: UpstreamTarget,
}

/// A release of the storage service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpstreamTarget {
    /// The stable one.
    Main,
    /// The next one.
    Canary,
}

/// Get the configuration of a project's storage.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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

/// Update the configuration of a project's storage. What is left out stays as it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateStorageConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Largest file, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 536_870_912_000_i64), extend("x-2025-05" = { "maximum": 53_687_091_200_i64 }))]
    pub file_size_limit: Option<u64>,
    /// What it does beyond keeping files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<StorageFeatureChanges>,
    /// Who answers for it.
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

/// What was set of a project's configuration.
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
