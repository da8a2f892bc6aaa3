//! `/v1/projects/{ref}/jit-access`, `…/database/jit`.

use http::Method;
use serde_json::{Value, json};
use sim_core::{Policy, Profile, RateLimit, Role};
use sim_fixtures::{Api, Call, Reply, Scene, api::peek, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const CONFIG: &str = "/v1/projects/{ref}/jit-access";
const ACCESS: &str = "/v1/projects/{ref}/database/jit";
const LIST: &str = "/v1/projects/{ref}/database/jit/list";

/// A project on Postgres 17 whose database accepts only TLS connections.
fn encrypted() -> Scene {
    let mut profile = Profile::default();
    profile.postgres_versions.retain(|version| version.engine == "17");
    let policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
    let world = scenario::cast("pro");
    let sim = sim_core::Simulator::builder().world(world).policy(policy).profile(profile).build();
    let Scene { mut sim, project } = scenario::project_in(sim);
    let enforce = sim_core::management::ssl::UpdateSslEnforcement::database(project.clone(), true);
    sim.call(enforce).expect("it is active");
    sim.advance(std::time::Duration::from_secs(10));
    Scene { sim, project }
}

fn enable(api: &mut dyn Api, state: &str) -> Value {
    api.control(Method::PUT, CONFIG, json!({ "state": state }))
}

fn user(api: &mut dyn Api, name: &str) -> Value {
    let all = api.get("/_sim/users").json();
    all.as_array().expect("a list").iter().find(|user| user["name"] == name).expect("they are there")["user_id"].clone()
}

fn log_in(api: &mut dyn Api, user: &str, role: &str, address: &str) -> Reply {
    api.send(
        Call::post(ACCESS).json(json!({ "role": role, "rhost": address })).token(&format!("token-of-{user}")),
    )
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let user = "00000000-0000-4000-8000-000000000000";
    refuse_strangers(&[
        (Call::get(CONFIG), Role::ReadOnly),
        (Call::put(CONFIG).json(json!({ "state": "enabled" })), Role::Administrator),
        (Call::get(ACCESS), Role::ReadOnly),
        (Call::get(LIST), Role::ReadOnly),
        (Call::put(ACCESS).json(json!({ "user_id": user, "roles": [] })), Role::Administrator),
        (
            Call::delete("/v1/projects/{ref}/database/jit/00000000-0000-4000-8000-000000000000"),
            Role::Administrator,
        ),
    ]);
}

#[test]
fn it_takes_a_new_postgres_and_encryption() {
    both(scenario::active_project, |api| {
        let old = json!({ "state": "unavailable", "unavailableReason": "postgres_upgrade_required" });
        assert_eq!(api.get(CONFIG).json(), old);
        assert_eq!(enable(api, "enabled"), old, "nothing has changed");
    });
    both(encrypted, |api| {
        let off = json!({ "state": "disabled", "appliedSuccessfully": true });
        assert_eq!(api.get(CONFIG).json(), off);
        assert_eq!(enable(api, "enabled")["state"], "enabled");
        api.control(
            Method::PUT,
            "/v1/projects/{ref}/ssl-enforcement",
            json!({ "requestedConfig": { "database": false } }),
        );
        assert_eq!(api.get(CONFIG).json()["unavailableReason"], "ssl_enforcement_required");
        api.control(Method::PUT, "/_sim/projects/{ref}/read-only", json!({ "enabled": false }));
    });
}

#[test]
fn a_member_logs_in_as_a_role_from_a_network_until_an_instant() {
    both(encrypted, |api| {
        let developer = user(api, "developer");
        let until = peek(api, |sim| sim.now().as_second()) + 60;
        let networks = json!({ "allowed_cidrs": [{ "cidr": "203.0.113.0/24" }] });
        let roles = json!([{ "role": "postgres", "expires_at": until, "allowed_networks": networks }]);
        let given = json!({ "user_id": developer, "roles": roles });
        let shown = json!({ "user_id": developer, "user_roles": roles });
        assert_eq!(api.control(Method::PUT, ACCESS, given), shown);
        let email = "developer@example.test";
        let of_user = json!({ "primary_email": email, "invite_id": null, "expires_at": null });
        let mut listed = shown.clone();
        listed.as_object_mut().expect("an object").extend(of_user.as_object().expect("an object").clone());
        assert_eq!(api.get(LIST).json(), json!({ "items": [listed] }));
        let near = "203.0.113.7";
        let text = "Temporary access is not enabled for this project.";
        refused(&log_in(api, "developer", "postgres", near), 403, "jit_access_off", text);
        enable(api, "enabled");
        let let_in = log_in(api, "developer", "postgres", near).json();
        assert_eq!((&let_in["user_id"], &let_in["user_role"]["role"]), (&developer, &json!("postgres")));
        let far = log_in(api, "developer", "postgres", "198.51.100.1");
        refused(&far, 403, "jit_network_not_allowed", "The user may not log in from this address.");
        assert_eq!(log_in(api, "developer", "reader", near).reason(), "jit_role_missing");
        assert_eq!(log_in(api, "owner", "postgres", near).reason(), "jit_role_missing");
        assert_eq!(log_in(api, "owner", "postgres", "home").reason(), "invalid_body.rhost");
        api.after(60);
        let late = log_in(api, "developer", "postgres", near);
        refused(&late, 403, "jit_access_expired", "The user's access has expired.");
        api.control(Method::PUT, ACCESS, json!({ "user_id": developer, "roles": [{ "role": "postgres" }] }));
        assert_eq!(log_in(api, "developer", "postgres", near).status, 200);
        let own = api.send(Call::get(ACCESS).token("token-of-developer")).json();
        assert_eq!(own["user_roles"], json!([{ "role": "postgres" }]));
        enable(api, "disabled");
        assert_eq!(log_in(api, "developer", "postgres", near).reason(), "jit_access_off");
        enable(api, "enabled");
        assert_eq!(log_in(api, "developer", "postgres", near).status, 200, "given values stay");
        let one = format!("{ACCESS}/{}", developer.as_str().expect("a UUID"));
        assert_eq!(api.delete(&one).to_string(), "200 {}");
        assert_eq!(log_in(api, "developer", "postgres", near).reason(), "jit_role_missing");
        refused(&api.delete(&one), 404, "jit_access_not_found", "Jit access not found");
    });
}

#[test]
fn a_role_for_branches_only_is_one_on_branches_only() {
    both(encrypted, |api| {
        let developer = user(api, "developer");
        let only = json!([{ "role": "postgres", "branches_only": true }, { "role": "reader" }]);
        let given = json!({ "user_id": developer, "roles": only });
        assert_eq!(api.control(Method::PUT, ACCESS, given)["user_roles"], only);
        enable(api, "enabled");
        let home = "203.0.113.7";
        let text = "The user may log in as this role on branches only.";
        refused(&log_in(api, "developer", "postgres", home), 403, "jit_branches_only", text);
        assert_eq!(log_in(api, "developer", "reader", home).status, 200);

        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        let branch = branch["project_ref"].as_str().expect("a reference").to_owned();
        api.after(600);
        let at = |path: &str| path.replace("{ref}", &branch);
        let enforce = json!({ "requestedConfig": { "database": true } });
        api.control(Method::PUT, &at("/v1/projects/{ref}/ssl-enforcement"), enforce);
        api.after(10);
        api.control(Method::PUT, &at(CONFIG), json!({ "state": "enabled" }));
        let mut on_branch = |role: &str| {
            let body = json!({ "role": role, "rhost": home });
            api.send(Call::post(&at(ACCESS)).json(body).token("token-of-developer"))
        };
        assert_eq!(on_branch("postgres").json()["user_role"]["branches_only"], true);
        assert_eq!(on_branch("reader").status, 200, "roles of the project are valid on its branches");
        assert_eq!(on_branch("writer").reason(), "jit_role_missing");
        let own = json!({ "user_id": developer, "roles": [{ "role": "writer" }] });
        api.control(Method::PUT, &at(ACCESS), own);
        let seen = api.send(Call::get(&at(ACCESS)).token("token-of-developer")).json();
        assert_eq!(seen["user_roles"], json!([{ "role": "writer" }]), "the branch's own come first");
    });
}

#[test]
fn only_members_are_let_in_and_only_from_networks() {
    both(encrypted, |api| {
        let outsider = user(api, "outsider");
        let reply = api.send(Call::put(ACCESS).json(json!({ "user_id": outsider, "roles": [] })));
        refused(&reply, 404, "user_not_found", "User not found");
        let owner = user(api, "owner");
        let networks = json!({ "allowed_cidrs_v6": [{ "cidr": "203.0.113.0/24" }] });
        let body = json!({ "user_id": owner, "roles": [{ "role": "x", "allowed_networks": networks }] });
        let at = "roles.0.allowed_networks.allowed_cidrs_v6.0.cidr";
        let text = format!("{at}: Invalid, must be an IPv6 network in CIDR notation");
        refused(&api.send(Call::put(ACCESS).json(body)), 400, &format!("invalid_body.{at}"), &text);
    });
}

#[test]
fn a_role_that_comes_twice_is_kept_once() {
    both(encrypted, |api| {
        let roles =
            json!([{ "role": "reader" }, { "role": "writer" }, { "role": "reader", "expires_at": 1 }]);
        let kept = json!([{ "role": "writer" }, { "role": "reader", "expires_at": 1 }]);
        let owner = user(api, "owner");
        let reply = api.put(ACCESS, json!({ "user_id": owner, "roles": roles }));
        assert_eq!((&reply.json()["user_roles"], reply.header("x-sim-ignored")), (&kept, "body.roles.0"));
        assert_eq!(api.get(ACCESS).json()["user_roles"], kept);
        let body = json!({ "email": "guest@example.com", "roles": roles });
        let reply = api.post("/v1/projects/{ref}/database/jit/invite", body);
        assert_eq!((&reply.json()["user_roles"], reply.header("x-sim-ignored")), (&kept, "body.roles.0"));
    });
}

#[test]
fn an_invitation_is_accepted_once_within_a_week() {
    const INVITE: &str = "/v1/projects/{ref}/database/jit/invite";
    const ACCEPT: &str = "/v1/projects/{ref}/database/jit/invite/accept";
    both(encrypted, |api| {
        let body = json!({ "email": "guest@example.com", "roles": [{ "role": "reader" }] });
        let invite = |api: &mut dyn Api| api.post(INVITE, body.clone()).json()["invite_id"].clone();
        let accept = |api: &mut dyn Api, token: &Value| {
            let body = json!({ "email": "guest@example.com", "token": token });
            api.send(Call::post(ACCEPT).json(body).token("token-of-developer"))
        };
        let first = invite(api);
        let listed = api.get(LIST).json()["items"][0].clone();
        assert_eq!((&listed["invite_id"], &listed["user_id"]), (&first, &Value::Null));
        assert_eq!(listed["primary_email"], "guest@example.com");
        let second = invite(api);
        refused(&accept(api, &first), 404, "jit_invite_not_found", "Invite not found");
        let accepted = accept(api, &second).json();
        assert_eq!(accepted["user_id"], user(api, "developer"));
        assert_eq!(accepted["user_roles"], json!([{ "role": "reader" }]));
        assert_eq!(accept(api, &second).status, 404);
        assert_eq!(api.get(LIST).json()["items"][0]["invite_id"], Value::Null);
        let third = invite(api);
        api.after(7 * 86_400);
        assert_eq!(accept(api, &third).status, 404);
        let fourth = invite(api);
        let withdraw = format!("{INVITE}/{}", fourth.as_str().expect("a UUID"));
        assert_eq!(api.delete(&withdraw).status, 200);
        assert_eq!(accept(api, &fourth).status, 404);
        assert_eq!(api.delete(&withdraw).status, 404);
    });
}

#[test]
fn access_ends_with_the_membership_and_when_the_project_is_moved() {
    both(encrypted, |api| {
        enable(api, "enabled");
        let give = |api: &mut dyn Api, name: &str| {
            let body = json!({ "user_id": user(api, name), "roles": [{ "role": "postgres" }] });
            assert_eq!(api.put(ACCESS, body).status, 200);
        };
        let count = |api: &mut dyn Api| api.get(LIST).json()["items"].as_array().map_or(0, Vec::len);
        ["reader", "developer", "owner"].into_iter().for_each(|name| give(api, name));
        let member = "/_sim/organizations/acme/members/reader";
        api.control(Method::DELETE, member, json!({}));
        assert_eq!(count(api), 2);
        api.control(Method::PUT, member, json!({ "role": "Read-only" }));
        assert_eq!(
            log_in(api, "reader", "postgres", "192.0.2.1").status,
            403,
            "it was for the member of then"
        );
        let invite = json!({ "email": "guest@example.test", "roles": [{ "role": "postgres" }] });
        assert_eq!(api.post("/v1/projects/{ref}/database/jit/invite", invite).status, 201);
        let made = api.post("/v1/organizations", json!({ "name": "Umbrella" })).json();
        let to = json!({ "data": { "type": "project_transfer_input",
                                   "attributes": { "target_organization_slug": made["slug"] } } });
        assert_eq!(api.post("/v2/projects/{ref}/transfers", to).status, 204);
        let left = api.get(LIST).json()["items"].clone();
        assert_eq!((count(api), &left[0]["user_id"]), (1, &user(api, "owner")), "a member there too");
    });
}
