//! The profile of a world: hosts, prefixes, and the names behind the neutral tokens.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The knobs of naming. A client that expects a certain service's names gets them by a profile.
///
/// ```
/// use sim_core::{Profile, Simulator};
///
/// let mut profile = Profile { token_prefix: "acme_".into(), ..Profile::default() };
/// profile.names.insert("idp_01".into(), "acme_id".into());
/// let sim = Simulator::builder().profile(profile).build();
/// assert!(sim.token().starts_with("acme_"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Start of every access token; OAuth tokens continue with `oauth_`.
    pub token_prefix: String,
    /// Start of names that a project's secrets may not have.
    pub reserved_prefix: String,
    /// Start of API keys; `publishable_` or `secret_` follows.
    pub api_key_prefix: String,
    /// The `iss` claim of legacy API keys.
    pub jwt_issuer: String,
    /// Domain of the projects' own hosts: a database is at `db.<ref>.<domain>`.
    pub project_domain: String,
    /// Start of the names that upgrades give to versions: `<prefix>15.8.1.040`.
    pub app_version_prefix: String,
    /// Schema of a project's database in which clients record migrations, in a table `schema_migrations`.
    pub migrations_schema: String,
    /// Name of the branch that stands for the project itself.
    pub default_branch: String,
    /// Name under a custom hostname whose TXT record proves that it is the customer's.
    pub hostname_ownership_label: String,
    /// The authority that CAA records must allow for a custom hostname to get its certificate.
    pub certificate_authority: String,
    /// Vanity subdomains that nobody can have.
    pub reserved_subdomains: Vec<String>,
    /// Postgres versions on offer, oldest first. A new project gets the first of its engine, and 15 unless it asks;
    /// a restored one the last.
    pub postgres_versions: Vec<PostgresVersion>,
    /// Write `override_active_until` as RFC 3339, and leave it out until first used. Otherwise as Postgres text,
    /// with the epoch before first use.
    pub iso_override: bool,
    /// How the analytics server sends a source's notifications: `array`, as documented, or `object`, as its clients
    /// have it. Both are read.
    pub notifications_shape: NotificationsShape,
    /// The warehouse project of the analytics server.
    pub warehouse_project: String,
    /// End of the name of a dataset in it; the number of the user stands before.
    pub dataset_suffix: String,
    /// The field of an event that says how it is to be changed on its way in.
    pub directives_key: String,
    /// The source of each log table of the platform: where shippers send what the studio shows as that table.
    pub log_sources: BTreeMap<String, String>,
    /// Other names for the forms of ingestion: `acme = "edge"` makes `/api/logs/acme` another name of `/api/logs/edge`.
    pub ingest_forms: BTreeMap<String, String>,
    /// The host, with all below it, whose webhooks want what a source tells as embeds: `username`, `avatar_url` and
    /// `embeds`, with `wait=true` in the query.
    pub embeds_host: String,
    /// Other wire names for neutral tokens: `idp_01 = "acme"` makes `external_idp_01_secret` `external_acme_secret`
    /// in requests, answers and the OpenAPI document.
    pub names: BTreeMap<String, String>,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            token_prefix: "pat_".to_owned(),
            reserved_prefix: "PLATFORM_".to_owned(),
            api_key_prefix: "key_".to_owned(),
            jwt_issuer: "platform".to_owned(),
            project_domain: "platform.test".to_owned(),
            app_version_prefix: "platform-postgres-".to_owned(),
            migrations_schema: "migrations".to_owned(),
            default_branch: "main".to_owned(),
            hostname_ownership_label: "_custom-hostname".to_owned(),
            certificate_authority: "ca.test".to_owned(),
            reserved_subdomains: ["www", "api", "app", "admin", "auth", "db", "status", "support"]
                .map(str::to_owned)
                .to_vec(),
            postgres_versions: [
                ("15.8.1.040", "15", "ga"),
                ("15.8.1.102", "15", "ga"),
                ("17.4.1.043", "17", "ga"),
                ("17.0.1.074", "17-oriole", "alpha"),
            ]
            .map(|(version, engine, channel)| PostgresVersion::new(version, engine, channel))
            .to_vec(),
            iso_override: true,
            notifications_shape: NotificationsShape::Array,
            warehouse_project: "analytics".to_owned(),
            dataset_suffix: "_prod".to_owned(),
            directives_key: "@analyticsTransformDirectives".to_owned(),
            log_sources: LOG_SOURCES.map(|(table, source)| (table.to_owned(), source.to_owned())).into(),
            ingest_forms: BTreeMap::new(),
            embeds_host: "embeds.test".to_owned(),
            names: BTreeMap::new(),
        }
    }
}

const LOG_SOURCES: [(&str, &str); 9] = [
    ("auth_logs", "auth.logs.prod"),
    ("edge_logs", "gateway.logs.prod"),
    ("function_edge_logs", "function-relay-logs"),
    ("function_logs", "function-events"),
    ("pgbouncer_logs", "pgbouncer.logs.prod"),
    ("postgres_logs", "postgres.logs"),
    ("postgrest_logs", "postgREST.logs.prod"),
    ("realtime_logs", "realtime.logs.prod"),
    ("storage_logs", "storage.logs.prod.2"),
];

/// The shape of a source's notifications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotificationsShape {
    /// One object in a list.
    #[default]
    Array,
    /// One object.
    Object,
}

/// A version of Postgres that the service offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PostgresVersion {
    /// As the service writes it: `15.8.1.040`.
    pub version: String,
    /// Major version: `15`.
    pub engine: String,
    /// How settled it is: `ga`.
    pub release_channel: String,
}

impl PostgresVersion {
    fn new(version: &str, engine: &str, release_channel: &str) -> PostgresVersion {
        let [version, engine, release_channel] = [version, engine, release_channel].map(str::to_owned);
        PostgresVersion { version, engine, release_channel }
    }
}

impl Profile {
    /// The version of a new project: the first of `engine`, else the first of all.
    pub fn version(&self, engine: Option<&str>) -> &PostgresVersion {
        let of_engine = |one: &&PostgresVersion| engine.is_none_or(|engine| one.engine == engine);
        self.postgres_versions
            .iter()
            .find(of_engine)
            .or(self.postgres_versions.first())
            .expect("a profile offers a version of Postgres")
    }
}
