//! Tests of the guarantees of a store, its four rules first.

mod histories;
mod rules;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};
use std::thread;

use rusqlite::{Connection, OptionalExtension, Result};

use super::pages::{PAGE_SIZE, Pages, Used};
use super::pool::PRAGMAS;
use super::vfs::PageConnection;
use super::{Pool, Store};

const SCHEMA: &str = "
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE INDEX item_by_name ON item (name);
    CREATE TABLE part (
        id INTEGER PRIMARY KEY,
        item INTEGER NOT NULL REFERENCES item ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
    ) STRICT;
    CREATE TABLE log (entry TEXT NOT NULL) STRICT;
    CREATE TRIGGER item_gone AFTER DELETE ON item BEGIN INSERT INTO log VALUES (old.name); END;
    CREATE TABLE lot (id INTEGER PRIMARY KEY, number INTEGER NOT NULL DEFAULT (random())) STRICT;
";

static POOL: LazyLock<Arc<Pool>> = LazyLock::new(|| Pool::new(SCHEMA, None).unwrap());

impl Store {
    fn look<T>(&self, f: impl FnOnce(&Connection) -> T) -> T {
        self.read(|db| f(db.connection))
    }

    fn change<T, E>(
        &mut self,
        f: impl FnOnce(&Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transact(|inside| f(inside.db.connection))
    }
}

fn put(db: &Connection, id: i64, name: &str) -> Result<usize> {
    db.prepare_cached("INSERT OR REPLACE INTO item VALUES (?1, ?2)")?.execute((id, name))
}

fn name(db: &Connection, id: i64) -> Option<String> {
    let mut query = db.prepare_cached("SELECT name FROM item WHERE id = ?1").unwrap();
    query.query_row([id], |row| row.get(0)).optional().unwrap()
}

fn items(store: &Store) -> BTreeMap<i64, String> {
    store.look(|db| {
        let mut query = db.prepare_cached("SELECT id, name FROM item").unwrap();
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_>>().unwrap()
    })
}

fn store_of(pool: &Arc<Pool>, rows: &[(i64, &str)]) -> Store {
    let mut store = Store::new(pool);
    store.change(|db| rows.iter().try_for_each(|(id, name)| put(db, *id, name).map(drop))).unwrap();
    store
}

fn world(rows: &[(i64, &str)]) -> Store {
    store_of(&POOL, rows)
}

/// A connection outside any pool, where nothing is barred.
fn bare(image: &Pages) -> PageConnection {
    let connection = PageConnection::open().unwrap();
    connection.load(image.clone());
    connection
}

fn text(db: &Connection, sql: &str) -> String {
    db.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// How a statement is refused; empty when it is not.
fn refusal(store: &mut Store, sql: &str) -> String {
    let run = |db: &Connection| db.prepare(sql)?.raw_query().mapped(|_| Ok(())).collect::<Result<Vec<_>>>();
    store.change(run).err().map(|error| error.to_string()).unwrap_or_default()
}

fn panics<T>(f: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).err().expect("it panics");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().expect("a panic has a text").to_string(),
    }
}

/// A page of a store, to count the trees that have it.
struct Watched(triomphe::Arc<Used>);

impl Watched {
    fn of(store: &Store, index: usize) -> Watched {
        Watched(store.root.pages.shared(index).unwrap().clone())
    }

    fn owners(&self) -> usize {
        triomphe::Arc::strong_count(&self.0) - 1
    }
}

#[test]
fn failed_transaction_leaves_no_trace() {
    let mut store = world(&[(1, "one")]);
    let outcome = store.change(|db| {
        put(db, 1, "changed").unwrap();
        assert_eq!(name(db, 1).as_deref(), Some("changed"));
        Err::<(), _>("refused")
    });
    assert_eq!(outcome, Err("refused"));
    assert_eq!(items(&store), BTreeMap::from([(1, "one".to_owned())]));
}

#[test]
fn panic_leaves_no_trace_and_a_working_pool() {
    let pool = Pool::new(SCHEMA, None).unwrap();
    let mut store = store_of(&pool, &[(1, "one")]);
    for _ in 0..3 {
        let text = panics(|| {
            store.change(|db| {
                put(db, 1, "changed").unwrap();
                assert!(name(db, 1).is_none(), "a bug in an operation");
                Ok::<_, ()>(())
            })
        });
        assert_eq!(text, "a bug in an operation");
        assert_eq!(store.look(|db| name(db, 1)).as_deref(), Some("one"));
    }
    assert_eq!(pool.idle.lock().len(), 1, "the connection is still in use");
}

#[test]
fn store_alone_commits() {
    let mut store = world(&[(1, "one")]);
    let outcome = store.change(|db| put(db, 1, "changed").and_then(|_| db.execute_batch("COMMIT")));
    assert_eq!(outcome.unwrap_err().sqlite_error_code(), Some(rusqlite::ErrorCode::ReadOnly));
    let text = panics(|| {
        store.change(|db| {
            db.execute_batch("ROLLBACK")?;
            put(db, 1, "behind its back").unwrap_err();
            Ok::<_, rusqlite::Error>(())
        })
    });
    assert_eq!(text, "the store alone ends its transaction");
    assert_eq!(store.look(|db| name(db, 1)).as_deref(), Some("one"));
}

