//! Owners: what only they may do, and `REASSIGN OWNED`, `DROP OWNED` and `ALTER … OWNER TO`.

use super::cursor::Cursor;
use super::dependents::What;
use crate::catalog::{Catalog, DefaultAcl, Object, Oid, RecordedKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::security::acl::{Acl, Guarded};
use crate::security::rights::denied;

impl Engine<'_> {
    /// Refuses what is done to a relation by a role that doesn't own it.
    pub(crate) fn require_relation_owner(&self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        if self.catalog.owns(&self.settings.role, &relation) {
            return Ok(());
        }
        Err(denied(format!("must be owner of {} {}", relation.word(), relation.name)))
    }

    /// The same for any object.
    pub(crate) fn require_object_owner(&self, oid: Oid) -> Result<()> {
        match self.catalog.objects.get(&oid) {
            Some(Object::Relation(_)) => self.require_relation_owner(oid),
            Some(Object::Schema(schema)) => {
                self.catalog.require_owner(&self.settings.role, &schema.owner, "schema", &schema.name)
            }
            Some(Object::Routine(routine)) => {
                self.catalog.require_owner(&self.settings.role, &routine.owner, routine.word(), &routine.name)
            }
            Some(Object::Type(known)) if !known.is_row() => {
                self.catalog.require_owner(&self.settings.role, &known.owner, "type", &known.name)
            }
            Some(Object::TextSearch(known)) => {
                let word = "text search configuration";
                self.catalog.require_owner(&self.settings.role, &known.owner, word, &known.name)
            }
            Some(Object::Recorded(known)) => {
                self.catalog.require_owner(&self.settings.role, &known.owner, known.kind.word(), &known.name)
            }
            Some(Object::Publication(known)) => {
                self.catalog.require_owner(&self.settings.role, &known.owner, "publication", &known.name)
            }
            Some(Object::Extension(known)) => self.require_platform("extension", &known.name),
            _ => Ok(()),
        }
    }

    /// The same for a routine, which messages call by the statement's word.
    pub(super) fn require_routine_owner(&self, oid: Oid, word: &str) -> Result<()> {
        let Some(routine) = self.catalog.routine(oid) else { return Ok(()) };
        self.catalog.require_owner(&self.settings.role, &routine.owner, word, &routine.name)
    }

    /// `REASSIGN OWNED BY a TO b`, after the first two words.
    pub(super) fn reassign_owned(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.expect_word("by")?;
        let from = cursor.list(|cursor| self.role_name(cursor))?;
        cursor.expect_word("to")?;
        let to = self.last_role(cursor)?;
        for role in from {
            self.known_role(&role)?;
            self.require_powers(&role, "reassign objects")?;
            self.require_powers(&to, "reassign objects")?;
            each_object(self.catalog_mut(), |object| {
                if owner_of(object).is_some_and(|owner| *owner == role) {
                    give(object, &to);
                }
            });
        }
        Ok(Done::command("REASSIGN OWNED"))
    }

    /// `DROP OWNED BY a`, after the first two words: what the role owns in this database, and what it is granted.
    pub(super) fn drop_owned(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.expect_word("by")?;
        let roles = cursor.list(|cursor| self.role_name(cursor))?;
        let cascade = cursor.word("cascade");
        let _ = cascade || cursor.word("restrict");
        cursor.finish()?;
        for role in roles {
            self.known_role(&role)?;
            self.require_powers(&role, "drop objects")?;
            if role == "postgres" {
                let message = "cannot drop objects owned by role postgres because they are required by the database system";
                return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message));
            }
            each_object(self.catalog_mut(), |object| {
                lists_of(object).for_each(|list| list.forget(&role));
                if let Object::Relation(relation) = object {
                    for policy in &mut relation.policies {
                        policy.roles.retain(|known| *known != role);
                    }
                    relation.policies.retain(|policy| !policy.roles.is_empty());
                }
            });
            let owned = self.catalog.objects.iter().filter(|(_, object)| match object {
                Object::DefaultAcl(known) => known.role == role,
                // A sequence goes with its table.
                Object::Relation(relation) => {
                    relation.owner == role
                        && relation.sequence.as_ref().is_none_or(|options| options.owner.is_none())
                }
                object => owner_of_ref(object) == Some(&role),
            });
            let owned: Vec<_> = owned.map(|(oid, _)| What::Object(*oid)).collect();
            self.drop_all(owned, cascade)?;
        }
        Ok(Done::command("DROP OWNED"))
    }

    fn require_powers(&self, role: &str, doing: &str) -> Result<()> {
        if self.catalog.has_privileges_of(&self.settings.role, role) {
            return Ok(());
        }
        Err(denied(format!("permission denied to {doing}")))
    }

    /// What stands in the way of dropping a role, in PostgreSQL's words.
    pub(super) fn depends_on_role(&self, role: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (oid, object) in self.catalog.objects.iter() {
            let name = || self.name_of(&What::Object(*oid));
            if owner_of_ref(object).is_some_and(|owner| owner == role) {
                found.push(format!("owner of {}", name()));
            } else if lists_of_ref(object).any(|list| list.names(role)) {
                found.push(match object {
                    Object::DefaultAcl(known) => default_in_words(&self.catalog, known),
                    _ => format!("privileges for {}", name()),
                });
            } else if let Object::DefaultAcl(known) = object
                && known.role == role
            {
                found.push(default_in_words(&self.catalog, known));
            }
            if let Object::Relation(relation) = object {
                let policies =
                    relation.policies.iter().filter(|policy| policy.roles.iter().any(|r| r == role));
                found.extend(policies.map(|policy| {
                    let table = self.catalog.relation_name(relation);
                    format!("target of policy {} on table {table}", policy.name)
                }));
            }
        }
        found
    }

    /// Gives a role another name wherever it is mentioned.
    pub(super) fn rename_role(&mut self, from: &str, to: &str) {
        let renamed = |name: &mut String| {
            if name == from {
                to.clone_into(name);
            }
        };
        each_object(self.catalog_mut(), |object| {
            lists_of(object).for_each(|list| list.rename(from, to));
            match object {
                Object::Schema(schema) => renamed(&mut schema.owner),
                Object::Routine(routine) => renamed(&mut routine.owner),
                Object::DefaultAcl(known) => renamed(&mut known.role),
                Object::Role(role) => role.member_of.iter_mut().chain([&mut role.name]).for_each(renamed),
                Object::Relation(relation) => {
                    renamed(&mut relation.owner);
                    relation.policies.iter_mut().flat_map(|policy| &mut policy.roles).for_each(renamed);
                }
                Object::Recorded(recorded) => {
                    renamed(&mut recorded.owner);
                    if recorded.kind == RecordedKind::Mapping {
                        renamed(&mut recorded.name);
                    }
                }
                Object::Publication(publication) => renamed(&mut publication.owner),
                Object::Type(known) => renamed(&mut known.owner),
                Object::TextSearch(known) => renamed(&mut known.owner),
                Object::Extension(_) | Object::Database(_) => {}
                Object::SessionStart(start) => start.role.iter_mut().for_each(renamed),
            }
        });
        for role in [&mut self.settings.role, &mut self.settings.session_role] {
            if **role == *from {
                *role = to.into();
            }
        }
    }

    /// Gives an object another owner, with its privileges.
    pub(super) fn give_object(&mut self, oid: Oid, to: &str) {
        if let Some(object) = self.catalog_mut().objects.get_mut(&oid) {
            give(object, to);
        }
    }
}

