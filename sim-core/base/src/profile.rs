//! The profile of a world: hosts, prefixes, and the names that replace the neutral tokens.

mod check;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

/// The settings of a world's names. With a profile, a world has the names that a client expects.
///
/// ```
/// use sim_core::{Profile, Simulator};
///
/// let mut profile = Profile { token_prefix: "acme_".into(), ..Profile::default() };
/// profile.names.insert("idp_01".into(), "acme_id".into());
/// let sim = Simulator::builder().profile(profile).build();
/// assert!(sim.token().starts_with("acme_"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    /// Prefix of every access token; OAuth tokens continue with `oauth_`.
    pub token_prefix: String,
    /// Prefix of names that a project's secrets may not have.
    pub reserved_prefix: String,
    /// Prefix of API keys; `publishable_` or `secret_` follows.
    pub api_key_prefix: String,
    /// The `iss` claim of legacy API keys.
    pub jwt_issuer: String,
    /// Domain of the projects' own hosts: a database is at `db.<ref>.<domain>`.
    pub project_domain: String,
    /// Host of the pooler that projects share; `{region}` and `{project_domain}` are replaced by theirs.
    pub pooler_host: String,
    /// Port of the pooler, in all connection strings. A server that listens for PostgreSQL's protocol fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooler_port: Option<u16>,
    /// Prefix of the names that upgrades give to versions: `<prefix>15.8.1.040`.
    pub app_version_prefix: String,
    /// What the platform's own names in a project's database begin with: its roles (`platform_auth_admin`), its publication
    /// (`platform_realtime`), its schema of functions and its extension for secrets. A server of `--engine postgres` has those of the
    /// profile with which it was started.
    pub platform: String,
    /// Schema in a project's database in which clients record migrations, in a table `schema_migrations`.
    pub migrations_schema: String,
    /// Name of the branch that represents the project itself.
    pub default_branch: String,
    /// The label below a custom hostname whose TXT record proves who owns the hostname.
    pub hostname_ownership_label: String,
    /// The certificate authorities of custom hostnames. CAA records must allow one of them before a hostname gets its certificate.
    pub certificate_authorities: Vec<String>,
    /// Vanity subdomains that nobody can use.
    pub reserved_subdomains: Vec<String>,
    /// Postgres versions on offer, oldest first. A new project gets the first one of its engine and release channel;
    /// a restored project gets the last one.
    pub postgres_versions: Vec<PostgresVersion>,
    /// Engine of a new project that asks for none; the engine of the first version if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_engine: Option<String>,
    /// Write `override_active_until` as RFC 3339, otherwise as Postgres text; before its first use it is the epoch.
    pub iso_override: bool,
    /// How the analytics server writes a source's notifications: `array`, as documented, or `object`, as its clients
    /// expect. It reads both.
    pub notifications_shape: NotificationsShape,
    /// The warehouse project of the analytics server.
    pub warehouse_project: String,
    /// Suffix of the names of datasets in it; the user's number precedes it.
    pub dataset_suffix: String,
    /// The field of an event with directives for changing the event when it is ingested.
    pub directives_key: String,
    /// For each log table of the platform, the source to which shippers send its rows.
    pub log_sources: BTreeMap<String, String>,
    /// Other names for forms of ingestion: `acme = "edge"` makes `/api/logs/acme` another name of `/api/logs/edge`.
    pub ingest_forms: BTreeMap<String, String>,
    /// Other names for the environment variables that configure the analytics server:
    /// `ANALYTICS_API_KEY = "ACME_API_KEY"`. Refusals and the descriptions of its first tokens have these names too.
    pub variables: BTreeMap<String, String>,
    /// A host, with its subdomains, whose webhooks get notifications as embeds: `username`, `avatar_url` and `embeds`,
    /// with `wait=true` in the query.
    pub embeds_host: String,
    /// Other wire names for neutral tokens: with `idp_01 = "acme"`, `external_idp_01_secret` is written
    /// `external_acme_secret` in requests, answers, refusals and the OpenAPI document.
    pub names: BTreeMap<String, String>,
}

/// What the platform calls itself in a project's database unless a profile says otherwise.
pub const PLATFORM: &str = "platform";

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            token_prefix: "pat_".to_owned(),
            reserved_prefix: "PLATFORM_".to_owned(),
            api_key_prefix: "key_".to_owned(),
            jwt_issuer: "platform".to_owned(),
            project_domain: "platform.test".to_owned(),
            pooler_host: "pooler.{region}.{project_domain}".to_owned(),
            pooler_port: None,
            app_version_prefix: "platform-postgres-".to_owned(),
            platform: PLATFORM.to_owned(),
            migrations_schema: "migrations".to_owned(),
            default_branch: "main".to_owned(),
            hostname_ownership_label: "_custom-hostname".to_owned(),
            certificate_authorities: vec!["ca.test".to_owned()],
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
            default_engine: None,
            iso_override: true,
            notifications_shape: NotificationsShape::Array,
            warehouse_project: "analytics".to_owned(),
            dataset_suffix: "_prod".to_owned(),
            directives_key: "@analyticsTransformDirectives".to_owned(),
            log_sources: LOG_SOURCES.map(|(table, source)| (table.to_owned(), source.to_owned())).into(),
            ingest_forms: BTreeMap::new(),
            variables: BTreeMap::new(),
            embeds_host: "embeds.test".to_owned(),
            names: BTreeMap::new(),
        }
    }
}

