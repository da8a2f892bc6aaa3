//! Calls: typed ones and HTTP requests go through the same stages.

use std::borrow::Cow;
use std::convert::Infallible;

use bytes::Bytes;
use http::{Request, Response};
use serde_json::Value;
use sim_base::cx::Cx;
use sim_base::error::{Error, Kind};
use sim_base::fetch;
use sim_base::identity::{self, Caller};
use sim_base::log_line::Lines;
use sim_base::operation::{Meta, Operation, Payload};
use sim_base::rate::{self, Counter};
use sim_base::request::Sent;
use sim_base::store::Inside;

use super::Simulator;
use super::beside;
use crate::engine::fault::Strike;
use crate::engine::journal::cut::Bounds;
use crate::engine::journal::{Origin, Record};
use crate::engine::pipeline::answer::Answer;
use crate::engine::pipeline::{self, Credentials, Passed, Site};
use crate::engine::service::contract::{Contract, Matched};
use crate::engine::service::input::{self, Input};

impl Simulator {
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
        let route = setup.contract().route_in(&setup.names, request.method().as_str(), request.uri().path());
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
