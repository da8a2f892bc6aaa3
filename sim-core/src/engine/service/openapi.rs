//! The OpenAPI 3.1 document, generated from the list of operations.

use std::collections::BTreeMap;
use std::mem;

use serde_json::{Map, Value, json};
use sim_base::manner::Manner;
use sim_base::operation::{Access, Body, Meta, Service};
use sim_base::{Edition, Error};

use crate::engine::service::contract::{Contract, Published};
use crate::engine::service::example::add_examples;
use crate::engine::service::registry::Registry;
use crate::engine::service::setup::Setup;

/// Generates the document of the world's edition in the profile's spelling: either of the control operations or of
/// all others.
pub(crate) fn document(registry: &Registry, access: Access, setup: &Setup) -> Value {
    let contract = registry.contract(setup.policy.edition);
    let operations = contract.published().filter(|one| published_with(one.meta, access));
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for operation in operations {
        let meta = operation.meta;
        let method = meta.method.as_str().to_lowercase();
        let described = describe(registry.service, operation, setup.policy.edition);
        let methods = paths.entry(meta.path).or_default();
        if let Some(id) = meta.head {
            methods.insert("head".to_owned(), bare(&described, &meta.id_in(id, setup.policy.edition)));
        }
        methods.insert(method, described);
    }
    let mut schemas = used_schemas(contract, &paths);
    for manner in contract.published().filter(|one| published_with(one.meta, access)).map(|one| one.manner) {
        schemas.entry(manner.error_name).or_insert_with(manner.error_schema);
    }
    let mut components = json!({ "schemas": schemas, "headers": { "Reason": reason_header() } });
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": registry.service.title, "version": env!("CARGO_PKG_VERSION") },
        "servers": [{ "url": "/" }],
        "paths": paths,
    });
    if access != Access::Control {
        let ways = security(registry.service.manner);
        document["security"] = ways.keys().map(|way| json!({ way: [] })).collect();
        components["securitySchemes"] = ways.into();
    }
    document["components"] = components;
    if !setup.names.is_empty() {
        setup.names.spell_schema(&mut document);
        if let Some(Value::Object(paths)) = document.get_mut("paths") {
            *paths =
                mem::take(paths).into_iter().map(|(path, one)| (setup.names.wire_path(&path), one)).collect();
        }
    }
    add_examples(&mut document);
    document
}

/// The security schemes: the ways to send a token.
fn security(manner: &Manner) -> Map<String, Value> {
    let mut ways = Map::new();
    ways.insert("bearer".to_owned(), json!({ "type": "http", "scheme": "bearer" }));
    for (way, place, name) in
        [("key_header", "header", manner.token_header), ("key_query", "query", manner.token_query)]
    {
        if let Some(name) = name {
            ways.insert(way.to_owned(), json!({ "type": "apiKey", "in": place, "name": name }));
        }
    }
    ways
}

/// Whether the document for access `wanted` lists the operation.
fn published_with(one: &Meta, wanted: Access) -> bool {
    !one.unlisted && (one.access == Access::Control) == (wanted == Access::Control)
}

/// The same operation under `id`, answering headers only.
fn bare(described: &Value, id: &str) -> Value {
    let mut bare = described.clone();
    bare["operationId"] = id.into();
    let responses = bare["responses"].as_object_mut().into_iter().flatten();
    for response in responses.filter_map(|(_, response)| response.as_object_mut()) {
        response.shift_remove("content");
    }
    bare
}

fn describe(service: &Service, operation: Published<'_>, edition: Edition) -> Value {
    let meta = operation.meta;
    let text = operation.input["description"].as_str().unwrap_or_default();
    let (summary, description) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut described = json!({
        "operationId": meta.id_in(meta.id, edition),
        "summary": summary.replace('\n', " ").trim_end_matches('.'),
        "tags": [tag(service, meta)],
    });
    if !description.is_empty() {
        described["description"] = description.into();
    }
    let parameters = parameters(operation);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if let Some(body) = request_body(operation) {
        described["requestBody"] = body;
    }
    described["responses"] = responses(operation);
    if meta.access == Access::Public {
        described["security"] = json!([]);
    }
    if meta.access == Access::Optional {
        // An empty requirement makes all of them optional.
        described["security"] = json!([{}, { "bearer": [] }]);
    }
    if meta.deprecated {
        described["deprecated"] = true.into();
    }
    if meta.beta {
        described["x-beta"] = true.into();
    }
    if meta.since > Edition::FIRST {
        described["x-since"] = meta.since.as_str().into();
    }
    if let Some(scope) = meta.scope {
        described["x-oauth-scope"] = scope.0.into();
    }
    described
}

