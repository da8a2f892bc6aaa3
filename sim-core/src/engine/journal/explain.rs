//! Explains the answer to a call.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::error::Fact;

use crate::engine::journal::{Call, Journal, Onlooker, Stage};

/// The path of the calls that make fault rules.
const PATH: &str = "/_sim/faults";

/// The reasons of an answer: the result of each check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The call as journalled.
    pub call: Call,
    /// The checks in order; the last one decided.
    pub checks: Vec<Check>,
    /// The earlier calls that caused the answer, oldest first.
    pub because_of: Vec<Call>,
}

/// One check of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The stage.
    pub stage: Stage,
    /// Whether it let the call pass.
    pub passed: bool,
    /// The facts that it checked, if it refused; for a fault, the rule that applied.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
}

impl Explanation {
    /// Explains call `number`. `None` if the journal does not hold it.
    pub(crate) fn of(journal: &Journal, number: u64, onlooker: &Onlooker<'_>) -> Option<Explanation> {
        let call = journal.call(number, onlooker)?;
        let last = call.refused_by.unwrap_or(Stage::Effect);
        let rule = rule_of(journal, &call, onlooker);
        let checks = Stage::ALL
            .into_iter()
            .filter(|stage| *stage <= last && (*stage != Stage::Fault || call.fault.is_some()))
            .map(|stage| {
                let passed = call.refused_by != Some(stage);
                let facts = match (stage, &rule) {
                    (Stage::Fault, Some(rule)) => vec![rule.clone()],
                    _ if passed => Vec::new(),
                    _ => call.facts.clone(),
                };
                Check { stage, passed, facts }
            })
            .collect();
        let mut causes: Vec<u64> =
            call.facts.iter().chain(&rule).filter_map(|fact| fact.since_call).collect();
        causes.sort_unstable();
        causes.dedup();
        let because_of = causes.into_iter().filter_map(|number| journal.call(number, onlooker)).collect();
        Some(Explanation { checks, because_of, call })
    }
}

/// The fault rule that applied to the call, and the call that made the rule.
fn rule_of(journal: &Journal, call: &Call, onlooker: &Onlooker<'_>) -> Option<Fact> {
    let value = call.fault.clone()?;
    let id: Option<i64> = value.strip_prefix("rule ").and_then(|rest| rest.split(':').next()?.parse().ok());
    let made = |earlier: &Call| {
        let is_about_rules = earlier.target.starts_with(PATH) && earlier.method != "GET";
        let answer: Value = serde_json::from_str(&earlier.response).unwrap_or_default();
        let rules = answer.as_array().map_or(std::slice::from_ref(&answer), Vec::as_slice);
        is_about_rules && id.is_some() && rules.iter().any(|rule| rule["id"].as_i64() == id)
    };
    let mut earlier = (1..call.call).rev().filter_map(|number| journal.call(number, onlooker));
    let since_call = earlier.find(made).map(|earlier| earlier.call);
    Some(Fact { name: "fault".to_owned(), value, since_call })
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call { call, at, method, target, status, .. } = &self.call;
        write!(f, "call {call} at {at}: {method} {target} → {status}")?;
        writeln!(
            f,
            "{}",
            self.call.reason.as_deref().map(|reason| format!(" {reason}")).unwrap_or_default()
        )?;
        for check in &self.checks {
            let result = match (check.passed, check.stage) {
                (false, _) => "refused",
                (true, Stage::Fault) => "applied",
                (true, _) => "passed",
            };
            writeln!(f, "  {:<12} {result}", check.stage.as_str())?;
            for fact in &check.facts {
                write!(f, "    {} = {}", fact.name, fact.value)?;
                match fact.since_call {
                    Some(since) => writeln!(f, ", since call {since}")?,
                    None => writeln!(f)?,
                }
            }
        }
        for ignored in &self.call.ignored {
            writeln!(f, "  ignored      {ignored}")?;
        }
        for cause in &self.because_of {
            let Call { call, at, method, target, status, .. } = cause;
            writeln!(f, "  call {call} at {at}: {method} {target} → {status}")?;
        }
        Ok(())
    }
}
