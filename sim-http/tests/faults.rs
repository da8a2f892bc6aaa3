//! The effects of fault rules on connections.

use std::io::{ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use sim_core::Simulator;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_http::Server;

use crate::client::{connect, send};

const GET: &[u8] = b"GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

/// A server with a fault for the first call.
fn server(effect: Effect) -> Server {
    let mut sim = Simulator::builder().build();
    sim.as_admin().call(AddFault(Fault::new(On::path("*"), effect))).expect("a good rule");
    Server::spawn(sim)
}

/// A good request for the list of projects.
fn list(server: &Server) -> Vec<u8> {
    let token = server.token();
    format!(
        "GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    )
    .into_bytes()
}

#[test]
fn a_reset_connection_is_reset() {
    for effect in [Effect::Reset, Effect::LostAnswer, Effect::Late { ms: 10 }] {
        let server = server(effect);
        let mut stream = connect(server.addr());
        stream.write_all(GET).expect("the server reads");
        let mut answer = Vec::new();
        let end = stream.read_to_end(&mut answer);
        assert!(answer.is_empty());
        assert_eq!(end.expect_err("a reset").kind(), ErrorKind::ConnectionReset);
        assert!(send(server.addr(), GET).starts_with("HTTP/1.1 401"), "the next call is answered");
    }
}

#[test]
fn a_torn_answer_is_shorter_than_announced() {
    let server = server(Effect::Torn);
    let answer = send(server.addr(), &list(&server));
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let announced = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let announced: usize = announced.expect("a length").parse().expect("a number");
    assert!(body.len() < announced, "{answer}");
}

#[test]
fn latency_is_waited_for_and_a_slow_body_comes_whole() {
    let time = Duration::from_millis(120);
    for effect in [Effect::Latency { ms: 120 }, Effect::Slow { ms: 120 }] {
        let server = server(effect);
        let began = Instant::now();
        let answer = send(server.addr(), &list(&server));
        // At least: that is what was asked for, and no machine is too slow for it.
        assert!(began.elapsed() >= time, "{:?}", began.elapsed());
        assert!(answer.ends_with("\r\n\r\n[]"), "{answer}");
    }
}
