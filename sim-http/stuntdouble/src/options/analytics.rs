//! The settings of the analytics server, by the variables of a self-hosted one. A profile may give them other names.

use std::sync::Arc;

use clap::Args;
use sim_core::analytics::platform;
use sim_core::analytics::warehouse::missing_permissions;
use sim_core::engine::{Builder, EventServer, Signer, SingleTenant, Warehouse};
use sim_core::{Policy, Profile, Simulator};

use super::{Options, key_file};
use crate::Failure;

/// The longest name of a schema, in bytes.
const SCHEMA_MAX: usize = 63;

/// The environment of a self-hosted server. An empty variable counts as unset.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Analytics server")]
pub(crate) struct Environment {
    /// Must be true; may be left out with --analytics. There is one tenant
    #[arg(long, value_name = "BOOL", env = "ANALYTICS_SINGLE_TENANT")]
    pub(crate) single_tenant: Option<String>,

    /// Must be true; may be left out with --analytics. The platform's sources and endpoints are created
    #[arg(long, value_name = "BOOL", env = "PLATFORM_MODE")]
    pub(crate) platform_mode: Option<String>,

    /// Token for ingestion and queries [default: one that is drawn at each start, or follows from --seed]
    #[arg(long, value_name = "TOKEN", env = "ANALYTICS_PUBLIC_ACCESS_TOKEN", hide_env_values = true)]
    pub(crate) public_access_token: Option<String>,

    /// Older name of the same
    #[arg(long, value_name = "TOKEN", env = "ANALYTICS_API_KEY", hide_env_values = true)]
    pub(crate) api_key: Option<String>,

    /// Token for everything [default: one that is drawn at each start, or follows from --seed]
    #[arg(long, value_name = "TOKEN", env = "ANALYTICS_PRIVATE_ACCESS_TOKEN", hide_env_values = true)]
    pub(crate) private_access_token: Option<String>,

    /// PostgreSQL server for the events [default: memory]
    #[arg(long, value_name = "URL", env = "POSTGRES_BACKEND_URL", hide_env_values = true)]
    pub(crate) postgres_backend_url: Option<String>,

    /// Project of the warehouse; selects the warehouse backend
    #[arg(long, value_name = "ID", env = "CLOUD_PROJECT_ID")]
    pub(crate) cloud_project_id: Option<String>,

    /// Number of that project
    #[arg(long, value_name = "NUMBER", env = "CLOUD_PROJECT_NUMBER")]
    pub(crate) cloud_project_number: Option<String>,

    /// Key file of the service account [default: cloud.json]
    #[arg(long, value_name = "FILE", env = "CLOUD_APPLICATION_CREDENTIALS")]
    pub(crate) cloud_application_credentials: Option<String>,

    /// Schema of the event tables [default: that of the policy, _analytics]
    #[arg(long, value_name = "NAME", env = "POSTGRES_BACKEND_SCHEMA")]
    pub(crate) postgres_backend_schema: Option<String>,
}

/// The settings that the environment describes.
struct Settings {
    tenant: SingleTenant,
    policy: Policy,
    events: Option<Arc<dyn EventServer>>,
    signer: Option<Signer>,
}

impl Environment {
    /// Makes a world of the analytics server alone, or says which variable is wrong.
    pub(crate) fn simulator(&self, options: &Options) -> Result<Simulator, Failure> {
        let profile = options.profile()?;
        let environment = self.given(&profile);
        let settings = require_true("ANALYTICS_SINGLE_TENANT", environment.single_tenant.as_deref())
            .and_then(|()| require_true("PLATFORM_MODE", environment.platform_mode.as_deref()))
            .and_then(|()| environment.read(options));
        let Settings { tenant, policy, events, signer } = settings.map_err(|error| spelt(error, &profile))?;
        options.build(with_servers(platform::single_tenant(&tenant, policy), events, signer))
    }

