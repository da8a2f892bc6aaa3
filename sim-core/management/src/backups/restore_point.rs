//! `/v1/projects/{ref}/database/backups/restore-point`: named states of a project's database, and
//! `…/backups/undo`, which restores one.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, Task, TaskEntry,
    Timestamp, ToSchema, View, from_micros, get, micros, post, view,
};

use crate::outcome::{self, Work};
use crate::project::{self, Event, ProjectRef, Row as Project, Step};
use crate::v2::webhooks::event::{self, EventType};
use crate::{database, named, text_of};

operations![CreateRestorePoint, GetRestorePoint, UndoToRestorePoint];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<Finish>()] };

/// Without an image the database was empty.
const TABLES: &str = "
    CREATE TABLE restore_point (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        status TEXT NOT NULL,
        image INTEGER,
        made INTEGER NOT NULL,
        completed INTEGER,
        UNIQUE (project, name)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "restore_point",
    "A named state of a project's database.",
    "SELECT project, name, status, made, completed FROM restore_point ORDER BY seq",
)];

/// The status of a restore point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum PointStatus {
    /// It is being created.
    Pending,
    /// The project can be restored to it.
    Available,
    /// The project was restored to an earlier one.
    Removed,
    /// Its project was not active at the time of its creation.
    Failed,
}

/// What can happen to a restore point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum PointEvent {
    Finish,
    Fail,
    GoBackBeyond,
}

impl PointEvent {
    /// Every event.
    pub const ALL: [PointEvent; 3] = [PointEvent::Finish, PointEvent::Fail, PointEvent::GoBackBeyond];
}

impl PointStatus {
    /// Every status.
    pub const ALL: [PointStatus; 4] = {
        use PointStatus::*;
        [Pending, Available, Removed, Failed]
    };

    /// The whole lifecycle of a restore point. `None`: the event does not apply in this state.
    pub const fn on(self, event: PointEvent) -> Option<PointStatus> {
        use PointEvent::*;
        use PointStatus::*;
        Some(match (self, event) {
            (Pending, Finish) => Available,
            (Pending, Fail) => Failed,
            (Pending | Available, GoBackBeyond) => Removed,
            (Available, Finish | Fail) | (Removed | Failed, Finish | Fail | GoBackBeyond) => return None,
        })
    }
}

/// A point in time to which a project can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RestorePoint {
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: PointStatus,
    /// When it was completed; `null` before.
    #[schemars(with = "Option<String>", extend("format" = "date-time", "x-nullable" = true, "x-required" = true))]
    pub completed_on: Option<Timestamp>,
}

/// Make a restore point of a project's present database. The work continues after the answer.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateRestorePoint {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its name, unique in the project.
    #[schemars(length(min = 1, max = 20))]
    pub name: String,
}

