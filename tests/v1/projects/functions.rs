//! `/v1/projects/{ref}/functions`: created, deployed, bundled, updated, read back, deleted.

use http::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sim_core::Role;
use sim_core::engine::{Outcome, UnknownFields};
use sim_core::management::function::{Function, Status};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, message, refuse_strangers, refused, under};
use crate::support::both;

const FUNCTIONS: &str = "/v1/projects/{ref}/functions";
const DEPLOY: &str = "/v1/projects/{ref}/functions/deploy";
const HI: &str = "/v1/projects/{ref}/functions/hi";
const FORM: &str = "multipart/form-data; boundary=xYzZY";

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

fn bundled(api: &mut dyn Api, slug: &str, files: &[(&str, &str)]) -> Function {
    let metadata = json!({ "entrypoint_path": files[0].0 });
    let call = Call::post(&format!("{DEPLOY}?slug={slug}&bundleOnly=true"));
    read(&api.send(call.multipart(&metadata, files)))
}

fn read(reply: &Reply) -> Function {
    serde_json::from_value(reply.json()).unwrap_or_else(|error| panic!("{error}: {reply}"))
}

fn get(api: &mut dyn Api, slug: &str) -> Function {
    read(&api.get(&format!("{FUNCTIONS}/{slug}")))
}

/// The input of bulk update that gives a function its present state.
fn bulk(function: &Function) -> Value {
    let mut body = json!(function);
    body.as_object_mut().expect("a function is an object").remove("updated_at");
    body
}

