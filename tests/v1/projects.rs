//! `/v1/projects`.

mod actions;
mod advisors;
mod api_keys;
mod auth_config;
mod backups;
mod billing;
pub(super) mod branches;
mod claim_token;
mod connections;
mod custom_hostname;
mod database_config;
mod database_query;
mod disk;
mod functions;
mod health;
mod jit_access;
mod login_role;
mod logs;
mod metrics;
mod migrations;
mod network_bans;
mod network_restrictions;
mod pause;
mod read_replicas;
mod readonly;
mod realtime;
mod restart;
mod restore;
mod restore_points;
mod secrets;
mod service_config;
mod signing_keys;
mod sso;
mod third_party_auth;
mod upgrade;
mod vanity_subdomain;

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::management::project::{CreateProject, ListProjects};
use sim_core::{Profile, Simulator};
use sim_fixtures::strategies::What;
use sim_fixtures::{Api, Call, Scene, api, scenario};

use crate::steps::refused;
use crate::support::{TICK, both, good, seconds};

/// The required fields of a create.
fn new_project(name: &str) -> Value {
    json!({ "db_pass": "hunter22", "name": name, "organization_id": "acme", "region": "us-east-1" })
}

/// A valid create with one field changed.
fn but(field: &str, value: Value) -> Value {
    let mut body = new_project("demo");
    body[field] = value;
    body
}

pub(super) fn status(api: &mut dyn Api) -> String {
    api.get("/v1/projects/{ref}").json()["status"].as_str().expect("a status").to_owned()
}

