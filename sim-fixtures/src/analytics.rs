//! Worlds of the analytics server in the states that tests start from.
//!
//! There are two users, `token-of-owner` and `token-of-outsider`, who have nothing in common. The owner is the first.

use sim_core::analytics::source::{CreateSource, Source};
use sim_core::{Policy, Simulator, UserSpec, World};

use crate::scenario::SEED;

/// The two users, who have nothing yet.
///
/// ```
/// use sim_core::analytics::source::ListSources;
/// use sim_fixtures::analytics;
///
/// assert!(analytics::fresh().call(ListSources {})?.is_empty());
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn fresh() -> Simulator {
    with_policy(Policy::default())
}

/// [`fresh`] under another policy.
pub fn with_policy(policy: Policy) -> Simulator {
    let world = ["owner", "outsider"].into_iter().fold(World::empty(), |world, name| {
        world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
    });
    Simulator::analytics().seed(SEED).world(world).policy(policy).build()
}

/// The token of the source `gateway` of [`one_source`].
pub const GATEWAY: &str = "11111111-1111-4111-8111-111111111111";

/// The owner has one source, `gateway`, which is empty.
pub fn one_source() -> Simulator {
    one_source_under(Policy::default())
}

/// [`one_source`] under another policy.
pub fn one_source_under(policy: Policy) -> Simulator {
    let mut sim = with_policy(policy);
    let created: Result<Source, _> =
        sim.call(CreateSource { token: GATEWAY.to_owned().into(), ..CreateSource::named("gateway") });
    created.expect("a scenario consists of valid calls");
    sim
}
