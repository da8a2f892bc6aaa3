//! `/v1/projects/{ref}/upgrade`: upgrades a project to a newer version of Postgres, in eleven steps.

use std::borrow::Cow;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Access, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, PostgresVersion, Resource, Scope,
    Task, TaskEntry, Timestamp, ToSchema, View, from_micros, get, micros, post, put, view,
};

use crate::catalog::{PostgresEngine, ReleaseChannel};
use crate::organization;
use crate::outcome::{self, Ending, Work};
use crate::project::{self, Event, ProjectRef, Row, Status};
use crate::project_step;
use crate::replica;
use crate::upgrade_obstacles::{Obstacles, UpgradeWarning, ValidationError};
use crate::upgrade_progress::{UpgradeError, UpgradeProgress};

operations![GetUpgradeEligibility, UpgradeProject, GetUpgradeStatus, SetUpgradeError];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<UpgradeStep>()] };

const TABLES: &str = "
    CREATE TABLE upgrade (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        tracking_id TEXT NOT NULL UNIQUE,
        target TEXT NOT NULL,
        initiated_at INTEGER NOT NULL,
        latest_status_at INTEGER NOT NULL,
        progress INTEGER NOT NULL,
        error INTEGER,
        status INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX upgrade_by_project ON upgrade (project, id);
    CREATE TABLE upgrade_plan (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        obstacles TEXT,
        next_error TEXT
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "upgrade",
    "An upgrade, by the numbers of its steps, errors and statuses.",
    "SELECT project, tracking_id, target, initiated_at, latest_status_at, progress, error, status
     FROM upgrade ORDER BY id",
)];

/// Whether a project can be upgraded, and the possible versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct UpgradeEligibility {
    /// Whether an upgrade would be started now.
    pub eligible: bool,
    /// Its present version.
    pub current_app_version: String,
    /// Its release channel.
    pub current_app_version_release_channel: ReleaseChannel,
    /// The newest available version.
    pub latest_app_version: String,
    /// The versions it can be upgraded to, oldest first.
    pub target_upgrade_versions: Vec<UpgradeTarget>,
    /// Objects that would stop working; must be empty.
    pub potential_breaking_changes: Vec<String>,
    /// The duration of the upgrade.
    pub duration_estimate_hours: i64,
    /// Roles that will need new passwords afterwards.
    pub legacy_auth_custom_roles: Vec<String>,
    /// Objects that depend on extensions which the new version lacks; must be empty.
    pub extension_dependent_objects: Vec<String>,
    /// Objects that the upgrade drops.
    #[schemars(extend("x-since" = "2026-11"))]
    pub objects_to_be_dropped: Vec<String>,
    /// Extensions that the new version lacks; must be empty.
    #[schemars(extend("x-since" = "2026-11"))]
    pub unsupported_extensions: Vec<String>,
    /// Objects of users in schemas of the platform; must be empty.
    #[schemars(extend("x-since" = "2026-11"))]
    pub user_defined_objects_in_internal_schemas: Vec<String>,
    /// The reasons why the upgrade can't be started; must be empty.
    #[schemars(extend("x-since" = "2026-11"))]
    pub validation_errors: Vec<ValidationError>,
    /// Warnings for the time after the upgrade.
    #[schemars(extend("x-since" = "2026-11"))]
    pub warnings: Vec<UpgradeWarning>,
}

/// A version that a project can be upgraded to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct UpgradeTarget {
    /// Its major version.
    pub postgres_version: PostgresEngine,
    /// Its release channel.
    pub release_channel: ReleaseChannel,
    /// Its name.
    pub app_version: String,
}

/// Check whether a project can be upgraded.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetUpgradeEligibility {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetUpgradeEligibility {
    type Output = UpgradeEligibility;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to determine project upgrade eligibility",
        ..get("v1-get-postgres-upgrade-eligibility", "/v1/projects/{ref}/upgrade/eligibility")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<UpgradeEligibility, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let targets = targets(cx, &project, None)?;
        let mut obstacles = Obstacles::of(cx, &project);
        if project.status == Status::Inactive
            && !obstacles.validation_errors.contains(&ValidationError::ProjectHibernating)
        {
            obstacles.validation_errors.push(ValidationError::ProjectHibernating);
        }
        let newest = targets.last().map_or(project.version.as_str(), |one| &one.version);
        Ok(UpgradeEligibility {
            eligible: refusal(cx, &project, &targets).is_none(),
            current_app_version: app_version(cx, &project.version),
            current_app_version_release_channel: published(&project.release_channel)?,
            latest_app_version: app_version(cx, newest),
            target_upgrade_versions: targets
                .iter()
                .map(|one| {
                    Ok(UpgradeTarget {
                        postgres_version: published(&one.engine)?,
                        release_channel: published(&one.release_channel)?,
                        app_version: app_version(cx, &one.version),
                    })
                })
                .collect::<Result<_, Error>>()?,
            potential_breaking_changes: obstacles.potential_breaking_changes,
            duration_estimate_hours: estimated_hours(cx, &project),
            legacy_auth_custom_roles: obstacles.legacy_auth_custom_roles,
            extension_dependent_objects: obstacles.extension_dependent_objects,
            objects_to_be_dropped: obstacles.objects_to_be_dropped,
            unsupported_extensions: obstacles.unsupported_extensions,
            user_defined_objects_in_internal_schemas: obstacles.user_defined_objects_in_internal_schemas,
            validation_errors: obstacles.validation_errors,
            warnings: obstacles.warnings,
        })
    }
}

