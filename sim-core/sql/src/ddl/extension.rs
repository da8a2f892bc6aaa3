//! `CREATE EXTENSION`: the objects that an extension creates, as far as this engine supports it.

use std::rc::Rc;

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::privilege::{denied, require_trusted_extension};
use crate::catalog::{Extension, Object, Oid, TypeDefinition, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::Source;
use crate::system::names_of_functions;

/// An extension that can be created.
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// The version that it has unless another is asked for.
    pub version: &'static str,
    /// The schema that it creates.
    pub schema: Option<&'static str>,
    /// Its definitions; `{schema}` stands for its schema.
    pub script: &'static str,
    /// What it lacks, which who creates it is told.
    pub limits: &'static str,
}

const fn plain(name: &'static str, version: &'static str) -> Known {
    Known { name, version, schema: None, script: "", limits: "" }
}

const fn with_schema(
    name: &'static str,
    version: &'static str,
    schema: &'static str,
    script: &'static str,
) -> Known {
    Known { name, version, schema: Some(schema), script, limits: "" }
}

const fn scripted(name: &'static str, version: &'static str, script: &'static str) -> Known {
    Known { name, version, schema: None, script, limits: "" }
}

const fn limited(known: Known, limits: &'static str) -> Known {
    Known { limits, ..known }
}

/// The extensions that can be created. Their types and functions are built into the engine or defined by a script. Other
/// functions of an extension are refused by name when they are called.
pub const KNOWN: &[Known] = &[
    scripted("autoinc", "1.0", include_str!("extensions/autoinc.sql")),
    plain("btree_gin", "1.3"),
    plain("btree_gist", "1.7"),
    plain("citext", "1.6"),
    plain("cube", "1.5"),
    scripted("earthdistance", "1.1", include_str!("extensions/earth.sql")),
    plain("fuzzystrmatch", "1.1"),
    plain("hstore", "1.8"),
    scripted("insert_username", "1.0", include_str!("extensions/insert_username.sql")),
    plain("intarray", "1.5"),
    scripted("lo", "1.1", include_str!("extensions/lo.sql")),
    limited(
        scripted("hypopg", "1.4.1", include_str!("extensions/hypothetical.sql")),
        "no hypothetical index can be created",
    ),
    limited(
        scripted("index_advisor", "0.2.0", include_str!("extensions/advisor.sql")),
        "it has no advice, because no hypothetical index can be created",
    ),
    scripted("http", "1.6", include_str!("extensions/http.sql")),
    scripted("moddatetime", "1.0", include_str!("extensions/moddatetime.sql")),
    plain("ltree", "1.2"),
    limited(
        with_schema("pg_cron", "1.6.4", "cron", include_str!("extensions/cron.sql")),
        "jobs are recorded, and nothing runs them",
    ),
    plain("pg_graphql", "1.5.11"),
    scripted("pg_hashids", "1.3", include_str!("extensions/hashids.sql")),
    limited(
        scripted("pg_jsonschema", "0.3.3", include_str!("extensions/json_schema.sql")),
        "schemas can't refer to other documents",
    ),
    limited(
        with_schema("pg_net", "0.14.0", "net", include_str!("extensions/net.sql")),
        "requests are recorded, and nothing sends them",
    ),
    limited(
        scripted("pg_partman", "5.2.4", include_str!("extensions/partman.sql")),
        "partitions are ranges of times or whole numbers, and nothing runs the maintenance by itself",
    ),
    limited(plain("pg_repack", "1.5.2"), "there is only its name"),
    scripted("pg_stat_statements", "1.10", include_str!("extensions/statements.sql")),
    plain("pg_trgm", "1.6"),
    limited(plain("pgaudit", "1.7"), "nothing is logged"),
    plain("pgcrypto", "1.3"),
    plain("pgjwt", "0.2.0"),
    with_schema("pgmq", "1.4.4", "pgmq", include_str!("extensions/queue.sql")),
    limited(
        with_schema("pgsodium", "3.1.8", "pgsodium", include_str!("extensions/sodium.sql")),
        "it has its tables, but no key, and no function that encrypts",
    ),
    scripted("pgtap", "1.2.0", include_str!("extensions/tap.sql")),
    plain("plpgsql", "1.0"),
    limited(plain("plpgsql_check", "2.7"), "there is only its name"),
    limited(
        scripted("postgis", "3.3.7", include_str!("extensions/shapes.sql")),
        "functions that need a geometry library, such as st_buffer and st_union, are refused, and no query uses an index on shapes",
    ),
    scripted("refint", "1.0", include_str!("extensions/refint.sql")),
    scripted("tablefunc", "1.0", include_str!("extensions/tablefunc.sql")),
    scripted("tcn", "1.0", include_str!("extensions/tcn.sql")),
    plain("unaccent", "1.1"),
    plain("uuid-ossp", "1.1"),
    plain("vector", "0.8.0"),
    limited(
        plain("wrappers", "0.5.4"),
        "nothing is behind its foreign tables, and a query of one is refused",
    ),
];

