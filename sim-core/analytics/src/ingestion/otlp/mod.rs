//! Telemetry in the OpenTelemetry protocol: spans, metric points and log records become events.

#[macro_use]
mod wire;
mod fields;
mod json;
mod look;
mod messages;
mod parts;

pub(super) use fields::fields;

use bytes::Bytes;
use look::{Ignored, Look};
use messages::{
    Any, AnyValue, Data, Export, KeyValue, LogRecord, Metric, Number, PartialSuccess, Resource, Response,
    Scope, Span,
};
use prost::{DecodeError, Message as _};
use serde_json::{Map, Value, json};
use sim_base::{Payload, hex};

use crate::copies::{Copies, weight};
use crate::reject;

/// The kind of telemetry that a path accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Traces,
    Metrics,
    Logs,
}

/// The encoding of an export and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Protobuf,
    Json,
}

impl Encoding {
    /// The encoding for a content type without parameters.
    pub(crate) fn of(essence: &str) -> Option<Encoding> {
        Some(match essence {
            "application/x-protobuf" | "application/protobuf" => Encoding::Protobuf,
            "application/json" => Encoding::Json,
            _ => return None,
        })
    }
}

/// The answer to an export, with its refused records.
pub(crate) fn answer(signal: Signal, encoding: Encoding, refused: &[String]) -> Payload {
    let count = refused.len();
    match encoding {
        Encoding::Protobuf => {
            // The body is present even if nothing was refused: an answer without a body has no content type, and some exporters
            // check it.
            let partial = PartialSuccess { rejected: count as i64, error_message: reject::joined(refused) };
            let response = Response { partial_success: Some(partial) };
            Payload::bytes("application/x-protobuf", response.encode_to_vec())
        }
        Encoding::Json if count == 0 => Payload::json(&json!({})),
        Encoding::Json => {
            let name = match signal {
                Signal::Traces => "rejectedSpans",
                Signal::Metrics => "rejectedDataPoints",
                Signal::Logs => "rejectedLogRecords",
            };
            let partial = json!({ name: count.to_string(), "errorMessage": reject::joined(refused) });
            Payload::json(&json!({ "partialSuccess": partial }))
        }
    }
}

/// What was read of an export.
pub(super) struct Events {
    pub list: Vec<Value>,
    /// Why records are no events, one reason per record.
    pub refused: Vec<String>,
    /// The fields without effect.
    pub ignored: Vec<Ignored>,
}

/// Why the events of an export are not taken.
pub(super) enum Refused {
    /// The bytes are not such an export.
    Invalid(String),
    /// There are so many.
    Many(usize),
    /// Their copies of the attributes that they share take too many bytes.
    Large,
}

/// The events in an export of that kind, at most `most`.
pub(super) fn events(
    signal: Signal,
    encoding: Encoding,
    bytes: &[u8],
    most: usize,
) -> Result<Events, Refused> {
    let mut look = Look::default();
    let export = match encoding {
        Encoding::Protobuf => Export::decode(bytes).map_err(|error| Refused::Invalid(error.to_string()))?,
        Encoding::Json => json::export(signal, bytes, &mut look).map_err(Refused::Invalid)?,
    };
    let list = events_of(signal, encoding, export, most, &mut look)?;
    if encoding == Encoding::Protobuf {
        look.through_bytes(parts::export(signal), bytes);
    }
    Ok(Events { list, refused: look.refused, ignored: look.ignored })
}

/// The events of the records that can be read; the others are refused.
fn events_of(
    signal: Signal,
    encoding: Encoding,
    export: Export,
    most: usize,
    look: &mut Look,
) -> Result<Vec<Value>, Refused> {
    let mut events = Vec::new();
    let mut copies = Copies::default();
    // Counted at once, also if none of them is taken.
    let records: usize = export.resources.iter().flat_map(|of| &of.scopes).map(|of| of.records.len()).sum();
    if records > most {
        return Err(Refused::Many(records));
    }
    for (of, of_resource) in export.resources.into_iter().enumerate() {
        let resource = of_resource.resource.map_or_else(|| json!({}), resource);
        for (within, of_scope) in of_resource.scopes.into_iter().enumerate() {
            let scope = of_scope.scope.map_or_else(|| json!({}), scope);
            let common = Common { bytes: weight(&resource) + weight(&scope), resource: &resource, scope };
            for (index, bytes) in of_scope.records.into_iter().enumerate() {
                let record = match Record::decode(signal, bytes.clone()) {
                    Ok(record) => record,
                    Err(error) => {
                        let [resources, scopes, records] = parts::way(signal);
                        look.refused
                            .push(format!("{resources}.{of}.{scopes}.{within}.{records}.{index}: {error}"));
                        continue;
                    }
                };
                let count = record.events();
                if events.len() + count > most {
                    return Err(Refused::Many(events.len() + count));
                }
                copies.take(count, common.bytes + record.shared_bytes()).ok_or(Refused::Large)?;
                record.add(&common, look, &mut events);
                if encoding == Encoding::Protobuf {
                    // Only now is it known that the messages in it do not nest too deeply.
                    look.through_record(signal, &bytes);
                }
            }
        }
    }
    Ok(events)
}

