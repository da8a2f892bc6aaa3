//! `/v2/projects/{ref}/notebooks`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Call, scenario};

use crate::steps::refuse_strangers;
use crate::support::both;

const NOTEBOOKS: &str = "/v2/projects/{ref}/notebooks";
const NONE: &str = "/v2/projects/{ref}/notebooks/00000000-0000-4000-8000-000000000000";

fn notebook(attributes: Value) -> Value {
    json!({ "data": { "type": "notebook", "attributes": attributes } })
}

fn named(name: &str) -> Value {
    notebook(json!({ "name": name, "content": { "cells": [] } }))
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(NOTEBOOKS), Role::ReadOnly),
        (Call::post(NOTEBOOKS).json(named("a")), Role::Developer),
        (Call::get(NONE), Role::ReadOnly),
        (Call::new(Method::PATCH, NONE).json(notebook(json!({ "name": "b" }))), Role::Developer),
        (Call::new(Method::DELETE, NONE), Role::Developer),
    ]);
}

#[test]
fn a_notebook_is_made_changed_and_deleted() {
    both(scenario::active_project, |api| {
        let cells = json!([
            { "type": "markdown", "text": "# Sales" },
            { "type": "database", "sql": "select 1" },
        ]);
        let made = api.post(NOTEBOOKS, notebook(json!({ "name": "Sales", "content": { "cells": cells } })));
        let shown = made.json()["data"]["attributes"].clone();
        assert_eq!(
            (made.status, &shown["owner"]["username"], &shown["favorite"]),
            (201, &json!("owner"), &json!(false))
        );
        let cells = &shown["content"]["cells"];
        assert_eq!((&cells[0]["text"], &cells[1]["row_limit"]), (&json!("# Sales"), &json!(100)));
        let path = format!("{NOTEBOOKS}/{}", made.json()["data"]["id"].as_str().expect("it has one"));
        let kept = json!([cells[1], { "type": "markdown", "text": "new" }]);
        let changed = api.patch(&path, notebook(json!({ "favorite": true, "content": { "cells": kept } })));
        let now = changed.json()["data"]["attributes"].clone();
        assert_eq!((&now["name"], &now["favorite"]), (&json!("Sales"), &json!(true)));
        assert_eq!(now["content"]["cells"][0], cells[1]);
        assert_eq!(api.get(&path).json()["data"]["attributes"], now);
        assert_eq!(api.delete(&path).to_string(), "204 ");
        assert_eq!(api.get(&path).json()["error"]["code"], "notebook_not_found");
    });
}

#[test]
fn notebooks_are_listed_page_by_page_in_an_order() {
    both(scenario::active_project, |api| {
        for name in ["b", "a", "c"] {
            assert_eq!(api.post(NOTEBOOKS, named(name)).status, 201);
        }
        let mut listed = |query: &str| -> (Vec<String>, Value) {
            let page = api.get(&format!("{NOTEBOOKS}?{query}")).json();
            let all = page["data"].as_array().expect("a list").iter();
            let names = all.map(|one| one["attributes"]["name"].as_str().unwrap_or_default().to_owned());
            (names.collect(), page["links"]["next"].clone())
        };
        assert_eq!(listed("sort=name").0, ["a", "b", "c"]);
        assert_eq!(listed("sort=-inserted_at").0, ["c", "a", "b"]);
        assert_eq!(listed("filter[name]=C").0, ["c"]);
        let (first, next) = listed("sort=name&page[size]=2");
        assert_eq!(first, ["a", "b"]);
        let next =
            next.as_str().and_then(|link| link.split_once('?')).expect("there is another page").1.to_owned();
        assert_eq!(listed(&next), (vec!["c".to_owned()], Value::Null));
    });
}

