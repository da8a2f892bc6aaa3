//! Parts of an OpenAPI document: the operations with one tag.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use sim_base::error::Error;
use sim_base::near;

/// Keeps the operations with the tag `tag` and the schemas that they use. If no tag is equal, upper and lower case are the
/// same.
///
/// # Errors
///
/// If no operation has the tag.
///
/// ```
/// use sim_core::Simulator;
/// use sim_core::engine::only_tag;
///
/// let mut document = Simulator::builder().build().openapi();
/// only_tag(&mut document, "secrets")?;
/// assert!(document["paths"]["/v1/projects/{ref}/secrets"].is_object());
/// assert!(document["paths"]["/v1/projects"].is_null());
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn only_tag(document: &mut Value, tag: &str) -> Result<(), Error> {
    let is_wanted = named(document, tag)?;
    let Some(paths) = document["paths"].as_object_mut() else { return Ok(()) };
    paths.retain(|_, methods| {
        let Some(methods) = methods.as_object_mut() else { return false };
        // Parameters of the whole path are not an operation.
        methods.retain(|name, one| name == "parameters" || tags(one).any(|one| is_wanted.contains(one)));
        methods.values().any(|one| one.get("operationId").is_some())
    });
    let mut used = BTreeSet::new();
    collect(&document["paths"], document, &mut used);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
    Ok(())
}

/// The tags of the document that `tag` means.
fn named(document: &Value, tag: &str) -> Result<BTreeSet<String>, Error> {
    let methods =
        document["paths"].as_object().into_iter().flat_map(Map::values).filter_map(Value::as_object);
    let known: BTreeSet<&str> = methods.flat_map(Map::values).flat_map(tags).collect();
    if known.contains(tag) {
        return Ok(BTreeSet::from([tag.to_owned()]));
    }
    let same = known.iter().filter(|one| one.eq_ignore_ascii_case(tag));
    let same: BTreeSet<String> = same.map(|one| (*one).to_owned()).collect();
    if !same.is_empty() {
        return Ok(same);
    }
    let question = near::question(tag, known.iter().copied());
    let names = known.into_iter().collect::<Vec<_>>().join(", ");
    Err(Error::invalid("invalid_query.tag", format!("tag: {tag:?} is none of {names}{question}")))
}

fn tags(operation: &Value) -> impl Iterator<Item = &str> {
    operation.get("tags").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Collects the names of the schemas that a value refers to, directly or through others.
fn collect(value: &Value, document: &Value, used: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|one| collect(one, document, used)),
        Value::Object(object) => {
            let name = object.get("$ref").and_then(Value::as_str).and_then(|at| at.strip_prefix(SCHEMAS));
            if let Some(name) = name
                && used.insert(name.to_owned())
            {
                collect(&document["components"]["schemas"][name], document, used);
            }
            object.values().for_each(|one| collect(one, document, used));
        }
        _ => {}
    }
}

/// The place of named schemas in a document.
const SCHEMAS: &str = "#/components/schemas/";
