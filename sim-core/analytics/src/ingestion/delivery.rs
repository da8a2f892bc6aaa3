//! A delivery to an ingestion path: its source, and the events in it, in any format.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};
use sim_base::json::{VALUES_MAX, has_too_many_values, read_json, repeated, too_long_integers};
use sim_base::{Cx, Error, FromJson, Kind, TextOrBytes, ToSchema, request};

use super::decode::decode;
use super::normalise::instant_of;
use super::syslog;
use crate::copies::{self, Copies, weight};
use crate::otlp::{self, Encoding, Refused, Signal};

/// A body with events, and its source. A name takes precedence over a UUID. If neither the URL nor a header has one, it may be in
/// the body, if that is a JSON object.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema)]
pub struct Delivery {
    /// The source's UUID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The source's UUID, under another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// The source's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
    /// The source's name, under another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection_name: Option<String>,
    /// The source's UUID.
    #[serde(default, rename = "x-source", skip_serializing_if = "Option::is_none")]
    pub source_header: Option<String>,
    /// The source's UUID, under another name.
    #[serde(default, rename = "x-collection", skip_serializing_if = "Option::is_none")]
    pub collection_header: Option<String>,
    /// The content type of the body; JSON by default.
    #[serde(default, rename = "content-type", skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// `gzip`, `deflate`, `zstd` or `br`.
    #[serde(default, rename = "content-encoding", skip_serializing_if = "Option::is_none")]
    pub content_encoding: Option<String>,
    /// Attributes of a CloudEvent, if the body is its data: all headers that begin with `ce-`.
    #[serde(default, rename = "ce-*", skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// The body.
    #[serde(default = "nothing")]
    pub body: TextOrBytes,
}

/// The headers of a CloudEvent's attributes, extensions included.
pub(crate) const CLOUD_EVENT_HEADERS: &str = "ce-*";

fn nothing() -> TextOrBytes {
    TextOrBytes::Text(String::new())
}

impl Delivery {
    /// A JSON body for the source with that UUID.
    pub fn of(source: &str, body: &Value) -> Delivery {
        Delivery {
            source: Some(source.to_owned()),
            collection: None,
            source_name: None,
            collection_name: None,
            source_header: None,
            collection_header: None,
            content_type: None,
            content_encoding: None,
            attributes: BTreeMap::new(),
            body: TextOrBytes::Text(body.to_string()),
        }
    }
}

/// The field that names the request's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    Name(String),
    Token(String),
}

/// Events as received, and their source, if the request names it.
pub(crate) struct Opened {
    pub selector: Option<Selector>,
    pub events: Vec<Value>,
    /// Why records are no events, one reason per record.
    pub refused: Vec<String>,
    /// The encoding of an export of telemetry.
    pub encoding: Option<Encoding>,
}

/// The format of events in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Events, unchanged.
    Raw,
    /// Any objects: each becomes the metadata of an event.
    Json,
    /// Events of a log pipeline: `message` and `timestamp`; all other fields go under `metadata`.
    Pipeline,
    /// Objects of an edge network; as plain text, one per line.
    Edge,
    /// CloudEvents.
    CloudEvent,
    /// Events, with the types of values that are sent as texts.
    Typecasts,
    /// Events, unchanged, always in a `batch`.
    Batch,
    /// Events of a deployment host: `message` and `timestamp`; the whole event also goes under `metadata`.
    Deployments,
    /// Webhooks of a code host: `repository | user | action`.
    CodeHost,
    /// Log drains of a site host: `traffic | GET | 200 | …`.
    SiteHost,
    /// Messages of syslog.
    Syslog,
    /// An export of the OpenTelemetry protocol.
    Otlp(Signal),
}

