//! Types and functions.

use serde_json::{Value as Json, json};

use super::classes::length;
use super::{Rows, flag, list};
use crate::bind::Settings;
use crate::catalog::{Catalog, Oid, PG_CATALOG, TypeDefinition};
use crate::describe;
use crate::functions::{self, Kind};
use crate::security::session::shown_path;
use crate::system::privileges::shown;
use crate::types::{BUILTINS, Type};

pub(super) fn types(catalog: &Catalog, _: &Settings) -> Rows {
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
            json!(collation(Type(oid))),
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
                own[15] = json!(collation(catalog.base_type(base.base)));
            }
            TypeDefinition::Enum { .. } => {}
        }
        rows.push(own);
        rows.push(row(oid + 1, format!("_{}", user_type.name), user_type.schema, "b", 'A', oid, 0));
    }
    rows
}

/// The collation of a type, as [`super::classes::attributes`] has it for columns.
pub(super) fn collation(type_: Type) -> u32 {
    let text = matches!(type_, Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::CITEXT);
    if text { 100 } else { 0 }
}

pub(super) fn enums(catalog: &Catalog, _: &Settings) -> Rows {
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

pub(super) fn procedures(catalog: &Catalog, settings: &Settings) -> Rows {
    own_procedures(catalog, settings).into_iter().chain(builtin_procedures()).collect()
}

/// The built-in functions, one row for each overload.
pub(super) fn builtin_procedures() -> Rows {
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

pub(super) fn own_procedures(catalog: &Catalog, _: &Settings) -> Rows {
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
                    list(routine.settings.iter().map(|setting| match setting.split_once(" TO ") {
                        Some((name, value)) if name.eq_ignore_ascii_case("search_path") => {
                            format!("{name}={}", shown_path(value))
                        }
                        Some((name, value)) => format!("{name}={}", value.trim_matches('\'')),
                        None => setting.clone(),
                    }))
                },
                json!(0),
                flag(false),
                shown(&routine.acl),
            ]
        })
        .collect()
}

pub(super) fn languages(_: &Catalog, _: &Settings) -> Rows {
    let languages = [(12, "internal"), (13, "c"), (14, "sql"), (13_600, "plpgsql")];
    languages.into_iter().map(|(oid, name)| vec![json!(oid), json!(name), flag(oid > 13)]).collect()
}
