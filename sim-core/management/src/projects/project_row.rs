//! A project as stored, and how to find it.

use std::sync::LazyLock;

use sim_base::{Cx, Error, Meta, Method, Timestamp, from_micros};

use crate::catalog::{InstanceSize, Region};
use crate::idle_pause;
use crate::named;
use crate::needs;
use crate::project::{Database, Project, ProjectRef};
use crate::project_lifecycle::{Event, Status};
use crate::project_ref;
use crate::project_step::{self, Step};
use crate::v2::member;

/// A project as stored.
#[derive(Clone, Debug)]
pub struct Row {
    pub(crate) id: i64,
    pub(crate) r#ref: String,
    pub(crate) organization: String,
    pub(crate) name: String,
    pub(crate) region: Region,
    pub(crate) created_at: Timestamp,
    pub(crate) status: Status,
    /// The call that set this status.
    pub(crate) changed_by_call: u64,
    pub(crate) version: String,
    pub(crate) engine: String,
    pub(crate) release_channel: String,
    pub(crate) size: InstanceSize,
    /// The reference of its parent project.
    pub(crate) branch_of: Option<String>,
}

/// The query for the name of the project with reference `?1`.
pub(crate) const NAME: Option<&str> = Some("SELECT name FROM project WHERE ref = ?1");

pub(crate) const COLUMNS: &str = "id, ref, organization, name, region, created_at, status, changed_by_call, version, engine, \
    release_channel, instance_size, branch_of";

impl Row {
    pub(crate) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
        Ok(Row {
            id: row.get(0)?,
            r#ref: row.get(1)?,
            organization: row.get(2)?,
            name: row.get(3)?,
            region: named(row.get_ref(4)?.as_str()?),
            created_at: from_micros(row.get(5)?),
            status: status(row, 6)?,
            changed_by_call: row.get::<_, i64>(7)? as u64,
            version: row.get(8)?,
            engine: row.get(9)?,
            release_channel: row.get(10)?,
            size: named(row.get_ref(11)?.as_str()?),
            branch_of: row.get(12)?,
        })
    }

    /// Refuses with 400 unless the project's database responds.
    pub(crate) fn require_active(&self) -> Result<(), Error> {
        if self.status.is_active() {
            return Ok(());
        }
        let text = format!("This project is not in an active state, it is {}", self.status);
        Err(Error::invalid("project_not_active", text).because(
            "project.status",
            self.status,
            Some(self.changed_by_call),
        ))
    }

    pub(crate) fn shown(self, cx: &Cx<'_>) -> Project {
        Project {
            database: Database {
                host: ["db.", &self.r#ref, ".", &cx.profile.project_domain].concat(),
                version: self.version,
                postgres_engine: self.engine,
                release_channel: self.release_channel,
            },
            id: ProjectRef(self.r#ref.clone()),
            r#ref: ProjectRef(self.r#ref),
            organization_id: self.organization.clone(),
            organization_slug: self.organization,
            name: self.name,
            region: self.region,
            created_at: self.created_at,
            status: self.status,
        }
    }

    /// Applies `event`, and cancels scheduled steps that it makes obsolete. If the event does not apply,
    /// `Err` builds the refusal from a reason and a message.
    pub(crate) fn apply(
        &self,
        cx: &Cx<'_>,
        event: Event,
    ) -> Result<Status, impl FnOnce(&'static str, String) -> Error + use<>> {
        let (status, since) = (self.status, self.changed_by_call);
        let Some(next) = status.on(event) else {
            return Err(move |reason, message| {
                Error::invalid(reason, message).because("project.status", status, Some(since))
            });
        };
        cx.cancel_in_row::<Step>(&self.r#ref, self.id);
        project_step::enter(cx, self.id, &self.r#ref, (status, next));
        Ok(next)
    }
}

/// A stored status.
fn status(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Status> {
    let name = row.get_ref(column)?.as_str()?;
    Ok(Status::named(name).expect("stored statuses are published ones"))
}

/// Controls access to `/v1/projects/{ref}`: for members of its organization with the role, if the project has the state and
/// services that the operation needs.
pub(crate) fn guard(cx: &mut Cx<'_>, r#ref: &str, meta: &Meta) -> Result<(), Error> {
    let project = find(cx, r#ref).ok_or_else(|| Error::not_found("project", r#ref))?;
    cx.note_state(project.status.as_str());
    cx.require_role(&project.organization, meta.role)?;
    member::require_in_scope(cx, &project.organization, Some(&project), meta.role)?;
    needs::require(cx, &project, meta)?;
    if meta.method != Method::Get {
        idle_pause::note_use(cx, &project.r#ref);
    }
    cx.leave(project);
    Ok(())
}

/// The project; 404 if there is none, 400 if it has been removed.
pub fn load(cx: &Cx<'_>, r#ref: &ProjectRef) -> Result<Row, Error> {
    let seen = cx.take_seen().filter(|seen: &Row| seen.r#ref == r#ref.0);
    let project = seen.or_else(|| find(cx, &r#ref.0)).ok_or_else(|| Error::not_found("project", &r#ref.0))?;
    if project.status == Status::Removed {
        return Err(Error::invalid("project_removed", "Resource has been removed").because(
            "project.status",
            project.status,
            Some(project.changed_by_call),
        ));
    }
    Ok(project)
}

/// The project and the projects of its branches.
pub(crate) fn with_branches(cx: &Cx<'_>, r#ref: &str) -> Vec<Row> {
    let sql = format!("SELECT {COLUMNS} FROM project WHERE ref = ?1 OR branch_of = ?1 ORDER BY id");
    cx.db.all(&sql, (r#ref,), Row::read)
}

/// The organization's projects that are not being deleted, without those of branches.
pub(crate) fn of_organization(cx: &Cx<'_>, slug: &str) -> Vec<Row> {
    let sql =
        format!("SELECT {COLUMNS} FROM project WHERE organization = ?1 AND branch_of IS NULL ORDER BY id");
    let all = cx.db.all(&sql, (slug,), Row::read).into_iter();
    all.filter(|project| !matches!(project.status, Status::GoingDown | Status::Removed)).collect()
}

/// The secret that signs tokens for the project's own services.
pub(crate) fn jwt_secret(cx: &Cx<'_>, r#ref: &str) -> String {
    cx.db.one("SELECT jwt_secret FROM project WHERE ref = ?1", (r#ref,), |row| row.get(0))
}

/// The project, in any state.
pub(crate) fn find(cx: &Cx<'_>, r#ref: &str) -> Option<Row> {
    static BY_NUMBER: LazyLock<String> =
        LazyLock::new(|| format!("SELECT {COLUMNS} FROM project WHERE id = ?2 AND ref = ?1"));
    static BY_REF: LazyLock<String> =
        LazyLock::new(|| format!("SELECT {COLUMNS} FROM project WHERE ref = ?1"));
    let likely = project_ref::likely_number(r#ref);
    let there = likely.and_then(|number| cx.db.maybe(&BY_NUMBER, (r#ref, number), Row::read));
    // Worlds on disk may have projects from before references encoded the number.
    there.or_else(|| cx.db.maybe(&BY_REF, (r#ref,), Row::read))
}
