//! Alters answers on their way to the client: the effect `alter`, and what a `status` adds to a refusal.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde_json::Value;
use sim_base::error::Error;

use super::rule::Effect;

/// The most bytes that a rule may have as JSON.
const RULE_MAX: usize = 64 << 10;

/// Headers that describe how the body travels. The transport sets them itself.
const OF_TRANSPORT: [&str; 3] = ["connection", "content-length", "transfer-encoding"];

/// Refuses alterations that name no place, have no effect, or can't be sent.
pub(super) fn check(effect: &Effect) -> Result<(), Error> {
    let invalid = |field: &str, text: &str| {
        Err(Error::invalid(format!("invalid_body.effect.{field}"), format!("effect.{field}: {text}")))
    };
    let headers = match effect {
        Effect::Status { headers, .. } => headers,
        Effect::Alter { status, set, drop, rename, reorder, headers } => {
            if status.is_some_and(|status| !(200..=299).contains(&status)) {
                return invalid("status", "must be from 200 to 299");
            }
            if status.is_none() && headers.is_empty() && !changes_body(effect) {
                return invalid(
                    "set",
                    "Required, or one of drop, rename, reorder, status, headers: the rule alters nothing",
                );
            }
            let places = [
                ("set", set.keys().collect::<Vec<_>>()),
                ("drop", drop.iter().collect()),
                ("rename", rename.keys().collect()),
                ("reorder", reorder.iter().collect()),
            ];
            for (field, places) in places {
                // An empty pointer is the whole answer, which can only be set and reordered.
                let is_whole = |place: &str| ["set", "reorder"].contains(&field) && place.is_empty();
                let is_good = |place: &str| place.starts_with('/') || is_whole(place);
                if let Some(wrong) = places.into_iter().find(|place| !is_good(place.as_str())) {
                    return invalid(
                        field,
                        &format!("{wrong:?} is no JSON pointer, as in /items/0/id or /*/id"),
                    );
                }
            }
            if let Some(wrong) = rename.values().find(|name| name.starts_with('/')) {
                return invalid(
                    "rename",
                    &format!("{wrong:?} must be the new name alone, without its place"),
                );
            }
            let has_no_body = status.is_some_and(|status| [204, 205].contains(&status));
            if has_no_body && changes_body(effect) {
                return invalid("status", "an answer with this status has no body that could be altered");
            }
            headers
        }
        _ => return Ok(()),
    };
    for (name, value) in headers {
        let is_free = !OF_TRANSPORT.iter().any(|one| name.eq_ignore_ascii_case(one));
        if !is_free || HeaderName::try_from(name).is_err() || HeaderValue::try_from(value).is_err() {
            return invalid("headers", &format!("{name:?} can't be sent with the value {value:?}"));
        }
    }
    if serde_json::to_vec(effect).is_ok_and(|text| text.len() > RULE_MAX) {
        return invalid("kind", &format!("the rule must have at most {RULE_MAX} bytes"));
    }
    Ok(())
}

/// Whether an alteration changes bodies.
pub(super) fn changes_body(effect: &Effect) -> bool {
    let Effect::Alter { set, drop, rename, reorder, .. } = effect else { return false };
    !(set.is_empty() && drop.is_empty() && rename.is_empty() && reorder.is_empty())
}

/// Names places that an alteration did not find.
const MISSED: HeaderName = HeaderName::from_static("x-sim-missed");

/// Alters a response as a client sees it.
pub(in crate::engine) fn alter(effect: &Effect, response: &mut Response<Bytes>) {
    if let Some(altered) = body(effect, response.body()) {
        *response.body_mut() = altered.body;
        if let Ok(missed) = HeaderValue::try_from(altered.missed.join(","))
            && !missed.is_empty()
        {
            response.headers_mut().insert(MISSED, missed);
        }
    }
    match effect {
        Effect::Status { headers, .. } => set_headers(headers, response.headers_mut()),
        Effect::Alter { status, headers, .. } => {
            if let Some(status) = status.filter(|_| response.status().is_success()) {
                *response.status_mut() = StatusCode::from_u16(status).expect("statuses are three digits");
            }
            set_headers(headers, response.headers_mut());
        }
        _ => {}
    }
}

fn set_headers(wanted: &BTreeMap<String, String>, headers: &mut HeaderMap) {
    for (name, value) in wanted {
        let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) else {
            continue;
        };
        if value.is_empty() {
            headers.remove(name);
        } else {
            headers.insert(name, value);
        }
    }
}

/// A body after an alteration.
pub(in crate::engine) struct Altered {
    pub body: Bytes,
    /// The places that it did not have.
    pub missed: Vec<String>,
}

