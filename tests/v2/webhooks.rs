//! `/v2/…/webhooks`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refuse_strangers};
use crate::support::both;

const OF_PROJECT: &str = "/v2/projects/{ref}/webhooks";
const OF_ACME: &str = "/v2/organizations/acme/webhooks";
const NONE: &str = "00000000-0000-4000-8000-000000000000";

fn document(kind: &str, attributes: Value) -> Value {
    json!({ "data": { "type": kind, "attributes": attributes } })
}

fn endpoint(kinds: &[&str]) -> Value {
    let kinds: Vec<_> = kinds.iter().map(|kind| json!({ "type": kind })).collect();
    json!({
        "url": "https://hooks.example/in",
        "event_types": kinds,
        "signing_secret": "a secret of tests",
        "custom_headers": { "x-key": "k" },
    })
}

/// Makes an endpoint; returns its path.
fn make(api: &mut dyn Api, at: &str, kinds: &[&str]) -> String {
    let reply = api.post(&format!("{at}/endpoints"), document("endpoint", endpoint(kinds)));
    assert_eq!(reply.status, 201, "{reply}");
    format!("{at}/endpoints/{}", reply.json()["data"]["id"].as_str().expect("it has one"))
}

/// What was delivered to an endpoint, the first attempt first.
fn delivered(api: &mut dyn Api, path: &str) -> Vec<Value> {
    let mut page = api.get(&format!("{path}/deliveries")).json();
    let mut all: Vec<Value> = page["data"].as_array_mut().expect("a list").drain(..).collect();
    all.reverse();
    all.into_iter().map(|mut one| one["attributes"].take()).collect()
}

fn kinds(deliveries: &[Value]) -> Vec<&str> {
    deliveries.iter().filter_map(|one| one["event"]["type"].as_str()).collect()
}

fn answer(api: &mut dyn Api, delivery: &Value, body: Value) -> Reply {
    let path = format!("/_sim/webhooks/posts/{}", delivery["id"].as_str().unwrap_or_default());
    api.post(&path, body)
}

#[test]
fn an_organization_has_no_more_endpoints_than_it_may() {
    both(scenario::active_project, |api| {
        (0..50).for_each(|_| drop(make(api, OF_ACME, &["*"])));
        let more = document("endpoint", endpoint(&["*"]));
        let refused = api.post(&format!("{OF_ACME}/endpoints"), more);
        assert_eq!((refused.status, refused.reason()), (400, "too_many_endpoints"), "{refused}");
        make(api, OF_PROJECT, &["*"]);
    });
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let new = || document("endpoint", endpoint(&["*"]));
    let all = format!("{OF_PROJECT}/endpoints");
    let (one, delivery) = (format!("{all}/{NONE}"), format!("{OF_PROJECT}/deliveries/{NONE}"));
    refuse_strangers(&[
        (Call::get(&all), Role::ReadOnly),
        (Call::get(&one), Role::ReadOnly),
        (Call::get(&format!("{one}/deliveries")), Role::ReadOnly),
        (Call::get(&delivery), Role::ReadOnly),
        (Call::post(&all).json(new()), Role::Administrator),
        (Call::new(Method::PATCH, &one).json(document("endpoint", json!({}))), Role::Administrator),
        (Call::post(&format!("{one}/test")).json(json!({})), Role::Administrator),
        (Call::post(&format!("{delivery}/retry")), Role::Administrator),
        (Call::delete(&one), Role::Administrator),
        (Call::delete(&all), Role::Administrator),
    ]);
}

#[test]
fn an_endpoint_is_made_changed_and_deleted() {
    for at in [OF_PROJECT, OF_ACME] {
        both(scenario::active_project, |api| {
            let path = make(api, at, &["v1.project.paused", "*"]);
            let shown = api.get(&path).json()["data"]["attributes"].take();
            assert_eq!(shown["event_types"], json!([{ "type": "v1.project.paused" }, { "type": "*" }]));
            assert_eq!((&shown["enabled"], &shown["description"]), (&json!(true), &Value::Null));
            assert_eq!(
                (&shown["custom_headers"], &shown["signing_secret"]),
                (&json!({ "x-key": "k" }), &Value::Null)
            );
            let change = |api: &mut dyn Api, changes: Value| {
                let reply = api.patch(&path, document("endpoint", changes));
                assert_eq!(reply.status, 200, "{reply}");
                reply.json()["data"]["attributes"].take()
            };
            let changed = change(api, json!({ "enabled": false, "description": "for audits" }));
            assert_eq!((&changed["enabled"], &changed["url"]), (&json!(false), &shown["url"]));
            assert_eq!(change(api, json!({}))["description"], "for audits");
            assert_eq!(change(api, json!({ "description": null }))["description"], Value::Null);
            make(api, at, &["*"]);
            let page = api.get(&format!("{at}/endpoints?page[limit]=1&page[offset]=1")).json();
            assert_eq!(
                (page["data"].as_array().map(Vec::len), &page["links"]["next"]),
                (Some(1), &Value::Null)
            );
            let first = api.get(page["links"]["prev"].as_str().expect("there is a page before it")).json();
            assert_eq!(first["data"][0]["id"], shown["id"]);
            assert_eq!(api.delete(&path).json()["data"]["id"], shown["id"]);
            assert_eq!(api.get(&path).reason(), "endpoint_not_found");
            let rest = api.delete(&format!("{at}/endpoints")).json();
            assert_eq!(rest["data"].as_array().map(Vec::len), Some(1));
            assert_eq!(api.get(&format!("{at}/endpoints")).json()["data"], json!([]));
        });
    }
}

