//! `information_schema`.

mod constraints;
mod objects;
mod types;

use serde_json::{Value as Json, json};

use self::constraints::check_constraints;
use self::constraints::constraint_column_usage;
use self::constraints::constraint_table_usage;
use self::constraints::key_column_usage;
use self::constraints::referential_constraints;
use self::constraints::table_constraints;
use self::objects::parameters;
use self::objects::routines;
use self::objects::sequences;
use self::objects::triggers;
use self::objects::views;
use self::types::{data_type, domains, udt_name, udt_schema};
use super::System;
use crate::bind::Settings;
use crate::catalog::{Catalog, Column, DATABASE, Identity, Relation, RelationKind, TypeDefinition};
use crate::through::{self, changes, is_insertable};

type Rows = Vec<Vec<Json>>;

pub(super) fn relations() -> Vec<System> {
    vec![
        System {
            name: "information_schema.schemata",
            columns: &["catalog_name", "schema_name", "schema_owner"],
            rows: schemata,
        },
        System {
            name: "information_schema.tables",
            columns: &[
                "table_catalog",
                "table_schema",
                "table_name",
                "table_type",
                "is_insertable_into",
                "is_typed",
                "commit_action",
            ],
            rows: tables,
        },
        System {
            name: "information_schema.columns",
            columns: &[
                "table_catalog",
                "table_schema",
                "table_name",
                "column_name",
                "ordinal_position",
                "column_default",
                "is_nullable",
                "data_type",
                "domain_schema",
                "domain_name",
                "udt_catalog",
                "udt_schema",
                "udt_name",
                "dtd_identifier",
                "is_identity",
                "identity_generation",
                "identity_start",
                "identity_increment",
                "identity_maximum",
                "identity_minimum",
                "identity_cycle",
                "is_generated",
                "generation_expression",
                "is_updatable",
                "domain_catalog",
                "character_maximum_length",
                "character_octet_length",
                "numeric_precision",
                "numeric_precision_radix",
                "numeric_scale",
                "datetime_precision",
                "collation_catalog",
                "collation_schema",
                "collation_name",
            ],
            rows: columns,
        },
        System {
            name: "information_schema.views",
            columns: &[
                "table_catalog",
                "table_schema",
                "table_name",
                "view_definition",
                "check_option",
                "is_updatable",
                "is_insertable_into",
                "is_trigger_updatable",
                "is_trigger_deletable",
                "is_trigger_insertable_into",
            ],
            rows: views,
        },
        System {
            name: "information_schema.table_constraints",
            columns: &[
                "constraint_catalog",
                "constraint_schema",
                "constraint_name",
                "table_catalog",
                "table_schema",
                "table_name",
                "constraint_type",
                "is_deferrable",
                "initially_deferred",
                "enforced",
                "nulls_distinct",
            ],
            rows: table_constraints,
        },
        System {
            name: "information_schema.key_column_usage",
            columns: &[
                "constraint_catalog",
                "constraint_schema",
                "constraint_name",
                "table_catalog",
                "table_schema",
                "table_name",
                "column_name",
                "ordinal_position",
                "position_in_unique_constraint",
            ],
            rows: key_column_usage,
        },
        System {
            name: "information_schema.constraint_column_usage",
            columns: &[
                "table_catalog",
                "table_schema",
                "table_name",
                "column_name",
                "constraint_catalog",
                "constraint_schema",
                "constraint_name",
            ],
            rows: constraint_column_usage,
        },
        System {
            name: "information_schema.referential_constraints",
            columns: &[
                "constraint_catalog",
                "constraint_schema",
                "constraint_name",
                "unique_constraint_catalog",
                "unique_constraint_schema",
                "unique_constraint_name",
                "match_option",
                "update_rule",
                "delete_rule",
            ],
            rows: referential_constraints,
        },
        System {
            name: "information_schema.check_constraints",
            columns: &["constraint_catalog", "constraint_schema", "constraint_name", "check_clause"],
            rows: check_constraints,
        },
        System {
            name: "information_schema.routines",
            columns: &[
                "specific_schema",
                "specific_name",
                "routine_catalog",
                "routine_schema",
                "routine_name",
                "routine_type",
                "data_type",
                "type_udt_name",
                "routine_body",
                "routine_definition",
                "external_language",
                "security_type",
                "is_deterministic",
                "type_udt_catalog",
                "type_udt_schema",
                "is_null_call",
            ],
            rows: routines,
        },
        System {
            name: "information_schema.parameters",
            columns: &[
                "specific_schema",
                "specific_name",
                "ordinal_position",
                "parameter_mode",
                "parameter_name",
                "data_type",
                "udt_schema",
                "udt_name",
                "parameter_default",
            ],
            rows: parameters,
        },
        System {
            name: "information_schema.triggers",
            columns: &[
                "trigger_catalog",
                "trigger_schema",
                "trigger_name",
                "event_manipulation",
                "event_object_schema",
                "event_object_table",
                "action_order",
                "action_condition",
                "action_statement",
                "action_orientation",
                "action_timing",
                "action_reference_old_table",
                "action_reference_new_table",
            ],
            rows: triggers,
        },
        System {
            name: "information_schema.sequences",
            columns: &[
                "sequence_catalog",
                "sequence_schema",
                "sequence_name",
                "data_type",
                "start_value",
                "minimum_value",
                "maximum_value",
                "increment",
                "cycle_option",
                "numeric_precision",
            ],
            rows: sequences,
        },
        System {
            name: "information_schema.domains",
            columns: &[
                "domain_catalog",
                "domain_schema",
                "domain_name",
                "data_type",
                "domain_default",
                "udt_schema",
                "udt_name",
                "character_maximum_length",
                "character_octet_length",
                "numeric_precision",
                "numeric_precision_radix",
                "numeric_scale",
                "datetime_precision",
            ],
            rows: domains,
        },
        System {
            name: "information_schema.attributes",
            columns: &[
                "udt_schema",
                "udt_name",
                "attribute_name",
                "ordinal_position",
                "data_type",
                "attribute_udt_schema",
                "attribute_udt_name",
                "character_maximum_length",
                "character_octet_length",
                "numeric_precision",
                "numeric_precision_radix",
                "numeric_scale",
                "datetime_precision",
            ],
            rows: types::attributes,
        },
        System { name: "information_schema.character_sets", columns: &[], rows: |_, _| vec![Vec::new()] },
        System {
            name: "information_schema.collations",
            columns: &["collation_name"],
            rows: |_, _| ["C", "default"].map(|name| vec![json!(name)]).into(),
        },
        System {
            name: "information_schema.column_domain_usage",
            columns: &["domain_schema", "domain_name", "table_schema", "table_name", "column_name"],
            rows: types::column_domain_usage,
        },
        System {
            name: "information_schema.column_udt_usage",
            columns: &["udt_schema", "udt_name", "table_schema", "table_name", "column_name"],
            rows: types::column_udt_usage,
        },
        System {
            name: "information_schema.constraint_table_usage",
            columns: &["table_schema", "table_name", "constraint_schema", "constraint_name"],
            rows: constraint_table_usage,
        },
        System {
            name: "information_schema.domain_constraints",
            columns: &["constraint_schema", "constraint_name", "domain_schema", "domain_name"],
            rows: types::domain_constraints,
        },
        System {
            name: "information_schema.element_types",
            columns: &[
                "object_schema",
                "object_name",
                "collection_type_identifier",
                "data_type",
                "udt_schema",
                "udt_name",
                "dtd_identifier",
            ],
            rows: types::element_types,
        },
        System {
            name: "information_schema.information_schema_catalog_name",
            columns: &[],
            rows: |_, _| vec![Vec::new()],
        },
        System {
            name: "information_schema.triggered_update_columns",
            columns: &[
                "trigger_schema",
                "trigger_name",
                "event_object_schema",
                "event_object_table",
                "event_object_column",
            ],
            rows: objects::triggered_update_columns,
        },
        System {
            name: "information_schema.user_defined_types",
            columns: &["user_defined_type_schema", "user_defined_type_name"],
            rows: types::user_defined_types,
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
            yes(base || relation.shown_kind() == RelationKind::View && is_insertable(catalog, relation)),
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

/// Whether a type is a domain without nulls.
fn has_no_null(catalog: &Catalog, type_: crate::types::Type) -> bool {
    let known = catalog.user_type(type_).map(|known| &known.definition);
    matches!(known, Some(TypeDefinition::Domain { not_null: true, .. }))
}

fn column_row(catalog: &Catalog, relation: &Relation, index: usize, column: &Column) -> Vec<Json> {
    let type_ = column.type_.base;
    let is_domain = catalog.named_base(type_) != type_;
    let options = column
        .identity
        .and_then(|_| catalog.relation(column.sequence?))
        .and_then(|sequence| sequence.sequence.as_ref());
    let both = through::UPDATE | through::DELETE;
    let number = |value: Option<i64>| value.map_or(Json::Null, |value| json!(value.to_string()));
    let user_type = catalog.user_type(type_).filter(|_| is_domain);
    let default = if column.generated.is_some() { None } else { column.default.as_ref() };
    let mut row = vec![
        json!(DATABASE),
        json!(catalog.schema_name(relation.schema)),
        json!(relation.name),
        json!(column.name),
        json!(if relation.shown_kind() == RelationKind::Table { column.number as usize } else { index + 1 }),
        json!(default),
        yes(!column.not_null && !has_no_null(catalog, type_)),
        json!(data_type(catalog, type_)),
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
        json!(column.generated),
        yes(changes(catalog, relation, false, Some(&column.name)) & both == both),
        json!(user_type.map(|_| DATABASE)),
    ];
    row.extend(types::lengths(catalog, column.type_));
    row.extend(types::precisions(catalog, column.type_));
    let named = column.collation.as_ref().map(|collation| collation.name(catalog));
    let named = named.filter(|(_, name)| *name != "default");
    row.extend([
        json!(named.map(|_| DATABASE)),
        json!(named.map(|(schema, _)| catalog.schema_name(schema))),
        json!(named.map(|(_, name)| name)),
    ]);
    row
}
