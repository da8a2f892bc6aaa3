//! Read replicas and backups.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::backup::{ListBackups, RestorePhysicalBackup, RestorePitr, SetBackup};
use sim_core::management::backup_schedule::{GetBackupSchedule, UpdateBackupSchedule};
use sim_core::management::organization::SetPlan;
use sim_core::management::replica::{ListReplicas, QueryReplica, RemoveReplica, SetUpReplica};
use sim_core::{Operation as _, Timestamp};

use super::projects::{Project, rank};
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::time::{Event, later};
use super::{Model, days, rule_of, rule_with};
use crate::strategies::{Dice, Text, What};

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

/// The backups of a project's database.
#[derive(Clone, Debug, Default)]
pub(super) struct Backups {
    /// Timestamps of its backups, and whether each copied files.
    daily: Vec<(Timestamp, bool)>,
    /// Decisions about single backups.
    decided: Vec<(Timestamp, String)>,
    /// Spans in which every second is kept; the last one may be open.
    archive: Vec<(Timestamp, Option<Timestamp>)>,
}

/// The time of day at which a project is backed up.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// Each time of day that was set, from when it counts, and when it was set.
    said: Vec<(Text, Timestamp, Timestamp)>,
}

impl Schedule {
    fn shown(&self) -> Value {
        match self.said.last() {
            Some((time, _, at)) => json!({ "schedule_for": time, "updated_at": at.to_string() }),
            None => json!({ "schedule_for": TIMES[0] }),
        }
    }

    /// The timestamps from `since` (included) to `until` (excluded), oldest first.
    fn due(&self, since: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let mut all = Vec::new();
        let mut day = midnight(since);
        while day < until {
            for time in TIMES {
                let at = on(day, time);
                let counts = self.said.iter().rfind(|(_, since, _)| *since <= at);
                if counts.map_or(TIMES[0], |(time, ..)| time) == time && since <= at && at < until {
                    all.push(at);
                }
            }
            day = later(day, days(1));
        }
        all
    }

    /// The last one of the day of `at`.
    fn of_day(&self, at: Timestamp) -> Timestamp {
        let day = midnight(at);
        *self.due(day, later(day, days(1))).last().expect("each day has one")
    }
}

/// The scheduled time on that day.
fn on(day: Timestamp, time: &str) -> Timestamp {
    let number = |place: usize| time[place..place + 2].parse::<u64>().expect("times are drawn from a list");
    later(day, Duration::from_secs(number(0) * 3600 + number(3) * 60 + number(6)))
}

fn set_schedule(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (now, project) = (model.now, asked.project());
    if model.plan(project) != "enterprise" {
        return Err(402);
    }
    let found = &mut model.projects[project];
    if found.schedule.said.iter().filter(|(_, _, at)| later(*at, days(1)) > now).count() >= 3 {
        return Err(400);
    }
    let text = asked.text("schedule_for");
    let time = TIMES.into_iter().find(|time| *time == text).expect("times are drawn from a list");
    let today = midnight(now);
    let since = if on(today, time) >= now { now } else { later(today, days(1)) };
    found.schedule.said.push((time, since, now));
    for (at, _) in found.backups.decided.iter_mut().filter(|(at, _)| *at > now) {
        *at = found.schedule.of_day(*at);
    }
    Ok(found.schedule.shown())
}

impl Backups {
    /// Its organization no longer pays.
    pub(super) fn lose_all(&mut self) {
        *self = Backups::default();
    }
}

impl Project {
    /// How long each second is kept.
    pub(super) fn pitr(&self) -> Option<Duration> {
        [28, 14, 7].into_iter().find(|kept| self.addons.contains(&format!("pitr_{kept}"))).map(days)
    }

    /// The first and the last second that can be restored.
    fn window(&self, now: Timestamp) -> Option<(i64, i64)> {
        let oldest = now.checked_sub(self.pitr()?).expect("histories begin after the calendar");
        let kept = self.backups.archive.iter().map(|(since, until)| (*since, until.unwrap_or(now)));
        let kept: Vec<_> = kept.filter(|(_, until)| *until >= oldest).collect();
        let earliest = kept.iter().map(|(since, _)| *since).min()?.max(oldest);
        let latest = kept.iter().map(|(_, until)| *until).max()?;
        let whole = earliest.as_second() + i64::from(earliest.subsec_nanosecond() > 0);
        Some((whole, latest.as_second()))
    }
}

pub(super) fn list_backups(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    let found = &model.projects[project];
    let mut daily = found.backups.daily.clone();
    let just_now = later(model.now, Duration::from_nanos(1));
    if !found.schedule.due(model.now, just_now).is_empty()
        && let Some(physical) = model.backs_up(project)
    {
        daily.push((model.now, physical));
    }
    let decided = &found.backups.decided;
    let kept = match model.plan(project) {
        "free" => 0,
        "pro" => 7,
        "team" => 14,
        _ => 30,
    };
    let oldest = model.now.checked_sub(days(kept)).expect("histories begin after the calendar");
    let due = found.schedule.due(later(oldest, Duration::from_nanos(1)), just_now);
    let shown = due.into_iter().rev().filter_map(|at| {
        let made = daily.iter().find(|(day, _)| *day == at);
        let decided = decided.iter().rfind(|(day, _)| *day == at).map(|(_, status)| status.as_str());
        let status = decided.or(made.map(|_| "COMPLETED"))?;
        let physical = made.is_some_and(|(_, physical)| *physical);
        Some(json!({ "status": status, "is_physical_backup": physical, "inserted_at": at.to_string() }))
    });
    let (earliest, latest) = found.window(model.now).unzip();
    Ok(json!({
        "walg_enabled": true,
        "pitr_enabled": found.pitr().is_some(),
        "backups": shown.collect::<Vec<_>>(),
        "physical_backup_data": {
            "earliest_physical_backup_date_unix": earliest,
            "latest_physical_backup_date_unix": latest,
        },
    }))
}

