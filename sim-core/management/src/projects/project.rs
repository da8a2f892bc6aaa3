//! `/v1/projects`: projects and their lifecycle from creation to removal.

mod quota;

use serde::{Deserialize as _, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Empty, Error, FromJson, Kind, Meta, NO_PRIVILEGES, New, Operation, PostgresVersion, Profile,
    Resource, Role, Scope, Secret, TaskEntry, Timestamp, ToSchema, View, act, delete, get, micros, post,
    view,
};

use crate::branch;
use crate::branch_config;
use crate::catalog::{self, InstanceSize, PostgresEngine, Region, ReleaseChannel};
use crate::organization::{self, Plan};
use crate::outcome::{self, Work};
use crate::project_ref;
use crate::project_row::COLUMNS;
use crate::project_step;
use crate::reach;
use crate::region::RegionSelection;
use crate::text_of;
use crate::v2::webhooks::event::{self, EventType};

pub use self::quota::MemberAtLimit;
pub(crate) use self::quota::{members_at_limit, require_none_at_limit, require_quota};
pub use crate::project_lifecycle::{Event, Status};
pub use crate::project_ref::ProjectRef;
pub(crate) use crate::project_row::{NAME, find, guard, jwt_secret};
pub use crate::project_row::{Row, load};
pub use crate::project_step::{Forget, Step};

operations![CreateProject, ListProjects, GetProject, PauseProject, DeleteProject];

pub(crate) const RESOURCE: Resource = Resource {
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
        db_pass TEXT NOT NULL, -- secret
        jwt_secret TEXT NOT NULL, -- secret
        backed_up_since INTEGER NOT NULL,
        database_bytes INTEGER NOT NULL,
        read_only INTEGER NOT NULL,
        override_until INTEGER,
        instance_size TEXT NOT NULL,
        branch_of TEXT REFERENCES project (ref) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX project_by_name ON project (organization, name, id, branch_of);
    CREATE INDEX project_by_age ON project (organization, id, branch_of);
    CREATE INDEX project_by_branch_of ON project (branch_of) WHERE branch_of IS NOT NULL;
";

pub(crate) const VIEWS: &[View] = &[view(
    "project",
    "A project; for the project of a branch, `branch_of` is the parent project.",
    "SELECT ref, organization, name, region, status, version, engine, release_channel, instance_size,
     database_bytes, read_only, override_until, branch_of, created_at, changed_by_call
     FROM project ORDER BY id",
)];

/// A project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Project {
    /// The project's reference.
    pub id: ProjectRef,
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Slug of its organization.
    pub organization_id: String,
    /// Slug of its organization.
    pub organization_slug: String,
    /// Its name, unique in the organization.
    pub name: String,
    /// Its region.
    pub region: Region,
    /// When it was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// Its status.
    pub status: Status,
    /// Its database.
    pub database: Database,
}

/// A new project, as returned by its creation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct CreatedProject {
    /// The project's reference.
    pub id: ProjectRef,
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Slug of its organization.
    pub organization_id: String,
    /// Slug of its organization.
    pub organization_slug: String,
    /// Its name, unique in the organization.
    pub name: String,
    /// Its region.
    pub region: Region,
    /// When it was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// UNKNOWN: it has not come up yet.
    pub status: Status,
}

/// A project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Database {
    /// Host name.
    pub host: String,
    /// Version in the service's format.
    pub version: String,
    /// Major version of Postgres.
    pub postgres_engine: String,
    /// Release channel of the version.
    pub release_channel: String,
}

/// A deleted project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DeletedProject {
    /// Number of the project.
    pub id: i64,
    /// Its reference.
    pub r#ref: ProjectRef,
    /// Its name.
    pub name: String,
}

/// Plans that the creation may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum NamedPlan {
    Free,
    Pro,
}

/// Create a project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
    /// Slug of the organization it will belong to; newer clients call it `organization_slug`.
    #[schemars(extend(
        "x-alias" = "organization_slug",
        "x-alias-description" = "Slug of the organization it will belong to.",
        "x-2025-05" = { "x-alias-hidden": true }
    ))]
    pub organization_id: String,
    /// The region where it will run. This field or `region_selection` is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-instead" = "region_selection", "x-2025-05" = { "required": true }))]
    pub region: Option<Region>,
    /// The region where it will run, in the form of newer clients. If both are given, it counts and `region` is marked as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub region_selection: Option<RegionSelection>,
    /// Has no effect: the organization's plan counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true, "x-sim-ignored" = true))]
    pub plan: Option<NamedPlan>,
    /// Has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true, "x-sim-ignored" = true))]
    pub kps_enabled: Option<bool>,
    /// Size of its machine. A free plan has the smallest one only, other plans do not have that one; then the field is marked as
    /// ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "catalog::sizes_of_new_projects")]
    pub desired_instance_size: Option<InstanceSize>,
    /// Whether there is a standby database. There is none here, so `true` is marked as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub high_availability: Option<bool>,
    /// Address of a template to start from. It has no effect: every project starts empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri", "x-sim-ignored" = true))]
    pub template_url: Option<String>,
    /// Its release channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub release_channel: Option<ReleaseChannel>,
    /// Major version of Postgres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub postgres_engine: Option<PostgresEngine>,
}