    /// Adds the analytics server to a world of projects. The flag that asks for it implies two of the variables, so they may be
    /// left out.
    pub(crate) fn beside(&self, options: &Options, begun: Builder) -> Result<Builder, Failure> {
        let profile = options.profile()?;
        let environment = self.given(&profile);
        let said = [
            ("ANALYTICS_SINGLE_TENANT", &environment.single_tenant),
            ("PLATFORM_MODE", &environment.platform_mode),
        ];
        let mut said = said.into_iter().filter(|(_, value)| value.is_some());
        let settings = said
            .try_for_each(|(variable, value)| require_true(variable, value.as_deref()))
            .and_then(|()| environment.clone().read(options));
        let Settings { tenant, policy, events, signer } = settings.map_err(|error| spelt(error, &profile))?;
        let begun = with_servers(begun.policy(policy).with_analytics(&tenant), events, signer);
        Ok(if options.self_log() { begun.with_self_log() } else { begun })
    }

    fn read(self, options: &Options) -> Result<Settings, Failure> {
        let mut policy = options.policy()?;
        if let Some(url) = &self.postgres_backend_url {
            check_address(url)?;
        }
        if let Some(schema) = &self.postgres_backend_schema {
            check_schema(schema)?;
            policy.analytics.schema.clone_from(schema);
        }
        let (warehouse, signer) = self.warehouse(policy.analytics.warehouse.take())?;
        policy.analytics.warehouse = warehouse;
        self.check_tokens()?;
        let tenant = SingleTenant {
            public_token: self.public_access_token.or(self.api_key),
            private_token: self.private_access_token,
            platform: true,
            ..SingleTenant::default()
        };
        let url = self.postgres_backend_url.as_deref();
        let events = url.map(|url| postgres(url, &policy.analytics.schema)).transpose()?;
        Ok(Settings { tenant, policy, events, signer })
    }

    fn check_tokens(&self) -> Result<(), Failure> {
        let private = ("ANALYTICS_PRIVATE_ACCESS_TOKEN", &self.private_access_token);
        let public = match &self.public_access_token {
            None => ("ANALYTICS_API_KEY", &self.api_key),
            given => ("ANALYTICS_PUBLIC_ACCESS_TOKEN", given),
        };
        for (variable, token) in [public, private] {
            let is_token = |text: &String| text.bytes().all(|byte| byte.is_ascii_graphic());
            if token.as_ref().is_some_and(|token| !is_token(token)) {
                return Err(wrong(variable, "must be visible ASCII characters without blanks"));
            }
        }
        if public.1.is_some() && public.1 == private.1 {
            return Err(wrong(private.0, &format!("must be another one than {}", public.0)));
        }
        Ok(())
    }

    /// What is given, under the names of the profile too. An empty variable counts as unset.
    fn given(&self, profile: &Profile) -> Environment {
        let mut given = self.clone();
        for (name, field) in Profile::VARIABLES.iter().zip(given.fields()) {
            *field = field.take().filter(|text| !text.is_empty());
            let other = profile.variable(name);
            if field.is_none() && other != *name {
                *field = std::env::var(other).ok().filter(|text| !text.is_empty());
            }
        }
        given
    }

    /// The fields, in the order of [`Profile::VARIABLES`].
    fn fields(&mut self) -> [&mut Option<String>; Profile::VARIABLES.len()] {
        [
            &mut self.single_tenant,
            &mut self.public_access_token,
            &mut self.api_key,
            &mut self.private_access_token,
            &mut self.platform_mode,
            &mut self.postgres_backend_url,
            &mut self.postgres_backend_schema,
            &mut self.cloud_project_id,
            &mut self.cloud_project_number,
            &mut self.cloud_application_credentials,
        ]
    }

