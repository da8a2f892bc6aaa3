//! `DROP` and `TRUNCATE`.

use super::cursor::Cursor;
use super::dependents::What;
use super::privilege::require_schema_to_drop;
use crate::catalog::{
    Constraint, ConstraintKind, Index, Object, Oid, RecordedKind, Relation, RelationKind, Routine,
    TypeDefinition,
};
use crate::error::{Result, SqlError, SqlState};
use crate::notice::is_missing;
use crate::run::{Done, Engine};
use crate::types::Type;

/// The name of a type as notices about missing objects have it: as written, unless the grammar has words for the type.
pub(super) fn as_parsed(written: &str) -> String {
    let written = written.to_lowercase();
    let words = written.split('(').next().unwrap_or_default().trim().to_owned();
    let known = match words.as_str() {
        "int" | "integer" => "int4",
        "smallint" => "int2",
        "bigint" => "int8",
        "real" => "float4",
        "float" | "double precision" => "float8",
        "decimal" | "dec" | "numeric" => "numeric",
        "boolean" => "bool",
        "varchar" | "character varying" | "char varying" => "varchar",
        "char" | "character" => "bpchar",
        "timestamp" | "timestamp without time zone" => "timestamp",
        "timestamp with time zone" => "timestamptz",
        "time" | "time without time zone" => "time",
        "time with time zone" => "timetz",
        "interval" | "bit" | "varbit" => words.as_str(),
        _ => return words,
    };
    format!("pg_catalog.{known}")
}

