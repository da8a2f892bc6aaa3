//! What the catalog keeps of a relation: its columns, constraints, indexes, triggers, policies and rules.

use serde::{Deserialize, Serialize};

use super::partitions::{Partition, Partitioning};
use super::{Acl, Modified, Oid, Type};
use crate::collations::Collation;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RelationKind {
    Table,
    View,
    MaterializedView,
    Sequence,
    Foreign,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Relation {
    pub(crate) oid: Oid,
    pub(crate) schema: Oid,
    pub(crate) name: String,
    pub(crate) kind: RelationKind,
    pub(crate) columns: Vec<Column>,
    pub(crate) next_column: u32,
    /// The highest number of a column in SQLite's table, if the table was created with spare columns; later columns may be beyond
    /// it. Dropped columns stay in the table, without values. Spare ones wait until a column is added.
    #[serde(default)]
    pub(crate) room: u32,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) triggers: Vec<Trigger>,
    pub(crate) policies: Vec<Policy>,
    /// The query of a view.
    pub(crate) definition: Option<String>,
    /// The relations that a view's query reads.
    pub(crate) reads: Vec<Oid>,
    /// The schemas in which the names in a view's query, or in a table's policies, were found, if these were not the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) path: Vec<Oid>,
    pub(crate) sequence: Option<SequenceOptions>,
    pub(crate) row_security: bool,
    pub(crate) force_row_security: bool,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) acl: Acl,
    pub(crate) options: Vec<String>,
    pub(crate) owner: String,
    pub(crate) replica_identity: char,
    /// The index by which replicas know a row, if that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replica_index: Option<Oid>,
    /// The index by which its rows were last ordered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clustered: Option<Oid>,
    /// Whether its changes are not logged, as the catalog says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unlogged: bool,
    /// Whether a materialized view was created without its rows.
    #[serde(default)]
    pub(crate) unpopulated: bool,
    /// Whether SQLite has no table for it yet. Tables of a fresh database get theirs when a statement first names them.
    #[serde(default)]
    pub(crate) dormant: bool,
    /// What happens to a temporary table when the transaction ends: `d` it is dropped, `r` its rows are deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) on_commit: Option<char>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) rules: Vec<Rule>,
    /// Where the rows of a foreign table are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) foreign: Option<Foreign>,
    /// How its rows are divided among partitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) partitioning: Option<Partitioning>,
    /// The table of which it is a partition. It is a view then, which catalogs show as a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) partition: Option<Partition>,
}

/// A rule by which a change of a relation does nothing, or something else, or something more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) oid: Oid,
    pub(crate) name: String,
    pub(crate) event: String,
    pub(crate) instead: bool,
    pub(crate) comment: Option<String>,
    /// The condition, as it is written.
    #[serde(default)]
    pub(crate) condition: Option<String>,
    /// What it runs, as it is written; nothing for `NOTHING`.
    #[serde(default)]
    pub(crate) commands: Vec<String>,
    /// Whether one of the commands has `RETURNING`.
    #[serde(default)]
    pub(crate) returning: bool,
    /// The search path by which its names are found.
    #[serde(default)]
    pub(crate) path: Option<String>,
    /// In which sessions it is in force, as for a trigger.
    #[serde(default = "in_usual_sessions")]
    pub(crate) enabled: char,
}

fn in_usual_sessions() -> char {
    'O'
}

/// Options of something foreign, by name, in the order in which they were given.
pub(crate) type ForeignOptions = Vec<(String, String)>;

/// The server of a foreign table, and the options of the table and of its columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Foreign {
    pub(crate) server: Oid,
    pub(crate) options: ForeignOptions,
    pub(crate) columns: Vec<(u32, ForeignOptions)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) number: u32,
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) type_: Modified,
    pub(crate) not_null: bool,
    pub(crate) default: Option<String>,
    pub(crate) identity: Option<Identity>,
    pub(crate) generated: Option<String>,
    /// How its values would be stored, as the catalog says.
    #[serde(default, skip_serializing_if = "Stored::is_usual")]
    pub(crate) stored: Stored,
    /// The sequence that the column owns.
    pub(crate) sequence: Option<Oid>,
    pub(crate) comment: Option<String>,
    #[serde(default, skip_serializing_if = "Acl::is_unwritten")]
    pub(crate) acl: Acl,
    /// The collation that its definition names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) collation: Option<Collation>,
}

