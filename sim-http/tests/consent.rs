//! `/_sim/oauth/consent/page`: the page at which a user lets an OAuth app act for them.

use serde_json::json;
use sim_core::{Policy, Simulator, UserSpec, World};
use sim_http::Server;

use crate::client::{Answer, call, call_with, get, post};

const BACK: &str = "https://app.test/back";

/// A server that asks at the page, and the address of an authorization.
fn server() -> (Server, String) {
    let policy = Policy { oauth_consent_page: true, ..Policy::default() };
    let mut world = World::default();
    world.users.push(UserSpec::named("ben"));
    let server = Server::spawn(Simulator::builder().policy(policy).world(world).build());
    let app = json!({ "name": "Bob & <Co>", "redirect_uris": [BACK], "scopes": ["projects:read"] });
    let app = call(&server, "POST", "/_sim/oauth/apps", &app.to_string()).json();
    let id = app["client_id"].as_str().expect("an id");
    let query =
        format!("client_id={id}&response_type=code&redirect_uri=https%3A%2F%2Fapp.test%2Fback&state=s1");
    (server, format!("/v1/oauth/authorize?{query}"))
}

/// The address to which an answer sends a browser.
fn sent_to(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.header("location").expect("a redirect has a location")
}

/// The page that the authorization sends to.
fn page_of(server: &Server, authorization: &str) -> String {
    let sent = get(server, authorization);
    let page = sent_to(&sent).strip_prefix("../..").expect("it is relative to the authorization");
    assert!(page.starts_with("/_sim/oauth/consent/page?"), "{page}");
    page.to_owned()
}

/// Decides at the page, and follows the browser back.
fn decide(server: &Server, page: &str, form: &str) -> String {
    decide_at(server, "", page, form)
}

/// Decides at the page of the world with that prefix, and follows the browser back.
fn decide_at(server: &Server, world: &str, page: &str, form: &str) -> String {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let decided = call_with(server, "POST", &format!("{world}{page}"), &headers, form);
    let authorization = sent_to(&decided).strip_prefix("../../..").expect("it is relative to the page");
    sent_to(&get(server, &format!("{world}{authorization}"))).to_owned()
}

