//! Answers to reads, for clients that poll: who asks again while nothing has changed is told the same again.
//!
//! What a plain read is answered follows from the request, the world's rows, the instant and the setup
//! ([`Answer::is_plain`](super::wire::Answer::is_plain)), so as long as these are the same, so is the answer. The call is a call
//! like any other: it has its number, its record and its place in the hash.

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
use crate::engine::journal::{Origin, Record};
use crate::engine::pipeline::answer;
use crate::engine::service::setup::Setup;

/// Where reads are remembered, each in the one place that its mark says: more than a client polls, or looks through, at a time.
const PLACES: usize = 256;

/// The longest answer that is kept, in bytes: what a world remembers takes some megabytes at most.
const LONGEST: usize = 16 << 10;

/// The last reads of a world that is as they found it. Where it is not, they are forgotten.
#[derive(Default)]
pub(crate) struct ReadCache {
    scene: Option<Scene>,
    /// How many scenes there were.
    scenes: u64,
    /// None at first, then one for each place.
    reads: Vec<Read>,
}

/// All that an answer follows from beside the request.
pub(crate) struct Scene {
    stamp: u64,
    now: Timestamp,
    setup: Arc<Setup>,
}

/// The same for requests that are the same, and hardly ever for others.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark(u64);

#[derive(Default)]
struct Read {
    /// The scene that it was read in; of another, nothing is known.
    scene: u64,
    mark: Mark,
    /// Nothing when it came once: most requests do not come again.
    known: Option<Box<Known>>,
}

struct Known {
    uri: Uri,
    /// Of those that are read.
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

    /// Forgets all reads: from now on they are of another scene.
    fn begin(&mut self, scene: Scene) {
        self.scene = Some(scene);
        self.scenes += 1;
        self.reads.resize_with(PLACES, Read::default);
    }

    /// Notes that the request came; when it comes again, what it was answered.
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
    /// The mark of a read whose answer may be remembered: where reads leave nothing behind and nobody else is asked.
    pub(super) fn mark(&self, request: &Request<Bytes>) -> Option<Mark> {
        let is_read = request.method() == Method::GET && request.body().is_empty();
        let moves_clock = self.setup.policy.auto_advance_ms > 0;
        let asks_others = self.beside.is_some() || self.setup.events.is_some();
        let is_plain = is_read && !moves_clock && !asks_others;
        is_plain.then(|| Mark::of(request, self.registry.headers_read()))
    }

    /// What the world is like for a call.
    pub(super) fn scene(&self) -> Scene {
        Scene { stamp: self.store.stamp(), now: self.head.now, setup: Arc::clone(&self.setup) }
    }

    /// Answers a read that was answered before, if it would be answered the same but for where the caller stands in the
    /// rate limit. Now it was.
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
        let mut standing = None;
        if self.setup.counts_calls() {
            let limit = &self.setup.policy.rate_limit;
            let (stands, verdict) = counter.count(self.head.now, limit, known.bearer.bucket());
            verdict.ok()?;
            standing = Some(stands);
        }
        let (mut response, record) = (known.response.clone(), known.record.clone());
        self.count(counter.into_changes());
        self.write_down(record.seal(self.journal.hash(), None));
        let headers = response.headers_mut();
        headers.insert(answer::CALL, self.journal.calls().into());
        standing.into_iter().for_each(|standing| answer::tell(standing, headers));
        Some(response)
    }

    /// Remembers what a plain read was answered, unless `before` was another scene: then it left something behind.
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
        // A journal may keep nothing.
        let Some(record) = self.journal.last() else { return };
        let Origin::Token(token) = record.caller else { return };
        let Some(bearer) = self.last_caller.of(token) else { return };
        self.read_cache.note(mark, || Known {
            uri: request.uri().clone(),
            headers: headers(request, self.registry.headers_read()).map(Option::<&_>::cloned).collect(),
            response: response.clone(),
            record: record.clone(),
            bearer: bearer.clone(),
        });
    }

    /// Whether the world is as it was for the reads that are remembered.
    fn reads_repeat(&self) -> bool {
        self.read_cache.scene.as_ref().is_some_and(|scene| self.is_scene(scene))
    }

    fn is_scene(&self, scene: &Scene) -> bool {
        scene.stamp == self.store.stamp()
            && scene.now == self.head.now
            && Arc::ptr_eq(&scene.setup, &self.setup)
    }
}
