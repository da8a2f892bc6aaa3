//! The content of projects' databases. Their logs are not kept, as there is no analytics server.
//!
//! The model knows one table. Each call adds a row; the model keeps the number of rows over time.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sim_core::management::advisor::{AdvisePerformance, AdviseSecurity};
use sim_core::management::backup::RestoreBackup;
use sim_core::management::bucket::ListBuckets;
use sim_core::management::metrics::ScrapeMetrics;
use sim_core::management::migration_history::{
    ApplyMigration, GetMigration, ListMigrations, PatchMigration, RollBackMigrations, UpsertMigration,
};
use sim_core::management::project_log::{
    CountAllApiRequests, CountApiRequests, GetFunctionStats, GetProjectLogs, QueryProjectLogs,
};
use sim_core::management::query::{GetDatabaseContext, RunQuery, RunReadOnlyQuery};
use sim_core::management::rest_document::GetRestDocument;
use sim_core::management::types::GenerateTypes;
use sim_core::{Operation as _, Timestamp};

use super::database::{list_backups, midnight};
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::{Model, days, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[("v1-run-a-query", |what| what.with(json!({ "query": ADD })))],
    next,
    works: &[],
};

/// Adds a row and returns the number of rows.
const ADD: Text = "create table if not exists note (id int);
    insert into note values (1);
    select count(*)::int as count from note";

const QUERIES: [Text; 5] = [ADD, ADD, "select 1 as one", "select 1 / 0", "selec 1"];

const RULES: &[Rule] = &[
    Rule::develop(RunQuery::META, "database:write", run)
        .call(|dice, _, what| what.with(json!({ "query": dice.pick(&QUERIES) })))
        .bodies(|| vec![json!({}), json!({ "query": "" }), json!({ "query": 1 }), json!({ "query": null })]),
    Rule::read(GenerateTypes::META, "database:read", |_, _| done()).call(|dice, _, what| {
        match dice.one_in(2) {
            true => what.asking("included_schemas", dice.pick(&["public", "public,storage", "", "nothing"])),
            false => what,
        }
    }),
    Rule::read(ListBuckets::META, "storage:read", |_, _| Ok(json!([]))),
    Rule::control(RestoreBackup::META, restore_backup)
        .call(|dice, model, what| {
            let back = dice.below(4) as u64;
            let day = model.now.checked_sub(days(back)).expect("histories begin after the calendar");
            what.with(json!({ "day": day.to_string() }))
        })
        .bodies(|| vec![json!({}), json!({ "day": "yesterday" }), json!({ "day": 1 })]),
    Rule::read(RunReadOnlyQuery::META, "database:read", |_, asked| {
        let is_good = asked.text("query") == "select 1 as one";
        is_good.then(|| json!([{ "one": 1 }])).ok_or(400)
    })
    .call(|dice, _, what| what.with(json!({ "query": dice.pick(&["select 1 as one", ADD, "select 1 / 0"]) })))
    .bodies(|| vec![json!({}), json!({ "query": "" }), json!({ "query": "select 1", "parameters": 1 })]),
    Rule::read(GetDatabaseContext::META, "projects:read", |_, _| done()),
    Rule::develop(ApplyMigration::META, "database:write", |model, asked| record(model, asked, false))
        .call(draw_migration)
        .bodies(wrong_migrations),
    Rule::develop(UpsertMigration::META, "database:write", |model, asked| record(model, asked, true))
        .call(draw_migration)
        .bodies(wrong_migrations),
    Rule::read(ListMigrations::META, "database:read", |model, asked| {
        let listed = model.migrations(asked).into_iter();
        Ok(listed.map(|(version, one)| json!({ "version": version, "name": one.name })).collect())
    }),
    Rule::read(GetMigration::META, "database:read", |model, asked| {
        let (version, all) = (asked.what.part("version"), model.migrations(asked));
        let one = all.get(version).ok_or(404_u16)?;
        Ok(json!({ "version": version, "name": one.name, "statements": [one.query] }))
    })
    .call(|dice, model, what| {
        let version = some_version(dice, model, &what);
        what.at("version", version)
    }),
    Rule::develop(RollBackMigrations::META, "database:write", |model, asked| {
        let mut all = model.migrations(asked);
        let gte = asked.what.asked("gte").unwrap_or_default().to_owned();
        if all.range(gte.clone()..).any(|(_, one)| !one.has_rollback) {
            return Err(400);
        }
        let undone = all.split_off(&gte);
        if undone.is_empty() { done() } else { model.set_migrations(asked, all) }
    })
    .call(|dice, model, what| {
        let version = some_version(dice, model, &what);
        what.asking("gte", version)
    })
    .queries(&["", "gte=last"]),
    Rule::read(GetRestDocument::META, "database:read", |model, asked| {
        let offered = model.projects[asked.project()].settings.offered_schemas();
        let wanted = asked.what.asked("schema").unwrap_or(&offered[0]).to_owned();
        offered.contains(&wanted).then(|| json!({ "swagger": "2.0" })).ok_or(400)
    })
    .call(|dice, _, what| match dice.one_in(2) {
        true => what.asking("schema", dice.pick(&["public", "graphql_public", "auth"])),
        false => what,
    }),
    // The model does not know what is in the catalog.
    Rule::read(AdviseSecurity::META, "database:read", |_, _| done()),
    Rule::read(AdvisePerformance::META, "database:read", |_, _| done()),
    Rule::read(GetProjectLogs::META, "analytics:read", |_, _| Err(503))
        .call(|dice, _, what| match dice.one_in(2) {
            true => what.asking("sql", "select id from edge_logs"),
            false => what,
        })
        .queries(&["iso_timestamp_start=yesterday", "iso_timestamp_end=1"]),
    Rule::read(QueryProjectLogs::META, "analytics:read", |_, _| Err(503))
        .call(|dice, _, what| match dice.one_in(2) {
            true => what.asking("sql", "select id from logs"),
            false => what,
        })
        .queries(&["iso_timestamp_start=yesterday", "iso_timestamp_end=1"]),
    Rule::read(CountApiRequests::META, "", |_, _| Err(503))
        .call(|dice, _, what| what.asking("interval", dice.pick(&["1day", "15min"])))
        .queries(&["interval=1s"]),
    Rule::read(CountAllApiRequests::META, "", |_, _| Err(503)),
    Rule::read(GetFunctionStats::META, "", |_, _| Err(503))
        .call(|_, _, what| what.asking("interval", "1hr").asking("function_id", "one"))
        .queries(&["", "interval=1hr", "interval=7day&function_id=one"]),
    Rule::develop(PatchMigration::META, "database:write", |model, asked| {
        let mut all = model.migrations(asked);
        let one = all.get_mut(asked.what.part("version")).ok_or(404_u16)?;
        one.name = asked.body("name").as_str().map(str::to_owned).or(one.name.take());
        one.has_rollback |= asked.body("rollback").is_string();
        model.set_migrations(asked, all)
    })
    .call(|dice, model, what| {
        let version = some_version(dice, model, &what);
        let name = dice.one_in(2).then(|| json!("renamed"));
        let rollback = dice.one_in(2).then(|| json!("select 3"));
        what.at("version", version).with(given([("name", name), ("rollback", rollback)]))
    })
    .bodies(|| vec![json!({ "name": 1 }), json!({ "rollback": [] })]),
    Rule::read(ScrapeMetrics::META, "analytics:read", |_, _| Ok(json!([]))),
];

