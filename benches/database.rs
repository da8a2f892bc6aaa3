//! SQL in projects' databases, compared with the raw statement; branches and restored backups of small and
//! large databases.

use std::time::Duration;

use rusqlite::Connection;
use sim_core::engine::RateLimit;
use sim_core::management::addon::{Addon, SetAddon};
use sim_core::management::backup::RestorePitr;
use sim_core::management::branch::CreateBranch;
use sim_core::management::project::{CreateProject, ProjectRef};
use sim_core::management::query::RunQuery;
use sim_core::{Policy, Simulator};

use crate::measure::{Report, Samples};

const ROWS: usize = 1_000;
const MINUTE: Duration = Duration::from_secs(60);

/// A world, and the project whose database is measured.
type World = (Simulator, ProjectRef);

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let raw = Some(("raw SQLite statement", raw_select(samples)));
    report.add("select by key through database/query", select(samples), raw, "–");
    let plain = Some(("without a trigger", insert(samples, "select 1")));
    report.add("insert of a row, whose trigger writes one", insert(samples, AUDIT), plain, "≤ 5 ×");
    let (small, large) = (filled(1), filled(100));
    let mut both = |what, beside, measure: &dyn Fn(&World) -> f64| {
        report.add(what, measure(&large), Some((beside, measure(&small))), "flat");
    };
    both("branch of a project of 100 MB", "of 1 MB", &|world| branch(samples, world));
    both("restored backup of 100 MB", "of 1 MB", &|world| restore(samples, world));
    both("first write after a backup of 100 MB", "of 1 MB", &|world| first_write(samples, world));
}

fn raw_select(samples: &Samples) -> f64 {
    let connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
    let table = "CREATE TABLE item (key INTEGER PRIMARY KEY, value TEXT NOT NULL) STRICT";
    connection.execute_batch(table).expect("the table is valid SQL");
    for key in 0..ROWS {
        connection.execute(&format!("INSERT INTO item VALUES ({key}, 'value')"), ()).expect("the key is new");
    }
    samples.median(
        || (),
        |(), index| {
            // The text is new each time, as in real use.
            let sql = format!("SELECT value FROM item WHERE key = {}", index % ROWS);
            let value: String = connection.query_row(&sql, (), |row| row.get(0)).expect("the key is there");
            std::hint::black_box(value);
        },
    )
}

fn world() -> World {
    let policy = Policy { rate_limit: RateLimit::off(), sql_steps: u64::MAX, ..Policy::default() };
    let mut sim = Simulator::builder().policy(policy).build();
    let r#ref = sim.call(CreateProject::named("one", "acme")).expect("the name is new").id;
    sim.advance(MINUTE);
    (sim, r#ref)
}

fn sql((sim, r#ref): &mut World, query: &str) -> usize {
    let query = RunQuery::sql(r#ref.clone(), query);
    sim.call(query).expect("the statement is valid").len()
}

fn select(samples: &Samples) -> f64 {
    let mut world = world();
    sql(&mut world, "create table item (key int primary key, value text not null)");
    sql(&mut world, &format!("insert into item select n, 'value' from generate_series(0, {}) n", ROWS - 1));
    samples.median(
        || (),
        |(), index| {
            let rows = sql(&mut world, &format!("select value from item where key = {}", index % ROWS));
            assert_eq!(rows, 1);
        },
    )
}

/// Triggers that write a row for each new or changed one.
const AUDIT: &str = "
    create table audit (id bigint generated always as identity primary key, item int, value text);
    create function note() returns trigger language plpgsql as $$
        begin insert into audit (item, value) values (new.key, new.value); return new; end $$;
    create trigger note_new after insert on item for each row execute function note();
    create trigger note_changed after update on item for each row execute function note()";

/// A row that is inserted into a table for which `triggers` are made.
fn insert(samples: &Samples, triggers: &str) -> f64 {
    let mut world = world();
    sql(&mut world, "create table item (key int primary key, value text not null)");
    sql(&mut world, triggers);
    let mut key = 0;
    samples.median(
        || (),
        |(), _| {
            key += 1;
            sql(&mut world, &format!("insert into item values ({key}, 'value')"));
        },
    )
}

/// A project with this many megabytes in its database, with triggers, and an hour of history.
fn filled(megabytes: usize) -> World {
    let mut world = world();
    let addon = SetAddon { r#ref: world.1.clone(), addon: Addon::Pitr7, enabled: true };
    world.0.call(addon).expect("there is such an add-on");
    sql(&mut world, "create table item (key int primary key, value text not null)");
    for megabyte in 0..megabytes {
        let (first, last) = (megabyte * ROWS, (megabyte + 1) * ROWS - 1);
        sql(
            &mut world,
            &format!("insert into item select n, repeat('x', 1000) from generate_series({first}, {last}) n"),
        );
    }
    sql(&mut world, AUDIT);
    world.0.advance(60 * MINUTE);
    world
}

fn fork((sim, r#ref): &World) -> World {
    (sim.fork(), r#ref.clone())
}

fn branch(samples: &Samples, world: &World) -> f64 {
    Samples { batch: 1, ..*samples }.median(
        || fork(world),
        |(sim, r#ref), _| {
            drop(sim.call(CreateBranch::named(r#ref.clone(), "feature")).expect("branches are allowed"));
        },
    )
}

fn restore(samples: &Samples, world: &World) -> f64 {
    let target = (world.0.now().as_second()) - 60;
    Samples { batch: 1, ..*samples }.median(
        || fork(world),
        |(sim, r#ref), _| {
            let restore = RestorePitr { r#ref: r#ref.clone(), recovery_time_target_unix: target };
            sim.call(restore).expect("the instant is in the window");
            sim.advance(10 * MINUTE);
        },
    )
}

fn first_write(samples: &Samples, world: &World) -> f64 {
    Samples { batch: 1, ..*samples }.median(
        || {
            let mut world = fork(world);
            world.0.advance(24 * 60 * MINUTE);
            world
        },
        |world, _| assert_eq!(sql(world, "update item set value = 'y' where key = 7"), 0),
    )
}
