//! Reads definitions word by word, because PostgreSQL's grammar of definitions is larger than the parser's.

use std::rc::Rc;

use sqlparser::ast;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::error::{Result, SqlError};
use crate::source::{self, Source, is_word};

/// Words that are names of functions and types, and of nothing else unless they are quoted.
const OF_FUNCTIONS: &[&str] = &[
    "authorization",
    "binary",
    "collation",
    "concurrently",
    "cross",
    "current_schema",
    "freeze",
    "full",
    "ilike",
    "inner",
    "is",
    "isnull",
    "join",
    "left",
    "like",
    "natural",
    "notnull",
    "outer",
    "overlaps",
    "right",
    "similar",
    "tablesample",
    "verbose",
];

/// A position in the tokens of a statement.
pub(super) struct Cursor<'t> {
    pub(super) source: Rc<Source>,
    pub(super) tokens: &'t [TokenWithSpan],
    pub(super) at: usize,
    /// Whether the statement creates something temporary.
    pub(super) temporary: bool,
    /// Whether the statement creates something that is not logged.
    pub(super) unlogged: bool,
}

/// An expression and its text in the statement.
pub(super) struct Written {
    pub(super) expr: Box<ast::Expr>,
    pub(super) text: String,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(source: Rc<Source>, tokens: &'t [TokenWithSpan]) -> Cursor<'t> {
        Cursor { source, tokens, at: 0, temporary: false, unlogged: false }
    }

    pub(super) fn peek(&self) -> Option<&'t TokenWithSpan> {
        self.tokens.get(self.at)
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The error for an unexpected token at this position.
    pub(super) fn unexpected(&self) -> SqlError {
        match self.peek() {
            Some(token) => self.source.syntax_error_at(token),
            None => self.source.syntax_error_at_end(self.tokens),
        }
    }

    /// Fails unless everything has been read.
    pub(super) fn finish(&self) -> Result<()> {
        if self.is_end() { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.peek().is_some_and(|token| is_word(token, word))
    }

    pub(super) fn is_at(&self, ahead: usize, word: &str) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| is_word(token, word))
    }

