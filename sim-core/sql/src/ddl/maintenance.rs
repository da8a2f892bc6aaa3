//! `VACUUM`, `ANALYZE`, `REINDEX`, `CHECKPOINT` and `LOCK`: checked as PostgreSQL checks them. They have nothing to do here,
//! because the tables need no upkeep and calls run one after the other.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::privilege::require_own_schema;
use crate::catalog::{Oid, RelationKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

/// The modes of a lock.
const MODES: &[&str] = &[
    "access share",
    "row share",
    "row exclusive",
    "share update exclusive",
    "share row exclusive",
    "share",
    "exclusive",
    "access exclusive",
];

impl Engine<'_> {
    pub(super) fn maintain(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Done>> {
        let tag = if cursor.word("vacuum") {
            self.require_outside("VACUUM")?;
            self.upkeep(cursor, "vacuum", &["full", "freeze", "verbose", "analyze"])?;
            "VACUUM"
        } else if cursor.word("analyze") || cursor.word("analyse") {
            self.upkeep(cursor, "analyze", &["verbose"])?;
            "ANALYZE"
        } else if cursor.word("reindex") {
            self.reindex(cursor)?;
            "REINDEX"
        } else if cursor.word("lock") {
            self.lock(cursor)?;
            "LOCK TABLE"
        } else if cursor.word("checkpoint") {
            cursor.finish()?;
            "CHECKPOINT"
        } else {
            return Ok(None);
        };
        Ok(Some(Done::command(tag)))
    }

    /// Refuses a command that can't be part of a transaction.
    pub(super) fn require_outside(&self, command: &str) -> Result<()> {
        let state = SqlState::new("25001");
        if self.calls > 0 {
            return Err(SqlError::new(state, format!("{command} cannot be executed from a function")));
        }
        if self.in_block || !self.alone {
            return Err(SqlError::new(state, format!("{command} cannot run inside a transaction block")));
        }
        Ok(())
    }

    /// The options and the tables of `VACUUM` and `ANALYZE`, after this word.
    fn upkeep(&self, cursor: &mut Cursor<'_>, verb: &str, words: &[&str]) -> Result<()> {
        skip_options(cursor)?;
        for word in words {
            cursor.word(word);
        }
        if cursor.is_end() {
            return Ok(());
        }
        cursor.list(|cursor| {
            if cursor.is("into") {
                return Err(cursor.unexpected());
            }
            let (schema, name) = cursor.name()?;
            let relation = self.find(schema.as_deref(), &name)?;
            let table = relation.oid;
            if self.catalog.is_of_server(relation)
                || !self.catalog.owns(&self.settings.role, relation) && self.require_database_owner().is_err()
            {
                let message = format!("skipping \"{name}\" --- only table or database owner can {verb} it");
                self.report("WARNING", &SqlError::new(SqlState::new("01000"), message))?;
            }
            if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
                self.known_columns(cursor, table)?;
            }
            Ok(())
        })?;
        cursor.finish()
    }

    fn known_columns(&self, cursor: &mut Cursor<'_>, table: Oid) -> Result<()> {
        cursor.expect(&Token::LParen)?;
        let relation = self.relation(table)?;
        for column in cursor.list(Cursor::ident)? {
            if relation.column(&column).is_none() {
                let message = format!("column \"{column}\" of relation \"{}\" does not exist", relation.name);
                return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
            }
        }
        cursor.expect(&Token::RParen)
    }

    /// `REINDEX`, after this word.
    fn reindex(&self, cursor: &mut Cursor<'_>) -> Result<()> {
        skip_options(cursor)?;
        let kind = cursor.ident()?;
        if cursor.word("concurrently") {
            self.require_outside("REINDEX CONCURRENTLY")?;
        }
        match kind.as_str() {
            "index" => {
                let (schema, name) = cursor.name()?;
                let (table, _) = self.index_by_name(schema.as_deref(), &name)?;
                let owner = self.relation(table)?.owner;
                self.catalog.require_owner(&self.settings.role, &owner, "index", &name)?;
            }
            "table" => {
                let table = self.find_table(cursor)?;
                self.require_relation_owner(table)?;
            }
            "schema" => {
                self.require_outside("REINDEX SCHEMA")?;
                let name = cursor.ident()?;
                let schema = self.catalog.known_schema(&name)?;
                require_own_schema(schema, &name)?;
                self.require_object_owner(schema)?;
            }
            "database" | "system" => {
                self.require_outside(&format!("REINDEX {}", kind.to_uppercase()))?;
                if !cursor.is_end() {
                    super::session_start::require_database(&cursor.ident()?)?;
                }
                self.require_database_owner()?;
            }
            _ => {
                cursor.at -= 1;
                return Err(cursor.unexpected());
            }
        }
        cursor.finish()
    }

    /// `LOCK`, after this word. Nobody else is there to wait.
    fn lock(&self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.word("table");
        let relations = cursor.list(|cursor| {
            cursor.word("only");
            let name = cursor.name()?;
            cursor.token(&Token::Mul);
            Ok(name)
        })?;
        let mut mode = "access exclusive";
        if cursor.word("in") {
            let Some(given) = MODES.iter().find(|mode| cursor.words(mode)) else {
                return Err(cursor.unexpected());
            };
            mode = given;
            cursor.expect_word("mode")?;
        }
        cursor.word("nowait");
        cursor.finish()?;
        if !self.in_block && self.calls == 0 && self.alone {
            let message = "LOCK TABLE can only be used in transaction blocks";
            return Err(SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message));
        }
        relations.iter().try_for_each(|(schema, name)| self.may_lock(schema.as_deref(), name, mode))
    }

    fn may_lock(&self, schema: Option<&str>, name: &str, mode: &str) -> Result<()> {
        let relation = self.find(schema, name)?;
        if !matches!(relation.kind, RelationKind::Table | RelationKind::View) {
            let message = format!("cannot lock relation \"{name}\"");
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        let letters = match mode {
            "access share" => "r",
            "row exclusive" => "awdD",
            _ => "wdD",
        };
        let role = &self.settings.role;
        let may = letters.chars().any(|letter| self.catalog.allows_relation(role, relation, letter));
        if may { Ok(()) } else { Err(relation.denied()) }
    }
}

/// Options in parentheses: `(verbose, analyze)`.
fn skip_options(cursor: &mut Cursor<'_>) -> Result<()> {
    match cursor.peek() {
        Some(token) if token.token == Token::LParen => cursor.skip_brackets(),
        _ => Ok(()),
    }
}
