//! `jsonb_path_query` and its siblings in PostgreSQL's dialect: paths in lax mode, with filters.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

use regex::Regex;
use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;

use super::{Arguments, Function, fail, json, refused};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_json_path", call: |a| run(a, |found, _| Ok(Json::Array(found).to_string().into())) },
    Function { name: "wh_json_path_exists", call: |a| run(a, |found, _| Ok((!found.is_empty()).into())) },
    Function { name: "wh_json_path_match", call: |a| run(a, truth) },
];

/// What stands in a text of the query.
pub(crate) struct Path(Whole);

enum Whole {
    Items(Items),
    Test(Test),
}

/// Where a path begins, and its steps.
struct Items {
    start: Start,
    steps: Vec<Step>,
}

enum Start {
    Root,
    /// The value that a filter looks at: `@`
    Current,
    Literal(Json),
}

enum Step {
    Member(String),
    Members,
    Elements,
    Range(Place, Place),
    Method(Method),
    Filter(Test),
}

#[derive(Clone, Copy)]
enum Place {
    At(usize),
    BeforeLast(usize),
}

#[derive(Clone, Copy)]
enum Method {
    Size,
    Type,
    Abs,
    Floor,
    Ceiling,
    Double,
}

enum Test {
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Not(Box<Test>),
    Exists(Items),
    Compare(Items, Compared, Items),
    Begins(Items, String),
    Matches(Items, Regex),
}

#[derive(Clone, Copy, PartialEq)]
enum Compared {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// How deep filters may nest.
const DEPTH_MAX: usize = 20;

impl Path {
    /// Reads a path; `None` for a form that is not known here.
    pub(crate) fn of(text: &str) -> Option<Path> {
        /// Terms of a filter are in each other.
        const LENGTH_MAX: usize = 2_000;
        let text = text.trim();
        if text.len() > LENGTH_MAX {
            return None;
        }
        let text = text.strip_prefix("lax ").unwrap_or(text);
        let mut reader = Reader { signs: text.chars().peekable(), depth: 0 };
        let whole = reader.whole()?;
        reader.blank();
        reader.signs.peek().is_none().then_some(Path(whole))
    }
}

struct Reader<'t> {
    signs: Peekable<Chars<'t>>,
    depth: usize,
}

