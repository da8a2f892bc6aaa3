//! Fuzz targets. Each is a function of bytes that panics if an invariant breaks:
//!
//! - nothing panics, no response is a 5xx, every refusal has its reason;
//! - a refused call has changed nothing;
//! - statements end at their limit, and unpacking has a limit.
//!
//! `fuzz/` runs the targets under coverage guidance; on any toolchain they run with [`mutated`] bytes.
//!
//! ```
//! use sim_fixtures::fuzz;
//!
//! fuzz::cidr(b"10.0.0.0/8\n::/0\nnonsense");
//! assert!(fuzz::TARGETS.iter().any(|target| target.name == "cidr"));
//! ```

mod grow;
mod mutate;
mod nested;

use std::cell::OnceCell;
use std::path::Path;

use bytes::Bytes;
use http::{Method, Request};
use serde_json::json;
use sim_core::engine::Body;
use sim_core::seed::Seed;
use sim_core::{Policy, RateLimit, Replay, Simulator, management};

use crate::analytics::{self, GATEWAY};
use crate::api::{Api as _, Call, InProcess, Reply};
use crate::scenario::{self, Scene};
use crate::strategies::{Ask, What, Who, encoded};

use nested::grown;

pub use mutate::mutated;
pub use nested::RECIPE;

/// A fuzz target and the name of its corpus.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Panics if an invariant breaks.
    pub run: fn(&[u8]),
}

/// All targets except [`disk`], which needs a function that opens a directory.
pub const TARGETS: &[Target] = &[
    Target { name: "http", run: http },
    Target { name: "json", run: json },
    Target { name: "multipart", run: multipart },
    Target { name: "saml", run: saml },
    Target { name: "cidr", run: cidr },
    Target { name: "sql", run: sql },
    Target { name: "json_path", run: json_path },
    Target { name: "warehouse_sql", run: warehouse_sql },
    Target { name: "postgres_sql", run: postgres_sql },
    Target { name: "lql", run: lql },
    Target { name: "ingest", run: ingest },
    Target { name: "seed", run: seed },
    Target { name: "replay", run: replay },
    Target { name: "state", run: state },
    Target { name: "cron", run: cron },
    Target { name: "glob", run: glob },
];

/// The targets that accept such inputs.
pub const GROWING: &[&str] = &["sql", "json_path", "warehouse_sql", "postgres_sql"];

/// An input that chooses a text with deep nesting or long repetition.
///
/// ```
/// use sim_fixtures::fuzz::{choice, json_path};
///
/// assert_eq!(choice(7), choice(7));
/// json_path(&choice(7));
/// ```
pub fn choice(chance: u64) -> Vec<u8> {
    let mut dice = crate::strategies::Dice::new(chance);
    std::iter::once(RECIPE).chain((0..16).map(|_| dice.below(256) as u8)).collect()
}

/// The text that such an input becomes for a target, to show to people.
pub fn chosen_text(target: &str, input: &[u8]) -> String {
    match target {
        "sql" => text_of(&grow::SQL, input),
        "json_path" => text_of(&grow::JSON_PATH, input),
        _ => text_of(&grow::EVENTS, input),
    }
}

/// Longer inputs find nothing that shorter ones don't.
const LONGEST: usize = 16 << 10;

/// Small limits, so that an input reaches them quickly.
fn policy() -> Policy {
    Policy {
        rate_limit: RateLimit::off(),
        max_body_bytes: 256 << 10,
        sql_steps: 200_000,
        sql_result_bytes: 1 << 20,
        function_bytes: 64 << 10,
        ..Policy::default()
    }
}

thread_local! {
    static PROJECT: OnceCell<Scene> = const { OnceCell::new() };
    static EVENTS: OnceCell<Scene> = const { OnceCell::new() };
    static HISTORY: OnceCell<(Simulator, Vec<u8>)> = const { OnceCell::new() };
}

