//! Background work: rows with a due time. Work is done in `(due, seq)` order, each piece at its own timestamp.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_derive::ToSchema;

use super::cx::Cx;
use super::history::Happened;
use super::time::{Timestamp, from_micros, micros};

/// The table of scheduled work.
pub const TABLES: &str = "
    CREATE TABLE job (
        due INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        subject_row INTEGER NOT NULL,
        payload TEXT NOT NULL, -- secret: what a call that is done later was sent with
        cause INTEGER NOT NULL,
        PRIMARY KEY (due, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_by_subject ON job (subject_row, subject, kind);
";

/// The row number of work that knows no row.
pub const NO_ROW: i64 = 0;

/// A kind of background work. Its fields are stored in the job table as JSON.
pub trait Task: Serialize + DeserializeOwned + 'static {
    /// The stable name: `project`.
    const KIND: &'static str;
    /// Fields that people do not see, because they may have secrets.
    const HIDDEN: &'static [&'static str] = &[];
    /// What it works on: a project's reference.
    fn subject(&self) -> &str;
    /// For a subject whose name says more to people: a query for the name, with the subject as `?1`.
    const NAME: Option<&'static str> = None;
    /// Whether the work knows its subject's [row](Task::row). Set it for work that all projects can have at once.
    /// References have no useful order. By row number, work that is due in sequence is also stored in sequence.
    const IN_ROWS: bool = false;
    /// The number of its subject's row, if it knows that.
    fn row(&self) -> i64 {
        NO_ROW
    }
    /// The event of a lifecycle that this work is, if it is one.
    fn step(&self) -> Option<Step> {
        None
    }
    /// Does the work at `cx.now`. Returns the resulting state of the subject, for people to read.
    fn run(self, cx: &mut Cx<'_>) -> String;
}

/// An event of a lifecycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name: `FinishPause`.
    pub event: String,
    /// The state that it leads to, if that is the same from all states.
    pub becomes: Option<String>,
}

/// One entry of a service's list of background work.
#[derive(Clone, Copy)]
pub struct TaskEntry {
    /// The stable name of the task.
    pub kind: &'static str,
    /// Runs a task, given as JSON text.
    pub run: fn(&str, &mut Cx<'_>) -> String,
    hidden: &'static [&'static str],
    name: Option<&'static str>,
    step: fn(&str) -> Option<Step>,
}

impl TaskEntry {
    /// The entry of task `T`.
    pub const fn of<T: Task>() -> TaskEntry {
        TaskEntry { kind: T::KIND, run: run::<T>, hidden: T::HIDDEN, name: T::NAME, step: step::<T> }
    }

    /// The task as people see it: without its hidden fields, and without a text that is too long to keep.
    fn shown(&self, task: String) -> String {
        if self.hidden.is_empty() && task.len() <= TASK_BYTES {
            return task;
        }
        let mut fields: Map<String, Value> = serde_json::from_str(&task).unwrap_or_default();
        fields.retain(|name, value| !self.hidden.contains(&&**name) && value.to_string().len() <= TASK_BYTES);
        Value::Object(fields).to_string()
    }
}

/// Bytes of a task that history and agenda show.
const TASK_BYTES: usize = 4096;

fn run<T: Task>(payload: &str, cx: &mut Cx<'_>) -> String {
    let task: T = serde_json::from_str(payload).expect("a stored task was written by the same type");
    task.run(cx)
}

fn step<T: Task>(payload: &str) -> Option<Step> {
    serde_json::from_str::<T>(payload).ok()?.step()
}

/// Scheduled work, or something that ends by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Due {
    /// When it is due.
    #[schemars(with = "String")]
    pub due: Timestamp,
    /// The order of work that is due at the same time.
    pub seq: i64,
    /// The kind of work, or `end of` something: of a ban, a token.
    pub kind: String,
    /// Its subject, such as a project's reference.
    pub subject: String,
    /// The name of its subject, where the subject is an id or a reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The event of a lifecycle that the work is, if it is one: `FinishPause`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The state that its subject will have then: `INACTIVE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// The task, as JSON text. For an end, the details.
    pub task: String,
    /// The number of the call that caused it; 0 for ends and for the world's start.
    pub caused_by_call: u64,
}

impl Due {
    fn is<T: Task>(&self, subject: &str) -> bool {
        self.kind == T::KIND && self.subject == subject
    }
}

