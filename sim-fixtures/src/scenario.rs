//! Worlds in the state that a test begins with.
//!
//! Each is made by typed calls, always from the same seed, so that a test may name what it finds. Everyone is there:
//! `token-of-owner`, `token-of-administrator`, `token-of-developer` and `token-of-reader` are members of `acme`, which
//! is on the pro plan, and `token-of-outsider` is not. The owner is the first user. Setting up counts no calls against
//! the rate limit.

use std::time::Duration;

use sim_core::engine::Outcome;
use sim_core::management::health::{ServiceName, SetServiceHealth};
use sim_core::management::outcome::{SetNextOutcome, Work};
use sim_core::management::project::{CreateProject, DeleteProject, ListProjects, PauseProject, ProjectRef};
use sim_core::management::readonly::{DisableReadOnly, SetReadOnly};
use sim_core::management::restore::RestoreProject;
use sim_core::{Operation, Policy, Role, Simulator, UserSpec, World};

/// A world, and the project in it that matters.
pub struct Scene {
    /// The world.
    pub sim: Simulator,
    /// The project; in a world without one a good reference that is nobody's.
    pub project: ProjectRef,
}

/// A good reference that no project has.
pub const NO_PROJECT: &str = "nosuchprojectatallxx";

/// The seed of every scenario.
pub const SEED: u64 = 7;

impl From<Simulator> for Scene {
    fn from(sim: Simulator) -> Scene {
        Scene { sim, project: NO_PROJECT.into() }
    }
}

impl Scene {
    fn new(mut sim: Simulator) -> Scene {
        let project = create(&mut sim, "demo");
        sim.advance(Duration::from_secs(60));
        Scene { sim, project }
    }

    /// Does `operation` as whoever drives the simulator.
    fn then<O: Operation>(mut self, operation: impl FnOnce(ProjectRef) -> O) -> Scene {
        self.sim.as_admin().call(operation(self.project.clone())).expect("a scenario is made of good calls");
        self
    }

    fn after(mut self, seconds: u64) -> Scene {
        self.sim.advance(Duration::from_secs(seconds));
        self
    }
}

fn create(sim: &mut Simulator, name: &str) -> ProjectRef {
    let created = sim.as_admin().call(CreateProject::named(name, "acme"));
    created.expect("a scenario is made of good calls").id
}

fn next_fails(work: Work) -> impl FnOnce(ProjectRef) -> SetNextOutcome {
    move |_| SetNextOutcome { work, outcome: Outcome::Fail }
}

fn pause(r#ref: ProjectRef) -> PauseProject {
    PauseProject { r#ref }
}

/// Everyone, as the head of this file has it; `acme` is on `plan`.
pub fn cast(plan: &str) -> World {
    ["owner", "administrator", "developer", "reader", "outsider"]
        .into_iter()
        .fold(World::empty(), |world, name| {
            world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
        })
        .organization(
            "Acme",
            plan,
            &[
                ("owner", Role::Owner),
                ("administrator", Role::Administrator),
                ("developer", Role::Developer),
                ("reader", Role::ReadOnly),
            ],
        )
}

/// What a new world holds by default: one user, one organization, one token.
///
/// ```
/// use sim_fixtures::scenario;
/// use sim_core::management::organization::ListOrganizations;
///
/// let mut sim = scenario::fresh();
/// assert_eq!(sim.call(ListOrganizations {})?.len(), 1);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn fresh() -> Simulator {
    Simulator::builder().seed(SEED).build()
}

/// A user of each role and an outsider; no project yet.
///
/// ```
/// use sim_fixtures::scenario;
/// use sim_core::management::project::ListProjects;
///
/// let mut sim = scenario::four_roles();
/// assert!(sim.as_user("token-of-reader")?.call(ListProjects {})?.is_empty());
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn four_roles() -> Simulator {
    with_policy(Policy::default())
}

/// The same under another policy.
pub fn with_policy(policy: Policy) -> Simulator {
    Simulator::builder().seed(SEED).world(cast("pro")).policy(policy).build()
}

