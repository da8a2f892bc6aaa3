//! Every function with boundary values of its types.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use sim_sql::functions::{Form, all};
use sim_sql::prepare_connection;
use sim_sql::types::Type;

#[test]
fn every_function_has_a_name_of_its_own_in_sqlite() {
    let mut names = BTreeSet::new();
    for function in all().filter(|function| !matches!(function.form, Form::Template(_) | Form::Unsupported)) {
        assert!(names.insert(function.sql_name()), "{}", function.sql_name());
    }
}

#[test]
fn a_connection_takes_every_function() {
    let mut connection = Connection::open_in_memory().expect("memory is there");
    prepare_connection(&mut connection).expect("a connection can be prepared");
    let sum: i64 =
        connection.query_row("SELECT \"pg_+_int4_int4\"(40, 2)", [], |row| row.get(0)).expect("it adds");
    assert_eq!(sum, 42);
}

/// Boundary values of a type, as SQLite texts.
fn edges(type_: Type) -> &'static [&'static str] {
    match type_ {
        Type::BOOL => &["0", "1"],
        Type::INT2 => &["0", "-1", "32767", "-32768"],
        Type::INT4 | Type::DATE => &["0", "1", "-1", "2147483647", "-2147483647"],
        Type::INT8 | Type::TIMESTAMP | Type::TIMESTAMPTZ => {
            &["0", "-1", "1714979289123456", "9223372036854775807", "-9223372036854775807"]
        }
        Type::TIME => &["0", "86400000000"],
        Type::FLOAT4 | Type::FLOAT8 => &["0.0", "1.5", "-1e300", "9e999"],
        Type::NUMERIC => &["'0'", "'1.50'", "'-99999999999999999999.9'", "'0.000001'", "'NaN'", "'Infinity'"],
        Type::INTERVAL => &["'00:00:00'", "'178000000 years'", "'-1 mons +2 days -03:00:00'"],
        Type::JSON | Type::JSONB | Type::AS_JSON | Type::AS_JSONB => {
            &["'{\"a\": [1, {\"b\": null}]}'", "'[]'", "'\"é\"'", "'1'"]
        }
        Type::JSONPATH => &["'$.a[*] ? (@ > 1)'", "'$['", "'strict $.é'"],
        Type::BYTEA => &["x''", "x'00ff'"],
        _ if type_.element() == Some(Type::NUMERIC) => &["'[\"1\",\"2.0\"]'", "'[]'"],
        _ if type_.element().is_some_and(|element| !element.is_string()) => &["'[1,2]'", "'[]'"],
        _ if type_.element().is_some() || matches!(type_, Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY) => {
            &["'[\"a\",null]'", "'[]'", "'[[\"1\"],[\"é\"]]'"]
        }
        _ => &["''", "'a'", "'é%\\'", "'FM999.99th'", "'YYYY-MM-DD \"x'", "'(a|b)*?'", "'Europe/Berlin'"],
    }
}

/// All combinations of boundary values, up to a number that keeps the test fast.
fn combinations(arguments: &[Type]) -> Vec<Vec<&'static str>> {
    const COMBINATIONS_MAX: usize = 300;
    arguments.iter().fold(vec![Vec::new()], |known, type_| {
        let more = known.iter().flat_map(|row| {
            edges(*type_).iter().map(move |value| row.iter().copied().chain([*value]).collect::<Vec<_>>())
        });
        more.take(COMBINATIONS_MAX).collect()
    })
}

#[test]
fn no_argument_makes_a_function_panic() {
    let mut connection = Connection::open_in_memory().expect("memory is there");
    prepare_connection(&mut connection).expect("a connection can be prepared");
    let value = |literal: &str| -> Value {
        connection.query_row(&format!("SELECT {literal}"), [], |row| row.get(0)).expect("it is a literal")
    };
    let functions = all().filter(|function| matches!(function.form, Form::Rust(_) | Form::Aggregate(_)));
    let mut panicking = BTreeMap::new();
    for function in functions {
        let places = vec!["?"; function.arguments.len()].join(", ");
        let call = format!("SELECT \"{}\"({places})", function.sql_name());
        let mut call = connection.prepare(&call).expect("the function is there");
        for row in combinations(function.arguments) {
            let outcome = call.query_row(params_from_iter(row.iter().map(|one| value(one))), |_| Ok(()));
            let message = outcome.err().map(|error| error.to_string()).unwrap_or_default();
            if message.contains("panic") {
                panicking.insert(function.sql_name(), row);
            }
        }
    }
    assert!(panicking.is_empty(), "{panicking:#?}");
}
