//! The OpenAPI document is complete, matches its snapshot, and describes every response.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::engine::{Access, Meta, only_tag};
use sim_fixtures::strategies::Wrong;
use sim_fixtures::{Api as _, Call, scenario};

use crate::property::histories;
use crate::steps::under;
use crate::support::{held, over_http, with_components};

#[test]
fn the_document_is_held() {
    let text = serde_json::to_string_pretty(&scenario::fresh().openapi()).expect("it is plain data");
    held("tests/snapshots/openapi.json", &(text + "\n"));
}

#[test]
fn it_is_served_without_a_token() {
    let scene = scenario::fresh();
    let document = scene.openapi();
    let mut api = over_http(scene.into());
    for path in ["/openapi.json", "/api/v1-json"] {
        let reply = api.send(Call::get(path).nobody());
        assert_eq!((reply.status, reply.json()), (200, document.clone()), "{path}");
    }
}

/// The document's entry of an operation.
fn described<'d>(document: &'d Value, meta: &Meta) -> &'d Value {
    &document["paths"][meta.path][meta.method.as_str().to_lowercase()]
}

#[test]
fn it_has_every_operation_with_all_its_statuses_and_marks() {
    let sim = scenario::fresh();
    let documents = [(Access::Token, sim.openapi()), (Access::Control, sim.control_openapi())];
    for (access, document) in &documents {
        assert_eq!(document["openapi"], "3.1.0");
        let controls = *access == Access::Control;
        let operations: Vec<_> = sim
            .registry()
            .operations()
            .filter(|meta| !meta.unlisted && (meta.access == Access::Control) == controls)
            .collect();
        for meta in &operations {
            let described = described(document, meta);
            assert_eq!(described["operationId"], *meta.id_in(meta.id, sim_core::Edition::TODAY));
            assert_eq!(described["deprecated"] == true, meta.deprecated, "{}", meta.id);
            assert_eq!(described["x-beta"] == true, meta.beta, "{}", meta.id);
            assert_eq!(described["security"] == json!([]), meta.access == Access::Public, "{}", meta.id);
            let responses = described["responses"].as_object().expect("it has responses");
            let statuses: Vec<_> = meta.statuses().iter().map(u16::to_string).collect();
            assert_eq!(responses.keys().cloned().collect::<Vec<_>>(), statuses, "{}", meta.id);
            for name in meta.path_names() {
                let parameters = described["parameters"].as_array().expect("it has parameters");
                assert!(
                    parameters.iter().any(|one| one["name"] == name && one["in"] == "path"),
                    "{}",
                    meta.id
                );
            }
        }
        let paths = document["paths"].as_object().expect("it has paths");
        let described: usize = paths.values().filter_map(Value::as_object).map(serde_json::Map::len).sum();
        assert_eq!(
            described,
            operations.iter().map(|meta| 1 + usize::from(meta.head.is_some())).sum::<usize>()
        );
    }
}

/// The documents of both services and of the control API.
fn documents() -> [Value; 4] {
    let (management, analytics) = (scenario::fresh(), Simulator::analytics().build());
    [
        management.openapi(),
        analytics.openapi(),
        sim_http::control_openapi(&management),
        sim_http::control_openapi(&analytics),
    ]
}

/// The mark of a field without effect.
const IGNORED: &str = "x-sim-ignored";

/// All operations of a document.
fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    let methods = document["paths"].as_object().into_iter().flat_map(serde_json::Map::values);
    let operations = methods.filter_map(Value::as_object).flat_map(serde_json::Map::values);
    operations.filter(|one| one.get("operationId").is_some())
}

