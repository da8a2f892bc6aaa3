//! Who may call what: tokens, roles and scopes, one row per operation.

use std::collections::BTreeSet;

use serde_json::json;
use sim_core::engine::Access;
use sim_core::{Policy, RateLimit};
use sim_fixtures::strategies::What;
use sim_fixtures::{Api, Call, Scene, api, scenario};

use crate::support::{TICK, both, good, seconds};

/// Users and their roles, lowest first.
const ROLES: [(&str, &str); 5] = [
    ("outsider", ""),
    ("reader", "Read-only"),
    ("developer", "Developer"),
    ("administrator", "Administrator"),
    ("owner", "Owner"),
];

/// An active project in a world without a rate limit.
fn unlimited() -> Scene {
    scenario::active_project_under(Policy { rate_limit: RateLimit::off(), ..Policy::default() })
}

/// A valid call of each operation that takes a token.
fn calls(api: &mut dyn Api) -> Vec<(What, Call)> {
    let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "feature" }));
    api.advance(seconds(60));
    let branch = branch.json()["project_ref"].as_str().expect("a branch is a project").to_owned();
    let all = What::one_of_each().into_iter().filter(|what| what.meta().access == Access::Token);
    let mut calls: Vec<_> = all.map(|what| (what.clone(), good(api, what))).collect();
    for (what, call) in &mut calls {
        if let Some(below) = what.meta().path.strip_prefix("/v1/branches/{branch_id}") {
            call.path = format!("/v1/branches/{branch}{below}");
        }
    }
    calls
}

/// The scopes that an app can be given.
fn scopes() -> BTreeSet<&'static str> {
    What::one_of_each().iter().filter_map(What::scope).collect()
}

#[test]
fn there_is_a_rule_for_every_operation() {
    let mut ruled: Vec<_> = What::one_of_each().iter().map(|what| what.meta().id).collect();
    let sim = scenario::fresh();
    let mut declared: Vec<_> = sim.registry().operations().map(|meta| meta.id).collect();
    ruled.sort_unstable();
    declared.sort_unstable();
    assert_eq!(ruled, declared);
}

#[test]
fn every_operation_refuses_tokens_that_are_not_good() {
    both(unlimited, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "revoked" }));
        api.delete("/_sim/tokens/6");
        api.post("/_sim/users/owner/tokens", json!({ "token": "expired", "lasts_s": 1 }));
        api.advance(seconds(1));
        for (what, call) in calls(api) {
            let id = what.meta().id;
            let rows = [
                (call.clone().nobody(), "token_missing"),
                (call.clone().nobody().header("authorization", "Bearer"), "token_missing"),
                (call.clone().nobody().header("authorization", "Basic b3duZXI6"), "token_missing"),
                (call.clone().token("pat_0000000000000000000000000000000000000000"), "token_unknown"),
                (call.clone().token("TOKEN-OF-OWNER"), "token_unknown"),
                (call.clone().token("revoked"), "token_revoked"),
                (call.clone().token("expired"), "token_expired"),
            ];
            for (call, reason) in rows {
                let reply = api.send(call.clone());
                assert_eq!((reply.status, &*reply.message()), (401, "Unauthorized"), "{id}: {call}");
                assert_eq!(reply.reason(), reason, "{id}: {call}");
            }
        }
    });
}

#[test]
fn changes_of_tokens_and_memberships_apply_from_the_next_call_on() {
    /// Requests that read a project and set a secret in it, each twice: the second time the caller is cached.
    fn told(api: &mut dyn Api) -> Vec<String> {
        let read = || Call::get("/v1/projects/{ref}").token("token-of-administrator");
        let write = || Call::post("/v1/projects/{ref}/secrets").json(json!([{ "name": "A", "value": "b" }]));
        let calls = [read(), write().token("token-of-administrator")];
        let answers = calls.map(|call| {
            let [first, again] = [(); 2].map(|()| api.send(call.clone()));
            let [first, again] = [first, again].map(|reply| format!("{} {}", reply.status, reply.reason()));
            assert_eq!(first, again, "{call}");
            first
        });
        answers.to_vec()
    }
    // Without a token, so that the last caller stays the same.
    fn control(api: &mut dyn Api, call: Call) {
        assert_eq!(api.send(call.clone().nobody()).status, 200, "{call}");
    }
    let member = "/_sim/organizations/acme/members/administrator";
    let may_read = || Call::put(member).json(json!({ "role": "Read-only" }));
    both(unlimited, |api| {
        let before = api::peek(api, |sim| sim.snapshot());
        assert_eq!(told(api), ["200 ", "201 "]);
        control(api, may_read());
        assert_eq!(told(api), ["200 ", "403 role_too_low"]);
        control(api, Call::delete(member));
        assert_eq!(told(api), ["403 not_a_member"; 2]);
        api::peek(api, |sim| sim.restore(&before));
        assert_eq!(told(api), ["200 ", "201 "]);
        control(api, may_read());
        assert_eq!(told(api), ["200 ", "403 role_too_low"]);
        let number = api.get("/_sim/tokens").json();
        let number = number.as_array().expect("a list").iter().find(|one| one["user"] == "administrator");
        let number = &number.expect("they have one")["id"];
        assert_eq!(told(api), ["200 ", "403 role_too_low"]);
        control(api, Call::delete(&format!("/_sim/tokens/{number}")));
        assert_eq!(told(api), ["401 token_revoked"; 2]);
    });
}

