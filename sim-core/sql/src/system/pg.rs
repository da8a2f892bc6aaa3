//! `pg_catalog`.

use serde_json::{Value as Json, json};

use super::System;
use super::privileges::shown;
use crate::bind::Settings;
use crate::catalog::{
    Action, Catalog, ConstraintKind, INFORMATION_SCHEMA, Identity, Index, Oid, PG_CATALOG, Relation,
    RelationKind, TypeDefinition,
};
use crate::describe;
use crate::functions::{self, Kind};
use crate::types::{BUILTINS, Type};

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
                ("proargtypes", OIDS),
                ("proallargtypes", OIDS),
                ("proargmodes", CHARS),
                ("proargnames", TEXTS),
                ("prosrc", T::TEXT),
                ("proconfig", TEXTS),
                ("provariadic", T::OID),
                ("proleakproof", T::BOOL),
                ("proacl", ACL),
            ],
            rows: procedures,
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
            columns: &[("roleid", T::OID), ("member", T::OID), ("admin_option", T::BOOL)],
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
                ("tgparentid", T::OID),
                ("tgconstraint", T::OID),
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
                ("context", T::TEXT),
                ("vartype", T::TEXT),
                ("source", T::TEXT),
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
                    json!(5),
                    json!("postgres"),
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
            ],
            rows: publications,
        },
        System {
            name: "pg_publication_tables",
            columns: &[("pubname", T::NAME), ("schemaname", T::NAME), ("tablename", T::NAME)],
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
            rows: |_, _| Vec::new(),
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
            name: "pg_stat_activity",
            columns: &[
                ("pid", T::INT4),
                ("datname", T::NAME),
                ("usename", T::NAME),
                ("state", T::TEXT),
                ("query", T::TEXT),
            ],
            rows: |_, _| Vec::new(),
        },
        System {
            name: "pg_stat_user_tables",
            columns: &[
                ("relid", T::OID),
                ("schemaname", T::NAME),
                ("relname", T::NAME),
                ("n_live_tup", T::INT8),
                ("n_dead_tup", T::INT8),
            ],
            rows: table_statistics,
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
pub(super) fn list<T: serde::Serialize>(items: impl IntoIterator<Item = T>) -> Json {
    json!(serde_json::to_string(&items.into_iter().collect::<Vec<_>>()).unwrap_or_default())
}

fn namespaces(catalog: &Catalog, _: &Settings) -> Rows {
    let system = [(PG_CATALOG, "pg_catalog"), (INFORMATION_SCHEMA, "information_schema")];
    let system = system.map(|(oid, name)| vec![json!(oid), json!(name), json!(10), Json::Null]);
    let own = catalog.schemas().map(|(oid, schema)| {
        let owner = describe::role_oid(catalog, &schema.owner);
        vec![json!(oid), json!(schema.name), json!(owner), shown(&schema.acl)]
    });
    own.chain(system).collect()
}

fn kind(relation: &Relation) -> &'static str {
    match relation.kind {
        RelationKind::Table => "r",
        RelationKind::View => "v",
        RelationKind::MaterializedView => "m",
        RelationKind::Sequence => "S",
        RelationKind::Foreign => "f",
    }
}

