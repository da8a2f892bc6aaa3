//! `/v1/projects/{ref}/analytics/endpoints`: a project's logs, and counts of them. The analytics server
//! answers, so the world needs one.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema,
    from_micros, get, micros,
};

use crate::project::{self, ProjectRef, Row as Project};

operations![GetProjectLogs, QueryProjectLogs, CountApiRequests, CountAllApiRequests, GetFunctionStats];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The rows of an answer, or the reason why there are none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, FromJson, ToSchema)]
pub struct LogResult {
    /// The rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Vec<Map<String, Value>>>,
    /// The error in the query; the status is 200 nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<LogError>,
}

/// The rows of an answer, or the reason why there are none; the other one is `null`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, FromJson, ToSchema)]
pub struct AllLogs {
    /// The rows.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub result: Option<Vec<Map<String, Value>>>,
    /// The error in the query; the status is 200 nevertheless.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub error: Option<LogError>,
}

impl From<LogResult> for AllLogs {
    fn from(LogResult { result, error }: LogResult) -> AllLogs {
        AllLogs { result, error }
    }
}

/// The error in a query: as a message, or with the warehouse's details.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum LogError {
    /// The message.
    Text(String),
    /// The details.
    Parts(LogErrorParts),
}

/// The details of an error in a query.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct LogErrorParts {
    /// An HTTP status.
    pub code: i64,
    /// The problems.
    pub errors: Vec<LogProblem>,
    /// The message.
    pub message: String,
    /// A code.
    pub status: String,
}

/// A problem in a query.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogProblem {
    /// The source of `reason`.
    pub domain: String,
    /// Where it is.
    pub location: String,
    /// The kind of the location.
    pub location_type: String,
    /// The message.
    pub message: String,
    /// A code.
    pub reason: String,
}

/// Counts of requests, or the reason why there are none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ApiCountsResult {
    /// The oldest step first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Vec<ApiCounts>>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<LogError>,
}

/// Requests to the services of a project in one time step.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ApiCounts {
    /// The beginning of the step.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub timestamp: Timestamp,
    /// To the auth service.
    pub total_auth_requests: u64,
    /// To the realtime service.
    pub total_realtime_requests: u64,
    /// To the REST service.
    pub total_rest_requests: u64,
    /// To the storage service.
    pub total_storage_requests: u64,
}

/// The count of requests, or the reason why there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ApiRequestsResult {
    /// One row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Vec<ApiRequests>>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<LogError>,
}

/// Requests to a project.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ApiRequests {
    /// The number of requests.
    pub count: u64,
}

/// The rows of our own query.
fn typed<T: DeserializeOwned>(rows: Option<Vec<Map<String, Value>>>) -> Option<Vec<T>> {
    let row =
        |row| serde_json::from_value(Value::Object(row)).expect("the query has the columns of its rows");
    rows.map(|rows| rows.into_iter().map(row).collect())
}

/// Run SQL on a project's logs of a period of at most 24 hours.
///
/// The default period is the last minute. Without SQL, the answer has the last 100 requests.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetProjectLogs {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// A query over the log tables, in the warehouse's dialect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The beginning of the period (exclusive); 24 hours before its end by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub iso_timestamp_start: Option<Timestamp>,
    /// The end of the period; now by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub iso_timestamp_end: Option<Timestamp>,
}

impl GetProjectLogs {
    /// A query over the last minute.
    pub fn sql(r#ref: ProjectRef, sql: &str) -> GetProjectLogs {
        GetProjectLogs { sql: Some(sql.to_owned()), ..GetProjectLogs::new(r#ref) }
    }
}

impl Operation for GetProjectLogs {
    type Output = AllLogs;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["sql", "iso_timestamp_start", "iso_timestamp_end"],
        scope: Some(Scope("analytics:read")),
        also: &[500, 503],
        failure: "Failed to get project's logs",
        ..get("v1-get-project-logs-all", "/v1/projects/{ref}/analytics/endpoints/logs.all")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<AllLogs, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let span = Span::of(cx, self.iso_timestamp_start, self.iso_timestamp_end)?;
        ask(cx, &project, &span, self.sql.as_deref(), &[]).map(AllLogs::from)
    }
}

/// Run SQL on a project's logs of a period of at most 24 hours, which are all in one table.
///
/// `logs` has `id`, `timestamp`, `source`, `event_message`, `severity_text` and `log_attributes`, a map of texts:
/// `log_attributes['request.method']`. The query is in the dialect of the columnar store. The default period is the last minute.
/// Without SQL, the answer has the last 100 rows.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct QueryProjectLogs {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// A query over the table `logs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The beginning of the period (exclusive); 24 hours before its end by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub iso_timestamp_start: Option<Timestamp>,
    /// The end of the period; now by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub iso_timestamp_end: Option<Timestamp>,
}

