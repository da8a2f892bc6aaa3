//! The analytics server under `/api`, ready to run: alone, or beside the management API in one world.

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

    /// A server for one tenant: in its world is one user, whose plan has no small limits.
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
    /// With the platform's analytics server beside `/v1`: one world on one clock, with its forks and snapshots, which
    /// answers to `/api` and where logs go in too. It has that one tenant, and tokens of its own.
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

    /// The same, and each call to `/v1` and the SQL that it runs in a project become events of the platform's sources, so
    /// that `logs.all` shows them.
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

/// Writes what the platform answered, and what it did for it, into its own sources.
fn hear(logs: &mut Simulator, heard: &Heard<'_>) {
    let record = platform_log::record_of(logs.profile(), heard);
    // What can't be stored, for example because the server of events is away, is in the journal; the call was answered.
    let _ = logs.as_admin().call(record);
}

impl Simulator {
    /// The same world with the events of its analytics server on `server`, also those that are there already.
    ///
    /// Fails when the server does not take them.
    pub fn on_event_server(self, server: Arc<dyn EventServer>) -> Result<Simulator, Error> {
        self.keeping_events_on(server, move_to_server)
    }
}

/// For whoever posts the messages. What was taken stays in the list; that it was taken is part of the world, so a fork or
/// a restored snapshot does not give out again what was given out before.
impl Simulator {
    /// Takes the messages to webhooks and chats that nobody has taken yet, oldest first. Each is given out once.
    pub fn take_posts(&mut self) -> Vec<Message> {
        let sim = self.half(is_ours);
        if !is_ours(sim) || !sim.read(outbox::has_waiting) {
            return Vec::new();
        }
        sim.aside(outbox::take)
    }

    /// Reports the result of posting a message: [`AnswerMessage`], unless the world has gone back meanwhile and has no such
    /// message that waits.
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
