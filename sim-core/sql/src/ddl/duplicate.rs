//! Which unique index a failed statement has violated first, and by which key.

use rusqlite::types::Value;

use super::physical::{ROW, printed, shown};
use crate::bind::Binder;
use crate::catalog::{Index, Relation};
use crate::print::{self, Names};
use crate::run::Engine;
use crate::types::Type;
use crate::value::array;
use crate::{describe, plpgsql};

/// What a failed statement has violated.
pub(crate) struct Duplicate<'r> {
    pub(crate) index: &'r Index,
    /// `Key (a)=(1) already exists.`
    pub(crate) detail: String,
    /// The name of the partition, if the table has any.
    pub(crate) partition: Option<String>,
}

impl Engine<'_> {
    /// The duplicate key of a failed statement. To find it, the statement runs again with triggers that note the keys.
    ///
    /// `failed` is the index that SQLite names, which checks the newest first. PostgreSQL checks the oldest first. `rows` is an
    /// `INSERT` up to the end of its rows.
    pub(crate) fn duplicate<'r>(
        &self,
        relation: &'r Relation,
        failed: &'r Index,
        sql: &str,
        rows: Option<&str>,
    ) -> Option<Duplicate<'r>> {
        // Its rollback would end the statement that has called this function.
        if plpgsql::is_called() {
            return self.duplicate_of_rows(relation, failed, rows?);
        }
        let noted = self.noted_key(relation, failed)?;
        let leaf = self.routing(relation).ok()?.map_or_else(|| "NULL".to_owned(), |(_, leaf)| leaf);
        let mut older: Vec<&Index> =
            relation.indexes.iter().filter(|index| is_older(index, failed)).collect();
        older.sort_by_key(|index| index.oid);
        let table = relation.physical();
        self.execute("SAVEPOINT pg_diagnosis; SELECT pg_keep_sequences(1)").ok()?;
        let triggers = ["INSERT", "UPDATE"].iter().try_for_each(|event| {
            let cases: String = older.iter().filter_map(|index| self.case(relation, index, event)).collect();
            let found = format!("CASE WHEN 0 THEN NULL{cases} ELSE {noted} END");
            self.execute(&format!(
                "CREATE TRIGGER diagnosis_{event} BEFORE {event} ON {table} \
                 BEGIN SELECT pg_note(json_array({leaf}, json({found}))); END"
            ))
        });
        // An upsert may update the rows again that it has updated before.
        let begin = format!("SELECT pg_begin_upsert(coalesce((SELECT max(rowid) FROM {table}), 0))");
        self.fetch(&begin, 1).ok()?;
        if triggers.is_ok()
            && let Ok(mut statement) = self.connection.prepare(sql)
            && self.give_values(&mut statement).is_ok()
        {
            let mut rows = statement.raw_query();
            self.calling_apart(|| while let Ok(Some(_)) = rows.next() {});
        }
        self.execute("ROLLBACK TO pg_diagnosis; RELEASE pg_diagnosis; SELECT pg_keep_sequences(0)").ok()?;
        self.known.loaded.borrow_mut().clear();
        let noted: Option<String> =
            self.connection.query_row("SELECT pg_noted()", [], |row| row.get(0)).ok()?;
        let found = array::elements(&noted?);
        let partition = found.first().and_then(|leaf| leaf.as_str()).map(str::to_owned);
        duplicate_in(relation, found.get(1)?.as_array()?, partition)
    }

    /// The duplicate key of an `INSERT` within a called function: its rows are computed again and compared with those of the table.
    /// `insert` is the statement up to the end of its rows.
    fn duplicate_of_rows<'r>(
        &self,
        relation: &'r Relation,
        failed: &'r Index,
        insert: &str,
    ) -> Option<Duplicate<'r>> {
        if self.routing(relation).ok()?.is_some() {
            return None;
        }
        let into = format!("INSERT INTO {} ", relation.physical());
        let (columns, rows) = insert.strip_prefix(&into)?.split_once('(')?.1.split_once(')')?;
        let mut indexes: Vec<&Index> =
            relation.indexes.iter().filter(|index| is_older(index, failed)).collect();
        indexes.sort_by_key(|index| index.oid);
        indexes.push(failed);
        let cases: String = indexes.iter().filter_map(|index| self.case(relation, index, "INSERT")).collect();
        let sql = format!(
            "WITH n({columns}) AS ({rows}) SELECT json(CASE WHEN 0 THEN NULL{cases} END) AS found FROM n AS NEW \
             WHERE found IS NOT NULL LIMIT 1"
        );
        self.execute("SELECT pg_keep_sequences(1)").ok()?;
        let found = self.calling_apart(|| self.fetch(&sql, 1));
        self.execute("SELECT pg_keep_sequences(0)").ok()?;
        self.known.loaded.borrow_mut().clear();
        let Value::Text(found) = found.ok()?.pop()?.pop()? else { return None };
        duplicate_in(relation, &array::elements(&found), None)
    }

    /// The number of an index and the texts of its keys in the new row.
    fn noted_key(&self, relation: &Relation, index: &Index) -> Option<String> {
        let binder = Binder::new(&self.catalog, self.source.clone(), &self.settings, &[]);
        let texts = self.key_exprs(relation, index).ok()?.into_iter().map(|key| {
            let text = printed(&binder, key).ok()?;
            Some(print::expression(&text, Names::of(ROW, "NEW")))
        });
        let texts = texts.collect::<Option<Vec<_>>>()?.join(", ");
        Some(format!("json_array({}, {texts})", index.oid))
    }

    /// A branch that notes the key of the new row if another row has the same one.
    fn case(&self, relation: &Relation, index: &Index, event: &str) -> Option<String> {
        let equal = self.key_exprs(relation, index).ok()?.into_iter().map(|key| {
            let key = self.catalog.index_key(key);
            let collation = self.catalog.base_type(key.type_).collation();
            let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
            let of = |row| print::expression(&key, Names::of(ROW, row));
            format!("{} = {}{collation}", of("o"), of("NEW"))
        });
        let equal = equal.collect::<Vec<_>>().join(" AND ");
        let other = if event == "UPDATE" { " AND o.rowid <> OLD.rowid" } else { "" };
        let (table, noted) = (relation.physical(), self.noted_key(relation, index)?);
        Some(format!(" WHEN EXISTS (SELECT 1 FROM {table} AS o WHERE {equal}{other}) THEN {noted}"))
    }
}

/// The violation that consists of the number of an index and the texts of the keys.
fn duplicate_in<'r>(
    relation: &'r Relation,
    found: &[serde_json::Value],
    partition: Option<String>,
) -> Option<Duplicate<'r>> {
    let (oid, keys) = found.split_first()?;
    let index = relation.indexes.iter().find(|index| oid.as_u64() == Some(index.oid.into()))?;
    let values: Vec<Value> = keys.iter().map(|value| array::value(Type::TEXT, value)).collect();
    let detail =
        format!("Key ({})=({}) already exists.", describe::key_names(relation, index), shown(&values));
    Some(Duplicate { index, detail, partition })
}

/// Whether PostgreSQL checks `index` before `failed`.
fn is_older(index: &Index, failed: &Index) -> bool {
    index.unique && index.predicate.is_none() && index.oid < failed.oid
}
