//! `/api/logs`, `/api/events`, `/logs`: ingests events.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sim_base::operations;
use sim_base::{
    Body, Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Payload, Resource, Scope, TextOrBytes,
    ToSchema, micros, post,
};

use crate::copies::{self, Copies};
use crate::delivery::{self, CLOUD_EVENT_HEADERS, Delivery, Form, Opened, Selector};
use crate::lql::Filter;
use crate::manner::unauthorized;
use crate::normalise::{Event, normalise};
use crate::otlp::{self, Encoding, Signal};
use crate::quota::{self, Standing};
use crate::rule::Way;
use crate::source::{self, Row};
use crate::{account, backend, event_store, export, metrics, notify, reject, retention, rule, warehouse};

operations![Ingest, IngestAs, IngestUnder];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// All events of the call were stored, or dropped by a rule of their source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Ingested {
    /// `Logged!`.
    pub message: String,
    /// How many of the source's oldest events left to make room for these, if any did.
    #[serde(default, skip_serializing_if = "is_none")]
    pub oldest_dropped: i64,
    /// The quotas of source and user, for the headers.
    #[serde(skip)]
    standing: Standing,
    /// The result of an export of telemetry, which has its own form of answer.
    #[serde(skip)]
    export: Option<Export>,
}

fn is_none(count: &i64) -> bool {
    *count == 0
}

/// The result of an export of telemetry. It is a success even if records were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Export {
    signal: Signal,
    encoding: Encoding,
    refused: Vec<String>,
    reason: &'static str,
}

/// The source's name, the kind of body, and the attributes of CloudEvents.
const HEADERS: [&str; 5] =
    ["x-source", "x-collection", "content-type", "content-encoding", CLOUD_EVENT_HEADERS];

pub(crate) const fn ingestion(id: &'static str, path: &'static str) -> Meta {
    Meta {
        status: 200,
        query: &["source", "collection", "source_name", "collection_name"],
        headers: &HEADERS,
        body: Body::Raw("body"),
        since: Edition::V2026_11,
        scope: Some(Scope("ingest")),
        implies: false,
        also: &[400, 401, 403, 404, 406, 413, 415, 429, 500],
        ..post(id, path)
    }
}

/// Send events to a source: one object, a list, `{"batch": […]}`, or one object per line.
///
/// An event that can't be stored is refused with 406 and the reason; the other events of the call are stored.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct Ingest {
    /// The events, and their source.
    #[serde(flatten)]
    pub delivery: Delivery,
}

impl Ingest {
    /// Events for the source with that UUID.
    pub fn json(source: &str, body: &Value) -> Ingest {
        Ingest { delivery: Delivery::of(source, body) }
    }

    /// Events for that source, one per line.
    pub fn lines(source: &str, lines: &str) -> Ingest {
        let content_type = Some("application/x-ndjson".to_owned());
        let body = TextOrBytes::Text(lines.to_owned());
        Ingest { delivery: Delivery { content_type, body, ..Delivery::of(source, &Value::Null) } }
    }
}

impl Operation for Ingest {
    type Output = Ingested;
    const META: Meta =
        Meta { aliases: &["/api/events", "/logs"], ..ingestion("analytics-ingest", "/api/logs") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Ingested, Error> {
        take_in(cx, Form::Raw, self.delivery)
    }

    fn payload(output: &Ingested) -> Payload {
        respond(output)
    }
}

/// Send events to a source in another format: `json`, `pipeline`, `edge`, `cloud-event`, `typecasts`, `deployments`, `code-host`,
/// `site-host`, `erlang`, `syslog`, `logplex`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct IngestAs {
    /// The format.
    pub form: String,
    /// The events, and their source.
    #[serde(flatten)]
    pub delivery: Delivery,
}

impl Operation for IngestAs {
    type Output = Ingested;
    const META: Meta = Meta {
        aliases: &["/api/events/{form}", "/logs/{form}"],
        ..ingestion("analytics-ingest-as", "/api/logs/{form}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Ingested, Error> {
        let form = form(cx, &self.form)?;
        take_in(cx, form, self.delivery)
    }

    fn payload(output: &Ingested) -> Payload {
        respond(output)
    }
}

/// Send events to a source in a format of a family: `v1/traces`, `v1/metrics`, `v1/logs`, `browser/reports`, `elixir/logger`,
/// `erlang/logger`, `erlang/lager`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct IngestUnder {
    /// The family: `v1` of the OpenTelemetry protocol.
    pub family: String,
    /// The format.
    pub form: String,
    /// The events, and their source.
    #[serde(flatten)]
    pub delivery: Delivery,
}

