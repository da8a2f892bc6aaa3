//! The orders of values: the collations by which SQLite compares their texts, and keys of rows and arrays, whose parts compare by
//! their own types.

use std::cmp::Ordering;

use serde_json::{Value as Element, json};

use super::interval::Interval;
use super::json::Json;
use super::network::Network;
use super::{array, hstore, numeric, range, timetz, tsvector, vector};
use crate::types::Type;

/// How two texts compare.
pub type Order = fn(&str, &str) -> Ordering;

/// A collation.
#[derive(Clone, Copy, Debug)]
pub struct Collation {
    /// Its name.
    pub name: &'static str,
    /// The name of the collation of arrays whose elements compare by this one.
    pub of_arrays: &'static str,
    /// How values compare.
    pub order: Order,
}

const fn collation(name: &'static str, of_arrays: &'static str, order: Order) -> Collation {
    Collation { name, of_arrays, order }
}

/// The order of blank-padded texts, which SQLite has by itself.
pub const PADDED: &str = "RTRIM";

/// The order of arrays and rows whose parts compare by their texts.
pub const ARRAY: &str = "pg_array";

/// The collations of types whose order differs from that of their texts.
pub static COLLATIONS: [Collation; 16] = [
    collation("pg_numeric", "pg_numeric_array", numeric::compare),
    collation("pg_interval", "pg_interval_array", Interval::compare),
    collation("pg_citext", "pg_citext_array", |a, b| a.to_lowercase().cmp(&b.to_lowercase())),
    collation("pg_inet", "pg_inet_array", |a, b| inet_key(a).cmp(&inet_key(b))),
    collation("pg_timetz", "pg_timetz_array", timetz::compare),
    collation("pg_vector", "pg_vector_array", vector::compare),
    collation("pg_hstore", "pg_hstore_array", hstore::compare),
    collation("pg_range_number", "pg_range_number_array", |a, b| range::compare_texts(Type::NUMERIC, a, b)),
    collation("pg_range_time", "pg_range_time_array", |a, b| range::compare_texts(Type::TIMESTAMPTZ, a, b)),
    collation("pg_range_clock", "pg_range_clock_array", |a, b| range::compare_texts(Type::TIME, a, b)),
    collation("pg_range_float", "pg_range_float_array", |a, b| range::compare_texts(Type::FLOAT8, a, b)),
    collation("pg_range_text", "pg_range_text_array", |a, b| range::compare_texts(Type::TEXT, a, b)),
    collation("pg_tsvector", "pg_tsvector_array", tsvector::compare),
    collation("pg_jsonb", "pg_jsonb_array", |a, b| match (Json::parse(a), Json::parse(b)) {
        (Ok(a), Ok(b)) => a.order(&b),
        _ => a.cmp(b),
    }),
    collation(PADDED, "pg_padded_array", |a, b| a.trim_end_matches(' ').cmp(b.trim_end_matches(' '))),
    collation("", ARRAY, str::cmp),
];

/// Addresses are ordered by the bits of their networks, then by the lengths of these, then by all bits.
fn inet_key(text: &str) -> (u8, u128, u8, u128) {
    let network = Network::stored(text);
    (network.full(), network.bits() & network.mask(), network.length, network.bits())
}

/// The collation of arrays whose elements compare by `element`.
pub fn of_arrays(element: Option<&str>) -> &'static str {
    let known = COLLATIONS.iter().find(|known| Some(known.name) == element);
    known.map_or(ARRAY, |known| known.of_arrays)
}

/// Compares two texts by a collation, or, as rows or arrays, by how their parts compare.
pub fn compare(collation: &str, a: &str, b: &str) -> Ordering {
    if collation.starts_with('{') {
        let parts = Parts::read(collation);
        let key = |text| parts.key(array::elements(text).into());
        return array::compare_elements(&key(a), &key(b), str::cmp);
    }
    let found = COLLATIONS.iter().find_map(|known| match collation {
        name if name == known.name => Some((known.order)(a, b)),
        name if name == known.of_arrays => Some(array::compare(a, b, known.order)),
        _ => None,
    });
    found.unwrap_or_else(|| a.cmp(b))
}

