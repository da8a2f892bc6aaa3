//! The messages of the protocol with all their fields, to find what no event keeps and what is no such value. The tags are the
//! protocol's.

use super::Signal;

/// A field of a message.
#[derive(Debug)]
pub(super) struct Field {
    pub tag: u32,
    /// The name in JSON.
    pub name: &'static str,
    pub kind: Kind,
    /// Whether a message has at most one of its fields of this sort.
    pub is_choice: bool,
}

/// What a field contains.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    Bool,
    /// A number of 32 bits, also one that stands for a word.
    Small,
    Whole,
    Signed,
    Wholes,
    Float,
    Floats,
    /// Hex digits in JSON.
    Id,
    /// Base64 in JSON.
    Bytes,
    Message(&'static [Field]),
    Messages(&'static [Field]),
    /// Keys with values, each key once.
    Pairs,
    /// Messages of which each can be refused alone.
    Records(&'static [Field]),
    /// A field that no event keeps.
    Unused,
}

use Kind::{
    Bool, Bytes, Float, Floats, Id, Message, Messages, Pairs, Records, Signed, Small, Text, Unused, Whole,
    Wholes,
};

const fn field(tag: u32, name: &'static str, kind: Kind) -> Field {
    Field { tag, name, kind, is_choice: false }
}

const fn choice(tag: u32, name: &'static str, kind: Kind) -> Field {
    Field { is_choice: true, ..field(tag, name, kind) }
}

/// The fields of an export of that signal.
pub(super) fn export(signal: Signal) -> &'static [Field] {
    match signal {
        Signal::Traces => &TRACES,
        Signal::Metrics => &METRICS,
        Signal::Logs => &LOGS,
    }
}

/// The fields of a record of that signal.
pub(super) fn record(signal: Signal) -> &'static [Field] {
    match signal {
        Signal::Traces => &SPAN,
        Signal::Metrics => &METRIC,
        Signal::Logs => &LOG_RECORD,
    }
}

/// How many lists lead to a record.
pub(super) const WAY: usize = 3;

/// The names of the lists that lead to the records of that signal.
pub(super) const fn way(signal: Signal) -> [&'static str; WAY] {
    match signal {
        Signal::Traces => ["resourceSpans", "scopeSpans", "spans"],
        Signal::Metrics => ["resourceMetrics", "scopeMetrics", "metrics"],
        Signal::Logs => ["resourceLogs", "scopeLogs", "logRecords"],
    }
}

static TRACES: [Field; 1] = [field(1, "resourceSpans", Messages(&RESOURCE_SPANS))];
static METRICS: [Field; 1] = [field(1, "resourceMetrics", Messages(&RESOURCE_METRICS))];
static LOGS: [Field; 1] = [field(1, "resourceLogs", Messages(&RESOURCE_LOGS))];

static RESOURCE_SPANS: [Field; 3] = of_resource("scopeSpans", &SCOPE_SPANS);
static RESOURCE_METRICS: [Field; 3] = of_resource("scopeMetrics", &SCOPE_METRICS);
static RESOURCE_LOGS: [Field; 3] = of_resource("scopeLogs", &SCOPE_LOGS);

const fn of_resource(scopes: &'static str, scope: &'static [Field]) -> [Field; 3] {
    [
        field(1, "resource", Message(&RESOURCE)),
        field(2, scopes, Messages(scope)),
        field(3, "schemaUrl", Unused),
    ]
}

static RESOURCE: [Field; 3] =
    [attributes(1), field(2, "droppedAttributesCount", Unused), field(3, "entityRefs", Unused)];

static SCOPE_SPANS: [Field; 3] = of_scope("spans", &SPAN);
static SCOPE_METRICS: [Field; 3] = of_scope("metrics", &METRIC);
static SCOPE_LOGS: [Field; 3] = of_scope("logRecords", &LOG_RECORD);

const fn of_scope(records: &'static str, record: &'static [Field]) -> [Field; 3] {
    [field(1, "scope", Message(&SCOPE)), field(2, records, Records(record)), field(3, "schemaUrl", Unused)]
}

static SCOPE: [Field; 4] = [
    field(1, "name", Text),
    field(2, "version", Text),
    attributes(3),
    field(4, "droppedAttributesCount", Unused),
];

const fn attributes(tag: u32) -> Field {
    field(tag, "attributes", Pairs)
}

pub(super) static KEY_VALUE: [Field; 2] = [field(1, "key", Text), field(2, "value", Message(&VALUE))];

static VALUE: [Field; 7] = [
    choice(1, "stringValue", Text),
    choice(2, "boolValue", Bool),
    choice(3, "intValue", Signed),
    choice(4, "doubleValue", Float),
    choice(5, "arrayValue", Message(&VALUES)),
    choice(6, "kvlistValue", Message(&KEY_VALUES)),
    choice(7, "bytesValue", Bytes),
];

