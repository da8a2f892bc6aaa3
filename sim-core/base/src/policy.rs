//! The policy of a world: every duration, limit and outcome that a test may want to change.

mod durations;
mod outcomes;
mod rate;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

pub use self::durations::{Durations, ServiceDurations};
pub use self::outcomes::{Finish, Outcome, Outcomes};
pub use self::rate::{RateClass, RateLimit, RateScope};
use super::analytics_policy::AnalyticsPolicy;
use super::edition::Edition;
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
