//! Constraints and their columns.

use serde_json::{Value as Json, json};

use super::{DATABASE, Rows, yes};
use crate::bind::Settings;
use crate::catalog::{Action, Catalog, ConstraintKind, Relation, RelationKind};
use crate::describe;

pub(super) fn constraints(
    catalog: &Catalog,
) -> impl Iterator<Item = (&Relation, &crate::catalog::Constraint)> {
    catalog
        .relations()
        .flat_map(|relation| relation.constraints.iter().map(move |constraint| (relation, constraint)))
        // The standard does not have exclusions.
        .filter(|(_, constraint)| !matches!(constraint.kind, ConstraintKind::Exclude { .. }))
}

pub(super) fn table_constraints(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |relation: &Relation, name: String, kind: &str, deferrable: bool, deferred: bool, distinct| {
        let schema = catalog.schema_name(relation.schema);
        vec![
            json!(DATABASE),
            json!(schema),
            json!(name),
            json!(DATABASE),
            json!(schema),
            json!(relation.name),
            json!(kind),
            yes(deferrable),
            yes(deferred),
            json!("YES"),
            distinct,
        ]
    };
    let named = constraints(catalog).map(|(relation, constraint)| {
        let kind = match constraint.kind {
            ConstraintKind::Primary { .. } => "PRIMARY KEY",
            ConstraintKind::Unique { .. } => "UNIQUE",
            ConstraintKind::Check { .. } | ConstraintKind::Exclude { .. } => "CHECK",
            ConstraintKind::Foreign { .. } => "FOREIGN KEY",
        };
        let distinct = match constraint.kind {
            ConstraintKind::Unique { index } => {
                let index = relation.indexes.iter().find(|known| known.oid == index);
                yes(!index.is_some_and(|index| index.nulls_not_distinct))
            }
            _ => Json::Null,
        };
        row(relation, constraint.name.clone(), kind, constraint.deferrable, constraint.deferred, distinct)
    });
    // In the standard, each `NOT NULL` is a check constraint.
    let not_null = catalog
        .relations()
        .filter(|relation| relation.shown_kind() == RelationKind::Table)
        .flat_map(|relation| {
            let columns = relation.columns.iter().filter(|column| column.not_null);
            columns.map(move |column| {
                let name = format!("{}_{}_{}_not_null", relation.schema, relation.oid, column.number);
                row(relation, name, "CHECK", false, false, Json::Null)
            })
        });
    named.chain(not_null).collect()
}

pub(super) fn key_column_usage(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (relation, constraint) in constraints(catalog) {
        let foreign = matches!(constraint.kind, ConstraintKind::Foreign { .. });
        if matches!(constraint.kind, ConstraintKind::Check { .. }) {
            continue;
        }
        let schema = catalog.schema_name(relation.schema);
        for (index, number) in constraint.columns.iter().enumerate() {
            rows.push(vec![
                json!(DATABASE),
                json!(schema),
                json!(constraint.name),
                json!(DATABASE),
                json!(schema),
                json!(relation.name),
                json!(relation.column_name(*number)),
                json!(index + 1),
                if foreign { json!(index + 1) } else { Json::Null },
            ]);
        }
    }
    rows
}

pub(super) fn constraint_column_usage(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (relation, constraint) in constraints(catalog) {
        let (table, numbers) = match &constraint.kind {
            ConstraintKind::Foreign { table, columns, .. } => (catalog.relation(*table), columns),
            _ => (Some(relation), &constraint.columns),
        };
        let Some(table) = table else { continue };
        for number in numbers {
            rows.push(vec![
                json!(DATABASE),
                json!(catalog.schema_name(table.schema)),
                json!(table.name),
                json!(table.column_name(*number)),
                json!(DATABASE),
                json!(catalog.schema_name(relation.schema)),
                json!(constraint.name),
            ]);
        }
    }
    rows
}

pub(super) fn referential_constraints(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (relation, constraint) in constraints(catalog) {
        let ConstraintKind::Foreign { table, columns, on_delete, on_update, full, .. } = &constraint.kind
        else {
            continue;
        };
        let key = catalog.relation(*table).and_then(|parent| {
            let is_key = |kind: &ConstraintKind| {
                matches!(kind, ConstraintKind::Primary { .. } | ConstraintKind::Unique { .. })
            };
            parent
                .constraints
                .iter()
                .find(|key| is_key(&key.kind) && key.columns == *columns)
                .map(|key| (parent, key))
        });
        let rule = |action: &Action| json!(action.words());
        rows.push(vec![
            json!(DATABASE),
            json!(catalog.schema_name(relation.schema)),
            json!(constraint.name),
            json!(DATABASE),
            json!(key.map(|(parent, _)| catalog.schema_name(parent.schema))),
            json!(key.map(|(_, key)| &key.name)),
            json!(if *full { "FULL" } else { "NONE" }),
            rule(on_update),
            rule(on_delete),
        ]);
    }
    rows
}

pub(super) fn check_constraints(catalog: &Catalog, _: &Settings) -> Rows {
    let written = constraints(catalog).filter_map(|(relation, constraint)| {
        let ConstraintKind::Check { expression } = &constraint.kind else { return None };
        Some(vec![
            json!(DATABASE),
            json!(catalog.schema_name(relation.schema)),
            json!(constraint.name),
            json!(format!("({expression})")),
        ])
    });
    let not_null = catalog
        .relations()
        .filter(|relation| relation.shown_kind() == RelationKind::Table)
        .flat_map(|relation| {
            let columns = relation.columns.iter().filter(|column| column.not_null);
            columns.map(move |column| {
                let name = format!("{}_{}_{}_not_null", relation.schema, relation.oid, column.number);
                vec![
                    json!(DATABASE),
                    json!(catalog.schema_name(relation.schema)),
                    json!(name),
                    json!(format!("{} IS NOT NULL", column.name)),
                ]
            })
        });
    let of_domains = describe::domain_checks(catalog).map(|check| {
        vec![
            json!(DATABASE),
            json!(catalog.schema_name(check.schema)),
            json!(check.name),
            json!(format!("({})", check.text)),
        ]
    });
    written.chain(not_null).chain(of_domains).collect()
}

/// The tables of keys, and those that foreign keys refer to.
pub(super) fn constraint_table_usage(catalog: &Catalog, _: &Settings) -> Rows {
    let row = |(relation, constraint): (&Relation, &crate::catalog::Constraint)| {
        let used = match constraint.kind {
            ConstraintKind::Foreign { table, .. } => catalog.relation(table)?,
            ConstraintKind::Primary { .. } | ConstraintKind::Unique { .. } => relation,
            ConstraintKind::Check { .. } | ConstraintKind::Exclude { .. } => return None,
        };
        Some(vec![
            json!(catalog.schema_name(used.schema)),
            json!(used.name),
            json!(catalog.schema_name(relation.schema)),
            json!(constraint.name),
        ])
    };
    constraints(catalog).filter_map(row).collect()
}
