//! `/v2`: programs that run next to projects.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::v2::compute::{
    CreateUpload, DeleteInstance, DeployInstance, GetInstance, ListInstances,
};
use sim_core::{Operation as _, Timestamp};

use super::rule::{Answer, Asked, Group, Rule, done, given, number};
use super::time::later;
use super::{Model, merged, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const NAMES: [Text; 2] = ["worker", "api"];
const BUILD: Duration = Duration::from_secs(30);
const END: Duration = Duration::from_secs(5);
const HOUR: Duration = Duration::from_secs(3600);

const RULES: &[Rule] = &[
    Rule::develop(DeployInstance::META, "projects:write", deploy)
        .call(|dice, model, what| {
            let scope = dice.one_in(3).then(|| match dice.one_in(2) {
                true => json!([{ "secret_name": "A" }]),
                false if dice.one_in(2) => json!("none"),
                false => Value::Null,
            });
            let spec = given([
                ("exposure", Some(json!("public"))),
                ("instances", Some(json!(dice.pick(&[1, 0, 3, 19, -1])))),
                ("size", Some(json!("small"))),
                ("secrets_scope", scope),
            ]);
            let upload =
                dice.one_in(2).then(|| json!(format!("{{upload {}}}", dice.below(model.uploads.len() + 1))));
            let attributes = given([("spec", Some(spec)), ("context_upload_id", upload)]);
            what.at("name", dice.pick(&NAMES)).with(document(attributes))
        })
        .bodies(|| {
            let with = |field: &str, value: Value| {
                let good = json!({ "exposure": "public", "instances": 1, "size": "small" });
                document(json!({ "spec": merged(good, json!({ field: value })) }))
            };
            vec![
                json!({}),
                document(json!({})),
                document(json!({ "spec": {} })),
                with("instances", json!("one")),
                with("instances", json!(0.5)),
                with("exposure", Value::Null),
                with("secrets_scope", json!("some")),
                with("secrets_scope", json!([{ "name": "A" }])),
            ]
        }),
    Rule::read(ListInstances::META, "projects:read", |model, asked| {
        let mine = model.programs_of(asked.project());
        Ok(json!({ "data": mine.map(|one| one.shown(model)).collect::<Vec<_>>() }))
    }),
    Rule::read(GetInstance::META, "projects:read", |model, asked| {
        let found = model.programs_of(asked.project()).find(|one| one.name == asked.what.part("name"));
        Ok(json!({ "data": found.ok_or(404_u16)?.shown(model) }))
    })
    .call(|dice, _, what| what.at("name", dice.pick(&NAMES))),
    Rule::develop(CreateUpload::META, "projects:write", |model, asked| {
        model.require_compute(asked.project())?;
        let (project, name) = (asked.project(), asked.what.part("name").to_owned());
        model.uploads.push(Upload { project, name, until: later(model.now, HOUR), is_used: false });
        let id = format!("{{upload {}}}", model.uploads.len() - 1);
        Ok(json!({ "data": { "id": id, "attributes": { "method": "PUT" } } }))
    })
    .call(|dice, _, what| what.at("name", dice.pick(&NAMES)))
    .makes(&[("upload", "/data/id")]),
    Rule::develop(DeleteInstance::META, "projects:write", |model, asked| {
        let (project, name, now) = (asked.project(), asked.what.part("name"), model.now);
        let is_meant = |one: &&mut Program| one.project == project && one.name == name && !one.is_gone(now);
        let found = model.programs.iter_mut().find(is_meant).ok_or(404_u16)?;
        found.deleted_at.get_or_insert(now);
        done()
    })
    .call(|dice, _, what| what.at("name", dice.pick(&NAMES))),
];

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let deploy = rule_of::<DeployInstance>();
    let others = [rule_of::<GetInstance>(), rule_of::<CreateUpload>(), rule_of::<DeleteInstance>()];
    let rule = if dice.one_in(2) { deploy } else { dice.pick(&others) };
    Some(rule.for_project(dice, model, 0))
}

