//! What a definition has changed, as event triggers are told.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::catalog::{
    Catalog, Object, Oid, OwnCast, OwnOperator, RecordedKind, Relation, RelationKind, TEMPORARY,
    TypeDefinition, quote_identifier,
};
use crate::describe::domain_checks;
use crate::types::Type;
use crate::value::array;

/// An object, or a part of one, under the names that PostgreSQL gives it.
struct Address {
    /// The identifier of the catalog's table that lists it.
    class: Oid,
    oid: Oid,
    /// The number of a column; otherwise 0.
    column: u32,
    kind: &'static str,
    schema: Option<String>,
    /// Its name, if that and the schema say which one it is.
    name: Option<String>,
    identity: String,
    names: Vec<String>,
    arguments: Vec<String>,
    /// The partitioned table that it is a partition of.
    partition_of: Option<Oid>,
    /// Whether a command is reported for it, and not only for what it is a part of.
    reported: bool,
}

/// The objects that a definition has made, changed and removed.
#[derive(Default)]
pub(super) struct Changes {
    created: Vec<Address>,
    altered: Vec<Address>,
    dropped: Vec<Address>,
}

impl Changes {
    pub(super) fn between(before: &Catalog, after: &Catalog) -> Changes {
        let mut changes = Changes::default();
        for (oid, _) in after.objects.differences(&before.objects) {
            let listed = |catalog: &Catalog| {
                catalog.objects.get(&oid).map(|object| addresses(catalog, oid, object)).unwrap_or_default()
            };
            let mut new = keyed(listed(after));
            for (key, address) in keyed(listed(before)) {
                let is_whole = address.oid == oid && address.column == 0 && address.reported;
                match new.remove(&key) {
                    Some(kept) if is_whole => changes.altered.push(kept),
                    Some(_) => {}
                    None => changes.dropped.push(address),
                }
            }
            changes.created.extend(new.into_values());
        }
        // A table's sequences are made before it, its indexes after it.
        changes.created.sort_by_key(|address| (address.kind != "sequence", address.kind == "index"));
        changes
    }

    /// The rows of `pg_event_trigger_ddl_commands()`.
    pub(super) fn commands(&self, tag: &str) -> String {
        let creates = tag.starts_with("CREATE");
        let created = self.created.iter().filter(|address| creates && address.reported);
        let created: Vec<&Address> = created.collect();
        let altered = self.altered.iter().filter(|_| created.is_empty() && !tag.starts_with("DROP"));
        let row = |address: &Address, tag: String| {
            let member = tag.starts_with("CREATE") && self.makes_extension() && address.kind != "extension";
            json!([
                address.class,
                address.oid,
                address.column,
                tag,
                address.kind,
                address.schema,
                address.identity,
                u8::from(member),
                null
            ])
        };
        let whole = |address: &Address| match (tag, address.kind) {
            ("CREATE TABLE AS", "table") => tag.to_owned(),
            _ => format!("CREATE {}", address.kind.to_uppercase()),
        };
        let rows = created.iter().map(|address| row(address, whole(address)));
        // The sequence of a column becomes the column's own at the end.
        let owned = created.iter().filter(|address| tag == "CREATE TABLE" && address.kind == "sequence");
        let rows = rows.chain(owned.map(|address| row(address, "ALTER SEQUENCE".to_owned())));
        // PostgreSQL reports a view that is replaced twice.
        let times = if tag == "CREATE VIEW" { 2 } else { 1 };
        let altered = altered.flat_map(|address| (0..times).map(move |_| address));
        rows.chain(altered.map(|address| row(address, tag.to_owned()))).collect::<Json>().to_string()
    }

    fn makes_extension(&self) -> bool {
        self.created.iter().any(|address| address.kind == "extension")
    }

    /// The rows of `pg_event_trigger_dropped_objects()`, those that the statement named first; `None` if there are none.
    pub(super) fn dropped(&self, tag: &str) -> Option<String> {
        let kind = tag.strip_prefix("DROP ").map(str::to_lowercase);
        let is_named = |address: &&Address| match kind.as_deref() {
            Some("domain") => address.kind == "type" && address.reported,
            Some("table") => {
                let goes =
                    |of: Oid| self.dropped.iter().any(|other| other.oid == of && other.kind == "table");
                address.kind == "table" && !address.partition_of.is_some_and(goes)
            }
            Some(kind) => address.kind == kind && address.reported,
            None => matches!(address.kind, "table column" | "table constraint" | "default value"),
        };
        // A column that goes with its table is no object of its own, and a constraint that goes with its column is not named.
        let goes_along = |address: &Address| {
            address.kind == "table column"
                && self.dropped.iter().any(|other| other.kind != "table column" && other.oid == address.oid)
        };
        let dropped = || self.dropped.iter().filter(|address| !goes_along(address));
        let of_column = dropped().any(|address| address.kind == "table column");
        let is_named = |address: &&Address| {
            is_named(address) && !(of_column && ["table constraint", "default value"].contains(&address.kind))
        };
        let (mut named, others): (Vec<&Address>, Vec<&Address>) = dropped().partition(is_named);
        let originals = named.len();
        named.extend(others);
        let rows = named.iter().enumerate().map(|(at, address)| {
            let list =
                |texts: &[String]| text(array::of(texts.iter().map(|one| one.as_str().into()).collect()));
            json!([
                address.class,
                address.oid,
                address.column,
                u8::from(at < originals),
                0,
                u8::from(address.schema.as_deref() == Some("pg_temp")),
                address.kind,
                address.schema,
                address.name,
                address.identity,
                list(&address.names),
                list(&address.arguments),
            ])
        });
        (!named.is_empty()).then(|| rows.collect::<Json>().to_string())
    }
}

