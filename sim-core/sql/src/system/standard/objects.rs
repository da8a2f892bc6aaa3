//! Routines, triggers, sequences, domains and views.

use serde_json::{Value as Json, json};

use super::{DATABASE, Rows, data_type, listed, udt_name, yes};
use crate::bind::Settings;
use crate::catalog::{Catalog, RelationKind, TypeDefinition};
use crate::through::is_updatable;

pub(super) fn views(catalog: &Catalog, _: &Settings) -> Rows {
    listed(catalog)
        .filter(|relation| relation.shown_kind() == RelationKind::View)
        .map(|relation| {
            let definition = relation.definition.as_ref().map(|text| format!(" {text};"));
            let check = relation.options.iter().find_map(|option| option.strip_prefix("check_option="));
            let updatable = is_updatable(catalog, relation);
            vec![
                json!(DATABASE),
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(definition),
                json!(
                    check.map_or_else(|| "NONE".to_owned(), |check| check.trim_matches('\'').to_uppercase())
                ),
                yes(updatable),
                yes(updatable),
            ]
        })
        .collect()
}

pub(super) fn routines(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .routines()
        .map(|(oid, routine)| {
            let schema = catalog.schema_name(routine.schema);
            let sql = routine.language == "sql";
            let (data, udt) = if routine.procedure {
                (Json::Null, Json::Null)
            } else {
                (json!(data_type(catalog, routine.returns)), json!(udt_name(catalog, routine.returns)))
            };
            vec![
                json!(schema),
                json!(format!("{}_{oid}", routine.name)),
                json!(DATABASE),
                json!(schema),
                json!(routine.name),
                json!(if routine.procedure { "PROCEDURE" } else { "FUNCTION" }),
                data,
                udt,
                json!(if sql { "SQL" } else { "EXTERNAL" }),
                json!(routine.body),
                json!(routine.language.to_uppercase()),
                json!(if routine.security_definer { "DEFINER" } else { "INVOKER" }),
                yes(routine.volatility == 'i'),
            ]
        })
        .collect()
}

pub(super) fn parameters(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (oid, routine) in catalog.routines() {
        for (index, argument) in routine.arguments.iter().enumerate() {
            let mode = match argument.mode {
                'o' | 't' => "OUT",
                'b' => "INOUT",
                _ => "IN",
            };
            rows.push(vec![
                json!(catalog.schema_name(routine.schema)),
                json!(format!("{}_{oid}", routine.name)),
                json!(index + 1),
                json!(mode),
                json!(argument.name),
                json!(data_type(catalog, argument.type_)),
                json!(udt_name(catalog, argument.type_)),
            ]);
        }
    }
    rows
}

pub(super) fn triggers(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        let schema = catalog.schema_name(relation.schema);
        for trigger in &relation.triggers {
            let function = catalog
                .routines()
                .find(|(oid, _)| *oid == trigger.function)
                .map(|(_, routine)| routine.name.as_str())
                .or_else(|| crate::plpgsql::builtin_trigger_name(trigger.function))
                .unwrap_or_default();
            let arguments: Vec<String> =
                trigger.arguments.iter().map(|argument| format!("'{argument}'")).collect();
            for event in &trigger.events {
                rows.push(vec![
                    json!(DATABASE),
                    json!(schema),
                    json!(trigger.name),
                    json!(event),
                    json!(schema),
                    json!(relation.name),
                    json!(1),
                    json!(trigger.condition.as_ref().map(|text| format!("({text})"))),
                    json!(format!("EXECUTE FUNCTION {function}({})", arguments.join(", "))),
                    json!(if trigger.for_each_row { "ROW" } else { "STATEMENT" }),
                    json!(trigger.timing),
                ]);
            }
        }
    }
    rows
}

pub(super) fn sequences(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter_map(|relation| {
            let options = relation.sequence.as_ref()?;
            // Sequences of identity columns are not listed.
            let identity = options
                .owner
                .and_then(|(table, number)| catalog.relation(table)?.column_number(number)?.identity);
            identity.is_none().then(|| {
                vec![
                    json!(DATABASE),
                    json!(catalog.schema_name(relation.schema)),
                    json!(relation.name),
                    json!(catalog.type_name(options.type_, -1)),
                    json!(options.start.to_string()),
                    json!(options.minimum.to_string()),
                    json!(options.maximum.to_string()),
                    json!(options.increment.to_string()),
                    yes(options.cycle),
                ]
            })
        })
        .collect()
}

pub(super) fn domains(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .types()
        .filter_map(|(_, user_type)| match &user_type.definition {
            TypeDefinition::Domain { base, default, .. } => Some(vec![
                json!(DATABASE),
                json!(catalog.schema_name(user_type.schema)),
                json!(user_type.name),
                json!(data_type(catalog, base.base)),
                json!(default),
                json!(udt_name(catalog, base.base)),
            ]),
            _ => None,
        })
        .collect()
}
