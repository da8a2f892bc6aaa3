//! `/v1/projects/{ref}/postgrest`, `/config/storage` and `/pgsodium`: REST layer, storage, encryption.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Edition;
use sim_core::management::organization::{Plan, SetPlan};
use sim_core::management::root_key::{ReadVaultValue, WriteVaultValue};
use sim_fixtures::{Api, Call, Reply, Scene, api::peek, scenario};

use crate::steps::under;
use crate::support::both;

const REST: &str = "/v1/projects/{ref}/postgrest";
const STORAGE: &str = "/v1/projects/{ref}/config/storage";
const ROOT_KEY: &str = "/v1/projects/{ref}/pgsodium";

fn first_edition() -> Scene {
    under(|policy| policy.edition = Edition::V2025_05)
}

/// A project on a paid plan in a world of the newest edition.
fn newest() -> Scene {
    under(|policy| policy.edition = Edition::TODAY)
}

fn refusal(reply: &Reply) -> String {
    format!("{} {} {}", reply.status, reply.reason(), reply.json()["message"].as_str().unwrap_or_default())
}

#[test]
fn the_rest_layer_shows_its_secret_on_get_only() {
    both(first_edition, |api| {
        let mut config = api.get(REST).json();
        let secret = config.as_object_mut().expect("an object").remove("jwt_secret");
        assert_eq!(secret.expect("a secret").as_str().map(str::len), Some(88), "64 bytes in base64");
        let new = json!({ "db_schema": "public,graphql_public", "max_rows": 1000, "db_extra_search_path": "public, extensions", "db_pool": null });
        assert_eq!(config, new);
        assert_eq!(api.patch(REST, json!({})).json(), new);
        api.look(&mut |sim| {
            let call = sim
                .journal()
                .into_iter()
                .find(|call| call.operation.as_deref() == Some("v1-get-postgrest-service-config"));
            assert!(call.expect("it was called").response.contains(r#""jwt_secret":"•••""#));
        });
    });
}

#[test]
fn the_rest_layer_keeps_fields_that_an_update_lacks() {
    both(first_edition, |api| {
        let body = json!({ "db_schema": "api", "max_rows": 0, "db_extra_search_path": "", "db_pool": 1000 });
        assert_eq!(api.patch(REST, body.clone()).json(), body);
        assert_eq!(api.patch(REST, json!({ "max_rows": 1_000_000 })).json()["db_pool"], 1000);
        assert_eq!(api.patch(REST, json!({ "db_pool": null })).json()["db_pool"], Value::Null);
        let config = api.get(REST).json();
        assert_eq!(
            (&config["db_schema"], &config["max_rows"], &config["db_pool"]),
            (&json!("api"), &json!(1_000_000), &Value::Null)
        );
    });
}

#[test]
fn the_rest_layer_has_bounds() {
    let rows = [
        ("max_rows", json!(1_000_001), "Number must be less than or equal to 1000000"),
        ("max_rows", json!(-1), "Number must be greater than or equal to 0"),
        ("max_rows", json!(null), "Expected integer, received null"),
        ("db_pool", json!(1001), "Number must be less than or equal to 1000"),
        ("db_pool", json!("1"), "Expected integer, received string"),
        ("db_schema", json!(1), "Expected string, received number"),
    ];
    both(scenario::active_project, |api| {
        for (name, value, text) in &rows {
            let reply = api.patch(REST, json!({ *name: value }));
            assert_eq!(refusal(&reply), format!("400 invalid_body.{name} {name}: {text}"));
        }
    });
}

#[test]
fn storage_transforms_images_on_paid_plans_unless_told_otherwise() {
    both(first_edition, |api| {
        assert_snapshot!(api.get(STORAGE), @r#"200 {"fileSizeLimit":52428800,"features":{"imageTransformation":{"enabled":true},"s3Protocol":{"enabled":true}}}"#);
        let free = |plan| SetPlan::new("acme", plan);
        api.look(&mut |sim| drop(sim.as_admin().call(free(Plan::Free)).expect("plans can be set")));
        assert_eq!(api.get(STORAGE).json()["features"]["imageTransformation"]["enabled"], false);
        let features =
            json!({ "imageTransformation": { "enabled": true }, "s3Protocol": { "enabled": false } });
        assert_snapshot!(api.patch(STORAGE, json!({ "features": features })), @"200 {}");
        assert_eq!(api.get(STORAGE).json(), json!({ "fileSizeLimit": 52_428_800, "features": features }));
    });
}

#[test]
fn storage_keeps_fields_that_an_update_lacks() {
    both(first_edition, |api| {
        let features =
            json!({ "imageTransformation": { "enabled": false }, "s3Protocol": { "enabled": false } });
        api.patch(STORAGE, json!({ "features": features }));
        assert_snapshot!(api.patch(STORAGE, json!({ "fileSizeLimit": 53_687_091_200_i64 })), @"200 {}");
        assert_eq!(
            api.get(STORAGE).json(),
            json!({ "fileSizeLimit": 53_687_091_200_i64, "features": features })
        );
        api.patch(STORAGE, json!({}));
        assert_eq!(api.get(STORAGE).json()["fileSizeLimit"], json!(53_687_091_200_i64));
    });
}

#[test]
fn a_feature_of_storage_changes_alone() {
    both(newest, |api| {
        let before = api.get(STORAGE).json();
        let vectors = json!({ "enabled": true, "maxBuckets": 3, "maxIndexes": 4 });
        let change =
            json!({ "features": { "vectorBuckets": vectors }, "external": { "upstreamTarget": "canary" } });
        assert_eq!(api.patch(STORAGE, change).status, 200);
        let after = api.get(STORAGE).json();
        assert_eq!(
            (&after["features"]["vectorBuckets"], &after["external"]["upstreamTarget"]),
            (&vectors, &json!("canary"))
        );
        assert_eq!(after["features"]["imageTransformation"], before["features"]["imageTransformation"]);
        assert_eq!(after["capabilities"], before["capabilities"]);
        assert_eq!(after["migrationVersion"], Value::Null);
        assert_eq!(api.patch(STORAGE, json!({ "fileSizeLimit": 536_870_912_000_i64 })).status, 200);
        let reply = api.patch(STORAGE, json!({ "features": { "purgeCache": {} } }));
        assert_eq!(
            refusal(&reply),
            "400 invalid_body.features.purgeCache.enabled features.purgeCache.enabled: Required"
        );
    });
}

#[test]
fn the_rest_layer_has_timeouts_of_its_pool() {
    both(newest, |api| {
        let timeouts = ["db_pool_acquisition_timeout", "db_pool_max_idletime", "db_pool_max_lifetime"];
        let config = api.get(REST).json();
        assert!(timeouts.iter().all(|name| config[name].is_null() && config.get(*name).is_some()));
        for (name, (most, beyond)) in timeouts.into_iter().zip([(60, 61), (60, 61), (3600, 3601)]) {
            assert_eq!(api.patch(REST, json!({ name: most })).json()[name], most);
            assert_eq!(api.patch(REST, json!({ name: beyond })).reason(), format!("invalid_body.{name}"));
        }
        assert_eq!(api.get(REST).json()["db_pool_max_lifetime"], 3600);
    });
}

#[test]
fn storage_has_bounds() {
    let on = json!({ "enabled": true });
    let rows = [
        (
            json!({ "fileSizeLimit": 53_687_091_201_i64 }),
            "fileSizeLimit",
            "Number must be less than or equal to 53687091200",
        ),
        (json!({ "fileSizeLimit": -1 }), "fileSizeLimit", "Number must be greater than or equal to 0"),
        (json!({ "features": { "imageTransformation": on } }), "features.s3Protocol", "Required"),
        (json!({ "features": { "s3Protocol": on } }), "features.imageTransformation", "Required"),
        (
            json!({ "features": { "imageTransformation": {}, "s3Protocol": on } }),
            "features.imageTransformation.enabled",
            "Required",
        ),
    ];
    both(first_edition, |api| {
        let before = api.get(STORAGE).json();
        for (body, name, text) in &rows {
            let reply = api.patch(STORAGE, body.clone());
            assert_eq!(refusal(&reply), format!("400 invalid_body.{name} {name}: {text}"));
        }
        assert_eq!(api.get(STORAGE).json(), before);
    });
}

#[test]
fn a_root_key_is_64_hex_digits() {
    both(scenario::active_project, |api| {
        let first = api.get(ROOT_KEY).json()["root_key"].as_str().expect("a key").to_owned();
        assert!(first.len() == 64 && first.chars().all(|c| c.is_ascii_hexdigit()), "{first}");
        let text = "400 invalid_body.root_key Expected a 32 byte secret, hex-encoded (64 characters).";
        for key in [json!("a".repeat(63)), json!("a".repeat(65)), json!("g".repeat(64)), json!(""), json!(1)]
        {
            assert_eq!(refusal(&api.put(ROOT_KEY, json!({ "root_key": key }))), text, "{key}");
        }
        assert_eq!(refusal(&api.put(ROOT_KEY, json!({}))), "400 invalid_body.root_key root_key: Required");
        assert_eq!(api.get(ROOT_KEY).json()["root_key"], json!(first));
        let body = json!({ "root_key": "0123456789abcdef".repeat(4) });
        assert_eq!(api.put(ROOT_KEY, body.clone()).json(), body);
        assert_eq!(api.get(ROOT_KEY).json(), body);
    });
}

#[test]
fn under_another_root_key_old_values_are_unreadable_until_it_is_back() {
    both(scenario::active_project, |api| {
        let project = api.project();
        let read = |api: &mut dyn Api| {
            let read = || ReadVaultValue { r#ref: project.as_str().into(), name: "card".to_owned() };
            peek(api, |sim| sim.as_admin().call(read()).map(|found| found.value.0))
        };
        assert_eq!(read(api).expect_err("nothing is there").reason, "vault_value_not_found");
        let value = "4242 4242 4242 4242, and enough of it to fill more than one block";
        let write = || WriteVaultValue {
            r#ref: project.as_str().into(),
            name: "card".to_owned(),
            value: value.into(),
        };
        peek(api, |sim| sim.as_admin().call(write())).expect("values can be written");
        assert_eq!(read(api).as_deref(), Ok(value));

        let first = api.get(ROOT_KEY).json();
        api.put(ROOT_KEY, json!({ "root_key": "ab".repeat(32) }));
        let refused = read(api).expect_err("the key is another");
        assert_eq!(refused.reason, "vault_value_unreadable");
        assert!(refused.message.ends_with("invalid ciphertext"), "{refused}");

        api.put(ROOT_KEY, first);
        assert_eq!(read(api).as_deref(), Ok(value));
    });
}

#[test]
fn reading_is_for_members_and_changing_for_administrators() {
    both(scenario::active_project, |api| {
        for path in [REST, STORAGE, ROOT_KEY] {
            let reader = if path == ROOT_KEY { 403 } else { 200 };
            assert_eq!(api.send(Call::get(path).token("token-of-reader")).status, reader, "{path}");
            assert_eq!(api.send(Call::get(path).token("token-of-outsider")).status, 403, "{path}");
            assert_eq!(api.send(Call::get(path).nobody()).status, 401, "{path}");
        }
        let patch = |path| Call::new(http::Method::PATCH, path).json(json!({}));
        let key = Call::put(ROOT_KEY).json(json!({ "root_key": "ab".repeat(32) }));
        for change in [patch(REST), patch(STORAGE), key] {
            assert_eq!(api.send(change.clone().token("token-of-developer")).status, 403, "{change}");
        }
    });
    both(scenario::four_roles, |api| {
        for path in [REST, STORAGE, ROOT_KEY] {
            assert_eq!(refusal(&api.get(path)), "404 project_not_found Project not found", "{path}");
        }
    });
}
