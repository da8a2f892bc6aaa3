//! `DROP` and `TRUNCATE`.

use super::cursor::Cursor;
use super::privilege::require_schema_to_drop;
use crate::catalog::{
    Catalog, Column, Constraint, ConstraintKind, Object, Oid, RelationKind, TypeDefinition,
};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::types::Type;

/// An object that depends on another one: its description, and how to remove it.
pub(super) struct Dependent {
    pub(super) text: String,
    pub(super) what: What,
}

/// A thing that can be dropped.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Object(Oid),
    Constraint(Oid, Oid),
    Column(Oid, u32),
    Default(Oid, u32),
}

impl Engine<'_> {
    pub(super) fn drop(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        for (words, kind) in [
            ("materialized view", Some(RelationKind::MaterializedView)),
            ("table", Some(RelationKind::Table)),
            ("view", Some(RelationKind::View)),
            ("sequence", Some(RelationKind::Sequence)),
        ] {
            if cursor.words(words) {
                let kind = kind.unwrap_or(RelationKind::Table);
                self.drop_listed(cursor, |engine, cursor| engine.relation_to_drop(cursor, kind))?;
                return Ok(Done::command(format!("DROP {}", words.to_uppercase())));
            }
        }
        if cursor.word("index") {
            return self.drop_index(cursor);
        }
        for word in ["policy", "trigger"] {
            if cursor.word(word) {
                return self.drop_part(cursor, word);
            }
        }
        for word in
            ["schema", "type", "domain", "function", "procedure", "routine", "extension", "publication"]
        {
            if cursor.word(word) {
                self.drop_listed(cursor, |engine, cursor| engine.object_to_drop(cursor, word))?;
                return Ok(Done::command(format!("DROP {}", word.to_uppercase())));
            }
        }
        if cursor.word("role") || cursor.word("user") || cursor.word("group") {
            return self.drop_role(cursor);
        }
        if cursor.word("owned") {
            return self.drop_owned(cursor);
        }
        Err(SqlError::unsupported(format!("DROP {}", cursor.ident()?.to_uppercase())))
    }

    /// Drops the listed objects, and on `CASCADE` those that depend on them.
    fn drop_listed(
        &mut self,
        cursor: &mut Cursor<'_>,
        mut find: impl FnMut(&mut Self, &mut Cursor<'_>) -> Result<std::result::Result<Oid, SqlError>>,
    ) -> Result<()> {
        cursor.word("concurrently");
        let if_exists = cursor.words("if exists");
        let found = cursor.list(|cursor| find(self, cursor))?;
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        cursor.finish()?;
        let mut oids = Vec::new();
        for found in found {
            match found {
                Ok(oid) => oids.push(oid),
                Err(error) if if_exists && is_missing(error.code) => {}
                Err(error) => return Err(error),
            }
        }
        oids.iter().try_for_each(|oid| self.require_object_owner(*oid))?;
        self.drop_all(oids.into_iter().map(What::Object).collect(), cascade)
    }

    fn relation_to_drop(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: RelationKind,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let (schema, name) = cursor.name()?;
        let found = self
            .find(schema.as_deref(), &name)
            .map(|relation| (relation.oid, relation.kind, relation.word()));
        let word = match kind {
            RelationKind::Table => "table",
            RelationKind::View => "view",
            RelationKind::MaterializedView => "materialized view",
            RelationKind::Sequence => "sequence",
        };
        let shown = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
        Ok(match found {
            Ok((oid, found, _)) if found == kind => Ok(oid),
            Ok((_, _, found)) => {
                Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("\"{name}\" is not a {word}"))
                    .hint(format!("Use DROP {} to remove a {found}.", found.to_uppercase())))
            }
            Err(error) if error.code == SqlState::INSUFFICIENT_PRIVILEGE => Err(error),
            Err(_) => {
                Err(SqlError::new(SqlState::UNDEFINED_TABLE, format!("{word} \"{shown}\" does not exist")))
            }
        })
    }

    fn object_to_drop(
        &mut self,
        cursor: &mut Cursor<'_>,
        word: &str,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let missing = |name: &str, code: SqlState| {
            Err(SqlError::new(code, format!("{word} \"{name}\" does not exist")))
        };
        Ok(match word {
            "schema" => {
                let name = cursor.ident()?;
                match self.catalog.schema_named(&name) {
                    Some(oid) => require_schema_to_drop(oid, &name).map(|()| oid),
                    None => missing(&name, SqlState::INVALID_SCHEMA),
                }
            }
            "type" | "domain" => match self.find_type(cursor) {
                Ok(type_) if type_.is_user() => Ok(type_.0),
                Ok(type_) => {
                    let name = self.catalog.type_name(type_, -1);
                    let message =
                        format!("cannot drop type {name} because it is required by the database system");
                    Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message))
                }
                Err(error) => Err(error.nowhere()),
            },
            "extension" => {
                let name = cursor.ident()?;
                match self.catalog.extensions().find(|(_, extension)| extension.name == name) {
                    Some((oid, _)) => Ok(oid),
                    None => missing(&name, SqlState::UNDEFINED_OBJECT),
                }
            }
            "publication" => {
                let name = cursor.ident()?;
                match self.catalog.publications().find(|(_, publication)| publication.name == name) {
                    Some((oid, _)) => Ok(oid),
                    None => missing(&name, SqlState::UNDEFINED_OBJECT),
                }
            }
            _ => self.find_routine(cursor)?,
        })
    }

    /// Drops objects and, with `cascade`, all that depend on them.
    pub(super) fn drop_all(&mut self, first: Vec<What>, cascade: bool) -> Result<()> {
        let mut all = first.clone();
        let mut index = 0;
        while index < all.len() {
            let dependents = self.dependents(&all[index]);
            let others: Vec<Dependent> =
                dependents.into_iter().filter(|dependent| !all.contains(&dependent.what)).collect();
            if let (false, Some(_)) = (cascade, others.first()) {
                let subject = self.name_of(&all[index]);
                let subject = self.subject_of(&all[index]).unwrap_or(subject);
                let details = others.iter().map(|other| format!("{} depends on {subject}", other.text));
                let message = match &first[..] {
                    [_] => {
                        format!("cannot drop {} because other objects depend on it", self.name_of(&first[0]))
                    }
                    _ => "cannot drop desired object(s) because other objects depend on them".to_owned(),
                };
                return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
                    .detail(details.collect::<Vec<_>>().join("\n"))
                    .hint("Use DROP ... CASCADE to drop the dependent objects too."));
            }
            all.extend(others.into_iter().map(|other| other.what));
            index += 1;
        }
        // Objects that were found later depend on earlier ones, so they are removed first.
        all.iter().rev().try_for_each(|what| self.remove(what))
    }

    /// The subject of the message about a foreign key that depends on a key: the key's index.
    fn subject_of(&self, what: &What) -> Option<String> {
        let What::Constraint(table, oid) = what else { return None };
        let constraint =
            self.catalog.relation(*table)?.constraints.iter().find(|constraint| constraint.oid == *oid)?;
        Some(format!("index {}", constraint.name))
    }

    fn name_of(&self, what: &What) -> String {
        match what {
            What::Object(oid) => match self.catalog.objects.get(oid) {
                Some(Object::Schema(schema)) => format!("schema {}", schema.name),
                Some(Object::Relation(relation)) => {
                    format!("{} {}", relation.word(), self.catalog.relation_name(relation))
                }
                Some(Object::Type(_)) => format!("type {}", self.catalog.type_name(Type(*oid), -1)),
                Some(Object::Routine(_)) => format!("function {}", self.signature(*oid)),
                Some(Object::Extension(extension)) => format!("extension {}", extension.name),
                Some(Object::Publication(publication)) => format!("publication {}", publication.name),
                Some(Object::Role(role)) => format!("role {}", role.name),
                Some(Object::DefaultAcl(known)) => format!("default privileges of role {}", known.role),
                None => String::new(),
            },
            What::Constraint(table, oid) => {
                let relation = self.catalog.relation(*table);
                let found = relation.and_then(|relation| {
                    relation.constraints.iter().find(|constraint| constraint.oid == *oid)
                });
                let name = found.map_or("", |constraint| &constraint.name);
                let table =
                    relation.map_or_else(String::new, |relation| self.catalog.relation_name(relation));
                format!("constraint {name} on table {table}")
            }
            What::Column(table, number) | What::Default(table, number) => {
                let relation = self.catalog.relation(*table);
                let column = relation.map_or("", |relation| relation.column_name(*number));
                let table =
                    relation.map_or_else(String::new, |relation| self.catalog.relation_name(relation));
                let what =
                    if matches!(what, What::Default(..)) { "default value for column" } else { "column" };
                format!("{what} {column} of table {table}")
            }
        }
    }

    fn dependents(&self, what: &What) -> Vec<Dependent> {
        let catalog = &self.catalog;
        let mut found = Vec::new();
        let mut add = |what: What| found.push(Dependent { text: self.name_of(&what), what });
        match what {
            What::Object(oid) => match catalog.objects.get(oid) {
                Some(Object::Relation(relation)) => {
                    for (child, constraint) in
                        catalog.references_to(*oid).filter(|(child, _)| child.oid != *oid)
                    {
                        add(What::Constraint(child.oid, constraint.oid));
                    }
                    self.views_of(*oid).into_iter().for_each(|view| add(What::Object(view)));
                    if relation.kind == RelationKind::Sequence {
                        for table in catalog.relations() {
                            let name = catalog.relation_name(relation);
                            for column in table.columns.iter().filter(|column| draws(column, *oid, &name)) {
                                add(What::Default(table.oid, column.number));
                            }
                        }
                    }
                }
                Some(Object::Type(_)) => {
                    let type_ = Type(*oid);
                    let of_type = |other: Type| other == type_ || other.element() == Some(type_);
                    for relation in catalog.relations() {
                        for column in relation.columns.iter().filter(|column| of_type(column.type_.base)) {
                            add(What::Column(relation.oid, column.number));
                        }
                    }
                    for (oid, routine) in catalog.routines() {
                        if of_type(routine.returns)
                            || routine.arguments.iter().any(|argument| of_type(argument.type_))
                        {
                            add(What::Object(oid));
                        }
                    }
                }
                Some(Object::Schema(_)) => {
                    members(catalog, *oid).into_iter().for_each(|member| add(What::Object(member)));
                }
                Some(Object::Routine(routine)) if routine.returns == Type::TRIGGER => {
                    for relation in catalog.relations() {
                        for trigger in relation.triggers.iter().filter(|trigger| trigger.function == *oid) {
                            let table = catalog.relation_name(relation);
                            let text = format!("trigger {} on table {table}", trigger.name);
                            found.push(Dependent { text, what: What::Constraint(relation.oid, trigger.oid) });
                        }
                    }
                }
                _ => {}
            },
            What::Column(table, number) => {
                for (child, constraint) in catalog.references_to(*table) {
                    let refers = matches!(&constraint.kind, ConstraintKind::Foreign { columns, .. } if columns.contains(number));
                    if refers {
                        add(What::Constraint(child.oid, constraint.oid));
                    }
                }
                for view in self.views_using(*table, *number) {
                    add(What::Object(view));
                }
            }
            What::Constraint(table, oid) => {
                let relation = catalog.relation(*table);
                let constraint =
                    relation.and_then(|relation| relation.constraints.iter().find(|known| known.oid == *oid));
                let is_key = constraint.is_some_and(|constraint| {
                    matches!(constraint.kind, ConstraintKind::Primary { .. } | ConstraintKind::Unique { .. })
                });
                if let Some(constraint) = constraint.filter(|_| is_key) {
                    for (child, foreign) in catalog.references_to(*table) {
                        if matches!(&foreign.kind, ConstraintKind::Foreign { columns, .. } if *columns == constraint.columns)
                        {
                            add(What::Constraint(child.oid, foreign.oid));
                        }
                    }
                }
            }
            What::Default(..) => {}
        }
        found.extend(self.dependent_policies(what));
        found
    }

    /// The views that become invalid without a column.
    pub(super) fn views_using(&self, table: Oid, number: u32) -> Vec<Oid> {
        let views = self.views_of(table);
        if views.is_empty() {
            return views;
        }
        let mut without = self.catalog.as_ref().clone();
        if let Some(relation) = without.relation_mut(table) {
            relation.columns.retain(|column| column.number != number);
        }
        let stands = |view: &Oid| {
            let Some(relation) = without.relation(*view) else { return false };
            let mut binder = crate::bind::Binder::new(&without, self.source.clone(), &self.settings, &[]);
            binder.view_query(relation).is_ok_and(|query| query.columns.len() == relation.columns.len())
        };
        views.into_iter().filter(|view| !stands(view)).collect()
    }

    fn remove(&mut self, what: &What) -> Result<()> {
        match what {
            What::Object(oid) => self.remove_object(*oid),
            What::Constraint(table, oid) => self.remove_constraint(*table, *oid),
            What::Column(table, number) => self.remove_column(*table, *number),
            What::Default(table, number) => {
                if self
                    .catalog
                    .relation(*table)
                    .is_some_and(|relation| relation.column_number(*number).is_some())
                {
                    let column = self.column_mut(*table, *number);
                    column.default = None;
                    column.sequence = None;
                }
                Ok(())
            }
        }
    }

    fn remove_object(&mut self, oid: Oid) -> Result<()> {
        let Some(relation) = self.catalog.relation(oid).cloned() else {
            if matches!(self.catalog.objects.get(&oid), Some(Object::Schema(_))) {
                self.remove_defaults_in(oid);
            }
            self.catalog_mut().objects.remove(&oid);
            return Ok(());
        };
        if relation.is_stored() {
            relation.constraints.iter().try_for_each(|known| self.drop_foreign_triggers(oid, known))?;
            self.execute(&format!("DROP TABLE {}", relation.physical()))?;
        }
        if let Some(row) = self.catalog.row_type(oid) {
            self.catalog_mut().objects.remove(&row.0);
        }
        let owned = self.catalog.relations().filter(|sequence| {
            sequence
                .sequence
                .as_ref()
                .is_some_and(|options| options.owner.is_some_and(|(table, _)| table == oid))
        });
        for sequence in owned.map(|sequence| sequence.oid).collect::<Vec<_>>() {
            self.remove_object(sequence)?;
        }
        if relation.kind == RelationKind::Sequence {
            self.connection.execute("DELETE FROM pg_sequence_state WHERE oid = ?1", [oid])?;
        }
        let publications = self.catalog.publications().filter(|(_, known)| known.tables.contains(&oid));
        for publication in publications.map(|(publication, _)| publication).collect::<Vec<_>>() {
            if let Some(Object::Publication(known)) = self.catalog_mut().objects.get_mut(&publication) {
                known.tables.retain(|table| *table != oid);
            }
        }
        self.catalog_mut().objects.remove(&oid);
        Ok(())
    }

    /// Removes the triggers of a constraint if it is a foreign key. Some of them are on the other table.
    pub(super) fn drop_foreign_triggers(&self, table: Oid, constraint: &Constraint) -> Result<()> {
        let suffixes: &[&str] = match constraint.kind {
            ConstraintKind::Foreign { .. } => &["i", "u", "d", "k"],
            _ => &[],
        };
        let oid = constraint.oid;
        suffixes
            .iter()
            .try_for_each(|suffix| self.execute(&format!("DROP TRIGGER IF EXISTS r{table}_f{oid}{suffix}")))
    }

    /// Removes a constraint or a trigger by its number.
    pub(super) fn remove_constraint(&mut self, table: Oid, oid: Oid) -> Result<()> {
        if self.catalog.relation(table).is_none() {
            return Ok(());
        }
        let relation = self.relation_mut(table);
        relation.triggers.retain(|trigger| trigger.oid != oid);
        relation.policies.retain(|policy| policy.oid != oid);
        let Some(at) = relation.constraints.iter().position(|constraint| constraint.oid == oid) else {
            return Ok(());
        };
        let constraint = relation.constraints.remove(at);
        self.drop_foreign_triggers(table, &constraint)?;
        let relation = self.relation_mut(table);
        if let ConstraintKind::Primary { index } | ConstraintKind::Unique { index } = constraint.kind {
            relation.indexes.retain(|known| known.oid != index);
            self.execute(&format!("DROP INDEX IF EXISTS i{index}"))?;
        }
        self.refresh_checks(table)
    }

    fn drop_index(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.word("concurrently");
        let if_exists = cursor.words("if exists");
        let names = cursor.list(Cursor::name)?;
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        cursor.finish()?;
        let _ = cascade;
        for (schema, name) in names {
            let schemas = match &schema {
                Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
                None => self.binder().search_path(),
            };
            let found = schemas.into_iter().find_map(|schema| self.catalog.index_named(schema, &name));
            let Some((relation, index)) = found.map(|(relation, index)| (relation.clone(), index.oid)) else {
                if if_exists {
                    continue;
                }
                return Err(SqlError::new(
                    SqlState::UNDEFINED_OBJECT,
                    format!("index \"{name}\" does not exist"),
                ));
            };
            let owner = relation.constraints.iter().find(|constraint| match constraint.kind {
                ConstraintKind::Primary { index: of } | ConstraintKind::Unique { index: of } => of == index,
                _ => false,
            });
            if let Some(constraint) = owner {
                let shown = format!(
                    "constraint {} on table {}",
                    constraint.name,
                    self.catalog.relation_name(&relation)
                );
                let message = format!("cannot drop index {name} because {shown} requires it");
                return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
                    .hint(format!("You can drop {shown} instead.")));
            }
            self.require_relation_owner(relation.oid)?;
            self.relation_mut(relation.oid).indexes.retain(|known| known.oid != index);
            self.execute(&format!("DROP INDEX IF EXISTS i{index}"))?;
        }
        Ok(Done::command("DROP INDEX"))
    }

    fn drop_part(&mut self, cursor: &mut Cursor<'_>, word: &str) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let (schema, table) = cursor.name()?;
        let _ = cursor.word("cascade") || cursor.word("restrict");
        cursor.finish()?;
        let done = Done::command(format!("DROP {}", word.to_uppercase()));
        let oid = match self.find(schema.as_deref(), &table) {
            Ok(relation) => relation.oid,
            Err(_) if if_exists => return Ok(done),
            Err(error) => return Err(error),
        };
        self.require_relation_owner(oid)?;
        let relation = self.relation_mut(oid);
        let before = relation.policies.len() + relation.triggers.len();
        if word == "policy" {
            relation.policies.retain(|policy| policy.name != name);
        } else {
            relation.triggers.retain(|trigger| trigger.name != name);
        }
        if relation.policies.len() + relation.triggers.len() == before && !if_exists {
            let message = format!("{word} \"{name}\" for table \"{table}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        Ok(done)
    }

    pub(super) fn truncate(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.word("table");
        cursor.word("only");
        let mut tables = cursor.list(|cursor| self.find_table(cursor))?;
        for table in &tables {
            let relation = self.relation(*table)?;
            if !self.catalog.allows_relation(&self.settings.role, &relation, 'D') {
                return Err(relation.denied());
            }
        }
        let restart = cursor.words("restart identity");
        cursor.words("continue identity");
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        cursor.finish()?;
        let mut index = 0;
        while index < tables.len() {
            let children: Vec<(Oid, String)> = self
                .catalog
                .references_to(tables[index])
                .filter(|(child, _)| !tables.contains(&child.oid))
                .map(|(child, _)| (child.oid, child.name.clone()))
                .collect();
            if let (false, Some((_, child))) = (cascade, children.first()) {
                let name = self.relation(tables[index])?.name;
                let message = "cannot truncate a table referenced in a foreign key constraint";
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                    .detail(format!("Table \"{child}\" references \"{name}\"."))
                    .hint(format!(
                        "Truncate table \"{child}\" at the same time, or use TRUNCATE ... CASCADE."
                    )));
            }
            for (child, _) in children {
                if !tables.contains(&child) {
                    tables.push(child);
                }
            }
            index += 1;
        }
        let watched = tables.iter().map(|table| Ok(self.watched(&self.relation(*table)?)));
        let watched = watched.collect::<Result<Vec<_>>>()?;
        for table in &watched {
            self.fire_for_statement(table, "BEFORE", "TRUNCATE", &[])?;
        }
        // Children come first, so that foreign key triggers have nothing to do.
        for table in tables.iter().rev() {
            self.execute(&format!("DELETE FROM r{table}"))?;
            if restart {
                for sequence in self.relation(*table)?.columns.iter().filter_map(|column| column.sequence) {
                    self.connection.execute("DELETE FROM pg_sequence_state WHERE oid = ?1", [sequence])?;
                }
            }
        }
        self.execute("DELETE FROM pg_pending")?;
        for table in &watched {
            self.fire_for_statement(table, "AFTER", "TRUNCATE", &[])?;
        }
        Ok(Done::command("TRUNCATE TABLE"))
    }
}