/// A fresh world with an active project.
fn project() -> InProcess {
    PROJECT.with(|scene| forked(scene.get_or_init(|| scenario::active_project_under(policy()))))
}

/// A fresh world of the analytics server, with a source that has an event.
fn events() -> InProcess {
    EVENTS.with(|scene| {
        forked(scene.get_or_init(|| {
            let mut here = InProcess::new(analytics::one_source_under(policy()));
            let event = json!({ "message": "GET /a", "n": 1, "metadata": { "status": 200, "list": ["a"] } });
            assert_eq!(here.post(&format!("/api/logs?source={GATEWAY}"), event).status, 200);
            Scene::from(crate::api::peek(&mut here, |sim| sim.fork()))
        }))
    })
}

fn forked(scene: &Scene) -> InProcess {
    InProcess::new(Scene { sim: scene.sim.fork(), project: scene.project.clone() })
}

/// Sends `call` and checks what every response must satisfy.
fn held(here: &mut InProcess, call: Call) -> Reply {
    let project = here.project();
    let first = crate::api::peek(here, |sim| sim.token().to_owned());
    holds(here, call.request(&project, Some(&first)))
}

fn holds(here: &mut InProcess, request: Request<Bytes>) -> Reply {
    let before = crate::api::peek(here, |sim| sim.snapshot());
    let asked = format!("{} {}", request.method(), request.uri());
    let reply = here.exchange(request);
    // A database that can't be reached, and logs that are not kept.
    assert!(reply.status < 500 || [503, 544].contains(&reply.status), "{asked}: {reply}");
    // If some events of a delivery are invalid, the valid ones are kept and the rejected ones are counted.
    if reply.status >= 400 && !["events_rejected", "events_ahead"].contains(&reply.reason()) {
        assert!(!reply.reason().is_empty(), "{asked}: no reason for {reply}");
        let after = crate::api::peek(here, |sim| sim.snapshot());
        assert!(after.has_rows_of(&before), "{asked}: refused, and yet something changed: {reply}");
    }
    reply
}

/// Reads an input as a text. After a first byte [`RECIPE`], the other bytes choose a generated text.
fn text_of(language: &grow::Language, data: &[u8]) -> String {
    match data {
        [RECIPE, choices @ ..] => language.text(choices),
        data => text(data),
    }
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(&data[..data.len().min(LONGEST)]).into_owned()
}

/// A request: a line of method and target, lines of headers, an empty line, a body. It goes to a world that
/// has projects and to a world that has events. Bytes that are not valid HTTP are skipped: the core never
/// sees them.
pub fn http(data: &[u8]) {
    let end = data.windows(2).position(|two| two == b"\n\n");
    let (head, body) = end.map_or((data, &data[..0]), |end| (&data[..end], &data[end + 2..]));
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let mut words = lines.next().unwrap_or_default().split(' ');
    let method = words.next().and_then(|word| word.parse::<Method>().ok());
    let (Some(method), Some(target)) = (method, words.next()) else { return };
    for mut here in [project(), events()] {
        let target = target.replace("{ref}", &here.project()).replace("{source}", GATEWAY);
        let mut request = Request::builder().method(method.clone()).uri(target);
        for (name, value) in lines.clone().filter_map(|line| line.split_once(':')) {
            request = request.header(name.trim(), value.trim());
        }
        let Ok(request) = request.body(Bytes::copy_from_slice(body)) else { return };
        if request.uri().path().starts_with('/') {
            holds(&mut here, request);
        }
    }
}

/// A JSON body: the first byte selects the operation.
pub fn json(data: &[u8]) {
    let Some((which, body)) = data.split_first() else { return };
    let takes_json = |what: &What| {
        matches!(
            what.meta().body,
            Body::Fields | Body::Field(_) | Body::FieldsOrBytes(_) | Body::FieldsOrList(_)
        )
    };
    let all: Vec<What> = What::one_of_each().into_iter().filter(takes_json).collect();
    let mut here = project();
    let names = crate::strategies::Names::of_cast(&here.project());
    let what = all[usize::from(*which) % all.len()].clone();
    let mut call = Ask { who: Who::Token(0), what, wrong: None }.call(&names);
    call.headers.clear();
    let reply = held(&mut here, call.bytes("application/json", grown(body, nested::JSON).into_owned()));
    assert!(reply.status < 400 || reply.body.len() < 100_000, "a refusal of {} bytes", reply.body.len());
}

