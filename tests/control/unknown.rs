//! Control operations on things that do not exist.

use sim_core::engine::Access;
use sim_core::{Simulator, World};
use sim_fixtures::scenario;
use sim_fixtures::strategies::{Ask, Names, What, Who};

use crate::support::both;

/// Operations that name nothing, or something that may be missing.
const NAME_NOTHING: [&str; 17] = [
    "sim-add-fault",
    "sim-list-faults",
    "sim-set-faults",
    "sim-create-user",
    "sim-list-users",
    "sim-list-tokens",
    "sim-introspect-token",
    "sim-set-next-outcome",
    "sim-list-next-outcomes",
    "sim-set-document",
    "sim-register-oauth-app",
    "sim-list-oauth-apps",
    "sim-set-oauth-consent",
    "sim-list-webhook-posts",
    "sim-set-dns",
    "sim-get-dns",
    // It reports a missing membership, not a missing user, so the user has to exist.
    "sim-remove-member",
];

#[test]
fn control_operations_refuse_unknown_names() {
    let empty = || Simulator::builder().seed(scenario::SEED).world(World::empty()).build();
    both(empty, |api| {
        for what in What::one_of_each() {
            let meta = what.meta();
            if meta.access != Access::Control || NAME_NOTHING.contains(&meta.id) {
                continue;
            }
            let ask = Ask { who: Who::Nobody, what, wrong: None };
            let reply = api.send(ask.call(&Names::default()));
            // The service itself reports an unknown app in another way.
            let refusal = if meta.path.contains("{client_id}") {
                (400, "client_unknown")
            } else {
                (404, reply.reason())
            };
            assert_eq!((reply.status, reply.reason()), refusal, "{}: {reply}", meta.id);
            assert!(!reply.reason().is_empty(), "{}: {reply}", meta.id);
        }
    });
}
