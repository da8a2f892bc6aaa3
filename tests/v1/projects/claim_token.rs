//! `/v1/projects/{ref}/claim-token`, and `/v1/organizations/{slug}/project-claim/{token}`.

use http::Method;
use serde_json::{Map, Value, json};
use sim_core::Role;
use sim_core::engine::Filter;
use sim_fixtures::{Api, Call, Reply, api::peek, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::{both, on_both_engines};

const TOKEN: &str = "/v1/projects/{ref}/claim-token";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(TOKEN), Role::Administrator),
        (Call::post(TOKEN), Role::Administrator),
        (Call::delete(TOKEN), Role::Administrator),
    ]);
}

#[test]
fn a_token_is_shown_once_and_valid_for_a_day() {
    both(scenario::active_project, |api| {
        refused(&api.get(TOKEN), 404, "claim_token_not_found", "Claim token not found");
        let made = api.act(TOKEN).json();
        let token = made["token"].as_str().expect("a token").to_owned();
        assert_eq!(
            (&made["created_at"], &made["expires_at"]),
            (&json!("2026-01-01T00:01:00Z"), &json!("2026-01-02T00:01:00Z"))
        );
        let alias = made["token_alias"].as_str().expect("an alias").to_owned();
        let (start, end) = alias.split_once("...").expect("its middle is left out");
        assert!(token.starts_with(start) && token.ends_with(end) && token.len() > alias.len(), "{alias}");
        let shown = api.get(TOKEN).json();
        assert_eq!(
            (&shown["token_alias"], &shown["created_by"]),
            (&made["token_alias"], &made["created_by"])
        );
        let journal = peek(api, |sim| serde_json::to_string(&sim.journal()).expect("it is plain data"));
        assert!(!journal.contains(&token));
        api.after(86_399);
        assert_eq!(api.get(TOKEN).status, 200);
        api.after(1);
        assert_eq!(api.get(TOKEN).status, 404);
        assert_ne!(api.act(TOKEN).json()["token"], json!(token));
        assert_eq!(api.delete(TOKEN).to_string(), "204 ");
        assert_eq!(api.get(TOKEN).status, 404);
        assert_eq!(api.delete(TOKEN).status, 204, "none is missed");
    });
}

/// A token for the project.
fn token(api: &mut dyn Api) -> String {
    api.act(TOKEN).json()["token"].as_str().expect("a token").to_owned()
}

fn preview(api: &mut dyn Api, slug: &str, token: &str) -> Reply {
    api.get(&format!("/v1/organizations/{slug}/project-claim/{token}"))
}

fn claim(api: &mut dyn Api, slug: &str, token: &str) -> Reply {
    api.act(&format!("/v1/organizations/{slug}/project-claim/{token}"))
}

/// Another organization of the caller, on that plan.
fn another(api: &mut dyn Api, plan: &str) -> String {
    let made = api.post("/v1/organizations", json!({ "name": "Globex" })).json();
    let slug = made["id"].as_str().expect("a slug").to_owned();
    api.control(Method::PUT, &format!("/_sim/organizations/{slug}/plan"), json!({ "plan": plan }));
    slug
}

/// The keys of the obstacles.
fn errors(reply: &Reply) -> Vec<Value> {
    let preview = &reply.json()["preview"];
    let errors: Vec<_> =
        preview["errors"].as_array().expect("a list").iter().map(|one| one["key"].clone()).collect();
    assert_eq!(preview["valid"], json!(errors.is_empty()));
    errors
}

#[test]
fn an_organization_takes_a_project_over_with_its_branches() {
    on_both_engines(scenario::active_project, |api| {
        api.plan("team");
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        api.after(600);
        let (other, token) = (another(api, "pro"), token(api));
        let shown = preview(api, &other, &token).json();
        assert_eq!(shown["project"]["ref"], api.get("/v1/projects/{ref}").json()["ref"]);
        let plans =
            (&shown["preview"]["source_subscription_plan"], &shown["preview"]["target_subscription_plan"]);
        assert_eq!(plans, (&json!("team"), &json!("pro")));
        assert_eq!(shown["preview"]["warnings"][0]["key"], "plan_lower");
        assert_eq!(shown["preview"]["errors"], json!([]));
        assert_eq!(shown["expires_at"], api.get(TOKEN).json()["expires_at"]);
        assert_eq!(claim(api, &other, &token).to_string(), "204 ");
        assert_eq!(api.get("/v1/projects/{ref}").json()["organization_slug"], json!(other));
        let branch = branch["project_ref"].as_str().expect("a reference").to_owned();
        assert_eq!(api.get(&format!("/v1/projects/{branch}/secrets")).status, 200);
        // Members of the former organization are not members of this one.
        let by = |path: &str| Call::get(path).token("token-of-administrator");
        assert_eq!(api.send(by("/v1/projects/{ref}")).status, 403);
        assert_eq!(api.send(by(&format!("/v1/projects/{branch}/secrets"))).status, 403);
        assert_eq!(api.get(TOKEN).status, 404);
        refused(&claim(api, &other, &token), 404, "claim_token_not_found", "Claim token not found");
    });
}

