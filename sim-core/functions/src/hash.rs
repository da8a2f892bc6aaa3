//! Hashes as PostgreSQL computes them: of texts, and those by which rows are divided among partitions.

use rusqlite::types::{Value, ValueRef};

use super::{Arguments, Function};
use sim_values::error::Result;
use sim_values::types::Type;

pub(super) static FUNCTIONS: &[Function] = &[
    // The number of the type under a domain, and the value.
    Function::rust("pg_partition_hash", &[Type::INT4, Type::ANY], Type::INT8, hash),
    Function::rust("hashtext", &[Type::TEXT], Type::INT4, |a| {
        Ok(Value::Integer(i64::from((of_bytes(a.text(0).as_bytes(), 0) as u32).cast_signed())))
    }),
    Function::rust("hashtextextended", &[Type::TEXT, Type::INT8], Type::INT8, |a| {
        Ok(Value::Integer(of_bytes(a.text(0).as_bytes(), a.int(1).cast_unsigned()).cast_signed()))
    }),
    Function::rust("pg_partition_rest", &[Type::INT8, Type::INT8], Type::INT8, rest).variadic().nullable(),
];

/// The seed of the hash of partitions.
const SEED: u64 = 0x7A5B_2236_7996_DCFD;
const START: u32 = 0x9e37_79b9_u32.wrapping_add(3_923_095);

/// Days from 1970-01-01 to 2000-01-01, from which PostgreSQL counts.
const DAYS: i64 = 10_957;

fn hash(a: &Arguments<'_, '_>) -> Result<Value> {
    let type_ = u32::try_from(a.int(0)).map_or(Type::TEXT, Type);
    let hash = match (a.value(1), type_) {
        (ValueRef::Integer(value), Type::DATE) => of_word(low(value - DAYS)),
        (ValueRef::Integer(value), Type::TIMESTAMP | Type::TIMESTAMPTZ) => {
            of_wide(value - DAYS * 86_400_000_000)
        }
        (ValueRef::Integer(value), Type::INT8) => of_wide(value),
        (ValueRef::Integer(value), _) => of_word(low(value)),
        (_, Type::UUID) => of_bytes(uuid::Uuid::try_parse(a.text(1)).unwrap_or_default().as_bytes(), SEED),
        _ => of_bytes(a.text(1).as_bytes(), SEED),
    };
    Ok(Value::Integer(hash.cast_signed()))
}

/// The remainder of all hashes together.
fn rest(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut all = 0_u64;
    for index in 1..a.len() {
        if !a.is_null(index) {
            let hash = a.int(index).cast_unsigned();
            let more =
                hash.wrapping_add(0x49a0_f4dd_15e5_a8e3).wrapping_add(all << 54).wrapping_add(all >> 7);
            all ^= more;
        }
    }
    let modulus = a.int(0).cast_unsigned().max(1);
    Ok(Value::Integer((all % modulus).cast_signed()))
}

fn low(value: i64) -> u32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Hashes a wide integer so that it agrees with a short one of the same value.
fn of_wide(value: i64) -> u64 {
    let high = low(value >> 32);
    of_word(low(value) ^ if value < 0 { !high } else { high })
}

fn of_word(word: u32) -> u64 {
    let mut state = State::of(4, SEED);
    state.a = state.a.wrapping_add(word);
    state.finish()
}

pub(super) fn of_bytes(bytes: &[u8], seed: u64) -> u64 {
    let mut state = State::of(bytes.len(), seed);
    let mut chunks = bytes.chunks_exact(12);
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    };
    for chunk in &mut chunks {
        state.a = state.a.wrapping_add(word(&chunk[..4]));
        state.b = state.b.wrapping_add(word(&chunk[4..8]));
        state.c = state.c.wrapping_add(word(&chunk[8..]));
        state.mix();
    }
    let rest = chunks.remainder();
    let part = |from: usize| &rest[from.min(rest.len())..(from + 4).min(rest.len())];
    state.a = state.a.wrapping_add(word(part(0)));
    state.b = state.b.wrapping_add(word(part(4)));
    // The lowest byte of the last word stands for the length.
    let last = part(8);
    let mut shifted = [0; 4];
    shifted[1..=last.len()].copy_from_slice(last);
    state.c = state.c.wrapping_add(u32::from_le_bytes(shifted));
    state.finish()
}

struct State {
    a: u32,
    b: u32,
    c: u32,
}

impl State {
    fn of(length: usize, seed: u64) -> State {
        let start = START.wrapping_add(low(i64::try_from(length).unwrap_or(0)));
        if seed == 0 {
            return State { a: start, b: start, c: start };
        }
        let (high, seed) = (low((seed >> 32).cast_signed()), low(seed.cast_signed()));
        let mut state = State { a: start.wrapping_add(high), b: start.wrapping_add(seed), c: start };
        state.mix();
        state
    }

    fn mix(&mut self) {
        let State { a, b, c } = self;
        let step = |x: &mut u32, y: &mut u32, z: u32, bits: u32| {
            *x = x.wrapping_sub(*y) ^ y.rotate_left(bits);
            *y = y.wrapping_add(z);
        };
        step(a, c, *b, 4);
        step(b, a, *c, 6);
        step(c, b, *a, 8);
        step(a, c, *b, 16);
        step(b, a, *c, 19);
        step(c, b, *a, 4);
    }

    fn finish(self) -> u64 {
        let State { mut a, mut b, mut c } = self;
        let step = |x: &mut u32, y: u32, bits: u32| *x = (*x ^ y).wrapping_sub(y.rotate_left(bits));
        step(&mut c, b, 14);
        step(&mut a, c, 11);
        step(&mut b, a, 25);
        step(&mut c, b, 16);
        step(&mut a, c, 4);
        step(&mut b, a, 14);
        step(&mut c, b, 24);
        (u64::from(b) << 32) | u64::from(c)
    }
}
