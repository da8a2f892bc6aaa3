//! Prepares a service to run, once per process. A blank world is prepared immediately. Operations and tasks are
//! listed, paths routed and schemas compiled on first use, so that a process with few kinds of calls starts fast.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{HeaderName, Request};
use matchit::Router;
use percent_encoding::percent_decode_str;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};
use sim_base::error::{Error, Kind};
use sim_base::jobs::TaskEntry;
use sim_base::manner::Manner;
use sim_base::operation::{
    Access, Body, Entry, Guard, Meta, Method, Operation, Payload, Resource, Service, to_bytes,
};
use sim_base::profile::Profile;
use sim_base::request::Sent;
use sim_base::schema::{self, MASK};
use sim_base::store::Pool;
use sim_base::{fetch, identity, jobs, rng};

use super::input;
use crate::engine::service::names::{Names, Way};
use crate::engine::service::node::{Masked, Node};

/// A service prepared to run.
pub struct Registry {
    pub(crate) service: &'static Service,
    /// Resources that every service has.
    own: &'static [Resource],
    pub(crate) pool: Arc<Pool>,
    tasks: OnceLock<BTreeMap<&'static str, TaskEntry>>,
    registered: OnceLock<Vec<Registered>>,
    by_id: OnceLock<BTreeMap<&'static str, usize>>,
    router: OnceLock<Router<Path>>,
    /// The paths of the service's own document, which lists no extensions.
    documented: OnceLock<Router<Path>>,
    /// First words of the paths of the simulated API.
    words: OnceLock<BTreeSet<&'static str>>,
    headers_read: OnceLock<Vec<HeaderName>>,
    schemas: OnceLock<Schemas>,
}

/// The schemas of all operations, for documents.
struct Schemas {
    /// The named schemas, as listed under `components` in the OpenAPI document.
    definitions: Map<String, Value>,
    /// Input and output of each operation, in the service's order.
    operations: Vec<(Value, Value)>,
}

/// An operation as documents show it.
#[derive(Clone, Copy)]
pub(crate) struct Published<'r> {
    pub meta: &'r Meta,
    /// The schema of the request as one object: path, query and body fields together.
    pub input: &'r Value,
    pub output: &'r Value,
}

/// An operation with its schemas.
pub(crate) struct Registered {
    pub entry: &'static Entry,
    // Boxed because most are never compiled, and a small struct is faster to prepare.
    input: OnceLock<Box<Node>>,
    output: OnceLock<Box<Node>>,
    /// The parameter that names the organization or project, and the check of who may access it.
    pub guard: Option<(&'static str, Guard)>,
    /// How its service behaves on the wire.
    pub manner: &'static Manner,
}

impl Registered {
    /// The compiled schema of the request as one object: path, query and body fields together.
    pub(crate) fn input(&self) -> &Node {
        self.input.get_or_init(|| Box::new(compile(self.entry.input)))
    }

    /// The compiled schema of a success.
    pub(crate) fn output(&self) -> &Node {
        self.output.get_or_init(|| Box::new(compile(self.entry.output)))
    }

    /// A request body as the journal shows it, with secrets masked. A body that cannot be parsed is masked entirely.
    pub(crate) fn mask_request(&self, sent: &Sent<'_>, names: &Names) -> String {
        let (node, body) = match self.entry.meta.body {
            Body::Field(name) => (self.input().field(name), input::read_json(sent)),
            _ => (Some(self.input()), input::read_body(self, sent, names)),
        };
        body.map_or_else(|_| MASK.to_owned(), |value| mask(node, value, names))
    }

    /// A success body as the journal shows it, with secrets masked.
    pub(crate) fn mask_response(&self, body: &[u8], names: &Names) -> String {
        mask(Some(self.output()), serde_json::from_slice(body).unwrap_or_default(), names)
    }

