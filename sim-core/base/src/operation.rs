//! An operation is declared once, on its request type; everything else reads the declaration.

mod payload;
mod service;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sim_derive::ToSchema;

pub use self::payload::{Payload, to_bytes};
pub use self::service::{Guard, Resource, Section, Service};
use super::cx::Cx;
use super::edition::Edition;
use super::error::{Error, Kind};
use super::profile::Profile;
use super::to_schema::{self, Named, Type};

/// One operation of the API. The type that implements it is the request.
///
/// ```
/// use sim_core::management::project::GetProject;
/// use sim_core::{Operation, engine::Method};
///
/// assert_eq!(GetProject::META.path, "/v1/projects/{ref}");
/// assert!(GetProject::META.method == Method::Get);
/// ```
pub trait Operation: Listed + Serialize + DeserializeOwned + JsonSchema + 'static {
    /// The success body.
    type Output: Serialize + DeserializeOwned + JsonSchema;
    /// The method and path of the operation, and who may call it.
    const META: Meta;
    /// Runs the operation: load, refuse or do, store, schedule, answer. Knows nothing of HTTP.
    fn run(self, cx: &mut Cx<'_>) -> Result<Self::Output, Error>;
    /// Encodes a success: as JSON, unless the operation says otherwise.
    fn payload(output: &Self::Output) -> Payload {
        Payload::json(output)
    }
}

/// Marks an operation that is in a list. Only [`operations!`](crate::operations) implements it.
pub trait Listed {}

/// Everything about an operation that is not its fields, its doc comment or its behaviour.
#[derive(Clone, Copy, Debug)]
pub struct Meta {
    /// The published operation id.
    pub id: &'static str,
    /// The published operation id of HEAD on the same path, if HEAD is published as an operation of its own.
    pub head: Option<&'static str>,
    /// HTTP method.
    pub method: Method,
    /// Path template; `{name}` is a field of the request.
    pub path: &'static str,
    /// Other paths with the same parameters and the same meaning. They are not in the document.
    pub aliases: &'static [&'static str],
    /// Fields that travel in the query string.
    pub query: &'static [&'static str],
    /// The field that takes all other names of the query, and all fields of the body, as an object of texts.
    pub rest: Option<&'static str>,
    /// Fields that travel in headers of the same name. A field `beginning*` is an object of all other headers with that beginning.
    pub headers: &'static [&'static str],
    /// How the other fields travel.
    pub body: Body,
    /// Success status.
    pub status: u16,
    /// Content types of a success, as published.
    pub produces: &'static [&'static str],
    /// Whether published documents leave it out, as the service does.
    pub unlisted: bool,
    /// Published as beta.
    pub beta: bool,
    /// Published as deprecated.
    pub deprecated: bool,
    /// The first edition that has it.
    pub since: Edition,
    /// The last edition that has it; `None` if the newest has it.
    pub until: Option<Edition>,
    /// The lowest role that may call it in the addressed organization.
    pub role: Role,
    /// The OAuth scope it needs. `None`: no OAuth token reaches it.
    pub scope: Option<Scope>,
    /// Who reaches the permission check.
    pub access: Access,
    /// Whether a control operation does what clients of the service do in another way, so that fault rules strike it too.
    pub by_clients: bool,
    /// What it needs of the project that its path names, or of the branch's project.
    pub needs: Needs,
    /// A check of the input that a schema can't express, because it depends on the profile. It is part of validation.
    pub check: Option<InputCheck>,
    /// Statuses it can answer in addition to those that follow from its shape (see [`Meta::statuses`]).
    pub also: &'static [u16],
    /// Whether statuses follow from its shape. If not, [`also`](Meta::also) has all of them but the success.
    pub implies: bool,
    /// The service's message for a failure of its own, 500. It occurs only when a fault rule asks for it.
    pub failure: &'static str,
    /// Statuses whose refusals may be only the message, as a JSON string (see [`Error::bare`]).
    pub bare: &'static [u16],
}

/// What an operation needs of the project that its path names. Guards check it before the operation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Services of the project that must answer, by their published names. Otherwise it is refused with 544 and
    /// [`Meta::failure`].
    pub services: &'static [&'static str],
    /// That the project is no longer being set up. Otherwise it is refused with 400.
    pub set_up: bool,
    /// That the project is active. Otherwise it is refused with 400.
    pub active: bool,
}

impl Needs {
    /// Only that the project is there.
    pub const NOTHING: Needs = Needs { services: &[], set_up: false, active: false };
    /// A database that answers.
    pub const DATABASE: Needs = Needs { services: &["db"], ..Needs::NOTHING };
    /// The server of user accounts, which keeps what it knows in the database.
    pub const AUTH: Needs = Needs { services: &["db", "auth"], ..Needs::NOTHING };
    /// A project that is no longer being set up, as settings do.
    pub const SET_UP: Needs = Needs { set_up: true, ..Needs::NOTHING };
    /// An active project.
    pub const ACTIVE: Needs = Needs { active: true, ..Needs::NOTHING };
}

