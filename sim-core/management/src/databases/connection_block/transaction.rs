//! Beginning, ending and undoing the transactions of a connection.

use sim_base::rng::Draw;
use sim_base::{Cx, Held, from_micros, micros};
use sim_values::error::{SqlError, SqlState};

use super::{Asked, Connection, Open, Sql, Write, execute, json, tagged};
use crate::connection::StatementResult;
use crate::database;
use crate::embedded::engine::client::{self, Block, ClientState, CursorRows, WantedRows};
use crate::embedded::engine::{Limits, Session};
use crate::postgres_config;
use crate::project::Row;

/// Begins a block.
pub(super) fn begin(
    cx: &Cx<'_>,
    project: &Row,
    connection: &mut Connection,
    implicit: bool,
    read_only: bool,
) {
    let current = database::current(cx, project);
    let base = current.map_or_else(|| database::blank(cx), |image| cx.databases.copy(image));
    connection.block = Some(Open {
        begun: micros(cx.now),
        state: connection.state.clone(),
        had_database: current.is_some(),
        base,
        work: cx.databases.copy(base),
        read_only,
        failed: false,
        implicit,
        writes: 0,
        savepoints: Vec::new(),
    });
}

/// After an error: a block of the client's waits for its end, another is undone.
pub(super) fn fail(cx: &Cx<'_>, project: &Row, connection: &mut Connection) {
    match &mut connection.block {
        Some(block) if !block.implicit => block.failed = true,
        Some(_) => undo(cx, project, connection),
        None => {}
    }
}

/// Ends the block without its changes, but for the sequences that it has drawn from.
pub(super) fn undo(cx: &Cx<'_>, project: &Row, connection: &mut Connection) {
    if let Some(block) = connection.block.take() {
        keep_sequences(cx, project, &block, None);
        connection.state = block.state.returning_from(&connection.state);
        forget(cx, &block);
        cx.db.run("DELETE FROM connection_write WHERE connection = ?1", (connection.id,));
    }
}

/// Keeps the sequences as the block has left them: in the copy that it goes on with, or in the database.
fn keep_sequences(cx: &Cx<'_>, project: &Row, block: &Open, on: Option<&Open>) {
    if cx.databases.are_same(block.base, block.work) {
        return;
    }
    let run = Run { cx, project, read_only: false };
    let of = |image: i64| {
        let block = Open { work: image, ..block.clone() };
        run.visit(Some(&block), [0; 32], |session| client::sequences(session))
    };
    // A database that cannot be read has no sequences either.
    let (Ok(before), Ok(after)) = (of(block.base), of(block.work)) else { return };
    if before != after && (on.is_some() || database::current(cx, project).is_some()) {
        // The rollback is valid even if there is no room for a value.
        let _ = run.visit(on, [0; 32], |session| client::keep_sequences(session, &before, &after));
    }
}

/// Ends the block with its changes. After an error it is over too, without them.
pub(super) fn commit(cx: &Cx<'_>, project: &Row, connection: &mut Connection, read_only: bool) -> Sql<()> {
    let Some(block) = connection.block.take() else { return Ok(()) };
    let published = if cx.databases.are_same(block.base, block.work) {
        Ok(())
    } else if is_unchanged(cx, project, &block) {
        database::replace(cx, project, block.work);
        Ok(())
    } else {
        repeat(cx, project, connection, &block, read_only)
    };
    forget(cx, &block);
    cx.db.run("DELETE FROM connection_write WHERE connection = ?1", (connection.id,));
    match published {
        Ok(()) => connection.state.end_transaction(),
        Err(_) => connection.state = block.state.returning_from(&connection.state),
    }
    published
}

/// Whether nobody else has changed the database since the block began.
fn is_unchanged(cx: &Cx<'_>, project: &Row, block: &Open) -> bool {
    match database::current(cx, project) {
        Some(image) => block.had_database && cx.databases.are_same(block.base, image),
        None => !block.had_database,
    }
}

/// Repeats the writes of a block on the present database.
fn repeat(cx: &Cx<'_>, project: &Row, connection: &Connection, block: &Open, read_only: bool) -> Sql<()> {
    let sql = "SELECT written FROM connection_write WHERE connection = ?1 AND number < ?2 ORDER BY number";
    let writes: Vec<String> = cx.db.all(sql, (connection.id, block.writes), |row| row.get(0));
    let current = database::current(cx, project);
    let work = current.map_or_else(|| database::blank(cx), |image| cx.databases.copy(image));
    let again = Open { work, savepoints: Vec::new(), ..block.clone() };
    let run = Run { cx, project, read_only };
    let repeated = writes.iter().try_for_each(|written| {
        let write: Write = serde_json::from_str(written).expect("it was written so");
        let copies = write.data.is_some();
        let asked =
            Asked { text: &write.text, parameters: &write.parameters, data: write.data.as_deref(), copies };
        let place = Block { open: true, read_only: block.read_only };
        let (done, _) = run.execute(Some(&again), write.seed, connection.id, write.state, place, asked);
        match done {
            Ok((result, _)) if result == write.result => Ok(()),
            _ => Err(SqlError::new(
                SqlState::new("40001"),
                "could not serialize access due to concurrent update",
            )
            .hint("Another call has changed the database since this transaction began. Run it again.")),
        }
    });
    if repeated.is_ok() {
        database::replace(cx, project, work);
    }
    cx.databases.forget(work);
    repeated
}