impl Form {
    /// The format for the end of the path, by its own name or by the profile's name for it.
    pub(crate) fn named(cx: &Cx<'_>, name: &str) -> Option<Form> {
        Some(match cx.profile.ingest_forms.get(name).map_or(name, String::as_str) {
            "json" | "browser/reports" => Form::Json,
            "pipeline" => Form::Pipeline,
            "edge" => Form::Edge,
            "cloud-event" => Form::CloudEvent,
            "typecasts" => Form::Typecasts,
            "elixir/logger" | "erlang" | "erlang/logger" | "erlang/lager" => Form::Batch,
            "deployments" => Form::Deployments,
            "code-host" => Form::CodeHost,
            "site-host" => Form::SiteHost,
            "syslog" | "logplex" => Form::Syslog,
            "v1/traces" => Form::Otlp(Signal::Traces),
            "v1/metrics" => Form::Otlp(Signal::Metrics),
            "v1/logs" => Form::Otlp(Signal::Logs),
            _ => return None,
        })
    }
}

/// Parses the events.
pub(crate) fn open(cx: &Cx<'_>, form: Form, delivery: Delivery) -> Result<Opened, Error> {
    mark_other_names(cx, &delivery)?;
    let name = delivery.source_name.or(delivery.collection_name);
    let headers = delivery.source_header.or(delivery.collection_header);
    let token = delivery.source.or(delivery.collection).or(headers);
    let bytes = decode(cx, delivery.body.into(), delivery.content_encoding.as_deref())?;
    let essence = essence(delivery.content_type.as_deref());
    if !matches!(form, Form::Otlp(_)) {
        request::require_utf8(delivery.content_type.as_deref())?;
    }
    let (mut body, refused) = match form {
        Form::Otlp(signal) => export(cx, signal, &bytes, &essence)?,
        _ => (parse(cx, form, &bytes, &essence)?, Vec::new()),
    };
    let selector = name.map(Selector::Name).or(token.map(Selector::Token));
    let selector = match &mut body {
        Value::Object(object) => {
            object.shift_remove("api_key");
            // Where the request names its source, fields of these names are the event's.
            selector.or_else(|| selector_in(object))
        }
        _ => selector,
    };
    let attributes = Value::Object(attributes(delivery.attributes));
    let is_structured = form == Form::CloudEvent && essence.starts_with("application/cloudevents");
    let (events, place) = list(cx, form, body)?;
    if events.len() > EVENTS_MAX {
        return Err(too_many(events.len()));
    }
    // The lines of an edge network were looked at when they were read.
    let is_read = form == Form::Edge && essence == "text/plain";
    let times =
        events.iter().enumerate().filter(|(_, event)| !is_read && has_no_instant(form, event, &attributes));
    for (index, event) in times.take(LINES_NAMED) {
        let field = time_of(form, event, &attributes).map_or("timestamp", |(field, _)| field);
        cx.not_as_sent(|| place.of(index, field), "Is no instant, the event gets that of its arrival")?;
    }
    let twice = events.iter().enumerate().filter(|(_, event)| has_two_messages(form, event));
    for (index, _) in twice.take(LINES_NAMED) {
        cx.not_as_sent(|| place.of(index, "event_message"), "Counts for nothing beside another `message`")?;
    }
    if form == Form::CloudEvent {
        let room = Copies::default().take(events.len(), weight(&attributes));
        room.ok_or_else(|| copies::too_large("the attributes in headers"))?;
    }
    let mut steps = Copies::default();
    let shaped = events.into_iter().map(|event| {
        let own = if is_structured { own_attributes(&event) } else { None };
        shape(form, event, own.as_ref().unwrap_or(&attributes), &mut steps)
    });
    let events = shaped.collect::<Option<_>>().ok_or_else(too_many_casts)?;
    Ok(Opened { selector, events, refused, encoding: Encoding::of(&essence) })
}

/// Marks the parameters that name a source beside the one that counts, and name another one.
fn mark_other_names(cx: &Cx<'_>, delivery: &Delivery) -> Result<(), Error> {
    let given = [
        ("query.source_name", &delivery.source_name),
        ("query.collection_name", &delivery.collection_name),
        ("query.source", &delivery.source),
        ("query.collection", &delivery.collection),
    ];
    let mut given = given.into_iter().filter_map(|(field, text)| Some((field, text.as_deref()?)));
    let Some((_, counts)) = given.next() else { return Ok(()) };
    let mut others = given.filter(|(_, text)| *text != counts);
    others.try_for_each(|(field, _)| {
        cx.not_as_sent(|| field.to_owned(), "Counts for nothing beside another name of the source")
    })
}

