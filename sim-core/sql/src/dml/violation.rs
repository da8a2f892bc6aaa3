//! Errors of statements that change a table, in PostgreSQL's words.

use crate::catalog::{Catalog, Index, Oid, Relation};
use crate::error::{SqlError, SqlState};
use crate::run::Engine;

impl Engine<'_> {
    /// Turns SQLite's error about a duplicate key into PostgreSQL's, which tells the key.
    pub(crate) fn explain(&self, error: SqlError, sql: &str) -> SqlError {
        self.explain_of_rows(error, sql, None)
    }

    /// The same, where `rows` is an `INSERT` up to the end of its rows.
    pub(crate) fn explain_of_rows(&self, error: SqlError, sql: &str, rows: Option<&str>) -> SqlError {
        let Some(failed) = error
            .message
            .strip_prefix("UNIQUE constraint failed: ")
            .filter(|_| error.code == SqlState::INTERNAL)
        else {
            // Where a conflict of a row is no error, the rows before it are not tried again.
            let rows = rows.filter(|rows| !sql[rows.len()..].starts_with(" ON CONFLICT"));
            let of_row =
                error.code.as_str().starts_with("22") || error.code == SqlState::INSUFFICIENT_PRIVILEGE;
            let rows = rows.filter(|_| of_row);
            let earlier = rows.and_then(|rows| self.error_of_earlier_row(rows));
            return earlier.unwrap_or_else(|| self.without_values(error));
        };
        let Some((relation, index)) = find_index(&self.catalog, failed) else { return error };
        if relation.partition.is_some() {
            return self.explain_in_partition(relation, index, sql).unwrap_or(error);
        }
        let found = self.duplicate(relation, index, sql, rows);
        let index = found.as_ref().map_or(index, |found| found.index);
        let name = match found.as_ref().and_then(|found| found.partition.as_ref()) {
            Some(partition) => self.name_in_partition(relation, index, partition),
            None => index.name.clone(),
        };
        let partition = found.as_ref().and_then(|found| found.partition.as_ref());
        let table = partition.unwrap_or(&relation.name);
        self.duplicate_key(relation, (table, index), &name, found.as_ref().map(|found| found.detail.as_str()))
    }

    /// The violation of a key of a table, or of one of its partitions.
    fn duplicate_key(
        &self,
        relation: &Relation,
        (table, index): (&str, &Index),
        name: &str,
        detail: Option<&str>,
    ) -> SqlError {
        let message = format!("duplicate key value violates unique constraint \"{name}\"");
        let violation = SqlError::new(SqlState::UNIQUE_VIOLATION, message)
            .of_table(self.catalog.schema_name(relation.schema), table);
        let shows = self.shows_columns(relation, index.keys.iter().filter_map(|key| key.column));
        match detail.filter(|_| shows) {
            Some(detail) => violation.detail(detail),
            None => violation,
        }
    }

    /// The name of the part of an index that is in a partition.
    fn name_in_partition(&self, relation: &Relation, index: &Index, partition: &str) -> String {
        let mut parts = Vec::new();
        self.catalog.add_partitions(relation.oid, &mut parts);
        let parts = parts.into_iter().filter_map(|oid| self.catalog.relation(oid));
        let mut leaves = parts.filter(|part| part.name == partition);
        let part = leaves.find_map(|leaf| self.part_of_index(leaf, index.oid));
        part.map_or_else(|| index.name.clone(), |part| part.name.clone())
    }

    /// The index of a partition that is a part of an index of its table, or of a table above that.
    fn part_of_index<'r>(&'r self, partition: &'r Relation, above: Oid) -> Option<&'r Index> {
        let parent = self.catalog.relation(partition.partition.as_ref()?.parent)?;
        let known = parent.indexes.iter().find(|index| index.oid == above);
        let known = known.or_else(|| self.part_of_index(parent, above))?;
        partition.indexes.iter().find(|index| index.parent == Some(known.oid))
    }

    /// The violation of a key that one partition has alone.
    fn explain_in_partition(&self, partition: &Relation, index: &Index, sql: &str) -> Option<SqlError> {
        let (root, of_root) = self.index_of_root(partition, index).ok()?;
        let found = self.duplicate(&root, &of_root, sql, None);
        let whole = found.as_ref().filter(|found| found.index.oid != index.oid);
        if let Some((found, leaf)) = whole.and_then(|found| Some((found, found.partition.as_deref()?))) {
            let name = self.name_in_partition(&root, found.index, leaf);
            return Some(self.duplicate_key(&root, (leaf, found.index), &name, Some(&found.detail)));
        }
        // Several partitions may have a key of these columns.
        let columns: Vec<&str> =
            index.keys.iter().filter_map(|key| Some(partition.column_name(key.column?))).collect();
        let leaf = found.as_ref().and_then(|found| found.partition.as_deref());
        let exact = leaf.and_then(|leaf| own_index(&self.catalog, root.oid, &columns, Some(leaf)));
        let (partition, index) = exact.unwrap_or((partition, index));
        let message = format!("duplicate key value violates unique constraint \"{}\"", index.name);
        let violation = SqlError::new(SqlState::UNIQUE_VIOLATION, message)
            .of_table(self.catalog.schema_name(partition.schema), &partition.name);
        let shows = self.shows_columns(&root, of_root.keys.iter().filter_map(|key| key.column));
        Some(match found.filter(|_| shows) {
            Some(found) => violation.detail(found.detail),
            None => violation,
        })
    }

    /// Takes from a violation the values of the row, if the role may not see the table's rows.
    fn without_values(&self, error: SqlError) -> SqlError {
        if !matches!(error.code, SqlState::CHECK_VIOLATION | SqlState::NOT_NULL_VIOLATION) {
            return error;
        }
        let (schema, table) = (error.about.schema.as_deref(), error.about.table.as_deref());
        let schema = schema.and_then(|schema| self.catalog.schema_named(schema));
        let relation =
            schema.zip(table).and_then(|(schema, table)| self.catalog.relation_named(schema, table));
        match relation {
            Some(relation)
                if !self.shows_columns(relation, relation.columns.iter().map(|column| column.number)) =>
            {
                error.without_detail()
            }
            _ => error,
        }
    }

    /// Whether errors may tell the role what is in columns of a table.
    pub(crate) fn shows_columns(&self, relation: &Relation, mut columns: impl Iterator<Item = u32>) -> bool {
        let role = &self.settings.role;
        !self.catalog.secures(role, relation)
            && columns.all(|number| self.catalog.allows_column(role, relation, number, 'r'))
    }
}

