//! Ingests events, compared with the raw insert of the same rows; queries events, compared with the
//! translated SQL.

use rusqlite::Connection;
use serde_json::{Value, json};
use sim_core::analytics::endpoint::{CreateEndpoint, EndpointChanges};
use sim_core::analytics::endpoint_query::RunEndpoint;
use sim_core::analytics::ingest::Ingest;
use sim_core::analytics::source::CreateSource;
use sim_core::engine::RateLimit;
use sim_core::sql::warehouse::{
    Dialect, Relation, Request, Resolver, Table, Target, prepare_connection, translate,
};
use sim_core::{Policy, Simulator};

use crate::measure::{Report, Samples};

/// Events per call, as log shippers send them.
pub(crate) const BATCH: usize = 100;

/// Events that queries read.
const STORED: usize = 10_000;

/// 2026-01-01T00:00:00Z in microseconds, the start of each world.
const START: i64 = 1_767_225_600_000_000;

const QUERY: &str = "select r.path as path, count(*) as n from gateway as t
    cross join unnest(t.metadata) as m cross join unnest(m.request) as r
    where m.status >= 400 group by path order by n desc";

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let few = Samples { batch: samples.batch / 50, ..*samples };
    let raw = raw_inserts(&few) / BATCH as f64;
    report.add(
        "event stored, of 100 in a call",
        ingest(&few) / BATCH as f64,
        Some(("raw SQLite insert", raw)),
        "–",
    );
    let few = Samples { batch: 5, ..*samples };
    let raw = Some(("translated SQL alone", raw_query(&few)));
    report.add("endpoint that groups 10⁴ events", query(&few), raw, "–");
}

/// The event of that number, as log shippers send it.
pub(crate) fn event(number: usize) -> Value {
    json!({
        "id": format!("e{number}"),
        "timestamp": START - (number % 86_400) as i64 * 1_000_000,
        "message": format!("GET /items/{}", number % 100),
        "project": "default",
        "metadata": {
            "request": { "method": "GET", "path": format!("/items/{}", number % 100) },
            "status": 200 + number % 4 * 100,
            "duration_ms": number % 1000,
        },
    })
}

/// Events by number, in one call.
pub(crate) fn send(sim: &mut Simulator, token: &str, numbers: std::ops::Range<usize>) {
    let events: Vec<_> = numbers.map(event).collect();
    sim.call(Ingest::json(token, &Value::Array(events))).expect("the events are valid");
}

/// A world with one source, `gateway`, and its token.
pub(crate) fn world() -> (Simulator, String) {
    world_under(|_| {})
}

/// The same under a changed policy.
pub(crate) fn world_under(change: impl FnOnce(&mut Policy)) -> (Simulator, String) {
    let mut policy = Policy { rate_limit: RateLimit::off(), sql_steps: u64::MAX, ..Policy::default() };
    policy.analytics.plan_rates = true;
    (policy.analytics.plan_source_rate, policy.analytics.plan_user_rate) = (1 << 40, 1 << 40);
    policy.analytics.source_events = i64::MAX;
    change(&mut policy);
    let mut sim = Simulator::analytics().policy(policy).build();
    let token = sim.call(CreateSource::named("gateway")).expect("a good source").token;
    (sim, token)
}

fn ingest(samples: &Samples) -> f64 {
    let mut world = world();
    let mut next = 0;
    samples.median(
        || (),
        |(), _| {
            send(&mut world.0, &world.1, next..next + BATCH);
            next += BATCH;
        },
    )
}

/// The table of a source.
const TABLE: &str = "CREATE TABLE events (
        id TEXT PRIMARY KEY, body TEXT NOT NULL, event_message TEXT, timestamp INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_timestamp ON events (timestamp);";

pub(crate) fn raw(rows: usize) -> Connection {
    let mut connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
    prepare_connection(&mut connection).expect("functions can be made");
    connection.execute_batch(TABLE).expect("the table is valid SQL");
    for first in (0..rows).step_by(BATCH) {
        insert(&connection, first..first + BATCH);
    }
    connection
}

/// The rows of events by number, in one transaction.
fn insert(connection: &Connection, numbers: std::ops::Range<usize>) {
    let transaction = connection.unchecked_transaction().expect("none is open");
    let mut statement =
        transaction.prepare_cached("INSERT INTO events VALUES (?1, ?2, ?3, ?4)").expect("the table is there");
    for event in numbers.map(event) {
        let message = event["message"].as_str();
        let row = (event["id"].as_str(), event.to_string(), message, event["timestamp"].as_i64());
        statement.execute(row).expect("the id is new");
    }
    drop(statement);
    transaction.commit().expect("memory takes it");
}

fn raw_inserts(samples: &Samples) -> f64 {
    let connection = raw(0);
    let mut next = 0;
    samples.median(
        || (),
        |(), _| {
            insert(&connection, next..next + BATCH);
            next += BATCH;
        },
    )
}

fn query(samples: &Samples) -> f64 {
    let (mut sim, token) = world();
    for first in (0..STORED).step_by(BATCH) {
        send(&mut sim, &token, first..first + BATCH);
    }
    let changes = EndpointChanges { cache_duration_seconds: 0.into(), ..EndpointChanges::default() };
    let new = CreateEndpoint { changes, ..CreateEndpoint::named("paths", QUERY) };
    let endpoint = sim.call(new).expect("a good query").token;
    samples.median(
        || (),
        |(), _| {
            let answer = sim.call(RunEndpoint::with(&endpoint, &[])).expect("it runs");
            assert_eq!(answer.result.map(|rows| rows.len()), Some(50));
        },
    )
}

struct OneTable;

impl Resolver for OneTable {
    fn relation(&self, _: &str) -> Option<Relation> {
        Some(Relation::Table(Table::of_events("events")))
    }
}

fn raw_query(samples: &Samples) -> f64 {
    let connection = raw(STORED);
    let request = Request {
        text: QUERY,
        dialect: Dialect::Warehouse,
        consumer: None,
        target: Target::Sqlite,
        max_rows: Some(1000),
    };
    let sql = translate(&request, &OneTable).expect("a good query").sql;
    let mut statement = connection.prepare(&sql).expect("it is translated");
    samples.median(
        || (),
        |(), _| {
            let rows = statement.query_map((), |row| row.get::<_, i64>(1)).expect("it runs");
            assert_eq!(rows.count(), 50);
        },
    )
}