fn classes(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        let checks =
            relation.constraints.iter().filter(|c| matches!(c.kind, ConstraintKind::Check { .. })).count();
        let options = if relation.options.is_empty() { Json::Null } else { list(&relation.options) };
        rows.push(vec![
            json!(relation.oid),
            json!(relation.name),
            json!(relation.schema),
            json!(catalog.row_type(relation.oid).map_or(0, |t| t.0)),
            json!(0),
            json!(describe::role_oid(catalog, &relation.owner)),
            json!(if relation.is_stored() { 2 } else { 0 }),
            json!(kind(relation)),
            json!(relation.columns.len()),
            flag(!relation.indexes.is_empty()),
            flag(false),
            flag(relation.row_security),
            flag(relation.force_row_security),
            json!(-1.0),
            json!(0),
            json!(if Some(relation.schema) == catalog.temporary() { "t" } else { "p" }),
            json!(relation.replica_identity.to_string()),
            options,
            json!(checks),
            flag(!relation.triggers.is_empty()),
            flag(relation.kind == RelationKind::View || !relation.rules.is_empty()),
            flag(true),
            shown(&relation.acl),
            json!(0),
            Json::Null,
        ]);
        for index in &relation.indexes {
            let method = METHODS.iter().find(|(_, name)| *name == index.method).map_or(0, |(oid, _)| *oid);
            rows.push(vec![
                json!(index.oid),
                json!(index.name),
                json!(relation.schema),
                json!(0),
                json!(0),
                json!(10),
                json!(method),
                json!("i"),
                json!(index.keys.len() + index.include.len()),
                flag(false),
                flag(false),
                flag(false),
                flag(false),
                json!(0.0),
                json!(1),
                json!("p"),
                json!("n"),
                Json::Null,
                json!(0),
                flag(false),
                flag(false),
                flag(true),
                Json::Null,
                json!(0),
                Json::Null,
            ]);
        }
    }
    for system in super::ALL.iter() {
        let schema = if system.name.contains('.') { INFORMATION_SCHEMA } else { PG_CATALOG };
        let view = system.name.contains('.') || system.name.ends_with('s') && system.name != "pg_class";
        rows.push(vec![
            json!(system.oid()),
            json!(system.short_name()),
            json!(schema),
            json!(0),
            json!(0),
            json!(10),
            json!(0),
            json!(if view { "v" } else { "r" }),
            json!(system.columns.len()),
            flag(false),
            flag(false),
            flag(false),
            flag(false),
            json!(-1.0),
            json!(0),
            json!("p"),
            json!("n"),
            Json::Null,
            json!(0),
            flag(false),
            flag(false),
            flag(true),
            Json::Null,
            json!(0),
            Json::Null,
        ]);
    }
    rows
}

fn length(type_: Type) -> i16 {
    type_.builtin().map_or(if type_.element().is_some() { -1 } else { 4 }, |builtin| builtin.length)
}

fn attributes(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for column in &relation.columns {
            let identity = match column.identity {
                Some(Identity::Always) => "a",
                Some(Identity::ByDefault) => "d",
                None => "",
            };
            let text = column.type_.base.is_string();
            rows.push(vec![
                json!(relation.oid),
                json!(column.name),
                json!(column.type_.base.0),
                json!(length(column.type_.base)),
                json!(column.number),
                json!(column.type_.modifier),
                flag(column.not_null),
                flag(column.default.is_some() || column.generated.is_some()),
                json!(identity),
                json!(if column.generated.is_some() { "s" } else { "" }),
                flag(false),
                json!(if text { 100 } else { 0 }),
                json!(u8::from(column.type_.base.element().is_some())),
                flag(true),
                shown(&column.acl),
                json!(-1),
            ]);
        }
        for index in &relation.indexes {
            for (number, key) in index.keys.iter().enumerate() {
                let column = key.column.and_then(|number| relation.column_number(number));
                let type_ = column.map_or(Type::TEXT, |column| column.type_.base);
                rows.push(vec![
                    json!(index.oid),
                    json!(column.map_or("expr", |column| &column.name)),
                    json!(type_.0),
                    json!(length(type_)),
                    json!(number + 1),
                    json!(-1),
                    flag(false),
                    flag(false),
                    json!(""),
                    json!(""),
                    flag(false),
                    json!(0),
                    json!(0),
                    flag(true),
                    Json::Null,
                    json!(-1),
                ]);
            }
        }
    }
    for (oid, user_type) in catalog.types() {
        if let TypeDefinition::Composite { attributes } = &user_type.definition {
            for (number, attribute) in attributes.iter().enumerate() {
                rows.push(vec![
                    json!(oid),
                    json!(attribute.name),
                    json!(attribute.type_.base.0),
                    json!(length(attribute.type_.base)),
                    json!(number + 1),
                    json!(attribute.type_.modifier),
                    flag(false),
                    flag(false),
                    json!(""),
                    json!(""),
                    flag(false),
                    json!(0),
                    json!(0),
                    flag(true),
                    Json::Null,
                    json!(-1),
                ]);
            }
        }
    }
    rows
}

fn defaults(catalog: &Catalog, _: &Settings) -> Rows {
    let columns = catalog
        .relations()
        .flat_map(|relation| relation.columns.iter().map(move |column| (relation, column)));
    columns
        .filter_map(|(relation, column)| {
            let text = column.generated.as_ref().or(column.default.as_ref())?;
            let oid = relation.oid * 1_000 + column.number;
            Some(vec![json!(oid), json!(relation.oid), json!(column.number), json!(text)])
        })
        .collect()
}

