//! Questions about lists of integers, as the extension `intarray` has them: `1 & (2 | !3)`. They are stored as printed.

use crate::error::{Result, SqlError, SqlState};

/// The deepest nesting of a question.
const DEPTH_MAX: usize = 200;

#[derive(Debug)]
enum Query {
    Number(i64),
    Not(Box<Query>),
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
}

/// Reads a question, and gives its form as PostgreSQL prints it.
///
/// # Errors
///
/// 42601 for another text, 22023 for none.
pub fn parse(text: &str) -> Result<String> {
    let query = read(text)?.ok_or_else(|| SqlError::new(SqlState::INVALID_PARAMETER, "empty query"))?;
    let mut out = String::new();
    print(&query, &mut out);
    Ok(out)
}

/// Whether a list has what the stored question asks for.
pub fn matches(stored: &str, has: &dyn Fn(i64) -> bool) -> bool {
    read(stored).ok().flatten().is_some_and(|query| holds(&query, has))
}

fn holds(query: &Query, has: &dyn Fn(i64) -> bool) -> bool {
    match query {
        Query::Number(number) => has(*number),
        Query::Not(inner) => !holds(inner, has),
        Query::And(left, right) => holds(left, has) && holds(right, has),
        Query::Or(left, right) => holds(left, has) || holds(right, has),
    }
}

fn print(query: &Query, out: &mut String) {
    let within = |inner: &Query, brackets: bool, out: &mut String| {
        if brackets {
            out.push_str("( ");
        }
        print(inner, out);
        if brackets {
            out.push_str(" )");
        }
    };
    match query {
        Query::Number(number) => out.push_str(&number.to_string()),
        Query::Not(inner) => {
            out.push('!');
            within(inner, !matches!(**inner, Query::Number(_)), out);
        }
        Query::And(left, right) => {
            within(left, matches!(**left, Query::Or(..)), out);
            out.push_str(" & ");
            within(right, matches!(**right, Query::Or(..)), out);
        }
        Query::Or(left, right) => {
            within(left, matches!(**left, Query::Or(..)), out);
            out.push_str(" | ");
            within(right, matches!(**right, Query::Or(..)), out);
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

fn syntax() -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, "syntax error")
}

fn read(text: &str) -> Result<Option<Query>> {
    let mut reader = Reader { rest: text, depth: 0 };
    reader.blanks();
    if reader.rest.is_empty() {
        return Ok(None);
    }
    let query = reader.any()?;
    if reader.rest.is_empty() { Ok(Some(query)) } else { Err(syntax()) }
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, symbol: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(symbol) else { return false };
        self.rest = rest;
        self.blanks();
        true
    }

    fn any(&mut self) -> Result<Query> {
        let mut left = self.all()?;
        while self.takes('|') {
            left = Query::Or(Box::new(left), Box::new(self.all()?));
        }
        Ok(left)
    }

    fn all(&mut self) -> Result<Query> {
        let mut left = self.one()?;
        while self.takes('&') {
            left = Query::And(Box::new(left), Box::new(self.one()?));
        }
        Ok(left)
    }

    fn one(&mut self) -> Result<Query> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(SqlError::new(SqlState::PROGRAM_LIMIT, "the query is nested too deeply"));
        }
        let query = if self.takes('!') {
            Query::Not(Box::new(self.one()?))
        } else if self.takes('(') {
            let inner = self.any()?;
            if !self.takes(')') {
                return Err(syntax());
            }
            inner
        } else {
            self.number()?
        };
        self.depth -= 1;
        Ok(query)
    }

    fn number(&mut self) -> Result<Query> {
        let sign = usize::from(self.rest.starts_with('-'));
        let digits = self.rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(sign + digits);
        let number: i32 = number.parse().map_err(|_| syntax())?;
        self.rest = rest;
        self.blanks();
        Ok(Query::Number(number.into()))
    }
}
