//! `/v1/projects/{ref}/functions`: created, deployed, bundled, updated, read back, deleted.

mod body;
mod bulk;
mod deploy;

use http::Method;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sim_core::Role;
use sim_core::management::function::{Function, Status};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, Reply, scenario};

use self::bulk::{bulk, bundled, put};
use crate::steps::{Steps as _, message, refuse_strangers, under};
use crate::support::both;

const FUNCTIONS: &str = "/v1/projects/{ref}/functions";
const DEPLOY: &str = "/v1/projects/{ref}/functions/deploy";
const HI: &str = "/v1/projects/{ref}/functions/hi";

/// SHA-256 in hex.
fn digest_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Deploys files, each a path and a text, as a function whose entry point is the first file.
fn deploy(api: &mut dyn Api, slug: &str, files: &[(&str, &str)]) -> Reply {
    let metadata = json!({ "entrypoint_path": files[0].0 });
    api.send(Call::post(&format!("{DEPLOY}?slug={slug}")).multipart(&metadata, files))
}

fn deployed(api: &mut dyn Api, slug: &str, files: &[(&str, &str)]) -> Function {
    read(&deploy(api, slug, files))
}

fn read(reply: &Reply) -> Function {
    serde_json::from_value(reply.json()).unwrap_or_else(|error| panic!("{error}: {reply}"))
}

fn get(api: &mut dyn Api, slug: &str) -> Function {
    read(&api.get(&format!("{FUNCTIONS}/{slug}")))
}

fn body(api: &mut dyn Api, slug: &str, accept: &str) -> Reply {
    api.send(Call::get(&format!("{FUNCTIONS}/{slug}/body")).header("accept", accept))
}

/// The texts of a function's files, by path.
fn texts(api: &mut dyn Api, slug: &str) -> Vec<(String, String)> {
    let form = body(api, slug, "multipart/form-data");
    let boundary = form.header("content-type").split("boundary=").nth(1).expect("forms have a boundary");
    let form = String::from_utf8(form.body.to_vec()).expect("the files are texts");
    let boundary = format!("--{boundary}");
    let files = form.split(&boundary).filter_map(|part| {
        let (_, part) = part.split_once("filename=\"")?;
        let (name, content) = part.split_once("\"\r\n\r\n")?;
        Some((name.to_owned(), content.strip_suffix("\r\n")?.to_owned()))
    });
    files.collect()
}

/// One file in the format of [`texts`].
fn file(path: &str, text: &str) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let create = json!({ "slug": "hi", "name": "hi", "body": "x" });
    let form = Call::post(&format!("{DEPLOY}?slug=hi"));
    refuse_strangers(&[
        (Call::get(FUNCTIONS), Role::ReadOnly),
        (Call::post(FUNCTIONS).json(create), Role::Developer),
        (Call::put(FUNCTIONS).json(json!([])), Role::Developer),
        (Call::get(HI), Role::ReadOnly),
        (Call::get(&format!("{HI}/body")), Role::ReadOnly),
        (Call::new(Method::PATCH, HI).json(json!({ "name": "x" })), Role::Developer),
        (Call::delete(HI), Role::Developer),
        (form.multipart(&json!({ "entrypoint_path": "a.ts" }), &[("a.ts", "x")]), Role::Developer),
    ]);
}

#[test]
fn a_function_made_of_a_text_is_its_one_file() {
    both(scenario::active_project, |api| {
        assert_eq!(api.get(FUNCTIONS).to_string(), "200 []");
        let create = json!({ "slug": "hi", "name": "Hello", "body": "serve()" });
        let created = api.post(FUNCTIONS, create).json();
        let id = created["id"].as_str().expect("it has an id");
        let now = peek(api, |sim| sim.now().as_millisecond());
        let expected = json!({
            "id": id, "slug": "hi", "name": "Hello", "status": "ACTIVE", "version": 1, "created_at": now, "updated_at": now,
            "verify_jwt": true, "import_map": false,
            "entrypoint_path": format!("file:///tmp/user_fn_{}_{id}_1/source/index.ts", api.project()),
            "ezbr_sha256": digest_of(&api.get(&format!("{HI}/body")).body),
        });
        assert_eq!(created, expected);
        assert_eq!(api.get(HI).json(), expected);
        assert_eq!(api.get(FUNCTIONS).json(), json!([expected]));
        assert_eq!(texts(api, "hi"), [file("source/index.ts", "serve()")]);
    });
}

