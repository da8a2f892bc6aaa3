//! A world and the one way through it: every call passes the same stages, in one transaction, into the journal.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{Request, Response};
use serde_json::Value;

use super::cx::{Cx, NO_PRIVILEGES};
use super::db::Db;
use super::error::Error;
use super::identity::{self, Bearer, Caller};
use super::jobs::{self, Due, Happened};
use super::journal::{self, Call, Explanation, Origin, Row, Stage};
use super::names::{Names, Way};
use super::operation::{Access, Method, Operation, to_bytes};
use super::policy::Policy;
use super::profile::Profile;
use super::rate::{self, Standing};
use super::registry::{Matched, Registered, Registry};
use super::rng::{Rng, hex};
use super::store::{Snapshot as Pages, Store};
use super::time::{Pace, Timestamp, later, micros};
use super::wire::{self, Answer, Success};
use super::world::World;

pub(crate) const TABLES: &str = "
    CREATE TABLE world (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        seed INTEGER NOT NULL,
        start INTEGER NOT NULL,
        now INTEGER NOT NULL
    ) STRICT;
";

/// Where a world begins unless told otherwise: 2026-01-01T00:00:00Z.
const START: &str = "2026-01-01T00:00:00Z";

/// A world: users, projects, clock, agenda, journal.
///
/// Deterministic: the same seed, policy, profile and calls give the same bytes. Time stands still until
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
/// let project = sim.call(GetProject { r#ref: project.id })?;
/// assert_eq!(project.status, Status::ActiveHealthy);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub struct Simulator {
    registry: &'static Registry,
    store: Store,
    head: Head,
    setup: Arc<Setup>,
}

/// What changes with every call and is kept at hand. All of it is also in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    now: Timestamp,
    calls: u64,
    hash: [u8; 32],
}

/// What a world was built from.
pub(crate) struct Setup {
    pub seed: u64,
    pub start: Timestamp,
    pub policy: Policy,
    pub profile: Profile,
    pub world: World,
    names: Names,
    token: Option<String>,
}

/// A world as it was at one moment. Costs what has changed since, however large the world.
#[derive(Clone)]
pub struct Snapshot {
    pages: Pages,
    head: Head,
    setup: Arc<Setup>,
}

/// Builds a world.
pub struct Builder {
    registry: &'static Registry,
    seed: u64,
    start: Timestamp,
    policy: Policy,
    profile: Profile,
    world: World,
}

impl Builder {
    /// A world of the service in `registry`, with every default.
    pub fn new(registry: &'static Registry) -> Builder {
        Builder {
            registry,
            seed: 0,
            start: START.parse().expect("the default start is an instant"),
            policy: Policy::default(),
            profile: Profile::default(),
            world: World::default(),
        }
    }

    /// The seed of all chance. Default 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Builder {
        self.seed = seed;
        self
    }

    /// The instant at which the world begins. Default 2026-01-01T00:00:00Z.
    #[must_use]
    pub fn start(mut self, start: Timestamp) -> Builder {
        self.start = start;
        self
    }

    /// How the world behaves.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Builder {
        self.policy = policy;
        self
    }

    /// What things are called in it.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Builder {
        self.profile = profile;
        self
    }

    /// Who is in it.
    #[must_use]
    pub fn world(mut self, world: World) -> Builder {
        self.world = world;
        self
    }

    /// A further personal access token of the first user, accepted as given.
    #[must_use]
    pub fn token(mut self, token: &str) -> Builder {
        if let Some(user) = self.world.users.first_mut() {
            user.tokens.push(token.to_owned());
        }
        self
    }

    /// Makes the world.
    ///
    /// # Panics
    ///
    /// When the world contradicts itself; [`try_build`](Builder::try_build) says so instead.
    pub fn build(self) -> Simulator {
        self.try_build().unwrap_or_else(|error| panic!("the world can be built: {}", error.message))
    }

    /// Makes the world, or says what contradicts what: two users of one name, a member that is no user.
    pub fn try_build(mut self) -> Result<Simulator, Error> {
        let start =
            Timestamp::from_microsecond(micros(self.start)).expect("a whole microsecond is an instant");
        issue_missing_tokens(&mut self.world, &self.profile, self.seed);
        let setup = Setup {
            seed: self.seed,
            start,
            names: Names::new(&self.profile.names),
            token: self.world.users.first().and_then(|user| user.tokens.first().cloned()),
            policy: self.policy,
            profile: self.profile,
            world: self.world,
        };
        let mut sim = Simulator {
            registry: self.registry,
            store: Store::new(&self.registry.pool),
            head: Head { now: start, calls: 0, hash: [0; 32] },
            setup: Arc::new(setup),
        };
        sim.seed_world()?;
        Ok(sim)
    }
}

