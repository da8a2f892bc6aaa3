//! State of one call of the engine that SQL functions use: random numbers, sequences, notes, the budget.
//!
//! A connection serves many databases in turn, so the engine fills this state before a call and clears it afterwards.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chacha20::ChaCha12Rng;
use parking_lot::{Mutex, MutexGuard};
use rand::{Rng as _, SeedableRng as _};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use sim_values::attached::Attached;
use sim_values::budget::Budget;
use uuid::Uuid;

use super::NAME_MAX;
use super::decoded::Decoded;
use sim_values::error::{Result, SqlError, SqlState};

/// The state of a connection, shared with its functions.
#[derive(Clone, Debug)]
pub struct Shared {
    state: Arc<Mutex<State>>,
    /// The engine that calls the functions.
    pub(crate) caller: Caller,
    /// The rest of the call's limits.
    pub budget: Budget,
    /// Long values that functions have parsed, for further functions that read them.
    pub decoded: Decoded,
}

/// What functions need of the engine that calls them.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// Reports a message with its severity to the client.
    pub report: fn(&str, &SqlError),
    /// The names and versions of the extensions that can be created.
    pub extensions: fn() -> Vec<(&'static str, &'static str)>,
}

impl Shared {
    /// The state of a new connection, whose functions are called by `caller`.
    pub fn new(caller: Caller) -> Shared {
        Shared { state: Arc::default(), caller, budget: Budget::default(), decoded: Decoded::default() }
    }

    /// Gives a connection this state, and lets all its statements draw on the budget.
    ///
    /// Fails when SQLite has no memory left for it.
    pub fn attach(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        ATTACHED.attach(connection, Arc::new(self.clone()))?;
        self.budget.attach(connection)
    }

    /// The state of a connection that [`attach`](Shared::attach) has given one.
    pub fn of(connection: &Connection) -> Option<Arc<Shared>> {
        ATTACHED.of(connection)
    }

    /// Begins a call of `text` at `now`, in microseconds. Its random numbers follow from `seed`.
    pub fn begin(&self, seed: [u8; 32], now: i64, role: &str, text: &str) {
        self.lock().begin(seed, now, role, text);
        self.decoded.clear();
    }

    /// Locks the state during one call of a function.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// The states of open connections.
static ATTACHED: Attached<Shared> = Attached::new("SELECT pg_state_number()");

/// The state that the functions of one call share.
#[derive(Debug, Default)]
pub struct State {
    chance: Option<ChaCha12Rng>,
    /// Whether the call has drawn a random number.
    pub has_drawn: bool,
    /// What `setseed` has made the generator of `random()`; without it, that is `chance`.
    seeded: Option<[u64; 2]>,
    /// The text of the call.
    pub text: String,
    /// The time of the call, in microseconds.
    pub now: i64,
    /// The role with whose rights the call runs.
    pub role: String,
    /// The role of the session.
    pub session_role: String,
    /// What the statement at hand has set, in order: name, value, whether only for the transaction.
    pub set: Vec<(String, Option<String>, bool)>,
    sequences: BTreeMap<u32, Sequence>,
    last_sequence: Option<u32>,
    /// What earlier statements of the connection have drawn from sequences, for `currval`.
    drawn: BTreeMap<u32, i64>,
    /// The advisory locks of the session: how often each is held by it, and by its transaction.
    locks: BTreeMap<Lock, [u64; 2]>,
    /// The channels that the session listens to, and what its transaction has sent.
    listens: BTreeSet<String>,
    sent: Sent,
    /// The channels that it begins to listen to, or ends to, when its transaction ends; all with `None`.
    waiting: Vec<(Option<String>, bool)>,
    /// The sequences before a statement was run again to diagnose an error.
    kept: Option<BTreeMap<u32, Sequence>>,
    /// The last row that a diagnostic trigger saw.
    pub noted: Option<String>,
    /// What the event triggers that are firing can ask for: the rows of the commands, and those of the dropped objects.
    pub event: (Option<String>, Option<String>),
    /// For the present upsert: the greatest row number before it, and the rows that it has updated.
    newest: i64,
    updated: BTreeSet<i64>,
    /// The number of the transaction, once it has asked for it, and whether it has changed anything.
    transaction: Option<i64>,
    changes: bool,
}

/// The number of the sequence that transactions have their numbers from.
pub const TRANSACTIONS: u32 = 1;

/// The number before that of the first transaction.
pub const FIRST_TRANSACTION: i64 = 999;

/// An advisory lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lock {
    /// The first number, or the upper half of the only one.
    pub class: u32,
    /// The second number, or the lower half of the only one.
    pub object: u32,
    /// How many numbers it has.
    pub form: u8,
    /// Whether others may hold it, too.
    pub shared: bool,
}

