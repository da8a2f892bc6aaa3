//! `/v2/projects/{ref}/compute`: programs that run next to a project, each in some instances. Nothing runs here; what a
//! client sees of builds, instances and secrets is simulated. The build is in `compute_build`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Kind, Meta, New, Operation, Payload, Resource, Role, Scope,
    TaskEntry, Timestamp, ToSchema, View, act, delete, get, later, micros, post, view,
};

use super::compute_build::{self, BuildState, ComputeStep};
use super::document::{Given, Many, Object, One, kind};
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};
use crate::{named, secret, text_of};

operations![DeployInstance, ListInstances, GetInstance, CreateUpload, DeleteInstance];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<ComputeStep>()] };

/// `live` is how many instances run, `generation` is of the secrets that they have.
const TABLES: &str = "
    CREATE TABLE compute_instance (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        spec TEXT NOT NULL,
        declared INTEGER NOT NULL,
        state TEXT NOT NULL,
        generation TEXT NOT NULL,
        image TEXT,
        live INTEGER NOT NULL,
        deleting INTEGER NOT NULL,
        UNIQUE (project, name)
    ) STRICT;
    CREATE TABLE compute_upload (
        id TEXT PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX compute_upload_by_project ON compute_upload (project, expires_at);
";

/// The end of a place for an upload.
pub(crate) const UPLOAD_END: End = End {
    kind: "end of upload",
    sql: "SELECT expires_at, project, json_object('name', name) FROM compute_upload WHERE expires_at > ?1",
};

pub(crate) const VIEWS: &[View] = &[
    view(
        "compute_instance",
        "A program that runs next to a project.",
        "SELECT project, name, spec, declared, state, generation, image, live, deleting FROM compute_instance ORDER BY id",
    ),
    view(
        "compute_upload",
        "A place that a program's files can be uploaded to.",
        "SELECT id, project, name, expires_at FROM compute_upload ORDER BY expires_at, id",
    ),
];

kind! {
    /// A program that runs next to a project.
    InstanceKind = "project_compute_instance";
    /// A place that its files can be uploaded to.
    UploadKind = "project_compute_instance_upload";
}

/// How a program is to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ComputeSpec {
    /// Who reaches it.
    pub exposure: String,
    /// In how many instances; a project has at most 20 of all programs.
    pub instances: i64,
    /// Size of each instance.
    pub size: String,
    /// What it is run with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    /// The secrets that it reads; all of the project's unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub secrets_scope: Option<SecretsScope>,
}

/// The secrets that a program reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum SecretsScope {
    /// A group of them.
    Group(SecretsGroup),
    /// Those listed.
    Listed(Vec<ScopedSecret>),
}

/// A group of secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SecretsGroup {
    /// All of the project's.
    All,
    /// Those that the platform sets.
    Platform,
    /// None.
    None,
}

/// A secret that a program reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ScopedSecret {
    /// Its name.
    pub secret_name: String,
}

/// A program as shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ComputeInstance {
    /// How it is to run.
    pub spec: ComputeSpec,
    /// Where its last build stands.
    pub build_state: BuildState,
    /// Why it is in that state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_reason: Option<String>,
    /// Which values of its secrets it got with its last deploy: the same text for the same values.
    pub secret_generation: String,
    /// The version of its files; absent if none were uploaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_version: Option<String>,
    /// How many of its instances run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instances: Option<InstanceCounts>,
    /// Why that is not known; it always is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instances_error: Option<String>,
    /// Whether it is being deleted; absent if not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleting: Option<bool>,
}

/// How many instances of a program run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct InstanceCounts {
    /// Those that it is to have.
    pub declared: i64,
    /// Those that run.
    pub live: i64,
    /// Those that take requests.
    pub ready: i64,
    /// Those that run with secrets that have other values now.
    pub stale: i64,
}

type InstanceObject = Object<InstanceKind, ComputeInstance>;

const fn of_compute(meta: Meta, scope: &'static str) -> Meta {
    Meta {
        since: Edition::V2026_11,
        scope: Some(Scope(scope)),
        also: &[409, 500],
        failure: "Failed to reach the compute instances",
        ..meta
    }
}

/// How a program is deployed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Deployment {
    /// How it is to run.
    pub spec: ComputeSpec,
    /// The upload that has its files; those it has already unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_upload_id: Option<String>,
}

/// Deploy a program; it is created where there is none of the name. It is built after the answer.
///
/// It needs a paid plan. Of a program that is being built no other build begins.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeployInstance {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The program's name.
    pub name: String,
    /// How to deploy it.
    pub data: Given<InstanceKind, Deployment>,
}

