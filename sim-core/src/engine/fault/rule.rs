//! Fault rules: which calls a rule matches, how often it applies, and what it does to them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::cx::Cx;
use sim_base::error::Error;
use sim_base::operation::{Access, Meta, Method};
use sim_base::time::Timestamp;
use sim_base::{ToSchema, near};

use super::{alter, glob};
use crate::engine::service::setup::Setup;

/// The limit on how far back a stale read looks, in calls.
pub(crate) const STALE_MAX: u32 = 100;
/// The longest path, project, caller or message of a rule, in bytes.
const TEXT_MAX: usize = 4096;
/// The longest delay or duration that a rule may have, in milliseconds.
const DELAY_MAX: u64 = 3_600_000;

/// A fault rule. It applies to the first call that it matches, unless it says otherwise.
///
/// ```
/// use sim_core::engine::fault::{AddFault, Effect, Fault, On};
/// use sim_core::management::project::ListProjects;
/// use sim_core::Simulator;
///
/// let mut sim = Simulator::builder().build();
/// let on = On::operation("v1-list-all-projects");
/// sim.as_admin().call(AddFault(Fault::new(on, Effect::status(503))))?;
/// assert_eq!(sim.call(ListProjects {}).unwrap_err().status(), 503);
/// assert!(sim.call(ListProjects {}).is_ok());
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Fault {
    /// The calls that it matches.
    pub on: On,
    /// The first matching call that it applies to, from 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub nth: u32,
    /// The number of calls to which it applies from there on; 0 means all.
    #[serde(default = "one")]
    pub times: u32,
    /// How long it applies after the first time, in milliseconds of simulated time; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub for_ms: Option<u64>,
    /// The probability that it applies to a matching call, over 0 and at most 1. The seed of the world decides, so the same seed
    /// selects the same calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Its effect.
    pub effect: Effect,
}

fn one() -> u32 {
    1
}

/// The calls that a rule matches: those that match every given field. Calls under `/_sim` and calls of the simulator's driver are
/// never matched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct On {
    /// The id of an operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// An HTTP method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A path; `*` matches any text, so `*` alone matches every call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The reference of a project in the path. The project may come later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The name of a user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Calls at or after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub from: Option<Timestamp>,
    /// Calls before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub until: Option<Timestamp>,
}

impl On {
    /// Matches calls of one operation.
    pub fn operation(id: &str) -> On {
        On { operation: Some(id.to_owned()), ..On::default() }
    }

    /// Matches calls of a path. `*` in it matches any text.
    pub fn path(path: &str) -> On {
        On { path: Some(path.to_owned()), ..On::default() }
    }
}

/// The effect of a rule on a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Effect {
    /// The call is refused with this status, in the service's own form.
    Status {
        /// From 400 to 599.
        status: u16,
        /// The text; the service's own by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Seconds for a `retry-after` header.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_s: Option<u64>,
        /// Additional members of the body, by name: `{"code": "not_found"}`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        members: BTreeMap<String, Value>,
        /// Additional headers of the answer, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
    },
    /// The call is refused by the rate limit, and so are all calls of that caller for some time.
    RateLimit {
        /// The length of that time, in seconds.
        seconds: u64,
    },
    /// The answer is late.
    Latency {
        /// Milliseconds of real time; the world's clock does not move.
        ms: u64,
    },
    /// The connection is reset before the call is made.
    Reset,
    /// The call is made; its answer has no body.
    Empty,
    /// The call is made; the connection breaks in the middle of the answer.
    Torn,
    /// The call is made; its answer is not JSON.
    Garbage,
    /// The call is made; the body of its answer arrives in pieces.
    Slow {
        /// Milliseconds until the last piece.
        ms: u64,
    },
    /// The call is made; the connection is reset before the answer.
    LostAnswer,
    /// The connection is reset, and the call is made later.
    Late {
        /// Milliseconds of simulated time.
        ms: u64,
    },
    /// The call is made twice; the answer is the first one.
    Twice,
    /// The call is made; its answer is changed: members are renamed, then removed, then set, then reordered. Places are JSON
    /// pointers, in which `*` matches every element or member. Places that the answer does not have are skipped; the journal and the header
    /// `x-sim-missed` name them. Refusals are also changed.
    Alter {
        /// Another status for a success, from 200 to 299.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// Places and values: `{"/*/description": null}`. A member that is not there is added.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        set: BTreeMap<String, Value>,
        /// Places that are removed: `["/saml/id"]`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drop: Vec<String>,
        /// Places of members and their new names: `{"/id": "identifier"}`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        rename: BTreeMap<String, String>,
        /// Places of lists and objects whose elements or members come in reverse order: `["/items"]`; an empty one is the whole
        /// answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reorder: Vec<String>,
        /// Headers and their values; an empty value removes the header.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
    },
    /// The call is made; its answer has no optional members.
    Lean,
    /// The call is made; its answer has all optional members, one that no edition knows, and timestamps with an offset and
    /// microseconds.
    Rich,
    /// The call is made; everything in its answer that the schema leaves open varies: optional and unknown members, order,
    /// the spelling of timestamps and numbers, `null`, members of open enums. The seed of the world and the number of the
    /// call decide.
    Varied,
    /// The call is made; lists and the members of objects in its answer are in reverse order.
    Reorder,
    /// Of a call with a list, only the first items are done; then it is refused in the service's own form. A call
    /// without a list is refused and does nothing.
    Partial {
        /// How many items are done.
        done: u32,
        /// The status of the refusal, from 400 to 599.
        status: u16,
    },
    /// The call reads an earlier state of the world.
    Stale {
        /// The age of that state in calls, at most 100, and not older than the rule.
        calls: u32,
    },
}

