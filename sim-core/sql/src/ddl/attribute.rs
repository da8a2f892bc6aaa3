//! Changes of the attributes of a composite type.

use rusqlite::types::Value;
use serde_json::Value as Json;

use super::cursor::Cursor;
use super::dependents::What;
use super::names::column_taken;
use crate::catalog::{Attribute, Catalog, Column, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::types::Type;
use crate::value::array;

/// Whether values of a type have values of the composite type in them.
pub(super) fn contains(catalog: &Catalog, of: Type, wanted: Type) -> bool {
    let of = catalog.base_type(of);
    if of == wanted {
        return true;
    }
    if let Some(element) = of.element() {
        return contains(catalog, element, wanted);
    }
    let attributes = catalog.attributes(of).unwrap_or_default();
    attributes.iter().any(|attribute| contains(catalog, attribute.type_.base, wanted))
}

/// A type, and what is done to its values.
type Change<'c> = (Type, &'c dyn Fn(&mut Json));

/// A value in which those of a type are changed.
fn changed(catalog: &Catalog, of: Type, mut value: Json, (wanted, change): Change<'_>) -> Json {
    if catalog.base_type(of) == wanted && catalog.labels(wanted).is_some() {
        match &mut value {
            // The element of an array of arrays.
            Json::Array(parts) => parts.iter_mut().for_each(|part| {
                *part = changed(catalog, of, part.take(), (wanted, change));
            }),
            label => change(label),
        }
        return value;
    }
    // Within an array, a row is a text.
    if let Json::String(text) = &value {
        let inner = Json::Array(array::elements(text));
        return match changed(catalog, of, inner, (wanted, change)) {
            Json::Array(parts) if contains(catalog, of, wanted) => match array::like(text, parts) {
                Value::Text(text) => Json::String(text),
                _ => value,
            },
            _ => value,
        };
    }
    let of = catalog.base_type(of);
    if of == wanted {
        change(&mut value);
        return value;
    }
    let Json::Array(mut parts) = value else { return value };
    if let Some(element) = of.element() {
        parts = parts.into_iter().map(|part| changed(catalog, element, part, (wanted, change))).collect();
    } else if let Some(attributes) = catalog.attributes(of) {
        let typed = parts.into_iter().zip(attributes);
        parts = typed
            .map(|(part, attribute)| changed(catalog, attribute.type_.base, part, (wanted, change)))
            .collect();
    }
    Json::Array(parts)
}

