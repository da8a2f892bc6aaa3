//! A world: calls go in, answers come out, and time moves only when told to.

mod advance;
pub(crate) mod beside;
mod builder;
#[cfg(feature = "management")]
mod by_name;
mod calls;
mod changes;
mod diff;
mod fork;
mod journal;
mod journal_query;
mod peek;
mod pieces;
mod read_cache;
mod replay;
mod rewind;
#[cfg(feature = "management")]
mod state;

pub use builder::Builder;
pub use calls::Session;
pub use changes::RowChange;
pub use diff::{AnswerChange, Difference, ValueChange};
pub use fork::Snapshot;
pub use replay::{Divergence, Replay, ReplayCall, ReplayError, Replaying};
#[cfg(feature = "management")]
pub use state::State;

use std::sync::Arc;

use serde_json::Value;
use sim_base::Interrupt;
use sim_base::cx::Cx;
use sim_base::db::Db;
use sim_base::error::Error;
use sim_base::event_server::EventServer;
use sim_base::fetch;
use sim_base::history::{Happened, History};
use sim_base::identity::{self, Caller};
use sim_base::last_caller::LastCaller;
use sim_base::log::OldLogs;
use sim_base::operation::{Access, Resource, Service};
use sim_base::policy::{Answers, Policy};
use sim_base::profile::Profile;
use sim_base::rate::Windows;
use sim_base::server::DatabaseServer;
use sim_base::store::{Inside, Store};
use sim_base::time::{Timestamp, micros};
use sim_base::world::World;

use self::beside::Beside;
use self::read_cache::ReadCache;
use crate::engine::fault::{Faults, Past};
use crate::engine::journal::{Dropped, Journal, Record};
use crate::engine::pipeline::FAULTS;
use crate::engine::pipeline::Head;
use crate::engine::service::registry::Registry;
use crate::engine::service::setup::Setup;
use crate::engine::service::vary;

const TABLES: &str = "
    CREATE TABLE world (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seed INTEGER NOT NULL,
        start INTEGER NOT NULL
    ) STRICT;
";

impl Registry {
    /// Registers the operations and tables of `service`.
    ///
    /// # Panics
    ///
    /// When its tables contradict each other. Contradictory operations panic later. Both are defects of the service.
    pub fn new(service: &'static Service) -> Registry {
        const OWN: &[Resource] = &[Resource { tables: TABLES, operations: &[], tasks: &[] }, FAULTS];
        Registry::with(service, OWN)
    }
}

/// A world: users, projects, clock, scheduled work, journal.
///
/// A world is deterministic: the same seed, policy, profile and calls give the same bytes. The clock is paused until
/// [`advance`](Simulator::advance).
///
/// ```
/// use std::time::Duration;
/// use sim_core::management::project::{CreateProject, GetProject, Status};
/// use sim_core::Simulator;
///
/// let mut sim = Simulator::builder().seed(7).build();
/// let project = sim.call(CreateProject::named("demo", "acme"))?;
/// sim.advance(Duration::from_secs(60));
/// let project = sim.call(GetProject::new(project.id))?;
/// assert_eq!(project.status, Status::ActiveHealthy);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub struct Simulator {
    pub(super) registry: &'static Registry,
    pub(super) store: Store,
    pub(super) head: Head,
    pub(super) journal: Journal,
    pub(super) history: History,
    pub(super) windows: Windows,
    pub(super) old_journals: OldLogs<Record>,
    pub(super) old_histories: OldLogs<Happened>,
    /// Older snapshots, from which stale reads are answered.
    pub(super) past: Past,
    /// Whether calls are being replayed. Then the replay sets the clock, and polling does not move it.
    pub(super) is_replaying: bool,
    pub(super) setup: Arc<Setup>,
    pub(super) last_caller: LastCaller,
    pub(super) read_cache: ReadCache,
    pub(super) beside: Option<Box<Beside>>,
}

