//! `/v1/projects/{ref}/database/backups/schedule`: the time of day at which a project is backed up.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, View,
    from_micros, get, micros, patch, view,
};

use crate::backup::{self, DAY, KEPT_AT_MOST, midnight};
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row as Project};

operations![GetBackupSchedule, UpdateBackupSchedule];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// A project has rows here after its time was set; until then the time is midnight.
const TABLES: &str = "
    CREATE TABLE backup_schedule (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        time INTEGER NOT NULL,
        since INTEGER NOT NULL,
        changed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX backup_schedule_by_project ON backup_schedule (project, id);
";

pub(crate) const VIEWS: &[View] = &[view(
    "backup_schedule",
    "The microsecond of the day at which a project is backed up, the start of this schedule, and when it was set.",
    "SELECT project, time, since, changed FROM backup_schedule ORDER BY id",
)];

/// The time of day at which a project is backed up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BackupSchedule {
    /// The time, in UTC.
    pub schedule_for: String,
    /// When it was changed; the project's creation if it never was.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Timestamp,
}

/// Get the time of day at which a project is backed up.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetBackupSchedule {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetBackupSchedule {
    type Output = BackupSchedule;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get backup schedule",
        ..get("v1-get-backup-schedule", "/v1/projects/{ref}/database/backups/schedule")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<BackupSchedule, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(shown(cx, &project))
    }
}

/// Change the time of day at which a project is backed up.
///
/// It applies from today, or from tomorrow if the time has passed today.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateBackupSchedule {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The time, in UTC.
    #[schemars(
        regex(pattern = r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"),
        extend("x-rule" = "a time of day: HH:MM:SS")
    )]
    pub schedule_for: String,
}

impl Operation for UpdateBackupSchedule {
    type Output = BackupSchedule;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        also: &[402, 500],
        failure: "Failed to update backup schedule",
        ..patch("v1-update-backup-schedule", "/v1/projects/{ref}/database/backups/schedule")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<BackupSchedule, Error> {
        let project = project::load(cx, &self.r#ref)?;
        organization::require_plan(cx, &project.organization, Plan::Enterprise, "A backup schedule")?;
        require_change_left(cx, &project)?;
        let (now, time) = (micros(cx.now), parse(&self.schedule_for));
        let today = midnight(now);
        let since = if today + time >= now { now } else { today + DAY };
        let sql = "INSERT INTO backup_schedule (project, time, since, changed) VALUES (?1, ?2, ?3, ?4)";
        cx.db.run(sql, (&project.r#ref, time, since, now));
        move_decided(cx, &project);
        let outlived = "DELETE FROM backup_schedule WHERE project = ?1 AND id <
            (SELECT max(id) FROM backup_schedule WHERE project = ?1 AND since <= ?2)";
        cx.db.run(outlived, (&project.r#ref, now - KEPT_AT_MOST * DAY));
        Ok(shown(cx, &project))
    }
}

/// Refuses too many changes in a day.
fn require_change_left(cx: &Cx<'_>, project: &Project) -> Result<(), Error> {
    let sql = "SELECT count(*) FROM backup_schedule WHERE project = ?1 AND changed > ?2";
    let made: u32 = cx.db.one(sql, (&project.r#ref, micros(cx.now) - DAY), |row| row.get(0));
    let limit = cx.policy.backup_schedule_changes_per_day;
    if made < limit {
        return Ok(());
    }
    let text = format!("The backup schedule can be updated {limit} times in 24 hours.");
    Err(Error::invalid("backup_schedule_changed_often", text).because("changes in 24 hours", made, None))
}

/// A decision about a future backup applies to the backup of the same day.
fn move_decided(cx: &Cx<'_>, project: &Project) {
    let schedule = Schedule::of(cx, &project.r#ref);
    for backup::Decided { at, .. } in backup::decided(cx, &project.r#ref, micros(cx.now)) {
        let sql = "UPDATE OR REPLACE backup SET inserted_at = ?3 WHERE project = ?1 AND inserted_at = ?2";
        cx.db.run(sql, (&project.r#ref, at, schedule.last_of_day(at)));
    }
}

fn shown(cx: &Cx<'_>, project: &Project) -> BackupSchedule {
    let sql = "SELECT time, changed FROM backup_schedule WHERE project = ?1 ORDER BY id DESC LIMIT 1";
    let changed = cx.db.maybe(sql, (&project.r#ref,), |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)));
    let (time, at) = changed.unwrap_or((0, micros(project.created_at)));
    let seconds = time / SECOND;
    let schedule_for = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    BackupSchedule { schedule_for, updated_at: from_micros(at) }
}

const SECOND: i64 = 1_000_000;

/// The microsecond of the day.
fn parse(time: &str) -> i64 {
    let parts = time.split(':').map(|part| part.parse::<i64>().expect("validation takes numbers only"));
    parts.fold(0, |sum, part| sum * 60 + part) * SECOND
}

/// The times at which a project was and will be backed up: at least one each day.
pub(crate) struct Schedule(Vec<Daily>);

/// A time of day, and the time from which it applies.
struct Daily {
    since: i64,
    time: i64,
}

impl Schedule {
    pub(crate) fn of(cx: &Cx<'_>, project: &str) -> Schedule {
        let sql = "SELECT since, time FROM backup_schedule WHERE project = ?1 ORDER BY id";
        let changes = cx.db.all(sql, (project,), |row| Ok(Daily { since: row.get(0)?, time: row.get(1)? }));
        let mut times = vec![Daily { since: i64::MIN, time: 0 }];
        for change in changes {
            // A setting that does not apply yet is deleted.
            times.retain(|earlier| earlier.since < change.since);
            times.push(change);
        }
        Schedule(times)
    }

    /// The times after `from` up to `until`, newest first.
    pub(crate) fn due(&self, from: i64, until: i64) -> Vec<i64> {
        let mut found = Vec::new();
        let mut day = midnight(until);
        while day + DAY > from {
            for (place, Daily { since, time }) in self.0.iter().enumerate().rev() {
                let at = day + time;
                let ends = self.0.get(place + 1).map_or(i64::MAX, |next| next.since);
                if (*since..ends).contains(&at) && from < at && at <= until {
                    found.push(at);
                }
            }
            day -= DAY;
        }
        found
    }

    /// The last such time up to `until`.
    pub(crate) fn last(&self, until: i64) -> i64 {
        self.due(until - 2 * DAY, until)[0]
    }

    /// The last such time on the day of `at`.
    pub(crate) fn last_of_day(&self, at: i64) -> i64 {
        self.last(midnight(at) + DAY - 1)
    }

    /// The first such time after `now`.
    pub(crate) fn next(&self, now: i64) -> i64 {
        *self.due(now, now + 2 * DAY).last().expect("there is one each day")
    }
}