/// Every user can call: one that was given no token gets one that follows from the seed and the name.
fn issue_missing_tokens(world: &mut World, profile: &Profile, seed: u64) {
    use sha2::Digest as _;
    for user in world.users.iter_mut().filter(|user| user.tokens.is_empty()) {
        let digest = sha2::Sha256::digest(format!("{seed} token of {}", user.name));
        user.tokens.push(format!("{}{}", profile.token_prefix, hex(&digest[..20])));
    }
}

impl Simulator {
    /// Makes one typed call as the first user of the world. Same stages, same refusals, same journal as over HTTP.
    pub fn call<O: Operation>(&mut self, operation: O) -> Result<O::Output, Error> {
        let caller = self.first_caller();
        self.call_as(caller, operation)
    }

    /// The same as the user whose token it is. Refuses a token that is not good now.
    pub fn as_user(&mut self, token: &str) -> Result<Session<'_>, Error> {
        let now = self.head.now;
        let bearer = self.store.read(|connection| identity::authenticate(Db { connection }, now, token))?;
        Ok(Session { sim: self, caller: Ok(Caller::Token(bearer)) })
    }

    /// The same as whoever drives the simulator: no permission asked, no call counted.
    pub fn as_admin(&mut self) -> Session<'_> {
        Session { sim: self, caller: Ok(Caller::Control) }
    }

    /// Answers an HTTP request: what the server does, without a socket.
    pub fn handle(&mut self, request: &Request<Bytes>) -> Response<Bytes> {
        let head = request.method() == http::Method::HEAD;
        let credentials = match bearer_text(request) {
            Some(token) => Credentials::Text(token),
            None => Credentials::None,
        };
        let mut response = self.arrive(request, credentials).into_response();
        if head {
            let length = response.body().len();
            *response.body_mut() = Bytes::new();
            response.headers_mut().insert(http::header::CONTENT_LENGTH, length.into());
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

    /// Whether `token` is known to this world, good or not.
    pub fn knows(&self, token: &str) -> bool {
        let now = self.head.now;
        let found = self.store.read(|connection| identity::authenticate(Db { connection }, now, token));
        found.map_or_else(|error| error.reason != "token_unknown", |_| true)
    }

    /// The simulated instant.
    pub fn now(&self) -> Timestamp {
        self.head.now
    }

    /// The seed it was built from.
    pub fn seed(&self) -> u64 {
        self.setup.seed
    }

    /// How it behaves.
    pub fn policy(&self) -> &Policy {
        &self.setup.policy
    }

    /// What things are called.
    pub fn profile(&self) -> &Profile {
        &self.setup.profile
    }

    /// The service it simulates.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// The OpenAPI 3.1 document of the simulated API, in this world's names.
    pub fn openapi(&self) -> Value {
        super::openapi::document(self.registry, Access::Token, &self.setup.names)
    }

    /// The OpenAPI 3.1 document of the control operations inside a world.
    pub fn control_openapi(&self) -> Value {
        super::openapi::document(self.registry, Access::Control, &self.setup.names)
    }

    /// Lets `by` of simulated time go by. Does all work that falls due, each piece at its own instant, and returns it.
    pub fn advance(&mut self, by: Duration) -> Vec<Happened> {
        self.advance_to(later(self.head.now, by))
    }

    /// The same, up to an instant. An instant in the past changes nothing.
    pub fn advance_to(&mut self, until: Timestamp) -> Vec<Happened> {
        if until <= self.head.now {
            return Vec::new();
        }
        let (setup, registry, calls) = (&self.setup, self.registry, self.head.calls);
        let work = |connection: &_| {
            let mut cx = setup.cx(connection, until, &Caller::Control, calls);
            let mut happened = Vec::new();
            if setup.policy.pace != Pace::Manual {
                while let Some(job) = jobs::take(&cx, until) {
                    (cx.now, cx.call) = (job.due, job.caused_by_call);
                    happened.push(jobs::perform(&mut cx, registry.service.tasks, job));
                }
            }
            cx.db.run("UPDATE world SET now = ?1", (micros(until),));
            Ok::<_, Error>(happened)
        };
        let happened = self.store.transact(work).expect("background work does not refuse");
        self.head.now = until;
        happened
    }

    /// Moves to the next due instant and does the work of that instant. `None` when nothing is scheduled.
    pub fn advance_to_next(&mut self) -> Option<Vec<Happened>> {
        let next = self.next_due()?;
        if self.setup.policy.pace == Pace::Manual {
            return Some(self.step().into_iter().collect());
        }
        Some(self.advance_to(next))
    }

    /// Does the next piece of scheduled work, whatever the pace; the clock moves to its due time if that is ahead.
    /// `None` when nothing is scheduled. A step has its own row in the journal, because no instant tells of it.
    pub fn step(&mut self) -> Option<Happened> {
        let (setup, registry, head) = (self.setup.clone(), self.registry, self.head);
        let call = head.calls + 1;
        let work = |connection: &_| {
            let mut cx = setup.cx(connection, head.now, &Caller::Control, call);
            let job = jobs::take(&cx, Timestamp::MAX)?;
            (cx.now, cx.call) = (head.now.max(job.due), job.caused_by_call);
            let happened = jobs::perform(&mut cx, registry.service.tasks, job);
            cx.db.run("UPDATE world SET now = ?1", (micros(cx.now),));
            let row = Row {
                call,
                at: head.now,
                operation: None,
                method: STEP,
                target: "",
                caller: Origin::Control,
                content_type: None,
                request: None,
                shown: None,
                status: 200,
                refusal: None,
                response: &to_bytes(&happened),
                shown_response: None,
            };
            let hash = journal::write(cx.db, &head.hash, &row, setup.policy.journal_calls);
            Some((happened, Head { now: cx.now, calls: call, hash }))
        };
        let (happened, head) = self.store.transact(|connection| work(connection).ok_or(())).ok()?;
        self.head = head;
        Some(happened)
    }

    /// When the next piece of work is due.
    pub fn next_due(&self) -> Option<Timestamp> {
        self.store.read(|connection| jobs::agenda(Db { connection }, 1)).first().map(|job| job.due)
    }

    /// All scheduled work, in the order in which it will be done.
    pub fn agenda(&self) -> Vec<Due> {
        self.store.read(|connection| jobs::agenda(Db { connection }, usize::MAX))
    }

    /// All work that was done on `subject`, or on anything, oldest first, as far back as the journal goes.
    pub fn history(&self, subject: Option<&str>) -> Vec<Happened> {
        self.store.read(|connection| jobs::history(Db { connection }, subject))
    }

    /// A second world that is equal to this one and goes its own way from now on. Its cost does not grow with the
    /// world.
    pub fn fork(&self) -> Simulator {
        Simulator {
            registry: self.registry,
            store: self.store.fork(),
            head: self.head,
            setup: self.setup.clone(),
        }
    }

    /// This world as it is now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { pages: self.store.snapshot(), head: self.head, setup: self.setup.clone() }
    }

    /// Makes this world what it was, clock and journal included.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.store.restore(&snapshot.pages);
        self.head = snapshot.head;
        self.setup = snapshot.setup.clone();
    }

    /// The calls so far, oldest first, as far back as the policy keeps them.
    pub fn journal(&self) -> Vec<Call> {
        self.journal_from(1, u64::MAX)
    }

    /// At most `limit` calls from number `from` on.
    pub fn journal_from(&self, from: u64, limit: u64) -> Vec<Call> {
        self.store.read(|connection| journal::read(Db { connection }, from, limit))
    }

    /// The rolling hash over all calls so far, 64 hex digits.
    pub fn journal_hash(&self) -> String {
        hex(&self.head.hash)
    }

    /// How many calls there were, counting those that the journal no longer holds.
    pub fn calls(&self) -> u64 {
        self.head.calls
    }

    /// Why call `number` was answered as it was. `None` when the journal does not hold it.
    pub fn explain(&self, number: u64) -> Option<Explanation> {
        self.store.read(|connection| journal::explain(Db { connection }, number))
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(crate) fn recorded(&self) -> Vec<journal::Recorded> {
        self.store.read(|connection| journal::recorded(Db { connection }))
    }

    /// Answers a request whose sender is known already: replay knows by number whom the tokens belonged to.
    pub(crate) fn handle_from(&mut self, origin: Origin, request: &Request<Bytes>) -> Response<Bytes> {
        self.arrive(request, Credentials::Known(origin)).into_response()
    }

    fn seed_world(&mut self) -> Result<(), Error> {
        let setup = self.setup.clone();
        let seed = self.registry.service.seed;
        self.store.transact(|connection| {
            let cx = &mut setup.cx(connection, setup.start, &Caller::Control, 0);
            let start = micros(setup.start);
            cx.db.run("INSERT INTO world VALUES (1, ?1, ?2, ?2)", (setup.seed as i64, start));
            seed(cx, &setup.world)
        })
    }

    fn first_caller(&self) -> Result<Caller, Error> {
        let found = self.store.read(|connection| identity::bearer(Db { connection }, 1));
        found.map(Caller::Token).ok_or_else(|| Error::unauthorized("token_missing"))
    }

    fn call_as<O: Operation>(
        &mut self,
        caller: Result<Caller, Error>,
        operation: O,
    ) -> Result<O::Output, Error> {
        let registered = self.registry.by_id(O::META.id);
        let input = serde_json::to_value(&operation).expect("a request is plain data");
        let setup = self.setup.clone();
        let spelt = if setup.names.is_empty() {
            input.clone()
        } else {
            registered.input.respell(input.clone(), &setup.names, Way::Out)
        };
        let (target, body) = wire::write(registered, &spelt);
        let body = body.map(|body| body.to_string());
        let arrival = Arrival {
            method: O::META.method.as_str(),
            target: &target,
            content_type: None,
            body: body.as_deref(),
            credentials: Credentials::Caller(caller),
        };
        let mut output = None;
        let answer = self.pass(
            &arrival,
            Ok(Matched { operation: registered, path: Vec::new() }),
            |matched| wire::check(matched.operation, &input).map(|()| input),
            |matched, _, cx| {
                let done = output.insert(operation.run(cx)?);
                Ok(matched.operation.spell_response(to_bytes(done), &setup.names))
            },
        );
        answer.outcome.map(|_| output.expect("a success has an output"))
    }

    fn arrive(&mut self, request: &Request<Bytes>, credentials: Credentials<'_>) -> Answer {
        let method = if request.method() == http::Method::HEAD { "GET" } else { request.method().as_str() };
        let target = request.uri().path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
        let body = String::from_utf8_lossy(request.body());
        let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let arrival = Arrival {
            method,
            target,
            content_type,
            body: Some(&*body).filter(|body| !body.is_empty()),
            credentials,
        };
        let setup = self.setup.clone();
        let registry = self.registry;
        self.pass(
            &arrival,
            registry.route(method, request.uri().path()),
            |matched| wire::read(matched, request, &setup.names, setup.policy.max_body_bytes),
            |matched, input, cx| {
                let body = (matched.operation.entry.run)(input, cx)?;
                Ok(matched.operation.spell_response(body, &setup.names))
            },
        )
    }

    /// The stages, in order, around `read` (validation) and `run` (existence, state, effect); one transaction.
    fn pass(
        &mut self,
        arrival: &Arrival<'_>,
        route: Result<Matched<'_>, Error>,
        read: impl FnOnce(&Matched<'_>) -> Result<Value, Error>,
        run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Vec<u8>, Error>,
    ) -> Answer {
        let (setup, registry, head) = (&self.setup, self.registry, self.head);
        let call = head.calls + 1;
        let whole = |connection: &_| {
            let mut trail = Trail::default();
            let outcome = trail.walk(
                &setup.cx(connection, head.now, &Caller::Control, call),
                arrival,
                route,
                read,
                run,
            );
            if outcome.is_ok() && arrival.method != Method::Get.as_str() {
                settle(setup, registry, connection, head.now, call);
            }
            let answer = Answer { call, standing: trail.standing, outcome };
            let hash = trail.write_row(setup, Db { connection }, arrival, &answer, &head);
            Ok::<_, Error>((answer, Head { calls: call, hash, ..head }))
        };
        let (answer, head) =
            self.store.transact(whole).expect("a refusal is an answer, not a failed transaction");
        self.head = head;
        answer
    }
}

/// Does what this call scheduled for right now: zero delays, and everything where the pace is instant.
fn settle(setup: &Setup, registry: &Registry, connection: &rusqlite::Connection, now: Timestamp, call: u64) {
    if setup.policy.pace == Pace::Manual {
        return;
    }
    let mut cx = setup.cx(connection, now, &Caller::Control, call);
    while let Some(job) = jobs::take(&cx, now) {
        cx.call = job.caused_by_call;
        jobs::perform(&mut cx, registry.service.tasks, job);
    }
}

/// The journal's method for a [`step`](Simulator::step).
pub(crate) const STEP: &str = "STEP";

impl Setup {
    fn cx<'a>(
        &'a self,
        connection: &'a rusqlite::Connection,
        now: Timestamp,
        caller: &'a Caller,
        call: u64,
    ) -> Cx<'a> {
        let db = Db { connection };
        Cx {
            db,
            now,
            rng: Rng { seed: self.seed, db },
            caller,
            policy: &self.policy,
            profile: &self.profile,
            call,
        }
    }
}

