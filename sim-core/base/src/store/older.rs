//! A world's image from elsewhere, before anybody lives on it: is it sound, and are its tables those of this version?
//!
//! Rows of an older version are carried over, table by table and column by column, into a blank image of this one; what is
//! new begins as it does in a new world. Where the names alone do not say what becomes of rows, a step of the service's
//! ladder changes them first, in SQL. What this version has no place for is refused, never dropped.

use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::Store;
use super::pages::Pages;
use super::pool::PRAGMAS;
use super::vfs::PageConnection;

/// Numbers that are never given out again; SQLite keeps it itself, so it comes last.
const SEQUENCES: &str = "sqlite_sequence";

type Outcome<T> = Result<T, String>;

impl Store {
    /// Makes the world one of this version; says whether its rows were carried over. `ladder` has a step for each version
    /// of the tables that there was, in order: how it becomes the next one. `look` sees rows before they climb it. `Err` says
    /// what is wrong with the image.
    pub fn take_up(&mut self, ladder: &[&str], look: impl FnOnce(&Connection)) -> Outcome<bool> {
        let (old, new) = (open(&self.root.pages)?, open(&self.pool.blank().pages)?);
        is_sound(old.get())?;
        self.has_sound_databases()?;
        let version = version(old.get())?;
        let steps = ladder.get(version..).ok_or_else(|| {
            let ours = ladder.len();
            format!("was made by a newer version of the simulator: its tables are of version {version}, here of {ours}")
        })?;
        if steps.is_empty() && schema(old.get())? == schema(new.get())? {
            return Ok(false);
        }
        look(old.get());
        for step in steps {
            let climbed = old.writing(|db| db.execute_batch(step));
            climbed.map_err(|error| format!("can't be brought to this version: {error}"))?;
        }
        let old = old.get();
        new.writing(|new| carry(old, new))?;
        self.root = self.pool.adopt(new.take().0);
        Ok(true)
    }

    fn has_sound_databases(&self) -> Outcome<()> {
        for (number, root) in self.images.roots() {
            let verdict =
                self.pool.databases().lend(&mut root.clone(), |session| is_whole(session.connection()));
            verdict.map_err(|text| format!("has a database (number {number}) that {text}"))?;
        }
        Ok(())
    }
}

/// A connection of its own, which knows nothing of the pool's schema.
fn open(image: &Pages) -> Outcome<PageConnection> {
    let opened = PageConnection::open().and_then(|connection| {
        connection.load(image.clone());
        connection.get().execute_batch(PRAGMAS)?;
        // Tables are filled one after the other, whichever refers to which; at the end all of them are looked at.
        connection.get().execute_batch("PRAGMA foreign_keys = OFF")?;
        // What triggers keep is among the rows already.
        connection.get().set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        Ok(connection)
    });
    opened.map_err(unreadable)
}

/// Every page is in its place, and every row is one that its table can hold.
fn is_sound(db: &Connection) -> Outcome<()> {
    passes(db, "PRAGMA integrity_check(1)")
}

/// Every page is in its place. Constraints are those of somebody else's tables: they were asked when a row was written,
/// and may say something else by now.
fn is_whole(db: &Connection) -> Outcome<()> {
    let asks = |constraints: &str| {
        db.execute_batch(&format!("PRAGMA ignore_check_constraints = {constraints}")).map_err(unreadable)
    };
    asks("ON")?;
    let verdict = passes(db, "PRAGMA quick_check(1)");
    asks("OFF")?;
    verdict
}

fn passes(db: &Connection, check: &str) -> Outcome<()> {
    let verdict: String = db.query_row(check, (), |row| row.get(0)).map_err(unreadable)?;
    if verdict == "ok" { Ok(()) } else { Err(format!("is damaged: {verdict}")) }
}

fn version(db: &Connection) -> Outcome<usize> {
    let version = db.query_row("PRAGMA user_version", (), |row| row.get::<_, i64>(0));
    version.map(|version| usize::try_from(version).unwrap_or(usize::MAX)).map_err(unreadable)
}

/// What the tables are, and where.
fn schema(db: &Connection) -> Outcome<Vec<(String, i64, Option<String>)>> {
    let sql = "SELECT name, rootpage, sql FROM sqlite_schema ORDER BY rowid";
    let read = db.prepare(sql).and_then(|mut statement| {
        let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        rows.collect()
    });
    read.map_err(unreadable)
}

