//! A strict decoder that is generated from the OpenAPI document, with each of four mistakes of a client: each is found by a legal
//! form of an answer. Without mistakes it reads all forms of all answers (`conformance::answers`).

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Value, json};
use sim_core::engine::Answers;
use sim_core::{Policy, RateLimit};
use sim_fixtures::{Api, Scene, api, scenario};

use crate::support::{both, with_components};

const KEYS: &str = "/v1/projects/{ref}/api-keys";

/// The decoder for answers to GET of `path`, generated from the document: required members, types, values of enums.
fn decoder(document: &Value, path: &str) -> Validator {
    let schema = &document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{path} is in the document");
    jsonschema::draft202012::new(&with_components(document, schema)).expect("the schema is one")
}

fn answering(answers: Answers) -> Scene {
    let policy = Policy { answers, rate_limit: RateLimit::off(), ..Policy::default() };
    scenario::active_project_under(policy)
}

/// The answer to GET of `path`.
fn read(api: &mut dyn Api, path: &str) -> Value {
    let reply = api.get(path);
    assert_eq!(reply.status, 200, "{path}: {reply}");
    reply.json()
}

/// A mistake of a client, as a change of the schema from which its decoder is generated.
type Mistake = (&'static str, fn(&mut Value, &mut Value));

/// Each gets the schema of the list of keys and that of a key.
const MISTAKES: [Mistake; 4] = [
    ("it demands an optional member", |_, key| {
        key["anyOf"] = json!([
            { "required": ["inserted_at"] }, { "properties": { "type": { "const": "legacy" } } },
        ]);
    }),
    ("it refuses members that it does not know", |_, key| key["additionalProperties"] = false.into()),
    ("it reads instants that end with Z only", |_, key| {
        key["properties"]["inserted_at"]["pattern"] = "Z$".into();
    }),
    ("it takes the first key of the list", |list, _| {
        list["prefixItems"] = json!([{ "properties": { "name": { "const": "anon" } } }]);
    }),
];

/// The decoder of a client that makes this mistake.
fn mistaken(document: &Value, (_, change): Mistake) -> Validator {
    let mut document = document.clone();
    let schema = "/paths/~1v1~1projects~1{ref}~1api-keys/get/responses/200/content/application~1json/schema";
    let mut list = document.pointer_mut(schema).expect("keys are in the document").take();
    let name = list["items"]["$ref"]
        .as_str()
        .and_then(|name| name.rsplit('/').next())
        .expect("keys have a schema")
        .to_owned();
    change(&mut list, &mut document["components"]["schemas"][name.as_str()]);
    *document.pointer_mut(schema).expect("it is there") = list;
    decoder(&document, KEYS)
}

/// The decoder of a client that knows the listed types of keys only.
fn closed(document: &Value) -> Validator {
    mistaken(
        document,
        ("it refuses values of an open enum that it does not know", |_, key| {
            key["properties"]["type"] = key["properties"]["type"]["anyOf"][0].take();
        }),
    )
}

#[test]
fn a_client_that_takes_an_open_enum_for_closed_is_found() {
    both(
        || answering(Answers::Varied),
        |api| {
            let document = api::peek(api, |sim| sim.openapi());
            let (good, client) = (decoder(&document, KEYS), closed(&document));
            let answers: Vec<Value> = (0..20).map(|_| read(api, KEYS)).collect();
            assert!(answers.iter().all(|answer| good.is_valid(answer)), "they are legal");
            assert!(answers.iter().any(|answer| !client.is_valid(answer)));
        },
    );
}

#[test]
fn each_of_four_mistakes_of_a_client_is_found() {
    both(
        || answering(Answers::Plain),
        |api| {
            let document = api::peek(api, |sim| sim.openapi());
            let good = decoder(&document, KEYS);
            let clients = MISTAKES.map(|mistake| (mistake.0, mistaken(&document, mistake)));
            let found = |answer: &Value| -> BTreeSet<&str> {
                assert!(good.is_valid(answer), "the answer is legal: {answer}");
                clients.iter().filter(|(_, client)| !client.is_valid(answer)).map(|(name, _)| *name).collect()
            };
            assert_eq!(found(&read(api, KEYS)), BTreeSet::new(), "no usual answer shows a mistake");

            let varied = |api: &mut dyn Api, kind: &str| {
                let effect =
                    json!({ "on": { "operation": "v1-get-project-api-keys" }, "effect": { "kind": kind } });
                assert_eq!(api.post("/_sim/faults", effect).status, 201);
                read(api, KEYS)
            };
            let [optional, unknown, instants, order] = MISTAKES.map(|(name, _)| name);
            assert_eq!(found(&varied(api, "lean")), BTreeSet::from([optional]));
            assert_eq!(found(&varied(api, "rich")), BTreeSet::from([unknown, instants]));
            assert_eq!(found(&varied(api, "reorder")), BTreeSet::from([order]));
            // The list of keys has no order of its own.
            let drawn = (0..40).flat_map(|_| found(&varied(api, "varied")));
            assert_eq!(drawn.collect::<BTreeSet<_>>(), BTreeSet::from([optional, unknown, instants, order]));
        },
    );
}
