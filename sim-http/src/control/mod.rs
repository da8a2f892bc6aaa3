//! The control API under `/_sim`, with which tests control the simulator. Operations inside a world (users, tokens, faults,
//! outcomes) belong to the core; those on whole worlds, clocks, snapshots and journals are here, one file for each path.
//!
//! An operation is declared once, on its request type. Routing and the OpenAPI document read the declaration.

mod clock;
mod coverage;
mod diff;
mod input;
mod journal;
mod lens;
mod lifecycles;
mod openapi;
mod peek;
mod plans;
mod seeds;
mod snapshots;
mod sweep;
mod watch;
mod worlds;

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::Poll;

use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode};
use percent_encoding::percent_decode_str;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sim_core::engine::{Access, Meta, Method, Registry, near};
use sim_core::{Error, Kind, Simulator, analytics, management};

use crate::request::json_response;
use crate::worlds::{Hub, World, guarded};

pub use clock::{Advance, ClockState, GetAgenda, GetClock, GetHistory, Goal, Moved, SetSpeed, Step};
pub use coverage::GetCoverage;
pub use diff::DiffWorlds;
pub use journal::{
    Explain, GetJournal, GetReplay, ListChanges, Part, QueryJournal, ReplayFile, SearchJournal,
};
pub use lens::{GetLens, Seen};
pub use lifecycles::{ListLifecycles, ListRateWindows};
pub use openapi::GetOpenApi;
pub(crate) use openapi::{index, part};
pub use peek::{Peek, Peeked};
pub use plans::DrawPlans;
pub use seeds::{Export, ListScenarios, ScenarioInfo, SeedFile};
pub use snapshots::{CreateSnapshot, DeleteSnapshot, ListSnapshots, RestoreSnapshot, SnapshotInfo};
pub use sweep::{JudgeRun, ListPoints, Points, RunVerdict};
pub use watch::Watch;
pub use worlds::{
    CreateWorld, DeleteWorld, Fork, GetPolicy, GetProfile, GetWorld, ListWorlds, Reset, WorldInfo,
};

pub use crate::worlds::{Doings, News, Service, Services};

/// The first part of all its paths.
pub(crate) const PREFIX: &str = "/_sim";

/// Every control operation of the shim, in the order of the document.
const OPERATIONS: &[Entry] = &[
    Entry::of::<worlds::ListWorlds>(),
    Entry::of::<worlds::CreateWorld>(),
    Entry::of::<worlds::GetWorld>(),
    Entry::of::<worlds::DeleteWorld>(),
    Entry::of::<worlds::Fork>(),
    Entry::of::<worlds::Reset>(),
    Entry::of::<seeds::Export>(),
    Entry::of::<seeds::ListScenarios>(),
    Entry::of::<worlds::GetPolicy>(),
    Entry::of::<worlds::GetProfile>(),
    Entry::of::<clock::GetClock>(),
    Entry::of::<clock::SetSpeed>(),
    Entry::of::<clock::Advance>(),
    Entry::of::<clock::Step>(),
    Entry::of::<clock::GetAgenda>(),
    Entry::of::<clock::GetHistory>(),
    Entry::of::<snapshots::CreateSnapshot>(),
    Entry::of::<snapshots::ListSnapshots>(),
    Entry::of::<snapshots::RestoreSnapshot>(),
    Entry::of::<snapshots::DeleteSnapshot>(),
    Entry::of::<journal::GetJournal>(),
    Entry::of::<journal::SearchJournal>(),
    Entry::of::<journal::Explain>(),
    Entry::of::<journal::ListChanges>(),
    Entry::of::<journal::GetReplay>(),
    Entry::of::<journal::QueryJournal>(),
    Entry::of::<coverage::GetCoverage>(),
    Entry::of::<plans::DrawPlans>(),
    Entry::of::<lens::GetLens>(),
    Entry::of::<sweep::ListPoints>(),
    Entry::of::<sweep::JudgeRun>(),
    Entry::of::<lifecycles::ListLifecycles>(),
    Entry::of::<lifecycles::ListRateWindows>(),
    Entry::of::<diff::DiffWorlds>(),
    Entry::of::<peek::Peek>(),
    Entry::of::<watch::Watch>(),
    Entry::of::<openapi::GetOpenApi>(),
];

/// A control operation on whole worlds. The type that implements it is the request; `client::World` sends it.
///
/// ```
/// use sim_http::control::{Advance, Control as _};
///
/// assert_eq!(Advance::META.path, "/_sim/clock/advance");
/// ```
pub trait Control: Serialize + DeserializeOwned + JsonSchema {
    /// The success body.
    type Output: Serialize + DeserializeOwned + JsonSchema;
    /// Its id, method, path and query.
    const META: Meta;
}

