//! The content of the projects' databases: now, and as far back as it can be restored.
//!
//! A project whose database was never written to has no row here: its database is empty. After that there is
//! a row for each time at which it changed, as long as that state can be requested. Images share their pages,
//! so a row costs only the changes.

use sim_base::profile::PLATFORM;
use sim_base::{Address, Cx, Held, Resource, micros};

use crate::backup;
use crate::connection;
use crate::embedded::engine;
use crate::project::Row;
use crate::readonly;

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: &[], tasks: &[] };

const TABLES: &str = "
    CREATE TABLE database_image (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        since INTEGER NOT NULL,
        image INTEGER NOT NULL,
        PRIMARY KEY (project, since)
    ) STRICT, WITHOUT ROWID;
";

/// An image of a project's database, valid from a timestamp.
#[derive(Clone, Copy)]
struct Image {
    since: i64,
    number: i64,
}

/// A new database. What belongs to the platform in it has the profile's names.
pub(crate) fn blank(cx: &Cx<'_>) -> i64 {
    let number = cx.databases.create_for_clients();
    let platform = &cx.profile.platform;
    if platform != PLATFORM {
        cx.databases.visit(number, |held| match held {
            Held::Pages(connection) => {
                engine::name_platform(connection, platform).expect("a new database has only plain names");
            }
            Held::OnServer(..) => {}
        });
    }
    number
}

/// Runs `f` on the project's database. What it commits is stored.
pub(crate) fn run<T>(cx: &Cx<'_>, project: &Row, f: impl FnOnce(Held<'_>) -> T) -> T {
    let now = micros(cx.now);
    let old = at(cx, &project.r#ref, now);
    let image = match old {
        Some(old) if old.since == now => old.number,
        Some(old) => cx.databases.copy(old.number),
        None => blank(cx),
    };
    let before = cx.databases.size(image);
    let (value, changed) = cx.databases.visit(image, f);
    if changed {
        let growth = cx.databases.size(image).cast_signed() - before.cast_signed();
        put(cx, project, Image { since: now, number: image }, old);
        readonly::grow(cx, project, growth);
    } else if old.is_none_or(|old| old.number != image) {
        cx.databases.forget(image);
    }
    value
}

/// The address of the project's database for its clients, if it is on a server and responds.
pub(crate) fn address(cx: &Cx<'_>, project: &Row) -> Option<Address> {
    if !project.status.is_active() {
        return None;
    }
    let sql = "SELECT db_pass FROM project WHERE id = ?1";
    let password: String = cx.db.one(sql, (project.id,), |row| row.get(0));
    run(cx, project, |held| match held {
        Held::Pages(_) => None,
        Held::OnServer(server, version) => server.address(version, cx.databases.holder(), &password),
    })
}

/// The number of the project's present database; `None` if it was never written to.
pub(crate) fn current(cx: &Cx<'_>, project: &Row) -> Option<i64> {
    at(cx, &project.r#ref, micros(cx.now)).map(|there| there.number)
}

/// Puts a copy of a database in the place of the project's, as what its client has made of it.
pub(crate) fn replace(cx: &Cx<'_>, project: &Row, by: i64) {
    let now = at(cx, &project.r#ref, micros(cx.now));
    let before = now.map_or_else(
        || {
            let blank = blank(cx);
            let size = cx.databases.size(blank);
            cx.databases.forget(blank);
            size
        },
        |now| cx.databases.size(now.number),
    );
    become_copy(cx, project, Some(by));
    readonly::grow(cx, project, cx.databases.size(by).cast_signed() - before.cast_signed());
}

/// Restores the project's database to its state at `instant`; to an empty one if nothing was written by then.
pub(crate) fn go_back(cx: &Cx<'_>, project: &Row, instant: i64) {
    let (now, old) = (micros(cx.now), at(cx, &project.r#ref, micros(cx.now)));
    let number = match at(cx, &project.r#ref, instant) {
        Some(then) => cx.databases.copy(then.number),
        None => blank(cx),
    };
    put(cx, project, Image { since: now, number }, old);
}

/// Copies the present state of another project's database.
pub(crate) fn begin_like(cx: &Cx<'_>, project: &Row, other: &Row) {
    let (now, old) = (micros(cx.now), at(cx, &project.r#ref, micros(cx.now)));
    if let Some(there) = at(cx, &other.r#ref, now) {
        put(cx, project, Image { since: now, number: cx.databases.copy(there.number) }, old);
    }
}

/// A copy of the project's present database; `None` if it was never written to. The caller has to drop it.
pub(crate) fn copy_now(cx: &Cx<'_>, project: &Row) -> Option<i64> {
    at(cx, &project.r#ref, micros(cx.now)).map(|there| cx.databases.copy(there.number))
}

/// Restores the project's database from a copy, or to an empty one.
pub(crate) fn become_copy(cx: &Cx<'_>, project: &Row, copy: Option<i64>) {
    let (now, old) = (micros(cx.now), at(cx, &project.r#ref, micros(cx.now)));
    let number = copy.map_or_else(|| blank(cx), |copy| cx.databases.copy(copy));
    put(cx, project, Image { since: now, number }, old);
}

/// Empties the project's database.
pub(crate) fn begin_anew(cx: &Cx<'_>, project: &Row) {
    go_back(cx, project, i64::MIN);
}

/// Drops all images of a project that is about to be removed, and of its branches, which are removed with it.
pub(crate) fn forget_all(cx: &Cx<'_>, project: &str) {
    let sql = "WITH gone AS (SELECT ref FROM project WHERE ref = ?1 OR branch_of = ?1)
               SELECT image FROM database_image WHERE project IN gone
               UNION ALL SELECT image FROM restore_point WHERE project IN gone AND image IS NOT NULL
               ORDER BY image";
    let images: Vec<i64> = cx.db.all(sql, (project,), |row| row.get(0));
    connection::end_all(cx, project);
    images.into_iter().for_each(|image| cx.databases.forget(image));
}

/// The image as of `instant`.
fn at(cx: &Cx<'_>, project: &str, instant: i64) -> Option<Image> {
    let sql = "SELECT since, image FROM database_image WHERE project = ?1 AND since <= ?2 ORDER BY since DESC LIMIT 1";
    cx.db.maybe(sql, (project, instant), read)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Image> {
    Ok(Image { since: row.get(0)?, number: row.get(1)? })
}

/// Stores `new` in place of what was valid since the same timestamp, and drops images that can no longer be
/// requested.
fn put(cx: &Cx<'_>, project: &Row, new: Image, old: Option<Image>) {
    let kept = backup::kept(cx, project);
    if let Some(old) = old
        && old.number != new.number
        && !kept.needs(old.since, new.since)
    {
        drop_image(cx, project, old);
    }
    let sql = "INSERT OR REPLACE INTO database_image VALUES (?1, ?2, ?3)";
    cx.db.run(sql, (&project.r#ref, new.since, new.number));
    let outlived = "SELECT since, image FROM database_image WHERE project = ?1
        AND since < (SELECT max(since) FROM database_image WHERE project = ?1 AND since <= ?2)";
    for image in cx.db.all(outlived, (&project.r#ref, kept.from), read) {
        drop_image(cx, project, image);
    }
}

fn drop_image(cx: &Cx<'_>, project: &Row, image: Image) {
    cx.databases.forget(image.number);
    let sql = "DELETE FROM database_image WHERE project = ?1 AND since = ?2";
    cx.db.run(sql, (&project.r#ref, image.since));
}
