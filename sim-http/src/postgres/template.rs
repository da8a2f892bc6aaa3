//! The template of new databases.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use sim_core::sql;

use super::database::{Database, quoted};
use super::pool::Pool;
use super::version::Name;

/// The role that runs projects' SQL, on a server of ours.
pub(super) const CALLER: &str = "postgres";

/// The most connections of clients to one project's database, so that there are some left for the calls of others.
pub(super) const CLIENTS_MAX: usize = 60;

/// The most connections to one project's database in all: those of calls, of login roles, and of the pooler's clients, which
/// come in as the role of calls.
pub(super) const DATABASE_MAX: usize = 76;

const CLOCK_AND_CHANCE: &str = include_str!("template.sql");
const EXTENSIONS: &str = include_str!("extensions.sql");
const CREATE_ROLE: &str = include_str!("roles.sql");
const ON_BEHALF: &str = include_str!("on_behalf.sql");
const SHAPES: &str = include_str!("stand_ins/postgis/named.sql");

/// Extensions of which a project's database needs no more than that they are there.
const BY_NAME_ONLY: [&str; 5] = ["pg_graphql", "pg_repack", "pgaudit", "plpgsql_check", "wrappers"];

/// Extensions whose scripts need the embedded engine.
const EMBEDDED_ONLY: [&str; 1] = ["tablefunc"];

/// The roles of every project, those of the platform by name only: here nobody logs in as one. None has `createrole`, which up to version 15 includes the right to change the roles of other
/// projects. The last three give access to a server's files and programs; without them only the server's owner has it.
const ROLES: &str = "
    create role postgres login bypassrls;
    create role anon nologin;
    create role authenticated nologin;
    create role service_role nologin bypassrls;
    grant anon, authenticated, service_role to postgres;
    create role authenticator nologin noinherit;
    grant anon, authenticated, service_role to authenticator;
    create role platform_admin nologin;
    create role platform_auth_admin nologin noinherit;
    create role platform_storage_admin nologin noinherit;
    create role platform_functions_admin nologin noinherit;
    create role platform_realtime_admin nologin noinherit;
    create role platform_replication_admin nologin;
    create role platform_read_only_user nologin bypassrls;
    create role dashboard_user nologin;
    create role pgbouncer nologin;
    grant platform_auth_admin, platform_storage_admin, platform_functions_admin, platform_realtime_admin, dashboard_user to postgres;
    create role pgsodium_keyholder nologin;
    create role pgsodium_keyiduser nologin;
    create role pgsodium_keymaker nologin;
    set allow_system_table_mods = on;
    delete from pg_authid
        where rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files');
    reset allow_system_table_mods;";

/// Gives the caller, who does not own the database, the public schema, and takes the right to end sessions of other projects.
const OWNERSHIP: &str = "
    alter schema public owner to postgres;
    revoke execute on function pg_terminate_backend, pg_cancel_backend from public;";

/// Parameters of the server that the service lets its projects set, from version 15 on, which can allow it.
const PARAMETERS: &str = "
    grant set on parameter session_replication_role, deadlock_timeout, log_duration, log_lock_waits, log_min_duration_statement,
        log_min_error_statement, log_min_messages, log_replication_commands, log_statement, log_temp_files, track_functions,
        track_io_timing, wal_compression to postgres;
    -- Those of extensions, which a function may set only who is allowed to, as long as no library knows them.
    grant set on parameter hnsw.ef_search, hnsw.iterative_scan, hnsw.max_scan_tuples, hnsw.scan_mem_multiplier, ivfflat.iterative_scan,
        ivfflat.max_probes, ivfflat.probes, pg_net.batch_size, pg_net.ttl, pgaudit.log, pgaudit.log_catalog, pgaudit.log_client,
        pgaudit.log_level, pgaudit.log_parameter, pgaudit.log_relation, pgaudit.log_statement, pgaudit.log_statement_once, pgaudit.role,
        pg_trgm.similarity_threshold, pg_trgm.strict_word_similarity_threshold, pg_trgm.word_similarity_threshold, pgrst.db_schemas,
        auto_explain.log_analyze, auto_explain.log_min_duration, auto_explain.log_nested_statements to postgres";

