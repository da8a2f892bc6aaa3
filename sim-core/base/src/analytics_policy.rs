//! How the analytics server of a world behaves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The knobs of the analytics server's behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyticsPolicy {
    /// The schema that the tables of events are in; empty for none.
    pub schema: String,
    /// The warehouse that keeps the events; without it the relational backend does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warehouse: Option<Warehouse>,
    /// Events per second that a new source takes, judged over 60 s.
    pub source_quota: i64,
    /// Events per second that a user's sources take together, judged over 60 s.
    pub user_quota: i64,
    /// Days for which a source may keep its events.
    pub plan_retention_days: i64,
    /// Judge by the plan's rates instead of quotas, as where somebody pays.
    pub plan_rates: bool,
    /// Events per second that the plan lets a source take.
    pub plan_source_rate: i64,
    /// Events per second that the plan lets a user's sources take together.
    pub plan_user_rate: i64,
    /// Largest body with events in bytes, uncompressed; larger ones are answered with 413.
    pub ingest_bytes: usize,
    /// Milliseconds that an event may lie ahead; one that is further ahead is refused.
    pub future_ms: u64,
    /// Events of a source that may come in within one second before its buffer is full and further ones are answered
    /// with 429. Nothing is held up unless it is set.
    pub buffer_events: Option<i64>,
    /// Milliseconds that the next two runs of an alert must be apart.
    pub alerts_apart_ms: u64,
    /// Milliseconds that a server for one tenant needs to seed the platform's sources and endpoints: its health is 503
    /// until then.
    pub seeding_ms: u64,
    /// Events of the platform itself that are kept, all sources together; older ones are dropped.
    pub platform_events: i64,
    /// Say what is wrong with a query that an endpoint can't run. Otherwise it answers one sentence for whatever it is,
    /// as the newest servers do.
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
            alerts_apart_ms: 300_000,
            seeding_ms: 0,
            platform_events: 10_000,
            clear_query_errors: true,
            public_tokens_query: false,
        }
    }
}

/// A project in the cloud data warehouse, as the model of it behaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Warehouse {
    /// The project's id.
    pub project_id: String,
    /// Its number.
    pub project_number: String,
    /// The address of the service account, which signs the tokens of requests.
    pub service_account: String,
    /// Where datasets are made.
    pub location: String,
    /// What the service account may do: single permissions, or `roles/warehouse.admin`.
    pub permissions: Vec<String>,
    /// Whether the project has billing enabled, without which nothing can be streamed in.
    pub billing: bool,
    /// Columns that a table has at most.
    pub max_columns: usize,
    /// How often within a minute a table gets new columns.
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
