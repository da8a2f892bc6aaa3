//! The HTTP shim beside a bare hyper server with an answer of the same size, and a process from start to first answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use sim_core::Policy;
use sim_core::engine::RateLimit;
use sim_core::management::project::CreateProject;
use sim_http::Server;

use crate::measure::{Report, Samples, of_other_threads, since_the_start};

/// Requests that are on their way at once, so that the server's work counts and not the waiting.
const PIPELINED: usize = 32;

/// What the bare server is asked.
pub(crate) const HELLO: &[u8] = b"GET /hello HTTP/1.1\r\nhost: localhost\r\n\r\n";

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

/// A keep-alive connection that counts bytes: the fastest client there is.
pub(crate) struct Client {
    stream: TcpStream,
    received: Vec<u8>,
    /// Bytes of one answer; all are alike.
    answer: usize,
}

impl Client {
    pub(crate) fn connect(addr: SocketAddr) -> Client {
        let stream = TcpStream::connect(addr).expect("the server listens");
        stream.set_nodelay(true).expect("the socket takes options");
        Client { stream, received: Vec::new(), answer: 0 }
    }

    /// Sends `request` so many times at once and reads all answers; returns the length of an answer.
    pub(crate) fn round(&mut self, request: &[u8], at_once: usize) -> usize {
        self.send(&request.repeat(at_once));
        if self.answer == 0 {
            self.answer = self.receive().len();
            self.take(self.answer * (at_once - 1));
        } else {
            self.take(self.answer * at_once);
        }
        self.answer
    }

    /// Sends `request` so many times, as many at once as the benches do.
    pub(crate) fn rounds(&mut self, request: &[u8], times: usize) {
        for _ in 0..times.div_ceil(PIPELINED) {
            self.round(request, PIPELINED);
        }
    }

    /// Sends requests whose answers are received later.
    pub(crate) fn send(&mut self, requests: &[u8]) {
        self.stream.write_all(requests).expect("the connection stands");
    }

    /// The next answer, of whatever length.
    pub(crate) fn receive(&mut self) -> Vec<u8> {
        loop {
            match length_of_answer(&self.received) {
                Some(length) if length <= self.received.len() => return self.take(length),
                _ => self.fill(),
            }
        }
    }

    fn take(&mut self, bytes: usize) -> Vec<u8> {
        while self.received.len() < bytes {
            self.fill();
        }
        self.received.drain(..bytes).collect()
    }

    fn fill(&mut self) {
        let mut chunk = [0; 1 << 16];
        let count = self.stream.read(&mut chunk).expect("every answer comes");
        assert!(count > 0, "the server ended the connection");
        self.received.extend(&chunk[..count]);
    }
}

/// Where an answer that begins with these bytes ends, once its head is there.
fn length_of_answer(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    assert!(text.starts_with("http/1.1 20"), "{text}");
    let length = text.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
    Some(head + length.and_then(|text| text.parse::<usize>().ok()).expect("the answer has a length"))
}

/// A hyper server that answers everything with so many bytes, head included as near as can be.
pub(crate) fn bare_hyper(bytes: usize) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let addr = listener.local_addr().expect("a bound socket has an address");
    listener.set_nonblocking(true).expect("the socket takes options");
    let body = Bytes::from(vec![b'x'; bytes.saturating_sub(120)]);
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("the listener is good");
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).expect("the socket takes options");
                let body = body.clone();
                let answer = service_fn(move |_| {
                    let body = body.clone();
                    async move { Ok::<_, std::convert::Infallible>(hyper::Response::new(Full::new(body))) }
                });
                tokio::spawn(async move {
                    let http1 = hyper::server::conn::http1::Builder::new();
                    // A connection that ends badly is the client's affair.
                    let _ = http1.serve_connection(TokioIo::new(stream), answer).await;
                });
            }
        });
    });
    addr
}

/// A `stuntdouble` process that serves.
pub(crate) struct Serving {
    child: Child,
    pub addr: SocketAddr,
    pub token: String,
}

impl Serving {
    /// `None` when there is no binary beside this one.
    pub(crate) fn start(flags: &[&str]) -> Option<Serving> {
        binary().map(|binary| Serving::of(&binary, flags))
    }

    pub(crate) fn of(binary: &Path, flags: &[&str]) -> Serving {
        let mut child = Command::new(binary)
            .args(["serve", "--port", "0", "--json"])
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output is piped"))
            .read_line(&mut line)
            .expect("it says its URL");
        let said: Value = serde_json::from_str(&line).expect("the line is JSON");
        let word = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
        let addr = word("url").trim_start_matches("http://").trim_end_matches('/').parse();
        Serving { child, addr: addr.expect("the URL has an address"), token: word("token") }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait().map(drop)).expect("the process ends");
    }
}

fn binary() -> Option<PathBuf> {
    let binary = std::env::current_exe().expect("this program has a path").with_file_name("stuntdouble");
    if !binary.exists() {
        println!("no {} (cargo build --release builds it): processes are not measured", binary.display());
        return None;
    }
    Some(binary)
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
