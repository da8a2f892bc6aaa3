//! A minimal client: it sends bytes and returns the answer.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use sim_core::Simulator;
use sim_http::Server;

/// No test waits longer for anything; it fails instead.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    /// Takes a response apart; `None` where nothing came.
    pub(crate) fn parse(raw: &str) -> Option<Answer> {
        let (head, body) = raw.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Some(Answer { status, headers, body: body.to_owned() })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn reason(&self) -> &str {
        self.header("x-sim-reason").unwrap_or_default()
    }
}

pub(crate) fn spawn() -> Server {
    Server::spawn(Simulator::builder().build())
}

pub(crate) fn connect(addr: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(addr).expect("the server accepts");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
    stream
}

/// Everything until the server closes the connection.
pub(crate) fn rest_of(stream: &mut TcpStream) -> String {
    let mut raw = Vec::new();
    // A reset after the answer is an end, too.
    let _ = stream.read_to_end(&mut raw);
    String::from_utf8_lossy(&raw).into_owned()
}

/// Sends `raw`; returns everything received until the server closes the connection.
pub(crate) fn send(addr: SocketAddr, raw: &[u8]) -> String {
    let mut stream = connect(addr);
    stream.write_all(raw).expect("the server reads");
    rest_of(&mut stream)
}

/// Sends `raw` and says that this is all.
pub(crate) fn send_all_there_is(addr: SocketAddr, raw: &[u8]) -> String {
    let mut stream = connect(addr);
    stream.write_all(raw).expect("the server reads");
    stream.shutdown(Shutdown::Write).expect("it is open");
    rest_of(&mut stream)
}

/// One call with the headers given, and no others but what HTTP asks for.
pub(crate) fn call_with(
    server: &Server,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let answer = attempt(server, method, path, headers, body);
    answer.unwrap_or_else(|| panic!("{method} {path}: no answer"))
}

/// The same; `None` where nothing came.
pub(crate) fn attempt(
    server: &Server,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<Answer> {
    let addr = server.addr();
    let host = if headers.iter().any(|(name, _)| *name == "host") {
        String::new()
    } else {
        format!("host: {addr}\r\n")
    };
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let raw = format!(
        "{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    );
    Answer::parse(&send(addr, raw.as_bytes()))
}

/// One call with the server's token.
pub(crate) fn call(server: &Server, method: &str, path: &str, body: &str) -> Answer {
    let bearer = format!("Bearer {}", server.token());
    call_with(server, method, path, &[("authorization", &bearer), ("content-type", "application/json")], body)
}

pub(crate) fn get(server: &Server, path: &str) -> Answer {
    call(server, "GET", path, "")
}

pub(crate) fn post(server: &Server, path: &str, body: &str) -> Answer {
    call(server, "POST", path, body)
}

/// The body of a valid request for a project in the organization of a new world.
pub(crate) fn new_project(server: &Server) -> String {
    let organizations = get(server, "/v1/organizations").json();
    serde_json::json!({
        "name": "demo",
        "organization_id": organizations[0]["id"],
        "db_pass": "correct horse battery",
        "region": "us-east-1",
    })
    .to_string()
}