/// Schedules `task` for `due`.
pub fn schedule<T: Task>(cx: &Cx<'_>, due: Timestamp, task: &T) {
    if let Some(noted) = cx.noted.filter(|_| due <= cx.now) {
        noted.due.set(true);
    }
    let payload = serde_json::to_string(task).expect("a task is plain data");
    cx.db.run(
        "INSERT INTO job (due, seq, kind, subject, subject_row, payload, cause)
         VALUES (?1, (SELECT ifnull(max(seq), 0) + 1 FROM job WHERE due = ?1), ?2, ?3, ?4, ?5, ?6)",
        (micros(due), T::KIND, task.subject(), task.row(), payload, cx.call as i64),
    );
}

/// Cancels all work of kind `T` on `subject`, which has this row. Work that is taken but not done is cancelled too.
pub fn cancel<T: Task>(cx: &Cx<'_>, subject: &str, row: i64) {
    let sql = "DELETE FROM job WHERE subject_row = ?1 AND subject = ?2 AND kind = ?3";
    cx.db.run(sql, (row, subject, T::KIND));
    if let Some(taken) = cx.taken {
        taken.0.borrow_mut().retain(|job| !job.is::<T>(subject));
    }
}

/// Whether work of kind `T` on `subject`, which knows no row, is still to be done.
pub fn is_scheduled<T: Task>(cx: &Cx<'_>, subject: &str) -> bool {
    let sql = "SELECT 1 FROM job WHERE subject_row = ?1 AND subject = ?2 AND kind = ?3 LIMIT 1";
    cx.taken.is_some_and(|taken| taken.0.borrow().iter().any(|job| job.is::<T>(subject)))
        || cx.db.maybe(sql, (NO_ROW, subject, T::KIND), |_| Ok(())).is_some()
}

/// Work of one timestamp that was taken off the table together and is done in order. Each piece can cancel pieces that
/// come later.
#[derive(Default)]
pub struct Taken(RefCell<VecDeque<Due>>);

/// Takes the first piece of work due at or before `until`. If it is still on the table, moves up to `at_most` pieces of
/// its timestamp to `taken`. The next calls return these pieces first.
pub fn take(cx: &Cx<'_>, taken: &Taken, until: Timestamp, at_most: usize) -> Option<Due> {
    let mut taken = taken.0.borrow_mut();
    if taken.is_empty() {
        let first = "SELECT seq, due, kind, subject, payload, cause FROM job
                     WHERE due = (SELECT min(due) FROM job) AND due <= ?1 ORDER BY seq LIMIT ?2";
        taken.extend(cx.db.all(first, (micros(until), i64::try_from(at_most).unwrap_or(i64::MAX)), due));
        let last = taken.back()?;
        cx.db.run("DELETE FROM job WHERE due = ?1 AND seq <= ?2", (micros(last.due), last.seq));
    }
    taken.pop_front()
}

/// Runs `job` at `cx.now`.
pub fn perform(cx: &mut Cx<'_>, tasks: &BTreeMap<&'static str, TaskEntry>, job: Due) -> Happened {
    let entry = tasks.get(job.kind.as_str()).expect("the kind of stored work is listed");
    let mut became = (entry.run)(&job.task, cx);
    became.truncate(became.floor_char_boundary(TASK_BYTES));
    let Due { kind, subject, task, caused_by_call, .. } = job;
    Happened { at: cx.now, kind, subject, task: entry.shown(task), became, caused_by_call }
}

/// When the next piece of work is due.
pub fn next_due(db: super::db::Db<'_>) -> Option<Timestamp> {
    let at: Option<i64> = db.one("SELECT min(due) FROM job", (), |row| row.get(0));
    at.map(from_micros)
}

/// All scheduled work, in order, as people see it.
pub fn agenda(db: super::db::Db<'_>, tasks: &BTreeMap<&'static str, TaskEntry>) -> Vec<Due> {
    let all = db.all("SELECT seq, due, kind, subject, payload, cause FROM job ORDER BY due, seq", (), due);
    let shown = |due: Due| match tasks.get(due.kind.as_str()) {
        Some(entry) => {
            let (event, becomes) = (entry.step)(&due.task).map(|step| (step.event, step.becomes)).unzip();
            Due {
                name: entry.name.and_then(|sql| db.maybe(sql, (&due.subject,), |row| row.get(0))),
                event,
                becomes: becomes.flatten(),
                task: entry.shown(due.task),
                ..due
            }
        }
        None => due,
    };
    all.into_iter().map(shown).collect()
}

fn due(row: &rusqlite::Row<'_>) -> rusqlite::Result<Due> {
    Ok(Due {
        seq: row.get(0)?,
        due: from_micros(row.get(1)?),
        kind: row.get(2)?,
        subject: row.get(3)?,
        name: None,
        event: None,
        becomes: None,
        task: row.get(4)?,
        caused_by_call: row.get::<_, i64>(5)? as u64,
    })
}
