//! `/v1/projects/{ref}/database/openapi`: the OpenAPI document of the REST layer, read from the catalog.

use serde::Serialize;
use serde_json::{Map, Value, json};
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, ToSchema, get};

use crate::project::{self, ProjectRef, Row};
use crate::query;
use crate::rest;

operations![GetRestDocument];

/// The version of the REST server.
pub(crate) const VERSION: &str = "12.2.3";

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Get the OpenAPI 2.0 document of a project's REST layer: the relations of one schema.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRestDocument {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// One of the exposed schemas; the first by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
}

impl Operation for GetRestDocument {
    type Output = Map<String, Value>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["schema"],
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get database openapi",
        needs: Needs { services: &["db", "rest"], ..Needs::DATABASE },
        ..get("v1-get-database-openapi", "/v1/projects/{ref}/database/openapi")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Map<String, Value>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let schema = offered(cx, &project, self.schema)?;
        let columns = query::look(cx, &project, &columns_of(&schema))?;
        Ok(document(&schema, &format!("{}.{}", project.r#ref, cx.profile.project_domain), &columns))
    }
}

/// The requested schema, if the REST layer exposes it.
fn offered(cx: &Cx<'_>, project: &Row, asked: Option<String>) -> Result<String, Error> {
    let list = rest::stored(cx, &project.r#ref).db_schema;
    let mut all = list.split(',').map(str::trim);
    let wanted = asked.as_deref();
    let found = all.find(|one| wanted.is_none_or(|wanted| wanted == *one)).map(str::to_owned);
    found.ok_or_else(|| {
        let text = format!("schema: Invalid, must be one that the REST layer offers: {list}");
        Error::invalid("invalid_query.schema", text)
    })
}

/// A column of a relation.
#[derive(FromJson)]
struct Column {
    relation: String,
    /// Whether rows can be written.
    writes: bool,
    name: String,
    format: String,
    required: bool,
    is_key: bool,
}

/// SQL for the columns of a schema's relations.
fn columns_of(schema: &str) -> String {
    format!(
        "select c.relname as relation, c.relkind in ('r', 'p') as writes, a.attname as name,
                format_type(a.atttypid, a.atttypmod) as format, a.attnotnull as required,
                exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary
                        and ' ' || i.indkey::text || ' ' like '% ' || a.attnum::text || ' %') as is_key
         from pg_catalog.pg_class c
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         join pg_catalog.pg_attribute a on a.attrelid = c.oid
         where n.nspname = '{}' and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
         order by c.relname, a.attnum",
        schema.replace('\'', "''"),
    )
}

fn document(schema: &str, host: &str, columns: &[Column]) -> Map<String, Value> {
    let (mut paths, mut definitions) = (Map::new(), Map::new());
    paths.insert("/".to_owned(), json!({ "get": operation("Introspection", "this document", 200) }));
    for relation in columns.chunk_by(|one, next| one.relation == next.relation) {
        let Column { relation: name, writes, .. } = &relation[0];
        paths.insert(format!("/{name}"), methods(name, *writes));
        definitions.insert(name.clone(), definition(relation));
    }
    let whole = json!({
        "swagger": "2.0",
        "info": { "title": format!("{schema} schema"), "version": VERSION },
        "host": host,
        "basePath": "/rest/v1/",
        "schemes": ["https"],
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "paths": paths,
        "definitions": definitions,
    });
    match whole {
        Value::Object(whole) => whole,
        _ => unreachable!("the document is an object"),
    }
}

fn methods(relation: &str, writes: bool) -> Value {
    let mut methods = Map::new();
    let all = [("get", 200), ("post", 201), ("delete", 204), ("patch", 204)];
    for (method, status) in all.into_iter().filter(|(method, _)| writes || *method == "get") {
        methods.insert(method.to_owned(), operation(relation, "rows", status));
    }
    Value::Object(methods)
}

fn operation(tag: &str, what: &str, status: u16) -> Value {
    json!({ "tags": [tag], "responses": { status.to_string(): { "description": what } } })
}

fn definition(columns: &[Column]) -> Value {
    let required: Vec<&str> =
        columns.iter().filter(|column| column.required).map(|column| column.name.as_str()).collect();
    let properties: Map<String, Value> =
        columns.iter().map(|column| (column.name.clone(), property(column))).collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

fn property(column: &Column) -> Value {
    let mut property = json!({ "format": column.format });
    if let Some(kind) = json_type(&column.format) {
        property["type"] = kind.into();
    }
    if column.is_key {
        property["description"] = "Note:\nThis is a Primary Key.<pk/>".into();
    }
    property
}

/// The JSON type of a column's values; none if they may have any type.
fn json_type(format: &str) -> Option<&'static str> {
    Some(match format {
        _ if format.ends_with("[]") => "array",
        "smallint" | "integer" | "bigint" => "integer",
        "real" | "double precision" => "number",
        _ if format.starts_with("numeric") => "number",
        "boolean" => "boolean",
        "json" | "jsonb" => return None,
        _ => "string",
    })
}
