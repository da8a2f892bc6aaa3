//! What the standard's views say about types, and the views about domains, composite types and elements of arrays.

use serde_json::{Value as Json, json};

use super::{DATABASE, Rows, listed};
use crate::bind::Settings;
use crate::catalog::{Catalog, Column, Relation, TypeDefinition};
use crate::types::{Modified, Type};

/// The same for a parameter of a function: a domain is one of the types that a user has defined.
pub(super) fn type_of_parameter(catalog: &Catalog, type_: Type) -> [Json; 3] {
    let of = type_.element().unwrap_or(type_);
    match (catalog.user_type(of), of) {
        (Some(known), _) => {
            let (data, name) = match type_ == of {
                true => ("USER-DEFINED", known.name.clone()),
                false => ("ARRAY", format!("_{}", known.name)),
            };
            [json!(data), json!(catalog.schema_name(known.schema)), json!(name)]
        }
        _ => [
            json!(data_type(catalog, type_)),
            json!(udt_schema(catalog, type_)),
            json!(udt_name(catalog, type_)),
        ],
    }
}

/// The standard's name for a type. All arrays share one name, and all user-defined types another.
pub(super) fn data_type(catalog: &Catalog, type_: Type) -> String {
    if type_.element().is_some() {
        return "ARRAY".to_owned();
    }
    let base = catalog.named_base(type_);
    if base.is_user() || catalog.extension_of_type(base).is_some() {
        "USER-DEFINED".to_owned()
    } else {
        catalog.type_name(base, -1)
    }
}

pub(super) fn udt_name(catalog: &Catalog, type_: Type) -> String {
    if let Some(element) = type_.element() {
        return format!("_{}", udt_name(catalog, element));
    }
    let base = catalog.named_base(type_);
    match (catalog.user_type(base), base.builtin()) {
        (Some(user_type), _) => user_type.name.clone(),
        (None, Some(builtin)) => builtin.name.to_owned(),
        (None, None) => String::new(),
    }
}

pub(super) fn udt_schema(catalog: &Catalog, type_: Type) -> String {
    let base = catalog.named_base(type_.element().unwrap_or(type_));
    let own = catalog.user_type(base).map(|user_type| user_type.schema);
    let schema = own.or_else(|| catalog.extension_of_type(base));
    schema.map_or("pg_catalog", |schema| catalog.schema_name(schema)).to_owned()
}

/// The type that a domain is over, with its modifier; any other type as it is.
fn underlying(catalog: &Catalog, mut type_: Modified) -> Modified {
    while let Some(TypeDefinition::Domain { base, .. }) =
        catalog.user_type(type_.base).map(|known| &known.definition)
    {
        type_ = *base;
    }
    type_
}

/// The lengths of a type of texts, in characters and in bytes.
pub(super) fn lengths(catalog: &Catalog, type_: Modified) -> [Json; 2] {
    let Modified { base, modifier } = underlying(catalog, type_);
    match base {
        Type::VARCHAR | Type::BPCHAR if modifier >= 4 => [json!(modifier - 4), json!((modifier - 4) * 4)],
        Type::BIT | Type::VARBIT if modifier > 0 => [json!(modifier), Json::Null],
        Type::TEXT | Type::VARCHAR => [Json::Null, json!(1_073_741_824)],
        _ => [Json::Null, Json::Null],
    }
}

/// Precision, radix and scale of a type of numbers, and the precision of one of times.
pub(super) fn precisions(catalog: &Catalog, type_: Modified) -> [Json; 4] {
    let Modified { base, modifier } = underlying(catalog, type_);
    let number = |precision: Json, radix: i32, scale: Json| [precision, json!(radix), scale, Json::Null];
    let time = |precision: i32| [Json::Null, Json::Null, Json::Null, json!(precision)];
    match base {
        Type::INT2 => number(json!(16), 2, json!(0)),
        Type::INT4 => number(json!(32), 2, json!(0)),
        Type::INT8 => number(json!(64), 2, json!(0)),
        Type::FLOAT4 => number(json!(24), 2, Json::Null),
        Type::FLOAT8 => number(json!(53), 2, Json::Null),
        Type::NUMERIC if modifier >= 4 => {
            number(json!((modifier - 4) >> 16), 10, json!((modifier - 4) & 0xffff))
        }
        Type::NUMERIC => number(Json::Null, 10, Json::Null),
        Type::DATE => time(0),
        Type::TIME | Type::TIMETZ | Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::INTERVAL => {
            time(if modifier >= 0 { modifier } else { 6 })
        }
        _ => [Json::Null, Json::Null, Json::Null, Json::Null],
    }
}

