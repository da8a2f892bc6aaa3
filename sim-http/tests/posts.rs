//! Messages from the analytics server to webhooks and chats, as received on this machine.

use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim_core::analytics::change::Change;
use sim_core::analytics::ingest::Ingest;
use sim_core::analytics::source::{CreateSource, PatchSource, Source};
use sim_core::analytics::source_settings::SourceChanges;
use sim_core::{Policy, Simulator};
use sim_http::Server;

use crate::analytics::serve;
use crate::cli::{File, Served};
use crate::client::{PATIENCE, get, post};

/// A receiver on a free port, which answers every request by `answer` of its number.
pub(crate) struct Receiver {
    pub(crate) url: String,
    requests: mpsc::Receiver<Request>,
}

pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Receiver {
    pub(crate) fn start(mut answer: impl FnMut(usize) -> String + Send + 'static) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is to be had");
        let url = format!("http://{}/hook?a=b", listener.local_addr().expect("it has an address"));
        let (sender, requests) = mpsc::channel();
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let mut stream = stream.expect("a connection");
                // Who ends may have connected and sent nothing.
                let Some(request) = read(&mut BufReader::new(&stream)) else { continue };
                if sender.send(request).is_err() {
                    return;
                }
                // Who is not interested in the whole answer may be gone.
                let _ = stream.write_all(answer(number).as_bytes());
            }
        });
        Receiver { url, requests }
    }

    /// Answers 200 `ok`.
    fn good() -> Receiver {
        Receiver::start(|_| answer(200, "ok"))
    }

    pub(crate) fn next(&self) -> Request {
        self.requests.recv_timeout(PATIENCE).expect("something is posted")
    }

    fn next_json(&self) -> Value {
        serde_json::from_str(&self.next().body).expect("it is JSON")
    }

    fn assert_no_more(&self) {
        assert!(self.requests.try_recv().is_err(), "nothing more is posted");
    }
}

fn read(stream: &mut impl std::io::BufRead) -> Option<Request> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).expect("a line of the head") == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).expect("a length")];
    stream.read_exact(&mut body).expect("a body");
    Some(Request { head, body: String::from_utf8(body).expect("text") })
}

