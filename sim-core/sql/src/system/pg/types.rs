//! Types and functions.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::classes::length;
use super::{Rows, flag, list, vector};
use crate::bind::Settings;
use crate::bind::functions_of_operators;
use crate::catalog::{Catalog, IndexKey, Oid, PG_CATALOG, Part, TypeDefinition};
use crate::describe;
use crate::functions::Kind;
use crate::security::session::shown_path;
use crate::system::functions_of_extension;
use crate::system::operator_classes::Classes;
use crate::system::privileges::shown;
use crate::types::{BUILTINS, Type};
use crate::value::range;

pub(super) fn types(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |oid: u32, name: String, schema: Oid, kind: &str, category: char, element: u32, array: u32| {
        let storage = storage(catalog, Type(oid));
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
            json!(collation(catalog.base_type(Type(oid)))),
            flag(true),
            json!(","),
            json!(0),
            Json::Null,
            Json::Null,
            json!(storage.to_string()),
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
    for builtin in BUILTINS {
        let Some(schema) = catalog.extension_of_type(builtin.id) else { continue };
        let (name, element) = (builtin.name.to_owned(), builtin.id.0);
        rows.push(row(element, name, schema, "b", builtin.category, 0, builtin.array));
        rows.push(row(builtin.array, format!("_{}", builtin.name), schema, "b", 'A', element, 0));
    }
    for (oid, user_type) in catalog.types() {
        let (kind, category) = match &user_type.definition {
            TypeDefinition::Enum { .. } => ("e", 'E'),
            TypeDefinition::Composite { .. } | TypeDefinition::Row { .. } => ("c", 'C'),
            TypeDefinition::Domain { base, .. } => ("d", base.base.category()),
            TypeDefinition::Range { base, .. } if range::is_several(*base) => ("m", 'R'),
            TypeDefinition::Range { .. } => ("r", 'R'),
        };
        let mut own = row(oid, user_type.name.clone(), user_type.schema, kind, category, 0, oid + 1);
        let owner = match user_type.definition {
            TypeDefinition::Row { relation } => catalog.relation(relation).map(|relation| &relation.owner),
            _ => Some(&user_type.owner),
        };
        let owner = json!(owner.map_or(10, |owner| describe::role_oid(catalog, owner)));
        own[3] = owner.clone();
        own[20] = shown(&user_type.acl);
        match &user_type.definition {
            TypeDefinition::Row { relation } => own[8] = json!(relation),
            TypeDefinition::Composite { .. } => own[8] = json!(oid),
            TypeDefinition::Domain { base, not_null, default, .. } => {
                own[11] = json!(base.base.0);
                own[12] = json!(base.modifier);
                own[13] = flag(*not_null);
                (own[14], own[19]) = (json!(default), json!(default));
                own[15] = json!(collation(catalog.base_type(base.base)));
            }
            TypeDefinition::Enum { .. } | TypeDefinition::Range { .. } => {}
        }
        rows.push(own);
        let mut array = row(oid + 1, format!("_{}", user_type.name), user_type.schema, "b", 'A', oid, 0);
        array[3] = owner;
        rows.push(array);
    }
    rows
}

/// The types of ranges, with those of their bounds and of several ranges.
pub(super) fn ranges(catalog: &Catalog, _: &Settings) -> Rows {
    let classes = Classes::of(catalog);
    let key = IndexKey {
        column: None,
        expression: None,
        descending: false,
        nulls_first: None,
        class: None,
        collation: None,
    };
    let row = |type_: Type, several: Type, bound: Type, difference: Oid| {
        let texts = if bound == Type::TEXT { 100 } else { 0 };
        vec![
            json!(type_.0),
            json!(bound.0),
            json!(several.0),
            json!(texts),
            json!(classes.of_key(catalog, "btree", &key, bound)),
            json!(0),
            json!(difference),
        ]
    };
    let system = range::KINDS.into_iter().filter(|kind| !kind.range.is_under_ranges());
    let system = system.map(|kind| row(kind.range, kind.multirange, kind.bound, 0));
    let own = catalog.types().filter_map(|(oid, known)| match &known.definition {
        TypeDefinition::Range { base, pair, distance, .. } if !range::is_several(*base) => {
            let bound = range::kind(*base)?.bound;
            let builtin = |name: &str| describe::builtin_function_oid(name).unwrap_or(0);
            let distance = distance.as_ref().map(|by| by.function.unwrap_or_else(|| builtin(&by.name)));
            Some(row(Type(oid), *pair, bound, distance.unwrap_or(0)))
        }
        _ => None,
    });
    system.chain(own).collect()
}

/// The collation of a type, as [`super::classes::attributes`] has it for columns.
pub(super) fn collation(type_: Type) -> u32 {
    match type_.element().unwrap_or(type_) {
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::CITEXT => 100,
        Type::NAME => 950,
        _ => 0,
    }
}

/// How values of a type are stored unless a column says otherwise.
pub(super) fn storage(catalog: &Catalog, type_: Type) -> char {
    if matches!(type_, Type::OIDVECTOR | Type::INT2VECTOR | Type::TSQUERY) {
        return 'p';
    }
    if type_.element().is_some() {
        return 'x';
    }
    match catalog.user_type(type_).map(|known| &known.definition) {
        Some(TypeDefinition::Enum { .. }) => 'p',
        Some(
            TypeDefinition::Composite { .. } | TypeDefinition::Row { .. } | TypeDefinition::Range { .. },
        ) => 'x',
        Some(TypeDefinition::Domain { .. }) => storage(catalog, catalog.base_type(type_)),
        None => match type_ {
            Type::NUMERIC | Type::INET | Type::CIDR | Type::GEOMETRY | Type::GEOGRAPHY => 'm',
            _ if length(type_) == -1 => 'x',
            _ => 'p',
        },
    }
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

pub(super) fn procedures(catalog: &Catalog, _: &Settings) -> Rows {
    let schemas: BTreeMap<&str, Oid> =
        catalog.extensions().map(|(_, known)| (known.name.as_str(), known.schema)).collect();
    // The functions of most extensions are listed by signature.
    let schema_of = |of: &str| schemas.get(of).copied().filter(|_| functions_of_extension(of).is_empty());
    let of_extensions: BTreeMap<Oid, Option<Oid>> =
        describe::functions_of_extensions().map(|(oid, _, of)| (oid, schema_of(of))).collect();
    let mut builtin = builtin_procedures();
    builtin.retain_mut(|row| {
        let oid = row[0].as_u64().and_then(|oid| Oid::try_from(oid).ok()).unwrap_or(0);
        let schema = of_extensions.get(&oid).copied().unwrap_or(Some(PG_CATALOG));
        row[2] = json!(schema);
        schema.is_some()
    });
    shown_procedures(catalog).chain(builtin).collect()
}

/// PostgreSQL's own functions, one row for each overload. Their numbers are this engine's.
pub(super) fn builtin_procedures() -> Rows {
    let of_operators = functions_of_operators().enumerate().map(|(index, (name, inputs, returns))| {
        let inputs: Vec<u32> = inputs.iter().map(|type_| type_.0).collect();
        builtin_procedure(
            describe::OF_OPERATORS as usize + index,
            &name,
            ("f", true, false, "i"),
            &inputs,
            returns,
        )
    });
    let named = describe::named_functions().map(|(oid, function)| {
        let inputs: Vec<u32> = function.arguments.iter().map(|type_| type_.0).collect();
        let kind = match function.kind {
            Kind::Aggregate { .. } => "a",
            Kind::Window => "w",
            Kind::Scalar | Kind::Set { .. } => "f",
        };
        let volatility = if function.volatile { "v" } else { "i" };
        let how = (kind, function.strict, matches!(function.kind, Kind::Set { .. }), volatility);
        builtin_procedure(oid as usize, function.name, how, &inputs, function.returns)
    });
    named.chain(of_operators).collect()
}

fn builtin_procedure(
    oid: usize,
    name: &str,
    (kind, strict, set, volatility): (&str, bool, bool, &str),
    inputs: &[u32],
    returns: Type,
) -> Vec<Json> {
    vec![
        json!(oid),
        json!(name),
        json!(PG_CATALOG),
        json!(10),
        json!(12),
        json!(kind),
        flag(false),
        flag(strict),
        flag(set),
        json!(volatility),
        json!(inputs.len()),
        json!(0),
        json!(returns.0),
        vector(inputs),
        Json::Null,
        Json::Null,
        Json::Null,
        json!(name),
        Json::Null,
        json!(0),
        flag(false),
        Json::Null,
        json!("s"),
        json!(1.0),
        json!(if set { 1000.0 } else { 0.0 }),
        Json::Null,
    ]
}

/// The project's aggregates.
pub(super) fn aggregates(catalog: &Catalog, _: &Settings) -> Rows {
    let builtin = builtin_procedures();
    let number = |part: &Part| {
        let name = part.name.trim_start_matches("pg_catalog.");
        let known = || builtin.iter().find(|row| row[1] == name).map(|row| row[0].clone());
        part.routine.map(|oid| json!(oid)).or_else(known).unwrap_or(json!(0))
    };
    let rows = catalog.routines().filter_map(|(oid, routine)| {
        let known = routine.aggregation.as_ref()?;
        let finish = known.finish.as_ref().map_or(json!(0), number);
        let none = || json!(0);
        Some(vec![
            json!(oid),
            json!("n"),
            none(),
            number(&known.step),
            finish,
            none(),
            none(),
            none(),
            none(),
            none(),
            none(),
            flag(known.finish_extra),
            flag(false),
            json!("r"),
            json!("r"),
            none(),
            json!(known.state.0),
            none(),
            none(),
            none(),
            json!(known.initial),
            Json::Null,
        ])
    });
    rows.collect()
}

/// The project's functions and those of extensions.
fn shown_procedures(catalog: &Catalog) -> impl Iterator<Item = Vec<Json>> {
    catalog.shown_routines().map(|(oid, routine)| {
        let inputs: Vec<u32> = routine.inputs().map(|argument| argument.type_.0).collect();
        let has_results = routine.arguments.iter().any(|argument| matches!(argument.mode, 'b' | 'o'));
        let plain = routine.arguments.iter().all(|argument| argument.mode == 'i');
        let named = routine.arguments.iter().any(|argument| argument.name.is_some());
        let language = match routine.language.as_str() {
            "internal" => 12,
            "c" => 13,
            "sql" => 14,
            _ => 13_600,
        };
        let defaults: Vec<&str> =
            routine.inputs().filter_map(|argument| argument.default.as_deref()).collect();
        let variadic = routine.arguments.iter().find(|argument| argument.mode == 'v');
        let variadic = variadic.map(|argument| argument.type_.element().unwrap_or(argument.type_).0);
        vec![
            json!(oid),
            json!(routine.name),
            json!(routine.schema),
            json!(describe::role_oid(catalog, &routine.owner)),
            json!(language),
            json!(&routine.word()[..1]),
            flag(routine.security_definer),
            flag(routine.strict),
            flag(routine.returns_set),
            json!(routine.volatility.to_string()),
            json!(inputs.len()),
            json!(defaults.len()),
            json!(if routine.procedure && has_results { Type::RECORD.0 } else { routine.returns.0 }),
            vector(&inputs),
            if plain { Json::Null } else { list(routine.arguments.iter().map(|argument| argument.type_.0)) },
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
            json!(if routine.settled.is_some() { "" } else { &routine.body }),
            if routine.settings.is_empty() {
                Json::Null
            } else {
                list(routine.settings.iter().map(|setting| match setting.split_once(" TO ") {
                    Some((name, value)) if name.eq_ignore_ascii_case("search_path") => {
                        format!("{name}={}", shown_path(value))
                    }
                    Some((name, value)) => {
                        let mixed = ["TimeZone", "DateStyle", "IntervalStyle"];
                        let known = mixed.iter().find(|known| known.eq_ignore_ascii_case(name));
                        format!("{}={}", known.map_or(name, |known| *known), value.trim_matches('\''))
                    }
                    None => setting.clone(),
                }))
            },
            json!(variadic.unwrap_or(0)),
            flag(routine.leakproof),
            shown(&routine.acl),
            json!(routine.parallel.to_string()),
            json!(routine.estimates().0),
            json!(routine.estimates().1),
            if defaults.is_empty() { Json::Null } else { json!(defaults.join(", ")) },
            if routine.settled.is_some() { json!(routine.body) } else { Json::Null },
        ]
    })
}

pub(super) fn languages(_: &Catalog, _: &Settings) -> Rows {
    let languages = [(12, "internal"), (13, "c"), (14, "sql"), (13_600, "plpgsql")];
    languages.into_iter().map(|(oid, name)| vec![json!(oid), json!(name), flag(oid > 13)]).collect()
}
