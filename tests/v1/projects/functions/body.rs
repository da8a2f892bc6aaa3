//! The sources of functions, as forms and bundles.

use serde_json::json;
use sim_fixtures::{Call, scenario};

use super::{HI, body, deployed, digest_of};
use crate::support::both;

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
    pub(super) fn take<'b>(rest: &mut &'b [u8], length: usize) -> &'b [u8] {
        let (head, tail) = rest.split_at(length);
        *rest = tail;
        head
    }
    pub(super) fn number(rest: &mut &[u8]) -> usize {
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
