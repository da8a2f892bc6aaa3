//! What there is in a world, so that two worlds can be compared that came about in different ways.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use serde_json::{Value, json};

use super::calls_of_client;
use crate::engine::{Access, Method, Origin, Pace, Simulator, Timestamp};

/// How long a world is given to come to rest. Both worlds of a comparison get the same.
const REST: Duration = Duration::from_secs(3600);
/// Pieces of work that one of manual pace is given.
const STEPS: usize = 10_000;
/// The kind of the rows of a project's database.
const ROWS: &str = "rows";
/// The kind of the events of a source.
const EVENTS: &str = "events";

/// Things by kind and name: what the API lists wherever somebody wrote, the rows of databases that SQL was sent to, and the
/// events of sources that were written to.
/// Without what differs between worlds by nature: ids, references, instants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// What is there under each name; several of one name stand side by side.
    pub things: BTreeMap<Thing, Vec<Value>>,
}

/// What a thing is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thing {
    /// The path that lists it, `rows`, or `events`.
    pub kind: String,
    /// The project or organization that it belongs to, by name.
    pub place: String,
    /// Its own name.
    pub name: String,
}

impl std::fmt::Display for Thing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.place.is_empty() { String::new() } else { format!(" of {:?}", self.place) };
        match (self.kind.as_str(), self.name.is_empty()) {
            (ROWS, _) => write!(f, "rows of {}{place}", self.name),
            (EVENTS, _) => write!(f, "events of {:?}", self.name),
            (kind, true) => write!(f, "{kind}{place}"),
            (kind, false) => write!(f, "{kind} {:?}{place}", self.name),
        }
    }
}

/// The words of all targets that a client wrote to: whatever a word lists is of interest.
pub(super) fn words_written(world: &Simulator) -> BTreeSet<String> {
    let journals: Vec<_> = world.halves().flat_map(Simulator::journal).collect();
    let writes = calls_of_client(&journals).filter(|call| call.method != "GET" && call.method != "HEAD");
    writes.flat_map(|call| call.target.split(['/', '?', '&', '=']).map(str::to_owned)).collect()
}

/// The world as it is when all that is under way has come to its end.
pub(super) fn at_rest(sim: &Simulator) -> Simulator {
    let mut sim = sim.fork();
    if sim.policy().pace == Pace::Manual {
        let _ = (0..STEPS).take_while(|_| sim.step().is_some()).count();
    } else {
        sim.advance(REST);
    }
    sim
}

/// A place that things are in: a project or an organization.
struct Place {
    /// The parameter that stands for it in paths.
    parameter: &'static str,
    id: String,
    name: String,
}

impl Inventory {
    /// What `words` list in that world, in both of its services.
    pub(super) fn of(world: &Simulator, words: &BTreeSet<String>) -> Inventory {
        let mut all = Inventory::default();
        // What calls to the first service add to them differs with each of them.
        let logs: Vec<&String> =
            if world.is_heard() { world.profile().log_sources.values().collect() } else { Vec::new() };
        for half in world.halves() {
            all.things.extend(Inventory::of_service(half, words, &logs).things);
        }
        all
    }

    fn of_service(sim: &Simulator, words: &BTreeSet<String>, logs: &[&String]) -> Inventory {
        let mut look = Look { sim: sim.fork(), logs, ids: Vec::new(), found: Inventory::default() };
        let places = look.places();
        look.ids = places.iter().map(|place| place.id.clone()).collect();
        let nowhere = Place { parameter: "", id: String::new(), name: String::new() };
        for path in paths(sim, words) {
            let within = |place: &&Place| !place.parameter.is_empty() && path.contains(place.parameter);
            match path.contains('{') {
                true => places.iter().filter(within).for_each(|place| look.list(path, place)),
                false => look.list(path, &nowhere),
            }
        }
        if words.contains("query") || words.contains("migrations") {
            let projects = places.iter().filter(|place| place.parameter == "{ref}");
            projects.for_each(|place| look.count_rows(place));
        }
        look.count_events(words);
        look.found
    }
}

/// Paths that list what one of the words stands for, in a project, in an organization or in neither. What is listed wherever
/// it is need not be looked at once more in its place.
fn paths(sim: &Simulator, words: &BTreeSet<String>) -> Vec<&'static str> {
    let reads = sim.registry().operations().filter(|meta| {
        let parameters = meta.path.matches('{').count();
        let is_placed = meta.path.contains("{ref}") || meta.path.contains("{slug}");
        meta.method == Method::Get
            && meta.access == Access::Token
            && parameters == usize::from(is_placed)
            && words.contains(last_word(meta.path))
    });
    let paths: Vec<&str> = reads.map(|meta| meta.path).collect();
    let everywhere: BTreeSet<&str> =
        paths.iter().filter(|path| !path.contains('{')).map(|path| last_word(path)).collect();
    paths.into_iter().filter(|path| !path.contains('{') || !everywhere.contains(last_word(path))).collect()
}

fn last_word(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

struct Look<'w> {
    sim: Simulator,
    /// Names of sources that are not the client's.
    logs: &'w [&'w String],
    /// References that may turn up in texts.
    ids: Vec<String>,
    found: Inventory,
}