pub(super) fn midnight(at: Timestamp) -> Timestamp {
    let seconds = at.as_second();
    Timestamp::from_second(seconds - seconds.rem_euclid(86_400)).expect("days begin within the calendar")
}

fn restore(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let found = &model.projects[asked.project()];
    let target = asked.body("recovery_time_target_unix").as_i64().unwrap_or_default();
    let within =
        found.window(model.now).is_some_and(|(earliest, latest)| (earliest..=latest).contains(&target));
    if !within {
        return Err(400);
    }
    model.begin_restore(asked.project(), Timestamp::from_second(target).map_err(|_| 400_u16)?)?;
    done()
}

fn restore_physical(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let id = asked.body("id").as_i64().unwrap_or_default();
    let listed = list_backups(model, asked)?;
    let backups = listed["backups"].as_array().cloned().unwrap_or_default();
    let made = |backup: &Value| {
        let text = backup["inserted_at"].as_str().unwrap_or_default();
        text.parse::<Timestamp>().expect("a backup has an instant")
    };
    let backup = backups.into_iter().find(|backup| made(backup).as_second() == id).ok_or(404_u16)?;
    if backup["is_physical_backup"] != true || backup["status"] != "COMPLETED" {
        return Err(400);
    }
    model.begin_restore(asked.project(), made(&backup))?;
    done()
}

fn set_backup(model: &mut Model, asked: &Asked<'_>) -> Answer {
    if model.is_free(asked.project()) {
        return Err(402);
    }
    let day = asked.body("day").as_str().map(|day| day.parse().expect("a day is drawn as a timestamp"));
    let (now, schedule) = (model.now, &model.projects[asked.project()].schedule);
    let next = || schedule.due(later(now, Duration::from_nanos(1)), later(now, days(2)))[0];
    let at = day.map_or_else(next, |day| schedule.of_day(day));
    let status = asked.text("status").to_owned();
    let shown = json!({ "status": status, "inserted_at": at.to_string() });
    model.projects[asked.project()].backups.decided.push((at, status));
    Ok(shown)
}

impl Model {
    /// Starts to restore the project's database to its state at `instant`.
    pub(super) fn begin_restore(&mut self, project: usize, instant: Timestamp) -> Result<(), u16> {
        if !self.projects[project].is_active() {
            return Err(400);
        }
        let status = if self.next_fails("pitr_restore") { "RESTORE_FAILED" } else { "ACTIVE_HEALTHY" };
        self.turn(project, "RESTORING");
        let turn =
            Event::Turn { project, status, version: None, size: None, back_to: Some(instant), point: None };
        self.after(Duration::from_secs(180), turn);
        Ok(())
    }

    /// Starts to restore the project's database to a restore point.
    pub(super) fn begin_undo(&mut self, project: usize, point: usize) -> Result<(), u16> {
        if !self.projects[project].is_active() {
            return Err(400);
        }
        let status = if self.next_fails("pitr_restore") { "RESTORE_FAILED" } else { "ACTIVE_HEALTHY" };
        self.turn(project, "RESTORING");
        let turn =
            Event::Turn { project, status, version: None, size: None, back_to: None, point: Some(point) };
        self.after(Duration::from_secs(180), turn);
        Ok(())
    }

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

    /// Whether the project has backups in its current state, and if so whether they copy files.
    fn backs_up(&self, project: usize) -> Option<bool> {
        let found = &self.projects[project];
        let physical = found.pitr().is_some()
            || found.settings.bytes >= 15_000_000_000
            || self.replicas_of(project).next().is_some();
        (found.is_active() && !self.is_free(project)).then_some(physical)
    }

    /// Makes all backups of projects that are due before `until`.
    pub(super) fn make_backups(&mut self, until: Timestamp) {
        let begin = self.now;
        for project in 0..self.projects.len() {
            for at in self.projects[project].schedule.due(begin, until) {
                // A replica may finish meanwhile.
                self.now = at;
                if let Some(physical) = self.backs_up(project) {
                    self.projects[project].backups.daily.push((at, physical));
                }
            }
        }
    }

    /// Records what follows from the current state: what is archived, and what is kept.
    pub(super) fn settle(&mut self) {
        for project in 0..self.projects.len() {
            let (free, active) = (self.is_free(project), self.projects[project].is_active());
            let found = &mut self.projects[project];
            let pitr = found.pitr().is_some();
            let backups = &mut found.backups;
            if free {
                backups.daily.clear();
            }
            if free || !pitr {
                // Earlier archives are useless now and stay so.
                backups.archive.clear();
            }
            let open = backups.archive.last().is_some_and(|(_, until)| until.is_none());
            match active && pitr && !free {
                true if !open => backups.archive.push((self.now, None)),
                false if open => backups.archive.last_mut().expect("one is open").1 = Some(self.now),
                _ => {}
            }
        }
    }
}