/// About as many as a server has room for with its own settings.
const LOCKS_MAX: usize = 10_000;

/// The bytes of notifications that a transaction may send.
const SENT_MAX: usize = 16 << 20;

/// Notifications of a transaction: channels and payloads, each pair once, with its place.
#[derive(Debug, Default)]
struct Sent {
    places: BTreeMap<(String, String), usize>,
    bytes: usize,
}

impl Sent {
    fn of(messages: Vec<(String, String)>) -> Sent {
        let bytes = messages.iter().map(|(channel, payload)| channel.len() + payload.len()).sum();
        Sent { places: messages.into_iter().zip(0..).collect(), bytes }
    }

    fn add(&mut self, message: (String, String)) -> Result<()> {
        let bytes = self.bytes + message.0.len() + message.1.len();
        let place = self.places.len();
        if let Entry::Vacant(free) = self.places.entry(message) {
            if bytes > SENT_MAX {
                let message = "too many notifications in the NOTIFY queue";
                return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
            }
            free.insert(place);
            self.bytes = bytes;
        }
        Ok(())
    }

    fn in_order(&self) -> Vec<(String, String)> {
        let mut messages: Vec<_> = self.places.iter().collect();
        messages.sort_unstable_by_key(|(_, place)| **place);
        messages.into_iter().map(|(message, _)| message.clone()).collect()
    }
}

/// What later statements of a connection continue with. Those without locks were written as lists of the first three.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    drawn: BTreeMap<u32, i64>,
    last: Option<u32>,
    seeded: Option<[u64; 2]>,
    locks: Vec<(Lock, [u64; 2])>,
    listens: BTreeSet<String>,
    sent: Vec<(String, String)>,
    waiting: Vec<(Option<String>, bool)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    changes: bool,
}

impl Session {
    /// Whether there is nothing to continue with.
    pub fn is_empty(&self) -> bool {
        let draws = !self.drawn.is_empty() || self.seeded.is_some();
        let tells = !self.listens.is_empty() || !self.sent.is_empty() || !self.waiting.is_empty();
        !draws && !tells && self.locks.is_empty() && self.transaction.is_none() && !self.changes
    }

    /// This session, with what belongs to the transaction as it was `before`.
    pub fn with_transaction_of(mut self, before: &Session) -> Session {
        let of_session = self.locks.into_iter().map(|(lock, [session, _])| (lock, session));
        let mut locks: BTreeMap<Lock, [u64; 2]> =
            of_session.map(|(lock, count)| (lock, [count, 0])).collect();
        for (lock, [_, transaction]) in &before.locks {
            locks.entry(*lock).or_default()[1] = *transaction;
        }
        self.locks = locks.into_iter().filter(|(_, counts)| *counts != [0, 0]).collect();
        let (sent, waiting) = (before.sent.clone(), before.waiting.clone());
        let (transaction, changes) = (before.transaction, before.changes);
        Session { listens: before.listens.clone(), sent, waiting, transaction, changes, ..self }
    }
}

/// The present state of a sequence.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Its name, for messages.
    pub name: String,
    /// Its last value, or the first one if it was never called.
    pub value: i64,
    /// Whether it was called.
    pub called: bool,
    /// The difference of two values.
    pub increment: i64,
    /// The least value.
    pub minimum: i64,
    /// The greatest value.
    pub maximum: i64,
    /// Whether its first value follows its last one.
    pub cycle: bool,
    /// The answer of `currval`, after a call of `nextval`.
    pub current: Option<i64>,
    /// Whether its value is the stored one.
    pub stored: bool,
}

