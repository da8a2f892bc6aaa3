//! What PL/pgSQL was doing when an error came up, line by line, and what is running around a body.

use std::ops::Range;
use std::rc::Rc;

use sqlparser::tokenizer::Token;

use super::tree::{Fragment, Kind, Over, Step};
use crate::catalog::{Oid, Routine};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::{Source, is_word};

/// What a `DO` block is called.
pub(super) const BLOCK: &str = "inline_code_block";

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
    /// After the end of a trigger's function, where the row that it returns is looked at.
    Exit,
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
            Place::Exit => format!("PL/pgSQL function {NAME} during function exit"),
            Place::Variable(line) => {
                format!("PL/pgSQL function {NAME} line {line} during statement block local variable initialization")
            }
            Place::Step(line, name) => format!("PL/pgSQL function {NAME} line {line} at {name}"),
        })
    }
}

/// What is running around a body or a statement: a line, and what is around that.
#[derive(Debug)]
pub(crate) struct Around {
    line: Line,
    outer: Option<Rc<Around>>,
}

/// A line about something that runs.
#[derive(Debug)]
pub(super) enum Line {
    /// A body at a place: that of a function, or of a `DO` block.
    Body(Option<Oid>, Place),
    /// A part of a text.
    Query(Query),
    /// Another line.
    Text(String),
}

/// A part of a text that runs as a query.
#[derive(Debug)]
pub(super) struct Query {
    kind: Kind,
    source: Rc<Source>,
    part: Range<usize>,
    /// The part in it that is not run: `INTO` with its targets.
    blank: Option<Range<usize>>,
}

impl Query {
    /// A whole text.
    pub(super) fn whole(source: &Rc<Source>) -> Query {
        Query { kind: Kind::Statement, source: source.clone(), part: 0..source.text.len(), blank: None }
    }

    /// The text of a fragment.
    fn of(fragment: &Fragment, source: &Rc<Source>) -> Option<Query> {
        let place = |location| source.offset(location);
        let start = fragment.start(source)?;
        let end = fragment.tokens.iter().rev().find_map(|token| place(token.span.end))?;
        source.text.get(start..end)?;
        let mut blank = None;
        for pair in fragment.tokens.windows(2).filter(|_| fragment.kind == Kind::Statement) {
            let Some((from, to)) = place(pair[0].span.end).zip(place(pair[1].span.start)) else { continue };
            let Some(between) = source.text.get(from..to) else { continue };
            let skipped = between.len() - between.trim_start().len();
            if between.len() - skipped > 4
                && between.as_bytes()[skipped..skipped + 4].eq_ignore_ascii_case(b"into")
            {
                blank = Some(from + skipped..to);
                break;
            }
        }
        Some(Query { kind: fragment.kind, source: source.clone(), part: start..end, blank })
    }

