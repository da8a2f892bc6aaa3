//! The policy of a world: every duration, limit and outcome that a test may want to change.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::analytics_policy::AnalyticsPolicy;
use super::edition::Edition;
use super::near;
use super::operation::Meta;
use super::time::Pace;

/// The settings of a world's behaviour. The program reads them from TOML; in process, code builds them.
///
/// ```
/// use sim_core::{Pace, Policy, RateLimit, Simulator};
///
/// let patient = Policy { pace: Pace::Instant, rate_limit: RateLimit::off(), ..Policy::default() };
/// let sim = Simulator::builder().policy(patient).build();
/// assert_eq!(sim.policy().pace, Pace::Instant);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// When background work takes effect: `clock`, `instant` or `manual`.
    pub pace: Pace,
    /// How long background work takes.
    pub durations: Durations,
    /// How background work ends.
    pub outcomes: Outcomes,
    /// The rate limit: how many calls a user may make.
    pub rate_limit: RateLimit,
    /// Further limits, each for a class of calls. A call counts for the limits of all its classes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rate_limits: Vec<RateClass>,
    /// Refuse requests that did not come over TLS with 403.
    pub require_https: bool,
    /// Let projects of organizations on a paid plan be paused.
    pub pause_paid_projects: bool,
    /// What happens to fields and query parameters that an operation does not know.
    pub unknown_fields: UnknownFields,
    /// Which of the answers that the schemas allow clients get: `plain`, `lean`, `rich`, `varied` or `offsets`.
    pub answers: Answers,
    /// The edition of the API: `2025-05` or `2026-11`. Operations, fields, enum members and bounds of other editions are
    /// unknown.
    pub edition: Edition,
    /// The number of days after which a project of an organization on the free plan is paused if no call but GET reaches it.
    /// Such projects are not paused by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 36_500))]
    pub idle_pause_days: Option<u32>,
    /// The most active projects that a member may have in all organizations on the free plan.
    pub free_projects_per_member: u32,
    /// Size in bytes above which a database on the free plan becomes read-only.
    pub free_database_bytes: u64,
    /// Size in bytes of the disk of a project on a paid plan.
    pub paid_disk_bytes: u64,
    /// How the disk of a project on a paid plan grows when it is nine tenths full; it does not grow by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_growth: Option<DiskGrowth>,
    /// How often a project's disk can be changed within 24 hours, growth included.
    pub disk_changes_per_day: u32,
    /// How long after a change a project's disk can be changed again, in milliseconds.
    #[schemars(range(max = 86_400_000))]
    pub disk_changes_apart_ms: u64,
    /// How often the time of a project's daily backup can be changed within 24 hours.
    pub backup_schedule_changes_per_day: u32,
    /// Percentage of the disk at which a database on a paid plan becomes read-only.
    #[schemars(range(min = 1, max = 100))]
    pub disk_full_percent: u64,
    /// How long a service takes to answer a health check, in milliseconds; if `timeout_ms` is shorter, the service is
    /// reported UNHEALTHY.
    pub health_answer_ms: u64,
    /// Let projects of organizations on the free plan restrict the networks that can reach their database.
    pub free_plan_restrictions: bool,
    /// Let new network restrictions wait until they are reviewed.
    pub review_restrictions: bool,
    /// Let projects of organizations on the free plan have a vanity subdomain.
    pub free_plan_vanity_subdomain: bool,
    /// The number of failed log-ins to a database from one address after which the address is banned.
    #[schemars(range(min = 1))]
    pub ban_after_failures: u32,
    /// The most functions that a project may have, by plan.
    pub functions: FunctionLimits,
    /// Largest function in bytes, all its files together.
    pub function_bytes: u64,
    /// The most steps that a call's SQL may take in the embedded database, functions included; then it is cancelled, as by
    /// a statement timeout. Ten million steps take about a second. Half a megabyte of text, as dumps have it, gets twice as many.
    /// A PostgreSQL server gives each statement that time.
    pub sql_steps: u64,
    /// The most bytes that the rows of a call's SQL may have as JSON.
    pub sql_result_bytes: usize,
    /// The most secrets that a project may have.
    pub secrets_per_project: u32,
    /// Whether databases can be set to accept only encrypted connections; if not, calls that read or change this setting
    /// are refused.
    pub ssl_enforcement: bool,
    /// Refuse to enable SAML while `saml_external_url` is not set.
    pub saml_needs_external_url: bool,
    /// Refuse an auth configuration that turns something on without what that needs: a captcha or an external provider
    /// without its credentials, text messages without those of who sends them, a mail server without user, password
    /// and sender, a hook without its address, adding a factor without signing in with it.
    pub auth_needs_credentials: bool,
    /// Answer GET on the reference of a branch, and list the branch, as if it were a project. Otherwise that GET is
    /// answered with 404, which tells a branch from a project. Paths below the reference work in both cases.
    pub show_branch_projects: bool,
    /// The error of an upgrade that is set to fail without a specific error.
    #[schemars(range(min = 1, max = 9))]
    pub upgrade_error: u8,
    /// Whether backups are physical-capable (`walg_enabled`), which read replicas need.
    pub physical_backups: bool,
    /// Size in bytes from which a database's daily backups are physical.
    pub physical_backup_bytes: u64,
    /// Snippets in a page by default.
    #[schemars(range(min = 1, max = 100))]
    pub snippets_page: u32,
    /// Whether a user agrees at the consent page of an OAuth app, unless `SetConsent` has set it for that user.
    pub oauth_consent: bool,
    /// Ask the user at a page, `/_sim/oauth/consent/page` of a server, at each authorization of an OAuth app that
    /// `SetConsent` has not decided.
    pub oauth_consent_page: bool,
    /// The analytics server.
    pub analytics: AnalyticsPolicy,
    /// How far the clock may move on for a client that polls, in milliseconds; 0 turns this off. A GET that repeats the
    /// caller's last GET moves the clock to the next scheduled work.
    pub auto_advance_ms: u64,
    /// How far the clock may move on for a call after a 429, in milliseconds: to the end of the block. 0 turns this
    /// off. A client that ignores `retry-after` then passes as well.
    pub auto_advance_block_ms: u64,
    /// Largest request body in bytes; larger ones are answered with 413.
    pub max_body_bytes: usize,
    /// The most calls that the journal keeps, and events that the history keeps. Older ones are dropped; after that no
    /// replay file can be made.
    pub journal_calls: u64,
    /// The most bytes of calls that the journal keeps, within an eighth. Older ones are dropped, with the same effect.
    pub journal_bytes: u64,
    /// Longest request body that the journal keeps, in bytes. Of a longer one it keeps length and digest, and a replay
    /// can't make that call again.
    pub journal_request_bytes: usize,
    /// Longest answer that the journal keeps, in bytes. Of a longer one it keeps length and digest.
    pub journal_answer_bytes: usize,
}