/// A started upgrade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct StartedUpgrade {
    /// The tracking identifier for requests of the upgrade's status, a UUID.
    pub tracking_id: String,
}

/// Upgrade a project to a newer version of Postgres.
///
/// It is UPGRADING until the new version is up, or the old version is restored.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpgradeProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// A major version, or a version in the service's format.
    #[schemars(length(min = 1))]
    pub target_version: String,
    /// The release channel of the version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_channel: Option<ReleaseChannel>,
}

impl Operation for UpgradeProject {
    type Output = StartedUpgrade;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to initiate project upgrade",
        ..post("v1-upgrade-postgres-version", "/v1/projects/{ref}/upgrade")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<StartedUpgrade, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let targets = targets(cx, &project, self.release_channel)?;
        if let Some(refusal) = refusal(cx, &project, &targets) {
            return Err(refusal);
        }
        let target = self.target(cx, &targets)?;
        project.apply(cx, Event::Upgrade).map_err(|refused| {
            refused("project_not_active", "This project can't be upgraded in its state".to_owned())
        })?;
        let tracking_id = cx.rng.uuid("upgrade").to_string();
        let planned = planned_error(cx, &project);
        let usual_ms = cx.policy.durations.upgrade_ms;
        let end = match planned {
            Some(_) => Ending::usual(usual_ms),
            None => outcome::of(cx, Work::Upgrade, &project.r#ref, usual_ms),
        };
        let number = usize::from(cx.policy.upgrade_error);
        let fails = planned.or(end.pick(None, Some(UpgradeError::ALL[number - 1])));
        let sql = "INSERT INTO upgrade (project, tracking_id, target, initiated_at, latest_status_at, progress, status)
                   VALUES (?1, ?2, ?3, ?4, ?4, 0, ?5)";
        let stored = serde_json::to_string(target).expect("a version is plain data");
        cx.db.run(sql, (&project.r#ref, &tracking_id, stored, micros(cx.now), RUNNING));
        if let Some(whole) = end.wait() {
            let (tracking_id, whole_ms) = (tracking_id.clone(), whole.as_millis() as u64);
            UpgradeStep { r#ref: project.r#ref, tracking_id, progress: 1, fails, whole_ms }.schedule(cx);
        }
        Ok(StartedUpgrade { tracking_id })
    }
}

impl UpgradeProject {
    /// The requested version: the newest of a major version, or that exact version.
    fn target<'v>(&self, cx: &Cx<'_>, targets: &[&'v PostgresVersion]) -> Result<&'v PostgresVersion, Error> {
        let wanted = self.target_version.strip_prefix(&cx.profile.app_version_prefix);
        let wanted = wanted.unwrap_or(&self.target_version);
        let meant = targets.iter().rev().find(|one| one.engine == wanted || one.version == wanted);
        meant.copied().ok_or_else(|| {
            let names = targets.iter().map(|one| one.version.as_str()).collect::<Vec<_>>().join(", ");
            let text = format!("target_version: {wanted} is not available for this project, only {names}");
            Error::invalid("invalid_body.target_version", text)
        })
    }
}

/// The progress of an upgrade; `null` if there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpgradeStatus {
    /// The requested upgrade, or the last one.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub database_upgrade_status: Option<DatabaseUpgradeStatus>,
}

/// The progress of an upgrade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DatabaseUpgradeStatus {
    /// When it was requested.
    #[schemars(with = "String")]
    pub initiated_at: Timestamp,
    /// When it last progressed.
    #[schemars(with = "String")]
    pub latest_status_at: Timestamp,
    /// Major version of the target: a text, in the first edition a number.
    pub target_version: MajorVersion,
    /// The error, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<UpgradeError>,
    /// The last completed step.
    pub progress: UpgradeProgress,
    /// 0 running, 1 upgraded, 2 failed.
    #[schemars(range(min = 0, max = 2))]
    pub status: i64,
}

/// A major version of Postgres as the world's edition writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MajorVersion {
    /// `17`, as in the first edition.
    Number(i64),
    /// `17-oriole`.
    Text(String),
}

impl MajorVersion {
    fn of(cx: &Cx<'_>, engine: &str) -> MajorVersion {
        match cx.policy.edition {
            Edition::V2025_05 => MajorVersion::Number(major(engine)),
            Edition::V2026_11 => MajorVersion::Text(engine.to_owned()),
        }
    }
}

impl JsonSchema for MajorVersion {
    fn schema_name() -> Cow<'static, str> {
        "MajorVersion".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "x-2025-05": { "type": "integer", "format": "int64" } })
    }
}

