//! `/_sim/projects/{ref}/connections`: what database clients see of transactions, through the listener or without it.

mod cursors;
mod session;

use serde_json::{Value, json};
use sim_fixtures::{Api, InProcess, Reply, Scene, scenario};

use crate::steps::{refused, under};
use crate::support::both;

const CONNECTIONS: &str = "/_sim/projects/{ref}/connections";

fn one_project() -> Scene {
    under(|_| {})
}

fn open(api: &mut dyn Api) -> u64 {
    let reply = api.post(CONNECTIONS, json!({ "action": "open", "user": "postgres" }));
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()["connection"].as_u64().expect("a number")
}

fn run(api: &mut dyn Api, connection: u64, query: &str) -> Value {
    let reply = api.post(CONNECTIONS, json!({ "action": "run", "connection": connection, "query": query }));
    assert_eq!(reply.status, 201, "{query}: {reply}");
    reply.json()
}

/// The command tags or the error's SQLSTATE, and the state of the transaction.
fn outcome(api: &mut dyn Api, connection: u64, query: &str) -> String {
    let done = run(api, connection, query);
    let tags =
        done["results"].as_array().into_iter().flatten().map(|result| result["tag"].as_str().unwrap_or(""));
    let error = done["error"]["code"].as_str();
    let all: Vec<&str> = tags.chain(error).chain(done["status"].as_str()).collect();
    all.join(", ")
}

fn value(api: &mut dyn Api, connection: u64, query: &str) -> Value {
    run(api, connection, query)["results"][0]["rows"][0][0].clone()
}

#[test]
fn a_transaction_is_seen_by_others_when_it_is_committed() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        assert_eq!(outcome(api, one, "create table t (n int)"), "CREATE TABLE, I");
        assert_eq!(outcome(api, one, "begin"), "BEGIN, T");
        assert_eq!(outcome(api, one, "insert into t values (1)"), "INSERT 0 1, T");
        assert_eq!(value(api, one, "select count(*) from t"), "1");
        assert_eq!(value(api, two, "select count(*) from t"), "0");
        let query = "/v1/projects/{ref}/database/query";
        let count = json!({ "query": "select count(*) from t" });
        assert_eq!(api.post(query, count.clone()).json(), json!([{ "count": 0 }]));
        assert_eq!(outcome(api, one, "commit"), "COMMIT, I");
        assert_eq!(value(api, two, "select count(*) from t"), "1");
        assert_eq!(api.post(query, count).json(), json!([{ "count": 1 }]));
    });
}

#[test]
fn an_error_fails_a_transaction_until_its_end() {
    both(one_project, |api| {
        let one = open(api);
        for (query, expected) in [
            ("create table t (n int primary key)", "CREATE TABLE, I"),
            ("begin; insert into t values (1)", "BEGIN, INSERT 0 1, T"),
            ("savepoint a", "SAVEPOINT, T"),
            ("insert into t values (1)", "23505, E"),
            ("select 1", "25P02, E"),
            ("rollback to a", "ROLLBACK, T"),
            ("insert into t values (2)", "INSERT 0 1, T"),
            ("release a", "RELEASE, T"),
            ("rollback to a", "3B001, E"),
            ("commit", "ROLLBACK, I"),
            ("select * from t", "SELECT 0, I"),
            ("insert into t values (3); insert into t values (3)", "INSERT 0 1, 23505, I"),
            ("select * from t", "SELECT 0, I"),
            ("commit", "COMMIT, I"),
        ] {
            assert_eq!(outcome(api, one, query), expected, "{query}");
        }
        assert_eq!(run(api, one, "rollback")["results"][0]["notices"][0]["code"], "25P01");
    });
}

#[test]
fn a_transaction_that_met_other_writes_is_repeated_or_fails() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        run(api, one, "create table t (n int, who text); insert into t values (1, '')");
        for (of_one, of_two, expected) in [
            ("insert into t values (2, 'one')", "insert into t values (3, 'two')", "COMMIT, I"),
            ("update t set n = n + 1 where n = 1", "delete from t where n = 1", "40001, I"),
        ] {
            run(api, one, "begin");
            run(api, one, of_one);
            run(api, two, of_two);
            assert_eq!(outcome(api, one, "commit"), expected, "{of_one}");
        }
        assert_eq!(value(api, two, "select string_agg(who, ',' order by n) from t"), "one,two");
    });
}

