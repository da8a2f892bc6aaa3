//! Statements by name, and statements that stand for others: `PREPARE`, `EXECUTE`, `DEALLOCATE`, `SELECT INTO`; `COPY` is refused.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::cursor::Cursor;
use crate::catalog::Catalog;
use crate::client::Placeholders;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{Source, is_word};
use crate::tree::Output;
use crate::types::Modified;

/// A statement that `PREPARE` has named.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    source: Rc<Source>,
    tokens: Vec<TokenWithSpan>,
    /// The declared types of its parameters.
    types: Vec<Vec<TokenWithSpan>>,
    parameters: usize,
    /// The types of its parameters, once somebody has asked for them.
    shown_types: Vec<u32>,
    /// The columns of its rows, and the catalog to which these belong; none if it has no rows or they are not known.
    shape: Option<Shape>,
    bound_to: Option<Arc<Catalog>>,
}

/// The names and types of columns.
pub(crate) type Shape = Vec<(String, Modified)>;

impl Prepared {
    fn reads(&self) -> bool {
        !["insert", "update", "delete", "merge"].iter().any(|word| is_word(&self.tokens[0], word))
    }

    /// The text that has prepared it.
    pub(crate) fn text(&self) -> &str {
        &self.source.text
    }

    pub(crate) fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()
    }
}

