//! `/v2/projects/{ref}/advisors/run`: named checks of a project's database, settings and health.
//!
//! Checks of the catalog are those of `/v1` (`advisor_rule.rs`); checks of settings are here. For a check that needs what a
//! simulated project does not have, such as its traffic or how often an index is used, the answer says that the check is
//! unavailable.

use serde::Serialize;
use serde_json::{Value, json};
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Role, Scope, ToSchema, post};

use super::document::{Given, One, kind};
use super::member;
use crate::advisor::{Advice, Facing, Level, Lint, LintMetadata, in_catalog};
use crate::network::{self, Cidrs};
use crate::project::{self, ProjectRef, Row};
use crate::{auth_config, backup, needs, postgres_config, ssl, text_of, upgrade};

operations![RunAdvisors];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// Checks of a project.
    AdvisorsKind = "project_advisors";
}

/// A check of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Check {
    UnindexedForeignKeys,
    AuthUsersExposed,
    AuthRlsInitplan,
    NoPrimaryKey,
    UnusedIndex,
    MultiplePermissivePolicies,
    PolicyExistsRlsDisabled,
    RlsEnabledNoPolicy,
    DuplicateIndex,
    SecurityDefinerView,
    FunctionSearchPathMutable,
    RlsDisabledInPublic,
    ExtensionInPublic,
    RlsReferencesUserMetadata,
    MaterializedViewInApi,
    ForeignTableInApi,
    UnsupportedRegTypes,
    AuthOtpLongExpiry,
    AuthOtpShortLength,
    SslNotEnforced,
    LogConnectionsNotEnabled,
    NetworkRestrictionsNotSet,
    PasswordRequirementsMinLength,
    PitrNotEnabled,
    AuthLeakedPasswordProtection,
    AuthInsufficientMfaOptions,
    AuthPasswordPolicyMissing,
    LeakedServiceKey,
    NoBackupAdmin,
    VulnerablePostgresVersion,
    DbNotReachable,
    DbConnectionFailing,
    DbConnectionLimitReached,
    InstanceTelemetryLost,
    InstanceDbDown,
    InstanceAlertFiring,
    LogDataApiErrorRateHigh,
    LogAuthErrorRateHigh,
    LogStorageErrorRateHigh,
    LogEdgeFunctionErrorRateHigh,
    RealtimeAuthorizationTimeouts,
    RealtimePostgresChangesSpike,
    RealtimeConcurrentUsersNearLimit,
}

/// A check that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AskedCheck {
    /// Which one.
    pub name: Check,
}

/// The checks that are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AskedChecks {
    /// Which ones; each runs once.
    #[schemars(length(min = 1, max = 15))]
    pub lints: Vec<AskedCheck>,
}

/// Run checks of a project.
///
/// Of a project that is not active nothing is checked; the answer says so.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RunAdvisors {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The checks.
    pub data: Given<AdvisorsKind, AskedChecks>,
}

impl Operation for RunAdvisors {
    type Output = One<Given<AdvisorsKind, Advice>>;
    const META: Meta = Meta {
        status: 200,
        since: Edition::V2026_11,
        role: Role::ReadOnly,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to run the advisors",
        ..post("v2-run-project-advisors", "/v2/projects/{ref}/advisors/run")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Given<AdvisorsKind, Advice>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mut checks: Vec<Check> = Vec::new();
        for AskedCheck { name } in self.data.attributes.lints {
            if !checks.contains(&name) {
                checks.push(name);
            }
        }
        let lints = match project.status.is_active() {
            true => checks.into_iter().flat_map(|check| check.run(cx, &project)).collect(),
            false => vec![not_active(cx, &project)],
        };
        Ok(One::of(Given::new(Advice { lints })))
    }
}

impl Check {
    fn run(self, cx: &Cx<'_>, project: &Row) -> Vec<Lint> {
        let name = text_of(&self);
        let reason = match in_catalog(cx, project, &name) {
            Some(Ok(lints)) => return lints,
            Some(Err(refusal)) => refusal.message,
            None => match Setting::named(&name) {
                Some(setting) => {
                    return (setting.is_bad)(cx, project).then(|| setting.lint(cx)).into_iter().collect();
                }
                None => "a simulated project does not have what it looks at".to_owned(),
            },
        };
        let detail = format!("`{name}` was not checked: {reason}.");
        let title = "Advisor Check Unavailable";
        let description = "The check could not be run, which says nothing about the project.";
        vec![Lint {
            cache_key: format!("advisor_check_unavailable_{name}"),
            metadata: Some(LintMetadata { name: Some(name), ..of_kind("health") }),
            observed_at: Some(cx.now),
            ..lint("advisor_check_unavailable", title, Level::Info, "HEALTH", description, detail)
        }]
    }
}

fn not_active(cx: &Cx<'_>, project: &Row) -> Lint {
    let detail = format!("The project is {}, so nothing was checked.", project.status);
    let description = "Checks need a project that is active.";
    Lint {
        metadata: Some(of_kind("health")),
        observed_at: Some(cx.now),
        ..lint("project_not_active", "Project Not Active", Level::Warn, "HEALTH", description, detail)
    }
}

fn lint(name: &str, title: &str, level: Level, category: &str, description: &str, detail: String) -> Lint {
    Lint {
        name: name.to_owned(),
        title: title.to_owned(),
        level,
        facing: Facing::External,
        categories: vec![category.to_owned()],
        description: description.to_owned(),
        detail,
        remediation: format!("See the documents on {name}."),
        metadata: None,
        cache_key: name.to_owned(),
        observed_at: None,
    }
}

