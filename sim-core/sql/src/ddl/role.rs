//! Roles: `CREATE ROLE` and similar statements, membership, owners.

use std::collections::BTreeSet;

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::privilege::denied;
use crate::catalog::{Object, Oid, Role};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::types::Type;
use crate::value::datetime::parse_timestamp;

/// The units of work for the name of a role in a list of members.
const NAME_WORK: usize = 10;

impl Engine<'_> {
    /// `CREATE ROLE` or `CREATE USER`, after these words; a user may log in.
    pub(super) fn create_role(&mut self, cursor: &mut Cursor<'_>, login: bool) -> Result<Done> {
        let name = cursor.ident()?;
        if name.starts_with("pg_") {
            return Err(SqlError::new(SqlState::new("42939"), format!("role name \"{name}\" is reserved"))
                .detail("Role names starting with \"pg_\" are reserved."));
        }
        if self.catalog.role(&name).is_some() {
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, format!("role \"{name}\" already exists")));
        }
        let mut role = Role {
            name,
            superuser: false,
            inherit: true,
            create_role: false,
            create_database: false,
            login,
            replication: false,
            bypasses_row_security: false,
            connection_limit: None,
            valid_until: None,
            member_of: Vec::new(),
        };
        self.role_options(cursor, &mut role, false)?;
        self.require_role_powers()?;
        let oid = self.new_oid();
        self.catalog_mut().objects.insert(oid, Object::Role(role));
        Ok(Done::command("CREATE ROLE"))
    }

    /// `ALTER ROLE`, after these words.
    pub(super) fn alter_role(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = self.role_name(cursor)?;
        let done = Ok(Done::command("ALTER ROLE"));
        if name == "all" {
            return match self.alter_role_parameters(cursor, None)? {
                true => done,
                false => Err(cursor.unexpected()),
            };
        }
        let mut role = self.known_role(&name)?;
        if self.alter_role_parameters(cursor, Some(&name))? {
            return done;
        }
        let own_password = name == *self.settings.role
            && ["password", "encrypted"].iter().any(|word| cursor.is(word) || cursor.is_at(1, word));
        if !own_password {
            let to =
                if cursor.is("rename") { "permission denied to rename role" } else { "permission denied" };
            self.require_role_powers().map_err(|_| denied(to))?;
        }
        if cursor.words("rename to") {
            let to = cursor.ident()?;
            cursor.finish()?;
            if self.catalog.role(&to).is_some() {
                let message = format!("role \"{to}\" already exists");
                return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
            }
            self.rename_role(&name, &to);
            return done;
        }
        self.role_options(cursor, &mut role, true)?;
        if let Some(known) = self.catalog_mut().role_mut(&name) {
            *known = role;
        }
        done
    }

    /// Reads attributes into a role. When `altering`, the role has attributes already.
    fn role_options(&mut self, cursor: &mut Cursor<'_>, role: &mut Role, altering: bool) -> Result<()> {
        cursor.word("with");
        while !cursor.is_end() {
            if altering && (cursor.is("superuser") || cursor.is("nosuperuser")) {
                return Err(denied(
                    "must be superuser to alter superuser roles or change superuser attribute",
                ));
            }
            if cursor.is("superuser") {
                return Err(denied("must be superuser to create superusers"));
            }
            if cursor.words("in role") || cursor.words("in group") {
                for group in cursor.list(|cursor| self.role_name(cursor))? {
                    self.known_role(&group)?;
                    role.member_of.push(group);
                }
            } else if cursor.words("connection limit") {
                role.connection_limit = connection_limit(cursor.integer()?)?;
            } else if cursor.words("valid until") {
                role.valid_until = Some(parse_timestamp(&cursor.string()?, Type::TIMESTAMPTZ)?);
            } else if cursor.word("password") || cursor.words("encrypted password") {
                let _ = cursor.word("null") || cursor.string().is_ok();
            } else {
                let at = cursor.at;
                let word = cursor.ident()?;
                let (on, name) = match word.strip_prefix("no") {
                    Some(name) => (false, name),
                    None => (true, word.as_str()),
                };
                match name {
                    "superuser" => {}
                    "inherit" => role.inherit = on,
                    "createrole" => role.create_role = on,
                    "createdb" => role.create_database = on,
                    "login" => role.login = on,
                    "replication" => role.replication = on,
                    "bypassrls" => role.bypasses_row_security = on,
                    _ => {
                        cursor.at = at;
                        return Err(cursor.unexpected());
                    }
                }
            }
        }
        Ok(())
    }

    /// `DROP ROLE`, after these words.
    pub(super) fn drop_role(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let roles = cursor.list(|cursor| self.role_name(cursor))?;
        cursor.finish()?;
        for name in roles {
            if name == *self.settings.role {
                return Err(SqlError::new(SqlState::OBJECT_IN_USE, "current user cannot be dropped"));
            }
            self.require_role_powers().map_err(|_| denied("permission denied to drop role"))?;
            let Some((oid, role)) = self.catalog.role(&name) else {
                self.skip(if_exists, no_role(&name))?;
                continue;
            };
            // Roles of the platform have the lowest numbers. A project's role may not drop them.
            if role.superuser || oid < crate::types::FIRST_USER {
                return Err(denied("must be superuser to drop superusers"));
            }
            self.budget.work(self.catalog.objects.len())?;
            let uses = self.depends_on_role(&name);
            if !uses.is_empty() {
                let message = format!("role \"{name}\" cannot be dropped because some objects depend on it");
                return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message).detail(uses.join("\n")));
            }
            let starts =
                self.catalog.session_starts().filter(|(_, start)| start.role.as_ref() == Some(&name));
            let starts: Vec<Oid> = starts.map(|(oid, _)| oid).collect();
            let catalog = self.catalog_mut();
            starts.iter().chain([&oid]).for_each(|oid| catalog.objects.remove(oid));
            let members = catalog.roles().filter(|(_, role)| role.member_of.contains(&name));
            let members: Vec<String> = members.map(|(_, role)| role.name.clone()).collect();
            for member in members {
                if let Some(role) = catalog.role_mut(&member) {
                    role.member_of.retain(|group| *group != name);
                }
            }
        }
        Ok(Done::command("DROP ROLE"))
    }

    /// Grants or revokes membership: `anon TO authenticator`. Returns `false` if the statement is about something else.
    pub(super) fn grant_membership(&mut self, cursor: &mut Cursor<'_>, grant: bool) -> Result<bool> {
        let words = cursor.tokens.get(cursor.at..).unwrap_or_default();
        if words.iter().any(|token| crate::source::is_word(token, "on")) {
            return Ok(false);
        }
        cursor.words("admin option for");
        let groups = cursor.list(|cursor| self.role_name(cursor))?;
        cursor.expect_word(if grant { "to" } else { "from" })?;
        let members = cursor.list(|cursor| self.role_name(cursor))?;
        cursor.rest();
        for group in &groups {
            self.known_role(group)?;
            self.require_role_powers()
                .map_err(|_| denied(format!("must have admin option on role \"{group}\"")))?;
        }
        if grant {
            for group in &groups {
                let around = self.catalog.groups(group, false);
                self.budget.work(NAME_WORK * (around.len() + members.len()))?;
                if let Some(member) = members.iter().find(|member| around.contains(*member)) {
                    let message = format!("role \"{member}\" is a member of role \"{group}\"");
                    let message = if member == group {
                        message
                    } else {
                        format!("role \"{group}\" is a member of role \"{member}\"")
                    };
                    return Err(SqlError::new(SqlState::new("0LP01"), message));
                }
            }
        }
        let given: BTreeSet<&String> = groups.iter().collect();
        for member in &members {
            let mut role = self.known_role(member)?;
            self.budget.work(NAME_WORK * (role.member_of.len() + groups.len()))?;
            let had: BTreeSet<String> = role.member_of.iter().cloned().collect();
            for group in groups.iter().filter(|group| had.contains(*group) == grant) {
                let (severity, is) = if grant { ("NOTICE", "already") } else { ("WARNING", "not") };
                let message = format!("role \"{member}\" is {is} a member of role \"{group}\"");
                self.report(
                    severity,
                    &SqlError::new(SqlState::new(if grant { "00000" } else { "01000" }), message),
                )?;
            }
            role.member_of.retain(|known| !given.contains(known));
            if grant {
                role.member_of.extend(groups.iter().cloned());
            }
            if let Some(known) = self.catalog_mut().role_mut(member) {
                *known = role;
            }
        }
        Ok(true)
    }

    /// Reads a role's name. `CURRENT_USER` and similar words mean the current role.
    pub(super) fn role_name(&self, cursor: &mut Cursor<'_>) -> Result<String> {
        cursor.word("group");
        let quoted = cursor
            .peek()
            .is_some_and(|token| matches!(&token.token, Token::Word(word) if word.quote_style.is_some()));
        let name = cursor.ident()?;
        Ok(match name.as_str() {
            "current_user" | "current_role" if !quoted => self.settings.role.to_string(),
            "session_user" if !quoted => self.settings.session_role.to_string(),
            _ => name,
        })
    }

    /// Refuses changes of roles to a role that may not make any.
    pub(super) fn require_role_powers(&self) -> Result<()> {
        let role = &self.settings.role;
        let may =
            self.catalog.is_exempt(role) || self.catalog.role(role).is_some_and(|(_, role)| role.create_role);
        if may { Ok(()) } else { Err(denied("permission denied to create role")) }
    }

    /// The role that will own something. Who gives it away must be able to become that role.
    pub(super) fn new_owner(&self, cursor: &mut Cursor<'_>) -> Result<String> {
        let name = self.last_role(cursor)?;
        if self.catalog.is_exempt(&self.settings.role)
            || self.catalog.is_member_of(&self.settings.role, &name)
        {
            return Ok(name);
        }
        Err(denied(format!("must be member of role \"{name}\"")))
    }

    /// The role with whose name a statement ends.
    pub(super) fn last_role(&self, cursor: &mut Cursor<'_>) -> Result<String> {
        let name = self.role_name(cursor)?;
        self.known_role(&name)?;
        cursor.finish()?;
        Ok(name)
    }

    /// Refuses a new owner who may not create objects in the schema.
    pub(super) fn require_creator(&self, owner: &str, schema: crate::catalog::Oid) -> Result<()> {
        let by_superuser = self.catalog.role(&self.settings.role).is_some_and(|(_, role)| role.superuser);
        if by_superuser { Ok(()) } else { self.catalog.require_schema(owner, schema, 'C') }
    }

    pub(super) fn known_role(&self, name: &str) -> Result<Role> {
        self.catalog.role(name).map(|(_, role)| role.clone()).ok_or_else(|| no_role(name))
    }
}

/// The error for a role that does not exist.
pub(crate) fn no_role(name: &str) -> SqlError {
    SqlError::new(SqlState::UNDEFINED_OBJECT, format!("role \"{name}\" does not exist"))
}

fn connection_limit(limit: i64) -> Result<Option<i64>> {
    match limit {
        -1 => Ok(None),
        0.. => Ok(Some(limit)),
        _ => {
            let message = format!("invalid connection limit: {limit}");
            Err(SqlError::new(SqlState::INVALID_PARAMETER, message))
        }
    }
}
