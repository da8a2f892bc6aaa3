//! Passes a call through its stages, in one transaction, and makes its journal record.
//!
//! The stages are credentials, rate limit, route, validation, permission, existence, state and effect. Each stage
//! may refuse the call. A refused call changes only the rate count and the journal, unless its error keeps what was
//! done so far.

pub(crate) mod answer;
mod late;

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request};
use serde_json::Value;
use sim_base::cx::{Cx, Noted};
use sim_base::db::Db;
use sim_base::error::Error;
use sim_base::fetch::{Beside, Outside};
use sim_base::history::Happened;
use sim_base::identity::{self, Bearer, Caller};
use sim_base::jobs::{self, Taken, TaskEntry};
use sim_base::last_caller::KnownCaller;
use sim_base::log_line::Lines;
use sim_base::manner::Manner;
use sim_base::operation::{Access, Method, Payload, Resource};
use sim_base::policy::{Answers, RateClass, RateScope};
use sim_base::rate::{Bucket, Counter, NamedStanding, Standing};
use sim_base::request::Sent;
use sim_base::store::{Inside, Store};
use sim_base::time::{Pace, Timestamp};

use crate::engine::fault::{self, Effect, Faults, Past, Strike};
use crate::engine::journal::cut::Bounds;
use crate::engine::journal::{Journal, Origin, Record, Refusal, Stage, Texts};
use crate::engine::service::contract::{Matched, Registered};
use crate::engine::service::input::{self, Input};
use crate::engine::service::names::Way;
use crate::engine::service::setup::Setup;
use crate::engine::service::unknown;
use answer::{Answer, Success};
use late::LateCall;

/// Fault rules: part of every service.
pub(crate) const FAULTS: Resource =
    Resource { tables: fault::TABLES, operations: fault::OPERATIONS, tasks: &[TaskEntry::of::<LateCall>()] };

/// Cached values that may change with every call. All of them are also in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub now: Timestamp,
    pub faults: Faults,
}

/// The caller's credentials, as far as the transport knows them.
pub(crate) enum Credentials<'a> {
    None,
    Text(&'a str),
    /// By token number, from a replay file.
    Known(Origin),
    /// In process: those of the first user.
    First,
    /// In process: a caller that was already looked up.
    Caller(Result<Caller, Error>),
}

/// The state of the world before a call.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub setup: &'a Setup,
    pub inside: Inside<'a>,
    pub past: &'a Past,
    pub head: Head,
    pub journal: &'a Journal,
    pub counter: &'a Counter<'a>,
    pub known_caller: &'a KnownCaller,
    /// Where operations write log lines, if anybody reads logs.
    pub lines: Option<&'a Lines>,
    /// In a world of two services, how many calls the other one has answered.
    pub beside: Option<u64>,
    /// The other service, which this one can ask.
    pub other: Option<&'a dyn Beside>,
}

/// The results of a call that has gone through the stages.
pub(crate) struct Passed {
    pub answer: Answer,
    pub head: Head,
    pub record: Record,
    /// Background work that ran with the call.
    pub happened: Vec<Happened>,
}

