//! `/v1/projects/{ref}/types`: the schema of a project's database as types of a programming language.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Held, Meta, Needs, New, Operation, Resource, Scope, SqlCall, ToSchema, get,
};

use crate::database;
use crate::embedded::engine as sql;
use crate::project::{self, ProjectRef};
use crate::query;
use crate::services::rest_document;

operations![GenerateTypes];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Types for a project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct GeneratedTypes {
    /// A module of TypeScript.
    pub types: String,
}

/// Generate TypeScript types for a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GenerateTypes {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The schemas to describe, separated by commas; `public` by default. Unknown schemas have no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included_schemas: Option<String>,
}

impl Operation for GenerateTypes {
    type Output = GeneratedTypes;
    const META: Meta = Meta {
        query: &["included_schemas"],
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to generate TypeScript types",
        needs: Needs::DATABASE,
        ..get("v1-generate-typescript-types", "/v1/projects/{ref}/types/typescript")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<GeneratedTypes, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let names = self.included_schemas.as_deref().unwrap_or("public");
        let schemas: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let internals = internals(cx);
        let internals = internals.as_ref();
        let types = database::run(cx, &project, |held| match held {
            Held::Pages(connection) => sql::typescript(connection, &schemas, internals),
            Held::OnServer(server, version) => {
                let call = SqlCall {
                    text: sql::CATALOG_QUERY,
                    now: cx.now,
                    seed: [0; 32],
                    read_only: true,
                    limits: sql::Limits::default(),
                    holder: cx.databases.holder(),
                };
                server
                    .run(version, &call)
                    .and_then(|found| sql::typescript_of_server(found.rows, &schemas, internals))
            }
        });
        let types = types.map_err(|error| query::refusal(cx, &project, &error))?;
        // A schema's name stands at the beginning of a line, quoted if it is no plain word.
        let has = |name: &&str| {
            [format!("\n  {name}: {{"), format!("\n  \"{name}\": {{")].iter().any(|line| types.contains(line))
        };
        if schemas.is_empty() || !schemas.iter().all(has) {
            cx.without_effect(|| "query.included_schemas".to_owned())?;
        }
        Ok(GeneratedTypes { types })
    }
}

/// What the types begin with since the newer edition.
fn internals(cx: &Cx<'_>) -> Option<sql::Internals> {
    let platform = &cx.profile.platform;
    let capital = platform[..1].to_ascii_uppercase();
    let name = format!("__Internal{capital}{}", &platform[1..]);
    let version = rest_document::VERSION.to_owned();
    (cx.policy.edition >= Edition::V2026_11).then_some(sql::Internals { name, version })
}
