//! Relations of `pg_catalog` whose rows come with the server and with extensions: operator classes, their families, casts.

use serde_json::{Value as Json, json};

use super::System;
use super::operator_classes;
use super::pg::flag;
use super::relations;
use crate::catalog::{Catalog, Oid, OwnOperator};
use crate::types::Type;

type Rows = Vec<Vec<Json>>;

/// The rows of `pg_cast`.
const CASTS: &str = include_str!("pg_cast.txt");

/// Whether values of the first type are values of the second as they are, and are taken for them without being asked.
pub(super) fn is_binary_coercible(source: Type, target: Type) -> bool {
    CASTS.lines().any(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        matches!(cells[..], [_, from, to, _, "i", "b"]
            if from.parse() == Ok(source.0) && to.parse() == Ok(target.0))
    })
}

/// Whether the system has a cast between two types.
pub(crate) fn has_cast(source: Type, target: Type) -> bool {
    let of = |line: &str| {
        let mut cells = line.split('\t').skip(1).map(|cell| cell.parse().ok());
        Some((cells.next()??, cells.next()??))
    };
    CASTS.lines().any(|line| of(line) == Some((source.0, target.0)))
}

pub(super) fn relations() -> Vec<System> {
    vec![
        System {
            name: "pg_opclass",
            columns: &[
                "oid",
                "opcmethod",
                "opcname",
                "opcnamespace",
                "opcowner",
                "opcfamily",
                "opcintype",
                "opcdefault",
                "opckeytype",
            ],
            rows: |catalog, _| operator_classes::rows(catalog),
        },
        System {
            name: "pg_opfamily",
            columns: &["oid", "opfmethod", "opfname", "opfnamespace", "opfowner"],
            rows: |_, _| read("pg_opfamily", include_str!("pg_opfamily.txt")),
        },
        System {
            name: "pg_operator",
            columns: &[
                "oid",
                "oprname",
                "oprnamespace",
                "oprowner",
                "oprkind",
                "oprcanmerge",
                "oprcanhash",
                "oprleft",
                "oprright",
                "oprresult",
                "oprcom",
                "oprnegate",
                "oprcode",
                "oprrest",
                "oprjoin",
            ],
            rows: |catalog, _| {
                catalog.own_operators().map(|operator| operator_row(catalog, &operator)).collect()
            },
        },
        System {
            name: "pg_cast",
            columns: &["oid", "castsource", "casttarget", "castfunc", "castcontext", "castmethod"],
            rows: |catalog, _| {
                let own = catalog.own_casts().map(|(oid, cast, function)| {
                    vec![
                        json!(oid),
                        json!(cast.source.0),
                        json!(cast.target.0),
                        json!(function.unwrap_or(0)),
                        json!(cast.context.letter()),
                        json!(if cast.through_text { "i" } else { "f" }),
                    ]
                });
                read("pg_cast", CASTS).into_iter().chain(own).collect()
            },
        },
    ]
}

/// An operator of the project's.
fn operator_row(catalog: &Catalog, operator: &OwnOperator<'_>) -> Vec<Json> {
    let has = |word: &str| operator.recorded.words.contains_key(word);
    let result = catalog.routine(operator.function).map_or(0, |routine| routine.returns.0);
    vec![
        json!(operator.oid),
        json!(operator.symbol),
        json!(operator.schema),
        json!(crate::describe::role_oid(catalog, &operator.recorded.owner)),
        json!(if operator.left.is_some() { "b" } else { "l" }),
        flag(has("merges")),
        flag(has("hashes")),
        json!(operator.left.map_or(0, |type_| type_.0)),
        json!(operator.right.0),
        json!(result),
        json!(0),
        json!(0),
        json!(operator.function),
        json!(0),
        json!(0),
    ]
}

/// The rows of a file with all columns of a relation.
fn read(relation: &str, text: &'static str) -> Rows {
    let columns = relations::ALL.get(relation).map_or(&[][..], |layout| &layout.columns);
    let cell = |(text, (_, type_)): (&'static str, &(&str, Type))| match *type_ {
        Type::BOOL => flag(text == "t"),
        Type::OID => json!(text.parse::<Oid>().unwrap_or_default()),
        _ => json!(text),
    };
    text.lines().map(|line| line.split('\t').zip(columns).map(cell).collect()).collect()
}
