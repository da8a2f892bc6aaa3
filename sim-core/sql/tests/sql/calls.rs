//! Properties of a call that are not about SQL itself: transactions, limits, texts of errors, random numbers.

use chacha20::ChaCha12Rng;
use rand::SeedableRng as _;
use rusqlite::Connection;
use serde_json::{Value as Json, json};

use sim_sql::{
    Interrupt, Limits, Outcome, Session, SqlError, SqlState, create, look, prepare_connection, run,
};

mod costs;
mod depth;
mod digits;
mod limits;
mod privileges;
mod roles;
mod shapes;
mod vectors;
mod width;

pub(crate) struct Database {
    connection: Connection,
    read_only: bool,
    limits: Limits,
    interrupt: Interrupt,
}

impl Database {
    pub(crate) fn new() -> Database {
        let mut connection = Connection::open_in_memory().expect("memory is there");
        prepare_connection(&mut connection).expect("a connection can be prepared");
        create(&connection).expect("an empty database becomes a project's");
        let (limits, interrupt) = Default::default();
        Database { connection, read_only: false, limits, interrupt }
    }

    fn with(&self, text: &str, parameters: &[Json]) -> Result<Outcome, SqlError> {
        self.by(|session| run(session, text, parameters))
    }

    fn by<T>(&self, call: impl FnOnce(&mut Session<'_>) -> T) -> T {
        let mut random = ChaCha12Rng::from_seed([7; 32]);
        let mut session = Session {
            connection: &self.connection,
            now: "2024-05-05T12:00:00Z".parse().expect("an instant"),
            random: &mut random,
            has_drawn: false,
            role: "postgres",
            server: &[],
            read_only: self.read_only,
            limits: self.limits,
            interrupt: self.interrupt.clone(),
        };
        call(&mut session)
    }

    pub(crate) fn rows(&self, text: &str) -> Json {
        let outcome = self.with(text, &[]).unwrap_or_else(|error| panic!("{text}\n{error}"));
        outcome.rows.into_iter().map(Json::Object).collect()
    }

    fn refusal(&self, text: &str) -> String {
        self.with(text, &[]).expect_err(text).to_string()
    }
}

#[test]
fn rows_are_those_of_the_last_statement_that_returned_any() {
    let database = Database::new();
    let text = "create table t (a int); insert into t values (1) returning a; insert into t values (2)";
    let outcome = database.with(text, &[]).expect("three statements");
    assert_eq!(Json::from(outcome.rows), json!([{ "a": 1 }]));
    assert_eq!(outcome.commands, ["CREATE TABLE", "INSERT 0 1", "INSERT 0 1"]);
    assert!(outcome.wrote);
}

#[test]
fn privileges_on_the_database_are_kept_and_in_force() {
    let database = Database::new();
    let asked = "select datacl::text as acl, has_database_privilege('anon', 'postgres', 'create') as may from pg_database";
    assert!(
        database
            .refusal("set role anon; create schema q")
            .contains("permission denied for database postgres")
    );
    assert_eq!(database.rows(asked), json!([{ "acl": null, "may": false }]));
    database
        .rows("grant create on database postgres to anon; revoke connect on database postgres from public");
    let acl = "{=T/postgres,postgres=CTc/postgres,anon=C/postgres}";
    assert_eq!(database.rows(asked), json!([{ "acl": acl, "may": true }]));
    database.rows("set role anon; create schema q; create publication pb");
    assert!(database.refusal("grant all on database nosuch to anon").contains("3D000"));
    database.rows("revoke create on database postgres from anon");
    assert!(database.refusal("set role anon; alter schema q rename to p").contains("42501"));
}

#[test]
fn a_lookup_shows_the_present_catalog() {
    let mut database = Database::new();
    let query =
        "select relname, relkind = 'r' as is_table from pg_class where relname like 'looked_%' order by 1";
    let agree = |database: &Database| {
        for _ in 0..2 {
            let looked = database.by(|session| look(session, query)).expect("a query of the catalog");
            assert_eq!(looked, database.with(query, &[]).expect("the same query"));
        }
    };
    let steps = [
        "create table looked_at (a int)",
        "create view looked_through as select 1 as one",
        "alter table looked_at rename to looked_for",
        "drop view looked_through",
    ];
    agree(&database);
    for (count, step) in [1, 2, 2, 1].into_iter().zip(steps) {
        database.rows(step);
        agree(&database);
        assert_eq!(database.by(|session| look(session, query)).expect("rows").rows.len(), count, "{step}");
    }
    // The size is also limited for a cached query.
    database.limits.result_bytes = 8;
    assert_eq!(database.by(|session| look(session, query)), database.with(query, &[]));
    assert!(database.by(|session| look(session, query)).is_err());
}

#[test]
fn an_error_undoes_the_whole_text() {
    let database = Database::new();
    database.refusal("create table t (a int); insert into t values (1); select 1/0");
    assert!(
        database.refusal("select * from t").starts_with("ERROR:  42P01: relation \"t\" does not exist\n")
    );
}

#[test]
fn a_commit_in_the_text_keeps_what_came_before_an_error() {
    let database = Database::new();
    database.refusal("begin; create table t (a int); commit; select nope");
    assert_eq!(database.rows("select count(*) as n from t"), json!([{ "n": 0 }]));
}

#[test]
fn an_error_shows_its_line_and_place() {
    let database = Database::new();
    assert_eq!(
        database.refusal("select 1,\n  nope"),
        "ERROR:  42703: column \"nope\" does not exist\nLINE 2:   nope\n          ^\n"
    );
}

#[test]
fn a_read_only_call_refuses_writes_by_their_names() {
    let database = Database { read_only: true, ..Database::new() };
    for (text, command) in [
        ("create table t (a int)", "CREATE TABLE"),
        ("insert into storage.buckets (id, name) values ('a', 'a')", "INSERT"),
        ("delete from storage.buckets", "DELETE"),
        ("drop schema storage cascade", "DROP SCHEMA"),
    ] {
        let expected = format!("ERROR:  25006: cannot execute {command} in a read-only transaction\n");
        assert_eq!(database.refusal(text), expected, "{text}");
    }
    assert_eq!(database.rows("select count(*) as n from storage.buckets"), json!([{ "n": 0 }]));
}

#[test]
fn an_endless_query_is_cancelled() {
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    let endless = "with recursive t (n) as (select 1 union all select n + 1 from t) select count(*) from t";
    let expected = "ERROR:  57014: canceling statement due to statement timeout\n";
    assert_eq!(database.refusal(endless), expected);
    assert_eq!(database.rows("select 1 as a"), json!([{ "a": 1 }]));
}

#[test]
fn a_result_has_a_greatest_size() {
    let limits = Limits { result_bytes: 1_000, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    let refusal = database.refusal("select repeat('x', 500) as a from generate_series(1, 10)");
    assert!(refusal.starts_with("ERROR:  54000: Query result size ("), "{refusal}");
}

#[test]
fn deep_nesting_is_refused() {
    let database = Database::new();
    let text = format!("select {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(database.refusal(&text).starts_with("ERROR:  54001: stack depth limit exceeded\n"));
    for depth in [160, 300] {
        for (open, close) in [("case when true then ", " end"), ("case when false then 2 else ", " end")] {
            let text = format!("select {}1{}", open.repeat(depth), close.repeat(depth));
            let refusal = database.refusal(&text);
            assert!(refusal.starts_with("ERROR:  54001: stack depth limit exceeded\n"), "{depth}: {refusal}");
        }
    }
}

#[test]
fn long_chains_run_or_are_refused() {
    let database = Database::new();
    let many = |count: usize, item: &str, between: &str| vec![item; count].join(between);
    let conditions = many(900, "1 = 2", " or ");
    assert_eq!(database.rows(&format!("select {conditions} as a")), json!([{ "a": false }]));
    for count in [1_500, 100_000] {
        let text = format!("select {}", many(count, "1", " + "));
        assert!(
            database.refusal(&text).starts_with("ERROR:  54001: stack depth limit exceeded\n"),
            "{count}"
        );
    }
}

#[test]
fn long_chains_in_brackets_count_together() {
    let database = Database::new();
    let chain = " + 1".repeat(900);
    let text = format!("select {}1{chain}{}", "(".repeat(60), format!("){chain}").repeat(60));
    assert!(database.refusal(&text).starts_with("ERROR:  54001: stack depth limit exceeded\n"));
    let terms = vec!["(1 = 1 or 1 = 2)"; 150].join(" and ");
    assert_eq!(database.rows(&format!("select {terms} as a")), json!([{ "a": true }]));
}

#[test]
fn parameters_take_the_types_that_their_places_have() {
    let database = Database::new();
    database.rows("create table t (id uuid primary key, n numeric, tags text[], doc jsonb)");
    let id = "11111111-1111-1111-1111-111111111111";
    let parameters = [json!(id), json!(1.5), json!(["a", "b c"]), json!({ "k": [1] })];
    database.with("insert into t values ($1, $2, $3, $4)", &parameters).expect("an insert");
    assert_eq!(
        database.rows("select * from t"),
        json!([{ "id": id, "n": "1.5", "tags": ["a", "b c"], "doc": { "k": [1] } }])
    );
    let found =
        database.with("select n + $2 as n from t where id = $1", &[json!(id), json!(1)]).expect("a query");
    assert_eq!(Json::from(found.rows), json!([{ "n": "2.5" }]));
}

#[test]
fn each_value_has_its_place() {
    let database = Database::new();
    for (text, values, places) in
        [("select 1", 1, 0), ("select $1::int", 2, 1), ("select $1::int + $3", 2, 3), ("", 1, 0)]
    {
        let values = vec![json!(1); values];
        let error = database.with(text, &values).expect_err("the numbers differ");
        let expected = format!(
            "bind message supplies {} parameters, but prepared statement \"\" requires {places}",
            values.len()
        );
        assert_eq!((error.code, &error.message), (SqlState::PROTOCOL_VIOLATION, &expected), "{text}");
    }
    let unknown = database.with("select $65536", &[json!(1)]).expect_err("no statement has that many");
    assert_eq!(unknown.code, SqlState::UNDEFINED_PARAMETER);
}

#[test]
fn random_numbers_and_time_come_from_the_session() {
    let (first, second) = (Database::new(), Database::new());
    let text = "select gen_random_uuid() as a, gen_random_uuid() as b, random() as c, now() as d";
    assert_eq!(first.rows(text), second.rows(text));
    assert_eq!(first.rows("select now() as now"), json!([{ "now": "2024-05-05 12:00:00+00" }]));
    assert_eq!(
        first.rows("select count(distinct gen_random_uuid()) as n from generate_series(1, 50)"),
        json!([{ "n": 50 }])
    );
}

#[test]
fn a_fresh_database_has_the_schemas_of_the_service() {
    let database = Database::new();
    let schemas = "select nspname from pg_namespace where nspname not like 'pg%' order by 1";
    let names = [
        "auth",
        "extensions",
        "graphql",
        "graphql_public",
        "information_schema",
        "platform_functions",
        "public",
        "realtime",
        "storage",
        "vault",
    ];
    assert_eq!(
        database.rows(schemas),
        names.map(|name| json!({ "nspname": name })).into_iter().collect::<Json>()
    );
    database.rows("insert into storage.buckets (id, name) values ('avatars', 'avatars')");
    let refusal = database.refusal("insert into storage.objects (bucket_id, name) values ('nope', 'a.png')");
    assert!(refusal.contains("Key (bucket_id)=(nope) is not present in table \"buckets\"."), "{refusal}");
}

#[test]
fn missing_features_are_refused_by_name() {
    let database = Database::new();
    for (text, construct) in [
        ("create table t (a int) inherits (s)", "inheritance of tables"),
        (
            "create operator === (leftarg = int, rightarg = int, function = int4eq)",
            "CREATE OPERATOR with the system's function int4eq",
        ),
    ] {
        let expected = format!("ERROR:  0A000: {construct} is not supported\n");
        assert_eq!(database.refusal(text), expected, "{text}");
    }
}

#[test]
fn a_name_finds_the_object_that_has_it_now() {
    let database = Database::new();
    database.rows("create schema other");
    let tables: Vec<_> =
        (0..300).map(|n| format!("create table t{n} (); create table other.t{n} ()")).collect();
    database.rows(&tables.join(";"));
    let place = |name: &str| {
        let found = "select nspname as s from pg_class c join pg_namespace n on n.oid = relnamespace \
                     where relname = ";
        database.rows(&format!("{found} '{name}' order by 1"))
    };
    let both = json!([{ "s": "other" }, { "s": "public" }]);
    assert_eq!(place("t7"), both);
    database.refusal("alter table t7 rename to t7b; drop table other.t7; select 1/0");
    assert_eq!((place("t7"), place("t7b")), (both, json!([])));
    database.rows("alter table t7 rename to t7b");
    assert_eq!((place("t7"), place("t7b")), (json!([{ "s": "other" }]), json!([{ "s": "public" }])));
    database.rows(
        "drop table other.t7; create table t7 (); drop table t8; alter table other.t8 set schema public",
    );
    assert_eq!((place("t7"), place("t8")), (json!([{ "s": "public" }]), json!([{ "s": "public" }])));
}
