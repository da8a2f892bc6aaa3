//! `/v2`: accounts whose private networks reach projects' databases.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::v2::private_link::{
    CreateAssociation, DeleteAssociation, DeleteAssociationOfDatabase, ListAssociations,
};
use sim_core::{Operation as _, Timestamp};

use super::rule::{Asked, Group, Rule, done};
use super::time::later;
use super::{Model, merged, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[("sim-set-plan", |what| what.with(json!({ "plan": "team" })))],
    next,
    works: &[],
};

const ACCOUNTS: [Text; 2] = ["123456789012", "000000000001"];

const RULES: &[Rule] = &[
    Rule::write(CreateAssociation::META, "projects:write", |model, asked| {
        let project = asked.project();
        if !["team", "enterprise"].contains(&model.plan(project)) {
            return Err(403);
        }
        let account =
            asked.body("data")["attributes"]["cloud_a_account_id"].as_str().unwrap_or_default().to_owned();
        if model.links.iter().any(|one| one.project == project && one.account == account) {
            return Err(400);
        }
        model.links.push(Link { project, account, since: model.now });
        let made = model.links.last().map(|link| link.shown(model.now));
        Ok(json!({ "data": made }))
    })
    .call(|dice, _, what| what.with(document(json!({ "cloud_a_account_id": dice.pick(&ACCOUNTS) }))))
    .bodies(|| {
        let with = |field: &str, value: Value| {
            document(merged(json!({ "cloud_a_account_id": ACCOUNTS[0] }), json!({ field: value })))
        };
        vec![
            json!({}),
            document(json!({})),
            with("cloud_a_account_id", json!("12345678901")),
            with("cloud_a_account_id", json!("12345678901x")),
            with("account_name", json!("x".repeat(129))),
        ]
    }),
    Rule::read(ListAssociations::META, "projects:read", |model, asked| {
        let mine = model.links.iter().filter(|one| one.project == asked.project());
        Ok(json!({ "data": mine.map(|one| one.shown(model.now)).collect::<Vec<_>>() }))
    }),
    Rule::write(DeleteAssociationOfDatabase::META, "projects:write", |model, asked| {
        let is_own = asked.what.part("database_identifier") == format!("{{project {}}}", asked.project());
        if is_own && model.unlink(asked) { done() } else { Err(404) }
    })
    .call(|dice, model, what| {
        let database = what.part("ref").to_owned();
        some_account(dice, model, what).at("database_identifier", database)
    }),
    Rule::write(DeleteAssociation::META, "projects:write", |model, asked| {
        if model.unlink(asked) { done() } else { Err(404) }
    })
    .call(some_account),
];

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let rule = dice.pick(&[
        rule_of::<CreateAssociation>(),
        rule_of::<CreateAssociation>(),
        rule_of::<ListAssociations>(),
        rule_of::<DeleteAssociationOfDatabase>(),
        rule_of::<DeleteAssociation>(),
    ]);
    Some(rule.for_project(dice, model, 0))
}

fn document(attributes: Value) -> Value {
    json!({ "data": { "type": "private_link_association", "attributes": attributes } })
}

fn some_account(dice: &mut Dice, _: &Model, what: What) -> What {
    what.at("cloud_a_account_id", dice.pick(&ACCOUNTS))
}

/// An account whose private network reaches a project's own database.
#[derive(Clone, Debug)]
pub(super) struct Link {
    project: usize,
    account: String,
    since: Timestamp,
}

impl Link {
    fn shown(&self, now: Timestamp) -> Value {
        let is_ready = later(self.since, Duration::from_secs(60)) <= now;
        json!({ "attributes": {
            "cloud_a_account_id": self.account,
            "database_identifier": format!("{{project {}}}", self.project),
            "status": if is_ready { "READY" } else { "CREATING" },
        } })
    }
}

impl Model {
    /// Whether the account in the path reached the project's database, which it does no longer.
    fn unlink(&mut self, asked: &Asked<'_>) -> bool {
        let (project, account) = (asked.project(), asked.what.part("cloud_a_account_id").to_owned());
        let before = self.links.len();
        self.links.retain(|one| one.project != project || one.account != account);
        self.links.len() < before
    }
}

impl Model {
    pub(super) fn has_link(&self, project: usize) -> bool {
        self.links.iter().any(|link| link.project == project)
    }
}
