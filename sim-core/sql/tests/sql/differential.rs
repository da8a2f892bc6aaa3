//! Generated statements on the embedded engine and on a real PostgreSQL: both give the same result, or the
//! embedded engine refuses the statement and names the reason.
//!
//! `.ci/differential` runs it. It prints a difference as the shortest script that shows it.

mod bodies;
mod changes;
mod exprs;
mod programs;
mod queries;
mod rules;
mod schema;
mod statements;
mod tape;
mod types;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::answer::Answer;
use super::embedded;
use super::server::{Cluster, Connection};
use statements::{Maker, Statement};
use tape::Tape;

/// Statements per script, approximately.
const LENGTH: usize = 40;
const NUMBERS: usize = 300;

/// The numbers from which a script is decoded.
#[derive(Clone, Debug)]
struct Tapes {
    schema: Vec<u16>,
    statements: Vec<Vec<u16>>,
}

fn tapes() -> impl Strategy<Value = Tapes> {
    let numbers = || proptest::collection::vec(any::<u16>(), 0..NUMBERS);
    let schema = proptest::collection::vec(any::<u16>(), 60..200);
    let statements = proptest::collection::vec(numbers(), 1..LENGTH * 2);
    (schema, statements).prop_map(|(schema, statements)| Tapes { schema, statements })
}

fn script(tapes: &Tapes) -> Vec<Statement> {
    let (tables, setup) = schema::schema(&mut Tape::new(&tapes.schema));
    let maker = Maker { tables: &tables };
    let setup = setup.into_iter().map(|text| Statement { text, ordered: false });
    let made = tapes.statements.iter().flat_map(|numbers| maker.statements(&mut Tape::new(numbers)));
    setup.chain(made).collect()
}

#[derive(Default)]
struct Tally {
    statements: usize,
    rows: usize,
    errors: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    /// Statements by their first words.
    made: BTreeMap<String, usize>,
}

#[test]
fn made_up_statements_are_answered_as_by_a_server() {
    let Ok(address) = env::var("CORPUS_POSTGRES") else { return };
    let Some(wanted) = number("DIFFERENTIAL_STATEMENTS") else { return };
    let seed = number("DIFFERENTIAL_SEED").unwrap_or(1);
    let cluster = Cluster::at(&address);
    let database = cluster.fresh_database();
    let tally = RefCell::new(Tally::default());
    let mut script_number = 0_u64;
    while tally.borrow().statements < wanted {
        let outcome = runner(seed, script_number).run(&tapes(), |tapes| {
            let mut server = database.connect();
            agree(&mut server, &script(&tapes), &tally).map_err(TestCaseError::fail)
        });
        if let Err(TestError::Fail(reason, shortest)) = outcome {
            let texts: Vec<String> = script(&shortest).into_iter().map(|statement| statement.text).collect();
            panic!("seed {seed}: {reason}\n\nshortest script:\n{};", texts.join(";\n"));
        }
        script_number += 1;
    }
    println!("{}", tally.borrow().summary());
}