impl Operation for DeployInstance {
    type Output = One<InstanceObject>;
    const META: Meta = Meta {
        status: 200,
        role: Role::Developer,
        ..of_compute(
            post("v2-deploy-a-compute-instance", "/v2/projects/{ref}/compute/{name}/deploy"),
            "projects:write",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<InstanceObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_enabled(cx, &project)?;
        let Deployment { spec, context_upload_id } = self.data.attributes;
        require_free(cx, &project, &self.name)?;
        require_room(cx, &project, &self.name, spec.instances)?;
        let generation = generation(cx, &project, &spec)?;
        let image = context_upload_id.map(|id| take_upload(cx, &project, &self.name, &id)).transpose()?;
        let sql = "INSERT INTO compute_instance
                   VALUES (?8, ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, FALSE)
                   ON CONFLICT (project, name) DO UPDATE SET spec = ?3, declared = ?4, state = ?5, generation = ?6,
                       image = ifnull(?7, image)
                   RETURNING id";
        let (text, state) = (json!(spec).to_string(), text_of(&BuildState::Building));
        // A number that no other program had: work on those may still be scheduled.
        let new = cx.rng.draw("compute instance").number();
        let row = (&project.r#ref, &self.name, text, spec.instances, state, generation, image, new);
        let id = cx.db.one(sql, row, |row| row.get(0));
        compute_build::begin(cx, &project, id);
        load(cx, &project, &self.name).map(One::of)
    }
}

/// List a project's programs, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListInstances {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListInstances {
    type Output = Many<InstanceObject>;
    const META: Meta =
        of_compute(get("v2-list-all-compute-instances", "/v2/projects/{ref}/compute"), "projects:read");

    fn run(self, cx: &mut Cx<'_>) -> Result<Many<InstanceObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(Many { data: find(cx, &project, None) })
    }
}

/// Get a program.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetInstance {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The program's name.
    pub name: String,
}

impl Operation for GetInstance {
    type Output = One<InstanceObject>;
    const META: Meta =
        of_compute(get("v2-get-a-compute-instance", "/v2/projects/{ref}/compute/{name}"), "projects:read");

    fn run(self, cx: &mut Cx<'_>) -> Result<One<InstanceObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        load(cx, &project, &self.name).map(One::of)
    }
}

/// A place that a program's files can be uploaded to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ComputeUpload {
    /// The address. Nothing answers there.
    pub url: String,
    /// The method of the request: `PUT`.
    pub method: String,
    /// When it is no longer valid.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
}

/// Get a place that a program's files can be uploaded to. It is valid for an hour, for one deploy of the program of that name.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateUpload {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The program's name.
    pub name: String,
}

const VALID: Duration = Duration::from_secs(3600);

