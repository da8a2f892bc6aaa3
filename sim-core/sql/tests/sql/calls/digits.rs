//! Numbers of thousands of digits: what they cost depends on their digits, not on their number.

use super::{Database, Limits};

fn small() -> Database {
    Database { limits: Limits { steps: 1_000_000, ..Limits::default() }, ..Database::new() }
}

fn code_of(database: &Database, text: &str) -> String {
    database.refusal(text).chars().skip("ERROR:  ".len()).take(5).collect()
}

#[test]
fn numbers_of_many_digits_draw_on_the_work_of_their_call() {
    let database = small();
    let long = "(('0.' || repeat('123456789', 1700))::numeric)";
    for text in [
        "select count(*) from generate_series(0::numeric, 1, 1e-16000)".to_owned(),
        "select count(*) from generate_series(1e-16000, 1000000)".to_owned(),
        "select count(round(g::numeric, 16000)) from generate_series(1, 10000) g".to_owned(),
        "select count(power(g::numeric, 10000)) from generate_series(2, 10000) g".to_owned(),
        "select count(factorial(5000 + g)) from generate_series(1, 10000) g".to_owned(),
        format!("select count(gcd(a + g, a)) from (select {long} a) t, generate_series(1, 1000) g"),
        format!("select count(lcm(a + g, 7)) from (select {long} a) t, generate_series(1, 1000) g"),
        format!("select sum(a) over (order by g) from (select {long} a) t, generate_series(1, 10000) g"),
        format!("select count(a * a + g) from (select {long} a) t, generate_series(1, 10000) g"),
    ] {
        assert_eq!(code_of(&database, &text), "57014", "{text}");
    }
}

#[test]
fn a_series_of_long_numbers_draws_on_the_memory_of_its_call() {
    let limits = Limits { held_bytes: 1 << 20, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    let text = "select count(*) from generate_series(0::numeric, 1000, 1e-1000)";
    assert_eq!(code_of(&database, text), "53200");
}

#[test]
fn a_template_for_numbers_draws_on_the_memory_of_its_call() {
    let database =
        Database { limits: Limits { held_bytes: 20 << 20, ..Limits::default() }, ..Database::new() };
    for call in ["to_char(1, f)", "to_char(1::bigint, f)", "to_char(1.5::float8, f)", "to_number('1', f)"] {
        let text = format!("select length({call}::text) from (select repeat('9', 5000000) f) t");
        assert_eq!(code_of(&database, &text), "53200", "{text}");
    }
}

#[test]
fn a_number_has_at_most_the_digits_of_its_type() {
    let database = Database::new();
    for text in [
        "select repeat('9', 131073)::numeric",
        "select ('0.' || repeat('1', 16384))::numeric",
        "select -(repeat('9', 1000000)::numeric)",
    ] {
        let refusal = database.refusal(text);
        assert_eq!(refusal, "ERROR:  22003: value overflows numeric format\n", "{text}");
    }
    let rows = database.rows("select length(repeat('9', 131072)::numeric::text) as n, scale(('0.' || repeat('1', 16383))::numeric) as s");
    assert_eq!(rows, serde_json::json!([{ "n": 131_072, "s": 16_383 }]));
}

#[test]
fn rows_in_rows_draw_on_the_work_of_their_call() {
    // The text of each row doubles the quotes of the rows in it.
    let database = small();
    let nested = |depth: usize| format!("{}1{}", "row(".repeat(depth), ")".repeat(depth));
    for text in [
        format!("select {}", nested(30)),
        format!("select length({}::text)", nested(25)),
        format!("select count({}::text) from generate_series(1, 1000) g", nested(15).replace('1', "g")),
    ] {
        assert_eq!(code_of(&database, &text), "57014", "{text}");
    }
    let rows = database.rows(&format!("select length({}::text) as n", nested(10)));
    assert_eq!(rows, serde_json::json!([{ "n": 1_043 }]));
}
