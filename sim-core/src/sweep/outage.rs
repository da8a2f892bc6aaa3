//! How long an injected fault lasts.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::engine::fault::Fault;

/// How long an injected fault lasts: for one call, for several calls, for some time, or for the rest of the run.
///
/// ```
/// use sim_core::sweep::Outage;
///
/// assert_eq!("3".parse(), Ok(Outage::Calls(3)));
/// assert_eq!("10s".parse(), Ok(Outage::Seconds(10)));
/// assert_eq!("rest".parse(), Ok(Outage::Rest));
/// assert!("for ever".parse::<Outage>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Outage {
    /// For this many calls, starting with the given one.
    Calls(u32),
    /// For this many seconds of simulated time, starting with the given call.
    Seconds(u32),
    /// For the given call and all later ones.
    Rest,
}

impl Default for Outage {
    /// One call.
    fn default() -> Outage {
        Outage::Calls(1)
    }
}

impl Outage {
    /// Sets the length of the fault rule.
    pub(super) fn lasting(self, fault: Fault) -> Fault {
        match self {
            Outage::Calls(calls) => fault.times(calls),
            Outage::Seconds(seconds) => fault.for_ms(u64::from(seconds) * 1000),
            Outage::Rest => fault.times(0),
        }
    }
}

impl FromStr for Outage {
    type Err = String;

    fn from_str(text: &str) -> Result<Outage, String> {
        let wrong = || {
            format!("outage {text:?}: must be a number of calls (3), of seconds up to 3600 (10s), or rest")
        };
        let number = |text: &str| text.parse().ok().filter(|number| *number > 0).ok_or_else(wrong);
        match (text, text.strip_suffix('s')) {
            ("rest", _) => Ok(Outage::Rest),
            (_, Some(seconds)) => {
                number(seconds).and_then(|s| if s <= 3600 { Ok(Outage::Seconds(s)) } else { Err(wrong()) })
            }
            (calls, None) => number(calls).map(Outage::Calls),
        }
    }
}

impl TryFrom<String> for Outage {
    type Error = String;

    fn try_from(text: String) -> Result<Outage, String> {
        text.parse()
    }
}

impl From<Outage> for String {
    fn from(outage: Outage) -> String {
        outage.to_string()
    }
}

impl fmt::Display for Outage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outage::Calls(calls) => write!(f, "{calls}"),
            Outage::Seconds(seconds) => write!(f, "{seconds}s"),
            Outage::Rest => f.write_str("rest"),
        }
    }
}

impl JsonSchema for Outage {
    fn schema_name() -> Cow<'static, str> {
        "Outage".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^([1-9][0-9]*s?|rest)$",
            "description": "How long the fault lasts: for a number of calls (`3`), of seconds (`10s`), or the `rest` of the run."
        })
    }
}
