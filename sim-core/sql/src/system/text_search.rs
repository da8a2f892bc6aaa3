//! The configurations of text search in the catalog.

use serde_json::{Value as Json, json};

use super::System;
use crate::bind::Settings;
use crate::catalog::{Catalog, PG_CATALOG};
use crate::functions::text_search::configurations;

/// PostgreSQL's identifier of the default parser.
const PARSER: u32 = 3722;

/// PostgreSQL's identifier of `simple`. Those of the languages, which differ from server to server, follow here.
const FIRST: u32 = 3748;

pub(super) fn relations() -> Vec<System> {
    vec![System {
        name: "pg_ts_config",
        columns: &["oid", "cfgname", "cfgnamespace", "cfgowner", "cfgparser"],
        rows,
    }]
}

fn rows(catalog: &Catalog, _: &Settings) -> Vec<Vec<Json>> {
    let row = |oid: u32, name: &str, schema: u32| {
        vec![json!(oid), json!(name), json!(schema), json!(10), json!(PARSER)]
    };
    let builtin = configurations().zip(FIRST..).map(|(name, oid)| row(oid, name, PG_CATALOG));
    let own = catalog.configurations().map(|(oid, known)| row(oid, &known.name, known.schema));
    builtin.chain(own).collect()
}
