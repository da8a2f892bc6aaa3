//! `/v2/projects/{ref}/analytics/log-drains`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Call, scenario};

use crate::steps::refuse_strangers;
use crate::support::both;

const DRAINS: &str = "/v2/projects/{ref}/analytics/log-drains";
const NONE: &str = "/v2/projects/{ref}/analytics/log-drains/00000000-0000-4000-8000-000000000000";

fn drain(attributes: Value) -> Value {
    json!({ "data": { "type": "log_drain", "attributes": attributes } })
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let good = || drain(json!({ "name": "a", "backend_type": "s3", "config": {} }));
    refuse_strangers(&[
        (Call::get(DRAINS), Role::ReadOnly),
        (Call::post(DRAINS).json(good()), Role::Administrator),
        (Call::put(NONE).json(good()), Role::Administrator),
        (Call::new(Method::DELETE, NONE), Role::Administrator),
    ]);
}

#[test]
fn a_drain_is_made_changed_and_deleted() {
    both(scenario::active_project, |api| {
        let config = json!({ "url": "https://logs.example", "gzip": true, "headers": { "x-key": "k" } });
        let first = json!({ "name": "archive", "backend_type": "webhook", "config": config });
        let made = api.post(DRAINS, drain(first.clone()));
        assert_eq!((made.status, &made.json()["data"]["attributes"]), (201, &first));
        let path = format!("{DRAINS}/{}", made.json()["data"]["id"].as_str().expect("it has one"));
        let changed = api.send(Call::put(&path).json(drain(json!({
            "backend_type": "s3", "description": "for audits", "config": { "s3_bucket": "logs" },
        }))));
        let expected = json!({
            "name": "archive", "description": "for audits", "backend_type": "s3", "config": { "s3_bucket": "logs" },
        });
        assert_eq!(changed.json()["data"]["attributes"], expected);
        assert_eq!(api.get(DRAINS).json()["data"][0]["attributes"], expected);
        assert_eq!(api.delete(&path).to_string(), "204 ");
        assert_eq!(api.get(DRAINS).json(), json!({ "data": [] }));
        assert_eq!(api.delete(&path).reason(), "log_drain_not_found");
    });
}

#[test]
fn wrong_fields_are_refused_by_name() {
    both(scenario::active_project, |api| {
        for (field, value) in [
            ("backend_type", json!("tape")),
            ("name", json!(7)),
            ("config.port", json!(65_536)),
            ("config.http", json!("http3")),
        ] {
            let mut attributes = json!({ "name": "a", "backend_type": "s3", "config": {} });
            match field.split_once('.') {
                Some((outer, inner)) => attributes[outer][inner] = value,
                None => attributes[field] = value,
            }
            let reply = api.post(DRAINS, drain(attributes));
            assert_eq!(reply.reason(), format!("invalid_body.data.attributes.{field}"));
            assert_eq!(reply.json()["error"]["issues"][0]["code"], "validation_failed");
        }
    });
}

#[test]
fn a_webhook_has_an_address() {
    both(scenario::active_project, |api| {
        let attributes = json!({ "name": "a", "backend_type": "webhook", "config": { "gzip": true } });
        let body = json!({ "data": { "type": "log_drain", "attributes": attributes } });
        let reply = api.post("/v2/projects/{ref}/analytics/log-drains", body);
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.data.attributes.config.url"));
    });
}

#[test]
fn a_webhooks_address_is_one_and_another_kind_needs_settings_of_its_own() {
    both(scenario::active_project, |api| {
        for url in ["nope", "ftp://logs.example", "https://"] {
            let attributes = json!({ "name": "a", "backend_type": "webhook", "config": { "url": url } });
            assert_eq!(
                api.post(DRAINS, drain(attributes)).reason(),
                "invalid_body.data.attributes.config.url"
            );
        }
        let config = json!({ "url": "https://logs.example" });
        let made =
            api.post(DRAINS, drain(json!({ "name": "a", "backend_type": "webhook", "config": config })));
        let path = format!("{DRAINS}/{}", made.json()["data"]["id"].as_str().expect("it has one"));
        let changed = api.send(Call::put(&path).json(drain(json!({ "backend_type": "postgres" }))));
        assert_eq!((changed.status, changed.reason()), (400, "invalid_body.data.attributes.config"));
        let renamed =
            api.send(Call::put(&path).json(drain(json!({ "backend_type": "webhook", "name": "b" }))));
        assert_eq!(renamed.json()["data"]["attributes"]["config"], config);
    });
}
