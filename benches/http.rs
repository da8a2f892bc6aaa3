//! The HTTP shim, compared with a bare hyper server with a response of the same size; and a process from
//! start to first response.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use sim_core::management::project::ProjectRef;
use sim_http::Server;

use crate::bare::bare_hyper;
use crate::client::{Client, MANY, PIPELINED, Serving, binary};
use crate::in_process::world;
use crate::measure::{Report, Samples, keep_to_one_core, of_other_threads};

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    thread::scope(|scope| scope.spawn(|| on_one_core(samples, report)).join()).expect("every answer comes");
}

/// Client and server take turns, so that neither waits for a core to wake up.
fn on_one_core(samples: &Samples, report: &mut Report) {
    keep_to_one_core();
    // Each world caches its last reads.
    let servers = [MANY, PIPELINED, 1].map(|projects| (projects, simulator()));
    let length = Client::connect(servers[0].1.0.addr()).round(&servers[0].1.1[0], 1);
    let asked = |at_once: usize| {
        let bare = Asked::of(bare_hyper(length), &servers[0].1.1, at_once);
        let [of_many, in_turn, polled] = servers
            .each_ref()
            .map(|(projects, (server, requests))| Asked::of(server.addr(), &requests[..*projects], at_once));
        [bare, of_many, in_turn, polled]
    };
    for (what, at_once) in [
        ("HTTP GET of 1,024 projects, one at a time", 1),
        ("HTTP GET of 1,024 projects, 32 pipelined", PIPELINED),
    ] {
        let samples = Samples { batch: samples.batch / at_once.max(4), ..*samples };
        let round = |asked: &mut Asked, (): &mut (), index| asked.round(index, at_once);
        let times = samples.medians(of_other_threads, &mut asked(at_once), |_| (), round);
        let [bare, of_many, in_turn, polled] = times.map(|time| time / at_once as f64);
        let limit = Some(("bare hyper", bare));
        report.add(what, of_many, limit, "≤ 2.5 ×");
        report.add("the same of 32 projects in turn", in_turn, limit, "≤ 2.5 ×");
        report.add("the same of one project, polled", polled, limit, "≤ 2.5 ×");
    }
}

/// A server, and the requests sent to it in turn.
struct Asked {
    client: Client,
    rounds: Vec<Vec<u8>>,
}

impl Asked {
    fn of(addr: SocketAddr, requests: &[Vec<u8>], at_once: usize) -> Asked {
        let requests: Vec<_> =
            requests.iter().cycle().take(requests.len().max(at_once)).map(Vec::as_slice).collect();
        Asked {
            client: Client::connect(addr),
            rounds: requests.chunks(at_once).map(<[&[u8]]>::concat).collect(),
        }
    }

    fn round(&mut self, index: usize, at_once: usize) {
        let Asked { client, rounds } = self;
        assert!(client.round(&rounds[index % rounds.len()], at_once) > 0);
    }
}

/// A server, and the requests for its projects: more than a world caches.
pub(crate) fn simulator() -> (Server, Vec<Vec<u8>>) {
    let (sim, refs) = world(MANY);
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

/// From the start of the process to its first response.
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
