//! Apps that register themselves, and limits to projects and organizations.

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, scenario};

use super::{App, BACK, code, exchange, projects, refresh, register, tokens};
use crate::steps::{Steps as _, refused};
use crate::support::both;

#[test]
fn an_app_is_registered_once_under_an_id() {
    both(scenario::fresh, |api| {
        let app = register(api, &[]);
        let again = json!({ "name": "App", "redirect_uris": [BACK], "scopes": [], "client_id": app.id });
        let text = format!("client_id: an app {} is registered already", app.id);
        refused(&api.post("/_sim/oauth/apps", again), 400, "oauth_app_exists", &text);
    });
}

#[test]
fn a_client_registers_itself_and_acts_for_a_user() {
    both(scenario::active_project, |api| {
        let body = json!({
            "client_name": "A tool",
            "redirect_uris": [BACK],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_basic",
            "scope": "projects:read",
        });
        let made = api.send(Call::post("/platform/oauth/apps/register").nobody().json(body));
        assert_eq!(made.status, 201, "{made}");
        let made = made.json();
        let answered =
            (&made["client_secret_expires_at"], &made["token_endpoint_auth_method"], &made["scope"]);
        assert_eq!(answered, (&json!(0), &json!("client_secret_basic"), &json!("projects:read")));
        let text = |name: &str| made[name].as_str().expect("a client has both").to_owned();
        let app = App { id: text("client_id"), secret: text("client_secret") };
        let tokens = tokens(api, &app);
        assert_eq!(projects(api, &tokens), 200);
        let token = tokens["access_token"].as_str().unwrap_or_default();
        assert_eq!(api.send(Call::get("/v1/organizations").token(token)).status, 403);
        assert_eq!(api.get("/_sim/oauth/apps").json()[0]["name"], "A tool");
        let journal =
            serde_json::to_string(&peek(api, |sim| sim.journal())).expect("the journal is plain data");
        assert!(!journal.contains(&app.secret), "secrets are masked");
    });
}

#[test]
fn a_registration_says_what_it_grants() {
    both(scenario::active_project, |api| {
        let register = |api: &mut dyn Api, body: Value| {
            api.send(Call::post("/platform/oauth/apps/register").nobody().json(body))
        };
        // Without a scope it gets all; without a way to send a secret it sends it in the form.
        let made =
            register(api, json!({ "redirect_uris": [BACK], "token_endpoint_auth_method": "none" })).json();
        assert_eq!(made["token_endpoint_auth_method"], "client_secret_post");
        assert_eq!(made["scope"].as_str().map(|scope| scope.split(' ').count()), Some(19));
        assert_eq!(made["client_name"], BACK);
        for (body, reason) in [
            (json!({}), "invalid_body.redirect_uris"),
            (json!({ "redirect_uris": [] }), "invalid_body.redirect_uris"),
            (json!({ "redirect_uris": ["no address"] }), "invalid_body.redirect_uris.0"),
            (json!({ "redirect_uris": [BACK], "scope": "projects:nap" }), "invalid_body.scope"),
            (json!({ "redirect_uris": [BACK], "response_types": ["token"] }), "invalid_body.response_types"),
            (json!({ "redirect_uris": [BACK], "grant_types": ["password"] }), "invalid_body.grant_types.0"),
        ] {
            let reply = register(api, body.clone());
            assert_eq!((reply.status, reply.reason()), (400, reason), "{body}: {reply}");
        }
        // Unknown fields have no effect, and the answer says so.
        let marked = register(api, json!({ "redirect_uris": [BACK], "logo_uri": "https://app.test/logo" }));
        assert_eq!((marked.status, marked.header("x-sim-ignored")), (201, "body.logo_uri"));
        let document = peek(api, |sim| sim.openapi());
        assert!(document["paths"].get("/platform/oauth/apps/register").is_none(), "it is not published");
    });
}

#[test]
fn a_user_limits_an_app_to_projects() {
    both(scenario::active_project, |api| {
        let other = api.another_project("other");
        let project = api.project();
        let app = register(api, &["projects:read"]);
        let consent = json!({ "granted": true, "projects": [project] });
        api.control(Method::PUT, "/_sim/oauth/consent", consent);
        let first = tokens(api, &app);
        assert_eq!(first["project_refs"], json!([project]));
        let second = refresh(api, &app, &first["refresh_token"]).json();
        assert_eq!(second["project_refs"], json!([project]));
        let token = second["access_token"].as_str().unwrap_or_default().to_owned();
        let get = |api: &mut dyn Api, path: &str| api.send(Call::get(path).token(&token));
        assert_eq!(get(api, "/v1/projects/{ref}").status, 200);
        assert_eq!(get(api, "/v1/projects").json().as_array().map(Vec::len), Some(1));
        assert_eq!(get(api, &format!("/v1/projects/{other}")).reason(), "token_limited");

        api.control(Method::PUT, "/_sim/oauth/consent", json!({ "granted": true }));
        assert_eq!(tokens(api, &app)["project_refs"], Value::Null);
        let nowhere = json!({ "granted": true, "projects": ["nosuchprojectatallxx"] });
        assert_eq!(api.put("/_sim/oauth/consent", nowhere).status, 404);
    });
}

#[test]
fn an_app_may_act_only_in_the_organization_that_it_asked_for() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        for (slug, status, length) in [("acme", 200, Some(1)), ("elsewhere", 403, Some(0))] {
            let code = code(api, &app, &format!("&organization_slug={slug}"));
            let tokens = exchange(api, &app, &code, &[]).json();
            assert_eq!(tokens["project_refs"], Value::Null);
            let token = tokens["access_token"].as_str().unwrap_or_default().to_owned();
            let project = api.send(Call::get("/v1/projects/{ref}").token(&token));
            assert_eq!(project.status, status, "{slug}: {project}");
            let list = api.send(Call::get("/v1/projects").token(&token));
            assert_eq!(list.json().as_array().map(Vec::len), length, "{slug}");
        }
        // A project that the user chose is the narrower limit.
        let project = api.project();
        let consent = json!({ "granted": true, "projects": [project] });
        api.control(Method::PUT, "/_sim/oauth/consent", consent);
        let code = code(api, &app, "&organization_slug=elsewhere");
        assert_eq!(exchange(api, &app, &code, &[]).json()["project_refs"], json!([project]));
    });
}
