//! Statements of a client's connection, and its transactions.
//!
//! A transaction block works on a private copy of the database, which costs nothing until it is written to, so it never keeps other
//! calls waiting. At its end the copy becomes the database. If another call has changed the database meanwhile, the block's writes
//! are repeated on the present one; if one of them then gives another result, the block fails with 40001.

mod transaction;

use serde::Serialize;
use sim_base::{Cx, Error, FromJson};
use sim_values::error::{SqlError, SqlState};

use self::transaction::{Run, begin, commit, fail, forget, keep_cursors, roll_back_to, savepoint, undo};
use crate::connection::{
    ColumnShape, ConnectionResult, CopiedRows, DatabaseError, DatabaseNotice, Notification, StatementResult,
};
use crate::embedded::engine::Session;
use crate::embedded::engine::client::{self, Block, ClientState, Kind, Parameter, Reply};
use crate::project::Row;
use crate::query;
use crate::readonly;

type Sql<T> = Result<T, SqlError>;

/// A connection as stored.
pub(crate) struct Connection {
    id: u32,
    user: String,
    read_only: bool,
    state: ClientState,
    block: Option<Open>,
    /// The notices of the statement that has failed.
    reported: Vec<DatabaseNotice>,
    /// Whether rows of cursors may be stored for it.
    had_cursors: bool,
}

/// An open transaction block.
#[derive(Clone, Debug, Serialize, FromJson)]
struct Open {
    /// When it began: `now()` returns this.
    begun: i64,
    /// The state of the connection then.
    state: ClientState,
    /// Whether the database had been written to then.
    had_database: bool,
    /// The database as it was then, and as the block has changed it.
    base: i64,
    work: i64,
    read_only: bool,
    failed: bool,
    /// Whether it is the transaction of one text of several statements.
    implicit: bool,
    writes: u32,
    savepoints: Vec<Savepoint>,
}

#[derive(Clone, Debug, Serialize, FromJson)]
struct Savepoint {
    name: String,
    image: i64,
    state: ClientState,
    writes: u32,
}

/// A statement of a block that has written something, for its repetition.
#[derive(Serialize, FromJson)]
struct Write {
    text: String,
    parameters: Vec<Parameter>,
    data: Option<String>,
    state: ClientState,
    seed: [u8; 32],
    result: StatementResult,
}

/// A statement that is about to run.
#[derive(Clone, Copy)]
struct Asked<'a> {
    text: &'a str,
    parameters: &'a [Parameter],
    data: Option<&'a str>,
    copies: bool,
}

impl Connection {
    pub(crate) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Connection> {
        let (state, block): (String, Option<String>) = (row.get(4)?, row.get(5)?);
        let state: ClientState = serde_json::from_str(&state).expect("a stored state is one");
        Ok(Connection {
            id: row.get(0)?,
            user: row.get(2)?,
            read_only: row.get(3)?,
            had_cursors: block.is_some() || !state.open_cursors().is_empty(),
            state,
            block: block.map(|block| serde_json::from_str(&block).expect("a stored block is one")),
            reported: Vec::new(),
        })
    }

    fn store(&self, cx: &Cx<'_>) {
        let sql = "UPDATE connection SET state = ?2, block = ?3 WHERE id = ?1";
        cx.db.run(sql, (self.id, json(&self.state), self.block.as_ref().map(json)));
    }

    fn status(&self) -> String {
        match &self.block {
            Some(block) if block.failed => "E",
            Some(block) if !block.implicit => "T",
            _ => "I",
        }
        .to_owned()
    }

