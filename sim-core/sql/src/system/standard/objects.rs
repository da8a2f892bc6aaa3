//! Routines, triggers, sequences and views.

use serde_json::{Value as Json, json};

use super::types::type_of_parameter;
use super::{DATABASE, Rows, data_type, listed, udt_name, udt_schema, yes};
use crate::bind::{Binder, Settings, showing};
use crate::catalog::{Catalog, RelationKind, Trigger};
use crate::through::{is_insertable, is_updatable};
use crate::types::Type;

pub(super) fn views(catalog: &Catalog, settings: &Settings) -> Rows {
    showing(catalog, settings, |binder| views_by(catalog, binder))
}

fn views_by(catalog: &Catalog, binder: &mut Binder<'_>) -> Rows {
    listed(catalog)
        .filter(|relation| relation.shown_kind() == RelationKind::View)
        .map(|relation| {
            let definition = binder.view_text(relation, false);
            let check = relation.options.iter().find_map(|option| option.strip_prefix("check_option="));
            let has_instead = |event: &str| {
                let mut instead = relation.triggers.iter().filter(|trigger| trigger.timing == "INSTEAD OF");
                yes(instead.any(|trigger| trigger.events.iter().any(|known| known == event)))
            };
            vec![
                json!(DATABASE),
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(definition),
                json!(
                    check.map_or_else(|| "NONE".to_owned(), |check| check.trim_matches('\'').to_uppercase())
                ),
                yes(is_updatable(catalog, relation)),
                yes(is_insertable(catalog, relation)),
                has_instead("UPDATE"),
                has_instead("DELETE"),
                has_instead("INSERT"),
            ]
        })
        .collect()
}

pub(super) fn routines(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .shown_routines()
        .map(|(oid, routine)| {
            let schema = catalog.schema_name(routine.schema);
            let sql = routine.language == "sql";
            let [data, udt, udt_schema, udt_catalog] = match routine.procedure {
                true => [Json::Null, Json::Null, Json::Null, Json::Null],
                false => [
                    json!(data_type(catalog, routine.returns)),
                    json!(udt_name(catalog, routine.returns)),
                    json!(udt_schema(catalog, routine.returns)),
                    json!(DATABASE),
                ],
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
                json!(if routine.settled.is_some() { "" } else { &routine.body }),
                json!(routine.language.to_uppercase()),
                json!(if routine.security_definer { "DEFINER" } else { "INVOKER" }),
                yes(routine.volatility == 'i'),
                udt_catalog,
                udt_schema,
                if routine.procedure { Json::Null } else { yes(routine.strict) },
            ]
        })
        .collect()
}

pub(super) fn parameters(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (oid, routine) in catalog.shown_routines() {
        for (index, argument) in routine.arguments.iter().enumerate() {
            let mode = match argument.mode {
                'o' | 't' => "OUT",
                'b' => "INOUT",
                _ => "IN",
            };
            let [data, schema, name] = type_of_parameter(catalog, argument.type_);
            rows.push(vec![
                json!(catalog.schema_name(routine.schema)),
                json!(format!("{}_{oid}", routine.name)),
                json!(index + 1),
                json!(mode),
                json!(argument.name),
                data,
                schema,
                name,
                json!(argument.default),
            ]);
        }
    }
    rows
}

pub(super) fn triggers(catalog: &Catalog, settings: &Settings) -> Rows {
    showing(catalog, settings, |binder| triggers_by(catalog, binder))
}

fn triggers_by(catalog: &Catalog, binder: &mut Binder<'_>) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        let schema = catalog.schema_name(relation.schema);
        for trigger in &relation.triggers {
            let condition = binder.trigger_condition(relation, trigger);
            let action = binder.trigger_action(trigger);
            // The standard knows no others.
            for event in trigger.events.iter().filter(|event| *event != "TRUNCATE") {
                rows.push(vec![
                    json!(DATABASE),
                    json!(schema),
                    json!(trigger.name),
                    json!(event),
                    json!(schema),
                    json!(relation.name),
                    json!(1 + relation.triggers.iter().filter(|one| is_before(one, trigger, event)).count()),
                    json!(condition),
                    json!(action),
                    json!(if trigger.for_each_row { "ROW" } else { "STATEMENT" }),
                    json!(trigger.timing),
                    json!(trigger.old_table),
                    json!(trigger.new_table),
                ]);
            }
        }
    }
    rows
}

/// Whether one trigger fires before another one of the same event and time.
fn is_before(one: &Trigger, other: &Trigger, event: &String) -> bool {
    one.events.contains(event)
        && one.timing == other.timing
        && one.for_each_row == other.for_each_row
        && one.name < other.name
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
                    json!(match options.type_ {
                        Type::INT2 => 16,
                        Type::INT4 => 32,
                        _ => 64,
                    }),
                ]
            })
        })
        .collect()
}

pub(super) fn triggered_update_columns(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        let schema = catalog.schema_name(relation.schema);
        for trigger in &relation.triggers {
            rows.extend(trigger.columns.iter().map(|column| {
                vec![json!(schema), json!(trigger.name), json!(schema), json!(relation.name), json!(column)]
            }));
        }
    }
    rows
}
