//! One operation repeated, for counting instructions or profiling: `sim-benches loop NAME TIMES`.
//!
//! The fixed cost of a run does not depend on the number of repetitions, so the difference of two runs gives
//! the cost of one. `loop counted TIMES` repeats all operations whose instructions are compared with a
//! baseline, one after the other. `loop NAME TIMES PROJECTS` runs among this many projects, each time on
//! another one.

use std::time::Duration;

use ::http::Request;
use bytes::Bytes;
use sim_core::management::project::{CreateProject, GetProject, PauseProject, ProjectRef};
use sim_core::management::query::RunQuery;
use sim_core::management::secret::CreateSecrets;
use sim_core::{Policy, Simulator};

use crate::bare::bare_hyper;
use crate::client::{Client, MANY, PIPELINED};
use crate::http;
use crate::in_process::{NEVER_MET, get_request};

/// The operation of a loop.
type Loop = fn(&mut Simulator, &[ProjectRef], usize);

const LOOPS: [(&str, Loop); 13] = [
    ("get-project", get_project),
    ("get-project-handle", get_project_handle),
    ("get-project-again", get_project_again),
    ("create-secret", create_secret),
    ("select-by-key", select_by_key),
    ("pause-project", pause_project),
    ("create-project", create_project),
    ("advance", advance),
    ("fork", fork),
    ("new-world", new_world),
    ("http-get", http_get),
    ("http-get-again", http_get_again),
    ("http-bare", http_bare),
];

/// Operations of a single thread, so that every run takes the same instructions.
const COUNTED: [&str; 9] = [
    "get-project",
    "get-project-handle",
    "get-project-again",
    "create-secret",
    "select-by-key",
    "create-project",
    "advance",
    "fork",
    "new-world",
];

/// Runs the loop that the arguments name.
///
/// # Panics
///
/// When the arguments name no loop.
pub(crate) fn run(words: &[String]) {
    let [name, numbers @ ..] = words else { panic!("loop NAME TIMES [PROJECTS]") };
    let numbers: Vec<usize> = numbers.iter().map(|text| text.parse().expect("a number")).collect();
    let (times, projects) = match numbers[..] {
        [times] => (times, PIPELINED),
        [times, projects] => (times, projects),
        _ => panic!("loop NAME TIMES [PROJECTS]"),
    };
    match name.as_str() {
        "counted" => COUNTED.iter().for_each(|name| one(name, times, projects)),
        name => one(name, times, projects),
    }
}

fn one(name: &str, times: usize, projects: usize) {
    let found = LOOPS.iter().find(|(known, _)| *known == name);
    let (_, work) = found.unwrap_or_else(|| panic!("NAME is one of {:?}", LOOPS.map(|(name, _)| name)));
    let policy = Policy {
        rate_limit: NEVER_MET,
        secrets_per_project: u32::MAX,
        pause_paid_projects: true,
        ..Policy::default()
    };
    let mut sim = Simulator::builder().policy(policy).build();
    let create = |index| CreateProject::named(&format!("project {index}"), "acme");
    let refs: Vec<_> =
        (0..projects).map(|index| sim.call(create(index)).expect("the name is new").id).collect();
    sim.advance(Duration::from_secs(60));
    // The first request builds the routes, once per process.
    sim.handle(&Request::get("/").body(Bytes::new()).expect("the request is well-formed"));
    if name == "select-by-key" {
        // The first statement makes the database, which takes as long as a thousand others.
        let table = "create table item (key int primary key, value text not null);
            insert into item select n, 'value' from generate_series(0, 9) n";
        sim.call(RunQuery::sql(refs[0].clone(), table)).expect("the statements are valid");
    }
    work(&mut sim, &refs, times);
}

/// A different one each time, and not close to the last.
fn any(refs: &[ProjectRef], index: usize) -> ProjectRef {
    refs[index.wrapping_mul(7_919) % refs.len()].clone()
}

