//! Seed files: what they say comes about, what they get wrong is named, and exported worlds come back.

use serde_json::{Value, json};
use sim_core::management::project::{CreateProject, ListProjects};
use sim_core::seed::{self, ProjectSeed, Seed, scenario};
use sim_core::{Policy, Simulator};
use sim_fixtures::everything;

/// Everything of both halves, journals too.
fn whole(sim: &Simulator) -> Value {
    let beside = sim.beside().map(|other| (other.journal(), other.journal_hash(), other.agenda()));
    json!({
        "seen": everything(sim),
        "journal": sim.journal(),
        "hash": sim.journal_hash(),
        "calls": sim.calls(),
        "agenda": sim.agenda(),
        "next": sim.next_due(),
        "beside": beside,
        "token": sim.first_token(),
    })
}

#[test]
fn every_exported_scenario_comes_back_and_lives_on_as_it_would_have() {
    for one in scenario::ALL {
        let name = one.name();
        let mut sim = (one.seed)().build().expect("a scenario is a good seed");
        let export = sim.export().expect("it is all in its pages");
        for file in [export.to_toml(), export.to_json()] {
            let again = Seed::parse(&file).expect("an export is a seed").build().expect("it can be built");
            assert_eq!(whole(&again), whole(&sim), "{name}");
            assert_eq!(again.export().expect("the same").to_toml(), export.to_toml(), "{name}");
        }
        let mut again = export.build().expect("it can be built");
        for world in [&mut sim, &mut again] {
            let _ = world.as_admin().call(CreateProject::named("later", "acme"));
            world.advance(std::time::Duration::from_secs(3 * 24 * 3600));
        }
        assert_eq!(whole(&again), whole(&sim), "{name}, three days later");
    }
}

#[test]
fn an_exported_world_can_be_replayed_from_its_beginning() {
    let sim = scenario::shop().build().expect("a good seed");
    let again = sim.export().and_then(|seed| seed.build()).expect("it comes back");
    let replayed = again.replay_file().expect("the journal is whole").run(again.registry());
    let replayed = replayed.unwrap_or_else(|divergence| panic!("{divergence}"));
    assert_eq!(replayed.journal_hash(), sim.journal_hash());
}

#[test]
fn an_exported_world_of_the_analytics_server_comes_back() {
    let file = r#"
        service = "analytics"
        [single_tenant]
        private_token = "private"
        platform = true
        [[sources]]
        name = "gateway"
        [[events]]
        source_name = "gateway"
        body = [{ message = "GET /a" }]
    "#;
    let sim = Seed::parse(file).and_then(|seed| seed.build()).expect("a good seed");
    let again = sim.export().and_then(|seed| Seed::parse(&seed.to_toml())?.build()).expect("it comes back");
    assert_eq!((again.journal(), again.agenda()), (sim.journal(), sim.agenda()));
    let rows = |sim: &Simulator| {
        let query = sim_core::analytics::query::RunQuery::sql("select event_message, timestamp from gateway");
        serde_json::to_value(sim.fork().call(query).expect("a good query").result).expect("plain data")
    };
    assert_eq!(rows(&again), rows(&sim));
    assert_eq!(rows(&sim)[0]["event_message"], "GET /a");
}

#[test]
fn what_is_declared_comes_about_as_by_calls() {
    let seed = Seed::new().project(ProjectSeed::named("demo"));
    let mut by_calls = Simulator::builder().build();
    by_calls.as_admin().call(CreateProject::named("demo", "acme")).expect("a good call");
    by_calls.advance_to_next();
    assert_eq!(whole(&seed.build().expect("a good seed")), whole(&by_calls));
}

#[test]
fn a_builder_can_be_changed_before_the_seed_is_done() {
    let seed = Seed::new().project(ProjectSeed::named("demo"));
    let slow = Policy {
        durations: sim_core::engine::Durations { create_ms: 5000, ..Default::default() },
        ..Policy::default()
    };
    let mut sim = seed.begin().expect("a good seed").policy(slow).build();
    assert_eq!(sim.now().to_string(), "2026-01-01T00:00:05Z");
    assert_eq!(sim.call(ListProjects {}).expect("a good call").len(), 1);
}

