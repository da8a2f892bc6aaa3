//! Temporary log-ins to a project's database, and invitations to them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sim_core::Timestamp;
use sim_core::management::jit_access::{
    AuthorizeJitAccess, DeleteJitAccess, UpdateJitAccess, UpdateJitConfig,
};
use sim_core::management::jit_invite::{AcceptJitInvite, DeleteJitInvite, InviteJitAccess};
use sim_core::management::ssl::UpdateSslEnforcement;

use crate::model::projects::Project;
use crate::model::rule::{Answer, Asked};
use crate::model::{Model, rule_of};
use crate::strategies::{Dice, Text, What};

/// Who has access to a project.
#[derive(Clone, Debug, Default)]
pub(in crate::model) struct Access {
    /// Whether members may log in to its database.
    pub(super) jit: bool,
    /// Roles by user.
    pub(super) roles: BTreeMap<usize, Value>,
}

/// An invitation to log in to a project's database.
#[derive(Clone, Debug)]
pub(in crate::model) struct Invite {
    pub(super) project: usize,
    pub(super) email: String,
    pub(super) roles: Value,
    pub(super) until: Timestamp,
    /// It was not accepted, replaced or deleted.
    pub(super) is_open: bool,
}

impl Invite {
    pub(super) fn is_good(&self, project: usize, now: Timestamp) -> bool {
        self.project == project && self.is_open && now < self.until
    }
}

/// A call that is valid for an open invitation; if there is none, a call that invites.
pub(super) fn invite(dice: &mut Dice, model: &Model) -> What {
    let is_open = |one: &Invite| one.is_good(one.project, model.now) && model.projects[one.project].is_live();
    let Some(open) = model.invites.iter().position(is_open) else {
        return rule_of::<InviteJitAccess>().for_project(dice, model, 0);
    };
    let (Invite { project, email, .. }, token) = (&model.invites[open], format!("{{invite {open}}}"));
    match dice.below(3) {
        0 => rule_of::<DeleteJitInvite>().for_project(dice, model, *project).at("invite_id", token),
        _ => {
            let body = json!({ "email": email, "token": token });
            rule_of::<AcceptJitInvite>().for_project(dice, model, *project).with(body)
        }
    }
}

/// Removes all access that members were given to a project.
pub(super) fn let_out(dice: &mut Dice, model: &Model) -> What {
    let inside = |one: &Project| one.access.roles.keys().next().copied();
    let found = model.projects.iter().enumerate().find_map(|(number, one)| Some((number, inside(one)?)));
    match found {
        None => let_in(model),
        Some((project, user)) => rule_of::<DeleteJitAccess>()
            .for_project(dice, model, project)
            .at("user_id", format!("{{user_id {user}}}")),
    }
}

/// The next step towards the owner's log-in to the newer project's database.
pub(super) fn let_in(model: &Model) -> What {
    let newer = model.projects.iter().position(|one| one.engine() == "17" && one.is_live()).unwrap_or(0);
    let at = |what: What| what.at("ref", format!("{{project {newer}}}"));
    let project = &model.projects[newer];
    if model.jit_obstacle(newer) == Some("ssl_enforcement_required") {
        let enforce = json!({ "requestedConfig": { "database": true } });
        return at(What::of(rule_of::<UpdateSslEnforcement>()).with(enforce));
    }
    if !project.access.jit {
        return at(What::of(rule_of::<UpdateJitConfig>()).with(json!({ "state": "enabled" })));
    }
    if !project.access.roles.contains_key(&0) {
        let owner = json!({ "user_id": "{user_id 0}", "roles": [{ "role": "postgres" }] });
        return at(What::of(rule_of::<UpdateJitAccess>()).with(owner));
    }
    at(What::of(rule_of::<AuthorizeJitAccess>()).with(json!({ "role": "postgres", "rhost": "203.0.113.10" })))
}

pub(super) fn authorize(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    if model.jit_obstacle(project).is_some() || !model.projects[project].access.jit {
        return Err(403);
    }
    let roles = asked.user.and_then(|user| model.jit_roles(project, user));
    let role = roles
        .into_iter()
        .flat_map(|roles| roles.as_array())
        .flatten()
        .find(|one| one["role"] == asked.text("role"));
    let role = role.ok_or(403_u16)?;
    let is_good = role["expires_at"].as_i64().is_none_or(|end| model.now.as_second() < end);
    let is_near = role["allowed_networks"].is_null() || asked.text("rhost").starts_with("203.0.113.");
    let is_here = role["branches_only"] != true || model.projects[project].is_branch;
    (is_good && is_near && is_here).then(|| json!({ "user_role": role })).ok_or(403)
}

impl Model {
    pub(super) fn open_invite(&self, project: usize, number: usize) -> Option<&Invite> {
        self.invites.get(number).filter(|invite| invite.is_good(project, self.now))
    }

    /// The user's roles in the project, or for a branch in its parent.
    pub(super) fn jit_roles(&self, project: usize, user: usize) -> Option<&Value> {
        let roles_in = |project: usize| self.projects[project].access.roles.get(&user);
        roles_in(project).or_else(|| roles_in(self.parent_of(project)?))
    }

    pub(super) fn jit_obstacle(&self, project: usize) -> Option<Text> {
        let found = &self.projects[project];
        if found.engine() == "15" {
            Some("postgres_upgrade_required")
        } else if !found.settings.ssl {
            Some("ssl_enforcement_required")
        } else if !found.is_active() {
            Some("temporarily_unavailable")
        } else {
            None
        }
    }

    pub(super) fn shown_jit(&self, project: usize) -> Value {
        let obstacle = self.jit_obstacle(project);
        let state = match obstacle {
            Some(_) => "unavailable",
            None if self.projects[project].access.jit => "enabled",
            None => "disabled",
        };
        json!({ "state": state, "unavailableReason": obstacle })
    }
}
