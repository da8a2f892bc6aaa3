//! A project of a seed: its settings at creation, its status, and its content.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sim_base::ToSchema;

use super::{fill, wrong};
use crate::Error;
use crate::management::catalog::InstanceSize;
use crate::management::catalog::{PostgresEngine, Region};
use crate::management::hostname_progress::Status as HostnameStatus;
use crate::management::pooler::PoolMode;
use crate::management::project::{CreateProject, Status};
use crate::management::upgrade_progress::{UpgradeError, UpgradeProgress};

/// A project of a seed.
///
/// ```
/// use sim_core::management::project::Status;
/// use sim_core::seed::{ProjectSeed, Seed};
///
/// let project = ProjectSeed::named("demo").sql("create table item (id int)").status(Status::Restoring);
/// assert!(Seed::new().project(project).build()?.next_due().is_some());
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectSeed {
    /// Its name.
    pub name: String,
    /// Slug of its organization; the first one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// Where it runs; us-east-1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// Size of its machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<InstanceSize>,
    /// Major version of Postgres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postgres_engine: Option<PostgresEngine>,
    /// Password of the database's owner; `correct horse` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_pass: Option<String>,
    /// Its status; ACTIVE_HEALTHY by default. A temporary status has just begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// An upgrade: a finished one, or the present one with status UPGRADING.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade: Option<UpgradeSeed>,
    /// The status of its `hostname`; it waits for DNS records by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostname_status: Option<HostnameStatus>,
    /// All other content of the project: each field has the input of the operation that creates it.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// An upgrade of a project.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UpgradeSeed {
    /// The version after the upgrade; 17 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_version: Option<String>,
    /// The last finished step of an upgrade in progress; the first step by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<UpgradeProgress>,
    /// The error of a failed upgrade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<UpgradeError>,
}

impl ProjectSeed {
    /// A project that is ACTIVE_HEALTHY.
    pub fn named(name: &str) -> ProjectSeed {
        ProjectSeed {
            name: name.to_owned(),
            organization: None,
            region: None,
            size: None,
            postgres_engine: None,
            db_pass: None,
            status: None,
            upgrade: None,
            hostname_status: None,
            more: Map::new(),
        }
    }

    /// Sets the organization, by slug.
    #[must_use]
    pub fn organization(self, slug: &str) -> ProjectSeed {
        ProjectSeed { organization: Some(slug.to_owned()), ..self }
    }

    /// Sets the region.
    #[must_use]
    pub fn region(self, region: Region) -> ProjectSeed {
        ProjectSeed { region: Some(region), ..self }
    }

    /// Sets the size of the machine.
    #[must_use]
    pub fn size(self, size: InstanceSize) -> ProjectSeed {
        ProjectSeed { size: Some(size), ..self }
    }

    /// Sets the major version of Postgres.
    #[must_use]
    pub fn postgres_engine(self, engine: PostgresEngine) -> ProjectSeed {
        ProjectSeed { postgres_engine: Some(engine), ..self }
    }

    /// Sets the password of the database's owner.
    #[must_use]
    pub fn db_pass(self, password: &str) -> ProjectSeed {
        ProjectSeed { db_pass: Some(password.to_owned()), ..self }
    }

    /// Sets the status.
    #[must_use]
    pub fn status(self, status: Status) -> ProjectSeed {
        ProjectSeed { status: Some(status), ..self }
    }

    /// Sets the status INACTIVE.
    #[must_use]
    pub fn paused(self) -> ProjectSeed {
        self.status(Status::Inactive)
    }

    /// Sets the status UPGRADING, with `step` as the last step taken.
    #[must_use]
    pub fn upgrading(self, step: UpgradeProgress) -> ProjectSeed {
        let upgrade = UpgradeSeed { step: Some(step), ..UpgradeSeed::default() };
        ProjectSeed { upgrade: Some(upgrade), ..self }.status(Status::Upgrading)
    }

    /// Declares an upgrade that failed with that error. The project is on its old version.
    #[must_use]
    pub fn failed_upgrade(self, error: UpgradeError) -> ProjectSeed {
        let upgrade = UpgradeSeed { error: Some(error), ..UpgradeSeed::default() };
        ProjectSeed { upgrade: Some(upgrade), ..self }
    }