/// None fails, in any database.
const CHANGES: [Text; 2] = ["create table if not exists changed (id int)", "select 1"];

fn draw_migration(dice: &mut Dice, _: &Model, mut what: What) -> What {
    let name = dice.one_in(2).then(|| json!(dice.pick(&["first", "second"])));
    let rollback = Some(json!("select 2")).filter(|_| !dice.one_in(4));
    if dice.one_in(3) {
        what.headers.push(("idempotency-key", dice.pick(&["one", "two"])));
    }
    what.with(given([("query", Some(json!(dice.pick(&CHANGES)))), ("name", name), ("rollback", rollback)]))
}

fn wrong_migrations() -> Vec<Value> {
    vec![json!({}), json!({ "query": "" }), json!({ "query": 1 }), json!({ "query": "select 1", "name": 1 })]
}

/// The version of a migration that the project has, or a valid unknown one.
fn some_version(dice: &mut Dice, model: &Model, what: &What) -> String {
    let project = model.projects.get(super::rule::number(what.part("ref")));
    let all: Vec<_> = project.into_iter().flat_map(|one| one.migrations.at(model.now).into_keys()).collect();
    all.get(dice.below(all.len() + 1)).cloned().unwrap_or_else(|| "20251231235959".to_owned())
}

/// A recorded change.
#[derive(Clone, Debug)]
pub(super) struct Migration {
    query: String,
    name: Option<String>,
    has_rollback: bool,
    key: Option<Text>,
}

/// Recorded migrations by version, over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Migrations(Vec<(Timestamp, BTreeMap<String, Migration>)>);

impl Migrations {
    pub(super) fn at(&self, instant: Timestamp) -> BTreeMap<String, Migration> {
        let found = self.0.iter().rfind(|(since, _)| *since <= instant);
        found.map_or_else(BTreeMap::new, |(_, all)| all.clone())
    }

    /// Restores the migrations recorded at `instant`.
    pub(super) fn go_back(&mut self, now: Timestamp, instant: Timestamp) {
        self.0.push((now, self.at(instant)));
    }

    /// Copies the last migrations of another database.
    pub(super) fn become_like(&mut self, now: Timestamp, other: &Migrations) {
        self.0.push((now, other.0.last().map_or_else(BTreeMap::new, |(_, all)| all.clone())));
    }

