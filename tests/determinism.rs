//! Same seed, same calls, same bytes; forks, snapshots and replays.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::engine::{Divergence, ReplayError};
use sim_core::management::project::{CreateProject, DeleteProject, PauseProject};
use sim_core::{Pace, Policy, Profile, Replay, Simulator};
use sim_fixtures::{Api, Call, InProcess, Scene, api, everything, scenario};

use crate::steps::Steps as _;
use crate::support::{blessed, both, over_http, seconds};

/// A few calls of every kind: valid, refused, one that is not JSON, and time in between.
fn day(api: &mut dyn Api) {
    api.post(
        "/v1/projects",
        json!({ "db_pass": "hunter22", "name": "other", "organization_id": "acme", "region": "us-east-1" }),
    );
    api.post("/v1/projects/{ref}/secrets", json!([{ "name": "A", "value": "one" }]));
    api.advance(seconds(30));
    api.act("/v1/projects/{ref}/pause");
    api.act("/v1/projects/{ref}/pause");
    api.send(Call::get("/v1/projects").nobody());
    api.send(Call::get("/v1/projects").token("token-of-outsider"));
    api.send(Call::post("/v1/projects").bytes("application/json", &b"{\"name\":\"\xff\"}"[..]));
    api.send(Call::post("/v1/projects").bytes("text/html", "<p>"));
    api.post("/_sim/users", json!({ "name": "zoe" }));
    api.advance(seconds(3600));
    api.get("/v1/projects/{ref}/health?services=db");
}

fn after_a_day() -> Simulator {
    let Scene { sim, project } = scenario::active_project();
    let mut api = InProcess::new(Scene { sim, project });
    day(&mut api);
    api::peek(&mut api, |sim| sim.fork())
}

#[test]
fn blank_worlds_made_in_advance_are_those_of_the_tables() {
    for registry in [sim_core::management::registry(), sim_core::analytics::registry()] {
        let (path, made) = (format!("sim-core/{}/src/blank.bin", registry.name()), registry.blank());
        assert!(blessed(&path, &made) == made, "{path} has outdated tables: STUNTDOUBLE_BLESS=1 rewrites it");
    }
}

fn journal(sim: &Simulator) -> String {
    serde_json::to_string(&sim.journal()).expect("a journal is plain data")
}

#[test]
fn same_seed_and_calls_give_the_same_journal_to_the_byte() {
    let (one, other) = (after_a_day(), after_a_day());
    assert_eq!(journal(&one), journal(&other));
    assert_eq!(one.journal_hash(), other.journal_hash());
    assert_eq!(everything(&one), everything(&other));
}

#[test]
fn the_journal_is_the_same_over_http() {
    let mut there = over_http(scenario::active_project());
    day(&mut there);
    let there = api::peek(&mut there, |sim| sim.fork());
    assert_eq!(journal(&there), journal(&after_a_day()));
}

