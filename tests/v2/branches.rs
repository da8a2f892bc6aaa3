//! `/v2/projects/{ref}/branches`.

use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Call, scenario};

use crate::steps::{Steps as _, refuse_strangers};
use crate::support::both;

const BRANCHES: &str = "/v2/projects/{ref}/branches";

fn branch(attributes: Value) -> Value {
    json!({ "data": { "type": "branch", "attributes": attributes } })
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::post(BRANCHES).json(branch(json!({ "name": "dev" }))), Role::Developer)]);
}

#[test]
fn a_branch_is_that_of_the_first_version() {
    both(scenario::active_project, |api| {
        let wanted = json!({
            "name": "dev",
            "git_branch": "feature",
            "persistent": true,
            "region": "eu-west-1",
            "notify_url": "https://hooks.example/branch",
            "desired_instance_size": "small",
            "desired_disk_size_gb": 20,
        });
        let reply = api.post(BRANCHES, branch(wanted));
        assert_eq!(reply.status, 201, "{reply}");
        let made = reply.json()["data"].take();
        let shown = &made["attributes"];
        assert_eq!((&shown["name"], &shown["git_branch"]), (&json!("dev"), &json!("feature")));
        assert_eq!((&shown["persistent"], &shown["is_default"]), (&json!(true), &json!(false)));
        let first = api.get("/v1/projects/{ref}/branches/dev").json();
        assert_eq!((&first["id"], &first["project_ref"]), (&made["id"], &shown["project_ref"]));
        assert_eq!(first["notify_url"], "https://hooks.example/branch");
        api.after(60);
        let own = shown["project_ref"].as_str().expect("a reference");
        let disk = api.get(&format!("/v1/projects/{own}/config/disk")).json();
        assert_eq!(disk["attributes"]["size_gb"], 20);
        assert_eq!(api.get(&format!("/v1/projects/{own}/health?services=db")).status, 200);
    });
}

#[test]
fn refusals_are_those_of_the_first_version_in_the_shape_of_the_second() {
    both(scenario::active_project, |api| {
        let wrong = api.post(BRANCHES, branch(json!({ "name": "dev", "region": "moon-1" })));
        assert_eq!(wrong.reason(), "invalid_body.data.attributes.region");
        assert_eq!(wrong.json()["error"]["issues"][0]["meta"]["field"], "data.attributes.region");
        for size in [7, 61_441] {
            let reply = api.post(BRANCHES, branch(json!({ "name": "dev", "desired_disk_size_gb": size })));
            assert_eq!(reply.reason(), "invalid_body.data.attributes.desired_disk_size_gb");
        }
        assert_eq!(api.post(BRANCHES, branch(json!({ "name": "dev" }))).status, 201);
        let again = api.post(BRANCHES, branch(json!({ "name": "dev" })));
        assert_eq!((again.status, again.reason()), (422, "branch_exists"));
        api.plan("free");
        assert_eq!(api.post(BRANCHES, branch(json!({ "name": "x" }))).status, 402);
    });
}
