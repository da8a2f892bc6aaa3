//! Schemas, roles, extensions, parameters and publications.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::{Rows, flag, list, vector};
use crate::bind::Settings;
use crate::catalog::{
    Catalog, DATABASE_OID, INFORMATION_SCHEMA, Oid, PG_CATALOG, RelationKind, SessionStart,
};
use crate::describe;
use crate::parameters::Parameter;
use crate::system::privileges::shown;

pub(super) fn namespaces(catalog: &Catalog, _: &Settings) -> Rows {
    let system = [(PG_CATALOG, "pg_catalog"), (INFORMATION_SCHEMA, "information_schema")];
    let system = system.map(|(oid, name)| vec![json!(oid), json!(name), json!(10), Json::Null]);
    let own = catalog.schemas().map(|(oid, schema)| {
        let owner = describe::role_oid(catalog, &schema.owner);
        vec![json!(oid), json!(schema.name), json!(owner), shown(&schema.acl)]
    });
    own.chain(system).collect()
}

pub(super) fn extensions(catalog: &Catalog, _: &Settings) -> Rows {
    let builtin =
        vec![json!(13_500), json!("plpgsql"), json!(10), json!(PG_CATALOG), json!("1.0"), flag(false)];
    let own = catalog.extensions().map(|(oid, extension)| {
        vec![
            json!(oid),
            json!(extension.name),
            json!(10),
            json!(extension.schema),
            json!(extension.version),
            flag(true),
        ]
    });
    std::iter::once(builtin).chain(own).collect()
}

pub(super) fn available(catalog: &Catalog, _: &Settings) -> Rows {
    let known = || crate::ddl::KNOWN_EXTENSIONS.iter();
    let of_engine = known().map(|crate::ddl::KnownExtension { name, version, .. }| {
        let installed = catalog
            .extensions()
            .find(|(_, extension)| extension.name == *name)
            .map(|(_, extension)| extension.version.as_str())
            .or((*name == "plpgsql").then_some(*version));
        vec![json!(name), json!(version), json!(installed), Json::Null]
    });
    // The platform's own are known once they are there.
    let own = catalog.extensions().filter(|(_, own)| known().all(|one| one.name != own.name));
    let own = own.map(|(_, own)| vec![json!(own.name), json!(own.version), json!(own.version), Json::Null]);
    of_engine.chain(own).collect()
}

pub(super) fn available_versions(catalog: &Catalog, _: &Settings) -> Rows {
    let known = crate::ddl::KNOWN_EXTENSIONS.iter();
    known
        .map(|known| {
            let name = known.name;
            let mut created = catalog.extensions();
            let installed = name == "plpgsql" || created.any(|(_, extension)| extension.name == name);
            let schema = if name == "plpgsql" { Some("pg_catalog") } else { known.schema };
            vec![
                json!(name),
                json!(known.version),
                flag(installed),
                flag(true),
                flag(crate::ddl::TRUSTED_EXTENSIONS.contains(&name)),
                flag(schema.is_none()),
                json!(schema),
                Json::Null,
                Json::Null,
            ]
        })
        .collect()
}

/// The names of the time zones; what their clocks show is computed when the statement runs.
pub(super) fn time_zones(_: &Catalog, _: &Settings) -> Rows {
    sim_values::zone::names().into_iter().map(|name| vec![json!(name)]).collect()
}

pub(super) fn roles(catalog: &Catalog, _: &Settings) -> Rows {
    let of_server = catalog.session_starts().filter(|(_, start)| !start.here);
    let starts: BTreeMap<&str, &SessionStart> =
        of_server.filter_map(|(_, start)| Some((start.role.as_deref()?, start))).collect();
    let roles = catalog.roles();
    roles
        .map(|(oid, role)| {
            vec![
                json!(oid),
                json!(role.name),
                flag(role.superuser),
                flag(role.inherit),
                flag(role.create_role),
                flag(role.create_database),
                flag(role.login),
                flag(role.replication),
                json!(role.connection_limit.unwrap_or(-1)),
                json!(role.valid_until),
                flag(role.bypasses_row_security),
                starts.get(&*role.name).map_or(Json::Null, |start| configuration(start)),
            ]
        })
        .collect()
}

pub(super) fn users(catalog: &Catalog, _: &Settings) -> Rows {
    let users = catalog.roles().filter(|(_, role)| role.login);
    users
        .map(|(oid, role)| {
            vec![
                json!(role.name),
                json!(oid),
                flag(role.create_database),
                flag(role.superuser),
                flag(role.replication),
                flag(role.bypasses_row_security),
                json!(role.valid_until),
            ]
        })
        .collect()
}

/// Parameters as PostgreSQL lists them: `name=value`.
fn configuration(start: &SessionStart) -> Json {
    list(start.values.iter().map(|(name, value)| format!("{name}={value}")))
}

/// `pg_db_role_setting`: what later sessions begin with.
pub(super) fn session_starts(catalog: &Catalog, _: &Settings) -> Rows {
    let rows = catalog.session_starts().map(|(_, start)| {
        let role = start.role.as_ref().map_or(0, |role| describe::role_oid(catalog, role));
        vec![json!(if start.here { DATABASE_OID } else { 0 }), json!(role), configuration(start)]
    });
    rows.collect()
}

