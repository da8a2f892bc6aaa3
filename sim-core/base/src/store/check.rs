//! Checks a world's image from elsewhere before it is used: whether it is undamaged and has the tables of this version.

use rusqlite::Connection;

use super::Store;
use super::blank::digest;
use super::pages::Pages;
use super::pool::PRAGMAS;
use super::vfs::PageConnection;
use crate::format::other_version;

type Outcome<T> = Result<T, String>;

impl Store {
    /// Checks an image that came from elsewhere. `Err` says what is wrong with it: damage, or tables that differ from
    /// this version's.
    pub fn check(&self) -> Outcome<()> {
        let (found, own) = (open(&self.root.pages)?, open(&self.pool.blank().pages)?);
        is_sound(found.get())?;
        self.has_sound_databases()?;
        let (found, own) = (tables(found.get())?, tables(own.get())?);
        let name = |tables: &str| format!("tables {:016x}", u64::from_be_bytes(digest(&[tables])));
        if found == own { Ok(()) } else { Err(other_version(name(&found), name(&own))) }
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

/// Opens a separate connection, which knows nothing of the pool's schema.
fn open(image: &Pages) -> Outcome<PageConnection> {
    let opened = PageConnection::open().and_then(|connection| {
        connection.load(image.clone());
        connection.get().execute_batch(PRAGMAS)?;
        Ok(connection)
    });
    opened.map_err(unreadable)
}

/// Checks that every page is in its place and that every row fits its table.
fn is_sound(db: &Connection) -> Outcome<()> {
    passes(db, "PRAGMA integrity_check(1)")
}

/// Checks that every page is in its place. Constraints of clients' tables are not checked: they were evaluated when a
/// row was written, and may give another result now.
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

/// The tables and the pages they begin on, as text.
fn tables(db: &Connection) -> Outcome<String> {
    let sql = "SELECT json_array(name, rootpage, sql) FROM sqlite_schema ORDER BY rowid";
    let read = db.prepare(sql).and_then(|mut statement| {
        let rows = statement.query_map((), |row| row.get::<_, String>(0))?;
        rows.collect()
    });
    read.map_err(unreadable)
}

fn unreadable(error: rusqlite::Error) -> String {
    format!("can't be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::super::pages::PAGE_SIZE;
    use super::super::{DatabaseKind, Pool, Store};

    const TABLES: &str = "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT";

    /// A few pages of rows that violate their table's constraint.
    const NOTES: &str = "
        CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT CHECK (text = ''));
        PRAGMA ignore_check_constraints = ON;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO note (text) SELECT 'note ' || i FROM n;
        PRAGMA ignore_check_constraints = OFF;";

    /// Checks a world of the tables `found` where worlds have the tables `own`.
    fn checked(found: &str, own: &str) -> Result<(), String> {
        let from = Store::new(&Pool::new(found, None).expect("the schema is valid"));
        let mut to = Store::new(&Pool::new(own, None).expect("the schema is valid"));
        to.follow(&from.snapshot().changes(None).expect("it is in pages"), true).expect("they are pages");
        to.check()
    }

    #[test]
    fn only_a_world_with_the_same_tables_is_accepted() {
        assert_eq!(checked(TABLES, TABLES), Ok(()));
        let more = format!("{TABLES}; CREATE TABLE thing (owner INTEGER NOT NULL) STRICT");
        let refusals = [(TABLES, &*more), (&more, TABLES)]
            .map(|(found, own)| checked(found, own).expect_err("the tables are others"));
        let words = "was made by another version; start a new world (found tables ";
        assert!(refusals.iter().all(|refusal| refusal.starts_with(words)), "{refusals:?}");
        assert_ne!(refusals[0], refusals[1], "both versions are named");
    }

    #[test]
    fn a_world_whose_databases_are_damaged_is_refused() {
        let kind = DatabaseKind { prepare: |_| Ok(()), create: |db| db.execute_batch(NOTES) };
        let pool = Pool::new(TABLES, Some(kind)).expect("the schema is valid");
        let mut world = Store::new(&pool);
        world.transact(|inside| Ok::<_, ()>(inside.databases.create())).expect("it does not fail");
        let piece = world.snapshot().changes(None).expect("it is in pages");
        let arrive = |piece: &[u8]| {
            let mut again = Store::new(&pool);
            again.follow(piece, true).and_then(|()| again.check())
        };
        assert_eq!(arrive(&piece), Ok(()), "constraints are not evaluated again");
        for page in 1..=3 {
            let mut bad = piece.clone();
            let first = bad.len() - page * PAGE_SIZE;
            bad[first] ^= 1;
            let refusal = arrive(&bad).expect_err("a page is of no kind");
            assert!(refusal.starts_with("has a database (number 0) that is damaged"), "{refusal}");
        }
    }
}
