//! Calls by chance: good ones, boundary cases and wrong ones, by everyone who might call, with time in between.
//!
//! A call is generated before the world has answered the calls that come earlier, so it names things by their order
//! of creation: project 0 is the first that was made. [`Names`] knows what the world called them.

use std::fmt;
use std::time::Duration;

use http::Method;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use sim_core::Operation as _;
use sim_core::engine::{Access, Body, Meta};
use sim_core::management::addon::{ListAddons, SetAddon};
use sim_core::management::api_key::ListApiKeys;
use sim_core::management::health::{GetHealth, SetServiceHealth};
use sim_core::management::organization::{
    CreateOrganization, GetOrganization, ListMembers, ListOrganizations, RemoveMember, SetMember, SetPlan,
};
use sim_core::management::outcome::SetNextOutcome;
use sim_core::management::project::{CreateProject, DeleteProject, GetProject, ListProjects, PauseProject};
use sim_core::management::readonly::{DisableReadOnly, GetReadOnly, SetReadOnly, WriteDatabase};
use sim_core::management::restore::{CancelRestoration, ListRestoreVersions, RestoreProject};
use sim_core::management::secret::{CreateSecrets, DeleteSecrets, ListSecrets};
use sim_core::management::user::{CreateToken, CreateUser, ListTokens, ListUsers, RevokeToken};

use crate::api::{Call, Reply, Sender};
use crate::scenario::NO_PROJECT;

/// One step of a history.
#[derive(Clone)]
pub enum Step {
    /// Time goes by.
    Wait(Duration),
    /// Somebody calls.
    Ask(Ask),
}

/// One line each, so that a failing history reads as one.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Wait(length) => f.write_str(&format!("wait {length:?}")),
            Step::Ask(Ask { who, what, wrong: None }) => f.write_str(&format!("{who:?}: {what:?}")),
            Step::Ask(Ask { who, what, wrong: Some(wrong) }) => {
                f.write_str(&format!("{who:?}: {what:?} but {wrong:?}"))
            }
        }
    }
}

/// A call, in terms of what was created before it.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Who calls.
    pub who: Who,
    /// What for.
    pub what: What,
    /// What is wrong with the request's form, if anything.
    pub wrong: Option<Wrong>,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Without a token.
    Nobody,
    /// With a token that nobody has.
    Stranger,
    /// With the token of that number, from 0.
    Token(usize),
}

/// A text that stands in the program.
type Text = &'static str;

/// What a call is for. Numbers count organizations, projects, users and tokens from 0, in order of creation.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "they are the operations of the same names, with their fields")]
pub enum What {
    CreateOrganization {
        name: String,
    },
    ListOrganizations,
    GetOrganization {
        organization: usize,
    },
    ListMembers {
        organization: usize,
    },
    SetPlan {
        organization: usize,
        plan: Text,
    },
    SetMember {
        organization: usize,
        user: usize,
        role: Text,
    },
    RemoveMember {
        organization: usize,
        user: usize,
    },
    CreateUser {
        name: Text,
        email: Option<Text>,
    },
    ListUsers,
    CreateToken {
        user: usize,
        text: Option<Text>,
        scopes: Option<Vec<Text>>,
        lasts_s: Option<u64>,
    },
    ListTokens,
    RevokeToken {
        token: usize,
    },
    SetNextOutcome {
        work: Text,
        fails: bool,
    },
    CreateProject {
        organization: usize,
        name: Text,
        engine: Option<Text>,
    },
    ListProjects,
    GetProject {
        project: usize,
    },
    PauseProject {
        project: usize,
    },
    DeleteProject {
        project: usize,
    },
    ListRestoreVersions {
        project: usize,
    },
    RestoreProject {
        project: usize,
        engine: Option<Text>,
    },
    CancelRestoration {
        project: usize,
    },
    SetAddon {
        project: usize,
        addon: Text,
        enabled: bool,
    },
    ListAddons {
        project: usize,
    },
    GetHealth {
        project: usize,
        services: Vec<Text>,
        timeout_ms: Option<u32>,
    },
    SetServiceHealth {
        project: usize,
        service: Text,
        healthy: bool,
    },
    ListApiKeys {
        project: usize,
        reveal: Option<bool>,
    },
    CreateSecrets {
        project: usize,
        secrets: Vec<(Text, Text)>,
    },
    ListSecrets {
        project: usize,
    },
    DeleteSecrets {
        project: usize,
        names: Vec<Text>,
    },
    GetReadOnly {
        project: usize,
    },
    DisableReadOnly {
        project: usize,
    },
    SetReadOnly {
        project: usize,
        enabled: bool,
    },
    WriteDatabase {
        project: usize,
        bytes: i64,
    },
    /// A path that the service does not have.
    UnknownPath,
    /// A path that it has, with a method that the path has not.
    WrongMethod,
}

