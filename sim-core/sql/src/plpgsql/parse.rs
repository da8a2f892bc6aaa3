//! Reads PL/pgSQL. Queries and expressions are found by their ends, as PostgreSQL does, and are not looked into.

mod declare;
mod loops;
mod raise;
mod steps;
mod text;

use std::cell::RefCell;
use std::rc::Rc;

use sqlparser::ast::Ident;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use self::text::{with_ranges_apart, without_options};
use super::conditions;
use super::tree::{Block, Body, Fragment, Kind, Raise, Target};
use crate::bind::Step as Part;
use crate::catalog::Routine;
use crate::error::{Result, SqlError, SqlState};
use crate::readable::written;
use crate::source::{self, Source, is_word};
use crate::types::Type;

pub(super) use self::text::placed;

/// The deepest nesting of blocks and loops.
const DEPTH_MAX: usize = 100;

/// Words that begin a statement of SQL.
pub(crate) const SQL: &[&str] = &[
    "abort",
    "alter",
    "analyze",
    "call",
    "checkpoint",
    "cluster",
    "comment",
    "copy",
    "create",
    "deallocate",
    "delete",
    "discard",
    "do",
    "drop",
    "explain",
    "grant",
    "import",
    "insert",
    "listen",
    "load",
    "lock",
    "merge",
    "notify",
    "prepare",
    "reassign",
    "refresh",
    "reindex",
    "release",
    "reset",
    "revoke",
    "savepoint",
    "security",
    "select",
    "set",
    "show",
    "start",
    "table",
    "truncate",
    "unlisten",
    "update",
    "vacuum",
    "values",
    "with",
];

/// Parses the body `text` of a function that knows the variables `known`.
pub(crate) fn parse(text: &str, known: Vec<String>, returning: Returning) -> Result<Body> {
    read(text, known, returning, None)
}

/// The same, and parses its queries and expressions too, as when a function is created.
pub(crate) fn parse_whole(text: &str, known: Vec<String>, returning: Returning) -> Result<Body> {
    let wrong = Wrong::default();
    let body = read(text, known, returning, Some(&wrong));
    // It is before what the reader stumbled at.
    wrong.into_inner().map_or(body, Err).map_err(|error| placed(text, error))
}

fn read(text: &str, known: Vec<String>, returning: Returning, wrong: Option<&Wrong>) -> Result<Body> {
    let (text, conflict) = without_options(text)?;
    let source = Rc::new(Source::sent(&with_ranges_apart(&text).0));
    let tokens = source.tokens()?;
    let mut reader = Reader {
        source: &source,
        tokens: &tokens,
        at: 0,
        depth: 0,
        scopes: vec![known],
        labels: Vec::new(),
        returning,
        natures: Vec::new(),
        wrong,
    };
    reader.scopes[0].extend(["found".to_owned(), "sqlstate".to_owned(), "sqlerrm".to_owned()]);
    match reader.whole() {
        Ok(block) => Ok(Body { source: source.clone(), block, conflict }),
        Err(error) if error.context.is_none() => Err(error.at(reader.place())),
        Err(error) => Err(error),
    }
}

/// A position in the tokens of a body, and the names that are known there.
struct Reader<'t> {
    source: &'t Source,
    tokens: &'t [TokenWithSpan],
    at: usize,
    depth: usize,
    scopes: Vec<Vec<String>>,
    labels: Vec<(String, bool)>,
    returning: Returning,
    /// The variables of the blocks around that are not plain ones, each with the place of its block among the scopes.
    natures: Vec<(usize, String, Nature)>,
    /// Where the first wrong query or expression is noted, if they are parsed.
    wrong: Option<&'t Wrong>,
}

/// What kind of variable a name stands for, where that decides what may be done with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nature {
    Constant,
    /// A record, or a row of a table.
    Row,
    /// A cursor with a query.
    Cursor,
    /// A value that names no cursor.
    Plain,
}

/// The error of the first query or expression that can't be parsed.
type Wrong = RefCell<Option<SqlError>>;

/// What a body can return, which decides about the forms of `RETURN`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Returning {
    set: bool,
    void: bool,
    procedure: bool,
    outputs: bool,
}

impl Returning {
    pub(crate) fn of(routine: &Routine) -> Returning {
        Returning {
            set: routine.returns_set,
            void: matches!(routine.returns, Type::VOID | Type::EVENT_TRIGGER),
            // A `DO` block counts as a function.
            procedure: routine.procedure && !routine.name.is_empty(),
            outputs: routine.arguments.iter().any(|argument| matches!(argument.mode, 'o' | 'b' | 't')),
        }
    }
}

fn syntax(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, message)
}

