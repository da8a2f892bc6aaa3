//! Restrictions of a project's role. It is not a superuser, so it can't reach the system's own objects and the server's files.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::prepared;
use crate::catalog::{INFORMATION_SCHEMA, Oid, PG_CATALOG};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::system;

/// Extensions that reach beyond the database. Only a superuser can create them.
const UNTRUSTED: &[&str] =
    &["adminpack", "dblink", "file_fdw", "plperlu", "plpython3u", "pltclu", "postgres_fdw"];

/// An error with SQLSTATE 42501.
pub(super) fn denied(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message)
}

/// Refuses a schema of the system.
pub(super) fn require_own_schema(schema: Oid, name: &str) -> Result<()> {
    if schema == PG_CATALOG || schema == INFORMATION_SCHEMA {
        return Err(denied(format!("must be owner of schema {name}")));
    }
    Ok(())
}

/// Refuses to drop a schema that the database requires, or that belongs to someone else.
pub(super) fn require_schema_to_drop(schema: Oid, name: &str) -> Result<()> {
    if schema == PG_CATALOG {
        let message = format!("cannot drop schema {name} because it is required by the database system");
        return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message));
    }
    require_own_schema(schema, name)
}

/// The error for a relation that was not found. If it is a system relation, the error is about ownership.
pub(super) fn unless_system(schema: Option<&str>, name: &str, missing: SqlError) -> SqlError {
    match system::find(schema, name) {
        Some(system) => denied(format!("must be owner of {} {name}", system.word())),
        None => missing,
    }
}

/// Refuses languages in which a function could do anything to the server.
pub(super) fn require_trusted_language(language: &str) -> Result<()> {
    if matches!(language, "c" | "internal") {
        return Err(denied(format!("permission denied for language {language}")));
    }
    Ok(())
}

/// Refuses extensions that reach beyond the database.
pub(super) fn require_trusted_extension(name: &str) -> Result<()> {
    if UNTRUSTED.contains(&name) {
        return Err(denied(format!("permission denied to create extension \"{name}\""))
            .hint("Must be superuser to create this extension."));
    }
    Ok(())
}

impl Engine<'_> {
    /// `ALTER SYSTEM`, after these words.
    pub(super) fn alter_system(&self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if !cursor.word("set") {
            cursor.expect_word("reset")?;
        }
        let name = cursor.ident()?;
        Err(match name.as_str() {
            "all" => denied("permission denied to perform ALTER SYSTEM RESET ALL"),
            name => denied(format!("permission denied to set parameter \"{name}\"")),
        })
    }

    /// `COPY`, after this word. Files and programs belong to the server and are refused.
    pub(super) fn copy(&self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let mut depth = 0;
        for (at, token) in cursor.tokens.iter().enumerate().skip(cursor.at) {
            match token.token {
                Token::LParen => depth += 1,
                Token::RParen => depth -= 1,
                _ if depth > 0 => {}
                _ if crate::source::is_word(token, "program") => {
                    return Err(not_to_copy(
                        "COPY to or from an external program",
                        "pg_execute_server_program",
                    ));
                }
                Token::SingleQuotedString(_) | Token::EscapedStringLiteral(_) => {
                    let to = at > 0 && crate::source::is_word(&cursor.tokens[at - 1], "to");
                    return Err(if to {
                        not_to_copy("COPY to a file", "pg_write_server_files")
                    } else {
                        not_to_copy("COPY from a file", "pg_read_server_files")
                    });
                }
                _ => {}
            }
        }
        Err(prepared::no_copy(cursor))
    }

    /// `LOAD`, after this word.
    pub(super) fn load_library(&self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.string()?;
        cursor.finish()?;
        if name.contains('/') {
            return Err(denied(format!("access to library \"{name}\" is not allowed")));
        }
        let message = format!("could not access file \"$libdir/plugins/{name}\": No such file or directory");
        Err(SqlError::new(SqlState::new("58P01"), message))
    }
}

fn not_to_copy(doing: &str, role: &str) -> SqlError {
    denied(format!("must be superuser or have privileges of the {role} role to {doing}"))
        .hint("Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone.")
}
