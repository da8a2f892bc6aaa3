//! The periods in which projects were backed up, and how.
//!
//! A row is a period in which a project was backed up in one way. It is written when the period ends. The current period has no
//! row: its way follows from the project's state, and its start is stored with the project.
//!
//! An organization that stops paying loses the backups of all its projects. The organization counts how often this happened, and
//! each row stores the count at its time. Rows with another count are lost; they are deleted when they collide with new ones.

use sim_base::{Cx, Resource, micros};

use crate::backup::{DAY, KEPT_AT_MOST, pitr_days};
use crate::organization::{OrganizationDetail, Plan};

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: &[], tasks: &[] };

const TABLES: &str = "
    CREATE TABLE backup_span (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        lapses INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX backup_span_by_project ON backup_span (project, since);
";

/// A period in which a project is backed up in one way.
pub(crate) struct Span {
    pub(crate) kind: String,
    pub(crate) since: i64,
    /// For the present span this is now.
    pub(crate) until: i64,
    /// The number of times that the organization had stopped paying by then.
    lapses: i64,
    present: bool,
}

impl Span {
    pub(crate) fn holds(&self, at: i64) -> bool {
        self.since <= at && (self.present || at < self.until)
    }

    pub(crate) fn physical(&self) -> bool {
        self.kind != LOGICAL
    }
}

/// The spans that end after `from`, oldest first.
pub(crate) fn spans(cx: &Cx<'_>, project: &str, from: i64) -> Vec<Span> {
    let lapses = lapses(cx, project);
    let sql = "SELECT kind, since, until FROM backup_span
               WHERE project = ?1 AND until > ?2 AND lapses = ?3 ORDER BY since, id";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Span { kind: row.get(0)?, since: row.get(1)?, until: row.get(2)?, lapses, present: false })
    };
    let mut spans = cx.db.all(sql, (project, from, lapses), read);
    spans.extend(present(cx, project));
    spans
}

/// Dumps, for small databases.
const LOGICAL: &str = "logical";

/// Copies of files, with the log archived in between.
pub(crate) const PITR: &str = "pitr";

/// The project's present way of backups, if it has any.
fn present(cx: &Cx<'_>, project: &str) -> Option<Span> {
    let sql = "
        SELECT CASE
            WHEN EXISTS (SELECT 1 FROM addon WHERE project = p.ref AND addon LIKE 'pitr%') THEN 'pitr'
            WHEN p.database_bytes >= ?2 OR EXISTS (SELECT 1 FROM replica WHERE project = p.ref) THEN 'physical'
            ELSE 'logical' END, max(p.backed_up_since, o.paying_since), o.lapses
        FROM project p JOIN organization o ON o.slug = p.organization
        WHERE p.ref = ?1 AND p.status IN ('ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY') AND o.plan <> 'free'";
    let bytes = i64::try_from(cx.policy.physical_backup_bytes).unwrap_or(i64::MAX);
    cx.db.maybe(sql, (project, bytes), |row| {
        Ok(Span {
            kind: row.get(0)?,
            since: row.get(1)?,
            until: micros(cx.now),
            lapses: row.get(2)?,
            present: true,
        })
    })
}

/// Stores the project's way of backups until now. Call it before a change that may affect it: of the project's status,
/// organization, add-ons, replicas or size.
pub(crate) fn settle(cx: &Cx<'_>, project: &str) {
    settle_until_now(cx, project);
    cx.db.run("UPDATE project SET backed_up_since = ?2 WHERE ref = ?1", (project, micros(cx.now)));
}

/// Like [`settle`], for callers who write `backed_up_since` together with other columns of the project's row.
pub(crate) fn settle_until_now(cx: &Cx<'_>, project: &str) {
    if let Some(span) = present(cx, project) {
        write_down(cx, project, &span);
    }
}

fn write_down(cx: &Cx<'_>, project: &str, span: &Span) {
    let Span { kind, since, until, lapses, .. } = span;
    let longer = "UPDATE backup_span SET until = ?4
                  WHERE project = ?1 AND kind = ?2 AND until = ?3 AND lapses = ?5";
    if cx.db.run(longer, (project, kind, since, until, lapses)) == 0 {
        let sql = "INSERT INTO backup_span (project, kind, since, until, lapses) VALUES (?1, ?2, ?3, ?4, ?5)";
        cx.db.run(sql, (project, kind, since, until, lapses));
    }
    let forgotten = until - KEPT_AT_MOST * DAY;
    let sql = "DELETE FROM backup_span WHERE project = ?1 AND (until <= ?2 OR lapses <> ?3)";
    cx.db.run(sql, (project, forgotten, lapses));
    // Finding no rows takes a tenth of the time of deleting none.
    let said = "SELECT 1 FROM backup WHERE project = ?1 AND inserted_at <= ?2 LIMIT 1";
    if cx.db.maybe(said, (project, forgotten), |_| Ok(())).is_some() {
        cx.db.run("DELETE FROM backup WHERE project = ?1 AND inserted_at <= ?2", (project, forgotten));
    }
}

/// Without the add-on the archive becomes useless, and stays so if the add-on is bought again.
pub(crate) fn lose_archive(cx: &Cx<'_>, project: &str) {
    if pitr_days(cx, project).is_none() {
        let sql = "UPDATE backup_span SET kind = 'physical' WHERE project = ?1 AND kind = 'pitr'";
        cx.db.run(sql, (project,));
    }
}

/// Call it before the project moves to another organization: its backups move with it, unless the new
/// organization does not pay.
pub(crate) fn hand_over(cx: &Cx<'_>, project: &str, target: &OrganizationDetail) {
    settle(cx, project);
    // Rows store their organization's count. Under the new organization's count, kept rows would be lost, and
    // lost ones might come back.
    let kept = if target.plan == Plan::Free { None } else { Some(lapses(cx, project)) };
    let sql = "SELECT lapses FROM organization WHERE slug = ?1";
    let theirs: i64 = cx.db.one(sql, (&target.id,), |row| row.get(0));
    for table in ["backup_span", "backup"] {
        let lost = format!("DELETE FROM {table} WHERE project = ?1 AND lapses IS NOT ?2");
        cx.db.run(&lost, (project, kept));
        cx.db.run(&format!("UPDATE {table} SET lapses = ?2 WHERE project = ?1"), (project, theirs));
    }
}

/// The number of times that the project's organization has stopped paying.
pub(crate) fn lapses(cx: &Cx<'_>, project: &str) -> i64 {
    let sql =
        "SELECT o.lapses FROM project p JOIN organization o ON o.slug = p.organization WHERE p.ref = ?1";
    cx.db.one(sql, (project,), |row| row.get(0))
}
