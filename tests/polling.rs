//! Repeated reads: each gets the same response as the first would, and each is in the journal.

use std::collections::BTreeSet;

use serde_json::json;
use sim_core::engine::RateLimit;
use sim_core::management::project::PauseProject;
use sim_core::{Policy, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, api, scenario};

use crate::support::{both, seconds};

const PROJECT: &str = "/v1/projects/{ref}";

/// More repetitions than a world needs to cache a read.
const TIMES: usize = 4;

fn scene() -> Scene {
    scenario::project_in(scenario::with_policy(Policy::default()))
}

fn scene_without_limit() -> Scene {
    scenario::project_in(scenario::with_policy(Policy { rate_limit: RateLimit::off(), ..Policy::default() }))
}

fn poll(api: &mut dyn Api) -> Vec<Reply> {
    (0..TIMES).map(|_| api.get(PROJECT)).collect()
}

/// The response of a world without a cache.
fn afresh(api: &mut dyn Api) -> Reply {
    let project = api.project();
    let fork = api::peek(api, |sim| sim.fork());
    InProcess::new(Scene { sim: fork, project: project.as_str().into() }).get(PROJECT)
}

#[test]
fn repeated_reads_get_the_same_answer_and_each_is_recorded() {
    both(scene, |api| {
        let replies = poll(api);
        assert!(replies.iter().all(|reply| reply.status == 200 && reply.body == replies[0].body));
        let calls = api::peek(api, |sim| sim.journal());
        for (reply, call) in replies.iter().zip(&calls[calls.len() - TIMES..]) {
            assert_eq!(reply.header("x-sim-call"), call.call.to_string());
            assert_eq!(reply.body, call.response);
        }
    });
}

#[test]
fn repeated_reads_count_against_the_rate_limit() {
    both(scene, |api| {
        let opened = api.get(PROJECT).header("x-ratelimit-remaining").parse::<usize>().expect("a number");
        for left in (0..opened).rev() {
            let reply = api.get(PROJECT);
            let left = left.to_string();
            assert_eq!((reply.status, reply.header("x-ratelimit-remaining")), (200, &*left));
        }
        for _ in 0..TIMES {
            let refused = api.get(PROJECT);
            assert_eq!((refused.status, refused.header("retry-after")), (429, "60"));
        }
        api.advance(seconds(60));
        for left in ["59", "58", "57"] {
            assert_eq!(api.get(PROJECT).header("x-ratelimit-remaining"), left);
        }
    });
}

#[test]
fn repeated_reads_leave_the_journal_that_other_reads_leave() {
    for scene in [scene, scene_without_limit] {
        leaves_the_journal_that_others_leave(scene);
    }
}

fn leaves_the_journal_that_others_leave(scene: fn() -> Scene) {
    let ask = |before: fn(&mut dyn Api, usize) -> Call| {
        let mut api = InProcess::new(scene());
        let asked = |time| {
            let call = before(&mut api, time);
            let reply = api.send(call);
            (reply.to_string(), reply.headers)
        };
        let replies: Vec<_> = (0..TIMES).map(asked).collect();
        (replies, api::peek(&mut api, |sim| (sim.journal(), sim.coverage())))
    };
    let polled = ask(|_, _| Call::get(PROJECT));
    // A fork starts without a cache.
    let asked_anew = ask(|api, _| {
        api.look(&mut |sim| *sim = sim.fork());
        Call::get(PROJECT)
    });
    let with_ids = ask(|_, time| Call::get(PROJECT).header("x-request-id", &time.to_string()));
    assert_eq!(polled, asked_anew);
    assert_eq!(polled, with_ids);
}

#[test]
fn repeated_reads_are_answered_without_a_kept_journal() {
    let policy = Policy { journal_calls: 0, rate_limit: RateLimit::off(), ..Policy::default() };
    both(
        || scenario::project_in(scenario::with_policy(policy.clone())),
        |api| {
            for _ in 0..200 {
                assert_eq!(api.get(PROJECT).status, 200);
            }
        },
    );
}

