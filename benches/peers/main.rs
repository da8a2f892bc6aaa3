//! One GET of a project from Stuntdouble, and the same bytes from what people use instead, on one machine in one run.
//!
//! `.ci/peers` installs the peers that are not written in Rust and runs this; what is not there is left out.

#![forbid(unsafe_code)]

#[expect(dead_code, reason = "the benches use the rest")]
#[path = "../http.rs"]
mod http;
#[expect(dead_code, reason = "the benches use the rest")]
#[path = "../measure.rs"]
mod measure;
mod process;

use std::net::SocketAddr;
use std::time::Duration;

use self::http::Client;
use self::measure::{of_other_threads, since_the_start};
use self::process::Process;

/// Requests of a batch, one at a time; the median of the batches counts.
const BATCH: usize = 200;
const BATCHES: usize = 21;

/// Where a peer listens, and what it is asked.
struct Peer {
    addr: SocketAddr,
    request: Vec<u8>,
    /// `None`: it is a thread of this process.
    process: Option<Process>,
}

/// What one request takes, by the clock on the wall and of the server's processor time.
struct Cost {
    wall: Duration,
    processor: Duration,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1));
    let (simulator, request) = http::simulator();
    let length = Client::connect(simulator.addr()).round(&request, 1);
    let body = body_of(&simulator, &request);
    let inside = |addr: SocketAddr, request: Vec<u8>| Peer { addr, request, process: None };

    println!("| server | one GET, keep-alive | its processor time | start to first answer |\n|---|---|---|---|");
    row("bare hyper", || inside(http::bare_hyper(length), http::HELLO.to_vec()));
    row("Stuntdouble, in this process", || {
        let (server, request) = http::simulator();
        inside(Box::leak(Box::new(server)).addr(), request)
    });
    row("wiremock, in this process", || inside(wiremock(&body), request.clone()));
    row("httpmock, in this process", || inside(httpmock(&body), request.clone()));
    if let Some(binary) = flag("--stuntdouble") {
        row("Stuntdouble, a process", || Process::stuntdouble(binary));
    }
    if let Some(binary) = flag("--moto") {
        row("moto, a process", || Process::moto(binary));
    }
    if let Some(binary) = flag("--prism") {
        let document = flag("--openapi").expect("--prism wants --openapi FILE");
        row("Prism, a process, of our OpenAPI document", || Process::prism(binary, document));
    }
}

fn row(name: &str, start: impl FnOnce() -> Peer) {
    let before = since_the_start();
    let peer = start();
    let mut client = Client::connect(peer.addr);
    client.send(&peer.request);
    client.receive();
    let ready = since_the_start() - before;
    let Cost { wall, processor } = cost(&peer, &mut client);
    println!("| {name} | {} | {} | {} |", text(wall), text(processor), text(ready));
}

fn cost(peer: &Peer, client: &mut Client) -> Cost {
    let spent = || peer.process.as_ref().map_or_else(of_other_threads, Process::spent);
    let mut batches: Vec<(Duration, Duration)> = (0..BATCHES)
        .map(|_| {
            let (wall, processor) = (since_the_start(), spent());
            for _ in 0..BATCH {
                client.send(&peer.request);
                client.receive();
            }
            (since_the_start() - wall, spent().saturating_sub(processor))
        })
        .collect();
    let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
        batches.sort_by_key(of);
        of(&batches[BATCHES / 2]) / BATCH as u32
    };
    Cost { wall: median(|batch| batch.0), processor: median(|batch| batch.1) }
}

/// The body that Stuntdouble answers, for its peers to answer.
fn body_of(simulator: &sim_http::Server, request: &[u8]) -> String {
    let mut client = Client::connect(simulator.addr());
    client.send(request);
    let answer = String::from_utf8(client.receive()).expect("an answer is text");
    answer.split_once("\r\n\r\n").expect("it has a head").1.to_owned()
}

fn wiremock(body: &str) -> SocketAddr {
    use wiremock::matchers::{header_exists, method, path_regex};
    use wiremock::{Mock, MockServer, ResponseTemplate};

    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let answer = ResponseTemplate::new(200).set_body_raw(body, "application/json");
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        Mock::given(method("GET"))
            .and(path_regex("^/v1/projects/[a-z]{20}$"))
            .and(header_exists("authorization"))
            .respond_with(answer)
            .mount(&server)
            .await;
        server
    });
    let addr = *server.address();
    // Both serve until the process ends.
    Box::leak(Box::new((server, runtime)));
    addr
}

fn httpmock(body: &str) -> SocketAddr {
    let server = httpmock::MockServer::start();
    server.mock(|when, then| {
        when.method("GET").path_matches("^/v1/projects/[a-z]{20}$").header_exists("authorization");
        then.status(200).header("content-type", "application/json").body(body);
    });
    let addr = *server.address();
    Box::leak(Box::new(server));
    addr
}

fn text(time: Duration) -> String {
    let us = time.as_secs_f64() * 1e6;
    if us < 1e3 { format!("{us:.1} µs") } else { format!("{:.1} ms", us / 1e3) }
}
