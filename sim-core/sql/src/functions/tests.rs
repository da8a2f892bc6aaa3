use std::collections::{BTreeMap, BTreeSet};

use super::decimal::Decimal;
use super::*;

#[test]
fn every_function_has_a_name_of_its_own_in_sqlite() {
    let mut names = BTreeSet::new();
    for function in all().filter(|function| !matches!(function.form, Form::Template(_) | Form::Unsupported)) {
        assert!(names.insert(function.sql_name()), "{}", function.sql_name());
    }
}

#[test]
fn a_connection_takes_every_function() {
    let mut connection = Connection::open_in_memory().unwrap();
    crate::prepare_connection(&mut connection).unwrap();
    let sum: i64 = connection.query_row("SELECT \"pg_+_int4_int4\"(40, 2)", [], |row| row.get(0)).unwrap();
    assert_eq!(sum, 42);
}

fn read(text: &str) -> Decimal {
    Decimal::read(text).unwrap()
}

/// The expected texts are PostgreSQL's results.
#[test]
fn results_have_the_digits_that_postgres_gives_them() {
    let rows: [(&str, Result<Decimal>, &str); 30] = [
        ("1/3", read("1").divide(&read("3")), "0.33333333333333333333"),
        ("10.0/3", read("10.0").divide(&read("3")), "3.3333333333333333"),
        ("2/3.0", read("2").divide(&read("3.0")), "0.66666666666666666667"),
        ("1234567.0/7", read("1234567.0").divide(&read("7")), "176366.714285714286"),
        ("0.00001/3", read("0.00001").divide(&read("3")), "0.000003333333333333333333"),
        ("1.000/1", read("1.000").divide(&read("1")), "1.00000000000000000000"),
        ("sqrt(0.5)", read("0.5").square_root(), "0.70710678118654752"),
        ("sqrt(1e-10)", read("0.0000000001").square_root(), "0.000010000000000000000"),
        ("sqrt(100000)", read("100000").square_root(), "316.2277660168379"),
        ("sqrt(12345678901234567890)", read("12345678901234567890").square_root(), "3513641828.8201443"),
        ("sqrt(0)", read("0").square_root(), "0.000000000000000"),
        ("10.0^20", read("10.0").power(&read("20")), "100000000000000000000.0000000000000000"),
        ("2.5^-3", read("2.5").power(&read("-3")), "0.0640000000000000"),
        ("1.000000000000000001^3", read("1.000000000000000001").power(&read("3")), "1.000000000000000003"),
        ("2.0^0", read("2.0").power(&read("0")), "1.0000000000000000"),
        ("10.5^2.5", read("10.5").power(&read("2.5")), "357.25083099973330"),
        ("0.5^0.5", read("0.5").power(&read("0.5")), "0.7071067811865475"),
        ("-2.0^3", read("-2.0").power(&read("3")), "-8.0000000000000000"),
        ("ln(2.0)", read("2.0").logarithm(), "0.6931471805599453"),
        ("ln(100000.0)", read("100000.0").logarithm(), "11.512925464970228"),
        ("ln(1.05)", read("1.05").logarithm(), "0.048790164169432003"),
        ("log(100.0)", read("100.0").logarithm_in(&read("10")), "2.0000000000000000"),
        ("log(2.0, 10)", read("10").logarithm_in(&read("2.0")), "3.3219280948873623"),
        ("log(0.5)", read("0.5").logarithm_in(&read("10")), "-0.3010299956639812"),
        ("exp(10.0)", read("10.0").exponential(), "22026.465794806717"),
        ("exp(-5.5)", read("-5.5").exponential(), "0.004086771438464067"),
        ("exp(100.0)", read("100.0").exponential(), "26881171418161354484126255515800135873611118.8"),
        ("round(1234.5, -2)", Ok(read("1234.5").rounded(-2)), "1200"),
        ("round(5, -1)", Ok(read("5").rounded(-1)), "10"),
        ("round(-0.4)", Ok(read("-0.4").rounded(0)), "0"),
    ];
    for (expression, result, expected) in rows {
        assert_eq!(result.unwrap().to_string(), expected, "{expression}");
    }
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
    let mut connection = Connection::open_in_memory().unwrap();
    crate::prepare_connection(&mut connection).unwrap();
    let functions = all().filter(|function| matches!(function.form, Form::Rust(_) | Form::Aggregate(_)));
    let mut panicking = BTreeMap::new();
    for function in functions {
        for row in combinations(function.arguments) {
            let call = format!("SELECT \"{}\"({})", function.sql_name(), row.join(", "));
            let outcome = connection.query_row(&call, [], |_| Ok(()));
            let message = outcome.err().map(|error| error.to_string()).unwrap_or_default();
            if message.contains("panic") {
                panicking.insert(function.sql_name(), call);
            }
        }
    }
    assert!(panicking.is_empty(), "{panicking:#?}");
}
