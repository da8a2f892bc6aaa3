//! The views of cumulative statistics. Nothing is counted, so the values are those of a server that has just been reset.

use serde_json::{Value as Json, json};

use super::System;
use crate::bind::Settings;
use crate::catalog::{Catalog, Index, Relation, RelationKind};
use crate::types::Type;

type Rows = Vec<Vec<Json>>;
type Columns = &'static [(&'static str, Type)];

const TABLES: Columns = &[
    ("relid", Type::OID),
    ("schemaname", Type::NAME),
    ("relname", Type::NAME),
    ("seq_scan", Type::INT8),
    ("seq_tup_read", Type::INT8),
    ("idx_scan", Type::INT8),
    ("idx_tup_fetch", Type::INT8),
    ("n_tup_ins", Type::INT8),
    ("n_tup_upd", Type::INT8),
    ("n_tup_del", Type::INT8),
    ("n_tup_hot_upd", Type::INT8),
    ("n_live_tup", Type::INT8),
    ("n_dead_tup", Type::INT8),
    ("n_mod_since_analyze", Type::INT8),
    ("n_ins_since_vacuum", Type::INT8),
    ("last_vacuum", Type::TIMESTAMPTZ),
    ("last_autovacuum", Type::TIMESTAMPTZ),
    ("last_analyze", Type::TIMESTAMPTZ),
    ("last_autoanalyze", Type::TIMESTAMPTZ),
    ("vacuum_count", Type::INT8),
    ("autovacuum_count", Type::INT8),
    ("analyze_count", Type::INT8),
    ("autoanalyze_count", Type::INT8),
];

const INDEXES: Columns = &[
    ("relid", Type::OID),
    ("indexrelid", Type::OID),
    ("schemaname", Type::NAME),
    ("relname", Type::NAME),
    ("indexrelname", Type::NAME),
    ("idx_scan", Type::INT8),
    ("idx_tup_read", Type::INT8),
    ("idx_tup_fetch", Type::INT8),
];

const TABLE_BLOCKS: Columns = &[
    ("relid", Type::OID),
    ("schemaname", Type::NAME),
    ("relname", Type::NAME),
    ("heap_blks_read", Type::INT8),
    ("heap_blks_hit", Type::INT8),
    ("idx_blks_read", Type::INT8),
    ("idx_blks_hit", Type::INT8),
    ("toast_blks_read", Type::INT8),
    ("toast_blks_hit", Type::INT8),
    ("tidx_blks_read", Type::INT8),
    ("tidx_blks_hit", Type::INT8),
];

const INDEX_BLOCKS: Columns = &[
    ("relid", Type::OID),
    ("indexrelid", Type::OID),
    ("schemaname", Type::NAME),
    ("relname", Type::NAME),
    ("indexrelname", Type::NAME),
    ("idx_blks_read", Type::INT8),
    ("idx_blks_hit", Type::INT8),
];

const DATABASE: Columns = &[
    ("datid", Type::OID),
    ("datname", Type::NAME),
    ("numbackends", Type::INT4),
    ("xact_commit", Type::INT8),
    ("xact_rollback", Type::INT8),
    ("blks_read", Type::INT8),
    ("blks_hit", Type::INT8),
    ("tup_returned", Type::INT8),
    ("tup_fetched", Type::INT8),
    ("tup_inserted", Type::INT8),
    ("tup_updated", Type::INT8),
    ("tup_deleted", Type::INT8),
    ("conflicts", Type::INT8),
    ("temp_files", Type::INT8),
    ("temp_bytes", Type::INT8),
    ("deadlocks", Type::INT8),
    ("checksum_failures", Type::INT8),
    ("checksum_last_failure", Type::TIMESTAMPTZ),
    ("blk_read_time", Type::FLOAT8),
    ("blk_write_time", Type::FLOAT8),
    ("session_time", Type::FLOAT8),
    ("active_time", Type::FLOAT8),
    ("idle_in_transaction_time", Type::FLOAT8),
    ("sessions", Type::INT8),
    ("sessions_abandoned", Type::INT8),
    ("sessions_fatal", Type::INT8),
    ("sessions_killed", Type::INT8),
    ("stats_reset", Type::TIMESTAMPTZ),
];

