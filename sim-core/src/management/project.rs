//! `/v1/projects`: projects and their life from creation to removal.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::{
    Cx, Empty, Error, Kind, Meta, NO_PRIVILEGES, Operation, PostgresVersion, Resource, Role, Scope, Secret,
    Task, TaskEntry, Timestamp, act, delete, from_micros, get, micros, post,
};
use crate::operations;

use super::api_key;
use super::backup;
use super::catalog::{InstanceSize, PostgresEngine, Region, ReleaseChannel};
use super::organization::{self, Plan};
use super::outcome::{self, Work};
use super::text_of;

pub use super::project_lifecycle::{Event, Status};

operations![CreateProject, ListProjects, GetProject, PauseProject, DeleteProject];

pub(super) const RESOURCE: Resource = Resource {
    tables: TABLES,
    operations: OPERATIONS,
    tasks: &[TaskEntry::of::<Step>(), TaskEntry::of::<Forget>()],
};

const TABLES: &str = "
    CREATE TABLE project (
        id INTEGER PRIMARY KEY,
        ref TEXT NOT NULL UNIQUE,
        organization TEXT NOT NULL REFERENCES organization,
        name TEXT NOT NULL,
        region TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        status TEXT NOT NULL,
        changed_by_call INTEGER NOT NULL,
        version TEXT NOT NULL,
        engine TEXT NOT NULL,
        release_channel TEXT NOT NULL,
        db_pass TEXT NOT NULL,
        jwt_secret TEXT NOT NULL,
        database_bytes INTEGER NOT NULL,
        read_only INTEGER NOT NULL,
        override_until INTEGER,
        instance_size TEXT NOT NULL,
        branch_of TEXT REFERENCES project (ref) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX project_by_organization ON project (organization, name);
    CREATE INDEX project_by_branch_of ON project (branch_of) WHERE branch_of IS NOT NULL;
";

/// A project's reference: twenty lowercase letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct ProjectRef(
    #[schemars(regex(pattern = r"^[a-z]{20}$"), extend("x-rule" = "a project reference: 20 lowercase letters"))]
    pub String,
);

impl From<&str> for ProjectRef {
    /// Takes the text as it is: one that is no reference is refused by the call that it is used in.
    fn from(text: &str) -> ProjectRef {
        ProjectRef(text.to_owned())
    }
}

impl std::fmt::Display for ProjectRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Project {
    /// The project's reference.
    pub id: ProjectRef,
    /// Slug of its organization.
    pub organization_id: String,
    /// Its name, unique in the organization.
    pub name: String,
    /// Where it runs.
    pub region: Region,
    /// When it was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// Where it stands in its life.
    pub status: Status,
    /// Its database.
    pub database: Database,
}

/// A project as the answer to a create shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedProject {
    /// The project's reference.
    pub id: ProjectRef,
    /// Slug of its organization.
    pub organization_id: String,
    /// Its name, unique in the organization.
    pub name: String,
    /// Where it runs.
    pub region: Region,
    /// When it was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// UNKNOWN: it has not come up yet.
    pub status: Status,
}

/// A project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Database {
    /// Host name.
    pub host: String,
    /// Version as the service writes it.
    pub version: String,
    /// Major version of Postgres.
    pub postgres_engine: String,
    /// How settled that version is.
    pub release_channel: String,
}

/// What is left of a deleted project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeletedProject {
    /// Number of the project.
    pub id: i64,
    /// Its reference.
    pub r#ref: ProjectRef,
    /// Its name.
    pub name: String,
}

/// Plans that a create may name; it makes no difference, the organization's plan counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum NamedPlan {
    Free,
    Pro,
}

/// Create a project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateProject {
    /// Password of the database's owner.
    #[schemars(length(min = 4), extend("x-refusal" = "db_pass must be longer than or equal to 4 characters"))]
    pub db_pass: Secret,
    /// Its name: no dot, unique in the organization.
    #[schemars(
        length(min = 1, max = 256),
        regex(pattern = r"^[^.]*$"),
        extend("x-pattern-refusal" = "name should not contain a . string")
    )]
    pub name: String,
    /// Slug of the organization it will belong to.
    pub organization_id: String,
    /// Where it will run.
    pub region: Region,
    /// Makes no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true))]
    pub plan: Option<NamedPlan>,
    /// Makes no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true))]
    pub kps_enabled: Option<bool>,
    /// Size of the machine it will run on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desired_instance_size: Option<InstanceSize>,
    /// Address of a template to start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub template_url: Option<String>,
    /// How settled its version may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub release_channel: Option<ReleaseChannel>,
    /// Major version of Postgres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub postgres_engine: Option<PostgresEngine>,
}

