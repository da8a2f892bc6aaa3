//! Which relations `pg_catalog` and `information_schema` have, with their columns in PostgreSQL's order.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::catalog::Oid;
use crate::types::Type;

/// What `relations.txt` says of a relation.
pub(super) struct Layout {
    /// The name, with the schema unless that is `pg_catalog`.
    pub(super) name: &'static str,
    pub(super) is_view: bool,
    /// Whether only a superuser may read it.
    pub(super) is_closed: bool,
    /// The identifier, if it is the same in all databases.
    pub(super) oid: Option<Oid>,
    pub(super) columns: Vec<(&'static str, Type)>,
}

/// All relations, by name.
pub(super) static ALL: LazyLock<BTreeMap<&'static str, Layout>> =
    LazyLock::new(|| include_str!("relations.txt").lines().map(read).map(|one| (one.name, one)).collect());

fn read(line: &'static str) -> Layout {
    let mut parts = line.split('\t');
    let mut next = || parts.next().unwrap_or_default();
    let (word, rights, oid, name) = (next(), next(), next(), next());
    let columns = next().split(", ").filter_map(|column| column.split_once(' '));
    Layout {
        name,
        is_view: word == "view",
        is_closed: rights == "closed",
        oid: oid.parse().ok(),
        columns: columns.map(|(name, type_)| (name, type_named(type_))).collect(),
    }
}

/// The type of a column. Types that are not here are shown as others with the same text.
fn type_named(name: &str) -> Type {
    match name {
        "char" => Type::QCHAR,
        "xid" => Type::OID,
        "_aclitem" => super::pg::ACL,
        "anyarray" => Type(1009),
        "_regtype" => Type::REGTYPE.array().unwrap_or(Type::TEXT),
        name => Type::named(name).unwrap_or(Type::TEXT),
    }
}
