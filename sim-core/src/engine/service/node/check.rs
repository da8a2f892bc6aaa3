//! Checks values against their schema, and lists the problems.

use std::borrow::Cow;
use std::net::IpAddr;

use serde_json::{Map, Value};
use sim_base::manner::Problem;
use sim_base::near;

use super::{Field, Node, Shape, within};

impl Node {
    /// Returns the problems of `value` in field order. Empty if it is valid.
    pub(crate) fn validate(&self, value: &Value) -> Problems {
        let mut problems = Problems::up_to(PROBLEMS_MAX);
        self.check(value, &mut String::new(), &mut problems);
        problems
    }

    /// Whether `value` has no problem.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        let mut problems = Problems::up_to(1);
        self.check(value, &mut String::new(), &mut problems);
        problems.list.is_empty()
    }

    fn check(&self, value: &Value, path: &mut String, problems: &mut Problems) {
        if value.is_null() && self.nullable {
            return;
        }
        let before = problems.list.len();
        if let (Some(words), true) = (&self.pattern_refusal, self.shape.breaks_pattern(value)) {
            problems.add(path, words.clone());
            return;
        }
        self.shape.check(value, path, problems, self.rule.as_deref());
        if let (Some(words), true) = (&self.refusal, problems.list.len() > before) {
            problems.list.truncate(before);
            problems.add(path, words.clone());
        }
    }
}

/// How many problems of an input are reported. Validation stops there.
const PROBLEMS_MAX: usize = 100;

/// How many problems of an input say which name was probably meant. Comparing names takes longer than all other checks.
pub(crate) const QUESTIONS_MAX: usize = 5;

/// Bytes of a field's path, and of a value, that a problem shows.
const SHOWN_BYTES: usize = 200;

/// The problems of an input, up to a number.
#[derive(Debug)]
pub(crate) struct Problems {
    list: Vec<Problem>,
    most: usize,
    /// Whether there is one more than `most`.
    has_more: bool,
}

impl Problems {
    fn up_to(most: usize) -> Problems {
        Problems { list: Vec::new(), most, has_more: false }
    }

    /// Whether no more problem is looked for.
    fn is_full(&self) -> bool {
        self.has_more || (self.most == 1 && !self.list.is_empty())
    }

    /// Adds a problem with the service's full message.
    fn add(&mut self, path: &str, message: String) {
        self.push(Problem { field: cut(path).into_owned(), message, missing: false });
    }

    fn push(&mut self, problem: Problem) {
        if self.list.len() < self.most {
            self.list.push(problem);
        } else {
            self.has_more = true;
        }
    }

    pub(crate) fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Whether there are more problems than the list has.
    pub(crate) fn has_more(&self) -> bool {
        self.has_more
    }
}

/// The beginning of a long text, and how much is left out.
fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= SHOWN_BYTES {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(SHOWN_BYTES);
    Cow::Owned(format!("{}… ({} bytes more)", &text[..end], text.len() - end))
}

/// A problem with the field that it is about.
fn of_field(path: &str, problem: String) -> String {
    if path.is_empty() { problem } else { format!("{}: {problem}", cut(path)) }
}

