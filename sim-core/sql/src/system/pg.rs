//! `pg_catalog`.

mod classes;
mod cluster;
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
use self::cluster::published;
use self::cluster::roles;
pub(super) use self::cluster::session_starts;
use self::cluster::settings;
use self::cluster::time_zones;
use self::rules::constraints;
use self::rules::depends;
use self::rules::descriptions;
use self::rules::policies;
use self::rules::policy_views;
use self::rules::triggers;
use self::types::enums;
use self::types::procedures;
use self::types::types;
use self::types::{aggregates, languages};
use super::System;
use crate::catalog::{DATABASE, DATABASE_OID, Oid, PG_CATALOG, RelationKind};
use crate::types::Type;
use crate::value::array;

type Rows = Vec<Vec<Json>>;

/// The access methods, with their identifiers.
const METHODS: &[(Oid, &str)] = &[
    (2, "heap"),
    (403, "btree"),
    (405, "hash"),
    (783, "gist"),
    (2742, "gin"),
    (4000, "spgist"),
    (3580, "brin"),
];

const NAMES: Type = Type(1003);
const TEXTS: Type = Type(1009);
/// The type of lists of privileges: like names, they are shown as the text of an array.
pub(super) const ACL: Type = Type(1003);
const SHORTS: Type = Type(1005);
const CHARS: Type = Type(1002);
const OIDS: Type = Type(1028);

