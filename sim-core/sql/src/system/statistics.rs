//! The views of cumulative statistics. Nothing is counted, so the values are those of a server that has just been reset.

use serde_json::{Value as Json, json};

use super::System;
use crate::catalog::{Catalog, Index, Relation, RelationKind};
use crate::describe;
use crate::types::Type;

type Rows = Vec<Vec<Json>>;

const TABLES: &[&str] = &["relid", "schemaname", "relname", "idx_scan", "idx_tup_fetch"];
const TABLE_BLOCKS: &[&str] = &["relid", "schemaname", "relname", "idx_blks_read", "idx_blks_hit"];
const INDEXES: &[&str] = &["relid", "indexrelid", "schemaname", "relname", "indexrelname"];
const SEQUENCES: &[&str] = &["relid", "schemaname", "relname"];

/// Whether the other columns of this relation are counts.
pub(super) fn counts(relation: &str) -> bool {
    relation.starts_with("pg_stat_") || relation.starts_with("pg_statio_")
}

/// The value of a column that has not been counted, in SQLite's SQL.
pub(super) fn uncounted(type_: Type) -> &'static str {
    match type_ {
        Type::INT4 | Type::INT8 | Type::NUMERIC => "0",
        Type::FLOAT8 => "0.0",
        _ => "NULL",
    }
}

pub(super) fn relations() -> Vec<System> {
    let system = |name, columns, rows| System { name, columns, rows };
    vec![
        system("pg_stat_all_tables", TABLES, |catalog, _| all_tables(catalog)),
        system("pg_stat_user_tables", TABLES, |catalog, _| tables(catalog)),
        system("pg_stat_sys_tables", TABLES, |_, _| system_tables()),
        system("pg_stat_xact_all_tables", TABLES, |catalog, _| all_tables(catalog)),
        system("pg_stat_xact_user_tables", TABLES, |catalog, _| tables(catalog)),
        system("pg_stat_xact_sys_tables", TABLES, |_, _| system_tables()),
        system("pg_stat_all_indexes", INDEXES, |catalog, _| indexes(catalog)),
        system("pg_stat_user_indexes", INDEXES, |catalog, _| indexes(catalog)),
        system("pg_statio_all_tables", TABLE_BLOCKS, |catalog, _| all_tables(catalog)),
        system("pg_statio_user_tables", TABLE_BLOCKS, |catalog, _| tables(catalog)),
        system("pg_statio_sys_tables", TABLE_BLOCKS, |_, _| system_tables()),
        system("pg_statio_all_indexes", INDEXES, |catalog, _| indexes(catalog)),
        system("pg_statio_user_indexes", INDEXES, |catalog, _| indexes(catalog)),
        system("pg_statio_all_sequences", SEQUENCES, |catalog, _| sequences(catalog)),
        system("pg_statio_user_sequences", SEQUENCES, |catalog, _| sequences(catalog)),
        // Their rows are those of the session, which the engine has.
        system("pg_prepared_statements", &["name", "statement", "parameter_types"], |_, _| Vec::new()),
        system(
            "pg_locks",
            &[
                "locktype",
                "database",
                "relation",
                "virtualxid",
                "classid",
                "objid",
                "objsubid",
                "mode",
                "fastpath",
            ],
            |_, _| Vec::new(),
        ),
        // The only session is the one that asks.
        system(
            "pg_stat_activity",
            &["datid", "datname", "pid", "usesysid", "usename"],
            |catalog, settings| {
                let user = &*settings.session_role;
                vec![vec![
                    json!(5),
                    json!("postgres"),
                    json!(1),
                    json!(describe::role_oid(catalog, user)),
                    json!(user),
                ]]
            },
        ),
        system("pg_stat_database", &["datid", "datname", "numbackends", "checksum_failures"], |_, _| {
            vec![vec![json!(5), json!("postgres"), json!(1), Json::Null]]
        }),
        system("pg_stat_database_conflicts", &["datid", "datname"], |_, _| {
            vec![vec![json!(5), json!("postgres")]]
        }),
        system("pg_stat_archiver", &[], |_, _| vec![Vec::new()]),
        system("pg_stat_bgwriter", &[], |_, _| vec![Vec::new()]),
        system("pg_stat_wal", &[], |_, _| vec![Vec::new()]),
    ]
}

fn counted(catalog: &Catalog) -> impl Iterator<Item = &Relation> {
    let kinds = |relation: &&Relation| {
        matches!(relation.shown_kind(), RelationKind::Table | RelationKind::MaterializedView)
    };
    catalog.relations().filter(kinds)
}

fn all_tables(catalog: &Catalog) -> Rows {
    let mut all = tables(catalog);
    all.extend(system_tables());
    all
}

fn tables(catalog: &Catalog) -> Rows {
    let row = |relation: &Relation| {
        // The sums over indexes are null without one.
        let sum = if relation.indexes.is_empty() { Json::Null } else { json!(0) };
        let schema = catalog.schema_name(relation.schema);
        vec![json!(relation.oid), json!(schema), json!(relation.name), sum.clone(), sum]
    };
    counted(catalog).map(row).collect()
}

fn system_tables() -> Rows {
    let tables = super::ALL.iter().filter(|system| system.word() == "table");
    let row = |system: &System| {
        let schema = system.schema_name();
        vec![json!(system.oid()), json!(schema), json!(system.short_name()), json!(0), json!(0)]
    };
    tables.map(row).collect()
}

fn indexes(catalog: &Catalog) -> Rows {
    let row = |relation: &Relation, index: &Index| {
        let schema = catalog.schema_name(relation.schema);
        vec![json!(relation.oid), json!(index.oid), json!(schema), json!(relation.name), json!(index.name)]
    };
    // Those of a partitioned table have no pages of their own.
    let tables = counted(catalog).filter(|relation| relation.partitioning.is_none());
    tables.flat_map(|relation| relation.indexes.iter().map(move |index| row(relation, index))).collect()
}

fn sequences(catalog: &Catalog) -> Rows {
    let sequences = catalog.relations().filter(|relation| relation.sequence.is_some());
    let row = |relation: &Relation| {
        vec![json!(relation.oid), json!(catalog.schema_name(relation.schema)), json!(relation.name)]
    };
    sequences.map(row).collect()
}
