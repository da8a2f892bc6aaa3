//! Calls of functions whose bodies are run: by queries, by `CALL` and by `DO`.
//!
//! A query calls a function of SQLite, which runs the body on the same connection. The connection and the state of the call are
//! found through variables of the thread, which are set while a query runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use scoped_tls::scoped_thread_local;
use sim_values::budget::Budget;
use sqlparser::ast;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::context::{Around, Place};
use super::fragment::Known;
use super::frame::{Field, Frame, Held, Slot};
use super::run::{Run, Wanted};
use super::tree::Body;
use crate::Limits;
use crate::bind::Settings;
use crate::catalog::{Argument, CallNumber, Catalog, Routine};
use crate::ddl::Prepared;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::through_sqlite;
use crate::run::{Done, Engine, Returned};
use crate::security::session::Kept;
use crate::source::is_word;
use crate::tree::Output;
use crate::types::{Modified, Type};
use crate::value::array;
use crate::value::datetime::read_dates_as;

/// The most calls of functions inside each other.
const CALLS_MAX: usize = 850;

/// The most triggers inside each other, whose changes take more.
const TRIGGERS_MAX: i64 = 200;

/// The stack that a call of a body may need, and the size of a new one.
const STACK_NEEDED: usize = 2 << 20;
const STACK_NEW: usize = 16 << 20;

/// What one call of the engine carries into the functions that its queries call, and back.
pub(crate) struct Carried {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) settings: Settings,
    pub(crate) read_only: bool,
    pub(crate) kept: Option<Box<Kept>>,
    pub(crate) opened_by: Rc<str>,
    pub(crate) outside: Rc<str>,
    pub(crate) definers: usize,
    pub(crate) limits: Limits,
    pub(crate) budget: Budget,
    pub(crate) away: Option<Rc<str>>,
    pub(crate) wrote: bool,
    pub(crate) writes: u64,
    pub(crate) calls: usize,
    pub(crate) known: Rc<Known>,
    pub(crate) prepared: Rc<BTreeMap<String, Prepared>>,
    pub(crate) around: Option<Rc<Around>>,
}

scoped_thread_local!(static CONNECTION: Connection);
scoped_thread_local!(static CARRIED: RefCell<Carried>);

/// Runs `query` so that it can call functions. Also returns what they have changed of the state.
pub(crate) fn calling<T>(
    connection: &Connection,
    carried: Carried,
    query: impl FnOnce() -> T,
) -> (T, Carried) {
    let carried = RefCell::new(carried);
    let result = CONNECTION.set(connection, || CARRIED.set(&carried, query));
    (result, carried.into_inner())
}

/// Registers the functions through which queries call bodies: of one value, and of the rows of a set as an array.
pub(crate) fn register(
    connection: &Connection,
    pure: FunctionFlags,
    volatile: FunctionFlags,
) -> rusqlite::Result<()> {
    for (name, flags) in [("pg_call", volatile), ("pg_call_pure", pure)] {
        connection.create_scalar_function(name, -1, flags, |context| {
            called(context, false).map_err(through_sqlite)
        })?;
    }
    connection.create_scalar_function("pg_call_rows", -1, volatile, |context| {
        called(context, true).map_err(through_sqlite)
    })?;
    // The columns of a record come first.
    for (name, rows) in [("pg_call_record", false), ("pg_call_record_rows", true)] {
        connection.create_scalar_function(name, -1, volatile, move |context| {
            let columns: String = context.get(0)?;
            let columns: Vec<(String, u32, i32)> = serde_json::from_str(&columns).unwrap_or_default();
            let column =
                |(name, base, modifier)| Output { name, type_: Modified { base: Type(base), modifier } };
            called_for(context, (1, columns.into_iter().map(column).collect()), rows).map_err(through_sqlite)
        })?;
    }
    connection.create_scalar_function(
        "pg_depth_of_triggers",
        0,
        volatile,
        |_| Ok(super::trigger::depth()),
    )?;
    connection.create_scalar_function("pg_cascades", 1, volatile, |context| {
        Ok(crate::dml_cascade::cascades_at_once(context.get(0)?))
    })?;
    super::queried::register(connection, volatile)?;
    connection.create_scalar_function("pg_may_call", -1, volatile, |context| {
        let called: rusqlite::Result<Vec<u32>> = (0..context.len()).map(|at| context.get(at)).collect();
        let called = called?;
        inside(|engine| engine.require_calls(called.into_iter())).map_err(through_sqlite)?;
        Ok(Value::Null)
    })?;
    connection.create_scalar_function("pg_call_size", 2, volatile, |context| {
        let (Some(oid), Some(what)) = (context.get(0)?, context.get::<Option<String>>(1)?) else {
            return Ok(Value::Null);
        };
        let size = inside(|engine| engine.size_of(oid, &what)).map_err(through_sqlite)?;
        Ok(size.map_or(Value::Null, Value::Integer))
    })?;
    connection.create_scalar_function("pg_call_database_size", 1, volatile, |context| {
        if context.get::<Value>(0)? == Value::Null {
            return Ok(Value::Null);
        }
        inside(|engine| engine.size_of_database()).map(Value::Integer).map_err(through_sqlite)
    })?;
    connection.create_scalar_function("pg_call_aggregate", 2, volatile, |context| {
        let number = CallNumber(context.get(0)?);
        let rows = context.get(1)?;
        inside(|engine| engine.aggregate(number, rows)).map_err(through_sqlite)
    })
}