    fn before(&self) -> &'static str {
        if self.kind == Kind::Perform { "SELECT " } else { "" }
    }

    fn text(&self) -> String {
        let mut text = self.source.text[self.part.clone()].to_owned();
        if let Some(Range { start, end }) = self.blank {
            let range = start - self.part.start..end - self.part.start;
            text.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        text.insert_str(0, self.before());
        text
    }

    fn line(&self) -> String {
        let what = match self.kind {
            Kind::Expression => "SQL expression",
            Kind::Assignment(_) => "PL/pgSQL assignment",
            Kind::Statement | Kind::Rows | Kind::Perform => "SQL statement",
        };
        format!("{what} \"{}\"", self.text())
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
    /// The context of an error that the body at hand has caught. `around` is around that body.
    pub(super) fn context_of(&self, error: &SqlError, around: Option<&Rc<Around>>) -> Result<String> {
        let own = error.context.as_deref().unwrap_or_default().replace(NAME, &self.title_of(self.at_hand));
        self.lines_of(Some(own), around)
    }

    /// The lines of what is running now, the innermost first.
    pub(super) fn context_now(&self) -> Result<String> {
        self.lines_of(None, self.around.as_ref())
    }

    fn lines_of(&self, first: Option<String>, mut around: Option<&Rc<Around>>) -> Result<String> {
        let mut lines: Vec<String> = first.into_iter().collect();
        while let Some(Around { line, outer }) = around.map(Rc::as_ref) {
            lines.push(match line {
                Line::Body(oid, place) => {
                    let here = place.of(SqlError::new(SqlState::INTERNAL, ""));
                    here.context.as_deref().unwrap_or_default().replace(NAME, &self.title_of(*oid))
                }
                Line::Query(query) => query.line(),
                Line::Text(line) => line.clone(),
            });
            self.budget.make(lines.last().map_or(0, String::len))?;
            around = outer.as_ref();
        }
        Ok(lines.join("\n"))
    }

    fn title_of(&self, routine: Option<Oid>) -> String {
        let routine = routine.and_then(|oid| self.catalog.routine(oid));
        routine.map_or_else(|| BLOCK.to_owned(), |routine| self.plain_binder().signature(routine))
    }

    /// Adds a line about what runs now. Returns what was around before, which the caller puts back.
    pub(super) fn enter(&mut self, line: Line) -> Option<Rc<Around>> {
        let outer = self.around.clone();
        self.around = Some(Rc::new(Around { line, outer: outer.clone() }));
        outer
    }

    /// Runs something with a line around what it calls, which is also in the context of its errors.
    pub(crate) fn as_text<T>(&mut self, line: String, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.enter(Line::Text(line.clone()));
        let done = run(self);
        self.around = outer;
        done.map_err(|error| error.inside(&line))
    }

    /// Runs a statement of a body, whose text is around what it calls.
    pub(super) fn as_query<T>(
        &mut self,
        fragment: &Fragment,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = self.enter_query(fragment);
        let done = run(self);
        self.around = outer;
        done.map_err(|error| self.told(error, fragment, false))
    }

    /// The same without running it.
    pub(super) fn enter_query(&mut self, fragment: &Fragment) -> Option<Rc<Around>> {
        let query = if fragment.is_plain() { None } else { Query::of(fragment, &self.source) };
        match query {
            Some(query) => self.enter(Line::Query(query)),
            None => self.around.clone(),
        }
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
        let Some(query) = Query::of(fragment, &self.source) else { return error };
        if fragment.kind == Kind::Expression
            && error.message.starts_with("query returned ")
            && error.message.ends_with(" columns")
        {
            return error.inside(&format!("query: {}", query.text()));
        }
        if let Some(at) = error.position.and_then(|position| position.checked_sub(query.part.start)) {
            return error.in_query(&query.text(), query.before().len() + at);
        }
        if fragment.is_plain() && (computed || error.context.is_some()) {
            return error;
        }
        error.inside(&query.line())
    }
}

impl Fragment {
    /// Whether its rows are those of a table, which it reads when they are fetched.
    pub(super) fn is_read(&self) -> bool {
        self.kind == Kind::Rows && self.tokens.iter().any(|token| is_word(token, "from"))
    }

    /// Whether it is computed without a statement, unless it is constant: an expression without queries, or rows that are fetched.
    pub(super) fn is_plain(&self) -> bool {
        match self.kind {
            Kind::Expression | Kind::Assignment(_) => !self.has_query(),
            Kind::Rows => true,
            Kind::Statement | Kind::Perform => false,
        }
    }

    /// Whether an expression reads rows: `SELECT` is somewhere in it, or `FROM` outside of brackets.
    fn has_query(&self) -> bool {
        let mut depth = 0_usize;
        self.tokens.windows(2).any(|pair| {
            match pair[1].token {
                Token::LParen => depth += 1,
                Token::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_word(&pair[1], "select")
                || depth == 0 && is_word(&pair[1], "from") && !is_word(&pair[0], "distinct")
        })
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
