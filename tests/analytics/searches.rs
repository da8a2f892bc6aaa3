//! The search language, case by case: as a query of a source, and as the filter of a rule.

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::analytics::ingest::Ingest;
use sim_fixtures::Api;
use sim_fixtures::analytics::{self, GATEWAY};

use crate::support::on_every_backend;

const REFUSED: &str = include_str!("refused_searches.txt");

/// Searches, each with the ids of the events that it finds.
const SEARCHES: &str = include_str!("searches.txt");

fn events() -> Value {
    let at = |second: u32| format!("2026-01-01T00:00:{second:02}Z");
    json!([
        { "id": "s1", "timestamp": at(0), "message": "GET /a 200", "metadata": {
            "level": "info", "status": 200, "ms": 12.5, "path": "/a", "user": { "name": "Ann Lee", "id": 7 },
            "tags": ["web", "eu"], "ok": true } },
        { "id": "s2", "timestamp": at(1), "message": "POST /b 500", "metadata": {
            "level": "error", "status": 500, "ms": 903, "path": "/b", "user": { "name": "Bob" }, "tags": ["web"],
            "ok": false } },
        { "id": "s3", "timestamp": at(2), "message": "slow query", "metadata": {
            "level": "warning", "ms": 2500, "sql": "select 1" } },
        { "id": "s4", "timestamp": at(3), "message": "it's \"quoted\"", "metadata": {
            "level": "debug", "items": [{ "sku": "x1", "qty": 2 }, { "sku": "x2", "qty": 10 }] } },
        { "id": "s5", "timestamp": "2025-12-31T23:30:00Z", "message": "boot", "metadata": {
            "level": "notice", "host": "db-1" } },
        { "id": "s6", "timestamp": "2025-12-01T12:00:00Z", "message": "december", "metadata": {
            "level": "critical", "status": 404 } },
        { "id": "s7", "timestamp": at(4), "message": "plain", "project": "default" },
        { "id": "s8", "timestamp": at(5), "message": "get /A", "metadata": { "level": "info", "path": "/A/b c" } },
    ])
}

fn world() -> Simulator {
    let mut sim = analytics::one_source();
    sim.call(Ingest::json(GATEWAY, &events())).expect("good events");
    sim
}

fn cases() -> Vec<(&'static str, &'static str)> {
    let case = |line: &'static str| line.rsplit_once('|').expect("a search and its ids");
    SEARCHES.lines().map(case).map(|(search, ids)| (search.trim(), ids.trim())).collect()
}

fn ids(rows: &Value) -> String {
    let mut ids: Vec<_> =
        rows.as_array().into_iter().flatten().filter_map(|row| row["id"].as_str()).collect();
    ids.sort_unstable();
    ids.join(" ")
}

