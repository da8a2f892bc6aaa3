//! Reads a world as it was in the past, and advances time for clients that wait.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sim_core::analytics::query::RunQuery;
use sim_core::analytics::source::{CreateSource, ListSources};
use sim_core::engine::Pace;
use sim_core::lens::early_calls;
use sim_core::management::project::{CreateProject, GetProject, ListProjects, Status};
use sim_core::{Policy, RateLimit, Simulator};
use sim_fixtures::{Expect as _, scenario};

use crate::support::seconds;

const HALF_AN_HOUR: u64 = 30 * 60 * 1000;

fn waiting(policy: Policy) -> Simulator {
    scenario::with_policy(Policy { auto_advance_ms: HALF_AN_HOUR, ..policy })
}

#[test]
fn a_world_is_seen_as_it_was_after_a_call() {
    let mut sim = scenario::four_roles();
    for name in ["one", "two", "three"] {
        sim.call(CreateProject::named(name, "acme")).expect("the name is new");
    }
    for (call, count) in [(0, 0), (1, 1), (3, 3)] {
        let mut then = sim.at_call(call).expect("the journal is whole");
        assert_eq!(then.calls(), call);
        assert_eq!(then.call(ListProjects {}).expect("a list").len(), count);
    }
    assert_eq!(sim.at_call(1).expect("the journal is whole").token(), sim.token());
    assert!(sim.at_call(4).is_none());
    assert_eq!(sim.calls(), 3, "looking back is no call");
}

