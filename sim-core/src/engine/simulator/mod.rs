//! A world: calls go in, answers come out, and time moves only when told to.

mod advance;
pub(crate) mod beside;
mod builder;
#[cfg(feature = "management")]
mod by_name;
mod changes;
mod diff;
mod fork;
mod journal_query;
mod peek;
mod pieces;
mod read_cache;
mod replay;
mod rewind;
#[cfg(feature = "management")]
mod state;

pub use builder::Builder;
pub use changes::RowChange;
pub use diff::{AnswerChange, Difference, ValueChange};
pub use fork::Snapshot;
pub use replay::{Divergence, Replay, ReplayCall, ReplayError, Replaying};
#[cfg(feature = "management")]
pub use state::State;

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use serde_json::Value;
use sim_base::Interrupt;
use sim_base::cx::Cx;
use sim_base::db::Db;
use sim_base::error::{Error, Kind};
use sim_base::event_server::EventServer;
use sim_base::fetch;
use sim_base::history::{Happened, History};
use sim_base::identity::{self, Caller};
use sim_base::last_caller::LastCaller;
use sim_base::log::OldLogs;
use sim_base::log_line::Lines;
use sim_base::operation::{Access, Meta, Operation, Payload, Resource, Service};
use sim_base::policy::{Answers, Policy};
use sim_base::profile::Profile;
use sim_base::rate::{self, Counter, RateWindow, Windows};
use sim_base::request::Sent;
use sim_base::server::DatabaseServer;
use sim_base::store::{Inside, Store};
use sim_base::time::{Timestamp, micros};
use sim_base::world::World;

