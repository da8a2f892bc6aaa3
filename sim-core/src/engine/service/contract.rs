//! A service as one edition of its API has it: the operations, their schemas and their paths.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::OnceLock;

use matchit::Router;
use percent_encoding::percent_decode_str;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};
use sim_base::Edition;
use sim_base::error::{Error, Kind};
use sim_base::manner::Manner;
use sim_base::near;
use sim_base::operation::{Access, Body, Entry, Guard, Meta, Method, Payload, Resource, Service, to_bytes};
use sim_base::profile::TOKENS;
use sim_base::request::Sent;
use sim_base::schema::{self, MASK};

use super::input;
use super::open::{self, Open};
use crate::engine::service::names::{Names, Way, declared_in, find_word};
use crate::engine::service::node::{Masked, Node};

/// The operations of one edition. Their list is made immediately; paths are routed and schemas compiled on first use.
pub(crate) struct Contract {
    edition: Edition,
    operations: Vec<Registered>,
    by_id: OnceLock<BTreeMap<&'static str, usize>>,
    router: OnceLock<Router<Path>>,
    /// First words of the paths of the simulated API.
    words: OnceLock<BTreeSet<&'static str>>,
    schemas: OnceLock<Schemas>,
    declared: OnceLock<BTreeSet<String>>,
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
    /// How its service behaves on the wire.
    pub manner: &'static Manner,
}

/// An operation with its schemas in one edition.
pub(crate) struct Registered {
    pub entry: &'static Entry,
    edition: Edition,
    // Boxed because most are never compiled, and a small struct is faster to prepare.
    input: OnceLock<Box<Node>>,
    output: OnceLock<Box<Node>>,
    shape: OnceLock<Box<Shape>>,
    /// Whether enums of its answers are open.
    is_open: bool,
    /// The parameter that names the organization or project, and the check of who may access it.
    pub guard: Option<(&'static str, Guard)>,
    /// How its service behaves on the wire.
    pub manner: &'static Manner,
}

impl Registered {
    fn new(service: &Service, edition: Edition, entry: &'static Entry) -> Registered {
        Registered {
            entry,
            edition,
            input: OnceLock::new(),
            output: OnceLock::new(),
            shape: OnceLock::new(),
            is_open: service.open_enums.is_some_and(|since| since <= edition)
                && entry.meta.access != Access::Control,
            guard: guard(service, &entry.meta),
            manner: service.manner_at(entry.meta.path),
        }
    }

    /// The compiled schema of the request as one object: path, query and body fields together.
    pub(crate) fn input(&self) -> &Node {
        self.input.get_or_init(|| {
            let mut node = compile(self.edition, self.entry.input);
            if self.entry.meta.access != Access::Control {
                // Nothing is made under the name in a path: one that can't be is not there.
                self.entry.meta.path_names().for_each(|name| node.take_any_text(name));
            }
            Box::new(node)
        })
    }

    /// The compiled schema of a success.
    pub(crate) fn output(&self) -> &Node {
        self.output.get_or_init(|| Box::new(compile(self.edition, self.entry.output)))
    }

    /// The schema of a success, in the profile's spelling.
    pub(crate) fn shape(&self, names: &Names) -> Cow<'_, Shape> {
        let shape = self.shape.get_or_init(|| {
            let mut schemas = schema::generator(self.edition);
            let schema = schema::plain(self.edition, (self.entry.output)(&mut schemas));
            let is_ordered = self.entry.meta.query.iter().any(|name| orders(name));
            let definitions = schemas.take_definitions(true);
            if !self.is_open {
                return Box::new(Shape { schema, definitions, is_ordered });
            }
            let open = Open::new(&definitions, std::iter::empty());
            Box::new(Shape { schema: open.open(&schema), definitions: open.definitions(), is_ordered })
        });
        if names.is_empty() {
            return Cow::Borrowed(shape);
        }
        let mut spelt = Shape::clone(shape);
        names.spell_schema(&mut spelt.schema);
        spelt.definitions.values_mut().for_each(|schema| names.spell_schema(schema));
        Cow::Owned(spelt)
    }

