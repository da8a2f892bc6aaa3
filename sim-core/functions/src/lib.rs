//! Functions, operators and aggregates of project databases, in one table. The binder of `sim-sql` resolves calls with it, its
//! printer prints them, and [`register`] registers those in Rust with SQLite.
//!
//! This crate knows values, but neither statements nor catalogs. What a function needs of the engine that calls it is in [`state`].
//!
//! A row is a [`Function`]. An operator is a row with its symbol as the name, and with one argument for a prefix operator. Rows
//! with the same name are overloads, which PostgreSQL's rules choose from. [`sim_values::value`] defines the representation of values,
//! and has helpers to read and write their texts. The binder handles everything that is grammar: comparison (`=`, `<` …), `AND`,
//! `LIKE`, `CASE`, `coalesce`, `count(*)`, `nextval`. Casts are in `sim-sql`, too.
//!
//! An argument of type [`Type::AS_TEXT`] accepts any type, and is given as the text of the value. [`Type::AS_OUTPUT`] gives the
//! text that clients get. [`Type::AS_JSON`] and [`Type::AS_JSONB`] give the JSON text of the value, rows and arrays included.
//! [`Type::ANYELEMENT`], [`Type::ANYARRAY`] and similar types give the representation unchanged.

#![forbid(unsafe_code)]

pub mod aggregates;
mod arithmetic;
pub mod arrays;
mod bits;
mod builtin;
mod bytes;
mod citext;
pub mod collect;
mod crypto;
pub mod cube;
mod dates;
pub mod decoded;
mod degrees;
mod encoding;
pub mod escapes;
mod fields;
pub mod figures;
mod format;
mod from_char;
mod fuzzy;
pub mod geometry;
mod hash;
pub mod hstore;
mod intarray;
mod json;
mod json_edit;
mod jsonpath;
mod jwt;
mod locks;
mod ltree;
mod math;
mod metaphone;
mod money;
pub mod network;
mod normalize;
mod numeric;
mod openpgp;
pub mod privileges;
pub mod range;
mod regex;
mod register;
mod series;
pub mod state;
mod statistics;
mod system;
mod text;
pub mod text_search;
mod to_char;
mod to_number;
pub mod transactions;
pub mod trigrams;
mod uuids;
mod vector;
pub mod xml;

use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, LazyLock};

use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use sim_values::budget::Budget;
use sim_values::error::{Result, SqlError};
use sim_values::types::Type;
use sim_values::value::json::Json;

use self::state::{Caller, Shared};

pub use self::json::check_rows_of;
pub use self::register::{LENGTH_MAX, NAME_MAX, PURE, admit, cached, pure, register, size, through_sqlite};
pub use self::system::is_no_bare_name;
pub use sim_values::value::{fit, out_of_range};

