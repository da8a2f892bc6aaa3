//! `/v1/oauth`

use base64::Engine as _;
use http::Method;
use serde_json::{Value, json};
use sha2::Digest as _;
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
fn an_app_is_registered_once_under_an_id() {
    both(scenario::fresh, |api| {
        let app = register(api, &[]);
        let again = json!({ "name": "App", "redirect_uris": [BACK], "scopes": [], "client_id": app.id });
        let text = format!("client_id: an app {} is registered already", app.id);
        refused(&api.post("/_sim/oauth/apps", again), 400, "oauth_app_exists", &text);
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
        // What it does not know has no effect, and the answer says so.
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
