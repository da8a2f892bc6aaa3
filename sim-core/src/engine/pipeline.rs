//! The way of a call through its stages, in one transaction, into the journal.
//!
//! Credentials, rate limit, route, validation, permission, existence, state, effect: each may refuse, and what is
//! refused changes nothing but the rate count and the journal.

use serde_json::Value;

use super::beside::Lines;
use super::builder::Setup;
use super::cx::Cx;
use super::db::Db;
use super::error::Error;
use super::fetch::Outside;
use super::identity::{self, Bearer, Caller};
use super::jobs;
use super::journal::{self, Origin, Row, Stage};
use super::manner::Manner;
use super::operation::{Access, Method, Payload};
use super::rate::{self, Standing};
use super::registry::{Matched, Registered, Registry};
use super::schema::MASK;
use super::store::Inside;
use super::time::{Pace, Timestamp};
use super::wire::{Answer, Sent, Success};

/// What changes with every call and is kept at hand. All of it is also in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub now: Timestamp,
    pub calls: u64,
    pub hash: [u8; 32],
}

/// Who knocks, as far as the transport knows.
pub(crate) enum Credentials<'a> {
    None,
    Text(&'a str),
    /// By token number, from a replay file.
    Known(Origin),
    /// In process, looked up already.
    Caller(Result<Caller, Error>),
}

/// The world as a call finds it.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub setup: &'a Setup,
    pub registry: &'a Registry,
    pub inside: Inside<'a>,
    pub head: Head,
    /// Where operations write to logs, if anybody reads them.
    pub lines: Option<&'a Lines>,
}

/// Passes one call through all stages, around `read` (validation) and `run` (existence, state, effect).
pub(crate) fn pass(
    site: Site<'_>,
    sent: &Sent<'_>,
    credentials: &Credentials<'_>,
    route: Result<Matched<'_>, Error>,
    read: impl FnOnce(&Matched<'_>) -> Result<Value, Error>,
    run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Payload, Error>,
) -> (Answer, Head) {
    let Site { setup, registry, inside, head, lines } = site;
    let call = head.calls + 1;
    let outside = Outside::new(setup);
    let cx = Cx { outside: Some(&outside), lines, ..setup.cx(inside, head.now, &Caller::Control, call) };
    let mut trail = Trail::new(setup, registry.service.manner);
    let outcome = trail.walk(&cx, sent, credentials, route, read, run);
    if outcome.is_ok() && sent.method != Method::Get.as_str() {
        settle(setup, registry, inside, head.now, call);
    }
    outside.write_rows(cx.db);
    let answer = Answer { call, standing: trail.standing, outcome };
    let hash = trail.write_row(cx.db, sent, &answer, &head);
    (answer, Head { calls: call, hash, ..head })
}

/// Does what this call scheduled for right now: zero delays, and everything where the pace is instant.
fn settle(setup: &Setup, registry: &Registry, inside: Inside<'_>, now: Timestamp, call: u64) {
    if setup.policy.pace == Pace::Manual {
        return;
    }
    let mut cx = setup.cx(inside, now, &Caller::Control, call);
    while let Some(job) = jobs::take(&cx, now) {
        cx.call = job.caused_by_call;
        jobs::perform(&mut cx, &registry.tasks, job);
    }
}

/// How far a call came, and what the journal needs to know of it.
struct Trail<'a> {
    setup: &'a Setup,
    manner: &'static Manner,
    caller: Option<Origin>,
    operation: Option<&'static str>,
    standing: Option<Standing>,
    refused_by: Option<Stage>,
    masked_request: Option<String>,
    masked_response: Option<String>,
}

