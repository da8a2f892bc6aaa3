//! SQL: the embedded engine of projects' databases, and the dialects of the analytics server's queries.

#[cfg(feature = "sql")]
pub use sim_sql::*;
#[cfg(feature = "analytics")]
pub use sim_warehouse as warehouse;