const RUNNING: i64 = 0;
const UPGRADED: i64 = 1;
const FAILED: i64 = 2;

/// Get the status of a project's upgrade.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetUpgradeStatus {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The upgrade's tracking identifier; the last upgrade by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracking_id: Option<String>,
}

impl Operation for GetUpgradeStatus {
    type Output = UpgradeStatus;
    const META: Meta = Meta {
        beta: true,
        query: &["tracking_id"],
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve project upgrade status",
        ..get("v1-get-postgres-upgrade-status", "/v1/projects/{ref}/upgrade/status")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<UpgradeStatus, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT initiated_at, latest_status_at, target, error, progress, status FROM upgrade
                   WHERE project = ?1 AND (?2 IS NULL OR tracking_id = ?2) ORDER BY id DESC LIMIT 1";
        let database_upgrade_status = cx.db.maybe(sql, (&project.r#ref, &self.tracking_id), |row| {
            let target = version(&row.get::<_, String>(2)?);
            Ok(DatabaseUpgradeStatus {
                initiated_at: from_micros(row.get(0)?),
                latest_status_at: from_micros(row.get(1)?),
                target_version: MajorVersion::of(cx, &target.engine),
                error: row.get::<_, Option<u8>>(3)?.map(|n| UpgradeError::ALL[usize::from(n) - 1]),
                progress: UpgradeProgress::ALL[usize::from(row.get::<_, u8>(4)?)],
                status: row.get(5)?,
            })
        });
        Ok(UpgradeStatus { database_upgrade_status })
    }
}

/// Make a project's next upgrade fail with an error. This applies to one upgrade. Without an error, the upgrade succeeds.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetUpgradeError {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<UpgradeError>,
}

impl Operation for SetUpgradeError {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-set-upgrade-error", "/_sim/projects/{ref}/upgrade/error")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "INSERT INTO upgrade_plan (project, next_error) VALUES (?1, ?2)
                   ON CONFLICT DO UPDATE SET next_error = ?2";
        cx.db.run(sql, (project.r#ref, self.error.map(|error| crate::text_of(&error))));
        Ok(Empty {})
    }
}

/// The reason why an upgrade would be refused now.
fn refusal(cx: &Cx<'_>, project: &Row, targets: &[&PostgresVersion]) -> Option<Error> {
    if project.status != Status::ActiveHealthy {
        let text = format!("Only a healthy project can be upgraded, this one is {}", project.status);
        let since = Some(project.changed_by_call);
        return Some(Error::invalid("project_not_active", text).because(
            "project.status",
            project.status,
            since,
        ));
    }
    let running = "SELECT tracking_id FROM upgrade WHERE project = ?1 AND status = ?2";
    if let Some(id) = cx.db.maybe(running, (&project.r#ref, RUNNING), |row| row.get::<_, String>(0)) {
        let text = "The last upgrade of this project is not finished, its backup is being made.";
        return Some(Error::invalid("upgrade_running", text).because("tracking_id", id, None));
    }
    if replica::any(cx, &project.r#ref) {
        let text = "Read replicas must be removed before the project can be upgraded.";
        return Some(Error::invalid("replicas_present", text));
    }
    if targets.is_empty() {
        let text = "The project is on the newest version already.";
        return Some(Error::invalid("already_newest", text).because("version", &project.version, None));
    }
    Obstacles::of(cx, project).refusal()
}

/// The offered versions after the project's own, of `channel`, or of those that the organization may use.
fn targets<'a>(
    cx: &Cx<'a>,
    project: &Row,
    channel: Option<ReleaseChannel>,
) -> Result<Vec<&'a PostgresVersion>, Error> {
    let allowed = match channel {
        Some(channel) => vec![channel],
        None => organization::load(cx, &project.organization)?.allowed_release_channels,
    };
    let allowed: Vec<String> = allowed.iter().map(crate::text_of).collect();
    let profile = cx.profile;
    let versions = &profile.postgres_versions;
    let own = versions.iter().position(|one| one.version == project.version);
    let own = own.or_else(|| versions.iter().rposition(|one| one.engine == project.engine));
    let later = &versions[own.map_or(0, |own| own + 1)..];
    Ok(later.iter().filter(|one| allowed.contains(&one.release_channel)).collect())
}

