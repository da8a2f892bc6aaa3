//! A schema dump in plain form applies whole, in one call, as `pg_dump` wrote it.

use super::answer::Answer;
use super::embedded::Database;

/// The dump of a schema with tables, types, views, functions, policies and what else the embedded engine has.
const DUMP: &str = include_str!("dump.sql");

#[test]
fn a_schema_dump_applies_whole() {
    let mut database = Database::fresh();
    if let Answer::Refusal(refusal) = database.run(DUMP) {
        panic!("{refusal}\n\none by one:\n{}", refused_one_by_one());
    }
    let counted = database.run(
        "select (select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') as tables,
                (select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')) as views,
                (select count(*) from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace = 'public'::regnamespace) as policies,
                (select count(*) from pg_publication where pubname = 'changes') as publications",
    );
    assert_eq!(counted.to_string(), EXPECTED);
    let written = database.run(
        "insert into account (email, weight) values ('a@x.test', 3) returning id, kind, total, role;
         delete from event",
    );
    assert_eq!(written.to_string(), r#"{"id":1,"kind":"x","total":"6.00","role":"member"}"#);
}

/// What is refused when each part of the dump is a call, for whoever looks for the cause.
fn refused_one_by_one() -> String {
    let mut database = Database::fresh();
    let mut refused = String::new();
    for part in DUMP.split("\n\n") {
        let text =
            format!("select set_config('search_path', '', false); set check_function_bodies = false; {part}");
        if let Answer::Refusal(refusal) = database.run(&text) {
            refused.push_str(&format!("{part}\n{refusal}\n\n"));
        }
    }
    refused
}

const EXPECTED: &str = r#"{"tables":13,"views":6,"policies":5,"publications":1}"#;
