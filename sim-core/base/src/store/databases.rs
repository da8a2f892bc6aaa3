//! The databases inside a world: separate images, by number. They go with the world through fork, snapshot and restore,
//! and cost nothing to copy. If the embedder supplies a server for them, they are versions on that server instead.

use std::cell::{Cell, RefCell};
use std::mem;
use std::sync::Arc;

use rusqlite::Connection;

use super::pages::Pages;
use super::pool::Pool;
use super::tree::Tree;
use super::{Inside, Root};
use crate::db::Db;
use crate::server::{DatabaseServer, Holder, Version};

/// How the databases inside the worlds of a service are made.
#[derive(Clone, Copy)]
pub struct DatabaseKind {
    /// Prepares a connection, for example with functions.
    pub prepare: fn(&mut Connection) -> rusqlite::Result<()>,
    /// Creates what a new database holds.
    pub create: fn(&Connection) -> rusqlite::Result<()>,
}

/// The images of a world's databases. A clone copies a pointer.
#[derive(Clone, Default)]
pub(super) struct Images {
    tree: Tree<Image>,
    next: usize,
}

/// One database.
#[derive(Clone)]
pub(super) enum Image {
    Pages(Root),
    OnServer(Version),
}

impl Image {
    /// Its pages, if it is in pages.
    pub(super) fn root(&self) -> Option<&Root> {
        match self {
            Image::Pages(root) => Some(root),
            Image::OnServer(_) => None,
        }
    }
}

/// A database that is ready to use.
pub enum Held<'a> {
    /// In the world's own pages.
    Pages(&'a Connection),
    /// On a server, as this version of it.
    OnServer(&'a dyn DatabaseServer, &'a mut Version),
}

impl Images {
    pub(super) fn is_new(&self) -> bool {
        self.next == 0
    }

    /// The number of the next database.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Sets how many numbers have been given out.
    pub(super) fn grow(&mut self, next: usize) {
        self.next = next;
    }

    pub(super) fn clear(&mut self, number: usize) {
        self.tree.clear(number);
    }

    /// The image of that number, if it is in pages.
    pub(super) fn root(&self, number: usize) -> Option<&Root> {
        self.tree.get(number)?.root()
    }

    /// Every database that is in pages, by number.
    pub(super) fn roots(&self) -> impl Iterator<Item = (usize, &Root)> {
        (0..self.next).filter_map(|number| Some((number, self.root(number)?)))
    }

    /// Every number whose database differs from that in `before`, with the current database.
    pub(super) fn differences(&self, before: &Images) -> Vec<(usize, Option<&Image>)> {
        let mut all = Vec::new();
        self.tree
            .differences(&before.tree, &mut |number, image| all.push((number, image.map(|image| &**image))));
        all
    }

    /// Stores a database under a number that has been given out; `None` for any other number.
    pub(super) fn set(&mut self, number: usize, root: Root) -> Option<()> {
        (number < self.next).then(|| self.tree.set(number, Image::Pages(root)))
    }

    /// The database that shares most pages with `pages`, of those that exist when database `number` is written. Lower
    /// numbers are written before, so they are in their current state, and the others in their earlier state. Deleted
    /// databases still exist then, because they are removed last.
    pub(super) fn most_like<'i>(
        &'i self,
        number: usize,
        pages: &Pages,
        before: &'i Images,
    ) -> Option<(usize, &'i Pages)> {
        let there = |lower| self.root(lower).or_else(|| before.root(lower));
        let lower = (0..number).filter_map(|lower| Some((lower, there(lower)?)));
        let others = (number..before.next).filter_map(|other| Some((other, before.root(other)?)));
        let all = lower.chain(others).map(|(other, root)| (other, &root.pages));
        all.max_by_key(|(other, candidate)| (pages.likeness(candidate), *other == number))
            .filter(|(other, candidate)| *other == number || pages.likeness(candidate) > 0)
    }
}

