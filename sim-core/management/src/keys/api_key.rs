//! `/v1/projects/{ref}/api-keys`: the keys that a project's own clients use. Creating and changing them is in
//! `api_key_change`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Meta, New, Operation, Resource, Role, Scope, Secret, Timestamp, ToSchema, View,
    from_micros, get, micros, view,
};

use crate::project::{self, ProjectRef, Row};
use crate::{keyed, text_of};

operations![ListApiKeys];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// A project has a row in the first table after the first change of its keys. From then on, its keys are in the second.
const TABLES: &str = "
    CREATE TABLE api_keys_changed (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        legacy INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE api_key (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        description TEXT,
        key TEXT NOT NULL,
        role TEXT,
        made INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        UNIQUE (project, id),
        UNIQUE (project, kind, name)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "api_key",
    "An API key of a project whose keys were changed; other projects have the default keys.",
    "SELECT project, id, kind, name, description, role, made, changed FROM api_key ORDER BY seq",
)];

/// Ten years, to the second as the service counts them.
const LEGACY_KEY_LASTS_S: i64 = 315_576_000;

/// The kind of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum KeyType {
    Legacy,
    Publishable,
    Secret,
}

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ApiKey {
    /// Its name.
    pub name: String,
    /// The key; a secret key is truncated unless revealed.
    pub api_key: Secret,
    /// UUID, or the name of a legacy key.
    pub id: String,
    /// Its kind.
    pub r#type: KeyType,
    /// Its prefix.
    pub prefix: String,
    /// Its purpose.
    #[schemars(extend("x-nullable" = true, "x-required" = false))]
    pub description: Option<String>,
    /// SHA-256 of the key, base64url.
    pub hash: String,
    /// The claims of tokens minted for it; secret keys only.
    #[schemars(extend("x-nullable" = true, "x-required" = false))]
    pub secret_jwt_template: Option<JwtTemplate>,
    /// When it was created; absent for legacy keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time", "x-nullable" = true))]
    pub inserted_at: Option<Timestamp>,
    /// When it was last changed; absent for legacy keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time", "x-nullable" = true))]
    pub updated_at: Option<Timestamp>,
}

/// The claims of tokens minted for a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct JwtTemplate {
    /// The database role.
    pub role: String,
}

/// List a project's API keys.
///
/// Secret keys are truncated after their prefix unless `reveal` is true, which requires an administrator.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListApiKeys {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Show secret keys in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<bool>,
}

impl Operation for ListApiKeys {
    type Output = Vec<ApiKey>;
    const META: Meta = Meta {
        query: &["reveal"],
        scope: Some(Scope("secrets:read")),
        ..get("v1-get-project-api-keys", "/v1/projects/{ref}/api-keys")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<ApiKey>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let reveal = may_reveal(cx, &project, self.reveal)?;
        let legacy = legacy_keys(cx, &project).into_iter();
        Ok(legacy.chain(keys(cx, &project)).map(|key| key.shown(reveal)).collect())
    }
}

/// Whether secret keys are shown in full, which requires an administrator.
pub(crate) fn may_reveal(cx: &Cx<'_>, project: &Row, asked: Option<bool>) -> Result<bool, Error> {
    let reveal = asked == Some(true);
    if reveal {
        cx.require_role(&project.organization, Role::Administrator)?;
    }
    Ok(reveal)
}

/// Characters of a secret key that are shown without `reveal`.
const SHOWN: usize = 16;

/// A key before anything is masked.
pub(crate) struct Key {
    pub(crate) id: String,
    pub(crate) kind: KeyType,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    key: String,
    pub(crate) role: Option<String>,
    made: Timestamp,
    pub(crate) changed: Timestamp,
}

