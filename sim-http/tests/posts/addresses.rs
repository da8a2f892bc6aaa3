//! Addresses that messages may go to, and redirects.

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::analytics::change::Change;
use sim_core::analytics::source::{PatchSource, Source};
use sim_core::analytics::source_settings::SourceChanges;
use sim_http::Server;

use super::{Receiver, answer_to_first, answered, first_answered, tell, world};
use crate::analytics::serve;
use crate::cli::{File, Served};
use crate::client::get;

#[test]
fn nothing_leaves_the_machine_unless_allowed() {
    for host in ["192.0.2.1", "hooks.test", "[2001:db8::1]", "0.0.0.0"] {
        let (sim, source) = world(Some(&format!("http://{host}:9/hook")), None);
        let (status, answer) = answer_to_first(sim, &source);
        let name = host.trim_matches(['[', ']']);
        let text = format!(
            "not posted: {name} is not on this machine, and only loopback addresses are reached; --allow-egress lets it out"
        );
        assert_eq!((status, answer), (Value::Null, text), "{host}");
    }
}

#[test]
fn with_leave_other_addresses_are_tried() {
    // No such name can be had; that nobody answers to it says that it was looked for.
    let (sim, source) = world(Some("http://hooks.invalid/"), None);
    let server = Server::builder().allow_egress(true).spawn(sim).expect("a port is to be had");
    tell(&mut server.sim(), &source, "m");
    let message = answered(&server, "", 1).remove(0);
    let answer = message["answer"].as_str().expect("text");
    assert!(!answer.contains("--allow-egress"), "{answer}");
    assert_eq!(message["status"], Value::Null);
}

/// The delivery status that the world records after posting to `url`.
fn answer_from(server: &Server, source: &Source, url: &str) -> String {
    let sent = get(server, "/_sim/outbox").json().as_array().map_or(0, Vec::len);
    {
        let mut sim = server.sim();
        let changes = SourceChanges {
            webhook_notification_url: Change::Set(url.to_owned()),
            ..SourceChanges::default()
        };
        sim.call(PatchSource { token: source.token.clone(), name: None, changes }).expect("a good call");
        tell(&mut sim, source, "m");
    }
    let last = answered(server, "", sent + 1).pop().expect("a message");
    last["answer"].as_str().expect("text").to_owned()
}

#[test]
fn no_world_posts_to_the_simulator_itself() {
    let other = crate::client::spawn();
    for egress in [false, true] {
        let (sim, source) = world(None, None);
        let addr = ([0, 0, 0, 0], 0).into();
        let server = Server::builder().addr(addr).allow_egress(egress).control(sim_http::ControlAccess::Open);
        let server = server.spawn(sim).expect("a port is to be had");
        let port = server.addr().port();
        let everywhere = [
            "127.0.0.1",
            "127.0.0.2",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "localhost",
            "LOCALHOST",
            "a.localhost",
        ];
        let elsewhere = ["0.0.0.0", "[::]", "0", "127.1", "2130706433", "0x7f000001", "0177.0.0.1"];
        let machine = crate::gate::outward().map(|ip| ip.to_string());
        let further = elsewhere.into_iter().chain(machine.as_deref()).filter(|_| egress);
        let hosts = everywhere.into_iter().chain(further).map(|host| format!("{host}:{port}"));
        for host in hosts.chain([other.addr().to_string()]) {
            for path in ["/_sim/reset", "/v1/projects", "/api/logs"] {
                let answer = answer_from(&server, &source, &format!("http://{host}{path}"));
                assert!(answer.contains("is this simulator itself"), "{host}{path}: {answer}");
            }
        }
    }
    assert_eq!(other.sim().calls(), 0);
    // Somebody else's server on this machine is reached.
    let receiver = Receiver::good();
    let (sim, source) = world(Some(&receiver.url), None);
    assert_eq!(answer_to_first(sim, &source).0, json!(200));
}

#[test]
fn an_address_of_the_simulator_is_refused_where_it_is_set() {
    let (sim, source) = world(None, None);
    let server = Server::spawn(sim);
    let port = server.addr().port();
    for host in ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f.1"] {
        let url = format!("http://{host}:{port}/_sim/reset");
        for (method, path, body) in [
            ("POST", "/api/sources".to_owned(), json!({ "name": "a", "webhook_notification_url": url })),
            ("PATCH", format!("/api/sources/{}", source.token), json!({ "chat_hook_url": url })),
            (
                "PUT",
                format!("/w/main/api/sources/{}", source.token),
                json!({ "name": "b", "chat_hook_url": url }),
            ),
            ("POST", "/api/alerts".to_owned(), json!({ "name": "a", "webhook_notification_url": url })),
            (
                "POST",
                "/api/backends".to_owned(),
                json!({ "name": "a", "type": "webhook", "config": { "url": url } }),
            ),
        ] {
            let before = server.sim().calls();
            let answer = crate::client::call(&server, method, &path, &body.to_string());
            assert_eq!((answer.status, answer.reason()), (403, "own_address"), "{method} {path} {body}");
            assert_eq!(server.sim().calls(), before, "it is no call");
        }
    }
}

#[test]
fn a_redirect_to_the_simulator_is_not_followed() {
    let (sim, source) = world(None, None);
    let server = Server::spawn(sim);
    let location = format!("{}/_sim/reset", server.url());
    let receiver = Receiver::start(move |_| {
        format!("HTTP/1.1 307 X\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    });
    assert_eq!(answer_from(&server, &source, &receiver.url), "");
    assert!(server.sim().calls() > 0, "it was not reset");
}

#[test]
fn a_redirect_is_an_answer_like_any_other() {
    let elsewhere = Receiver::good();
    let location = elsewhere.url.clone();
    let receiver = Receiver::start(move |_| {
        format!("HTTP/1.1 307 X\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    });
    let (sim, source) = world(Some(&receiver.url), None);
    assert_eq!(answer_to_first(sim, &source), (json!(307), String::new()));
    elsewhere.assert_no_more();
}

#[test]
fn an_https_address_needs_an_authority_that_is_trusted() {
    let receiver = Server::builder().tls(true).spawn(Simulator::builder().build()).expect("a port");
    let authority = File::new("ca.pem", receiver.ca_pem().expect("it speaks TLS"));
    let hook = format!("https://localhost:{}/v1/projects", receiver.addr().port());
    for (trusted, status) in [(true, json!(401)), (false, Value::Null)] {
        let mut command = serve(&crate::analytics::GOOD);
        command.args(["--speed", "1000"]);
        if trusted {
            command.env("SSL_CERT_FILE", authority.path());
        }
        let served = Served::start(&mut command);
        let body = json!({ "name": "s", "webhook_notification_url": hook, "notifications_every": 1000 });
        let made = served.post("/api/sources", "private-token", &body.to_string());
        assert!(made.starts_with("HTTP/1.1 201"), "{made}");
        let logged = served.post("/api/logs?source_name=s", "private-token", r#"{"message":"m"}"#);
        assert!(logged.starts_with("HTTP/1.1 200"), "{logged}");
        let message = first_answered(&served);
        assert_eq!(message["status"], status, "{message}");
    }
}
