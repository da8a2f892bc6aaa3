//! Searches the journal page by page: lists the calls that match a filter, without their bodies.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sim_base::ToSchema;
use sim_base::time::Timestamp;

use crate::engine::journal::{Journal, Onlooker, Origin, Record, Stage, is_reason};

/// Which calls to list: those that match every field that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Parts of path, query, operation, reason or fault, separated by blanks: a call must have all of them. Upper and
    /// lower case are the same.
    pub text: Option<String>,
    /// An HTTP method.
    pub method: Option<String>,
    /// The lowest status.
    pub status_from: Option<u16>,
    /// The highest status.
    pub status_to: Option<u16>,
    /// The stage that refused.
    pub refused_by: Option<Stage>,
    /// The reason of the refusal, without or with the field at its end: `invalid_body` or `invalid_body.name`.
    pub reason: Option<String>,
    /// Whether to leave out control calls.
    pub without_control: bool,
    /// The client: the name of a user or of a token, or the id of an OAuth app; `nobody` for calls without a valid token,
    /// `control` for control calls.
    pub client: Option<String>,
}

/// A call without its bodies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallHead {
    /// Its number, from 1.
    pub call: u64,
    /// Its time.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The id of the operation; absent when the path belongs to none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub operation: Option<String>,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Who called.
    pub caller: Origin,
    /// The status of the answer.
    pub status: u16,
    /// The reason of a refusal, as in the header `x-sim-reason`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The stage that refused the call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refused_by: Option<Stage>,
    /// The fault rule that applied, and its effect.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
}

/// A page of the calls that match a filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallPage {
    /// The number of the oldest call that the journal still holds.
    pub first: u64,
    /// The number of all matching calls.
    pub total: u64,
    /// The calls of this page, oldest first.
    pub calls: Vec<CallHead>,
}

impl Filter {
    /// `callers`: those that [`Filter::client`] names.
    fn fits(&self, call: &Record, onlooker: &Onlooker<'_>, callers: &[Origin]) -> bool {
        let is_method = |wanted: &String| wanted.eq_ignore_ascii_case(&call.method);
        let statuses = self.status_from.unwrap_or(u16::MIN)..=self.status_to.unwrap_or(u16::MAX);
        let stage = call.refusal.as_ref().map(|refusal| refusal.stage);
        self.method.as_ref().is_none_or(is_method)
            && statuses.contains(&call.status)
            && self.refused_by.is_none_or(|wanted| stage == Some(wanted))
            && self.reason.as_ref().is_none_or(|wanted| is_reason(wanted, onlooker.reason(call).as_deref()))
            && (self.client.is_none() || callers.contains(&call.caller))
            && !(self.without_control && call.caller == Origin::Control)
            && self.text.as_ref().is_none_or(|text| has_text(call, onlooker, &text.to_lowercase()))
    }
}

fn has_text(call: &Record, onlooker: &Onlooker<'_>, text: &str) -> bool {
    let (target, reason) = (onlooker.target(call), onlooker.reason(call));
    let words = [Some(&*target), call.operation.as_deref(), reason.as_deref(), call.fault.as_deref()];
    let words: Vec<String> = words.into_iter().flatten().map(str::to_lowercase).collect();
    text.split_whitespace().all(|part| words.iter().any(|word| word.contains(part)))
}

impl Journal {
    pub(crate) fn search(
        &self,
        filter: &Filter,
        offset: u64,
        limit: u64,
        onlooker: &Onlooker<'_>,
        callers: &[Origin],
    ) -> CallPage {
        let first = self.dropped() + 1;
        let head = |(number, call)| CallHead::of(number, call, onlooker);
        let (offset_here, limit_here) = (as_usize(offset), as_usize(limit));
        if *filter == Filter::default() {
            // Call numbers have no gaps, so every page costs the same.
            let calls = self.numbered(first.saturating_add(offset)).take(limit_here).map(head).collect();
            return CallPage { first, total: self.calls() + 1 - first, calls };
        }
        let (mut total, mut calls) = (0, Vec::new());
        for (number, call) in self.numbered(first).filter(|(_, call)| filter.fits(call, onlooker, callers)) {
            if total >= offset_here && calls.len() < limit_here {
                calls.push(head((number, call)));
            }
            total += 1;
        }
        CallPage { first, total: total as u64, calls }
    }
}

fn as_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl CallHead {
    fn of(number: u64, call: &Record, onlooker: &Onlooker<'_>) -> CallHead {
        let refusal = call.refusal.as_deref();
        CallHead {
            call: number,
            at: call.at,
            operation: call.operation.as_deref().map(str::to_owned),
            method: call.method.clone().into_owned(),
            target: onlooker.target(call).into_owned(),
            caller: call.caller,
            status: call.status,
            reason: onlooker.reason(call).map(Cow::into_owned),
            refused_by: refusal.map(|refusal| refusal.stage),
            fault: call.fault.as_deref().map(str::to_owned),
        }
    }
}