impl What {
    /// One good call for each operation, in the service's order. All are about the first of each kind; those that make
    /// something make a second one.
    #[rustfmt::skip]
    pub fn one_of_each() -> Vec<What> {
        vec![
            What::CreateOrganization { name: "Umbrella".to_owned() },
            What::ListOrganizations,
            What::GetOrganization { organization: 0 },
            What::ListMembers { organization: 0 },
            What::SetPlan { organization: 0, plan: "team" },
            What::SetMember { organization: 0, user: 0, role: "Owner" },
            What::RemoveMember { organization: 0, user: 0 },
            What::CreateUser { name: "zoe", email: None },
            What::ListUsers,
            What::CreateToken { user: 0, text: None, scopes: None, lasts_s: None },
            What::ListTokens,
            What::RevokeToken { token: 0 },
            What::SetNextOutcome { work: "pause", fails: true },
            What::CreateProject { organization: 0, name: "second", engine: None },
            What::ListProjects,
            What::GetProject { project: 0 },
            What::PauseProject { project: 0 },
            What::DeleteProject { project: 0 },
            What::ListRestoreVersions { project: 0 },
            What::RestoreProject { project: 0, engine: None },
            What::CancelRestoration { project: 0 },
            What::SetAddon { project: 0, addon: "pitr_7", enabled: true },
            What::ListAddons { project: 0 },
            What::GetHealth { project: 0, services: vec!["db"], timeout_ms: None },
            What::SetServiceHealth { project: 0, service: "db", healthy: false },
            What::ListApiKeys { project: 0, reveal: None },
            What::CreateSecrets { project: 0, secrets: vec![("A", "one")] },
            What::ListSecrets { project: 0 },
            What::DeleteSecrets { project: 0, names: vec!["A"] },
            What::GetReadOnly { project: 0 },
            What::DisableReadOnly { project: 0 },
            What::SetReadOnly { project: 0, enabled: true },
            What::WriteDatabase { project: 0, bytes: 1 },
        ]
    }
}