/// What is said of the storage of a column's values, and of how many of them are counted. Nothing depends on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) statistics: Option<i64>,
    /// `p` if none is chosen, as types of a fixed length have it, so that no dump sets the storage of a column.
    pub(crate) storage: Option<char>,
    pub(crate) compression: Option<char>,
    pub(crate) options: Vec<String>,
}

impl Stored {
    /// What a table that is made like another takes over.
    pub(crate) fn only(self, storage: bool, compression: bool) -> Stored {
        Stored {
            storage: self.storage.filter(|_| storage),
            compression: self.compression.filter(|_| compression),
            ..Stored::default()
        }
    }

    fn is_usual(&self) -> bool {
        *self == Stored::default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Identity {
    Always,
    ByDefault,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Constraint {
    pub(crate) oid: Oid,
    pub(crate) name: String,
    pub(crate) kind: ConstraintKind,
    pub(crate) columns: Vec<u32>,
    pub(crate) deferrable: bool,
    pub(crate) deferred: bool,
    pub(crate) validated: bool,
    /// Whether tables below would not have it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) no_inherit: bool,
    pub(crate) comment: Option<String>,
    /// The constraint of the table above a partition of which this one is a part. That one is in force for the rows of the partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<Oid>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConstraintKind {
    Primary {
        index: Oid,
    },
    Unique {
        index: Oid,
    },
    /// No two rows may compare as true by all operators, one for each key of the index.
    Exclude {
        index: Oid,
        operators: Vec<String>,
    },
    Check {
        expression: String,
    },
    Foreign {
        table: Oid,
        columns: Vec<u32>,
        on_delete: Action,
        on_update: Action,
        set: Vec<u32>,
        /// Whether either all columns of a row are null or none is.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        full: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::enum_variant_names, reason = "the names are those of SQL")]
pub(crate) enum Action {
    NoAction,
    Restrict,
    Cascade,
    SetNull,
    SetDefault,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Index {
    pub(crate) oid: Oid,
    pub(crate) name: String,
    pub(crate) unique: bool,
    pub(crate) method: String,
    pub(crate) keys: Vec<IndexKey>,
    pub(crate) include: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<String>,
    pub(crate) predicate: Option<String>,
    pub(crate) nulls_not_distinct: bool,
    /// Whether its constraint can be deferred, so that rows may have the same key for a while.
    #[serde(default)]
    pub(crate) deferrable: bool,
    pub(crate) comment: Option<String>,
    /// The index of the table above a partition of which this one is a part. Nothing is stored for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<Oid>,
    /// Whether partitions get no part of it by themselves, because it was created on `ONLY` the table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) only: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct IndexKey {
    pub(crate) column: Option<u32>,
    pub(crate) expression: Option<String>,
    pub(crate) descending: bool,
    pub(crate) nulls_first: Option<bool>,
    pub(crate) class: Option<String>,
    /// The collation by which it is ordered, if one is given. All texts sort alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) collation: Option<String>,
}

impl Constraint {
    /// Whether an index has its rows.
    pub(crate) fn has_index(&self) -> bool {
        use ConstraintKind::{Exclude, Primary, Unique};
        matches!(self.kind, Primary { .. } | Unique { .. } | Exclude { .. })
    }
}

impl Index {
    /// Whether it has to compute something of a row.
    pub(crate) fn computes(&self) -> bool {
        self.predicate.is_some() || self.keys.iter().any(|key| key.expression.is_some())
    }
}

impl IndexKey {
    /// The name of its operator class, without its options.
    pub(crate) fn class_name(&self) -> Option<&str> {
        let class = self.class.as_deref()?;
        Some(class.split_once(" (").map_or(class, |(name, _)| name))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trigger {
    pub(crate) oid: Oid,
    pub(crate) name: String,
    pub(crate) timing: String,
    pub(crate) events: Vec<String>,
    pub(crate) for_each_row: bool,
    pub(crate) condition: Option<String>,
    pub(crate) function: Oid,
    pub(crate) arguments: Vec<String>,
    pub(crate) enabled: char,
    pub(crate) definition: String,
    pub(crate) comment: Option<String>,
    /// The columns after `UPDATE OF`.
    #[serde(default)]
    pub(crate) columns: Vec<String>,
    /// Whether it fires at the end of the transaction.
    #[serde(default)]
    pub(crate) deferred: bool,
    /// The names of the tables of all rows before and after the statement.
    #[serde(default)]
    pub(crate) old_table: Option<String>,
    #[serde(default)]
    pub(crate) new_table: Option<String>,
    /// Whether it is a constraint.
    #[serde(default)]
    pub(crate) constraint: bool,
    /// Whether a transaction may defer it.
    #[serde(default)]
    pub(crate) deferrable: bool,
    /// The table after `FROM`, to which the constraint refers.
    #[serde(default)]
    pub(crate) refers_to: Option<Oid>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Policy {
    pub(crate) oid: Oid,
    pub(crate) name: String,
    pub(crate) permissive: bool,
    pub(crate) command: String,
    pub(crate) roles: Vec<String>,
    pub(crate) using: Option<String>,
    pub(crate) check: Option<String>,
    pub(crate) comment: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SequenceOptions {
    pub(crate) type_: Type,
    pub(crate) start: i64,
    pub(crate) increment: i64,
    pub(crate) minimum: i64,
    pub(crate) maximum: i64,
    pub(crate) cache: i64,
    pub(crate) cycle: bool,
    /// The table and column that own the sequence.
    pub(crate) owner: Option<(Oid, u32)>,
}

impl Relation {
    /// The trigger whose constraint has this name.
    pub(crate) fn constraint_trigger(&self, name: &str) -> Option<&Trigger> {
        self.triggers.iter().find(|trigger| trigger.constraint && trigger.name == name)
    }
}

impl Trigger {
    /// Whether it fires in a session, of a replica or not.
    pub(crate) fn fires_in(&self, replica: bool) -> bool {
        fires_in(self.enabled, replica)
    }
}

impl Rule {
    /// Whether it is in force in a session, of a replica or not.
    pub(crate) fn fires_in(&self, replica: bool) -> bool {
        fires_in(self.enabled, replica)
    }
}

fn fires_in(enabled: char, replica: bool) -> bool {
    match enabled {
        'D' => false,
        'A' => true,
        'R' => replica,
        _ => !replica,
    }
}

impl Constraint {
    /// Whether conflicts are noted when rows are written, and looked at when the statement or the transaction ends.
    pub(crate) fn is_noted(&self) -> bool {
        match self.kind {
            ConstraintKind::Exclude { .. } => true,
            ConstraintKind::Primary { .. } | ConstraintKind::Unique { .. } => self.deferrable,
            _ => false,
        }
    }
}

impl Relation {
    /// The defaults and the expressions of generated columns, with their numbers in the catalog.
    pub(crate) fn defaults(&self) -> impl Iterator<Item = (Oid, &Column, &str)> {
        self.columns.iter().filter_map(|column| {
            let text = column.generated.as_ref().or(column.default.as_ref())?;
            Some((self.oid * 1_000 + column.number, column, text.as_str()))
        })
    }

    /// The numbers of the columns that were dropped.
    pub(crate) fn dropped_columns(&self) -> impl Iterator<Item = u32> {
        let end = match self.kind {
            RelationKind::Table | RelationKind::Foreign => self.next_column,
            _ => 1,
        };
        (1..end).filter(|number| self.columns.iter().all(|column| column.number != *number))
    }

    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub(crate) fn column_number(&self, number: u32) -> Option<&Column> {
        self.columns.iter().find(|column| column.number == number)
    }

    pub(crate) fn column_name(&self, number: u32) -> &str {
        self.column_number(number).map_or("", |column| &column.name)
    }

    pub(crate) fn primary_key(&self) -> Option<&Constraint> {
        self.constraints.iter().find(|constraint| matches!(constraint.kind, ConstraintKind::Primary { .. }))
    }

    pub(crate) fn constraint(&self, name: &str) -> Option<&Constraint> {
        self.constraints.iter().find(|constraint| constraint.name == name)
    }

    /// The name of its SQLite table.
    pub(crate) fn physical(&self) -> String {
        physical(self.oid)
    }

    pub(crate) fn is_stored(&self) -> bool {
        matches!(self.kind, RelationKind::Table | RelationKind::MaterializedView)
    }

    /// The word for this kind of relation in messages.
    pub(crate) fn word(&self) -> &'static str {
        match self.shown_kind() {
            RelationKind::Table => "table",
            RelationKind::View => "view",
            RelationKind::MaterializedView => "materialized view",
            RelationKind::Sequence => "sequence",
            RelationKind::Foreign => "foreign table",
        }
    }
}

/// The name of the SQLite table of relation `oid`.
pub(crate) fn physical(oid: Oid) -> String {
    format!("r{oid}")
}
