//! Bad input: the response is a clear 4xx, nothing changes, the server keeps running.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::engine::Body;
use sim_core::{Policy, RateLimit};
use sim_fixtures::strategies::{Ask, MAX_BODY_BYTES, What, Who, Wrong, wrongs};
use sim_fixtures::{Api, Call, Http, Scene, api, everything, scenario};
use sim_http::Server;

use crate::support::{both, names};

/// A project in a world without a rate limit, with a low limit on bodies.
fn small() -> Scene {
    let rate_limit = RateLimit::off();
    scenario::active_project_under(Policy { rate_limit, max_body_bytes: MAX_BODY_BYTES, ..Policy::default() })
}

fn seen(api: &mut dyn Api) -> Value {
    api::peek(api, |sim| everything(sim))
}

#[test]
fn every_wrong_form_of_every_operation_is_refused_by_name_and_changes_nothing() {
    both(small, |api| {
        let before = seen(api);
        for what in What::one_of_each() {
            for wrong in wrongs(&what) {
                let ask = Ask { who: Who::Token(0), what: what.clone(), wrong: Some(wrong.clone()) };
                let call = ask.call(&names(api));
                let reply = api.send(call.clone());
                assert_eq!(reply.status, wrong.status(), "{call}: {reply}");
                let part = match wrong {
                    // The query may contain it too, so look there.
                    Wrong::Body(_) if matches!(what.meta().body, Body::FieldsOrBytes(_)) => "invalid_",
                    Wrong::Body(_) | Wrong::Metadata(_) => "invalid_body",
                    Wrong::Garbage(_) => "invalid_json",
                    Wrong::Query(_) => "invalid_query.",
                    Wrong::Path(name, _) => &format!("invalid_path.{name}"),
                    Wrong::TooLarge => "body_too_large",
                    Wrong::ContentType(_) => "unsupported_content_type",
                    Wrong::UnknownPath => "unknown_path",
                    Wrong::Method => "unknown_method",
                };
                assert!(reply.reason().starts_with(part), "{call}: {} is not {part}", reply.reason());
                // The message must name the field that the reason names, except in the service's own wording.
                let field = reply.reason().rsplit_once('.').map_or("", |(_, field)| field).to_owned();
                let is_named =
                    ["root_key", "PLATFORM_A"].contains(&&*field) || reply.to_string().contains(&field);
                assert!(is_named, "{call}: {field} is not in {reply}");
            }
        }
        assert_eq!(seen(api), before);
    });
}

