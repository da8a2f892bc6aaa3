//! The messages of the OpenTelemetry protocol, with only the fields that events are made of. The tags are the
//! protocol's.

use bytes::Bytes;
use prost::{Message, Oneof};
use serde::Deserialize;

use super::json::{JsonMetric, JsonNumberPoint, JsonValue, float, floats, id, maybe_float, whole, wholes};

/// An export of any signal; exports differ only in their records.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Export {
    #[prost(message, repeated, tag = "1")]
    pub resources: Vec<OfResource>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OfResource {
    #[prost(message, optional, tag = "1")]
    pub resource: Option<Resource>,
    #[prost(message, repeated, tag = "2")]
    pub scopes: Vec<OfScope>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OfScope {
    #[prost(message, optional, tag = "1")]
    pub scope: Option<Scope>,
    /// Each is a message of the signal.
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub records: Vec<Bytes>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Resource {
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Scope {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
    #[prost(message, repeated, tag = "3")]
    pub attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct KeyValue {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(message, optional, tag = "2")]
    pub value: Option<AnyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(try_from = "JsonValue")]
pub(super) struct AnyValue {
    #[prost(oneof = "Any", tags = "1, 2, 3, 4, 5, 6, 7")]
    pub value: Option<Any>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Any {
    #[prost(string, tag = "1")]
    Text(String),
    #[prost(bool, tag = "2")]
    Bool(bool),
    #[prost(int64, tag = "3")]
    Int(i64),
    #[prost(double, tag = "4")]
    Double(f64),
    #[prost(message, tag = "5")]
    List(AnyValues),
    #[prost(message, tag = "6")]
    Object(KeyValues),
    #[prost(bytes = "bytes", tag = "7")]
    Bytes(Bytes),
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AnyValues {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<AnyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct KeyValues {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Span {
    #[prost(bytes = "bytes", tag = "1")]
    #[serde(deserialize_with = "id")]
    pub trace_id: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    #[serde(deserialize_with = "id")]
    pub span_id: Bytes,
    #[prost(bytes = "bytes", tag = "4")]
    #[serde(deserialize_with = "id")]
    pub parent_span_id: Bytes,
    #[prost(string, tag = "5")]
    pub name: String,
    #[prost(int32, tag = "6")]
    pub kind: i32,
    #[prost(fixed64, tag = "7")]
    #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
    pub start_nanos: u64,
    #[prost(fixed64, tag = "8")]
    #[serde(rename = "endTimeUnixNano", deserialize_with = "whole")]
    pub end_nanos: u64,
    #[prost(message, repeated, tag = "9")]
    pub attributes: Vec<KeyValue>,
    #[prost(message, repeated, tag = "11")]
    pub events: Vec<SpanEvent>,
    #[prost(message, optional, tag = "15")]
    pub status: Option<Status>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SpanEvent {
    #[prost(fixed64, tag = "1")]
    #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
    pub nanos: u64,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(message, repeated, tag = "3")]
    pub attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Status {
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(int32, tag = "3")]
    pub code: i32,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct LogRecord {
    #[prost(fixed64, tag = "1")]
    #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
    pub nanos: u64,
    #[prost(int32, tag = "2")]
    pub severity_number: i32,
    #[prost(string, tag = "3")]
    pub severity_text: String,
    #[prost(message, optional, tag = "5")]
    pub body: Option<AnyValue>,
    #[prost(message, repeated, tag = "6")]
    pub attributes: Vec<KeyValue>,
    #[prost(bytes = "bytes", tag = "9")]
    #[serde(deserialize_with = "id")]
    pub trace_id: Bytes,
    #[prost(bytes = "bytes", tag = "10")]
    #[serde(deserialize_with = "id")]
    pub span_id: Bytes,
    #[prost(fixed64, tag = "11")]
    #[serde(rename = "observedTimeUnixNano", deserialize_with = "whole")]
    pub observed_nanos: u64,
    #[prost(string, tag = "12")]
    pub event_name: String,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(from = "JsonMetric")]
pub(super) struct Metric {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "3")]
    pub unit: String,
    #[prost(oneof = "Data", tags = "5, 7, 9, 10, 11")]
    pub data: Option<Data>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Data {
    #[prost(message, tag = "5")]
    Gauge(Numbers),
    #[prost(message, tag = "7")]
    Sum(Numbers),
    #[prost(message, tag = "9")]
    Histogram(Histograms),
    #[prost(message, tag = "10")]
    ExponentialHistogram(ExponentialHistograms),
    #[prost(message, tag = "11")]
    Summary(Summaries),
}

impl Data {
    /// The number of points.
    pub(super) fn points(&self) -> usize {
        match self {
            Data::Gauge(data) | Data::Sum(data) => data.points.len(),
            Data::Histogram(data) => data.points.len(),
            Data::ExponentialHistogram(data) => data.points.len(),
            Data::Summary(data) => data.points.len(),
        }
    }
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Numbers {
    #[prost(message, repeated, tag = "1")]
    #[serde(rename = "dataPoints")]
    pub points: Vec<NumberPoint>,
    #[prost(int32, tag = "2")]
    pub aggregation_temporality: i32,
    /// The flag of a sum.
    #[prost(bool, tag = "3")]
    pub is_monotonic: bool,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(try_from = "JsonNumberPoint")]
pub(super) struct NumberPoint {
    #[prost(fixed64, tag = "2")]
    pub start_nanos: u64,
    #[prost(fixed64, tag = "3")]
    pub nanos: u64,
    #[prost(oneof = "Number", tags = "4, 6")]
    pub value: Option<Number>,
    #[prost(message, repeated, tag = "7")]
    pub attributes: Vec<KeyValue>,
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub(super) enum Number {
    #[prost(double, tag = "4")]
    Double(f64),
    #[prost(sfixed64, tag = "6")]
    Int(i64),
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Histograms {
    #[prost(message, repeated, tag = "1")]
    #[serde(rename = "dataPoints")]
    pub points: Vec<HistogramPoint>,
    #[prost(int32, tag = "2")]
    pub aggregation_temporality: i32,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct HistogramPoint {
    #[prost(fixed64, tag = "2")]
    #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
    pub start_nanos: u64,
    #[prost(fixed64, tag = "3")]
    #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
    pub nanos: u64,
    #[prost(fixed64, tag = "4")]
    #[serde(deserialize_with = "whole")]
    pub count: u64,
    #[prost(double, optional, tag = "5")]
    #[serde(deserialize_with = "maybe_float")]
    pub sum: Option<f64>,
    #[prost(fixed64, repeated, tag = "6")]
    #[serde(deserialize_with = "wholes")]
    pub bucket_counts: Vec<u64>,
    #[prost(double, repeated, tag = "7")]
    #[serde(deserialize_with = "floats")]
    pub explicit_bounds: Vec<f64>,
    #[prost(message, repeated, tag = "9")]
    pub attributes: Vec<KeyValue>,
    #[prost(double, optional, tag = "11")]
    #[serde(deserialize_with = "maybe_float")]
    pub min: Option<f64>,
    #[prost(double, optional, tag = "12")]
    #[serde(deserialize_with = "maybe_float")]
    pub max: Option<f64>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ExponentialHistograms {
    #[prost(message, repeated, tag = "1")]
    #[serde(rename = "dataPoints")]
    pub points: Vec<ExponentialPoint>,
    #[prost(int32, tag = "2")]
    pub aggregation_temporality: i32,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ExponentialPoint {
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<KeyValue>,
    #[prost(fixed64, tag = "2")]
    #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
    pub start_nanos: u64,
    #[prost(fixed64, tag = "3")]
    #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
    pub nanos: u64,
    #[prost(fixed64, tag = "4")]
    #[serde(deserialize_with = "whole")]
    pub count: u64,
    #[prost(double, optional, tag = "5")]
    #[serde(deserialize_with = "maybe_float")]
    pub sum: Option<f64>,
    #[prost(double, optional, tag = "12")]
    #[serde(deserialize_with = "maybe_float")]
    pub min: Option<f64>,
    #[prost(double, optional, tag = "13")]
    #[serde(deserialize_with = "maybe_float")]
    pub max: Option<f64>,
    #[prost(sint32, tag = "6")]
    pub scale: i32,
    #[prost(fixed64, tag = "7")]
    #[serde(deserialize_with = "whole")]
    pub zero_count: u64,
    #[prost(message, optional, tag = "8")]
    pub positive: Option<Buckets>,
    #[prost(message, optional, tag = "9")]
    pub negative: Option<Buckets>,
    #[prost(double, tag = "14")]
    #[serde(deserialize_with = "float")]
    pub zero_threshold: f64,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Buckets {
    #[prost(sint32, tag = "1")]
    pub offset: i32,
    #[prost(uint64, repeated, tag = "2")]
    #[serde(deserialize_with = "wholes")]
    pub bucket_counts: Vec<u64>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Summaries {
    #[prost(message, repeated, tag = "1")]
    #[serde(rename = "dataPoints")]
    pub points: Vec<SummaryPoint>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SummaryPoint {
    #[prost(fixed64, tag = "2")]
    #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
    pub start_nanos: u64,
    #[prost(fixed64, tag = "3")]
    #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
    pub nanos: u64,
    #[prost(fixed64, tag = "4")]
    #[serde(deserialize_with = "whole")]
    pub count: u64,
    #[prost(double, tag = "5")]
    #[serde(deserialize_with = "float")]
    pub sum: f64,
    #[prost(message, repeated, tag = "6")]
    pub quantile_values: Vec<Quantile>,
    #[prost(message, repeated, tag = "7")]
    pub attributes: Vec<KeyValue>,
}

#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Quantile {
    #[prost(double, tag = "1")]
    #[serde(deserialize_with = "float")]
    pub quantile: f64,
    #[prost(double, tag = "2")]
    #[serde(deserialize_with = "float")]
    pub value: f64,
}

/// The answer to an export of any signal.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Response {
    #[prost(message, optional, tag = "1")]
    pub partial_success: Option<PartialSuccess>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PartialSuccess {
    #[prost(int64, tag = "1")]
    pub rejected: i64,
    #[prost(string, tag = "2")]
    pub error_message: String,
}
