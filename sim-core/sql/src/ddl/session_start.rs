//! Parameters that roles and the database give to later sessions.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::privilege::denied;
use super::setting::{parameter_name, parameter_value};
use crate::catalog::{DATABASE, Object, Oid, SessionStart};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::parameters;
use crate::run::{Done, Engine};

impl Engine<'_> {
    /// `ALTER DATABASE`, after these words.
    pub(super) fn alter_database(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        require_database(&cursor.ident()?)?;
        self.require_database_owner()?;
        if cursor.words("refresh collation version") || self.change_session_start(cursor, None, true)? {
            cursor.finish()?;
            return Ok(Done::command("ALTER DATABASE"));
        }
        if cursor.words("owner to postgres") {
            cursor.finish()?;
            return Ok(Done::command("ALTER DATABASE"));
        }
        Err(SqlError::unsupported("this form of ALTER DATABASE"))
    }

    /// `SET` and `RESET` of a role, after its name: `ALL` is `None`. Returns `false` if the statement is about something else.
    pub(super) fn alter_role_parameters(
        &mut self,
        cursor: &mut Cursor<'_>,
        role: Option<&str>,
    ) -> Result<bool> {
        let here = cursor.words("in database");
        if here {
            require_database(&cursor.ident()?)?;
        }
        if !here && !cursor.is("set") && !cursor.is("reset") {
            return Ok(false);
        }
        match role {
            None if !self.catalog.is_exempt(&self.settings.role) => {
                return Err(denied("must be superuser to alter settings globally"));
            }
            Some(role) if *role != *self.settings.role => {
                self.require_role_powers().map_err(|_| denied("permission denied"))?;
            }
            _ => {}
        }
        match self.change_session_start(cursor, role, here)? {
            true => cursor.finish().map(|()| true),
            false => Err(cursor.unexpected()),
        }
    }

    /// `SET` and `RESET` of later sessions: those of a role, in this database or in all.
    fn change_session_start(
        &mut self,
        cursor: &mut Cursor<'_>,
        role: Option<&str>,
        here: bool,
    ) -> Result<bool> {
        if cursor.word("reset") {
            let name = parameter_name(cursor)?;
            self.give_later(role, here, |values| match name.as_str() {
                "all" => values.clear(),
                name => drop(values.remove(name)),
            });
            return Ok(true);
        }
        if !cursor.word("set") {
            return Ok(false);
        }
        if cursor.word("tablespace") {
            return Err(SqlError::unsupported("SET TABLESPACE of a database"));
        }
        let name = parameter_name(cursor)?;
        let value = if cursor.words("from current") {
            Some(describe::setting(&self.settings, &name).ok_or_else(|| parameters::unknown(&name))?)
        } else {
            let _ = cursor.token(&Token::Eq) || cursor.word("to");
            parameter_value(cursor)?
        };
        self.check_parameter(&name, value.as_deref().unwrap_or("default"))?;
        self.give_later(role, here, |values| match value {
            Some(value) => drop(values.insert(name, value)),
            None => drop(values.remove(&name)),
        });
        Ok(true)
    }

    fn give_later(
        &mut self,
        role: Option<&str>,
        here: bool,
        change: impl FnOnce(&mut std::collections::BTreeMap<String, String>),
    ) {
        let same = |known: &SessionStart| known.role.as_deref() == role && known.here == here;
        let known: Option<(Oid, SessionStart)> = self
            .catalog
            .session_starts()
            .find(|(_, known)| same(known))
            .map(|(oid, known)| (oid, known.clone()));
        let (oid, mut start) = known.unwrap_or_else(|| {
            (self.new_oid(), SessionStart { role: role.map(str::to_owned), here, values: Default::default() })
        });
        change(&mut start.values);
        let objects = &mut self.catalog_mut().objects;
        if start.values.is_empty() {
            objects.remove(&oid);
        } else {
            objects.insert(oid, Object::SessionStart(start));
        }
    }
}

pub(super) fn require_database(name: &str) -> Result<()> {
    if name == DATABASE {
        return Ok(());
    }
    Err(SqlError::new(SqlState::new("3D000"), format!("database \"{name}\" does not exist")))
}
