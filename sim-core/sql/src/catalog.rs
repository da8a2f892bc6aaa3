//! The catalog: all objects of a project's database. Each object is a JSON row of `pg_object`, stored with the data, so that a
//! copy of the pages is also a copy of the catalog.

mod callee;
mod casts;
mod chains;
mod lookup;
mod operators;
mod partitions;
mod quoting;
mod relation;
mod replica;
mod routine;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub(crate) use callee::{CallNumber, Callee, of_element, repeated_type};
pub(crate) use casts::OwnCast;
pub(crate) use operators::OwnOperator;

use super::error::Result;
use super::objects::Objects;
use super::security::acl::{Acl, Guarded};
use super::types::{FIRST_USER, Modified, Type};

pub(crate) use self::lookup::has_word;
pub(crate) use self::partitions::{Bound, Datum, IN_BOUND, Partition, PartitionKey, Partitioning, Strategy};
pub(crate) use self::quoting::{quote_identifier, quote_literal};
pub(crate) use self::relation::{
    Action, Column, Constraint, ConstraintKind, Foreign, ForeignOptions, Identity, Index, IndexKey, Policy,
    Relation, RelationKind, Rule, SequenceOptions, Stored, Trigger, physical,
};
pub(crate) use self::routine::{Aggregation, Argument, Part, Routine, Settled};

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
    /// The stack that the deepest of the stored texts may take, in bytes. It does not shrink when a text is dropped.
    pub(crate) stack: usize,
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
    Database(Database),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schema {
    pub(crate) name: String,
    pub(crate) owner: String,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) acl: Acl,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UserType {
    pub(crate) schema: Oid,
    pub(crate) name: String,
    pub(crate) definition: TypeDefinition,
    pub(crate) comment: Option<String>,
    /// The comments on the constraints of a domain, or on the fields of a composite type, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) check_comments: BTreeMap<String, String>,
    /// The owner; that of a row is the owner of its relation.
    #[serde(default = "first_owner")]
    pub(crate) owner: String,
    #[serde(default, skip_serializing_if = "Acl::is_unwritten")]
    pub(crate) acl: Acl,
}

impl UserType {
    /// The list of its privileges, with what that depends on.
    pub(crate) fn guarded(&self) -> (Guarded, &Acl, &str) {
        (Guarded::Type, &self.acl, &self.owner)
    }

    /// The row type of a relation has no privileges of its own.
    pub(crate) fn is_row(&self) -> bool {
        matches!(self.definition, TypeDefinition::Row { .. })
    }
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
    /// A range, or several ranges. Their values are those of a type of the system that nobody can name.
    Range {
        base: Type,
        /// The other one of a range and several of them.
        pair: Type,
        /// The name of the functions that make it, which does not change with that of the type.
        maker: String,
        distance: Option<Distance>,
    },
    /// The row type of a relation, which has the same name.
    Row {
        relation: Oid,
    },
}

/// The function that tells how far two bounds of a range are apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Distance {
    /// `None` for a function of the system.
    pub(crate) function: Option<Oid>,
    pub(crate) name: String,
}

/// A range of a user, or several of them: the type of the system under it, and the other one of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OwnRange {
    pub(crate) base: Type,
    pub(crate) pair: Type,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) type_: Modified,
}

/// What is kept of the database itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Database {
    pub(crate) acl: Acl,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Publication {
    pub(crate) name: String,
    #[serde(default = "first_owner")]
    pub(crate) owner: String,
    pub(crate) all_tables: bool,
    pub(crate) tables: Vec<Oid>,
    /// The schemas whose tables are published, also those that are created later.
    #[serde(default)]
    pub(crate) schemas: Vec<Oid>,
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
    /// The columns that the condition reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) filters_by: Vec<u32>,
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

    /// Takes a table out.
    pub(crate) fn remove(&mut self, table: Oid) {
        self.tables.retain(|known| *known != table);
        self.details.remove(&table);
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
    #[serde(default = "first_owner")]
    pub(crate) owner: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) comment: Option<String>,
}

/// The owner of objects that were made before their owners were kept.
fn first_owner() -> String {
    "postgres".to_owned()
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecordedKind {
    Wrapper,
    Server,
    Mapping,
    EventTrigger,
    Statistics,
    Cast,
    Operator,
    Collation,
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
            RecordedKind::Cast => "cast",
            RecordedKind::Operator => "operator",
            RecordedKind::Collation => "collation",
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

impl Catalog {
    /// Reads the catalog of `connection`; takes it from memory if this version was read before.
    pub(crate) fn load(connection: &Connection) -> Result<Arc<Catalog>> {
        let (version, next) = Catalog::version(connection)?;
        if let Some(catalog) = READ.lock().get(&version) {
            return Ok(catalog.clone());
        }
        let mut statement = connection.prepare_cached("SELECT oid, body FROM pg_object")?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, Oid>(0)?, row.get::<_, String>(1)?)))?;
        let (mut objects, mut stack) = (Objects::default(), 0);
        for row in rows {
            let (oid, body) = row?;
            stack = stack.max(chains::stack_of(&body));
            objects.insert(oid, serde_json::from_str(&body).expect("the engine wrote its own catalog"));
        }
        let catalog = Arc::new(Catalog { version, next, objects, stack, left_out: None });
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
                self.stack = self.stack.max(chains::stack_of(&body));
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
