//! A world as data, to be taken up again elsewhere: its rows, its databases, its place in time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::builder::Setup;
use super::db::Db;
use super::error::{Error, Kind};
use super::fault::{Faults, Past};
use super::pipeline::Head;
use super::rng::hex;
use super::simulator::Simulator;
use super::store::Store;
use super::time::from_micros;
use super::upload::Blob;

/// What an exported world had become, for the world that begins as it did. Written by
/// [`Simulator::export`](crate::Simulator::export) and not by people: one that was changed is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// How many calls it had answered.
    pub(crate) calls: u64,
    /// The rolling hash over them, 64 hex digits.
    #[schemars(length(equal = 64))]
    hash: String,
    /// The pages of its rows and of its projects' databases, compressed.
    pages: Blob,
    /// Over all of this and what the world began with, so that nothing of it can be changed unnoticed.
    #[schemars(length(equal = 64))]
    digest: String,
    /// The same of the service beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<Box<State>>,
}

impl State {
    fn digest_for(&self, setup: &Setup) -> String {
        let beginning = (setup.registry.service.name, setup.seed, setup.start, &setup.world);
        let beginning = serde_json::to_vec(&beginning).expect("a world is plain data");
        let digest = Sha256::new()
            .chain_update(beginning)
            .chain_update(self.calls.to_le_bytes())
            .chain_update(&self.hash)
            .chain_update(&self.pages.0);
        hex(&digest.finalize())
    }
}

impl Simulator {
    /// What this world has become. 409 where a server keeps its databases or events: those stay there.
    pub(crate) fn state(&self) -> Result<State, Error> {
        let elsewhere = || {
            let text = "A world whose databases or events are on a server can't be exported: they stay there";
            Error::new(Kind::Conflict, "kept_on_server", text)
        };
        let here = self.setup.server.is_none() && self.setup.events.is_none();
        let pages = here.then(|| self.store.pack()).flatten().ok_or_else(elsewhere)?;
        let beside = self.beside().map(Simulator::state).transpose()?.map(Box::new);
        let mut state = State {
            calls: self.head.calls,
            hash: hex(&self.head.hash),
            pages: Blob(pages),
            digest: String::new(),
            beside,
        };
        state.digest = state.digest_for(&self.setup);
        Ok(state)
    }

    /// Makes this world, which has just begun, what an equal one had become. Reads that are to be stale see no further
    /// back than this.
    pub(crate) fn become_as(&mut self, state: &State) -> Result<(), Error> {
        let wrong = |text: &str| Error::invalid("invalid_seed.state", format!("state: {text}"));
        if state.digest != state.digest_for(&self.setup) {
            return Err(wrong(
                "was changed, or belongs to a world with another seed, start, service, or other people",
            ));
        }
        if self.setup.server.is_some() || self.setup.events.is_some() {
            return Err(wrong("has its databases in itself; leave out the server"));
        }
        let hash = read_hash(&state.hash).ok_or_else(|| wrong("hash must be 64 hex digits"))?;
        let store = Store::unpack(&self.registry.pool, &state.pages.0).map_err(|text| wrong(&text))?;
        let (now, faults) = store.read(|connection| {
            let db = Db { connection };
            (db.one("SELECT now FROM world", (), |row| row.get(0)), Faults::of(db))
        });
        match (&mut self.beside, &state.beside) {
            (Some(beside), Some(state)) => beside.sim.become_as(state)?,
            (None, None) => {}
            _ => return Err(wrong("is of a world with other services")),
        }
        self.store = store;
        self.head = Head { now: from_micros(now), calls: state.calls, hash, faults };
        self.past = Past::default();
        self.past.keep(faults.stale, || self.store.snapshot());
        Ok(())
    }
}

fn read_hash(text: &str) -> Option<[u8; 32]> {
    let byte = |at: usize| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
    bytes?.try_into().ok().filter(|_| text.len() == 64)
}