impl Key {
    /// A new key; its text follows from the project's secret and the id.
    pub(crate) fn new(cx: &Cx<'_>, project: &Row, kind: KeyType, name: &str) -> Key {
        let id = cx.rng.uuid("api key").to_string();
        let jwt_secret = project::jwt_secret(cx, &project.r#ref);
        let bytes = keyed(jwt_secret.as_bytes(), &[b"api key", id.as_bytes()]);
        let key = key_of(cx, kind, &bytes);
        let (made, changed) = (cx.now, cx.now);
        Key { id, kind, name: name.to_owned(), description: None, key, role: None, made, changed }
    }

    pub(crate) fn shown(self, reveal: bool) -> ApiKey {
        let Key { id, kind, name, description, key, role, made, changed } = self;
        // All legacy keys have the same prefix, so they are distinguished by their signatures.
        let (prefix, dated) = match kind {
            KeyType::Legacy => (key.rsplit('.').next().and_then(|signature| signature.get(..5)), false),
            KeyType::Publishable | KeyType::Secret => (key.get(..SHOWN), true),
        };
        let prefix = prefix.expect("keys are long, and ASCII");
        let hidden = kind == KeyType::Secret && !reveal;
        let cut = || format!("{prefix}{}", "·".repeat(key.len() - prefix.len()));
        ApiKey {
            name,
            api_key: Secret(if hidden { cut() } else { key.clone() }),
            id,
            r#type: kind,
            prefix: prefix.to_owned(),
            description,
            hash: BASE64URL.encode(Sha256::digest(&key)),
            secret_jwt_template: role.map(|role| JwtTemplate { role }),
            inserted_at: dated.then_some(made),
            updated_at: dated.then_some(changed),
        }
    }

    pub(crate) fn store(&self, cx: &Cx<'_>, project: &Row) {
        let sql = "INSERT INTO api_key (project, id, kind, name, description, key, role, made, changed)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                   ON CONFLICT (project, id) DO UPDATE SET name = ?4, description = ?5, role = ?7, changed = ?9";
        cx.db.run(
            sql,
            rusqlite::params![
                project.r#ref,
                self.id,
                text_of(&self.kind),
                self.name,
                self.description,
                self.key,
                self.role,
                micros(self.made),
                micros(self.changed),
            ],
        );
    }
}

fn key_of(cx: &Cx<'_>, kind: KeyType, bytes: &[u8]) -> String {
    format!("{}{}_{}", cx.profile.api_key_prefix, text_of(&kind), BASE64URL.encode(&bytes[..24]))
}

/// Whether the project's legacy keys are enabled, if its keys were ever changed.
pub(crate) fn legacy_of_changed(cx: &Cx<'_>, project: &Row) -> Option<bool> {
    let sql = "SELECT legacy FROM api_keys_changed WHERE project = ?1";
    cx.db.maybe(sql, (&project.r#ref,), |row| row.get(0))
}

/// The project's keys without the legacy ones, oldest first.
pub(crate) fn keys(cx: &Cx<'_>, project: &Row) -> Vec<Key> {
    if legacy_of_changed(cx, project).is_none() {
        return default_keys(cx, project).into();
    }
    let sql = "SELECT id, kind, name, description, key, role, made, changed FROM api_key
               WHERE project = ?1 ORDER BY seq";
    cx.db.all(sql, (&project.r#ref,), |row| {
        Ok(Key {
            id: row.get(0)?,
            kind: serde_json::from_value(row.get::<_, String>(1)?.into())
                .expect("stored kinds are published ones"),
            name: row.get(2)?,
            description: row.get(3)?,
            key: row.get(4)?,
            role: row.get(5)?,
            made: from_micros(row.get(6)?),
            changed: from_micros(row.get(7)?),
        })
    })
}

/// Two keys signed with the project's JWT secret.
fn legacy_keys(cx: &Cx<'_>, project: &Row) -> [Key; 2] {
    let jwt_secret = project::jwt_secret(cx, &project.r#ref);
    ["anon", "service_role"].map(|name| Key {
        id: name.to_owned(),
        kind: KeyType::Legacy,
        name: name.to_owned(),
        description: Some(format!("Legacy {name} API key")),
        key: legacy_key(cx, project, name, &jwt_secret),
        role: None,
        made: project.created_at,
        changed: project.created_at,
    })
}

/// The publishable and the secret key that every project starts with. They follow from the JWT secret, which
/// is random, so nothing is stored until somebody changes a key.
fn default_keys(cx: &Cx<'_>, project: &Row) -> [Key; 2] {
    let jwt_secret = project::jwt_secret(cx, &project.r#ref);
    [(KeyType::Publishable, None), (KeyType::Secret, Some("service_role"))].map(|(kind, role)| {
        let word = text_of(&kind);
        let bytes = |what: &[u8]| keyed(jwt_secret.as_bytes(), &[b"api key", word.as_bytes(), what]);
        let id = bytes(b"id").first_chunk().copied().expect("a hash is longer than a UUID");
        Key {
            id: uuid::Builder::from_random_bytes(id).into_uuid().to_string(),
            kind,
            name: "default".to_owned(),
            description: Some(format!("Default {word} API key")),
            key: key_of(cx, kind, &bytes(b"key")),
            role: role.map(str::to_owned),
            made: project.created_at,
            changed: project.created_at,
        }
    })
}

/// An HS256 token whose claims name the project and the role.
fn legacy_key(cx: &Cx<'_>, project: &Row, role: &str, jwt_secret: &str) -> String {
    let made = project.created_at.as_second();
    let header = json!({ "alg": "HS256", "typ": "JWT" });
    let claims = json!({
        "iss": cx.profile.jwt_issuer,
        "ref": project.r#ref,
        "role": role,
        "iat": made,
        "exp": made + LEGACY_KEY_LASTS_S,
    });
    let signed = [header, claims].map(|part| BASE64URL.encode(part.to_string())).join(".");
    let mut mac =
        Hmac::<Sha256>::new_from_slice(jwt_secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(signed.as_bytes());
    format!("{signed}.{}", BASE64URL.encode(mac.finalize().into_bytes()))
}
