//! `soak [EVENTS]`: a million events with queries in between. Prints how latency and memory grow, and fails
//! if an event is lost or duplicated.

use std::time::{Duration, Instant};

use sim_core::Simulator;
use sim_core::analytics::query::RunQuery;

use crate::analytics::{BATCH, send, world};
use crate::memory::resident;

const EVENTS: usize = 1_000_000;

/// Sections of the run, each with a line of output.
const STRETCHES: usize = 10;

/// After this many batches the last one is sent again, as log shippers do when they get no confirmation.
const SENT_AGAIN: usize = 7;

pub(crate) fn run(events: Option<&str>) {
    let wanted = events.map_or(EVENTS, |text| text.parse().expect("soak: how many events, as a number"));
    let stretch = (wanted / STRETCHES / BATCH).max(1) * BATCH;
    let (mut sim, token) = world();
    let empty = resident(std::process::id());
    println!(
        "| events | ingest, events/s | count | one by id | newest 100 | bytes per event |\n|---|---|---|---|---|---|"
    );
    for number in 0..STRETCHES {
        let (first, last) = (number * stretch, (number + 1) * stretch);
        let time = stretch_of(&mut sim, &token, first, last);
        let count = timed(&mut sim, "select count(*) as n, count(distinct id) as ids from gateway", |row| {
            assert_eq!(
                (row["n"].as_u64(), row["ids"].as_u64()),
                (Some(last as u64), Some(last as u64)),
                "lost or doubled"
            );
        });
        let id = format!("select event_message as m from gateway where id = 'e{}'", last / 2);
        let single =
            timed(&mut sim, &id, |row| assert_eq!(row["m"], format!("GET /items/{}", last / 2 % 100)));
        let newest = timed(
            &mut sim,
            "select id, event_message as m from gateway order by timestamp desc limit 100",
            |_| {},
        );
        let bytes =
            resident(std::process::id()).zip(empty).map_or(0.0, |(now, empty)| (now - empty) / last as f64);
        println!(
            "| {last} | {:.0} | {count:.1?} | {single:.1?} | {newest:.1?} | {bytes:.0} |",
            stretch as f64 / time.as_secs_f64(),
        );
    }
    let sum = timed(
        &mut sim,
        "select sum(m.duration_ms) as n from gateway as t cross join unnest(t.metadata) as m",
        |row| {
            let expected: usize = (0..STRETCHES * stretch).map(|number| number % 1000).sum();
            assert_eq!(row["n"].as_u64(), Some(expected as u64), "events are what was sent");
        },
    );
    println!("no event of {} was lost or doubled; their sum took {sum:.1?}", STRETCHES * stretch);
}

/// Time to send these events; some are sent twice.
fn stretch_of(sim: &mut Simulator, token: &str, first: usize, last: usize) -> Duration {
    let begun = Instant::now();
    for (number, start) in (first..last).step_by(BATCH).enumerate() {
        send(sim, token, start..start + BATCH);
        if number % SENT_AGAIN == 0 {
            send(sim, token, start..start + BATCH);
        }
        sim.advance(Duration::from_millis(100));
    }
    begun.elapsed()
}

/// Time of the query; only the first of its rows is checked.
fn timed(
    sim: &mut Simulator,
    sql: &str,
    look: impl Fn(&serde_json::Map<String, serde_json::Value>),
) -> Duration {
    let begun = Instant::now();
    let rows = sim.call(RunQuery::sql(sql)).unwrap_or_else(|error| panic!("{sql}: {error}")).result;
    let time = begun.elapsed();
    look(rows.first().expect("a row"));
    time
}
