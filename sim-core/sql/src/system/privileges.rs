//! Who has which privileges, as `pg_catalog` and `information_schema` show it.

use serde_json::{Value as Json, json};

use super::System;
use super::pg::list;
use crate::bind::Settings;
use crate::catalog::{Catalog, DATABASE, Object, Relation, RelationKind};
use crate::describe::role_oid;
use crate::security::acl::{self, Acl, Entry, Guarded};

type Rows = Vec<Vec<Json>>;

pub(super) fn relations() -> Vec<System> {
    const TABLE: &[&str] = &[
        "grantor",
        "grantee",
        "table_catalog",
        "table_schema",
        "table_name",
        "privilege_type",
        "is_grantable",
    ];
    const COLUMN: &[&str] = &[
        "grantor",
        "grantee",
        "table_catalog",
        "table_schema",
        "table_name",
        "column_name",
        "privilege_type",
        "is_grantable",
    ];
    const ROUTINE: &[&str] = &[
        "grantor",
        "grantee",
        "specific_catalog",
        "specific_schema",
        "specific_name",
        "routine_catalog",
        "routine_schema",
        "routine_name",
        "privilege_type",
        "is_grantable",
    ];
    vec![
        System { name: "information_schema.role_table_grants", columns: TABLE, rows: tables },
        System { name: "information_schema.table_privileges", columns: TABLE, rows: tables },
        System { name: "information_schema.role_column_grants", columns: COLUMN, rows: columns },
        System { name: "information_schema.column_privileges", columns: COLUMN, rows: columns },
        System { name: "information_schema.role_routine_grants", columns: ROUTINE, rows: routines },
        System { name: "information_schema.routine_privileges", columns: ROUTINE, rows: routines },
        System {
            name: "information_schema.enabled_roles",
            columns: &["role_name"],
            rows: |catalog, settings| {
                let roles = catalog.roles().map(|(_, role)| &role.name);
                let enabled = roles.filter(|role| catalog.has_privileges_of(&settings.role, role));
                enabled.map(|role| vec![json!(role)]).collect()
            },
        },
        System {
            name: "information_schema.applicable_roles",
            columns: &["grantee", "role_name", "is_grantable"],
            rows: |catalog, _| {
                let members =
                    catalog.roles().flat_map(|(_, role)| role.member_of.iter().map(move |of| (role, of)));
                members.map(|(role, of)| vec![json!(role.name), json!(of), json!("NO")]).collect()
            },
        },
        System {
            name: "pg_default_acl",
            columns: &["oid", "defaclrole", "defaclnamespace", "defaclobjtype", "defaclacl"],
            rows: defaults,
        },
    ]
}

/// A list of privileges as a value; null as long as it is unwritten.
pub(super) fn shown(list_of: &Acl) -> Json {
    list_of.texts().map_or(Json::Null, list)
}

fn defaults(catalog: &Catalog, _: &Settings) -> Rows {
    let known = catalog.objects.iter().filter_map(|(oid, object)| match object {
        Object::DefaultAcl(known) => Some((oid, known)),
        _ => None,
    });
    known
        .map(|(oid, known)| {
            vec![
                json!(oid),
                json!(role_oid(catalog, &known.role)),
                json!(known.schema.unwrap_or(0)),
                json!(known.kind.default_letter().to_string()),
                shown(&known.acl),
            ]
        })
        .collect()
}

/// Each privilege of a list: grantor, grantee, letter, whether it can be granted on.
fn each<'e>(entries: &'e [Entry], owner: &'e str) -> impl Iterator<Item = (&'e str, &'e str, char, bool)> {
    entries.iter().flat_map(move |entry| {
        let grantee = if entry.grantee.is_empty() { "PUBLIC" } else { &entry.grantee };
        entry.letters.chars().map(move |letter| {
            let option = entry.grantee == owner || entry.options.contains(letter);
            (entry.grantor.as_str(), grantee, letter, option)
        })
    })
}

fn tables(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in listed(catalog) {
        let entries = relation.acl.entries(Guarded::Table, &relation.owner);
        for (grantor, grantee, letter, option) in each(&entries, &relation.owner) {
            rows.push(vec![
                json!(grantor),
                json!(grantee),
                json!(DATABASE),
                json!(catalog.schema_name(relation.schema)),
                json!(relation.name),
                json!(acl::word(letter)),
                yes(option),
            ]);
        }
    }
    rows
}

fn columns(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for relation in listed(catalog) {
        let whole = relation.acl.entries(Guarded::Table, &relation.owner);
        for column in &relation.columns {
            let own = column.acl.entries(Guarded::Column, &relation.owner);
            let all = each(&whole, &relation.owner).chain(each(&own, &relation.owner));
            let mut seen = Vec::new();
            for (grantor, grantee, letter, option) in all {
                if !Guarded::Column.letters().contains(letter) || seen.contains(&(grantor, grantee, letter)) {
                    continue;
                }
                seen.push((grantor, grantee, letter));
                rows.push(vec![
                    json!(grantor),
                    json!(grantee),
                    json!(DATABASE),
                    json!(catalog.schema_name(relation.schema)),
                    json!(relation.name),
                    json!(column.name),
                    json!(acl::word(letter)),
                    yes(option),
                ]);
            }
        }
    }
    rows
}

fn routines(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (oid, routine) in catalog.routines() {
        let entries = routine.acl.entries(Guarded::Routine, &routine.owner);
        for (grantor, grantee, _, option) in each(&entries, &routine.owner) {
            let (schema, database) = (json!(catalog.schema_name(routine.schema)), json!(DATABASE));
            rows.push(vec![
                json!(grantor),
                json!(grantee),
                database.clone(),
                schema.clone(),
                json!(format!("{}_{oid}", routine.name)),
                database,
                schema,
                json!(routine.name),
                json!("EXECUTE"),
                yes(option),
            ]);
        }
    }
    rows
}

fn listed(catalog: &Catalog) -> impl Iterator<Item = &Relation> {
    catalog
        .relations()
        .filter(|relation| matches!(relation.shown_kind(), RelationKind::Table | RelationKind::View))
}

fn yes(value: bool) -> Json {
    json!(if value { "YES" } else { "NO" })
}
