//! Coverage: what the calls have reached.

use serde_json::json;
use sim_core::engine::{Coverage, Goal};
use sim_core::management::project::{GetProject, ListProjects};
use sim_core::{Policy, RateLimit};
use sim_fixtures::{Call, Scene, api, scenario};

use crate::support::{both, seconds};

fn goal(text: &str) -> Goal {
    text.parse().expect("a goal")
}

#[test]
fn a_call_is_covered_by_operation_state_role_and_outcome() {
    both(scenario::active_project, |api| {
        api.get("/v1/projects/{ref}");
        api.act("/v1/projects/{ref}/pause");
        api.act("/v1/projects/{ref}/pause");
        api.send(Call::post("/v1/projects/{ref}/pause").token("token-of-reader"));
        api.get("/v1/projects");
        api.get("/_sim/users");
        let coverage = api::peek(api, |sim| sim.coverage());
        let rows: Vec<_> = coverage
            .reached
            .iter()
            .map(|one| format!("{} {} {}: {} {}", one.operation, one.state, one.role, one.status, one.reason))
            .collect();
        assert_eq!(
            rows,
            [
                "v1-get-project ACTIVE_HEALTHY Owner: 200 ",
                "v1-list-all-projects  : 200 ",
                "v1-pause-a-project ACTIVE_HEALTHY Owner: 200 ",
                "v1-pause-a-project PAUSING Owner: 400 project_not_active",
                "v1-pause-a-project PAUSING Read-only: 403 role_too_low",
            ]
        );
    });
}

#[test]
fn goals_are_statuses_and_pairs_of_outcomes_of_one_caller() {
    let policy = Policy { rate_limit: RateLimit::of(2, 60), ..Policy::default() };
    let Scene { mut sim, .. } = scenario::active_project_under(policy);
    let goals =
        ["v1-list-all-projects: 429", "v1-list-all-projects: 429 then 200", "v1-get-project: 404"].map(goal);
    for _ in 0..3 {
        let _ = sim.call(ListProjects {});
    }
    assert_eq!(sim.coverage().misses(&goals), [&goals[1], &goals[2]]);
    sim.as_user("token-of-reader").expect("a user").call(ListProjects {}).expect("another's call");
    assert_eq!(
        sim.coverage().misses(&goals),
        [&goals[1], &goals[2]],
        "another user's call does not count as the next"
    );
    sim.advance(seconds(60));
    sim.call(ListProjects {}).expect("the block is over");
    sim.call(GetProject { r#ref: scenario::NO_PROJECT.into() }).expect_err("there is none");
    assert!(sim.coverage().misses(&goals).is_empty());
    assert_eq!(goals[1].to_string(), "v1-list-all-projects: 429 then 200");
    assert!("v1-list-all-projects".parse::<Goal>().is_err());
    assert!("v1-list-all-projects: often".parse::<Goal>().is_err());
}

#[test]
fn calls_dropped_from_the_journal_stay_covered() {
    let policy = |journal_calls| Policy { journal_calls, rate_limit: RateLimit::off(), ..Policy::default() };
    let run = |journal_calls| {
        let Scene { mut sim, project } = scenario::active_project_under(policy(journal_calls));
        for index in 0..1000 {
            let r#ref = if index % 7 == 0 { scenario::NO_PROJECT.into() } else { project.clone() };
            let _ = sim.call(GetProject { r#ref });
        }
        sim.coverage()
    };
    assert_eq!(run(10), run(10_000));
}

#[test]
fn coverage_of_several_worlds_adds_up() {
    let run = |calls: usize| {
        let mut sim = scenario::four_roles();
        (0..calls).for_each(|_| drop(sim.call(ListProjects {})));
        sim.coverage()
    };
    let mut sum = run(3);
    let other: Coverage = serde_json::from_value(json!(run(2))).expect("it is plain data");
    sum.merge(other);
    assert_eq!(sum.count("v1-list-all-projects", 200), 5);
    assert_eq!(sum.followed[0].count, 3);
}

#[test]
fn the_matrix_has_every_operation_and_its_holes() {
    let mut sim = scenario::four_roles();
    sim.call(ListProjects {}).expect("a list");
    let matrix = sim.coverage().matrix(sim.registry());
    let list = matrix.iter().find(|(id, _)| *id == "v1-list-all-projects").expect("every operation is there");
    assert!(list.1.contains(&(200, 1)) && list.1.contains(&(429, 0)), "{list:?}");
    assert!(matrix.iter().all(|(id, _)| !id.starts_with("sim-")));
}
