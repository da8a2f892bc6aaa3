//! `/v1/projects/{ref}/restore`: restores a paused project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Cx, Empty, Error, Kind, Meta, Operation, PostgresVersion, Resource, Scope, act, get, post};

use crate::catalog::{PostgresEngine, ReleaseChannel};
use crate::organization;
use crate::outcome::{self, Work};
use crate::project::{self, Event, ProjectRef, Row, Step};

operations![ListRestoreVersions, RestoreProject, CancelRestoration];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Versions that a paused project can come back on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RestoreVersions {
    /// Oldest first.
    pub available_versions: Vec<RestoreVersion>,
}

/// One version that a paused project can come back on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RestoreVersion {
    /// As the service writes it.
    pub version: String,
    /// How settled it is.
    pub release_channel: ReleaseChannel,
    /// Major version of Postgres.
    pub postgres_engine: RestoreEngine,
}

/// Major versions of Postgres that projects can have been paused on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// List the Postgres versions that a paused project can be restored on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
/// It comes back on the newest version of its engine unless the body asks for another.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RestoreProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// How settled the version may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub release_channel: Option<ReleaseChannel>,
    /// Major version of Postgres to come back on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub postgres_engine: Option<PostgresEngine>,
}

impl RestoreProject {
    /// Restores on the newest version of the project's own engine.
    pub fn newest(r#ref: ProjectRef) -> RestoreProject {
        RestoreProject { r#ref, release_channel: None, postgres_engine: None }
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

/// Cancel a restoration that is under way; the project is paused as before.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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
