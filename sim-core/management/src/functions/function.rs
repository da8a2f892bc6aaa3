//! `/v1/projects/{ref}/functions`: a project's serverless functions. Deployment is in `function_deploy`, bulk
//! update in `function_bulk`, uploaded content in `function_body`.

mod status;
mod stored;

use schemars::Schema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Access, Body, Cx, Empty, Error, File, FromJson, Kind, Meta, New, Operation, Resource, Role, Scope,
    TextOrBytes, ToSchema, View, delete, get, patch, post, view,
};

use self::stored::COLUMNS;
use crate::from_text::from_text;
use crate::function_body::{self, Sources};
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};
use crate::text_of;

pub use self::status::{Event, Status};
pub(crate) use self::stored::{Stored, all, deploy_copy, find, load};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

/// Adds the rule of deploys and bulk updates: a slug begins with a letter.
pub(crate) fn begins_with_a_letter(slug: &mut Schema) {
    let rules = json!({
        "pattern": "^[A-Za-z][A-Za-z0-9_-]*$",
        "x-rule": "a letter, then letters, digits, underscores and hyphens",
        "x-2025-05": {
            "pattern": "^[A-Za-z0-9_-]+$",
            "x-rule": "letters, digits, underscores and hyphens",
        },
    });
    slug.ensure_object().extend(rules.as_object().cloned().unwrap_or_default());
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
