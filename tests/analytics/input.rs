//! Hostile input: it is refused with a clear error, and changes nothing.

use std::io::Write as _;

use serde_json::json;
use sim_core::{Policy, Simulator};
use sim_fixtures::analytics::GATEWAY;
use sim_fixtures::{Api, Call};

use super::queries::{requests, requests_under, sql};
use crate::support::on_every_backend;

fn path() -> String {
    format!("/api/logs?source={GATEWAY}")
}

fn count(api: &mut dyn Api) -> u64 {
    let reply = sql(api, "select count(*) as n from gateway");
    reply.json()["result"][0]["n"].as_u64().unwrap_or_else(|| panic!("{reply}"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// A zstd frame whose blocks repeat a byte: 128 kB of spaces in four bytes each. `window` is the byte that says how far it looks back.
fn zstd(bytes: usize, window: u8) -> Vec<u8> {
    const BLOCK: usize = 128 << 10;
    let count = bytes.div_ceil(BLOCK);
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, window];
    for number in 1..=count {
        let header = BLOCK << 3 | 1 << 1 | usize::from(number == count);
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(b' ');
    }
    frame
}

/// 64 MB of spaces as a brotli stream.
const BROTLI: &[u8] = b"\xcb\xff\xff\x3f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x8f\xff\xff\x7f\xf0\x4b\x00\xc4\x61\
\x11\x80\xee\xfd\x1f\xff\xff\xff\xe0\x97\x00\x88\xc3\x02\x00\xdd\xfb\x3f\xfe\xff\xff\xc1\x2f\x01\x10\x87\x05\x00\xba\xf7\x7f\
\xfc\xff\xff\x83\x5f\x02\x20\x0e\x0b\x00\x74\xef\xff\xf8\xff\xff\x07\xbf\x04\x40\x1c\x16\x00\xe8\xde\xff\xf1\xff\xff\x0f\x7e\
\x09\x80\x38\x2c\x00\xd0\xbd\xff\xcb\xff\xff\x3f\xfc\x12\x00\x71\x58\x00\xa0\x7b\xff\x07";

#[test]
fn compressed_bodies_are_read_by_ingestion_alone() {
    on_every_backend(requests, |api| {
        let event = gzip(br#"{"message":"small"}"#);
        let sent = |path: &str| Call::post(path).bytes("application/json", event.clone());
        let mut packed = |path: &str| api.send(sent(path).header("content-encoding", "gzip"));
        assert_eq!(packed(&path()).status, 200);
        let reply = packed("/api/sources");
        assert_eq!((reply.status, reply.reason()), (415, "unsupported_content_encoding"), "{reply}");
    });
}

#[test]
fn bodies_without_events_are_refused() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let nested = format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    let bomb = gzip(&vec![b' '; 200 << 20]);
    let twice = gzip(&gzip(&vec![b' '; 200 << 20]));
    assert!(bomb.len() < 1 << 20, "it is small on the wire");
    let json = "application/json";
    let coded = |encoding: &str, body: Vec<u8>| {
        Call::post(&path()).bytes(json, body).header("content-encoding", encoding)
    };
    let rows = [
        ("a brace", Call::post(&path()).bytes(json, "{"), 400),
        ("two objects", Call::post(&path()).bytes(json, "{} {}"), 400),
        ("half a text", Call::post(&path()).bytes(json, r#"{"a":"b"#), 400),
        ("half a surrogate", Call::post(&path()).bytes(json, r#"{"a":"\ud800"}"#), 400),
        ("no UTF-8", Call::post(&path()).bytes(json, &b"{\"a\":\"\xff\"}"[..]), 400),
        ("a number beyond all", Call::post(&path()).bytes(json, r#"{"a":1e999}"#), 400),
        ("lists in lists in lists", Call::post(&path()).bytes(json, deep(100_000)), 400),
        ("objects in objects", Call::post(&path()).bytes(json, nested), 400),
        ("a page", Call::post(&path()).bytes("text/html", "{}"), 415),
        ("a form", Call::post(&path()).bytes("application/x-www-form-urlencoded", "a=b"), 415),
        ("no type that there is", Call::post(&path()).bytes("json", "{}"), 415),
        ("a bomb", Call::post(&path()).bytes(json, bomb).header("content-encoding", "gzip"), 413),
        ("a bomb in a bomb", Call::post(&path()).bytes(json, twice).header("content-encoding", "gzip"), 400),
        ("no gzip", Call::post(&path()).bytes(json, "{}").header("content-encoding", "gzip"), 400),
        ("a bomb of zstd", coded("zstd", zstd(200 << 20, 0x58)), 413),
        ("bombs of zstd", coded("zstd", zstd(4 << 20, 0x58).repeat(50)), 413),
        ("zstd that looks back too far", coded("zstd", zstd(200 << 20, 0x88)), 400),
        (
            "brackets in frames of their own",
            coded("zstd", b"\x28\xb5\x2f\xfd\x20\x01\x09\0\0[".repeat(10_000)),
            400,
        ),
        (
            "a frame to skip that is not there",
            coded("zstd", b"\x50\x2a\x4d\x18\xff\xff\xff\x7f".to_vec()),
            400,
        ),
        ("a bomb of brotli", coded("br", BROTLI.to_vec()), 413),
    ];
    on_every_backend(requests, |api| {
        for (what, call, status) in &rows {
            let reply = api.send(call.clone());
            assert_eq!(reply.status, *status, "{what}: {reply}");
            assert!(!reply.reason().is_empty() && !reply.json().is_null(), "{what}: {reply}");
        }
        assert_eq!(count(api), 3);
    });
}

#[test]
fn a_delivery_has_a_number_of_events() {
    on_every_backend(requests, |api| {
        let many = vec![json!({}); 50_001];
        let lines = "{}\n".repeat(50_001);
        // A log record that says nothing takes two bytes.
        let records = |count: usize| field(1, &field(2, &b"\x12\0".repeat(count)));
        let points = field(1, &field(2, &field(2, &field(5, &b"\x0a\0".repeat(5_000_000)))));
        let telemetry = |path: &str, body: Vec<u8>| {
            Call::post(&format!("{path}?source={GATEWAY}")).bytes("application/x-protobuf", body)
        };
        for (what, call, reason) in [
            ("a list", Call::post(&path()).json(json!(many)), "too_many_events"),
            ("a batch", Call::post(&path()).json(json!({ "batch": many })), "too_many_events"),
            ("lines", Call::post(&path()).bytes("application/x-ndjson", lines), "too_many_events"),
            ("records", telemetry("/v1/logs", records(50_001)), "too_many_events"),
            ("many records", telemetry("/v1/logs", records(5_000_000)), "too_many_fields"),
            ("many resources", telemetry("/v1/traces", field(1, b"").repeat(5_000_000)), "too_many_fields"),
            ("many points", telemetry("/v1/metrics", points), "too_many_fields"),
        ] {
            let reply = api.send(call);
            assert_eq!((reply.status, reply.reason()), (413, reason), "{what}: {reply}");
        }
        assert_eq!(count(api), 3);
    });
}

/// A field of protobuf with those bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut length = bytes.len();
    let mut field = vec![number << 3 | 2];
    while length > 127 {
        field.push(length as u8 & 127 | 128);
        length >>= 7;
    }
    field.push(length as u8);
    [field, bytes.to_vec()].concat()
}

#[test]
fn what_many_events_share_counts_in_each_of_them() {
    on_every_backend(requests, |api| {
        let pair = |value: &str| [field(1, b"key"), field(2, &field(1, value.as_bytes()))].concat();
        let attribute = field(1, &pair(&"v".repeat(100_000)));
        let resource = field(1, &attribute);
        let scope = field(1, &field(3, &pair(&"v".repeat(100_000))));
        let logs = field(2, b"").repeat(20_000);
        let export = |resource: &[u8], scope: &[u8], records: &[u8]| {
            field(1, &[resource, &field(2, &[scope, records].concat())].concat())
        };
        let points = field(1, b"\x19\x01\0\0\0\0\0\0\0").repeat(20_000);
        let metric = field(2, &[field(1, &[b'm'; 100_000]), field(5, &points)].concat());
        let span = field(2, &field(11, b"").repeat(20_000));
        let telemetry = |path: &str, body: Vec<u8>| {
            Call::post(&format!("{path}?source={GATEWAY}")).bytes("application/x-protobuf", body)
        };
        let pairs = json!([{ "key": "k", "value": { "stringValue": "v".repeat(100_000) } }]);
        let as_json = json!({ "resourceLogs": [{
            "resource": { "attributes": pairs }, "scopeLogs": [{ "logRecords": vec![json!({}); 20_000] }],
        }] });
        let clouds = Call::post(&format!("/api/logs/cloud-event?source={GATEWAY}"));
        let clouds = (0..20).fold(clouds.json(json!(vec![json!({}); 40_000])), |call, number| {
            call.header(&format!("ce-{number}"), &"v".repeat(500))
        });
        for (what, call, reason) in [
            ("a resource", telemetry("/v1/logs", export(&resource, b"", &logs)), "too_many_copies"),
            ("a scope", telemetry("/v1/logs", export(b"", &scope, &logs)), "too_many_copies"),
            ("a metric", telemetry("/v1/metrics", export(b"", b"", &metric)), "too_many_copies"),
            ("a span", telemetry("/v1/traces", export(&resource, b"", &span)), "too_many_copies"),
            ("JSON", Call::post(&format!("/v1/logs?source={GATEWAY}")).json(as_json), "too_many_copies"),
            ("headers", clouds, "too_many_copies"),
            (
                "events of a span",
                telemetry("/v1/traces", export(b"", b"", &field(2, &field(11, b"").repeat(50_000)))),
                "too_many_events",
            ),
            (
                "casts",
                Call::post(&format!("/api/logs/typecasts?source={GATEWAY}")).json(json!({ "batch": [{
                    "body": { "a": vec!["1"; 200_000] },
                    "typecasts": vec![json!({ "path": ["a"], "from": "string", "to": "float" }); 2_000],
                }] })),
                "too_many_fields",
            ),
        ] {
            let reply = api.send(call);
            assert_eq!((reply.status, reply.reason()), (413, reason), "{what}: {reply}");
        }
        assert_eq!(count(api), 3);
        let few = field(2, b"").repeat(100);
        assert_eq!(api.send(telemetry("/v1/logs", export(&resource, b"", &few))).status, 200);
        assert_eq!(count(api), 103);
    });
}

#[test]
fn what_settings_copy_has_a_bound_for_a_delivery() {
    on_every_backend(requests, |api| {
        let lines: Vec<String> = (0..200).map(|number| format!("m.a:m.c{number}")).collect();
        let drops = vec!["m.a.b"; 500].join("\n");
        let keys = vec!["m.a"; 200].join(",");
        let long = json!({ "metadata": { "a": "x".repeat(4000) } });
        let list = json!({ "metadata": { "a": vec![json!({ "c": 1 }); 20_000] } });
        for (setting, value, event) in [
            ("transform_copy_fields", lines.join("\n"), &long),
            ("transform_drop_fields", drops, &list),
            ("custom_event_message_keys", keys, &long),
        ] {
            let call = Call::new(http::Method::PATCH, &format!("/api/sources/{GATEWAY}"));
            let reply = api.send(call.json(json!({ setting: value })));
            assert!(reply.status < 300, "{setting}: {reply}");
            let count = if setting == "transform_drop_fields" { 10 } else { 1000 };
            let reply = api.post(&path(), json!(vec![event; count]));
            assert_eq!((reply.status, reply.reason()), (406, "events_rejected"), "{setting}: {reply}");
            assert!(reply.to_string().contains("must not copy more than 128 MiB"), "{setting}: {reply}");
            assert!(reply.body.len() < 20_000, "{setting}: {}", reply.body.len());
            let call = Call::new(http::Method::PATCH, &format!("/api/sources/{GATEWAY}"));
            assert!(api.send(call.json(json!({ setting: null }))).status < 300, "{setting}");
        }
    });
}

#[test]
fn huge_names_and_many_of_them_are_stored_as_columns_can_be() {
    on_every_backend(requests, |api| {
        let long = "k".repeat(100_000);
        assert_eq!(api.post(&path(), json!({ long: 1 })).status, 200);
        let many: serde_json::Map<_, _> = (0..2_000).map(|n| (format!("key {n}"), json!(n))).collect();
        assert_eq!(api.post(&path(), json!(many)).status, 200);
        let reply = sql(api, "select _key_1999 as x from gateway where _key_1999 is not null");
        assert_eq!(reply.json(), json!({ "result": [{ "x": 1999 }] }));
        let reply = sql(api, &format!("select _{} as x from gateway where id is null", "k".repeat(128)));
        assert_eq!(reply.json(), json!({ "result": [] }), "{reply}");
        assert_eq!(count(api), 5);
    });
}

#[test]
fn the_events_of_a_delivery_have_a_number_of_fields() {
    on_every_backend(requests, |api| {
        let fields = |first: usize, count: usize| -> serde_json::Map<_, _> {
            (first..first + count).map(|n| (format!("k{n}"), json!(n))).collect()
        };
        let nested = json!({ "metadata": { "within": fields(0, 20_001) } });
        let listed = json!({ "metadata": [fields(0, 10_001), fields(10_001, 10_001)] });
        for body in [json!(fields(0, 300_000)), nested, listed] {
            let reply = api.post(&path(), body);
            assert_eq!((reply.status, reply.reason()), (406, "events_rejected"), "{reply}");
            assert!(reply.to_string().contains("must not have more than 20000 different fields"), "{reply}");
        }
        assert_eq!(count(api), 3);
        // One event of three would add too many fields; the others are stored.
        let events = json!([fields(0, 12_000), fields(12_000, 12_000), fields(0, 12_000)]);
        assert_eq!(api.post(&path(), events).status, 406);
        assert_eq!(count(api), 5);
    });
}

#[test]
fn a_query_reaches_nothing_but_the_caller_s_events() {
    let texts = [
        "select id from event_line",
        "select id from source",
        "select name from sqlite_master",
        "select sql from `main.sqlite_schema`",
        "select token from `temp.sqlite_master`",
        "select usename from pg_user",
        "select rolname from pg_catalog.pg_roles",
        "select table_name from information_schema.tables",
        "select id from `log_events_11111111_1111_4111_8111_111111111111`",
        "select id from `public.log_events_11111111_1111_4111_8111_111111111111`",
        "select pg_read_file('/etc/passwd') as x",
        "select pg_sleep(10) as x",
        "select lo_import('/etc/passwd') as x",
        "select current_setting('data_directory') as x",
        "select set_config('search_path', 'x', false) as x",
        "select nextval('log_event_lines') as x",
        "select load_extension('x') as x",
        "select writefile('x', 'y') as x",
        "select steps_left(1000000000) as x",
        "select external_query('c', 'select 1') as x",
        "select x from dblink('', 'select 1') as x",
        "select line from (select id from gateway where false) as t",
        "copy gateway to program 'id'",
        "create table t (id string)",
        "attach database 'x' as y",
        "pragma writable_schema = on",
        "explain select id from gateway",
        "set search_path = x",
        "call system.x()",
        "execute immediate 'select 1'",
        "begin",
        "commit",
        "select id from gateway; drop table gateway",
        "with x as (delete from gateway returning id) select id from x",
        "select id into t from gateway",
        "select id from gateway for update",
    ];
    on_every_backend(requests, |api| {
        for text in texts {
            let reply = sql(api, text);
            assert_eq!(reply.status, 400, "{text}: {reply}");
            assert!(reply.reason().starts_with("query_"), "{text}: {} {reply}", reply.reason());
        }
        assert_eq!(count(api), 3);
    });
}

#[test]
fn texts_in_queries_and_parameters_are_nothing_but_texts() {
    on_every_backend(requests, |api| {
        for text in ["'", "''", "\\", "$$", "$1", "?1", "; drop table x; --", "/*", "\u{0}", "é\u{10ffff}"] {
            let literal = text.replace('\\', "\\\\").replace('\'', "\\'");
            let reply =
                sql(api, &format!("select count(*) as n from gateway where event_message = '{literal}'"));
            let is_empty = reply.json() == json!({ "result": [{ "n": 0 }] });
            assert!(is_empty || (reply.status == 400 && text == "\u{0}"), "{text:?}: {reply}");
        }
        assert_eq!(count(api), 3);
    });
}

#[test]
fn queries_without_end_are_ended() {
    let scene = || -> Simulator { requests_under(Policy { sql_steps: 300_000, ..Policy::default() }) };
    let joins = |count: usize| (0..count).map(|n| format!("gateway as t{n}")).collect::<Vec<_>>().join(", ");
    let texts = [
        format!("select count(*) as n from {}", joins(18)),
        format!("select sum(length(t1.id) + length(t2.id)) as n from {}", joins(18)),
        "select count(*) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 100000)) as b".to_owned(),
    ];
    on_every_backend(scene, |api| {
        for text in &texts {
            let reply = sql(api, text);
            assert_eq!((reply.status, reply.reason()), (400, "query_timeout"), "{text}: {reply}");
        }
        assert_eq!(count(api), 3, "the next one runs");
    });
}
