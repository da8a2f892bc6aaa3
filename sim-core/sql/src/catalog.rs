//! The catalog: all objects of a project's database. Each object is a JSON row of `pg_object`, stored with the data, so that a
//! copy of the pages is also a copy of the catalog.

mod callee;
mod lookup;
mod partitions;
mod quoting;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub(crate) use callee::{CallNumber, Callee, of_element, repeated_type};

use super::error::Result;
use super::objects::Objects;
use super::security::acl::{Acl, Guarded};
use super::types::{FIRST_USER, Modified, Type};

pub(crate) use self::partitions::{Bound, Datum, IN_BOUND, Partition, PartitionKey, Partitioning, Strategy};
pub(crate) use self::quoting::{quote_identifier, quote_literal};

/// The identifier of an object.
pub(crate) type Oid = u32;

/// The schema of the system's own relations.
pub(crate) const PG_CATALOG: Oid = 11;
/// The schema of the views that the SQL standard defines over the catalog.
pub(crate) const INFORMATION_SCHEMA: Oid = 13_000;
/// The schema of a call's temporary objects, under PostgreSQL's name for that of a session.
pub(crate) const TEMPORARY: &str = "pg_temp_3";
/// The schema of unqualified names.
pub(crate) const PUBLIC: Oid = 2200;

/// The number of parsed catalogs kept in memory.
const CACHED_MAX: usize = 64;

/// The catalogs kept in memory, by version.
static READ: LazyLock<Mutex<BTreeMap<Vec<u8>, Arc<Catalog>>>> = LazyLock::new(Mutex::default);

/// The tables in which the engine stores the catalog and the sequences' values.
pub(super) const TABLES: &str = "
    CREATE TABLE pg_object (oid INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
    CREATE TABLE pg_meta (version BLOB NOT NULL, next INTEGER NOT NULL) STRICT;
    CREATE TABLE pg_sequence_state (oid INTEGER PRIMARY KEY, value INTEGER NOT NULL, called INTEGER NOT NULL) STRICT;
    CREATE TABLE pg_pending (key INTEGER NOT NULL, value TEXT NOT NULL, side INTEGER NOT NULL) STRICT;
    INSERT INTO pg_meta VALUES (x'', 16384);
";

/// All objects, by identifier.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    version: Vec<u8>,
    next: Oid,
    pub(crate) objects: Objects,
    /// The schemas whose names are left out where a session sees them; `None` for the usual ones, as in the texts of definitions.
    left_out: Option<Vec<Oid>>,
}

/// An object that others can refer to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "object", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "most objects are relations")]
pub(crate) enum Object {
    Schema(Schema),
    Relation(Relation),
    Type(UserType),
    Routine(Routine),
    Publication(Publication),
    Extension(Extension),
    Role(Role),
    DefaultAcl(DefaultAcl),
    TextSearch(TextSearch),
    Recorded(Recorded),
    SessionStart(SessionStart),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schema {
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) acl: Acl,
}

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

/// A rule by which a change of a relation does nothing, or nothing more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) oid: Oid,
    pub(crate) name: String,
    pub(crate) event: String,
    pub(crate) instead: bool,
    pub(crate) comment: Option<String>,
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UserType {
    pub(crate) schema: Oid,
    pub(crate) name: String,
    pub(crate) definition: TypeDefinition,
    pub(crate) comment: Option<String>,
    /// The comments on the constraints of a domain, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) check_comments: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TypeDefinition {
    Enum {
        labels: Vec<String>,
    },
    Composite {
        attributes: Vec<Attribute>,
    },
    Domain {
        base: Modified,
        not_null: bool,
        default: Option<String>,
        checks: Vec<(String, String)>,
    },
    /// The row type of a relation, which has the same name.
    Row {
        relation: Oid,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) type_: Modified,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Routine {
    pub(crate) schema: Oid,
    pub(crate) name: String,
    pub(crate) procedure: bool,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) returns: Type,
    pub(crate) returns_set: bool,
    pub(crate) language: String,
    pub(crate) body: String,
    pub(crate) volatility: char,
    pub(crate) strict: bool,
    pub(crate) security_definer: bool,
    pub(crate) settings: Vec<String>,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) acl: Acl,
    #[serde(default)]
    pub(crate) owner: String,
    /// What it says about its use in parallel queries: `u` unsafe, `r` restricted, `s` safe.
    #[serde(default = "unsafe_in_parallel")]
    pub(crate) parallel: char,
    #[serde(default)]
    pub(crate) leakproof: bool,
    /// What a planner would reckon with, if it says so.
    #[serde(default)]
    pub(crate) cost: Option<f64>,
    #[serde(default)]
    pub(crate) rows: Option<f64>,
    /// How it is computed, if it is an aggregate.
    #[serde(default)]
    pub(crate) aggregation: Option<Aggregation>,
}

