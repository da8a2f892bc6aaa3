//! `/v1/projects/{ref}/functions`: creates or replaces several functions at once.

use std::collections::BTreeSet;

use serde::Serialize;
use sim_base::operations;
use sim_base::{Body, Cx, Error, FromJson, Meta, New, Operation, Resource, Role, Scope, ToSchema, put};

use crate::function::{self, Function, Slug, Status, Stored};
use crate::function_body;
use crate::project::{self, ProjectRef, Row};

operations![BulkUpdateFunctions];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A function in a bulk update.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BulkFunction {
    /// Its id, as bundling returned it. It does not rename a function that has another one.
    pub id: String,
    /// Its name in paths.
    #[schemars(transform = function::begins_with_a_letter)]
    pub slug: Slug,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: Status,
    /// Stored unchanged; the caller must increase it. There are versions after the highest one that is taken.
    #[schemars(range(max = 2_147_483_647))]
    pub version: i64,
    /// When it was created, in milliseconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<i64>,
    /// Whether it requires a token of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify_jwt: Option<bool>,
    /// Whether it has an import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_map: Option<bool>,
    /// Its entry point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrypoint_path: Option<String>,
    /// Its import map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_map_path: Option<String>,
    /// SHA-256 of its bundle, as returned by bundling. Another digest than that of the uploaded bundle is marked as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub ezbr_sha256: Option<String>,
}

impl From<Function> for BulkFunction {
    /// As returned by bundling.
    fn from(function: Function) -> BulkFunction {
        BulkFunction {
            id: function.id,
            slug: Slug(function.slug),
            name: function.name,
            status: function.status,
            version: function.version,
            created_at: Some(function.created_at),
            verify_jwt: Some(function.verify_jwt),
            import_map: Some(function.import_map),
            entrypoint_path: Some(function.entrypoint_path),
            import_map_path: function.import_map_path,
            ezbr_sha256: function.ezbr_sha256,
        }
    }
}

/// Functions after a bulk update.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct UpdatedFunctions {
    /// The functions named in the update, in its order.
    pub functions: Vec<Function>,
}

/// Create or replace several functions at once.
///
/// Repeating the call has no further effect. A version that was bundled before runs after this call names it. Functions that are
/// not named do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct BulkUpdateFunctions {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The functions; of several with the same slug, the last one counts.
    pub functions: Vec<BulkFunction>,
}

impl Operation for BulkUpdateFunctions {
    type Output = UpdatedFunctions;
    const META: Meta = Meta {
        body: Body::Field("functions"),
        role: Role::Developer,
        scope: Some(Scope("edge_functions:write")),
        also: &[402, 500],
        failure: "Failed to update functions",
        ..put("v1-bulk-update-functions", "/v1/projects/{ref}/functions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<UpdatedFunctions, Error> {
        let project = project::load(cx, &self.r#ref)?;
        tell_replaced(cx, &self.functions)?;
        let replace = |(place, one)| replace(cx, &project, place, one).map(|stored| stored.shown());
        let functions = self.functions.into_iter().enumerate().map(replace).collect::<Result<_, Error>>()?;
        Ok(UpdatedFunctions { functions })
    }
}

/// Says which functions come again later in the list, where they are replaced.
fn tell_replaced(cx: &Cx<'_>, functions: &[BulkFunction]) -> Result<(), Error> {
    let mut later = BTreeSet::new();
    let last_first = functions.iter().enumerate().rev();
    let replaced: Vec<_> = last_first.filter(|(_, one)| !later.insert(&one.slug.0)).collect();
    let mut replaced = replaced.into_iter().rev();
    replaced.try_for_each(|(place, _)| cx.without_effect(|| format!("body.functions.{place}")))
}

fn replace(cx: &Cx<'_>, project: &Row, place: usize, new: BulkFunction) -> Result<Stored, Error> {
    let before = function::find(cx, project, &new.slug.0);
    if before.is_none() {
        function::require_room(cx, project, 1)?;
    }
    let own_id = before.as_ref().map(|before| before.id.clone());
    let own_id = own_id.or_else(|| function_body::bundled_for(cx, (&project.r#ref, &new.slug.0)));
    if own_id.as_ref().is_some_and(|own| *own != new.id) {
        cx.without_effect(|| format!("body.functions.{place}.id"))?;
    }
    let at = format!("body.functions.{place}");
    function::compare_import_map(cx, new.import_map, new.import_map_path.as_ref(), &at)?;
    let base = before.clone().unwrap_or_else(|| Stored::new(cx, project, &new.slug.0));
    let name = function::given_name(cx, new.name, &at)?;
    let mut after = Stored {
        id: own_id.unwrap_or(new.id),
        name: name.unwrap_or(base.name),
        status: new.status,
        version: new.version,
        created_at: new.created_at.unwrap_or(base.created_at),
        verify_jwt: new.verify_jwt.unwrap_or(base.verify_jwt),
        ..base
    }
    .with_import_map(new.import_map, new.import_map_path);
    after.entrypoint = new.entrypoint_path.unwrap_or(after.entrypoint);
    after.keep_paths_relative();
    if before.as_ref() != Some(&after) {
        after.updated_at = cx.now.as_millisecond();
        function_body::settle(cx, after.key(), before.map(|before| before.version), after.version);
        after = after.save(cx);
    }
    after.compare_digest(cx, new.ezbr_sha256.as_deref(), &at)?;
    Ok(after)
}
