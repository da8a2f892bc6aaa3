//! Statements that define objects.

mod absent;
mod aggregate;
mod alter;
mod attribute;
mod cast;
mod certain;
mod changes;
mod collation;
mod columns;
mod comment;
mod cursor;
mod dependents;
mod domain;
mod drop;
mod duplicate;
mod event;
mod exclusion;
mod explain;
mod extension;
mod follow;
mod follow_column;
mod foreign;
mod foreign_key;
mod grant;
mod hosted;
mod index;
mod label;
mod maintenance;
mod named_routine;
mod names;
mod nested;
mod notification;
mod object;
mod operator;
mod operator_class;
mod owner;
mod partition;
mod physical;
mod policy;
mod portal;
mod prepared;
mod privilege;
mod publication;
mod range;
mod recorded;
mod refresh;
mod role;
mod routine;
mod row_rights;
mod row_texts;
mod rule;
mod sequence;
mod session_start;
mod setting;
mod signature;
mod sql_body;
mod statistics;
mod storage;
mod table;
mod temporary;
mod text_search;
mod texts;
mod trigger;
mod users_of_texts;
mod view;

use std::sync::Arc;

use cursor::Cursor;
use jiff::Timestamp;
use privilege::{denied, unless_system};
use rand::SeedableRng as _;
use rusqlite::Connection;
use sqlparser::tokenizer::TokenWithSpan;

use super::catalog::{
    self, Catalog, Column, Object, Oid, PUBLIC, Relation, RelationKind, Schema, TypeDefinition, UserType,
};
use super::error::{Result, SqlError, SqlState};
use super::run::{Done, Engine, Session};
use crate::security::acl::{Acl, Change, Guarded};
use crate::{Interrupt, Limits};

pub(crate) use extension::TRUSTED_EXTENSIONS;
pub use extension::{KNOWN as KNOWN_EXTENSIONS, Known as KnownExtension};
pub(crate) use extension::{MODDATETIME_BODY, functions_of};
pub use hosted::{GRANTS, INITIAL, SCHEMAS_OF_EXTENSIONS};
pub(crate) use partition::makes_partition;
pub(crate) use prepared::{Prepared, Shape, into_table, parameter as parameter_number, shows_prepared};
pub(crate) use role::no_role;
pub(crate) use routine::ARGUMENTS_MAX;
pub(crate) use temporary::{are_left as temporary_are_left, drop_left as drop_temporary};

/// Fills an empty database with the initial content of a hosted project's database.
///
/// Fails when the database can't be written.
pub fn create(connection: &Connection) -> Result<()> {
    // The content is made in another database and copied, so that no page contains leftovers of intermediate steps.
    let mut scratch = Connection::open_in_memory()?;
    super::prepare_connection(&mut scratch)?;
    begin(&scratch)?;
    connection.execute_batch(catalog::TABLES)?;
    connection.execute_batch(crate::dml_deferred::TABLE)?;
    let (version, next) = Catalog::version(&scratch)?;
    connection.execute("UPDATE pg_meta SET version = ?1, next = ?2", (version, next))?;
    let mut read = scratch.prepare("SELECT oid, body FROM pg_object ORDER BY oid")?;
    let mut write = connection.prepare("INSERT INTO pg_object VALUES (?1, ?2)")?;
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        write.execute((row.get::<_, Oid>(0)?, row.get::<_, String>(1)?))?;
    }
    Ok(())
}

/// Creates the objects of a fresh project database. Its tables are dormant.
fn begin(connection: &Connection) -> Result<()> {
    connection.execute_batch(catalog::TABLES)?;
    connection.execute_batch(crate::dml_deferred::TABLE)?;
    let before = Catalog::default();
    let mut initial = Catalog::load(connection)?.as_ref().clone();
    let mut acl = Acl::default();
    let usage = Change { grantee: "", grantor: "postgres", letters: "U", grant: true, option: false };
    acl.change(Guarded::Schema, "postgres", usage);
    let public = Schema {
        name: "public".to_owned(),
        owner: "postgres".to_owned(),
        comment: Some("standard public schema".to_owned()),
        acl,
    };
    initial.objects.insert(PUBLIC, Object::Schema(public));
    for (oid, role) in hosted::roles() {
        initial.objects.insert(oid, Object::Role(role));
    }
    initial.save(connection, &before)?;
    let mut random = chacha20::ChaCha12Rng::from_seed([0; 32]);
    let mut session = first_session(connection, &mut random);
    super::run(&mut session, &[INITIAL, GRANTS, hosted::EMBEDDED].concat(), &[])?;
    super::run::within(&mut session, |engine| {
        let before = engine.catalog.clone();
        hosted::put_to_sleep(engine)?;
        Arc::make_mut(&mut engine.catalog).save(connection, &before).map(drop)
    })
}

