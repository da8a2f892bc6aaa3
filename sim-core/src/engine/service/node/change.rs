//! Changes values by their schema: renames fields, reads them from text, removes them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Field, Node, Shape, UNKNOWN_MAX, within};
use crate::engine::service::names::{Names, Way};

/// An object whose fields have their own names.
pub(crate) struct Unaliased {
    pub value: Value,
    /// Fields without effect, because others count in their place: `body.foo`.
    pub beside: Vec<String>,
    pub older: Vec<Older>,
}

/// A field that was sent under its older name, and the one that documents have.
pub(crate) struct Older {
    pub name: String,
    pub newer: String,
}

impl Node {
    /// Adds the paths of the fields that the schema does not have, below `path`: at most [`UNKNOWN_MAX`], and one more.
    /// An object that may have any field has no unknown one.
    pub(crate) fn unknown(&self, value: &Value, path: &mut String, found: &mut Vec<String>) {
        match (&self.shape, value) {
            (Shape::Object { fields, rest, is_free, .. }, Value::Object(object)) => {
                for (name, value) in object {
                    if found.len() > UNKNOWN_MAX {
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

    /// Adds the paths of the fields below `path` that are marked as without effect.
    pub(crate) fn ignored(&self, value: &Value, path: &mut String, found: &mut Vec<String>) {
        match (&self.shape, value) {
            _ if !self.ignores || found.len() > UNKNOWN_MAX => {}
            _ if self.ignored => found.push(path.clone()),
            (Shape::Object { fields, rest, .. }, Value::Object(object)) => {
                for (name, value) in object {
                    let field = fields.iter().find(|field| field.name == *name).map(|field| &field.node);
                    let node = field.or(rest.as_deref());
                    node.into_iter().for_each(|node| {
                        within(path, name, |path| node.ignored(value, path, found));
                    });
                }
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                for (index, value) in list.iter().enumerate() {
                    within(path, &index.to_string(), |path| items.ignored(value, path, found));
                }
            }
            (Shape::Either(nodes), value) => {
                let node = nodes.iter().find(|node| node.accepts(value));
                node.into_iter().for_each(|node| node.ignored(value, path, found));
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

    /// Renames fields sent under their alias to their own name. If both are present with different values, the alias counts, and
    /// the own name has no effect; where documents do not have the alias, neither changes.
    pub(crate) fn unalias(&self, value: Value) -> Unaliased {
        let mut found = Unaliased { value, beside: Vec::new(), older: Vec::new() };
        let (Shape::Object { fields, .. }, Value::Object(object)) = (&self.shape, &mut found.value) else {
            return found;
        };
        for Field { name, node, .. } in fields {
            let Some(alias) = &node.alias else { continue };
            let differs =
                object.get(name).is_some_and(|own| object.get(alias).is_some_and(|other| other != own));
            if differs && node.hides_alias {
                continue;
            }
            if let Some(given) = object.shift_remove(alias) {
                object.insert(name.clone(), given);
                found.beside.extend(differs.then(|| format!("body.{name}")));
            } else if object.contains_key(name) && !node.hides_alias {
                found.older.push(Older { name: name.clone(), newer: alias.clone() });
            }
        }
        found
    }

    /// The JSON of an object with the names that [`Node::unalias`] took away; those in `older` were sent under their own.
    pub(crate) fn alias(&self, json: String, older: &[Older]) -> String {
        let Shape::Object { fields, .. } = &self.shape else { return json };
        let is_older = |name: &str| older.iter().any(|one| one.name == name);
        let renamed: Vec<_> = fields
            .iter()
            .filter(|field| field.published() != field.name && !is_older(&field.name))
            .map(|field| (&*field.name, field.published()))
            .collect();
        if renamed.is_empty() {
            return json;
        }
        let Ok(Value::Object(object)) = serde_json::from_str(&json) else { return json };
        let rename = |name: String| match renamed.iter().find(|(own, _)| *own == name) {
            Some((_, alias)) => (*alias).to_owned(),
            None => name,
        };
        Value::Object(object.into_iter().map(|(name, value)| (rename(name), value)).collect()).to_string()
    }

    /// Translates declared names and enum members to the other spelling. Undeclared keys do not change.
    pub(crate) fn respell(&self, value: Value, names: &Names, way: Way) -> Value {
        match (&self.shape, value) {
            (Shape::Object { .. }, Value::Object(mut object)) => {
                let twins = if way == Way::In { self.twins_of(&object, names) } else { Vec::new() };
                twins.iter().for_each(|name| {
                    object.shift_remove(name);
                });
                let fields = object.into_iter();
                Value::Object(fields.map(|(key, value)| self.respell_field(key, value, names, way)).collect())
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                list.into_iter().map(|value| items.respell(value, names, way)).collect()
            }
            (Shape::Names(_), Value::String(text)) => Value::from(names.spell(way, &text).unwrap_or(&text)),
            (Shape::Either(nodes), value) => {
                nodes.iter().fold(value, |value, node| node.respell(value, names, way))
            }
            (_, value) => value,
        }
    }

    /// The fields of an object under their neutral names beside the same fields under the names of the profile, which count.
    fn twins_of(&self, object: &Map<String, Value>, names: &Names) -> Vec<String> {
        let is_twin = |name: &str| {
            names.spell(Way::In, name).is_none()
                && names.spell(Way::Out, name).is_some_and(|wire| object.contains_key(wire))
                && self.field(name).is_some()
        };
        object.keys().filter(|name| is_twin(name)).cloned().collect()
    }

    /// Adds the paths of such fields at any depth below `path`.
    pub(crate) fn neutral_twins(
        &self,
        value: &Value,
        names: &Names,
        path: &mut String,
        found: &mut Vec<String>,
    ) {
        match (&self.shape, value) {
            (Shape::Object { .. }, Value::Object(object)) => {
                let twins = self.twins_of(object, names);
                found.extend(twins.iter().take(UNKNOWN_MAX).map(|name| format!("{path}.{name}")));
                for (name, value) in object {
                    let field = self.field(names.spell(Way::In, name).unwrap_or(name));
                    field.into_iter().for_each(|node| {
                        within(path, name, |path| node.neutral_twins(value, names, path, found));
                    });
                }
            }
            (Shape::List { items, .. }, Value::Array(list)) => {
                for (index, value) in list.iter().enumerate() {
                    if found.len() > UNKNOWN_MAX {
                        return;
                    }
                    within(path, &index.to_string(), |path| items.neutral_twins(value, names, path, found));
                }
            }
            (Shape::Either(nodes), value) => {
                nodes.iter().for_each(|node| node.neutral_twins(value, names, path, found));
            }
            _ => {}
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
        let neutral = if way == Way::In { other.unwrap_or(&key) } else { &key };
        match (fields.iter().find(|field| field.name == neutral), rest) {
            (Some(field), _) => {
                let value = field.node.respell(value, names, way);
                (other.map_or(key, str::to_owned), value)
            }
            (None, Some(rest)) => (key, rest.respell(value, names, way)),
            (None, None) => (key, value),
        }
    }

    /// Whether this is a list, whose values may be sent one by one.
    pub(crate) fn is_list(&self) -> bool {
        match &self.shape {
            Shape::List { .. } | Shape::Any => true,
            Shape::Either(nodes) => nodes.iter().any(Node::is_list),
            _ => false,
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
            Shape::Integer { .. } => match last.parse::<i64>() {
                Ok(number) => Value::from(number),
                // Too long for an integer, so it is beyond each bound.
                Err(_) if is_whole(last) => last.parse::<f64>().map_or_else(|_| as_is(), Value::from),
                Err(_) => as_is(),
            },
            Shape::Number { .. } => last.parse::<f64>().map_or_else(|_| as_is(), Value::from),
            Shape::Boolean => last.parse::<bool>().map_or_else(|_| as_is(), Value::from),
            _ => as_is(),
        }
    }
}

/// Whether a text is a whole number of any length.
fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