/// How many events a delivery may have: a kept event is larger than the two bytes that it may take in a body.
const EVENTS_MAX: usize = 50_000;

fn too_many(count: usize) -> Error {
    let text = format!("body: has {count} events, send at most {EVENTS_MAX} at once");
    Error::new(Kind::TooLarge, "too_many_events", text)
}

/// The attributes in headers, named like columns: `ce-foo-bar` is `foo_bar`.
fn attributes(headers: BTreeMap<String, String>) -> Map<String, Value> {
    let short = |name: String| name.trim_start_matches("ce-").replace('-', "_");
    headers.into_iter().map(|(name, value)| (short(name), value.into())).collect()
}

/// Takes the source's name or UUID out of the body.
fn selector_in(object: &mut Map<String, Value>) -> Option<Selector> {
    let names = [("source_name", true), ("collection_name", true), ("source", false), ("collection", false)];
    let (name, is_name) =
        names.into_iter().find(|(name, _)| object.get(*name).is_some_and(Value::is_string))?;
    let Value::String(text) = object.shift_remove(name)? else { return None };
    Some(if is_name { Selector::Name(text) } else { Selector::Token(text) })
}

/// The attributes of a CloudEvent in its structured form: all its members but its data.
fn own_attributes(event: &Value) -> Option<Value> {
    let members = event.as_object()?.iter().filter(|(name, _)| !matches!(&***name, "data" | "data_base64"));
    let attributes: Map<_, _> = members.map(|(name, value)| (name.clone(), value.clone())).collect();
    attributes.contains_key("specversion").then_some(Value::Object(attributes))
}

/// The field that has the timestamp of an event of that form, and its value. Other forms have no timestamp, or one of their own.
fn time_of<'e>(form: Form, event: &'e Value, attributes: &'e Value) -> Option<(&'static str, &'e Value)> {
    match form {
        Form::CloudEvent => None
            .or_else(|| Some((HEADER_TIME, attributes.get("time")?)))
            .or_else(|| Some(("time", event.get("time")?)))
            .or_else(|| Some(("timestamp", event.get("timestamp")?))),
        Form::Typecasts => Some(("body.timestamp", event.get("body")?.get("timestamp")?)),
        Form::Raw | Form::Pipeline | Form::Edge | Form::Batch | Form::Deployments | Form::SiteHost => {
            Some(("timestamp", event.get("timestamp")?))
        }
        Form::Json | Form::CodeHost | Form::Syslog | Form::Otlp(_) => None,
    }
}

/// Whether the event has a timestamp that is no instant.
fn has_no_instant(form: Form, event: &Value, attributes: &Value) -> bool {
    time_of(form, event, attributes).is_some_and(|(_, time)| !time.is_null() && instant_of(time).is_none())
}

/// Whether the event has two messages that differ, of which it keeps one.
fn has_two_messages(form: Form, event: &Value) -> bool {
    let (one, other) = (&event["message"], &event["event_message"]);
    let keeps_one = matches!(form, Form::Raw | Form::Batch | Form::Edge);
    keeps_one && !one.is_null() && !other.is_null() && one != other
}

