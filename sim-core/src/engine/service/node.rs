//! Compiled schemas, which validation, masking and renaming walk.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::Regex;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use sim_base::manner::Problem;
use sim_base::schema::{DROPPED, MASK};

use crate::engine::service::names::{Names, Way};

/// How many unknown fields of an input are named.
pub(super) const UNKNOWN_MAX: usize = 50;

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Node {
    shape: Shape,
    nullable: bool,
    secret: bool,
    /// Whether anything at or below this node is secret.
    hides: bool,
    /// Whether anything at or below this node has fields that the edition does not have.
    reduces: bool,
    /// The service's full message for an invalid value.
    refusal: Option<String>,
    /// Describes a valid value, for the message when the pattern does not match.
    rule: Option<String>,
    /// The service's full message for a value that the pattern does not match.
    pattern_refusal: Option<String>,
    /// Another name under which clients may send the field.
    alias: Option<String>,
    /// Another field that may be present instead of this one.
    instead: Option<String>,
}

#[derive(Debug)]
enum Shape {
    Any,
    Boolean,
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Number {
        min: Option<f64>,
        max: Option<f64>,
    },
    Text {
        min: usize,
        max: usize,
        pattern: Option<Pattern>,
        format: Option<String>,
    },
    Names(Vec<String>),
    List {
        items: Box<Node>,
        min: usize,
        max: usize,
    },
    Object {
        fields: Vec<Field>,
        closed: bool,
        /// Whether it may have any other field.
        is_free: bool,
        rest: Option<Box<Node>>,
        /// Fields that the type has but the edition does not.
        dropped: Vec<String>,
    },
    Either(Vec<Node>),
}

#[derive(Debug)]
struct Field {
    name: String,
    required: bool,
    node: Node,
}

/// A pattern, compiled on first use. Most patterns are never used in a run, and a process should start fast.
#[derive(Debug)]
struct Pattern {
    text: String,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        Pattern { text: text.to_owned(), compiled: OnceLock::new() }
    }

    fn is_match(&self, text: &str) -> bool {
        let compile = || Regex::new(&self.text).expect("a declared pattern is a regular expression");
        self.compiled.get_or_init(compile).is_match(text)
    }
}