#[test]
fn a_chained_transaction_has_the_modes_of_the_one_before_it() {
    both(one_project, |api| {
        let one = open(api);
        run(api, one, "create table t (n int)");
        let isolation = "show transaction_isolation";
        assert_eq!(outcome(api, one, "begin isolation level serializable"), "BEGIN, T");
        run(api, one, "insert into t values (1)");
        assert_eq!(outcome(api, one, "commit and chain"), "COMMIT, T");
        assert_eq!(value(api, one, isolation), "serializable");
        run(api, one, "insert into t values (2)");
        assert_eq!(outcome(api, one, "rollback and chain"), "ROLLBACK, T");
        assert_eq!(value(api, one, isolation), "serializable");
        assert_eq!(outcome(api, one, "select 1/0"), "22012, E");
        assert_eq!(outcome(api, one, "commit and chain"), "ROLLBACK, T");
        assert_eq!(value(api, one, isolation), "serializable");
        assert_eq!(outcome(api, one, "rollback"), "ROLLBACK, I");
        assert_eq!(value(api, one, isolation), "read committed");
        assert_eq!(value(api, one, "select sum(n) from t"), "1");
        assert_eq!(outcome(api, one, "commit and chain"), "25P01, I");
        run(api, one, "begin read only");
        assert_eq!(outcome(api, one, "commit and chain"), "COMMIT, T");
        assert_eq!(outcome(api, one, "insert into t values (3)"), "25006, E");
        run(api, one, "rollback");
        // Outside of a block it is for its own statement only.
        run(api, one, "set transaction_read_only = on");
        assert_eq!(outcome(api, one, "insert into t values (3)"), "INSERT 0 1, I");
        run(api, one, "set default_transaction_read_only = on");
        assert_eq!(outcome(api, one, "insert into t values (4)"), "25006, I");
        assert_eq!(
            outcome(api, one, "begin read write; insert into t values (5); commit"),
            "BEGIN, INSERT 0 1, COMMIT, I"
        );
    });
}

#[test]
fn deferred_constraints_are_checked_when_a_transaction_ends() {
    both(one_project, |api| {
        let one = open(api);
        run(api, one, "create table t (n int, constraint u unique (n) deferrable initially deferred)");
        run(api, one, "create table p (id int primary key); create table c (id int references p deferrable)");
        for (query, expected) in [
            ("insert into t values (1), (2)", "INSERT 0 2, I"),
            ("begin", "BEGIN, T"),
            ("update t set n = 2 where n = 1", "UPDATE 1, T"),
            ("commit", "23505, I"),
            ("begin", "BEGIN, T"),
            ("update t set n = 3 where n = 1", "UPDATE 1, T"),
            ("update t set n = 1 where n = 2", "UPDATE 1, T"),
            ("update t set n = 2 where n = 3", "UPDATE 1, T"),
            ("commit", "COMMIT, I"),
            ("begin", "BEGIN, T"),
            ("set constraints all deferred", "SET CONSTRAINTS, T"),
            ("insert into c values (1)", "INSERT 0 1, T"),
            ("insert into p values (1)", "INSERT 0 1, T"),
            ("commit", "COMMIT, I"),
            ("insert into c values (2)", "23503, I"),
        ] {
            assert_eq!(outcome(api, one, query), expected, "{query}");
        }
    });
}

