//! A project's add-ons, its disk, the service that sends its changes, and its restore points.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::billing::{ApplyAddon, ListBillingAddons, RemoveAddon};
use sim_core::management::disk::{GetDisk, GetDiskAutoscale, GetDiskUse, UpdateDisk};
use sim_core::management::realtime::{GetRealtimeConfig, ShutDownRealtime, UpdateRealtimeConfig};
use sim_core::management::restore_point::{CreateRestorePoint, GetRestorePoint, UndoToRestorePoint};
use sim_core::{Operation as _, Timestamp};

use super::projects::{Project, rank};
use super::query::{Migrations, Notes};
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::services::{ADDONS, begin_resize};
use super::time::{Event, later};
use super::{Model, merged, rule_of};
use crate::strategies::Text;

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[(CreateRestorePoint::META.id, |what| what)],
    next: |dice, model| {
        let pays = model.projects.iter().position(|one| one.is_live() && !selected(one).is_empty());
        if let Some(pays) = pays.filter(|_| dice.one_in(6)) {
            return Some(rule_of::<RemoveAddon>().for_project(dice, model, pays));
        }
        let rule = dice.pick(&[
            rule_of::<ApplyAddon>(),
            rule_of::<RemoveAddon>(),
            rule_of::<UpdateDisk>(),
            rule_of::<UpdateRealtimeConfig>(),
            rule_of::<CreateRestorePoint>(),
            rule_of::<UndoToRestorePoint>(),
            rule_of::<UndoToRestorePoint>(),
        ]);
        Some(rule.for_project(dice, model, 0))
    },
    works: &["pitr_restore"],
};

/// Kinds of add-ons and their variants.
const VARIANTS: [(Text, Text); 7] = [
    ("compute_instance", "ci_small"),
    ("pitr", "pitr_7"),
    ("pitr", "pitr_14"),
    ("custom_domain", "cd_default"),
    ("ipv4", "ipv4_default"),
    ("compute_instance", "ci_micro"),
    ("compute_instance", "ci_large"),
];
/// Kind, gigabytes, IOPS, MiB/s.
const DISKS: [(Text, u64, u64, Option<u64>); 5] = [
    ("gp3", 8, 3000, Some(125)),
    ("gp3", 100, 4000, Some(250)),
    ("io2", 50, 10_000, None),
    ("gp3", 9, 4500, None),
    ("gp3", 1, 3000, None),
];
const POINTS: [Text; 2] = ["before", "after"];
const GIGABYTE: u64 = 1_024_000_000;