#[test]
fn a_fork_and_its_parent_differ_by_what_is_done_to_them() {
    let Scene { sim: mut parent, project } = scenario::active_project();
    let mut fork = parent.fork();
    assert_eq!(everything(&fork), everything(&parent));
    assert_eq!(journal(&fork), journal(&parent));

    let before = everything(&parent);
    fork.call(PauseProject { r#ref: project.clone() }).expect("it is active");
    fork.advance(seconds(20));
    assert_eq!(everything(&parent), before, "changes of a fork do not show in its parent");
    parent.call(DeleteProject { r#ref: project.clone() }).expect("it can be deleted");
    assert_eq!(
        everything(&fork)["projects"][0]["detail"]["status"],
        "INACTIVE",
        "changes of the parent do not show in the fork"
    );

    let mut twin = scenario::active_project().sim;
    twin.call(PauseProject { r#ref: project }).expect("it is active");
    twin.advance(seconds(20));
    assert_eq!(everything(&fork), everything(&twin), "a fork behaves like a separate world");
    assert_eq!(journal(&fork), journal(&twin));
}

#[test]
fn forks_draw_the_same_random_numbers() {
    let Scene { sim, project } = scenario::active_project();
    let scenes = [sim.fork(), sim].map(|sim| Scene { sim, project: project.clone() });
    let [one, other] = scenes.map(|scene| {
        let mut api = InProcess::new(scene);
        day(&mut api);
        api::peek(&mut api, |sim| journal(sim))
    });
    assert_eq!(one, other);
}

#[test]
fn a_restored_snapshot_brings_everything_back() {
    both(scenario::active_project, |api| {
        let snapshot = api::peek(api, |sim| sim.snapshot());
        let seen = |api: &mut dyn Api| {
            api::peek(api, |sim| (everything(sim), journal(sim), sim.journal_hash(), sim.calls(), sim.now()))
        };
        let before = seen(api);
        day(api);
        assert_ne!(seen(api), before);
        api::peek(api, |sim| sim.restore(&snapshot));
        assert_eq!(seen(api), before);
        day(api);
        assert_eq!(api::peek(api, |sim| sim.journal_hash()), after_a_day().journal_hash());
    });
}

#[test]
fn a_replay_file_lives_the_world_again() {
    let sim = after_a_day();
    let file =
        serde_json::to_string(&sim.replay_file().expect("the journal is whole")).expect("it is plain data");
    let replay: Replay = serde_json::from_str(&file).expect("written values can be read");
    let again = replay.run(sim.registry()).expect("nothing diverges");
    assert_eq!(journal(&again), journal(&sim));
    assert_eq!(everything(&again), everything(&sim));
    assert_eq!(again.now(), sim.now());
}

#[test]
fn a_replay_uses_the_names_of_a_profile() {
    let names = [("idp_01", "acme"), ("vendor_c", "courier")];
    let names = names.map(|(neutral, other)| (neutral.to_owned(), other.to_owned())).into();
    let mut sim = Simulator::builder().profile(Profile { names, ..Profile::default() }).build();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("it can be made").id;
    sim.advance(seconds(60));
    let mut api = InProcess::new(Scene { sim, project });
    let body = json!({ "external_acme_client_id": "me", "external_acme_secret": "a-secret" });
    assert_eq!(api.patch("/v1/projects/{ref}/config/auth", body).status, 200);
    let (original, replayed) = api::peek(&mut api, |sim| {
        let file = sim.replay_file().expect("the journal is whole");
        let again = file.run(sim.registry()).expect("nothing diverges");
        (everything(sim), everything(&again))
    });
    assert_eq!(replayed, original);
}

#[test]
fn a_replay_repeats_work_that_was_triggered_by_hand() {
    let policy = Policy { pace: Pace::Manual, ..Policy::default() };
    let Scene { mut sim, .. } = Scene::from(scenario::with_policy(policy));
    sim.call(CreateProject::named("demo", "acme")).expect("it can be made");
    while sim.step().is_some() {}
    let again =
        sim.replay_file().expect("the journal is whole").run(sim.registry()).expect("nothing diverges");
    assert_eq!(everything(&again), everything(&sim));
}

#[test]
fn a_replay_knows_which_token_texts_are_taken() {
    let mut api = InProcess::new(scenario::four_roles());
    assert_eq!(api.post("/_sim/users/reader/tokens", json!({ "token": "token-of-owner" })).status, 400);
    assert_eq!(api.post("/_sim/users/reader/tokens", json!({ "token": "token-1" })).status, 201);
    let replayed = api::peek(&mut api, |sim| {
        sim.replay_file().expect("the journal is whole").run(sim.registry()).map(|again| again.journal_hash())
    });
    assert_eq!(replayed, Ok(api::peek(&mut api, |sim| sim.journal_hash())));
}

fn divergence(replay: &Replay) -> Divergence {
    match replay.run(scenario::fresh().registry()) {
        Err(ReplayError::Divergence(divergence)) => divergence,
        other => panic!("it diverges: {:?}", other.map(|sim| sim.calls())),
    }
}

#[test]
fn a_tampered_replay_stops_at_the_first_divergence_and_shows_it() {
    let Scene { mut sim, project } = scenario::active_project();
    sim.call(PauseProject { r#ref: project.clone() }).expect("it is active");
    sim.call(DeleteProject { r#ref: project }).expect("it can be deleted");
    let mut replay = sim.replay_file().expect("the journal is whole");
    let pause = replay.calls.len() - 2;
    replay.calls[pause].target = replay.calls[pause].target.replace("/pause", "/restore");
    let divergence = divergence(&replay);
    assert_eq!(divergence.call as usize, pause + 1);
    assert_snapshot!(divergence, @r#"
    call 2 at 2026-01-01T00:01:00Z diverges: POST /v1/projects/jyegvyphfflqhlxwbqup/restore
      recorded 200 {}
      replayed 400 {"message":"This project is no longer in a paused state, it is ACTIVE_HEALTHY"}
    "#);

    // A call whose answer is the same and whose record is not.
    let mut replay = sim.replay_file().expect("the journal is whole");
    replay.calls[pause].hash = replay.calls[pause + 1].hash.clone();
    let text = self::divergence(&replay).to_string();
    assert!(
        text.ends_with("the answers are equal; the call is recorded otherwise, as in state or reason"),
        "{text}"
    );
}

#[test]
fn a_replay_under_another_seed_stops_where_chance_first_shows() {
    let mut replay = after_a_day().replay_file().expect("the journal is whole");
    replay.seed += 1;
    let divergence = divergence(&replay);
    assert_eq!(divergence.call, 1, "{divergence}");
}

#[test]
fn a_world_with_branches_replicas_and_apps_is_replayed_from_its_file() {
    both(scenario::active_project, |api| {
        api.resize("small");
        api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
        api.advance(seconds(130));
        api.post(&format!("/v1/branches/{}/reset", text(&branch["id"])), json!({}));
        let upgrade = format!("/v1/projects/{}/upgrade", text(&branch["project_ref"]));
        api.post(&upgrade, json!({ "target_version": "17" }));
        let body =
            json!({ "name": "App", "redirect_uris": ["https://app.test"], "scopes": ["projects:read"] });
        let app = api.post("/_sim/oauth/apps", body).json();
        let query = format!("client_id={}&response_type=code", text(&app["client_id"]));
        api.get(&format!("/v1/oauth/authorize?{query}&redirect_uri=https://app.test"));
        api.advance(seconds(90_000));
        api.get("/v1/projects/{ref}/database/backups");
        api.look(&mut |sim| {
            let file = sim.replay_file().expect("the journal is whole");
            let again = file.run(sim.registry()).unwrap_or_else(|divergence| panic!("{divergence}"));
            assert_eq!(again.journal_hash(), sim.journal_hash());
        });
    });
}
