//! `serve --fetch-documents`: documents that calls name by URL are fetched from this machine.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli::{Served, stuntdouble};
use crate::posts::answer;

/// A server of one document, at `/metadata`.
fn library(document: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is to be had");
    let url = format!("http://{}", listener.local_addr().expect("it has an address"));
    let document = document.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let Some(first) = lines.next() else { continue };
            lines.find(String::is_empty);
            let found = first.starts_with("GET /metadata ");
            let answer = if found { answer(200, &document) } else { answer(404, "no") };
            // Who is not interested in the whole answer may be gone.
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    url
}

/// A project with SAML in a server with these flags, and the path of its providers.
fn serve(flags: &[&str]) -> (Served, String) {
    let fixed =
        ["serve", "--json", "--port", "0", "--deterministic", "--token", "one", "--scenario", "new-project"];
    with_saml(&mut stuntdouble(&[&fixed, flags].concat()))
}

/// The same of the command of a server.
fn with_saml(command: &mut Command) -> (Served, String) {
    let served = Served::start(command);
    let projects = served.get("/v1/projects", "one");
    let projects: Value = serde_json::from_str(body(&projects)).expect("a list");
    let project = projects[0]["id"].as_str().expect("a project has a reference").to_owned();
    served.post("/_sim/clock/advance", "one", r#"{ "ms": 120000 }"#);
    let settings = json!({ "saml_enabled": true }).to_string();
    let path = format!("/v1/projects/{project}/config/auth");
    let set = served.patch(&path, "one", &settings);
    assert!(set.starts_with("HTTP/1.1 200"), "{set}");
    (served, format!("{path}/sso/providers"))
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").expect("an answer has a body").1
}

fn provider(url: &str) -> String {
    json!({ "type": "saml", "metadata_url": url }).to_string()
}

#[test]
fn documents_are_fetched_from_this_machine() {
    let url = library("<metadata/>");
    let fetch = sim_http::fetcher(false);
    assert_eq!(fetch(&format!("{url}/metadata")).as_deref(), Ok("<metadata/>"));
    assert_eq!(fetch(&format!("{url}/other")), Err("the answer is 404".to_owned()));
    let refused = fetch("http://idp.test/metadata").expect_err("it is elsewhere");
    assert!(refused.starts_with("idp.test is not on this machine"), "{refused}");
}

#[test]
fn a_server_fetches_if_the_flag_says_so() {
    let (served, path) = serve(&["--fetch-documents"]);
    let own = served.line["url"].as_str().expect("an address").replace("http://", "https://");
    for (url, why) in [
        // It speaks no TLS.
        (library("<metadata/>").replace("http://", "https://"), "metadata_url: could not be fetched, "),
        ("https://idp.test/metadata".to_owned(), "idp.test is not on this machine"),
        (format!("{own}/v1/projects"), "is this simulator itself"),
    ] {
        let refused = served.post(&path, "one", &provider(&url));
        assert!(refused.contains("x-sim-reason: not_fetched") && refused.contains(why), "{url}: {refused}");
    }

    let (served, path) = serve(&[]);
    let refused = served.post(&path, "one", &provider("https://localhost:9/metadata"));
    assert!(refused.contains("x-sim-reason: fetcher_missing"), "{refused}");
}

#[test]
fn a_document_is_fetched_over_tls_if_its_authority_is_trusted() {
    let authority = std::env::temp_dir().join(format!("stuntdouble-library-{}.pem", std::process::id()));
    let authority = authority.to_str().expect("the path is text");
    let library =
        Served::start(&mut stuntdouble(&["serve", "--json", "--port", "0", "--tls", "--ca-out", authority]));
    let page = format!("{}/dashboard", library.line["url"].as_str().expect("an address"));
    let fixed =
        ["serve", "--json", "--port", "0", "--deterministic", "--token", "one", "--scenario", "new-project"];
    let flags = [&fixed[..], &["--fetch-documents"]].concat();
    let (served, path) = with_saml(stuntdouble(&flags).env("SSL_CERT_FILE", authority));
    let read = served.post(&path, "one", &provider(&page));
    // The page came, and is no metadata.
    assert!(read.contains("Invalid XML, a document type declaration is not accepted"), "{read}");
    std::fs::remove_file(authority).expect("it was written");
}
