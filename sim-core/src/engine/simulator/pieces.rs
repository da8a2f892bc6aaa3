//! The changes of a world as pieces of bytes, for storing it elsewhere, for example on a disk.
//!
//! A piece holds the pages and calls that changed between two snapshots. So its size depends on the changes, not on
//! the size of the world. Pieces are read in the order in which they were written.

use serde::{Deserialize, Serialize};
use sim_base::error::{Error, Kind};
use sim_base::history::{Course, History};
use sim_base::rate::{self, Windows};
use sim_base::store::Store;
use sim_base::time::{Timestamp, micros};

use super::Simulator;
use super::fork::Snapshot;
use crate::engine::fault::{Faults, Past};
use crate::engine::journal::cut::Bounds;
use crate::engine::journal::{Continuation, Journal};

/// Tables that count calls, even calls that change nothing else.
const COUNTS: [&str; 1] = ["fault"];

/// The beginning of a piece: a line of JSON. The changed pages follow, and then the piece of the second service.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening<'j> {
    /// Whether the piece is the whole world, so that earlier pieces do not matter.
    whole: bool,
    /// The simulated time, in microseconds since the Unix epoch.
    now: i64,
    #[serde(borrow)]
    journal: Continuation<'j>,
    /// The windows of the rate limit that have changed.
    windows: Vec<rate::Change>,
    /// Finished work.
    #[serde(borrow)]
    history: Course<'j>,
    /// Bytes of changed pages that follow.
    pages: usize,
}

impl Snapshot {
    /// The changes of the world since `before`. Returns the whole world if there is no `before`, or if an older
    /// snapshot was restored in the meantime.
    ///
    /// Refuses with 409 if a server stores the databases or events, because they stay there.
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

    /// Whether the world is unchanged since `before`: no call was made, not even a read, and the clock did not move.
    pub fn is_as(&self, before: &Snapshot) -> bool {
        let beside = match (&self.beside, &before.beside) {
            (Some(now), Some(then)) => now.is_as(then),
            (now, then) => now.is_none() && then.is_none(),
        };
        let course = |one: &Snapshot| (one.head.now, one.journal.calls(), one.journal.hash());
        beside && self.pages.is_as(&before.pages) && course(self) == course(before)
    }

    /// Whether the clock and every row are the same as in `before`. Reads and refused calls may have been made since.
    /// The rate limit and [faults](crate::engine::fault) count such calls, and these counts are ignored.
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

    /// Whether this is a later state of the world in `before`.
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
    /// Applies the next piece, written by [`Snapshot::changes`]. The first piece must be a whole world, and this
    /// world must have begun like that one.
    ///
    /// Call [`take_up`](Simulator::take_up) after the last piece. Refuses bytes that are not a valid piece. After a
    /// refusal this world must not be used.
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
        self.journal.go_on(journal, Bounds::of(&self.setup.policy));
        self.windows.follow(windows);
        self.history.follow(history);
        match &mut self.beside {
            Some(beside) => beside.sim.follow_itself(rest),
            None => Ok(rest),
        }
    }

    /// Finishes a world that was read from pieces. After that it can be called.
    ///
    /// Refuses a world that is damaged or was written by a version with other tables. After a refusal this world must
    /// not be used.
    pub fn take_up(&mut self) -> Result<(), Error> {
        let wrong = |text: String| Error::invalid("invalid_piece", format!("the world {text}"));
        self.store.check().map_err(wrong)?;
        self.head.faults = self.store.read(Faults::of);
        self.past = Past::default();
        self.past.keep(self.head.faults.stale, || self.store.snapshot());
        self.beside.as_mut().map_or(Ok(()), |beside| beside.sim.take_up())
    }
}
