//! Codes, access tokens and refresh tokens.

use base64::Engine as _;
use http::Method;
use serde_json::json;
use sha2::Digest as _;
use sim_fixtures::api::peek;
use sim_fixtures::{Call, scenario};

use super::{App, authorize, code, exchange, form, projects, query, refresh, register, tokens};
use crate::steps::{Steps as _, refused, under};
use crate::support::both;

#[test]
fn a_code_is_valid_once_for_ten_minutes() {
    both(scenario::active_project, |api| {
        let app = register(api, &[]);
        let text = "code: is not an authorization code that is good now";
        let first = code(api, &app, "");
        api.after(599);
        assert_eq!(exchange(api, &app, &first, &[]).status, 201);
        refused(&exchange(api, &app, &first, &[]), 400, "code_used", text);
        let second = code(api, &app, "");
        api.after(600);
        refused(&exchange(api, &app, &second, &[]), 400, "code_expired", text);
        refused(&exchange(api, &app, "none", &[]), 400, "code_unknown", text);
        let third = code(api, &app, "");
        let other = register(api, &[]);
        refused(&exchange(api, &other, &third, &[]), 400, "code_unknown", text);
    });
}

#[test]
fn a_challenge_wants_its_verifier() {
    let digest = sha2::Sha256::digest("verifier");
    let hashed = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(digest);
    for (challenge, method) in
        [("verifier", ""), ("verifier", "plain"), (&*hashed, "S256"), (&*hashed, "sha256")]
    {
        both(scenario::active_project, |api| {
            let app = register(api, &[]);
            let method =
                if method.is_empty() { String::new() } else { format!("&code_challenge_method={method}") };
            let code = code(api, &app, &format!("&code_challenge={challenge}{method}"));
            let none = exchange(api, &app, &code, &[]);
            refused(&none, 400, "invalid_body.code_verifier", "code_verifier: Required");
            let wrong = exchange(api, &app, &code, &[("code_verifier", "guess")]);
            assert_eq!((wrong.status, wrong.reason()), (400, "code_verifier_wrong"));
            assert_eq!(exchange(api, &app, &code, &[("code_verifier", "verifier")]).status, 201, "{method}");
        });
    }
}

#[test]
fn a_refresh_replaces_both_tokens() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let old = tokens(api, &app);
        let reply = refresh(api, &app, &old["refresh_token"]);
        assert_eq!(reply.status, 201);
        let new = reply.json();
        assert_eq!((projects(api, &old), projects(api, &new)), (401, 200));
        let spent = refresh(api, &app, &old["refresh_token"]);
        refused(&spent, 404, "refresh_token_not_found", "No such refresh token found");
        assert_eq!(refresh(api, &app, &new["refresh_token"]).status, 201);
    });
}

#[test]
fn an_access_token_expires_and_is_refreshed() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let old = tokens(api, &app);
        api.after(3599);
        assert_eq!(projects(api, &old), 200);
        api.after(1);
        assert_eq!(projects(api, &old), 401);
        let new = refresh(api, &app, &old["refresh_token"]).json();
        assert_eq!(projects(api, &new), 200);
    });
    both(
        || under(|policy| policy.durations.oauth_token_ms = 86_400_000),
        |api| {
            let app = register(api, &[]);
            assert_eq!(tokens(api, &app)["expires_in"], 86_400);
        },
    );
}

#[test]
fn a_token_request_that_can_not_be_is_refused() {
    both(scenario::active_project, |api| {
        let app = register(api, &[]);
        let good = code(api, &app, "");
        let wrong = App { id: app.id.clone(), secret: "guess".to_owned() };
        refused(&exchange(api, &wrong, &good, &[]), 401, "client_secret_wrong", "Unauthorized");
        let unknown = App { id: "00000000-0000-4000-8000-000000000000".to_owned(), secret: "x".to_owned() };
        refused(&exchange(api, &unknown, &good, &[]), 400, "client_unknown", "Unrecognized client_id");
        let elsewhere =
            [("grant_type", "authorization_code"), ("code", &*good), ("redirect_uri", "https://b.test")];
        for (fields, with, reason) in [
            (&[][..], None, "invalid_body.client_id"),
            (&[("client_id", &*app.id)][..], None, "invalid_body.client_secret"),
            (&[][..], Some(&app), "invalid_body.grant_type"),
            (&[("grant_type", "password")][..], Some(&app), "invalid_body.grant_type"),
            (&[("grant_type", "authorization_code")][..], Some(&app), "invalid_body.code"),
            (
                &[("grant_type", "authorization_code"), ("code", &*good)][..],
                Some(&app),
                "invalid_body.redirect_uri",
            ),
            (&elsewhere[..], Some(&app), "redirect_uri_mismatch"),
            (&[("grant_type", "refresh_token")][..], Some(&app), "invalid_body.refresh_token"),
            (&[("audience", "all")][..], Some(&app), "invalid_body.audience"),
        ] {
            let reply = form(api, fields, with);
            assert_eq!((reply.status, reply.reason()), (400, reason), "{reply}");
        }
        assert_eq!(exchange(api, &app, &good, &[]).status, 201, "refusals do not use the code up");
    });
}

