//! `/v1/projects/{ref}/api-keys`: the keys that a project's own clients use.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use hmac::{Hmac, KeyInit as _, Mac as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::engine::{Cx, Error, Meta, Operation, Resource, Role, Scope, Secret, Timestamp, get};
use crate::operations;

use super::keyed;
use super::project::{self, ProjectRef};

operations![ListApiKeys];

pub(super) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Ten years, to the second as the service counts them.
const LEGACY_KEY_LASTS_S: i64 = 315_576_000;

/// The kind of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum KeyType {
    Legacy,
    Publishable,
    Secret,
}

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApiKey {
    /// What it is called.
    pub name: String,
    /// The key; a secret one is cut unless revealed.
    pub api_key: Secret,
    /// UUID, or the name of a legacy key.
    pub id: String,
    /// Its kind.
    pub r#type: KeyType,
    /// How it begins.
    pub prefix: String,
    /// What it is for.
    pub description: String,
    /// SHA-256 of the key, base64url.
    pub hash: String,
    /// What the tokens minted for it say; secret keys only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_jwt_template: Option<JwtTemplate>,
    /// When it was made.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Timestamp,
}

/// What the tokens minted for a key say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JwtTemplate {
    /// The database role.
    pub role: String,
}

/// List a project's API keys.
///
/// Secret keys are cut after their prefix unless `reveal` is true, which takes an administrator.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListApiKeys {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Show secret keys whole.
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
        let reveal = self.reveal == Some(true);
        if reveal {
            cx.require_role(&project.organization, Role::Administrator)?;
        }
        Ok(default_keys(cx, &project).map(|key| key.shown(reveal)).into())
    }
}

/// Characters of a secret key that are shown unrevealed.
const SHOWN: usize = 16;

/// A key as it is before anything is hidden.
struct Key {
    id: String,
    kind: KeyType,
    name: &'static str,
    description: String,
    key: String,
    role: Option<&'static str>,
    made: Timestamp,
}

impl Key {
    fn shown(self, reveal: bool) -> ApiKey {
        let Key { id, kind, name, description, key, role, made } = self;
        let prefix = &key[..key.floor_char_boundary(if kind == KeyType::Legacy { 5 } else { SHOWN })];
        let hidden = kind == KeyType::Secret && !reveal;
        let cut = || format!("{prefix}{}", "·".repeat(key.len() - prefix.len()));
        ApiKey {
            name: name.to_owned(),
            api_key: Secret(if hidden { cut() } else { key.clone() }),
            id,
            r#type: kind,
            prefix: prefix.to_owned(),
            description,
            hash: BASE64URL.encode(Sha256::digest(&key)),
            secret_jwt_template: role.map(|role| JwtTemplate { role: role.to_owned() }),
            inserted_at: made,
            updated_at: made,
        }
    }
}

/// The keys that every project has: two legacy ones signed with its JWT secret, one publishable, one secret. They
/// follow from the secret, which is chance, so that nothing is stored until somebody changes one.
fn default_keys(cx: &Cx<'_>, project: &project::Row) -> [Key; 4] {
    let jwt_secret = project::jwt_secret(cx, &project.r#ref);
    let made = project.created_at;
    let legacy = |name: &'static str| Key {
        id: name.to_owned(),
        kind: KeyType::Legacy,
        name,
        description: format!("Legacy {name} API key"),
        key: legacy_key(cx, project, name, &jwt_secret),
        role: None,
        made,
    };
    let fresh = |kind: KeyType, word: &str, role| {
        let bytes = |what: &[u8]| keyed(jwt_secret.as_bytes(), &[b"api key", word.as_bytes(), what]);
        let id = bytes(b"id").first_chunk().copied().expect("a hash is longer than a UUID");
        Key {
            id: uuid::Builder::from_random_bytes(id).into_uuid().to_string(),
            kind,
            name: "default",
            description: format!("Default {word} API key"),
            key: format!("{}{word}_{}", cx.profile.api_key_prefix, BASE64URL.encode(&bytes(b"key")[..24])),
            role,
            made,
        }
    };
    [
        legacy("anon"),
        legacy("service_role"),
        fresh(KeyType::Publishable, "publishable", None),
        fresh(KeyType::Secret, "secret", Some("service_role")),
    ]
}

/// An HS256 token whose claims name the project and the role.
fn legacy_key(cx: &Cx<'_>, project: &project::Row, role: &str, jwt_secret: &str) -> String {
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
