//! `/v1/projects/{ref}/read-replicas`, and the instance size they require.

use http::Method;
use serde_json::{Value, json};
use sim_core::engine::PostgresVersion;
use sim_core::management::catalog::InstanceSize;
use sim_core::management::resize::ResizeProject;
use sim_core::{Profile, Role, Simulator};
use sim_fixtures::{Api, Call, Scene, scenario};

use crate::steps::{Prepare, Steps as _, refuse_strangers, refused, under};
use crate::support::{Begin, on_both_engines, seconds};

const SETUP: &str = "/v1/projects/{ref}/read-replicas/setup";
const REMOVE: &str = "/v1/projects/{ref}/read-replicas/remove";
const REPLICAS: &str = "/_sim/projects/{ref}/read-replicas";

fn small_project() -> Scene {
    let mut scene = scenario::active_project();
    let r#ref = scene.project.clone();
    let resize = ResizeProject { r#ref, instance_size: InstanceSize::Small };
    scene.sim.as_admin().call(resize).expect("the project can be resized");
    scene.sim.advance(seconds(60));
    scene
}

fn replicas(api: &mut dyn Api) -> Value {
    api.get(REPLICAS).json()
}

fn frankfurt() -> Value {
    json!({ "read_replica_region": "eu-central-1" })
}

#[test]
fn a_replica_is_created_and_removed_in_120_seconds_each() {
    on_both_engines(small_project, |api| {
        let reply = api.post(SETUP, frankfurt());
        assert_eq!(reply.to_string(), "201 {}");
        assert_eq!(replicas(api)[0]["status"], "COMING_UP");
        api.after(120);
        let replica = replicas(api)[0].clone();
        assert_eq!(replica["status"], "ACTIVE_HEALTHY");
        let identifier = replica["database_identifier"].as_str().expect("a replica has an identifier");
        assert!(identifier.starts_with(&format!("{}-rr-eu-central-1-", api.project())), "{identifier}");
        let reply = api.post(REMOVE, json!({ "database_identifier": identifier }));
        assert_eq!(reply.to_string(), "201 {}");
        assert_eq!(replicas(api)[0]["status"], "GOING_DOWN");
        let again = api.post(REMOVE, json!({ "database_identifier": identifier }));
        refused(&again, 400, "replica_going_down", "This read replica is being removed already.");
        api.after(120);
        assert_eq!(replicas(api), json!([]));
    });
}

#[test]
fn a_replica_can_fail_and_be_removed_then() {
    on_both_engines(small_project, |api| {
        api.next_fails("replica");
        api.post(SETUP, frankfurt());
        api.after(120);
        let replica = replicas(api)[0].clone();
        assert_eq!(replica["status"], "INIT_FAILED");
        let body = json!({ "database_identifier": replica["database_identifier"] });
        assert_eq!(api.post(REMOVE, body).status, 201);
    });
}

#[test]
fn a_replica_has_its_conditions() {
    let logical: Begin = || under(|policy| policy.physical_backups = false);
    let rows: [(Begin, Prepare, u16, &str, &str); 5] = [
        (
            small_project,
            |api| api.plan("free"),
            402,
            "plan_too_low",
            "Setting up a read replica requires a higher plan.",
        ),
        (
            small_project,
            |api| drop(api.act("/v1/projects/{ref}/pause")),
            400,
            "project_not_active",
            "A read replica can only be set up for a healthy project, this one is PAUSING",
        ),
        (
            scenario::active_project,
            |_| {},
            400,
            "instance_too_small",
            "A read replica needs a project whose instance size is small or larger.",
        ),
        (
            logical,
            |api| api.resize("small"),
            400,
            "no_physical_backups",
            "A read replica needs physical backups, which are not enabled for this project.",
        ),
        (
            small_project,
            |api| drop(api.post(SETUP, frankfurt())),
            400,
            "replica_exists",
            "The project has a read replica in eu-central-1 already.",
        ),
    ];
    for (begin, prepare, status, reason, text) in rows {
        on_both_engines(begin, |api| {
            prepare(api);
            refused(&api.post(SETUP, frankfurt()), status, reason, text);
        });
    }
}

#[test]
fn wrong_bodies_and_unknown_replicas_are_refused() {
    on_both_engines(small_project, |api| {
        assert_eq!(api.post(SETUP, json!({})).reason(), "invalid_body.read_replica_region");
        assert_eq!(
            api.post(SETUP, json!({ "read_replica_region": "moon" })).reason(),
            "invalid_body.read_replica_region"
        );
        assert_eq!(api.post(REMOVE, json!({})).reason(), "invalid_body.database_identifier");
        let reply = api.post(REMOVE, json!({ "database_identifier": "x" }));
        refused(&reply, 404, "replica_not_found", "Replica not found");
        let primary = json!({ "database_identifier": api.project() });
        assert_eq!(api.post(REMOVE, primary).reason(), "primary_database");
    });
}

#[test]
fn a_project_deleted_with_a_replica_coming_up_takes_it_along() {
    on_both_engines(small_project, |api| {
        api.post(SETUP, frankfurt());
        api.delete("/v1/projects/{ref}");
        api.after(300);
        assert_eq!(api.get(REPLICAS).status, 404);
    });
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(SETUP).json(frankfurt()), Role::Administrator),
        (Call::post(REMOVE).json(json!({ "database_identifier": "x" })), Role::Administrator),
    ]);
}

#[test]
fn resizing_takes_a_minute() {
    on_both_engines(scenario::active_project, |api| {
        let path = "/_sim/projects/{ref}/instance-size";
        assert_eq!(api.get(path).json(), json!({ "instance_size": "micro" }));
        api.control(Method::PUT, path, json!({ "instance_size": "2xlarge" }));
        assert_eq!(api.status(), "RESIZING");
        api.after(59);
        assert_eq!(api.get(path).json(), json!({ "instance_size": "micro" }));
        api.after(1);
        assert_eq!(api.get(path).json(), json!({ "instance_size": "2xlarge" }));
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
    });
}

#[test]
fn resizing_is_refused_to_the_same_size_on_the_free_plan_and_while_paused() {
    on_both_engines(scenario::active_project, |api| {
        let path = "/_sim/projects/{ref}/instance-size";
        let resize = |api: &mut dyn Api, size: &str| api.put(path, json!({ "instance_size": size }));
        refused(&resize(api, "micro"), 400, "same_size", "This project's instance is micro already.");
        api.plan("free");
        let text = "An instance larger than nano requires a higher plan.";
        refused(&resize(api, "small"), 402, "plan_too_low", text);
        api.plan("pro");
        api.post("/v1/projects/{ref}/pause", json!({}));
        let text = "This project is not in an active state, it is PAUSING";
        refused(&resize(api, "small"), 400, "project_not_active", text);
    });
}

#[test]
fn an_engine_before_15_has_no_replicas() {
    let scene = || {
        let [version, engine, release_channel] = ["14.9.0.001", "14", "ga"].map(str::to_owned);
        let postgres_versions = vec![PostgresVersion { version, engine, release_channel }];
        let profile = Profile { postgres_versions, ..Profile::default() };
        let world = scenario::cast("pro");
        scenario::project_in(Simulator::builder().seed(scenario::SEED).world(world).profile(profile).build())
    };
    on_both_engines(scene, |api| {
        api.resize("small");
        let text = "A read replica needs Postgres 15 or newer.";
        refused(&api.post(SETUP, frankfurt()), 400, "engine_too_old", text);
    });
}
