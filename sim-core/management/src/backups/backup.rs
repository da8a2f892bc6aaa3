//! `/v1/projects/{ref}/database/backups`: daily backups, and restoring to a point in time.
//!
//! There is no job per project and day. A backup exists if its scheduled time lies within a span in which the
//! project was backed up (`backup_span.rs`). A backup with another result has its own row.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Edition, Empty, Error, FromJson, Kind, Meta, Needs, New, Operation, Outcome, Resource, Scope,
    Timestamp, ToSchema, View, from_micros, get, micros, post, put, view,
};

use crate::addon::{self, Addon};
use crate::backup_schedule::Schedule;
use crate::backup_span::{PITR, Span, lapses, spans};
use crate::organization::{self, Plan};
use crate::outcome::{self, Work};
use crate::project::{self, Event, ProjectRef, Step};
use crate::{named, text_of};

operations![ListBackups, RestorePitr, RestorePhysicalBackup, SetBackup, RestoreBackup];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE backup (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        inserted_at INTEGER NOT NULL,
        status TEXT NOT NULL,
        pending_ms INTEGER NOT NULL DEFAULT 0,
        lapses INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (project, inserted_at)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "backup",
    "The result of a daily backup, if it was set, and how long the backup is PENDING before.",
    "SELECT b.project, b.inserted_at, b.status, b.pending_ms
     FROM backup b JOIN project p ON p.ref = b.project JOIN organization o ON o.slug = p.organization
     WHERE b.lapses = o.lapses",
)];

/// A project's backups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Backups {
    /// The region where they are stored.
    pub region: String,
    /// Whether the database archives its log, as physical backups and read replicas need.
    pub walg_enabled: bool,
    /// Whether the project can be restored to any second.
    pub pitr_enabled: bool,
    /// The daily backups that the plan still keeps, newest first.
    pub backups: Vec<Backup>,
    /// The period of time within which the project can be restored to any second.
    pub physical_backup_data: PhysicalBackupData,
}

/// One daily backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Backup {
    /// Its number: the time of the backup, in seconds since the epoch.
    pub id: i64,
    /// Its result.
    pub status: BackupStatus,
    /// Whether it is a copy of files; otherwise it is a dump.
    pub is_physical_backup: bool,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
}

impl Backup {
    fn at(instant: i64, status: BackupStatus, is_physical_backup: bool) -> Backup {
        Backup { id: instant / SECOND, status, is_physical_backup, inserted_at: from_micros(instant) }
    }
}

/// The result of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum BackupStatus {
    Completed,
    Failed,
    Pending,
    Removed,
    Archived,
    Cancelled,
}

impl BackupStatus {
    /// Every status.
    pub const ALL: [BackupStatus; 6] = {
        use BackupStatus::*;
        [Completed, Failed, Pending, Removed, Archived, Cancelled]
    };
}

/// The period for point-in-time recovery, in seconds since the epoch; empty without point-in-time recovery.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct PhysicalBackupData {
    /// The first second that can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earliest_physical_backup_date_unix: Option<i64>,
    /// The last such second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_physical_backup_date_unix: Option<i64>,
}

/// List a project's backups.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListBackups {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListBackups {
    type Output = Backups;
    const META: Meta = Meta {
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get backups",
        ..get("v1-list-all-backups", "/v1/projects/{ref}/database/backups")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backups, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(Backups {
            walg_enabled: cx.policy.physical_backups,
            pitr_enabled: pitr_days(cx, &project.r#ref).is_some(),
            backups: kept_daily(cx, &project)?,
            physical_backup_data: window(cx, &project.r#ref).map_or_else(
                PhysicalBackupData::default,
                |(earliest, latest)| PhysicalBackupData {
                    earliest_physical_backup_date_unix: Some(earliest),
                    latest_physical_backup_date_unix: Some(latest),
                },
            ),
            region: text_of(&project.region),
        })
    }
}