impl State {
    fn begin(&mut self, seed: [u8; 32], now: i64, role: &str, text: &str) {
        *self = State {
            chance: Some(ChaCha12Rng::from_seed(seed)),
            now,
            role: role.to_owned(),
            session_role: role.to_owned(),
            text: text.to_owned(),
            ..State::default()
        };
    }

    /// Adds a sequence, unless the call has it already.
    pub fn load(&mut self, oid: u32, sequence: Sequence) {
        let current = self.sequences.get(&oid).and_then(|known| known.current);
        let current = current.or_else(|| self.drawn.get(&oid).copied());
        self.sequences.insert(oid, Sequence { current, ..sequence });
    }

    /// With `keep`, saves the sequences; otherwise restores the saved ones.
    pub fn keep_sequences(&mut self, keep: bool) {
        if keep {
            self.kept = Some(self.sequences.clone());
        } else if let Some(kept) = self.kept.take() {
            self.sequences = kept;
        }
    }

    /// The values of sequences that are to be stored, as JSON: identifier, value, whether the value was used. These are those of
    /// `all` sequences, or of those that have another value than the stored one.
    pub fn sequence_values(&mut self, all: bool) -> String {
        let of_concern = self.sequences.iter_mut().filter(|(_, sequence)| all || !sequence.stored);
        let value = |(oid, sequence): (&u32, &mut Sequence)| {
            sequence.stored = true;
            (*oid, sequence.value, sequence.called)
        };
        let values: Vec<(u32, i64, bool)> = of_concern.map(value).collect();
        if values.is_empty() { String::new() } else { serde_json::to_string(&values).unwrap_or_default() }
    }

    /// Begins an upsert into a table whose greatest row number is `newest`.
    pub fn begin_upsert(&mut self, newest: i64) {
        (self.newest, self.updated) = (newest, BTreeSet::new());
    }

    /// Whether an upsert updates an existing row. `wanted` is the result of its condition.
    ///
    /// Fails when the same statement has inserted or updated that row.
    pub fn affect(&mut self, row: i64, wanted: bool) -> Result<bool> {
        if row > self.newest || self.updated.contains(&row) {
            return Err(affected_twice());
        }
        if wanted {
            self.updated.insert(row);
        }
        Ok(wanted)
    }

    /// Whether the present upsert has updated a row.
    pub fn is_affected(&self, row: i64) -> bool {
        self.updated.contains(&row)
    }

    /// The sequence with this identifier.
    pub fn sequence(&mut self, oid: u32) -> Result<&mut Sequence> {
        let missing =
            || SqlError::new(SqlState::UNDEFINED_TABLE, format!("could not open relation with OID {oid}"));
        self.sequences.get_mut(&oid).ok_or_else(missing)
    }

    /// The answer of `nextval`.
    pub fn next_value(&mut self, oid: u32) -> Result<i64> {
        let sequence = self.sequence(oid)?;
        let next = if sequence.called {
            sequence.value.checked_add(sequence.increment)
        } else {
            Some(sequence.value)
        };
        let value = match next.filter(|value| (sequence.minimum..=sequence.maximum).contains(value)) {
            Some(value) => value,
            None if sequence.cycle && sequence.increment > 0 => sequence.minimum,
            None if sequence.cycle => sequence.maximum,
            None => {
                let (bound, limit) = if sequence.increment > 0 {
                    ("maximum", sequence.maximum)
                } else {
                    ("minimum", sequence.minimum)
                };
                let message =
                    format!("nextval: reached {bound} value of sequence \"{}\" ({limit})", sequence.name);
                return Err(SqlError::new(SqlState::new("2200H"), message));
            }
        };
        (sequence.value, sequence.called, sequence.current) = (value, true, Some(value));
        sequence.stored = false;
        self.last_sequence = Some(oid);
        Ok(value)
    }