const OUT_OF_PLACE: &str = "calling a function with a body here";

/// Whether a statement has called a function though it was not run by [`calling`].
pub(crate) fn is_call_out_of_place(error: &SqlError) -> bool {
    error.code == SqlState::FEATURE_NOT_SUPPORTED && error.message.starts_with(OUT_OF_PLACE)
}

/// Whether a statement that calls a function is running.
pub(crate) fn is_called() -> bool {
    CARRIED.is_set()
}

/// The value of a parameter of the caller's own, as the functions leave it that the statement at hand has called.
pub(crate) fn setting_now(name: &str) -> Option<String> {
    if !CARRIED.is_set() {
        return None;
    }
    CARRIED.with(|carried| carried.borrow().settings.values.get(name).cloned())
}

/// Reports `content` to the client whose statement calls a function. It is lost where the statement was not run by [`calling`].
pub(crate) fn report(severity: &str, content: &SqlError) {
    if CARRIED.is_set() && CONNECTION.is_set() {
        CONNECTION.with(|connection| {
            CARRIED.with(|carried| {
                // More messages than the call's limits admit are left out.
                drop(Engine::inside(connection, &carried.borrow()).report(severity, content));
            });
        });
    }
}

fn called(context: &Context<'_>, rows: bool) -> Result<Value> {
    called_for(context, (0, Vec::new()), rows)
}

/// Runs the body whose number and arguments begin at a place, for these columns of a record.
fn called_for(context: &Context<'_>, (at, columns): (usize, Vec<Output>), rows: bool) -> Result<Value> {
    let number = CallNumber(context.get(at)?);
    let arguments: rusqlite::Result<Vec<Value>> =
        (at + 1..context.len()).map(|index| context.get(index)).collect();
    let arguments = arguments?;
    let answer = inside(|engine| engine.invoke_for(number, arguments, columns))?;
    Ok(if rows { answer.into_rows() } else { answer.into_value() })
}

/// Runs `call` on the connection of the statement that is running.
pub(super) fn inside<T>(call: impl FnOnce(&mut Engine<'_>) -> Result<T>) -> Result<T> {
    if !CARRIED.is_set() || !CONNECTION.is_set() {
        return Err(SqlError::unsupported(OUT_OF_PLACE));
    }
    CONNECTION.with(|connection| {
        CARRIED.with(|carried| {
            let mut engine = Engine::inside(connection, &carried.borrow());
            // The statement outside may have taken numbers from sequences.
            engine.store_sequences()?;
            engine.take_settings()?;
            let answer = call(&mut engine)?;
            *carried.borrow_mut() = engine.carried();
            Ok(answer)
        })
    })
}

/// Runs `call` where the stack has room for a body, and for the `stored` bytes that the catalog's texts may take.
pub(crate) fn with_stack<T>(stored: usize, call: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK_NEEDED + stored, STACK_NEW + 2 * stored, call)
}

/// What a call of a body has returned.
pub(crate) struct Answer {
    pub(crate) value: Held,
    pub(crate) rows: Vec<Vec<Value>>,
    /// Whether the row in `value` is one value, the only argument that is a result.
    single: bool,
    void: bool,
}

