//! Random batches of events: queries give the same results as plain Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::analytics::ingest::Ingest;
use sim_core::analytics::query::RunQuery;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::strategies::Dice;

use crate::support::with_events_on_postgres;

/// Worlds in a normal run; set `STUNTDOUBLE_PROPERTY_WORLDS` for more.
const WORLDS: u64 = 40;

/// The seed of the first world; set `STUNTDOUBLE_PROPERTY_SEED` for another. Each further world has the next
/// one.
const SEED: u64 = 1;

/// 2026-01-01T00:00:00Z in microseconds, the start of each world.
const START: i64 = 1_767_225_600_000_000;

#[test]
fn queries_say_of_any_events_what_plain_rust_says() {
    worlds(|seed| Some(checked(analytics::one_source_under(unlimited()), seed)));
}

#[test]
fn queries_on_postgres_say_of_any_events_what_plain_rust_says() {
    worlds(|seed| Some(checked(with_events_on_postgres(analytics::one_source_under(unlimited()))?, seed)));
}

fn unlimited() -> sim_core::Policy {
    let mut policy = sim_core::Policy::default();
    policy.analytics.plan_rates = true;
    policy
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}: must be a number")))
}

/// Checks one world after the other. For a world that differs, its seed alone repeats the failure.
fn worlds(check: impl Fn(u64) -> Option<Result<(), String>>) {
    let (first, count) = (
        number("STUNTDOUBLE_PROPERTY_SEED").unwrap_or(SEED),
        number("STUNTDOUBLE_PROPERTY_WORLDS").unwrap_or(WORLDS),
    );
    for seed in first..first + count {
        let Some(done) = check(seed) else { return };
        if let Err(text) = done {
            panic!(
                "{text}\nagain with STUNTDOUBLE_PROPERTY_SEED={seed} STUNTDOUBLE_PROPERTY_WORLDS=1 \
                 cargo test -p sim-tests analytics::property"
            );
        }
    }
}

/// An event as the plain Rust check sees it.
#[derive(Clone, Debug)]
struct Plain {
    id: String,
    micros: i64,
    message: Option<&'static str>,
    path: Option<&'static str>,
    status: Option<i64>,
    tags: Vec<&'static str>,
}

const MESSAGES: [Option<&str>; 5] =
    [Some("GET /a"), Some("GET /b 100%"), Some("it's \"new\""), Some("日本"), None];
const PATHS: [Option<&str>; 4] = [Some("/a"), Some("/b"), Some("/a/b"), None];
const STATUSES: [Option<i64>; 6] = [Some(200), Some(204), Some(404), Some(500), Some(-1), None];
const TAGS: [&str; 3] = ["x", "y", "z"];

impl Plain {
    fn any(dice: &mut Dice) -> Plain {
        Plain {
            // A small number, so that some repeat.
            id: format!("e{}", dice.below(400)),
            micros: START - dice.below(3 * 3600) as i64 * 1_000_000,
            message: dice.pick(&MESSAGES),
            path: dice.pick(&PATHS),
            status: dice.pick(&STATUSES),
            tags: dice.some(&TAGS, 3),
        }
    }

    fn sent(&self) -> Value {
        let Plain { id, micros, message, path, status, tags } = self;
        json!({
            "id": id, "timestamp": micros, "message": message, "tags": tags,
            "metadata": { "request": { "path": path }, "status": status },
        })
    }
}

/// A world with random events, all of whose queries were compared.
fn checked(mut sim: Simulator, seed: u64) -> Result<(), String> {
    let mut dice = Dice::new(seed);
    let mut stored: BTreeMap<String, Plain> = BTreeMap::new();
    for _ in 0..1 + dice.below(6) {
        let batch: Vec<_> = (0..1 + dice.below(60)).map(|_| Plain::any(&mut dice)).collect();
        let sent: Vec<_> = batch.iter().map(Plain::sent).collect();
        sim.call(Ingest::json(GATEWAY, &json!(sent))).map_err(|error| format!("{error}"))?;
        for event in batch {
            stored.entry(event.id.clone()).or_insert(event);
        }
        compare(&mut sim, &stored, &mut dice)?;
    }
    Ok(())
}