/// Passes one call through all stages, around `read` (validation) and `run` (existence, state, effect).
pub(crate) fn pass(
    site: Site<'_>,
    sent: &Sent<'_>,
    credentials: &Credentials<'_>,
    route: Result<Matched<'_>, Error>,
    read: impl FnOnce(&Matched<'_>) -> Result<Input, Error>,
    run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Payload, Error>,
) -> Passed {
    let Site { setup, inside, past, mut head, journal, counter, known_caller, lines, beside, other } = site;
    let call = journal.calls() + 1;
    let outside = Outside::new(setup.fetcher.as_ref(), &setup.recorded, other);
    let noted = Noted::default();
    let cx = Cx {
        outside: Some(&outside),
        noted: Some(&noted),
        counter: Some(counter),
        lines,
        known_caller: Some(known_caller),
        ..setup.cx(inside, head.now, &Caller::Control, call)
    };
    let mut trail = Trail::new(setup, sent);
    let operation = route.as_ref().ok().map(|matched| matched.operation);
    if head.faults.rules > 0 {
        trail.meet_faults(&cx, sent, credentials, route.as_ref().ok(), past);
    }
    let outcome = trail
        .walk(&cx, sent, credentials, route, read, run)
        .map_err(|error| setup.names.spell_error(error, sent).bounded());
    let mut happened = Vec::new();
    if (outcome.is_ok() || trail.broken_off) && sent.method != Method::Get.as_str() {
        if noted.due.get() {
            happened = settle(&cx);
        }
        if sent.target.starts_with(fault::PATH) {
            head.faults = Faults::of(cx.db);
        }
    }
    outside.write_rows(cx.db, setup.policy.journal_calls);
    let is_plain = head.faults.rules == 0
        && setup.policy.answers == Answers::Plain
        && setup.policy.rate_limits.is_empty()
        && outcome.is_ok()
        && matches!(trail.caller, Some(Origin::Token(_)))
        && trail.masked_response.is_none()
        && !inside.databases.were_asked();
    let ignored = unknown::listed(&noted.ignored.borrow());
    let mut answer = Answer {
        call,
        standing: trail.standing,
        windows: std::mem::take(&mut trail.windows),
        outcome,
        strike: trail.strike.take(),
        made: None,
        is_plain: is_plain && ignored.is_empty(),
        ignored,
        user: user_header(&cx, setup, trail.caller),
    };
    let (masked, bounds) = (trail.masked_response.take(), Bounds::of(&setup.policy));
    let record = trail.record(&cx, sent, &answer, beside).seal(journal.hash(), masked, bounds);
    answer.apply_fault();
    if let Some(operation) = operation.filter(|one| one.entry.meta.access != Access::Control) {
        answer.vary(operation, setup);
    }
    Passed { answer, head, record, happened }
}

/// The header that names the caller, in worlds whose profile has a name for the server of user accounts.
fn user_header(cx: &Cx<'_>, setup: &Setup, caller: Option<Origin>) -> Option<(HeaderName, HeaderValue)> {
    let name = setup.names.spell(Way::Out, "auth_server_id")?;
    let Some(Origin::Token(token)) = caller else { return None };
    let sql = "SELECT uuid FROM user WHERE id = (SELECT user FROM token WHERE id = ?1)";
    let id: String = cx.db.maybe(sql, (token,), |row| row.get(0))?;
    let name = HeaderName::try_from(format!("x-{}", name.replace('_', "-"))).ok()?;
    Some((name, HeaderValue::try_from(id).ok()?))
}

/// Runs a call as part of background work. It is recorded as that work, not as a call of its own.
pub(crate) fn run_late_call(cx: &Cx<'_>, request: &Request<Bytes>, origin: Origin) -> Result<Success, Error> {
    let setup = Setup::of(cx);
    let registry = setup.registry;
    let route = setup.contract().route_in(&setup.names, request.method().as_str(), request.uri().path());
    let read = route.as_ref().map_or(&[][..], |matched| matched.operation.entry.meta.headers);
    let sent = Sent::of(request, read, registry.service.manner);
    Trail::new(setup, &sent).walk(
        cx,
        &sent,
        &Credentials::Known(origin),
        route,
        |matched| input::read(matched, &sent, setup),
        |matched, input, cx| (matched.operation.entry.run)(input, cx),
    )
}

/// Runs the work that this call scheduled for the current instant: work without delay, or all work if the pace is
/// instant.
fn settle(cx: &Cx<'_>) -> Vec<Happened> {
    let mut happened = Vec::new();
    if cx.policy.pace == Pace::Manual {
        return happened;
    }
    let tasks = Setup::of(cx).registry.tasks();
    let taken = Taken::default();
    let mut cx = Cx { outside: None, noted: None, lines: None, taken: Some(&taken), ..*cx };
    while let Some(job) = jobs::take(&cx, &taken, cx.now, usize::MAX) {
        cx.call = job.caused_by_call;
        happened.push(jobs::perform(&mut cx, tasks, job));
    }
    happened
}

/// How far a call got, and what the journal needs to know about it.
struct Trail<'a> {
    setup: &'a Setup,
    manner: &'static Manner,
    caller: Option<Origin>,
    operation: Option<&'static str>,
    standing: Option<Standing>,
    /// The windows that the call counts in, if the policy has classes of calls.
    windows: Vec<NamedStanding>,
    refused_by: Option<Stage>,
    masked_response: Option<String>,
    /// The fault rule that struck.
    strike: Option<Strike>,
    /// The earlier state that a stale read sees.
    stale: Option<Store>,
    /// The outcome of the second run, if a rule made the call run twice.
    second: Option<String>,
    /// Whether a rule broke the call off when a part of it was done.
    broken_off: bool,
}