impl Engine<'_> {
    /// `PREPARE`, after that word.
    pub(super) fn prepare(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let (name, mut prepared) = self.named_statement(cursor)?;
        let unplaced =
            |number: &usize| !prepared.tokens.iter().any(|token| parameter(token) == Some(*number));
        if let Some(number) = (prepared.types.len() + 1..=prepared.parameters).find(unplaced) {
            let message = format!("could not determine data type of parameter ${number}");
            return Err(SqlError::new(SqlState::new("42P18"), message));
        }
        prepared.shape = self.shape_of(&prepared)?;
        prepared.bound_to = Some(self.catalog.clone());
        Rc::make_mut(&mut self.prepared).insert(name, prepared);
        Ok(Done::command("PREPARE"))
    }

    /// Takes up a statement that an earlier call has prepared, after `PREPARE`.
    pub(crate) fn prepare_unchecked(
        &mut self,
        tokens: &[TokenWithSpan],
        shape: Option<&Shape>,
    ) -> Result<()> {
        let mut cursor = Cursor::new(self.source.clone(), tokens);
        cursor.expect_word("prepare")?;
        let (name, prepared) = self.named_statement(&mut cursor)?;
        Rc::make_mut(&mut self.prepared).insert(name, Prepared { shape: shape.cloned(), ..prepared });
        Ok(())
    }

    fn named_statement(&mut self, cursor: &mut Cursor<'_>) -> Result<(String, Prepared)> {
        if cursor.is("transaction") && !cursor.is_at(1, "as") {
            return Err(SqlError::unsupported("PREPARE TRANSACTION"));
        }
        let name = cursor.ident()?;
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let types = if bracket { lists(cursor)? } else { Vec::new() };
        cursor.expect_word("as")?;
        let reads = ["select", "values", "with", "table"].iter().any(|word| cursor.is(word));
        let changes = ["insert", "update", "delete", "merge"].iter().any(|word| cursor.is(word));
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        if !reads && !changes && !bracket {
            return Err(cursor.unexpected());
        }
        let tokens = cursor.rest().to_vec();
        if self.prepared.contains_key(&name) {
            let message = format!("prepared statement \"{name}\" already exists");
            return Err(SqlError::new(SqlState::new("42P05"), message));
        }
        let used = tokens.iter().filter_map(parameter).max().unwrap_or(0);
        let (source, parameters) = (self.source.clone(), used.max(types.len()));
        let (shown_types, shape, bound_to) = (Vec::new(), None, None);
        Ok((name, Prepared { source, tokens, types, parameters, shown_types, shape, bound_to }))
    }

    /// The columns of a statement's rows, found without running it.
    fn shape_of(&mut self, prepared: &Prepared) -> Result<Option<Shape>> {
        if self.describes() || prepared.tokens.iter().any(|token| is_word(token, "into")) && prepared.reads()
        {
            return Ok(None);
        }
        let (described, _) = self.described(prepared);
        match described {
            Ok(Done { returned, .. }) => {
                let column = |column: Output| (column.name, column.type_);
                Ok(returned.map(|returned| returned.columns.into_iter().map(column).collect()))
            }
            // With the values themselves it may be known.
            Err(error) if error.code == SqlState::FEATURE_NOT_SUPPORTED => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Binds a statement without values for its parameters. Also returns their types.
    fn described(&mut self, prepared: &Prepared) -> (Result<Done>, Vec<u32>) {
        let outside = (self.source.clone(), self.placeholders.take(), std::mem::take(&mut self.parameters));
        let frame = self.frame.take();
        self.source = prepared.source.clone();
        let declared = prepared.types.iter().map(|tokens| {
            let parsed = self.source.parse(tokens, Parser::parse_data_type)?;
            Ok(self.binder().data_type(&parsed)?.base.0)
        });
        let declared: Result<Vec<u32>> = declared.collect();
        let types = declared.as_deref().unwrap_or_default();
        let asked = Placeholders::asked(&self.catalog, types, prepared.parameters);
        self.placeholders = Some(asked.clone());
        self.parameters = vec![None; prepared.parameters];
        let done = declared.and_then(|_| self.statement(&prepared.tokens));
        (self.source, self.placeholders, self.parameters) = outside;
        self.frame = frame;
        (done, asked.types())
    }

    /// Refuses a statement whose rows have got other columns since it was prepared.
    fn require_shape(&mut self, prepared: &Prepared) -> Result<()> {
        let same = prepared.bound_to.as_ref().is_some_and(|bound| Arc::ptr_eq(bound, &self.catalog));
        if same || prepared.shape.is_none() || self.describes() {
            return Ok(());
        }
        let shape = self.shape_of(prepared)?;
        if shape.is_some() && shape != prepared.shape {
            let message = "cached plan must not change result type";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        Ok(())
    }

    /// `EXECUTE`, after that word.
    pub(super) fn execute_prepared(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let (source, tokens) = self.prepared_statement(cursor)?;
        self.budget.work(tokens.len())?;
        let outer = std::mem::replace(&mut self.source, source);
        let done = self.statement(&tokens);
        self.source = outer;
        done
    }

    /// The statement that an `EXECUTE` runs, after that word, with its text.
    pub(super) fn prepared_statement(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Rc<Source>, Vec<TokenWithSpan>)> {
        let name = cursor.ident()?;
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let values = if bracket { lists(cursor)? } else { Vec::new() };
        cursor.finish()?;
        let known = self.prepared.clone();
        let prepared = known.get(&name).ok_or_else(|| unknown(&name))?;
        if values.len() != prepared.parameters && prepared.parameters > 0 {
            let message = format!("wrong number of parameters for prepared statement \"{name}\"");
            let detail = format!("Expected {} parameters but got {}.", prepared.parameters, values.len());
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).detail(detail));
        }
        self.require_shape(prepared)?;
        let mut tokens = Vec::with_capacity(prepared.tokens.len());
        for token in &prepared.tokens {
            match parameter(token).and_then(|at| Some((values.get(at - 1)?, prepared.types.get(at - 1)))) {
                Some((value, type_)) => put(&mut tokens, value, type_),
                None => tokens.push(token.clone()),
            }
        }
        Ok((prepared.source.clone(), tokens))
    }

    /// Finds out the types of the parameters of all prepared statements: the declared ones, or those that follow from their places.
    pub(crate) fn type_prepared(&mut self) {
        let known = self.prepared.clone();
        for (name, prepared) in &*known {
            // One that can't be bound any more has the types that are known.
            let (_, types) = self.described(prepared);
            if let Some(prepared) = Rc::make_mut(&mut self.prepared).get_mut(name) {
                prepared.shown_types = types;
            }
        }
    }

    /// The rows of `pg_prepared_statements`.
    pub(crate) fn prepared_view(&self) -> Vec<Vec<Json>> {
        let row = |(name, prepared): (&String, &Prepared)| {
            vec![json!(name), json!(prepared.text()), json!(json!(prepared.shown_types).to_string())]
        };
        self.prepared.iter().map(row).collect()
    }

    /// `DEALLOCATE`, after that word.
    pub(super) fn deallocate(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.word("prepare");
        if cursor.word("all") {
            cursor.finish()?;
            self.prepared = Rc::default();
            return Ok(Done::command("DEALLOCATE ALL"));
        }
        let name = cursor.ident()?;
        cursor.finish()?;
        Rc::make_mut(&mut self.prepared)
            .remove(&name)
            .map(|_| Done::command("DEALLOCATE"))
            .ok_or_else(|| unknown(&name))
    }
}

/// Whether a statement reads the view of prepared statements.
pub(crate) fn shows_prepared(tokens: &[TokenWithSpan]) -> bool {
    const NAMES: [&str; 2] = ["pg_prepared_statements", "pg_prepared_statement"];
    tokens.iter().any(|token| NAMES.iter().any(|name| is_word(token, name)))
}

