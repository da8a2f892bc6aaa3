//! How background work ends.

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

/// How background work ends, every time. To set it for one project or for the next time only, use the control operation
/// `SetNextOutcome`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
