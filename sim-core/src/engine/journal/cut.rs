//! Limits on what the journal keeps of calls, and what it keeps of longer bodies.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sim_base::ToSchema;
use sim_base::policy::Policy;
use sim_base::rng::hex;

/// Longest request body that is kept of an unknown caller.
const UNKNOWN_CALLER_BYTES: usize = 64 << 10;

/// How much the journal keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub calls: u64,
    pub bytes: u64,
    pub request_bytes: usize,
    pub answer_bytes: usize,
}

impl Bounds {
    pub(crate) fn of(policy: &Policy) -> Bounds {
        Bounds {
            calls: policy.journal_calls,
            bytes: policy.journal_bytes,
            request_bytes: policy.journal_request_bytes,
            answer_bytes: policy.journal_answer_bytes,
        }
    }

    /// The bounds for a call without a valid token, which anybody can make.
    pub(super) fn of_unknown(self) -> Bounds {
        Bounds { request_bytes: self.request_bytes.min(UNKNOWN_CALLER_BYTES), ..self }
    }
}

/// The record of a body that is too long for the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CutBody {
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of it, 64 hex digits.
    pub sha256: String,
}

impl CutBody {
    pub(super) fn beyond(most: usize, body: &[u8]) -> Option<CutBody> {
        let cut = || CutBody { bytes: body.len() as u64, sha256: hex(&Sha256::digest(body)) };
        (body.len() > most).then(cut)
    }
}

impl fmt::Display for CutBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes, which the journal does not keep; SHA-256 {})", self.bytes, self.sha256)
    }
}

/// What is left of the bodies of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Cuts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<CutBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<CutBody>,
}
