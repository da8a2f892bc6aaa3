//! The model of the warehouse backend.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::engine::Warehouse;
use sim_core::{Policy, Simulator};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call, Reply};

use crate::support::{both, seconds};

fn with(warehouse: Warehouse) -> Simulator {
    let mut policy = Policy::default();
    policy.analytics.warehouse = Some(warehouse);
    analytics::with_policy(policy)
}

fn source(api: &mut dyn Api) -> Reply {
    api.post("/api/sources", json!({ "name": "gateway", "token": GATEWAY }))
}

fn send(api: &mut dyn Api, events: &Value) -> Reply {
    api.post(&format!("/api/logs?source={GATEWAY}"), events.clone())
}

fn count(api: &mut dyn Api) -> Value {
    api.get("/api/query?sql=select+count(*)+as+n+from+gateway").json()["result"][0]["n"].clone()
}

const ALL: [&str; 12] = [
    "warehouse.datasets.create",
    "warehouse.datasets.get",
    "warehouse.datasets.getIamPolicy",
    "warehouse.datasets.update",
    "warehouse.jobs.create",
    "warehouse.routines.create",
    "warehouse.routines.update",
    "warehouse.tables.create",
    "warehouse.tables.delete",
    "warehouse.tables.get",
    "warehouse.tables.getData",
    "warehouse.tables.updateData",
];

/// A service account that has [`ALL`] permissions except that one.
fn without(permission: &str) -> Warehouse {
    let permissions = ALL.iter().filter(|one| **one != permission).map(|one| (*one).to_owned());
    let tables = (permission != "warehouse.tables.update").then(|| "warehouse.tables.update".to_owned());
    Warehouse { permissions: permissions.chain(tables).collect(), ..Warehouse::default() }
}