pub(super) fn forget(cx: &Cx<'_>, block: &Open) {
    let images = [block.base, block.work].into_iter();
    images.chain(block.savepoints.iter().map(|one| one.image)).for_each(|image| cx.databases.forget(image));
}

/// Stores the rows of new cursors. Those of closed ones go when the transaction is over, because its writes may be repeated until then.
pub(super) fn keep_cursors(cx: &Cx<'_>, connection: &mut Connection) {
    let new = connection.state.take_new_rows();
    let had = !new.is_empty();
    for CursorRows { cursor, part, rows } in new {
        let sql = "INSERT INTO connection_cursor VALUES (?1, ?2, ?3, ?4)";
        cx.db.run(sql, (connection.id, cursor, part, rows));
    }
    if connection.block.is_none() && (had || connection.had_cursors) {
        let sql = "DELETE FROM connection_cursor
                   WHERE connection = ?1 AND cursor NOT IN (SELECT value FROM json_each(?2))";
        cx.db.run(sql, (connection.id, json(&connection.state.open_cursors())));
    }
}

/// Rows that a statement asks for; `None` if they are no longer there.
fn rows_of_cursor(cx: &Cx<'_>, connection: u32, wanted: &WantedRows) -> Option<Vec<CursorRows>> {
    let WantedRows { cursor, parts } = wanted;
    let sql = "SELECT part, rows FROM connection_cursor
               WHERE connection = ?1 AND cursor = ?2 AND part >= ?3 AND part < ?4";
    let rows: Vec<CursorRows> = cx.db.all(sql, (connection, cursor, parts.start, parts.end), |row| {
        Ok(CursorRows { cursor: *cursor, part: row.get(0)?, rows: row.get(1)? })
    });
    (rows.len() == parts.len()).then_some(rows)
}

pub(super) fn savepoint(block: &Open, name: &str) -> Sql<usize> {
    let found = block.savepoints.iter().rposition(|savepoint| savepoint.name == name);
    found.ok_or_else(|| SqlError::new(SqlState::new("3B001"), format!("savepoint \"{name}\" does not exist")))
}

pub(super) fn roll_back_to(
    cx: &Cx<'_>,
    project: &Row,
    connection: &mut Connection,
    name: &str,
) -> Sql<StatementResult> {
    let id = connection.id;
    let Some(block) = &mut connection.block else { return Ok(tagged("ROLLBACK")) };
    let at = savepoint(block, name)?;
    block.savepoints.drain(at + 1..).for_each(|gone| cx.databases.forget(gone.image));
    let kept = &block.savepoints[at];
    let work = cx.databases.copy(kept.image);
    keep_sequences(cx, project, block, Some(&Open { work, ..block.clone() }));
    cx.databases.forget(block.work);
    (block.work, block.writes, block.failed) = (work, kept.writes, false);
    connection.state = kept.state.returning_from(&connection.state);
    let sql = "DELETE FROM connection_write WHERE connection = ?1 AND number >= ?2";
    cx.db.run(sql, (id, block.writes));
    Ok(tagged("ROLLBACK"))
}

/// A use of the engine for a connection.
#[derive(Clone, Copy)]
pub(super) struct Run<'a, 'c> {
    pub(super) cx: &'a Cx<'c>,
    pub(super) project: &'a Row,
    pub(super) read_only: bool,
}

impl Run<'_, '_> {
    /// Runs a statement; also returns the state of the connection after it. If it needs rows of cursors, it runs again with them.
    pub(super) fn execute(
        &self,
        block: Option<&Open>,
        seed: [u8; 32],
        connection: u32,
        before: ClientState,
        place: Block,
        asked: Asked<'_>,
    ) -> (Sql<(StatementResult, bool)>, ClientState) {
        let mut lent = before;
        loop {
            let mut state = lent.clone();
            let done = self.visit(block, seed, |session| execute(session, &mut state, place, asked));
            let wanted = state.take_wanted_rows().filter(|_| done.is_err());
            let Some(rows) = wanted.and_then(|wanted| rows_of_cursor(self.cx, connection, &wanted)) else {
                return (done, state);
            };
            rows.iter().for_each(|rows| lent.lend_rows(rows));
        }
    }

    /// Runs `work` on the block's copy of the database, or on the database itself.
    pub(super) fn visit<T>(
        &self,
        block: Option<&Open>,
        seed: [u8; 32],
        work: impl FnOnce(&mut Session<'_>) -> Sql<T>,
    ) -> Sql<T> {
        let Run { cx, project, read_only } = *self;
        let now = block.map_or(cx.now, |block| from_micros(block.begun));
        let mut random = Draw::of_seed(seed);
        let server = &postgres_config::of_server(cx, project);
        let limits = Limits {
            steps: cx.policy.sql_steps,
            result_bytes: cx.policy.sql_result_bytes,
            ..Limits::default()
        };
        let on = |held: Held<'_>| match held {
            Held::Pages(connection) => {
                let interrupt = cx.interrupt.clone();
                let random = random.source();
                let (role, has_drawn) = ("postgres", false);
                work(&mut Session {
                    connection,
                    now,
                    random,
                    has_drawn,
                    role,
                    server,
                    read_only,
                    limits,
                    interrupt,
                })
            }
            Held::OnServer(..) => {
                Err(SqlError::unsupported("a connection that the listener does not hand on"))
            }
        };
        match block {
            Some(block) => cx.databases.visit(block.work, on).0,
            None => database::run(cx, project, on),
        }
    }
}
