//! Fine-grained tokens: permissions, organizations and projects that a token is limited to, and what it lacks.

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refused};
use crate::support::both;

const TOKEN: &str = "fine";

/// A token of the owner with these limits.
fn limited(api: &mut dyn Api, limits: Value) {
    let mut body = limits;
    body["token"] = TOKEN.into();
    api.control(Method::POST, "/_sim/users/owner/tokens", body);
}

fn get(api: &mut dyn Api, path: &str) -> Reply {
    api.send(Call::get(path).token(TOKEN))
}

/// Refused for lack of these permissions.
fn lacks(reply: &Reply, permissions: &[&str]) {
    assert_eq!((reply.status, reply.reason()), (403, "permission_missing"), "{reply}");
    assert_eq!(reply.json()["missing_permissions"], json!(permissions), "{reply}");
}

#[test]
fn a_fine_grained_token_does_what_its_permissions_say() {
    both(scenario::active_project, |api| {
        limited(api, json!({ "permissions": ["project_admin_read", "api_gateway_keys_write"] }));
        assert_eq!(get(api, "/v1/projects/{ref}").status, 200);
        lacks(&get(api, "/v1/projects/{ref}/types/typescript"), &["database_read"]);
        lacks(&get(api, "/v1/projects"), &["projects_read"]);
        // To write includes to read; keys are shown whole with a permission of its own.
        assert_eq!(get(api, "/v1/projects/{ref}/api-keys").status, 200);
        lacks(&get(api, "/v1/projects/{ref}/api-keys?reveal=true"), &["api_gateway_keys_secrets_read"]);
        // Some operations need several.
        lacks(&get(api, "/v1/projects/{ref}/upgrade/eligibility"), &["database_read"]);
        let settings = Call::new(Method::PATCH, "/v1/projects/{ref}/config/auth");
        let settings = api.send(settings.json(json!({ "disable_signup": true })).token(TOKEN));
        lacks(&settings, &["project_admin_write", "auth_config_write"]);
    });
}

#[test]
fn a_reading_token_runs_reading_queries_only() {
    both(scenario::active_project, |api| {
        limited(api, json!({ "permissions": ["database_read"] }));
        let run =
            |api: &mut dyn Api, path: &str, body: Value| api.send(Call::post(path).json(body).token(TOKEN));
        let query = json!({ "query": "select 1" });
        let path = "/v1/projects/{ref}/database/query";
        lacks(&run(api, path, query.clone()), &["database_write"]);
        assert_eq!(run(api, path, json!({ "query": "select 1", "read_only": true })).status, 201);
        assert_eq!(run(api, "/v1/projects/{ref}/database/query/read-only", query).status, 201);
    });
}

#[test]
fn in_the_second_version_a_refusal_lists_what_is_missing_too() {
    both(scenario::active_project, |api| {
        limited(api, json!({ "permissions": ["database_read"] }));
        let reply = get(api, "/v2/projects/{ref}/analytics/log-drains");
        assert_eq!(reply.status, 403, "{reply}");
        let error = &reply.json()["error"];
        assert_eq!(
            (&error["code"], &error["missing_permissions"]),
            (&json!("forbidden"), &json!(["analytics_config_read"]))
        );
    });
}

#[test]
fn a_token_reaches_its_projects_and_their_branches_only() {
    both(scenario::active_project, |api| {
        let other = api.another_project("other");
        api.after(60);
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        let branch = branch["project_ref"].as_str().expect("a branch has a project").to_owned();
        let project = api.project();
        limited(api, json!({ "projects": [project] }));

        assert_eq!(get(api, "/v1/projects/{ref}").status, 200);
        assert_eq!(get(api, &format!("/v1/projects/{branch}/api-keys")).status, 200);
        let refusal = get(api, &format!("/v1/projects/{other}"));
        assert_eq!((refusal.status, refusal.reason()), (403, "token_limited"));
        let listed = get(api, "/v1/projects").json();
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
        assert_eq!(listed[0]["id"], project.as_str());
        assert_eq!(get(api, "/v1/organizations").json()[0]["id"], "acme");

        // The organization itself is out of reach.
        assert_eq!(get(api, "/v1/organizations/acme").reason(), "token_limited");
        let new =
            json!({ "db_pass": "hunter22", "name": "new", "organization_id": "acme", "region": "us-east-1" });
        assert_eq!(api.send(Call::post("/v1/projects").json(new).token(TOKEN)).reason(), "token_limited");
    });
}

#[test]
fn a_token_reaches_its_organizations_only() {
    both(scenario::active_project, |api| {
        let made = api.post("/v1/organizations", json!({ "name": "Second" })).json();
        let second = made["id"].as_str().expect("it has a slug").to_owned();
        limited(api, json!({ "organizations": [second] }));
        assert_eq!(get(api, "/v1/projects/{ref}").reason(), "token_limited");
        assert_eq!(get(api, "/v1/projects").to_string(), "200 []");
        assert_eq!(get(api, &format!("/v1/organizations/{second}")).status, 200);
        let listed = get(api, "/v1/organizations").json();
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    });
}

