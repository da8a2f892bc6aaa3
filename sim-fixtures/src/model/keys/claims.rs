//! Claims of a project by another organization.

use sim_core::Timestamp;
use sim_core::management::claim_token::{CreateClaimToken, DeleteClaimToken, GetClaimToken};
use sim_core::management::oauth_app::RegisterApp;
use sim_core::management::oauth_claim::AuthorizeProjectClaim;
use sim_core::management::organization::CreateOrganization;
use sim_core::management::project_claim::{ClaimProject, PreviewClaim};

use crate::model::projects::Project;
use crate::model::rule::Asked;
use crate::model::{Model, rule_of};
use crate::strategies::{Dice, Text, What};

/// A token with which a project can be claimed.
#[derive(Clone, Debug)]
pub(in crate::model) struct Claim {
    pub(super) project: usize,
    pub(super) until: Timestamp,
    /// Who made it.
    pub(super) user: Option<usize>,
    pub(super) is_open: bool,
}

impl Claim {
    pub(super) fn is_good(&self, now: Timestamp) -> bool {
        self.is_open && now < self.until
    }
}

/// A call that is valid for a claimable project; if there is none, a call that makes one claimable.
pub(super) fn claim(dice: &mut Dice, model: &Model) -> What {
    let is_open = |claim: &Claim| claim.is_good(model.now) && model.projects[claim.project].is_live();
    match model.claims.iter().position(is_open) {
        None => rule_of::<CreateClaimToken>().for_project(dice, model, 0),
        Some(open) => match dice.below(10) {
            8 if model.apps.is_empty() => rule_of::<RegisterApp>().draw(dice, model),
            8 | 9 => {
                let rule = rule_of::<AuthorizeProjectClaim>();
                crate::model::oauth::claim_of(What::of(rule), model, model.claims[open].project, 0)
            }
            0 | 1 => rule_of::<GetClaimToken>().for_project(dice, model, model.claims[open].project),
            2 => rule_of::<DeleteClaimToken>().for_project(dice, model, model.claims[open].project),
            // Another organization claims it, once there is one.
            _ if model.organizations.len() == 1 => rule_of::<CreateOrganization>().draw(dice, model),
            number => {
                let rule = if number < 5 { rule_of::<PreviewClaim>() } else { rule_of::<ClaimProject>() };
                let organization = model.organizations.len() - 1;
                What::of(rule)
                    .at("slug", format!("{{organization {organization}}}"))
                    .at("token", format!("{{claim {open}}}"))
            }
        },
    }
}

pub(super) fn some_claim(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("token", format!("{{claim {}}}", dice.below(model.claims.len() + 1)))
}

impl Model {
    /// The project of the token in the path, and when the token expires.
    pub(super) fn claimed(&self, asked: &Asked<'_>) -> Result<(usize, Timestamp), u16> {
        let claim = self.claims.get(asked.number("token")).filter(|claim| claim.is_good(self.now));
        let claim = claim.filter(|claim| !self.projects[claim.project].is_gone()).ok_or(404_u16)?;
        match self.projects[claim.project].is_live() {
            true => Ok((claim.project, claim.until)),
            false => Err(400),
        }
    }

    /// 404 without a valid claim token of the project.
    pub(in crate::model) fn require_claimable(&self, project: usize) -> Result<(), u16> {
        let is_there = |claim: &Claim| claim.project == project && claim.is_good(self.now);
        if self.claims.iter().any(is_there) { Ok(()) } else { Err(404) }
    }

    pub(in crate::model) fn withdraw_claims(&mut self, project: usize) {
        self.claims
            .iter_mut()
            .filter(|claim| claim.project == project)
            .for_each(|claim| claim.is_open = false);
    }

    /// What ends with a membership: the user's access to databases, and claims that the user made possible.
    pub(in crate::model) fn leave(&mut self, organization: usize, user: usize) {
        for number in 0..self.projects.len() {
            if self.projects[number].organization == organization {
                self.projects[number].access.roles.remove(&user);
                let own =
                    self.claims.iter_mut().filter(|one| one.project == number && one.user == Some(user));
                own.for_each(|claim| claim.is_open = false);
            }
        }
    }

    /// Why the organization can't claim the project.
    pub(in crate::model) fn obstacles_to_claim(&self, project: usize, organization: usize) -> Vec<Text> {
        let found = &self.projects[project];
        if found.is_branch {
            return vec!["project_is_branch"];
        }
        if found.organization == organization {
            return vec!["own_project"];
        }
        let is_other = |one: &&Project| one.organization == organization && one.is_listed();
        let is_taken = self.projects.iter().filter(is_other).any(|one| one.name == found.name);
        let rests = ["INACTIVE", "PAUSING"].contains(&found.status);
        let is_full = !rests && self.is_quota_full(organization, Some(project));
        let plan = &self.organizations[organization].plan;
        let (is_free, is_low) = (plan == "free", ["free", "pro"].contains(&&**plan));
        let is_large = !["pico", "nano", "micro"].contains(&&*found.size);
        let all = [
            (is_taken, "project_exists"),
            (is_full, "free_quota"),
            (is_free && !found.addons.is_empty(), "addons_present"),
            (is_free && is_large, "instance_too_large"),
            (is_free && self.replicas_of(project).next().is_some(), "replicas_present"),
            (is_free && self.has_branches(project), "branches_present"),
            (is_low && self.has_link(project), "links_present"),
        ];
        all.into_iter().filter_map(|(is_so, key)| is_so.then_some(key)).collect()
    }

    /// The project and its branches belong to the organization from now on.
    pub(in crate::model) fn hand_over(&mut self, project: usize, organization: usize) {
        let free = self.organizations[organization].plan == "free";
        self.withdraw_claims(project);
        let moved: Vec<_> = self.branch_projects(project).chain([project]).collect();
        for one in moved {
            self.projects[one].organization = organization;
            let members = &self.organizations[organization].members;
            self.projects[one].access.roles.retain(|user, _| members.contains_key(user));
            self.invites
                .iter_mut()
                .filter(|invite| invite.project == one)
                .for_each(|invite| invite.is_open = false);
            if free {
                self.projects[one].size = "nano".to_owned();
                self.projects[one].backups.lose_all();
            }
        }
    }
}
