//! The configurations of text search in the catalog.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::System;
use crate::bind::Settings;
use crate::catalog::{Catalog, PG_CATALOG};
use crate::describe;
use crate::functions::text_search::{UNACCENT, configurations, dictionaries, kind_number, mappings_of};

/// PostgreSQL's identifier of the default parser.
const PARSER: u32 = 3722;

/// PostgreSQL's identifier of `simple`. Those of the languages, which differ from server to server, follow here.
const FIRST: u32 = 3748;

pub(super) fn relations() -> Vec<System> {
    vec![
        System {
            name: "pg_ts_config",
            columns: &["oid", "cfgname", "cfgnamespace", "cfgowner", "cfgparser"],
            rows,
        },
        System {
            name: "pg_ts_config_map",
            columns: &["mapcfg", "maptokentype", "mapseqno", "mapdict"],
            rows: mappings,
        },
        System {
            name: "pg_ts_dict",
            columns: &["oid", "dictname", "dictnamespace", "dictowner", "dicttemplate"],
            rows: all_dictionaries,
        },
        System {
            name: "pg_ts_parser",
            columns: &["oid", "prsname", "prsnamespace"],
            rows: |_, _| vec![vec![json!(PARSER), json!("default"), json!(PG_CATALOG)]],
        },
    ]
}

fn rows(catalog: &Catalog, _: &Settings) -> Vec<Vec<Json>> {
    let row = |oid: u32, name: &str, schema: u32, owner: u32| {
        vec![json!(oid), json!(name), json!(schema), json!(owner), json!(PARSER)]
    };
    let builtin = configurations().zip(FIRST..).map(|(name, oid)| row(oid, name, PG_CATALOG, 10));
    let own = catalog
        .configurations()
        .map(|(oid, known)| row(oid, &known.name, known.schema, describe::role_oid(catalog, &known.owner)));
    builtin.chain(own).collect()
}

/// The dictionaries of each configuration for each kind of token.
fn mappings(catalog: &Catalog, _: &Settings) -> Vec<Vec<Json>> {
    let numbers: BTreeMap<String, u32> = dictionaries(true).map(|(oid, name)| (name, oid)).collect();
    let builtin =
        configurations().zip(FIRST..).map(|(name, oid)| (oid, mappings_of(name).unwrap_or_default()));
    let own = catalog.configurations().map(|(oid, known)| (oid, known.mappings.clone()));
    let mut rows = Vec::new();
    for (configuration, text) in builtin.chain(own) {
        for (kind, names) in text.split(';').filter_map(|mapping| mapping.split_once(':')) {
            for (name, place) in names.split(',').zip(1..) {
                let (Some(kind), Some(dictionary)) = (kind_number(kind), numbers.get(name)) else { continue };
                rows.push(vec![json!(configuration), json!(kind), json!(place), json!(dictionary)]);
            }
        }
    }
    rows
}

fn all_dictionaries(catalog: &Catalog, _: &Settings) -> Vec<Vec<Json>> {
    let unaccent = catalog.extensions().find(|(_, known)| known.name == "unaccent");
    let unaccent = unaccent.map(|(_, known)| known.schema);
    let row = |(oid, name): (u32, String)| {
        let schema = unaccent.filter(|_| oid == UNACCENT).unwrap_or(PG_CATALOG);
        vec![json!(oid), json!(name), json!(schema), json!(10), json!(0)]
    };
    dictionaries(unaccent.is_some()).map(row).collect()
}