/// The altered body; `None` if the effect alters no bodies, or this one is not JSON.
pub(in crate::engine) fn body(effect: &Effect, body: &[u8]) -> Option<Altered> {
    let read = || serde_json::from_slice::<Value>(body).ok();
    let mut missed = Vec::new();
    let mut find = |value: &Value, place: &String, adds: bool| {
        if !has(value, &parts(place), adds) {
            missed.push(place.clone());
        }
    };
    let altered = match effect {
        Effect::Status { members, .. } if !members.is_empty() => {
            let mut value = read()?;
            value.as_object_mut()?.extend(members.clone());
            value
        }
        Effect::Alter { set, drop, rename, reorder, .. } if changes_body(effect) => {
            let mut value = read()?;
            for (place, name) in rename {
                find(&value, place, false);
                at(&mut value, &parts(place), &mut |parent, key| rename_member(parent, key, name));
            }
            for place in drop {
                find(&value, place, false);
                at(&mut value, &parts(place), &mut remove);
            }
            for (place, new) in set {
                find(&value, place, true);
                match parts(place).as_slice() {
                    [] => value = new.clone(),
                    parts => at(&mut value, parts, &mut |parent, key| put(parent, key, new)),
                }
            }
            for place in reorder {
                find(&value, place, false);
                match parts(place).as_slice() {
                    [] => reverse(&mut value),
                    parts => at(&mut value, parts, &mut |parent, key| each(parent, key, &mut reverse)),
                }
            }
            value
        }
        _ => return None,
    };
    Some(Altered { body: serde_json::to_vec(&altered).ok()?.into(), missed })
}

/// Whether the value has the place. `adds`: or something to which a member of that name can be added.
fn has(value: &Value, parts: &[String], adds: bool) -> bool {
    let [first, rest @ ..] = parts else { return true };
    let can_be_added = || adds && rest.is_empty();
    match value {
        Value::Array(items) if first == "*" => items.iter().any(|item| has(item, rest, adds)),
        Value::Object(members) if first == "*" => members.values().any(|one| has(one, rest, adds)),
        Value::Array(items) => {
            let item = first.parse::<usize>().ok().and_then(|index| items.get(index));
            (first == "-" && can_be_added()) || item.is_some_and(|item| has(item, rest, adds))
        }
        Value::Object(members) => {
            members.get(first).map_or_else(can_be_added, |member| has(member, rest, adds))
        }
        _ => false,
    }
}

/// The parts of a JSON pointer.
fn parts(place: &str) -> Vec<String> {
    place.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

/// Calls `f` with each list or object that has the place, and with the last part of the pointer.
fn at(value: &mut Value, parts: &[String], f: &mut dyn FnMut(&mut Value, &str)) {
    let [first, rest @ ..] = parts else { return };
    if rest.is_empty() {
        return f(value, first);
    }
    match value {
        Value::Array(items) if first == "*" => items.iter_mut().for_each(|item| at(item, rest, f)),
        Value::Object(members) if first == "*" => members.values_mut().for_each(|one| at(one, rest, f)),
        Value::Array(items) => {
            if let Some(item) = first.parse::<usize>().ok().and_then(|index| items.get_mut(index)) {
                at(item, rest, f);
            }
        }
        Value::Object(members) => {
            if let Some(member) = members.get_mut(first) {
                at(member, rest, f);
            }
        }
        _ => {}
    }
}

fn put(parent: &mut Value, key: &str, new: &Value) {
    match parent {
        Value::Array(items) if key == "*" => items.fill(new.clone()),
        Value::Object(members) if key == "*" => members.values_mut().for_each(|one| *one = new.clone()),
        Value::Array(items) if key == "-" => items.push(new.clone()),
        Value::Array(items) => {
            if let Some(item) = key.parse::<usize>().ok().and_then(|index| items.get_mut(index)) {
                *item = new.clone();
            }
        }
        Value::Object(members) => drop(members.insert(key.to_owned(), new.clone())),
        _ => {}
    }
}

fn remove(parent: &mut Value, key: &str) {
    match parent {
        Value::Array(items) if key == "*" => items.clear(),
        Value::Object(members) if key == "*" => members.clear(),
        Value::Array(items) => {
            if let Some(index) = key.parse::<usize>().ok().filter(|index| *index < items.len()) {
                items.remove(index);
            }
        }
        Value::Object(members) => drop(members.shift_remove(key)),
        _ => {}
    }
}

/// Calls `f` with the element or member of that name, or with all.
fn each(parent: &mut Value, key: &str, f: &mut dyn FnMut(&mut Value)) {
    match parent {
        Value::Array(items) if key == "*" => items.iter_mut().for_each(f),
        Value::Object(members) if key == "*" => members.values_mut().for_each(f),
        Value::Array(items) => {
            key.parse::<usize>().ok().and_then(|index| items.get_mut(index)).into_iter().for_each(f);
        }
        Value::Object(members) => members.get_mut(key).into_iter().for_each(f),
        _ => {}
    }
}

/// Reverses the elements of a list or the members of an object.
fn reverse(value: &mut Value) {
    match value {
        Value::Array(items) => items.reverse(),
        Value::Object(members) => *members = std::mem::take(members).into_iter().rev().collect(),
        _ => {}
    }
}

/// Renames a member in its place.
fn rename_member(parent: &mut Value, key: &str, name: &str) {
    if let Value::Object(members) = parent {
        let all = std::mem::take(members).into_iter();
        *members = all
            .map(|(old, value)| if old == key { (name.to_owned(), value) } else { (old, value) })
            .collect();
    }
}
