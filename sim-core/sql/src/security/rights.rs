//! What roles may do, by the catalog.

use std::collections::BTreeSet;

use super::acl::{Acl, Guarded};
use crate::catalog::{
    Catalog, INFORMATION_SCHEMA, Object, Oid, PG_CATALOG, Relation, RelationKind, Routine, TEMPORARY,
};
use crate::error::{Result, SqlError, SqlState};
use crate::objects::Few;

/// The role by which the platform's users own their database. It is no superuser, but nothing of a project is out of its reach.
pub(super) const OWNER: &str = "postgres";

impl Catalog {
    /// Whether no privilege is asked of a role.
    pub(crate) fn is_exempt(&self, role: &str) -> bool {
        role == OWNER || self.role(role).is_some_and(|(_, role)| role.superuser)
    }

    /// Whether a relation belongs to who runs the server, so that the first role has only what it is granted. So do those that an
    /// extension makes which only such a one may create.
    pub(crate) fn is_of_server(&self, relation: &Relation) -> bool {
        const RELATIONS: [&str; 3] = ["spatial_ref_sys", "geometry_columns", "geography_columns"];
        RELATIONS.contains(&relation.name.as_str())
            && self.role(&relation.owner).is_some_and(|(_, owner)| owner.superuser)
    }

    /// Whether a role has the privileges of a relation's owner.
    pub(crate) fn owns(&self, role: &str, relation: &Relation) -> bool {
        match role == OWNER && self.is_of_server(relation) {
            true => self.groups(role, true).contains(&relation.owner),
            false => self.has_privileges_of(role, &relation.owner),
        }
    }

    /// Whether row security does not apply to a role.
    pub(crate) fn bypasses_row_security(&self, role: &str) -> bool {
        self.is_exempt(role) || self.role(role).is_some_and(|(_, role)| role.bypasses_row_security)
    }

