//! Worlds run side by side: a long call in one delays neither another world nor the control API.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_core::engine::{self, Cx, Empty, Meta, Registry, Resource, Section, Service};
use sim_core::management::project::CreateProject;
use sim_core::management::query::RunQuery;
use sim_core::{Error, Operation, Pace, Policy, Simulator, operations};
use sim_http::{Limits, Server};

use crate::client::{Answer, PATIENCE, call, call_with, get, post};
use crate::things;

operations![Compute, Last];

/// A running call: it tells the test that it has begun, and computes until the test drops its end.
struct UnderWay {
    begun: Sender<()>,
    end: Mutex<Receiver<()>>,
}

/// The calls of all tests of this file, by number.
static UNDER_WAY: Mutex<Vec<Option<UnderWay>>> = Mutex::new(Vec::new());

/// Registers a call that a test is going to make. Returns its number, the receiver of its beginning, and the sender that ends it.
fn expect_call() -> (usize, Receiver<()>, Sender<()>) {
    let ((begun, begins), (done, end)) = (mpsc::channel(), mpsc::channel());
    let mut all = UNDER_WAY.lock().expect("no test panics with it");
    all.push(Some(UnderWay { begun, end: Mutex::new(end) }));
    (all.len() - 1, begins, done)
}

/// Tells the test that the call with this number has begun.
fn begin(number: usize) -> UnderWay {
    let under_way = UNDER_WAY.lock().expect("no test panics with it").get_mut(number).and_then(Option::take);
    let under_way = under_way.expect("each is called once");
    under_way.begun.send(()).expect("the test waits");
    under_way
}

/// Compute until the test ends the call.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Compute {
    number: usize,
}

impl Operation for Compute {
    type Output = Empty;
    const META: Meta = engine::post("compute", "/v1/compute");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        cx.db.run("INSERT INTO thing DEFAULT VALUES", ());
        // The end of the sender is what it waits for.
        let _ = begin(self.number).end.into_inner().expect("nobody else has it").recv();
        Ok(Empty {})
    }
}

/// Compute until something interrupts the call.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Last {
    number: usize,
}

impl Operation for Last {
    type Output = Empty;
    const META: Meta = engine::post("last", "/v1/last");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let under_way = begin(self.number);
        while !cx.interrupt.is_set() {
            thread::yield_now();
        }
        drop(under_way);
        Ok(Empty {})
    }
}

static SECTIONS: [Section; 1] = [Section {
    title: "Things",
    resources: &[things::RESOURCE, Resource { tables: "", operations: OPERATIONS, tasks: &[] }],
    views: &[],
}];

static SERVICE: Service = things::service("A service with a long call", &SECTIONS);

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
    let (number, begins, done) = expect_call();
    let path = format!("/w/{world}/v1/compute");
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

fn with_call_limit(sim: Simulator) -> Server {
    let limits = Limits { call_time: Some(Duration::from_millis(20)), ..Limits::default() };
    Server::builder().limits(limits).spawn(sim).expect("a port is free")
}

#[test]
fn a_call_over_the_limit_is_interrupted() {
    let server = with_call_limit(with_long_calls());
    let last = || {
        let (number, _begins, _end) = expect_call();
        assert_eq!(post(&server, "/v1/last", &json!({ "number": number }).to_string()).status, 201);
    };
    last();
    // The same holds for a world whose earlier state came back.
    assert_eq!(post(&server, "/_sim/reset", "").status, 200);
    last();
}

#[test]
fn the_sql_of_a_call_over_the_limit_is_cancelled_and_undone() {
    let policy = Policy { pace: Pace::Instant, sql_steps: u64::MAX, ..Policy::default() };
    let mut sim = Simulator::builder().policy(policy).build();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    let server = with_call_limit(sim);
    let endless = "create table t (a int);
        with recursive n as (select 1 as a union all select a % 7 + 1 from n) insert into t select a from n where a > 7";
    let path = format!("/v1/projects/{project}/database/query");
    let ended = post(&server, &path, &json!({ "query": endless }).to_string());
    assert_eq!(ended.status, 400, "{}", ended.body);
    assert!(ended.body.contains("57014"), "{}", ended.body);
    // Without a limit, because no client calls.
    let rows = server.sim().call(RunQuery::sql(project, "select to_regclass('t') is null as gone"));
    assert_eq!(rows.expect("a query")[0]["gone"], json!(true));
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

/// Makes a call without waiting for the answer, and drops the server when the call has begun.
fn stop_during(server: Server, path: &str, number: usize, begins: &Receiver<()>) -> thread::JoinHandle<()> {
    let (addr, begun) = (server.addr(), Instant::now());
    let body = json!({ "number": number }).to_string();
    let raw = format!(
        "POST {path} HTTP/1.1\r\nhost: {addr}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        server.token(),
        body.len()
    );
    // Whether it is still answered is the client's luck.
    let asked = thread::spawn(move || drop(crate::client::send(addr, raw.as_bytes())));
    begins.recv().expect("the call is made");
    drop(server);
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    asked
}

#[test]
fn a_server_stops_though_a_call_does_not_end() {
    let (number, begins, end) = expect_call();
    let asked = stop_during(Server::spawn(with_long_calls()), "/v1/compute", number, &begins);
    drop(end);
    asked.join().expect("no panic");
}

#[test]
fn a_server_that_stops_interrupts_the_call_under_way() {
    let (number, begins, _end) = expect_call();
    let asked = stop_during(Server::spawn(with_long_calls()), "/v1/last", number, &begins);
    let ended = begins.recv_timeout(PATIENCE);
    assert_eq!(ended, Err(mpsc::RecvTimeoutError::Disconnected), "the call has ended");
    asked.join().expect("no panic");
}
