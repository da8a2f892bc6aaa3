//! The shim without a socket.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::{Policy, Simulator};
use sim_http::{Server, SimService};
use tower_service::Service as _;

use crate::client::get;

fn status(service: &SimService, uri: &str, body: &'static str) -> (u16, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let token = service.sim().token().to_owned();
    let method = if body.is_empty() { "GET" } else { "POST" };
    let request =
        Request::builder().method(method).uri(uri).header("authorization", format!("Bearer {token}"));
    let request = request.body(Full::new(Bytes::from_static(body.as_bytes()))).expect("a request");
    runtime.block_on(async {
        let response = service.clone().call(request).await.expect("no rule breaks it");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        (status, String::from_utf8_lossy(&body).into_owned())
    })
}

#[test]
fn no_socket_is_needed() {
    let service = SimService::new(Simulator::builder().build());
    assert_eq!(status(&service, "/v1/projects", ""), (200, "[]".to_owned()));
    assert_eq!(status(&service, "/_sim/worlds", r#"{"name":"a"}"#).0, 201);
    assert_eq!(status(&service, "http://sim.test/w/a/v1/projects", "").0, 401, "its token is another");
    assert_eq!(service.sim().calls(), 1);
}

#[test]
fn the_scheme_says_whether_it_is_secure() {
    let policy = Policy { require_https: true, ..Policy::default() };
    let service = SimService::new(Simulator::builder().policy(policy).build());
    assert_eq!(status(&service, "http://sim.test/v1/projects", "").0, 403);
    assert_eq!(status(&service, "https://sim.test/v1/projects", "").0, 200);
}

#[test]
fn calls_from_many_threads_are_all_answered() {
    let policy = Policy { rate_limit: sim_core::RateLimit::off(), ..Policy::default() };
    let service = SimService::new(Simulator::builder().policy(policy).build());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| assert_eq!(status(&service, "/v1/projects", "").0, 200)));
        }
    });
    assert_eq!(service.sim().calls(), 200);
}

/// What a client of the service sees of one read under a rule: status and length of the body, or the error.
fn seen(service: &SimService, effect: Effect) -> Result<(u16, usize), ErrorKind> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let rule = Fault::new(On::path("*"), effect);
    let token = service.with(|sim| {
        sim.as_admin().call(AddFault(rule)).expect("the rule is valid");
        sim.token().to_owned()
    });
    let request = Request::get("/v1/projects").header("authorization", format!("Bearer {token}"));
    let request = request.body(Full::<Bytes>::default()).expect("a request");
    runtime.block_on(async {
        let response = service.clone().call(request).await.map_err(|error| error.kind())?;
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.map_err(|error| error.kind())?;
        Ok((status, body.to_bytes().len()))
    })
}

#[test]
fn faults_delay_and_break_answers_as_on_a_connection() {
    let service = SimService::new(Simulator::builder().build());
    assert_eq!(seen(&service, Effect::Reset), Err(ErrorKind::ConnectionReset));
    assert_eq!(seen(&service, Effect::LostAnswer), Err(ErrorKind::ConnectionReset));
    assert_eq!(seen(&service, Effect::Torn), Err(ErrorKind::UnexpectedEof));
    assert_eq!(seen(&service, Effect::status(503)).map(|(status, _)| status), Ok(503));
    for effect in [Effect::Latency { ms: 30 }, Effect::Slow { ms: 30 }] {
        let began = Instant::now();
        assert_eq!(seen(&service, effect), Ok((200, 2)));
        assert!(began.elapsed() >= Duration::from_millis(30));
    }
}

#[test]
#[should_panic(expected = "this thread holds the world by `sim()`")]
fn a_call_on_the_thread_that_holds_the_world_panics_instead_of_waiting() {
    let service = SimService::new(Simulator::builder().build());
    let _held = service.sim();
    status(&service.clone(), "/v1/projects", "");
}

#[test]
fn a_call_to_a_server_whose_world_is_held_is_refused_instead_of_waiting() {
    let server = Server::spawn(Simulator::builder().build());
    let held = server.sim();
    let answer = get(&server, "/v1/projects");
    assert_eq!((answer.status, answer.reason()), (503, "world_held"));
    assert!(answer.body.contains("use `with(|sim| …)`"), "{answer:?}");
    drop(held);
    assert_eq!(get(&server, "/v1/projects").status, 200);
}