impl<'a> Trail<'a> {
    fn new(setup: &'a Setup, sent: &Sent<'_>) -> Trail<'a> {
        Trail {
            setup,
            manner: setup.registry.service.manner_at(&sent.target),
            caller: None,
            operation: None,
            standing: None,
            windows: Vec::new(),
            refused_by: None,
            masked_response: None,
            strike: None,
            stale: None,
            second: None,
            broken_off: false,
        }
    }

    fn meet_faults(
        &mut self,
        cx: &Cx<'_>,
        sent: &Sent<'_>,
        credentials: &Credentials<'_>,
        route: Option<&Matched<'_>>,
        past: &Past,
    ) {
        let access = access_of(sent, route.map(|matched| matched.operation));
        let caller = admit(cx, credentials, access).unwrap_or(Caller::Anyone);
        let by_clients = route.is_some_and(|matched| matched.operation.entry.meta.by_clients);
        if caller == Caller::Control && !by_clients {
            return;
        }
        self.strike = fault::strike(cx, sent, caller.user(), route);
        let Some(strike) = &self.strike else { return };
        match strike.effect {
            Effect::Late { ms } => {
                cx.by_the_clock(Duration::from_millis(ms), &LateCall::of(cx, sent, origin_of(&caller)));
            }
            Effect::RateLimit { seconds } => {
                if let Caller::Token(bearer) = &caller {
                    counter(cx).block(cx.now, bearer.bucket(), seconds);
                }
            }
            Effect::Stale { calls } if sent.method == Method::Get.as_str() => self.stale = past.before(calls),
            _ => {}
        }
    }

    fn walk(
        &mut self,
        cx: &Cx<'_>,
        sent: &Sent<'_>,
        credentials: &Credentials<'_>,
        route: Result<Matched<'_>, Error>,
        read: impl FnOnce(&Matched<'_>) -> Result<Input, Error>,
        run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Payload, Error>,
    ) -> Result<Success, Error> {
        let operation = route.as_ref().ok().map(|matched| matched.operation);
        self.operation = operation.map(|operation| operation.entry.meta.id);
        let admitted = admit(cx, credentials, access_of(sent, operation));
        self.caller = admitted.as_ref().ok().map(origin_of);
        if let Some(strike) = &self.strike {
            let harmed = strike.refusal(operation).map_or(Ok(()), Err);
            self.at(Stage::Fault, harmed)?;
        }
        let counted = self.count_address(cx, sent, route.as_ref().ok());
        self.at(Stage::AddressLimit, counted)?;
        let caller = self.at(Stage::Credentials, admitted)?;
        let counted = self.count(cx, &caller, route.as_ref().ok());
        self.at(Stage::RateLimit, counted)?;
        let matched = self.at(Stage::Route, route)?;
        let Input { fields: input, unknown, .. } = self.at(Stage::Validation, read(&matched))?;
        if let Some(noted) = cx.noted.filter(|_| !unknown.is_empty()) {
            noted.ignored.borrow_mut().extend(unknown);
        }
        let told = tell_what_is_ignored(cx, sent, matched.operation, &input);
        self.at(Stage::Validation, told)?;
        let mut cx = Cx { caller: &caller, ..*cx };
        let permitted = permit(&mut cx, matched.operation, &input);
        self.refuse_by_kind(permitted)?;
        let method = matched.operation.entry.meta.method;
        let again = self.comes_twice().then(|| input.clone());
        if let Some(done) = self.strike.as_ref().and_then(Strike::done) {
            let meta = &matched.operation.entry.meta;
            let mut first = input.clone();
            if meta.body.keep_first(&mut first, done) {
                let part = attempt(&mut cx, method, |cx| (matched.operation.entry.run)(first, cx));
                self.refuse_by_kind(part)?;
                self.broken_off = true;
            }
            let refusal = self.strike.as_ref().map(|strike| strike.broken_off(matched.operation));
            self.at(Stage::Fault, refusal.map_or(Ok(()), Err))?;
        }
        let payload = match self.stale.take() {
            Some(mut then) => {
                then.transact(|inside| run(&matched, input, &mut Setup::in_another(&cx, inside)))
            }
            None => attempt(&mut cx, method, |cx| run(&matched, input, cx)),
        };
        let payload = self.refuse_by_kind(payload)?;
        if let Some(input) = again {
            let second = attempt(&mut cx, method, |cx| (matched.operation.entry.run)(input, cx));
            self.second = Some(second.map_or_else(
                |error| format!("{} {}", error.status(), error.reason),
                |_| matched.operation.entry.meta.status.to_string(),
            ));
        }
        self.mask_response(matched.operation, &payload);
        Ok(Success { status: matched.operation.entry.meta.status, payload })
    }

    fn comes_twice(&self) -> bool {
        self.strike.as_ref().is_some_and(|strike| strike.effect == Effect::Twice)
    }

    /// The journal's text about the rule that struck.
    fn fault(&self, strike: &Strike, body: &[u8]) -> String {
        let missed = strike.missed(body);
        match &self.second {
            Some(second) => format!("{strike}, the second time {second}"),
            None if missed.is_empty() => strike.to_string(),
            None => format!("{strike}, found nothing at {}", missed.join(", ")),
        }
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

    fn count(&mut self, cx: &Cx<'_>, caller: &Caller, route: Option<&Matched<'_>>) -> Result<(), Error> {
        let is_struck =
            self.strike.as_ref().is_some_and(|strike| matches!(strike.effect, Effect::RateLimit { .. }));
        let Caller::Token(bearer) = caller else { return Ok(()) };
        // A block by a rule holds where calls are not counted, too.
        let is_blocked = || is_struck || counter(cx).is_blocked(cx.now, bearer.bucket());
        if self.setup.counts_calls() || (self.manner.rate_limited && is_blocked()) {
            let (standing, verdict) = counter(cx).count(cx.now, &cx.policy.rate_limit, bearer.bucket());
            self.standing = Some(standing);
            if !cx.policy.rate_limits.is_empty() {
                let window_ms = cx.policy.rate_limit.window_ms;
                self.windows.push(NamedStanding { name: "default".to_owned(), standing, window_ms });
            }
            verdict?;
        }
        match route {
            Some(matched) if self.manner.rate_limited && !cx.policy.rate_limits.is_empty() => {
                self.count_by_class(cx, bearer, matched)
            }
            _ => Ok(()),
        }
    }

    /// Counts the call for the limits of its address. This happens before anything is known of the caller.
    fn count_address(
        &mut self,
        cx: &Cx<'_>,
        sent: &Sent<'_>,
        route: Option<&Matched<'_>>,
    ) -> Result<(), Error> {
        let operation = route.map(|matched| matched.operation);
        let Some(address) = sent.address.filter(|_| self.manner.rate_limited) else { return Ok(()) };
        if access_of(sent, operation) == Access::Control {
            return Ok(());
        }
        let is_of = |class: &&RateClass| match operation {
            Some(operation) => class.has(&operation.entry.meta),
            None => class.operations.is_empty(),
        };
        let per_address = cx.policy.rate_limits.iter().filter(|class| class.per == RateScope::Address);
        for class in per_address.filter(is_of) {
            let window = format!("{} {address}", class.name);
            self.count_in(cx, class, Bucket::of_address(&window))?;
        }
        Ok(())
    }

    /// Counts the call in one window of a class.
    fn count_in(&mut self, cx: &Cx<'_>, class: &RateClass, bucket: Bucket<'_>) -> Result<(), Error> {
        let (standing, verdict) = counter(cx).count(cx.now, &class.limit(), bucket);
        if verdict.is_err() || self.standing.is_none_or(|known| standing.remaining < known.remaining) {
            self.standing = Some(standing);
        }
        self.windows.push(NamedStanding { name: class.name.clone(), standing, window_ms: class.window_ms });
        verdict
    }

    /// Counts the call for the limits of its classes. The headers of the whole limit tell of the one that is nearest.
    fn count_by_class(&mut self, cx: &Cx<'_>, bearer: &Bearer, matched: &Matched<'_>) -> Result<(), Error> {
        let meta = &matched.operation.entry.meta;
        let project = matched.path.iter().find(|(name, _)| *name == "ref").map(|(_, value)| value.as_str());
        let of_callers = cx.policy.rate_limits.iter().filter(|class| class.per != RateScope::Address);
        for class in of_callers.filter(|class| class.has(meta)) {
            let window = class.window(meta, project);
            self.count_in(cx, class, Bucket { class: Some(&window), ..bearer.bucket() })?;
        }
        Ok(())
    }

    fn mask_response(&mut self, operation: &Registered, payload: &Payload) {
        if operation.output().hides() {
            self.masked_response = Some(operation.mask_response(&payload.body, &self.setup.names));
        }
    }

    /// The journal record of the call, without its hash.
    fn record(&mut self, cx: &Cx<'_>, sent: &Sent<'_>, answer: &Answer, beside: Option<u64>) -> Record {
        let refusal = answer.outcome.as_ref().err().zip(self.refused_by);
        let body = answer.body(self.manner);
        Record {
            at: cx.now,
            operation: self.operation.map(Cow::Borrowed),
            method: sent.method_name(),
            texts: Texts::new(&sent.target, &sent.body, &body),
            caller: self.caller.unwrap_or(Origin::Nobody),
            headers: sent.recorded_headers().map(Into::into),
            role: cx.noted.and_then(|noted| noted.role.get()),
            state: cx.noted.and_then(|noted| noted.state.get()).map(Cow::Borrowed),
            status: answer.status(),
            refusal: refusal.map(|(error, stage)| {
                Box::new(Refusal { stage, reason: error.reason.clone(), facts: error.facts.clone() })
            }),
            ignored: Some(&*answer.ignored).filter(|names| !names.is_empty()).map(Into::into),
            fault: answer.strike.as_ref().map(|strike| self.fault(strike, &body).into()),
            beside,
            hash: 0,
        }
    }
}

fn counter<'a>(cx: &Cx<'a>) -> &'a Counter<'a> {
    cx.counter.expect("calls are counted wherever they are made")
}