impl CreateProject {
    /// A project of that name in that organization, with everything else as most tests want it.
    pub fn named(name: &str, organization: &str) -> CreateProject {
        CreateProject {
            db_pass: "correct horse".into(),
            name: name.to_owned(),
            organization_id: organization.to_owned(),
            region: Region::UsEast1,
            plan: None,
            kps_enabled: None,
            desired_instance_size: None,
            template_url: None,
            release_channel: None,
            postgres_engine: None,
        }
    }
}

impl Operation for CreateProject {
    type Output = CreatedProject;
    const META: Meta = Meta {
        scope: Some(Scope("projects:write")),
        also: &[403, 404],
        ..post("v1-create-a-project", "/v1/projects")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CreatedProject, Error> {
        let organization = organization::load(cx, &self.organization_id)?;
        cx.require_role(&organization.id, Role::Administrator)?;
        self.require_free_name(cx)?;
        require_quota(cx, &organization, "", Kind::Invalid)?;
        let project = NewProject {
            organization: &organization.id,
            name: &self.name,
            region: self.region,
            version: cx.profile.version(self.postgres_engine.map(PostgresEngine::as_str)),
            size: InstanceSize::granted(organization.plan, self.desired_instance_size),
            db_pass: &self.db_pass.0,
            branch_of: None,
        };
        let project = project.insert(cx);
        cx.after(Duration::from_millis(cx.policy.durations.accept_ms), &Step::to(&project, Event::Accept));
        let Project { id, organization_id, name, region, created_at, status, .. } = project.shown(cx);
        Ok(CreatedProject { id, organization_id, name, region, created_at, status })
    }
}

impl CreateProject {
    fn require_free_name(&self, cx: &Cx<'_>) -> Result<(), Error> {
        let sql = "SELECT ref FROM project WHERE organization = ?1 AND name = ?2 AND branch_of IS NULL";
        match cx.db.maybe(sql, (&self.organization_id, &self.name), |row| row.get::<_, String>(0)) {
            Some(taken_by) => {
                let text = format!("Project with name {} already exists in your organization.", self.name);
                Err(Error::invalid("project_exists", text).because("project", taken_by, None))
            }
            None => Ok(()),
        }
    }
}

/// A project about to be stored.
pub(super) struct NewProject<'a> {
    pub(super) organization: &'a str,
    pub(super) name: &'a str,
    pub(super) region: Region,
    pub(super) version: &'a PostgresVersion,
    pub(super) size: InstanceSize,
    pub(super) db_pass: &'a str,
    /// The project that it is a branch of.
    pub(super) branch_of: Option<&'a str>,
}

impl NewProject<'_> {
    /// Stores it as UNKNOWN, with a reference and keys of its own.
    pub(super) fn insert(self, cx: &Cx<'_>) -> Row {
        let mut draw = cx.rng.draw("project");
        let r#ref = draw.letters(20);
        let jwt_secret = draw.base64::<64>();
        cx.db.run(
            "INSERT INTO project (ref, organization, name, region, created_at, status, changed_by_call, version, engine,
                                  release_channel, db_pass, jwt_secret, database_bytes, read_only, instance_size, branch_of)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, FALSE, ?14, ?15)",
            rusqlite::params![
                r#ref,
                self.organization,
                self.name,
                text_of(&self.region),
                micros(cx.now),
                Status::Unknown.as_str(),
                cx.call as i64,
                self.version.version,
                self.version.engine,
                self.version.release_channel,
                self.db_pass,
                jwt_secret,
                EMPTY_DATABASE_BYTES,
                text_of(&self.size),
                self.branch_of,
            ],
        );
        api_key::insert_defaults(cx, &r#ref, &jwt_secret, &mut draw);
        find(cx, &r#ref).expect("the project was just stored")
    }
}

