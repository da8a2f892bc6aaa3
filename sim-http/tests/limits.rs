//! Limits on clients: exceeding one is answered if possible, and does not affect other clients.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use sim_core::management::project::CreateProject;
use sim_core::{Policy, Simulator};
use sim_http::{Limits, Server};

use crate::client::{Answer, connect, get, new_project, rest_of, send, send_all_there_is, spawn};

/// Long enough for a request to arrive on a busy machine, short enough to wait for.
const SHORT: Duration = Duration::from_millis(100);

fn strict(limits: Limits) -> Server {
    let policy = Policy { max_body_bytes: 1000, ..Policy::default() };
    let server = Server::builder().limits(limits).spawn(Simulator::builder().policy(policy).build());
    server.expect("a port is to be had")
}

fn post_head(server: &Server, more: &str) -> String {
    let token = server.token();
    format!(
        "POST /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n{more}\r\n\r\n"
    )
}

fn refusal(raw: &str) -> (u16, String, String) {
    let answer = Answer::parse(raw).unwrap_or_else(|| panic!("{raw:?}"));
    let message = answer.json()["message"].as_str().unwrap_or_default().to_owned();
    (answer.status, answer.reason().to_owned(), message)
}

fn too_large() -> (u16, String, String) {
    let text = "request entity too large, the limit is 1000 bytes";
    (413, "body_too_large".to_owned(), text.to_owned())
}

