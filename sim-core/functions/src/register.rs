//! Registers the functions with SQLite, and charges what their calls cost.

use std::panic::AssertUnwindSafe;

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::{Value, ValueRef};
use sim_values::budget::Budget;
use sim_values::error::{Result, SqlError};
use sim_values::types::Type;

use crate::decoded::{admit_parsing, parsing_work, reading_work};
use crate::state::Shared;
use crate::{Accumulator, Arguments, Form, Function, Kind, all, arrays, range, text};

/// Registers every function in Rust with `connection`.
pub fn register(connection: &Connection, state: &Shared) -> rusqlite::Result<()> {
    range::register(connection, state)?;
    arrays::register(connection, state)?;
    for function in all() {
        let name = function.sql_name();
        let cost = Cost::of(function);
        let shared = state.clone();
        match function.form {
            Form::Rust(call) => {
                connection.create_scalar_function(&*name, -1, flags(function), move |context| {
                    cost.run(&Arguments { context, shared: &shared }, call).map_err(through_sqlite)
                })?;
            }
            Form::State(call) => {
                connection.create_scalar_function(&*name, -1, flags(function), move |context| {
                    let call = |a: &Arguments<'_, '_>| call(&mut shared.lock(), a);
                    cost.run(&Arguments { context, shared: &shared }, call).map_err(through_sqlite)
                })?;
            }
            Form::Aggregate(start) => {
                let adapter = Adapter { start, cost, shared };
                connection.create_window_function(&*name, -1, flags(function), adapter)?;
            }
            Form::Template(_) | Form::Unsupported => {}
        }
    }
    Ok(())
}

/// A function of its arguments alone.
pub const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_INNOCUOUS)
    .union(FunctionFlags::SQLITE_DETERMINISTIC);