impl Engine<'_> {
    pub(super) fn drop(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        for (words, kind) in [
            ("materialized view", Some(RelationKind::MaterializedView)),
            ("table", Some(RelationKind::Table)),
            ("view", Some(RelationKind::View)),
            ("sequence", Some(RelationKind::Sequence)),
            ("foreign table", Some(RelationKind::Foreign)),
        ] {
            if cursor.words(words) {
                let kind = kind.unwrap_or(RelationKind::Table);
                self.drop_listed(cursor, |engine, cursor| engine.relation_to_drop(cursor, kind))?;
                return Ok(Done::command(format!("DROP {}", words.to_uppercase())));
            }
        }
        if let Some(done) = self.drop_recorded(cursor)? {
            return Ok(done);
        }
        if cursor.word("index") {
            return self.drop_index(cursor);
        }
        for word in ["policy", "trigger"] {
            if cursor.word(word) {
                return self.drop_part(cursor, word);
            }
        }
        for word in [
            "schema",
            "type",
            "domain",
            "function",
            "procedure",
            "routine",
            "aggregate",
            "extension",
            "publication",
        ] {
            if cursor.word(word) {
                self.drop_listed(cursor, |engine, cursor| engine.object_to_drop(cursor, word))?;
                return Ok(Done::command(format!("DROP {}", word.to_uppercase())));
            }
        }
        if cursor.word("role") || cursor.word("user") || cursor.word("group") {
            return self.drop_role(cursor);
        }
        if cursor.words("text search") {
            return self.drop_text_search(cursor);
        }
        if cursor.word("cast") {
            return self.drop_cast(cursor);
        }
        if cursor.word("owned") {
            return self.drop_owned(cursor);
        }
        self.drop_absent(cursor)
    }

    /// Drops the listed objects, and on `CASCADE` those that depend on them.
    pub(super) fn drop_listed(
        &mut self,
        cursor: &mut Cursor<'_>,
        find: impl FnMut(&mut Self, &mut Cursor<'_>) -> Result<std::result::Result<Oid, SqlError>>,
    ) -> Result<()> {
        cursor.word("concurrently");
        let if_exists = cursor.words("if exists");
        self.drop_listed_as(cursor, if_exists, find)
    }

    /// The same, after `IF EXISTS`.
    pub(super) fn drop_listed_as(
        &mut self,
        cursor: &mut Cursor<'_>,
        if_exists: bool,
        mut find: impl FnMut(&mut Self, &mut Cursor<'_>) -> Result<std::result::Result<Oid, SqlError>>,
    ) -> Result<()> {
        let found = cursor.list(|cursor| find(self, cursor))?;
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        cursor.finish()?;
        let mut oids = Vec::new();
        for found in found {
            match found {
                Ok(oid) => oids.push(oid),
                Err(error) if if_exists => self.skip(true, without_types(error))?,
                Err(error) => return Err(error),
            }
        }
        oids.iter().try_for_each(|oid| {
            self.refuse_member(*oid, &oids)?;
            self.require_object_owner(*oid)
        })?;
        let members = |oid: &Oid| match self.catalog.objects.get(oid) {
            Some(Object::Extension(extension)) => extension.members.clone(),
            _ => Vec::new(),
        };
        // What an extension has created goes with it, unless it has gone already.
        let mut all: Vec<Oid> = oids.iter().flat_map(members).collect();
        all.retain(|oid| self.catalog.objects.get(oid).is_some());
        all.extend(oids);
        self.drop_all(all.into_iter().map(What::Object).collect(), cascade)
    }

    /// Refuses to drop what an extension has created, if that stays.
    fn refuse_member(&self, oid: Oid, dropped: &[Oid]) -> Result<()> {
        let mut extensions = self.catalog.extensions();
        let Some((_, extension)) =
            extensions.find(|(own, known)| known.members.contains(&oid) && !dropped.contains(own))
        else {
            return Ok(());
        };
        let (what, extension) = (self.name_of(&What::Object(oid)), format!("extension {}", extension.name));
        let message = format!("cannot drop {what} because {extension} requires it");
        Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
            .hint(format!("You can drop {extension} instead.")))
    }

    fn relation_to_drop(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: RelationKind,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let (schema, name) = cursor.name()?;
        let found = self
            .find(schema.as_deref(), &name)
            .map(|relation| (relation.oid, relation.shown_kind(), relation.word()));
        let word = match kind {
            RelationKind::Table => "table",
            RelationKind::View => "view",
            RelationKind::MaterializedView => "materialized view",
            RelationKind::Sequence => "sequence",
            RelationKind::Foreign => "foreign table",
        };
        let shown = &name;
        Ok(match found {
            Ok((oid, found, _)) if found == kind => Ok(oid),
            Ok((_, _, found)) => {
                Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("\"{name}\" is not a {word}"))
                    .hint(format!("Use DROP {} to remove a {found}.", found.to_uppercase())))
            }
            Err(error) if error.code == SqlState::INSUFFICIENT_PRIVILEGE => Err(error),
            Err(_) if self.index_by_name(schema.as_deref(), &name).is_ok() => {
                Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("\"{name}\" is not a {word}"))
                    .hint("Use DROP INDEX to remove an index."))
            }
            Err(_) if schema.as_ref().is_some_and(|schema| self.catalog.schema_named(schema).is_none()) => {
                let schema = schema.unwrap_or_default();
                Err(SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{schema}\" does not exist")))
            }
            Err(_) if kind == RelationKind::Foreign => {
                Err(SqlError::new(SqlState::UNDEFINED_OBJECT, format!("{word} \"{shown}\" does not exist")))
            }
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
                Ok(type_) if type_.is_user() => self
                    .refuse_row_type(type_)
                    .and_then(|()| self.require_range_to_drop(type_.0))
                    .map(|()| type_.0),
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
            _ => self.routine_to_drop(cursor, word)?,
        })
    }

    /// Refuses to drop the type of a table's rows.
    fn refuse_row_type(&self, type_: Type) -> Result<()> {
        let known = self.catalog.user_type(type_).map(|known| &known.definition);
        let Some(TypeDefinition::Row { relation }) = known else { return Ok(()) };
        let (type_, of) = (self.catalog.type_name(type_, -1), self.name_of(&What::Object(*relation)));
        let message = format!("cannot drop type {type_} because {of} requires it");
        Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message).hint(format!("You can drop {of} instead.")))
    }

    fn routine_to_drop(
        &mut self,
        cursor: &mut Cursor<'_>,
        word: &str,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let start = cursor.at;
        let found = match self.find_routine(cursor, word) {
            // A type that is missing means that the function is missing too.
            Err(error) if is_missing(error.code) => {
                cursor.at = start;
                cursor.name()?;
                cursor.skip_brackets()?;
                Err(error.nowhere())
            }
            found => found?,
        };
        let found = found.map_err(|error| match error.message.strip_prefix("function ") {
            Some(rest) if word != "function" && word != "routine" => {
                SqlError::new(error.code, format!("{word} {rest}"))
            }
            _ => error,
        });
        Ok(found.and_then(|oid| match self.catalog.objects.get(&oid) {
            Some(Object::Routine(routine)) if word != "routine" && routine.word() != word => {
                Err(self.wrong_kind(oid, routine, word))
            }
            _ => Ok(oid),
        }))
    }

    /// The refusal of a routine that is of another kind than the statement says.
    pub(super) fn wrong_kind(&self, oid: Oid, routine: &Routine, word: &str) -> SqlError {
        let error = |message: String| SqlError::new(SqlState::WRONG_OBJECT_TYPE, message);
        match (word, routine.word()) {
            ("function", "aggregate") => error(format!("\"{}\" is an aggregate function", routine.name))
                .hint("Use DROP AGGREGATE to drop aggregate functions."),
            ("aggregate", _) => {
                let types = routine.inputs().map(|input| self.catalog.type_name(input.type_, -1));
                let types = types.collect::<Vec<_>>().join(", ");
                error(format!("function {}({types}) is not an aggregate", routine.name))
            }
            _ => error(format!("{} is not a {word}", self.signature(oid))),
        }
    }

    /// Removes an attribute of a composite type, also from the values that rows have.
    fn remove_attribute(&mut self, type_: Oid, name: &str) -> Result<()> {
        let known = self.catalog.user_type(Type(type_)).map(|known| &known.definition);
        let Some(TypeDefinition::Composite { attributes }) = known else { return Ok(()) };
        let Some(at) = attributes.iter().position(|attribute| attribute.name == name) else { return Ok(()) };
        self.change_values(Type(type_), &|row| {
            row.as_array_mut().into_iter().for_each(|parts| drop(parts.remove(at)));
        })?;
        if let Some(Object::Type(known)) = self.catalog_mut().objects.get_mut(&type_)
            && let TypeDefinition::Composite { attributes } = &mut known.definition
        {
            attributes.retain(|attribute| attribute.name != name);
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, what: &What) -> Result<()> {
        match what {
            What::Object(oid) => self.remove_object(*oid),
            What::Constraint(table, oid) => self.remove_constraint(*table, *oid),
            What::Index(table, oid) => {
                let known = self.catalog.relation(*table);
                let index = known.and_then(|known| known.indexes.iter().find(|known| known.oid == *oid));
                let computes = index.is_some_and(Index::computes);
                if self.catalog.relation(*table).is_some() {
                    self.relation_mut(*table).indexes.retain(|known| known.oid != *oid);
                }
                self.drop_stored(format!("INDEX IF EXISTS i{oid}"))?;
                match computes {
                    true => self.refresh_checks(*table),
                    false => Ok(()),
                }
            }
            What::DomainCheck(domain, name) => {
                if let Some(Object::Type(known)) = self.catalog_mut().objects.get_mut(domain)
                    && let TypeDefinition::Domain { checks, .. } = &mut known.definition
                {
                    checks.retain(|(check, _)| check != name);
                }
                Ok(())
            }
            What::Attribute(type_, name) => self.remove_attribute(*type_, name),
            What::Published(publication, table) => {
                self.unpublish(*publication, *table);
                Ok(())
            }
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
                self.unpublish_schema(oid);
            }
            let of_range = self.catalog.own_range(Type(oid)).filter(|(own, _)| own.0 == oid);
            self.catalog_mut().objects.remove(&oid);
            if let Some((_, range)) = of_range {
                self.catalog_mut().objects.remove(&range.pair.0);
            }
            return Ok(());
        };
        if relation.kind == RelationKind::Table {
            self.require_free(&relation, "DROP TABLE")?;
        }
        if relation.partition.is_some() {
            self.empty_partition(&relation)?;
            self.drop_own_indexes(&relation)?;
            relation.constraints.iter().try_for_each(|known| self.drop_foreign_triggers(oid, known))?;
        }
        if relation.is_stored() {
            relation.constraints.iter().try_for_each(|known| self.drop_foreign_triggers(oid, known))?;
            self.drop_stored(format!("TABLE {}", relation.physical()))?;
        }
        if let Some(row) = self.catalog.row_type(oid) {
            self.catalog_mut().objects.remove(&row.0);
        }
        if relation.is_stored() || relation.kind == RelationKind::Foreign {
            let statistics =
                self.catalog.recorded(RecordedKind::Statistics).filter(|(_, known)| known.of == Some(oid));
            let statistics: Vec<Oid> = statistics.map(|(statistics, _)| statistics).collect();
            statistics.iter().for_each(|statistics| self.catalog_mut().objects.remove(statistics));
            for sequence in self.sequences_of(oid) {
                self.remove_object(sequence)?;
            }
            let publications = self.catalog.publications().filter(|(_, known)| known.tables.contains(&oid));
            for publication in publications.map(|(publication, _)| publication).collect::<Vec<_>>() {
                self.unpublish(publication, oid);
            }
        }
        if relation.kind == RelationKind::Sequence {
            self.connection.execute("DELETE FROM pg_sequence_state WHERE oid = ?1", [oid])?;
        }
        self.catalog_mut().objects.remove(&oid);
        match &relation.partition {
            Some(partition) => self.forget_partition(partition.parent),
            None => Ok(()),
        }
    }

    /// Drops a table or an index of SQLite. While a query runs that has called the function that drops it, SQLite refuses; then it
    /// goes at the end of the statement, and until then nothing names it.
    fn drop_stored(&self, what: String) -> Result<()> {
        match self.execute(&format!("DROP {what}")) {
            Err(error) if error.detail.as_deref().is_some_and(|detail| detail.contains("locked")) => {
                self.known.waiting.borrow_mut().push(what);
                Ok(())
            }
            done => done,
        }
    }

    /// The sequences that a table owns.
    pub(super) fn sequences_of(&self, table: Oid) -> Vec<Oid> {
        let owned = self.catalog.relations().filter(|relation| {
            let options = relation.sequence.as_ref();
            options.is_some_and(|options| options.owner.is_some_and(|(owner, _)| owner == table))
        });
        owned.map(|sequence| sequence.oid).collect()
    }

    /// Removes the triggers of a constraint if it is a foreign key. Some of them are on the other table.
    pub(super) fn drop_foreign_triggers(&self, table: Oid, constraint: &Constraint) -> Result<()> {
        let suffixes: &[&str] = match constraint.kind {
            ConstraintKind::Foreign { .. } => &["i", "u", "n", "m", "d", "k"],
            _ if constraint.is_noted() => &["i", "u", "b"],
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
        relation.rules.retain(|rule| rule.oid != oid);
        let Some(at) = relation.constraints.iter().position(|constraint| constraint.oid == oid) else {
            return Ok(());
        };
        let constraint = relation.constraints.remove(at);
        self.drop_foreign_triggers(table, &constraint)?;
        let relation = self.relation_mut(table);
        if let ConstraintKind::Primary { index }
        | ConstraintKind::Unique { index }
        | ConstraintKind::Exclude { index, .. } = constraint.kind
        {
            relation.indexes.retain(|known| known.oid != index);
            self.drop_stored(format!("INDEX IF EXISTS i{index}"))?;
        }
        let relation = self.relation(table)?;
        match relation.partition.is_some() || relation.partitioning.is_some() {
            true => self.sync_partitions(table),
            false => self.refresh_checks(table),
        }
    }

    fn drop_index(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let concurrently = cursor.word("concurrently");
        let if_exists = cursor.words("if exists");
        let names = cursor.list(Cursor::name)?;
        if concurrently && names.len() > 1 {
            let message = "DROP INDEX CONCURRENTLY does not support dropping multiple objects";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
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
                let of_kind = self.find(schema.as_deref(), &name).map(Relation::word);
                if let Ok(word) = of_kind {
                    let message = format!("\"{name}\" is not an index");
                    return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message)
                        .hint(format!("Use DROP {} to remove a {word}.", word.to_uppercase())));
                }
                let missing = schema.filter(|schema| self.catalog.schema_named(schema).is_none());
                let error = match missing {
                    Some(schema) => {
                        SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{schema}\" does not exist"))
                    }
                    None => {
                        SqlError::new(SqlState::UNDEFINED_OBJECT, format!("index \"{name}\" does not exist"))
                    }
                };
                self.skip(if_exists, error)?;
                continue;
            };
            let part = relation.indexes.iter().find(|known| known.oid == index);
            if let Some(above) = part.and_then(|part| part.parent) {
                let above = self.name_of(&What::Index(self.table_of_index(above), above));
                let message = format!("cannot drop index {name} because {above} requires it");
                return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message)
                    .hint(format!("You can drop {above} instead.")));
            }
            let owner = relation.constraints.iter().find(|constraint| match constraint.kind {
                ConstraintKind::Primary { index: of }
                | ConstraintKind::Unique { index: of }
                | ConstraintKind::Exclude { index: of, .. } => of == index,
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
            self.catalog.require_owner(&self.settings.role, &relation.owner, "index", &name)?;
            self.remove(&What::Index(relation.oid, index))?;
            if relation.partitioning.is_some() {
                self.sync_partitions(relation.oid)?;
            }
        }
        Ok(Done::command("DROP INDEX"))
    }

    /// The table that has an index.
    fn table_of_index(&self, index: Oid) -> Oid {
        let has = |relation: &&Relation| relation.indexes.iter().any(|known| known.oid == index);
        self.catalog.relations().find(has).map_or(0, |relation| relation.oid)
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
            Err(error) => return self.skip(if_exists, error).map(|()| done),
        };
        self.require_relation_owner(oid)?;
        let relation = self.relation_mut(oid);
        let before = relation.policies.len() + relation.triggers.len();
        if word == "policy" {
            relation.policies.retain(|policy| policy.name != name);
        } else {
            relation.triggers.retain(|trigger| trigger.name != name);
        }
        if relation.policies.len() + relation.triggers.len() == before {
            // PostgreSQL's own words: the one error says "table", the notice "relation".
            let on = match (if_exists, schema) {
                (true, Some(schema)) => format!("relation \"{schema}.{table}\""),
                (true, None) => format!("relation \"{table}\""),
                (false, _) => format!("table \"{table}\""),
            };
            let message = format!("{word} \"{name}\" for {on} does not exist");
            self.skip(if_exists, SqlError::new(SqlState::UNDEFINED_OBJECT, message))?;
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
            let mut truncated = vec![tables[index]];
            self.catalog.add_partitions(tables[index], &mut truncated);
            let is_within =
                |child: &Relation| tables.iter().any(|table| self.catalog.is_within(child, *table));
            let children: Vec<(Oid, String, Oid)> = truncated
                .iter()
                .flat_map(|table| self.catalog.references_to(*table).map(move |(child, _)| (child, *table)))
                .filter(|(child, _)| !is_within(child))
                .map(|(child, table)| (child.oid, child.name.clone(), table))
                .collect();
            if let (false, Some((_, child, table))) = (cascade, children.first()) {
                let name = self.relation(*table)?.name;
                let message = "cannot truncate a table referenced in a foreign key constraint";
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                    .detail(format!("Table \"{child}\" references \"{name}\"."))
                    .hint(format!(
                        "Truncate table \"{child}\" at the same time, or use TRUNCATE ... CASCADE."
                    )));
            }
            for (child, name, _) in children {
                if !tables.contains(&child) {
                    let message = format!("truncate cascades to table \"{name}\"");
                    self.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message))?;
                    tables.push(child);
                }
            }
            index += 1;
        }
        let mut named = tables.clone();
        for table in &tables {
            self.catalog.add_partitions(*table, &mut named);
        }
        for table in &named {
            self.require_free(&self.relation(*table)?, "TRUNCATE")?;
        }
        let watched = named.iter().map(|table| Ok(self.watched(&self.relation(*table)?)));
        let watched = watched.collect::<Result<Vec<_>>>()?;
        for table in &watched {
            self.fire_for_statement(table, "BEFORE", "TRUNCATE", &[])?;
        }
        // Children come first, so that foreign key triggers have nothing to do.
        for table in tables.iter().rev() {
            let relation = self.relation(*table)?;
            match relation.partition {
                Some(_) => self.empty_partition(&relation)?,
                None => self.execute(&format!("DELETE FROM r{table}"))?,
            }
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

/// The words of a notice about a function that is named without its types.
fn without_types(error: SqlError) -> SqlError {
    let named = error.message.strip_prefix("could not find a ").and_then(|rest| rest.split_once(" named \""));
    match named {
        Some((word, name)) => {
            let message = format!("{word} {}() does not exist", name.trim_end_matches('"'));
            SqlError::new(error.code, message)
        }
        None => error,
    }
}
