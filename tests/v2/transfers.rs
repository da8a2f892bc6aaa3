//! `/v2/projects/{ref}/transfers`.

use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{refuse_strangers, refused};
use crate::support::both;

const TRANSFERS: &str = "/v2/projects/{ref}/transfers";
const PREVIEWS: &str = "/v2/projects/{ref}/transfers/previews";

fn to(slug: &str) -> Value {
    json!({ "data": { "type": "project_transfer_input", "attributes": { "target_organization_slug": slug } } })
}

/// Another organization of the owner.
fn another(api: &mut dyn Api) -> String {
    let made = api.post("/v1/organizations", json!({ "name": "Umbrella" })).json();
    made["slug"].as_str().expect("it has a slug").to_owned()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(PREVIEWS).json(to("acme")), Role::Owner),
        (Call::post(TRANSFERS).json(to("acme")), Role::Owner),
    ]);
}

#[test]
fn a_project_moves_to_another_organization_of_its_owner() {
    both(scenario::active_project, |api| {
        let other = another(api);
        let preview = api.post(PREVIEWS, to(&other)).json()["data"]["attributes"].clone();
        assert_eq!((&preview["valid"], &preview["errors"]), (&json!(true), &json!([])));
        assert_eq!(preview["warnings"][0]["key"], "plan_lower");
        assert_eq!(api.post(TRANSFERS, to(&other)).to_string(), "204 ");
        assert_eq!(api.get("/v1/projects/{ref}").json()["organization_id"], json!(other));
        refused(
            &api.post(TRANSFERS, to(&other)),
            400,
            "own_project",
            "The project is in this organization already.",
        );
    });
}

#[test]
fn the_caller_must_administer_the_other_organization_too() {
    both(scenario::active_project, |api| {
        assert_eq!(api.post(TRANSFERS, to("nobody-knows")).reason(), "organization_not_found");
        let theirs = api.send(
            Call::post("/v1/organizations").token("token-of-outsider").json(json!({ "name": "Theirs" })),
        );
        let theirs = theirs.json()["slug"].as_str().expect("it has a slug").to_owned();
        assert_eq!(api.post(TRANSFERS, to(&theirs)).reason(), "not_a_member");
        let wrong = json!({ "data": { "type": "project_transfer_input", "attributes": {} } });
        let reply = api.post(TRANSFERS, wrong);
        assert_eq!(reply.reason(), "invalid_body.data.attributes.target_organization_slug");
    });
}
