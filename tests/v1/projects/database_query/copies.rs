//! What has a copy of the database: replicas, restores, backups, branches, forks.

use http::Method;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_fixtures::{Api, Call, Reply};

use super::{ACCOUNTS, DAY, START, one_project, rows};
use crate::steps::{Steps as _, refused};
use crate::support::{on_both_engines, on_postgres};
use crate::v1::projects::branches::{BRANCHES, dev, own_ref};

#[test]
fn a_replica_reads_the_primary_s_rows_and_writes_none() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        api.resize("small");
        let set_up = json!({ "read_replica_region": "us-east-1" });
        assert_eq!(api.post("/v1/projects/{ref}/read-replicas/setup", set_up).status, 201);
        let listed = api.control(Method::GET, "/_sim/projects/{ref}/read-replicas", Value::Null);
        let ask = |api: &mut dyn Api, query: &str| {
            let body = json!({ "database_identifier": listed[0]["database_identifier"], "query": query });
            api.post("/_sim/projects/{ref}/read-replicas/query", body)
        };
        assert_eq!(ask(api, "select 1").reason(), "service_unreachable");
        api.after(120);
        rows(api, "insert into account (name) values ('ann')");
        assert_eq!(ask(api, "select name from account").json(), json!([{ "name": "ann" }]));
        let text =
            "Failed to run sql query: ERROR:  25006: cannot execute DELETE in a read-only transaction\n";
        refused(&ask(api, "delete from account"), 400, "sql_error", text);
        assert_eq!(rows(api, "select count(*)::int as count from account"), json!([{ "count": 1 }]));
    });
}

#[test]
fn a_point_in_time_brings_back_the_rows_of_then() {
    on_both_engines(one_project, |api| {
        api.addon("pitr_7", true);
        rows(api, "create table minute (at timestamptz default now())");
        for _ in 0..60 {
            api.after(60);
            rows(api, "insert into minute default values");
        }
        let target = START + 60 + 30 * 60 + 59;
        let restore = json!({ "recovery_time_target_unix": target });
        assert_eq!(api.post("/v1/projects/{ref}/database/backups/restore-pitr", restore).status, 201);
        api.after(180);
        let found = rows(api, "select count(*) as count, max(at)::text as last from minute");
        assert_eq!(found, json!([{ "count": 30, "last": "2026-01-01 00:31:00+00" }]));
        rows(api, "insert into minute default values");
        assert_eq!(rows(api, "select count(*) as count from minute"), json!([{ "count": 31 }]));
    });
}

#[test]
fn a_project_can_be_restored_to_every_minute_of_a_day() {
    const MINUTES: u64 = 24 * 60;
    on_both_engines(one_project, |api| {
        api.addon("pitr_7", true);
        let table =
            "create table minute (id bigint generated always as identity, at timestamptz default now(),
            tag uuid default gen_random_uuid())";
        rows(api, table);
        let mut written = Vec::new();
        for _ in 0..MINUTES {
            api.after(60);
            written.push(rows(api, "insert into minute default values returning *")[0].clone());
        }
        // Ten timestamps that look random and are the same in every run.
        for second in (1..=10).map(|n| (n * 2_654_435_761_u64) % (MINUTES * 60)) {
            let restore = json!({ "recovery_time_target_unix": START + 60 + second });
            assert_eq!(api.post("/v1/projects/{ref}/database/backups/restore-pitr", restore).status, 201);
            api.after(180);
            let then = written[..second as usize / 60].to_vec();
            assert_eq!(rows(api, "select * from minute order by id"), Value::Array(then), "{second}");
        }
    });
}

#[test]
fn a_failed_restore_leaves_the_rows_alone() {
    on_both_engines(one_project, |api| {
        api.addon("pitr_7", true);
        rows(api, ACCOUNTS);
        api.after(60);
        api.next_fails("pitr_restore");
        api.post(
            "/v1/projects/{ref}/database/backups/restore-pitr",
            json!({ "recovery_time_target_unix": START + 60 }),
        );
        api.after(180);
        assert_eq!(api.status(), "RESTORE_FAILED");
    });
}

#[test]
fn a_daily_backup_has_the_rows_of_midnight() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        rows(api, "insert into account (name) values ('monday')");
        api.after(DAY);
        rows(api, "insert into account (name) values ('tuesday')");
        api.after(DAY);
        rows(api, "insert into account (name) values ('wednesday')");
        let restore = "/_sim/projects/{ref}/backups/restore";
        let none = json!({ "day": "2025-12-31T00:00:00Z" });
        let reply = api.send(Call::post(restore).json(none));
        refused(&reply, 404, "backup_not_found", "day: there is no completed backup of 2025-12-31T00:00:00Z");
        api.control(Method::POST, restore, json!({ "day": "2026-01-02T12:00:00Z" }));
        let reply = api.send(Call::post(restore).json(json!({ "day": "2026-01-02T12:00:00Z" })));
        refused(&reply, 400, "project_not_active", "This project can't be restored in its state");
        api.after(180);
        assert_eq!(rows(api, "select name from account"), json!([{ "name": "monday" }]));
    });
}