fn put(api: &mut dyn Api, functions: &[Value]) -> Vec<Function> {
    let reply = api.put(FUNCTIONS, json!(functions));
    assert_eq!(reply.status, 200, "{reply}");
    serde_json::from_value(reply.json()["functions"].take()).expect("functions come back")
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

fn send_form(api: &mut dyn Api, path: &str, form: &str) -> Reply {
    api.send(Call::post(path).bytes(FORM, form.to_owned()))
}

fn part(disposition: &str, content: &str) -> String {
    format!("--xYzZY\r\ncontent-disposition: form-data; {disposition}\r\n\r\n{content}\r\n")
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
fn deploy_takes_the_form_in_every_shape() {
    let metadata =
        r#"{"entrypoint_path":"functions/hi/index.ts","import_map_path":"functions/deno.json","sha256":"0"}"#;
    let (plain, blob) =
        ("name=\"metadata\"", "name=\"metadata\"; filename=\"blob\"\r\ncontent-type: application/json");
    let piece = |name: &str, content: &str| part(&format!("name=\"file\"; filename=\"{name}\""), content);
    let files = piece("functions/hi/index.ts", "entry") + &piece("functions/deno.json", "{}");
    for (shape, form) in [
        ("metadata first", part(plain, metadata) + &files),
        ("metadata last", files.clone() + &part(plain, metadata)),
        ("metadata as a blob, first", part(blob, metadata) + &files),
        ("metadata as a blob, last", files.clone() + &part(blob, metadata)),
    ] {
        both(scenario::active_project, |api| {
            let deployed =
                send_form(api, &format!("{DEPLOY}?slug=hi"), &(form.clone() + "--xYzZY--\r\n")).json();
            let id = deployed["id"].as_str().expect("it has an id");
            let folder = format!("file:///tmp/user_fn_{}_{id}_1/source/functions", api.project());
            assert_eq!(deployed["entrypoint_path"], format!("{folder}/hi/index.ts"), "{shape}");
            assert_eq!(deployed["import_map_path"], format!("{folder}/deno.json"), "{shape}");
            assert_eq!((&deployed["version"], &deployed["import_map"]), (&json!(1), &json!(true)), "{shape}");
            let expected = [("source/functions/deno.json", "{}"), ("source/functions/hi/index.ts", "entry")];
            assert_eq!(texts(api, "hi"), expected.map(|(name, text)| file(name, text)), "{shape}");
        });
    }
}

#[test]
fn deploy_creates_then_replaces_and_counts_versions() {
    both(scenario::active_project, |api| {
        let first = deployed(api, "hi", &[("index.ts", "one"), ("a.ts", "a")]);
        api.after(5);
        let second = deployed(api, "hi", &[("main.ts", "two")]);
        assert_eq!((first.version, second.version, &second.id), (1, 2, &first.id));
        assert_eq!((second.created_at, second.updated_at), (first.created_at, first.created_at + 5000));
        assert!(second.entrypoint_path.ends_with("_2/source/main.ts"), "{}", second.entrypoint_path);
        assert_eq!(texts(api, "hi"), [file("source/main.ts", "two")]);
        assert_eq!(get(api, "hi"), second);
    });
}

#[test]
fn deploy_finds_the_slug_in_the_query_or_in_the_name() {
    both(scenario::active_project, |api| {
        let form = |metadata: &str| {
            part("name=\"metadata\"", metadata)
                + &part("name=\"file\"; filename=\"a.ts\"", "x")
                + "--xYzZY--\r\n"
        };
        let named = form(r#"{"entrypoint_path":"a.ts","name":"hi-there"}"#);
        assert_eq!(send_form(api, DEPLOY, &named).json()["slug"], "hi-there");
        let both = send_form(api, &format!("{DEPLOY}?slug=other"), &named).json();
        assert_eq!((&both["slug"], &both["name"]), (&json!("other"), &json!("hi-there")));
        for metadata in [r#"{"entrypoint_path":"a.ts","name":"Hi there"}"#, r#"{"entrypoint_path":"a.ts"}"#] {
            let reply = send_form(api, DEPLOY, &form(metadata)).to_string();
            assert!(reply.starts_with(r#"400 {"message":"slug: Required"#), "{reply}");
        }
    });
}

#[test]
fn deploy_refuses_forms_that_do_not_fit() {
    both(scenario::active_project, |api| {
        let file = part("name=\"file\"; filename=\"a.ts\"", "x");
        let metadata = |text: &str| part("name=\"metadata\"", text);
        for (form, problem) in [
            (file.clone(), "metadata: Required"),
            (file.clone() + &metadata("{"), "metadata: Expected object"),
            (file.clone() + &metadata("{}"), "metadata.entrypoint_path: Required"),
            (
                file.clone() + &metadata(r#"{"entrypoint_path":"b.ts"}"#),
                "metadata.entrypoint_path: Entrypoint path",
            ),
            (
                file.clone() + &metadata(r#"{"entrypoint_path":"a.ts","import_map_path":"b"}"#),
                "metadata.import_map_path: Import map path",
            ),
            (metadata(r#"{"entrypoint_path":"a.ts"}"#), "file: Required"),
            (
                part("name=\"file\"", "x") + &metadata(r#"{"entrypoint_path":"a.ts"}"#),
                "file.0: needs a filename",
            ),
            (
                part("name=\"file\"; filename=\"a\0b.ts\"", "x"),
                "body: Invalid multipart form, part 0 has a zero byte in its headers",
            ),
        ] {
            let reply =
                send_form(api, &format!("{DEPLOY}?slug=hi"), &(form.clone() + "--xYzZY--\r\n")).to_string();
            assert!(reply.starts_with(&format!(r#"400 {{"message":"{problem}"#)), "{problem}: {reply}");
        }
        assert!(api.post(DEPLOY, json!({})).to_string().starts_with("415"));
        assert_eq!(api.get(FUNCTIONS).to_string(), "200 []");
    });
}

#[test]
fn an_entrypoint_is_found_however_its_path_begins() {
    both(scenario::active_project, |api| {
        let metadata = json!({ "entrypoint_path": "index.ts" });
        let call = Call::post(&format!("{DEPLOY}?slug=hi")).multipart(&metadata, &[("./index.ts", "x")]);
        assert_eq!(api.send(call).status, 201);
    });
}

#[test]
fn without_files_an_existing_function_keeps_its_own() {
    both(scenario::active_project, |api| {
        deployed(api, "hi", &[("index.ts", "one")]);
        let metadata = json!({ "entrypoint_path": "index.ts", "verify_jwt": false });
        let again = Call::post(&format!("{DEPLOY}?slug=hi")).multipart(&metadata, &[]);
        let after = read(&api.send(again));
        assert_eq!((after.version, after.verify_jwt), (2, false));
        assert_eq!(texts(api, "hi"), [file("source/index.ts", "one")]);
    });
}

#[test]
fn an_empty_import_map_path_is_none() {
    both(scenario::active_project, |api| {
        let path = "functions/hi/index.ts";
        let metadata = json!({
            "entrypoint_path": path, "import_map_path": "", "static_patterns": [], "name": "hi"
        });
        let call = Call::post(&format!("{DEPLOY}?slug=hi")).multipart(&metadata, &[(path, "x")]);
        let made = read(&api.send(call));
        assert_eq!((made.import_map, made.import_map_path), (false, None));
    });
}

#[test]
fn a_deploy_that_does_not_say_otherwise_verifies_tokens() {
    both(scenario::active_project, |api| {
        let mut verifies = |metadata: Value, files: &[(&str, &str)]| {
            let call = Call::post(&format!("{DEPLOY}?slug=hi")).multipart(&metadata, files);
            read(&api.send(call)).verify_jwt
        };
        let files = [("index.ts", "x")];
        assert!(!verifies(json!({ "entrypoint_path": "index.ts", "verify_jwt": false }), &files));
        assert!(verifies(json!({ "entrypoint_path": "index.ts", "name": "hi" }), &files));
        assert!(!verifies(json!({ "entrypoint_path": "index.ts", "verify_jwt": false }), &[]));
        assert!(verifies(json!({ "entrypoint_path": "index.ts" }), &[]));
        assert!(
            !api.patch(&format!("{HI}?verify_jwt=false"), json!({})).json()["verify_jwt"]
                .as_bool()
                .unwrap_or(true)
        );
        let kept = api.patch(HI, json!({ "name": "Hi" })).json();
        assert_eq!(kept["verify_jwt"], json!(false), "an update is no deploy");
    });
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
fn a_deploy_checks_that_imported_files_exist() {
    both(scenario::active_project, |api| {
        let text = r#"Failed to bundle the function (reason: Module not found "nope.ts")"#;
        let reply = deploy(api, "hi", &[("index.ts", "import x from './nope.ts'")]);
        refused(&reply, 400, "module_not_found", text);
        deployed(api, "hi", &[("a/index.ts", "import x from '../b/x.ts'"), ("b/x.ts", "")]);
        let metadata = json!({ "entrypoint_path": "index.ts", "import_map_path": "deno.json" });
        let files = [("index.ts", "x"), ("deno.json", "{not json")];
        let reply = api.send(Call::post(&format!("{DEPLOY}?slug=hi")).multipart(&metadata, &files));
        assert_eq!((reply.status, reply.reason()), (400, "import_map_unreadable"));
        let files = [("index.ts", "x"), ("deno.json", "[]")];
        let reply = api.send(Call::post(&format!("{DEPLOY}?slug=hi")).multipart(&metadata, &files));
        assert_eq!((reply.status, reply.reason()), (400, "import_map_unreadable"));
        let later = "export default async () => await import('./later.ts')";
        assert_eq!(deploy(api, "hi", &[("index.ts", later)]).reason(), "module_not_found");
        assert_eq!(get(api, "hi").version, 1);
    });
}

#[test]
fn an_entry_point_has_a_statement() {
    both(scenario::active_project, |api| {
        for empty in ["", "  \n"] {
            let text = "Failed to bundle the function (reason: The entrypoint index.ts is empty)";
            refused(&deploy(api, "hi", &[("index.ts", empty)]), 400, "entrypoint_empty", text);
        }
        deployed(api, "hi", &[("index.ts", "export {}"), ("empty.ts", "")]);
    });
}

#[test]
fn a_deploy_refuses_what_can_not_be_parsed() {
    both(scenario::active_project, |api| {
        let lead = "Failed to bundle the function (reason: The module's source code could not be parsed:";
        let reply = deploy(api, "hi", &[("index.ts", "export const = ;;; {{{")]);
        refused(&reply, 400, "source_not_parsed", &format!("{lead} Expected a name, got '=' at index.ts:1)"));
        let reply = deploy(api, "hi", &[("index.ts", "import './b.ts'"), ("b.ts", "\nfunction f() {")]);
        refused(
            &reply,
            400,
            "source_not_parsed",
            &format!("{lead} Expected '}}', got end of file at b.ts:2)"),
        );
        // A file that nobody imports is not parsed, nor is markup.
        deployed(api, "hi", &[("index.ts", "x"), ("unused.ts", "{{{"), ("page.tsx", "<p>don't</p>")]);
    });
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
fn the_body_is_a_form_if_the_caller_accepts_one() {
    both(scenario::active_project, |api| {
        deployed(api, "hi", &[("index.ts", "\u{1}\r\n--x")]);
        let get = Call::get(&format!("{HI}/body")).token("token-of-reader");
        let reply = api.send(get.header("accept", "multipart/form-data"));
        let boundary = "--stuntdouble-7b2f9d4c1e";
        let expected = format!(
            "{boundary}\r\ncontent-disposition: form-data; name=\"metadata\"\r\n\r\n\
             {{\"deno2_entrypoint_path\":\"source/index.ts\"}}\r\n\
             {boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"source/index.ts\"\r\n\r\n\
             \u{1}\r\n--x\r\n{boundary}--\r\n"
        );
        assert_eq!(reply.to_string(), format!("200 {expected}"));
        assert_eq!(reply.header("content-type"), "multipart/form-data; boundary=stuntdouble-7b2f9d4c1e");
    });
}

/// Reads a bundle as older clients do.
fn unzip(bundle: &[u8]) -> Vec<(String, Vec<u8>)> {
    fn take<'b>(rest: &mut &'b [u8], length: usize) -> &'b [u8] {
        let (head, tail) = rest.split_at(length);
        *rest = tail;
        head
    }
    fn number(rest: &mut &[u8]) -> usize {
        u32::from_be_bytes(take(rest, 4).try_into().expect("four bytes")) as usize
    }
    let mut rest = bundle;
    assert_eq!(take(&mut rest, 8), b"ESZIP_V2");
    let length = number(&mut rest);
    let mut header = take(&mut rest, length);
    take(&mut rest, 32);
    let length = number(&mut rest);
    let sources = take(&mut rest, length);
    assert_eq!(rest, [0; 4]);
    let mut files = Vec::new();
    while !header.is_empty() {
        let length = number(&mut header);
        let specifier = String::from_utf8(take(&mut header, length).to_vec()).expect("specifiers are texts");
        assert_eq!(take(&mut header, 1), [0]);
        let (offset, length) = (number(&mut header), number(&mut header));
        assert_eq!(take(&mut header, 9), [0; 9]);
        files.push((specifier, sources[offset..offset + length].to_vec()));
    }
    files
}

#[test]
fn the_body_is_a_bundle_for_everyone_else() {
    both(scenario::active_project, |api| {
        let function = deployed(api, "hi", &[("index.ts", "one"), ("empty.ts", ""), ("z/b.ts", "three")]);
        let folder = function.entrypoint_path.replace("index.ts", "");
        let bundle = body(api, "hi", "*/*").body;
        let expected = [("empty.ts", ""), ("index.ts", "one"), ("z/b.ts", "three")];
        let expected = expected.map(|(path, text)| (format!("{folder}{path}"), text.as_bytes().to_vec()));
        assert_eq!(unzip(&bundle), expected);
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
fn a_deploy_fails_where_the_policy_says_so_and_leaves_the_function() {
    both(
        || under(|policy| policy.outcomes.deploy = Outcome::Fail),
        |api| {
            let reply = deploy(api, "hi", &[("index.ts", "1")]);
            refused(&reply, 500, "deploy_failed", "Function deploy failed due to an internal error");
            assert_eq!(api.get(FUNCTIONS).to_string(), "200 []");
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
fn equal_files_keep_their_digest_and_their_paths() {
    both(scenario::active_project, |api| {
        let first = deployed(api, "hi", &[("index.ts", "one")]);
        let again = deployed(api, "hi", &[("index.ts", "one")]);
        let renamed = api.patch(HI, json!({ "name": "Other" })).json();
        assert_eq!((again.version, &renamed["version"]), (2, &json!(3)));
        for (digest, path) in [
            (json!(again.ezbr_sha256), json!(again.entrypoint_path)),
            (renamed["ezbr_sha256"].clone(), renamed["entrypoint_path"].clone()),
        ] {
            assert_eq!((digest, path), (json!(first.ezbr_sha256), json!(first.entrypoint_path)));
        }
        assert_eq!(json!(digest_of(&api.get(&format!("{HI}/body")).body)), json!(first.ezbr_sha256));
        let other = deployed(api, "hi", &[("index.ts", "two")]);
        assert!(other.ezbr_sha256 != first.ezbr_sha256, "other files");
        assert!(other.entrypoint_path.ends_with("_4/source/index.ts"), "{}", other.entrypoint_path);
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
fn a_deployed_slug_begins_with_a_letter() {
    both(scenario::active_project, |api| {
        let reply = deploy(api, "1a", &[("index.ts", "one")]);
        assert_eq!((reply.status, reply.reason()), (400, "invalid_query.slug"));
        let one = json!({ "id": "x", "slug": "1a", "name": "x", "status": "ACTIVE", "version": 1 });
        assert_eq!(api.put(FUNCTIONS, json!([one])).reason(), "invalid_body.functions.0.slug");
    });
}
