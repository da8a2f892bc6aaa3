//! Answers that the schema allows as well: by fault rules, and by a world's policy.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sim_core::engine::Answers;
use sim_core::{Edition, Policy, RateLimit};
use sim_fixtures::strategies::answers_like;
use sim_fixtures::{Api, Call, Reply, Scene, api, scenario};

use crate::support::both;

const KEYS: &str = "/v1/projects/{ref}/api-keys?reveal=true";
const SECRETS: &str = "/v1/projects/{ref}/secrets";

fn rule(api: &mut dyn Api, path: &str, effect: Value) {
    let path = path.split('?').next().unwrap_or_default().replace("{ref}", "*");
    let reply = api.post("/_sim/faults", json!({ "on": { "path": path }, "effect": effect }));
    assert_eq!(reply.status, 201, "{reply}");
}

fn answering(answers: Answers) -> impl Fn() -> Scene {
    move || {
        let policy = Policy { answers, rate_limit: RateLimit::off(), ..Policy::default() };
        scenario::active_project_under(policy)
    }
}

/// What a careless client demands of a list of keys that the service does not promise.
fn mistakes(reply: &Reply) -> Vec<&'static str> {
    let keys = reply.json();
    let keys = keys.as_array().expect("a list");
    let known = ["name", "api_key", "id", "type", "prefix", "description", "hash", "secret_jwt_template"];
    let known = |name: &String| known.contains(&name.as_str()) || name.ends_with("_at");
    let all = |is: &dyn Fn(&Value) -> bool| keys.iter().all(is);
    let demands = [
        ("an optional member", all(&|key| key["type"] == "legacy" || key.get("inserted_at").is_some())),
        ("no other members", all(&|key| key.as_object().expect("an object").keys().all(known))),
        (
            "instants in UTC that end with Z",
            all(&|key| key["inserted_at"].as_str().is_none_or(|text| text.ends_with('Z'))),
        ),
        (
            "an order",
            keys.first().is_none_or(|key| key["name"] == "anon")
                && String::from_utf8_lossy(&reply.body).starts_with(r#"[{"name""#),
        ),
    ];
    demands.into_iter().filter(|(_, holds)| !holds).map(|(name, _)| name).collect()
}

#[test]
fn four_mistakes_of_a_client_are_found() {
    both(scenario::active_project, |api| {
        let plain = api.get(KEYS);
        assert_eq!(mistakes(&plain), [""; 0], "{plain}");
        let rows: [(&str, &[&str]); 3] = [
            ("lean", &["an optional member"]),
            ("rich", &["no other members", "instants in UTC that end with Z"]),
            ("reorder", &["an order"]),
        ];
        for (kind, expected) in rows {
            rule(api, KEYS, json!({ "kind": kind }));
            let reply = api.get(KEYS);
            assert_eq!(mistakes(&reply), expected, "{kind}: {reply}");
            assert_eq!(api.get(KEYS).json(), plain.json(), "a rule is for one call");
        }
        let mut found = BTreeSet::new();
        for _ in 0..40 {
            rule(api, KEYS, json!({ "kind": "varied" }));
            found.extend(mistakes(&api.get(KEYS)));
        }
        assert_eq!(found.len(), 4, "{found:?}");
    });
}

#[test]
fn a_policy_makes_every_answer_lean_or_rich() {
    both(answering(Answers::Lean), |api| {
        let keys = api.get(KEYS);
        assert_eq!(mistakes(&keys), ["an optional member"]);
        assert_eq!(api.get(KEYS).body, keys.body, "a repeated read too");
        // The control API answers as usual, and the journal keeps the plain answer.
        let wanted = json!({ "kind": "status", "status": 503, "message": "busy" });
        let body = json!({ "on": { "path": "/v1/organizations" }, "effect": wanted });
        assert_eq!(api.post("/_sim/faults", body).json()["rule"]["effect"], wanted);
        let call: u64 = keys.header("x-sim-call").parse().expect("a number");
        let kept = api::peek(api, |sim| sim.explain(call).expect("it is there").call.response);
        assert!(kept.contains("inserted_at"), "{kept}");
    });
    both(answering(Answers::Rich), |api| {
        assert!(api.get("/v1/projects/{ref}").json()["unknown_to_the_edition"].is_object());
    });
}

#[test]
fn a_policy_spells_instants_with_an_offset() {
    both(answering(Answers::Offsets), |api| {
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        for at in ["created_at", "updated_at"] {
            let text = branch[at].as_str().expect("an instant");
            assert!(text.ends_with(".000000+00:00"), "{text}");
        }
        let keys = api.get(KEYS).json();
        let instants = keys.as_array().into_iter().flatten().filter_map(|key| key["inserted_at"].as_str());
        assert!(instants.clone().count() > 0 && instants.clone().all(|text| text.ends_with("+00:00")));
    });
}

