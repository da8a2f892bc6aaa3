//! The crate `sim-client`, which has no type of the simulator: its lists and types are compared with those of the server.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sim_client::{Client, Effect, Fault, NewWorld, OPERATIONS, On, Process, Result, World};
use sim_core::engine::{Access, Meta, Registry};
use sim_core::{Policy, Simulator, analytics, management};
use sim_http::Server;

use crate::cli::stuntdouble;
use crate::client::spawn;

fn demo() -> Value {
    json!({ "name": "demo", "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password" })
}

/// The schemas of the control API.
fn schemas() -> Value {
    sim_http::control_openapi(&Simulator::builder().build())["components"]["schemas"].clone()
}

#[test]
fn every_control_operation_of_the_server_is_in_the_list() {
    let inside = [management::registry(), analytics::registry()].into_iter().flat_map(Registry::operations);
    let inside = inside.filter(|meta| meta.access == Access::Control);
    let line = |meta: &Meta| (meta.id, format!("{} {}", meta.method.as_str(), meta.path));
    let declared: BTreeMap<&str, String> = sim_http::control_operations().chain(inside).map(line).collect();
    let listed: BTreeMap<&str, String> =
        OPERATIONS.iter().map(|(id, line)| (*id, (*line).to_owned())).collect();
    assert_eq!(listed, declared);
    assert_eq!(listed.len(), OPERATIONS.len(), "an id is listed twice");
}

/// The names of an object's fields.
fn names(object: &Value) -> BTreeSet<String> {
    object.as_object().into_iter().flat_map(|fields| fields.keys().cloned()).collect()
}

#[test]
fn a_new_world_has_all_fields_of_the_request() {
    let server = spawn();
    let document = sim_http::control_openapi(&server.sim());
    let body = &document["paths"]["/_sim/worlds"]["post"]["requestBody"]["content"]["application/json"];
    let known = serde_json::to_value(NewWorld::default()).expect("it is plain data");
    assert_eq!(names(&known), names(&body["schema"]["properties"]));
}

#[test]
fn fault_rules_have_all_fields_and_all_effects() {
    let on = On {
        operation: Some(String::new()),
        method: Some(String::new()),
        path: Some(String::new()),
        project: Some(String::new()),
        caller: Some(String::new()),
        from: Some(sim_client::Timestamp::UNIX_EPOCH),
        until: Some(sim_client::Timestamp::UNIX_EPOCH),
    };
    let schemas = schemas();
    let rule = Fault { probability: Some(0.5), ..Fault::new(on, Effect::Reset).for_ms(1) };
    let rule = serde_json::to_value(rule).expect("it is plain data");
    assert_eq!(names(&rule), names(&schemas["FaultStanding"]["properties"]["rule"]["properties"]));
    assert_eq!(names(&rule["on"]), names(&schemas["On"]["properties"]));

    let known = [
        Effect::Status {
            status: 503,
            message: Some(String::new()),
            retry_after_s: Some(1),
            members: BTreeMap::from([(String::new(), json!(null))]),
            headers: BTreeMap::from([(String::new(), String::new())]),
        },
        Effect::RateLimit { seconds: 1 },
        Effect::Latency { ms: 1 },
        Effect::Reset,
        Effect::Empty,
        Effect::Torn,
        Effect::Garbage,
        Effect::Slow { ms: 1 },
        Effect::LostAnswer,
        Effect::Late { ms: 1 },
        Effect::Twice,
        Effect::Stale { calls: 1 },
        Effect::Lean,
        Effect::Rich,
        Effect::Varied,
        Effect::Reorder,
        Effect::Partial { done: 1, status: 500 },
        Effect::Alter {
            status: Some(200),
            set: BTreeMap::from([(String::new(), json!(null))]),
            drop: vec![String::new()],
            rename: BTreeMap::from([(String::new(), String::new())]),
            reorder: vec![String::new()],
            headers: BTreeMap::from([(String::new(), String::new())]),
        },
    ];
    let known: BTreeMap<String, BTreeSet<String>> = known
        .iter()
        .map(|effect| serde_json::to_value(effect).expect("it is plain data"))
        .map(|effect| (effect["kind"].as_str().unwrap_or_default().to_owned(), names(&effect)))
        .collect();
    let shapes = schemas["Effect"]["oneOf"].as_array().expect("effects are alternatives");
    let declared: BTreeMap<String, BTreeSet<String>> = shapes
        .iter()
        .map(|shape| &shape["properties"])
        .map(|fields| (fields["kind"]["const"].as_str().unwrap_or_default().to_owned(), names(fields)))
        .collect();
    assert_eq!(known, declared);
}

/// Compares types of the crate with the server's answers.
struct Compared<'w> {
    world: &'w World,
    schemas: Value,
}