/// Changes every object for which that makes a difference.
fn each_object(catalog: &mut Catalog, change: impl Fn(&mut Object)) {
    let oids: Vec<Oid> = catalog.objects.iter().map(|(oid, _)| *oid).collect();
    for oid in oids {
        let Some(before) = catalog.objects.get(&oid) else { continue };
        let mut after = before.clone();
        change(&mut after);
        if after != *before {
            catalog.objects.insert(oid, after);
        }
    }
}

fn owner_of(object: &mut Object) -> Option<&mut String> {
    match object {
        Object::Schema(schema) => Some(&mut schema.owner),
        Object::Relation(relation) => Some(&mut relation.owner),
        Object::Routine(routine) => Some(&mut routine.owner),
        Object::Recorded(recorded) => Some(&mut recorded.owner),
        Object::TextSearch(known) => Some(&mut known.owner),
        Object::Publication(known) => Some(&mut known.owner),
        Object::Type(known) if !known.is_row() => Some(&mut known.owner),
        _ => None,
    }
}

fn owner_of_ref(object: &Object) -> Option<&String> {
    match object {
        Object::Schema(schema) => Some(&schema.owner),
        Object::Relation(relation) => Some(&relation.owner),
        Object::Routine(routine) => Some(&routine.owner),
        Object::Recorded(recorded) => Some(&recorded.owner),
        Object::TextSearch(known) => Some(&known.owner),
        Object::Publication(known) => Some(&known.owner),
        Object::Type(known) if !known.is_row() => Some(&known.owner),
        _ => None,
    }
}

fn give(object: &mut Object, to: &str) {
    let Some(owner) = owner_of(object) else { return };
    let from = std::mem::replace(owner, to.to_owned());
    lists_of(object).for_each(|list| list.rename(&from, to));
}

fn lists_of(object: &mut Object) -> Box<dyn Iterator<Item = &mut Acl> + '_> {
    match object {
        Object::Schema(schema) => Box::new(std::iter::once(&mut schema.acl)),
        Object::Routine(routine) => Box::new(std::iter::once(&mut routine.acl)),
        Object::Type(known) => Box::new(std::iter::once(&mut known.acl)),
        Object::DefaultAcl(known) => Box::new(std::iter::once(&mut known.acl)),
        Object::Database(known) => Box::new(std::iter::once(&mut known.acl)),
        Object::Relation(relation) => {
            let columns = relation.columns.iter_mut().map(|column| &mut column.acl);
            Box::new(columns.chain([&mut relation.acl]))
        }
        _ => Box::new(std::iter::empty()),
    }
}

fn lists_of_ref(object: &Object) -> Box<dyn Iterator<Item = &Acl> + '_> {
    match object {
        Object::Schema(schema) => Box::new(std::iter::once(&schema.acl)),
        Object::Routine(routine) => Box::new(std::iter::once(&routine.acl)),
        Object::Type(known) => Box::new(std::iter::once(&known.acl)),
        Object::DefaultAcl(known) => Box::new(std::iter::once(&known.acl)),
        Object::Database(known) => Box::new(std::iter::once(&known.acl)),
        Object::Relation(relation) => {
            let columns = relation.columns.iter().map(|column| &column.acl);
            Box::new(columns.chain([&relation.acl]))
        }
        _ => Box::new(std::iter::empty()),
    }
}

fn default_in_words(catalog: &Catalog, known: &DefaultAcl) -> String {
    let what = match known.kind {
        Guarded::Sequence => "sequences",
        Guarded::Routine => "functions",
        Guarded::Type => "types",
        Guarded::Schema => "schemas",
        Guarded::Table | Guarded::Column | Guarded::Database => "relations",
    };
    let schema =
        known.schema.map_or_else(String::new, |schema| format!(" in schema {}", catalog.schema_name(schema)));
    format!("default privileges on new {what} belonging to role {}{schema}", known.role)
}
