//! `/api/sources/{token}/schema` and `/recent`: what a source's events look like.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::engine::{Cx, Error, Meta, Operation, Resource};
use crate::operations;

use super::manner::read_one;
use super::{event_store, source};

operations![GetSourceSchema, ListRecentEvents];

pub(super) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Get the columns of a source's events: a JSON Schema, or paths and types.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GetSourceSchema {
    /// The source's token.
    pub token: String,
    /// `dot` for paths and types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

impl Operation for GetSourceSchema {
    type Output = Map<String, Value>;
    const META: Meta = Meta {
        extension: true,
        query: &["variant"],
        ..read_one("analytics-get-source-schema", "/api/sources/{token}/schema")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Map<String, Value>, Error> {
        let columns = source::columns(cx, source::own(cx, &self.token)?.id);
        if self.variant.as_deref() == Some("dot") {
            return Ok(columns.into_iter().map(|(path, kind)| (path, kind.into())).collect());
        }
        let mut schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema" });
        add_columns(&mut schema, columns);
        Ok(schema.as_object().cloned().unwrap_or_default())
    }
}

fn add_columns(schema: &mut Value, columns: BTreeMap<String, String>) {
    schema["type"] = "object".into();
    for (path, kind) in columns {
        let mut place = &mut *schema;
        for name in path.split('.') {
            place["type"] = "object".into();
            place = &mut place["properties"][name];
        }
        *place = match kind.strip_prefix("array<").and_then(|kind| kind.strip_suffix('>')) {
            Some(items) => json!({ "type": "array", "items": { "type": type_name(items) } }),
            None => json!({ "type": type_name(&kind) }),
        };
    }
}

fn type_name(kind: &str) -> &str {
    match kind {
        "float" => "number",
        // Microseconds since the epoch.
        "timestamp" => "integer",
        other => other,
    }
}

/// List the newest events of a source, at most 100, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListRecentEvents {
    /// The source's token.
    pub token: String,
}

/// Events in the list at most.
const RECENT: u32 = 100;

impl Operation for ListRecentEvents {
    type Output = Vec<Value>;
    const META: Meta = Meta {
        extension: true,
        also: &[401, 404, 500],
        ..read_one("analytics-list-recent-events", "/api/sources/{token}/recent")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Value>, Error> {
        event_store::recent(cx, &source::own(cx, &self.token)?.token, RECENT)
    }
}
