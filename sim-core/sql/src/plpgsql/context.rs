//! What PL/pgSQL was doing when an error came up, line by line.

use super::tree::{Fragment, Kind, Over, Step};
use crate::catalog::Routine;
use crate::error::SqlError;
use crate::run::Engine;
use crate::source::is_word;

/// What a `DO` block is called.
const BLOCK: &str = "inline_code_block";

/// Stands for the function's name in a line of the context until it is known.
const NAME: &str = "\u{1}";

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// At its beginning or its end.
    End,
    /// At a variable that gets its first value, by its line.
    Variable(usize),
    /// At a step, by its line and its name.
    Step(usize, &'static str),
    /// After its end, where the value that it returns becomes one of the function's type.
    Returned,
    /// Where an error that is raised again came up, which its context says.
    Again,
}

impl Place {
    /// An error with the line of the context about this place.
    pub(super) fn of(self, error: SqlError) -> SqlError {
        if matches!(self, Place::Again) {
            return error;
        }
        error.inside(&match self {
            Place::Again | Place::End => format!("PL/pgSQL function {NAME}"),
            Place::Returned => {
                format!("PL/pgSQL function {NAME} while casting return value to function's return type")
            }
            Place::Variable(line) => {
                format!("PL/pgSQL function {NAME} line {line} during statement block local variable initialization")
            }
            Place::Step(line, name) => format!("PL/pgSQL function {NAME} line {line} at {name}"),
        })
    }
}

/// An error of a text that `EXECUTE` runs.
pub(super) fn in_statement(error: SqlError, text: &str) -> SqlError {
    match error.position {
        Some(position) => error.in_query(text, position),
        None => error.inside(&format!("SQL statement \"{text}\"")),
    }
}

impl Engine<'_> {
    /// The context of an error, or of a step, with the name of the function at hand.
    pub(super) fn context_at_hand(&self, error: &SqlError) -> String {
        let routine = self.at_hand.and_then(|oid| self.catalog.routine(oid));
        let name = match routine {
            Some(routine) => self.plain_binder().signature(routine),
            None => BLOCK.to_owned(),
        };
        error.context.as_deref().unwrap_or_default().replace(NAME, &name)
    }

    /// An error of a body with the name of its function.
    pub(super) fn named(&self, error: SqlError, routine: &Routine) -> SqlError {
        if !error.context.as_ref().is_some_and(|context| context.contains(NAME)) {
            return error;
        }
        let name = match routine.name.is_empty() {
            true => BLOCK.to_owned(),
            false => self.plain_binder().signature(routine),
        };
        error.with_context(|context| context.replace(NAME, &name))
    }

    /// An error of a fragment with the fragment's text. `computed`: it came up when the value was computed, not before.
    pub(super) fn told(&self, error: SqlError, fragment: &Fragment, computed: bool) -> SqlError {
        let source = self.source.clone();
        let place = |location| source.offset(location);
        let start = fragment.start(&source);
        let end = fragment.tokens.iter().rev().find_map(|token| place(token.span.end));
        let Some((start, text)) =
            start.zip(end).and_then(|(start, end)| Some((start, source.text.get(start..end)?)))
        else {
            return error;
        };
        let before = if fragment.kind == Kind::Perform { "SELECT " } else { "" };
        let text = format!("{before}{text}");
        if let Some(at) = error.position.and_then(|position| position.checked_sub(start)) {
            return error.in_query(&text, before.len() + at);
        }
        let what = match fragment.kind {
            Kind::Expression => "SQL expression",
            Kind::Assignment(_) => "PL/pgSQL assignment",
            Kind::Statement | Kind::Perform => "SQL statement",
        };
        // Expressions without queries are computed without a statement, unless they are constant.
        let plain = matches!(fragment.kind, Kind::Expression | Kind::Assignment(_))
            && !fragment.tokens[1..].iter().any(|token| is_word(token, "select") || is_word(token, "from"));
        if plain && (computed || error.context.is_some()) {
            return error;
        }
        error.inside(&format!("{what} \"{text}\""))
    }
}

impl Step {
    /// Its name in the context of errors.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Step::Null => "NULL",
            Step::Block(_) => "statement block",
            Step::Assign { .. } => "assignment",
            Step::Sql { statement, .. } if is_word(&statement.tokens[0], "call") => "CALL",
            Step::Sql { .. } => "SQL statement",
            Step::Perform(_) => "PERFORM",
            Step::Execute { .. } => "EXECUTE",
            Step::If { .. } => "IF",
            Step::Case { .. } => "CASE",
            Step::Loop { over, .. } => match over {
                Over::Forever => "LOOP",
                Over::While(_) => "WHILE",
                Over::Integers { .. } => "FOR with integer loop variable",
                Over::Query { .. } => "FOR over SELECT rows",
                Over::Execute { .. } => "FOR over EXECUTE statement",
                Over::Cursor { .. } => "FOR over cursor",
                Over::Array { .. } => "FOREACH over array",
            },
            Step::Leave { next: true, .. } => "CONTINUE",
            Step::Leave { .. } => "EXIT",
            Step::Return(_) => "RETURN",
            Step::ReturnNext(_) => "RETURN NEXT",
            Step::ReturnQuery(_) | Step::ReturnExecute(_) => "RETURN QUERY",
            Step::Raise(_) => "RAISE",
            Step::Assert { .. } => "ASSERT",
            Step::Diagnostics { stacked: true, .. } => "GET STACKED DIAGNOSTICS",
            Step::Diagnostics { .. } => "GET DIAGNOSTICS",
            Step::Open { .. } => "OPEN",
            Step::Fetch { into: None, .. } => "MOVE",
            Step::Fetch { .. } => "FETCH",
            Step::Close(_) => "CLOSE",
            Step::Transaction("COMMIT") => "COMMIT",
            Step::Transaction(_) => "ROLLBACK",
        }
    }
}
