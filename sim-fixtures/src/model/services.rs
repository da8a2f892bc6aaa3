//! A project's machine, its services and their health.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::addon::{ListAddons, SetAddon};
use sim_core::management::api_key::ListApiKeys;
use sim_core::management::api_key_change::{
    CreateApiKey, DeleteApiKey, GetApiKey, GetLegacyKeys, SwitchLegacyKeys, UpdateApiKey,
};
use sim_core::management::health::{GetHealth, SetServiceHealth};
use sim_core::management::resize::{GetInstanceSize, ResizeProject};

use super::projects::rank;
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::{Model, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

pub(super) const ADDONS: [Text; 5] = ["custom_domain", "pitr_7", "pitr_14", "pitr_28", "ipv4"];
const KEYS: [Text; 4] = ["web_app", "server_one", "default", "_ab1"];
const SERVICES: [Text; 8] =
    ["db", "db_postgres_user", "auth", "pg_bouncer", "pooler", "realtime", "rest", "storage"];

const RULES: &[Rule] = &[
    Rule::control(SetAddon::META, |model, asked| {
        let (addons, addon) = (&mut model.projects[asked.project()].addons, asked.what.part("addon"));
        if asked.body("enabled") == true {
            addons.insert(addon.to_owned());
        } else {
            addons.remove(addon);
            if addon == "custom_domain" {
                model.end_hostname(asked.project());
            }
        }
        done()
    })
    .call(|dice, _, what| what.at("addon", dice.pick(&ADDONS)).with(json!({ "enabled": !dice.one_in(3) })))
    .bodies(|| vec![json!({}), json!({ "enabled": "yes" })]),
    Rule::control(ListAddons::META, |model, asked| {
        let has = &model.projects[asked.project()].addons;
        Ok(ADDONS.into_iter().filter(|one| has.contains(*one)).collect())
    }),
    Rule::read(GetHealth::META, "projects:read", health)
        .call(|dice, _, what| {
            let mut services = dice.some(&SERVICES, 3);
            services.push(dice.pick(&SERVICES));
            let what = what.asking("services", services.join(","));
            match dice.one_in(2) {
                true => what.asking("timeout_ms", dice.pick(&["0", "49", "50", "51", "10000"])),
                false => what,
            }
        })
        .queries(&[
            "",
            "services=",
            "services=cron",
            "services=auth,cron",
            "services=auth&timeout_ms=10001",
            "services=auth&timeout_ms=-1",
            "services=auth&timeout_ms=soon",
            "services=auth&timeout_ms=1.5",
        ]),
    Rule::control(SetServiceHealth::META, |model, asked| {
        let found = &mut model.projects[asked.project()];
        if !found.is_active() {
            return Err(400);
        }
        found.rising.remove(asked.what.part("service"));
        if asked.body("healthy") == true {
            found.broken.remove(asked.what.part("service"));
        } else {
            found.broken.insert(asked.what.part("service").to_owned());
        }
        found.status = if found.broken.is_empty() { "ACTIVE_HEALTHY" } else { "ACTIVE_UNHEALTHY" };
        done()
    })
    .call(|dice, _, what| what.at("service", dice.pick(&SERVICES)).with(json!({ "healthy": dice.one_in(2) })))
    .bodies(|| vec![json!({}), json!({ "healthy": "yes" }), json!({ "healthy": null })]),
    Rule::read(ListApiKeys::META, "secrets:read", |model, asked| {
        if asked.what.asked("reveal") == Some("true") {
            model.live_project(asked.user, asked.project(), "Administrator")?;
        }
        let types = ["legacy", "legacy", "publishable", "secret"];
        let first = types.into_iter().map(|kind| json!({ "type": kind }));
        let more = model.keys.iter().enumerate().filter(|(_, key)| key.is_of(asked.project()));
        Ok(first.chain(more.map(|(number, key)| key.shown(number))).collect())
    })
    .call(|dice, _, what| match dice.one_in(2) {
        true => what.asking("reveal", dice.pick(&["true", "false"])),
        false => what,
    })
    .queries(&["reveal=perhaps", "reveal=", "reveal=1"]),
    Rule::control(ResizeProject::META, resize)
        .call(|dice, _, what| {
            what.with(json!({ "instance_size": dice.pick(&["small", "nano", "micro", "large", "16xlarge"]) }))
        })
        .bodies(|| vec![json!({}), json!({ "instance_size": "huge" }), json!({ "instance_size": 2 })]),
    Rule::control(GetInstanceSize::META, |model, asked| {
        Ok(json!({ "instance_size": model.projects[asked.project()].size }))
    }),
    Rule::read(GetLegacyKeys::META, "secrets:read", |model, asked| {
        Ok(json!({ "enabled": !model.projects[asked.project()].legacy_keys_off }))
    }),
    Rule::write(SwitchLegacyKeys::META, "secrets:write", |model, asked| {
        let enabled = asked.what.asked("enabled") == Some("true");
        if enabled && model.is_legacy_key_revoked(asked.project()) {
            return Err(400);
        }
        model.projects[asked.project()].legacy_keys_off = !enabled;
        Ok(json!({ "enabled": enabled }))
    })
    .call(|dice, _, what| what.asking("enabled", dice.pick(&["false", "true"])))
    .queries(&["", "enabled=1", "enabled="]),
    Rule::write(CreateApiKey::META, "secrets:write", create_key)
        .call(|dice, _, what| {
            let kind = dice.pick(&["secret", "publishable"]);
            let template = dice.one_in(3).then(|| json!({ "role": dice.pick(&["service_role", "anon"]) }));
            let description = dice.one_in(2).then(|| json!("for tests"));
            let what = what.with(given([
                ("type", Some(json!(kind))),
                ("name", Some(json!(dice.pick(&KEYS)))),
                ("description", description),
                ("secret_jwt_template", template),
            ]));
            if dice.one_in(3) { what.asking("reveal", "true") } else { what }
        })
        .bodies(|| {
            let with = |field: &str, value: Value| {
                let mut body = json!({ "type": "secret", "name": "web_app" });
                body[field] = value;
                body
            };
            vec![
                json!({}),
                json!({ "type": "secret" }),
                with("type", json!("legacy")),
                with("name", json!("abc")),
                with("name", json!("Web")),
                with("name", json!("x".repeat(65))),
                with("secret_jwt_template", json!("anon")),
            ]
        })
        .makes(&[("key", "/id")]),
    Rule::read(GetApiKey::META, "secrets:read", |model, asked| {
        if asked.what.asked("reveal") == Some("true") {
            model.live_project(asked.user, asked.project(), "Administrator")?;
        }
        let number = model.key(asked)?;
        Ok(model.keys[number].shown(number))
    })
    .call(|dice, model, what| {
        let what = some_key(dice, model, what);
        if dice.one_in(3) { what.asking("reveal", "true") } else { what }
    }),
    Rule::write(UpdateApiKey::META, "secrets:write", update_key)
        .call(|dice, model, what| {
            let name = dice.one_in(2).then(|| json!(dice.pick(&KEYS)));
            let description = dice.one_in(2).then(|| json!("changed"));
            let template = dice.one_in(3).then(|| json!({ "role": "anon" }));
            some_key(dice, model, what).with(given([
                ("name", name),
                ("description", description),
                ("secret_jwt_template", template),
            ]))
        })
        .bodies(|| vec![json!({ "name": "abc" }), json!({ "name": 7 }), json!({ "description": 7 })]),
    Rule::write(DeleteApiKey::META, "secrets:write", |model, asked| {
        let number = model.key(asked)?;
        let shown = model.keys[number].shown(number);
        model.keys[number].is_deleted = true;
        Ok(shown)
    })
    .call(some_key),
];

/// A call that is valid for an existing key; without a key, one that makes a key.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let there: Vec<_> = (0..model.keys.len()).filter(|key| !model.keys[*key].is_deleted).collect();
    if there.is_empty() || dice.one_in(3) {
        return Some(rule_of::<CreateApiKey>().for_project(dice, model, 0));
    }
    let key = dice.pick(&there);
    let rule = dice.pick(&[
        rule_of::<GetApiKey>(),
        rule_of::<UpdateApiKey>(),
        rule_of::<UpdateApiKey>(),
        rule_of::<DeleteApiKey>(),
    ]);
    Some(rule.for_project(dice, model, model.keys[key].project).at("id", format!("{{key {key}}}")))
}

