//! Runs a body, step by step.

mod cursors;
mod loops;
mod opened;
mod results;
mod variables;

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::types::Value;
use sqlparser::parser::Parser;

use super::context::{Around, Line, Place, Query, in_statement};
use super::fragment::{To, expanded, one_value};
use super::frame::{Field, Frame, Held, Slot};
use super::tree::{Block, Body, Condition, Dynamic, Fragment, Placed, Receivers, Step, Target};
use crate::catalog::{Oid, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine, Returned, TOKEN_WORK};
use crate::source::{Source, is_word};
use crate::tree::Output;
use crate::types::{Modified, Type};

/// The work that each step costs.
const STEP_WORK: usize = 50;

/// What a body gives back.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Nothing,
    Value(Modified),
    /// A row of these columns; of any columns if there are none.
    Row(Vec<Output>),
    /// The new row of a trigger; any if it fires for a statement.
    Trigger(Option<Rc<Relation>>),
}

/// What happens after a step.
enum Flow {
    Next,
    Exit(Option<String>),
    Continue(Option<String>),
    Return,
}

/// A call of a body.
pub(super) struct Run<'e, 'a> {
    pub(super) engine: &'e mut Engine<'a>,
    pub(super) frame: Rc<RefCell<Frame>>,
    pub(super) wanted: Wanted,
    /// Whether the body returns any number of rows.
    pub(super) set: bool,
    /// The slots of the arguments that are results.
    pub(super) outputs: Vec<usize>,
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) result: Option<Held>,
    /// The errors that are being handled, the innermost last.
    pub(super) errors: Vec<SqlError>,
    /// The step at hand, for the context of errors.
    pub(super) place: Place,
    /// What is around the body.
    pub(super) base: Option<Rc<Around>>,
    pub(super) found: usize,
    /// The type of a result that is not yet converted: a block that handles errors must not see one of that.
    pub(super) unconverted: Option<Modified>,
}

/// What a text is run for.
#[derive(Clone, Copy, PartialEq)]
enum For {
    Effect,
    /// A loop or a cursor, which fetch its rows without a statement.
    Cursor,
    /// The rows that a function returns.
    Rows,
}

impl Run<'_, '_> {
    /// Runs a body whose variables are declared.
    pub(super) fn body(&mut self, body: &Body) -> Result<()> {
        let flow = self.block(&body.block)?;
        self.go_to(Place::End);
        let returned = matches!(flow, Flow::Return);
        if !returned && !self.set && self.outputs.is_empty() {
            let what = match self.wanted {
                Wanted::Nothing => return Ok(()),
                Wanted::Trigger(_) => "trigger procedure",
                _ => "function",
            };
            let message = format!("control reached end of {what} without RETURN");
            return Err(SqlError::new(SqlState::new("2F005"), message));
        }
        if !self.set && !self.outputs.is_empty() {
            self.result = Some(self.output_row());
        }
        self.convert_result()
    }

    /// Goes on at a place. Returns the one before.
    pub(super) fn go_to(&mut self, place: Place) -> Place {
        self.engine.around.clone_from(&self.base);
        self.engine.enter(Line::Body(self.engine.at_hand, place));
        std::mem::replace(&mut self.place, place)
    }

    fn block(&mut self, block: &Block) -> Result<Flow> {
        self.frame.borrow_mut().enter(block.label.clone());
        let flow = self.declare_all(&block.declarations).and_then(|()| self.guarded(block));
        self.frame.borrow_mut().leave();
        Ok(match flow? {
            Flow::Exit(Some(label)) if block.label.as_ref() == Some(&label) => Flow::Next,
            flow => flow,
        })
    }