impl Reader<'_> {
    /// The block that is the whole body.
    fn whole(&mut self) -> Result<Block> {
        let label = self.label()?;
        if !self.is("declare") && !self.is("begin") {
            return Err(self.unexpected());
        }
        let block = self.block(label)?;
        self.token(&Token::SemiColon);
        if self.at < self.tokens.len() { Err(self.unexpected()) } else { Ok(block) }
    }

    /// Where the token at this position stands, to which errors point that say no other place.
    fn place(&self) -> Option<usize> {
        match self.tokens.get(self.at) {
            Some(token) => self.source.place(token.span.start),
            None => Some(self.source.text.len()),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|token| &token.token)
    }

    fn is(&self, word: &str) -> bool {
        self.is_at(0, word)
    }

    fn is_at(&self, ahead: usize, word: &str) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| is_word(token, word))
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.at += usize::from(found);
        found
    }

    fn words(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(ahead, word)| self.is_at(ahead, word));
        self.at += if found { words.len() } else { 0 };
        found
    }

    fn token(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn semicolon(&mut self) -> Result<()> {
        if self.token(&Token::SemiColon) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> SqlError {
        match self.tokens.get(self.at) {
            Some(token) => self.source.syntax_error_at(token),
            None => syntax("syntax error at end of input"),
        }
    }

    /// An error about the token at this position: `missing expression at or near ";"`.
    fn wrong(&self, message: &str) -> SqlError {
        let Some(token) = self.tokens.get(self.at) else {
            return syntax(format!("{message} at end of input"));
        };
        let (from, to) = (self.source.offset(token.span.start), self.source.offset(token.span.end));
        let text = from.zip(to).and_then(|(from, to)| self.source.text.get(from..to)).unwrap_or("");
        syntax(format!("{message} at or near \"{text}\""))
    }

    fn ident(&mut self) -> Result<String> {
        let Some(Token::Word(word)) = self.peek() else { return Err(self.unexpected()) };
        let name = name_of(word);
        self.at += 1;
        Ok(name)
    }

    fn path(&mut self) -> Result<Vec<String>> {
        if let Some(Token::Placeholder(number)) = self.peek() {
            let number = number.clone();
            self.at += 1;
            return Ok(vec![number]);
        }
        let mut names = vec![self.ident()?];
        while self.token(&Token::Period) {
            names.push(self.ident()?);
        }
        Ok(names)
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded"));
        }
        Ok(())
    }

    fn knows(&self, names: &[String]) -> bool {
        let known = |name: &String| self.scopes.iter().any(|scope| scope.contains(name));
        names.first().is_some_and(known)
            || names.len() > 1 && self.labels.iter().any(|(label, _)| *label == names[0])
    }

    /// `<<label>>`
    fn label(&mut self) -> Result<Option<String>> {
        if !self.token(&Token::ShiftLeft) {
            return Ok(None);
        }
        let label = self.ident()?;
        if self.token(&Token::ShiftRight) { Ok(Some(label)) } else { Err(self.unexpected()) }
    }

    /// The label after the `END` of a block or loop, which must be its own.
    fn end_label(&mut self, label: Option<&str>) -> Result<()> {
        if self.peek() == Some(&Token::SemiColon) || self.at >= self.tokens.len() {
            return Ok(());
        }
        let Some(Token::Word(_)) = self.peek() else { return Ok(()) };
        if RESERVED.iter().any(|word| self.is(word)) {
            return Err(self.unexpected());
        }
        let found = self.ident()?;
        match label {
            Some(label) if label == found => Ok(()),
            Some(label) => {
                let message = format!("end label \"{found}\" differs from block's label \"{label}\"");
                self.back(Err(syntax(message)))
            }
            None => self.back(Err(syntax(format!("end label \"{found}\" specified for unlabeled block")))),
        }
    }

    /// The same result, one word before.
    fn back<T>(&mut self, result: Result<T>) -> Result<T> {
        self.at -= 1;
        result
    }

    /// Whether the innermost variable of a name is of a nature.
    fn is_a(&self, names: &[String], nature: Nature) -> bool {
        let [name] = names else { return false };
        let Some(place) = self.scopes.iter().rposition(|scope| scope.contains(name)) else { return false };
        self.natures.iter().any(|(scope, known, is)| *scope == place && known == name && *is == nature)
    }

    /// A variable to assign to.
    fn target(&mut self) -> Result<Target> {
        let from = self.at;
        let names = self.path()?;
        if !self.knows(&names) {
            self.at = from;
            return Err(syntax(format!("\"{}\" is not a known variable", names.join("."))));
        }
        if self.is_a(&names, Nature::Constant) {
            self.at = from;
            let message = format!("variable \"{}\" is declared CONSTANT", names[0]);
            return Err(SqlError::new(SqlState::new("22005"), message));
        }
        Ok(Target { names })
    }

    /// The elements and fields between the name of a variable to assign to and the sign of the assignment.
    fn parts(&mut self) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        loop {
            if self.token(&Token::LBracket) {
                parts.push(Part::Subscript(self.subscript()?));
            } else if !parts.is_empty() && self.token(&Token::Period) {
                parts.push(Part::Field(self.ident()?));
            } else {
                return Ok(parts);
            }
        }
    }

    /// The text up to the bracket that closes a subscript.
    fn subscript(&mut self) -> Result<String> {
        let mut depth = 0_usize;
        let mut texts = Vec::new();
        while let Some(token) = self.tokens.get(self.at) {
            match token.token {
                Token::LBracket => depth += 1,
                Token::RBracket if depth == 0 => {
                    self.at += 1;
                    return Ok(texts.join(" "));
                }
                Token::RBracket => depth -= 1,
                Token::SemiColon => break,
                _ => {}
            }
            texts.push(written(token));
            self.at += 1;
        }
        Err(self.unexpected())
    }

    fn targets(&mut self) -> Result<Vec<Target>> {
        let first = self.target()?;
        let others = self.other_targets(&first.names)?;
        let targets = std::iter::once(first).chain(others).collect();
        // Only an assignment sets elements.
        if self.peek() == Some(&Token::LBracket) {
            return Err(self.unexpected());
        }
        Ok(targets)
    }

    /// The variables after the first one of a list, of which none takes a whole row.
    fn other_targets(&mut self, first: &[String]) -> Result<Vec<Target>> {
        let mut others = Vec::new();
        if self.peek() == Some(&Token::Comma) && self.is_a(first, Nature::Row) {
            return Err(syntax("record variable cannot be part of multiple-item INTO list"));
        }
        while self.token(&Token::Comma) {
            let target = self.target()?;
            if self.is_a(&target.names, Nature::Row) {
                return Err(syntax(format!("\"{}\" is not a scalar variable", target.names[0])));
            }
            others.push(target);
        }
        Ok(others)
    }

    /// Tokens as an expression.
    fn selected(&self, from: usize, to: usize) -> Fragment {
        let mut tokens = vec![keyword("SELECT", Keyword::SELECT)];
        tokens.extend_from_slice(&self.tokens[from..to]);
        self.check(&tokens);
        Fragment { at: from, tokens, kind: Kind::Expression }
    }

    /// Tokens as a statement.
    fn statement(&self, from: usize, to: usize) -> Fragment {
        let tokens = self.tokens[from..to].to_vec();
        self.check(&tokens);
        Fragment { at: from, tokens, kind: Kind::Statement }
    }

    /// Notes the error of a query or expression that PostgreSQL can't parse. What only this engine can't read is refused when it
    /// runs.
    fn check(&self, tokens: &[TokenWithSpan]) {
        let Some(wrong) = self.wrong.filter(|wrong| wrong.borrow().is_none() && tokens.len() > 1) else {
            return;
        };
        let error = crate::run::check_syntax(self.source, tokens).err();
        let error = error.filter(|error| error.code == SqlState::SYNTAX_ERROR);
        // A semicolon at the end is the body's.
        let Some(error) = error else { return };
        let end = tokens.last().and_then(|token| self.source.place(token.span.end));
        let stumbled = |token: &&TokenWithSpan| self.source.place(token.span.start) == error.position;
        wrong.replace(match &tokens[tokens.iter().position(|token| stumbled(&token)).unwrap_or(0)..] {
            _ if error.message.ends_with("\";\"") => Some(syntax("syntax error at end of input").at(end)),
            _ if is_word(&tokens[1], "select") && tokens[0].span == Span::empty() => {
                Some(self.source.syntax_error_at(&tokens[1]))
            }
            // An `end` after an expression is read as the name of its column.
            [word] if is_word(word, "end") => None,
            [word, next, ..] if is_word(word, "end") => Some(self.source.syntax_error_at(next)),
            _ => Some(error.at(end)),
        });
    }

    /// The line of the function's text at this position.
    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(1, |token| token.span.start.line as usize)
    }

    /// Reads an expression up to a semicolon or one of `ends`, and skips that. Also returns which it was.
    fn expression(&mut self, ends: &[&'static str]) -> Result<(Fragment, &'static str)> {
        let (from, to, end) = self.until(ends)?;
        if from == to {
            self.at = to;
            return Err(self.wrong("missing expression"));
        }
        let words = |word: &str| self.tokens[from..to].iter().filter(|token| is_word(token, word)).count();
        // An `end` that is not there: the expression ended at a word of its own `case`.
        if words("case") > words("end") {
            return Err(syntax("syntax error at end of input"));
        }
        Ok((self.selected(from, to), end))
    }

    /// Expressions separated by commas.
    fn expressions(&mut self, ends: &[&'static str]) -> Result<(Vec<Fragment>, &'static str)> {
        let mut all = Vec::new();
        loop {
            let mut with_comma = vec![","];
            with_comma.extend_from_slice(ends);
            let (expression, end) = self.expression(&with_comma)?;
            all.push(expression);
            if end != "," {
                return Ok((all, end));
            }
        }
    }

    /// Looks for a semicolon or one of `ends` outside brackets, and skips it.
    fn until(&mut self, ends: &[&'static str]) -> Result<(usize, usize, &'static str)> {
        let from = self.at;
        let mut depth = 0_usize;
        while let Some(token) = self.tokens.get(self.at) {
            match &token.token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket => {
                    if depth == 0 {
                        if token.token == Token::RParen && ends.contains(&")") {
                            self.at += 1;
                            return Ok((from, self.at - 1, ")"));
                        }
                        return Err(self.wrong("mismatched parentheses"));
                    }
                    depth -= 1;
                }
                Token::SemiColon if depth > 0 => return Err(self.wrong("mismatched parentheses")),
                Token::SemiColon => {
                    let to = self.at;
                    // The caller goes on after the semicolon only if it may end the expression.
                    if ends.is_empty() || ends.contains(&";") || ends.iter().all(|end| OPTIONAL.contains(end))
                    {
                        self.at += 1;
                        return Ok((from, to, ";"));
                    }
                    let missing = ends.last().copied().unwrap_or(";");
                    return Err(syntax(format!(
                        "missing \"{}\" at end of SQL expression",
                        missing.to_uppercase()
                    )));
                }
                Token::Comma if depth == 0 && ends.contains(&",") => {
                    self.at += 1;
                    return Ok((from, self.at - 1, ","));
                }
                Token::Period
                    if depth == 0
                        && ends.contains(&"..")
                        && self.tokens.get(self.at + 1).is_some_and(|next| next.token == Token::Period) =>
                {
                    self.at += 2;
                    return Ok((from, self.at - 2, ".."));
                }
                Token::Word(_) if depth == 0 => {
                    if let Some(end) = ends.iter().find(|end| is_word(token, end)) {
                        self.at += 1;
                        return Ok((from, self.at - 1, end));
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        Err(syntax("syntax error at end of input"))
    }

    fn statement_until_semicolon(&mut self) -> Result<Fragment> {
        let (from, to, _) = self.until(&[])?;
        if from == to {
            self.at = to;
            return Err(self.wrong("missing SQL statement"));
        }
        Ok(self.statement(from, to))
    }
}

/// Words of the language that are no names.
const RESERVED: [&str; 24] = [
    "all", "begin", "by", "case", "declare", "else", "end", "execute", "for", "foreach", "from", "if", "in",
    "into", "loop", "not", "null", "or", "strict", "then", "to", "using", "when", "while",
];

/// The ends of expressions in whose place there may be a semicolon.
const OPTIONAL: [&str; 3] = ["using", "into", ","];

fn keyword(text: &str, keyword: Keyword) -> TokenWithSpan {
    let word = Word { value: text.to_owned(), quote_style: None, keyword };
    TokenWithSpan { token: Token::Word(word), span: Span::empty() }
}

/// The name that a word stands for.
pub(super) fn name_of(word: &Word) -> String {
    source::name(&Ident { value: word.value.clone(), quote_style: word.quote_style, span: Span::empty() })
}

fn is_state(text: &str) -> bool {
    text.len() == 5 && text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}

fn known_states(name: &str) -> Result<Vec<&'static str>> {
    let states = conditions::states(name);
    if states.is_empty() {
        let message = format!("unrecognized exception condition \"{name}\"");
        return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
    }
    Ok(states)
}

/// An error that PostgreSQL reports by a line.
fn near(line: usize, error: SqlError) -> SqlError {
    error.inside(&format!("near line {line}"))
}

/// Fails unless `RAISE` has as many values as its format has places for them.
fn check_format(raise: &Raise) -> Result<()> {
    let format = raise.format.as_deref().unwrap_or("");
    let places = format.replace("%%", "").matches('%').count();
    match places.cmp(&raise.arguments.len()) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(syntax("too few parameters specified for RAISE")),
        std::cmp::Ordering::Less => Err(syntax("too many parameters specified for RAISE")),
    }
}
