//! HTTP itself: methods, headers, versions.

use std::io::{Read as _, Write as _};

use sim_core::{Policy, Simulator};
use sim_http::Server;

use crate::client::{Answer, PATIENCE, call, connect, get, send, send_all_there_is, spawn};

#[test]
fn options_is_204_for_any_path_of_the_simulated_services() {
    let server = spawn();
    for path in ["/v1/projects", "/nowhere", "/w/nowhere/v1/projects"] {
        let answer = call(&server, "OPTIONS", path, "");
        assert_eq!((answer.status, &*answer.body), (204, ""), "{path}");
        let methods = answer.header("access-control-allow-methods").unwrap_or_default();
        assert!(methods.contains("PATCH") && methods.contains("DELETE"), "{methods}");
    }
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn no_other_page_can_read_an_answer_or_include_it() {
    let server = spawn();
    let assert_closed = |what: &str, answer: &Answer| {
        for (name, _) in &answer.headers {
            assert!(!name.starts_with("access-control-allow-origin"), "{what}: {name}");
        }
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{what}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{what}");
    };
    for (method, path, status) in [
        ("GET", "/", 200),
        ("GET", "/v1/projects", 200),
        ("HEAD", "/v1/projects", 200),
        ("OPTIONS", "/v1/projects", 204),
        ("PUT", "/v1/projects", 405),
        ("POST", "/v1/projects", 400),
        ("GET", "/nowhere", 404),
        ("GET", "/w/nowhere/v1/projects", 404),
        ("GET", "/openapi.json", 200),
        ("GET", "/_sim/clock", 200),
        ("GET", "/w/main/_sim/clock", 200),
        ("GET", "/_sim/x", 404),
        ("GET", "/dashboard", 200),
        ("GET", "/dashboard/app.js", 200),
        ("GET", "/dashboard/nothing", 404),
        ("POST", "/dashboard", 405),
    ] {
        let answer = call(&server, method, path, "");
        assert_eq!(answer.status, status, "{method} {path}");
        assert_closed(path, &answer);
    }
    for (raw, status) in [
        ("garbage\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: elsewhere.test\r\nconnection: close\r\n\r\n", 403),
        ("POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip\r\n\r\n", 501),
    ] {
        let answer = Answer::parse(&send_all_there_is(server.addr(), raw.as_bytes())).expect(raw);
        assert_eq!(answer.status, status, "{raw}");
        assert_closed(raw, &answer);
    }
    let crowded = Server::builder().limits(sim_http::Limits { connections: 0, ..Default::default() });
    let crowded = crowded.spawn(Simulator::builder().build()).expect("a port is to be had");
    let answer = call(&crowded, "GET", "/", "");
    assert_eq!(answer.status, 503);
    assert_closed("too many connections", &answer);
}

#[test]
fn bodies_that_are_never_whole_leave_room_for_others() {
    let limits = sim_http::Limits { request_bytes: 1 << 20, ..Default::default() };
    let server = Server::builder().limits(limits).spawn(Simulator::builder().build());
    let server = server.expect("a port is to be had");
    let head = "POST /v1/projects HTTP/1.1\r\nhost: localhost\r\ncontent-length: 900000\r\n\r\n";
    let part = [head.as_bytes(), &[b' '; 600_000][..]].concat();
    let waiting: Vec<_> = (0..2)
        .map(|_| {
            let mut stream = connect(server.addr());
            stream.write_all(&part).expect("it is open");
            stream
        })
        .collect();
    let refused = waiting.into_iter().filter_map(|mut stream| {
        stream.set_read_timeout(Some(std::time::Duration::from_millis(500))).expect("a socket has timeouts");
        let mut answer = String::new();
        // The other one waits for the rest of the body.
        let _ = stream.read_to_string(&mut answer);
        Answer::parse(&answer)
    });
    let refused: Vec<Answer> = refused.collect();
    let [refused] = &refused[..] else { panic!("{} are refused", refused.len()) };
    assert_eq!((refused.status, refused.header("connection")), (503, Some("close")));
    assert!(refused.body.contains("requests wait for their answers"), "{}", refused.body);
    assert_eq!(get(&server, "/_sim/clock").status, 200);
    assert_eq!(call(&server, "POST", "/v1/projects", "{}").status, 400);
}

#[test]
fn head_has_the_length_of_get_and_no_body() {
    let server = spawn();
    for path in ["/", "/v1/organizations", "/_sim/worlds", "/openapi.json"] {
        let (get, head) = (get(&server, path), call(&server, "HEAD", path, ""));
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.body, "", "{path}");
        assert_eq!(head.header("content-length"), Some(&*get.body.len().to_string()), "{path}");
        assert_eq!(head.header("content-type"), None, "{path}");
    }
}

