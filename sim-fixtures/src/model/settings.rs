//! The configuration of a project: secrets, read-only mode, REST layer, storage, pooler, Postgres, root key,
//! webhooks, TLS enforcement.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use sim_core::management::connection::UseConnection;
use sim_core::management::pooler::{GetPoolerConfig, ListPoolers, SetPoolMode, UpdatePooler};
use sim_core::management::postgres_config::{GetPostgresConfig, PatchPostgresConfig, UpdatePostgresConfig};
use sim_core::management::readonly::{DisableReadOnly, GetReadOnly, SetReadOnly, WriteDatabase};
use sim_core::management::rest::{GetRestConfig, UpdateRestConfig};
use sim_core::management::restart::RestartProject;
use sim_core::management::root_key::{GetRootKey, ReadVaultValue, UpdateRootKey, WriteVaultValue};
use sim_core::management::secret::{CreateSecrets, DeleteSecrets, ListSecrets};
use sim_core::management::ssl::{GetSslEnforcement, UpdateSslEnforcement};
use sim_core::management::storage::{GetStorageConfig, UpdateStorageConfig};
use sim_core::management::v2::config::GetProjectConfig;
use sim_core::management::webhook::{EnableWebhooks, GetWebhooks};
use sim_core::{Operation as _, Timestamp};

use super::projects::Project;
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::time::{MINUTE, later};
use super::{Model, SECRETS, merged};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const NAMES: [Text; 5] = ["A", "B", "C", "D", "platform_LOWER"];
const VALUES: [Text; 4] = ["one", "", "zwei", "trois\n"];
const KEYS: [Text; 2] = ["0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", KEY_OF_FS];
const KEY_OF_FS: Text = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
const VAULT: [Text; 2] = ["api", "mail"];
/// Sizes below the limits and beyond them by more than a history's SQL adds: the model does not count pages.
const BYTES: [i64; 8] =
    [1, 0, -1, 480_000_000, 495_000_000, 7_790_000_000, 1_000_000_000_000, -1_000_000_000_000_000];

