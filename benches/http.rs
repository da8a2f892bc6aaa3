//! The HTTP shim beside a bare hyper server with an answer of the same size, and a process from start to first answer.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sim_core::management::project::ProjectRef;
use sim_http::Server;

use crate::bare::{HELLO, bare_hyper};
use crate::client::{Client, PIPELINED, Serving, binary};
use crate::in_process::world;
use crate::measure::{Report, Samples, of_other_threads, since_the_start};

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let (server, each) = simulator();
    let mut client = Client::connect(server.addr());
    let length = client.round(&each[0], 1);
    let mut bare = Client::connect(bare_hyper(length));

    let alone = Rounds { samples, at_once: 1, clock: of_other_threads };
    let limit = Some(("bare hyper", alone.median(&mut bare, &[HELLO.to_vec()])));
    report.add("HTTP GET project, one at a time", alone.median(&mut client, &each), limit, "≤ 2.5 ×");
    let polled = alone.median(&mut client, &each[..1]);
    report.add("the same of one project, polled", polled, limit, "≤ 2.5 ×");

    let (each, polled) = ([each.concat()], [each[0].repeat(PIPELINED)]);
    let hello = [HELLO.repeat(PIPELINED)];
    let mut bare = Client::connect(bare_hyper(length));
    let many = Rounds { at_once: PIPELINED, ..alone };
    let limit = Some(("bare hyper", many.median(&mut bare, &hello)));
    report.add("HTTP GET project, 32 pipelined", many.median(&mut client, &each), limit, "≤ 2.5 ×");
    report.add("the same of one project, polled", many.median(&mut client, &polled), limit, "≤ 2.5 ×");

    let wall = Rounds { clock: since_the_start, ..many };
    let limit = Some(("bare hyper", wall.median(&mut bare, &hello)));
    let (each, polled) = (wall.median(&mut client, &each), wall.median(&mut client, &polled));
    report.add("32 pipelined by the clock on the wall", each, limit, "≤ 2.5 ×");
    report.add("the same of one project, polled", polled, limit, "≤ 2.5 ×");
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

/// A server, and the requests for as many projects as are pipelined: more than a world remembers.
pub(crate) fn simulator() -> (Server, Vec<Vec<u8>>) {
    let (sim, refs) = world(PIPELINED);
    let server = Server::spawn(sim);
    let request = |r#ref: &ProjectRef| {
        format!(
            "GET /v1/projects/{ref} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
            server.token()
        )
        .into_bytes()
    };
    let requests = refs.iter().map(request).collect();
    (server, requests)
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
