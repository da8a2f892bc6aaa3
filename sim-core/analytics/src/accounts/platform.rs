//! A server for one tenant: its user and tokens; in platform mode also the sources and endpoints of the
//! studio's logs.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;
use sim_base::{
    Cx, Error, FromJson, Operation as _, Resource, SingleTenant, Task, TaskEntry, UserSpec, World,
    create_user,
};

use crate::access_token;
use crate::account;
use crate::endpoint::{CreateEndpoint, EndpointChanges};
use crate::source::CreateSource;

pub(crate) const RESOURCE: Resource =
    Resource { tables: "", operations: &[], tasks: &[TaskEntry::of::<Seeding>()] };

/// The world of a server for one tenant: it has one user.
pub fn world_of(tenant: &SingleTenant) -> World {
    let world = World { single_tenant: Some(tenant.clone()), ..World::empty() };
    let user = UserSpec { email: Some("default@example.test".to_owned()), ..UserSpec::named("default") };
    match &tenant.private_token {
        Some(token) => world.user(user.token(token)),
        None => world.user(user),
    }
}

/// Creates the rest of a single tenant's content after the user. With a `seeding_ms`, the platform's sources and endpoints appear
/// after that time.
pub(crate) fn seed(cx: &mut Cx<'_>, tenant: &SingleTenant, user: &UserSpec) -> Result<(), Error> {
    let id = create_user(cx, &UserSpec { tokens: Vec::new(), ..user.clone() })?;
    // Before the API key, because typed calls use the first token.
    for token in &user.tokens {
        access_token::seed(cx, id, token, "private", cx.profile.variable("ANALYTICS_PRIVATE_ACCESS_TOKEN"))?;
    }
    let key = account::give_key(cx, id, tenant.public_token.as_deref().or(tenant.api_key.as_deref()))?;
    if let Some(token) = &tenant.public_token {
        let name = cx.profile.variable("ANALYTICS_PUBLIC_ACCESS_TOKEN");
        access_token::list(cx, key, id, token, "public", Some(name));
    }
    if !tenant.platform {
        return Ok(());
    }
    match cx.policy.analytics.seeding_ms {
        0 => seed_platform(cx),
        wait => {
            cx.by_the_clock(Duration::from_millis(wait), &Seeding {});
            Ok(())
        }
    }
}

/// The seeding of the platform's sources and endpoints, if it takes time.
#[derive(Debug, Serialize, FromJson)]
pub(crate) struct Seeding {}

impl Task for Seeding {
    const KIND: &'static str = "seeding";

    fn subject(&self) -> &'static str {
        "platform"
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        seed_platform(cx)
            .unwrap_or_else(|error| panic!("the platform's own endpoints are good: {}", error.message));
        "seeded".to_owned()
    }
}

/// Whether everything exists.
pub(crate) fn is_seeded(cx: &Cx<'_>) -> bool {
    !cx.is_scheduled::<Seeding>("platform")
}

fn seed_platform(cx: &mut Cx<'_>) -> Result<(), Error> {
    let sources = &cx.profile.log_sources;
    for name in sources.values() {
        CreateSource::named(name).run(cx)?;
    }
    let endpoints = [
        ("logs.all", logs_all(cx), 0),
        ("usage.api-counts", api_counts(cx), 900),
        ("functions.invocation-stats", invocation_stats(cx), 900),
    ];
    for (name, query, cached_s) in endpoints {
        let changes = EndpointChanges {
            sandboxable: true.into(),
            cache_duration_seconds: cached_s.into(),
            proactive_requerying_seconds: (cached_s / 3).into(),
            ..EndpointChanges::default()
        };
        CreateEndpoint { changes, ..CreateEndpoint::named(name, &query) }.run(cx)?;
    }
    Ok(())
}