use self::beside::Beside;
use self::read_cache::ReadCache;
use crate::engine::fault::{self, Faults, Past, Strike};
use crate::engine::journal::coverage::Coverage;
use crate::engine::journal::cut::Bounds;
use crate::engine::journal::explain::Explanation;
use crate::engine::journal::search::{CallPage, Filter};
use crate::engine::journal::tokens::Tokens;
use crate::engine::journal::{Call, Dropped, Journal, Onlooker, Origin, Record, hash_text};
use crate::engine::pipeline::FAULTS;
use crate::engine::pipeline::answer::Answer;
use crate::engine::pipeline::{self, Credentials, Head, Passed, Site};
use crate::engine::service::contract::{Contract, Matched};
use crate::engine::service::input::{self, Input};
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

    /// Makes one typed call as the first user of the world. It has the same stages, refusals and journal as over
    /// HTTP.
    pub fn call<O: Operation>(&mut self, operation: O) -> Result<O::Output, Error> {
        self.half(|sim| sim.registry.has(O::META.id)).call_as(&Credentials::First, operation)
    }

    /// A session of the user who owns `token`. Refuses a token that is not valid now.
    pub fn as_user(&mut self, token: &str) -> Result<Session<'_>, Error> {
        let sim = self.half(|sim| sim.knows_itself(token));
        let now = sim.head.now;
        let bearer = sim.store.read(|db| identity::authenticate(db, now, token))?;
        Ok(Session { sim, caller: Ok(Caller::Token(bearer)) })
    }

    /// A session of the simulator's driver: permissions are not checked, and the rate limit does not count its calls.
    pub fn as_admin(&mut self) -> Session<'_> {
        Session { sim: self, caller: Ok(Caller::Control) }
    }

    /// Answers an HTTP request as the server does, without a socket.
    pub fn handle(&mut self, request: &Request<Bytes>) -> Response<Bytes> {
        self.half_for(request).handle_itself(request)
    }

    /// The service that a request is for.
    pub(super) fn half_for(&mut self, request: &Request<Bytes>) -> &mut Simulator {
        if self.beside.is_none() {
            return self;
        }
        let service = asked_service(request.uri());
        let path = request.uri().path();
        // A path that one of them has counts more than the first word that both have.
        let is_known = self.halves().any(|sim| sim.setup.contract().has_path(path));
        self.half(|sim| {
            let is_asked = service.as_ref().is_none_or(|name| name == sim.registry.service.name);
            let contract = sim.setup.contract();
            is_asked && if is_known { contract.has_path(path) } else { contract.owns(path) }
        })
    }

    fn handle_itself(&mut self, request: &Request<Bytes>) -> Response<Bytes> {
        let mark = self.mark(request);
        if let Some(response) = mark.and_then(|mark| self.answer_from_cache(mark, request)) {
            return response;
        }
        let (manner, scene) = (self.registry.service.manner_at(request.uri().path()), self.scene());
        let token = sim_base::request::token_text(request, manner);
        let credentials = token.as_deref().map_or(Credentials::None, Credentials::Text);
        let answer = self.arrive(request, &credentials);
        let mark = mark.filter(|_| answer.is_plain);
        let mut response = answer.into_response(manner);
        if let Some(mark) = mark {
            self.remember(mark, scene, request, &response);
        }
        if request.method() == http::Method::HEAD {
            let length = response.body().len();
            *response.body_mut() = Bytes::new();
            let headers = response.headers_mut();
            // Clients that read the body of anything called JSON would fail on one that is empty.
            headers.remove(http::header::CONTENT_TYPE);
            headers.insert(http::header::CONTENT_LENGTH, length.into());
        }
        response
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

    /// The current simulated instant.
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

    /// The calls so far, oldest first, as far back as the policy keeps them.
    pub fn journal(&self) -> Vec<Call> {
        self.journal_from(1, u64::MAX)
    }

    /// At most `limit` calls from number `from` on.
    pub fn journal_from(&self, from: u64, limit: u64) -> Vec<Call> {
        self.journal.read(from, limit, &self.onlooker())
    }

    /// The rolling hash over all calls so far, 32 hex digits.
    pub fn journal_hash(&self) -> String {
        hash_text(self.journal.hash())
    }

    /// How many calls were made, counting those that the journal no longer holds.
    pub fn calls(&self) -> u64 {
        self.journal.calls()
    }

    /// Explains the answer to call `number`. `None` when the journal does not hold the call.
    pub fn explain(&self, number: u64) -> Option<Explanation> {
        Explanation::of(&self.journal, number, &self.onlooker())
    }

    /// How many calls and events of this service alone its journal and history no longer hold.
    pub(super) fn own_dropped(&self) -> Dropped {
        Dropped { calls: self.journal.dropped(), events: self.history.dropped() }
    }

    /// At most `limit` of the calls that match `filter`, after the first `offset` of them, oldest first.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::engine::Filter;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListProjects {})?;
    /// let filter = Filter { text: Some("list-all".to_owned()), ..Filter::default() };
    /// assert_eq!(sim.search_journal(&filter, 0, 10).total, 1);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn search_journal(&self, filter: &Filter, offset: u64, limit: u64) -> CallPage {
        let callers = filter.client.as_deref().map(|name| self.callers_named(name)).unwrap_or_default();
        self.journal.search(filter, offset, limit, &self.onlooker(), &callers)
    }

    /// All names that [`Filter::client`] may have in this world.
    pub fn client_names(&self) -> Vec<String> {
        let sql =
            "SELECT 'nobody' UNION SELECT 'control' UNION SELECT name FROM user UNION SELECT name FROM token
                   UNION SELECT app FROM token WHERE app IS NOT NULL";
        self.read(|db| db.all(sql, (), |row| row.get(0)))
    }

    /// The callers that [`Filter::client`] names: all tokens of a user or an app, or those of that name.
    fn callers_named(&self, client: &str) -> Vec<Origin> {
        match client {
            "nobody" => vec![Origin::Nobody],
            "control" => vec![Origin::Control],
            name => self.read(|db| {
                let sql = "SELECT token.id FROM token JOIN user ON user.id = token.user
                           WHERE ?1 IN (user.name, token.name, app)";
                db.all(sql, (name,), |row| row.get(0).map(Origin::Token))
            }),
        }
    }

    /// How much of the rate limit each caller has used, by user.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListProjects {})?;
    /// let windows = sim.rate_windows();
    /// assert_eq!((windows[0].used, windows[0].remaining), (1, 59));
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn rate_windows(&self) -> Vec<RateWindow> {
        let (now, limit) = (self.head.now, &self.setup.policy.rate_limit);
        self.store.read(|db| self.windows.shown(db, now, limit))
    }

    pub(super) fn onlooker(&self) -> Onlooker<'_> {
        Onlooker { registry: self.registry, names: &self.setup.names, tokens: self.tokens() }
    }

    /// The tokens of this service.
    pub(super) fn tokens(&self) -> Tokens<'_> {
        let digests = self.store.read(identity::digests);
        Tokens::of(&self.setup.profile, &self.setup.world, move |digest| digests.contains(digest))
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

    /// Answers a request whose caller is known already: a replay file names tokens by number.
    pub(crate) fn handle_from(&mut self, origin: Origin, request: &Request<Bytes>) -> Response<Bytes> {
        let manner = self.registry.service.manner_at(request.uri().path());
        self.arrive(request, &Credentials::Known(origin)).into_response(manner)
    }

    fn call_as<O: Operation>(
        &mut self,
        credentials: &Credentials<'_>,
        operation: O,
    ) -> Result<O::Output, Error> {
        let there = self.setup.contract().by_id(O::META.id);
        // An operation that only another edition has is written as a request too, so that the journal shows the refusal.
        let Some(registered) = there.or_else(|| self.registry.known(O::META.id)) else {
            return Err(no_such_service::<O>(self.registry.name()));
        };
        let input = serde_json::to_value(&operation).expect("a request is plain data");
        let setup = self.setup.clone();
        let headers = sim_base::request::header_fields(&registered.entry.meta, &input);
        let sent = input::write(registered, &input, &setup.names, &headers);
        let mut output = None;
        let answer = self.pass(
            &sent,
            credentials,
            Contract::matched(there, &sent),
            |matched| input::check(matched.operation, &input, &setup.profile).map(|()| input.into()),
            |matched, _, cx| {
                let done = output.insert(operation.run(cx)?);
                Ok(matched.operation.spell_response(O::payload(done), &setup.names))
            },
        );
        let unread = answer.strike.as_ref().and_then(Strike::unreadable);
        let success = answer.outcome.and_then(|success| unread.map_or(Ok(success), Err))?;
        match answer.strike.and_then(|strike| strike.altered(&success.payload.body)) {
            Some(altered) => altered,
            None => Ok(output.expect("a success has an output")),
        }
    }

    fn arrive(&mut self, request: &Request<Bytes>, credentials: &Credentials<'_>) -> Answer {
        let setup = self.setup.clone();
        let route = setup.contract().route(request.method().as_str(), request.uri().path());
        let mut sent = Sent::of(
            request,
            route.as_ref().map_or(&[][..], |matched| matched.operation.entry.meta.headers),
            self.registry.service.manner,
        );
        if !setup.counts_addresses() {
            sent.address = None;
        }
        if self.is_heard() {
            sent.shown = beside::shown_headers(request);
        }
        self.pass(
            &sent,
            credentials,
            route,
            |matched| input::read(matched, &sent, &setup),
            |matched, input, cx| {
                let payload = (matched.operation.entry.run)(input, cx)?;
                Ok(matched.operation.spell_response(payload, &setup.names))
            },
        )
    }

    /// Runs one call through all stages; see [`pipeline::pass`].
    pub(super) fn pass(
        &mut self,
        sent: &Sent<'_>,
        credentials: &Credentials<'_>,
        route: Result<Matched<'_>, Error>,
        read: impl FnOnce(&Matched<'_>) -> Result<Input, Error>,
        run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Payload, Error>,
    ) -> Answer {
        self.wait_with_client(sent, credentials);
        let (setup, past, head, journal) = (&self.setup, &self.past, self.head, &self.journal);
        let (counter, lines) = (Counter::of(&self.windows), Lines::default());
        let heard = self.is_heard().then_some(&lines);
        let other = self.beside.as_deref().map(|beside| &beside.sim);
        let beside = other.map(Simulator::calls);
        let known_caller = self.last_caller.known(self.store.stamp());
        // Kept outside the transaction: as its return value it would be copied several times.
        let mut passed = None;
        let whole = |inside: Inside<'_>| {
            let find = |token| {
                let bearer = known_caller.find(inside.db, head.now, token);
                Credentials::Caller(bearer.map(Caller::Token))
            };
            let credentials = match credentials {
                Credentials::First => &find(None),
                Credentials::Text(token) => &find(Some(token)),
                other => other,
            };
            let (counter, known_caller, lines) = (&counter, &known_caller, heard);
            let other = other.map(|other| other as &dyn fetch::Beside);
            let site =
                Site { setup, inside, past, head, journal, counter, known_caller, lines, beside, other };
            passed = Some(pipeline::pass(site, sent, credentials, route, read, run));
            Ok::<_, Infallible>(())
        };
        let Ok(()) = self.store.transact(whole);
        let Passed { answer, head, record, happened } = passed.expect("a transaction does its work");
        self.last_caller = known_caller.until_next(self.store.stamp());
        self.count(counter.into_changes());
        self.head = head;
        self.remember_work(happened);
        self.record_call(record);
        self.past.keep(head.faults.stale, || self.store.snapshot());
        self.tell_beside(sent, &answer, &lines.into_inner());
        answer
    }

    /// Stores changed counts of the rate limit.
    pub(super) fn count(&mut self, changes: Vec<rate::Change>) {
        changes.into_iter().for_each(|change| self.windows.put(change));
    }

    /// Adds a call to the journal.
    pub(super) fn record_call(&mut self, record: Record) {
        self.journal.add(record, Bounds::of(&self.setup.policy));
        self.old_journals.free_some();
        self.old_histories.free_some();
    }
}

