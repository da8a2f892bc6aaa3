//! The shape of a value as an edition file writes it, beside the JSON schema of a world's document.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Who sends the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Query,
    Request,
    Answer,
}

/// Reports each difference of `ours` from `theirs` at `path`: what a client of the edition would send
/// without effect, miss or fail to read.
pub(super) fn compare(
    document: &Value,
    side: Side,
    path: &str,
    theirs: &Value,
    ours: &Value,
    add: &mut dyn FnMut(String),
) {
    // Any JSON value may be anything here, too.
    if theirs.is_null() || (theirs["t"] == "json" && !ours.is_null()) {
        return;
    }
    if side == Side::Answer && theirs["t"] == "enum" {
        openness(document, path, theirs, ours, add);
    }
    let (ours, null) = resolve(document, ours);
    if side == Side::Answer && null && theirs["nullable"] != true {
        add(format!("{path}: may be null here"));
    }
    if side == Side::Request && !null && theirs["nullable"] == true {
        add(format!("{path}: null is refused here"));
    }
    if ours.is_null() {
        add(format!("{path}: missing"));
        return;
    }
    match theirs["t"].as_str().unwrap_or_default() {
        "object" => object(document, side, path, theirs, ours, add),
        "array" => match kind(ours) {
            "array" => compare(document, side, &format!("{path}[]"), &theirs["i"], &ours["items"], add),
            _ => add(format!("{path}: is a list there, {} here", kind(ours))),
        },
        "enum" => members(side, path, theirs, ours, add),
        "union" => union(document, side, path, theirs, ours, add),
        "integer" | "number" => {
            let is = kind(ours);
            let fits = is == theirs["t"].as_str().unwrap_or_default()
                || is == "any"
                || side == Side::Query
                || (side == Side::Answer && is == "integer")
                || (side == Side::Request && is == "number");
            if !fits {
                add(format!("{path}: is {} there, {is} here", theirs["t"].as_str().unwrap_or_default()));
            } else if side == Side::Request {
                bounds(path, theirs, ours, add);
            }
        }
        "string" if side != Side::Query => match kind(ours) {
            "string" | "any" => {}
            "enum" if side == Side::Answer => {}
            is => add(format!("{path}: is string there, {is} here")),
        },
        "boolean" if side != Side::Query && !["boolean", "any"].contains(&kind(ours)) => {
            add(format!("{path}: is boolean there, {} here", kind(ours)));
        }
        _ => {}
    }
}

fn object(
    document: &Value,
    side: Side,
    path: &str,
    theirs: &Value,
    ours: &Value,
    add: &mut dyn FnMut(String),
) {
    if kind(ours) == "any" {
        return;
    }
    let (ours, variants) = (ours, alternatives(ours));
    let find = |name: &str| {
        let own = &ours["properties"][name];
        let others = variants.iter().map(|one| &resolve(document, one).0["properties"][name]);
        std::iter::once(own).chain(others).find(|field| !field.is_null())
    };
    for (name, field) in theirs["f"].as_object().into_iter().flatten() {
        let below = format!("{path}.{name}");
        let Some(own) = find(name) else {
            let must = side == Side::Answer && field["opt"] != true;
            add(format!("{below}: missing{}", if must { ", and required there" } else { "" }));
            continue;
        };
        let is_required = required(ours).contains(name.as_str());
        if side == Side::Answer && field["opt"] != true && !is_required && variants.is_empty() {
            add(format!("{below}: required there"));
        }
        if side == Side::Request && field["opt"] == true && is_required {
            add(format!("{below}: required here"));
        }
        if side == Side::Request && field["opt"] != true && !is_required && variants.is_empty() {
            add(format!("{below}: required there"));
        }
        match tags(document, name, &variants) {
            tags if tags.len() > 1 => compare(document, side, &below, field, &json!({ "enum": tags }), add),
            _ => compare(document, side, &below, field, own, add),
        }
    }
}

