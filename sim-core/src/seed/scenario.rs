//! Named scenarios: worlds in the state that a test begins with. Each is a function that returns a seed.
//!
//! All scenarios have the same users. `token-of-owner`, `token-of-administrator`, `token-of-developer` and
//! `token-of-reader` belong to members of `acme`, which is on the pro plan. `token-of-outsider` belongs to a user
//! outside of it. The owner is the first user. The project is called `demo`. The seed is always 7, so the project's
//! reference is always the same.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;

use super::{CallSeed, ProjectSeed, Seed, Services};
use crate::engine::fault::{Effect, Fault, On};
use crate::engine::near;
use crate::management::catalog::{InstanceSize, Region};
use crate::management::hostname_progress::Status as HostnameStatus;
use crate::management::project::Status;
use crate::management::upgrade_progress::{UpgradeError, UpgradeProgress};
use crate::{Error, Role, UserSpec, World};

/// The seed of every scenario.
pub const SEED: u64 = 7;
/// The client of [`authorized_app`], with its secret.
pub const APP: (&str, &str) = ("5a1ff1ed-0000-4000-8000-000000000007", "secret-of-app");

/// A world that a test begins with.
#[derive(Clone, Copy)]
pub struct Scenario {
    function: &'static str,
    /// A description of its state.
    pub about: &'static str,
    /// Returns its seed.
    pub seed: fn() -> Seed,
}

impl Scenario {
    /// Its name: `paused-project`.
    pub fn name(&self) -> String {
        self.function.replace('_', "-")
    }
}

/// The seed of the scenario of that name.
///
/// ```
/// use sim_core::management::readonly::GetReadOnly;
/// use sim_core::management::project::ListProjects;
/// use sim_core::seed::scenario;
///
/// let mut sim = scenario::named("read-only-project")?.build()?;
/// let project = sim.call(ListProjects {})?.remove(0).id;
/// assert!(sim.call(GetReadOnly::new(project))?.enabled);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn named(name: &str) -> Result<Seed, Error> {
    let found = ALL.iter().find(|one| one.name() == name);
    found.map(|one| (one.seed)()).ok_or_else(|| {
        let names: Vec<String> = ALL.iter().map(Scenario::name).collect();
        let question = near::question(name, names.iter().map(String::as_str));
        let text =
            format!("scenario: there is no scenario {name:?}; `stuntdouble scenario` lists them{question}");
        Error::invalid("unknown_scenario", text)
    })
}

/// The users that every scenario has, with `acme` on `plan`.
pub fn cast(plan: &str) -> World {
    let names = ["owner", "administrator", "developer", "reader", "outsider"];
    let world = names.into_iter().fold(World::empty(), |world, name| {
        world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
    });
    let roles = [
        ("owner", Role::Owner),
        ("administrator", Role::Administrator),
        ("developer", Role::Developer),
        ("reader", Role::ReadOnly),
    ];
    world.organization("Acme", plan, &roles)
}

