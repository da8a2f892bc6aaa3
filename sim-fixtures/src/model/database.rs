//! Read replicas and backups.

mod backups;

use std::time::Duration;

use serde_json::json;
use sim_core::management::backup::{ListBackups, RestorePhysicalBackup, RestorePitr, SetBackup};
use sim_core::management::backup_schedule::{GetBackupSchedule, UpdateBackupSchedule};
use sim_core::management::organization::SetPlan;
use sim_core::management::replica::{ListReplicas, QueryReplica, RemoveReplica, SetUpReplica};
use sim_core::{Operation as _, Timestamp};

use self::backups::{restore, restore_physical, set_backup, set_schedule};
use super::projects::rank;
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::time::later;
use super::{Model, rule_of, rule_with};
use crate::strategies::{Dice, Text, What};

pub(super) use self::backups::{Backups, Schedule, list_backups, midnight};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[
        ("sim-resize-project", |what| what.with(json!({ "instance_size": "small" }))),
        ("sim-set-addon", |what| what.at("addon", "pitr_7")),
    ],
    next,
    works: &["replica", "pitr_restore"],
};

const REGIONS: [Text; 3] = ["us-east-1", "eu-west-1", "ap-south-1"];
const STATUSES: [Text; 6] = ["FAILED", "COMPLETED", "PENDING", "REMOVED", "ARCHIVED", "CANCELLED"];
const TIMES: [Text; 4] = ["00:00:00", "00:10:00", "12:00:30", "23:59:59"];
const QUERIES: [Text; 2] = ["select 1 as one", "create table written (id int)"];
const REPLICA: Duration = Duration::from_secs(120);

const RULES: &[Rule] = &[
    Rule::write(SetUpReplica::META, "", set_up)
        .call(|dice, _, what| what.with(json!({ "read_replica_region": dice.pick(&REGIONS) })))
        .bodies(|| {
            vec![json!({}), json!({ "read_replica_region": "moon-1" }), json!({ "read_replica_region": 1 })]
        }),
    Rule::write(RemoveReplica::META, "", remove)
        .call(|dice, model, what| {
            let meant = some_replica(dice, model, &what);
            what.with(json!({ "database_identifier": meant }))
        })
        .bodies(|| vec![json!({}), json!({ "database_identifier": 1 })]),
    Rule::control(QueryReplica::META, query)
        .call(|dice, model, what| {
            let meant = some_replica(dice, model, &what);
            what.with(json!({ "database_identifier": meant, "query": dice.pick(&QUERIES) }))
        })
        .bodies(|| vec![json!({}), json!({ "database_identifier": "x", "query": "" })]),
    Rule::control(ListReplicas::META, |model, asked| {
        let (now, mut seen) = (model.now, model.replicas.iter().filter(|one| one.seen_as.is_some()).count());
        let mut shown = Vec::new();
        for replica in model.replicas.iter_mut().filter(|one| one.project == asked.project()) {
            let Some(status) = replica.status(now) else { continue };
            let number = *replica.seen_as.get_or_insert_with(|| {
                seen += 1;
                seen - 1
            });
            let id = format!("{{replica {number}}}");
            shown.push(json!({ "database_identifier": id, "region": replica.region, "status": status }));
        }
        Ok(shown.into())
    })
    .makes(&[("replica", "/*/database_identifier")]),
    Rule::read(ListBackups::META, "database:read", list_backups),
    Rule::write(RestorePitr::META, "database:write", restore)
        .call(|dice, model, what| {
            let project = model.projects.get(super::rule::number(what.part("ref")));
            let (earliest, latest) = project.and_then(|project| project.window(model.now)).unwrap_or((0, 0));
            let target = dice.pick(&[latest, earliest, earliest - 1, latest + 1, 0]).max(0);
            what.with(json!({ "recovery_time_target_unix": target }))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "recovery_time_target_unix": -1 }),
                json!({ "recovery_time_target_unix": "now" }),
            ]
        }),
    Rule::control(SetBackup::META, set_backup)
        .call(|dice, model, what| {
            let day = dice.one_in(2).then(|| json!(model.now.to_string()));
            what.with(given([("status", Some(json!(dice.pick(&STATUSES)))), ("day", day)]))
        })
        .bodies(|| {
            vec![json!({}), json!({ "status": "LOST" }), json!({ "status": "FAILED", "day": "today" })]
        }),
    Rule::read(GetBackupSchedule::META, "database:read", |model, asked| {
        Ok(model.projects[asked.project()].schedule.shown())
    }),
    Rule::write(UpdateBackupSchedule::META, "database:write", set_schedule)
        .call(|dice, _, what| what.with(json!({ "schedule_for": dice.pick(&TIMES) })))
        .bodies(|| {
            vec![
                json!({}),
                json!({ "schedule_for": 4 }),
                json!({ "schedule_for": "24:00:00" }),
                json!({ "schedule_for": "04:00" }),
                json!({ "schedule_for": "4:00:00" }),
            ]
        }),
    Rule::write(RestorePhysicalBackup::META, "database:write", restore_physical)
        .call(|dice, model, what| {
            let project = super::rule::number(what.part("ref"));
            let made = model.projects.get(project).and_then(|project| project.backups.daily.last());
            let last = made.map_or(1, |(day, _)| day.as_second());
            what.with(json!({ "id": if dice.one_in(4) { 1 } else { last } }))
        })
        .bodies(|| vec![json!({}), json!({ "id": "1" }), json!({ "id": 1.5 })]),
];

