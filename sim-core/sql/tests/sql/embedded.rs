//! The corpus on the embedded engine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Mutex, OnceLock};

use chacha20::ChaCha12Rng;
use jiff::Timestamp;
use rand::SeedableRng as _;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use sim_sql::{self as sql, Interrupt, Limits, Session, SqlError};

use super::answer::{Answer, Refusal};
use super::corpus::{Case, File, directory};

const REVIEWED: &str = "differs.txt";
const REFUSED: &str = "0A000";

/// A database as it begins.
static FIRST: OnceLock<Mutex<Connection>> = OnceLock::new();

/// A fresh project database.
pub(crate) struct Database {
    connection: Connection,
    random: ChaCha12Rng,
    pub(crate) limits: Limits,
}

impl Database {
    /// A new database. What it begins with is made once and copied.
    pub(crate) fn fresh() -> Database {
        let prepared = || {
            let mut connection = Connection::open_in_memory().unwrap();
            sql::prepare_connection(&mut connection).unwrap();
            connection
        };
        let first = FIRST.get_or_init(|| {
            let connection = prepared();
            sql::create(&connection).unwrap();
            Mutex::new(connection)
        });
        let mut connection = prepared();
        Backup::new(&first.lock().unwrap(), &mut connection).unwrap().step(-1).unwrap();
        Database { connection, random: ChaCha12Rng::seed_from_u64(7), limits: Limits::default() }
    }

    pub(crate) fn run(&mut self, text: &str) -> Answer {
        let mut session = Session {
            connection: &self.connection,
            now: "2024-05-06T07:08:09.123456Z".parse::<Timestamp>().unwrap(),
            random: &mut self.random,
            has_drawn: false,
            role: "postgres",
            server: &[],
            read_only: false,
            limits: self.limits,
            interrupt: Interrupt::default(),
        };
        match sql::run(&mut session, text, &[]) {
            Ok(outcome) => Answer::Rows(outcome.rows),
            Err(error) => Answer::Refusal(refusal(&error, text)),
        }
    }
}

