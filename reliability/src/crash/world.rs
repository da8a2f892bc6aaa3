//! One world on the server, and everything that clients know about it.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::{Mutex, RwLock};
use serde_json::{Value, json};
use sim_core::engine::Call as Record;
use sim_core::management::project::ListProjects;
use sim_core::{Simulator, Timestamp};
use sim_fixtures::Call;
use sim_fixtures::strategies::Dice;

use super::{Figures, Promise};
use crate::calls::{self, Weight};
use crate::client::{Answer, Connection};
use crate::history::{Replayed, Seen, compare, marked, replay_world};

/// One call in so many moves the world's clock.
const MOVES: usize = 10;

/// One call in so many adds a fault rule.
const RULES: usize = 12;

/// Whether a world must exist after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existence {
    /// Its creation was requested and not yet confirmed.
    Requested,
    Exists,
    /// Its deletion was requested and not yet confirmed.
    Deleting,
    Deleted,
}

/// A world.
pub(super) struct World {
    pub(super) name: String,
    /// Held exclusively to fork, reset or delete the world, shared to call it.
    gate: RwLock<()>,
    known: Mutex<Known>,
}

/// Everything that clients know about a world from answers.
#[derive(Clone)]
struct Known {
    existence: Existence,
    token: String,
    seen: Vec<Seen>,
    projects: Vec<String>,
    /// The last time shown by its clock.
    clock: Option<Timestamp>,
    /// The number of calls after the last restart, and the journal's hash after them.
    checked: Option<(usize, String)>,
    /// Its reset was requested and not yet confirmed.
    resetting: bool,
    /// The clients' knowledge from before the reset, as long as the reset may be lost.
    earlier: Option<Box<Known>>,
}

/// The comparison of a world after a restart.
#[derive(Default)]
pub(super) struct Checked {
    done_unanswered: u64,
    reads_dropped: u64,
    lost: u64,
    replayed: u64,
    work: (u64, u64),
}

impl Checked {
    pub(super) fn add_to(&self, figures: &mut Figures) {
        figures.checks += 1;
        figures.done_unanswered += self.done_unanswered;
        figures.reads_dropped += self.reads_dropped;
        figures.lost += self.lost;
        figures.replayed += self.replayed;
        figures.work.0 += self.work.0;
        figures.work.1 += self.work.1;
    }
}

impl World {
    pub(super) fn new(name: &str, existence: Existence) -> World {
        let known = Known {
            existence,
            token: String::new(),
            seen: Vec::new(),
            projects: Vec::new(),
            clock: None,
            checked: None,
            resetting: false,
            earlier: None,
        };
        World { name: name.to_owned(), gate: RwLock::default(), known: Mutex::new(known) }
    }

    pub(super) fn calls(&self) -> usize {
        self.known.lock().seen.len()
    }

    /// Makes a random call, if the world exists.
    pub(super) fn call(
        &self,
        connection: &mut Connection,
        dice: &mut Dice,
        number: u64,
    ) -> io::Result<Option<Answer>> {
        let _gate = self.gate.read();
        let known = self.known.lock();
        if known.existence != Existence::Exists {
            return Ok(None);
        }
        let (token, projects) = (known.token.clone(), known.projects.clone());
        drop(known);
        if dice.one_in(MOVES) {
            return self.move_clock(connection).map(Some);
        }
        let wish = match dice.one_in(RULES) {
            true => calls::rule(dice),
            false => calls::draw(dice, &projects, number, Weight::Heavy),
        };
        let target = marked(&wish.path, number);
        let place = {
            let seen = &mut self.known.lock().seen;
            seen.push(Seen {
                method: wish.method,
                target: target.clone(),
                began: Instant::now(),
                answer: None,
            });
            seen.len() - 1
        };
        let answer = connection.ask(wish.method, &self.path(&target), &token, &wish.body)?;
        let mut known = self.known.lock();
        known.seen[place].answer = Some((Instant::now(), answer.clone()));
        if let Some(project) = answer.json()["id"].as_str().filter(|_| wish.makes_project()) {
            known.projects.push(project.to_owned());
        }
        Ok(Some(answer))
    }

    fn move_clock(&self, connection: &mut Connection) -> io::Result<Answer> {
        let path = self.path("/_sim/clock/advance");
        let answer = connection.ask("POST", &path, "", &json!({ "ms": 15_000 }).to_string())?;
        let now = answer.json()["now"].as_str().and_then(|now| now.parse().ok());
        let mut known = self.known.lock();
        known.clock = known.clock.max(now);
        Ok(answer)
    }

    /// Requests a fork of this world, and registers the fork before that.
    pub(super) fn fork(
        &self,
        name: &str,
        connection: &mut Connection,
        add: impl FnOnce(World) -> Arc<World>,
    ) -> io::Result<Option<Answer>> {
        let _gate = self.gate.write();
        let known = self.known.lock().clone();
        if known.existence != Existence::Exists {
            return Ok(None);
        }
        let known = Known { existence: Existence::Requested, checked: None, ..known };
        let fork = add(World { known: Mutex::new(known), ..World::new(name, Existence::Requested) });
        let body = json!({ "name": name }).to_string();
        let answer = connection.ask("POST", &self.path("/_sim/fork"), "", &body)?;
        fork.answered(&answer);
        Ok(Some(answer))
    }

    /// The server has confirmed the world's creation or refused it.
    pub(super) fn answered(&self, answer: &Answer) {
        let mut known = self.known.lock();
        if answer.status == 201 {
            (known.existence, known.token) = (Existence::Exists, token_of(&answer.json()));
        }
    }