impl Fault {
    /// Creates a rule that applies to the first matching call.
    pub fn new(on: On, effect: Effect) -> Fault {
        Fault { on, nth: 1, times: 1, for_ms: None, probability: None, effect }
    }

    /// Applies the rule to `times` matching calls instead of one; 0 means all.
    #[must_use]
    pub fn times(self, times: u32) -> Fault {
        Fault { times, ..self }
    }

    /// Simulates an outage: the rule applies to all matching calls for `ms` milliseconds of simulated time, from the first one on.
    #[must_use]
    pub fn for_ms(self, ms: u64) -> Fault {
        Fault { times: 0, for_ms: Some(ms), ..self }
    }

    /// Applies the rule from the `nth` matching call on.
    #[must_use]
    pub fn from_nth(self, nth: u32) -> Fault {
        Fault { nth, ..self }
    }

    /// Refuses a rule that selects nothing, could never strike, or has a value out of range.
    pub(crate) fn check(&self, cx: &Cx<'_>) -> Result<(), Error> {
        self.on.check(cx)?;
        // A rule of probability 0 would never strike.
        if self.probability.is_some_and(|chance| !(chance > 0.0 && chance <= 1.0)) {
            let text = "probability: must be over 0 and at most 1";
            return Err(Error::invalid("invalid_body.probability", text));
        }
        if self.for_ms.is_some_and(|ms| !(1..=DELAY_MAX).contains(&ms)) {
            let text = format!("for_ms: must be from 1 to {DELAY_MAX}");
            return Err(Error::invalid("invalid_body.for_ms", text));
        }
        self.effect.check()?;
        self.check_answers(cx)
    }

    /// Refuses an effect on answers that none of the operations has.
    fn check_answers(&self, cx: &Cx<'_>) -> Result<(), Error> {
        let refuse = |text: &str| {
            let text = format!("effect.kind: {:?} has no effect here: {text}", self.effect.name());
            Err(Error::invalid("invalid_body.effect.kind", text))
        };
        let meant = || self.on.operations(cx);
        if matches!(self.effect, Effect::Stale { .. }) && !meant().any(|meta| meta.method == Method::Get) {
            return refuse("it is for GET");
        }
        let is_json = |meta: &Meta| {
            (200..204).contains(&meta.status) && meta.produces.iter().any(|kind| kind.ends_with("json"))
        };
        if self.effect.changes_bodies() && !meant().any(is_json) {
            return refuse("the answer is no JSON");
        }
        Ok(())
    }
}

impl On {
    /// Refuses what selects nothing, and what no call can match.
    fn check(&self, cx: &Cx<'_>) -> Result<(), Error> {
        self.check_texts()?;
        if let Some(id) = &self.operation {
            check_operation(cx, id)?;
        }
        self.check_routes(cx)?;
        if let Some(name) = &self.caller {
            check_caller(cx, name)?;
        }
        if self.from.zip(self.until).is_some_and(|(from, until)| from >= until) {
            return Err(refused("until", "must be after on.from"));
        }
        if self.until.is_some_and(|until| until <= cx.now) {
            return Err(refused("until", format!("must be after now, which is {}", cx.now)));
        }
        Ok(())
    }