/// A runner of one case, which follows from two numbers.
fn runner(seed: usize, script: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
    bytes[8..16].copy_from_slice(&script.to_le_bytes());
    let config = Config { cases: 1, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn number(name: &str) -> Option<usize> {
    env::var(name).ok()?.parse().ok()
}

/// Runs a script on both, up to the first difference.
fn agree(server: &mut Connection, script: &[Statement], tally: &RefCell<Tally>) -> Result<(), String> {
    server.run("drop schema public cascade; create schema public");
    let mut embedded = embedded::Database::fresh();
    for Statement { text, ordered } in script {
        tally.borrow_mut().statements += 1;
        *tally.borrow_mut().made.entry(kind(text)).or_default() += 1;
        let own = embedded.run(text);
        if let Answer::Refusal(refusal) = &own
            && refusal.code == "0A000"
        {
            *tally.borrow_mut().refused.entry(refusal.message.clone()).or_default() += 1;
            continue;
        }
        let theirs = server.run(text);
        // On the embedded engine, a text that fails ends its transaction.
        if text.starts_with("begin") {
            server.run("rollback");
        }
        let same = essence(&own, *ordered) == essence(&theirs, *ordered)
            || (MERGING.iter().any(|word| text.contains(word)) && merged(&own) == merged(&theirs));
        if !same {
            if undecided(text, &own, &theirs) {
                return Ok(());
            }
            let reason = format!("{text}\nembedded:\n{own}\nserver:\n{theirs}");
            if env::var("DIFFERENTIAL_ALL").is_err() {
                return Err(reason);
            }
            let until: Vec<&str> = script.iter().map(|statement| statement.text.as_str()).collect();
            println!("{reason}\n\nin the script:\n{};\n\nend of the script\n", until.join(";\n"));
            if !text.starts_with("select") && !text.starts_with("with") {
                return Ok(());
            }
            continue;
        }
        // A script without one of its tables has little to compare.
        if text.starts_with("create table t") && matches!(theirs, Answer::Refusal(_)) {
            return Ok(());
        }
        let mut tally = tally.borrow_mut();
        match theirs {
            Answer::Rows(rows) => tally.rows += rows.len(),
            Answer::Refusal(refusal) => *tally.errors.entry(refusal.code).or_default() += 1,
        }
    }
    Ok(())
}

/// Keywords of statements that merge equal values or sort by them, and may show any of them: 0 or 0.00.
const MERGING: &[&str] = &[
    "distinct",
    "union",
    "intersect",
    "except",
    "group by",
    "order by",
    "min(",
    "max(",
    "greatest",
    "least",
    "mode()",
];

/// The rows in any order, without the differences between equal values.
fn merged(answer: &Answer) -> Vec<String> {
    let lines = essence(answer, false).into_iter().map(|line| {
        let mut kept = String::new();
        for part in line.split_inclusive(|c: char| !c.is_ascii_digit() && c != '.') {
            let (number, rest) =
                part.split_at(part.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.').len());
            kept.push_str(if number.contains('.') {
                number.trim_end_matches('0').trim_end_matches('.')
            } else {
                number
            });
            kept.push_str(rest);
        }
        kept.replace("30 days", "1 mon").replace("30 day", "1 mon").replace("36:00:00", "1 day 12:00:00")
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// Whether two results differ in a way that PostgreSQL leaves open: it may evaluate early what no row needs,
/// and has no collation for a single literal in a definition.
fn undecided(text: &str, own: &Answer, theirs: &Answer) -> bool {
    match (own, theirs) {
        (_, Answer::Refusal(refusal)) if refusal.code == "42P22" => true,
        (Answer::Rows(rows), Answer::Refusal(refusal)) if refusal.code.starts_with("22") => rows.is_empty(),
        // The plan may call a function of constants before it finds that no row needs it.
        (Answer::Rows(rows), Answer::Refusal(_)) => rows.is_empty() && text.starts_with("select a.id"),
        // PostgreSQL recognises that a constant decides, where a definition must be immutable.
        (Answer::Refusal(refusal), Answer::Rows(_)) => refusal.code == "42P17",
        _ => false,
    }
}

/// What must be equal: rows, in their order if they have one; of errors the state.
fn essence(answer: &Answer, ordered: bool) -> Vec<String> {
    if let Answer::Refusal(refusal) = answer {
        // There are four states for a text that is not a date.
        let dated = ["22008", "22009", "22015"].contains(&refusal.code.as_str());
        return vec![if dated { "22007".to_owned() } else { refusal.code.clone() }];
    }
    let mut lines: Vec<String> = answer.to_string().lines().map(str::to_owned).collect();
    if !ordered {
        lines.sort();
    }
    lines
}

/// Its first word, and the second of a definition.
fn kind(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| !["or", "replace"].contains(word)).collect();
    let count = if ["create", "set"].contains(&words[0]) { 2 } else { 1 };
    words[..count.min(words.len())].join(" ")
}

impl Tally {
    fn summary(&self) -> String {
        let refused: usize = self.refused.values().sum();
        let errors: usize = self.errors.values().sum();
        let mut text = format!(
            "differential: {} statements, {} rows and {errors} errors the same, {refused} refused with 0A000, 0 disagreements",
            self.statements, self.rows
        );
        for (what, counts) in [("made", &self.made), ("error", &self.errors), ("refused", &self.refused)] {
            for (name, count) in counts {
                let _ = write!(text, "\n  {what} {count:>5}  {name}");
            }
        }
        text
    }
}
