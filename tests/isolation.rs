//! Nobody can read or change what belongs to others. Every operation of both services is called with ids of another user's
//! resources, by every caller without access. Operations, paths and valid calls come from the registries, so a new operation is
//! tested automatically.

use std::cell::Cell;
use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};
use sim_core::engine::{Access, Body, Meta};
use sim_core::seed::{Seed, Services};
use sim_core::{Policy, RateLimit, Role, Simulator, UserSpec};
use sim_fixtures::strategies::{Ask, Names, What, Who};
use sim_fixtures::{Api, Call, InProcess, Scene, api, scenario};
use sim_http::Server;

use crate::support::seconds;

/// Callers of another organization, and their role there.
const STRANGERS: [(&str, Role); 4] = [
    ("stranger-reader", Role::ReadOnly),
    ("stranger-developer", Role::Developer),
    ("stranger-administrator", Role::Administrator),
    ("stranger-owner", Role::Owner),
];

/// Shorter texts are common words, which anybody may know.
const DISTINCT: usize = 8;

/// A call that its owner may make.
pub(crate) struct Asked {
    pub(crate) meta: Meta,
    /// The role it takes, as named in the reference model.
    least_role: &'static str,
    /// The scope that it takes.
    scope: Option<&'static str>,
    pub(crate) call: Call,
}

/// A world with things of one user, a valid call of each operation, and every text by which the things could
/// be recognised.
struct Home {
    /// Calls that were made without access.
    made: Cell<usize>,
    sim: Simulator,
    project: String,
    calls: Vec<Asked>,
    planted: BTreeSet<String>,
}

/// The texts of the home in a call: a response may repeat what the caller sent.
fn named<'h>(home: &'h Home, call: &Call) -> BTreeSet<&'h String> {
    let said = format!("{} {}", call.path, String::from_utf8_lossy(&call.body));
    home.planted.iter().filter(|text| said.contains(*text)).collect()
}

/// For docs/reliability.md: shown with `--nocapture`.
impl Drop for Home {
    fn drop(&mut self) {
        println!(
            "{} operations, {} texts planted, {} calls made",
            self.calls.len(),
            self.planted.len(),
            self.made.get()
        );
    }
}

/// Responses that the owner may get and others may not.
const REFUSALS: [u16; 3] = [401, 403, 404];

impl Home {
    /// Sends `call` in a fork. The response contains nothing of the home that the call did not name, and a
    /// refusal changes nothing. Returns status and reason.
    fn intrude(&self, asked: &Asked, call: Call) -> (u16, String) {
        self.made.set(self.made.get() + 1);
        let (sim, before) = (self.sim.fork(), self.sim.snapshot());
        let mut here = InProcess::new(Scene { sim, project: self.project.as_str().into() });
        let said = named(self, &call);
        let reply = here.send(call.clone());
        let told = format!("{:?} {}", reply.headers, String::from_utf8_lossy(&reply.body));
        for text in self.planted.iter().filter(|text| !said.contains(text)) {
            assert!(!told.contains(text.as_str()), "{}: {text} is shown to {call}: {reply}", asked.meta.id);
        }
        if reply.status >= 400 {
            let after = api::peek(&mut here, |sim| sim.snapshot());
            assert!(
                after.has_rows_of(&before),
                "{}: refused, and yet something changed: {call}",
                asked.meta.id
            );
            assert!(asked.meta.statuses().contains(&reply.status), "{}: {reply} to {call}", asked.meta.id);
        }
        (reply.status, reply.reason().to_owned())
    }

    /// Sends `call` in a fork and requires a refusal with one of these statuses.
    fn refused(&self, asked: &Asked, call: Call, statuses: &[u16]) -> String {
        let (status, reason) = self.intrude(asked, call.clone());
        assert!(statuses.contains(&status), "{}: {status} {reason} to {call}", asked.meta.id);
        reason
    }

    /// Whether the call is about a thing of the home.
    fn concerns(&self, asked: &Asked) -> bool {
        asked.call.path.contains("/acme") || !named(self, &asked.call).is_empty()
    }
}

