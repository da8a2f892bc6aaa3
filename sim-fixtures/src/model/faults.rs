//! Injected faults: rules that refuse an operation with a status, and rules that break a call off amid its list. Other effects
//! of rules do not change what a world holds, or not in a way that the model follows.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::engine::Access;
use sim_core::engine::fault::{AddFault, DeleteFault, ListFaults, SetFaults};

use super::rule::{Answer, Group, Rule, done};
use super::{Model, rule_with};
use crate::strategies::{Ask, Dice, Text, What, Wrong};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const OPERATIONS: [Text; 4] =
    ["v1-list-all-projects", "v1-create-a-project", "v1-get-project", "v1-pause-a-project"];
const STATUSES: [u16; 3] = [503, 502, 404];

/// An operation with a list, which a rule can break off.
const WITH_LIST: Text = "v1-bulk-create-secrets";

const RULES: &[Rule] = &[
    Rule::control(AddFault::META, |model, asked| model.add_fault(&asked.what.body))
        .call(|dice, _, what| what.with(drawn(dice)))
        .bodies(wrong),
    Rule::control(ListFaults::META, |model, _| Ok(model.faults.iter().map(Fault::shown).collect())),
    Rule::control(SetFaults::META, |model, asked| {
        model.faults.clear();
        let rules = asked.what.body.as_array().into_iter().flatten();
        rules.map(|rule| model.add_fault(rule)).collect()
    })
    .call(|dice, _, what| {
        let count = dice.below(3);
        what.with((0..count).map(|_| drawn(dice)).collect())
    }),
    Rule::control(DeleteFault::META, |model, asked| {
        let id = asked.what.part("id").parse().ok();
        let place = model.faults.iter().position(|fault| Some(fault.id) == id).ok_or(404_u16)?;
        model.faults.remove(place);
        done()
    })
    .call(|dice, model, what| what.at("id", dice.below(model.faults_made + 2).to_string())),
];

/// A rule that refuses calls of an operation.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    id: usize,
    rule: Value,
    met: u64,
    struck: u64,
}

impl Fault {
    fn shown(&self) -> Value {
        json!({ "id": self.id, "rule": self.rule, "met": self.met, "struck": self.struck })
    }

    /// What it does to this call of its operation.
    fn strike(&mut self) -> Option<Struck> {
        let field = |name: &str| self.rule[name].as_u64().unwrap_or(1);
        let (nth, times) = (field("nth"), field("times"));
        self.met += 1;
        if self.met < nth || times != 0 && self.struck >= times {
            return None;
        }
        self.struck += 1;
        let effect = &self.rule["effect"];
        let status = effect["status"].as_u64().and_then(|status| u16::try_from(status).ok())?;
        let done = effect["done"].as_u64().and_then(|done| usize::try_from(done).ok());
        Some(Struck { status, done })
    }
}

/// What a rule does to a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck {
    /// The status of the refusal.
    pub(super) status: u16,
    /// How many items of the call's list are done first; `None` for a call that is refused at once.
    pub(super) done: Option<usize>,
}

fn drawn(dice: &mut Dice) -> Value {
    let status = dice.pick(&STATUSES);
    let mut rule = if dice.one_in(4) {
        let done = dice.pick(&[1, 2, 0]);
        json!({ "on": { "operation": WITH_LIST }, "effect": { "kind": "partial", "done": done, "status": status } })
    } else {
        let on = json!({ "operation": dice.pick(&OPERATIONS) });
        json!({ "on": on, "effect": { "kind": "status", "status": status } })
    };
    if dice.one_in(2) {
        rule["nth"] = dice.pick(&[2, 1, 3]).into();
    }
    if dice.one_in(2) {
        rule["times"] = dice.pick(&[2, 1, 0]).into();
    }
    rule
}

fn wrong() -> Vec<Value> {
    let status =
        |status: Value| json!({ "on": { "path": "*" }, "effect": { "kind": "status", "status": status } });
    vec![
        json!({}),
        json!({ "on": {}, "effect": { "kind": "reset" } }),
        json!({ "on": { "operation": "v1-nothing" }, "effect": { "kind": "reset" } }),
        json!({ "on": { "path": "*" }, "effect": { "kind": "explode" } }),
        json!({ "on": { "path": "*" }, "nth": 0, "effect": { "kind": "reset" } }),
        status(200.into()),
        status("many".into()),
    ]
}

impl Model {
    fn add_fault(&mut self, rule: &Value) -> Answer {
        self.faults_made += 1;
        let fault = Fault { id: self.faults_made, rule: rule.clone(), met: 0, struck: 0 };
        let shown = fault.shown();
        self.faults.push(fault);
        Ok(shown)
    }

    /// What a rule does to a call; rules are checked before anything else.
    pub(super) fn struck(&mut self, ask: &Ask) -> Option<Struck> {
        let meta = ask.what.rule.meta;
        if meta.access == Access::Control || !ask.wrong.as_ref().is_none_or(Wrong::is_routed) {
            return None;
        }
        let mut fitting = self.faults.iter_mut().filter(|fault| fault.rule["on"]["operation"] == meta.id);
        fitting.find_map(Fault::strike)
    }
}

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let id = match model.faults.len() {
        0 => "sim-add-fault",
        1..4 if dice.one_in(3) => WITH_LIST,
        1..4 => dice.pick(&OPERATIONS),
        _ => "sim-set-faults",
    };
    Some(rule_with(id).draw(dice, model))
}
