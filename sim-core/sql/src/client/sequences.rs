//! Sequences when a transaction block is undone: values that were drawn are not returned, as in PostgreSQL.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::run::Session;

/// The value of each sequence that was ever used, and whether that value was drawn.
pub type Sequences = BTreeMap<u32, (i64, bool)>;

/// Reads the sequences of a database.
pub fn sequences(session: &Session<'_>) -> Result<Sequences> {
    let mut read = session.connection.prepare_cached("SELECT oid, value, called FROM pg_sequence_state")?;
    let rows = read.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Gives sequences the values that an undone block has left, if it changed them. Sequences that the block has created are gone.
///
/// Where somebody else has drawn from the sequence since `before`, the value that is further on stays.
pub fn keep_sequences(session: &Session<'_>, before: &Sequences, after: &Sequences) -> Result<()> {
    let present = sequences(session)?;
    for (oid, (value, called)) in after.iter().filter(|(oid, state)| before.get(oid) != Some(state)) {
        let was = before.get(oid).map_or(i64::MIN, |(value, _)| *value);
        let others = present.get(oid).filter(|state| before.get(oid) != Some(state)).map(|(value, _)| *value);
        let is_behind = |other: i64| if *value >= was { other > *value } else { other < *value };
        if others.is_some_and(is_behind) {
            continue;
        }
        session.connection.execute(
            "INSERT INTO pg_sequence_state SELECT ?1, ?2, ?3 
             WHERE ?1 = 1 OR EXISTS (SELECT 1 FROM pg_object WHERE oid = ?1)
             ON CONFLICT (oid) DO UPDATE SET value = excluded.value, called = excluded.called",
            (oid, value, called),
        )?;
    }
    Ok(())
}
