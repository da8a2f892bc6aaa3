//! Calls of clients that did not wait as long as they were told.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sim_base::ToSchema;

use super::calls_of_client;
use crate::engine::Call;

/// A call before the end of a block of which its caller knew: the client did not wait as long as `retry-after` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EarlyCall {
    /// The number of the call.
    pub call: u64,
    /// The number of the call whose 429 told the caller of the block.
    pub told_at: u64,
    /// The end of the block.
    pub blocked_until: String,
}

/// The calls that came before the end of a block that their caller was told of. Empty if every client waited.
///
/// ```
/// use sim_core::sweep::early_calls;
/// use sim_core::management::project::ListProjects;
/// use sim_core::{Policy, RateLimit, Simulator};
///
/// let policy = Policy { rate_limit: RateLimit::of(1, 60), ..Policy::default() };
/// let mut sim = Simulator::builder().policy(policy).build();
/// for _ in 0..3 {
///     let _ = sim.call(ListProjects {});
/// }
/// let early = early_calls(&sim.journal());
/// assert_eq!((early.len(), early[0].call, early[0].told_at), (1, 3, 2));
/// ```
pub fn early_calls(journal: &[Call]) -> Vec<EarlyCall> {
    let mut told_at = BTreeMap::new();
    let refused = calls_of_client(journal).filter(|call| call.status == 429);
    let early = refused.filter_map(|call| {
        let fact =
            |name: &str| call.facts.iter().find(|fact| fact.name == name).map(|fact| fact.value.clone());
        let (caller, blocked_until) = (fact("caller")?, fact("blocked until")?);
        let told = *told_at.entry((caller, blocked_until.clone())).or_insert(call.call);
        (told != call.call).then_some(EarlyCall { call: call.call, told_at: told, blocked_until })
    });
    early.collect()
}
