//! `/v1/projects/{ref}/functions/deploy`: deploys functions from their source files.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Body, Cx, Error, File, FromJson, Kind, Meta, New, Operation, Resource, Role, Scope, ToSchema, post,
};

use crate::function::{self, Event, Function, Slug, Stored};
use crate::function_body::{self, Sources};
use crate::function_source;
use crate::outcome::{self, Work};
use crate::project::{self, ProjectRef};

operations![DeployFunction];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DeployMetadata {
    /// The function's entry point.
    #[schemars(length(min = 1))]
    pub entrypoint_path: String,
    /// Its import map; an empty text means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_map_path: Option<String>,
    /// Patterns of files that it reads at run time. It has no effect: every uploaded file is included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-sim-ignored" = true))]
    pub static_patterns: Option<Vec<String>>,
    /// Whether it requires a token of the project; true after each deploy that omits the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_jwt: Option<bool>,
    /// Its name; also its slug if none is given and the name is valid as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Deploy a function; it is created if it does not exist.
///
/// With `bundleOnly`, it is prepared but does not run until a bulk update contains the answer.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[expect(non_snake_case, reason = "the published names")]
pub struct DeployFunction {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The function's slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(transform = function::begins_with_a_letter)]
    pub slug: Option<Slug>,
    /// Prepare it without running it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundleOnly: Option<bool>,
    /// Its files. Without any, an existing function keeps its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Vec<File>>,
    /// The metadata of the files.
    pub metadata: DeployMetadata,
}

impl DeployFunction {
    /// A function of these files, each a path and a text; the first one is the entry point.
    pub fn files(r#ref: ProjectRef, slug: &str, files: &[(&str, &str)]) -> DeployFunction {
        let file = |(path, text): &(&str, &str)| File {
            name: (*path).to_owned(),
            content: text.as_bytes().to_vec().into(),
        };
        let entrypoint_path = files.first().map_or("index.ts", |(path, _)| path).to_owned();
        DeployFunction {
            r#ref,
            slug: Some(slug.into()),
            bundleOnly: None,
            file: Some(files.iter().map(file).collect()),
            metadata: DeployMetadata { entrypoint_path, ..DeployMetadata::default() },
        }
    }
}

impl Operation for DeployFunction {
    type Output = Function;
    const META: Meta = Meta {
        query: &["bundleOnly", "slug"],
        body: Body::Multipart("file"),
        role: Role::Developer,
        scope: Some(Scope("edge_functions:write")),
        also: &[402, 500],
        failure: "Failed to deploy function",
        ..post("v1-deploy-a-function", "/v1/projects/{ref}/functions/deploy")
    };

    fn run(mut self, cx: &mut Cx<'_>) -> Result<Function, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let slug = self.slug()?;
        // Command-line clients always send the field.
        self.metadata.import_map_path.take_if(|path| path.is_empty());
        let before = function::find(cx, &project, &slug);
        if before.is_none() {
            function::require_room(cx, &project, 1)?;
        }
        let sources = self.sources(cx, before.as_ref())?;
        function_body::require_size(cx, &sources)?;
        self.require_paths(&sources)?;
        if let Sources::Files(files) = &sources {
            let Self { metadata: DeployMetadata { entrypoint_path, import_map_path, .. }, .. } = &self;
            function_source::check(files, entrypoint_path, import_map_path.as_deref())?;
        }
        let end = outcome::of(cx, Work::Deploy, &project.r#ref, 0);
        if end.pick(false, true) {
            let text = "Function deploy failed due to an internal error";
            let refusal = Error::new(Kind::Upstream, "deploy_failed", text);
            return Err(refusal.because("outcome of deploys", "fail", None).keeping());
        }
        if end.wait().is_none() {
            let refusal = Error::invalid("deploy_timed_out", "Bundle generation timed out");
            return Err(refusal.because("outcome of deploys", "never", None).keeping());
        }
        let version = before.as_ref().map_or(1, |before| before.version.saturating_add(1));
        let metadata = self.metadata;
        let has_import_map = metadata.import_map_path.is_some();
        let mut after = before
            .clone()
            .unwrap_or_else(|| Stored::new(cx, &project, &slug))
            .with_import_map(Some(has_import_map), metadata.import_map_path);
        // An empty name is none.
        after.name = metadata.name.filter(|name| !name.is_empty()).unwrap_or(after.name);
        after.status = after.status.on(Event::Deploy).expect("new sources make any function run");
        after.version = version;
        after.updated_at = cx.now.as_millisecond();
        after.verify_jwt = metadata.verify_jwt.unwrap_or(true);
        after.entrypoint = metadata.entrypoint_path;
        function_body::store(cx, after.key(), &after.id, version, &sources);
        if self.bundleOnly == Some(true) {
            return Ok(after.bundled(cx).shown());
        }
        function_body::settle(cx, after.key(), before.map(|before| before.version), version);
        Ok(after.save(cx).shown())
    }
}

impl DeployFunction {
    fn slug(&self) -> Result<String, Error> {
        if let Some(Slug(slug)) = &self.slug {
            return Ok(slug.clone());
        }
        let is_slug = |name: &&String| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        };
        self.metadata.name.as_ref().filter(is_slug).cloned().ok_or_else(|| {
            let text = "slug: Required, in the query or as a metadata name of letters, digits, underscores and hyphens";
            Error::invalid("invalid_query.slug", text)
        })
    }

    /// The files in the request, or otherwise those of the function.
    fn sources(&self, cx: &Cx<'_>, before: Option<&Stored>) -> Result<Sources, Error> {
        match (&self.file, before) {
            (None, Some(before)) => Ok(function_body::sources(cx, before.key(), before.version)),
            (None, None) => {
                Err(Error::invalid("invalid_body.file", "file: Required, the function does not exist yet"))
            }
            (Some(files), _) => match files.iter().position(|file| file.name.is_empty()) {
                Some(index) => {
                    let text = format!("file.{index}: needs a filename, its path relative to the function");
                    Err(Error::invalid(format!("invalid_body.file.{index}"), text))
                }
                None => Ok(Sources::Files(files.clone())),
            },
        }
    }

    /// Refuses metadata paths that name no file. The content of a bundle is not visible.
    fn require_paths(&self, sources: &Sources) -> Result<(), Error> {
        let Sources::Files(files) = sources else { return Ok(()) };
        let entrypoint = ("entrypoint_path", "Entrypoint", Some(&self.metadata.entrypoint_path));
        let import_map = ("import_map_path", "Import map", self.metadata.import_map_path.as_ref());
        for (field, what, path) in [entrypoint, import_map] {
            let Some(path) = path else { continue };
            if !files.iter().any(|file| function_source::plain(&file.name) == function_source::plain(path)) {
                let text = format!("metadata.{field}: {what} path does not exist among the files, {path}");
                return Err(Error::invalid(format!("invalid_body.metadata.{field}"), text));
            }
        }
        Ok(())
    }
}