/// How the values of a type compare, including the parts of rows and arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// By their texts, or as numbers.
    Plain,
    /// By a collation.
    By(String),
    /// By the places of the labels of an enum.
    Labels(Vec<String>),
    /// Field by field.
    Row(Vec<Parts>),
    /// Element by element.
    Each(Box<Parts>),
}

impl Parts {
    /// Reads what [`Parts::written`] wrote.
    pub fn read(text: &str) -> Parts {
        fn of(written: &Element) -> Parts {
            match written {
                Element::String(collation) => Parts::By(collation.clone()),
                Element::Array(labels) => Parts::Labels(
                    labels.iter().filter_map(|label| Some(label.as_str()?.to_owned())).collect(),
                ),
                Element::Object(parts) => match (parts.get("row"), parts.get("each")) {
                    (Some(Element::Array(fields)), _) => Parts::Row(fields.iter().map(of).collect()),
                    (_, Some(each)) => Parts::Each(Box::new(of(each))),
                    _ => Parts::Plain,
                },
                _ => Parts::Plain,
            }
        }
        serde_json::from_str(text).map_or(Parts::Plain, |written| of(&written))
    }

    /// The order as a text, for functions.
    pub fn written(&self) -> String {
        fn of(parts: &Parts) -> Element {
            match parts {
                Parts::Plain => Element::Null,
                Parts::By(collation) => json!(collation),
                Parts::Labels(labels) => json!(labels),
                Parts::Row(fields) => json!({ "row": fields.iter().map(of).collect::<Vec<_>>() }),
                Parts::Each(each) => json!({ "each": of(each) }),
            }
        }
        of(self).to_string()
    }

    /// Whether the parts compare by their texts or as numbers, to any depth.
    pub fn are_plain(&self) -> bool {
        match self {
            Parts::Plain => true,
            Parts::By(_) | Parts::Labels(_) => false,
            Parts::Row(fields) => fields.iter().all(Parts::are_plain),
            Parts::Each(each) => each.are_plain(),
        }
    }

    /// The same, for what only asks whether values are equal. Those of an enum are if their labels are.
    pub fn told_apart(self) -> Parts {
        match self {
            Parts::Labels(_) => Parts::Plain,
            Parts::Row(fields) => Parts::Row(fields.into_iter().map(Parts::told_apart).collect()),
            Parts::Each(each) => Parts::Each(Box::new(each.told_apart())),
            parts => parts,
        }
    }

    /// Whether no collation compares such values.
    pub fn need_key(&self) -> bool {
        match self {
            Parts::Plain | Parts::By(_) | Parts::Labels(_) => false,
            Parts::Row(_) => !self.are_plain(),
            Parts::Each(each) => !each.are_plain() && !matches!(**each, Parts::By(_)),
        }
    }

    /// A value that [`array::compare_elements`] compares in this order: a text with a collation is an object with its name.
    pub fn key(&self, value: Element) -> Element {
        match (self, value) {
            (Parts::Plain, value) | (_, value @ Element::Null) => value,
            (Parts::By(collation), Element::String(text)) => json!({ collation: text }),
            (Parts::Labels(labels), Element::String(label)) => {
                labels.iter().position(|known| *known == label).map_or(label.into(), Element::from)
            }
            (Parts::Row(fields), Element::Array(items)) => {
                let mut fields = fields.iter();
                let key = |item| fields.next().unwrap_or(&Parts::Plain).key(item);
                Element::Array(items.into_iter().map(key).collect())
            }
            (Parts::Each(each), Element::Array(items)) => {
                let key = |item: Element| match (&**each, item) {
                    (Parts::Row(_), item) => each.key(item),
                    (_, nested @ Element::Array(_)) => self.key(nested),
                    (each, item) => each.key(item),
                };
                Element::Array(items.into_iter().map(key).collect())
            }
            (Parts::Row(_) | Parts::Each(_), Element::String(text)) => {
                self.key(Element::Array(array::elements(&text)))
            }
            (_, value) => value,
        }
    }
}
