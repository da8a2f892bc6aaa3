//! Temporary objects. They are ordinary objects of a schema of their own, which is dropped with all that depends on it: when a call
//! ends, or when a connection is closed. Between the statements of a connection its schema has another name.

use std::sync::Arc;

use rusqlite::Connection;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::dependents::What;
use crate::catalog::{Catalog, Object, Oid, Relation, Schema, TEMPORARY};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;

/// What the names of schemas begin with that wait for their connections.
const AWAY: &str = "pg_temp_";

impl Engine<'_> {
    /// Reads `TEMPORARY`, and makes sure that its schema is there if the statement names it.
    pub(super) fn begin_temporary(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        for scope in ["local", "global"] {
            if cursor.is(scope) && (cursor.is_at(1, "temp") || cursor.is_at(1, "temporary")) {
                cursor.at += 1;
            }
        }
        cursor.temporary = cursor.word("temporary") || cursor.word("temp");
        let named = cursor
            .tokens
            .windows(2)
            .any(|pair| crate::source::is_word(&pair[0], "pg_temp") && pair[1].token == Token::Period);
        if (cursor.temporary || named) && self.catalog.temporary().is_none() {
            let (name, owner) = (TEMPORARY.to_owned(), self.settings.role.to_string());
            let oid = self.new_oid();
            let schema = Schema { name, owner, comment: None, acl: Default::default() };
            let (before, connection) = (self.catalog.clone(), self.connection);
            self.catalog_mut().objects.insert(oid, Object::Schema(schema));
            // A function of the statement's query may undo something, and then reads the catalog again.
            Arc::make_mut(&mut self.catalog).save(connection, &before)?;
        }
        Ok(())
    }

    /// The schema in which a statement creates a relation.
    pub(super) fn place_of(&self, cursor: &Cursor<'_>, schema: Option<&str>) -> Result<Oid> {
        let place = match schema {
            None if cursor.temporary => self.binder().creation_schema(Some(TEMPORARY))?,
            schema => self.creation_schema(schema)?,
        };
        if cursor.temporary && self.catalog.temporary() != Some(place) {
            let message = "cannot create temporary relation in non-temporary schema";
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        Ok(place)
    }

    /// Refuses a foreign key from a table to one whose rows are kept for a shorter time.
    pub(super) fn check_permanence(&self, child: &Relation, parent: &Relation) -> Result<()> {
        let is_temporary = |relation: &Relation| Some(relation.schema) == self.catalog.temporary();
        let (word, allowed) = match (is_temporary(child), is_temporary(parent)) {
            (true, false) => ("temporary", "temporary"),
            (false, true) if child.unlogged => ("unlogged", "permanent or unlogged"),
            (false, true) => ("permanent", "permanent"),
            (false, false) if parent.unlogged && !child.unlogged => ("permanent", "permanent"),
            _ => return Ok(()),
        };
        let message = format!("constraints on {word} tables may reference only {allowed} tables");
        Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message))
    }

    /// Gives the schema of a connection's temporary objects the name by which statements find it.
    pub(crate) fn take_temporary(&mut self, name: &str) {
        if let Some(schema) = self.catalog.schema_named(name) {
            self.name_schema(schema, TEMPORARY);
        }
    }

    /// Gives the schema the name under which it waits for the next statement of its connection, and returns that.
    pub(crate) fn put_temporary_away(&mut self) -> Result<Option<String>> {
        let Some(schema) = self.catalog.temporary() else { return Ok(None) };
        let name = format!("{AWAY}{schema}");
        let before = self.catalog.clone();
        self.name_schema(schema, &name);
        if self.has_written() {
            Arc::make_mut(&mut self.catalog).save(self.connection, &before)?;
        }
        Ok(Some(name))
    }

    fn name_schema(&mut self, oid: Oid, name: &str) {
        if let Some(Object::Schema(schema)) = self.catalog_mut().objects.get_mut(&oid) {
            name.clone_into(&mut schema.name);
        }
    }

    /// Drops temporary tables, or deletes their rows, as they were created to at the end of a transaction.
    pub(crate) fn commit_temporary(&mut self) -> Result<()> {
        let Some(schema) = self.catalog.temporary() else { return Ok(()) };
        let tables = self.catalog.relations().filter(|relation| relation.schema == schema);
        let tables: Vec<(Oid, char)> =
            tables.filter_map(|relation| Some((relation.oid, relation.on_commit?))).collect();
        let (dropped, emptied): (Vec<_>, Vec<_>) = tables.into_iter().partition(|(_, what)| *what == 'd');
        for (oid, _) in emptied {
            self.execute(&format!("DELETE FROM r{oid}"))?;
        }
        self.drop_and_save(dropped.into_iter().map(|(oid, _)| What::Object(oid)).collect())
    }

    /// Drops all temporary objects.
    pub(crate) fn drop_temporary(&mut self) -> Result<()> {
        let Some(schema) = self.catalog.temporary() else { return Ok(()) };
        self.drop_and_save(vec![What::Object(schema)])
    }

    fn drop_and_save(&mut self, what: Vec<What>) -> Result<()> {
        if what.is_empty() {
            return Ok(());
        }
        let (before, connection) = (self.catalog.clone(), self.connection);
        self.drop_all(what, true)?;
        Arc::make_mut(&mut self.catalog).save(connection, &before).map(drop)
    }
}

/// Drops all temporary objects of a call that is over.
pub(crate) fn drop_left(engine: &mut Engine<'_>) -> Result<()> {
    engine.drop_temporary()
}

/// Whether a database still has the temporary objects of a call that committed them and failed later.
pub(crate) fn are_left(connection: &Connection) -> Result<bool> {
    Ok(Catalog::load(connection)?.temporary().is_some())
}