#[test]
fn answers_vary_with_the_seed_and_the_call_alone() {
    let told = || {
        let mut api = sim_fixtures::InProcess::new(answering(Answers::Varied)());
        (0..8).map(|_| api.get(KEYS).to_string()).collect::<Vec<_>>()
    };
    let first = told();
    assert_eq!(first, told());
    assert!(first.iter().any(|one| *one != first[0]), "calls differ");
}

#[test]
fn a_decoder_can_be_fuzzed_with_legal_answers() {
    let mut api = sim_fixtures::InProcess::new(scenario::active_project());
    let keys = api.get(KEYS).json();
    let strategy = api::peek(&mut api, |sim| answers_like(sim, "v1-get-project-api-keys", &keys));
    let mut runner = TestRunner::deterministic();
    let drawn = (0..50).map(|_| strategy.new_tree(&mut runner).expect("it can be drawn").current());
    let drawn: Vec<Value> = drawn.collect();
    let names = |keys: &Value| {
        let names = keys.as_array().into_iter().flatten().map(|key| key["name"].to_string());
        names.collect::<Vec<_>>()
    };
    let sorted = |keys: &Value| {
        let mut names = names(keys);
        names.sort();
        names
    };
    assert!(drawn.iter().all(|one| sorted(one) == sorted(&keys)), "what is required stays");
    assert!(drawn.iter().any(|one| names(one) != names(&keys)), "the list has no order of its own");
    assert!(drawn.iter().any(|one| one[2].get("inserted_at").is_none()));
}

#[test]
fn varied_answers_have_all_that_the_edition_leaves_open() {
    let mut api = sim_fixtures::InProcess::new(answering(Answers::Varied)());
    let seen = |api: &mut dyn Api, path: &str, place: &str| -> BTreeSet<String> {
        let read = |_| api.get(path).json().pointer(place).map_or("absent".to_owned(), Value::to_string);
        (0..80).map(read).collect()
    };
    let texts = |all: &[&str]| -> BTreeSet<String> { all.iter().map(|one| (*one).to_owned()).collect() };
    // An enum is open, if it has more members than one.
    let status = seen(&mut api, "/v1/projects/{ref}", "/status");
    assert_eq!(status, texts(&["\"ACTIVE_HEALTHY\"", "\"unknown_to_the_edition\""]));
    let kind = seen(&mut api, "/v2/projects/{ref}/config", "/data/type");
    assert_eq!(kind, texts(&["\"project_config\""]));
    // A member that may be null, and a number that need not be whole.
    let timebox = seen(&mut api, "/v1/projects/{ref}/config/auth", "/sessions_timebox");
    assert_eq!(timebox, texts(&["0", "0.0", "null"]));
    let lifetime = seen(&mut api, "/v1/projects/{ref}/config/auth", "/jwt_exp");
    assert_eq!(lifetime, texts(&["3600", "null"]));
    api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" }));
    let created = seen(&mut api, "/v1/projects/{ref}/branches/dev", "/created_at");
    assert_eq!(created.len(), 5, "{created:?}");

    let policy = Policy {
        answers: Answers::Varied,
        edition: Edition::V2025_05,
        rate_limit: RateLimit::off(),
        ..Policy::default()
    };
    let mut api = sim_fixtures::InProcess::new(scenario::active_project_under(policy));
    let status = seen(&mut api, "/v1/projects/{ref}", "/status");
    assert_eq!(status, texts(&["\"ACTIVE_HEALTHY\""]), "the first edition lists all members");
}

#[test]
fn the_document_says_which_enums_are_open() {
    let document = |edition| {
        let policy = Policy { edition, ..Policy::default() };
        scenario::active_project_under(policy).sim.openapi()
    };
    let newest = document(Edition::V2026_11);
    let schemas = &newest["components"]["schemas"];
    let further = json!({ "type": "string", "description": "A value of a later edition." });
    let open = |name: &str, field: &str| schemas[name]["properties"][field]["anyOf"][1] == further;
    assert!(open("Project", "status") && open("ApiKey", "type"));
    // What requests may have too is closed there, and open in answers.
    assert!(schemas["Region"]["enum"].is_array());
    assert!(!open("WebhookSubscription", "type") && open("ShownWebhookSubscription", "type"));
    let first = document(Edition::V2025_05).to_string();
    assert!(!first.contains("A value of a later edition"));
}

