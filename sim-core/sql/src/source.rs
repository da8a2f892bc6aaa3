//! The text of a call and its statements.

mod chains;
mod parser;
mod places;

use sqlparser::ast::{self, Ident, ObjectName, ObjectNamePart};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::error::{Result, SqlError, SqlState};
use super::foreign;
pub(crate) use super::functions::NAME_MAX;
pub(crate) use super::functions::escapes::zero_byte;
use super::unicode::Gap;
pub(crate) use chains::{CHAIN_MAX, Chain};
pub(crate) use parser::with_parser;

/// The deepest nesting of queries and expressions.
pub(crate) const DEPTH_MAX: usize = 150;

/// A text, and the beginnings of its lines.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) text: String,
    /// The number of the first character of each line.
    lines: Vec<usize>,
    /// The byte at which each character begins; empty if every character is one byte.
    characters: Vec<usize>,
    /// Whether errors contain their place. They do not for texts from the catalog.
    places: bool,
}

impl Source {
    /// A text from a client.
    pub(crate) fn sent(text: &str) -> Source {
        let starts = text.chars().enumerate().filter(|(_, c)| *c == '\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let bytes = text.char_indices().map(|(at, _)| at);
        let characters = if text.is_ascii() { Vec::new() } else { bytes.collect() };
        Source { text: text.to_owned(), lines, characters, places: true }
    }

    /// A text from the catalog.
    pub(crate) fn stored(text: &str) -> Source {
        Source { places: false, ..Source::sent(text) }
    }

    /// The text of tokens in a row.
    pub(crate) fn text_of(&self, tokens: &[TokenWithSpan]) -> String {
        let from = tokens.first().and_then(|token| self.offset(token.span.start)).unwrap_or(0);
        let to = tokens.last().and_then(|token| self.offset(token.span.end)).unwrap_or(0);
        self.text.get(from..to).unwrap_or_default().to_owned()
    }

    /// The most tokens that the text may have. A text in single quotes is one.
    pub(crate) fn most_tokens(&self) -> usize {
        let (mut count, mut quoted, mut in_word) = (0, false, false);
        for byte in self.text.bytes() {
            let word = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
            count += usize::from(!(quoted || word && in_word));
            quoted ^= byte == b'\'';
            in_word = word;
        }
        count
    }

    /// The tokens of the text.
    pub(crate) fn tokens(&self) -> Result<Vec<TokenWithSpan>> {
        let mut tokens = self.all_tokens()?;
        tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
        Ok(tokens)
    }

    fn all_tokens(&self) -> Result<Vec<TokenWithSpan>> {
        if self.text.contains('\0') {
            return Err(zero_byte());
        }
        let escaped = super::unicode::masked(&self.text);
        let text = escaped.as_ref().map_or(&self.text, |(text, _)| text);
        let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location();
        let mut tokens = tokens.map_err(|error| {
            let at = self.offset(error.location).unwrap_or(0);
            if has_zero_escape(&self.text[at..]) {
                return zero_byte();
            }
            let message = match error.message.as_str() {
                message if message.contains("string") => "unterminated quoted string",
                message if message.contains("comment") => "unterminated /* comment",
                _ => "syntax error",
            };
            let rest = &self.text[at.min(self.text.len())..];
            SqlError::new(SqlState::SYNTAX_ERROR, format!("{message} at or near \"{rest}\""))
                .at(self.place(error.location))
        })?;
        if let Some((_, starts)) = &escaped {
            super::unicode::unescape(self, &mut tokens, starts)?;
        }
        self.check_numbers(&tokens)?;
        let escaped = |token: &TokenWithSpan| match &token.token {
            Token::EscapedStringLiteral(text) | Token::UnicodeStringLiteral(text) => text.contains('\0'),
            _ => false,
        };
        if tokens.iter().any(escaped) {
            return Err(zero_byte());
        }
        let mut tokens = super::operators::read(tokens);
        foreign::make_names(&mut tokens);
        qualify_char(&mut tokens);
        self.check_chains(&tokens)?;
        Ok(tokens)
    }

    /// Refuses what follows a number without a space.
    fn check_numbers(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        for (at, token) in tokens.iter().enumerate() {
            let is_number = match &token.token {
                Token::Number(..) | Token::HexStringLiteral(_) => true,
                Token::Placeholder(name) => name[1..].starts_with(|c: char| c.is_ascii_digit()),
                _ => false,
            };
            if !is_number {
                continue;
            }
            let joined = tokens.get(at + 1).filter(|next| {
                next.span.start == token.span.end
                    && matches!(&next.token, Token::Word(word) if word.quote_style.is_none())
            });
            let text = self.text_of(&tokens[at..=at + usize::from(joined.is_some())]);
            // `x'1F'` is no number.
            let begins = text.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '$');
            let digits = |c: char| c.is_ascii_digit() || "$.eE+-".contains(c);
            if !begins || joined.is_none() && text.chars().all(digits) {
                continue;
            }
            let what = if text.starts_with('$') { "parameter" } else { "numeric literal" };
            let message = format!("trailing junk after {what} at or near \"{text}\"");
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).at(self.place(token.span.start)));
        }
        Ok(())
    }

    /// Splits the text at its semicolons.
    pub(crate) fn statements(&self) -> Result<Vec<Vec<TokenWithSpan>>> {
        let tokens = self.all_tokens()?;
        let mut statements = vec![Vec::new()];
        // Bodies of SQL-standard functions contain semicolons.
        let mut atomic = 0_usize;
        let mut function = false;
        // So do the commands of a rule, in brackets.
        let mut open = 0_usize;
        let mut gap = Gap::default();
        for token in tokens {
            match token.token {
                Token::LParen => open += 1,
                Token::RParen => open = open.saturating_sub(1),
                _ => {}
            }
            let in_rule = open > 0 && makes_a_rule(&statements[statements.len() - 1]);
            function |= is_word(&token, "function") || is_word(&token, "procedure");
            // `CASE` has an `END` as well.
            atomic +=
                usize::from(function && is_word(&token, "atomic") || atomic > 0 && is_word(&token, "case"));
            atomic -= usize::from(atomic > 0 && is_word(&token, "end"));
            match &token.token {
                Token::SemiColon if atomic == 0 && !in_rule => {
                    (function, open) = (false, 0);
                    statements.push(Vec::new());
                }
                Token::Whitespace(space) => gap.add(space),
                // Quoted texts on consecutive lines are one text.
                Token::SingleQuotedString(_) if follows_a_text(&statements[statements.len() - 1]) => {
                    let last = statements.len() - 1;
                    self.continue_text(&mut statements[last], token, gap)?;
                    gap = Gap::default();
                }
                _ => {
                    let last = statements.len() - 1;
                    statements[last].push(token);
                    gap = Gap::default();
                }
            }
        }
        statements.retain(|statement| !statement.is_empty());
        for statement in &mut statements {
            self.check_clauses(statement)?;
            super::forms::rewrite(statement);
            super::readable::mark_exclusions(statement);
            super::readable::make_readable(statement);
        }
        Ok(statements)
    }

    /// Adds a text to the one before it, if only the ends of lines are between them.
    fn continue_text(&self, statement: &mut [TokenWithSpan], token: TokenWithSpan, gap: Gap) -> Result<()> {
        let refused = self.syntax_error_at(&token);
        let Token::SingleQuotedString(more) = token.token else { return Err(refused) };
        let Some(last) = statement.last_mut().filter(|_| gap.joins()) else { return Err(refused) };
        match &mut last.token {
            Token::SingleQuotedString(text)
            | Token::SingleQuotedByteStringLiteral(text)
            | Token::HexStringLiteral(text) => text.push_str(&more),
            // What continues a text with escapes may have some, too.
            Token::EscapedStringLiteral(text) => {
                let quoted = format!("e'{}'", more.replace('\'', "''"));
                match Tokenizer::new(&PostgreSqlDialect {}, &quoted).tokenize().as_deref() {
                    Ok([Token::EscapedStringLiteral(more)]) => text.push_str(more),
                    _ => return Err(refused),
                }
            }
            _ => return Err(refused),
        }
        last.span.end = token.span.end;
        Ok(())
    }

    /// Refuses clauses of other databases.
    pub(crate) fn check_clauses(&self, statement: &[TokenWithSpan]) -> Result<()> {
        let Some(at) = foreign::stumbles_at(statement) else { return Ok(()) };
        Err(match statement.get(at) {
            Some(token) => self.syntax_error_at(token),
            None => self.syntax_error_at_end(statement),
        })
    }

    /// Converts an error of the parser to PostgreSQL's wording.
    pub(crate) fn syntax_error(&self, error: &ParserError, tokens: &[TokenWithSpan]) -> SqlError {
        let message = match error {
            ParserError::RecursionLimitExceeded => {
                return SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded");
            }
            ParserError::ParserError(message) | ParserError::TokenizerError(message) => message,
        };
        let place = message.rsplit_once(" at Line: ").and_then(|(_, place)| {
            let (line, column) = place.split_once(", Column: ")?;
            Some(Location { line: line.parse().ok()?, column: column.trim_end_matches('.').parse().ok()? })
        });
        let at = place.and_then(|place| tokens.iter().position(|token| token.span.start == place));
        self.stumble(tokens, at.unwrap_or(tokens.len()))
    }

    /// The error for the token at `at`, which the parser cannot read.
    fn stumble(&self, tokens: &[TokenWithSpan], at: usize) -> SqlError {
        // Where it is too deep, the parser tries to read `CASE` as a name. The statement around takes some of the depth.
        if nesting(tokens) + 10 >= DEPTH_MAX {
            return SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded");
        }
        if let Some(construct) = unread(tokens, at) {
            return SqlError::unsupported(construct);
        }
        let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
        // The parser reads a word after `*` as an alias, and `ORDER` without `BY` as a name.
        let named_star = at >= 3
            && tokens[at - 2].token == Token::Mul
            && (is(at - 3, "select") || tokens[at - 3].token == Token::Comma);
        let lone = (is(at, "order") || is(at, "group")) && !is(at + 1, "by");
        let at = if named_star { at - 1 } else { at + usize::from(lone) };
        match tokens.get(at) {
            Some(token) => self.syntax_error_at(token),
            None => self.syntax_error_at_end(tokens),
        }
    }

    /// The error for an unexpected token.
    pub(crate) fn syntax_error_at(&self, token: &TokenWithSpan) -> SqlError {
        let (from, to) = (self.offset(token.span.start), self.offset(token.span.end));
        let text = from.zip(to).and_then(|(from, to)| self.text.get(from..to)).unwrap_or("");
        SqlError::new(SqlState::SYNTAX_ERROR, format!("syntax error at or near \"{text}\""))
            .at(self.place(token.span.start))
    }

    /// The error about a text that is written as a literal, with its place in the statement if the text is there as it is.
    pub(crate) fn placed_in(&self, literal: &TokenWithSpan, text: &str, error: SqlError) -> SqlError {
        let Some(at) = error.position else { return error };
        let written = || {
            let start = self.place(literal.span.start)?;
            let end = self.offset(literal.span.end)?;
            Some(start + self.text.get(start..end)?.find(text)?)
        };
        error.nowhere().at(written().map(|start| start + at))
    }

    /// The error for a text that ends too early.
    pub(crate) fn syntax_error_at_end(&self, tokens: &[TokenWithSpan]) -> SqlError {
        let end = tokens.last().and_then(|token| self.place(token.span.end));
        match tokens.last().and_then(|token| self.offset(token.span.end)) {
            // A semicolon after the end is the unexpected token.
            Some(at) if self.text[at..].trim_start().starts_with(';') => {
                let at = at + (self.text.len() - at - self.text[at..].trim_start().len());
                SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \";\"").at(end.map(|_| at))
            }
            _ => SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at end of input").at(end),
        }
    }

    /// Parses all of `tokens` by one of the parser's methods.
    pub(crate) fn parse<T>(
        &self,
        tokens: &[TokenWithSpan],
        method: impl FnOnce(&mut Parser<'static>) -> std::result::Result<T, ParserError>,
    ) -> Result<T> {
        let (parsed, used) = self.parse_prefix(tokens, method)?;
        if used < tokens.len() { Err(self.stumble(tokens, used)) } else { Ok(parsed) }
    }

    /// Parses the beginning of `tokens`. Also returns the number of parsed tokens.
    pub(crate) fn parse_prefix<T>(
        &self,
        tokens: &[TokenWithSpan],
        method: impl FnOnce(&mut Parser<'static>) -> std::result::Result<T, ParserError>,
    ) -> Result<(T, usize)> {
        if let Some(marked) = super::readable::marked_subscripts(tokens) {
            let (places, marked): (Vec<usize>, Vec<TokenWithSpan>) = marked.into_iter().unzip();
            let (parsed, used) = self.parse_readable(&marked, method)?;
            return Ok((parsed, places.get(used).copied().unwrap_or(tokens.len())));
        }
        self.parse_readable(tokens, method)
    }

    fn parse_readable<T>(
        &self,
        tokens: &[TokenWithSpan],
        method: impl FnOnce(&mut Parser<'static>) -> std::result::Result<T, ParserError>,
    ) -> Result<(T, usize)> {
        let (readable, added) = super::readable::names(tokens);
        let (parsed, used) = with_parser(readable, |parser| (method(parser), parser.index()));
        let parsed = parsed.map_err(|error| self.syntax_error(&error, tokens))?;
        Ok((parsed, used - added.iter().filter(|at| **at < used).count()))
    }

    /// The prefix operator before an offset, if it is one of those that the parser knows under another name.
    pub(crate) fn operator_before(&self, at: Option<usize>) -> Option<&'static str> {
        let before = self.text.get(..at?)?.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        super::readable::PREFIXES.into_iter().find(|symbol| before.ends_with(symbol))
    }

    /// The place of the operator that stands before the operand at an offset.
    pub(crate) fn symbol_before(&self, at: usize) -> Option<usize> {
        let before = self.text.get(..at)?.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let start = before.trim_end_matches(|c: char| "+-*/<>=~!@#%^&|`?".contains(c)).len();
        (start < before.len()).then_some(start)
    }

    /// Whether `ONLY` stands before the name at an offset.
    pub(crate) fn has_only_before(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default().trim_end();
        let start = before.len().saturating_sub("only".len());
        before.get(start..).is_some_and(|word| word.eq_ignore_ascii_case("only"))
    }

    /// Parses an expression.
    pub(crate) fn expression(&self) -> Result<ast::Expr> {
        let tokens = self.statements()?.into_iter().next().unwrap_or_default();
        self.parse(&tokens, Parser::parse_expr)
    }

    /// Parses a query.
    pub(crate) fn query(&self) -> Result<Box<ast::Query>> {
        let tokens = self.statements()?.into_iter().next().unwrap_or_default();
        self.parse(&tokens, Parser::parse_query)
    }
}

/// Whether a statement creates a rule.
fn makes_a_rule(statement: &[TokenWithSpan]) -> bool {
    let is = |at: usize, word: &str| statement.get(at).is_some_and(|token| is_word(token, word));
    is(0, "create") && (is(1, "rule") || is(1, "or") && is(3, "rule"))
}

/// How deep brackets and `CASE` stand in each other.
fn nesting(tokens: &[TokenWithSpan]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in tokens {
        match &token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            _ if is_word(token, "case") => depth += 1,
            _ if is_word(token, "end") => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The PostgreSQL feature at `at`, if the parser cannot read it.
fn unread(tokens: &[TokenWithSpan], at: usize) -> Option<&'static str> {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
    if is(at, "search") && (is(at + 1, "depth") || is(at + 1, "breadth")) {
        return Some("SEARCH in a recursive query");
    }
    if is(at, "cycle") && at > 0 && tokens[at - 1].token == Token::RParen {
        return Some("CYCLE in a recursive query");
    }
    for (word, feature) in XML {
        let opened = |back: usize| at >= back && is(at - back, word);
        if (1..4).any(opened) && tokens[..at].iter().rev().take(3).any(|token| token.token == Token::LParen) {
            return Some(feature);
        }
    }
    None
}

/// Functions of XML with a syntax of their own.
const XML: [(&str, &str); 7] = [
    ("xmlelement", "XMLELEMENT"),
    ("xmlexists", "XMLEXISTS"),
    ("xmlparse", "XMLPARSE"),
    ("xmlpi", "XMLPI"),
    ("xmlroot", "XMLROOT"),
    ("xmlserialize", "XMLSERIALIZE"),
    ("xmltable", "XMLTABLE"),
];

/// The name of SQLite's number of a row, for statements that the engine makes. It is after the name of the table.
pub(crate) const ROW_NUMBER: &str = "\u{1}row";

/// Words that are not names unless they are quoted, in order.
const RESERVED: &[&str] = &[
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "both",
    "case",
    "cast",
    "check",
    "collate",
    "column",
    "constraint",
    "create",
    "current_catalog",
    "current_date",
    "current_role",
    "current_time",
    "current_timestamp",
    "current_user",
    "default",
    "deferrable",
    "desc",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "false",
    "fetch",
    "for",
    "foreign",
    "from",
    "grant",
    "group",
    "having",
    "in",
    "initially",
    "intersect",
    "into",
    "lateral",
    "leading",
    "limit",
    "localtime",
    "localtimestamp",
    "not",
    "null",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "placing",
    "primary",
    "references",
    "returning",
    "select",
    "session_user",
    "some",
    "symmetric",
    "table",
    "then",
    "to",
    "trailing",
    "true",
    "union",
    "unique",
    "user",
    "using",
    "variadic",
    "when",
    "where",
    "window",
    "with",
];

/// Whether PostgreSQL does not accept `ident` as a name.
pub(crate) fn is_reserved(ident: &Ident) -> bool {
    ident.quote_style.is_none() && is_reserved_word(&ident.value.to_ascii_lowercase())
}

/// Whether PostgreSQL does not accept a word, in lower case, as a name.
pub(crate) fn is_reserved_word(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// The error for a word that is not a name.
pub(crate) fn not_a_name(ident: &Ident) -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, format!("syntax error at or near \"{}\"", ident.value))
}

/// Whether an escaped text that begins here contains an escape for a zero byte.
fn has_zero_escape(text: &str) -> bool {
    const ZEROS: [&str; 4] = ["\\0", "\\x0", "\\u0000", "\\U00000000"];
    let quoted = text.strip_prefix(['e', 'E']).and_then(|text| text.strip_prefix('\''));
    let escaped = quoted.map(|text| text.split_once('\'').map_or(text, |(text, _)| text));
    escaped.is_some_and(|text| ZEROS.iter().any(|zero| text.contains(zero)))
}

/// Whether a statement's last token is a text, to which another one could belong. `DO` may have two.
fn follows_a_text(statement: &[TokenWithSpan]) -> bool {
    let of_do = statement.first().is_some_and(|first| is_word(first, "do"));
    statement.last().is_some_and(|last| {
        matches!(
            last.token,
            Token::SingleQuotedString(_)
                | Token::EscapedStringLiteral(_)
                | Token::DollarQuotedString(_)
                | Token::SingleQuotedByteStringLiteral(_)
                | Token::HexStringLiteral(_)
        ) && !of_do
    })
}

/// Qualifies the name of the type `"char"` in casts, which the parser would take for `char`.
fn qualify_char(tokens: &mut Vec<TokenWithSpan>) {
    let quoted = |token: &TokenWithSpan| matches!(&token.token, Token::Word(word) if word.quote_style.is_some() && word.value == "char");
    let places: Vec<usize> = tokens
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].token == Token::DoubleColon && quoted(&pair[1]))
        .map(|(at, _)| at + 1)
        .collect();
    for at in places.into_iter().rev() {
        let parts = [Token::make_word("pg_catalog", None), Token::Period];
        let span = tokens[at].span;
        tokens.splice(at..at, parts.map(|token| TokenWithSpan { token, span }));
    }
}

