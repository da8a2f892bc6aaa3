//! How long background work takes.

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

/// How long background work takes, in milliseconds of simulated time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