/// A multipart form with files, as for deploying a function. The boundary is `x`.
pub fn multipart(data: &[u8]) {
    let call = Call::post("/v1/projects/{ref}/functions/deploy?slug=hello");
    held(&mut project(), call.bytes("multipart/form-data; boundary=x", data.to_vec()));
}

/// The metadata of an identity provider.
pub fn saml(data: &[u8]) {
    let text = String::from_utf8_lossy(&grown(data, nested::SAML)).into_owned();
    let body = json!({ "type": "saml", "metadata_xml": text, "domains": ["example.test"] });
    held(&mut project(), Call::post("/v1/projects/{ref}/config/auth/sso/providers").json(body));
}

/// Networks, one per line.
pub fn cidr(data: &[u8]) {
    let text = text(data);
    let all: Vec<&str> = text.lines().collect();
    let (v6, v4): (Vec<&str>, Vec<&str>) = all.iter().partition(|one| one.contains(':'));
    let path = "/v1/projects/{ref}/network-restrictions/apply";
    let mut here = project();
    held(&mut here, Call::post(path).json(json!({ "dbAllowedCidrs": v4, "dbAllowedCidrsV6": v6 })));
    held(&mut here, Call::post(path).json(json!({ "dbAllowedCidrs": v6, "dbAllowedCidrsV6": v4 })));
    let bans = json!({ "ipv4_addresses": all });
    held(&mut here, Call::delete("/v1/projects/{ref}/network-bans").json(bans));
}

/// Statements for a project's database.
pub fn sql(data: &[u8]) {
    let mut here = project();
    if data.first() == Some(&RECIPE) {
        assert_eq!(held(&mut here, queried(grow::SQL_PRELUDE)).status, 201);
    }
    held(&mut here, queried(&text_of(&grow::SQL, data)));
}

/// An SQL/JSON path, applied to a document with values of every kind.
pub fn json_path(data: &[u8]) {
    let path = text_of(&grow::JSON_PATH, data).replace('\'', "''");
    let document = r#"{"a": [1, "b", null, {"a": 2}], "b": {"a": true}}"#;
    held(&mut project(), queried(&format!("select jsonb_path_query('{document}', '{path}')")));
}

fn queried(text: &str) -> Call {
    Call::post("/v1/projects/{ref}/database/query").json(json!({ "query": text }))
}

/// A query in the warehouse's dialect.
pub fn warehouse_sql(data: &[u8]) {
    query("sql", data);
}

/// A query of events in the dialect of PostgreSQL.
pub fn postgres_sql(data: &[u8]) {
    query("pg_sql", data);
}

fn query(language: &str, data: &[u8]) {
    let asked = encoded(&text_of(&grow::EVENTS, data));
    // Targets of requests are no longer than 64 KiB.
    if asked.len() > 60_000 {
        return;
    }
    let mut here = events();
    held(&mut here, Call::get(&format!("/api/query?{language}={asked}")));
    held(&mut here, Call::get(&format!("/api/query/parse?{language}={asked}")));
}

/// A search, used by an endpoint and as the filter of a source.
pub fn lql(data: &[u8]) {
    let text = String::from_utf8_lossy(&grown(data, nested::LQL)).into_owned();
    let mut here = events();
    let endpoint = json!({ "name": "found", "language": "lql", "query": text, "cache_duration_seconds": 0 });
    if held(&mut here, Call::post("/api/endpoints").json(endpoint)).status == 201 {
        held(&mut here, Call::get("/api/endpoints/query/found"));
    }
    let backend = held(
        &mut here,
        Call::post("/api/backends")
            .json(json!({ "name": "b", "type": "otlp", "config": { "endpoint": "http://otlp.test" } })),
    )
    .json();
    let source = here.get("/api/sources").json()[0]["id"].clone();
    let rule = json!({ "lql_string": text, "source_id": source, "backend_id": backend["id"] });
    if held(&mut here, Call::post("/api/rules").json(rule)).status == 201 {
        held(&mut here, Call::post(&format!("/api/logs?source={GATEWAY}")).json(json!({ "message": "a" })));
    }
}