impl Operation for QueryProjectLogs {
    type Output = LogResult;
    const META: Meta = Meta {
        aliases: &["/v1/projects/{ref}/analytics/endpoints/logs.all.otel"],
        since: Edition::V2026_11,
        query: &["sql", "iso_timestamp_start", "iso_timestamp_end"],
        scope: Some(Scope("analytics:read")),
        also: &[500, 503],
        failure: "Failed to get project's logs",
        ..get("v1-get-project-logs", "/v1/projects/{ref}/analytics/endpoints/logs")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<LogResult, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let span = Span::of(cx, self.iso_timestamp_start, self.iso_timestamp_end)?;
        let sql = self.sql.as_deref().unwrap_or("select * from logs order by timestamp desc limit 100");
        ask(cx, &project, &span, None, &[("columnar_sql", sql)])
    }
}

/// The period to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "the published names")]
pub enum CountInterval {
    #[serde(rename = "15min")]
    Min15,
    #[serde(rename = "30min")]
    Min30,
    #[serde(rename = "1hr")]
    Hr1,
    #[serde(rename = "3hr")]
    Hr3,
    #[serde(rename = "1day")]
    Day1,
    #[serde(rename = "3day")]
    Day3,
    #[serde(rename = "7day")]
    Day7,
}

impl CountInterval {
    /// The length of a period, and of its steps.
    const fn steps(self) -> (Duration, &'static str) {
        match self {
            CountInterval::Min15 => (Duration::from_secs(15 * 60), "minute"),
            CountInterval::Min30 => (Duration::from_secs(30 * 60), "minute"),
            CountInterval::Hr1 => (Duration::from_secs(3600), "minute"),
            CountInterval::Hr3 => (Duration::from_secs(3 * 3600), "minute"),
            CountInterval::Day1 => (DAY, "hour"),
            CountInterval::Day3 => (Duration::from_secs(3 * 86_400), "day"),
            CountInterval::Day7 => (Duration::from_secs(7 * 86_400), "day"),
        }
    }
}

/// Count the requests to the services of a project over time.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CountApiRequests {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The period to count; a day by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<CountInterval>,
}

impl Operation for CountApiRequests {
    type Output = ApiCountsResult;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["interval"],
        also: &[500, 503],
        failure: "Failed to get project's usage api counts",
        ..get("v1-get-project-usage-api-count", "/v1/projects/{ref}/analytics/endpoints/usage.api-counts")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ApiCountsResult, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let (back, step) = self.interval.unwrap_or(CountInterval::Day1).steps();
        let count =
            |part: &str| format!("countif(regexp_contains(r.path, '^/{part}/v')) as total_{part}_requests");
        let counts = ["auth", "realtime", "rest", "storage"].map(count).join(", ");
        let sql = format!(
            "select timestamp_trunc(t.timestamp, {step}) as timestamp, {counts}
             from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r
             group by 1 order by 1"
        );
        let mut counted = ask(cx, &project, &Span::last(cx, back), Some(&sql), &[])?;
        for row in counted.result.iter_mut().flatten() {
            let at = row.get("timestamp").and_then(Value::as_i64);
            row.insert("timestamp".to_owned(), at.map(|at| from_micros(at).to_string()).into());
        }
        Ok(ApiCountsResult { result: typed(counted.result), error: counted.error })
    }
}

/// Count all requests that concerned a project in the last 7 days.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CountAllApiRequests {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for CountAllApiRequests {
    type Output = ApiRequestsResult;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500, 503],
        failure: "Failed to get project's usage api requests count",
        ..get(
            "v1-get-project-usage-request-count",
            "/v1/projects/{ref}/analytics/endpoints/usage.api-requests-count",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ApiRequestsResult, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "select count(*) as count from edge_logs";
        let counted = ask(cx, &project, &Span::last(cx, 7 * DAY), Some(sql), &[])?;
        Ok(ApiRequestsResult { result: typed(counted.result), error: counted.error })
    }
}

