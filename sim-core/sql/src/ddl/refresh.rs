//! `REFRESH MATERIALIZED VIEW`.

use std::collections::BTreeSet;

use rusqlite::types::Value;

use super::cursor::Cursor;
use crate::bind::Scope;
use crate::catalog::{Index, Oid, Relation, RelationKind, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::Source;

type Row = Vec<Value>;

impl Engine<'_> {
    pub(super) fn refresh(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let concurrently = cursor.word("concurrently");
        let (schema, name) = cursor.name()?;
        let with_data = !cursor.words("with no data");
        cursor.words("with data");
        cursor.finish()?;
        let relation = self.find(schema.as_deref(), &name)?.clone();
        let Some(definition) =
            relation.definition.clone().filter(|_| relation.kind == RelationKind::MaterializedView)
        else {
            let message = format!("\"{name}\" is not a materialized view");
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        };
        self.require_relation_owner(relation.oid)?;
        self.require_free(&relation, "REFRESH MATERIALIZED VIEW")?;
        if concurrently {
            self.check_concurrent_refresh(relation.oid, with_data)?;
        }
        let parsed = Source::stored(&definition).query()?;
        let path = self.catalog.path_of_view(&relation);
        let outer = std::mem::replace(&mut self.settings.search_path, path);
        let returned = if with_data { self.rows_raw(&parsed) } else { self.columns_raw(&parsed) };
        self.settings.search_path = outer;
        let rows = returned?.rows;
        self.relation_mut(relation.oid).unpopulated = !with_data;
        if concurrently {
            self.replace_concurrently(&relation, rows)?;
        } else {
            self.replace_rows(&relation, &rows)?;
        }
        Ok(Done::command("REFRESH MATERIALIZED VIEW"))
    }

    /// What `REFRESH … CONCURRENTLY` needs: rows, and an index that tells them apart.
    fn check_concurrent_refresh(&self, oid: Oid, with_data: bool) -> Result<()> {
        let relation = self.relation(oid)?;
        if relation.unpopulated {
            let message = "CONCURRENTLY cannot be used when the materialized view is not populated";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        if !with_data {
            let message = "CONCURRENTLY and WITH NO DATA options cannot be used together";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        if relation.indexes.iter().any(is_usable) {
            return Ok(());
        }
        let schema = quote_identifier(self.catalog.schema_name(relation.schema));
        let name = quote_identifier(&relation.name);
        let message = format!("cannot refresh materialized view \"{schema}.{name}\" concurrently");
        Err(SqlError::new(SqlState::new("55000"), message).hint(
            "Create a unique index with no WHERE clause on one or more columns of the materialized view.",
        ))
    }

    /// Replaces all rows, and builds the indexes as if they were new.
    fn replace_rows(&self, view: &Relation, rows: &[Row]) -> Result<()> {
        self.execute(&format!("DELETE FROM r{}", view.oid))?;
        match self.insert_raw(view.oid, rows) {
            Err(error) if is_duplicate(&error) => {
                self.replace_without_indexes(view, rows)?;
                view.indexes.iter().try_for_each(|index| self.create_index(view, index))?;
                Err(error)
            }
            done => done,
        }
    }

    /// Changes only rows that differ, so new rows are compared with each other and with the rows that stay.
    fn replace_concurrently(&self, view: &Relation, rows: Vec<Row>) -> Result<()> {
        let mut known = BTreeSet::new();
        let whole = |row: &&Row| row.iter().all(|value| *value != Value::Null);
        if let Some(twice) = rows.iter().filter(whole).find(|row| !known.insert(format!("{row:?}"))) {
            let at = rows.iter().position(|row| row == twice).unwrap_or_default();
            return Err(self.duplicate_row(view, &rows, at)?);
        }
        let rows = self.without_copies_of_kept(view, rows)?;
        self.replace_rows(view, &rows).map_err(|error| match error.code {
            SqlState::UNIQUE_VIOLATION => as_inserted(&error),
            _ => error,
        })
    }

    /// The rows without those that equal another one, where both equal a row that stays.
    fn without_copies_of_kept(&self, view: &Relation, mut rows: Vec<Row>) -> Result<Vec<Row>> {
        // A row with nulls in the key of an index is none that can be found again.
        let keys = view.indexes.iter().filter(|index| is_usable(index)).flat_map(|index| &index.keys);
        let keys: BTreeSet<u32> = keys.filter_map(|key| key.column).collect();
        let keys: Vec<usize> =
            (0..view.columns.len()).filter(|at| keys.contains(&view.columns[*at].number)).collect();
        let columns: Vec<String> = view.columns.iter().map(|column| format!("c{}", column.number)).collect();
        let sql = format!("SELECT {} FROM r{}", columns.join(", "), view.oid);
        let kept = self.fetch(&sql, columns.len())?;
        let kept: BTreeSet<String> = kept.iter().map(|row| format!("{row:?}")).collect();
        let mut known = BTreeSet::new();
        rows.retain(|row| {
            let text = format!("{row:?}");
            let stays = keys.iter().all(|at| row[*at] != Value::Null) && kept.contains(&text);
            !stays || known.insert(text)
        });
        Ok(rows)
    }

    /// The refusal of a row that the new rows have twice.
    fn duplicate_row(&self, view: &Relation, rows: &[Row], at: usize) -> Result<SqlError> {
        self.replace_without_indexes(view, rows)?;
        let (schema, name) = (self.catalog.schema_name(view.schema), &view.name);
        let (schema, quoted) = (quote_identifier(schema), quote_identifier(name));
        let text = format!("select shown::text from {schema}.{quoted} as shown offset {at} limit 1");
        let parsed = Source::stored(&text).query()?;
        let bound = self.binder().query(&Scope::default(), &parsed)?;
        let found = self.fetch(&crate::print::query(&bound), 1)?;
        let message = format!(
            "new data for materialized view \"{name}\" contains duplicate rows without any null columns"
        );
        let error = SqlError::new(SqlState::new("21000"), message);
        Ok(match found.first().and_then(|row| row.first()) {
            Some(Value::Text(row)) => error.detail(format!("Row: {row}")),
            _ => error,
        })
    }

    /// Stores rows that an index refuses. The statement fails afterwards, so the indexes come back.
    fn replace_without_indexes(&self, view: &Relation, rows: &[Row]) -> Result<()> {
        for index in &view.indexes {
            self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid))?;
        }
        self.execute(&format!("DELETE FROM r{}", view.oid))?;
        self.insert_raw(view.oid, rows)
    }
}

/// Whether an index tells all rows of a table apart by its columns.
fn is_usable(index: &Index) -> bool {
    index.unique
        && !index.deferrable
        && index.predicate.is_none()
        && index.keys.iter().all(|key| key.column.is_some())
}

fn is_duplicate(error: &SqlError) -> bool {
    error.code == SqlState::INTERNAL && error.message.starts_with("UNIQUE constraint failed")
}

/// The violation of an index, as if its row were inserted into a table that has the index.
fn as_inserted(error: &SqlError) -> SqlError {
    let (built, inserted) =
        ("could not create unique index", "duplicate key value violates unique constraint");
    let named = SqlError::new(error.code, error.message.replacen(built, inserted, 1));
    match &error.detail {
        Some(detail) => named.detail(detail.replace(" is duplicated.", " already exists.")),
        None => named,
    }
}
