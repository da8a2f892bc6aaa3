//! What a block with handlers undoes when it fails.

use crate::catalog::Catalog;
use crate::error::{Result, SqlError};
use crate::run::Engine;

/// How the beginning of a block can be found again.
#[derive(Clone, Copy)]
pub(super) enum Before {
    Savepoint,
    /// The number of changes until then. SQLite makes no savepoint while a statement that writes is calling the function, so only a
    /// block that has changed nothing can be undone.
    Changes(i64),
}

impl Engine<'_> {
    pub(super) fn begin_block(&mut self) -> Result<Before> {
        match self.execute("SAVEPOINT pg_block") {
            Err(error) if is_calling(&error) => self.changes().map(Before::Changes),
            done => done.map(|()| Before::Savepoint),
        }
    }

    pub(super) fn end_block(&mut self, before: Before) -> Result<()> {
        match before {
            Before::Savepoint => self.execute("RELEASE pg_block"),
            Before::Changes(_) => Ok(()),
        }
    }

    pub(super) fn undo_block(&mut self, before: Before) -> Result<()> {
        match before {
            Before::Savepoint => {
                self.execute("ROLLBACK TO pg_block; RELEASE pg_block")?;
                self.store_sequences()?;
                self.catalog = Catalog::load(self.connection)?;
            }
            Before::Changes(count) if self.changes()? != count => {
                let what = "undoing the changes of a block in a function that a constraint, default or trigger calls";
                return Err(SqlError::unsupported(what));
            }
            Before::Changes(_) => {}
        }
        Ok(())
    }

    /// The number of rows that this connection has changed so far.
    fn changes(&self) -> Result<i64> {
        Ok(self.connection.query_row("SELECT total_changes()", [], |row| row.get(0))?)
    }
}

/// Whether a savepoint is refused because a statement that writes is calling.
fn is_calling(error: &SqlError) -> bool {
    error.detail.as_deref().is_some_and(|detail| detail.contains("statements in progress"))
}