fn unlimited() -> Policy {
    Policy { rate_limit: RateLimit::off(), ..Policy::default() }
}

/// Every text in `value` that is long enough to be distinctive.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.len() >= DISTINCT => drop(found.insert(text.clone())),
        Value::Array(list) => list.iter().for_each(|one| texts(one, found)),
        Value::Object(fields) => fields.values().for_each(|one| texts(one, found)),
        _ => {}
    }
}

/// All texts that the owner gets by reading.
fn seen(sim: &Simulator, project: &str, calls: &[Asked]) -> BTreeSet<String> {
    let mut here = InProcess::new(Scene { sim: sim.fork(), project: project.into() });
    let mut found = BTreeSet::new();
    for asked in calls.iter().filter(|asked| asked.call.method == Method::GET) {
        let reply = here.send(asked.call.clone());
        if let Ok(answer) = serde_json::from_slice(&reply.body) {
            texts(&answer, &mut found);
        }
    }
    found
}

/// Texts that only this home contains; texts of an equal home with another seed are removed.
fn home(begin: fn(u64) -> (Simulator, String, Vec<Asked>)) -> Home {
    let (sim, project, mut calls) = begin(1);
    let (other, other_project, other_calls) = begin(2);
    // The control API may see and do everything.
    calls.retain(|asked| asked.meta.access != Access::Control);
    let common = seen(&other, &other_project, &other_calls);
    let planted = seen(&sim, &project, &calls).difference(&common).cloned().collect();
    Home { made: Cell::default(), sim, project, calls, planted }
}

/// A project of `acme` with one of everything that a call can create, and a second organization.
pub(crate) fn management(seed: u64) -> (Simulator, String, Vec<Asked>) {
    let world = STRANGERS.iter().fold(scenario::cast("pro"), |world, (name, _)| {
        world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
    });
    let world = world.organization("Globex", "pro", &STRANGERS);
    let sim = Simulator::builder().seed(seed).world(world).policy(unlimited()).build();
    let Scene { sim, project } = scenario::project_in(sim);
    let mut names = Names::of_cast(&project.0);
    let mut here = InProcess::new(Scene { sim, project: project.clone() });
    for what in What::one_of_each() {
        let meta = what.meta();
        let harms = ["/_sim/faults", "/_sim/outcomes"].iter().any(|path| meta.path.starts_with(path));
        if matches!(meta.method.as_str(), "GET" | "DELETE") || harms {
            continue;
        }
        let before = api::peek(&mut here, |sim| sim.snapshot());
        let reply = here.send(Ask { who: Who::Token(0), what: what.clone(), wrong: None }.call(&names));
        here.advance(seconds(600));
        if here.get("/v1/projects/{ref}").json()["status"] == "ACTIVE_HEALTHY" {
            names.learn(&what, &reply);
        } else {
            api::peek(&mut here, |sim| sim.restore(&before));
        }
    }
    for (name, _) in STRANGERS {
        let scopes: BTreeSet<_> = What::one_of_each().iter().filter_map(What::scope).collect();
        let token = json!({ "token": format!("app-of-{name}"), "scopes": scopes });
        assert_eq!(here.post(&format!("/_sim/users/{name}/tokens"), token).status, 201);
    }
    here.post("/_sim/users/owner/tokens", json!({ "token": "expired", "lasts_s": 1 }));
    here.advance(seconds(1));
    let sim = api::peek(&mut here, |sim| sim.fork());
    let calls = What::one_of_each().into_iter().map(|what| Asked {
        meta: what.meta(),
        least_role: what.least_role(),
        scope: what.scope(),
        call: Ask { who: Who::Token(0), what, wrong: None }.call(&names),
    });
    let calls = calls.collect();
    (sim, project.0, calls)
}