/// The content type without parameters.
fn essence(content_type: Option<&str>) -> String {
    let essence = content_type.unwrap_or("application/json").split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

fn parse(cx: &Cx<'_>, form: Form, bytes: &[u8], essence: &str) -> Result<Value, Error> {
    if form == Form::Syslog {
        return match syslog::TYPES.contains(&essence) {
            true => {
                for index in syslog::not_utf8(bytes).take(LINES_NAMED) {
                    cx.not_as_sent(|| format!("body.{index}"), "Has bytes that are not UTF-8")?;
                }
                Ok(syslog::messages(bytes, cx.now))
            }
            false => Err(unsupported(essence, "application/logplex-1, application/syslog or text/plain")),
        };
    }
    match essence {
        _ if bytes.iter().all(u8::is_ascii_whitespace) => Ok(json!({})),
        _ if has_too_many_values(bytes) => Err(too_many_of("values", VALUES_MAX)),
        "text/plain" if form == Form::Edge => raw_lines(cx, bytes),
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" | "application/x-jsonlines" => {
            message_lines(cx, bytes)
        }
        "application/json" | "text/plain" | "application/csp-report" => json(cx, bytes),
        other if other.ends_with("+json") => json(cx, bytes),
        other => Err(unsupported(other, "application/json or application/x-ndjson")),
    }
}

/// Reads JSON, and says what of it is not taken as it was sent.
fn json(cx: &Cx<'_>, bytes: &[u8]) -> Result<Value, Error> {
    let value = read_json(bytes)?;
    tell_of_changes(cx, "body", bytes, &value)?;
    Ok(value)
}

fn tell_of_changes(cx: &Cx<'_>, place: &str, bytes: &[u8], value: &Value) -> Result<(), Error> {
    let field = |name: String| move || format!("{place}.{}", name.replace(',', "%2C"));
    for name in repeated(bytes, value) {
        cx.not_as_sent(field(name), "Given more than once")?;
    }
    for name in too_long_integers(bytes) {
        cx.not_as_sent(field(name), "Has more than 64 bits and would lose digits, send it as a text")?;
    }
    Ok(())
}

fn unsupported(content_type: &str, wanted: &str) -> Error {
    let text = format!("content-type {content_type:?} is not supported, send {wanted}");
    Error::new(Kind::UnsupportedMediaType, "unsupported_content_type", text)
}

/// How many fields an export in protobuf may have: a field of two bytes takes up to 300 when it is decoded.
const FIELDS_MAX: usize = 1_000_000;

/// The records of an export as events, and why others are none.
fn export(cx: &Cx<'_>, signal: Signal, bytes: &[u8], essence: &str) -> Result<(Value, Vec<String>), Error> {
    let encoding = Encoding::of(essence);
    let encoding =
        encoding.ok_or_else(|| unsupported(essence, "application/x-protobuf or application/json"))?;
    let reason = match encoding {
        Encoding::Protobuf => "invalid_protobuf",
        Encoding::Json => "invalid_json",
    };
    let wrong = |refused| match refused {
        Refused::Invalid(wrong) => Error::invalid(reason, format!("body: Invalid export, {wrong}")),
        Refused::Many(count) => too_many(count),
        Refused::Large => copies::too_large("the attributes of their resource and scope"),
    };
    if encoding == Encoding::Protobuf && otlp::fields(signal, bytes) > FIELDS_MAX {
        return Err(too_many_of("fields", FIELDS_MAX));
    }
    if encoding == Encoding::Json && has_too_many_values(bytes) {
        return Err(too_many_of("values", VALUES_MAX));
    }
    let read = otlp::events(signal, encoding, bytes, EVENTS_MAX).map_err(wrong)?;
    for field in read.ignored {
        match field.is_known {
            true => cx.not_shown(|| field.name),
            false => cx.without_effect(|| field.name)?,
        }
    }
    Ok((Value::Array(read.list), read.refused))
}

fn too_many_casts() -> Error {
    let text = "typecasts: their paths lead to too many values, send them in several requests";
    Error::new(Kind::TooLarge, "too_many_fields", text)
}

fn too_many_of(what: &str, most: usize) -> Error {
    let text = format!("body: has more than {most} {what}, send them in several requests");
    Error::new(Kind::TooLarge, "too_many_fields", text)
}

/// The timestamp of a CloudEvent, where its attributes are headers.
const HEADER_TIME: &str = "ce-time";

/// The timestamp in the lines of an edge network.
const EDGE_TIME: &str = "EdgeStartTimestamp";