#[test]
fn a_person_sees_what_the_app_may_do() {
    let (server, authorization) = server();
    let page = get(&server, &page_of(&server, &authorization));
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    for part in [
        "Allow Bob &#38; &#60;Co&#62; to act",
        "<li><code>projects:read</code></li>",
        "<option>ben</option>",
        BACK,
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
}

#[test]
fn nobody_is_asked_for_an_app_or_an_address_that_is_not_registered() {
    let (server, authorization) = server();
    let page = page_of(&server, &authorization);
    let (stranger, elsewhere) =
        ("/_sim/oauth/consent/page?client_id=x", page.replace("app.test", "evil.test"));
    let no_address = page.split("&redirect_uri").next().expect("a split has a first part");
    for (wrong, reason) in [
        (stranger, "client_unknown"),
        ("/_sim/oauth/consent/page", "client_unknown"),
        (&elsewhere, "redirect_uri_unknown"),
        (no_address, "redirect_uri_unknown"),
    ] {
        for answer in [get(&server, wrong), call_with(&server, "POST", wrong, &[], "decision=allow")] {
            assert_eq!((answer.status, answer.reason()), (400, reason), "{wrong}");
            assert_eq!(answer.header("location"), None, "{wrong}");
        }
    }
    // The authorization refuses them too, without a page; and no decision was kept for the next one.
    for (wrong, reason) in [
        (authorization.replace("app.test", "evil.test"), "redirect_uri_unknown"),
        (authorization.replace("client_id=", "client_id=0"), "invalid_query.client_id"),
    ] {
        let answer = get(&server, &wrong);
        assert_eq!((answer.status, answer.reason()), (400, reason), "{wrong}");
    }
    assert_eq!(page_of(&server, &authorization), page);
}

#[test]
fn the_state_comes_back_as_it_was_sent_or_not_at_all() {
    let (server, authorization) = server();
    let without = authorization.replace("&state=s1", "");
    for (asked, ends) in [
        (format!("{without}&state=a%20b%26c%3Dd%2B%C3%A9"), "&state=a+b%26c%3Dd%2B%C3%A9"),
        (format!("{without}&state="), "&state="),
    ] {
        for form in ["decision=deny", "decision=allow"] {
            let back = decide(&server, &page_of(&server, &asked), form);
            assert!(back.ends_with(ends), "{form}: {back}");
        }
    }
    for form in ["decision=deny", "decision=allow"] {
        let back = decide(&server, &page_of(&server, &without), form);
        assert!(!back.contains("state"), "{form}: {back}");
    }
}

#[test]
fn every_authorization_is_decided_at_the_page() {
    let (server, authorization) = server();
    let page = page_of(&server, &authorization);
    let back = decide(&server, &page, "decision=deny");
    assert!(
        back.starts_with(&format!("{BACK}?error=access_denied")) && back.ends_with("&state=s1"),
        "{back}"
    );

    // The decision counted once.
    let page = page_of(&server, &authorization);
    let back = decide(&server, &page, "decision=allow&user=ben");
    assert!(back.starts_with(&format!("{BACK}?code=")) && back.ends_with("&state=s1"), "{back}");
    let asked = "select user from oauth_grant";
    let grants = post(&server, "/_sim/journal/query", &json!({ "sql": asked }).to_string()).json();
    assert_eq!(grants, json!([{ "user": "ben" }]));
    page_of(&server, &authorization);
}

#[test]
fn a_decision_is_one_of_two_by_a_user_of_the_world() {
    let (server, authorization) = server();
    let page = page_of(&server, &authorization);
    let post = |form: &str| call_with(&server, "POST", &page, &[], form);
    assert_eq!((post("").status, post("").reason()), (400, "invalid_body.decision"));
    assert_eq!(post("decision=allow&user=nobody").status, 404);
}

#[test]
fn a_test_can_decide_beforehand_instead() {
    let (server, authorization) = server();
    let set = call(&server, "PUT", "/_sim/oauth/consent", r#"{"granted": true}"#);
    assert_eq!(set.status, 200);
    for _ in 0..2 {
        assert!(sent_to(&get(&server, &authorization)).starts_with(&format!("{BACK}?code=")));
    }
}

#[test]
fn a_client_that_knows_only_the_address_registers_and_gets_tokens() {
    let (server, _) = server();
    for (path, base) in [
        ("/.well-known/oauth-authorization-server", String::new()),
        ("/w/main/.well-known/oauth-authorization-server", "/w/main".to_owned()),
        ("/.well-known/oauth-authorization-server/w/main", "/w/main".to_owned()),
    ] {
        let metadata = get(&server, path).json();
        let issuer = format!("{}{base}", server.url());
        assert_eq!(metadata["issuer"], issuer.as_str());
        assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256", "plain"]));
        let at = |name: &str| {
            let address = metadata[name].as_str().expect("an address");
            address.strip_prefix(server.url()).expect("it is on this server").to_owned()
        };
        let client = json!({ "client_name": "A tool", "redirect_uris": [BACK], "scope": "projects:read" });
        let client = post(&server, &at("registration_endpoint"), &client.to_string()).json();
        let [id, secret] = ["client_id", "client_secret"].map(|name| client[name].as_str().expect("a text"));
        let query = format!("client_id={id}&response_type=code&redirect_uri=https%3A%2F%2Fapp.test%2Fback");
        let sent = get(&server, &format!("{}?{query}", at("authorization_endpoint")));
        let page = sent_to(&sent).strip_prefix("../..").expect("it is relative to the authorization");
        let back = decide_at(&server, &base, page, "decision=allow");
        let code = back.strip_prefix(&format!("{BACK}?code=")).expect("the browser comes back with a code");
        let form = format!(
            "grant_type=authorization_code&code={code}&redirect_uri={BACK}&client_id={id}&client_secret={secret}"
        );
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let tokens = call_with(&server, "POST", &at("token_endpoint"), &headers, &form);
        assert_eq!(tokens.status, 201, "{tokens:?}");
    }
}

#[test]
fn a_person_chooses_the_projects_of_an_app() {
    let (server, authorization) = server();
    let project = json!({
        "db_pass": "hunter22", "name": "<one>", "organization_id": "acme", "region": "us-east-1",
    });
    let project = post(&server, "/v1/projects", &project.to_string()).json();
    let project = project["id"].as_str().expect("a project has a reference").to_owned();
    let page = page_of(&server, &authorization);
    let shown = get(&server, &page).body;
    let choice = format!(r#"<input type="checkbox" name="project" value="{project}"> &#60;one&#62;"#);
    assert!(shown.contains(&choice), "{shown}");
    decide(&server, &page, &format!("decision=allow&project={project}"));
    let asked = json!({ "sql": "select limits from oauth_grant" });
    let grants = post(&server, "/_sim/journal/query", &asked.to_string()).json();
    assert_eq!(grants, json!([{ "limits": format!(r#"{{"projects":["{project}"]}}"#) }]));
}

#[test]
fn a_page_offers_only_projects_of_the_organization_that_the_app_names() {
    let (server, authorization) = server();
    let other = post(&server, "/v1/organizations", r#"{"name": "Other"}"#).json();
    let other = other["slug"].as_str().expect("an organization has a slug");
    for (name, organization) in [("here", "acme"), ("there", other)] {
        let project = json!({
            "db_pass": "hunter22", "name": name, "organization_slug": organization, "region": "us-east-1",
        });
        assert_eq!(post(&server, "/v1/projects", &project.to_string()).status, 201);
    }
    let offered = |named: &str| {
        let shown = get(&server, &page_of(&server, &format!("{authorization}{named}"))).body;
        ["> here</label>", "> there</label>"].map(|choice| shown.contains(choice))
    };
    assert_eq!(offered(""), [true, true]);
    assert_eq!(offered("&organization_slug=acme"), [true, false]);
    assert_eq!(offered(&format!("&organization_slug={other}")), [false, true]);
    assert_eq!(offered("&organization_slug=nowhere"), [false, false]);
}
