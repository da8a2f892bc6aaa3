//! Finds the earlier call that caused a refusal, where the refusal itself does not know it: the call that made the thing
//! that exists already, or that deleted the thing that is missing.
//!
//! A call made or deleted a thing if it succeeded, belongs to the same project and kind of thing, and names the thing.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use sim_base::error::Fact;

use crate::engine::journal::{Journal, Record};

/// What a refusal says about the thing that its first fact names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It exists already.
    Exists,
    /// It was deleted.
    Deleted,
    /// It is missing.
    Missing,
    /// It has this value.
    Is,
}

impl Gate {
    /// The gate of a refusal with this reason and these facts.
    pub(crate) fn of(reason: &str, facts: &[Fact]) -> Gate {
        let is_missing = reason.ends_with("_not_found") || reason.ends_with("_missing");
        match facts {
            [_, ..] if is_in_the_way(reason) => Gate::Exists,
            [Fact { since_call: Some(_), .. }] if is_missing => Gate::Deleted,
            [_] if is_missing => Gate::Missing,
            _ => Gate::Is,
        }
    }

    /// The sentence about a fact.
    pub(crate) fn sentence(self, Fact { name, value, since_call }: &Fact) -> String {
        let since = since_call.map(|call| format!(" since call {call}")).unwrap_or_default();
        match (self, since_call) {
            (Gate::Exists, _) => format!("{name} {value} exists{since}"),
            (Gate::Deleted, Some(call)) => format!("{name} {value} was deleted by call {call}"),
            (Gate::Deleted | Gate::Missing, _) if value == "null" => format!("{name} is missing"),
            (Gate::Deleted | Gate::Missing, _) => format!("{name} {value} is missing"),
            (Gate::Is, _) => format!("{name} is {value}{since}"),
        }
    }

    /// The end of the line that shows a fact.
    pub(crate) fn words(self, since_call: Option<u64>) -> String {
        match (self, since_call) {
            (Gate::Exists, Some(call)) => format!(", exists since call {call}"),
            (Gate::Exists, None) => ", exists".to_owned(),
            (Gate::Deleted, Some(call)) => format!(", deleted by call {call}"),
            (Gate::Deleted | Gate::Missing, _) => ", missing".to_owned(),
            (Gate::Is, Some(call)) => format!(", since call {call}"),
            (Gate::Is, None) => String::new(),
        }
    }
}

/// The call before `number` that made or deleted the thing that the refusal's first fact names.
pub(crate) fn of(journal: &Journal, number: u64, refused: &Record, reason: &str, fact: &Fact) -> Option<u64> {
    let thing = Thing::of(refused, &fact.value);
    let earlier =
        || journal.numbered(1).take_while(|(at, _)| *at < number).filter(|(_, call)| is_change(call));
    let deletions = earlier().filter(|(_, call)| call.method == "DELETE" && thing.is_deleted_by(call));
    let deleted = deletions.last().map(|(at, _)| at);
    if !is_in_the_way(reason) {
        return deleted;
    }
    let mut after = earlier().filter(|(at, _)| deleted.is_none_or(|deleted| *at > deleted));
    after.find(|(_, call)| call.method != "DELETE" && thing.is_named_by(call)).map(|(at, _)| at)
}

/// Whether the refusal says that a thing exists already.
fn is_in_the_way(reason: &str) -> bool {
    reason.ends_with("_exists") || reason.ends_with("_taken")
}

fn is_change(call: &Record) -> bool {
    call.method != "GET" && call.method != "HEAD" && (200..300).contains(&call.status)
}

/// A thing by its name, the kind of thing, and the project.
struct Thing<'a> {
    name: &'a str,
    quoted: String,
    kind: Option<Cow<'a, str>>,
    project: Option<Cow<'a, str>>,
}

impl<'a> Thing<'a> {
    fn of(refused: &'a Record, name: &'a str) -> Thing<'a> {
        let mut segments = segments(refused);
        let first = segments.next();
        let second = segments.next().filter(|_| first.as_deref() == Some("projects"));
        let kind = segments.next().filter(|_| second.is_some()).or(first);
        let quoted = serde_json::Value::from(name).to_string();
        Thing { name, quoted, kind, project: second }
    }

    fn is_deleted_by(&self, call: &Record) -> bool {
        let is_last = segments(call).last().is_some_and(|segment| segment == self.name);
        let is_listed = self.is_of_its_kind(call) && contains(call.texts.request(), self.quoted.as_bytes());
        (is_last || is_listed) && self.is_in_its_project(call)
    }

    fn is_named_by(&self, call: &Record) -> bool {
        let [request, response] =
            [call.texts.request(), call.texts.response()].map(|body| contains(body, self.quoted.as_bytes()));
        let named = request || response || segments(call).any(|segment| segment == self.name);
        named && self.is_of_its_kind(call) && self.is_in_its_project(call)
    }

    fn is_of_its_kind(&self, call: &Record) -> bool {
        self.kind.as_ref().is_none_or(|kind| segments(call).any(|segment| segment == *kind))
    }

    /// Whether the call is about the same project, if the thing belongs to one. A thing may have the name of the project
    /// that owns it.
    fn is_in_its_project(&self, call: &Record) -> bool {
        let is_its =
            |segment| self.project.as_ref().is_none_or(|project| segment == *project || segment == self.name);
        let mut its = segments(call).skip_while(|segment| segment != "projects").skip(1);
        its.next().is_none_or(is_its)
    }
}

/// The segments of a call's path after the first one: `projects`, and so on.
fn segments(call: &Record) -> impl Iterator<Item = Cow<'_, str>> {
    let path = call.texts.target().split('?').next().unwrap_or_default();
    path.split('/').skip(2).map(|segment| percent_decode_str(segment).decode_utf8_lossy())
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
