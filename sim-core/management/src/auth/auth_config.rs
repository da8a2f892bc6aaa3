//! `/v1/projects/{ref}/config/auth`: how a project's users sign in. Its fields are in the [catalog](crate::auth_field).
//!
//! The stored value is the response itself, with digests in place of secrets; so a read needs one row.

use std::borrow::Cow;
use std::sync::LazyLock;

use hmac::{Hmac, KeyInit as _, Mac as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use sha2::Sha256;
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Kind, Meta, Needs, New, Operation, Payload, Resource, Scope, ToSchema, View, get,
    hex, patch, view,
};

use crate::auth_field;
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};

operations![GetAuthConfig, UpdateAuthConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE auth_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        config TEXT NOT NULL,
        changed_by_call INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "auth_config",
    "Some fields of a project's auth configuration, without secrets.",
    "SELECT project, config ->> 'site_url' AS site_url, config ->> 'disable_signup' AS disable_signup,
     config ->> 'jwt_exp' AS jwt_exp, changed_by_call FROM auth_config",
)];

/// A project's auth configuration: every field of the [catalog](crate::auth_field), secrets as digests.
///
/// A digest is HMAC-SHA256 of the secret under the project's reference, as 64 hex digits. Somebody who knows
/// the secret can check whether it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthConfig(String);

impl AuthConfig {
    /// The value of a field; `null` if it is not set, or if there is no such field.
    pub fn field(&self, name: &str) -> Value {
        self.fields().shift_remove(name).unwrap_or_default()
    }

    /// All fields.
    pub fn fields(&self) -> Map<String, Value> {
        serde_json::from_str(&self.0).expect("a configuration is an object")
    }

    /// The stored text, not parsed.
    fn payload(&self) -> Payload {
        Payload::bytes(Payload::JSON, self.0.as_bytes().to_vec())
    }
}

impl Serialize for AuthConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).expect("a configuration is JSON");
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AuthConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AuthConfig, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(AuthConfig(raw.get().to_owned()))
    }
}

impl JsonSchema for AuthConfig {
    fn schema_name() -> Cow<'static, str> {
        "AuthConfig".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let properties = auth_field::answer_schema();
        let required: Vec<_> = properties.keys().cloned().collect();
        schemars::json_schema!({
            "description": "A project's auth configuration; secrets are HMAC-SHA256 digests under its reference.",
            "type": "object",
            "properties": properties,
            "required": required,
        })
    }
}

