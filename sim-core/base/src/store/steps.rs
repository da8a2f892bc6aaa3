//! Counts the steps that SQLite's virtual machine takes for each statement. Times differ from run to run, steps do not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem;

use rusqlite::{Statement, StatementStatus};

thread_local! {
    static TAKEN: RefCell<BTreeMap<String, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// The steps of this thread's statements since the last call of this function, by statement text. Statements in
/// databases inside a world do not count.
pub fn steps_taken() -> BTreeMap<String, u64> {
    TAKEN.with_borrow_mut(mem::take)
}

pub(super) fn count(sql: &str, statement: &Statement<'_>) {
    let steps = statement.reset_status(StatementStatus::VmStep).unsigned_abs();
    TAKEN.with_borrow_mut(|taken| *taken.entry(sql.to_owned()).or_default() += u64::from(steps));
}
