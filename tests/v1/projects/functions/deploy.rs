//! Functions deployed as forms, with their files.

use serde_json::{Value, json};
use sim_core::engine::Outcome;
use sim_fixtures::{Api, Call, Reply, scenario};

use super::{DEPLOY, FUNCTIONS, HI, deploy, deployed, file, get, read, texts};
use crate::steps::{Steps as _, refused, under};
use crate::support::both;

fn send_form(api: &mut dyn Api, path: &str, form: &str) -> Reply {
    api.send(Call::post(path).bytes(FORM, form.to_owned()))
}

pub(super) fn part(disposition: &str, content: &str) -> String {
    format!("--xYzZY\r\ncontent-disposition: form-data; {disposition}\r\n\r\n{content}\r\n")
}

const FORM: &str = "multipart/form-data; boundary=xYzZY";

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
fn a_deployed_slug_begins_with_a_letter() {
    both(scenario::active_project, |api| {
        let reply = deploy(api, "1a", &[("index.ts", "one")]);
        assert_eq!((reply.status, reply.reason()), (400, "invalid_query.slug"));
        let one = json!({ "id": "x", "slug": "1a", "name": "x", "status": "ACTIVE", "version": 1 });
        assert_eq!(api.put(FUNCTIONS, json!([one])).reason(), "invalid_body.functions.0.slug");
    });
}
