//! `ALTER INDEX`, `ALTER SCHEMA`, and `ALTER` of routines.

use crate::catalog::{ConstraintKind, Object, Oid, Routine};
use crate::ddl::cursor::Cursor;
use crate::ddl::object::reserved_schema;
use crate::ddl::privilege::require_own_schema;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

impl Engine<'_> {
    pub(super) fn alter_index(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let (schema, name) = cursor.name()?;
        let (table, index) = match self.index_by_name(schema.as_deref(), &name) {
            Ok(found) => found,
            Err(missing) => return self.skip_all(if_exists, missing, "ALTER INDEX"),
        };
        let owner = self.relation(table)?.owner;
        self.catalog.require_owner(&self.settings.role, &owner, "index", &name)?;
        if cursor.words("rename to") {
            let to = cursor.ident()?;
            let relation = self.relation_mut(table);
            for known in relation.indexes.iter_mut().filter(|known| known.oid == index) {
                known.name.clone_from(&to);
            }
            for constraint in &mut relation.constraints {
                if matches!(constraint.kind, ConstraintKind::Primary { index: of } | ConstraintKind::Unique { index: of } | ConstraintKind::Exclude { index: of, .. } if of == index)
                {
                    constraint.name.clone_from(&to);
                }
            }
        } else if cursor.words("attach partition") {
            return self.attach_to_index(cursor, (table, index));
        } else if cursor.is("set") || cursor.is("reset") {
            let sets = cursor.is("set");
            cursor.at += 1;
            if sets && cursor.word("tablespace") {
                crate::ddl::names::tablespace(cursor)?;
            } else {
                self.change_index_options(cursor, (table, index), sets)?;
            }
        } else if cursor.word("no") || cursor.is("depends") {
            self.extension_depended_on(cursor)?;
        } else if cursor.word("alter") {
            // How many values of a key are counted.
            cursor.word("column");
            cursor.integer()?;
            cursor.expect_word("set")?;
            cursor.expect_word("statistics")?;
            cursor.integer()?;
        } else {
            return Err(cursor.unexpected());
        }
        cursor.finish()?;
        Ok(Done::command("ALTER INDEX"))
    }

    /// An index by name: its table, and the index.
    pub(in crate::ddl) fn index_by_name(&self, schema: Option<&str>, name: &str) -> Result<(Oid, Oid)> {
        let schemas = match schema {
            Some(schema) => vec![self.catalog.known_schema(schema)?],
            None => self.binder().search_path(),
        };
        let found = schemas.into_iter().find_map(|schema| self.catalog.index_named(schema, name));
        found.map(|(relation, index)| (relation.oid, index.oid)).ok_or_else(|| {
            let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
            SqlError::new(SqlState::UNDEFINED_TABLE, format!("relation \"{shown}\" does not exist"))
        })
    }

    pub(super) fn alter_schema(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        let oid = self.catalog.known_schema(&name)?;
        let rename = cursor.words("rename to");
        if !rename && !cursor.words("owner to") {
            return Err(cursor.unexpected());
        }
        require_own_schema(oid, &name)?;
        self.require_object_owner(oid)?;
        let to = if rename { cursor.ident()? } else { self.new_owner(cursor)? };
        let owner = to.clone();
        if rename {
            self.require_creation_in_database()?;
        }
        if rename && to.starts_with("pg_") {
            return Err(reserved_schema(&to));
        }
        if rename && self.catalog.schema_named(&to).is_some() {
            let message = format!("schema \"{to}\" already exists");
            return Err(SqlError::new(SqlState::DUPLICATE_SCHEMA, message));
        }
        if rename {
            if let Some(crate::catalog::Object::Schema(schema)) = self.catalog_mut().objects.get_mut(&oid) {
                schema.name.clone_from(&to);
            }
            self.follow_schema(&name, &to)?;
        } else {
            self.give_object(oid, &owner);
        }
        if rename {
            let relations = self.catalog.relations().filter(|relation| relation.schema == oid);
            let relations: Vec<(Oid, String)> =
                relations.map(|relation| (relation.oid, relation.name.clone())).collect();
            for (relation, table) in &relations {
                self.rename_in_texts(*relation, (&name, table))?;
            }
            relations.iter().try_for_each(|(relation, _)| self.require_views(*relation))?;
        }
        Ok(Done::command("ALTER SCHEMA"))
    }

    pub(super) fn alter_routine(&mut self, cursor: &mut Cursor<'_>, word: &str) -> Result<Done> {
        let oid = self.find_routine(cursor, word)??;
        let found = self.catalog.routine(oid).filter(|routine| match word {
            "function" => routine.procedure,
            "routine" => false,
            word => routine.word() != word,
        });
        if let Some(routine) = found {
            return Err(self.wrong_kind(oid, routine, word));
        }
        let generic =
            ["rename", "owner", "set"].iter().any(|word| cursor.is(word)) && !cursor.is_at(1, "leakproof");
        let generic = generic && (!cursor.is("set") || cursor.is_at(1, "schema"));
        self.require_routine_owner(oid, if generic { "function" } else { word })?;
        let rename = cursor.words("rename to");
        let to = if rename { Some(cursor.ident()?) } else { None };
        let schema = if cursor.words("set schema") {
            let schema = cursor.ident()?;
            Some(self.creation_schema(Some(&schema))?)
        } else {
            None
        };
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.give_object(oid, &owner);
        }
        let Some(Object::Routine(routine)) = self.catalog.objects.get(&oid) else {
            return Err(SqlError::unsupported("this function"));
        };
        let mut changed = routine.clone();
        let before = (self.catalog.schema_name(changed.schema).to_owned(), changed.name.clone());
        let renamed = to.is_some() || schema.is_some();
        changed.name = to.unwrap_or(changed.name);
        changed.schema = schema.unwrap_or(changed.schema);
        self.require_free_name(oid, &changed)?;
        while !cursor.is_end() {
            self.alter_option(cursor, &mut changed)?;
        }
        self.catalog_mut().objects.insert(oid, Object::Routine(changed));
        if renamed {
            self.follow_routine(oid, (&before.0, &before.1))?;
        }
        Ok(Done::command("ALTER FUNCTION"))
    }

    /// One action of `ALTER FUNCTION` that is not about its name, schema or owner.
    fn alter_option(&mut self, cursor: &mut Cursor<'_>, routine: &mut Routine) -> Result<()> {
        if cursor.words("reset all") {
            routine.settings.clear();
        } else if cursor.word("reset") {
            let name = cursor.name()?.1;
            forget_setting(routine, &name);
        } else if cursor.words("depends on extension") || cursor.words("no depends on extension") {
            cursor.ident()?;
        } else if ["language", "as", "window", "return", "begin"].iter().any(|word| cursor.is(word)) {
            return Err(cursor.unexpected());
        } else if !cursor.word("restrict") {
            let before = routine.settings.len();
            self.routine_option(cursor, routine)?;
            if let Some(new) = routine.settings.get(before).cloned() {
                routine.settings.truncate(before);
                forget_setting(routine, new.split(" TO ").next().unwrap_or_default());
                routine.settings.push(new);
            }
        }
        Ok(())
    }
}

fn forget_setting(routine: &mut Routine, name: &str) {
    routine.settings.retain(|setting| {
        !setting.split(" TO ").next().is_some_and(|known| known.eq_ignore_ascii_case(name))
    });
}
