//! Caches answers to repeated reads, for clients that poll while nothing changes.
//!
//! The answer to a plain read depends only on the request, the world's rows, the time and the setup
//! ([`Answer::is_plain`](super::wire::Answer::is_plain)). As long as these stay the same, so does the answer. A call
//! answered from the cache is still a call: it has its number, its record and its place in the hash.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use bytes::Bytes;
use http::uri::{PathAndQuery, Uri};
use http::{HeaderName, HeaderValue, Method, Request, Response};
use sim_base::identity::Bearer;
use sim_base::rate::Counter;
use sim_base::time::Timestamp;
use twox_hash::XxHash64;

use super::Simulator;
use crate::engine::journal::cut::Bounds;
use crate::engine::journal::{Origin, Record};
use crate::engine::pipeline::answer;
use crate::engine::service::setup::Setup;

/// The number of cached reads, more than a client polls at a time. A read's mark determines its place.
const PLACES: usize = 256;

/// The longest answer that is cached, in bytes. So the cache of a world takes a few megabytes at most.
const LONGEST: usize = 16 << 10;

/// The last reads of an unchanged world. When the world changes, they expire.
#[derive(Default)]
pub(crate) struct ReadCache {
    scene: Option<Scene>,
    /// How many scenes there have been.
    scenes: u64,
    /// Empty at first, then one read for each place.
    reads: Vec<Read>,
}

/// Everything that an answer depends on besides the request.
pub(crate) struct Scene {
    stamp: u64,
    now: Timestamp,
    setup: Arc<Setup>,
}

/// A hash of a request: equal for equal requests, and almost always different for others.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark(u64);

#[derive(Default)]
struct Read {
    /// The scene of the read. In any other scene the read is expired.
    scene: u64,
    mark: Mark,
    /// `None` after the first such request, because most requests are not repeated.
    known: Option<Box<Known>>,
}

struct Known {
    uri: Uri,
    /// The values of the headers that the service reads.
    headers: Vec<Option<HeaderValue>>,
    response: Response<Bytes>,
    record: Record,
    bearer: Bearer,
}

impl ReadCache {
    fn known(&self, mark: Mark) -> Option<&Known> {
        let read = self.reads.get(mark.place()).filter(|read| read.is(mark, self.scenes))?;
        read.known.as_deref()
    }

    /// Expires all reads by beginning a new scene.
    fn begin(&mut self, scene: Scene) {
        self.scene = Some(scene);
        self.scenes += 1;
        self.reads.resize_with(PLACES, Read::default);
    }

    /// Notes that a request was made. When it is repeated in the same scene, stores its answer.
    fn note(&mut self, mark: Mark, known: impl FnOnce() -> Known) {
        let read = &mut self.reads[mark.place()];
        let known = read.is(mark, self.scenes).then(|| Box::new(known()));
        *read = Read { scene: self.scenes, mark, known };
    }
}

impl Read {
    fn is(&self, mark: Mark, scene: u64) -> bool {
        self.mark == mark && self.scene == scene
    }
}

impl Known {
    fn is_of(&self, request: &Request<Bytes>, read: &[HeaderName]) -> bool {
        self.uri == *request.uri() && self.headers.iter().map(Option::as_ref).eq(headers(request, read))
    }
}

impl Mark {
    fn of(request: &Request<Bytes>, read: &[HeaderName]) -> Mark {
        let mut hasher = XxHash64::default();
        request.uri().path_and_query().map(PathAndQuery::as_str).hash(&mut hasher);
        headers(request, read).for_each(|value| value.map(HeaderValue::as_bytes).hash(&mut hasher));
        Mark(hasher.finish())
    }

    fn place(self) -> usize {
        self.0 as usize % PLACES
    }
}

fn headers<'r>(
    request: &'r Request<Bytes>,
    read: &[HeaderName],
) -> impl Iterator<Item = Option<&'r HeaderValue>> {
    read.iter().map(|name| request.headers().get(name))
}

impl Simulator {
    /// The mark of a read whose answer may be cached. `None` if a read may move the clock, or if another service or
    /// an event server is involved.
    pub(super) fn mark(&self, request: &Request<Bytes>) -> Option<Mark> {
        let is_read = request.method() == Method::GET && request.body().is_empty();
        let moves_clock = self.setup.policy.moves_clock();
        let asks_others = self.beside.is_some() || self.setup.events.is_some();
        let is_plain = is_read && !moves_clock && !asks_others;
        is_plain.then(|| Mark::of(request, self.registry.headers_read()))
    }

    /// The scene as it is now.
    pub(super) fn scene(&self) -> Scene {
        Scene { stamp: self.store.stamp(), now: self.head.now, setup: Arc::clone(&self.setup) }
    }

    /// Answers a read from the cache, if only the rate limit's headers and the call's number would differ. The call
    /// is counted and recorded.
    pub(super) fn answer_from_cache(
        &mut self,
        mark: Mark,
        request: &Request<Bytes>,
    ) -> Option<Response<Bytes>> {
        let known = self.read_cache.known(mark).filter(|_| self.reads_repeat())?;
        if !known.is_of(request, self.registry.headers_read()) {
            return None;
        }
        let counter = Counter::of(&self.windows);
        if counter.is_blocked(self.head.now, known.bearer.bucket()) {
            return None;
        }
        let mut standing = None;
        if self.setup.counts_calls() {
            let limit = &self.setup.policy.rate_limit;
            let (stands, verdict) = counter.count(self.head.now, limit, known.bearer.bucket());
            verdict.ok()?;
            standing = Some(stands);
        }
        let (mut response, record) = (known.response.clone(), known.record.clone());
        self.count(counter.into_changes());
        self.record_call(record.seal(self.journal.hash(), None, Bounds::of(&self.setup.policy)));
        let headers = response.headers_mut();
        headers.insert(answer::CALL, self.journal.calls().into());
        standing.into_iter().for_each(|standing| answer::tell(standing, headers));
        Some(response)
    }

    /// Caches the answer to a plain read. Does nothing if the scene is no longer `before`, because then the read
    /// changed something.
    pub(super) fn remember(
        &mut self,
        mark: Mark,
        before: Scene,
        request: &Request<Bytes>,
        response: &Response<Bytes>,
    ) {
        if !self.is_scene(&before) || response.body().len() > LONGEST {
            return;
        }
        if !self.reads_repeat() {
            self.read_cache.begin(before);
        }
        // The policy may let the journal keep no calls.
        let Some(record) = self.journal.last() else { return };
        let Origin::Token(token) = record.caller else { return };
        if record.texts.cuts().is_some() {
            // The hash of the next call needs the whole answer.
            return;
        }
        let Some(bearer) = self.last_caller.of(token) else { return };
        self.read_cache.note(mark, || Known {
            uri: request.uri().clone(),
            headers: headers(request, self.registry.headers_read()).map(Option::<&_>::cloned).collect(),
            response: response.clone(),
            record: record.clone(),
            bearer: bearer.clone(),
        });
    }

    /// Whether the world is unchanged since the cached reads.
    fn reads_repeat(&self) -> bool {
        self.read_cache.scene.as_ref().is_some_and(|scene| self.is_scene(scene))
    }

    fn is_scene(&self, scene: &Scene) -> bool {
        scene.stamp == self.store.stamp()
            && scene.now == self.head.now
            && Arc::ptr_eq(&scene.setup, &self.setup)
    }
}
