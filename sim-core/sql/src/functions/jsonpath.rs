//! SQL/JSON paths: members, items, wildcards, filters, comparisons, some methods.
//!
//! Anything else (arithmetic, variables, `like_regex` …) is refused.

use rusqlite::types::Value;
use sim_values::budget::Budget;

use super::arrays::ELEMENT;
use super::json::{kind, place, read, set};
use super::text::truth;
use super::{Arguments, Function};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::json::Json;

const B: Type = Type::JSONB;
const ON: &[Type] = &[Type::JSONB, Type::JSONPATH];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::set("jsonb_path_query", ON, B, &[], |a| set(query(a)?.iter().map(|item| item.print().into()))),
    Function::rust("jsonb_path_query_array", ON, B, |a| Ok(Value::Text(Json::Array(query(a)?).print()))),
    Function::rust("jsonb_path_query_first", ON, B, |a| {
        Ok(query(a)?.first().map_or(Value::Null, |item| Value::Text(item.print())))
    }),
    Function::rust("jsonb_path_exists", ON, Type::BOOL, |a| truth(!query(a)?.is_empty())),
    Function::rust("@?", ON, Type::BOOL, |a| match query(a) {
        Ok(found) => truth(!found.is_empty()),
        Err(error) if error.code.as_str().starts_with("22") => Ok(Value::Null),
        Err(error) => Err(error),
    }),
    Function::rust("jsonb_path_match", ON, Type::BOOL, |a| match query(a)?.as_slice() {
        [Json::Bool(value)] => truth(*value),
        [Json::Null] => Ok(Value::Null),
        _ => Err(SqlError::new(SqlState::new("22038"), "single boolean result is expected")),
    }),
    Function::rust("@@", ON, Type::BOOL, |a| match query(a)?.as_slice() {
        [Json::Bool(value)] => truth(*value),
        _ => Ok(Value::Null),
    }),
];

fn query(a: &Arguments<'_, '_>) -> Result<Vec<Json>> {
    let path = Path::parse(a.text(1))?;
    let root = read(a, 0)?;
    let evaluation = Evaluation { root: &root, strict: path.strict, budget: a.budget() };
    evaluation.expression(&path.expression, &root)
}

struct Path {
    strict: bool,
    expression: Expression,
}

