//! One database on the server, and how a call runs on it: its timestamp and random seed are set, its
//! statements are sent as one message, and the rest of the session's state is discarded.

use std::io;
use std::time::Duration;

use serde_json::{Map, Value};
use sim_core::engine::Holder;
use sim_core::sql::error::Report;
use sim_core::sql::{Limits, SqlError, SqlState};

use super::pool::Pool;
use super::rewrite::Rewrite;
use super::version::{Logged, Name};
use super::wire::{Answer, Connection, HAS_WRITTEN, Patience};

/// Steps of the embedded engine that correspond to a millisecond on a server.
const STEPS_PER_MS: u64 = 10_000;
/// The minimum time for statements: on a busy machine everything takes some.
const TIME_MIN: Duration = Duration::from_millis(200);
/// How much longer than a statement a call may take.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The state of a database outside its transactions: sequences, and whether there were any transactions.
const MARKS: &str = "select pg_snapshot_xmax(pg_current_snapshot())::text as next,
    (select coalesce(jsonb_object_agg(format('%I.%I', schemaname, sequencename), last_value), '{}')
     from pg_sequences) as sequences";

/// The bytes of everything in a database, without files for the server's own use, whose number varies.
const SIZE: &str = "select sum(pg_relation_size(oid))::bigint as size from pg_class
    where relkind in ('r', 'i', 'm', 't', 'S') and not relisshared";

/// The refusal of statements that can't be combined with others.
const ALONE: SqlState = SqlState::new("25001");

/// A database on the server.
pub(super) struct Database {
    pub(super) name: Name,
    connection: Option<Connection>,
    /// The world whose clients have its address.
    opened_by: Option<Holder>,
}

/// The result of a call.
pub(super) struct Done {
    pub(super) answer: Answer,
    /// Whether the database may have changed.
    pub(super) changed: bool,
    /// Whether the call's changes may have to be undone, and can't be.
    pub(super) is_spoilt: bool,
}

impl Database {
    pub(super) fn new(name: Name) -> Database {
        Database { name, connection: None, opened_by: None }
    }

    pub(super) fn is_closed_to_clients(&self) -> bool {
        self.opened_by.is_none()
    }

    pub(super) fn is_open_to_clients_of(&self, holder: &Holder) -> bool {
        self.opened_by.as_ref().is_some_and(|by| by.is(holder))
    }

    pub(super) fn open_to_clients_of(&mut self, holder: &Holder) {
        self.opened_by = Some(holder.clone());
    }

    pub(super) fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    pub(super) fn disconnect(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.close();
        }
    }

    fn connection(&mut self, pool: &Pool) -> io::Result<&mut Connection> {
        if self.connection.is_none() {
            pool.forget_settings()?;
            self.connection = Some(Connection::open(&pool.caller, self.name.as_str())?);
        }
        Ok(self.connection.as_mut().expect("it has just been opened"))
    }

    /// Makes a call for the first time. After a connection error the state of the database is unknown.
    pub(super) fn run(&mut self, pool: &Pool, call: &Logged, limits: Limits) -> io::Result<Done> {
        let time = time_of(limits);
        let rewrite = rewritten(pool, call)?;
        let connection = self.connection(pool)?;
        let before = Marks::of(&connection.must(&format!("{}{MARKS}", preamble(call, time)))?.rows);
        let patience = Patience { bytes: limits.result_bytes, time: time + GRACE };
        let mut answer = run(connection, &rewrite, patience)?;
        reset(connection, &answer)?;
        let after = Marks::of(&connection.must(MARKS)?.rows);
        let has_written = answer.has_written.map(|has| has && !answer.is_open);
        let has_written = has_written.unwrap_or(before.next != after.next);
        let changed = has_written || before.sequences != after.sequences;
        if answer.error.is_some() {
            connection.must(&before.restoring(&after))?;
        }
        let is_spoilt = answer.error.is_some() && changed && (rewrite.may_commit || !answer.has_failed);
        if answer.error.is_none() {
            pool.learn_roles(rewrite.roles.iter().map(|role| role.name.clone()));
        }
        answer.error = answer.error.map(|error| placed(&error, &rewrite, &call.text));
        if rewrite.sets_database {
            self.disconnect();
        }
        Ok(Done { answer, changed, is_spoilt })
    }

    /// Repeats a call that succeeded before.
    pub(super) fn repeat(&mut self, pool: &Pool, call: &Logged) -> io::Result<Answer> {
        let rewrite = rewritten(pool, call)?;
        let connection = self.connection(pool)?;
        connection.must(&preamble(call, Duration::ZERO))?;
        let answer = connection.run(&rewrite.print(), Patience::OURS)?;
        reset(connection, &answer)?;
        if rewrite.sets_database {
            self.disconnect();
        }
        Ok(answer)
    }

    /// Its size in bytes.
    pub(super) fn size(&mut self, pool: &Pool) -> io::Result<u64> {
        let found = self.connection(pool)?.must(SIZE)?;
        Ok(found.rows.first().and_then(|row| row.get("size")?.as_u64()).unwrap_or(0))
    }
}