impl Policy {
    /// Whether a call may move the clock, for a client that waits.
    pub fn moves_clock(&self) -> bool {
        self.auto_advance_ms > 0 || self.auto_advance_block_ms > 0
    }
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            pace: Pace::Clock,
            durations: Durations::default(),
            outcomes: Outcomes::default(),
            rate_limit: RateLimit::default(),
            rate_limits: Vec::new(),
            require_https: false,
            pause_paid_projects: true,
            unknown_fields: UnknownFields::Mark,
            answers: Answers::Plain,
            edition: Edition::TODAY,
            idle_pause_days: None,
            free_projects_per_member: 2,
            free_database_bytes: 500 * MEGABYTE,
            paid_disk_bytes: 8192 * MEGABYTE,
            disk_growth: None,
            disk_changes_per_day: 4,
            disk_changes_apart_ms: 0,
            backup_schedule_changes_per_day: 3,
            disk_full_percent: 95,
            health_answer_ms: 50,
            free_plan_restrictions: false,
            review_restrictions: false,
            free_plan_vanity_subdomain: false,
            ban_after_failures: 2,
            functions: FunctionLimits::default(),
            function_bytes: 20 * MEGABYTE,
            sql_steps: 50_000_000,
            sql_result_bytes: 32 << 20,
            secrets_per_project: 100,
            ssl_enforcement: true,
            saml_needs_external_url: false,
            auth_needs_credentials: false,
            show_branch_projects: false,
            upgrade_error: 5,
            physical_backups: true,
            physical_backup_bytes: 15_000 * MEGABYTE,
            snippets_page: 10,
            oauth_consent: true,
            oauth_consent_page: false,
            analytics: AnalyticsPolicy::default(),
            auto_advance_ms: 0,
            auto_advance_block_ms: 0,
            max_body_bytes: 32 << 20,
            journal_calls: 10_000,
            journal_bytes: 128 << 20,
            journal_request_bytes: 2 << 20,
            journal_answer_bytes: 64 << 10,
        }
    }
}