impl CreateProject {
    /// A project with that name in that organization, and values that suit most tests.
    pub fn named(name: &str, organization: &str) -> CreateProject {
        CreateProject {
            region: Some(Region::UsEast1),
            ..CreateProject::new("correct horse", name, organization)
        }
    }
}

impl Operation for CreateProject {
    type Output = CreatedProject;
    const META: Meta = Meta {
        scope: Some(Scope("projects:write")),
        check: Some(check),
        also: &[403, 404],
        ..post("v1-create-a-project", "/v1/projects")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CreatedProject, Error> {
        let organization = organization::load(cx, &self.organization_id)?;
        cx.require_role(&organization.id, Role::Administrator)?;
        reach::require(cx, &organization.id, None)?;
        require_free_name(cx, &self.organization_id, &self.name, "")?;
        require_quota(cx, &organization, "", Kind::Invalid)?;
        if self.high_availability == Some(true) {
            cx.without_effect(|| "body.high_availability".to_owned())?;
        }
        if self.region.is_some() && self.region_selection.is_some() {
            cx.without_effect(|| "body.region".to_owned())?;
        }
        let wanted = self.desired_instance_size;
        let size =
            InstanceSize::granted(cx, organization.plan, wanted, || "body.desired_instance_size".into())?;
        let acceptance = outcome::of_acceptance(cx);
        let project = NewProject {
            organization: &organization.id,
            name: &self.name,
            region: match &self.region_selection {
                Some(selection) => selection.region()?,
                None => self.region.expect("validation wants one of them"),
            },
            version: version(cx, self.postgres_engine.map(PostgresEngine::as_str), self.release_channel)?,
            size,
            db_pass: &self.db_pass.0,
            status: project_step::first(cx, acceptance),
            branch_of: None,
        };
        let project = project.insert(cx);
        project_step::begin(cx, &project, acceptance);
        event::happened(cx, EventType::ProjectCreated, &organization.id, Some(&project.r#ref));
        let Project { id, r#ref, organization_id, organization_slug, name, region, created_at, .. } =
            project.shown(cx);
        // The response shows the project before it is accepted, even if that takes no time.
        let status = Status::Unknown;
        Ok(CreatedProject { id, r#ref, organization_id, organization_slug, name, region, created_at, status })
    }
}

/// The version on offer of an engine and a release channel; those of the profile unless given.
pub(crate) fn version<'p>(
    cx: &Cx<'p>,
    engine: Option<&str>,
    channel: Option<ReleaseChannel>,
) -> Result<&'p PostgresVersion, Error> {
    let channel = channel.map(|channel| text_of(&channel));
    let profile = cx.profile;
    profile.version(engine, channel.as_deref()).ok_or_else(|| {
        let text = "postgres_engine: no version of this engine and release channel is on offer";
        Error::invalid("invalid_body.postgres_engine", text)
    })
}

/// One of the two fields for the region is required, and a code must belong to the given type.
fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    if input.get("region").or(input.get("region_selection")).is_none() {
        return Err(Error::invalid("invalid_body.region", "region: Required"));
    }
    let selection = input.get("region_selection").map(RegionSelection::deserialize);
    selection.map_or(Ok(()), |selection| selection.expect("validation has seen it").region().map(drop))
}

/// Refuses a name that a project of the organization other than `except` has.
pub(crate) fn require_free_name(
    cx: &Cx<'_>,
    organization: &str,
    name: &str,
    except: &str,
) -> Result<(), Error> {
    let sql = "SELECT ref FROM project
               WHERE organization = ?1 AND name = ?2 AND branch_of IS NULL AND ref <> ?3";
    match cx.db.maybe(sql, (organization, name, except), |row| row.get::<_, String>(0)) {
        Some(taken_by) => {
            let text = format!("Project with name {name} already exists in your organization.");
            Err(Error::invalid("project_exists", text).because("project", taken_by, None))
        }
        None => Ok(()),
    }
}

/// A project about to be stored.
pub(crate) struct NewProject<'a> {
    pub(crate) organization: &'a str,
    pub(crate) name: &'a str,
    pub(crate) region: Region,
    pub(crate) version: &'a PostgresVersion,
    pub(crate) size: InstanceSize,
    pub(crate) db_pass: &'a str,
    /// Its first status.
    pub(crate) status: Status,
    /// The reference of its parent project.
    pub(crate) branch_of: Option<&'a str>,
}

impl NewProject<'_> {
    /// Stores the project with a new reference and a new secret.
    pub(crate) fn insert(self, cx: &Cx<'_>) -> Row {
        let mut draw = cx.rng.draw("project");
        // Every project draws a new number, so none repeats, even after deletions.
        let id = draw.number();
        let r#ref = project_ref::of_number(id, &draw.letters(project_ref::LETTERS));
        let jwt_secret = draw.base64::<64>();
        let (now, call, status, size) = (micros(cx.now), cx.call, self.status, text_of(&self.size));
        cx.db.run(
            "INSERT INTO project (id, ref, organization, name, region, created_at, status, changed_by_call, version, engine,
                                  release_channel, db_pass, jwt_secret, backed_up_since, database_bytes, read_only,
                                  instance_size, branch_of)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?6, ?14, FALSE, ?15, ?16)",
            rusqlite::params![
                id,
                r#ref,
                self.organization,
                self.name,
                text_of(&self.region),
                now,
                status.as_str(),
                call as i64,
                self.version.version,
                self.version.engine,
                self.version.release_channel,
                self.db_pass,
                jwt_secret,
                EMPTY_DATABASE_BYTES,
                size,
                self.branch_of,
            ],
        );
        let project = Row {
            id,
            r#ref,
            organization: self.organization.to_owned(),
            name: self.name.to_owned(),
            region: self.region,
            created_at: cx.now,
            status,
            changed_by_call: call,
            version: self.version.version.clone(),
            engine: self.version.engine.clone(),
            release_channel: self.version.release_channel.clone(),
            size: self.size,
            branch_of: self.branch_of.map(str::to_owned),
        };
        organization::count(cx, &project.organization, &project, 1);
        project
    }
}