#[test]
fn a_function_made_of_bytes_has_everything_else_in_the_query_and_gives_the_bytes_back() {
    const BUNDLE: &str = "application/vnd.vendor.bundle";
    both(scenario::active_project, |api| {
        let bytes = &b"ESZIP\x00\xff\r\n\x80"[..];
        let query = "slug=raw&name=Raw&verify_jwt=false&import_map=true&entrypoint_path=file:///src/main.ts";
        let create = Call::post(&format!("{FUNCTIONS}?{query}")).token("token-of-developer");
        let created = api.send(create.bytes(BUNDLE, bytes)).json();
        assert_eq!((&created["name"], &created["verify_jwt"]), (&json!("Raw"), &json!(false)));
        assert_eq!(created["entrypoint_path"], "file:///src/main.ts");
        assert_eq!(created["import_map_path"], "file:///src/import_map.json");
        let reply = body(api, "raw", "*/*");
        assert_eq!((reply.header("content-type"), &*reply.body), ("application/octet-stream", bytes));
        let form = body(api, "raw", "multipart/form-data");
        assert!(form.header("content-type").starts_with("multipart/form-data"), "{form}");
        assert!(form.body.windows(bytes.len()).any(|part| part == bytes), "{form}");
        let other = &b"\x01\x02"[..];
        let update = Call::new(Method::PATCH, &format!("{FUNCTIONS}/raw?name=New"));
        let updated = api.send(update.bytes(BUNDLE, other)).json();
        assert_eq!((&updated["name"], &updated["version"]), (&json!("New"), &json!(2)));
        assert_eq!(body(api, "raw", "*/*").body, other);
    });
}

#[test]
fn a_call_made_with_bytes_replays() {
    both(scenario::active_project, |api| {
        let create = Call::post(&format!("{FUNCTIONS}?slug=raw&name=raw"));
        api.send(create.bytes("application/octet-stream", &b"\xff\x00"[..]));
        deployed(api, "hi", &[("index.ts", "1")]);
        body(api, "raw", "*/*");
        api.look(&mut |sim| {
            let file = sim.replay_file().expect("the journal is whole");
            let replayed = file.run(sim.registry()).expect("nothing diverges");
            assert_eq!(replayed.journal_hash(), sim.journal_hash());
        });
    });
}

