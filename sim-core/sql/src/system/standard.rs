//! `information_schema`.

mod constraints;
mod objects;

use serde_json::{Value as Json, json};

use self::constraints::check_constraints;
use self::constraints::constraint_column_usage;
use self::constraints::key_column_usage;
use self::constraints::referential_constraints;
use self::constraints::table_constraints;
use self::objects::domains;
use self::objects::parameters;
use self::objects::routines;
use self::objects::sequences;
use self::objects::triggers;
use self::objects::views;
use super::System;
use crate::bind::Settings;
use crate::catalog::{Catalog, Column, DATABASE, Identity, Relation, RelationKind};
use crate::through::is_updatable;
use crate::types::{Modified, Type};

type Rows = Vec<Vec<Json>>;

pub(super) fn relations() -> Vec<System> {
    use Type as T;
    vec![
        System {
            name: "information_schema.schemata",
            columns: &[("catalog_name", T::NAME), ("schema_name", T::NAME), ("schema_owner", T::NAME)],
            rows: schemata,
        },
        System {
            name: "information_schema.tables",
            columns: &[
                ("table_catalog", T::NAME),
                ("table_schema", T::NAME),
                ("table_name", T::NAME),
                ("table_type", T::VARCHAR),
                ("is_insertable_into", T::VARCHAR),
                ("is_typed", T::VARCHAR),
                ("commit_action", T::VARCHAR),
            ],
            rows: tables,
        },
        System {
            name: "information_schema.columns",
            columns: &[
                ("table_catalog", T::NAME),
                ("table_schema", T::NAME),
                ("table_name", T::NAME),
                ("column_name", T::NAME),
                ("ordinal_position", T::INT4),
                ("column_default", T::VARCHAR),
                ("is_nullable", T::VARCHAR),
                ("data_type", T::VARCHAR),
                ("character_maximum_length", T::INT4),
                ("character_octet_length", T::INT4),
                ("numeric_precision", T::INT4),
                ("numeric_precision_radix", T::INT4),
                ("numeric_scale", T::INT4),
                ("datetime_precision", T::INT4),
                ("interval_type", T::VARCHAR),
                ("collation_name", T::NAME),
                ("domain_schema", T::NAME),
                ("domain_name", T::NAME),
                ("udt_catalog", T::NAME),
                ("udt_schema", T::NAME),
                ("udt_name", T::NAME),
                ("dtd_identifier", T::NAME),
                ("is_identity", T::VARCHAR),
                ("identity_generation", T::VARCHAR),
                ("identity_start", T::VARCHAR),
                ("identity_increment", T::VARCHAR),
                ("identity_maximum", T::VARCHAR),
                ("identity_minimum", T::VARCHAR),
                ("identity_cycle", T::VARCHAR),
                ("is_generated", T::VARCHAR),
                ("generation_expression", T::VARCHAR),
                ("is_updatable", T::VARCHAR),
            ],
            rows: columns,
        },
        System {
            name: "information_schema.views",
            columns: &[
                ("table_catalog", T::NAME),
                ("table_schema", T::NAME),
                ("table_name", T::NAME),
                ("view_definition", T::VARCHAR),
                ("check_option", T::VARCHAR),
                ("is_updatable", T::VARCHAR),
                ("is_insertable_into", T::VARCHAR),
            ],
            rows: views,
        },
        System {
            name: "information_schema.table_constraints",
            columns: &[
                ("constraint_catalog", T::NAME),
                ("constraint_schema", T::NAME),
                ("constraint_name", T::NAME),
                ("table_catalog", T::NAME),
                ("table_schema", T::NAME),
                ("table_name", T::NAME),
                ("constraint_type", T::VARCHAR),
                ("is_deferrable", T::VARCHAR),
                ("initially_deferred", T::VARCHAR),
                ("enforced", T::VARCHAR),
            ],
            rows: table_constraints,
        },
        System {
            name: "information_schema.key_column_usage",
            columns: &[
                ("constraint_catalog", T::NAME),
                ("constraint_schema", T::NAME),
                ("constraint_name", T::NAME),
                ("table_catalog", T::NAME),
                ("table_schema", T::NAME),
                ("table_name", T::NAME),
                ("column_name", T::NAME),
                ("ordinal_position", T::INT4),
                ("position_in_unique_constraint", T::INT4),
            ],
            rows: key_column_usage,
        },
        System {
            name: "information_schema.constraint_column_usage",
            columns: &[
                ("table_catalog", T::NAME),
                ("table_schema", T::NAME),
                ("table_name", T::NAME),
                ("column_name", T::NAME),
                ("constraint_catalog", T::NAME),
                ("constraint_schema", T::NAME),
                ("constraint_name", T::NAME),
            ],
            rows: constraint_column_usage,
        },
        System {
            name: "information_schema.referential_constraints",
            columns: &[
                ("constraint_catalog", T::NAME),
                ("constraint_schema", T::NAME),
                ("constraint_name", T::NAME),
                ("unique_constraint_catalog", T::NAME),
                ("unique_constraint_schema", T::NAME),
                ("unique_constraint_name", T::NAME),
                ("match_option", T::VARCHAR),
                ("update_rule", T::VARCHAR),
                ("delete_rule", T::VARCHAR),
            ],
            rows: referential_constraints,
        },
        System {
            name: "information_schema.check_constraints",
            columns: &[
                ("constraint_catalog", T::NAME),
                ("constraint_schema", T::NAME),
                ("constraint_name", T::NAME),
                ("check_clause", T::VARCHAR),
            ],
            rows: check_constraints,
        },
        System {
            name: "information_schema.routines",
            columns: &[
                ("specific_schema", T::NAME),
                ("specific_name", T::NAME),
                ("routine_catalog", T::NAME),
                ("routine_schema", T::NAME),
                ("routine_name", T::NAME),
                ("routine_type", T::VARCHAR),
                ("data_type", T::VARCHAR),
                ("type_udt_name", T::NAME),
                ("routine_body", T::VARCHAR),
                ("routine_definition", T::VARCHAR),
                ("external_language", T::VARCHAR),
                ("security_type", T::VARCHAR),
                ("is_deterministic", T::VARCHAR),
            ],
            rows: routines,
        },
        System {
            name: "information_schema.parameters",
            columns: &[
                ("specific_schema", T::NAME),
                ("specific_name", T::NAME),
                ("ordinal_position", T::INT4),
                ("parameter_mode", T::VARCHAR),
                ("parameter_name", T::NAME),
                ("data_type", T::VARCHAR),
                ("udt_name", T::NAME),
            ],
            rows: parameters,
        },
        System {
            name: "information_schema.triggers",
            columns: &[
                ("trigger_catalog", T::NAME),
                ("trigger_schema", T::NAME),
                ("trigger_name", T::NAME),
                ("event_manipulation", T::VARCHAR),
                ("event_object_schema", T::NAME),
                ("event_object_table", T::NAME),
                ("action_order", T::INT4),
                ("action_condition", T::VARCHAR),
                ("action_statement", T::VARCHAR),
                ("action_orientation", T::VARCHAR),
                ("action_timing", T::VARCHAR),
            ],
            rows: triggers,
        },
        System {
            name: "information_schema.sequences",
            columns: &[
                ("sequence_catalog", T::NAME),
                ("sequence_schema", T::NAME),
                ("sequence_name", T::NAME),
                ("data_type", T::VARCHAR),
                ("start_value", T::VARCHAR),
                ("minimum_value", T::VARCHAR),
                ("maximum_value", T::VARCHAR),
                ("increment", T::VARCHAR),
                ("cycle_option", T::VARCHAR),
            ],
            rows: sequences,
        },
        System {
            name: "information_schema.domains",
            columns: &[
                ("domain_catalog", T::NAME),
                ("domain_schema", T::NAME),
                ("domain_name", T::NAME),
                ("data_type", T::VARCHAR),
                ("domain_default", T::VARCHAR),
                ("udt_name", T::NAME),
            ],
            rows: domains,
        },
    ]
}