impl Simulator {
    /// A new world: its tables hold what the setup says, and no call has been made.
    pub(crate) fn begin(setup: Arc<Setup>) -> Result<Simulator, Error> {
        let registry = setup.registry;
        let mut store = Store::new(&registry.pool);
        store.transact(|inside| {
            let cx = &mut setup.cx(inside, setup.start, &Caller::Control, 0);
            let start = micros(setup.start);
            cx.db.run("INSERT INTO world VALUES (1, ?1, ?2)", (setup.seed as i64, start));
            (registry.service.seed)(cx, &setup.world)
        })?;
        Ok(Simulator {
            registry,
            store,
            head: Head { now: setup.start, faults: Faults::default() },
            journal: Journal::default(),
            history: History::default(),
            windows: Windows::default(),
            old_journals: OldLogs::default(),
            old_histories: OldLogs::default(),
            past: Past::default(),
            is_replaying: false,
            setup,
            last_caller: LastCaller::default(),
            read_cache: ReadCache::default(),
            beside: None,
        })
    }

    /// The token of the first user.
    ///
    /// # Panics
    ///
    /// In a world without users.
    pub fn token(&self) -> &str {
        self.setup.token.as_deref().expect("the world has a user")
    }

    /// The token of the first user. `None` in a world without users.
    pub fn first_token(&self) -> Option<&str> {
        self.setup.token.as_deref()
    }

    /// Whether this world knows `token`, valid or not.
    pub fn knows(&self, token: &str) -> bool {
        self.knows_itself(token) || self.beside().is_some_and(|other| other.knows_itself(token))
    }

    fn knows_itself(&self, token: &str) -> bool {
        let now = self.head.now;
        let found = self.store.read(|db| identity::authenticate(db, now, token));
        found.map_or_else(|error| error.reason != "token_unknown", |_| true)
    }

    /// The current simulated time.
    pub fn now(&self) -> Timestamp {
        self.head.now
    }

    /// The seed of this world.
    pub fn seed(&self) -> u64 {
        self.setup.seed
    }

    /// The policy: how this world behaves.
    pub fn policy(&self) -> &Policy {
        &self.setup.policy
    }

    /// The profile: the names that this world uses.
    pub fn profile(&self) -> &Profile {
        &self.setup.profile
    }

    /// The users and organizations at the beginning.
    pub fn world(&self) -> &World {
        &self.setup.world
    }

    /// The function that fetches documents, if the embedder supplied one.
    pub fn fetcher(&self) -> Option<fetch::Fetcher> {
        self.setup.fetcher.clone()
    }

    /// The server that stores the projects' databases. `None` means the embedded engine.
    pub fn database_server(&self) -> Option<Arc<dyn DatabaseServer>> {
        self.setup.server.clone()
    }

    /// Stores the projects' databases on `server` from now on.
    ///
    /// # Panics
    ///
    /// When a project has had a database already: existing databases cannot be moved.
    #[must_use]
    pub fn on_database_server(mut self, server: Arc<dyn DatabaseServer>) -> Simulator {
        assert!(self.store.has_had_no_databases(), "databases stay where they are");
        self.setup = Arc::new(Setup { server: Some(server), ..Setup::clone(&self.setup) });
        self
    }

    /// Tells clients that the pooler of projects' databases is at this port of `host`, or of the host that the profile names.
    #[must_use]
    pub fn with_pooler_at(mut self, host: &str, port: u16) -> Simulator {
        if let Some(beside) = self.beside.take() {
            let Beside { sim, listener } = *beside;
            self.beside = Some(Box::new(Beside { sim: sim.with_pooler_at(host, port), listener }));
        }
        let mut setup = Setup::clone(&self.setup);
        if setup.profile.pooler_host == Profile::default().pooler_host {
            setup.profile.pooler_host = host.to_owned();
        }
        setup.profile.pooler_port = Some(port);
        self.setup = Arc::new(setup);
        self
    }

    /// The server that stores the analytics server's events. `None` means the embedded backend.
    pub fn event_server(&self) -> Option<Arc<dyn EventServer>> {
        self.beside().unwrap_or(self).setup.events.clone()
    }

    /// Lets `interrupt` end the SQL of calls, with 57014. Another thread sets it, for example when a call takes too long.
    ///
    /// A call that was ended this way depends on time: a replay does not give the same answer. A server of `sim-http` gives each of
    /// its worlds an interrupt of its own.
    #[must_use]
    pub fn interrupted_by(mut self, interrupt: Interrupt) -> Simulator {
        if let Some(beside) = self.beside.take() {
            let Beside { sim, listener } = *beside;
            let sim = sim.interrupted_by(interrupt.clone());
            self.beside = Some(Box::new(Beside { sim, listener }));
        }
        self.setup = Arc::new(Setup { interrupt, ..Setup::clone(&self.setup) });
        self
    }