/// A call as it comes in.
struct Arrival<'a> {
    method: &'a str,
    target: &'a str,
    content_type: Option<&'a str>,
    body: Option<&'a str>,
    credentials: Credentials<'a>,
}

enum Credentials<'a> {
    None,
    Text(&'a str),
    /// By token number, from a replay file.
    Known(Origin),
    /// In process, looked up already.
    Caller(Result<Caller, Error>),
}

fn bearer_text(request: &Request<Bytes>) -> Option<&str> {
    let text = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// How far a call came, and what the journal needs to know of it.
#[derive(Default)]
struct Trail {
    caller: Option<Origin>,
    operation: Option<&'static str>,
    standing: Option<Standing>,
    refused_by: Option<Stage>,
    masked_request: Option<String>,
    masked_response: Option<String>,
}

impl Trail {
    fn walk(
        &mut self,
        cx: &Cx<'_>,
        arrival: &Arrival<'_>,
        route: Result<Matched<'_>, Error>,
        read: impl FnOnce(&Matched<'_>) -> Result<Value, Error>,
        run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Vec<u8>, Error>,
    ) -> Result<Success, Error> {
        let access = route.as_ref().map_or(Access::Token, |matched| matched.operation.entry.meta.access);
        let caller = self.at(Stage::Credentials, admit(cx, arrival, access))?;
        self.caller = Some(match &caller {
            Caller::Control => Origin::Control,
            Caller::Token(bearer) => Origin::Token(bearer.token),
        });
        let counted = self.count(cx, &caller);
        self.at(Stage::RateLimit, counted)?;
        let matched = self.at(Stage::Route, route)?;
        self.operation = Some(matched.operation.entry.meta.id);
        self.mask_request(arrival, matched.operation);
        let input = self.at(Stage::Validation, read(&matched))?;
        let mut cx = Cx { caller: &caller, ..*cx };
        let permitted = permit(&mut cx, matched.operation, &input);
        self.refuse_by_kind(permitted)?;
        let body = attempt(&mut cx, matched.operation.entry.meta.method, |cx| run(&matched, input, cx));
        let body = self.refuse_by_kind(body)?;
        self.mask_response(matched.operation, &body);
        Ok(Success { status: matched.operation.entry.meta.status, body })
    }

    fn at<T>(&mut self, stage: Stage, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            self.refused_by = Some(stage);
        }
        result
    }

    fn refuse_by_kind<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        let stage = result.as_ref().err().map(Stage::of_refusal);
        self.refused_by = stage;
        result
    }

    fn count(&mut self, cx: &Cx<'_>, caller: &Caller) -> Result<(), Error> {
        let (Caller::Token(bearer), true) = (caller, cx.policy.rate_limit.enabled) else { return Ok(()) };
        let (standing, verdict) = rate::count(cx.db, cx.now, &cx.policy.rate_limit, &bearer.rate_bucket());
        self.standing = Some(standing);
        verdict
    }

    fn mask_request(&mut self, arrival: &Arrival<'_>, operation: &Registered) {
        if let (true, Some(body)) = (operation.input.hides(), arrival.body) {
            self.masked_request = Some(operation.mask_request(body));
        }
    }

    fn mask_response(&mut self, operation: &Registered, body: &[u8]) {
        if operation.output.hides() {
            self.masked_response = Some(operation.mask_response(body));
        }
    }

    fn write_row(
        &mut self,
        setup: &Setup,
        db: Db<'_>,
        arrival: &Arrival<'_>,
        answer: &Answer,
        head: &Head,
    ) -> [u8; 32] {
        let row = Row {
            call: answer.call,
            at: head.now,
            operation: self.operation,
            method: arrival.method,
            target: arrival.target,
            caller: self.caller.unwrap_or(Origin::Nobody),
            content_type: arrival.content_type,
            request: arrival.body,
            shown: self.masked_request.take(),
            status: answer.status(),
            refusal: answer.outcome.as_ref().err().zip(self.refused_by),
            response: &answer.body(),
            shown_response: self.masked_response.take(),
        };
        journal::write(db, &head.hash, &row, setup.policy.journal_calls)
    }
}

