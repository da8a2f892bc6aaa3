//! Posts of several worlds, forks and restored worlds.

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_http::Server;

use super::{Receiver, answered, gated, log, source, tell, world};
use crate::client::post;

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
    let (gate, receiver) = gated();
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
    let (gate, receiver) = gated();
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
