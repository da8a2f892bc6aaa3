//! `/v1/projects/{ref}/functions`: a project's serverless functions. Deployment is in `function_deploy`, bulk
//! update in `function_bulk`, uploaded content in `function_body`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Access, Body, Cx, Empty, Error, File, Kind, Meta, New, Operation, Resource, Role, Scope, TextOrBytes,
    View, delete, get, patch, post, view,
};

use crate::from_text::from_text;
use crate::function_body::{self, Sources};
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};
use crate::text_of;

operations![CreateFunction, ListFunctions, GetFunction, UpdateFunction, DeleteFunction, PushFunction];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE function (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        slug TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        status TEXT NOT NULL,
        version INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        verify_jwt INTEGER NOT NULL,
        import_map INTEGER NOT NULL,
        entrypoint TEXT NOT NULL,
        import_map_path TEXT,
        changed_by_call INTEGER NOT NULL,
        bundle_sha256 TEXT,
        files_of INTEGER NOT NULL, -- the version that brought its files
        PRIMARY KEY (project, slug)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "function",
    "A function.",
    "SELECT project, slug, id, name, status, version, verify_jwt, import_map, entrypoint, import_map_path,
     created_at * 1000 AS created_at, updated_at * 1000 AS updated_at, changed_by_call FROM function",
)];

/// A function's name in paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Slug(
    #[schemars(
        regex(pattern = r"^[A-Za-z0-9_-]+$"),
        extend("x-rule" = "letters, digits, underscores and hyphens")
    )]
    pub String,
);

from_text!(Slug);

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Function {
    /// UUID.
    pub id: String,
    /// Its name in paths.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: Status,
    /// The version: 1 at first, increased by one with every change.
    pub version: i64,
    /// When it was created, in milliseconds since the epoch.
    pub created_at: i64,
    /// When it was last changed, in milliseconds since the epoch.
    pub updated_at: i64,
    /// Whether it requires a token of the project.
    pub verify_jwt: bool,
    /// Whether it has an import map.
    pub import_map: bool,
    /// Address of its entry point.
    pub entrypoint_path: String,
    /// Address of its import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_map_path: Option<String>,
    /// SHA-256 of the deployed bundle, in hex; absent if nothing was uploaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ezbr_sha256: Option<String>,
}

/// Create a function.
///
/// The body is its source as a text, or a bundle as raw bytes; with bytes, all other fields are in the query. Deploying supports
/// more.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
pub struct CreateFunction {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its name in paths.
    pub slug: Slug,
    /// Its name.
    pub name: String,
    /// Its source, or a bundle.
    pub body: TextOrBytes,
    /// Whether it requires a token of the project; true by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_jwt: Option<bool>,
    /// Whether it has an import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub import_map: Option<bool>,
    /// Its entry point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub entrypoint_path: Option<String>,
    /// Its import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub import_map_path: Option<String>,
    /// SHA-256 of the bundle. Another digest than that of the received bundle is marked as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true, "x-since" = "2026-11"))]
    pub ezbr_sha256: Option<String>,
}

impl CreateFunction {
    /// A function of one source file.
    pub fn text(r#ref: ProjectRef, slug: &str, source: &str) -> CreateFunction {
        CreateFunction::new(r#ref, slug, slug, TextOrBytes::Text(source.to_owned()))
    }
}

impl Operation for CreateFunction {
    type Output = Function;
    const META: Meta = Meta {
        query: &[
            "import_map_path",
            "entrypoint_path",
            "slug",
            "name",
            "import_map",
            "verify_jwt",
            "ezbr_sha256",
        ],
        body: Body::FieldsOrBytes("body"),
        deprecated: true,
        role: Role::Developer,
        scope: Some(Scope("edge_functions:write")),
        also: &[402, 500],
        failure: "Failed to create project's function",
        ..post("v1-create-a-function", "/v1/projects/{ref}/functions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Function, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if let Some(existing) = find(cx, &project, &self.slug.0) {
            return Err(Error::invalid("function_exists", "Duplicated function slug").because(
                "function",
                &existing.id,
                Some(existing.changed_by_call),
            ));
        }
        require_room(cx, &project, 1)?;
        let part = part_of(Some(&self.body));
        compare_import_map(cx, self.import_map, self.import_map_path.as_ref(), part)?;
        let (sources, entrypoint) = sources_of(self.body, self.entrypoint_path);
        function_body::require_size(cx, &sources)?;
        let name = given_name(cx, self.name, part)?;
        let base = Stored::new(cx, &project, &self.slug.0);
        let new = Stored {
            name: name.unwrap_or(base.name),
            verify_jwt: self.verify_jwt.unwrap_or(true),
            entrypoint: entrypoint.unwrap_or_else(|| LEGACY_ENTRYPOINT.to_owned()),
            ..base
        }
        .with_import_map(self.import_map, self.import_map_path);
        function_body::store(cx, new.key(), &new.id, new.version, &sources);
        let saved = new.save(cx);
        saved.compare_digest(cx, self.ezbr_sha256.as_deref(), part)?;
        Ok(saved.shown())
    }
}

/// The default entry point of a bundle, and the default place of its import map.
const LEGACY_ENTRYPOINT: &str = "file:///src/index.ts";
const LEGACY_IMPORT_MAP: &str = "file:///src/import_map.json";

/// The part of the request that has the other fields: bytes leave no room for them in the body.
fn part_of(body: Option<&TextOrBytes>) -> &'static str {
    if matches!(body, Some(TextOrBytes::Bytes(_))) { "query" } else { "body" }
}

