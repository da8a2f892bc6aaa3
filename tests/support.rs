//! What all facts share: telling one in process and over HTTP, and tables of refusals.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use sim_core::Simulator;
use sim_fixtures::strategies::{Ask, Names, What, Who};
use sim_fixtures::{Api, Call, Http, InProcess, Reply, Scene};
use sim_http::Server;

/// Tells `fact` of `scene` in process, then over HTTP, and wants the same answers to the byte.
pub(crate) fn both<S: Into<Scene>>(scene: impl Fn() -> S, fact: impl Fn(&mut dyn Api)) {
    insta::allow_duplicates! {
        let mut here = Told::new(InProcess::new(scene()));
        fact(&mut here);
        let mut there = Told::new(over_http(scene().into()));
        fact(&mut there);
        assert_eq!(here.answers, there.answers, "in process and over HTTP");
    }
}

/// A server of its own for the scene.
pub(crate) fn over_http(scene: Scene) -> Http {
    let Scene { sim, project } = scene;
    let server = Server::spawn(sim);
    let url = server.url().to_owned();
    Http::new(&url, &project.0, Box::new(move |look| look(&mut server.sim())))
}

/// An [`Api`] that remembers what was answered.
struct Told<A> {
    api: A,
    answers: Vec<String>,
}

impl<A: Api> Told<A> {
    fn new(api: A) -> Told<A> {
        Told { api, answers: Vec::new() }
    }
}

/// Headers that are part of the contract.
const HEADERS: [&str; 8] = [
    "content-type",
    "allow",
    "retry-after",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-sim-call",
    "x-sim-reason",
];

impl<A: Api> Api for Told<A> {
    fn exchange(&mut self, request: Request<Bytes>) -> Reply {
        let asked = format!("{} {}", request.method(), request.uri());
        let reply = self.api.exchange(request);
        let headers = HEADERS.map(|name| format!("{name}: {}", reply.header(name))).join("\n");
        self.answers.push(format!("{asked}\n{headers}\n{reply}"));
        reply
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        self.api.look(look);
    }

    fn project(&self) -> String {
        self.api.project()
    }
}

/// The names that a scene's things have, for calls from `strategies`.
pub(crate) fn names(api: &dyn Api) -> Names {
    let users = ["owner", "administrator", "developer", "reader", "outsider"].map(str::to_owned);
    Names {
        projects: vec![api.project()],
        organizations: vec!["acme".to_owned()],
        tokens: users.iter().map(|name| format!("token-of-{name}")).collect(),
        users: users.into(),
    }
}

/// A good call for `what` as the scene's owner.
pub(crate) fn good(api: &dyn Api, what: What) -> Call {
    Ask { who: Who::Token(0), what, wrong: None }.call(&names(api))
}

/// Seconds of simulated time.
pub(crate) const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// The smallest piece of simulated time.
pub(crate) const TICK: Duration = Duration::from_micros(1);
