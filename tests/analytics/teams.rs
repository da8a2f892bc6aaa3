//! `/api/teams` and `/api/account`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, analytics};

use crate::support::both;

const PATH: &str = "/api/teams";

/// Creates the owner's team; returns its path.
fn team(api: &mut dyn Api) -> String {
    let made = api.post(PATH, json!({ "name": "crew" })).json();
    format!("{PATH}/{}", made["token"].as_str().expect("a token"))
}

#[test]
fn a_team_shows_its_owner() {
    both(analytics::fresh, |api| {
        assert_snapshot!(api.get(PATH), @"200 []");
        assert_snapshot!(api.post(PATH, json!({ "name": "crew" })), @r#"201 {"name":"crew","token":"f7e92420-c225-4f7d-b47a-f3780cf1a08d","user":{"name":"owner","email":"owner@example.test","token":"891598a8-f10f-4819-9c48-2da8dc6d59d4","api_key":"18bc0e51afd382eec73afb185f69a538","api_quota":150,"provider":"email","email_preferred":null,"email_me_product":false,"company":null,"image":null,"phone":null,"warehouse_project_id":"analytics","warehouse_dataset_id":"1_prod","warehouse_dataset_location":"US"},"team_users":[]}"#);
        let list = api.get(PATH).json();
        assert_eq!(list[0]["user"], api.get("/api/account").json());
        assert_eq!(list.as_array().map(Vec::len), Some(1));
    });
}

#[test]
fn who_joins_a_team_sees_it_and_cannot_change_it() {
    both(analytics::fresh, |api| {
        let path = team(api);
        let as_outsider = |call: Call| call.token("token-of-outsider");
        assert_snapshot!(api.send(as_outsider(Call::get(&path))), @r#"404 {"error":"Not Found"}"#);
        let token = path.rsplit('/').next().expect("a token");
        let users = format!("/_sim/teams/{token}/users");
        let joined = api.post(&users, json!({ "email": "outsider@example.test", "name": "Out" })).json();
        let seen = api.send(as_outsider(Call::get(&path))).json();
        assert_eq!(seen["team_users"], json!([{ "email": "outsider@example.test", "name": "Out" }]));
        assert_eq!(api.send(as_outsider(Call::get(PATH))).json(), json!([seen]));
        let by_user = format!("{PATH}/{}", joined["token"].as_str().expect("a token"));
        assert_eq!(api.get(&by_user).json(), seen);
        let body = json!({ "name": "x" });
        for call in [
            Call::put(&path).json(body.clone()),
            Call::new(http::Method::PATCH, &path).json(body),
            Call::delete(&path),
        ] {
            let reply = api.send(as_outsider(call.clone()));
            assert_eq!(reply.to_string(), r#"404 {"error":"Not Found"}"#, "{call}");
        }
    });
}

#[test]
fn put_and_patch_answer_201_with_the_team() {
    both(analytics::fresh, |api| {
        let path = team(api);
        let put = api.put(&path, json!({ "name": "new" }));
        assert_eq!((put.status, &put.json()["name"]), (201, &json!("new")));
        let patch = api.patch(&path, json!({}));
        assert_eq!((patch.status, patch.json()), (201, put.json()));
        assert_eq!(api.patch(&path, json!({ "name": "last" })).json()["name"], "last");
        assert_eq!(api.get(&path).json()["name"], "last");
    });
}

#[test]
fn a_deleted_team_is_gone_and_another_can_be_made() {
    both(analytics::fresh, |api| {
        let path = team(api);
        assert_snapshot!(api.delete(&path), @"204");
        assert_snapshot!(api.get(&path), @r#"404 {"error":"Not Found"}"#);
        assert_snapshot!(api.delete("/api/teams/any%20text"), @r#"404 {"error":"Not Found"}"#);
        team(api);
    });
}

#[test]
fn errors_in_a_team_name_the_field() {
    let rows: &[(Value, &str)] = &[
        (json!({}), r#"{"name":["can't be blank"]}"#),
        (json!({ "name": "" }), r#"{"name":["can't be blank"]}"#),
        (json!({ "name": 7 }), r#"{"name":["is invalid"]}"#),
    ];
    both(analytics::fresh, |api| {
        let path = team(api);
        for (body, errors) in rows {
            for reply in [api.post(PATH, body.clone()), api.put(&path, body.clone())] {
                assert_eq!(reply.to_string(), format!(r#"422 {{"errors":{errors}}}"#), "{body}");
            }
        }
        assert_snapshot!(api.patch(&path, json!({ "name": " " })), @r#"422 {"errors":{"name":["can't be blank"]}}"#);
        assert_snapshot!(api.post(PATH, json!({ "name": "second" })), @r#"422 {"errors":{"user_id":["has already been taken"]}}"#);
        let token = path.rsplit('/').next().expect("a token");
        let users = format!("/_sim/teams/{token}/users");
        api.post(&users, json!({ "email": "a@example.test", "name": "a" }));
        assert_snapshot!(api.post(&users, json!({ "email": "a@example.test", "name": "b" })), @r#"422 {"errors":{"email":["has already been taken"]}}"#);
        assert_snapshot!(api.post("/_sim/teams/none/users", json!({ "email": "a", "name": "b" })), @r#"404 {"error":"Not Found"}"#);
    });
}