impl Look<'_> {
    fn is_log(&self, name: &str) -> bool {
        self.logs.iter().any(|log| *log == name)
    }

    fn places(&mut self) -> Vec<Place> {
        let mut places = Vec::new();
        for (path, parameter, key) in [("/v1/projects", "{ref}", "id"), ("/v1/organizations", "{slug}", "id")]
        {
            let listed = self.ask("GET", path, None).unwrap_or_default();
            let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
            let listed = listed.as_array().into_iter().flatten();
            places.extend(listed.map(|one| Place { parameter, id: text(one, key), name: text(one, "name") }));
        }
        places
    }

    /// The answer to a good call, as JSON.
    fn ask(&mut self, method: &str, path: &str, body: Option<Value>) -> Option<Value> {
        let bytes = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let response = self.sim.handle_from(Origin::Control, &request.body(bytes).ok()?);
        if !response.status().is_success() {
            return None;
        }
        serde_json::from_slice(response.body()).ok()
    }

    fn list(&mut self, path: &str, place: &Place) {
        let Some(answer) = self.ask("GET", &path.replace(place.parameter, &place.id), None) else { return };
        let kind = last_word(path);
        for item in items(answer) {
            let name = name(&item);
            if kind == "sources" && self.is_log(&name) {
                continue;
            }
            let thing = Thing { kind: kind.to_owned(), place: place.name.clone(), name };
            let content = self.plain(item);
            self.found.things.entry(thing).or_default().push(content);
        }
    }

    /// Rows by table: so many things without content.
    fn count_rows(&mut self, place: &Place) {
        let path = format!("/v1/projects/{}/database/query", place.id);
        let tables = "select table_schema, table_name from information_schema.tables where table_type = \
                      'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')";
        let tables = self.ask("POST", &path, Some(json!({ "query": tables }))).unwrap_or_default();
        for table in tables.as_array().into_iter().flatten() {
            let text = |key: &str| table[key].as_str().unwrap_or_default();
            let (schema, table) = (text("table_schema"), text("table_name"));
            let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
            let count = format!("select count(*)::int as rows from {}.{}", quoted(schema), quoted(table));
            let answer = self.ask("POST", &path, Some(json!({ "query": count }))).unwrap_or_default();
            let rows = answer[0]["rows"].as_u64().unwrap_or(0);
            let name = format!("{schema}.{table}");
            let thing = Thing { kind: ROWS.to_owned(), place: place.name.clone(), name };
            self.found.things.insert(thing, vec![Value::Null; usize::try_from(rows).unwrap_or(usize::MAX)]);
        }
    }

    /// Events of the sources that were written to, by token or name: so many things without content.
    fn count_events(&mut self, words: &BTreeSet<String>) {
        let sources = self.ask("GET", "/api/sources", None).unwrap_or_default();
        for source in sources.as_array().into_iter().flatten() {
            let text = |key: &str| source[key].as_str().unwrap_or_default();
            let is_written = words.contains(text("token")) || words.contains(text("name"));
            if is_written && !self.is_log(text("name")) {
                let events = source["metrics"]["inserts"].as_u64().unwrap_or(0);
                let thing =
                    Thing { kind: EVENTS.to_owned(), place: String::new(), name: text("name").to_owned() };
                let none = vec![Value::Null; usize::try_from(events).unwrap_or(usize::MAX)];
                self.found.things.insert(thing, none);
            }
        }
    }

    fn plain(&self, value: Value) -> Value {
        match value {
            Value::Object(fields) => fields
                .into_iter()
                .filter(|(key, _)| !is_by_nature(key))
                .map(|(key, value)| (key, self.plain(value)))
                .collect(),
            Value::Array(items) => items.into_iter().map(|item| self.plain(item)).collect(),
            Value::String(text) if text.parse::<Timestamp>().is_ok() || is_uuid(&text) => Value::Null,
            Value::String(text) => {
                self.ids.iter().fold(text, |text, id| text.replace(id.as_str(), "{ref}")).into()
            }
            other => other,
        }
    }
}

/// What a list is a list of; anything else is one thing.
fn items(answer: Value) -> Vec<Value> {
    match answer {
        Value::Array(items) => items,
        Value::Object(mut fields) => {
            let lists = ["data", "items", "providers", "result"];
            let list = lists.into_iter().find(|name| fields.get(*name).is_some_and(Value::is_array));
            match list.and_then(|name| fields.remove(name)) {
                Some(Value::Array(items)) => items,
                _ => vec![Value::Object(fields)],
            }
        }
        other => vec![other],
    }
}

fn name(item: &Value) -> String {
    let names = ["name", "slug", "key", "domain"].into_iter();
    names.filter_map(|key| item[key].as_str()).next().unwrap_or_default().to_owned()
}

/// Whether a field is another one in each world, whatever the client did.
fn is_by_nature(key: &str) -> bool {
    ["id", "ref", "slug", "version", "metrics", "wh_table_id"].contains(&key)
        || ["_id", "_ref", "_at"].iter().any(|end| key.ends_with(end))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}