impl Compared<'_> {
    /// An answer is the same JSON after it was read as `T`. Together the answers have all fields of the schema.
    fn has<T: Serialize + DeserializeOwned>(&self, schema: &str, answers: &[Value]) {
        let mut seen = BTreeSet::new();
        for answer in answers {
            let read: T = serde_json::from_value(answer.clone()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(serde_json::to_value(read).expect("it is plain data"), *answer, "{schema}");
            seen.extend(names(answer));
        }
        assert_eq!(seen, names(&self.schemas[schema]["properties"]), "{schema}");
    }

    fn ask(&self, operation: &str, fields: &Value) -> Value {
        self.world.control(operation, fields).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }
}

#[test]
fn answers_are_read_whole() -> Result<()> {
    // The journal keeps short bodies, and the length and digest of longer ones.
    let policy = Policy { journal_request_bytes: 40, journal_answer_bytes: 200, ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).with_self_log().build());
    let client = Client::at(server.url());
    let world = client.main()?;
    let compared = Compared { world: &world, schemas: schemas() };

    world.add_fault(&Fault::new(On::operation("v1-create-a-project"), Effect::Twice))?;
    let project: Value = world.api().post("/v1/projects", &demo())?.read()?;
    let standing = compared.ask("sim-list-faults", &json!(null));
    compared.has::<sim_client::FaultStanding>("FaultStanding", &[standing[0].clone()]);

    let due = compared.ask("sim-get-agenda", &json!(null));
    compared.has::<sim_client::Due>("Due", due.as_array().expect("work is a list"));
    compared.has::<sim_client::Clock>("ClockState", &[compared.ask("sim-get-clock", &json!(null))]);
    let moved = compared.ask("sim-advance-clock", &json!({ "ms": 60_000 }));
    compared.has::<sim_client::Happened>("Happened", &[moved["happened"][0].clone()]);
    // Ten thousand pieces of work are too many for a test.
    let mut long = moved.clone();
    long["done"] = 20_000.into();
    compared.has::<sim_client::Moved>("Moved", &[moved, long]);

    // A refusal with all fields.
    let reference = project["id"].as_str().unwrap_or_default();
    world.api().post(&format!("/v1/projects/{reference}/pause"), &json!({}))?;
    world.advance_to_next()?;
    world.api().get("/v1/projects?colour=blue")?;
    let refused =
        world.api().post(&format!("/v1/projects/{reference}/branches"), &json!({ "branch_name": "dev" }))?;
    let explanation = compared.ask("sim-explain", &json!({ "call": refused.call() }));
    let calls = compared.ask("sim-get-journal", &json!(null));
    let calls = calls.as_array().expect("calls are a list");
    compared.has::<sim_client::Call>("Call", calls);
    let checks = explanation["checks"].as_array().expect("checks are a list");
    compared.has::<sim_client::Check>("Check", checks);
    let facts: Vec<Value> =
        checks.iter().flat_map(|check| check["facts"].as_array()).flatten().cloned().collect();
    compared.has::<sim_client::Fact>("Fact", &facts);
    compared.has::<sim_client::Explanation>("Explanation", &[explanation]);

    let snapshot = compared.ask("sim-create-snapshot", &json!({ "name": "here" }));
    compared.has::<sim_client::SnapshotInfo>("SnapshotInfo", &[snapshot]);
    let info = compared.ask("sim-get-world", &json!({ "name": "main" }));
    compared.has::<sim_client::WorldInfo>("WorldInfo", &[info]);
    let scenarios = compared.ask("sim-list-scenarios", &json!(null));
    compared.has::<sim_client::ScenarioInfo>("ScenarioInfo", &[scenarios[0].clone()]);
    Ok(())
}