pub(super) fn members(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    // The server's owner has made all members.
    let grantor = catalog.roles().find(|(_, role)| role.superuser).map_or(0, |(oid, _)| oid);
    for (member, role) in catalog.roles() {
        for group in &role.member_of {
            rows.push(vec![
                json!(describe::role_oid(catalog, group)),
                json!(member),
                json!(grantor),
                flag(false),
            ]);
        }
    }
    rows
}

pub(super) fn settings(catalog: &Catalog, settings: &Settings) -> Rows {
    let altered: BTreeSet<&String> =
        catalog.session_starts().flat_map(|(_, start)| start.values.keys()).collect();
    let text = |value: &str| if value.is_empty() { Json::Null } else { json!(value) };
    // The path has rules of its own, and is not among the others.
    let path = describe::setting(settings, "search_path");
    let search_path =
        Parameter { name: "search_path", kind: "string", context: "user", ..Parameter::default() };
    let search_path = Parameter { value: "\"$user\", public", ..search_path };
    crate::parameters::ALL
        .values()
        .chain([&search_path])
        .map(|known| {
            let is_path = known.name == search_path.name;
            let set = settings.values.get(&known.name.to_lowercase());
            let value = set.and_then(|value| known.read(value).ok());
            let value = if is_path { path.clone().filter(|path| path != known.value) } else { value };
            let name = known.name.to_lowercase();
            let first = settings.first.get(&name).and_then(|first| known.read(first).ok());
            let source = match (&value, &first) {
                (None, _) => "default",
                (Some(value), Some(first)) if value == first => match altered.contains(&name) {
                    true => "database",
                    false => "configuration file",
                },
                (Some(_), _) => "session",
            };
            let words: Vec<&str> = known.words.split(',').collect();
            vec![
                json!(known.name),
                json!(value.as_deref().unwrap_or(known.value)),
                text(known.unit),
                json!(""),
                json!(""),
                Json::Null,
                json!(known.context),
                json!(known.kind),
                json!(source),
                text(known.least),
                text(known.greatest),
                if known.words.is_empty() { Json::Null } else { json!(words) },
                json!(known.value),
                json!(first.as_deref().unwrap_or(known.value)),
                Json::Null,
                Json::Null,
                json!(0),
            ]
        })
        .collect()
}

pub(super) fn publications(catalog: &Catalog, _: &Settings) -> Rows {
    catalog
        .publications()
        .map(|(oid, publication)| {
            vec![
                json!(oid),
                json!(publication.name),
                json!(describe::role_oid(catalog, &publication.owner)),
                flag(publication.all_tables),
                flag(!publication.leaves_out.contains('i')),
                flag(!publication.leaves_out.contains('u')),
                flag(!publication.leaves_out.contains('d')),
                flag(!publication.leaves_out.contains('t')),
                flag(publication.via_root),
            ]
        })
        .collect()
}

pub(super) fn publication_tables(catalog: &Catalog, _: &Settings) -> Rows {
    let mut rows = Rows::new();
    for (_, publication) in catalog.publications() {
        for relation in catalog.relations().filter(|relation| relation.shown_kind() == RelationKind::Table) {
            let part_of_all = match publication.via_root {
                true => relation.partition.is_none(),
                false => relation.partitioning.is_none(),
            };
            let in_all =
                publication.all_tables && part_of_all && Some(relation.schema) != catalog.temporary();
            let in_schema = part_of_all && publication.schemas.contains(&relation.schema);
            if in_all || in_schema || publication.tables.contains(&relation.oid) {
                let part = publication.details.get(&relation.oid);
                let columns = part.map_or(&[][..], |part| &part.columns);
                let shown = relation.columns.iter().filter(|column| match columns {
                    [] => true,
                    columns => columns.contains(&column.number),
                });
                rows.push(vec![
                    json!(publication.name),
                    json!(catalog.schema_name(relation.schema)),
                    json!(relation.name),
                    list(shown.map(|column| &column.name)),
                    json!(part.and_then(|part| part.filter.as_ref())),
                ]);
            }
        }
    }
    rows
}

/// The schemas of publications, one row for each.
pub(super) fn published_schemas(catalog: &Catalog, _: &Settings) -> Rows {
    let each = catalog.publications().flat_map(|(oid, publication)| {
        let row = move |schema: &Oid| {
            vec![json!(oid.wrapping_mul(37).wrapping_add(*schema)), json!(oid), json!(schema)]
        };
        publication.schemas.iter().map(row)
    });
    each.collect()
}

/// The tables of publications, one row for each.
pub(super) fn published(catalog: &Catalog, _: &Settings) -> Rows {
    let each = catalog.publications().flat_map(|(oid, publication)| {
        // Publications name no table twice, so the two numbers tell the row.
        publication.tables.iter().map(move |table| {
            vec![
                json!(oid.wrapping_mul(31).wrapping_add(*table)),
                json!(oid),
                json!(table),
                json!(publication.details.get(table).and_then(|part| part.filter.as_ref())),
                match publication.details.get(table).map(|part| &part.columns[..]) {
                    None | Some([]) => Json::Null,
                    Some(columns) => vector(columns),
                },
            ]
        })
    });
    each.collect()
}
