//! The table of functions, operators and aggregates: what the binder resolves calls with, what the printer prints, and what
//! [`super::prepare_connection`] registers with SQLite.
//!
//! A row is a [`Function`]. An operator is a row named by its symbol, with one argument when it is a prefix operator. Rows of
//! one name are overloads, told apart by PostgreSQL's rules. Values arrive and leave as `super::value` says; helpers to read
//! and write the texts of types are there too. Comparison (`=`, `<` …), `AND`, `LIKE`, `CASE`, `coalesce`, `count(*)`,
//! `nextval` and whatever else is grammar belongs to the binder, and casts to `super::cast`.
//!
//! An argument of type [`Type::AS_TEXT`] takes any type and arrives as the text of that value ([`Type::AS_OUTPUT`]: as the text
//! that clients get of it); [`Type::AS_JSON`] and
//! [`Type::AS_JSONB`] take any type and arrive as the JSON text of that value (rows and arrays included). With
//! [`Type::ANYELEMENT`], [`Type::ANYARRAY`] and the others of that family the representation arrives as it is.

mod aggregates;
mod arithmetic;
mod arrays;
mod builtin;
pub(crate) mod collect;
mod dates;
mod decimal;
mod fields;
mod format;
mod json;
mod json_edit;
mod jsonpath;
mod math;
mod numeric;
mod regex;
mod series;
mod statistics;
mod system;
mod text;
mod to_char;
mod to_number;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, LazyLock};

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags, WindowAggregate};
use rusqlite::types::{Value, ValueRef};
use sim_values::budget::Budget;

use super::error::{Result, SqlError};
use super::state::Shared;
use super::types::Type;
use super::value::json::Json;

pub(crate) use sim_values::value::{fit, out_of_range};

/// The tables, each beside its code.
static TABLES: &[&[Function]] = &[
    aggregates::FUNCTIONS,
    arithmetic::FUNCTIONS,
    arrays::FUNCTIONS,
    builtin::FUNCTIONS,
    collect::FUNCTIONS,
    dates::FUNCTIONS,
    fields::FUNCTIONS,
    format::FUNCTIONS,
    json::FUNCTIONS,
    json_edit::FUNCTIONS,
    jsonpath::FUNCTIONS,
    math::FUNCTIONS,
    numeric::FUNCTIONS,
    regex::FUNCTIONS,
    series::FUNCTIONS,
    statistics::FUNCTIONS,
    system::FUNCTIONS,
    text::FUNCTIONS,
    to_char::FUNCTIONS,
    to_number::FUNCTIONS,
    statistics::STDDEV,
    statistics::STDDEV_POP,
    statistics::STDDEV_SAMP,
    statistics::VARIANCE,
    statistics::VAR_POP,
    statistics::VAR_SAMP,
];

/// A function, operator or aggregate, for one list of argument types.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name in lower case, or its symbol.
    pub name: &'static str,
    /// The types of its arguments.
    pub arguments: &'static [Type],
    /// How many arguments at the end may be left out (the Rust function gets fewer then).
    pub optional: usize,
    /// The names of its arguments, for calls as `make_interval(days => 3)`; empty when it has none. Arguments left out in
    /// such a call arrive as null.
    pub names: &'static [&'static str],
    /// Whether the last argument may be repeated, or be left out altogether.
    pub variadic: bool,
    /// The type of its result; polymorphic ones are decided by the call.
    pub returns: Type,
    /// What kind of call it is for.
    pub kind: Kind,
    /// Whether the result is null, without a call, as soon as an argument is; for an aggregate: whether such a row is skipped.
    pub strict: bool,
    /// Whether two calls with the same arguments can differ.
    pub volatile: bool,
    /// How it is done.
    pub form: Form,
}

/// What kind of call a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One value for each call.
    Scalar,
    /// Many values for each call. Its form yields a JSON array: of element encodings when `columns` has one entry or none, and
    /// otherwise of arrays of these columns' encodings.
    Set {
        /// The names and types of the columns when a row has several, or one whose name is not that of the function.
        columns: &'static [(&'static str, Type)],
    },
    /// One value for each group. Its direct arguments (`percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`) come first.
    Aggregate {
        /// How many arguments stand outside `WITHIN GROUP`; `None` for an ordinary aggregate.
        direct: Option<usize>,
    },
    /// One value for each row of a window; always a form of SQLite's own.
    Window,
}

/// How a function is done.
#[derive(Clone, Copy)]
pub enum Form {
    /// SQL text for SQLite: `{0}` is the first argument, `{*}` all of them with commas between, `{now}` the instant of the
    /// transaction in microseconds, `{today}` its day, `{role}` and `{schema}` the role and the schema as SQL texts.
    Template(&'static str),
    /// Registered with SQLite under [`Function::sql_name`].
    Rust(fn(&Arguments<'_, '_>) -> Result<Value>),
    /// The same with what lasts for one call of the engine: chance, sequences.
    State(fn(&mut super::state::State, &Arguments<'_, '_>) -> Result<Value>),
    /// Makes what adds up the values of one group. Registered with SQLite, usable as a window function when its
    /// [`Accumulator::inverse`] is.
    Aggregate(fn() -> Box<dyn Accumulator>),
    /// Known, so that catalog and messages have it, but refused by this name.
    Unsupported,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Form::Template(template) => template,
            Form::Rust(_) | Form::State(_) => "Rust",
            Form::Aggregate(_) => "aggregate",
            Form::Unsupported => "unsupported",
        })
    }
}