#[test]
fn a_project_passes_through_its_lifecycle() {
    let projects = |api: &mut dyn Api| api.get("/v1/projects").to_string();
    // The scene's project gets the reference of the first create.
    let scene = || {
        let sim = scenario::four_roles();
        let made = sim.fork().as_admin().call(CreateProject::named("demo", "acme"));
        Scene { sim, project: made.expect("it can be made").id }
    };
    both(scene, |api| {
        assert_snapshot!(api.post("/v1/projects", new_project("demo")), @r#"201 {"id":"jyegvyphfflqhlxwbqup","ref":"jyegvyphfflqhlxwbqup","organization_id":"acme","organization_slug":"acme","name":"demo","region":"us-east-1","created_at":"2026-01-01T00:00:00Z","status":"UNKNOWN"}"#);
        assert_snapshot!(api.get("/v1/projects/{ref}"), @r#"200 {"id":"jyegvyphfflqhlxwbqup","ref":"jyegvyphfflqhlxwbqup","organization_id":"acme","organization_slug":"acme","name":"demo","region":"us-east-1","created_at":"2026-01-01T00:00:00Z","status":"COMING_UP","database":{"host":"db.jyegvyphfflqhlxwbqup.platform.test","version":"15.8.1.040","postgres_engine":"15","release_channel":"ga"}}"#);
        api.advance(seconds(60) - TICK);
        assert_eq!(status(api), "COMING_UP");
        api.advance(TICK);
        assert_eq!(status(api), "ACTIVE_HEALTHY");

        assert_snapshot!(api.act("/v1/projects/{ref}/pause"), @"200 {}");
        assert_eq!(status(api), "PAUSING");
        api.advance(seconds(20));
        assert_eq!(status(api), "INACTIVE");

        assert_snapshot!(api.act("/v1/projects/{ref}/restore"), @"200 {}");
        assert_eq!(status(api), "RESTORING");
        assert_snapshot!(api.act("/v1/projects/{ref}/restore/cancel"), @"200 {}");
        assert_eq!(status(api), "INACTIVE");
        api.advance(seconds(120));
        assert_eq!(status(api), "INACTIVE");
        assert_eq!(api.act("/v1/projects/{ref}/restore").status, 200);
        api.advance(seconds(120));
        assert_eq!(status(api), "ACTIVE_HEALTHY");

        assert_snapshot!(api.delete("/v1/projects/{ref}"), @r#"200 {"id":1,"ref":"jyegvyphfflqhlxwbqup","name":"demo"}"#);
        assert_snapshot!(projects(api), @r#"200 [{"id":"jyegvyphfflqhlxwbqup","ref":"jyegvyphfflqhlxwbqup","organization_id":"acme","organization_slug":"acme","name":"demo","region":"us-east-1","created_at":"2026-01-01T00:00:00Z","status":"REMOVED","database":{"host":"db.jyegvyphfflqhlxwbqup.platform.test","version":"15.8.1.102","postgres_engine":"15","release_channel":"ga"}}]"#);
        assert_snapshot!(api.get("/v1/projects/{ref}"), @r#"400 {"message":"Resource has been removed"}"#);
        api.advance(seconds(60) - TICK);
        assert_eq!(api.get("/v1/projects/{ref}").status, 400);
        api.advance(TICK);
        assert_snapshot!(api.get("/v1/projects/{ref}"), @r#"404 {"message":"Project not found"}"#);
        assert_snapshot!(projects(api), @"200 []");
    });
}

#[test]
fn the_same_seed_gives_the_same_world_and_another_seed_another() {
    let create = |seed| {
        let mut sim = Simulator::builder().seed(seed).build();
        sim.call(CreateProject::named("demo", "acme")).expect("it can be made").id
    };
    assert_eq!(create(1), create(1));
    assert_ne!(create(1), create(2));
}

#[test]
fn a_project_of_another_engine_is_on_its_first_version() {
    both(scenario::four_roles, |api| {
        api.post("/v1/projects", but("postgres_engine", json!("17")));
        assert_snapshot!(api.get("/v1/projects").json()[0]["database"], @r#"{"host":"db.jyegvyphfflqhlxwbqup.platform.test","version":"17.4.1.043","postgres_engine":"17","release_channel":"ga"}"#);
    });
}

#[test]
fn deprecated_and_optional_fields_of_a_create_are_accepted() {
    both(scenario::four_roles, |api| {
        let mut body = new_project("demo");
        for (field, value) in [
            ("plan", json!("free")),
            ("kps_enabled", json!(true)),
            ("desired_instance_size", json!("24xlarge_high_memory")),
            ("template_url", json!("https://example.test/template")),
            ("release_channel", json!("ga")),
        ] {
            body[field] = value;
        }
        let made = api.post("/v1/projects", body);
        let ignored = made.header("x-sim-ignored");
        assert_eq!((made.status, ignored), (201, "body.plan,body.kps_enabled,body.template_url"));
    });
}

#[test]
fn a_release_channel_has_engines_of_its_own() {
    both(scenario::four_roles, |api| {
        let refused = api.post("/v1/projects", but("release_channel", json!("alpha")));
        assert_eq!((refused.status, refused.reason()), (400, "invalid_body.postgres_engine"));
        let mut body = but("release_channel", json!("alpha"));
        body["postgres_engine"] = json!("17-oriole");
        assert_eq!(api.post("/v1/projects", body).status, 201);
        assert_eq!(api.get("/v1/projects").json()[0]["database"]["release_channel"], "alpha");
    });
}

#[test]
fn a_profile_says_which_engine_a_new_project_has() {
    let profile = |engine: &str| Profile { default_engine: Some(engine.to_owned()), ..Profile::default() };
    let mut sim = Simulator::builder().profile(profile("17")).build();
    sim.call(CreateProject::named("demo", "acme")).expect("it can be made");
    let projects = sim.call(ListProjects {}).expect("they can be listed");
    assert_eq!(projects[0].database.postgres_engine, "17");
    let refused = Simulator::builder().profile(profile("16")).try_build().err().map(|error| error.message);
    assert!(
        refused.is_some_and(|text| text.starts_with("default_engine: postgres_versions has no such engine"))
    );
}

#[test]
fn a_create_is_refused_with_the_field_that_is_wrong() {
    let rows: &[(Value, &str, &str)] = &[
        (json!({}), "invalid_body.db_pass", "db_pass: Required, name: Required, organization_slug: Required"),
        (
            but("db_pass", json!("abc")),
            "invalid_body.db_pass",
            "db_pass must be longer than or equal to 4 characters",
        ),
        (
            but("db_pass", json!(1234)),
            "invalid_body.db_pass",
            "db_pass must be longer than or equal to 4 characters",
        ),
        (but("name", json!("")), "invalid_body.name", "name: String must contain at least 1 character(s)"),
        (
            but("name", json!("x".repeat(257))),
            "invalid_body.name",
            "name: String must contain at most 256 character(s)",
        ),
        (but("name", json!("with.dot")), "invalid_body.name", "name should not contain a . string"),
        (
            but("organization_id", json!(7)),
            "invalid_body.organization_id",
            "organization_id: Expected string, received number",
        ),
        (
            but("kps_enabled", json!("yes")),
            "invalid_body.kps_enabled",
            "kps_enabled: Expected boolean, received string",
        ),
        (
            but("plan", json!("gold")),
            "invalid_body.plan",
            "plan: Invalid enum value. Expected 'free' | 'pro', received 'gold'",
        ),
        (but("template_url", json!("nowhere")), "invalid_body.template_url", "template_url: Invalid url"),
        (json!([]), "invalid_body", "body: Expected object, received array"),
    ];
    both(scenario::four_roles, |api| {
        for (body, reason, message) in rows {
            let reply = api.post("/v1/projects", body.clone());
            let found =
                (reply.status, reply.reason(), reply.json()["message"].as_str().unwrap_or("").to_owned());
            assert_eq!(found, (400, *reason, (*message).to_owned()), "{body}");
        }
        assert_snapshot!(api.post("/v1/projects", but("region", json!("moon-1"))), @r#"400 {"message":"region: Invalid enum value. Expected 'us-east-1' | 'us-east-2' | 'us-west-1' | 'us-west-2' | 'ap-east-1' | 'ap-southeast-1' | 'ap-northeast-1' | 'ap-northeast-2' | 'ap-southeast-2' | 'eu-west-1' | 'eu-west-2' | 'eu-west-3' | 'eu-north-1' | 'eu-central-1' | 'eu-central-2' | 'ca-central-1' | 'ap-south-1' | 'sa-east-1', received 'moon-1'"}"#);
        assert_snapshot!(api.post("/v1/projects", but("colour", json!("red"))), @r#"400 {"message":"colour: Unrecognized key, expected one of db_pass, name, organization_slug, region, region_selection, plan, kps_enabled, desired_instance_size, high_availability, template_url, release_channel, postgres_engine"}"#);
        assert_snapshot!(api.get("/v1/projects"), @"200 []");
    });
}

#[test]
fn a_region_is_chosen_by_its_code_or_that_of_a_group() {
    both(scenario::four_roles, |api| {
        let choose = |api: &mut dyn Api, name: &str, selection: Value| {
            let mut body = new_project(name);
            body["region_selection"] = selection;
            // An additional field of an older client is ignored.
            body["region"] = json!("sa-east-1");
            api.post("/v1/projects", body)
        };
        for (kind, code, region) in [
            ("specific", "eu-north-1", "eu-north-1"),
            ("smartGroup", "americas", "us-east-1"),
            ("smartGroup", "emea", "eu-central-1"),
            ("smartGroup", "apac", "ap-southeast-1"),
        ] {
            let made = choose(api, code, json!({ "type": kind, "code": code }));
            assert_eq!(made.json()["region"], region, "{made}");
        }
        let code = "invalid_body.region_selection.code";
        for (kind, given, what) in
            [("specific", "apac", "a region"), ("smartGroup", "eu-north-1", "a group of regions")]
        {
            let text = format!("region_selection.code: Invalid, must be {what} for this type");
            refused(&choose(api, "wrong", json!({ "type": kind, "code": given })), 400, code, &text);
        }
        let unknown = choose(api, "wrong", json!({ "type": "specific", "code": "moon-1" }));
        assert_eq!(unknown.reason(), code);
        let unknown = choose(api, "wrong", json!({ "type": "nearest", "code": "emea" }));
        assert_eq!(unknown.reason(), "invalid_body.region_selection.type");
        assert_eq!(choose(api, "wrong", json!(null)).reason(), "invalid_body.region_selection");
        let mut neither = new_project("wrong");
        neither.as_object_mut().expect("it is an object").remove("region");
        refused(&api.post("/v1/projects", neither.clone()), 400, "invalid_body.region", "region: Required");
        neither["region_selection"] = json!({ "type": "smartGroup", "code": "emea" });
        assert_eq!(api.post("/v1/projects", neither).status, 201);
    });
}

#[test]
fn a_name_is_taken_once_in_an_organization() {
    both(scenario::active_project, |api| {
        let reply = api.post("/v1/projects", new_project("demo"));
        assert_snapshot!(reply, @r#"400 {"message":"Project with name demo already exists in your organization."}"#);
        assert_eq!(reply.reason(), "project_exists");
        assert_eq!(api.post("/v1/projects", new_project("Demo")).status, 201);
    });
}

#[test]
fn a_project_goes_into_an_organization_that_its_maker_administers() {
    both(scenario::four_roles, |api| {
        let create = |token: &str| Call::post("/v1/projects").token(token).json(new_project("demo"));
        assert_eq!(api.send(create("token-of-developer")).reason(), "role_too_low");
        assert_snapshot!(api.send(create("token-of-outsider")), @r#"403 {"message":"Your account does not have the necessary privileges to access this endpoint. For more details, refer to our documentation on access control."}"#);
        assert_snapshot!(api.post("/v1/projects", but("organization_id", json!("umbrella"))), @r#"404 {"message":"Organization not found"}"#);
        assert_eq!(api.send(create("token-of-administrator")).status, 201);
    });
}

#[test]
fn everyone_lists_the_projects_of_their_own_organizations() {
    both(scenario::active_project, |api| {
        for (token, count) in [("token-of-reader", 1), ("token-of-developer", 1), ("token-of-outsider", 0)] {
            let list = api.send(Call::get("/v1/projects").token(token)).json();
            assert_eq!(list.as_array().map(Vec::len), Some(count), "{token}");
        }
    });
}

#[test]
fn a_failed_create_is_init_failed_and_can_only_be_deleted() {
    both(scenario::failed_create, |api| {
        assert_eq!(status(api), "INIT_FAILED");
        assert_snapshot!(api.act("/v1/projects/{ref}/pause"), @r#"400 {"message":"This project is not in an active state, it is INIT_FAILED"}"#);
        assert_snapshot!(api.act("/v1/projects/{ref}/restore"), @r#"400 {"message":"This project is no longer in a paused state, it is INIT_FAILED"}"#);
        assert_eq!(api.delete("/v1/projects/{ref}").status, 200);
    });
}

#[test]
fn a_third_active_free_project_is_refused() {
    both(scenario::free_quota_used_up, |api| {
        let reply = api.post("/v1/projects", new_project("third"));
        assert_snapshot!(reply, @r#"400 {"message":"The following organization members have reached their maximum limits for the number of active free projects within organizations where they are an administrator or owner: owner (2 project limit), administrator (2 project limit). To continue, these users will need to either delete, pause or upgrade one or more of these projects."}"#);
        assert_eq!(reply.reason(), "free_quota");
        assert_snapshot!(api.put("/_sim/organizations/acme/plan", json!({ "plan": "pro" })), @r#"200 {"id":"acme","name":"Acme","plan":"pro","opt_in_tags":[],"allowed_release_channels":["ga","preview"]}"#);
        assert_eq!(api.post("/v1/projects", new_project("third")).status, 201);
    });
}

#[test]
fn a_removed_project_is_refused_by_every_operation_but_lists() {
    both(scenario::removed_project, |api| {
        assert_eq!(api.get("/v1/projects").json()[0]["status"], "REMOVED");
        // More calls than a minute allows.
        let removed = api::peek(api, |sim| sim.snapshot());
        for what in What::one_of_each() {
            let call = good(api, what.clone());
            if call.path.contains(&api.project()) {
                api::peek(api, |sim| sim.restore(&removed));
                let reply = api.send(call);
                let words = match what.meta().id {
                    "v1-delete-a-project" => "Project not ready for deletion.",
                    _ => "Resource has been removed",
                };
                assert_eq!((reply.status, &*reply.message()), (400, words), "{what:?}");
            }
        }
    });
}

#[test]
fn the_name_of_a_deleted_project_is_free_after_its_removal() {
    both(scenario::removed_project, |api| {
        assert_eq!(api.post("/v1/projects", new_project("demo")).status, 400);
        api.advance(seconds(60));
        assert_eq!(api.post("/v1/projects", new_project("demo")).status, 201);
    });
}

#[test]
fn a_profile_gives_the_host_and_the_versions() {
    let scene = || {
        let profile = Profile { project_domain: "db.example.test".to_owned(), ..Profile::default() };
        Simulator::builder().profile(profile).build()
    };
    both(scene, |api| {
        api.post("/v1/projects", new_project("demo"));
        let host = api.get("/v1/projects").json()[0]["database"]["host"].to_string();
        assert!(host.ends_with(".db.example.test\""), "{host}");
    });
}

#[test]
fn a_project_gets_another_name_that_no_other_has() {
    both(scenario::active_project, |api| {
        let rename = |api: &mut dyn Api, name: &str| api.patch("/v1/projects/{ref}", json!({ "name": name }));
        let project = api.project();
        let reply = rename(api, "renamed").json();
        assert_eq!((&reply["ref"], &reply["name"]), (&json!(project), &json!("renamed")));
        assert_eq!(api.get("/v1/projects/{ref}").json()["name"], "renamed");
        assert_eq!(rename(api, "renamed").status, 200, "a project may keep its name");
        api.post("/v1/projects", new_project("second"));
        assert_eq!(rename(api, "second").reason(), "project_exists");
        assert_eq!(rename(api, "with.dot").reason(), "invalid_body.name");
    });
}

#[test]
fn newer_clients_name_the_organization_by_its_slug() {
    both(scenario::active_project, |api| {
        let mut body = new_project("by-slug");
        body["organization_slug"] = body["organization_id"].take();
        body.as_object_mut().expect("an object").remove("organization_id");
        let made = api.post("/v1/projects", body);
        assert_eq!((made.status, &made.json()["organization_id"]), (201, &json!("acme")));
        let both_names = but("organization_slug", json!("acme"));
        assert_eq!(api.post("/v1/projects", but_named(both_names, "by-both")).status, 201);
        let others = but("organization_slug", json!("other"));
        assert_eq!(
            api.post("/v1/projects", others).reason(),
            "organization_not_found",
            "the newer name counts"
        );
    });
}

fn but_named(mut body: Value, name: &str) -> Value {
    body["name"] = name.into();
    body
}