pub(super) fn domains(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .types()
        .filter_map(|(_, user_type)| match &user_type.definition {
            TypeDefinition::Domain { base, default, .. } => {
                let mut row = vec![
                    json!(DATABASE),
                    json!(catalog.schema_name(user_type.schema)),
                    json!(user_type.name),
                    json!(data_type(catalog, base.base)),
                    json!(default),
                    json!(udt_schema(catalog, base.base)),
                    json!(udt_name(catalog, base.base)),
                ];
                row.extend(lengths(catalog, *base));
                row.extend(precisions(catalog, *base));
                Some(row)
            }
            _ => None,
        })
        .collect()
}

pub(super) fn domain_constraints(catalog: &Catalog, _: &Settings) -> Rows {
    let named = catalog.types().flat_map(|(_, user_type)| {
        let checks = match &user_type.definition {
            TypeDefinition::Domain { checks, .. } => checks.as_slice(),
            _ => &[],
        };
        checks.iter().map(move |(name, _)| (user_type, name))
    });
    named
        .map(|(user_type, name)| {
            let schema = catalog.schema_name(user_type.schema);
            vec![json!(schema), json!(name), json!(schema), json!(user_type.name)]
        })
        .collect()
}

pub(super) fn user_defined_types(catalog: &Catalog, _: &Settings) -> Rows {
    let composites = catalog
        .types()
        .filter(|(_, user_type)| matches!(user_type.definition, TypeDefinition::Composite { .. }));
    composites
        .map(|(_, user_type)| vec![json!(catalog.schema_name(user_type.schema)), json!(user_type.name)])
        .collect()
}

pub(super) fn attributes(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (_, user_type) in catalog.types() {
        let TypeDefinition::Composite { attributes } = &user_type.definition else { continue };
        for (attribute, number) in attributes.iter().zip(1..) {
            let mut row = vec![
                json!(catalog.schema_name(user_type.schema)),
                json!(user_type.name),
                json!(attribute.name),
                json!(number),
                json!(data_type(catalog, attribute.type_.base)),
                json!(udt_schema(catalog, attribute.type_.base)),
                json!(udt_name(catalog, attribute.type_.base)),
            ];
            row.extend(lengths(catalog, attribute.type_));
            row.extend(precisions(catalog, attribute.type_));
            rows.push(row);
        }
    }
    rows
}

fn all_columns(catalog: &Catalog) -> impl Iterator<Item = (&Relation, usize, &Column)> {
    listed(catalog).flat_map(|relation| {
        relation.columns.iter().enumerate().map(move |(place, column)| (relation, place, column))
    })
}

fn column_of(catalog: &Catalog, relation: &Relation, column: &Column) -> [Json; 3] {
    [json!(catalog.schema_name(relation.schema)), json!(relation.name), json!(column.name)]
}

pub(super) fn column_domain_usage(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |(relation, _, column): (&Relation, usize, &Column)| {
        let user_type = catalog.user_type(column.type_.base)?;
        let is_domain = matches!(user_type.definition, TypeDefinition::Domain { .. });
        is_domain.then(|| {
            let mut row = vec![json!(catalog.schema_name(user_type.schema)), json!(user_type.name)];
            row.extend(column_of(catalog, relation, column));
            row
        })
    };
    all_columns(catalog).filter_map(row).collect()
}

/// Only types of the project's role: the platform's are those of the server.
pub(super) fn column_udt_usage(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |(relation, _, column): (&Relation, usize, &Column)| {
        let base = catalog.base_type(column.type_.base);
        catalog.user_type(base)?;
        let mut row = vec![json!(udt_schema(catalog, base)), json!(udt_name(catalog, base))];
        row.extend(column_of(catalog, relation, column));
        Some(row)
    };
    all_columns(catalog).filter_map(row).collect()
}

pub(super) fn element_types(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |(relation, place, column): (&Relation, usize, &Column)| {
        let element = column.type_.base.element()?;
        Some(vec![
            json!(catalog.schema_name(relation.schema)),
            json!(relation.name),
            json!((place + 1).to_string()),
            json!(data_type(catalog, element)),
            json!(udt_schema(catalog, element)),
            json!(udt_name(catalog, element)),
            json!(format!("a{}", place + 1)),
        ])
    };
    all_columns(catalog).filter_map(row).collect()
}
