//! The values of single options, as flags and as keys of a file.

use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Deserializer};
use sim_core::engine::near;
use sim_core::{Pace, Timestamp};
use sim_http::Dashboard;

/// When a world begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Now,
    At(Timestamp),
}

impl Start {
    pub(super) fn instant(self) -> Timestamp {
        match self {
            Start::Now => sim_http::now(),
            Start::At(instant) => instant,
        }
    }
}

/// A parser for these words, which the help lists.
pub(super) fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    words: [&'static str; N],
    read: fn(&str) -> Result<T, String>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(move |word| read(&word))
}

pub(super) fn read_start(text: &str) -> Result<Start, String> {
    if text == "now" {
        return Ok(Start::Now);
    }
    let wrong = |_| "must be now, or a timestamp before the year 9999, as in 2026-01-01T00:00:00Z".to_owned();
    let start: Timestamp = text.parse().map_err(wrong)?;
    Timestamp::from_microsecond(start.as_microsecond()).map(Start::At).map_err(wrong)
}

/// Whether and how requests are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    Off,
    Text,
    Json,
}

pub(super) fn read_log(text: &str) -> Result<Log, String> {
    match text {
        "text" | "true" | "on" | "yes" | "1" => Ok(Log::Text),
        "json" => Ok(Log::Json),
        "off" | "false" | "no" | "0" => Ok(Log::Off),
        _ => Err(format!("must be text, json or off{}", near::question(text, ["text", "json", "off"]))),
    }
}

pub(super) fn read_pace(text: &str) -> Result<Pace, String> {
    match text {
        "clock" => Ok(Pace::Clock),
        "instant" => Ok(Pace::Instant),
        "manual" => Ok(Pace::Manual),
        _ => Err("must be clock, instant or manual".to_owned()),
    }
}

pub(super) fn read_dashboard(text: &str) -> Result<Dashboard, String> {
    match text {
        "loopback" => Ok(Dashboard::Loopback),
        "anywhere" => Ok(Dashboard::Anywhere),
        "off" => Ok(Dashboard::Off),
        _ => Err("must be loopback, anywhere or off".to_owned()),
    }
}

pub(super) fn read_speed(text: &str) -> Result<f64, String> {
    let wrong = || "must be a number between 0, where the clock is paused, and 1000000".to_owned();
    text.parse().ok().filter(|speed| (0.0..=1e6).contains(speed)).ok_or_else(wrong)
}

pub(super) fn read_call_limit(text: &str) -> Result<Duration, String> {
    let wrong = || "must be a number of seconds between 0.001 and 86400".to_owned();
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
}

pub(super) fn start_of_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Start>, D::Error> {
    read_start(&String::deserialize(from)?).map(Some).map_err(serde::de::Error::custom)
}

pub(super) fn log_of_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Log>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Switch(bool),
        Format(String),
    }
    let text = match Given::deserialize(from)? {
        Given::Switch(is_on) => is_on.to_string(),
        Given::Format(text) => text,
    };
    read_log(&text).map(Some).map_err(serde::de::Error::custom)
}

pub(super) fn dashboard_of_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Dashboard>, D::Error> {
    read_dashboard(&String::deserialize(from)?).map(Some).map_err(serde::de::Error::custom)
}

pub(super) fn speed_of_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let speed = f64::deserialize(from)?;
    read_speed(&speed.to_string()).map(Some).map_err(serde::de::Error::custom)
}

pub(super) fn call_limit_of_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let seconds = f64::deserialize(from)?;
    read_call_limit(&seconds.to_string()).map(Some).map_err(serde::de::Error::custom)
}

pub(super) fn each_of_file<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = String>,
{
    let read = |text: String| text.parse().map_err(serde::de::Error::custom);
    Vec::<String>::deserialize(from)?.into_iter().map(read).collect()
}

pub(super) fn parsed_of_file<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: std::fmt::Display>,
{
    String::deserialize(from)?.parse().map(Some).map_err(serde::de::Error::custom)
}