fn text(value: rusqlite::types::Value) -> Json {
    match value {
        rusqlite::types::Value::Text(text) => text.into(),
        _ => Json::Null,
    }
}

fn keyed(addresses: Vec<Address>) -> BTreeMap<(Oid, Oid, u32), Address> {
    addresses.into_iter().map(|address| ((address.class, address.oid, address.column), address)).collect()
}

/// An object and its parts.
fn addresses(catalog: &Catalog, oid: Oid, object: &Object) -> Vec<Address> {
    let plain = |class: Oid, kind: &'static str, schema: Option<Oid>, name: &str| {
        let names = schema.map(|schema| shown_schema(catalog, schema)).into_iter().chain([name.to_owned()]);
        let names: Vec<String> = names.collect();
        Address {
            class,
            oid,
            column: 0,
            kind,
            schema: schema.map(|schema| shown_schema(catalog, schema)),
            name: Some(name.to_owned()),
            identity: qualified(&names),
            names,
            arguments: Vec::new(),
            partition_of: None,
            reported: true,
        }
    };
    match object {
        Object::Schema(schema) => vec![plain(2615, "schema", None, &schema.name)],
        Object::Relation(relation) => of_relation(catalog, relation),
        Object::Type(known) => {
            let type_ = Type(oid);
            let (schema, name) = (known.schema, catalog.type_name(type_, -1));
            let bare = name.rsplit('.').next().unwrap_or(&name).trim_matches('"').to_owned();
            let reported = !matches!(known.definition, TypeDefinition::Row { .. });
            let whole = plain(1247, "type", Some(schema), &bare);
            let identity = format!("{}[]", whole.identity);
            let array = Address {
                oid: oid + 1,
                name: Some(format!("_{bare}")),
                names: vec![identity.clone()],
                identity,
                reported: false,
                ..plain(1247, "type", Some(schema), &bare)
            };
            let mut found = vec![Address { reported, names: vec![whole.identity.clone()], ..whole }, array];
            match &known.definition {
                TypeDefinition::Composite { .. } => {
                    found.push(Address {
                        reported: false,
                        ..plain(1259, "composite type", Some(schema), &bare)
                    });
                }
                TypeDefinition::Domain { .. } => {
                    let of = found[0].identity.clone();
                    let checks = domain_checks(catalog).filter(|check| check.domain == oid);
                    found.extend(checks.map(|check| Address {
                        oid: check.oid,
                        identity: format!("{} on {of}", quote_identifier(check.name)),
                        name: None,
                        names: vec![of.clone()],
                        arguments: vec![check.name.to_owned()],
                        reported: false,
                        ..plain(2606, "domain constraint", Some(schema), check.name)
                    }));
                }
                _ => {}
            }
            found
        }
        Object::Routine(routine) => {
            let whole = plain(1255, routine.word(), Some(routine.schema), &routine.name);
            let types = routine.inputs().map(|argument| qualified_type(catalog, argument.type_));
            let types: Vec<String> = types.collect();
            let identity = format!("{}({})", whole.identity, types.join(","));
            vec![Address { name: None, identity, arguments: types, ..whole }]
        }
        Object::Extension(extension) => vec![plain(3079, "extension", None, &extension.name)],
        Object::TextSearch(known) => {
            vec![plain(3602, "text search configuration", Some(known.schema), &known.name)]
        }
        Object::Publication(publication) => vec![plain(6104, "publication", None, &publication.name)],
        Object::Recorded(recorded) => {
            let class = match recorded.kind {
                RecordedKind::Wrapper => 2328,
                RecordedKind::Server => 1417,
                RecordedKind::Mapping => 1418,
                RecordedKind::Statistics => 3381,
                RecordedKind::Collation => 3456,
                RecordedKind::Operator => {
                    let Some(operator) = OwnOperator::of(oid, recorded) else { return Vec::new() };
                    let left = operator.left.map(|type_| qualified_type(catalog, type_));
                    let (left, right) =
                        (left.unwrap_or_else(|| "NONE".into()), qualified_type(catalog, operator.right));
                    let schema = quote_identifier(&shown_schema(catalog, operator.schema));
                    let identity = format!("{schema}.{}({left},{right})", operator.symbol);
                    let whole = plain(2617, "operator", recorded.schema, &recorded.name);
                    return vec![Address { name: None, identity, ..whole }];
                }
                RecordedKind::Cast => {
                    let Some(cast) = OwnCast::of(recorded) else { return Vec::new() };
                    let [from, to] = [cast.source, cast.target].map(|type_| qualified_type(catalog, type_));
                    let identity = format!("({from} AS {to})");
                    return vec![Address { name: None, identity, ..plain(2605, "cast", None, "") }];
                }
                // Event triggers are told of nothing that belongs to the whole server, and not of themselves.
                RecordedKind::EventTrigger => return Vec::new(),
            };
            vec![plain(class, recorded.kind.word(), recorded.schema, &recorded.name)]
        }
        Object::Role(_) | Object::SessionStart(_) | Object::DefaultAcl(_) | Object::Database(_) => Vec::new(),
    }
}