#[test]
fn what_is_wrong_is_named() {
    for (file, expected) in [
        ("projcts = []", "projcts: there is no such field"),
        ("seed = 'x'", "TOML: TOML parse error at line 1, column 8"),
        ("\n\n[[projects]]\nname = 7", "TOML parse error at line 4, column 8"),
        ("{\"seed\": \"x\"}", "JSON: invalid type: string \"x\", expected u64 at line 1 column 12"),
        ("self_log = true", "self_log: needs service"),
        ("service = 'analytics'\n[[projects]]\nname = 'a'", "projects: the analytics server has none"),
        ("[[projects]]\nname = 'a'\nsecrts = {}", "projects.0.secrts: there is no such field"),
        ("[[projects]]\nname = 'a'\nsecrets = []", "projects.0.secrets: must be a table"),
        (
            "[[projects]]\nname = 'a'\nstatus = 'COMING_UP'\nsql = ['select 1']",
            "projects.0.sql: needs a project that has been",
        ),
        ("[[projects]]\nname = 'a.b'", "projects.0: name should not contain a . string"),
        ("[[projects]]\nname = 'a'\norganization = 'none'", "projects.0: "),
        ("[[projects]]\nname = 'a'\nsql = ['selec 1']", "projects.0.sql.0: "),
        ("[[projects]]\nname = 'a'\nauth = { site_url = 1 }", "projects.0.auth: site_url"),
        (
            "[[projects]]\nname = 'a'\nhostname_status = '2_initiated'",
            "projects.0.hostname_status: needs a `hostname`",
        ),
        (
            "[[projects]]\nname = 'a'\nbranches = [{ branch_name = 'dev', status = 'X' }]",
            "projects.0.branches.0.status: ",
        ),
        (
            "[[projects]]\nname = 'a'\nstatus = 'PAUSING'\n[policy]\npace = 'instant'",
            "projects.0.status: does not come about",
        ),
        ("[[calls]]\noperation = 'v9'", "calls.0.operation: there is no operation \"v9\""),
        ("[[calls]]\noperation = 'v1-get-project'", "calls.0: "),
        (
            "[[calls]]\noperation = 'v1-get-project'\nproject = 'none'",
            "calls.0.project: there is no project \"none\"",
        ),
        (
            "[[calls]]\noperation = 'v1-list-all-projects'\nas = 'none'",
            "calls.0.as: there is no user \"none\"",
        ),
        (
            "[[calls]]\noperation = 'v1-list-all-projects'\nrefused = 'x'",
            "calls.0.refused: the call is not refused",
        ),
        ("[[calls]]", "calls.0: must name an operation or let time go by"),
        ("[[sources]]\nname = 'a'", "sources.0: there is no operation analytics-create-source in this world"),
        ("[[faults]]\non = {}\neffect = { kind = 'reset' }", "faults.0: on: names nothing"),
        ("[[users]]\nname = 'a'\n[[users]]\nname = 'a'", ""),
    ] {
        let refused = Seed::parse(file).and_then(|seed| seed.build()).map(drop).unwrap_err();
        assert!(refused.message.contains(expected), "{file:?}: {refused}");
        assert!(refused.status() < 500, "{file:?}: {refused}");
    }
}

#[test]
fn a_state_that_was_changed_is_refused() {
    let export = scenario::active_project().build().and_then(|sim| sim.export()).expect("a good seed");
    let mut file: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    let refusal = |file: &Value| {
        Seed::parse(&file.to_string()).and_then(|seed| seed.build()).map(drop).unwrap_err().message
    };
    file["state"]["calls"] = 7.into();
    assert!(refusal(&file).starts_with("state: was changed"), "{}", refusal(&file));
    let mut other_people: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    other_people["users"][0]["name"] = "somebody".into();
    other_people["organizations"][0]["members"] = json!({});
    assert!(refusal(&other_people).starts_with("state: was changed"), "{}", refusal(&other_people));
    let mut more: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    more["projects"] = json!([{ "name": "another" }]);
    assert!(refusal(&more).starts_with("projects: can't stand beside `state`"), "{}", refusal(&more));
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let schema = seed::schema();
    let checker = jsonschema::validator_for(&schema).expect("the schema is a schema");
    for one in scenario::ALL {
        let seed = (one.seed)();
        let exported = seed.build().and_then(|sim| sim.export()).expect("a good seed");
        for file in [seed.to_json(), exported.to_json()] {
            let file = serde_json::from_str(&file).expect("it is JSON");
            let problems: Vec<String> = checker
                .iter_errors(&file)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(problems.is_empty(), "{}: {}", one.name(), problems.join("; "));
        }
    }
    for wrong in [
        json!({ "projcts": [] }),
        json!({ "projects": [{ "name": "a", "secrts": {} }] }),
        json!({ "projects": [{ "name": "a", "secrets": { "A": 1 } }] }),
        json!({ "projects": [{ "name": "a", "functions": [{ "slug": "a" }] }] }),
        json!({ "calls": [{ "times": "x" }] }),
    ] {
        assert!(!checker.is_valid(&wrong), "{wrong}");
    }
}
