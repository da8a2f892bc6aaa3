//! Connections whose schema is already parsed, lent to one world at a time. They are locked down, so that only its
//! image distinguishes one world from another.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::{fmt, mem};

use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, Error, Result};

use super::Root;
use super::blank;
use super::databases::DatabaseKind;
use super::pages::{Pages, Used};
use super::statements::{Shelf, Statements};
use super::tree::Retired;
use super::vfs::{PageConnection, Prepared};
use crate::db::Db;

/// How many unused connections are kept. Each costs a few hundred kilobytes.
const IDLE_MAX: usize = 16;

/// How many prepared statements a connection's own cache keeps. The databases inside worlds use this cache.
const STATEMENTS_MAX: usize = 256;

/// How many pages of retired images a transaction frees. A transaction writes fewer, so they do not pile up.
const FREED: usize = 32;

/// The cache of an image does not spill, so only a commit writes to it. The cache holds the upper levels of large worlds'
/// tables and fits into a processor's own cache. A larger one would be slower: a miss copies a page over the oldest
/// one, which is less likely to be in the processor's cache. Emptying a large cache also takes longer than many
/// transactions. Sort buffers and intermediate tables go to temporary files, which have a limit.
pub(super) const PRAGMAS: &str = "
    PRAGMA page_size = 1024;
    PRAGMA journal_mode = MEMORY;
    PRAGMA locking_mode = NORMAL;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = FILE;
    PRAGMA cache_size = -512;
    PRAGMA cache_spill = OFF;
    PRAGMA auto_vacuum = NONE;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
";

/// SQL functions whose results do not depend on the image: random numbers, and counters of the connection's last
/// world.
const BARRED_FUNCTIONS: [(&str, i32); 5] =
    [("random", 0), ("randomblob", 1), ("last_insert_rowid", 0), ("changes", 0), ("total_changes", 0)];

/// The tables of a kind of world: a blank image that was made once, and open connections that have parsed its schema.
pub struct Pool {
    rules: Rules,
    blank: Root,
    pub(super) idle: Mutex<Vec<Session>>,
    pub(super) retired: Mutex<Retired<Used>>,
    stamps: AtomicU64,
    inner: Option<DatabaseKind>,
    /// The pool of the databases inside the worlds, once there is one.
    databases: OnceLock<Box<Pool>>,
}

/// What a pool's connections may do.
#[derive(Clone, Copy)]
enum Rules {
    /// All images have one schema, which does not change.
    OneSchema,
    /// Each image has its own schema, and changes it.
    OwnSchemas(DatabaseKind),
}

impl Pool {
    /// Runs `schema`, which is any SQL, on an empty database. Worlds of this pool start from the result.
    ///
    /// Fails when the SQL fails, for example because a table is missing or a barred function is called.
    pub fn new(schema: &str, databases: Option<DatabaseKind>) -> Result<Arc<Pool>> {
        let create = |db: &Connection| db.execute_batch(schema);
        Pool::open(Rules::OneSchema, Pages::default(), create, databases).map(Arc::new)
    }

    /// Like [`Pool::new`], but uses the image that [`Pool::pack`] made in advance, if it fits. The schema is the parts
    /// joined together.
    pub fn prepared(
        schema: &[&str],
        packed: &'static [u8],
        databases: Option<DatabaseKind>,
    ) -> Result<Arc<Pool>> {
        match blank::unpack(schema, packed) {
            Some(image) => Pool::open(Rules::OneSchema, image, |_| Ok(()), databases).map(Arc::new),
            None => Pool::new(&schema.concat(), databases),
        }
    }

    /// The blank image, for the next process that runs the same `schema`.
    pub fn pack(&self, schema: &[&str]) -> Vec<u8> {
        blank::pack(schema, &self.blank.pages)
    }

    fn open(
        rules: Rules,
        image: Pages,
        create: impl FnOnce(&Connection) -> Result<()>,
        inner: Option<DatabaseKind>,
    ) -> Result<Pool> {
        let (session, pages) = Session::open(rules, image, create)?;
        Ok(Pool {
            rules,
            blank: Root { pages, stamp: session.holds },
            idle: Mutex::new(vec![session]),
            retired: Mutex::default(),
            stamps: AtomicU64::new(1),
            inner,
            databases: OnceLock::new(),
        })
    }

    /// The pool of the databases inside the worlds.
    ///
    /// # Panics
    /// When worlds of this kind have no databases, or a new one can't be made.
    pub(super) fn databases(&self) -> &Pool {
        self.databases.get_or_init(|| {
            let kind = self.inner.expect("worlds of this kind have databases");
            let pool = Pool::open(Rules::OwnSchemas(kind), Pages::default(), kind.create, None);
            Box::new(pool.expect("a new database can be made"))
        })
    }

    pub(super) fn blank(&self) -> Root {
        self.blank.clone()
    }

