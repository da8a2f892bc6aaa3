//! `/v1/oauth`

use base64::Engine as _;
use bytes::Bytes;
use http::Request;
use serde_json::{Value, json};
use sha2::Digest as _;
use sim_core::Policy;
use sim_core::engine::Durations;

use super::{Reply, Scene, active_project, refused, scene};

const BACK: &str = "https://app.test/back";
const TOKEN: &str = "/v1/oauth/token";

/// A registered app.
struct App {
    id: String,
    secret: String,
}

fn register(scene: &mut Scene, scopes: &[&str]) -> App {
    let body = json!({ "name": "App", "redirect_uris": [BACK], "scopes": scopes });
    let app = scene.control("POST", "/_sim/oauth/apps", body);
    let text = |name: &str| app[name].as_str().expect("an app has both").to_owned();
    App { id: text("client_id"), secret: text("client_secret") }
}

fn authorize(scene: &mut Scene, query: &str) -> Reply {
    let request = Request::builder().uri(format!("/v1/oauth/authorize?{query}")).body(Bytes::new());
    scene.exchange(request.expect("the request is good HTTP"))
}

fn query(app: &App, more: &str) -> String {
    format!("client_id={}&response_type=code&redirect_uri=https%3A%2F%2Fapp.test%2Fback{more}", app.id)
}

fn code(scene: &mut Scene, app: &App, more: &str) -> String {
    let reply = authorize(scene, &query(app, more));
    assert_eq!(reply.status, 303, "{}", reply.body);
    let code = reply.location.split("code=").nth(1).expect("the browser comes back with a code");
    code.split('&').next().unwrap_or_default().to_owned()
}

fn form(scene: &mut Scene, fields: &[(&str, &str)], basic: Option<&App>) -> Reply {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let mut request = Request::builder().method("POST").uri(TOKEN);
    if let Some(App { id, secret }) = basic {
        let text = base64::engine::general_purpose::STANDARD.encode(format!("{id}:{secret}"));
        request = request.header("authorization", format!("Basic {text}"));
    }
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(body.into());
    scene.exchange(request.expect("the request is good HTTP"))
}

fn exchange(scene: &mut Scene, app: &App, code: &str, more: &[(&str, &str)]) -> Reply {
    let mut fields = vec![("grant_type", "authorization_code"), ("code", code), ("redirect_uri", BACK)];
    fields.extend(more);
    form(scene, &fields, Some(app))
}

fn refresh(scene: &mut Scene, app: &App, token: &Value) -> Reply {
    let token = token.as_str().unwrap_or_default();
    form(scene, &[("grant_type", "refresh_token"), ("refresh_token", token)], Some(app))
}

fn tokens(scene: &mut Scene, app: &App) -> Value {
    let code = code(scene, app, "");
    let reply = exchange(scene, app, &code, &[]);
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()
}

fn projects(scene: &mut Scene, tokens: &Value) -> u16 {
    let token = tokens["access_token"].as_str().unwrap_or_default().to_owned();
    scene.send("GET", "/v1/projects", &token, None).status
}

#[test]
fn a_user_agrees_and_the_app_gets_tokens() {
    let mut scene = active_project();
    let app = register(&mut scene, &["projects:read"]);
    let reply = authorize(&mut scene, &query(&app, "&state=a%20b"));
    assert_eq!((reply.status, &*reply.body), (303, ""));
    assert!(reply.location.starts_with(&format!("{BACK}?code=")) && reply.location.ends_with("&state=a+b"));
    let tokens = tokens(&mut scene, &app);
    let access = tokens["access_token"].as_str().unwrap_or_default();
    assert!(access.starts_with("pat_oauth_") && access.len() == 50, "{access}");
    assert_eq!((&tokens["expires_in"], &tokens["token_type"]), (&json!(3600), &json!("Bearer")));
    assert_eq!(projects(&mut scene, &tokens), 200);
    let journal = serde_json::to_string(&scene.sim.journal()).expect("the journal is plain data");
    for secret in [access, tokens["refresh_token"].as_str().unwrap_or_default(), &*app.secret] {
        assert!(!journal.contains(secret), "secrets are masked");
    }
}

#[test]
fn credentials_come_in_the_form_too_and_json_will_do() {
    let mut scene = active_project();
    let app = register(&mut scene, &["projects:read"]);
    let first = code(&mut scene, &app, "");
    let fields = [("client_id", &*app.id), ("client_secret", &*app.secret)];
    let mut all = vec![("grant_type", "authorization_code"), ("code", &*first), ("redirect_uri", BACK)];
    all.extend(fields);
    assert_eq!(form(&mut scene, &all, None).status, 201);
    let second = code(&mut scene, &app, "");
    let body = json!({ "grant_type": "authorization_code", "code": second, "redirect_uri": BACK,
        "client_id": app.id, "client_secret": app.secret });
    assert_eq!(scene.post(TOKEN, body).status, 201);
}

