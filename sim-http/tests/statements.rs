//! The statement corpus on the Postgres engine: the answers in its files are those of a plain server.

#[path = "../../sim-core/sql/tests/sql/answer.rs"]
mod answer;
#[expect(dead_code, reason = "answers are written where the corpus lies")]
#[path = "../../sim-core/sql/tests/sql/corpus.rs"]
mod corpus;

use std::sync::Arc;
use std::time::Duration;

use sim_core::engine::{Builder, DatabaseServer as _, Holder, SqlCall, Version};
use sim_core::management::project::CreateProject;
use sim_core::management::query::RunQuery;
use sim_core::management::types::GenerateTypes;
use sim_core::sql::{self, Limits, SqlError};
use sim_core::{Policy, RateLimit, Simulator, Timestamp};
use sim_http::PostgresServer;

use answer::{Answer, Refusal};
use corpus::File;

/// The major version whose answers the corpus has.
const VERSION: u32 = 15;

/// Statements whose answer differs here, because a project's database has a different initial content than a plain one.
const OTHER: &str = include_str!("statements.txt");

#[test]
fn the_postgres_engine_answers_as_a_plain_server_does() {
    let Some(server) = server() else { return };
    let found = run(&server, &mut server.blank(), "show server_version").to_string();
    if !found.contains(&format!("\"{VERSION}.")) {
        return eprintln!("SKIPPED: the answers are those of PostgreSQL {VERSION}, and this is {found}");
    }
    let (mut count, mut other, mut wrong) = (0, Vec::new(), Vec::new());
    for file in File::all() {
        let mut version = server.blank();
        for case in file.cases() {
            let answer = run(&server, &mut version, &case.statement).to_string();
            count += 1;
            if answer != case.expected {
                let title = format!("{}: {}", file.name(), case.title()).trim_end().to_owned();
                if !OTHER.lines().any(|line| line == title) {
                    let expected = &case.expected;
                    wrong.push(format!("{title}\n expected:\n{expected}\n here:\n{answer}"));
                }
                other.push(title);
            }
        }
    }
    println!("{count} statements, {} of them with an answer of their own", other.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
    let stale: Vec<&str> = OTHER.lines().filter(|line| !other.iter().any(|title| title == line)).collect();
    assert!(stale.is_empty(), "these can go: {stale:#?}");
}

#[test]
fn generated_types_are_those_of_the_embedded_engine() {
    let Some(server) = server() else { return };
    for (name, included) in
        [("shop", &["public"][..]), ("chat", &["public", "private"]), ("saas", &["public"])]
    {
        let path = corpus::directory().join("typescript").join(name);
        let read = |ending: &str| std::fs::read_to_string(path.with_extension(ending)).expect("it is there");
        let mut version = server.blank();
        if let Answer::Refusal(refusal) = run(&server, &mut version, &read("sql")) {
            panic!("{name}: {refusal}");
        }
        let Answer::Rows(catalog) = run(&server, &mut version, sql::CATALOG_QUERY) else {
            panic!("the catalog answers")
        };
        let types = sql::typescript_of_server(catalog, included, None).expect("it is a catalog");
        let expected = read("ts");
        let differs = expected.lines().zip(types.lines()).find(|(expected, found)| expected != found);
        assert!(types == expected, "{name}: {differs:#?}");
    }
}

/// The corpus has twenty applications: schemas such as real projects have, with what is done in them.
#[test]
fn applications_have_the_same_rows_and_types_on_both_engines() {
    let Some(server) = server() else { return };
    let files: Vec<File> = File::all().into_iter().filter(|file| file.name().starts_with("app_")).collect();
    assert!(files.len() >= 20, "{} applications", files.len());
    for file in &files {
        let statements: Vec<&str> = file.cases().map(|case| case.statement.as_str()).collect();
        assert_same_project(&server, file.name(), &statements);
    }
}

#[test]
fn extensions_add_the_same_types_on_both_engines() {
    let Some(server) = server() else { return };
    for name in [
        "btree_gin",
        "btree_gist",
        "citext",
        "cube",
        "fuzzystrmatch",
        "hstore",
        "intarray",
        "lo",
        "ltree",
        "moddatetime",
        "pg_trgm",
        "tablefunc",
        "tcn",
        "unaccent",
        "vector",
    ] {
        assert_same_project(&server, name, &[&format!("create extension {name}")]);
    }
}

/// Requires that statements have the same rows, and leave the same generated types, on both engines.
fn assert_same_project(server: &Arc<PostgresServer>, name: &str, statements: &[&str]) {
    let project_on = |builder: Builder| {
        let policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
        let mut sim = builder.seed(7).policy(policy).build();
        let project = sim.call(CreateProject::named("demo", "acme")).expect("a project").id;
        sim.advance(Duration::from_secs(60));
        let answers =
            statements.iter().map(|statement| sim.call(RunQuery::sql(project.clone(), statement)).ok());
        let answers: Vec<_> = answers.collect();
        (answers, sim.call(GenerateTypes::new(project)).expect("types").types)
    };
    let (rows, types) = project_on(Simulator::builder());
    let (rows_of_server, types_of_server) =
        project_on(Simulator::builder().database_server(Arc::clone(server) as _));
    for ((statement, here), there) in statements.iter().zip(rows).zip(rows_of_server) {
        assert_eq!(here, there, "{name}: {statement}");
    }
    assert!(types == types_of_server, "{name}: {}", first_difference(&types, &types_of_server));
}

fn first_difference(here: &str, there: &str) -> String {
    let differs = here.lines().zip(there.lines()).find(|(here, there)| here != there);
    differs.map_or_else(|| "one is longer".to_owned(), |(here, there)| format!("{here} / {there}"))
}

fn server() -> Option<Arc<PostgresServer>> {
    match PostgresServer::start() {
        Ok(server) => Some(server),
        Err(error) => {
            let required = std::env::var("STUNTDOUBLE_POSTGRES").is_ok_and(|value| value == "1");
            assert!(!required, "{error}");
            eprintln!("SKIPPED on PostgreSQL: {error}");
            None
        }
    }
}

fn run(server: &PostgresServer, version: &mut Version, text: &str) -> Answer {
    let now: Timestamp = "2024-05-06T07:08:09.123456Z".parse().expect("an instant");
    let (limits, holder) = (Limits::default(), &Holder::default());
    let call = SqlCall { text, now, seed: [7; 32], read_only: false, limits, holder };
    match server.run(version, &call) {
        Ok(outcome) => Answer::Rows(outcome.rows),
        Err(error) => Answer::Refusal(refusal(&error, text)),
    }
}

fn refusal(error: &SqlError, text: &str) -> Refusal {
    Refusal {
        code: error.code.to_string(),
        message: error.message.clone(),
        detail: error.detail.clone(),
        hint: error.hint.clone(),
        position: error.position.and_then(|at| Some(text.get(..at)?.chars().count() + 1)),
    }
}