const RULES: &[Rule] = &[
    Rule::write(CreateSecrets::META, "secrets:write", create_secrets)
        .call(|dice, _, what| {
            let names = dice.some(&NAMES, 3).into_iter();
            what.with(names.map(|name| json!({ "name": name, "value": dice.pick(&VALUES) })).collect())
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "name": "A", "value": "b" }),
                json!(["A"]),
                json!([{ "name": "A" }]),
                json!([{ "value": "b" }]),
                json!([{ "name": "", "value": "b" }]),
                json!([{ "name": "A", "value": 7 }]),
                json!([{ "name": "PLATFORM_A", "value": "b" }]),
                json!([{ "name": "A", "value": "b" }, { "name": "x".repeat(257), "value": "b" }]),
            ]
        }),
    Rule::read(ListSecrets::META, "secrets:read", |model, asked| {
        let shown = model.projects[asked.project()].secrets.iter().map(|(name, (value, at))| {
            let digest: String = Sha256::digest(value).iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "name": name, "value": digest, "updated_at": at.to_string() })
        });
        Ok(shown.collect())
    }),
    Rule::write(DeleteSecrets::META, "secrets:write", |model, asked| {
        let names = super::rule::texts(&asked.what.body);
        model.projects[asked.project()].secrets.retain(|name, _| !names.contains(name));
        done()
    })
    .call(|dice, _, what| what.with(json!(dice.some(&NAMES, 2))))
    .bodies(|| vec![json!({}), json!([1]), json!([null]), json!([["A"]])]),
    Rule::read(GetReadOnly::META, "database:read", |model, asked| {
        let until = model.projects[asked.project()].settings.override_until;
        let enabled = model.is_read_only(asked.project());
        let overridden = enabled && until.is_some_and(|until| model.now < until);
        let until = until.unwrap_or_default().to_string();
        Ok(json!({ "enabled": enabled, "override_enabled": overridden, "override_active_until": until }))
    }),
    Rule::write(DisableReadOnly::META, "database:write", |model, asked| {
        if model.is_read_only(asked.project()) {
            let until = later(model.now, 15 * MINUTE);
            model.projects[asked.project()].settings.override_until = Some(until);
        }
        done()
    }),
    Rule::control(SetReadOnly::META, |model, asked| {
        model.projects[asked.project()].settings.told_read_only = asked.body("enabled") == true;
        done()
    })
    .call(|dice, _, what| what.with(json!({ "enabled": !dice.one_in(2) })))
    .bodies(|| vec![json!({}), json!({ "enabled": 1 }), json!({ "enabled": true, "x": 1 })]),
    // What its statements do is not in the model: connections are opened, and closed only where there is none.
    Rule::control(UseConnection::META, connect)
        .call(|dice, _, what| {
            what.with(match dice.below(3) {
                0 => json!({ "action": "close", "connection": 4_000_000_000_u32 }),
                1 => json!({ "action": "open", "user": "nobody" }),
                _ => json!({ "action": "open" }),
            })
        })
        .bodies(|| {
            vec![json!({}), json!({ "action": "wait" }), json!({ "action": "close", "connection": -1 })]
        }),
    Rule::control(WriteDatabase::META, write)
        .call(|dice, _, what| what.with(json!({ "bytes": dice.pick(&BYTES) })))
        .bodies(|| {
            vec![
                json!({}),
                json!({ "bytes": "1" }),
                json!({ "bytes": 1.5 }),
                json!({ "bytes": 1_000_000_000_000_001_i64 }),
                json!({ "bytes": u64::MAX }),
            ]
        }),
    Rule::read(GetRestConfig::META, "rest:read", |model, asked| {
        Ok(model.projects[asked.project()].settings.rest.clone())
    }),
    Rule::write(UpdateRestConfig::META, "rest:write", |model, asked| {
        let rest = &mut model.projects[asked.project()].settings.rest;
        *rest = merged(rest.take(), asked.what.body.clone());
        Ok(rest.clone())
    })
    .call(|dice, _, what| {
        let schema = dice.one_in(2).then(|| json!(dice.pick(&["public", ""])));
        let pool = dice.one_in(2).then(|| dice.pick(&[Some(0), Some(1000), None])).map(|pool| json!(pool));
        let rows = Some(json!(dice.pick(&[0, 5, 1_000_000]))).filter(|_| !dice.one_in(2));
        what.with(given([("db_schema", schema), ("db_pool", pool), ("max_rows", rows)]))
    })
    .bodies(|| {
        vec![
            json!({ "max_rows": -1 }),
            json!({ "max_rows": 1_000_001 }),
            json!({ "max_rows": null }),
            json!({ "db_pool": 1001 }),
            json!({ "db_schema": 1 }),
        ]
    }),
    Rule::read(GetStorageConfig::META, "", |model, asked| {
        let project = asked.project();
        let Settings { file_size_limit, features, .. } = &model.projects[project].settings;
        let new = json!({
            "imageTransformation": { "enabled": !model.is_free(project) },
            "s3Protocol": { "enabled": true },
        });
        let limit = file_size_limit.unwrap_or(50 << 20);
        Ok(json!({ "fileSizeLimit": limit, "features": merged(new, features.clone().into()) }))
    }),
    Rule::write(UpdateStorageConfig::META, "", |model, asked| {
        let settings = &mut model.projects[asked.project()].settings;
        settings.file_size_limit = asked.body("fileSizeLimit").as_u64().or(settings.file_size_limit);
        let features = asked.body("features").as_object().into_iter().flatten();
        settings.features.extend(features.map(|(name, feature)| (name.clone(), feature.clone())));
        done()
    })
    .call(|dice, _, what| {
        let features = dice.one_in(2).then(|| {
            let enabled = |dice: &mut Dice| Some(json!({ "enabled": dice.one_in(2) }));
            let [images, s3] = [enabled(dice), enabled(dice)];
            let vectors = json!({ "enabled": dice.one_in(2), "maxBuckets": 3, "maxIndexes": 0 });
            given([
                ("imageTransformation", images.filter(|_| !dice.one_in(3))),
                ("s3Protocol", s3.filter(|_| !dice.one_in(3))),
                ("vectorBuckets", Some(vectors).filter(|_| dice.one_in(3))),
            ])
        });
        let limit = Some(json!(dice.pick(&[0, 1, 536_870_912_000_u64]))).filter(|_| !dice.one_in(2));
        what.with(given([("fileSizeLimit", limit), ("features", features)]))
    })
    .bodies(|| {
        vec![
            json!({ "fileSizeLimit": -1 }),
            json!({ "fileSizeLimit": 536_870_912_001_u64 }),
            json!({ "features": { "imageTransformation": {} } }),
            json!({ "features": { "imageTransformation": { "enabled": 1 } } }),
            json!({ "features": { "vectorBuckets": { "enabled": true } } }),
            json!({ "external": { "upstreamTarget": "other" } }),
        ]
    }),
    Rule::read(GetPoolerConfig::META, "database:read", |model, asked| {
        let found = &model.projects[asked.project()];
        let (pool, clients) = found.pool_limits();
        let pool = found.settings.pool_size.unwrap_or(pool);
        let mode = &found.settings.pool_mode;
        Ok(json!({ "pool_mode": mode, "default_pool_size": pool, "max_client_conn": clients }))
    }),
    Rule::control(SetPoolMode::META, |model, asked| {
        model.projects[asked.project()].settings.pool_mode = asked.text("pool_mode").to_owned();
        done()
    })
    .call(|dice, _, what| {
        what.with(json!({ "pool_mode": dice.pick(&["session", "statement", "transaction"]) }))
    })
    .bodies(|| vec![json!({}), json!({ "pool_mode": "query" }), json!({ "pool_mode": "session", "x": 1 })]),
    Rule::read(GetPostgresConfig::META, "database:read", |model, asked| {
        Ok(model.projects[asked.project()].settings.shown_postgres())
    }),
    Rule::write(UpdatePostgresConfig::META, "database:write", |model, asked| {
        set_postgres(model, asked, Map::new())
    })
    .call(postgres)
    .bodies(bad_postgres),
    Rule::write(PatchPostgresConfig::META, "database:write", |model, asked| {
        let before = model.projects[asked.project()].settings.postgres.clone();
        set_postgres(model, asked, before)
    })
    .call(postgres)
    .bodies(bad_postgres),
    Rule::write(GetRootKey::META, "secrets:read", |model, asked| {
        // The first key is random.
        let key = &model.projects[asked.project()].settings.root_key;
        Ok(given([("root_key", key.as_ref().map(|key| json!(key)))]))
    }),
    Rule::write(UpdateRootKey::META, "secrets:write", |model, asked| {
        model.projects[asked.project()].settings.root_key = Some(asked.text("root_key").to_owned());
        Ok(asked.what.body.clone())
    })
    .call(|dice, _, what| what.with(json!({ "root_key": dice.pick(&KEYS) })))
    .bodies(|| vec![json!({}), json!({ "root_key": "f".repeat(63) }), json!({ "root_key": "g".repeat(64) })]),
    Rule::control(WriteVaultValue::META, |model, asked| {
        let settings = &mut model.projects[asked.project()].settings;
        let sealed = (asked.text("value").to_owned(), settings.root_key.clone());
        settings.vault.insert(asked.what.part("name").to_owned(), sealed);
        done()
    })
    .call(|dice, _, what| what.at("name", dice.pick(&VAULT)).with(json!({ "value": dice.pick(&VALUES) })))
    .bodies(|| vec![json!({}), json!({ "value": 7 })]),
    Rule::control(ReadVaultValue::META, |model, asked| {
        let settings = &model.projects[asked.project()].settings;
        let (value, key) = settings.vault.get(asked.what.part("name")).ok_or(404_u16)?;
        if *key == settings.root_key { Ok(json!({ "value": value })) } else { Err(400) }
    })
    .call(|dice, _, what| what.at("name", dice.pick(&VAULT))),
    Rule::write(EnableWebhooks::META, "database:write", |model, asked| {
        model.projects[asked.project()].settings.webhooks_since.get_or_insert(model.now);
        done()
    }),
    Rule::control(GetWebhooks::META, |model, asked| {
        let since = model.projects[asked.project()].settings.webhooks_since;
        Ok(json!({ "enabled": since.is_some(), "enabled_at": since.map(|since| since.to_string()) }))
    }),
    Rule::read(GetSslEnforcement::META, "database:read", |model, asked| Ok(model.shown_ssl(asked.project()))),
    Rule::write(UpdateSslEnforcement::META, "database:write", |model, asked| {
        let project = asked.project();
        let wanted = asked.body("requestedConfig")["database"] == true;
        if model.projects[project].settings.ssl == wanted {
            return Ok(model.shown_ssl(project));
        }
        model.restart(project)?;
        model.projects[project].settings.ssl = wanted;
        Ok(model.shown_ssl(project))
    })
    .call(|dice, _, what| what.with(json!({ "requestedConfig": { "database": !dice.one_in(2) } })))
    .bodies(|| {
        vec![
            json!({}),
            json!({ "requestedConfig": {} }),
            json!({ "requestedConfig": { "database": "on" } }),
            json!({ "requestedConfig": true }),
        ]
    }),
    Rule::read(ListPoolers::META, "database:read", |model, asked| {
        let found = &model.projects[asked.project()];
        let Settings { pool_mode, pool_size, .. } = &found.settings;
        let replicas = model.replicas_up(asked.project());
        let own =
            json!({ "identifier": format!("{{project {}}}", asked.project()), "database_type": "PRIMARY" });
        let others = (0..replicas).map(|_| json!({ "database_type": "READ_REPLICA" }));
        let shared = json!({
            "pool_mode": pool_mode,
            "default_pool_size": pool_size,
            "max_client_conn": null,
        });
        Ok(std::iter::once(own).chain(others).map(|one| merged(one, shared.clone())).collect())
    }),
    Rule::write(UpdatePooler::META, "database:write", |model, asked| {
        let settings = &mut model.projects[asked.project()].settings;
        if let Some(mode) = asked.body("pool_mode").as_str() {
            settings.pool_mode = mode.to_owned();
        }
        if asked.what.body.get("default_pool_size").is_some() {
            settings.pool_size = asked.body("default_pool_size").as_u64();
        }
        Ok(json!({ "default_pool_size": settings.pool_size, "pool_mode": settings.pool_mode }))
    })
    .call(|dice, _, what| {
        let mode = dice.one_in(2).then(|| json!(dice.pick(&["session", "transaction"])));
        let size = dice.one_in(2).then(|| dice.pick(&[Some(0), Some(3000), None])).map(|size| json!(size));
        what.with(given([("pool_mode", mode), ("default_pool_size", size)]))
    })
    .bodies(|| {
        vec![
            json!({ "default_pool_size": -1 }),
            json!({ "default_pool_size": 3001 }),
            json!({ "pool_mode": "query" }),
            json!({ "pool_mode": null }),
        ]
    }),
    Rule::read(GetProjectConfig::META, "projects:read", config),
    Rule::write(RestartProject::META, "projects:write", |model, asked| {
        model.restart(asked.project())?;
        done()
    }),
];