/// One of the existing keys.
fn some_key(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("id", format!("{{key {}}}", dice.below(model.keys.len() + 1)))
}

/// An API key.
#[derive(Clone, Debug)]
pub(super) struct ApiKey {
    project: usize,
    kind: String,
    name: String,
    description: Option<String>,
    role: Option<String>,
    is_deleted: bool,
}

impl ApiKey {
    fn is_of(&self, project: usize) -> bool {
        self.project == project && !self.is_deleted
    }

    fn shown(&self, number: usize) -> Value {
        json!({
            "id": format!("{{key {number}}}"),
            "type": self.kind,
            "name": self.name,
            "description": self.description,
            "secret_jwt_template": self.role.as_ref().map(|role| json!({ "role": role })),
        })
    }
}

fn create_key(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let key = ApiKey {
        project: asked.project(),
        kind: asked.text("type").to_owned(),
        name: asked.text("name").to_owned(),
        description: asked.body("description").as_str().map(str::to_owned),
        role: (asked.text("type") == "secret").then(|| "service_role".to_owned()),
        is_deleted: false,
    };
    let key = with_role(key, asked)?;
    model.require_free_key(&key, None)?;
    model.keys.push(key);
    let number = model.keys.len() - 1;
    Ok(model.keys[number].shown(number))
}