const RECORD: &str = "create schema if not exists migrations;
    create table migrations.schema_migrations (version text primary key, statements text[], name text);";

fn migrate(api: &mut dyn Api, version: &str, statement: &str) {
    rows(api, statement);
    let quoted = statement.replace('\'', "''");
    let record = format!(
        "insert into migrations.schema_migrations (version, statements) values ('{version}', array['{quoted}'])"
    );
    rows(api, &record);
}

#[test]
fn a_branch_has_its_parent_s_schema_and_not_its_rows() {
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        rows(api, "insert into account (name) values ('ann')");
        let branch = dev(api);
        api.after(60);
        assert_eq!(api.get(BRANCHES).json()[1]["status"], "FUNCTIONS_DEPLOYED");
        assert_eq!(branch_rows(api, &branch, "select * from account").to_string(), "201 []");
        let versions = branch_rows(api, &branch, "select version from migrations.schema_migrations");
        assert_eq!(versions.json(), json!([{ "version": "1" }]));
    });
}

#[test]
fn push_brings_new_migrations_and_reset_goes_back_to_one() {
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        let branch = dev(api);
        api.after(60);
        migrate(api, "2", "create table second (id int)");
        let path = |verb: &str| format!("/v1/branches/{}/{verb}", own_ref(&branch));
        assert_eq!(api.post(&path("push"), json!({})).status, 201);
        api.after(60);
        assert_eq!(branch_rows(api, &branch, "select * from second").to_string(), "201 []");
        assert_eq!(api.post(&path("reset"), json!({ "migration_version": "1" })).status, 201);
        api.after(60);
        assert_eq!(branch_rows(api, &branch, "select * from account").status, 201);
        assert_eq!(branch_rows(api, &branch, "select * from second").status, 400);
    });
}

#[test]
fn a_branch_is_seeded_when_it_is_made_and_when_it_is_reset() {
    const SEED: &str = "/_sim/projects/{ref}/branch-seed";
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        let seed = json!({ "sql": "insert into account (name) values ('seeded')" });
        api.control(Method::PUT, SEED, seed.clone());
        assert_eq!(api.control(Method::GET, SEED, Value::Null), seed);
        let branch = dev(api);
        api.after(60);
        let names = |api: &mut dyn Api| branch_rows(api, &branch, "select name from account").json();
        assert_eq!(names(api), json!([{ "name": "seeded" }]));
        branch_rows(api, &branch, "update account set name = 'changed'");
        let path = |verb: &str| format!("/v1/branches/{}/{verb}", own_ref(&branch));
        assert_eq!(api.post(&path("push"), json!({})).status, 201);
        api.after(60);
        assert_eq!(names(api), json!([{ "name": "changed" }]));
        assert_eq!(api.post(&path("reset"), json!({})).status, 201);
        api.after(60);
        assert_eq!(names(api), json!([{ "name": "seeded" }]));
    });
}

#[test]
fn a_seed_that_fails_fails_the_branch() {
    on_both_engines(one_project, |api| {
        let seed = json!({ "sql": "insert into nothing values (1)" });
        api.control(Method::PUT, "/_sim/projects/{ref}/branch-seed", seed);
        dev(api);
        api.after(60);
        assert_eq!(api.get(BRANCHES).json()[1]["status"], "MIGRATIONS_FAILED");
    });
}

#[test]
fn a_migration_that_fails_fails_the_branch() {
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        rows(
            api,
            "insert into migrations.schema_migrations (version, statements) values ('2', array['create table account ()'])",
        );
        dev(api);
        api.after(60);
        assert_eq!(api.get(BRANCHES).json()[1]["status"], "MIGRATIONS_FAILED");
    });
}

#[test]
fn a_fork_s_rows_are_its_own() {
    fork_and_restore(one_project().sim);
    if let Some(scene) = on_postgres(one_project()) {
        fork_and_restore(scene.sim);
    }
}

fn fork_and_restore(mut sim: Simulator) {
    let project = sim.call(sim_core::management::project::ListProjects {}).expect("a list")[0].id.clone();
    let query = |text: &str| sim_core::management::query::RunQuery::sql(project.clone(), text);
    sim.call(query(ACCOUNTS)).expect("it runs");
    let mut fork = sim.fork();
    let before = sim.snapshot();
    sim.call(query("insert into account (name) values ('ann')")).expect("it runs");
    assert_eq!(fork.call(query("select * from account")).expect("it runs").len(), 0);
    assert_eq!(sim.call(query("select * from account")).expect("it runs").len(), 1);
    sim.restore(&before);
    assert_eq!(sim.call(query("select * from account")).expect("it runs").len(), 0);
}

fn branch_rows(api: &mut dyn Api, branch: &Value, query: &str) -> Reply {
    api.post(&format!("/v1/projects/{}/database/query", own_ref(branch)), json!({ "query": query }))
}