/// A user of the analytics server with one of everything, and a second user.
pub(crate) fn analytics(seed: u64) -> (Simulator, String, Vec<Asked>) {
    let world = ["owner", "outsider"].into_iter().fold(sim_core::World::empty(), |world, name| {
        world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
    });
    let sim = Simulator::analytics().seed(seed).world(world).policy(unlimited()).build();
    let metas: Vec<Meta> = sim.registry().operations().copied().collect();
    let is_list = |meta: &&Meta| {
        meta.method.as_str() == "GET" && meta.access == Access::Token && adds(&metas, meta.path)
    };
    let lists: BTreeSet<&str> = metas.iter().filter(is_list).map(|meta| meta.path).collect();
    let mut here = InProcess::new(sim);
    // Each list has an operation that adds to it; some things need others first.
    let mut missing: Vec<&str> = lists.iter().copied().collect();
    while !missing.is_empty() {
        let before = missing.len();
        let mut refusals = Vec::new();
        missing.retain(|path| {
            let makes = |meta: &&Meta| meta.method.as_str() == "POST" && meta.path == *path;
            let body = body_of(&mut here, metas.iter().find(makes).expect("something adds to it"));
            let reply = here.post(path, body);
            refusals.push(format!("{path}: {reply}"));
            reply.status != 201
        });
        assert!(missing.len() < before, "add valid fields to `good`: {refusals:#?}");
    }
    let source = first(&mut here, "/api/sources");
    here.post(&format!("/api/logs?source={source}"), json!({ "message": format!("event of seed {seed}") }));
    let sim = api::peek(&mut here, |sim| sim.fork());
    let calls = metas.into_iter().map(|meta| Asked {
        meta,
        least_role: "anyone",
        scope: meta.scope.map(|scope| scope.0),
        call: filled(&mut here, &meta, &lists),
    });
    let calls = calls.collect();
    (sim, scenario::NO_PROJECT.to_owned(), calls)
}

fn adds(metas: &[Meta], path: &str) -> bool {
    metas.iter().any(|meta| meta.method.as_str() == "POST" && meta.path == path)
}

/// The token of the first thing in a list.
fn first(api: &mut dyn Api, path: &str) -> String {
    let list = api.get(path).json();
    let token = list[0]["token"].as_str().or(list[0]["id"].as_str());
    token.unwrap_or_else(|| panic!("{path} has something in it: {list}")).to_owned()
}

/// A body for an operation: key values are a list, everything else takes fields.
fn body_of(api: &mut dyn Api, meta: &Meta) -> Value {
    match meta.body {
        Body::Field(_) => json!([{ "key": "planted", "value": "planted" }]),
        _ => good(api),
    }
}

/// Fields that make each thing of the analytics server valid; a thing ignores the fields it does not have.
fn good(api: &mut dyn Api) -> Value {
    let source = api.get("/api/sources").json()[0]["id"].clone();
    let backend = api.get("/api/backends").json()[0]["id"].clone();
    json!({
        "name": "planted", "query": "select 1 as x", "cron": "@daily", "scopes": "public", "type": "otlp",
        "config": { "endpoint": "http://otlp.test" },
        "description": "planted", "lql_string": "planted", "source_id": source, "backend_id": backend,
    })
}

/// A call of the operation, about the first thing of each list that its path names.
fn filled(api: &mut dyn Api, meta: &Meta, lists: &BTreeSet<&str>) -> Call {
    let words: Vec<&str> = meta.path.split('/').collect();
    let mut path = meta.path.to_owned();
    for name in meta.path_names() {
        let place = words.iter().position(|word| *word == format!("{{{name}}}")).unwrap_or_default();
        let list = words[..place].iter().rev().map(|word| format!("/api/{word}"));
        let list = list.into_iter().find(|list| lists.contains(list.as_str()));
        let value = list.map_or("json".to_owned(), |list| first(api, &list));
        path = path.replace(&format!("{{{name}}}"), &value);
    }
    let source = first(api, "/api/sources");
    let query = meta.query.iter().filter_map(|name| match *name {
        "source" => Some(format!("source={source}")),
        "sql" => Some("sql=select+id+from+planted".to_owned()),
        _ => None,
    });
    let query = query.collect::<Vec<_>>().join("&");
    let call = Call::new(meta.method.as_str().parse().expect("a method"), &format!("{path}?{query}"));
    if meta.method.as_str() == "GET" { call } else { call.json(body_of(api, meta)) }
}