/// Fills the blank tables of `new` with the rows of `old`.
fn carry(old: &Connection, new: &Connection) -> Outcome<()> {
    new.execute_batch("BEGIN").map_err(unreadable)?;
    for table in tables(old)? {
        let (theirs, ours) = (columns(old, &table)?, columns(new, &table)?);
        if let Some(column) = theirs.iter().find(|column| !ours.contains(column)) {
            return Err(format!(
                "was made by another version of the simulator: this one has no place for {table}.{column}"
            ));
        }
        copy(old, new, &table, &theirs)
            .map_err(|error| format!("has rows of {table} that do not fit: {error}"))?;
    }
    let dangling = new.prepare("PRAGMA foreign_key_check").and_then(|mut check| check.exists(()));
    if dangling.map_err(unreadable)? {
        return Err("has rows that refer to others that are not there".to_owned());
    }
    new.execute_batch("COMMIT").map_err(unreadable)
}

fn tables(db: &Connection) -> Outcome<Vec<String>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = ?1, rowid";
    let read = db
        .prepare(sql)
        .and_then(|mut statement| statement.query_map((SEQUENCES,), |row| row.get(0))?.collect());
    read.map_err(unreadable)
}

fn columns(db: &Connection, table: &str) -> Outcome<Vec<String>> {
    let sql = "SELECT name FROM pragma_table_info(?1)";
    let read =
        db.prepare(sql).and_then(|mut statement| statement.query_map((table,), |row| row.get(0))?.collect());
    read.map_err(unreadable)
}

/// Copies rows in the order in which they lie.
fn copy(old: &Connection, new: &Connection, table: &str, columns: &[String]) -> rusqlite::Result<()> {
    let names: Vec<_> = columns.iter().map(|name| format!("\"{name}\"")).collect();
    let (names, marks) = (names.join(", "), vec!["?"; columns.len()].join(", "));
    new.execute(&format!("DELETE FROM \"{table}\""), ())?;
    let mut insert = new.prepare(&format!("INSERT INTO \"{table}\" ({names}) VALUES ({marks})"))?;
    let mut select = old.prepare(&format!("SELECT {names} FROM \"{table}\" NOT INDEXED"))?;
    let mut rows = select.query(())?;
    while let Some(row) = rows.next()? {
        let values: rusqlite::Result<Vec<Value>> = (0..columns.len()).map(|at| row.get(at)).collect();
        insert.execute(params_from_iter(values?))?;
    }
    Ok(())
}

