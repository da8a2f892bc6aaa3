//! `/v1/projects/{ref}/api-keys`: creates, changes and deletes keys, and turns the legacy ones on or off.

use serde::{Deserialize, Deserializer, Serialize};
use sim_base::operations;
use sim_base::{
    Body, Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, ToSchema, delete, get, patch,
    post, put,
};
use uuid::Uuid;

use crate::api_key::{ApiKey, JwtTemplate, Key, KeyType, keys, legacy_of_changed, may_reveal};
use crate::project::{self, ProjectRef, Row};
use crate::signing_key;

operations![GetLegacyKeys, SwitchLegacyKeys, CreateApiKey, GetApiKey, UpdateApiKey, DeleteApiKey];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Whether a project's legacy keys are enabled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct LegacyKeys {
    /// Whether they are enabled.
    pub enabled: bool,
}

/// Get whether a project's legacy keys are enabled.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetLegacyKeys {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetLegacyKeys {
    type Output = LegacyKeys;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:read")),
        ..get("v1-get-project-legacy-api-keys", "/v1/projects/{ref}/api-keys/legacy")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<LegacyKeys, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(LegacyKeys { enabled: legacy_of_changed(cx, &project).unwrap_or(true) })
    }
}

/// Enable or disable a project's legacy keys. They stay in the list.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct SwitchLegacyKeys {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Whether they are enabled from now on.
    pub enabled: bool,
}

impl Operation for SwitchLegacyKeys {
    type Output = LegacyKeys;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["enabled"],
        body: Body::None,
        scope: Some(Scope("secrets:write")),
        ..put("v1-update-project-legacy-api-keys", "/v1/projects/{ref}/api-keys/legacy")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<LegacyKeys, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if self.enabled {
            signing_key::require_legacy_not_revoked(cx, &project)?;
        }
        store_keys(cx, &project);
        let sql = "UPDATE api_keys_changed SET legacy = ?2 WHERE project = ?1";
        cx.db.run(sql, (&project.r#ref, self.enabled));
        Ok(LegacyKeys { enabled: self.enabled })
    }
}

/// The purpose of a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NewKeyType {
    /// Programs whose code is public.
    Publishable,
    /// Servers.
    Secret,
}

/// Create an API key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateApiKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its kind.
    pub r#type: NewKeyType,
    /// Its name, unique among the project's keys of its kind.
    #[schemars(length(min = 4, max = 64), regex(pattern = r"^[a-z_][a-z0-9_]+$"))]
    pub name: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// The claims of tokens minted for it; secret keys only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub secret_jwt_template: Option<JwtTemplate>,
    /// Show a secret key in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<bool>,
}

impl Operation for CreateApiKey {
    type Output = ApiKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["reveal"],
        scope: Some(Scope("secrets:write")),
        ..post("v1-create-project-api-key", "/v1/projects/{ref}/api-keys")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ApiKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let kind = match self.r#type {
            NewKeyType::Publishable => KeyType::Publishable,
            NewKeyType::Secret => KeyType::Secret,
        };
        store_keys(cx, &project);
        let mut key = Key::new(cx, &project, kind, &self.name);
        require_free_name(cx, &project, &key)?;
        key.description = self.description;
        key.role = role_of(kind, self.secret_jwt_template)?;
        key.store(cx, &project);
        Ok(key.shown(may_reveal(cx, &project, self.reveal)?))
    }
}

/// The role in the tokens minted for a key of that kind.
fn role_of(kind: KeyType, template: Option<JwtTemplate>) -> Result<Option<String>, Error> {
    match template {
        Some(_) if kind != KeyType::Secret => {
            let text = "secret_jwt_template: Invalid, only a secret key has one";
            Err(Error::invalid("invalid_body.secret_jwt_template", text))
        }
        Some(template) => Ok(Some(template.role)),
        None => Ok((kind == KeyType::Secret).then(|| "service_role".to_owned())),
    }
}