/// The size of a database that was never written to.
const EMPTY_DATABASE_BYTES: i64 = 10_000_000;

/// List all projects that the caller can see.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListProjects {}

impl Operation for ListProjects {
    type Output = Vec<Project>;
    const META: Meta =
        Meta { scope: Some(Scope("projects:read")), ..get("v1-list-all-projects", "/v1/projects") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Project>, Error> {
        let own = organization::in_callers(cx, "organization");
        let reached = reach::condition(cx, "organization", &["ref", "branch_of"]);
        // Sorting numbers takes less time than sorting rows.
        let sql = format!(
            "SELECT {COLUMNS} FROM project WHERE id IN (SELECT id FROM project WHERE {own}{reached})
             AND (?2 OR branch_of IS NULL) ORDER BY id"
        );
        let rows = cx.db.all(&sql, (cx.caller.user(), cx.policy.show_branch_projects), Row::read);
        Ok(rows.into_iter().map(|row| row.shown(cx)).collect())
    }
}

/// Get a project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetProject {
    type Output = Project;
    const META: Meta = Meta {
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve project",
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
/// It is PAUSING for a while, then INACTIVE. It keeps its data and does not count against the quota of free projects.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
        begin_pause(cx, &project)?;
        Ok(Empty {})
    }
}

/// Starts to pause the project, or refuses.
pub(crate) fn begin_pause(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let status = project.status;
    project.apply(cx, Event::Pause).map_err(|refused| {
        refused("project_not_active", format!("This project is not in an active state, it is {status}"))
    })?;
    let end = outcome::of(cx, Work::Pause, &project.r#ref, cx.policy.durations.pause_ms);
    end.schedule(cx, &Step::to(project, end.pick(Event::FinishPause, Event::FailPause)));
    Ok(())
}

/// Delete a project.
///
/// It stays in the list as REMOVED for a while and is refused by every other operation.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for DeleteProject {
    type Output = DeletedProject;
    const META: Meta = Meta {
        scope: Some(Scope("projects:write")),
        also: &[422],
        ..delete("v1-delete-a-project", "/v1/projects/{ref}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DeletedProject, Error> {
        let project = find(cx, &self.r#ref.0).ok_or_else(|| Error::not_found("project", &self.r#ref.0))?;
        if let Some(branch) = branch::of_own_project(cx, &project) {
            branch_config::require_deletable(&branch)?;
        }
        for branch in branches(cx, &project.r#ref) {
            begin_delete(cx, &branch)?;
        }
        begin_delete(cx, &project)?;
        Ok(DeletedProject { id: project.id, r#ref: self.r#ref, name: project.name })
    }
}

/// Starts the removal of the project, or refuses.
pub(crate) fn begin_delete(cx: &mut Cx<'_>, project: &Row) -> Result<(), Error> {
    let status = project
        .apply(cx, Event::Delete)
        .map_err(|refused| refused("project_not_deletable", "Project not ready for deletion.".to_owned()))?;
    let end = outcome::of(cx, Work::Delete, &project.r#ref, cx.policy.durations.going_down_ms);
    if let Some(wait) = end.wait() {
        Step::to(project, Event::FinishDelete).after(cx, status, wait);
    }
    Ok(())
}

/// The branches' own projects that are not being removed yet.
fn branches(cx: &Cx<'_>, r#ref: &str) -> Vec<Row> {
    let sql = format!(
        "SELECT {COLUMNS} FROM project WHERE branch_of = ?1 AND status NOT IN ('GOING_DOWN', 'REMOVED') ORDER BY id"
    );
    cx.db.all(&sql, (r#ref,), Row::read)
}
