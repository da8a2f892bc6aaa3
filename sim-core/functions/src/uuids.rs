//! Functions of `uuid-ossp` beside those of random UUIDs.

use md5::{Digest, Md5};
use rusqlite::types::Value;
use sha1::Sha1;
use uuid::Uuid;

use super::text::own;
use super::{Arguments, Form, Function};
use crate::state::State;
use sim_values::error::Result;
use sim_values::types::Type;

const U: Type = Type::UUID;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("uuid_generate_v3", &[U, Type::TEXT], U, |a| {
        named(3, &Md5::digest([&namespace(a)[..], a.bytes(1)].concat()))
    }),
    Function::rust("uuid_generate_v5", &[U, Type::TEXT], U, |a| {
        named(5, &Sha1::digest([&namespace(a)[..], a.bytes(1)].concat()))
    }),
    Function::of("uuid_generate_v1", &[], U, Form::State(by_time)).volatile(),
    Function::of("uuid_generate_v1mc", &[], U, Form::State(by_time)).volatile(),
    Function::template("uuid_ns_dns", &[], U, "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"),
    Function::template("uuid_ns_url", &[], U, "'6ba7b811-9dad-11d1-80b4-00c04fd430c8'"),
    Function::template("uuid_ns_oid", &[], U, "'6ba7b812-9dad-11d1-80b4-00c04fd430c8'"),
    Function::template("uuid_ns_x500", &[], U, "'6ba7b814-9dad-11d1-80b4-00c04fd430c8'"),
];

fn namespace(a: &Arguments<'_, '_>) -> [u8; 16] {
    Uuid::try_parse(a.text(0)).unwrap_or_default().into_bytes()
}

/// The UUID of a digest.
fn named(version: u8, digest: &[u8]) -> Result<Value> {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    finished(version, bytes)
}

fn finished(version: u8, mut bytes: [u8; 16]) -> Result<Value> {
    bytes[6] = (bytes[6] & 0x0f) | (version << 4);
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    own(Uuid::from_bytes(bytes).to_string())
}

/// A UUID of the call's time. Its clock sequence and its node are random.
fn by_time(state: &mut State, _: &Arguments<'_, '_>) -> Result<Value> {
    /// The timestamp 1970-01-01 in units of 100 nanoseconds since 1582-10-15.
    const EPOCH: i64 = 0x01b2_1dd2_1381_4000;
    let [.., high, low] = state.draw().to_be_bytes();
    let ticks = state.now.saturating_mul(10).saturating_add(EPOCH).to_be_bytes();
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&ticks[4..]);
    bytes[4..6].copy_from_slice(&ticks[2..4]);
    bytes[6..8].copy_from_slice(&ticks[..2]);
    (bytes[8], bytes[9]) = (high, low);
    bytes[10..].copy_from_slice(&state.draw().to_be_bytes()[2..]);
    // A node that is no network card.
    bytes[10] |= 1;
    finished(1, bytes)
}
