//! A corpus of queries in the warehouse's dialect with the rows that the warehouse would return, run on both
//! targets.
//!
//! `corpus/*.sql` are blocks divided by blank lines; see [`corpus`] for their format. They run on SQLite
//! always, and on PostgreSQL if `CORPUS_POSTGRES` has the address of a server, as `.ci/corpus` sets it.

#![forbid(unsafe_code)]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test talks to files and to a server"
)]

#[path = "../../sql/tests/sql/answer.rs"]
mod answer;
mod corpus;
mod mutations;
mod report;
#[path = "../../sql/tests/sql/server.rs"]
mod server;
mod shapes;
mod target;
mod texts;

use std::collections::BTreeMap;
use std::env;

use corpus::{Case, File};
use mutations::Prepares;
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
fn sqlite_accepts_every_translated_query() {
    whatever_is_not_refused(Target::Sqlite, Sqlite::with);
}

#[test]
fn postgres_accepts_every_translated_query() {
    let Ok(address) = env::var("CORPUS_POSTGRES") else { return };
    let cluster = Cluster::at(&address);
    whatever_is_not_refused(Target::Postgres, |file| Postgres::with(&cluster, file));
}

#[test]
fn both_targets_give_the_same_answers_unless_they_refuse() {
    let Ok(address) = env::var("CORPUS_POSTGRES") else { return };
    let cluster = Cluster::at(&address);
    let mut runners = BTreeMap::new();
    let mut differing = Vec::new();
    let count = mutations::accepted(Target::Sqlite, |file, text, _| {
        let new = || (Sqlite::with(file), Postgres::with(&cluster, file));
        let (sqlite, postgres) = runners.entry(file.name.clone()).or_insert_with(new);
        let case = Case { query: text.to_owned(), ..Case::default() };
        let (_, one) = target::answer(Target::Sqlite, sqlite, file, &case);
        let (sql, other) = target::answer(Target::Postgres, postgres, file, &case);
        let agree = mutations::is_left_to_chance(text) || mutations::agree(&one, &other);
        if agree == mutations::DIFFERENT.contains(&text) {
            differing.push(format!("{}: {text}\nSQLite:\n{one}\nPostgreSQL:\n{other}\n{sql}", file.name));
        }
    });
    println!("{count} odd queries, {} answers differ", differing.len());
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
}

#[test]
fn the_corpus_has_150_queries_that_run_and_refusals_of_every_kind() {
    let files = File::all();
    let cases: Vec<&Case> = files.iter().flat_map(|file| &file.cases).collect();
    let refused = cases.iter().filter(|case| case.expected.starts_with("refused")).count();
    assert!(cases.len() - refused >= 150, "{} run, {refused} are refused", cases.len() - refused);
    for kind in report::KINDS {
        let found = cases.iter().any(|case| case.expected.starts_with(&format!("refused {kind}:")));
        assert!(found, "no case of {kind}");
    }
}

#[test]
fn the_document_of_supported_constructs_is_that_of_the_corpus() {
    let (path, text) = (report::path(), report::of(&File::all()));
    if env::var("CORPUS_BLESS").is_ok() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{} is not what the corpus says: run with CORPUS_BLESS=1", path.display());
}

fn whatever_is_not_refused<P: Prepares>(target: Target, runner: impl Fn(&File) -> P) {
    let mut runners = BTreeMap::new();
    let mut wrong = Vec::new();
    let count = mutations::accepted(target, |file, text, translation| {
        let runner = runners.entry(file.name.clone()).or_insert_with(|| runner(file));
        if let Err(message) = runner.prepares(translation) {
            wrong.push(format!("{message}\n{text}\n{}", translation.sql));
        }
    });
    println!("{target:?}: {count} odd queries, {} not understood", wrong.len());
    assert!(count > 400 && wrong.is_empty(), "{}", wrong.join("\n\n"));
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