/// A relation, its indexes, triggers, policies, constraints and columns.
fn of_relation(catalog: &Catalog, relation: &Relation) -> Vec<Address> {
    let schema = shown_schema(catalog, relation.schema);
    let table = qualified(&[schema.clone(), relation.name.clone()]);
    let whole = |class: Oid, oid: Oid, kind: &'static str, name: &str| Address {
        class,
        oid,
        column: 0,
        kind,
        schema: Some(schema.clone()),
        name: Some(name.to_owned()),
        identity: qualified(&[schema.clone(), name.to_owned()]),
        names: vec![schema.clone(), name.to_owned()],
        arguments: Vec::new(),
        partition_of: None,
        reported: true,
    };
    let part = |class: Oid, oid: Oid, kind: &'static str, name: &str, reported: bool| Address {
        name: None,
        identity: format!("{} on {table}", quote_identifier(name)),
        names: vec![schema.clone(), relation.name.clone(), name.to_owned()],
        reported,
        ..whole(class, oid, kind, name)
    };
    let partition_of = relation.partition.as_ref().map(|partition| partition.parent);
    let own = Address { partition_of, ..whole(1259, relation.oid, relation.word(), &relation.name) };
    let mut found = vec![own];
    found.extend(relation.defaults().map(|(oid, column, _)| Address {
        identity: format!("for {table}.{}", quote_identifier(&column.name)),
        ..part(2604, oid, "default value", &column.name, false)
    }));
    let is_view = matches!(relation.shown_kind(), RelationKind::View | RelationKind::MaterializedView);
    found.extend(
        is_view.then(|| Address { schema: None, ..part(2618, relation.oid + 1, "rule", "_RETURN", false) }),
    );
    found.extend(relation.indexes.iter().map(|index| whole(1259, index.oid, "index", &index.name)));
    found.extend(relation.triggers.iter().map(|known| part(2620, known.oid, "trigger", &known.name, true)));
    found.extend(relation.policies.iter().map(|known| part(3256, known.oid, "policy", &known.name, true)));
    let constraints = relation.constraints.iter();
    found.extend(constraints.map(|known| part(2606, known.oid, "table constraint", &known.name, false)));
    found.extend(relation.columns.iter().map(|column| Address {
        column: column.number,
        name: None,
        identity: format!("{table}.{}", quote_identifier(&column.name)),
        ..part(1259, relation.oid, "table column", &column.name, false)
    }));
    found
}

/// The name of a schema; that of temporary objects is always the same.
fn shown_schema(catalog: &Catalog, schema: Oid) -> String {
    match catalog.schema_name(schema) {
        TEMPORARY => "pg_temp".to_owned(),
        name => name.to_owned(),
    }
}

/// A type's name with its schema. Names of several words and those of numbers are SQL's own, without a schema.
fn qualified_type(catalog: &Catalog, type_: Type) -> String {
    if let Some(element) = type_.element() {
        return format!("{}[]", qualified_type(catalog, element));
    }
    let name = catalog.type_name(type_, -1);
    let own = name.contains(' ')
        || matches!(type_, Type::BOOL | Type::INTERVAL | Type::BIT | Type::BPCHAR)
        || matches!(type_, Type::INT2 | Type::INT4 | Type::INT8 | Type::FLOAT4 | Type::NUMERIC);
    match catalog.types().find(|(oid, _)| *oid == type_.0) {
        Some((_, known)) if !name.contains('.') => {
            format!("{}.{name}", quote_identifier(&shown_schema(catalog, known.schema)))
        }
        None if !own => format!("pg_catalog.{name}"),
        _ => name,
    }
}

fn qualified(names: &[String]) -> String {
    names.iter().map(|name| quote_identifier(name)).collect::<Vec<_>>().join(".")
}