impl Answer {
    pub(crate) fn into_value(self) -> Value {
        if self.void {
            return Value::Text(String::new());
        }
        match self.value {
            Held::Row(Some(mut fields)) if self.single => fields.swap_remove(0).value,
            held => held.into_value(),
        }
    }

    /// The rows as an array of arrays.
    fn into_rows(self) -> Value {
        let rows =
            self.rows.into_iter().map(|row| row.iter().map(|value| array::element(value.into())).collect());
        array::of(rows.collect())
    }
}

/// The columns of what a routine returns as a table or a row; empty if it is one value or any row.
pub(crate) fn result_columns(catalog: &Catalog, routine: &Routine) -> Vec<Output> {
    let results = routine.arguments.iter().filter(|argument| matches!(argument.mode, 't' | 'o' | 'b'));
    let columns: Vec<Output> = results
        .zip(1..)
        .map(|(argument, number)| Output {
            name: argument.result_name(number),
            type_: argument.type_.plain(),
        })
        .collect();
    // A single result that is a row is the row which a function returns.
    let one_row = matches!(&columns[..], [only] if catalog.attributes(only.type_.base).is_some());
    if !columns.is_empty() && (!one_row || routine.procedure) {
        return columns;
    }
    let attributes = catalog.attributes(routine.returns).unwrap_or_default();
    attributes.into_iter().map(|attribute| Output { name: attribute.name, type_: attribute.type_ }).collect()
}