#[test]
fn bodies_that_are_no_json_are_refused_with_the_place() {
    both(small, |api| {
        let post = |bytes: &'static [u8]| Call::post("/v1/organizations").bytes("application/json", bytes);
        assert_snapshot!(api.send(post(b"{\"name\":")), @r#"400 {"message":"body: Invalid JSON, EOF while parsing a value at line 1 column 8"}"#);
        assert_snapshot!(api.send(post(b"{\"name\":\"x\"} trailing")), @r#"400 {"message":"body: Invalid JSON, trailing characters at line 1 column 14"}"#);
        assert_snapshot!(api.send(post(b"name=x")), @r#"400 {"message":"body: Invalid JSON, expected ident at line 1 column 2"}"#);
        assert_snapshot!(api.send(post(b"{\"name\":\"\xc3\x28\"}")), @r#"400 {"message":"body: Invalid JSON, invalid unicode code point at line 1 column 10"}"#);
        assert_snapshot!(api.send(post(b"{\"name\":\"\\ud800\"}")), @r#"400 {"message":"body: Invalid JSON, unexpected end of hex escape at line 1 column 16"}"#);
        assert_eq!(api.send(post("[".repeat(2000).leak().as_bytes())).reason(), "invalid_json");
    });
}

#[test]
fn a_float_without_a_fraction_is_an_integer() {
    let rows = [
        ("100.0", "200"),
        ("1e2", "200"),
        ("1.5", "400 invalid_body.max_rows max_rows: Expected integer, received float"),
        ("1e300", "400 invalid_body.max_rows max_rows: Number must be less than or equal to 1000000"),
        ("-1e300", "400 invalid_body.max_rows max_rows: Number must be greater than or equal to 0"),
    ];
    both(small, |api| {
        for (number, answer) in rows {
            let body = format!("{{\"max_rows\":{number}}}").into_bytes();
            let path = "/v1/projects/{ref}/postgrest";
            let reply = api.send(Call::new(Method::PATCH, path).bytes("application/json", body));
            let text = reply.json()["message"].as_str().map(str::to_owned);
            let seen =
                text.map_or("200".to_owned(), |text| format!("{} {} {text}", reply.status, reply.reason()));
            assert_eq!(seen, answer, "{number}");
        }
        assert_eq!(api.get("/v1/projects/{ref}/postgrest").json()["max_rows"], 100);
    });
}

#[test]
fn a_body_of_the_largest_size_is_read_and_one_byte_more_is_413() {
    both(small, |api| {
        let of_size = |size: usize| {
            let frame = r#"{"name":""}"#.len();
            Call::post("/v1/organizations").json(json!({ "name": "x".repeat(size - frame) }))
        };
        assert_eq!(api.send(of_size(MAX_BODY_BYTES)).reason(), "invalid_body.name");
        let reply = api.send(of_size(MAX_BODY_BYTES + 1));
        assert_snapshot!(reply, @r#"413 {"message":"request entity too large, the limit is 4096 bytes"}"#);
        assert_eq!(reply.reason(), "body_too_large");
    });
}

#[test]
fn json_is_read_as_json_text_and_vendor_json_and_nothing_else() {
    let rows = [
        ("application/json", 201),
        ("APPLICATION/JSON; charset=utf-8", 201),
        ("text/plain;charset=UTF-8", 201),
        ("application/vnd.example+json", 201),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("text/html", 415),
        ("application/json; charset=\"UTF-8\"", 201),
        ("application/json; charset=utf-16", 415),
        ("application/json; x=y; Charset=latin1", 415),
        ("json", 415),
        ("", 415),
    ];
    both(small, |api| {
        for (content_type, status) in rows {
            let reply = api.send(Call::post("/v1/organizations").bytes(content_type, r#"{"name":"x"}"#));
            assert_eq!(reply.status, status, "{content_type:?}: {reply}");
        }
    });
}

#[test]
fn compressed_bodies_are_refused_by_the_header() {
    let post = |path: &str, encoding: &str, body: &[u8]| {
        Call::post(path).bytes("application/json", body.to_vec()).header("content-encoding", encoding)
    };
    both(small, |api| {
        let reply = api.send(post("/v1/organizations", "gzip", b"\x1f\x8b\x08"));
        assert_snapshot!(reply, @r#"415 {"message":"content-encoding \"gzip\" is not supported here, send the body uncompressed"}"#);
        assert_eq!(reply.reason(), "unsupported_content_encoding");
        // Forms, files and raw bytes; the simulator's own operations; whatever the body is.
        for path in [
            "/v1/oauth/token",
            "/v1/projects/{ref}/functions?slug=a",
            "/v1/projects/{ref}/functions/deploy?slug=a",
            "/v1/projects/{ref}/database/query",
            "/_sim/users",
            "/_sim/faults",
        ] {
            for encoding in ["gzip", "br", "Deflate", "identity, zstd"] {
                let reply = api.send(post(path, encoding, br#"{"name":"x"}"#));
                assert_eq!((reply.status, reply.reason()), (415, "unsupported_content_encoding"), "{path}");
            }
        }
        // What is not compressed is read, and so is a call without a body.
        for encoding in ["identity", "", " Identity "] {
            assert_eq!(api.send(post("/v1/organizations", encoding, br#"{"name":"x"}"#)).status, 201);
        }
        let get = Call::get("/v1/projects").header("content-encoding", "gzip");
        assert_eq!(api.send(get).status, 200);
        api.look(&mut |sim| {
            let file = sim.replay_file().expect("the journal is whole");
            file.run(sim.registry()).expect("a replay refuses the same bodies");
        });
    });
}

#[test]
fn unknown_paths_are_not_found() {
    both(small, |api| {
        assert_snapshot!(api.get("/v1/nothing?a=b"), @r#"404 {"message":"Cannot GET /v1/nothing"}"#);
        for path in ["/v1/Projects", "/v1//projects", "/v1/projects/{ref}/pause/now", "/v2/projects", "/v1"] {
            let reply = api.get(path);
            assert_eq!((reply.status, reply.reason()), (404, "unknown_path"), "{path}: {reply}");
        }
    });
}

#[test]
fn known_paths_with_other_methods_are_405_and_say_what_is_allowed() {
    let rows = [
        (Method::PUT, "/v1/projects", "POST, GET, HEAD, OPTIONS"),
        (Method::PUT, "/v1/projects/{ref}", "GET, DELETE, PATCH, HEAD, OPTIONS"),
        (Method::GET, "/v1/projects/{ref}/pause", "POST, OPTIONS"),
        (Method::HEAD, "/v1/projects/{ref}/pause", "POST, OPTIONS"),
        (Method::DELETE, "/v1/projects/{ref}/restore", "GET, POST, HEAD, OPTIONS"),
        (Method::TRACE, "/v1/organizations", "POST, GET, HEAD, OPTIONS"),
    ];
    both(small, |api| {
        let before = seen(api);
        for (method, path, allow) in &rows {
            let reply = api.send(Call::new(method.clone(), path));
            assert_eq!((reply.status, reply.header("allow")), (405, *allow), "{method} {path}: {reply}");
            assert_eq!(reply.reason(), "unknown_method", "{method} {path}");
        }
        assert_snapshot!(api.send(Call::put("/v1/projects")), @r#"405 {"message":"Cannot PUT /v1/projects"}"#);
        assert_eq!(seen(api), before);
    });
}

#[test]
fn head_answers_like_get_without_the_body() {
    both(small, |api| {
        let reply = api.send(Call::new(Method::HEAD, "/v1/organizations"));
        assert_eq!((reply.status, reply.body.len()), (200, 0));
        let get = api.get("/v1/organizations");
        assert_eq!(reply.header("content-length"), get.body.len().to_string());
    });
}

#[test]
fn unknown_fields_are_refused_where_the_service_does_and_else_passed_over() {
    both(scenario::paused_project, |api| {
        let strict = json!({ "name": "x", "colour": "red" });
        assert_eq!(api.post("/v1/organizations", strict).reason(), "invalid_body.colour");
        assert_eq!(api.post("/v1/projects/{ref}/restore", json!({ "colour": "red" })).status, 200);
    });
}

#[test]
fn a_field_of_any_name_is_named_in_a_header_that_can_be_read() {
    let long = "x".repeat(3000);
    let rows = [
        ("b\u{fffd}", "invalid_body.b%EF%BF%BD".to_owned()),
        ("a\r\nset-cookie: b", "invalid_body.a%0D%0Aset-cookie: b".to_owned()),
        (&*long, format!("invalid_body.{}%E2%80%A6 (2800 bytes more)", "x".repeat(200))),
    ];
    both(small, |api| {
        for (name, reason) in &rows {
            let reply = api.post("/v1/organizations", json!({ "name": "x", *name: 1 }));
            assert_eq!((reply.status, reply.reason()), (400, reason.as_str()), "{name}");
        }
    });
}

#[test]
fn a_path_parameter_is_not_overruled_by_body_or_query() {
    both(small, |api| {
        let other = json!([{ "name": "A", "value": "x", "ref": scenario::NO_PROJECT }]);
        assert_eq!(api.post("/v1/projects/{ref}/secrets", other).status, 201);
        assert_eq!(api.get(&format!("/v1/projects/{{ref}}?ref={}", scenario::NO_PROJECT)).status, 200);
    });
}

/// Sends `bytes` unchanged, closes, and returns the status line of the response, if any.
fn raw(server: &Server, bytes: &[u8]) -> String {
    let address = server.url().trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let mut answer = Vec::new();
    // The server may close the connection at any time.
    let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn broken_http_changes_nothing_and_the_server_lives() {
    let head =
        "POST /v1/organizations HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer token-of-owner\r\n";
    let rows: [(&str, Vec<u8>); 10] = [
        ("nothing at all", b"".to_vec()),
        ("garbage", vec![0xff, 0x00, 0x13, 0x37, b'\n', b'\n']),
        ("another protocol", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec()),
        ("half a request line", b"POST /v1/organ".to_vec()),
        ("half a head", head.as_bytes().to_vec()),
        ("half a body", format!("{head}content-length: 100\r\n\r\n{{\"name\":").into_bytes()),
        ("half a chunk", format!("{head}transfer-encoding: chunked\r\n\r\nff\r\n{{\"name\"").into_bytes()),
        ("a chunk of no size", format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n\r\n").into_bytes()),
        ("a length that is no number", format!("{head}content-length: many\r\n\r\n{{}}").into_bytes()),
        ("an unknown version", b"GET /v1/projects HTTP/9.9\r\nhost: localhost\r\n\r\n".to_vec()),
    ];
    let server = Server::spawn(small().sim);
    let before = everything(&server.sim());
    for (name, bytes) in rows {
        let answer = raw(&server, &bytes);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{name}: {answer}");
        assert_eq!(everything(&server.sim()), before, "{name}");
        assert_eq!(server.sim().calls(), 1, "{name} is not a call");
    }
    let mut api = Http::new(server.url(), "", Box::new(|_| {}));
    let whole = Call::post("/v1/organizations").token("token-of-owner").json(json!({ "name": "x" }));
    assert_eq!(api.send(whole).status, 201);
}

#[test]
fn texts_do_not_contain_u_0000_but_for_what_a_database_or_a_function_gets() {
    both(small, |api| {
        for (method, path, body, field) in [
            (Method::PATCH, "/v1/projects/{ref}", json!({ "name": "a\0b" }), "name"),
            (Method::POST, "/v1/organizations", json!({ "name": "\0" }), "name"),
            (Method::POST, "/v1/projects/{ref}/branches", json!({ "branch_name": "a\0" }), "branch_name"),
            (
                Method::POST,
                "/v1/projects/{ref}/secrets",
                json!([{ "name": "A", "value": "\0" }]),
                "secrets.0.value",
            ),
            (Method::PATCH, "/v1/projects/{ref}/config/auth", json!({ "site_url": "http://\0" }), "site_url"),
            (Method::POST, "/_sim/users", json!({ "name": "a\0b", "email": "a@b.example" }), "name"),
        ] {
            let reply = api.send(Call::new(method, path).json(body));
            assert_eq!(
                (reply.status, reply.reason()),
                (400, &*format!("invalid_body.{field}")),
                "{path}: {reply}"
            );
            assert_eq!(reply.json()["message"], format!("{field}: Invalid, must not contain U+0000"));
        }
        let search = api.get("/v1/organizations/acme/projects?search=%00");
        assert_eq!(search.reason(), "invalid_query.search", "{search}");
        let query = api.post("/v1/projects/{ref}/database/query", json!({ "query": "select 'a\0b'" }));
        assert!(query.to_string().contains("22021: invalid byte sequence"), "{query}");
        let function = json!({ "slug": "f", "name": "f", "body": "export const a = `\0`" });
        assert_eq!(api.post("/v1/projects/{ref}/functions", function).status, 201);
    });
}