#[test]
fn unmet_deferred_constraint_is_a_bug() {
    let mut store = world(&[]);
    let bug = panics(|| store.change(|db| db.execute("INSERT INTO part VALUES (1, 7)", [])));
    assert!(bug.starts_with("a commit leaves no constraint unmet"), "{bug}");
    assert_eq!(store.look(|db| text(db, "SELECT count(*) || '' FROM part")), "0");
}

#[test]
fn reader_does_not_write() {
    let store = world(&[(1, "one")]);
    let error = store.look(|db| put(db, 1, "changed")).unwrap_err();
    assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::ReadOnly));
    store.look(|db| db.execute_batch("BEGIN; DELETE FROM item")).unwrap();
    assert_eq!(store.look(|db| name(db, 1)).as_deref(), Some("one"));
}

#[test]
fn transaction_larger_than_the_cache() {
    let mut store = world(&[(1, "one")]);
    let body = "b".repeat(2 * PAGE_SIZE);
    let fill = |db: &Connection| (2..2_000).try_for_each(|id| put(db, id, &body).map(drop));
    store.change(|db| fill(db).and(Err::<(), _>(rusqlite::Error::InvalidQuery))).unwrap_err();
    assert_eq!(items(&store).len(), 1);
    store.change(fill).unwrap();
    assert_eq!(items(&store).len(), 1_999);
    assert!(store.size() > 4 << 20);
    assert_eq!(text(bare(&store.root.pages).get(), "PRAGMA integrity_check"), "ok");
}

#[test]
fn forks_and_snapshots_are_independent() {
    let mut store = world(&[(1, "one")]);
    let before = store.snapshot();
    let mut fork = store.fork();
    store.change(|db| put(db, 1, "store")).unwrap();
    fork.change(|db| put(db, 1, "fork")).unwrap();
    assert_eq!(store.look(|db| name(db, 1)).as_deref(), Some("store"));
    assert_eq!(fork.look(|db| name(db, 1)).as_deref(), Some("fork"));
    store.restore(&before);
    fork.restore(&store.snapshot());
    assert_eq!(items(&store), items(&fork));
    assert_eq!(store.look(|db| name(db, 1)).as_deref(), Some("one"));
}

#[test]
fn pages_that_a_restore_discards_are_freed_by_later_transactions() {
    let pool = Pool::new(SCHEMA, None).unwrap();
    let mut store = Store::new(&pool);
    let before = store.snapshot();
    let body = "x".repeat(500);
    store.change(|db| (0..200).try_for_each(|id| put(db, id, &body).map(drop))).unwrap();
    let discarded = Watched::of(&store, store.size() / PAGE_SIZE - 1);
    store.restore(&before);
    assert_eq!(discarded.owners(), 1);
    for _ in 0..20 {
        store.change(|db| put(db, 1, "one")).unwrap();
    }
    assert_eq!(discarded.owners(), 0);
    assert!(pool.retired.lock().is_empty());
}

#[test]
fn unshared_pages_are_changed_in_place() {
    let mut store = world(&[(1, "one")]);
    let pages = |store: &Store| -> Vec<*const Used> {
        (0..store.size() / PAGE_SIZE)
            .map(|index| triomphe::Arc::as_ptr(store.root.pages.shared(index).unwrap()))
            .collect()
    };
    // The first change copies the two pages it needs from the blank world, the next one none.
    let (blank, owned) = (pages(&Store::new(&POOL)), pages(&store));
    assert!(blank.iter().zip(&owned).filter(|(blank, own)| blank != own).count() <= 3);
    for turn in 0..10 {
        store.change(|db| put(db, 1, &format!("turn {turn}"))).unwrap();
        store.look(|db| name(db, 1));
    }
    assert_eq!(pages(&store), owned);
}

#[test]
fn dropped_worlds_return_their_pages() {
    let mut own = Vec::new();
    let base = world(&[(1, "base")]);
    let mut worlds: Vec<Store> = (0..1_000).map(|_| base.fork()).collect();
    for (id, store) in (0..).zip(&mut worlds) {
        store.change(|db| put(db, id, "mine")).unwrap();
        own.push(Watched::of(store, 0));
    }
    assert!(own.iter().all(|page| page.owners() == 1));
    drop(worlds);
    assert!(own.iter().all(|page| page.owners() == 0));
}