fn document(attributes: Value) -> Value {
    json!({ "data": { "type": "project_compute_instance", "attributes": attributes } })
}

fn deploy(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (project, name, now) = (asked.project(), asked.what.part("name"), model.now);
    model.require_compute(project)?;
    let found = model.programs_of(project).find(|one| one.name == name);
    if found.is_some_and(|one| one.deleted_at.is_some() || one.is_building(now)) {
        return Err(409);
    }
    let live = found.map_or(0, Program::declared);
    let attributes = &asked.body("data")["attributes"];
    let spec = attributes["spec"].clone();
    let wanted = spec["instances"].as_i64().unwrap_or_default();
    let others: i64 = model.programs_of(project).filter(|one| one.name != name).map(Program::declared).sum();
    if wanted < 0 || wanted + others > 20 {
        return Err(400);
    }
    let listed = spec["secrets_scope"].as_array().into_iter().flatten();
    let mut names = listed.filter_map(|one| one["secret_name"].as_str());
    if names.any(|name| !model.projects[project].secrets.contains_key(name)) {
        return Err(400);
    }
    if let Some(id) = attributes["context_upload_id"].as_str() {
        let upload = model.uploads.get_mut(number(id)).ok_or(400_u16)?;
        if upload.project != project || upload.name != name || upload.is_used || upload.until <= now {
            return Err(400);
        }
        upload.is_used = true;
    }
    let deployed = Program { project, name: name.to_owned(), spec, live, since: now, deleted_at: None };
    let shown = deployed.shown(model);
    let is_same = |one: &&mut Program| one.project == project && one.name == name && !one.is_gone(now);
    match model.programs.iter_mut().find(is_same) {
        Some(old) => *old = deployed,
        None => model.programs.push(deployed),
    }
    Ok(json!({ "data": shown }))
}

/// A place that files can be uploaded to.
#[derive(Clone, Debug)]
pub(super) struct Upload {
    project: usize,
    name: String,
    until: Timestamp,
    is_used: bool,
}

/// A program that runs next to a project.
#[derive(Clone, Debug)]
pub(super) struct Program {
    project: usize,
    name: String,
    spec: Value,
    /// Instances that run until it is built.
    live: i64,
    /// When its build began.
    since: Timestamp,
    deleted_at: Option<Timestamp>,
}

impl Program {
    fn declared(&self) -> i64 {
        self.spec["instances"].as_i64().unwrap_or_default()
    }

    fn is_gone(&self, now: Timestamp) -> bool {
        self.deleted_at.is_some_and(|at| later(at, END) <= now)
    }

    /// Whether its build goes on, or went on when it was deleted.
    fn is_building(&self, now: Timestamp) -> bool {
        self.deleted_at.unwrap_or(now) < later(self.since, BUILD)
    }

    fn shown(&self, model: &Model) -> Value {
        let is_building = self.is_building(model.now);
        let runs = if is_building { self.live } else { self.declared() };
        let live = if model.projects[self.project].is_active() { runs } else { 0 };
        json!({ "id": self.name, "attributes": {
            "build_state": if is_building { "building" } else { "active" },
            "instances": { "declared": self.declared(), "live": live, "ready": live },
            "deleting": self.deleted_at.map(|_| true),
        } })
    }
}

impl Model {
    fn programs_of(&self, project: usize) -> impl Iterator<Item = &Program> {
        self.programs.iter().filter(move |one| one.project == project && !one.is_gone(self.now))
    }

    /// Programs need a paid plan and an active project.
    fn require_compute(&self, project: usize) -> Result<(), u16> {
        match self.is_free(project) {
            true => Err(403),
            false if self.projects[project].is_active() => Ok(()),
            false => Err(400),
        }
    }

    /// When builds are done and instances have ended.
    pub(super) fn ends_of_programs(&self) -> impl Iterator<Item = Timestamp> {
        self.programs.iter().flat_map(|one| {
            let gone = one.deleted_at.map(|at| later(at, END));
            [Some(later(one.since, BUILD)), gone].into_iter().flatten()
        })
    }
}
