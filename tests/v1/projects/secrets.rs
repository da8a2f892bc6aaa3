//! `/v1/projects/{ref}/secrets`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::support::{both, seconds};

const PATH: &str = "/v1/projects/{ref}/secrets";

fn list(api: &mut dyn Api) -> Vec<String> {
    let names = api.get(PATH).json();
    names
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn secrets_are_listed_by_name_as_digests_of_their_values() {
    both(scenario::active_project, |api| {
        let body = json!([{ "name": "B", "value": "two" }, { "name": "A", "value": "one" }]);
        assert_snapshot!(api.post(PATH, body), @"201 {}");
        assert_snapshot!(api.get(PATH), @r#"200 [{"name":"A","value":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed","updated_at":"2026-01-01T00:01:00Z"},{"name":"B","value":"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3","updated_at":"2026-01-01T00:01:00Z"}]"#);
    });
}

#[test]
fn a_secret_set_again_has_its_new_value_and_time() {
    both(scenario::active_project, |api| {
        api.post(PATH, json!([{ "name": "A", "value": "one" }]));
        api.advance(seconds(1));
        api.post(PATH, json!([{ "name": "A", "value": "two" }, { "name": "A", "value": "three" }]));
        assert_snapshot!(api.get(PATH), @r#"200 [{"name":"A","value":"8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f","updated_at":"2026-01-01T00:01:01Z"}]"#);
    });
}

#[test]
fn deleted_secrets_are_gone_and_unknown_names_passed_over() {
    both(scenario::active_project, |api| {
        api.post(PATH, json!([{ "name": "A", "value": "one" }, { "name": "B", "value": "two" }]));
        let delete = Call::delete(PATH).json(json!(["A", "Z"]));
        assert_snapshot!(api.send(delete), @"200 {}");
        assert_eq!(list(api), ["B"]);
    });
}

#[test]
fn a_paused_project_keeps_its_secrets() {
    both(scenario::paused_project, |api| {
        assert_eq!(api.post(PATH, json!([{ "name": "A", "value": "one" }])).status, 201);
        assert_eq!(list(api), ["A"]);
    });
}

#[test]
fn secrets_have_bounds() {
    let rows: &[(Value, &str, &str)] = &[
        (
            json!([{ "name": "PLATFORM_KEY", "value": "x" }]),
            "invalid_body.secrets.0.name",
            "Secret name must not start with the PLATFORM_ prefix.",
        ),
        (
            json!([{ "name": "A", "value": "x" }, { "name": "", "value": "x" }]),
            "invalid_body.secrets.1.name",
            "secrets.1.name: String must contain at least 1 character(s)",
        ),
        (
            json!([{ "name": "x".repeat(257), "value": "x" }]),
            "invalid_body.secrets.0.name",
            "secrets.0.name: String must contain at most 256 character(s)",
        ),
        (
            json!([{ "name": "A", "value": "x".repeat(24_577) }]),
            "invalid_body.secrets.0.value",
            "secrets.0.value: String must contain at most 24576 character(s)",
        ),
        (json!([{ "name": "A" }]), "invalid_body.secrets.0.value", "secrets.0.value: Required"),
        (
            json!([{ "name": "A", "value": 7 }]),
            "invalid_body.secrets.0.value",
            "secrets.0.value: Expected string, received number",
        ),
        (
            json!({ "name": "A", "value": "x" }),
            "invalid_body.secrets",
            "secrets: Expected array, received object",
        ),
    ];
    both(scenario::active_project, |api| {
        for (body, reason, message) in rows {
            let reply = api.post(PATH, body.clone());
            let found =
                (reply.status, reply.reason(), reply.json()["message"].as_str().unwrap_or("").to_owned());
            assert_eq!(found, (400, *reason, (*message).to_owned()), "{body}");
        }
        let at_the_limit = json!([
            { "name": "x".repeat(256), "value": "x".repeat(24_576) },
            { "name": "platform_key", "value": "" },
        ]);
        assert_eq!(api.post(PATH, at_the_limit).status, 201);
        assert_eq!(list(api).len(), 2);
    });
}

#[test]
fn a_project_has_100_secrets_at_most() {
    let secrets = |count: usize| {
        (0..count).map(|i| json!({ "name": format!("S{i}"), "value": "x" })).collect::<Value>()
    };
    both(scenario::active_project, |api| {
        let reply = api.post(PATH, secrets(101));
        assert_snapshot!(reply, @r#"400 {"message":"A project can have at most 100 secrets, these would make it 101."}"#);
        assert_eq!(reply.reason(), "too_many_secrets");
        assert!(list(api).is_empty());
        assert_eq!(api.post(PATH, secrets(100)).status, 201);
        assert_eq!(api.post(PATH, secrets(100)).status, 201, "setting them again adds none");
        assert_eq!(api.post(PATH, json!([{ "name": "more", "value": "x" }])).status, 400);
    });
}

#[test]
fn names_to_delete_are_an_array_of_strings() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.send(Call::delete(PATH)), @r#"400 {"message":"names: Required, as the JSON body itself"}"#);
        assert_snapshot!(api.send(Call::delete(PATH).json(json!([7]))), @r#"400 {"message":"names.0: Expected string, received number"}"#);
    });
}