impl Database {
    pub(crate) fn typescript(&self, included: &[&str]) -> String {
        sql::typescript(&self.connection, included, None).unwrap()
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

/// How the engine did on the whole corpus.
#[derive(Default)]
pub(crate) struct Report {
    count: usize,
    equal: usize,
    /// Errors that also agree in hint and place.
    exact_errors: usize,
    errors: usize,
    refused: BTreeSet<String>,
    follows: BTreeSet<String>,
    wrong: BTreeMap<String, String>,
    /// Statements and equal answers of each file.
    files: BTreeMap<String, (usize, usize)>,
    /// What each refusal names, with the statements of each file that meet it.
    constructs: BTreeMap<String, Vec<String>>,
}

impl Report {
    pub(crate) fn of(files: &[File]) -> Report {
        let mut report = Report::default();
        let follows = Reviewed::read().follows;
        for file in files {
            let mut database = Database::fresh();
            let mut refused_before = false;
            for case in file.cases() {
                let answer = database.run(&case.statement);
                let name = format!("{}: {}", file.name(), case.title());
                let excused = refused_before && follows.contains(&name);
                let equal = report.equal;
                report.take(name, case, &answer, excused);
                let counts = report.files.entry(file.name().to_owned()).or_default();
                *counts = (counts.0 + 1, counts.1 + report.equal - equal);
                refused_before |= is_refused(&answer);
            }
        }
        report
    }

    fn take(&mut self, name: String, case: &Case, answer: &Answer, excused: bool) {
        self.count += 1;
        let text = answer.to_string();
        if essence(&text) == essence(&case.expected) {
            self.equal += 1;
            if text.starts_with("ERROR") {
                self.errors += 1;
                self.exact_errors += usize::from(text == case.expected);
            }
        } else if let Some(construct) = refused_construct(answer) {
            self.constructs.entry(construct).or_default().push(case.title());
            self.refused.insert(name);
        } else if excused {
            self.follows.insert(name);
        } else {
            let account = format!("{name}\nexpected:\n{}\nembedded:\n{text}", case.expected);
            self.wrong.insert(name, account);
        }
    }

    pub(crate) fn summary(&self) -> String {
        format!(
            "embedded: {} of {} statements equal, {} refused with {REFUSED} ({} more follow from these), {} wrong; \
             {} of {} errors also in hint and place",
            self.equal,
            self.count,
            self.refused.len(),
            self.follows.len(),
            self.wrong.len(),
            self.exact_errors,
            self.errors
        )
    }

    /// What is worse than the reviewed list has it.
    pub(crate) fn worse(&self) -> Vec<String> {
        let reviewed = Reviewed::read();
        let wrong = self.wrong.iter().filter(|(name, _)| !reviewed.wrong.contains(*name));
        let refused = self.refused.difference(&reviewed.refused);
        let refused = refused.map(|name| format!("refused, but not in {REVIEWED}: {name}"));
        wrong.map(|(_, account)| account.clone()).chain(refused).collect()
    }

    /// How many entries of the reviewed list have become too many.
    pub(crate) fn stale(&self) -> usize {
        let Reviewed { refused, follows, wrong } = Reviewed::read();
        let still = |name: &String| {
            self.wrong.contains_key(name) || self.refused.contains(name) || self.follows.contains(name)
        };
        refused.iter().chain(&follows).chain(&wrong).filter(|name| !still(name)).count()
    }

    /// Every answer that is neither the server's nor a refusal.
    pub(crate) fn wrong(&self) -> String {
        self.wrong.values().cloned().collect::<Vec<_>>().join("\n\n")
    }

    /// Writes the list for review. What follows from a refusal is told from what is wrong by hand.
    pub(crate) fn save(&self) {
        let lines = |word: &str, names: &BTreeSet<String>| -> String {
            names.iter().map(|name| format!("{word} {name}\n")).collect()
        };
        let wrong = self.wrong.keys().cloned().collect();
        let text = [lines("refused", &self.refused), lines("follows", &self.follows), lines("wrong", &wrong)];
        let text = HEAD.to_owned() + &text.concat();
        fs::write(directory().join(REVIEWED), text).unwrap();
    }
}

impl Report {
    /// The table of what the engine answers, for the documentation.
    pub(crate) fn document(&self) -> String {
        let mut text = DOCUMENT.to_owned();
        text.push_str("\n| about | statements | answered as by PostgreSQL | refused |\n|---|---|---|---|\n");
        for (name, (count, equal)) in &self.files {
            let about = name.replace('_', " ");
            text.push_str(&format!("| {about} | {count} | {equal} | {} |\n", count - equal));
        }
        let refused = self.refused.len() + self.follows.len() + self.wrong.len();
        text.push_str(&format!("| all | {} | {} | {refused} |\n", self.count, self.equal));
        text.push_str("\n## What is refused\n\n| SQLSTATE 0A000 says | of statements like |\n|---|---|\n");
        for (construct, statements) in &self.constructs {
            let example = statements[0].replace('|', "\\|");
            text.push_str(&format!("| {} | `{example}` |\n", construct.replace('|', "\\|")));
        }
        text
    }
}

const DOCUMENT: &str = "\
# SQL

A project's database is embedded by default: PostgreSQL's dialect, types, catalog and errors over SQLite. A statement returns
what PostgreSQL 15 returns, or is refused with SQLSTATE 0A000 and the name of the missing feature. Some statements are
[accepted without effect](#accepted-without-effect). `--engine postgres` runs everything, on a PostgreSQL server.

Generated from the statements in `sim-core/sql/tests/sql/corpus`, whose answers are those of a real server.
`CORPUS_BLESS=1 cargo test -p sim-sql --test sql` rewrites it; `.ci/differential` compares as many made-up statements as you like.

## Limits

Work is counted, not timed, so a call ends at the same place on every machine. A call that is ended is undone as a whole.
`serve` ends calls by time as well (57014), after 10 seconds or `--call-limit SECONDS`; a replay may not repeat such a call.

| what | limit | refused with |
|---|---|---|
| work of a call: steps of SQLite, and what functions read, compile and compare | `Policy.sql_steps`, 50 million, which take a second or a few, and as many again for each 500,000 bytes of text | 57014 |
| rows that a call returns | `Policy.sql_result_bytes`, 32 MB | 54000 |
| large values that a call makes, and what its aggregates collect | 256 MB | 53200 |
| what a call sorts at a time, and its intermediate tables | 128 MB | 53200 |
| a text | 32 MB | 54000 |
| an array or a JSON document | 16 MB | 54000 |
| what a call adds to its database | 224 MB | 53100 |
| a database | 1 GB | 53100 |
| columns of a table, those included that were dropped | 1,600 | 54011 |
| fields of a type, table or view, with those of the rows within | 4,000 | 54011 |

## Temporary objects

A call is a session, and so is a connection. Temporary tables, views, sequences, types and functions of `pg_temp` go when it ends, as they do when a pooled
connection is given back.

## Catalog

All relations of `pg_catalog` and `information_schema` are there, with PostgreSQL 15's columns. These have no rows:

- those about parts of a server: its own operators and what access methods do with them, conversions, templates of text search, subscriptions,
  transforms, replication, progress of commands, statistics of columns, `pg_shdepend`;
- the standard's views of usage, and of privileges on other things than tables, columns and routines: `view_table_usage`,
  `view_column_usage`, `view_routine_usage`, `usage_privileges`, `udt_privileges`, `data_type_privileges`, `sql_features`.

`pg_locks`, `pg_stat_activity` and `pg_prepared_statements` show what the session itself has. Sizes of tables and indexes are computed
from their rows, as PostgreSQL lays them out in pages.

`pg_dump --schema-only` and the commands of psql work, with the exceptions in [drivers.md](drivers.md). Triggers, the conditions of policies
and the queries of views are shown as PostgreSQL shows them. A query with a comparison of rows, a whole row, or a function with a list of
column types as a source is shown as it was written, and so is a change of rows whose `WITH` changes other rows.

A rule runs its commands for each row, with the rights of the relation's owner. What it inserts has the values that the row got, also from a
sequence; PostgreSQL draws another one.

## System columns

`ctid` is the place of a row, and `tableoid` its table. `xmin` is a number that a row has for its values: it is the same as long as they are, and
another one after a change, so that `update … where xmin = …` finds whether a row was changed in the meantime. It is not the number of a
transaction: a row that gets its earlier values back has its earlier `xmin`, and a statement that asks for both, as
`xmin = pg_current_xact_id()::xid` does, is refused. `xmax` is known in `RETURNING`: 0 for a row that was inserted or updated, another number for one that an
upsert has updated, or that is deleted. Elsewhere it is refused, as are `cmin` and `cmax`: PostgreSQL shows there which transactions and
commands have locked or written the row.

## Accepted without effect

Of these, a call of the API names in `x-sim-ignored` what does nothing at all: `vacuum`, `analyze`, `cluster`, `checkpoint`, `reindex`, `lock`,
`listen`, `unlisten` and `notify` (`body.query.VACUUM`), an extension that is a stand-in (`body.query.CREATE EXTENSION pg_cron`), timeouts
(`body.query.SET statement_timeout`), a transaction that the call doesn't end (`body.query.BEGIN without COMMIT`), event triggers for `table_rewrite`, and privileges that everybody has (`body.query.PRIVILEGES ON TYPE`) or
that are on a function that only other versions of the service's extensions have (`body.query.PRIVILEGES ON FUNCTION job_cache_invalidate`).

| what | what happens |
|---|---|
| functions in other languages than SQL and PL/pgSQL | they are recorded and shown; a call is refused with 0A000 |
| event triggers for `table_rewrite` | they are recorded and shown, and never fire |
| foreign-data wrappers, servers, user mappings, foreign tables | they are recorded and shown with their options; a query of a foreign table is refused |
| collations, and what an operator's definition says to the planner | names are checked, and columns keep theirs; texts sort by their bytes. Collations for another equality or with settings in their locale are refused |
| `create statistics`, `cluster`, `tablespace pg_default` | there is one way to run a query, and one place for tables |
| messages of `raise` and of `if exists` | clients of the pooler see them; a call of the API returns none |
| privileges on languages and foreign servers, and to connect to a database | roles must exist; everybody may use them |
| parameters, such as `work_mem`, `jit` and `statement_timeout` | their names, values and rights are checked, and later sessions begin with what `alter role` and `alter database` set; of the work, only [limits](#limits) are in force |
| `vacuum`, `analyze`, `reindex`, `lock`, `checkpoint`, `listen`, `notify` | what they name must exist; nothing waits; only the session itself is told what it sends |
| indexes that are not unique, of other methods than `btree` or over expressions | they are recorded and shown; a row of which a key can't be computed is refused |
| extensions | types and functions that the engine has work; calls of others are refused, and so is an extension of which it has none. `pg_cron` and `pg_net` bring their schemas and tables |
| publications | their tables are recorded and shown |

## Statements
";

const HEAD: &str = "\
# refused: statements that the embedded engine refuses with 0A000.
# follows: statements that have another answer because one before them, in the same file, is refused.
# wrong: statements that have another answer, which is a fault.
# The list may only become shorter.
";

/// The list of what is known to differ.
struct Reviewed {
    refused: BTreeSet<String>,
    follows: BTreeSet<String>,
    wrong: BTreeSet<String>,
}

impl Reviewed {
    fn read() -> Reviewed {
        let text = fs::read_to_string(directory().join(REVIEWED)).unwrap_or_default();
        let marked =
            |word: &str| text.lines().filter_map(|line| line.strip_prefix(word)).map(str::to_owned).collect();
        Reviewed { refused: marked("refused "), follows: marked("follows "), wrong: marked("wrong ") }
    }
}

fn refused_construct(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Refusal(refusal) if refusal.code == REFUSED => Some(refusal.message.clone()),
        _ => None,
    }
}

fn is_refused(answer: &Answer) -> bool {
    matches!(answer, Answer::Refusal(refusal) if refusal.code == REFUSED)
}

/// An answer without what an error only adds for the reader's comfort.
fn essence(answer: &str) -> Vec<&str> {
    answer.lines().filter(|line| !line.starts_with("HINT: ") && !line.starts_with("AT ")).collect()
}
