//! Applying a seed to a new world. Lasting states come first. Temporary states come next: each is begun early enough
//! that all are as declared at one time. Calls and faults come last.

use std::time::Duration;

use serde_json::{Map, Value};
use sim_base::near;

use super::analytics;
use super::fill::{self, Filled, refuse_unknown};
use super::life;
use super::{CallSeed, ProjectSeed, Seed, due_to, wrong};
use crate::engine::fault::AddFault;
use crate::management::oauth::{Authorize, ExchangeToken, GrantType};
use crate::management::oauth_app::{RegisterApp, RegisteredApp, SetConsent};
use crate::management::organization::ListOrganizations;
use crate::management::project::ListProjects;
use crate::{Error, Operation as _, Simulator};

/// The field of an app that lists the users who have authorized it.
const AUTHORIZED_BY: &str = "authorized_by";

/// Applies `seed` to a new world.
pub(super) fn play(seed: &Seed, sim: &mut Simulator) -> Result<(), Error> {
    if let Some(state) = &seed.state {
        return sim.restore_state(state);
    }
    for filled in fill::WORLD.calls(&seed.more, "")? {
        match filled.operation {
            id if id == RegisterApp::META.id => register(filled, sim)?,
            _ => analytics::make(filled, sim)?,
        }
    }
    let mut passing = Vec::new();
    for (index, project) in seed.projects.iter().enumerate() {
        let at = format!("projects.{index}");
        passing.extend(life::bring_up(project, &at, organization_of(project, sim, &at)?, sim)?);
    }
    life::pass_together(passing, sim)?;
    for (index, call) in seed.calls.iter().enumerate() {
        call.make(&format!("calls.{index}"), sim)?;
    }
    for (index, rule) in seed.faults.iter().enumerate() {
        let added = sim.as_admin().call(AddFault(rule.clone()));
        added.map_err(|error| due_to(&format!("faults.{index}"), &error))?;
    }
    Ok(())
}

/// Calls an operation on a fork, so that the world does not change.
pub(super) fn look<O: crate::Operation>(sim: &Simulator, operation: O) -> Result<O::Output, Error> {
    sim.fork().as_admin().call(operation)
}

/// The slug of a project's organization: the named one, or else the first.
fn organization_of(project: &ProjectSeed, sim: &Simulator, at: &str) -> Result<String, Error> {
    let slugs: Vec<String> = look(sim, ListOrganizations {})?.into_iter().map(|one| one.id).collect();
    let Some(first) = slugs.first() else {
        return Err(wrong(at, "needs an organization, and the world has none"));
    };
    let Some(named) = &project.organization else { return Ok(first.clone()) };
    if slugs.contains(named) {
        return Ok(named.clone());
    }
    let question = near::question(named, slugs.iter().map(String::as_str));
    let text =
        format!("must be a slug of an organization, {}, received {named:?}{question}", slugs.join(", "));
    Err(wrong(&format!("{at}.organization"), &text))
}

/// Registers an app and authorizes it for the named users.
fn register(mut filled: Filled, sim: &mut Simulator) -> Result<(), Error> {
    let at = filled.at.clone();
    let users: Vec<String> = match filled.input.shift_remove(AUTHORIZED_BY) {
        Some(users) => serde_json::from_value(users)
            .map_err(|_| wrong(&format!("{at}.{AUTHORIZED_BY}"), "must be a list of names of users"))?,
        None => Vec::new(),
    };
    let uris = filled.input.get("redirect_uris").cloned();
    let registered = filled.make(sim)?;
    let app: RegisteredApp = serde_json::from_value(registered).expect("the operation answers its output");
    let uri = uris.and_then(|uris| Some(uris.as_array()?.first()?.as_str()?.to_owned())).unwrap_or_default();
    let authorized = users.into_iter().try_for_each(|user| authorize(&app, &uri, user, sim));
    authorized.map_err(|error| due_to(&format!("{at}.{AUTHORIZED_BY}"), &error))
}

