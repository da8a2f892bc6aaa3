//! `/v1/projects/{ref}/read-replicas`, and the instance size that they need.

use serde_json::{Value, json};

use super::{Scene, active_project, refused, scene};
use sim_core::Policy;

const SETUP: &str = "/v1/projects/{ref}/read-replicas/setup";
const REMOVE: &str = "/v1/projects/{ref}/read-replicas/remove";
const REPLICAS: &str = "/_sim/projects/{ref}/read-replicas";

fn small_project() -> Scene {
    let mut scene = active_project();
    scene.resize("small");
    scene
}

fn replicas(scene: &mut Scene) -> Value {
    scene.get(REPLICAS).json()
}

fn frankfurt() -> Value {
    json!({ "read_replica_region": "eu-central-1" })
}

#[test]
fn a_replica_comes_up_in_120_seconds_and_goes_in_as_many() {
    let mut scene = small_project();
    let reply = scene.post(SETUP, frankfurt());
    assert_eq!((reply.status, &*reply.body), (201, "{}"));
    assert_eq!(replicas(&mut scene)[0]["status"], "COMING_UP");
    scene.after(120);
    let replica = replicas(&mut scene)[0].clone();
    assert_eq!(replica["status"], "ACTIVE_HEALTHY");
    let identifier = replica["database_identifier"].as_str().expect("a replica has an identifier");
    assert!(identifier.starts_with(&format!("{}-rr-eu-central-1-", scene.project)), "{identifier}");
    let reply = scene.post(REMOVE, json!({ "database_identifier": identifier }));
    assert_eq!((reply.status, &*reply.body), (201, "{}"));
    assert_eq!(replicas(&mut scene)[0]["status"], "GOING_DOWN");
    let again = scene.post(REMOVE, json!({ "database_identifier": identifier }));
    refused(&again, 400, "replica_going_down", "This read replica is being removed already.");
    scene.after(120);
    assert_eq!(replicas(&mut scene), json!([]));
}

#[test]
fn a_replica_can_fail_and_be_removed_then() {
    let mut scene = small_project();
    scene.next_fails("replica");
    scene.post(SETUP, frankfurt());
    scene.after(120);
    let replica = replicas(&mut scene)[0].clone();
    assert_eq!(replica["status"], "INIT_FAILED");
    let body = json!({ "database_identifier": replica["database_identifier"] });
    assert_eq!(scene.post(REMOVE, body).status, 201);
}

#[test]
fn a_replica_has_its_conditions() {
    let mut free = small_project();
    free.plan("free");
    let mut paused = small_project();
    paused.post("/v1/projects/{ref}/pause", json!({}));
    let mut logical = scene(Policy { physical_backups: false, ..Policy::default() });
    logical.resize("small");
    let mut twice = small_project();
    twice.post(SETUP, frankfurt());
    for (mut scene, status, reason, text) in [
        (free, 402, "plan_too_low", "Setting up a read replica requires a higher plan."),
        (
            paused,
            400,
            "project_not_active",
            "A read replica can only be set up for a healthy project, this one is PAUSING",
        ),
        (
            active_project(),
            400,
            "instance_too_small",
            "A read replica needs a project whose instance size is small or larger.",
        ),
        (
            logical,
            400,
            "no_physical_backups",
            "A read replica needs physical backups, which are not enabled for this project.",
        ),
        (twice, 400, "replica_exists", "The project has a read replica in eu-central-1 already."),
    ] {
        refused(&scene.post(SETUP, frankfurt()), status, reason, text);
    }
}

#[test]
fn wrong_bodies_and_unknown_replicas_are_refused() {
    let mut scene = small_project();
    assert_eq!(scene.post(SETUP, json!({})).reason, "invalid_body.read_replica_region");
    assert_eq!(
        scene.post(SETUP, json!({ "read_replica_region": "moon" })).reason,
        "invalid_body.read_replica_region"
    );
    assert_eq!(scene.post(REMOVE, json!({})).reason, "invalid_body.database_identifier");
    let reply = scene.post(REMOVE, json!({ "database_identifier": "x" }));
    refused(&reply, 404, "replica_not_found", "Replica not found");
    let primary = json!({ "database_identifier": scene.project });
    assert_eq!(scene.post(REMOVE, primary).reason, "primary_database");
}

#[test]
fn a_project_deleted_with_a_replica_coming_up_takes_it_along() {
    let mut scene = small_project();
    scene.post(SETUP, frankfurt());
    scene.delete("/v1/projects/{ref}");
    scene.after(300);
    assert_eq!(scene.get(REPLICAS).status, 404);
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let mut scene = small_project();
    scene.refusals("POST", SETUP, Some(frankfurt()), Some("token-of-developer"));
    let body = json!({ "database_identifier": "x" });
    scene.refusals("POST", REMOVE, Some(body), Some("token-of-developer"));
}

#[test]
fn resizing_takes_a_minute() {
    let mut scene = active_project();
    let path = "/_sim/projects/{ref}/instance-size";
    assert_eq!(scene.get(path).json(), json!({ "instance_size": "micro" }));
    scene.control("PUT", path, json!({ "instance_size": "2xlarge" }));
    assert_eq!(scene.status(), "RESIZING");
    scene.after(59);
    assert_eq!(scene.get(path).json(), json!({ "instance_size": "micro" }));
    scene.after(1);
    assert_eq!(scene.get(path).json(), json!({ "instance_size": "2xlarge" }));
    assert_eq!(scene.status(), "ACTIVE_HEALTHY");
}

#[test]
fn resizing_is_refused_to_the_same_size_on_the_free_plan_and_while_paused() {
    let mut scene = active_project();
    let path = "/_sim/projects/{ref}/instance-size";
    let resize =
        |scene: &mut Scene, size: &str| scene.send("PUT", path, "", Some(json!({ "instance_size": size })));
    refused(&resize(&mut scene, "micro"), 400, "same_size", "This project's instance is micro already.");
    scene.plan("free");
    let text = "An instance larger than nano requires a higher plan.";
    refused(&resize(&mut scene, "small"), 402, "plan_too_low", text);
    scene.plan("pro");
    scene.post("/v1/projects/{ref}/pause", json!({}));
    let text = "This project is not in an active state, it is PAUSING";
    refused(&resize(&mut scene, "small"), 400, "project_not_active", text);
}
