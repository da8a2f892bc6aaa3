//! Seed files declare the content of a world and its state. People write them in TOML or JSON. A whole world can also
//! be exported as such a file.
//!
//! Operations, called by the simulator's driver, bring about what a seed declares. Their order makes sure that every
//! declared state holds at the same time. So a seed cannot declare a state that a client could never meet, and a
//! seed is refused if an operation refuses. An exported world holds its rows instead, because no list of calls would
//! lead to the same identifiers.

#[cfg_attr(not(feature = "analytics"), path = "without_analytics.rs")]
mod analytics;
mod call;
mod check;
mod fill;
mod life;
mod place;
mod play;
mod project;
pub mod scenario;
mod schema;
mod text;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::{ToSchema, near};

use crate::engine::fault::Fault;
use crate::engine::{Builder, OrganizationSpec, Registry, SingleTenant, State};
use crate::management;
use crate::{Error, Policy, Profile, Role, Simulator, Timestamp, UserSpec, World};

pub use self::call::CallSeed;
pub use self::project::ProjectSeed;
pub use self::schema::schema;

/// How many calls a seed may ask for.
const CALLS_MAX: u64 = 100_000;

/// How many users, organizations and members a seed may have.
const PEOPLE_MAX: usize = 100_000;

/// The services of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Services {
    /// The management API.
    #[default]
    Management,
    /// The analytics server.
    Analytics,
    /// Both, on one clock.
    Both,
}

impl Services {
    fn is_management(&self) -> bool {
        *self == Services::Management
    }
}