    fn check_texts(&self) -> Result<(), Error> {
        let On { method, path, project, caller, .. } = self;
        for (field, text) in [("path", path), ("project", project), ("caller", caller)] {
            if text.as_ref().is_some_and(|text| text.len() > TEXT_MAX) {
                return Err(refused(field, format!("must have at most {TEXT_MAX} bytes")));
            }
        }
        if *self == On::default() {
            let text = "on: names nothing; give operation, method, path, project, caller, from or until \
                        (path \"*\" is every call)";
            return Err(Error::invalid("invalid_body.on", text));
        }
        if let Some(name) = method.as_deref().filter(|name| !METHODS.contains(name)) {
            let question = near::question(name, METHODS);
            return Err(refused("method", format!("must be GET, POST, PUT, PATCH or DELETE{question}")));
        }
        if path.as_ref().is_some_and(|path| !path.starts_with(['/', '*'])) {
            return Err(refused("path", "must begin with / or *, as in /v1/projects/*"));
        }
        Ok(())
    }

    /// The operations of which a call can match.
    fn operations<'s>(&'s self, cx: &'s Cx<'_>) -> impl Iterator<Item = &'static Meta> + 's {
        let called = |meta: &&Meta| self.operation.as_ref().is_none_or(|id| meta.has_id(id));
        let sent = |meta: &&Meta| self.method.as_ref().is_none_or(|method| method == meta.method.as_str());
        let selects = |meta: &&'static Meta| {
            self.path.as_ref().is_none_or(|path| paths(meta).any(|route| glob::meets(path, route)))
        };
        reached(cx).filter(called).filter(sent).filter(selects)
    }

    /// Refuses what no operation has: so no call of one would match.
    fn check_routes(&self, cx: &Cx<'_>) -> Result<(), Error> {
        let reached = || reached(cx);
        let called = |meta: &&Meta| self.operation.as_ref().is_none_or(|id| meta.has_id(id));
        let sent = |meta: &&Meta| self.method.as_ref().is_none_or(|method| method == meta.method.as_str());
        if !reached().filter(called).any(|meta| sent(&meta)) {
            return Err(refused("method", "is not the method of that operation"));
        }
        let meant = || reached().filter(called).filter(sent).flat_map(paths);
        if let Some(path) = &self.path
            && !meant().any(|route| glob::meets(path, route))
        {
            let text = if reached().flat_map(paths).any(|route| glob::meets(path, route)) {
                format!("{path:?} is no path of that operation or method")
            } else {
                let question = near::question(path, reached().flat_map(paths));
                format!("no operation of this service has a path like {path:?}{question}")
            };
            return Err(refused("path", text));
        }
        self.project.as_ref().map_or(Ok(()), |project| self.check_project(cx, project, meant()))
    }

    /// Refuses a project that no path of these routes can name.
    fn check_project(
        &self,
        cx: &Cx<'_>,
        project: &str,
        routes: impl Iterator<Item = &'static str>,
    ) -> Result<(), Error> {
        let contract = Setup::of(cx).contract();
        let of_project = reached(cx).find(|meta| meta.path.contains("{ref}"));
        let Some(form) = of_project.and_then(|meta| contract.by_id(meta.id)?.input().field("ref")) else {
            return Err(refused("project", "this service has no projects"));
        };
        if let Some(problem) = form.validate(&project.into()).list().first() {
            return Err(refused("project", &problem.message));
        }
        let selects = |route: &str| self.path.as_ref().is_none_or(|path| glob::meets(path, route));
        let naming = routes.filter(|route| selects(route)).filter_map(|route| naming(route, project));
        let naming: Vec<String> = naming.collect();
        if naming.is_empty() {
            return Err(refused("project", "no path of those operations names a project"));
        }
        if naming.iter().any(|path| selects(path)) {
            return Ok(());
        }
        Err(refused("project", "no path that fits on.path names it"))
    }
}

/// The operations that faults reach.
fn reached<'s>(cx: &'s Cx<'_>) -> impl Iterator<Item = &'static Meta> + 's {
    let all = Setup::of(cx).contract().operations();
    all.filter(|meta| meta.access != Access::Control || meta.by_clients)
}

fn paths(meta: &'static Meta) -> impl Iterator<Item = &'static str> {
    meta.aliases.iter().copied().chain([meta.path])
}

/// The path of a route with this reference in the place of the project's, if it has such a place.
fn naming(route: &'static str, word: &str) -> Option<String> {
    Some(route.replacen(project_in(route)?, word, 1))
}

/// The variable of a route that names a project, or the project of a branch.
pub(super) fn project_in(route: &str) -> Option<&'static str> {
    ["{ref}", "{branch_id}"].into_iter().find(|variable| route.contains(variable))
}

