//! A client as fast as possible, and a server in its own process.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{hint, mem};

use serde_json::Value;

/// Requests in flight, so that the figure is the server's work and not the waiting.
pub(crate) const PIPELINED: usize = 32;

/// The number of different reads after which no repeated read is cached: four times the cache's entries per
/// world.
pub(crate) const MANY: usize = 1024;

/// A keep-alive connection that reads of a response only where it ends.
pub(crate) struct Client {
    stream: TcpStream,
    chunk: Box<[u8; 1 << 16]>,
    received: Vec<u8>,
    /// How many of those bytes belong to consumed responses.
    taken: usize,
}

impl Client {
    pub(crate) fn connect(addr: SocketAddr) -> Client {
        let stream = TcpStream::connect(addr).expect("the server listens");
        stream.set_nodelay(true).expect("the socket takes options");
        Client { stream, chunk: Box::new([0; 1 << 16]), received: Vec::new(), taken: 0 }
    }

    /// A client that never sleeps, so that the server spends no time on waking it.
    pub(crate) fn awake(addr: SocketAddr) -> Client {
        let client = Client::connect(addr);
        client.stream.set_nonblocking(true).expect("the socket takes options");
        client
    }

    /// Sends this many requests at once and reads all responses; returns the length of the last one.
    pub(crate) fn round(&mut self, requests: &[u8], at_once: usize) -> usize {
        self.send(requests);
        (0..at_once).map(|_| self.take().len()).last().expect("there are requests")
    }

    /// Sends requests in the batches of the benches, until there were this many.
    pub(crate) fn rounds(&mut self, requests: &[u8], times: usize) {
        (0..times.div_ceil(PIPELINED)).for_each(|_| assert!(self.round(requests, PIPELINED) > 0));
    }

    /// Sends requests whose responses are received later.
    pub(crate) fn send(&mut self, requests: &[u8]) {
        self.stream.write_all(requests).expect("the connection is open");
    }

    /// The next response.
    pub(crate) fn receive(&mut self) -> Vec<u8> {
        self.take().to_vec()
    }

    /// The next response without a copy. Responses differ in length, because call numbers grow.
    fn take(&mut self) -> &[u8] {
        loop {
            let rest = &self.received[self.taken..];
            match length_of_answer(rest) {
                Some(length) if length <= rest.len() => {
                    self.taken += length;
                    return &self.received[self.taken - length..self.taken];
                }
                _ => self.fill(),
            }
        }
    }

    fn fill(&mut self) {
        self.received.drain(..mem::take(&mut self.taken));
        let count = loop {
            match self.stream.read(&mut *self.chunk) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => hint::spin_loop(),
                read => break read.expect("every answer comes"),
            }
        };
        assert!(count > 0, "the server ended the connection");
        self.received.extend(&self.chunk[..count]);
    }
}

/// The end of a response that begins with these bytes, once its head is complete.
fn length_of_answer(bytes: &[u8]) -> Option<usize> {
    const LENGTH: &[u8] = b"content-length: ";
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let mut lines = bytes[..head].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let status = lines.next().unwrap_or_default();
    assert!(status.starts_with(b"HTTP/1.1 20"), "{}", String::from_utf8_lossy(bytes));
    let length = lines.find_map(|line| {
        let (name, value) = line.split_at_checked(LENGTH.len())?;
        name.eq_ignore_ascii_case(LENGTH).then(|| str::from_utf8(value).ok()?.parse::<usize>().ok())?
    });
    Some(head + length.expect("the answer has a length"))
}

/// A running `stuntdouble` server process.
pub(crate) struct Serving {
    child: Child,
    pub addr: SocketAddr,
    pub token: String,
}

impl Serving {
    /// `None` if there is no binary next to this one.
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

    /// The reference of a new project of that name.
    pub(crate) fn project(&self, name: &str) -> String {
        let body = format!(
            r#"{{"db_pass":"correct horse","name":"{name}","organization_id":"acme","region":"us-east-1"}}"#
        );
        let mut client = Client::connect(self.addr);
        client.send(post("/v1/projects", &self.token, &body).as_bytes());
        let created = String::from_utf8(client.receive()).expect("an answer is text");
        let project = created.split_once("\r\n\r\n").map(|(_, body)| body).expect("it has a body");
        let project: Value = serde_json::from_str(project).expect("a project is JSON");
        project["id"].as_str().expect("it has a reference").to_owned()
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

pub(crate) fn post(path: &str, token: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// The binary next to this one, if it was built.
pub(crate) fn binary() -> Option<PathBuf> {
    let binary = std::env::current_exe().expect("this program has a path").with_file_name("stuntdouble");
    if !binary.exists() {
        println!("no {} (cargo build --release builds it): processes are not measured", binary.display());
        return None;
    }
    Some(binary)
}
