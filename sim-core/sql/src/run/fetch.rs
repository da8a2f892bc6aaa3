//! The engine asks SQLite: rows, changes, and the sequences that a statement advances.

use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::{Value as Json, json};

use super::{CALLING, Engine, SYSTEM_WORK, untranslatable};
use crate::bind::{Binder, Sequences};
use crate::catalog::{self, Catalog, Oid, Relation, SequenceOptions};
use crate::cursors;
use crate::encode;
use crate::error::{Result, SqlError, SqlState};
use crate::in_use::tables_in;
use crate::plpgsql;
use crate::state::{FIRST_TRANSACTION, TRANSACTIONS};
use crate::system;
use crate::types::Type;

/// The sequence of the numbers of transactions.
const NUMBERS: SequenceOptions = SequenceOptions {
    type_: Type::XID8,
    start: FIRST_TRANSACTION,
    increment: 1,
    minimum: 1,
    maximum: i64::MAX,
    cache: 1,
    cycle: false,
    owner: None,
};

impl<'a> Engine<'a> {
    /// Adds the system relations that a statement reads as common table expressions.
    pub(crate) fn with_system(&self, binder: &Binder<'_>, sql: &str) -> String {
        if binder.system.is_empty() {
            return sql.to_owned();
        }
        let rows = binder.system.len().saturating_mul(self.catalog.objects.len());
        if !self.budget.draw(SYSTEM_WORK.saturating_mul(rows)) {
            return sql.to_owned();
        }
        let definitions = system::ALL.iter().filter(|system| binder.system.contains(system.name));
        let definitions = definitions.map(|system| match system.name {
            cursors::VIEW => system.definition_of(self.known.cursors.borrow().view()),
            "pg_locks" => system.definition_of(self.locks(system.oid())),
            "pg_prepared_statements" => system.definition_of(self.prepared_view()),
            _ => system.definition(&self.catalog, &self.settings),
        });
        let definitions = definitions.collect::<Vec<_>>().join(", ");
        self.budget.draw(definitions.len() / 8);
        // A `WITH` of the query itself is continued.
        match (sql.strip_prefix("WITH RECURSIVE "), sql.strip_prefix("WITH ")) {
            (Some(rest), _) => format!("WITH RECURSIVE {definitions}, {rest}"),
            (None, Some(rest)) => format!("WITH {definitions}, {rest}"),
            (None, None) => format!("WITH {definitions} {sql}"),
        }
    }

    /// The rows of `pg_locks`, whose own number is `view`: those of every transaction, and the advisory ones.
    fn locks(&self, view: Oid) -> Vec<Vec<Json>> {
        let held = self.connection.query_row("SELECT pg_held_locks()", [], |row| row.get::<_, String>(0));
        let held: Vec<(u32, u32, u8, bool)> =
            serde_json::from_str(&held.unwrap_or_default()).unwrap_or_default();
        let database = catalog::DATABASE_OID;
        let rows = [
            json!(["relation", database, view, null, null, null, null, "AccessShareLock", 1]),
            json!(["virtualxid", null, null, "1/1", null, null, null, "ExclusiveLock", 1]),
        ];
        let advisory = held.into_iter().map(|(class, object, form, shared)| {
            let mode = if shared { "ShareLock" } else { "ExclusiveLock" };
            json!(["advisory", database, null, null, class, object, form, mode, 0])
        });
        let cells = |row: Json| row.as_array().cloned().unwrap_or_default();
        rows.into_iter().chain(advisory).map(cells).collect()
    }

    /// Runs a statement on SQLite and returns its rows.
    pub(crate) fn fetch(&self, sql: &str, width: usize) -> Result<Vec<Vec<Value>>> {
        if CALLING.iter().any(|name| sql.contains(name)) {
            return self.fetch_calling(sql, width);
        }
        let rows = self.fetch_here(sql, width);
        // A generated column calls functions that the statement does not show.
        match rows {
            Err(error) if plpgsql::is_call_out_of_place(&error) => self.fetch_calling(sql, width),
            rows => rows,
        }
    }

    /// The same for a change, whose checks may call functions.
    pub(crate) fn fetch_calling(&self, sql: &str, width: usize) -> Result<Vec<Vec<Value>>> {
        let _tables = self.using(tables_in(sql));
        self.calling(|| self.fetch_here(sql, width))
    }