/// All callers without a valid token, with the reason that `explain` gives.
fn tokens_that_are_not_good(foreign: &str) -> Vec<(Option<&str>, &'static str)> {
    vec![
        (None, "token_missing"),
        (Some("nobody-has-this"), "token_unknown"),
        (Some("TOKEN-OF-OWNER"), "token_unknown"),
        (Some("token-of-owne"), "token_unknown"),
        (Some("token-of-owner1"), "token_unknown"),
        (Some("expired"), "token_expired"),
        (Some(foreign), "token_unknown"),
    ]
}

fn with(call: &Call, token: Option<&str>) -> Call {
    token.map_or_else(|| call.clone().nobody(), |token| call.clone().token(token))
}

#[test]
fn the_owner_may_make_the_calls_that_others_may_not() {
    for (begin, least) in [(management as fn(u64) -> _, 60), (analytics, 30)] {
        let home = home(begin);
        assert!(home.planted.len() > 10, "there is something to report: {:?}", home.planted);
        let mut about = 0;
        for asked in home.calls.iter().filter(|asked| asked.meta.access == Access::Token) {
            let mut here =
                InProcess::new(Scene { sim: home.sim.fork(), project: home.project.as_str().into() });
            let reply = here.send(asked.call.clone());
            about += usize::from(home.concerns(asked) && !REFUSALS.contains(&reply.status));
        }
        assert!(about >= least, "{about} calls are about existing things");
    }
}

#[test]
fn tokens_of_nobody_of_elsewhere_and_of_another_world_open_nothing() {
    let elsewhere = Simulator::builder().seed(9).build().token().to_owned();
    for begin in [management as fn(u64) -> _, analytics] {
        let home = home(begin);
        for asked in home.calls.iter().filter(|asked| asked.meta.access == Access::Token) {
            for (token, reason) in tokens_that_are_not_good(&elsewhere) {
                let found = home.refused(asked, with(&asked.call, token), &[401]);
                // The analytics server's world has no expired token.
                assert!(
                    found == reason || reason == "token_expired",
                    "{}: {found}, not {reason}",
                    asked.meta.id
                );
            }
        }
    }
}

#[test]
fn members_of_another_organization_see_and_move_nothing() {
    let home = home(management);
    let mut refused = 0;
    for asked in home.calls.iter().filter(|asked| asked.meta.access == Access::Token) {
        for (name, _) in STRANGERS {
            for token in [format!("token-of-{name}"), format!("app-of-{name}")] {
                let call = asked.call.clone().token(&token);
                if home.concerns(asked) {
                    // A snippet of another user is treated as unknown, which is 406.
                    home.refused(asked, call, &[403, 404, 406]);
                    refused += 1;
                } else {
                    home.intrude(asked, call);
                }
            }
        }
    }
    assert!(refused > 500, "{refused} calls were refused");
}

#[test]
fn members_of_too_low_a_role_and_apps_without_the_scope_move_nothing() {
    const RANKS: [(&str, &str); 4] = [
        ("reader", "Read-only"),
        ("developer", "Developer"),
        ("administrator", "Administrator"),
        ("owner", "Owner"),
    ];
    let mut home = home(management);
    let scopes: BTreeSet<_> = home.calls.iter().filter_map(|asked| asked.scope).collect();
    let mut admin = InProcess::new(Scene { sim: home.sim.fork(), project: home.project.as_str().into() });
    for scope in &scopes {
        let others: Vec<_> = scopes.iter().filter(|other| *other != scope).collect();
        admin.post("/_sim/users/owner/tokens", json!({ "token": format!("not-{scope}"), "scopes": others }));
    }
    home.sim = api::peek(&mut admin, |sim| sim.fork());
    for asked in home.calls.iter().filter(|asked| asked.meta.access == Access::Token) {
        let least = RANKS.iter().position(|(_, role)| *role == asked.least_role).unwrap_or_default();
        for (user, _) in &RANKS[..least] {
            let reason = home.refused(asked, asked.call.clone().token(&format!("token-of-{user}")), &[403]);
            assert_eq!(reason, "role_too_low", "{} as {user}", asked.meta.id);
        }
        let lacking: Vec<_> =
            scopes.iter().filter(|scope| asked.scope.is_none_or(|own| own == **scope)).collect();
        for scope in lacking {
            let reason = home.refused(asked, asked.call.clone().token(&format!("not-{scope}")), &[403]);
            assert_eq!(reason, "scope_missing", "{} without {scope}", asked.meta.id);
        }
    }
}

