//! The content of a world, in a form that can be compared between worlds with different histories.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use serde_json::{Value, json};

use super::calls_of_client;
use crate::engine::{Access, Method, Origin, Pace, Simulator, Timestamp};

/// How far the clock is advanced so that work in progress ends. All worlds of a comparison get the same time.
const REST: Duration = Duration::from_secs(3600);
/// The most steps for a world with manual pace.
const STEPS: usize = 10_000;
/// The kind of the rows of a project's database.
const ROWS: &str = "rows";
/// The tables whose rows one statement counts.
const TABLES_OF_A_STATEMENT: usize = 50;
/// The kind of the events of a source.
const EVENTS: &str = "events";

/// Things by kind and name: resources listed by the API where the client wrote, rows of databases that SQL was sent
/// to, and events of sources that were written to. Leaves out values that differ between worlds anyway: ids,
/// references, timestamps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// The content under each name. Several things with one name are listed together.
    pub things: BTreeMap<Thing, Vec<Value>>,
}

/// The kind, place and name of a thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thing {
    /// The last word of the path that lists it, or `rows`, or `events`.
    pub kind: String,
    /// The name of the project or organization that it belongs to.
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

/// The words of all targets that a client wrote to. They select the lists to compare.
pub(super) fn words_written(world: &Simulator) -> BTreeSet<String> {
    let journals: Vec<_> = world.halves().flat_map(Simulator::journal).collect();
    let writes = calls_of_client(&journals).filter(|call| call.method != "GET" && call.method != "HEAD");
    writes.flat_map(|call| call.target.split(['/', '?', '&', '=']).map(str::to_owned)).collect()
}

/// A fork of the world in which work in progress has ended.
pub(super) fn at_rest(sim: &Simulator) -> Simulator {
    let mut sim = sim.fork();
    if sim.policy().pace == Pace::Manual {
        let _ = (0..STEPS).take_while(|_| sim.step().is_some()).count();
    } else {
        sim.advance(REST);
    }
    sim
}

/// A project or an organization.
struct Place {
    /// Its parameter in paths.
    parameter: &'static str,
    id: String,
    name: String,
}

impl Inventory {
    /// The things that `words` list in that world, in all of its services.
    pub(super) fn of(world: &Simulator, words: &BTreeSet<String>) -> Inventory {
        let mut all = Inventory::default();
        // Every call to the first service adds an event to these sources, so they are left out.
        let logs: Vec<&String> =
            if world.is_heard() { world.profile().log_sources.values().collect() } else { Vec::new() };
        for half in world.halves() {
            all.things.extend(Inventory::of_service(half, words, &logs).things);
        }
        all
    }

    /// Removes things of these kinds (`functions`) and these fields of things (`functions/entrypoint_path`).
    pub(super) fn forget(&mut self, ignored: &[String]) {
        self.things.retain(|thing, _| !ignored.contains(&thing.kind));
        for (thing, contents) in &mut self.things {
            let fields = ignored.iter().filter_map(|one| one.strip_prefix(&thing.kind)?.strip_prefix('/'));
            for field in fields {
                let objects = contents.iter_mut().filter_map(Value::as_object_mut);
                objects.for_each(|content| drop(content.shift_remove(field)));
            }
        }
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

/// Paths that end with one of the words and list things of a project, of an organization, or of the whole world. If
/// the whole world has such a list, those of projects and organizations are left out.
fn paths(sim: &Simulator, words: &BTreeSet<String>) -> Vec<&'static str> {
    let reads = sim.registry().operations().filter(|meta| meta.is_in(sim.policy().edition)).filter(|meta| {
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
    /// Names of the platform's log sources, which are left out.
    logs: &'w [&'w String],
    /// Ids of projects and organizations, which are replaced in texts.
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

    /// Makes a call as the simulator's driver. Returns the answer as JSON if it succeeds.
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

    /// Adds the rows of each table, as that many things without content.
    fn count_rows(&mut self, place: &Place) {
        let path = format!("/v1/projects/{}/database/query", place.id);
        let tables = "select table_schema, table_name from information_schema.tables where table_type = \
                      'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')";
        let tables = self.ask("POST", &path, Some(json!({ "query": tables }))).unwrap_or_default();
        let named = |table: &Value| {
            let text = |key: &str| table[key].as_str().unwrap_or_default().to_owned();
            (text("table_schema"), text("table_name"))
        };
        let tables: Vec<(String, String)> = tables.as_array().into_iter().flatten().map(named).collect();
        for part in tables.chunks(TABLES_OF_A_STATEMENT) {
            for ((schema, table), rows) in part.iter().zip(self.counts(&path, part)) {
                let name = format!("{schema}.{table}");
                let thing = Thing { kind: ROWS.to_owned(), place: place.name.clone(), name };
                self.found
                    .things
                    .insert(thing, vec![Value::Null; usize::try_from(rows).unwrap_or(usize::MAX)]);
            }
        }
    }

    /// Counts the rows of tables in one statement, because a project has dozens of them from the start. If one can't be counted,
    /// each is counted by itself, and that one has no rows.
    fn counts(&mut self, path: &str, tables: &[(String, String)]) -> Vec<u64> {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let counts = tables.iter().enumerate().map(|(at, (schema, table))| {
            format!("(select count(*)::int from {}.{}) as c{at}", quoted(schema), quoted(table))
        });
        let query = format!("select {}", counts.collect::<Vec<_>>().join(", "));
        match self.ask("POST", path, Some(json!({ "query": query }))) {
            Some(answer) => {
                (0..tables.len()).map(|at| answer[0][format!("c{at}")].as_u64().unwrap_or(0)).collect()
            }
            None if tables.len() > 1 => {
                tables.iter().flat_map(|table| self.counts(path, std::slice::from_ref(table))).collect()
            }
            None => vec![0],
        }
    }

    /// Adds the events of sources that were written to, by token or name, as that many things without content.
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
            Value::Object(fields) => {
                let version = fields.get("version").and_then(Value::as_u64);
                let fields = fields.into_iter().filter(|(key, _)| !is_by_nature(key));
                fields.map(|(key, value)| (key, self.plain(without_version(value, version)))).collect()
            }
            Value::Array(items) => items.into_iter().map(|item| self.plain(item)).collect(),
            Value::String(text) if text.parse::<Timestamp>().is_ok() || is_uuid(&text) => Value::Null,
            Value::String(text) => {
                self.ids.iter().fold(text, |text, id| text.replace(id.as_str(), "{ref}")).into()
            }
            other => other,
        }
    }
}

/// The items of a list. Any other answer is one item.
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

/// Whether the value of a field differs between worlds anyway.
fn is_by_nature(key: &str) -> bool {
    ["id", "ref", "slug", "version", "metrics", "wh_table_id"].contains(&key)
        || ["_id", "_ref", "_at"].iter().any(|end| key.ends_with(end))
}

/// A text without the number of its thing's version, such as the path `…_2/source/index.ts` of a function's second version.
fn without_version(value: Value, version: Option<u64>) -> Value {
    match (value, version) {
        (Value::String(text), Some(version)) => text.replace(&format!("_{version}/"), "_{version}/").into(),
        (other, _) => other,
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}