fn types(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |oid: u32, name: String, schema: Oid, kind: &str, category: char, element: u32, array: u32| {
        vec![
            json!(oid),
            json!(name),
            json!(schema),
            json!(10),
            json!(length(Type(oid))),
            json!(kind),
            json!(category.to_string()),
            flag(Type(oid).is_preferred()),
            json!(0),
            json!(element),
            json!(array),
            json!(0),
            json!(-1),
            flag(false),
            Json::Null,
            json!(0),
            flag(true),
            json!(","),
            json!(0),
        ]
    };
    let mut rows = Rows::new();
    for builtin in BUILTINS.iter().filter(|builtin| builtin.id.0 < 9000) {
        let kind = match builtin.category {
            'P' => "p",
            'R' if builtin.name.ends_with("multirange") => "m",
            'R' => "r",
            _ => "b",
        };
        rows.push(row(
            builtin.id.0,
            builtin.name.to_owned(),
            PG_CATALOG,
            kind,
            builtin.category,
            0,
            builtin.array,
        ));
        if builtin.array != 0 {
            rows.push(row(
                builtin.array,
                format!("_{}", builtin.name),
                PG_CATALOG,
                "b",
                'A',
                builtin.id.0,
                0,
            ));
        }
    }
    for (oid, user_type) in catalog.types() {
        let (kind, category) = match &user_type.definition {
            TypeDefinition::Enum { .. } => ("e", 'E'),
            TypeDefinition::Composite { .. } | TypeDefinition::Row { .. } => ("c", 'C'),
            TypeDefinition::Domain { base, .. } => ("d", base.base.category()),
        };
        let mut own = row(oid, user_type.name.clone(), user_type.schema, kind, category, 0, oid + 1);
        match &user_type.definition {
            TypeDefinition::Row { relation } => own[8] = json!(relation),
            TypeDefinition::Composite { .. } => own[8] = json!(oid),
            TypeDefinition::Domain { base, not_null, default, .. } => {
                own[11] = json!(base.base.0);
                own[12] = json!(base.modifier);
                own[13] = flag(*not_null);
                own[14] = json!(default);
            }
            TypeDefinition::Enum { .. } => {}
        }
        rows.push(own);
        rows.push(row(oid + 1, format!("_{}", user_type.name), user_type.schema, "b", 'A', oid, 0));
    }
    rows
}

fn enums(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (oid, user_type) in catalog.types() {
        if let TypeDefinition::Enum { labels } = &user_type.definition {
            for (index, label) in labels.iter().enumerate() {
                rows.push(vec![
                    json!(oid * 1_000 + index as u32),
                    json!(oid),
                    json!(index as f64 + 1.0),
                    json!(label),
                ]);
            }
        }
    }
    rows
}

fn action(action: Action) -> &'static str {
    match action {
        Action::NoAction => "a",
        Action::Restrict => "r",
        Action::Cascade => "c",
        Action::SetNull => "n",
        Action::SetDefault => "d",
    }
}

fn constraints(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for constraint in &relation.constraints {
            let (kind, index, table, on_update, on_delete, referenced, text) = match &constraint.kind {
                ConstraintKind::Primary { index } => ("p", *index, 0, " ", " ", Json::Null, Json::Null),
                ConstraintKind::Unique { index } => ("u", *index, 0, " ", " ", Json::Null, Json::Null),
                ConstraintKind::Exclude { index, .. } => ("x", *index, 0, " ", " ", Json::Null, Json::Null),
                ConstraintKind::Check { expression } => ("c", 0, 0, " ", " ", Json::Null, json!(expression)),
                ConstraintKind::Foreign { table, columns, on_delete, on_update, .. } => {
                    ("f", 0, *table, action(*on_update), action(*on_delete), list(columns), Json::Null)
                }
            };
            rows.push(vec![
                json!(constraint.oid),
                json!(constraint.name),
                json!(relation.schema),
                json!(kind),
                flag(constraint.deferrable),
                flag(constraint.deferred),
                flag(constraint.validated),
                json!(relation.oid),
                json!(0),
                json!(index),
                json!(table),
                json!(on_update),
                json!(on_delete),
                json!(if kind == "f" { "s" } else { " " }),
                list(&constraint.columns),
                referenced,
                text,
                json!(0),
                flag(true),
            ]);
        }
    }
    rows
}