/// The reason why `COPY` of the caller's own rows is refused: a call has no stream of rows.
pub(super) fn no_copy(cursor: &Cursor<'_>) -> SqlError {
    let (what, hint) = match cursor.tokens.iter().any(|token| is_word(token, "stdin")) {
        true => ("COPY FROM STDIN", "A call has no stream of rows. Insert the rows with INSERT."),
        false => ("COPY TO STDOUT", "A call has no stream of rows. Read the rows with SELECT."),
    };
    SqlError::unsupported(what).hint(hint)
}

/// `SELECT … INTO table` as `CREATE TABLE table AS SELECT …`.
pub(crate) fn into_table(tokens: &[TokenWithSpan]) -> Option<Vec<TokenWithSpan>> {
    let mut depth = 0_usize;
    let mut found = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if ["insert", "update", "delete", "merge", "values"]
                .iter()
                .any(|word| is_word(token, word)) =>
            {
                return None;
            }
            _ if is_word(token, "into") => {
                found = Some(at);
                break;
            }
            _ => {}
        }
    }
    let into = found?;
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
    let mut at = into + 1;
    let mut table = vec![word("create")];
    if ["temp", "temporary", "unlogged"].iter().any(|kind| is(at, kind)) {
        table.push(tokens[at].clone());
        at += 1;
    }
    at += usize::from(is(at, "table"));
    table.push(word("table"));
    let from = at;
    at += 1;
    while tokens.get(at).is_some_and(|token| token.token == Token::Period) {
        at += 2;
    }
    table.extend_from_slice(tokens.get(from..at)?);
    table.push(word("as"));
    table.extend_from_slice(&tokens[..into]);
    table.extend_from_slice(&tokens[at..]);
    Some(table)
}

/// The tokens of each item of a list in brackets.
fn lists(cursor: &mut Cursor<'_>) -> Result<Vec<Vec<TokenWithSpan>>> {
    let from = cursor.at + 1;
    cursor.skip_brackets()?;
    let mut depth = 0_usize;
    let mut items = vec![Vec::new()];
    for token in &cursor.tokens[from..cursor.at - 1] {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            Token::Comma if depth == 0 => {
                items.push(Vec::new());
                continue;
            }
            _ => {}
        }
        let last = items.len() - 1;
        items[last].push(token.clone());
    }
    if items.iter().any(Vec::is_empty) {
        return Err(cursor.source.syntax_error_at(&cursor.tokens[cursor.at - 1]));
    }
    Ok(items)
}

/// The number of a parameter.
pub(crate) fn parameter(token: &TokenWithSpan) -> Option<usize> {
    let Token::Placeholder(text) = &token.token else { return None };
    text.strip_prefix('$')?.parse().ok().filter(|number| (1..=PARAMETERS_MAX).contains(number))
}

/// How many parameters a statement has at most: the protocol counts them in 16 bits. One with a higher number does not exist, and
/// nothing is kept for those below it.
const PARAMETERS_MAX: usize = 65_535;

/// Writes the value of a parameter. One without a declared type takes its type from its place, like an untyped literal.
fn put(tokens: &mut Vec<TokenWithSpan>, value: &[TokenWithSpan], type_: Option<&Vec<TokenWithSpan>>) {
    let symbol = |token: Token| TokenWithSpan { token, span: Span::empty() };
    match (value, type_) {
        (_, Some(type_)) => {
            tokens.extend([word("cast"), symbol(Token::LParen)]);
            tokens.extend_from_slice(value);
            tokens.push(word("as"));
            tokens.extend_from_slice(type_);
            tokens.push(symbol(Token::RParen));
        }
        ([TokenWithSpan { token: Token::Number(text, _), span }], None) => {
            tokens.push(TokenWithSpan { token: Token::SingleQuotedString(text.clone()), span: *span });
        }
        ([only], None) if is_word(only, "true") || is_word(only, "false") => {
            tokens.push(TokenWithSpan {
                token: Token::SingleQuotedString(only.token.to_string()),
                span: only.span,
            });
        }
        _ => {
            tokens.push(symbol(Token::LParen));
            tokens.extend_from_slice(value);
            tokens.push(symbol(Token::RParen));
        }
    }
}

fn word(text: &str) -> TokenWithSpan {
    TokenWithSpan { token: Token::make_word(text, None), span: Span::empty() }
}

fn unknown(name: &str) -> SqlError {
    SqlError::new(SqlState::new("26000"), format!("prepared statement \"{name}\" does not exist"))
}
