//! Clients that run hostile SQL all the time, in a world of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;

use super::Load;
use crate::client::Connection;
use crate::race::make_world;

/// Its name.
const WORLD: &str = "hostile";

/// Queries that use as much as they are given: steps, time inside a function, memory, or bytes of an answer.
const QUERIES: [&str; 6] = [
    "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r",
    "select count(*) from generate_series(1, 2000) a, generate_series(1, 2000) b, generate_series(1, 50) c",
    "select count(md5(repeat('x', 1000) || g)) from generate_series(1, 300000) g",
    "select repeat('x', 20000000)",
    "with t as (select array_agg(g) a from generate_series(1, 20000) g) \
     select sum(a[i]) from t, generate_series(1, 20000) i",
    "select count(*) from generate_series(1, 1000000) g where repeat('a', 1000) ~ ('a*a*a*b' || g)",
];

/// Runs the queries until it is `over`; returns the number of answers. The error is a server error, or no answer.
pub(super) fn live(load: &Load, over: &AtomicBool) -> Result<u64, String> {
    if load.hostile == 0 {
        return Ok(0);
    }
    let mut control = Connection::open(load.addr).map_err(|error| error.to_string())?;
    let token = make_world(&mut control, WORLD, load.seed)?;
    let mut ask = |path: &str, body: serde_json::Value| {
        let path = format!("/w/{WORLD}{path}");
        control.ask("POST", &path, &token, &body.to_string()).map_err(|error| error.to_string())?.good()
    };
    let project = json!({ "name": "hostile", "organization_id": "acme", "region": "us-east-1",
                          "db_pass": "correct horse battery" });
    let made = ask("/v1/projects", project)?;
    ask("/_sim/clock/advance", json!({ "ms": 60_000 }))?;
    let path = format!("/w/{WORLD}/v1/projects/{}/database/query", made["id"].as_str().unwrap_or_default());
    let answered = thread::scope(|scope| {
        let run = |first: usize| query(load, over, &path, &token, first);
        let clients: Vec<_> = (0..load.hostile).map(|first| scope.spawn(move || run(first))).collect();
        let answers = clients.into_iter().map(|client| client.join().expect("a client does not panic"));
        answers.sum::<Result<u64, String>>()
    })?;
    let mut control = Connection::open(load.addr).map_err(|error| error.to_string())?;
    let deleted = control.ask("DELETE", &format!("/_sim/worlds/{WORLD}"), "", "");
    deleted.map_err(|error| error.to_string())?.good()?;
    Ok(answered)
}

fn query(load: &Load, over: &AtomicBool, path: &str, token: &str, first: usize) -> Result<u64, String> {
    let broken = |error: std::io::Error| format!("hostile SQL is not answered: {error}");
    let mut connection = Connection::open(load.addr).map_err(broken)?;
    let mut answered = 0;
    for query in QUERIES.iter().cycle().skip(first) {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let answer =
            connection.ask("POST", path, token, &json!({ "query": query }).to_string()).map_err(broken)?;
        if answer.status >= 500 {
            return Err(format!("{query}: {} {}", answer.status, answer.body));
        }
        answered += 1;
    }
    Ok(answered)
}