impl Reader<'_> {
    fn whole(&mut self) -> Option<Whole> {
        let rest = self.signs.clone();
        if let Some(items) = self.items() {
            self.blank();
            if self.signs.peek().is_none() {
                return Some(Whole::Items(items));
            }
        }
        self.signs = rest;
        self.test().map(Whole::Test)
    }

    fn blank(&mut self) {
        while self.signs.next_if(char::is_ascii_whitespace).is_some() {}
    }

    fn takes(&mut self, text: &str) -> bool {
        self.blank();
        let mut ahead = self.signs.clone();
        let found = text.chars().all(|sign| ahead.next() == Some(sign));
        let ends = !text.ends_with(char::is_alphabetic)
            || ahead.peek().is_none_or(|sign| !sign.is_alphanumeric() && *sign != '_');
        if found && ends {
            self.signs = ahead;
        }
        found && ends
    }

    fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        while let Some(sign) = self.signs.next_if(|sign| sign.is_alphanumeric() || *sign == '_') {
            word.push(sign);
        }
        (!word.is_empty()).then_some(word)
    }

    fn quoted(&mut self) -> Option<String> {
        let mut text = "\"".to_owned();
        self.signs.next_if_eq(&'"')?;
        loop {
            let sign = self.signs.next()?;
            text.push(sign);
            match sign {
                '\\' => text.push(self.signs.next()?),
                '"' => return serde_json::from_str(&text).ok(),
                _ => {}
            }
        }
    }

    fn items(&mut self) -> Option<Items> {
        self.blank();
        let start = match self.signs.peek()? {
            '$' => {
                self.signs.next();
                // A variable has a name.
                if self.signs.peek().is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '"')) {
                    return None;
                }
                Start::Root
            }
            '@' => {
                self.signs.next();
                Start::Current
            }
            '"' => Start::Literal(self.quoted()?.into()),
            '-' | '0'..='9' => {
                let mut text = String::new();
                while let Some(sign) =
                    self.signs.next_if(|sign| sign.is_ascii_digit() || matches!(sign, '-' | '.' | 'e' | 'E'))
                {
                    text.push(sign);
                }
                Start::Literal(serde_json::from_str(&text).ok()?)
            }
            _ => match self.word()?.as_str() {
                "true" => Start::Literal(true.into()),
                "false" => Start::Literal(false.into()),
                "null" => Start::Literal(Json::Null),
                _ => return None,
            },
        };
        let mut steps = Vec::new();
        if matches!(start, Start::Literal(_)) {
            return Some(Items { start, steps });
        }
        loop {
            self.blank();
            match self.signs.peek() {
                Some('.') => {
                    self.signs.next();
                    steps.push(self.member()?);
                }
                Some('[') => {
                    self.signs.next();
                    steps.push(self.elements()?);
                }
                Some('?') => {
                    self.signs.next();
                    if !self.takes("(") {
                        return None;
                    }
                    let test = self.test()?;
                    if !self.takes(")") {
                        return None;
                    }
                    steps.push(Step::Filter(test));
                }
                _ => return Some(Items { start, steps }),
            }
        }
    }

    fn member(&mut self) -> Option<Step> {
        self.blank();
        match self.signs.peek()? {
            '*' => {
                self.signs.next();
                (self.signs.peek() != Some(&'*')).then_some(Step::Members)
            }
            '"' => self.quoted().map(Step::Member),
            _ => {
                let name = self.word()?;
                if !self.takes("(") {
                    return Some(Step::Member(name));
                }
                let method = match name.as_str() {
                    "size" => Method::Size,
                    "type" => Method::Type,
                    "abs" => Method::Abs,
                    "floor" => Method::Floor,
                    "ceiling" => Method::Ceiling,
                    "double" => Method::Double,
                    _ => return None,
                };
                self.takes(")").then_some(Step::Method(method))
            }
        }
    }

    fn elements(&mut self) -> Option<Step> {
        if self.takes("*") {
            return self.takes("]").then_some(Step::Elements);
        }
        let first = self.place()?;
        let last = if self.takes("to") { self.place()? } else { first };
        self.takes("]").then_some(Step::Range(first, last))
    }

    fn place(&mut self) -> Option<Place> {
        let number = |reader: &mut Self| {
            reader.blank();
            reader.word()?.parse::<usize>().ok()
        };
        if !self.takes("last") {
            return number(self).map(Place::At);
        }
        match self.takes("-") {
            true => number(self).map(Place::BeforeLast),
            false => Some(Place::BeforeLast(0)),
        }
    }

    fn test(&mut self) -> Option<Test> {
        if self.depth == DEPTH_MAX {
            return None;
        }
        self.depth += 1;
        let mut test = self.all()?;
        while self.takes("||") {
            test = Test::Or(Box::new(test), Box::new(self.all()?));
        }
        self.depth -= 1;
        Some(test)
    }

    fn all(&mut self) -> Option<Test> {
        let mut test = self.single()?;
        while self.takes("&&") {
            test = Test::And(Box::new(test), Box::new(self.single()?));
        }
        Some(test)
    }

    fn single(&mut self) -> Option<Test> {
        if self.takes("!") {
            if !self.takes("(") {
                return None;
            }
            let test = self.test()?;
            return self.takes(")").then(|| Test::Not(Box::new(test)));
        }
        if self.takes("exists") {
            if !self.takes("(") {
                return None;
            }
            let items = self.items()?;
            return self.takes(")").then_some(Test::Exists(items));
        }
        if self.takes("(") {
            let test = self.test()?;
            return self.takes(")").then_some(test);
        }
        let left = self.items()?;
        if self.takes("starts") {
            if !self.takes("with") {
                return None;
            }
            self.blank();
            return self.quoted().map(|start| Test::Begins(left, start));
        }
        if self.takes("like_regex") {
            self.blank();
            let pattern = self.quoted()?;
            let flags = if self.takes("flag") {
                self.blank();
                self.quoted()?
            } else {
                String::new()
            };
            let flags = match flags.as_str() {
                "" => "",
                "i" => "(?i)",
                _ => return None,
            };
            return Regex::new(&format!("{flags}{pattern}")).ok().map(|regex| Test::Matches(left, regex));
        }
        let known = [
            ("==", Compared::Equal),
            ("!=", Compared::Unequal),
            ("<>", Compared::Unequal),
            ("<=", Compared::LessOrEqual),
            (">=", Compared::GreaterOrEqual),
            ("<", Compared::Less),
            (">", Compared::Greater),
        ];
        let (_, compared) = known.into_iter().find(|(text, _)| self.takes(text))?;
        Some(Test::Compare(left, compared, self.items()?))
    }
}

