//! Changes of the attributes of a composite type.

use super::cursor::Cursor;
use super::dependents::What;
use super::names::column_taken;
use crate::catalog::{Attribute, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::types::Type;

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
        let _ = cursor.word("cascade") || cursor.word("restrict");
        self.require_new_attribute(type_, &name)?;
        self.require_no_values(type_.0, "adding an attribute to a type of which rows have values")?;
        self.attributes(type_)?.push(Attribute { name, type_: of });
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
