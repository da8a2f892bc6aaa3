//! Each bug of the client is found by one tool of the test kit: no server, no wait.

#![forbid(unsafe_code)]

use std::time::Duration;

use deployer::{Bug, Deployer, Refused};
use proptest::prelude::*;
use serde_json::{Value, json};
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::lens::{Reaction, early_calls};
use sim_core::management::project::{ListProjects, Status};
use sim_core::sweep::{Report, effect};
use sim_core::{Policy, RateLimit, Simulator};
use sim_fixtures::net::{LensReport, Transport, lens_async, sweep_async};
use sim_fixtures::scenario;
use sim_fixtures::strategies::{Menu, any_faults};
use sim_fixtures::trial::{AsyncClient, Failure, Seen, Trial, Wanted};

fn deployer(world: &Transport, bugs: &[Bug]) -> Deployer {
    let world = world.clone().timeout(Duration::from_secs(10));
    Deployer::new(world.reqwest(), "https://api.example.test", &world.token(), bugs)
}

async fn release(world: Transport, bugs: &[Bug]) -> Result<(), Refused> {
    deployer(&world, bugs).release().await
}

#[tokio::test(start_paused = true)]
async fn a_release_succeeds() {
    let world = Transport::new(scenario::fresh()).follow_tokio();
    release(world.clone(), &[]).await.expect("a release");
    let projects = world.with(|sim| sim.call(ListProjects {})).expect("a list");
    assert_eq!(projects.iter().map(|one| one.status).collect::<Vec<_>>(), [Status::ActiveHealthy]);
}

// Sweep: a fault in every call, one at a time.

async fn swept(bug: &[Bug]) -> Report {
    sweep_async(scenario::fresh, |world| release(world, bug)).await
}

#[tokio::test(start_paused = true)]
async fn a_release_survives_every_fault() {
    let began = std::time::Instant::now();
    let report = swept(&[]).await;
    assert!(report.is_clean(), "{report}");
    println!("{report}, in {:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_sweep_finds_the_blind_retry() {
    let report = swept(&[Bug::BlindRetry]).await.to_string();
    assert!(report.contains("lost_answer  double: organizations \"Shop\", 2 instead of 1"), "{report}");
    println!("{report}");
}

#[tokio::test(start_paused = true)]
async fn a_sweep_finds_impatience() {
    let report = swept(&[Bug::Impatient]).await.to_string();
    assert!(
        report.contains("impatient: told to wait until 2026-01-01T00:00:01Z, it called 7 times"),
        "{report}"
    );
    println!("{report}");
}

// Lens: what the client does when it is told to wait.

async fn lensed(bug: &[Bug]) -> LensReport {
    let world = |rate_limit| Simulator::builder().policy(Policy { rate_limit, ..Policy::default() }).build();
    lens_async(world, &[1, 25], |world| release(world, bug)).await
}

#[tokio::test(start_paused = true)]
async fn a_release_waits_when_it_is_told_to() {
    let report = lensed(&[]).await;
    assert!(report.is_good(), "{report}");
}

#[tokio::test(start_paused = true)]
async fn the_lens_finds_impatience() {
    let report = lensed(&[Bug::Impatient]).await;
    assert_eq!(report.reaction, Some(Reaction::Calls(7)), "{report}");
    println!("{report}");
}

// Forks: the same step at every moment of a project's start.

async fn at_each_moment(bugs: &[Bug]) -> Vec<Result<(), Refused>> {
    let began = Transport::new(scenario::fresh());
    let wanted =
        json!({ "name": "shop", "region": "eu-west-1", "db_pass": "a-password", "organization_id": "acme" });
    let project = deployer(&began, &[]).create_project(wanted).await.expect("it is new");
    let reference = project["id"].as_str().expect("a reference");
    let mut results = Vec::new();
    for second in (0..70).step_by(10) {
        let moment = Transport::new(began.with(|sim| sim.fork())).follow_tokio();
        moment.with(|sim| sim.advance(Duration::from_secs(second)));
        let client = deployer(&moment, bugs);
        client.wait_until_up(reference).await.expect("it comes up");
        results.push(client.query(reference, "select 1").await.map(drop));
    }
    results
}

#[tokio::test(start_paused = true)]
async fn a_project_is_used_when_it_is_up() {
    assert_eq!(at_each_moment(&[]).await, vec![Ok(()); 7]);
}

#[tokio::test(start_paused = true)]
async fn forks_find_the_eager_client() {
    let results = at_each_moment(&[Bug::Eager]).await;
    assert_eq!(
        results.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [false, false, false, false, false, false, true]
    );
    println!("{:?}", results[0]);
}

// Trial: random histories, in which the client's result must be that of the same calls in a twin of the world.

const CREATE: &str = "v1-create-a-project";

struct Creates<const BUG: usize>(Transport);

const BUGS: [&[Bug]; 3] = [&[], &[Bug::AtHome], &[Bug::Impatient]];

impl<const BUG: usize> AsyncClient for Creates<BUG> {
    fn begin(world: Transport) -> Self {
        Creates(world)
    }

    async fn perform(&mut self, wanted: &Wanted) -> Seen {
        let body: Value = serde_json::from_slice(wanted.request().body()).expect("a project");
        let there = self.0.with(|sim| sim.as_admin().call(ListProjects {})).expect("a list");
        // It can't have two of one name, which the service allows in two organizations.
        let Some(token) = wanted.token().filter(|_| there.iter().all(|one| body["name"] != one.name)) else {
            return Seen::NotMine;
        };
        let client = Deployer::new(self.0.reqwest(), "https://api.example.test", token, BUGS[BUG]);
        match client.create_project(body).await {
            Ok(created) => Seen::Done(json!({ "name": created["name"], "region": created["region"] })),
            Err(_) => Seen::Failed,
        }
    }
}

fn trial() -> Trial {
    let menu = Menu::well_formed().of(&[CREATE]).expect("it is an operation").good();
    let effects = ["503", "lost_answer", "torn", "rate_limit"];
    Trial::on(&menu).cases(16).steps(6).faults(&effects.map(|name| effect(name).expect("an effect")))
}

fn text(failure: Result<(), Box<Failure>>) -> String {
    let failure = failure.expect_err("a trial that finds the bug");
    println!("{failure}");
    failure.reason
}

#[tokio::test(start_paused = true)]
async fn a_project_is_as_it_was_ordered_whatever_happens_to_the_call() {
    trial().run_async::<Creates<0>>().await;
}

#[tokio::test(start_paused = true)]
async fn a_trial_finds_the_wrong_region() {
    assert!(text(trial().outcome_async::<Creates<1>>().await).contains("region"));
}

#[tokio::test(start_paused = true)]
async fn a_trial_finds_impatience() {
    let found = text(trial().outcome_async::<Creates<2>>().await);
    assert!(found.contains("the client called again before that"), "{found}");
}

// Faults of proptest: two at once, in any calls. A stale read after a lost answer deceives every client, so there are none.

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn a_release_survives_any_two_faults(faults in any_faults(2).prop_filter("no stale reads", |all| all.iter().all(is_fresh))) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
        let ended = runtime.block_on(async {
            let world = Transport::new(scenario::fresh()).follow_tokio();
            for fault in &faults {
                world.with(|sim| sim.as_admin().call(AddFault(fault.clone())).map(drop)).expect("the rule is valid");
            }
            let ended = release(world.clone(), &[]).await;
            ended.map(|()| world.with(|sim| early_calls(&sim.journal())))
        });
        prop_assert_eq!(ended, Ok(vec![]));
    }
}

