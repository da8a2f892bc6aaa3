//! Keeps one record per call, chained by a rolling hash: the request, the answer, and the reason for the answer.

pub(crate) mod cause;
pub(crate) mod coverage;
pub(crate) mod cut;
pub(crate) mod explain;
pub(crate) mod search;
pub(crate) mod tokens;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use sim_base::ToSchema;
use sim_base::error::{Error, Fact, Kind};
use sim_base::log::{COUNTED, Log};
use sim_base::operation::Role;
use sim_base::request::Sent;
use sim_base::schema::MASK;
use sim_base::time::{Timestamp, micros};
use sim_base::upload::Blob;
use twox_hash::XxHash3_128;

use self::coverage::Tally;
use self::cut::{Bounds, CutBody, Cuts};
use self::tokens::Tokens;
use crate::engine::service::names::Names;
use crate::engine::service::registry::Registry;

/// The stages of a call, in the order in which they may refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
#[non_exhaustive]
pub enum Stage {
    Fault,
    AddressLimit,
    Credentials,
    RateLimit,
    Route,
    Validation,
    Permission,
    Existence,
    State,
    Effect,
}

impl Stage {
    /// All stages, first to last.
    pub const ALL: [Stage; 10] = [
        Stage::Fault,
        Stage::AddressLimit,
        Stage::Credentials,
        Stage::RateLimit,
        Stage::Route,
        Stage::Validation,
        Stage::Permission,
        Stage::Existence,
        Stage::State,
        Stage::Effect,
    ];

    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Stage::Fault => "fault",
            Stage::AddressLimit => "address_limit",
            Stage::Credentials => "credentials",
            Stage::RateLimit => "rate_limit",
            Stage::Route => "route",
            Stage::Validation => "validation",
            Stage::Permission => "permission",
            Stage::Existence => "existence",
            Stage::State => "state",
            Stage::Effect => "effect",
        }
    }

    /// The stage that an operation's own refusal belongs to.
    pub(crate) fn of_refusal(error: &Error) -> Stage {
        match error.kind {
            Kind::Forbidden => Stage::Permission,
            Kind::NotFound => Stage::Existence,
            _ => Stage::State,
        }
    }
}

/// Who called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Nobody known: there was no token, or no valid one.
    Nobody,
    /// The simulator's driver.
    Control,
    /// The bearer of the token with this number.
    Token(i64),
}

/// A call in the journal. Secrets are masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Call {
    /// Its number, from 1.
    pub call: u64,
    /// Its time.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The id of the operation; absent when the path belongs to none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Who called.
    pub caller: Origin,
    /// The body of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Length and digest of a request body that the journal does not keep.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_cut: Option<CutBody>,
    /// The caller's role in the organization, when the call got that far.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub role: Option<String>,
    /// The status of the project before the call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<String>,
    /// The status of the answer.
    pub status: u16,
    /// The reason of a refusal, as in the header `x-sim-reason`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The stage that refused the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<Stage>,
    /// The facts that the stage checked.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facts: Vec<Fact>,
    /// The body of the answer, before a fault changed it.
    pub response: String,
    /// Length and digest of an answer that the journal does not keep.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub response_cut: Option<CutBody>,
    /// Fields of the call that had no effect: `body.foo`, `query.bar`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ignored: Vec<String>,
    /// The fault rule that applied, and its effect: `rule 2: lost_answer`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<String>,
    /// Rolling hash over this and all earlier calls, 32 hex digits.
    pub hash: String,
}

impl Call {
    /// Whether the call was refused for this reason. `invalid_body` matches with any field, as in `invalid_body.name`.
    pub fn is_refused_for(&self, reason: &str) -> bool {
        is_reason(reason, self.reason.as_deref())
    }
}

/// Whether a call's reason is the wanted one, with any field at its end.
fn is_reason(wanted: &str, reason: Option<&str>) -> bool {
    let rest = reason.and_then(|reason| reason.strip_prefix(wanted));
    rest.is_some_and(|field| field.is_empty() || field.starts_with('.'))
}

