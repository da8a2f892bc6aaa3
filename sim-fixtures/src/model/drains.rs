//! `/v2`: places that projects' logs are sent to.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::v2::log_drain::{CreateLogDrain, DeleteLogDrain, ListLogDrains, UpdateLogDrain};

use super::rule::{Asked, Group, Rule, done, given};
use super::{Model, merged, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const NAMES: [Text; 2] = ["archive", "alerts"];

const RULES: &[Rule] = &[
    Rule::write(CreateLogDrain::META, "", |model, asked| {
        let attributes = asked.body("data")["attributes"].clone();
        model.drains.push(Drain { project: asked.project(), attributes, is_deleted: false });
        let number = model.drains.len() - 1;
        Ok(json!({ "data": model.drains[number].shown(number) }))
    })
    .call(|dice, _, what| {
        let description = dice.one_in(2).then(|| json!("for tests"));
        let attributes = given([
            ("name", Some(json!(dice.pick(&NAMES)))),
            ("description", description),
            ("backend_type", Some(json!(dice.pick(&["webhook", "s3"])))),
            ("config", Some(json!({ "url": "https://logs.example", "gzip": true }))),
        ]);
        what.with(document(attributes))
    })
    .bodies(|| {
        let with = |field: &str, value: Value| {
            let good = json!({ "name": "archive", "backend_type": "s3", "config": {} });
            document(merged(good, json!({ field: value })))
        };
        vec![
            json!({}),
            json!({ "data": { "type": "log_drain", "attributes": {} } }),
            with("name", json!(7)),
            with("backend_type", json!("tape")),
            with("backend_type", json!("webhook")),
            with("config", json!("https://logs.example")),
            with("config", json!({ "port": 65_536 })),
            with("config", json!({ "http": "http3" })),
        ]
    })
    .makes(&[("drain", "/data/id")]),
    Rule::read(ListLogDrains::META, "analytics:read", |model, asked| {
        let all = model.drains.iter().enumerate().filter(|(_, one)| one.is_of(asked.project()));
        Ok(json!({ "data": all.map(|(number, one)| one.shown(number)).collect::<Vec<_>>() }))
    }),
    Rule::write(UpdateLogDrain::META, "", |model, asked| {
        let number = drain(model, asked)?;
        let changes = asked.body("data")["attributes"].clone();
        let is_other = changes["backend_type"] != model.drains[number].attributes["backend_type"];
        if is_other && changes["config"].is_null() {
            return Err(400);
        }
        let old = model.drains[number].attributes.take();
        model.drains[number].attributes = merged(old, changes);
        Ok(json!({ "data": model.drains[number].shown(number) }))
    })
    .call(|dice, model, what| {
        let name = dice.one_in(2).then(|| json!(dice.pick(&NAMES)));
        let config = dice.one_in(2).then(|| json!({ "url": "https://logs.example", "region": "eu" }));
        let kind = Some(json!(dice.pick(&["webhook", "s3"])));
        some_drain(dice, model, what).with(document(given([
            ("name", name),
            ("backend_type", kind),
            ("config", config),
        ])))
    })
    .bodies(|| vec![json!({}), document(json!({})), document(json!({ "backend_type": "tape" }))]),
    Rule::write(DeleteLogDrain::META, "", |model, asked| {
        let number = drain(model, asked)?;
        model.drains[number].is_deleted = true;
        done()
    })
    .call(some_drain),
];

/// A call about an existing drain; without one, a call that makes one.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let there: Vec<_> = (0..model.drains.len()).filter(|one| !model.drains[*one].is_deleted).collect();
    if there.is_empty() || dice.one_in(3) {
        return Some(rule_of::<CreateLogDrain>().for_project(dice, model, 0));
    }
    let drain = dice.pick(&there);
    let rule =
        dice.pick(&[rule_of::<UpdateLogDrain>(), rule_of::<UpdateLogDrain>(), rule_of::<DeleteLogDrain>()]);
    Some(rule.for_project(dice, model, model.drains[drain].project).at("id", format!("{{drain {drain}}}")))
}

fn document(attributes: Value) -> Value {
    json!({ "data": { "type": "log_drain", "attributes": attributes } })
}

fn some_drain(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("id", format!("{{drain {}}}", dice.below(model.drains.len() + 1)))
}

fn drain(model: &Model, asked: &Asked<'_>) -> Result<usize, u16> {
    let number = asked.number("id");
    model.drains.get(number).filter(|one| one.is_of(asked.project())).map(|_| number).ok_or(404)
}

/// A place that a project's logs are sent to.
#[derive(Clone, Debug)]
pub(super) struct Drain {
    project: usize,
    attributes: Value,
    is_deleted: bool,
}

impl Drain {
    fn is_of(&self, project: usize) -> bool {
        self.project == project && !self.is_deleted
    }

    fn shown(&self, number: usize) -> Value {
        json!({ "id": format!("{{drain {number}}}"), "attributes": self.attributes })
    }
}