/// A world as data: the content of a seed file.
///
/// ```
/// use sim_core::seed::{ProjectSeed, Seed};
/// use sim_core::management::project::{ListProjects, Status};
///
/// let seed = Seed::new()
///     .project(ProjectSeed::named("shop").secret("PAYMENT_KEY", "sk").branch("dev"))
///     .project(ProjectSeed::named("old").paused());
/// let mut sim = seed.build()?;
/// let statuses: Vec<_> = sim.call(ListProjects {})?.iter().map(|project| project.status).collect();
/// assert_eq!(statuses, [Status::ActiveHealthy, Status::Inactive]);
///
/// let same = Seed::parse("
///     [[projects]]
///     name = 'shop'
///     secrets = { PAYMENT_KEY = 'sk' }
///     branches = [{ branch_name = 'dev' }]
///
///     [[projects]]
///     name = 'old'
///     status = 'INACTIVE'
/// ")?;
/// assert_eq!(same.build()?.journal_hash(), seed.build()?.journal_hash());
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Seed {
    /// The services of the world.
    #[serde(skip_serializing_if = "Services::is_management")]
    pub service: Services,
    /// Whether calls to `/v1` become events of the analytics server; needs both services.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub self_log: bool,
    /// The seed of everything random.
    pub seed: u64,
    /// The time of the clock at the start; 2026-01-01T00:00:00Z by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub start: Option<Timestamp>,
    /// Users. Without them there is one user `owner`; without organizations, too, `owner` owns `Acme` on the pro plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Vec<UserSpec>>,
    /// Organizations, with their members by user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organizations: Option<Vec<OrganizationSpec>>,
    /// The single tenant of the analytics server. Next to `/v1` the analytics server always has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_tenant: Option<SingleTenant>,
    /// How the world behaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Its profile: its names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Projects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<ProjectSeed>,
    /// Calls and pauses, made in this order after everything else is declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallSeed>,
    /// Fault rules, added after these calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// The state of an exported world. It is given with the setup of the world only, and no other content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// The file that the seed was read from, for the places of errors.
    #[serde(skip)]
    pub text: Option<Arc<str>>,
    /// All other content of the world: each field has the input of the operation that creates it.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Seed {
    /// A world with every default.
    pub fn new() -> Seed {
        Seed::default()
    }

    /// Sets the seed of all random values.
    #[must_use]
    pub fn seed(self, seed: u64) -> Seed {
        Seed { seed, ..self }
    }

    /// Sets the time at which the world begins.
    #[must_use]
    pub fn start(self, start: Timestamp) -> Seed {
        Seed { start: Some(start), ..self }
    }

    /// Sets the policy: how the world behaves.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Seed {
        Seed { policy: Some(policy), ..self }
    }

    /// Sets the profile: the names that the world uses.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Seed {
        Seed { profile: Some(profile), ..self }
    }

    /// Sets the services.
    #[must_use]
    pub fn service(self, service: Services) -> Seed {
        Seed { service, ..self }
    }

    /// Adds a user.
    #[must_use]
    pub fn user(mut self, user: UserSpec) -> Seed {
        self.users.get_or_insert_default().push(user);
        self
    }

    /// Adds an organization on `plan`. Its `members` are given by user name and role.
    #[must_use]
    pub fn organization(mut self, name: &str, plan: &str, members: &[(&str, Role)]) -> Seed {
        let organizations = World::empty().organization(name, plan, members).organizations;
        self.organizations.get_or_insert_default().extend(organizations);
        self
    }

    /// Replaces the users, organizations and single tenant.
    #[must_use]
    pub fn world(self, world: World) -> Seed {
        let World { users, organizations, single_tenant } = world;
        Seed { users: Some(users), organizations: Some(organizations), single_tenant, ..self }
    }

    /// Adds a project.
    #[must_use]
    pub fn project(mut self, project: ProjectSeed) -> Seed {
        self.projects.push(project);
        self
    }

    /// Adds a call at the end.
    #[must_use]
    pub fn call(mut self, call: CallSeed) -> Seed {
        self.calls.push(call);
        self
    }

    /// Advances the clock at the end.
    #[must_use]
    pub fn advance(self, by: Duration) -> Seed {
        let advance_us = u64::try_from(by.as_micros()).ok();
        self.call(CallSeed { advance_us, ..CallSeed::default() })
    }

    /// Adds a fault rule.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Seed {
        self.faults.push(fault);
        self
    }

    /// Sets the DNS records of a name: `cname`, `txt`, `caa`.
    #[must_use]
    pub fn dns(mut self, name: &str, records: Value) -> Seed {
        fill::put(&mut self.more, "dns", name, records);
        self
    }

    /// Adds an OAuth app: the input of its registration, and `authorized_by`, a list of user names.
    #[must_use]
    pub fn app(self, app: Value) -> Seed {
        self.with("apps", app)
    }

    /// Adds a source of the analytics server.
    #[must_use]
    pub fn source(self, source: Value) -> Seed {
        self.with("sources", source)
    }

    /// Adds a backend of the analytics server: the input of its creation, and `sources`, the names of the sources
    /// whose events it receives.
    #[must_use]
    pub fn backend(self, backend: Value) -> Seed {
        self.with("backends", backend)
    }

    /// Adds a rule of the analytics server: `source`, `sink` or `backend`, all by name, and `lql_string`.
    #[must_use]
    pub fn rule(self, rule: Value) -> Seed {
        self.with("rules", rule)
    }

    /// Adds an access token of the analytics server.
    #[must_use]
    pub fn access_token(self, token: Value) -> Seed {
        self.with("access_tokens", token)
    }

    /// Adds an alert of the analytics server.
    #[must_use]
    pub fn alert(self, alert: Value) -> Seed {
        self.with("alerts", alert)
    }

    /// Adds a team of the analytics server.
    #[must_use]
    pub fn team(self, team: Value) -> Seed {
        self.with("teams", team)
    }

    /// Adds a query endpoint of the analytics server.
    #[must_use]
    pub fn endpoint(self, endpoint: Value) -> Seed {
        self.with("endpoints", endpoint)
    }

    /// Adds a delivery of events to the analytics server: `source` or `source_name`, and `body`.
    #[must_use]
    pub fn events(self, delivery: Value) -> Seed {
        self.with("events", delivery)
    }

    /// Adds a log event of the platform's services.
    #[must_use]
    pub fn log(self, event: Value) -> Seed {
        self.with("logs", event)
    }

    /// Sets options of an organization, by its slug.
    #[must_use]
    pub fn options(mut self, slug: &str, options: Value) -> Seed {
        fill::put(&mut self.more, "options", slug, options);
        self
    }

    /// Sets up the analytics server for a single tenant, as it is beside `/v1`.
    #[must_use]
    pub fn single_tenant(self, tenant: SingleTenant) -> Seed {
        Seed { single_tenant: Some(tenant), ..self }
    }

    /// Selects both services, and records calls to `/v1` as events of the analytics server.
    #[must_use]
    pub fn self_log(self) -> Seed {
        Seed { self_log: true, ..self }.service(Services::Both)
    }

    /// Adds an element to a field that is a list, such as `"teams"`.
    #[must_use]
    pub fn with(mut self, kind: &str, input: Value) -> Seed {
        fill::push(&mut self.more, kind, input);
        self
    }

    /// Returns a builder of the world. The setup can still be changed there.
    ///
    /// # Errors
    ///
    /// When the seed contradicts itself. Refusals of operations are found later, when the world is built.
    pub fn begin(&self) -> Result<Builder, Error> {
        self.check().map_err(|error| self.placed(error))?;
        let policy = self.policy.clone().unwrap_or_default();
        let begun = match (self.service, &self.single_tenant) {
            (Services::Management, _) => {
                Builder::new(management::registry()).policy(policy).world(self.people())
            }
            (Services::Both, tenant) => {
                let begun = Builder::new(management::registry()).policy(policy).world(self.people());
                analytics::beside(begun, tenant.as_ref())?
            }
            (Services::Analytics, _) => analytics::alone(self, policy)?,
        };
        let begun = if self.self_log { analytics::with_self_log(begun)? } else { begun };
        let begun = begun.seed(self.seed).profile(self.profile.clone().unwrap_or_default());
        let begun = match self.start {
            Some(start) => begun.start(start),
            None => begun,
        };
        let seed = self.clone();
        Ok(begun.doing_first(Box::new(move |sim| play::play(&seed, sim).map_err(|error| seed.placed(error)))))
    }

    /// Builds the world, or reports which field is wrong.
    pub fn build(&self) -> Result<Simulator, Error> {
        self.begin()?.try_build()
    }

    /// The users and organizations at the beginning.
    pub fn people(&self) -> World {
        let single_tenant = self.single_tenant.clone().filter(|_| self.service == Services::Analytics);
        if self.users.is_none() && self.organizations.is_none() {
            return World { single_tenant, ..World::default() };
        }
        let (users, organizations) = (self.users.clone(), self.organizations.clone());
        World {
            users: users.unwrap_or_else(|| World::default().users),
            organizations: organizations.unwrap_or_default(),
            single_tenant,
        }
    }
}