impl Origin {
    /// The number that represents it in the hash.
    fn number(self) -> i64 {
        match self {
            Origin::Nobody => -1,
            Origin::Control => 0,
            Origin::Token(id) => id,
        }
    }
}

/// How many calls and events the journal has dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dropped {
    /// Calls.
    pub calls: u64,
    /// Events of the history.
    pub events: u64,
}

/// A call as the journal stores it. Holds more than [`Call`] shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub at: Timestamp,
    pub operation: Option<Cow<'static, str>>,
    pub method: Cow<'static, str>,
    #[serde(flatten)]
    pub texts: Texts,
    pub caller: Origin,
    /// The headers that a replay must send again, as JSON.
    pub headers: Option<Box<str>>,
    pub role: Option<Role>,
    pub state: Option<Cow<'static, str>>,
    pub status: u16,
    pub refusal: Option<Box<Refusal>>,
    /// What it sent that has no effect, separated by commas.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ignored: Option<Box<str>>,
    /// What a fault rule did to it.
    pub fault: Option<Box<str>>,
    /// In a world of two services, how many calls the other one had answered by then.
    pub beside: Option<u64>,
    /// Rolling hash over this and all earlier calls.
    #[serde(with = "hash_as_text")]
    pub hash: u128,
}

/// Target, request body and answer in one allocation. A world keeps ten thousand of these, and separate allocations
/// would be scattered across memory.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Parts")]
pub(crate) struct Texts {
    whole: Box<[u8]>,
    target_end: usize,
    request_end: usize,
    /// What is left of bodies that are not kept; they are empty here.
    cuts: Option<Box<Cuts>>,
}

/// The serialized form of [`Texts`], for deserializing.
#[derive(Deserialize)]
struct Parts {
    target: String,
    request: Blob,
    response: Blob,
    #[serde(default)]
    cuts: Option<Box<Cuts>>,
}

impl Texts {
    pub(crate) fn new(target: &str, request: &[u8], response: &[u8]) -> Texts {
        let whole = [target.as_bytes(), request, response].concat().into();
        Texts { whole, target_end: target.len(), request_end: target.len() + request.len(), cuts: None }
    }

    /// The same without the bodies that are longer than the bounds.
    fn within(&self, bounds: Bounds) -> Option<Texts> {
        let cuts = Cuts {
            request: CutBody::beyond(bounds.request_bytes, self.request()),
            response: CutBody::beyond(bounds.answer_bytes, self.response()),
        };
        (cuts != Cuts::default()).then(|| Texts {
            cuts: Some(Box::new(cuts.clone())),
            ..Texts::new(
                self.target(),
                kept(&cuts.request, self.request()),
                kept(&cuts.response, self.response()),
            )
        })
    }

    /// What is left of the bodies that are not kept.
    pub(crate) fn cuts(&self) -> Option<&Cuts> {
        self.cuts.as_deref()
    }

    /// Path and query.
    pub(crate) fn target(&self) -> &str {
        str::from_utf8(&self.whole[..self.target_end]).expect("it was a text")
    }

    /// The body as sent. The hash covers it, also where it is cut.
    pub(crate) fn request(&self) -> &[u8] {
        &self.whole[self.target_end..self.request_end]
    }

    /// The body as answered. The hash covers it unmasked; once hashed, its secrets are masked.
    pub(crate) fn response(&self) -> &[u8] {
        &self.whole[self.request_end..]
    }
}

impl From<Parts> for Texts {
    fn from(Parts { target, request, response, cuts }: Parts) -> Texts {
        Texts { cuts, ..Texts::new(&target, &request.0, &response.0) }
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [request, response] =
            [self.request(), self.response()].map(|bytes| Base64Display::new(bytes, &STANDARD));
        let mut parts = serializer.serialize_struct("Texts", 3 + usize::from(self.cuts.is_some()))?;
        parts.serialize_field("target", self.target())?;
        parts.serialize_field("request", &format_args!("{request}"))?;
        parts.serialize_field("response", &format_args!("{response}"))?;
        if let Some(cuts) = &self.cuts {
            parts.serialize_field("cuts", cuts)?;
        }
        parts.end()
    }
}

