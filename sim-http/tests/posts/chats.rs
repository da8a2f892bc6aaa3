//! Messages to chats: retries, and chats that are removed.

use std::sync::mpsc;

use serde_json::{Value, json};
use sim_core::analytics::change::Change;
use sim_core::analytics::source::PatchSource;
use sim_core::analytics::source_settings::SourceChanges;
use sim_http::Server;

use super::{Receiver, answer, answer_to_first, answered, tell, world};
use crate::client::get;

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
