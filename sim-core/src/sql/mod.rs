//! The embedded database engine: PostgreSQL's dialect, types, catalog and errors over an ordinary SQLite connection.
//!
//! It imports nothing of the rest of the crate but the instant: text comes in, rows or a refusal come out, and everything that
//! lasts is in tables of the project's own database.
//!
//! A statement is parsed (`source`), bound to a typed tree (`bind`, `tree`), printed for SQLite (`print`) and run (`run`).

mod bind;
mod block;
mod cast;
pub(crate) mod catalog;
mod connection;
mod ddl;
mod describe;
mod dml;
mod encode;
pub mod error;
pub mod functions;
mod look;
mod pattern;
mod print;
mod run;
mod served;
mod source;
pub mod state;
mod system;
#[cfg(test)]
mod tests;
mod tree;
pub mod types;
mod typescript;
pub mod value;
pub mod warehouse;

pub use connection::prepare_connection;
pub use ddl::{INITIAL, create};
pub use error::{SqlError, SqlState};
pub use look::look;
pub use run::{Limits, Outcome, ResultColumn, Session, run, with_values};
pub use served::{CATALOG_QUERY, typescript_of_server};
pub use typescript::typescript;
