//! Explains the answer to a call.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::ToSchema;
use sim_base::error::Fact;

use crate::engine::journal::cause::{self, Gate};
use crate::engine::journal::{Call, Journal, Onlooker, Stage};

/// The path of the calls that make fault rules.
const PATH: &str = "/_sim/faults";

/// The reasons of an answer: the result of each check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The call as journalled.
    pub call: Call,
    /// The checks in order; the last one decided.
    pub checks: Vec<Check>,
    /// Why the call was refused, and since which call, in one sentence: `project demo exists since call 12`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gate: Option<String>,
    /// The earlier calls that caused the answer, oldest first.
    pub because_of: Vec<Call>,
}

/// One check of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Check {
    /// The stage.
    pub stage: Stage,
    /// Whether it let the call pass. A fault that applied did not, even if the call was made.
    pub passed: bool,
    /// The facts that it checked, if it refused; for a fault, the rule that applied.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
}

impl Explanation {
    /// Explains call `number`. `None` if the journal does not hold it.
    pub(crate) fn of(journal: &Journal, number: u64, onlooker: &Onlooker<'_>) -> Option<Explanation> {
        let mut call = journal.call(number, onlooker)?;
        find_cause(journal, &mut call);
        let last = call.refused_by.unwrap_or(Stage::Effect);
        let rule = rule_of(journal, &call, onlooker);
        let checks = Stage::ALL
            .into_iter()
            .filter(|stage| *stage <= last)
            .filter(|stage| match stage {
                Stage::Fault => call.fault.is_some(),
                Stage::AddressLimit => call.refused_by == Some(Stage::AddressLimit),
                _ => true,
            })
            .map(|stage| {
                let passed = call.refused_by != Some(stage) && stage != Stage::Fault;
                let facts = match (stage, &rule) {
                    (Stage::Fault, Some(rule)) => vec![rule.clone()],
                    _ if call.refused_by != Some(stage) => Vec::new(),
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
        let gate = gate(&call, rule.as_ref());
        Some(Explanation { checks, gate, because_of, call })
    }
}

/// Adds to the first fact of a refusal the earlier call that caused it, unless the fact has that call.
fn find_cause(journal: &Journal, call: &mut Call) {
    let Some(record) = journal.record(call.call) else { return };
    let Some(refusal) = record.refusal.as_deref() else { return };
    let (Some(fact), Some(shown)) = (refusal.facts.first(), call.facts.first_mut()) else { return };
    let is_about_a_thing = Gate::of(&refusal.reason, &refusal.facts) != Gate::Is;
    if is_about_a_thing && fact.since_call.is_none() {
        shown.since_call = cause::of(journal, call.call, record, &refusal.reason, fact);
    }
}

/// Why the call was refused.
fn gate(call: &Call, rule: Option<&Fact>) -> Option<String> {
    let stage = call.refused_by?;
    let reason = call.reason.as_deref().unwrap_or_default();
    Some(match (stage, rule, call.facts.as_slice()) {
        (Stage::Fault, Some(rule), _) => Gate::Is.sentence(rule),
        (_, _, []) => format!("{}: {reason}", stage.as_str()),
        (_, _, [first, rest @ ..]) => {
            let first = Gate::of(reason, &call.facts).sentence(first);
            let rest = rest.iter().map(|fact| Gate::Is.sentence(fact));
            std::iter::once(first).chain(rest).collect::<Vec<_>>().join(", ")
        }
    })
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
                (true, _) => "passed",
                (false, stage) if self.call.refused_by != Some(stage) => "applied",
                (false, _) => "refused",
            };
            writeln!(f, "  {:<12} {result}", check.stage.as_str())?;
            let reason = self.call.reason.as_deref().unwrap_or_default();
            if check.stage == Stage::Validation && !check.passed && check.facts.is_empty() {
                message(&self.call.response).map_or(Ok(()), |text| writeln!(f, "    {text}"))?;
            }
            for (index, fact) in check.facts.iter().enumerate() {
                let gate = if index == 0 { Gate::of(reason, &check.facts) } else { Gate::Is };
                writeln!(f, "    {} = {}{}", fact.name, fact.value, gate.words(fact.since_call))?;
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

/// The message in the body of a refusal, in any of the forms that the services use.
fn message(body: &str) -> Option<String> {
    let json: Value = serde_json::from_str(body).ok()?;
    ["message", "error"].into_iter().find_map(|name| json[name].as_str()).map(str::to_owned)
}