/// Why a call was refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Refusal {
    pub stage: Stage,
    pub reason: Cow<'static, str>,
    pub facts: Vec<Fact>,
}

impl Record {
    /// Completes the record: computes its hash from `before` and its content. Then replaces the answer by `masked`,
    /// if given, and cuts bodies that are longer than the bounds.
    pub(crate) fn seal(mut self, before: u128, masked: Option<String>, bounds: Bounds) -> Record {
        let Record { method, texts, .. } = &self;
        let texts = [method.as_bytes(), texts.target().as_bytes(), texts.request(), texts.response()];
        let mut whole = Vec::with_capacity(128);
        whole.extend_from_slice(&before.to_le_bytes());
        whole.extend_from_slice(&micros(self.at).to_le_bytes());
        whole.extend_from_slice(&self.caller.number().to_le_bytes());
        whole.extend_from_slice(&self.status.to_le_bytes());
        texts.iter().for_each(|text| whole.extend(XxHash3_128::oneshot(text).to_le_bytes()));
        self.hash = XxHash3_128::oneshot(&whole);
        if let Some(masked) = masked {
            self.texts = Texts::new(self.texts.target(), self.texts.request(), masked.as_bytes());
        }
        let is_unknown = self.refusal.as_ref().is_some_and(|refusal| refusal.stage == Stage::Credentials);
        if let Some(texts) = self.texts.within(if is_unknown { bounds.of_unknown() } else { bounds }) {
            self.texts = texts;
        }
        self
    }

    /// Its approximate size in memory.
    fn bytes(&self) -> u64 {
        let texts = [self.headers.as_deref(), self.fault.as_deref()].into_iter().flatten().map(str::len);
        let facts = self.refusal.iter().flat_map(|refusal| &refusal.facts).map(|fact| fact.value.len() + 64);
        (self.texts.whole.len() + texts.chain(facts).sum::<usize>() + size_of::<Record>()) as u64
    }

    /// The headers that a replay must send again.
    pub(crate) fn headers(&self) -> BTreeMap<String, String> {
        let read = |text| serde_json::from_str(text).expect("headers were written as JSON");
        self.headers.as_deref().map(read).unwrap_or_default()
    }

    fn shown(&self, number: u64, onlooker: &Onlooker<'_>) -> Call {
        let refusal = self.refusal.as_deref();
        let words = |text: &str| onlooker.tokens.masked_in_words(text).into_owned();
        let body = |text: String| onlooker.tokens.masked_in_body(&text).into_owned();
        let facts = refusal.iter().flat_map(|refusal| &refusal.facts);
        Call {
            call: number,
            at: self.at,
            operation: self.operation.as_deref().map(str::to_owned),
            method: self.method.clone().into_owned(),
            target: onlooker.target(self).into_owned(),
            caller: self.caller,
            request: onlooker.request(self).map(body),
            role: self.role.map(|role| role.as_str().to_owned()),
            state: self.state.clone().map(Cow::into_owned),
            status: self.status,
            reason: refusal.map(|refusal| words(&refusal.reason)),
            refused_by: refusal.map(|refusal| refusal.stage),
            facts: facts.map(|fact| Fact { value: words(&fact.value), ..fact.clone() }).collect(),
            request_cut: self.texts.cuts().and_then(|cuts| cuts.request.clone()),
            response: match self.texts.cuts().and_then(|cuts| cuts.response.as_ref()) {
                Some(cut) => cut.to_string(),
                None => body(text(self.texts.response())),
            },
            response_cut: self.texts.cuts().and_then(|cuts| cuts.response.clone()),
            ignored: self.ignored.iter().flat_map(|names| names.split(',')).map(str::to_owned).collect(),
            fault: self.fault.as_deref().map(str::to_owned),
            hash: hash_text(self.hash),
        }
    }
}