    /// A JSON success in the profile's spelling.
    pub(crate) fn spell_response(&self, mut payload: Payload, names: &Names) -> Payload {
        if !names.is_empty() && payload.content_type == Some(Payload::JSON) {
            let value = serde_json::from_slice(&payload.body).unwrap_or_default();
            payload.body = to_bytes(&self.output().respell(value, names, Way::Out)).into();
        }
        payload
    }
}

fn compile(schema: fn(&mut SchemaGenerator) -> Schema) -> Node {
    let mut schemas = schema::generator();
    let schema = schema::plain(schema(&mut schemas));
    Node::compile(&schema, &schemas.take_definitions(true))
}

/// Masks the secrets in `value`. Schemas have neutral names only, so names are translated to neutral ones before
/// masking and back afterwards.
fn mask(node: Option<&Node>, value: Value, names: &Names) -> String {
    let Some(node) = node.filter(|_| !names.is_empty()) else {
        return serde_json::to_string(&Masked { node, value: &value }).expect("it is JSON");
    };
    let value = &node.respell(value, names, Way::In);
    let masked = serde_json::to_value(Masked { node: Some(node), value }).expect("it is JSON");
    node.respell(masked, names, Way::Out).to_string()
}

struct Path {
    routes: Vec<Route>,
    allow: &'static str,
}

#[derive(Clone, Copy)]
struct Route {
    method: Method,
    operation: usize,
    /// A parameter whose value is the path's last word: `/functions/deploy` also addresses the function named
    /// `deploy`.
    literal: Option<(&'static str, &'static str)>,
}

/// An operation that matched a path, with the path parameters.
pub(crate) struct Matched<'r> {
    pub operation: &'r Registered,
    pub path: Vec<(&'r str, String)>,
}

impl Registry {
    /// Prepares `service`, with the resources `own` that the engine adds to every service.
    ///
    /// # Panics
    ///
    /// If its tables contradict each other, which is a defect of the service.
    pub(crate) fn with(service: &'static Service, own: &'static [Resource]) -> Registry {
        let pool = Pool::prepared(&tables(service, own), service.blank, service.databases);
        Registry {
            service,
            own,
            pool: pool.expect("the tables are good SQL"),
            tasks: OnceLock::new(),
            registered: OnceLock::new(),
            by_id: OnceLock::new(),
            router: OnceLock::new(),
            documented: OnceLock::new(),
            words: OnceLock::new(),
            headers_read: OnceLock::new(),
            schemas: OnceLock::new(),
        }
    }

    /// Builds a blank world from the service's tables, in the format of [`Service::blank`].
    pub fn blank(&self) -> Vec<u8> {
        let tables = tables(self.service, self.own);
        Pool::new(&tables.concat(), self.service.databases).expect("the tables are good SQL").pack(&tables)
    }

    /// The service's name: `management`. It distinguishes the services of a world that has two.
    pub fn name(&self) -> &'static str {
        self.service.name
    }

    /// Every operation's declaration, in the service's order.
    pub fn operations(&self) -> impl Iterator<Item = &Meta> {
        self.registered().iter().map(|one| &one.entry.meta)
    }

