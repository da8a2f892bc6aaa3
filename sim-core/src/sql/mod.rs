//! The embedded database engine: PostgreSQL's dialect, types, catalog and errors over an ordinary SQLite connection.
//!
//! It imports nothing of the rest of the crate but the instant: text comes in, rows or a refusal come out, and everything that
//! lasts is in tables of the project's own database.

mod connection;
pub mod error;
pub mod functions;
pub mod state;
pub mod types;
pub mod value;

pub use connection::prepare_connection;
pub use error::{SqlError, SqlState};
