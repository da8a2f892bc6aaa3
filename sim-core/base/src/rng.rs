//! Random numbers from one seed, in named streams. A new draw in one stream changes no identifiers of another.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use chacha20::ChaCha12Rng;
use rand::SeedableRng as _;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// A source of random numbers, as engines of SQL take one.
pub use rand::Rng as Source;

use super::db::Db;

/// The table of draws.
pub const TABLES: &str = "
    CREATE TABLE draw (stream TEXT PRIMARY KEY, next INTEGER NOT NULL) STRICT, WITHOUT ROWID;
";

/// The world's source of random numbers. The number of draws of each stream is a row, so forks draw the same values.
#[derive(Clone, Copy)]
pub struct Rng<'a> {
    /// The world's seed.
    pub seed: u64,
    /// The world's rows, which count the draws.
    pub db: Db<'a>,
}

impl Rng<'_> {
    /// The next draw of `stream`. One draw has as many values as one thing needs.
    pub fn draw(&self, stream: &str) -> Draw {
        let draw = self.next(stream);
        self.count(stream, &draw);
        draw
    }

    /// The next draw of `stream`, for what seldom needs its values. It is the next one again until it is [counted](Rng::count).
    pub fn next(&self, stream: &str) -> Draw {
        let drawn = self.db.maybe("SELECT next FROM draw WHERE stream = ?1", (stream,), |row| row.get(0));
        let next = drawn.map_or(1_i64, |last: i64| last + 1);
        let mut source = ChaCha12Rng::from_seed(
            Sha256::new().chain_update(self.seed.to_le_bytes()).chain_update(stream).finalize().into(),
        );
        source.set_stream(next as u64);
        Draw { number: next, source }
    }

    /// Counts a draw whose values were used.
    pub fn count(&self, stream: &str, draw: &Draw) {
        let write = match draw.number {
            1 => "INSERT INTO draw VALUES (?1, ?2)",
            _ => "UPDATE draw SET next = ?2 WHERE stream = ?1",
        };
        self.db.run(write, (stream, draw.number));
    }

    /// A UUID (version 4 in form) from `stream`.
    pub fn uuid(&self, stream: &str) -> Uuid {
        self.draw(stream).uuid()
    }
}

/// One draw from a stream. Successive values are independent.
pub struct Draw {
    number: i64,
    source: ChaCha12Rng,
}

impl Draw {
    /// The values that follow from these bytes, which an earlier draw has given.
    pub fn of_seed(bytes: [u8; 32]) -> Draw {
        Draw { number: 0, source: ChaCha12Rng::from_seed(bytes) }
    }

    /// The number of this draw in its stream, from 1.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The values themselves.
    pub fn source(&mut self) -> &mut dyn rand::Rng {
        &mut self.source
    }

    /// `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.source.fill_bytes(&mut bytes);
        bytes
    }

    /// `length` lowercase letters, as in project references.
    pub fn letters(&mut self, length: usize) -> String {
        (0..length).map(|_| char::from(b'a' + (self.source.next_u32() % 26) as u8)).collect()
    }

    /// Lowercase hex of `N` bytes.
    pub fn hex<const N: usize>(&mut self) -> String {
        hex(&self.bytes::<N>())
    }

    /// Standard base64 of `N` bytes.
    pub fn base64<const N: usize>(&mut self) -> String {
        BASE64.encode(self.bytes::<N>())
    }

    /// A UUID, version 4 in form.
    pub fn uuid(&mut self) -> Uuid {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid()
    }
}

/// Lowercase hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