/// Runs the text, and finds out whether it has written, which only its own transaction knows. If the text may contain several
/// transactions, or the question can't be appended, it uses the server's transaction numbers instead, which others also advance.
fn run(connection: &mut Connection, rewrite: &Rewrite<'_>, patience: Patience) -> io::Result<Answer> {
    let text = rewrite.print();
    if rewrite.may_commit || rewrite.wants_block {
        return connection.run(&text, patience);
    }
    let answer = connection.run(&format!("{text}{HAS_WRITTEN}"), patience)?;
    let is_in_the_way = |error: &SqlError| [SqlState::SYNTAX_ERROR, ALONE].contains(&error.code);
    if !answer.has_failed || !answer.error.as_ref().is_some_and(is_in_the_way) {
        return Ok(answer);
    }
    if answer.is_open {
        connection.must("rollback")?;
    }
    connection.run(&text, patience)
}

/// How long a statement may take.
pub(super) fn time_of(limits: Limits) -> Duration {
    Duration::from_millis(limits.steps / STEPS_PER_MS).max(TIME_MIN)
}

fn rewritten<'a>(pool: &Pool, call: &'a Logged) -> io::Result<Rewrite<'a>> {
    let mut rewrite = Rewrite::of(&call.text, pool.has_clock, pool.version);
    for role in rewrite.roles.clone() {
        if pool.cluster.is_some() {
            rewrite.create(&role);
        } else if pool.has_role(&role.name)? {
            rewrite.alter(&role);
        }
    }
    Ok(rewrite)
}

/// A text as an SQL literal.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Sets a call's timestamp, random seed and limits. No limit is zero.
fn preamble(call: &Logged, time: Duration) -> String {
    let Logged { now, seed, read_only, .. } = call;
    let [a, b, c, d, e, f, g, h, ..] = *seed;
    // From -1 to 1, as setseed requires.
    let seed = u64::from_le_bytes([a, b, c, d, e, f, g, h]) as f64 / u64::MAX as f64 * 2.0 - 1.0;
    let read_only = if *read_only { "set default_transaction_read_only = on;" } else { "" };
    format!(
        "select set_config('stuntdouble.now', '{now}', false), setseed({seed:?}); {read_only}
         set statement_timeout = {};",
        time.as_millis()
    )
}

/// Ends what a call has left open, and resets the session.
fn reset(connection: &mut Connection, answer: &Answer) -> io::Result<()> {
    if answer.is_open {
        connection.must("rollback")?;
    }
    connection.must("discard all").map(drop)
}

/// The error with its position in the original text.
fn placed(error: &SqlError, rewrite: &Rewrite<'_>, text: &str) -> SqlError {
    let position = error.position.map(|place| rewrite.came_from(place));
    SqlError::from(Report { position, ..Report::clone(error) }).in_text(text)
}

/// The values by which a change of a database is recognised.
struct Marks {
    /// The number of the server's next transaction.
    next: String,
    sequences: Map<String, Value>,
}

impl Marks {
    fn of(rows: &[Map<String, Value>]) -> Marks {
        let row = rows.first();
        let next = row.and_then(|row| row.get("next")?.as_str()).unwrap_or_default().to_owned();
        let sequences = row.and_then(|row| row.get("sequences")?.as_object()).cloned().unwrap_or_default();
        Marks { next, sequences }
    }

    /// SQL that resets sequences: rolling a transaction back does not.
    fn restoring(&self, after: &Marks) -> String {
        let moved = self.sequences.iter().filter(|(name, value)| after.sequences.get(*name) != Some(*value));
        let statements = moved.map(|(name, value)| {
            let name = quoted(name);
            match value {
                Value::Null => format!(
                    "select setval({name}, (select seqstart from pg_sequence where seqrelid = {name}::regclass), false);"
                ),
                value => format!("select setval({name}, {value});"),
            }
        });
        statements.collect()
    }
}

/// A failure of the server or the connection, as a response.
pub(super) fn lost(error: &io::Error) -> SqlError {
    if error.kind() == io::ErrorKind::TimedOut {
        return SqlError::new(SqlState::QUERY_CANCELED, "canceling statement due to statement timeout");
    }
    SqlError::new(
        SqlState::new("08006"),
        format!("the database server does not answer as it should: {error}"),
    )
}