impl Operation for CreateRestorePoint {
    type Output = RestorePoint;
    const META: Meta = Meta {
        needs: Needs::ACTIVE,
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        ..post("v1-create-restore-point", "/v1/projects/{ref}/database/backups/restore-point")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RestorePoint, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if find(cx, &project, Some(&self.name)).is_some() {
            let text = format!("A restore point with name {} already exists in this project.", self.name);
            return Err(Error::invalid("restore_point_exists", text).because(
                "restore point",
                self.name,
                None,
            ));
        }
        let image = database::copy_now(cx, &project);
        let sql =
            "INSERT INTO restore_point (project, name, status, image, made) VALUES (?1, ?2, ?3, ?4, ?5)";
        let status = PointStatus::Pending;
        let number = cx.db.insert(sql, (&project.r#ref, &self.name, text_of(&status), image, micros(cx.now)));
        event::happened_in(cx, EventType::BackupStarted, &project.r#ref);
        let end = outcome::of(cx, Work::RestorePoint, &project.r#ref, cx.policy.durations.restore_point_ms);
        end.schedule(cx, &Finish { project: project.r#ref, number });
        Ok(RestorePoint { name: self.name, status, completed_on: None })
    }
}

/// Get a restore point of a project: the one with that name, or the newest.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRestorePoint {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 20))]
    pub name: Option<String>,
}

impl Operation for GetRestorePoint {
    type Output = RestorePoint;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["name"],
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get requested restore points",
        ..get("v1-get-restore-point", "/v1/projects/{ref}/database/backups/restore-point")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RestorePoint, Error> {
        let project = project::load(cx, &self.r#ref)?;
        load(cx, &project, self.name.as_deref()).map(|point| point.shown)
    }
}

/// Restore a project's database to a restore point. Later restore points are deleted.
///
/// The project is RESTORING for a while and can't be reached.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UndoToRestorePoint {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The restore point's name.
    #[schemars(length(min = 1, max = 20))]
    pub name: String,
}

impl Operation for UndoToRestorePoint {
    type Output = Empty;
    const META: Meta = Meta {
        needs: Needs::ACTIVE,
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        ..post("v1-undo", "/v1/projects/{ref}/database/backups/undo")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let point = load(cx, &project, Some(&self.name))?;
        if point.shown.status != PointStatus::Available {
            let status = text_of(&point.shown.status);
            let text = format!("The restore point is not available, it is {status}");
            return Err(Error::invalid("restore_point_not_available", text).because("status", status, None));
        }
        project.apply(cx, Event::RestoreBackup).map_err(|refused| {
            refused("project_not_active", "This project can't be restored in its state".to_owned())
        })?;
        let end = outcome::of(cx, Work::PitrRestore, &project.r#ref, cx.policy.durations.pitr_restore_ms);
        let event = end.pick(Event::FinishRestore, Event::FailRestore);
        end.schedule(cx, &Step::to(&project, event).back_to_point(point.number));
        Ok(Empty {})
    }
}

/// A restore point is completed.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Finish {
    project: String,
    number: i64,
}

impl Task for Finish {
    const KIND: &'static str = "restore point";
    const NAME: Option<&'static str> = project::NAME;

    fn subject(&self) -> &str {
        &self.project
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let sql = format!("SELECT {COLUMNS} FROM restore_point WHERE seq = ?1");
        // It is deleted with its project.
        let Some(point) = cx.db.maybe(&sql, (self.number,), Stored::read) else { return "gone".to_owned() };
        let active = project::find(cx, &self.project).is_some_and(|project| project.status.is_active());
        let event = if active { PointEvent::Finish } else { PointEvent::Fail };
        // It was deleted when its project was restored to an earlier one.
        let Some(next) = point.shown.status.on(event) else { return text_of(&point.shown.status) };
        let completed = active.then(|| micros(cx.now));
        let sql = "UPDATE restore_point SET status = ?2, completed = ?3 WHERE seq = ?1";
        cx.db.run(sql, (self.number, text_of(&next), completed));
        text_of(&next)
    }
}

/// Restores the project's database to the restore point of that number, and deletes later ones.
pub(crate) fn go_back(cx: &Cx<'_>, project: &Project, number: i64) {
    let sql = "SELECT image FROM restore_point WHERE seq = ?1";
    // A project keeps its restore points until it is deleted.
    let image = cx.db.one(sql, (number,), |row| row.get::<_, Option<i64>>(0));
    database::become_copy(cx, project, image);
    let sql = format!("SELECT {COLUMNS} FROM restore_point WHERE project = ?1 AND seq > ?2");
    for point in cx.db.all(&sql, (&project.r#ref, number), Stored::read) {
        if let Some(next) = point.shown.status.on(PointEvent::GoBackBeyond) {
            let sql = "UPDATE restore_point SET status = ?2 WHERE seq = ?1";
            cx.db.run(sql, (point.number, text_of(&next)));
        }
    }
}

/// A restore point as stored.
struct Stored {
    shown: RestorePoint,
    number: i64,
}

const COLUMNS: &str = "seq, name, status, completed";

impl Stored {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Stored> {
        Ok(Stored {
            number: row.get(0)?,
            shown: RestorePoint {
                name: row.get(1)?,
                status: named(row.get_ref(2)?.as_str()?),
                completed_on: row.get::<_, Option<i64>>(3)?.map(from_micros),
            },
        })
    }
}

/// The restore point of that name, or the newest; 404 if there is none.
fn load(cx: &Cx<'_>, project: &Project, name: Option<&str>) -> Result<Stored, Error> {
    find(cx, project, name).ok_or_else(|| Error::not_found("restore_point", name.unwrap_or("newest")))
}

fn find(cx: &Cx<'_>, project: &Project, name: Option<&str>) -> Option<Stored> {
    let sql = format!(
        "SELECT {COLUMNS} FROM restore_point WHERE project = ?1 AND (?2 IS NULL OR name = ?2) ORDER BY seq DESC LIMIT 1"
    );
    cx.db.maybe(&sql, (&project.r#ref, name), Stored::read)
}
