//! `/v1/organizations/{slug}/members`.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::{Call, scenario};

use crate::support::both;

#[test]
fn members_are_listed_with_their_roles() {
    both(scenario::four_roles, |api| {
        let members = api.get("/v1/organizations/acme/members");
        assert_snapshot!(members.json()[0], @r#"{"user_id":"42cfc695-ccd5-425d-a823-5a35667d65a2","user_name":"owner","email":"owner@example.test","role_name":"Owner","mfa_enabled":false,"avatar_url":null}"#);
        let roles: Vec<_> =
            members.json().as_array().expect("a list").iter().map(|one| one["role_name"].clone()).collect();
        assert_eq!(roles, ["Owner", "Administrator", "Developer", "Read-only"]);
    });
}

#[test]
fn a_member_who_leaves_sees_nothing_from_the_next_call_on() {
    both(scenario::active_project, |api| {
        let get = || Call::get("/v1/projects/{ref}").token("token-of-developer");
        assert_eq!(api.send(get()).status, 200);
        assert_snapshot!(api.delete("/_sim/organizations/acme/members/developer"), @"200 {}");
        assert_snapshot!(api.send(get()), @r#"403 {"message":"Your account does not have the necessary privileges to access this endpoint. For more details, refer to our documentation on access control."}"#);
        assert_snapshot!(api.send(Call::get("/v1/projects").token("token-of-developer")), @"200 []");
    });
}

#[test]
fn a_member_with_a_higher_role_may_do_more_from_the_next_call_on() {
    both(scenario::active_project, |api| {
        let pause = || Call::post("/v1/projects/{ref}/pause").token("token-of-developer");
        assert_eq!(api.send(pause()).reason(), "role_too_low");
        assert_snapshot!(
            api.put("/_sim/organizations/acme/members/developer", json!({ "role": "Administrator" })),
            @"200 {}"
        );
        assert_snapshot!(api.send(pause()), @"200 {}");
    });
}