    /// Parses `request`, in the neutral names, as the typed operation `O`. Refuses a request that is invalid or for
    /// another operation.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use http::Request;
    /// use sim_core::management::{self, project::GetProject};
    ///
    /// let request = Request::get("/v1/projects/abcdefghijklmnopqrst").body(Bytes::new())?;
    /// let typed: GetProject = management::registry().read(&request)?;
    /// assert_eq!(typed.r#ref.0, "abcdefghijklmnopqrst");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<O: Operation>(&self, request: &Request<Bytes>) -> Result<O, Error> {
        let matched = self.route(true, request.method().as_str(), request.uri().path())?;
        let id = matched.operation.entry.meta.id;
        if id != O::META.id {
            let text = format!("the request is for {id}, not for {}", O::META.id);
            return Err(Error::invalid("another_operation", text));
        }
        let sent = Sent::of(request, matched.operation.entry.meta.headers, self.service.manner);
        let read = input::read_input(&matched, &sent, &Names::default(), &Profile::default())?;
        serde_json::from_value(read).map_err(|error| Error::invalid("invalid_body", error.to_string()))
    }

    /// Background work of all resources, by kind.
    pub(crate) fn tasks(&self) -> &BTreeMap<&'static str, TaskEntry> {
        let all = || resources(self.service, self.own).flat_map(|one| one.tasks);
        self.tasks.get_or_init(|| all().map(|task| (task.kind, *task)).collect())
    }

    /// Every operation as documents show it, in the service's order.
    pub(crate) fn published(&self) -> impl Iterator<Item = Published<'_>> {
        let schemas = &self.schemas().operations;
        self.operations().zip(schemas).map(|(meta, (input, output))| Published { meta, input, output })
    }

    /// The named schemas, as listed under `components` in the OpenAPI document.
    pub(crate) fn definitions(&self) -> &Map<String, Value> {
        &self.schemas().definitions
    }

    fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| {
            let mut schemas = schema::generator();
            let mut both = |entry: &Entry| {
                (schema::plain((entry.input)(&mut schemas)), schema::plain((entry.output)(&mut schemas)))
            };
            let operations = self.registered().iter().map(|one| both(one.entry)).collect();
            Schemas { operations, definitions: schemas.take_definitions(true) }
        })
    }

    /// Whether the service has that operation.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.numbers().contains_key(id)
    }

    pub(crate) fn by_id(&self, id: &str) -> &Registered {
        &self.registered()[self.numbers()[id]]
    }

    /// Whether this service handles requests to `path`: it has the path, or another one with the same first word.
    pub(crate) fn owns(&self, path: &str) -> bool {
        let words = || self.words.get_or_init(|| words(self.operations()));
        self.router(true).at(path).is_ok() || first_word(path).is_some_and(|word| words().contains(word))
    }

    /// The headers that answers depend on.
    pub(crate) fn headers_read(&self) -> &[HeaderName] {
        self.headers_read
            .get_or_init(|| sim_base::request::headers_read(self.service.manner, self.operations()))
    }

    fn registered(&self) -> &[Registered] {
        self.registered.get_or_init(|| registered(self.service, self.own))
    }

    /// The index of each operation in the list, by id.
    fn numbers(&self) -> &BTreeMap<&'static str, usize> {
        self.by_id.get_or_init(|| {
            let ids = self.operations().map(|meta| meta.id);
            let by_id: BTreeMap<_, _> = ids.zip(0..).collect();
            assert_eq!(by_id.len(), self.registered().len(), "operation ids are unique");
            by_id
        })
    }

    fn router(&self, extensions: bool) -> &Router<Path> {
        if extensions {
            self.router.get_or_init(|| router(self.registered(), |_| true))
        } else {
            self.documented.get_or_init(|| router(self.registered(), |meta| !meta.extension))
        }
    }

    /// Finds the operation at `path`. Fails with 404 if there is no such path, and with 405 if it has only other
    /// methods. Without `extensions`, finds only operations of the service's own document.
    pub(crate) fn route(&self, extensions: bool, method: &str, path: &str) -> Result<Matched<'_>, Error> {
        let unknown = |kind, reason| Error::new(kind, reason, format!("Cannot {method} {path}"));
        let found = self.router(extensions).at(path).map_err(|_| unknown(Kind::NotFound, "unknown_path"))?;
        let asked = if method == "HEAD" { "GET" } else { method };
        let Some(route) = found.value.routes.iter().find(|route| route.method.as_str() == asked) else {
            let allow = found.value.allow;
            return Err(
                unknown(Kind::MethodNotAllowed(allow), "unknown_method").because("allow", allow, None)
            );
        };
        // Most parameters need no decoding, and checking for `%` is faster than decoding.
        let decode = |text: &str| match text.contains('%') {
            true => percent_decode_str(text).decode_utf8_lossy().into_owned(),
            false => text.to_owned(),
        };
        let named = found.params.iter().map(|(name, text)| (name, decode(text)));
        let literal = route.literal.map(|(name, text)| (name, text.to_owned()));
        Ok(Matched { operation: &self.registered()[route.operation], path: named.chain(literal).collect() })
    }
}