pub(crate) fn answer(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

/// Tells of new events every second: the webhook, or the chat.
fn source(webhook: Option<&str>, chat: Option<&str>) -> CreateSource {
    let url = |url: Option<&str>| url.map_or(Change::Keep, |url| Change::Set(url.to_owned()));
    let changes = SourceChanges {
        webhook_notification_url: url(webhook),
        chat_hook_url: url(chat),
        notifications_every: Change::Set(1000),
        ..SourceChanges::default()
    };
    CreateSource { changes, ..CreateSource::named("gateway") }
}

fn world(webhook: Option<&str>, chat: Option<&str>) -> (Simulator, Source) {
    let mut sim = Simulator::analytics().build();
    let source = sim.call(source(webhook, chat)).expect("a good call");
    (sim, source)
}

fn log(sim: &mut Simulator, source: &Source, message: &str) {
    sim.call(Ingest::json(&source.token, &json!([{ "message": message }]))).expect("a good call");
}

/// An event, and the tick that tells of it.
fn tell(sim: &mut Simulator, source: &Source, message: &str) {
    log(sim, source, message);
    sim.advance(Duration::from_secs(1));
}

/// The outbox of the world at that path, once it has `count` answers.
fn answered(server: &Server, world: &str, count: usize) -> Vec<Value> {
    let until = Instant::now() + PATIENCE;
    loop {
        let sent = get(server, &format!("{world}/_sim/outbox")).json();
        let sent = sent.as_array().expect("a list").clone();
        if sent.iter().filter(|message| !message["answer"].is_null()).count() >= count {
            return sent;
        }
        assert!(Instant::now() < until, "{sent:?} have too few answers");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Status and answer of the first message, once it has one.
fn answer_to_first(sim: Simulator, source: &Source) -> (Value, String) {
    let server = Server::spawn(sim);
    tell(&mut server.sim(), source, "m");
    let first = answered(&server, "", 1).remove(0);
    (first["status"].clone(), first["answer"].as_str().expect("text").to_owned())
}

#[test]
fn a_message_is_posted_however_it_came_about() {
    type Go = fn(&Server);
    let ways: [(&str, f64, Go); 3] = [
        ("in process", 0.0, |server| drop(server.sim().advance(Duration::from_secs(1)))),
        ("by the control API", 0.0, |server| {
            assert_eq!(post(server, "/_sim/clock/advance", r#"{"ms":1000}"#).status, 200);
        }),
        ("by real time", 50.0, |_| {}),
    ];
    for (way, speed, go) in ways {
        let receiver = Receiver::good();
        let (sim, source) = world(Some(&receiver.url), None);
        let server = Server::builder().speed(speed).spawn(sim).expect("a port is to be had");
        // From now on only the next work makes the server look at its worlds by itself.
        get(&server, "/_sim/clock");
        log(&mut server.sim(), &source, "m");
        go(&server);
        let request = receiver.next();
        assert!(request.head.starts_with("POST /hook?a=b HTTP/1.1\r\n"), "{way}: {}", request.head);
        assert!(request.head.contains("content-type: application/json\r\n"), "{way}: {}", request.head);
        let message = answered(&server, "", 1).remove(0);
        assert_eq!(message["body"], request.body, "{way}");
        assert_eq!((&message["status"], &message["answer"]), (&json!(200), &json!("ok")), "{way}");
        receiver.assert_no_more();
    }
}

#[test]
fn the_answer_is_a_call_that_a_replay_makes_again() {
    let receiver = Receiver::good();
    let (sim, source) = world(Some(&receiver.url), None);
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "m");
    answered(&server, "", 1);
    let sim = server.sim();
    let call = sim.journal().into_iter().find(|call| call.target == "/_sim/outbox/1").expect("it is there");
    assert_eq!((call.method.as_str(), call.status), ("POST", 200));
    let again = sim.replay_file().expect("the journal is whole").run(sim.registry()).expect("it is the same");
    assert_eq!(again.journal_hash(), sim.journal_hash());
}

#[test]
fn the_rows_of_an_alert_are_posted_to_its_webhook_and_its_chat() {
    let (webhook, chat) = (Receiver::good(), Receiver::good());
    let server = Server::spawn(Simulator::analytics().build());
    let alert = json!({
        "name": "a", "query": "select 1 as one", "cron": "@daily",
        "webhook_notification_url": webhook.url, "chat_hook_url": chat.url,
    });
    assert_eq!(post(&server, "/api/alerts", &alert.to_string()).status, 201);
    assert_eq!(post(&server, "/_sim/clock/advance", r#"{"to":"next_due"}"#).status, 200);
    assert_eq!(webhook.next_json(), json!({ "result": [{ "one": 1 }] }));
    assert_eq!(chat.next_json()["blocks"].as_array().map(Vec::len), Some(2));
    answered(&server, "", 2);
}

#[test]
fn messages_to_one_address_arrive_in_their_order() {
    let receiver = Receiver::good();
    let (sim, source) = world(Some(&receiver.url), None);
    let server = Server::spawn(sim);
    for number in 0..20 {
        tell(&mut server.sim(), &source, &number.to_string());
    }
    for number in 0..20 {
        let events = receiver.next_json()["recent_events"].as_array().cloned();
        assert_eq!(events.and_then(|mut events| events.pop()), Some(json!(number.to_string())));
    }
}

#[test]
fn more_messages_than_can_wait_are_not_posted_and_say_so() {
    let (gate, opened) = mpsc::channel::<()>();
    let receiver = Receiver::start(move |_| {
        let _ = opened.recv();
        answer(200, "ok")
    });
    let mut policy = Policy::default();
    policy.analytics.alerts_apart_ms = 0;
    let server = Server::spawn(Simulator::analytics().policy(policy).build());
    let alert = json!({
        "name": "a", "query": "select 1 as one", "cron": "* * * * *", "webhook_notification_url": receiver.url,
    });
    assert_eq!(post(&server, "/api/alerts", &alert.to_string()).status, 201);
    for _ in 0..3 {
        server.sim().advance(Duration::from_secs(500 * 60));
    }
    let sent = get(&server, "/_sim/outbox").json();
    let last = sent.as_array().and_then(|sent| sent.last().cloned()).expect("messages");
    assert_eq!(
        (&last["id"], &last["answer"]),
        (&json!(1500), &json!("not posted: too many messages wait to be"))
    );
    drop(gate);
}

#[test]
fn a_message_to_a_chat_is_retried_until_accepted() {
    let receiver = Receiver::start(|number| answer([500, 429, 404, 200][number], "ok"));
    let (sim, source) = world(None, Some(&receiver.url));
    assert_eq!(answer_to_first(sim, &source), (json!(200), "ok".to_owned()));
    let bodies: Vec<_> = (0..4).map(|_| receiver.next_json()).collect();
    assert!(bodies.iter().all(|body| body == &bodies[0] && body["blocks"].is_array()), "{bodies:?}");
    receiver.assert_no_more();
}

#[test]
fn after_three_further_attempts_a_chat_is_given_up_and_a_webhook_at_once() {
    for (is_chat, attempts) in [(true, 4), (false, 1)] {
        let receiver = Receiver::start(|_| answer(503, "later"));
        let url = Some(receiver.url.as_str());
        let (sim, source) = if is_chat { world(None, url) } else { world(url, None) };
        assert_eq!(answer_to_first(sim, &source), (json!(503), "later".to_owned()));
        (0..attempts).for_each(|_| drop(receiver.next()));
        receiver.assert_no_more();
    }
}

#[test]
fn a_chat_that_no_longer_exists_is_removed() {
    let receiver = Receiver::start(|_| answer(404, "no_service"));
    let (sim, source) = world(None, Some(&receiver.url));
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "m");
    answered(&server, "", 1);
    let source = get(&server, &format!("/api/sources/{}", source.token)).json();
    assert_eq!(source["chat_hook_url"], Value::Null);
}

#[test]
fn a_chat_that_was_changed_meanwhile_is_not_forgotten() {
    let (gate, opened) = mpsc::channel::<()>();
    let receiver = Receiver::start(move |_| {
        let _ = opened.recv();
        answer(200, "no_service")
    });
    let (sim, source) = world(None, Some(&receiver.url));
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "m");
    receiver.next();
    let changes = SourceChanges {
        chat_hook_url: Change::Set("http://127.0.0.1:9/other".to_owned()),
        ..SourceChanges::default()
    };
    let patch = PatchSource { token: source.token.clone(), name: None, changes };
    server.sim().call(patch).expect("a good call");
    gate.send(()).expect("the receiver waits");
    answered(&server, "", 1);
    let source = get(&server, &format!("/api/sources/{}", source.token)).json();
    assert_eq!(source["chat_hook_url"], "http://127.0.0.1:9/other");
}

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
fn of_a_long_answer_the_beginning_is_kept() {
    let receiver = Receiver::start(|_| answer(200, &"ä".repeat(1 << 20)));
    let (sim, source) = world(Some(&receiver.url), None);
    let (status, answer) = answer_to_first(sim, &source);
    assert_eq!((status, answer), (json!(200), format!("{}…", "ä".repeat(1000))));
}

#[test]
fn a_missing_answer_is_reported() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let (sim, source) = world(Some(&format!("http://{free}/")), None);
    let (status, answer) = answer_to_first(sim, &source);
    assert_eq!(status, Value::Null);
    assert!(answer.starts_with(&format!("not posted: {free}: ")), "{answer}");
    let receiver = Receiver::start(|_| "nonsense\r\n\r\n".to_owned());
    let (sim, source) = world(Some(&receiver.url), None);
    let (status, answer) = answer_to_first(sim, &source);
    assert_eq!(status, Value::Null);
    assert!(answer.starts_with("not posted: no answer, "), "{answer}");
}

#[test]
fn every_world_posts_its_own_messages_once() {
    let receiver = Receiver::good();
    let (sim, first) = world(Some(&receiver.url), None);
    let server = Server::spawn(sim);
    let mut tokens = vec![first.token.clone()];
    tell(&mut server.sim(), &first, "m");
    for name in ["a", "b"] {
        let (mut sim, source) = world(Some(&receiver.url), None);
        log(&mut sim, &source, "m");
        let url = server.add_world(name, sim).expect("it is new");
        let path = url.trim_start_matches(server.url());
        assert_eq!(post(&server, &format!("{path}/_sim/clock/advance"), r#"{"ms":1000}"#).status, 200);
        answered(&server, path, 1);
        tokens.push(source.token);
    }
    let posted: Vec<_> = (0..3).map(|_| receiver.next_json()["source"].clone()).collect();
    assert_eq!(posted, tokens);
    receiver.assert_no_more();
}

#[test]
fn a_world_of_both_services_posts_too() {
    let receiver = Receiver::good();
    let mut sim = Simulator::builder().with_self_log().build();
    let source = sim.call(source(Some(&receiver.url), None)).expect("a good call");
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "m");
    assert_eq!(receiver.next().body, answered(&server, "", 1)[0]["body"]);
}

#[test]
fn waiting_messages_stay_with_the_original_of_a_fork() {
    let (gate, opened) = mpsc::channel::<()>();
    let receiver = Receiver::start(move |_| {
        let _ = opened.recv();
        answer(200, "ok")
    });
    let (sim, source) = world(Some(&receiver.url), None);
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "m");
    receiver.next();
    assert_eq!(post(&server, "/_sim/fork", r#"{"name":"fork"}"#).status, 201);
    gate.send(()).expect("the receiver waits");
    answered(&server, "", 1);
    // The fork's own messages are posted, after all earlier ones.
    let log = format!("/w/fork/api/logs?source={}", source.token);
    assert_eq!(post(&server, &log, r#"[{"message":"n"}]"#).status, 200);
    gate.send(()).expect("the receiver waits");
    assert_eq!(post(&server, "/w/fork/_sim/clock/advance", r#"{"ms":1000}"#).status, 200);
    let sent = answered(&server, "/w/fork", 1);
    let answers: Vec<_> = sent.iter().map(|message| &message["answer"]).collect();
    assert_eq!(answers, [&Value::Null, &json!("ok")]);
    assert_eq!(receiver.next_json()["recent_events"], json!(["m", "n"]));
    receiver.assert_no_more();
}

#[test]
fn a_restored_world_posts_only_new_messages() {
    let receiver = Receiver::good();
    let (sim, source) = world(Some(&receiver.url), None);
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "first");
    answered(&server, "", 1);
    assert_eq!(post(&server, "/_sim/snapshots", r#"{"name":"s"}"#).status, 201);
    for _ in 0..2 {
        tell(&mut server.sim(), &source, "second");
        assert_eq!(answered(&server, "", 2).len(), 2);
        assert_eq!(post(&server, "/_sim/snapshots/s/restore", "").status, 200);
    }
    assert_eq!(post(&server, "/_sim/reset", "").status, 200);
    tell(&mut server.sim(), &source, "third");
    answered(&server, "", 1);
    let last = |body: Value| body["recent_events"].as_array().and_then(|events| events.last().cloned());
    let posted: Vec<_> = (0..4).filter_map(|_| last(receiver.next_json())).collect();
    assert_eq!(posted, ["first", "second", "second", "third"]);
    receiver.assert_no_more();
}

#[test]
fn an_answer_to_a_call_undone_by_a_restore_is_dropped() {
    let (gate, opened) = mpsc::channel::<()>();
    let receiver = Receiver::start(move |_| {
        let _ = opened.recv();
        answer(200, "ok")
    });
    let (sim, source) = world(Some(&receiver.url), None);
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "m");
    receiver.next();
    assert_eq!(post(&server, "/_sim/reset", "").status, 200);
    tell(&mut server.sim(), &source, "n");
    // To one address one message goes after the other, so the first answer is dealt with before the second comes.
    gate.send(()).expect("the receiver waits");
    gate.send(()).expect("the receiver waits");
    assert_eq!(receiver.next_json()["recent_events"], json!(["n"]));
    assert_eq!(answered(&server, "", 1).len(), 1);
    let answers =
        server.sim().journal().iter().filter(|call| call.target.starts_with("/_sim/outbox/")).count();
    assert_eq!(answers, 1);
}

#[test]
fn messages_from_before_a_world_was_served_are_not_posted() {
    let receiver = Receiver::good();
    let (mut sim, source) = world(Some(&receiver.url), None);
    tell(&mut sim, &source, "before");
    let server = Server::spawn(sim);
    tell(&mut server.sim(), &source, "after");
    let sent = answered(&server, "", 1);
    assert_eq!((&sent[0]["answer"], &sent[1]["answer"]), (&Value::Null, &json!("ok")));
    assert_eq!(receiver.next_json()["recent_events"], json!(["before", "after"]));
    receiver.assert_no_more();
}

#[test]
fn a_server_that_is_not_to_post_leaves_it_to_the_test() {
    let receiver = Receiver::good();
    let (sim, source) = world(Some(&receiver.url), None);
    let server = Server::builder().posts(false).spawn(sim).expect("a port is to be had");
    tell(&mut server.sim(), &source, "m");
    let said = post(&server, "/_sim/outbox/1", r#"{"status":500,"answer":"too bad"}"#);
    assert_eq!((said.status, get(&server, "/_sim/outbox").json()[0]["status"].clone()), (200, json!(500)));
    let posts = server.sim().take_posts();
    assert_eq!(posts.len(), 1, "nobody has taken it");
    receiver.assert_no_more();
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

fn first_answered(served: &Served) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let raw = served.get("/_sim/outbox", "");
        let body = raw.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let sent: Value = serde_json::from_str(body).expect("a list");
        if sent[0]["answer"].is_string() {
            return sent[0].clone();
        }
        assert!(Instant::now() < until, "{sent} has no answer");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_command_line_lets_messages_out() {
    let config = File::new("egress.toml", "allow-egress = true\n");
    let rows: [(&[&str], bool); 3] =
        [(&[], false), (&["--allow-egress"], true), (&["--config", config.path()], true)];
    for (arguments, is_allowed) in rows {
        let mut command = serve(&crate::analytics::GOOD);
        command.args(["--speed", "1000"]).args(arguments);
        let served = Served::start(&mut command);
        let hook = "http://hooks.invalid/";
        let body = json!({ "name": "s", "webhook_notification_url": hook, "notifications_every": 1000 });
        served.post("/api/sources", "private-token", &body.to_string());
        served.post("/api/logs?source_name=s", "private-token", r#"{"message":"m"}"#);
        let message = first_answered(&served);
        let refused = message["answer"].as_str().expect("text").contains("--allow-egress lets it out");
        assert_eq!(refused, !is_allowed, "{arguments:?}: {message}");
    }
}