/// What is wrong with a request's form.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// A JSON body that the operation does not accept.
    Body(Value),
    /// A body that is no JSON.
    Garbage(&'static [u8]),
    /// A content type that is not read.
    ContentType(&'static str),
    /// A body beyond [`MAX_BODY_BYTES`].
    TooLarge,
    /// Another query.
    Query(&'static str),
    /// The last path parameter of that name has another value.
    Path(&'static str, &'static str),
}

/// The limit on bodies that worlds for these calls must have, so that large ones are cheap to make.
pub const MAX_BODY_BYTES: usize = 4096;

impl Wrong {
    /// The status that it deserves.
    pub fn status(&self) -> u16 {
        match self {
            Wrong::Body(_) | Wrong::Garbage(_) | Wrong::Query(_) | Wrong::Path(..) => 400,
            Wrong::TooLarge => 413,
            Wrong::ContentType(_) => 415,
        }
    }
}

/// What the world called the things that it made, in order of creation.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// References of projects.
    pub projects: Vec<String>,
    /// Slugs of organizations.
    pub organizations: Vec<String>,
    /// Names of users.
    pub users: Vec<String>,
    /// Texts of tokens.
    pub tokens: Vec<String>,
}

impl Names {
    /// The reference of a project, or a good one that is nobody's.
    pub fn project(&self, number: usize) -> &str {
        self.projects.get(number).map_or(NO_PROJECT, String::as_str)
    }

    /// The slug of an organization, or a good one that is nobody's.
    pub fn organization(&self, number: usize) -> &str {
        self.organizations.get(number).map_or("no-such-organization", String::as_str)
    }

    fn user(&self, number: usize) -> &str {
        self.users.get(number).map_or("no-such-user", String::as_str)
    }

    /// Remembers what `what` made, if `reply` says that it did.
    pub fn learn(&mut self, what: &What, reply: &Reply) {
        if reply.status != 201 {
            return;
        }
        let (list, field) = match what {
            What::CreateOrganization { .. } => (&mut self.organizations, "id"),
            What::CreateProject { .. } => (&mut self.projects, "id"),
            What::CreateUser { .. } => (&mut self.users, "name"),
            What::CreateToken { .. } => (&mut self.tokens, "token"),
            _ => return,
        };
        list.push(reply.json()[field].as_str().expect("what was made has a name").to_owned());
    }
}

/// An operation with the values of a request to it.
struct Request {
    meta: Meta,
    /// Values of the path's parameters, in order.
    path: Vec<String>,
    query: String,
    body: Option<Value>,
}

impl What {
    /// The operation's declaration. `None` for paths and methods that the service does not have.
    pub fn meta(&self) -> Option<Meta> {
        self.request(&Names::default()).map(|request| request.meta)
    }

    fn request(&self, names: &Names) -> Option<Request> {
        let of_project = |meta, project: &usize| (meta, vec![names.project(*project).to_owned()], None);
        let of_organization =
            |meta, number: &usize| (meta, vec![names.organization(*number).to_owned()], None);
        let mut query = String::new();
        let (meta, path, body) = match self {
            What::CreateOrganization { name } => {
                (CreateOrganization::META, vec![], Some(json!({ "name": name })))
            }
            What::ListOrganizations => (ListOrganizations::META, vec![], None),
            What::GetOrganization { organization } => of_organization(GetOrganization::META, organization),
            What::ListMembers { organization } => of_organization(ListMembers::META, organization),
            What::SetPlan { organization, plan } => {
                let (meta, path, _) = of_organization(SetPlan::META, organization);
                (meta, path, Some(json!({ "plan": plan })))
            }
            What::SetMember { organization, user, role } => {
                let path = vec![names.organization(*organization).to_owned(), names.user(*user).to_owned()];
                (SetMember::META, path, Some(json!({ "role": role })))
            }
            What::RemoveMember { organization, user } => {
                let path = vec![names.organization(*organization).to_owned(), names.user(*user).to_owned()];
                (RemoveMember::META, path, None)
            }
            What::CreateProject { organization, name, engine } => {
                let mut body = good_project(names.organization(*organization), name);
                if let Some(engine) = engine {
                    body["postgres_engine"] = (*engine).into();
                }
                (CreateProject::META, vec![], Some(body))
            }
            What::ListProjects => (ListProjects::META, vec![], None),
            What::GetProject { project } => of_project(GetProject::META, project),
            What::PauseProject { project } => of_project(PauseProject::META, project),
            What::DeleteProject { project } => of_project(DeleteProject::META, project),
            What::SetNextOutcome { work, fails } => {
                let outcome = if *fails { "fail" } else { "succeed" };
                (SetNextOutcome::META, vec![(*work).to_owned()], Some(json!({ "outcome": outcome })))
            }
            What::ListRestoreVersions { project } => of_project(ListRestoreVersions::META, project),
            What::RestoreProject { project, engine } => {
                let (meta, path, _) = of_project(RestoreProject::META, project);
                (meta, path, engine.map(|engine| json!({ "postgres_engine": engine })))
            }
            What::CancelRestoration { project } => of_project(CancelRestoration::META, project),
            What::GetHealth { project, services, timeout_ms } => {
                query = format!("services={}", services.join(","));
                if let Some(timeout_ms) = timeout_ms {
                    query += &format!("&timeout_ms={timeout_ms}");
                }
                of_project(GetHealth::META, project)
            }
            What::SetAddon { project, addon, enabled } => {
                let path = vec![names.project(*project).to_owned(), (*addon).to_owned()];
                (SetAddon::META, path, Some(json!({ "enabled": enabled })))
            }
            What::ListAddons { project } => of_project(ListAddons::META, project),
            What::SetServiceHealth { project, service, healthy } => {
                let path = vec![names.project(*project).to_owned(), (*service).to_owned()];
                (SetServiceHealth::META, path, Some(json!({ "healthy": healthy })))
            }
            What::ListApiKeys { project, reveal } => {
                query = reveal.map_or_else(String::new, |reveal| format!("reveal={reveal}"));
                of_project(ListApiKeys::META, project)
            }
            What::CreateSecrets { project, secrets } => {
                let (meta, path, _) = of_project(CreateSecrets::META, project);
                let body = secrets.iter().map(|(name, value)| json!({ "name": name, "value": value }));
                (meta, path, Some(body.collect()))
            }
            What::ListSecrets { project } => of_project(ListSecrets::META, project),
            What::DeleteSecrets { project, names: secrets } => {
                let (meta, path, _) = of_project(DeleteSecrets::META, project);
                (meta, path, Some(json!(secrets)))
            }
            What::GetReadOnly { project } => of_project(GetReadOnly::META, project),
            What::DisableReadOnly { project } => of_project(DisableReadOnly::META, project),
            What::SetReadOnly { project, enabled } => {
                let (meta, path, _) = of_project(SetReadOnly::META, project);
                (meta, path, Some(json!({ "enabled": enabled })))
            }
            What::WriteDatabase { project, bytes } => {
                let (meta, path, _) = of_project(WriteDatabase::META, project);
                (meta, path, Some(json!({ "bytes": bytes })))
            }
            What::CreateUser { name, email } => {
                let body = given([("name", Some(json!(name))), ("email", email.map(Value::from))]);
                (CreateUser::META, vec![], Some(body))
            }
            What::ListUsers => (ListUsers::META, vec![], None),
            What::CreateToken { user, text, scopes, lasts_s } => {
                let body = given([
                    ("token", text.map(Value::from)),
                    ("scopes", scopes.as_ref().map(|scopes| json!(scopes))),
                    ("lasts_s", lasts_s.map(Value::from)),
                ]);
                (CreateToken::META, vec![names.user(*user).to_owned()], Some(body))
            }
            What::ListTokens => (ListTokens::META, vec![], None),
            What::RevokeToken { token } => (RevokeToken::META, vec![(token + 1).to_string()], None),
            What::UnknownPath | What::WrongMethod => return None,
        };
        Some(Request { meta, path, query, body })
    }
}

/// An object of the fields that have a value.
fn given<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect::<Map<_, _>>()
        .into()
}

