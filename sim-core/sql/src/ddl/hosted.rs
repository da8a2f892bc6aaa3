//! The initial content of a hosted project's database: roles, and tables that are created in SQLite when a statement first names
//! them.
//!
//! About forty tables belong to the platform, and most projects use only a few. SQLite reads the definition of each table when a
//! connection switches to another database. So, until it is used, a table is only an entry of the catalog ("dormant").

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::catalog::{ConstraintKind, Object, Oid, Relation, Role};
use crate::error::Result;
use crate::run::Engine;
use crate::source::is_word;

/// Schemas of the platform whose functions differ between versions of the service. Dumps name them in grants.
pub const SCHEMAS_OF_EXTENSIONS: [&str; 9] =
    ["extensions", "graphql", "graphql_public", "pgsodium", "vault", "cron", "net", "pgmq", "pgbouncer"];

/// The initial content on both engines.
pub const INITIAL: &str = include_str!("initial.sql");

/// What clients may do with it. It needs the roles of a hosted project.
pub const GRANTS: &str = include_str!("grants.sql");

/// Additional initial content on the embedded engine: extensions that a server may lack or that need a superuser.
pub(super) const EMBEDDED: &str = include_str!("embedded.sql");

const ROLES: &str = include_str!("roles.txt");

/// The roles of a new database, by number.
pub(super) fn roles() -> impl Iterator<Item = (Oid, Role)> {
    let lines = ROLES.lines().filter(|line| !line.starts_with('#'));
    lines.enumerate().filter_map(|(index, line)| {
        let mut words = line.split(' ');
        let (name, flags) = (words.next()?, words.next()?);
        let role = Role {
            name: name.to_owned(),
            superuser: flags.contains('S'),
            inherit: flags.contains('I'),
            create_role: flags.contains('C'),
            create_database: flags.contains('D'),
            login: flags.contains('L'),
            replication: flags.contains('R'),
            bypasses_row_security: flags.contains('B'),
            connection_limit: None,
            valid_until: None,
            member_of: words.map(str::to_owned).collect(),
        };
        Some((10 + index as Oid * 2, role))
    })
}

/// Makes every table dormant. No table may have rows yet.
pub(super) fn put_to_sleep(engine: &mut Engine<'_>) -> Result<()> {
    let stored: Vec<Oid> = engine
        .catalog
        .relations()
        .filter(|relation| relation.is_stored())
        .map(|relation| relation.oid)
        .collect();
    for oid in &stored {
        let relation = engine.relation(*oid)?;
        engine.drop_triggers(&relation)?;
    }
    for oid in stored {
        engine.execute(&format!("DROP TABLE {}", crate::catalog::physical(oid)))?;
        engine.relation_mut(oid).dormant = true;
    }
    Ok(())
}

impl Engine<'_> {
    /// Creates the dormant tables that a definition names, and those that they refer to.
    pub(super) fn wake_named(&mut self, tokens: &[TokenWithSpan]) -> Result<()> {
        // These statements change only the catalog.
        let only_catalog = ["grant", "revoke", "comment", "policy"];
        if tokens.iter().take(2).any(|token| only_catalog.iter().any(|word| is_word(token, word))) {
            return Ok(());
        }
        let words: BTreeSet<String> = tokens
            .iter()
            .filter_map(|token| match &token.token {
                Token::Word(word) => Some(word.value.to_lowercase()),
                _ => None,
            })
            .collect();
        let near = |schema: Oid| {
            let name = self.catalog.schema_name(schema);
            words.contains(name) || self.settings.search_path.iter().any(|searched| searched == name)
        };
        // `CASCADE` may reach tables that are not named.
        let all = words.contains("cascade") && (words.contains("drop") || words.contains("truncate"));
        let named: BTreeSet<Oid> = if all {
            self.dormant().filter(|relation| near(relation.schema)).map(|relation| relation.oid).collect()
        } else {
            let meant = words.iter().flat_map(|word| self.catalog.objects.maybe_named(word));
            meant
                .filter_map(|(oid, object)| match object {
                    Object::Relation(relation) if relation.dormant && near(relation.schema) => {
                        words.contains(&relation.name).then_some(oid)
                    }
                    _ => None,
                })
                .collect()
        };
        self.wake_all(&named.into_iter().collect::<Vec<_>>())
    }

    /// Creates the table of a relation that is about to receive rows.
    pub(crate) fn wake_target(&mut self, object: &sqlparser::ast::ObjectName) -> Result<()> {
        let target = self.binder().find_relation(object).ok().filter(|relation| relation.dormant);
        match target.map(|relation| relation.oid) {
            Some(oid) => self.wake_all(&[oid]),
            None => Ok(()),
        }
    }

    fn dormant(&self) -> impl Iterator<Item = &Relation> {
        self.catalog.relations().filter(|relation| relation.dormant)
    }

    fn wake_all(&mut self, oids: &[Oid]) -> Result<()> {
        if oids.is_empty() {
            return Ok(());
        }
        let before = self.catalog.clone();
        oids.iter().try_for_each(|oid| self.wake(*oid))?;
        let connection = self.connection;
        Arc::make_mut(&mut self.catalog).save(connection, &before).map(drop)
    }

    fn wake(&mut self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        if !relation.dormant {
            return Ok(());
        }
        self.relation_mut(oid).dormant = false;
        for constraint in &relation.constraints {
            if let ConstraintKind::Foreign { table, .. } = &constraint.kind {
                self.wake(*table)?;
            }
        }
        self.create_storage(oid)?;
        self.refresh_triggers(oid)
    }
}
