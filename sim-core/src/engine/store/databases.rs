//! The databases inside a world: images of their own, by number, which go with the world through fork, snapshot and
//! restore, and cost nothing to copy.

use std::cell::RefCell;
use std::mem;
use std::sync::Arc;

use rusqlite::Connection;

use super::pool::Pool;
use super::tree::Tree;
use super::{Inside, Root};

/// How the databases inside the worlds of a service are made.
#[derive(Clone, Copy)]
pub struct DatabaseKind {
    /// Makes a connection ready, with functions and the like.
    pub prepare: fn(&mut Connection) -> rusqlite::Result<()>,
    /// Puts in what a new database holds.
    pub create: fn(&Connection) -> rusqlite::Result<()>,
}

/// The images of a world's databases. A clone copies a pointer.
#[derive(Clone, Default)]
pub(super) struct Images {
    tree: Tree<Root>,
    next: usize,
}

/// The way to the databases inside a world, during one transaction of the world. What is done to them is undone with
/// the transaction.
#[derive(Clone, Copy)]
pub struct Databases<'a> {
    images: &'a RefCell<Images>,
    pool: &'a Pool,
}

/// The databases as they were.
pub(crate) struct Mark(Images);

impl Databases<'_> {
    /// A new database; returns its number.
    ///
    /// # Panics
    ///
    /// When the service has no databases.
    pub fn create(&self) -> i64 {
        self.add(self.pool.databases().blank())
    }

    /// A second database equal to that one. Its cost does not grow with it.
    pub fn copy(&self, image: i64) -> i64 {
        self.add(self.root(image))
    }

    /// Drops a database.
    pub fn forget(&self, image: i64) {
        self.images.borrow_mut().tree.clear(image as usize);
    }

    /// Its size in bytes.
    pub fn size(&self, image: i64) -> u64 {
        self.root(image).pages.size() as u64
    }

    /// Runs `f` on a database, and tells whether that changed it. What `f` commits stays, even if it ends in an error.
    pub fn run<T>(&self, image: i64, f: impl FnOnce(&Connection) -> T) -> (T, bool) {
        let mut root = self.root(image);
        let before = root.stamp;
        let value = self.pool.databases().lend(&mut root, |session| session.write(f));
        let changed = root.stamp != before;
        if changed {
            self.images.borrow_mut().tree.set(image as usize, root);
        }
        (value, changed)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.images.borrow().clone())
    }

    pub(crate) fn go_back_to(&self, mark: Mark) {
        *self.images.borrow_mut() = mark.0;
    }

    fn add(&self, root: Root) -> i64 {
        let images = &mut *self.images.borrow_mut();
        let image = images.next;
        images.tree.set(image, root);
        images.next += 1;
        image as i64
    }

    fn root(&self, image: i64) -> Root {
        let images = self.images.borrow();
        Root::clone(images.tree.get(image as usize).expect("a database is used until it is dropped"))
    }
}

/// Runs `f` on a world's connection with its databases at hand; they stay as they were unless `f` succeeds.
pub(super) fn with<T, E>(
    pool: &Arc<Pool>,
    images: &mut Images,
    connection: &Connection,
    f: impl FnOnce(Inside<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let changed = RefCell::new(images.clone());
    let value = f(Inside { connection, databases: Databases { images: &changed, pool } })?;
    drop(mem::replace(images, changed.into_inner()));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::super::Store;
    use super::*;

    const KIND: DatabaseKind =
        DatabaseKind { prepare: |_| Ok(()), create: |db| db.execute_batch("CREATE TABLE one (x)") };

    fn world() -> Store {
        Store::new(&Pool::new("CREATE TABLE world (x)", Some(KIND)).expect("the schema is good"))
    }

    /// Runs SQL on database `image` of the world; says whether that changed it.
    fn run(world: &mut Store, image: i64, sql: &str) -> bool {
        let run = |inside: Inside<'_>| Ok::<_, ()>(inside.databases.run(image, |db| db.execute_batch(sql)));
        let (done, changed) = world.transact(run).expect("it does not fail");
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
        changed
    }

    fn create(world: &mut Store) -> i64 {
        world.transact(|inside| Ok::<_, ()>(inside.databases.create())).expect("it does not fail")
    }

    fn count(world: &mut Store, image: i64, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        let count = |db: &Connection| db.query_row(&sql, [], |row| row.get(0)).unwrap_or(-1);
        let count = |inside: Inside<'_>| Ok::<_, ()>(inside.databases.run(image, count).0);
        world.transact(count).expect("it does not fail")
    }

    #[test]
    fn databases_go_with_their_world() {
        let mut world = world();
        let image = create(&mut world);
        assert!(run(&mut world, image, "INSERT INTO one VALUES (1)"));
        let (mut fork, before) = (world.fork(), world.snapshot());
        run(&mut world, image, "INSERT INTO one VALUES (2)");
        run(&mut fork, image, "DELETE FROM one");
        assert_eq!((count(&mut world, image, "one"), count(&mut fork, image, "one")), (2, 0));
        world.restore(&before);
        assert_eq!(count(&mut world, image, "one"), 1);
        assert!(!run(&mut world, image, "SELECT 1"));
    }

    #[test]
    fn equally_old_copies_keep_their_own_schemas() {
        let mut world = world();
        let first = create(&mut world);
        let second = world.transact(|inside| Ok::<_, ()>(inside.databases.copy(first))).expect("a copy");
        run(&mut world, first, "CREATE TABLE two (x); INSERT INTO two VALUES (1)");
        run(&mut world, second, "CREATE TABLE three (y); INSERT INTO three VALUES (1), (2)");
        for _ in 0..3 {
            assert_eq!((count(&mut world, first, "two"), count(&mut world, first, "three")), (1, -1));
            assert_eq!((count(&mut world, second, "two"), count(&mut world, second, "three")), (-1, 2));
        }
    }

    #[test]
    fn what_a_failed_transaction_did_to_databases_is_undone() {
        let mut world = world();
        let image = create(&mut world);
        let fails = |inside: Inside<'_>| {
            inside.databases.run(image, |db| db.execute_batch("INSERT INTO one VALUES (1)")).0.expect("SQL");
            inside.databases.create();
            Err::<(), _>(())
        };
        world.transact(fails).unwrap_err();
        assert_eq!(count(&mut world, image, "one"), 0);
        assert_eq!(create(&mut world), image + 1);
    }

    #[test]
    fn what_a_statement_leaves_open_is_rolled_back() {
        let mut world = world();
        let image = create(&mut world);
        assert!(!run(&mut world, image, "BEGIN; INSERT INTO one VALUES (1)"));
        assert_eq!(count(&mut world, image, "one"), 0);
    }

    #[test]
    fn a_copy_shares_its_pages() {
        let mut world = world();
        let image = create(&mut world);
        run(&mut world, image, "INSERT INTO one VALUES (1)");
        let roots = world.transact(|inside| {
            let copy = inside.databases.copy(image);
            Ok::<_, ()>([image, copy].map(|image| inside.databases.root(image)))
        });
        let [image, copy] = roots.expect("it does not fail");
        assert!(Arc::ptr_eq(image.pages.page(1).expect("a page"), copy.pages.page(1).expect("a page")));
    }
}
