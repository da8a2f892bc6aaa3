//! Compiled schemas, which validation, masking and renaming walk.

mod change;
mod check;
mod masked;

use std::sync::OnceLock;

use regex::Regex;
use serde_json::{Map, Value, json};
use sim_base::schema::{ANY_TEXT, DROPPED, IGNORED};

pub(crate) use change::{Older, Unaliased};
pub(crate) use check::QUESTIONS_MAX;
pub(crate) use masked::Masked;

/// How many unknown fields of an input are named.
pub(super) const UNKNOWN_MAX: usize = sim_base::cx::IGNORED_MAX;

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
    /// Whether the field has no effect.
    ignored: bool,
    /// Whether anything at or below this node has no effect.
    ignores: bool,
    /// The service's full message for an invalid value.
    refusal: Option<String>,
    /// Describes a valid value, for the message when the pattern does not match.
    rule: Option<String>,
    /// The service's full message for a value that the pattern does not match.
    pattern_refusal: Option<String>,
    /// Another name under which clients may send the field.
    alias: Option<String>,
    /// Whether the edition's documents do not have that other name.
    hides_alias: bool,
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
        /// Whether it may contain U+0000.
        is_any: bool,
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

impl Field {
    /// Its name in the edition's documents.
    fn published(&self) -> &str {
        let Node { alias, hides_alias, .. } = &self.node;
        alias.as_deref().filter(|_| !hides_alias).unwrap_or(&self.name)
    }
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
                let ignores = shape.children().any(|child| child.ignores);
                let reduces = shape.drops() || shape.children().any(|child| child.reduces);
                Node {
                    shape,
                    nullable: is_nullable(schema),
                    secret: false,
                    hides,
                    reduces,
                    ignored: false,
                    ignores,
                    refusal: None,
                    rule: None,
                    pattern_refusal: None,
                    alias: None,
                    hides_alias: false,
                    instead: None,
                }
            }
        };
        node.secret |= schema.contains_key("x-secret");
        node.hides |= node.secret;
        node.ignored = schema.contains_key(IGNORED);
        node.ignores |= node.ignored;
        let text = |key| schema.get(key).and_then(Value::as_str).map(str::to_owned);
        node.refusal = text("x-refusal").or(node.refusal);
        node.rule = text("x-rule").or(node.rule);
        node.pattern_refusal = text("x-pattern-refusal").or(node.pattern_refusal);
        node.alias = text("x-alias");
        node.hides_alias = schema.contains_key("x-alias-hidden");
        node.instead = text("x-instead");
        node
    }

    /// The compiled schema of field `name`, if this is an object with that field.
    pub(crate) fn field(&self, name: &str) -> Option<&Node> {
        match &self.shape {
            Shape::Object { fields, .. } => fields.iter().find(|f| f.name == name).map(|f| &f.node),
            _ => None,
        }
    }

    /// Lets the text of field `name` contain U+0000.
    pub(crate) fn take_any_text(&mut self, name: &str) {
        let Shape::Object { fields, .. } = &mut self.shape else { return };
        let field = fields.iter_mut().find(|field| field.name == name);
        if let Some(Shape::Text { is_any, .. }) = field.map(|field| &mut field.node.shape) {
            *is_any = true;
        }
    }

    /// The names of the fields of an object.
    #[cfg(feature = "management")]
    pub(crate) fn field_names(&self) -> impl Iterator<Item = &str> {
        let fields = match &self.shape {
            Shape::Object { fields, .. } => &fields[..],
            _ => &[],
        };
        fields.iter().map(|field| &*field.name)
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

impl Shape {
    fn compile(schema: &Map<String, Value>, definitions: &Map<String, Value>) -> Shape {
        let number = |key: &str| schema.get(key).and_then(Value::as_i64);
        let float = |key: &str| schema.get(key).and_then(Value::as_f64);
        let count = |key: &str| schema.get(key).and_then(Value::as_u64).map(|n| n as usize);
        if let Some(names) = schema.get("enum").and_then(Value::as_array) {
            return Shape::Names(names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        }
        if let Some(name) = schema.get("const").and_then(Value::as_str) {
            return Shape::Names(vec![name.to_owned()]);
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
                is_any: schema.contains_key(ANY_TEXT),
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
