//! `/v1/projects/{ref}/api-keys`: the keys that a project's own clients use.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use hmac::{Hmac, KeyInit as _, Mac as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::engine::{
    Cx, Draw, Error, Meta, Operation, Resource, Role, Scope, Secret, Timestamp, from_micros, get, micros,
};
use crate::operations;

use super::project::{self, ProjectRef};

operations![ListApiKeys];

pub(super) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE api_key (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        key TEXT NOT NULL,
        role TEXT,
        inserted_at INTEGER NOT NULL,
        PRIMARY KEY (project, id)
    ) STRICT, WITHOUT ROWID;
";

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
        let sql = "SELECT id, type, name, description, key, role, inserted_at
                   FROM api_key WHERE project = ?1 ORDER BY seq";
        Ok(cx.db.all(sql, (&self.r#ref.0,), |row| read(row, reveal)))
    }
}

fn read(row: &rusqlite::Row<'_>, reveal: bool) -> rusqlite::Result<ApiKey> {
    let (kind, key): (String, String) = (row.get(1)?, row.get(4)?);
    let kind = match &*kind {
        "legacy" => KeyType::Legacy,
        "publishable" => KeyType::Publishable,
        _ => KeyType::Secret,
    };
    let shown = if kind == KeyType::Legacy { 5 } else { SHOWN };
    let prefix = &key[..key.floor_char_boundary(shown)];
    let cut = kind == KeyType::Secret && !reveal;
    let made = from_micros(row.get(6)?);
    Ok(ApiKey {
        name: row.get(2)?,
        api_key: Secret(if cut {
            format!("{prefix}{}", "·".repeat(key.len() - prefix.len()))
        } else {
            key.clone()
        }),
        id: row.get(0)?,
        r#type: kind,
        prefix: prefix.to_owned(),
        description: row.get(3)?,
        hash: BASE64URL.encode(Sha256::digest(&key)),
        secret_jwt_template: row.get::<_, Option<String>>(5)?.map(|role| JwtTemplate { role }),
        inserted_at: made,
        updated_at: made,
    })
}

/// Characters of a secret key that are shown unrevealed.
const SHOWN: usize = 16;

/// The keys of a new project: two legacy ones signed with its JWT secret, one publishable, one secret.
pub(super) fn insert_defaults(cx: &Cx<'_>, project: &str, jwt_secret: &str, draw: &mut Draw) {
    let sql = "INSERT INTO api_key VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let made = micros(cx.now);
    for (seq, name) in [(0, "anon"), (1, "service_role")] {
        let text = format!("Legacy {name} API key");
        let key = legacy_key(cx, project, name, jwt_secret);
        cx.db.run(sql, (project, name, seq, "legacy", name, text, key, None::<String>, made));
    }
    for (seq, kind, role) in [(2, "publishable", None), (3, "secret", Some("service_role"))] {
        let id = draw.uuid().to_string();
        let key = format!("{}{kind}_{}", cx.profile.api_key_prefix, BASE64URL.encode(draw.bytes::<24>()));
        let text = format!("Default {kind} API key");
        cx.db.run(sql, (project, id, seq, kind, "default", text, key, role, made));
    }
}

/// An HS256 token whose claims name the project and the role.
fn legacy_key(cx: &Cx<'_>, project: &str, role: &str, jwt_secret: &str) -> String {
    let now = cx.now.as_second();
    let header = json!({ "alg": "HS256", "typ": "JWT" });
    let claims = json!({
        "iss": cx.profile.jwt_issuer,
        "ref": project,
        "role": role,
        "iat": now,
        "exp": now + LEGACY_KEY_LASTS_S,
    });
    let signed = [header, claims].map(|part| BASE64URL.encode(part.to_string())).join(".");
    let mut mac =
        Hmac::<Sha256>::new_from_slice(jwt_secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(signed.as_bytes());
    format!("{signed}.{}", BASE64URL.encode(mac.finalize().into_bytes()))
}