    /// Runs the steps of a block. An error undoes them if the block handles it.
    fn guarded(&mut self, block: &Block) -> Result<Flow> {
        if block.handlers.is_empty() {
            return self.steps(&block.steps);
        }
        let (mark, place) = (self.engine.mark(), self.place);
        let touched = crate::touched::mark();
        let before = self.engine.begin_block()?;
        let opened = self.engine.known.cursors.borrow().mark();
        self.engine.guarded += 1;
        let done = self.steps(&block.steps);
        self.engine.guarded -= 1;
        let error = match done {
            Ok(flow) => {
                self.engine.end_block(before)?;
                return Ok(flow);
            }
            Err(error) => error,
        };
        let handler = block
            .handlers
            .iter()
            .find(|handler| handler.conditions.iter().any(|condition| catches(condition, &error)));
        // What this engine lacks is no error that a program expects, and a used-up budget stays used up.
        let lacking = error.is_unsupported();
        // Errors of the engine itself have no hint.
        let own = error.code == SqlState::INTERNAL && error.hint.is_none();
        let lasting = lacking || own || self.engine.budget.refusal().is_some();
        let Some(handler) = handler.filter(|_| !lasting) else { return Err(error) };
        let error = self.place.of(error.nowhere());
        self.go_to(place);
        self.engine.undo_block(before)?;
        self.engine.return_to(mark)?;
        crate::touched::return_to(touched);
        self.engine.known.cursors.borrow_mut().return_to(opened);
        {
            let mut frame = self.frame.borrow_mut();
            frame.enter(None);
            frame.declare(Slot::with("sqlstate", Type::TEXT, error.code.as_str().to_owned()));
            frame.declare(Slot::with("sqlerrm", Type::TEXT, error.message.clone()));
        }
        self.errors.push(error);
        let flow = self.steps(&handler.steps);
        self.errors.pop();
        self.frame.borrow_mut().leave();
        flow
    }

