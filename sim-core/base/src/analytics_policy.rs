//! How the analytics server of a world behaves.

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

/// The settings of the analytics server's behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyticsPolicy {
    /// The schema of the event tables; empty for none.
    pub schema: String,
    /// The warehouse that stores the events; without one, the relational backend stores them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warehouse: Option<Warehouse>,
    /// Events per second that a new source accepts, measured over 60 s.
    #[schemars(range(min = 0))]
    pub source_quota: i64,
    /// Events per second that all sources of a user accept together, measured over 60 s.
    #[schemars(range(min = 0))]
    pub user_quota: i64,
    /// The longest retention of events that a source may have, in days.
    #[schemars(range(min = 1))]
    pub plan_retention_days: i64,
    /// Apply the plan's rates instead of the quotas, as for paying users.
    pub plan_rates: bool,
    /// Events per second that a source accepts under the plan.
    #[schemars(range(min = 0))]
    pub plan_source_rate: i64,
    /// Events per second that all sources of a user accept together under the plan.
    #[schemars(range(min = 0))]
    pub plan_user_rate: i64,
    /// Largest body with events in bytes, uncompressed; larger ones are answered with 413.
    pub ingest_bytes: usize,
    /// How far in the future an event's timestamp may be, in milliseconds; events further ahead are refused.
    pub future_ms: u64,
    /// The size of a source's buffer: the most events that it accepts within one second. Further ones are answered with
    /// 429. Unlimited by default.
    #[schemars(range(min = 0))]
    pub buffer_events: Option<i64>,
    /// The most events of a source that the world itself stores; the oldest leave. A server of events has no such limit.
    #[schemars(range(min = 0))]
    pub source_events: i64,
    /// The most bytes of ids, messages and bodies of a source's events that the world itself stores; the oldest leave.
    #[schemars(range(min = 0))]
    pub source_bytes: i64,
    /// The shortest interval between two runs of an alert, in milliseconds.
    pub alerts_apart_ms: u64,
    /// How long a server for one tenant takes to create the platform's sources and endpoints, in milliseconds: its health
    /// is 503 until then.
    pub seeding_ms: u64,
    /// The most events of the platform itself that are kept, over all sources; older ones are dropped.
    #[schemars(range(min = 0))]
    pub platform_events: i64,
    /// Report the reason why an endpoint can't run a query. Otherwise the answer is the same sentence for every reason,
    /// as with the newest servers.
    pub clear_query_errors: bool,
    /// Let public tokens run query endpoints, as older servers do.
    pub public_tokens_query: bool,
}

impl Default for AnalyticsPolicy {
    fn default() -> AnalyticsPolicy {
        AnalyticsPolicy {
            schema: "_analytics".to_owned(),
            warehouse: None,
            source_quota: 25,
            user_quota: 150,
            plan_retention_days: 60,
            plan_rates: false,
            plan_source_rate: 100_000,
            plan_user_rate: 500_000,
            ingest_bytes: 12_000_000,
            future_ms: 3_600_000,
            buffer_events: None,
            source_events: 1_000_000,
            source_bytes: 1_000_000_000,
            alerts_apart_ms: 300_000,
            seeding_ms: 0,
            platform_events: 10_000,
            clear_query_errors: true,
            public_tokens_query: false,
        }
    }
}

/// A project in the cloud data warehouse, as it is modelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Warehouse {
    /// The project's id.
    pub project_id: String,
    /// Its number.
    pub project_number: String,
    /// The address of the service account, which signs the tokens in requests.
    pub service_account: String,
    /// The location in which datasets are created.
    pub location: String,
    /// The permissions of the service account: single ones, or `roles/warehouse.admin`.
    pub permissions: Vec<String>,
    /// Whether the project has billing enabled. Without it no event can be streamed in.
    pub billing: bool,
    /// The most columns of a table.
    #[schemars(range(min = 1))]
    pub max_columns: usize,
    /// How often a table can get new columns within a minute.
    #[schemars(range(min = 0))]
    pub schema_updates_per_minute: i64,
}

impl Default for Warehouse {
    fn default() -> Warehouse {
        Warehouse {
            project_id: "analytics".to_owned(),
            project_number: "100000000001".to_owned(),
            service_account: "analytics@analytics.test".to_owned(),
            location: "US".to_owned(),
            permissions: vec!["roles/warehouse.admin".to_owned()],
            billing: true,
            max_columns: 500,
            schema_updates_per_minute: 6,
        }
    }
}