/// Adds up the values of one group.
pub trait Accumulator: Send + UnwindSafe + RefUnwindSafe {
    /// Takes a row in.
    fn step(&mut self, arguments: &Arguments<'_, '_>) -> Result<()>;

    /// Takes the oldest row out again, when a window moves on.
    fn inverse(&mut self, _: &Arguments<'_, '_>) -> Result<()> {
        Err(SqlError::unsupported("this aggregate over a moving window frame"))
    }

    /// The value for the rows taken in.
    fn value(&self) -> Result<Value>;
}

impl Function {
    /// A scalar function in Rust, null when an argument is.
    pub const fn rust(
        name: &'static str,
        arguments: &'static [Type],
        returns: Type,
        call: fn(&Arguments<'_, '_>) -> Result<Value>,
    ) -> Function {
        Function::of(name, arguments, returns, Form::Rust(call))
    }

    /// A scalar function in SQL for SQLite.
    pub const fn template(
        name: &'static str,
        arguments: &'static [Type],
        returns: Type,
        template: &'static str,
    ) -> Function {
        Function::of(name, arguments, returns, Form::Template(template))
    }

    /// A function that returns a set, in Rust.
    pub const fn set(
        name: &'static str,
        arguments: &'static [Type],
        returns: Type,
        columns: &'static [(&'static str, Type)],
        call: fn(&Arguments<'_, '_>) -> Result<Value>,
    ) -> Function {
        Function { kind: Kind::Set { columns }, ..Function::of(name, arguments, returns, Form::Rust(call)) }
    }

    /// An aggregate in Rust, which skips rows with a null argument.
    pub const fn aggregate(
        name: &'static str,
        arguments: &'static [Type],
        returns: Type,
        start: fn() -> Box<dyn Accumulator>,
    ) -> Function {
        let function = Function::of(name, arguments, returns, Form::Aggregate(start));
        Function { kind: Kind::Aggregate { direct: None }, ..function }
    }

    /// An aggregate that SQLite has.
    pub const fn aggregate_template(
        name: &'static str,
        arguments: &'static [Type],
        returns: Type,
        template: &'static str,
    ) -> Function {
        let function = Function::of(name, arguments, returns, Form::Template(template));
        Function { kind: Kind::Aggregate { direct: None }, ..function }
    }

    /// A function of any form: strict, and the same for the same arguments.
    pub const fn of(name: &'static str, arguments: &'static [Type], returns: Type, form: Form) -> Function {
        Function {
            name,
            arguments,
            optional: 0,
            names: &[],
            variadic: false,
            returns,
            kind: Kind::Scalar,
            strict: true,
            volatile: false,
            form,
        }
    }

    /// The same, called with nulls too.
    pub const fn nullable(self) -> Function {
        Function { strict: false, ..self }
    }

    /// The same with a last argument that may be repeated.
    pub const fn variadic(self) -> Function {
        Function { variadic: true, ..self }
    }

    /// The same with `optional` arguments that may be left out at the end.
    pub const fn optional(self, optional: usize) -> Function {
        Function { optional, ..self }
    }

    /// The same with named arguments, each of which may be left out.
    pub const fn named(self, names: &'static [&'static str]) -> Function {
        Function { names, optional: names.len(), ..self }
    }

    /// The same, different at each call.
    pub const fn volatile(self) -> Function {
        Function { volatile: true, ..self }
    }

    /// The same as an ordered-set aggregate with `direct` arguments before `WITHIN GROUP`.
    pub const fn within_group(self, direct: usize) -> Function {
        Function { kind: Kind::Aggregate { direct: Some(direct) }, ..self }
    }

    /// What SQLite calls it: told by name and argument types, so that triggers and indexes on disk keep finding it.
    pub fn sql_name(&self) -> String {
        let arguments =
            self.arguments.iter().map(|argument| match (argument.builtin(), argument.element()) {
                (Some(builtin), _) => builtin.name.to_owned(),
                (None, Some(element)) => {
                    format!("array_{}", element.builtin().map_or("user", |builtin| builtin.name))
                }
                (None, None) => "user".to_owned(),
            });
        ["pg".to_owned(), self.name.to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join("_")
    }
}

/// The overloads of `name`.
pub fn overloads(name: &str) -> &'static [&'static Function] {
    static BY_NAME: LazyLock<BTreeMap<&'static str, Vec<&'static Function>>> = LazyLock::new(|| {
        let mut by_name = BTreeMap::<_, Vec<_>>::new();
        for function in TABLES.iter().copied().flatten() {
            by_name.entry(function.name).or_default().push(function);
        }
        by_name
    });
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

/// Every row, in the order of the tables.
pub fn all() -> impl Iterator<Item = &'static Function> {
    TABLES.iter().copied().flatten()
}