#[test]
fn a_user_who_refuses_sends_the_browser_back_without_a_code() {
    let mut refusing = scene(Policy { oauth_consent: false, ..Policy::default() });
    let app = register(&mut refusing, &["projects:read"]);
    let reply = authorize(&mut refusing, &query(&app, "&state=s"));
    let expected = format!("{BACK}?error=access_denied&error_description=The+user+refused.&state=s");
    assert_eq!((reply.status, reply.location), (303, expected));
    refusing.control("PUT", "/_sim/oauth/consent", json!({ "granted": true, "user": "outsider" }));
    let tokens = tokens(&mut refusing, &app);
    let access = tokens["access_token"].as_str().unwrap_or_default().to_owned();
    assert_eq!(refusing.send("GET", "/v1/projects", &access, None).body, "[]", "the token is the outsider's");
}

#[test]
fn an_authorization_that_can_not_be_is_refused() {
    let mut scene = active_project();
    let app = register(&mut scene, &[]);
    let unknown = App { id: "00000000-0000-4000-8000-000000000000".to_owned(), secret: String::new() };
    let reply = authorize(&mut scene, &query(&unknown, ""));
    refused(&reply, 400, "client_unknown", "Unrecognized client_id");
    let long = format!("&state={}", "x".repeat(4096));
    for (query, reason) in [
        (
            format!("client_id={}&response_type=code&redirect_uri=https://evil.test", app.id),
            "redirect_uri_unknown",
        ),
        (query(&app, "").replace("=code", "=token"), "invalid_query.response_type"),
        (query(&app, "").replace("=code", "=odd"), "invalid_query.response_type"),
        (query(&app, "&code_challenge_method=S256"), "invalid_query.code_challenge"),
        (query(&app, &long), "invalid_query.state"),
        ("response_type=code&redirect_uri=x".to_owned(), "invalid_query.client_id"),
    ] {
        let reply = authorize(&mut scene, &query);
        assert_eq!((reply.status, &*reply.reason), (400, reason), "{}", reply.body);
    }
}

#[test]
fn a_code_is_good_once_for_ten_minutes() {
    let mut scene = active_project();
    let app = register(&mut scene, &[]);
    let text = "code: is not an authorization code that is good now";
    let first = code(&mut scene, &app, "");
    scene.after(599);
    assert_eq!(exchange(&mut scene, &app, &first, &[]).status, 201);
    refused(&exchange(&mut scene, &app, &first, &[]), 400, "code_used", text);
    let second = code(&mut scene, &app, "");
    scene.after(600);
    refused(&exchange(&mut scene, &app, &second, &[]), 400, "code_expired", text);
    refused(&exchange(&mut scene, &app, "none", &[]), 400, "code_unknown", text);
    let third = code(&mut scene, &app, "");
    let other = register(&mut scene, &[]);
    refused(&exchange(&mut scene, &other, &third, &[]), 400, "code_unknown", text);
}

#[test]
fn a_challenge_wants_its_verifier() {
    let digest = sha2::Sha256::digest("verifier");
    let hashed = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(digest);
    for (challenge, method) in
        [("verifier", ""), ("verifier", "plain"), (&*hashed, "S256"), (&*hashed, "sha256")]
    {
        let mut scene = active_project();
        let app = register(&mut scene, &[]);
        let method =
            if method.is_empty() { String::new() } else { format!("&code_challenge_method={method}") };
        let code = code(&mut scene, &app, &format!("&code_challenge={challenge}{method}"));
        let none = exchange(&mut scene, &app, &code, &[]);
        refused(&none, 400, "invalid_body.code_verifier", "code_verifier: Required");
        let wrong = exchange(&mut scene, &app, &code, &[("code_verifier", "guess")]);
        assert_eq!((wrong.status, &*wrong.reason), (400, "code_verifier_wrong"));
        assert_eq!(
            exchange(&mut scene, &app, &code, &[("code_verifier", "verifier")]).status,
            201,
            "{method}"
        );
    }
}

#[test]
fn a_refresh_replaces_both_tokens() {
    let mut scene = active_project();
    let app = register(&mut scene, &["projects:read"]);
    let old = tokens(&mut scene, &app);
    let reply = refresh(&mut scene, &app, &old["refresh_token"]);
    assert_eq!(reply.status, 201);
    let new = reply.json();
    assert_eq!((projects(&mut scene, &old), projects(&mut scene, &new)), (401, 200));
    let spent = refresh(&mut scene, &app, &old["refresh_token"]);
    refused(&spent, 404, "refresh_token_not_found", "No such refresh token found");
    assert_eq!(refresh(&mut scene, &app, &new["refresh_token"]).status, 201);
}