fn is_primary(relation: &Relation, index: &Index) -> bool {
    relation
        .constraints
        .iter()
        .any(|constraint| matches!(constraint.kind, ConstraintKind::Primary { index: of } if of == index.oid))
}

fn is_exclusion(relation: &Relation, index: &Index) -> bool {
    relation.constraints.iter().any(
        |constraint| matches!(constraint.kind, ConstraintKind::Exclude { index: of, .. } if of == index.oid),
    )
}

fn all_indexes(catalog: &Catalog) -> impl Iterator<Item = (&Relation, &Index)> {
    catalog.relations().flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)))
}

fn indexes(catalog: &Catalog, _: &Settings) -> Rows {
    all_indexes(catalog)
        .map(|(relation, index)| {
            let keys = index.keys.iter().map(|key| key.column.unwrap_or(0).to_string());
            let keys: Vec<String> = keys.chain(index.include.iter().map(ToString::to_string)).collect();
            let expressions: Vec<&str> =
                index.keys.iter().filter_map(|key| key.expression.as_deref()).collect();
            vec![
                json!(index.oid),
                json!(relation.oid),
                json!(index.keys.len() + index.include.len()),
                json!(index.keys.len()),
                flag(index.unique),
                flag(is_primary(relation, index)),
                flag(is_exclusion(relation, index)),
                flag(true),
                flag(true),
                flag(true),
                json!(keys.join(" ")),
                json!(index.predicate),
                if expressions.is_empty() { Json::Null } else { json!(expressions.join(", ")) },
                flag(false),
                flag(true),
            ]
        })
        .collect()
}

fn procedures(catalog: &Catalog, settings: &Settings) -> Rows {
    own_procedures(catalog, settings).into_iter().chain(builtin_procedures()).collect()
}

/// The built-in functions, one row for each overload.
fn builtin_procedures() -> Rows {
    let named = functions::all().enumerate().filter(|(_, function)| {
        function.name.starts_with(|c: char| c.is_ascii_lowercase()) && !function.name.contains('.')
    });
    named
        .map(|(index, function)| {
            let inputs: Vec<u32> = function.arguments.iter().map(|type_| type_.0).collect();
            let kind = match function.kind {
                Kind::Aggregate { .. } => "a",
                Kind::Window => "w",
                Kind::Scalar | Kind::Set { .. } => "f",
            };
            let volatility = if function.volatile { "v" } else { "i" };
            vec![
                json!(6_000 + index),
                json!(function.name),
                json!(PG_CATALOG),
                json!(10),
                json!(12),
                json!(kind),
                flag(false),
                flag(function.strict),
                flag(matches!(function.kind, Kind::Set { .. })),
                json!(volatility),
                json!(inputs.len()),
                json!(0),
                json!(function.returns.0),
                list(&inputs),
                Json::Null,
                Json::Null,
                Json::Null,
                json!(function.name),
                Json::Null,
                json!(0),
                flag(false),
                Json::Null,
            ]
        })
        .collect()
}

fn own_procedures(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .routines()
        .map(|(oid, routine)| {
            let inputs: Vec<u32> = routine.inputs().map(|argument| argument.type_.0).collect();
            let plain = routine.arguments.iter().all(|argument| argument.mode == 'i');
            let named = routine.arguments.iter().any(|argument| argument.name.is_some());
            let language = match routine.language.as_str() {
                "internal" => 12,
                "c" => 13,
                "sql" => 14,
                _ => 13_600,
            };
            let defaults = routine.inputs().filter(|argument| argument.default.is_some()).count();
            vec![
                json!(oid),
                json!(routine.name),
                json!(routine.schema),
                json!(describe::role_oid(catalog, &routine.owner)),
                json!(language),
                json!(if routine.procedure { "p" } else { "f" }),
                flag(routine.security_definer),
                flag(routine.strict),
                flag(routine.returns_set),
                json!(routine.volatility.to_string()),
                json!(inputs.len()),
                json!(defaults),
                json!(routine.returns.0),
                list(&inputs),
                if plain {
                    Json::Null
                } else {
                    list(routine.arguments.iter().map(|argument| argument.type_.0))
                },
                if plain {
                    Json::Null
                } else {
                    list(routine.arguments.iter().map(|argument| argument.mode.to_string()))
                },
                if named {
                    list(routine.arguments.iter().map(|argument| argument.name.clone().unwrap_or_default()))
                } else {
                    Json::Null
                },
                json!(routine.body),
                if routine.settings.is_empty() {
                    Json::Null
                } else {
                    list(routine.settings.iter().map(|setting| setting.replacen(" TO ", "=", 1)))
                },
                json!(0),
                flag(false),
                shown(&routine.acl),
            ]
        })
        .collect()
}