#[test]
fn create_refuses_missing_invalid_and_taken_values() {
    both(scenario::active_project, |api| {
        let good = json!({ "slug": "hi", "name": "hi", "body": "x" });
        assert!(api.post(FUNCTIONS, good.clone()).to_string().starts_with("201"));
        assert_eq!(api.post(FUNCTIONS, good.clone()).to_string(), message(400, "Duplicated function slug"));
        for (body, problem) in [
            (json!({ "name": "hi", "body": "x" }), "slug: Required"),
            (json!({ "slug": "a", "body": "x" }), "name: Required"),
            (json!({ "slug": "a", "name": "hi" }), "body: Required"),
            (json!({ "slug": "a b", "name": "hi", "body": "x" }), "slug: Invalid, must be letters"),
            (
                json!({ "slug": "a", "name": "hi", "body": "x", "verify_jwt": 1 }),
                "verify_jwt: Expected boolean",
            ),
        ] {
            let reply = api.post(FUNCTIONS, body.clone()).to_string();
            assert!(reply.starts_with(&format!(r#"400 {{"message":"{problem}"#)), "{body}: {reply}");
        }
    });
}

#[test]
fn unknown_functions_are_not_found() {
    both(scenario::active_project, |api| {
        let gone = message(404, "Function not found");
        let no = format!("{FUNCTIONS}/no");
        for call in [
            Call::get(&no),
            Call::get(&format!("{no}/body")),
            Call::delete(&no),
            Call::new(Method::PATCH, &no),
        ] {
            assert_eq!(api.send(call.clone()).to_string(), gone, "{call}");
        }
        assert_eq!(api.get(&format!("{FUNCTIONS}/a.b")).status, 400);
    });
}

#[test]
fn update_changes_only_the_given_fields() {
    both(scenario::active_project, |api| {
        api.post(FUNCTIONS, json!({ "slug": "hi", "name": "hi", "body": "one" }));
        bundled(api, "hi", &[("index.ts", "draft")]);
        let after = api.patch(&format!("{HI}?verify_jwt=false"), json!({ "name": "Hi" })).json();
        assert_eq!(
            (&after["name"], &after["verify_jwt"], &after["version"]),
            (&json!("Hi"), &json!(false), &json!(2))
        );
        assert_eq!(texts(api, "hi")[0].1, "one");
        let after = api.patch(HI, json!({ "body": "two", "import_map_path": "map.json" })).json();
        assert_eq!((&after["version"], &after["import_map"]), (&json!(3), &json!(true)));
        assert_eq!(texts(api, "hi")[0].1, "two");
        let after = api.patch(HI, json!({ "import_map": false })).json();
        assert_eq!((&after["import_map"], after.get("import_map_path")), (&json!(false), None));
    });
}

#[test]
fn a_deleted_function_does_not_exist_and_its_slug_is_free() {
    both(scenario::active_project, |api| {
        let first = deployed(api, "hi", &[("index.ts", "old")]);
        assert_eq!(api.delete(HI).to_string(), "200 {}");
        assert_eq!(api.delete(HI).to_string(), message(404, "Function not found"));
        let second = deployed(api, "hi", &[("index.ts", "new")]);
        assert_eq!(second.version, 1);
        assert_ne!(second.id, first.id);
    });
}

#[test]
fn the_plan_limits_how_many_functions_there_are() {
    both(
        || under(|policy| policy.functions.free = 1),
        |api| {
            api.plan("free");
            deployed(api, "one", &[("index.ts", "1")]);
            let full = message(402, "Maximum number of functions reached for Plan");
            let two = json!({ "slug": "two", "name": "two", "body": "x" });
            assert_eq!(api.post(FUNCTIONS, two).to_string(), full);
            assert_eq!(deploy(api, "two", &[("index.ts", "1")]).to_string(), full);
            let mut named = bulk(&get(api, "one"));
            put(api, &[named.clone()]);
            named["slug"] = json!("two");
            assert_eq!(api.put(FUNCTIONS, json!([named])).to_string(), full);
            deployed(api, "one", &[("index.ts", "2")]);
        },
    );
}

#[test]
fn a_function_is_no_larger_than_the_policy_says() {
    both(
        || under(|policy| policy.function_bytes = 10),
        |api| {
            let large = message(413, "The function size exceeds the allowable limit");
            deployed(api, "hi", &[("a", "12345"), ("b", "67890")]);
            assert_eq!(deploy(api, "hi", &[("a", "12345"), ("b", "678901")]).to_string(), large);
            let create = json!({ "slug": "b", "name": "b", "body": "12345678901" });
            assert_eq!(api.post(FUNCTIONS, create).to_string(), large);
            assert_eq!(api.patch(HI, json!({ "body": "12345678901" })).to_string(), large);
        },
    );
}

#[test]
fn the_platform_throttles_and_removes_until_the_next_deploy() {
    both(scenario::active_project, |api| {
        deployed(api, "hi", &[("index.ts", "1")]);
        let path = "/_sim/projects/{ref}/functions/hi/events";
        for (event, status) in [("throttle", "THROTTLED"), ("release", "ACTIVE"), ("remove", "REMOVED")] {
            assert_eq!(api.post(path, json!({ "event": event })).json()["status"], status);
            assert_eq!(api.get(HI).json()["status"], status);
        }
        let refused = api.post(path, json!({ "event": "release" })).to_string();
        assert_eq!(refused, message(400, "release does not happen to a function that is REMOVED"));
        assert_eq!(deployed(api, "hi", &[("index.ts", "2")]).status, Status::Active);
    });
}

#[test]
fn with_a_json_body_the_query_is_ignored() {
    both(scenario::active_project, |api| {
        let unnamed =
            api.post("/v1/projects/{ref}/functions?slug=hi&name=Hello", json!({ "body": "serve()" }));
        assert_eq!(unnamed.to_string(), r#"400 {"message":"slug: Required, name: Required"}"#);
        let wrong = json!({ "slug": "hi", "name": "Hello", "body": "serve()", "verify_jwt": "no" });
        let wrong = api.post("/v1/projects/{ref}/functions?verify_jwt=true", wrong);
        assert_eq!(wrong.to_string(), r#"400 {"message":"verify_jwt: Expected boolean, received string"}"#);
        let good = json!({ "slug": "hi", "name": "Hello", "body": "serve()", "verify_jwt": true });
        let good = api.post("/v1/projects/{ref}/functions?verify_jwt=false", good);
        assert_eq!((good.status, &good.json()["verify_jwt"]), (201, &json!(false)));
    });
}

#[test]
fn an_empty_name_is_none() {
    both(scenario::active_project, |api| {
        deployed(api, "hi", &[("index.ts", "one")]);
        let reply = api.patch(HI, json!({ "name": "" }));
        assert_eq!((&reply.json()["name"], reply.header("x-sim-ignored")), (&json!("hi"), "body.name"));
        let reply = api.post(FUNCTIONS, json!({ "slug": "b", "name": "", "body": "x" }));
        assert_eq!((&reply.json()["name"], reply.header("x-sim-ignored")), (&json!("b"), "body.name"));
    });
}

#[test]
fn a_refusal_says_whether_a_field_came_in_the_body_or_in_the_query() {
    both(
        || under(|_| {}),
        |api| {
            for (path, body, reason) in [
                (FUNCTIONS, json!({ "slug": "a b", "name": "n", "body": "x" }), "invalid_body.slug"),
                (FUNCTIONS, json!({ "name": "n", "body": "x" }), "invalid_body.slug"),
                (
                    FUNCTIONS,
                    json!({ "slug": "a", "name": "n", "body": "x", "verify_jwt": 7 }),
                    "invalid_body.verify_jwt",
                ),
                (
                    &format!("{FUNCTIONS}?slug=a%20b"),
                    json!({ "slug": "a", "name": "n", "body": "x" }),
                    "invalid_query.slug",
                ),
                (
                    &format!("{FUNCTIONS}?slug=b"),
                    json!({ "slug": "a b", "name": "n", "body": "x" }),
                    "invalid_body.slug",
                ),
                (
                    &format!("{FUNCTIONS}?verify_jwt=7"),
                    json!({ "slug": "a", "name": "n", "body": "x" }),
                    "invalid_query.verify_jwt",
                ),
            ] {
                let reply = api.post(path, body);
                assert_eq!((reply.status, reply.reason()), (400, reason), "{path}: {reply}");
            }
            let raw =
                Call::post(&format!("{FUNCTIONS}?name=n")).bytes("application/octet-stream", b"x".to_vec());
            assert_eq!(api.send(raw).reason(), "invalid_query.slug");
        },
    );
}