    /// Takes over the text of the first user's token from `other`.
    pub(crate) fn with_token_of(mut self, other: &Simulator) -> Simulator {
        self.setup = Arc::new(Setup { token: other.setup.token.clone(), ..Setup::clone(&self.setup) });
        self
    }

    /// Stores the events on `server` from now on. `work` moves existing events there.
    #[cfg(feature = "analytics")]
    pub(crate) fn keeping_events_on(
        mut self,
        server: Arc<dyn EventServer>,
        work: impl FnOnce(&Cx<'_>) -> Result<(), Error>,
    ) -> Result<Simulator, Error> {
        if let Some(beside) = self.beside.take() {
            let Beside { sim, listener } = *beside;
            let sim = sim.keeping_events_on(server, work)?;
            return Ok(Simulator { beside: Some(Box::new(Beside { sim, listener })), ..self });
        }
        let setup = Arc::new(Setup { events: Some(server), ..Setup::clone(&self.setup) });
        let (now, calls) = (self.head.now, self.journal.calls());
        self.store.transact(|inside| work(&setup.cx(inside, now, &Caller::Control, calls)))?;
        self.setup = setup;
        Ok(self)
    }

    /// The registry of the simulated service.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// The OpenAPI 3.1 document of the simulated API, in this world's names.
    pub fn openapi(&self) -> Value {
        crate::engine::service::openapi::document(self.registry, Access::Token, &self.setup)
    }

    /// The OpenAPI 3.1 document of the control operations inside a world.
    pub fn control_openapi(&self) -> Value {
        crate::engine::service::openapi::document(self.registry, Access::Control, &self.setup)
    }

    /// How many calls and events of this service alone its journal and history no longer hold.
    pub(super) fn own_dropped(&self) -> Dropped {
        Dropped { calls: self.journal.dropped(), events: self.history.dropped() }
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Runs `look` on the world's rows, read-only. Use it in tests of resources, and for facts that no operation
    /// reports.
    pub fn read<T>(&self, look: impl FnOnce(Db<'_>) -> T) -> T {
        self.store.read(look)
    }

    /// Changes rows outside of any call, without a record in the journal. No answer may depend on these rows.
    #[cfg(any(feature = "analytics", feature = "management"))]
    pub(crate) fn aside<T>(&mut self, work: impl FnOnce(&Cx<'_>) -> T) -> T {
        let (setup, now, calls) = (&self.setup, self.head.now, self.journal.calls());
        let whole =
            |inside: Inside<'_>| Ok::<_, Error>(work(&setup.cx(inside, now, &Caller::Control, calls)));
        self.store.transact(whole).expect("the work does not refuse")
    }

    /// The documents that calls fetched from outside.
    pub(crate) fn fetched(&self) -> Vec<fetch::Fetched> {
        self.store.read(fetch::read)
    }

    /// Another form of a successful answer of operation `id` that its schema allows as well; the same seed makes the same.
    /// `None` if the edition has no such operation.
    ///
    /// ```
    /// use serde_json::json;
    /// use sim_core::Simulator;
    /// use sim_core::engine::Answers;
    ///
    /// let sim = Simulator::builder().build();
    /// let key = json!([{ "name": "default", "inserted_at": "2026-01-01T00:00:00Z" }]);
    /// let lean = sim.vary_answer("v1-get-project-api-keys", Answers::Lean, 0, key);
    /// assert_eq!(lean, Some(json!([{ "name": "default" }])));
    /// ```
    pub fn vary_answer(&self, id: &str, how: Answers, seed: u64, mut answer: Value) -> Option<Value> {
        let mut halves = self.halves();
        let (half, operation) = halves.find_map(|half| Some((half, half.setup.contract().by_id(id)?)))?;
        vary::vary(&operation.shape(&half.setup.names), how, seed, &mut answer);
        Some(answer)
    }
}
