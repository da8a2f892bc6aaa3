//! The four rules of a store.

use super::*;

#[test]
fn rule_1_equally_old_forks_are_not_confused() {
    let mut one = world(&[(1, "base")]);
    let mut two = one.fork();
    one.change(|db| put(db, 1, "one")).unwrap();
    two.change(|db| put(db, 1, "two")).unwrap();
    for _ in 0..3 {
        assert_eq!(one.look(|db| name(db, 1)).as_deref(), Some("one"));
        assert_eq!(two.look(|db| name(db, 1)).as_deref(), Some("two"));
    }

    let connection = bare(&one.root.pages);
    assert_eq!(name(connection.get(), 1).as_deref(), Some("one"));
    connection.resume(two.root.pages.clone());
    assert_eq!(name(connection.get(), 1).as_deref(), Some("one"), "the trap this rule is about is no more");
    connection.load(two.root.pages.clone());
    assert_eq!(name(connection.get(), 1).as_deref(), Some("two"));
}

#[test]
fn rule_1_an_image_is_not_exchanged_within_a_transaction() {
    let image = world(&[]).root.pages;
    let connection = bare(&image);
    connection.get().execute_batch("BEGIN").unwrap();
    assert!(panics(|| connection.load(image.clone())).contains("between transactions only"));
    connection.get().execute_batch("ROLLBACK").unwrap();
    connection.load(image);
}

#[test]
fn rule_1_an_image_is_not_exchanged_under_a_statement() {
    let mut store = store_of(&Pool::new(SCHEMA, None).unwrap(), &[(1, "one"), (2, "two")]);
    store.look(|db| {
        let mut query = db.prepare("SELECT id FROM item").unwrap();
        let mut rows = query.query([]).unwrap();
        rows.next().unwrap();
        std::mem::forget(rows);
        std::mem::forget(query);
    });
    assert_eq!(store.pool.idle.lock().len(), 0, "a connection in use for ever is not lent again");
    store.change(|db| put(db, 3, "three")).unwrap();
    assert_eq!(items(&store).len(), 3);
}

#[test]
fn rule_2_the_schema_is_fixed() {
    for sql in [
        "CREATE TABLE more (id INTEGER)",
        "CREATE INDEX more ON item (id)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER DELETE ON item BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE more USING fts5 (body)",
        "ALTER TABLE item ADD COLUMN more TEXT",
        "DROP TABLE item",
        "DROP INDEX item_by_name",
        "DROP TRIGGER item_gone",
        "REINDEX",
        "ANALYZE",
    ] {
        assert_eq!(refusal(&mut world(&[]), sql), "not authorized", "{sql}");
    }
}

#[test]
fn rule_2_a_snapshot_of_another_pool_is_refused() {
    let stranger = Store::new(&Pool::new(SCHEMA, None).unwrap()).snapshot();
    let mut store = world(&[(1, "one")]);
    assert_eq!(panics(|| store.restore(&stranger)), "a snapshot is restored in the pool it is of");
    assert_eq!(items(&store).len(), 1);
}

#[test]
fn rule_3_a_world_is_in_one_connection_at_a_time() {
    let pool = Pool::new(SCHEMA, None).unwrap();
    let store = store_of(&pool, &[(1, "one")]);
    let page = Watched::of(&store, 0);
    assert_eq!(page.owners(), 1, "an idle connection owns no page");
    store.look(|outer| {
        store.look(|inner| assert_eq!(name(inner, 1), name(outer, 1)));
    });
    assert_eq!(pool.idle.lock().len(), 2, "readers at the same time have a connection each");
    drop(store);
    assert_eq!(page.owners(), 0);
}

#[test]
fn rule_3_no_wal_and_no_journal_file() {
    let connection = bare(&world(&[]).root.pages);
    assert_ne!(text(connection.get(), "PRAGMA journal_mode = WAL"), "wal");
    connection.get().execute_batch("PRAGMA journal_mode = DELETE").unwrap();
    let error = connection.writing(|db| put(db, 1, "one")).unwrap_err();
    assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::CannotOpen));
}

#[test]
fn rule_4_nothing_is_left_in_a_connection() {
    for (sql, expected) in [
        ("ATTACH ':memory:' AS more", "not authorized"),
        ("DETACH main", "not authorized"),
        ("CREATE TEMP TABLE more (id INTEGER)", "not authorized"),
        ("CREATE TEMP VIEW more AS SELECT 1", "not authorized"),
        ("PRAGMA foreign_keys = OFF", "not authorized"),
        ("PRAGMA journal_mode = OFF", "not authorized"),
        ("PRAGMA query_only", "not authorized"),
        ("SELECT last_insert_rowid()", "last_insert_rowid() is barred: a world depends on its rows alone"),
        ("SELECT changes()", "changes() is barred: a world depends on its rows alone"),
        ("SELECT total_changes()", "total_changes() is barred: a world depends on its rows alone"),
    ] {
        assert_eq!(refusal(&mut world(&[]), sql), expected, "{sql}");
    }
    let vacuum = world(&[]).look(|db| db.execute_batch("VACUUM")).unwrap_err();
    assert_eq!(vacuum.to_string(), "authorization denied", "it attaches a database of its own");
}

#[test]
fn sql_draws_no_random_numbers() {
    for sql in [
        "SELECT random()",
        "SELECT hex(randomblob(8))",
        "SELECT 1 FROM item ORDER BY random()",
        "INSERT INTO lot (id) VALUES (1)",
    ] {
        let text = refusal(&mut world(&[(1, "one")]), sql);
        assert!(text.contains("random"), "{sql}: {text}");
    }
    assert_eq!(refusal(&mut world(&[]), "INSERT INTO lot VALUES (1, 2)"), "");
}

#[test]
fn sql_does_not_see_the_clock_of_the_host() {
    let store = world(&[]);
    for sql in [
        "SELECT datetime('now')",
        "SELECT CURRENT_TIMESTAMP",
        "SELECT datetime()",
        "SELECT strftime('%Y-%m-%d %H:%M:%S', 'now')",
        "SELECT datetime(unixepoch('now'), 'unixepoch')",
    ] {
        assert_eq!(store.look(|db| text(db, sql)), "1970-01-01 00:00:00", "{sql}");
    }
}

#[test]
fn the_sql_of_operations_is_allowed() {
    let mut store = world(&[(1, "one"), (2, "two")]);
    for sql in [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n",
        "SELECT value ->> 'a', key FROM json_each('[{\"a\":1}]')",
        "SELECT row_number() OVER (ORDER BY name) FROM item",
        "INSERT INTO item VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id",
        "UPDATE item SET name = upper(name) WHERE name IN (SELECT name FROM item)",
        "INSERT INTO part VALUES (1, 1)",
        "DELETE FROM item WHERE id = 1",
        "SELECT name FROM sqlite_schema",
    ] {
        assert_eq!(refusal(&mut store, sql), "", "{sql}");
    }
    assert_eq!(store.look(|db| text(db, "SELECT entry FROM log")), "X", "triggers run");
    assert_eq!(store.look(|db| text(db, "SELECT count(*) || '' FROM part")), "0", "foreign keys are on");
}
