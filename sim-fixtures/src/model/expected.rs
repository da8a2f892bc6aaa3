//! The expected result of a call.

use serde_json::Value;

use crate::api::Reply;
use crate::strategies::Names;

/// The expected result of a call.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The status.
    pub status: u16,
    /// What the body must contain at least; see [`Expected::is_met_by`].
    pub body: Value,
    /// `x-ratelimit-remaining` and `x-ratelimit-reset`, if calls are limited.
    pub standing: Option<(u32, u64)>,
}

impl Expected {
    /// Whether the body of a success has every field of `part`. Lists have the same length, `null` matches
    /// `null` or a missing field, `{"any order": [..]}` matches a list in any order, and `{}` any list.
    pub fn is_met_by(body: &Value, part: &Value) -> bool {
        match (body, part) {
            (Value::Array(body), Value::Object(part)) if part.contains_key("any order") => {
                let part = part["any order"].as_array().map_or(&[][..], Vec::as_slice);
                let is_there = |one: &Value| body.iter().any(|other| Expected::is_met_by(other, one));
                body.len() == part.len() && part.iter().all(is_there)
            }
            (Value::Object(body), Value::Object(part)) => part
                .iter()
                .all(|(name, part)| Expected::is_met_by(body.get(name).unwrap_or(&Value::Null), part)),
            // What the model does not know.
            (Value::Array(_), Value::Object(part)) if part.is_empty() => true,
            (Value::Array(body), Value::Array(part)) => {
                let mut pairs = body.iter().zip(part);
                body.len() == part.len() && pairs.all(|(body, part)| Expected::is_met_by(body, part))
            }
            _ => body == part,
        }
    }

    /// Checks that `reply` is what the model expects in a world with those names; describes the difference.
    pub fn check(&self, reply: &Reply, names: &Names) -> Result<(), String> {
        if reply.status != self.status {
            return Err(format!("{reply}, the model says {}", self.status));
        }
        if reply.status >= 400 {
            refusal_has_words(reply)?;
        } else {
            self.check_success(reply, &names.fill(&self.body))?;
        }
        self.check_standing(reply)
    }

    /// A body that is not JSON must contain the texts that the model expects.
    fn check_success(&self, reply: &Reply, expected: &Value) -> Result<(), String> {
        let is_met = if reply.header("content-type").starts_with("application/json") {
            Expected::is_met_by(&reply.json(), expected)
        } else {
            let text = String::from_utf8_lossy(&reply.body);
            expected
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .all(|part| text.contains(part))
        };
        if is_met { Ok(()) } else { Err(format!("{reply}, the model says {expected}")) }
    }

    fn check_standing(&self, reply: &Reply) -> Result<(), String> {
        let standing = (!reply.header("x-ratelimit-limit").is_empty()).then(|| {
            ["x-ratelimit-remaining", "x-ratelimit-reset"].map(|name| reply.header(name).to_owned())
        });
        let expected = self.standing.map(|(left, reset)| [left.to_string(), reset.to_string()]);
        if standing != expected {
            return Err(format!(
                "calls left and seconds are {standing:?}, the model says {expected:?}: {reply}"
            ));
        }
        let retry_after = if reply.status == 429 { reply.header("x-ratelimit-reset") } else { "" };
        if reply.header("retry-after") != retry_after {
            return Err(format!("retry-after is not {retry_after:?}: {reply}"));
        }
        Ok(())
    }
}

fn refusal_has_words(reply: &Reply) -> Result<(), String> {
    if reply.message().is_empty() || reply.reason().is_empty() {
        return Err(format!("{reply} is a refusal without a text or a reason"));
    }
    Ok(())
}
