//! The rows that triggers before a change of a row have changed themselves: the statement must not change these as well.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rusqlite::Connection;
use sim_values::across::Done as _;

use super::error::{Result, SqlError, SqlState};

thread_local! {
    static STATEMENTS: RefCell<Statements> = const { RefCell::new(Statements { running: Vec::new(), count: 0 }) };
}

/// The statements that are changing rows, the innermost last.
struct Statements {
    running: Vec<Running>,
    /// The number of changes that were noted.
    count: u64,
}

struct Running {
    table: String,
    /// Whether one of its triggers before a change of a row is running.
    firing: bool,
    /// The rows, each with the number of its first change.
    touched: BTreeMap<i64, u64>,
}

/// Notes changes of rows, from now on.
pub(super) fn watch(connection: &mut Connection) -> rusqlite::Result<()> {
    let note = |_, _: &str, table: &str, row| {
        STATEMENTS.with_borrow_mut(|statements| {
            for running in statements.running.iter_mut().filter(|running| running.firing) {
                if running.table == table {
                    statements.count += 1;
                    running.touched.entry(row).or_insert(statements.count);
                }
            }
        });
    };
    connection.update_hook(Some(note)).done()
}

/// A statement that changes rows of a table of SQLite, until this is dropped.
pub(super) struct Changing(());

impl Changing {
    pub(super) fn begin(table: String) -> Changing {
        let running = Running { table, firing: false, touched: BTreeMap::new() };
        STATEMENTS.with_borrow_mut(|statements| statements.running.push(running));
        Changing(())
    }
}

impl Drop for Changing {
    fn drop(&mut self) {
        STATEMENTS.with_borrow_mut(|statements| statements.running.pop());
    }
}

/// Whether a statement is changing rows.
pub(super) fn is_changing() -> bool {
    STATEMENTS.with_borrow(|statements| !statements.running.is_empty())
}

/// Fires a trigger before a change of a row.
pub(super) fn firing<T>(fire: impl FnOnce() -> T) -> T {
    let outer = set_firing(true);
    let fired = fire();
    set_firing(outer);
    fired
}

fn set_firing(firing: bool) -> bool {
    STATEMENTS.with_borrow_mut(|statements| {
        let innermost = statements.running.last_mut();
        innermost.is_some_and(|running| std::mem::replace(&mut running.firing, firing))
    })
}

/// Whether triggers of the innermost statement have changed a row.
pub(super) fn is_touched(row: i64) -> bool {
    STATEMENTS.with_borrow(|statements| {
        statements.running.last().is_some_and(|running| running.touched.contains_key(&row))
    })
}

/// What was noted so far, for [`return_to`].
pub(super) fn mark() -> u64 {
    STATEMENTS.with_borrow(|statements| statements.count)
}

/// Forgets changes that were undone.
pub(super) fn return_to(mark: u64) {
    STATEMENTS.with_borrow_mut(|statements| {
        for running in &mut statements.running {
            running.touched.retain(|_, number| *number <= mark);
        }
    });
}

/// The refusal to change a row that is `updated` or `deleted`.
pub(super) fn refusal(changed: &str) -> SqlError {
    let message = format!(
        "tuple to be {changed} was already modified by an operation triggered by the current command"
    );
    SqlError::new(SqlState::new("27000"), message).hint(
        "Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.",
    )
}

/// Refuses to change a row that triggers have changed.
pub(super) fn require_untouched(row: i64, changed: &str) -> Result<()> {
    if is_touched(row) { Err(refusal(changed)) } else { Ok(()) }
}