#[test]
fn searches_find_what_they_mean() {
    assert!(cases().len() >= 150, "{}", cases().len());
    on_every_backend(world, |api| {
        let mut wrong = Vec::new();
        for (search, expected) in cases() {
            let query = format!("f:gateway s:id {search}");
            let made =
                api.post("/api/endpoints", json!({ "name": "search", "query": query, "language": "lql" }));
            assert_eq!(made.status, 201, "{search}: {made}");
            let token = made.json()["token"].as_str().expect("a token").to_owned();
            let found = api.get(&format!("/api/endpoints/query/{token}")).json();
            if ids(&found["result"]) != expected {
                wrong.push(format!("{search}: {found}, not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn rules_copy_what_searches_find() {
    on_every_backend(analytics::one_source, |api| {
        let id = api.get(&format!("/api/sources/{GATEWAY}")).json()["id"].clone();
        let mut sinks = Vec::new();
        for (number, (search, _)) in cases().iter().enumerate() {
            let sink =
                api.post("/api/sources", json!({ "name": format!("sink {number}") })).json()["token"].clone();
            let rule = json!({ "source_id": id, "sink": sink, "lql_string": search });
            let made = api.post("/api/rules", rule);
            assert_eq!(made.status, 201, "{search}: {made}");
            sinks.push(sink.as_str().expect("a token").to_owned());
        }
        assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), events()).status, 200);
        for ((search, expected), sink) in cases().into_iter().zip(sinks) {
            let copied = api.get(&format!("/api/sources/{sink}/recent")).json();
            assert_eq!(ids(&copied), expected, "{search}");
        }
    });
}

/// Filters with operands of many forms. Rules and searches share no code that compares.
const FORMS: [&str; 58] = [
    "m.n:1",
    "m.n:1.0",
    "m.n:=1.00",
    "m.n:1e2",
    "m.n:100.0",
    "m.f:2.5",
    "m.f:2.50",
    "m.f:>2",
    "m.f:<=2.5",
    "m.n:>9999999999999999999",
    "m.n:<9999999999999999999",
    "m.n:-5",
    "m.n:>-5.5",
    "m.n:-5..1",
    "m.n:-5.5..1.0",
    "m.n:0.5..1e2",
    "m.s:10",
    "m.s:10.0",
    "m.s:>9",
    "m.s:>9.5",
    "m.s:<9",
    "m.s:5..20",
    "m.s:>a",
    "m.s:<b",
    "m.s:a..c",
    "m.n:>a",
    "m.n:<a",
    "m.s:\"10\"",
    "m.n:\"1\"",
    "m.n:007",
    "m.n:+1",
    "m.ok:true",
    "m.ok:>a",
    "m.ok:>0",
    "m.at:2026-01-01T00:00:00Z",
    "m.at:>2025-12-31T00:00:00Z",
    "m.at:<2025-12-31T00:00:00Z",
    "m.at:2025-01-01T00:00:00Z..2026-02-01T00:00:00Z",
    "m.at:>2025-12-31",
    "m.l:>2",
    "m.l:@>2",
    "m.l:@>2.0",
    "m.l:@>x",
    "m.o:>1",
    "m.o.a:1.0",
    "m.o.a:>0.5",
    "m.o:~a",
    "m.l:~2",
    "id:1",
    "id:>1",
    "id:1.0",
    "id:>a",
    "event_message:>5",
    "event_message:10",
    "event_message:>a",
    "-m.n:1.0",
    "-m.s:>9",
    "m.n:~^1",
];

#[test]
fn rules_and_searches_compare_alike() {
    let events = json!([
        { "id": "1", "message": "10", "metadata": { "n": 1, "s": "10", "at": 1_767_225_600_000_000_i64 } },
        { "id": "2", "message": "b", "metadata": { "n": 100, "f": 2.5, "s": "b", "at": "2026-01-01T00:00:00Z" } },
        { "id": "c", "message": "4", "metadata": { "n": -5, "s": "9.0", "ok": true, "l": [1, 2, 3] } },
        { "id": "d", "metadata": { "n": 1.0, "s": " 7 ", "ok": false, "o": { "a": 1 }, "l": ["x", "10"] } },
        { "id": "e", "metadata": { "n": 1e20, "f": -2.5, "s": "1e2", "o": [{ "a": 2.0 }] } },
    ]);
    let known = [
        ("m.n:1.0", "1 d"),
        ("m.f:2.50", "2"),
        ("m.n:1e2", "2"),
        ("m.s:>9", "1 e"),
        ("m.s:5..20", "1 c d"),
        ("m.s:10.0", ""),
        ("m.n:>9999999999999999999", "e"),
    ];
    on_every_backend(analytics::one_source, |api| {
        let id = api.get(&format!("/api/sources/{GATEWAY}")).json()["id"].clone();
        let mut sinks = Vec::new();
        for (number, search) in FORMS.iter().enumerate() {
            let sink =
                api.post("/api/sources", json!({ "name": format!("sink {number}") })).json()["token"].clone();
            let made = api.post("/api/rules", json!({ "source_id": id, "sink": sink, "lql_string": search }));
            let query = format!("f:gateway s:id {search}");
            let asked =
                api.post("/api/endpoints", json!({ "name": search, "query": query, "language": "lql" }));
            assert_eq!(made.status == 201, asked.status == 201, "{search}: {made} {asked}");
            sinks.push((made.status == 201).then(|| (sink, asked.json()["token"].clone())));
        }
        let sent = api.post(&format!("/api/logs?source={GATEWAY}"), events.clone());
        assert_eq!(sent.status, 200, "{sent}");
        let mut wrong = Vec::new();
        for (search, sink) in FORMS.into_iter().zip(sinks) {
            let Some((sink, token)) = sink else { continue };
            let copied =
                api.get(&format!("/api/sources/{}/recent", sink.as_str().unwrap_or_default())).json();
            let found =
                api.get(&format!("/api/endpoints/query/{}", token.as_str().unwrap_or_default())).json();
            let expected = known.iter().find(|(known, _)| *known == search).map(|(_, ids)| (*ids).to_owned());
            if found["error"] != Value::Null
                || ids(&copied) != ids(&found["result"])
                || expected.is_some_and(|expected| expected != ids(&copied))
            {
                wrong.push(format!("{search}: a rule {:?}, a search {found}", ids(&copied)));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn a_search_of_an_endpoint_reads_tables_without_some_columns() {
    on_every_backend(world, |api| {
        let query = "with a as (select id, timestamp, event_message from gateway), b as (select id from a), \
                     c as (select event_message, id from a) select count(*) as n from b";
        let made = api.post("/api/endpoints", json!({ "name": "e", "query": query, "sandboxable": true }));
        assert_eq!(made.status, 201, "{made}");
        for (table, columns) in [("a", "timestamp id event_message"), ("b", "id"), ("c", "id event_message")]
        {
            let found = api.get(&format!("/api/endpoints/query/e?lql=f:{table}%20id:s1")).json();
            let row =
                found["result"][0].as_object().map(|row| row.keys().cloned().collect::<Vec<_>>().join(" "));
            assert_eq!(row.as_deref(), Some(columns), "{table}: {found}");
        }
        let lost = api.get("/api/endpoints/query/e?lql=f:b%20c:count(*)").json();
        assert_eq!(lost["error"], "Field \"t.timestamp\" does not exist.", "{lost}");
    });
}

/// Searches that mean nothing, each with a part of the reason.
fn refused() -> Vec<(&'static str, &'static str)> {
    let case = |line: &'static str| line.split_once('¦').expect("a search and a reason");
    REFUSED.lines().map(case).map(|(search, reason)| (search.trim(), reason.trim())).collect()
}

/// Each place that takes a search, with its answer to one that means nothing: a status, and the text that names the reason.
fn places(api: &mut dyn Api, sink: &Value, search: &str) -> Vec<(&'static str, u16, Value)> {
    let source = api.get(&format!("/api/sources/{GATEWAY}")).json()["id"].clone();
    let encoded = url_encoded(search);
    let rule = json!({ "source_id": source, "sink": sink, "lql_string": search });
    let endpoint = json!({ "name": "found", "query": format!("f:gateway {search}"), "language": "lql" });
    let found = |reply: sim_fixtures::Reply| (reply.status, reply.json());
    let mut replies = vec![
        ("a rule", found(api.post("/api/rules", rule.clone()))),
        ("rules at once", found(api.post("/api/rules", json!([rule])))),
        ("an endpoint", found(api.post("/api/endpoints", endpoint))),
        (
            "a filter of a source",
            found(api.patch(&format!("/api/sources/{GATEWAY}"), json!({ "drop_lql_string": search }))),
        ),
        ("events", found(api.get(&format!("/_sim/sources/{GATEWAY}/events?search={encoded}")))),
        ("volume", found(api.get(&format!("/_sim/sources/{GATEWAY}/volume?search={encoded}")))),
    ];
    let (status, answer) = found(api.get(&format!("/api/endpoints/query/sandbox?lql={encoded}")));
    replies.push(("a sandboxed endpoint", (if status == 200 { 400 } else { status }, answer)));
    replies.into_iter().map(|(place, (status, answer))| (place, status, answer)).collect()
}

/// The token of a second source.
fn sink(api: &mut dyn Api) -> Value {
    api.post("/api/sources", json!({ "name": "sink" })).json()["token"].clone()
}

fn url_encoded(text: &str) -> String {
    let digit = |number: u8| char::from_digit(number.into(), 16).expect("a digit of sixteen");
    text.bytes().flat_map(|byte| ['%', digit(byte >> 4), digit(byte & 15)]).collect()
}

#[test]
fn searches_that_mean_nothing_are_refused_wherever_they_come_in() {
    assert!(refused().len() >= 120, "{}", refused().len());
    on_every_backend(analytics::one_source, |api| {
        let sandbox = json!({
            "name": "sandbox", "query": "with logs as (select t.id, t.timestamp, t.event_message, t.metadata from gateway as t) select id from logs",
            "sandboxable": true, "cache_duration_seconds": 0,
        });
        assert_eq!(api.post("/api/endpoints", sandbox).status, 201);
        let sink = sink(api);
        let mut wrong = Vec::new();
        for (search, reason) in refused() {
            for (place, status, answer) in places(api, &sink, search) {
                // The last two texts of the place depend on what stands before the search.
                let reason = reason.split(" (at").next().unwrap_or_default().split("at character").next();
                let said = answer.to_string().replace("\\\"", "\"").contains(reason.unwrap_or_default());
                let names_the_place = answer.to_string().contains("at character ");
                if !(400..=422).contains(&status) || !said || !names_the_place {
                    wrong.push(format!("{place}: {search}: {status} {answer}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn the_refusal_of_a_search_names_the_word_and_its_place() {
    on_every_backend(analytics::one_source, |api| {
        let sink = sink(api);
        for (search, reason) in refused().into_iter().filter(|(_, reason)| reason.contains("at character")) {
            let body = json!({ "source_id": 1, "sink": sink, "lql_string": search });
            let reply = api.post("/api/rules", body).json();
            let said = reply["errors"]["lql_string"][0].as_str().unwrap_or_default().to_owned();
            assert!(said.contains(reason), "{search}: {said}");
        }
    });
}

#[test]
fn clauses_of_a_query_that_mean_nothing_are_refused() {
    on_every_backend(analytics::one_source, |api| {
        for (clauses, reason) in [
            ("f:", "a value is missing"),
            ("f:gateway f:gateway", "a search has this once"),
            ("f:\"a\"b", "quotation marks must be round the whole text"),
            ("f:gateway s:", "is no path of a field"),
            ("f:gateway s:m..x", "a name is missing beside a dot"),
            ("f:gateway s:m.x,m.y", "is no path of a field"),
            ("f:gateway s:m.x@", "a name is missing after @"),
            ("f:gateway s:m.x@1a", "begins with no digit"),
            ("f:gateway s:m.x@a@b", "a name has letters"),
            ("f:gateway s:id s:id", "the field is selected twice"),
            ("f:gateway s:id c:count(*)", "a search selects fields or charts, not both"),
            ("f:gateway c:group_by(t::minute) s:id", "a search selects fields or charts, not both"),
            ("f:gateway c:", "a chart is count(*)"),
            ("f:gateway c:count", "a chart is count(*)"),
            ("f:gateway c:count(*", "a chart is count(*)"),
            ("f:gateway c:count()", "is no path of a field"),
            ("f:gateway c:avg(*)", "is no path of a field"),
            ("f:gateway c:avg(m.x))", "is no path of a field"),
            ("f:gateway c:median(m.x)", "a chart is count(*)"),
            ("f:gateway c:count(*) c:avg(m.x)", "a search has this once"),
            ("f:gateway c:group_by(t::minute) c:group_by(t::hour)", "a search has this once"),
            ("f:gateway c:group_by(t::week)", "groups are t::second"),
            ("f:gateway c:group_by(m.x::minute)", "groups are t::second"),
            ("f:gateway c:group_by(t)", "groups are t::second"),
            ("f:gateway -s:id", "only filters are read here"),
            ("f:gateway -c:count(*)", "only filters are read here"),
        ] {
            let body = json!({ "name": "x", "query": clauses, "language": "lql" });
            let reply = api.post("/api/endpoints", body);
            let said = reply.json()["errors"]["query"][0].as_str().unwrap_or_default().to_owned();
            assert!(reply.status == 422 && said.contains(reason), "{clauses}: {reply}");
            assert!(said.contains("at character "), "{clauses}: {said}");
        }
    });
}
