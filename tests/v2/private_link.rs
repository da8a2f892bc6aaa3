//! `/v2/projects/{ref}/private-link/associations`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Call, scenario};

use crate::steps::{Steps as _, refuse_strangers, under};
use crate::support::both;

const LINKS: &str = "/v2/projects/{ref}/private-link/associations";
const OF_ACCOUNT: &str = "/v2/projects/{ref}/private-link/associations/cloud_a-account/123456789012";

fn link(attributes: Value) -> Value {
    json!({ "data": { "type": "private_link_association", "attributes": attributes } })
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(LINKS), Role::ReadOnly),
        (Call::post(LINKS).json(link(json!({ "cloud_a_account_id": "123456789012" }))), Role::Administrator),
        (Call::new(Method::DELETE, OF_ACCOUNT), Role::Administrator),
    ]);
}

#[test]
fn an_account_is_let_in_and_out() {
    both(
        || under(|_| {}),
        |api| {
            let new = link(json!({ "cloud_a_account_id": "123456789012", "account_name": "ours" }));
            let refused = api.post(LINKS, new.clone());
            assert_eq!(refused.json()["error"]["code"], "project_privatelink_disabled");
            api.plan("team");
            let made = api.post(LINKS, new.clone());
            let shown = made.json()["data"]["attributes"].clone();
            assert_eq!(
                (made.status, &shown["status"], &shown["shared_at"]),
                (201, &json!("CREATING"), &Value::Null)
            );
            assert_eq!(
                (&shown["account_name"], &shown["database_type"]),
                (&json!("ours"), &json!("PRIMARY"))
            );
            assert_eq!(api.post(LINKS, new).reason(), "association_exists");
            api.after(60);
            assert_eq!(api.get(LINKS).json()["data"][0]["attributes"]["status"], "READY");
            let other = format!("{OF_ACCOUNT}/database/nobody-has-this");
            assert_eq!(api.delete(&other).reason(), "association_not_found");
            let own = format!("{OF_ACCOUNT}/database/{}", api.project());
            assert_eq!(api.delete(&own).to_string(), "204 ");
            assert_eq!(api.delete(OF_ACCOUNT).reason(), "association_not_found");
            assert_eq!(api.get(LINKS).json(), json!({ "data": [] }));
        },
    );
}

#[test]
fn wrong_fields_are_refused_by_name() {
    both(scenario::active_project, |api| {
        let short = api.post(LINKS, link(json!({ "cloud_a_account_id": "1234" })));
        assert_eq!(short.reason(), "invalid_body.data.attributes.cloud_a_account_id");
        let long = json!({ "cloud_a_account_id": "123456789012", "account_name": "x".repeat(129) });
        assert_eq!(api.post(LINKS, link(long)).reason(), "invalid_body.data.attributes.account_name");
    });
}
