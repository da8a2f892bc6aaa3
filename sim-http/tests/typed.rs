//! The typed client: each control operation of the server is called through it, and its answer read as its own type.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use sim_core::Simulator;
use sim_core::analytics::source::{CreateSource, ListSources};
use sim_core::engine::fault::{AddFault, DeleteFault, Effect, Fault, ListFaults, On, SetFaults};
use sim_core::management::outcome::{SetNextOutcome, Work};
use sim_core::management::project::{CreateProject, GetProject, ListProjects, Status};
use sim_core::management::user::{CreateToken, CreateUser, ListUsers};
use sim_core::management::v2::webhooks::delivery::{ListProjectDeliveries, TestProjectEndpoint};
use sim_core::management::v2::webhooks::endpoint::{
    CreateOrganizationEndpoint, CreateProjectEndpoint, ListOrganizationEndpoints, ListProjectEndpoints,
    NewEndpoint, Subscription,
};
use sim_core::management::v2::webhooks::event::EventType;
use sim_core::sweep::{Ending, Outage};
use sim_http::client::{Client, Process, Result, World};
use sim_http::control::{self, Control, CreateWorld};

use crate::cli::stuntdouble;
use crate::client::spawn;

/// The client, and a record of the operations that were called through it.
struct Noting {
    world: World,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl Noting {
    fn ask<C: Control>(&self, operation: C) -> C::Output {
        self.asked.borrow_mut().insert(C::META.id);
        self.world.control(operation).unwrap_or_else(|error| panic!("{}: {error}", C::META.id))
    }
}

#[test]
fn every_control_operation_of_the_server_has_its_type() {
    let server = spawn();
    let world = Client::at(server.url()).create_world(CreateWorld::default()).expect("a world");
    let noting = Noting { world, asked: RefCell::default() };
    noting.world.call(CreateProject::named("demo", "acme")).expect("a project");

    let made = noting.ask(CreateWorld { name: Some("other".to_owned()), ..CreateWorld::default() });
    assert_eq!(noting.ask(control::GetWorld { name: "other".to_owned() }), made);
    assert_eq!(noting.ask(control::ListWorlds {}).len(), 3);
    noting.ask(control::DeleteWorld { name: "other".to_owned() });
    let fork = noting.ask(control::Fork::default());
    assert_eq!(fork.calls, 1);
    assert_eq!(noting.ask(control::GetClock {}).next_due, noting.ask(control::GetAgenda {})[0].due.into());
    assert!((noting.ask(control::SetSpeed { speed: 0.0 }).speed - 0.0).abs() < f64::EPSILON);
    assert_eq!(noting.ask(control::Advance::to_next_due()).happened.len(), 1);
    assert_eq!(noting.ask(control::GetHistory { subject: None }).len(), 1);
    assert_eq!(noting.ask(control::Step {}).happened, []);
    assert_eq!(noting.ask(control::CreateSnapshot { name: "here".to_owned() }).calls, 1);
    assert_eq!(noting.ask(control::ListSnapshots {})[0].name, "here");
    assert_eq!(noting.ask(control::RestoreSnapshot { name: "here".to_owned() }).calls, 1);
    noting.ask(control::DeleteSnapshot { name: "here".to_owned() });
    assert_eq!(noting.ask(control::GetJournal::default())[0].status, 201);
    assert!(noting.ask(control::Explain { call: 1, ..Default::default() }).because_of.is_empty());
    let rows = noting.ask(control::QueryJournal { sql: "select count(*) as calls from call".to_owned() });
    assert_eq!(rows[0]["calls"], 1);
    assert_eq!(noting.ask(control::GetCoverage {}).reached[0].operation, "v1-create-a-project");
    assert_eq!(noting.ask(control::GetReplay::default()).0.calls.len(), 1);
    assert!(noting.ask(control::Export {}).0.state.is_some());
    assert!(noting.ask(control::ListScenarios {}).iter().any(|one| one.name == "paused-project"));
    assert!(noting.ask(control::GetPolicy {}).rate_limit.enabled);
    assert_eq!(noting.ask(control::GetProfile {}).token_prefix, "pat_");
    assert_eq!(noting.ask(control::GetOpenApi::default())["openapi"], "3.1.0");
    let plans = noting.ask(control::DrawPlans { count: Some(2), good: Some(true), ..Default::default() });
    assert_eq!(plans[1].seed, Some(1));
    assert_eq!(noting.ask(control::SearchJournal::default()).calls.len(), 1);
    let changes = noting.ask(control::ListChanges { call: 1, service: None });
    assert!(changes.iter().any(|change| change.table == "project"));
    assert_eq!(noting.ask(control::GetLens::default()).budget_percent, 2);
    let points = control::ListPoints {
        beginning: fork.name.clone(),
        effects: Some(vec!["503".to_owned()]),
        outage: Outage::default(),
    };
    assert_eq!(noting.ask(points).calls, 0);
    let diff = control::DiffWorlds { to: Some(fork.name.clone()), ..Default::default() };
    assert!(!noting.ask(diff).rows.is_empty());
    let run = control::JudgeRun {
        beginning: fork.name.clone(),
        good: fork.name,
        ending: Ending::Exit(0),
        good_ending: None,
        allowed_exits: Vec::new(),
    };
    assert_eq!(noting.ask(run).troubles, []);
    assert!(noting.ask(control::ListLifecycles {}).iter().any(|one| one.states.len() > 5));
    assert_eq!(noting.ask(control::ListRateWindows {}).len(), 1);
    let peek = control::Peek { target: "/v1/projects".to_owned(), ..Default::default() };
    assert_eq!(noting.ask(peek).status, 200);
    assert_eq!(noting.ask(control::Reset {}).calls, 0);

    // A stream, which continues as long as the world exists.
    let streams = [control::Watch::META.id];
    let declared = sim_http::control_operations().map(|meta| meta.id).filter(|id| !streams.contains(id));
    let declared: BTreeSet<&str> = declared.collect();
    assert_eq!(*noting.asked.borrow(), declared);
}

#[test]
fn a_world_is_driven_as_in_process() -> Result<()> {
    let server = spawn();
    let mut sim = Simulator::builder().build();
    let world = Client::at(server.url()).main()?;
    assert_eq!(world.token(), Some(server.token()));

    let here = sim.call(CreateProject::named("demo", "acme")).expect("a project");
    let there = world.call(CreateProject::named("demo", "acme"))?;
    assert_eq!(there, here);
    assert_eq!(world.next_due()?, sim.next_due());
    assert_eq!(world.advance(Duration::from_secs(60))?.happened, sim.advance(Duration::from_secs(60)));
    assert_eq!(world.now()?, sim.now());
    assert_eq!(world.history(None)?, sim.history(None));
    let project = || GetProject { r#ref: here.id.clone() };
    assert_eq!(world.call(project())?.status, Status::ActiveHealthy);

    let refused = world.call(CreateProject::named("demo", "acme")).unwrap_err();
    assert_eq!((refused.status, &*refused.reason, refused.call), (Some(400), "project_exists", Some(3)));
    assert_eq!(world.explain(3)?.call.reason.as_deref(), Some("project_exists"));
    assert_eq!(world.journal_from(2, 1)?[0].status, 200);
    assert_eq!(world.journal()?.len(), 3);
    Ok(())
}

#[test]
fn forks_and_past_worlds_go_with_their_handles() -> Result<()> {
    let server = spawn();
    let client = Client::at(server.url());
    let world = client.main()?;
    let begun = world.now()?;
    world.call(CreateProject::named("one", "acme"))?;
    world.advance_to_next()?;
    world.call(CreateProject::named("two", "acme"))?;
    {
        let (fork, then, once) = (world.fork()?, world.at_call(1)?, world.at(begun)?);
        fork.call(CreateProject::named("three", "acme"))?;
        let count = |world: &World| world.call(ListProjects {}).map(|projects| projects.len());
        assert_eq!((count(&fork)?, count(&then)?, count(&once)?, count(&world)?), (3, 1, 1, 2));
        assert_eq!(client.worlds()?.len(), 4);
    }
    assert_eq!(client.worlds()?.len(), 1);
    let name = world.fork()?.kept().name().to_owned();
    client.world(&name)?.delete()?;
    let gone = client.world(&name).unwrap_err();
    assert_eq!((gone.status, &*gone.reason), (Some(404), "world_not_found"));
    Ok(())
}

#[test]
fn a_snapshot_is_restored_and_an_export_made_again() -> Result<()> {
    let server = spawn();
    let client = Client::at(server.url());
    let world = client.main()?;
    world.snapshot("empty")?;
    world.call(CreateProject::named("one", "acme"))?;
    let seed_file = serde_json::to_value(world.export()?).expect("a seed is plain data");
    world.restore("empty")?;
    assert_eq!(world.call(ListProjects {})?.len(), 0);
    let again = client.create_world(CreateWorld { seed_file: Some(seed_file), ..CreateWorld::default() })?;
    assert_eq!(again.call_as(server.token(), ListProjects {})?[0].name, "one");
    let (replay, registry) = (again.replay_file()?, sim_core::management::registry());
    assert_eq!(replay.run(registry).expect("nothing diverges").calls(), 2);
    Ok(())
}

#[test]
fn webhooks_of_projects_and_organizations_are_typed() -> Result<()> {
    let server = spawn();
    let world = Client::at(server.url()).main()?;
    let project = world.call(CreateProject::named("demo", "acme"))?;
    let new = || {
        let all = vec![Subscription::new(EventType::All)];
        NewEndpoint::new("https://hooks.example/in", all, "a secret of tests")
    };
    let of_project = world.call(CreateProjectEndpoint::new(&project.id, new()))?.data.id;
    let of_organization = world.call(CreateOrganizationEndpoint::new("acme", new()))?.data.id;
    assert_eq!(world.call(ListProjectEndpoints::new(&project.id))?.data[0].id, of_project);
    assert_eq!(world.call(ListOrganizationEndpoints::new("acme"))?.data[0].id, of_organization);
    let tested = world.call(TestProjectEndpoint::new(&project.id, &of_project))?.data.id;
    assert_eq!(world.call(ListProjectDeliveries::new(&project.id, of_project))?.data[0].id, tested);
    Ok(())
}

#[test]
fn operations_declared_in_the_core_are_calls() -> Result<()> {
    let server = spawn();
    let world = Client::at(server.url()).main()?;
    let busy = || Fault::new(On::path("/v1/projects"), Effect::status(503));
    let added = world.call(AddFault(busy()))?;
    let refused = world.call(ListProjects {}).unwrap_err();
    assert_eq!((refused.status, &*refused.reason), (Some(503), "fault"));
    assert_eq!(world.call(ListFaults {})?[0].struck, 1);
    world.call(DeleteFault::new(added.id.to_string()))?;
    assert_eq!(world.call(SetFaults::new([busy(), busy()]))?.len(), 2);
    world.call(SetFaults::new([]))?;

    world.call(SetNextOutcome::of(Work::Create, sim_core::engine::Outcome::Fail))?;
    world.call(CreateProject::named("demo", "acme"))?;
    assert_eq!(world.advance_to_next()?.happened[0].became, "INIT_FAILED");

    world.call(CreateUser { name: "ada".to_owned(), email: None, mfa_enabled: false })?;
    assert_eq!(world.call(ListUsers {})?.len(), 2);
    let token = world.call(CreateToken::personal("ada"))?.token;
    assert_eq!(world.call_as(&token.0, ListProjects {})?.len(), 0);
    assert_eq!(world.call_as("", ListProjects {}).unwrap_err().reason, "token_missing");
    Ok(())
}

#[test]
fn broken_answers_have_a_reason() -> Result<()> {
    let server = spawn();
    let world = Client::at(server.url()).main()?;
    for (effect, reason) in [
        (Effect::LostAnswer, "no_answer"),
        (Effect::Reset, "no_answer"),
        (Effect::Torn, "unreadable_answer"),
        (Effect::Garbage, "unreadable_answer"),
        (Effect::Empty, "unreadable_answer"),
    ] {
        world.call(AddFault(Fault::new(On::operation("v1-list-all-projects"), effect.clone())))?;
        let error = world.call(ListProjects {}).unwrap_err();
        assert_eq!((error.status, &*error.reason), (None, reason), "{effect:?}: {error}");
    }
    for url in ["http://127.0.0.1:1", "localhost", "not an address"] {
        assert_eq!(Client::at(url).main().unwrap_err().reason, "no_answer", "{url}");
    }
    Ok(())
}

#[test]
fn the_analytics_server_is_called_with_its_own_token() -> Result<()> {
    let server = sim_http::Server::spawn(Simulator::builder().with_self_log().build());
    let world = Client::at(server.url()).main()?;
    assert_eq!(world.analytics_token(), server.analytics_token());
    let source = world.call(CreateSource::named("gateway"))?;
    assert!(world.call(ListSources {})?.contains(&source));
    assert!(world.call(ListProjects {})?.is_empty());
    Ok(())
}

#[test]
fn a_server_runs_in_a_process_of_its_own() {
    let process = Process::of(&mut stuntdouble(&["serve", "--tls", "--token", "one"])).expect("it starts");
    let world = process.main().expect("it answers");
    assert_eq!(world.token(), Some("one"));
    assert!(world.url().starts_with("https://"), "{}", world.url());
    assert!(world.call(ListProjects {}).expect("it answers").is_empty());
    assert!(Process::of(&mut stuntdouble(&["serve", "--no-such-flag"])).is_err());
}