fn yes(value: bool) -> Json {
    json!(if value { "YES" } else { "NO" })
}

fn schemata(catalog: &Catalog, _: &Settings) -> Rows {
    let own = catalog.schemas().map(|(_, schema)| (schema.name.as_str(), schema.owner.as_str()));
    let system = [("pg_catalog", "postgres"), ("information_schema", "postgres")];
    own.chain(system).map(|(name, owner)| vec![json!(DATABASE), json!(name), json!(owner)]).collect()
}

/// The relations that the standard includes; it has no materialized views and sequences.
fn listed(catalog: &Catalog) -> impl Iterator<Item = &Relation> {
    catalog.relations().filter(|relation| {
        matches!(relation.shown_kind(), RelationKind::Table | RelationKind::View | RelationKind::Foreign)
    })
}

fn tables(catalog: &Catalog, _: &Settings) -> Rows {
    let own = listed(catalog).map(|relation| {
        let base = relation.shown_kind() == RelationKind::Table;
        vec![
            json!(DATABASE),
            json!(catalog.schema_name(relation.schema)),
            json!(relation.name),
            json!(match relation.shown_kind() {
                RelationKind::Foreign => "FOREIGN",
                _ if base && Some(relation.schema) == catalog.temporary() => "LOCAL TEMPORARY",
                _ if base => "BASE TABLE",
                _ => "VIEW",
            }),
            yes(base || relation.shown_kind() == RelationKind::View && is_updatable(catalog, relation)),
            json!("NO"),
            Json::Null,
        ]
    });
    let system = super::ALL.iter().map(|system| {
        let standard = system.name.contains('.');
        let schema = if standard { "information_schema" } else { "pg_catalog" };
        vec![
            json!(DATABASE),
            json!(schema),
            json!(system.short_name()),
            json!(if standard { "VIEW" } else { "BASE TABLE" }),
            yes(!standard),
            json!("NO"),
            Json::Null,
        ]
    });
    own.chain(system).collect()
}