fn good_project(organization: &str, name: &str) -> Value {
    json!({ "db_pass": "hunter22", "name": name, "organization_id": organization, "region": "eu-west-1" })
}

impl Ask {
    /// The request, with the names that the world gave.
    pub fn call(&self, names: &Names) -> Call {
        let mut call = match self.what.request(names) {
            Some(request) => self.spoil(request),
            None if matches!(self.what, What::UnknownPath) => Call::get("/v1/nothing/here"),
            None => Call::new(Method::PATCH, "/v1/projects"),
        };
        call.sender = match self.who {
            Who::Nobody => Sender::Nobody,
            Who::Stranger => Sender::Token("pat_nobody-has-this".to_owned()),
            Who::Token(number) => {
                Sender::Token(names.tokens.get(number).map_or("pat_not-made-yet", String::as_str).to_owned())
            }
        };
        call
    }

    fn spoil(&self, request: Request) -> Call {
        let Request { meta, path, mut query, body } = request;
        let mut values = path.into_iter();
        let mut target: String = meta.path.to_owned();
        for name in meta.path_names() {
            let value = values.next().expect("each parameter has a value");
            let value = match &self.wrong {
                Some(Wrong::Path(spoilt, wrong)) if *spoilt == name => (*wrong).to_owned(),
                _ => value,
            };
            target = target.replace(&format!("{{{name}}}"), &value);
        }
        if let Some(Wrong::Query(wrong)) = &self.wrong {
            query = (*wrong).to_owned();
        }
        if !query.is_empty() {
            target += &format!("?{query}");
        }
        let method = meta.method.as_str().parse().expect("methods have good names");
        let call = Call::new(method, &target);
        match (&self.wrong, body) {
            (Some(Wrong::Body(wrong)), _) => call.json(wrong.clone()),
            (Some(Wrong::Garbage(bytes)), _) => call.bytes("application/json", *bytes),
            (Some(Wrong::TooLarge), _) => call.json(json!("x".repeat(MAX_BODY_BYTES))),
            (Some(Wrong::ContentType(other)), body) => {
                call.bytes(other, body.unwrap_or_else(|| json!({})).to_string())
            }
            (_, Some(body)) => call.json(body),
            (_, None) => call,
        }
    }
}