/// The arguments of a call, in their SQLite representation.
pub struct Arguments<'a, 'c> {
    context: &'a Context<'c>,
    shared: &'a Shared,
}

impl Arguments<'_, '_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.context.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.context.is_empty()
    }

    /// Argument `index` as it is; null when it was left out.
    pub fn value(&self, index: usize) -> ValueRef<'_> {
        if index < self.context.len() { self.context.get_raw(index) } else { ValueRef::Null }
    }

    /// What is left of the call's limits.
    pub fn budget(&self) -> &Budget {
        &self.shared.budget
    }

    /// The document in argument `index`. A long one that is read again and again is parsed once.
    pub fn document(&self, index: usize) -> Result<Arc<Json>> {
        self.shared.decoded.document(self.text(index), self.budget())
    }

    /// Takes what it costs to match the pattern in argument 1 against the text in argument 0.
    pub fn match_pattern(&self) -> Result<()> {
        self.budget().match_pattern(self.text(1), self.text(0).len())
    }

    /// The bytes of all arguments.
    fn size(&self) -> usize {
        (0..self.len()).map(|index| size(self.value(index))).sum()
    }

    /// Argument `index` as it is, to keep.
    pub fn owned(&self, index: usize) -> Value {
        Value::try_from(self.value(index)).unwrap_or(Value::Null)
    }

    /// Whether argument `index` is null or left out.
    pub fn is_null(&self, index: usize) -> bool {
        self.value(index) == ValueRef::Null
    }

    /// A number, instant or truth value.
    pub fn int(&self, index: usize) -> i64 {
        match self.value(index) {
            ValueRef::Integer(value) => value,
            ValueRef::Real(value) => value as i64,
            _ => 0,
        }
    }

    /// A floating-point number.
    pub fn real(&self, index: usize) -> f64 {
        match self.value(index) {
            ValueRef::Integer(value) => value as f64,
            ValueRef::Real(value) => value,
            _ => 0.0,
        }
    }

    /// A truth value.
    pub fn bool(&self, index: usize) -> bool {
        self.int(index) != 0
    }

    /// Anything represented as text.
    pub fn text(&self, index: usize) -> &str {
        match self.value(index) {
            ValueRef::Text(text) => std::str::from_utf8(text).unwrap_or(""),
            _ => "",
        }
    }

    /// A `bytea`.
    pub fn bytes(&self, index: usize) -> &[u8] {
        match self.value(index) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
            _ => &[],
        }
    }

    fn has_null(&self) -> bool {
        (0..self.len()).any(|index| self.is_null(index))
    }
}

/// Makes every Rust form known to `connection`.
pub(super) fn register(connection: &Connection, state: &Shared) -> rusqlite::Result<()> {
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

/// Takes what a call costs that reads `bytes`.
pub(super) fn admit(budget: &Budget, bytes: usize) -> Result<()> {
    budget.work(CALL + bytes / 32)
}

/// The units of work of a call, whatever it does.
const CALL: usize = 10;

/// The longest array or JSON document, in bytes. Parsed it takes twenty times as much.
const DOCUMENT_MAX: usize = 16 << 20;

/// How many bytes a value has; numbers have none.
pub(super) fn size(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 0,
    }
}

/// What a function takes from the budget.
#[derive(Clone, Copy)]
struct Cost {
    strict: bool,
    /// Whether it parses arrays or documents.
    parses: bool,
    /// Whether its result is one.
    builds: bool,
    /// Whether it does arithmetic on any number of digits.
    digits: bool,
}

impl Cost {
    fn of(function: &Function) -> Cost {
        let set = matches!(function.kind, Kind::Set { .. });
        Cost {
            strict: function.strict,
            parses: function.arguments.iter().any(|type_| is_document(*type_)),
            builds: !set && is_document(function.returns),
            digits: function.arguments.contains(&Type::NUMERIC),
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
            a.budget().work((size / 20) * (size / 20) / 20)?;
        }
        let most = if self.parses { DOCUMENT_MAX } else { text::LENGTH_MAX };
        if size > 2 * most { Err(text::too_long()) } else { Ok(()) }
    }

    fn made(self, budget: &Budget, value: Value) -> Result<Value> {
        let size = size(ValueRef::from(&value));
        budget.make(size)?;
        let most = if self.builds { DOCUMENT_MAX } else { text::LENGTH_MAX };
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

/// An error as SQLite takes it.
pub(super) fn through_sqlite(error: SqlError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(error.encode().into())
}

/// Lets SQLite drive an [`Accumulator`].
struct Adapter {
    start: fn() -> Box<dyn Accumulator>,
    cost: Cost,
    shared: Shared,
}

type Started = AssertUnwindSafe<Box<dyn Accumulator>>;

impl Adapter {
    /// Hands a row to the accumulator, unless it is to be skipped.
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

#[cfg(test)]
mod tests;
