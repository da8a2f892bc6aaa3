//! `pg_catalog`.

mod classes;
mod cluster;
mod collations;
mod depends;
mod rules;
mod types;

use serde_json::{Value as Json, json};

use self::classes::attributes;
use self::classes::classes;
use self::classes::defaults;
use self::classes::index_views;
use self::classes::indexes;
use self::classes::partitioned;
use self::classes::sequence_rows;
use self::classes::sequences;
use self::classes::tables;
use self::classes::views;
use self::cluster::available;
use self::cluster::available_versions;
use self::cluster::extensions;
use self::cluster::members;
use self::cluster::namespaces;
use self::cluster::publication_tables;
use self::cluster::publications;
use self::cluster::roles;
use self::cluster::session_starts;
use self::cluster::settings;
use self::cluster::time_zones;
use self::cluster::users;
use self::cluster::{published, published_schemas};
use self::depends::depends;
use self::rules::constraints;
use self::rules::descriptions;
use self::rules::policies;
use self::rules::policy_views;
use self::rules::triggers;
use self::types::enums;
use self::types::procedures;
use self::types::types;
use self::types::{aggregates, languages, ranges};
use super::System;
use crate::catalog::{DATABASE, DATABASE_OID, Oid, RelationKind};
use crate::types::Type;
use crate::value::array;

type Rows = Vec<Vec<Json>>;

/// The access methods, with their identifiers.
pub(crate) const METHODS: &[(Oid, &str)] = &[
    (2, "heap"),
    (403, "btree"),
    (405, "hash"),
    (783, "gist"),
    (2742, "gin"),
    (4000, "spgist"),
    (3580, "brin"),
    (9010, "ivfflat"),
    (9011, "hnsw"),
];

/// The type of lists of privileges: like names, they are shown as the text of an array.
pub(super) const ACL: Type = Type(1003);