/// Everything that can be wrong with the form of a request for `what`.
pub fn wrongs(what: &What) -> Vec<Wrong> {
    let Some(meta) = what.meta() else { return Vec::new() };
    let mut wrongs = Vec::new();
    for name in meta.path_names() {
        let values: &[&str] = match (name, meta.access) {
            ("ref", _) => {
                &["short", "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst1", "%20", "%FF", "..%2F..%2Fetc"]
            }
            ("slug", Access::Token) => &["no%20blanks", "dots.and.more", "%00"],
            ("addon", _) => &["sauna", "pitr"],
            ("work", _) => &["nap", "CREATE"],
            ("service", _) => &["cron", "Auth"],
            ("id", _) => &["one", "-1", "1234567890123456789"],
            _ => &[],
        };
        wrongs.extend(values.iter().map(|value| Wrong::Path(name, value)));
    }
    let queries: &[&str] = match what {
        What::GetHealth { .. } => &[
            "",
            "services=",
            "services=cron",
            "services=auth,cron",
            "services=auth&timeout_ms=10001",
            "services=auth&timeout_ms=-1",
            "services=auth&timeout_ms=soon",
            "services=auth&timeout_ms=1.5",
        ],
        What::ListApiKeys { .. } => &["reveal=perhaps", "reveal=", "reveal=1"],
        _ => &[],
    };
    wrongs.extend(queries.iter().map(|query| Wrong::Query(query)));
    if meta.body != Body::None {
        wrongs.extend([
            Wrong::TooLarge,
            Wrong::ContentType("text/html"),
            Wrong::ContentType("application/xml"),
        ]);
        let garbage: [&[u8]; 6] =
            [b"{", b"[1,", b"{\"name\"}", b"\xff\xfe", b"nonsense", b"{\"bytes\":1e999}"];
        wrongs.extend(garbage.map(Wrong::Garbage));
        wrongs.extend(wrong_bodies(what).into_iter().map(Wrong::Body));
    }
    wrongs
}