/// The service's tag; without one, the first fixed word of the path other than its version and `api`.
fn tag(service: &Service, meta: &Meta) -> &'static str {
    let mut tags = service.tags.iter().filter(|_| meta.access != Access::Control);
    if let Some((_, tag)) = tags.find(|(part, _)| meta.path.contains(*part)) {
        return tag;
    }
    let mut words = meta.path.split('/').filter(|word| !word.is_empty() && !word.starts_with(['{', '_']));
    words.find(|word| !["v1", "v2", "api"].contains(word)).unwrap_or("control")
}

fn parameters(operation: Published<'_>) -> Vec<Value> {
    let meta = operation.meta;
    let is_there = |(name, _): &(&str, &str)| operation.input["properties"].get(name).is_some();
    let path = meta.path_names().map(|name| (name, "path"));
    let query = meta.query.iter().copied().chain(meta.rest).map(|name| (name, "query"));
    path.chain(query)
        .filter(is_there)
        .map(|(name, place)| {
            let mut schema = operation.input["properties"][name].clone();
            let text = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
            // `x-hidden` hides the field from the body's schema. As a parameter it is published.
            schema.as_object_mut().map(|schema| schema.shift_remove("x-hidden"));
            let mut parameter = json!({
                "name": name,
                "in": place,
                // A query parameter that the body may carry instead is not required.
                "required": place == "path" || (!meta.query_is_body_too() && is_required(operation, name)),
                "schema": schema,
            });
            if let Some(text) = text {
                parameter["description"] = text;
            }
            if meta.rest == Some(name) {
                parameter["style"] = "form".into();
                parameter["explode"] = true.into();
                parameter["required"] = false.into();
            }
            if schema_is_array(&parameter["schema"]) {
                parameter["explode"] = false.into();
            }
            parameter
        })
        .collect()
}

fn schema_is_array(schema: &Value) -> bool {
    schema["type"] == "array"
}

fn is_required(operation: Published<'_>, name: &str) -> bool {
    operation.input["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

fn request_body(operation: Published<'_>) -> Option<Value> {
    let meta = operation.meta;
    if let Body::Field(name) = meta.body {
        let schema = &operation.input["properties"][name];
        return Some(json!({ "required": true, "content": { "application/json": { "schema": schema } } }));
    }
    let mut schema = body_fields(operation)?;
    if let Body::Multipart(files) = meta.body {
        // On the wire a file is a part. Only the input object has its name and content as fields.
        schema["properties"][files]["items"] = binary();
    }
    let required = schema["required"].as_array().is_some_and(|all| !all.is_empty());
    let content = match meta.body {
        Body::None | Body::Field(_) => return None,
        Body::Raw(_) => json!({ "application/json": {}, "application/x-ndjson": binary() }),
        Body::Fields => json!({ "application/json": { "schema": schema } }),
        Body::FieldsOrList(name) => {
            let list = &operation.input["properties"][name];
            let either = json!({ "oneOf": [list["items"], list] });
            return Some(
                json!({ "required": true, "content": { "application/json": { "schema": either } } }),
            );
        }
        Body::Form => json!({ "application/x-www-form-urlencoded": { "schema": schema } }),
        Body::Multipart(_) => json!({ "multipart/form-data": { "schema": schema } }),
        Body::FieldsOrBytes(_) => json!({
            "application/json": { "schema": schema },
            "application/octet-stream": { "schema": binary() },
        }),
    };
    Some(json!({ "required": required, "content": content }))
}

/// The schema of the fields sent in the body. `None` if there are none.
fn body_fields(operation: Published<'_>) -> Option<Value> {
    let meta = operation.meta;
    let mut schema = operation.input.clone();
    let elsewhere = meta.path_names().chain(meta.headers.iter().copied());
    elsewhere.for_each(|name| remove_field(&mut schema, name));
    if !meta.query_is_body_too() {
        meta.query.iter().for_each(|name| remove_field(&mut schema, name));
    }
    hidden_fields(&schema).iter().for_each(|name| remove_field(&mut schema, name));
    show_aliases(&mut schema);
    for key in ["description", "title"] {
        schema.as_object_mut()?.shift_remove(key);
    }
    schema["properties"].as_object().is_some_and(|fields| !fields.is_empty()).then_some(schema)
}

/// Fields that are accepted in the body but not published there.
fn hidden_fields(schema: &Value) -> Vec<String> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields.filter(|(_, field)| field.get("x-hidden").is_some()).map(|(name, _)| name.clone()).collect()
}

fn remove_field(schema: &mut Value, name: &str) {
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.shift_remove(name);
    }
    let Some(Value::Array(required)) = schema.get_mut("required") else { return };
    required.retain(|one| one != name);
    if required.is_empty() {
        schema.as_object_mut().map(|schema| schema.shift_remove("required"));
    }
}

