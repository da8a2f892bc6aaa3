//! Partitioned tables and their partitions.
//!
//! All rows are in the table of the outermost partitioned table, with its keys and references. A partition is a view of it with a
//! condition, through which rows change, and which catalogs show as a table.

use serde::{Deserialize, Serialize};

use super::{Catalog, Oid, Relation, RelationKind, quote_identifier, quote_literal};
use crate::print;
use crate::types::Type;

/// How the rows of a partitioned table are divided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Partitioning {
    pub(crate) strategy: Strategy,
    pub(crate) keys: Vec<PartitionKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Strategy {
    Range,
    List,
    Hash,
}

/// A key: a column, or the text of an expression; and its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartitionKey {
    pub(crate) column: Option<u32>,
    pub(crate) expression: Option<String>,
    pub(crate) type_: Type,
}

/// The place of a partition among those of its parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Partition {
    pub(crate) parent: Oid,
    pub(crate) bound: Bound,
}

/// The option by which the view that a partition is keeps rows out that are not within its bound. Catalogs do not show it.
pub(crate) const IN_BOUND: &str = "check_option=local";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bound {
    Default,
    List(Vec<Datum>),
    Range { from: Vec<Datum>, to: Vec<Datum> },
    Hash { modulus: u32, remainder: u32 },
}

/// A value of a bound, as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Datum {
    Minimum,
    Maximum,
    Null,
    Value(String),
}

impl Strategy {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Strategy::Range => "RANGE",
            Strategy::List => "LIST",
            Strategy::Hash => "HASH",
        }
    }
}

impl Relation {
    /// Its kind as catalogs show it: a partition is a table.
    pub(crate) fn shown_kind(&self) -> RelationKind {
        if self.partition.is_some() { RelationKind::Table } else { self.kind }
    }

    /// The text of a partition key.
    pub(crate) fn key_text(&self, key: &PartitionKey) -> String {
        match (key.column, &key.expression) {
            (Some(number), _) => quote_identifier(self.column_name(number)),
            (None, Some(expression)) => expression.clone(),
            (None, None) => String::new(),
        }
    }
}

impl Catalog {
    /// The partitions of a partitioned table.
    pub(crate) fn partitions_of(&self, parent: Oid) -> impl Iterator<Item = (&Relation, &Bound)> {
        self.relations().filter_map(move |relation| {
            let partition = relation.partition.as_ref().filter(|partition| partition.parent == parent)?;
            Some((relation, &partition.bound))
        })
    }

    /// Adds the partitions of a table, and theirs.
    pub(crate) fn add_partitions(&self, table: Oid, all: &mut Vec<Oid>) {
        for (partition, _) in self.partitions_of(table) {
            if !all.contains(&partition.oid) {
                all.push(partition.oid);
            }
            self.add_partitions(partition.oid, all);
        }
    }

    /// Whether a relation is `above`, or in one of its partitions.
    pub(crate) fn is_within(&self, relation: &Relation, above: Oid) -> bool {
        relation.oid == above
            || relation.partition.as_ref().is_some_and(|partition| {
                self.relation(partition.parent).is_some_and(|parent| self.is_within(parent, above))
            })
    }

    /// The partitions at the end of each branch below a table, each with its condition on rows of the outermost table.
    pub(crate) fn leaves(&self, table: Oid) -> Vec<(&Relation, String)> {
        let mut found = Vec::new();
        for (relation, _) in self.partitions_of(table) {
            if relation.partitioning.is_some() {
                found.extend(self.leaves(relation.oid));
            } else {
                found.push((relation, self.condition_of_partition(relation)));
            }
        }
        found
    }

    /// The table that holds the rows of a partition.
    pub(crate) fn root_of(&self, relation: &Relation) -> Oid {
        let mut relation = relation;
        while let Some(parent) =
            relation.partition.as_ref().and_then(|partition| self.relation(partition.parent))
        {
            relation = parent;
        }
        relation.oid
    }

    /// The table that has the rows of a relation: of a partition the outermost table.
    pub(crate) fn with_rows_of<'r>(&'r self, relation: &'r Relation) -> &'r Relation {
        self.relation(self.root_of(relation)).unwrap_or(relation)
    }

    /// The condition on rows of the outermost table that are in a partition.
    pub(crate) fn condition_of_partition(&self, relation: &Relation) -> String {
        let Some(Partition { parent, bound }) = &relation.partition else { return "true".to_owned() };
        let Some(parent) = self.relation(*parent) else { return "true".to_owned() };
        let own = self.condition_of_bound(parent, relation.oid, bound);
        match parent.partition {
            Some(_) => format!("({own}) AND ({})", self.condition_of_partition(parent)),
            None => own,
        }
    }

