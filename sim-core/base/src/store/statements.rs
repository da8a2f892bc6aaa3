//! Statements that stay prepared as long as their connection. They are found by their text without copying it. The
//! connection's own cache copies it at every use.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::{Connection, PrepFlags, Result, Statement};

#[cfg(feature = "steps")]
use super::steps;

/// The statements of a connection.
pub trait Statements {
    /// Calls `work` with the prepared statement of `sql`.
    fn with(&self, sql: &str, work: &mut dyn FnMut(&mut Statement<'_>)) -> Result<()>;
}

/// The statements of one connection, a few in each of many places. The text says which place.
pub(super) struct Shelf<'c> {
    connection: &'c Connection,
    places: Vec<RefCell<Vec<Kept<'c>>>>,
}

type Kept<'c> = (Box<str>, Rc<RefCell<Statement<'c>>>);

/// There are more places than an application has texts.
const PLACES: usize = 512;

/// How many statements a place keeps. Without a limit, texts made for one call would pile up.
const KEPT_MAX: usize = 4;

impl<'c> Shelf<'c> {
    pub(super) fn of(connection: &'c Connection) -> Shelf<'c> {
        Shelf { connection, places: (0..PLACES).map(|_| RefCell::default()).collect() }
    }

    fn find(&self, sql: &str) -> Result<Rc<RefCell<Statement<'c>>>> {
        let mut place = self.places[place(sql)].borrow_mut();
        if let Some((_, found)) = place.iter().find(|(text, _)| **text == *sql) {
            return Ok(Rc::clone(found));
        }
        let new = self.connection.prepare_with_flags(sql, PrepFlags::SQLITE_PREPARE_PERSISTENT)?;
        let new = Rc::new(RefCell::new(new));
        if place.len() == KEPT_MAX {
            place.remove(0);
        }
        place.push((sql.into(), Rc::clone(&new)));
        Ok(new)
    }
}

/// The place of a text. Most texts differ in their lengths or in their ends.
fn place(sql: &str) -> usize {
    let end = sql.as_bytes().last_chunk().map_or(0, |end| u64::from_le_bytes(*end));
    let sum = end.wrapping_add(sql.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (sum >> (u64::BITS - PLACES.ilog2())) as usize
}

impl Statements for Shelf<'_> {
    fn with(&self, sql: &str, work: &mut dyn FnMut(&mut Statement<'_>)) -> Result<()> {
        let statement = self.find(sql)?;
        match statement.try_borrow_mut() {
            Ok(mut statement) => {
                work(&mut statement);
                #[cfg(feature = "steps")]
                steps::count(sql, &statement);
            }
            // The statement is in use: the code that reads its rows runs it once more.
            Err(_) => work(&mut self.connection.prepare(sql)?),
        }
        Ok(())
    }
}