#[test]
fn a_page_goes_on_after_a_notebook_that_is_gone() {
    for sort in ["name", "-name", "inserted_at", "-inserted_at"] {
        both(scenario::active_project, |api| {
            for name in ["a", "b", "c", "d", "e"] {
                assert_eq!(api.post(NOTEBOOKS, named(name)).status, 201);
            }
            let mut query = format!("sort={sort}&page[size]=2");
            let mut seen = Vec::new();
            loop {
                let page = api.get(&format!("{NOTEBOOKS}?{query}")).json();
                for one in page["data"].as_array().expect("a list") {
                    seen.push(one["attributes"]["name"].as_str().expect("a name").to_owned());
                    let id = one["id"].as_str().expect("an id");
                    assert_eq!(api.delete(&format!("{NOTEBOOKS}/{id}")).status, 204);
                }
                let Some((_, next)) = page["links"]["next"].as_str().and_then(|link| link.split_once('?'))
                else {
                    break;
                };
                query = next.to_owned();
            }
            let mut all = vec!["a", "b", "c", "d", "e"];
            if sort.starts_with('-') {
                all.reverse();
            }
            assert_eq!(seen, all, "{sort}");
            let unknown = api.get(&format!("{NOTEBOOKS}?page[after]=00000000-0000-4000-8000-000000000000"));
            assert_eq!(unknown.status, 400);
        });
    }
}

#[test]
fn a_cell_keeps_its_other_members() {
    both(scenario::active_project, |api| {
        let cells = json!([
            { "type": "markdown", "text": "a", "colour": "red" },
            {
                "type": "log", "sql": "select 1", "folded": true,
                "time_range": { "type": "relative", "amount": 1, "unit": "day", "zone": "UTC" },
                "chart": {
                    "type": "bar", "scale": "linear", "cumulative": false, "show_labels": true, "x_column": "a",
                    "y_series": [{ "column": "b", "axis": "left" }], "stacked": { "by": ["c"] },
                },
            },
        ]);
        let made = api.post(NOTEBOOKS, notebook(json!({ "name": "Sales", "content": { "cells": cells } })));
        assert_eq!((made.status, made.header("x-sim-ignored")), (201, ""), "{made}");
        let mut kept = made.json()["data"]["attributes"]["content"]["cells"].take();
        for cell in kept.as_array_mut().into_iter().flatten() {
            cell.as_object_mut().map(|cell| cell.remove("id"));
        }
        assert_eq!(kept, cells);
    });
}

#[test]
fn cells_that_are_too_many_are_refused_and_many_are_changed_at_once() {
    both(scenario::active_project, |api| {
        let cells = |count: usize| vec![json!({ "type": "markdown", "text": "" }); count];
        let many = notebook(json!({ "name": "x", "content": { "cells": cells(100_001) } }));
        assert_eq!(api.post(NOTEBOOKS, many).reason(), "invalid_body.data.attributes.content.cells");
        let made =
            api.post(NOTEBOOKS, notebook(json!({ "name": "x", "content": { "cells": cells(20_000) } })));
        let mut made = made.json()["data"].take();
        let path = format!("{NOTEBOOKS}/{}", made["id"].as_str().expect("it has one"));
        let content = made["attributes"]["content"].take();
        let begun = std::time::Instant::now();
        assert_eq!(api.patch(&path, notebook(json!({ "content": content }))).status, 200);
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    });
}

#[test]
fn cells_that_are_twice_or_not_there_are_refused() {
    both(scenario::active_project, |api| {
        let cell = |id: &str| json!({ "type": "markdown", "text": "", "id": id });
        let twice = notebook(json!({ "name": "x", "content": { "cells": [cell("1"), cell("1")] } }));
        assert_eq!(api.post(NOTEBOOKS, twice).json()["error"]["code"], "notebook_cell_duplicate");
        let made = api.post(NOTEBOOKS, named("x")).json();
        let path = format!("{NOTEBOOKS}/{}", made["data"]["id"].as_str().expect("it has one"));
        let unknown = notebook(json!({ "content": { "cells": [cell("1")] } }));
        assert_eq!(api.patch(&path, unknown).json()["error"]["code"], "notebook_cell_unknown");
        let wrong = notebook(json!({ "name": "x", "content": { "cells": [{ "type": "markdown" }] } }));
        assert_eq!(api.post(NOTEBOOKS, wrong).reason(), "invalid_body.data.attributes.content.cells.0.text");
    });
}
