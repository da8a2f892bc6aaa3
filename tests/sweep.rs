//! A sweep finds the defects of a wrong client, and none in a right one.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::analytics::source::CreateSource;
use sim_core::engine::fault::Effect;
use sim_core::sweep::{Ending, Outage, TroubleKind};
use sim_core::{Policy, Simulator};
use sim_fixtures::{Api, Call, Reply, Sweep, api, scenario, sweep};

use crate::support::seconds;

const PROJECT: &str = "/v1/projects/{ref}";

/// Creates an organization named Shop. Retries at once after every failure.
fn careless(api: &mut dyn Api) -> Result<(), String> {
    for _ in 0..3 {
        if api.post("/v1/organizations", json!({ "name": "Shop" })).status == 201 {
            return Ok(());
        }
    }
    Err("three times in vain".to_owned())
}

/// Creates an organization named Shop: waits, then checks whether it exists before it tries again.
fn careful(api: &mut dyn Api) -> Result<(), String> {
    for _ in 0..5 {
        match organizations(&api.get("/v1/organizations")) {
            Some(names) if names.iter().any(|name| name == "Shop") => return Ok(()),
            Some(_) => {
                let reply = api.post("/v1/organizations", json!({ "name": "Shop" }));
                if reply.status == 201 && serde_json::from_slice::<Value>(&reply.body).is_ok() {
                    return Ok(());
                }
            }
            None => {}
        }
        api.advance(seconds(1));
    }
    Err("five times in vain".to_owned())
}

fn organizations(reply: &Reply) -> Option<Vec<String>> {
    let list: Vec<Value> = serde_json::from_slice(&reply.body).ok().filter(|_| reply.status == 200)?;
    Some(list.iter().filter_map(|one| one["name"].as_str().map(str::to_owned)).collect())
}

#[test]
fn a_client_that_tries_again_blindly_makes_things_twice() {
    assert_snapshot!(sweep(scenario::fresh, careless), @r#"
        1 POST /v1/organizations  rate_limit   exit: it ended with 1: "three times in vain"; impatient: told to wait until 2026-01-01T00:00:01Z, it called 2 times before that
        1 POST /v1/organizations  lost_answer  double: organizations "Shop", 2 instead of 1
        1 POST /v1/organizations  late         double: organizations "Shop", 2 instead of 1
        1 call, 9 runs, 3 bad: 1 exit, 2 double, 1 impatient
    "#);
}

#[test]
fn a_client_that_looks_first_takes_every_fault() {
    let report = sweep(scenario::fresh, careful);
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.calls, report.runs.len()), (2, 16));
}

/// Does `first`, then `then` if `first` succeeded.
fn two_calls(first: Call, then: Call) -> impl FnMut(&mut dyn Api) -> Result<(), u16> {
    move |api| {
        for call in [&first, &then] {
            let reply = api.send(call.clone());
            if reply.status >= 300 {
                return Err(reply.status);
            }
        }
        Ok(())
    }
}