/// The body, unless it is cut.
fn kept<'b>(cut: &Option<CutBody>, body: &'b [u8]) -> &'b [u8] {
    if cut.is_some() { &[] } else { body }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Shows calls with secrets masked. The service and the operation determine what is secret, and the world which tokens
/// it knows.
pub(crate) struct Onlooker<'a> {
    pub registry: &'static Registry,
    pub names: &'a Names,
    pub tokens: Tokens<'a>,
}

impl Onlooker<'_> {
    /// Path and query of a call, with tokens masked.
    pub(crate) fn target<'c>(&self, call: &'c Record) -> Cow<'c, str> {
        self.tokens.in_target_of(self.registry.service.manner, call.texts.target())
    }

    /// The reason of a refusal, with tokens masked: it may name a field that the caller sent.
    pub(crate) fn reason<'c>(&self, call: &'c Record) -> Option<Cow<'c, str>> {
        call.refusal.as_deref().map(|refusal| self.tokens.masked_in_words(&refusal.reason))
    }

    /// The body of a call as sent, with secrets masked. For an unknown path, any part of the body may be secret, so
    /// all of it is masked.
    fn request(&self, call: &Record) -> Option<String> {
        if let Some(cut) = call.texts.cuts().and_then(|cuts| cuts.request.as_ref()) {
            return Some(cut.to_string());
        }
        let body = Some(call.texts.request()).filter(|body| !body.is_empty())?;
        let Some(operation) = call.operation.as_deref().and_then(|id| self.registry.known(id)) else {
            return Some(MASK.to_owned());
        };
        if !operation.input().hides() {
            return Some(text(body));
        }
        let headers = call.headers();
        let header = |name| headers.get(name).map(String::as_str);
        let sent = Sent {
            content_type: header("content-type"),
            basic: header("authorization").and_then(|text| text.strip_prefix("Basic ")),
            body: body.into(),
            ..Sent::default()
        };
        Some(operation.mask_request(&sent, self.names))
    }
}

/// The calls of a world, as far back as its policy keeps them. A clone copies a pointer.
#[derive(Clone, Default)]
pub(crate) struct Journal {
    records: Log<Record>,
    /// Rolling hash over all calls.
    hash: u128,
    /// Coverage counts of the dropped calls.
    tally: Arc<Tally>,
    /// The approximate size of the records in memory.
    bytes: u64,
}

/// The records that a journal has gained since an earlier state, as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Continuation<'j> {
    records: Vec<Cow<'j, Record>>,
    /// If there is no earlier state: how many calls were dropped, and their coverage counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dropped: Option<(u64, Tally)>,
    #[serde(with = "hash_as_text")]
    hash: u128,
}

impl Continuation<'_> {
    /// Whether a journal can have written it.
    pub(crate) fn is_sound(&self) -> bool {
        let is_read = |text: &str| serde_json::from_str::<BTreeMap<String, String>>(text).is_ok();
        let counts = self.dropped.as_ref().is_none_or(|(dropped, _)| *dropped <= COUNTED);
        counts && self.records.iter().all(|record| record.headers.as_deref().is_none_or(is_read))
    }
}

impl Journal {
    /// Adds the next call. From time to time drops the oldest calls, as the bounds say.
    pub(crate) fn add(&mut self, record: Record, bounds: Bounds) {
        self.hash = record.hash;
        self.bytes += record.bytes();
        let Journal { records, tally, bytes, .. } = self;
        let mut leaves = |leaving: &Record| {
            Arc::make_mut(tally).add(leaving);
            *bytes -= leaving.bytes();
        };
        records.add(record, bounds.calls, &mut leaves);
        if self.bytes > bounds.bytes.saturating_add(bounds.bytes / 8) {
            self.shrink_to(bounds.bytes);
        }
    }

