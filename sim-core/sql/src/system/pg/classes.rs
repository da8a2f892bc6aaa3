//! Tables, views, indexes and sequences, with their columns.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{METHODS, Rows, flag, list, vector};
use crate::bind::{Binder, Settings, seen, showing};
use crate::catalog::{
    Bound, Catalog, Column, ConstraintKind, IN_BOUND, INFORMATION_SCHEMA, Identity, Index, IndexKey, Oid,
    PG_CATALOG, Relation, RelationKind, Strategy, TypeDefinition,
};
use crate::describe;
use crate::system::operator_classes::Classes;
use crate::system::privileges::shown;
use crate::types::{Modified, Type};

pub(super) fn kind(relation: &Relation) -> &'static str {
    match relation.shown_kind() {
        RelationKind::Table if relation.partitioning.is_some() => "p",
        RelationKind::Table => "r",
        RelationKind::View => "v",
        RelationKind::MaterializedView => "m",
        RelationKind::Sequence => "S",
        RelationKind::Foreign => "f",
    }
}

pub(super) fn classes(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    let parents =
        catalog.relations().filter_map(|relation| relation.partition.as_ref().map(|part| part.parent));
    let above = all_indexes(catalog).filter_map(|(_, index)| index.parent).chain(parents);
    let above: BTreeSet<Oid> = above.collect();
    for relation in catalog.relations() {
        let checks =
            relation.constraints.iter().filter(|c| matches!(c.kind, ConstraintKind::Check { .. })).count();
        let options = options(
            relation.options.iter().filter(|option| relation.partition.is_none() || *option != IN_BOUND),
        );
        let persistence = persistence(catalog, relation);
        rows.push(vec![
            json!(relation.oid),
            json!(relation.name),
            json!(relation.schema),
            json!(catalog.row_type(relation.oid).map_or(0, |t| t.0)),
            json!(0),
            json!(describe::role_oid(catalog, &relation.owner)),
            json!(
                if relation.partitioning.is_none() && (relation.is_stored() || relation.partition.is_some()) {
                    2
                } else {
                    0
                }
            ),
            json!(kind(relation)),
            json!(relation.columns.len() + relation.dropped_columns().count()),
            flag(!relation.indexes.is_empty()),
            flag(relation.partition.is_some()),
            flag(relation.row_security),
            flag(relation.force_row_security),
            json!(-1.0),
            json!(0),
            json!(persistence),
            json!(match relation.shown_kind() {
                RelationKind::Table | RelationKind::MaterializedView => relation.replica_identity.to_string(),
                _ => "n".to_owned(),
            }),
            options,
            json!(checks),
            flag(has_triggers(catalog, relation)),
            flag(relation.shown_kind() == RelationKind::View || !relation.rules.is_empty()),
            flag(!relation.unpopulated),
            shown(&relation.acl),
            json!(0),
            json!(catalog.bound_text(relation)),
            flag(above.contains(&relation.oid)),
        ]);
        for index in &relation.indexes {
            let method = METHODS.iter().find(|(_, name)| *name == index.method).map_or(0, |(oid, _)| *oid);
            rows.push(vec![
                json!(index.oid),
                json!(index.name),
                json!(relation.schema),
                json!(0),
                json!(0),
                json!(10),
                json!(method),
                json!(if relation.partitioning.is_some() { "I" } else { "i" }),
                json!(index.keys.len() + index.include.len()),
                flag(false),
                flag(index.parent.is_some()),
                flag(false),
                flag(false),
                json!(0.0),
                json!(1),
                json!(persistence),
                json!("n"),
                self::options(&index.options),
                json!(0),
                flag(false),
                flag(false),
                flag(true),
                Json::Null,
                json!(0),
                Json::Null,
                flag(above.contains(&index.oid)),
            ]);
        }
    }
    for (oid, known) in catalog.types() {
        if let TypeDefinition::Composite { attributes } = &known.definition {
            rows.push(bare((oid, &known.name, known.schema), ("c", oid), attributes.len(), 0.0));
        }
    }
    for system in crate::system::ALL.iter() {
        let schema = if system.name.contains('.') { INFORMATION_SCHEMA } else { PG_CATALOG };
        let kind = if system.word() == "view" { "v" } else { "r" };
        let named = (system.oid(), system.short_name(), schema);
        rows.push(bare(named, (kind, 0), system.all_columns().len(), -1.0));
    }
    rows
}