#[test]
fn a_dataset_and_tables_are_made_and_asked_for_with_tokens_of_the_service_account() {
    both(
        || with(Warehouse::default()),
        |api| {
            assert_eq!(
                source(api).json()["wh_table_id"],
                "analytics.1_prod.11111111_1111_4111_8111_111111111111"
            );
            assert_eq!(send(api, &json!({ "message": "m", "metadata": { "a": 1 } })).status, 200);
            assert_eq!(count(api), json!(1));
            let requests = api.get("/_sim/warehouse/requests").json();
            let lines: Vec<_> = requests
                .as_array()
                .expect("a list")
                .iter()
                .map(|one| format!("{} {}", one["method"], one["permissions"]))
                .collect();
            assert_snapshot!(lines.join("\n"), @r#"
        "datasets.insert" ["warehouse.datasets.create","warehouse.datasets.get"]
        "datasets.patch" ["warehouse.datasets.getIamPolicy","warehouse.datasets.update"]
        "routines.insert" ["warehouse.routines.create","warehouse.routines.update"]
        "tables.insert" ["warehouse.tables.create"]
        "tabledata.insertAll" ["warehouse.tables.get","warehouse.tables.updateData"]
        "tables.patch" ["warehouse.tables.update"]
        "jobs.query" ["warehouse.jobs.create","warehouse.tables.getData"]
        "#);
            assert_snapshot!(requests[0]["claims"], @r#"{"iss":"analytics@analytics.test","scope":"warehouse","iat":1767225600,"exp":1767229200}"#);
            // No one has the key here; the token must show that.
            let token = requests[0]["token"].as_str().expect("a token");
            assert!(
                token.starts_with("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.") && token.ends_with('.'),
                "{token}"
            );
            let warehouse = api.get("/_sim/warehouse").json();
            assert_eq!(warehouse["datasets"], json!({ "1_prod": "US" }));
            assert_eq!(
                warehouse["permissions"]
                    .as_object()
                    .map(|all| all.values().filter(|has| **has == json!(true)).count()),
                Some(13)
            );
            assert_eq!(api.get("/api/account").json()["warehouse_dataset_location"], "US");
        },
    );
}

#[test]
fn permissions_are_checked_one_by_one() {
    for missing in ALL {
        both(
            || with(without(missing)),
            |api| {
                let mut replies = vec![source(api)];
                if replies[0].status == 201 {
                    replies.push(send(api, &json!({ "message": "m" })));
                    replies.push(api.get("/api/query?sql=select+id+from+gateway"));
                    replies.push(api.delete(&format!("/api/sources/{GATEWAY}")));
                }
                let refused: Vec<_> = replies.iter().filter(|reply| reply.status >= 400).collect();
                assert_eq!(refused.len(), 1, "{missing}");
                let text = refused[0].json()["error"].as_str().unwrap_or_default().to_owned();
                assert!(text.contains(&format!("Permission {missing} denied")), "{missing}: {text}");
                let requests = api.get("/_sim/warehouse/requests").json();
                let last = requests
                    .as_array()
                    .and_then(|all| all.iter().find(|one| one["refused"] == json!(missing)));
                assert!(last.is_some(), "{missing}");
            },
        );
    }
}

#[test]
fn nothing_is_streamed_in_without_billing() {
    both(
        || with(Warehouse { billing: false, ..Warehouse::default() }),
        |api| {
            source(api);
            let reply = send(api, &json!({ "message": "m" }));
            assert_snapshot!(reply, @r#"403 {"error":"Access Denied: Table analytics.1_prod.11111111_1111_4111_8111_111111111111: Streaming insert needs billing, which the project has not enabled."}"#);
            assert_eq!(reply.reason(), "warehouse_billing_disabled");
            assert_eq!(count(api), json!(0));
        },
    );
}

#[test]
fn tables_grow_so_wide_and_so_often() {
    let narrow = || with(Warehouse { max_columns: 5, schema_updates_per_minute: 2, ..Warehouse::default() });
    both(narrow, |api| {
        source(api);
        send(api, &json!([{ "a": 1, "b": { "c": 1, "d": 2 } }]));
        let columns =
            |api: &mut dyn Api| api.get(&format!("/api/sources/{GATEWAY}")).json()["wh_table_schema"].clone();
        assert_snapshot!(columns(api), @r#"{"a":"integer","b.c":"integer","event_message":"string","id":"string","timestamp":"timestamp"}"#);
        let event = api.get(&format!("/api/sources/{GATEWAY}/recent")).json()[0].clone();
        assert_eq!(
            (&event["a"], &event["b"]),
            (&json!(1), &json!({ "c": 1 })),
            "fields without a column are ignored"
        );
    });
    both(
        || with(Warehouse { schema_updates_per_minute: 1, ..Warehouse::default() }),
        |api| {
            source(api);
            send(api, &json!([{ "a": 1 }]));
            send(api, &json!([{ "b": 1 }]));
            api.advance(seconds(60));
            send(api, &json!([{ "b": 2 }]));
            let rows = api.get("/api/query?sql=select+count(b)+as+b+from+gateway").json();
            assert_eq!(rows["result"][0]["b"], 1);
        },
    );
}

#[test]
fn a_table_without_the_permission_to_grow_stays_as_it_is() {
    both(
        || with(without("warehouse.tables.update")),
        |api| {
            source(api);
            assert_eq!(send(api, &json!({ "message": "m", "a": 1 })).status, 200);
            let event = api.get(&format!("/api/sources/{GATEWAY}/recent")).json()[0].clone();
            assert_eq!((&event["event_message"], &event["a"]), (&json!("m"), &json!(null)));
        },
    );
}

#[test]
fn values_of_another_type_are_rejected() {
    both(
        || with(Warehouse::default()),
        |api| {
            source(api);
            let reply = send(api, &json!([{ "a": 1.5, "l": [0.5] }, { "a": 2, "l": [1] }, { "a": "x" }]));
            assert_snapshot!(reply, @r#"406 {"message":["Type error! Field `a` has an unexpected type."]}"#);
            assert_eq!(send(api, &json!([{ "a": true }])).status, 406);
            assert_eq!(count(api), json!(2));
        },
    );
}

#[test]
fn a_query_names_only_columns_that_the_table_has() {
    both(
        || with(Warehouse::default()),
        |api| {
            source(api);
            assert_eq!(send(api, &json!({ "n": 1, "r": { "a": 1 } })).status, 200);
            let ask =
                |api: &mut dyn Api, sql: &str| api.get(&format!("/api/query?sql={}", sql.replace(' ', "+")));
            assert_eq!(ask(api, "select n, r.a from gateway").json()["result"], json!([{ "n": 1, "a": 1 }]));
            for wrong in [
                "select nope from gateway",
                "select t.nope from gateway t",
                "select 1 from gateway where nope = 1",
            ] {
                let reply = ask(api, wrong);
                assert!(reply.status == 400 && reply.to_string().contains("nope"), "{wrong}: {reply}");
            }
        },
    );
}

#[test]
fn a_query_names_only_fields_that_a_record_has() {
    both(
        || with(Warehouse::default()),
        |api| {
            source(api);
            let event = json!({ "n": 1, "metadata": { "status": 200, "request": [{ "path": "/a", "headers": { "host": "h" } }] } });
            assert_eq!(send(api, &event).status, 200);
            let ask = |api: &mut dyn Api, sql: &str| {
                let sql: String = form_urlencoded::byte_serialize(sql.as_bytes()).collect();
                api.get(&format!("/api/query?sql={sql}"))
            };
            let right = [
                "select t.metadata.status as v from gateway t",
                "select m.status as v from gateway t cross join unnest(t.metadata) as m",
                "select q.STATUS as v from (select metadata as q from gateway)",
                "with x as (select coalesce(t.metadata, null) as y from gateway t) select x.y.status as v from x",
                "select status as v from gateway cross join unnest(metadata)",
                "select any_value(metadata).status as v from gateway",
            ];
            for sql in right {
                assert_eq!(ask(api, sql).json()["result"], json!([{ "v": 200 }]), "{sql}");
            }
            let wrong = [
                ("select t.metadata.nope from gateway t", "t.metadata"),
                ("select metadata.nope from gateway", "metadata"),
                ("select t.metadata.request.nope from gateway t", "t.metadata.request"),
                ("select t.metadata.status.nope from gateway t", "t.metadata.status"),
                ("select 1 from gateway t where t.metadata.nope = 1", "t.metadata"),
                ("select count(*) from gateway t group by t.metadata.nope", "t.metadata"),
                ("select n from gateway t order by t.metadata.nope", "t.metadata"),
                ("select 1 from gateway a join gateway b on a.n = b.metadata.nope", "b.metadata"),
                ("select m.nope from gateway cross join unnest(metadata) as m", "m"),
                ("select r.nope from gateway t, unnest(t.metadata) as m, unnest(m.request) as r", "r"),
                (
                    "select r.headers.nope from gateway t, unnest(t.metadata) as m, unnest(m.request) as r",
                    "r.headers",
                ),
                ("select q.y.nope from (select metadata as y from gateway) as q", "q.y"),
                ("with x as (select metadata as y from gateway) select x.y.nope from x", "x.y"),
                ("select 1 from gateway where n in (select t.metadata.nope from gateway t)", "t.metadata"),
                ("select x.nope from gateway t, unnest(coalesce(t.metadata, [])) as x", "x"),
                (
                    "select x.y.nope from (select metadata as y from gateway union all select metadata from gateway) as x",
                    "x.y",
                ),
                ("select x.y.nope from (select max_by(metadata, n) as y from gateway) as x", "x.y"),
                ("select x.y.nope from (select struct(metadata.request as y) as x from gateway)", "x.y"),
            ];
            for (sql, record) in wrong {
                let text = format!("400 {{\"error\":\"Name nope not found inside {record}\"}}");
                assert_eq!(ask(api, sql).to_string(), text, "{sql}");
            }
            let none = ask(api, "select nope from gateway cross join unnest(metadata) as m");
            assert_snapshot!(none, @r#"400 {"error":"Field \"nope\" does not exist."}"#);
            // What reads JSON finds null, as it does there.
            let json = "select json_value(to_json(t.metadata), '$.nope') as v from gateway t";
            assert_eq!(ask(api, json).json()["result"], json!([{ "v": null }]));
        },
    );
}

#[test]
fn a_record_is_no_value_and_a_value_no_record() {
    both(
        || with(Warehouse::default()),
        |api| {
            source(api);
            assert_eq!(send(api, &json!({ "n": 1, "r": { "a": 1 } })).status, 200);
            let rows = [
                (json!({ "n": { "x": 1 } }), "n"),
                (json!({ "r": "flat" }), "r"),
                (json!({ "r": { "a": { "b": 1 } } }), "r.a"),
            ];
            for (event, field) in rows {
                let text = format!("Type error! Field `{field}` has an unexpected type.");
                assert_eq!(send(api, &event).to_string(), format!(r#"406 {{"message":["{text}"]}}"#));
            }
            assert_eq!(count(api), json!(1));
        },
    );
}

#[test]
fn days_go_when_they_are_as_old_as_the_source_keeps_them() {
    both(
        || with(Warehouse::default()),
        |api| {
            source(api);
            api.patch(&format!("/api/sources/{GATEWAY}"), json!({ "retention_days": 2 }));
            send(
                api,
                &json!([{ "message": "first day" }, { "message": "older", "timestamp": "2025-12-31T23:59:59Z" }]),
            );
            api.advance(seconds(86_399));
            assert_eq!(count(api), json!(2));
            api.advance(seconds(1));
            assert_eq!(count(api), json!(1));
            api.advance(seconds(86_400));
            assert_eq!(count(api), json!(0));
            api.look(&mut |sim| assert!(sim.agenda().is_empty(), "nothing is left to expire"));
        },
    );
}

#[test]
fn where_the_relational_backend_is_active_there_is_no_warehouse() {
    both(analytics::one_source, |api| {
        for path in ["/_sim/warehouse", "/_sim/warehouse/requests"] {
            assert_eq!(api.send(Call::get(path)).reason(), "warehouse_not_active", "{path}");
        }
    });
}
