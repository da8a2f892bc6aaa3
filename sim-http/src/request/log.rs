//! The lines of the request log.

use std::fmt;
use std::time::Duration;

use serde_json::json;
use sim_core::Timestamp;

/// One request, as the request log shows it. Displays as `2026-01-01T09:30:00.125Z call 12 GET /v1/projects 200 38µs`.
#[derive(Clone, Debug)]
pub struct LogLine {
    /// When the answer was ready, in real time.
    pub at: Timestamp,
    /// The number of the call in the journal, as in the header `x-sim-call`; `None` for requests that the journal does not record.
    pub call: Option<u64>,
    /// HTTP method.
    pub method: http::Method,
    /// Path and query; a token in the query is masked.
    pub target: String,
    /// The status of the answer.
    pub status: u16,
    /// The reason of a refusal, as in the header `x-sim-reason`.
    pub reason: Option<String>,
    /// The fields of the request without effect, as in the header `x-sim-ignored`.
    pub ignored: Option<String>,
    /// Time from the last byte of the request's headers to the answer.
    pub took: Duration,
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.at)?;
        if let Some(call) = self.call {
            write!(f, " call {call}")?;
        }
        write!(f, " {} {} {}", self.method, self.target, self.status)?;
        if let Some(reason) = &self.reason {
            write!(f, " {reason}")?;
        }
        if let Some(ignored) = &self.ignored {
            write!(f, " ignored {ignored}")?;
        }
        write!(f, " {}µs", self.took.as_micros())
    }
}

impl LogLine {
    /// The same as one line of JSON: `{"at", "call", "method", "target", "status", "reason", "ignored", "took_us"}`. A field without a
    /// value is `null`.
    pub fn to_json(&self) -> String {
        let LogLine { at, call, method, target, status, reason, ignored, took } = self;
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        json!({
            "at": at.to_string(), "call": call, "method": method.as_str(), "target": target, "status": status,
            "reason": reason, "ignored": ignored, "took_us": took,
        })
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_time_call_method_path_status_reason_and_microseconds() {
        let mut line = LogLine {
            at: "2026-01-01T09:30:00.1254Z".parse().expect("a timestamp"),
            call: Some(12),
            method: http::Method::GET,
            target: "/v1/projects?a=b".to_owned(),
            status: 401,
            reason: Some("token_missing".to_owned()),
            ignored: None,
            took: Duration::from_micros(38),
        };
        let at = "2026-01-01T09:30:00.125Z";
        assert_eq!(line.to_string(), format!("{at} call 12 GET /v1/projects?a=b 401 token_missing 38µs"));
        (line.reason, line.call) = (None, None);
        assert_eq!(line.to_string(), format!("{at} GET /v1/projects?a=b 401 38µs"));
        line.ignored = Some("query.a".to_owned());
        assert_eq!(line.to_string(), format!("{at} GET /v1/projects?a=b 401 ignored query.a 38µs"));
        assert_eq!(
            line.to_json(),
            r#"{"at":"2026-01-01T09:30:00.1254Z","call":null,"method":"GET","target":"/v1/projects?a=b","status":401,"reason":null,"ignored":"query.a","took_us":38}"#
        );
    }
}
