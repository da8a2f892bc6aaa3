//! `/v1/projects/{ref}/restore`: restores a paused project.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Empty, Error, FromJson, Kind, Meta, New, Operation, PostgresVersion, Resource, Scope, ToSchema, act,
    get, post,
};

use crate::catalog::{PostgresEngine, ReleaseChannel};
use crate::organization;
use crate::outcome::{self, Work};
use crate::project::{self, Event, ProjectRef, Row, Step};

operations![ListRestoreVersions, RestoreProject, CancelRestoration];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Versions with which a paused project can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RestoreVersions {
    /// The versions, oldest first.
    pub available_versions: Vec<RestoreVersion>,
}

/// A version with which a paused project can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RestoreVersion {
    /// The version in the service's format.
    pub version: String,
    /// Its release channel.
    pub release_channel: ReleaseChannel,
    /// Major version of Postgres.
    pub postgres_engine: RestoreEngine,
}

/// Major versions of Postgres that paused projects can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum RestoreEngine {
    #[serde(rename = "13")]
    V13,
    #[serde(rename = "14")]
    V14,
    #[serde(rename = "15")]
    V15,
    #[serde(rename = "17")]
    V17,
    #[serde(rename = "17-oriole")]
    V17Oriole,
}

/// List the Postgres versions with which a paused project can be restored.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListRestoreVersions {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListRestoreVersions {
    type Output = RestoreVersions;
    const META: Meta = Meta {
        scope: Some(Scope("projects:read")),
        ..get("v1-list-available-restore-versions", "/v1/projects/{ref}/restore")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RestoreVersions, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let available_versions = on_offer(cx, &project)
            .map(|version| {
                serde_json::from_value(serde_json::json!({
                    "version": version.version,
                    "release_channel": version.release_channel,
                    "postgres_engine": version.engine,
                }))
                .map_err(|error| {
                    // A profile may offer values that the published enums lack; report that instead of
                    // dropping them.
                    Error::new(Kind::Upstream, "profile_version", format!("postgres_versions: {error}"))
                })
            })
            .collect::<Result<_, Error>>()?;
        Ok(RestoreVersions { available_versions })
    }
}

/// Restore a paused project.
///
/// It gets the newest version of its engine, unless the body requests another version.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RestoreProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The release channel of the version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub release_channel: Option<ReleaseChannel>,
    /// Major version of Postgres for the restored project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub postgres_engine: Option<PostgresEngine>,
}

impl RestoreProject {
    /// Restores with the newest version of the project's engine.
    pub fn newest(r#ref: ProjectRef) -> RestoreProject {
        RestoreProject::new(r#ref)
    }
}

impl Operation for RestoreProject {
    type Output = Empty;
    const META: Meta = Meta {
        status: 200,
        scope: Some(Scope("projects:write")),
        ..post("v1-restore-a-project", "/v1/projects/{ref}/restore")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let version = self.version(cx, &project)?;
        let status = project.status;
        project.apply(cx, Event::Restore).map_err(|refused| {
            refused(
                "project_not_paused",
                format!("This project is no longer in a paused state, it is {status}"),
            )
        })?;
        let organization = organization::load(cx, &project.organization)?;
        project::require_quota(cx, &organization, &project.r#ref, Kind::Forbidden)?;
        let end = outcome::of(cx, Work::Restore, &project.r#ref, cx.policy.durations.restore_ms);
        let event = end.pick(Event::FinishRestore, Event::FailRestore);
        end.schedule(cx, &Step::to(&project, event).with_version(version));
        Ok(Empty {})
    }
}

impl RestoreProject {
    fn version<'a>(&self, cx: &Cx<'a>, project: &Row) -> Result<&'a PostgresVersion, Error> {
        let engine = self.postgres_engine.map_or(project.engine.as_str(), |engine| engine.as_str());
        let channel = self.release_channel.map(|channel| serde_json::json!(channel));
        let newest = on_offer(cx, project)
            .filter(|one| one.engine == engine)
            .filter(|one| channel.as_ref().is_none_or(|channel| *channel == one.release_channel))
            .last();
        newest.ok_or_else(|| {
            let text =
                "postgres_engine: no version of this engine and release channel is available for the project";
            Error::invalid("invalid_body.postgres_engine", text)
        })
    }
}

/// Cancel a restoration in progress. The project is paused again.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CancelRestoration {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for CancelRestoration {
    type Output = Empty;
    const META: Meta = Meta {
        scope: Some(Scope("projects:write")),
        ..act("v1-cancel-a-project-restoration", "/v1/projects/{ref}/restore/cancel")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let status = project.status;
        project.apply(cx, Event::CancelRestore).map_err(|refused| {
            refused("project_not_restoring", format!("This project is not being restored, it is {status}"))
        })?;
        Ok(Empty {})
    }
}

/// The versions from the project's own engine upwards.
fn on_offer<'a>(cx: &Cx<'a>, project: &Row) -> impl Iterator<Item = &'a PostgresVersion> + use<'a> {
    let profile = cx.profile;
    let versions = &profile.postgres_versions;
    let first = versions.iter().position(|one| one.engine == project.engine).unwrap_or(0);
    versions[first..].iter()
}
