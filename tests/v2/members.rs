//! `/v2/organizations/{slug}/members`, `/members/invitations` and `/roles`.

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, under};
use crate::support::both;

const MEMBERS: &str = "/v2/organizations/acme/members";
const INVITATIONS: &str = "/v2/organizations/acme/members/invitations";

fn data(kind: &str, attributes: Value) -> Value {
    json!({ "data": { "type": kind, "attributes": attributes } })
}

fn invitation(email: &str, role: &str) -> Value {
    json!({ "type": "organization_invitation", "attributes": { "email": email, "role": role } })
}

/// UUID of a member.
fn id_of(api: &mut dyn Api, name: &str) -> String {
    let found = api.get(&format!("{MEMBERS}?filter[username]={name}")).json();
    found["data"][0]["id"].as_str().expect("there is such a member").to_owned()
}

fn give(api: &mut dyn Api, name: &str, attributes: Value) -> sim_fixtures::Reply {
    let path = format!("{MEMBERS}/{}/roles", id_of(api, name));
    api.patch(&path, data("organization_member_role", attributes))
}

#[test]
fn members_are_listed_page_by_page() {
    both(scenario::four_roles, |api| {
        let names = |page: &Value| -> Vec<String> {
            let all = page["data"].as_array().expect("a list").iter();
            all.map(|one| one["attributes"]["username"].as_str().unwrap_or_default().to_owned()).collect()
        };
        let whole = names(&api.get(MEMBERS).json());
        let (mut seen, mut next) = (Vec::new(), format!("{MEMBERS}?page[size]=3"));
        let last = loop {
            let page = api.get(&next).json();
            seen.extend(names(&page));
            match page["links"]["next"].as_str() {
                Some(link) => link.clone_into(&mut next),
                None => break page,
            }
        };
        assert_eq!((seen, whole.len()), (whole.clone(), 4));
        let before = api.get(last["links"]["prev"].as_str().expect("there is a page before it")).json();
        assert_eq!(names(&before), whole[..3]);
        let unknown = format!("{MEMBERS}?page[after]=00000000-0000-4000-8000-000000000000");
        assert_eq!(api.get(&unknown).json()["error"]["code"], "pagination_cursor_invalid");
        assert_eq!(api.get(&format!("{MEMBERS}?page[size]=101")).reason(), "invalid_query.page[size]");
    });
}

#[test]
fn a_member_gets_another_role_and_leaves() {
    both(scenario::four_roles, |api| {
        let reply = give(api, "reader", json!({ "role": "developer" }));
        let role = json!({ "name": "developer", "scope": "organization", "projects": [] });
        assert_eq!((reply.status, &reply.json()["data"]["attributes"]), (200, &role));
        let listed = api.get("/v1/organizations/acme/members").json();
        let reader = listed.as_array().expect("a list").iter().find(|one| one["user_name"] == "reader");
        assert_eq!(reader.expect("a member")["role_name"], "Developer");
        assert_eq!(give(api, "owner", json!({ "role": "developer" })).reason(), "last_owner");
        let wrong = give(api, "reader", json!({ "role": "Developer" }));
        assert_eq!(wrong.reason(), "invalid_body.data.attributes.role");
        let path = format!("{MEMBERS}/{}", id_of(api, "reader"));
        let by_low = Call::new(Method::DELETE, &path).token("token-of-administrator");
        assert_eq!(api.send(by_low).reason(), "role_too_low");
        assert_eq!(api.delete(&path).to_string(), "204 ");
        assert_eq!(api.delete(&path).reason(), "member_not_found");
        let owner = format!("{MEMBERS}/{}", id_of(api, "owner"));
        assert_eq!(api.delete(&owner).reason(), "last_owner");
    });
}

