//! Counters of a source: events in the last minute, all events, and events rejected in the last hour.

use std::time::Duration;

use serde::Serialize;
use sim_base::{Cx, FromJson, Timestamp, ToSchema, View, micros, view};

use crate::retention;

pub(crate) const TABLES: &str = "
    CREATE TABLE source_count (
        source INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
        inserts INTEGER NOT NULL DEFAULT 0,
        latest INTEGER,
        max_rate INTEGER NOT NULL DEFAULT 0,
        seen INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE source_second (
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        second INTEGER NOT NULL,
        events INTEGER NOT NULL,
        PRIMARY KEY (source, second)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rejected_event (
        id INTEGER PRIMARY KEY,
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        at INTEGER NOT NULL,
        message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX rejected_event_by_source ON rejected_event (source, at);
    CREATE TABLE source_field (
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        path TEXT NOT NULL,
        type TEXT NOT NULL,
        PRIMARY KEY (source, path)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[
    view(
        "source_count",
        "The number of events that a source has received.",
        "SELECT source.name AS source, inserts, latest AS latest_at, max_rate FROM source_count
         JOIN source ON source.id = source",
    ),
    view(
        "rejected_event",
        "The reason why an event was rejected.",
        "SELECT source.name AS source, at, message FROM rejected_event
         JOIN source ON source.id = source ORDER BY rejected_event.id",
    ),
    view(
        "source_field",
        "A field that events of a source have had.",
        "SELECT source.name AS source, path, type FROM source_field JOIN source ON source.id = source",
    ),
];

/// The window of rates, in seconds.
pub(crate) const WINDOW_S: i64 = 60;

/// The time for which a rejected event is counted.
const REJECTED_FOR: Duration = Duration::from_secs(3600);

/// The counters of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(inline)]
pub struct Metrics {
    /// Events in the last second.
    pub rate: i64,
    /// Events per second over the last 60 s, rounded up.
    pub avg: i64,
    /// The maximum number of events in a second.
    pub max: i64,
    /// When the last event came in, in milliseconds since the epoch; 0 before the first.
    pub latest: i64,
    /// Events that wait to be stored: always 0, because events are stored when the call returns.
    pub buffer: i64,
    /// Events stored since the source was created.
    pub inserts: i64,
    /// The number of stored events, with thousands separators.
    pub inserts_string: String,
    /// Events rejected in the last hour.
    pub rejected: i64,
    /// The number of columns.
    pub fields: i64,
    /// Events that have left, if any: older than the source keeps, or the oldest where the world's own tables were full.
    #[serde(default, skip_serializing_if = "is_none")]
    pub dropped: i64,
}

fn is_none(count: &i64) -> bool {
    *count == 0
}

/// The counters of the source now.
pub(crate) fn of(cx: &Cx<'_>, source: i64) -> Metrics {
    let sql = "SELECT inserts, latest, max_rate FROM source_count WHERE source = ?1";
    let count = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?, row.get(2)?));
    let (inserts, latest, max) = cx.db.maybe(sql, (source,), count).unwrap_or_default();
    let fields = "SELECT count(*) FROM source_field WHERE source = ?1";
    Metrics {
        rate: in_last(cx, source, 1),
        avg: (in_last(cx, source, WINDOW_S) as u64).div_ceil(WINDOW_S as u64) as i64,
        max,
        latest: latest.map_or(0, |at| at / 1000),
        buffer: 0,
        inserts,
        inserts_string: with_commas(inserts),
        rejected: rejected(cx, source),
        fields: OWN_FIELDS + cx.db.one(fields, (source,), |row| row.get::<_, i64>(0)),
        dropped: retention::gone(cx, source),
    }
}

/// Every table has id, timestamp and event_message.
const OWN_FIELDS: i64 = 3;

/// Events that came into the source in the last `seconds`, with the current second.
pub(crate) fn in_last(cx: &Cx<'_>, source: i64, seconds: i64) -> i64 {
    let sql = "SELECT ifnull(sum(events), 0) FROM source_second WHERE source = ?1 AND second > ?2";
    cx.db.one(sql, (source, cx.now.as_second() - seconds), |row| row.get(0))
}

/// Events of all sources of the user, over the whole window.
pub(crate) fn of_user(cx: &Cx<'_>, user: i64) -> i64 {
    let sql = "SELECT ifnull(sum(e.events), 0) FROM source s
               JOIN source_second e ON e.source = s.id AND e.second > ?2 WHERE s.user = ?1";
    cx.db.one(sql, (user, cx.now.as_second() - WINDOW_S), |row| row.get(0))
}

/// Events of the source rejected in the last hour.
pub(crate) fn rejected(cx: &Cx<'_>, source: i64) -> i64 {
    let sql = "SELECT count(*) FROM rejected_event WHERE source = ?1 AND at > ?2";
    cx.db.one(sql, (source, micros(an_hour_before(cx.now))), |row| row.get(0))
}

/// Counts newly stored events.
pub(crate) fn count(cx: &Cx<'_>, source: i64, events: i64) {
    let second = cx.now.as_second();
    cx.db.run("DELETE FROM source_second WHERE source = ?1 AND second <= ?2", (source, second - WINDOW_S));
    cx.db.run(
        "INSERT INTO source_second VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET events = events + ?3",
        (source, second, events),
    );
    cx.db.run(
        "UPDATE source_count SET inserts = inserts + ?2, latest = ?3, max_rate = max(max_rate,
             (SELECT events FROM source_second WHERE source = ?1 AND second = ?4))
         WHERE source = ?1",
        (source, events, micros(cx.now), second),
    );
}

/// Records newly rejected events.
pub(crate) fn reject(cx: &Cx<'_>, source: i64, reasons: &[String]) {
    if reasons.is_empty() {
        return;
    }
    let since = micros(an_hour_before(cx.now));
    cx.db.run("DELETE FROM rejected_event WHERE source = ?1 AND at <= ?2", (source, since));
    for reason in reasons {
        let sql = "INSERT INTO rejected_event (source, at, message) VALUES (?1, ?2, ?3)";
        cx.db.run(sql, (source, micros(cx.now), reason));
    }
}

fn an_hour_before(now: Timestamp) -> Timestamp {
    now.saturating_sub(REJECTED_FOR).expect("an hour is a duration without calendar units")
}

fn with_commas(number: i64) -> String {
    let digits = number.to_string();
    let grouped = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    grouped.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas() {
        let rows = [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")];
        rows.iter().for_each(|(number, text)| assert_eq!(with_commas(*number), *text));
    }
}