    fn steps(&mut self, steps: &[Placed]) -> Result<Flow> {
        for Placed { line, step } in steps {
            self.engine.budget.work(STEP_WORK)?;
            let outer = self.go_to(Place::Step(*line, step.name()));
            let flow = self.step(step)?;
            self.go_to(outer);
            match flow {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn step(&mut self, step: &Step) -> Result<Flow> {
        match step {
            Step::Null => {}
            Step::Block(block) => return self.block(block),
            Step::Assign { target, parts, value } => self.assign_expression(target, parts, value)?,
            Step::Sql { statement, into } => self.sql(statement, into.as_ref())?,
            Step::Perform(query) => {
                let rows = self.engine.fragment_rows(query, To::Fields)?.rows.len();
                self.counted(rows);
            }
            Step::Execute { dynamic, into } => self.execute(dynamic, into.as_ref())?,
            Step::If { branches, otherwise } => {
                for (condition, steps) in branches {
                    if self.holds(condition)? {
                        return self.steps(steps);
                    }
                }
                return self.steps(otherwise);
            }
            Step::Case { branches, otherwise } => {
                for (condition, steps) in branches {
                    if self.holds(condition)? {
                        return self.steps(steps);
                    }
                }
                let Some(otherwise) = otherwise else {
                    return Err(SqlError::new(SqlState::new("20000"), "case not found")
                        .hint("CASE statement is missing ELSE part."));
                };
                return self.steps(otherwise);
            }
            Step::Loop { label, over, steps } => return self.loop_over(label.as_ref(), over, steps),
            Step::Leave { label, condition, next } => {
                let leaves = match condition {
                    Some(condition) => self.holds(condition)?,
                    None => true,
                };
                if leaves {
                    return Ok(if *next { Flow::Continue(label.clone()) } else { Flow::Exit(label.clone()) });
                }
            }
            Step::Return(value) => {
                self.return_value(value.as_ref())?;
                return Ok(Flow::Return);
            }
            Step::ReturnNext(value) => self.return_next(value.as_ref())?,
            Step::ReturnQuery(query) => {
                if let Some(command) = opened::command_without_rows(&query.tokens) {
                    return Err(self.engine.told(opened::no_rows(&command), query, false));
                }
                let returned = self.query_rows(query, To::Columns)?;
                self.return_rows(returned).map_err(|error| self.engine.told(error, query, false))?;
            }
            Step::ReturnExecute(dynamic) => {
                let done = self.run_dynamic(dynamic, For::Rows)?;
                let returned = done.returned.unwrap_or_else(Returned::nothing);
                self.return_rows(returned)?;
            }
            Step::Raise(raise) => self.raise(raise)?,
            Step::Assert { condition, message } => {
                if !self.holds(condition)? {
                    let message = match message {
                        Some(message) => self.engine.evaluate_shown(message)?,
                        None => None,
                    };
                    let message = message.unwrap_or_else(|| "assertion failed".to_owned());
                    return Err(SqlError::new(SqlState::new("P0004"), message));
                }
            }
            Step::Diagnostics { stacked, items } => {
                if *stacked && self.errors.is_empty() {
                    let message = "GET STACKED DIAGNOSTICS cannot be used outside an exception handler";
                    return Err(SqlError::new(SqlState::new("0Z002"), message));
                }
                for (target, item) in items {
                    let value = self.diagnostic(item)?;
                    let type_ = if matches!(value, Value::Integer(_)) { Type::INT8 } else { Type::TEXT };
                    self.assign(target, type_.plain(), value)?;
                }
            }
            Step::Open { cursor, query, scrolls } => self.open(cursor, query, *scrolls)?,
            Step::Fetch { cursor, going, into } => self.fetch_row(cursor, going, into.as_deref())?,
            Step::Close(cursor) => self.close(cursor)?,
            Step::Transaction(command) => self.engine.end_in_body(*command == "COMMIT")?,
        }
        Ok(Flow::Next)
    }

    fn diagnostic(&self, item: &str) -> Result<Value> {
        let error = self.errors.last();
        let text = |text: Option<&str>| Value::Text(text.unwrap_or("").to_owned());
        Ok(match item {
            "row_count" => Value::Integer(self.frame.borrow().affected as i64),
            "pg_context" => Value::Text(self.engine.context_now()?),
            "pg_exception_context" => match error {
                Some(error) => Value::Text(self.engine.context_of(error, self.base.as_ref())?),
                None => text(None),
            },
            "returned_sqlstate" => text(error.map(|error| error.code.as_str())),
            "message_text" => text(error.map(|error| error.message.as_str())),
            "pg_exception_detail" => text(error.and_then(|error| error.detail.as_deref())),
            "pg_exception_hint" => text(error.and_then(|error| error.hint.as_deref())),
            "schema_name" => text(error.and_then(|error| error.about.schema.as_deref())),
            "table_name" => text(error.and_then(|error| error.about.table.as_deref())),
            "column_name" => text(error.and_then(|error| error.about.column.as_deref())),
            "pg_datatype_name" => text(error.and_then(|error| error.about.data_type.as_deref())),
            "constraint_name" => text(error.and_then(|error| error.about.constraint.as_deref())),
            _ => text(None),
        })
    }

    fn holds(&mut self, condition: &Fragment) -> Result<bool> {
        Ok(self.engine.evaluate(condition, Type::BOOL.plain())? == Value::Integer(1))
    }

    /// Notes how many rows a statement had.
    fn counted(&mut self, rows: usize) {
        self.frame.borrow_mut().affected = rows;
        self.set_found(rows > 0);
    }

    fn set_found(&mut self, found: bool) {
        let slot = self.found;
        self.frame.borrow_mut().slots[slot].held = Held::Value(Value::Integer(found.into()));
    }

    fn sql(&mut self, statement: &Fragment, into: Option<&Receivers>) -> Result<()> {
        let selects = ["select", "values", "table"].iter().any(|word| is_word(&statement.tokens[0], word));
        let bracket = !matches!(statement.tokens[0].token, sqlparser::tokenizer::Token::Word(_));
        if (selects || bracket) && into.is_none() {
            return Err(no_destination(true));
        }
        if ["savepoint", "release", "start", "abort"].iter().any(|word| is_word(&statement.tokens[0], word)) {
            let message = "unsupported transaction command in PL/pgSQL";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        self.require_volatile(statement)?;
        if is_word(&statement.tokens[0], "call") {
            return self.call(statement);
        }
        let (returned, count) = if selects || bracket {
            let returned = self.engine.fragment_rows(statement, To::Columns)?;
            // With INTO, PostgreSQL stops after the first row.
            let count = returned.rows.len().min(if into.is_some() { 1 } else { usize::MAX });
            (Some(returned), count)
        } else {
            let changes =
                ["insert", "update", "delete"].iter().any(|word| is_word(&statement.tokens[0], word));
            let tokens = expanded(&statement.tokens, &self.frame.borrow());
            let done = self.engine.as_query(statement, |engine| match changes {
                true => engine.change_fragment(statement),
                false => engine.statement(&tokens),
            })?;
            if done.returned.is_some() && into.is_none() {
                return Err(no_destination(done.tag.starts_with("SELECT")));
            }
            let count = done.tag.rsplit(' ').next().and_then(|count| count.parse().ok());
            if let (None, None) = (count, &into) {
                self.frame.borrow_mut().affected = 0;
                return Ok(());
            }
            (done.returned, count.unwrap_or(0))
        };
        self.counted(count);
        match into {
            None => Ok(()),
            Some(into) => self.receive(into, returned.unwrap_or_else(Returned::nothing), !selects),
        }
    }

    /// `CALL`, whose results go into the variables that stand for them.
    fn call(&mut self, statement: &Fragment) -> Result<()> {
        let tokens = expanded(&statement.tokens, &self.frame.borrow());
        let (returned, places) = self.engine.as_query(statement, |engine| {
            let parsed = engine.source.parse(&tokens[1..], Parser::parse_expr)?;
            engine.call_procedure(&parsed)
        })?;
        let Some(row) = returned.rows.into_iter().next() else { return Ok(()) };
        for ((column, value), names) in returned.columns.iter().zip(row).zip(places) {
            let Some(names) = names else {
                let message = format!(
                    "procedure parameter \"{}\" is an output parameter but corresponding argument is not writable",
                    column.name
                );
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            };
            self.assign(&Target { names }, column.type_, value)?;
        }
        Ok(())
    }

    /// Assigns the first row to the targets of `INTO`. A changing statement must not return more.
    fn receive(&mut self, into: &Receivers, returned: Returned, changes: bool) -> Result<()> {
        let Returned { columns, mut rows } = returned;
        if into.strict && rows.is_empty() {
            return Err(SqlError::new(SqlState::new("P0002"), "query returned no rows"));
        }
        if rows.len() > 1 && (into.strict || changes) {
            return Err(SqlError::new(SqlState::new("P0003"), "query returned more than one row")
                .hint("Make sure the query returns a single row, or use LIMIT 1."));
        }
        let row = if rows.is_empty() { vec![Value::Null; columns.len()] } else { rows.swap_remove(0) };
        self.assign_row(&into.targets, &columns, row)
    }

    fn require_volatile(&self, fragment: &Fragment) -> Result<()> {
        let allowed = self.engine.require_volatile(&fragment.tokens);
        allowed.map_err(|error| self.engine.told(error, fragment, false))
    }

    /// The rows of a statement: a query, or a change with `RETURNING`.
    fn query_rows(&mut self, query: &Fragment, to: To) -> Result<Returned> {
        self.require_volatile(query)?;
        let changes =
            ["insert", "update", "delete", "with"].iter().any(|word| is_word(&query.tokens[0], word));
        if !changes {
            return self.engine.fragment_rows(query, to);
        }
        let tokens = expanded(&query.tokens, &self.frame.borrow());
        let done = self.engine.as_query(query, |engine| engine.statement(&tokens))?;
        Ok(done.returned.unwrap_or_else(Returned::nothing))
    }

    fn execute(&mut self, dynamic: &Dynamic, into: Option<&Receivers>) -> Result<()> {
        let returned = self.run_dynamic(dynamic, For::Effect)?.returned;
        match into {
            None => Ok(()),
            Some(into) => {
                let message = "INTO used with a command that cannot return data";
                let returned = returned.ok_or_else(|| SqlError::new(SqlState::SYNTAX_ERROR, message))?;
                self.receive(into, returned, false)
            }
        }
    }

    /// The rows of a text that is run for a loop or a cursor, and the tables that it reads. They are fetched without a statement.
    fn dynamic_rows(&mut self, dynamic: &Dynamic) -> Result<(Returned, Vec<Oid>)> {
        self.engine.last_query = None;
        let done = self.run_dynamic(dynamic, For::Cursor)?;
        let tables = self.engine.last_query.take().map_or_else(Vec::new, |plan| plan.tables());
        Ok((done.returned.unwrap_or_else(Returned::nothing), tables))
    }

    /// Runs a text, whose `$1` … are the values of `USING`.
    fn run_dynamic(&mut self, dynamic: &Dynamic, why: For) -> Result<Done> {
        let Value::Text(text) = self.engine.evaluate(&dynamic.text, Type::TEXT.plain())? else {
            let message = "query string argument of EXECUTE is null";
            return Err(SqlError::new(SqlState::new("22004"), message));
        };
        let mut values = Frame::default();
        values.enter(None);
        for (index, value) in dynamic.using.iter().enumerate() {
            let returned = self.engine.fragment_rows(value, To::Fields)?;
            let name = format!("${}", index + 1);
            let slot = match &returned.columns[..] {
                [column] => {
                    let (type_, value) = (column.type_, one_value(returned.rows)?);
                    Slot { type_, ..Slot::with(&name, type_.base, value) }
                }
                _ => {
                    let row = returned.rows.into_iter().next().unwrap_or_default();
                    let fields = returned.columns.into_iter().zip(row).map(|(column, value)| Field {
                        name: column.name.into(),
                        type_: column.type_,
                        value,
                    });
                    let held = Held::Row(Some(fields.collect()));
                    Slot { held, ..Slot::with(&name, self.row_type(value)?, Value::Null) }
                }
            };
            values.declare(slot);
        }
        let source = Rc::new(Source::sent(&text));
        self.engine.budget.work(TOKEN_WORK * source.most_tokens())?;
        let statements = source.statements().map_err(|error| in_statement(error, &text))?;
        let without_rows = || statements.last().and_then(|tokens| opened::command_without_rows(tokens));
        match why {
            For::Effect => {}
            For::Cursor => opened::require_rows_of(&statements)?,
            For::Rows => {
                if let Some(command) = without_rows() {
                    return Err(in_statement(opened::no_rows(&command), &text));
                }
            }
        }
        statements.iter().try_for_each(|tokens| refuse_dynamic(tokens))?;
        let allowed = statements.iter().try_for_each(|tokens| self.engine.require_volatile(tokens));
        allowed.map_err(|error| in_statement(error, &text))?;
        let ends = ["begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release"];
        if statements.iter().any(|tokens| ends.iter().any(|word| is_word(&tokens[0], word))) {
            let message = "EXECUTE of transaction commands is not implemented";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let around = self.engine.around.clone();
        if why != For::Cursor {
            self.engine.enter(Line::Query(Query::whole(&source)));
        }
        let outer_source = std::mem::replace(&mut self.engine.source, source);
        let outer_frame = self.engine.frame.replace(Rc::new(RefCell::new(values)));
        let done: Result<Vec<_>> = statements.iter().map(|tokens| self.engine.statement(tokens)).collect();
        self.engine.source = outer_source;
        self.engine.frame = outer_frame;
        self.engine.around = around;
        let last = done.map_err(|error| in_statement(error, &text))?.pop();
        let last = last.unwrap_or_else(|| Done::command(""));
        // The rows of a loop or a cursor are fetched one after the other.
        if why == For::Effect {
            let count = last.tag.rsplit(' ').next().and_then(|count| count.parse().ok());
            self.frame.borrow_mut().affected = count.unwrap_or(0);
        }
        Ok(last)
    }
}

/// Refuses what a text that is run must not be.
fn refuse_dynamic(tokens: &[sqlparser::tokenizer::TokenWithSpan]) -> Result<()> {
    let has = |word: &str| tokens.iter().any(|token| is_word(token, word));
    if is_word(&tokens[0], "copy") && (has("stdin") || has("stdout")) {
        let message = "cannot COPY to/from client in PL/pgSQL";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
    }
    let selects = is_word(&tokens[0], "select") || is_word(&tokens[0], "with");
    if selects && crate::ddl::into_table(tokens).is_some() {
        let message = "EXECUTE of SELECT ... INTO is not implemented";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
            .hint("You might want to use EXECUTE ... INTO or EXECUTE CREATE TABLE ... AS instead."));
    }
    Ok(())
}

impl Returned {
    pub(crate) fn nothing() -> Returned {
        Returned { columns: Vec::new(), rows: Vec::new() }
    }
}

/// The schema and the name of a relation.
pub(super) fn qualified(names: &[String]) -> (Option<&str>, &str) {
    match names {
        [.., schema, name] => (Some(schema), name),
        [name] => (None, name),
        [] => (None, ""),
    }
}

fn unknown(target: &Target) -> SqlError {
    let message = format!("\"{}\" is not a known variable", target.names.join("."));
    SqlError::new(SqlState::SYNTAX_ERROR, message)
}

/// The refusal of a statement whose rows no variable takes.
fn no_destination(selects: bool) -> SqlError {
    let error = SqlError::new(SqlState::SYNTAX_ERROR, "query has no destination for result data");
    match selects {
        true => error.hint("If you want to discard the results of a SELECT, use PERFORM instead."),
        false => error,
    }
}

fn catches(condition: &Condition, error: &SqlError) -> bool {
    let code = error.code.as_str();
    match condition {
        Condition::Others => !["57014", "P0004"].contains(&code),
        Condition::States(states) => {
            states.iter().any(|state| state == code || state.ends_with("000") && state[..2] == code[..2])
        }
    }
}