fn unsafe_in_parallel() -> char {
    'u'
}

/// How an aggregate of a project is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Aggregation {
    /// Makes the next state of the state and the arguments of a row.
    pub(crate) step: Part,
    /// The type of the state.
    pub(crate) state: Type,
    /// The first state, as text.
    pub(crate) initial: Option<String>,
    /// Makes the result of the last state.
    pub(crate) finish: Option<Part>,
    /// Whether `finish` also takes arguments of the types of the aggregate's, which are null.
    pub(crate) finish_extra: bool,
}

/// A function that an aggregate calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Its name with its schema, quoted.
    pub(crate) name: String,
    /// The function, if it is one of the project.
    pub(crate) routine: Option<Oid>,
    /// Whether it returns null if an argument is null.
    pub(crate) strict: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) type_: Type,
    /// `i` in, `o` out, `b` both, `v` variadic, `t` column of the returned table.
    pub(crate) mode: char,
    pub(crate) default: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Publication {
    pub(crate) name: String,
    pub(crate) all_tables: bool,
    pub(crate) tables: Vec<Oid>,
    /// What is published of those tables that are not published whole.
    #[serde(default, with = "pairs")]
    pub(crate) details: BTreeMap<Oid, Published>,
    /// The changes that are not published: some of `iudt`.
    #[serde(default)]
    pub(crate) leaves_out: String,
    /// Whether changes of partitions are published as changes of the root.
    #[serde(default)]
    pub(crate) via_root: bool,
}

/// A map as a list of pairs: the key of an object in JSON is a text, and what an [`Object`] contains is read without knowing better.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Oid;

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        map: &BTreeMap<Oid, T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<Oid, T>, D::Error> {
        Ok(Vec::<(Oid, T)>::deserialize(from)?.into_iter().collect())
    }
}

/// The part of a table that is published.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Published {
    /// The numbers of the columns; all if this is empty.
    pub(crate) columns: Vec<u32>,
    /// The condition on rows, in brackets.
    pub(crate) filter: Option<String>,
}

impl Publication {
    /// Adds a table.
    pub(crate) fn add(&mut self, table: Oid, published: Published) {
        if !self.tables.contains(&table) {
            self.tables.push(table);
        }
        if published != Published::default() {
            self.details.insert(table, published);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extension {
    pub(crate) name: String,
    pub(crate) schema: Oid,
    pub(crate) version: String,
    /// The objects that it has created, which go with it.
    #[serde(default)]
    pub(crate) members: Vec<Oid>,
}

/// A configuration of text search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TextSearch {
    pub(crate) name: String,
    pub(crate) schema: Oid,
    /// The dictionaries of each kind of token: `word:unaccent,spanish_stem;uint:simple`.
    pub(crate) mappings: String,
}

/// An object of which the engine only keeps the definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) kind: RecordedKind,
    /// The name; of a user mapping, that of the role, or `public`.
    pub(crate) name: String,
    pub(crate) schema: Option<Oid>,
    pub(crate) owner: String,
    /// The wrapper of a server, the server of a mapping, the function of an event trigger, the table of statistics.
    pub(crate) of: Option<Oid>,
    pub(crate) options: ForeignOptions,
    /// Further parts of the definition, by the word that introduces them.
    pub(crate) words: BTreeMap<String, String>,
    pub(crate) comment: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecordedKind {
    Wrapper,
    Server,
    Mapping,
    EventTrigger,
    Statistics,
}

impl RecordedKind {
    /// Its name in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            RecordedKind::Wrapper => "foreign-data wrapper",
            RecordedKind::Server => "server",
            RecordedKind::Mapping => "user mapping",
            RecordedKind::EventTrigger => "event trigger",
            RecordedKind::Statistics => "statistics object",
        }
    }
}