#[test]
fn projects_are_counted_where_they_come_go_and_change_hands() {
    on_both_engines(scenario::active_project, |api| {
        api.plan("team");
        api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" }));
        let other = another(api, "pro");
        let counts = |api: &mut dyn Api| {
            let sql = "select slug = 'acme' as own, projects, branches, resting from organization order by own desc";
            let rows = peek(api, |sim| sim.query_journal(sql)).expect("a good query");
            let numbers =
                |row: &Map<String, Value>| json!([row["projects"], row["branches"], row["resting"]]);
            json!(rows.iter().map(numbers).collect::<Vec<_>>())
        };
        // The main branch's project is the parent itself.
        assert_eq!(counts(api), json!([[2, 1, 0], [0, 0, 0]]));
        api.after(600);
        api.post("/v1/projects/{ref}/pause", json!({}));
        assert_eq!(counts(api), json!([[2, 1, 1], [0, 0, 0]]));
        let token = token(api);
        assert_eq!(claim(api, &other, &token).status, 204);
        assert_eq!(counts(api), json!([[0, 0, 0], [2, 1, 1]]));
        api.send(Call::delete("/v1/projects/{ref}"));
        assert_eq!(counts(api), json!([[0, 0, 0], [2, 1, 0]]));
        api.after(600);
        assert_eq!(counts(api), json!([[0, 0, 0], [0, 0, 0]]));
    });
}

#[test]
fn a_project_that_goes_to_the_free_plan_leaves_its_backups() {
    on_both_engines(scenario::active_project, |api| {
        api.after(2 * 86_400);
        let backups = |api: &mut dyn Api| {
            let listed = api.get("/v1/projects/{ref}/database/backups").json();
            listed["backups"].as_array().expect("a list").len()
        };
        assert_eq!(backups(api), 2);
        let (other, token) = (another(api, "free"), token(api));
        assert_eq!(claim(api, &other, &token).status, 204);
        api.control(Method::PUT, &format!("/_sim/organizations/{other}/plan"), json!({ "plan": "pro" }));
        assert_eq!(backups(api), 0);
        api.after(86_400);
        assert_eq!(backups(api), 1);
    });
}

#[test]
fn a_project_takes_along_the_backups_that_its_organization_has_not_lost() {
    on_both_engines(scenario::active_project, |api| {
        let days = |api: &mut dyn Api| {
            let listed = api.get("/v1/projects/{ref}/database/backups").json();
            let listed = listed["backups"].as_array().expect("a list");
            listed.iter().map(|one| one["inserted_at"].clone()).collect::<Vec<_>>()
        };
        api.after(2 * 86_400);
        api.plan("free");
        api.plan("pro");
        api.after(86_400);
        let other = another(api, "pro");
        // Let the other organization lose its backups as often or more often.
        for plan in ["free", "pro", "free", "pro"] {
            api.control(Method::PUT, &format!("/_sim/organizations/{other}/plan"), json!({ "plan": plan }));
        }
        let token = token(api);
        assert_eq!(claim(api, &other, &token).status, 204);
        assert_eq!(days(api), ["2026-01-04T00:00:00Z"]);
        api.after(86_400);
        assert_eq!(days(api), ["2026-01-05T00:00:00Z", "2026-01-04T00:00:00Z"]);
    });
}

#[test]
fn obstacles_to_a_claim_are_shown_in_the_preview_and_refused() {
    both(scenario::active_project, |api| {
        let (other, token) = (another(api, "free"), token(api));
        let own = (errors(&preview(api, "acme", &token)), claim(api, "acme", &token));
        assert_eq!(own.0, ["own_project"]);
        refused(&own.1, 400, "own_project", "The project is in this organization already.");
        let project = api.get("/v1/projects/{ref}").json();
        for name in [project["name"].as_str().expect("a name"), "second"] {
            let new = json!({ "name": name, "organization_slug": other, "region": "us-east-1", "db_pass": "hunter22" });
            assert_eq!(api.post("/v1/projects", new).status, 201);
        }
        let reply = preview(api, &other, &token);
        assert_eq!(errors(&reply), ["project_exists", "free_quota"]);
        let full = json!([{ "name": "owner", "limit": 2 }]);
        assert_eq!(reply.json()["preview"]["members_exceeding_free_project_limit"], full);
        assert_eq!(claim(api, &other, &token).reason(), "project_exists");
        assert_eq!(api.get("/v1/projects/{ref}").json(), project, "nothing has changed");
        for slug in ["acme", &other] {
            let unknown = preview(api, slug, "no-such-token");
            refused(&unknown, 404, "claim_token_not_found", "Claim token not found");
        }
        api.after(86_400);
        assert_eq!(claim(api, &other, &token).status, 404, "it was valid for a day");
    });
}