/// How many lines without an object, and events without an instant, are named.
const LINES_NAMED: usize = 40;

/// The events of the lines with objects; other lines are passed over, and the answer names them by their numbers.
fn lines(
    cx: &Cx<'_>,
    bytes: &[u8],
    event: impl Fn(&str, Map<String, Value>) -> Value,
) -> Result<Value, Error> {
    let (mut events, mut named) = (Vec::<Value>::new(), 0);
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        match serde_json::from_slice(line) {
            Ok(Value::Object(object)) => {
                let object = Value::Object(object);
                tell_of_changes(cx, &format!("body.{index}"), line, &object)?;
                let Value::Object(object) = object else { continue };
                let event = event(&String::from_utf8_lossy(line), object);
                if named < LINES_NAMED && has_no_instant(Form::Edge, &event, &Value::Null) {
                    named += 1;
                    let field = || format!("body.{index}.{EDGE_TIME}");
                    cx.not_as_sent(field, "Is no instant, the event gets that of its arrival")?;
                }
                events.push(event);
            }
            _ if line.is_empty() || named == LINES_NAMED => {}
            _ => {
                named += 1;
                cx.not_as_sent(|| format!("body.{index}"), "Is no line with a JSON object")?;
            }
        }
    }
    Ok(events.into())
}

/// Each line becomes the message of an event, and its object the metadata.
fn message_lines(cx: &Cx<'_>, bytes: &[u8]) -> Result<Value, Error> {
    lines(cx, bytes, |line, object| json!({ "message": line, "metadata": object }))
}

/// Like `message_lines`, with the timestamp of an edge network.
fn raw_lines(cx: &Cx<'_>, bytes: &[u8]) -> Result<Value, Error> {
    lines(cx, bytes, |line, object| {
        let timestamp = object.get(EDGE_TIME).cloned();
        json!({ "timestamp": timestamp, "message": line, "metadata": object })
    })
}

/// Where the events of a body are.
#[derive(Clone, Copy)]
enum Place {
    List,
    Batch,
    Alone,
}

impl Place {
    /// The path of an event's field.
    fn of(self, index: usize, field: &str) -> String {
        match self {
            _ if field == HEADER_TIME => field.to_owned(),
            Place::List => format!("body.{index}.{field}"),
            Place::Batch => format!("body.batch.{index}.{field}"),
            Place::Alone => format!("body.{field}"),
        }
    }
}

/// The events in a body: a list, the list in its `batch` where the form has one, or the body itself.
fn list(cx: &Cx<'_>, form: Form, body: Value) -> Result<(Vec<Value>, Place), Error> {
    let refused = |problem: &str| Err(Error::invalid("invalid_body.batch", format!("batch: {problem}")));
    match body {
        Value::Array(list) => Ok((list, Place::List)),
        Value::Object(mut object) => match (form, object.get_mut("batch").map(Value::take)) {
            (Form::Raw | Form::Edge | Form::Typecasts | Form::Batch, Some(Value::Array(batch))) => {
                for name in object.keys().filter(|name| *name != "batch").take(LINES_NAMED) {
                    cx.without_effect(|| format!("body.{}", name.replace(',', "%2C")))?;
                }
                Ok((batch, Place::Batch))
            }
            (Form::Typecasts | Form::Batch, Some(_)) => refused("Expected array"),
            (Form::Typecasts | Form::Batch, None) => refused("Required"),
            (_, batch) => {
                if form == Form::Raw {
                    // The service ignores them if the body is a single event.
                    for own in ["timestamp", "id"] {
                        if object.shift_remove(own).is_some_and(|given| !given.is_null()) {
                            cx.not_as_sent(|| format!("body.{own}"), "Is only kept for events in a list")?;
                        }
                    }
                }
                batch.map(|batch| object.insert("batch".to_owned(), batch));
                Ok((vec![Value::Object(object)], Place::Alone))
            }
        },
        _ => Err(Error::invalid("invalid_body", "body: Expected object or array")),
    }
}

