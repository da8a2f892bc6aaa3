//! `/v1/projects/{ref}/billing/addons`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const ADDONS: &str = "/v1/projects/{ref}/billing/addons";

fn apply(api: &mut dyn Api, kind: &str, variant: &str) -> Reply {
    api.patch(ADDONS, json!({ "addon_type": kind, "addon_variant": variant }))
}

fn selected(api: &mut dyn Api) -> Vec<Value> {
    let all = api.get(ADDONS).json()["selected_addons"].as_array().expect("a list").clone();
    all.iter().map(|one| one["variant"]["id"].clone()).collect()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(ADDONS), Role::ReadOnly),
        (
            Call::new(Method::PATCH, ADDONS)
                .json(json!({ "addon_type": "ipv4", "addon_variant": "ipv4_default" })),
            Role::Administrator,
        ),
        (Call::delete("/v1/projects/{ref}/billing/addons/ipv4_default"), Role::Administrator),
    ]);
}

#[test]
fn a_machine_of_another_size_is_an_addon() {
    both(scenario::active_project, |api| {
        assert_eq!(selected(api), ["ci_micro"]);
        assert_eq!(apply(api, "compute_instance", "ci_small").to_string(), "200 {}");
        assert_eq!(api.status(), "RESIZING");
        api.after(60);
        assert_eq!((api.status(), selected(api)), ("ACTIVE_HEALTHY".to_owned(), vec![json!("ci_small")]));
        assert_eq!(apply(api, "compute_instance", "ci_small").reason(), "same_size");
        assert_eq!(api.delete("/v1/projects/{ref}/billing/addons/ci_small").status, 200);
        api.after(60);
        assert_eq!(selected(api), ["ci_micro"]);
        let gone = api.delete("/v1/projects/{ref}/billing/addons/ci_small");
        refused(&gone, 404, "addon_not_found", "Addon not found");
    });
}

#[test]
fn point_in_time_recovery_needs_a_small_machine_and_comes_once() {
    both(scenario::active_project, |api| {
        let text = "Point in time recovery needs a project whose instance size is small or larger.";
        refused(&apply(api, "pitr", "pitr_7"), 400, "instance_too_small", text);
        api.resize("small");
        assert_eq!(apply(api, "pitr", "pitr_7").status, 200);
        assert_eq!(apply(api, "pitr", "pitr_28").status, 200);
        assert_eq!(selected(api), ["ci_small", "pitr_28"]);
        assert_eq!(api.get("/v1/projects/{ref}/database/backups").json()["pitr_enabled"], true);
        // While it is there, the machine can't become too small.
        refused(&apply(api, "compute_instance", "ci_micro"), 400, "instance_too_small", text);
        let smaller = api.delete("/v1/projects/{ref}/billing/addons/ci_small");
        refused(&smaller, 400, "instance_too_small", text);
        assert_eq!(api.delete("/v1/projects/{ref}/billing/addons/pitr_28").status, 200);
        assert_eq!(api.get("/v1/projects/{ref}/database/backups").json()["pitr_enabled"], false);
        assert_eq!(api.delete("/v1/projects/{ref}/billing/addons/ci_small").status, 200);
    });
}

#[test]
fn a_custom_domain_that_is_bought_is_one_that_can_be_set_up() {
    both(scenario::active_project, |api| {
        let set_up = |api: &mut dyn Api| {
            api.post(
                "/v1/projects/{ref}/custom-hostname/initialize",
                json!({ "custom_hostname": "app.example.com" }),
            )
        };
        assert_eq!(set_up(api).status, 400);
        apply(api, "custom_domain", "cd_default");
        assert_eq!(set_up(api).status, 201);
    });
}

#[test]
fn addons_take_a_paid_plan_and_a_variant_of_their_kind() {
    both(scenario::active_project, |api| {
        let text = "addon_type: Invalid, ci_small is a variant of compute_instance";
        refused(&apply(api, "pitr", "ci_small"), 400, "invalid_body.addon_type", text);
        api.plan("free");
        let text = "Dedicated IPv4 address requires a higher plan.";
        refused(&apply(api, "ipv4", "ipv4_default"), 402, "plan_too_low", text);
        assert_eq!(apply(api, "compute_instance", "ci_small").reason(), "plan_too_low");
    });
}

#[test]
fn all_that_there_is_is_listed_with_its_price() {
    both(scenario::active_project, |api| {
        let all = api.get(ADDONS).json()["available_addons"].clone();
        let counts: Vec<_> = all
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| (one["type"].clone(), one["variants"].as_array().map_or(0, Vec::len)))
            .collect();
        let expected = [
            ("compute_instance", 18),
            ("custom_domain", 1),
            ("pitr", 3),
            ("ipv4", 1),
            ("auth_mfa_phone", 1),
            ("auth_mfa_web_authn", 1),
            ("log_drain", 1),
            ("etl_pipeline", 1),
        ];
        assert_eq!(counts, expected.map(|(kind, count)| (json!(kind), count)));
        assert_eq!(all[0]["variants"][0]["meta"], json!({ "cpu_cores": 2, "memory_gb": 1 }));
        let pitr = &all[2]["variants"][0];
        assert_eq!((&pitr["id"], &pitr["price"]["amount"]), (&json!("pitr_7"), &json!(100.0)));
    });
}

#[test]
fn a_machine_does_not_shrink_below_what_replicas_need() {
    both(scenario::active_project, |api| {
        api.resize("small");
        api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
        let smaller = json!({ "addon_type": "compute_instance", "addon_variant": "ci_micro" });
        let text = "A read replica needs a project whose instance size is small or larger.";
        refused(&api.patch("/v1/projects/{ref}/billing/addons", smaller), 400, "instance_too_small", text);
        let reply = api.delete("/v1/projects/{ref}/billing/addons/ci_small");
        refused(&reply, 400, "instance_too_small", text);
    });
}