const ACTIVITY: Columns = &[
    ("datid", Type::OID),
    ("datname", Type::NAME),
    ("pid", Type::INT4),
    ("leader_pid", Type::INT4),
    ("usesysid", Type::OID),
    ("usename", Type::NAME),
    ("application_name", Type::TEXT),
    ("client_addr", Type::INET),
    ("client_hostname", Type::TEXT),
    ("client_port", Type::INT4),
    ("backend_start", Type::TIMESTAMPTZ),
    ("xact_start", Type::TIMESTAMPTZ),
    ("query_start", Type::TIMESTAMPTZ),
    ("state_change", Type::TIMESTAMPTZ),
    ("wait_event_type", Type::TEXT),
    ("wait_event", Type::TEXT),
    ("state", Type::TEXT),
    ("backend_xid", Type::OID),
    ("backend_xmin", Type::OID),
    ("query_id", Type::INT8),
    ("query", Type::TEXT),
    ("backend_type", Type::TEXT),
];

pub(super) fn relations() -> Vec<System> {
    let system = |name, columns, rows| System { name, columns, rows };
    vec![
        system("pg_stat_all_tables", TABLES, |catalog, _| tables(catalog, TABLES, true)),
        system("pg_stat_user_tables", TABLES, |catalog, _| tables(catalog, TABLES, false)),
        system("pg_stat_all_indexes", INDEXES, |catalog, _| indexes(catalog, INDEXES)),
        system("pg_stat_user_indexes", INDEXES, |catalog, _| indexes(catalog, INDEXES)),
        system("pg_statio_all_tables", TABLE_BLOCKS, |catalog, _| tables(catalog, TABLE_BLOCKS, true)),
        system("pg_statio_user_tables", TABLE_BLOCKS, |catalog, _| tables(catalog, TABLE_BLOCKS, false)),
        system("pg_statio_all_indexes", INDEX_BLOCKS, |catalog, _| indexes(catalog, INDEX_BLOCKS)),
        system("pg_statio_user_indexes", INDEX_BLOCKS, |catalog, _| indexes(catalog, INDEX_BLOCKS)),
        system("pg_stat_database", DATABASE, database),
        system("pg_stat_activity", ACTIVITY, |_, _| Vec::new()),
    ]
}

/// A row: known values by column, and else what has not been counted.
fn row(columns: Columns, known: &[(&str, Json)]) -> Vec<Json> {
    let value = |(name, type_): &(&str, Type)| {
        let given = known.iter().find(|(column, _)| column == name);
        given.map_or_else(|| uncounted(*type_), |(_, value)| value.clone())
    };
    columns.iter().map(value).collect()
}

fn uncounted(type_: Type) -> Json {
    match type_ {
        Type::INT4 | Type::INT8 => json!(0),
        Type::FLOAT8 => json!(0.0),
        _ => Json::Null,
    }
}

fn counted(catalog: &Catalog) -> impl Iterator<Item = &Relation> {
    let kinds = |relation: &&Relation| {
        matches!(relation.shown_kind(), RelationKind::Table | RelationKind::MaterializedView)
    };
    catalog.relations().filter(kinds)
}

fn tables(catalog: &Catalog, columns: Columns, all: bool) -> Rows {
    /// Sums over indexes, which are null without one.
    const OF_INDEXES: [&str; 4] = ["idx_scan", "idx_tup_fetch", "idx_blks_read", "idx_blks_hit"];
    let own = counted(catalog).map(|relation| {
        let mut known = vec![
            ("relid", json!(relation.oid)),
            ("schemaname", json!(catalog.schema_name(relation.schema))),
            ("relname", json!(relation.name)),
        ];
        if relation.indexes.is_empty() {
            known.extend(OF_INDEXES.map(|column| (column, Json::Null)));
        }
        row(columns, &known)
    });
    let system = super::ALL.iter().filter(|system| all && system.word() == "table").map(|system| {
        let known = [
            ("relid", json!(system.oid())),
            ("schemaname", json!("pg_catalog")),
            ("relname", json!(system.name)),
        ];
        row(columns, &known)
    });
    own.chain(system).collect()
}

fn indexes(catalog: &Catalog, columns: Columns) -> Rows {
    let known = |relation: &Relation, index: &Index| {
        let known = [
            ("relid", json!(relation.oid)),
            ("indexrelid", json!(index.oid)),
            ("schemaname", json!(catalog.schema_name(relation.schema))),
            ("relname", json!(relation.name)),
            ("indexrelname", json!(index.name)),
        ];
        row(columns, &known)
    };
    // Those of a partitioned table have no pages of their own.
    let tables = counted(catalog).filter(|relation| relation.partitioning.is_none());
    tables.flat_map(|relation| relation.indexes.iter().map(move |index| known(relation, index))).collect()
}

fn database(_: &Catalog, _: &Settings) -> Rows {
    let known = [
        ("datid", json!(5)),
        ("datname", json!("postgres")),
        ("numbackends", json!(1)),
        ("checksum_failures", Json::Null),
    ];
    vec![row(DATABASE, &known)]
}
