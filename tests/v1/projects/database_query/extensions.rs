//! Extensions, and what they bring: schemas of JSON, scheduled jobs.

use serde_json::json;
use sim_fixtures::Api;

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

fn partitions(api: &mut dyn Api, of: &str) -> String {
    let sql = format!("select string_agg(partition_tablename, ' ') as names from {of}");
    rows(api, &sql)[0]["names"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn partitions_are_made_ahead_and_old_ones_are_taken_out() {
    on_both_engines(one_project, |api| {
        let visits = "partman.show_partitions('public.visit', 'ASC', true)";
        rows(
            api,
            "create schema partman; create extension pg_partman with schema partman;
             create table public.visit (at timestamptz not null, page text) partition by range (at);
             select partman.create_parent(p_parent_table => 'public.visit', p_control => 'at', p_interval => '1 month',
               p_premake => 2, p_start_partition => '2026-01-01')",
        );
        assert_eq!(partitions(api, visits), "visit_p20260101 visit_p20260201 visit_p20260301 visit_default");
        rows(
            api,
            "insert into public.visit values ('2026-03-05', 'a'), ('2020-01-01', 'b'); select partman.run_maintenance()",
        );
        assert_eq!(
            partitions(api, visits),
            "visit_p20260101 visit_p20260201 visit_p20260301 visit_p20260401 visit_p20260501 visit_default"
        );
        let default = rows(api, "select * from partman.check_default()");
        assert_eq!(default, json!([{ "default_table": "visit_default", "count": 1 }]));
        let old = "select partman.drop_partition_time('public.visit', '1 month', false, p_reference_timestamp => '2026-03-15') as gone";
        assert_eq!(rows(api, old), json!([{ "gone": 1 }]));
        assert_eq!(
            partitions(api, visits),
            "visit_p20260201 visit_p20260301 visit_p20260401 visit_p20260501 visit_default"
        );
        rows(
            api,
            "create table public.event (id bigint not null) partition by range (id);
             select partman.create_parent('public.event', 'id', '1000', p_premake => 1); insert into public.event values (1500);
             call partman.run_maintenance_proc()",
        );
        assert_eq!(
            partitions(api, "partman.show_partitions('public.event')"),
            "event_p0 event_p1000 event_p2000"
        );
        for (parent, told) in [
            ("'public.visit', 'page'", "23505"),
            ("'public.nothing', 'at'", "Unable to find given parent table"),
            ("'partman.part_config', 'control'", "partitioned already"),
        ] {
            let refused = ask(api, &format!("select partman.create_parent({parent}, '1 day')"));
            assert!(refused.message().contains(told), "{refused}");
        }
    });
}
