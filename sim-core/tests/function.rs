//! Functions: created, deployed, bundled, updated, read back, deleted.

mod common;

use bytes::Bytes;
use common::{Scene, json, refuses_strangers, shown};
use serde_json::{Value, json};
use sim_core::engine::{Blob, File, Outcome};
use sim_core::management::SERVICE;
use sim_core::management::function::{CreateFunction, Event, Function, GetFunction, ListFunctions, Status};
use sim_core::management::function_body::{FunctionBody, GetFunctionBody};
use sim_core::management::function_bulk::{BulkFunction, BulkUpdateFunctions};
use sim_core::management::function_deploy::DeployFunction;
use sim_core::{Error, Role};

const FUNCTIONS: &str = "P/functions";
const DEPLOY: &str = "P/functions/deploy";
const FORM: &str = "multipart/form-data; boundary=xYzZY";

fn scene() -> Scene {
    Scene::new("pro", |_| {})
}

fn deploy(scene: &mut Scene, slug: &str, files: &[(&str, &str)]) -> Result<Function, Error> {
    let r#ref = scene.project.clone();
    scene.sim.call(DeployFunction::files(r#ref, slug, files))
}

fn bundle(scene: &mut Scene, slug: &str, files: &[(&str, &str)]) -> Function {
    let r#ref = scene.project.clone();
    let bundle = DeployFunction { bundleOnly: Some(true), ..DeployFunction::files(r#ref, slug, files) };
    scene.sim.call(bundle).expect("the files are good")
}

fn put(scene: &mut Scene, functions: Vec<BulkFunction>) -> Result<Vec<Function>, Error> {
    let r#ref = scene.project.clone();
    Ok(scene.sim.call(BulkUpdateFunctions { r#ref, functions })?.functions)
}

fn get(scene: &mut Scene, slug: &str) -> Function {
    let r#ref = scene.project.clone();
    scene.sim.call(GetFunction { r#ref, function_slug: slug.into() }).expect("the function is there")
}

fn body(scene: &mut Scene, slug: &str, accept: Option<&str>) -> FunctionBody {
    let get = GetFunctionBody {
        r#ref: scene.project.clone(),
        function_slug: slug.into(),
        accept: accept.map(str::to_owned),
    };
    scene.sim.call(get).expect("the function is there")
}

/// The texts of a function's files, by path.
fn texts(scene: &mut Scene, slug: &str) -> Vec<(String, String)> {
    let text = |Blob(bytes): Blob| String::from_utf8(bytes).expect("the files are texts");
    let files = body(scene, slug, Some("multipart/form-data")).files;
    files.into_iter().map(|File { name, content }| (name, text(content))).collect()
}

fn send_form(scene: &mut Scene, path: &str, form: &[u8]) -> String {
    shown(&scene.exchange("Developer", "POST", path, &[("content-type", FORM)], Bytes::copy_from_slice(form)))
}

fn part(disposition: &str, content: &str) -> String {
    format!("--xYzZY\r\ncontent-disposition: form-data; {disposition}\r\n\r\n{content}\r\n")
}

fn message(status: u16, text: &str) -> String {
    format!("{status} {}", json!({ "message": text }))
}

#[test]
fn every_operation_refuses_strangers() {
    let create = json!({ "slug": "hi", "name": "hi", "body": "x" });
    refuses_strangers(&[
        ("GET", FUNCTIONS, Value::Null, Role::ReadOnly),
        ("POST", FUNCTIONS, create, Role::Developer),
        ("PUT", FUNCTIONS, json!([]), Role::Developer),
        ("GET", "P/functions/hi", Value::Null, Role::ReadOnly),
        ("GET", "P/functions/hi/body", Value::Null, Role::ReadOnly),
        ("PATCH", "P/functions/hi", json!({ "name": "x" }), Role::Developer),
        ("DELETE", "P/functions/hi", Value::Null, Role::Developer),
    ]);
}

#[test]
fn deploy_refuses_strangers() {
    let form = part("name=\"metadata\"", r#"{"entrypoint_path":"a.ts"}"#) + "--xYzZY--\r\n";
    let mut scene = scene();
    for (who, status) in [("nobody", 401), ("outsider", 403), ("Read-only", 403)] {
        let headers = [("content-type", FORM)];
        let reply = scene.exchange(who, "POST", DEPLOY, &headers, Bytes::from(form.clone()));
        assert_eq!(reply.status(), status, "{who}");
    }
    for (project, status) in [("nosuchprojectatallxx", "404"), ("Not-A-Ref", "400")] {
        let path = format!("/v1/projects/{project}/functions/deploy?slug=hi");
        assert!(send_form(&mut scene, &path, form.as_bytes()).starts_with(status), "{project}");
    }
}

#[test]
fn a_function_made_of_a_text_is_its_one_file() {
    let mut scene = scene();
    assert_eq!(scene.ask("GET", FUNCTIONS, &Value::Null), "200 []");
    let create = json!({ "slug": "hi", "name": "Hello", "body": "serve()" });
    let created = json(&scene.ask("POST", FUNCTIONS, &create));
    let id = created["id"].as_str().expect("it has an id");
    let now = scene.sim.now().as_millisecond();
    let expected = json!({
        "id": id, "slug": "hi", "name": "Hello", "status": "ACTIVE", "version": 1, "created_at": now, "updated_at": now,
        "verify_jwt": true, "import_map": false,
        "entrypoint_path": format!("file:///tmp/user_fn_{}_{id}_1/source/index.ts", scene.project),
    });
    assert_eq!(created, expected);
    assert_eq!(json(&scene.ask("GET", "P/functions/hi", &Value::Null)), expected);
    assert_eq!(json(&scene.ask("GET", FUNCTIONS, &Value::Null)), json!([expected]));
    assert_eq!(texts(&mut scene, "hi"), [("source/index.ts".to_owned(), "serve()".to_owned())]);
}

#[test]
fn a_function_made_of_bytes_has_everything_else_in_the_query_and_gives_the_bytes_back() {
    let mut scene = scene();
    let bytes = Bytes::from_static(b"ESZIP\x00\xff\r\n\x80");
    let query = "slug=raw&name=Raw&verify_jwt=false&import_map=true&entrypoint_path=file:///src/main.ts";
    let headers = [("content-type", "application/vnd.vendor.bundle")];
    let path = format!("{FUNCTIONS}?{query}");
    let created = json(&shown(&scene.exchange("Developer", "POST", &path, &headers, bytes.clone())));
    assert_eq!((&created["name"], &created["verify_jwt"]), (&json!("Raw"), &json!(false)));
    assert_eq!(created["entrypoint_path"], "file:///src/main.ts");
    assert_eq!(created["import_map_path"], "file:///src/import_map.json");
    for accept in ["*/*", "multipart/form-data"] {
        let reply =
            scene.exchange("Read-only", "GET", "P/functions/raw/body", &[("accept", accept)], Bytes::new());
        assert_eq!(reply.headers()["content-type"], "application/octet-stream", "{accept}");
        assert_eq!(reply.body(), &bytes, "{accept}");
    }
    let other = Bytes::from_static(b"\x01\x02");
    let reply = scene.exchange("Developer", "PATCH", "P/functions/raw?name=New", &headers, other.clone());
    let updated = json(&shown(&reply));
    assert_eq!((&updated["name"], &updated["version"]), (&json!("New"), &json!(2)));
    assert_eq!(body(&mut scene, "raw", None).bundle, Some(Blob(other.to_vec())));
}

#[test]
fn a_call_made_with_bytes_replays() {
    let mut scene = scene();
    let headers = [("content-type", "application/octet-stream")];
    scene.exchange(
        "Owner",
        "POST",
        "P/functions?slug=raw&name=raw",
        &headers,
        Bytes::from_static(b"\xff\x00"),
    );
    deploy(&mut scene, "hi", &[("index.ts", "1")]).expect("the files are good");
    body(&mut scene, "raw", None);
    let registry = sim_core::management::registry();
    let replayed =
        scene.sim.replay_file().expect("the journal is whole").run(registry).expect("nothing diverges");
    assert_eq!(replayed.journal_hash(), scene.sim.journal_hash());
}

#[test]
fn create_refuses_what_is_missing_misshapen_or_there() {
    let mut scene = scene();
    let good = json!({ "slug": "hi", "name": "hi", "body": "x" });
    assert!(scene.ask("POST", FUNCTIONS, &good).starts_with("201"));
    assert_eq!(scene.ask("POST", FUNCTIONS, &good), message(400, "Duplicated function slug"));
    for (body, problem) in [
        (json!({ "name": "hi", "body": "x" }), "slug: Required"),
        (json!({ "slug": "a", "body": "x" }), "name: Required"),
        (json!({ "slug": "a", "name": "hi" }), "body: Required"),
        (json!({ "slug": "a b", "name": "hi", "body": "x" }), "slug: Invalid, must be letters"),
        (json!({ "slug": "a", "name": "hi", "body": "x", "verify_jwt": 1 }), "verify_jwt: Expected boolean"),
    ] {
        let reply = scene.ask("POST", FUNCTIONS, &body);
        assert!(reply.starts_with(&format!(r#"400 {{"message":"{problem}"#)), "{body}: {reply}");
    }
}

#[test]
fn beside_a_json_body_the_query_neither_names_a_function_nor_excuses_what_is_wrong_in_the_body() {
    let mut scene = scene();
    let unnamed = json!({ "body": "serve()" });
    assert_eq!(
        scene.ask("POST", "P/functions?slug=hi&name=Hello", &unnamed),
        message(400, "slug: Required, name: Required")
    );
    let wrong = json!({ "slug": "hi", "name": "Hello", "body": "serve()", "verify_jwt": "no" });
    assert_eq!(
        scene.ask("POST", "P/functions?verify_jwt=true", &wrong),
        message(400, "verify_jwt: Expected boolean, received string")
    );
    let good = json!({ "slug": "hi", "name": "Hello", "body": "serve()", "verify_jwt": true });
    assert_eq!(json(&scene.ask("POST", "P/functions?verify_jwt=false", &good))["verify_jwt"], false);
}

#[test]
fn unknown_functions_are_not_found() {
    let mut scene = scene();
    let gone = message(404, "Function not found");
    for (method, path) in [
        ("GET", "P/functions/no"),
        ("GET", "P/functions/no/body"),
        ("DELETE", "P/functions/no"),
        ("PATCH", "P/functions/no"),
    ] {
        assert_eq!(scene.ask(method, path, &Value::Null), gone, "{method} {path}");
    }
    assert!(scene.ask("GET", "P/functions/a.b", &Value::Null).starts_with("400"));
}

#[test]
fn deploy_takes_the_form_in_every_shape() {
    let metadata =
        r#"{"entrypoint_path":"functions/hi/index.ts","import_map_path":"functions/deno.json","sha256":"0"}"#;
    let (plain, blob) =
        ("name=\"metadata\"", "name=\"metadata\"; filename=\"blob\"\r\ncontent-type: application/json");
    let file = |name: &str, content: &str| part(&format!("name=\"file\"; filename=\"{name}\""), content);
    let files = file("functions/hi/index.ts", "entry") + &file("functions/deno.json", "{}");
    for (shape, form) in [
        ("metadata first", part(plain, metadata) + &files),
        ("metadata last", files.clone() + &part(plain, metadata)),
        ("metadata as a blob, first", part(blob, metadata) + &files),
        ("metadata as a blob, last", files.clone() + &part(blob, metadata)),
    ] {
        let mut scene = scene();
        let deployed =
            json(&send_form(&mut scene, "P/functions/deploy?slug=hi", (form + "--xYzZY--\r\n").as_bytes()));
        let id = deployed["id"].as_str().expect("it has an id");
        let folder = format!("file:///tmp/user_fn_{}_{id}_1/source/functions", scene.project);
        assert_eq!(deployed["entrypoint_path"], format!("{folder}/hi/index.ts"), "{shape}");
        assert_eq!(deployed["import_map_path"], format!("{folder}/deno.json"), "{shape}");
        assert_eq!((&deployed["version"], &deployed["import_map"]), (&json!(1), &json!(true)), "{shape}");
        let expected = [("source/functions/deno.json", "{}"), ("source/functions/hi/index.ts", "entry")];
        assert_eq!(
            texts(&mut scene, "hi"),
            expected.map(|(name, text)| (name.to_owned(), text.to_owned())),
            "{shape}"
        );
    }
}

#[test]
fn deploy_creates_then_replaces_and_counts_versions() {
    let mut scene = scene();
    let first = deploy(&mut scene, "hi", &[("index.ts", "one"), ("a.ts", "a")]).expect("the files are good");
    scene.wait(5);
    let second = deploy(&mut scene, "hi", &[("main.ts", "two")]).expect("the files are good");
    assert_eq!((first.version, second.version, &second.id), (1, 2, &first.id));
    assert_eq!((second.created_at, second.updated_at), (first.created_at, first.created_at + 5000));
    assert!(second.entrypoint_path.ends_with("_2/source/main.ts"), "{}", second.entrypoint_path);
    assert_eq!(texts(&mut scene, "hi"), [("source/main.ts".to_owned(), "two".to_owned())]);
    assert_eq!(get(&mut scene, "hi"), second);
}

#[test]
fn deploy_finds_the_slug_in_the_query_or_in_the_name() {
    let mut scene = scene();
    let form = |metadata: &str| {
        part("name=\"metadata\"", metadata) + &part("name=\"file\"; filename=\"a.ts\"", "x") + "--xYzZY--\r\n"
    };
    let named = form(r#"{"entrypoint_path":"a.ts","name":"hi-there"}"#);
    assert_eq!(json(&send_form(&mut scene, DEPLOY, named.as_bytes()))["slug"], "hi-there");
    let both = json(&send_form(&mut scene, "P/functions/deploy?slug=other", named.as_bytes()));
    assert_eq!((&both["slug"], &both["name"]), (&json!("other"), &json!("hi-there")));
    for metadata in [r#"{"entrypoint_path":"a.ts","name":"Hi there"}"#, r#"{"entrypoint_path":"a.ts"}"#] {
        let reply = send_form(&mut scene, DEPLOY, form(metadata).as_bytes());
        assert!(reply.starts_with(r#"400 {"message":"slug: Required"#), "{reply}");
    }
}

#[test]
fn deploy_refuses_forms_that_do_not_fit() {
    let mut scene = scene();
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
        (part("name=\"file\"", "x") + &metadata(r#"{"entrypoint_path":"a.ts"}"#), "file.0: needs a filename"),
    ] {
        let reply = send_form(&mut scene, "P/functions/deploy?slug=hi", (form + "--xYzZY--\r\n").as_bytes());
        assert!(reply.starts_with(&format!(r#"400 {{"message":"{problem}"#)), "{problem}: {reply}");
    }
    assert!(scene.ask("POST", DEPLOY, &json!({})).starts_with("415"));
    assert_eq!(scene.ask("GET", FUNCTIONS, &Value::Null), "200 []");
}

#[test]
fn an_entrypoint_is_found_however_its_path_begins() {
    let mut scene = scene();
    let mut deploy = DeployFunction::files(scene.project.clone(), "hi", &[("./index.ts", "x")]);
    deploy.metadata.entrypoint_path = "index.ts".to_owned();
    assert!(scene.sim.call(deploy).is_ok());
}

#[test]
fn without_files_an_existing_function_keeps_its_own() {
    let mut scene = scene();
    deploy(&mut scene, "hi", &[("index.ts", "one")]).expect("the files are good");
    let mut again = DeployFunction::files(scene.project.clone(), "hi", &[("index.ts", "")]);
    again.file = None;
    again.metadata.verify_jwt = Some(false);
    let after = scene.sim.call(again).expect("it has files");
    assert_eq!((after.version, after.verify_jwt), (2, false));
    assert_eq!(texts(&mut scene, "hi"), [("source/index.ts".to_owned(), "one".to_owned())]);
}

#[test]
fn bundling_changes_nothing_until_bulk_update_puts_it() {
    let mut scene = scene();
    let old = deploy(&mut scene, "hi", &[("index.ts", "old")]).expect("the files are good");
    let bundled =
        [bundle(&mut scene, "hi", &[("main.ts", "new")]), bundle(&mut scene, "fresh", &[("index.ts", "x")])];
    assert_eq!((bundled[0].version, bundled[1].version), (2, 1));
    assert_eq!(get(&mut scene, "hi"), old);
    let r#ref = scene.project.clone();
    assert_eq!(scene.sim.call(ListFunctions { r#ref }).expect("lists are open"), [old]);
    let put = put(&mut scene, bundled.clone().map(BulkFunction::from).to_vec()).expect("they were bundled");
    assert_eq!(put, bundled);
    assert_eq!(texts(&mut scene, "hi"), [("source/main.ts".to_owned(), "new".to_owned())]);
    assert_eq!(texts(&mut scene, "fresh"), [("source/index.ts".to_owned(), "x".to_owned())]);
    assert_eq!(bundle(&mut scene, "fresh", &[("index.ts", "y")]).id, bundled[1].id);
}

#[test]
fn bulk_update_is_idempotent_takes_versions_as_given_and_leaves_the_rest() {
    let mut scene = scene();
    deploy(&mut scene, "rest", &[("index.ts", "rest")]).expect("the files are good");
    deploy(&mut scene, "hi", &[("index.ts", "old")]).expect("the files are good");
    for version in [7, 3] {
        let mut named = BulkFunction::from(get(&mut scene, "hi"));
        (named.version, named.name, named.status) = (version, "Other".to_owned(), Status::Throttled);
        let first = put(&mut scene, vec![named.clone()]).expect("it is good");
        scene.wait(5);
        assert_eq!(put(&mut scene, vec![named]).expect("it is good"), first);
        assert_eq!((first[0].version, first[0].status), (version, Status::Throttled));
        assert_eq!(texts(&mut scene, "hi")[0].1, "old");
    }
    assert_eq!(get(&mut scene, "rest").version, 1);
    assert_eq!(deploy(&mut scene, "hi", &[("index.ts", "new")]).expect("the files are good").version, 4);
}

#[test]
fn bulk_update_creates_what_is_not_there() {
    let mut scene = scene();
    let new = json!([{ "id": "f1", "slug": "new", "name": "new", "status": "ACTIVE", "version": 5 }]);
    let made = json(&scene.ask("PUT", FUNCTIONS, &new));
    assert_eq!((&made["functions"][0]["id"], &made["functions"][0]["version"]), (&json!("f1"), &json!(5)));
    assert_eq!(texts(&mut scene, "new"), []);
    assert!(scene.ask("PUT", FUNCTIONS, &json!({})).starts_with("400"));
    let wrong = json!([{ "id": "f1", "slug": "new", "name": "new", "status": "GONE", "version": 5 }]);
    assert!(
        scene
            .ask("PUT", FUNCTIONS, &wrong)
            .starts_with(r#"400 {"message":"functions.0.status: Invalid enum value"#)
    );
}

#[test]
fn update_changes_what_it_names() {
    let mut scene = scene();
    let r#ref = scene.project.clone();
    scene.sim.call(CreateFunction::text(r#ref, "hi", "one")).expect("the function is good");
    bundle(&mut scene, "hi", &[("index.ts", "draft")]);
    let after = json(&scene.ask("PATCH", "P/functions/hi?verify_jwt=false", &json!({ "name": "Hi" })));
    assert_eq!(
        (&after["name"], &after["verify_jwt"], &after["version"]),
        (&json!("Hi"), &json!(false), &json!(2))
    );
    assert_eq!(texts(&mut scene, "hi")[0].1, "one");
    let after =
        json(&scene.ask("PATCH", "P/functions/hi", &json!({ "body": "two", "import_map_path": "map.json" })));
    assert_eq!((&after["version"], &after["import_map"]), (&json!(3), &json!(true)));
    assert_eq!(texts(&mut scene, "hi")[0].1, "two");
    let after = json(&scene.ask("PATCH", "P/functions/hi", &json!({ "import_map": false })));
    assert_eq!((&after["import_map"], after.get("import_map_path")), (&json!(false), None));
}

#[test]
fn a_deleted_function_is_gone_and_its_slug_free() {
    let mut scene = scene();
    let first = deploy(&mut scene, "hi", &[("index.ts", "old")]).expect("the files are good");
    assert_eq!(scene.ask("DELETE", "P/functions/hi", &Value::Null), "200 {}");
    assert_eq!(scene.ask("DELETE", "P/functions/hi", &Value::Null), message(404, "Function not found"));
    let second = deploy(&mut scene, "hi", &[("index.ts", "new")]).expect("the files are good");
    assert_eq!(second.version, 1);
    assert_ne!(second.id, first.id);
}

#[test]
fn the_body_is_a_form_for_who_asks_for_one() {
    let mut scene = scene();
    deploy(&mut scene, "hi", &[("index.ts", "\u{1}\r\n--x")]).expect("the files are good");
    let headers = [("accept", "multipart/form-data")];
    let reply = scene.exchange("Read-only", "GET", "P/functions/hi/body", &headers, Bytes::new());
    let boundary = "--stuntdouble-7b2f9d4c1e";
    let expected = format!(
        "{boundary}\r\ncontent-disposition: form-data; name=\"metadata\"\r\n\r\n\
         {{\"deno2_entrypoint_path\":\"source/index.ts\"}}\r\n\
         {boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"source/index.ts\"\r\n\r\n\
         \u{1}\r\n--x\r\n{boundary}--\r\n"
    );
    assert_eq!(shown(&reply), format!("200 {expected}"));
    assert_eq!(reply.headers()["content-type"], "multipart/form-data; boundary=stuntdouble-7b2f9d4c1e");
}

/// Reads a bundle as old clients do.
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
    let mut scene = scene();
    let function = deploy(&mut scene, "hi", &[("index.ts", "one"), ("empty.ts", ""), ("z/b.ts", "three")]);
    let folder = function.expect("the files are good").entrypoint_path.replace("index.ts", "");
    let Blob(bundle) = body(&mut scene, "hi", None).bundle.expect("it is a bundle");
    let expected = [("empty.ts", ""), ("index.ts", "one"), ("z/b.ts", "three")];
    let expected = expected.map(|(path, text)| (format!("{folder}{path}"), text.as_bytes().to_vec()));
    assert_eq!(unzip(&bundle), expected);
}

#[test]
fn the_plan_limits_how_many_functions_there_are() {
    let mut scene = Scene::new("free", |policy| policy.functions.free = 1);
    deploy(&mut scene, "one", &[("index.ts", "1")]).expect("there is room for one");
    let words = "Maximum number of functions reached for Plan";
    assert_eq!(
        scene.ask("POST", FUNCTIONS, &json!({ "slug": "b", "name": "b", "body": "x" })),
        message(402, words)
    );
    let refusal = deploy(&mut scene, "two", &[("index.ts", "1")]).expect_err("there is no room");
    assert_eq!((refusal.status(), refusal.message.as_str()), (402, words));
    let mut named = BulkFunction::from(get(&mut scene, "one"));
    assert!(put(&mut scene, vec![named.clone()]).is_ok());
    named.slug = "two".into();
    assert_eq!(put(&mut scene, vec![named]).expect_err("there is no room").status(), 402);
    assert!(deploy(&mut scene, "one", &[("index.ts", "2")]).is_ok());
}

#[test]
fn a_function_is_no_larger_than_the_policy_says() {
    let mut scene = Scene::new("pro", |policy| policy.function_bytes = 10);
    let words = "The function size exceeds the allowable limit";
    assert!(deploy(&mut scene, "hi", &[("a", "12345"), ("b", "67890")]).is_ok());
    let refusal = deploy(&mut scene, "hi", &[("a", "12345"), ("b", "678901")]).expect_err("it is too large");
    assert_eq!((refusal.status(), refusal.message.as_str()), (413, words));
    let large = json!({ "slug": "b", "name": "b", "body": "12345678901" });
    assert_eq!(scene.ask("POST", FUNCTIONS, &large), message(413, words));
    assert_eq!(scene.ask("PATCH", "P/functions/hi", &json!({ "body": "12345678901" })), message(413, words));
}

#[test]
fn a_deploy_fails_where_the_policy_says_so_and_leaves_the_function() {
    let mut scene = Scene::new("pro", |policy| policy.outcomes.deploy = Outcome::Fail);
    let refusal = deploy(&mut scene, "hi", &[("index.ts", "1")]).expect_err("deploys fail");
    assert_eq!(refusal.to_string(), "500 deploy_failed: Function deploy failed due to an internal error");
    assert_eq!(scene.ask("GET", FUNCTIONS, &Value::Null), "200 []");
}

#[test]
fn the_platform_throttles_and_removes_until_the_next_deploy() {
    let mut scene = scene();
    deploy(&mut scene, "hi", &[("index.ts", "1")]).expect("the files are good");
    let path = "S/functions/hi/events";
    for (event, status) in [("throttle", "THROTTLED"), ("release", "ACTIVE"), ("remove", "REMOVED")] {
        assert_eq!(json(&scene.ask("POST", path, &json!({ "event": event })))["status"], status);
        assert_eq!(json(&scene.ask("GET", "P/functions/hi", &Value::Null))["status"], status);
    }
    let refused = scene.ask("POST", path, &json!({ "event": "release" }));
    assert_eq!(refused, message(400, "release does not happen to a function that is REMOVED"));
    assert_eq!(
        deploy(&mut scene, "hi", &[("index.ts", "2")]).expect("the files are good").status,
        Status::Active
    );
}

#[test]
fn the_whole_life_of_a_function() {
    let mut arrows = String::new();
    for status in Status::ALL {
        for event in Event::ALL {
            if let Some(next) = status.on(event) {
                arrows += &format!("{status:?} {event:?} {next:?}\n");
            }
        }
    }
    let expected = "Active Deploy Active
Active Throttle Throttled
Active Remove Removed
Removed Deploy Active
Throttled Deploy Active
Throttled Release Active
Throttled Remove Removed
";
    assert_eq!(arrows, expected);
}

#[test]
fn equal_files_are_stored_once_and_go_with_the_last_of_them() {
    // What is stored can't be seen through the API, so this looks at the tables themselves.
    let database = rusqlite::Connection::open_in_memory().expect("memory is there");
    database.pragma_update(None, "foreign_keys", true).expect("it can be set");
    let tables: String =
        SERVICE.resources.iter().map(|one| one.tables).filter(|sql| sql.contains("function_")).collect();
    database
        .execute_batch(
            "CREATE TABLE project (ref TEXT PRIMARY KEY) STRICT; INSERT INTO project VALUES ('p');",
        )
        .expect("good SQL");
    database.execute_batch(&tables).expect("good SQL");
    let contents = |sql: &str| -> i64 {
        database.execute_batch(sql).expect("good SQL");
        database.query_row("SELECT count(*) FROM function_content", (), |row| row.get(0)).expect("good SQL")
    };
    let two = "INSERT INTO function_content VALUES ('d', x'00');
               INSERT INTO function_upload VALUES (1, 'p', 'a', 1, 'x'), (2, 'p', 'b', 1, 'y');
               INSERT INTO function_file VALUES (1, 'a', 'd'), (2, 'a', 'd');";
    assert_eq!(contents(two), 1);
    assert_eq!(contents("DELETE FROM function_upload WHERE id = 1"), 1);
    assert_eq!(contents("DELETE FROM project"), 0);
}