#[test]
fn a_role_can_be_limited_to_projects() {
    both(
        || under(|_| {}),
        |api| {
            let limited = json!({ "role": "developer", "projects": [{ "ref": api.project() }] });
            let reply = give(api, "developer", limited.clone());
            assert_eq!(reply.json()["error"]["code"], "organization_role_not_entitled");
            api.plan("team");
            let other = api.another_project("other");
            api.after(60);
            assert_eq!(give(api, "developer", limited).json()["data"]["attributes"]["scope"], "project");
            let mut reach = |path: &str| api.send(Call::get(path).token("token-of-developer")).status;
            assert_eq!(reach("/v1/projects/{ref}"), 200);
            assert_eq!(reach(&format!("/v1/projects/{other}")), 403);
            assert_eq!(reach("/v1/organizations/acme"), 200);
            assert_eq!(give(api, "developer", json!({ "role": "no-access" })).status, 200);
            let mut reach = |path: &str| api.send(Call::get(path).token("token-of-developer")).status;
            assert_eq!(reach("/v1/projects/{ref}"), 403);
            assert_eq!(reach("/v1/organizations/acme"), 403);
            let roles = api.get(&format!("{MEMBERS}?filter[username]=developer")).json();
            assert_eq!(roles["data"][0]["attributes"]["roles"][0]["name"], "no-access");
            let unknown = json!({ "role": "developer", "projects": [{ "ref": "nosuchprojectatallxx" }] });
            assert_eq!(give(api, "developer", unknown).reason(), "project_not_found");
            assert_eq!(give(api, "developer", json!({ "role": "developer" })).status, 200);
            assert_eq!(api.send(Call::get("/v1/projects/{ref}").token("token-of-developer")).status, 200);
        },
    );
}

#[test]
fn people_are_invited_and_accept() {
    both(scenario::four_roles, |api| {
        let both = json!({ "data": [
            invitation("outsider@example.test", "developer"),
            invitation("owner@example.test", "developer"),
        ] });
        let reply = api.post(INVITATIONS, both);
        let shown = reply.json();
        assert_eq!(
            (reply.status, &shown["data"][0]["attributes"]["email"]),
            (201, &json!("outsider@example.test"))
        );
        assert_eq!(shown["error"]["code"], "organization_invitations_partially_failed");
        assert_eq!(shown["error"]["issues"][0]["meta"], json!({ "email": "owner@example.test" }));
        let accept = Call::put("/_sim/organizations/acme/invitations/outsider");
        assert_eq!(api.send(accept.clone()).status, 200);
        assert_eq!(api.send(accept).status, 404);
        let found = api.get(&format!("{MEMBERS}?filter[primary_email]=outsider@example.test")).json();
        assert_eq!(found["data"][0]["attributes"]["roles"][0]["name"], "developer");
        let bad = json!({ "data": [invitation("nobody", "owner")] });
        assert_eq!(api.post(INVITATIONS, bad).reason(), "invalid_body.data.0.attributes.email");
    });
}

#[test]
fn invitations_are_taken_back() {
    both(scenario::four_roles, |api| {
        api.post(INVITATIONS, json!({ "data": [invitation("outsider@example.test", "developer")] }));
        let gone = json!({ "data": [
            { "type": "organization_invitation", "attributes": { "email": "outsider@example.test" } },
            { "type": "organization_invitation", "attributes": { "email": "nobody@example.test" } },
        ] });
        let reply = api.send(Call::new(Method::DELETE, INVITATIONS).json(gone));
        assert_eq!(reply.json()["data"].as_array().map(Vec::len), Some(1));
        assert_eq!(reply.header("x-sim-ignored"), "body.data.1.attributes.email");
        assert_eq!(api.send(Call::put("/_sim/organizations/acme/invitations/outsider")).status, 404);
    });
}

#[test]
fn roles_are_named_as_they_are_sent() {
    both(scenario::fresh, |api| {
        let roles = api.get("/v2/organizations/acme/roles").json();
        let names =
            roles["data"].as_array().expect("a list").iter().map(|one| one["attributes"]["name"].clone());
        let expected = ["owner", "administrator", "developer", "read-only", "no-access"].map(Value::from);
        assert_eq!(names.collect::<Vec<_>>(), expected);
    });
}

