//! `/v1/projects/{ref}/analytics/endpoints/metrics`: gauges of a project, as scrapers read them.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Payload, Resource, Scope, ToSchema, get};

use crate::project::{self, ProjectRef, Row as Project};
use crate::{disk, readonly};

operations![ScrapeMetrics];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Gauges, one per line, each after its help and type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct Metrics(pub String);

/// Get gauges of a project in Prometheus's text format.
///
/// Only gauges that the simulator knows: whether the database is up and writable, the sizes of database, disk and memory, and
/// processors.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ScrapeMetrics {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ScrapeMetrics {
    type Output = Metrics;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("analytics:read")),
        produces: &["text/plain"],
        also: &[500],
        failure: "Failed to get project's metrics",
        ..get("v1-scrape-project-metrics", "/v1/projects/{ref}/analytics/endpoints/metrics")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Metrics, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(Metrics(text(cx, &project)?))
    }

    fn payload(output: &Metrics) -> Payload {
        Payload::text(&output.0)
    }
}

fn text(cx: &Cx<'_>, project: &Project) -> Result<String, Error> {
    const GIGABYTE: u64 = 1 << 30;
    let (cores, memory_gb) = project.size.machine();
    let used = cx.db.one("SELECT database_bytes FROM project WHERE ref = ?1", (&project.r#ref,), |row| {
        row.get::<_, i64>(0)
    });
    let gauges = [
        ("pg_up", "Whether the database answers.", u64::from(project.status.is_active())),
        (
            "pg_settings_default_transaction_read_only",
            "Whether the database takes no writes.",
            u64::from(readonly::takes_no_writes(cx, project)),
        ),
        ("pg_database_size_bytes", "Size of the database.", used.unsigned_abs()),
        ("node_filesystem_size_bytes", "Size of the disk.", disk::bytes(cx, project)),
        ("node_memory_MemTotal_bytes", "Size of the memory.", u64::from(memory_gb) * GIGABYTE),
        ("node_cpu_cores", "Processors of the machine.", u64::from(cores)),
    ];
    let mut text = String::new();
    for (name, help, value) in gauges {
        let label = &project.r#ref;
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name}{{project=\"{label}\"}} {value}")
            .expect("a string takes it");
    }
    Ok(text)
}