fn is_fresh(fault: &Fault) -> bool {
    !matches!(fault.effect, Effect::Stale { .. })
}

// An ignored 429 is in the journal, although the world lets polls pass.

#[tokio::test(start_paused = true)]
async fn the_journal_tells_of_a_client_that_ignored_a_429() {
    let policy = Policy { rate_limit: RateLimit::of(2, 60), auto_advance_ms: 600_000, ..Policy::default() };
    for (bugs, early) in [(&[][..], 0), (&[Bug::Impatient][..], 7)] {
        let world = Transport::new(Simulator::builder().policy(policy.clone()).build()).follow_tokio();
        assert_eq!(release(world.clone(), bugs).await.is_ok(), early == 0);
        assert_eq!(world.with(|sim| early_calls(&sim.journal()).len()), early);
    }
}

#[tokio::test(start_paused = true)]
async fn a_delay_is_a_timeout_of_the_client() {
    let world = Transport::new(scenario::fresh()).follow_tokio();
    let rule = |effect| Fault::new(On::path("*"), effect);
    for effect in [Effect::Latency { ms: 60_000 }, Effect::Slow { ms: 60_000 }] {
        world.with(|sim| sim.as_admin().call(AddFault(rule(effect))).map(drop)).expect("the rule is valid");
        let client = world.clone().timeout(Duration::from_secs(10)).reqwest();
        let request = client.get("https://api.example.test/v1/projects").bearer_auth(world.token());
        let began = tokio::time::Instant::now();
        let seen = async { Ok::<_, reqwest_middleware::Error>(request.send().await?.text().await?) }.await;
        assert!(seen.expect_err("it takes a minute").is_timeout());
        assert_eq!(began.elapsed().as_secs(), 10);
    }
}