pub(super) fn relations() -> Vec<System> {
    vec![
        System { name: "pg_namespace", columns: &["oid", "nspname", "nspowner", "nspacl"], rows: namespaces },
        System {
            name: "pg_class",
            columns: &[
                "oid",
                "relname",
                "relnamespace",
                "reltype",
                "reloftype",
                "relowner",
                "relam",
                "relkind",
                "relnatts",
                "relhasindex",
                "relispartition",
                "relrowsecurity",
                "relforcerowsecurity",
                "reltuples",
                "relpages",
                "relpersistence",
                "relreplident",
                "reloptions",
                "relchecks",
                "relhastriggers",
                "relhasrules",
                "relispopulated",
                "relacl",
                "reltablespace",
                "relpartbound",
                "relhassubclass",
            ],
            rows: classes,
        },
        System {
            name: "pg_attribute",
            columns: &[
                "attrelid",
                "attname",
                "atttypid",
                "attlen",
                "attnum",
                "atttypmod",
                "attnotnull",
                "atthasdef",
                "attidentity",
                "attgenerated",
                "attisdropped",
                "attcollation",
                "attndims",
                "attislocal",
                "attacl",
                "attstattarget",
                "attstorage",
                "attcompression",
                "attoptions",
            ],
            rows: attributes,
        },
        System { name: "pg_attrdef", columns: &["oid", "adrelid", "adnum", "adbin"], rows: defaults },
        System {
            name: "pg_type",
            columns: &[
                "oid",
                "typname",
                "typnamespace",
                "typowner",
                "typlen",
                "typtype",
                "typcategory",
                "typispreferred",
                "typrelid",
                "typelem",
                "typarray",
                "typbasetype",
                "typtypmod",
                "typnotnull",
                "typdefault",
                "typcollation",
                "typisdefined",
                "typdelim",
                "typndims",
                "typdefaultbin",
                "typacl",
                "typstorage",
            ],
            rows: types,
        },
        System { name: "pg_enum", columns: &["oid", "enumtypid", "enumsortorder", "enumlabel"], rows: enums },
        System {
            name: "pg_constraint",
            columns: &[
                "oid",
                "conname",
                "connamespace",
                "contype",
                "condeferrable",
                "condeferred",
                "convalidated",
                "conrelid",
                "contypid",
                "conindid",
                "confrelid",
                "confupdtype",
                "confdeltype",
                "confmatchtype",
                "conkey",
                "confkey",
                "confdelsetcols",
                "conbin",
                "conparentid",
                "conislocal",
                "connoinherit",
            ],
            rows: constraints,
        },
        System {
            name: "pg_index",
            columns: &[
                "indexrelid",
                "indrelid",
                "indnatts",
                "indnkeyatts",
                "indisunique",
                "indisprimary",
                "indisexclusion",
                "indisvalid",
                "indisready",
                "indislive",
                "indkey",
                "indpred",
                "indexprs",
                "indisclustered",
                "indisreplident",
                "indimmediate",
                "indnullsnotdistinct",
                "indcollation",
                "indclass",
                "indoption",
            ],
            rows: indexes,
        },
        System {
            name: "pg_proc",
            columns: &[
                "oid",
                "proname",
                "pronamespace",
                "proowner",
                "prolang",
                "prokind",
                "prosecdef",
                "proisstrict",
                "proretset",
                "provolatile",
                "pronargs",
                "pronargdefaults",
                "prorettype",
                "proargtypes",
                "proallargtypes",
                "proargmodes",
                "proargnames",
                "prosrc",
                "proconfig",
                "provariadic",
                "proleakproof",
                "proacl",
                "proparallel",
                "procost",
                "prorows",
                "proargdefaults",
                "prosqlbody",
            ],
            rows: procedures,
        },
        System {
            name: "pg_aggregate",
            columns: &[
                "aggfnoid",
                "aggkind",
                "aggnumdirectargs",
                "aggtransfn",
                "aggfinalfn",
                "aggcombinefn",
                "aggserialfn",
                "aggdeserialfn",
                "aggmtransfn",
                "aggminvtransfn",
                "aggmfinalfn",
                "aggfinalextra",
                "aggmfinalextra",
                "aggfinalmodify",
                "aggmfinalmodify",
                "aggsortop",
                "aggtranstype",
                "aggtransspace",
                "aggmtranstype",
                "aggmtransspace",
                "agginitval",
                "aggminitval",
            ],
            rows: aggregates,
        },
        System { name: "pg_language", columns: &["oid", "lanname", "lanpltrusted"], rows: languages },
        System {
            name: "pg_description",
            columns: &["objoid", "classoid", "objsubid", "description"],
            rows: descriptions,
        },
        System {
            name: "pg_policy",
            columns: &[
                "oid",
                "polname",
                "polrelid",
                "polcmd",
                "polpermissive",
                "polroles",
                "polqual",
                "polwithcheck",
            ],
            rows: policies,
        },
        System {
            name: "pg_policies",
            columns: &[
                "schemaname",
                "tablename",
                "policyname",
                "permissive",
                "roles",
                "cmd",
                "qual",
                "with_check",
            ],
            rows: policy_views,
        },
        System {
            name: "pg_tables",
            columns: &[
                "schemaname",
                "tablename",
                "tableowner",
                "tablespace",
                "hasindexes",
                "hasrules",
                "hastriggers",
                "rowsecurity",
            ],
            rows: tables,
        },
        System {
            name: "pg_views",
            columns: &["schemaname", "viewname", "viewowner", "definition"],
            rows: |c, s| views(c, s, RelationKind::View),
        },
        System {
            name: "pg_matviews",
            columns: &[
                "schemaname",
                "matviewname",
                "matviewowner",
                "definition",
                "ispopulated",
                "hasindexes",
            ],
            rows: |c, s| views(c, s, RelationKind::MaterializedView),
        },
        System {
            name: "pg_indexes",
            columns: &["schemaname", "tablename", "indexname", "tablespace", "indexdef"],
            rows: index_views,
        },
        System {
            name: "pg_extension",
            columns: &["oid", "extname", "extowner", "extnamespace", "extversion", "extrelocatable"],
            rows: extensions,
        },
        System {
            name: "pg_available_extensions",
            columns: &["name", "default_version", "installed_version", "comment"],
            rows: available,
        },
        System {
            name: "pg_available_extension_versions",
            columns: &[
                "name",
                "version",
                "installed",
                "superuser",
                "trusted",
                "relocatable",
                "schema",
                "requires",
                "comment",
            ],
            rows: available_versions,
        },
        System { name: "pg_timezone_names", columns: &["name"], rows: time_zones },
        System {
            name: "pg_partitioned_table",
            columns: &[
                "partrelid",
                "partstrat",
                "partnatts",
                "partdefid",
                "partattrs",
                "partclass",
                "partcollation",
                "partexprs",
            ],
            rows: partitioned,
        },
        System { name: "pg_roles", columns: ROLE_COLUMNS, rows: roles },
        System {
            name: "pg_db_role_setting",
            columns: &["setdatabase", "setrole", "setconfig"],
            rows: session_starts,
        },
        System {
            name: "pg_user",
            columns: &[
                "usename",
                "usesysid",
                "usecreatedb",
                "usesuper",
                "userepl",
                "usebypassrls",
                "valuntil",
            ],
            rows: users,
        },
        System {
            name: "pg_auth_members",
            columns: &["roleid", "member", "grantor", "admin_option"],
            rows: members,
        },
        System {
            name: "pg_sequences",
            columns: &[
                "schemaname",
                "sequencename",
                "sequenceowner",
                "data_type",
                "start_value",
                "min_value",
                "max_value",
                "increment_by",
                "cycle",
                "cache_size",
                // No column of the view; `last_value` is computed by it.
                "oid",
            ],
            rows: sequences,
        },
        System {
            name: "pg_sequence",
            columns: &[
                "seqrelid",
                "seqtypid",
                "seqstart",
                "seqincrement",
                "seqmax",
                "seqmin",
                "seqcache",
                "seqcycle",
            ],
            rows: sequence_rows,
        },
        System {
            name: "pg_trigger",
            columns: &[
                "oid",
                "tgrelid",
                "tgname",
                "tgfoid",
                "tgtype",
                "tgenabled",
                "tgisinternal",
                "tgnargs",
                "tgconstraint",
                "tgconstrrelid",
                "tgdeferrable",
                "tginitdeferred",
                "tgattr",
                "tgqual",
                "tgoldtable",
                "tgnewtable",
                "tgargs",
            ],
            rows: triggers,
        },
        System {
            name: "pg_settings",
            columns: &[
                "name",
                "setting",
                "unit",
                "category",
                "short_desc",
                "extra_desc",
                "context",
                "vartype",
                "source",
                "min_val",
                "max_val",
                "enumvals",
                "boot_val",
                "reset_val",
                "sourcefile",
                "sourceline",
                "pending_restart",
            ],
            rows: settings,
        },
        System {
            name: "pg_database",
            columns: &[
                "oid",
                "datname",
                "datdba",
                "encoding",
                "datcollate",
                "datctype",
                "datistemplate",
                "datallowconn",
                "datacl",
            ],
            rows: |catalog, _| {
                vec![vec![
                    json!(DATABASE_OID),
                    json!(DATABASE),
                    json!(10),
                    json!(6),
                    json!("C.UTF-8"),
                    json!("C.UTF-8"),
                    json!(0),
                    json!(1),
                    super::privileges::shown(&catalog.database_guarded().1),
                ]]
            },
        },
        System {
            name: "pg_publication",
            columns: &[
                "oid",
                "pubname",
                "pubowner",
                "puballtables",
                "pubinsert",
                "pubupdate",
                "pubdelete",
                "pubtruncate",
                "pubviaroot",
            ],
            rows: publications,
        },
        System {
            name: "pg_publication_tables",
            columns: &["pubname", "schemaname", "tablename", "attnames", "rowfilter"],
            rows: publication_tables,
        },
        System {
            name: "pg_am",
            columns: &["oid", "amname", "amtype"],
            rows: |catalog, _| {
                let has_vector = catalog.has_extension("vector");
                METHODS
                    .iter()
                    .filter(|(oid, _)| *oid < 9_000 || has_vector)
                    .map(|(oid, name)| {
                        vec![json!(oid), json!(name), json!(if *name == "heap" { "t" } else { "i" })]
                    })
                    .collect()
            },
        },
        System {
            name: "pg_inherits",
            columns: &["inhrelid", "inhparent", "inhseqno"],
            rows: |catalog, _| {
                let partitions = catalog.relations().filter_map(|relation| {
                    let partition = relation.partition.as_ref()?;
                    Some(vec![json!(relation.oid), json!(partition.parent), json!(1)])
                });
                let indexes = catalog.relations().flat_map(|relation| &relation.indexes);
                let parts =
                    indexes.filter_map(|index| Some(vec![json!(index.oid), json!(index.parent?), json!(1)]));
                partitions.chain(parts).collect()
            },
        },
        System {
            name: "pg_depend",
            columns: &["classid", "objid", "objsubid", "refclassid", "refobjid", "refobjsubid", "deptype"],
            rows: depends,
        },
        System {
            name: "pg_publication_rel",
            columns: &["oid", "prpubid", "prrelid", "prqual", "prattrs"],
            rows: published,
        },
        System {
            name: "pg_publication_namespace",
            columns: &["oid", "pnpubid", "pnnspid"],
            rows: published_schemas,
        },
        System {
            name: "pg_range",
            columns: &[
                "rngtypid",
                "rngsubtype",
                "rngmultitypid",
                "rngcollation",
                "rngsubopc",
                "rngcanonical",
                "rngsubdiff",
            ],
            rows: ranges,
        },
        System {
            name: "pg_collation",
            columns: &[
                "oid",
                "collname",
                "collnamespace",
                "collowner",
                "collprovider",
                "collisdeterministic",
                "collencoding",
                "collcollate",
                "collctype",
                "colliculocale",
            ],
            rows: collations::rows,
        },
        System {
            name: "pg_tablespace",
            columns: &["oid", "spcname"],
            rows: |_, _| vec![vec![json!(1663), json!("pg_default")]],
        },
    ]
}

const ROLE_COLUMNS: &[&str] = &[
    "oid",
    "rolname",
    "rolsuper",
    "rolinherit",
    "rolcreaterole",
    "rolcreatedb",
    "rolcanlogin",
    "rolreplication",
    "rolconnlimit",
    "rolvaliduntil",
    "rolbypassrls",
    "rolconfig",
];

pub(super) fn flag(value: bool) -> Json {
    json!(u8::from(value))
}

/// An array in its SQLite representation.
/// A list that counts from 0.
pub(super) fn vector<T: serde::Serialize>(items: &[T]) -> Json {
    json!(array::with_lower_bounds(&[0], serde_json::to_string(items).unwrap_or_default()))
}

pub(super) fn list<T: serde::Serialize>(items: impl IntoIterator<Item = T>) -> Json {
    json!(serde_json::to_string(&items.into_iter().collect::<Vec<_>>()).unwrap_or_default())
}