/// Validation that a schema can't express. It gets the whole input and the world's profile.
pub type InputCheck = fn(&Value, &Profile) -> Result<(), Error>;

/// HTTP methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

/// How the fields outside path and query are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// There are none. A body that is sent is not read.
    None,
    /// A JSON object of the remaining fields.
    Fields,
    /// The whole JSON body is this one field, as with arrays.
    Field(&'static str),
    /// A form of the remaining fields; a JSON object is read too. `client_id` and `client_secret` may come as Basic
    /// credentials.
    Form,
    /// The raw body is this one field, a [`TextOrBytes`](super::TextOrBytes). The operation parses it.
    Raw(&'static str),
    /// A JSON object of the remaining fields, or raw bytes that become this one field, a
    /// [`TextOrBytes`](super::TextOrBytes).
    FieldsOrBytes(&'static str),
    /// A JSON object of the remaining fields, or a list of such objects, which becomes this one field.
    FieldsOrList(&'static str),
    /// A multipart form. Parts named like this field are a list of [`File`](super::File)s. Every other part is JSON or
    /// text.
    Multipart(&'static str),
}

impl Body {
    /// Keeps the first items of the list that the body is, or of its only field that is a list. Whether there is such a
    /// list and any item is kept.
    pub fn keep_first(self, input: &mut Value, count: u32) -> bool {
        let list = match self {
            Body::Field(name) | Body::FieldsOrList(name) => input.get_mut(name),
            _ => only_list(input),
        };
        let Some(Value::Array(items)) = list else { return false };
        items.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        !items.is_empty()
    }
}

/// The only field that is a list.
fn only_list(input: &mut Value) -> Option<&mut Value> {
    let mut lists = input.as_object_mut()?.values_mut().filter(|value| value.is_array());
    let first = lists.next();
    if lists.next().is_some() { None } else { first }
}

/// Roles in an organization, least first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, ToSchema,
)]
pub enum Role {
    /// Reads.
    #[serde(rename = "Read-only")]
    ReadOnly,
    /// Works on content: SQL, functions, branches.
    Developer,
    /// Everything but the organization itself and its owners.
    Administrator,
    /// Everything.
    Owner,
}

impl Role {
    /// All roles, lowest first.
    pub const ALL: [Role; 4] = [Role::ReadOnly, Role::Developer, Role::Administrator, Role::Owner];

    /// The published name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::ReadOnly => "Read-only",
            Role::Developer => "Developer",
            Role::Administrator => "Administrator",
            Role::Owner => "Owner",
        }
    }

    /// The role with this published name.
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

/// An OAuth scope: `projects:read`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope(pub &'static str);

/// Who reaches the permission check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone with a valid token.
    Token,
    /// Anyone. The operation checks credentials of its own.
    Public,
    /// Anyone. A valid token identifies the caller, an invalid one is ignored. The operation itself refuses callers.
    Optional,
    /// The client that controls the simulator: no token, no rate limit. Not part of the simulated API.
    Control,
}

const fn meta(method: Method, id: &'static str, path: &'static str, body: Body, role: Role) -> Meta {
    Meta {
        id,
        head: None,
        method,
        path,
        aliases: &[],
        query: &[],
        rest: None,
        headers: &[],
        body,
        status: 200,
        produces: &["application/json"],
        unlisted: false,
        beta: false,
        deprecated: false,
        since: Edition::FIRST,
        until: None,
        role,
        scope: None,
        access: Access::Token,
        by_clients: false,
        needs: Needs::NOTHING,
        check: None,
        also: &[],
        implies: true,
        failure: "",
        bare: &[],
    }
}

/// A read; answers 200, needs [`Role::ReadOnly`].
pub const fn get(id: &'static str, path: &'static str) -> Meta {
    meta(Method::Get, id, path, Body::None, Role::ReadOnly)
}

/// A POST with a JSON object; answers 201, needs [`Role::Administrator`].
pub const fn post(id: &'static str, path: &'static str) -> Meta {
    Meta { status: 201, ..meta(Method::Post, id, path, Body::Fields, Role::Administrator) }
}

/// A POST without a body; answers 200, needs [`Role::Administrator`].
pub const fn act(id: &'static str, path: &'static str) -> Meta {
    meta(Method::Post, id, path, Body::None, Role::Administrator)
}