/// Converts an event of that format. `None`: it takes more `steps` than are left.
fn shape(form: Form, event: Value, attributes: &Value, steps: &mut Copies) -> Option<Value> {
    let Value::Object(mut object) = event else { return Some(event) };
    Some(match form {
        // Lines of an edge network were converted when they were read. Its JSON contains events, which do not change.
        Form::Raw | Form::Batch | Form::Edge | Form::Syslog | Form::Otlp(_) => Value::Object(object),
        Form::Json => json!({ "message": Value::from(object.clone()).to_string(), "metadata": object }),
        Form::Pipeline => {
            let timestamp = object.shift_remove("timestamp");
            let project = object.get("project").cloned();
            let message = object.shift_remove("message");
            let message = message.unwrap_or_else(|| Value::from(object.clone()).to_string().into());
            json!({ "timestamp": timestamp, "message": message, "project": project, "metadata": object })
        }
        Form::CloudEvent => {
            if let Some(time) = attributes.get("time").or_else(|| object.get("time")).cloned() {
                object.insert("timestamp".to_owned(), time);
            }
            if *attributes != json!({}) {
                object.insert("cloud_event".to_owned(), attributes.clone());
            }
            Value::Object(object)
        }
        Form::Deployments => json!({
            "id": object.get("id"), "message": object.get("message"), "timestamp": object.get("timestamp"),
            "metadata": object,
        }),
        Form::Typecasts => typecast(object, steps)?,
        Form::CodeHost => {
            let keys = ["/repository/full_name", "/sender/login", "/action"];
            let mut metadata = Value::Object(object);
            let message = joined(&metadata, &keys);
            drop_urls(&mut metadata);
            json!({ "message": message, "metadata": metadata })
        }
        Form::SiteHost => {
            let timestamp = object.shift_remove("timestamp");
            let keys =
                ["/log_type", "/method", "/status_code", "/client_ip", "/request_id", "/url", "/user_agent"];
            let metadata = Value::Object(object);
            json!({ "timestamp": timestamp, "message": joined(&metadata, &keys), "metadata": metadata })
        }
    })
}

/// The values at JSON pointers, as a message.
fn joined(event: &Value, pointers: &[&str]) -> String {
    let text = |pointer: &&str| match event.pointer(pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    pointers.iter().map(text).collect::<Vec<_>>().join(" | ")
}

/// Removes the addresses in a webhook's event, which are most of it.
fn drop_urls(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| !key.ends_with("_url"));
            object.values_mut().for_each(drop_urls);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_urls),
        _ => {}
    }
}

/// `{"body": {…}, "typecasts": [{"path": ["a", "b"], "from": "string", "to": "float"}]}`.
fn typecast(mut event: Map<String, Value>, steps: &mut Copies) -> Option<Value> {
    let mut body = event.shift_remove("body").unwrap_or_default();
    for cast in event.get("typecasts").and_then(Value::as_array).into_iter().flatten() {
        if (&cast["from"], &cast["to"]) != (&json!("string"), &json!("float")) {
            continue;
        }
        let path: Vec<&str> =
            cast["path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        make_float(&mut body, &path, steps)?;
    }
    Some(body)
}

/// What a step to a value counts.
const STEP_BYTES: usize = 16;

/// Converts the text at a path to a number. The path goes into the elements of lists.
fn make_float(value: &mut Value, path: &[&str], steps: &mut Copies) -> Option<()> {
    steps.take(1, STEP_BYTES)?;
    match (&mut *value, path) {
        (Value::Array(list), path) => list.iter_mut().try_for_each(|one| make_float(one, path, steps))?,
        (Value::Object(object), [name, rest @ ..]) => {
            object.get_mut(*name).into_iter().try_for_each(|inner| make_float(inner, rest, steps))?;
        }
        (Value::String(text), []) => {
            if let Ok(number) = text.parse::<f64>() {
                *value = number.into();
            }
        }
        _ => {}
    }
    Some(())
}
