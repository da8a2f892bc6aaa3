//! What is in projects' databases.
//!
//! The model knows one table, to which each call adds a row, and how many there were at any time.

use serde_json::json;
use sim_core::management::backup::RestoreBackup;
use sim_core::management::bucket::ListBuckets;
use sim_core::management::query::RunQuery;
use sim_core::management::types::GenerateTypes;
use sim_core::{Operation as _, Timestamp};

use super::database::{list_backups, midnight};
use super::rule::{Answer, Asked, Group, Rule};
use super::{Model, days};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[("v1-run-a-query", |what| what.with(json!({ "query": ADD })))],
    next,
    works: &[],
};

/// Adds a row, and counts.
const ADD: Text = "create table if not exists note (id int);
    insert into note values (1);
    select count(*)::int as count from note";

const QUERIES: [Text; 5] = [ADD, ADD, "select 1 as one", "select 1 / 0", "selec 1"];

const RULES: &[Rule] = &[
    Rule::develop(RunQuery::META, "database:write", run)
        .call(|dice, _, what| what.with(json!({ "query": dice.pick(&QUERIES) })))
        .bodies(|| vec![json!({}), json!({ "query": "" }), json!({ "query": 1 }), json!({ "query": null })]),
    Rule::read(GenerateTypes::META, "database:read", |model, asked| {
        model.projects[asked.project()].is_active().then(|| json!({})).ok_or(400)
    })
    .call(|dice, _, what| match dice.one_in(2) {
        true => what.asking("included_schemas", dice.pick(&["public", "public,storage", "", "nothing"])),
        false => what,
    }),
    Rule::read(ListBuckets::META, "storage:read", |model, asked| {
        model.projects[asked.project()].is_active().then(|| json!([])).ok_or(400)
    }),
    Rule::control(RestoreBackup::META, restore_backup)
        .call(|dice, model, what| {
            let back = dice.below(4) as u64;
            let day = model.now.checked_sub(days(back)).expect("histories begin after the calendar");
            what.with(json!({ "day": day.to_string() }))
        })
        .bodies(|| vec![json!({}), json!({ "day": "yesterday" }), json!({ "day": 1 })]),
];

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let project = model.some_project(dice);
    let rule = if dice.one_in(5) { &RULES[3] } else { &RULES[0] };
    model.projects.get(project).map(|_| rule.for_project(dice, model, project))
}

/// How many rows there were from when on.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Vec<(Timestamp, usize)>);

impl Notes {
    fn at(&self, instant: Timestamp) -> usize {
        self.0.iter().rfind(|(since, _)| *since <= instant).map_or(0, |(_, count)| *count)
    }

    /// There are as many as there were at `instant`.
    pub(super) fn go_back(&mut self, now: Timestamp, instant: Timestamp) {
        self.0.push((now, self.at(instant)));
    }
}

fn run(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    if !model.projects[project].is_active() {
        return Err(400);
    }
    match asked.text("query") {
        ADD if !model.takes_writes(project) => Err(400),
        ADD => {
            let (now, found) = (model.now, &mut model.projects[project]);
            let count = found.notes.at(now) + 1;
            found.notes.0.push((now, count));
            found.settings.bytes_unknown = true;
            // A branch's database begins anew whenever its migrations run.
            Ok(if found.is_branch { json!([{}]) } else { json!([{ "count": count }]) })
        }
        "select 1 as one" => Ok(json!([{ "one": 1 }])),
        _ => Err(400),
    }
}

fn restore_backup(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let day: Timestamp = asked.text("day").parse().expect("a day was drawn as an instant");
    let at = midnight(day);
    let listed = list_backups(model, asked)?;
    let backup =
        listed["backups"].as_array().into_iter().flatten().find(|one| one["inserted_at"] == at.to_string());
    let backup = backup.filter(|backup| backup["status"] == "COMPLETED").cloned().ok_or(404_u16)?;
    model.begin_restore(asked.project(), at)?;
    Ok(backup)
}
