//! Privileges on the database itself, of which there is one, and whose owner is the platform's users' own role.

use super::acl::{Acl, Guarded};
use super::rights::{OWNER, denied};
use crate::catalog::{Catalog, DATABASE, Database, Object, Oid};
use crate::error::Result;
use crate::objects::Few;
use crate::run::Engine;

impl Catalog {
    /// The database, once something about it has been granted or revoked.
    pub(crate) fn database(&self) -> Option<(Oid, &Database)> {
        self.objects.few(Few::Database).find_map(|(oid, object)| match object {
            Object::Database(database) => Some((*oid, database)),
            _ => None,
        })
    }

    /// The list of its privileges, with what that depends on.
    pub(crate) fn database_guarded(&self) -> (Guarded, Acl, &'static str) {
        let acl = self.database().map(|(_, database)| database.acl.clone());
        (Guarded::Database, acl.unwrap_or_default(), OWNER)
    }

    /// Whether a role has a privilege on the database.
    pub(crate) fn allows_database(&self, role: &str, letter: char) -> bool {
        let (kind, acl, owner) = self.database_guarded();
        self.allows(role, (kind, &acl, owner), letter)
    }

    /// Whether a role may grant such a privilege.
    pub(crate) fn may_grant_on_database(&self, role: &str, letter: char) -> bool {
        let (_, acl, owner) = self.database_guarded();
        self.has_privileges_of(role, owner)
            || acl.grantable(&|known| self.has_privileges_of(role, known)).contains(letter)
    }
}

impl Engine<'_> {
    /// Refuses what only a role may do that may create things in the database: schemas, publications.
    pub(crate) fn require_creation_in_database(&self) -> Result<()> {
        if self.catalog.allows_database(&self.settings.role, 'C') {
            return Ok(());
        }
        Err(denied(format!("permission denied for database {DATABASE}")))
    }

    pub(crate) fn require_database_owner(&self) -> Result<()> {
        self.catalog.require_owner(&self.settings.role, OWNER, "database", DATABASE)
    }

    /// Refuses what is done to something that no project's role owns but the first one.
    pub(crate) fn require_platform(&self, word: &str, name: &str) -> Result<()> {
        self.catalog.require_owner(&self.settings.role, OWNER, word, name)
    }
}
