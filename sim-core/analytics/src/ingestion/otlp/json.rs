//! Exports of telemetry as JSON: the same messages, by the protocol's mapping. Numbers of 64 bits may be texts, ids are hex digits.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sim_base::json::repeated;

use super::look::Look;
use super::messages::{
    Any, AnyValue, AnyValues, Data, ExponentialHistograms, Export, Histograms, KeyValues, LogRecord, Metric,
    Number, NumberPoint, Numbers, OfResource, OfScope, Resource, Scope, Span, Summaries,
};
use super::{Signal, parts};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Whole {
    #[serde(alias = "resourceSpans", alias = "resourceMetrics", alias = "resourceLogs")]
    resources: Vec<ResourceRecords>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResourceRecords {
    resource: Option<Resource>,
    #[serde(alias = "scopeSpans", alias = "scopeMetrics", alias = "scopeLogs")]
    scopes: Vec<ScopeRecords>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ScopeRecords {
    scope: Option<Scope>,
    #[serde(alias = "spans", alias = "metrics", alias = "logRecords")]
    records: Vec<Value>,
}

/// Reads an export, and notes what of it is refused and what has no effect.
pub(super) fn export(signal: Signal, bytes: &[u8], look: &mut Look) -> Result<Export, String> {
    let object: Map<String, Value> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut whole = Value::Object(object);
    repeated(bytes, &whole).iter().for_each(|name| look.note(format!("body.{name}")));
    look.through_export(parts::export(signal), &mut whole)?;
    read(signal, whole).map_err(|error| error.to_string())
}

fn read(signal: Signal, whole: Value) -> serde_json::Result<Export> {
    let whole: Whole = serde_json::from_value(whole)?;
    let record = |record| match signal {
        Signal::Traces => encoded::<Span>(record),
        Signal::Metrics => encoded::<Metric>(record),
        Signal::Logs => encoded::<LogRecord>(record),
    };
    let of_scope = |of: ScopeRecords| {
        let records = of.records.into_iter().map(record).collect::<Result<_, _>>()?;
        Ok(OfScope { scope: of.scope, records })
    };
    let of_resource = |of: ResourceRecords| {
        let scopes = of.scopes.into_iter().map(of_scope).collect::<serde_json::Result<_>>()?;
        Ok(OfResource { resource: of.resource, scopes })
    };
    Ok(Export { resources: whole.resources.into_iter().map(of_resource).collect::<serde_json::Result<_>>()? })
}

fn encoded<M: prost::Message + DeserializeOwned>(record: Value) -> serde_json::Result<Bytes> {
    Ok(serde_json::from_value::<M>(record)?.encode_to_vec().into())
}

/// A number, or a number as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Digits {
    Number(serde_json::Number),
    Text(String),
}

impl Digits {
    fn whole<T: std::str::FromStr>(&self) -> Result<T, String> {
        let text = self.to_string();
        text.parse().map_err(|_| format!("{text:?} is no whole number in range"))
    }

    fn float(&self) -> Result<f64, String> {
        let text = self.to_string();
        text.parse().map_err(|_| format!("{text:?} is no number"))
    }
}

impl std::fmt::Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Digits::Number(number) => number.fmt(f),
            Digits::Text(text) => f.write_str(text),
        }
    }
}

pub(super) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    Digits::deserialize(from)?.whole().map_err(D::Error::custom)
}

pub(super) fn wholes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let all = Vec::<Digits>::deserialize(from)?;
    all.iter().map(Digits::whole).collect::<Result<_, _>>().map_err(D::Error::custom)
}

pub(super) fn float<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Digits::deserialize(from)?.float().map_err(D::Error::custom)
}

pub(super) fn maybe_float<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    float(from).map(Some)
}

pub(super) fn floats<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    let all = Vec::<Digits>::deserialize(from)?;
    all.iter().map(Digits::float).collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// An id in hex digits.
pub(super) fn id<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
    let text = String::deserialize(from)?;
    let digits: Option<Vec<u32>> = text.chars().map(|sign| sign.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0);
    let digits = digits.ok_or_else(|| D::Error::custom(format!("{text:?} is no id in hex digits")))?;
    Ok(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}

/// A value, in which at most one field is present.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct JsonValue {
    string_value: Option<String>,
    bool_value: Option<bool>,
    int_value: Option<Digits>,
    double_value: Option<Digits>,
    array_value: Option<AnyValues>,
    kvlist_value: Option<KeyValues>,
    bytes_value: Option<String>,
}

impl TryFrom<JsonValue> for AnyValue {
    type Error = String;

    fn try_from(json: JsonValue) -> Result<AnyValue, String> {
        let value = match json {
            JsonValue { string_value: Some(text), .. } => Some(Any::Text(text)),
            JsonValue { bool_value: Some(bool), .. } => Some(Any::Bool(bool)),
            JsonValue { int_value: Some(digits), .. } => Some(Any::Int(digits.whole()?)),
            JsonValue { double_value: Some(digits), .. } => Some(Any::Double(digits.float()?)),
            JsonValue { array_value: Some(list), .. } => Some(Any::List(list)),
            JsonValue { kvlist_value: Some(list), .. } => Some(Any::Object(list)),
            JsonValue { bytes_value: Some(text), .. } => {
                let bytes = STANDARD.decode(text).map_err(|error| format!("bytesValue: {error}"))?;
                Some(Any::Bytes(bytes.into()))
            }
            _ => None,
        };
        Ok(AnyValue { value })
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct JsonMetric {
    name: String,
    unit: String,
    gauge: Option<Numbers>,
    sum: Option<Numbers>,
    histogram: Option<Histograms>,
    exponential_histogram: Option<ExponentialHistograms>,
    summary: Option<Summaries>,
}

impl From<JsonMetric> for Metric {
    fn from(json: JsonMetric) -> Metric {
        let JsonMetric { name, unit, gauge, sum, histogram, exponential_histogram, summary } = json;
        let data = gauge.map(Data::Gauge).or(sum.map(Data::Sum)).or(histogram.map(Data::Histogram));
        let data = data.or(exponential_histogram.map(Data::ExponentialHistogram));
        Metric { name, unit, data: data.or(summary.map(Data::Summary)) }
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct JsonNumberPoint {
    #[serde(rename = "startTimeUnixNano", deserialize_with = "whole")]
    start_nanos: u64,
    #[serde(rename = "timeUnixNano", deserialize_with = "whole")]
    nanos: u64,
    as_double: Option<Digits>,
    as_int: Option<Digits>,
    attributes: Vec<super::messages::KeyValue>,
}

impl TryFrom<JsonNumberPoint> for NumberPoint {
    type Error = String;

    fn try_from(json: JsonNumberPoint) -> Result<NumberPoint, String> {
        let JsonNumberPoint { start_nanos, nanos, as_double, as_int, attributes } = json;
        let value = match (as_double, as_int) {
            (Some(digits), _) => Some(Number::Double(digits.float()?)),
            (None, Some(digits)) => Some(Number::Int(digits.whole()?)),
            (None, None) => None,
        };
        Ok(NumberPoint { start_nanos, nanos, value, attributes })
    }
}