fn admit(cx: &Cx<'_>, arrival: &Arrival<'_>, access: Access) -> Result<Caller, Error> {
    match &arrival.credentials {
        Credentials::Caller(caller) => caller.clone(),
        _ if access == Access::Control => Ok(Caller::Control),
        Credentials::Text(text) => identity::authenticate(cx.db, cx.now, text).map(Caller::Token),
        Credentials::Known(Origin::Control) => Ok(Caller::Control),
        Credentials::Known(Origin::Token(token)) => identity::bearer(cx.db, *token)
            .map(Caller::Token)
            .ok_or_else(|| Error::unauthorized("token_unknown")),
        Credentials::None | Credentials::Known(Origin::Nobody) => Err(Error::unauthorized("token_missing")),
    }
}

fn permit(cx: &mut Cx<'_>, operation: &Registered, input: &Value) -> Result<(), Error> {
    let meta = &operation.entry.meta;
    if let Caller::Token(Bearer { scopes: Some(granted), .. }) = cx.caller {
        let needed = meta.scope.map(|scope| scope.0);
        if !needed.is_some_and(|needed| granted.split(' ').any(|scope| scope == needed)) {
            return Err(Error::forbidden("scope_missing", NO_PRIVILEGES)
                .because("scopes granted", granted, None)
                .because("scope needed", needed.unwrap_or("none that an app can have"), None));
        }
    }
    match operation.guard {
        Some((name, guard)) => guard(cx, input[name].as_str().unwrap_or_default(), meta.role),
        None => Ok(()),
    }
}

/// Runs the operation so that a refusal leaves no trace. Reads need no savepoint.
fn attempt<T>(
    cx: &mut Cx<'_>,
    method: Method,
    run: impl FnOnce(&mut Cx<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    if method == Method::Get {
        return run(cx);
    }
    cx.db.run("SAVEPOINT operation", ());
    let result = run(cx);
    if result.is_err() {
        cx.db.run("ROLLBACK TO operation", ());
    }
    cx.db.run("RELEASE operation", ());
    result
}

/// A caller's view of a world, for calls as somebody else than the first user.
pub struct Session<'s> {
    sim: &'s mut Simulator,
    caller: Result<Caller, Error>,
}

impl Session<'_> {
    /// Makes one typed call as this caller.
    pub fn call<O: Operation>(&mut self, operation: O) -> Result<O::Output, Error> {
        self.sim.call_as(self.caller.clone(), operation)
    }
}
