//! Project databases, embedded: PostgreSQL's dialect, types, catalog and errors over an ordinary SQLite connection.
//!
//! This crate knows nothing of the simulator. Its input is the text of a call, its output rows or an error. All lasting state is
//! in tables of the project's own database.
//!
//! A statement is parsed (`source`), bound to a typed tree (`bind`, `tree`), printed as SQLite's SQL (`print`) and run (`run`).

#![forbid(unsafe_code)]

mod array_literal;
mod bind;
mod cast;
pub(crate) mod catalog;
pub mod client;
mod collated;
mod collations;
mod compared;
mod connection;
mod cursors;
mod ddl;
mod describe;
mod dml;
mod dml_after;
mod dml_cascade;
mod dml_deferred;
mod dml_order;
mod dml_rows;
mod encode;
#[doc(hidden)]
mod foreign;
mod forms;
mod in_use;
mod instead;
mod look;
mod merge;
mod names;
mod notice;
mod objects;
mod operators;
mod parameters;
mod parts;
mod plpgsql;
mod pretty;
mod print;
mod quantified;
mod readable;
mod row_json;
mod row_text;
mod rules;
mod run;
mod security;
mod served;
mod sizes;
mod source;
mod system;
mod through;
mod touched;
mod tree;
mod typescript;
mod unicode;

pub use connection::prepare_connection;
pub use ddl::{
    GRANTS, INITIAL, KNOWN_EXTENSIONS as EXTENSIONS, KnownExtension as Extension, SCHEMAS_OF_EXTENSIONS,
    create, name_platform,
};
pub use look::look;
pub use run::{Session, run, with_values};
pub use served::{CATALOG_QUERY, typescript_of_server};
pub use sim_functions as functions;
#[doc(hidden)]
pub use sim_functions::state;
pub use sim_values::budget::Interrupt;
pub use sim_values::call::{Limits, Outcome, ResultColumn};
pub use sim_values::error::{SqlError, SqlState};
#[doc(hidden)]
pub use sim_values::{error, pattern, types, value};
pub use typescript::{Internals, typescript};