/// What happens to fields and query parameters that an operation does not know. If its schema allows no others, they
/// are refused in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnknownFields {
    /// They are ignored. The answer names them in the header `x-sim-ignored`, and the journal keeps the names.
    #[default]
    Mark,
    /// The call is refused with 400.
    Refuse,
    /// They are ignored without notice.
    Accept,
}

/// Which of the answers that the schemas allow clients get from successful calls. The journal keeps the plain ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Answers {
    /// Those that the operations give.
    #[default]
    Plain,
    /// Without optional members.
    Lean,
    /// With all optional members and one that no edition knows; instants as with `offsets`.
    Rich,
    /// Everything that the schema leaves open varies: optional and unknown members, the order of members and of lists that
    /// have none of their own, the spelling of timestamps and numbers; now and then a value is `null` or a member of an enum
    /// that the edition does not list. The seed of the world and the number of the call decide.
    Varied,
    /// Timestamps have an offset and microseconds: `2026-01-01T00:00:00.000000+00:00`.
    Offsets,
}

const MEGABYTE: u64 = 1_000_000;

/// How a disk grows each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiskGrowth {
    /// By this percentage.
    #[schemars(range(max = 1000))]
    pub percent: u64,
    /// By at least this size, in gigabytes.
    #[schemars(range(max = 65_536))]
    pub at_least_gb: u64,
    /// Not above this size, in gigabytes.
    #[schemars(range(min = 1, max = 65_536))]
    pub up_to_gb: u64,
}

impl Default for DiskGrowth {
    fn default() -> DiskGrowth {
        DiskGrowth { percent: 50, at_least_gb: 4, up_to_gb: 65_536 }
    }
}

/// The most functions that a project may have, by the plan of its organization; no limit for a plan without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FunctionLimits {
    /// On the free plan.
    pub free: u32,
    /// On the pro plan.
    pub pro: u32,
    /// On the team plan.
    pub team: u32,
    /// On the enterprise plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enterprise: Option<u32>,
}

impl Default for FunctionLimits {
    fn default() -> FunctionLimits {
        FunctionLimits { free: 100, pro: 500, team: 1000, enterprise: None }
    }
}

/// How long background work takes, in milliseconds of simulated time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Durations {
    /// From the answer to a create, which shows UNKNOWN, to COMING_UP.
    pub accept_ms: u64,
    /// From COMING_UP to ACTIVE_HEALTHY.
    pub create_ms: u64,
    /// From PAUSING to INACTIVE.
    pub pause_ms: u64,
    /// From RESTORING to ACTIVE_HEALTHY.
    pub restore_ms: u64,
    /// From GOING_DOWN to REMOVED; at 0 a deleted project is REMOVED at once.
    pub going_down_ms: u64,
    /// From REMOVED until the project is gone.
    pub removed_ms: u64,
    /// From RESTARTING to ACTIVE_HEALTHY.
    pub restart_ms: u64,
    /// Length of the read-only override.
    pub read_only_override_ms: u64,
    /// From RESIZING to ACTIVE_HEALTHY.
    pub resize_ms: u64,
    /// A whole upgrade, from 0_requested to 10_completed_post_physical_backup.
    pub upgrade_ms: u64,
    /// Each step of a branch: project, migrations, end of migrations, functions.
    pub branch_step_ms: u64,
    /// From the deletion of a branch with `force=false` until the branch is gone.
    pub branch_removal_ms: u64,
    /// A restore to a point in time, from RESTORING to ACTIVE_HEALTHY.
    pub pitr_restore_ms: u64,
    /// How long a daily backup is PENDING after its scheduled time.
    pub backup_ms: u64,
    /// From a restore point's PENDING to AVAILABLE.
    pub restore_point_ms: u64,
    /// How long a role for a command-line tool is valid, in whole seconds.
    pub login_role_ms: u64,
    /// How long a token for taking over a project is valid.
    pub claim_token_ms: u64,
    /// Setting up a read replica, and removing one.
    pub replica_ms: u64,
    /// How long an OAuth authorization code is valid.
    pub oauth_code_ms: u64,
    /// How long an OAuth access token is valid: its `expires_in`, in whole seconds.
    pub oauth_token_ms: u64,
    /// From `stored` to `applied` network restrictions; at 0 they are applied when the call returns.
    pub apply_restrictions_ms: u64,
    /// How long a failed log-in counts towards a ban.
    pub failed_login_ms: u64,
    /// Length of a ban.
    pub ban_ms: u64,
    /// From the answer to an initialize, which shows `1_not_started`, to `2_initiated`; at 0 the answer shows the latter.
    pub hostname_accept_ms: u64,
    /// From a reverify to the check of the DNS records of a custom hostname.
    pub hostname_verification_ms: u64,
    /// From `3_challenge_verified` to the certificate of a custom hostname.
    pub hostname_certificate_ms: u64,
    /// How much longer than their project its services take to come up.
    pub services: ServiceDurations,
}

