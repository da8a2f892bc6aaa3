//! Worlds exported and imported, and files of other formats.

use std::panic::catch_unwind;

use serde_json::{Value, json};
use sim_core::management::project::{CreateProject, ListProjects};
use sim_core::seed::{Seed, scenario};
use sim_core::{Replay, Simulator};
use sim_fixtures::strategies::Dice;

use super::whole;

#[test]
fn every_exported_scenario_is_restored_and_continues_in_the_same_way() {
    for one in scenario::ALL {
        let name = one.name();
        let mut sim = (one.seed)().build().expect("a scenario is a valid seed");
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
fn an_exported_world_of_the_analytics_server_is_restored() {
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
fn a_damaged_piece_of_a_chronicle_is_refused_or_read_without_panic() {
    let mut sim = Simulator::builder().seed(7).build();
    sim.call(CreateProject::named("demo", "acme")).expect("the name is new");
    let good = sim.snapshot().changes(None).expect("it is all in its pages");
    let lines: Vec<_> =
        good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    let mut dice = Dice::new(7);
    for case in 0..120 {
        // Every second case damages the text before the pages.
        let place = dice.below(if case % 2 == 0 { lines[1] } else { good.len() });
        let mut bad = good.clone();
        bad[place] ^= 1 << dice.below(8);
        let outcome = catch_unwind(|| {
            let mut again = Simulator::builder().seed(7).build();
            again.follow(&bad).and_then(|()| again.take_up()).map(|_| {
                let _ = again.call(ListProjects {});
                (again.journal().len(), again.rate_windows().len())
            })
        });
        assert!(outcome.is_ok(), "byte {place} of {}", good.len());
    }
}

#[test]
fn calls_are_counted_on_where_a_chronicle_is_taken_up() {
    let begin = || scenario::four_roles().build().expect("a good seed");
    let (mut sim, mut again) = (begin(), begin());
    let mut before = None;
    for tokens in [&["token-of-owner"][..], &[], &["token-of-developer", "token-of-owner"]] {
        for token in tokens {
            let calls = [(); 2].map(|()| sim.as_user(token).and_then(|mut user| user.call(ListProjects {})));
            assert!(calls.iter().all(Result::is_ok));
        }
        let now = sim.snapshot();
        again.follow(&now.changes(before.as_ref()).expect("it is all in its pages")).expect("it fits");
        before = Some(now);
    }
    again.take_up().expect("it is whole");
    assert_eq!(again.rate_windows(), sim.rate_windows());
    assert_eq!(sim.rate_windows().iter().map(|window| window.used).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn a_state_that_was_changed_is_refused() {
    let export = scenario::active_project().build().and_then(|sim| sim.export()).expect("a good seed");
    let mut file: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    let refusal = |file: &Value| {
        Seed::parse(&file.to_string()).and_then(|seed| seed.build()).map(drop).unwrap_err().message
    };
    file["state"]["calls"] = 7.into();
    assert!(refusal(&file).contains(": state: was changed"), "{}", refusal(&file));
    let mut other_people: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    other_people["users"][0]["name"] = "somebody".into();
    other_people["organizations"][0]["members"] = json!({});
    assert!(refusal(&other_people).contains(": state: was changed"), "{}", refusal(&other_people));
    let mut more: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    more["projects"] = json!([{ "name": "another" }]);
    assert!(refusal(&more).contains(": projects: can't stand beside `state`"), "{}", refusal(&more));
}

#[test]
fn an_export_of_another_format_is_always_refused() {
    let export = scenario::active_project().build().and_then(|sim| sim.export()).expect("a good seed");
    let mut file: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    file["state"]["format"] = 9.into();
    let words =
        "was made by another version; start a new world (found format 9, this version reads format 1)";
    let direct = serde_json::from_value::<Seed>(file.clone()).expect_err("it is of another format");
    assert_eq!(direct.to_string(), words);
    file["policy"]["not_yet_thought_of"] = 1.into();
    let toml = export.to_toml().replacen("[policy]", "[policy]\nnot_yet_thought_of = 1", 1);
    let toml = toml.replacen("format = 1", "format = 9", 1);
    for text in [file.to_string(), toml] {
        assert_eq!(
            Seed::parse(&text).expect_err("it is of another format").message,
            format!("state: {words}")
        );
    }
}

#[test]
fn a_replay_file_of_another_format_is_refused_before_anything_else() {
    let file = Simulator::builder().build().replay_file().expect("the journal is whole");
    let text = serde_json::to_string(&file).expect("it is plain data");
    let text = text.replacen("\"version\":1", "\"version\":9,\"not_yet_thought_of\":1", 1);
    let said = serde_json::from_str::<Replay>(&text).expect_err("it is of another format").to_string();
    let words =
        "was made by another version; start a new world (found format 9, this version reads format 1)";
    assert!(said.starts_with(words), "{said}");
}
