//! Background work that was done, as far back as the journal goes.

use std::borrow::Cow;

use rusqlite::{Connection, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::log::{COUNTED, Log};
use super::time::{Timestamp, from_micros};

/// How older tables leave what happened to [`in_rows`].
pub(crate) const HISTORY_LEAVES_ROWS: &str = "DROP TABLE event";

/// Work that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Happened {
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The kind of work.
    pub kind: String,
    /// What it worked on.
    pub subject: String,
    /// The task itself, as JSON text.
    pub task: String,
    /// What became of the subject: `ACTIVE_HEALTHY`.
    pub became: String,
    /// The call that caused it.
    pub caused_by_call: u64,
}

/// The work of a world. A clone copies a pointer.
pub(crate) type History = Log<Happened>;

/// What a history has become since an earlier one, as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Course<'h> {
    dropped: u64,
    done: u64,
    /// What is there now and was not, by number.
    others: Vec<(u64, Cow<'h, Happened>)>,
}

impl Course<'_> {
    /// Of a world in which nothing happened, or whose version has it in rows.
    pub(crate) fn none() -> Course<'static> {
        Course { dropped: 0, done: 0, others: Vec::new() }
    }

    /// Whether it is one that a history can have written.
    pub(crate) fn is_sound(&self) -> bool {
        let held = self.dropped + 1..=self.done;
        self.done <= COUNTED
            && self.dropped <= self.done
            && self.others.iter().all(|(number, _)| held.contains(number))
    }
}

impl History {
    /// What it has become since `before`, whichever way; all that it is where there is none.
    pub(crate) fn since(&self, before: Option<&History>) -> Course<'_> {
        let nothing = History::default();
        let others = self.others_than(before.unwrap_or(&nothing)).into_iter();
        let others = others.map(|(number, event)| (number, Cow::Borrowed(event))).collect();
        Course { dropped: self.dropped(), done: self.count(), others }
    }

    /// Becomes what another history became.
    pub(crate) fn follow(&mut self, course: Course<'_>) {
        let others = course.others.into_iter().map(|(number, event)| (number, event.into_owned()));
        self.go_on((course.dropped, course.done), others);
    }

    /// What happened to `subject`, oldest first; to everything when it is `None`.
    pub(crate) fn of(&self, subject: Option<&str>) -> Vec<Happened> {
        let events = self.numbered(1).map(|(_, event)| event);
        events.filter(|event| subject.is_none_or(|subject| event.subject == subject)).cloned().collect()
    }

    /// At most `limit` pieces of work after the first `done`.
    pub(crate) fn part(&self, done: u64, limit: u64) -> Vec<Happened> {
        let events = self.numbered(done.saturating_add(1)).map(|(_, event)| event.clone());
        events.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect()
    }
}

/// The history of a world whose version kept it in rows; `None` where there are no such rows.
pub(super) fn in_rows(old: &Connection) -> Option<Course<'static>> {
    let sql = "SELECT at, kind, subject, payload, became, cause, seq FROM event ORDER BY seq";
    let read = old.prepare(sql).and_then(|mut statement| statement.query_map((), in_row)?.collect());
    let others: Vec<_> = read.ok()?;
    let (first, last) = (others.first()?.0, others.last()?.0);
    Some(Course { dropped: first.saturating_sub(1), done: last, others }).filter(Course::is_sound)
}

fn in_row(row: &Row<'_>) -> rusqlite::Result<(u64, Cow<'static, Happened>)> {
    let number = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
    let event = Happened {
        at: from_micros(row.get(0)?),
        kind: row.get(1)?,
        subject: row.get(2)?,
        task: row.get(3)?,
        became: row.get(4)?,
        caused_by_call: number(5)?,
    };
    Ok((number(6)?, Cow::Owned(event)))
}