/// The period of a function's statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "the published names")]
pub enum StatsInterval {
    #[serde(rename = "15min")]
    Min15,
    #[serde(rename = "1hr")]
    Hr1,
    #[serde(rename = "3hr")]
    Hr3,
    #[serde(rename = "1day")]
    Day1,
}

impl StatsInterval {
    const fn steps(self) -> (Duration, &'static str) {
        match self {
            StatsInterval::Min15 => CountInterval::Min15.steps(),
            StatsInterval::Hr1 => CountInterval::Hr1.steps(),
            StatsInterval::Hr3 => CountInterval::Hr3.steps(),
            StatsInterval::Day1 => CountInterval::Day1.steps(),
        }
    }
}

/// Get the number of calls of a project's function over time, their results, and their durations.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetFunctionStats {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The period.
    pub interval: StatsInterval,
    /// UUID of the function.
    pub function_id: String,
}

impl Operation for GetFunctionStats {
    type Output = LogResult;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["interval", "function_id"],
        also: &[500, 503],
        failure: "Failed to get project's function combined statistics",
        ..get(
            "v1-get-project-function-combined-stats",
            "/v1/projects/{ref}/analytics/endpoints/functions.combined-stats",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<LogResult, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let (back, step) = self.interval.steps();
        let sql = format!(
            "with calls as (
               select timestamp_trunc(t.timestamp, {step}) as step, cast(m.execution_time_ms as float64) as ms,
                      cast(r.status_code as int64) as status
               from function_edge_logs as t cross join unnest(t.metadata) as m
               left join unnest(m.response) as r on true
               where m.function_id = @function_id
             )
             select step as timestamp, count(*) as requests_count,
                    countif(status between 200 and 299) as success_count,
                    countif(status between 300 and 399) as redirect_count,
                    countif(status between 400 and 499) as client_err_count,
                    countif(status >= 500) as server_err_count,
                    avg(ms) as avg_execution_time, max(ms) as max_execution_time
             from calls group by step order by step"
        );
        let parameters = [("function_id", self.function_id.as_str())];
        ask(cx, &project, &Span::last(cx, back), Some(&sql), &parameters)
    }
}

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);

/// A period of time, without its start.
struct Span {
    start: Timestamp,
    end: Timestamp,
}

impl Span {
    /// The requested period, of at most a day.
    fn of(cx: &Cx<'_>, start: Option<Timestamp>, end: Option<Timestamp>) -> Result<Span, Error> {
        let span = match (start, end) {
            (None, None) => Span::last(cx, MINUTE),
            (None, Some(end)) => Span::before(end, DAY),
            (Some(start), end) => Span { start, end: end.unwrap_or(cx.now) },
        };
        let length = micros(span.end) - micros(span.start);
        if (0..=DAY.as_micros() as i64).contains(&length) {
            return Ok(span);
        }
        let text = match length {
            ..0 => format!(
                "iso_timestamp_end: {} must not be before iso_timestamp_start, {}",
                span.end, span.start
            ),
            _ => "iso_timestamp_end: must be at most 24 hours after iso_timestamp_start".to_owned(),
        };
        Err(Error::invalid("invalid_query.iso_timestamp_end", text))
    }

    fn last(cx: &Cx<'_>, length: Duration) -> Span {
        Span::before(cx.now, length)
    }

    fn before(end: Timestamp, length: Duration) -> Span {
        Span { start: end.checked_sub(length).unwrap_or(Timestamp::MIN), end }
    }
}

/// The analytics server's response to a query over a project's logs.
fn ask(
    cx: &Cx<'_>,
    project: &Project,
    span: &Span,
    sql: Option<&str>,
    parameters: &[(&str, &str)],
) -> Result<LogResult, Error> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("project", &project.r#ref);
    query.append_pair("iso_timestamp_start", &span.start.to_string());
    query.append_pair("iso_timestamp_end", &span.end.to_string());
    query.extend_pairs(sql.map(|sql| ("sql", sql)));
    query.extend_pairs(parameters);
    let target = format!("/api/endpoints/query/logs.all?{}", query.finish());
    let text = cx.ask_beside(&target).ok_or_else(|| {
        let text = "There are no logs here: the simulator was started without its analytics server.";
        Error::new(Kind::Unavailable, "analytics_absent", text)
    })?;
    let refused = |problem: &str| {
        let text = "The analytics server could not be asked.";
        Error::new(Kind::Upstream, "analytics_refused", text).because("answer", problem, None)
    };
    serde_json::from_str(&text.map_err(|problem| refused(&problem))?)
        .map_err(|problem| refused(&problem.to_string()))
}