/// Stand-ins are extensions that can be created, so migrations that ask find them.
const AVAILABLE: &str = "
    set allow_system_table_mods = on;
    create or replace view pg_catalog.pg_available_extensions as
        select e.name, e.default_version, x.extversion as installed_version, e.comment
        from (select name, default_version, comment from pg_catalog.pg_available_extensions()
            union all select name::name, version, null from pg_catalog.stuntdouble_stand_ins()
            where name not like '\\_%' and name <> all (select own.name from pg_catalog.pg_available_extensions() own)) e
        left join pg_catalog.pg_extension x on x.extname = e.name;
    reset allow_system_table_mods";

/// Rights on functions of the server are part of the server, so that dumps leave them out.
const INITIAL_RIGHTS: &str = "
    set allow_system_table_mods = on;
    delete from pg_init_privs where classoid = 'pg_proc'::regclass
        and objoid in (select oid from pg_proc where pronamespace = 'pg_catalog'::regnamespace);
    insert into pg_init_privs select oid, 'pg_proc'::regclass, 0, 'i', proacl from pg_proc
        where pronamespace = 'pg_catalog'::regnamespace and proacl is not null;
    reset allow_system_table_mods";

/// Creates the database that all others are copies of; also returns its size. The platform's own names begin with `platform`.
pub(super) fn make(pool: &mut Pool, platform: &str) -> io::Result<(Name, u64)> {
    let named = |text: &str| text.replace("platform_", &format!("{platform}_"));
    let is_ours = pool.cluster.is_some();
    if is_ours {
        pool.administer(&named(ROLES))?;
    }
    let name = pool.copy("template0")?;
    let mut admin = pool.open_as_admin(&name)?;
    let superuser = admin.must("select 1 as one from pg_roles where rolname = session_user and rolsuper")?;
    pool.has_clock = !superuser.rows.is_empty();
    if pool.has_clock {
        admin.must(CLOCK_AND_CHANCE)?;
        admin.must(ON_BEHALF)?;
        admin.must(SHAPES)?;
        admin.must(&stand_ins())?;
        admin.must(AVAILABLE)?;
    }
    let known = admin.must("select name from pg_available_extensions()")?.rows;
    let known: Vec<&str> = known.iter().filter_map(|row| row.get("name")?.as_str()).collect();
    if is_ours {
        admin.must(CREATE_ROLE)?;
        admin.must(OWNERSHIP)?;
        if pool.version >= 15 {
            admin.must(PARAMETERS)?;
        }
        admin.must(&format!("set role {CALLER}"))?;
    }
    admin.must(&named(&initial(&known)))?;
    if is_ours {
        admin.must(&named(sql::GRANTS))?;
        admin.must("reset role")?;
    }
    if pool.has_clock {
        admin.must(EXTENSIONS)?;
        admin.must(INITIAL_RIGHTS)?;
    }
    admin.close();
    let mut database = Database::new(name);
    let size = database.size(pool)?;
    database.disconnect();
    Ok((database.name, size))
}