#[test]
fn every_method_is_answered() -> Result<()> {
    let server = Server::spawn(Simulator::builder().with_self_log().build());
    let client = Client::at(server.url());
    let world = client.create_world(&NewWorld { seed: Some(7), ..NewWorld::default() })?;
    assert_eq!((world.info()?.seed, client.worlds()?.len()), (7, 2));
    assert!(client.scenarios()?.iter().any(|one| one.name == "paused-project"));

    // Time.
    let start = world.now()?;
    world.api().post("/v1/projects", &demo())?.read::<Value>()?;
    assert_eq!(world.next_due()?, Some(world.agenda()?[0].due));
    assert_eq!(world.advance_to_next()?.happened[0].became, "ACTIVE_HEALTHY");
    assert_eq!(world.advance(Duration::from_secs(1))?.now, world.clock()?.now);
    let later = world.now()? + Duration::from_secs(60);
    assert_eq!(world.advance_to(later)?.now, later);
    // At midnight the analytics server drops old events.
    assert_eq!((world.step()?.happened.len(), world.history(None)?.len()), (1, 2));
    assert_eq!(world.set_speed(0.0)?.pace, "clock");

    // Copies and settings.
    let (copy, then, once) = (world.fork()?, world.at_call(0)?, world.at(start)?);
    let calls = |world: &World| world.info().map(|info| info.calls);
    assert_eq!((calls(&copy)?, calls(&then)?, calls(&once)?), (1, 0, 1));
    assert_eq!(world.diff(&copy.info()?.name)?["rows"], json!([]));
    world.snapshot("here")?;
    world.api().delete("/v1/projects/none")?;
    assert_eq!((world.restore("here")?.calls, world.snapshots()?.len()), (1, 1));
    world.delete_snapshot("here")?;
    assert!(world.export()?["state"].is_object() && world.policy()?["pace"] == "clock");
    assert_eq!(world.profile()?["token_prefix"], "pat_");

    // Faults, sweeps, users.
    let busy = Fault::new(On::path("/v1/projects"), Effect::status(503));
    let id = world.add_fault(&busy)?.id;
    assert_eq!(world.api().get("/v1/projects")?.reason(), Some("fault"));
    assert_eq!(world.faults()?[0].struck, 1);
    world.delete_fault(id)?;
    assert_eq!(world.set_faults(&[busy.clone(), busy])?.len(), 2);
    world.set_faults(&[] as &[Fault])?;
    world.set_next_outcome("create", "fail")?;
    assert_eq!(world.next_outcomes()?[0]["work"], "create");
    world.delete_next_outcome("create")?;
    assert_eq!(world.next_outcomes()?, [] as [Value; 0]);
    let points = world.sweep_points(&then, &["503"])?;
    assert_eq!((points.len(), &*points[0].target), (2, "/v1/projects"));
    assert_eq!(world.verdict(&then, &world, 0, &[])?, []);
    assert_eq!(then.verdict(&then, &world, 1, &[1])?, []);
    assert_eq!(then.verdict(&then, &world, 1, &[])?[0].kind, "exit");
    assert_eq!((world.create_user("ada")?["name"].as_str(), world.users()?.len()), (Some("ada"), 2));
    let token = world.create_token("ada")?;
    assert_eq!(world.api_as(&token).get("/v1/projects")?.json()?, json!([]));
    let id = world.tokens()?.iter().find(|one| one["user"] == "ada").and_then(|one| one["id"].as_i64());
    world.revoke_token(id.expect("the token is listed"))?;
    assert_eq!(world.api_as(&token).get("/v1/projects")?.status, 401);

    // The journal.
    assert_eq!(world.journal()?[0].operation.as_deref(), Some("v1-create-a-project"));
    assert_eq!(world.journal_from(2, 1)?[0].operation.as_deref(), Some("sim-add-fault"));
    let failed = world.query_journal("select reason from call where status = 503")?;
    assert_eq!(failed[0]["reason"], "fault");
    assert_eq!(world.explain(1)?.call.status, 201);
    assert!(world.coverage()?["reached"].is_array() && world.lens(&[1, 2])?["budget_percent"].is_u64());
    assert!(world.replay_file()?["calls"].is_array() && world.outbox(Some(0))?.is_empty());
    assert_eq!(world.reset()?.calls, 0);
    Ok(())
}

#[test]
fn calls_are_refused_and_worlds_deleted_as_the_handle_says() -> Result<()> {
    let server = spawn();
    let client = Client::at(server.url());
    let world = client.main()?;
    assert_eq!(world.token(), Some(server.token()));
    let api = world.api();
    assert_eq!(api.put("/v1/projects", &())?.status, 405);
    let refused = api.patch("/v1/projects/none", &json!({ "name": "x" }))?;
    let error = refused.read::<Value>().unwrap_err();
    assert_eq!(
        (error.status, Some(&*error.reason), error.call),
        (Some(400), refused.reason(), refused.call())
    );
    assert!(refused.text().contains(&error.message));
    assert!(world.control::<Value>("sim-nothing", &()).unwrap_err().message.contains("sim-nothing"));

    let name = world.fork()?.kept().name().to_owned();
    assert_eq!(client.worlds()?.len(), 2);
    client.world(&name)?.delete()?;
    assert_eq!(client.world(&name).unwrap_err().reason, "world_not_found");
    for url in ["http://127.0.0.1:1", "localhost", "not an address"] {
        assert_eq!(Client::at(url).main().unwrap_err().reason, "no_answer", "{url}");
    }
    Ok(())
}

#[test]
fn the_program_is_started_and_speaks_tls() {
    let process = Process::of(&mut stuntdouble(&["serve", "--tls", "--token", "one"])).expect("it starts");
    let world = process.main().expect("it answers");
    assert_eq!((world.token(), world.url().starts_with("https://")), (Some("one"), true));
    assert_eq!(
        world.api().get("/v1/projects").and_then(|reply| reply.json()).expect("it answers"),
        json!([])
    );
    let error = Process::of(&mut stuntdouble(&["serve", "--no-such-flag"])).expect_err("it ends");
    assert!(error.to_string().contains("has ended"), "{error}");
}
