//! The columns of a table as SQLite stores them.

use super::physical::bare;
use crate::bind::Clause;
use crate::catalog::{Column, Constraint, ConstraintKind, Relation};
use crate::error::Result;
use crate::run::Engine;

/// The number of spare columns of a new table. Each takes a byte of a row.
pub(super) const SPARE: u32 = 8;

/// The largest number of columns of a table, including dropped ones.
pub(super) const COLUMNS_MAX: u32 = 1_600;

impl Engine<'_> {
    /// Makes sure that SQLite's table has the new column.
    ///
    /// Usually a spare column is left. If not, the stored definition is replaced by one with more columns: `ALTER TABLE` would
    /// make SQLite read its whole schema for each column.
    pub(super) fn make_room(&mut self, relation: &Relation, column: &Column) -> Result<()> {
        let name = relation.physical();
        let room = relation.room.max(column.number - 1);
        let plain = column.generated.is_none() && self.collation_of_domain(column).is_none();
        if room >= column.number && plain {
            return Ok(());
        }
        let wanted = room.max((column.number + SPARE.max(column.number / 2)).min(COLUMNS_MAX));
        let old = self.stored_definition(&name)?;
        let list = |from: u32, to: u32| (from..=to).map(|number| format!("c{number}")).collect::<Vec<_>>();
        let spare = list(column.number, room);
        let kept = old.strip_suffix(&format!("{})", spare.join(", ")));
        let kept = kept.expect("the columns that a table has to spare are its last ones");
        let comma = if spare.is_empty() { ", " } else { "" };
        let mut columns = vec![self.column_definition(relation, column)?];
        columns.extend(list(column.number + 1, wanted));
        let new = format!("{kept}{comma}{})", columns.join(", "));
        self.write_stored_definition(&name, &new)?;
        self.relation_mut(relation.oid).room = wanted;
        Ok(())
    }

    /// Creates the table of a relation again, with the same rows, because SQLite would find a column at another place in them.
    pub(super) fn store_anew(&mut self, before: &Relation) -> Result<()> {
        let (oid, name) = (before.oid, before.physical());
        let catalog = self.catalog.clone();
        let keys: Vec<(u32, &Constraint)> = catalog
            .relations()
            .flat_map(|child| child.constraints.iter().map(move |key| (child.oid, key)))
            .filter(|(child, key)| {
                let refers = matches!(key.kind, ConstraintKind::Foreign { table, .. } if table == oid);
                refers || *child == oid
            })
            .collect();
        keys.iter().try_for_each(|(child, key)| self.drop_foreign_triggers(*child, key))?;
        let list: Vec<String> = before.columns.iter().map(|column| format!("c{}", column.number)).collect();
        let list = list.join(", ");
        self.execute(&format!("CREATE TABLE {name}_before AS SELECT rowid AS row, {list} FROM {name}"))?;
        self.execute(&format!("DROP TABLE {name}"))?;
        self.create_storage(oid)?;
        let after = self.relation(oid)?;
        let stored = after.columns.iter().filter(|column| column.generated.is_none());
        let list: Vec<String> = stored.map(|column| format!("c{}", column.number)).collect();
        let list = list.join(", ");
        self.execute(&format!(
            "INSERT INTO {name}(rowid, {list}) SELECT row, {list} FROM {name}_before ORDER BY row"
        ))?;
        self.execute(&format!("DROP TABLE {name}_before"))?;
        for (child, key) in keys.iter().filter(|(child, _)| *child != oid) {
            self.create_foreign_triggers(*child, key)?;
        }
        self.refresh_triggers(oid)
    }

    /// The definition of a table as SQLite has stored it.
    fn stored_definition(&self, name: &str) -> Result<String> {
        let mut find = self
            .connection
            .prepare_cached("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1")?;
        Ok(find.query_row([name], |row| row.get(0))?)
    }

    fn write_stored_definition(&self, name: &str, new: &str) -> Result<()> {
        let version: i64 = self.connection.query_row("PRAGMA schema_version", [], |row| row.get(0))?;
        self.execute("PRAGMA writable_schema = ON")?;
        let mut write = self
            .connection
            .prepare_cached("UPDATE sqlite_schema SET sql = ?2 WHERE type = 'table' AND name = ?1")?;
        write.execute((name, new))?;
        // A rollback must also undo the change of the schema; the new version number tells SQLite so.
        self.execute(&format!("PRAGMA schema_version = {}; PRAGMA writable_schema = RESET", version + 1))?;
        Ok(())
    }

    /// Gives a column whose type has changed the collation of its new type, if that is a domain, and takes that of the old one.
    pub(super) fn define_column_again(&self, relation: &Relation, column: &Column) -> Result<()> {
        let name = relation.physical();
        let old = self.stored_definition(&name)?;
        let Some((head, list)) = old.split_once('(') else { return Ok(()) };
        let own = format!("c{}", column.number);
        let mut columns = column_list(list.strip_suffix(')').unwrap_or(list));
        for known in columns.iter_mut().filter(|known| known.split(' ').next() == Some(&own)) {
            *known = self.column_definition(relation, column)?;
        }
        let new = format!("{head}({})", columns.join(", "));
        if new == old { Ok(()) } else { self.write_stored_definition(&name, &new) }
    }

    /// The collation of a column whose type is a domain. Expressions of other types name theirs.
    fn collation_of_domain(&self, column: &Column) -> Option<&'static str> {
        let base = self.catalog.base_type(column.type_.base);
        base.collation().filter(|_| base != column.type_.base)
    }

    /// The definition of a column for SQLite. It has no type, so SQLite converts no values.
    pub(super) fn column_definition(&self, relation: &Relation, column: &Column) -> Result<String> {
        let collation = self.collation_of_domain(column);
        let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
        match &column.generated {
            None => Ok(format!("c{}{collation}", column.number)),
            Some(expression) => {
                let value = self.row_expression(relation, expression, Clause::Generated, Some(column))?;
                Ok(format!("c{}{collation} AS ({})", column.number, bare(&value)))
            }
        }
    }
}

/// The definitions in a list of columns. Commas in brackets and texts do not separate them.
fn column_list(list: &str) -> Vec<String> {
    let (mut columns, mut depth, mut quote) = (vec![String::new()], 0, None);
    for character in list.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                columns.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = columns.last_mut().filter(|last| !last.is_empty() || character != ' ') {
            last.push(character);
        }
    }
    columns
}