/// The name, if there is one. An empty one is none, as in deploys, and marked as ignored.
pub(crate) fn given_name(cx: &Cx<'_>, name: String, part: &str) -> Result<Option<String>, Error> {
    if name.is_empty() {
        cx.without_effect(|| format!("{part}.name"))?;
    }
    Ok(Some(name).filter(|name| !name.is_empty()))
}

/// Marks the path of an import map if there is to be none.
pub(crate) fn compare_import_map(
    cx: &Cx<'_>,
    flag: Option<bool>,
    path: Option<&String>,
    part: &str,
) -> Result<(), Error> {
    match (flag, path) {
        (Some(false), Some(_)) => cx.without_effect(|| format!("{part}.import_map_path")),
        _ => Ok(()),
    }
}

/// A text is a single file, which is the entry point; for a bundle the caller gives the entry point.
fn sources_of(body: TextOrBytes, entrypoint: Option<String>) -> (Sources, Option<String>) {
    match body {
        TextOrBytes::Bytes(bytes) => (Sources::Bundle(bytes), entrypoint),
        TextOrBytes::Text(text) => {
            let entrypoint = entrypoint.unwrap_or_else(|| "index.ts".to_owned());
            let name = function_body::path_of(&entrypoint).to_owned();
            (Sources::Files(vec![File { name, content: text.into_bytes().into() }]), Some(entrypoint))
        }
    }
}

