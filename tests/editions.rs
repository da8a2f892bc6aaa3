//! Editions of the API: what is not in the edition that a world speaks is unknown to it.

use serde_json::Value;
use sim_core::Edition;
use sim_fixtures::scenario;
use sim_fixtures::strategies::What;

use crate::steps::under;
use crate::support::{both, good};

/// Method and path of each operation, and whether it is newer than the first edition.
fn operations(document: &Value) -> Vec<(String, bool)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let of = |(path, methods): (&String, &Value)| -> Vec<_> {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(|(method, one)| (format!("{method} {path}"), one["x-since"].is_string())).collect()
    };
    paths.flat_map(of).collect()
}

#[test]
fn operations_of_a_newer_edition_are_unknown() {
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| {
            let newer = |what: &What| !what.meta().is_in(Edition::V2025_05);
            for what in What::one_of_each().into_iter().filter(newer) {
                let reply = api.send(good(api, what.clone()));
                // A fixed word in the place of a reference is not a reference.
                let unknown = ["unknown_path", "unknown_method", "invalid_path.ref"];
                assert!(unknown.contains(&reply.reason()), "{what:?}: {reply}");
            }
            // A path that an extension hides is valid again.
            assert_eq!(api.get("/v1/projects/{ref}").status, 200);
        },
    );
}

#[test]
fn operations_of_a_newer_edition_are_not_in_the_document() {
    let whole = operations(&scenario::fresh().openapi());
    let first = operations(&under(|policy| policy.edition = Edition::V2025_05).sim.openapi());
    let rest: Vec<_> = whole.into_iter().filter(|(_, is_newer)| !is_newer).collect();
    assert_eq!(first, rest);
    assert!(!first.is_empty());
}
