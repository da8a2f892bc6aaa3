//! SQL/JSON paths: members, items, wildcards, filters, comparisons, arithmetic, variables, methods.
//!
//! Anything else (`datetime()` …) is refused.

mod compute;
mod evaluate;

use self::compute::{Method, Operator};
use crate::budget::Budget;
use crate::error::{Result, SqlError, SqlState};
use crate::regular::compile;
use crate::value::json::Json;

/// A path that was read.
pub struct Path {
    strict: bool,
    expression: Expression,
}

#[derive(Debug)]
enum Expression {
    Root,
    Current,
    Literal(Json),
    Variable(String),
    /// The number of the last item, in a subscript.
    Last,
    Arithmetic(Box<Expression>, Operator, Box<Expression>),
    Signed(Operator, Box<Expression>),
    /// The steps, applied one after the other to the results of the expression.
    Steps(Box<Expression>, Vec<Step>),
    Compare(Box<Expression>, &'static str, Box<Expression>),
    StartsWith(Box<Expression>, String),
    /// A text that a regular expression matches, with the flags of PostgreSQL's functions.
    Like(Box<Expression>, String, String),
    Exists(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
}

#[derive(Debug)]
enum Step {
    Member(String),
    AnyMember,
    /// `.**`: what is at such depths below the item.
    Below(usize, usize),
    Method(Method),
    /// Items with such numbers, or between two of them.
    Items(Vec<(Expression, Option<Expression>)>),
    AnyItem,
    Filter(Box<Expression>),
    Type,
    Size,
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    depth: usize,
    /// The number of subscripts around.
    subscripts: usize,
    /// The number of filters around.
    filters: usize,
}

/// The deepest nesting of filters and parentheses.
const DEPTH_MAX: usize = 100;

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    ///
    /// 42601 for a text that is no path, 0A000 for a form that is not supported.
    pub fn parse(text: &str) -> Result<Path> {
        if text.trim().is_empty() {
            let message = format!("invalid input syntax for type jsonpath: \"{text}\"");
            return Err(SqlError::new(SqlState::INVALID_TEXT, message));
        }
        let mut parser = Parser { text, rest: text, depth: 0, subscripts: 0, filters: 0 };
        let strict = parser.word("strict");
        if !strict {
            parser.word("lax");
        }
        let expression = parser.or()?;
        parser.blank();
        if parser.rest.is_empty() { Ok(Path { strict, expression }) } else { Err(parser.error()) }
    }

    /// The items that the path selects from a document, with the values of its variables: an object.
    ///
    /// # Errors
    ///
    /// Those of class 22 that PostgreSQL has for a path and a document, and 57014 when the budget is used up.
    pub fn items(&self, root: &Json, variables: Option<&Json>, budget: &Budget) -> Result<Vec<Json>> {
        evaluate::items(self, root, variables, budget)
    }
}

/// The operand if there is only one; otherwise all of them.
fn alone(mut operands: Vec<Expression>) -> std::result::Result<Expression, Vec<Expression>> {
    match operands.len() {
        1 => operands.pop().ok_or(operands),
        _ => Err(operands),
    }
}

impl Parser<'_> {
    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blank();
        let found = self.rest.strip_prefix(token);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    /// Reads a word that is not followed by a letter.
    fn word(&mut self, word: &str) -> bool {
        self.blank();
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let found = self.rest.strip_prefix(word).filter(|rest| ends(rest));
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn error(&self) -> SqlError {
        let at: String = self.rest.chars().take_while(|c| !c.is_whitespace()).take(20).collect();
        if ["(", "+", "*", "/", "%", "-", "$", ".", "is"].iter().any(|known| at.starts_with(known)) {
            return SqlError::unsupported(format!("\"{at}\" in the JSON path \"{}\"", self.text));
        }
        let place = if at.is_empty() { "end".to_owned() } else { format!("or near \"{at}\"") };
        SqlError::new(SqlState::SYNTAX_ERROR, format!("syntax error at {place} of jsonpath input"))
    }

    fn or(&mut self) -> Result<Expression> {
        let first = self.and()?;
        let mut operands = vec![first];
        while self.take("||") {
            operands.push(self.and()?);
        }
        Ok(alone(operands).unwrap_or_else(Expression::Or))
    }

    fn and(&mut self) -> Result<Expression> {
        let first = self.comparison()?;
        let mut operands = vec![first];
        while self.take("&&") {
            operands.push(self.comparison()?);
        }
        Ok(alone(operands).unwrap_or_else(Expression::And))
    }

    fn comparison(&mut self) -> Result<Expression> {
        let left = self.sum()?;
        for symbol in ["==", "!=", "<>", "<=", ">=", "<", ">"] {
            if self.take(symbol) {
                return Ok(Expression::Compare(Box::new(left), symbol, Box::new(self.sum()?)));
            }
        }
        if self.word("like_regex") {
            return self.like(left);
        }
        if self.word("starts") {
            return match (self.word("with"), self.literal()) {
                (true, Some(Json::String(prefix))) => Ok(Expression::StartsWith(Box::new(left), prefix)),
                _ => Err(self.error()),
            };
        }
        Ok(left)
    }

    /// The pattern and the flags after `like_regex`.
    fn like(&mut self, text: Expression) -> Result<Expression> {
        let Some(Json::String(pattern)) = self.literal() else { return Err(self.error()) };
        let given = match self.word("flag") {
            true => match self.literal() {
                Some(Json::String(flags)) => flags,
                _ => return Err(self.error()),
            },
            false => String::new(),
        };
        if let Some(unknown) = given.chars().find(|flag| !"ismq".contains(*flag)) {
            if unknown == 'x' {
                let message = "XQuery \"x\" flag (expanded regular expressions)";
                return Err(SqlError::new(
                    SqlState::FEATURE_NOT_SUPPORTED,
                    format!("{message} is not implemented"),
                ));
            }
            let message = "invalid input syntax for type jsonpath";
            let detail = format!("Unrecognized flag character \"{unknown}\" in LIKE_REGEX predicate.");
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).detail(detail));
        }
        let mut flags = if given.contains('i') { "i".to_owned() } else { String::new() };
        flags.push(match (given.contains('q'), given.contains('s'), given.contains('m')) {
            (true, ..) => 'q',
            (_, false, false) => 'p',
            (_, false, true) => 'n',
            (_, true, true) => 'w',
            (_, true, false) => 's',
        });
        compile(&pattern, &flags)?;
        Ok(Expression::Like(Box::new(text), pattern, flags))
    }

    fn sum(&mut self) -> Result<Expression> {
        let mut sum = self.product()?;
        loop {
            let operator = match () {
                () if self.take("+") => Operator::Add,
                () if self.take("-") => Operator::Subtract,
                () => return Ok(sum),
            };
            sum = Expression::Arithmetic(Box::new(sum), operator, Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expression> {
        let mut product = self.operand()?;
        loop {
            let operator = match () {
                () if self.take("*") => Operator::Multiply,
                () if self.take("/") => Operator::Divide,
                () if self.take("%") => Operator::Remainder,
                () => return Ok(product),
            };
            product = Expression::Arithmetic(Box::new(product), operator, Box::new(self.operand()?));
        }
    }

    fn operand(&mut self) -> Result<Expression> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded"));
        }
        let operand = self.primary();
        self.depth -= 1;
        operand
    }

    fn primary(&mut self) -> Result<Expression> {
        self.blank();
        if self.take("!") {
            return Ok(Expression::Not(Box::new(self.operand()?)));
        }
        if self.word("exists") && self.take("(") {
            let inner = self.or()?;
            return if self.take(")") { Ok(Expression::Exists(Box::new(inner))) } else { Err(self.error()) };
        }
        if self.take("(") {
            let inner = self.or()?;
            return if self.take(")") { self.steps(inner) } else { Err(self.error()) };
        }
        if self.word("last") {
            if self.subscripts == 0 {
                let message = "LAST is allowed only in array subscripts";
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            return Ok(Expression::Last);
        }
        if let Some(literal) = self.literal() {
            return Ok(Expression::Literal(literal));
        }
        for (sign, operator) in [("-", Operator::Subtract), ("+", Operator::Add)] {
            if self.take(sign) {
                return Ok(Expression::Signed(operator, Box::new(self.operand()?)));
            }
        }
        let named = self
            .rest
            .strip_prefix('$')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"'));
        let start = match self.rest.chars().next() {
            Some('$') if named => return self.variable(),
            Some('$') => Expression::Root,
            Some('@') if self.filters == 0 => {
                let message = "@ is not allowed in root expressions";
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            Some('@') => Expression::Current,
            _ => return Err(self.error()),
        };
        self.rest = &self.rest[1..];
        self.steps(start)
    }

    fn variable(&mut self) -> Result<Expression> {
        self.rest = &self.rest[1..];
        let name = match self.rest.starts_with('"') {
            true => match self.literal() {
                Some(Json::String(name)) => name,
                _ => return Err(self.error()),
            },
            false => self.name().to_owned(),
        };
        self.steps(Expression::Variable(name))
    }

    /// Reads letters, digits and underscores.
    fn name(&mut self) -> &str {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }

    fn steps(&mut self, start: Expression) -> Result<Expression> {
        let mut steps = Vec::new();
        loop {
            let step = if self.take(".") {
                self.member()?
            } else if self.take("[") {
                self.subscript()?
            } else if self.take("?") {
                if !self.take("(") {
                    return Err(self.error());
                }
                self.filters += 1;
                let filter = self.or()?;
                self.filters -= 1;
                if !self.take(")") {
                    return Err(self.error());
                }
                Step::Filter(Box::new(filter))
            } else if steps.is_empty() {
                return Ok(start);
            } else {
                return Ok(Expression::Steps(Box::new(start), steps));
            };
            steps.push(step);
        }
    }

    fn member(&mut self) -> Result<Step> {
        if self.take("**") {
            return self.depths();
        }
        if self.take("*") {
            return Ok(Step::AnyMember);
        }
        self.blank();
        if self.rest.starts_with('"') {
            return match self.literal() {
                Some(Json::String(name)) => Ok(Step::Member(name)),
                _ => Err(self.error()),
            };
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(self.error());
        }
        if name == "datetime" && rest.trim_start().starts_with("(\"") {
            return Err(SqlError::unsupported("the JSON path method datetime() with a template"));
        }
        if let Some(rest) = rest.strip_prefix("()") {
            self.rest = rest;
            return match name {
                "type" => Ok(Step::Type),
                "size" => Ok(Step::Size),
                "datetime" => Err(SqlError::unsupported("the JSON path method datetime()")),
                _ => Method::named(name).map(Step::Method).ok_or_else(|| {
                    let message = "syntax error at or near \"(\" of jsonpath input";
                    SqlError::new(SqlState::SYNTAX_ERROR, message)
                }),
            };
        }
        self.rest = rest;
        Ok(Step::Member(name.to_owned()))
    }

    /// The depths after `.**`: `{2}`, `{1 to 3}`, or all.
    fn depths(&mut self) -> Result<Step> {
        if !self.take("{") {
            return Ok(Step::Below(0, usize::MAX));
        }
        let first = self.depth()?;
        let last = if self.word("to") { self.depth()? } else { first };
        if self.take("}") { Ok(Step::Below(first, last)) } else { Err(self.error()) }
    }

    fn depth(&mut self) -> Result<usize> {
        if self.word("last") {
            return Err(SqlError::unsupported("\"last\" as a depth in a JSON path"));
        }
        self.integer().map(|depth| usize::try_from(depth).unwrap_or(usize::MAX))
    }

    fn subscript(&mut self) -> Result<Step> {
        if self.take("*") {
            return if self.take("]") { Ok(Step::AnyItem) } else { Err(self.error()) };
        }
        let mut bounds = Vec::new();
        self.subscripts += 1;
        loop {
            let first = self.sum()?;
            let last = if self.word("to") { Some(self.sum()?) } else { None };
            bounds.push((first, last));
            if self.take("]") {
                self.subscripts -= 1;
                return Ok(Step::Items(bounds));
            }
            if !self.take(",") {
                return Err(self.error());
            }
        }
    }

    fn integer(&mut self) -> Result<i64> {
        self.blank();
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().map_err(|_| self.error())?;
        self.rest = &self.rest[end..];
        Ok(number)
    }

    /// Reads a number, a text or a word of JSON.
    fn literal(&mut self) -> Option<Json> {
        self.blank();
        for (word, value) in [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)]
        {
            if self.word(word) {
                return Some(value);
            }
        }
        let end = match self.rest.chars().next()? {
            '"' => self.string_end()?,
            '0'..='9' => self.number_end(),
            _ => return None,
        };
        let literal = Json::parse(&self.rest[..end]).ok()?;
        self.rest = &self.rest[end..];
        Some(literal.canonical())
    }

    /// The end of a number; a point that no digit follows begins a method.
    fn number_end(&self) -> usize {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let whole = digits(self.rest);
        let part = self.rest[whole..].strip_prefix('.').map_or(0, digits);
        let end = if part > 0 { whole + 1 + part } else { whole };
        let power = self.rest[end..].strip_prefix(['e', 'E']).map(|rest| {
            let sign = usize::from(rest.starts_with(['+', '-']));
            (sign, digits(&rest[sign..]))
        });
        power.filter(|(_, digits)| *digits > 0).map_or(end, |(sign, digits)| end + 1 + sign + digits)
    }

    fn string_end(&self) -> Option<usize> {
        let mut escaped = false;
        self.rest.char_indices().skip(1).find_map(|(at, character)| {
            let ends = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            ends.then_some(at + 1)
        })
    }
}