#[test]
fn only_owners_invite_owners_and_withdraw_their_invitations() {
    both(scenario::four_roles, |api| {
        let mut by = |call: Call| api.send(call.token("token-of-administrator"));
        let owner = json!({ "data": [invitation("mole@example.test", "owner")] });
        assert_eq!(by(Call::post(INVITATIONS).json(owner.clone())).reason(), "role_too_low");
        let administrator = json!({ "data": [invitation("other@example.test", "administrator")] });
        assert_eq!(by(Call::post(INVITATIONS).json(administrator)).status, 201);
        assert_eq!(api.post(INVITATIONS, owner).status, 201);
        let gone = |email: &str| {
            let one = json!({ "type": "organization_invitation", "attributes": { "email": email } });
            Call::new(Method::DELETE, INVITATIONS).json(json!({ "data": [one] }))
        };
        let mut by = |call: Call| api.send(call.token("token-of-administrator"));
        assert_eq!(by(gone("mole@example.test")).reason(), "role_too_low");
        assert_eq!(by(gone("other@example.test")).status, 200);
        assert_eq!(api.send(gone("mole@example.test")).status, 200);
    });
}

#[test]
fn addresses_are_compared_without_regard_to_case() {
    both(scenario::four_roles, |api| {
        let one = |email: &str| json!({ "data": [invitation(email, "developer")] });
        let issue = |reply: &sim_fixtures::Reply| reply.json()["error"]["issues"][0]["code"].clone();
        let reply = api.post(INVITATIONS, one("OWNER@example.test"));
        assert_eq!(issue(&reply), "member_exists");
        assert!(api.post(INVITATIONS, one("Outsider@Example.test")).json()["error"].is_null());
        let reply = api.post(INVITATIONS, one("outsider@example.test"));
        assert_eq!(issue(&reply), "invitation_exists");
        assert_eq!(api.send(Call::put("/_sim/organizations/acme/invitations/outsider")).status, 200);
        let found = api.get(&format!("{MEMBERS}?filter[primary_email]=OUTSIDER@example.test")).json();
        assert_eq!(found["data"][0]["attributes"]["username"], "outsider");
    });
}

#[test]
fn a_project_that_moves_away_leaves_the_roles_that_were_limited_to_it() {
    both(
        || under(|_| {}),
        |api| {
            api.plan("team");
            let own = api.project();
            let twice = json!({ "role": "developer", "projects": [{ "ref": own }, { "ref": own }] });
            let reply = give(api, "developer", twice);
            let projects = |role: &Value| role["projects"].as_array().map_or(0, Vec::len);
            assert_eq!(projects(&reply.json()["data"]["attributes"]), 1, "{reply}");
            let made = api.post("/v1/organizations", json!({ "name": "Umbrella" })).json();
            let to = json!({ "target_organization_slug": made["slug"] });
            let moved = api.post("/v2/projects/{ref}/transfers", data("project_transfer_input", to));
            assert_eq!(moved.status, 204, "{moved}");
            let found = api.get(&format!("{MEMBERS}?filter[username]=developer")).json();
            let role = &found["data"][0]["attributes"]["roles"][0];
            assert_eq!((projects(role), &role["name"]), (0, &json!("developer")));
        },
    );
}

#[test]
fn a_page_goes_on_after_a_member_who_has_left() {
    both(scenario::four_roles, |api| {
        let page = api.get(&format!("{MEMBERS}?page[size]=2")).json();
        let next = page["links"]["next"].as_str().expect("there is another page").to_owned();
        let whole = api.get(&next).json();
        let last = page["data"][1]["attributes"]["username"].as_str().expect("a name").to_owned();
        api.control(Method::DELETE, &format!("/_sim/organizations/acme/members/{last}"), json!({}));
        assert_eq!(api.get(&next).json()["data"], whole["data"]);
    });
}