#[derive(Debug)]
enum Expression {
    Root,
    Current,
    Literal(Json),
    /// The steps, applied one after the other to the results of the expression.
    Steps(Box<Expression>, Vec<Step>),
    Compare(Box<Expression>, &'static str, Box<Expression>),
    StartsWith(Box<Expression>, String),
    Exists(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
}

#[derive(Debug)]
enum Step {
    Member(String),
    AnyMember,
    Items(Vec<(Bound, Bound)>),
    AnyItem,
    Filter(Box<Expression>),
    Type,
    Size,
}

/// An index from the first or from the last item.
#[derive(Clone, Copy, Debug)]
enum Bound {
    At(i64),
    Last(i64),
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    depth: usize,
}

/// The deepest nesting of filters and parentheses.
const DEPTH_MAX: usize = 100;

impl Path {
    fn parse(text: &str) -> Result<Path> {
        let mut parser = Parser { text, rest: text, depth: 0 };
        let strict = parser.word("strict");
        if !strict {
            parser.word("lax");
        }
        let expression = parser.or()?;
        parser.blank();
        if parser.rest.is_empty() { Ok(Path { strict, expression }) } else { Err(parser.error()) }
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
        if ["+", "*", "/", "%", "-", "$", "like_regex", ".", "is"].iter().any(|known| at.starts_with(known)) {
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
        let left = self.operand()?;
        for symbol in ["==", "!=", "<>", "<=", ">=", "<", ">"] {
            if self.take(symbol) {
                return Ok(Expression::Compare(Box::new(left), symbol, Box::new(self.operand()?)));
            }
        }
        if self.word("starts") {
            return match (self.word("with"), self.literal()) {
                (true, Some(Json::String(prefix))) => Ok(Expression::StartsWith(Box::new(left), prefix)),
                _ => Err(self.error()),
            };
        }
        Ok(left)
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
        if let Some(literal) = self.literal() {
            return Ok(Expression::Literal(literal));
        }
        let named = self
            .rest
            .strip_prefix('$')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"'));
        let start = match self.rest.chars().next() {
            Some('$') if !named => Expression::Root,
            Some('@') => Expression::Current,
            _ => return Err(self.error()),
        };
        self.rest = &self.rest[1..];
        self.steps(start)
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
                let filter = self.or()?;
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
        if self.rest.starts_with("**") {
            return Err(self.error());
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
        if let Some(rest) = rest.strip_prefix("()") {
            self.rest = rest;
            return match name {
                "type" => Ok(Step::Type),
                "size" => Ok(Step::Size),
                _ => Err(SqlError::unsupported(format!("the JSON path method {name}()"))),
            };
        }
        self.rest = rest;
        Ok(Step::Member(name.to_owned()))
    }

    fn subscript(&mut self) -> Result<Step> {
        if self.take("*") {
            return if self.take("]") { Ok(Step::AnyItem) } else { Err(self.error()) };
        }
        let mut bounds = Vec::new();
        loop {
            let first = self.bound()?;
            let last = if self.word("to") { self.bound()? } else { first };
            bounds.push((first, last));
            if self.take("]") {
                return Ok(Step::Items(bounds));
            }
            if !self.take(",") {
                return Err(self.error());
            }
        }
    }

    fn bound(&mut self) -> Result<Bound> {
        if self.word("last") {
            return Ok(Bound::Last(if self.take("-") { self.integer()? } else { 0 }));
        }
        self.integer().map(Bound::At)
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
            '-' | '0'..='9' => {
                let tail = &self.rest[1..];
                1 + tail.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(tail.len())
            }
            _ => return None,
        };
        let literal = Json::parse(&self.rest[..end]).ok()?;
        self.rest = &self.rest[end..];
        Some(literal.canonical())
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

struct Evaluation<'a> {
    root: &'a Json,
    strict: bool,
    budget: &'a Budget,
}

/// The number of found items above which they count as memory.
const MANY: usize = 1_000;

impl Evaluation<'_> {
    fn expression(&self, expression: &Expression, current: &Json) -> Result<Vec<Json>> {
        Ok(match expression {
            Expression::Root => vec![self.copied(self.root)?],
            Expression::Current => vec![self.copied(current)?],
            Expression::Literal(value) => vec![value.clone()],
            Expression::Steps(start, steps) => {
                let mut items = self.expression(start, current)?;
                for step in steps {
                    let mut found = Vec::new();
                    for item in items {
                        self.step(step, item, &mut found)?;
                    }
                    items = found;
                }
                items
            }
            predicate => vec![self.predicate(predicate, current)?.map_or(Json::Null, Json::Bool)],
        })
    }

    /// True, false or unknown.
    fn predicate(&self, expression: &Expression, current: &Json) -> Result<Option<bool>> {
        Ok(match expression {
            Expression::And(operands) => self.junction(operands, current, false)?,
            Expression::Or(operands) => self.junction(operands, current, true)?,
            Expression::Not(inner) => self.predicate(inner, current)?.map(|value| !value),
            Expression::Exists(inner) => Some(!self.expression(inner, current)?.is_empty()),
            Expression::Compare(left, symbol, right) => {
                let (left, right) = (self.operands(left, current), self.operands(right, current));
                let (Ok(left), Ok(right)) = (left, right) else { return Ok(None) };
                let outcomes =
                    left.iter().flat_map(|left| right.iter().map(|right| compare(left, symbol, right)));
                any(&mut outcomes.take_while(|_| self.budget.draw(2)))
            }
            Expression::StartsWith(text, prefix) => {
                let Ok(items) = self.operands(text, current) else { return Ok(None) };
                any(&mut items.iter().map(|item| match item {
                    Json::String(text) => Some(text.starts_with(prefix)),
                    _ => None,
                }))
            }
            other => match self.expression(other, current)?.as_slice() {
                [Json::Bool(value)] => Some(*value),
                _ => None,
            },
        })
    }

    /// The result of `AND` or `OR`. An operand with the value `decisive` decides it. An error in any operand is an error.
    fn junction(&self, operands: &[Expression], current: &Json, decisive: bool) -> Result<Option<bool>> {
        let mut result = Some(!decisive);
        for operand in operands {
            match self.predicate(operand, current)? {
                Some(outcome) if outcome == decisive => result = Some(decisive),
                None if result != Some(decisive) => result = None,
                _ => {}
            }
        }
        Ok(result)
    }

    /// The items to compare. Arrays are unwrapped unless the path is strict.
    fn operands(&self, expression: &Expression, current: &Json) -> Result<Vec<Json>> {
        let items = self.expression(expression, current)?;
        Ok(items.into_iter().flat_map(|item| self.opened(item)).collect())
    }

    fn opened(&self, item: Json) -> Vec<Json> {
        match item {
            Json::Array(items) if !self.strict => items,
            other => vec![other],
        }
    }

    /// Copies a value, and counts the cost.
    fn copied(&self, json: &Json) -> Result<Json> {
        self.budget.work(weight(json))?;
        Ok(json.clone())
    }

    fn step(&self, step: &Step, item: Json, found: &mut Vec<Json>) -> Result<()> {
        self.budget.work(1)?;
        match step {
            Step::Member(name) => {
                for item in self.opened(item) {
                    match item.get(name) {
                        Some(value) => found.push(self.copied(value)?),
                        None if self.strict => return Err(missing(&item, name)),
                        None => {}
                    }
                }
            }
            Step::AnyMember => {
                for item in self.opened(item) {
                    if let Json::Object(members) = item {
                        found.extend(members.into_iter().map(|(_, value)| value));
                    }
                }
            }
            Step::AnyItem => found.extend(self.items(item)?),
            Step::Items(bounds) => {
                let items = self.items(item)?;
                for (first, last) in bounds {
                    self.slice(&items, *first, *last, found)?;
                }
            }
            Step::Filter(filter) => {
                for item in self.opened(item) {
                    if self.predicate(filter, &item)? == Some(true) {
                        found.push(item);
                    }
                }
            }
            Step::Type => found.push(Json::String(kind(&item).to_owned())),
            Step::Size => {
                let size = if let Json::Array(items) = &item { items.len() } else { 1 };
                found.push(Json::Number(size.to_string()));
            }
        }
        Ok(())
    }

    /// The items of an array. Any other value is treated as an array with itself as its only item.
    fn items(&self, item: Json) -> Result<Vec<Json>> {
        match item {
            Json::Array(items) => Ok(items),
            _ if self.strict => Err(SqlError::new(
                SqlState::new("22039"),
                "jsonpath wildcard array accessor can only be applied to an array",
            )),
            other => Ok(vec![other]),
        }
    }

    fn slice(&self, items: &[Json], first: Bound, last: Bound, found: &mut Vec<Json>) -> Result<()> {
        let index = |bound| match bound {
            Bound::At(index) => index,
            Bound::Last(before) => items.len() as i64 - 1 - before,
        };
        let (first, last) = (index(first), index(last));
        if self.strict && (first < 0 || last >= items.len() as i64) {
            return Err(SqlError::new(SqlState::new("22033"), "jsonpath array subscript is out of bounds"));
        }
        let places =
            (first.max(0)..=last.min(items.len() as i64 - 1)).filter_map(|index| place(index, items.len()));
        for place in places {
            // Subscripts may select the same item many times.
            if found.len() > MANY {
                self.budget.hold(ELEMENT)?;
            }
            found.push(self.copied(&items[place])?);
        }
        Ok(())
    }
}

/// The cost of copying a value.
fn weight(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) => 1,
        Json::Number(text) | Json::String(text) => 2 + text.len() / 64,
        Json::Array(items) => 2 + items.iter().map(weight).sum::<usize>(),
        Json::Object(members) => 2 + members.iter().map(|(_, value)| 2 + weight(value)).sum::<usize>(),
    }
}

fn missing(item: &Json, name: &str) -> SqlError {
    match item {
        Json::Object(_) => {
            SqlError::new(SqlState::new("2203A"), format!("JSON object does not contain key \"{name}\""))
        }
        _ => {
            SqlError::new(SqlState::new("2203A"), "jsonpath member accessor can only be applied to an object")
        }
    }
}

/// True if any outcome is true; otherwise unknown if any is unknown.
fn any(outcomes: &mut dyn Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(false);
    for outcome in outcomes {
        match outcome {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

fn compare(left: &Json, symbol: &str, right: &Json) -> Option<bool> {
    let same_kind = kind(left) == kind(right);
    let with_null = *left == Json::Null || *right == Json::Null;
    if !same_kind && with_null {
        return Some(matches!(symbol, "!=" | "<>"));
    }
    if !same_kind || matches!(left, Json::Array(_) | Json::Object(_)) {
        return None;
    }
    let order = left.order(right);
    Some(match symbol {
        "==" => order.is_eq(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => order.is_ne(),
    })
}