fn of_kind(kind: &str) -> LintMetadata {
    LintMetadata { r#type: Some(kind.to_owned()), ..LintMetadata::default() }
}

/// A check of a project's settings or health.
struct Setting {
    name: &'static str,
    title: &'static str,
    level: Level,
    /// What it is about: `auth`, `compliance` or `health`.
    kind: &'static str,
    /// What is wrong where it is.
    detail: &'static str,
    is_bad: fn(&Cx<'_>, &Row) -> bool,
}

const SETTINGS: [Setting; 15] = [
    Setting {
        name: "auth_otp_long_expiry",
        title: "Auth OTP Long Expiry",
        level: Level::Warn,
        kind: "auth",
        detail: "A code that is sent by email is valid for more than an hour.",
        is_bad: |cx, project| number(cx, project, "mailer_otp_exp") > 3600,
    },
    Setting {
        name: "auth_otp_short_length",
        title: "Auth OTP Short Length",
        level: Level::Warn,
        kind: "auth",
        detail: "A code that is sent to a phone has fewer than six digits.",
        is_bad: |cx, project| {
            ["sms_otp_length", "mfa_phone_otp_length"].iter().any(|name| number(cx, project, name) < 6)
        },
    },
    Setting {
        name: "auth_leaked_password_protection",
        title: "Leaked Password Protection Disabled",
        level: Level::Warn,
        kind: "auth",
        detail: "Passwords that are known to have leaked are accepted.",
        is_bad: |cx, project| setting(cx, project, "password_hibp_enabled") != json!(true),
    },
    Setting {
        name: "auth_insufficient_mfa_options",
        title: "Insufficient MFA Options",
        level: Level::Warn,
        kind: "auth",
        detail: "Users can add fewer than two kinds of factors.",
        is_bad: |cx, project| {
            let is_on =
                |factor: &&&str| setting(cx, project, &format!("mfa_{factor}_enroll_enabled")) == json!(true);
            ["totp", "phone", "web_authn"].iter().filter(is_on).count() < 2
        },
    },
    Setting {
        name: "auth_password_policy_missing",
        title: "Password Policy Missing",
        level: Level::Warn,
        kind: "auth",
        detail: "No characters are required in passwords.",
        is_bad: |cx, project| {
            let required = setting(cx, project, "password_required_characters");
            required.as_str().is_none_or(str::is_empty)
        },
    },
    Setting {
        name: "password_requirements_min_length",
        title: "Password Minimum Length",
        level: Level::Warn,
        kind: "compliance",
        detail: "Passwords may have fewer than eight characters.",
        is_bad: |cx, project| number(cx, project, "password_min_length") < 8,
    },
    Setting {
        name: "ssl_not_enforced",
        title: "SSL Not Enforced",
        level: Level::Error,
        kind: "compliance",
        detail: "The database accepts connections without encryption.",
        is_bad: |cx, project| !ssl::is_enforced(cx, project),
    },
    Setting {
        name: "network_restrictions_not_set",
        title: "Network Restrictions Not Set",
        level: Level::Error,
        kind: "compliance",
        detail: "The database can be reached from every address.",
        is_bad: |cx, project| {
            let everyone = Cidrs::everyone();
            network::restrictions(cx, project).is_ok_and(|found| found.config == everyone)
        },
    },
    Setting {
        name: "pitr_not_enabled",
        title: "PITR Not Enabled",
        level: Level::Error,
        kind: "compliance",
        detail: "The project has no point-in-time recovery.",
        is_bad: |cx, project| backup::pitr_days(cx, &project.r#ref).is_none(),
    },
    Setting {
        name: "log_connections_not_enabled",
        title: "Connections Are Not Logged",
        level: Level::Warn,
        kind: "compliance",
        detail: "The database does not log who connects to it.",
        is_bad: |cx, project| postgres_config::stored(cx, &project.r#ref).log_connections != Some(true),
    },
    Setting {
        name: "no_backup_admin",
        title: "No Backup Admin",
        level: Level::Warn,
        kind: "compliance",
        detail: "The organization has a single owner or administrator.",
        is_bad: |cx, project| member::administrators(cx, &project.organization) < 2,
    },
    Setting {
        name: "vulnerable_postgres_version",
        title: "Outdated Postgres Version",
        level: Level::Warn,
        kind: "compliance",
        detail: "A later version of Postgres is offered to the project.",
        is_bad: upgrade::is_outdated,
    },
    Setting {
        name: "db_not_reachable",
        title: "Database Not Reachable",
        level: Level::Error,
        kind: "health",
        detail: "The database does not answer.",
        is_bad: is_down,
    },
    Setting {
        name: "db_connection_failing",
        title: "Database Connection Failing",
        level: Level::Error,
        kind: "health",
        detail: "Connections to the database fail.",
        is_bad: is_down,
    },
    Setting {
        name: "instance_db_down",
        title: "Instance Database Down",
        level: Level::Error,
        kind: "health",
        detail: "The database of the instance is down.",
        is_bad: is_down,
    },
];

fn is_down(cx: &Cx<'_>, project: &Row) -> bool {
    needs::require_database(cx, project).is_err()
}

impl Setting {
    fn named(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    fn lint(&self, cx: &Cx<'_>) -> Lint {
        let is_health = self.kind == "health";
        let category = if is_health { "HEALTH" } else { "SECURITY" };
        Lint {
            metadata: Some(of_kind(self.kind)),
            observed_at: is_health.then_some(cx.now),
            ..lint(self.name, self.title, self.level, category, self.detail, self.detail.to_owned())
        }
    }
}

/// A setting of the project's authentication.
fn setting(cx: &Cx<'_>, project: &Row, name: &str) -> Value {
    auth_config::of(cx, &project.r#ref).field(name)
}

fn number(cx: &Cx<'_>, project: &Row, name: &str) -> i64 {
    setting(cx, project, name).as_i64().unwrap_or(i64::MAX)
}