impl Shape {
    fn check(&self, value: &Value, path: &mut String, problems: &mut Problems, rule: Option<&str>) {
        let mut refuse = |problem: String| {
            let message = of_field(path, problem);
            problems.add(path, message);
        };
        match (self, value) {
            (Shape::Any, _) | (Shape::Boolean, Value::Bool(_)) => {}
            (Shape::Number { min, max }, Value::Number(number)) => {
                let value = number.as_f64().unwrap_or(f64::INFINITY);
                if let Some(min) = min.filter(|min| value < *min) {
                    refuse(format!("Number must be greater than or equal to {min}"));
                } else if let Some(max) = max.filter(|max| value > *max) {
                    refuse(format!("Number must be less than or equal to {max}"));
                }
            }
            (Shape::Integer { min, max }, Value::Number(number)) => {
                if let Some(problem) = integer_problem(number, *min, *max) {
                    refuse(problem);
                }
            }
            (Shape::Text { min, max, pattern, format, is_any }, Value::String(text)) => {
                let length = text.chars().count();
                if length < *min {
                    refuse(format!("String must contain at least {min} character(s)"));
                } else if length > *max {
                    refuse(format!("String must contain at most {max} character(s)"));
                } else if pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
                    let shape = || {
                        format!("a string matching {}", pattern.as_ref().map_or("", |pattern| &pattern.text))
                    };
                    refuse(format!("Invalid, must be {}", rule.map_or_else(shape, str::to_owned)));
                } else if text.contains('\0') && !is_any {
                    refuse("Invalid, must not contain U+0000".to_owned());
                } else if let Some(problem) = format.as_deref().and_then(|name| format_problem(name, text)) {
                    refuse(problem);
                }
            }
            (Shape::Names(names), Value::String(text)) if names.contains(text) => {}
            (Shape::Names(names), Value::String(text)) => {
                let expected = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" | ");
                refuse(format!("Invalid enum value. Expected {expected}, received '{}'", cut(text)));
            }
            (Shape::List { items, min, max }, Value::Array(list)) => {
                if list.len() < *min {
                    refuse(format!("Array must contain at least {min} element(s)"));
                } else if list.len() > *max {
                    refuse(format!("Array must contain at most {max} element(s)"));
                }
                for (index, item) in list.iter().enumerate() {
                    if problems.is_full() {
                        return;
                    }
                    within(path, &index.to_string(), |path| items.check(item, path, problems));
                }
            }
            (Shape::Object { fields, closed, rest, .. }, Value::Object(object)) => {
                check_object(fields, *closed, rest.as_deref(), object, path, problems);
            }
            (Shape::Either(nodes), value) => {
                if nodes.iter().all(|node| !node.accepts(value)) {
                    match meant(nodes, value) {
                        Some(node) => node.check(value, path, problems),
                        None if lacks_tag(nodes, value, path, problems) => {}
                        None => problems.add(path, of_field(path, "Invalid input".to_owned())),
                    }
                }
            }
            (expected, received) => {
                refuse(format!("Expected {}, received {}", expected.name(), value_name(received)));
            }
        }
    }

    /// Whether `value` is a text of valid length that does not match the pattern.
    fn breaks_pattern(&self, value: &Value) -> bool {
        let (Shape::Text { min, max, pattern: Some(pattern), .. }, Some(text)) = (self, value.as_str())
        else {
            return false;
        };
        (*min..=*max).contains(&text.chars().count()) && !pattern.is_match(text)
    }

    fn name(&self) -> &'static str {
        match self {
            Shape::Any | Shape::Either(_) => "a value",
            Shape::Boolean => "boolean",
            Shape::Integer { .. } => "integer",
            Shape::Number { .. } => "number",
            Shape::Text { .. } | Shape::Names(_) => "string",
            Shape::List { .. } => "array",
            Shape::Object { .. } => "object",
        }
    }
}

/// The alternative that `value` is meant for: the only one, or the one whose tag it has. A tag is a field with one possible
/// value, such as `kind`.
fn meant<'n>(nodes: &'n [Node], value: &Value) -> Option<&'n Node> {
    if let [only] = nodes {
        return Some(only);
    }
    let mut tagged = nodes.iter().filter(|node| has_tag_of(&node.shape, value));
    tagged.next().filter(|_| tagged.next().is_none())
}

