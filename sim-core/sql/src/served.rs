//! Reads the catalog of a PostgreSQL server's database into the same types as the embedded engine's catalog.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::catalog::{Catalog, Object, Oid};
use super::error::{Result, SqlError, SqlState};
use super::typescript::{self, Internals};

/// Queries a PostgreSQL server for its catalog. [`typescript_of_server`] reads the rows.
pub const CATALOG_QUERY: &str = include_str!("served.sql");

#[derive(Deserialize)]
struct Row {
    oid: Oid,
    body: Object,
}

/// The TypeScript types of the schemas in `included`, from the rows of [`CATALOG_QUERY`].
/// See [`typescript`](typescript::typescript) for the internals.
///
/// Fails if the rows are from another query.
pub fn typescript_of_server(
    rows: Vec<Map<String, Value>>,
    included: &[&str],
    internals: Option<&Internals>,
) -> Result<String> {
    let mut catalog = Catalog::default();
    for row in rows {
        let row: Row = serde_json::from_value(Value::Object(row))
            .map_err(|error| SqlError::new(SqlState::INTERNAL, format!("the server's catalog: {error}")))?;
        catalog.objects.insert(row.oid, row.body);
    }
    Ok(typescript::of_catalog(&catalog, included, internals))
}