/// When an alert runs.
pub fn cron(data: &[u8]) {
    let cron = String::from_utf8_lossy(&grown(data, nested::CRON)).into_owned();
    let alert = json!({ "name": "a", "query": "select 1 as n from gateway", "cron": cron });
    let mut here = events();
    if held(&mut here, Call::post("/api/alerts").json(alert)).status == 201 {
        here.advance(std::time::Duration::from_secs(86_400));
    }
}

/// The path of a fault rule, in which `*` is any text; then a call that it may be for.
pub fn glob(data: &[u8]) {
    let path = String::from_utf8_lossy(&grown(data, nested::GLOB)).into_owned();
    let rule = json!({ "on": { "path": format!("/v1/{path}") }, "times": 0, "effect": { "kind": "empty" } });
    let mut here = project();
    if held(&mut here, Call::post("/_sim/faults").json(rule)).status == 201 {
        here.send(Call::get(&format!("/v1/{}", "a".repeat(2000))));
    }
}

/// Routes of events: their sources and destinations.
const WAYS: [(&str, &str, &str); 19] = [
    ("", "application/json", ""),
    ("", "application/x-ndjson", ""),
    ("", "application/json", "gzip"),
    ("/json", "application/json", ""),
    ("/pipeline", "application/json", ""),
    ("/edge", "application/json", ""),
    ("/cloud-event", "application/cloudevents+json", ""),
    ("/cloud-event", "application/cloudevents-batch+json", ""),
    ("/typecasts", "application/json", ""),
    ("/deployments", "application/json", ""),
    ("/v1/traces", "application/x-protobuf", ""),
    ("/v1/metrics", "application/x-protobuf", ""),
    ("/v1/logs", "application/x-protobuf", ""),
    ("/v1/logs", "application/x-protobuf", "gzip"),
    ("/browser/reports", "application/reports+json", ""),
    ("/erlang", "application/json", ""),
    ("", "application/json", "zstd"),
    ("", "application/json", "br"),
    ("/v1/traces", "application/json", ""),
];

/// Events: the first byte selects the format, the rest is the body.
pub fn ingest(data: &[u8]) {
    let Some((way, body)) = data.split_first() else { return };
    let (path, content_type, encoding) = WAYS[usize::from(*way) % WAYS.len()];
    let call = Call::post(&format!("/api/logs{path}?source={GATEWAY}")).bytes(content_type, body.to_vec());
    let call = if encoding.is_empty() { call } else { call.header("content-encoding", encoding) };
    let mut here = events();
    held(&mut here, call);
    // Whatever was ingested, queries still work.
    assert_eq!(here.get("/api/query?sql=select+count(*)+as+n+from+gateway").status, 200);
}

/// A seed file: if it is accepted, its world can be exported and built again.
pub fn seed(data: &[u8]) {
    let Ok(seed) = Seed::parse(&String::from_utf8_lossy(&grown(data, nested::SEED))) else { return };
    // An accepted seed may take long, for example a year of daily backups; that is not a defect.
    if seed.calls.len() > 50 || text(data).contains("advance") {
        return;
    }
    let Ok(sim) = seed.build() else { return };
    let Ok(exported) = sim.export() else { return };
    let again = exported.build().unwrap_or_else(|error| panic!("an export is a seed: {}", error.message));
    assert_eq!(again.journal_hash(), sim.journal_hash());
}