impl Engine<'_> {
    /// One action of `ALTER TYPE` on a composite type.
    pub(super) fn alter_attribute(&mut self, cursor: &mut Cursor<'_>, type_: Type) -> Result<()> {
        if cursor.words("add attribute") {
            return self.add_attribute(cursor, type_);
        }
        if cursor.words("drop attribute") {
            let if_exists = cursor.words("if exists");
            let name = cursor.ident()?;
            let cascade = cursor.word("cascade");
            cursor.word("restrict");
            if let Err(error) = self.require_attribute(type_, &name) {
                return self.skip(if_exists, error);
            }
            return self.drop_all(vec![What::Attribute(type_.0, name)], cascade);
        }
        if cursor.words("rename attribute") {
            let name = cursor.ident()?;
            cursor.expect_word("to")?;
            let to = cursor.ident()?;
            let _ = cursor.word("cascade") || cursor.word("restrict");
            let Some(at) = self.attributes(type_)?.iter().position(|known| known.name == name) else {
                let message = format!("column \"{name}\" does not exist");
                return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
            };
            self.require_new_attribute(type_, &to)?;
            self.attributes(type_)?[at].name = to;
            return Ok(());
        }
        cursor.expect_word("alter")?;
        cursor.expect_word("attribute")?;
        let name = cursor.ident()?;
        cursor.words("set data");
        cursor.expect_word("type")?;
        let to = self.type_with_collation(cursor)?;
        let _ = cursor.word("cascade") || cursor.word("restrict");
        let at = self.require_attribute(type_, &name)?;
        self.require_unused(type_)?;
        self.attributes(type_)?[at].type_ = to;
        Ok(())
    }

    fn add_attribute(&mut self, cursor: &mut Cursor<'_>, type_: Type) -> Result<()> {
        let name = cursor.ident()?;
        let of = self.type_with_collation(cursor)?;
        self.require_storable(&name, of.base)?;
        let _ = cursor.word("cascade") || cursor.word("restrict");
        self.require_new_attribute(type_, &name)?;
        self.change_values(type_, &|row| {
            row.as_array_mut().into_iter().for_each(|parts| parts.push(Json::Null));
        })?;
        self.attributes(type_)?.push(Attribute { name, type_: of });
        Ok(())
    }

    /// Changes all stored values of a composite type, or those of an enum that are parts of other values.
    pub(super) fn change_values(&mut self, type_: Type, change: &dyn Fn(&mut Json)) -> Result<()> {
        let catalog = self.catalog.clone();
        let stored = catalog.relations().filter(|relation| relation.is_stored() && !relation.dormant);
        for relation in stored {
            let is_label = |of: Type| catalog.labels(catalog.base_type(of)).is_some();
            let has = |column: &&Column| {
                let of = column.type_.base;
                column.generated.is_none() && !is_label(of) && contains(&catalog, of, type_)
            };
            let columns: Vec<&Column> = relation.columns.iter().filter(has).collect();
            if columns.is_empty() {
                continue;
            }
            self.drop_triggers(relation)?;
            for column in columns {
                let (table, own) = (relation.physical(), format!("c{}", column.number));
                let rows =
                    self.fetch(&format!("SELECT rowid, {own} FROM {table} WHERE {own} IS NOT NULL"), 2)?;
                for row in rows {
                    let [Value::Integer(number), Value::Text(text)] = &row[..] else { continue };
                    self.budget.work(100 + text.len() / 8)?;
                    let parts = Json::Array(array::elements(text));
                    let changed = changed(&catalog, column.type_.base, parts, (type_, change));
                    let Json::Array(parts) = changed else { continue };
                    let sql = format!("UPDATE {table} SET {own} = ?2 WHERE rowid = ?1");
                    self.connection.prepare_cached(&sql)?.execute((number, array::like(text, parts)))?;
                }
            }
            self.refresh_triggers(relation.oid)?;
        }
        Ok(())
    }

    fn attributes(&mut self, type_: Type) -> Result<&mut Vec<Attribute>> {
        match &mut self.user_type_mut(type_)?.definition {
            TypeDefinition::Composite { attributes } => Ok(attributes),
            _ => Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, "the type is not composite")),
        }
    }

    /// The place of an attribute.
    fn require_attribute(&mut self, type_: Type, name: &str) -> Result<usize> {
        let at = self.attributes(type_)?.iter().position(|known| known.name == name);
        at.ok_or_else(|| {
            let of = self.catalog.type_name(type_, -1);
            let message = format!("column \"{name}\" of relation \"{of}\" does not exist");
            SqlError::new(SqlState::UNDEFINED_COLUMN, message)
        })
    }

    fn require_new_attribute(&mut self, type_: Type, name: &str) -> Result<()> {
        if self.attributes(type_)?.iter().all(|known| known.name != name) {
            return Ok(());
        }
        Err(column_taken(name, &self.catalog.type_name(type_, -1)))
    }

    /// Fails if a column has the type or an array of it.
    fn require_unused(&self, type_: Type) -> Result<()> {
        for relation in self.catalog.relations().filter(|relation| relation.is_stored()) {
            let uses = |of: Type| of == type_ || of.element() == Some(type_);
            let column =
                relation.columns.iter().find(|column| uses(self.catalog.base_type(column.type_.base)));
            if let Some(column) = column {
                let message = format!(
                    "cannot alter type \"{}\" because column \"{}.{}\" uses it",
                    self.catalog.type_name(type_, -1),
                    relation.name,
                    column.name
                );
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
        }
        Ok(())
    }
}