    /// A role and those that it is a member of, through any number of others.
    pub(crate) fn groups(&self, role: &str, inherited: bool) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        let mut next = vec![role.to_owned()];
        while let Some(name) = next.pop() {
            let known = self.role(&name).map(|(_, role)| role);
            if all.insert(name)
                && let Some(known) = known.filter(|known| known.inherit || !inherited)
            {
                next.extend(known.member_of.iter().cloned());
            }
        }
        all
    }

    /// Whether a role's queries of a table are subject to its policies.
    pub(crate) fn secures(&self, role: &str, relation: &Relation) -> bool {
        relation.row_security
            && !self.bypasses_row_security(role)
            && (relation.force_row_security || !self.has_privileges_of(role, &relation.owner))
    }

    /// Whether a role has the privileges of another by itself.
    pub(crate) fn has_privileges_of(&self, role: &str, other: &str) -> bool {
        role == other || self.is_exempt(role) || self.groups(role, true).contains(other)
    }

    /// Whether a role is a member of another, so that it can become it.
    pub(crate) fn is_member_of(&self, role: &str, other: &str) -> bool {
        if role == other || self.groups(role, false).contains(other) {
            return true;
        }
        match self.role(role) {
            Some((_, known)) if known.superuser => true,
            // It has made all roles but the superusers, or could make itself a member of them.
            _ => role == OWNER && self.role(other).is_some_and(|(_, other)| !other.superuser),
        }
    }

    /// Whether a role has a privilege by a list.
    pub(crate) fn allows(&self, role: &str, (kind, acl, owner): (Guarded, &Acl, &str), letter: char) -> bool {
        self.is_exempt(role) || self.allows_by_list(role, (kind, acl, owner), letter)
    }

    fn allows_by_list(&self, role: &str, (kind, acl, owner): (Guarded, &Acl, &str), letter: char) -> bool {
        let groups = self.groups(role, true);
        let reads_all = letter == 'r' && matches!(kind, Guarded::Table | Guarded::Sequence)
            || letter == 'U' && kind == Guarded::Schema;
        let writes_all = kind == Guarded::Table && matches!(letter, 'a' | 'w' | 'd');
        (reads_all && groups.contains("pg_read_all_data"))
            || ((writes_all || letter == 'U' && kind == Guarded::Schema)
                && groups.contains("pg_write_all_data"))
            || acl.allows(kind, owner, letter, &|grantee| groups.contains(grantee))
    }

    /// Whether a role has a privilege on a relation as a whole.
    pub(crate) fn allows_relation(&self, role: &str, relation: &Relation, letter: char) -> bool {
        match role == OWNER && self.is_of_server(relation) {
            true => self.allows_by_list(role, relation.guarded(), letter),
            false => self.allows(role, relation.guarded(), letter),
        }
    }

    /// Whether a role has a privilege on a column, by the relation or by itself.
    pub(crate) fn allows_column(&self, role: &str, relation: &Relation, number: u32, letter: char) -> bool {
        let column = relation.column_number(number);
        self.allows_relation(role, relation, letter)
            || column.is_some_and(|column| {
                let guarded = (Guarded::Column, &column.acl, &*relation.owner);
                match role == OWNER && self.is_of_server(relation) {
                    true => self.allows_by_list(role, guarded, letter),
                    false => self.allows(role, guarded, letter),
                }
            })
    }

    /// Whether a role has a privilege on a schema.
    pub(crate) fn allows_schema(&self, role: &str, schema: Oid, letter: char) -> bool {
        if schema == PG_CATALOG || schema == INFORMATION_SCHEMA {
            return letter == 'U';
        }
        match self.objects.get(&schema) {
            // The temporary schema is the session's, under whatever role.
            Some(Object::Schema(schema)) => {
                self.allows(role, (Guarded::Schema, &schema.acl, &schema.owner), letter)
                    || schema.name == TEMPORARY
            }
            _ => true,
        }
    }

    /// Refuses a schema in which a role has not the privilege.
    pub(crate) fn require_schema(&self, role: &str, schema: Oid, letter: char) -> Result<()> {
        if self.allows_schema(role, schema, letter) {
            return Ok(());
        }
        Err(denied(format!("permission denied for schema {}", self.schema_name(schema))))
    }

    /// Refuses an object that a role doesn't own.
    pub(crate) fn require_owner(&self, role: &str, owner: &str, word: &str, name: &str) -> Result<()> {
        if self.has_privileges_of(role, owner) {
            return Ok(());
        }
        Err(denied(format!("must be owner of {word} {name}")))
    }

    /// The privileges that a new object of `owner` begins with.
    pub(crate) fn default_acl(&self, owner: &str, schema: Oid, kind: Guarded) -> Acl {
        let of = |schema: Option<Oid>| {
            self.objects.few(Few::DefaultAcl).find_map(|(_, object)| match object {
                Object::DefaultAcl(known)
                    if known.role == owner && known.schema == schema && known.kind == kind =>
                {
                    Some(known.acl.clone())
                }
                _ => None,
            })
        };
        let everywhere = of(None).unwrap_or_default();
        everywhere.merged(kind, owner, &of(Some(schema)).unwrap_or_default())
    }
}

impl Relation {
    /// The list of its privileges, with what that depends on.
    pub(crate) fn guarded(&self) -> (Guarded, &Acl, &str) {
        let kind = if self.kind == RelationKind::Sequence { Guarded::Sequence } else { Guarded::Table };
        (kind, &self.acl, &self.owner)
    }

    /// The refusal of a role without the privilege.
    pub(crate) fn denied(&self) -> SqlError {
        denied(format!("permission denied for {} {}", self.word(), self.name))
    }

    /// Whether a view reads with the rights of who asks, not with those of its owner.
    pub(crate) fn is_invokers(&self) -> bool {
        self.options.iter().any(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, "true"));
            name.eq_ignore_ascii_case("security_invoker")
                && matches!(
                    value.trim_matches('\'').to_ascii_lowercase().as_str(),
                    "true" | "on" | "yes" | "1" | "t" | "y"
                )
        })
    }
}

impl Routine {
    /// The list of its privileges, with what that depends on.
    pub(crate) fn guarded(&self) -> (Guarded, &Acl, &str) {
        (Guarded::Routine, &self.acl, &self.owner)
    }

    /// The refusal of a role that may not call it.
    pub(crate) fn denied(&self) -> SqlError {
        denied(format!("permission denied for {} {}", self.word(), self.name))
    }
}

/// A refusal with 42501.
pub(crate) fn denied(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message)
}
