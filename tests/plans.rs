//! Plans give the results of calls, and a trial finds the defects of a client.

use std::sync::LazyLock;

use http::Method;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::management::project::{CreateProject, GetProject, ListProjects, PauseProject};
use sim_core::{Operation as _, management};
use sim_fixtures::plans::{Plan, PlanStep, PlannedCall, plan};
use sim_fixtures::strategies::{Menu, any_ask_of, any_call_of};
use sim_fixtures::trial::{Client, Failure, Seen, Trial, Wanted};
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::Steps;
use crate::support::over_http;

const PROJECTS: [&str; 4] =
    [ListProjects::META.id, CreateProject::META.id, GetProject::META.id, PauseProject::META.id];

fn calls(plan: &Plan) -> impl Iterator<Item = &PlannedCall> {
    plan.steps.iter().filter_map(|step| match step {
        PlanStep::Call(call) => Some(&**call),
        PlanStep::Advance { .. } => None,
    })
}

fn request(call: &PlannedCall) -> Call {
    let method: Method = call.method.parse().expect("methods have good names");
    let plain = Call::new(method, &call.path);
    let mut request = match (&call.body, &call.text) {
        (Some(body), _) => plain.json(body.clone()),
        (None, Some(text)) => Call { body: text.clone().into(), ..plain },
        (None, None) => plain,
    };
    request.headers.extend(call.headers.clone());
    match &call.token {
        Some(token) => request.token(token),
        None => request.nobody(),
    }
}

#[test]
fn plans_come_true_over_http() {
    let mut server = over_http(scenario::fresh().into());
    let server: &mut dyn Api = &mut server;
    let menu = Menu::well_formed();
    for plan in (0..12).map(|seed| plan(&menu, seed, 15)) {
        let made = server.control(Method::POST, "/_sim/worlds", Value::Object(plan.world.clone()));
        let at = |path: &str| format!("/w/{}{path}", made["name"].as_str().expect("a world has a name"));
        for step in &plan.steps {
            let call = match step {
                PlanStep::Advance { .. } => {
                    let body = serde_json::to_value(step).expect("a step is plain data");
                    server.control(Method::POST, &at("/_sim/clock/advance"), body);
                    continue;
                }
                PlanStep::Call(call) => call,
            };
            let reply = server.send(Call { path: at(&call.path), ..request(call) });
            assert_eq!(reply.status, call.expect.status, "{call:?}: {reply}");
            assert_eq!(reply.reason(), call.expect.reason.as_deref().unwrap_or_default(), "{call:?}");
            if let Some(body) = &call.expect.body {
                assert_eq!(reply.json(), *body, "{call:?}");
            }
        }
    }
}

#[test]
fn a_seed_is_a_plan() {
    let menu = Menu::well_formed();
    let (one, again) = (plan(&menu, 3, 30), plan(&menu, 3, 30));
    assert_eq!(one, again);
    assert_ne!(one.steps, plan(&menu, 4, 30).steps);
    let text = serde_json::to_string(&one).expect("a plan is plain data");
    assert_eq!(serde_json::from_str::<Plan>(&text).expect("and back"), one);
}

#[test]
fn a_good_plan_has_no_refusals_and_a_menu_is_kept() {
    for seed in 0..20 {
        let good = plan(&Menu::well_formed().good(), seed, 20);
        let refused = calls(&good).find(|call| call.expect.status >= 400);
        assert!(refused.is_none(), "{refused:?}");
        let menu = Menu::well_formed().of(&PROJECTS).expect("these are operations");
        let narrow = plan(&menu, seed, 20);
        let other = calls(&narrow).find(|call| !call.setup && !PROJECTS.contains(&&*call.operation));
        assert!(other.is_none(), "{other:?}");
    }
}

#[test]
fn plans_are_drawn_over_http() {
    let mut server = over_http(scenario::fresh().into());
    let reply =
        server.get("/_sim/plans?seed=5&count=2&length=3&operations=v1-get-project,v1-pause-a-project");
    let menu = Menu::well_formed().of(&["v1-get-project", "v1-pause-a-project"]).expect("operations");
    assert_eq!(reply.json(), json!([plan(&menu, 5, 3), plan(&menu, 6, 3)]));
    for (query, reason, message) in [
        ("count=0", "invalid_query.count", "count: must be between 1 and 100, received 0"),
        ("length=101", "invalid_query.length", "length: must be between 1 and 100, received 101"),
        (
            "good=perhaps",
            "invalid_query.good",
            "good: invalid type: string \"perhaps\", expected true or false",
        ),
        (
            "operations=v1-nothing",
            "invalid_query.operations",
            "operations: there is no \"v1-nothing\"; `stuntdouble routes` lists all that there are",
        ),
    ] {
        let reply = server.get(&format!("/_sim/plans?{query}"));
        let found = (reply.status, reply.reason(), reply.json()["message"].clone());
        assert_eq!(found, (400, reason, json!(message)), "{query}");
    }
}

#[test]
fn typed_and_untyped_calls_of_an_operation_are_generated() {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    let scene = scenario::active_project();
    let names = scene.names();
    let fixed = RngSeed::Fixed(1);
    let config =
        || ProptestConfig { rng_seed: fixed, failure_persistence: None, ..ProptestConfig::with_cases(30) };
    proptest!(config(), |(call in any_call_of::<CreateProject>(&names))| {
        let result = scene.sim.fork().call(call.clone());
        prop_assert!(result.as_ref().map_or_else(|error| error.kind.status(), |_| 201) != 500, "{:?}", result);
    });
    proptest!(config(), |(ask in any_ask_of::<PauseProject>())| {
        let reply = Reply::from(scene.sim.fork().handle(&ask.call(&names).request("", None)));
        prop_assert!([200, 401, 403, 404, 400, 405].contains(&reply.status), "{:?}: {}", ask, reply);
    });
}

