//! One GET of a project from Stuntdouble, and the same bytes from what people use instead, on one machine in one run.
//!
//! `.ci/peers` builds and installs them all and runs this: `sim-peers STUNTDOUBLE MOTO PRISM OPENAPI`. Without the last
//! three it does without those peers.

#![forbid(unsafe_code)]

#[path = "../bare.rs"]
mod bare;
#[expect(dead_code, reason = "the benches use the rest")]
#[path = "../client.rs"]
mod client;
mod inside;
#[expect(dead_code, reason = "the benches use the rest")]
#[path = "../measure.rs"]
mod measure;
mod process;

use std::net::SocketAddr;
use std::time::Duration;

use self::bare::bare_hyper;
use self::client::{Client, MANY, PIPELINED};
use self::measure::{of_other_threads, since_the_start};
use self::process::Process;

/// In an answer after which the server ends the connection.
const LAST: &str = "\r\nConnection: close\r\n";

/// Requests of a batch, or a few more; the median of the batches counts.
const BATCH: usize = 200;
const BATCHES: usize = 21;

/// Where a server listens, and what it is asked.
struct Peer {
    addr: SocketAddr,
    /// Sent in turn.
    requests: Vec<Vec<u8>>,
    /// `None`: it runs in threads of this process.
    process: Option<Process>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [stuntdouble, others @ ..] = &words[..] else { panic!("sim-peers STUNTDOUBLE [MOTO PRISM OPENAPI]") };
    println!(
        "| server | one GET | its processor time | of {PIPELINED} pipelined, each | start to first answer |"
    );
    println!("|---|---|---|---|---|");
    let answer = row("Stuntdouble, a process of its own", || Process::stuntdouble(stuntdouble));
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
    let length = head.len() + body.len();
    row("bare hyper", || inside::asked_for_a_project(bare_hyper(length)));
    row("Stuntdouble, in the same process", || inside::stuntdouble(1));
    row("the same, of 32 projects in turn", || inside::stuntdouble(PIPELINED));
    row("the same, of 1,024 projects", || inside::stuntdouble(MANY));
    row("wiremock", || inside::wiremock(body));
    row("httpmock", || inside::httpmock(body));
    if let [moto, prism, openapi] = others {
        row("moto server, its list of nothing, not kept alive", || Process::moto(moto));
        row("Prism with our document, a list of an example", || Process::prism(prism, openapi));
    }
}

/// Measures a server, prints it, and returns what it answers.
fn row(name: &str, start: impl FnOnce() -> Peer) -> String {
    let before = since_the_start();
    let peer = start();
    let mut client = Client::connect(peer.addr);
    let mut requests = peer.requests.iter().cycle();
    let mut next = || requests.next().expect("there is a request");
    let answer = ask(&peer, &mut client, next());
    let ready = since_the_start() - before;
    let (wall, processor) = cost(&peer, 1, || drop(ask(&peer, &mut client, next())));
    let many = match answer.contains(LAST) {
        true => "–".to_owned(),
        false => {
            let round = |_| (0..PIPELINED).flat_map(|_| next().clone()).collect::<Vec<u8>>();
            let rounds: Vec<_> = (0..peer.requests.len().div_ceil(PIPELINED)).map(round).collect();
            let mut client = Client::awake(peer.addr);
            let mut rounds = rounds.iter().cycle();
            let mut next = || rounds.next().expect("there is a round");
            text(cost(&peer, PIPELINED, || assert!(client.round(next(), PIPELINED) > 0)).1)
        }
    };
    println!("| {name} | {} | {} | {many} | {} |", text(wall), text(processor), text(ready));
    answer
}

/// One request and its answer, over a new connection next time where the server ends this one.
fn ask(peer: &Peer, client: &mut Client, request: &[u8]) -> String {
    client.send(request);
    let answer = String::from_utf8(client.receive()).expect("an answer is text");
    if answer.contains(LAST) {
        *client = Client::connect(peer.addr);
    }
    answer
}

/// What one request takes, by the clock on the wall and of the server's processor time, when `round` makes so many at once.
fn cost(peer: &Peer, at_once: usize, mut round: impl FnMut()) -> (Duration, Duration) {
    let spent = || peer.process.as_ref().map_or_else(of_other_threads, Process::spent);
    let rounds = BATCH.div_ceil(at_once);
    let mut batches: Vec<(Duration, Duration)> = (0..BATCHES)
        .map(|_| {
            let (wall, processor) = (since_the_start(), spent());
            (0..rounds).for_each(|_| round());
            (since_the_start() - wall, spent().saturating_sub(processor))
        })
        .collect();
    let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
        batches.sort_by_key(of);
        of(&batches[BATCHES / 2]) / (rounds * at_once) as u32
    };
    (median(|batch| batch.0), median(|batch| batch.1))
}

fn text(time: Duration) -> String {
    let us = time.as_secs_f64() * 1e6;
    if us < 1e3 { format!("{us:.1} µs") } else { format!("{:.1} ms", us / 1e3) }
}
