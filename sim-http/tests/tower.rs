//! The shim without a socket.

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use sim_core::{Policy, Simulator};
use sim_http::SimService;
use tower_service::Service as _;

fn status(service: &SimService, uri: &str, body: &'static str) -> (u16, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let token = service.sim().token().to_owned();
    let method = if body.is_empty() { "GET" } else { "POST" };
    let request =
        Request::builder().method(method).uri(uri).header("authorization", format!("Bearer {token}"));
    let request = request.body(Full::new(Bytes::from_static(body.as_bytes()))).expect("a request");
    runtime.block_on(async {
        let response = service.clone().call(request).await.expect("it never fails");
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