/// Extensions whose tables belong to who runs the server.
const OF_SERVER: [&str; 1] = ["postgis"];

/// Extensions whose types and functions the engine does not have. They are refused when they are created, so that no statement that
/// needs them fails later.
const ABSENT: &[&str] = &[
    "address_standardizer",
    "address_standardizer_data_us",
    "dblink",
    "dict_int",
    "dict_xsyn",
    "isn",
    "pg_stat_monitor",
    "pg_tle",
    "pg_walinspect",
    "pgroonga",
    "pgroonga_database",
    "pgrouting",
    "pgrowlocks",
    "plcoffee",
    "plls",
    "plv8",
    "postgis_raster",
    "postgis_sfcgal",
    "postgis_tiger_geocoder",
    "postgis_topology",
    "postgres_fdw",
    "rum",
    "seg",
    "sslinfo",
    "timescaledb",
    "tsm_system_rows",
    "xml2",
];

/// Those that a role without special rights can create.
pub(crate) const TRUSTED_EXTENSIONS: [&str; 17] = [
    "btree_gin",
    "btree_gist",
    "citext",
    "cube",
    "earthdistance",
    "fuzzystrmatch",
    "hstore",
    "intarray",
    "lo",
    "ltree",
    "pg_trgm",
    "pgcrypto",
    "plpgsql",
    "tablefunc",
    "tcn",
    "unaccent",
    "uuid-ossp",
];

/// The functions of the extensions whose functions the catalog does not list.
const FUNCTIONS: &str = include_str!("extensions/functions.txt");

pub(crate) fn functions_of(extension: &str) -> impl Iterator<Item = &'static str> {
    let line = FUNCTIONS.lines().find_map(|line| line.strip_prefix(extension)?.strip_prefix(": "));
    let named = line.into_iter().flat_map(|names| names.split(' '));
    names_of_functions(extension).chain(named)
}

/// The end of the name of the platform's secret store. The name begins like those of the platform's roles.
const VAULT: &str = "_vault";

/// What tells the function of the extension from others of its name. The engine has its own code for it.
pub(crate) const MODDATETIME_BODY: &str = "jsonb_populate_record(new, jsonb_build_object(tg_argv[0], now()))";

