//! A build with the feature `management` alone says by name what it leaves out.

#![forbid(unsafe_code)]
#![cfg(all(feature = "management", not(feature = "sql"), not(feature = "analytics")))]

use std::time::Duration;

use sim_core::Simulator;
use sim_core::management::project::{CreateProject, GetProject, Status};
use sim_core::management::query::RunQuery;
use sim_core::seed::Seed;

#[test]
fn projects_live_and_their_databases_refuse_statements() {
    let mut sim = Simulator::builder().seed(7).build();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    sim.advance(Duration::from_secs(60));
    let status = sim.call(GetProject { r#ref: project.clone() }).expect("it is there").status;
    assert_eq!(status, Status::ActiveHealthy);
    let refusal = sim.call(RunQuery::sql(project, "select 1")).expect_err("no engine is built in");
    assert_eq!((refusal.status(), &*refusal.reason), (400, "sql_error"));
    assert!(refusal.message.contains("without the feature \"sql\""), "{}", refusal.message);
}

#[test]
fn seeds_of_the_analytics_server_are_refused() {
    for (seed, reason) in [
        ("service = \"both\"", "invalid_seed.service"),
        ("[[sources]]\nname = \"gateway\"", "invalid_seed.sources.0"),
    ] {
        let world = Seed::parse(seed).expect("it can be read").build();
        assert_eq!(world.err().expect("there is no analytics server").reason, reason, "{seed}");
    }
}