fn compare(sim: &mut Simulator, stored: &BTreeMap<String, Plain>, dice: &mut Dice) -> Result<(), String> {
    let all = || stored.values();
    let (status, path, message) =
        (dice.pick(&[0, 200, 404, 999]), dice.pick(&["/a", "/b"]), dice.pick(&["GET", "%", "'s"]));
    let since = START - dice.below(3 * 3600) as i64 * 1_000_000;
    let joined = "from gateway as t cross join unnest(t.metadata) as m";
    let count = |events: usize| json!([{ "n": events }]);
    let has = |event: &&Plain, text: &str| event.message.is_some_and(|message| message.contains(text));
    let hour = |event: &Plain| event.micros - event.micros.rem_euclid(3_600_000_000);
    let has_metadata = |event: &&Plain| event.path.is_some() || event.status.is_some();
    let rows = [
        ("select count(*) as n from gateway".to_owned(), count(all().count())),
        (
            format!("select count(*) as n {joined} where m.status >= {status}"),
            count(all().filter(|event| event.status.is_some_and(|one| one >= status)).count()),
        ),
        (
            format!("select count(*) as n {joined} where m.status between 200 and 299 or m.status is null"),
            count(all().filter(has_metadata).filter(|event| event.status.is_none_or(|one| (200..300).contains(&one))).count()),
        ),
        (
            format!("select count(*) as n {joined} cross join unnest(m.request) as r where r.path = '{path}'"),
            count(all().filter(|event| event.path == Some(path)).count()),
        ),
        (
            format!("select count(*) as n from gateway where strpos(event_message, '{}') > 0", message.replace('\'', "\\'")),
            count(all().filter(|event| has(event, message)).count()),
        ),
        (
            format!("select count(*) as n from gateway where timestamp > timestamp_micros({since})"),
            count(all().filter(|event| event.micros > since).count()),
        ),
        (
            "select count(*) as n from gateway as t cross join unnest(t.tags) as tag where tag = 'x'".to_owned(),
            count(all().flat_map(|event| &event.tags).filter(|tag| **tag == "x").count()),
        ),
        (
            "select timestamp_trunc(timestamp, hour) as hour, count(*) as n from gateway group by hour order by hour".to_owned(),
            grouped(all().map(hour), |hour, n| json!({ "hour": hour, "n": n })),
        ),
        (
            format!("select m.status as status, count(*) as n {joined} where m.status is not null group by status order by status"),
            grouped(all().filter_map(|event| event.status), |status, n| json!({ "status": status, "n": n })),
        ),
        (
            format!("select r.path as path, sum(m.status) as total, max(m.status) as most {joined} cross join unnest(m.request) as r where m.status is not null group by path order by path"),
            by_path(stored),
        ),
        ("select count(distinct event_message) as n from gateway".to_owned(), {
            count(all().filter_map(|event| event.message).collect::<BTreeSet<_>>().len())
        }),
    ];
    for (text, expected) in rows {
        let rows = sim.call(RunQuery::sql(&text)).map_err(|error| format!("{text}\n{error}"))?.result;
        if json!(rows) != expected {
            let events: Vec<_> = all().map(Plain::sent).collect();
            return Err(format!(
                "{text}\nanswered {}\nexpected {expected}\nof {}",
                json!(rows),
                json!(events)
            ));
        }
    }
    Ok(())
}

fn grouped(keys: impl Iterator<Item = i64>, row: impl Fn(i64, usize) -> Value) -> Value {
    let mut counts = BTreeMap::new();
    keys.for_each(|key| *counts.entry(key).or_insert(0) += 1);
    counts.into_iter().map(|(key, count)| row(key, count)).collect()
}

fn by_path(stored: &BTreeMap<String, Plain>) -> Value {
    let mut groups: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for event in stored.values() {
        if let (Some(path), Some(status)) = (event.path, event.status) {
            let (total, most) = groups.entry(path).or_insert((0, i64::MIN));
            (*total, *most) = (*total + status, status.max(*most));
        }
    }
    let row = |(path, (total, most))| json!({ "path": path, "total": total, "most": most });
    groups.into_iter().map(row).collect()
}