/// Publishes fields with an alias under both names, the own one as deprecated, unless the edition hides the alias.
fn show_aliases(schema: &mut Value) {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let aliases =
        fields.filter_map(|(name, field)| Some((name.clone(), field["x-alias"].as_str()?.to_owned())));
    for (name, alias) in aliases.collect::<Vec<_>>() {
        let Some(own) = schema["properties"][&name].as_object_mut() else { continue };
        own.shift_remove("x-alias");
        let (text, hidden) = (own.shift_remove("x-alias-description"), own.shift_remove("x-alias-hidden"));
        if hidden.is_some() {
            continue;
        }
        let mut other = own.clone();
        other.extend(text.map(|text| ("description".to_owned(), text)));
        own.insert("deprecated".to_owned(), true.into());
        schema["properties"][&alias] = other.into();
        let required = schema.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten();
        required.filter(|one| **one == *name).for_each(|one| *one = alias.clone().into());
    }
}

fn responses(operation: Published<'_>) -> Value {
    let meta = operation.meta;
    let describe = |status: u16| {
        let mut response = json!({ "description": reason_phrase(status) });
        if status == meta.status {
            if (300..400).contains(&status) {
                let location = json!({ "description": "Where to go on.", "schema": { "type": "string" } });
                response["headers"] = json!({ "Location": location });
            } else if status != 204 {
                response["content"] = meta.produces.iter().map(|name| content(operation, name)).collect();
            }
        } else {
            let error = json!({ "$ref": format!("#/components/schemas/{}", operation.manner.error_name) });
            let bare = || json!({ "type": "string", "description": "The message alone." });
            let schema =
                if meta.bare.contains(&status) { json!({ "anyOf": [error, bare()] }) } else { error };
            response["content"] = json!({ "application/json": { "schema": schema } });
            response["headers"] = json!({ "x-sim-reason": { "$ref": "#/components/headers/Reason" } });
        }
        (status.to_string(), response)
    };
    Value::Object(meta.statuses().into_iter().map(describe).collect())
}

/// The header with the stable word for a refusal. Those of wrong fields have the field at their end.
fn reason_header() -> Value {
    let words = Error::reasons().collect::<Vec<_>>();
    let with_field = json!({ "type": "string", "pattern": "^invalid_[a-z]+[.]" });
    json!({
        "description": "Why the call was refused. docs/reasons.md has each word with its messages.",
        "schema": { "anyOf": [{ "type": "string", "enum": words }, with_field] },
    })
}

/// The schema of a success with content type `name`. Anything but JSON is bytes.
fn content(operation: Published<'_>, name: &str) -> (String, Value) {
    let schema = match name {
        "application/json" => operation.output.clone(),
        _ => binary(),
    };
    (name.to_owned(), json!({ "schema": schema }))
}

fn binary() -> Value {
    json!({ "type": "string", "format": "binary" })
}

fn reason_phrase(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Refused")
}

/// The named schemas that the paths refer to, directly or through others.
fn used_schemas(contract: &Contract, paths: &BTreeMap<&str, Map<String, Value>>) -> Map<String, Value> {
    let mut used = BTreeMap::new();
    for path in paths.values().flat_map(|methods| methods.values()) {
        collect(path, contract, &mut used);
    }
    used.into_iter().collect()
}

fn collect(value: &Value, contract: &Contract, used: &mut BTreeMap<String, Value>) {
    match value {
        Value::Array(list) => list.iter().for_each(|one| collect(one, contract, used)),
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str).and_then(|at| at.rsplit('/').next());
            if let Some((name, schema)) =
                name.and_then(|name| Some((name, contract.definitions().get(name)?)))
                && !used.contains_key(name)
            {
                used.insert(name.to_owned(), schema.clone());
                collect(schema, contract, used);
            }
            object.values().for_each(|one| collect(one, contract, used));
        }
        _ => {}
    }
}