    /// Adds a secret.
    #[must_use]
    pub fn secret(mut self, name: &str, value: &str) -> ProjectSeed {
        fill::put(&mut self.more, "secrets", name, value.into());
        self
    }

    /// Adds SQL that is run in the database.
    #[must_use]
    pub fn sql(self, text: &str) -> ProjectSeed {
        self.with("sql", text.into())
    }

    /// Adds a migration of the database. Migrations are applied before other SQL is run.
    #[must_use]
    pub fn migration(self, name: &str, sql: &str) -> ProjectSeed {
        self.with("migrations", json!({ "name": name, "query": sql }))
    }

    /// Adds an API key.
    #[must_use]
    pub fn api_key(self, key: Value) -> ProjectSeed {
        self.with("api_keys", key)
    }

    /// Adds a function with that source.
    #[must_use]
    pub fn function(self, slug: &str, source: &str) -> ProjectSeed {
        self.with("functions", json!({ "slug": slug, "name": slug, "body": source }))
    }

    /// Adds a branch that is ready.
    #[must_use]
    pub fn branch(self, name: &str) -> ProjectSeed {
        self.with("branches", json!({ "branch_name": name }))
    }

    /// Adds a branch in that status.
    #[must_use]
    pub fn branch_in(self, name: &str, status: &str) -> ProjectSeed {
        self.with("branches", json!({ "branch_name": name, "status": status }))
    }

    /// Configures authentication.
    #[must_use]
    pub fn auth(self, config: Value) -> ProjectSeed {
        self.set("auth", config)
    }

    /// Configures the database.
    #[must_use]
    pub fn postgres(self, config: Value) -> ProjectSeed {
        self.set("postgres", config)
    }

    /// Configures the REST layer.
    #[must_use]
    pub fn rest(self, config: Value) -> ProjectSeed {
        self.set("rest", config)
    }

    /// Configures storage.
    #[must_use]
    pub fn storage(self, config: Value) -> ProjectSeed {
        self.set("storage", config)
    }

    /// Adds an identity provider.
    #[must_use]
    pub fn sso_provider(self, provider: Value) -> ProjectSeed {
        self.with("sso_providers", provider)
    }

    /// Adds a third-party service whose tokens are accepted.
    #[must_use]
    pub fn third_party_auth(self, service: Value) -> ProjectSeed {
        self.with("third_party_auth", service)
    }

    /// Adds a key for signing tokens.
    #[must_use]
    pub fn signing_key(self, key: Value) -> ProjectSeed {
        self.with("signing_keys", key)
    }

    /// Configures realtime.
    #[must_use]
    pub fn realtime(self, config: Value) -> ProjectSeed {
        self.set("realtime", config)
    }

    /// Sets the attributes of the disk.
    #[must_use]
    pub fn disk(self, attributes: Value) -> ProjectSeed {
        self.set("disk", attributes)
    }

    /// Sets when the pooler takes connections back.
    #[must_use]
    pub fn pool_mode(self, mode: PoolMode) -> ProjectSeed {
        self.set("pool_mode", json!(mode))
    }

    /// Sets whether the database requires TLS.
    #[must_use]
    pub fn ssl(self, enforced: bool) -> ProjectSeed {
        self.set("ssl", json!({ "database": enforced }))
    }

    /// Sets the root key, 64 hex digits.
    #[must_use]
    pub fn root_key(self, key: &str) -> ProjectSeed {
        self.set("root_key", key.into())
    }

    /// Adds a value under the root key.
    #[must_use]
    pub fn vault(mut self, name: &str, value: &str) -> ProjectSeed {
        fill::put(&mut self.more, "vault", name, value.into());
        self
    }

    /// Enables database webhooks.
    #[must_use]
    pub fn webhooks(self) -> ProjectSeed {
        self.set("webhooks", true.into())
    }

    /// Adds a failed login from that address.
    #[must_use]
    pub fn failed_login(self, address: &str) -> ProjectSeed {
        self.with("failed_logins", address.into())
    }

    /// Sets the vanity subdomain.
    #[must_use]
    pub fn vanity(self, subdomain: &str) -> ProjectSeed {
        self.set("vanity", subdomain.into())
    }

    /// Adds an outcome of daily backups.
    #[must_use]
    pub fn backup(self, backup: Value) -> ProjectSeed {
        self.with("backups", backup)
    }