#[test]
fn wrong_endpoints_are_refused_by_name() {
    both(scenario::active_project, |api| {
        for (field, value, reason) in [
            ("url", json!("/hook"), "invalid_body.data.attributes.url"),
            ("url", json!("ftp://files.example/"), "endpoint_url_unresolvable"),
            ("event_types", json!([]), "invalid_body.data.attributes.event_types"),
            ("event_types", json!([{ "type": "moved" }]), "invalid_body.data.attributes.event_types.0.type"),
            ("signing_secret", json!("1234567"), "invalid_body.data.attributes.signing_secret"),
            ("custom_headers", json!({ "a b": "c" }), "invalid_body.data.attributes.custom_headers.a b"),
            ("custom_headers", json!({ "a": "b\n" }), "invalid_body.data.attributes.custom_headers.a"),
            (
                "custom_headers",
                json!({ "Webhook-Id": "b" }),
                "invalid_body.data.attributes.custom_headers.Webhook-Id",
            ),
        ] {
            let mut attributes = endpoint(&["*"]);
            attributes[field] = value;
            let reply = api.post(&format!("{OF_PROJECT}/endpoints"), document("endpoint", attributes));
            assert_eq!((reply.status, reply.reason()), (400, reason), "{field}");
            let problem = reply.json()["error"]["issues"][0]["meta"]["field"].clone();
            let expected = reason.strip_prefix("invalid_body.").unwrap_or("data.attributes.url");
            assert_eq!(problem, expected);
        }
    });
}

#[test]
fn a_project_tells_of_its_life() {
    both(scenario::active_project, |api| {
        let (own, acme) =
            (make(api, OF_PROJECT, &["*"]), make(api, OF_ACME, &["v1.project.paused", "v1.project.created"]));
        api.post("/v1/projects/{ref}/pause", json!({}));
        api.after(60);
        api.another_project("another");
        api.post("/v1/projects/{ref}/restore", json!({}));
        api.after(600);
        let found = delivered(api, &own);
        let changed = "v1.project.status.changed";
        assert_eq!(
            kinds(&found),
            [changed, changed, "v1.project.paused", changed, changed, "v1.project.restored",]
        );
        let event = &found[2]["event"];
        assert_eq!(event["payload"]["organization_slug"], "acme");
        assert_eq!(event["payload"]["project_ref"], api.get("/v1/projects").json()[0]["ref"]);
        assert_eq!((&found[2]["status"], &found[2]["response_code"]), (&json!("pending"), &json!(0)));
        let heard = delivered(api, &acme);
        assert_eq!(kinds(&heard), ["v1.project.paused", "v1.project.created"]);
        assert_eq!(heard[0]["event_id"], found[2]["event_id"], "it is the same event");
        assert_ne!(heard[0]["id"], found[2]["id"]);
    });
}

