//! SQL: the embedded engine of projects' databases, and the dialects of the analytics server's queries.

#[cfg(feature = "sql")]
pub use sim_sql::{
    CATALOG_QUERY, EXTENSIONS, Extension, GRANTS, INITIAL, Internals, Interrupt, Limits, Outcome,
    ResultColumn, SCHEMAS_OF_EXTENSIONS, Session, SqlError, SqlState, create, look, name_platform,
    prepare_connection, run, typescript, typescript_of_server, with_values,
};
// For the engine that keeps projects' databases on a server.
#[cfg(feature = "sql")]
#[doc(hidden)]
pub use sim_sql::{error, types};
// For the binary formats of database clients.
#[cfg(feature = "sql")]
#[doc(hidden)]
pub use sim_values::value::datetime as calendar;
#[cfg(feature = "analytics")]
pub use sim_warehouse as warehouse;