/// Access to the databases inside a world, during one transaction of the world. Changes to them are undone with the
/// transaction.
#[derive(Clone, Copy)]
pub struct Databases<'a> {
    images: &'a RefCell<Images>,
    asked: &'a Cell<bool>,
    pool: &'a Pool,
    holder: &'a Holder,
    server: Option<&'a dyn DatabaseServer>,
}

/// The databases at an earlier point.
pub struct Mark(Images);

impl<'a> Databases<'a> {
    /// The same access, with the databases' server if there is one.
    pub fn on(self, server: Option<&'a dyn DatabaseServer>) -> Databases<'a> {
        Databases { server, ..self }
    }

    /// The world that the databases are in, as their server knows it.
    pub fn holder(&self) -> &'a Holder {
        self.holder
    }

    /// Creates a database in the world's own pages and returns its number.
    ///
    /// # Panics
    ///
    /// When the service has no databases.
    pub fn create(&self) -> i64 {
        self.add(Image::Pages(self.pool.databases().blank()))
    }

    /// Creates a database for clients' SQL: on the server, if there is one.
    pub fn create_for_clients(&self) -> i64 {
        self.server.map_or_else(|| self.create(), |server| self.add(Image::OnServer(server.blank())))
    }

    /// Copies a database. The cost does not grow with its size.
    pub fn copy(&self, image: i64) -> i64 {
        self.add(self.image(image))
    }

    /// Drops a database.
    pub fn forget(&self, image: i64) {
        self.images.borrow_mut().tree.clear(image as usize);
    }

    /// Whether two databases are known to have the same content: one is a copy of the other, and neither was written to since.
    pub fn are_same(&self, one: i64, other: i64) -> bool {
        match (self.image(one), self.image(other)) {
            (Image::Pages(one), Image::Pages(other)) => one.stamp == other.stamp,
            (Image::OnServer(one), Image::OnServer(other)) => one.is(&other),
            _ => false,
        }
    }

    /// Its size in bytes.
    pub fn size(&self, image: i64) -> u64 {
        match self.image(image) {
            Image::Pages(root) => root.pages.size() as u64,
            Image::OnServer(version) => self.server().size(&version),
        }
    }

    /// Runs `f` on a database. Also returns whether `f` changed it. What `f` commits stays, even if `f` ends in an
    /// error.
    ///
    /// # Panics
    ///
    /// When the database is on a server.
    pub fn run<T>(&self, image: i64, f: impl FnOnce(&Connection) -> T) -> (T, bool) {
        self.visit(image, |held| match held {
            Held::Pages(connection) => f(connection),
            Held::OnServer(..) => panic!("the world's own databases are in its pages"),
        })
    }