/// The field of a log table's events that names their project, if it is not at the top level.
const PROJECT_FIELDS: [(&str, &str); 4] = [
    ("realtime_logs", "project"),
    ("storage_logs", "project"),
    ("function_logs", "project_ref"),
    ("function_edge_logs", "project_ref"),
];

/// The field of `metadata` in which events of that log table name their project; `None` if the field is at
/// the top level.
pub(crate) fn project_field(table: &str) -> Option<&'static str> {
    PROJECT_FIELDS.iter().find(|(name, _)| *name == table).map(|(_, field)| *field)
}

/// One common table expression per log table, for one project and a period of time without its start.
fn logs_all(cx: &Cx<'_>) -> String {
    let mut query = String::from("with ");
    for (table, source) in &cx.profile.log_sources {
        let (join, project) = match project_field(table) {
            Some(field) => ("\n  cross join unnest(t.metadata) as m", format!("m.{field}")),
            None => ("", "t.project".to_owned()),
        };
        write!(
            query,
            "{table} as (
  select t.timestamp, t.id, t.event_message, t.metadata, {project} as identifier
  from `{source}` as t{join}
  where {project} = @project
    and case when coalesce(@iso_timestamp_start, '') = '' then true
        else cast(t.timestamp as timestamp) > cast(@iso_timestamp_start as timestamp) end
    and case when coalesce(@iso_timestamp_end, '') = '' then true
        else cast(t.timestamp as timestamp) <= cast(@iso_timestamp_end as timestamp) end
),
"
        )
        .expect("a string takes it");
    }
    query.truncate(query.len() - 2);
    query + "\nselect id, timestamp, event_message, metadata from edge_logs order by timestamp desc limit 100"
}

fn source(cx: &Cx<'_>, table: &str) -> String {
    cx.profile.log_sources.get(table).cloned().unwrap_or_else(|| table.to_owned())
}

/// Buckets: minutes for an hour, hours for a day, days for a week.
const SPAN: &str = "case @interval
      when 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
      when 'hourly' then timestamp_sub(current_timestamp(), interval 24 hour)
      else timestamp_sub(current_timestamp(), interval 7 day) end";
const STEP: &str = "case @interval
      when 'minutely' then timestamp_trunc(t.timestamp, minute)
      when 'hourly' then timestamp_trunc(t.timestamp, hour)
      else timestamp_trunc(t.timestamp, day) end";

/// Requests over time, by the platform's service that received them.
fn api_counts(cx: &Cx<'_>) -> String {
    let source = source(cx, "edge_logs");
    let count = |part: &str| format!("countif(regexp_contains(path, '^/{part}/v')) as total_{part}_requests");
    let counts = ["auth", "rest", "storage", "realtime"].map(count).join(",\n  ");
    format!(
        "with requests as (
  select {STEP} as step, r.path as path
  from `{source}` as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.request) as r
  where t.project = @project and t.timestamp >= {SPAN}
)
select datetime(step, 'UTC') as timestamp,
  {counts}
from requests group by step order by step"
    )
}

/// The durations and results of a function's invocations over time.
fn invocation_stats(cx: &Cx<'_>) -> String {
    let source = source(cx, "function_edge_logs");
    format!(
        "with invocations as (
  select {STEP} as step, cast(m.execution_time_ms as float64) as ms, cast(r.status_code as int64) as status
  from `{source}` as t
  cross join unnest(t.metadata) as m
  left join unnest(m.response) as r on true
  where m.project_ref = @project and m.function_id = @function_id and t.timestamp >= {SPAN}
)
select datetime(step, 'UTC') as timestamp,
  count(*) as requests_count,
  countif(status between 200 and 299) as success_count,
  countif(status between 300 and 399) as redirect_count,
  countif(status between 400 and 499) as client_err_count,
  countif(status >= 500) as server_err_count,
  avg(ms) as avg_execution_time,
  max(ms) as max_execution_time,
  approx_quantiles(ms, 100)[offset(95)] as p95_execution_time
from invocations group by step order by step"
    )
}
