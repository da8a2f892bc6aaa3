//! Relations of `pg_catalog` whose rows come with the server and with extensions: operator classes, their families, casts.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::System;
use super::pg::{METHODS, flag};
use super::relations;
use crate::catalog::{Catalog, IndexKey, Oid, OwnOperator, PG_CATALOG, TypeDefinition};
use crate::types::Type;

type Rows = Vec<Vec<Json>>;

/// The rows of `pg_cast`.
const CASTS: &str = include_str!("pg_cast.txt");

/// Whether the system has a cast between two types.
pub(crate) fn has_cast(source: Type, target: Type) -> bool {
    let of = |line: &str| {
        let mut cells = line.split('\t').skip(1).map(|cell| cell.parse().ok());
        Some((cells.next()??, cells.next()??))
    };
    CASTS.lines().any(|line| of(line) == Some((source.0, target.0)))
}

pub(super) fn relations() -> Vec<System> {
    vec![
        System {
            name: "pg_opclass",
            columns: &[
                "oid",
                "opcmethod",
                "opcname",
                "opcnamespace",
                "opcowner",
                "opcfamily",
                "opcintype",
                "opcdefault",
                "opckeytype",
            ],
            rows: |catalog, _| {
                CLASSES.iter().chain(&Classes::of(catalog).of_extensions).map(Class::row).collect()
            },
        },
        System {
            name: "pg_opfamily",
            columns: &["oid", "opfmethod", "opfname", "opfnamespace", "opfowner"],
            rows: |_, _| read("pg_opfamily", include_str!("pg_opfamily.txt")),
        },
        System {
            name: "pg_operator",
            columns: &[
                "oid",
                "oprname",
                "oprnamespace",
                "oprowner",
                "oprkind",
                "oprcanmerge",
                "oprcanhash",
                "oprleft",
                "oprright",
                "oprresult",
                "oprcom",
                "oprnegate",
                "oprcode",
                "oprrest",
                "oprjoin",
            ],
            rows: |catalog, _| {
                catalog.own_operators().map(|operator| operator_row(catalog, &operator)).collect()
            },
        },
        System {
            name: "pg_cast",
            columns: &["oid", "castsource", "casttarget", "castfunc", "castcontext", "castmethod"],
            rows: |catalog, _| {
                let own = catalog.own_casts().map(|(oid, cast, function)| {
                    vec![
                        json!(oid),
                        json!(cast.source.0),
                        json!(cast.target.0),
                        json!(function.unwrap_or(0)),
                        json!(cast.context.letter()),
                        json!(if cast.through_text { "i" } else { "f" }),
                    ]
                });
                read("pg_cast", CASTS).into_iter().chain(own).collect()
            },
        },
    ]
}

/// An operator of the project's.
fn operator_row(catalog: &Catalog, operator: &OwnOperator<'_>) -> Vec<Json> {
    let has = |word: &str| operator.recorded.words.contains_key(word);
    let result = catalog.routine(operator.function).map_or(0, |routine| routine.returns.0);
    vec![
        json!(operator.oid),
        json!(operator.symbol),
        json!(operator.schema),
        json!(crate::describe::role_oid(catalog, &operator.recorded.owner)),
        json!(if operator.left.is_some() { "b" } else { "l" }),
        flag(has("merges")),
        flag(has("hashes")),
        json!(operator.left.map_or(0, |type_| type_.0)),
        json!(operator.right.0),
        json!(result),
        json!(0),
        json!(0),
        json!(operator.function),
        json!(0),
        json!(0),
    ]
}

/// The rows of a file with all columns of a relation.
fn read(relation: &str, text: &'static str) -> Rows {
    let columns = relations::ALL.get(relation).map_or(&[][..], |layout| &layout.columns);
    let cell = |(text, (_, type_)): (&'static str, &(&str, Type))| match *type_ {
        Type::BOOL => flag(text == "t"),
        Type::OID => json!(text.parse::<Oid>().unwrap_or_default()),
        _ => json!(text),
    };
    text.lines().map(|line| line.split('\t').zip(columns).map(cell).collect()).collect()
}

/// An operator class.
struct Class {
    oid: Oid,
    method: Oid,
    name: String,
    schema: Oid,
    family: Oid,
    type_: Type,
    default: bool,
    key_type: Oid,
    /// The extension that it is of.
    extension: Option<Oid>,
}

impl Class {
    fn row(&self) -> Vec<Json> {
        vec![
            json!(self.oid),
            json!(self.method),
            json!(self.name),
            json!(self.schema),
            json!(10),
            json!(self.family),
            json!(self.type_.0),
            flag(self.default),
            json!(self.key_type),
        ]
    }
}