#[test]
fn an_access_token_expires_and_is_refreshed() {
    let mut scene = active_project();
    let app = register(&mut scene, &["projects:read"]);
    let old = tokens(&mut scene, &app);
    scene.after(3599);
    assert_eq!(projects(&mut scene, &old), 200);
    scene.after(1);
    assert_eq!(projects(&mut scene, &old), 401);
    let new = refresh(&mut scene, &app, &old["refresh_token"]).json();
    assert_eq!(projects(&mut scene, &new), 200);
    let durations = Durations { oauth_token_ms: 86_400_000, ..Durations::default() };
    let mut longer = super::scene(Policy { durations, ..Policy::default() });
    let app = register(&mut longer, &[]);
    assert_eq!(tokens(&mut longer, &app)["expires_in"], 86_400);
}

#[test]
fn a_token_request_that_can_not_be_is_refused() {
    let mut scene = active_project();
    let app = register(&mut scene, &[]);
    let good = code(&mut scene, &app, "");
    let wrong = App { id: app.id.clone(), secret: "guess".to_owned() };
    refused(&exchange(&mut scene, &wrong, &good, &[]), 401, "client_secret_wrong", "Unauthorized");
    let unknown = App { id: "00000000-0000-4000-8000-000000000000".to_owned(), secret: "x".to_owned() };
    refused(&exchange(&mut scene, &unknown, &good, &[]), 400, "client_unknown", "Unrecognized client_id");
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
        (&[("scope", "all")][..], Some(&app), "invalid_body.scope"),
    ] {
        let reply = form(&mut scene, fields, with);
        assert_eq!((reply.status, &*reply.reason), (400, reason), "{}", reply.body);
    }
    assert_eq!(exchange(&mut scene, &app, &good, &[]).status, 201, "refusals do not use the code up");
}

#[test]
fn revoking_ends_all_that_the_user_let_the_app_do() {
    let mut scene = active_project();
    let app = register(&mut scene, &["projects:read"]);
    let tokens = [tokens(&mut scene, &app), tokens(&mut scene, &app)];
    let mut body =
        json!({ "client_id": app.id, "client_secret": "guess", "refresh_token": tokens[0]["refresh_token"] });
    refused(&scene.post("/v1/oauth/revoke", body.clone()), 401, "client_secret_wrong", "Unauthorized");
    body["client_secret"] = json!(app.secret);
    let reply = scene.post("/v1/oauth/revoke", body.clone());
    assert_eq!((reply.status, &*reply.body), (204, ""));
    for tokens in &tokens {
        assert_eq!(projects(&mut scene, tokens), 401);
        assert_eq!(refresh(&mut scene, &app, &tokens["refresh_token"]).status, 404);
    }
    let again = scene.post("/v1/oauth/revoke", body.clone());
    refused(&again, 404, "refresh_token_not_found", "No such refresh token found");
    body["more"] = json!(1);
    assert_eq!(scene.post("/v1/oauth/revoke", body).reason, "invalid_body.more");
    assert_eq!(scene.post("/v1/oauth/revoke", json!({})).reason, "invalid_body.client_id");
}

#[test]
fn a_user_or_an_operator_ends_it_too() {
    let mut scene = active_project();
    let app = register(&mut scene, &["projects:read"]);
    let first = tokens(&mut scene, &app);
    let path = format!("/_sim/oauth/apps/{}", app.id);
    scene.control("DELETE", &format!("{path}/authorizations/owner"), json!({}));
    assert_eq!(projects(&mut scene, &first), 401);
    assert_eq!(scene.delete(&format!("{path}/authorizations/owner")).status, 404);
    let second = tokens(&mut scene, &app);
    assert_eq!(scene.get("/_sim/oauth/apps").json()[0]["scopes"], "projects:read");
    scene.control("DELETE", &path, json!({}));
    assert_eq!(projects(&mut scene, &second), 401);
    assert_eq!(scene.get("/_sim/oauth/apps").body, "[]");
}

#[test]
fn scopes_decide_what_a_token_reaches() {
    let mut scene = active_project();
    let app = register(&mut scene, &["environment:read", "projects:read"]);
    let tokens = tokens(&mut scene, &app);
    let token = tokens["access_token"].as_str().unwrap_or_default();
    for (method, path, status) in [
        ("GET", "/v1/projects/{ref}", 200),
        ("GET", "/v1/projects/{ref}/upgrade/eligibility", 200),
        ("GET", "/v1/projects/{ref}/branches", 422),
        ("POST", "/v1/projects/{ref}/branches", 403),
        ("GET", "/v1/projects/{ref}/database/backups", 403),
        ("POST", "/v1/projects/{ref}/pause", 403),
        ("GET", "/v1/snippets", 403),
        ("POST", "/v1/projects/{ref}/read-replicas/setup", 403),
    ] {
        let body = json!({ "branch_name": "x", "read_replica_region": "us-east-1" });
        let reply = scene.send(method, path, token, (method == "POST").then_some(body));
        assert_eq!(reply.status, status, "{method} {path}: {}", reply.body);
    }
}