/// The standard's name for a type. All arrays share one name, and all user-defined types another.
fn data_type(catalog: &Catalog, type_: Type) -> String {
    if type_.element().is_some() {
        return "ARRAY".to_owned();
    }
    let base = catalog.base_type(type_);
    if base.is_user() || catalog.extension_of_type(base).is_some() {
        "USER-DEFINED".to_owned()
    } else {
        catalog.type_name(base, -1)
    }
}

fn udt_name(catalog: &Catalog, type_: Type) -> String {
    if let Some(element) = type_.element() {
        return format!("_{}", udt_name(catalog, element));
    }
    let base = catalog.base_type(type_);
    match (catalog.user_type(base), base.builtin()) {
        (Some(user_type), _) => user_type.name.clone(),
        (None, Some(builtin)) => builtin.name.to_owned(),
        (None, None) => String::new(),
    }
}

fn udt_schema(catalog: &Catalog, type_: Type) -> String {
    let base = catalog.base_type(type_.element().unwrap_or(type_));
    let own = catalog.user_type(base).map(|user_type| user_type.schema);
    let schema = own.or_else(|| catalog.extension_of_type(base));
    schema.map_or("pg_catalog", |schema| catalog.schema_name(schema)).to_owned()
}

fn columns(catalog: &Catalog, _: &Settings) -> Rows {
    listed(catalog)
        .flat_map(|relation| {
            relation
                .columns
                .iter()
                .enumerate()
                .map(move |(index, column)| column_row(catalog, relation, index, column))
        })
        .collect()
}

fn column_row(catalog: &Catalog, relation: &Relation, index: usize, column: &Column) -> Vec<Json> {
    let Modified { base: type_, modifier } = column.type_;
    let base = catalog.base_type(type_);
    let is_domain = base != type_;
    let character = matches!(base, Type::VARCHAR | Type::BPCHAR) && modifier >= 4;
    let bits = matches!(base, Type::BIT | Type::VARBIT) && modifier > 0;
    let (precision, radix, scale) = match base {
        Type::INT2 => (json!(16), json!(2), json!(0)),
        Type::INT4 => (json!(32), json!(2), json!(0)),
        Type::INT8 => (json!(64), json!(2), json!(0)),
        Type::FLOAT4 => (json!(24), json!(2), Json::Null),
        Type::FLOAT8 => (json!(53), json!(2), Json::Null),
        Type::NUMERIC if modifier >= 4 => {
            (json!((modifier - 4) >> 16), json!(10), json!((modifier - 4) & 0xffff))
        }
        Type::NUMERIC => (Json::Null, json!(10), Json::Null),
        _ => (Json::Null, Json::Null, Json::Null),
    };
    let datetime = match base {
        Type::DATE => json!(0),
        Type::TIME | Type::TIMETZ | Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::INTERVAL => {
            json!(if modifier >= 0 { modifier } else { 6 })
        }
        _ => Json::Null,
    };
    let octets = match base {
        _ if character => json!((modifier - 4) * 4),
        Type::TEXT | Type::VARCHAR => json!(1_073_741_824),
        _ => Json::Null,
    };
    let options = column
        .identity
        .and_then(|_| catalog.relation(column.sequence?))
        .and_then(|sequence| sequence.sequence.as_ref());
    let number = |value: Option<i64>| value.map_or(Json::Null, |value| json!(value.to_string()));
    let user_type = catalog.user_type(type_).filter(|_| is_domain);
    let default = if column.generated.is_some() { None } else { column.default.as_ref() };
    vec![
        json!(DATABASE),
        json!(catalog.schema_name(relation.schema)),
        json!(relation.name),
        json!(column.name),
        json!(if relation.shown_kind() == RelationKind::Table { column.number as usize } else { index + 1 }),
        json!(default),
        yes(!column.not_null),
        json!(data_type(catalog, type_)),
        match (character, bits) {
            (true, _) => json!(modifier - 4),
            (_, true) => json!(modifier),
            _ => Json::Null,
        },
        octets,
        precision,
        radix,
        scale,
        datetime,
        Json::Null,
        Json::Null,
        json!(user_type.map(|user_type| catalog.schema_name(user_type.schema))),
        json!(user_type.map(|user_type| &user_type.name)),
        json!(DATABASE),
        json!(udt_schema(catalog, type_)),
        json!(udt_name(catalog, type_)),
        json!((index + 1).to_string()),
        yes(column.identity.is_some()),
        json!(column.identity.map(|identity| if identity == Identity::Always {
            "ALWAYS"
        } else {
            "BY DEFAULT"
        })),
        number(options.map(|options| options.start)),
        number(options.map(|options| options.increment)),
        number(options.map(|options| options.maximum)),
        number(options.map(|options| options.minimum)),
        options.map_or(json!("NO"), |options| yes(options.cycle)),
        json!(if column.generated.is_some() { "ALWAYS" } else { "NEVER" }),
        json!(column.generated.as_ref().map(|text| format!("({text})"))),
        yes(relation.shown_kind() == RelationKind::Table),
    ]
}
