//! Prepares a service to run, once per process. A blank world is prepared immediately. Operations and tasks are
//! listed, paths routed and schemas compiled on first use, so that a process with few kinds of calls starts fast.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{HeaderName, Request};
use sim_base::Edition;
use sim_base::error::Error;
use sim_base::jobs::TaskEntry;
use sim_base::operation::{Meta, Operation, Resource, Service};
use sim_base::profile::Profile;
use sim_base::request::Sent;
use sim_base::store::Pool;
use sim_base::{fetch, identity, jobs, rng};

use super::contract::{Contract, Registered};
use super::input;
use crate::engine::service::names::Names;

/// A service prepared to run.
pub struct Registry {
    pub(crate) service: &'static Service,
    /// Resources that every service has.
    own: &'static [Resource],
    pub(crate) pool: Arc<Pool>,
    tasks: OnceLock<BTreeMap<&'static str, TaskEntry>>,
    headers_read: OnceLock<Vec<HeaderName>>,
    /// What each edition has, in the order of [`Edition::ALL`].
    contracts: [OnceLock<Contract>; Edition::ALL.len()],
}

impl Registry {
    /// Prepares `service`, with the resources `own` that the engine adds to every service.
    ///
    /// # Panics
    ///
    /// If its tables contradict each other, which is a defect of the service.
    pub(crate) fn with(service: &'static Service, own: &'static [Resource]) -> Registry {
        let pool = Pool::prepared(&tables(service, own), service.blank, service.databases);
        Registry {
            service,
            own,
            pool: pool.expect("the tables are valid SQL"),
            tasks: OnceLock::new(),
            headers_read: OnceLock::new(),
            contracts: [const { OnceLock::new() }; _],
        }
    }

    /// Builds a blank world from the service's tables, in the format of [`Service::blank`].
    pub fn blank(&self) -> Vec<u8> {
        let tables = tables(self.service, self.own);
        Pool::new(&tables.concat(), self.service.databases).expect("the tables are valid SQL").pack(&tables)
    }

    /// The service's name: `management`. It distinguishes the services of a world that has two.
    pub fn name(&self) -> &'static str {
        self.service.name
    }

    /// The declaration of every operation of every edition, in the service's order.
    pub fn operations(&self) -> impl Iterator<Item = &'static Meta> {
        resources(self.service, self.own).flat_map(|one| one.operations).map(|entry| &entry.meta)
    }

    /// The service as `edition` has it.
    pub(crate) fn contract(&self, edition: Edition) -> &Contract {
        let make = || Contract::new(self.service, edition, resources(self.service, self.own));
        self.contracts[edition.index()].get_or_init(make)
    }

    /// Whether one of the editions has that operation.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.known(id).is_some()
    }

    /// The operation with this id, as the newest edition that has it has it.
    pub(crate) fn known(&self, id: &str) -> Option<&Registered> {
        Edition::ALL.into_iter().rev().find_map(|edition| self.contract(edition).by_id(id))
    }

    /// The newest edition's contract.
    pub(crate) fn newest(&self) -> &Contract {
        self.contract(Edition::TODAY)
    }

    /// Parses `request`, in the neutral names, as the typed operation `O`. Refuses a request that is invalid or for
    /// another operation.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use http::Request;
    /// use sim_core::management::{self, project::GetProject};
    ///
    /// let request = Request::get("/v1/projects/abcdefghijklmnopqrst").body(Bytes::new())?;
    /// let typed: GetProject = management::registry().read(&request)?;
    /// assert_eq!(typed.r#ref.0, "abcdefghijklmnopqrst");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<O: Operation>(&self, request: &Request<Bytes>) -> Result<O, Error> {
        let matched = self.newest().route(request.method().as_str(), request.uri().path())?;
        let id = matched.operation.entry.meta.id;
        if id != O::META.id {
            let text = format!("the request is for {id}, not for {}", O::META.id);
            return Err(Error::invalid("another_operation", text));
        }
        let sent = Sent::of(request, matched.operation.entry.meta.headers, self.service.manner);
        let read = input::read_input(&matched, &sent, &Names::default(), &Profile::default())?;
        serde_json::from_value(read.fields).map_err(|error| Error::invalid("invalid_body", error.to_string()))
    }

    /// The names that its operations declare in any edition: fields, parameters and the values of enums.
    pub fn declared(&self) -> BTreeSet<String> {
        Edition::ALL
            .into_iter()
            .flat_map(|edition| self.contract(edition).declared().iter().cloned())
            .collect()
    }

    /// Refuses a profile with which this service can't run in every edition.
    pub fn check_profile(&self, profile: &Profile) -> Result<(), Error> {
        profile.check()?;
        Edition::ALL.into_iter().try_for_each(|edition| {
            Names::new(profile, || self.contract(edition).declared().clone()).map(|_| ())
        })
    }

    /// Background work of all resources, by kind.
    pub(crate) fn tasks(&self) -> &BTreeMap<&'static str, TaskEntry> {
        let all = || resources(self.service, self.own).flat_map(|one| one.tasks);
        self.tasks.get_or_init(|| all().map(|task| (task.kind, *task)).collect())
    }

    /// The headers that answers depend on.
    pub(crate) fn headers_read(&self) -> &[HeaderName] {
        self.headers_read
            .get_or_init(|| sim_base::request::headers_read(self.service.manner, self.operations()))
    }
}

/// The resources of a service, after those that every service has.
fn resources(service: &'static Service, own: &'static [Resource]) -> impl Iterator<Item = &'static Resource> {
    own.iter().chain(service.resources())
}

/// The tables that every service has, and those of all resources of this one.
fn tables(service: &'static Service, own: &'static [Resource]) -> Vec<&'static str> {
    let all = [rng::TABLES, identity::TABLES, jobs::TABLES, fetch::TABLES];
    all.into_iter().chain(resources(service, own).map(|one| one.tables)).collect()
}
