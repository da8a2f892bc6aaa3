//! Values with their secrets masked.

use serde::{Serialize, Serializer};
use serde_json::Value;
use sim_base::schema::MASK;

use super::{Node, Shape};

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