fn wrong_bodies(what: &What) -> Vec<Value> {
    let mut bodies = vec![json!(7), json!("text"), json!(true), json!(null)];
    bodies.extend(match what {
        What::CreateOrganization { .. } => vec![
            json!({}),
            json!([]),
            json!({ "name": "" }),
            json!({ "name": null }),
            json!({ "name": 7 }),
            json!({ "name": "x".repeat(257) }),
            json!({ "name": "x", "plan": "pro" }),
        ],
        What::CreateProject { .. } => wrong_projects(),
        What::SetPlan { .. } => {
            vec![json!({}), json!({ "plan": "gold" }), json!({ "plan": "pro", "seats": 1 })]
        }
        What::SetMember { .. } => vec![json!({}), json!({ "role": "owner" }), json!({ "role": ["Owner"] })],
        What::SetNextOutcome { .. } => {
            vec![json!({}), json!({ "outcome": "maybe" }), json!({ "outcome": false })]
        }
        What::RestoreProject { .. } => vec![
            json!([]),
            json!({ "postgres_engine": "12" }),
            json!({ "postgres_engine": 15 }),
            json!({ "release_channel": "nightly" }),
        ],
        What::SetServiceHealth { .. } => {
            vec![json!({}), json!({ "healthy": "yes" }), json!({ "healthy": null })]
        }
        What::CreateSecrets { .. } => vec![
            json!({}),
            json!({ "name": "A", "value": "b" }),
            json!(["A"]),
            json!([{ "name": "A" }]),
            json!([{ "value": "b" }]),
            json!([{ "name": "", "value": "b" }]),
            json!([{ "name": "A", "value": 7 }]),
            json!([{ "name": "PLATFORM_A", "value": "b" }]),
            json!([{ "name": "A", "value": "b" }, { "name": "x".repeat(257), "value": "b" }]),
        ],
        What::DeleteSecrets { .. } => vec![json!({}), json!([1]), json!([null]), json!([["A"]])],
        What::SetReadOnly { .. } => {
            vec![json!({}), json!({ "enabled": 1 }), json!({ "enabled": true, "x": 1 })]
        }
        What::WriteDatabase { .. } => vec![
            json!({}),
            json!({ "bytes": "1" }),
            json!({ "bytes": 1.5 }),
            json!({ "bytes": 1_000_000_000_000_001_i64 }),
            json!({ "bytes": u64::MAX }),
        ],
        What::CreateUser { .. } => {
            vec![json!({}), json!({ "name": "" }), json!({ "name": "x", "mfa_enabled": "no" })]
        }
        What::CreateToken { .. } => vec![
            json!({ "lasts_s": 0 }),
            json!({ "lasts_s": -1 }),
            json!({ "scopes": "projects:read" }),
            json!({ "token": 7 }),
            json!({ "user": 7, "surprise": 1 }),
        ],
        _ => vec![],
    });
    bodies
}

/// Good bodies of a create, each with one thing changed for the worse.
fn wrong_projects() -> Vec<Value> {
    let changed = |field: &str, value: Value| {
        let mut body = good_project("acme", "wrong");
        body[field] = value;
        body
    };
    let without = |field: &str| {
        let mut body = good_project("acme", "wrong");
        body.as_object_mut().expect("it is an object").remove(field);
        body
    };
    vec![
        json!([]),
        json!({}),
        without("db_pass"),
        without("name"),
        without("organization_id"),
        without("region"),
        changed("db_pass", json!("abc")),
        changed("db_pass", json!(["hunter22"])),
        changed("name", json!("")),
        changed("name", json!("x".repeat(257))),
        changed("name", json!(null)),
        changed("name", json!("with.dot")),
        changed("organization_id", json!(1)),
        changed("region", json!("moon-1")),
        changed("region", json!(["eu-west-1"])),
        changed("plan", json!("gold")),
        changed("kps_enabled", json!("true")),
        changed("desired_instance_size", json!("huge")),
        changed("template_url", json!("not a url")),
        changed("postgres_engine", json!("9.6")),
        changed("surprise", json!(1)),
    ]
}

/// How many of each there are, so that calls go to what exists and to one more that does not.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Organizations.
    pub organizations: usize,
    /// Status of each project, those gone included.
    pub projects: Vec<&'static str>,
    /// Users.
    pub users: usize,
    /// Tokens.
    pub tokens: usize,
    /// Until the next piece of work is due, if any.
    pub next_due: Option<Duration>,
}

/// A step in a world of that extent.
pub fn step(extent: Extent) -> BoxedStrategy<Step> {
    prop_oneof![1 => wait(extent.next_due).prop_map(Step::Wait), 7 => ask(&extent).prop_map(Step::Ask)]
        .boxed()
}

/// A while: the lengths on which something hinges, to the microsecond, and the time until work falls due.
fn wait(next_due: Option<Duration>) -> BoxedStrategy<Duration> {
    const TICK: Duration = Duration::from_micros(1);
    let hinges = [1, 20, 60, 120, 15 * 60].map(Duration::from_secs);
    let mut lengths: Vec<_> =
        hinges.into_iter().flat_map(|length| [length - TICK, length, length + TICK]).collect();
    lengths.extend([TICK, Duration::from_millis(400), Duration::from_secs(86_400)]);
    if let Some(due) = next_due {
        let around = [due.saturating_sub(TICK), due, due + TICK];
        lengths.extend(around.repeat(4));
    }
    select(lengths).boxed()
}

