//! Who may call what: tokens, roles, scopes; one row for each operation.

use serde_json::json;
use sim_core::engine::Access;
use sim_core::{Policy, RateLimit};
use sim_fixtures::strategies::What;
use sim_fixtures::{Api, Call, InProcess, Scene, api, scenario};

use crate::support::{TICK, both, good, seconds};

/// The least role and the scope that each operation of the service needs.
const NEEDS: [(&str, &str, &str); 19] = [
    ("v1-create-an-organization", "anyone", "none"),
    ("v1-list-all-organizations", "anyone", "organizations:read"),
    ("v1-get-an-organization", "reader", "organizations:read"),
    ("v1-list-organization-members", "reader", "organizations:read"),
    ("v1-create-a-project", "administrator", "projects:write"),
    ("v1-list-all-projects", "anyone", "projects:read"),
    ("v1-get-project", "reader", "projects:read"),
    ("v1-pause-a-project", "administrator", "projects:write"),
    ("v1-delete-a-project", "administrator", "projects:write"),
    ("v1-list-available-restore-versions", "reader", "projects:read"),
    ("v1-restore-a-project", "administrator", "projects:write"),
    ("v1-cancel-a-project-restoration", "administrator", "projects:write"),
    ("v1-get-services-health", "reader", "projects:read"),
    ("v1-get-project-api-keys", "reader", "secrets:read"),
    ("v1-bulk-create-secrets", "administrator", "secrets:write"),
    ("v1-list-all-secrets", "reader", "secrets:read"),
    ("v1-bulk-delete-secrets", "administrator", "secrets:write"),
    ("v1-get-readonly-mode-status", "reader", "database:read"),
    ("v1-disable-readonly-mode-temporarily", "administrator", "database:write"),
];

const SCOPES: [&str; 7] = [
    "organizations:read",
    "projects:read",
    "projects:write",
    "secrets:read",
    "secrets:write",
    "database:read",
    "database:write",
];

/// Roles, least first.
const ROLES: [&str; 5] = ["outsider", "reader", "developer", "administrator", "owner"];

/// An active project in a world without a rate limit.
fn unlimited() -> Scene {
    scenario::active_project_under(Policy { rate_limit: RateLimit::off(), ..Policy::default() })
}

/// A good call for each operation that takes a token, with its id.
fn calls(api: &dyn Api) -> Vec<(&'static str, Call)> {
    let all = What::one_of_each().into_iter();
    let calls = all.filter_map(|what| Some((what.meta()?, good(api, what))));
    calls.filter(|(meta, _)| meta.access == Access::Token).map(|(meta, call)| (meta.id, call)).collect()
}

/// Operations that the model has no rule for yet, by id.
const NOT_MODELLED: [&str; 83] = [
    "v1-get-auth-service-config",
    "v1-update-auth-service-config",
    "v1-create-a-sso-provider",
    "v1-list-all-sso-provider",
    "v1-get-a-sso-provider",
    "v1-update-a-sso-provider",
    "v1-delete-a-sso-provider",
    "v1-get-postgres-config",
    "v1-update-postgres-config",
    "v1-get-project-pgbouncer-config",
    "v1-get-postgrest-service-config",
    "v1-update-postgrest-service-config",
    "v1-get-storage-config",
    "v1-update-storage-config",
    "v1-get-pgsodium-config",
    "v1-update-pgsodium-config",
    "sim-write-vault-value",
    "sim-read-vault-value",
    "v1-enable-database-webhook",
    "sim-get-webhooks",
    "v1-get-ssl-enforcement-config",
    "v1-update-ssl-enforcement-config",
    "sim-resize-project",
    "sim-get-instance-size",
    "v1-setup-a-read-replica",
    "v1-remove-a-read-replica",
    "sim-list-replicas",
    "v1-list-all-backups",
    "v1-restore-pitr-backup",
    "sim-set-backup",
    "v1-get-postgres-upgrade-eligibility",
    "v1-upgrade-postgres-version",
    "v1-get-postgres-upgrade-status",
    "sim-set-upgrade-obstacles",
    "sim-set-upgrade-error",
    "v1-create-a-branch",
    "v1-list-all-branches",
    "v1-get-a-branch-config",
    "v1-update-a-branch-config",
    "v1-push-a-branch",
    "v1-reset-a-branch",
    "v1-delete-a-branch",
    "v1-disable-preview-branching",
    "sim-set-organization-options",
    "sim-set-pool-mode",
    "sim-link-pull-request",
    "sim-create-snippet",
    "v1-list-all-snippets",
    "v1-get-a-snippet",
    "sim-update-snippet",
    "sim-delete-snippet",
    "sim-register-oauth-app",
    "sim-list-oauth-apps",
    "sim-set-oauth-consent",
    "sim-remove-oauth-authorization",
    "sim-delete-oauth-app",
    "v1-authorize-user",
    "v1-exchange-oauth-token",
    "v1-revoke-token",
    "v1-get-network-restrictions",
    "v1-update-network-restrictions",
    "sim-fail-login",
    "v1-list-all-network-bans",
    "v1-delete-network-bans",
    "sim-set-dns",
    "sim-get-dns",
    "v1-update-hostname-config",
    "v1-get-hostname-config",
    "v1-verify-dns-config",
    "v1-activate-custom-hostname",
    "v1-check-vanity-subdomain-availability",
    "v1-activate-vanity-subdomain-config",
    "v1-get-vanity-subdomain-config",
    "v1-deactivate-vanity-subdomain-config",
    "v1-create-a-function",
    "v1-list-all-functions",
    "v1-get-a-function",
    "v1-update-a-function",
    "v1-bulk-update-functions",
    "v1-delete-a-function",
    "sim-push-function",
    "v1-get-a-function-body",
    "v1-deploy-a-function",
];