fn require_free_name(cx: &Cx<'_>, project: &Row, key: &Key) -> Result<(), Error> {
    let mut others = keys(cx, project).into_iter().filter(|one| one.id != key.id && one.kind == key.kind);
    match others.find(|one| one.name == key.name) {
        Some(taken_by) => {
            let text = format!("An API key with name {} already exists in this project.", key.name);
            Err(Error::invalid("api_key_exists", text).because("API key", taken_by.id, None))
        }
        None => Ok(()),
    }
}

/// Get an API key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetApiKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the key.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub id: Uuid,
    /// Show a secret key in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<bool>,
}

impl Operation for GetApiKey {
    type Output = ApiKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["reveal"],
        scope: Some(Scope("secrets:read")),
        ..get("v1-get-project-api-key", "/v1/projects/{ref}/api-keys/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ApiKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let reveal = may_reveal(cx, &project, self.reveal)?;
        Ok(load(cx, &project, &self.id)?.shown(reveal))
    }
}

/// Update an API key. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateApiKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the key.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub id: Uuid,
    /// Its name, unique among the project's keys of its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 4, max = 64), regex(pattern = r"^[a-z_][a-z0-9_]+$"))]
    pub name: Option<String>,
    /// Its purpose; `null` removes it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<String>", extend("x-nullable" = true))]
    pub description: Option<Option<String>>,
    /// The claims of tokens minted for it; secret keys only. `null` puts the default back.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<JwtTemplate>", extend("x-nullable" = true))]
    pub secret_jwt_template: Option<Option<JwtTemplate>>,
    /// Show a secret key in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<bool>,
}

impl Operation for UpdateApiKey {
    type Output = ApiKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["reveal"],
        scope: Some(Scope("secrets:write")),
        ..patch("v1-update-project-api-key", "/v1/projects/{ref}/api-keys/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ApiKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        store_keys(cx, &project);
        let mut key = load(cx, &project, &self.id)?;
        if let Some(name) = self.name {
            key.name = name;
            require_free_name(cx, &project, &key)?;
        }
        if let Some(description) = self.description {
            key.description = description;
        }
        if let Some(template) = self.secret_jwt_template {
            key.role = role_of(key.kind, template)?;
        }
        key.changed = cx.now;
        key.store(cx, &project);
        Ok(key.shown(may_reveal(cx, &project, self.reveal)?))
    }
}

/// Distinguishes `null` from a missing field.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// Delete an API key. Returns the deleted key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteApiKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the key.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub id: Uuid,
    /// Show a secret key in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<bool>,
    /// Whether the key was leaked. Has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-sim-ignored" = true))]
    pub was_compromised: Option<bool>,
    /// The reason for the deletion. Has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-sim-ignored" = true))]
    pub reason: Option<String>,
}

impl Operation for DeleteApiKey {
    type Output = ApiKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["reveal", "was_compromised", "reason"],
        scope: Some(Scope("secrets:write")),
        ..delete("v1-delete-project-api-key", "/v1/projects/{ref}/api-keys/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ApiKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        store_keys(cx, &project);
        let key = load(cx, &project, &self.id)?;
        cx.db.run("DELETE FROM api_key WHERE project = ?1 AND id = ?2", (&project.r#ref, &key.id));
        Ok(key.shown(may_reveal(cx, &project, self.reveal)?))
    }
}

/// The key with that id, or 404.
fn load(cx: &Cx<'_>, project: &Row, id: &Uuid) -> Result<Key, Error> {
    let id = id.to_string();
    let found = keys(cx, project).into_iter().find(|key| key.id == id);
    found.ok_or_else(|| Error::not_found("api_key", &id))
}

/// Stores the default keys, unless the project's keys were changed before.
fn store_keys(cx: &Cx<'_>, project: &Row) {
    if legacy_of_changed(cx, project).is_some() {
        return;
    }
    for key in keys(cx, project) {
        key.store(cx, project);
    }
    cx.db.run("INSERT INTO api_keys_changed VALUES (?1, TRUE)", (&project.r#ref,));
}
