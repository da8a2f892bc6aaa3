//! A defect of the simulator is an answer, not the end.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Cx, Empty, Meta, Registry, Resource, Section, Service, post};
use sim_core::{Error, Operation, operations};
use sim_http::Server;

use crate::{client, things};

operations![Explode];

/// Write a row, then panic.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Explode {}

impl Operation for Explode {
    type Output = Empty;
    const META: Meta = post("explode", "/v1/explode");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        cx.db.run("INSERT INTO thing VALUES (1)", ());
        panic!("as asked")
    }
}

static SECTIONS: [Section; 1] = [Section {
    title: "Things",
    resources: &[things::RESOURCE, Resource { tables: "", operations: OPERATIONS, tasks: &[] }],
    views: &[],
}];

static SERVICE: Service = things::service("A service with a defect", &SECTIONS);

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));

#[test]
fn a_panic_is_500_and_changes_nothing() {
    let server = Server::spawn(sim_core::engine::Builder::new(&REGISTRY).build());
    for _ in 0..3 {
        let answer = client::post(&server, "/v1/explode", "{}");
        assert_eq!((answer.status, answer.reason()), (500, "simulator_bug"));
        assert!(answer.body.contains("as asked"), "{}", answer.body);
        assert_eq!(client::get(&server, "/v1/count").body, "0");
    }
    assert_eq!(server.sim().calls(), 3);
}