macro_rules! scenarios {
    ($($name:ident: $about:literal => $seed:expr;)*) => {
        /// Every scenario.
        pub const ALL: &[Scenario] = &[
            $(Scenario { function: stringify!($name), about: $about, seed: $name }),*
        ];
        $(#[doc = $about] pub fn $name() -> Seed { $seed })*
    };
}

scenarios! {
    four_roles: "A user of each role and an outsider; no project yet." => people("pro");
    active_project: "A project that is ACTIVE_HEALTHY." => with(demo());
    new_project: "A project that was created just now: UNKNOWN for a moment, then COMING_UP."
        => with(demo().status(Status::ComingUp));
    failed_create: "A project that is INIT_FAILED." => with(demo().status(Status::InitFailed));
    pausing_project: "A project that is PAUSING." => with(demo().status(Status::Pausing));
    paused_project: "A project that is INACTIVE." => with(demo().paused());
    failed_pause: "A project that is PAUSE_FAILED." => with(demo().status(Status::PauseFailed));
    restoring_project: "A project that is RESTORING." => with(demo().status(Status::Restoring));
    failed_restore: "A project that is RESTORE_FAILED." => with(demo().status(Status::RestoreFailed));
    unhealthy_project: "A project that is ACTIVE_UNHEALTHY because its `rest` service is broken."
        => with(demo().broken("rest"));
    restarting_project: "A project that is RESTARTING." => with(demo().status(Status::Restarting));
    resizing_project: "A project that is RESIZING." => with(demo().status(Status::Resizing));
    removed_project: "A project that was deleted just now: REMOVED, gone in 60 seconds."
        => with(demo().status(Status::Removed));
    upgrade_at_step_0: "An upgrade at `0_requested`." => upgrading(UpgradeProgress::Requested);
    upgrade_at_step_1: "An upgrade at `1_started`." => upgrading(UpgradeProgress::Started);
    upgrade_at_step_2: "An upgrade at `2_launched_upgraded_instance`."
        => upgrading(UpgradeProgress::LaunchedUpgradedInstance);
    upgrade_at_step_3: "An upgrade at `3_detached_volume_from_upgraded_instance`."
        => upgrading(UpgradeProgress::DetachedVolumeFromUpgradedInstance);
    upgrade_at_step_4: "An upgrade at `4_attached_volume_to_original_instance`."
        => upgrading(UpgradeProgress::AttachedVolumeToOriginalInstance);
    upgrade_at_step_5: "An upgrade at `5_initiated_data_upgrade`."
        => upgrading(UpgradeProgress::InitiatedDataUpgrade);
    upgrade_at_step_6: "An upgrade at `6_completed_data_upgrade`."
        => upgrading(UpgradeProgress::CompletedDataUpgrade);
    upgrade_at_step_7: "An upgrade at `7_detached_volume_from_original_instance`."
        => upgrading(UpgradeProgress::DetachedVolumeFromOriginalInstance);
    upgrade_at_step_8: "An upgrade at `8_attached_volume_to_upgraded_instance`."
        => upgrading(UpgradeProgress::AttachedVolumeToUpgradedInstance);
    upgrade_at_step_9: "An upgrade at `9_completed_upgrade`." => upgrading(UpgradeProgress::CompletedUpgrade);
    failed_upgrade: "A project on its old version after an upgrade that failed at `5_data_upgrade_completion_failed`."
        => with(demo().failed_upgrade(UpgradeError::DataUpgradeCompletion));
    upgraded_project: "A project after an upgrade to 17."
        => with(ProjectSeed { upgrade: Some(Default::default()), ..demo() });
    branch_ready: "A project with the branch `dev`, which is FUNCTIONS_DEPLOYED." => with(demo().branch("dev"));
    branch_running_migrations: "A project with the branch `dev`, which is RUNNING_MIGRATIONS."
        => with(demo().branch_in("dev", "RUNNING_MIGRATIONS"));
    branch_with_failed_migrations: "A project with the branch `dev`, which is MIGRATIONS_FAILED."
        => with(demo().branch_in("dev", "MIGRATIONS_FAILED"));
    branch_with_failed_functions: "A project with the branch `dev`, which is FUNCTIONS_FAILED."
        => with(demo().branch_in("dev", "FUNCTIONS_FAILED"));
    read_only_project: "A project whose database is read-only." => with(demo().read_only());
    read_only_override_about_to_end: "A read-only project whose database accepts writes for one more microsecond."
        => read_only_project()
            .call(call("v1-disable-readonly-mode-temporarily").on("demo"))
            .advance(Duration::from_secs(15 * 60) - Duration::from_micros(1));
    rate_limited_user: "A project whose owner has made all calls that the rate limit allows in this minute."
        => with(demo()).call(call("v1-list-all-projects").by("owner").times(60));
    free_quota_used_up: "`acme` on the free plan: a paused project, and the two active ones that its members are allowed."
        => people("free")
            .project(demo().paused())
            .project(ProjectSeed::named("first"))
            .project(ProjectSeed::named("second"));
    hostname_waiting_for_dns: "A project whose custom hostname, app.example.com, waits for its DNS records."
        => hostname(HostnameStatus::Initiated);
    hostname_ready: "A project whose custom hostname can be activated." => hostname(HostnameStatus::OriginSetupCompleted);
    hostname_in_use: "A project that is reached by its custom hostname."
        => hostname(HostnameStatus::ServicesReconfigured);
    authorized_app: "An OAuth app that the owner has authorized to read projects; its tokens are valid for an hour."
        => with(demo()).app(json!({
            "name": "Dashboard",
            "client_id": APP.0,
            "client_secret": APP.1,
            "redirect_uris": ["https://app.test/back"],
            "scopes": ["projects:read"],
            "authorized_by": ["owner"],
        }));
    expired_oauth_grant: "The same app after that hour." => authorized_app().advance(Duration::from_secs(3600));
    banned_address: "A project whose database has banned 203.0.113.7."
        => with(demo().failed_login("203.0.113.7").failed_login("203.0.113.7"));
    restricted_network: "A project that accepts connections only from 10.0.0.0/8." => with(demo().network(&["10.0.0.0/8"]));
    replica_being_set_up: "A project with a read replica that is being set up in eu-west-1."
        => with(demo().size(InstanceSize::Small).replica(Region::EuWest1));
    failed_backup: "A project whose first daily backup failed, at midnight."
        => with(demo().backup(json!({ "status": "FAILED" }))).advance(Duration::from_secs(24 * 3600));
    flaky_platform: "A project on a platform that answers each third call with 503."
        => with(demo()).fault(Fault {
            probability: Some(1.0 / 3.0),
            ..Fault::new(On::path("*"), Effect::Status {
                status: 503, message: None, retry_after_s: Some(1), members: BTreeMap::new(), headers: BTreeMap::new(),
            }).times(0)
        });
    lost_create: "A platform that creates the first project but loses the answer."
        => people("pro").fault(Fault::new(On::operation("v1-create-a-project"), Effect::LostAnswer));
    shop: "A project with tables and rows, secrets, a function, a branch, settings."
        => with(demo()
            .sql("create table item (id bigint primary key, name text not null); insert into item values (1, 'hat')")
            .secret("PAYMENT_KEY", "sk_test")
            .function("hello", "Deno.serve(() => new Response('hello'))")
            .auth(json!({ "site_url": "https://shop.test" }))
            .rest(json!({ "max_rows": 100 }))
            .snippet("owner", "All items", "select * from item")
            .branch("dev"));
    all_at_once: "Projects in many states at one time."
        => people("enterprise")
            .project(demo())
            .project(ProjectSeed::named("new").status(Status::ComingUp))
            .project(ProjectSeed::named("paused").paused())
            .project(ProjectSeed::named("restoring").status(Status::Restoring))
            .project(ProjectSeed::named("upgrading").upgrading(UpgradeProgress::InitiatedDataUpgrade))
            .project(ProjectSeed::named("broken").broken("auth"))
            .project(ProjectSeed::named("gone").status(Status::Removed));
    rejected_events: "The analytics server beside `/v1`, with a source, `gateway`, that has rejected an event."
        => with(demo()).service(Services::Both).source(json!({ "name": "gateway" })).call(CallSeed {
            refused: Some("events_rejected".to_owned()),
            ..ingest("gateway", &json!([{ "message": "good" }, { "message": "bad", "list": [[1]] }]))
        });
    events: "The analytics server beside `/v1`, with a source, `gateway`, that has two events."
        => with(demo()).service(Services::Both).source(json!({ "name": "gateway" })).events(json!({
            "source_name": "gateway",
            "body": [{ "message": "GET /a", "status": 200 }, { "message": "GET /b", "status": 500 }],
        }));
}

fn people(plan: &str) -> Seed {
    Seed::new().seed(SEED).world(cast(plan))
}

fn with(project: ProjectSeed) -> Seed {
    people("pro").project(project)
}

fn demo() -> ProjectSeed {
    ProjectSeed::named("demo")
}

fn upgrading(step: UpgradeProgress) -> Seed {
    with(demo().upgrading(step))
}

fn hostname(status: HostnameStatus) -> Seed {
    with(demo().addon("custom_domain").hostname("app.example.com", status))
}

fn call(operation: &str) -> CallSeed {
    CallSeed { operation: Some(operation.to_owned()), ..CallSeed::default() }
}

fn ingest(source: &str, events: &serde_json::Value) -> CallSeed {
    let input = json!({ "source_name": source, "body": events.to_string() });
    let input = input.as_object().cloned().unwrap_or_default();
    CallSeed { input, ..call("analytics-ingest") }
}