#[test]
fn an_oversized_body_is_413_unread() {
    let server = strict(Limits::default());
    for more in ["content-length: 1001", "content-length: 1001\r\nexpect: 100-continue"] {
        // Nothing of the body is sent: who waited for it would wait for ever.
        assert_eq!(refusal(&send(server.addr(), post_head(&server, more).as_bytes())), too_large(), "{more}");
    }
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn an_oversized_body_of_unknown_length_is_413_while_read() {
    let server = strict(Limits::default());
    let head = post_head(&server, "transfer-encoding: chunked");
    let chunk = format!("{:x}\r\n{}\r\n", 600, "x".repeat(600));
    // There is no last chunk.
    let answer = send(server.addr(), format!("{head}{chunk}{chunk}").as_bytes());
    assert_eq!(refusal(&answer), too_large());
}

#[test]
fn who_sends_all_of_an_oversized_body_sees_the_answer() {
    let server = strict(Limits::default());
    let body = vec![b'x'; 20 << 20];
    let mut request = post_head(&server, &format!("content-length: {}", body.len())).into_bytes();
    request.extend(body);
    assert_eq!(refusal(&send_all_there_is(server.addr(), &request)), too_large());
}

#[test]
fn who_has_said_all_is_still_answered() {
    let server = spawn();
    let body = new_project(&server);
    for n in 0..20 {
        let body = body.replace("demo", &format!("demo-{n}"));
        let head = post_head(&server, &format!("content-length: {}", body.len()));
        let answer = send_all_there_is(server.addr(), format!("{head}{body}").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 201 Created"), "{answer}");
    }
}

#[test]
fn an_oversized_head_is_431() {
    let server = spawn();
    let long = "x".repeat(70 << 10);
    for request in [
        format!("GET / HTTP/1.1\r\nhost: localhost\r\nx-long: {long}\r\n\r\n"),
        format!("GET /{long} HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "x-many: 1\r\n".repeat(200)),
    ] {
        let answer = send_all_there_is(server.addr(), request.as_bytes());
        let (status, reason, message) = refusal(&answer);
        assert_eq!((status, &*reason), (431, "headers_too_large"));
        assert_eq!(message, "headers: more than 65536 bytes with the request line, or more than 100 headers");
    }
    assert_eq!(get(&server, "/v1/projects").status, 200);
}

#[test]
fn fewer_headers_than_usual_may_be_too_many() {
    let server = strict(Limits { headers: 4, ..Limits::default() });
    for (more, status) in [(2, "200 OK"), (3, "431 ")] {
        let request = format!(
            "GET / HTTP/1.1\r\nhost: localhost\r\n{}connection: close\r\n\r\n",
            "x-more: 1\r\n".repeat(more)
        );
        let answer = send(server.addr(), request.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{more} more: {answer}");
    }
}

#[test]
fn a_slow_body_is_408() {
    let server = strict(Limits { body_timeout: SHORT, ..Limits::default() });
    let head = post_head(&server, "content-length: 100");
    let mut stream = connect(server.addr());
    stream.write_all(format!("{head}{{").as_bytes()).expect("it reads");
    let (status, reason, message) = refusal(&rest_of(&mut stream));
    assert_eq!((status, &*reason), (408, "body_timeout"));
    assert_eq!(message, "body: did not arrive within 100 ms");
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn a_slow_head_is_408() {
    let server = strict(Limits { header_timeout: SHORT, ..Limits::default() });
    let served = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    for beginning in ["P", "GET / HTTP/1.1\r\nhost:"] {
        let (status, reason, message) = refusal(&send(server.addr(), beginning.as_bytes()));
        assert_eq!((status, &*reason), (408, "headers_timeout"), "{beginning}");
        assert_eq!(message, "headers: did not arrive within 100 ms");
    }
    let mut stream = connect(server.addr());
    stream.write_all(served.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    while !answer.ends_with(b"}}") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("it answers");
        answer.extend(byte);
    }
    stream.write_all(b"GET / HTTP/1.1\r\nho").expect("it reads");
    assert_eq!(refusal(&rest_of(&mut stream)).0, 408);
    assert_eq!(get(&server, "/v1/projects").status, 200);
}

#[test]
fn silent_connections_are_closed_without_an_answer() {
    let server = strict(Limits { header_timeout: SHORT, ..Limits::default() });
    for beginning in ["", "PRI * HTTP/2.0\r\n\r\nSM", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        assert!(!send(server.addr(), beginning.as_bytes()).contains("HTTP/1.1"), "{beginning}");
    }
    let idle = send(server.addr(), b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert_eq!(idle.matches("HTTP/1.1").count(), 1, "{idle}");
    assert_eq!(get(&server, "/v1/projects").status, 200);
}

#[test]
fn a_truncated_body_is_400_and_changes_nothing() {
    let server = spawn();
    let body = new_project(&server);
    let before = server.sim().calls();
    for (framing, sent) in [
        (format!("content-length: {}", body.len() + 1), body.clone()),
        ("transfer-encoding: chunked".to_owned(), format!("{:x}\r\n{body}\r\n", body.len())),
    ] {
        let head = post_head(&server, &format!("content-type: application/json\r\n{framing}"));
        let answer = send_all_there_is(server.addr(), format!("{head}{sent}").as_bytes());
        let (status, reason, _) = refusal(&answer);
        assert_eq!((status, &*reason), (400, "truncated_body"), "{framing}");
    }
    assert_eq!(server.sim().calls(), before);
    assert_eq!(get(&server, "/v1/projects").body, "[]");
}

#[test]
fn one_connection_too_many_is_503_and_the_others_work() {
    let server = strict(Limits { connections: 2, ..Limits::default() });
    let mut held: Vec<TcpStream> = (0..2).map(|_| hold(&server)).collect();
    let (status, reason, _) = refusal(&send(server.addr(), b""));
    assert_eq!((status, &*reason), (503, "too_many_connections"));
    for stream in &mut held {
        stream
            .write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .expect("it is open");
        assert!(rest_of(stream).contains("200 OK"));
    }
    // The server has closed both, so their places are free, or will be in a moment.
    while !send(server.addr(), b"GET / HTTP/1.0\r\n\r\n").contains("200 OK") {}
}

/// A connection that the server has taken in.
fn hold(server: &Server) -> TcpStream {
    let mut stream = connect(server.addr());
    stream.write_all(b"HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("it reads");
    let mut answer = [0; 2000];
    let length = std::io::Read::read(&mut stream, &mut answer).expect("it answers");
    assert!(answer[..length].starts_with(b"HTTP/1.1 200"), "the connection is one of those that work");
    stream
}

#[test]
fn a_stopped_server_is_gone() {
    let server = spawn();
    let mut idle = hold(&server);
    server.stop();
    assert_eq!(rest_of(&mut idle), "");
}

#[test]
fn a_request_under_way_is_answered_before_the_stop() {
    let server = spawn();
    let token = server.token().to_owned();
    let mut stream = connect(server.addr());
    let head = format!(
        "POST /_sim/snapshots HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\ncontent-length: 13\r\n\
         expect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut interim = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut interim).expect("it wants the body");
    let stop = std::thread::spawn(move || server.stop());
    stream.write_all(br#"{"name": "x"}"#).expect("it is open");
    assert!(rest_of(&mut stream).starts_with("HTTP/1.1 201 Created"));
    stop.join().expect("it stops");
}

/// A server with a project whose database can be queried, and the path for that.
fn with_database(limits: Limits) -> (Server, String) {
    let server = Server::builder().limits(limits).spawn(Simulator::builder().build()).expect("a port");
    let project = server.sim().call(CreateProject::named("demo", "acme")).expect("the name is new");
    server.sim().advance(Duration::from_secs(60));
    (server, format!("/v1/projects/{}/database/query", project.id))
}

/// Asks for an answer of so many bytes, and does not read it.
fn ask_for(server: &Server, path: &str, bytes: usize) -> TcpStream {
    let sql = format!(r#"{{"query": "select repeat('x', {bytes})"}}"#);
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{sql}",
        server.token(),
        sql.len()
    );
    let mut stream = connect(server.addr());
    stream.write_all(request.as_bytes()).expect("the server reads");
    stream
}

/// Waits until the world has answered this number of calls.
fn wait_for_calls(server: &Server, calls: u64) {
    let begun = std::time::Instant::now();
    while server.sim().calls() < calls {
        assert!(begun.elapsed() < crate::client::PATIENCE, "{} calls", server.sim().calls());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// All bytes until the server closes the connection.
fn length_of_rest(mut stream: TcpStream) -> usize {
    stream.set_read_timeout(Some(Duration::from_secs(2))).expect("a timeout can be set");
    let mut answer = Vec::new();
    // A reset is an end, and so is silence: the connection stays open after a whole answer.
    let _ = stream.read_to_end(&mut answer);
    answer.len()
}

#[test]
fn a_client_that_does_not_read_its_answer_loses_its_connection() {
    let (server, path) = with_database(Limits { write_timeout: SHORT, ..Limits::default() });
    let before = server.sim().calls();
    let reads_nothing = ask_for(&server, &path, 20 << 20);
    wait_for_calls(&server, before + 1);
    std::thread::sleep(10 * SHORT);
    let length = length_of_rest(reads_nothing);
    assert!(length < 20 << 20, "{length} bytes");
    assert_eq!(get(&server, "/v1/projects").status, 200);
}

#[test]
fn unread_answers_are_bounded() {
    let (server, path) = with_database(Limits { unsent_bytes: 30 << 20, ..Limits::default() });
    let before = server.sim().calls();
    let clients: Vec<TcpStream> = (0..8).map(|_| ask_for(&server, &path, 20 << 20)).collect();
    // Two answers are more than there is room for.
    wait_for_calls(&server, before + 2);
    let begun = std::time::Instant::now();
    loop {
        let answer = get(&server, "/v1/projects");
        if answer.status == 200 {
            break;
        }
        assert_eq!((answer.status, answer.reason()), (503, "answers_unread"));
        assert!(begun.elapsed() < crate::client::PATIENCE, "{answer:?}");
    }
    let whole = clients.into_iter().map(length_of_rest).filter(|length| *length > 20 << 20).count();
    assert!(whole < 8, "not all of them were kept");
}