fn get_project(sim: &mut Simulator, refs: &[ProjectRef], times: usize) {
    for index in 0..times {
        sim.call(GetProject { r#ref: any(refs, index) }).expect("the project is there");
    }
}

/// With query parameters that are ignored: so each request is different, and none is cached when it repeats.
fn get_project_handle(sim: &mut Simulator, refs: &[ProjectRef], times: usize) {
    let request = |index: usize| get_request(sim, &format!("{}?{index}", refs[index % refs.len()]));
    let requests: Vec<_> = (0..times.min(MANY)).map(request).collect();
    for index in 0..times {
        assert_eq!(sim.handle(&requests[index % requests.len()]).status(), 200);
    }
}

fn get_project_again(sim: &mut Simulator, refs: &[ProjectRef], times: usize) {
    let request = get_request(sim, &refs[0].0);
    for _ in 0..times {
        assert_eq!(sim.handle(&request).status(), 200);
    }
}

fn create_secret(sim: &mut Simulator, refs: &[ProjectRef], times: usize) {
    for index in 0..times {
        let secret = CreateSecrets::one(any(refs, index), &format!("NAME_{}", index % 100), "value");
        sim.call(secret).expect("the secret is valid");
    }
}

fn select_by_key(sim: &mut Simulator, refs: &[ProjectRef], times: usize) {
    for index in 0..times {
        let query = format!("select value from item where key = {}", index % 10);
        let rows = sim.call(RunQuery::sql(refs[0].clone(), &query)).expect("the statement is valid");
        assert_eq!(rows.len(), 1);
    }
}

fn pause_project(sim: &mut Simulator, refs: &[ProjectRef], times: usize) {
    for index in 0..times {
        sim.as_admin().call(PauseProject { r#ref: any(refs, index) }).expect("each once");
    }
}

fn create_project(sim: &mut Simulator, _: &[ProjectRef], times: usize) {
    for index in 0..times {
        sim.call(CreateProject::named(&format!("more {index}"), "acme")).expect("the name is new");
    }
}

/// Due work and the call that caused it. It does not use the function above, whose instructions are counted
/// separately.
fn advance(sim: &mut Simulator, _: &[ProjectRef], times: usize) {
    (0..times).for_each(|index| {
        sim.call(CreateProject::named(&format!("more {index}"), "acme")).expect("the name is new");
    });
    assert_eq!(sim.advance(Duration::from_secs(60)).len(), times);
}

fn fork(sim: &mut Simulator, _: &[ProjectRef], times: usize) {
    for _ in 0..times {
        drop(std::hint::black_box(sim.fork()));
    }
}

/// Without the first world of the process, which is built from its stored form.
fn new_world(_: &mut Simulator, _: &[ProjectRef], times: usize) {
    for _ in 0..times {
        drop(std::hint::black_box(Simulator::builder().build()));
    }
}

fn http_get(_: &mut Simulator, _: &[ProjectRef], times: usize) {
    let (server, requests) = http::simulator();
    let mut client = Client::awake(server.addr());
    let rounds: Vec<_> = requests.chunks(PIPELINED).map(<[Vec<u8>]>::concat).collect();
    for round in rounds.iter().cycle().take(times.div_ceil(PIPELINED)) {
        assert!(client.round(round, PIPELINED) > 0);
    }
}

fn http_get_again(_: &mut Simulator, _: &[ProjectRef], times: usize) {
    let (server, requests) = http::simulator();
    Client::awake(server.addr()).rounds(&requests[0].repeat(PIPELINED), times);
}

fn http_bare(_: &mut Simulator, _: &[ProjectRef], times: usize) {
    let (server, requests) = http::simulator();
    let length = Client::awake(server.addr()).round(&requests[0], 1);
    Client::awake(bare_hyper(length)).rounds(&requests[0].repeat(PIPELINED), times);
}