/// What a database takes before anyone has written to it.
const EMPTY_DATABASE_BYTES: i64 = 10_000_000;

/// List all projects that the caller can see.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListProjects {}

impl Operation for ListProjects {
    type Output = Vec<Project>;
    const META: Meta =
        Meta { scope: Some(Scope("projects:read")), ..get("v1-list-all-projects", "/v1/projects") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Project>, Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM project
             WHERE (?1 IS NULL OR organization IN (SELECT organization FROM member WHERE user = ?1))
               AND (?2 OR branch_of IS NULL) ORDER BY id"
        );
        let rows = cx.db.all(&sql, (cx.caller.user(), cx.policy.show_branch_projects), Row::read);
        Ok(rows.iter().map(|row| row.shown(cx)).collect())
    }
}

/// Get a project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GetProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetProject {
    type Output = Project;
    const META: Meta = Meta {
        scope: Some(Scope("projects:read")),
        also: &[500],
        ..get("v1-get-project", "/v1/projects/{ref}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Project, Error> {
        let project = load(cx, &self.r#ref)?;
        match &project.branch_of {
            Some(parent) if !cx.policy.show_branch_projects => {
                let unknown = Error::not_found("project", &self.r#ref.0);
                Err(Error { reason: "project_is_branch".into(), ..unknown }.because(
                    "branch of",
                    parent,
                    None,
                ))
            }
            _ => Ok(project.shown(cx)),
        }
    }
}

/// Pause a project.
///
/// It is PAUSING for a while, then INACTIVE; it keeps its data and does not count against the free quota.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PauseProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for PauseProject {
    type Output = Empty;
    const META: Meta = Meta {
        scope: Some(Scope("projects:write")),
        ..act("v1-pause-a-project", "/v1/projects/{ref}/pause")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = load(cx, &self.r#ref)?;
        let plan = organization::load(cx, &project.organization)?.plan;
        if plan != Plan::Free && !cx.policy.pause_paid_projects {
            return Err(Error::forbidden("paid_project", NO_PRIVILEGES).because("plan", plan.as_str(), None));
        }
        let status = project.status;
        project.apply(cx, Event::Pause).map_err(|refused| {
            refused("project_not_active", format!("This project is not in an active state, it is {status}"))
        })?;
        let event = outcome::choose(cx, Work::Pause, Event::FinishPause, Event::FailPause);
        cx.after(Duration::from_millis(cx.policy.durations.pause_ms), &Step::to(&project, event));
        Ok(Empty {})
    }
}

/// Delete a project.
///
/// It stays in the list as REMOVED for a while and is refused by every other operation.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DeleteProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for DeleteProject {
    type Output = DeletedProject;
    const META: Meta =
        Meta { scope: Some(Scope("projects:write")), ..delete("v1-delete-a-project", "/v1/projects/{ref}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<DeletedProject, Error> {
        let project = find(cx, &self.r#ref.0).ok_or_else(|| Error::not_found("project", &self.r#ref.0))?;
        for branch in branches(cx, &project.r#ref) {
            begin_delete(cx, &branch)?;
        }
        begin_delete(cx, &project)?;
        Ok(DeletedProject { id: project.id, r#ref: self.r#ref, name: project.name })
    }
}

/// Sends the project on its way to REMOVED, or refuses.
pub(super) fn begin_delete(cx: &mut Cx<'_>, project: &Row) -> Result<(), Error> {
    project
        .apply(cx, Event::Delete)
        .map_err(|refused| refused("project_not_deletable", "Project not ready for deletion.".to_owned()))?;
    match cx.policy.durations.going_down_ms {
        0 => {
            Step::to(project, Event::FinishDelete).take(cx);
        }
        wait => cx.after(Duration::from_millis(wait), &Step::to(project, Event::FinishDelete)),
    }
    Ok(())
}

/// The branches' own projects that are not on their way out yet.
fn branches(cx: &Cx<'_>, r#ref: &str) -> Vec<Row> {
    let sql = format!(
        "SELECT {COLUMNS} FROM project WHERE branch_of = ?1 AND status NOT IN ('GOING_DOWN', 'REMOVED') ORDER BY id"
    );
    cx.db.all(&sql, (r#ref,), Row::read)
}

/// Refuses with `kind` when an administrator of a free organization has no free project left, not counting `except`.
pub(super) fn require_quota(
    cx: &Cx<'_>,
    organization: &organization::OrganizationDetail,
    except: &str,
    kind: Kind,
) -> Result<(), Error> {
    if organization.plan != Plan::Free {
        return Ok(());
    }
    let sql = "SELECT count(*) FROM project p JOIN organization o ON o.slug = p.organization
               JOIN member m ON m.organization = o.slug
               WHERE m.user = ?1 AND m.role IN ('Owner', 'Administrator') AND o.plan = 'free'
                 AND p.status NOT IN ('INACTIVE', 'PAUSING') AND p.ref <> ?2 AND p.branch_of IS NULL";
    let limit = cx.policy.free_projects_per_member;
    let full: Vec<String> = organization::administrators(cx, &organization.id)
        .into_iter()
        .filter(|(user, _)| cx.db.one(sql, (user, except), |row| row.get::<_, u32>(0)) >= limit)
        .map(|(_, name)| format!("{name} ({limit} project limit)"))
        .collect();
    if full.is_empty() {
        return Ok(());
    }
    let text = format!(
        "The following organization members have reached their maximum limits for the number of active free \
         projects within organizations where they are an administrator or owner: {}. To continue, these users will \
         need to either delete, pause or upgrade one or more of these projects.",
        full.join(", ")
    );
    Err(Error::new(kind, "free_quota", text).because("organization plan", "free", None))
}

/// Background work that moves a project along its life.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    r#ref: String,
    event: Event,
    /// The version of Postgres that the project is on once the step is taken, where that changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<PostgresVersion>,
    /// The size of its machine from then on, where that changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<InstanceSize>,
}

impl Step {
    pub(super) fn to(project: &Row, event: Event) -> Step {
        Step { r#ref: project.r#ref.clone(), event, version: None, size: None }
    }

    pub(super) fn with_version(self, version: &PostgresVersion) -> Step {
        Step { version: Some(version.clone()), ..self }
    }

    pub(super) fn with_size(self, size: InstanceSize) -> Step {
        Step { size: Some(size), ..self }
    }

    fn take(self, cx: &mut Cx<'_>) -> Status {
        let project = find(cx, &self.r#ref).expect("a project outlives its steps");
        let status = project.apply(cx, self.event).ok().expect("a step that no longer applies is cancelled");
        if let (Some(version), Event::FinishRestore) = (&self.version, self.event) {
            project.set_version(cx, version);
        }
        if let Some(size) = self.size {
            let sql = "UPDATE project SET instance_size = ?2 WHERE ref = ?1";
            cx.db.run(sql, (&project.r#ref, text_of(&size)));
        }
        let durations = &cx.policy.durations;
        match self.event {
            Event::Accept => {
                let end = outcome::choose(cx, Work::Create, Event::FinishCreate, Event::FailCreate);
                cx.after(Duration::from_millis(durations.create_ms), &Step::to(&project, end));
            }
            Event::FinishDelete => {
                cx.after(Duration::from_millis(durations.removed_ms), &Forget { r#ref: self.r#ref });
            }
            _ => {}
        }
        status
    }
}

impl Task for Step {
    const KIND: &'static str = "project";

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        self.take(cx).to_string()
    }
}

/// The end of a REMOVED project.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Forget {
    r#ref: String,
}

impl Task for Forget {
    const KIND: &'static str = "forget project";

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        // What belongs to it goes with it: every table that names a project cascades. A branch's project is removed
        // by a step of its own at the same instant, or by this, whichever comes first.
        cx.db.run("DELETE FROM project WHERE ref = ?1", (&self.r#ref,));
        "gone".to_owned()
    }
}

/// A project as stored.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) id: i64,
    pub(super) r#ref: String,
    pub(super) organization: String,
    pub(super) name: String,
    pub(super) region: String,
    created_at: Timestamp,
    pub(super) status: Status,
    /// The call that brought it into this status.
    pub(super) changed_by_call: u64,
    pub(super) version: String,
    pub(super) engine: String,
    pub(super) release_channel: String,
    pub(super) size: InstanceSize,
    /// The project that it is a branch of.
    pub(super) branch_of: Option<String>,
}

const COLUMNS: &str = "id, ref, organization, name, region, created_at, status, changed_by_call, version, engine, \
    release_channel, instance_size, branch_of";

impl Row {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
        Ok(Row {
            id: row.get(0)?,
            r#ref: row.get(1)?,
            organization: row.get(2)?,
            name: row.get(3)?,
            region: row.get(4)?,
            created_at: from_micros(row.get(5)?),
            status: Status::named(&row.get::<_, String>(6)?).expect("stored statuses are published ones"),
            changed_by_call: row.get::<_, i64>(7)? as u64,
            version: row.get(8)?,
            engine: row.get(9)?,
            release_channel: row.get(10)?,
            size: serde_json::from_value(row.get::<_, String>(11)?.into())
                .expect("stored sizes are published ones"),
            branch_of: row.get(12)?,
        })
    }

    /// Refuses with 400 unless the project's database answers.
    pub(super) fn require_active(&self) -> Result<(), Error> {
        if matches!(self.status, Status::ActiveHealthy | Status::ActiveUnhealthy) {
            return Ok(());
        }
        let text = format!("This project is not in an active state, it is {}", self.status);
        Err(Error::invalid("project_not_active", text).because(
            "project.status",
            self.status,
            Some(self.changed_by_call),
        ))
    }

    fn shown(&self, cx: &Cx<'_>) -> Project {
        Project {
            id: ProjectRef(self.r#ref.clone()),
            organization_id: self.organization.clone(),
            name: self.name.clone(),
            region: serde_json::from_value(self.region.as_str().into())
                .expect("stored regions are published ones"),
            created_at: self.created_at,
            status: self.status,
            database: Database {
                host: format!("db.{}.{}", self.r#ref, cx.profile.project_domain),
                version: self.version.clone(),
                postgres_engine: self.engine.clone(),
                release_channel: self.release_channel.clone(),
            },
        }
    }

    /// Lets `event` happen; takes back the steps it makes moot. Where it does not apply, `Err` waits for the words of
    /// the refusal: a reason and a message.
    pub(super) fn apply(
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
        cx.cancel::<Step>(&self.r#ref);
        if status == Status::ActiveUnhealthy {
            cx.db.run("DELETE FROM service_fault WHERE project = ?1", (&self.r#ref,));
        }
        let sql = "UPDATE project SET status = ?2, changed_by_call = ?3 WHERE ref = ?1";
        cx.db.run(sql, (&self.r#ref, next.as_str(), cx.call as i64));
        backup::note(cx, &self.r#ref);
        Ok(next)
    }

    /// Puts the project on a version of Postgres.
    pub(super) fn set_version(&self, cx: &Cx<'_>, version: &PostgresVersion) {
        let sql = "UPDATE project SET version = ?2, engine = ?3, release_channel = ?4 WHERE ref = ?1";
        cx.db.run(sql, (&self.r#ref, &version.version, &version.engine, &version.release_channel));
    }
}

/// Who may pass below `/v1/projects/{ref}`: members of its organization with the role.
pub(super) fn guard(cx: &mut Cx<'_>, r#ref: &str, role: Role) -> Result<(), Error> {
    let organization =
        cx.db.maybe("SELECT organization FROM project WHERE ref = ?1", (r#ref,), |row| row.get(0));
    let organization: String = organization.ok_or_else(|| Error::not_found("project", r#ref))?;
    cx.require_role(&organization, role)
}

/// The project, unless there is none (404) or it has been removed (400).
pub fn load(cx: &Cx<'_>, r#ref: &ProjectRef) -> Result<Row, Error> {
    let project = find(cx, &r#ref.0).ok_or_else(|| Error::not_found("project", &r#ref.0))?;
    if project.status == Status::Removed {
        return Err(Error::invalid("project_removed", "Resource has been removed").because(
            "project.status",
            project.status,
            Some(project.changed_by_call),
        ));
    }
    Ok(project)
}

/// What signs tokens for the project's own services.
pub(super) fn jwt_secret(cx: &Cx<'_>, r#ref: &str) -> String {
    cx.db.one("SELECT jwt_secret FROM project WHERE ref = ?1", (r#ref,), |row| row.get(0))
}

/// The project, whatever its state.
pub(super) fn find(cx: &Cx<'_>, r#ref: &str) -> Option<Row> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM project WHERE ref = ?1"), (r#ref,), Row::read)
}