    pub(super) fn delete(&self, connection: &mut Connection) -> io::Result<Answer> {
        let _gate = self.gate.write();
        self.known.lock().existence = Existence::Deleting;
        let answer = connection.ask("DELETE", &format!("/_sim/worlds/{}", self.name), "", "")?;
        self.known.lock().existence = Existence::Deleted;
        Ok(answer)
    }

    /// Resets the world.
    pub(super) fn reset(&self, connection: &mut Connection, promise: Promise) -> io::Result<Answer> {
        let _gate = self.gate.write();
        self.known.lock().resetting = true;
        let answer = connection.ask("POST", &self.path("/_sim/reset"), "", "")?;
        let mut known = self.known.lock();
        let earlier = (!promise.keeps()).then(|| Box::new(Known { resetting: false, ..known.clone() }));
        known.forget();
        known.earlier = earlier;
        Ok(answer)
    }

    fn path(&self, path: &str) -> String {
        format!("/w/{}{path}", self.name)
    }

    /// After a restart the world exists, as `world`, or it does not.
    pub(super) fn is_found(&self, world: Option<&Value>) -> Result<(), String> {
        let mut known = self.known.lock();
        match (known.existence, world) {
            (Existence::Exists, None) => Err(format!("the world {:?} is lost", self.name)),
            (Existence::Deleted, Some(_)) => {
                Err(format!("the world {:?} was deleted and is there", self.name))
            }
            (_, Some(world)) => {
                (known.existence, known.token) = (Existence::Exists, token_of(world));
                Ok(())
            }
            (_, None) => Ok(()),
        }
    }

    /// Compares the world after a restart with the clients' knowledge of it.
    pub(super) fn check(&self, addr: SocketAddr, promise: Promise) -> Result<Checked, String> {
        let replayed = Connection::open(addr).map_err(|error| error.to_string());
        let replayed = replayed.and_then(|mut connection| replay_world(&mut connection, &self.name));
        let checked = replayed.and_then(|replayed| self.known.lock().check(&replayed, promise));
        checked.map_err(|error| format!("world {:?}: {error}", self.name))
    }
}

impl Known {
    fn forget(&mut self) {
        (self.seen, self.projects) = (Vec::new(), Vec::new());
        (self.clock, self.checked, self.resetting) = (None, None, false);
    }

    fn check(&mut self, replayed: &Replayed, promise: Promise) -> Result<Checked, String> {
        let journal = replayed.again.journal();
        if self.resetting && journal.is_empty() {
            self.forget();
        }
        self.resetting = false;
        let mut earlier = self.earlier.take();
        while let Some(mut before) = earlier {
            earlier = before.earlier.take();
            if journal.first().is_some_and(|first| before.seen.iter().any(|one| one.target == first.target)) {
                (*self, earlier) = (*before, None);
            }
        }
        if let Some((calls, hash)) = &self.checked
            && journal.get(calls.saturating_sub(1)).is_none_or(|last| last.hash != *hash)
        {
            return Err(format!("of {calls} calls that were there after an earlier restart some are lost"));
        }
        let missing = compare(&self.seen, &journal)?;
        if promise.keeps() {
            self.clock_is_kept(replayed.found.now())?;
            missing.iter().try_for_each(|(call, one)| self.was_right(*call, one, &replayed.again))?;
        }
        let new = self.seen.iter().skip(self.checked.as_ref().map_or(0, |(calls, _)| *calls));
        let is_done = |one: &&Seen| journal.iter().any(|record| record.target == one.target);
        let checked = Checked {
            done_unanswered: new.filter(|one| one.answer.is_none()).filter(is_done).count() as u64,
            reads_dropped: missing.iter().filter(|(_, one)| one.is_read()).count() as u64,
            lost: missing.iter().filter(|(_, one)| !one.is_read()).count() as u64,
            replayed: journal.len() as u64,
            work: (replayed.found.history(None).len() as u64, replayed.found.agenda().len() as u64),
        };
        self.continue_from(replayed, &journal);
        Ok(checked)
    }

    fn clock_is_kept(&self, now: Timestamp) -> Result<(), String> {
        match self.clock.filter(|seen| *seen > now) {
            Some(seen) => Err(format!("its clock had come to {seen}, and is at {now}")),
            None => Ok(()),
        }
    }

    /// An answered call that is not in the journal: it must be a read, and give the same answer now.
    fn was_right(&self, call: u64, one: &Seen, now: &Simulator) -> Result<(), String> {
        let Some((_, before)) = one.answer.as_ref().filter(|_| one.is_read()) else {
            return Err(format!("call {call} was answered and is lost: {} {}", one.method, one.target));
        };
        let request = Call::get(&one.target).token(&self.token).request("", None);
        let answer = now.fork().handle(&request);
        let (status, body) = (answer.status().as_u16(), String::from_utf8_lossy(answer.body()));
        match (status, &*body) == (before.status, &*before.body) {
            true => Ok(()),
            false => Err(format!(
                "{} was answered {} {}, and now it is {status} {body}",
                one.target, before.status, before.body
            )),
        }
    }

    /// Later comparisons start from the present state.
    fn continue_from(&mut self, replayed: &Replayed, journal: &[Record]) {
        let mut seen: BTreeMap<_, _> = self.seen.drain(..).map(|one| (one.target.clone(), one)).collect();
        self.seen = journal.iter().filter_map(|record| seen.remove(&record.target)).collect();
        self.checked = journal.last().map(|last| (journal.len(), last.hash.clone()));
        let projects =
            replayed.found.fork().as_admin().call(ListProjects {}).expect("the control API may read lists");
        self.projects = projects.into_iter().map(|project| project.id.0).collect();
        self.clock = Some(replayed.found.now());
    }
}

fn token_of(world: &Value) -> String {
    world["token"].as_str().unwrap_or_default().to_owned()
}
