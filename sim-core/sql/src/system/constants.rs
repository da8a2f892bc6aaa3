//! Columns of `pg_catalog` and `information_schema` that have one value in all rows here: they are about what only a server has,
//! and tools ask for them.

/// A column, and its value in SQLite's SQL.
type Constant = (&'static str, &'static str);

/// The value that a column has in all rows.
pub(super) fn of(relation: &str, column: &str) -> Option<&'static str> {
    let (_, columns) = COLUMNS.iter().find(|(name, _)| *name == relation)?;
    columns.iter().find(|(name, _)| *name == column).map(|(_, value)| *value)
}

const COLUMNS: &[(&str, &[Constant])] = &[
    ("pg_am", &[("amhandler", "0")]),
    ("pg_locks", &[("virtualtransaction", "'1/1'"), ("pid", "1"), ("granted", "1")]),
    ("pg_prepared_statements", &[("from_sql", "1"), ("generic_plans", "0"), ("custom_plans", "0")]),
    (
        "pg_attribute",
        &[
            ("attalign", "'i'"),
            ("attbyval", "0"),
            ("attcacheoff", "-1"),
            ("atthasmissing", "0"),
            ("attinhcount", "0"),
        ],
    ),
    (
        "pg_class",
        &[
            ("relfilenode", "0"),
            ("relallvisible", "0"),
            ("reltoastrelid", "0"),
            ("relisshared", "0"),
            ("relrewrite", "0"),
            ("relfrozenxid", "0"),
            ("relminmxid", "0"),
        ],
    ),
    (
        "pg_collation",
        &[
            ("collowner", "10"),
            ("collprovider", "'c'"),
            ("collisdeterministic", "1"),
            ("collencoding", "-1"),
            ("collcollate", "'C'"),
            ("collctype", "'C'"),
        ],
    ),
    ("pg_constraint", &[("coninhcount", "(cells->>18 <> 0)")]),
    (
        "pg_database",
        &[
            ("datlocprovider", "'c'"),
            ("datconnlimit", "-1"),
            ("datfrozenxid", "0"),
            ("datminmxid", "0"),
            ("dattablespace", "1663"),
        ],
    ),
    ("pg_index", &[("indcheckxmin", "0")]),
    ("pg_inherits", &[("inhdetachpending", "0")]),
    (
        "pg_language",
        &[
            ("lanowner", "10"),
            ("lanispl", "(cells->>1 = 'plpgsql')"),
            ("lanplcallfoid", "0"),
            ("laninline", "0"),
            ("lanvalidator", "0"),
        ],
    ),
    ("pg_proc", &[("prosupport", "0")]),
    (
        "pg_range",
        &[
            ("rngmultitypid", "0"),
            ("rngcollation", "0"),
            ("rngsubopc", "0"),
            ("rngcanonical", "0"),
            ("rngsubdiff", "0"),
        ],
    ),
    (
        "pg_stat_activity",
        &[
            ("leader_pid", "NULL"),
            ("application_name", "''"),
            ("client_port", "-1"),
            ("query_id", "NULL"),
            ("backend_start", "pg_now()"),
            ("xact_start", "pg_now()"),
            ("query_start", "pg_now()"),
            ("state_change", "pg_now()"),
            ("state", "'active'"),
            ("query", "pg_current_query()"),
            ("backend_type", "'client backend'"),
        ],
    ),
    ("pg_statistic_ext", &[("stxstattarget", "-1")]),
    ("pg_tablespace", &[("spcowner", "10")]),
    (
        "pg_timezone_names",
        &[
            ("abbrev", "pg_Zone_abbreviation_text(cells->>0)"),
            ("utc_offset", "pg_Zone_offset_text(cells->>0)"),
            ("is_dst", "pg_Zone_is_dst_text(cells->>0)"),
        ],
    ),
    ("pg_trigger", &[("tgconstrindid", "0"), ("tgparentid", "0")]),
    (
        "pg_type",
        &[
            ("typalign", "'i'"),
            ("typbyval", "0"),
            ("typinput", "0"),
            ("typoutput", "0"),
            ("typreceive", "0"),
            ("typsend", "0"),
            ("typmodin", "0"),
            ("typmodout", "0"),
            ("typanalyze", "0"),
            ("typsubscript", "0"),
        ],
    ),
    ("pg_sequences", &[("last_value", LAST_VALUE)]),
    ("pg_rewrite", &[("ev_qual", "'<>'"), ("ev_action", "'<>'")]),
    ("pg_roles", &[("rolpassword", "'********'")]),
    ("pg_user", &[("passwd", "'********'")]),
    (
        "information_schema.attributes",
        &[
            ("udt_catalog", DATABASE),
            ("is_nullable", "'YES'"),
            ("attribute_udt_catalog", DATABASE),
            ("dtd_identifier", "cells->>3"),
            ("is_derived_reference_attribute", "'NO'"),
        ],
    ),
    (
        "information_schema.character_sets",
        &[
            ("character_set_name", "'UTF8'"),
            ("character_repertoire", "'UCS'"),
            ("form_of_use", "'UTF8'"),
            ("default_collate_catalog", DATABASE),
        ],
    ),
    (
        "information_schema.collations",
        &[
            ("collation_catalog", DATABASE),
            ("collation_schema", "'pg_catalog'"),
            ("pad_attribute", "'NO PAD'"),
        ],
    ),
    ("information_schema.column_domain_usage", &[("domain_catalog", DATABASE), ("table_catalog", DATABASE)]),
    ("information_schema.column_udt_usage", &[("udt_catalog", DATABASE), ("table_catalog", DATABASE)]),
    ("information_schema.columns", &[("is_self_referencing", "'NO'")]),
    (
        "information_schema.constraint_table_usage",
        &[("table_catalog", DATABASE), ("constraint_catalog", DATABASE)],
    ),
    (
        "information_schema.domain_constraints",
        &[
            ("constraint_catalog", DATABASE),
            ("domain_catalog", DATABASE),
            ("is_deferrable", "'NO'"),
            ("initially_deferred", "'NO'"),
        ],
    ),
    (
        "information_schema.element_types",
        &[("object_catalog", DATABASE), ("object_type", "'TABLE'"), ("udt_catalog", DATABASE)],
    ),
    ("information_schema.information_schema_catalog_name", &[("catalog_name", DATABASE)]),
    (
        "information_schema.triggered_update_columns",
        &[("trigger_catalog", DATABASE), ("event_object_catalog", DATABASE)],
    ),
    (
        "information_schema.user_defined_types",
        &[
            ("user_defined_type_catalog", DATABASE),
            ("user_defined_type_category", "'STRUCTURED'"),
            ("is_instantiable", "'YES'"),
        ],
    ),
    ("information_schema.domains", &[("udt_catalog", DATABASE), ("dtd_identifier", "'1'")]),
    (
        "information_schema.parameters",
        &[
            ("specific_catalog", DATABASE),
            ("is_result", "'NO'"),
            ("as_locator", "'NO'"),
            ("udt_catalog", DATABASE),
            ("dtd_identifier", "cells->>2"),
        ],
    ),
    ("information_schema.role_table_grants", &[("with_hierarchy", WITH_HIERARCHY)]),
    (
        "information_schema.routines",
        &[
            ("specific_catalog", DATABASE),
            ("dtd_identifier", "iif(cells->>5 = 'PROCEDURE', NULL, '0')"),
            ("parameter_style", "'GENERAL'"),
            ("sql_data_access", "'MODIFIES'"),
            ("schema_level_routine", "'YES'"),
            ("max_dynamic_result_sets", "0"),
            ("as_locator", "'NO'"),
            ("is_udt_dependent", "'NO'"),
        ],
    ),
    ("information_schema.sequences", &[("numeric_precision_radix", "2"), ("numeric_scale", "0")]),
    ("information_schema.table_privileges", &[("with_hierarchy", WITH_HIERARCHY)]),
    ("information_schema.triggers", &[("event_object_catalog", DATABASE)]),
];

const DATABASE: &str = "'postgres'";
const LAST_VALUE: &str = "CASE WHEN cells->>10 IS NULL THEN NULL WHEN pg_sequence_called(cells->>10) \
     THEN pg_sequence_value(cells->>10) END";
const WITH_HIERARCHY: &str = "iif(cells->>5 = 'SELECT', 'YES', 'NO')";