    /// A request body as the journal shows it, with secrets masked. A body that cannot be parsed is masked entirely.
    pub(crate) fn mask_request(&self, sent: &Sent<'_>, names: &Names) -> String {
        let masked = match self.entry.meta.body {
            Body::Field(name) => {
                input::read_json(self, sent).map(|value| mask(self.input().field(name), value, names))
            }
            _ => input::read_body(self, sent, names).map(|body| {
                let masked = mask(Some(self.input()), body.fields, names);
                self.input().alias(masked, &body.older)
            }),
        };
        masked.unwrap_or_else(|_| MASK.to_owned())
    }

    /// A success body as the journal shows it, with secrets masked.
    pub(crate) fn mask_response(&self, body: &[u8], names: &Names) -> String {
        mask(Some(self.output()), serde_json::from_slice(body).unwrap_or_default(), names)
    }

    /// A JSON success as the edition has it, in the profile's spelling.
    pub(crate) fn spell_response(&self, mut payload: Payload, names: &Names) -> Payload {
        if !payload.is_json() || (names.is_empty() && !self.output().reduces()) {
            return payload;
        }
        let mut value = serde_json::from_slice(&payload.body).unwrap_or_default();
        self.output().reduce(&mut value);
        if !names.is_empty() {
            value = self.output().respell(value, names, Way::Out);
        }
        payload.body = to_bytes(&value).into();
        payload
    }
}

/// The schema of a success, and the named schemas that it refers to.
#[derive(Clone)]
pub(crate) struct Shape {
    pub schema: Value,
    pub definitions: Map<String, Value>,
    /// Whether the lists have an order: that of pages, or one that the caller chooses.
    pub is_ordered: bool,
}

/// Whether a parameter orders a list, or divides it into pages.
fn orders(name: &str) -> bool {
    ["sort", "limit", "offset", "cursor"].contains(&name) || name.starts_with("page[")
}

