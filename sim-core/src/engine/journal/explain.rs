//! Explains the answer to a call.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::error::Fact;

use crate::engine::journal::{Call, Journal, Onlooker, Stage};

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
    /// The facts that it checked, if it refused.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
}

impl Explanation {
    /// Explains call `number`. `None` if the journal does not hold it.
    pub(crate) fn of(journal: &Journal, number: u64, onlooker: &Onlooker<'_>) -> Option<Explanation> {
        let call = journal.call(number, onlooker)?;
        let last = call.refused_by.unwrap_or(Stage::Effect);
        let checks = Stage::ALL
            .into_iter()
            .filter(|stage| *stage <= last && (*stage != Stage::Fault || call.fault.is_some()))
            .map(|stage| {
                let passed = call.refused_by != Some(stage);
                Check { stage, passed, facts: if passed { Vec::new() } else { call.facts.clone() } }
            })
            .collect();
        let mut causes: Vec<u64> = call.facts.iter().filter_map(|fact| fact.since_call).collect();
        causes.sort_unstable();
        causes.dedup();
        let because_of = causes.into_iter().filter_map(|number| journal.call(number, onlooker)).collect();
        Some(Explanation { checks, because_of, call })
    }
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
            writeln!(
                f,
                "  {:<12} {}",
                check.stage.as_str(),
                if check.passed { "passed" } else { "refused" }
            )?;
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
