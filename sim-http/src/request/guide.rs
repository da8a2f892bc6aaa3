//! `/llms.txt`: a short guide for programs and people that know only the address of a server.

use serde_json::{Map, Value};
use sim_core::Simulator;

use crate::control::control_openapi;

/// The part that explains. `{base}` is the address of the server. Tests run its `curl` lines.
const TEXT: &str = r#"# Stuntdouble

A simulator of a project-management API (/v1) and, with --analytics, of its analytics server (/api). It behaves like the service:
same answers, refusals, limits and delays. Nothing leaves this machine. The control API (/_sim) moves the clock, injects faults and
explains answers; it needs no token from this machine.

## Connect

    stuntdouble serve                           # prints URL and token; --deterministic gives the same answers in each run
    stuntdouble exec -- COMMAND                 # runs COMMAND with STUNTDOUBLE_URL and STUNTDOUBLE_TOKEN
    curl {base}/_sim/worlds                     # worlds with their URLs and tokens

## Work

    # Create a project. It is COMING_UP.
    curl --fail-with-body -H "Authorization: Bearer $TOKEN" --json '{"name":"demo","organization_id":"acme","region":"us-east-1","db_pass":"a-password"}' {base}/v1/projects
    # Advance the clock by a minute. The project is ACTIVE_HEALTHY.
    curl --fail-with-body --json '{"ms":60000}' {base}/_sim/clock/advance
    # Lose the answer to the next create. The project is there nevertheless.
    curl --fail-with-body --json '{"on":{"operation":"v1-create-a-project"},"effect":{"kind":"lost_answer"}}' {base}/_sim/faults
    # Make the next restore fail.
    curl --fail-with-body -X PUT --json '{"outcome":"fail"}' {base}/_sim/outcomes/restore
    # Explain the answer to call 1. The header x-sim-call of an answer has its number, x-sim-reason why it was refused.
    curl --fail-with-body -H 'accept: text/plain' {base}/_sim/journal/1/explain
    # Ask the journal in SQL: tables call, event, due, fault, project and more.
    curl --fail-with-body --json '{"sql":"select call, method, target, status, reason from call"}' {base}/_sim/journal/query
    # Copy the world. The copy has a URL and a token of its own.
    curl --fail-with-body --json '{"name":"copy"}' {base}/_sim/fork
    # Compare it with the world main: rows, and answers of the API.
    curl --fail-with-body '{base}/w/copy/_sim/diff?to=main'
    # Reset the world to its start.
    curl --fail-with-body -X POST {base}/_sim/reset

The program has the same: stuntdouble advance 15m, explain 12, fault add lost_answer, outcome restore fail, journal --follow, fork,
diff, state. They read STUNTDOUBLE_URL. stuntdouble tools offers them to a model, by the Model Context Protocol over standard input
and output. To test a client: stuntdouble sweep -- COMMAND injects every fault into every call of it, stuntdouble lens -- COMMAND
measures its use of the rate limit.

A call chooses its world by its token, by the header x-sim-world: NAME, or by the path prefix /w/NAME.

## Documents

- {base}/openapi.json: the simulated API; with ?service=analytics that of the analytics server
- {base}/_sim/openapi.json: the control API, with all fields
- both have an example of each request and answer, and a small document for each tag, as in {base}/_sim/openapi.json?tag=faults
- {base}/dashboard: a page for people

## All control operations
"#;

/// The guide of the server at `base`.
pub(crate) fn text(sim: &Simulator, base: &str) -> String {
    let document = control_openapi(sim);
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths
        .flat_map(|(path, methods)| methods.as_object().into_iter().flat_map(move |all| lines(path, all)));
    let lines: Vec<String> = operations.collect();
    format!("{}\n{}\n", TEXT.replace("{base}", base), lines.join("\n"))
}

/// A line for each operation of a path.
fn lines(path: &str, methods: &Map<String, Value>) -> Vec<String> {
    let line = |(method, operation): (&String, &Value)| {
        Some(format!("- {} {path}: {}", method.to_uppercase(), operation["summary"].as_str()?))
    };
    methods.iter().filter_map(line).collect()
}

/// The guide as a server at `base` serves it at `/llms.txt`.
///
/// ```
/// let guide = sim_http::guide("http://127.0.0.1:8787");
/// assert!(guide.contains("- POST /_sim/clock/advance: Advance the clock"));
/// ```
pub fn guide(base: &str) -> String {
    text(&Simulator::builder().build(), base)
}