#[test]
fn other_methods_are_405_with_allow() {
    let server = spawn();
    for path in ["/v1/projects", "/_sim/worlds", "/_sim/users"] {
        let answer = call(&server, "PUT", path, "{}");
        // Control calls also say which methods there are.
        let methods = if path.starts_with("/_sim") { "; the methods are GET, POST" } else { "" };
        let message = format!(r#"{{"message":"Cannot PUT {path}{methods}"}}"#);
        assert_eq!((answer.status, answer.body.as_str()), (405, message.as_str()));
        let mut allow: Vec<&str> = answer.header("allow").unwrap_or_default().split(", ").collect();
        allow.sort_unstable();
        assert_eq!(allow, ["GET", "HEAD", "OPTIONS", "POST"], "{path}");
    }
}

#[test]
fn one_connection_serves_many_requests() {
    let server = spawn();
    let mut stream = connect(server.addr());
    for _ in 0..3 {
        stream.write_all(b"HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("it is open");
        let mut answer = [0; 4096];
        let length = stream.read(&mut answer).expect("it answers");
        assert!(answer[..length].starts_with(b"HTTP/1.1 200 OK"), "{:?}", &answer[..length]);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = spawn();
    let two = b"HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\nHEAD /nowhere HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let answers = send(server.addr(), two);
    let (ok, refused) = (answers.find("200 OK"), answers.find("401 Unauthorized"));
    assert!(ok.is_some() && ok < refused, "{answers}");
}

#[test]
fn http_1_0_is_answered_and_closed() {
    let server = spawn();
    assert!(send(server.addr(), b"GET / HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 200 OK"));
}

#[test]
fn garbage_is_400_and_affects_no_others() {
    let server = spawn();
    for garbage in [
        &b"\x00\xff\x13garbage\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
    ] {
        let answer = send(server.addr(), garbage);
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request"), "{garbage:?} {answer}");
        assert!(answer.contains("x-sim-reason: malformed_request"), "{garbage:?} {answer}");
        assert!(answer.contains("{\"message\":\"request: not HTTP/1.1;"), "{garbage:?} {answer}");
    }
    // A chunk line that is none is found in the body.
    let chunks =
        b"POST /v1/projects HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n";
    assert!(send(server.addr(), chunks).contains("x-sim-reason: truncated_body"));
    let truncated = send_all_there_is(server.addr(), b"POST /v1/pro");
    assert!(truncated.starts_with("HTTP/1.1 400 Bad Request"), "{truncated}");
    assert!(truncated.contains("x-sim-reason: truncated_headers"), "{truncated}");
    assert_eq!(get(&server, "/v1/projects").status, 200);
    assert_eq!(server.sim().calls(), 1);
}

#[test]
fn a_request_that_can_be_read_in_two_ways_is_refused() {
    let server = spawn();
    let head = "POST /v1/organizations HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ";
    let head = format!("{head}{}\r\ncontent-type: application/json\r\nconnection: close\r\n", server.token());
    let body = r#"{"name":"Shop"}"#;
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let length = body.len();
    for (what, lines, body, statuses) in [
        ("two hosts", format!("host: localhost\r\ncontent-length: {length}"), body, &[400][..]),
        ("another host", format!("host: evil.test\r\ncontent-length: {length}"), body, &[400]),
        ("two lengths", format!("content-length: {length}\r\ncontent-length: {length}"), body, &[400]),
        ("a list of lengths", format!("content-length: {length}, {length}"), body, &[400]),
        ("a length with a sign", format!("content-length: +{length}"), body, &[400]),
        ("the largest length", "content-length: 18446744073709551615".to_owned(), body, &[413]),
        ("a length beyond that", "content-length: 18446744073709551616".to_owned(), body, &[413]),
        (
            "length and chunks",
            format!("content-length: {length}\r\ntransfer-encoding: chunked"),
            &chunked,
            &[400],
        ),
        (
            "chunks and length",
            format!("transfer-encoding: chunked\r\ncontent-length: {length}"),
            &chunked,
            &[400],
        ),
        ("gzip", "transfer-encoding: gzip, chunked".to_owned(), &chunked, &[501]),
        ("identity", "transfer-encoding: identity".to_owned(), body, &[501]),
        ("chunks twice", "transfer-encoding: chunked, chunked".to_owned(), &chunked, &[501]),
        ("the largest chunk", "transfer-encoding: chunked".to_owned(), "ffffffffffffffff\r\n{", &[400]),
        ("a chunk beyond that", "transfer-encoding: chunked".to_owned(), "fffffffffffffffff\r\n{", &[400]),
        ("a folded line", format!("x-a: 1\r\n 2\r\ncontent-length: {length}"), body, &[400]),
        ("a space before the colon", format!("content-length : {length}"), body, &[400]),
        ("LF alone", format!("x-a: 1\nx-b: 2\r\ncontent-length: {length}"), body, &[400]),
        ("CR alone", format!("x-a: 1\rx-b: 2\r\ncontent-length: {length}"), body, &[400]),
        ("NUL", format!("x-a: 1\0\r\ncontent-length: {length}"), body, &[400]),
        ("NUL in a name", format!("x\0a: 1\r\ncontent-length: {length}"), body, &[400]),
        ("a header without a name", format!(": 1\r\ncontent-length: {length}"), body, &[400]),
    ] {
        let began = std::time::Instant::now();
        // The client keeps waiting, so an answer is sent at once or not at all.
        let raw = send(server.addr(), format!("{head}{lines}\r\n\r\n{body}").as_bytes());
        let answer = Answer::parse(&raw).unwrap_or_else(|| panic!("{what}: {raw:?}"));
        assert!(statuses.contains(&answer.status), "{what}: {raw}");
        assert!(!answer.reason().is_empty() && answer.json()["message"].is_string(), "{what}: {raw}");
        assert!(began.elapsed() < PATIENCE, "{what}");
    }
    assert_eq!(server.sim().calls(), 0, "none of them was a call");
}

#[test]
fn a_refused_request_does_not_take_the_answers_before_it() {
    let server = spawn();
    let good = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let bad = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n";
    let answers = send(server.addr(), format!("{good}{good}{bad}{good}").as_bytes());
    assert_eq!(answers.matches("HTTP/1.1 200 OK\r\n").count(), 2, "{answers}");
    assert_eq!(answers.matches("HTTP/1.1 400 Bad Request\r\n").count(), 1, "{answers}");
    assert!(answers.rfind("200 OK") < answers.find("400 Bad Request"), "{answers}");
}

#[test]
fn a_host_is_named_once_and_well() {
    let server = spawn();
    let get = |hosts: &str| {
        let raw = format!("GET /v1/projects HTTP/1.1\r\n{hosts}connection: close\r\n\r\n");
        Answer::parse(&send(server.addr(), raw.as_bytes())).expect("an answer")
    };
    for hosts in [
        "",
        "host:\r\n",
        "host: localhost\r\nhost: localhost\r\n",
        "host: localhost:70000\r\n",
        "host: localhost:x\r\n",
        "host: u@localhost\r\n",
        "host: local host\r\n",
        "host: localhost/v1\r\n",
    ] {
        let answer = get(hosts);
        assert_eq!((answer.status, answer.reason()), (400, "invalid_host"), "{hosts:?}");
    }
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8787", "acme.localhost"] {
        assert_eq!(get(&format!("host: {host}\r\n")).status, 401, "{host}");
    }
    // A page may have reached this server under another name.
    for path in ["/", "/v1/projects", "/_sim/clock", "/openapi.json", "/nowhere"] {
        let raw = format!("GET {path} HTTP/1.1\r\nhost: page.test\r\nconnection: close\r\n\r\n");
        let answer = Answer::parse(&send(server.addr(), raw.as_bytes())).expect("an answer");
        assert_eq!((answer.status, answer.reason()), (403, "unknown_host"), "{path}");
        assert!(answer.body.contains("--allow-host page.test"), "{}", answer.body);
    }
}

#[test]
fn strange_targets_and_methods_are_refused_clearly() {
    let server = spawn();
    for (line, status) in [
        ("GET *", 404),
        ("CONNECT localhost:80", 404),
        ("CONNECT sim:80", 400),
        ("BREW /v1/projects", 405),
        ("GET http://localhost/v1/projects", 200),
        ("GET http://elsewhere/v1/projects", 400),
        ("GET http://u@localhost/v1/projects", 400),
        ("GET //v1/projects", 404),
        ("GET /v1/projects/%ff%00", 400),
        ("GET /_sim/worlds/%2e%2e", 404),
        ("GET /w/", 404),
        ("GET /w//v1/projects", 404),
    ] {
        let bearer = server.token();
        let raw = format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {bearer}\r\nconnection: close\r\n\r\n"
        );
        let answer = send(server.addr(), raw.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{line} {answer}");
    }
}

#[test]
fn https_can_be_required() {
    let policy = Policy { require_https: true, ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    let answer = get(&server, "/v1/projects");
    assert_eq!((answer.status, answer.reason()), (403, "https_required"));
    assert!(answer.body.contains("--tls"), "{}", answer.body);
    assert_eq!(get(&server, "/_sim/clock").status, 200);
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn http_2_with_prior_knowledge_is_served() {
    let server = spawn();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (status, length) = runtime.block_on(async {
        let stream = tokio::net::TcpStream::connect(server.addr()).await.expect("it accepts");
        two(hyper_util::rt::TokioIo::new(stream), "http").await
    });
    assert_eq!((status, length > 100), (200, true));
}

#[test]
fn over_http_2_a_host_agrees_with_the_authority() {
    let server = spawn();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let status = |host: &'static str| {
        runtime.block_on(async {
            let stream = tokio::net::TcpStream::connect(server.addr()).await.expect("it accepts");
            let request = http::Request::get("http://localhost/").header("host", host);
            ask(hyper_util::rt::TokioIo::new(stream), request).await.0
        })
    };
    assert_eq!(status("localhost"), 200);
    assert_eq!(status("elsewhere.test"), 400);
}

/// One GET over HTTP/2; the status and the length of the body.
pub(crate) async fn two<S>(stream: S, scheme: &str) -> (u16, usize)
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    ask(stream, http::Request::get(format!("{scheme}://localhost/"))).await
}

async fn ask<S>(stream: S, request: http::request::Builder) -> (u16, usize)
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    use http_body_util::{BodyExt as _, Empty};
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(executor, stream).await.expect("it speaks HTTP/2");
    tokio::spawn(connection);
    let request = request.body(Empty::<bytes::Bytes>::new()).expect("a request");
    let response = sender.send_request(request).await.expect("an answer");
    let status = response.status().as_u16();
    (status, response.into_body().collect().await.expect("a body").to_bytes().len())
}

#[test]
fn the_index_says_where_to_go() {
    let server = spawn();
    let index = get(&server, "/").json();
    assert_eq!((&index["name"], &index["world"]), (&"stuntdouble".into(), &"main".into()));
    assert_eq!(index["links"]["explain"], "/_sim/journal/{call}/explain");
    for link in ["openapi", "guide", "control", "worlds", "clock", "journal", "dashboard"] {
        let path = index["links"][link].as_str().expect("a path");
        assert_eq!(get(&server, path).status, 200, "{path}");
    }
}

#[test]
fn the_documents_say_which_api_they_are() {
    let server = spawn();
    let (api, control) = (get(&server, "/openapi.json").json(), get(&server, "/_sim/openapi.json").json());
    assert!(api["paths"]["/v1/projects"].is_object() && api["paths"]["/_sim/worlds"].is_null());
    assert!(control["paths"]["/v1/projects"].is_null() && control["paths"]["/_sim/worlds"].is_object());
    assert_eq!(control["openapi"], "3.1.0");
}

#[test]
fn a_server_lives_and_ends_in_async_code() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let status = runtime.block_on(async {
        let server = spawn();
        let stream = tokio::net::TcpStream::connect(server.addr()).await.expect("it accepts");
        two(hyper_util::rt::TokioIo::new(stream), "http").await.0
    });
    assert_eq!(status, 200);
}
