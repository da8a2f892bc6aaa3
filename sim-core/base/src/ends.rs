//! Times at which something ends by itself, without work: the end of a ban, of a token. They are computed from rows.

use super::db::Db;
use super::jobs::Due;
use super::time::{Timestamp, from_micros, micros};

/// Rows of a resource that end by themselves, each at a time of its own.
#[derive(Debug)]
pub struct End {
    /// What ends, in words: `end of ban`.
    pub kind: &'static str,
    /// A query for the rows that end after the time `?1`: the time, the subject, and details as a JSON object.
    pub sql: &'static str,
}

/// The end of a user's token, which every service has.
pub const TOKEN: End = End {
    kind: "end of token",
    sql: "SELECT expires_at, user.name, json_object('token', token.name) FROM token JOIN user ON user.id = token.user
          WHERE expires_at > ?1 AND revoked_by_call IS NULL",
};

/// All ends after `now`, in no order.
pub fn after(db: Db<'_>, ends: &[End], now: Timestamp) -> Vec<Due> {
    let of = |end: &End| {
        db.all(end.sql, (micros(now),), |row| {
            Ok(Due {
                due: from_micros(row.get(0)?),
                seq: 0,
                kind: end.kind.to_owned(),
                subject: row.get(1)?,
                name: None,
                event: None,
                becomes: None,
                task: row.get(2)?,
                caused_by_call: 0,
            })
        })
    };
    ends.iter().flat_map(of).collect()
}
