//! `/v2/projects/{ref}/compute`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refuse_strangers};
use crate::support::both;

const ALL: &str = "/v2/projects/{ref}/compute";
const ONE: &str = "/v2/projects/{ref}/compute/worker";

fn spec(instances: i64) -> Value {
    json!({ "exposure": "public", "instances": instances, "size": "small", "runtime": "node" })
}

fn deployment(attributes: Value) -> Value {
    json!({ "data": { "type": "project_compute_instance", "attributes": attributes } })
}

fn deploy(api: &mut dyn Api, attributes: Value) -> Reply {
    api.post(&format!("{ONE}/deploy"), deployment(attributes))
}

fn shown(api: &mut dyn Api) -> Value {
    api.get(ONE).json()["data"]["attributes"].take()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(ALL), Role::ReadOnly),
        (Call::get(ONE), Role::ReadOnly),
        (Call::post(&format!("{ONE}/uploads")), Role::Developer),
        (Call::post(&format!("{ONE}/deploy")).json(deployment(json!({ "spec": spec(1) }))), Role::Developer),
        (Call::new(Method::DELETE, ONE), Role::Developer),
    ]);
}

#[test]
fn a_program_is_deployed_built_scaled_and_deleted() {
    both(scenario::active_project, |api| {
        let upload = api.send(Call::post(&format!("{ONE}/uploads")));
        let id = upload.json()["data"]["id"].as_str().expect("it has one").to_owned();
        assert_eq!((upload.status, &upload.json()["data"]["attributes"]["method"]), (201, &json!("PUT")));
        let reply = deploy(api, json!({ "spec": spec(2), "context_upload_id": id }));
        let attributes = reply.json()["data"]["attributes"].clone();
        assert_eq!((reply.status, &reply.json()["data"]["id"]), (200, &json!("worker")));
        assert_eq!((&attributes["spec"], &attributes["build_state"]), (&spec(2), &json!("building")));
        assert_eq!(attributes["instances"], json!({ "declared": 2, "live": 0, "ready": 0, "stale": 0 }));
        assert_eq!(deploy(api, json!({ "spec": spec(1) })).reason(), "compute_build_in_progress");
        api.after(30);
        assert_eq!(shown(api)["build_state"], "active");
        assert_eq!(shown(api)["instances"]["live"], 2);
        assert!(shown(api)["image_version"].is_string());

        api.next_fails("deploy");
        assert_eq!(deploy(api, json!({ "spec": spec(3) })).status, 200);
        api.after(30);
        let failed = shown(api);
        assert_eq!(
            (&failed["build_state"], &failed["state_reason"]),
            (&json!("failed"), &json!("The build failed."))
        );
        assert_eq!(failed["instances"], json!({ "declared": 3, "live": 2, "ready": 2, "stale": 0 }));

        assert_eq!(api.delete(ONE).to_string(), "204 ");
        assert_eq!(shown(api)["deleting"], true);
        api.after(5);
        assert_eq!(api.get(ONE).reason(), "compute_instance_not_found");
        assert_eq!(api.get(ALL).json(), json!({ "data": [] }));
    });
}

#[test]
fn instances_are_stale_after_their_secrets_change() {
    both(scenario::active_project, |api| {
        let set = |api: &mut dyn Api, name: &str, value: &str| {
            api.post("/v1/projects/{ref}/secrets", json!([{ "name": name, "value": value }]));
        };
        set(api, "A", "1");
        let mut scoped = spec(2);
        scoped["secrets_scope"] = json!([{ "secret_name": "A" }]);
        deploy(api, json!({ "spec": scoped }));
        api.after(30);
        let first = shown(api)["secret_generation"].clone();
        set(api, "B", "1");
        assert_eq!(shown(api)["instances"]["stale"], 0, "it does not read this secret");
        set(api, "A", "2");
        assert_eq!(shown(api)["instances"]["stale"], 2);
        deploy(api, json!({ "spec": scoped }));
        assert_ne!(shown(api)["secret_generation"], first);
        api.after(30);
        assert_eq!(shown(api)["instances"]["stale"], 0);
        scoped["secrets_scope"] = json!([{ "secret_name": "A" }, { "secret_name": "C" }]);
        let refused = deploy(api, json!({ "spec": scoped }));
        assert_eq!(refused.reason(), "compute_request_rejected");
        let field = "data.attributes.spec.secrets_scope.1.secret_name";
        assert_eq!(refused.json()["error"]["issues"][0]["meta"]["field"], field);
    });
}

#[test]
fn deploys_that_can_not_be_are_refused_with_the_published_codes() {
    both(scenario::active_project, |api| {
        let code = |reply: Reply| reply.json()["error"]["code"].clone();
        assert_eq!(code(deploy(api, json!({ "spec": spec(-1) }))), "compute_request_rejected");
        assert_eq!(code(deploy(api, json!({ "spec": spec(21) }))), "compute_instance_limit_exceeded");
        let unknown = json!({ "spec": spec(1), "context_upload_id": "nobody-has-this" });
        assert_eq!(code(deploy(api, unknown)), "compute_request_rejected");
        let upload = api.send(Call::post("/v2/projects/{ref}/compute/other/uploads")).json();
        let of_another = json!({ "spec": spec(1), "context_upload_id": upload["data"]["id"] });
        assert_eq!(code(deploy(api, of_another)), "compute_request_rejected");
        assert_eq!(code(api.get(ONE)), "compute_instance_not_found");
        assert_eq!(code(api.delete(ONE)), "compute_instance_not_found");
        api.plan("free");
        assert_eq!(code(deploy(api, json!({ "spec": spec(1) }))), "compute_not_enabled");
    });
}