fn is_missing(code: SqlState) -> bool {
    [
        SqlState::UNDEFINED_TABLE,
        SqlState::UNDEFINED_OBJECT,
        SqlState::UNDEFINED_FUNCTION,
        SqlState::INVALID_SCHEMA,
    ]
    .contains(&code)
}

/// Whether a column takes its default from a sequence.
fn draws(column: &Column, sequence: Oid, name: &str) -> bool {
    let call = format!("nextval('{name}'");
    let identity = column.identity.is_some() && column.sequence == Some(sequence);
    identity || column.default.as_ref().is_some_and(|default| default.contains(&call))
}

/// The objects in a schema.
fn members(catalog: &Catalog, schema: Oid) -> Vec<Oid> {
    let members = catalog.objects.iter().filter(|(_, object)| match object {
        // A sequence is dropped with the column that owns it.
        Object::Relation(relation) => relation.schema == schema && !catalog_owns(catalog, relation.oid),
        Object::Type(user_type) => {
            user_type.schema == schema && !matches!(user_type.definition, TypeDefinition::Row { .. })
        }
        Object::Routine(routine) => routine.schema == schema,
        Object::Extension(extension) => extension.schema == schema,
        Object::Schema(_) | Object::Publication(_) | Object::Role(_) | Object::DefaultAcl(_) => false,
    });
    members.map(|(oid, _)| *oid).collect()
}

fn catalog_owns(catalog: &Catalog, sequence: Oid) -> bool {
    catalog
        .relations()
        .any(|relation| relation.columns.iter().any(|column| column.sequence == Some(sequence)))
}