#[test]
fn pages_rows_and_lists_of_texts_keep_their_order() {
    let mut api = sim_fixtures::InProcess::new(answering(Answers::Varied)());
    for _ in 0..20 {
        let rows = api.post(
            "/v1/projects/{ref}/database/query",
            json!({ "query": "select generate_series(1, 5) as n" }),
        );
        assert_eq!(rows.json(), json!([{ "n": 1 }, { "n": 2 }, { "n": 3 }, { "n": 4 }, { "n": 5 }]));
        let networks = json!({ "dbAllowedCidrs": ["10.0.0.0/8", "192.0.2.0/24", "198.51.100.0/24"] });
        let set = api.post("/v1/projects/{ref}/network-restrictions/apply", networks.clone());
        assert_eq!(set.json()["config"]["dbAllowedCidrs"], networks["dbAllowedCidrs"]);
        let projects = api.get("/v1/organizations/acme/projects?sort=name_asc&limit=10").json();
        let names =
            projects["projects"].as_array().expect("a page").iter().map(|one| one["name"].to_string());
        assert!(names.is_sorted());
    }
}

#[test]
fn a_list_is_done_in_part() {
    both(scenario::active_project, |api| {
        let three = json!([
            { "name": "A", "value": "1" }, { "name": "B", "value": "2" }, { "name": "C", "value": "3" },
        ]);
        let names = |api: &mut dyn Api| {
            let list = api.get(SECRETS).json();
            let names = list.as_array().expect("a list").iter().map(|one| one["name"].to_string());
            names.filter(|name| name.len() == 3).collect::<String>()
        };
        rule(api, SECRETS, json!({ "kind": "partial", "done": 2, "status": 500 }));
        let reply = api.post(SECRETS, three.clone());
        assert_eq!(reply.to_string(), r#"500 {"message":"Failed to create project's secrets"}"#);
        assert_eq!(names(api), r#""A""B""#);
        assert_eq!(api.post(SECRETS, three).status, 201);
        assert_eq!(names(api), r#""A""B""C""#);
        // The list may be a field.
        let bans = "/v1/projects/{ref}/network-bans";
        for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"] {
            api.post("/_sim/projects/{ref}/database/failed-logins", json!({ "address": address }));
        }
        rule(api, bans, json!({ "kind": "partial", "done": 1, "status": 409 }));
        let lifted = json!({ "ipv4_addresses": ["192.0.2.1", "192.0.2.2"] });
        assert_eq!(api.send(Call::delete(bans).json(lifted)).status, 409);
        let left = api.act("/v1/projects/{ref}/network-bans/retrieve");
        assert_eq!(left.json()["banned_ipv4_addresses"], json!(["192.0.2.2"]));
        // Nothing is done of a call that has no list.
        rule(api, "/v1/projects/{ref}/pause", json!({ "kind": "partial", "done": 2, "status": 409 }));
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 409);
        assert_eq!(api.get("/v1/projects/{ref}").json()["status"], "ACTIVE_HEALTHY");
        let wrong =
            json!({ "on": { "path": "*" }, "effect": { "kind": "partial", "done": 2, "status": 200 } });
        assert_eq!(api.post("/_sim/faults", wrong).reason(), "invalid_body.effect.status");
    });
}

#[test]
fn an_alteration_says_which_places_it_did_not_find() {
    both(scenario::active_project, |api| {
        let effect = json!({
            "kind": "alter", "set": { "/name": "x", "/new": 1, "/no/such": 1 }, "drop": ["/gone"],
            "rename": { "/id": "identifier" },
        });
        rule(api, "/v1/projects/{ref}", effect);
        let reply = api.get("/v1/projects/{ref}");
        assert_eq!(reply.header("x-sim-missed"), "/gone,/no/such");
        let call: u64 = reply.header("x-sim-call").parse().expect("a number");
        let explained = api::peek(api, |sim| sim.explain(call).expect("it is there").to_string());
        assert!(explained.contains("found nothing at /gone, /no/such, since call"), "{explained}");
    });
}

#[test]
fn a_struck_call_is_explained_by_its_rule_and_the_call_that_made_it() {
    both(scenario::active_project, |api| {
        let made = api.post(
            "/_sim/faults",
            json!({ "on": { "path": "/v1/organizations" }, "effect": { "kind": "garbage" } }),
        );
        let made: u64 = made.header("x-sim-call").parse().expect("a number");
        let struck: u64 = api.get("/v1/organizations").header("x-sim-call").parse().expect("a number");
        let explained = api::peek(api, |sim| sim.explain(struck).expect("it is there"));
        assert!(explained.because_of.iter().any(|call| call.call == made), "{explained}");
        let text = explained.to_string();
        let line = format!("  fault        applied\n    fault = rule 1: garbage, since call {made}\n");
        assert!(text.contains(&line), "{text}");
    });
}