/// The classes that come with the server.
static CLASSES: LazyLock<Vec<Class>> = LazyLock::new(|| {
    let read = |line: &'static str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let number = |place: usize| parts.get(place).and_then(|part| part.parse().ok()).unwrap_or(0);
        Class {
            oid: number(0),
            method: number(1),
            name: parts[2].to_owned(),
            schema: PG_CATALOG,
            family: number(5),
            type_: Type(number(6)),
            default: parts[7] == "t",
            key_type: number(8),
            extension: None,
        }
    };
    include_str!("pg_opclass.txt").lines().map(read).collect()
});

/// Arrays of `ltree`.
const LTREES: Type = Type(9023);

/// Classes of extensions: extension, method, name, type, whether it is the type's default.
const OF_EXTENSIONS: &[(&str, &str, &str, Type, bool)] = &[
    ("pg_trgm", "gin", "gin_trgm_ops", Type::TEXT, false),
    ("pg_trgm", "gist", "gist_trgm_ops", Type::TEXT, false),
    ("citext", "btree", "citext_ops", Type::CITEXT, true),
    ("citext", "btree", "citext_pattern_ops", Type::CITEXT, false),
    ("citext", "hash", "citext_ops", Type::CITEXT, true),
    ("vector", "btree", "vector_ops", Type::VECTOR, true),
    ("vector", "ivfflat", "vector_l2_ops", Type::VECTOR, true),
    ("vector", "ivfflat", "vector_ip_ops", Type::VECTOR, false),
    ("vector", "ivfflat", "vector_cosine_ops", Type::VECTOR, false),
    ("vector", "hnsw", "vector_l2_ops", Type::VECTOR, false),
    ("vector", "hnsw", "vector_ip_ops", Type::VECTOR, false),
    ("vector", "hnsw", "vector_cosine_ops", Type::VECTOR, false),
    ("vector", "hnsw", "vector_l1_ops", Type::VECTOR, false),
    ("vector", "btree", "halfvec_ops", Type::HALFVEC, true),
    ("vector", "ivfflat", "halfvec_l2_ops", Type::HALFVEC, true),
    ("vector", "ivfflat", "halfvec_ip_ops", Type::HALFVEC, false),
    ("vector", "ivfflat", "halfvec_cosine_ops", Type::HALFVEC, false),
    ("vector", "hnsw", "halfvec_l2_ops", Type::HALFVEC, false),
    ("vector", "hnsw", "halfvec_ip_ops", Type::HALFVEC, false),
    ("vector", "hnsw", "halfvec_cosine_ops", Type::HALFVEC, false),
    ("vector", "hnsw", "halfvec_l1_ops", Type::HALFVEC, false),
    ("vector", "ivfflat", "bit_hamming_ops", Type::BIT, false),
    ("vector", "hnsw", "bit_hamming_ops", Type::BIT, false),
    ("vector", "hnsw", "bit_jaccard_ops", Type::BIT, false),
    ("postgis", "brin", "brin_geography_inclusion_ops", Type::GEOGRAPHY, true),
    ("postgis", "brin", "brin_geometry_inclusion_ops_2d", Type::GEOMETRY, true),
    ("postgis", "btree", "btree_geography_ops", Type::GEOGRAPHY, true),
    ("postgis", "btree", "btree_geometry_ops", Type::GEOMETRY, true),
    ("postgis", "gist", "gist_geography_ops", Type::GEOGRAPHY, true),
    ("postgis", "gist", "gist_geometry_ops_2d", Type::GEOMETRY, true),
    ("postgis", "gist", "gist_geometry_ops_nd", Type::GEOMETRY, false),
    ("postgis", "hash", "hash_geometry_ops", Type::GEOMETRY, true),
    ("postgis", "spgist", "spgist_geography_ops_nd", Type::GEOGRAPHY, true),
    ("postgis", "spgist", "spgist_geometry_ops_2d", Type::GEOMETRY, true),
    ("ltree", "btree", "ltree_ops", Type::LTREE, true),
    ("ltree", "gist", "gist_ltree_ops", Type::LTREE, true),
    ("ltree", "gist", "gist__ltree_ops", LTREES, true),
    ("cube", "btree", "cube_ops", Type::CUBE, true),
    ("cube", "gist", "gist_cube_ops", Type::CUBE, true),
    ("hstore", "btree", "btree_hstore_ops", Type::HSTORE, true),
    ("hstore", "hash", "hash_hstore_ops", Type::HSTORE, true),
    ("hstore", "gin", "gin_hstore_ops", Type::HSTORE, true),
    ("hstore", "gist", "gist_hstore_ops", Type::HSTORE, true),
];