/// Get a project's auth configuration.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetAuthConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetAuthConfig {
    type Output = AuthConfig;
    const META: Meta = Meta {
        scope: Some(Scope("auth:read")),
        also: &[500],
        failure: "Failed to retrieve project's auth config",
        ..get("v1-get-auth-service-config", "/v1/projects/{ref}/config/auth")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<AuthConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(of(cx, &project.r#ref))
    }

    fn payload(output: &AuthConfig) -> Payload {
        output.payload()
    }
}

/// Update a project's auth configuration.
///
/// Omitted fields do not change; `null` restores a field's default.
#[derive(Clone, Debug, Serialize, Deserialize, New)]
pub struct UpdateAuthConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The fields to change; names outside the catalog are ignored.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl UpdateAuthConfig {
    /// Changes one field.
    pub fn one(r#ref: ProjectRef, name: &str, value: impl Into<Value>) -> UpdateAuthConfig {
        UpdateAuthConfig { r#ref, fields: Map::from_iter([(name.to_owned(), value.into())]) }
    }
}

impl JsonSchema for UpdateAuthConfig {
    fn schema_name() -> Cow<'static, str> {
        "UpdateAuthConfig".into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        let mut r#ref = schemas.subschema_for::<ProjectRef>();
        r#ref.insert("description".to_owned(), "The project's reference.".into());
        let mut properties = Map::from_iter([("ref".to_owned(), r#ref.to_value())]);
        properties.extend(auth_field::update_schema());
        schemars::json_schema!({
            "description": "Update a project's auth configuration.\n\n\
                Fields that are left out stay as they are; `null` puts a field's default back.",
            "type": "object",
            "properties": properties,
            "required": ["ref"],
        })
    }
}

impl Operation for UpdateAuthConfig {
    type Output = AuthConfig;
    const META: Meta = Meta {
        scope: Some(Scope("auth:write")),
        also: &[402, 500],
        failure: "Failed to update project's auth config",
        needs: Needs::SET_UP,
        ..patch("v1-update-auth-service-config", "/v1/projects/{ref}/config/auth")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<AuthConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_plan(cx, &project, &self.fields)?;
        let stored = stored(cx, &project.r#ref);
        let before = AuthConfig(stored.clone()).fields();
        let config = self.merged(stored);
        require_sense(cx, &project.r#ref, &config)?;
        require_own_smtp(&before, &config)?;
        if cx.policy.auth_needs_credentials {
            require_credentials(&config)?;
        }
        let text = Value::Object(config).to_string();
        let sql = "INSERT INTO auth_config VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET config = excluded.config, changed_by_call = excluded.changed_by_call";
        cx.db.run(sql, (&project.r#ref, &text, cx.call as i64));
        Ok(AuthConfig(text))
    }

    fn payload(output: &AuthConfig) -> Payload {
        output.payload()
    }
}

impl UpdateAuthConfig {
    /// The configuration after this update.
    fn merged(self, stored: String) -> Map<String, Value> {
        let mut config = AuthConfig(stored).fields();
        for (name, value) in self.fields {
            let Some(field) = auth_field::named(&name).filter(|field| field.settable) else { continue };
            if field.secret && config.get(&name) == Some(&value) {
                // The request contains the digest from an answer, so the secret does not change.
                continue;
            }
            let value = match value {
                Value::Null => field.default.value(),
                // An empty text is not masked: it shows that the secret is not set.
                Value::String(text) if field.secret && !text.is_empty() => digest(&self.r#ref, &text).into(),
                other => other,
            };
            config.insert(name, value);
        }
        config
    }
}

/// Refuses values that the organization's plan does not include.
fn require_plan(cx: &Cx<'_>, project: &Row, update: &Map<String, Value>) -> Result<(), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    if plan > Plan::Free || !is_on(update, "password_hibp_enabled") {
        return Ok(());
    }
    let text = "password_hibp_enabled: checking for leaked passwords requires a higher plan.";
    Err(Error::new(Kind::PaymentRequired, "plan_too_low", text)
        .because("organization plan", plan.as_str(), None)
        .because("plan needed", Plan::Pro.as_str(), None))
}

/// Refuses fields that contradict each other.
fn require_sense(cx: &Cx<'_>, project: &str, config: &Map<String, Value>) -> Result<(), Error> {
    let since = || {
        let sql = "SELECT changed_by_call FROM auth_config WHERE project = ?1";
        cx.db.maybe(sql, (project,), |row| row.get::<_, i64>(0)).map(|call| call as u64)
    };
    if cx.policy.saml_needs_external_url
        && is_on(config, "saml_enabled")
        && config["saml_external_url"].is_null()
    {
        let text = "saml_external_url: Required while saml_enabled is true";
        return Err(Error::invalid("saml_without_external_url", text).because(
            "saml_external_url",
            Value::Null,
            since(),
        ));
    }
    Ok(())
}

/// Refuses another rate of emails than the one of the service's own server, which projects share.
fn require_own_smtp(before: &Map<String, Value>, config: &Map<String, Value>) -> Result<(), Error> {
    const RATE: &str = "rate_limit_email_sent";
    let shared = auth_field::named(RATE).map(|field| field.default.value());
    let wanted = config.get(RATE);
    let has_own = config.get("smtp_host").and_then(Value::as_str).is_some_and(|host| !host.is_empty());
    if has_own || wanted == before.get(RATE) || wanted == shared.as_ref() {
        return Ok(());
    }
    let text = "Custom SMTP required to configure the following fields: RATE_LIMIT_EMAIL_SENT";
    Err(Error::new(Kind::Unauthorized, "custom_smtp_missing", text).because("smtp_host", Value::Null, None))
}

/// Refuses what is turned on without the fields that it needs.
fn require_credentials(config: &Map<String, Value>) -> Result<(), Error> {
    let is_set = |name: &str| !matches!(&config[name], Value::Null) && config[name] != "";
    let is_used = |name: &str| is_on(config, name) || (name == "smtp_host" && is_set(name));
    for (switch, needs) in auth_field::needs(config["sms_provider"].as_str().unwrap_or_default()) {
        if !is_used(switch) {
            continue;
        }
        if let Some(missing) = needs.into_iter().find(|name| !is_set(name)) {
            let while_on = if switch == "smtp_host" { "set" } else { "true" };
            let text = format!("{missing}: Required while {switch} is {while_on}");
            return Err(Error::invalid("auth_credentials_missing", text).because(missing, Value::Null, None));
        }
    }
    for factor in ["totp", "phone", "web_authn"] {
        let [enroll, verify] = ["enroll", "verify"].map(|part| format!("mfa_{factor}_{part}_enabled"));
        if is_on(config, &enroll) && !is_on(config, &verify) {
            let text = format!("{enroll}: cannot be true while {verify} is false");
            return Err(Error::invalid("mfa_enroll_without_verify", text).because(&verify, false, None));
        }
    }
    Ok(())
}

fn is_on(fields: &Map<String, Value>, name: &str) -> bool {
    fields.get(name) == Some(&json!(true))
}

/// The digest of a secret, which is stored and shown: 64 hex digits.
fn digest(r#ref: &ProjectRef, secret: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(r#ref.0.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(secret.as_bytes());
    hex(&mac.finalize().into_bytes())
}

/// The project's configuration.
pub(crate) fn of(cx: &Cx<'_>, project: &str) -> AuthConfig {
    AuthConfig(stored(cx, project))
}

/// The project's configuration as JSON text.
fn stored(cx: &Cx<'_>, project: &str) -> String {
    static NEW: LazyLock<String> = LazyLock::new(|| Value::Object(auth_field::defaults()).to_string());
    let sql = "SELECT config FROM auth_config WHERE project = ?1";
    cx.db.maybe(sql, (project,), |row| row.get(0)).unwrap_or_else(|| NEW.clone())
}

/// Whether the project's users may sign in by SAML, and the call that last changed the configuration.
pub(crate) fn saml(cx: &Cx<'_>, project: &str) -> (bool, Option<u64>) {
    let sql = "SELECT config ->> '$.saml_enabled', changed_by_call FROM auth_config WHERE project = ?1";
    let found = cx.db.maybe(sql, (project,), |row| Ok((row.get(0)?, Some(row.get::<_, i64>(1)? as u64))));
    found.unwrap_or((false, None))
}
