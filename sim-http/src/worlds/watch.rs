//! Events of a world for watchers: new calls, work that was done, and the clock.
//!
//! Nothing is queued. A watcher knows how far it has read, and reads on from there when the world notifies it. A slow one reads
//! later.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{CallHead, Filter};
use sim_core::{Happened, Simulator};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::services::{Service, Services};
use super::world::{Inside, World};
use crate::control::ClockState;
use crate::executor::Executor;

/// Most calls, and most pieces of work, in a message; the next message continues there.
const BATCH: u64 = 200;

/// The least time between two messages.
const PAUSE: Duration = Duration::from_millis(50);

/// How often the clock is sent when nothing happens.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How far a running clock may be from its expected position before it is sent, in real time.
const DRIFT: Duration = Duration::from_millis(500);

/// A watcher's position: for each service, the last call and the last piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor([Position; 2]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Position {
    call: u64,
    work: u64,
}

impl Cursor {
    /// Parses `12.3`, or `12.3-4.1` for a world of two services.
    pub(crate) fn read(text: &str) -> Option<Cursor> {
        let mut cursor = Cursor::default();
        for (at, part) in text.split('-').enumerate() {
            let (call, work) = part.split_once('.')?;
            *cursor.0.get_mut(at)? = Position { call: call.parse().ok()?, work: work.parse().ok()? };
        }
        Some(cursor)
    }

    /// The position after all events.
    fn now(sim: &Simulator) -> Cursor {
        let mut cursor = Cursor::default();
        for (position, sim) in cursor.0.iter_mut().zip(services_of(sim)) {
            *position = Position { call: sim.calls(), work: sim.work_done() };
        }
        cursor
    }
}

fn services_of(sim: &Simulator) -> impl Iterator<Item = &Simulator> {
    [Some(sim), sim.beside()].into_iter().flatten()
}

/// A message: everything that happened since the previous message.
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
    /// Whether the world was reset or restored, so that earlier messages are no longer valid.
    pub went_back: bool,
    /// The events of each service of the world.
    pub services: Vec<Doings>,
}

/// The events of one service of a world.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Doings {
    /// The service.
    pub service: Service,
    /// The number of calls that it has answered.
    pub calls: u64,
    /// The new calls, at most 200; the next message has the rest.
    pub new_calls: Vec<CallHead>,
    /// The new work, at most 200 pieces; the next message has the rest.
    pub happened: Vec<Happened>,
}

impl News {
    /// The events after `cursor`; the present state without one.
    pub(crate) fn after(inside: &Inside, cursor: Option<Cursor>) -> News {
        let sim = &inside.sim;
        let end = Cursor::now(sim);
        let is_ahead = |(read, end): (&Position, &Position)| read.call > end.call || read.work > end.work;
        let went_back = cursor.is_some_and(|cursor| cursor.0.iter().zip(&end.0).any(is_ahead));
        let mut cursor = cursor.filter(|_| !went_back).unwrap_or(end);
        let services: Vec<Doings> = cursor
            .0
            .iter_mut()
            .zip(services_of(sim))
            .map(|(position, sim)| Doings::after(sim, position))
            .collect();
        let ids = cursor
            .0
            .iter()
            .take(services.len())
            .map(|position| format!("{}.{}", position.call, position.work));
        let id = ids.collect::<Vec<_>>().join("-");
        News { more: cursor != end, cursor, id, clock: ClockState::of(inside), went_back, services }
    }

    fn is_something(&self) -> bool {
        self.went_back
            || self.services.iter().any(|one| !one.new_calls.is_empty() || !one.happened.is_empty())
    }

    /// As a server-sent event.
    pub(crate) fn to_message(&self) -> Bytes {
        let data = serde_json::to_string(self).expect("news are plain data");
        format!("retry: 1000\nid: {}\nevent: news\ndata: {data}\n\n", self.id).into()
    }
}

impl Doings {
    /// Everything that happened in `sim` after `position`. Moves `position` to the end.
    fn after(sim: &Simulator, position: &mut Position) -> Doings {
        let calls = sim.calls();
        let kept = sim.search_journal(&Filter::default(), 0, 0).total;
        let offset = kept.saturating_sub(calls - position.call);
        let new_calls =
            sim.search_journal(&Filter::default(), offset, BATCH.min(calls - position.call)).calls;
        let happened = sim.history_after(position.work, BATCH);
        position.call = new_calls.last().map_or(calls, |last| last.call);
        position.work = if happened.len() < BATCH as usize { sim.work_done() } else { position.work + BATCH };
        let service = match Services::of(sim) {
            Services::Analytics => Service::Analytics,
            Services::Management | Services::Both => Service::Management,
        };
        Doings { service, calls, new_calls, happened }
    }
}

/// A watching client. The answer that begins a stream carries this value in its extensions; the connection takes it from there
/// and sends the rest.
#[derive(Clone)]
pub(crate) struct Watcher {
    /// Weak, because watching does not keep a world alive.
    world: Weak<World>,
    changed: watch::Receiver<()>,
    cursor: Cursor,
    /// The clock that was last sent, and when it was sent.
    sent: (Instant, ClockState),
}

impl Watcher {
    /// A watcher that has received `seen`.
    pub(crate) fn new(world: &Arc<World>, seen: &News) -> Watcher {
        let mut changed = world.changed.subscribe();
        // Something may have happened since.
        changed.mark_changed();
        let sent = (Instant::now(), seen.clock.clone());
        Watcher { world: Arc::downgrade(world), changed, cursor: seen.cursor, sent }
    }

    /// Messages from now on, until the world is deleted, the server stops, or the client goes away.
    pub(crate) fn messages(self, stop: watch::Receiver<bool>, executor: &Executor) -> mpsc::Receiver<Bytes> {
        let (sender, receiver) = mpsc::channel(1);
        executor.spawn(self.send(sender, stop));
        receiver
    }

    async fn send(mut self, sender: mpsc::Sender<Bytes>, mut stop: watch::Receiver<bool>) {
        loop {
            let is_due = tokio::select! {
                changed = self.changed.changed() => match changed {
                    Ok(()) => false,
                    Err(_) => return,
                },
                () = sleep(HEARTBEAT) => true,
                _ = stop.wait_for(|stop| *stop) => return,
                () = sender.closed() => return,
            };
            let Some(message) = self.next(is_due).await else { return };
            if !message.is_empty() && sender.send(message).await.is_err() {
                return;
            }
            tokio::select! {
                () = sleep(PAUSE) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    /// The next message; empty when there is nothing to send and none is due. `None` when the world is deleted.
    async fn next(&mut self, is_due: bool) -> Option<Bytes> {
        let news = self
            .world
            .upgrade()?
            .read_without_notice(|inside| News::after(inside, Some(self.cursor)))
            .await
            .ok()?;
        self.cursor = news.cursor;
        if news.more {
            self.changed.mark_changed();
        }
        if !is_due && !news.is_something() && self.expects(&news.clock) {
            return Some(Bytes::new());
        }
        self.sent = (Instant::now(), news.clock.clone());
        Some(news.to_message())
    }

    /// Whether `clock` is the expected one after the one that was last sent.
    fn expects(&self, clock: &ClockState) -> bool {
        let (at, sent) = &self.sent;
        let drift = clock.ahead_of(sent) - at.elapsed().as_secs_f64() * sent.speed;
        sent.runs_like(clock) && drift.abs() <= DRIFT.as_secs_f64() * sent.speed
    }
}