/// A record of any signal.
enum Record {
    Span(Span),
    Metric(Metric),
    Log(LogRecord),
}

impl Record {
    fn decode(signal: Signal, bytes: Bytes) -> Result<Record, DecodeError> {
        Ok(match signal {
            Signal::Traces => Record::Span(Span::decode(bytes)?),
            Signal::Metrics => Record::Metric(Metric::decode(bytes)?),
            Signal::Logs => Record::Log(LogRecord::decode(bytes)?),
        })
    }

    /// The number of events that it becomes.
    fn events(&self) -> usize {
        match self {
            Record::Span(span) => 1 + span.events.len(),
            Record::Metric(metric) => metric.data.as_ref().map_or(0, Data::points),
            Record::Log(_) => 1,
        }
    }

    /// The bytes of its own that each of its events has a copy of.
    fn shared_bytes(&self) -> usize {
        match self {
            Record::Span(span) => 2 * (span.trace_id.len() + span.span_id.len()),
            Record::Metric(metric) => metric.name.len() + metric.unit.len(),
            Record::Log(_) => 0,
        }
    }

    fn add(self, common: &Common<'_>, look: &mut Look, events: &mut Vec<Value>) {
        match self {
            Record::Span(span) => spans(common, span, events),
            Record::Metric(metric) => points(common, metric, events),
            Record::Log(record) => events.push(log(common, record, look)),
        }
    }
}

/// The fields that all records of one instrument have in common.
struct Common<'a> {
    resource: &'a Value,
    scope: Value,
    /// What both take in an event.
    bytes: usize,
}

impl Common<'_> {
    fn event(&self, message: &Value, nanos: u64, kind: &str, fields: Value) -> Value {
        let mut event = json!({
            "message": message,
            "timestamp": if nanos == 0 { Value::Null } else { nanos.into() },
            "metadata": { "type": kind },
            "project": self.resource["service.name"],
            "resource": self.resource,
            "scope": self.scope,
        });
        if let (Value::Object(event), Value::Object(fields)) = (&mut event, fields) {
            event.extend(fields);
        }
        event
    }
}

fn resource(resource: Resource) -> Value {
    object(resource.attributes)
}

fn scope(scope: Scope) -> Value {
    json!({ "name": scope.name, "version": scope.version, "attributes": object(scope.attributes) })
}

/// A span, and a separate event for each of the span's events.
fn spans(common: &Common<'_>, span: Span, events: &mut Vec<Value>) {
    let (trace, id) = (hex(&span.trace_id), hex(&span.span_id));
    let status = span
        .status
        .map_or_else(|| json!({}), |status| json!({ "message": status.message, "code": status.code }));
    let fields = json!({
        "trace_id": trace, "span_id": id, "parent_span_id": hex(&span.parent_span_id), "kind": span_kind(span.kind),
        "start_time": span.start_nanos, "end_time": span.end_nanos, "status": status,
        "attributes": object(span.attributes),
    });
    events.push(common.event(&span.name.into(), span.start_nanos, "span", fields));
    for event in span.events {
        let fields =
            json!({ "trace_id": trace, "parent_span_id": id, "attributes": object(event.attributes) });
        events.push(common.event(&event.name.into(), event.nanos, "event", fields));
    }
}

fn span_kind(number: i32) -> &'static str {
    match number {
        1 => "Internal",
        2 => "Server",
        3 => "Client",
        4 => "Producer",
        5 => "Consumer",
        _ => "Unspecified",
    }
}

/// A point of a metric of any kind.
struct Point {
    start_nanos: u64,
    nanos: u64,
    fields: Value,
}

/// An event for each point of a metric.
fn points(common: &Common<'_>, metric: Metric, events: &mut Vec<Value>) {
    let Some(data) = metric.data else { return };
    let (name, unit) = (Value::from(metric.name), metric.unit);
    let (of_metric, points) = points_of(data);
    for Point { start_nanos, nanos, mut fields } in points {
        fields["unit"] = unit.as_str().into();
        fields["start_time"] = start_nanos.into();
        if let (Value::Object(fields), Value::Object(of_metric)) = (&mut fields, of_metric.clone()) {
            fields.extend(of_metric);
        }
        events.push(common.event(&name, nanos, "metric", fields));
    }
}