/// A project that is ACTIVE_HEALTHY.
///
/// ```
/// use sim_fixtures::{Scene, scenario};
/// use sim_core::management::project::{PauseProject, Status, GetProject};
///
/// let Scene { mut sim, project } = scenario::active_project();
/// sim.call(PauseProject { r#ref: project.clone() })?;
/// assert_eq!(sim.call(GetProject { r#ref: project })?.status, Status::Pausing);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn active_project() -> Scene {
    Scene::new(four_roles())
}

/// The same under another policy.
pub fn active_project_under(policy: Policy) -> Scene {
    Scene::new(with_policy(policy))
}

/// A project that was created just now: COMING_UP.
pub fn new_project() -> Scene {
    let mut sim = four_roles();
    Scene { project: create(&mut sim, "demo"), sim }
}

/// A project that is PAUSING.
pub fn pausing_project() -> Scene {
    active_project().then(pause)
}

/// A project that is INACTIVE.
pub fn paused_project() -> Scene {
    pausing_project().after(20)
}

/// A project that is RESTORING.
pub fn restoring_project() -> Scene {
    paused_project().then(RestoreProject::newest)
}

/// A project that is RESTORE_FAILED.
pub fn failed_restore() -> Scene {
    paused_project().then(next_fails(Work::Restore)).then(RestoreProject::newest).after(120)
}

/// A project that is INIT_FAILED.
pub fn failed_create() -> Scene {
    let scene = Scene::from(four_roles()).then(next_fails(Work::Create));
    Scene::new(scene.sim)
}

/// A project that is PAUSE_FAILED.
pub fn failed_pause() -> Scene {
    active_project().then(next_fails(Work::Pause)).then(pause).after(20)
}

/// A project that is ACTIVE_UNHEALTHY because its `rest` service is broken.
pub fn unhealthy_project() -> Scene {
    active_project().then(|r#ref| SetServiceHealth { r#ref, service: ServiceName::Rest, healthy: false })
}

/// A project that was deleted just now: REMOVED, gone in 60 seconds.
pub fn removed_project() -> Scene {
    active_project().then(|r#ref| DeleteProject { r#ref })
}

/// A project whose database takes no writes.
///
/// ```
/// use sim_fixtures::{Scene, scenario};
/// use sim_core::management::readonly::GetReadOnly;
///
/// let Scene { mut sim, project } = scenario::read_only_project();
/// assert!(sim.call(GetReadOnly { r#ref: project })?.enabled);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn read_only_project() -> Scene {
    active_project().then(|r#ref| SetReadOnly { r#ref, enabled: true })
}

/// The same, with writes allowed for one more microsecond.
pub fn read_only_override_about_to_end() -> Scene {
    let mut scene = read_only_project().then(|r#ref| DisableReadOnly { r#ref });
    scene.sim.advance(Duration::from_secs(15 * 60) - Duration::from_micros(1));
    scene
}

/// A project whose owner has used up the calls of this minute.
pub fn rate_limited_user() -> Scene {
    let mut scene = active_project();
    for _ in 0..60 {
        scene.sim.call(ListProjects {}).expect("sixty calls are free");
    }
    scene
}

/// `acme` is on the free plan: two active projects, which are all that its members may have, and this paused one.
pub fn free_quota_used_up() -> Scene {
    let scene = Scene::new(Simulator::builder().seed(SEED).world(cast("free")).build());
    let mut scene = scene.then(pause).after(20);
    create(&mut scene.sim, "first");
    create(&mut scene.sim, "second");
    scene.after(60)
}

/// An ACTIVE_HEALTHY project in a world of one's own making that has [`cast`]'s people.
///
/// ```
/// use sim_core::{Policy, RateLimit};
/// use sim_fixtures::scenario;
///
/// let policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
/// let scene = scenario::project_in(scenario::with_policy(policy));
/// assert!(!scene.sim.policy().rate_limit.enabled);
/// ```
pub fn project_in(sim: Simulator) -> Scene {
    Scene::new(sim)
}
