//! Telemetry in the OpenTelemetry protocol: spans, points of metrics and log records become events.

use serde_json::{Map, Value, json};

use super::protobuf::{Message, Wrong};

/// What a path takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Traces,
    Metrics,
    Logs,
}

/// The events in an export of that kind.
pub(super) fn events(signal: Signal, bytes: &[u8]) -> Result<Vec<Value>, Wrong> {
    let mut events = Vec::new();
    for of_resource in Message::read(bytes)?.messages(1)? {
        let resource = resource(&of_resource)?;
        for of_scope in of_resource.messages(2)? {
            let common = Common { resource: &resource, scope: scope(&of_scope)? };
            for record in of_scope.messages(2)? {
                match signal {
                    Signal::Traces => spans(&common, &record, &mut events)?,
                    Signal::Metrics => points(&common, &record, &mut events)?,
                    Signal::Logs => events.push(log(&common, &record)?),
                }
            }
        }
    }
    Ok(events)
}

/// What all records of one instrument share.
struct Common<'a> {
    resource: &'a Value,
    scope: Value,
}

impl Common<'_> {
    fn event(&self, message: &Value, nanos: u64, kind: &str, fields: Value) -> Value {
        let mut event = json!({
            "message": message,
            "timestamp": if nanos == 0 { Value::Null } else { nanos.into() },
            "metadata": { "type": kind },
            "resource": self.resource,
            "scope": self.scope,
        });
        if let (Value::Object(event), Value::Object(fields)) = (&mut event, fields) {
            event.extend(fields);
        }
        event
    }
}

fn resource(of_resource: &Message<'_>) -> Result<Value, Wrong> {
    match of_resource.messages(1)?.first() {
        Some(resource) => attributes(resource, 1),
        None => Ok(json!({})),
    }
}

fn scope(of_scope: &Message<'_>) -> Result<Value, Wrong> {
    match of_scope.messages(1)?.first() {
        Some(scope) => Ok(json!({
            "name": scope.text(1)?, "version": scope.text(2)?, "attributes": attributes(scope, 3)?,
        })),
        None => Ok(json!({})),
    }
}

/// A span, and an event of its own for each that it has.
fn spans(common: &Common<'_>, span: &Message<'_>, events: &mut Vec<Value>) -> Result<(), Wrong> {
    let (trace, id) = (hex(span, 1)?, hex(span, 2)?);
    let status = span.messages(15)?;
    let status = match status.first() {
        Some(status) => json!({ "message": status.text(2)?, "code": status.number(3) }),
        None => json!({}),
    };
    let fields = json!({
        "trace_id": trace, "span_id": id, "parent_span_id": hex(span, 4)?, "kind": span_kind(span.number(6)),
        "start_time": span.number(7), "end_time": span.number(8), "status": status,
        "attributes": attributes(span, 9)?,
    });
    events.push(common.event(&span.text(5)?.into(), span.number(7), "span", fields));
    for event in span.messages(11)? {
        let fields = json!({
            "trace_id": trace, "parent_span_id": id, "attributes": attributes(&event, 3)?,
        });
        events.push(common.event(&event.text(2)?.into(), event.number(1), "event", fields));
    }
    Ok(())
}

fn span_kind(number: u64) -> &'static str {
    match number {
        1 => "internal",
        2 => "server",
        3 => "client",
        4 => "producer",
        5 => "consumer",
        _ => "unspecified",
    }
}

/// An event for each point of a metric.
fn points(common: &Common<'_>, metric: &Message<'_>, events: &mut Vec<Value>) -> Result<(), Wrong> {
    let kinds = [(5, "gauge"), (7, "sum"), (9, "histogram"), (10, "exponential_histogram"), (11, "summary")];
    let (name, unit) = (Value::from(metric.text(1)?), metric.text(3)?);
    for (field, kind) in kinds {
        for data in metric.messages(field)? {
            for point in data.messages(1)? {
                let mut fields = point_fields(kind, &point)?;
                fields["metric_type"] = kind.into();
                fields["unit"] = unit.into();
                fields["start_time"] = point.number(2).into();
                events.push(common.event(&name, point.number(3), "metric", fields));
            }
        }
    }
    Ok(())
}

fn point_fields(kind: &str, point: &Message<'_>) -> Result<Value, Wrong> {
    Ok(match kind {
        "gauge" | "sum" => {
            let value = point.double(4).map(Value::from);
            let value = value.or_else(|| point.fixed(6).map(|bits| bits.cast_signed().into()));
            json!({ "value": value, "attributes": attributes(point, 7)? })
        }
        "histogram" => json!({
            "count": point.number(4), "sum": point.double(5), "bucket_counts": point.fixed_list(6)?,
            "explicit_bounds": point.doubles(7)?, "attributes": attributes(point, 9)?,
        }),
        "exponential_histogram" => json!({
            "count": point.number(4), "sum": point.double(5), "attributes": attributes(point, 1)?,
        }),
        _ => json!({
            "count": point.number(4), "sum": point.double(5), "attributes": attributes(point, 7)?,
        }),
    })
}

fn log(common: &Common<'_>, record: &Message<'_>) -> Result<Value, Wrong> {
    let body = match record.messages(5)?.first() {
        Some(body) => any_value(body, 0)?,
        None => Value::Null,
    };
    let at = if record.number(1) == 0 { record.number(11) } else { record.number(1) };
    let fields = json!({
        "severity_number": record.number(2), "severity_text": record.text(3)?, "body": body,
        "trace_id": hex(record, 9)?, "span_id": hex(record, 10)?, "attributes": attributes(record, 6)?,
    });
    Ok(common.event(&body, at, "log", fields))
}

/// How deep values may lie in values.
const DEPTH_MAX: usize = 32;

fn attributes(message: &Message<'_>, field: u64) -> Result<Value, Wrong> {
    key_values(message, field, 0)
}

fn key_values(message: &Message<'_>, field: u64, depth: usize) -> Result<Value, Wrong> {
    let mut object = Map::new();
    for pair in message.messages(field)? {
        let value = match pair.messages(2)?.first() {
            Some(value) => any_value(value, depth)?,
            None => Value::Null,
        };
        object.insert(pair.text(1)?.to_owned(), value);
    }
    Ok(Value::Object(object))
}

fn any_value(value: &Message<'_>, depth: usize) -> Result<Value, Wrong> {
    if depth > DEPTH_MAX {
        return Err(Wrong("values lie too deep"));
    }
    if value.has(2) {
        return Ok((value.number(2) != 0).into());
    }
    if value.has(3) {
        return Ok(value.number(3).cast_signed().into());
    }
    if let Some(double) = value.double(4) {
        return Ok(double.into());
    }
    if let Some(list) = value.messages(5)?.first() {
        let elements = list.messages(1)?;
        return elements.iter().map(|element| any_value(element, depth + 1)).collect();
    }
    if let Some(list) = value.messages(6)?.first() {
        return key_values(list, 1, depth + 1);
    }
    if value.has(7) {
        return Ok(hex(value, 7)?.into());
    }
    Ok(value.text(1)?.into())
}

fn hex(message: &Message<'_>, field: u64) -> Result<String, Wrong> {
    Ok(crate::engine::hex(message.bytes(field)?))
}
