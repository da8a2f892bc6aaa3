//! Messages from the analytics server to webhooks and chats, as received on this machine.

mod addresses;
mod chats;
mod worlds;

use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sim_core::analytics::change::Change;
use sim_core::analytics::ingest::Ingest;
use sim_core::analytics::source::{CreateSource, Source};
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
                // A client that ends may have connected and sent nothing.
                let Some(request) = read(&mut BufReader::new(&stream)) else { continue };
                if sender.send(request).is_err() {
                    return;
                }
                // A client that does not need the whole answer may be gone.
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

/// A receiver that answers only when something is sent to the gate.
fn gated() -> (mpsc::Sender<()>, Receiver) {
    let (gate, opened) = mpsc::channel::<()>();
    let receiver = Receiver::start(move |_| {
        let _ = opened.recv();
        answer(200, "ok")
    });
    (gate, receiver)
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