impl Default for Durations {
    fn default() -> Durations {
        Durations {
            accept_ms: 0,
            create_ms: 60_000,
            pause_ms: 20_000,
            restore_ms: 120_000,
            going_down_ms: 0,
            removed_ms: 60_000,
            restart_ms: 10_000,
            read_only_override_ms: 15 * 60_000,
            resize_ms: 60_000,
            upgrade_ms: 420_000,
            branch_step_ms: 2_000,
            branch_removal_ms: 3_600_000,
            pitr_restore_ms: 180_000,
            backup_ms: 0,
            restore_point_ms: 30_000,
            login_role_ms: 3_600_000,
            claim_token_ms: 24 * 3_600_000,
            replica_ms: 120_000,
            oauth_code_ms: 600_000,
            oauth_token_ms: 3_600_000,
            apply_restrictions_ms: 0,
            failed_login_ms: 10 * 60_000,
            ban_ms: 30 * 60_000,
            hostname_accept_ms: 0,
            hostname_verification_ms: 60_000,
            hostname_certificate_ms: 60_000,
            services: ServiceDurations::default(),
        }
    }
}

/// How long a service takes to answer after its project has become ACTIVE_HEALTHY, in milliseconds of simulated time.
/// Until then its health is COMING_UP, and operations that need it are refused with 544.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ServiceDurations {
    /// The server of user accounts.
    pub auth_ms: u64,
    /// The database.
    pub db_ms: u64,
    /// The database for its main user.
    pub db_postgres_user_ms: u64,
    /// The connection pooler of the project itself.
    pub pg_bouncer_ms: u64,
    /// The connection pooler that projects share.
    pub pooler_ms: u64,
    /// The service that sends changes to clients.
    pub realtime_ms: u64,
    /// The REST service.
    pub rest_ms: u64,
    /// The storage of files.
    pub storage_ms: u64,
}

/// How background work ends, every time. To set it for one project or for the next time only, use the control operation
/// `SetNextOutcome`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Outcomes {
    /// Creation: failure leaves INIT_FAILED.
    pub create: Outcome,
    /// Pausing: failure leaves PAUSE_FAILED.
    pub pause: Outcome,
    /// Restoring: failure leaves RESTORE_FAILED.
    pub restore: Outcome,
    /// Upgrading: failure is `Policy.upgrade_error`, and the project stays active on its old version.
    pub upgrade: Outcome,
    /// A branch's migrations: failure leaves MIGRATIONS_FAILED.
    pub branch_migrations: Outcome,
    /// The deployment of a branch's functions: failure leaves FUNCTIONS_FAILED.
    pub branch_functions: Outcome,
    /// Restoring to a point in time: failure leaves RESTORE_FAILED.
    pub pitr_restore: Outcome,
    /// Daily backups: failure lists them as FAILED. To set it for one backup, use the control operation `SetBackup`.
    pub backup: Outcome,
    /// Setting up a read replica: failure leaves INIT_FAILED.
    pub replica: Outcome,
    /// The certificate of a custom hostname: failure is a timeout of the validation.
    pub certificate: Outcome,
    /// Bundling a function: failure is a deploy answered with 500; one that never ends is answered with 400. Also the build of
    /// a compute instance: failure leaves `failed`.
    pub deploy: Outcome,
    /// Restarting.
    pub restart: Finish,
    /// Resizing the machine.
    pub resize: Finish,
    /// Deletion, from GOING_DOWN to REMOVED.
    pub delete: Finish,
    /// A restore point, from PENDING to AVAILABLE.
    pub restore_point: Finish,
    /// Network restrictions, from `stored` to `applied`.
    pub apply_restrictions: Finish,
    /// The check of the DNS records of a custom hostname.
    pub hostname_verification: Finish,
    /// Removing a read replica.
    pub replica_removal: Finish,
    /// Deleting a branch with `force=false`.
    pub branch_removal: Finish,
    /// The acceptance of a new project, from UNKNOWN to COMING_UP.
    pub accept: Finish,
}

/// How a piece of background work ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It succeeds.
    #[default]
    Succeed,
    /// It fails.
    Fail,
    /// It never ends: the project, branch or replica keeps the status that it has during the work.
    Never,
}

