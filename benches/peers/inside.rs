//! Peers that run inside this process, until it ends.

use std::net::SocketAddr;
use std::time::Duration;

use sim_core::engine::RateLimit;
use sim_core::management::project::CreateProject;
use sim_core::{Policy, Simulator};
use sim_http::Server;
use wiremock::matchers::{header_exists, method, path, path_regex};
use wiremock::{Match, Mock, MockServer, ResponseTemplate};

use crate::Peer;
use crate::client::MANY;
use crate::process::{AUTHORIZED, get};

const PROJECTS: &str = "^/v1/projects/[a-z]{20}$";

/// A server that is asked for this many projects in turn.
pub(crate) fn stuntdouble(projects: usize) -> Peer {
    let policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
    let mut sim = Simulator::builder().policy(policy).build();
    let create = |index| CreateProject::named(&format!("bench {index:04}"), "acme");
    let refs: Vec<_> =
        (0..projects).map(|index| sim.call(create(index)).expect("the name is new").id).collect();
    sim.advance(Duration::from_secs(60));
    let server = Server::spawn(sim);
    let authorized = format!("authorization: Bearer {}\r\n", server.token());
    let requests = refs.iter().map(|r#ref| get(&format!("/v1/projects/{ref}"), &authorized)).collect();
    let peer = Peer { addr: server.addr(), requests, process: None };
    Box::leak(Box::new(server));
    peer
}

/// One mock for all projects.
pub(crate) fn wiremock(body: &str) -> Peer {
    asked_for_a_project(wiremock_at([path_regex(PROJECTS)], body))
}

/// One mock per project, for as many projects as Stuntdouble is asked for.
pub(crate) fn wiremock_each(body: &str) -> Peer {
    let letters = |digit: u8| char::from(digit - b'0' + b'a');
    let reference = |number| format!("{number:020}").bytes().map(letters).collect::<String>();
    let paths: Vec<_> = (0..MANY).map(|number| format!("/v1/projects/{}", reference(number))).collect();
    let requests = paths.iter().map(|path| get(path, AUTHORIZED)).collect();
    Peer { addr: wiremock_at(paths.into_iter().map(path), body), requests, process: None }
}

fn wiremock_at(paths: impl IntoIterator<Item = impl Match + 'static>, body: &str) -> SocketAddr {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let answer = ResponseTemplate::new(200).set_body_raw(body, "application/json");
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        for path in paths {
            let asked = Mock::given(method("GET")).and(path).and(header_exists("authorization"));
            asked.respond_with(answer.clone()).mount(&server).await;
        }
        server
    });
    let addr = *server.address();
    Box::leak(Box::new((server, runtime)));
    addr
}

pub(crate) fn httpmock(body: &str) -> Peer {
    let server = httpmock::MockServer::start();
    server.mock(|when, then| {
        when.method("GET").path_matches(PROJECTS).header_exists("authorization");
        then.status(200).header("content-type", "application/json").body(body);
    });
    let addr = *server.address();
    Box::leak(Box::new(server));
    asked_for_a_project(addr)
}

/// A server at `addr` that is asked for one project repeatedly.
pub(crate) fn asked_for_a_project(addr: SocketAddr) -> Peer {
    Peer { addr, requests: vec![get("/v1/projects/abcdefghijklmnopqrst", AUTHORIZED)], process: None }
}