impl Simulator {
    /// Exports this world as a seed. The seed's world has the same rows, identifiers, clock, random values, scheduled
    /// work and journal. So it answers every read with the same bytes, and every later call as this world would.
    ///
    /// The seed contains secrets. Refuses with 409 if databases or events are on a server.
    ///
    /// ```
    /// use sim_core::management::project::{CreateProject, ListProjects};
    /// use sim_core::seed::Seed;
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().seed(7).build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let file = sim.export()?.to_toml();
    /// let mut again = Seed::parse(&file)?.build()?;
    /// assert_eq!(again.call(ListProjects {})?, sim.call(ListProjects {})?);
    /// assert_eq!(again.journal(), sim.journal());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn export(&self) -> Result<Seed, Error> {
        Ok(Seed { state: Some(self.state()?), ..self.beginning() })
    }

    /// The beginning of this world, without any calls: services, users and organizations, seed, start, policy,
    /// profile.
    ///
    /// ```
    /// use sim_core::Simulator;
    ///
    /// let sim = Simulator::builder().seed(7).build();
    /// assert_eq!(sim.beginning().build()?.token(), sim.token());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn beginning(&self) -> Seed {
        let setup = self.setup();
        let World { users, organizations, single_tenant } = setup.world.clone();
        let is_analytics = analytics::registry().is_some_and(|other| std::ptr::eq(self.registry(), other));
        let (service, single_tenant) = match self.beside() {
            Some(beside) => (Services::Both, beside.world().single_tenant.clone()),
            None if is_analytics => (Services::Analytics, single_tenant),
            None => (Services::Management, None),
        };
        Seed {
            service,
            self_log: self.is_heard(),
            seed: setup.seed,
            start: Some(setup.start),
            users: Some(users),
            organizations: Some(organizations),
            single_tenant,
            policy: Some(setup.policy.clone()),
            profile: Some(setup.profile.clone()),
            ..Seed::default()
        }
    }
}

/// The registries of the services in this build.
fn registries() -> impl Iterator<Item = &'static Registry> {
    [Some(management::registry()), analytics::registry()].into_iter().flatten()
}

/// Refuses a field of a seed.
fn wrong(field: &str, text: &str) -> Error {
    Error::invalid(format!("invalid_seed.{field}"), format!("{field}: {text}"))
}

/// Turns an operation's refusal into the refusal of a field.
fn due_to(field: &str, error: &Error) -> Error {
    wrong(field, &near::explained(&error.message))
}