    /// The condition on rows of the parent that a bound lets in.
    pub(crate) fn condition_of_bound(&self, parent: &Relation, own: Oid, bound: &Bound) -> String {
        let Some(partitioning) = &parent.partitioning else { return "true".to_owned() };
        let keys: Vec<(String, Type)> =
            partitioning.keys.iter().map(|key| (parent.key_text(key), key.type_)).collect();
        match bound {
            Bound::Default => {
                let others = self
                    .partitions_of(parent.oid)
                    .filter(|(other, bound)| other.oid != own && **bound != Bound::Default);
                let others = others.map(|(other, bound)| {
                    format!("coalesce({}, false)", self.condition_of_bound(parent, other.oid, bound))
                });
                match &others.collect::<Vec<_>>()[..] {
                    [] => "true".to_owned(),
                    others => format!("NOT ({})", print::joined(others, " OR ")),
                }
            }
            Bound::List(values) => {
                let Some((key, type_)) = keys.first() else { return "true".to_owned() };
                let given = values.iter().filter_map(|value| self.datum(value, *type_));
                let given = given.collect::<Vec<_>>().join(", ");
                match (values.contains(&Datum::Null), given.is_empty()) {
                    (true, true) => format!("{key} IS NULL"),
                    (true, false) => format!("({key} IS NULL OR {key} IN ({given}))"),
                    (false, _) => format!("({key} IS NOT NULL AND {key} IN ({given}))"),
                }
            }
            Bound::Range { from, to } => {
                let mut all: Vec<String> = keys.iter().map(|(key, _)| format!("{key} IS NOT NULL")).collect();
                all.extend(self.side(&keys, from, '>'));
                all.extend(self.side(&keys, to, '<'));
                format!("({})", all.join(" AND "))
            }
            Bound::Hash { modulus, remainder } => {
                let keys = keys.iter().map(|(key, type_)| format!("pg_partition_hash({}, {key})", type_.0));
                format!("pg_partition_rest({modulus}, {}) = {remainder}", keys.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// One side of a range; `None` if it has no end.
    fn side(&self, keys: &[(String, Type)], bounds: &[Datum], sign: char) -> Option<String> {
        let ((key, type_), bound) = keys.first().zip(bounds.first())?;
        let open = if sign == '>' { Datum::Minimum } else { Datum::Maximum };
        match bound {
            bound if *bound == open => None,
            Datum::Value(_) => {
                let value = self.datum(bound, *type_)?;
                if keys.len() == 1 || bounds.len() == 1 {
                    let equal = if sign == '>' { "=" } else { "" };
                    return Some(format!("{key} {sign}{equal} {value}"));
                }
                Some(match self.side(&keys[1..], &bounds[1..], sign) {
                    Some(rest) => format!("({key} {sign} {value} OR ({key} = {value} AND {rest}))"),
                    None => format!("{key} {sign}= {value}"),
                })
            }
            _ => Some("false".to_owned()),
        }
    }

    fn datum(&self, datum: &Datum, type_: Type) -> Option<String> {
        match datum {
            Datum::Value(text) => Some(format!("{}::{}", quote_literal(text), self.type_name(type_, -1))),
            _ => None,
        }
    }

    /// The condition on rows of a partition as definitions show it; `None` if the bound is not one of a single column.
    pub(crate) fn partition_constraint(&self, relation: &Relation) -> Option<String> {
        let Partition { parent, bound } = relation.partition.as_ref()?;
        let parent = self.relation(*parent).filter(|parent| parent.partition.is_none())?;
        let [key] = &parent.partitioning.as_ref()?.keys[..] else { return None };
        let name = parent.key_text(key);
        let value = |datum: &Datum| self.datum(datum, key.type_);
        let mut all = vec![format!("({name} IS NOT NULL)")];
        match bound {
            Bound::Range { from, to } => {
                all.extend(from.first().and_then(value).map(|value| format!("({name} >= {value})")));
                all.extend(to.first().and_then(value).map(|value| format!("({name} < {value})")));
            }
            Bound::List(values) => {
                let given = values.iter().map(value).collect::<Option<Vec<_>>>()?;
                all.push(match &given[..] {
                    [only] => format!("({name} = {only})"),
                    given => format!("({name} = ANY (ARRAY[{}]))", given.join(", ")),
                });
            }
            Bound::Default | Bound::Hash { .. } => return None,
        }
        Some(format!("({})", all.join(" AND ")))
    }

    /// The bound of a partition as definitions show it.
    pub(crate) fn bound_text(&self, relation: &Relation) -> Option<String> {
        let Partition { parent, bound } = relation.partition.as_ref()?;
        let keys = &self.relation(*parent)?.partitioning.as_ref()?.keys;
        let shown = |(at, datum): (usize, &Datum)| match datum {
            Datum::Minimum => "MINVALUE".to_owned(),
            Datum::Maximum => "MAXVALUE".to_owned(),
            Datum::Null => "NULL".to_owned(),
            Datum::Value(text) => {
                let type_ = keys.get(at.min(keys.len() - 1)).map_or(Type::TEXT, |key| key.type_);
                let bare = (type_.is_integer() || type_.is_float() || type_ == Type::NUMERIC)
                    && !text.starts_with('-');
                match type_ {
                    Type::BOOL => text.starts_with('t').to_string(),
                    _ if bare => text.clone(),
                    _ => quote_literal(text),
                }
            }
        };
        let list = |data: &[Datum]| data.iter().enumerate().map(shown).collect::<Vec<_>>().join(", ");
        Some(match bound {
            Bound::Default => "DEFAULT".to_owned(),
            Bound::List(values) => {
                let one = |datum: &Datum| shown((0, datum));
                format!("FOR VALUES IN ({})", values.iter().map(one).collect::<Vec<_>>().join(", "))
            }
            Bound::Range { from, to } => format!("FOR VALUES FROM ({}) TO ({})", list(from), list(to)),
            Bound::Hash { modulus, remainder } => {
                format!("FOR VALUES WITH (modulus {modulus}, remainder {remainder})")
            }
        })
    }

    /// `RANGE (at)`, as `pg_get_partkeydef` shows it.
    pub(crate) fn partition_key_text(&self, relation: &Relation) -> Option<String> {
        let Partitioning { strategy, keys } = relation.partitioning.as_ref()?;
        let keys = keys.iter().map(|key| relation.key_text(key)).collect::<Vec<_>>().join(", ");
        Some(format!("{} ({keys})", strategy.word()))
    }
}
