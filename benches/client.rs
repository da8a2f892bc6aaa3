//! The fastest client there is, and a server in a process of its own to call.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// Requests that are on their way at once, so that the server's work counts and not the waiting.
pub(crate) const PIPELINED: usize = 32;

/// Different reads after which none is remembered that comes again: four times as many as a world has places for.
pub(crate) const MANY: usize = 1024;

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

    /// Sends so many requests at once and reads all answers; returns the length of an answer.
    pub(crate) fn round(&mut self, requests: &[u8], at_once: usize) -> usize {
        self.send(requests);
        if self.answer == 0 {
            self.answer = self.receive().len();
            self.take(self.answer * (at_once - 1));
        } else {
            self.take(self.answer * at_once);
        }
        self.answer
    }

    /// Sends as many requests at once as the benches do, until there were so many.
    pub(crate) fn rounds(&mut self, requests: &[u8], times: usize) {
        (0..times.div_ceil(PIPELINED)).for_each(|_| assert!(self.round(requests, PIPELINED) > 0));
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

/// The binary beside this one, if it was built.
pub(crate) fn binary() -> Option<PathBuf> {
    let binary = std::env::current_exe().expect("this program has a path").with_file_name("stuntdouble");
    if !binary.exists() {
        println!("no {} (cargo build --release builds it): processes are not measured", binary.display());
        return None;
    }
    Some(binary)
}
