//! PL/pgSQL: a body is parsed when its function is created, and run when it is called, by `DO`, `CALL`, a trigger or a query.
//!
//! `parse` makes the `tree`, `run` runs it. Queries and expressions in a body are bound by the engine like any others, with
//! variables of the `frame` as parameters (`fragment`). `call` runs bodies for queries.

mod aggregate;
mod builtin_triggers;
mod call;
mod conditions;
mod context;
mod declared;
mod fragment;
mod frame;
mod parse;
mod queried;
mod raise;
mod run;
mod sql_body;
mod subtransaction;
mod transition;
mod tree;
mod trigger;

use crate::catalog::Routine;
use crate::error::Result;
use crate::types::Type;
pub(crate) use builtin_triggers::{builtin_trigger, builtin_trigger_name};
pub(crate) use call::{
    Carried, calling, is_call_out_of_place, is_called, register, report, result_columns, setting_now,
    with_stack,
};
pub(crate) use context::Around;
use context::BLOCK;
pub(crate) use fragment::{Known, Plan, Uses, expand_row, expanded};
pub(crate) use frame::{Frame, PARAMETER};
use parse::Returning;
pub(crate) use parse::SQL;
pub(crate) use transition::{Changed, is_read as transition_is_read};
pub(crate) use tree::{Body, Conflict};
pub(crate) use trigger::{Change, Watched, deeper, depth, fires, noted_at};

/// The variables of every trigger function.
const OF_TRIGGERS: &[&str] = &[
    "new",
    "old",
    "tg_name",
    "tg_when",
    "tg_level",
    "tg_op",
    "tg_relid",
    "tg_relname",
    "tg_table_name",
    "tg_table_schema",
    "tg_nargs",
    "tg_argv",
];

/// Parses the body of a routine.
pub(crate) fn body_of(routine: &Routine) -> Result<Body> {
    parse::parse(&routine.body, variables_of(routine), Returning::of(routine))
}

/// Parses the body of a routine, with its queries and expressions.
pub(crate) fn whole_body_of(routine: &Routine) -> Result<Body> {
    let body = parse::parse_whole(&routine.body, variables_of(routine), Returning::of(routine));
    body.map_err(|error| error.with_context(|near| format!("{} {near}", compilation_of(routine))))
}

/// What is at work when a body is parsed.
fn compilation_of(routine: &Routine) -> String {
    let name = if routine.name.is_empty() { BLOCK } else { &routine.name };
    format!("compilation of PL/pgSQL function \"{name}\"")
}

/// The variables that a body has before it declares any.
fn variables_of(routine: &Routine) -> Vec<String> {
    let named = routine.arguments.iter().filter_map(|argument| argument.name.clone());
    let numbered = (1..=routine.inputs().count()).map(|number| format!("${number}"));
    let mut known: Vec<String> = named.chain(numbered).chain([routine.name.clone()]).collect();
    if routine.returns == Type::TRIGGER {
        known.extend(OF_TRIGGERS.iter().map(|name| (*name).to_owned()));
    }
    if routine.returns == Type::EVENT_TRIGGER {
        known.extend(["tg_event", "tg_tag"].map(str::to_owned));
    }
    known
}