/// How a piece of background work ends that can't fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Finish {
    /// It succeeds.
    #[default]
    Succeed,
    /// It never ends.
    Never,
}

impl From<Finish> for Outcome {
    fn from(finish: Finish) -> Outcome {
        match finish {
            Finish::Succeed => Outcome::Succeed,
            Finish::Never => Outcome::Never,
        }
    }
}

/// The rate limit: how many calls a user may make in a window, and how long further calls are refused.
///
/// On the command line it is written `off`, `spec` or `COUNT/SECONDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RateLimit {
    /// Whether there is a limit.
    pub enabled: bool,
    /// Calls in a window.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Length of the window in milliseconds. A window opens with the first call.
    #[schemars(range(min = 1))]
    pub window_ms: u64,
    /// Length of the block in milliseconds. The first call beyond the limit starts the block.
    pub block_ms: u64,
}

impl Default for RateLimit {
    fn default() -> RateLimit {
        RateLimit::of(60, 60)
    }
}

impl RateLimit {
    /// `count` calls in `seconds`, and a block of the same length.
    pub const fn of(count: u32, seconds: u64) -> RateLimit {
        RateLimit { enabled: true, count, window_ms: seconds * 1000, block_ms: seconds * 1000 }
    }

    /// No limit.
    pub const fn off() -> RateLimit {
        RateLimit { enabled: false, ..RateLimit::of(60, 60) }
    }

    /// The length of the window.
    pub const fn window(&self) -> Duration {
        Duration::from_millis(self.window_ms)
    }

    /// The length of the block.
    pub const fn block(&self) -> Duration {
        Duration::from_millis(self.block_ms)
    }
}

/// A rate limit for a class of calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateClass {
    /// Its name, which refusals tell in their facts and answers in their headers. No two classes have one name, and `default` is
    /// the limit of all calls.
    #[schemars(regex(pattern = r"^[ !#-\[\]-~]+$"), extend("x-rule" = "printable ASCII without quotes"))]
    pub name: String,
    /// The ids of its operations; without any, all calls are of the class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<String>,
    /// What has a window of its own.
    #[serde(default)]
    pub per: RateScope,
    /// Calls in a window.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Length of the window in milliseconds.
    #[schemars(range(min = 1))]
    pub window_ms: u64,
    /// Length of the block in milliseconds; that of the window unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_ms: Option<u64>,
}

/// What a limit counts together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RateScope {
    /// All calls of a user.
    #[default]
    User,
    /// Those of a user to one project.
    Project,
    /// Those of a user to one operation of one project.
    Endpoint,
    /// All calls from one address, before the caller is known. The address is that of the socket or, in process, the
    /// request's extension `ClientAddress`; the header `x-sim-address` takes precedence. Calls without an address do not
    /// count.
    Address,
}

impl RateClass {
    /// Its limit.
    pub fn limit(&self) -> RateLimit {
        let block_ms = self.block_ms.unwrap_or(self.window_ms);
        RateLimit { enabled: true, count: self.count, window_ms: self.window_ms, block_ms }
    }

    /// Whether an operation is of the class.
    pub fn has(&self, meta: &Meta) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|id| meta.has_id(id))
    }

    /// The name of the window that a call of an operation counts in; `project` is the one that its path names.
    pub fn window(&self, meta: &Meta, project: Option<&str>) -> String {
        let project = project.unwrap_or_default();
        match self.per {
            RateScope::User | RateScope::Address => self.name.clone(),
            RateScope::Project => format!("{} {project}", self.name),
            RateScope::Endpoint => format!("{} {project} {}", self.name, meta.id),
        }
    }
}

impl std::str::FromStr for RateLimit {
    type Err = String;

    /// Reads `spec`, `off` or `COUNT/SECONDS`.
    fn from_str(text: &str) -> Result<RateLimit, String> {
        let wrong = || {
            let question = near::question(text, ["spec", "off"]);
            format!("rate limit {text:?} is none of spec, off, COUNT/SECONDS (as in 120/60){question}")
        };
        match text {
            "spec" => Ok(RateLimit::default()),
            "off" => Ok(RateLimit::off()),
            other => {
                let (count, seconds) = other.split_once('/').ok_or_else(wrong)?;
                match (count.parse(), seconds.parse()) {
                    (Ok(count), Ok(seconds)) if count > 0 && seconds > 0 => Ok(RateLimit::of(count, seconds)),
                    _ => Err(wrong()),
                }
            }
        }
    }
}
