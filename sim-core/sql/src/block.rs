//! `DO` blocks as migrations use them: conditional statements, and handlers of errors. Variables and loops are refused.

use std::ops::Range;
use std::rc::Rc;

use rusqlite::types::Value;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::catalog::Catalog;
use super::error::{Result, SqlError, SqlState};
use super::run::{Done, Engine};
use super::source::{Source, is_word};

/// A step of a block. Ranges refer to its tokens.
enum Step {
    Sql(Range<usize>),
    /// A query whose rows are ignored.
    Perform(Range<usize>),
    /// A text to run.
    Execute(Range<usize>),
    /// Conditions with their steps, and the steps of `ELSE`.
    If(Vec<(Range<usize>, Vec<Step>)>, Vec<Step>),
    Block(Block),
    Raise(String),
}

/// Steps, and handlers of named errors.
struct Block {
    steps: Vec<Step>,
    handlers: Vec<(Vec<String>, Vec<Step>)>,
}

/// The deepest nesting of blocks.
const DEPTH_MAX: usize = 16;

fn too_deep() -> SqlError {
    SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded")
}

/// The statements that a block may run unchanged.
const PLAIN: &[&str] = &[
    "alter", "comment", "create", "delete", "drop", "grant", "insert", "refresh", "revoke", "set",
    "truncate", "update",
];

/// The names of errors in handlers, with their codes.
const CONDITIONS: &[(&str, &str)] = &[
    ("check_violation", "23514"),
    ("dependent_objects_still_exist", "2BP01"),
    ("division_by_zero", "22012"),
    ("duplicate_alias", "42712"),
    ("duplicate_column", "42701"),
    ("duplicate_function", "42723"),
    ("duplicate_object", "42710"),
    ("duplicate_schema", "42P06"),
    ("duplicate_table", "42P07"),
    ("foreign_key_violation", "23503"),
    ("insufficient_privilege", "42501"),
    ("invalid_schema_name", "3F000"),
    ("invalid_table_definition", "42P16"),
    ("invalid_text_representation", "22P02"),
    ("not_null_violation", "23502"),
    ("raise_exception", "P0001"),
    ("syntax_error", "42601"),
    ("undefined_column", "42703"),
    ("undefined_function", "42883"),
    ("undefined_object", "42704"),
    ("undefined_table", "42P01"),
    ("unique_violation", "23505"),
];