    /// Adds those of `other` up to a version.
    pub(super) fn take(&mut self, now: Timestamp, other: &Migrations, up_to: Option<&str>) {
        let mut all = self.at(now);
        let wanted = other
            .at(now)
            .into_iter()
            .filter(|(version, _)| up_to.is_none_or(|last| version.as_str() <= last));
        for (version, one) in wanted {
            all.entry(version).or_insert(one);
        }
        self.0.push((now, all));
    }

    /// Keeps only those up to a version.
    pub(super) fn reset(&mut self, now: Timestamp, up_to: Option<&str>) {
        let mut all = self.at(now);
        all.retain(|version, _| up_to.is_none_or(|last| version.as_str() <= last));
        self.0.push((now, all));
    }
}

fn record(model: &mut Model, asked: &Asked<'_>, replaces: bool) -> Answer {
    let mut all = model.migrations(asked);
    let key = asked.what.headers.first().map(|(_, key)| *key);
    let earlier = all.iter().find(|(_, one)| key.is_some() && one.key == key);
    let earlier = earlier.map(|(version, one)| (version.clone(), one.query.clone()));
    if let Some((_, query)) = earlier.as_ref().filter(|_| !replaces) {
        return if query == asked.text("query") { done() } else { Err(400) };
    }
    let now: u64 = model.now.strftime("%Y%m%d%H%M%S").to_string().parse().expect("digits are a number");
    let family = model.family(asked.project());
    let is_free = |version: &String| {
        let has = |one: &usize| model.projects[*one].migrations.at(model.now).contains_key(version);
        !all.contains_key(version) && !family.iter().any(has)
    };
    let next = (now..).map(|version| version.to_string()).find(is_free).expect("numbers do not end");
    let migration = Migration {
        query: asked.text("query").to_owned(),
        name: asked.body("name").as_str().map(str::to_owned),
        has_rollback: asked.body("rollback").is_string(),
        key,
    };
    all.insert(earlier.map_or(next, |(version, _)| version), migration);
    model.set_migrations(asked, all)
}

impl Model {
    /// The project, its parent and their branches' projects.
    fn family(&self, project: usize) -> Vec<usize> {
        let root = self.parent_of(project).unwrap_or(project);
        self.branch_projects(root).filter(|one| !self.projects[*one].is_gone()).chain([root]).collect()
    }

    fn migrations(&self, asked: &Asked<'_>) -> BTreeMap<String, Migration> {
        self.projects[asked.project()].migrations.at(self.now)
    }

    fn set_migrations(&mut self, asked: &Asked<'_>, all: BTreeMap<String, Migration>) -> Answer {
        if !self.takes_writes(asked.project()) {
            return Err(400);
        }
        let (now, project) = (self.now, &mut self.projects[asked.project()]);
        project.migrations.0.push((now, all));
        project.settings.bytes_unknown = true;
        done()
    }
}

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let project = model.some_project(dice);
    let rule = dice.pick(&[
        rule_of::<RunQuery>(),
        rule_of::<RunQuery>(),
        rule_of::<RunQuery>(),
        rule_of::<RestoreBackup>(),
        rule_of::<ApplyMigration>(),
        rule_of::<ApplyMigration>(),
        rule_of::<RollBackMigrations>(),
    ]);
    model.projects.get(project).map(|_| rule.for_project(dice, model, project))
}

/// The number of rows over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Vec<(Timestamp, usize)>);

impl Notes {
    fn at(&self, instant: Timestamp) -> usize {
        self.0.iter().rfind(|(since, _)| *since <= instant).map_or(0, |(_, count)| *count)
    }

    /// Copies the last number of rows of another database.
    pub(super) fn become_like(&mut self, now: Timestamp, other: &Notes) {
        self.0.push((now, other.0.last().map_or(0, |(_, count)| *count)));
    }

    /// Restores the number of rows at `instant`.
    pub(super) fn go_back(&mut self, now: Timestamp, instant: Timestamp) {
        self.0.push((now, self.at(instant)));
    }
}

fn run(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    match asked.text("query") {
        ADD if !model.takes_writes(project) => Err(400),
        ADD => {
            let (now, found) = (model.now, &mut model.projects[project]);
            let count = found.notes.at(now) + 1;
            found.notes.0.push((now, count));
            found.settings.bytes_unknown = true;
            // A branch's database is reset whenever its migrations run.
            Ok(if found.is_branch { json!([{}]) } else { json!([{ "count": count }]) })
        }
        "select 1 as one" => Ok(json!([{ "one": 1 }])),
        _ => Err(400),
    }
}

fn restore_backup(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let day: Timestamp = asked.text("day").parse().expect("a day is drawn as a timestamp");
    let listed = list_backups(model, asked)?;
    let made = |one: &Value| one["inserted_at"].as_str()?.parse::<Timestamp>().ok();
    let mut newest = listed["backups"].as_array().into_iter().flatten();
    let backup = newest.find(|one| made(one).map(midnight) == Some(midnight(day)));
    let backup = backup.filter(|backup| backup["status"] == "COMPLETED").cloned().ok_or(404_u16)?;
    model.begin_restore(asked.project(), made(&backup).expect("backups were made some time"))?;
    Ok(backup)
}