/// The tables. Each stands next to its functions.
static TABLES: &[&[Function]] = &[
    aggregates::FUNCTIONS,
    arithmetic::FUNCTIONS,
    arrays::FUNCTIONS,
    builtin::FUNCTIONS,
    collect::FUNCTIONS,
    crypto::FUNCTIONS,
    cube::FUNCTIONS,
    dates::FUNCTIONS,
    encoding::FUNCTIONS,
    fields::FUNCTIONS,
    figures::MADE,
    figures::MEASURED,
    figures::BOXES_PLACED,
    figures::CIRCLES_PLACED,
    figures::POLYGONS_PLACED,
    figures::ASKED,
    figures::BOXES_COMPARED,
    figures::CIRCLES_COMPARED,
    figures::PATHS_COMPARED,
    figures::COMPARED,
    format::FUNCTIONS,
    bits::FUNCTIONS,
    bytes::FUNCTIONS,
    citext::FUNCTIONS,
    fuzzy::FUNCTIONS,
    json::FUNCTIONS,
    json_edit::FUNCTIONS,
    jsonpath::FUNCTIONS,
    jwt::FUNCTIONS,
    ltree::FUNCTIONS,
    locks::TAKEN,
    locks::GIVEN_BACK,
    math::FUNCTIONS,
    money::FUNCTIONS,
    network::FUNCTIONS,
    normalize::FUNCTIONS,
    numeric::FUNCTIONS,
    openpgp::FUNCTIONS,
    hash::FUNCTIONS,
    hstore::FUNCTIONS,
    intarray::FUNCTIONS,
    range::INTEGERS,
    range::BIGINTS,
    range::NUMBERS,
    range::DAYS,
    range::TIMES,
    range::INSTANTS,
    range::OWN_CLOCKS,
    range::OWN_FLOATS,
    range::OWN_TEXTS,
    range::OWN_NUMBERS,
    range::OWN_TIMES,
    range::OWN_INSTANTS,
    regex::FUNCTIONS,
    series::FUNCTIONS,
    statistics::FUNCTIONS,
    system::FUNCTIONS,
    transactions::FUNCTIONS,
    text::FUNCTIONS,
    text_search::FUNCTIONS,
    to_char::FUNCTIONS,
    from_char::FUNCTIONS,
    to_number::FUNCTIONS,
    trigrams::FUNCTIONS,
    uuids::FUNCTIONS,
    geometry::CELLS,
    geometry::LINES,
    geometry::MADE,
    geometry::READ,
    geometry::MEASURED,
    geometry::RELATED,
    geometry::UNSUPPORTED,
    xml::FUNCTIONS,
    vector::FUNCTIONS,
    vector::HALF,
    vector::NORMS,
    vector::DISTANCES,
    vector::HALF_DISTANCES,
    vector::SPARSE_DISTANCES,
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
    /// How many arguments at the end are optional. If they are left out, the Rust function gets fewer.
    pub optional: usize,
    /// The names of its arguments, for calls such as `make_interval(days => 3)`; empty if it has none. Arguments that such a call
    /// leaves out are null.
    pub names: &'static [&'static str],
    /// Whether the last argument may be repeated or left out.
    pub variadic: bool,
    /// The type of its result. The call determines a polymorphic type.
    pub returns: Type,
    /// The kind of its calls.
    pub kind: Kind,
    /// Whether the result is null if any argument is null. An aggregate skips such a row.
    pub strict: bool,
    /// Whether two calls with the same arguments can have different results.
    pub volatile: bool,
    /// The extension that it belongs to; `None` if it is always there.
    pub extension: Option<&'static str>,
    /// The implementation.
    pub form: Form,
}

/// The kind of a function's calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One value for each call.
    Scalar,
    /// Many values for each call. The implementation returns a JSON array. With at most one entry in `columns`, its items are encoded
    /// elements. Otherwise they are arrays of these columns' encoded values.
    Set {
        /// The names and types of the columns, if a row has several, or one with another name than the function.
        columns: &'static [(&'static str, Type)],
    },
    /// One value for each group. Its direct arguments (`percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`) come first.
    Aggregate {
        /// How many arguments are outside of `WITHIN GROUP`; `None` for an ordinary aggregate.
        direct: Option<usize>,
    },
    /// One value for each row of a window. SQLite implements all of these.
    Window,
}

/// The implementation of a function.
#[derive(Clone, Copy)]
pub enum Form {
    /// SQL text for SQLite: `{0}` is the first argument, `{*}` all arguments separated by commas, `{now}` the time of the
    /// transaction in microseconds, `{today}` its day, `{role}` and `{schema}` the role and the schema as SQL texts.
    Template(&'static str),
    /// Registered with SQLite under [`Function::sql_name`].
    Rust(fn(&Arguments<'_, '_>) -> Result<Value>),
    /// Like `Rust`, with the state of one call of the engine: random numbers, sequences.
    State(fn(&mut state::State, &Arguments<'_, '_>) -> Result<Value>),
    /// Creates the accumulator for one group. Registered with SQLite. It can be a window function if its
    /// [`Accumulator::inverse`] works.
    Aggregate(fn() -> Box<dyn Accumulator>),
    /// Listed for the catalog and for messages. Calls are refused by name.
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

/// Accumulates the values of one group.
pub trait Accumulator: Send + UnwindSafe + RefUnwindSafe {
    /// Adds a row.
    fn step(&mut self, arguments: &Arguments<'_, '_>) -> Result<()>;

    /// Removes the oldest row again, when a window moves on.
    fn inverse(&mut self, _: &Arguments<'_, '_>) -> Result<()> {
        Err(SqlError::unsupported("this aggregate over a moving window frame"))
    }

    /// The result for the added rows.
    fn value(&self) -> Result<Value>;

    /// The number of rows that [`value`](Accumulator::value) goes through. In a window it is called for each row.
    fn kept(&self) -> usize {
        0
    }
}

impl Function {
    /// A scalar function in Rust. Its result is null if any argument is null.
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

    /// A function of any form. It is strict, and has the same result for the same arguments.
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
            extension: None,
            form,
        }
    }