/// The initial content of the embedded engine, without extensions that this server lacks.
fn initial(known: &[&str]) -> String {
    let lines = sql::INITIAL.lines().filter(|line| {
        let extension = line.strip_prefix("create extension if not exists ");
        let name = extension.and_then(|rest| rest.split(' ').next()).map(|name| name.trim_matches('"'));
        name.is_none_or(|name| known.contains(&name))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A function that returns the extensions that can be created although the server does not have them: name, version, own schema,
/// script, what it lacks. Those of the embedded engine are the same where they are written in SQL.
fn stand_ins() -> String {
    let own = [
        ("pg_stat_statements", include_str!("stand_ins/statements.sql").to_owned()),
        ("pgjwt", include_str!("stand_ins/jwt.sql").to_owned()),
        ("vector", vectors()),
        ("postgis", shapes()),
    ];
    let shared = sql::EXTENSIONS.iter().filter_map(|known| {
        let own = own.iter().find(|(name, _)| *name == known.name);
        let script = own.map_or(known.script, |(_, script)| script);
        let needs_another = script.contains("{cube}") || EMBEDDED_ONLY.contains(&known.name);
        (!script.is_empty() && !needs_another || BY_NAME_ONLY.contains(&known.name)).then_some((
            known.name,
            known.version,
            known.schema,
            script,
            known.limits,
        ))
    });
    let only_here = [("_vault", "0.3.1", None, "", "")];
    let rows = shared.chain(only_here).map(|(name, version, schema, script, limits)| {
        let schema = schema.map_or_else(|| "null".to_owned(), quoted);
        let [name, version, script, limits] = [name, version, script, limits].map(quoted);
        format!("({name}, {version}, {schema}, {script}, {limits})")
    });
    format!(
        "create function pg_catalog.stuntdouble_stand_ins() returns table (name text, version text, own text, script text, limits text)
         language sql as {}",
        quoted(&format!("values {}", rows.collect::<Vec<_>>().join(", ")))
    )
}

/// The script of the stand-in for shapes on a plane or on the earth.
fn shapes() -> String {
    const TYPE: &str = include_str!("stand_ins/postgis/type.sql");
    [
        &TYPE.replace("{type}", "geometry"),
        &TYPE.replace("{type}", "geography"),
        include_str!("stand_ins/postgis/box.sql"),
        include_str!("stand_ins/postgis/read.sql"),
        include_str!("stand_ins/postgis/functions.sql"),
    ]
    .concat()
}

/// The script of the stand-in for vectors.
fn vectors() -> String {
    const TYPE: &str = include_str!("stand_ins/vector/type.sql");
    const BOTH: &str = include_str!("stand_ins/vector/both.sql");
    let dense = [
        TYPE,
        include_str!("stand_ins/vector/dense_items.sql"),
        BOTH,
        include_str!("stand_ins/vector/dense.sql"),
    ]
    .concat();
    let sparse = [TYPE, include_str!("stand_ins/vector/sparse_items.sql"), BOTH].concat();
    let of = |script: &str, kind: &str, norm: &str, cast: &str| {
        script.replace("{type}", kind).replace("{norm}", norm).replace("{cast}", cast)
    };
    [
        of(&dense, "vector", "vector_norm", "implicit"),
        of(&dense, "halfvec", "l2_norm", "assignment"),
        of(&sparse, "sparsevec", "l2_norm", "assignment"),
        include_str!("stand_ins/vector/between.sql").to_owned(),
    ]
    .concat()
}

/// Allows clients to connect to the database as the user of the same name.
pub(super) fn let_in(pool: &Pool, name: &str, password: &str) -> io::Result<()> {
    let known =
        pool.administer(&format!("select 1 as one from pg_roles where rolname = {}", quoted(name)))?;
    if known.rows.is_empty() {
        pool.administer(&format!(
            "alter database {name} connection limit {DATABASE_MAX};
             create role {name} login in role {CALLER} connection limit {CLIENTS_MAX};
             alter role {name} set role = {CALLER};
             alter role {name} set search_path = \"$user\", public, extensions"
        ))?;
    }
    pool.administer(&format!("alter role {name} password {}", quoted(password))).map(drop)
}

/// Creates a login role, which is a member of the owner's role.
pub(super) fn admit(pool: &Pool, name: &str) -> io::Result<()> {
    let known =
        pool.administer(&format!("select 1 as one from pg_roles where rolname = {}", quoted(name)))?;
    if !known.rows.is_empty() {
        return Ok(());
    }
    let name = format!("\"{}\"", name.replace('"', "\"\""));
    let read_only = if name.starts_with("\"cli_login_read_only") { "on" } else { "off" };
    pool.administer(&format!(
        "create role {name} login in role {CALLER} connection limit {CLIENTS_MAX};
         alter role {name} set search_path = \"$user\", public, extensions;
         alter role {name} set default_transaction_read_only = {read_only}"
    ))
    .map(drop)
}

/// A prefix for names of databases on a server that others use too.
pub(super) fn prefix() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("stuntdouble_{:x}_{:x}_", std::process::id(), now.as_nanos() as u64)
}