const RULES: &[Rule] = &[
    Rule::read(ListBillingAddons::META, "", |model, asked| {
        let all = selected(&model.projects[asked.project()]).into_iter();
        let shown: Vec<_> = all.map(|id| json!({ "variant": { "id": id } })).collect();
        Ok(json!({ "selected_addons": shown, "available_addons": [{}, {}, {}, {}, {}, {}, {}, {}] }))
    }),
    Rule::write(ApplyAddon::META, "", apply)
        .call(|dice, _, what| {
            let (kind, variant) = dice.pick(&VARIANTS);
            what.with(json!({ "addon_type": kind, "addon_variant": variant }))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "addon_type": "pitr" }),
                json!({ "addon_type": "pitr", "addon_variant": "ci_small" }),
                json!({ "addon_type": "sauna", "addon_variant": "ci_small" }),
                json!({ "addon_type": "pitr", "addon_variant": "pitr_1" }),
            ]
        }),
    Rule::write(RemoveAddon::META, "", remove).call(|dice, model, what| {
        let project = model.projects.get(super::rule::number(what.part("ref")));
        let has: Vec<_> = project.into_iter().flat_map(selected).collect();
        let variant = match has.is_empty() || dice.one_in(4) {
            true => dice.pick(&VARIANTS).1.to_owned(),
            false => has[dice.below(has.len())].clone(),
        };
        what.at("addon_variant", variant)
    }),
    Rule::read(GetDisk::META, "", |model, asked| {
        let found = &model.projects[asked.project()].disk;
        let (r#type, size, iops, throughput) = &found.attributes;
        let attributes =
            json!({ "type": r#type, "size_gb": size, "iops": iops, "throughput_mibps": throughput });
        let changed = found.changed.map(|at| at.to_string());
        Ok(json!({ "attributes": attributes, "last_modified_at": changed }))
    }),
    Rule::write(UpdateDisk::META, "", update_disk)
        .call(|dice, _, what| {
            let (r#type, size, iops, throughput) = dice.pick(&DISKS);
            what.with(json!({ "attributes": given([
                ("type", Some(json!(r#type))),
                ("size_gb", Some(json!(size))),
                ("iops", Some(json!(iops))),
                ("throughput_mibps", throughput.map(|one| json!(one))),
            ]) }))
        })
        .bodies(|| {
            let with = |r#type: &str, size: i64, iops: i64, throughput: Value| {
                let attributes = json!({ "type": r#type, "size_gb": size, "iops": iops });
                json!({ "attributes": merged(attributes, json!({ "throughput_mibps": throughput })) })
            };
            vec![
                json!({}),
                json!({ "attributes": {} }),
                with("tape", 8, 3000, json!(125)),
                with("gp3", 0, 3000, json!(125)),
                with("gp3", 16_385, 3000, json!(125)),
                with("gp3", 8, 2999, json!(125)),
                with("gp3", 8, 4001, json!(125)),
                with("gp3", 8, 3000, json!(124)),
                with("gp3", 8, 3000, json!(751)),
                with("io2", 8, 99, json!(125)),
                with("io2", 8, 8001, json!(125)),
            ]
        }),
    Rule::read(GetDiskUse::META, "", |model, asked| {
        let found = &model.projects[asked.project()];
        if !found.is_active() {
            return Err(400);
        }
        let used = found.settings.bytes.unsigned_abs();
        let size = json!(found.disk.bytes().max(used));
        let metrics = match found.settings.bytes_unknown {
            true => json!({}),
            false => json!({ "fs_used_bytes": used, "fs_size_bytes": size }),
        };
        Ok(json!({ "timestamp": model.now.to_string(), "metrics": metrics }))
    }),
    Rule::read(GetDiskAutoscale::META, "", |_, _| Ok(json!({ "growth_percent": null, "max_size_gb": null }))),
    Rule::write(UpdateRealtimeConfig::META, "", |model, asked| {
        let realtime = &mut model.projects[asked.project()].realtime;
        realtime.config = merged(realtime.config.take(), asked.what.body.clone());
        Ok(json!([]))
    })
    .call(|dice, _, what| {
        let suspend = dice.one_in(2).then(|| json!(dice.one_in(2)));
        let users = dice.one_in(2).then(|| json!(dice.pick(&[1, 300_000])));
        what.with(given([("suspend", suspend), ("max_concurrent_users", users)]))
    })
    .bodies(|| {
        vec![
            json!({ "max_concurrent_users": 0 }),
            json!({ "max_concurrent_users": 300_001 }),
            json!({ "connection_pool": 101 }),
            json!({ "suspend": null }),
            json!({ "surprise": 1 }),
        ]
    }),
    Rule::read(GetRealtimeConfig::META, "", |model, asked| {
        Ok(model.projects[asked.project()].realtime.config.clone())
    }),
    Rule::write(ShutDownRealtime::META, "", |model, asked| {
        let until = later(model.now, Duration::from_secs(10));
        let found = &mut model.projects[asked.project()];
        if !found.is_active() {
            return Err(400);
        }
        found.realtime.down_until = Some(until);
        Ok(json!([]))
    }),
    Rule::write(CreateRestorePoint::META, "database:write", create_point)
        .call(|dice, _, what| what.with(json!({ "name": dice.pick(&POINTS) })))
        .bodies(|| vec![json!({}), json!({ "name": "" }), json!({ "name": "x".repeat(21) })]),
    Rule::read(GetRestorePoint::META, "database:read", |model, asked| {
        let number = model.restore_point(asked.project(), asked.what.asked("name"))?;
        Ok(model.points[number].shown())
    })
    .call(|dice, _, what| match dice.one_in(2) {
        true => what.asking("name", dice.pick(&POINTS)),
        false => what,
    })
    .queries(&["name=", "name=123456789012345678901"]),
    Rule::write(UndoToRestorePoint::META, "database:write", |model, asked| {
        let number = model.restore_point(asked.project(), Some(asked.text("name")))?;
        if model.points[number].status != "AVAILABLE" {
            return Err(400);
        }
        model.begin_undo(asked.project(), number)?;
        done()
    })
    .call(|dice, _, what| what.with(json!({ "name": dice.pick(&POINTS) })))
    .bodies(|| vec![json!({}), json!({ "name": 1 })]),
];

/// What the project has bought.
fn selected(project: &Project) -> Vec<String> {
    let size = (rank(&project.size) > rank("nano")).then(|| format!("ci_{}", project.size));
    let others = ADDONS.iter().filter(|one| project.addons.contains(**one)).map(|one| variant_of(one));
    size.into_iter().chain(others).collect()
}

/// The add-on variant of that name.
fn variant_of(addon: &str) -> String {
    match addon {
        "custom_domain" => "cd_default".to_owned(),
        "ipv4" => "ipv4_default".to_owned(),
        other => other.to_owned(),
    }
}

fn apply(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (project, variant) = (asked.project(), asked.text("addon_variant"));
    if let Some(size) = variant.strip_prefix("ci_") {
        return begin_sale(model, project, size);
    }
    if model.is_free(project) {
        return Err(402);
    }
    let found = &mut model.projects[project];
    if variant.starts_with("pitr") {
        if rank(&found.size) < rank("small") {
            return Err(400);
        }
        found.addons.retain(|addon| !addon.starts_with("pitr"));
    }
    let addon = ADDONS.iter().find(|addon| variant_of(addon) == variant);
    found.addons.insert((*addon.expect("variants are of add-ons")).to_owned());
    done()
}

/// Another machine, which point in time recovery may forbid.
fn begin_sale(model: &mut Model, project: usize, size: &str) -> Answer {
    let found = &model.projects[project];
    let has_pitr = found.addons.iter().any(|addon| addon.starts_with("pitr"));
    let has_replicas = model.replicas_of(project).next().is_some();
    if (has_pitr || has_replicas) && rank(size) < rank("small") && rank(size) < rank(&found.size) {
        return Err(400);
    }
    begin_resize(model, project, size)
}

fn remove(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (project, variant) = (asked.project(), asked.what.part("addon_variant"));
    if let Some(size) = variant.strip_prefix("ci_") {
        return match model.projects[project].size == size {
            true => begin_sale(model, project, "micro"),
            false => Err(404),
        };
    }
    let addons = &mut model.projects[project].addons;
    let before = addons.len();
    addons.retain(|addon| variant_of(addon) != variant);
    if addons.len() == before {
        return Err(404);
    }
    if !addons.contains("custom_domain") {
        model.end_hostname(project);
    }
    done()
}

/// A project's disk.
#[derive(Clone, Debug)]
pub(super) struct Disk {
    attributes: (String, u64, u64, Option<u64>),
    changed: Option<Timestamp>,
    changes: Vec<Timestamp>,
}

impl Default for Disk {
    fn default() -> Disk {
        Disk { attributes: ("gp3".to_owned(), 8, 3000, Some(125)), changed: None, changes: Vec::new() }
    }
}

impl Disk {
    pub(super) fn bytes(&self) -> u64 {
        self.attributes.1 * GIGABYTE
    }

    pub(super) fn resize(&mut self, size_gb: u64, now: Timestamp) {
        self.attributes.1 = size_gb;
        self.changed = Some(now);
    }
}

fn update_disk(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (now, project) = (model.now, asked.project());
    if model.is_free(project) {
        return Err(402);
    }
    let found = &mut model.projects[project];
    let attributes = asked.body("attributes");
    let number = |name: &str| attributes[name].as_u64();
    let size = number("size_gb").unwrap_or_default();
    let recent =
        found.disk.changes.iter().filter(|at| later(**at, Duration::from_secs(86_400)) > now).count();
    if !found.is_active() || size < found.disk.attributes.1 || recent >= 4 {
        return Err(400);
    }
    let r#type = attributes["type"].as_str().unwrap_or_default().to_owned();
    let throughput = (r#type == "gp3").then(|| number("throughput_mibps").unwrap_or(125));
    found.disk.attributes = (r#type, size, number("iops").unwrap_or_default(), throughput);
    found.disk.changed = Some(now);
    found.disk.changes.push(now);
    done()
}

/// The service that sends changes to clients.
#[derive(Clone, Debug)]
pub(super) struct Realtime {
    config: Value,
    down_until: Option<Timestamp>,
}

impl Default for Realtime {
    fn default() -> Realtime {
        Realtime { config: json!({ "suspend": null, "max_concurrent_users": null }), down_until: None }
    }
}

impl Realtime {
    /// Its state for an active project.
    pub(super) fn health(&self, now: Timestamp) -> Text {
        match self.down_until {
            _ if self.config["suspend"] == true => "UNHEALTHY",
            Some(until) if now < until => "COMING_UP",
            _ => "ACTIVE_HEALTHY",
        }
    }
}

/// A moment that a project can go back to.
#[derive(Clone, Debug)]
pub(super) struct Point {
    project: usize,
    name: String,
    status: Text,
    completed: Option<Timestamp>,
    notes: Notes,
    migrations: Migrations,
}

impl Point {
    fn shown(&self) -> Value {
        let completed = self.completed.map(|at| at.to_string());
        json!({ "name": self.name, "status": self.status, "completed_on": completed })
    }
}

fn create_point(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (project, name) = (asked.project(), asked.text("name").to_owned());
    let Project { notes, migrations, .. } = &model.projects[project];
    if !model.projects[project].is_active() || model.restore_point(project, Some(&name)).is_ok() {
        return Err(400);
    }
    let (notes, migrations) = (notes.clone(), migrations.clone());
    model.points.push(Point { project, name, status: "PENDING", completed: None, notes, migrations });
    let point = model.points.len() - 1;
    model.after(Duration::from_secs(30), Event::Point { point });
    Ok(model.points[point].shown())
}

impl Model {
    /// The restore point of that name, or the newest.
    fn restore_point(&self, project: usize, name: Option<&str>) -> Result<usize, u16> {
        let is_meant = |point: &Point| point.project == project && name.is_none_or(|name| point.name == name);
        self.points.iter().rposition(is_meant).ok_or(404)
    }

    /// A restore point is completed.
    pub(super) fn finish_point(&mut self, point: usize) {
        let (now, found) = (self.now, &mut self.points[point]);
        if found.status != "PENDING" || self.projects[found.project].is_gone() {
            return;
        }
        let is_active = self.projects[found.project].is_active();
        found.status = if is_active { "AVAILABLE" } else { "FAILED" };
        found.completed = is_active.then_some(now);
    }

    /// Resets the project to that restore point; later points are removed.
    pub(super) fn go_back_to_point(&mut self, number: usize) {
        let Point { project, notes, migrations, .. } = self.points[number].clone();
        let found = &mut self.projects[project];
        found.notes.become_like(self.now, &notes);
        found.migrations.become_like(self.now, &migrations);
        let later = self.points.iter_mut().skip(number + 1).filter(|point| point.project == project);
        for point in later.filter(|point| ["PENDING", "AVAILABLE"].contains(&point.status)) {
            point.status = "REMOVED";
        }
    }
}