/// The row of what the server owns and what has no parts besides columns: a system relation, a composite type. `type_` is that of its rows,
/// `tuples` how many of them are known.
fn bare(
    (oid, name, schema): (Oid, &str, Oid),
    (kind, type_): (&str, Oid),
    columns: usize,
    tuples: f64,
) -> Vec<Json> {
    vec![
        json!(oid),
        json!(name),
        json!(schema),
        json!(type_),
        json!(0),
        json!(10),
        json!(0),
        json!(kind),
        json!(columns),
        flag(false),
        flag(false),
        flag(false),
        flag(false),
        json!(tuples),
        json!(0),
        json!("p"),
        json!("n"),
        Json::Null,
        json!(0),
        flag(false),
        flag(false),
        flag(true),
        Json::Null,
        json!(0),
        Json::Null,
        flag(false),
    ]
}

/// The options of a relation or an index.
fn options<'o>(options: impl IntoIterator<Item = &'o String>) -> Json {
    let options: Vec<&String> = options.into_iter().collect();
    if options.is_empty() { Json::Null } else { list(&options) }
}

/// Whether a relation is permanent, temporary or not logged. A sequence is like the table of its column.
fn persistence(catalog: &Catalog, relation: &Relation) -> &'static str {
    let owner = relation.sequence.as_ref().and_then(|options| options.owner);
    let owner = owner.and_then(|(table, _)| catalog.relation(table));
    match owner.unwrap_or(relation) {
        of if Some(of.schema) == catalog.temporary() => "t",
        of if of.unlogged => "u",
        _ => "p",
    }
}

pub(super) fn length(type_: Type) -> i16 {
    type_.builtin().map_or(if type_.element().is_some() { -1 } else { 4 }, |builtin| builtin.length)
}

/// A column that was dropped. Programs that number the columns of a table expect one row for each number.
fn dropped(relation: Oid, number: u32) -> Vec<Json> {
    vec![
        json!(relation),
        json!(format!("........pg.dropped.{number}........")),
        json!(0),
        json!(-1),
        json!(number),
        json!(-1),
        flag(false),
        flag(false),
        json!(""),
        json!(""),
        flag(true),
        json!(0),
        json!(0),
        flag(true),
        Json::Null,
        json!(0),
        json!("p"),
        json!(""),
        Json::Null,
    ]
}

pub(super) fn attributes(catalog: &Catalog, settings: &Settings) -> Rows {
    showing(catalog, settings, |binder| attributes_by(catalog, binder))
}

fn attributes_by(catalog: &Catalog, binder: &mut Binder<'_>) -> Rows {
    let mut rows = Rows::new();
    for relation in catalog.relations() {
        rows.extend(relation.columns.iter().map(|column| column_row(catalog, relation, column)));
        rows.extend(relation.dropped_columns().map(|number| dropped(relation.oid, number)));
        for index in &relation.indexes {
            let mut names: Vec<String> = Vec::new();
            for (number, key) in index.keys.iter().enumerate() {
                let (name, type_) = binder.key_of_index(relation, key);
                let numbered =
                    (0..).map(|count| if count == 0 { name.clone() } else { format!("{name}{count}") });
                names.extend(numbered.into_iter().find(|name| !names.contains(name)));
                let name = names.last().map_or("", String::as_str);
                rows.push(part_row(catalog, index.oid, name, type_.base.plain(), number + 1));
            }
            let included = index.include.iter().filter_map(|number| relation.column_number(*number));
            let numbers = index.keys.len() + 1..;
            rows.extend(included.zip(numbers).map(|(column, number)| {
                part_row(catalog, index.oid, &column.name, column.type_.base.plain(), number)
            }));
        }
    }
    for (oid, user_type) in catalog.types() {
        if let TypeDefinition::Composite { attributes } = &user_type.definition {
            for (number, attribute) in attributes.iter().enumerate() {
                rows.push(part_row(catalog, oid, &attribute.name, attribute.type_, number + 1));
            }
        }
    }
    rows
}