    /// Skips a word if it is at this position, and returns whether it was.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.at += usize::from(found);
        found
    }

    /// Skips several words if they are all at this position.
    pub(super) fn words(&mut self, words: &str) -> bool {
        let found = words.split(' ').enumerate().all(|(ahead, word)| self.is_at(ahead, word));
        self.at += if found { words.split(' ').count() } else { 0 };
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn token(&mut self, token: &Token) -> bool {
        let found = self.peek().is_some_and(|next| next.token == *token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, token: &Token) -> Result<()> {
        if self.token(token) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// A name.
    pub(super) fn ident(&mut self) -> Result<String> {
        match self.peek().map(|token| &token.token) {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(source::name(&ast::Ident {
                    value: word.value.clone(),
                    quote_style: word.quote_style,
                    span: sqlparser::tokenizer::Span::empty(),
                }))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// A name, which is no reserved word unless it is quoted.
    pub(super) fn new_name(&mut self) -> Result<String> {
        let reserved = self.peek().is_some_and(|token| match &token.token {
            Token::Word(word) if word.quote_style.is_none() => {
                source::is_reserved_word(&word.value.to_ascii_lowercase())
            }
            _ => false,
        });
        if reserved { Err(self.unexpected()) } else { self.ident() }
    }

    /// The name of a column, which is no name of a function that is a word of the grammar either.
    pub(super) fn column_name(&mut self) -> Result<String> {
        if OF_FUNCTIONS.iter().any(|word| self.is(word)) { Err(self.unexpected()) } else { self.new_name() }
    }

    /// A name, with an optional schema. After a schema any word is a name.
    pub(super) fn name(&mut self) -> Result<(Option<String>, String)> {
        let mut parts = vec![self.new_name()?];
        while self.token(&Token::Period) {
            parts.push(self.ident()?);
        }
        let name = parts.pop().unwrap_or_default();
        Ok((parts.pop(), name))
    }

    /// Names in brackets.
    pub(super) fn names(&mut self) -> Result<Vec<String>> {
        self.expect(&Token::LParen)?;
        let names = self.list(Cursor::column_name)?;
        self.expect(&Token::RParen)?;
        Ok(names)
    }

    /// Items separated by commas.
    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.token(&Token::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A text literal, with any kind of quotes.
    pub(super) fn string(&mut self) -> Result<String> {
        let text = match self.peek().map(|token| &token.token) {
            Some(Token::SingleQuotedString(text) | Token::EscapedStringLiteral(text)) => text.clone(),
            Some(Token::DollarQuotedString(text)) => text.value.clone(),
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(text)
    }

    /// An argument of a trigger: a text, or a number or word that stands for one.
    pub(super) fn trigger_argument(&mut self) -> Result<String> {
        match self.peek().map(|token| &token.token) {
            Some(Token::Number(number, _)) => {
                self.at += 1;
                Ok(number.clone())
            }
            Some(Token::Word(_)) => self.ident(),
            _ => self.string(),
        }
    }

    /// An integer, which may be negative.
    pub(super) fn integer(&mut self) -> Result<i64> {
        let negative = self.token(&Token::Minus);
        let number = match self.peek().map(|token| &token.token) {
            Some(Token::Number(number, _)) => {
                format!("{}{number}", if negative { "-" } else { "" }).parse().ok()
            }
            _ => None,
        };
        let number = number.ok_or_else(|| self.unexpected())?;
        self.at += 1;
        Ok(number)
    }

    /// The text from one token up to another.
    pub(super) fn text(&self, from: usize, to: usize) -> String {
        let tokens = &self.tokens[from..to.min(self.tokens.len())];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
        let start = self.source.offset(first.span.start).unwrap_or(0);
        let end = self.source.offset(last.span.end).unwrap_or(self.source.text.len());
        self.source.text[start..end].to_owned()
    }

    /// The tokens up to the comma or closing bracket after which no expression or type that begins here goes on, and this one.
    /// The parser copies what it is given, so all tokens of a statement would be copied for each of its columns.
    fn item(&self) -> &'t [TokenWithSpan] {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let mut depth = 0_usize;
        let end = rest.iter().position(|token| {
            match &token.token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth > 0 => depth -= 1,
                Token::RParen | Token::RBracket => return true,
                Token::Comma => return depth == 0,
                _ => {}
            }
            false
        });
        &rest[..end.map_or(rest.len(), |end| end + 1)]
    }

    /// An expression.
    pub(super) fn expr(&mut self) -> Result<Written> {
        let from = self.at;
        let (expr, used) = self.source.parse_prefix(self.item(), Parser::parse_expr)?;
        self.at += used;
        Ok(Written { expr: Box::new(expr), text: self.text(from, self.at) })
    }

    /// The expression of a default. It ends where the column's next constraint begins.
    pub(super) fn default_expr(&mut self) -> Result<Written> {
        let from = self.at;
        let ends = [
            "null",
            "constraint",
            "primary",
            "unique",
            "references",
            "check",
            "default",
            "generated",
            "collate",
        ];
        let mut depth = 0;
        let mut to = from;
        while let Some(token) = self.tokens.get(to) {
            match &token.token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth == 0 => break,
                Token::RParen | Token::RBracket => depth -= 1,
                Token::Comma if depth == 0 => break,
                Token::Word(_) if depth == 0 && to > from => {
                    let not_null = is_word(token, "not")
                        && self.tokens.get(to + 1).is_some_and(|next| is_word(next, "null"));
                    if not_null || ends.iter().any(|word| is_word(token, word)) {
                        break;
                    }
                }
                _ => {}
            }
            to += 1;
        }
        let expr = self.source.parse(&self.tokens[from..to], Parser::parse_expr)?;
        self.at = to;
        Ok(Written { expr: Box::new(expr), text: self.text(from, to) })
    }

    /// An expression in brackets.
    pub(super) fn bracketed(&mut self) -> Result<Written> {
        self.expect(&Token::LParen)?;
        let written = self.expr()?;
        self.expect(&Token::RParen)?;
        Ok(written)
    }

    /// A type.
    pub(super) fn data_type(&mut self) -> Result<ast::DataType> {
        let (mut data_type, used) = self.source.parse_prefix(self.item(), Parser::parse_data_type)?;
        self.at += used;
        if self.word("array") {
            data_type = ast::DataType::Array(ast::ArrayElemTypeDef::SquareBracket(Box::new(data_type), None));
        }
        Ok(data_type)
    }

    /// Everything up to the end.
    pub(super) fn rest(&mut self) -> &'t [TokenWithSpan] {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        self.at = self.tokens.len();
        rest
    }

    /// Skips brackets and everything in them.
    pub(super) fn skip_brackets(&mut self) -> Result<()> {
        self.expect(&Token::LParen)?;
        let mut depth = 1;
        while depth > 0 {
            match self.peek().map(|token| &token.token) {
                Some(Token::LParen) => depth += 1,
                Some(Token::RParen) => depth -= 1,
                None => return Err(self.unexpected()),
                Some(_) => {}
            }
            self.at += 1;
        }
        Ok(())
    }
}