impl Node {
    /// Compiles `schema`; references are looked up in `definitions`.
    pub(crate) fn compile(schema: &Value, definitions: &Map<String, Value>) -> Node {
        let empty = Map::new();
        let schema = schema.as_object().unwrap_or(&empty);
        let mut node = match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let name = reference.rsplit('/').next().unwrap_or_default();
                Node::compile(&definitions[name], definitions)
            }
            None => {
                let shape = Shape::compile(schema, definitions);
                let hides = shape.children().any(|child| child.hides);
                let reduces = shape.drops() || shape.children().any(|child| child.reduces);
                Node {
                    shape,
                    nullable: is_nullable(schema),
                    secret: false,
                    hides,
                    reduces,
                    refusal: None,
                    rule: None,
                    pattern_refusal: None,
                    alias: None,
                    instead: None,
                }
            }
        };
        node.secret |= schema.contains_key("x-secret");
        node.hides |= node.secret;
        let text = |key| schema.get(key).and_then(Value::as_str).map(str::to_owned);
        node.refusal = text("x-refusal").or(node.refusal);
        node.rule = text("x-rule").or(node.rule);
        node.pattern_refusal = text("x-pattern-refusal").or(node.pattern_refusal);
        node.alias = text("x-alias");
        node.instead = text("x-instead");
        node
    }

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

    /// Adds the paths of the fields that the schema does not have, below `path`: the first [`UNKNOWN_MAX`]. An object
    /// that may have any field has none.
    pub(crate) fn unknown(&self, value: &Value, path: &mut String, found: &mut Vec<String>) {
        match (&self.shape, value) {
            (Shape::Object { fields, rest, is_free, .. }, Value::Object(object)) => {
                for (name, value) in object {
                    if found.len() >= UNKNOWN_MAX {
                        return;
                    }
                    let field = fields.iter().find(|field| field.name == *name).map(|field| &field.node);
                    match field.or(rest.as_deref()) {
                        Some(node) => within(path, name, |path| node.unknown(value, path, found)),
                        None if *is_free => {}
                        None => found.push(format!("{path}.{name}")),
                    }
                }
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                for (index, value) in list.iter().enumerate() {
                    within(path, &index.to_string(), |path| items.unknown(value, path, found));
                }
            }
            (Shape::Either(nodes), value) => {
                let node = nodes.iter().find(|node| node.accepts(value));
                node.into_iter().for_each(|node| node.unknown(value, path, found));
            }
            _ => {}
        }
    }

    /// Whether [`reduce`](Node::reduce) changes anything.
    pub(crate) fn reduces(&self) -> bool {
        self.reduces
    }

    /// Removes fields that the edition does not have.
    pub(crate) fn reduce(&self, value: &mut Value) {
        match (&self.shape, value) {
            _ if !self.reduces => {}
            (Shape::Object { fields, rest, dropped, .. }, Value::Object(object)) => {
                object.retain(|name, _| !dropped.contains(name));
                for (name, value) in object {
                    let field = fields.iter().find(|field| field.name == *name).map(|field| &field.node);
                    field.or(rest.as_deref()).into_iter().for_each(|node| node.reduce(value));
                }
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                list.iter_mut().for_each(|value| items.reduce(value));
            }
            (Shape::Either(nodes), value) => nodes.iter().for_each(|node| node.reduce(value)),
            _ => {}
        }
    }

    /// Renames fields sent under their alias to their own name. If both names are present with different values,
    /// neither changes.
    pub(crate) fn unalias(&self, mut value: Value) -> Value {
        let (Shape::Object { fields, .. }, Value::Object(object)) = (&self.shape, &mut value) else {
            return value;
        };
        for Field { name, node, .. } in fields {
            let Some(alias) = &node.alias else { continue };
            if object.get(name).is_none_or(|own| object.get(alias) == Some(own))
                && let Some(given) = object.shift_remove(alias)
            {
                object.insert(name.clone(), given);
            }
        }
        value
    }

    /// The compiled schema of field `name`, if this is an object with that field.
    pub(crate) fn field(&self, name: &str) -> Option<&Node> {
        match &self.shape {
            Shape::Object { fields, .. } => fields.iter().find(|f| f.name == name).map(|f| &f.node),
            _ => None,
        }
    }

    /// Whether this is an object that requires field `name`.
    pub(crate) fn requires(&self, name: &str) -> bool {
        match &self.shape {
            Shape::Object { fields, .. } => fields.iter().any(|field| field.required && field.name == name),
            _ => false,
        }
    }

    /// Whether a value of this schema may contain secrets: see [`Masked`].
    pub(crate) fn hides(&self) -> bool {
        self.hides
    }

    /// Translates declared names and enum members to the other spelling. Undeclared keys do not change.
    pub(crate) fn respell(&self, value: Value, names: &Names, way: Way) -> Value {
        match (&self.shape, value) {
            (Shape::Object { .. }, Value::Object(object)) => {
                let fields = object.into_iter();
                Value::Object(fields.map(|(key, value)| self.respell_field(key, value, names, way)).collect())
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                list.into_iter().map(|value| items.respell(value, names, way)).collect()
            }
            (Shape::Names(_), Value::String(text)) => Value::from(names.spell(way, &text).unwrap_or(text)),
            (Shape::Either(nodes), value) => {
                nodes.iter().fold(value, |value, node| node.respell(value, names, way))
            }
            (_, value) => value,
        }
    }

    /// Like [`respell`](Node::respell), for one field of an object.
    pub(crate) fn respell_field(
        &self,
        key: String,
        value: Value,
        names: &Names,
        way: Way,
    ) -> (String, Value) {
        let Shape::Object { fields, rest, .. } = &self.shape else { return (key, value) };
        let other = names.spell(way, &key);
        let neutral = if way == Way::In { other.as_deref().unwrap_or(&key) } else { &key };
        match (fields.iter().find(|field| field.name == neutral), rest) {
            (Some(field), _) => {
                let value = field.node.respell(value, names, way);
                (other.unwrap_or(key), value)
            }
            (None, Some(rest)) => (key, rest.respell(value, names, way)),
            (None, None) => (key, value),
        }
    }

    /// Reads query text as the schema's type. Text that does not parse stays text, so that validation refuses it
    /// with the field's name.
    pub(crate) fn read_text(&self, values: &[Cow<'_, str>]) -> Value {
        let last = values.last().map_or("", |text| text.as_ref());
        let as_is = || Value::from(last);
        match &self.shape {
            Shape::List { items, .. } => values
                .iter()
                .flat_map(|text| text.split(','))
                .filter(|text| !text.is_empty())
                .map(|text| items.read_text(&[Cow::Borrowed(text)]))
                .collect(),
            Shape::Integer { .. } => last.parse::<i64>().map_or_else(|_| as_is(), Value::from),
            Shape::Number { .. } => last.parse::<f64>().map_or_else(|_| as_is(), Value::from),
            Shape::Boolean => last.parse::<bool>().map_or_else(|_| as_is(), Value::from),
            _ => as_is(),
        }
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

fn is_nullable(schema: &Map<String, Value>) -> bool {
    let null = json!("null");
    match schema.get("type") {
        Some(Value::Array(types)) => types.contains(&null),
        Some(one) => *one == null,
        None => schema
            .get("anyOf")
            .and_then(Value::as_array)
            .is_some_and(|all| all.iter().any(|one| one.get("type") == Some(&null))),
    }
}

/// A value with its secrets masked: [`MASK`] replaces every value that the schema marks as secret.
pub(crate) struct Masked<'a> {
    /// `None` if the schema does not describe the value.
    pub node: Option<&'a Node>,
    pub value: &'a Value,
}

impl Serialize for Masked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        let Some(node) = self.node.filter(|node| !node.secret || value.is_null()) else {
            return serializer.serialize_str(MASK);
        };
        match (&node.shape, value) {
            _ if !node.hides => value.serialize(serializer),
            (Shape::Object { fields, rest, .. }, Value::Object(object)) => {
                serializer.collect_map(object.iter().map(|(name, value)| {
                    let field = fields.iter().find(|field| field.name == *name).map(|field| &field.node);
                    (name, Masked { node: field.or(rest.as_deref()), value })
                }))
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                serializer.collect_seq(list.iter().map(|value| Masked { node: Some(items), value }))
            }
            (Shape::Either(nodes), value) => {
                let node = nodes.iter().find(|node| node.accepts(value));
                Masked { node, value }.serialize(serializer)
            }
            (_, Value::Null) => serializer.serialize_unit(),
            // The value does not have the schema's shape, so the secret could be anywhere in it.
            _ => serializer.serialize_str(MASK),
        }
    }
}

