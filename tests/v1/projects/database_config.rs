//! `/v1/projects/{ref}/config/database` and `/ssl-enforcement`, `/database/webhooks`: configuration of a
//! project's database.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::management::project::{CreateProject, ProjectRef};
use sim_core::management::webhook::GetWebhooks;
use sim_fixtures::{Api, Call, Reply, Scene, api::peek, scenario};

use crate::steps::Steps as _;
use crate::support::{TICK, both, seconds};

const POSTGRES: &str = "/v1/projects/{ref}/config/database/postgres";
const POOLER: &str = "/v1/projects/{ref}/config/database/pgbouncer";
const POOLERS: &str = "/v1/projects/{ref}/config/database/pooler";
const SSL: &str = "/v1/projects/{ref}/ssl-enforcement";
const WEBHOOKS: &str = "/v1/projects/{ref}/database/webhooks/enable";

fn status(api: &mut dyn Api) -> String {
    api.get("/v1/projects/{ref}").json()["status"].as_str().expect("a status").to_owned()
}

fn refusal(reply: &Reply) -> String {
    format!("{} {} {}", reply.status, reply.reason(), reply.json()["message"].as_str().unwrap_or_default())
}

fn ssl(enforced: bool) -> Value {
    json!({ "requestedConfig": { "database": enforced } })
}

#[test]
fn postgres_settings_are_those_last_put_and_no_others() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get(POSTGRES), @"200 {}");
        let body = json!({ "max_connections": 100, "statement_timeout": "30s", "session_replication_role": "replica" });
        assert_eq!(api.put(POSTGRES, body.clone()).json(), body);
        assert_eq!(api.get(POSTGRES).json(), body);
        assert_snapshot!(api.put(POSTGRES, json!({ "work_mem": "64MB" })), @r#"200 {"work_mem":"64MB"}"#);
        assert_snapshot!(api.get(POSTGRES), @r#"200 {"work_mem":"64MB"}"#);
        assert_snapshot!(api.put(POSTGRES, json!({})), @"200 {}");
        assert_snapshot!(api.get(POSTGRES), @"200 {}");
        assert_eq!(status(api), "ACTIVE_HEALTHY");
    });
}

#[test]
fn every_postgres_setting_is_returned_as_it_was_set() {
    let body = json!({
        "effective_cache_size": "1GB", "logical_decoding_work_mem": "64MB", "maintenance_work_mem": "64 MB",
        "track_activity_query_size": "1024", "max_connections": 262_143, "max_locks_per_transaction": 10,
        "max_parallel_maintenance_workers": 0, "max_parallel_workers": 1024, "max_parallel_workers_per_gather": 2,
        "max_replication_slots": 5, "max_slot_wal_keep_size": "-1", "max_standby_archive_delay": "-1",
        "max_standby_streaming_delay": "1.5min", "max_wal_size": "4GB", "max_wal_senders": 10,
        "max_worker_processes": 8, "session_replication_role": "local", "shared_buffers": "128kB",
        "statement_timeout": "0", "track_commit_timestamp": true, "wal_keep_size": "1TB",
        "wal_sender_timeout": "60000", "work_mem": "8192B",
    });
    both(scenario::active_project, |api| {
        assert_eq!(api.put(POSTGRES, body.clone()).json(), body);
        assert_eq!(api.get(POSTGRES).json(), body);
    });
}

#[test]
fn postgres_settings_have_bounds() {
    let size = "Invalid, must be a size such as 64MB, in B, kB, MB, GB or TB";
    let duration = "Invalid, must be a duration such as 30s, in us, ms, s, min, h or d";
    let rows = [
        ("max_connections", json!(0), "Number must be greater than or equal to 1"),
        ("max_connections", json!(262_144), "Number must be less than or equal to 262143"),
        ("max_locks_per_transaction", json!(9), "Number must be greater than or equal to 10"),
        (
            "max_locks_per_transaction",
            json!(2_147_483_641_i64),
            "Number must be less than or equal to 2147483640",
        ),
        ("max_parallel_workers", json!(1025), "Number must be less than or equal to 1024"),
        ("max_parallel_workers_per_gather", json!(-1), "Number must be greater than or equal to 0"),
        ("max_parallel_maintenance_workers", json!(1.5), "Expected integer, received float"),
        ("max_worker_processes", json!(262_144), "Number must be less than or equal to 262143"),
        (
            "session_replication_role",
            json!("x"),
            "Invalid enum value. Expected 'origin' | 'replica' | 'local', received 'x'",
        ),
        ("track_commit_timestamp", json!("on"), "Expected boolean, received string"),
        ("shared_buffers", json!("128mb"), size),
        ("work_mem", json!(64), "Expected string, received number"),
        ("work_mem", json!(null), "Expected string, received null"),
        ("statement_timeout", json!("30 seconds"), duration),
        ("wal_sender_timeout", json!(""), duration),
        ("restart_database", json!("yes"), "Expected boolean, received string"),
    ];
    both(scenario::active_project, |api| {
        for (name, value, text) in &rows {
            let reply = api.put(POSTGRES, json!({ *name: value }));
            assert_eq!(refusal(&reply), format!("400 invalid_body.{name} {name}: {text}"));
        }
        assert_snapshot!(api.get(POSTGRES), @"200 {}");
    });
}