    /// The warehouse, if the variables or the policy select it. Exactly one backend is active.
    ///
    /// If the variables select it, also returns the signer of its service account.
    fn warehouse(
        &self,
        of_policy: Option<Warehouse>,
    ) -> Result<(Option<Warehouse>, Option<Signer>), Failure> {
        let Some(project_id) = &self.cloud_project_id else {
            let other = [
                ("CLOUD_PROJECT_NUMBER", self.cloud_project_number.is_some()),
                ("CLOUD_APPLICATION_CREDENTIALS", self.cloud_application_credentials.is_some()),
            ];
            return match other.iter().find(|(_, is_set)| *is_set) {
                Some((variable, _)) => {
                    Err(wrong("CLOUD_PROJECT_ID", &format!("is needed beside {variable}")))
                }
                None if self.postgres_backend_url.is_some() && of_policy.is_some() => Err(wrong(
                    "POSTGRES_BACKEND_URL",
                    "asks for a second backend beside the policy's warehouse; exactly one is active",
                )),
                None => Ok((of_policy, None)),
            };
        };
        if self.postgres_backend_url.is_some() {
            let text = "asks for a second backend beside POSTGRES_BACKEND_URL; exactly one is active";
            return Err(wrong("CLOUD_PROJECT_ID", text));
        }
        let number = self.cloud_project_number.clone();
        let number =
            number.ok_or_else(|| wrong("CLOUD_PROJECT_NUMBER", "is needed beside CLOUD_PROJECT_ID"))?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong("CLOUD_PROJECT_NUMBER", &format!("must be digits, is {number:?}")));
        }
        let file = self.cloud_application_credentials.as_deref().unwrap_or("cloud.json");
        let (service_account, signer) = key_file::read(file, project_id)
            .map_err(|text| wrong("CLOUD_APPLICATION_CREDENTIALS", &format!("{file}: {text}")))?;
        let warehouse = Warehouse {
            project_id: project_id.clone(),
            project_number: number,
            service_account,
            ..of_policy.unwrap_or_default()
        };
        let missing = missing_permissions(&warehouse);
        match missing.first() {
            Some(permission) => Err(wrong(
                "CLOUD_APPLICATION_CREDENTIALS",
                &format!("{} lacks {permission} in {project_id}", warehouse.service_account),
            )),
            None => Ok((Some(warehouse), Some(signer))),
        }
    }
}

fn with_servers(begun: Builder, server: Option<Arc<dyn EventServer>>, signer: Option<Signer>) -> Builder {
    let begun = match server {
        Some(server) => begun.event_server(server),
        None => begun,
    };
    match signer {
        Some(signer) => begun.warehouse_signer(signer),
        None => begun,
    }
}

fn wrong(variable: &str, text: &str) -> Failure {
    Failure(format!("{variable}: {text}"))
}

/// The message with the variables' names in the profile.
fn spelt(Failure(text): Failure, profile: &Profile) -> Failure {
    let spell = |text: String, name: &&str| text.replace(name, profile.variable(name));
    Failure(Profile::VARIABLES.iter().fold(text, spell))
}

fn require_true(variable: &str, value: Option<&str>) -> Result<(), Failure> {
    match value {
        Some("true") => Ok(()),
        Some(other) => Err(wrong(variable, &format!("must be true, is {other:?}"))),
        None => Err(wrong(variable, "must be true, is not set")),
    }
}

fn check_address(url: &str) -> Result<(), Failure> {
    let rest = url.strip_prefix("postgresql://").or_else(|| url.strip_prefix("postgres://"));
    let host = rest.map(|rest| rest.rsplit_once('@').map_or(rest, |(_, host)| host));
    match host.and_then(|host| host.split(['/', '?']).next()) {
        Some(host) if !host.is_empty() && !host.starts_with(':') => Ok(()),
        _ => Err(wrong(
            "POSTGRES_BACKEND_URL",
            "must be an address such as postgresql://user:password@host:5432/database",
        )),
    }
}

fn postgres(url: &str, schema: &str) -> Result<Arc<dyn EventServer>, Failure> {
    let events = sim_http::PostgresEvents::connect(url, schema);
    // A URL may have a password in it, so it is not repeated.
    let failed = |error| wrong("POSTGRES_BACKEND_URL", &format!("the server can't be used: {error}"));
    events.map(|events| events as _).map_err(failed)
}

fn check_schema(name: &str) -> Result<(), Failure> {
    let is_word = name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    if is_word && name.len() <= SCHEMA_MAX && !name.starts_with("pg_") {
        return Ok(());
    }
    let text = format!("must be the name of a schema, as in _analytics, is {name:?}");
    Err(wrong("POSTGRES_BACKEND_SCHEMA", &text))
}