/// The project's daily backups that the plan still keeps, newest first.
pub(crate) fn kept_daily(cx: &Cx<'_>, project: &project::Row) -> Result<Vec<Backup>, Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    Ok(daily(cx, &project.r#ref, plan))
}

/// Restore a project to a point in time.
///
/// It is RESTORING for a while and can't be reached.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RestorePitr {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The point in time, in seconds since the epoch.
    #[schemars(range(min = 0, max = i64::MAX))]
    pub recovery_time_target_unix: i64,
}

impl Operation for RestorePitr {
    type Output = Empty;
    const META: Meta = Meta {
        needs: Needs::ACTIVE,
        scope: Some(Scope("database:write")),
        ..post("v1-restore-pitr-backup", "/v1/projects/{ref}/database/backups/restore-pitr")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if pitr_days(cx, &project.r#ref).is_none() {
            let refusal = Error::invalid("pitr_disabled", "PITR is not enabled for this project.");
            return Err(refusal.because("add-on pitr", "missing", None));
        }
        let (earliest, latest) = window(cx, &project.r#ref).unwrap_or((1, 0));
        if !(earliest..=latest).contains(&self.recovery_time_target_unix) {
            let text = "recovery_time_target_unix: is outside the window that the project can be restored in";
            return Err(Error::invalid("outside_pitr_window", text)
                .because("earliest", earliest, None)
                .because("latest", latest, None));
        }
        begin_restore(cx, &project, self.recovery_time_target_unix * SECOND)?;
        Ok(Empty {})
    }
}

/// Restore a project to a physical daily backup.
///
/// It is RESTORING for a while and can't be reached.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RestorePhysicalBackup {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Number of the backup.
    #[schemars(range(min = i64::MIN, max = i64::MAX))]
    pub id: i64,
}

impl Operation for RestorePhysicalBackup {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        ..post("v1-restore-physical-backup", "/v1/projects/{ref}/database/backups/restore")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let plan = organization::load(cx, &project.organization)?.plan;
        let backup = daily(cx, &project.r#ref, plan).into_iter().find(|backup| backup.id == self.id);
        let backup = backup.ok_or_else(|| Error::not_found("backup", &self.id.to_string()))?;
        if !backup.is_physical_backup {
            return Err(Error::invalid("logical_backup", "id: is a backup that did not copy files"));
        }
        if backup.status != BackupStatus::Completed {
            let status = text_of(&backup.status);
            let text = format!("id: only a completed backup can be restored, this one is {status}");
            return Err(Error::invalid("backup_not_completed", text));
        }
        begin_restore(cx, &project, micros(backup.inserted_at))?;
        Ok(Empty {})
    }
}

/// Starts to restore the project to its state at `instant`, or refuses.
fn begin_restore(cx: &Cx<'_>, project: &project::Row, instant: i64) -> Result<(), Error> {
    project.apply(cx, Event::RestoreBackup).map_err(|refused| {
        refused("project_not_active", "This project can't be restored in its state".to_owned())
    })?;
    let end = outcome::of(cx, Work::PitrRestore, &project.r#ref, cx.policy.durations.pitr_restore_ms);
    let event = end.pick(Event::FinishRestore, Event::FailRestore);
    end.schedule(cx, &Step::to(project, event).back_to(instant));
    Ok(())
}

/// Set the result of one daily backup of a project: the next one, or an existing one.
///
/// The free plan has no backups.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetBackup {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// A time on the day of the backup, which is the last one of that day; the next backup by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub day: Option<Timestamp>,
    /// Its result.
    pub status: BackupStatus,
}