#[test]
fn a_repeated_read_of_another_content_type_gets_it() {
    both(scene, |api| {
        let function = json!({ "slug": "hi", "name": "hi", "body": "Deno.serve(() => new Response())" });
        assert_eq!(api.post("/v1/projects/{ref}/functions", function).status, 201);
        let body = |accept: &str| Call::get("/v1/projects/{ref}/functions/hi/body").header("accept", accept);
        for _ in 0..TIMES {
            let form = api.send(body("multipart/form-data"));
            assert!(form.header("content-type").starts_with("multipart/form-data"), "{form}");
            let other = api.send(body("*/*"));
            assert!(!other.header("content-type").starts_with("multipart/form-data"), "{other}");
        }
    });
}

/// Injects a fault into every call, or into none.
fn harm(api: &mut dyn Api, harms: bool) {
    let rule = json!({ "on": { "path": "*" }, "times": 0, "effect": { "kind": "status", "status": 503 } });
    let rules = if harms { json!([rule]) } else { json!([]) };
    assert_eq!(api.put("/_sim/faults", rules).status, 200);
}

#[test]
fn repeated_reads_see_changes() {
    type Change = fn(&mut dyn Api);
    let pause: Change = |api| drop(api.act("/v1/projects/{ref}/pause"));
    let nothing: Change = |_| {};
    let changes: [(&str, Change, Change); 7] = [
        ("a write", nothing, pause),
        ("time that goes by", pause, |api| api.advance(seconds(600))),
        ("a typed call", nothing, |api| {
            let project = api.project();
            let paused = |sim: &mut Simulator| sim.call(PauseProject { r#ref: project.as_str().into() });
            assert!(api::peek(api, paused).is_ok());
        }),
        ("a revoked token", nothing, |api| drop(api.delete("/_sim/tokens/1"))),
        ("a fault", nothing, |api| harm(api, true)),
        ("a removed fault", |api| harm(api, true), |api| harm(api, false)),
        ("a project that is gone", nothing, |api| drop(api.delete(PROJECT))),
    ];
    for (what, begin, change) in changes {
        both(scene, |api| {
            begin(api);
            let before = poll(api).pop().expect("it was asked");
            change(api);
            let expected = afresh(api);
            assert_ne!(before.to_string(), expected.to_string(), "{what} changes what is answered");
            for reply in poll(api) {
                assert_eq!(reply.to_string(), expected.to_string(), "after {what}");
            }
        });
    }
}

#[test]
fn a_restored_world_gives_its_earlier_answers() {
    let Scene { mut sim, project } = scene();
    let then = sim.snapshot();
    let ask = |sim: &mut Simulator| {
        let token = sim.token().to_owned();
        let mut once = || Reply::from(sim.handle(&Call::get(PROJECT).request(&project.0, Some(&token))));
        let said: BTreeSet<_> = (0..TIMES).map(|_| once().to_string()).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        said
    };
    let active = ask(&mut sim);
    let mut fork = sim.fork();
    fork.call(PauseProject { r#ref: project.clone() }).expect("it is active");
    let pausing = ask(&mut fork);
    assert_ne!(active, pausing);
    fork.restore(&then);
    assert_eq!(ask(&mut fork), active);
    sim.restore(&then);
    assert_eq!((ask(&mut sim), sim.journal_hash()), (active, fork.journal_hash()));
}

#[test]
fn cached_answers_are_not_shared_between_callers() {
    both(scene, |api| {
        poll(api);
        for _ in 0..TIMES {
            assert_eq!(api.send(Call::get(PROJECT).token("token-of-outsider")).status, 403);
            assert_eq!(api.send(Call::get(PROJECT).token("no token")).status, 401);
            assert_eq!(api.send(Call::get(PROJECT).nobody()).status, 401);
            assert_eq!(api.get(PROJECT).status, 200);
        }
    });
}
