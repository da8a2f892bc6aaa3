//! What lasts for one call of the engine and is known to SQL functions: chance, sequences, notes, the budget.
//!
//! A connection serves many databases in turn, so nothing here outlives a call: [`super::run`] fills it in and empties it.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use parking_lot::{Mutex, MutexGuard};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha12Rng;
use uuid::Uuid;

/// The state of a connection, shared with its functions.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    state: Arc<Mutex<State>>,
    /// Steps of SQLite's virtual machine that are left, in thousands; the progress handler counts them down.
    pub(super) budget: Arc<AtomicI64>,
}

impl Shared {
    /// The state, for the moment of one function call.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

/// What the functions of one call share.
#[derive(Debug, Default)]
pub struct State {
    chance: Option<ChaCha12Rng>,
    /// What a diagnostic trigger saw last.
    pub(super) noted: Option<String>,
}

impl State {
    /// Begins a call whose chance follows from `seed`.
    pub(super) fn begin(&mut self, seed: [u8; 32]) {
        *self = State { chance: Some(ChaCha12Rng::from_seed(seed)), ..State::default() };
    }

    /// A number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A UUID, version 4 in form.
    pub fn uuid(&mut self) -> Uuid {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.draw().to_le_bytes());
        bytes[8..].copy_from_slice(&self.draw().to_le_bytes());
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }

    /// Sixty-four bits of chance.
    pub fn draw(&mut self) -> u64 {
        self.chance.get_or_insert_with(|| ChaCha12Rng::from_seed([0; 32])).next_u64()
    }
}
