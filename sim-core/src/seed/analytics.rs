//! Declarations of seeds for the analytics server.

use serde_json::Value;
use sim_base::near;

use super::fill::Filled;
use super::play::look;
use super::{Seed, due_to, wrong};
use crate::analytics::backend::{AttachBackend, CreateBackend, ListBackends};
use crate::analytics::ingest::Ingest;
use crate::analytics::platform;
use crate::analytics::rule::CreateRule;
use crate::analytics::source::{ListSources, Source};
use crate::engine::{Builder, Registry, SingleTenant};
use crate::{Error, Operation as _, Policy, Simulator};

/// The field of a backend that lists names of sources.
const ATTACHED_TO: &str = "sources";

/// The registry of the analytics server.
pub(super) fn registry() -> Option<&'static Registry> {
    Some(crate::analytics::registry())
}

/// Begins a world with only the analytics server.
pub(super) fn alone(seed: &Seed, policy: Policy) -> Result<Builder, Error> {
    Ok(match &seed.single_tenant {
        Some(tenant) if seed.users.is_none() => platform::single_tenant(tenant, policy),
        _ => Builder::new(crate::analytics::registry()).policy(policy).world(seed.people()),
    })
}

/// Adds the analytics server to a world of the management API.
pub(super) fn beside(begun: Builder, tenant: Option<&SingleTenant>) -> Result<Builder, Error> {
    let platform = SingleTenant { platform: true, ..SingleTenant::default() };
    Ok(begun.with_analytics(tenant.unwrap_or(&platform)))
}

/// Records calls to `/v1` as events of the analytics server.
pub(super) fn with_self_log(begun: Builder) -> Result<Builder, Error> {
    Ok(begun.with_self_log())
}

/// Makes what a field declares.
pub(super) fn make(filled: Filled, sim: &mut Simulator) -> Result<(), Error> {
    match filled.operation {
        id if id == CreateBackend::META.id => attach(filled, sim),
        id if id == CreateRule::META.id => with_numbers(filled, sim)?.make(sim).map(drop),
        id if id == Ingest::META.id => as_text(filled).make(sim).map(drop),
        _ => filled.make(sim).map(drop),
    }
}

/// Makes a backend and attaches it to the named sources.
fn attach(mut filled: Filled, sim: &mut Simulator) -> Result<(), Error> {
    let at = format!("{}.{ATTACHED_TO}", filled.at);
    let names = match filled.input.shift_remove(ATTACHED_TO) {
        Some(names) => serde_json::from_value::<Vec<String>>(names)
            .map_err(|_| wrong(&at, "must be a list of names of sources"))?,
        None => Vec::new(),
    };
    let made = filled.make(sim)?;
    for name in names {
        let token = source_named(&name, &at, sim)?.token;
        let backend_token = made["token"].as_str().unwrap_or_default().to_owned();
        sim.as_admin().call(AttachBackend { token, backend_token }).map_err(|error| due_to(&at, &error))?;
    }
    Ok(())
}

/// Replaces the names in a rule by ids and tokens.
fn with_numbers(mut filled: Filled, sim: &Simulator) -> Result<Filled, Error> {
    let mut named = |field: &str| match filled.input.shift_remove(field) {
        Some(Value::String(name)) => Ok(Some((name, format!("{}.{field}", filled.at)))),
        Some(_) => Err(wrong(&format!("{}.{field}", filled.at), "must be a name")),
        None => Ok(None),
    };
    let (source, sink, backend) = (named("source")?, named("sink")?, named("backend")?);
    if let Some((name, at)) = source {
        filled.input.insert("source_id".to_owned(), source_named(&name, &at, sim)?.id.into());
    }
    if let Some((name, at)) = sink {
        filled.input.insert("sink".to_owned(), source_named(&name, &at, sim)?.token.into());
    }
    if let Some((name, at)) = backend {
        let backends = look(sim, ListBackends::default())?;
        let found = backends.iter().find(|backend| backend.name == name).ok_or_else(|| {
            let question = near::question(&name, backends.iter().map(|backend| backend.name.as_str()));
            wrong(&at, &format!("there is no backend {name:?}{question}"))
        })?;
        filled.input.insert("backend_id".to_owned(), found.id.into());
    }
    Ok(filled)
}

fn source_named(name: &str, at: &str, sim: &Simulator) -> Result<Source, Error> {
    let sources = look(sim, ListSources {})?;
    let question = near::question(name, sources.iter().map(|source| source.name.as_str()));
    let found = sources.into_iter().find(|source| source.name == name);
    found.ok_or_else(|| wrong(at, &format!("there is no source {name:?}{question}")))
}

/// Converts events to the text that a client would send.
fn as_text(mut filled: Filled) -> Filled {
    if let Some(body) = filled.input.get_mut("body").filter(|body| !body.is_string()) {
        *body = body.to_string().into();
    }
    filled
}
