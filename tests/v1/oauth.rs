//! `/v1/oauth`

mod registration;
mod tokens;

use base64::Engine as _;
use http::Method;
use serde_json::{Value, json};
use sim_core::{Edition, Simulator, World};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refused, under};
use crate::support::both;

const BACK: &str = "https://app.test/back";
const TOKEN: &str = "/v1/oauth/token";

/// A registered app.
struct App {
    id: String,
    secret: String,
}

fn register(api: &mut dyn Api, scopes: &[&str]) -> App {
    let body = json!({ "name": "App", "redirect_uris": [BACK], "scopes": scopes });
    let app = api.control(Method::POST, "/_sim/oauth/apps", body);
    let text = |name: &str| app[name].as_str().expect("an app has both").to_owned();
    App { id: text("client_id"), secret: text("client_secret") }
}

fn authorize(api: &mut dyn Api, query: &str) -> Reply {
    api.send(Call::get(&format!("/v1/oauth/authorize?{query}")).nobody())
}

fn query(app: &App, more: &str) -> String {
    format!("client_id={}&response_type=code&redirect_uri=https%3A%2F%2Fapp.test%2Fback{more}", app.id)
}

fn code(api: &mut dyn Api, app: &App, more: &str) -> String {
    let reply = authorize(api, &query(app, more));
    assert_eq!(reply.status, 303, "{reply}");
    let code = reply.header("location").split("code=").nth(1).expect("the browser comes back with a code");
    code.split('&').next().unwrap_or_default().to_owned()
}

fn form(api: &mut dyn Api, fields: &[(&str, &str)], basic: Option<&App>) -> Reply {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let mut call = Call::post(TOKEN).nobody().bytes("application/x-www-form-urlencoded", body);
    if let Some(App { id, secret }) = basic {
        let text = base64::engine::general_purpose::STANDARD.encode(format!("{id}:{secret}"));
        call = call.header("authorization", &format!("Basic {text}"));
    }
    api.send(call)
}

fn exchange(api: &mut dyn Api, app: &App, code: &str, more: &[(&str, &str)]) -> Reply {
    let mut fields = vec![("grant_type", "authorization_code"), ("code", code), ("redirect_uri", BACK)];
    fields.extend(more);
    form(api, &fields, Some(app))
}

fn refresh(api: &mut dyn Api, app: &App, token: &Value) -> Reply {
    let token = token.as_str().unwrap_or_default();
    form(api, &[("grant_type", "refresh_token"), ("refresh_token", token)], Some(app))
}

fn tokens(api: &mut dyn Api, app: &App) -> Value {
    let code = code(api, app, "");
    let reply = exchange(api, app, &code, &[]);
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()
}

fn projects(api: &mut dyn Api, tokens: &Value) -> u16 {
    let token = tokens["access_token"].as_str().unwrap_or_default().to_owned();
    api.send(Call::get("/v1/projects").token(&token)).status
}

#[test]
fn apps_of_the_first_edition_get_their_codes_too() {
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| {
            let app = register(api, &["projects:read"]);
            let tokens = tokens(api, &app);
            assert_eq!(projects(api, &tokens), 200);
            // A parameter of the newest edition is unknown in this one.
            let reply = authorize(api, &query(&app, "&organization_slug=acme"));
            assert_eq!((reply.status, reply.header("x-sim-ignored")), (303, "query.organization_slug"));
        },
    );
}

#[test]
fn a_user_agrees_and_the_app_gets_tokens() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let reply = authorize(api, &query(&app, "&state=a%20b"));
        assert_eq!(reply.to_string(), "303 ");
        assert!(
            reply.header("location").starts_with(&format!("{BACK}?code="))
                && reply.header("location").ends_with("&state=a+b")
        );
        let tokens = tokens(api, &app);
        let access = tokens["access_token"].as_str().unwrap_or_default();
        assert!(access.starts_with("pat_oauth_") && access.len() == 50, "{access}");
        assert_eq!((&tokens["expires_in"], &tokens["token_type"]), (&json!(3600), &json!("Bearer")));
        assert_eq!(projects(api, &tokens), 200);
        let journal =
            serde_json::to_string(&peek(api, |sim| sim.journal())).expect("the journal is plain data");
        for secret in [access, tokens["refresh_token"].as_str().unwrap_or_default(), &*app.secret] {
            assert!(!journal.contains(secret), "secrets are masked");
        }
    });
}