/// A call by anyone for anything, one in five with a wrong form.
pub fn ask(extent: &Extent) -> impl Strategy<Value = Ask> + use<> {
    (who(extent.tokens), what(extent), proptest::option::weighted(0.2, any::<prop::sample::Index>()))
        .prop_map(|(who, what, wrong)| {
            let mut wrongs = wrongs(&what);
            let wrong = wrong.filter(|_| !wrongs.is_empty()).map(|index| {
                let chosen = index.index(wrongs.len());
                wrongs.swap_remove(chosen)
            });
            Ask { who, what, wrong }
        })
}

/// The first user half of the time, else anyone.
pub fn who(tokens: usize) -> impl Strategy<Value = Who> {
    prop_oneof![
        10 => Just(Who::Token(0)),
        10 => (0..tokens.max(1)).prop_map(Who::Token),
        1 => Just(Who::Nobody),
        1 => Just(Who::Stranger),
    ]
}

const ROLES: [&str; 4] = ["Read-only", "Developer", "Administrator", "Owner"];
const SERVICES: [&str; 6] = ["auth", "db", "pooler", "realtime", "rest", "storage"];
const ADDONS: [&str; 4] = ["custom_domain", "pitr_7", "pitr_14", "pitr_28"];
const SECRETS: [&str; 5] = ["A", "B", "C", "D", "platform_LOWER"];
const ENGINES: [&str; 3] = ["15", "17", "17-oriole"];
const SCOPES: [&str; 7] = [
    "organizations:read",
    "projects:read",
    "projects:write",
    "secrets:read",
    "secrets:write",
    "database:read",
    "database:write",
];

/// Something to ask for, of everything that the service can do.
pub fn what(extent: &Extent) -> BoxedStrategy<What> {
    let project = 0..=extent.projects.len();
    prop_oneof![
        7 => of_a_project(project.clone()),
        4 => fitting(&extent.projects),
        6 => settings_of_a_project(project),
        5 => of_organizations(extent),
        3 => of_users(extent),
        1 => prop_oneof![Just(What::UnknownPath), Just(What::WrongMethod)],
    ]
    .boxed()
}

/// What fits where the projects are in their lives; left to chance, few get far.
fn fitting(statuses: &[Text]) -> BoxedStrategy<What> {
    let mut steps = vec![What::CreateProject { organization: 0, name: "epsilon", engine: None }];
    for (project, status) in statuses.iter().enumerate() {
        match *status {
            "ACTIVE_HEALTHY" => steps.extend([
                What::PauseProject { project },
                What::WriteDatabase { project, bytes: 500_000_000 },
                What::SetServiceHealth { project, service: "db", healthy: false },
            ]),
            "ACTIVE_UNHEALTHY" => {
                steps.push(What::SetServiceHealth { project, service: "db", healthy: true });
            }
            "INACTIVE" => steps.push(What::RestoreProject { project, engine: None }),
            "RESTORING" => steps.push(What::CancelRestoration { project }),
            _ => {}
        }
    }
    select(steps).boxed()
}

fn of_a_project(project: std::ops::RangeInclusive<usize>) -> BoxedStrategy<What> {
    let names = select(vec!["alpha", "beta", "gamma", "delta", "ünï ço∂e"]);
    let engine = || proptest::option::weighted(0.3, select(ENGINES.to_vec()));
    let work = select(vec!["create", "pause", "restore"]);
    prop_oneof![
        4 => (0..3_usize, names, engine())
            .prop_map(|(organization, name, engine)| What::CreateProject { organization, name, engine }),
        1 => Just(What::ListProjects),
        2 => project.clone().prop_map(|project| What::GetProject { project }),
        4 => project.clone().prop_map(|project| What::PauseProject { project }),
        4 => (project.clone(), engine())
            .prop_map(|(project, engine)| What::RestoreProject { project, engine }),
        2 => project.clone().prop_map(|project| What::CancelRestoration { project }),
        1 => project.clone().prop_map(|project| What::ListRestoreVersions { project }),
        1 => project.prop_map(|project| What::DeleteProject { project }),
        1 => (work, any::<bool>()).prop_map(|(work, fails)| What::SetNextOutcome { work, fails }),
    ]
    .boxed()
}

