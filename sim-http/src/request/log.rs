//! The lines of the request log.

use std::fmt;
use std::time::Duration;

/// One request, as the request log shows it. Displays as `GET /v1/projects 200 38µs`.
#[derive(Clone, Debug)]
pub struct LogLine {
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
        write!(f, "{} {} {}", self.method, self.target, self.status)?;
        if let Some(reason) = &self.reason {
            write!(f, " {reason}")?;
        }
        if let Some(ignored) = &self.ignored {
            write!(f, " ignored {ignored}")?;
        }
        write!(f, " {}µs", self.took.as_micros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_method_path_status_reason_and_microseconds() {
        let mut line = LogLine {
            method: http::Method::GET,
            target: "/v1/projects?a=b".to_owned(),
            status: 401,
            reason: Some("token_missing".to_owned()),
            ignored: None,
            took: Duration::from_micros(38),
        };
        assert_eq!(line.to_string(), "GET /v1/projects?a=b 401 token_missing 38µs");
        line.reason = None;
        assert_eq!(line.to_string(), "GET /v1/projects?a=b 401 38µs");
        line.ignored = Some("query.a".to_owned());
        assert_eq!(line.to_string(), "GET /v1/projects?a=b 401 ignored query.a 38µs");
    }
}