fn update_key(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = model.key(asked)?;
    let mut key = with_role(model.keys[number].clone(), asked)?;
    key.name = asked.body("name").as_str().map_or(key.name, str::to_owned);
    key.description = asked.body("description").as_str().map(str::to_owned).or(key.description);
    model.require_free_key(&key, Some(number))?;
    model.keys[number] = key;
    Ok(model.keys[number].shown(number))
}

/// With the role that the call sets: a publishable key has none.
fn with_role(key: ApiKey, asked: &Asked<'_>) -> Result<ApiKey, u16> {
    match asked.body("secret_jwt_template")["role"].as_str() {
        Some(_) if key.kind != "secret" => Err(400),
        Some(role) => Ok(ApiKey { role: Some(role.to_owned()), ..key }),
        None => Ok(key),
    }
}

impl Model {
    fn key(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        let number = asked.number("id");
        self.keys.get(number).filter(|key| key.is_of(asked.project())).map(|_| number).ok_or(404)
    }

    /// Every project has two keys named `default`, which can't be deleted.
    fn require_free_key(&self, key: &ApiKey, but: Option<usize>) -> Result<(), u16> {
        let mut others = self.keys.iter().enumerate().filter(|(number, _)| Some(*number) != but);
        let is_taken =
            others.any(|(_, one)| one.is_of(key.project) && (&one.kind, &one.name) == (&key.kind, &key.name));
        if is_taken || key.name == "default" { Err(400) } else { Ok(()) }
    }
}

fn health(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let late = asked
        .what
        .asked("timeout_ms")
        .is_some_and(|limit| limit.parse::<u32>().is_ok_and(|limit| limit < 50));
    let (now, found) = (model.now, &model.projects[asked.project()]);
    let shown = asked.what.asked("services").unwrap_or_default().split(',').map(|service| {
        let status = match found.status {
            _ if late => "UNHEALTHY",
            "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" if found.broken.contains(service) => "UNHEALTHY",
            "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" if found.rising.contains_key(service) => "COMING_UP",
            "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" if service == "realtime" => found.realtime.health(now),
            "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" => "ACTIVE_HEALTHY",
            "UNKNOWN" | "COMING_UP" | "RESTORING" | "UPGRADING" | "RESTARTING" | "RESIZING" => "COMING_UP",
            _ => "UNHEALTHY",
        };
        json!({ "name": service, "healthy": status == "ACTIVE_HEALTHY", "status": status })
    });
    Ok(shown.collect())
}

fn resize(model: &mut Model, asked: &Asked<'_>) -> Answer {
    begin_resize(model, asked.project(), asked.text("instance_size"))
}

pub(super) fn begin_resize(model: &mut Model, project: usize, size: &str) -> Answer {
    if model.is_free(project) && rank(size) > rank("nano") {
        return Err(402);
    }
    let found = &model.projects[project];
    if found.size == size || !found.is_active() {
        return Err(400);
    }
    model.set_off_with(project, "RESIZING", 60, "ACTIVE_HEALTHY", None, Some(size.to_owned()));
    done()
}
