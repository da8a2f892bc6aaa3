//! `/health`: whether the server is up, and its initial content exists.

use std::collections::BTreeMap;

use serde::Serialize;
use sim_base::operations;
use sim_base::{Access, Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Resource, ToSchema, get};

use crate::platform;

operations![GetHealth];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The health of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ServerHealth {
    /// `ok`.
    pub status: String,
    /// The node that answers.
    pub this_node: String,
    /// All nodes, with the one that answers.
    pub nodes: Vec<String>,
    /// The number of nodes.
    pub nodes_count: i64,
    /// Milliseconds since the server has connected to its database.
    pub repo_uptime: i64,
    /// The status of each cache.
    pub caches: BTreeMap<String, String>,
}

/// Get the health of the server: 503 until its initial content exists.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetHealth {}

impl Operation for GetHealth {
    type Output = ServerHealth;
    const META: Meta = Meta {
        access: Access::Public,
        since: Edition::V2026_11,
        implies: false,
        also: &[503],
        aliases: &["/ready"],
        ..get("analytics-get-health", "/health")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ServerHealth, Error> {
        if !platform::is_seeded(cx) {
            return Err(Error::new(Kind::Unavailable, "seeding", "coming_up"));
        }
        let up =
            cx.db.one("SELECT (?1 - start) / 1000 FROM world", (sim_base::micros(cx.now),), |row| row.get(0));
        let caches =
            ["sources", "endpoints", "users", "results"].map(|name| (name.to_owned(), "ok".to_owned()));
        let this_node = "analytics@127.0.0.1".to_owned();
        Ok(ServerHealth {
            status: "ok".to_owned(),
            this_node: this_node.clone(),
            nodes: vec![this_node],
            nodes_count: 1,
            repo_uptime: up,
            caches: caches.into(),
        })
    }
}