pub(super) fn relations() -> Vec<System> {
    use Type as T;
    vec![
        System {
            name: "pg_namespace",
            columns: &[("oid", T::OID), ("nspname", T::NAME), ("nspowner", T::OID), ("nspacl", ACL)],
            rows: namespaces,
        },
        System {
            name: "pg_class",
            columns: &[
                ("oid", T::OID),
                ("relname", T::NAME),
                ("relnamespace", T::OID),
                ("reltype", T::OID),
                ("reloftype", T::OID),
                ("relowner", T::OID),
                ("relam", T::OID),
                ("relkind", T::QCHAR),
                ("relnatts", T::INT2),
                ("relhasindex", T::BOOL),
                ("relispartition", T::BOOL),
                ("relrowsecurity", T::BOOL),
                ("relforcerowsecurity", T::BOOL),
                ("reltuples", T::FLOAT4),
                ("relpages", T::INT4),
                ("relpersistence", T::QCHAR),
                ("relreplident", T::QCHAR),
                ("reloptions", TEXTS),
                ("relchecks", T::INT2),
                ("relhastriggers", T::BOOL),
                ("relhasrules", T::BOOL),
                ("relispopulated", T::BOOL),
                ("relacl", ACL),
                ("reltablespace", T::OID),
                ("relpartbound", T::TEXT),
            ],
            rows: classes,
        },
        System {
            name: "pg_attribute",
            columns: &[
                ("attrelid", T::OID),
                ("attname", T::NAME),
                ("atttypid", T::OID),
                ("attlen", T::INT2),
                ("attnum", T::INT2),
                ("atttypmod", T::INT4),
                ("attnotnull", T::BOOL),
                ("atthasdef", T::BOOL),
                ("attidentity", T::QCHAR),
                ("attgenerated", T::QCHAR),
                ("attisdropped", T::BOOL),
                ("attcollation", T::OID),
                ("attndims", T::INT4),
                ("attislocal", T::BOOL),
                ("attacl", ACL),
                ("attstattarget", T::INT4),
            ],
            rows: attributes,
        },
        System {
            name: "pg_attrdef",
            columns: &[("oid", T::OID), ("adrelid", T::OID), ("adnum", T::INT2), ("adbin", T::NODE_TREE)],
            rows: defaults,
        },
        System {
            name: "pg_type",
            columns: &[
                ("oid", T::OID),
                ("typname", T::NAME),
                ("typnamespace", T::OID),
                ("typowner", T::OID),
                ("typlen", T::INT2),
                ("typtype", T::QCHAR),
                ("typcategory", T::QCHAR),
                ("typispreferred", T::BOOL),
                ("typrelid", T::OID),
                ("typelem", T::OID),
                ("typarray", T::OID),
                ("typbasetype", T::OID),
                ("typtypmod", T::INT4),
                ("typnotnull", T::BOOL),
                ("typdefault", T::TEXT),
                ("typcollation", T::OID),
                ("typisdefined", T::BOOL),
                ("typdelim", T::QCHAR),
                ("typndims", T::INT4),
            ],
            rows: types,
        },
        System {
            name: "pg_enum",
            columns: &[
                ("oid", T::OID),
                ("enumtypid", T::OID),
                ("enumsortorder", T::FLOAT4),
                ("enumlabel", T::NAME),
            ],
            rows: enums,
        },
        System {
            name: "pg_constraint",
            columns: &[
                ("oid", T::OID),
                ("conname", T::NAME),
                ("connamespace", T::OID),
                ("contype", T::QCHAR),
                ("condeferrable", T::BOOL),
                ("condeferred", T::BOOL),
                ("convalidated", T::BOOL),
                ("conrelid", T::OID),
                ("contypid", T::OID),
                ("conindid", T::OID),
                ("confrelid", T::OID),
                ("confupdtype", T::QCHAR),
                ("confdeltype", T::QCHAR),
                ("confmatchtype", T::QCHAR),
                ("conkey", SHORTS),
                ("confkey", SHORTS),
                ("conbin", T::NODE_TREE),
                ("conparentid", T::OID),
                ("conislocal", T::BOOL),
            ],
            rows: constraints,
        },
        System {
            name: "pg_index",
            columns: &[
                ("indexrelid", T::OID),
                ("indrelid", T::OID),
                ("indnatts", T::INT2),
                ("indnkeyatts", T::INT2),
                ("indisunique", T::BOOL),
                ("indisprimary", T::BOOL),
                ("indisexclusion", T::BOOL),
                ("indisvalid", T::BOOL),
                ("indisready", T::BOOL),
                ("indislive", T::BOOL),
                ("indkey", T::INT2VECTOR),
                ("indpred", T::NODE_TREE),
                ("indexprs", T::NODE_TREE),
                ("indisclustered", T::BOOL),
                ("indimmediate", T::BOOL),
            ],
            rows: indexes,
        },
        System {
            name: "pg_proc",
            columns: &[
                ("oid", T::OID),
                ("proname", T::NAME),
                ("pronamespace", T::OID),
                ("proowner", T::OID),
                ("prolang", T::OID),
                ("prokind", T::QCHAR),
                ("prosecdef", T::BOOL),
                ("proisstrict", T::BOOL),
                ("proretset", T::BOOL),
                ("provolatile", T::QCHAR),
                ("pronargs", T::INT2),
                ("pronargdefaults", T::INT2),
                ("prorettype", T::OID),
                ("proargtypes", T::OIDVECTOR),
                ("proallargtypes", OIDS),
                ("proargmodes", CHARS),
                ("proargnames", TEXTS),
                ("prosrc", T::TEXT),
                ("proconfig", TEXTS),
                ("provariadic", T::OID),
                ("proleakproof", T::BOOL),
                ("proacl", ACL),
                ("proparallel", T::QCHAR),
                ("procost", T::FLOAT4),
                ("prorows", T::FLOAT4),
            ],
            rows: procedures,
        },
        System {
            name: "pg_aggregate",
            columns: &[
                ("aggfnoid", T::REGPROC),
                ("aggkind", T::QCHAR),
                ("aggnumdirectargs", T::INT2),
                ("aggtransfn", T::REGPROC),
                ("aggfinalfn", T::REGPROC),
                ("aggcombinefn", T::REGPROC),
                ("aggserialfn", T::REGPROC),
                ("aggdeserialfn", T::REGPROC),
                ("aggmtransfn", T::REGPROC),
                ("aggminvtransfn", T::REGPROC),
                ("aggmfinalfn", T::REGPROC),
                ("aggfinalextra", T::BOOL),
                ("aggmfinalextra", T::BOOL),
                ("aggfinalmodify", T::QCHAR),
                ("aggmfinalmodify", T::QCHAR),
                ("aggsortop", T::OID),
                ("aggtranstype", T::OID),
                ("aggtransspace", T::INT4),
                ("aggmtranstype", T::OID),
                ("aggmtransspace", T::INT4),
                ("agginitval", T::TEXT),
                ("aggminitval", T::TEXT),
            ],
            rows: aggregates,
        },
        System {
            name: "pg_language",
            columns: &[("oid", T::OID), ("lanname", T::NAME), ("lanpltrusted", T::BOOL)],
            rows: languages,
        },
        System {
            name: "pg_description",
            columns: &[
                ("objoid", T::OID),
                ("classoid", T::OID),
                ("objsubid", T::INT4),
                ("description", T::TEXT),
            ],
            rows: descriptions,
        },
        System {
            name: "pg_policy",
            columns: &[
                ("oid", T::OID),
                ("polname", T::NAME),
                ("polrelid", T::OID),
                ("polcmd", T::QCHAR),
                ("polpermissive", T::BOOL),
                ("polroles", OIDS),
                ("polqual", T::NODE_TREE),
                ("polwithcheck", T::NODE_TREE),
            ],
            rows: policies,
        },
        System {
            name: "pg_policies",
            columns: &[
                ("schemaname", T::NAME),
                ("tablename", T::NAME),
                ("policyname", T::NAME),
                ("permissive", T::TEXT),
                ("roles", NAMES),
                ("cmd", T::TEXT),
                ("qual", T::TEXT),
                ("with_check", T::TEXT),
            ],
            rows: policy_views,
        },
        System {
            name: "pg_tables",
            columns: &[
                ("schemaname", T::NAME),
                ("tablename", T::NAME),
                ("tableowner", T::NAME),
                ("tablespace", T::NAME),
                ("hasindexes", T::BOOL),
                ("hasrules", T::BOOL),
                ("hastriggers", T::BOOL),
                ("rowsecurity", T::BOOL),
            ],
            rows: tables,
        },
        System {
            name: "pg_views",
            columns: &[
                ("schemaname", T::NAME),
                ("viewname", T::NAME),
                ("viewowner", T::NAME),
                ("definition", T::TEXT),
            ],
            rows: |c, _| views(c, RelationKind::View),
        },
        System {
            name: "pg_matviews",
            columns: &[
                ("schemaname", T::NAME),
                ("matviewname", T::NAME),
                ("matviewowner", T::NAME),
                ("definition", T::TEXT),
                ("ispopulated", T::BOOL),
                ("hasindexes", T::BOOL),
            ],
            rows: |c, _| views(c, RelationKind::MaterializedView),
        },
        System {
            name: "pg_indexes",
            columns: &[
                ("schemaname", T::NAME),
                ("tablename", T::NAME),
                ("indexname", T::NAME),
                ("tablespace", T::NAME),
                ("indexdef", T::TEXT),
            ],
            rows: index_views,
        },
        System {
            name: "pg_extension",
            columns: &[
                ("oid", T::OID),
                ("extname", T::NAME),
                ("extowner", T::OID),
                ("extnamespace", T::OID),
                ("extversion", T::TEXT),
                ("extrelocatable", T::BOOL),
            ],
            rows: extensions,
        },
        System {
            name: "pg_available_extensions",
            columns: &[
                ("name", T::NAME),
                ("default_version", T::TEXT),
                ("installed_version", T::TEXT),
                ("comment", T::TEXT),
            ],
            rows: available,
        },
        System {
            name: "pg_available_extension_versions",
            columns: &[
                ("name", T::NAME),
                ("version", T::TEXT),
                ("installed", T::BOOL),
                ("superuser", T::BOOL),
                ("trusted", T::BOOL),
                ("relocatable", T::BOOL),
                ("schema", T::NAME),
                ("requires", NAMES),
                ("comment", T::TEXT),
            ],
            rows: available_versions,
        },
        System { name: "pg_timezone_names", columns: &[("name", T::TEXT)], rows: time_zones },
        System {
            name: "pg_partitioned_table",
            columns: &[
                ("partrelid", T::OID),
                ("partstrat", T::QCHAR),
                ("partnatts", T::INT2),
                ("partdefid", T::OID),
                ("partattrs", T::INT2VECTOR),
                ("partclass", T::OIDVECTOR),
                ("partcollation", T::OIDVECTOR),
                ("partexprs", T::NODE_TREE),
            ],
            rows: partitioned,
        },
        System { name: "pg_roles", columns: ROLE_COLUMNS, rows: roles },
        System { name: "pg_authid", columns: ROLE_COLUMNS, rows: roles },
        System {
            name: "pg_user",
            columns: &[("usename", T::NAME), ("usesysid", T::OID), ("usesuper", T::BOOL)],
            rows: |catalog, _| {
                let users = catalog.roles().filter(|(_, role)| role.login);
                users.map(|(oid, role)| vec![json!(role.name), json!(oid), flag(role.superuser)]).collect()
            },
        },
        System {
            name: "pg_auth_members",
            columns: &[
                ("roleid", T::OID),
                ("member", T::OID),
                ("grantor", T::OID),
                ("admin_option", T::BOOL),
            ],
            rows: members,
        },
        System {
            name: "pg_sequences",
            columns: &[
                ("schemaname", T::NAME),
                ("sequencename", T::NAME),
                ("sequenceowner", T::NAME),
                ("data_type", T::REGTYPE),
                ("start_value", T::INT8),
                ("min_value", T::INT8),
                ("max_value", T::INT8),
                ("increment_by", T::INT8),
                ("cycle", T::BOOL),
                ("cache_size", T::INT8),
            ],
            rows: sequences,
        },
        System {
            name: "pg_sequence",
            columns: &[
                ("seqrelid", T::OID),
                ("seqtypid", T::OID),
                ("seqstart", T::INT8),
                ("seqincrement", T::INT8),
                ("seqmax", T::INT8),
                ("seqmin", T::INT8),
                ("seqcache", T::INT8),
                ("seqcycle", T::BOOL),
            ],
            rows: sequence_rows,
        },
        System {
            name: "pg_trigger",
            columns: &[
                ("oid", T::OID),
                ("tgrelid", T::OID),
                ("tgname", T::NAME),
                ("tgfoid", T::OID),
                ("tgtype", T::INT2),
                ("tgenabled", T::QCHAR),
                ("tgisinternal", T::BOOL),
                ("tgnargs", T::INT2),
                ("tgconstraint", T::OID),
                ("tgconstrrelid", T::OID),
                ("tgdeferrable", T::BOOL),
                ("tginitdeferred", T::BOOL),
                ("tgattr", T::INT2VECTOR),
                ("tgqual", T::NODE_TREE),
                ("tgoldtable", T::NAME),
                ("tgnewtable", T::NAME),
                ("tgargs", T::BYTEA),
            ],
            rows: triggers,
        },
        System {
            name: "pg_settings",
            columns: &[
                ("name", T::TEXT),
                ("setting", T::TEXT),
                ("unit", T::TEXT),
                ("category", T::TEXT),
                ("short_desc", T::TEXT),
                ("extra_desc", T::TEXT),
                ("context", T::TEXT),
                ("vartype", T::TEXT),
                ("source", T::TEXT),
                ("min_val", T::TEXT),
                ("max_val", T::TEXT),
                ("enumvals", TEXTS),
                ("boot_val", T::TEXT),
                ("reset_val", T::TEXT),
                ("sourcefile", T::TEXT),
                ("sourceline", T::INT4),
                ("pending_restart", T::BOOL),
            ],
            rows: settings,
        },
        System {
            name: "pg_database",
            columns: &[
                ("oid", T::OID),
                ("datname", T::NAME),
                ("datdba", T::OID),
                ("encoding", T::INT4),
                ("datcollate", T::NAME),
                ("datctype", T::NAME),
                ("datistemplate", T::BOOL),
                ("datallowconn", T::BOOL),
            ],
            rows: |_, _| {
                vec![vec![
                    json!(DATABASE_OID),
                    json!(DATABASE),
                    json!(10),
                    json!(6),
                    json!("C.UTF-8"),
                    json!("C.UTF-8"),
                    json!(0),
                    json!(1),
                ]]
            },
        },
        System {
            name: "pg_publication",
            columns: &[
                ("oid", T::OID),
                ("pubname", T::NAME),
                ("pubowner", T::OID),
                ("puballtables", T::BOOL),
                ("pubinsert", T::BOOL),
                ("pubupdate", T::BOOL),
                ("pubdelete", T::BOOL),
                ("pubtruncate", T::BOOL),
                ("pubviaroot", T::BOOL),
            ],
            rows: publications,
        },
        System {
            name: "pg_publication_tables",
            columns: &[
                ("pubname", T::NAME),
                ("schemaname", T::NAME),
                ("tablename", T::NAME),
                ("attnames", NAMES),
                ("rowfilter", T::TEXT),
            ],
            rows: publication_tables,
        },
        System {
            name: "pg_am",
            columns: &[("oid", T::OID), ("amname", T::NAME), ("amtype", T::QCHAR)],
            rows: |_, _| {
                METHODS
                    .iter()
                    .map(|(oid, name)| {
                        vec![json!(oid), json!(name), json!(if *name == "heap" { "t" } else { "i" })]
                    })
                    .collect()
            },
        },
        System {
            name: "pg_inherits",
            columns: &[("inhrelid", T::OID), ("inhparent", T::OID), ("inhseqno", T::INT4)],
            rows: |catalog, _| {
                let partitions = catalog.relations().filter_map(|relation| {
                    let partition = relation.partition.as_ref()?;
                    Some(vec![json!(relation.oid), json!(partition.parent), json!(1)])
                });
                partitions.collect()
            },
        },
        System {
            name: "pg_depend",
            columns: &[
                ("classid", T::OID),
                ("objid", T::OID),
                ("objsubid", T::INT4),
                ("refclassid", T::OID),
                ("refobjid", T::OID),
                ("refobjsubid", T::INT4),
                ("deptype", T::QCHAR),
            ],
            rows: depends,
        },
        System {
            name: "pg_publication_rel",
            columns: &[
                ("oid", T::OID),
                ("prpubid", T::OID),
                ("prrelid", T::OID),
                ("prqual", T::NODE_TREE),
                ("prattrs", T::INT2VECTOR),
            ],
            rows: published,
        },
        System {
            name: "pg_range",
            columns: &[("rngtypid", T::OID), ("rngsubtype", T::OID)],
            rows: |_, _| Vec::new(),
        },
        System {
            name: "pg_collation",
            columns: &[("oid", T::OID), ("collname", T::NAME), ("collnamespace", T::OID)],
            rows: |_, _| {
                vec![
                    vec![json!(100), json!("default"), json!(PG_CATALOG)],
                    vec![json!(950), json!("C"), json!(PG_CATALOG)],
                ]
            },
        },
        System {
            name: "pg_tablespace",
            columns: &[("oid", T::OID), ("spcname", T::NAME)],
            rows: |_, _| vec![vec![json!(1663), json!("pg_default")]],
        },
        System {
            name: "pg_locks",
            columns: &[("pid", T::INT4), ("mode", T::TEXT), ("granted", T::BOOL)],
            rows: |_, _| Vec::new(),
        },
    ]
}

const ROLE_COLUMNS: &[(&str, Type)] = &[
    ("oid", Type::OID),
    ("rolname", Type::NAME),
    ("rolsuper", Type::BOOL),
    ("rolinherit", Type::BOOL),
    ("rolcreaterole", Type::BOOL),
    ("rolcreatedb", Type::BOOL),
    ("rolcanlogin", Type::BOOL),
    ("rolreplication", Type::BOOL),
    ("rolconnlimit", Type::INT4),
    ("rolvaliduntil", Type::TIMESTAMPTZ),
    ("rolbypassrls", Type::BOOL),
    ("rolconfig", TEXTS),
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