impl Engine<'_> {
    /// The routine `number` called with `arguments`.
    pub(crate) fn invoke(&mut self, number: CallNumber, arguments: Vec<Value>) -> Result<Answer> {
        self.invoke_for(number, arguments, Vec::new())
    }

    /// The same where the caller has defined the columns of a record.
    fn invoke_for(
        &mut self,
        number: CallNumber,
        arguments: Vec<Value>,
        defined: Vec<Output>,
    ) -> Result<Answer> {
        let catalog = self.catalog.clone();
        let routine = catalog.callee(number).ok_or_else(|| {
            let message = format!("function with OID {} does not exist", number.oid());
            SqlError::new(SqlState::UNDEFINED_FUNCTION, message)
        })?;
        let (routine, oid) = (&*routine, number.oid());
        let void = routine.returns == Type::VOID && routine.language == "plpgsql";
        if routine.strict && arguments.contains(&Value::Null) {
            return Ok(Answer {
                value: Held::Value(Value::Null),
                rows: Vec::new(),
                single: false,
                void: false,
            });
        }
        let mut frame = Frame::default();
        frame.enter(Some(routine.name.clone()));
        let found = frame.declare(Slot::with("found", Type::BOOL, 0_i64));
        let mut outputs = Vec::new();
        let (mut values, mut place) = (arguments.into_iter(), 0);
        for argument in &routine.arguments {
            let slot = self.input(argument, &mut values);
            let slot = frame.declare(slot);
            if argument.is_input() {
                place += 1;
                frame.name(format!("${place}"), slot);
            }
            if matches!(argument.mode, 't' | 'o' | 'b') {
                outputs.push(slot);
            }
        }
        let mut columns = result_columns(&catalog, routine);
        if columns.is_empty() {
            columns = defined;
        }
        let wanted = match routine.returns {
            Type::VOID => Wanted::Nothing,
            type_ if catalog.attributes(type_).is_some() || type_ == Type::RECORD => Wanted::Row(columns),
            type_ => Wanted::Value(type_.plain()),
        };
        let single = outputs.len() == 1 && catalog.attributes(routine.returns).is_none();
        let outer = self.at_hand.replace(oid);
        let done = self.inside_routine(routine, |engine| {
            if routine.language == "sql" {
                return engine.run_sql(number, routine, frame, &wanted);
            }
            let body = engine.body(routine)?;
            engine.run_body(&body, frame, (wanted, routine.returns_set, outputs, found))
        });
        self.at_hand = outer;
        let (value, rows) = done?;
        Ok(Answer { value: value.unwrap_or(Held::Value(Value::Null)), rows, single, void })
    }

    pub(super) fn input(&self, argument: &Argument, values: &mut impl Iterator<Item = Value>) -> Slot {
        let name = argument.name.as_deref().unwrap_or("");
        let mut slot = Slot::new(&self.catalog, name, argument.type_.plain());
        if argument.is_input() {
            let value = values.next().unwrap_or(Value::Null);
            slot.absent = value == Value::Null;
            slot.held = match self.fields_of(argument.type_, &value) {
                Some(fields) => Held::Row(Some(fields)),
                None if argument.type_ == Type::RECORD => self.record_of(value),
                None => Held::Value(value),
            };
            slot.absent |= matches!(slot.held, Held::Row(None));
        }
        slot
    }

    /// The row that a call gives for a parameter of type `record`, with the names and types of its fields.
    fn record_of(&self, value: Value) -> Held {
        let parts = match &value {
            Value::Null => return Held::Row(None),
            Value::Text(text) => array::elements(text),
            _ => Vec::new(),
        };
        let [kind, fields, items] = &parts[..] else { return Held::Value(value) };
        let Ok(fields) = serde_json::from_value::<Vec<(String, u32)>>(fields.clone()) else {
            return Held::Value(value);
        };
        let Some(items) = items.as_array().filter(|_| kind == "record") else { return Held::Row(None) };
        let fields = fields.into_iter().zip(items).map(|((name, type_), item)| Field {
            name: name.into(),
            type_: Type(type_).plain(),
            value: array::value(self.catalog.base_type(Type(type_)), item),
        });
        Held::Row(Some(fields.collect()))
    }

    fn require_depth(&self) -> Result<()> {
        if self.calls < CALLS_MAX && super::depth() < TRIGGERS_MAX {
            return Ok(());
        }
        Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded").hint(
            "Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's stack depth limit is adequate.",
        ))
    }

    /// Runs `call` one level deeper.
    pub(super) fn one_call_deeper<T>(&mut self, call: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.require_depth()?;
        self.calls += 1;
        let result = with_stack(self.catalog.stack, || call(self));
        self.calls -= 1;
        result
    }

    /// Runs `call` one level deeper, with the settings of the routine.
    pub(super) fn inside_routine<T>(
        &mut self,
        routine: &Routine,
        call: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.require_depth()?;
        let outer = (!routine.settings.is_empty()).then(|| self.settings.clone());
        for setting in &routine.settings {
            if let Some((name, value)) = setting.split_once(" TO ") {
                let value = value.trim().trim_matches('\'');
                self.set_as_written(&name.to_lowercase(), value, true)?;
            }
        }
        // A body sees what the statement around it has changed so far.
        let before = std::mem::take(&mut self.before);
        self.calls += 1;
        let only_reads = std::mem::replace(&mut self.only_reads, routine.volatility != 'v');
        let result = with_stack(self.catalog.stack, || match routine.security_definer {
            true => self.as_role(&routine.owner, call),
            false => call(self),
        });
        self.calls -= 1;
        self.only_reads = only_reads;
        self.before = before;
        let result = result.map_err(|error| self.named(error, routine));
        match (outer, &result) {
            (Some(outer), Ok(_)) => {
                // What else the function has set lasts, as `set_config` says.
                let names = routine.settings.iter().filter_map(|setting| setting.split_once(" TO "));
                names.for_each(|(name, _)| self.settings.take_back(&name.to_lowercase(), &outer));
                read_dates_as(self.settings.date_order());
            }
            (Some(outer), Err(_)) => {
                self.settings = outer;
                read_dates_as(self.settings.date_order());
            }
            (None, _) => {}
        }
        result
    }

    /// The parsed body of a routine.
    pub(super) fn body(&self, routine: &Routine) -> Result<Rc<Body>> {
        self.body_by(routine, super::body_of).map_err(SqlError::nowhere)
    }

    fn body_by(&self, routine: &Routine, parse: fn(&Routine) -> Result<Body>) -> Result<Rc<Body>> {
        if let Some(named) = self.known.bodies.borrow().get(&routine.name)
            && let Some((_, body)) = named.iter().find(|(text, _)| **text == *routine.body)
        {
            return Ok(body.clone());
        }
        let body = Rc::new(parse(routine)?);
        let mut bodies = self.known.bodies.borrow_mut();
        bodies.entry(routine.name.clone()).or_default().push((routine.body.as_str().into(), body.clone()));
        Ok(body)
    }

    /// Runs a body whose arguments are in `frame`.
    pub(super) fn run_body(
        &mut self,
        body: &Rc<Body>,
        mut frame: Frame,
        (wanted, set, outputs, found): (Wanted, bool, Vec<usize>, usize),
    ) -> Result<(Option<Held>, Vec<Vec<Value>>)> {
        frame.conflict = body.conflict;
        frame.body = Rc::as_ptr(body).addr();
        let frame = Rc::new(RefCell::new(frame));
        let outer_source = std::mem::replace(&mut self.source, body.source.clone());
        let outer_frame = self.frame.replace(frame.clone());
        let outer_body = self.running.replace(body.clone());
        let outer_parameters = std::mem::take(&mut self.parameters);
        let base = self.around.clone();
        let mut run = Run {
            engine: self,
            frame,
            wanted,
            set,
            outputs,
            rows: Vec::new(),
            result: None,
            errors: Vec::new(),
            place: Place::End,
            base,
            found,
            unconverted: None,
        };
        let done = run.body(body);
        let (result, rows, place, base) = (run.result, run.rows, run.place, run.base);
        self.around = base;
        self.source = outer_source;
        self.frame = outer_frame;
        self.running = outer_body;
        self.parameters = outer_parameters;
        done.map_err(|error| place.of(error.nowhere()))?;
        Ok((result, rows))
    }

    /// Runs a `DO` statement.
    pub(crate) fn do_block(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let body = tokens.iter().skip(1).find_map(|token| match &token.token {
            Token::DollarQuotedString(body) => Some((token, body.value.clone())),
            Token::SingleQuotedString(body) | Token::EscapedStringLiteral(body) => {
                Some((token, body.clone()))
            }
            _ => None,
        });
        let (literal, body) = body.ok_or_else(|| self.source.syntax_error_at_end(tokens))?;
        let language = tokens.iter().position(|token| is_word(token, "language")).map(|at| at + 1);
        let other = |at: usize| match tokens.get(at).map(|token| &token.token) {
            Some(Token::Word(word)) => word.value.to_lowercase() != "plpgsql",
            Some(Token::SingleQuotedString(text)) => text != "plpgsql",
            _ => true,
        };
        if language.is_some_and(other) {
            let named = language.and_then(|at| tokens.get(at)).map(|token| token.token.to_string());
            let named = named.unwrap_or_default().to_lowercase();
            return Err(match named.trim_matches(['\'', '"']) {
                "sql" | "c" | "internal" => {
                    let named = named.trim_matches(['\'', '"']);
                    let message = format!("language \"{named}\" does not support inline code execution");
                    SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                }
                _ => SqlError::unsupported("a DO block in this language"),
            });
        }
        let routine = anonymous(body);
        let body = self.body_by(&routine, super::whole_body_of);
        let body = body.map_err(|error| match self.frame {
            None => self.source.placed_in(literal, &routine.body, error),
            Some(_) => error.nowhere(),
        })?;
        let mut frame = Frame::default();
        frame.enter(None);
        let found = frame.declare(Slot::with("found", Type::BOOL, 0_i64));
        let outer = self.at_hand.take();
        let done = self.may_end(|engine| {
            engine.inside_routine(&routine, |engine| {
                engine.run_body(&body, frame, (Wanted::Nothing, false, Vec::new(), found))
            })
        });
        self.at_hand = outer;
        done?;
        Ok(Done::command("DO"))
    }

    /// `CALL`. Also returns the variables that stand for results, in the order of the columns.
    pub(super) fn call_procedure(
        &mut self,
        call: &ast::Expr,
    ) -> Result<(Returned, Vec<Option<Vec<String>>>)> {
        let ast::Expr::Function(function) = call else {
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \"CALL\""));
        };
        let catalog = self.catalog.clone();
        let settings = self.settings.clone();
        let parameters = self.parameters.clone();
        let frame = self.frame.clone();
        if let Some(frame) = &frame {
            frame.borrow_mut().used.clear();
        }
        let mut binder = crate::bind::Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        binder.frame.clone_from(&frame);
        let (number, arguments) = binder.procedure(function)?;
        let routine = catalog.callee(number).expect("the catalog did not change since");
        let routine = &*routine;
        let printed = arguments
            .iter()
            .map(|argument| crate::print::expression(argument, crate::print::Names::default()));
        let printed: Vec<String> = printed.collect();
        let mut values = Vec::new();
        if !printed.is_empty() {
            if let Some(frame) = &frame {
                let frame = frame.borrow();
                self.values = frame.used.iter().map(|used| frame.value(*used)).collect();
            }
            let sql = self.with_system(&binder, &format!("SELECT {}", printed.join(", ")));
            let rows = self.fetch(&sql, printed.len());
            self.take_back();
            values = rows?.into_iter().next().unwrap_or_default();
        }
        let columns: Vec<Output> = result_columns(&catalog, routine);
        let places = written_arguments(function, routine);
        let bound = !routine.settings.is_empty() || routine.security_definer;
        let answer = match bound {
            true => self.invoke(number, values)?,
            false => self.may_end(|engine| engine.invoke(number, values))?,
        };
        let rows = match answer.value {
            Held::Row(Some(fields)) if !columns.is_empty() => {
                vec![fields.into_iter().map(|field| field.value).collect()]
            }
            // A body in SQL returns one value, or an array of them.
            Held::Value(value) if routine.language == "sql" && columns.len() == 1 => vec![vec![value]],
            Held::Value(Value::Text(row)) if routine.language == "sql" && !columns.is_empty() => {
                let items = array::elements(&row);
                let fields = columns.iter().zip(&items);
                let value = |(column, item): (&Output, _)| {
                    array::value(self.catalog.base_type(column.type_.base), item)
                };
                vec![fields.map(value).collect()]
            }
            _ => Vec::new(),
        };
        Ok((Returned { columns, rows }, places))
    }

    /// The statement `CALL`, whose expression begins at the second token.
    pub(crate) fn call_statement(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let parsed = self.source.parse(&tokens[1..], sqlparser::parser::Parser::parse_expr)?;
        let (mut returned, _) = self.call_procedure(&parsed)?;
        for (at, column) in returned.columns.iter_mut().enumerate() {
            if self.is_shown(column.type_.base) {
                for row in &mut returned.rows {
                    row[at] = self.shown_value(std::mem::replace(&mut row[at], Value::Null), column.type_)?;
                }
                column.type_ = Type::TEXT.plain();
            }
        }
        let returned = (!returned.columns.is_empty()).then_some(returned);
        Ok(Done { tag: "CALL".to_owned(), returned })
    }
}