fn unreadable(error: rusqlite::Error) -> String {
    format!("can't be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::super::pages::PAGE_SIZE;
    use super::super::{DatabaseKind, Pool, Store};

    const OLD: &str = "
        CREATE TABLE owner (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
        CREATE TABLE thing (number INTEGER NOT NULL, owner INTEGER NOT NULL REFERENCES owner) STRICT;";
    const ROWS: &str = "
        INSERT INTO owner (name) VALUES ('ada'), ('bob'), ('cleo');
        DELETE FROM owner WHERE name = 'cleo';
        INSERT INTO thing VALUES (7, 2), (5, 1);";

    /// Some pages of rows, which no constraint of now would let in.
    const NOTES: &str = "
        CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT CHECK (text = ''));
        PRAGMA ignore_check_constraints = ON;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO note (text) SELECT 'note ' || i FROM n;
        PRAGMA ignore_check_constraints = OFF;";

    /// A world of the old tables, as one of `tables`, which `ladder` leads to.
    fn arrived(tables: &str, ladder: &[&str]) -> Result<Store, String> {
        let mut old = Store::new(&Pool::new(OLD, None).expect("the schema is good"));
        old.transact(|inside| inside.db.connection.execute_batch(ROWS)).expect("the rows are good");
        let piece = old.snapshot().changes(None).expect("it is in pages");
        let version = format!("{tables}; PRAGMA user_version = {}", ladder.len());
        let mut new = Store::new(&Pool::new(&version, None).expect("the schema is good"));
        new.follow(&piece, true)?;
        assert_eq!(new.take_up(ladder, |_| ()), Ok(tables != OLD));
        assert_eq!(new.take_up(ladder, |_| ()), Ok(false), "it is one of this version now");
        Ok(new)
    }

    fn texts(store: &mut Store, sql: &str) -> Vec<String> {
        let read = |db: &rusqlite::Connection| {
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map((), |row| row.get(0))?;
            rows.collect::<rusqlite::Result<_>>()
        };
        store.transact(|inside| read(inside.db.connection)).expect("the query is good")
    }

    #[test]
    fn a_world_of_this_version_stays_as_it_is() {
        let mut world = arrived(OLD, &[]).expect("it fits");
        assert_eq!(texts(&mut world, "SELECT name FROM owner"), ["ada", "bob"]);
    }

    #[test]
    fn new_tables_and_columns_are_as_in_a_new_world() {
        let tables = "
            CREATE TABLE first (x INTEGER) STRICT;
            CREATE TABLE owner (id INTEGER PRIMARY KEY AUTOINCREMENT, plan TEXT NOT NULL DEFAULT 'free', name TEXT NOT NULL)
                STRICT;
            CREATE TABLE thing (number INTEGER NOT NULL, owner INTEGER NOT NULL REFERENCES owner) STRICT;";
        let mut world = arrived(tables, &[]).expect("it is carried over");
        assert_eq!(texts(&mut world, "SELECT name || ' ' || plan FROM owner"), ["ada free", "bob free"]);
        assert_eq!(texts(&mut world, "SELECT number || '' FROM thing"), ["7", "5"], "in their order");
        let next = "INSERT INTO owner (name) VALUES ('dan') RETURNING id || ''";
        assert_eq!(texts(&mut world, next), ["4"], "no number is given out twice");
    }

    #[test]
    fn a_step_says_what_names_do_not() {
        let tables = "
            CREATE TABLE person (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
            CREATE TABLE thing (number INTEGER NOT NULL, owner INTEGER NOT NULL REFERENCES person) STRICT;";
        let step = "ALTER TABLE owner RENAME TO person; UPDATE person SET name = upper(name)";
        let mut world = arrived(tables, &[step]).expect("it is brought there");
        assert_eq!(texts(&mut world, "SELECT name FROM person"), ["ADA", "BOB"]);
    }

    #[test]
    fn what_has_no_place_is_refused() {
        let smaller = "CREATE TABLE owner (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT";
        let refusal = arrive_at(smaller, OLD);
        assert_eq!(
            refusal,
            "was made by another version of the simulator: this one has no place for thing.number"
        );
        let newer = format!("{OLD}; PRAGMA user_version = 3");
        assert_eq!(
            arrive_at(OLD, &newer),
            "was made by a newer version of the simulator: its tables are of version 3, here of 0"
        );
    }

    #[test]
    fn rows_that_no_table_can_hold_are_refused() {
        let strict =
            "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> 'bob')) STRICT";
        let loose =
            "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO owner VALUES (1, 'bob')";
        assert!(arrive_at(strict, loose).contains("has rows of owner that do not fit: CHECK"));
    }

    #[test]
    fn a_world_whose_databases_are_damaged_is_refused() {
        let kind = DatabaseKind { prepare: |_| Ok(()), create: |db| db.execute_batch(NOTES) };
        let pool = Pool::new(OLD, Some(kind)).expect("the schema is good");
        let mut world = Store::new(&pool);
        world.transact(|inside| Ok::<_, ()>(inside.databases.create())).expect("it does not fail");
        let piece = world.snapshot().changes(None).expect("it is in pages");
        let arrive = |piece: &[u8]| {
            let mut again = Store::new(&pool);
            again.follow(piece, true).and_then(|()| again.take_up(&[], |_| ()))
        };
        assert_eq!(arrive(&piece), Ok(false), "what a constraint would say now is not asked");
        for page in 1..=3 {
            let mut bad = piece.clone();
            let first = bad.len() - page * PAGE_SIZE;
            bad[first] ^= 1;
            let refusal = arrive(&bad).expect_err("a page is of no kind");
            assert!(refusal.starts_with("has a database (number 0) that is damaged"), "{refusal}");
        }
    }

    /// Why a world of `theirs` can't be one of `ours`.
    fn arrive_at(ours: &str, theirs: &str) -> String {
        let old = Store::new(&Pool::new(theirs, None).expect("the schema is good"));
        let mut new = Store::new(&Pool::new(ours, None).expect("the schema is good"));
        new.follow(&old.snapshot().changes(None).expect("it is in pages"), true).expect("they are pages");
        new.take_up(&[], |_| ()).expect_err("it does not fit")
    }
}
