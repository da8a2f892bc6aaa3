//! A server for one tenant: its user and tokens, and in platform mode the sources and endpoints of the studio's logs.

use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::{
    Builder, Cx, Error, Operation as _, Policy, Resource, SingleTenant, Task, TaskEntry, UserSpec, World,
    create_user,
};

use super::access_token;
use super::account;
use super::endpoint::{CreateEndpoint, EndpointChanges};
use super::platform_log;
use super::source::CreateSource;

pub(super) const RESOURCE: Resource =
    Resource { tables: "", operations: &[], tasks: &[TaskEntry::of::<Seeding>()] };

/// A server for one tenant: in its world is one user, whose plan has no small limits.
///
/// ```
/// use sim_core::analytics::{platform, source::ListSources};
/// use sim_core::engine::SingleTenant;
/// use sim_core::Policy;
///
/// let tenant = SingleTenant { private_token: Some("private".to_owned()), platform: true, ..SingleTenant::default() };
/// let mut sim = platform::single_tenant(&tenant, Policy::default()).build();
/// assert_eq!(sim.as_user("private")?.call(ListSources {})?.len(), 9);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn single_tenant(tenant: &SingleTenant, mut policy: Policy) -> Builder {
    policy.analytics.plan_rates = true;
    let world = World { single_tenant: Some(tenant.clone()), ..World::empty() };
    let user = UserSpec { email: Some("default@example.test".to_owned()), ..UserSpec::named("default") };
    let user = match &tenant.private_token {
        Some(token) => user.token(token),
        None => user,
    };
    Builder::new(super::registry()).policy(policy).world(world.user(user))
}

impl Builder {
    /// With the platform's analytics server beside `/v1`: one world on one clock, with its forks and snapshots, which
    /// answers to `/api` and where logs go in too. It has that one tenant, and tokens of its own.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::analytics::source::ListSources;
    /// use sim_core::engine::SingleTenant;
    /// use sim_core::management::project::CreateProject;
    ///
    /// let tenant = SingleTenant { private_token: Some("private".to_owned()), platform: true, ..SingleTenant::default() };
    /// let mut sim = Simulator::builder().with_analytics(&tenant).build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// assert_eq!(sim.call(ListSources {})?.len(), 9);
    /// assert_eq!(sim.as_user("private")?.call(ListSources {})?.len(), 9);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_analytics(self, tenant: &SingleTenant) -> Builder {
        let tenant = tenant.clone();
        self.beside(Box::new(move |policy| single_tenant(&tenant, policy)))
    }

    /// The same, and each call to `/v1` and the SQL that it runs in a project become events of the platform's sources, so
    /// that `logs.all` shows them.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::analytics::query::RunQuery;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().with_self_log().build();
    /// sim.call(ListProjects {})?;
    /// let rows = sim.call(RunQuery::sql("select event_message from `gateway.logs.prod`"))?.result;
    /// assert_eq!(rows[0]["event_message"], "GET /v1/projects 200");
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_self_log(self) -> Builder {
        let heard = self.heard_by(platform_log::hear);
        match heard.has_beside() {
            true => heard,
            false => heard.with_analytics(&SingleTenant { platform: true, ..SingleTenant::default() }),
        }
    }
}

/// Seeds what a single tenant has beyond a user. With a `seeding_ms` the platform's things come after that time.
pub(super) fn seed(cx: &mut Cx<'_>, tenant: &SingleTenant, user: &UserSpec) -> Result<(), Error> {
    let id = create_user(cx, &UserSpec { tokens: Vec::new(), ..user.clone() })?;
    // Before the key: typed calls are made with the first token that there is.
    for token in &user.tokens {
        access_token::seed(cx, id, token, "private", "ANALYTICS_PRIVATE_ACCESS_TOKEN")?;
    }
    let key = account::give_key(cx, id, tenant.public_token.as_deref())?;
    if let Some(token) = &tenant.public_token {
        access_token::list(cx, key, id, token, "public", Some("ANALYTICS_PUBLIC_ACCESS_TOKEN"));
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

/// The seeding of the platform's sources and endpoints, where it takes time.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Seeding {}

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

/// Whether everything is there.
pub(super) fn is_seeded(cx: &Cx<'_>) -> bool {
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

/// Where the events of a log table say which project they are of, when it is not at their top.
const PROJECT_FIELDS: [(&str, &str); 4] = [
    ("realtime_logs", "project"),
    ("storage_logs", "project"),
    ("function_logs", "project_ref"),
    ("function_edge_logs", "project_ref"),
];

/// The field of `metadata` in which events of that log table name their project; `None` where it is at their top.
pub(super) fn project_field(table: &str) -> Option<&'static str> {
    PROJECT_FIELDS.iter().find(|(name, _)| *name == table).map(|(_, field)| *field)
}

/// One common table expression for each log table, of one project and a span of time; its start is not in it.
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
  select t.timestamp, t.id, t.event_message, t.metadata
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

/// By the minute for an hour, by the hour for a day, by the day for a week.
const SPAN: &str = "case @interval
      when 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
      when 'hourly' then timestamp_sub(current_timestamp(), interval 24 hour)
      else timestamp_sub(current_timestamp(), interval 7 day) end";
const STEP: &str = "case @interval
      when 'minutely' then timestamp_trunc(t.timestamp, minute)
      when 'hourly' then timestamp_trunc(t.timestamp, hour)
      else timestamp_trunc(t.timestamp, day) end";

/// Requests over time, by the part of the platform that they went to.
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

/// How long a function took over time, and how its invocations ended.
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
