//! `/v1/snippets`

use serde_json::{Value, json};

use super::{Scene, active_project, refused, scene};
use sim_core::Policy;
use sim_core::management::project::CreateProject;

fn keep(scene: &mut Scene, user: &str, name: &str, visibility: &str) -> Value {
    let project = scene.project.clone();
    let body = json!({ "user": user, "project_ref": project, "name": name, "sql": "select 1", "visibility": visibility });
    scene.control("POST", "/_sim/snippets", body)
}

fn names(page: &Value) -> Vec<String> {
    let data = page["data"].as_array().expect("a page has data").iter();
    data.map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect()
}

fn cursor(page: &Value) -> String {
    page["cursor"].as_str().expect("there is a next page").to_owned()
}

fn seen_by(scene: &mut Scene, token: &str) -> Vec<String> {
    names(&scene.send("GET", "/v1/snippets?sort_by=name&sort_order=asc", token, None).json())
}

#[test]
fn a_snippet_comes_back_with_its_sql_and_is_listed_without() {
    let mut scene = active_project();
    assert_eq!(scene.get("/v1/snippets").body, r#"{"data":[]}"#);
    let kept = keep(&mut scene, "owner", "count", "user");
    let path = format!("/v1/snippets/{}", kept["id"].as_str().unwrap_or_default());
    let snippet = scene.get(&path).json();
    assert_eq!(snippet, kept);
    assert_eq!(snippet["content"], json!({ "favorite": false, "schema_version": "1.0", "sql": "select 1" }));
    assert_eq!(snippet["owner"], json!({ "id": 1, "username": "owner" }));
    assert_eq!(snippet["project"], json!({ "id": 1, "name": "demo" }));
    let mut item = snippet;
    item.as_object_mut().expect("a snippet is an object").remove("content");
    assert_eq!(scene.get("/v1/snippets").json(), json!({ "data": [item] }));
}

#[test]
fn a_snippet_is_changed_and_deleted() {
    let mut scene = active_project();
    let kept = keep(&mut scene, "owner", "count", "user");
    let id = kept["id"].as_str().unwrap_or_default().to_owned();
    scene.after(5);
    let path = format!("/_sim/snippets/{id}");
    let body = json!({ "user": "developer", "sql": "select 2", "favorite": true, "visibility": "project" });
    let changed = scene.control("PATCH", &path, body);
    assert_eq!(changed["content"], json!({ "favorite": true, "schema_version": "1.0", "sql": "select 2" }));
    assert_eq!(changed["updated_by"]["username"], "developer");
    assert_eq!((&changed["name"], &changed["updated_at"]), (&json!("count"), &json!("2026-01-01T00:01:05Z")));
    scene.control("DELETE", &path, json!({}));
    assert_eq!(scene.get(&format!("/v1/snippets/{id}")).status, 406);
    assert_eq!(scene.delete(&path).status, 404);
    assert_eq!(scene.patch(&path, json!({})).status, 404);
}

#[test]
fn an_unknown_snippet_is_406_and_one_without_uuid_400() {
    let mut scene = active_project();
    let reply = scene.get("/v1/snippets/00000000-0000-4000-8000-000000000000");
    refused(&reply, 406, "snippet_not_found", "Failed to retrieve SQL snippet");
    refused(&scene.get("/v1/snippets/x"), 400, "invalid_path.id", "id: Invalid uuid");
}

#[test]
fn visibility_decides_who_sees_a_snippet() {
    let mut scene = active_project();
    let mut ids = Vec::new();
    for visibility in ["user", "project", "org", "public"] {
        let kept = keep(&mut scene, "developer", visibility, visibility);
        assert_eq!(kept["visibility"], visibility);
        ids.push(format!("/v1/snippets/{}", kept["id"].as_str().unwrap_or_default()));
    }
    assert_eq!(seen_by(&mut scene, "token-of-developer"), ["org", "project", "public", "user"]);
    assert_eq!(seen_by(&mut scene, "token-of-reader"), ["org", "project", "public"]);
    assert_eq!(seen_by(&mut scene, "token-of-outsider"), [] as [&str; 0]);
    for (token, statuses) in [
        ("token-of-developer", [200, 200, 200, 200]),
        ("token-of-owner", [406, 200, 200, 200]),
        ("token-of-outsider", [406, 406, 406, 200]),
        ("nobody-knows", [401, 401, 401, 401]),
    ] {
        let found: Vec<_> = ids.iter().map(|id| scene.send("GET", id, token, None).status).collect();
        assert_eq!(found, statuses, "{token}");
    }
}

#[test]
fn pages_survive_what_comes_and_goes() {
    for (order, expected) in [("asc", ["a", "b", "c", "d", "e"]), ("desc", ["e", "d", "c", "b", "a"])] {
        for by in ["name", "inserted_at"] {
            let mut scene = active_project();
            let kept: Vec<_> = ["a", "b", "c", "d", "e"]
                .map(|name| {
                    scene.after(1);
                    keep(&mut scene, "owner", name, "user")
                })
                .into();
            let path = format!("/v1/snippets?limit=2&sort_by={by}&sort_order={order}");
            let first = scene.get(&path).json();
            assert_eq!(names(&first), expected[..2]);
            // The row that the cursor names goes, others come on both sides of it.
            let last = kept.iter().find(|one| one["name"] == expected[1]).expect("it was kept");
            let gone = format!("/_sim/snippets/{}", last["id"].as_str().unwrap_or_default());
            scene.control("DELETE", &gone, json!({}));
            let project = scene.project.clone();
            scene.control(
                "POST",
                "/_sim/snippets",
                json!({ "user": "reader", "project_ref": project, "name": "0", "sql": "" }),
            );
            let second = scene.get(&format!("{path}&cursor={}", cursor(&first))).json();
            assert_eq!(names(&second), expected[2..4], "{by} {order}");
            let third = scene.get(&format!("{path}&cursor={}", cursor(&second))).json();
            assert_eq!((names(&third), &third["cursor"]), (vec![expected[4].to_owned()], &Value::Null));
        }
    }
}

#[test]
fn newest_first_and_ten_on_a_page_unless_told_otherwise() {
    let mut many = active_project();
    let mut two = scene(Policy { snippets_page: 2, ..Policy::default() });
    for (scene, page) in [(&mut many, 10), (&mut two, 2)] {
        for number in 10..21 {
            keep(scene, "owner", &number.to_string(), "user");
        }
        let found = names(&scene.get("/v1/snippets").json());
        assert_eq!((found.len(), &*found[0]), (page, "20"));
    }
    assert_eq!(names(&many.get("/v1/snippets?limit=100").json()).len(), 11);
}

#[test]
fn only_a_projects_snippets_are_listed_where_asked() {
    let mut scene = active_project();
    keep(&mut scene, "owner", "first", "user");
    let other = scene.sim.call(CreateProject::named("other", "acme")).expect("the project is good").id.0;
    scene.project = other.clone();
    keep(&mut scene, "owner", "second", "user");
    assert_eq!(names(&scene.get(&format!("/v1/snippets?project_ref={other}")).json()), ["second"]);
}

#[test]
fn wrong_queries_are_refused() {
    let mut scene = active_project();
    for name in ["a", "b"] {
        keep(&mut scene, "owner", name, "user");
    }
    let next = cursor(&scene.get("/v1/snippets?limit=1").json());
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
        let reply = scene.get(&format!("/v1/snippets?{query}"));
        assert_eq!((reply.status, &*reply.reason), (400, reason), "{query}");
    }
    assert_eq!(scene.send("GET", "/v1/snippets", "x", None).status, 401);
}
