//! Strategies for fault rules.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sim_core::engine::fault::{Effect, Fault, On};
use sim_core::sweep::{self, USUAL};

/// One of the usual effects of a [sweep](sim_core::sweep::USUAL). Shrinks to the first, a plain 500.
pub fn any_effect() -> BoxedStrategy<Effect> {
    let usual: Vec<Effect> = USUAL.into_iter().filter_map(sweep::effect).collect();
    select(usual).boxed()
}

/// A rule with a usual effect for one to three of a client's first twelve calls. Shrinks to an early call, one call, a
/// plain 500.
///
/// ```
/// use proptest::prelude::*;
/// use sim_core::engine::fault::AddFault;
/// use sim_core::management::organization::ListOrganizations;
/// use sim_fixtures::scenario;
/// use sim_fixtures::strategies::any_fault;
///
/// proptest!(|(fault in any_fault())| {
///     let mut sim = scenario::fresh();
///     sim.as_admin().call(AddFault(fault))?;
///     (0..15).for_each(|_| drop(sim.call(ListOrganizations {})));
///     prop_assert!(sim.unused_faults().is_empty());
/// });
/// ```
pub fn any_fault() -> BoxedStrategy<Fault> {
    let rule = |(nth, times, effect)| Fault::new(On::path("*"), effect).from_nth(nth).times(times);
    (1_u32..=12, 1_u32..=3, any_effect()).prop_map(rule).boxed()
}

/// The same for calls of these operations, by id.
pub fn any_fault_of(operations: &[&str]) -> BoxedStrategy<Fault> {
    let operations: Vec<String> = operations.iter().map(|&id| id.to_owned()).collect();
    let rule = |(id, fault): (String, Fault)| Fault { on: On::operation(&id), ..fault };
    (select(operations), any_fault()).prop_map(rule).boxed()
}

/// Up to `most` rules. Shrinks to fewer.
pub fn any_faults(most: usize) -> BoxedStrategy<Vec<Fault>> {
    vec(any_fault(), 0..=most).boxed()
}
