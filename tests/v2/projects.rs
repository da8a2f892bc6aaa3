//! `/v2/organizations/{slug}/projects`.

use serde_json::Value;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::Steps as _;
use crate::support::both;

const PROJECTS: &str = "/v2/organizations/acme/projects";

fn names(page: &Value) -> Vec<String> {
    let all = page["data"].as_array().expect("a list").iter();
    all.map(|one| one["attributes"]["name"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Every page of two from the first one on.
fn pages(api: &mut dyn Api, query: &str) -> Vec<Value> {
    let (mut all, mut next) = (Vec::new(), format!("{PROJECTS}?page[size]=2{query}"));
    loop {
        let page = api.get(&next).json();
        let link = page["links"]["next"].as_str().map(str::to_owned);
        all.push(page);
        match link {
            Some(link) => next = link,
            None => return all,
        }
    }
}

#[test]
fn projects_are_listed_page_by_page_in_both_orders() {
    both(scenario::active_project, |api| {
        for name in ["a", "b", "c"] {
            api.another_project(name);
        }
        let whole = names(&api.get(PROJECTS).json());
        assert_eq!(whole[1..], ["a", "b", "c"]);
        for (query, order) in [("", whole.clone()), ("&sort=-inserted_at", whole.into_iter().rev().collect())]
        {
            let pages = pages(api, query);
            assert_eq!(pages.iter().flat_map(names).collect::<Vec<_>>(), order);
            assert_eq!((pages.len(), &pages[0]["links"]["prev"]), (2, &Value::Null));
            let back = api.get(pages[1]["links"]["prev"].as_str().expect("there is one before")).json();
            assert_eq!(names(&back), order[..2], "{query}");
            assert_eq!(back["links"]["prev"], Value::Null);
            assert!(back["links"]["next"].is_string());
        }
        assert_eq!(names(&api.get(&format!("{PROJECTS}?search=B")).json()), ["b"]);
        let between = api.get(&format!("{PROJECTS}?page[size]=1")).json();
        let first = between["data"][0]["id"].as_str().expect("a reference").to_owned();
        let only = api.get(&format!("{PROJECTS}?search={first}")).json();
        assert_eq!(only["data"][0]["id"], Value::from(first));
        let database = &only["data"][0]["attributes"]["databases"][0];
        assert_eq!((&database["type"], &database["status"]), (&"PRIMARY".into(), &"ACTIVE_HEALTHY".into()));
    });
}

#[test]
fn wrong_cursors_and_outsiders_are_refused() {
    both(scenario::active_project, |api| {
        let unknown = api.get(&format!("{PROJECTS}?page[after]=nosuchprojectatallxx"));
        assert_eq!(unknown.json()["error"]["code"], "pagination_cursor_invalid");
        assert_eq!(api.get(&format!("{PROJECTS}?sort=name")).reason(), "invalid_query.sort");
        assert_eq!(api.send(Call::get(PROJECTS).token("token-of-outsider")).reason(), "not_a_member");
        assert_eq!(api.get("/v2/organizations/nowhere/projects").reason(), "organization_not_found");
    });
}

#[test]
fn a_page_goes_on_after_a_project_that_is_gone() {
    both(scenario::active_project, |api| {
        for name in ["second", "third"] {
            api.another_project(name);
        }
        api.after(60);
        let path = "/v2/organizations/acme/projects";
        let page = api.get(&format!("{path}?page[size]=2&sort=inserted_at")).json();
        let next = page["links"]["next"].as_str().expect("there is another page").to_owned();
        let whole = api.get(&next).json();
        let last = page["data"][1]["id"].as_str().expect("a reference").to_owned();
        api.delete(&format!("/v1/projects/{last}"));
        api.after(3600);
        assert_eq!(api.get(&format!("/v1/projects/{last}")).status, 404);
        assert_eq!(api.get(&next).json()["data"][0]["id"], whole["data"][0]["id"]);
        let made_up = format!("{path}?page[after]=nosuchprojectatallxx");
        assert_eq!(api.get(&made_up).reason(), "pagination_cursor_invalid");
    });
}
