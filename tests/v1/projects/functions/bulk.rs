//! Bundling without effect, and bulk updates.

use serde_json::{Value, json};
use sim_core::engine::UnknownFields;
use sim_core::management::function::{Function, Status};
use sim_fixtures::{Api, Call, scenario};

use super::{DEPLOY, FUNCTIONS, deployed, file, get, read, texts};
use crate::steps::{Steps as _, message, under};
use crate::support::both;

/// The input of bulk update that gives a function its present state.
pub(super) fn bulk(function: &Function) -> Value {
    let mut body = json!(function);
    body.as_object_mut().expect("a function is an object").remove("updated_at");
    body
}

pub(super) fn put(api: &mut dyn Api, functions: &[Value]) -> Vec<Function> {
    let reply = api.put(FUNCTIONS, json!(functions));
    assert_eq!(reply.status, 200, "{reply}");
    serde_json::from_value(reply.json()["functions"].take()).expect("functions come back")
}

pub(super) fn bundled(api: &mut dyn Api, slug: &str, files: &[(&str, &str)]) -> Function {
    let metadata = json!({ "entrypoint_path": files[0].0 });
    let call = Call::post(&format!("{DEPLOY}?slug={slug}&bundleOnly=true"));
    read(&api.send(call.multipart(&metadata, files)))
}

#[test]
fn bulk_update_keeps_the_id_of_a_function_and_says_so() {
    both(scenario::active_project, |api| {
        let hi = deployed(api, "hi", &[("index.ts", "old")]);
        let fresh = bundled(api, "fresh", &[("index.ts", "x")]);
        let named = |function: &Function| {
            let mut body = bulk(&Function { id: "x".to_owned(), ..function.clone() });
            body.as_object_mut().expect("a function is an object").remove("ezbr_sha256");
            body
        };
        let reply = api.put(FUNCTIONS, json!([named(&hi), named(&fresh)]));
        assert_eq!(reply.header("x-sim-ignored"), "body.functions.0.id,body.functions.1.id");
        assert_eq!((get(api, "hi").id, get(api, "fresh").id), (hi.id.clone(), fresh.id));
        let same = json!([{ "id": hi.id, "slug": "hi", "name": "hi", "status": "ACTIVE", "version": 1 }]);
        assert_eq!(api.put(FUNCTIONS, same).header("x-sim-ignored"), "");
        let as_ =
            |name: &str| json!({ "id": hi.id, "slug": "hi", "name": name, "status": "ACTIVE", "version": 3 });
        let reply = api.put(FUNCTIONS, json!([as_("first"), as_("last")]));
        assert_eq!(reply.header("x-sim-ignored"), "body.functions.0");
        assert_eq!(get(api, "hi").name, "last");
    });
    both(
        || under(|policy| policy.unknown_fields = UnknownFields::Refuse),
        |api| {
            let hi = deployed(api, "hi", &[("index.ts", "old")]);
            let reply = api.put(
                FUNCTIONS,
                json!([{ "id": "x", "slug": "hi", "name": "hi", "status": "ACTIVE", "version": 2 }]),
            );
            assert_eq!(reply.to_string(), message(400, "functions.0.id: Has no effect here"));
            assert_eq!(get(api, "hi"), hi);
        },
    );
}

#[test]
fn bundling_changes_nothing_until_bulk_update_puts_it() {
    both(scenario::active_project, |api| {
        let old = deployed(api, "hi", &[("index.ts", "old")]);
        let new = [bundled(api, "hi", &[("main.ts", "new")]), bundled(api, "fresh", &[("index.ts", "x")])];
        assert_eq!((new[0].version, new[1].version), (2, 1));
        assert_eq!(get(api, "hi"), old);
        assert_eq!(api.get(FUNCTIONS).json(), json!([old]));
        assert_eq!(put(api, &new.each_ref().map(bulk)), new);
        assert_eq!(texts(api, "hi"), [file("source/main.ts", "new")]);
        assert_eq!(texts(api, "fresh"), [file("source/index.ts", "x")]);
        assert_eq!(bundled(api, "fresh", &[("index.ts", "y")]).id, new[1].id);
    });
}

#[test]
fn bulk_update_is_idempotent_takes_versions_as_given_and_leaves_the_rest() {
    both(scenario::active_project, |api| {
        deployed(api, "rest", &[("index.ts", "rest")]);
        deployed(api, "hi", &[("index.ts", "old")]);
        for version in [7, 3] {
            let named =
                Function { version, name: "Other".to_owned(), status: Status::Throttled, ..get(api, "hi") };
            let first = put(api, &[bulk(&named)]);
            api.after(5);
            assert_eq!(put(api, &[bulk(&named)]), first);
            assert_eq!((first[0].version, first[0].status), (version, Status::Throttled));
            assert_eq!(texts(api, "hi")[0].1, "old");
        }
        assert_eq!(get(api, "rest").version, 1);
        assert_eq!(deployed(api, "hi", &[("index.ts", "new")]).version, 4);
    });
}

#[test]
fn bulk_update_refuses_a_version_that_has_no_next() {
    both(scenario::active_project, |api| {
        let function =
            json!({ "id": "x", "slug": "hi", "name": "hi", "status": "ACTIVE", "version": i64::MAX });
        let reply = api.put(FUNCTIONS, json!([function]));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.functions.0.version"), "{reply}");
        assert_eq!(api.get(FUNCTIONS).to_string(), "200 []");
    });
}

#[test]
fn bulk_update_creates_missing_functions() {
    both(scenario::active_project, |api| {
        let new = json!([{ "id": "f1", "slug": "new", "name": "new", "status": "ACTIVE", "version": 5 }]);
        let made = api.put(FUNCTIONS, new).json();
        assert_eq!(
            (&made["functions"][0]["id"], &made["functions"][0]["version"]),
            (&json!("f1"), &json!(5))
        );
        assert_eq!(texts(api, "new"), []);
        assert!(api.put(FUNCTIONS, json!({})).to_string().starts_with("400"));
        let wrong = json!([{ "id": "f1", "slug": "new", "name": "new", "status": "GONE", "version": 5 }]);
        assert!(
            api.put(FUNCTIONS, wrong)
                .to_string()
                .starts_with(r#"400 {"message":"functions.0.status: Invalid enum value"#)
        );
    });
}
