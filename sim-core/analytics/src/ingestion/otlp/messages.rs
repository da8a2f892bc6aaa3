//! The messages of the OpenTelemetry protocol, with only the fields that events are made of. The tags are the
//! protocol's.

use bytes::Bytes;
use serde::Deserialize;

use super::json::{JsonMetric, JsonNumberPoint, JsonValue, float, floats, id, maybe_float, whole, wholes};

messages! {
    /// An export of any signal; exports differ only in their records.
    pub(super) struct Export {
        pub resources: Vec<OfResource> = repeated message(1),
    }

    pub(super) struct OfResource {
        pub resource: Option<Resource> = optional message(1),
        pub scopes: Vec<OfScope> = repeated message(2),
    }

    pub(super) struct OfScope {
        pub scope: Option<Scope> = optional message(1),
        /// Each is a message of the signal.
        pub records: Vec<Bytes> = repeated bytes(2),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Resource {
        pub attributes: Vec<KeyValue> = repeated message(1),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Scope {
        pub name: String = string(1),
        pub version: String = string(2),
        pub attributes: Vec<KeyValue> = repeated message(3),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct KeyValue {
        pub key: String = string(1),
        pub value: Option<AnyValue> = optional message(2),
    }

    #[derive(Deserialize)]
    #[serde(try_from = "JsonValue")]
    pub(super) struct AnyValue {
        pub value: Option<Any> = one_of(1..=7),
    }
}

one_of! {
    pub(super) enum Any {
        Text(String) = string(1),
        Bool(bool) = bool(2),
        Int(i64) = int64(3),
        Double(f64) = double(4),
        List(AnyValues) = message(5),
        Object(KeyValues) = message(6),
        Bytes(Bytes) = bytes(7),
    }
}

messages! {
    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct AnyValues {
        pub values: Vec<AnyValue> = repeated message(1),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct KeyValues {
        pub values: Vec<KeyValue> = repeated message(1),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Span {
        #[serde(deserialize_with = "id")]
        pub trace_id: Bytes = bytes(1),
        #[serde(deserialize_with = "id")]
        pub span_id: Bytes = bytes(2),
        #[serde(deserialize_with = "id")]
        pub parent_span_id: Bytes = bytes(4),
        pub name: String = string(5),
        pub kind: i32 = int32(6),
        #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
        pub start_nanos: u64 = fixed64(7),
        #[serde(rename = "endTimeUnixNano", deserialize_with = "whole")]
        pub end_nanos: u64 = fixed64(8),
        pub attributes: Vec<KeyValue> = repeated message(9),
        pub events: Vec<SpanEvent> = repeated message(11),
        pub status: Option<Status> = optional message(15),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct SpanEvent {
        #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
        pub nanos: u64 = fixed64(1),
        pub name: String = string(2),
        pub attributes: Vec<KeyValue> = repeated message(3),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Status {
        pub message: String = string(2),
        pub code: i32 = int32(3),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct LogRecord {
        #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
        pub nanos: u64 = fixed64(1),
        pub severity_number: i32 = int32(2),
        pub severity_text: String = string(3),
        pub body: Option<AnyValue> = optional message(5),
        pub attributes: Vec<KeyValue> = repeated message(6),
        #[serde(deserialize_with = "id")]
        pub trace_id: Bytes = bytes(9),
        #[serde(deserialize_with = "id")]
        pub span_id: Bytes = bytes(10),
        #[serde(rename = "observedTimeUnixNano", deserialize_with = "whole")]
        pub observed_nanos: u64 = fixed64(11),
        pub event_name: String = string(12),
    }

    #[derive(Deserialize)]
    #[serde(from = "JsonMetric")]
    pub(super) struct Metric {
        pub name: String = string(1),
        pub unit: String = string(3),
        pub data: Option<Data> = one_of(5 | 7 | 9 | 10 | 11),
    }
}

one_of! {
    pub(super) enum Data {
        Gauge(Numbers) = message(5),
        Sum(Numbers) = message(7),
        Histogram(Histograms) = message(9),
        ExponentialHistogram(ExponentialHistograms) = message(10),
        Summary(Summaries) = message(11),
    }
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

messages! {
    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Numbers {
        #[serde(rename = "dataPoints")]
        pub points: Vec<NumberPoint> = repeated message(1),
        pub aggregation_temporality: i32 = int32(2),
        /// The flag of a sum.
        pub is_monotonic: bool = bool(3),
    }

    #[derive(Deserialize)]
    #[serde(try_from = "JsonNumberPoint")]
    pub(super) struct NumberPoint {
        pub start_nanos: u64 = fixed64(2),
        pub nanos: u64 = fixed64(3),
        pub value: Option<Number> = one_of(4 | 6),
        pub attributes: Vec<KeyValue> = repeated message(7),
    }
}

one_of! {
    pub(super) enum Number {
        Double(f64) = double(4),
        Int(i64) = sfixed64(6),
    }
}

messages! {
    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Histograms {
        #[serde(rename = "dataPoints")]
        pub points: Vec<HistogramPoint> = repeated message(1),
        pub aggregation_temporality: i32 = int32(2),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct HistogramPoint {
        #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
        pub start_nanos: u64 = fixed64(2),
        #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
        pub nanos: u64 = fixed64(3),
        #[serde(deserialize_with = "whole")]
        pub count: u64 = fixed64(4),
        #[serde(deserialize_with = "maybe_float")]
        pub sum: Option<f64> = optional double(5),
        #[serde(deserialize_with = "wholes")]
        pub bucket_counts: Vec<u64> = packed fixed64(6),
        #[serde(deserialize_with = "floats")]
        pub explicit_bounds: Vec<f64> = packed double(7),
        pub attributes: Vec<KeyValue> = repeated message(9),
        #[serde(deserialize_with = "maybe_float")]
        pub min: Option<f64> = optional double(11),
        #[serde(deserialize_with = "maybe_float")]
        pub max: Option<f64> = optional double(12),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct ExponentialHistograms {
        #[serde(rename = "dataPoints")]
        pub points: Vec<ExponentialPoint> = repeated message(1),
        pub aggregation_temporality: i32 = int32(2),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct ExponentialPoint {
        pub attributes: Vec<KeyValue> = repeated message(1),
        #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
        pub start_nanos: u64 = fixed64(2),
        #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
        pub nanos: u64 = fixed64(3),
        #[serde(deserialize_with = "whole")]
        pub count: u64 = fixed64(4),
        #[serde(deserialize_with = "maybe_float")]
        pub sum: Option<f64> = optional double(5),
        pub scale: i32 = sint32(6),
        #[serde(deserialize_with = "whole")]
        pub zero_count: u64 = fixed64(7),
        pub positive: Option<Buckets> = optional message(8),
        pub negative: Option<Buckets> = optional message(9),
        #[serde(deserialize_with = "maybe_float")]
        pub min: Option<f64> = optional double(12),
        #[serde(deserialize_with = "maybe_float")]
        pub max: Option<f64> = optional double(13),
        #[serde(deserialize_with = "float")]
        pub zero_threshold: f64 = double(14),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Buckets {
        pub offset: i32 = sint32(1),
        #[serde(deserialize_with = "wholes")]
        pub bucket_counts: Vec<u64> = packed uint64(2),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Summaries {
        #[serde(rename = "dataPoints")]
        pub points: Vec<SummaryPoint> = repeated message(1),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct SummaryPoint {
        #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
        pub start_nanos: u64 = fixed64(2),
        #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
        pub nanos: u64 = fixed64(3),
        #[serde(deserialize_with = "whole")]
        pub count: u64 = fixed64(4),
        #[serde(deserialize_with = "float")]
        pub sum: f64 = double(5),
        pub quantile_values: Vec<Quantile> = repeated message(6),
        pub attributes: Vec<KeyValue> = repeated message(7),
    }

    #[derive(Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    pub(super) struct Quantile {
        #[serde(deserialize_with = "float")]
        pub quantile: f64 = double(1),
        #[serde(deserialize_with = "float")]
        pub value: f64 = double(2),
    }

    /// The answer to an export of any signal.
    pub(super) struct Response {
        pub partial_success: Option<PartialSuccess> = optional message(1),
    }

    pub(super) struct PartialSuccess {
        pub rejected: i64 = int64(1),
        pub error_message: String = string(2),
    }
}