    /// Runs `f` on a connection that has the world of `root` loaded. Then rolls back what `f` has not committed.
    ///
    /// Meanwhile the image belongs to the connection alone, so pages that no other world shares are changed in place.
    /// An unused connection owns no page.
    pub(super) fn lend<T>(&self, root: &mut Root, f: impl FnOnce(&mut Session) -> T) -> T {
        let mut session = self.take(root.stamp);
        session.load(root, self.rules);
        // Unwind safe: what `f` left half done is rolled back, so it is never seen.
        let result = catch_unwind(AssertUnwindSafe(|| f(&mut session)));
        let rolled_back = session.roll_back();
        session.unload(root, || self.new_stamp());
        if rolled_back {
            self.put_back(session);
        }
        if let Some(mut retired) = self.retired.try_lock() {
            retired.free(FREED);
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// A stamp that no image of this pool has had.
    pub(super) fn new_stamp(&self) -> u64 {
        self.stamps.fetch_add(1, Ordering::Relaxed)
    }

    /// Takes an image that is no longer used, to free it later.
    pub(super) fn retire(&self, root: Root) {
        self.retired.lock().add(root.pages.into_tree());
    }

    /// A connection that holds this image, else the one unused for longest, else a new one.
    fn take(&self, stamp: u64) -> Session {
        let mut idle = self.idle.lock();
        if !idle.is_empty() {
            let warm = idle.iter().rposition(|session| session.holds == stamp);
            return idle.remove(warm.unwrap_or(0));
        }
        drop(idle);
        let opened = Session::open(self.rules, self.blank.pages.clone(), |_| Ok(()));
        opened.expect("the blank image can be opened again").0
    }

    fn put_back(&self, session: Session) {
        let mut idle = self.idle.lock();
        if idle.len() < IDLE_MAX {
            idle.push(session);
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("idle", &self.idle.lock().len()).finish_non_exhaustive()
    }
}

/// A connection, and the stamp of the image in its page cache.
pub(super) struct Session {
    prepared: Prepared,
    holds: u64,
}

impl Session {
    /// Opens a connection to `image`, runs `create` there and returns the resulting image too.
    fn open(
        rules: Rules,
        image: Pages,
        create: impl FnOnce(&Connection) -> Result<()>,
    ) -> Result<(Session, Pages)> {
        let mut connection = PageConnection::open()?;
        connection.load(image);
        connection.get().set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        bar_functions(connection.get())?;
        // Query plans depend on the statement alone, not on the values bound to it. Otherwise some plans are made again
        // at every use.
        connection.get().set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.get().execute_batch(PRAGMAS)?;
        if let Rules::OwnSchemas(kind) = rules {
            (kind.prepare)(connection.get_mut())?;
        }
        connection.writing(create)?;
        connection.authorize(match rules {
            Rules::OneSchema => authorize,
            Rules::OwnSchemas(_) => authorize_schemas,
        })?;
        // The first statement parses the schema.
        connection.get().query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        assert!(connection.is_idle(), "a schema ends the transactions it begins");
        let (image, _) = connection.take();
        let prepared = Prepared::new(connection, |connection| Shelf::of(connection.get()));
        Ok((Session { prepared, holds: 0 }, image))
    }

    pub(super) fn connection(&self) -> &Connection {
        self.pages().get()
    }

    pub(super) fn db(&self) -> Db<'_> {
        Db { connection: self.connection(), statements: self.statements() }
    }

    fn statements(&self) -> &dyn Statements {
        self.prepared.with_dependent(|_, shelf| shelf as &dyn Statements)
    }

    fn pages(&self) -> &PageConnection {
        self.prepared.borrow_owner()
    }

    pub(super) fn begin(&self) {
        self.run("BEGIN").expect("a transaction begins where none is open");
    }

    pub(super) fn commit(&mut self) {
        assert!(!self.connection().is_autocommit(), "the store alone ends its transaction");
        self.pages().writing(|_| self.run("COMMIT")).expect("a commit leaves no constraint unmet");
    }

    /// Runs `f`, whose commits reach the image at once.
    pub(super) fn write<T>(&mut self, f: impl FnOnce(&Connection) -> T) -> T {
        self.pages().writing(f)
    }

    /// Rolls back. Returns whether the connection can serve another world.
    fn roll_back(&mut self) -> bool {
        let ended = self.connection().is_autocommit() || self.run("ROLLBACK").is_ok();
        ended && self.pages().is_idle()
    }

    fn load(&mut self, root: &mut Root, rules: Rules) {
        let pages = mem::take(&mut root.pages);
        if self.holds == root.stamp {
            self.pages().resume(pages);
        } else {
            self.pages().load(pages);
            self.holds = root.stamp;
            if let Rules::OwnSchemas(_) = rules {
                // Equally old images differ in their schemas, and no counter tells SQLite so.
                let forget = self.connection().execute_batch("PRAGMA writable_schema = RESET");
                forget.expect("a schema can be forgotten");
            }
        }
    }

    fn unload(&mut self, root: &mut Root, new_stamp: impl FnOnce() -> u64) {
        let (pages, changed) = self.pages().take();
        root.pages = pages;
        if changed {
            root.stamp = new_stamp();
            self.holds = root.stamp;
        }
    }

    fn run(&self, sql: &str) -> Result<()> {
        let mut done = Ok(0);
        self.statements().with(sql, &mut |statement| done = statement.execute([]))?;
        done.map(drop)
    }
}

fn bar_functions(db: &Connection) -> Result<()> {
    for (name, arguments) in BARRED_FUNCTIONS {
        db.create_scalar_function(name, arguments, FunctionFlags::SQLITE_UTF8, move |_| -> Result<bool> {
            Err(Error::UserFunctionError(
                format!("{name}() is barred: a world depends on its rows alone").into(),
            ))
        })?;
    }
    Ok(())
}

/// Allows reading and changing rows. Denies what would outlive the transaction outside the image: ATTACH, temporary
/// tables, pragmas. Also denies changes to the schema, which all worlds of the pool share.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Insert { .. }
        | AuthAction::Update { .. }
        | AuthAction::Delete { .. }
        | AuthAction::Function { .. }
        | AuthAction::Recursive
        // To read which columns a table has changes nothing.
        | AuthAction::Pragma { pragma_name: "table_info", .. }
        | AuthAction::Transaction { .. }
        | AuthAction::Savepoint { .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// Like [`authorize`], for images with their own schemas, which statements may change.
fn authorize_schemas(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => Authorization::Deny,
        _ => Authorization::Allow,
    }
}