/// The refusal of a field of `on`.
fn refused(field: &str, problem: impl fmt::Display) -> Error {
    Error::invalid(format!("invalid_body.on.{field}"), format!("on.{field}: {problem}"))
}

fn check_operation(cx: &Cx<'_>, id: &str) -> Result<(), Error> {
    match Setup::of(cx).contract().operations().find(|meta| meta.has_id(id)) {
        None => {
            let question = near::question(id, Setup::of(cx).contract().operations().map(|meta| meta.id));
            let text = format!("there is no operation {id:?}; GET /openapi.json names them{question}");
            Err(refused("operation", text))
        }
        Some(meta) if meta.access == Access::Control && !meta.by_clients => {
            Err(refused("operation", format!("{id} drives the simulator, which no fault reaches")))
        }
        Some(_) => Ok(()),
    }
}

fn check_caller(cx: &Cx<'_>, name: &str) -> Result<(), Error> {
    if cx.db.maybe("SELECT 1 FROM user WHERE name = ?1", (name,), |_| Ok(())).is_some() {
        return Ok(());
    }
    let users = cx.db.all("SELECT name FROM user LIMIT 1000", (), |row| row.get::<_, String>(0));
    let question = near::question(name, users.iter().map(String::as_str));
    Err(refused("caller", format!("there is no user {name:?}{question}")))
}

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

impl Effect {
    /// Whether it only changes bodies that are JSON.
    fn changes_bodies(&self) -> bool {
        match self {
            Effect::Lean | Effect::Rich | Effect::Varied | Effect::Reorder => true,
            Effect::Alter { status, headers, .. } => {
                status.is_none() && headers.is_empty() && alter::changes_body(self)
            }
            _ => false,
        }
    }

    /// Refuses the call with `status` and the service's own message.
    pub fn status(status: u16) -> Effect {
        Effect::Status {
            status,
            message: None,
            retry_after_s: None,
            members: BTreeMap::new(),
            headers: BTreeMap::new(),
        }
    }

    /// Sets the value at `place` of the answer, a JSON pointer in which `*` matches every element or member.
    pub fn set(place: &str, value: impl Into<Value>) -> Effect {
        Effect::Alter {
            status: None,
            set: BTreeMap::from([(place.to_owned(), value.into())]),
            drop: Vec::new(),
            rename: BTreeMap::new(),
            reorder: Vec::new(),
            headers: BTreeMap::new(),
        }
    }

    /// The stable name: `lost_answer`.
    pub fn name(&self) -> &'static str {
        match self {
            Effect::Status { .. } => "status",
            Effect::RateLimit { .. } => "rate_limit",
            Effect::Latency { .. } => "latency",
            Effect::Reset => "reset",
            Effect::Empty => "empty",
            Effect::Torn => "torn",
            Effect::Garbage => "garbage",
            Effect::Slow { .. } => "slow",
            Effect::LostAnswer => "lost_answer",
            Effect::Late { .. } => "late",
            Effect::Twice => "twice",
            Effect::Alter { .. } => "alter",
            Effect::Lean => "lean",
            Effect::Rich => "rich",
            Effect::Varied => "varied",
            Effect::Reorder => "reorder",
            Effect::Partial { .. } => "partial",
            Effect::Stale { .. } => "stale",
        }
    }

    fn check(&self) -> Result<(), Error> {
        alter::check(self)?;
        let problem = match self {
            Effect::Status { status, .. } | Effect::Partial { status, .. }
                if !(400..=599).contains(status) =>
            {
                ("status", "must be from 400 to 599".to_owned())
            }
            Effect::Status { message: Some(text), .. } if text.len() > TEXT_MAX => {
                ("message", format!("must have at most {TEXT_MAX} bytes"))
            }
            Effect::RateLimit { seconds } if !(1..=DELAY_MAX / 1000).contains(seconds) => {
                ("seconds", format!("must be from 1 to {}", DELAY_MAX / 1000))
            }
            Effect::Latency { ms } | Effect::Slow { ms } | Effect::Late { ms }
                if !(1..=DELAY_MAX).contains(ms) =>
            {
                ("ms", format!("must be from 1 to {DELAY_MAX}"))
            }
            Effect::Stale { calls } if !(1..=STALE_MAX).contains(calls) => {
                ("calls", format!("must be from 1 to {STALE_MAX}"))
            }
            _ => return Ok(()),
        };
        let (field, text) = problem;
        Err(Error::invalid(format!("invalid_body.effect.{field}"), format!("effect.{field}: {text}")))
    }
}