/// Runs a control operation on the server.
trait Run: Control + Send {
    fn run(self, place: &Place<'_>) -> impl Future<Output = Result<Self::Output, Error>> + Send;

    /// The response: JSON unless an operation overrides this.
    fn respond(output: &Self::Output, _: &Place<'_>) -> Response<Bytes> {
        json_response(output)
    }
}

/// The target of an operation.
pub(crate) struct Place<'a> {
    pub(crate) hub: &'a Hub,
    /// The world that the request chose.
    pub(crate) world: &'a Arc<World>,
    /// The address that the client used, without path.
    pub(crate) base: String,
    pub(crate) parts: &'a Parts,
}

/// One row of the table of operations.
#[derive(Clone, Copy)]
struct Entry {
    meta: Meta,
    input: fn(&mut SchemaGenerator) -> Schema,
    output: fn(&mut SchemaGenerator) -> Schema,
    run: for<'a> fn(Input<'a>, &'a Place<'a>) -> Answering<'a>,
}

/// A response that is being computed.
type Answering<'a> = Pin<Box<dyn Future<Output = Result<Response<Bytes>, Error>> + Send + 'a>>;

/// The parts of a request, not parsed yet.
struct Input<'a> {
    path: &'a [(&'static str, String)],
    body: &'a [u8],
    declared: &'a Declared,
    /// What references in the schema of its input lead to.
    definitions: &'a Value,
}

impl Entry {
    const fn of<C: Run>() -> Entry {
        Entry {
            meta: Meta { access: Access::Control, ..C::META },
            input: C::json_schema,
            output: output::<C>,
            run: run_one::<C>,
        }
    }
}

fn output<C: Control>(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<C::Output>()
}

fn run_one<'a, C: Run>(input: Input<'a>, place: &'a Place<'a>) -> Answering<'a> {
    Box::pin(async move {
        let request: C = input::read(&input, place.parts.uri.query().unwrap_or_default())?;
        let output = request.run(place).await?;
        let mut response = C::respond(&output, place);
        *response.status_mut() = StatusCode::from_u16(C::META.status).expect("statuses are three digits");
        Ok(response)
    })
}

/// The declarations of the control operations on whole worlds. Those inside a world are in the registry of the core.
///
/// ```
/// assert!(sim_http::control_operations().any(|meta| meta.path == "/_sim/clock/advance"));
/// ```
pub fn control_operations() -> impl Iterator<Item = &'static Meta> {
    OPERATIONS.iter().map(|one| &one.meta)
}

/// The OpenAPI 3.1 document of the control API, with the names of `sim`, as `/_sim/openapi.json` answers it.
///
/// ```
/// let document = sim_http::control_openapi(&sim_core::Simulator::builder().build());
/// assert_eq!(document["openapi"], "3.1.0");
/// ```
pub fn control_openapi(sim: &Simulator) -> Value {
    openapi::merged(sim.control_openapi())
}

/// An operation with its schemas.
struct Declared {
    entry: Entry,
    input: Value,
    output: Value,
}

/// The table with its schemas and paths, built once in a process, on the first control call.
struct Table {
    operations: Vec<Declared>,
    definitions: Value,
    paths: Vec<Path>,
}

/// A path and its methods: each has the index of an operation of this crate, or `None` for one of the core.
struct Path {
    template: &'static str,
    methods: Vec<(Method, Option<usize>)>,
    allow: &'static str,
}

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

impl Table {
    fn new() -> Table {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        let mut schemas = settings.into_generator();
        let declare = |entry: &Entry| Declared {
            entry: *entry,
            input: (entry.input)(&mut schemas).to_value(),
            output: (entry.output)(&mut schemas).to_value(),
        };
        let operations = OPERATIONS.iter().map(declare).collect();
        Table { operations, definitions: schemas.take_definitions(true).into(), paths: paths() }
    }
}

fn paths() -> Vec<Path> {
    let mut paths: BTreeMap<&'static str, Vec<(Method, Option<usize>)>> = BTreeMap::new();
    for (index, one) in OPERATIONS.iter().enumerate() {
        paths.entry(one.meta.path).or_default().push((one.meta.method, Some(index)));
    }
    // Operations of both services are listed. A world refuses the operations of a service that it does not have.
    let inside =
        [management::registry(), analytics::registry()].map(Registry::operations).into_iter().flatten();
    for meta in inside.filter(|meta| meta.access == Access::Control) {
        let methods = paths.entry(meta.path).or_default();
        // Some operations are part of every service.
        if !methods.contains(&(meta.method, None)) {
            methods.push((meta.method, None));
        }
    }
    let path = |(template, methods): (_, Vec<(Method, _)>)| {
        let mut names: Vec<&str> = methods.iter().map(|(method, _)| method.as_str()).collect();
        if names.contains(&"GET") {
            names.push("HEAD");
        }
        names.push("OPTIONS");
        Path { template, allow: names.join(", ").leak(), methods }
    };
    paths.into_iter().map(path).collect()
}