impl Shape {
    fn compile(schema: &Map<String, Value>, definitions: &Map<String, Value>) -> Shape {
        let number = |key: &str| schema.get(key).and_then(Value::as_i64);
        let float = |key: &str| schema.get(key).and_then(Value::as_f64);
        let count = |key: &str| schema.get(key).and_then(Value::as_u64).map(|n| n as usize);
        if let Some(names) = schema.get("enum").and_then(Value::as_array) {
            return Shape::Names(names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(nodes) = schema.get(key).and_then(Value::as_array) {
                let real = nodes.iter().filter(|one| one.get("type") != Some(&json!("null")));
                return Shape::Either(real.map(|one| Node::compile(one, definitions)).collect());
            }
        }
        match type_name(schema) {
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer { min: number("minimum"), max: number("maximum") },
            "number" => Shape::Number { min: float("minimum"), max: float("maximum") },
            "string" => Shape::Text {
                min: count("minLength").unwrap_or(0),
                max: count("maxLength").unwrap_or(usize::MAX),
                pattern: schema.get("pattern").and_then(Value::as_str).map(Pattern::new),
                format: schema.get("format").and_then(Value::as_str).map(str::to_owned),
            },
            "array" => Shape::List {
                items: Box::new(Node::compile(schema.get("items").unwrap_or(&Value::Null), definitions)),
                min: count("minItems").unwrap_or(0),
                max: count("maxItems").unwrap_or(usize::MAX),
            },
            "object" => Shape::object(schema, definitions),
            _ => Shape::Any,
        }
    }

    fn object(schema: &Map<String, Value>, definitions: &Map<String, Value>) -> Shape {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
        let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let rest = schema.get("additionalProperties");
        Shape::Object {
            fields: fields
                .map(|(name, field)| Field {
                    name: name.clone(),
                    required: is_required(name),
                    node: Node::compile(field, definitions),
                })
                .collect(),
            dropped: texts(schema.get(DROPPED)),
            closed: rest == Some(&Value::Bool(false)),
            is_free: rest == Some(&Value::Bool(true)) || schema.get("properties").is_none(),
            rest: rest.filter(|rest| rest.is_object()).map(|rest| Box::new(Node::compile(rest, definitions))),
        }
    }

    /// Whether the type has fields that the edition does not have.
    fn drops(&self) -> bool {
        matches!(self, Shape::Object { dropped, .. } if !dropped.is_empty())
    }

    fn children(&self) -> Box<dyn Iterator<Item = &Node> + '_> {
        match self {
            Shape::List { items, .. } => Box::new(std::iter::once(&**items)),
            Shape::Object { fields, rest, .. } => {
                Box::new(fields.iter().map(|field| &field.node).chain(rest.as_deref()))
            }
            Shape::Either(nodes) => Box::new(nodes.iter()),
            _ => Box::new(std::iter::empty()),
        }
    }

    fn check(&self, value: &Value, path: &mut String, problems: &mut Problems, rule: Option<&str>) {
        let mut refuse = |problem: String| {
            let message = if path.is_empty() { problem } else { format!("{}: {problem}", cut(path)) };
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
            (Shape::Text { min, max, pattern, format }, Value::String(text)) => {
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
                    match &nodes[..] {
                        [only] => only.check(value, path, problems),
                        _ => refuse("Invalid input".to_owned()),
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

fn check_object(
    fields: &[Field],
    closed: bool,
    rest: Option<&Node>,
    object: &Map<String, Value>,
    path: &mut String,
    problems: &mut Problems,
) {
    for field in fields {
        within(path, &field.name, |path| match object.get(&field.name) {
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
                let names = fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
                problems.add(path, format!("{}: Unrecognized key, expected one of {names}", cut(path)));
            }
        });
    }
}

/// Runs `check` with `name` appended to the dotted path.
fn within(path: &mut String, name: &str, check: impl FnOnce(&mut String)) {
    let length = path.len();
    if length > 0 {
        path.push('.');
    }
    path.push_str(name);
    check(path);
    path.truncate(length);
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
        "uri" if text.parse::<http::Uri>().map_or(true, |uri| uri.scheme().is_none()) => {
            Some("Invalid url".to_owned())
        }
        _ => None,
    }
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn type_name(schema: &Map<String, Value>) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or_default()
        }
        _ => "",
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