fn settings_of_a_project(project: std::ops::RangeInclusive<usize>) -> BoxedStrategy<What> {
    let p = || project.clone();
    let services = proptest::collection::vec(select(SERVICES.to_vec()), 1..4);
    let timeout_ms = proptest::option::of(select(vec![0, 1, 49, 50, 51, 10_000]));
    let values = select(vec!["", "one", "zwei", "trois\n"]);
    let secrets = proptest::collection::vec((select(SECRETS.to_vec()), values), 0..4);
    let bytes = select(vec![
        0,
        1,
        -1,
        490_000_000,
        490_000_001,
        7_782_400_000,
        1_000_000_000_000,
        -1_000_000_000_000_000,
    ]);
    prop_oneof![
        (p(), services, timeout_ms).prop_map(|(project, services, timeout_ms)| What::GetHealth {
            project,
            services,
            timeout_ms
        }),
        (p(), select(SERVICES.to_vec()), any::<bool>())
            .prop_map(|(project, service, healthy)| What::SetServiceHealth { project, service, healthy }),
        (p(), any::<Option<bool>>()).prop_map(|(project, reveal)| What::ListApiKeys { project, reveal }),
        (p(), secrets).prop_map(|(project, secrets)| What::CreateSecrets { project, secrets }),
        p().prop_map(|project| What::ListSecrets { project }),
        (p(), proptest::collection::vec(select(SECRETS.to_vec()), 0..3))
            .prop_map(|(project, names)| What::DeleteSecrets { project, names }),
        (p(), select(ADDONS.to_vec()), any::<bool>()).prop_map(|(project, addon, enabled)| What::SetAddon {
            project,
            addon,
            enabled
        }),
        p().prop_map(|project| What::ListAddons { project }),
        p().prop_map(|project| What::GetReadOnly { project }),
        p().prop_map(|project| What::DisableReadOnly { project }),
        (p(), any::<bool>()).prop_map(|(project, enabled)| What::SetReadOnly { project, enabled }),
        (p(), bytes).prop_map(|(project, bytes)| What::WriteDatabase { project, bytes }),
    ]
    .boxed()
}

fn of_organizations(extent: &Extent) -> BoxedStrategy<What> {
    let o = || 0..=extent.organizations;
    let user = || 0..=extent.users;
    prop_oneof![
        1 => select(vec!["Umbrella".to_owned(), "x".repeat(256), "…".to_owned()])
            .prop_map(|name| What::CreateOrganization { name }),
        1 => Just(What::ListOrganizations),
        1 => o().prop_map(|organization| What::GetOrganization { organization }),
        1 => o().prop_map(|organization| What::ListMembers { organization }),
        1 => (o(), select(vec!["free", "pro", "team", "enterprise"]))
            .prop_map(|(organization, plan)| What::SetPlan { organization, plan }),
        2 => (o(), user(), select(ROLES.to_vec()))
            .prop_map(|(organization, user, role)| What::SetMember { organization, user, role }),
        1 => (o(), user()).prop_map(|(organization, user)| What::RemoveMember { organization, user }),
    ]
    .boxed()
}

fn of_users(extent: &Extent) -> BoxedStrategy<What> {
    let email = proptest::option::of(select(vec!["same@example.test", "owner@example.test"]));
    let text = proptest::option::of(select(vec!["token-one", "token-two", "token-three"]));
    let scopes = proptest::option::of(proptest::sample::subsequence(SCOPES.to_vec(), 0..=SCOPES.len()));
    let lasts_s = proptest::option::of(select(vec![1, 60, 3_153_600_000]));
    prop_oneof![
        1 => (select(vec!["zoe", "owner", "max"]), email)
            .prop_map(|(name, email)| What::CreateUser { name, email }),
        1 => Just(What::ListUsers),
        3 => (0..=extent.users, text, scopes, lasts_s)
            .prop_map(|(user, text, scopes, lasts_s)| What::CreateToken { user, text, scopes, lasts_s }),
        1 => Just(What::ListTokens),
        1 => (0..=extent.tokens).prop_map(|token| What::RevokeToken { token }),
    ]
    .boxed()
}