impl Engine<'_> {
    /// Runs a `DO` statement.
    pub(super) fn do_block(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let body = tokens.iter().skip(1).find_map(|token| match &token.token {
            Token::DollarQuotedString(body) => Some(body.value.clone()),
            Token::SingleQuotedString(body) => Some(body.clone()),
            _ => None,
        });
        let body = body.ok_or_else(|| self.source.syntax_error_at_end(tokens))?;
        let language = tokens.iter().position(|token| is_word(token, "language")).map(|at| at + 1);
        if language.is_some_and(|at| !tokens.get(at).is_some_and(|token| is_word(token, "plpgsql"))) {
            return Err(SqlError::unsupported("a DO block in this language"));
        }
        if self.depth >= DEPTH_MAX {
            return Err(too_deep());
        }
        let source = Rc::new(Source::stored(&body));
        let tokens = source.tokens()?;
        let mut reader = Reader { source: &source, tokens: &tokens, at: 0, depth: 0 };
        let block = reader.block()?;
        let outer = std::mem::replace(&mut self.source, source.clone());
        self.depth += 1;
        let run = self.run_block(&block, &tokens);
        self.depth -= 1;
        self.source = outer;
        run.map_err(SqlError::nowhere)?;
        Ok(Done::command("DO"))
    }

    fn run_block(&mut self, block: &Block, tokens: &[TokenWithSpan]) -> Result<()> {
        if block.handlers.is_empty() {
            return self.run_steps(&block.steps, tokens);
        }
        self.execute("SAVEPOINT pg_block")?;
        let mark = self.mark();
        let Err(error) = self.run_steps(&block.steps, tokens) else {
            return self.execute("RELEASE pg_block");
        };
        let caught = |names: &Vec<String>| names.iter().any(|name| catches(name, &error));
        // Errors about missing features of this engine are not handled, because no program expects them.
        let handler = block.handlers.iter().find(|(names, _)| caught(names));
        let handler = handler.filter(|_| error.code != SqlState::FEATURE_NOT_SUPPORTED);
        let Some((_, steps)) = handler else { return Err(error) };
        self.execute("ROLLBACK TO pg_block; RELEASE pg_block")?;
        self.return_to(mark)?;
        self.catalog = Catalog::load(self.connection)?;
        self.run_steps(steps, tokens)
    }

    fn run_steps(&mut self, steps: &[Step], tokens: &[TokenWithSpan]) -> Result<()> {
        for step in steps {
            match step {
                Step::Sql(range) => drop(self.statement(&tokens[range.clone()])?),
                Step::Perform(range) => drop(self.answer_of(&tokens[range.clone()])?),
                Step::Execute(range) => {
                    let Some(Value::Text(text)) = self.answer_of(&tokens[range.clone()])? else {
                        let message = "query string argument of EXECUTE is null";
                        return Err(SqlError::new(SqlState::new("22004"), message));
                    };
                    let source = Rc::new(Source::stored(&text));
                    let outer = std::mem::replace(&mut self.source, source.clone());
                    let run = source.statements().and_then(|statements| {
                        statements.iter().try_for_each(|tokens| self.statement(tokens).map(drop))
                    });
                    self.source = outer;
                    run?;
                }
                Step::If(branches, otherwise) => {
                    let mut chosen = otherwise;
                    for (condition, steps) in branches {
                        if self.answer_of(&tokens[condition.clone()])? == Some(Value::Integer(1)) {
                            chosen = steps;
                            break;
                        }
                    }
                    self.run_steps(chosen, tokens)?;
                }
                Step::Block(block) => self.run_block(block, tokens)?,
                Step::Raise(message) => return Err(SqlError::new(SqlState::new("P0001"), message)),
            }
        }
        Ok(())
    }

    /// The first value of a `SELECT` whose keyword is left out.
    fn answer_of(&mut self, tokens: &[TokenWithSpan]) -> Result<Option<Value>> {
        let from = tokens.first().and_then(|token| self.source.offset(token.span.start));
        let to = tokens.last().and_then(|token| self.source.offset(token.span.end));
        let text = from.zip(to).and_then(|(from, to)| self.source.text.get(from..to)).unwrap_or("");
        let query = Source::stored(&format!("SELECT {text}")).query()?;
        let rows = self.rows_of(&query, Vec::new())?.rows;
        Ok(rows.into_iter().next().and_then(|row| row.into_iter().next()))
    }
}

fn catches(name: &str, error: &SqlError) -> bool {
    let canceled = error.code == SqlState::QUERY_CANCELED;
    (name == "others" && !canceled)
        || CONDITIONS.iter().any(|(known, code)| *known == name && *code == error.code.as_str())
}