    /// The same, but also called with nulls.
    pub const fn nullable(self) -> Function {
        Function { strict: false, ..self }
    }

    /// The same, but the last argument may be repeated.
    pub const fn variadic(self) -> Function {
        Function { variadic: true, ..self }
    }

    /// The same, but `optional` arguments at the end may be left out.
    pub const fn optional(self, optional: usize) -> Function {
        Function { optional, ..self }
    }

    /// The same, with named arguments, all of which are optional.
    pub const fn named(self, names: &'static [&'static str]) -> Function {
        Function { names, optional: names.len(), ..self }
    }

    /// The same, but each call may have another result.
    pub const fn volatile(self) -> Function {
        Function { volatile: true, ..self }
    }

    /// The same, but only after `CREATE EXTENSION`.
    pub const fn of_extension(self, extension: &'static str) -> Function {
        Function { extension: Some(extension), ..self }
    }

    /// The same as an ordered-set aggregate with `direct` arguments before `WITHIN GROUP`.
    pub const fn within_group(self, direct: usize) -> Function {
        Function { kind: Kind::Aggregate { direct: Some(direct) }, ..self }
    }

    /// Whether a call may have so many arguments.
    pub fn takes(&self, count: usize) -> bool {
        let least = self.arguments.len() - self.optional - usize::from(self.variadic);
        count >= least && (self.variadic || count <= self.arguments.len())
    }

    /// The declared types for `count` arguments. The last one is repeated.
    pub fn types_for(&self, count: usize) -> Vec<Type> {
        let last = self.arguments.last().copied().unwrap_or(Type::ANY);
        (0..count).map(|index| self.arguments.get(index).copied().unwrap_or(last)).collect()
    }

    /// Its name in SQLite. It depends only on name and argument types, so that triggers and indexes on disk stay valid.
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
    /// The number of arguments.
    pub fn len(&self) -> usize {
        self.context.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.context.is_empty()
    }

    /// Argument `index`; null if it was left out.
    pub fn value(&self, index: usize) -> ValueRef<'_> {
        if index < self.context.len() { self.context.get_raw(index) } else { ValueRef::Null }
    }

    /// The rest of the call's limits.
    pub fn budget(&self) -> &Budget {
        &self.shared.budget
    }

    /// The engine that calls the function.
    fn caller(&self) -> &Caller {
        &self.shared.caller
    }

    /// Reports a message to the client.
    fn report(&self, severity: &str, content: &SqlError) {
        (self.caller().report)(severity, content);
    }

    /// The document in argument `index`. A long document that is read repeatedly is parsed once.
    pub fn document(&self, index: usize) -> Result<Arc<Json>> {
        self.shared.decoded.document(self.text(index), self.budget())
    }

    /// Charges the cost of matching the pattern in argument 1 against the text in argument 0.
    pub fn match_pattern(&self) -> Result<()> {
        self.budget().match_pattern(self.text(1), self.text(0).len())
    }

    /// The bytes of all arguments.
    fn size(&self) -> usize {
        (0..self.len()).map(|index| size(self.value(index))).sum()
    }

    /// Argument `index` as an owned value.
    pub fn owned(&self, index: usize) -> Value {
        Value::try_from(self.value(index)).unwrap_or(Value::Null)
    }

    /// Whether argument `index` is null or left out.
    pub fn is_null(&self, index: usize) -> bool {
        self.value(index) == ValueRef::Null
    }

    /// An integer, timestamp or truth value.
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

    /// Any value that is represented as text.
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
