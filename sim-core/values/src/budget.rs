//! The work and memory that one call of SQL may use. Both are counted, so the same call ends at the same point on every machine.
//!
//! One [`Budget`] belongs to a connection. SQLite's progress handler draws on it, and so does every function that loops or
//! allocates. An embedder who has a clock can end a call earlier through its [`Interrupt`].

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use parking_lot::Mutex;
use rusqlite::Connection;

use super::across::Done as _;
use super::attached::Attached;
use super::call::Limits;
use super::error::{Result, SqlError, SqlState};
use super::regular;

/// The number of steps of SQLite's virtual machine between two calls of the progress handler.
pub const STRIDE: i32 = 1_000;

/// The units of work of an unlimited budget.
const UNLIMITED: i64 = i64::MAX / 2;

/// Values that are shorter than this do not count as memory, because they are freed with their row.
const LARGE: usize = 64 << 10;

/// Ends calls early. The embedder sets it, usually from another thread. Clones are the same interrupt.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the calls that are running, and those that begin before [`clear`](Interrupt::clear), with 57014.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets calls run again.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether both are clones of the same interrupt.
    pub fn is_same(&self, other: &Interrupt) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether calls must end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The remaining work and memory of a call. Clones are the same budget.
///
/// A unit of work is about a step of SQLite's virtual machine: 20 nanoseconds.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Left>);

#[derive(Debug)]
struct Left {
    work: AtomicI64,
    bytes: AtomicI64,
    interrupt: Mutex<Interrupt>,
    /// The last patterns that the call used, which are compiled.
    patterns: Mutex<BTreeSet<String>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget(Arc::new(Left {
            work: AtomicI64::new(UNLIMITED),
            bytes: AtomicI64::new(UNLIMITED),
            interrupt: Mutex::default(),
            patterns: Mutex::default(),
        }))
    }
}

/// The budgets of open connections.
static ATTACHED: Attached<Left> = Attached::new("SELECT budget_number()");

impl Budget {
    /// Lets every statement of `connection` draw on this budget.
    ///
    /// Fails when SQLite has no memory left for it.
    pub fn attach(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        ATTACHED.attach(connection, self.0.clone())?;
        // This is unwind safe because it does not panic.
        let budget = AssertUnwindSafe(self.clone());
        connection.progress_handler(STRIDE, Some(move || budget.progress())).done()
    }

    /// The budget of a connection; an unlimited one if none is attached.
    pub fn of(connection: &Connection) -> Budget {
        ATTACHED.of(connection).map_or_else(Budget::default, Budget)
    }

    /// Begins a call.
    pub fn begin(&self, limits: &Limits, interrupt: &Interrupt) {
        let most = |limit: u64| i64::try_from(limit).unwrap_or(UNLIMITED).min(UNLIMITED);
        self.0.work.store(most(limits.steps), Ordering::Relaxed);
        self.0.bytes.store(most(limits.held_bytes as u64), Ordering::Relaxed);
        self.0.interrupt.lock().clone_from(interrupt);
        self.0.patterns.lock().clear();
    }

    /// Ends a call. Later work, such as cleaning up, is not limited.
    pub fn end(&self) {
        self.0.work.store(UNLIMITED, Ordering::Relaxed);
        self.0.bytes.store(UNLIMITED, Ordering::Relaxed);
        *self.0.interrupt.lock() = Interrupt::default();
    }

    /// Uses `units` of work.
    ///
    /// Fails with 57014, now and at every later use, if fewer are left.
    pub fn work(&self, units: usize) -> Result<()> {
        if self.draw(units) { Ok(()) } else { Err(timeout()) }
    }

    /// Like `work`, for code that can't fail, such as a comparison. Returns whether it may continue. If not, its result does not
    /// matter, because the statement is about to be cancelled.
    pub fn draw(&self, units: usize) -> bool {
        let units = i64::try_from(units).unwrap_or(UNLIMITED);
        let before = self.0.work.load(Ordering::Relaxed);
        let after = before.saturating_sub(units).max(-1);
        self.0.work.store(after, Ordering::Relaxed);
        let stride = i64::from(STRIDE);
        if before / stride != after / stride && self.0.interrupt.lock().is_set() {
            self.0.work.store(-1, Ordering::Relaxed);
            return false;
        }
        after >= 0
    }

