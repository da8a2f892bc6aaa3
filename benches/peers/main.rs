//! One GET of a project from Stuntdouble, and the same bytes from alternatives, on one machine in one run.
//!
//! `.ci/peers` builds and installs all of them and runs this program: `sim-peers STUNTDOUBLE MOTO PRISM
//! OPENAPI`. Without the last three arguments it skips those peers.

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
use self::measure::{keep_to_one_core, of_other_threads, since_the_start};
use self::process::Process;

/// In a response after which the server closes the connection.
const LAST: &str = "\r\nConnection: close\r\n";

/// Requests per batch, or a few more; the median of the batches counts.
const BATCH: usize = 200;
const BATCHES: usize = 21;

/// The address of a server, and the requests to it.
struct Peer {
    addr: SocketAddr,
    /// Sent in turn.
    requests: Vec<Vec<u8>>,
    /// `None` if it runs in threads of this process.
    process: Option<Process>,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [stuntdouble, others @ ..] = &words[..] else { panic!("sim-peers STUNTDOUBLE [MOTO PRISM OPENAPI]") };
    keep_to_one_core();
    let ours = Row::start("Stuntdouble, a process of its own", || Process::stuntdouble(stuntdouble));
    let (head, body) = ours.answer.split_once("\r\n\r\n").expect("an answer has a head");
    let (length, body) = (head.len() + body.len(), body.to_owned());
    let mut rows = vec![
        ours,
        Row::start("bare hyper", || inside::asked_for_a_project(bare_hyper(length))),
        Row::start("Stuntdouble, in the same process", || inside::stuntdouble(1)),
        Row::start("the same, of 32 projects in turn", || inside::stuntdouble(PIPELINED)),
        Row::start("the same, of 1,024 projects", || inside::stuntdouble(MANY)),
        Row::start("wiremock", || inside::wiremock(&body)),
        Row::start("the same, a mock for each of 1,024 projects", || inside::wiremock_each(&body)),
        Row::start("httpmock", || inside::httpmock(&body)),
    ];
    if let [moto, prism, openapi] = others {
        rows.push(Row::start("moto server, its list of nothing, not kept alive", || Process::moto(moto)));
        let document = "Prism with our document, a list of an example";
        rows.push(Row::start(document, || Process::prism(prism, openapi)));
    }
    // In turn, so that other load on the machine affects all of them. The first round runs with cold caches.
    for batch in 0..=BATCHES {
        rows.iter_mut().for_each(|row| row.measure(batch > 0));
    }
    println!(
        "| server | one GET | its processor time | of {PIPELINED} pipelined, each | start to first answer |"
    );
    println!("|---|---|---|---|---|");
    rows.iter_mut().for_each(Row::print);
}

/// A server, and its measurements.
struct Row {
    name: &'static str,
    peer: Peer,
    /// Its response.
    answer: String,
    /// Time from its start to its first response.
    ready: Duration,
    client: Client,
    /// How many requests were sent.
    sent: usize,
    walls: Vec<Duration>,
    processor: Vec<Duration>,
    pipelined: Vec<Duration>,
}

impl Row {
    fn start(name: &'static str, start: impl FnOnce() -> Peer) -> Row {
        let before = since_the_start();
        let peer = start();
        let mut client = Client::connect(peer.addr);
        let answer = ask(&peer, &mut client, &peer.requests[0]);
        let ready = since_the_start() - before;
        let [walls, processor, pipelined] = [const { Vec::new() }; 3];
        Row { name, peer, answer, ready, client, sent: 1, walls, processor, pipelined }
    }

    /// Sends a batch of requests one after the other, and a batch with many in flight.
    fn measure(&mut self, counts: bool) {
        let (wall, before) = (since_the_start(), self.spent());
        for _ in 0..BATCH {
            ask(&self.peer, &mut self.client, &self.peer.requests[self.sent % self.peer.requests.len()]);
            self.sent += 1;
        }
        let (wall, processor) = (since_the_start() - wall, self.spent().saturating_sub(before));
        self.walls.extend(counts.then_some(wall / BATCH as u32));
        self.processor.extend(counts.then_some(processor / BATCH as u32));
        if self.ends_connections() {
            return;
        }
        let requests = self.peer.requests.iter().cycle().skip(self.sent % self.peer.requests.len());
        let requests: Vec<_> = requests.take(BATCH.next_multiple_of(PIPELINED)).map(Vec::as_slice).collect();
        let rounds: Vec<_> = requests.chunks(PIPELINED).map(<[&[u8]]>::concat).collect();
        let before = self.spent();
        rounds.iter().for_each(|round| assert!(self.client.round(round, PIPELINED) > 0));
        let processor = self.spent().saturating_sub(before);
        self.pipelined.extend(counts.then_some(processor / requests.len() as u32));
        self.sent += requests.len();
    }

    fn spent(&self) -> Duration {
        self.peer.process.as_ref().map_or_else(of_other_threads, Process::spent)
    }

    fn ends_connections(&self) -> bool {
        self.answer.contains(LAST)
    }

    fn print(&mut self) {
        let [wall, processor] = [&mut self.walls, &mut self.processor].map(|times| text(median(times)));
        let many = if self.ends_connections() { "–".to_owned() } else { text(median(&mut self.pipelined)) };
        println!("| {} | {wall} | {processor} | {many} | {} |", self.name, text(self.ready));
    }
}

/// One request and its response; opens a new connection next time if the server closes this one.
fn ask(peer: &Peer, client: &mut Client, request: &[u8]) -> String {
    client.send(request);
    let answer = String::from_utf8(client.receive()).expect("an answer is text");
    if answer.contains(LAST) {
        *client = Client::connect(peer.addr);
    }
    answer
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn text(time: Duration) -> String {
    let us = time.as_secs_f64() * 1e6;
    if us < 1e3 { format!("{us:.1} µs") } else { format!("{:.1} ms", us / 1e3) }
}