#[test]
fn there_is_a_call_for_every_operation() {
    let tried: Vec<_> = What::one_of_each().iter().filter_map(|what| Some(what.meta()?.id)).collect();
    let sim = scenario::fresh();
    let declared = sim.registry().operations().map(|meta| meta.id);
    let missing: Vec<_> = declared.filter(|id| !tried.contains(id) && !NOT_MODELLED.contains(id)).collect();
    assert!(missing.is_empty(), "a strategy and a rule of the model are missing for {missing:?}");
}

#[test]
fn it_is_known_of_every_call_who_may_make_it() {
    let api = InProcess::new(unlimited());
    let ids: Vec<_> = calls(&api).into_iter().map(|(id, _)| id).collect();
    assert_eq!(NEEDS.map(|(id, _, _)| id).to_vec(), ids);
}

#[test]
fn every_operation_refuses_tokens_that_are_not_good() {
    both(unlimited, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "revoked" }));
        api.delete("/_sim/tokens/6");
        api.post("/_sim/users/owner/tokens", json!({ "token": "expired", "lasts_s": 1 }));
        api.advance(seconds(1));
        for (id, call) in calls(api) {
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
                assert_eq!(reply.to_string(), r#"401 {"message":"Unauthorized"}"#, "{id}: {call}");
                assert_eq!(reply.reason(), reason, "{id}: {call}");
            }
        }
    });
}

#[test]
fn every_operation_refuses_roles_that_are_too_low() {
    both(unlimited, |api| {
        let before = api::peek(api, |sim| sim.snapshot());
        for ((id, call), (_, least, _)) in calls(api).into_iter().zip(NEEDS) {
            for (rank, role) in ROLES.into_iter().enumerate() {
                api::peek(api, |sim| sim.restore(&before));
                let reply = api.send(call.clone().token(&format!("token-of-{role}")));
                let may = least == "anyone" || ROLES.iter().position(|one| *one == least) <= Some(rank);
                let reason = match role {
                    _ if may => "",
                    "outsider" => "not_a_member",
                    _ => "role_too_low",
                };
                let refused = if reply.status == 403 { reply.reason() } else { "" };
                assert_eq!(refused, reason, "{id} as {role}: {reply}");
            }
        }
    });
}

#[test]
fn every_operation_refuses_apps_without_its_scope() {
    both(unlimited, |api| {
        for scope in SCOPES {
            let others: Vec<_> = SCOPES.into_iter().filter(|other| *other != scope).collect();
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
        for ((id, call), (_, _, needed)) in calls(api).into_iter().zip(NEEDS) {
            let rows: &[(String, bool)] = match needed {
                "none" => &[("only-projects:write".to_owned(), false)],
                scope => &[(format!("only-{scope}"), true), (format!("not-{scope}"), false)],
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
            if !call.path.contains(&project) {
                continue;
            }
            let with = |other: &str| Call { path: call.path.replace(&project, other), ..call.clone() };
            let reply = api.send(with(scenario::NO_PROJECT));
            assert_eq!(reply.to_string(), r#"404 {"message":"Project not found"}"#, "{call}");
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
fn a_token_is_read_whatever_the_case_of_its_scheme() {
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
fn a_token_is_good_until_the_instant_it_expires() {
    both(scenario::active_project, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "brief", "lasts_s": 1 }));
        api.advance(seconds(1) - TICK);
        assert_eq!(api.send(Call::get("/v1/projects").token("brief")).status, 200);
        api.advance(TICK);
        assert_eq!(api.send(Call::get("/v1/projects").token("brief")).status, 401);
    });
}