    /// Sets the time of day of the daily backup, in UTC: `04:00:00`.
    #[must_use]
    pub fn backup_time(self, time: &str) -> ProjectSeed {
        self.set("backup_time", time.into())
    }

    /// Adds a restore point of the declared content.
    #[must_use]
    pub fn restore_point(self, name: &str) -> ProjectSeed {
        self.with("restore_points", name.into())
    }

    /// Sets the SQL that fills branches.
    #[must_use]
    pub fn branch_seed(self, sql: &str) -> ProjectSeed {
        self.set("branch_seed", sql.into())
    }

    /// Sets obstacles that an upgrade would meet.
    #[must_use]
    pub fn obstacles(self, obstacles: Value) -> ProjectSeed {
        self.set("obstacles", obstacles)
    }

    /// Allows access only from these networks.
    #[must_use]
    pub fn network(self, cidrs: &[&str]) -> ProjectSeed {
        self.set("network", json!({ "dbAllowedCidrs": cidrs }))
    }

    /// Adds an add-on, by its published name.
    #[must_use]
    pub fn addon(mut self, name: &str) -> ProjectSeed {
        fill::put(&mut self.more, "addons", name, true.into());
        self
    }

    /// Sets a custom hostname and its status.
    #[must_use]
    pub fn hostname(self, name: &str, status: HostnameStatus) -> ProjectSeed {
        ProjectSeed { hostname_status: Some(status), ..self }.set("hostname", name.into())
    }

    /// Adds a snippet of a user.
    #[must_use]
    pub fn snippet(self, user: &str, name: &str, sql: &str) -> ProjectSeed {
        self.with("snippets", json!({ "user": user, "name": name, "sql": sql }))
    }

    /// Adds a read replica in that region.
    #[must_use]
    pub fn replica(self, region: Region) -> ProjectSeed {
        self.with("replicas", json!(region))
    }

    /// Makes the project read-only.
    #[must_use]
    pub fn read_only(self) -> ProjectSeed {
        self.set("read_only", true.into())
    }

    /// Makes a service unhealthy, by its published name.
    #[must_use]
    pub fn broken(mut self, service: &str) -> ProjectSeed {
        fill::put(&mut self.more, "health", service, false.into());
        self
    }

    /// Adds an element to a field that is a list, such as `"sso_providers"`.
    #[must_use]
    pub fn with(mut self, field: &str, element: Value) -> ProjectSeed {
        fill::push(&mut self.more, field, element);
        self
    }

    /// Sets a field, such as `"pool_mode"`.
    #[must_use]
    pub fn set(mut self, field: &str, value: Value) -> ProjectSeed {
        self.more.insert(field.to_owned(), value);
        self
    }

    /// About how many calls it makes: one, and one for each thing in its lists.
    pub(super) fn calls(&self) -> u64 {
        1 + self.more.values().filter_map(Value::as_array).map(|list| list.len() as u64).sum::<u64>()
    }

    pub(super) fn check(&self, at: &str) -> Result<(), Error> {
        fill::PROJECT.check::<ProjectSeed>(&self.more, at)?;
        let never = matches!(self.status, Some(Status::Unknown | Status::ComingUp | Status::InitFailed));
        if let Some(field) = self.more.keys().next().filter(|_| never) {
            return Err(wrong(&format!("{at}.{field}"), "needs a project that has been active"));
        }
        if self.hostname_status.is_some() && !self.more.contains_key("hostname") {
            return Err(wrong(&format!("{at}.hostname_status"), "needs a `hostname`"));
        }
        let is_upgrading = self.status == Some(Status::Upgrading);
        if self.upgrade.as_ref().is_some_and(|upgrade| upgrade.step.is_some()) && !is_upgrading {
            return Err(wrong(&format!("{at}.upgrade.step"), "needs status UPGRADING"));
        }
        Ok(())
    }

    /// The call that creates it.
    pub(super) fn create(&self, first_organization: &str) -> CreateProject {
        let organization = self.organization.as_deref().unwrap_or(first_organization);
        let plain = CreateProject::named(&self.name, organization);
        CreateProject {
            region: self.region.or(plain.region),
            db_pass: self.db_pass.as_deref().map_or(plain.db_pass, Into::into),
            desired_instance_size: self.size,
            postgres_engine: self.postgres_engine,
            ..CreateProject::named(&self.name, organization)
        }
    }
}
