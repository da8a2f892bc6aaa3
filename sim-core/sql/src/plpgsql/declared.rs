//! Checks a body when its function is created: the types of its variables, and the names in its statements.

use std::cell::RefCell;
use std::rc::Rc;

use sqlparser::parser::Parser;
use sqlparser::tokenizer::TokenWithSpan;

use super::compilation_of;
use super::frame::Frame;
use super::parse::placed;
use super::run::qualified;
use super::tree::{Block, Body, Conflict, Declared, Placed, Step, TypeName};
use crate::catalog::Routine;
use crate::client::Placeholders;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::security::session::names_of_path;
use crate::source::{Source, is_word};

impl Engine<'_> {
    /// Refuses a body in SQL that names a table or a column that does not exist when the function is created. Nothing runs. The places
    /// of errors are those in the body.
    pub(crate) fn check_names_in_body(&self, routine: &Routine, known: Option<&SqlError>) -> Result<()> {
        let mut engine = Engine::inside(self.connection, &self.carried());
        engine.placeholders = Some(Placeholders::asked(&self.catalog, &[], 0));
        let mut values = std::iter::empty();
        let mut frame = Frame::default();
        frame.conflict = Conflict::Column;
        frame.enter(Some(routine.name.clone()));
        for (argument, number) in routine.inputs().zip(1..) {
            let slot = engine.input(argument, &mut values);
            let slot = frame.declare(slot);
            frame.name(format!("${number}"), slot);
        }
        engine.frame = Some(Rc::new(RefCell::new(frame)));
        let source = Rc::new(Source::sent(&routine.body));
        engine.source = source.clone();
        engine.inside_routine(
            &Routine { volatility: 'v', security_definer: false, ..routine.clone() },
            |engine| {
                source.statements()?.iter().try_for_each(|tokens| {
                    refuse_procedural(engine, tokens)?;
                    let described = ["select", "with", "values", "insert", "update", "delete"];
                    if !described.iter().any(|word| is_word(&tokens[0], word)) {
                        return Ok(());
                    }
                    match engine.statement(tokens) {
                        Err(error)
                            if engine.is_certain(&error, &routine.name)
                                || known.is_some_and(|known| known.message == error.message) =>
                        {
                            Err(error)
                        }
                        _ => Ok(()),
                    }
                })
            },
        )
    }

    /// Refuses a variable of a type that does not exist, or of the rows of a table that does not exist.
    pub(crate) fn check_declared_types(&self, routine: &Routine, body: &Body) -> Result<()> {
        let blocks = blocks_of(&body.block);
        let named = blocks.iter().flat_map(|block| &block.declarations).map(|one| one.name.as_str());
        let parameters = routine.arguments.iter().filter_map(|argument| argument.name.as_deref());
        let variables: Vec<&str> = named.chain(parameters).chain(["new", "old"]).collect();
        for declaration in blocks.iter().flat_map(|block| &block.declarations) {
            let Declared::Variable { type_, .. } = &declaration.declared else { continue };
            let line = declaration.line;
            self.check_declared_type(routine, body, type_, &variables).map_err(|error| {
                match (error.code, type_) {
                    (SqlState::UNDEFINED_OBJECT | SqlState::INVALID_SCHEMA, TypeName::Written(tokens)) => {
                        placed(&routine.body, error.nowhere().at(body.source.place(tokens[0].span.start)))
                    }
                    (SqlState::UNDEFINED_OBJECT | SqlState::INVALID_SCHEMA, _) => error.nowhere(),
                    (SqlState::SYNTAX_ERROR, TypeName::Like(_, at)) => placed(&routine.body, error.at(*at)),
                    _ => error.nowhere().inside(&format!("{} near line {line}", compilation_of(routine))),
                }
            })?;
        }
        Ok(())
    }

    fn check_declared_type(
        &self,
        routine: &Routine,
        body: &Body,
        type_: &TypeName,
        variables: &[&str],
    ) -> Result<()> {
        let mut binder = self.plain_binder();
        binder.path_inside = routine.path_of_names().map(names_of_path);
        let table = match type_ {
            TypeName::Record => return Ok(()),
            TypeName::Written(tokens) => {
                let array = tokens.last().is_some_and(|token| is_word(token, "array"));
                let tokens = &tokens[..tokens.len() - usize::from(array)];
                let Ok(parsed) = body.source.parse(tokens, Parser::parse_data_type) else { return Ok(()) };
                return binder.data_type(&parsed).map_or_else(only_missing, |_| Ok(()));
            }
            TypeName::RowOf(names) => &names[..],
            TypeName::Like(names, _) => match &names[..] {
                [first, ..] if variables.contains(&first.as_str()) => return Ok(()),
                [table @ .., column] if !table.is_empty() => {
                    let (schema, name) = qualified(table);
                    let known = binder.relation_by_name(schema, name);
                    let missing = |error: &SqlError| error.code == SqlState::UNDEFINED_TABLE;
                    if known.as_ref().map_or_else(missing, |table| table.column(column).is_none()) {
                        let message = "syntax error at or near \"%\"";
                        let context = format!("invalid type name \"{}%type\"", names.join("."));
                        return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).inside(&context));
                    }
                    table
                }
                _ => return Ok(()),
            },
        };
        let (schema, name) = qualified(table);
        binder.relation_by_name(schema, name).map_or_else(only_missing, |_| Ok(()))
    }
}

/// An error that says that something does not exist. Others are left to the calls.
fn only_missing(error: SqlError) -> Result<()> {
    let missing = [SqlState::UNDEFINED_OBJECT, SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA];
    if missing.contains(&error.code) { Err(error) } else { Ok(()) }
}

/// A block and those in it.
fn blocks_of(block: &Block) -> Vec<&Block> {
    let handlers = block.handlers.iter().flat_map(|handler| &handler.steps);
    let inner = block.steps.iter().chain(handlers).flat_map(blocks_in);
    std::iter::once(block).chain(inner).collect()
}

fn blocks_in(placed: &Placed) -> Vec<&Block> {
    match &placed.step {
        Step::Block(block) => blocks_of(block),
        Step::If { branches, otherwise } => {
            let steps = branches.iter().flat_map(|(_, steps)| steps).chain(otherwise);
            steps.flat_map(blocks_in).collect()
        }
        Step::Case { branches, otherwise } => {
            let steps = branches.iter().flat_map(|(_, steps)| steps).chain(otherwise.iter().flatten());
            steps.flat_map(blocks_in).collect()
        }
        Step::Loop { steps, .. } => steps.iter().flat_map(blocks_in).collect(),
        _ => Vec::new(),
    }
}

/// Refuses a statement of PL/pgSQL in a body in SQL.
fn refuse_procedural(engine: &Engine<'_>, tokens: &[TokenWithSpan]) -> Result<()> {
    const STEPS: &[&str] = &[
        "assert", "continue", "else", "elsif", "exit", "for", "foreach", "if", "loop", "null", "perform",
        "raise", "return", "while",
    ];
    const MODES: &[&str] = &["deferrable", "isolation", "not", "read", "transaction", "work"];
    let is_one_of = |token: &TokenWithSpan, words: &[&str]| words.iter().any(|word| is_word(token, word));
    let wrong = match tokens {
        [begin, next, ..] if is_word(begin, "begin") => (!is_one_of(next, MODES)).then_some(next),
        [first, ..] => is_one_of(first, STEPS).then_some(first),
        [] => None,
    };
    wrong.map_or(Ok(()), |token| Err(engine.source.syntax_error_at(token)))
}
