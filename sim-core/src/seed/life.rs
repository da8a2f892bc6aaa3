//! Bringing a project of a seed into its declared status.

use std::time::Duration;

use serde_json::{Map, Value};

use super::fill::{self, Filled, make};
use super::play::look;
use super::project::ProjectSeed;
use super::{due_to, wrong};
use crate::engine::{Operation, Outcome};
use crate::management::branch::{CreateBranch, ListBranches};
use crate::management::branch_workflow::BranchStatus;
use crate::management::catalog::InstanceSize;
use crate::management::health::{ServiceName, SetServiceHealth};
use crate::management::hostname::{ActivateHostname, GetHostname, InitializeHostname, ReverifyHostname};
use crate::management::hostname_progress::Status as HostnameStatus;
use crate::management::outcome::{SetNextOutcome, Work};
use crate::management::postgres_config::{PostgresConfig, UpdatePostgresConfig};
use crate::management::project::{DeleteProject, GetProject, PauseProject, ProjectRef, Status};
use crate::management::resize::ResizeProject;
use crate::management::restore::RestoreProject;
use crate::management::upgrade::{DatabaseUpgradeStatus, GetUpgradeStatus, SetUpgradeError, UpgradeProject};
use crate::management::upgrade_progress::UpgradeProgress;
use crate::{Error, Simulator, Timestamp};

/// How many times with due work to wait for a goal before giving up.
const LONGEST_WAIT: usize = 1000;
/// The default version that projects are upgraded to.
const UPGRADE_TO: &str = "17";
/// The status of an upgrade in progress.
const RUNNING: i64 = 0;

/// A temporary state: a call that must be made some time before the end, so that its goal is met at the end.
pub(super) struct Passing {
    at: String,
    /// The project. `None` means the project that the call creates.
    project: Option<ProjectRef>,
    operation: &'static str,
    input: Map<String, Value>,
    goal: Goal,
}

/// The declared status of a project, an upgrade or a branch.
#[derive(Clone, PartialEq)]
enum Goal {
    Project(Status),
    Upgrade(UpgradeProgress),
    Branch(String, BranchStatus),
}

impl Goal {
    fn is_met(&self, sim: &Simulator, project: &ProjectRef) -> bool {
        match self {
            Goal::Project(status) => status_of(sim, project) == Some(*status),
            Goal::Upgrade(step) => upgrade_of(sim, project).is_some_and(|upgrade| upgrade.progress == *step),
            Goal::Branch(name, status) => branch_status(sim, project, name) == Some(*status),
        }
    }
}