#[test]
fn fields_without_effect_are_marked_and_repeated_ones_refused() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let asked = authorize(api, &query(&app, "&scope=all&target_flow=x&response_mode=query"));
        assert_eq!(asked.status, 303, "{asked}");
        assert_eq!(asked.header("x-sim-ignored"), "query.scope,query.response_mode,query.target_flow");
        let code = code(api, &app, "");
        let twice = exchange(api, &app, &code, &[("redirect_uri", "https://b.test")]);
        assert_eq!((twice.status, twice.reason()), (400, "invalid_body.redirect_uri"));
        let marked = exchange(api, &app, &code, &[("scope", "all"), ("refresh_token", "x")]);
        let ignored = marked.header("x-sim-ignored");
        assert_eq!((marked.status, ignored), (201, "body.scope,body.refresh_token"));
    });
}

#[test]
fn revoking_ends_all_that_the_user_let_the_app_do() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let tokens = [tokens(api, &app), tokens(api, &app)];
        let mut body = json!({ "client_id": app.id, "client_secret": "guess", "refresh_token": tokens[0]["refresh_token"] });
        refused(&api.post("/v1/oauth/revoke", body.clone()), 401, "client_secret_wrong", "Unauthorized");
        body["client_secret"] = json!(app.secret);
        let reply = api.post("/v1/oauth/revoke", body.clone());
        assert_eq!(reply.to_string(), "204 ");
        for tokens in &tokens {
            assert_eq!(projects(api, tokens), 401);
            assert_eq!(refresh(api, &app, &tokens["refresh_token"]).status, 404);
        }
        let again = api.post("/v1/oauth/revoke", body.clone());
        refused(&again, 404, "refresh_token_not_found", "No such refresh token found");
        body["more"] = json!(1);
        assert_eq!(api.post("/v1/oauth/revoke", body).reason(), "invalid_body.more");
        assert_eq!(api.post("/v1/oauth/revoke", json!({})).reason(), "invalid_body.client_id");
    });
}

#[test]
fn a_user_or_an_operator_ends_it_too() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let first = tokens(api, &app);
        let path = format!("/_sim/oauth/apps/{}", app.id);
        api.control(Method::DELETE, &format!("{path}/authorizations/owner"), json!({}));
        assert_eq!(projects(api, &first), 401);
        assert_eq!(api.delete(&format!("{path}/authorizations/owner")).status, 404);
        let second = tokens(api, &app);
        assert_eq!(api.get("/_sim/oauth/apps").json()[0]["scopes"], "projects:read");
        api.control(Method::DELETE, &path, json!({}));
        assert_eq!(projects(api, &second), 401);
        assert_eq!(api.get("/_sim/oauth/apps").to_string(), "200 []");
    });
}

#[test]
fn scopes_decide_what_a_token_reaches() {
    both(scenario::active_project, |api| {
        let app = register(api, &["environment:read", "projects:read"]);
        let tokens = tokens(api, &app);
        let token = tokens["access_token"].as_str().unwrap_or_default();
        for (method, path, status) in [
            ("GET", "/v1/projects/{ref}", 200),
            ("GET", "/v1/projects/{ref}/upgrade/eligibility", 200),
            ("GET", "/v1/projects/{ref}/branches", 200),
            ("POST", "/v1/projects/{ref}/branches", 403),
            ("GET", "/v1/projects/{ref}/database/backups", 403),
            ("POST", "/v1/projects/{ref}/pause", 403),
            ("GET", "/v1/snippets", 403),
            ("POST", "/v1/projects/{ref}/read-replicas/setup", 403),
        ] {
            let body = json!({ "branch_name": "x", "read_replica_region": "us-east-1" });
            let call = if method == "POST" { Call::post(path).json(body) } else { Call::get(path) };
            let reply = api.send(call.token(token));
            assert_eq!(reply.status, status, "{method} {path}: {reply}");
        }
    });
}

#[test]
fn a_used_refresh_token_is_refused_and_does_not_change_the_grant() {
    both(scenario::fresh, |api| {
        let app = register(api, &["projects:read"]);
        let first = tokens(api, &app);
        let second = refresh(api, &app, &first["refresh_token"]).json();
        let reply = refresh(api, &app, &first["refresh_token"]);
        refused(&reply, 404, "refresh_token_not_found", "No such refresh token found");
        assert_eq!(projects(api, &second), 200);
        assert_eq!(refresh(api, &app, &second["refresh_token"]).status, 201);
    });
}

#[test]
fn an_explanation_names_the_scope_that_a_token_lacked() {
    both(scenario::active_project, |api| {
        let token = json!({ "token": "fine", "scopes": ["projects:read", "secrets:read"] });
        api.control(Method::POST, "/_sim/users/owner/tokens", token);
        assert_eq!(api.send(Call::get("/v1/projects/{ref}/secrets").token("fine")).status, 200);
        let secret = json!([{ "name": "A", "value": "b" }]);
        let refused = api.send(Call::post("/v1/projects/{ref}/secrets").json(secret).token("fine"));
        assert_eq!((refused.status, refused.reason()), (403, "scope_missing"));
        let call = refused.header("x-sim-call").parse().expect("a number");
        let gate = peek(api, |sim| sim.explain(call).expect("the journal holds it").gate);
        let gate = gate.expect("it was refused");
        assert_eq!(gate, "scopes granted is projects:read secrets:read, scope needed is secrets:write");
    });
}
