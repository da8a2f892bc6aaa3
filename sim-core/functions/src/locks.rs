//! Advisory locks. No other session waits for them: each gets its locks at once, and gives back those that it holds.

use rusqlite::types::Value;

use super::text::truth;
use super::{Arguments, Form, Function};
use crate::state::{Lock, State};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

/// A lock has a number or two smaller ones.
const KEY: &[Type] = &[Type::INT8];
const KEYS: &[Type] = &[Type::INT4, Type::INT4];

/// What a function does: whether it is about a shared lock, and one that ends with the transaction.
#[derive(Clone, Copy)]
struct Kind {
    shared: bool,
    transaction: bool,
}

const SESSION: Kind = Kind { shared: false, transaction: false };
const TRANSACTION: Kind = Kind { shared: false, transaction: true };
const SHARED: Kind = Kind { shared: true, transaction: false };
const TRANSACTION_SHARED: Kind = Kind { shared: true, transaction: true };

macro_rules! locks {
    ($($name:literal, $try:literal, $kind:expr;)*) => {
        &[
            $(
                of($name, KEY, Type::VOID, |state, a| take(state, a, $kind, Value::Text(String::new()))),
                of($name, KEYS, Type::VOID, |state, a| take(state, a, $kind, Value::Text(String::new()))),
                of($try, KEY, Type::BOOL, |state, a| take(state, a, $kind, Value::Integer(1))),
                of($try, KEYS, Type::BOOL, |state, a| take(state, a, $kind, Value::Integer(1))),
            )*
        ]
    };
}

pub(super) static TAKEN: &[Function] = locks! {
    "pg_advisory_lock", "pg_try_advisory_lock", SESSION;
    "pg_advisory_lock_shared", "pg_try_advisory_lock_shared", SHARED;
    "pg_advisory_xact_lock", "pg_try_advisory_xact_lock", TRANSACTION;
    "pg_advisory_xact_lock_shared", "pg_try_advisory_xact_lock_shared", TRANSACTION_SHARED;
};

pub(super) static GIVEN_BACK: &[Function] = &[
    of("pg_advisory_unlock", KEY, Type::BOOL, |state, a| give_back(state, a, false)),
    of("pg_advisory_unlock", KEYS, Type::BOOL, |state, a| give_back(state, a, false)),
    of("pg_advisory_unlock_shared", KEY, Type::BOOL, |state, a| give_back(state, a, true)),
    of("pg_advisory_unlock_shared", KEYS, Type::BOOL, |state, a| give_back(state, a, true)),
    of("pg_advisory_unlock_all", &[], Type::VOID, |state, _| {
        state.end_locks(false);
        Ok(Value::Text(String::new()))
    }),
];

const fn of(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&mut State, &Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::of(name, arguments, returns, Form::State(call)).volatile()
}

fn lock(a: &Arguments<'_, '_>, shared: bool) -> Lock {
    if a.len() > 1 {
        return Lock { class: a.int(0) as u32, object: a.int(1) as u32, form: 2, shared };
    }
    let key = a.int(0);
    Lock { class: (key >> 32) as u32, object: key as u32, form: 1, shared }
}

fn take(state: &mut State, a: &Arguments<'_, '_>, kind: Kind, answer: Value) -> Result<Value> {
    state.take_lock(lock(a, kind.shared), kind.transaction)?;
    Ok(answer)
}

fn give_back(state: &mut State, a: &Arguments<'_, '_>, shared: bool) -> Result<Value> {
    let held = state.give_back_lock(lock(a, shared));
    if !held {
        let mode = if shared { "ShareLock" } else { "ExclusiveLock" };
        let message = format!("you don't own a lock of type {mode}");
        a.report("WARNING", &SqlError::new(SqlState::new("01000"), message));
    }
    truth(held)
}
