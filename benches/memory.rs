//! Memory of the `stuntdouble` process after ten thousand requests, after a million, and after worlds are
//! deleted.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

use sim_core::management::project::CreateProject;

use crate::client::Serving;
use crate::measure::Report;

/// Requests in flight.
const PIPELINED: usize = 32;

pub(crate) fn run(quick: bool, report: &mut Report) {
    let Some(serving) = Serving::start(&["--rate-limit", "off"]) else { return };
    let Some(_) = resident(serving.pid()) else {
        println!("no /proc: memory is not measured");
        return;
    };
    let mut client = Client::connect(&serving);
    let project = CreateProject::named("bench", "acme");
    let project = serde_json::to_string(&project).expect("a request is plain data");
    let created = client.request("POST", "/v1/projects", &project);
    let path = created["id"].as_str().map(|r#ref| format!("/v1/projects/{ref}")).expect("a project");
    let early = 10_000;
    client.mixed(&path, early);
    let before = resident(serving.pid()).expect("it existed a moment ago");
    let late = if quick { 100_000 } else { 1_000_000 };
    client.mixed(&path, late - early);
    let after = resident(serving.pid()).expect("it existed a moment ago");
    let what = if quick { "memory after 10⁵ requests" } else { "memory after 10⁶ requests" };
    report.add_bytes(what, after, ("after 10⁴", before), "flat");
    client.worlds(1_000);
    let before = resident(serving.pid()).expect("it existed a moment ago");
    client.worlds(4_000);
    let after = resident(serving.pid()).expect("it existed a moment ago");
    report.add_bytes("memory after 5,000 worlds made and deleted", after, ("after 1,000", before), "flat");
}

/// Resident bytes of a process.
pub(crate) fn resident(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}

struct Client {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Client {
    fn connect(serving: &Serving) -> Client {
        let stream = TcpStream::connect(serving.addr).expect("the server listens");
        Client { stream: BufReader::new(stream), token: serving.token.clone() }
    }

    /// Reads of a project, writes and reads of its secrets, in turn.
    fn mixed(&mut self, path: &str, count: usize) {
        let secrets = format!("{path}/secrets");
        for first in (0..count).step_by(PIPELINED) {
            let numbers = first..(first + PIPELINED).min(count);
            for number in numbers.clone() {
                let secret = format!(r#"[{{"name":"NAME_{}","value":"{number}"}}]"#, number % 10);
                match number % 3 {
                    0 => self.send("GET", path, ""),
                    1 => self.send("POST", &secrets, &secret),
                    _ => self.send("GET", &secrets, ""),
                }
            }
            numbers.for_each(|_| drop(self.answer()));
        }
    }

    /// Worlds, one after the other: created, a project created in it, deleted.
    fn worlds(&mut self, count: usize) {
        let project = CreateProject::named("bench", "acme");
        let project = serde_json::to_string(&project).expect("a request is plain data");
        for _ in 0..count {
            let world = self.request("POST", "/_sim/worlds", r#"{"name":"passing"}"#);
            let token = world["token"].as_str().expect("it has a user").to_owned();
            let own = std::mem::replace(&mut self.token, token);
            self.request("POST", "/v1/projects", &project);
            self.token = own;
            self.request("DELETE", "/_sim/worlds/passing", "");
        }
    }

    fn request(&mut self, method: &str, path: &str, body: &str) -> serde_json::Value {
        self.send(method, path, body);
        serde_json::from_slice(&self.answer()).expect("the answer is JSON")
    }

    fn send(&mut self, method: &str, path: &str, body: &str) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("the connection is open");
    }

    fn answer(&mut self) -> Vec<u8> {
        let (mut length, mut line) = (0, String::new());
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).expect("every answer comes");
            assert!(!line.starts_with("HTTP/1.1") || line.starts_with("HTTP/1.1 20"), "{line}");
            if let Some(text) = line.strip_prefix("content-length: ") {
                length = text.trim().parse().expect("a length is a number");
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("the answer is whole");
        body
    }
}
