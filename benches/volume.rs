//! `volume [EVENTS]`: the memory that a million events take, or that many, charts over them, and memory at the bound of a source.
//! Each figure stands beside that of the raw rows in SQLite, in the same run.

use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use sim_core::Simulator;
use sim_core::analytics::query::RunQuery;

use crate::analytics::{BATCH, raw, send, world_under};
use crate::memory::resident;

const EVENTS: usize = 1_000_000;

/// Runs of each query; the fastest counts.
const RUNS: usize = 5;

/// The journal keeps its calls beside the events; this much of it, so that the events are what is measured.
const JOURNAL_BYTES: u64 = 1 << 20;

/// The word after `volume` with which the program runs itself.
const ROWS_ALONE: &str = "rows";

pub(crate) fn run(words: &[String]) {
    if let [word, count] = words
        && word == ROWS_ALONE
    {
        return print_memory_of_rows(count);
    }
    let events = words.first().map(String::as_str);
    let wanted = events.map_or(EVENTS, |text| text.parse().expect("volume: how many events, as a number"));
    let wanted = wanted.div_ceil(BATCH) * BATCH;
    let before = memory();
    let (mut sim, token) = world_under(|policy| policy.journal_bytes = JOURNAL_BYTES);
    let begun = Instant::now();
    fill(&mut sim, &token, 0, wanted);
    let rate = wanted as f64 / begun.elapsed().as_secs_f64();
    let own = memory() - before;
    let charts: Vec<_> = CHARTS
        .iter()
        .map(|(_, text, _)| fastest(|| drop(sim.call(RunQuery::sql(text)).expect("it runs"))))
        .collect();
    drop(sim);
    let theirs = memory_of_rows(wanted);
    let rows = raw(wanted);
    println!(
        "{wanted} events, {rate:.0} events/s\n\n| what | here | rows in SQLite | ratio |\n|---|---|---|---|"
    );
    println!("| memory, MB | {:.0} | {:.0} | {:.2} |", own / 1e6, theirs / 1e6, own / theirs);
    for ((what, _, sql), time) in CHARTS.iter().zip(charts) {
        let plain = fastest(|| count_rows(&rows, sql));
        let ratio = time.as_secs_f64() / plain.as_secs_f64();
        println!("| {what} | {time:.1?} | {plain:.1?} | {ratio:.2} |");
    }
    drop(rows);
    bounded(wanted);
}

/// The memory that raw rows take, measured in a process of its own: here they would use memory that the events have freed.
fn memory_of_rows(count: usize) -> f64 {
    let program = std::env::current_exe().expect("the program has a path");
    let output = Command::new(program).args(["volume", ROWS_ALONE, &count.to_string()]).output();
    let output = output.expect("the program runs").stdout;
    String::from_utf8_lossy(&output).trim().parse().expect("it prints a number")
}

fn print_memory_of_rows(count: &str) {
    let before = memory();
    let rows = raw(count.parse().expect("a number of rows"));
    println!("{:.0}", memory() - before);
    drop(rows);
}

/// What, the query here, and the same for the rows.
const CHARTS: [(&str, &str, &str); 3] = [
    (
        "counts by minute",
        "select timestamp_trunc(timestamp, minute) as m, count(*) as n from gateway group by m order by m desc limit 1000",
        "select timestamp / 60000000 as m, count(*) from events group by m order by m desc limit 1000",
    ),
    (
        "counts by hour",
        "select timestamp_trunc(timestamp, hour) as m, count(*) as n from gateway group by m order by m",
        "select timestamp / 3600000000 as m, count(*) from events group by m order by m",
    ),
    (
        "counts by minute of an hour",
        "select timestamp_trunc(timestamp, minute) as m, count(*) as n from gateway
         where timestamp >= timestamp '2025-12-31 23:00:00' group by m order by m",
        "select timestamp / 60000000 as m, count(*) from events where timestamp >= 1767222000000000 group by m order by m",
    ),
];

/// A tenth of the events fits: after that memory stays as it is.
fn bounded(wanted: usize) {
    let bound = (wanted / 10).max(BATCH);
    let (mut sim, token) = world_under(|policy| {
        policy.journal_bytes = JOURNAL_BYTES;
        policy.analytics.source_events = bound as i64;
    });
    println!("\nAt most {bound} events:\n\n| sent | kept | memory, MB |\n|---|---|---|");
    for part in 1..=4 {
        fill(&mut sim, &token, (part - 1) * bound, part * bound);
        let kept = sim.call(RunQuery::sql("select count(*) as n from gateway")).expect("it runs").result;
        println!("| {} | {} | {:.0} |", part * bound, kept[0]["n"], memory() / 1e6);
    }
}

fn fill(sim: &mut Simulator, token: &str, first: usize, last: usize) {
    (first..last).step_by(BATCH).for_each(|start| send(sim, token, start..start + BATCH));
}

fn memory() -> f64 {
    resident(std::process::id()).unwrap_or_default()
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let time = || {
        let begun = Instant::now();
        run();
        begun.elapsed()
    };
    std::iter::repeat_with(time).take(RUNS).min().expect("it ran")
}

fn count_rows(rows: &Connection, sql: &str) {
    let mut statement = rows.prepare(sql).expect("it is SQL");
    let counts = statement.query_map((), |row| row.get::<_, i64>(1)).expect("it runs");
    assert!(counts.map(|count| count.expect("a number")).sum::<i64>() > 0);
}
