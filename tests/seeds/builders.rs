//! A builder for each field of a seed file, and a field for each table.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sim_core::engine::SingleTenant;
use sim_core::engine::fault::{Effect, Fault, On};
use sim_core::management::catalog::{InstanceSize, PostgresEngine, Region};
use sim_core::management::hostname_progress::Status as HostnameStatus;
use sim_core::management::pooler::PoolMode;
use sim_core::management::project::Status;
use sim_core::management::upgrade_progress::{UpgradeError, UpgradeProgress};
use sim_core::seed::{self, CallSeed, ProjectSeed, Seed, Services};
use sim_core::{Policy, Simulator, UserSpec};

/// A field, and its builder.
type Builder<T> = (&'static str, fn(T) -> T);

/// For each field of a seed file, its builder.
const SEED_BUILDERS: [Builder<Seed>; 27] = [
    ("service", |seed| seed.service(Services::Analytics)),
    ("self_log", |seed| seed.self_log()),
    ("seed", |seed| seed.seed(7)),
    ("start", |seed| seed.start("2026-02-01T00:00:00Z".parse().expect("an instant"))),
    ("users", |seed| seed.user(UserSpec::named("ada"))),
    ("organizations", |seed| seed.organization("Acme", "pro", &[])),
    ("single_tenant", |seed| seed.single_tenant(SingleTenant::default())),
    ("policy", |seed| seed.policy(Policy::default())),
    ("profile", |seed| seed.profile(sim_core::Profile::default())),
    ("projects", |seed| seed.project(ProjectSeed::named("a"))),
    ("calls", |seed| seed.call(CallSeed::default())),
    ("faults", |seed| seed.fault(Fault::new(On::path("*"), Effect::Reset))),
    ("state", |_| Simulator::builder().build().export().expect("it is all in its pages")),
    ("dns", |seed| seed.dns("a.test", json!({}))),
    ("options", |seed| seed.options("acme", json!({}))),
    ("apps", |seed| seed.app(json!({}))),
    ("sources", |seed| seed.source(json!({}))),
    ("backends", |seed| seed.backend(json!({}))),
    ("rules", |seed| seed.rule(json!({}))),
    ("access_tokens", |seed| seed.access_token(json!({}))),
    ("endpoints", |seed| seed.endpoint(json!({}))),
    ("alerts", |seed| seed.alert(json!({}))),
    ("teams", |seed| seed.team(json!({}))),
    ("events", |seed| seed.events(json!({}))),
    ("logs", |seed| seed.log(json!({}))),
    ("projects", |seed| seed.project(ProjectSeed::named("b"))),
    ("calls", |seed| seed.advance(std::time::Duration::from_secs(1))),
];

/// For each field of a project, its builder.
const PROJECT_BUILDERS: [Builder<ProjectSeed>; 45] = [
    ("name", |project| project),
    ("organization", |project| project.organization("acme")),
    ("region", |project| project.region(Region::EuWest1)),
    ("size", |project| project.size(InstanceSize::Small)),
    ("postgres_engine", |project| project.postgres_engine(PostgresEngine::V15)),
    ("db_pass", |project| project.db_pass("a-password")),
    ("status", |project| project.paused()),
    ("status", |project| project.status(Status::Restoring)),
    ("upgrade", |project| project.upgrading(UpgradeProgress::Started)),
    ("upgrade", |project| project.failed_upgrade(UpgradeError::DataUpgradeCompletion)),
    ("hostname_status", |project| project.hostname("a.test", HostnameStatus::Initiated)),
    ("hostname", |project| project.hostname("a.test", HostnameStatus::Initiated)),
    ("addons", |project| project.addon("custom_domain")),
    ("migrations", |project| project.migration("a", "select 1")),
    ("sql", |project| project.sql("select 1")),
    ("auth", |project| project.auth(json!({}))),
    ("sso_providers", |project| project.sso_provider(json!({}))),
    ("third_party_auth", |project| project.third_party_auth(json!({}))),
    ("signing_keys", |project| project.signing_key(json!({}))),
    ("realtime", |project| project.realtime(json!({}))),
    ("disk", |project| project.disk(json!({}))),
    ("postgres", |project| project.postgres(json!({}))),
    ("pool_mode", |project| project.pool_mode(PoolMode::Session)),
    ("rest", |project| project.rest(json!({}))),
    ("storage", |project| project.storage(json!({}))),
    ("ssl", |project| project.ssl(true)),
    ("root_key", |project| project.root_key("00")),
    ("vault", |project| project.vault("card", "1")),
    ("webhooks", |project| project.webhooks()),
    ("network", |project| project.network(&[])),
    ("failed_logins", |project| project.failed_login("203.0.113.7")),
    ("vanity", |project| project.vanity("shop")),
    ("secrets", |project| project.secret("A", "b")),
    ("api_keys", |project| project.api_key(json!({}))),
    ("functions", |project| project.function("hello", "")),
    ("snippets", |project| project.snippet("ada", "all", "select 1")),
    ("replicas", |project| project.replica(Region::EuWest1)),
    ("backup_time", |project| project.backup_time("04:00:00")),
    ("backups", |project| project.backup(json!({}))),
    ("restore_points", |project| project.restore_point("before")),
    ("branch_seed", |project| project.branch_seed("select 1")),
    ("obstacles", |project| project.obstacles(json!({}))),
    ("branches", |project| project.branch("dev")),
    ("read_only", |project| project.read_only()),
    ("health", |project| project.broken("rest")),
];

#[test]
fn every_field_has_a_builder() {
    let schema = seed::schema();
    let fields = |schema: &Value| -> BTreeSet<String> {
        schema["properties"].as_object().expect("it has fields").keys().cloned().collect()
    };
    let names = |name: &&str| (*name).to_owned();
    let said: BTreeSet<_> = SEED_BUILDERS.iter().map(|(name, _)| names(name)).collect();
    assert_eq!(said, fields(&schema));
    for (name, build) in SEED_BUILDERS {
        let file: Value = serde_json::from_str(&build(Seed::new()).to_json()).expect("it is JSON");
        assert!(!file[name].is_null(), "{name}: {file}");
    }
    let said: BTreeSet<_> = PROJECT_BUILDERS.iter().map(|(name, _)| names(name)).collect();
    assert_eq!(said, fields(&schema["$defs"]["ProjectSeed"]));
    for (name, build) in PROJECT_BUILDERS {
        let file = json!(build(ProjectSeed::named("a")));
        assert!(!file[name].is_null(), "{name}: {file}");
    }
}

/// For each table of a resource, the field of a seed that fills it, or the other way in which its rows are created.
const TABLES: [(&str, &str); 48] = [
    ("access_token", "access_tokens"),
    ("addon", "projects.addons"),
    ("alert", "alerts"),
    ("api_key", "projects.api_keys"),
    ("auth_config", "projects.auth"),
    ("backend", "backends"),
    ("backup", "projects.backups"),
    ("branch", "projects.branches"),
    ("branch_seed", "projects.branch_seed"),
    ("cached_result", "calls: an endpoint is asked"),
    ("custom_hostname", "projects.hostname"),
    ("dns", "dns"),
    ("endpoint", "endpoints"),
    ("failed_login", "projects.failed_logins"),
    ("fault", "faults"),
    ("function", "projects.functions"),
    ("member", "organizations"),
    ("network_restriction", "projects.network"),
    ("next_outcome", "calls: it is said of what comes next"),
    ("oauth_app", "apps"),
    ("oauth_grant", "apps"),
    ("organization", "organizations"),
    ("outbox", "events"),
    ("pooler", "projects.pool_mode"),
    ("postgres_config", "projects.postgres"),
    ("project", "projects"),
    ("rate_window", "calls: whoever calls has one"),
    ("rejected_event", "calls: a delivery is refused"),
    ("replica", "projects.replicas"),
    ("rest_config", "projects.rest"),
    ("root_key", "projects.root_key"),
    ("rule", "rules"),
    ("secret", "projects.secrets"),
    ("service_fault", "projects.health"),
    ("snippet", "projects.snippets"),
    ("source", "sources"),
    ("source_backend", "backends"),
    ("source_count", "events"),
    ("source_field", "events"),
    ("ssl_enforcement", "projects.ssl"),
    ("sso_domain", "projects.sso_providers"),
    ("sso_provider", "projects.sso_providers"),
    ("storage_config", "projects.storage"),
    ("team", "teams"),
    ("team_user", "calls: a member is added to a team"),
    ("token", "users"),
    ("upgrade", "projects.upgrade"),
    ("user", "users"),
];

/// The rest of the tables.
const MORE_TABLES: [(&str, &str); 31] = [
    ("action_run", "calls: a branch is pushed"),
    ("backup_schedule", "projects.backup_time"),
    ("claim_token", "calls: one is made"),
    ("compute_instance", "calls: one is deployed"),
    ("compute_upload", "calls: one is asked for"),
    ("connection", "calls: a database client connects"),
    ("disk", "projects.disk"),
    ("document", "calls: one is set"),
    ("invitation", "calls: somebody is invited"),
    ("jit_access", "calls: a member is let in"),
    ("jit_config", "calls: members are let in"),
    ("jit_invite", "calls: somebody is invited"),
    ("log_drain", "calls: one is made"),
    ("login_role", "calls: one is made"),
    ("member_scope", "calls: a role is limited to projects"),
    ("notebook", "calls: one is made"),
    ("private_link", "calls: one is made"),
    ("project_use", "calls: the policy pauses idle projects"),
    ("realtime_config", "projects.realtime"),
    ("restore_point", "projects.restore_points"),
    ("service_start", "projects.health"),
    ("signing_key", "projects.signing_keys"),
    ("third_party_auth", "projects.third_party_auth"),
    ("vanity_subdomain", "projects.vanity"),
    ("vault_value", "projects.vault"),
    ("vcs_connection", "calls: a project is connected"),
    ("warehouse_dataset", "sources"),
    ("warehouse_request", "events"),
    ("webhook", "projects.webhooks"),
    ("webhook_delivery", "calls: something happens"),
    ("webhook_endpoint", "calls: one is made"),
];

#[test]
fn every_resource_has_a_builder() {
    let sim = Simulator::builder().with_self_log().build();
    let sql =
        "select name from sqlite_schema where name not in ('call', 'event', 'due', 'dropped') order by name";
    let found = sim.query_journal(sql).expect("a good query");
    let found: BTreeSet<_> = found.iter().filter_map(|row| row["name"].as_str()).collect();
    let listed = || TABLES.into_iter().chain(MORE_TABLES);
    assert_eq!(found, listed().map(|(table, _)| table).collect());
    for (table, field) in listed().filter(|(_, field)| !field.starts_with("calls: ")) {
        let has = |name: &str| match name.strip_prefix("projects.") {
            Some(name) => PROJECT_BUILDERS.iter().any(|(builder, _)| *builder == name),
            None => SEED_BUILDERS.iter().any(|(builder, _)| *builder == name),
        };
        assert!(has(field), "{table}: {field}");
    }
}
