//! The OpenAPI document of the analytics server, and the table of its operations.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sim_core::engine::Access;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::docs::row;
use crate::support::{held, on_every_backend, over_http, with_components};

#[test]
fn the_document_is_held() {
    let text = serde_json::to_string_pretty(&analytics::fresh().openapi()).expect("it is plain data");
    held("tests/snapshots/analytics-openapi.json", &(text + "\n"));
}

#[test]
fn it_is_served_at_two_paths_without_a_token() {
    let world = analytics::fresh();
    let document = world.openapi();
    let mut api = over_http(world.into());
    for path in ["/openapi.json", "/api/openapi"] {
        let reply = api.send(Call::get(path).nobody());
        assert_eq!((reply.status, reply.json()), (200, document.clone()), "{path}");
    }
}

#[test]
fn operations_are_documented() {
    let sim = analytics::fresh();
    let mut text = "# Operations of the analytics server\n\nGenerated from the declarations. `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests` rewrites it.\n".to_owned();
    for (title, control) in [("The API", false), ("Control operations", true)] {
        let document = if control { sim.control_openapi() } else { sim.openapi() };
        write!(text, "\n## {title}\n\n| method and path | what it does | answers | role | scope | marks |\n|---|---|---|---|---|---|\n")
            .expect("a string takes it");
        let listed = sim.registry().operations().filter(|meta| (meta.access == Access::Control) == control);
        listed.for_each(|meta| text.push_str(&row(meta, &document)));
    }
    held("docs/analytics/operations.md", &text);
}

#[test]
fn it_names_every_way_in_which_a_token_may_come() {
    let document = analytics::fresh().openapi();
    assert_eq!(document["security"], json!([{ "bearer": [] }, { "key_header": [] }, { "key_query": [] }]));
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["key_header"], json!({ "type": "apiKey", "in": "header", "name": "x-api-key" }));
    assert_eq!(schemes["key_query"], json!({ "type": "apiKey", "in": "query", "name": "api_key" }));
}

#[test]
fn every_operation_has_its_statuses() {
    let sim = analytics::fresh();
    let document = sim.openapi();
    for meta in sim.registry().operations().filter(|meta| meta.access != Access::Control) {
        let described = &document["paths"][meta.path][meta.method.as_str().to_lowercase()];
        let responses = described["responses"].as_object().expect("it has responses");
        let statuses: Vec<_> = meta.statuses().iter().map(u16::to_string).collect();
        assert_eq!(responses.keys().cloned().collect::<Vec<_>>(), statuses, "{}", meta.id);
    }
}

/// How a reply differs from the document.
fn problems(document: &Value, path: &str, call: &Call, reply: &sim_fixtures::Reply) -> String {
    let method = call.method.as_str().to_lowercase();
    let response = &document["paths"][path][&method]["responses"][reply.status.to_string()];
    if response.is_null() {
        return format!("{} is not in the document", reply.status);
    }
    let schema = &response["content"]["application/json"]["schema"];
    if schema.is_null() {
        return if reply.body.is_empty() {
            String::new()
        } else {
            "a body is not in the document".to_owned()
        };
    }
    let schema = jsonschema::draft202012::new(&with_components(document, schema)).expect("the schema is one");
    schema.iter_errors(&reply.json()).map(|error| format!("{}: {error}\n", error.instance_path())).collect()
}

#[test]
fn every_kind_of_answer_fits_the_schema_of_its_status() {
    on_every_backend(analytics::one_source, |api| {
        let seen = answers_that_fit(api);
        assert!(seen > 120, "only {seen} answers were seen");
    });
}

/// Makes calls of every kind and checks each against the document; returns how many.
fn answers_that_fit(api: &mut dyn Api) -> usize {
    let document = analytics::fresh().openapi();
    api.post("/api/endpoints", json!({ "name": "e", "query": "select 1", "token": GATEWAY }));
    let resources = ["sources", "endpoints", "teams", "alerts", "access-tokens", "backends"];
    let mut seen = 0;
    let mut check = |api: &mut dyn Api, path: &str, call: Call| {
        let reply = api.send(call.clone());
        let problems = problems(&document, path, &call, &reply);
        assert!(problems.is_empty(), "{call}: {reply}\n{problems}");
        seen += 1;
    };
    for resource in resources {
        let path = format!("/api/{resource}");
        let one = format!("{path}/{{token}}");
        let good = json!({
            "name": "x", "query": "select 1", "cron": "@daily", "scopes": "public", "type": "otlp",
            "config": { "endpoint": "http://otlp.test" },
        });
        let wrong = json!({ "name": 7, "query": 7, "scopes": 7, "type": 7 });
        for call in [
            Call::post(&path).json(good.clone()),
            Call::post(&path).json(wrong.clone()),
            Call::post(&path).bytes("application/json", "{"),
            Call::post(&path).bytes("text/html", "{"),
            Call::post(&path).nobody(),
            Call::get(&path),
            Call::get(&path).nobody(),
        ] {
            check(api, &path, call);
        }
        let made = api.get(&path).json();
        let token = made[0]["token"].as_str().unwrap_or(GATEWAY).to_owned();
        for token in [token.as_str(), "nothing"] {
            let at = format!("{path}/{token}");
            if resource != "access-tokens" {
                for method in [http::Method::PUT, http::Method::PATCH] {
                    check(api, &one, Call::new(method.clone(), &at).json(good.clone()));
                    check(api, &one, Call::new(method.clone(), &at).json(wrong.clone()));
                    check(api, &one, Call::new(method, &at).nobody());
                }
                check(api, &one, Call::get(&at));
            }
            check(api, &one, Call::delete(&at).nobody());
            check(api, &one, Call::delete(&at));
        }
    }
    seen
}