/// The access needed to reach the operation or, on an unknown path, the route check.
fn access_of(sent: &Sent<'_>, operation: Option<&Registered>) -> Access {
    match operation {
        Some(operation) => operation.entry.meta.access,
        None if sent.target.starts_with("/_sim") => Access::Control,
        None => Access::Token,
    }
}

pub(crate) fn origin_of(caller: &Caller) -> Origin {
    match caller {
        Caller::Control => Origin::Control,
        Caller::Anyone => Origin::Nobody,
        Caller::Token(bearer) => Origin::Token(bearer.token),
    }
}

fn admit(cx: &Cx<'_>, credentials: &Credentials<'_>, access: Access) -> Result<Caller, Error> {
    match credentials {
        _ if access == Access::Control => Ok(Caller::Control),
        _ if access == Access::Public => Ok(Caller::Anyone),
        _ if access == Access::Optional => {
            Ok(admit(cx, credentials, Access::Token).unwrap_or(Caller::Anyone))
        }
        _ => caller(cx.db, cx.now, credentials),
    }
}

/// Returns the caller to whom the credentials belong.
pub(crate) fn caller(db: Db<'_>, now: Timestamp, credentials: &Credentials<'_>) -> Result<Caller, Error> {
    match credentials {
        Credentials::Caller(caller) => caller.clone(),
        Credentials::First => {
            identity::bearer(db, 1).map(Caller::Token).ok_or_else(|| Error::unauthorized("token_missing"))
        }
        Credentials::Text(text) => identity::authenticate(db, now, text).map(Caller::Token),
        Credentials::Known(Origin::Control) => Ok(Caller::Control),
        Credentials::Known(Origin::Token(token)) => identity::bearer(db, *token)
            .map(Caller::Token)
            .ok_or_else(|| Error::unauthorized("token_unknown")),
        Credentials::None | Credentials::Known(Origin::Nobody) => Err(Error::unauthorized("token_missing")),
    }
}