/// A replay file: it runs to its end or to its first difference. After that its calls can be made whatever
/// their results are.
pub fn replay(data: &[u8]) {
    let nested = data.first() == Some(&RECIPE);
    let data = if nested { grown(data, nested::JSON) } else { data[..data.len().min(4 * LONGEST)].into() };
    let Ok(replay) = serde_json::from_slice::<Replay>(&data) else { return };
    let days = replay.end.duration_since(replay.start).as_hours() / 24;
    let late = replay.calls.iter().any(|call| call.at > replay.end);
    // Years of daily backups take long; that is not a defect.
    if !(0..100).contains(&days)
        || late
        || replay.calls.len() > 20
        || replay.policy.sql_steps > policy().sql_steps
    {
        return;
    }
    drop(replay.run(management::registry()));
    drop(replay.rerun_on(management::registry(), None));
}

/// A world and its history, as the pieces that are kept on disk.
fn history() -> (Simulator, Vec<u8>) {
    let sim = scenario::active_project_under(policy()).sim;
    let whole = sim.snapshot().changes(None).expect("its databases are in it");
    (scenario::with_policy(policy()), whole)
}

/// Edits of the bytes of a world: three bytes each, the place (in 65536ths) and the new byte. Checksums are
/// checked elsewhere, so the bytes read here are either refused or make a world, and nothing panics.
pub fn state(data: &[u8]) {
    HISTORY.with(|history| {
        let (beginning, whole) = history.get_or_init(self::history);
        // The opening and the index are text; edited pages are read only behind a checksum.
        let mut lines = whole.splitn(3, |byte| *byte == b'\n');
        let text = lines.by_ref().take(2).map(|line| line.len() + 1).sum::<usize>();
        let mut bytes = edited(&whole[..text], data);
        bytes.extend_from_slice(&whole[text..]);
        let mut world = beginning.fork();
        drop(world.follow(&bytes).and_then(|()| world.take_up()));
    });
}

/// The log of a directory of worlds, edited in the same way. `open` finds the world as it was after some of
/// its calls and returns their number, or it returns an error.
pub fn disk(data: &[u8], log: &Path, good: &[u8], open: &dyn Fn() -> Result<u64, String>) {
    std::fs::write(log, edited(good, data)).expect("the directory is there");
    match open() {
        Ok(calls) => assert!(calls <= 4, "{calls} calls were never made"),
        Err(text) => assert!(text.contains(&log.display().to_string()), "{text} names no file"),
    }
}

/// `bytes` with `edits` applied; one edit in three truncates them.
fn edited(bytes: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for edit in edits.chunks_exact(3).take(64) {
        let at = usize::from(u16::from_be_bytes([edit[0], edit[1]])) * bytes.len() / 65536;
        match edit[2] {
            0 => bytes.truncate(at),
            other => bytes[at] ^= other,
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Texts that random mutation would take long to find.
pub const WORDS: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1e309",
    "9223372036854775807",
    "\u{0}",
    "\u{feff}",
    "''",
    "\"\"",
    "[]",
    "{}",
    "[[[[",
    "select",
    " from ",
    " where ",
    " union all ",
    "with recursive r as (",
    "::numeric",
    "::interval",
    "$$",
    "--",
    "/*",
    ";",
    "(((((((((((((((((((((((((((((((((",
    "/33",
    "/129",
    "::",
    "10.0.0.0/8",
    "<!ENTITY x \"y\">",
    "<![CDATA[",
    "--x\r\n",
    "--x--\r\n",
    "content-disposition: form-data; name=\"file\"; filename=\"..\"\r\n\r\n",
    "{ref}",
    "/v1/projects/{ref}",
    "/api/logs?source={source}",
    "/_sim/worlds",
    "authorization: Bearer token-of-owner\n",
    "2026-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "unnest(",
    "array_agg(",
    "repeat('x', 1000000000)",
    "generate_series(1, 1000000000)",
    "regexp_contains(",
    "c:group_by(t::minute)",
    "m.a.b:>=",
    "~\"(a+)+$\"",
];