    /// Uses `bytes` of memory until the call ends.
    ///
    /// Fails with 53200, now and at every later use, if fewer are left.
    pub fn hold(&self, bytes: usize) -> Result<()> {
        let before = self.0.bytes.load(Ordering::Relaxed);
        let after = before.saturating_sub(i64::try_from(bytes).unwrap_or(UNLIMITED)).max(-1);
        self.0.bytes.store(after, Ordering::Relaxed);
        if after >= 0 { Ok(()) } else { Err(out_of_memory()) }
    }

    /// Charges the cost of a new value of `bytes`: the work to write it and, if it is large, its memory. Only SQLite knows when
    /// it frees a value, so all large values of a call count.
    pub fn make(&self, bytes: usize) -> Result<()> {
        self.work(bytes / 16)?;
        if bytes < LARGE { Ok(()) } else { self.hold(bytes) }
    }

    /// Charges the cost of matching `pattern` against a text of `length` bytes, and of compiling it at its first use.
    pub fn match_pattern(&self, pattern: &str, length: usize) -> Result<()> {
        let weight = regular::weight(pattern);
        let mut known = self.0.patterns.lock();
        if !known.contains(pattern) {
            self.work(regular::compilation(pattern))?;
            if known.len() == regular::KEPT_MAX {
                known.clear();
            }
            known.insert(pattern.to_owned());
        }
        self.work(length / 8 + length.saturating_mul(weight) / 64)
    }

    /// The reason why the call must end; `None` while it may continue.
    pub fn refusal(&self) -> Option<SqlError> {
        if self.0.work.load(Ordering::Relaxed) < 0 {
            return Some(timeout());
        }
        (self.0.bytes.load(Ordering::Relaxed) < 0).then(out_of_memory)
    }

    /// SQLite's progress handler: uses [`STRIDE`] units of work, and returns whether to interrupt.
    pub fn progress(&self) -> bool {
        !self.draw(STRIDE as usize) || self.0.bytes.load(Ordering::Relaxed) < 0
    }
}

/// The refusal of a call that takes too much work.
pub(crate) fn timeout() -> SqlError {
    SqlError::new(SqlState::QUERY_CANCELED, "canceling statement due to statement timeout")
}

/// The refusal of a call whose values take too much memory.
pub fn out_of_memory() -> SqlError {
    SqlError::new(SqlState::OUT_OF_MEMORY, "out of memory")
        .detail("The values of one call take too many bytes.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(steps: u64, held_bytes: usize) -> Budget {
        let budget = Budget::default();
        budget.begin(&Limits { steps, held_bytes, ..Limits::default() }, &Interrupt::default());
        budget
    }

    #[test]
    fn work_that_is_used_up_stays_so_until_the_call_ends() {
        let budget = budget(10, 10);
        assert!(budget.work(10).is_ok());
        assert_eq!(budget.refusal(), None);
        assert_eq!(budget.work(1).map_err(|error| error.code), Err(SqlState::QUERY_CANCELED));
        assert!(budget.work(0).is_err() && budget.progress());
        budget.end();
        assert!(budget.work(usize::MAX / 4).is_ok() && budget.refusal().is_none());
    }

    #[test]
    fn bytes_that_are_used_up_are_another_refusal() {
        let budget = budget(1_000_000, LARGE * 2);
        assert!(budget.make(LARGE - 1).is_ok(), "small values are no memory");
        assert!(budget.make(LARGE).is_ok() && budget.make(LARGE).is_ok());
        assert_eq!(budget.make(LARGE).map_err(|error| error.code), Err(SqlState::OUT_OF_MEMORY));
        assert!(budget.progress());
    }

    #[test]
    fn an_interrupt_ends_a_call_at_the_next_stride() {
        let (budget, interrupt) = (Budget::default(), Interrupt::default());
        budget.begin(&Limits::default(), &interrupt);
        assert!(!budget.progress());
        interrupt.set();
        assert!(budget.progress() && budget.work(0).is_err());
        budget.end();
        assert!(!budget.progress());
    }
}