/// A replica that a list has shown, an unknown one, or the project's own database.
fn some_replica(dice: &mut Dice, model: &Model, what: &What) -> String {
    let known = model.replicas.iter().filter_map(|replica| replica.seen_as).max().map_or(0, |last| last + 1);
    match dice.one_in(8) {
        true => what.part("ref").to_owned(),
        false => format!("{{replica {}}}", dice.below(known + 1)),
    }
}

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let project = model.some_project(dice);
    let found = model.projects.get(project)?;
    let up = |one: &&Replica| one.seen_as.is_some() && one.status(model.now) == Some("ACTIVE_HEALTHY");
    if let Some(replica) = model.replicas.iter().find(up).filter(|_| dice.one_in(3)) {
        let meant = format!("{{replica {}}}", replica.seen_as.unwrap_or_default());
        if dice.one_in(3) {
            let body = json!({ "database_identifier": meant });
            return Some(rule_of::<RemoveReplica>().for_project(dice, model, replica.project).with(body));
        }
        let body = json!({ "database_identifier": meant, "query": QUERIES[0] });
        return Some(rule_of::<QueryReplica>().for_project(dice, model, replica.project).with(body));
    }
    let unseen = |one: &&Replica| one.seen_as.is_none() && one.status(model.now) == Some("ACTIVE_HEALTHY");
    if let Some(replica) = model.replicas.iter().find(unseen).filter(|_| dice.one_in(2)) {
        return Some(rule_of::<ListReplicas>().for_project(dice, model, replica.project));
    }
    let operation = match dice.below(7) {
        6 if model.plan(project) == "enterprise" => UpdateBackupSchedule::META.id,
        6 => {
            let organization = format!("{{organization {}}}", found.organization);
            let what = What::of(rule_of::<SetPlan>());
            return Some(what.at("slug", organization).with(json!({ "plan": "enterprise" })));
        }
        0 if found.pitr().is_some() => RestorePitr::META.id,
        1 if found.status == "ACTIVE_HEALTHY" => SetUpReplica::META.id,
        2 => ListReplicas::META.id,
        3 => RemoveReplica::META.id,
        4 => QueryReplica::META.id,
        5 if !found.backups.daily.is_empty() => RestorePhysicalBackup::META.id,
        _ => ListBackups::META.id,
    };
    Some(rule_with(operation).for_project(dice, model, project))
}

#[derive(Clone, Debug)]
pub(super) struct Replica {
    project: usize,
    region: String,
    fails: bool,
    since: Timestamp,
    removed_at: Option<Timestamp>,
    /// Its number among the replicas that a list has shown.
    seen_as: Option<usize>,
}

impl Replica {
    /// `None` once it is removed.
    fn status(&self, now: Timestamp) -> Option<Text> {
        match self.removed_at {
            Some(at) if now >= later(at, REPLICA) => None,
            Some(_) => Some("GOING_DOWN"),
            None if now < later(self.since, REPLICA) => Some("COMING_UP"),
            None if self.fails => Some("INIT_FAILED"),
            None => Some("ACTIVE_HEALTHY"),
        }
    }
}

fn set_up(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    if model.is_free(project) {
        return Err(402);
    }
    let (found, region) = (&model.projects[project], asked.text("read_replica_region").to_owned());
    let fits = found.status == "ACTIVE_HEALTHY" && rank(&found.size) >= rank("small");
    if !fits || model.replicas_of(project).any(|replica| replica.region == region) {
        return Err(400);
    }
    let fails = model.next_fails("replica");
    model.replicas.push(Replica {
        project,
        region,
        fails,
        since: model.now,
        removed_at: None,
        seen_as: None,
    });
    done()
}

fn query(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (now, project) = (model.now, asked.project());
    if asked.text("database_identifier") == asked.what.part("ref") {
        return Err(404);
    }
    let answers = meant(model, asked)?.status(now) == Some("ACTIVE_HEALTHY");
    let reads = asked.text("query") == QUERIES[0];
    if !answers || !model.projects[project].answers("db") {
        return Err(544);
    }
    reads.then(|| json!([{ "one": 1 }])).ok_or(400)
}

/// The replica that a call names.
fn meant<'a>(model: &'a mut Model, asked: &Asked<'_>) -> Result<&'a mut Replica, u16> {
    let (now, project) = (model.now, asked.project());
    let number = super::rule::number(asked.text("database_identifier"));
    let mut all = model.replicas.iter_mut();
    all.find(|one| one.project == project && one.seen_as == Some(number) && one.status(now).is_some())
        .ok_or(404)
}

fn remove(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let now = model.now;
    if asked.text("database_identifier") == asked.what.part("ref") {
        return Err(400);
    }
    let found = meant(model, asked)?;
    if found.removed_at.is_some() {
        return Err(400);
    }
    found.removed_at = Some(now);
    done()
}

impl Model {
    /// When replicas finish setting up, or are removed.
    pub(super) fn ends_of_replicas(&self) -> impl Iterator<Item = Timestamp> {
        self.replicas.iter().map(|one| later(one.removed_at.unwrap_or(one.since), REPLICA))
    }

    /// How many replicas of the project respond.
    pub(super) fn replicas_up(&self, project: usize) -> usize {
        let is_up = |replica: &&Replica| replica.status(self.now) == Some("ACTIVE_HEALTHY");
        match self.projects[project].is_active() {
            true => self.replicas_of(project).filter(is_up).count(),
            false => 0,
        }
    }

    pub(super) fn replicas_of(&self, project: usize) -> impl Iterator<Item = &Replica> {
        let there =
            move |replica: &&Replica| replica.project == project && replica.status(self.now).is_some();
        self.replicas.iter().filter(there)
    }
}
