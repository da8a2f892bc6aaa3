//! What happens in a world, told to those who watch it.
//!
//! Nothing is queued for them: a watcher knows how far it has read, and reads on from there when the world says that
//! something happened. Who is slow reads later.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{CallHead, Filter};
use sim_core::{Happened, Simulator};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use crate::control::ClockState;
use crate::worlds::services::{Service, Services};
use crate::worlds::world::{Inside, World};

/// Calls, and pieces of work, in a message at most; the next message goes on from there.
const BATCH: u64 = 200;

/// How often a watcher looks at most.
const REST: Duration = Duration::from_millis(50);

/// How often the clock is told when nothing happens.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How far a running clock may be from where it is expected without being told of, in real time.
const DRIFT: Duration = Duration::from_millis(500);

/// How far somebody has read: of each service, the last call and the last piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor([Place; 2]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    call: u64,
    work: u64,
}

impl Cursor {
    /// Reads `12.3`, or `12.3-4.1` of a world of two services.
    pub(crate) fn read(text: &str) -> Option<Cursor> {
        let mut cursor = Cursor::default();
        for (at, part) in text.split('-').enumerate() {
            let (call, work) = part.split_once('.')?;
            *cursor.0.get_mut(at)? = Place { call: call.parse().ok()?, work: work.parse().ok()? };
        }
        Some(cursor)
    }

    /// The end of all that is there.
    fn now(sim: &Simulator) -> Cursor {
        let mut cursor = Cursor::default();
        for (place, half) in cursor.0.iter_mut().zip(halves(sim)) {
            *place = Place { call: half.calls(), work: half.work_done() };
        }
        cursor
    }
}

fn halves(sim: &Simulator) -> impl Iterator<Item = &Simulator> {
    [Some(sim), sim.beside()].into_iter().flatten()
}

/// A message: what happened since the one before.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct News {
    #[serde(skip)]
    cursor: Cursor,
    #[serde(skip)]
    id: String,
    #[serde(skip)]
    more: bool,
    /// The clock.
    pub clock: ClockState,
    /// Whether the world has gone back to what it was, so that nothing that was seen counts any more.
    pub went_back: bool,
    /// What each service of the world did.
    pub services: Vec<Doings>,
}

/// What a service of a world did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Doings {
    /// Which one.
    pub service: Service,
    /// How many calls it has answered.
    pub calls: u64,
    /// Those of them that are new, at most 200; further ones are in the next message.
    pub new_calls: Vec<CallHead>,
    /// The work that is new, likewise.
    pub happened: Vec<Happened>,
}

impl News {
    /// What happened after `cursor`; how things stand where there is none.
    pub(crate) fn after(inside: &Inside, cursor: Option<Cursor>) -> News {
        let sim = &inside.sim;
        let end = Cursor::now(sim);
        let is_ahead = |(read, end): (&Place, &Place)| read.call > end.call || read.work > end.work;
        let went_back = cursor.is_some_and(|cursor| cursor.0.iter().zip(&end.0).any(is_ahead));
        let mut cursor = cursor.filter(|_| !went_back).unwrap_or(end);
        let services: Vec<Doings> =
            cursor.0.iter_mut().zip(halves(sim)).map(|(place, half)| Doings::after(half, place)).collect();
        let ids = cursor.0.iter().take(services.len()).map(|place| format!("{}.{}", place.call, place.work));
        let id = ids.collect::<Vec<_>>().join("-");
        News { more: cursor != end, cursor, id, clock: ClockState::of(inside), went_back, services }
    }

    fn is_something(&self) -> bool {
        self.went_back
            || self.services.iter().any(|one| !one.new_calls.is_empty() || !one.happened.is_empty())
    }

    /// As it goes over the wire.
    pub(crate) fn to_message(&self) -> Bytes {
        let data = serde_json::to_string(self).expect("news are plain data");
        format!("retry: 1000\nid: {}\nevent: news\ndata: {data}\n\n", self.id).into()
    }
}

impl Doings {
    /// What `sim` did after `place`, which is moved to the last of it.
    fn after(sim: &Simulator, place: &mut Place) -> Doings {
        let calls = sim.calls();
        let kept = sim.search_journal(&Filter::default(), 0, 0).total;
        let offset = kept.saturating_sub(calls - place.call);
        let new_calls = sim.search_journal(&Filter::default(), offset, BATCH.min(calls - place.call)).calls;
        let happened = sim.history_after(place.work, BATCH);
        place.call = new_calls.last().map_or(calls, |last| last.call);
        place.work = if happened.len() < BATCH as usize { sim.work_done() } else { place.work + BATCH };
        let service = match Services::of(sim) {
            Services::Analytics => Service::Analytics,
            Services::Management | Services::Both => Service::Management,
        };
        Doings { service, calls, new_calls, happened }
    }
}

/// Somebody who watches a world. Stands in the extensions of the answer that begins a stream, for the connection to go
/// on with.
#[derive(Clone)]
pub(crate) struct Watcher {
    /// Watching does not keep a world alive.
    world: Weak<World>,
    news: watch::Receiver<()>,
    cursor: Cursor,
    told: (Instant, ClockState),
}

impl Watcher {
    /// Who has seen `news` and wants the rest.
    pub(crate) fn new(world: &Arc<World>, seen: &News) -> Watcher {
        let mut news = world.news.subscribe();
        // Something may have happened since.
        news.mark_changed();
        let told = (Instant::now(), seen.clock.clone());
        Watcher { world: Arc::downgrade(world), news, cursor: seen.cursor, told }
    }

    /// Messages from now on, until the world is gone, the server stops, or nobody reads them any more.
    pub(crate) fn messages(self, stop: watch::Receiver<bool>) -> mpsc::Receiver<Bytes> {
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(self.tell(sender, stop));
        receiver
    }

    async fn tell(mut self, sender: mpsc::Sender<Bytes>, mut stop: watch::Receiver<bool>) {
        loop {
            let is_due = tokio::select! {
                changed = self.news.changed() => match changed {
                    Ok(()) => false,
                    Err(_) => return,
                },
                () = sleep(HEARTBEAT) => true,
                _ = stop.wait_for(|stop| *stop) => return,
                () = sender.closed() => return,
            };
            let Some(message) = self.next(is_due) else { return };
            if !message.is_empty() && sender.send(message).await.is_err() {
                return;
            }
            tokio::select! {
                () = sleep(REST) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// The next message; empty where there is nothing to tell and none is due. `None` when the world is gone.
    fn next(&mut self, is_due: bool) -> Option<Bytes> {
        let news = self.world.upgrade()?.quietly(|inside| News::after(inside, Some(self.cursor))).ok()?;
        self.cursor = news.cursor;
        if news.more {
            self.news.mark_changed();
        }
        if !is_due && !news.is_something() && self.expects(&news.clock) {
            return Some(Bytes::new());
        }
        self.told = (Instant::now(), news.clock.clone());
        Some(news.to_message())
    }

    /// Whether `clock` is what follows from the one that was told last.
    fn expects(&self, clock: &ClockState) -> bool {
        let (at, told) = &self.told;
        let drift = clock.ahead_of(told) - at.elapsed().as_secs_f64() * told.speed;
        told.has_same_course(clock) && drift.abs() <= DRIFT.as_secs_f64() * told.speed
    }
}
