//! The HTTP shim beside a bare hyper server with an answer of the same size, and a process from start to first answer.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sim_core::Policy;
use sim_core::engine::RateLimit;
use sim_core::management::project::CreateProject;
use sim_http::Server;

use crate::bare::{HELLO, bare_hyper};
use crate::client::{Client, PIPELINED, Serving, binary, different};
use crate::measure::{Report, Samples, of_other_threads, since_the_start};

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let (server, request) = simulator();
    let mut client = Client::connect(server.addr());
    let length = client.round(&request, 1);
    let mut bare = Client::connect(bare_hyper(length));
    let each = different(&request, PIPELINED);

    let alone = Rounds { samples, at_once: 1, clock: of_other_threads };
    let limit = Some(("bare hyper", alone.median(&mut bare, &[HELLO.to_vec()])));
    report.add("HTTP GET project, one at a time", alone.median(&mut client, &each), limit, "≤ 2.5 ×");
    let again = alone.median(&mut client, std::slice::from_ref(&request));
    report.add("the same request again and again", again, limit, "≤ 2.5 ×");

    let (each, again) = ([each.concat()], [request.repeat(PIPELINED)]);
    let hello = [HELLO.repeat(PIPELINED)];
    let mut bare = Client::connect(bare_hyper(length));
    let many = Rounds { at_once: PIPELINED, ..alone };
    let limit = Some(("bare hyper", many.median(&mut bare, &hello)));
    report.add("HTTP GET project, 32 pipelined", many.median(&mut client, &each), limit, "≤ 2.5 ×");
    report.add("the same request again and again", many.median(&mut client, &again), limit, "≤ 2.5 ×");

    let wall = Rounds { clock: since_the_start, ..many };
    let limit = Some(("bare hyper", wall.median(&mut bare, &hello)));
    let (each, again) = (wall.median(&mut client, &each), wall.median(&mut client, &again));
    report.add("32 pipelined by the clock on the wall", each, limit, "≤ 2.5 ×");
    report.add("the same request again and again", again, limit, "≤ 2.5 ×");
}

/// How requests are sent and timed.
#[derive(Clone, Copy)]
struct Rounds<'s> {
    samples: &'s Samples,
    /// Requests that are sent before any is answered.
    at_once: usize,
    clock: fn() -> Duration,
}

impl Rounds<'_> {
    /// Nanoseconds that a request takes, when the bytes of these rounds are sent in turn.
    fn median(&self, client: &mut Client, rounds: &[Vec<u8>]) -> f64 {
        let Rounds { samples, at_once, clock } = *self;
        let samples = Samples { batch: samples.batch / at_once.max(4), ..*samples };
        let round = |(): &mut (), index: usize| {
            assert!(client.round(&rounds[index % rounds.len()], at_once) > 0);
        };
        samples.median_by(clock, || (), round) / at_once as f64
    }
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