#[test]
fn a_statement_is_described_without_being_run() {
    both(one_project, |api| {
        let one = open(api);
        run(api, one, "create table t (id bigint generated always as identity, name text, made date)");
        let described = |api: &mut dyn Api, query: &str, types: &[u32]| {
            let types: Vec<Value> = types.iter().map(|oid| json!({ "type_oid": oid })).collect();
            let body =
                json!({ "action": "describe", "connection": one, "query": query, "parameters": types });
            let found = api.post(CONNECTIONS, body).json();
            let columns = found["columns"].as_array().map(|columns| {
                let shown = columns
                    .iter()
                    .map(|one| format!("{} {}", one["name"].as_str().unwrap_or(""), one["type_oid"]));
                shown.collect::<Vec<_>>().join(", ")
            });
            (found["parameters"].clone(), columns.unwrap_or_default())
        };
        let insert = "insert into t (name, made) values ($1, $2) returning id, made";
        assert_eq!(described(api, insert, &[]), (json!([25, 1082]), "id 20, made 1082".to_owned()));
        let select = "select name from t where id = $1 and made > $2 limit $3";
        assert_eq!(described(api, select, &[]), (json!([20, 1082, 20]), "name 25".to_owned()));
        assert_eq!(
            described(api, "select $1, $2::int[]", &[]),
            (json!([25, 1007]), "?column? 25, int4 1007".to_owned())
        );
        assert_eq!(described(api, "select $1", &[23]), (json!([23]), "?column? 23".to_owned()));
        assert_eq!(described(api, "delete from t", &[]), (Value::Null, String::new()));
        let declare = "declare c cursor with hold for select name, made from t where id > $1";
        assert_eq!(described(api, declare, &[]), (json!([20]), String::new()));
        assert_eq!(described(api, "fetch c", &[]), (Value::Null, String::new()));
        run(api, one, "declare c cursor with hold for select name, made from t");
        assert_eq!(described(api, "fetch c", &[]), (Value::Null, "name 25, made 1082".to_owned()));
        assert_eq!(value(api, one, "select count(*) from t"), "0");
        // Nothing is kept for the places below a number that no place has.
        for number in ["0", "65536", "99999999999", "99999999999999999999"] {
            let query = format!("select ${number}");
            let body = json!({ "action": "describe", "connection": one, "query": query });
            let found = api.post(CONNECTIONS, body).json();
            assert_eq!(found["error"]["code"], "42P02", "{query}: {found}");
        }
    });
}

#[test]
fn rows_are_copied_in_and_out() {
    both(one_project, |api| {
        let one = open(api);
        run(api, one, "create table t (a int, b text, c text generated always as (upper(b)) stored)");
        assert_eq!(run(api, one, "copy t from stdin")["results"][0]["wants_columns"], 2);
        let mut copy = |query: &str, data: &str| {
            let body = json!({ "action": "run", "connection": one, "query": query, "data": data });
            api.post(CONNECTIONS, body).json()
        };
        assert_eq!(copy("copy t from stdin", "1\tx\\ty\n2\t\\N\n")["results"][0]["tag"], "COPY 2");
        assert_eq!(
            copy("copy t (b, a) from stdin csv header", "b,a\n\"p,\"\"q\"\"\",3\n")["results"][0]["tag"],
            "COPY 1"
        );
        assert_eq!(copy("copy t from stdin", "4\n")["error"]["code"], "22P04");
        assert_eq!(copy("copy t from stdin", "x\ty\n")["error"]["code"], "22P02");
        let copied = run(api, one, "copy (select a, b from t order by a) to stdout (format csv)");
        let lines = copied["results"][0]["copied"]["lines"].clone();
        assert_eq!(lines, json!(["1,x\ty\n", "2,\n", "3,\"p,\"\"q\"\"\"\n"]));
    });
}

#[test]
fn a_connection_that_is_not_there_is_refused() {
    both(one_project, |api| {
        let one = open(api);
        let close = json!({ "action": "close", "connection": one });
        assert_eq!(api.post(CONNECTIONS, close.clone()).status, 201);
        refused(&api.post(CONNECTIONS, close), 404, "connection_not_found", "Connection not found");
        let nobody: Reply = api.post(CONNECTIONS, json!({ "action": "open", "user": "nobody" }));
        refused(&nobody, 404, "user_not_found", "User not found");
    });
}

#[test]
fn a_fork_goes_on_with_the_transactions_of_its_connections() {
    let Scene { mut sim, project } = scenario::active_project();
    let mut here = InProcess::new(Scene { sim: sim.fork(), project: project.clone() });
    let one = open(&mut here);
    run(&mut here, one, "create table t (n int)");
    run(&mut here, one, "begin; insert into t values (1); declare c cursor for select * from t");
    sim = sim_fixtures::api::peek(&mut here, |sim| sim.fork());
    let mut fork = InProcess::new(Scene { sim, project });
    run(&mut here, one, "rollback");
    assert_eq!(value(&mut fork, one, "fetch c"), "1");
    run(&mut fork, one, "commit");
    assert_eq!(value(&mut here, one, "select count(*) from t"), "0");
    assert_eq!(value(&mut fork, one, "select count(*) from t"), "1");
}

