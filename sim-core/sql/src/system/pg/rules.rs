//! Constraints, policies, triggers and comments.

use serde_json::{Value as Json, json};

use super::{Rows, flag, list, vector};
use crate::bind::{Binder, Settings, seen, showing};
use crate::catalog::{Action, Catalog, ConstraintKind, Relation};
use crate::describe;
use crate::system::System;

pub(super) fn action(action: Action) -> &'static str {
    match action {
        Action::NoAction => "a",
        Action::Restrict => "r",
        Action::Cascade => "c",
        Action::SetNull => "n",
        Action::SetDefault => "d",
    }
}

pub(super) fn constraints(catalog: &Catalog, settings: &Settings) -> Rows {
    let catalog = &*seen(catalog, settings);
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for constraint in &relation.constraints {
            let (kind, index, table, on_update, on_delete, referenced, text) = match &constraint.kind {
                ConstraintKind::Primary { index } => ("p", *index, 0, " ", " ", Json::Null, Json::Null),
                ConstraintKind::Unique { index } => ("u", *index, 0, " ", " ", Json::Null, Json::Null),
                ConstraintKind::Exclude { index, .. } => ("x", *index, 0, " ", " ", Json::Null, Json::Null),
                ConstraintKind::Check { expression } => ("c", 0, 0, " ", " ", Json::Null, json!(expression)),
                ConstraintKind::Foreign { table, columns, on_delete, on_update, .. } => {
                    let index = catalog.index_of_key(*table, columns).unwrap_or(0);
                    ("f", index, *table, action(*on_update), action(*on_delete), list(columns), Json::Null)
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
                json!(match &constraint.kind {
                    ConstraintKind::Foreign { full: true, .. } => "f",
                    ConstraintKind::Foreign { .. } => "s",
                    _ => " ",
                }),
                list(&constraint.columns),
                referenced,
                match &constraint.kind {
                    ConstraintKind::Foreign { set, .. } if !set.is_empty() => list(set),
                    _ => Json::Null,
                },
                text,
                json!(constraint.parent.unwrap_or(0)),
                flag(constraint.parent.is_none()),
                flag(match constraint.kind {
                    ConstraintKind::Check { .. } => constraint.no_inherit,
                    ConstraintKind::Foreign { .. } if relation.partitioning.is_some() => false,
                    _ => constraint.parent.is_none(),
                }),
            ]);
        }
    }
    rows.extend(catalog.relations().flat_map(trigger_constraints));
    rows.extend(describe::domain_checks(catalog).map(|check| {
        vec![
            json!(check.oid),
            json!(check.name),
            json!(check.schema),
            json!("c"),
            flag(false),
            flag(false),
            flag(true),
            json!(0),
            json!(check.domain),
            json!(0),
            json!(0),
            json!(" "),
            json!(" "),
            json!(" "),
            Json::Null,
            Json::Null,
            Json::Null,
            json!(check.text),
            json!(0),
            flag(true),
            flag(false),
        ]
    }));
    rows
}

/// The constraints that triggers are.
fn trigger_constraints(relation: &Relation) -> Rows {
    let known = relation.triggers.iter().filter_map(|trigger| {
        let oid = describe::trigger_constraint(trigger)?;
        Some(vec![
            json!(oid),
            json!(trigger.name),
            json!(relation.schema),
            json!("t"),
            flag(trigger.deferrable || trigger.deferred),
            flag(trigger.deferred),
            flag(true),
            json!(relation.oid),
            json!(0),
            json!(0),
            json!(trigger.refers_to.unwrap_or(0)),
            json!(" "),
            json!(" "),
            json!(" "),
            Json::Null,
            Json::Null,
            Json::Null,
            Json::Null,
            json!(0),
            flag(true),
            flag(true),
        ])
    });
    known.collect()
}

pub(super) fn descriptions(catalog: &Catalog, _: &Settings) -> Rows {
    let class = |name: &str| crate::system::find(None, name).map_or(0, System::oid);
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

pub(super) fn policies(catalog: &Catalog, settings: &Settings) -> Rows {
    showing(catalog, settings, |binder| policies_by(catalog, binder))
}

/// A condition of a policy as people see it.
fn shown_condition(binder: &mut Binder<'_>, relation: &Relation, condition: &Option<String>) -> Json {
    json!(condition.as_ref().map(|condition| binder.policy_text(relation, condition)))
}

fn policies_by(catalog: &Catalog, binder: &mut Binder<'_>) -> Rows {
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
                shown_condition(binder, relation, &policy.using),
                shown_condition(binder, relation, &policy.check),
            ]);
        }
    }
    rows
}

pub(super) fn policy_views(catalog: &Catalog, settings: &Settings) -> Rows {
    showing(catalog, settings, |binder| policy_views_by(catalog, binder))
}

fn policy_views_by(catalog: &Catalog, binder: &mut Binder<'_>) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        for policy in &relation.policies {
            let mut roles = policy.roles.clone();
            roles.sort_unstable();
            rows.push(vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(policy.name),
                json!(if policy.permissive { "PERMISSIVE" } else { "RESTRICTIVE" }),
                list(&roles),
                json!(policy.command),
                shown_condition(binder, relation, &policy.using),
                shown_condition(binder, relation, &policy.check),
            ]);
        }
    }
    rows
}

pub(super) fn triggers(catalog: &Catalog, _: &Settings) -> Rows {
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
            let columns = trigger.columns.iter().filter_map(|name| relation.column(name));
            let numbers: Vec<u32> = columns.map(|column| column.number).collect();
            // Each argument ends with a zero byte. `System::definition` reads the digits.
            let bytes = trigger.arguments.iter().flat_map(|argument| argument.bytes().chain([0]));
            let arguments: String = bytes.map(|byte| format!("{byte:02x}")).collect();
            rows.push(vec![
                json!(trigger.oid),
                json!(relation.oid),
                json!(trigger.name),
                json!(trigger.function),
                json!(bits),
                json!(trigger.enabled.to_string()),
                flag(false),
                json!(trigger.arguments.len()),
                json!(describe::trigger_constraint(trigger).unwrap_or(0)),
                json!(trigger.refers_to.unwrap_or(0)),
                flag(trigger.deferrable || trigger.deferred),
                flag(trigger.deferred),
                vector(&numbers),
                json!(trigger.condition),
                json!(trigger.old_table),
                json!(trigger.new_table),
                json!(arguments),
            ]);
        }
    }
    rows
}