/// A role, with its attributes as in `pg_roles`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) superuser: bool,
    pub(crate) inherit: bool,
    pub(crate) create_role: bool,
    pub(crate) create_database: bool,
    pub(crate) login: bool,
    pub(crate) replication: bool,
    pub(crate) bypasses_row_security: bool,
    /// How many sessions it may have at once; any number if there is none.
    #[serde(default)]
    pub(crate) connection_limit: Option<i64>,
    /// When its password ends, in microseconds since 1970.
    #[serde(default)]
    pub(crate) valid_until: Option<i64>,
    /// The roles of which it is a member.
    pub(crate) member_of: Vec<String>,
}

/// The one database of a project.
pub(crate) const DATABASE: &str = "postgres";
pub(crate) const DATABASE_OID: Oid = 5;

/// Parameters with which later sessions begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionStart {
    /// Whose sessions they are; everybody's if there is no role.
    pub(crate) role: Option<String>,
    /// Whether they are of this database, and not of the server.
    pub(crate) here: bool,
    pub(crate) values: BTreeMap<String, String>,
}

/// What new objects of a role are granted, by `ALTER DEFAULT PRIVILEGES`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DefaultAcl {
    pub(crate) role: String,
    /// The schema of the objects; every one if there is none.
    pub(crate) schema: Option<Oid>,
    pub(crate) kind: Guarded,
    pub(crate) acl: Acl,
}

impl Argument {
    pub(crate) fn is_input(&self) -> bool {
        matches!(self.mode, 'i' | 'b' | 'v')
    }

    /// The name of its column in the result, of which it is the one with this number.
    pub(crate) fn result_name(&self, number: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("column{number}"))
    }
}

impl Trigger {
    /// Whether it fires in a session, of a replica or not.
    pub(crate) fn fires_in(&self, replica: bool) -> bool {
        match self.enabled {
            'D' => false,
            'A' => true,
            'R' => replica,
            _ => !replica,
        }
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

impl Routine {
    /// A function without arguments, that returns nothing.
    pub(crate) fn new(schema: Oid, name: String, owner: String) -> Routine {
        Routine {
            schema,
            name,
            procedure: false,
            arguments: Vec::new(),
            returns: Type::VOID,
            returns_set: false,
            language: String::new(),
            body: String::new(),
            volatility: 'v',
            strict: false,
            security_definer: false,
            settings: Vec::new(),
            comment: None,
            acl: Acl::default(),
            owner,
            parallel: unsafe_in_parallel(),
            leakproof: false,
            cost: None,
            rows: None,
            aggregation: None,
        }
    }

    /// The cost of a call, and the number of rows, that a planner would reckon with.
    pub(crate) fn estimates(&self) -> (f64, f64) {
        let native = matches!(self.language.as_str(), "c" | "internal");
        let usual = (if native { 1.0 } else { 100.0 }, if self.returns_set { 1000.0 } else { 0.0 });
        (self.cost.unwrap_or(usual.0), self.rows.unwrap_or(usual.1))
    }

    /// What messages call it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Routine { procedure: true, .. } => "procedure",
            Routine { aggregation: Some(_), .. } => "aggregate",
            _ => "function",
        }
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|argument| argument.is_input())
    }

    /// The search path that it sets, as written.
    pub(crate) fn search_path(&self) -> Option<&str> {
        self.settings.iter().find_map(|setting| {
            setting
                .split_once(" TO ")
                .filter(|(name, _)| name.eq_ignore_ascii_case("search_path"))
                .map(|(_, value)| value)
        })
    }
}

