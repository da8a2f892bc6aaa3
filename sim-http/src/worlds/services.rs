//! The services of a world, and the choice of one for a control call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::Registry;
use sim_core::{Error, Kind, Simulator, analytics, management};

/// The services of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Services {
    /// The management API.
    Management,
    /// The analytics server.
    Analytics,
    /// Both, on one clock.
    Both,
}

impl Services {
    pub(crate) fn of(sim: &Simulator) -> Services {
        match sim.beside() {
            Some(_) => Services::Both,
            None if is(sim, analytics::registry()) => Services::Analytics,
            None => Services::Management,
        }
    }
}

/// One of the services of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// The management API.
    Management,
    /// The analytics server.
    Analytics,
}

impl Service {
    /// The service of that name, or 400.
    pub(crate) fn named(name: &str) -> Result<Service, Error> {
        match name {
            "management" => Ok(Service::Management),
            "analytics" => Ok(Service::Analytics),
            _ => {
                let text = format!("service: must be management or analytics, received {name:?}");
                Err(Error::invalid("invalid_query.service", text))
            }
        }
    }
}

/// The simulator of one service of a world. By default it is the only service, or the management API of a world with both. 404 if
/// the world does not have the service.
pub(crate) fn simulator_of(sim: &Simulator, service: Option<Service>) -> Result<&Simulator, Error> {
    let Some(service) = service else { return Ok(sim) };
    let registry = match service {
        Service::Management => management::registry(),
        Service::Analytics => analytics::registry(),
    };
    let found = [Some(sim), sim.beside()].into_iter().flatten().find(|sim| is(sim, registry));
    found.ok_or_else(|| {
        let text =
            "service: this world does not have it; GET /_sim/worlds says which services each world has";
        Error::new(Kind::NotFound, "service_not_found", text)
    })
}

fn is(sim: &Simulator, registry: &Registry) -> bool {
    std::ptr::eq(sim.registry(), registry)
}
