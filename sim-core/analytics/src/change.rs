//! A field of an update: absent, cleared with `null`, or set.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// An update's change of one field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// Absent: the field does not change.
    #[default]
    Keep,
    /// `null`: the field is reset to its default.
    Clear,
    /// Set to this value.
    Set(T),
}

impl<T> Change<T> {
    /// Whether the field is absent.
    pub fn is_kept(&self) -> bool {
        matches!(self, Change::Keep)
    }

    /// The value set, if there is one.
    pub fn set(&self) -> Option<&T> {
        match self {
            Change::Set(value) => Some(value),
            Change::Keep | Change::Clear => None,
        }
    }

    /// Applies the change to an optional field.
    pub fn apply(self, field: &mut Option<T>) {
        match self {
            Change::Keep => {}
            Change::Clear => *field = None,
            Change::Set(value) => *field = Some(value),
        }
    }

    /// Applies the change to a field that is `default` when cleared.
    pub fn apply_or(self, field: &mut T, default: T) {
        match self {
            Change::Keep => {}
            Change::Clear => *field = default,
            Change::Set(value) => *field = value,
        }
    }
}

impl Change<String> {
    /// A blank text clears the field.
    #[must_use]
    pub fn unless_blank(self) -> Change<String> {
        match self {
            Change::Set(text) if text.trim().is_empty() => Change::Clear,
            other => other,
        }
    }
}

impl<T> From<T> for Change<T> {
    fn from(value: T) -> Change<T> {
        Change::Set(value)
    }
}

impl<T: Serialize> Serialize for Change<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.set().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Change<T>, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Change::Clear, Change::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Change<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        let mut schema = Option::<T>::json_schema(schemas);
        schema.insert("x-nullable".to_owned(), Value::Bool(true));
        schema
    }
}