/// Whether a later version is offered to the project.
pub(crate) fn is_outdated(cx: &Cx<'_>, project: &Row) -> bool {
    targets(cx, project, None).is_ok_and(|later| !later.is_empty())
}

/// The error planned for the project's next upgrade.
fn planned_error(cx: &Cx<'_>, project: &Row) -> Option<UpgradeError> {
    let sql = "SELECT next_error FROM upgrade_plan WHERE project = ?1 AND next_error IS NOT NULL";
    let error = cx.db.maybe(sql, (&project.r#ref,), |row| row.get::<_, String>(0))?;
    cx.db.run("UPDATE upgrade_plan SET next_error = NULL WHERE project = ?1", (&project.r#ref,));
    Some(serde_json::from_value(error.into()).expect("stored errors are published ones"))
}

fn app_version(cx: &Cx<'_>, version: &str) -> String {
    format!("{}{version}", cx.profile.app_version_prefix)
}

/// A profile may offer values that the published enums lack; report that instead of dropping them.
fn published<T: serde::de::DeserializeOwned>(name: &str) -> Result<T, Error> {
    serde_json::from_value(name.into()).map_err(|error| {
        Error::new(sim_base::Kind::Upstream, "profile_version", format!("postgres_versions: {error}"))
    })
}

/// `17` of `17-oriole`.
fn major(engine: &str) -> i64 {
    engine.split(|c: char| !c.is_ascii_digit()).next().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// One hour, and another one for every 100 GB.
fn estimated_hours(cx: &Cx<'_>, project: &Row) -> i64 {
    const BYTES_PER_HOUR: i64 = 100_000_000_000;
    let sql = "SELECT database_bytes FROM project WHERE ref = ?1";
    1 + cx.db.one(sql, (&project.r#ref,), |row| row.get::<_, i64>(0)) / BYTES_PER_HOUR
}

fn version(text: &str) -> PostgresVersion {
    serde_json::from_str(text).expect("a stored version was written by the same type")
}

/// Background work that does the next step of an upgrade.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct UpgradeStep {
    r#ref: String,
    tracking_id: String,
    /// The next step.
    progress: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fails: Option<UpgradeError>,
    /// How long the whole upgrade takes.
    whole_ms: u64,
}

impl UpgradeStep {
    fn schedule(self, cx: &Cx<'_>) {
        let steps = UpgradeProgress::ALL.len() as u64 - 1;
        let all = self.whole_ms;
        // If the duration is not divisible, steps differ by a millisecond and the sum is exact.
        let until = |step: u64| all / steps * step + all % steps * step / steps;
        let wait = until(u64::from(self.progress)) - until(u64::from(self.progress) - 1);
        cx.after(Duration::from_millis(wait), &self);
    }
}

impl Task for UpgradeStep {
    const KIND: &'static str = "upgrade";
    const NAME: Option<&'static str> = project::NAME;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        // The backup at the end may still run when its project is removed.
        let Some(project) = project::find(cx, &self.r#ref) else { return "gone".to_owned() };
        let progress = UpgradeProgress::ALL[usize::from(self.progress)];
        if let Some(error) = self.fails.filter(|error| error.instead_of() == progress) {
            self.fail(cx, &project, error);
            return crate::text_of(&error);
        }
        let status =
            if progress == UpgradeProgress::CompletedPostPhysicalBackup { UPGRADED } else { RUNNING };
        let sql =
            "UPDATE upgrade SET progress = ?2, status = ?3, latest_status_at = ?4 WHERE tracking_id = ?1
                   RETURNING target";
        let changed = (&self.tracking_id, self.progress, status, micros(cx.now));
        let target = cx.db.one(sql, changed, |row| row.get::<_, String>(0));
        if progress == UpgradeProgress::CompletedUpgrade {
            project_step::set_version(cx, &self.r#ref, &version(&target));
            finish(cx, &project, Event::FinishUpgrade);
        }
        if status == RUNNING {
            UpgradeStep { progress: self.progress + 1, ..self }.schedule(cx);
        }
        crate::text_of(&progress)
    }
}

impl UpgradeStep {
    fn fail(&self, cx: &Cx<'_>, project: &Row, error: UpgradeError) {
        let sql = "UPDATE upgrade SET error = ?2, status = ?3, latest_status_at = ?4 WHERE tracking_id = ?1";
        cx.db.run(sql, (&self.tracking_id, error as i64 + 1, FAILED, micros(cx.now)));
        if error != UpgradeError::PostPhysicalBackup {
            finish(cx, project, Event::FailUpgrade);
        }
    }
}

fn finish(cx: &Cx<'_>, project: &Row, event: Event) {
    let applied = project.apply(cx, event).is_ok();
    assert!(applied, "nothing but its own steps ends an upgrade");
}