#[test]
fn every_operation_refuses_roles_that_are_too_low() {
    both(unlimited, |api| {
        let calls = calls(api);
        let before = api::peek(api, |sim| sim.snapshot());
        for (what, call) in calls {
            let id = what.meta().id;
            let least = ROLES.iter().position(|(_, role)| *role == what.least_role());
            for (rank, (user, _)) in ROLES.into_iter().enumerate() {
                api::peek(api, |sim| sim.restore(&before));
                let reply = api.send(call.clone().token(&format!("token-of-{user}")));
                let may = least.is_none_or(|least| least <= rank);
                let reason = match user {
                    _ if may => "",
                    "outsider" => "not_a_member",
                    _ => "role_too_low",
                };
                // A refusal for the operation's own reasons is not a refusal of the role.
                let is_for_role = ["not_a_member", "role_too_low"].contains(&reply.reason());
                let refused = if is_for_role { reply.reason() } else { "" };
                assert_eq!(refused, reason, "{id} as {user}: {reply}");
            }
        }
    });
}

#[test]
fn every_operation_refuses_apps_without_its_scope() {
    both(unlimited, |api| {
        let calls = calls(api);
        let scopes = scopes();
        for scope in &scopes {
            let others: Vec<_> = scopes.iter().filter(|other| *other != scope).collect();
            api.post(
                "/_sim/users/owner/tokens",
                json!({ "token": format!("only-{scope}"), "scopes": [scope] }),
            );
            api.post(
                "/_sim/users/owner/tokens",
                json!({ "token": format!("not-{scope}"), "scopes": others }),
            );
        }
        let before = api::peek(api, |sim| sim.snapshot());
        for (what, call) in calls {
            let id = what.meta().id;
            let rows: &[(String, bool)] = match what.scope() {
                None => &[("only-projects:write".to_owned(), false)],
                Some(scope) => &[(format!("only-{scope}"), true), (format!("not-{scope}"), false)],
            };
            for (token, may) in rows {
                api::peek(api, |sim| sim.restore(&before));
                let reply = api.send(call.clone().token(token));
                assert_eq!(reply.reason() != "scope_missing", *may, "{id} with {token}: {reply}");
            }
        }
    });
}

#[test]
fn every_operation_on_a_project_refuses_references_of_no_project() {
    both(unlimited, |api| {
        let project = api.project();
        for what in What::one_of_each() {
            let call = good(api, what);
            if !call.path.contains(&format!("/{project}")) {
                continue;
            }
            let with = |other: &str| Call { path: call.path.replace(&project, other), ..call.clone() };
            let reply = api.send(with(scenario::NO_PROJECT));
            assert_eq!((reply.status, &*reply.message()), (404, "Project not found"), "{call}");
            for wrong in
                ["short", "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrstu", "%20", "..%2F..%2Fsecrets"]
            {
                let reply = api.send(with(wrong));
                assert_eq!((reply.status, reply.reason()), (400, "invalid_path.ref"), "{wrong} in {call}");
            }
        }
    });
}

#[test]
fn the_scheme_of_a_token_may_have_any_case() {
    both(scenario::active_project, |api| {
        for scheme in ["Bearer", "bearer", "BEARER"] {
            let call = Call::get("/v1/projects")
                .nobody()
                .header("authorization", &format!("{scheme} token-of-owner"));
            assert_eq!(api.send(call).status, 200, "{scheme}");
        }
    });
}

#[test]
fn a_token_is_valid_until_it_expires() {
    both(scenario::active_project, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "brief", "lasts_s": 1 }));
        api.advance(seconds(1) - TICK);
        assert_eq!(api.send(Call::get("/v1/projects").token("brief")).status, 200);
        api.advance(TICK);
        assert_eq!(api.send(Call::get("/v1/projects").token("brief")).status, 401);
    });
}

#[test]
fn a_slash_at_the_end_of_a_path_makes_no_difference() {
    both(scenario::active_project, |api| {
        for path in ["/v1/projects", "/v1/projects/{ref}", "/v1/projects/{ref}/functions"] {
            assert_eq!(api.get(&format!("{path}/")).to_string(), api.get(path).to_string());
        }
        assert_eq!(api.get("/v1/projects//").status, 404);
    });
}
