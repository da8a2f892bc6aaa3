//! `/_sim/logs`: events of the platform's own services, and the events made from its calls if it logs itself.
//!
//! An event has the fields that the studio queries, and names its project where `logs.all` looks for it.

use serde::Serialize;
use serde_json::{Map, Value, json};
use sim_base::log_line::Heard;
use sim_base::operations;
use sim_base::{
    Access, Cx, Error, FromJson, Line, Meta, New, Operation, Profile, Resource, Timestamp, ToSchema, post,
};

use crate::{account, event_store, ingest, platform, retention, source, warehouse};

operations![WriteLogs];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE platform_event (
        number INTEGER PRIMARY KEY,
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        id TEXT NOT NULL
    ) STRICT;
    CREATE INDEX platform_event_by_source ON platform_event (source);
";

/// The project of events without a project: the default of a self-hosted deployment.
const NO_PROJECT: &str = "default";

/// An event of one of the platform's services.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema)]
pub struct PlatformEvent {
    /// The log table that shows it: `function_logs`.
    pub table: String,
    /// The reference of its project.
    pub project: String,
    /// Its message.
    pub event_message: String,
    /// Its other fields.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// Its time; now by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub timestamp: Option<Timestamp>,
}

/// The results of writing events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Written {
    /// The number of stored events.
    pub stored: usize,
    /// The errors of the other events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<String>,
}

/// Write events of the platform's services into its sources, without quotas.
///
/// An event whose source does not exist is dropped, as by the pipeline of a deployment.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct WriteLogs {
    /// The events, in order.
    pub events: Vec<PlatformEvent>,
}

impl Operation for WriteLogs {
    type Output = Written;
    const META: Meta = Meta { status: 200, access: Access::Control, ..post("sim-write-logs", "/_sim/logs") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Written, Error> {
        let user = account::caller(cx)?;
        let mut written = Written { stored: 0, rejected: Vec::new() };
        for event in self.events {
            let name = cx.profile.log_sources.get(&event.table);
            let name = name.ok_or_else(|| unknown_table(cx, &event.table))?;
            if let [source] = &source::named(cx, user, name)[..] {
                write(cx, source, event, &mut written)?;
            }
        }
        drop_oldest(cx);
        Ok(written)
    }
}

fn unknown_table(cx: &Cx<'_>, table: &str) -> Error {
    let known: Vec<&str> = cx.profile.log_sources.keys().map(String::as_str).collect();
    let text = format!("table: must be one of {}, received {table:?}", known.join(", "));
    Error::invalid("invalid_body.table", text)
}

fn write(
    cx: &Cx<'_>,
    source: &source::Row,
    event: PlatformEvent,
    written: &mut Written,
) -> Result<(), Error> {
    warehouse::require_streaming(cx, source)?;
    let sorted = ingest::sort(cx, source, vec![event.into_body()]);
    let ids: Vec<_> = sorted.good.iter().map(|event| event.id.clone()).collect();
    written.rejected.extend(ingest::keep(cx, source, sorted)?.0);
    written.stored += ids.len();
    for id in &ids {
        cx.db.run("INSERT INTO platform_event (source, id) VALUES (?1, ?2)", (source.id, id));
    }
    Ok(())
}

/// Keeps the world small if it is called for days.
fn drop_oldest(cx: &Cx<'_>) {
    let sql = "SELECT s.id, s.token, e.id FROM platform_event e JOIN source s ON s.id = e.source
               WHERE e.number <= (SELECT max(number) FROM platform_event) - ?1";
    let kept = cx.policy.analytics.platform_events;
    let read =
        |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?));
    for (source, token, id) in cx.db.all(sql, (kept,), read) {
        retention::took(cx, source, event_store::forget(cx, &token, &id));
    }
    let sql = "DELETE FROM platform_event WHERE number <= (SELECT max(number) FROM platform_event) - ?1";
    cx.db.run(sql, (kept,));
}

impl PlatformEvent {
    /// In the format in which a deployment's pipeline sends it to the source.
    fn into_body(self) -> Value {
        let mut body = json!({ "event_message": self.event_message, "timestamp": self.timestamp });
        body["metadata"] = self.metadata.into();
        match platform::project_field(&self.table) {
            Some(field) => body["metadata"][field] = self.project.into(),
            None => body["project"] = self.project.into(),
        }
        body
    }

    fn of_line(line: &Line) -> PlatformEvent {
        PlatformEvent {
            table: line.table.to_owned(),
            project: line.project.clone(),
            event_message: line.message.clone(),
            metadata: line.metadata.clone(),
            timestamp: None,
        }
    }

    fn of_request(profile: &Profile, heard: &Heard<'_>) -> PlatformEvent {
        let (path, query) = heard.target.split_once('?').unwrap_or((heard.target, ""));
        // The host name of the profile, because the called host's port differs from run to run.
        let host = format!("api.{}", profile.project_domain);
        let search = if query.is_empty() { String::new() } else { format!("?{query}") };
        let headers: Map<_, _> =
            heard.headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_str().into())).collect();
        let metadata = json!({
            "request": {
                "method": heard.method,
                "path": path,
                "search": search,
                "protocol": "HTTP/1.1",
                "host": host,
                "url": format!("https://{host}{}", heard.target),
                "headers": headers,
            },
            // Simulated time does not advance while a call is answered.
            "response": {
                "status_code": heard.status,
                "origin_time": 0,
                "headers": { "x_sim_reason": heard.reason },
            },
        });
        let Value::Object(metadata) = metadata else { unreachable!("it is written as an object") };
        PlatformEvent {
            table: "edge_logs".to_owned(),
            project: project_of(path).unwrap_or(NO_PROJECT).to_owned(),
            event_message: format!("{} {path} {}", heard.method, heard.status),
            metadata,
            timestamp: None,
        }
    }
}

fn project_of(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/projects/")?.split('/').next().filter(|name| !name.is_empty())
}

/// The call that writes the platform's response, and the log lines of that call, into the platform's own
/// sources.
pub fn record_of(profile: &Profile, heard: &Heard<'_>) -> WriteLogs {
    let request = PlatformEvent::of_request(profile, heard);
    WriteLogs {
        events: std::iter::once(request).chain(heard.lines.iter().map(PlatformEvent::of_line)).collect(),
    }
}
