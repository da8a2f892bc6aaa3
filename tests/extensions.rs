//! Operations that are not in the service's published document, and the setting that turns them off.

use serde_json::Value;
use sim_fixtures::scenario;
use sim_fixtures::strategies::What;

use crate::steps::under;
use crate::support::{both, good};

fn operations(document: &Value) -> Vec<(String, bool)> {
    let methods =
        document["paths"].as_object().into_iter().flatten().flat_map(|(_, methods)| methods.as_object());
    let all = methods.flatten().map(|(_, one)| (one["operationId"].to_string(), one["x-extension"] == true));
    all.collect()
}

#[test]
fn without_extensions_their_paths_are_unknown_ones() {
    both(
        || under(|policy| policy.extensions = false),
        |api| {
            for what in What::one_of_each().into_iter().filter(|what| what.meta().extension) {
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
fn without_extensions_they_are_not_in_the_document() {
    let whole = operations(&scenario::fresh().openapi());
    let published = operations(&under(|policy| policy.extensions = false).sim.openapi());
    let rest: Vec<_> = whole.into_iter().filter(|(_, is_extension)| !is_extension).collect();
    assert_eq!(published, rest);
    assert!(!published.is_empty());
}