/// The keyword that a token is for the parser, unquoted.
pub(crate) fn keyword(token: &TokenWithSpan) -> Keyword {
    match &token.token {
        Token::Word(word) => word.keyword,
        _ => Keyword::NoKeyword,
    }
}

/// Whether a token is this word, unquoted. `expected` is in lower case.
pub(crate) fn is_word(token: &TokenWithSpan, expected: &str) -> bool {
    matches!(&token.token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(expected))
}

/// An identifier as in the catalog: in lower case, unless it is quoted.
pub(crate) fn name(ident: &Ident) -> String {
    let name = match ident.quote_style {
        Some(_) => ident.value.clone(),
        None => ident.value.to_lowercase(),
    };
    cut(name)
}

/// A name as long as PostgreSQL keeps it.
pub(crate) fn cut(mut name: String) -> String {
    name.truncate(cut_to(&name, NAME_MAX).len());
    name
}

/// A name cut to so many bytes, without a part of a character.
pub(crate) fn cut_to(name: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(name.len())).rev().find(|end| name.is_char_boundary(*end));
    &name[..end.unwrap_or(0)]
}

/// The parts of a qualified name.
pub(crate) fn parts(object: &ObjectName) -> Vec<&Ident> {
    object
        .0
        .iter()
        .filter_map(|part| match part {
            ObjectNamePart::Identifier(ident) => Some(ident),
            ObjectNamePart::Function(_) => None,
        })
        .collect()
}

/// A name, with its schema if it is qualified.
pub(crate) fn schema_and_name(object: &ObjectName) -> Result<(Option<String>, String)> {
    match parts(object)[..] {
        [only] => Ok((None, name(only))),
        [schema, last] => Ok((Some(name(schema)), name(last))),
        [_, schema, last] => Ok((Some(name(schema)), name(last))),
        _ => Err(SqlError::new(
            SqlState::SYNTAX_ERROR,
            format!("improper qualified name (too many dotted names): {object}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn reserved_words_are_in_order() {
        assert!(super::RESERVED.is_sorted());
    }
}