    /// Drops the oldest calls until the others take at most `most` bytes.
    fn shrink_to(&mut self, most: u64) {
        let mut last = self.dropped();
        let sizes = self.numbered(1).map(|(number, record)| (number, record.bytes()));
        let mut left = self.bytes;
        for (number, bytes) in sizes {
            if left <= most {
                break;
            }
            (last, left) = (number, left - bytes);
        }
        let tally = Arc::make_mut(&mut self.tally);
        self.records.drop_until(last, |leaving| tally.add(leaving));
        self.bytes = left;
    }

    /// How many calls it no longer holds.
    pub(crate) fn dropped(&self) -> u64 {
        self.records.dropped()
    }

    pub(crate) fn last(&self) -> Option<&Record> {
        self.records.last()
    }

    /// All calls that it holds, first to last.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Record> {
        self.numbered(1).map(|(_, record)| record)
    }

    /// The calls that it holds from number `from` on, each with its number.
    pub(crate) fn numbered(&self, from: u64) -> impl Iterator<Item = (u64, &Record)> {
        self.records.numbered(from)
    }

    /// All calls that it holds, as they are shown.
    pub(crate) fn shown<'a>(&'a self, onlooker: &'a Onlooker<'a>) -> impl Iterator<Item = Call> + 'a {
        self.numbered(1).map(|(number, record)| record.shown(number, onlooker))
    }

    /// At most `limit` calls from number `from` on.
    pub(crate) fn read(&self, from: u64, limit: u64, onlooker: &Onlooker<'_>) -> Vec<Call> {
        let calls = self.numbered(from).map(|(number, record)| record.shown(number, onlooker));
        calls.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect()
    }

    /// Call `number`, if the journal holds it.
    pub(crate) fn call(&self, number: u64, onlooker: &Onlooker<'_>) -> Option<Call> {
        self.records.get(number).map(|record| record.shown(number, onlooker))
    }

    /// The record of call `number`, if the journal holds it.
    pub(crate) fn record(&self, number: u64) -> Option<&Record> {
        self.records.get(number)
    }

    /// Coverage counts of all calls, including dropped ones.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::clone(&self.tally);
        self.records().for_each(|record| tally.add(record));
        tally
    }

    /// Whether this journal continues `before`, as far as the calls it still holds can tell.
    pub(crate) fn continues(&self, before: &Journal) -> bool {
        let last = self.records.get(before.calls()).map_or(0, |record| record.hash);
        before.calls() + 1 > self.dropped() && last == before.hash
    }

    /// The calls added since `before`, which this journal continues. Without `before`, all calls that it holds.
    pub(crate) fn since(&self, before: Option<&Journal>) -> Continuation<'_> {
        let known = before.map_or(self.dropped(), Journal::calls);
        let records = self.numbered(known + 1).map(|(_, record)| Cow::Borrowed(record)).collect();
        let dropped = before.is_none().then(|| (self.dropped(), Tally::clone(&self.tally)));
        Continuation { records, dropped, hash: self.hash }
    }

    /// Applies a continuation that another journal wrote.
    pub(crate) fn go_on(&mut self, continuation: Continuation<'_>, bounds: Bounds) {
        if let Some((dropped, tally)) = continuation.dropped {
            *self = Journal { records: Log::after(dropped), tally: Arc::new(tally), ..Journal::default() };
        }
        continuation.records.into_iter().for_each(|record| self.add(record.into_owned(), bounds));
        self.hash = continuation.hash;
    }

    /// The calls, without hash and coverage counts.
    pub(crate) fn into_records(self) -> Log<Record> {
        self.records
    }

    /// How many calls there were.
    pub(crate) fn calls(&self) -> u64 {
        self.records.count()
    }

    /// The rolling hash over all calls.
    pub(crate) fn hash(&self) -> u128 {
        self.hash
    }
}

/// Formats a rolling hash as 32 hex digits. The hash tells whether two worlds had the same calls. It does not
/// authenticate the journal.
pub(crate) fn hash_text(hash: u128) -> String {
    format!("{hash:032x}")
}

/// Serializes a rolling hash as 32 hex digits.
mod hash_as_text {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(hash: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::hash_text(*hash))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16).map_err(de::Error::custom)
    }
}