fn column_row(catalog: &Catalog, relation: &Relation, column: &Column) -> Vec<Json> {
    let identity = match column.identity {
        Some(Identity::Always) => "a",
        Some(Identity::ByDefault) => "d",
        None => "",
    };
    let type_ = column.type_.base;
    let storage = column.stored.storage.unwrap_or_else(|| super::types::storage(catalog, type_));
    vec![
        json!(relation.oid),
        json!(column.name),
        json!(type_.0),
        json!(length(type_)),
        json!(column.number),
        json!(column.type_.modifier),
        flag(column.not_null),
        flag(column.default.is_some() || column.generated.is_some()),
        json!(identity),
        json!(if column.generated.is_some() { "s" } else { "" }),
        flag(false),
        json!(match &column.collation {
            Some(own) => own.oid(catalog),
            None => super::types::collation(catalog.base_type(type_)),
        }),
        json!(u8::from(type_.element().is_some())),
        flag(true),
        // A list without entries is what a column begins with.
        match column.acl.0.as_deref() {
            Some([]) => Json::Null,
            _ => shown(&column.acl),
        },
        json!(column.stored.statistics.unwrap_or(-1)),
        json!(storage.to_string()),
        json!(column.stored.compression.map_or_else(String::new, String::from)),
        options(&column.stored.options),
    ]
}

/// A column of an index or of a composite type.
fn part_row(catalog: &Catalog, of: Oid, name: &str, type_: Modified, number: usize) -> Vec<Json> {
    vec![
        json!(of),
        json!(name),
        json!(type_.base.0),
        json!(length(type_.base)),
        json!(number),
        json!(type_.modifier),
        flag(false),
        flag(false),
        json!(""),
        json!(""),
        flag(false),
        json!(super::types::collation(catalog.base_type(type_.base))),
        json!(u8::from(type_.base.element().is_some())),
        flag(true),
        Json::Null,
        json!(-1),
        json!(super::types::storage(catalog, type_.base).to_string()),
        json!(""),
        Json::Null,
    ]
}

pub(super) fn defaults(catalog: &Catalog, settings: &Settings) -> Rows {
    let catalog = &*seen(catalog, settings);
    let rows = catalog.relations().flat_map(|relation| {
        relation.defaults().map(|(oid, column, text)| {
            vec![json!(oid), json!(relation.oid), json!(column.number), json!(text)]
        })
    });
    rows.collect()
}

pub(super) fn is_primary(relation: &Relation, index: &Index) -> bool {
    relation
        .constraints
        .iter()
        .any(|constraint| matches!(constraint.kind, ConstraintKind::Primary { index: of } if of == index.oid))
}

pub(super) fn is_exclusion(relation: &Relation, index: &Index) -> bool {
    relation.constraints.iter().any(
        |constraint| matches!(constraint.kind, ConstraintKind::Exclude { index: of, .. } if of == index.oid),
    )
}

/// Whether the exclusion constraint of an index may be checked late.
fn is_late(relation: &Relation, index: &Index) -> bool {
    relation.constraints.iter().any(|constraint| {
        constraint.deferrable
            && matches!(constraint.kind, ConstraintKind::Exclude { index: of, .. } if of == index.oid)
    })
}

pub(super) fn all_indexes(catalog: &Catalog) -> impl Iterator<Item = (&Relation, &Index)> {
    catalog.relations().flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)))
}

pub(super) fn indexes(catalog: &Catalog, settings: &Settings) -> Rows {
    showing(catalog, settings, |binder| indexes_by(catalog, binder))
}

fn indexes_by(catalog: &Catalog, binder: &mut Binder<'_>) -> Rows {
    let classes = Classes::of(catalog);
    all_indexes(catalog)
        .map(|(relation, index)| {
            let types: Vec<Type> =
                index.keys.iter().map(|key| binder.key_of_index(relation, key).1.base).collect();
            let typed = || index.keys.iter().zip(&types);
            let class = |(key, type_): (_, &Type)| classes.of_key(catalog, &index.method, key, *type_);
            let collations: Vec<u32> =
                types.iter().map(|type_| super::types::collation(catalog.base_type(*type_))).collect();
            let keys = index.keys.iter().map(|key| key.column.unwrap_or(0));
            let keys: Vec<u32> = keys.chain(index.include.iter().copied()).collect();
            let expressions: Vec<&str> =
                index.keys.iter().filter_map(|key| key.expression.as_deref()).collect();
            vec![
                json!(index.oid),
                json!(relation.oid),
                json!(index.keys.len() + index.include.len()),
                json!(index.keys.len()),
                flag(index.unique),
                flag(is_primary(relation, index)),
                flag(is_exclusion(relation, index)),
                flag(!index.only),
                flag(true),
                flag(true),
                vector(&keys),
                json!(index.predicate),
                if expressions.is_empty() { Json::Null } else { json!(expressions.join(", ")) },
                flag(relation.clustered == Some(index.oid)),
                flag(relation.replica_identity == 'i' && relation.replica_index == Some(index.oid)),
                flag(!index.deferrable && !is_late(relation, index)),
                flag(index.nulls_not_distinct),
                vector(&collations),
                vector(&typed().map(class).collect::<Vec<u32>>()),
                vector(&index.keys.iter().map(key_options).collect::<Vec<u8>>()),
            ]
        })
        .collect()
}

