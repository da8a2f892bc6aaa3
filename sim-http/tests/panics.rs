//! A defect of the simulator is an answer, not the end.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Cx, Empty, Manner, Meta, Registry, Resource, Section, Service, get, post};
use sim_core::{Error, Operation, World, operations};
use sim_http::Server;

use crate::client;

operations![Count, Explode];

/// Count the rows.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Count {}

impl Operation for Count {
    type Output = i64;
    const META: Meta = get("count", "/v1/count");

    fn run(self, cx: &mut Cx<'_>) -> Result<i64, Error> {
        Ok(cx.db.one("SELECT count(*) FROM thing", (), |row| row.get(0)))
    }
}

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

static SERVICE: Service = Service {
    name: "test",
    title: "A service with a defect",
    sections: &[Section {
        title: "Things",
        resources: &[Resource {
            tables: "CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT;",
            operations: OPERATIONS,
            tasks: &[],
        }],
        views: &[],
    }],
    blank: &[],
    manner: &Manner::MESSAGE,
    manners: &[],
    guards: &[],
    tags: &[],
    databases: None,
    seed: |cx, world: &World| {
        world.users.iter().try_for_each(|user| sim_core::engine::create_user(cx, user).map(drop))
    },
};

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