#[test]
fn every_request_and_answer_has_an_example_that_fits_its_schema() {
    let mut wrong = Vec::new();
    for document in documents() {
        for operation in operations(&document) {
            let success = operation["responses"].as_object().into_iter().flatten();
            let success = success.filter(|(status, _)| status.starts_with('2')).map(|(_, success)| success);
            let contents =
                success.chain(operation.get("requestBody")).flat_map(|one| one["content"].as_object());
            let described = contents.flat_map(serde_json::Map::values);
            let described = described.chain(operation["parameters"].as_array().into_iter().flatten());
            for one in described.filter(|one| one["schema"]["format"] != "binary") {
                let schema = one.get("schema").cloned().unwrap_or_else(|| json!({}));
                let schema = with_components(&document, &schema);
                let schema = jsonschema::options().should_validate_formats(true).build(&schema);
                let schema = schema.expect("the schema is sound");
                let problem = match one.get("example") {
                    None => Some("it has no example".to_owned()),
                    Some(example) => {
                        schema.iter_errors(example).next().map(|problem| format!("{problem}: {example}"))
                    }
                };
                wrong.extend(
                    problem.map(|problem| format!("{} {} {problem}", operation["operationId"], one["name"])),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Adds the fields and parameters of a document to `found`: the place, the description, and whether the field is marked
/// as without effect.
fn fields_in<'d>(value: &'d Value, at: &str, found: &mut Vec<(String, &'d str, bool)>) {
    let text = |one: &'d Value| one["description"].as_str().unwrap_or_default();
    match value {
        Value::Object(object) => {
            for (name, field) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
                found.push((format!("{at}.{name}"), text(field), field.get(IGNORED).is_some()));
            }
            for one in object.get("parameters").and_then(Value::as_array).into_iter().flatten() {
                found.push((
                    format!("{at} {}", one["name"]),
                    text(one),
                    one["schema"].get(IGNORED).is_some(),
                ));
            }
            object.iter().for_each(|(name, inner)| fields_in(inner, &format!("{at}/{name}"), found));
        }
        Value::Array(list) => list.iter().for_each(|inner| fields_in(inner, at, found)),
        _ => {}
    }
}

#[test]
fn a_field_is_described_as_without_effect_exactly_if_it_is_marked() {
    let documents = documents();
    let mut found = Vec::new();
    documents.iter().for_each(|document| fields_in(document, "", &mut found));
    assert!(found.iter().filter(|(_, _, is_marked)| *is_marked).count() > 10);
    let is_told = |text: &str| text.contains("Has no effect") || text.contains("It has no effect");
    let wrong: Vec<_> = found.iter().filter(|(_, text, is_marked)| is_told(text) != *is_marked).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_document_of_one_tag_has_the_operations_of_the_tag_and_their_schemas() {
    for document in documents() {
        let whole = document.to_string().len();
        let tags: BTreeSet<&str> = operations(&document).filter_map(|one| one["tags"][0].as_str()).collect();
        assert!(tags.len() > 5, "{tags:?}");
        let mut count = 0;
        for tag in tags {
            let mut part = document.clone();
            only_tag(&mut part, tag).expect("the tag is known");
            assert!(operations(&part).all(|one| one["tags"][0] == tag), "{tag}");
            count += operations(&part).count();
            let text = part.to_string();
            assert!(text.len() < whole, "{tag}");
            for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(part.pointer(reference).is_some(), "{tag}: {reference}");
            }
        }
        assert_eq!(count, operations(&document).count());
    }
    let error = only_tag(&mut scenario::fresh().openapi(), "projcts").expect_err("it is unknown");
    assert!(error.message.contains("did you mean `Projects`?"), "{}", error.message);
}

#[test]
fn the_service_wants_a_bearer_token_and_the_control_operations_none() {
    let sim = scenario::fresh();
    let document = sim.openapi();
    assert_eq!(
        document["components"]["securitySchemes"]["bearer"],
        json!({ "type": "http", "scheme": "bearer" })
    );
    assert_eq!(document["security"], json!([{ "bearer": [] }]));
    assert_eq!(sim.control_openapi()["security"], Value::Null);
}

#[test]
fn every_answer_of_a_broad_run_fits_the_schema_of_its_status() {
    let schemas = RefCell::new(Schemas::new(&scenario::fresh()));
    histories(2_000, |ask, call, reply| {
        let is_json = reply.header("content-type").starts_with("application/json");
        // A fault rule may ask for a status that the service does not use.
        let is_struck = !reply.header("x-sim-fault").is_empty();
        if ask.what.meta().unlisted
            || !is_json
            || is_struck
            || !ask.wrong.as_ref().is_none_or(Wrong::is_routed)
        {
            return;
        }
        let problems = schemas.borrow_mut().problems(&ask.what.meta(), reply.status, &reply.json());
        assert!(problems.is_empty(), "{call}: {reply}\n{problems}");
    });
    let seen = schemas.borrow().compiled.len();
    assert!(seen > 120, "only {seen} kinds of answer were seen");
}

/// Schemas of responses, compiled when first needed.
pub(crate) struct Schemas {
    documents: [Value; 2],
    compiled: BTreeMap<(&'static str, u16), Validator>,
}

impl Schemas {
    pub(crate) fn new(sim: &Simulator) -> Schemas {
        Schemas { documents: [sim.openapi(), sim.control_openapi()], compiled: BTreeMap::new() }
    }

    /// What is wrong with an answer by the schema of its status.
    pub(crate) fn problems(&mut self, meta: &Meta, status: u16, body: &Value) -> String {
        let document = &self.documents[usize::from(meta.access == Access::Control)];
        let compile = || {
            let response = &described(document, meta)["responses"][status.to_string()];
            let schema = &response["content"]["application/json"]["schema"];
            assert!(schema.is_object(), "{} answers {status}, which the document does not have", meta.id);
            jsonschema::draft202012::new(&with_components(document, schema)).expect("the schema is one")
        };
        let schema = self.compiled.entry((meta.id, status)).or_insert_with(compile);
        schema.iter_errors(body).map(|error| format!("{}: {error}\n", error.instance_path())).collect()
    }
}

#[test]
fn requests_show_every_name_that_is_accepted() {
    let body = |document: &Value| {
        document["paths"]["/v1/projects"]["post"]["requestBody"]["content"]["application/json"]["schema"]
            .clone()
    };
    let newest = body(&scenario::fresh().openapi());
    let required: Vec<_> = newest["required"].as_array().expect("a list").iter().collect();
    assert!(
        required.contains(&&json!("organization_slug")) && !required.contains(&&json!("organization_id"))
    );
    assert_eq!(newest["properties"]["organization_id"]["deprecated"], true);
    assert!(newest["properties"]["region_selection"].is_object() && !required.contains(&&json!("region")));
    let first = body(&under(|policy| policy.edition = sim_core::Edition::V2025_05).sim.openapi());
    assert!(first["properties"].get("organization_slug").is_none());
    assert!(first["required"].as_array().expect("a list").contains(&json!("region")));
}

#[test]
fn no_schema_requires_null() {
    fn search(value: &Value, path: &str) {
        let fields = value.as_object().into_iter().flatten();
        for (name, inner) in fields {
            assert!(name != "required" || !inner.is_null(), "{path}");
            search(inner, &format!("{path}.{name}"));
        }
        value.as_array().into_iter().flatten().for_each(|inner| search(inner, path));
    }
    search(&scenario::fresh().openapi(), "");
}
