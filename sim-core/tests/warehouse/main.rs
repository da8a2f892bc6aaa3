//! A corpus of queries in the warehouse's dialect with the rows that the warehouse would answer, run on both targets.
//!
//! `corpus/*.sql` are blocks divided by blank lines; see [`corpus`] for their form. SQLite is asked always, PostgreSQL when
//! `CORPUS_POSTGRES` has the address of a server, as `.ci/corpus` sets it.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test talks to files and to a server"
)]

#[path = "../sql/answer.rs"]
mod answer;
mod corpus;
mod report;
#[path = "../sql/server.rs"]
mod server;
mod target;

use std::env;

use corpus::File;
use server::Cluster;
use sim_core::sql::warehouse::Target;
use target::{Postgres, Runner, Sqlite};

#[test]
fn sqlite_answers_what_the_warehouse_would() {
    check(Target::Sqlite, |file| Box::new(Sqlite::with(file)));
}

#[test]
fn postgres_answers_what_the_warehouse_would() {
    let Ok(address) = env::var("CORPUS_POSTGRES") else { return };
    let cluster = Cluster::at(&address);
    check(Target::Postgres, |file| Box::new(Postgres::with(&cluster, file)));
}

#[test]
fn the_document_of_supported_constructs_is_that_of_the_corpus() {
    let (path, text) = (report::path(), report::of(&File::all()));
    if env::var("CORPUS_BLESS").is_ok() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(stored, text, "run with CORPUS_BLESS=1");
}

fn check<'a>(target: Target, runner: impl Fn(&File) -> Box<dyn Runner + 'a>) {
    let mut differing = Vec::new();
    let mut count = 0;
    for file in File::all() {
        let mut runner = runner(&file);
        for case in &file.cases {
            let (sql, answer) = target::answer(target, runner.as_mut(), &file, case);
            count += 1;
            if !case.accepts(&answer) {
                differing.push(format!(
                    "{}: {}\n{}\nexpected:\n{}\nanswer:\n{answer}\n{sql}",
                    file.name, case.title, case.query, case.expected
                ));
            }
        }
    }
    println!("{target:?}: {count} queries, {} answers differ", differing.len());
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
}
