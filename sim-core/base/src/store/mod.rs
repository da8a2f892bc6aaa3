//! Worlds as databases in memory: fork, snapshot and restore cost the same whatever the size.
//!
//! A [`Store`] at rest is the root of a tree of pages ([`pages`]) and nothing else. For the length of a
//! transaction the root moves into an SQLite connection ([`vfs`]), one of a few which a [`Pool`] holds open
//! for all its worlds because parsing a schema takes hundreds of times as long as a transaction. So, whatever
//! the size: a fork copies a pointer, a snapshot is a pointer kept, and restoring puts it back, while the pages it
//! discards are freed by and by.
//!
//! This holds as long as a connection can change worlds unnoticed:
//! 1. with its world a connection changes its page cache, and only when it is in no transaction;
//! 2. all worlds of a pool have one schema, so there is no DDL after [`Pool::new`];
//! 3. a world is in one connection at a time, which locks nothing and keeps its journal in memory;
//! 4. nothing is left in a connection when its transaction is over: no ATTACH, temporary table or pragma, and
//!    in SQL no `last_insert_rowid()` or `changes()`. The connection's methods of these names are good within
//!    a transaction.
//!
//! The databases inside a world ([`databases`]) are images too. Their schemas change, so a connection that gets another
//! one's image parses the schema anew.
//!
//! Nor does SQL see the host: 'now' is the Unix epoch, and `random()` an error.

mod blank;
mod check;
mod databases;
mod delta;
mod pages;
mod pool;
mod statements;
#[cfg(feature = "steps")]
mod steps;
#[cfg(test)]
mod tests;
mod tree;
mod vfs;

use std::sync::Arc;
use std::{fmt, mem};

use super::db::Db;
use super::server::Holder;

pub use self::databases::{DatabaseKind, Databases, Held};
use self::databases::{Images, with};
use self::pages::Pages;
pub use self::pool::Pool;
pub use self::statements::Statements;
#[cfg(feature = "steps")]
pub use self::steps::steps_taken;
pub use self::tree::{Retired, Tree};
pub(super) use self::vfs::is_writing;

/// An image and its name: within a pool, images with equal stamps are equal.
#[derive(Clone)]
struct Root {
    pages: Pages,
    stamp: u64,
}

/// A world during a transaction: its own database, and those inside it.
#[derive(Clone, Copy)]
pub struct Inside<'a> {
    pub db: Db<'a>,
    pub databases: Databases<'a>,
}

/// The database of one world.
pub struct Store {
    pool: Arc<Pool>,
    root: Root,
    images: Images,
    holder: Holder,
}

/// A world as it was at some instant. A clone copies a pointer.
#[derive(Clone)]
pub struct Snapshot {
    pool: Arc<Pool>,
    root: Root,
    images: Images,
}

impl Store {
    /// A blank world: the tables of the pool, as its schema left them.
    pub fn new(pool: &Arc<Pool>) -> Store {
        Store {
            pool: Arc::clone(pool),
            root: pool.blank(),
            images: Images::default(),
            holder: Holder::default(),
        }
    }

    /// Runs `f` in a transaction, which is committed when `f` succeeds. When it fails or panics the world is
    /// as it was.
    ///
    /// # Panics
    /// When `f` ends the transaction and yet succeeds, or leaves a deferred constraint unmet.
    pub fn transact<T, E>(&mut self, f: impl FnOnce(Inside<'_>) -> Result<T, E>) -> Result<T, E> {
        let Store { pool, root, images, holder } = self;
        pool.lend(root, |session| {
            session.begin();
            let value = with(pool, images, holder, session.db(), f)?;
            session.commit();
            Ok(value)
        })
    }

    /// Runs `f`, to which the world is read-only: a statement that changes it fails, and so does the commit
    /// of a transaction that `f` opens by itself.
    pub fn read<T>(&self, f: impl FnOnce(Db<'_>) -> T) -> T {
        self.pool.lend(&mut self.root.clone(), |session| f(session.db()))
    }

    /// A second world, equal to this one and from now on independent of it.
    pub fn fork(&self) -> Store {
        Store {
            pool: Arc::clone(&self.pool),
            root: self.root.clone(),
            images: self.images.clone(),
            holder: Holder::default(),
        }
    }

    /// The world as it is now, to be restored later.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { pool: Arc::clone(&self.pool), root: self.root.clone(), images: self.images.clone() }
    }

    /// Makes the world what it was when `snapshot` was taken, of this or of another store.
    ///
    /// # Panics
    /// When the snapshot is of a store of another pool.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        assert!(Arc::ptr_eq(&self.pool, &snapshot.pool), "a snapshot is restored in the pool it is of");
        self.pool.retire(mem::replace(&mut self.root, snapshot.root.clone()));
        self.images = snapshot.images.clone();
    }

    pub fn has_had_no_databases(&self) -> bool {
        self.images.is_new()
    }

    /// What tells the world's rows from others: as long as it is the same, so are they.
    pub fn stamp(&self) -> u64 {
        self.root.stamp
    }

    /// The size of the image in bytes, shared pages included.
    pub fn size(&self) -> usize {
        self.root.pages.size()
    }
}

impl Snapshot {
    /// A world that is as it was then.
    pub fn open(&self) -> Store {
        let Snapshot { pool, root, images } = self.clone();
        Store { pool, root, images, holder: Holder::default() }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("size", &self.size()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("size", &self.root.pages.size()).finish_non_exhaustive()
    }
}