/// The unique index to which SQLite's message refers.
fn find_index<'c>(catalog: &'c Catalog, failed: &str) -> Option<(&'c Relation, &'c Index)> {
    if let Some(physical) = failed.strip_prefix("index '").and_then(|rest| rest.strip_suffix('\'')) {
        let oid = physical.strip_prefix('i')?.parse::<u32>().ok()?;
        let mut all = catalog
            .relations()
            .flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)));
        return all.find(|(_, index)| index.oid == oid);
    }
    let columns: Vec<(&str, &str)> = failed.split(", ").filter_map(|column| column.split_once('.')).collect();
    let oid = columns.first()?.0.strip_prefix('r')?.parse().ok()?;
    let relation = catalog.relation(oid)?;
    let numbers: Vec<Option<u32>> =
        columns.iter().map(|(_, column)| column.strip_prefix('c')?.parse().ok()).collect();
    let matches =
        |index: &&Index| index.unique && index.keys.iter().map(|key| key.column).eq(numbers.iter().copied());
    if let Some(index) = relation.indexes.iter().find(matches) {
        return Some((relation, index));
    }
    // A key that one partition has alone is an index of the table that has its rows.
    let names = numbers.iter().flatten().map(|number| relation.column_name(*number));
    own_index(catalog, oid, &names.collect::<Vec<_>>(), None)
}

/// A unique index of some columns that a partition of a table has alone; `named` is its name, if that is known.
fn own_index<'c>(
    catalog: &'c Catalog,
    root: Oid,
    columns: &[&str],
    named: Option<&str>,
) -> Option<(&'c Relation, &'c Index)> {
    let mut partitions = Vec::new();
    catalog.add_partitions(root, &mut partitions);
    let partitions = partitions.into_iter().filter_map(|oid| catalog.relation(oid));
    partitions.filter(|partition| named.is_none_or(|name| partition.name == name)).find_map(|partition| {
        let same = |index: &&Index| {
            let keys = index.keys.iter().filter_map(|key| key.column);
            let names = keys.map(|number| partition.column_name(number));
            index.unique && index.parent.is_none() && names.eq(columns.iter().copied())
        };
        partition.indexes.iter().find(same).map(|index| (partition, index))
    })
}