static VALUES: [Field; 1] = [field(1, "values", Messages(&VALUE))];
static KEY_VALUES: [Field; 1] = [field(1, "values", Pairs)];

static SPAN: [Field; 16] = [
    field(1, "traceId", Id),
    field(2, "spanId", Id),
    field(3, "traceState", Unused),
    field(4, "parentSpanId", Id),
    field(5, "name", Text),
    field(6, "kind", Small),
    field(7, "startTimeUnixNano", Whole),
    field(8, "endTimeUnixNano", Whole),
    attributes(9),
    field(10, "droppedAttributesCount", Unused),
    field(11, "events", Messages(&SPAN_EVENT)),
    field(12, "droppedEventsCount", Unused),
    field(13, "links", Unused),
    field(14, "droppedLinksCount", Unused),
    field(15, "status", Message(&STATUS)),
    field(16, "flags", Unused),
];

static SPAN_EVENT: [Field; 4] = [
    field(1, "timeUnixNano", Whole),
    field(2, "name", Text),
    attributes(3),
    field(4, "droppedAttributesCount", Unused),
];

static STATUS: [Field; 2] = [field(2, "message", Text), field(3, "code", Small)];

static LOG_RECORD: [Field; 11] = [
    field(1, "timeUnixNano", Whole),
    field(2, "severityNumber", Small),
    field(3, "severityText", Text),
    field(5, "body", Message(&VALUE)),
    attributes(6),
    field(7, "droppedAttributesCount", Unused),
    field(8, "flags", Unused),
    field(9, "traceId", Id),
    field(10, "spanId", Id),
    field(11, "observedTimeUnixNano", Whole),
    field(12, "eventName", Text),
];

static METRIC: [Field; 9] = [
    field(1, "name", Text),
    field(2, "description", Unused),
    field(3, "unit", Text),
    choice(5, "gauge", Message(&GAUGE)),
    choice(7, "sum", Message(&SUM)),
    choice(9, "histogram", Message(&HISTOGRAM)),
    choice(10, "exponentialHistogram", Message(&EXPONENTIAL_HISTOGRAM)),
    choice(11, "summary", Message(&SUMMARY)),
    field(12, "metadata", Unused),
];

const fn points(point: &'static [Field]) -> Field {
    field(1, "dataPoints", Records(point))
}

const TEMPORALITY: Field = field(2, "aggregationTemporality", Small);

static GAUGE: [Field; 1] = [points(&NUMBER_POINT)];
static SUM: [Field; 3] = [points(&NUMBER_POINT), TEMPORALITY, field(3, "isMonotonic", Bool)];
static HISTOGRAM: [Field; 2] = [points(&HISTOGRAM_POINT), TEMPORALITY];
static EXPONENTIAL_HISTOGRAM: [Field; 2] = [points(&EXPONENTIAL_POINT), TEMPORALITY];
static SUMMARY: [Field; 1] = [points(&SUMMARY_POINT)];

const START: Field = field(2, "startTimeUnixNano", Whole);
const TIME: Field = field(3, "timeUnixNano", Whole);
const COUNT: Field = field(4, "count", Whole);

static NUMBER_POINT: [Field; 7] = [
    START,
    TIME,
    choice(4, "asDouble", Float),
    field(5, "exemplars", Unused),
    choice(6, "asInt", Signed),
    attributes(7),
    field(8, "flags", Unused),
];

static HISTOGRAM_POINT: [Field; 11] = [
    START,
    TIME,
    COUNT,
    field(5, "sum", Float),
    field(6, "bucketCounts", Wholes),
    field(7, "explicitBounds", Floats),
    field(8, "exemplars", Unused),
    attributes(9),
    field(10, "flags", Unused),
    field(11, "min", Float),
    field(12, "max", Float),
];

static EXPONENTIAL_POINT: [Field; 14] = [
    attributes(1),
    START,
    TIME,
    COUNT,
    field(5, "sum", Float),
    field(6, "scale", Small),
    field(7, "zeroCount", Whole),
    field(8, "positive", Message(&BUCKETS)),
    field(9, "negative", Message(&BUCKETS)),
    field(10, "flags", Unused),
    field(11, "exemplars", Unused),
    field(12, "min", Float),
    field(13, "max", Float),
    field(14, "zeroThreshold", Float),
];

static BUCKETS: [Field; 2] = [field(1, "offset", Small), field(2, "bucketCounts", Wholes)];

static SUMMARY_POINT: [Field; 7] = [
    START,
    TIME,
    COUNT,
    field(5, "sum", Float),
    field(6, "quantileValues", Messages(&QUANTILE)),
    attributes(7),
    field(8, "flags", Unused),
];

static QUANTILE: [Field; 2] = [field(1, "quantile", Float), field(2, "value", Float)];