fn languages(_: &Catalog, _: &Settings) -> Rows {
    let languages = [(12, "internal"), (13, "c"), (14, "sql"), (13_600, "plpgsql")];
    languages.into_iter().map(|(oid, name)| vec![json!(oid), json!(name), flag(oid > 13)]).collect()
}

fn descriptions(catalog: &Catalog, _: &Settings) -> Rows {
    let class = |name: &str| super::find(None, name).map_or(0, System::oid);
    let comments = describe::comments(catalog).into_iter();
    comments
        .map(|comment| {
            vec![
                json!(comment.object),
                json!(class(comment.class)),
                json!(comment.column),
                json!(comment.text),
            ]
        })
        .collect()
}

fn policies(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for policy in &relation.policies {
            let command = match policy.command.as_str() {
                "SELECT" => "r",
                "INSERT" => "a",
                "UPDATE" => "w",
                "DELETE" => "d",
                _ => "*",
            };
            let roles = policy.roles.iter().map(|role| describe::role_oid(catalog, role));
            rows.push(vec![
                json!(policy.oid),
                json!(policy.name),
                json!(relation.oid),
                json!(command),
                flag(policy.permissive),
                list(roles),
                json!(policy.using),
                json!(policy.check),
            ]);
        }
    }
    rows
}

fn policy_views(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for policy in &relation.policies {
            rows.push(vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(policy.name),
                json!(if policy.permissive { "PERMISSIVE" } else { "RESTRICTIVE" }),
                list(&policy.roles),
                json!(policy.command),
                json!(policy.using),
                json!(policy.check),
            ]);
        }
    }
    rows
}

fn tables(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter(|relation| relation.kind == RelationKind::Table)
        .map(|relation| {
            vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(relation.owner),
                Json::Null,
                flag(!relation.indexes.is_empty()),
                flag(false),
                flag(!relation.triggers.is_empty()),
                flag(relation.row_security),
            ]
        })
        .collect()
}

/// No statistics are collected, so the values are those of a server that has just been reset.
fn table_statistics(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter(|relation| relation.is_stored())
        .map(|relation| {
            let schema = catalog.schema_name(relation.schema);
            vec![json!(relation.oid), json!(schema), json!(relation.name), json!(0), json!(0)]
        })
        .collect()
}

fn views(catalog: &Catalog, kind: RelationKind) -> Rows {
    catalog
        .relations()
        .filter(|relation| relation.kind == kind)
        .map(|relation| {
            let definition = relation.definition.as_ref().map(|text| format!(" {text};"));
            let mut row = vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(relation.owner),
                json!(definition),
            ];
            if kind == RelationKind::MaterializedView {
                row.extend([flag(true), flag(!relation.indexes.is_empty())]);
            }
            row
        })
        .collect()
}

fn index_views(catalog: &Catalog, _: &Settings) -> Rows {
    all_indexes(catalog)
        .map(|(relation, index)| {
            vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(index.name),
                Json::Null,
                json!(describe::index(catalog, relation, index)),
            ]
        })
        .collect()
}

fn extensions(catalog: &Catalog, _: &Settings) -> Rows {
    let builtin =
        vec![json!(13_500), json!("plpgsql"), json!(10), json!(PG_CATALOG), json!("1.0"), flag(false)];
    let own = catalog.extensions().map(|(oid, extension)| {
        vec![
            json!(oid),
            json!(extension.name),
            json!(10),
            json!(extension.schema),
            json!(extension.version),
            flag(true),
        ]
    });
    std::iter::once(builtin).chain(own).collect()
}

