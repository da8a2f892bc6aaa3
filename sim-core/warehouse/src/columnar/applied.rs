//! Columns by a pattern, or all of them, with what is done to each: `COLUMNS('…')`, `* APPLY (…)`, `* EXCEPT … APPLY (…)`.
//!
//! The parser knows no `APPLY`, so such an item of a select list is written as one call.

use regex::Regex;
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArguments, OneOrManyWithParens};
use sqlparser::dialect::ClickHouseDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use super::call::{expr_of, text_of};
use super::columns::wildcard;
use super::names::own_name;
use super::text::{is_word, significant, word};
use crate::refusal::Refusal;

/// `columns_of('table', every(), without(a), instead(b + 1, 'b'), apply_to(sum))`
const CALL: &str = "columns_of";
const EVERY: &str = "every";
const MATCHING: &str = "columns";
const WITHOUT: &str = "without";
const INSTEAD: &str = "instead";
const APPLY: &str = "apply_to";

/// The longest text of what is done to a column. A function may have it several times.
const BYTES_MAX: usize = 20_000;

/// How a column is written, and its name.
type Column = (String, String);

/// Writes items with `APPLY`, and those of `COLUMNS` with more, as calls.
pub(super) fn applied(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let before = significant(&out).next_back().map(|(_, token)| token);
        let begins = matches!(before, Some(Token::Comma))
            || ["select", "distinct"].iter().any(|word| is_word(before, word));
        match if begins { item(tokens, at) } else { None } {
            Some((call, end)) => {
                let span = tokens[at].span;
                out.extend(call.into_iter().map(|token| TokenWithSpan { token, span }));
                at = end;
            }
            None => {
                out.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// Reads tokens one after another, without blanks.
struct Reader<'t> {
    tokens: &'t [TokenWithSpan],
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<(usize, &'t Token)> {
        significant(&self.tokens[self.at..]).next().map(|(at, token)| (self.at + at, token))
    }

    fn next(&mut self) -> Option<&'t Token> {
        let (at, token) = self.peek()?;
        self.at = at + 1;
        Some(token)
    }

    fn takes(&mut self, name: &str) -> bool {
        let found = is_word(self.peek().map(|(_, token)| token), name);
        if found {
            self.next();
        }
        found
    }

    /// What is in brackets, or else one word.
    fn operand(&mut self) -> Option<Vec<Token>> {
        let (start, first) = self.peek()?;
        if !matches!(first, Token::LParen) {
            let one = self.next()?;
            return matches!(one, Token::Word(_)).then(|| vec![one.clone()]);
        }
        let mut depth = 0_usize;
        loop {
            let at = self.peek()?.0;
            match self.next()? {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(self.tokens[start + 1..at].iter().map(|token| token.token.clone()).collect());
            }
        }
    }
}

/// The call that an item is written as, and where the item ends.
fn item(tokens: &[TokenWithSpan], start: usize) -> Option<(Vec<Token>, usize)> {
    if matches!(tokens[start].token, Token::Whitespace(_)) {
        return None;
    }
    let mut reader = Reader { tokens, at: start };
    let mut table = String::new();
    let mut first = reader.next()?;
    if let (Token::Word(own), Some((_, Token::Period))) = (first, reader.peek()) {
        own.value.clone_into(&mut table);
        reader.next();
        first = reader.next()?;
    }
    let mut call = vec![word(CALL), Token::LParen, Token::SingleQuotedString(table.clone()), Token::Comma];
    let is_all = matches!(first, Token::Mul);
    match first {
        Token::Mul => call.extend([word(EVERY), Token::LParen, Token::RParen]),
        first if is_word(Some(first), "columns") && matches!(reader.peek(), Some((_, Token::LParen))) => {
            call.extend([word(MATCHING), Token::LParen]);
            call.extend(reader.operand()?);
            call.push(Token::RParen);
        }
        _ => return None,
    }
    let (mut steps, mut applies) = (0, false);
    loop {
        let (name, operand) = if reader.takes("except") {
            (WITHOUT, reader.operand()?)
        } else if reader.takes("replace") {
            (INSTEAD, instead(reader.operand()?))
        } else if reader.takes("apply") {
            applies = true;
            (APPLY, reader.operand()?)
        } else {
            break;
        };
        steps += 1;
        call.extend([Token::Comma, word(name), Token::LParen]);
        call.extend(operand);
        call.push(Token::RParen);
    }
    // What the parser reads itself stays.
    let is_other = applies || (!is_all && (steps > 0 || !table.is_empty()));
    call.push(Token::RParen);
    is_other.then_some((call, reader.at))
}

/// `a + 1 AS a` as `a + 1, 'a'`
fn instead(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let (mut depth, mut name) = (0_usize, false);
    for token in tokens {
        match &token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            found if depth == 0 && is_word(Some(found), "as") => {
                out.push(Token::Comma);
                name = true;
                continue;
            }
            Token::Word(found) if name => {
                out.push(Token::SingleQuotedString(found.value.clone()));
                name = false;
                continue;
            }
            _ => {}
        }
        out.push(token);
    }
    out
}

/// Whether a call stands for columns.
pub(super) fn is_columns(call: &Function) -> bool {
    let name = call.name.to_string();
    name == CALL || name.eq_ignore_ascii_case(MATCHING)
}

