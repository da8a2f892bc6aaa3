//! The analytics server under `/api`, ready to run: as the only service of a world, or next to the management API.

use std::sync::{Arc, LazyLock};

pub use sim_analytics::*;

use crate::Simulator;
use crate::engine::log_line::Heard;
use crate::engine::{Builder, Error, EventServer, Registry, SingleTenant};
use outbox::{AnswerMessage, Message};

/// The service, compiled on first use.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));
    &REGISTRY
}

/// The server for one tenant.
pub mod platform {
    pub use sim_analytics::platform::*;

    use crate::engine::{Builder, Policy, SingleTenant};

    /// Begins a world of a server for one tenant. The world has one user, whose plan has no low limits.
    ///
    /// ```
    /// use sim_core::analytics::{platform, source::ListSources};
    /// use sim_core::engine::SingleTenant;
    /// use sim_core::Policy;
    ///
    /// let tenant = SingleTenant { private_token: Some("private".to_owned()), platform: true, ..SingleTenant::default() };
    /// let mut sim = platform::single_tenant(&tenant, Policy::default()).build();
    /// assert_eq!(sim.as_user("private")?.call(ListSources {})?.len(), 9);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn single_tenant(tenant: &SingleTenant, mut policy: Policy) -> Builder {
        policy.analytics.plan_rates = true;
        Builder::new(super::registry()).policy(policy).world(world_of(tenant))
    }
}

impl Builder {
    /// Adds the platform's analytics server, for one tenant. Both services share the clock, forks and snapshots. The
    /// analytics server answers requests to `/api` and log deliveries, and has its own tokens.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::analytics::source::ListSources;
    /// use sim_core::engine::SingleTenant;
    /// use sim_core::management::project::CreateProject;
    ///
    /// let tenant = SingleTenant { private_token: Some("private".to_owned()), platform: true, ..SingleTenant::default() };
    /// let mut sim = Simulator::builder().with_analytics(&tenant).build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// assert_eq!(sim.call(ListSources {})?.len(), 9);
    /// assert_eq!(sim.as_user("private")?.call(ListSources {})?.len(), 9);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_analytics(self, tenant: &SingleTenant) -> Builder {
        let tenant = tenant.clone();
        self.beside(Box::new(move |policy| platform::single_tenant(&tenant, policy)))
    }

    /// Like [`with_analytics`](Builder::with_analytics), and also records each call to `/v1`, with the SQL that it ran, as
    /// events of the platform's sources, which `logs.all` shows.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::analytics::query::RunQuery;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().with_self_log().build();
    /// sim.call(ListProjects {})?;
    /// let rows = sim.call(RunQuery::sql("select event_message from `gateway.logs.prod`"))?.result;
    /// assert_eq!(rows[0]["event_message"], "GET /v1/projects 200");
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_self_log(self) -> Builder {
        let heard = self.heard_by(hear);
        match heard.has_beside() {
            true => heard,
            false => heard.with_analytics(&SingleTenant { platform: true, ..SingleTenant::default() }),
        }
    }
}

/// Records an answered call, and its log lines, in the platform's sources.
fn hear(logs: &mut Simulator, heard: &Heard<'_>) {
    let record = platform_log::record_of(logs.profile(), heard);
    // Events may fail to be stored, for example when the event server is down. The journal has the failure.
    let _ = logs.as_admin().call(record);
}

impl Simulator {
    /// Moves the events of this world's analytics server to `server`, and stores new ones there.
    ///
    /// Fails when the server does not take them.
    pub fn on_event_server(self, server: Arc<dyn EventServer>) -> Result<Simulator, Error> {
        self.keeping_events_on(server, move_to_server)
    }
}

/// For programs that post the messages. A taken message stays in the list. That it was taken is part of the world, so
/// a fork or a restored snapshot does not give it out again.
impl Simulator {
    /// Takes the messages to webhooks and chats that were not taken before, oldest first.
    pub fn take_posts(&mut self) -> Vec<Message> {
        let sim = self.half(is_ours);
        if !is_ours(sim) || !sim.read(outbox::has_waiting) {
            return Vec::new();
        }
        sim.aside(outbox::take)
    }

    /// Reports the result of posting a message, with [`AnswerMessage`]. Does nothing if the world was restored meanwhile
    /// and does not have this message any more.
    pub fn answer_post(&mut self, message: &Message, status: Option<u16>, answer: &str) -> Result<(), Error> {
        let found = self.half(is_ours).read(|db| outbox::find(db, message.id));
        if found.as_ref() != Some(message) {
            return Ok(());
        }
        let (id, answer) = (message.id.to_string(), answer.to_owned());
        self.as_admin().call(AnswerMessage { id, status, answer }).map(drop)
    }
}

fn is_ours(sim: &Simulator) -> bool {
    std::ptr::eq(sim.registry().service, &raw const SERVICE)
}
