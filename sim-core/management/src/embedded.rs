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
        pub(crate) has_drawn: bool,
        pub(crate) role: &'a str,
        pub(crate) server: &'a [(String, String)],
        pub(crate) read_only: bool,
        pub(crate) limits: Limits,
        pub(crate) interrupt: Interrupt,
    }

    pub(crate) fn prepare_connection(_: &mut Connection) -> rusqlite::Result<()> {
        Ok(())
    }

    pub(crate) fn name_platform(_: &Connection, _: &str) -> Result<()> {
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

    /// What newer types begin with.
    #[expect(dead_code, reason = "callers fill it in for the engine that is not in this build")]
    pub(crate) struct Internals {
        pub(crate) name: String,
        pub(crate) version: String,
    }

    pub(crate) fn typescript(_: &Connection, _: &[&str], _: Option<&Internals>) -> Result<String> {
        Err(missing())
    }

    pub(crate) fn typescript_of_server(
        _: Vec<Map<String, Value>>,
        _: &[&str],
        _: Option<&Internals>,
    ) -> Result<String> {
        Err(missing())
    }

    fn missing() -> SqlError {
        SqlError::unsupported("SQL in a build of sim-core without the feature \"sql\"")
    }

    /// The engine for connections of clients.
    pub(crate) mod client {
        use std::ops::Range;

        use serde::{Deserialize, Serialize};

        use super::{Result, Session, missing};

        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct ClientState {}

        impl ClientState {
            pub(crate) fn take_reported(&mut self) -> Vec<Notice> {
                Vec::new()
            }

            pub(crate) fn returning_from(&self, _: &ClientState) -> ClientState {
                ClientState {}
            }

            pub(crate) fn take_wanted_rows(&mut self) -> Option<WantedRows> {
                None
            }

            pub(crate) fn lend_rows(&mut self, _: &CursorRows) {}

            pub(crate) fn take_new_rows(&mut self) -> Vec<CursorRows> {
                Vec::new()
            }

            pub(crate) fn open_cursors(&self) -> Vec<u32> {
                Vec::new()
            }

            pub(crate) fn end_transaction(&mut self) {}

            pub(crate) fn modes(&self) -> String {
                String::new()
            }
        }

        pub(crate) fn end_of_client(_: &mut Session<'_>, _: &ClientState) -> Result<()> {
            Ok(())
        }

        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub(crate) struct Parameter {
            pub(crate) value: Option<String>,
            pub(crate) type_oid: u32,
        }

        pub(crate) struct WantedRows {
            pub(crate) cursor: u32,
            pub(crate) parts: Range<u32>,
        }

        pub(crate) struct CursorRows {
            pub(crate) cursor: u32,
            pub(crate) part: u32,
            pub(crate) rows: String,
        }

        pub(crate) struct ClientColumn {
            pub(crate) name: String,
            pub(crate) type_oid: u32,
            pub(crate) length: i16,
            pub(crate) modifier: i32,
        }

        pub(crate) struct Reply {
            pub(crate) tag: String,
            pub(crate) columns: Option<Vec<ClientColumn>>,
            pub(crate) rows: Vec<Vec<Option<String>>>,
            pub(crate) wrote: bool,
            pub(crate) notices: Vec<Notice>,
            pub(crate) binary: bool,
            pub(crate) notifications: Vec<(String, String)>,
        }

        pub(crate) struct Notice {
            pub(crate) severity: String,
            pub(crate) code: String,
            pub(crate) message: String,
            pub(crate) detail: Option<String>,
            pub(crate) hint: Option<String>,
        }

        pub(crate) struct Description {
            pub(crate) parameters: Vec<u32>,
            pub(crate) columns: Option<Vec<ClientColumn>>,
        }

        pub(crate) struct Copying {
            pub(crate) from_client: bool,
            pub(crate) columns: usize,
        }

        #[derive(Clone, Copy, Default)]
        #[expect(dead_code, reason = "callers fill it in for the engine that is not in this build")]
        pub(crate) struct Block {
            pub(crate) open: bool,
            pub(crate) read_only: bool,
        }

        pub(crate) struct Statement {
            pub(crate) range: Range<usize>,
            pub(crate) kind: Kind,
        }

        #[derive(PartialEq)]
        #[expect(dead_code, reason = "only the engine that is not in this build reads texts")]
        pub(crate) enum Kind {
            Begin { read_only: bool },
            Commit { chains: bool },
            Rollback { chains: bool },
            Savepoint(String),
            Release(String),
            RollbackTo(String),
            Copy,
            Other,
        }

        pub(crate) fn statements(_: &str) -> Result<Vec<Statement>> {
            Err(missing())
        }

        pub(crate) fn run_for_client(
            _: &mut Session<'_>,
            _: &mut ClientState,
            _: Block,
            _: &str,
            _: &[Parameter],
        ) -> Result<Reply> {
            Err(missing())
        }

        pub(crate) fn describe_for_client(
            _: &mut Session<'_>,
            _: &ClientState,
            _: Block,
            _: &str,
            _: &[u32],
        ) -> Result<Description> {
            Err(missing())
        }

        pub(crate) fn sequences(_: &Session<'_>) -> Result<()> {
            Err(missing())
        }

        pub(crate) fn keep_sequences(_: &Session<'_>, (): &(), (): &()) -> Result<()> {
            Err(missing())
        }

        pub(crate) fn copy_of(_: &mut Session<'_>, _: &ClientState, _: Block, _: &str) -> Result<Copying> {
            Err(missing())
        }

        pub(crate) fn copy_from(
            _: &mut Session<'_>,
            _: &mut ClientState,
            _: Block,
            _: &str,
            _: &str,
        ) -> Result<Reply> {
            Err(missing())
        }

        pub(crate) fn copy_to(
            _: &mut Session<'_>,
            _: &mut ClientState,
            _: Block,
            _: &str,
        ) -> Result<(Reply, Vec<String>)> {
            Err(missing())
        }
    }
}