fn run(a: &Arguments<'_, '_>, answer: fn(Vec<Json>, Option<Option<bool>>) -> Result<Value>) -> Result<Value> {
    let Some(Path(whole)) = Path::of(a.text(1)) else {
        return fail("this JSON path is not supported");
    };
    let root = json::parse(a.text(0))?;
    let walk = Walk { a, root: &root };
    match &whole {
        Whole::Items(items) => answer(walk.items(items, &root)?, None),
        Whole::Test(test) => {
            let truth = walk.test(test, &root)?;
            answer(vec![truth.map_or(Json::Null, Json::Bool)], Some(truth))
        }
    }
}

/// Only a truth value is one.
fn truth(found: Vec<Json>, _: Option<Option<bool>>) -> Result<Value> {
    match found.as_slice() {
        [Json::Bool(truth)] => Ok((*truth).into()),
        _ => Ok(Value::Null),
    }
}

struct Walk<'w, 'a, 'c> {
    a: &'w Arguments<'a, 'c>,
    root: &'w Json,
}

impl Walk<'_, '_, '_> {
    fn items(&self, items: &Items, current: &Json) -> Result<Vec<Json>> {
        let mut found = vec![match &items.start {
            Start::Root => self.root.clone(),
            Start::Current => current.clone(),
            Start::Literal(value) => value.clone(),
        }];
        for step in &items.steps {
            self.a.budget.work(5 * (1 + found.len())).map_err(refused)?;
            let mut next = Vec::new();
            for value in found {
                self.step(step, value, &mut next)?;
            }
            found = next;
        }
        Ok(found)
    }

    fn step(&self, step: &Step, value: Json, next: &mut Vec<Json>) -> Result<()> {
        match (step, value) {
            // Lists are unwrapped once.
            (Step::Member(_) | Step::Members, Json::Array(elements)) => {
                for element in elements.into_iter().filter(Json::is_object) {
                    self.step(step, element, next)?;
                }
            }
            (Step::Member(name), Json::Object(mut object)) => next.extend(object.remove(name)),
            (Step::Members, Json::Object(object)) => {
                let mut members: Vec<(String, Json)> = object.into_iter().collect();
                // In the order of `jsonb`.
                members
                    .sort_by(|(one, _), (other, _)| one.len().cmp(&other.len()).then_with(|| one.cmp(other)));
                next.extend(members.into_iter().map(|(_, value)| value));
            }
            (Step::Member(_) | Step::Members, _) => {}
            (Step::Elements, Json::Array(elements)) => next.extend(elements),
            (Step::Elements, other) => next.push(other),
            (Step::Range(first, last), value) => {
                let elements = match value {
                    Json::Array(elements) => elements,
                    other => vec![other],
                };
                let place = |place: &Place| match place {
                    Place::At(place) => Some(*place),
                    Place::BeforeLast(count) => elements.len().checked_sub(count + 1),
                };
                if let (Some(first), Some(last)) = (place(first), place(last)) {
                    let count = (last + 1).saturating_sub(first);
                    next.extend(elements.into_iter().skip(first).take(count));
                }
            }
            (Step::Method(method), value) => next.push(applied(*method, &value)?),
            (Step::Filter(test), Json::Array(elements)) => {
                for element in elements {
                    if self.test(test, &element)? == Some(true) {
                        next.push(element);
                    }
                }
            }
            (Step::Filter(test), value) => {
                if self.test(test, &value)? == Some(true) {
                    next.push(value);
                }
            }
        }
        Ok(())
    }

    fn test(&self, test: &Test, current: &Json) -> Result<Option<bool>> {
        self.a.budget.work(5).map_err(refused)?;
        Ok(match test {
            Test::And(one, other) => match (self.test(one, current)?, self.test(other, current)?) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Test::Or(one, other) => match (self.test(one, current)?, self.test(other, current)?) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Test::Not(test) => self.test(test, current)?.map(|truth| !truth),
            Test::Exists(items) => Some(!self.items(items, current)?.is_empty()),
            Test::Compare(left, how, right) => {
                let (left, right) = (self.scalars(left, current)?, self.scalars(right, current)?);
                self.a.budget.work(left.len().saturating_mul(right.len())).map_err(refused)?;
                any(left.iter().flat_map(|left| right.iter().map(|right| compared(left, *how, right))))
            }
            Test::Begins(items, start) => any(self
                .scalars(items, current)?
                .iter()
                .map(|value| value.as_str().map(|text| text.starts_with(start.as_str())))),
            Test::Matches(items, regex) => any(self
                .scalars(items, current)?
                .iter()
                .map(|value| value.as_str().map(|text| regex.is_match(text)))),
        })
    }

    /// The values, with lists unwrapped once.
    fn scalars(&self, items: &Items, current: &Json) -> Result<Vec<Json>> {
        let found = self.items(items, current)?;
        let unwrapped = found.into_iter().flat_map(|value| match value {
            Json::Array(elements) => elements,
            other => vec![other],
        });
        Ok(unwrapped.collect())
    }
}