#[test]
fn an_extension_of_which_only_a_part_is_there_says_so() {
    both(one_project, |api| {
        let one = open(api);
        for name in [
            "hypopg",
            "index_advisor",
            "pg_cron",
            "pg_jsonschema",
            "pg_net",
            "pg_repack",
            "pgaudit",
            "pgsodium",
            "wrappers",
        ] {
            // Every project has one of them from the start.
            run(api, one, &format!("drop extension if exists {name} cascade"));
            let done = run(api, one, &format!("create extension {name}"));
            let notice = &done["results"][0]["notices"][0];
            let text = notice["message"].as_str().unwrap_or_default();
            assert!(text.starts_with(&format!("extension \"{name}\" is a stand-in: ")), "{done}");
            assert_eq!(notice["severity"], "WARNING", "{done}");
        }
        let done = run(api, one, "create extension citext");
        assert_eq!(done["results"][0]["notices"].as_array().map_or(0, Vec::len), 0, "{done}");
    });
}

#[test]
fn what_a_statement_reports_before_it_fails_is_not_lost() {
    both(one_project, |api| {
        let one = open(api);
        let body = "begin raise notice 'one'; raise warning 'two'; perform 1 / 0; end";
        let done = run(api, one, &format!("do $$ {body} $$"));
        let said = |done: &Value| {
            let notices = done["notices"].as_array().cloned().unwrap_or_default();
            notices.iter().map(|notice| notice["message"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            (done["error"]["code"].as_str(), said(&done)),
            (Some("22012"), vec![json!("one"), json!("two")])
        );
        let done = run(api, one, "select 1; do $$ begin raise notice 'three'; raise 'no'; end $$");
        assert_eq!((done["results"].as_array().map(Vec::len), said(&done)), (Some(1), vec![json!("three")]));
        assert_eq!(said(&run(api, one, "select 1 / 0")), Vec::<Value>::new());
    });
}

#[test]
fn deferred_triggers_fire_at_the_end_of_a_transaction() {
    both(one_project, |api| {
        let one = open(api);
        run(api, one, "create table t (n int); create table seen (n bigint)");
        let body = "begin if new.n < 0 then raise 'negative'; end if; insert into seen select count(*) from t; return null; end";
        run(api, one, &format!("create function see() returns trigger language plpgsql as $$ {body} $$"));
        let trigger = "create constraint trigger see after insert on t deferrable initially deferred";
        run(api, one, &format!("{trigger} for each row execute function see()"));
        for (query, expected, seen) in [
            ("insert into t values (1)", "INSERT 0 1, I", "1"),
            ("insert into t values (2); insert into t values (3)", "INSERT 0 1, INSERT 0 1, I", "1,3,3"),
            ("begin", "BEGIN, T", "1,3,3"),
            ("insert into t values (4)", "INSERT 0 1, T", "1,3,3"),
            ("savepoint a", "SAVEPOINT, T", "1,3,3"),
            ("insert into t values (5)", "INSERT 0 1, T", "1,3,3"),
            ("rollback to a", "ROLLBACK, T", "1,3,3"),
            ("insert into t values (6)", "INSERT 0 1, T", "1,3,3"),
            ("commit", "COMMIT, I", "1,3,3,5,5"),
            (
                "insert into t values (7); insert into t values (-1)",
                "INSERT 0 1, INSERT 0 1, P0001, I",
                "1,3,3,5,5",
            ),
            ("begin; insert into t values (-1)", "BEGIN, INSERT 0 1, T", "1,3,3,5,5"),
            ("set constraints see immediate", "P0001, E", ""),
            ("rollback", "ROLLBACK, I", "1,3,3,5,5"),
        ] {
            assert_eq!(outcome(api, one, query), expected, "{query}");
            if !seen.is_empty() {
                assert_eq!(
                    value(api, one, "select string_agg(n::text, ',' order by n) from seen"),
                    seen,
                    "{query}"
                );
            }
        }
    });
}
