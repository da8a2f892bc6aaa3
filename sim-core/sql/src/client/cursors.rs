//! The cursors of a connection. The holder of the connection keeps their rows, and lends those that a statement asks for.

use rusqlite::types::Value;
use serde_json::{Value as Json, json};

use super::ClientState;
pub use crate::cursors::WantedRows;

/// A piece of a cursor's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CursorRows {
    /// The number of the cursor.
    pub cursor: u32,
    /// The number of the piece.
    pub part: u32,
    /// The rows, for [`ClientState::lend_rows`].
    pub rows: String,
}

impl ClientState {
    /// The rows for lack of which the last statement failed. It has to run again with them.
    pub fn take_wanted_rows(&mut self) -> Option<WantedRows> {
        self.cursors.take_wanted()
    }

    /// Lends rows to the next statement.
    pub fn lend_rows(&mut self, piece: &CursorRows) {
        let rows: Vec<Vec<Json>> = serde_json::from_str(&piece.rows).unwrap_or_default();
        let rows = rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect();
        self.cursors.lend(piece.cursor, piece.part, rows);
    }

    /// The rows of new cursors, once.
    pub fn take_new_rows(&mut self) -> Vec<CursorRows> {
        let pieces = self.cursors.take_unsaved().into_iter().map(|(cursor, part, rows)| {
            let rows: Vec<Vec<Json>> = rows.iter().map(|row| row.iter().map(kept).collect()).collect();
            CursorRows { cursor, part, rows: Json::from(rows).to_string() }
        });
        pieces.collect()
    }

    /// The numbers of the open cursors.
    #[must_use]
    pub fn open_cursors(&self) -> Vec<u32> {
        self.cursors.numbers().collect()
    }

    /// Ends the cursors of a transaction that has been committed.
    pub fn end_transaction(&mut self) {
        self.cursors.commit();
    }
}

fn kept(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Integer(number) => json!(number),
        Value::Text(text) => json!(text),
        // Bits, because not all numbers can be written.
        Value::Real(number) => json!({ "real": number.to_bits() }),
        Value::Blob(bytes) => json!({ "blob": bytes }),
    }
}

fn value(kept: Json) -> Value {
    match kept {
        Json::Null | Json::Bool(_) | Json::Array(_) => Value::Null,
        Json::Number(number) => Value::Integer(number.as_i64().unwrap_or(0)),
        Json::String(text) => Value::Text(text),
        Json::Object(members) => match (members.get("real"), members.get("blob")) {
            (Some(bits), _) => Value::Real(f64::from_bits(bits.as_u64().unwrap_or(0))),
            (_, Some(Json::Array(bytes))) => {
                Value::Blob(bytes.iter().map(|byte| byte.as_u64().unwrap_or(0) as u8).collect())
            }
            _ => Value::Null,
        },
    }
}