/// A PUT with a JSON object; answers 200, needs [`Role::Administrator`].
pub const fn put(id: &'static str, path: &'static str) -> Meta {
    meta(Method::Put, id, path, Body::Fields, Role::Administrator)
}

/// A PATCH with a JSON object; answers 200, needs [`Role::Administrator`].
pub const fn patch(id: &'static str, path: &'static str) -> Meta {
    meta(Method::Patch, id, path, Body::Fields, Role::Administrator)
}

/// A DELETE without a body; answers 200, needs [`Role::Administrator`].
pub const fn delete(id: &'static str, path: &'static str) -> Meta {
    meta(Method::Delete, id, path, Body::None, Role::Administrator)
}

impl Meta {
    /// Whether `edition` has the operation.
    pub fn is_in(&self, edition: Edition) -> bool {
        self.since <= edition && self.until.is_none_or(|until| edition <= until)
    }

    /// The operation id as `edition` writes it: since 2026, in camel case.
    ///
    /// ```
    /// use sim_core::{Edition, Operation, management::project::GetProject};
    ///
    /// let meta = GetProject::META;
    /// assert_eq!(meta.id_in(meta.id, Edition::V2025_05), "v1-get-project");
    /// assert_eq!(meta.id_in(meta.id, Edition::V2026_11), "v1GetProject");
    /// ```
    pub fn id_in(&self, id: &'static str, edition: Edition) -> Cow<'static, str> {
        if edition == Edition::FIRST || !(id.starts_with("v1-") || id.starts_with("v2-")) {
            return id.into();
        }
        let mut words = id.split('-');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |id, word| id + &word[..1].to_uppercase() + &word[1..]).into()
    }

    /// Whether `id` is its operation id in any edition.
    pub fn has_id(&self, id: &str) -> bool {
        self.id == id || self.id_in(self.id, Edition::TODAY) == id
    }

    /// The names in the path template, in order.
    pub fn path_names(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
    }

    /// Whether names of the query are also accepted in the body, which is so where the body may be raw bytes.
    pub const fn query_is_body_too(&self) -> bool {
        matches!(self.body, Body::FieldsOrBytes(_))
    }

    /// Every status the operation can answer, ascending: success, what its shape implies, what it adds.
    pub fn statuses(&self) -> Vec<u16> {
        let mut all = vec![self.status];
        all.extend(self.also);
        if !self.implies {
            all.sort_unstable();
            return all;
        }
        if self.access == Access::Token {
            all.extend([401, 429]);
        }
        if self.path.contains('{') {
            all.extend([400, 403, 404]);
        }
        if !self.query.is_empty() {
            all.push(400);
        }
        if self.body != Body::None {
            all.extend([400, 413, 415]);
        }
        if self.access == Access::Token {
            all.push(403);
        }
        if !self.needs.services.is_empty() {
            all.push(Kind::Unreachable.status());
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A success without content: `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ToSchema)]
pub struct Empty {}

/// One entry of a service's list of operations, made from the type that implements the operation.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The declaration.
    pub meta: Meta,
    /// Generates the schema of the request.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// Generates the schema of the success body.
    pub output: fn(&mut SchemaGenerator) -> Schema,
    /// Runs the operation on an input that the schema accepted.
    pub run: fn(Value, &mut Cx<'_>) -> Result<Payload, Error>,
}

impl Entry {
    /// The entry of operation `O`.
    pub const fn of<O: Operation>() -> Entry {
        Entry { meta: O::META, input: O::json_schema, output: output::<O>, run: run::<O> }
    }
}

fn output<O: Operation>(schemas: &mut SchemaGenerator) -> Schema {
    to_schema::subschema(schemas, const { &Type::Named(<O::Output as Named>::NAMED) })
}

fn run<O: Operation>(input: Value, cx: &mut Cx<'_>) -> Result<Payload, Error> {
    // No `?`: it would be compiled anew for each operation.
    match serde_json::from_value::<O>(input) {
        Ok(request) => match request.run(cx) {
            Ok(output) => Ok(O::payload(&output)),
            Err(refused) => Err(refused),
        },
        Err(narrower) => Err(refuse(&narrower)),
    }
}

/// The schema accepted the input, so this is only where a type is narrower than its schema can express.
fn refuse(narrower: &serde_json::Error) -> Error {
    Error::invalid("invalid_body", narrower.to_string())
}

/// Lists a resource's operations in lifecycle order. An operation that is not listed does not compile.
#[macro_export]
macro_rules! operations {
    ($($operation:ident),+ $(,)?) => {
        $(impl $crate::Listed for $operation {})+
        /// This resource's operations, in lifecycle order.
        pub const OPERATIONS: &[$crate::Entry] = &[$($crate::Entry::of::<$operation>()),+];
    };
}
