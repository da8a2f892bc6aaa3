//! Shared by all facts: checks a fact in process and over HTTP, and tables of refusals.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_fixtures::strategies::{Ask, Names, What, Who};
use sim_fixtures::{Api, Call, Http, InProcess, Reply, Scene};
use sim_http::{PostgresEvents, PostgresServer, Server};

/// How a fact starts.
pub(crate) type Begin = fn() -> Scene;

/// Checks `fact` of `scene` in process, then over HTTP, and requires the same responses to the byte.
pub(crate) fn both<S: Into<Scene>>(scene: impl Fn() -> S, fact: impl Fn(&mut dyn Api)) {
    insta::allow_duplicates! {
        let mut here = Told::new(InProcess::new(scene()));
        fact(&mut here);
        let mut there = Told::new(over_http(scene().into()));
        fact(&mut there);
        for (here, there) in here.answers.iter().zip(&there.answers) {
            assert_eq!(here, there, "in process and over HTTP");
        }
        assert_eq!(here.answers.len(), there.answers.len(), "in process and over HTTP");
    }
}

/// Checks `fact` of `scene` in both transports on the embedded engine, then with its databases on a
/// PostgreSQL server.
pub(crate) fn on_both_engines<S: Into<Scene>>(scene: impl Fn() -> S, fact: impl Fn(&mut dyn Api)) {
    both(&scene, &fact);
    if let Some(scene) = on_postgres(scene()) {
        fact(&mut InProcess::new(scene));
    }
}

/// The scene with its databases on a PostgreSQL server, which all facts share.
///
/// `None`, with a note, if this machine has no PostgreSQL; with `STUNTDOUBLE_POSTGRES=1` that is a failure.
pub(crate) fn on_postgres(scene: impl Into<Scene>) -> Option<Scene> {
    static SERVER: LazyLock<Result<Arc<PostgresServer>, String>> =
        LazyLock::new(|| PostgresServer::start().map_err(|error| error.to_string()));
    let Scene { sim, project } = scene.into();
    let server = started(&SERVER)?;
    Some(Scene { sim: sim.on_database_server(server), project })
}

/// Checks `fact` of `scene` in both transports on the embedded backend, then with its events on a PostgreSQL
/// server.
pub(crate) fn on_every_backend(scene: impl Fn() -> Simulator, fact: impl Fn(&mut dyn Api)) {
    both(&scene, &fact);
    if let Some(sim) = with_events_on_postgres(scene()) {
        fact(&mut InProcess::new(sim));
    }
}

/// The world with its events on a PostgreSQL server, which all facts share.
///
/// `None`, with a note, if this machine has no PostgreSQL; with `STUNTDOUBLE_POSTGRES=1` that is a failure.
pub(crate) fn with_events_on_postgres(sim: Simulator) -> Option<Simulator> {
    static SERVER: LazyLock<Result<Arc<PostgresEvents>, String>> =
        LazyLock::new(|| PostgresEvents::start("_analytics").map_err(|error| error.to_string()));
    let server = started(&SERVER)?;
    Some(sim.on_event_server(server).expect("the server takes the events"))
}

/// The server, if this machine has PostgreSQL.
fn started<S>(server: &Result<Arc<S>, String>) -> Option<Arc<S>> {
    let required = std::env::var("STUNTDOUBLE_POSTGRES").is_ok_and(|value| value == "1");
    match server {
        Ok(server) => Some(Arc::clone(server)),
        Err(error) if required => panic!("{error}"),
        Err(error) => {
            eprintln!("SKIPPED on PostgreSQL: {error}");
            None
        }
    }
}

/// A server for this scene alone.
pub(crate) fn over_http(scene: Scene) -> Http {
    let Scene { sim, project } = scene;
    // The test reads sent messages from the outbox, as in process.
    let server = Server::builder().posts(false).spawn(sim).expect("a port and a thread are available");
    let url = server.url().to_owned();
    Http::new(&url, &project.0, Box::new(move |look| look(&mut server.sim())))
}

