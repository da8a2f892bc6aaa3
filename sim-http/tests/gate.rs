//! Who gets in over a socket: machine, name, origin.

use std::net::{Ipv4Addr, UdpSocket};

use sim_core::Simulator;
use sim_http::{Builder, ControlAccess, Server};

use crate::client::{Answer, call_with, get, send, spawn};

const PAGE: &str = "http://page.test:3000";

fn with(set: impl FnOnce(Builder) -> Builder) -> Server {
    let server = set(Server::builder()).spawn(Simulator::builder().build());
    server.expect("a port and a thread are to be had")
}

/// One call by a browser that was told to call `host`, for a page of `origin`.
fn browsed(server: &Server, method: &str, path: &str, host: &str, origin: &str) -> Answer {
    let raw = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nauthorization: Bearer {}\r\n\
         content-type: text/plain\r\ncontent-length: 12\r\nconnection: close\r\n\r\n{{\"name\":\"a\"}}",
        server.token()
    );
    Answer::parse(&send(server.addr(), raw.as_bytes())).expect("an answer")
}

#[test]
fn a_page_of_another_site_cannot_make_a_world() {
    let server = spawn();
    let host = server.addr().to_string();
    let own = format!("http://{host}");
    for (host, origin, reason) in [
        (&*host, PAGE, "cross_origin"),
        (&host, "null", "cross_origin"),
        // A name of the page's own that leads here since it was loaded.
        ("page.test", "http://page.test", "unknown_host"),
    ] {
        for method in ["POST", "OPTIONS"] {
            let answer = browsed(&server, method, "/_sim/worlds", host, origin);
            assert_eq!((answer.status, answer.reason()), (403, reason), "{method} {origin}");
            assert_eq!(answer.header("access-control-allow-origin"), None, "{method} {origin}");
        }
    }
    assert_eq!(get(&server, "/_sim/worlds").json().as_array().map(Vec::len), Some(1));
    assert_eq!(browsed(&server, "POST", "/_sim/worlds", &host, &own).status, 201);
}

#[test]
fn refusals_name_the_flag_that_would_let_the_call_in() {
    let server = spawn();
    let host = server.addr().to_string();
    let texts = [
        (browsed(&server, "GET", "/_sim/clock", "sim.test:80", "null"), "--allow-host sim.test"),
        (browsed(&server, "GET", "/_sim/clock", &host, PAGE), "--allow-origin http://page.test:3000"),
        (get(&with(|builder| builder.control(ControlAccess::Off)), "/_sim/clock"), "--control loopback"),
    ];
    for (answer, flag) in texts {
        assert_eq!(answer.status, 403, "{}", answer.body);
        assert!(answer.body.contains(flag), "{}", answer.body);
    }
}

#[test]
fn names_and_origins_can_be_allowed() {
    let server = with(|builder| {
        let builder = builder.allow_host("sim.test".parse().expect("a name"));
        builder.allow_origin(PAGE.parse().expect("an origin"))
    });
    let answer = browsed(&server, "POST", "/_sim/worlds", "sim.test", PAGE);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (201, Some(PAGE)));
    assert_eq!(browsed(&server, "OPTIONS", "/_sim/worlds", "sim.test", PAGE).status, 204);
}

#[test]
fn a_page_of_another_site_cannot_call_the_services_either() {
    let server = spawn();
    let host = server.addr().to_string();
    for path in
        ["/v1/projects", "/v1/organizations", "/w/main/v1/organizations", "/api/sources", "/", "/dashboard"]
    {
        for method in ["GET", "POST", "DELETE", "OPTIONS"] {
            let answer = browsed(&server, method, path, &host, PAGE);
            assert_eq!((answer.status, answer.reason()), (403, "cross_origin"), "{method} {path}");
            assert_eq!(answer.header("access-control-allow-origin"), None, "{method} {path}");
            let led_here = browsed(&server, method, path, "page.test:3000", PAGE);
            assert_eq!((led_here.status, led_here.reason()), (403, "unknown_host"), "{method} {path}");
        }
    }
    let script =
        [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "script")];
    for path in ["/v1/projects", "/_sim/worlds", "/_sim/clock", "/openapi.json", "/dashboard/app.js"] {
        assert_eq!(call_with(&server, "GET", path, &script, "").reason(), "cross_origin", "{path}");
    }
    let upgrade = [("connection", "upgrade"), ("upgrade", "websocket"), ("origin", PAGE)];
    for path in ["/v1/projects", "/_sim/events", "/api/sources"] {
        assert_eq!(call_with(&server, "GET", path, &upgrade, "").reason(), "cross_origin", "{path}");
    }
    assert_eq!(server.sim().calls(), 0, "nothing came through");
}