#[test]
fn users_of_the_analytics_server_have_nothing_in_common() {
    let mut home = home(analytics);
    let mut admin = InProcess::new(home.sim.fork());
    let scopes = ["public", "ingest", "query", "private"];
    let strange: Vec<String> = scopes
        .into_iter()
        .map(|scopes| {
            let made =
                Call::post("/api/access-tokens").json(json!({ "scopes": scopes })).token("token-of-outsider");
            admin.send(made).json()["token"].as_str().expect("its text").to_owned()
        })
        .collect();
    home.sim = api::peek(&mut admin, |sim| sim.fork());
    let mut refused = 0;
    for asked in home.calls.iter().filter(|asked| asked.meta.access != Access::Public) {
        for token in strange.iter().map(String::as_str).chain(["token-of-outsider"]) {
            let call = asked.call.clone().token(token);
            if home.concerns(asked) {
                // There, a query of things that the caller does not own is invalid: 400.
                let statuses: &[u16] =
                    if asked.meta.path.contains("query") { &[400, 401, 404] } else { &[401, 404] };
                home.refused(asked, call, statuses);
                refused += 1;
            } else {
                home.intrude(asked, call);
            }
        }
    }
    assert!(refused > 100, "{refused} calls were refused");
}

#[test]
fn tokens_of_one_service_open_nothing_of_the_other() {
    let seed = Seed { service: Services::Both, policy: Some(unlimited()), ..Seed::new() }
        .world(scenario::cast("pro"));
    let sim = seed.build().expect("a good seed");
    let private = sim.beside().and_then(Simulator::first_token).expect("it has one").to_owned();
    for (begin, token) in [(management as fn(u64) -> _, private.as_str()), (analytics, "token-of-owner")] {
        let mut home = home(begin);
        home.sim = sim.fork();
        for asked in home.calls.iter().filter(|asked| asked.meta.access == Access::Token) {
            home.refused(asked, asked.call.clone().token(token), &[401]);
        }
    }
}

#[test]
fn worlds_on_one_port_share_no_tokens_and_resources() {
    for begin in [management as fn(u64) -> _, analytics] {
        let home = home(begin);
        let server = Server::builder().posts(false).spawn(Simulator::builder().policy(unlimited()).build());
        let server = server.expect("a port and a thread are available");
        server.add_world("home", home.sim.fork()).expect("the name is free");
        let other = begin(2).0.token().to_owned() + "-elsewhere";
        let neighbour = Simulator::builder().seed(3).policy(unlimited()).token(&other).build();
        server.add_world("neighbour", neighbour).expect("the name is free");
        let mut http = sim_fixtures::Http::new(server.url(), &home.project, Box::new(|_| {}));
        for asked in home.calls.iter().filter(|asked| asked.meta.access == Access::Token) {
            for world in ["home", "neighbour", ""] {
                let call = asked.call.clone().token(&other);
                let call = if world.is_empty() { call } else { call.header("x-sim-world", world) };
                let said = named(&home, &call);
                let reply = http.send(call);
                if world == "home" {
                    assert_eq!(reply.status, 401, "{}: {reply}", asked.meta.id);
                }
                let told = String::from_utf8_lossy(&reply.body);
                let leak =
                    home.planted.iter().find(|text| !said.contains(text) && told.contains(text.as_str()));
                assert_eq!(leak, None, "{} by way of {world:?}: {reply}", asked.meta.id);
            }
        }
    }
}
