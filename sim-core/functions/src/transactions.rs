//! The numbers of transactions. A transaction has none until it asks for it or changes something; later ones have greater numbers.

use rusqlite::types::Value;
use serde_json::json;

use super::text::{own, truth};
use super::{Arguments, Form, Function};
use crate::state::State;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::snapshot::Snapshot;

const OLD: Type = Type::TXID_SNAPSHOT;
const NEW: Type = Type::PG_SNAPSHOT;

pub(super) static FUNCTIONS: &[Function] = &[
    of_state("txid_current", &[], Type::INT8, |state, _| state.transaction_number().map(Value::Integer)),
    of_state("pg_current_xact_id", &[], Type::XID8, |state, _| {
        state.transaction_number().map(Value::Integer)
    }),
    of_state("txid_current_if_assigned", &[], Type::INT8, |state, _| if_assigned(state)),
    of_state("pg_current_xact_id_if_assigned", &[], Type::XID8, |state, _| if_assigned(state)),
    of_state("txid_current_snapshot", &[], OLD, |state, _| current(state)),
    of_state("pg_current_snapshot", &[], NEW, |state, _| current(state)),
    of_state("txid_status", &[Type::INT8], Type::TEXT, status),
    of_state("pg_xact_status", &[Type::XID8], Type::TEXT, status),
    Function::rust("txid_snapshot_xmin", &[OLD], Type::INT8, |a| number(Snapshot::parse(a.text(0))?.least)),
    Function::rust("pg_snapshot_xmin", &[NEW], Type::XID8, |a| number(Snapshot::parse(a.text(0))?.least)),
    Function::rust("txid_snapshot_xmax", &[OLD], Type::INT8, |a| number(Snapshot::parse(a.text(0))?.next)),
    Function::rust("pg_snapshot_xmax", &[NEW], Type::XID8, |a| number(Snapshot::parse(a.text(0))?.next)),
    running("txid_snapshot_xip", &[OLD], Type::INT8),
    running("pg_snapshot_xip", &[NEW], Type::XID8),
    Function::rust("txid_visible_in_snapshot", &[Type::INT8, OLD], Type::BOOL, is_seen),
    Function::rust("pg_visible_in_snapshot", &[Type::XID8, NEW], Type::BOOL, is_seen),
];

/// Whether a function reads the number of the last transaction.
pub fn reads_number(name: &str) -> bool {
    FUNCTIONS.iter().any(|known| known.name == name && matches!(known.form, Form::State(_)))
}

const fn of_state(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&mut State, &Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::of(name, arguments, returns, Form::State(call)).volatile()
}

const fn running(name: &'static str, arguments: &'static [Type], returns: Type) -> Function {
    Function::set(name, arguments, returns, &[], |a| {
        let running = Snapshot::parse(a.text(0))?.running;
        Ok(array::of(running.into_iter().map(|number| json!(number)).collect()))
    })
}

fn number(number: u64) -> Result<Value> {
    Ok(Value::Integer(number as i64))
}

fn if_assigned(state: &mut State) -> Result<Value> {
    if state.has_number() { state.transaction_number().map(Value::Integer) } else { Ok(Value::Null) }
}

/// No other transaction runs meanwhile.
fn current(state: &mut State) -> Result<Value> {
    let next = state.next_number()?;
    own(format!("{next}:{next}:"))
}

fn status(state: &mut State, a: &Arguments<'_, '_>) -> Result<Value> {
    let (number, next) = (a.int(0), state.next_number()?);
    if number < next {
        return own("committed".to_owned());
    }
    if number == next && state.has_number() {
        return own("in progress".to_owned());
    }
    let message = format!("transaction ID {number} is in the future");
    Err(SqlError::new(SqlState::INVALID_PARAMETER, message))
}

fn is_seen(a: &Arguments<'_, '_>) -> Result<Value> {
    truth(Snapshot::parse(a.text(1))?.sees(a.int(0) as u64))
}
