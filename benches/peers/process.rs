//! Peers that run in their own processes.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Peer;
use crate::client::Serving;

/// The header of a request that identifies the caller.
pub(crate) const AUTHORIZED: &str = "authorization: Bearer token\r\n";

/// A server that is stopped when this value is dropped.
pub(crate) enum Process {
    Ours(Serving),
    Theirs(Child),
}

impl Process {
    /// A `stuntdouble` asked for a project. Its clock is paused, as its peers have none.
    pub(crate) fn stuntdouble(binary: &str) -> Peer {
        let serving = Serving::of(binary.as_ref(), &["--rate-limit", "off", "--speed", "0"]);
        let path = format!("/v1/projects/{}", serving.project("bench"));
        let request = get(&path, &format!("authorization: Bearer {}\r\n", serving.token));
        Peer { addr: serving.addr, requests: vec![request], process: Some(Process::Ours(serving)) }
    }

    /// A `moto_server` asked for its state, which is empty.
    pub(crate) fn moto(binary: &str) -> Peer {
        let request = get("/moto-api/data.json", "");
        Process::start(|port| vec![binary.into(), "--port".into(), port], request)
    }

    /// Prism with our document, asked for the list of projects: it answers with an example.
    pub(crate) fn prism(binary: &str, document: &str) -> Peer {
        let request = get("/v1/projects", AUTHORIZED);
        let words = |port| vec![binary.into(), "mock".into(), "--port".into(), port, document.into()];
        Process::start(words, request)
    }

    /// Processor time used by it and its child processes.
    pub(crate) fn spent(&self) -> Duration {
        let pid = match self {
            Process::Ours(serving) => serving.pid(),
            Process::Theirs(child) => child.id(),
        };
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).expect("the process is there");
        let spent = tasks.filter_map(|task| {
            let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(spent.sum())
    }

    fn start(words: impl FnOnce(String) -> Vec<String>, request: Vec<u8>) -> Peer {
        let addr = free_address();
        let words = words(addr.port().to_string());
        let mut command = Command::new(&words[0]);
        let child = command.args(&words[1..]).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let process = Process::Theirs(child.expect("the peer starts"));
        while TcpStream::connect(addr).is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Peer { addr, requests: vec![request], process: Some(process) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Process::Theirs(child) = self {
            child.kill().and_then(|()| child.wait().map(drop)).expect("the process ends");
        }
    }
}

pub(crate) fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").into_bytes()
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("a bound socket has an address")
}
