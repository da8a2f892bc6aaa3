//! Clients race over one world by HTTP; checks whether a sequential order of the calls explains what they
//! saw.
//!
//! The journal gives the order. Each client must have got the answer recorded there. A call that ended before
//! another began must come before it. The same calls, made one by one in a fresh world in that order, must
//! give the same answers. If so, the world is linearizable as far as these clients can tell.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use parking_lot::Mutex;
use serde_json::json;
use sim_fixtures::strategies::Dice;

use crate::calls::{self, Weight};
use crate::client::Connection;
use crate::history::{Seen, compare, marked, replay_world};

/// One call in so many moves the world's clock instead.
const MOVES: usize = 12;

/// A race.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The server.
    pub addr: SocketAddr,
    /// Clients, each with a connection of its own.
    pub clients: usize,
    /// Calls of each client.
    pub calls: usize,
    /// The seed of the calls.
    pub seed: u64,
}

/// The results of races.
#[derive(Clone, Copy, Debug, Default)]
pub struct Races {
    /// The number of races.
    pub races: u64,
    /// Calls in them.
    pub calls: u64,
    /// Of those, calls that ran at the same time as another one.
    pub together: u64,
}

impl fmt::Display for Races {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Races { races, calls, together } = self;
        write!(
            f,
            "{races} races of {calls} calls, {together} of them together with others: each has an order that explains it"
        )
    }
}

impl Race {
    /// Creates a world of that name, lets the clients race over it, compares what they saw with its journal,
    /// and deletes it.
    pub fn run(&self, world: &str) -> Result<Races, String> {
        let token = make_world(&mut self.open()?, world, self.seed)?;
        let (projects, numbers) = (Mutex::new(Vec::new()), AtomicU64::new(1));
        let seen = thread::scope(|scope| {
            let clients: Vec<_> = (0..self.clients)
                .map(|client| {
                    let dice = Dice::new(self.seed.wrapping_mul(1_000_003).wrapping_add(client as u64));
                    let lane = Lane { world, token: &token, projects: &projects, numbers: &numbers };
                    scope.spawn(move || lane.run(self.open()?, dice, self.calls))
                })
                .collect();
            let seen = clients.into_iter().map(|client| client.join().expect("a client does not panic"));
            seen.collect::<Result<Vec<_>, String>>()
        })?;
        let seen: Vec<Seen> = seen.into_iter().flatten().collect();
        // The server closes idle connections, so open a new one.
        let mut control = self.open()?;
        let replayed = replay_world(&mut control, world)?;
        if let Some((call, lost)) = compare(&seen, &replayed.again.journal())?.first() {
            return Err(format!("call {call} was answered and is not in the journal: {}", lost.target));
        }
        let deleted = control.ask("DELETE", &format!("/_sim/worlds/{world}"), "", "");
        deleted.map_err(|error| error.to_string())?.good()?;
        Ok(Races { races: 1, calls: seen.len() as u64, together: together(&seen) })
    }

    fn open(&self) -> Result<Connection, String> {
        Connection::open(self.addr).map_err(|error| error.to_string())
    }
}

/// One client's part.
struct Lane<'a> {
    world: &'a str,
    token: &'a str,
    projects: &'a Mutex<Vec<String>>,
    numbers: &'a AtomicU64,
}

impl Lane<'_> {
    fn run(&self, mut connection: Connection, mut dice: Dice, calls: usize) -> Result<Vec<Seen>, String> {
        let mut seen = Vec::with_capacity(calls);
        for _ in 0..calls {
            if dice.one_in(MOVES) {
                let path = format!("/w/{}/_sim/clock/advance", self.world);
                let moved = connection.ask("POST", &path, "", &json!({ "ms": 10_000 }).to_string());
                moved.map_err(|error| error.to_string())?.good()?;
            }
            let number = self.numbers.fetch_add(1, Ordering::Relaxed);
            let projects = self.projects.lock().clone();
            let wish = calls::draw(&mut dice, &projects, number, Weight::Light);
            let target = marked(&wish.path, number);
            let began = Instant::now();
            let answer =
                connection.ask(wish.method, &format!("/w/{}{target}", self.world), self.token, &wish.body);
            let answer = answer.map_err(|error| error.to_string())?;
            let ended = Instant::now();
            if let Some(project) = answer.json()["id"].as_str().filter(|_| wish.makes_project()) {
                self.projects.lock().push(project.to_owned());
            }
            seen.push(Seen { method: wish.method, target, began, answer: Some((ended, answer)) });
        }
        Ok(seen)
    }
}

/// Creates a world without a rate limit; returns its first user's token.
pub(crate) fn make_world(control: &mut Connection, name: &str, seed: u64) -> Result<String, String> {
    let made = control
        .ask("POST", "/_sim/worlds", "", &calls::new_world(name, seed))
        .map_err(|error| error.to_string())?
        .good()?;
    Ok(made["token"].as_str().unwrap_or_default().to_owned())
}

/// How many calls began while another one was running.
fn together(seen: &[Seen]) -> u64 {
    let mut spans: Vec<_> = seen.iter().filter_map(|one| Some((one.began, one.answer.as_ref()?.0))).collect();
    spans.sort();
    let mut latest: Option<Instant> = None;
    let mut count = 0;
    for (began, ended) in spans {
        count += u64::from(latest.is_some_and(|latest| latest > began));
        latest = latest.max(Some(ended));
    }
    count
}