/// The session in which a new database is made: the same at all times.
fn first_session<'s>(connection: &'s Connection, random: &'s mut chacha20::ChaCha12Rng) -> Session<'s> {
    Session {
        connection,
        now: Timestamp::UNIX_EPOCH,
        random,
        has_drawn: false,
        role: "postgres",
        server: &[],
        read_only: false,
        limits: Limits::default(),
        interrupt: Interrupt::default(),
    }
}

/// Gives what belongs to the platform in a new database names that begin with `name` instead of `platform`.
///
/// Fails when SQLite does.
pub fn name_platform(connection: &Connection, name: &str) -> Result<()> {
    let mut random = chacha20::ChaCha12Rng::from_seed([0; 32]);
    let mut session = first_session(connection, &mut random);
    super::run::within(&mut session, |engine| {
        let before = engine.catalog.clone();
        let (from, to) = ("platform_", format!("{name}_"));
        for (oid, object) in before.objects.iter() {
            let text = serde_json::to_string(object).expect("an object is plain data");
            if text.contains(from) {
                let object = serde_json::from_str(&text.replace(from, &to)).expect("only names have changed");
                Arc::make_mut(&mut engine.catalog).objects.insert(*oid, object);
            }
        }
        Arc::make_mut(&mut engine.catalog).save(connection, &before).map(drop)
    })
}

/// The units of work that a definition takes.
const DEFINITION_WORK: usize = 4_000;

/// The units of work that a definition takes for each object of the database: it is compared with them.
const OBJECT_WORK: usize = 2;

/// Runs a statement that is neither a query nor a change of rows.
pub(super) fn execute(engine: &mut Engine<'_>, tokens: &[TokenWithSpan]) -> Result<Done> {
    let mut cursor = Cursor::new(engine.source.clone(), tokens);
    if let Some(done) = engine.session_command(&mut cursor)? {
        return Ok(done);
    }
    engine.require_write(&verb(tokens))?;
    engine.wake_named(tokens)?;
    engine.budget.work(DEFINITION_WORK + OBJECT_WORK * engine.catalog.objects.len())?;
    let watched = engine.is_watched(tokens);
    if watched {
        engine.fire_event("ddl_command_start", &verb(tokens), None, None)?;
    }
    let before = engine.catalog.clone();
    let outer = std::mem::replace(&mut engine.defining, true);
    let done = engine.define(&mut cursor);
    engine.defining = outer;
    engine.known.loaded.borrow_mut().clear();
    let done = done?;
    if !Arc::ptr_eq(&before, &engine.catalog) {
        nested::require_few_fields(&before, &engine.catalog)?;
        let connection = engine.connection;
        let written = Arc::make_mut(&mut engine.catalog).save(connection, &before)?;
        engine.budget.work(written / 4)?;
    }
    if watched {
        engine.check_new_partitions()?;
        engine.fire_at_end(&before, &event::tag(tokens, &done.tag))?;
    }
    Ok(done)
}

/// The first words of statements whose name in error messages is that word.
const SINGLE_WORDS: &[&str] = &[
    "TRUNCATE",
    "COMMENT",
    "GRANT",
    "REVOKE",
    "DO",
    "REFRESH",
    "CALL",
    "COPY",
    "ANALYZE",
    "VACUUM",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "SET",
    "RESET",
    "SHOW",
    "NOTIFY",
    "LISTEN",
    "UNLISTEN",
    "EXPLAIN",
    "PREPARE",
    "EXECUTE",
    "DEALLOCATE",
    "FETCH",
    "CLUSTER",
    "CHECKPOINT",
];

/// The name of a statement in an error message: `CREATE TABLE`.
pub(crate) fn verb(tokens: &[TokenWithSpan]) -> String {
    let words = tokens.iter().map_while(|token| match &token.token {
        sqlparser::tokenizer::Token::Word(word) if word.quote_style.is_none() => {
            Some(word.value.to_uppercase())
        }
        _ => None,
    });
    let skipped = ["OR", "REPLACE", "UNIQUE", "TEMP", "TEMPORARY", "UNLOGGED"];
    let words: Vec<String> = words.filter(|word| !skipped.contains(&word.as_str())).take(3).collect();
    let with_query =
        || crate::run::outside_brackets(tokens).into_iter().any(|token| crate::source::is_word(token, "as"));
    match &words[..] {
        [first, second, ..] if first == "CREATE" && second == "TABLE" && with_query() => {
            "CREATE TABLE AS".to_owned()
        }
        [first, second, ..] if first == "SET" && second == "CONSTRAINTS" => format!("{first} {second}"),
        [first, ..] if first == "LOCK" => "LOCK TABLE".to_owned(),
        [first, ..] if first == "TRUNCATE" => "TRUNCATE TABLE".to_owned(),
        [first, ..] if first == "REFRESH" => "REFRESH MATERIALIZED VIEW".to_owned(),
        [first, ..] if SINGLE_WORDS.contains(&first.as_str()) => first.clone(),
        [first, second, third] if second == "MATERIALIZED" => format!("{first} {second} {third}"),
        [first, second, ..] => format!("{first} {second}"),
        [first] => first.clone(),
        [] => "statement".to_owned(),
    }
}

