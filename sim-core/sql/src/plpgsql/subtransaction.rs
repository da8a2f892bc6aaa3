//! What a block with handlers undoes when it fails.

use crate::error::{Result, SqlError};
use crate::run::Engine;

/// How the beginning of a block can be found again.
#[derive(Clone, Copy)]
pub(super) enum Before {
    /// The number of tables that wait for the end of the statement to be dropped.
    Savepoint(usize),
    /// The number of statements that had written until then. SQLite makes no savepoint while a statement that writes is calling the
    /// function, so only a block that has written nothing can be undone.
    Writes(u64),
}

impl Engine<'_> {
    pub(super) fn begin_block(&mut self) -> Result<Before> {
        // What the block undoes are not checks of partitions from before it.
        self.check_new_partitions()?;
        match self.execute("SAVEPOINT pg_block") {
            Err(error) if is_calling(&error) => Ok(Before::Writes(self.writes)),
            done => done.map(|()| Before::Savepoint(self.known.waiting.borrow().len())),
        }
    }

    pub(super) fn end_block(&mut self, before: Before) -> Result<()> {
        match before {
            Before::Savepoint(_) => self.execute("RELEASE pg_block"),
            Before::Writes(_) => Ok(()),
        }
    }

    pub(super) fn undo_block(&mut self, before: Before) -> Result<()> {
        match before {
            Before::Savepoint(waiting) => {
                self.known.waiting.borrow_mut().truncate(waiting);
                self.execute("ROLLBACK TO pg_block; RELEASE pg_block")?;
                self.store_sequences_again()?;
                self.reload()?;
            }
            Before::Writes(count) if self.writes != count => {
                let what = "undoing the changes of a block in a function that a constraint, default or trigger calls";
                return Err(SqlError::unsupported(what));
            }
            Before::Writes(_) => {}
        }
        Ok(())
    }
}

/// Whether a savepoint is refused because a statement that writes is calling.
fn is_calling(error: &SqlError) -> bool {
    error.detail.as_deref().is_some_and(|detail| detail.contains("statements in progress"))
}