/// Reports a `value` without a tag, with an unknown one, or that can't have one. Returns `false` if the alternatives have no tags.
fn lacks_tag(nodes: &[Node], value: &Value, path: &mut String, problems: &mut Problems) -> bool {
    let tags: Option<Vec<_>> = nodes.iter().map(|node| tag(&node.shape)).collect();
    let Some(tags) = tags.filter(|tags| tags.iter().all(|(field, _)| *field == tags[0].0)) else {
        return false;
    };
    let Value::Object(object) = value else {
        problems.add(path, of_field(path, format!("Expected object, received {}", value_name(value))));
        return true;
    };
    let names = tags.iter().map(|(_, name)| (*name).to_owned()).collect();
    within(path, tags[0].0, |path| match object.get(tags[0].0) {
        Some(value) => Shape::Names(names).check(value, path, problems, None),
        None => problems.push(Problem {
            field: path.clone(),
            message: format!("{path}: Required"),
            missing: true,
        }),
    });
    true
}

/// The field of an object that has one possible value, and the value.
fn tag(shape: &Shape) -> Option<(&str, &str)> {
    let Shape::Object { fields, .. } = shape else { return None };
    fields.iter().find_map(|field| match &field.node.shape {
        Shape::Names(names) if field.required => {
            names.first().filter(|_| names.len() == 1).map(|one| (&*field.name, &**one))
        }
        _ => None,
    })
}

fn has_tag_of(shape: &Shape, value: &Value) -> bool {
    tag(shape).is_some_and(|(field, name)| value.get(field).and_then(Value::as_str) == Some(name))
}

fn check_object(
    fields: &[Field],
    closed: bool,
    rest: Option<&Node>,
    object: &Map<String, Value>,
    path: &mut String,
    problems: &mut Problems,
) {
    for field in fields {
        within(path, field.published(), |path| match object.get(&field.name) {
            Some(value) => field.node.check(value, path, problems),
            None if field.node.instead.as_ref().is_some_and(|other| object.contains_key(other)) => {}
            None if field.required => {
                let (field, message) = (cut(path).into_owned(), format!("{}: Required", cut(path)));
                problems.push(Problem { field, message, missing: true });
            }
            None => {}
        });
    }
    if rest.is_none() && !closed {
        return;
    }
    for (name, value) in object.iter().filter(|(name, _)| fields.iter().all(|f| f.name != **name)) {
        if problems.is_full() {
            return;
        }
        within(path, name, |path| match rest {
            Some(rest) => rest.check(value, path, problems),
            None => {
                let names: Vec<&str> = fields.iter().map(Field::published).collect();
                let asks = problems.list.len() < QUESTIONS_MAX;
                let question = near::question(name, names.iter().copied().filter(|_| asks));
                let names = names.join(", ");
                problems
                    .add(path, format!("{}: Unrecognized key, expected one of {names}{question}", cut(path)));
            }
        });
    }
}

fn integer_problem(number: &serde_json::Number, min: Option<i64>, max: Option<i64>) -> Option<String> {
    let Some(value) = number.as_i64() else {
        let float = number.as_f64().unwrap_or(f64::INFINITY);
        return Some(if float.fract() != 0.0 {
            "Expected integer, received float".to_owned()
        } else if float < 0.0 {
            format!("Number must be greater than or equal to {}", min.unwrap_or(i64::MIN))
        } else {
            format!("Number must be less than or equal to {}", max.unwrap_or(i64::MAX))
        });
    };
    match (min, max) {
        (Some(min), _) if value < min => Some(format!("Number must be greater than or equal to {min}")),
        (_, Some(max)) if value > max => Some(format!("Number must be less than or equal to {max}")),
        _ => None,
    }
}

fn format_problem(format: &str, text: &str) -> Option<String> {
    match format {
        "uuid" if uuid::Uuid::try_parse(text).is_err() || text.len() != 36 => Some("Invalid uuid".to_owned()),
        "date-time" if text.parse::<jiff::Timestamp>().is_err() => {
            Some("Invalid datetime, expected RFC 3339 as in 2026-01-01T00:00:00Z".to_owned())
        }
        "ip" if text.parse::<IpAddr>().is_err() => Some("Invalid, must be an IP address".to_owned()),
        "uri" if text.parse::<http::Uri>().map_or(true, |uri| uri.scheme().is_none()) => {
            Some("Invalid url".to_owned())
        }
        _ => None,
    }
}

fn value_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
