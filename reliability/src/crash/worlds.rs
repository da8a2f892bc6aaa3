//! All worlds of a server: creates, calls and deletes them, and knows which must exist after a restart.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use parking_lot::Mutex;
use serde_json::Value;
use sim_fixtures::strategies::Dice;

use super::world::{Existence, World};
use super::{Figures, Promise};
use crate::calls;
use crate::client::{Answer, Connection};

/// Worlds at a time.
const WORLDS: usize = 4;

/// The name of the world that can't be deleted.
const MAIN: &str = "main";

/// A world with this many calls is deleted or reset, because its history is replayed at every restart.
const OLD: usize = 120;

/// One client creates and deletes worlds, once in this many turns.
const CREATE_OR_DELETE_EVERY: usize = 10;

/// All worlds of a server.
pub(super) struct Worlds {
    promise: Promise,
    existing: Mutex<BTreeMap<String, Arc<World>>>,
    /// Numbers for calls and worlds; each is used once.
    numbers: AtomicU64,
    /// Calls that were sent; those that were answered; worlds that were requested.
    made: AtomicU64,
    answered: AtomicU64,
    worlds: AtomicU64,
}

impl Worlds {
    pub(super) fn new(promise: Promise) -> Worlds {
        let main = Arc::new(World::new(MAIN, Existence::Exists));
        let existing = Mutex::new(BTreeMap::from([(MAIN.to_owned(), main)]));
        let [numbers, made, answered, worlds] = [1, 0, 0, 0].map(AtomicU64::new);
        Worlds { promise, existing, numbers, made, answered, worlds }
    }

    /// Calls one world after the other until the server is killed. A wrong response is an error, and so is a
    /// connection that breaks before it is `over`.
    pub(super) fn call(
        &self,
        client: usize,
        addr: SocketAddr,
        mut dice: Dice,
        over: &AtomicBool,
    ) -> Result<(), String> {
        let mut turns = || -> io::Result<String> {
            let mut connection = Connection::open(addr)?;
            loop {
                self.made.fetch_add(1, Ordering::Relaxed);
                let answer = match client == 0 && dice.one_in(CREATE_OR_DELETE_EVERY) {
                    true => self.create_or_delete(&mut connection, &mut dice)?,
                    false => self.call_existing(&mut connection, &mut dice)?,
                };
                self.answered.fetch_add(1, Ordering::Relaxed);
                if let Some(answer) = answer.filter(is_wrong) {
                    return Ok(format!("a call is answered {} {}", answer.status, answer.body));
                }
            }
        };
        match turns() {
            Ok(wrong) => Err(wrong),
            Err(_) if over.load(Ordering::SeqCst) => Ok(()),
            Err(error) => Err(format!("a connection breaks while the server lives: {error}")),
        }
    }

    /// Calls an existing world.
    fn call_existing(&self, connection: &mut Connection, dice: &mut Dice) -> io::Result<Option<Answer>> {
        let existing: Vec<_> = self.existing.lock().values().cloned().collect();
        let world = &existing[dice.below(existing.len())];
        world.call(connection, dice, self.number())
    }

    /// Creates a world, or deletes an old one.
    fn create_or_delete(&self, connection: &mut Connection, dice: &mut Dice) -> io::Result<Option<Answer>> {
        let existing: Vec<_> = self.existing.lock().values().cloned().collect();
        if let Some(old) = existing.iter().find(|world| world.calls() > OLD) {
            return if old.name == MAIN {
                old.reset(connection, self.promise)
            } else {
                self.delete(old, connection)
            }
            .map(Some);
        }
        if existing.len() == WORLDS {
            return Ok(None);
        }
        let name = format!("world-{}", self.number());
        self.worlds.fetch_add(1, Ordering::Relaxed);
        let origin = &existing[dice.below(existing.len())];
        let made = match dice.one_in(2) {
            true => origin.fork(&name, connection, |world| self.add(world))?,
            false => {
                let world = self.add(World::new(&name, Existence::Requested));
                let answer =
                    connection.ask("POST", "/_sim/worlds", "", &calls::new_world(&name, self.number()))?;
                world.answered(&answer);
                Some(answer)
            }
        };
        Ok(made)
    }

    fn add(&self, world: World) -> Arc<World> {
        let world = Arc::new(world);
        self.existing.lock().insert(world.name.clone(), Arc::clone(&world));
        world
    }

    fn delete(&self, world: &World, connection: &mut Connection) -> io::Result<Answer> {
        let answer = world.delete(connection)?;
        self.existing.lock().remove(&world.name);
        Ok(answer)
    }

    fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Compares the state after a restart with what was seen before.
    pub(super) fn check_all(&mut self, addr: SocketAddr, figures: &mut Figures) -> Result<(), String> {
        let list = Connection::open(addr).and_then(|mut to| to.ask("GET", "/_sim/worlds", "", ""));
        let list = list.map_err(|error| error.to_string())?.good()?;
        let mut there: BTreeMap<&str, &Value> = BTreeMap::new();
        for world in list.as_array().into_iter().flatten() {
            there.insert(world["name"].as_str().unwrap_or_default(), world);
        }
        let existing = self.existing.get_mut();
        for (name, world) in &*existing {
            world.is_found(there.get(name.as_str()).copied())?;
        }
        existing.retain(|name, _| there.contains_key(name.as_str()));
        if let Some(name) = there.keys().find(|name| !existing.contains_key(**name)) {
            return Err(format!("there is a world {name:?} that no client created, or that was deleted"));
        }
        let promise = self.promise;
        let checked = thread::scope(|scope| {
            let checks: Vec<_> =
                existing.values().map(|world| scope.spawn(move || world.check(addr, promise))).collect();
            checks.into_iter().map(|check| check.join().expect("a check does not panic")).collect::<Vec<_>>()
        });
        for checked in checked {
            checked?.add_to(figures);
        }
        figures.answered = self.answered.load(Ordering::Relaxed);
        figures.cut_off = self.made.load(Ordering::Relaxed) - figures.answered;
        figures.worlds = self.worlds.load(Ordering::Relaxed);
        Ok(())
    }
}

/// Whether such a response shows a defect. 544 is a response of the simulated service: a database can't be
/// reached.
fn is_wrong(answer: &Answer) -> bool {
    answer.status >= 500 && answer.status != 544
}