/// Refuses if the plan does not include this many more functions.
pub(crate) fn require_room(cx: &Cx<'_>, project: &Row, more: u32) -> Result<(), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    let limits = &cx.policy.functions;
    let limit = match plan {
        Plan::Free => Some(limits.free),
        Plan::Pro => Some(limits.pro),
        Plan::Team => Some(limits.team),
        Plan::Enterprise => limits.enterprise,
    };
    // Without a limit there may be any number of functions to count.
    let Some(limit) = limit else { return Ok(()) };
    let sql = "SELECT count(*) FROM function WHERE project = ?1";
    let count = cx.db.one(sql, (&project.r#ref,), |row| row.get::<_, u32>(0));
    if count + more <= limit.max(count) {
        return Ok(());
    }
    let text = "Maximum number of functions reached for Plan";
    Err(Error::new(Kind::PaymentRequired, "too_many_functions", text)
        .because("organization plan", plan.as_str(), None)
        .because("functions", count, None))
}

/// List a project's functions, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
pub struct ListFunctions {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListFunctions {
    type Output = Vec<Function>;
    const META: Meta = Meta {
        scope: Some(Scope("edge_functions:read")),
        also: &[500],
        failure: "Failed to retrieve project's functions",
        ..get("v1-list-all-functions", "/v1/projects/{ref}/functions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Function>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = format!("SELECT {COLUMNS} FROM function WHERE project = ?1 ORDER BY created_at, slug");
        Ok(cx.db.all(&sql, (&project.r#ref,), Stored::read).iter().map(Stored::shown).collect())
    }
}

/// Get a function.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
pub struct GetFunction {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The function's slug.
    pub function_slug: Slug,
}

impl Operation for GetFunction {
    type Output = Function;
    const META: Meta = Meta {
        scope: Some(Scope("edge_functions:read")),
        also: &[500],
        failure: "Failed to retrieve function with given slug",
        ..get("v1-get-a-function", "/v1/projects/{ref}/functions/{function_slug}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Function, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(load(cx, &project, &self.function_slug.0)?.shown())
    }
}

/// Change a function.
///
/// Omitted fields do not change. The body has the same form as for creating it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
pub struct UpdateFunction {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The function's slug.
    pub function_slug: Slug,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its source, or a bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<TextOrBytes>,
    /// Whether it requires a token of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_jwt: Option<bool>,
    /// Whether it has an import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub import_map: Option<bool>,
    /// Its entry point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub entrypoint_path: Option<String>,
    /// Its import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub import_map_path: Option<String>,
    /// SHA-256 of the bundle. Another digest than that of the received bundle is marked as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true, "x-since" = "2026-11"))]
    pub ezbr_sha256: Option<String>,
    /// Has no effect: the path names the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true, "x-since" = "2026-11", "x-sim-ignored" = true))]
    pub slug: Option<Slug>,
}

impl Operation for UpdateFunction {
    type Output = Function;
    const META: Meta = Meta {
        query: &[
            "import_map_path",
            "entrypoint_path",
            "slug",
            "name",
            "import_map",
            "verify_jwt",
            "ezbr_sha256",
        ],
        body: Body::FieldsOrBytes("body"),
        role: Role::Developer,
        scope: Some(Scope("edge_functions:write")),
        also: &[500],
        failure: "Failed to update function with given slug",
        ..patch("v1-update-a-function", "/v1/projects/{ref}/functions/{function_slug}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Function, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let before = load(cx, &project, &self.function_slug.0)?;
        let part = part_of(self.body.as_ref());
        compare_import_map(cx, self.import_map, self.import_map_path.as_ref(), part)?;
        let mut after = Stored {
            version: before.version.saturating_add(1),
            updated_at: cx.now.as_millisecond(),
            ..before.clone()
        }
        .with_import_map(self.import_map, self.import_map_path);
        let name = self.name.map(|name| given_name(cx, name, part)).transpose()?.flatten();
        after.name = name.unwrap_or(after.name);
        after.verify_jwt = self.verify_jwt.unwrap_or(after.verify_jwt);
        let (sources, entrypoint) = match self.body {
            None => (function_body::sources(cx, before.key(), before.version), self.entrypoint_path),
            Some(body) => {
                after.status = after.status.on(Event::Deploy).expect("new sources make any function run");
                sources_of(body, self.entrypoint_path)
            }
        };
        after.entrypoint = entrypoint.unwrap_or(after.entrypoint);
        function_body::require_size(cx, &sources)?;
        function_body::store(cx, after.key(), &after.id, after.version, &sources);
        function_body::settle(cx, after.key(), Some(before.version), after.version);
        let saved = after.save(cx);
        saved.compare_digest(cx, self.ezbr_sha256.as_deref(), part)?;
        Ok(saved.shown())
    }
}

/// Delete a function and its files.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
pub struct DeleteFunction {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The function's slug.
    pub function_slug: Slug,
}

impl Operation for DeleteFunction {
    type Output = Empty;
    const META: Meta = Meta {
        role: Role::Developer,
        scope: Some(Scope("edge_functions:write")),
        also: &[500],
        failure: "Failed to delete function with given slug",
        ..delete("v1-delete-a-function", "/v1/projects/{ref}/functions/{function_slug}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let function = load(cx, &project, &self.function_slug.0)?;
        function_body::remove(cx, function.key());
        cx.db.run("DELETE FROM function WHERE project = ?1 AND slug = ?2", function.key());
        Ok(Empty {})
    }
}

/// Make the platform slow down, release or remove a function, as it does if a function costs too much.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema, New)]
#[serde(deny_unknown_fields)]
pub struct PushFunction {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The function's slug.
    pub function_slug: Slug,
    /// The event.
    pub event: Event,
}

impl Operation for PushFunction {
    type Output = Function;
    const META: Meta = Meta {
        access: Access::Control,
        ..post("sim-push-function", "/_sim/projects/{ref}/functions/{function_slug}/events")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Function, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let function = load(cx, &project, &self.function_slug.0)?;
        let Some(status) = function.status.on(self.event) else {
            let text = format!(
                "{} does not happen to a function that is {}",
                text_of(&self.event),
                text_of(&function.status)
            );
            return Err(Error::invalid("event_does_not_apply", text).because(
                "function.status",
                text_of(&function.status),
                Some(function.changed_by_call),
            ));
        };
        Ok(Stored { status, ..function }.save(cx).shown())
    }
}

/// The status of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// It is running.
    Active,
    /// The platform has removed it.
    Removed,
    /// It runs slowed down.
    Throttled,
}

/// What can happen to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// It gets new sources.
    Deploy,
    /// The platform slows it down.
    Throttle,
    /// The platform lets it run freely again.
    Release,
    /// The platform removes it.
    Remove,
}

impl Event {
    /// Every event.
    pub const ALL: [Event; 4] = [Event::Deploy, Event::Throttle, Event::Release, Event::Remove];
}

impl Status {
    /// Every state.
    pub const ALL: [Status; 3] = [Status::Active, Status::Removed, Status::Throttled];

    /// The whole lifecycle of a function. `None`: the event does not apply in this state.
    pub const fn on(self, event: Event) -> Option<Status> {
        use Event::*;
        use Status::*;
        Some(match (self, event) {
            (Active | Removed | Throttled, Deploy) => Active,
            (Active, Throttle) => Throttled,
            (Throttled, Release) => Active,
            (Active | Throttled, Remove) => Removed,
            (Active, Release) | (Throttled, Throttle) | (Removed, Throttle | Release | Remove) => {
                return None;
            }
        })
    }
}

/// A function as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) project: String,
    pub(crate) slug: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) status: Status,
    pub(crate) version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) verify_jwt: bool,
    pub(crate) import_map: bool,
    /// As received; relative to the folder of its files unless it is an address.
    pub(crate) entrypoint: String,
    pub(crate) import_map_path: Option<String>,
    pub(crate) changed_by_call: u64,
    pub(crate) bundle_sha256: Option<String>,
    /// The version that brought its files. Versions with the same files are in the same folder.
    pub(crate) files_of: i64,
}

const COLUMNS: &str = "project, slug, id, name, status, version, created_at, updated_at, verify_jwt, import_map, \
                       entrypoint, import_map_path, changed_by_call, bundle_sha256, files_of";

impl Stored {
    /// Version 1 of a function with that slug. It gets a new id, unless a bundle for it already exists.
    pub(crate) fn new(cx: &Cx<'_>, project: &Row, slug: &str) -> Stored {
        let bundled_for = function_body::bundled_for(cx, (&project.r#ref, slug));
        let now = cx.now.as_millisecond();
        Stored {
            project: project.r#ref.clone(),
            slug: slug.to_owned(),
            id: bundled_for.unwrap_or_else(|| cx.rng.uuid("function").to_string()),
            name: slug.to_owned(),
            status: Status::Active,
            version: 1,
            created_at: now,
            updated_at: now,
            verify_jwt: true,
            import_map: false,
            entrypoint: LEGACY_ENTRYPOINT.to_owned(),
            import_map_path: None,
            changed_by_call: cx.call,
            bundle_sha256: None,
            files_of: 1,
        }
    }

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Stored> {
        let status: String = row.get(4)?;
        Ok(Stored {
            project: row.get(0)?,
            slug: row.get(1)?,
            id: row.get(2)?,
            name: row.get(3)?,
            status: serde_json::from_value(status.into()).expect("stored statuses are published ones"),
            version: row.get(5)?,
            created_at: row.get(6)?,
            updated_at: row.get(7)?,
            verify_jwt: row.get(8)?,
            import_map: row.get(9)?,
            entrypoint: row.get(10)?,
            import_map_path: row.get(11)?,
            changed_by_call: row.get::<_, i64>(12)? as u64,
            bundle_sha256: row.get(13)?,
            files_of: row.get(14)?,
        })
    }

    pub(crate) fn key(&self) -> (&str, &str) {
        (&self.project, &self.slug)
    }

    /// Sets the import map from the path or the flag. If both are absent, it does not change.
    pub(crate) fn with_import_map(mut self, flag: Option<bool>, path: Option<String>) -> Stored {
        self.import_map = flag.unwrap_or(self.import_map || path.is_some());
        self.import_map_path = match (self.import_map, path.or(self.import_map_path)) {
            (false, _) => None,
            (true, path) => Some(path.unwrap_or_else(|| LEGACY_IMPORT_MAP.to_owned())),
        };
        self
    }

    /// Paths that are addresses in a folder of its own move with its files.
    pub(crate) fn keep_paths_relative(&mut self) {
        let folders = [self.files_of, self.version].map(|version| self.folder_of(version));
        for path in std::iter::once(&mut self.entrypoint).chain(&mut self.import_map_path) {
            if let Some(relative) = folders.iter().find_map(|folder| path.strip_prefix(folder)) {
                *path = relative.to_owned();
            }
        }
    }

    /// The platform's folder for its files.
    pub(crate) fn folder(&self) -> String {
        self.folder_of(self.files_of)
    }

    fn folder_of(&self, version: i64) -> String {
        format!("file:///tmp/user_fn_{}_{}_{version}/source/", self.project, self.id)
    }

    fn address(&self, path: &str) -> String {
        if path.contains("://") { path.to_owned() } else { self.folder() + path.trim_start_matches("./") }
    }

    pub(crate) fn shown(&self) -> Function {
        Function {
            id: self.id.clone(),
            slug: self.slug.clone(),
            name: self.name.clone(),
            status: self.status,
            version: self.version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            verify_jwt: self.verify_jwt,
            import_map: self.import_map,
            entrypoint_path: self.address(&self.entrypoint),
            import_map_path: self.import_map_path.as_deref().map(|path| self.address(path)),
            ezbr_sha256: self.bundle_sha256.clone(),
        }
    }

    /// With the digest of the bundle made of its version's sources. Other files are in a folder of this version.
    pub(crate) fn bundled(self, cx: &Cx<'_>) -> Stored {
        if function_body::bundle_sha256(cx, &self) == self.bundle_sha256 {
            return self;
        }
        let moved = Stored { files_of: self.version, ..self };
        Stored { bundle_sha256: function_body::bundle_sha256(cx, &moved), ..moved }
    }

    /// Marks the digest that the caller has `given` as ignored if the bundle has another one. `part` of the request has the field.
    pub(crate) fn compare_digest(&self, cx: &Cx<'_>, given: Option<&str>, part: &str) -> Result<(), Error> {
        match given {
            Some(given) if self.bundle_sha256.as_ref().is_none_or(|own| !own.eq_ignore_ascii_case(given)) => {
                cx.without_effect(|| format!("{part}.ezbr_sha256"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn save(self, cx: &Cx<'_>) -> Stored {
        let saved = Stored { changed_by_call: cx.call, ..self }.bundled(cx);
        cx.db.run(
            "INSERT OR REPLACE INTO function VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            rusqlite::params![
                saved.project,
                saved.slug,
                saved.id,
                saved.name,
                text_of(&saved.status),
                saved.version,
                saved.created_at,
                saved.updated_at,
                saved.verify_jwt,
                saved.import_map,
                saved.entrypoint,
                saved.import_map_path,
                saved.changed_by_call as i64,
                saved.bundle_sha256,
                saved.files_of,
            ],
        );
        saved
    }
}

/// Deploys a function of another project: `sources` becomes the next version of the function with the same
/// slug.
pub(crate) fn deploy_copy(cx: &Cx<'_>, project: &Row, mut other: Stored, sources: &Sources) {
    other.keep_paths_relative();
    let before = find(cx, project, &other.slug);
    let base = before.clone().unwrap_or_else(|| Stored::new(cx, project, &other.slug));
    let after = Stored {
        name: other.name,
        status: base.status.on(Event::Deploy).expect("new sources make any function run"),
        version: before.as_ref().map_or(1, |before| before.version.saturating_add(1)),
        updated_at: cx.now.as_millisecond(),
        verify_jwt: other.verify_jwt,
        import_map: other.import_map,
        entrypoint: other.entrypoint,
        import_map_path: other.import_map_path,
        ..base
    };
    function_body::store(cx, after.key(), &after.id, after.version, sources);
    function_body::settle(cx, after.key(), before.map(|before| before.version), after.version);
    after.save(cx);
}

/// The project's functions, by slug.
pub(crate) fn all(cx: &Cx<'_>, project: &Row) -> Vec<Stored> {
    let sql = format!("SELECT {COLUMNS} FROM function WHERE project = ?1 ORDER BY slug");
    cx.db.all(&sql, (&project.r#ref,), Stored::read)
}

/// The function, or 404.
pub(crate) fn load(cx: &Cx<'_>, project: &Row, slug: &str) -> Result<Stored, Error> {
    find(cx, project, slug).ok_or_else(|| Error::not_found("function", slug))
}

pub(crate) fn find(cx: &Cx<'_>, project: &Row, slug: &str) -> Option<Stored> {
    let sql = format!("SELECT {COLUMNS} FROM function WHERE project = ?1 AND slug = ?2");
    cx.db.maybe(&sql, (&project.r#ref, slug), Stored::read)
}
