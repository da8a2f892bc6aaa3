//! Queries that take too long, or whose results are too large.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::Policy;

use super::{ask, endpoint, requests_under, sql};
use crate::support::{both, on_every_backend};

#[test]
fn a_query_that_takes_too_long_or_gives_too_much_is_an_error() {
    let scene = || {
        let policy = Policy { sql_steps: 200_000, sql_result_bytes: 10_000, ..Policy::default() };
        requests_under(policy)
    };
    on_every_backend(scene, |api| {
        endpoint(api, &json!({ "sandboxable": true }));
        let joins = (0..10).map(|n| format!("requests as t{n}")).collect::<Vec<_>>().join(" cross join ");
        let joins = format!("{joins} cross join unnest(generate_array(1, 10000)) as n");
        let reply = ask(api, &[("sql", &format!("select count(*) as n from {joins}"))]);
        assert_snapshot!(reply, @r#"200 {"error":"Query timed out. Retry your query or reduce the time range."}"#);
        assert_eq!(reply.reason(), "query_timeout");
        let reply = ask(api, &[("sql", "select repeat('x', 20000) as x from requests")]);
        assert_eq!((reply.status, reply.reason()), (200, "result_too_large"));
        assert_eq!(ask(api, &[]).json()["result"].as_array().map(Vec::len), Some(3), "the next one runs");
    });
}

#[test]
fn a_list_of_too_many_long_values_is_refused() {
    both(
        || requests_under(Policy::default()),
        |api| {
            endpoint(api, &json!({ "sandboxable": true }));
            let list = |count: u32| {
                format!(
                    "select array_length(array_agg(repeat('x', 1000000))) as n from unnest(generate_array(1, {count})) as n"
                )
            };
            assert_eq!(ask(api, &[("sql", &list(10))]).json()["result"], json!([{ "n": 10 }]));
            assert_eq!(ask(api, &[("sql", &list(300))]).reason(), "result_too_large");
        },
    );
}

#[test]
fn a_replacement_ends_where_its_text_gets_too_long() {
    both(
        || requests_under(Policy::default()),
        |api| {
            endpoint(api, &json!({ "sandboxable": true }));
            let replaced = |length: u32, with: u32| {
                format!(
                    "select length(regexp_replace(repeat('a', {length}), r'a', repeat('b', {with}))) as n from requests limit 1"
                )
            };
            assert_eq!(ask(api, &[("sql", &replaced(100, 100))]).json()["result"], json!([{ "n": 10_000 }]));
            let reply = ask(api, &[("sql", &replaced(1_000_000, 10_000))]);
            assert_eq!(reply.json()["error"], "the text would be too long");
            assert_eq!(ask(api, &[("sql", &replaced(1_000_000, 1))]).reason(), "query_timeout");
        },
    );
}

#[test]
fn functions_of_long_texts_and_lists_end_with_the_work_of_a_call() {
    both(
        || requests_under(Policy::default()),
        |api| {
            let long = "repeat('a', 1000000)";
            let other = "concat(repeat('a', 500000), 'b')";
            for (text, expected) in [
                (format!("strpos({long}, {other})"), 0),
                (format!("length(replace({long}, {other}, 'x'))"), 1_000_000),
                (format!("length(rtrim(concat({long}, 'b'), {long}))"), 1_000_001),
                ("array_length(array_reverse(generate_array(1, 1000)))".to_owned(), 1_000),
            ] {
                let reply = sql(api, &format!("select {text} as n"));
                assert_eq!(reply.json()["result"], json!([{ "n": expected }]), "{text}");
            }
            let list = "generate_array(1, 1000000)";
            for text in [
                format!("select array_length(array_concat({})) as n", [list; 20].join(", ")),
                format!(
                    "select sum(length(concat({long}, cast(n as string)))) as n from unnest({list}) as n"
                ),
                format!(
                    "select max(strpos(concat({long}, cast(n as string)), 'b')) as n from unnest({list}) as n"
                ),
            ] {
                let reply = sql(api, &text);
                assert!(matches!(reply.reason(), "query_timeout" | "result_too_large"), "{text}: {reply}");
            }
            let reply = sql(api, "select parse_timestamp(repeat('%Y', 300000), 'x') as n");
            assert_eq!(reply.json()["error"], "a format of more than 1000 bytes is not supported");
            assert_eq!(
                sql(api, "select 1 as n").json(),
                json!({ "result": [{ "n": 1 }] }),
                "the next one runs"
            );
        },
    );
}