fn status_of(sim: &Simulator, project: &ProjectRef) -> Option<Status> {
    match look(sim, GetProject { r#ref: project.clone() }) {
        Ok(project) => Some(project.status),
        Err(error) => (error.reason == "project_removed").then_some(Status::Removed),
    }
}

fn upgrade_of(sim: &Simulator, project: &ProjectRef) -> Option<DatabaseUpgradeStatus> {
    look(sim, GetUpgradeStatus { r#ref: project.clone(), tracking_id: None }).ok()?.database_upgrade_status
}

fn branch_status(sim: &Simulator, project: &ProjectRef, name: &str) -> Option<BranchStatus> {
    let branches = look(sim, ListBranches { r#ref: project.clone() }).ok()?;
    branches.into_iter().find(|branch| branch.name == name).map(|branch| branch.status)
}

/// A project that is being brought up.
struct Life<'a> {
    at: &'a str,
    project: ProjectRef,
    sim: &'a mut Simulator,
}

/// Creates the project and brings about all lasting states. Returns the temporary ones.
pub(super) fn bring_up(
    seed: &ProjectSeed,
    at: &str,
    first_organization: String,
    sim: &mut Simulator,
) -> Result<Vec<Passing>, Error> {
    let create = seed.create(&first_organization);
    let status = seed.status.unwrap_or(Status::ActiveHealthy);
    if let Status::Unknown | Status::ComingUp = status {
        return Ok(vec![Passing::new(at, None, &create, Goal::Project(status))]);
    }
    if status == Status::InitFailed {
        fail_next(sim, at, Work::Create)?;
    }
    let created = sim.as_admin().call(create).map_err(|error| due_to(at, &error))?;
    let mut life = Life { at, project: created.id, sim };
    life.settle()?;
    if status == Status::InitFailed {
        return life.must_be(status).map(|()| Vec::new());
    }
    let mut passing = life.fill(seed)?;
    passing.extend(life.lead_to(status, seed)?);
    Ok(passing)
}

impl Life<'_> {
    fn field(&self, name: &str) -> String {
        format!("{}.{name}", self.at)
    }

    fn call<O: Operation>(&mut self, field: &str, operation: O) -> Result<O::Output, Error> {
        let at = self.field(field);
        self.sim.as_admin().call(operation).map_err(|error| due_to(&at, &error))
    }

    fn passing<O: Operation>(&self, field: &str, operation: &O, goal: Goal) -> Passing {
        Passing::new(&self.field(field), Some(self.project.clone()), operation, goal)
    }

    /// Advances the clock until the project's status is a lasting one.
    fn settle(&mut self) -> Result<(), Error> {
        let project = self.project.clone();
        wait(self.sim, &self.field("status"), |sim| !status_of(sim, &project).is_some_and(is_passing))
    }

    fn must_be(&self, status: Status) -> Result<(), Error> {
        match status_of(self.sim, &self.project) {
            Some(found) if found == status => Ok(()),
            found => {
                let found = found.map_or_else(|| "gone".to_owned(), |found| found.to_string());
                Err(wrong(
                    &self.field("status"),
                    &format!("{status} can't be had here; the project is {found}"),
                ))
            }
        }
    }

    fn fill(&mut self, seed: &ProjectSeed) -> Result<Vec<Passing>, Error> {
        let mut passing = Vec::new();
        for mut filled in fill::PROJECT.calls(&seed.more, self.at)? {
            let names_project = if filled.at.contains(".snippets.") { "project_ref" } else { "ref" };
            filled.input.insert(names_project.to_owned(), self.project.0.clone().into());
            match filled.operation {
                id if id == CreateBranch::META.id => passing.extend(self.branch(filled)?),
                id if id == InitializeHostname::META.id => self.hostname(filled, seed.hostname_status)?,
                _ => drop(filled.make(self.sim)?),
            }
            self.settle()?;
        }
        Ok(passing)
    }

    /// Makes a branch and waits for its status. If the declared status is a temporary one, returns it instead.
    fn branch(&mut self, mut filled: Filled) -> Result<Option<Passing>, Error> {
        let at = format!("{}.status", filled.at);
        let status = match filled.input.shift_remove("status") {
            Some(status) => serde_json::from_value(status).map_err(|error| wrong(&at, &error.to_string()))?,
            None => BranchStatus::FunctionsDeployed,
        };
        let name = filled.input.get("branch_name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let fails = match status {
            BranchStatus::MigrationsFailed => Some(Work::BranchMigrations),
            BranchStatus::FunctionsFailed => Some(Work::BranchFunctions),
            BranchStatus::FunctionsDeployed => None,
            _ => {
                let Filled { at, operation, input } = filled;
                let goal = Goal::Branch(name, status);
                return Ok(Some(Passing { at, project: Some(self.project.clone()), operation, input, goal }));
            }
        };
        if let Some(work) = fails {
            fail_next(self.sim, &at, work)?;
        }
        filled.make(self.sim)?;
        let project = self.project.clone();
        wait(self.sim, &at, |sim| branch_status(sim, &project, &name) == Some(status)).map(|()| None)
    }

    /// Sets a custom hostname and brings it into the declared status, with the DNS records that it needs.
    fn hostname(&mut self, filled: Filled, status: Option<HostnameStatus>) -> Result<(), Error> {
        filled.make(self.sim)?;
        let status = status.unwrap_or(HostnameStatus::Initiated);
        let r#ref = || self.project.clone();
        let (at, project) = (self.field("hostname_status"), self.project.clone());
        let progress = |sim: &Simulator| {
            look(sim, GetHostname { r#ref: project.clone() }).map(|hostname| hostname.status).ok()
        };
        if status > HostnameStatus::Initiated {
            wait(self.sim, &at, |sim| progress(sim) == Some(HostnameStatus::Initiated))?;
            let hostname = look(self.sim, GetHostname { r#ref: r#ref() })?;
            for record in hostname.wanted_records() {
                self.call("hostname", record)?;
            }
            self.call("hostname", ReverifyHostname { r#ref: self.project.clone() })?;
        }
        if status == HostnameStatus::ServicesReconfigured {
            wait(self.sim, &at, |sim| progress(sim) == Some(HostnameStatus::OriginSetupCompleted))?;
            self.call("hostname", ActivateHostname { r#ref: self.project.clone() })?;
        }
        wait(self.sim, &at, |sim| progress(sim) == Some(status))
    }

    /// Brings an active project into its declared status. If that status is a temporary one, returns it instead.
    fn lead_to(&mut self, status: Status, seed: &ProjectSeed) -> Result<Option<Passing>, Error> {
        let r#ref = self.project.clone();
        let status_at = self.field("status");
        match status {
            Status::ActiveHealthy | Status::ActiveUnhealthy => {
                self.upgrade(seed)?;
                let is_healthy = status_of(self.sim, &r#ref) == Some(Status::ActiveHealthy);
                if status == Status::ActiveUnhealthy && is_healthy {
                    let service = ServiceName::Rest;
                    let r#ref = r#ref.clone();
                    let broken = SetServiceHealth { r#ref, service, healthy: false, after_ms: None };
                    self.call("status", broken)?;
                }
                // Without a declared status, a service that was declared broken may make the project unhealthy.
                if seed.status.is_none() { Ok(None) } else { self.must_be(status).map(|()| None) }
            }
            Status::Upgrading => {
                let upgrade = seed.upgrade.clone().unwrap_or_default();
                if upgrade.error.is_some() {
                    self.call(
                        "upgrade.error",
                        SetUpgradeError { r#ref: r#ref.clone(), error: upgrade.error },
                    )?;
                }
                let goal = Goal::Upgrade(upgrade.step.unwrap_or(UpgradeProgress::Requested));
                Ok(Some(self.passing("upgrade", &to_version(&r#ref, upgrade.target_version), goal)))
            }
            Status::Restarting => {
                let config = PostgresConfig::default();
                let restart =
                    UpdatePostgresConfig { r#ref: r#ref.clone(), config, restart_database: Some(true) };
                Ok(Some(self.passing("status", &restart, Goal::Project(status))))
            }
            Status::Resizing => {
                let resize = ResizeProject { r#ref: r#ref.clone(), instance_size: InstanceSize::Large };
                Ok(Some(self.passing("status", &resize, Goal::Project(status))))
            }
            Status::Pausing => {
                let pause = PauseProject { r#ref: r#ref.clone() };
                Ok(Some(self.passing("status", &pause, Goal::Project(status))))
            }
            Status::GoingDown | Status::Removed => {
                let delete = DeleteProject { r#ref: r#ref.clone() };
                Ok(Some(self.passing("status", &delete, Goal::Project(status))))
            }
            Status::PauseFailed => {
                fail_next(self.sim, &status_at, Work::Pause)?;
                self.call("status", PauseProject { r#ref })?;
                self.settle()?;
                self.must_be(status).map(|()| None)
            }
            Status::Inactive | Status::Restoring | Status::RestoreFailed => {
                self.call("status", PauseProject { r#ref: r#ref.clone() })?;
                self.settle()?;
                self.wake_to(status)
            }
            Status::Unknown | Status::ComingUp | Status::InitFailed => {
                panic!("what has not been active is not led on")
            }
        }
    }

    fn wake_to(&mut self, status: Status) -> Result<Option<Passing>, Error> {
        self.must_be(Status::Inactive)?;
        let restore = RestoreProject::newest(self.project.clone());
        if status == Status::Restoring {
            return Ok(Some(self.passing("status", &restore, Goal::Project(status))));
        }
        if status == Status::RestoreFailed {
            fail_next(self.sim, &self.field("status"), Work::Restore)?;
            self.call("status", restore)?;
            self.settle()?;
        }
        self.must_be(status).map(|()| None)
    }

    /// Makes the declared upgrade, if any, and waits until it is over.
    fn upgrade(&mut self, seed: &ProjectSeed) -> Result<(), Error> {
        let Some(upgrade) = seed.upgrade.clone() else { return Ok(()) };
        let r#ref = self.project.clone();
        if upgrade.error.is_some() {
            self.call("upgrade.error", SetUpgradeError { r#ref: r#ref.clone(), error: upgrade.error })?;
        }
        self.call("upgrade", to_version(&r#ref, upgrade.target_version))?;
        let at = self.field("upgrade");
        wait(self.sim, &at, |sim| upgrade_of(sim, &r#ref).is_some_and(|upgrade| upgrade.status != RUNNING))?;
        self.settle()
    }
}

fn to_version(project: &ProjectRef, version: Option<String>) -> UpgradeProject {
    let target_version = version.unwrap_or_else(|| UPGRADE_TO.to_owned());
    UpgradeProject { r#ref: project.clone(), target_version, release_channel: None }
}

fn fail_next(sim: &mut Simulator, at: &str, work: Work) -> Result<(), Error> {
    let outcome = SetNextOutcome::of(work, Outcome::Fail);
    sim.as_admin().call(outcome).map(drop).map_err(|error| due_to(at, &error))
}

/// Whether a status is temporary: it ends by itself.
fn is_passing(status: Status) -> bool {
    use Status::{ComingUp, GoingDown, Pausing, Resizing, Restarting, Restoring, Unknown, Upgrading};
    matches!(status, Unknown | ComingUp | Pausing | Restoring | Upgrading | Restarting | Resizing | GoingDown)
}

/// Advances the clock from one due time to the next until `is_so` holds.
fn wait(sim: &mut Simulator, at: &str, is_so: impl Fn(&Simulator) -> bool) -> Result<(), Error> {
    for _ in 0..LONGEST_WAIT {
        if is_so(sim) {
            return Ok(());
        }
        if sim.advance_to_work().is_none() {
            break;
        }
    }
    Err(wrong(at, "does not come about, however long one waits; policy and pace may rule it out"))
}

impl Passing {
    fn new<O: Operation>(at: &str, project: Option<ProjectRef>, operation: &O, goal: Goal) -> Passing {
        let input = match serde_json::to_value(operation) {
            Ok(Value::Object(input)) => input,
            other => panic!("a request is an object: {other:?}"),
        };
        Passing { at: at.to_owned(), project, operation: O::META.id, input, goal }
    }

    /// Makes the call. Returns its project.
    fn begin(&self, sim: &mut Simulator) -> Result<ProjectRef, Error> {
        let created = make(sim, &self.at, self.operation, self.input.clone())?;
        let project = self.project.clone();
        Ok(project.unwrap_or_else(|| created["id"].as_str().expect("a project has a reference").into()))
    }

    /// The time from the call until the goal is met, found on a fork.
    fn age(&self, sim: &Simulator) -> Result<Duration, Error> {
        let mut trial = sim.fork();
        let project = self.begin(&mut trial)?;
        wait(&mut trial, &self.at, |sim| self.goal.is_met(sim, &project))?;
        Ok(between(sim.now(), trial.now()))
    }
}

fn between(from: Timestamp, to: Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).expect("time goes on")
}

/// Makes the calls so that all goals are met at one time.
pub(super) fn pass_together(passing: Vec<Passing>, sim: &mut Simulator) -> Result<(), Error> {
    let aged = passing.into_iter().map(|one| Ok((one.age(sim)?, one)));
    let mut aged = aged.collect::<Result<Vec<_>, Error>>()?;
    // The sort is stable, so calls that take equally long are made in the order of the file.
    aged.sort_by_key(|(age, _)| std::cmp::Reverse(*age));
    let mut left = aged.first().map_or(Duration::ZERO, |(age, _)| *age);
    let mut begun = Vec::new();
    for (age, one) in aged {
        sim.advance(left - age);
        left = age;
        begun.push((one.begin(sim)?, one));
    }
    sim.advance(left);
    match begun.iter().find(|(project, one)| !one.goal.is_met(sim, project)) {
        Some((_, one)) => Err(wrong(&one.at, "can't be had at the same instant as the rest")),
        None => Ok(()),
    }
}