/// The texts in field `name` that distinguish the alternatives.
fn tags<'v>(document: &'v Value, name: &str, variants: &[&'v Value]) -> BTreeSet<&'v str> {
    let tag = |one: &&'v Value| resolve(document, one).0["properties"][name]["const"].as_str();
    variants.iter().filter_map(tag).collect()
}

/// Reports whether a client must expect members that one side does not list, and the other side lists all.
fn openness(document: &Value, path: &str, theirs: &Value, ours: &Value, add: &mut dyn FnMut(String)) {
    match (theirs["open"] == true, is_open(document, ours)) {
        (true, false) => add(format!("{path}: is open there, closed here")),
        (false, true) => add(format!("{path}: is closed there, open here")),
        _ => {}
    }
}

/// Whether a schema is that of an open enum, or of any text.
fn is_open(document: &Value, schema: &Value) -> bool {
    let schema = match schema["$ref"].as_str().and_then(|at| at.rsplit('/').next()) {
        Some(name) => &document["components"]["schemas"][name],
        None => schema,
    };
    match schema["anyOf"].as_array() {
        Some(all) => all.iter().any(|one| is_open(document, one)),
        None => kind(schema) == "string",
    }
}

fn members(side: Side, path: &str, theirs: &Value, ours: &Value, add: &mut dyn FnMut(String)) {
    let there = texts(&theirs["e"]);
    let here = match ours["enum"].is_array() {
        true => texts(&ours["enum"]),
        false if ours["const"].is_string() => ours["const"].as_str().into_iter().collect(),
        false if kind(ours) == "string" => {
            if side == Side::Request || theirs["open"] != true {
                add(format!("{path}: is an enum there, text here"));
            }
            return;
        }
        false => {
            add(format!("{path}: is an enum there, {} here", kind(ours)));
            return;
        }
    };
    let line = |names: Vec<&&str>| names.into_iter().copied().collect::<Vec<_>>().join(", ");
    let missing = line(there.difference(&here).collect());
    let extra = line(here.difference(&there).collect());
    if side != Side::Answer && !missing.is_empty() {
        add(format!("{path}: refuses {missing}"));
    }
    if side != Side::Answer && !extra.is_empty() {
        add(format!("{path}: accepts {extra}"));
    }
    if side == Side::Answer && !extra.is_empty() && theirs["open"] != true {
        add(format!("{path}: can be {extra}"));
    }
    if side == Side::Answer && !missing.is_empty() {
        add(format!("{path}: is never {missing}"));
    }
}

/// A union is compared where alternatives are objects: as one object that has the fields of all of them.
fn union(
    document: &Value,
    side: Side,
    path: &str,
    theirs: &Value,
    ours: &Value,
    add: &mut dyn FnMut(String),
) {
    let all = theirs["u"].as_array().into_iter().flatten();
    let objects: Vec<&Value> = all.filter(|one| one["t"] == "object").collect();
    if !objects.is_empty() {
        object(document, side, path, &merged(&objects), ours, add);
    }
}

/// One object with the fields of all. A field that only some of them have, or that is optional in one, is optional; an
/// enum has the members of all.
fn merged(objects: &[&Value]) -> Value {
    let mut fields = serde_json::Map::new();
    for (name, field) in objects.iter().filter_map(|one| one["f"].as_object()).flatten() {
        let same: Vec<&Value> =
            objects.iter().map(|one| &one["f"][name]).filter(|one| !one.is_null()).collect();
        let mut field = field.clone();
        if same.len() < objects.len() || same.iter().any(|one| one["opt"] == true) {
            field["opt"] = true.into();
        }
        if same.iter().any(|one| one["nullable"] == true || one["t"] == "null") {
            field["nullable"] = true.into();
        }
        if same.iter().all(|one| one["t"] == "enum") {
            let members: BTreeSet<&str> = same.iter().flat_map(|one| texts(&one["e"])).collect();
            field["e"] = members.into_iter().collect();
        }
        fields.entry(name.clone()).or_insert(field);
    }
    json!({ "t": "object", "f": fields })
}

fn bounds(path: &str, theirs: &Value, ours: &Value, add: &mut dyn FnMut(String)) {
    // Of an integer, "greater than 0" is "at least 1".
    let least = theirs["ge"].as_f64().or(theirs["gt"].as_f64().map(|bound| bound + 1.0));
    for (bound, here) in [(least, "minimum"), (theirs["le"].as_f64(), "maximum")] {
        let own = ours[here].as_f64();
        // The bounds of 32-bit and 64-bit types are no limits for clients.
        let wide = |bound: Option<f64>| bound.is_none_or(|bound| bound.abs() >= f64::from(i32::MAX));
        if bound != own && !(wide(bound) && wide(own)) {
            let text = |bound: Option<f64>| bound.map_or("none".to_owned(), |bound| bound.to_string());
            add(format!("{path}: {here} is {} there, {} here", text(bound), text(own)));
        }
    }
}

/// What the document says of the further members of an open enum.
const LATER: &str = "A value of a later edition.";

/// The schema behind references, without `null` and without the further members of an open enum; and whether `null` is allowed.
pub(super) fn resolve<'v>(document: &'v Value, mut schema: &'v Value) -> (&'v Value, bool) {
    let mut null = false;
    loop {
        null |= texts(&schema["type"]).contains("null");
        if let Some(name) = schema["$ref"].as_str().and_then(|at| at.rsplit('/').next()) {
            schema = &document["components"]["schemas"][name];
            continue;
        }
        let Some(alternatives) = schema["anyOf"].as_array() else { return (schema, null) };
        null |= alternatives.iter().any(|one| one["type"] == "null");
        let is_listed = |one: &&Value| one["type"] != "null" && one["description"] != LATER;
        let real: Vec<&Value> = alternatives.iter().filter(is_listed).collect();
        match real[..] {
            [only] => schema = only,
            _ => return (schema, null),
        }
    }
}

pub(super) fn alternatives(schema: &Value) -> Vec<&Value> {
    ["anyOf", "oneOf"].iter().filter_map(|key| schema[*key].as_array()).flatten().collect()
}

fn required(schema: &Value) -> BTreeSet<&str> {
    texts(&schema["required"])
}

fn texts(list: &Value) -> BTreeSet<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The type in a word: `enum`, `any` and `union` besides those of JSON.
fn kind(schema: &Value) -> &str {
    if schema["enum"].is_array() || schema["const"].is_string() {
        return "enum";
    }
    if !alternatives(schema).is_empty() {
        return "union";
    }
    match &schema["type"] {
        Value::String(name) => name,
        Value::Array(_) => texts(&schema["type"]).into_iter().find(|name| *name != "null").unwrap_or("any"),
        _ => "any",
    }
}
