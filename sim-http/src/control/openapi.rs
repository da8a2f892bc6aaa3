//! `/_sim/openapi.json`: one OpenAPI document for the control operations of this crate and of the core.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sim_core::engine::{Body, Meta, add_examples, get, only_tag};
use sim_core::{Error, Simulator};

use super::{Control, Declared, Place, Run, TABLE, control_openapi};
use crate::worlds::{Service, Touch, WORLD_HEADER, simulator_of};

/// Get the OpenAPI 3.1 document of the control API.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetOpenApi {
    /// The service, in a world of two; the management API by default.
    pub service: Option<Service>,
    /// Only the operations with this tag, and the schemas that they use: `journal`.
    pub tag: Option<String>,
}

impl Control for GetOpenApi {
    type Output = Map<String, Value>;
    const META: Meta = Meta { query: &["service", "tag"], ..get("sim-get-openapi", "/_sim/openapi.json") };
}

impl Run for GetOpenApi {
    async fn run(self, place: &Place<'_>) -> Result<Map<String, Value>, Error> {
        let document = |sim: &Simulator| Ok::<_, Error>(control_openapi(simulator_of(sim, self.service)?));
        let document = place.world.with(Touch::Reads, |inside| document(&inside.sim)).await??;
        match part(document, self.tag.as_deref())? {
            Value::Object(document) => Ok(document),
            _ => unreachable!("a document is an object"),
        }
    }
}

/// A whole document, or the operations with one tag.
pub(crate) fn part(mut document: Value, tag: Option<&str>) -> Result<Value, Error> {
    tag.map_or(Ok(()), |tag| only_tag(&mut document, tag))?;
    Ok(document)
}

/// Adds the operations of this crate to the document of the core.
pub(super) fn merged(mut document: Value) -> Value {
    document["info"]["title"] = "Stuntdouble control API".into();
    let schemas = &mut document["components"]["schemas"];
    for (name, schema) in TABLE.definitions.as_object().into_iter().flatten() {
        // If both describe a type, the core's description is used, because it is more complete.
        if schemas.get(name).is_none() {
            schemas[name] = schema.clone();
        }
    }
    for declared in &TABLE.operations {
        let meta = &declared.entry.meta;
        document["paths"][meta.path][meta.method.as_str().to_lowercase()] = describe(declared);
    }
    document["components"]["parameters"] = json!({ "World": {
        "name": WORLD_HEADER,
        "in": "header",
        "required": false,
        "description": "The name of the world. Unless given, the path prefix or the token chooses it, else it is `main`.",
        "schema": { "type": "string" },
    } });
    for path in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        path["parameters"] = json!([{ "$ref": "#/components/parameters/World" }]);
    }
    add_examples(&mut document);
    document
}

/// `/_sim`: all control operations, each with method, path and summary.
pub(crate) fn index(sim: &Simulator) -> Value {
    let document = control_openapi(sim);
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.filter(|(_, one)| one.get("operationId").is_some()).map(move |(method, one)| {
            json!({
                "operation": one["operationId"],
                "method": method.to_uppercase(),
                "path": path,
                "summary": one["summary"],
            })
        })
    });
    json!({
        "documents": { "openapi": "/_sim/openapi.json", "guide": "/llms.txt" },
        "operations": operations.collect::<Vec<_>>(),
    })
}

fn describe(declared: &Declared) -> Value {
    let meta = &declared.entry.meta;
    let text = declared.input["description"].as_str().unwrap_or_default();
    let (summary, description) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut described = json!({
        "operationId": meta.id,
        "summary": summary.replace('\n', " ").trim_end_matches('.'),
        "tags": [tag(meta.path)],
        "parameters": parameters(declared),
        "responses": responses(declared),
    });
    if !description.is_empty() {
        described["description"] = description.into();
    }
    if meta.body == Body::Fields {
        let (schema, required) = body(declared);
        described["requestBody"] =
            json!({ "required": required, "content": { "application/json": { "schema": schema } } });
    }
    described
}

/// The first word of the path under `/_sim`.
fn tag(path: &str) -> &str {
    path.split('/').nth(2).and_then(|word| word.split('.').next()).unwrap_or("control")
}

fn parameters(declared: &Declared) -> Vec<Value> {
    let meta = &declared.entry.meta;
    let path = meta.path_names().map(|name| (name, "path"));
    let all = path.chain(meta.query.iter().map(|name| (*name, "query")));
    all.map(|(name, place)| {
        let mut schema = declared.input["properties"][name].clone();
        let text = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        json!({
            "name": name,
            "in": place,
            "required": place == "path",
            "description": text.unwrap_or_default(),
            "schema": schema,
        })
    })
    .collect()
}

/// The schema of the body, and whether a body is required.
fn body(declared: &Declared) -> (Value, bool) {
    let mut schema = declared.input.clone();
    for key in ["description", "title"] {
        schema.as_object_mut().map(|schema| schema.remove(key));
    }
    let has_required = schema["required"].as_array().is_some_and(|names| !names.is_empty());
    let required = has_required || schema["minProperties"].as_u64().is_some_and(|least| least > 0);
    (schema, required)
}

fn responses(declared: &Declared) -> Value {
    let meta = &declared.entry.meta;
    let success = json!({
        "description": "Done",
        "content": { meta.produces[0]: { "schema": declared.output } },
    });
    let refused = json!({
        "description": "Refused",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
    });
    // Any call may name an unknown world.
    let mut statuses = vec![404];
    statuses.extend(meta.also);
    if meta.body != Body::None {
        statuses.extend([400, 413]);
    }
    if !meta.query.is_empty() || meta.path.contains('{') {
        statuses.push(400);
    }
    statuses.sort_unstable();
    let refusals = statuses.into_iter().map(|status| (status.to_string(), refused.clone()));
    Value::Object(std::iter::once((meta.status.to_string(), success)).chain(refusals).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve() {
        let document = merged(sim_core::Simulator::builder().build().control_openapi());
        let text = document.to_string();
        for reference in text.split(r##""$ref":"#"##).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(document.pointer(reference).is_some(), "{reference}");
        }
    }

    #[test]
    fn both_parts_are_described() {
        let document = merged(sim_core::Simulator::builder().build().control_openapi());
        assert_eq!(document["paths"]["/_sim/users"]["post"]["operationId"], "sim-create-user");
        let advance = &document["paths"]["/_sim/clock/advance"]["post"];
        assert_eq!(advance["operationId"], "sim-advance-clock");
        assert_eq!(advance["requestBody"]["required"], true);
        assert_eq!(document["paths"]["/_sim/journal"]["get"]["parameters"][0]["name"], "from");
    }
}