/// All settings in one document.
fn config(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = asked.project();
    let found = &model.projects[number];
    let Settings { rest, ssl, pool_mode, pool_size, file_size_limit, .. } = &found.settings;
    let (size, clients) = found.pool_limits();
    let major: Option<u32> = found.engine().split('-').next().and_then(|text| text.parse().ok());
    let attributes = json!({
        "api": { "db_schema": rest["db_schema"], "max_rows": rest["max_rows"], "db_pool": rest["db_pool"] },
        "database": { "major_version": major, "ssl_enforced": ssl },
        "pooler": {
            "pool_mode": pool_mode,
            "default_pool_size": pool_size.unwrap_or(size),
            "max_client_conn": clients,
        },
        "storage": { "file_size_limit": file_size_limit.unwrap_or(50 << 20) },
    });
    let id = format!("{{project {number}}}");
    Ok(json!({ "data": { "id": id, "type": "project_config", "attributes": attributes } }))
}

/// Writes a sealed value, or reads it.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let ids = [WriteVaultValue::META.id, ReadVaultValue::META.id];
    let rules: Vec<_> = RULES.iter().filter(|rule| ids.contains(&rule.meta.id)).collect();
    Some(dice.pick(&rules).for_project(dice, model, 0))
}

impl Project {
    /// Connections in a pool, and the limit of clients.
    fn pool_limits(&self) -> (u64, u64) {
        match &*self.size {
            "small" => (15, 400),
            "medium" => (15, 600),
            "large" => (20, 800),
            "16xlarge" => (128, 12_000),
            _ => (15, 200),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) bytes: i64,
    /// Whether SQL has added pages, which the model does not count.
    pub(super) bytes_unknown: bool,
    told_read_only: bool,
    override_until: Option<Timestamp>,
    rest: Value,
    file_size_limit: Option<u64>,
    features: Map<String, Value>,
    pool_mode: String,
    pool_size: Option<u64>,
    postgres: Map<String, Value>,
    /// `None` for the initial one.
    root_key: Option<String>,
    /// Values and the keys that seal them.
    vault: BTreeMap<String, (String, Option<String>)>,
    webhooks_since: Option<Timestamp>,
    pub(super) branch_seed: String,
    pub(super) ssl: bool,
}

impl Settings {
    pub(super) fn new() -> Settings {
        let rest = json!({
            "db_schema": "public,graphql_public",
            "max_rows": 1000,
            "db_extra_search_path": "public, extensions",
            "db_pool": null,
        });
        Settings {
            bytes: 10_000_000,
            bytes_unknown: false,
            told_read_only: false,
            override_until: None,
            rest,
            file_size_limit: None,
            features: Map::new(),
            pool_mode: "transaction".to_owned(),
            pool_size: None,
            postgres: Map::new(),
            root_key: None,
            vault: BTreeMap::new(),
            webhooks_since: None,
            branch_seed: String::new(),
            ssl: false,
        }
    }