impl Operation for SetBackup {
    type Output = Backup;
    const META: Meta = Meta {
        access: Access::Control,
        also: &[402],
        ..put("sim-set-backup", "/_sim/projects/{ref}/backups")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backup, Error> {
        let project = project::load(cx, &self.r#ref)?;
        organization::require_paid(cx, &project.organization, "A daily backup")?;
        let schedule = Schedule::of(cx, &project.r#ref);
        let at = match self.day {
            Some(day) => schedule.last_of_day(micros(day)),
            None => schedule.next(micros(cx.now)),
        };
        decide(cx, &project.r#ref, at, self.status, 0);
        let is_physical_backup = spans(cx, &project.r#ref, at).iter().any(Span::physical);
        Ok(Backup::at(at, self.status, is_physical_backup))
    }
}

/// Sets the result of the backup at that time; replaces an earlier decision.
fn decide(cx: &Cx<'_>, project: &str, at: i64, status: BackupStatus, pending_ms: u64) {
    outcome::drop_backup(cx, project, at);
    let sql =
        "INSERT INTO backup (project, inserted_at, status, lapses, pending_ms) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT DO UPDATE SET status = ?3, lapses = ?4, pending_ms = ?5";
    cx.db.run(sql, (project, at, text_of(&status), lapses(cx, project), pending_ms.cast_signed()));
}

/// Decides how the next daily backup of a project ends, and how long it is PENDING before; returns its time. Refuses with 402 on the free
/// plan, which has no backups.
pub(crate) fn decide_next(
    cx: &Cx<'_>,
    project: &project::Row,
    outcome: Outcome,
    pending_ms: u64,
) -> Result<i64, Error> {
    organization::require_paid(cx, &project.organization, "A daily backup")?;
    let at = Schedule::of(cx, &project.r#ref).next(micros(cx.now));
    decide(cx, &project.r#ref, at, status_after(outcome), pending_ms);
    Ok(at)
}

/// Takes back what was decided about the backup of that time.
pub(crate) fn undecide(cx: &Cx<'_>, project: &str, at: i64) {
    cx.db.run("DELETE FROM backup WHERE project = ?1 AND inserted_at = ?2", (project, at));
}

const fn status_after(outcome: Outcome) -> BackupStatus {
    match outcome {
        Outcome::Succeed => BackupStatus::Completed,
        Outcome::Fail => BackupStatus::Failed,
        Outcome::Never => BackupStatus::Pending,
    }
}

/// Restore a project to a daily backup, as its owners do from the service's web pages.
///
/// It is RESTORING for a while and can't be reached.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct RestoreBackup {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// A time on the day of the backup, which is the last one of that day.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub day: Timestamp,
}

impl Operation for RestoreBackup {
    type Output = Backup;
    const META: Meta = Meta {
        access: Access::Control,
        ..post("sim-restore-backup", "/_sim/projects/{ref}/backups/restore")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backup, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let day = midnight(micros(self.day));
        let mut newest = kept_daily(cx, &project)?.into_iter();
        let made = newest.find(|backup| midnight(micros(backup.inserted_at)) == day);
        let backup = made.filter(|backup| backup.status == BackupStatus::Completed).ok_or_else(|| {
            let text = format!("day: there is no completed backup of {}", from_micros(day));
            Error::new(Kind::NotFound, "backup_not_found", text)
        })?;
        begin_restore(cx, &project, micros(backup.inserted_at))?;
        Ok(backup)
    }
}

const SECOND: i64 = 1_000_000;

pub(crate) const DAY: i64 = 86_400_000_000;

/// The start of the day.
pub(crate) fn midnight(at: i64) -> i64 {
    at - at.rem_euclid(DAY)
}

/// The number of days for which a plan keeps daily backups.
pub(crate) const fn kept_days(plan: Plan) -> i64 {
    match plan {
        Plan::Free => 0,
        Plan::Pro => 7,
        Plan::Team => 14,
        Plan::Enterprise => 30,
    }
}

/// The longest time that backups are kept, in days: point-in-time recovery reaches back 28 days.
pub(crate) const KEPT_AT_MOST: i64 = 30;

/// The number of days within which the project can be restored to any second.
pub(crate) fn pitr_days(cx: &Cx<'_>, project: &str) -> Option<i64> {
    let addons = [(Addon::Pitr28, 28), (Addon::Pitr14, 14), (Addon::Pitr7, 7)];
    addons.into_iter().find(|(addon, _)| addon::has(cx, project, *addon)).map(|(_, days)| days)
}

fn daily(cx: &Cx<'_>, project: &str, plan: Plan) -> Vec<Backup> {
    let now = micros(cx.now);
    let first = now - kept_days(plan) * DAY;
    let spans = spans(cx, project, first);
    let decided = decided(cx, project, first);
    let shown = |at: i64| {
        let span = spans.iter().find(|span| span.holds(at));
        let is_made_after = |pending_ms: u64| now.abs_diff(at) >= pending_ms.saturating_mul(1000);
        let status = match decided.iter().find(|decided| decided.at == at) {
            Some(decided) if is_made_after(decided.pending_ms) => decided.status,
            None if span.is_none() => return None,
            None if is_made_after(cx.policy.durations.backup_ms) => status_after(cx.policy.outcomes.backup),
            _ => BackupStatus::Pending,
        };
        let is_physical_backup = span.is_some_and(Span::physical);
        Some(Backup::at(at, status, is_physical_backup))
    };
    Schedule::of(cx, project).due(first, now).into_iter().filter_map(shown).collect()
}

/// A decision about a backup.
pub(crate) struct Decided {
    /// The time of the backup.
    pub(crate) at: i64,
    status: BackupStatus,
    pending_ms: u64,
}

/// Decisions about backups after `from`.
pub(crate) fn decided(cx: &Cx<'_>, project: &str, from: i64) -> Vec<Decided> {
    let sql = "SELECT inserted_at, status, pending_ms FROM backup
               WHERE project = ?1 AND inserted_at > ?2 AND lapses = ?3 ORDER BY inserted_at";
    let read = |row: &rusqlite::Row<'_>| {
        let pending_ms = row.get::<_, i64>(2)?.unsigned_abs();
        Ok(Decided { at: row.get(0)?, status: named(row.get_ref(1)?.as_str()?), pending_ms })
    };
    cx.db.all(sql, (project, from, lapses(cx, project)), read)
}

/// The first and the last second that can be restored.
fn window(cx: &Cx<'_>, project: &str) -> Option<(i64, i64)> {
    let oldest = micros(cx.now) - pitr_days(cx, project)? * DAY;
    let archived: Vec<Span> =
        spans(cx, project, oldest - 1).into_iter().filter(|span| span.kind == PITR).collect();
    let (first, last) = (archived.first()?, archived.last()?);
    let earliest = first.since.max(oldest);
    Some((earliest.div_euclid(SECOND) + i64::from(earliest.rem_euclid(SECOND) > 0), last.until / SECOND))
}

/// The past states of a database that can be requested.
pub(crate) struct Kept {
    /// The earliest time.
    pub(crate) from: i64,
    /// Times of backups, for a project that can only be restored to backups.
    backups: Option<Schedule>,
}

impl Kept {
    /// Whether the state that was valid from `since` until `end` can still be requested.
    pub(crate) fn needs(&self, since: i64, end: i64) -> bool {
        let backed_up = |schedule: &Schedule| schedule.last(end - 1) >= since;
        end > self.from && self.backups.as_ref().is_none_or(backed_up)
    }
}

/// The past states of the project that can be requested.
pub(crate) fn kept(cx: &Cx<'_>, project: &project::Row) -> Kept {
    let sql = "SELECT plan FROM organization WHERE slug = ?1";
    let plan = cx.db.one(sql, (&project.organization,), |row| row.get::<_, String>(0));
    let plan = Plan::named(&plan).expect("stored plans are published ones");
    let pitr = pitr_days(cx, &project.r#ref);
    let days = pitr.unwrap_or_else(|| kept_days(plan));
    let backups = pitr.is_none().then(|| Schedule::of(cx, &project.r#ref));
    Kept { from: micros(cx.now) - days * DAY, backups }
}