/// The types that `btree_gin` and `btree_gist` have a default class for.
const PLAIN: &[&str] = &[
    "int2",
    "int4",
    "int8",
    "float4",
    "float8",
    "numeric",
    "text",
    "varchar",
    "bpchar",
    "bytea",
    "bit",
    "varbit",
    "date",
    "time",
    "timetz",
    "timestamp",
    "timestamptz",
    "interval",
    "uuid",
    "inet",
    "cidr",
    "macaddr",
    "macaddr8",
    "bool",
    "money",
    "oid",
];

/// The first identifier of a class of an extension.
const FIRST: Oid = 13_500;

/// The operator classes of a database.
pub(super) struct Classes {
    of_extensions: Vec<Class>,
}

/// Whether the operator class that a key names is the one that it would have without.
pub(crate) fn is_default_class(catalog: &Catalog, method: &str, key: &IndexKey, type_: Type) -> bool {
    let classes = Classes::of(catalog);
    let default = classes.of_key(catalog, method, &IndexKey { class: None, ..key.clone() }, type_);
    default != 0 && classes.of_key(catalog, method, key, type_) == default
}

/// The schema of the extension that an operator class belongs to.
pub(crate) fn schema_of_class(catalog: &Catalog, name: &str) -> Option<Oid> {
    let classes = Classes::of(catalog);
    classes.of_extensions.iter().find(|class| class.name == name).map(|class| class.schema)
}

impl Classes {
    pub(super) fn of(catalog: &Catalog) -> Classes {
        let named = OF_EXTENSIONS
            .iter()
            .map(|(of, method, name, type_, default)| (*of, *method, (*name).to_owned(), *type_, *default));
        let plain = |of: &'static str, method: &'static str, prefix: &'static str| {
            let types = PLAIN.iter().filter_map(|name| Some((*name, Type::named(name)?)));
            types.map(move |(name, type_)| (of, method, format!("{prefix}{name}_ops"), type_, true))
        };
        let all = named.chain(plain("btree_gin", "gin", "")).chain(plain("btree_gist", "gist", "gist_"));
        let class = |((of, method, name, type_, default), oid)| {
            let (extension, known) = catalog.extensions().find(|(_, extension)| extension.name == of)?;
            let (method, schema, extension) = (method_named(method), known.schema, Some(extension));
            Some(Class { oid, method, name, schema, family: 0, type_, default, key_type: 0, extension })
        };
        Classes { of_extensions: all.zip(FIRST..).filter_map(class).collect() }
    }

    /// The classes of extensions, each with its extension.
    pub(super) fn extensions(&self) -> impl Iterator<Item = (Oid, Oid)> {
        self.of_extensions.iter().filter_map(|class| Some((class.oid, class.extension?)))
    }

    /// The class of a key of an index: the one that it names, or the default one of its type.
    pub(super) fn of_key(&self, catalog: &Catalog, method: &str, key: &IndexKey, type_: Type) -> Oid {
        let method = method_named(method);
        let mut all = CLASSES.iter().chain(&self.of_extensions).filter(|class| class.method == method);
        let found = match key.class_name() {
            Some(name) => {
                let name = name.rsplit('.').next().unwrap_or(name).trim_matches('"');
                all.find(|class| class.name == name)
            }
            None => {
                let type_ = class_type(catalog, type_);
                all.find(|class| class.default && class.type_ == type_)
            }
        };
        found.map_or(0, |class| class.oid)
    }
}

fn method_named(name: &str) -> Oid {
    METHODS.iter().find(|(_, method)| *method == name).map_or(0, |(oid, _)| *oid)
}

/// The type that the default class of a type is declared for.
fn class_type(catalog: &Catalog, type_: Type) -> Type {
    const ANY_RANGE: Type = Type(3831);
    const ANY_MULTIRANGE: Type = Type(4537);
    let base = catalog.base_type(type_);
    match catalog.user_type(base).map(|known| &known.definition) {
        Some(TypeDefinition::Enum { .. }) => return Type::ANYENUM,
        Some(TypeDefinition::Composite { .. }) => return Type::RECORD,
        _ => {}
    }
    match base {
        Type::VARCHAR => Type::TEXT,
        Type::CIDR => Type::INET,
        _ if base.is_reg() => Type::OID,
        _ if base.element().is_some() => Type::ANYARRAY,
        _ => match base.builtin().map(|builtin| builtin.name) {
            Some(name) if name.ends_with("multirange") => ANY_MULTIRANGE,
            Some(name) if name.ends_with("range") => ANY_RANGE,
            _ => base,
        },
    }
}