/// A world with a caller: for calls by somebody else than the first user.
pub struct Session<'s> {
    sim: &'s mut Simulator,
    caller: Result<Caller, Error>,
}

impl<'s> Session<'s> {
    /// The service that has operation `id`, and the caller.
    pub(super) fn parts(self, id: &str) -> (&'s mut Simulator, Result<Caller, Error>) {
        let sim = match self.caller {
            // The driver of one service may call the other.
            Ok(Caller::Control) => self.sim.half(|sim| sim.registry.has(id)),
            _ => self.sim,
        };
        (sim, self.caller)
    }

    /// Makes one typed call as this caller.
    pub fn call<O: Operation>(&mut self, operation: O) -> Result<O::Output, Error> {
        let (sim, caller) = Session { sim: self.sim, caller: self.caller.clone() }.parts(O::META.id);
        sim.call_as(&Credentials::Caller(caller), operation)
    }
}

/// The refusal of a typed call to a service that the world does not have.
fn no_such_service<O: Operation>(service: &str) -> Error {
    let Meta { id, path, .. } = O::META;
    let text = format!(
        "{id} ({path}): this world has the service {service} alone; build one that has that operation, \
         by Builder::with_analytics for the analytics server"
    );
    Error::new(Kind::NotFound, "no_such_service", text)
}