    fn place(&self) -> Block {
        let block = self.block.as_ref();
        Block { open: block.is_some(), read_only: block.is_some_and(|block| block.read_only) }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it is plain data")
}

/// The connection of that number.
pub(crate) fn load(cx: &Cx<'_>, project: &Row, id: u32) -> Option<Connection> {
    let sql =
        "SELECT id, project, user, read_only, state, block FROM connection WHERE id = ?1 AND project = ?2";
    cx.db.maybe(sql, (id, &project.r#ref), Connection::read)
}

/// Closes a connection; an open transaction is undone, and temporary objects go.
pub(crate) fn close(cx: &Cx<'_>, project: &Row, mut connection: Connection) {
    undo(cx, project, &mut connection);
    let run = Run { cx, project, read_only: false };
    let state = &connection.state;
    // A database that cannot be opened has no temporary objects either.
    let _ = run.visit(None, [0; 32], |session| client::end_of_client(session, state));
    end(cx, &connection);
}

/// Forgets a connection, of a database that goes with it.
pub(crate) fn end(cx: &Cx<'_>, connection: &Connection) {
    if let Some(block) = &connection.block {
        forget(cx, block);
    }
    cx.db.run("DELETE FROM connection WHERE id = ?1", (connection.id,));
}

/// Finds out what a statement takes and returns.
pub(crate) fn describe(
    cx: &Cx<'_>,
    project: &Row,
    connection: Connection,
    text: &str,
    types: &[u32],
) -> Result<ConnectionResult, Error> {
    let failed = connection.block.as_ref().is_some_and(|block| block.failed);
    let (state, place) = (&connection.state, connection.place());
    let found = match failed {
        true => Err(in_failed_block()),
        false => Run { cx, project, read_only: connection.read_only }.visit(
            connection.block.as_ref(),
            [0; 32],
            |session| client::describe_for_client(session, state, place, text, types),
        ),
    };
    let result = ConnectionResult {
        connection: connection.id,
        status: connection.status(),
        ..ConnectionResult::default()
    };
    Ok(match found {
        Ok(found) => ConnectionResult {
            parameters: found.parameters,
            columns: found.columns.map(|columns| columns.into_iter().map(ColumnShape::from).collect()),
            ..result
        },
        Err(error) => ConnectionResult { error: Some(DatabaseError::of(&error, text, 0)), ..result },
    })
}

/// Runs a text of a client.
pub(crate) fn run(
    cx: &Cx<'_>,
    project: &Row,
    mut connection: Connection,
    text: &str,
    parameters: &[Parameter],
    data: Option<&str>,
) -> Result<ConnectionResult, Error> {
    let read_only = connection.read_only || readonly::takes_no_writes(cx, project);
    let mut results = Vec::new();
    let statements = client::statements(text);
    let is_alone = statements.as_ref().is_ok_and(|all| all.len() < 2);
    let mut from = 0;
    let mut done = statements.and_then(|statements| {
        for statement in statements {
            from = statement.range.start;
            if !is_alone && connection.block.is_none() {
                begin(cx, project, &mut connection, true, false);
            }
            let copies = statement.kind == Kind::Copy;
            if copies && !is_alone {
                return Err(SqlError::unsupported("COPY in a text of several statements"));
            }
            // A statement alone keeps its comments, for its place in errors and logs.
            let own = if is_alone { text } else { &text[statement.range] };
            from = if is_alone { 0 } else { from };
            let asked = Asked { text: own, parameters, data, copies };
            let result = one(cx, project, &mut connection, read_only, &statement.kind, asked);
            let tag = result.as_ref().ok().map(|result| result.tag.as_str());
            let user = &connection.user;
            cx.log(|| query::line_of(cx, project, own, user, tag, result.as_ref().err()));
            results.push(result?);
        }
        Ok(())
    });
    if done.is_ok() && connection.block.as_ref().is_some_and(|block| block.implicit) {
        // Deferred checks run now, as at a COMMIT by the client.
        let asked = Asked { text: "COMMIT", parameters: &[], data: None, copies: false };
        done = perform(cx, project, &mut connection, read_only, asked).and_then(|ended| {
            results
                .last_mut()
                .into_iter()
                .for_each(|last| last.notifications.clone_from(&ended.notifications));
            commit(cx, project, &mut connection, read_only)
        });
    }
    if done.is_err() {
        fail(cx, project, &mut connection);
    }
    keep_cursors(cx, &mut connection);
    connection.store(cx);
    let error = done.err().map(|error| DatabaseError::of(&error, text, from));
    let status = connection.status();
    let Connection { id: connection, reported: notices, .. } = connection;
    Ok(ConnectionResult { connection, results, notices, error, status, ..ConnectionResult::default() })
}

/// Runs one statement in the connection's transaction.
fn one(
    cx: &Cx<'_>,
    project: &Row,
    connection: &mut Connection,
    read_only: bool,
    kind: &Kind,
    asked: Asked<'_>,
) -> Sql<StatementResult> {
    let failed = connection.block.as_ref().is_some_and(|block| block.failed);
    let explicit = connection.block.as_ref().is_some_and(|block| !block.implicit);
    let warned = |tag: &str, code: &str, message: &str| StatementResult {
        tag: tag.to_owned(),
        notices: vec![DatabaseNotice::warning(code, message)],
        ..StatementResult::default()
    };
    let none = "there is no transaction in progress";
    match kind {
        Kind::Rollback { chains } | Kind::Commit { chains } if failed => {
            let modes = connection.state.modes();
            undo(cx, project, connection);
            if *chains {
                begin_again(cx, project, connection, read_only, &modes)?;
            }
            return Ok(tagged("ROLLBACK"));
        }
        Kind::RollbackTo(name) if explicit => return roll_back_to(cx, project, connection, name),
        _ if failed => return Err(in_failed_block()),
        Kind::Begin { read_only: reads } => {
            // The engine checks the syntax. Settings for the transaction end with it.
            let before = connection.state.clone();
            perform(cx, project, connection, read_only, asked)?;
            if explicit {
                return Ok(warned("BEGIN", "25001", "there is already a transaction in progress"));
            }
            match &mut connection.block {
                Some(block) => (block.implicit, block.read_only) = (false, *reads),
                None => {
                    begin(cx, project, connection, false, *reads);
                    connection.block.iter_mut().for_each(|block| block.state = before.clone());
                }
            }
            return Ok(tagged("BEGIN"));
        }
        Kind::Commit { chains: true } | Kind::Rollback { chains: true } if !explicit => {
            let command = if matches!(kind, Kind::Commit { .. }) { "COMMIT" } else { "ROLLBACK" };
            let message = format!("{command} AND CHAIN can only be used in transaction blocks");
            return Err(SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message));
        }
        Kind::Commit { chains } => {
            let modes = connection.state.modes();
            // A constraint that was deferred may refuse. The transaction is over then, too.
            let mut result = perform(cx, project, connection, read_only, asked)
                .inspect_err(|_| undo(cx, project, connection))?;
            if connection.block.is_some() {
                commit(cx, project, connection, read_only)?;
            }
            if *chains {
                begin_again(cx, project, connection, read_only, &modes)?;
            }
            if !explicit {
                result.notices.push(DatabaseNotice::warning("25P01", none));
            }
            return Ok(result);
        }
        Kind::Rollback { chains } => {
            let modes = connection.state.modes();
            perform(cx, project, connection, read_only, asked)?;
            undo(cx, project, connection);
            if *chains {
                begin_again(cx, project, connection, read_only, &modes)?;
            }
            return Ok(if explicit { tagged("ROLLBACK") } else { warned("ROLLBACK", "25P01", none) });
        }
        Kind::Savepoint(name) if explicit => {
            perform(cx, project, connection, read_only, asked)?;
            let (state, name) = (connection.state.clone(), name.clone());
            if let Some(block) = &mut connection.block {
                let image = cx.databases.copy(block.work);
                block.savepoints.push(Savepoint { name, image, state, writes: block.writes });
            }
            return Ok(tagged("SAVEPOINT"));
        }
        Kind::Release(name) if explicit => {
            if let Some(block) = &mut connection.block {
                let at = savepoint(block, name)?;
                block.savepoints.drain(at..).for_each(|gone| cx.databases.forget(gone.image));
            }
            return Ok(tagged("RELEASE"));
        }
        Kind::Savepoint(_) | Kind::Release(_) | Kind::RollbackTo(_) | Kind::Copy | Kind::Other => {}
    }
    perform(cx, project, connection, read_only, asked)
}

/// Begins a block with the modes of the one before it.
fn begin_again(
    cx: &Cx<'_>,
    project: &Row,
    connection: &mut Connection,
    read_only: bool,
    modes: &str,
) -> Sql<()> {
    let text = format!("BEGIN{modes}");
    let kind = Kind::Begin { read_only: modes.contains("READ ONLY") };
    let asked = Asked { text: &text, parameters: &[], data: None, copies: false };
    one(cx, project, connection, read_only, &kind, asked).map(drop)
}

/// Runs a statement on the engine: in the block, or as a transaction of its own.
fn perform(
    cx: &Cx<'_>,
    project: &Row,
    connection: &mut Connection,
    read_only: bool,
    asked: Asked<'_>,
) -> Sql<StatementResult> {
    let seed = cx.rng.draw(query::RANDOM).bytes();
    let (before, place, id) = (connection.state.clone(), connection.place(), connection.id);
    let run = Run { cx, project, read_only };
    let (done, mut state) = run.execute(connection.block.as_ref(), seed, id, before.clone(), place, asked);
    let (result, wrote) = done.inspect_err(|_| {
        connection.reported = state.take_reported().into_iter().map(DatabaseNotice::from).collect();
    })?;
    connection.state = state;
    if let Some(block) = connection.block.as_mut().filter(|_| wrote) {
        let write = Write {
            text: asked.text.to_owned(),
            parameters: asked.parameters.to_vec(),
            data: asked.data.map(str::to_owned),
            state: before,
            seed,
            result: result.clone(),
        };
        cx.db.run("INSERT INTO connection_write VALUES (?1, ?2, ?3)", (id, block.writes, json(&write)));
        block.writes += 1;
    }
    Ok(result)
}

/// Runs a statement; also returns whether it may have written anything.
fn execute(
    session: &mut Session<'_>,
    state: &mut ClientState,
    place: Block,
    asked: Asked<'_>,
) -> Sql<(StatementResult, bool)> {
    let Asked { text, parameters, data, copies } = asked;
    if !copies {
        let reply = client::run_for_client(session, state, place, text, parameters)?;
        let wrote = reply.wrote;
        return Ok((shown(reply), wrote));
    }
    let copying = client::copy_of(session, state, place, text)?;
    let columns = u32::try_from(copying.columns).unwrap_or(u32::MAX);
    match (copying.from_client, data) {
        (true, None) => {
            Ok((StatementResult { wants_columns: Some(columns), ..StatementResult::default() }, false))
        }
        (true, Some(data)) => {
            let reply = client::copy_from(session, state, place, text, data)?;
            let wrote = reply.wrote;
            Ok((shown(reply), wrote))
        }
        (false, _) => {
            let (reply, lines) = client::copy_to(session, state, place, text)?;
            let copied = Some(CopiedRows { columns, lines });
            Ok((StatementResult { copied, rows: Vec::new(), ..shown(reply) }, false))
        }
    }
}

fn shown(reply: Reply) -> StatementResult {
    let Reply { tag, columns, rows, notices, binary, notifications, .. } = reply;
    let notifications = notifications.into_iter();
    StatementResult {
        tag,
        columns: columns.map(|columns| columns.into_iter().map(ColumnShape::from).collect()),
        rows,
        binary,
        notices: notices.into_iter().map(DatabaseNotice::from).collect(),
        notifications: notifications.map(|(channel, payload)| Notification { channel, payload }).collect(),
        ..StatementResult::default()
    }
}

fn tagged(tag: &str) -> StatementResult {
    StatementResult { tag: tag.to_owned(), ..StatementResult::default() }
}

fn in_failed_block() -> SqlError {
    let message = "current transaction is aborted, commands ignored until end of transaction block";
    SqlError::new(SqlState::FAILED_TRANSACTION, message)
}
