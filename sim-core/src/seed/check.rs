//! What a seed is refused for before anything is made.

use std::collections::BTreeSet;

use sim_base::near;

use super::{CALLS_MAX, PEOPLE_MAX, Seed, Services, fill, wrong};
use crate::engine::{OrganizationSpec, settings};
use crate::management::organization::Plan;
use crate::{Error, World};

impl Seed {
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.self_log && self.service != Services::Both {
            return Err(wrong("self_log", "needs service = \"both\""));
        }
        if self.single_tenant.is_some() && self.service == Services::Management {
            return Err(wrong(
                "single_tenant",
                "is for the analytics server; give service = \"both\" or \"analytics\"",
            ));
        }
        if self.service == Services::Analytics && !self.projects.is_empty() {
            return Err(wrong("projects", "the analytics server has none; give service = \"both\""));
        }
        self.policy.as_ref().map_or(Ok(()), settings::check)?;
        self.check_users()?;
        self.check_organizations()?;
        fill::WORLD.check::<Seed>(&self.more, "")?;
        let mut calls = 0_u64;
        let mut count = |at: &str, more: u64| {
            calls += more;
            let text = || format!("makes {calls} calls with those before; a seed makes at most {CALLS_MAX}");
            if calls > CALLS_MAX { Err(wrong(at, &text())) } else { Ok(()) }
        };
        for (index, project) in self.projects.iter().enumerate() {
            let at = format!("projects.{index}");
            project.check(&at)?;
            count(&at, project.calls())?;
        }
        for (index, call) in self.calls.iter().enumerate() {
            if call.times == Some(0) {
                return Err(wrong(&format!("calls.{index}.times"), "must be at least 1"));
            }
            count(&format!("calls.{index}.times"), call.times.unwrap_or(1).into())?;
        }
        let declared = [
            ("projects", self.projects.is_empty()),
            ("calls", self.calls.is_empty()),
            ("faults", self.faults.is_empty()),
        ];
        let declared = declared.iter().filter(|(_, is_empty)| !is_empty).map(|(name, _)| *name);
        match declared.chain(self.more.keys().map(String::as_str)).next() {
            Some(name) if self.state.is_some() => {
                Err(wrong(name, "can't stand beside `state`, which is the whole of a world"))
            }
            _ => Ok(()),
        }
    }

    fn check_users(&self) -> Result<(), Error> {
        let users = self.users.as_deref().unwrap_or_default();
        let members = self.organizations.iter().flatten().map(|organization| 1 + organization.members.len());
        let people = users.len() + members.sum::<usize>();
        if people > PEOPLE_MAX {
            let text =
                format!("{people} with organizations and their members; a seed has at most {PEOPLE_MAX}");
            return Err(wrong("users", &text));
        }
        let mut known = BTreeSet::new();
        for (index, user) in users.iter().enumerate() {
            let at = |field: &str| format!("users.{index}.{field}");
            if user.name.trim().is_empty() {
                return Err(wrong(&at("name"), "must not be empty"));
            }
            if !known.insert(&user.name) {
                return Err(wrong(&at("name"), &format!("there is another user {:?}", user.name)));
            }
            let is_bad = |token: &String| token.is_empty() || token.contains(char::is_whitespace);
            if let Some(bad) = user.tokens.iter().position(is_bad) {
                let text = "must be a text without white space";
                return Err(wrong(&at(&format!("tokens.{bad}")), text));
            }
        }
        Ok(())
    }

    fn check_organizations(&self) -> Result<(), Error> {
        let World { users, organizations, .. } = self.people();
        let names: BTreeSet<&str> = users.iter().map(|user| &*user.name).collect();
        let mut all = organizations.iter().enumerate();
        all.try_for_each(|(index, organization)| {
            check_organization(&format!("organizations.{index}"), organization, &names)
        })
    }
}

fn check_organization(
    at: &str,
    organization: &OrganizationSpec,
    users: &BTreeSet<&str>,
) -> Result<(), Error> {
    let OrganizationSpec { plan, members, .. } = organization;
    let plans = Plan::ALL.map(Plan::as_str);
    if !plans.contains(&&**plan) {
        let question = near::question(plan, plans);
        let text = format!("{plan:?} is none of {}{question}", plans.join(", "));
        return Err(wrong(&format!("{at}.plan"), &text));
    }
    match members.keys().find(|name| !users.contains(name.as_str())) {
        Some(name) => {
            let question = near::question(name, users.iter().copied());
            Err(wrong(&format!("{at}.members"), &format!("there is no user {name:?}{question}")))
        }
        None => Ok(()),
    }
}
