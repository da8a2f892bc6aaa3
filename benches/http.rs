//! The HTTP shim beside a bare hyper server with an answer of the same size, and a process from start to first answer.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sim_core::Policy;
use sim_core::engine::RateLimit;
use sim_core::management::project::CreateProject;
use sim_http::Server;

use crate::bare::{HELLO, bare_hyper};
use crate::client::{Client, PIPELINED, Serving, binary};
use crate::measure::{Report, Samples, of_other_threads, since_the_start};

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let (server, request) = simulator();
    let mut client = Client::connect(server.addr());
    let length = client.round(&request, 1);
    let bare = Client::connect(bare_hyper(length));
    let (alone, alone_bare) = paired(samples, &mut client, &request, bare, HELLO, 1);
    report.add("HTTP GET project, one at a time", alone, Some(("bare hyper", alone_bare)), "≤ 2.5 ×");
    let bare = Client::connect(bare_hyper(length));
    let (many, many_bare) = paired(samples, &mut client, &request, bare, HELLO, PIPELINED);
    report.add("HTTP GET project, 32 pipelined", many, Some(("bare hyper", many_bare)), "≤ 2.5 ×");
    let bare = Client::connect(bare_hyper(length));
    let by_the_wall = |client: &mut Client, request: &[u8]| {
        let samples = Samples { batch: samples.batch / PIPELINED, ..*samples };
        let round = |(): &mut (), _| assert!(client.round(request, PIPELINED) > 0);
        samples.median_by(since_the_start, || (), round) / PIPELINED as f64
    };
    let (wall, wall_bare) = (by_the_wall(&mut client, &request), by_the_wall(&mut { bare }, HELLO));
    let limit = Some(("bare hyper", wall_bare));
    report.add("the same by the clock on the wall", wall, limit, "≤ 2.5 ×");
}

/// Nanoseconds of the servers' processor time that a request takes of each.
fn paired(
    samples: &Samples,
    client: &mut Client,
    request: &[u8],
    mut bare: Client,
    hello: &[u8],
    at_once: usize,
) -> (f64, f64) {
    let samples = Samples { batch: samples.batch / at_once.max(4), ..*samples };
    let per_request = |ns: f64| ns / at_once as f64;
    let median = |client: &mut Client, request: &[u8]| {
        samples.median_by(of_other_threads, || (), |(), _| assert!(client.round(request, at_once) > 0))
    };
    let (ours, theirs) = (median(client, request), median(&mut bare, hello));
    (per_request(ours), per_request(theirs))
}

pub(crate) fn simulator() -> (Server, Vec<u8>) {
    let policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
    let mut sim = sim_core::Simulator::builder().policy(policy).build();
    let project = sim.call(CreateProject::named("bench", "acme")).expect("the name is new");
    sim.advance(Duration::from_secs(60));
    let server = Server::spawn(sim);
    let request = format!(
        "GET /v1/projects/{} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
        project.id,
        server.token()
    );
    (server, request.into_bytes())
}

/// From the start of the process to its first answer.
pub(crate) fn start(samples: &Samples, report: &mut Report) {
    let Some(binary) = binary() else { return };
    let mut times: Vec<f64> = (0..samples.batches).map(|_| first_answer()).collect();
    let mut floor: Vec<f64> = (0..samples.batches).map(|_| bare_process(&binary)).collect();
    times.sort_by(f64::total_cmp);
    floor.sort_by(f64::total_cmp);
    let bare = floor[floor.len() / 2];
    report.add(
        "process start to first answer",
        times[times.len() / 2],
        Some(("the same with --version", bare)),
        "≤ 10 ms",
    );
}

fn first_answer() -> f64 {
    let start = Instant::now();
    let serving = Serving::start(&[]).expect("the binary is there");
    let request = format!(
        "GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
        serving.token
    );
    Client::connect(serving.addr).round(request.as_bytes(), 1);
    start.elapsed().as_secs_f64() * 1e9
}

fn bare_process(binary: &Path) -> f64 {
    let start = Instant::now();
    Command::new(binary).arg("--version").stdout(Stdio::null()).status().expect("the binary starts");
    start.elapsed().as_secs_f64() * 1e9
}