impl Engine<'_> {
    /// Reads the function of an extension that is created, if the name is that of one. Everybody may call it.
    pub(super) fn passes_extension_function(&self, cursor: &mut Cursor<'_>) -> Result<bool> {
        let start = cursor.at;
        let (schema, name) = cursor.name()?;
        let own = self.catalog.routines().any(|(_, known)| known.name == name);
        let schema = schema.and_then(|schema| self.catalog.schema_named(&schema));
        let mut created = self.catalog.extensions();
        let is_its = created.any(|(_, known)| {
            schema.is_none_or(|schema| schema == known.schema)
                && functions_of(&known.name).any(|one| one == name)
        });
        if own || !is_its {
            cursor.at = start;
            return Ok(false);
        }
        if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
            cursor.skip_brackets()?;
        }
        Ok(true)
    }

    pub(super) fn create_extension(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let name = cursor.ident()?;
        cursor.word("with");
        let (mut schema, mut version, mut cascade) = (None, None, false);
        while !cursor.is_end() {
            if cursor.word("schema") {
                schema = Some(cursor.ident()?);
            } else if cursor.word("version") {
                version = Some(cursor.string().or_else(|_| cursor.ident())?);
            } else if cursor.word("cascade") {
                cascade = true;
            } else {
                return Err(cursor.unexpected());
            }
        }
        let done = Done::command("CREATE EXTENSION");
        let there = name == "plpgsql" || self.catalog.has_extension(&name);
        if there {
            let message = format!("extension \"{name}\" already exists");
            let taken = SqlError::new(SqlState::DUPLICATE_OBJECT, message);
            return self.skip(if_not_exists, taken).map(|()| done);
        }
        let vault = plain("vault", "0.3.1");
        let known = KNOWN.iter().find(|known| known.name == name);
        if ABSENT.contains(&name.as_str()) {
            require_trusted_extension(&name)?;
            let message = format!("the extension \"{name}\" is not supported by the embedded engine");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                .hint("It can be created if a PostgreSQL server that has it is the engine."));
        }
        let Some(known) = known.or_else(|| name.ends_with(VAULT).then_some(&vault)) else {
            let message = format!("extension \"{name}\" is not available");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                .hint("The extension must first be installed on the system where PostgreSQL is running."));
        };
        require_trusted_extension(&name)?;
        self.require_right_to_extension(&name)?;
        self.require_extension_of(&name, cascade.then_some(schema.as_deref()))?;
        // An extension that creates a schema may still be registered in another one, even in the system's.
        let schema = match (known.schema, schema) {
            (Some(own), given) => {
                let own = self.schema_of_extension(own)?;
                given.and_then(|given| self.catalog.schema_named(&given)).unwrap_or(own)
            }
            (None, given) => self.creation_schema(given.as_deref())?,
        };
        let before = self.catalog.clone();
        let role = self.settings.role.clone();
        if OF_SERVER.contains(&known.name)
            && let Some(owner) = self.catalog.roles().find(|(_, role)| role.superuser)
        {
            self.settings.role = owner.1.name.as_str().into();
        }
        let defined = self.define_extension(known, schema);
        self.settings.role = role;
        defined?;
        if !known.limits.is_empty() {
            let message = format!("extension \"{name}\" is a stand-in: {}", known.limits);
            self.report("WARNING", &SqlError::new(SqlState::new("01000"), message))?;
            self.outcome.does_nothing(format!("CREATE EXTENSION {name}"));
        }
        // Whether or not its schema was there, that stays when the extension goes.
        let made = self.catalog.objects.differences(&before.objects).into_iter();
        let made = made.filter(|(_, object)| {
            matches!(object, Some(Object::Relation(_) | Object::Type(_) | Object::Routine(_)))
        });
        let is_row = |oid: &Oid| {
            let type_ = self.catalog.types().find(|(known, _)| known == oid);
            type_.is_some_and(|(_, known)| matches!(known.definition, TypeDefinition::Row { .. }))
        };
        let members = made.map(|(oid, _)| oid).filter(|oid| !is_row(oid)).collect();
        let oid = self.new_oid();
        let version = version.unwrap_or_else(|| known.version.to_owned());
        self.catalog_mut()
            .objects
            .insert(oid, Object::Extension(Extension { name, schema, version, members }));
        Ok(done)
    }

    /// Refuses an extension to a role that may not create it. The platform's users may create all.
    fn require_right_to_extension(&self, name: &str) -> Result<()> {
        let trusted = TRUSTED_EXTENSIONS.contains(&name);
        if self.catalog.is_exempt(&self.settings.role)
            || trusted && self.catalog.allows_database(&self.settings.role, 'C')
        {
            return Ok(());
        }
        let hint = match trusted {
            true => "Must have CREATE privilege on current database to create this extension.",
            false => "Must be superuser to create this extension.",
        };
        Err(denied(format!("permission denied to create extension \"{name}\"")).hint(hint))
    }

    /// Requires the extension that another needs, or creates it in the schema of that one.
    fn require_extension_of(&mut self, name: &str, cascade: Option<Option<&str>>) -> Result<()> {
        let needed = "cube";
        if name != "earthdistance" || self.catalog.has_extension(needed) {
            return Ok(());
        }
        let Some(schema) = cascade else {
            let message = format!("required extension \"{needed}\" is not installed");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message)
                .hint("Use CREATE EXTENSION ... CASCADE to install required extensions too."));
        };
        let message = format!("installing required extension \"{needed}\"");
        self.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message))?;
        let schema =
            schema.map_or_else(String::new, |schema| format!(" schema {}", quote_identifier(schema)));
        self.define_all(&Rc::new(Source::stored(&format!("create extension {needed}{schema}"))))
    }

    /// `ALTER EXTENSION`, after these words.
    pub(super) fn alter_extension(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        let known = self.catalog.extensions().find(|(_, known)| known.name == name);
        let Some((oid, version)) = known.map(|(oid, known)| (oid, known.version.clone())) else {
            let message = format!("extension \"{name}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        };
        self.require_object_owner(oid)?;
        if cursor.words("set schema") {
            let schema = cursor.ident()?;
            cursor.finish()?;
            let schema = self.creation_schema(Some(&schema))?;
            self.move_extension(oid, schema)?;
        } else if cursor.word("update") {
            let to = if cursor.word("to") {
                cursor.string().or_else(|_| cursor.ident())?
            } else {
                version.clone()
            };
            cursor.finish()?;
            if to != version {
                let message = format!(
                    "extension \"{name}\" has no update path from version \"{version}\" to version \"{to}\""
                );
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
            let message = format!("version \"{version}\" of extension \"{name}\" is already installed");
            self.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message))?;
        } else {
            return Err(SqlError::unsupported("this form of ALTER EXTENSION"));
        }
        Ok(Done::command("ALTER EXTENSION"))
    }

    /// Moves an extension with its objects. One that has made its own schema stays there.
    fn move_extension(&mut self, oid: Oid, schema: Oid) -> Result<()> {
        let Some(Object::Extension(extension)) = self.catalog.objects.get(&oid).cloned() else {
            return Ok(());
        };
        if KNOWN.iter().any(|known| known.name == extension.name && known.schema.is_some()) {
            let message = format!("extension \"{}\" does not support SET SCHEMA", extension.name);
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let objects = &mut self.catalog_mut().objects;
        for member in extension.members.iter().chain([&oid]) {
            match objects.get_mut(member) {
                Some(Object::Relation(relation)) => relation.schema = schema,
                Some(Object::Type(type_)) => type_.schema = schema,
                Some(Object::Routine(routine)) => routine.schema = schema,
                Some(Object::Extension(extension)) => extension.schema = schema,
                _ => {}
            }
        }
        Ok(())
    }

    fn schema_of_extension(&mut self, name: &str) -> Result<Oid> {
        if self.catalog.schema_named(name).is_none() {
            let source = Rc::new(Source::stored(&format!("create schema {name}")));
            self.define_all(&source)?;
        }
        self.creation_schema(Some(name))
    }

    fn define_extension(&mut self, known: &Known, schema: Oid) -> Result<()> {
        let schema = quote_identifier(self.catalog.schema_name(schema));
        let cube = self.catalog.extensions().find(|(_, known)| known.name == "cube");
        let cube =
            cube.map_or(String::new(), |(_, known)| quote_identifier(self.catalog.schema_name(known.schema)));
        let script = known.script.replace("{schema}", &schema).replace("{cube}", &cube);
        self.define_all(&Rc::new(Source::stored(&script)))
    }

    fn define_all(&mut self, source: &Rc<Source>) -> Result<()> {
        let outer = std::mem::replace(&mut self.source, source.clone());
        let defined = source.statements().and_then(|statements| {
            statements
                .iter()
                .try_for_each(|tokens| self.define(&mut Cursor::new(source.clone(), tokens)).map(drop))
        });
        self.source = outer;
        defined
    }
}
