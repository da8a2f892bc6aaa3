//! How much of the rate limit a client uses, and how long it takes under the limit.

use insta::assert_snapshot;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::lens::{Lens, Reaction, early_calls, reaction};
use sim_core::management::project::ListProjects;
use sim_core::{RateLimit, Simulator};
use sim_fixtures::{Api, InProcess, api, scenario};

use crate::support::seconds;

/// The journal of `calls` calls, this many seconds apart.
fn journal(calls: usize, apart: u64) -> Vec<sim_core::engine::Call> {
    let policy = sim_core::Policy { rate_limit: RateLimit::off(), ..sim_core::Policy::default() };
    let mut api = InProcess::new(scenario::with_policy(policy));
    for _ in 0..calls {
        api.get("/v1/organizations");
        api.advance(seconds(apart));
    }
    api::peek(&mut api, |sim| sim.journal())
}

fn wall_s(calls: usize, apart: u64, runners: u32) -> Option<u64> {
    let lens = Lens::of(&journal(calls, apart), &RateLimit::default(), &[runners]);
    lens.forecasts[0].wall_ms.map(|ms| ms / 1000)
}

#[test]
fn a_rule_blocks_its_caller_where_no_limit_counts() {
    let policy = sim_core::Policy { rate_limit: RateLimit::off(), ..sim_core::Policy::default() };
    let mut sim = scenario::with_policy(policy);
    sim.call(ListProjects {}).expect("a list, which is cached");
    let rule = Fault::new(On::path("*"), Effect::RateLimit { seconds: 2 });
    sim.as_admin().call(AddFault(rule)).expect("the rule is valid");
    let status = |sim: &mut Simulator| sim.call(ListProjects {}).map_or_else(|error| error.status(), |_| 200);
    assert_eq!([(); 3].map(|()| status(&mut sim)), [429; 3]);
    assert_eq!(early_calls(&sim.journal()).len(), 2);
    sim.advance(seconds(2));
    assert_eq!(status(&mut sim), 200);
}

#[test]
fn calls_are_counted_by_operation_and_window() {
    let mut api = InProcess::new(scenario::active_project());
    for path in ["/v1/projects", "/v1/projects/{ref}", "/v1/projects/{ref}", "/v1/nothing"] {
        api.get(path);
        api.advance(seconds(30));
    }
    let journal = api::peek(&mut api, |sim| sim.journal());
    assert_snapshot!(Lens::of(&journal, &RateLimit::of(4, 60), &[1, 3]), @r#"
        4 calls in 90.0 s, at most 2 in a window
        50 % of the 4 that a user may make in 60.0 s

              2  v1-get-project
              1  GET /v1/nothing
              1  v1-list-all-projects

        runners   wall time  refused
              1      90.0 s        0
              3     210.0 s        5
    "#);
}

#[test]
fn wall_time_is_that_of_the_real_limit() {
    assert_eq!(wall_s(60, 0, 1), Some(0));
    assert_eq!(wall_s(61, 0, 1), Some(60));
    assert_eq!(wall_s(121, 0, 1), Some(120));
    // One call a second: a new window starts with the 61st.
    assert_eq!(wall_s(90, 1, 1), Some(89));
    // Two runners: the 61st call comes after thirty seconds, and both wait for a minute.
    assert_eq!(wall_s(60, 1, 2), Some(119));
    assert_eq!(wall_s(60, 0, 10), Some(540));
    assert_eq!(wall_s(0, 0, 3), Some(0));
}

#[test]
fn without_a_limit_no_client_waits_and_with_a_limit_of_zero_for_ever() {
    let journal = journal(100, 0);
    let lens = Lens::of(&journal, &RateLimit::off(), &[7]);
    assert_eq!((lens.forecasts[0].wall_ms, lens.forecasts[0].refused), (Some(0), 0));
    let none = RateLimit { count: 0, ..RateLimit::default() };
    assert_eq!(Lens::of(&journal, &none, &[1]).forecasts[0].wall_ms, None);
}

#[test]
fn waiting_and_impatient_clients_are_recognised() {
    let after = |client: fn(&mut dyn Api)| {
        let mut sim = Simulator::builder().build();
        let rule = Fault::new(On::path("*"), Effect::RateLimit { seconds: 2 });
        sim.as_admin().call(AddFault(rule)).expect("a good rule");
        let mut api = InProcess::new(sim);
        client(&mut api);
        api::peek(&mut api, |sim| reaction(&sim.journal()))
    };
    let list = |api: &mut dyn Api| drop(api.get("/v1/projects"));
    assert_eq!(after(|_| {}), None);
    assert_eq!(after(list), Some(Reaction::GivesUp));
    assert_eq!(after(|api| (0..3).for_each(|_| drop(api.get("/v1/projects")))), Some(Reaction::Calls(2)));
    let patient = |api: &mut dyn Api| {
        api.get("/v1/projects");
        api.advance(seconds(2));
        api.get("/v1/projects");
    };
    assert_eq!(after(patient), Some(Reaction::Waits));
}