impl Relation {
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

impl Catalog {
    /// Reads the catalog of `connection`; takes it from memory if this version was read before.
    pub(crate) fn load(connection: &Connection) -> Result<Arc<Catalog>> {
        let (version, next) = Catalog::version(connection)?;
        if let Some(catalog) = READ.lock().get(&version) {
            return Ok(catalog.clone());
        }
        let mut statement = connection.prepare_cached("SELECT oid, body FROM pg_object")?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, Oid>(0)?, row.get::<_, String>(1)?)))?;
        let mut objects = Objects::default();
        for row in rows {
            let (oid, body) = row?;
            objects.insert(oid, serde_json::from_str(&body).expect("the engine wrote its own catalog"));
        }
        let catalog = Arc::new(Catalog { version, next, objects, left_out: None });
        catalog.keep();
        Ok(catalog)
    }

    /// Keeps the catalog in memory for [`Catalog::load`].
    pub(crate) fn keep(self: &Arc<Catalog>) {
        let mut read = READ.lock();
        if read.len() >= CACHED_MAX && !read.contains_key(&self.version) {
            read.pop_first();
        }
        read.insert(self.version.clone(), self.clone());
    }

    /// The version, which is different for every catalog, and the identifier for the next object.
    pub(super) fn version(connection: &Connection) -> Result<(Vec<u8>, Oid)> {
        let mut meta = connection.prepare_cached("SELECT version, next FROM pg_meta")?;
        Ok(meta.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// Writes the changes since `before`, and gives the catalog a new version. Returns the bytes written.
    pub(crate) fn save(&mut self, connection: &Connection, before: &Catalog) -> Result<usize> {
        self.objects.settle();
        let differences = self.objects.differences(&before.objects);
        if differences.is_empty() && self.next == before.next {
            return Ok(0);
        }
        let mut written = 0;
        let mut digest = Sha256::new().chain_update(&self.version).chain_update(self.next.to_le_bytes());
        let mut write = connection.prepare_cached("INSERT OR REPLACE INTO pg_object VALUES (?1, ?2)")?;
        let mut delete = connection.prepare_cached("DELETE FROM pg_object WHERE oid = ?1")?;
        for (oid, object) in differences {
            digest.update(oid.to_le_bytes());
            if let Some(object) = object {
                let body = serde_json::to_string(object).expect("a catalog object is plain data");
                debug_assert_eq!(serde_json::from_str::<Object>(&body).ok().as_ref(), Some(object), "{body}");
                digest.update(&body);
                written += body.len();
                write.execute((oid, body))?;
            } else {
                delete.execute([oid])?;
            }
        }
        self.version = digest.finalize().to_vec();
        connection.execute("UPDATE pg_meta SET version = ?1, next = ?2", (&self.version, self.next))?;
        Ok(written)
    }

    /// The schema of the extension that a built-in type belongs to, if that has been created.
    pub(crate) fn extension_of_type(&self, type_: Type) -> Option<Oid> {
        let name = type_.extension()?;
        self.extensions().find(|(_, extension)| extension.name == name).map(|(_, known)| known.schema)
    }

    /// A new identifier. It is even; odd ones are for array types.
    pub(crate) fn new_oid(&mut self) -> Oid {
        let oid = self.next.max(FIRST_USER);
        self.next = oid + 2;
        oid
    }

    /// The last stored value of a sequence, and whether it was returned already.
    pub(crate) fn sequence_state(connection: &Connection, oid: Oid) -> Result<Option<(i64, bool)>> {
        let mut statement =
            connection.prepare_cached("SELECT value, called FROM pg_sequence_state WHERE oid = ?1")?;
        Ok(statement.query_row([oid], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }
}