impl<'a> Trail<'a> {
    fn new(setup: &'a Setup, manner: &'static Manner) -> Trail<'a> {
        Trail {
            setup,
            manner,
            caller: None,
            operation: None,
            standing: None,
            refused_by: None,
            masked_request: None,
            masked_response: None,
        }
    }

    fn walk(
        &mut self,
        cx: &Cx<'_>,
        sent: &Sent<'_>,
        credentials: &Credentials<'_>,
        route: Result<Matched<'_>, Error>,
        read: impl FnOnce(&Matched<'_>) -> Result<Value, Error>,
        run: impl FnOnce(&Matched<'_>, Value, &mut Cx<'_>) -> Result<Payload, Error>,
    ) -> Result<Success, Error> {
        let operation = route.as_ref().ok().map(|matched| matched.operation);
        self.mask_request(sent, operation);
        let access =
            operation.map_or_else(|| access_at(&sent.target), |operation| operation.entry.meta.access);
        let caller = self.at(Stage::Credentials, admit(cx, credentials, access))?;
        self.caller = Some(match &caller {
            Caller::Control => Origin::Control,
            Caller::Anyone => Origin::Nobody,
            Caller::Token(bearer) => Origin::Token(bearer.token),
        });
        let counted = self.count(cx, &caller);
        self.at(Stage::RateLimit, counted)?;
        let matched = self.at(Stage::Route, route)?;
        self.operation = Some(matched.operation.entry.meta.id);
        let input = self.at(Stage::Validation, read(&matched))?;
        let mut cx = Cx { caller: &caller, ..*cx };
        let permitted = permit(&mut cx, matched.operation, &input);
        self.refuse_by_kind(permitted)?;
        let payload = attempt(&mut cx, matched.operation.entry.meta.method, |cx| run(&matched, input, cx));
        let payload = self.refuse_by_kind(payload)?;
        self.mask_response(matched.operation, &payload);
        Ok(Success { status: matched.operation.entry.meta.status, payload })
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
        let counts = self.manner.rate_limited && cx.policy.rate_limit.enabled;
        let (Caller::Token(bearer), true) = (caller, counts) else { return Ok(()) };
        let (standing, verdict) = rate::count(cx.db, cx.now, &cx.policy.rate_limit, &bearer.rate_bucket());
        self.standing = Some(standing);
        verdict
    }

    /// Before anything can refuse: what is refused is journalled too. Nobody knows what is secret in the body of an
    /// unknown path, so all of it is.
    fn mask_request(&mut self, sent: &Sent<'_>, operation: Option<&Registered>) {
        self.masked_request = match operation {
            _ if sent.body.is_empty() => None,
            Some(operation) if operation.input.hides() => {
                Some(operation.mask_request(sent, &self.setup.names))
            }
            Some(_) => None,
            None => Some(MASK.to_owned()),
        };
    }

    fn mask_response(&mut self, operation: &Registered, payload: &Payload) {
        if operation.output.hides() {
            self.masked_response = Some(operation.mask_response(&payload.body, &self.setup.names));
        }
    }

    fn write_row(&mut self, db: Db<'_>, sent: &Sent<'_>, answer: &Answer, head: &Head) -> [u8; 32] {
        let row = Row {
            call: answer.call,
            at: head.now,
            operation: self.operation,
            method: sent.method,
            target: &sent.target,
            caller: self.caller.unwrap_or(Origin::Nobody),
            headers: sent.recorded_headers(),
            request: Some(&*sent.body).filter(|body| !body.is_empty()),
            shown: self.masked_request.take(),
            status: answer.status(),
            refusal: answer.outcome.as_ref().err().zip(self.refused_by),
            response: &answer.body(self.manner),
            shown_response: self.masked_response.take(),
        };
        journal::write(db, &head.hash, &row, self.setup.policy.journal_calls)
    }
}

/// Who gets as far as the route check on a path that leads nowhere.
fn access_at(target: &str) -> Access {
    if target.starts_with("/_sim") { Access::Control } else { Access::Token }
}

fn admit(cx: &Cx<'_>, credentials: &Credentials<'_>, access: Access) -> Result<Caller, Error> {
    match credentials {
        _ if access == Access::Control => Ok(Caller::Control),
        _ if access == Access::Public => Ok(Caller::Anyone),
        _ if access == Access::Optional => {
            Ok(admit(cx, credentials, Access::Token).unwrap_or(Caller::Anyone))
        }
        Credentials::Caller(caller) => caller.clone(),
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
    if let Caller::Token(Bearer { scopes: Some(granted), .. }) = cx.caller
        && meta.access != Access::Optional
    {
        (operation.manner.permit)(cx, granted, meta.scope)?;
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
    let databases = cx.databases.mark();
    let result = run(cx);
    if result.as_ref().is_err_and(|error| !error.aside.as_ref().is_some_and(|aside| aside.keeps)) {
        cx.databases.go_back_to(databases);
        cx.db.run("ROLLBACK TO operation", ());
    }
    cx.db.run("RELEASE operation", ());
    result
}
