//! Worlds run side by side: a long call in one delays neither another world nor the control API.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{LazyLock, Mutex};
use std::thread;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_core::engine::{self, Cx, Empty, Manner, Meta, Registry, Resource, Section, Service};
use sim_core::{Error, Operation, Simulator, World, operations};
use sim_http::Server;

use crate::client::{Answer, call, call_with, get, post};

operations![Compute, Count];

/// A call under way: it tells the test that it has begun, and computes until the test drops its end.
struct UnderWay {
    begun: Sender<()>,
    end: Mutex<Receiver<()>>,
}

/// The calls of all tests of this file, by number.
static UNDER_WAY: Mutex<Vec<Option<UnderWay>>> = Mutex::new(Vec::new());

/// Compute until the test says so.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Compute {
    number: usize,
}

impl Operation for Compute {
    type Output = Empty;
    const META: Meta = engine::post("compute", "/v1/compute");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        cx.db.run("INSERT INTO thing DEFAULT VALUES", ());
        let under_way =
            UNDER_WAY.lock().expect("no test panics with it").get_mut(self.number).and_then(Option::take);
        let UnderWay { begun, end } = under_way.expect("each is called once");
        begun.send(()).expect("the test waits");
        // The end of the sender is what it waits for.
        let _ = end.into_inner().expect("nobody else has it").recv();
        Ok(Empty {})
    }
}

/// Count the calls that are done.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Count {}

impl Operation for Count {
    type Output = i64;
    const META: Meta = engine::get("count", "/v1/count");

    fn run(self, cx: &mut Cx<'_>) -> Result<i64, Error> {
        Ok(cx.db.one("SELECT count(*) FROM thing", (), |row| row.get(0)))
    }
}

static SERVICE: Service = Service {
    name: "test",
    title: "A service with a long call",
    sections: &[Section {
        title: "Things",
        resources: &[Resource {
            tables: "CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT;",
            operations: OPERATIONS,
            tasks: &[],
        }],
        views: &[],
    }],
    blank: &[],
    manner: &Manner::MESSAGE,
    manners: &[],
    guards: &[],
    tags: &[],
    databases: None,
    seed: |cx, world: &World| world.users.iter().try_for_each(|user| engine::create_user(cx, user).map(drop)),
};

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));

fn with_long_calls() -> Simulator {
    engine::Builder::new(&REGISTRY).build()
}

/// Begins a long call in a world. It ends when the sender is dropped.
fn compute<'s, 'scope>(
    scope: &'scope thread::Scope<'scope, 's>,
    server: &'s Server,
    world: &str,
) -> (Sender<()>, thread::ScopedJoinHandle<'scope, Answer>) {
    let ((begun, begins), (done, end)) = (mpsc::channel(), mpsc::channel());
    let mut all = UNDER_WAY.lock().expect("no test panics with it");
    let (number, path) = (all.len(), format!("/w/{world}/v1/compute"));
    all.push(Some(UnderWay { begun, end: Mutex::new(end) }));
    drop(all);
    let asked = scope.spawn(move || post(server, &path, &json!({ "number": number }).to_string()));
    begins.recv().expect("the call is made");
    (done, asked)
}

#[test]
fn long_calls_delay_no_other_world_and_no_control_call() {
    let server = Server::spawn(with_long_calls());
    let names: Vec<String> = (0..12).map(|number| format!("long-{number}")).collect();
    for name in &names {
        server.add_world(name, with_long_calls()).expect("the name is new");
    }
    server.add_world("other", Simulator::builder().token("of-other").build()).expect("the name is new");
    thread::scope(|scope| {
        let under_way: Vec<_> = names
            .iter()
            .map(String::as_str)
            .chain(["main"])
            .map(|name| compute(scope, &server, name))
            .collect();
        for _ in 0..50 {
            let bearer = [("authorization", "Bearer of-other")];
            assert_eq!(call_with(&server, "GET", "/w/other/v1/projects", &bearer, "").status, 200);
        }
        assert_eq!(get(&server, "/").status, 200);
        assert_eq!(get(&server, "/_sim/worlds").json().as_array().map(Vec::len), Some(14));
        assert_eq!(get(&server, "/_sim/worlds/long-3").json()["calls"], 0, "as before the call");
        assert_eq!(post(&server, "/_sim/worlds", r#"{ "name": "new" }"#).status, 201);
        assert_eq!(post(&server, "/w/other/_sim/fork", r#"{ "name": "fork" }"#).status, 201);
        assert_eq!(post(&server, "/w/other/_sim/clock/advance", r#"{ "ms": 1000 }"#).status, 200);
        assert_eq!(call(&server, "DELETE", "/_sim/worlds/fork", "").status, 200);
        for (end, asked) in under_way {
            assert!(!asked.is_finished(), "it is answered before it is done");
            drop(end);
            assert_eq!(asked.join().expect("no panic").status, 201);
        }
    });
    assert_eq!(get(&server, "/_sim/worlds/long-3").json()["calls"], 1);
}

#[test]
fn calls_of_one_world_are_answered_one_after_the_other() {
    let server = Server::spawn(with_long_calls());
    thread::scope(|scope| {
        let (end, first) = compute(scope, &server, "main");
        // More than there may be processors.
        let later: Vec<_> = (0..40).map(|_| scope.spawn(|| get(&server, "/v1/count").body)).collect();
        assert_eq!(get(&server, "/_sim/worlds/main").json()["calls"], 0);
        assert!(later.iter().all(|asked| !asked.is_finished()));
        drop(end);
        assert_eq!(first.join().expect("no panic").status, 201);
        for asked in later {
            assert_eq!(asked.join().expect("no panic"), "1");
        }
    });
    assert_eq!(server.sim().calls(), 41);
}

#[test]
fn a_server_stops_though_a_call_does_not_end() {
    let server = Server::spawn(with_long_calls());
    let begun = std::time::Instant::now();
    let addr = server.addr();
    let (done, end) = mpsc::channel::<()>();
    let (begun_sender, begins) = mpsc::channel();
    let mut all = UNDER_WAY.lock().expect("no test panics with it");
    let number = all.len();
    all.push(Some(UnderWay { begun: begun_sender, end: Mutex::new(end) }));
    drop(all);
    let body = json!({ "number": number }).to_string();
    let raw = format!(
        "POST /v1/compute HTTP/1.1\r\nhost: {addr}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.token(),
        body.len()
    );
    let asked = thread::spawn(move || crate::client::send(addr, raw.as_bytes()));
    begins.recv().expect("the call is made");
    drop(server);
    assert!(begun.elapsed() < crate::client::PATIENCE, "{:?}", begun.elapsed());
    drop(done);
    // Whether it is still answered is the client's luck.
    let _ = asked.join().expect("no panic");
}