#[test]
fn a_world_is_seen_as_it_was_at_an_instant() {
    let mut sim = scenario::four_roles();
    let began = sim.now();
    let r#ref = sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    sim.advance(seconds(90));
    let status = |at: u64| {
        let then = sim.at(began + seconds(at));
        then.expect("the journal is whole")
            .call(GetProject { r#ref: r#ref.clone() })
            .expect("it is there")
            .status
    };
    assert_eq!(
        [status(0), status(59), status(60)],
        [Status::ComingUp, Status::ComingUp, Status::ActiveHealthy]
    );
    assert!(sim.at(began + seconds(91)).is_none(), "that time is in the future");
    assert!(sim.at(began - seconds(1)).is_none(), "there was nothing");
}

#[test]
fn a_thousand_pieces_of_work_due_at_one_instant_are_done_in_order() {
    let mut sim = scenario::with_policy(Policy { rate_limit: RateLimit::off(), ..Policy::default() });
    let mut create = |index| {
        let project = CreateProject::named(&format!("project {index}"), "acme");
        sim.call(project).expect("the name is new").id.to_string()
    };
    let refs: Vec<String> = (0..1000).map(&mut create).collect();
    let until = sim.now() + seconds(60);
    let happened = sim.advance(seconds(60));
    assert_eq!(happened.iter().map(|one| &one.subject).collect::<Vec<_>>(), refs.iter().collect::<Vec<_>>());
    assert!(happened.iter().all(|one| one.at == until && one.became == "ACTIVE_HEALTHY"));
    assert_eq!((sim.agenda().len(), sim.now()), (0, until));
}

#[test]
fn time_goes_by_for_a_client_that_polls() {
    let mut sim = waiting(Policy::default());
    let r#ref = sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    let mut polls = 0;
    while sim.call(GetProject { r#ref: r#ref.clone() }).expect("it is there").status != Status::ActiveHealthy
    {
        polls += 1;
        assert!(polls < 10);
    }
    assert_eq!(polls, 1);
    // The nightly backup is further away than any polling client waits.
    let now = sim.now();
    sim.call(GetProject { r#ref }).expect("it is there");
    assert_eq!(sim.now(), now);
    let again =
        sim.replay_file().expect("the journal is whole").run(sim.registry()).expect("nothing diverges");
    assert_eq!((again.now(), again.journal_hash()), (sim.now(), sim.journal_hash()));
}

#[test]
fn time_goes_by_for_a_client_that_was_told_to_come_back_later() {
    let mut sim = scenario::with_policy(Policy {
        auto_advance_block_ms: HALF_AN_HOUR,
        rate_limit: RateLimit::of(2, 60),
        ..Policy::default()
    });
    assert_eq!(statuses(&mut sim), [200, 200, 429, 200, 200]);
    assert_eq!(sim.now(), scenario::four_roles().now() + seconds(60));
}

fn statuses(sim: &mut Simulator) -> Vec<u16> {
    (0..5).map(|_| sim.call(ListProjects {}).map_or_else(|error| error.status(), |_| 200)).collect()
}

#[test]
fn time_that_goes_by_for_polls_does_not_hide_an_ignored_429() {
    let mut sim = waiting(Policy { rate_limit: RateLimit::of(2, 60), ..Policy::default() });
    assert_eq!(statuses(&mut sim), [200, 200, 429, 429, 429]);
    let early: Vec<_> = early_calls(&sim.journal()).iter().map(|one| (one.told_at, one.call)).collect();
    assert_eq!(early, [(3, 4), (3, 5)]);
    let failure = catch_unwind(AssertUnwindSafe(|| {
        sim.journal().expect_waits();
    }))
    .expect_err("two did not");
    let failure = failure.downcast_ref::<String>().expect("a text");
    assert!(failure.starts_with("told at call 3 to wait until 2026-01-01T00:01:00Z, a client made call 4"));
    sim.advance(seconds(60));
    assert_eq!(statuses(&mut sim)[..3], [200, 200, 429]);
    assert_eq!(early_calls(&sim.journal()).len(), 4, "a block of its own");
}

#[test]
fn a_typed_call_to_a_service_that_is_not_there_is_refused() {
    let mut sim = scenario::four_roles();
    let refusal = sim.call(ListSources {}).unwrap_err();
    assert_eq!((refusal.status(), &*refusal.reason), (404, "no_such_service"));
    assert!(refusal.message.contains("with_analytics"), "{}", refusal.message);
    assert!(sim.as_admin().call(ListSources {}).is_err());
    assert_eq!(sim.calls(), 0);
}

#[test]
fn time_does_not_pass_for_others_or_without_polling() {
    let mut sim = waiting(Policy { pace: Pace::Clock, ..Policy::default() });
    sim.call(CreateProject::named("demo", "acme")).expect("the name is new");
    let now = sim.now();
    sim.call(ListProjects {}).expect("a list");
    sim.as_user("token-of-reader").expect("a user").call(ListProjects {}).expect("a list");
    assert_eq!(sim.now(), now, "another caller polled");
    let mut plain = scenario::four_roles();
    plain.call(CreateProject::named("demo", "acme")).expect("the name is new");
    (0..3).for_each(|_| drop(plain.call(ListProjects {})));
    assert_eq!(plain.now(), now);
}

/// A world of both services and its steps: calls to one and the other in turn.
fn both_services() -> Simulator {
    let mut sim = Simulator::builder().with_self_log().build();
    sim.call(ListProjects {}).expect("a list");
    sim.call(CreateSource::named("mine")).expect("the name is new");
    sim.call(CreateProject::named("demo", "acme")).expect("the name is new");
    sim.advance(seconds(90));
    sim.call(CreateSource::named("another")).expect("the name is new");
    sim.call(ListProjects {}).expect("a list");
    sim
}

/// Events of the gateway, sources of the user, projects.
fn seen(sim: &Simulator) -> (usize, usize, usize) {
    let mut sim = sim.fork();
    let events =
        sim.call(RunQuery::sql("select event_message from `gateway.logs.prod`")).expect("a good query");
    let sources = sim.call(ListSources {}).expect("a list").len();
    (events.result.len(), sources, sim.call(ListProjects {}).expect("a list").len())
}

#[test]
fn both_services_are_seen_as_they_were() {
    let sim = both_services();
    let began = sim.at_call(0).expect("the journal is whole").now();
    assert_eq!(seen(&sim), (3, 11, 1));
    let calls = [0, 1, 2, 3].map(|call| seen(&sim.at_call(call).expect("the journal is whole")));
    assert_eq!(calls, [(0, 9, 0), (1, 9, 0), (2, 10, 1), (3, 11, 1)]);
    // Calls of `analytics` only: they alternate with calls of the other service.
    let of_the_other =
        [2, 4].map(|call| seen(&sim.at_call_of("analytics", call).expect("the journal is whole")));
    assert_eq!(of_the_other, [(1, 10, 0), (2, 11, 1)]);
    let instants =
        [0, 89, 90].map(|at| seen(&sim.at(began + seconds(at)).expect("that time is in the past")));
    assert_eq!(instants, [(2, 10, 1), (2, 10, 1), (3, 11, 1)]);
    assert!(sim.at_call(4).is_none() && sim.at_call_of("analytics", 6).is_none());
    assert!(sim.at_call_of("billing", 0).is_none());
}

#[test]
fn both_services_live_on_from_then() {
    let sim = both_services();
    let mut then = sim.at_call(2).expect("the journal is whole");
    then.advance(seconds(90));
    then.call(CreateSource::named("another")).expect("the name is new");
    then.call(ListProjects {}).expect("a list");
    assert_eq!(then.journal_hash(), sim.journal_hash());
    let other = |sim: &Simulator| sim.beside().map(Simulator::journal_hash);
    assert_eq!((other(&then), seen(&then)), (other(&sim), seen(&sim)));
}
