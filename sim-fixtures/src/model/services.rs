//! What a project runs on, what runs for it, and how that is.

use serde_json::json;
use sim_core::Operation as _;
use sim_core::management::addon::{ListAddons, SetAddon};
use sim_core::management::api_key::ListApiKeys;
use sim_core::management::health::{GetHealth, SetServiceHealth};
use sim_core::management::resize::{GetInstanceSize, ResizeProject};

use super::Model;
use super::projects::rank;
use super::rule::{Answer, Asked, Group, Rule, done};
use crate::strategies::Text;

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next: |_, _| None, works: &[] };

const ADDONS: [Text; 4] = ["custom_domain", "pitr_7", "pitr_14", "pitr_28"];
const SERVICES: [Text; 6] = ["db", "auth", "pooler", "realtime", "rest", "storage"];

const RULES: &[Rule] = &[
    Rule::control(SetAddon::META, |model, asked| {
        let (addons, addon) = (&mut model.projects[asked.project()].addons, asked.what.part("addon"));
        if asked.body("enabled") == true {
            addons.insert(addon.to_owned());
        } else {
            addons.remove(addon);
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
        Ok(types.into_iter().map(|kind| json!({ "type": kind })).collect())
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
];

fn health(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let late = asked
        .what
        .asked("timeout_ms")
        .is_some_and(|limit| limit.parse::<u32>().is_ok_and(|limit| limit < 50));
    let found = &model.projects[asked.project()];
    let shown = asked.what.asked("services").unwrap_or_default().split(',').map(|service| {
        let status = match found.status {
            _ if late => "UNHEALTHY",
            "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" if !found.broken.contains(service) => "ACTIVE_HEALTHY",
            "COMING_UP" | "RESTORING" | "UPGRADING" | "RESTARTING" | "RESIZING" => "COMING_UP",
            _ => "UNHEALTHY",
        };
        json!({ "name": service, "healthy": status == "ACTIVE_HEALTHY", "status": status })
    });
    Ok(shown.collect())
}

fn resize(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (project, size) = (asked.project(), asked.text("instance_size"));
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
