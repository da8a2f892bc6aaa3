//! Extensions, and what they bring: schemas of JSON, scheduled jobs.

use serde_json::json;

use super::{ask, one_project, rows};
use crate::support::{both, on_both_engines};

#[test]
fn an_extension_works_or_is_refused_when_it_is_created() {
    let work = [
        ("create extension pg_net", "select net.http_get('http://a.test') is not null as it"),
        ("create extension pg_cron", "select cron.schedule('a', '* * * * *', 'select 1') is not null as it"),
        ("create extension hstore", "select hstore('a', '1') @> 'a=>1' as it"),
        ("create extension vector", "select '[1]'::vector is not null as it"),
        ("create extension pg_trgm", "select similarity('a', 'a') = 1 as it"),
        (
            "create extension pg_hashids",
            "select id_encode(1001) = 'jNl' and id_encode(12345, 'this is my salt') = 'NkK9' and id_decode_once('NkK9', 'this is my salt') = 12345
             and id_encode(array[1,2,3]::bigint[], 'this is my salt') = 'laHquq' and id_encode(1, 'this is my salt', 8) = 'gB0NV05e'
             and id_decode('laHquq', 'this is my salt') = '{1,2,3}' and id_decode('laHquq', 'another salt') = '{}' as it",
        ),
        (
            "create extension pgtap",
            "select plan(3); select ok(true, 'a') || ok(1 > 2) || is('x'::text, 'x') || array_to_string(array(select finish()), '') =
             e'ok 1 - anot ok 2\\n# Failed test 2ok 3# Looks like you failed 1 test of 3' as it",
        ),
    ];
    both(one_project, |api| {
        for (created, used) in work {
            rows(api, created);
            assert_eq!(rows(api, used), json!([{ "it": true }]), "{used}");
        }
        let refused = ask(api, "create extension pgroonga");
        assert!(refused.message().contains("0A000"), "{refused}");
    });
}

#[test]
fn every_extension_that_is_available_can_be_created_and_dropped() {
    both(one_project, |api| {
        let names = rows(
            api,
            "select name from pg_available_extensions where installed_version is null order by name",
        );
        let names: Vec<&str> =
            names.as_array().into_iter().flatten().filter_map(|row| row["name"].as_str()).collect();
        assert!(names.contains(&"pg_jsonschema"), "{names:?}");
        for name in names {
            rows(api, &format!("create extension \"{name}\" cascade; drop extension \"{name}\" cascade"));
        }
    });
}

#[test]
fn json_is_checked_against_a_schema() {
    on_both_engines(one_project, |api| {
        rows(api, "create extension pg_jsonschema with schema extensions");
        let order = r##"{"type": "object", "required": ["sku"], "additionalProperties": false, "properties": {
            "sku": {"type": "string", "pattern": "^[A-Z]+$"}, "count": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"$ref": "#/definitions/tag"}, "uniqueItems": true}},
            "definitions": {"tag": {"enum": ["a", "b"]}}}"##;
        for (value, fits) in [
            (r#"{"sku": "AB", "count": 2, "tags": ["a", "b"]}"#, true),
            (r#"{"sku": "ab"}"#, false),
            (r#"{"count": 2}"#, false),
            (r#"{"sku": "AB", "count": 1.5}"#, false),
            (r#"{"sku": "AB", "more": 1}"#, false),
            (r#"{"sku": "AB", "tags": ["c"]}"#, false),
            (r#"{"sku": "AB", "tags": ["a", "a"]}"#, false),
        ] {
            let query = format!("select jsonb_matches_schema('{order}', '{value}') as fits");
            assert_eq!(rows(api, &query), json!([{ "fits": fits }]), "{value}");
        }
        rows(
            api,
            r#"create table doc (it json check (json_matches_schema('{"type": "object"}', it))); insert into doc values ('{}')"#,
        );
        for (query, code) in [
            ("insert into doc values ('[]')", "23514"),
            (r#"select jsonb_matches_schema('{"$ref": "http://localhost/a"}', '1')"#, "0A000"),
        ] {
            let reply = ask(api, query);
            assert!(reply.status == 400 && reply.to_string().contains(code), "{query}: {reply}");
        }
    });
}

#[test]
fn jobs_are_recorded_and_changed() {
    on_both_engines(one_project, |api| {
        rows(api, "create extension pg_cron");
        let add = "select cron.schedule('a', '* * * * *', 'select 1') as a, cron.schedule_in_database('b', '@daily', 'select 2', 'other', active := false) as b";
        assert_eq!(rows(api, add), json!([{ "a": 1, "b": 2 }]));
        rows(api, "select cron.alter_job(job_id := 1, schedule := '*/5 * * * *', active := false)");
        rows(api, "select cron.alter_job(2, username := 'anon')");
        let jobs = "select jobid as id, schedule as at, command as text, database as place, username as who, active as is from cron.job order by 1";
        assert_eq!(
            rows(api, jobs),
            json!([{ "id": 1, "at": "*/5 * * * *", "text": "select 1", "place": "postgres", "who": "postgres", "is": false },
                   { "id": 2, "at": "@daily", "text": "select 2", "place": "other", "who": "anon", "is": false }])
        );
    });
}
