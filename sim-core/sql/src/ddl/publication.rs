//! Publications: which tables a subscriber would see, and which of their columns and rows.

use std::collections::BTreeSet;

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::bind::{Clause, Scope};
use crate::catalog::{Object, Oid, Publication, Published};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

/// Tables, and what a publication has of each.
type PublishedTables = Vec<(Oid, Published)>;

impl Engine<'_> {
    pub(super) fn create_publication(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        self.require_creation_in_database()?;
        if self.catalog.publications().any(|(_, publication)| publication.name == name) {
            let message = format!("publication \"{name}\" already exists");
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let mut publication =
            Publication { name, owner: self.settings.role.to_string(), ..Publication::default() };
        publication.all_tables = cursor.words("for all tables");
        if !publication.all_tables && cursor.word("for") {
            let (tables, schemas) = self.published(cursor)?;
            tables.into_iter().for_each(|(table, published)| publication.add(table, published));
            publication.schemas = schemas;
        }
        if cursor.word("with") {
            publication_options(cursor, &mut publication)?;
        }
        cursor.finish()?;
        let oid = self.new_oid();
        self.catalog_mut().objects.insert(oid, Object::Publication(publication));
        Ok(Done::command("CREATE PUBLICATION"))
    }

    pub(super) fn alter_publication(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        let found = self.catalog.publications().find(|(_, publication)| publication.name == name);
        let Some((oid, publication)) = found else {
            let message = format!("publication \"{name}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        };
        let mut publication = publication.clone();
        self.require_object_owner(oid)?;
        if cursor.words("owner to") {
            publication.owner = self.new_owner(cursor)?;
        } else if cursor.words("rename to") {
            publication.name = cursor.ident()?;
            cursor.finish()?;
        } else {
            let verb = ["add", "set", "drop"].into_iter().find(|verb| cursor.word(verb));
            let verb = verb.ok_or_else(|| cursor.unexpected())?;
            if cursor.is("table") || cursor.is("tables") {
                if publication.all_tables {
                    let message = format!("publication \"{name}\" is defined as FOR ALL TABLES");
                    return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message)
                        .detail("Tables cannot be added to or dropped from FOR ALL TABLES publications."));
                }
                self.alter_published(cursor, verb, &mut publication)?;
            } else if verb == "set" && cursor.peek().is_some_and(|token| token.token == Token::LParen) {
                publication_options(cursor, &mut publication)?;
            } else {
                return Err(cursor.unexpected());
            }
            cursor.finish()?;
        }
        self.catalog_mut().objects.insert(oid, Object::Publication(publication));
        Ok(Done::command("ALTER PUBLICATION"))
    }

    fn alter_published(
        &mut self,
        cursor: &mut Cursor<'_>,
        verb: &str,
        publication: &mut Publication,
    ) -> Result<()> {
        let (tables, schemas) = self.published(cursor)?;
        if verb == "set" {
            publication.tables.clear();
            publication.details.clear();
            publication.schemas.clear();
        }
        for schema in schemas {
            let there = publication.schemas.contains(&schema);
            let name = self.catalog.schema_name(schema);
            match verb {
                "drop" if there => publication.schemas.retain(|known| *known != schema),
                "drop" => {
                    let message = format!("tables from schema \"{name}\" are not part of the publication");
                    return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
                }
                "add" if there => {
                    let shown = &publication.name;
                    let message = format!("schema \"{name}\" is already member of publication \"{shown}\"");
                    return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
                }
                _ => publication.schemas.push(schema),
            }
        }
        for (table, published) in tables {
            let there = publication.tables.contains(&table);
            let relation = self.relation(table)?.name;
            if there && verb == "add" {
                let name = &publication.name;
                let message = format!("relation \"{relation}\" is already member of publication \"{name}\"");
                return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
            }
            if verb != "drop" {
                publication.add(table, published);
            } else if there {
                publication.remove(table);
            } else {
                let message = format!("relation \"{relation}\" is not part of the publication");
                return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
            }
        }
        Ok(())
    }

    /// Tables with the columns and the condition that follow them, and schemas: `table a, b, tables in schema c, d`.
    fn published(&mut self, cursor: &mut Cursor<'_>) -> Result<(PublishedTables, Vec<Oid>)> {
        let (mut tables, mut schemas) = (Vec::new(), Vec::new());
        let mut of_schemas = false;
        cursor.list(|cursor| {
            if cursor.words("tables in schema") {
                of_schemas = true;
            } else if cursor.word("table") {
                of_schemas = false;
            }
            match of_schemas {
                true => schemas.push(self.published_schema(cursor)?),
                false => tables.push(self.published_table(cursor)?),
            }
            Ok(())
        })?;
        schemas.sort_unstable();
        schemas.dedup();
        Ok((tables, schemas))
    }

    /// Takes a table out of a publication.
    pub(super) fn unpublish(&mut self, publication: Oid, table: Oid) {
        if let Some(Object::Publication(known)) = self.catalog_mut().objects.get_mut(&publication) {
            known.remove(table);
        }
    }

    /// Takes a schema that is dropped out of the publications.
    pub(super) fn unpublish_schema(&mut self, schema: Oid) {
        let publications = self.catalog.publications().filter(|(_, known)| known.schemas.contains(&schema));
        for publication in publications.map(|(publication, _)| publication).collect::<Vec<_>>() {
            if let Some(Object::Publication(known)) = self.catalog_mut().objects.get_mut(&publication) {
                known.schemas.retain(|one| *one != schema);
            }
        }
    }

    fn published_schema(&self, cursor: &mut Cursor<'_>) -> Result<Oid> {
        let name = match cursor.word("current_schema") {
            true => self.settings.search_path.first().cloned().unwrap_or_default(),
            false => cursor.ident()?,
        };
        self.catalog.known_schema(&name)
    }

    fn published_table(&self, cursor: &mut Cursor<'_>) -> Result<(Oid, Published)> {
        cursor.word("only");
        let table = self.find_table(cursor)?;
        self.require_relation_owner(table)?;
        cursor.token(&Token::Mul);
        let relation = self.relation(table)?;
        let kind = match relation.unlogged {
            _ if Some(relation.schema) == self.catalog.temporary() => Some("temporary"),
            unlogged => unlogged.then_some("unlogged"),
        };
        if let Some(kind) = kind {
            let message = format!("cannot add relation \"{}\" to publication", relation.name);
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message)
                .detail(format!("This operation is not supported for {kind} tables.")));
        }
        let mut published = Published::default();
        if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
            for name in cursor.names()? {
                let column = relation.column(&name).ok_or_else(|| {
                    let message =
                        format!("column \"{name}\" of relation \"{}\" does not exist", relation.name);
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })?;
                published.columns.push(column.number);
            }
            published.columns.sort_unstable();
        }
        if cursor.word("where") {
            let written = cursor.bracketed()?;
            let mut binder = self.binder();
            let scope = Scope::of(binder.row_of(&relation)?);
            binder.condition_in(Clause::Where, &scope, &written.expr)?;
            let filter = binder.shown_condition(&scope, &written.expr, &written.text);
            let named = self.binder().names_of_policy(&relation, &filter)?;
            let read: BTreeSet<u32> = named.columns.values().map(|known| known.column.1).collect();
            published.filters_by = read.into_iter().collect();
            published.filter = Some(filter);
        }
        Ok((table, published))
    }
}

/// Reads `(publish = 'insert, update', publish_via_partition_root = true)`.
fn publication_options(cursor: &mut Cursor<'_>, publication: &mut Publication) -> Result<()> {
    cursor.expect(&Token::LParen)?;
    cursor.list(|cursor| {
        let name = cursor.ident()?;
        let value = match cursor.token(&Token::Eq) {
            true => cursor.string().or_else(|_| cursor.ident())?,
            false => "true".to_owned(),
        };
        match name.as_str() {
            "publish" => {
                publication.leaves_out.clear();
                for (action, letter) in [("insert", 'i'), ("update", 'u'), ("delete", 'd'), ("truncate", 't')]
                {
                    if !value.split(',').any(|word| word.trim() == action) {
                        publication.leaves_out.push(letter);
                    }
                }
                Ok(())
            }
            "publish_via_partition_root" => {
                publication.via_root = matches!(value.as_str(), "true" | "on" | "1");
                Ok(())
            }
            _ => {
                let message = format!("unrecognized publication parameter: \"{name}\"");
                Err(SqlError::new(SqlState::SYNTAX_ERROR, message))
            }
        }
    })?;
    cursor.expect(&Token::RParen)
}