/// The neutral words for names of third parties, which a profile may spell otherwise, and what they stand for.
pub const TOKENS: [(&str, &str); 37] = [
    ("idp_01", "An identity provider."),
    ("idp_02", "An identity provider."),
    ("idp_03", "An identity provider."),
    ("idp_04", "An identity provider."),
    ("idp_05", "An identity provider."),
    ("idp_06", "An identity provider."),
    ("idp_07", "An identity provider."),
    ("idp_08", "An identity provider."),
    ("idp_09", "An identity provider."),
    ("idp_10", "An identity provider."),
    ("idp_11", "An identity provider."),
    ("idp_12", "An identity provider."),
    ("idp_13", "An identity provider."),
    ("idp_14", "An identity provider."),
    ("idp_15", "An identity provider."),
    ("idp_16", "An identity provider."),
    ("idp_17", "An identity provider."),
    ("idp_18", "An identity provider."),
    ("idp_19", "An identity provider."),
    ("idp_20", "An identity provider."),
    ("vendor_a", "A sender of text messages."),
    ("vendor_b", "A sender of text messages."),
    ("vendor_c", "A sender of text messages."),
    ("vendor_d", "A sender of text messages."),
    (
        "auth_server",
        "The server of user accounts, in names of fields and in the header of an answer's caller.",
    ),
    ("AuthServer", "The same server, as the name by which it calls itself."),
    ("chain_a", "A chain whose wallets sign in."),
    ("chain_b", "A chain whose wallets sign in."),
    ("cloud_a", "The provider of the machines."),
    ("warehouse", "The data warehouse of the analytics server."),
    ("wh", "The same warehouse, in its short form."),
    ("chat", "A product for chats of teams."),
    ("drain_a", "A destination of log drains."),
    ("drain_b", "A destination of log drains."),
    ("drain_c", "A destination of log drains."),
    ("drain_d", "A destination of log drains."),
    ("columnar", "A columnar store, a destination of log drains and in the name of a parameter."),
];

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotificationsShape {
    /// One object in a list.
    #[default]
    Array,
    /// One object.
    Object,
}

/// A version of Postgres that the service offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PostgresVersion {
    /// The version in the service's format: `15.8.1.040`.
    pub version: String,
    /// Major version: `15`.
    pub engine: String,
    /// Its release channel: `ga`.
    pub release_channel: String,
}

impl PostgresVersion {
    fn new(version: &str, engine: &str, release_channel: &str) -> PostgresVersion {
        let [version, engine, release_channel] = [version, engine, release_channel].map(str::to_owned);
        PostgresVersion { version, engine, release_channel }
    }
}

impl Profile {
    /// The environment variables that configure the analytics server.
    pub const VARIABLES: [&'static str; 10] = [
        "ANALYTICS_SINGLE_TENANT",
        "ANALYTICS_PUBLIC_ACCESS_TOKEN",
        "ANALYTICS_API_KEY",
        "ANALYTICS_PRIVATE_ACCESS_TOKEN",
        "PLATFORM_MODE",
        "POSTGRES_BACKEND_URL",
        "POSTGRES_BACKEND_SCHEMA",
        "CLOUD_PROJECT_ID",
        "CLOUD_PROJECT_NUMBER",
        "CLOUD_APPLICATION_CREDENTIALS",
    ];

    /// The forms of ingestion that have paths of their own, below `/api/logs`.
    pub const INGEST_FORMS: [&'static str; 18] = [
        "json",
        "browser/reports",
        "pipeline",
        "edge",
        "cloud-event",
        "typecasts",
        "elixir/logger",
        "erlang",
        "erlang/logger",
        "erlang/lager",
        "deployments",
        "code-host",
        "site-host",
        "syslog",
        "logplex",
        "v1/traces",
        "v1/metrics",
        "v1/logs",
    ];

    /// The name of an environment variable of the analytics server.
    pub fn variable<'n>(&'n self, name: &'n str) -> &'n str {
        self.variables.get(name).map_or(name, String::as_str)
    }

    /// The host of the pooler in a region.
    pub fn pooler_host(&self, region: &str, domain: &str) -> String {
        self.pooler_host.replace("{region}", region).replace("{project_domain}", domain)
    }

    /// The version of a new project: the first of that engine and release channel, or `None` if none is on offer.
    pub fn version(&self, engine: Option<&str>, channel: Option<&str>) -> Option<&PostgresVersion> {
        let first = self.postgres_versions.first().map(|one| one.engine.as_str());
        let engine = engine.or(self.default_engine.as_deref()).or(first);
        let of_channel = |one: &PostgresVersion| channel.is_none_or(|channel| one.release_channel == channel);
        self.postgres_versions.iter().find(|one| Some(one.engine.as_str()) == engine && of_channel(one))
    }
}
