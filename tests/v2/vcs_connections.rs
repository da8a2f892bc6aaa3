//! `/v2/organizations/{slug}/integrations/vcs/connections`.

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::{Call, scenario};

use crate::steps::Steps as _;
use crate::support::both;

const CONNECTIONS: &str = "/v2/organizations/acme/integrations/vcs/connections";
const CONNECT: &str = "/_sim/projects/{ref}/vcs-connection";

#[test]
fn a_connection_is_made_changed_and_ended() {
    both(scenario::active_project, |api| {
        assert_eq!(api.get(CONNECTIONS).json()["data"], json!([]));
        api.control(Method::PUT, CONNECT, json!({ "repository": "acme/shop", "user": "owner" }));
        let listed = api.get(CONNECTIONS).json();
        let shown = &listed["data"][0]["attributes"];
        assert_eq!(listed["data"][0]["type"], "vcs_connection");
        assert_eq!((&shown["repository"]["name"], &shown["workdir"]), (&json!("acme/shop"), &json!(".")));
        assert_eq!((&shown["branch_limit"], &shown["user"]["username"]), (&json!(3), &json!("owner")));
        let change = json!({ "repository": "acme/site", "workdir": "db", "new_branch_per_pr": false });
        api.control(Method::PUT, CONNECT, change);
        let changed = api.get(CONNECTIONS).json();
        assert_eq!(changed["data"][0]["id"], listed["data"][0]["id"]);
        let shown = &changed["data"][0]["attributes"];
        assert_eq!((&shown["workdir"], &shown["user"]), (&json!("db"), &Value::Null));
        let project = shown["project"]["ref"].as_str().expect("a reference").to_owned();
        let only = format!("{CONNECTIONS}?filter[project_ref]={project}");
        assert_eq!(api.get(&only).json()["data"], changed["data"]);
        api.control(Method::PUT, CONNECT, json!({ "repository": null }));
        assert_eq!(api.get(&only).json()["data"], json!([]));
        let gone = format!("{CONNECTIONS}?page[after]={project}");
        assert_eq!(api.get(&gone).reason(), "pagination_cursor_invalid");
        let unknown = Call::put(CONNECT).json(json!({ "repository": "a/b", "user": "nobody" }));
        assert_eq!(api.send(unknown).reason(), "user_not_found");
        assert_eq!(api.send(Call::get(CONNECTIONS).token("token-of-outsider")).reason(), "not_a_member");
    });
}

#[test]
fn connections_are_paged_by_project() {
    both(scenario::active_project, |api| {
        let other = api.another_project("other");
        api.control(Method::PUT, CONNECT, json!({ "repository": "acme/shop" }));
        let path = format!("/_sim/projects/{other}/vcs-connection");
        api.control(Method::PUT, &path, json!({ "repository": "acme/other" }));
        let first = api.get(&format!("{CONNECTIONS}?page[size]=1")).json();
        let second = api.get(first["links"]["next"].as_str().expect("there is another")).json();
        assert_eq!(second["data"][0]["attributes"]["project"]["ref"], other.as_str());
        assert_eq!(second["links"]["next"], Value::Null);
    });
}