/// An [`Api`] that records the responses.
struct Told<A> {
    api: A,
    answers: Vec<String>,
}

impl<A: Api> Told<A> {
    fn new(api: A) -> Told<A> {
        Told { api, answers: Vec::new() }
    }
}

/// Headers that are part of the contract. The call number is left out: a request that the server itself
/// refuses, such as a body beyond the limit, is not a call.
const HEADERS: [&str; 9] = [
    "content-type",
    "allow",
    "location",
    "retry-after",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-sim-reason",
    "x-sim-ignored",
];

impl<A: Api> Api for Told<A> {
    fn exchange(&mut self, request: Request<Bytes>) -> Reply {
        let asked = format!("{} {}", request.method(), request.uri());
        let reply = self.api.exchange(request);
        crate::reasons::is_documented(&reply);
        let headers = HEADERS.map(|name| format!("{name}: {}", reply.header(name))).join("\n");
        self.answers.push(format!("{asked}\n{headers}\n{reply}"));
        reply
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        self.api.look(look);
    }

    fn project(&self) -> String {
        self.api.project()
    }
}

/// The names of a scene's things, for calls from `strategies`.
pub(crate) fn names(api: &dyn Api) -> Names {
    Names::of_cast(&api.project())
}

/// A valid call of `what` by the scene's owner.
pub(crate) fn good(api: &dyn Api, what: What) -> Call {
    Ask { who: Who::Token(0), what, wrong: None }.call(&names(api))
}

/// Seconds of simulated time.
pub(crate) const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// The smallest unit of simulated time.
pub(crate) const TICK: Duration = Duration::from_micros(1);

/// The content of a generated file, by its path relative to the workspace; with `STUNTDOUBLE_BLESS=1` it is
/// rewritten.
pub(crate) fn blessed(path: &str, generated: &[u8]) -> Vec<u8> {
    let file = file(path);
    if std::env::var("STUNTDOUBLE_BLESS").is_ok_and(|bless| bless == "1") {
        std::fs::create_dir_all(file.parent().expect("a file is in a folder"))
            .expect("the folder can be made");
        std::fs::write(&file, generated).expect("the file can be written");
    }
    read(path)
}

/// The content of a file, by its path relative to the workspace; empty if it is not there.
pub(crate) fn read(path: &str) -> Vec<u8> {
    std::fs::read(file(path)).unwrap_or_default()
}

fn file(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Checks that a generated text equals its file.
pub(crate) fn held(path: &str, text: &str) {
    let held = String::from_utf8(blessed(path, text.as_bytes())).unwrap_or_default();
    let differs = held.lines().zip(text.lines()).position(|(held, text)| held != text);
    let line = differs.unwrap_or(held.lines().count().min(text.lines().count()));
    assert!(
        held == text,
        "{path} is not up to date from line {} on:\n  {}\nSTUNTDOUBLE_BLESS=1 writes it anew",
        line + 1,
        text.lines().nth(line).unwrap_or("(its end)"),
    );
}

/// A schema with the components of its document that it names, directly or through others: a validator reads all that is there.
pub(crate) fn with_components(document: &Value, schema: &Value) -> Value {
    let mut named = serde_json::Map::new();
    let mut unread = vec![schema];
    while let Some(value) = unread.pop() {
        match value {
            Value::Object(members) => {
                let name =
                    members.get("$ref").and_then(Value::as_str).and_then(|text| text.rsplit('/').next());
                if let Some(name) = name.filter(|name| !named.contains_key(*name)) {
                    let component = &document["components"]["schemas"][name];
                    named.insert(name.to_owned(), component.clone());
                    unread.push(component);
                }
                unread.extend(members.values());
            }
            Value::Array(items) => unread.extend(items),
            _ => {}
        }
    }
    json!({ "allOf": [schema], "components": { "schemas": named } })
}
