//! Which events leave: those older than their source keeps, and the oldest where the world's own tables are full.

use std::time::Duration;

use serde::Serialize;
use sim_base::{Cx, FromJson, Resource, Task, TaskEntry, micros};

use crate::event_store::{self, Amount};
use crate::source;

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: &[], tasks: &[TaskEntry::of::<Expiry>()] };

const TABLES: &str = "
    CREATE TABLE source_amount (
        source INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
        events INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        gone INTEGER NOT NULL DEFAULT 0
    ) STRICT;
";

/// Counts new events of a source, and deletes its oldest ones if they are now more than the policy allows. Returns how many left.
pub(crate) fn make_room(cx: &Cx<'_>, source: i64, token: &str, added: Amount) -> i64 {
    let sql = "INSERT INTO source_amount (source, events, bytes) VALUES (?1, ?2, ?3)
               ON CONFLICT DO UPDATE SET events = events + ?2, bytes = bytes + ?3 RETURNING events, bytes";
    let count = |row: &rusqlite::Row<'_>| Ok(Amount { events: row.get(0)?, bytes: row.get(1)? });
    let now = cx.db.one(sql, (source, added.events, added.bytes), count);
    let policy = &cx.policy.analytics;
    let excess = Amount { events: now.events - policy.source_events, bytes: now.bytes - policy.source_bytes };
    if !event_store::are_own(cx) || excess.events <= 0 && excess.bytes <= 0 {
        return 0;
    }
    let gone = event_store::drop_oldest(cx, token, excess);
    took(cx, source, gone);
    gone.events
}

/// Counts events of a source that were deleted.
pub(crate) fn took(cx: &Cx<'_>, source: i64, gone: Amount) {
    let sql = "UPDATE source_amount SET events = events - ?2, bytes = bytes - ?3, gone = gone + ?2 WHERE source = ?1";
    cx.db.run(sql, (source, gone.events, gone.bytes));
}

/// How many events of the source have left.
pub(crate) fn gone(cx: &Cx<'_>, source: i64) -> i64 {
    let sql = "SELECT gone FROM source_amount WHERE source = ?1";
    cx.db.maybe(sql, (source,), |row| row.get(0)).unwrap_or_default()
}

const DAY_US: i64 = 86_400_000_000;

/// Schedules the expiry of days, once there are events.
pub(crate) fn expire(cx: &Cx<'_>, token: &str) {
    if !cx.is_scheduled::<Expiry>(token) {
        let left = DAY_US - micros(cx.now).rem_euclid(DAY_US);
        cx.by_the_clock(Duration::from_micros(left.unsigned_abs()), &Expiry { source: token.to_owned() });
    }
}

/// Ends the expiry of a source that is deleted.
pub(crate) fn cancel(cx: &Cx<'_>, token: &str) {
    cx.cancel::<Expiry>(token);
}

/// Drops the expired days of a source's table.
#[derive(Debug, Serialize, FromJson)]
struct Expiry {
    source: String,
}

impl Task for Expiry {
    const KIND: &'static str = "partition_expiry";
    const NAME: Option<&'static str> = Some("SELECT name FROM source WHERE token = ?1");

    fn subject(&self) -> &str {
        &self.source
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let Some(source) = source::any_of_token(cx, &self.source) else { return "gone".to_owned() };
        let first = micros(cx.now).saturating_sub(source.settings.days(cx).saturating_mul(DAY_US));
        // A day expires as a whole, counted from its start.
        let kept_from = first.div_euclid(DAY_US).saturating_add(1).saturating_mul(DAY_US);
        let dropped = event_store::drop_before(cx, &source.token, kept_from);
        let left = dropped.and_then(|dropped| Ok((dropped, event_store::count(cx, &source.token)?)));
        let Ok((dropped, left)) = left else {
            expire(cx, &source.token);
            return "the server of events does not respond".to_owned();
        };
        took(cx, source.id, dropped);
        if left > 0 {
            expire(cx, &source.token);
        }
        format!("{} events dropped", dropped.events)
    }
}
