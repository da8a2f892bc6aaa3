//! `/v1/projects/{ref}/config/storage`: limits and features of a project's storage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Cx, Empty, Error, Meta, Operation, Resource, View, get, patch, view};

use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef};

operations![GetStorageConfig, UpdateStorageConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE storage_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        file_size_limit INTEGER,
        image_transformation INTEGER,
        s3_protocol INTEGER
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "storage_config",
    "A project's storage.",
    "SELECT project, file_size_limit, image_transformation, s3_protocol FROM storage_config",
)];

/// Largest file of a new project, in bytes.
const NEW_FILE_SIZE_LIMIT: u64 = 50 << 20;

/// The configuration of a project's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageConfig {
    /// Largest file, in bytes.
    pub file_size_limit: u64,
    /// What it does beyond keeping files.
    pub features: StorageFeatures,
}

/// What a project's storage does beyond keeping files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StorageFeatures {
    /// Images in other sizes.
    pub image_transformation: Switch,
    /// Another protocol for files.
    pub s3_protocol: Switch,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Switch {
    /// Whether it is on.
    pub enabled: bool,
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
        let plan = organization::load(cx, &project.organization)?.plan;
        let sql = "SELECT file_size_limit, image_transformation, s3_protocol FROM storage_config WHERE project = ?1";
        let stored = cx.db.maybe(sql, (&project.r#ref,), |row| {
            Ok((
                row.get::<_, Option<i64>>(0)?,
                row.get::<_, Option<bool>>(1)?,
                row.get::<_, Option<bool>>(2)?,
            ))
        });
        let (limit, images, s3) = stored.unwrap_or_default();
        Ok(StorageConfig {
            file_size_limit: limit.map_or(NEW_FILE_SIZE_LIMIT, i64::unsigned_abs),
            features: StorageFeatures {
                image_transformation: Switch { enabled: images.unwrap_or(plan > Plan::Free) },
                s3_protocol: Switch { enabled: s3.unwrap_or(true) },
            },
        })
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
    #[schemars(range(min = 0, max = 53_687_091_200_i64))]
    pub file_size_limit: Option<u64>,
    /// What it does beyond keeping files: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<StorageFeatures>,
}

impl Operation for UpdateStorageConfig {
    type Output = Empty;
    const META: Meta = Meta {
        also: &[500],
        failure: "Failed to update project's storage config",
        ..patch("v1-update-storage-config", "/v1/projects/{ref}/config/storage")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "INSERT INTO storage_config VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET
                   file_size_limit = coalesce(?2, file_size_limit),
                   image_transformation = coalesce(?3, image_transformation),
                   s3_protocol = coalesce(?4, s3_protocol)";
        let images = self.features.map(|features| features.image_transformation.enabled);
        let s3 = self.features.map(|features| features.s3_protocol.enabled);
        cx.db.run(sql, (&project.r#ref, self.file_size_limit.map(|limit| limit as i64), images, s3));
        Ok(Empty {})
    }
}
