//! A small service for tests of the shim: a table of things, and a count of them. Tests add operations of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{self, Cx, Manner, Meta, Resource, Section, Service};
use sim_core::{Error, Operation, World, operations};

operations![Count];

pub(crate) const RESOURCE: Resource = Resource {
    tables: "CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT;",
    operations: OPERATIONS,
    tasks: &[],
};

/// Count the things.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Count {}

impl Operation for Count {
    type Output = i64;
    const META: Meta = engine::get("count", "/v1/count");

    fn run(self, cx: &mut Cx<'_>) -> Result<i64, Error> {
        Ok(cx.db.one("SELECT count(*) FROM thing", (), |row| row.get(0)))
    }
}

/// A service with these sections, and with users.
pub(crate) const fn service(title: &'static str, sections: &'static [Section]) -> Service {
    Service {
        name: "test",
        title,
        sections,
        blank: &[],
        manner: &Manner::MESSAGE,
        manners: &[],
        guards: &[],
        tags: &[],
        ends: &[],
        unused: |_, _| Vec::new(),
        open_enums: None,
        databases: None,
        seed: |cx, world: &World| {
            world.users.iter().try_for_each(|user| engine::create_user(cx, user).map(drop))
        },
    }
}