fn available(catalog: &Catalog, _: &Settings) -> Rows {
    crate::ddl::KNOWN_EXTENSIONS
        .iter()
        .map(|crate::ddl::KnownExtension { name, version, .. }| {
            let installed = catalog
                .extensions()
                .find(|(_, extension)| extension.name == *name)
                .map(|(_, extension)| &extension.version);
            vec![json!(name), json!(version), json!(installed), Json::Null]
        })
        .collect()
}

fn roles(catalog: &Catalog, _: &Settings) -> Rows {
    let roles = catalog.roles();
    roles
        .map(|(oid, role)| {
            vec![
                json!(oid),
                json!(role.name),
                flag(role.superuser),
                flag(role.inherit),
                flag(role.create_role),
                flag(role.create_database),
                flag(role.login),
                flag(role.replication),
                json!(-1),
                Json::Null,
                flag(role.bypasses_row_security),
                Json::Null,
            ]
        })
        .collect()
}

fn members(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (member, role) in catalog.roles() {
        for group in &role.member_of {
            rows.push(vec![json!(describe::role_oid(catalog, group)), json!(member), flag(false)]);
        }
    }
    rows
}

fn sequences(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter_map(|relation| {
            let options = relation.sequence.as_ref()?;
            Some(vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(relation.owner),
                json!(options.type_.0),
                json!(options.start),
                json!(options.minimum),
                json!(options.maximum),
                json!(options.increment),
                flag(options.cycle),
                json!(options.cache),
            ])
        })
        .collect()
}

fn sequence_rows(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter_map(|relation| {
            let options = relation.sequence.as_ref()?;
            Some(vec![
                json!(relation.oid),
                json!(options.type_.0),
                json!(options.start),
                json!(options.increment),
                json!(options.maximum),
                json!(options.minimum),
                json!(options.cache),
                flag(options.cycle),
            ])
        })
        .collect()
}

fn triggers(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for trigger in &relation.triggers {
            let event =
                |name: &str, bit: u8| if trigger.events.iter().any(|event| event == name) { bit } else { 0 };
            let timing = match trigger.timing.as_str() {
                "BEFORE" => 2,
                "INSTEAD OF" => 64,
                _ => 0,
            };
            let bits = u8::from(trigger.for_each_row)
                | timing
                | event("INSERT", 4)
                | event("DELETE", 8)
                | event("UPDATE", 16)
                | event("TRUNCATE", 32);
            rows.push(vec![
                json!(trigger.oid),
                json!(relation.oid),
                json!(trigger.name),
                json!(trigger.function),
                json!(bits),
                json!(trigger.enabled.to_string()),
                flag(false),
                json!(trigger.arguments.len()),
                json!(0),
                json!(0),
            ]);
        }
    }
    rows
}

fn settings(_: &Catalog, settings: &Settings) -> Rows {
    super::SETTINGS
        .iter()
        .map(|(name, _)| {
            let value = describe::setting(settings, name);
            vec![
                json!(name),
                json!(value),
                Json::Null,
                json!(""),
                json!(""),
                json!("user"),
                json!("string"),
                json!("default"),
            ]
        })
        .collect()
}

fn publications(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .publications()
        .map(|(oid, publication)| {
            vec![
                json!(oid),
                json!(publication.name),
                json!(10),
                flag(publication.all_tables),
                flag(true),
                flag(true),
                flag(true),
                flag(true),
            ]
        })
        .collect()
}

fn publication_tables(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (_, publication) in catalog.publications() {
        for relation in catalog.relations().filter(|relation| relation.kind == RelationKind::Table) {
            if publication.all_tables || publication.tables.contains(&relation.oid) {
                rows.push(vec![
                    json!(publication.name),
                    json!(catalog.schema_name(relation.schema)),
                    json!(relation.name),
                ]);
            }
        }
    }
    rows
}

/// Sequences depend on the columns that own them.
fn depends(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for column in &relation.columns {
            if let Some(sequence) = column.sequence {
                let kind = if column.identity.is_some() { "i" } else { "a" };
                rows.push(vec![
                    json!(1259),
                    json!(sequence),
                    json!(0),
                    json!(1259),
                    json!(relation.oid),
                    json!(column.number),
                    json!(kind),
                ]);
            }
        }
    }
    rows
}