/// Registers a function that parses its arguments.
pub fn pure(
    connection: &Connection,
    shared: &Shared,
    name: &str,
    call: impl Fn(&Context<'_>) -> rusqlite::Result<Value> + Send + 'static,
) -> rusqlite::Result<()> {
    pure_with(connection, shared, name, reading_work, call)
}

/// Registers a function that finds its parsed arguments in the cache, and charges their cost if they are not there.
pub fn cached(
    connection: &Connection,
    shared: &Shared,
    name: &str,
    call: impl Fn(&Context<'_>) -> rusqlite::Result<Value> + Send + 'static,
) -> rusqlite::Result<()> {
    pure_with(connection, shared, name, |_| 0, call)
}

fn pure_with(
    connection: &Connection,
    shared: &Shared,
    name: &str,
    work: fn(&[u8]) -> usize,
    call: impl Fn(&Context<'_>) -> rusqlite::Result<Value> + Send + 'static,
) -> rusqlite::Result<()> {
    let budget = shared.budget.clone();
    connection.create_scalar_function(name, -1, PURE, move |context| {
        let read = (0..context.len()).map(|index| size(context.get_raw(index))).sum::<usize>();
        admit(&budget, read).map_err(through_sqlite)?;
        for index in 0..context.len() {
            if let ValueRef::Text(text) = context.get_raw(index) {
                admit_parsing(text, &budget).map_err(through_sqlite)?;
                budget.work(work(text)).map_err(through_sqlite)?;
            }
        }
        let value = call(context)?;
        budget.make(size(ValueRef::from(&value))).map_err(through_sqlite)?;
        Ok(value)
    })
}

/// Charges the cost of a call that reads `bytes`.
pub fn admit(budget: &Budget, bytes: usize) -> Result<()> {
    budget.work(CALL + bytes / 32)
}

/// The units of work to read or print numbers of so many digits in all.
pub(super) fn digits_work(digits: usize) -> usize {
    (digits / 20).saturating_mul(digits / 20) / 20
}

/// The greatest length of a name in bytes.
pub const NAME_MAX: usize = 63;

/// The longest text or blob that a statement can make, in bytes. A value is in memory several times while it is made.
pub const LENGTH_MAX: usize = 32 << 20;

/// The units of work of each call.
const CALL: usize = 10;

/// The units of work of each row that an aggregate has kept, when its result is computed.
const KEPT: usize = 2;

/// The longest array or JSON document, in bytes. The parsed form takes twenty times as much memory.
const DOCUMENT_MAX: usize = 16 << 20;

/// The size of a value in bytes; 0 for a number.
pub fn size(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 0,
    }
}

/// The costs of a function.
#[derive(Clone, Copy)]
struct Cost {
    strict: bool,
    /// Whether it parses arrays or documents.
    parses: bool,
    /// Whether its result is an array or a document.
    builds: bool,
    /// Whether its result is an array that SQLite takes apart.
    set: bool,
    /// Whether it computes with any number of digits.
    digits: bool,
    /// Whether its result is a number of any number of digits.
    makes_digits: bool,
}

impl Cost {
    fn of(function: &Function) -> Cost {
        let set = matches!(function.kind, Kind::Set { .. });
        Cost {
            strict: function.strict,
            parses: function.arguments.iter().any(|type_| is_document(*type_)),
            builds: !set && is_document(function.returns),
            set,
            digits: function.arguments.contains(&Type::NUMERIC),
            makes_digits: function.returns == Type::NUMERIC,
        }
    }

    fn run(self, a: &Arguments<'_, '_>, call: impl Fn(&Arguments<'_, '_>) -> Result<Value>) -> Result<Value> {
        if self.strict && a.has_null() {
            return Ok(Value::Null);
        }
        self.admit(a)?;
        self.made(a.budget(), call(a)?)
    }

    fn admit(self, a: &Arguments<'_, '_>) -> Result<()> {
        let size = a.size();
        admit(a.budget(), size)?;
        if self.digits {
            a.budget().work(digits_work(size))?;
        }
        if self.parses {
            (0..a.len()).try_for_each(|index| match a.value(index) {
                ValueRef::Text(text) => admit_parsing(text, a.budget()),
                _ => Ok(()),
            })?;
        }
        let most = if self.parses { DOCUMENT_MAX } else { LENGTH_MAX };
        if size > 2 * most { Err(text::too_long()) } else { Ok(()) }
    }

    fn made(self, budget: &Budget, value: Value) -> Result<Value> {
        let size = size(ValueRef::from(&value));
        budget.make(size)?;
        if self.makes_digits {
            budget.work(digits_work(size))?;
        }
        if let (true, Value::Text(items)) = (self.set, &value) {
            budget.work(parsing_work(items.as_bytes()))?;
        }
        let most = if self.builds { DOCUMENT_MAX } else { LENGTH_MAX };
        if size > most { Err(text::too_long()) } else { Ok(value) }
    }
}

fn is_document(type_: Type) -> bool {
    let known =
        [Type::JSON, Type::JSONB, Type::AS_JSON, Type::AS_JSONB, Type::ANYARRAY, Type::ANYCOMPATIBLEARRAY];
    known.contains(&type_) || type_.element().is_some()
}

fn flags(function: &Function) -> FunctionFlags {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    if function.volatile { flags } else { flags | FunctionFlags::SQLITE_DETERMINISTIC }
}

/// Converts an error for SQLite.
pub fn through_sqlite(error: SqlError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(error.encode().into())
}

/// Calls an [`Accumulator`] from SQLite.
struct Adapter {
    start: fn() -> Box<dyn Accumulator>,
    cost: Cost,
    shared: Shared,
}

type Started = AssertUnwindSafe<Box<dyn Accumulator>>;

impl Adapter {
    /// Adds a row to the accumulator, unless the row is skipped.
    fn row(
        &self,
        context: &Context<'_>,
        take: impl FnOnce(&Arguments<'_, '_>) -> Result<()>,
    ) -> rusqlite::Result<()> {
        let arguments = Arguments { context, shared: &self.shared };
        if self.cost.strict && arguments.has_null() {
            return Ok(());
        }
        self.cost.admit(&arguments).and_then(|()| take(&arguments)).map_err(through_sqlite)
    }

    fn result(&self, started: Option<&Started>) -> rusqlite::Result<Value> {
        let kept = started.map_or(0, |started| started.kept());
        self.shared.budget.work(KEPT * kept).map_err(through_sqlite)?;
        let value = started.map_or_else(|| (self.start)().value(), |started| started.value());
        value.and_then(|value| self.cost.made(&self.shared.budget, value)).map_err(through_sqlite)
    }
}

impl Aggregate<Started, Value> for Adapter {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Started> {
        Ok(AssertUnwindSafe((self.start)()))
    }

    fn step(&self, context: &mut Context<'_>, started: &mut Started) -> rusqlite::Result<()> {
        self.row(context, |arguments| started.step(arguments))
    }

    fn finalize(&self, _: &mut Context<'_>, started: Option<Started>) -> rusqlite::Result<Value> {
        self.result(started.as_ref())
    }
}

impl WindowAggregate<Started, Value> for Adapter {
    fn value(&self, started: Option<&mut Started>) -> rusqlite::Result<Value> {
        self.result(started.map(|started| &*started))
    }

    fn inverse(&self, context: &mut Context<'_>, started: &mut Started) -> rusqlite::Result<()> {
        self.row(context, |arguments| started.inverse(arguments))
    }
}