#[test]
fn credentials_come_in_the_form_too_and_json_will_do() {
    both(scenario::active_project, |api| {
        let app = register(api, &["projects:read"]);
        let first = code(api, &app, "");
        let fields = [("client_id", &*app.id), ("client_secret", &*app.secret)];
        let mut all = vec![("grant_type", "authorization_code"), ("code", &*first), ("redirect_uri", BACK)];
        all.extend(fields);
        assert_eq!(form(api, &all, None).status, 201);
        let second = code(api, &app, "");
        let body = json!({ "grant_type": "authorization_code", "code": second, "redirect_uri": BACK,
        "client_id": app.id, "client_secret": app.secret });
        assert_eq!(api.post(TOKEN, body).status, 201);
        let third = code(api, &app, "");
        let spelt = App { id: app.id.replace('-', "%2D"), secret: app.secret.clone() };
        assert_eq!(exchange(api, &spelt, &third, &[]).status, 201, "as a form spells them");
    });
}

#[test]
fn a_user_who_refuses_sends_the_browser_back_without_a_code() {
    both(
        || under(|policy| policy.oauth_consent = false),
        |api| {
            let app = register(api, &["projects:read"]);
            let reply = authorize(api, &query(&app, "&state=s"));
            let expected = format!("{BACK}?error=access_denied&error_description=The+user+refused.&state=s");
            assert_eq!((reply.status, reply.header("location")), (303, &*expected));
            api.control(Method::PUT, "/_sim/oauth/consent", json!({ "granted": true, "user": "outsider" }));
            let tokens = tokens(api, &app);
            let access = tokens["access_token"].as_str().unwrap_or_default();
            let list = api.send(Call::get("/v1/projects").token(access));
            assert_eq!(list.to_string(), "200 []", "the token is the outsider's");
        },
    );
}

#[test]
fn an_authorization_that_can_not_be_is_refused() {
    both(scenario::active_project, |api| {
        let app = register(api, &[]);
        let unknown = App { id: "00000000-0000-4000-8000-000000000000".to_owned(), secret: String::new() };
        let reply = authorize(api, &query(&unknown, ""));
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
            let reply = authorize(api, &query);
            assert_eq!((reply.status, reply.reason()), (400, reason), "{reply}");
        }
    });
}

#[test]
fn in_a_world_without_users_no_app_can_be_authorized() {
    both(
        || Simulator::builder().seed(scenario::SEED).world(World::empty()).build(),
        |api| {
            let app = json!({ "name": "App", "redirect_uris": [BACK], "scopes": [] });
            let app = api.send(Call::post("/_sim/oauth/apps").nobody().json(app)).json();
            let id = app["client_id"].as_str().expect("an app has an id");
            let query = format!("client_id={id}&response_type=code&redirect_uri={BACK}");
            let text = "There is no user who could let the app act for them.";
            refused(&authorize(api, &query), 400, "no_user", text);
        },
    );
}

#[test]
fn the_user_decides_at_a_page_if_the_policy_says_so() {
    let scene = || under(|policy| policy.oauth_consent_page = true);
    both(scene, |api| {
        let app = register(api, &["projects:read"]);
        let query = query(&app, "&state=s1");
        let asked = authorize(api, &query);
        let page = asked.header("location").to_owned();
        assert_eq!(asked.status, 303, "{asked}");
        assert!(
            page.starts_with("../../_sim/oauth/consent/page?client_id=") && page.contains("state=s1"),
            "{page}"
        );
        // A decision beforehand counts once, or until the next one.
        api.control(Method::PUT, "/_sim/oauth/consent", json!({ "granted": false, "once": true }));
        assert!(authorize(api, &query).header("location").contains("error=access_denied"));
        assert_eq!(authorize(api, &query).header("location"), page);
        api.control(Method::PUT, "/_sim/oauth/consent", json!({ "granted": true }));
        for _ in 0..2 {
            assert!(authorize(api, &query).header("location").contains("code="));
        }
        assert_eq!(authorize(api, "client_id=x").status, 400);
    });
}
