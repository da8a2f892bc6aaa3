//! `/v2/projects/{ref}/backups/download`: an address from which a daily backup can be fetched.

use serde::Serialize;
use serde_json::Number;
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, ToSchema, post};

use super::document::{One, kind};
use crate::backup::{self, BackupStatus};
use crate::project::{self, ProjectRef};

operations![DownloadBackup];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// An address of a backup.
    BackupUrlKind = "project_backup_file_url";
}

/// The backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AskedBackup {
    /// Its number.
    #[schemars(with = "f64")]
    pub id: Number,
    /// The request.
    pub r#type: BackupUrlKind,
}

/// An address from which a backup can be fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BackupAddress {
    /// The number of the backup.
    pub id: i64,
    /// The type of the answer.
    pub r#type: BackupUrlKind,
    /// The address.
    pub attributes: BackupUrl,
}

/// An address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BackupUrl {
    /// The address of the file. Nothing is served there.
    pub file_url: String,
}

/// Get an address from which a daily backup can be fetched. Physical backups have no file.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DownloadBackup {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The backup.
    pub data: AskedBackup,
}

impl Operation for DownloadBackup {
    type Output = One<BackupAddress>;
    const META: Meta = Meta {
        status: 200,
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get the backup's address",
        ..post("v2-download-project-backup", "/v2/projects/{ref}/backups/download")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<BackupAddress>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let AskedBackup { id, r#type } = self.data;
        let all = backup::kept_daily(cx, &project)?;
        let found = all.into_iter().find(|one| Some(one.id) == id.as_i64());
        let made = found.filter(|one| one.status == BackupStatus::Completed);
        let made = made.ok_or_else(|| Error::not_found("backup", &id.to_string()))?;
        if made.is_physical_backup {
            let text = "Physical backups can't be downloaded.";
            return Err(Error::invalid("backup_unsupported", text));
        }
        let file_url = format!(
            "https://backups.{}/{}/{}.backup.gz?token={}",
            cx.profile.project_domain,
            project.r#ref,
            made.id,
            cx.rng.draw("backup address").hex::<16>()
        );
        Ok(One::of(BackupAddress { id: made.id, r#type, attributes: BackupUrl { file_url } }))
    }
}