/// The fields of the metric itself, and its points.
fn points_of(data: Data) -> (Value, Vec<Point>) {
    let of = |kind: &str, number: i32| json!({ "metric_type": kind, "aggregation_temporality": temporality(number) });
    match data {
        Data::Gauge(data) => {
            (json!({ "metric_type": "gauge" }), data.points.into_iter().map(number).collect())
        }
        Data::Sum(data) => {
            let mut fields = of("sum", data.aggregation_temporality);
            fields["is_monotonic"] = data.is_monotonic.into();
            (fields, data.points.into_iter().map(number).collect())
        }
        Data::Histogram(data) => {
            (of("histogram", data.aggregation_temporality), data.points.into_iter().map(histogram).collect())
        }
        Data::ExponentialHistogram(data) => (
            of("exponential_histogram", data.aggregation_temporality),
            data.points.into_iter().map(exponential).collect(),
        ),
        Data::Summary(data) => {
            (json!({ "metric_type": "summary" }), data.points.into_iter().map(summary).collect())
        }
    }
}

fn temporality(number: i32) -> &'static str {
    match number {
        1 => "delta",
        2 => "cumulative",
        _ => "unspecified",
    }
}

fn number(point: messages::NumberPoint) -> Point {
    let value = match point.value {
        Some(Number::Double(value)) => value.into(),
        Some(Number::Int(value)) => value.into(),
        None => Value::Null,
    };
    let fields = json!({ "value": value, "attributes": object(point.attributes) });
    Point { start_nanos: point.start_nanos, nanos: point.nanos, fields }
}

fn histogram(point: messages::HistogramPoint) -> Point {
    let fields = json!({
        "count": point.count, "sum": point.sum, "min": point.min, "max": point.max,
        "bucket_counts": point.bucket_counts, "explicit_bounds": point.explicit_bounds,
        "attributes": object(point.attributes),
    });
    Point { start_nanos: point.start_nanos, nanos: point.nanos, fields }
}

fn exponential(point: messages::ExponentialPoint) -> Point {
    let fields = json!({
        "count": point.count, "sum": point.sum, "min": point.min, "max": point.max,
        "scale": point.scale, "zero_count": point.zero_count, "zero_threshold": point.zero_threshold,
        "positive": buckets(point.positive), "negative": buckets(point.negative),
        "attributes": object(point.attributes),
    });
    Point { start_nanos: point.start_nanos, nanos: point.nanos, fields }
}

fn buckets(buckets: Option<messages::Buckets>) -> Value {
    buckets
        .map_or(Value::Null, |given| json!({ "offset": given.offset, "bucket_counts": given.bucket_counts }))
}

fn summary(point: messages::SummaryPoint) -> Point {
    let quantile = |one: messages::Quantile| json!({ "quantile": one.quantile, "value": one.value });
    let quantiles: Value = point.quantile_values.into_iter().map(quantile).collect();
    let fields = json!({
        "count": point.count, "sum": point.sum, "quantile_values": quantiles,
        "attributes": object(point.attributes),
    });
    Point { start_nanos: point.start_nanos, nanos: point.nanos, fields }
}

fn log(common: &Common<'_>, record: LogRecord, look: &mut Look) -> Value {
    let body = record.body.map_or(Value::Null, value);
    let at = if record.nanos == 0 { record.observed_nanos } else { record.nanos };
    let fields = json!({
        "severity_number": record.severity_number, "severity_text": record.severity_text, "body": &body,
        "trace_id": hex(&record.trace_id), "span_id": hex(&record.span_id), "attributes": object(record.attributes),
    });
    let message = match body {
        other if record.event_name.is_empty() => other,
        Value::String(_) => {
            look.note_known("body.resourceLogs.scopeLogs.logRecords.eventName".to_owned());
            body
        }
        // A body that is no text is named by the event.
        _ => record.event_name.into(),
    };
    common.event(&message, at, "otel_log", fields)
}

fn object(pairs: Vec<KeyValue>) -> Value {
    let named = |pair: KeyValue| (pair.key, pair.value.map_or(Value::Null, value));
    Value::Object(pairs.into_iter().map(named).collect::<Map<_, _>>())
}

/// Nesting is limited: deeper messages could not be decoded.
fn value(value: AnyValue) -> Value {
    match value.value {
        None => Value::Null,
        Some(Any::Text(text)) => text.into(),
        Some(Any::Bool(bool)) => bool.into(),
        Some(Any::Int(int)) => int.into(),
        Some(Any::Double(double)) => double.into(),
        Some(Any::List(list)) => list.values.into_iter().map(self::value).collect(),
        Some(Any::Object(list)) => object(list.values),
        Some(Any::Bytes(bytes)) => hex(&bytes).into(),
    }
}