pub(super) fn compile(edition: Edition, schema: fn(&mut SchemaGenerator) -> Schema) -> Node {
    let mut schemas = schema::generator(edition);
    let schema = schema::plain(edition, schema(&mut schemas));
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

impl Contract {
    /// The operations of `resources` that `edition` has.
    pub(crate) fn new<'a>(
        service: &'static Service,
        edition: Edition,
        resources: impl Iterator<Item = &'a Resource>,
    ) -> Contract {
        let entries = resources.flat_map(|one| one.operations).filter(|entry| entry.meta.is_in(edition));
        Contract {
            edition,
            operations: entries.map(|entry| Registered::new(service, edition, entry)).collect(),
            by_id: OnceLock::new(),
            router: OnceLock::new(),
            words: OnceLock::new(),
            schemas: OnceLock::new(),
            declared: OnceLock::new(),
        }
    }

    /// Every operation's declaration, in the service's order.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &'static Meta> {
        self.operations.iter().map(|one| &one.entry.meta)
    }

    /// Every operation as documents show it, in the service's order.
    pub(crate) fn published(&self) -> impl Iterator<Item = Published<'_>> {
        let schemas = &self.schemas().operations;
        self.operations.iter().zip(schemas).map(|(one, (input, output))| Published {
            meta: &one.entry.meta,
            input,
            output,
            manner: one.manner,
        })
    }

    /// The named schemas, as listed under `components` in the OpenAPI document.
    pub(crate) fn definitions(&self) -> &Map<String, Value> {
        &self.schemas().definitions
    }

    /// The names that its operations declare: fields, parameters and the values of enums. A profile may spell each otherwise.
    pub(crate) fn declared(&self) -> &BTreeSet<String> {
        self.declared.get_or_init(|| {
            let mut found = BTreeSet::new();
            for Published { meta, input, output, .. } in self.published() {
                found.extend(meta.query.iter().copied().chain(meta.path_names()).map(str::to_owned));
                found.extend(words_of(meta.path).filter(|word| has_token(word)).map(str::to_owned));
                declared_in(input, &mut found);
                declared_in(output, &mut found);
            }
            self.definitions().values().for_each(|schema| declared_in(schema, &mut found));
            found
        })
    }

    fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| {
            let mut schemas = schema::generator(self.edition);
            let mut plain = |of: fn(&mut SchemaGenerator) -> Schema| {
                let schema = of(&mut schemas);
                schema::plain(self.edition, schema)
            };
            let operations =
                self.operations.iter().map(|one| (plain(one.entry.input), plain(one.entry.output))).collect();
            let definitions = schemas.take_definitions(true);
            let all = opened(&self.operations, Schemas { operations, definitions });
            let pairs = all.operations.into_iter();
            Schemas {
                operations: pairs.map(|(input, output)| (published(input), published(output))).collect(),
                definitions: all.definitions.into_iter().map(|(name, one)| (name, published(one))).collect(),
            }
        })
    }

    /// The operation with this id, if the edition has it.
    pub(crate) fn by_id(&self, id: &str) -> Option<&Registered> {
        Some(&self.operations[*self.numbers().get(id)?])
    }

    /// The index of each operation in the list, by id.
    fn numbers(&self) -> &BTreeMap<&'static str, usize> {
        self.by_id.get_or_init(|| {
            let by_id: BTreeMap<_, _> = self.operations().map(|meta| meta.id).zip(0..).collect();
            assert_eq!(by_id.len(), self.operations.len(), "operation ids are unique");
            by_id
        })
    }

    /// Whether this service handles requests to `path`: it has the path, or another one with the same first word.
    pub(crate) fn owns(&self, path: &str) -> bool {
        let words = || self.words.get_or_init(|| words(self.operations()));
        self.has_path(path) || first_word(path).is_some_and(|word| words().contains(word))
    }

    /// Whether it has exactly this path.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        self.router().at(path).is_ok()
    }

    fn router(&self) -> &Router<Path> {
        self.router.get_or_init(|| router(&self.operations))
    }

    /// The operation of a typed call. Fails like [`route`](Contract::route) if the edition does not have it.
    pub(crate) fn matched<'r>(
        operation: Option<&'r Registered>,
        sent: &Sent<'_>,
    ) -> Result<Matched<'r>, Error> {
        let matched = operation.map(|operation| Matched { operation, path: Vec::new() });
        matched.ok_or_else(|| unknown(Kind::NotFound, "unknown_path", &sent.method_name(), &sent.target))
    }

    /// Like [`route`](Contract::route), for a path in these names.
    pub(crate) fn route_in(&self, names: &Names, method: &str, path: &str) -> Result<Matched<'_>, Error> {
        if names.is_empty() {
            return self.route(method, path);
        }
        let is_word =
            |neutral: &str| self.operations().any(|meta| words_of(meta.path).any(|word| word == neutral));
        let inward = |word| names.spell(Way::In, word).filter(|neutral| is_word(neutral)).unwrap_or(word);
        let matched = self.route(method, &path.split('/').map(inward).collect::<Vec<_>>().join("/"))?;
        // A word that has another name here is none.
        let template = matched.operation.entry.meta.path.split('/');
        let named = |(word, sent)| if word == sent { names.wire(word) } else { sent };
        let right = template.zip(path.split('/')).map(named).collect::<Vec<_>>().join("/");
        if path.starts_with(&right) {
            return Ok(matched);
        }
        let error = unknown(Kind::NotFound, "unknown_path", method, path);
        Err(error.because("nearest_path", right, None))
    }

    /// Finds the operation at `path`, with or without a slash at its end. Fails with 404 if there is no such path, and with 405 if it has only other
    /// methods.
    pub(crate) fn route(&self, method: &str, path: &str) -> Result<Matched<'_>, Error> {
        let unknown = |kind, reason| unknown(kind, reason, method, path);
        let found = path.strip_suffix('/').filter(|path| !path.is_empty()).unwrap_or(path);
        let found = self.router().at(found).map_err(|_| {
            let error = unknown(Kind::NotFound, "unknown_path");
            match self.near_path(found) {
                Some(near) => error.because("nearest_path", near, None),
                None => error,
            }
        })?;
        let asked = if method == "HEAD" { "GET" } else { method };
        let Some(route) = found.value.routes.iter().find(|route| route.method.as_str() == asked) else {
            let allow = found.value.allow;
            let mut error = unknown(Kind::MethodNotAllowed(allow), "unknown_method");
            // Other refusals have the words of the service that is simulated.
            if path.starts_with(CONTROL) {
                let mut methods: Vec<&str> =
                    found.value.routes.iter().map(|route| route.method.as_str()).collect();
                methods.sort_unstable();
                error.message = format!("{}; the methods are {}", error.message, methods.join(", "));
            }
            return Err(error.because("allow", allow, None));
        };
        // Most parameters need no decoding, and checking for `%` is faster than decoding.
        let decode = |text: &str| match text.contains('%') {
            true => percent_decode_str(text).decode_utf8_lossy().into_owned(),
            false => text.to_owned(),
        };
        let named = found.params.iter().map(|(name, text)| (name, decode(text)));
        let literal = route.literal.map(|(name, text)| (name, text.to_owned()));
        Ok(Matched { operation: &self.operations[route.operation], path: named.chain(literal).collect() })
    }

    /// The path that was probably meant by one that nothing has.
    fn near_path(&self, path: &str) -> Option<String> {
        let paths: Vec<String> = self.operations().filter_map(|meta| filled(meta.path, path)).collect();
        near::nearest(path, paths.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// The fixed words of a template.
fn words_of(template: &str) -> impl Iterator<Item = &str> {
    template.split('/').filter(|word| !word.starts_with('{'))
}

fn has_token(word: &str) -> bool {
    TOKENS.iter().any(|(token, _)| find_word(word, token).is_some())
}

/// The template with the words of `path` in the place of its parameters, if it has as many words.
fn filled(template: &str, path: &str) -> Option<String> {
    if template.split('/').count() != path.split('/').count() {
        return None;
    }
    let words = template.split('/').zip(path.split('/'));
    let words: Vec<&str> =
        words.map(|(word, given)| if word.starts_with('{') { given } else { word }).collect();
    Some(words.join("/"))
}

/// How paths of the control API begin.
const CONTROL: &str = "/_sim/";

fn unknown(kind: Kind, reason: &'static str, method: &str, path: &str) -> Error {
    Error::new(kind, reason, format!("Cannot {method} {path}"))
}

/// The schemas with open enums in the answers that have such.
fn opened(registered: &[Registered], schemas: Schemas) -> Schemas {
    if !registered.iter().any(|one| one.is_open) {
        return schemas;
    }
    let Schemas { operations, definitions } = schemas;
    let open = Open::new(&definitions, operations.iter().map(|(input, _)| input));
    let output = |(one, (_, output)): (&Registered, &(Value, Value))| match one.is_open {
        true => open.open(output),
        false => output.clone(),
    };
    let outputs: Vec<Value> = registered.iter().zip(&operations).map(output).collect();
    let definitions = open.definitions();
    let inputs = operations.into_iter().map(|(input, _)| input);
    Schemas { operations: inputs.zip(outputs).collect(), definitions }
}

/// A schema without the marks that only [`Node`] and [`Open`] read.
fn published(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(object) => {
            for mark in [schema::DROPPED, open::CLOSED, open::OPEN] {
                object.shift_remove(mark);
            }
            object.values_mut().for_each(|one| *one = published(one.take()));
        }
        Value::Array(list) => list.iter_mut().for_each(|one| *one = published(one.take())),
        _ => {}
    }
    schema
}

fn first_word(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.split('/').next()
}

/// The first words of paths. Control paths are left out: their first word is the same in all services.
fn words(operations: impl Iterator<Item = &'static Meta>) -> BTreeSet<&'static str> {
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

fn router(operations: &[Registered]) -> Router<Path> {
    let mut paths: BTreeMap<&'static str, Vec<Route>> = BTreeMap::new();
    for (operation, registered) in operations.iter().enumerate() {
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