impl Operation for IngestUnder {
    type Output = Ingested;
    const META: Meta = Meta {
        aliases: &["/api/events/{family}/{form}", "/logs/{family}/{form}"],
        produces: export::ANSWERS,
        ..ingestion("analytics-ingest-under", "/api/logs/{family}/{form}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Ingested, Error> {
        let form = form(cx, &format!("{}/{}", self.family, self.form))?;
        take_in(cx, form, self.delivery)
    }

    fn payload(output: &Ingested) -> Payload {
        respond(output)
    }
}

fn form(cx: &Cx<'_>, name: &str) -> Result<Form, Error> {
    let unknown = || Error::new(Kind::NotFound, "unknown_path", format!("Cannot POST {name}"));
    Form::named(cx, name).ok_or_else(unknown)
}

pub(crate) fn respond(output: &Ingested) -> Payload {
    let mut headers: Vec<_> = output.standing.headers().into();
    let Some(Export { signal, encoding, refused, reason }) = &output.export else {
        return Payload { headers, ..Payload::json(output) };
    };
    if !refused.is_empty() {
        headers.push(("x-sim-reason", (*reason).to_owned()));
    }
    Payload { headers, ..otlp::answer(*signal, *encoding, refused) }
}

pub(crate) fn take_in(cx: &Cx<'_>, form: Form, delivery: Delivery) -> Result<Ingested, Error> {
    let Opened { selector, events, refused, encoding } = delivery::open(cx, form, delivery)?;
    let source = select(cx, selector)?;
    let standing = quota::require_room(cx, &source)?;
    warehouse::require_streaming(cx, &source)?;
    let mut sorted = sort(cx, &source, events);
    sorted.reasons.extend(refused);
    let ahead = sorted.ahead;
    let (reasons, oldest_dropped) = keep(cx, &source, sorted)?;
    let reason = if ahead > 0 { "events_ahead" } else { "events_rejected" };
    let logged = |export| Ok(Ingested { message: "Logged!".to_owned(), oldest_dropped, standing, export });
    if let (Form::Otlp(signal), Some(encoding)) = (form, encoding) {
        return logged(Some(Export { signal, encoding, refused: reasons, reason }));
    }
    if reasons.is_empty() {
        return logged(None);
    }
    let error = Error::new(Kind::NotAcceptable, reason, reject::joined(&reasons)).keeping();
    let error = reasons.iter().fold(error, |error, reason| error.field("event", reason));
    Err(standing.headers().into_iter().fold(error, |error, (name, value)| error.header(name, value)))
}

/// Stores the valid events, and the copies that the source's rules make. Returns the errors of the others, and how many of the
/// source's oldest events left.
pub(crate) fn keep(cx: &Cx<'_>, source: &Row, sorted: Sorted) -> Result<(Vec<String>, i64), Error> {
    route(cx, source, &sorted.good)?;
    let gone = store(cx, source.id, &source.token, sorted.good, sorted.columns)?;
    metrics::reject(cx, source.id, &sorted.reasons);
    Ok((sorted.reasons, gone))
}

/// The caller's source, or 401 for any problem.
fn select(cx: &Cx<'_>, selector: Option<Selector>) -> Result<Row, Error> {
    let mut refusal = unauthorized("source_unknown");
    let found = match selector {
        None => return Err(unauthorized("source_missing")),
        Some(Selector::Token(token)) => source::own(cx, &token).ok(),
        Some(Selector::Name(name)) => {
            refusal = refusal.because("source_name", &name, None);
            let mut named = source::named(cx, account::caller(cx)?, &name);
            if named.len() > 1 {
                let text = format!("source_name: {} sources have the name {name:?}, use source", named.len());
                return Err(Error::invalid("ambiguous_source", text));
            }
            named.pop()
        }
    };
    let source = found.ok_or(refusal)?;
    if account::may_ingest(cx, source.id) { Ok(source) } else { Err(unauthorized("scope_missing")) }
}

/// Events, sorted by result.
#[derive(Default)]
pub(crate) struct Sorted {
    pub(crate) good: Vec<Event>,
    /// The columns of the valid events.
    columns: BTreeMap<String, String>,
    /// One per event that can't be stored.
    reasons: Vec<String>,
    /// The number of those that are ahead of the clock.
    ahead: usize,
}

impl Sorted {
    fn is_too_wide_with(&self, columns: &BTreeMap<String, String>) -> bool {
        let added = columns.keys().filter(|path| !self.columns.contains_key(*path));
        self.columns.len() + added.count() > reject::FIELDS_MAX
    }
}

pub(crate) fn sort(cx: &Cx<'_>, source: &Row, events: Vec<Value>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut ids = cx.rng.draw("event");
    let latest = micros(cx.now).saturating_add_unsigned(cx.policy.analytics.future_ms.saturating_mul(1000));
    let mut known = warehouse::known(cx, source.id);
    let unwanted = source.settings.drop_lql_string.as_deref().map(|text| Filter::stored(text, cx.now));
    let mut copies = Copies::default();
    for event in events {
        let Value::Object(event) = event else {
            sorted.reasons.push(reject::NO_OBJECT.to_owned());
            continue;
        };
        let Some(event) = normalise(cx, source, &mut ids, &mut copies, event) else {
            sorted.reasons.push(copies::reason());
            continue;
        };
        match reject::columns(&event.body) {
            Err(reason) => sorted.reasons.push(reason.to_owned()),
            Ok(_) if event.timestamp > latest => {
                sorted.ahead += 1;
                sorted.reasons.push(reject::ahead(event.timestamp, cx.now));
            }
            Ok(_) if unwanted.as_ref().is_some_and(|filter| filter.holds(&event.body)) => {}
            Ok(columns) if sorted.is_too_wide_with(&columns) => sorted.reasons.push(reject::wide()),
            Ok(columns) if let Some(reason) = warehouse::type_error(cx, &known, &columns) => {
                sorted.reasons.push(reason);
            }
            Ok(columns) => {
                // The first event with a column gives the column's type.
                for (path, kind) in columns {
                    if !known.is_empty() {
                        known.entry(path.clone()).or_insert_with(|| kind.clone());
                    }
                    sorted.columns.entry(path).or_insert(kind);
                }
                sorted.good.push(event);
            }
        }
    }
    sorted
}

/// Stores the events and counts them. Returns how many of the source's oldest events left for them.
fn store(
    cx: &Cx<'_>,
    source: i64,
    token: &str,
    mut events: Vec<Event>,
    mut columns: BTreeMap<String, String>,
) -> Result<i64, Error> {
    if events.is_empty() {
        return Ok(0);
    }
    source::OWN.iter().for_each(|own| drop(columns.remove(*own)));
    let columns = warehouse::grow(cx, source, &warehouse::known(cx, source), columns);
    let sql = "INSERT OR IGNORE INTO source_field (source, path, type)
               SELECT ?1, key, value FROM json_each(?2)";
    cx.db.run(sql, (source, json!(columns).to_string()));
    warehouse::tell_of_growth(cx, source, &columns);
    warehouse::prune(cx, &mut events, &warehouse::known(cx, source));
    if let Some(source) = source::of_id(cx, source) {
        notify::expect(cx, &source);
    }
    let stored = event_store::insert(cx, token, &events)?;
    metrics::count(cx, source, stored.events);
    retention::expire(cx, token);
    Ok(retention::make_room(cx, source, token, stored))
}

/// Copies events to other sources and forwards them to backends, by the source's rules. A copy is not routed again.
fn route(cx: &Cx<'_>, source: &Row, events: &[Event]) -> Result<(), Error> {
    if events.is_empty() {
        return Ok(());
    }
    for rule in rule::of(cx, source.id) {
        let filter = Filter::stored(&rule.filter, cx.now);
        let copies: Vec<_> = events.iter().filter(|event| filter.holds(&event.body)).cloned().collect();
        let columns = copies.iter().filter_map(|event| reject::columns(&event.body).ok()).flatten().collect();
        match rule.way {
            Way::Sink { id, token } => {
                store(cx, id, &token, copies, columns)?;
            }
            Way::Backend(id) => backend::forward(cx, id, &source.token, &copies),
        }
    }
    for attached in backend::attached(cx, source.id) {
        backend::forward(cx, attached.id, &source.token, events);
    }
    Ok(())
}
