//! Parts of a request that the operation does not know, or that are declared to have no effect. The caller is told.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value};
use sim_base::error::Error;
use sim_base::near;
use sim_base::operation::{Body, Meta};
use sim_base::request::Sent;

use super::contract::Registered;
use super::input;
use super::names::Names;
use super::node::{Node, UNKNOWN_MAX};

/// How many names a refusal lists.
const LISTED: usize = 20;

/// The longest list of names in a header, in bytes.
const LINE_MAX: usize = 2000;

/// The most characters of a name that are shown.
const NAME_MAX: usize = 100;

/// Characters that a header cannot contain, and the separator of names.
const SEPARATORS: &AsciiSet = &CONTROLS.add(b',');

/// Parts of the body that do not belong there: a body where none is read, a field of path or query.
pub(super) fn beside_the_body(meta: &Meta, sent: &Sent<'_>, fields: &Map<String, Value>) -> Vec<String> {
    if meta.body == Body::None {
        // Many clients send an empty object with every request.
        let is_empty = sent.body.is_empty() || &*sent.body == b"{}";
        return if is_empty { Vec::new() } else { vec!["body".to_owned()] };
    }
    let beside = fields.keys().filter(|name| meta.is_beside_the_body(name));
    beside.map(|name| format!("body.{name}")).collect()
}

/// The members of a JSON body that come more than once, below `place`.
pub(super) fn repeated(place: &str, text: &[u8], value: &Value) -> Vec<String> {
    let found = sim_base::json::repeated(text, value);
    found.iter().map(|name| shown(&format!("{place}.{name}"))).collect()
}

/// The fields of a body that come under their neutral name too, beside the profile's name.
pub(super) fn neutral_twins(operation: &Registered, body: &Value, names: &Names) -> Vec<String> {
    let mut found = Vec::new();
    operation.input().neutral_twins(body, names, &mut "body".to_owned(), &mut found);
    found.dedup();
    found.iter().map(|name| shown(name)).collect()
}

/// The query parameters that the operation does not have, and those whose last value alone counts. An operation with a `rest`
/// field has every parameter.
pub(super) fn in_query(operation: &Registered, query: &str, names: &Names) -> Vec<String> {
    let meta = &operation.entry.meta;
    if query.is_empty() {
        return Vec::new();
    }
    let is_known = |name: &str| {
        let name = input::neutral(input::list_name(name), names);
        meta.rest.is_some()
            || (meta.query.contains(&name) && operation.input().field(name).is_some())
            || operation.manner.token_query == Some(name)
    };
    let is_list = |name: &str| {
        operation.input().field(input::neutral(input::list_name(name), names)).is_some_and(Node::is_list)
    };
    let mut seen = BTreeSet::new();
    let mut is_last_alone = |name: &str| {
        let is_first = seen.insert(input::neutral(name, names).to_owned());
        !is_first && operation.manner.repeats && !is_list(name)
    };
    let given = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    let unknown: BTreeSet<_> = given.filter(|name| !is_known(name) || is_last_alone(name)).collect();
    unknown.into_iter().take(UNKNOWN_MAX + 1).map(|name| shown(&format!("query.{name}"))).collect()
}

/// The fields of an input, at any depth, that the schema does not have.
pub(crate) fn in_fields(operation: &Registered, input: &Value) -> Vec<String> {
    let mut found = Vec::new();
    operation.input().unknown(input, &mut "body".to_owned(), &mut found);
    found.iter().map(|name| shown(name)).collect()
}

/// The fields of an input that the schema marks as without effect: `body.plan`, `query.scope`.
pub(crate) fn without_effect(operation: &Registered, target: &str, input: &Value) -> Vec<String> {
    let mut found = Vec::new();
    operation.input().ignored(input, &mut String::new(), &mut found);
    if found.is_empty() {
        return found;
    }
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let meta = &operation.entry.meta;
    let is_in_query = |name: &str| {
        let is_given = || form_urlencoded::parse(query.as_bytes()).any(|(given, _)| given == name);
        meta.query.contains(&name) && (!meta.query_is_body_too() || is_given())
    };
    let part = |name: &str| if is_in_query(name) { "query" } else { "body" };
    found.iter().map(|name| format!("{}.{name}", part(name))).collect()
}

/// Names in one line: `body.a,body.b`. It ends with `+more` if names are left out.
pub(crate) fn listed(names: &[String]) -> String {
    let mut line = String::new();
    for (index, name) in names.iter().enumerate() {
        let is_full = index == UNKNOWN_MAX || line.len() + name.len() > LINE_MAX;
        line.push_str(if line.is_empty() { "" } else { "," });
        if is_full {
            line.push_str("+more");
            break;
        }
        line.push_str(name);
    }
    line
}

/// A name that the client made up, shortened and encoded for a header.
pub(super) fn shown(name: &str) -> String {
    let end = name.char_indices().nth(NAME_MAX).map_or(name.len(), |(end, _)| end);
    utf8_percent_encode(&name[..end], SEPARATORS).to_string()
}

/// Refuses a request with parts that the operation does not know.
pub(super) fn refusal(unknown: &[String], first: &str) -> Error {
    let problems = unknown.iter().take(LISTED).map(|name| format!("{}: Unrecognized key", field_of(name)));
    let text = problems.collect::<Vec<_>>().join(", ");
    Error::invalid(format!("invalid_{first}"), text)
}

/// Refuses a parameter that a control operation does not know.
pub(super) fn refusal_of_parameter(place: &str, known: &[&str]) -> Error {
    let name = field_of(place);
    let question = near::question(name, known.iter().copied());
    let expected = match known {
        [] => "this call takes none".to_owned(),
        _ => format!("expected one of {}", known.join(", ")),
    };
    Error::invalid(format!("invalid_{place}"), format!("{name}: Unrecognized key, {expected}{question}"))
}

/// Refuses a body in which members come more than once.
pub(super) fn refusal_of_repeated(repeated: &[String], first: &str) -> Error {
    let problems =
        repeated.iter().take(LISTED).map(|name| format!("{}: Given more than once", field_of(name)));
    Error::invalid(format!("invalid_{first}"), problems.collect::<Vec<_>>().join(", "))
}

/// The name of a field without its part of the request. A body that is not read has none.
fn field_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, field)| field)
}