#[test]
fn thousand_parked_forks_keep_their_rows() {
    let base = world(&[(1, "base")]);
    let mut forks: Vec<Store> = (0..1_000).map(|_| base.fork()).collect();
    for (number, fork) in (0..).zip(&mut forks) {
        fork.change(|db| put(db, 2, &format!("fork {number}"))).unwrap();
    }
    for (number, fork) in (0..).zip(&forks) {
        assert_eq!(fork.look(|db| name(db, 2)), Some(format!("fork {number}")));
    }
    assert_eq!(items(&base).len(), 1);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the pool is shared by threads, so threads test it")]
fn threads_use_their_own_stores_of_one_pool() {
    thread::scope(|scope| {
        for thread in 0..2_i64 {
            scope.spawn(move || {
                let mut store = world(&[]);
                for id in 0..500 {
                    store.change(|db| put(db, id, &format!("{thread}"))).unwrap();
                    let fork = store.fork();
                    assert_eq!(items(&fork).len() as i64, id + 1);
                }
                assert!(items(&store).values().all(|name| *name == thread.to_string()));
            });
        }
    });
}

#[test]
fn image_made_in_advance_is_used_for_its_own_schema_alone() {
    let packed = &*POOL.pack(&[SCHEMA]).leak();
    let other = "CREATE TABLE other (x)";
    for (schema, packed) in [(SCHEMA, packed), (SCHEMA, &packed[..packed.len() - 1]), (other, packed)] {
        let (begin, rest) = schema.split_at(10);
        let pool = Pool::prepared(&[begin, rest], packed, None).unwrap();
        assert_eq!(pool.pack(&[schema]), Pool::new(schema, None).unwrap().pack(&[begin, rest]));
        let table = store_of(&pool, &[]).look(|db| text(db, "SELECT min(name) FROM sqlite_schema"));
        assert_eq!(table == "other", schema == other);
    }
}

#[test]
fn faulty_schema_is_an_error() {
    assert!(Pool::new("CREATE TABLE", None).is_err());
    assert!(Pool::new("CREATE TABLE a (b); INSERT INTO a VALUES (random())", None).is_err());
}

#[test]
fn changes_turn_the_older_image_into_the_newer() {
    let mut store = world(&[(1, "one")]);
    let beginning = store.snapshot();
    let mut copy = Store::new(&POOL);
    let mut before = None;
    for round in 0..60_i64 {
        if round % 20 == 19 {
            store.restore(&beginning);
        } else {
            let put = |db: &Connection| (0..round).try_for_each(|id| put(db, id * id, "more").map(drop));
            store.change(put).unwrap();
        }
        let now = store.snapshot();
        let changes = now.changes(before.as_ref()).expect("its databases are in its pages");
        copy.follow(&changes, before.is_none()).expect("they fit");
        assert_eq!(items(&copy), items(&store), "round {round}");
        before = Some(now);
    }
    let idle = before.as_ref().and_then(|before| before.changes(Some(before))).expect("nothing changed");
    assert!(idle.len() < 200, "{}", idle.len());
}

#[test]
fn world_read_from_its_changes_shares_the_pages_that_no_call_wrote() {
    let store = world(&[(1, "one")]);
    let mut copy = Store::new(&POOL);
    copy.follow(&store.snapshot().changes(None).expect("its databases are in its pages"), true)
        .expect("they fit");
    let blank = POOL.blank().pages;
    let has_blank = |store: &Store, index: usize| match (store.root.pages.shared(index), blank.shared(index))
    {
        (Some(own), Some(blank)) => triomphe::Arc::ptr_eq(own, blank),
        (own, blank) => own.is_none() && blank.is_none(),
    };
    let unwritten: Vec<usize> = (0..blank.count()).filter(|index| has_blank(&store, *index)).collect();
    let (count, all) = (unwritten.len(), blank.count());
    assert!(0 < count && count < all, "{count} of {all} pages were not written");
    assert!(unwritten.iter().all(|index| has_blank(&copy, *index)), "{unwritten:?}");
    assert_eq!(items(&copy), items(&store));
}

#[test]
fn image_without_reserved_bytes_works() {
    let connection = PageConnection::reserving(0).unwrap();
    connection.get().execute_batch(PRAGMAS).unwrap();
    connection.writing(|db| db.execute_batch(SCHEMA)).unwrap();
    let mut store = Store::new(&POOL);
    store.root = POOL.adopt(connection.take().0);
    let mut copy = Store::new(&POOL);
    let mut before = None;
    for round in 0..40_i64 {
        let put = |db: &Connection| (0..round).try_for_each(|id| put(db, id * id, &"x".repeat(90)).map(drop));
        store.change(put).unwrap();
        store.change(|db| db.execute("DELETE FROM item WHERE id < ?1", [round])).unwrap();
        let now = store.snapshot();
        copy.follow(&now.changes(before.as_ref()).unwrap(), before.is_none()).unwrap();
        assert_eq!(items(&copy), items(&store), "round {round}");
        before = Some(now);
    }
    let pages = &store.root.pages;
    assert_eq!(pages.page(0).unwrap()[20], 0, "nothing is reserved");
    let full = |index| pages.page(index).is_some_and(|page| page[PAGE_SIZE - 1] != 0);
    assert!((0..pages.count()).any(full), "the last bytes are used");
    assert_eq!(text(bare(pages).get(), "PRAGMA integrity_check"), "ok");
    assert_eq!(Store::new(&POOL).root.pages.page(0).unwrap()[20], 8, "in new ones they are reserved");
}