fn registered(service: &'static Service, own: &'static [Resource]) -> Vec<Registered> {
    let entries = resources(service, own).flat_map(|one| one.operations);
    let registered = entries.map(|entry| Registered {
        input: OnceLock::new(),
        output: OnceLock::new(),
        guard: guard(service, &entry.meta),
        manner: service.manner,
        entry,
    });
    registered.collect()
}

fn first_word(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.split('/').next()
}

/// The first words of paths. Control paths are left out: their first word is the same in all services.
fn words<'m>(operations: impl Iterator<Item = &'m Meta>) -> BTreeSet<&'static str> {
    operations
        .filter(|meta| meta.access != Access::Control)
        .flat_map(|meta| meta.aliases.iter().chain([&meta.path]))
        .filter_map(|path| first_word(path))
        .collect()
}

fn guard(service: &Service, meta: &Meta) -> Option<(&'static str, Guard)> {
    let (prefix, guard) = service.guards.iter().find(|(prefix, _)| {
        meta.path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })?;
    let name = prefix.rsplit('{').next()?.strip_suffix('}')?;
    Some((name, *guard))
}

fn router(operations: &[Registered], is_there: fn(&Meta) -> bool) -> Router<Path> {
    let mut paths: BTreeMap<&'static str, Vec<Route>> = BTreeMap::new();
    let there = operations.iter().enumerate().filter(|(_, one)| is_there(&one.entry.meta));
    for (operation, registered) in there {
        let Meta { method, path, aliases, .. } = registered.entry.meta;
        for path in aliases.iter().copied().chain([path]) {
            paths.entry(path).or_default().push(Route { method, operation, literal: None });
        }
    }
    let mut router = Router::new();
    for (path, routes) in &paths {
        let mut routes = routes.clone();
        routes.extend(shadowed(path, &routes, &paths));
        let allow = allow(&routes).leak();
        router.insert(*path, Path { routes, allow }).expect("no two paths mean the same");
    }
    router
}

/// A `path` that ends in a fixed word hides a sibling that ends in a parameter. Returns the hidden routes: the
/// sibling's routes for methods that `path` does not have.
fn shadowed(path: &'static str, own: &[Route], paths: &BTreeMap<&'static str, Vec<Route>>) -> Vec<Route> {
    let Some((parent, word)) = path.rsplit_once('/').filter(|(_, word)| !word.starts_with('{')) else {
        return Vec::new();
    };
    let begin = format!("{parent}/{{");
    let below = paths.range::<str, _>((Bound::Included(&*begin), Bound::Unbounded));
    let mut below = below.map_while(|(path, routes)| Some((path.strip_prefix(&*begin)?, routes)));
    let sibling = below.find_map(|(rest, routes)| {
        let name = rest.strip_suffix('}')?;
        (!name.contains('/')).then_some((name, routes))
    });
    let Some((name, routes)) = sibling else { return Vec::new() };
    let hidden = routes.iter().filter(|route| own.iter().all(|one| one.method != route.method));
    hidden.map(|route| Route { literal: Some((name, word)), ..*route }).collect()
}

fn allow(routes: &[Route]) -> String {
    let mut names: Vec<&str> = routes.iter().map(|route| route.method.as_str()).collect();
    if names.contains(&"GET") {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.join(", ")
}

/// The resources of a service, after those that every service has.
fn resources(service: &'static Service, own: &'static [Resource]) -> impl Iterator<Item = &'static Resource> {
    own.iter().chain(service.resources())
}

/// The tables that every service has, and those of all resources of this one.
fn tables(service: &'static Service, own: &'static [Resource]) -> Vec<&'static str> {
    let all = [rng::TABLES, identity::TABLES, jobs::TABLES, fetch::TABLES];
    all.into_iter().chain(resources(service, own).map(|one| one.tables)).collect()
}