/// A `DO` block as a routine.
fn anonymous(body: String) -> Routine {
    Routine {
        procedure: true,
        language: "plpgsql".to_owned(),
        body,
        ..Routine::new(0, String::new(), String::new())
    }
}

/// The names of variables among the arguments that are results.
fn written_arguments(function: &ast::Function, routine: &Routine) -> Vec<Option<Vec<String>>> {
    let ast::FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let name = |argument: &ast::FunctionArg| match argument {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr))
        | ast::FunctionArg::Named { arg: ast::FunctionArgExpr::Expr(expr), .. }
        | ast::FunctionArg::ExprNamed { arg: ast::FunctionArgExpr::Expr(expr), .. } => match expr {
            ast::Expr::Identifier(ident) => Some(vec![crate::source::name(ident)]),
            ast::Expr::CompoundIdentifier(idents) => Some(idents.iter().map(crate::source::name).collect()),
            _ => None,
        },
        _ => None,
    };
    let name_of = |argument: &ast::FunctionArg| match argument {
        ast::FunctionArg::Named { name, .. }
        | ast::FunctionArg::ExprNamed { name: ast::Expr::Identifier(name), .. } => {
            Some(crate::source::name(name))
        }
        _ => None,
    };
    let arguments = routine.arguments.iter().enumerate();
    let results = arguments.filter(|(_, argument)| matches!(argument.mode, 'o' | 'b'));
    let place = |(index, result): (usize, &Argument)| {
        let placed = list.args.get(index).filter(|argument| name_of(argument).is_none());
        let named = || {
            list.args.iter().find(|argument| name_of(argument).is_some() && name_of(argument) == result.name)
        };
        placed.or_else(named).and_then(name)
    };
    results.map(place).collect()
}