/// Reads a block from its tokens.
struct Reader<'t> {
    source: &'t Source,
    tokens: &'t [TokenWithSpan],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn is(&self, word: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|token| is_word(token, word))
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> SqlError {
        match self.tokens.get(self.at) {
            Some(token) => self.source.syntax_error_at(token),
            None => self.source.syntax_error_at_end(self.tokens),
        }
    }

    /// `BEGIN … [EXCEPTION …] END`
    fn block(&mut self) -> Result<Block> {
        if self.is("declare") {
            return Err(SqlError::unsupported("a DO block with variables"));
        }
        self.expect("begin")?;
        let steps = self.steps()?;
        let mut handlers = Vec::new();
        if self.word("exception") {
            while self.word("when") {
                let mut names = vec![self.condition()?];
                while self.word("or") {
                    names.push(self.condition()?);
                }
                self.expect("then")?;
                handlers.push((names, self.steps()?));
            }
        }
        self.expect("end")?;
        self.end_of_step();
        Ok(Block { steps, handlers })
    }

    fn condition(&mut self) -> Result<String> {
        let Some(Token::Word(word)) = self.tokens.get(self.at).map(|token| &token.token) else {
            return Err(self.unexpected());
        };
        let name = word.value.to_lowercase();
        if name == "sqlstate" {
            return Err(SqlError::unsupported("a handler by SQLSTATE"));
        }
        if name != "others" && !CONDITIONS.iter().any(|(known, _)| *known == name) {
            return Err(SqlError::unsupported(format!("the condition {name}")));
        }
        self.at += 1;
        Ok(name)
    }

    fn steps(&mut self) -> Result<Vec<Step>> {
        if self.depth >= DEPTH_MAX {
            return Err(too_deep());
        }
        self.depth += 1;
        let mut steps = Vec::new();
        let ends = ["end", "exception", "elsif", "elseif", "else", "when"];
        while self.at < self.tokens.len() && !ends.iter().any(|word| self.is(word)) {
            steps.extend(self.step()?);
        }
        self.depth -= 1;
        Ok(steps)
    }

    /// Reads a step; `None` for a step without effect.
    fn step(&mut self) -> Result<Option<Step>> {
        if self.is("begin") {
            return self.block().map(Step::Block).map(Some);
        }
        if self.word("if") {
            return self.branches().map(Some);
        }
        if self.word("perform") {
            return Ok(Some(Step::Perform(self.until_end()?)));
        }
        if self.word("execute") {
            let range = self.until_end()?;
            let with_values = self.tokens[range.clone()]
                .iter()
                .any(|token| is_word(token, "using") || is_word(token, "into"));
            return if with_values {
                Err(SqlError::unsupported("EXECUTE with values"))
            } else {
                Ok(Some(Step::Execute(range)))
            };
        }
        if self.word("raise") {
            return self.raise();
        }
        if self.word("null") || self.word("return") {
            self.end_of_step();
            return Ok(None);
        }
        if PLAIN.iter().any(|word| self.is(word)) {
            return Ok(Some(Step::Sql(self.until_end()?)));
        }
        Err(SqlError::unsupported("this statement in a DO block"))
    }

    fn branches(&mut self) -> Result<Step> {
        let mut branches = Vec::new();
        loop {
            let condition = self.until_then()?;
            branches.push((condition, self.steps()?));
            if !self.word("elsif") && !self.word("elseif") {
                break;
            }
        }
        let otherwise = if self.word("else") { self.steps()? } else { Vec::new() };
        self.expect("end")?;
        self.expect("if")?;
        self.end_of_step();
        Ok(Step::If(branches, otherwise))
    }

    fn raise(&mut self) -> Result<Option<Step>> {
        let quiet = ["notice", "info", "warning", "log", "debug"].iter().any(|level| self.word(level));
        self.word("exception");
        let range = self.until_end()?;
        if quiet {
            return Ok(None);
        }
        match &self.tokens[range] {
            [TokenWithSpan { token: Token::SingleQuotedString(message), .. }] => {
                Ok(Some(Step::Raise(message.replace("%%", "%"))))
            }
            _ => Err(SqlError::unsupported("RAISE with values")),
        }
    }

    fn end_of_step(&mut self) {
        let semicolon = self.tokens.get(self.at).is_some_and(|token| token.token == Token::SemiColon);
        self.at += usize::from(semicolon);
    }

    /// Reads up to the next semicolon, and skips it.
    fn until_end(&mut self) -> Result<Range<usize>> {
        let length = self.tokens[self.at..].iter().position(|token| token.token == Token::SemiColon);
        let Some(length) = length else {
            let message = "unexpected end of function definition at end of input";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        };
        let range = self.at..self.at + length;
        self.at = range.end + 1;
        Ok(range)
    }

    /// Reads up to `THEN`, also past those of a `CASE`.
    fn until_then(&mut self) -> Result<Range<usize>> {
        let length = self.tokens[self.at..].iter().position(|token| is_word(token, "then"));
        let Some(length) = length else { return Err(self.source.syntax_error_at_end(self.tokens)) };
        let range = self.at..self.at + length;
        self.at = range.end + 1;
        Ok(range)
    }
}
