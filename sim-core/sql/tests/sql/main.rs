//! A corpus of statements with the results of a real PostgreSQL, compared with the embedded engine; and properties of calls that
//! are not about SQL itself.
//!
//! `corpus/*.sql` are plain SQL files: blocks divided by blank lines, each one call; each file has a fresh
//! database. Lines that begin with `-->` are PostgreSQL's result, with rows in the types of the service's SQL
//! endpoint. `.ci/corpus` runs the same files on a server, and writes the results if `CORPUS_BLESS` is set.

#![forbid(unsafe_code)]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test talks to files and to a server"
)]

mod answer;
mod calls;
mod corpus;
mod differential;
mod dump;
mod embedded;
mod functions;
mod robustness;
mod server;
mod typescript;

use std::env;
use std::sync::LazyLock;

use corpus::File;
use embedded::Report;
use server::Cluster;

/// The answers of the embedded engine to the whole corpus, which two tests need.
static REPORT: LazyLock<Report> = LazyLock::new(|| Report::of(&File::all()));

#[test]
fn the_embedded_engine_answers_as_the_server_does_or_refuses() {
    let report = &*REPORT;
    println!("{}\n\n{}", report.wrong(), report.summary());
    if env::var("CORPUS_BLESS").is_ok() {
        report.save();
    }
    println!("{} entries of the list can go: run with CORPUS_BLESS=1", report.stale());
    let worse = report.worse();
    assert!(worse.is_empty(), "{}", worse.join("\n\n"));
}

#[test]
fn documentation_has_the_answers_of_the_engine() {
    let path = corpus::directory().join("../../../../docs/sql.md");
    let text = REPORT.document();
    if env::var("CORPUS_BLESS").is_ok() {
        std::fs::write(&path, &text).unwrap();
    }
    let held = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(held == text, "docs/sql.md is out of date: run with CORPUS_BLESS=1");
}

#[test]
fn expected_answers_are_those_of_a_server() {
    let Ok(address) = env::var("CORPUS_POSTGRES") else { return };
    let cluster = Cluster::at(&address);
    let bless = env::var("CORPUS_BLESS").is_ok();
    let mut differing = Vec::new();
    let mut count = 0;
    for mut file in File::all() {
        let database = cluster.fresh_database();
        for case in file.cases_mut() {
            let answer = database.run(&case.statement).to_string();
            count += 1;
            if answer != case.expected {
                differing
                    .push(format!("{}\nexpected:\n{}\nserver:\n{answer}", case.statement, case.expected));
                case.expected = answer;
            }
        }
        if bless {
            file.save();
        }
    }
    println!("server: {count} statements, {} answers changed", differing.len());
    assert!(bless || differing.is_empty(), "{}", differing.join("\n\n"));
}
