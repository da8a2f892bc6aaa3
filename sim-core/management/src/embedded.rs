//! The embedded engine of projects' databases, and its replacement if the feature `sql` is off.

use rusqlite::Connection;
use sim_base::DatabaseKind;

/// Creates projects' databases.
pub(crate) const KIND: DatabaseKind = DatabaseKind { prepare: engine::prepare_connection, create };

fn create(connection: &Connection) -> rusqlite::Result<()> {
    engine::create(connection).map_err(|error| rusqlite::Error::UserFunctionError(Box::new(error)))
}

#[cfg(feature = "sql")]
pub(crate) use sim_sql as engine;

/// Databases that run no statement: each is refused with 0A000 and the reason.
#[cfg(not(feature = "sql"))]
pub(crate) mod engine {
    use std::borrow::Cow;

    use rusqlite::Connection;
    use serde_json::{Map, Value};
    use sim_base::Timestamp;
    use sim_base::rng::Source;
    pub(crate) use sim_values::budget::Interrupt;
    pub(crate) use sim_values::call::{Limits, Outcome};
    use sim_values::error::{Result, SqlError};

    /// The query for a server's catalog; nothing here reads its result.
    pub(crate) const CATALOG_QUERY: &str = "";

    /// The arguments of an engine call; nothing here reads them.
    #[expect(dead_code, reason = "callers fill it in for the engine that is not in this build")]
    pub(crate) struct Session<'a> {
        pub(crate) connection: &'a Connection,
        pub(crate) now: Timestamp,
        pub(crate) random: &'a mut dyn Source,
        pub(crate) role: &'a str,
        pub(crate) read_only: bool,
        pub(crate) limits: Limits,
        pub(crate) interrupt: Interrupt,
    }

    pub(crate) fn prepare_connection(_: &mut Connection) -> rusqlite::Result<()> {
        Ok(())
    }

    pub(crate) fn create(_: &Connection) -> Result<()> {
        Ok(())
    }

    pub(crate) fn run(_: &mut Session<'_>, _: &str, _: &[Value]) -> Result<Outcome> {
        Err(missing())
    }

    pub(crate) fn look(_: &mut Session<'_>, _: &str) -> Result<Outcome> {
        Err(missing())
    }

    pub(crate) fn with_values<'t>(text: &'t str, values: &[Value]) -> Result<Cow<'t, str>> {
        if values.is_empty() { Ok(text.into()) } else { Err(missing()) }
    }

    pub(crate) fn typescript(_: &Connection, _: &[&str]) -> Result<String> {
        Err(missing())
    }

    pub(crate) fn typescript_of_server(_: Vec<Map<String, Value>>, _: &[&str]) -> Result<String> {
        Err(missing())
    }

    fn missing() -> SqlError {
        SqlError::unsupported("SQL in a build of sim-core without the feature \"sql\"")
    }
}
