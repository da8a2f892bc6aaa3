//! Worlds in the states that tests start from: the scenarios of [`sim_core::seed::scenario`], which lists
//! their users, each with the project it is about. Setting up uses up no rate limit, unless the scenario is
//! about the limit.

use std::time::Duration;

use sim_core::engine::Call;
use sim_core::management::project::{CreateProject, CreatedProject, ProjectRef};
use sim_core::seed::{Seed, scenario};
use sim_core::{Operation as _, Policy, Simulator};

use crate::strategies::Names;

pub use sim_core::seed::scenario::{SEED, cast};

/// A world, and the project it is about.
pub struct Scene {
    /// The world.
    pub sim: Simulator,
    /// The project; in a world without projects a valid reference that no project has.
    pub project: ProjectRef,
}

/// A valid reference that no project has.
pub const NO_PROJECT: &str = "nosuchprojectatallxx";

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

    /// The names of things in it, for calls of [`strategies`](crate::strategies).
    pub fn names(&self) -> Names {
        Names::of_cast(&self.project.0)
    }

    fn of(seed: &Seed) -> Scene {
        let sim = seed.build().expect("a scenario is a valid seed");
        let project = first_project(&sim).unwrap_or_else(|| NO_PROJECT.into());
        Scene { sim, project }
    }
}

fn create(sim: &mut Simulator, name: &str) -> ProjectRef {
    let created = sim.as_admin().call(CreateProject::named(name, "acme"));
    created.expect("a scenario consists of valid calls").id
}

/// The project that was created first, even if it is removed.
fn first_project(sim: &Simulator) -> Option<ProjectRef> {
    let created =
        |call: &Call| call.operation.as_deref() == Some(CreateProject::META.id) && call.status == 201;
    let journal = sim.journal();
    let answer: CreatedProject =
        serde_json::from_str(&journal.iter().find(|call| created(call))?.response).ok()?;
    Some(answer.id)
}

/// The scenario of that name, such as `paused-project`.
///
/// # Panics
///
/// When there is no such scenario.
///
/// ```
/// use sim_fixtures::scenario;
///
/// assert!(scenario::named("restoring-project").sim.next_due().is_some());
/// ```
pub fn named(name: &str) -> Scene {
    Scene::of(&scenario::named(name).unwrap_or_else(|error| panic!("{}", error.message)))
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

/// [`cast`] under another policy.
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
/// sim.call(PauseProject::new(&project))?;
/// assert_eq!(sim.call(GetProject::new(project))?.status, Status::Pausing);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn active_project() -> Scene {
    Scene::new(four_roles())
}

/// [`active_project`] under another policy.
pub fn active_project_under(policy: Policy) -> Scene {
    Scene::new(with_policy(policy))
}

/// A newly created project: COMING_UP.
pub fn new_project() -> Scene {
    Scene::of(&scenario::new_project())
}

/// A project that is PAUSING.
pub fn pausing_project() -> Scene {
    Scene::of(&scenario::pausing_project())
}

/// A project that is INACTIVE.
pub fn paused_project() -> Scene {
    Scene::of(&scenario::paused_project())
}

/// A project that is RESTORING.
pub fn restoring_project() -> Scene {
    Scene::of(&scenario::restoring_project())
}

/// A project that is RESTORE_FAILED.
pub fn failed_restore() -> Scene {
    Scene::of(&scenario::failed_restore())
}

/// A project that is INIT_FAILED.
pub fn failed_create() -> Scene {
    Scene::of(&scenario::failed_create())
}

/// A project that is PAUSE_FAILED.
pub fn failed_pause() -> Scene {
    Scene::of(&scenario::failed_pause())
}

/// A project that is ACTIVE_UNHEALTHY because its `rest` service is broken.
pub fn unhealthy_project() -> Scene {
    Scene::of(&scenario::unhealthy_project())
}

/// A project that was deleted just now: REMOVED, gone in 60 seconds.
pub fn removed_project() -> Scene {
    Scene::of(&scenario::removed_project())
}

/// A project whose database takes no writes.
///
/// ```
/// use sim_fixtures::{Scene, scenario};
/// use sim_core::management::readonly::GetReadOnly;
///
/// let Scene { mut sim, project } = scenario::read_only_project();
/// assert!(sim.call(GetReadOnly::new(project))?.enabled);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn read_only_project() -> Scene {
    Scene::of(&scenario::read_only_project())
}

/// The same, with writes allowed for one more microsecond.
pub fn read_only_override_about_to_end() -> Scene {
    Scene::of(&scenario::read_only_override_about_to_end())
}

/// A project whose owner has used up the calls of this minute.
pub fn rate_limited_user() -> Scene {
    Scene::of(&scenario::rate_limited_user())
}

/// `acme` is on the free plan: it has two active projects, the limit for its members, and this paused one.
pub fn free_quota_used_up() -> Scene {
    Scene::of(&scenario::free_quota_used_up())
}

/// An ACTIVE_HEALTHY project in a world that you made, with [`cast`]'s users.
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
