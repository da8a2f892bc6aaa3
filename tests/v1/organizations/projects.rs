//! `/v1/organizations/{slug}/projects`, `/v1/projects/available-regions`, `/v1/profile`.

use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refused, under};
use crate::support::both;

const PROJECTS: &str = "/v1/organizations/acme/projects";
const REGIONS: &str = "/v1/projects/available-regions?organization_slug=acme";

/// Names of projects on a page, and the number on all pages.
fn page(api: &mut dyn Api, query: &str) -> (Vec<String>, Value) {
    let reply = api.get(&format!("{PROJECTS}{query}"));
    assert_eq!(reply.status, 200, "{reply}");
    let shown = reply.json();
    let names = shown["projects"].as_array().expect("a list").iter();
    let names = names.map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect();
    (names, shown["pagination"]["count"].clone())
}

#[test]
fn projects_come_page_by_page_in_the_order_asked_for() {
    both(scenario::active_project, |api| {
        for name in ["beta", "Alpha"] {
            api.another_project(name);
        }
        let own = api.get("/v1/projects/{ref}").json()["name"].as_str().expect("a name").to_owned();
        let mut by_name = vec!["Alpha".to_owned(), "beta".to_owned(), own.clone()];
        by_name.sort();
        assert_eq!(page(api, ""), (by_name.clone(), json!(3)));
        assert_eq!(page(api, "?limit=2&offset=1"), (by_name[1..].to_vec(), json!(3)));
        assert_eq!(page(api, "?offset=9"), (Vec::new(), json!(3)));
        assert_eq!(page(api, "?sort=created_asc").0, [&*own, "beta", "Alpha"]);
        assert_eq!(page(api, "?sort=created_desc").0[0], "Alpha");
        assert_eq!(page(api, "?search=ALPH"), (vec!["Alpha".to_owned()], json!(1)));
        let by_reference = format!("?search={}", api.project());
        assert_eq!(page(api, &by_reference).0, std::slice::from_ref(&own));
        assert_eq!(page(api, "?statuses=ACTIVE_HEALTHY").0, [own]);
        assert_eq!(page(api, "?statuses=COMING_UP,INACTIVE").1, json!(2));
        for (query, reason) in
            [("limit=101", "limit"), ("limit=0", "limit"), ("offset=-1", "offset"), ("sort=size", "sort")]
        {
            assert_eq!(api.get(&format!("{PROJECTS}?{query}")).reason(), format!("invalid_query.{reason}"));
        }
    });
}

#[test]
fn the_total_follows_additions_and_removals() {
    for shows_branches in [false, true] {
        both(
            || under(|policy| policy.show_branch_projects = shows_branches),
            |api| {
                let total = |api: &mut dyn Api| page(api, "?limit=1").1;
                api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "main" }));
                api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "topic" }));
                let later = api.another_project("later");
                let branches = u32::from(shows_branches);
                assert_eq!(total(api), json!(2 + branches));
                api.delete(&format!("/v1/projects/{later}"));
                assert_eq!(total(api), json!(2 + branches), "it is shown as long as it is there");
                api.after(3600);
                assert_eq!(total(api), json!(1 + branches));
                api.delete("/v1/projects/{ref}");
                api.after(3600);
                assert_eq!(total(api), json!(0), "branches go with their project");
            },
        );
    }
}

#[test]
fn a_project_is_listed_with_its_databases() {
    both(scenario::active_project, |api| {
        api.resize("small");
        api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
        let shown = api.get(PROJECTS).json()["projects"][0].clone();
        assert_eq!((&shown["ref"], &shown["is_branch"]), (&json!(api.project()), &json!(false)));
        let databases = &shown["databases"];
        assert_eq!(
            (&databases[0]["type"], &databases[0]["infra_compute_size"]),
            (&json!("PRIMARY"), &json!("small"))
        );
        assert_eq!(
            (&databases[1]["type"], &databases[1]["status"]),
            (&json!("READ_REPLICA"), &json!("INIT_READ_REPLICA"))
        );
        assert_eq!(
            (&databases[1]["region"], &databases[0]["disk_volume_size_gb"]),
            (&json!("eu-west-1"), &json!(8))
        );
    });
}

#[test]
fn strangers_see_neither_projects_nor_regions() {
    both(scenario::active_project, |api| {
        for path in [PROJECTS, REGIONS] {
            assert_eq!(api.send(Call::get(path).token("token-of-reader")).status, 200);
            assert_eq!(api.send(Call::get(path).token("token-of-outsider")).reason(), "not_a_member");
            let unknown = api.get(&path.replace("acme", "nowhere"));
            refused(&unknown, 404, "organization_not_found", "Organization not found");
        }
    });
}

#[test]
fn regions_are_recommended_by_continent() {
    both(scenario::active_project, |api| {
        let all = api.get(REGIONS).json();
        assert_eq!(all["all"]["specific"].as_array().map(Vec::len), Some(18));
        assert_eq!(all["recommendations"]["smartGroup"]["code"], "americas");
        for (continent, code) in [("EU", "emea"), ("AF", "emea"), ("OC", "apac"), ("SA", "americas")] {
            let near = api.get(&format!("{REGIONS}&continent={continent}")).json()["recommendations"].clone();
            assert_eq!(near["smartGroup"]["code"], code);
            assert!(near["specific"].as_array().is_some_and(|all| !all.is_empty()));
        }
        assert_eq!(api.get(&format!("{REGIONS}&continent=XX")).reason(), "invalid_query.continent");
        let missing = api.get("/v1/projects/available-regions");
        assert_eq!(missing.reason(), "invalid_query.organization_slug");
    });
}

#[test]
fn a_user_sees_who_they_are() {
    both(scenario::active_project, |api| {
        let own = api.send(Call::get("/v1/profile").token("token-of-reader")).json();
        assert_eq!(
            (&own["username"], &own["primary_email"]),
            (&json!("reader"), &json!("reader@example.test"))
        );
        let users = api.get("/_sim/users").json();
        let reader = users.as_array().expect("a list").iter().find(|user| user["name"] == "reader");
        assert_eq!(own["auth_server_id"], reader.expect("they are there")["user_id"]);
        assert_eq!(api.send(Call::get("/v1/profile").nobody()).status, 401);
    });
}

#[test]
fn databases_have_states_of_their_own_and_replicas_are_up_only_while_their_primary_is() {
    both(scenario::active_project, |api| {
        api.resize("small");
        api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
        api.after(3600);
        let states = |api: &mut dyn Api| {
            let shown = api.get(PROJECTS).json()["projects"][0]["databases"].clone();
            [shown[0]["status"].clone(), shown[1]["status"].clone()]
        };
        assert_eq!(states(api), ["ACTIVE_HEALTHY", "ACTIVE_HEALTHY"]);
        let poolers = |api: &mut dyn Api| {
            api.get("/v1/projects/{ref}/config/database/pooler").json().as_array().map_or(0, Vec::len)
        };
        assert_eq!(poolers(api), 2);
        api.act("/v1/projects/{ref}/pause");
        api.after(600);
        assert_eq!(states(api), ["GOING_DOWN", "GOING_DOWN"]);
        assert_eq!(poolers(api), 1);
    });
}