impl Engine<'_> {
    /// Runs a command about the session. Such commands change nothing that outlives the session.
    fn session_command(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Done>> {
        if cursor.is("set") {
            return self.set(cursor).map(Some);
        }
        if cursor.word("reset") {
            return self.reset(cursor).map(Some);
        }
        if cursor.word("prepare") {
            return self.prepare(cursor).map(Some);
        }
        if cursor.word("execute") {
            return self.execute_prepared(cursor).map(Some);
        }
        if cursor.word("deallocate") {
            return self.deallocate(cursor).map(Some);
        }
        if cursor.word("discard") {
            return self.discard(cursor).map(Some);
        }
        if cursor.word("show") {
            return self.show_setting(cursor).map(Some);
        }
        if cursor.word("declare") {
            return self.declare_cursor(cursor).map(Some);
        }
        if cursor.is("fetch") || cursor.is("move") {
            return self.fetch_cursor(cursor).map(Some);
        }
        if cursor.word("close") {
            return self.close_cursor(cursor).map(Some);
        }
        if cursor.word("explain") {
            return self.explain_statement(cursor).map(Some);
        }
        if let Some(done) = self.notification(cursor)? {
            return Ok(Some(done));
        }
        self.maintain(cursor)
    }

    fn define(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if cursor.word("create") {
            return self.create(cursor);
        }
        if cursor.words("alter table") {
            return self.alter_table(cursor);
        }
        if cursor.word("alter") {
            return self.alter_other(cursor);
        }
        if cursor.word("drop") {
            return self.drop(cursor);
        }
        if cursor.words("comment on") {
            return self.comment(cursor);
        }
        if cursor.word("truncate") {
            return self.truncate(cursor);
        }
        if cursor.words("refresh materialized view") {
            return self.refresh(cursor);
        }
        for (word, tag) in [("grant", "GRANT"), ("revoke", "REVOKE")] {
            if cursor.word(word) {
                if !self.grant_membership(cursor, word == "grant")? {
                    self.grant_privileges(cursor, word == "grant")?;
                }
                return Ok(Done::command(tag));
            }
        }
        if cursor.words("reassign owned") {
            return self.reassign_owned(cursor);
        }
        if cursor.word("copy") {
            return self.copy(cursor);
        }
        if cursor.word("cluster") {
            return self.cluster(cursor);
        }
        if cursor.words("import foreign schema") {
            return self.import_foreign_schema(cursor);
        }
        if cursor.words("security label") {
            let message = "no security label providers have been loaded";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        if cursor.word("load") {
            return self.load_library(cursor);
        }
        for (word, what) in [("prepare", "PREPARE"), ("execute", "EXECUTE"), ("deallocate", "DEALLOCATE")] {
            if cursor.is(word) {
                return Err(SqlError::unsupported(what));
            }
        }
        Err(cursor.unexpected())
    }

    fn create(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let replace = cursor.words("or replace");
        self.begin_temporary(cursor)?;
        cursor.unlogged = cursor.word("unlogged");
        let unique = cursor.word("unique");
        if cursor.word("index") {
            return self.create_index_statement(cursor, unique);
        }
        if cursor.unlogged && cursor.words("materialized view") {
            let message = "materialized views cannot be unlogged";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        if cursor.unlogged && cursor.word("view") {
            let message = "views cannot be unlogged because they do not have storage";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        let unloggable = cursor.is("table") || cursor.is("sequence");
        if unique || cursor.unlogged && !unloggable {
            return Err(cursor.unexpected());
        }
        if cursor.word("table") {
            return self.create_table(cursor);
        }
        if cursor.word("view") {
            return self.create_view(cursor, replace);
        }
        if cursor.words("recursive view") {
            return self.create_recursive_view(cursor, replace);
        }
        if cursor.words("materialized view") {
            return self.create_materialized_view(cursor);
        }
        if cursor.word("sequence") {
            return self.create_sequence(cursor);
        }
        if cursor.word("schema") {
            return self.create_schema(cursor);
        }
        if cursor.word("type") {
            return self.create_type(cursor);
        }
        if cursor.word("domain") {
            return self.create_domain(cursor);
        }
        if cursor.word("extension") {
            return self.create_extension(cursor);
        }
        if cursor.words("text search") {
            return self.create_text_search(cursor);
        }
        if cursor.word("function") {
            return self.create_routine(cursor, replace, false);
        }
        if cursor.word("procedure") {
            return self.create_routine(cursor, replace, true);
        }
        if cursor.word("aggregate") {
            return self.create_aggregate(cursor, replace);
        }
        if cursor.word("trigger") {
            return self.create_trigger(cursor, replace, false);
        }
        if cursor.words("constraint trigger") {
            return self.create_trigger(cursor, replace, true);
        }
        if cursor.word("policy") {
            return self.create_policy(cursor);
        }
        if cursor.word("publication") {
            return self.create_publication(cursor);
        }
        if let Some(done) = self.create_recorded(cursor, replace)? {
            return Ok(done);
        }
        if cursor.word("role") || cursor.word("group") {
            return self.create_role(cursor, false);
        }
        if cursor.word("user") {
            return self.create_role(cursor, true);
        }
        let known = ["database", "language", "conversion", "subscription", "tablespace", "access"];
        if let Some(word) = known.iter().find(|word| cursor.is(word)) {
            return Err(SqlError::unsupported(format!("CREATE {}", word.to_uppercase())));
        }
        Err(cursor.unexpected())
    }

    /// The catalog, for changes.
    fn catalog_mut(&mut self) -> &mut Catalog {
        Arc::make_mut(&mut self.catalog)
    }

    fn new_oid(&mut self) -> Oid {
        self.catalog_mut().new_oid()
    }

    fn relation_mut(&mut self, oid: Oid) -> &mut Relation {
        self.catalog_mut().relation_mut(oid).expect("the relation at hand exists")
    }

    fn column_mut(&mut self, oid: Oid, number: u32) -> &mut Column {
        let columns = &mut self.relation_mut(oid).columns;
        columns.iter_mut().find(|column| column.number == number).expect("the column at hand exists")
    }

    /// A relation by name.
    pub(super) fn find(&self, schema: Option<&str>, name: &str) -> Result<&Relation> {
        let found = self.binder().relation_by_name(schema, name);
        let oid = found.map_err(|missing| unless_system(schema, name, missing))?.oid;
        Ok(self.catalog.relation(oid).expect("the relation was found a moment ago"))
    }

    /// A table by name.
    fn find_table(&self, cursor: &mut Cursor<'_>) -> Result<Oid> {
        let (schema, name) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &name)?;
        if relation.shown_kind() != RelationKind::Table {
            let message = format!("\"{name}\" is not a table");
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        Ok(relation.oid)
    }

    fn creation_schema(&self, schema: Option<&str>) -> Result<Oid> {
        let found = self.binder().creation_schema(schema)?;
        if found == catalog::PG_CATALOG || found == catalog::INFORMATION_SCHEMA {
            let name = schema.unwrap_or("pg_catalog");
            return Err(denied(format!("permission denied for schema {name}")));
        }
        self.catalog.require_schema(&self.settings.role, found, 'C')?;
        Ok(found)
    }

    /// Adds a relation without columns to the catalog, with its row type.
    fn new_relation(&mut self, schema: Oid, name: &str, kind: RelationKind) -> Oid {
        let oid = self.new_oid();
        let owner = self.settings.role.to_string();
        let guarded = if kind == RelationKind::Sequence { Guarded::Sequence } else { Guarded::Table };
        let acl = self.catalog.default_acl(&owner, schema, guarded);
        let relation = Relation {
            oid,
            schema,
            name: name.to_owned(),
            kind,
            columns: Vec::new(),
            next_column: 1,
            room: 0,
            constraints: Vec::new(),
            indexes: Vec::new(),
            triggers: Vec::new(),
            policies: Vec::new(),
            definition: None,
            reads: Vec::new(),
            path: Vec::new(),
            sequence: None,
            row_security: false,
            force_row_security: false,
            comment: None,
            acl,
            options: Vec::new(),
            owner,
            replica_identity: 'd',
            replica_index: None,
            clustered: None,
            unlogged: false,
            unpopulated: false,
            dormant: false,
            on_commit: None,
            rules: Vec::new(),
            foreign: None,
            partitioning: None,
            partition: None,
        };
        self.catalog_mut().objects.insert(oid, Object::Relation(relation));
        if kind != RelationKind::Sequence {
            let row = self.new_oid();
            let definition = TypeDefinition::Row { relation: oid };
            let row_type = UserType {
                schema,
                name: name.to_owned(),
                definition,
                comment: None,
                check_comments: Default::default(),
                owner: self.settings.role.to_string(),
                acl: Default::default(),
            };
            self.catalog_mut().objects.insert(row, Object::Type(row_type));
        }
        oid
    }

    fn has_storage(&self, oid: Oid) -> Result<bool> {
        let mut find =
            self.connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)")?;
        Ok(find.query_row([catalog::physical(oid)], |row| row.get(0))?)
    }
}
