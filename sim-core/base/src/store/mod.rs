//! Worlds as databases in memory. Fork, snapshot and restore cost the same for any size.
//!
//! A [`Store`] that is not in use is the root of a tree of pages (`pages`) and nothing else. During a transaction the
//! root moves into an SQLite connection (`vfs`). A [`Pool`] holds a few connections open for all its worlds, because
//! parsing a schema takes hundreds of times as long as a transaction. So, for any size, a fork copies a pointer, a
//! snapshot keeps a pointer, and a restore puts it back. The pages that a restore discards are freed little by little.
//!
//! This works as long as a connection can change worlds unnoticed:
//! 1. a connection that gets another world clears its page cache, and gets it only outside a transaction;
//! 2. all worlds of a pool have one schema, so there is no DDL after [`Pool::new`];
//! 3. a world is in one connection at a time, which locks nothing and keeps its journal in memory;
//! 4. a finished transaction leaves nothing in a connection: no ATTACH, temporary table or pragma, and in SQL no
//!    `last_insert_rowid()` or `changes()`. The connection's methods of these names are valid within a transaction.
//!
//! The databases inside a world (`databases`) are images too. Their schemas change, so a connection that gets another
//! database's image parses the schema again.
//!
//! SQL does not see the host either: 'now' is the Unix epoch, and `random()` is an error.

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
pub(crate) use self::vfs::is_writing;
pub(crate) use self::vfs::scratch::open as open_scratch;

/// An image and its stamp. Within a pool, images with equal stamps are equal.
#[derive(Clone)]
struct Root {
    pages: Pages,
    stamp: u64,
}

/// A world during a transaction: its own database, and those inside it.
#[derive(Clone, Copy)]
pub struct Inside<'a> {
    /// The world's own database.
    pub db: Db<'a>,
    /// The databases inside the world.
    pub databases: Databases<'a>,
}

/// The database of one world.
pub struct Store {
    pool: Arc<Pool>,
    root: Root,
    images: Images,
    holder: Holder,
}

/// The state of a world at some time. A clone copies a pointer.
#[derive(Clone)]
pub struct Snapshot {
    pool: Arc<Pool>,
    root: Root,
    images: Images,
}

impl Store {
    /// A blank world, with the tables of the pool as its schema left them.
    pub fn new(pool: &Arc<Pool>) -> Store {
        Store {
            pool: Arc::clone(pool),
            root: pool.blank(),
            images: Images::default(),
            holder: Holder::default(),
        }
    }

    /// Runs `f` in a transaction, which is committed when `f` succeeds. When `f` fails or panics, the world stays as it
    /// was.
    ///
    /// # Panics
    /// When `f` ends the transaction and still succeeds, or leaves a deferred constraint unmet.
    pub fn transact<T, E>(&mut self, f: impl FnOnce(Inside<'_>) -> Result<T, E>) -> Result<T, E> {
        let Store { pool, root, images, holder } = self;
        pool.lend(root, |session| {
            session.begin();
            let value = with(pool, images, holder, session.db(), f)?;
            session.commit();
            Ok(value)
        })
    }

    /// Runs `f` with read-only access to the world. A statement that changes the world fails, and so does the commit of
    /// a transaction that `f` opens itself.
    pub fn read<T>(&self, f: impl FnOnce(Db<'_>) -> T) -> T {
        self.pool.lend(&mut self.root.clone(), |session| f(session.db()))
    }

    /// A second world, equal to this one now and independent of it from now on.
    pub fn fork(&self) -> Store {
        Store {
            pool: Arc::clone(&self.pool),
            root: self.root.clone(),
            images: self.images.clone(),
            holder: Holder::default(),
        }
    }

    /// The current state of the world, to restore it later.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { pool: Arc::clone(&self.pool), root: self.root.clone(), images: self.images.clone() }
    }

    /// Restores the state in `snapshot`, which is of this store or of another.
    ///
    /// # Panics
    /// When the snapshot is of a store of another pool.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        assert!(Arc::ptr_eq(&self.pool, &snapshot.pool), "a snapshot is restored in the pool it is of");
        self.pool.retire(mem::replace(&mut self.root, snapshot.root.clone()));
        self.images = snapshot.images.clone();
    }

    /// Whether no database was ever created in this world.
    pub fn has_had_no_databases(&self) -> bool {
        self.images.is_new()
    }

    /// The stamp of the world's rows. As long as the stamp is the same, the rows are the same.
    pub fn stamp(&self) -> u64 {
        self.root.stamp
    }

    /// The size of the image in bytes, shared pages included.
    pub fn size(&self) -> usize {
        self.root.pages.size()
    }
}

impl Snapshot {
    /// A world with this state.
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