/// The bits of a key: 1 for `DESC`, 2 for `NULLS FIRST`.
fn key_options(key: &IndexKey) -> u8 {
    let nulls_first = key.nulls_first.unwrap_or(key.descending);
    u8::from(key.descending) | u8::from(nulls_first) << 1
}

pub(super) fn tables(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter(|relation| relation.shown_kind() == RelationKind::Table)
        .map(|relation| {
            vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(relation.owner),
                Json::Null,
                flag(!relation.indexes.is_empty()),
                flag(false),
                flag(!relation.triggers.is_empty()),
                flag(relation.row_security),
            ]
        })
        .collect()
}

pub(super) fn partitioned(catalog: &Catalog, _: &Settings) -> Rows {
    let tables = catalog.relations().filter_map(|relation| Some((relation, relation.partitioning.as_ref()?)));
    tables
        .map(|(relation, partitioning)| {
            let mut parts = catalog.partitions_of(relation.oid);
            let default = parts.find(|(_, bound)| **bound == Bound::Default);
            let columns: Vec<u32> = partitioning.keys.iter().map(|key| key.column.unwrap_or(0)).collect();
            let none = vec![0; columns.len()];
            let collations = partitioning.keys.iter().map(|key| super::types::collation(key.type_));
            let expressions: Vec<&str> =
                partitioning.keys.iter().filter_map(|key| key.expression.as_deref()).collect();
            vec![
                json!(relation.oid),
                json!(match partitioning.strategy {
                    Strategy::Range => "r",
                    Strategy::List => "l",
                    Strategy::Hash => "h",
                }),
                json!(columns.len()),
                json!(default.map_or(0, |(partition, _)| partition.oid)),
                vector(&columns),
                vector(&none),
                vector(&collations.collect::<Vec<_>>()),
                if expressions.is_empty() { Json::Null } else { json!(expressions.join(", ")) },
            ]
        })
        .collect()
}

pub(super) fn views(catalog: &Catalog, settings: &Settings, kind: RelationKind) -> Rows {
    showing(catalog, settings, |binder| views_by(catalog, binder, kind))
}

fn views_by(catalog: &Catalog, binder: &mut Binder<'_>, kind: RelationKind) -> Rows {
    catalog
        .relations()
        .filter(|relation| relation.shown_kind() == kind)
        .map(|relation| {
            let definition = binder.view_text(relation, false);
            let mut row = vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(relation.owner),
                json!(definition),
            ];
            if kind == RelationKind::MaterializedView {
                row.extend([flag(!relation.unpopulated), flag(!relation.indexes.is_empty())]);
            }
            row
        })
        .collect()
}

pub(super) fn index_views(catalog: &Catalog, settings: &Settings) -> Rows {
    let catalog = &*seen(catalog, settings);
    all_indexes(catalog)
        .map(|(relation, index)| {
            vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(index.name),
                Json::Null,
                json!(describe::index(catalog, relation, index, false)),
            ]
        })
        .collect()
}

pub(super) fn sequences(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter_map(|relation| {
            let options = relation.sequence.as_ref()?;
            Some(vec![
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(relation.owner),
                json!(options.type_.0),
                json!(options.start),
                json!(options.minimum),
                json!(options.maximum),
                json!(options.increment),
                flag(options.cycle),
                json!(options.cache),
                json!(relation.oid),
            ])
        })
        .collect()
}

pub(super) fn sequence_rows(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .relations()
        .filter_map(|relation| {
            let options = relation.sequence.as_ref()?;
            Some(vec![
                json!(relation.oid),
                json!(options.type_.0),
                json!(options.start),
                json!(options.increment),
                json!(options.maximum),
                json!(options.minimum),
                json!(options.cache),
                flag(options.cycle),
            ])
        })
        .collect()
}

/// Whether a table has triggers, with PostgreSQL's own ones of foreign keys.
fn has_triggers(catalog: &Catalog, relation: &Relation) -> bool {
    let refers = relation
        .constraints
        .iter()
        .any(|constraint| matches!(constraint.kind, ConstraintKind::Foreign { .. }));
    !relation.triggers.is_empty() || refers || catalog.references_to(relation.oid).next().is_some()
}