/// Marks the fields that are declared to have no effect, or refuses them if the policy says so.
fn tell_what_is_ignored(
    cx: &Cx<'_>,
    sent: &Sent<'_>,
    operation: &Registered,
    input: &Value,
) -> Result<(), Error> {
    let mut names = unknown::without_effect(operation, &sent.target, input).into_iter();
    names.try_for_each(|name| cx.without_effect(|| name))
}

fn permit(cx: &mut Cx<'_>, operation: &Registered, input: &Value) -> Result<(), Error> {
    let meta = &operation.entry.meta;
    if let Caller::Token(bearer) = cx.caller
        && meta.access != Access::Optional
    {
        (operation.manner.permit)(cx, bearer, meta, input)?;
    }
    match operation.guard {
        Some((name, guard)) => guard(cx, input[name].as_str().unwrap_or_default(), meta),
        None => Ok(()),
    }
}

/// Runs the operation. Rolls back its changes if it is refused, unless the error keeps them. Reads need no rollback.
fn attempt<T>(
    cx: &mut Cx<'_>,
    method: Method,
    run: impl FnOnce(&mut Cx<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    if method == Method::Get {
        return run(cx);
    }
    let (rows, databases) = (cx.db.mark(), cx.databases.mark());
    let result = run(cx);
    if result.as_ref().is_err_and(|error| !error.aside.as_ref().is_some_and(|aside| aside.keeps)) {
        cx.databases.go_back_to(databases);
        cx.db.go_back_to(&rows);
    }
    cx.db.forget(rows);
    result
}