/// Sends the requested call, with one bad habit.
struct Habitual<H> {
    world: Simulator,
    habit: H,
}

/// A defect of a client.
trait Habit: Default {
    fn perform(&mut self, world: &mut Simulator, wanted: &Wanted) -> Seen;
}

impl<H: Habit> Client for Habitual<H> {
    fn begin(world: Simulator) -> Habitual<H> {
        Habitual { world, habit: H::default() }
    }

    fn perform(&mut self, wanted: &Wanted) -> Seen {
        self.habit.perform(&mut self.world, wanted)
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        look(&mut self.world);
    }
}

fn send(world: &mut Simulator, wanted: &Wanted) -> Seen {
    let reply = Reply::from(world.handle(wanted.request()));
    // Some responses are not JSON.
    let shown = serde_json::from_slice(&reply.body).unwrap_or_default();
    if reply.status < 400 { Seen::Done(shown) } else { Seen::Refused(reply.status) }
}

fn found<H: Habit>() -> Failure {
    static TRIAL: LazyLock<Trial> = LazyLock::new(|| Trial::of(&PROJECTS));
    *TRIAL.outcome::<Habitual<H>>().expect_err("the trial finds it")
}

#[derive(Default)]
struct Good;

impl Habit for Good {
    fn perform(&mut self, world: &mut Simulator, wanted: &Wanted) -> Seen {
        send(world, wanted)
    }
}

#[test]
fn a_good_client_passes() {
    Trial::on(&Menu::well_formed()).cases(16).run::<Habitual<Good>>();
    Trial::on(&Menu::well_formed().good()).cases(8).run::<Habitual<Good>>();
}

#[derive(Default)]
struct LooksFirst;

impl Habit for LooksFirst {
    fn perform(&mut self, world: &mut Simulator, wanted: &Wanted) -> Seen {
        let _ = world.call(ListProjects {});
        send(world, wanted)
    }
}

#[test]
fn a_client_may_look_before_it_acts() {
    Trial::of(&PROJECTS).cases(4).run::<Habitual<LooksFirst>>();
}

#[derive(Default)]
struct TriesTwice;

impl Habit for TriesTwice {
    fn perform(&mut self, world: &mut Simulator, wanted: &Wanted) -> Seen {
        let first = send(world, wanted);
        let Some(create) = wanted.typed::<CreateProject>().filter(|_| matches!(first, Seen::Done(_))) else {
            return first;
        };
        let name = format!("{} again", create.name);
        let _ = world.call(CreateProject { name, ..create });
        first
    }
}

#[test]
fn a_client_that_does_more_than_it_should_is_found_out() {
    let Failure { reason, plan, .. } = found::<TriesTwice>();
    assert!(reason.contains("the world is not what it should be: /agenda"), "{reason}");
    let (steps, plan) = plan.expect("there is a history");
    assert_eq!(steps.len(), 1, "one create is enough: {steps:?}");
    assert_eq!(calls(&plan).last().map(|call| &*call.operation), Some("v1-create-a-project"));
}

#[derive(Default)]
struct Hides;

impl Habit for Hides {
    fn perform(&mut self, world: &mut Simulator, wanted: &Wanted) -> Seen {
        match send(world, wanted) {
            Seen::Refused(403) => Seen::Done(Value::Null),
            seen => seen,
        }
    }
}

#[test]
fn a_client_that_hides_a_refusal_is_found_out() {
    let failure = found::<Hides>();
    assert!(failure.reason.contains("the client has seen Done(Null), the answer is 403"), "{failure}");
    assert!(failure.to_string().ends_with("again: .seed(0).cases(32).steps(20)"), "{failure}");
}

#[derive(Default)]
struct Remembers(Option<Value>);

impl Habit for Remembers {
    fn perform(&mut self, world: &mut Simulator, wanted: &Wanted) -> Seen {
        let Some(_) = wanted.typed::<ListProjects>() else { return send(world, wanted) };
        let fresh = send(world, wanted);
        match (fresh, &self.0) {
            (Seen::Done(_), Some(kept)) => Seen::Done(kept.clone()),
            (Seen::Done(list), None) => Seen::Done(self.0.insert(list).clone()),
            (refused, _) => refused,
        }
    }
}

#[test]
fn a_client_that_remembers_too_long_is_found_out() {
    let failure = found::<Remembers>();
    assert!(failure.reason.contains("the client has seen Done("), "{failure}");
    let (steps, _) = failure.plan.expect("there is a history");
    assert!((2..=4).contains(&steps.len()), "list, change, list: {steps:#?}");
}

#[test]
fn typed_calls_come_back_from_their_requests() {
    let scene = scenario::active_project();
    let paused = PauseProject { r#ref: scene.project.clone() };
    let request = PauseProject::META.request(serde_json::to_value(&paused).expect("plain data"));
    let read: PauseProject = management::registry().read(&request).expect("the same");
    assert_eq!(read.r#ref, paused.r#ref);
    let other = management::registry().read::<GetProject>(&request).unwrap_err();
    assert_eq!(other.reason, "another_operation");
}