#[test]
fn branches_backups_plans_and_members_are_told_of() {
    both(scenario::four_roles, |api| {
        let path = make(api, OF_ACME, &["*"]);
        let mut told = 0;
        let mut new = |api: &mut dyn Api| {
            let all = delivered(api, &path);
            let new = all[told..].to_vec();
            told = all.len();
            let mut names = kinds(&new).into_iter().map(str::to_owned).collect::<Vec<_>>();
            names.retain(|name| name != "v1.project.status.changed");
            names.dedup();
            names
        };
        api.control(Method::PUT, "/_sim/organizations/acme/plan", json!({ "plan": "free" }));
        api.control(Method::PUT, "/_sim/organizations/acme/plan", json!({ "plan": "pro" }));
        let plan = |way: &str| format!("v1.organization.billing.plan.{way}");
        assert_eq!(new(api), [plan("downgraded"), plan("upgraded")]);
        let member = |what: &str| format!("v1.organization.member.{what}");
        api.control(Method::PUT, "/_sim/organizations/acme/members/reader", json!({ "role": "Developer" }));
        api.control(Method::DELETE, "/_sim/organizations/acme/members/reader", json!({}));
        api.control(Method::PUT, "/_sim/organizations/acme/members/reader", json!({ "role": "Developer" }));
        assert_eq!(
            new(api),
            [
                member("role.updated"),
                member("role.removed"),
                member("removed"),
                member("added"),
                member("role.assigned")
            ]
        );
        let invitation = |attributes: Value| json!({ "data": [{ "type": "organization_invitation", "attributes": attributes }] });
        let invitations = "/v2/organizations/acme/members/invitations";
        api.post(invitations, invitation(json!({ "email": "new@example.test", "role": "developer" })));
        api.send(Call::delete(invitations).json(invitation(json!({ "email": "new@example.test" }))));
        assert_eq!(new(api), [member("invitation.created"), member("invitation.canceled")]);
        let project = api.another_project("told of");
        api.after(60);
        let at = |path: &str| format!("/v1/projects/{project}{path}");
        assert_eq!(new(api), ["v1.project.created"]);
        api.post(&at("/database/backups/restore-point"), json!({ "name": "before" }));
        assert_eq!(new(api), ["v1.project.backup.started"]);
        let branch = api.post(&at("/branches"), json!({ "branch_name": "dev" })).json();
        assert_eq!(new(api)[0], "v1.project.branch.created");
        api.after(60);
        assert_eq!(new(api), ["v1.project.branch.updated"], "its workflow goes on");
        api.delete(&format!("/v1/branches/{}", branch["id"].as_str().expect("a UUID")));
        // Its project is removed first.
        assert_eq!(new(api).last().map(String::as_str), Some("v1.project.branch.removed"));
    });
}

#[test]
fn a_post_is_signed_with_the_secret_of_its_endpoint() {
    both(scenario::active_project, |api| {
        let path = make(api, OF_PROJECT, &["v1.project.paused"]);
        let test = api.post(&format!("{path}/test"), json!({}));
        assert_eq!((test.status, &test.json()["data"]["type"]), (201, &json!("ingress")));
        let posts = api.get("/_sim/webhooks/posts").json();
        let (post, delivery) = (&posts[0], delivered(api, &path).remove(0));
        assert_eq!((&post["id"], &post["url"]), (&delivery["id"], &json!("https://hooks.example/in")));
        assert_eq!(test.json()["data"]["id"], delivery["id"]);
        let body: Value = serde_json::from_str(post["body"].as_str().expect("a text")).expect("it is JSON");
        assert_eq!(body, delivery["event"]);
        let headers = &post["headers"];
        assert_eq!((&headers["x-key"], &headers["webhook-id"]), (&json!("k"), &delivery["event_id"]));
        let first = headers["webhook-signature"].as_str().expect("a text").to_owned();
        assert!(first.starts_with("v1,") && first.len() == 47, "{first}");
        api.patch(&path, document("endpoint", json!({ "signing_secret": "another secret" })));
        let again = api.get("/_sim/webhooks/posts").json();
        assert_ne!(
            again[0]["headers"]["webhook-signature"],
            first.as_str(),
            "a new secret signs what follows"
        );
    });
}

#[test]
fn what_fails_is_posted_again_until_it_is_taken() {
    both(scenario::active_project, |api| {
        let path = make(api, OF_PROJECT, &["*"]);
        api.post(&format!("{path}/test"), document("event", json!({ "type": "v1.project.removed" })));
        let first = delivered(api, &path).remove(0);
        assert_eq!(answer(api, &first, json!({ "answer": "connection refused" })).status, 200);
        let failed = delivered(api, &path).remove(0);
        assert_eq!((&failed["status"], &failed["error_code"]), (&json!("failure"), &json!("no_answer")));
        assert_eq!(
            (&failed["error_message"], &failed["response_body"]),
            (&json!("connection refused"), &Value::Null)
        );
        api.after(4);
        assert_eq!(delivered(api, &path).len(), 1);
        api.after(1);
        let second = delivered(api, &path).remove(1);
        assert_eq!((&second["event_id"], &second["status"]), (&first["event_id"], &json!("pending")));
        let body = json!({ "status": 500, "headers": { "x-a": "b" }, "answer": "broken" });
        answer(api, &second, body);
        let failed = delivered(api, &path).remove(1);
        assert_eq!(
            (&failed["response_code"], &failed["error_code"]),
            (&json!(500), &json!("unexpected_status"))
        );
        assert_eq!(
            (&failed["response_headers"], &failed["response_body"]),
            (&json!({ "x-a": "b" }), &json!("broken"))
        );
        api.after(300);
        let third = delivered(api, &path).remove(2);
        answer(api, &third, json!({ "status": 204, "answer": "" }));
        assert_eq!(delivered(api, &path)[2]["status"], "success");
        api.after(86_400);
        assert_eq!(delivered(api, &path).len(), 3, "it was taken");
    });
}