    /// The number of the transaction, which it has from now on.
    pub fn transaction_number(&mut self) -> Result<i64> {
        let next = self.next_number()?;
        if self.transaction.is_none() {
            let sequence = self.sequence(TRANSACTIONS)?;
            (sequence.value, sequence.stored) = (next, false);
            self.transaction = Some(next);
        }
        Ok(next)
    }

    /// The number that the transaction has, or would have.
    pub fn next_number(&mut self) -> Result<i64> {
        match self.transaction {
            Some(number) => Ok(number),
            None => Ok(self.sequence(TRANSACTIONS)?.value + 1),
        }
    }

    /// Whether the transaction has a number.
    pub fn has_number(&self) -> bool {
        self.transaction.is_some() || self.changes
    }

    /// Notes that the transaction changes something.
    pub fn note_change(&mut self) {
        self.changes = true;
    }

    /// The answer of `currval`.
    pub fn current_value(&mut self, oid: u32) -> Result<i64> {
        let sequence = self.sequence(oid)?;
        let name = sequence.name.clone();
        sequence.current.ok_or_else(|| {
            let message = format!("currval of sequence \"{name}\" is not yet defined in this session");
            SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message)
        })
    }

    /// The values that the session has drawn last, by sequence, the sequence that it has drawn from last, its generator and its
    /// locks.
    pub fn session(&self) -> Session {
        let mut drawn = self.drawn.clone();
        drawn.extend(self.sequences.iter().filter_map(|(oid, known)| Some((*oid, known.current?))));
        let locks = self.locks.iter().map(|(lock, counts)| (*lock, *counts)).collect();
        let (listens, sent, waiting) = (self.listens.clone(), self.sent.in_order(), self.waiting.clone());
        let (transaction, changes) = (self.transaction, self.changes);
        let (last, seeded) = (self.last_sequence, self.seeded);
        Session { drawn, last, seeded, locks, listens, sent, waiting, transaction, changes }
    }

    /// Continues the session of a connection.
    pub fn resume(&mut self, session: Session) {
        let Session { drawn, last, seeded, locks, listens, sent, waiting, transaction, changes } = session;
        (self.transaction, self.changes) = (transaction, changes);
        (self.listens, self.sent, self.waiting) = (listens, Sent::of(sent), waiting);
        (self.drawn, self.last_sequence, self.seeded) = (drawn, last, seeded);
        self.locks = locks.into_iter().collect();
    }

    /// Begins or ends to listen to a channel, when the transaction ends; to all with `None`.
    pub fn listen(&mut self, channel: Option<String>, begins: bool) {
        self.waiting.push((channel, begins));
    }

    /// Ends what belongs to the transaction alone.
    pub fn end_transaction(&mut self, committed: bool) {
        self.end_locks(true);
        (self.transaction, self.changes) = (None, false);
        let waiting = std::mem::take(&mut self.waiting);
        if !committed {
            self.sent = Sent::default();
            return;
        }
        for (channel, begins) in waiting {
            match channel {
                Some(channel) if begins => drop(self.listens.insert(channel)),
                Some(channel) => drop(self.listens.remove(&channel)),
                None => self.listens.clear(),
            }
        }
    }

    /// The channels that the session listens to.
    pub fn channels(&self) -> impl Iterator<Item = &String> {
        self.listens.iter()
    }

    /// Notes what `NOTIFY` sends. A transaction sends the same only once.
    pub fn notify(&mut self, channel: &str, payload: &str) -> Result<()> {
        const PAYLOAD_MAX: usize = 8_000;
        let invalid = |message: &str| Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        if channel.is_empty() {
            return invalid("channel name cannot be empty");
        }
        if channel.len() > NAME_MAX {
            return invalid("channel name too long");
        }
        if payload.len() >= PAYLOAD_MAX {
            return invalid("payload string too long");
        }
        self.sent.add((channel.to_owned(), payload.to_owned()))
    }

    /// Takes what the transaction has sent to the session itself.
    pub fn take_notified(&mut self) -> Vec<(String, String)> {
        let mut sent = std::mem::take(&mut self.sent).in_order();
        sent.retain(|(channel, _)| self.listens.contains(channel));
        sent
    }

    /// Takes an advisory lock, for the session or for its transaction.
    pub fn take_lock(&mut self, lock: Lock, for_transaction: bool) -> Result<()> {
        if self.locks.len() >= LOCKS_MAX && !self.locks.contains_key(&lock) {
            let error = SqlError::new(SqlState::OUT_OF_MEMORY, "out of shared memory");
            return Err(error.hint("You might need to increase max_locks_per_transaction."));
        }
        self.locks.entry(lock).or_default()[usize::from(for_transaction)] += 1;
        Ok(())
    }

    /// Gives back an advisory lock that the session holds; whether it did.
    pub fn give_back_lock(&mut self, lock: Lock) -> bool {
        let Some(counts) = self.locks.get_mut(&lock).filter(|counts| counts[0] > 0) else { return false };
        counts[0] -= 1;
        if *counts == [0, 0] {
            self.locks.remove(&lock);
        }
        true
    }

    /// Gives back all advisory locks of the session, or those of its transaction.
    pub fn end_locks(&mut self, of_transaction: bool) {
        self.locks.values_mut().for_each(|counts| counts[usize::from(of_transaction)] = 0);
        self.locks.retain(|_, counts| *counts != [0, 0]);
    }

    /// The advisory locks that are held.
    pub fn locks(&self) -> impl Iterator<Item = &Lock> {
        self.locks.keys()
    }

    /// Begins a sequence of random numbers, which is PostgreSQL's for the same seed.
    pub fn seed(&mut self, seed: f64) {
        let mut state = (((1_u64 << 52) - 1) as f64 * seed) as i64 as u64;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let value = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            value ^ (value >> 31)
        };
        self.seeded = Some([next(), next()]);
    }

    /// The answer of `lastval`.
    pub fn last_value(&mut self) -> Result<i64> {
        match self.last_sequence {
            Some(oid) if !self.sequences.contains_key(&oid) && self.drawn.contains_key(&oid) => {
                Ok(self.drawn[&oid])
            }
            Some(oid) => self.current_value(oid),
            None => {
                let message = "lastval is not yet defined in this session";
                Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message))
            }
        }
    }

    /// The answer of `setval`.
    pub fn set_value(&mut self, oid: u32, value: i64, called: bool) -> Result<i64> {
        let sequence = self.sequence(oid)?;
        if !(sequence.minimum..=sequence.maximum).contains(&value) {
            let message = format!(
                "setval: value {value} is out of bounds for sequence \"{}\" ({}..{})",
                sequence.name, sequence.minimum, sequence.maximum
            );
            return Err(SqlError::new(SqlState::OUT_OF_RANGE, message));
        }
        (sequence.value, sequence.called, sequence.stored) = (value, called, false);
        if called {
            sequence.current = Some(value);
        }
        Ok(value)
    }

    /// A number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        if let Some([first, second]) = &mut self.seeded {
            let mixed = *second ^ *first;
            let value = first.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
            *first = first.rotate_left(24) ^ mixed ^ (mixed << 16);
            *second = mixed.rotate_left(37);
            return (value >> 12) as f64 / (1_u64 << 52) as f64;
        }
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A UUID, version 4 in form.
    pub fn uuid(&mut self) -> Uuid {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.draw().to_le_bytes());
        bytes[8..].copy_from_slice(&self.draw().to_le_bytes());
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }

    /// Sixty-four random bits.
    pub fn draw(&mut self) -> u64 {
        self.has_drawn = true;
        self.chance.get_or_insert_with(|| ChaCha12Rng::from_seed([0; 32])).next_u64()
    }
}

/// The error of an upsert that would change a row a second time.
pub fn affected_twice() -> SqlError {
    let message = "ON CONFLICT DO UPDATE command cannot affect row a second time";
    SqlError::new(SqlState::CARDINALITY_VIOLATION, message).hint(
        "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.",
    )
}