#[test]
fn the_control_api_takes_no_message_of_another_simulator() {
    let server = spawn();
    let agent = concat!("stuntdouble/", env!("CARGO_PKG_VERSION"));
    for path in ["/_sim/reset", "/w/main/_sim/reset", "/_sim/worlds"] {
        let answer = call_with(&server, "POST", path, &[("user-agent", agent)], "{}");
        assert_eq!((answer.status, answer.reason()), (403, "posted_by_simulator"), "{path}");
    }
    assert_eq!(call_with(&server, "GET", "/v1/projects", &[("user-agent", agent)], "").status, 401);
}

#[test]
fn pages_of_allowed_origins_read_the_services() {
    let server = with(|builder| builder.allow_origin(PAGE.parse().expect("an origin")));
    let host = server.addr().to_string();
    let exposed =
        |answer: &Answer| answer.header("access-control-expose-headers").unwrap_or_default().to_owned();
    for path in ["/v1/projects", "/_sim/clock", "/nowhere"] {
        let answer = browsed(&server, "GET", path, &host, PAGE);
        assert_eq!(answer.header("access-control-allow-origin"), Some(PAGE), "{path}");
        assert_eq!(answer.header("vary"), Some("origin"), "{path}");
        for name in ["x-ratelimit-remaining", "retry-after", "x-sim-reason", "x-sim-call", "x-sim-explain"] {
            assert!(exposed(&answer).contains(name), "{path} {name}");
        }
        // Who caches an answer for others must know that it depends on the page.
        let other = get(&server, path);
        assert_eq!(
            (other.header("access-control-allow-origin"), other.header("vary")),
            (None, Some("origin"))
        );
    }
    let asked = [("origin", PAGE), ("access-control-request-headers", "x-client-info")];
    let answer = call_with(&server, "OPTIONS", "/v1/projects", &asked, "");
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (204, Some(PAGE)));
    let allowed = answer.header("access-control-allow-headers").unwrap_or_default();
    for name in ["authorization", "content-type", "x-sim-world", "x-client-info"] {
        assert!(allowed.contains(name), "{allowed}");
    }
    assert_eq!(browsed(&server, "GET", "/v1/projects", &host, "http://page.test").reason(), "cross_origin");
}

#[test]
fn a_star_opens_the_services_and_not_the_control_api() {
    let server = with(|builder| builder.allow_origin("*".parse().expect("an origin")));
    let host = server.addr().to_string();
    let answer = browsed(&server, "GET", "/v1/projects", &host, PAGE);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, Some("*")));
    assert_eq!(browsed(&server, "OPTIONS", "/v1/projects", &host, PAGE).status, 204);
    let answer = browsed(&server, "GET", "/_sim/clock", &host, PAGE);
    assert_eq!((answer.reason(), answer.header("access-control-allow-origin")), ("cross_origin", None));
    assert_eq!(browsed(&server, "GET", "/v1/projects", "page.test", PAGE).reason(), "unknown_host");
}

/// The address by which this machine reaches others, if it has one. No packet is sent.
pub(crate) fn outward() -> Option<Ipv4Addr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    match socket.local_addr().ok()?.ip() {
        std::net::IpAddr::V4(ip) if !ip.is_loopback() => Some(ip),
        _ => None,
    }
}

#[test]
fn who_comes_from_elsewhere_is_let_in_where_it_is_open() {
    let Some(ip) = outward() else {
        eprintln!("SKIPPED: this machine has no address but the loopback's");
        return;
    };
    for (control, status) in [(ControlAccess::Loopback, 403), (ControlAccess::Open, 200)] {
        let server = with(|builder| builder.addr(([0, 0, 0, 0], 0).into()).control(control));
        let raw = |path: &str| {
            let addr = (ip, server.addr().port()).into();
            let raw = format!("GET {path} HTTP/1.1\r\nhost: {addr}\r\nconnection: close\r\n\r\n");
            Answer::parse(&send(addr, raw.as_bytes())).expect("an answer")
        };
        assert_eq!(raw("/_sim/clock").status, status, "{control:?}");
        assert_eq!(raw("/v1/projects").status, 401, "{control:?}");
    }
}