/// The service that a control call names in its query, if any.
fn asked_service(uri: &http::Uri) -> Option<Cow<'_, str>> {
    let query = uri.query().filter(|_| uri.path().starts_with("/_sim"))?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(name, _)| name == "service").map(|(_, service)| service)
}

impl Simulator {
    /// The fault rules of this world that have struck no call, each with its service. A test that injects faults
    /// checks at its end that there are none.
    ///
    /// ```
    /// use sim_core::engine::fault::{AddFault, Effect, Fault, On};
    /// use sim_core::management::project::ListProjects;
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.as_admin().call(AddFault(Fault::new(On::path("/v1/projects"), Effect::status(503))))?;
    /// assert_eq!(sim.unused_faults().len(), 1);
    /// assert!(sim.call(ListProjects {}).is_err());
    /// assert!(sim.unused_faults().is_empty());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn unused_faults(&self) -> Vec<(&'static str, fault::FaultStanding)> {
        let mut found = Vec::new();
        for half in self.halves() {
            let service = half.registry.name();
            found.extend(half.store.read(fault::unused).into_iter().map(|rule| (service, rule)));
        }
        found
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

    /// The coverage of this world's calls, including calls that the journal has dropped.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::of(self.journal.tally());
        let tokens = self.tokens();
        for reached in &mut coverage.reached {
            // The reason may contain the name of a field that a caller sent.
            reached.reason = tokens.masked_in_words(&reached.reason).into_owned();
        }
        for ignored in &mut coverage.ignored {
            ignored.name = tokens.masked_in_words(&ignored.name).into_owned();
        }
        coverage.merge(self.beside().map(Simulator::coverage).unwrap_or_default());
        coverage
    }
}