    /// Like [`run`](Databases::run), for a database in pages or on a server.
    pub fn visit<T>(&self, image: i64, f: impl FnOnce(Held<'_>) -> T) -> (T, bool) {
        let (value, changed) = match self.image(image) {
            Image::Pages(root) => self.run_in_pages(root, |connection| f(Held::Pages(connection))),
            Image::OnServer(version) => self.run_on_server(version, f),
        };
        let has_changed = changed.is_some();
        if let Some(changed) = changed {
            self.images.borrow_mut().tree.set(image as usize, changed);
        }
        (value, has_changed)
    }

    fn run_in_pages<T>(&self, mut root: Root, f: impl FnOnce(&Connection) -> T) -> (T, Option<Image>) {
        let before = root.stamp;
        let value = self.pool.databases().lend(&mut root, |session| session.write(f));
        let changed = root.stamp != before;
        (value, changed.then_some(Image::Pages(root)))
    }

    fn run_on_server<T>(&self, version: Version, f: impl FnOnce(Held<'_>) -> T) -> (T, Option<Image>) {
        let mut after = version.clone();
        let value = f(Held::OnServer(self.server(), &mut after));
        let changed = !after.is(&version);
        (value, changed.then_some(Image::OnServer(after)))
    }

    fn server(&self) -> &'a dyn DatabaseServer {
        self.server.expect("a world keeps its server")
    }

    /// Marks the current state of all databases.
    pub fn mark(&self) -> Mark {
        Mark(self.images.borrow().clone())
    }

    /// Goes back to the state of `mark`.
    pub fn go_back_to(&self, mark: Mark) {
        *self.images.borrow_mut() = mark.0;
    }

    /// Whether any database was used, so that the results do not depend on the world's rows alone.
    pub fn were_asked(&self) -> bool {
        self.asked.get()
    }

    fn add(&self, new: Image) -> i64 {
        let images = &mut *self.images.borrow_mut();
        let image = images.next;
        images.tree.set(image, new);
        images.next += 1;
        image as i64
    }

    fn image(&self, image: i64) -> Image {
        self.asked.set(true);
        let images = self.images.borrow();
        Image::clone(images.tree.get(image as usize).expect("a database is used until it is dropped"))
    }
}

/// Runs `f` on a world's connection, with access to its databases. They change only if `f` succeeds.
pub(super) fn with<T, E>(
    pool: &Arc<Pool>,
    images: &mut Images,
    holder: &Holder,
    db: Db<'_>,
    f: impl FnOnce(Inside<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let (changed, asked) = (RefCell::new(images.clone()), Cell::new(false));
    let databases = Databases { images: &changed, asked: &asked, pool, holder, server: None };
    let value = f(Inside { db, databases })?;
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
        Store::new(&Pool::new("CREATE TABLE world (x)", Some(KIND)).expect("the schema is valid"))
    }

    fn root(image: Image) -> Root {
        let Image::Pages(root) = image else { panic!("there is no server") };
        root
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
    fn a_failed_transaction_undoes_changes_to_databases() {
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
    fn a_transaction_left_open_is_rolled_back() {
        let mut world = world();
        let image = create(&mut world);
        assert!(!run(&mut world, image, "BEGIN; INSERT INTO one VALUES (1)"));
        assert_eq!(count(&mut world, image, "one"), 0);
    }

    #[test]
    fn a_copy_is_written_without_its_pages() {
        let mut world = world();
        let image = create(&mut world);
        run(&mut world, image, "INSERT INTO one VALUES (zeroblob(1000000))");
        let before = world.snapshot();
        let copies = |inside: Inside<'_>| {
            let copy = inside.databases.copy(image);
            inside.databases.run(copy, |db| db.execute_batch("INSERT INTO one VALUES (2)")).0.expect("SQL");
            inside.databases.forget(image);
            Ok::<_, ()>(copy)
        };
        let copy = world.transact(copies).expect("it does not fail");
        let after = world.snapshot();
        let (whole, changes) =
            (before.changes(None).expect("pages"), after.changes(Some(&before)).expect("pages"));
        assert!(whole.len() > 1_000_000 && changes.len() < 20_000, "{} and {}", whole.len(), changes.len());
        let mut again = Store::new(&before.open().pool);
        again.follow(&whole, true).expect("it fits");
        again.follow(&changes, false).expect("it fits");
        assert_eq!(count(&mut again, copy, "one"), 2);
        assert!(again.follow(&changes[..changes.len() - 1], false).is_err());
    }

    #[test]
    fn a_copy_shares_its_pages() {
        let mut world = world();
        let image = create(&mut world);
        run(&mut world, image, "INSERT INTO one VALUES (1)");
        let roots = world.transact(|inside| {
            let copy = inside.databases.copy(image);
            Ok::<_, ()>([image, copy].map(|image| root(inside.databases.image(image))))
        });
        let [image, copy] = roots.expect("it does not fail");
        assert!(triomphe::Arc::ptr_eq(
            image.pages.shared(1).expect("a page"),
            copy.pages.shared(1).expect("a page")
        ));
    }
}