#[test]
fn attempts_end_and_can_be_made_by_hand() {
    both(scenario::active_project, |api| {
        let path = make(api, OF_PROJECT, &["*"]);
        api.post(&format!("{path}/test"), json!({}));
        for attempt in 1..=5 {
            let all = delivered(api, &path);
            assert_eq!(all.len(), attempt);
            answer(api, &all[attempt - 1], json!({ "status": 503, "answer": "" }));
            api.after(3 * 3600);
        }
        let all = delivered(api, &path);
        assert_eq!(all.len(), 5);
        let one = format!("{OF_PROJECT}/deliveries/{}", all[0]["id"].as_str().expect("a UUID"));
        assert_eq!(api.get(&one).json()["data"]["attributes"], all[0]);
        let retried = api.send(Call::post(&format!("{one}/retry")));
        let sixth = delivered(api, &path).remove(5);
        assert_eq!((retried.status, &retried.json()["data"]["id"]), (201, &sixth["id"]));
        assert_eq!((&sixth["status"], &sixth["event_id"]), (&json!("pending"), &all[0]["event_id"]));
        let page = api.get(&format!("{path}/deliveries?page[size]=2")).json();
        assert_eq!(page["data"].as_array().map(Vec::len), Some(2));
        let next = api.get(page["links"]["next"].as_str().expect("there is another page")).json();
        assert_eq!(next["data"][0]["id"], all[3]["id"]);
        assert_eq!(api.get(&format!("{OF_ACME}/deliveries/{NONE}")).reason(), "delivery_not_found");
    });
}

#[test]
fn a_disabled_endpoint_is_skipped() {
    both(scenario::active_project, |api| {
        let path = make(api, OF_PROJECT, &["v1.project.status.changed"]);
        let other = document("event", json!({ "type": "v1.project.removed" }));
        assert_eq!(api.post(&format!("{path}/test"), other).reason(), "endpoint_event_type_not_subscribed");
        api.patch(&path, document("endpoint", json!({ "enabled": false })));
        assert_eq!(api.post(&format!("{path}/test"), json!({})).reason(), "endpoint_disabled");
        api.post("/v1/projects/{ref}/pause", json!({}));
        let skipped = delivered(api, &path).remove(0);
        assert_eq!(skipped["status"], "skipped");
        let retry = format!("{OF_PROJECT}/deliveries/{}/retry", skipped["id"].as_str().expect("a UUID"));
        assert_eq!(api.send(Call::post(&retry)).reason(), "endpoint_disabled");
        api.patch(&path, document("endpoint", json!({ "enabled": true })));
        assert_eq!(api.send(Call::post(&retry)).status, 201);
    });
}

#[test]
fn a_project_never_hears_of_its_organization_and_says_so() {
    both(scenario::active_project, |api| {
        let kinds = ["v1.project.paused", "v1.organization.member.added", "*"];
        let reply = api.post(&format!("{OF_PROJECT}/endpoints"), document("endpoint", endpoint(&kinds)));
        let ignored = reply.header("x-sim-ignored");
        assert_eq!((reply.status, ignored), (201, "body.data.attributes.event_types.1.type"));
        let reply = api.post(&format!("{OF_ACME}/endpoints"), document("endpoint", endpoint(&kinds)));
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (201, ""));
    });
}

#[test]
fn headers_of_posts_are_shown_to_those_who_may_set_them() {
    both(scenario::active_project, |api| {
        for at in [OF_PROJECT, OF_ACME] {
            let path = make(api, at, &["*"]);
            let list = format!("{at}/endpoints");
            for (role, shows) in [("administrator", true), ("developer", false), ("reader", false)] {
                let token = format!("token-of-{role}");
                let one = api.send(Call::get(&path).token(&token)).json();
                let all = api.send(Call::get(&list).token(&token)).json();
                for attributes in [&one["data"]["attributes"], &all["data"][0]["attributes"]] {
                    assert_eq!(attributes["url"], "https://hooks.example/in", "{role}");
                    assert_eq!(attributes.get("custom_headers").is_some(), shows, "{role}");
                }
            }
        }
    });
}

#[test]
fn an_event_that_comes_twice_is_subscribed_to_once_and_named() {
    both(scenario::active_project, |api| {
        let twice = ["v1.project.paused", "v1.project.paused", "v1.project.restored"];
        let reply = api.post(&format!("{OF_PROJECT}/endpoints"), document("endpoint", endpoint(&twice)));
        assert_eq!(reply.header("x-sim-ignored"), "body.data.attributes.event_types.1.type");
        let shown = &reply.json()["data"]["attributes"]["event_types"];
        assert_eq!(*shown, json!([{ "type": "v1.project.paused" }, { "type": "v1.project.restored" }]));
    });
}