    /// The schemas that the REST layer offers.
    pub(super) fn offered_schemas(&self) -> Vec<String> {
        self.rest["db_schema"]
            .as_str()
            .unwrap_or_default()
            .split(',')
            .map(|one| one.trim().to_owned())
            .collect()
    }

    /// Settings that were set; `null` for the others.
    fn shown_postgres(&self) -> Value {
        let none = json!({
            "max_connections": null, "work_mem": null, "session_replication_role": null, "log_connections": null,
        });
        merged(none, self.postgres.clone().into())
    }
}

fn create_secrets(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let mut all = model.projects[asked.project()].secrets.clone();
    for secret in asked.what.body.as_array().into_iter().flatten() {
        let text = |field: &str| secret[field].as_str().unwrap_or_default().to_owned();
        all.insert(text("name"), (text("value"), model.now));
    }
    if all.len() > SECRETS {
        return Err(400);
    }
    model.projects[asked.project()].secrets = all;
    done()
}

fn connect(model: &mut Model, asked: &Asked<'_>) -> Answer {
    if asked.text("action") == "close" {
        return Err(404);
    }
    if !model.projects[asked.project()].answers("db") {
        return Err(544);
    }
    if asked.text("user") == "nobody" { Err(404) } else { done() }
}

fn write(model: &mut Model, asked: &Asked<'_>) -> Answer {
    if !model.projects[asked.project()].answers("db") {
        return Err(544);
    }
    if !model.takes_writes(asked.project()) {
        return Err(400);
    }
    let settings = &mut model.projects[asked.project()].settings;
    settings.bytes = (settings.bytes + asked.body("bytes").as_i64().unwrap_or_default()).max(0);
    Ok(given([("database_bytes", (!settings.bytes_unknown).then(|| json!(settings.bytes)))]))
}

fn postgres(dice: &mut Dice, _: &Model, what: What) -> What {
    let memory = dice.one_in(2).then(|| json!(dice.pick(&["64MB", "1.5GB", "-1"])));
    let role = dice.one_in(3).then(|| json!(dice.pick(&["origin", "replica", "local"])));
    let logged = dice.one_in(3).then(|| json!(dice.one_in(2)));
    let restart = dice.one_in(3).then(|| json!(!dice.one_in(3)));
    what.with(given([
        ("max_connections", Some(json!(dice.pick(&[100, 1, 262_143]))).filter(|_| !dice.one_in(4))),
        ("work_mem", memory),
        ("session_replication_role", role),
        ("log_connections", logged),
        ("restart_database", restart),
    ]))
}

fn bad_postgres() -> Vec<Value> {
    vec![
        json!({ "max_connections": 0 }),
        json!({ "max_connections": "100" }),
        json!({ "work_mem": "64mb" }),
        json!({ "statement_timeout": "soon" }),
        json!({ "session_replication_role": "primary" }),
        json!({ "pg_stat_statements.max": 99 }),
        json!({ "restart_database": "yes" }),
    ]
}

/// The settings of a call on top of those from `before`.
fn set_postgres(model: &mut Model, asked: &Asked<'_>, before: Map<String, Value>) -> Answer {
    if asked.body("restart_database") == true {
        model.restart(asked.project())?;
    }
    let mut config = before;
    config.extend(asked.what.body.as_object().cloned().unwrap_or_default());
    config.remove("restart_database");
    let settings = &mut model.projects[asked.project()].settings;
    settings.postgres = config;
    Ok(settings.shown_postgres())
}

impl Model {
    /// Whether the project's database accepts writes, if it responds.
    pub(super) fn takes_writes(&self, project: usize) -> bool {
        let until = self.projects[project].settings.override_until;
        !self.is_read_only(project) || until.is_some_and(|until| self.now < until)
    }

    fn is_read_only(&self, project: usize) -> bool {
        let found = &self.projects[project];
        let disk = found.disk.bytes().cast_signed();
        let limit = if self.is_free(project) { 500_000_000 } else { disk / 100 * 95 };
        let settings = &found.settings;
        settings.told_read_only || settings.bytes > limit
    }

    fn shown_ssl(&self, project: usize) -> Value {
        let ssl = self.projects[project].settings.ssl;
        json!({ "currentConfig": { "database": ssl }, "appliedSuccessfully": true })
    }

    fn restart(&mut self, project: usize) -> Result<(), u16> {
        if !self.projects[project].is_active() {
            return Err(400);
        }
        self.set_off(project, "RESTARTING", 10, "ACTIVE_HEALTHY");
        Ok(())
    }
}
