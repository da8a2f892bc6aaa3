//! HTTP itself: methods, headers, versions.

use std::io::{Read as _, Write as _};

use sim_core::{Policy, Simulator};
use sim_http::Server;

use crate::client::{call, call_with, connect, get, send, send_all_there_is, spawn};

#[test]
fn preflight_is_204_for_any_path_of_the_simulated_services() {
    let server = spawn();
    for path in ["/v1/projects", "/nowhere", "/w/nowhere/v1/projects"] {
        let asked = ("access-control-request-headers", "x-client-info");
        let answer = call_with(&server, "OPTIONS", path, &[("origin", "https://page.test"), asked], "");
        assert_eq!((answer.status, &*answer.body), (204, ""), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        let allowed = answer.header("access-control-allow-headers").unwrap_or_default();
        for name in ["authorization", "content-type", "x-sim-world", "x-client-info"] {
            assert!(allowed.contains(name), "{allowed}");
        }
        let methods = answer.header("access-control-allow-methods").unwrap_or_default();
        assert!(methods.contains("PATCH") && methods.contains("DELETE"), "{methods}");
    }
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn answers_of_the_simulated_services_can_be_read_by_any_page() {
    let server = spawn();
    let any = Some("*");
    for (path, status, readers) in [
        ("/v1/projects", 200, any),
        ("/nowhere", 404, any),
        ("/_sim/clock", 200, None),
        ("/w/main/_sim/clock", 200, None),
        ("/_sim/x", 404, None),
    ] {
        let answer = get(&server, path);
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), readers, "{path}");
        let exposed = answer.header("access-control-expose-headers").unwrap_or_default();
        for name in ["x-ratelimit-remaining", "retry-after", "x-sim-reason", "x-sim-call"] {
            assert!(exposed.contains(name), "{path} {exposed}");
        }
    }
}

#[test]
fn head_has_the_length_of_get_and_no_body() {
    let server = spawn();
    for path in ["/", "/v1/organizations", "/_sim/worlds", "/openapi.json"] {
        let (get, head) = (get(&server, path), call(&server, "HEAD", path, ""));
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.body, "", "{path}");
        assert_eq!(head.header("content-length"), Some(&*get.body.len().to_string()), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
}

#[test]
fn other_methods_are_405_with_allow() {
    let server = spawn();
    for path in ["/v1/projects", "/_sim/worlds", "/_sim/users"] {
        let answer = call(&server, "PUT", path, "{}");
        assert_eq!((answer.status, &answer.body), (405, &format!(r#"{{"message":"Cannot PUT {path}"}}"#)));
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
        stream.write_all(b"HEAD / HTTP/1.1\r\nhost: sim\r\n\r\n").expect("it is open");
        let mut answer = [0; 4096];
        let length = stream.read(&mut answer).expect("it answers");
        assert!(answer[..length].starts_with(b"HTTP/1.1 200 OK"), "{:?}", &answer[..length]);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = spawn();
    let two = b"HEAD / HTTP/1.1\r\nhost: sim\r\n\r\nHEAD /nowhere HTTP/1.1\r\nhost: sim\r\nconnection: close\r\n\r\n";
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
fn garbage_is_400_and_harms_nobody() {
    let server = spawn();
    for garbage in [
        &b"\x00\xff\x13garbage\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: sim\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\ncontent-length: many\r\n\r\n",
    ] {
        let answer = send(server.addr(), garbage);
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request"), "{garbage:?} {answer}");
        assert!(answer.contains("x-sim-reason: malformed_request"), "{garbage:?} {answer}");
        assert!(answer.contains("{\"message\":\"request: not HTTP/1.1;"), "{garbage:?} {answer}");
    }
    let truncated = send_all_there_is(server.addr(), b"POST /v1/pro");
    assert!(truncated.starts_with("HTTP/1.1 400 Bad Request"), "{truncated}");
    assert!(truncated.contains("x-sim-reason: truncated_headers"), "{truncated}");
    assert_eq!(get(&server, "/v1/projects").status, 200);
    assert_eq!(server.sim().calls(), 1);
}

#[test]
fn strange_targets_and_methods_are_refused_clearly() {
    let server = spawn();
    for (line, status) in [
        ("GET *", 404),
        ("CONNECT sim:80", 404),
        ("BREW /v1/projects", 405),
        ("GET http://elsewhere/v1/projects", 200),
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

/// One GET over HTTP/2; the status and the length of the body.
pub(crate) async fn two<S>(stream: S, scheme: &str) -> (u16, usize)
where
    S: hyper::rt::Read + hyper::rt::Write + Unpin + Send + 'static,
{
    use http_body_util::{BodyExt as _, Empty};
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(executor, stream).await.expect("it speaks HTTP/2");
    tokio::spawn(connection);
    let request = http::Request::get(format!("{scheme}://localhost/"));
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
    for link in ["openapi", "control", "worlds", "clock", "journal"] {
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