#[test]
fn a_client_that_never_gives_up_hangs() {
    let forever = |api: &mut dyn Api| -> Result<(), ()> {
        while api.get("/v1/projects").status != 200 {}
        Ok(())
    };
    let report = Sweep::default().effects(&[Effect::RateLimit { seconds: 1 }]).run(scenario::fresh, forever);
    assert_eq!(report.runs[0].ending, Ending::Hung);
    assert_snapshot!(report, @r#"
        1 GET /v1/projects  rate_limit  hang: it did not end; impatient: told to wait until 2026-01-01T00:00:01Z, it called 219 times before that
        1 call, 1 run, 1 bad: 1 hang, 1 impatient
    "#);
}

#[test]
fn a_client_that_gives_up_may_leave_work_undone_but_no_hole() {
    let secret = |name: &str| json!([{ "name": name, "value": "v" }]);
    let world = || {
        let mut scene = scenario::active_project();
        let request = Call::post(&format!("{PROJECT}/secrets")).json(secret("OLD"));
        let token = scene.sim.token().to_owned();
        scene.sim.handle(&request.request(&scene.project.0, Some(&token)));
        scene
    };
    let replace = |names: Value| Call::delete(&format!("{PROJECT}/secrets")).json(names);
    let set = |name| Call::post(&format!("{PROJECT}/secrets")).json(secret(name));

    let adds_two = two_calls(set("ONE"), set("TWO"));
    let report = Sweep::default().effects(&[Effect::status(503)]).may_fail().run(world, adds_two);
    assert!(report.is_clean(), "{report}");

    let replaces = two_calls(replace(json!(["OLD"])), set("OLD"));
    let report = Sweep::default().effects(&[Effect::status(503)]).may_fail().run(world, replaces);
    assert_snapshot!(report, @r#"
        2 POST /v1/projects/jyegvyphfflqhlxwbqup/secrets  503  lost: secrets "OLD" of "demo"
        2 calls, 2 runs, 1 bad: 1 lost
    "#);
}

#[test]
fn a_client_that_says_all_is_well_without_looking_is_found_out() {
    let hopeful = |api: &mut dyn Api| -> Result<(), ()> {
        api.patch(&format!("{PROJECT}/postgrest"), json!({ "max_rows": 10 }));
        api.post(&format!("{PROJECT}/secrets"), json!([{ "name": "KEY", "value": "v" }]));
        Ok(())
    };
    let report = Sweep::default().effects(&[Effect::Reset]).run(scenario::active_project, hopeful);
    assert_snapshot!(report, @r#"
        1 PATCH /v1/projects/jyegvyphfflqhlxwbqup/postgrest  reset  different: postgrest of "demo" is otherwise: max_rows is 1000 instead of 10
        2 POST /v1/projects/jyegvyphfflqhlxwbqup/secrets     reset  missing: secrets "KEY" of "demo"
        2 calls, 2 runs, 2 bad: 1 missing, 1 different
    "#);
}

#[test]
fn rows_that_were_inserted_twice_are_counted() {
    let sql = |query: &str| Call::post(&format!("{PROJECT}/database/query")).json(json!({ "query": query }));
    let patient = |insert: &'static str| {
        move |api: &mut dyn Api| -> Result<(), u16> {
            for text in ["create table if not exists plan (name text unique)", insert] {
                let statuses: Vec<u16> = (0..3).map(|_| api.send(sql(text)).status).collect();
                statuses.into_iter().find(|status| *status == 201).map(|_| ()).ok_or(500_u16)?;
            }
            Ok(())
        }
    };
    let lost = Sweep::default().effects(&[Effect::LostAnswer]);
    let again = "insert into plan values ('free') on conflict do nothing";
    assert!(lost.run(scenario::active_project, patient(again)).is_clean());

    let blind = |api: &mut dyn Api| -> Result<(), u16> {
        for text in ["create table if not exists plan (name text)", "insert into plan values ('free')"] {
            if api.send(sql(text)).status != 201 && api.send(sql(text)).status != 201 {
                return Err(500);
            }
        }
        Ok(())
    };
    assert_snapshot!(lost.run(scenario::active_project, blind), @r#"
        2 POST /v1/projects/jyegvyphfflqhlxwbqup/database/query  lost_answer  double: rows of public.plan of "demo", 2 instead of 1
        2 calls, 2 runs, 1 bad: 1 double
    "#);
}

#[test]
fn a_panic_and_a_stale_read_are_reported() {
    let trusting = |api: &mut dyn Api| -> Result<(), ()> {
        api.post("/v1/organizations", json!({ "name": "Shop" }));
        let names = organizations(&api.get("/v1/organizations")).unwrap_or_default();
        if !names.iter().any(|name| name == "Shop") {
            api.post("/v1/organizations", json!({ "name": "Shop" }));
        }
        Ok(())
    };
    let stale = Sweep::default().effects(&[Effect::Stale { calls: 1 }]);
    assert_snapshot!(stale.run(scenario::fresh, trusting), @r#"
        2 GET /v1/organizations  stale  double: organizations "Shop", 2 instead of 1
        2 calls, 1 run, 1 bad: 1 double
    "#);
    let panics = |api: &mut dyn Api| -> Result<(), ()> {
        assert_eq!(api.get("/v1/organizations").status, 200);
        Ok(())
    };
    let report = Sweep::default().effects(&[Effect::status(500)]).run(scenario::fresh, panics);
    assert_eq!(report.counts().keys().copied().collect::<Vec<_>>(), [TroubleKind::Killed]);
}

#[test]
fn polls_with_equal_answers_get_one_fault() {
    let polls = |api: &mut dyn Api| -> Result<(), ()> {
        (0..5).for_each(|_| drop(api.get("/v1/projects")));
        Ok(())
    };
    let report = Sweep::default().effects(&[Effect::status(500)]).run(scenario::fresh, polls);
    assert_eq!((report.calls, report.runs.len()), (5, 1));
}

#[test]
fn worlds_of_every_pace_come_to_rest() {
    for pace in ["clock", "instant", "manual"] {
        let policy: Policy = serde_json::from_value(json!({ "pace": pace })).expect("a policy");
        let world = || Simulator::builder().policy(policy.clone()).build();
        let report = Sweep::default().effects(&[Effect::Late { ms: 500 }]).run(world, careless);
        assert_eq!(report.counts().get(&TroubleKind::Double), Some(&1), "{pace}: {report}");
    }
}

/// Creates an organization named Shop: tries this often, a second apart, and checks first.
fn tries(times: usize) -> impl FnMut(&mut dyn Api) -> Result<(), String> {
    move |api| {
        for _ in 0..times {
            if organizations(&api.get("/v1/organizations"))
                .is_some_and(|names| names.iter().any(|name| name == "Shop"))
            {
                return Ok(());
            }
            if api.post("/v1/organizations", json!({ "name": "Shop" })).status == 201 {
                return Ok(());
            }
            api.advance(seconds(1));
        }
        Err("in vain".to_owned())
    }
}

#[test]
fn an_outage_lasts_for_calls_for_seconds_or_for_the_rest() {
    let sweep = Sweep::default().effects(&[Effect::status(503)]);
    let lasting = |outage: &str, times| {
        let outage = outage.parse().expect("a length");
        sweep.clone().outage(outage).run(scenario::fresh, tries(times))
    };
    assert!(lasting("1", 2).is_clean() && lasting("2", 2).is_clean());
    assert_snapshot!(lasting("4", 2), @r#"
    1 GET /v1/organizations   503  exit: it ended with 1: "in vain"
    2 POST /v1/organizations  503  exit: it ended with 1: "in vain"
    2 calls, 2 runs, 2 bad: 2 exit
    "#);
    assert!(lasting("4", 3).is_clean());
    assert_snapshot!(lasting("2s", 2), @r#"
    1 GET /v1/organizations   503  exit: it ended with 1: "in vain"
    2 POST /v1/organizations  503  exit: it ended with 1: "in vain"
    2 calls, 2 runs, 2 bad: 2 exit
    "#);
    assert!(lasting("2s", 3).is_clean());
    // A client may give up; it may not report success.
    let report = lasting("rest", 3);
    assert!(report.is_clean(), "{report}");
    assert!(report.runs.iter().all(|run| run.ending == Ending::Exit(1)));
    let hopeful = |api: &mut dyn Api| -> Result<(), ()> {
        api.post("/v1/organizations", json!({ "name": "Shop" }));
        Ok(())
    };
    assert_snapshot!(sweep.outage(Outage::Rest).run(scenario::fresh, hopeful), @r#"
    1 POST /v1/organizations  503  missing: organizations "Shop"
    1 call, 1 run, 1 bad: 1 missing
    "#);
}

#[test]
fn faults_are_injected_into_calls_to_both_services() {
    let world = || {
        let mut sim = Simulator::builder().with_self_log().build();
        sim.call(CreateSource::named("mine")).expect("the name is new");
        sim
    };
    let ships = |api: &mut dyn Api| -> Result<(), u16> {
        let key =
            api::peek(api, |sim| sim.beside().map(|other| other.token().to_owned())).unwrap_or_default();
        if !matches!(api.get("/v1/projects").status, 200..300)
            && !matches!(api.get("/v1/projects").status, 200..300)
        {
            return Err(1);
        }
        let events =
            || Call::post("/api/logs?source_name=mine").token(&key).json(json!([{ "message": "mine" }]));
        (0..2).map(|_| api.send(events()).status).find(|status| *status < 300).map(drop).ok_or(2)
    };
    let report = Sweep::default().effects(&[Effect::status(503), Effect::LostAnswer]).run(world, ships);
    assert_eq!((report.calls, report.runs.len()), (2, 3));
    assert_snapshot!(report, @r#"
    1 POST /api/logs?source_name=mine  lost_answer  double: events of "mine", 2 instead of 1
    2 calls, 3 runs, 1 bad: 1 double
    "#);
}