impl Operation for CreateUpload {
    type Output = One<Object<UploadKind, ComputeUpload>>;
    const META: Meta = Meta {
        status: 201,
        role: Role::Developer,
        ..of_compute(
            act("v2-create-compute-instance-upload", "/v2/projects/{ref}/compute/{name}/uploads"),
            "projects:write",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<UploadKind, ComputeUpload>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_enabled(cx, &project)?;
        let expired = "DELETE FROM compute_upload WHERE project = ?1 AND expires_at <= ?2";
        cx.db.run(expired, (&project.r#ref, micros(cx.now)));
        let (id, expires_at) = (cx.rng.uuid("compute upload").to_string(), later(cx.now, VALID));
        let sql = "INSERT INTO compute_upload VALUES (?1, ?2, ?3, ?4)";
        cx.db.run(sql, (&id, &project.r#ref, &self.name, micros(expires_at)));
        let url = format!("https://uploads.{}/{}/{id}", cx.profile.project_domain, project.r#ref);
        Ok(One::of(Object::new(id, ComputeUpload { url, method: "PUT".to_owned(), expires_at })))
    }
}

/// Delete a program. Its instances end after the answer.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteInstance {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The program's name.
    pub name: String,
}

impl Operation for DeleteInstance {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        role: Role::Developer,
        ..of_compute(
            delete("v2-delete-a-compute-instance", "/v2/projects/{ref}/compute/{name}"),
            "projects:write",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT id, deleting FROM compute_instance WHERE project = ?1 AND name = ?2";
        let row = (&project.r#ref, &self.name);
        let found = cx.db.maybe(sql, row, |row| Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?)));
        let (id, is_being_deleted) = found.ok_or_else(|| unknown(&self.name))?;
        if !is_being_deleted {
            compute_build::begin_delete(cx, id);
        }
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn unknown(name: &str) -> Error {
    Error::not_found("compute_instance", name)
}

fn rejected(field: &str, text: &str) -> Error {
    let text = format!("{field}: {text}");
    Error::invalid("compute_request_rejected", &text).field(field, text)
}

/// Programs need a paid plan and an active project.
fn require_enabled(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    if plan == Plan::Free {
        let text = "Compute instances need the pro plan.";
        return Err(Error::forbidden("compute_not_enabled", text).because("plan", plan.as_str(), None));
    }
    project.require_active()
}

/// Refuses while the program is being built or deleted.
fn require_free(cx: &Cx<'_>, project: &Row, name: &str) -> Result<(), Error> {
    let sql = "SELECT state, deleting FROM compute_instance WHERE project = ?1 AND name = ?2";
    let found = cx.db.maybe(sql, (&project.r#ref, name), |row| {
        Ok((named::<BuildState>(row.get_ref(0)?.as_str()?), row.get(1)?))
    });
    let (reason, text) = match found {
        Some((_, true)) => ("compute_request_rejected", "The compute instance is being deleted."),
        Some((BuildState::Building, _)) => {
            ("compute_build_in_progress", "A build of this compute instance is in progress.")
        }
        _ => return Ok(()),
    };
    Err(Error::new(Kind::Conflict, reason, text).because("compute instance", name, None))
}

/// Instances that all programs of a project have together at most.
const INSTANCES_MAX: i64 = 20;

fn require_room(cx: &Cx<'_>, project: &Row, name: &str, wanted: i64) -> Result<(), Error> {
    if wanted < 0 {
        return Err(rejected("data.attributes.spec.instances", "must be 0 or more"));
    }
    let sql = "SELECT ifnull(sum(declared), 0) FROM compute_instance WHERE project = ?1 AND name <> ?2";
    let others: i64 = cx.db.one(sql, (&project.r#ref, name), |row| row.get(0));
    if wanted <= INSTANCES_MAX - others {
        return Ok(());
    }
    let text = format!("A project can have at most {INSTANCES_MAX} instances.");
    Err(Error::invalid("compute_instance_limit_exceeded", text).because("other instances", others, None))
}

/// What the secrets are now that a program with this specification reads.
fn generation(cx: &Cx<'_>, project: &Row, spec: &ComputeSpec) -> Result<String, Error> {
    let names: Option<Vec<&str>> = match &spec.secrets_scope {
        None | Some(SecretsScope::Group(SecretsGroup::All)) => None,
        Some(SecretsScope::Group(SecretsGroup::Platform | SecretsGroup::None)) => Some(Vec::new()),
        Some(SecretsScope::Listed(list)) => Some(list.iter().map(|one| one.secret_name.as_str()).collect()),
    };
    secret::generation(cx, project, names.as_deref()).map_err(|index| {
        let field = format!("data.attributes.spec.secrets_scope.{index}.secret_name");
        rejected(&field, "the project has no such secret")
    })
}

/// The version of the uploaded files. The upload is used up.
fn take_upload(cx: &Cx<'_>, project: &Row, name: &str, id: &str) -> Result<String, Error> {
    let sql = "DELETE FROM compute_upload WHERE id = ?1 AND project = ?2 AND name = ?3 AND expires_at > ?4";
    match cx.db.run(sql, (id, &project.r#ref, name, micros(cx.now))) {
        0 => {
            let text = "is no upload for this compute instance, or has expired or been used; create another";
            Err(rejected("data.attributes.context_upload_id", text).because("upload", id, None))
        }
        _ => Ok(id.split('-').next().unwrap_or_default().to_owned()),
    }
}

fn load(cx: &Cx<'_>, project: &Row, name: &str) -> Result<InstanceObject, Error> {
    find(cx, project, Some(name)).pop().ok_or_else(|| unknown(name))
}

/// The project's programs, or the one of that name.
fn find(cx: &Cx<'_>, project: &Row, name: Option<&str>) -> Vec<InstanceObject> {
    let sql = "SELECT name, spec, declared, state, generation, image, live, deleting FROM compute_instance
               WHERE project = ?1 AND (?2 IS NULL OR name = ?2) ORDER BY id";
    let found = cx.db.all(sql, (&project.r#ref, name), |row| {
        let spec: ComputeSpec =
            serde_json::from_str(row.get_ref(1)?.as_str()?).expect("it was stored as one");
        let build_state: BuildState = named(row.get_ref(3)?.as_str()?);
        let live = if project.status.is_active() { row.get(6)? } else { 0 };
        let shown = ComputeInstance {
            spec,
            build_state,
            state_reason: build_state.reason().map(str::to_owned),
            secret_generation: row.get(4)?,
            image_version: row.get(5)?,
            instances: Some(InstanceCounts { declared: row.get(2)?, live, ready: live, stale: 0 }),
            instances_error: None,
            deleting: Some(row.get(7)?).filter(|deleting| *deleting),
        };
        Ok(Object::new(row.get::<_, String>(0)?, shown))
    });
    let compared = found.into_iter().map(|mut one: InstanceObject| {
        let shown = &mut one.attributes;
        // A listed secret that is gone does not have the value any more that it had.
        let is_stale = generation(cx, project, &shown.spec).ok().as_ref() != Some(&shown.secret_generation);
        if let Some(counts) = shown.instances.as_mut().filter(|_| is_stale) {
            counts.stale = counts.live;
        }
        one
    });
    compared.collect()
}