/// An operation of this crate, and its path parameters.
pub(crate) struct Matched {
    index: usize,
    path: Vec<(&'static str, String)>,
}

/// The operation of this crate at `path`. `None` for other paths: they go to the core, which has its refusals in the journal.
pub(crate) fn route(method: &http::Method, path: &str) -> Result<Option<Matched>, Error> {
    let mut found = TABLE.paths.iter().filter_map(|one| Some((one, match_path(one.template, path)?)));
    let Some((one, arguments)) = found.next() else { return mistyped(method, path).map_or(Ok(None), Err) };
    let asked = if method == http::Method::HEAD { "GET" } else { method.as_str() };
    let known = one.methods.iter().find(|(method, _)| method.as_str() == asked);
    if known.is_none() && one.methods.iter().all(|(_, index)| index.is_none()) {
        return Ok(None);
    }
    let (_, index) = known.ok_or_else(|| {
        let mut methods: Vec<&str> = one.methods.iter().map(|(method, _)| method.as_str()).collect();
        methods.sort_unstable();
        let text = format!("Cannot {method} {path}; the methods are {}", methods.join(", "));
        Error::new(Kind::MethodNotAllowed(one.allow), "unknown_method", text)
    })?;
    Ok(index.map(|index| Matched { index, path: arguments }))
}

/// The refusal of a path that is nearly one of an operation.
fn mistyped(method: &http::Method, path: &str) -> Option<Error> {
    let templates = TABLE.paths.iter().map(|one| one.template);
    // The common beginning would make every short path near to every other.
    let below = |path: &'_ str| path.strip_prefix(PREFIX).map(str::to_owned);
    let (own, tails): (_, Vec<(&str, String)>) =
        (below(path)?, templates.filter_map(|one| Some((one, below(one)?))).collect());
    let found = near::nearest(&own, tails.iter().map(|(_, tail)| &**tail));
    let ends = || tails.iter().find(|(_, tail)| tail.ends_with(own.trim_end_matches('/')) && own.len() > 1);
    let near = found.and_then(|found| tails.iter().find(|(_, tail)| tail == found)).or_else(ends);
    let near = near.map(|(template, _)| *template).filter(|near| *near != path.trim_end_matches('/'))?;
    let text = format!("Cannot {method} {path}; did you mean `{near}`? GET {PREFIX} lists the operations");
    Some(Error::new(Kind::NotFound, "unknown_path", text))
}

fn match_path(template: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    let mut arguments = Vec::new();
    let mut words = path.split('/');
    for expected in template.split('/') {
        let word = words.next()?;
        match expected.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) if !word.is_empty() => {
                arguments.push((name, percent_decode_str(word).decode_utf8_lossy().into_owned()));
            }
            _ if word == expected => {}
            _ => return None,
        }
    }
    words.next().is_none().then_some(arguments)
}

/// Runs an operation of this crate. A panic is answered as a bug of the simulator.
pub(crate) async fn run<'a>(
    matched: &'a Matched,
    place: &'a Place<'a>,
    body: &'a [u8],
) -> Result<Response<Bytes>, Error> {
    let declared = &TABLE.operations[matched.index];
    let input = Input { path: &matched.path, body, declared, definitions: &TABLE.definitions };
    let mut running = (declared.entry.run)(input, place);
    poll_fn(|cx| match guarded(|| running.as_mut().poll(cx)) {
        Ok(polled) => polled,
        Err(bug) => Poll::Ready(Err(bug)),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routed(method: &str, path: &str) -> String {
        match route(&method.parse().expect("a method"), path) {
            Ok(Some(matched)) => format!("{} {:?}", OPERATIONS[matched.index].meta.id, matched.path),
            Ok(None) => "core".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn paths_lead_to_this_crate_or_to_the_core() {
        assert_eq!(routed("GET", "/_sim/worlds"), "sim-list-worlds []");
        assert_eq!(routed("HEAD", "/_sim/worlds/a"), r#"sim-get-world [("name", "a")]"#);
        assert_eq!(routed("GET", "/_sim/journal/7/explain"), r#"sim-explain [("call", "7")]"#);
        assert_eq!(routed("POST", "/_sim/users"), "core");
        assert_eq!(routed("GET", "/_sim/nothing"), "core");
        assert_eq!(routed("GET", "/_sim/nope"), "core");
        assert_eq!(
            routed("POST", "/_sim/advance"),
            "404 unknown_path: Cannot POST /_sim/advance; did you mean `/_sim/clock/advance`? GET /_sim lists the operations"
        );
        assert_eq!(routed("GET", "/_sim/worlds/"), "core");
        assert_eq!(
            routed("PUT", "/_sim/worlds"),
            "405 unknown_method: Cannot PUT /_sim/worlds; the methods are GET, POST"
        );
        assert_eq!(
            routed("POST", "/_sim/clock/advanc"),
            "404 unknown_path: Cannot POST /_sim/clock/advanc; did you mean `/_sim/clock/advance`? GET /_sim lists the operations"
        );
    }

    #[test]
    fn ids_and_paths_are_declared_once() {
        let mut ids: Vec<_> = OPERATIONS.iter().map(|one| one.meta.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), OPERATIONS.len());
        for path in &TABLE.paths {
            let mut methods = path.methods.clone();
            methods.dedup_by_key(|(method, _)| *method);
            assert_eq!(methods.len(), path.methods.len(), "{}", path.template);
        }
    }
}