/// The columns that a call stands for: each as an expression, with its name. `all` gives the columns of all tables, or of one.
pub(super) fn chosen(
    all: &dyn Fn(Option<&str>) -> Option<Vec<Column>>,
    call: &Function,
) -> Result<Vec<(Expr, String)>, Refusal> {
    let arguments = arguments_of(call);
    if call.name.to_string() != CALL {
        return matching(all(None).ok_or_else(wildcard)?, arguments)?.iter().map(expr_of_column).collect();
    }
    let table = arguments.first().and_then(text_of).filter(|table| !table.is_empty());
    let mut found = all(table).ok_or_else(wildcard)?;
    let steps: Vec<_> = arguments.iter().filter_map(expr_of).filter_map(call_of).collect();
    let mut columns = Vec::new();
    if let Some((_, given)) = steps.iter().find(|(name, _)| name == MATCHING) {
        found = matching(found, given)?;
    }
    for column in &found {
        columns.push(expr_of_column(column)?);
    }
    for (name, given) in &steps {
        match name.as_str() {
            WITHOUT => {
                let left_out: Vec<_> = given.iter().filter_map(expr_of).map(own_name).collect();
                columns.retain(|(_, own)| !left_out.contains(own));
            }
            INSTEAD => {
                for pair in given.chunks(2) {
                    let [value, own] = pair else { return Err(Refusal::invalid("REPLACE takes names")) };
                    let (value, own) = (expr_of(value), text_of(own).unwrap_or_default());
                    let known = columns.iter_mut().find(|(_, known)| known == own);
                    let (Some((column, _)), Some(value)) = (known, value) else {
                        return Err(Refusal::invalid(format!("* has no column {own}")));
                    };
                    *column = value.clone();
                }
            }
            APPLY => {
                let function = given.first().and_then(expr_of);
                let function = function.ok_or_else(|| Refusal::invalid("APPLY takes a function"))?;
                for (column, own) in &mut columns {
                    *column = with(function, column)?;
                    *own = own_name(column);
                }
            }
            _ => {}
        }
    }
    match columns.is_empty() {
        true => Err(Refusal::invalid("No column is left")),
        false => Ok(columns),
    }
}

fn arguments_of(call: &Function) -> &[FunctionArg] {
    match &call.args {
        FunctionArguments::List(list) => &list.args,
        _ => &[],
    }
}

fn call_of(expr: &Expr) -> Option<(String, &[FunctionArg])> {
    match expr {
        Expr::Function(call) => Some((call.name.to_string().to_lowercase(), arguments_of(call))),
        _ => None,
    }
}

/// The columns whose names match the pattern, or have those names.
fn matching(all: Vec<Column>, given: &[FunctionArg]) -> Result<Vec<Column>, Refusal> {
    let wrong = || Refusal::invalid("COLUMNS takes a regular expression, or names of columns");
    if let [pattern] = given
        && let Some(pattern) = text_of(pattern)
    {
        let pattern = Regex::new(pattern).map_err(|_| wrong())?;
        let found: Vec<_> = all.into_iter().filter(|(_, column)| pattern.is_match(column)).collect();
        return match found.is_empty() {
            true => Err(Refusal::invalid("No column matches the pattern of COLUMNS")),
            false => Ok(found),
        };
    }
    let names = given.iter().map(|one| match expr_of(one)? {
        Expr::Identifier(name) => Some(name.value.as_str()),
        _ => None,
    });
    let names = names.collect::<Option<Vec<_>>>().filter(|names| !names.is_empty()).ok_or_else(wrong)?;
    let column = |name: &&str| {
        let found = all.iter().find(|(_, column)| column == name).cloned();
        found.ok_or_else(|| Refusal::invalid(format!("COLUMNS: there is no column {name}")))
    };
    names.iter().map(column).collect()
}

fn expr_of_column((written, own): &Column) -> Result<(Expr, String), Refusal> {
    Ok((parsed(written)?, own.clone()))
}

/// The function of `APPLY` with a column: `sum`, `quantile(0.5)` or `x -> x + 1`.
fn with(function: &Expr, column: &Expr) -> Result<Expr, Refusal> {
    let text = match function {
        Expr::Identifier(name) => format!("{name}({column})"),
        Expr::Function(call) if matches!(call.parameters, FunctionArguments::None) => {
            format!("{call}({column})")
        }
        Expr::Lambda(lambda) => {
            let OneOrManyWithParens::One(parameter) = &lambda.params else {
                return Err(Refusal::invalid("APPLY takes a function of one column"));
            };
            let body = lambda.body.to_string();
            let tokens = Tokenizer::new(&ClickHouseDialect {}, &body).tokenize().map_err(Refusal::syntax)?;
            let mut text = String::new();
            for (at, token) in tokens.iter().enumerate() {
                let is_part = at.checked_sub(1).is_some_and(|before| tokens[before] == Token::Period);
                match token {
                    Token::Word(word) if word.value == parameter.name.value && !is_part => {
                        text.push_str(&column.to_string());
                    }
                    token => text.push_str(&token.to_string()),
                }
                if text.len() > BYTES_MAX {
                    break;
                }
            }
            text
        }
        other => return Err(Refusal::unsupported(&format!("APPLY of {other}"))),
    };
    parsed(&text)
}

pub(super) fn parsed(text: &str) -> Result<Expr, Refusal> {
    if text.len() > BYTES_MAX {
        return Err(Refusal::syntax("what APPLY does to a column is too long"));
    }
    let parser = Parser::new(&ClickHouseDialect {}).with_recursion_limit(50).try_with_sql(text);
    parser.map_err(Refusal::syntax)?.parse_expr().map_err(Refusal::syntax)
}
