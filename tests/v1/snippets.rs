//! `/v1/snippets`

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refused, under};
use crate::support::both;

fn keep(api: &mut dyn Api, user: &str, name: &str, visibility: &str) -> Value {
    let project = api.project();
    let body = json!({ "user": user, "project_ref": project, "name": name, "sql": "select 1", "visibility": visibility });
    api.control(Method::POST, "/_sim/snippets", body)
}

fn names(page: &Value) -> Vec<String> {
    let data = page["data"].as_array().expect("a page has data").iter();
    data.map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect()
}

fn cursor(page: &Value) -> String {
    page["cursor"].as_str().expect("there is a next page").to_owned()
}

fn seen_by(api: &mut dyn Api, token: &str) -> Vec<String> {
    names(&api.send(Call::get("/v1/snippets?sort_by=name&sort_order=asc").token(token)).json())
}

#[test]
fn a_snippet_is_returned_with_its_sql_and_listed_without() {
    both(scenario::active_project, |api| {
        assert_eq!(api.get("/v1/snippets").to_string(), r#"200 {"data":[]}"#);
        let kept = keep(api, "owner", "count", "user");
        let path = format!("/v1/snippets/{}", kept["id"].as_str().unwrap_or_default());
        let snippet = api.get(&path).json();
        assert_eq!(snippet, kept);
        assert_eq!(
            snippet["content"],
            json!({ "favorite": false, "schema_version": "1.0", "sql": "select 1" })
        );
        assert_eq!(snippet["owner"], json!({ "id": 1, "username": "owner" }));
        assert_eq!(snippet["project"], json!({ "id": 1, "name": "demo" }));
        let mut item = snippet;
        item.as_object_mut().expect("a snippet is an object").remove("content");
        assert_eq!(api.get("/v1/snippets").json(), json!({ "data": [item] }));
    });
}

#[test]
fn a_snippet_is_changed_and_deleted() {
    both(scenario::active_project, |api| {
        let kept = keep(api, "owner", "count", "user");
        let id = kept["id"].as_str().unwrap_or_default().to_owned();
        api.after(5);
        let path = format!("/_sim/snippets/{id}");
        let body =
            json!({ "user": "developer", "sql": "select 2", "favorite": true, "visibility": "project" });
        let changed = api.control(Method::PATCH, &path, body);
        assert_eq!(
            changed["content"],
            json!({ "favorite": true, "schema_version": "1.0", "sql": "select 2" })
        );
        assert_eq!(changed["updated_by"]["username"], "developer");
        assert_eq!(
            (&changed["name"], &changed["updated_at"]),
            (&json!("count"), &json!("2026-01-01T00:01:05Z"))
        );
        api.control(Method::DELETE, &path, json!({}));
        assert_eq!(api.get(&format!("/v1/snippets/{id}")).status, 406);
        assert_eq!(api.delete(&path).status, 404);
        assert_eq!(api.patch(&path, json!({})).status, 404);
    });
}

#[test]
fn an_unknown_snippet_is_406_and_one_without_uuid_400() {
    both(scenario::active_project, |api| {
        let reply = api.get("/v1/snippets/00000000-0000-4000-8000-000000000000");
        refused(&reply, 406, "snippet_not_found", "Failed to retrieve SQL snippet");
        refused(&api.get("/v1/snippets/x"), 400, "invalid_path.id", "id: Invalid uuid");
    });
}

#[test]
fn visibility_decides_who_sees_a_snippet() {
    both(scenario::active_project, |api| {
        let mut ids = Vec::new();
        for visibility in ["user", "project", "org", "public"] {
            let kept = keep(api, "developer", visibility, visibility);
            assert_eq!(kept["visibility"], visibility);
            ids.push(format!("/v1/snippets/{}", kept["id"].as_str().unwrap_or_default()));
        }
        assert_eq!(seen_by(api, "token-of-developer"), ["org", "project", "public", "user"]);
        assert_eq!(seen_by(api, "token-of-reader"), ["org", "project", "public"]);
        assert_eq!(seen_by(api, "token-of-outsider"), [] as [&str; 0]);
        for (token, statuses) in [
            ("token-of-developer", [200, 200, 200, 200]),
            ("token-of-owner", [406, 200, 200, 200]),
            ("token-of-outsider", [406, 406, 406, 200]),
            ("nobody-knows", [401, 401, 401, 401]),
        ] {
            let found: Vec<_> = ids.iter().map(|id| api.send(Call::get(id).token(token)).status).collect();
            assert_eq!(found, statuses, "{token}");
        }
    });
}

#[test]
fn pages_stay_stable_while_rows_are_added_and_deleted() {
    for (order, expected) in [("asc", ["a", "b", "c", "d", "e"]), ("desc", ["e", "d", "c", "b", "a"])] {
        for by in ["name", "inserted_at"] {
            both(scenario::active_project, |api| {
                let kept: Vec<_> = ["a", "b", "c", "d", "e"]
                    .map(|name| {
                        api.after(1);
                        keep(api, "owner", name, "user")
                    })
                    .into();
                let path = format!("/v1/snippets?limit=2&sort_by={by}&sort_order={order}");
                let first = api.get(&path).json();
                assert_eq!(names(&first), expected[..2]);
                // The row that the cursor names is deleted; rows are added before and after it.
                let last = kept.iter().find(|one| one["name"] == expected[1]).expect("it was kept");
                let gone = format!("/_sim/snippets/{}", last["id"].as_str().unwrap_or_default());
                api.control(Method::DELETE, &gone, json!({}));
                let project = api.project();
                api.control(
                    Method::POST,
                    "/_sim/snippets",
                    json!({ "user": "reader", "project_ref": project, "name": "0", "sql": "" }),
                );
                let second = api.get(&format!("{path}&cursor={}", cursor(&first))).json();
                assert_eq!(names(&second), expected[2..4], "{by} {order}");
                let third = api.get(&format!("{path}&cursor={}", cursor(&second))).json();
                assert_eq!((names(&third), &third["cursor"]), (vec![expected[4].to_owned()], &Value::Null));
            });
        }
    }
}

#[test]
fn by_default_newest_first_and_ten_per_page() {
    let keep_eleven = |api: &mut dyn Api| {
        for number in 10..21 {
            keep(api, "owner", &number.to_string(), "user");
        }
    };
    both(scenario::active_project, |api| {
        keep_eleven(api);
        let found = names(&api.get("/v1/snippets").json());
        assert_eq!((found.len(), &*found[0]), (10, "20"));
        assert_eq!(names(&api.get("/v1/snippets?limit=100").json()).len(), 11);
    });
    both(
        || under(|policy| policy.snippets_page = 2),
        |api| {
            keep_eleven(api);
            let found = names(&api.get("/v1/snippets").json());
            assert_eq!((found.len(), &*found[0]), (2, "20"));
        },
    );
}

#[test]
fn only_a_projects_snippets_are_listed_where_asked() {
    both(scenario::active_project, |api| {
        keep(api, "owner", "first", "user");
        let other = api.another_project("other");
        let body = json!({ "user": "owner", "project_ref": other, "name": "second", "sql": "select 1" });
        api.control(Method::POST, "/_sim/snippets", body);
        assert_eq!(names(&api.get(&format!("/v1/snippets?project_ref={other}")).json()), ["second"]);
    });
}

#[test]
fn wrong_queries_are_refused() {
    both(scenario::active_project, |api| {
        for name in ["a", "b"] {
            keep(api, "owner", name, "user");
        }
        let next = cursor(&api.get("/v1/snippets?limit=1").json());
        for (query, reason) in [
            ("limit=0", "invalid_query.limit"),
            ("limit=101", "invalid_query.limit"),
            ("limit=ten", "invalid_query.limit"),
            ("sort_by=age", "invalid_query.sort_by"),
            ("sort_order=up", "invalid_query.sort_order"),
            ("project_ref=x", "invalid_query.project_ref"),
            ("cursor=x", "invalid_query.cursor"),
            (&format!("sort_by=name&cursor={next}"), "invalid_query.cursor"),
        ] {
            let reply = api.get(&format!("/v1/snippets?{query}"));
            assert_eq!((reply.status, reply.reason()), (400, reason), "{query}");
        }
        assert_eq!(api.send(Call::get("/v1/snippets").token("x")).status, 401);
    });
}