#[test]
fn a_restart_takes_ten_seconds_and_is_not_among_the_settings() {
    both(scenario::active_project, |api| {
        let body = json!({ "max_connections": 100, "restart_database": true });
        assert_snapshot!(api.put(POSTGRES, body), @r#"200 {"max_connections":100}"#);
        assert_eq!(status(api), "RESTARTING");
        api.advance(seconds(10) - TICK);
        assert_eq!(status(api), "RESTARTING");
        api.advance(TICK);
        assert_eq!(status(api), "ACTIVE_HEALTHY");
    });
}

#[test]
fn sessions_begin_with_the_settings() {
    both(scenario::active_project, |api| {
        let most = |api: &mut dyn Api| {
            let query = json!({ "query": "select current_setting('max_connections') as most" });
            api.post("/v1/projects/{ref}/database/query", query).json()[0]["most"].clone()
        };
        assert_eq!(most(api), "60");
        api.put("/_sim/projects/{ref}/instance-size", json!({ "instance_size": "medium" }));
        api.after(600);
        assert_eq!(most(api), "120", "that of the machine");
        let body = json!({ "max_connections": 77, "statement_timeout": "5s", "work_mem": "8MB",
                           "track_commit_timestamp": true });
        assert_eq!(api.put(POSTGRES, body).status, 200);
        let query = |api: &mut dyn Api, text: &str| {
            api.post("/v1/projects/{ref}/database/query", json!({ "query": text })).json()[0].clone()
        };
        let shown =
            "select current_setting('max_connections') as a, current_setting('statement_timeout') as b,
                            current_setting('work_mem') as c, current_setting('track_commit_timestamp') as d";
        assert_eq!(query(api, shown), json!({ "a": "77", "b": "5s", "c": "8MB", "d": "on" }));
        let source = "select setting, source, reset_val from pg_settings where name = 'work_mem'";
        let configured = json!({ "setting": "8192", "source": "configuration file", "reset_val": "8192" });
        assert_eq!(query(api, source), configured);
        let reset = "set work_mem = '1MB'; reset work_mem; show work_mem";
        assert_eq!(query(api, reset), json!({ "work_mem": "8MB" }));
        assert_eq!(api.put(POSTGRES, json!({})).status, 200);
        assert_eq!(query(api, "show work_mem"), json!({ "work_mem": "4MB" }));
    });
}

#[test]
fn only_an_active_project_restarts() {
    both(scenario::paused_project, |api| {
        let body = json!({ "max_connections": 100, "restart_database": true });
        assert_eq!(
            refusal(&api.put(POSTGRES, body)),
            "400 project_not_active This project is not in an active state, it is INACTIVE"
        );
        assert_snapshot!(api.get(POSTGRES), @"200 {}");
        assert_snapshot!(api.put(POSTGRES, json!({ "max_connections": 100 })), @r#"200 {"max_connections":100}"#);
    });
}

/// A project created with a machine of that size, in an organization on that plan.
fn sized(plan: &str, size: Value) -> Scene {
    let mut sim = sim_core::Simulator::builder().seed(scenario::SEED).world(scenario::cast(plan)).build();
    let body = json!({
        "db_pass": "hunter22", "name": "demo", "organization_id": "acme", "region": "us-east-1",
        "desired_instance_size": size,
    });
    let body: CreateProject = serde_json::from_value(body).expect("it is a create");
    let project: ProjectRef = sim.as_admin().call(body).expect("it is a valid create").id;
    Scene { sim, project }
}

#[test]
fn the_pooler_follows_the_size_of_the_machine() {
    both(scenario::active_project, |api| {
        let config = api.get(POOLER).json();
        let url =
            format!("postgresql://postgres:[YOUR-PASSWORD]@db.{}.platform.test:6543/postgres", api.project());
        assert_eq!(
            config,
            json!({
                "pool_mode": "transaction", "default_pool_size": 15,
                "ignore_startup_parameters": "extra_float_digits", "max_client_conn": 200,
                "connection_string": url,
                "query_wait_timeout": 120, "reserve_pool_size": 0,
                "server_idle_timeout": 600, "server_lifetime": 3600,
            })
        );
    });
    let rows = [
        ("pro", "micro", 15, 200),
        ("pro", "small", 15, 400),
        ("pro", "medium", 15, 600),
        ("pro", "large", 20, 800),
        ("pro", "xlarge", 20, 1000),
        ("pro", "2xlarge", 25, 1500),
        ("pro", "4xlarge", 32, 3000),
        ("pro", "8xlarge", 64, 6000),
        ("pro", "12xlarge", 96, 9000),
        ("pro", "16xlarge", 128, 12_000),
        ("pro", "48xlarge_high_memory", 128, 12_000),
        ("pro", "nano", 15, 200),
        ("free", "xlarge", 15, 200),
    ];
    for (plan, size, pool, clients) in rows {
        both(
            || sized(plan, size.into()),
            |api| {
                let config = api.get(POOLER).json();
                assert_eq!(
                    (&config["default_pool_size"], &config["max_client_conn"]),
                    (&json!(pool), &json!(clients)),
                    "{size}"
                );
            },
        );
    }
}

#[test]
fn enforcing_ssl_restarts_the_database() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get(SSL), @r#"200 {"currentConfig":{"database":false},"appliedSuccessfully":true}"#);
        assert_snapshot!(api.put(SSL, ssl(true)), @r#"200 {"currentConfig":{"database":true},"appliedSuccessfully":true}"#);
        assert_eq!(status(api), "RESTARTING");
        assert_snapshot!(api.get(SSL), @r#"200 {"currentConfig":{"database":true},"appliedSuccessfully":true}"#);
        api.advance(seconds(10));
        assert_snapshot!(api.get(SSL), @r#"200 {"currentConfig":{"database":true},"appliedSuccessfully":true}"#);
        assert_eq!(status(api), "ACTIVE_HEALTHY");
        assert_snapshot!(api.put(SSL, ssl(true)), @r#"200 {"currentConfig":{"database":true},"appliedSuccessfully":true}"#);
        assert_eq!(status(api), "ACTIVE_HEALTHY", "setting the present value restarts nothing");
        assert_snapshot!(api.put(SSL, ssl(false)), @r#"200 {"currentConfig":{"database":false},"appliedSuccessfully":true}"#);
    });
}

#[test]
fn ssl_is_changed_on_an_active_project_only() {
    both(scenario::active_project, |api| {
        api.put(SSL, ssl(true));
        assert_eq!(
            refusal(&api.put(SSL, ssl(false))),
            "400 project_not_active This project is not in an active state, it is RESTARTING"
        );
        assert_eq!(
            refusal(&api.put(SSL, json!({}))),
            "400 invalid_body.requestedConfig requestedConfig: Required"
        );
        assert_eq!(
            refusal(&api.put(SSL, json!({ "requestedConfig": {} }))),
            "400 invalid_body.requestedConfig.database requestedConfig.database: Required"
        );
    });
}

#[test]
fn where_ssl_is_unsupported_the_refusal_is_a_bare_text() {
    let policy = Policy { ssl_enforcement: false, ..Policy::default() };
    both(
        || scenario::project_in(scenario::with_policy(policy.clone())),
        |api| {
            assert_snapshot!(api.get(SSL), @r#"400 "not allowed to configure SSL enforcements""#);
            assert_snapshot!(api.put(SSL, ssl(true)), @r#"400 "not allowed to configure SSL enforcements""#);
            assert_eq!(api.get(SSL).reason(), "ssl_enforcement_unsupported");
        },
    );
}

#[test]
fn where_a_refusal_may_be_a_bare_text_the_document_says_so() {
    let document = scenario::fresh().openapi();
    for method in ["get", "put"] {
        let described = &document["paths"][SSL][method]["responses"]["400"];
        let alternatives = &described["content"]["application/json"]["schema"]["anyOf"];
        assert_eq!(alternatives[1]["type"], "string", "{method}: {described}");
    }
}

#[test]
fn webhooks_can_be_enabled_again_and_again() {
    both(scenario::active_project, |api| {
        let project: ProjectRef = api.project().as_str().into();
        let look = |api: &mut dyn Api| {
            let found = peek(api, |sim| sim.as_admin().call(GetWebhooks { r#ref: project.clone() }));
            serde_json::to_value(found.expect("anyone may look")).expect("it is plain data")
        };
        assert_eq!(look(api), json!({ "enabled": false }));
        assert_snapshot!(api.act(WEBHOOKS), @"201 {}");
        api.advance(seconds(1));
        assert_snapshot!(api.act(WEBHOOKS), @"201 {}");
        assert_eq!(look(api), json!({ "enabled": true, "enabled_at": "2026-01-01T00:01:00Z" }));
    });
}

#[test]
fn reading_is_for_members_and_changing_for_administrators() {
    both(scenario::active_project, |api| {
        for path in [POSTGRES, POOLER, SSL] {
            assert_eq!(api.send(Call::get(path).token("token-of-reader")).status, 200, "{path}");
            assert_eq!(api.send(Call::get(path).token("token-of-outsider")).status, 403, "{path}");
            assert_eq!(api.send(Call::get(path).nobody()).status, 401, "{path}");
        }
        let changes =
            [Call::put(POSTGRES).json(json!({})), Call::put(SSL).json(ssl(true)), Call::post(WEBHOOKS)];
        for change in changes {
            assert_eq!(api.send(change.clone().token("token-of-developer")).status, 403, "{change}");
        }
    });
    both(scenario::four_roles, |api| {
        for path in [POSTGRES, POOLER, SSL] {
            assert_eq!(refusal(&api.get(path)), "404 project_not_found Project not found", "{path}");
        }
        assert_eq!(api.act(WEBHOOKS).status, 404);
    });
}

#[test]
fn the_pooler_has_an_entrance_for_the_database_and_one_for_each_replica() {
    both(scenario::active_project, |api| {
        let project = api.project();
        let own = &api.get(POOLERS).json()[0];
        assert_eq!((&own["identifier"], &own["database_type"]), (&json!(project), &json!("PRIMARY")));
        assert_eq!((&own["pool_mode"], &own["default_pool_size"]), (&json!("transaction"), &json!(null)));
        assert_eq!(own["connection_string"], own["connectionString"]);
        api.resize("small");
        api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
        assert_eq!(api.get(POOLERS).json().as_array().map(Vec::len), Some(1), "it is not up yet");
        api.after(120);
        let all = api.get(POOLERS).json();
        assert_eq!(all[1]["database_type"], "READ_REPLICA");
        assert_eq!(all[1]["max_client_conn"], json!(null));
    });
}

#[test]
fn pool_size_and_mode_are_set_for_the_pooler_as_a_whole() {
    both(scenario::active_project, |api| {
        let reply = api.patch(POOLERS, json!({ "default_pool_size": 40, "pool_mode": "session" }));
        assert_eq!(reply.to_string(), r#"200 {"default_pool_size":40,"pool_mode":"session"}"#);
        let own = api.get(POOLER).json();
        assert_eq!((&own["default_pool_size"], &own["pool_mode"]), (&json!(40), &json!("session")));
        let reply = api.patch(POOLERS, json!({ "default_pool_size": null }));
        assert_eq!(reply.to_string(), r#"200 {"default_pool_size":null,"pool_mode":"session"}"#);
        assert_eq!(api.get(POOLER).json()["default_pool_size"], 15);
        let reply = api.patch(POOLERS, json!({ "default_pool_size": 3001 }));
        assert_eq!(reply.reason(), "invalid_body.default_pool_size");
    });
}

#[test]
fn the_owner_of_the_database_gets_another_password() {
    both(scenario::active_project, |api| {
        let path = "/v1/projects/{ref}/database/password";
        let reply = api.patch(path, json!({ "password": "correct donkey" }));
        assert_eq!(reply.to_string(), r#"200 {"message":"Successfully updated password"}"#);
        let text = "password must be longer than or equal to 4 characters";
        assert_eq!(
            refusal(&api.patch(path, json!({ "password": "abc" }))),
            format!("400 invalid_body.password {text}")
        );
        api.act("/v1/projects/{ref}/pause");
        assert_eq!(api.patch(path, json!({ "password": "later" })).reason(), "project_not_active");
    });
}