    fn fetch_here(&self, sql: &str, width: usize) -> Result<Vec<Vec<Value>>> {
        let mut statement = self.connection.prepare_cached(sql).map_err(untranslatable)?;
        self.give_values(&mut statement)?;
        let mut rows = statement.raw_query();
        let (mut fetched, mut bytes) = (Vec::new(), 0);
        while let Some(row) = rows.next()? {
            // Values that are too long are not copied.
            for index in 0..width {
                bytes += encode::size_of(row.get_ref(index)?);
            }
            if bytes > self.limits.result_bytes {
                let limit = self.limits.result_bytes;
                let message = format!(
                    "Query result size ({bytes} bytes) exceeded the configured limit ({limit} bytes)"
                );
                return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
            }
            let row = (0..width).map(|index| row.get::<_, Value>(index));
            let row = row.collect::<rusqlite::Result<Vec<_>>>()?;
            fetched.push(row);
        }
        Ok(fetched)
    }

    /// Runs SQL that returns no rows.
    pub(crate) fn execute(&self, sql: &str) -> Result<()> {
        match self.connection.execute_batch(sql).map_err(untranslatable) {
            Err(error) if plpgsql::is_call_out_of_place(&error) => {
                self.calling(|| self.connection.execute_batch(sql).map_err(untranslatable))
            }
            done => done,
        }
    }

    /// Begins a statement that uses sequences. The number of a transaction can be drawn in one that only reads, too.
    pub(crate) fn begin_sequences(&mut self, sequences: &Sequences) -> Result<()> {
        let draws = match sequences {
            Sequences::These(oids) => oids.iter().any(|oid| *oid != TRANSACTIONS),
            Sequences::Any => true,
        };
        if draws {
            self.require_write("nextval()")?;
        } else {
            self.outcome.wrote |= !self.read_only;
        }
        self.load_sequences(sequences)
    }

    /// Loads sequences for `nextval` and similar functions.
    pub(crate) fn load_sequences(&self, sequences: &Sequences) -> Result<()> {
        let (relations, of_transactions): (Vec<&Relation>, bool) = match sequences {
            Sequences::These(oids) => (
                oids.iter().filter_map(|oid| self.catalog.relation(*oid)).collect(),
                oids.contains(&TRANSACTIONS),
            ),
            Sequences::Any => (self.catalog.relations().collect(), true),
        };
        if of_transactions {
            self.load_sequence(TRANSACTIONS, "", &NUMBERS)?;
        }
        for relation in relations {
            if let Some(options) = &relation.sequence {
                self.load_sequence(relation.oid, &relation.name, options)?;
            }
        }
        Ok(())
    }

    fn load_sequence(&self, oid: Oid, name: &str, options: &SequenceOptions) -> Result<()> {
        // Inside of a body no definition has changed it since it was loaded.
        if !self.known.loaded.borrow_mut().insert(oid) && self.calls > 0 {
            return Ok(());
        }
        let (value, called) =
            Catalog::sequence_state(self.connection, oid)?.unwrap_or((options.start, false));
        let mut load =
            self.connection.prepare_cached("SELECT pg_load_sequence(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        let SequenceOptions { increment, minimum, maximum, cycle, .. } = options;
        load.query_row(
            rusqlite::params![oid, name, value, called, increment, minimum, maximum, cycle],
            |_| Ok(()),
        )?;
        Ok(())
    }

    /// Stores the values of the sequences that have changed.
    pub(crate) fn store_sequences(&self) -> Result<()> {
        if self.read_only { Ok(()) } else { store_sequences(self.connection, false) }
    }

    /// Stores the values of all sequences, after stored ones were undone.
    pub(crate) fn store_sequences_again(&self) -> Result<()> {
        self.known.loaded.borrow_mut().clear();
        if self.read_only { Ok(()) } else { store_sequences(self.connection, true) }
    }
}

/// Stores the values of the sequences that still exist.
pub(super) fn store_sequences(connection: &Connection, all: bool) -> Result<()> {
    let mut read = connection.prepare_cached("SELECT pg_sequence_values(?1)")?;
    let values: String = read.query_row([all], |row| row.get(0))?;
    if values.is_empty() {
        return Ok(());
    }
    let values: Vec<(Oid, i64, bool)> =
        serde_json::from_str(&values).expect("the state prints its sequences");
    let mut again =
        connection.prepare_cached("UPDATE pg_sequence_state SET value = ?2, called = ?3 WHERE oid = ?1")?;
    let mut first = connection.prepare_cached(
        "INSERT INTO pg_sequence_state SELECT ?1, ?2, ?3
         WHERE ?1 = 1 OR EXISTS (SELECT 1 FROM pg_object WHERE oid = ?1)",
    )?;
    for value in values {
        if again.execute(value)? == 0 {
            first.execute(value)?;
        }
    }
    Ok(())
}