fn authorize(app: &RegisteredApp, uri: &str, user: String, sim: &mut Simulator) -> Result<(), Error> {
    let mut admin = sim.as_admin();
    admin.call(SetConsent { user: Some(user), granted: true, projects: None, once: None })?;
    let location = admin.call(Authorize::code(&app.client_id, uri))?.location;
    let code = location.rsplit_once("code=").map(|(_, code)| code.into());
    let exchange = ExchangeToken {
        grant_type: Some(GrantType::AuthorizationCode),
        client_id: Some(app.client_id.clone()),
        client_secret: Some(app.client_secret.clone()),
        code,
        code_verifier: None,
        redirect_uri: Some(uri.to_owned()),
        refresh_token: None,
        ..ExchangeToken::default()
    };
    admin.call(exchange).map(drop)
}

impl CallSeed {
    fn make(&self, at: &str, sim: &mut Simulator) -> Result<(), Error> {
        let micros =
            self.advance_us.unwrap_or(0).saturating_add(self.advance_ms.unwrap_or(0).saturating_mul(1000));
        sim.advance(Duration::from_micros(micros));
        let Some(operation) = &self.operation else {
            let is_time = self.advance_us.or(self.advance_ms).is_some();
            return if is_time { Ok(()) } else { Err(wrong(at, "must name an operation or let time go by")) };
        };
        if !sim.has_operation(operation) {
            let question = sim.operation_near(operation);
            let text = format!("there is no operation {operation:?} in this world{question}");
            return Err(wrong(&format!("{at}.operation"), &text));
        }
        let input = self.input(at, sim)?;
        refuse_unknown(sim, &format!("{at}.input"), operation, &input)?;
        for _ in 0..self.times.unwrap_or(1) {
            self.make_once(at, operation, input.clone(), sim)?;
        }
        Ok(())
    }

    fn input(&self, at: &str, sim: &Simulator) -> Result<Map<String, Value>, Error> {
        let mut input = self.input.clone();
        if let Some(name) = &self.project {
            let projects = look(sim, ListProjects {})?;
            let found = projects.iter().find(|project| project.name == *name).ok_or_else(|| {
                let question = near::question(name, projects.iter().map(|project| project.name.as_str()));
                wrong(&format!("{at}.project"), &format!("there is no project {name:?}{question}"))
            })?;
            input.insert("ref".to_owned(), found.id.0.clone().into());
        }
        Ok(input)
    }

    fn make_once(
        &self,
        at: &str,
        operation: &str,
        input: Map<String, Value>,
        sim: &mut Simulator,
    ) -> Result<(), Error> {
        let made = match self.caller.as_deref() {
            None => sim.as_admin().call_by_name(operation, input.into()),
            Some(name) => {
                let token = token_of(name, sim).ok_or_else(|| unknown_caller(at, name, sim))?;
                sim.as_user(&token).and_then(|user| user.call_by_name(operation, input.into()))
            }
        };
        match (made, &self.refused) {
            (Err(error), Some(reason)) if error.reason == *reason => Ok(()),
            (Err(error), _) => Err(due_to(at, &error)),
            (Ok(_), Some(_)) => Err(wrong(&format!("{at}.refused"), "the call is not refused")),
            (Ok(_), None) => Ok(()),
        }
    }
}

/// A token of a user whose text is known, not only its digest.
fn unknown_caller(at: &str, name: &str, sim: &Simulator) -> Error {
    let users = sim.halves().flat_map(|half| &half.world().users);
    let question = near::question(name, users.map(|user| user.name.as_str()).filter(|known| *known != name));
    wrong(&format!("{at}.as"), &format!("there is no user {name:?} with a token that is known{question}"))
}

fn token_of(name: &str, sim: &Simulator) -> Option<String> {
    let user = sim.halves().flat_map(|half| &half.world().users).find(|user| user.name == name)?;
    user.tokens.iter().find(|token| !token.starts_with("sha256:")).cloned()
}
