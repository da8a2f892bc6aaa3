//! The setup that a world is built from, and the context that it gives each call.

use std::sync::Arc;

use sim_base::Interrupt;
use sim_base::cx::Cx;
use sim_base::event_server::EventServer;
use sim_base::fetch::{self, Fetcher};
use sim_base::identity::Caller;
use sim_base::policy::{Policy, RateScope};
use sim_base::profile::Profile;
use sim_base::rng::Rng;
use sim_base::server::DatabaseServer;
use sim_base::signer::Signer;
use sim_base::store::Inside;
use sim_base::time::Timestamp;
use sim_base::world::World;

use super::contract::Contract;
use super::names::Names;
use super::registry::Registry;

/// The setup that a world was built from.
#[derive(Clone)]
pub(crate) struct Setup {
    pub registry: &'static Registry,
    pub seed: u64,
    pub start: Timestamp,
    pub policy: Policy,
    pub profile: Profile,
    pub world: World,
    pub names: Names,
    /// The first user's token; the world itself keeps digests only.
    pub token: Option<String>,
    /// Fetches documents from outside the world.
    pub fetcher: Option<Fetcher>,
    /// For a replay: the documents that its calls fetched originally.
    pub recorded: fetch::Recorded,
    /// The server that stores the databases. Without one, the world's own pages store them.
    pub server: Option<Arc<dyn DatabaseServer>>,
    /// The server that stores events. Without one, the world's own pages store them.
    pub events: Option<Arc<dyn EventServer>>,
    /// Signs for the warehouse's service account.
    pub signer: Option<Signer>,
    /// Ends the SQL of calls early.
    pub interrupt: Interrupt,
}

impl Setup {
    /// The service as the world's edition has it.
    pub(crate) fn contract(&self) -> &'static Contract {
        self.registry.contract(self.policy.edition)
    }

    /// Whether calls count for a limit per address.
    pub(crate) fn counts_addresses(&self) -> bool {
        self.policy.rate_limits.iter().any(|class| class.per == RateScope::Address)
    }

    /// Whether the service counts calls and refuses those over the rate limit.
    pub(crate) fn counts_calls(&self) -> bool {
        self.registry.service.manner.rate_limited && self.policy.rate_limit.enabled
    }

    /// The setup of the call's world.
    pub(crate) fn of<'a>(cx: &Cx<'a>) -> &'a Setup {
        cx.setup.downcast_ref().expect("the engine made it")
    }

    /// The context of the same call on another world's rows.
    pub(crate) fn in_another<'b>(cx: &'b Cx<'_>, inside: Inside<'b>) -> Cx<'b> {
        Cx { outside: cx.outside, ..Setup::of(cx).cx(inside, cx.now, cx.caller, cx.call) }
    }

    /// The context of the world for a call or for background work.
    pub(crate) fn cx<'a>(
        &'a self,
        inside: Inside<'a>,
        now: Timestamp,
        caller: &'a Caller,
        call: u64,
    ) -> Cx<'a> {
        let db = inside.db;
        Cx {
            db,
            databases: inside.databases.on(self.server.as_deref()),
            events: self.events.as_deref(),
            signer: self.signer.as_ref(),
            interrupt: &self.interrupt,
            now,
            rng: Rng { seed: self.seed, db },
            caller,
            policy: &self.policy,
            profile: &self.profile,
            call,
            setup: self,
            outside: None,
            noted: None,
            counter: None,
            taken: None,
            lines: None,
            known_caller: None,
        }
    }
}