#[test]
fn only_administrators_take_a_project_over_and_nobody_sees_the_token() {
    both(scenario::active_project, |api| {
        let (other, token) = (another(api, "pro"), token(api));
        let path = format!("/v1/organizations/{other}/project-claim/{token}");
        api.control(
            Method::PUT,
            &format!("/_sim/organizations/{other}/members/developer"),
            json!({ "role": "Developer" }),
        );
        for who in ["outsider", "developer"] {
            for call in [Call::get(&path), Call::post(&path)] {
                assert_eq!(api.send(call.token(&format!("token-of-{who}"))).status, 403);
            }
        }
        assert_eq!(preview(api, &other, &token).status, 200);
        let told = peek(api, |sim| {
            let search = sim.search_journal(&Filter::default(), 0, 1000);
            format!("{:?} {search:?} {:?}", sim.journal(), sim.explain(sim.calls()))
        });
        assert!(told.contains("/project-claim/") && !told.contains(&token));
        assert_eq!(claim(api, &other, &token).status, 204);
        let replayed = peek(api, |sim| sim.replay_file().expect("it is whole").run(sim.registry()).is_ok());
        assert!(replayed, "a replay knows the token");
    });
}

#[test]
fn a_user_who_lets_an_app_act_takes_the_project_over() {
    both(scenario::active_project, |api| {
        let body =
            json!({ "name": "App", "redirect_uris": ["https://app.test/back"], "scopes": ["projects:read"] });
        let app = api.control(Method::POST, "/_sim/oauth/apps", body)["client_id"].clone();
        let app = app.as_str().expect("a UUID");
        let path = format!(
            "/v1/oauth/authorize/project-claim?project_ref={{ref}}&client_id={app}&response_type=code&redirect_uri=https://app.test/back"
        );
        let ask = |api: &mut dyn Api| api.send(Call::get(&path).nobody());
        api.control(Method::PUT, "/_sim/oauth/consent", json!({ "granted": true, "user": "owner" }));
        refused(&ask(api), 404, "claim_token_not_found", "Claim token not found");
        api.act(TOKEN);
        assert_eq!(ask(api).reason(), "no_organization");
        let other = api.post("/v1/organizations", json!({ "name": "Globex" })).json()["id"].clone();
        let reply = ask(api);
        assert_eq!(reply.status, 303, "{reply}");
        assert_eq!(api.get("/v1/projects/{ref}").json()["organization_id"], other);
        assert_eq!(api.get(TOKEN).status, 404, "the token is used up");
    });
}

#[test]
fn a_token_is_spent_by_a_transfer_and_ends_with_the_membership_of_who_made_it() {
    both(scenario::active_project, |api| {
        let other = another(api, "pro");
        let given = token(api);
        let to = json!({ "data": { "type": "project_transfer_input",
                                   "attributes": { "target_organization_slug": other } } });
        assert_eq!(api.post("/v2/projects/{ref}/transfers", to).status, 204);
        assert_eq!(claim(api, "acme", &given).reason(), "claim_token_not_found");
        assert_eq!(api.get("/v1/projects/{ref}").json()["organization_id"], json!(other));
    });
    both(scenario::active_project, |api| {
        let other = another(api, "pro");
        let by = Call::post(TOKEN).token("token-of-administrator");
        let given = api.send(by).json()["token"].as_str().expect("a token").to_owned();
        assert_eq!(preview(api, &other, &given).status, 200);
        api.control(Method::DELETE, "/_sim/organizations/acme/members/administrator", json!({}));
        assert_eq!(claim(api, &other, &given).reason(), "claim_token_not_found");
    });
}

#[test]
fn a_branch_has_no_token() {
    both(scenario::active_project, |api| {
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        let own = branch["project_ref"].as_str().expect("a reference").to_owned();
        let reply = api.act(&format!("/v1/projects/{own}/claim-token"));
        refused(&reply, 400, "project_is_branch", "A branch goes where its project goes.");
    });
}

#[test]
fn what_the_target_plan_lacks_is_an_obstacle() {
    both(scenario::active_project, |api| {
        let other = another(api, "free");
        let given = token(api);
        api.resize("small");
        assert_eq!(errors(&preview(api, &other, &given)), ["instance_too_large"]);
        api.addon("pitr_7", true);
        api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
        api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" }));
        let all = ["addons_present", "instance_too_large", "replicas_present", "branches_present"];
        assert_eq!(errors(&preview(api, &other, &given)), all);
        assert_eq!(claim(api, &other, &given).reason(), "addons_present");
        api.control(Method::PUT, &format!("/_sim/organizations/{other}/plan"), json!({ "plan": "pro" }));
        assert_eq!(errors(&preview(api, &other, &given)), Vec::<Value>::new());
    });
    both(scenario::active_project, |api| {
        let other = another(api, "free");
        let given = token(api);
        assert_eq!(claim(api, &other, &given).status, 204);
        let size = api.get("/_sim/projects/{ref}/instance-size").json();
        assert_eq!(size["instance_size"], "nano", "as all projects on that plan");
    });
}