/// Whether one of them is true; unknown if that is not clear.
fn any(tests: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(false);
    for test in tests {
        match test {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

fn compared(left: &Json, how: Compared, right: &Json) -> Option<bool> {
    let order = match (left, right) {
        (Json::Null, Json::Null) => Ordering::Equal,
        (Json::Null, _) | (_, Json::Null) => return Some(how == Compared::Unequal),
        (Json::Bool(one), Json::Bool(other)) => one.cmp(other),
        (Json::Number(one), Json::Number(other)) => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => one.as_f64()?.partial_cmp(&other.as_f64()?)?,
        },
        (Json::String(one), Json::String(other)) => one.cmp(other),
        _ => return None,
    };
    Some(match how {
        Compared::Equal => order.is_eq(),
        Compared::Unequal => order.is_ne(),
        Compared::Less => order.is_lt(),
        Compared::LessOrEqual => order.is_le(),
        Compared::Greater => order.is_gt(),
        Compared::GreaterOrEqual => order.is_ge(),
    })
}

fn applied(method: Method, value: &Json) -> Result<Json> {
    let number = |name: &str, change: fn(f64) -> f64| match value {
        Json::Number(number) if number.is_i64() && name != "abs" => Ok(value.clone()),
        Json::Number(number) => {
            let changed = change(number.as_f64().unwrap_or(0.0));
            let whole = changed as i64;
            Ok(if whole as f64 == changed { whole.into() } else { changed.into() })
        }
        _ => fail(format!("jsonpath item method .{name}() can only be applied to a numeric value")),
    };
    match (method, value) {
        (Method::Size, Json::Array(elements)) => Ok(elements.len().into()),
        (Method::Size, _) => Ok(1.into()),
        (Method::Type, value) => Ok(match value {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
        .into()),
        (Method::Double, Json::String(text)) => match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(serde_json::json!(number)),
            _ => fail(
                "string argument of jsonpath item method .double() is not a valid representation of a double precision number",
            ),
        },
        (Method::Double, _) => number("double", |number| number),
        (Method::Abs, _) => number("abs", f64::abs),
        (Method::Floor, _) => number("floor", f64::floor),
        (Method::Ceiling, _) => number("ceiling", f64::ceil),
    }
}