#[test]
fn limits_name_what_is_there() {
    both(scenario::active_project, |api| {
        let path = "/_sim/users/owner/tokens";
        let project = api.project();
        for (body, status, reason) in [
            (json!({ "permissions": ["naps_read"] }), 400, "invalid_body.permissions.0"),
            (json!({ "permissions": [], "scopes": [] }), 400, "invalid_body.permissions"),
            (json!({ "scopes": ["project:read"] }), 400, "invalid_body.scopes.0"),
            (json!({ "projects": [project], "organizations": ["acme"] }), 400, "invalid_body.projects"),
            (json!({ "projects": [] }), 400, "invalid_body.projects"),
            (json!({ "organizations": ["nosuch"] }), 404, "organization_not_found"),
            (json!({ "projects": ["nosuchprojectatallxx"] }), 404, "project_not_found"),
        ] {
            let reply = api.post(path, body.clone());
            assert_eq!((reply.status, reply.reason()), (status, reason), "{body}: {reply}");
        }
        let made = api.post(path, json!({ "permissions": ["projects_read"] })).json();
        assert!(made["token"].as_str().is_some_and(|token| token.starts_with("pat_fc")), "{made}");
        let listed = api.get("/_sim/tokens").json();
        let last = listed.as_array().and_then(|list| list.last()).expect("it is listed");
        assert_eq!(last["permissions"], json!(["projects_read"]), "{listed}");
    });
}

#[test]
fn an_introspection_says_what_a_token_lacks() {
    both(scenario::active_project, |api| {
        let project = api.project();
        limited(api, json!({ "permissions": ["database_read"], "projects": [project], "lasts_s": 60 }));
        let ask = |api: &mut dyn Api, body: Value| api.post("/_sim/tokens/introspect", body);
        let told = ask(api, json!({ "token": TOKEN, "operation": "v1-get-project" })).json();
        assert_eq!(told["active"], true);
        assert_eq!((&told["user"], &told["projects"]), (&json!("owner"), &json!([project])));
        assert_eq!(told["lacks"][0]["missing"], json!(["project_admin_read"]), "{told}");
        let told = ask(api, json!({ "token": TOKEN, "operation": "v1-read-only-query" })).json();
        assert_eq!(told["lacks"], json!([]), "{told}");

        // An app lacks scopes.
        api.control(
            Method::POST,
            "/_sim/users/owner/tokens",
            json!({ "token": "app", "scopes": ["projects:read"] }),
        );
        let told = ask(api, json!({ "token": "app", "operation": "v1-run-a-query" })).json();
        assert_eq!(told["lacks"][0]["missing"], json!(["database:write"]), "{told}");

        api.after(60);
        let told = ask(api, json!({ "token": TOKEN }));
        assert_eq!(told.to_string(), r#"200 {"active":false,"reason":"token_expired","lacks":[]}"#);
        let text = "operation: there is no operation nap that takes a token";
        refused(
            &ask(api, json!({ "token": TOKEN, "operation": "nap" })),
            400,
            "invalid_body.operation",
            text,
        );
    });
}

#[test]
fn every_operation_is_covered_by_a_permission_or_named_here() {
    both(scenario::fresh, |api| {
        let all = sim_core::management::permission::names();
        limited(api, json!({ "permissions": all }));
        let told = api.post("/_sim/tokens/introspect", json!({ "token": TOKEN })).json();
        let lacks = told["lacks"].as_array().expect("a list").iter();
        let uncovered: Vec<_> = lacks.filter_map(|lack| lack["operation"].as_str()).collect();
        assert_eq!(
            uncovered,
            [
                "v1GetOrganizationProjectClaim",
                "v1ClaimProjectForOrganization",
                "v1AcceptInviteExternalJitAccess"
            ]
        );
    });
}

#[test]
fn an_explanation_names_the_permission_or_the_project_that_was_out_of_reach() {
    both(scenario::active_project, |api| {
        let other = api.another_project("other");
        let project = api.project();
        limited(api, json!({ "permissions": ["project_admin_read"], "projects": [project] }));
        let gate = |api: &mut dyn Api, path: &str| {
            let call = get(api, path).header("x-sim-call").parse().expect("a number");
            peek(api, |sim| sim.explain(call).expect("the journal holds it").gate).expect("it was refused")
        };
        let why = gate(api, "/v1/projects/{ref}/types/typescript");
        assert_eq!(why, "permissions granted is project_admin_read, permission needed is database_read");
        let why = gate(api, &format!("/v1/projects/{other}"));
        assert_eq!(why, format!("projects of the token is {project}, project needed is {other}"));
    });
}
