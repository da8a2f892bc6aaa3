//! What becomes of a world, piece by piece as bytes, for who keeps it elsewhere: on a disk.
//!
//! A piece tells what changed between two snapshots, pages and calls alike, so its size follows from what was done and
//! not from the world. Pieces are read in the order in which they were written.

use serde::{Deserialize, Serialize};
use sim_base::error::{Error, Kind};
use sim_base::history::{Course, History};
use sim_base::rate::{self, Windows};
use sim_base::store::Store;
use sim_base::time::{Timestamp, micros};

use super::Simulator;
use super::fork::Snapshot;
use crate::engine::fault::{Faults, Past};
use crate::engine::journal::{Continuation, Journal};

/// Tables that count calls, whatever comes of them.
const COUNTS: [&str; 1] = ["fault"];

/// The beginning of a piece, a line of JSON; pages follow, and then the same of the service beside it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening<'j> {
    /// Whether it is the whole world, so that no piece before it matters.
    whole: bool,
    /// The simulated instant, in microseconds since the Unix epoch.
    now: i64,
    #[serde(borrow)]
    journal: Continuation<'j>,
    /// The windows of the rate limit that are others now.
    windows: Vec<rate::Change>,
    /// Work that was done.
    #[serde(borrow)]
    history: Course<'j>,
    /// Bytes of changed pages that follow.
    pages: usize,
}

impl Snapshot {
    /// What the world has become since `before`; all that it is where nothing came before, or where it has gone back since
    /// to something older.
    ///
    /// 409 where a server keeps its databases or events: those stay there.
    ///
    /// ```
    /// use sim_core::management::project::CreateProject;
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().seed(7).build();
    /// let beginning = sim.snapshot();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let after = sim.snapshot();
    ///
    /// let mut again = Simulator::builder().seed(7).build();
    /// again.follow(&beginning.changes(None)?)?;
    /// again.follow(&after.changes(Some(&beginning))?)?;
    /// again.take_up()?;
    /// assert_eq!(again.journal(), sim.journal());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn changes(&self, before: Option<&Snapshot>) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.write(before.filter(|before| self.continues(before)), &mut bytes)?;
        Ok(bytes)
    }

    /// Whether nothing became of the world since `before`: not even a call that only looked, or time that went by.
    pub fn is_as(&self, before: &Snapshot) -> bool {
        let beside = match (&self.beside, &before.beside) {
            (Some(now), Some(then)) => now.is_as(then),
            (now, then) => now.is_none() && then.is_none(),
        };
        let course = |one: &Snapshot| (one.head.now, one.journal.calls(), one.journal.hash());
        beside && self.pages.is_as(&before.pages) && course(self) == course(before)
    }

    /// Whether the clock stands where it stood then and every row holds what it held, whatever calls there were that only look
    /// or are refused: those are counted by the rate limit and by [faults](crate::engine::fault), and these counts are passed over.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::{CreateProject, PauseProject};
    ///
    /// let mut sim = Simulator::builder().build();
    /// let before = sim.snapshot();
    /// assert!(sim.call(PauseProject { r#ref: "abcdefghijklmnopqrst".into() }).is_err());
    /// assert!(sim.snapshot().has_rows_of(&before));
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// assert!(!sim.snapshot().has_rows_of(&before));
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn has_rows_of(&self, before: &Snapshot) -> bool {
        let beside = match (&self.beside, &before.beside) {
            (Some(now), Some(then)) => now.has_rows_of(then),
            (now, then) => now.is_none() && then.is_none(),
        };
        beside && self.head.now == before.head.now && self.pages.equals(&before.pages, &COUNTS)
    }

    /// Whether it is a later state of the same course of things.
    fn continues(&self, before: &Snapshot) -> bool {
        let beside = match (&self.beside, &before.beside) {
            (Some(now), Some(then)) => now.continues(then),
            (now, then) => now.is_none() && then.is_none(),
        };
        beside && self.journal.continues(&before.journal)
    }

    fn write(&self, before: Option<&Snapshot>, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let elsewhere = || {
            let text =
                "A world whose databases or events are on a server can't be kept here: they stay there";
            Error::new(Kind::Conflict, "kept_on_server", text)
        };
        let here = self.setup.server.is_none() && self.setup.events.is_none();
        let pages = here.then(|| self.pages.changes(before.map(|before| &before.pages))).flatten();
        let mut pages = pages.ok_or_else(elsewhere)?;
        let journal = self.journal.since(before.map(|before| &before.journal));
        let windows = self.windows.since(before.map(|before| &before.windows));
        let history = self.history.since(before.map(|before| &before.history));
        let now = micros(self.head.now);
        let opening = Opening { whole: before.is_none(), now, journal, windows, history, pages: pages.len() };
        serde_json::to_writer(&mut *bytes, &opening).expect("an opening is plain data");
        bytes.push(b'\n');
        bytes.append(&mut pages);
        match &self.beside {
            Some(beside) => beside.write(before.and_then(|before| before.beside.as_deref()), bytes),
            None => Ok(()),
        }
    }
}

impl Simulator {
    /// Becomes what the world became of which the next piece is, written by [`Snapshot::changes`]. The first piece that is
    /// read is a whole one, read by a world that began as that one did.
    ///
    /// After the last piece it has to be [taken up](Simulator::take_up). Refuses bytes that are no such piece; then this world is
    /// good for nothing any more.
    pub fn follow(&mut self, piece: &[u8]) -> Result<(), Error> {
        let wrong = |text: String| Error::invalid("invalid_piece", format!("the piece {text}"));
        let rest = self.follow_itself(piece).map_err(wrong)?;
        rest.is_empty().then_some(()).ok_or_else(|| wrong("is longer than it says".to_owned()))
    }

    fn follow_itself<'b>(&mut self, piece: &'b [u8]) -> Result<&'b [u8], String> {
        let end = piece.iter().position(|byte| *byte == b'\n').ok_or("has no opening")?;
        let opening =
            serde_json::from_slice(&piece[..end]).map_err(|error| format!("has no opening, {error}"))?;
        let Opening { whole, now, journal, windows, history, pages } = opening;
        let (pages, rest) = piece[end + 1..].split_at_checked(pages).ok_or("breaks off")?;
        if whole {
            (self.store, self.journal) = (Store::new(&self.registry.pool), Journal::default());
            (self.windows, self.history) = (Windows::default(), History::default());
        }
        if !journal.is_sound() || !rate::is_sound(&windows) || !history.continues(&self.history) {
            return Err("has calls that nobody made".to_owned());
        }
        self.store.follow(pages, whole)?;
        self.head.now = Timestamp::from_microsecond(now).map_err(|error| format!("has no clock: {error}"))?;
        self.journal.go_on(journal, self.setup.policy.journal_calls);
        self.count(windows);
        self.history.follow(history);
        match &mut self.beside {
            Some(beside) => beside.sim.follow_itself(rest),
            None => Ok(rest),
        }
    }

    /// Takes up what it has become by following pieces: from now on it can be called.
    ///
    /// Refuses what is damaged or was made by a version with other tables; then this world is good for nothing any more.
    pub fn take_up(&mut self) -> Result<(), Error> {
        let wrong = |text: String| Error::invalid("invalid_piece", format!("the world {text}"));
        self.store.check().map_err(wrong)?;
        self.head.faults = self.store.read(Faults::of);
        self.past = Past::default();
        self.past.keep(self.head.faults.stale, || self.store.snapshot());
        self.beside.as_mut().map_or(Ok(()), |beside| beside.sim.take_up())
    }
}
