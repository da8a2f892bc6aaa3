//! Rows in arrays as JSON documents.

use rusqlite::types::ValueRef;
use serde::{Deserialize, Serialize};
use serde_json::Value as Element;

use super::catalog::Catalog;
use super::connection::to_json;
use super::types::Type;
use super::value::{array, json};

/// A field of a row, with those of the rows that it contains.
#[derive(Deserialize, Serialize)]
pub(super) struct Field {
    name: String,
    type_: u32,
    fields: Vec<Field>,
}

/// The fields of the rows of a type, or of those in its arrays.
pub(super) fn fields(catalog: &Catalog, type_: Type) -> Vec<Field> {
    let attributes = catalog.attributes(type_.element().unwrap_or(type_)).unwrap_or_default();
    let field = |attribute: super::catalog::Attribute| {
        let type_ = catalog.base_type(attribute.type_.base);
        Field { name: attribute.name, type_: type_.0, fields: fields(catalog, type_) }
    };
    attributes.into_iter().map(field).collect()
}

/// A document for each row of an array.
pub(super) fn of_rows(fields: &[Field], rows: &str) -> String {
    let rows = array::elements(rows).into_iter().map(|row| of_row(fields, row));
    format!("[{}]", rows.collect::<Vec<_>>().join(","))
}

fn of_row(fields: &[Field], row: Element) -> String {
    // A row in an array is either an array of its items or its text.
    let items = match row {
        Element::Array(items) => items,
        Element::String(text) => array::elements(&text),
        _ => return "null".to_owned(),
    };
    let members = fields
        .iter()
        .zip(items)
        .map(|(field, item)| format!("{}:{}", json::quote(&field.name), of_item(field, item)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn of_item(field: &Field, item: Element) -> String {
    let type_ = Type(field.type_);
    if field.fields.is_empty() || item.is_null() {
        let value = array::value(type_, &item);
        return to_json(type_, ValueRef::from(&value), true).unwrap_or_else(|| "null".to_owned());
    }
    match (type_.element(), item) {
        (None, row) => of_row(&field.fields, row),
        (Some(_), Element::String(rows)) => of_rows(&field.fields, &rows),
        (Some(_), rows) => of_rows(&field.fields, &rows.to_string()),
    }
}
