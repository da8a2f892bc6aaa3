//! `/v1/projects/{ref}/config/auth/third-party-auth`: other services whose tokens a project accepts.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Profile, Resource, Scope, Timestamp, ToSchema, View,
    delete, from_micros, get, micros, post, view,
};
use uuid::Uuid;

use crate::documents;
use crate::project::{self, ProjectRef, Row as Project};
use crate::{named, text_of};

operations![CreateThirdPartyAuth, ListThirdPartyAuth, GetThirdPartyAuth, DeleteThirdPartyAuth];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE third_party_auth (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        address TEXT,
        custom_jwks TEXT,
        resolved_jwks TEXT,
        made INTEGER NOT NULL,
        resolved INTEGER,
        UNIQUE (project, kind, address)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "third_party_auth",
    "Another service whose tokens a project accepts.",
    "SELECT project, id, kind, address, made, resolved FROM third_party_auth ORDER BY seq",
)];

/// Another service whose tokens a project accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ThirdPartyAuth {
    /// UUID.
    pub id: String,
    /// The source of its keys.
    pub r#type: KeySource,
    /// The issuer of its tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oidc_issuer_url: Option<String>,
    /// The address of its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_url: Option<String>,
    /// Its keys, if they were given directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_jwks: Option<Value>,
    /// Its keys, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_jwks: Option<Value>,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
    /// When its keys were fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub resolved_at: Option<Timestamp>,
}

/// The source of another service's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeySource {
    /// Its issuer's configuration contains the address of the keys.
    Oidc,
    /// They are at an address.
    Jwks,
    /// They were given directly.
    Custom,
}

/// Accept the tokens of another service: of an issuer, of the owner of the keys at an address, or of the owner of the given keys.
///
/// An address is fetched once, by the embedder's function; without such a function its keys stay unknown.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
#[schemars(extend("allOf" = [{ "oneOf": [
    { "required": ["oidc_issuer_url"] }, { "required": ["jwks_url"] }, { "required": ["custom_jwks"] },
] }]))]
pub struct CreateThirdPartyAuth {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The issuer of its tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^https://[!-~]+$"), extend("x-rule" = "an address that starts with https://"))]
    pub oidc_issuer_url: Option<String>,
    /// The address of its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^https://[!-~]+$"), extend("x-rule" = "an address that starts with https://"))]
    pub jwks_url: Option<String>,
    /// Its keys: an object with a list of `keys`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("required" = ["keys"], "properties" = { "keys": { "type": "array", "items": { "type": "object" } } }))]
    pub custom_jwks: Option<Map<String, Value>>,
}

impl Operation for CreateThirdPartyAuth {
    type Output = ThirdPartyAuth;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("auth:write")),
        check: Some(check),
        ..post("v1-create-project-tpa-integration", "/v1/projects/{ref}/config/auth/third-party-auth")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ThirdPartyAuth, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let custom = self.custom_jwks.map(Value::Object);
        let (kind, address, resolved) = match (self.oidc_issuer_url, self.jwks_url) {
            (Some(issuer), _) => (KeySource::Oidc, Some(issuer.clone()), keys_of_issuer(cx, &issuer)),
            (None, Some(url)) => (KeySource::Jwks, Some(url.clone()), keys_at(cx, &url)),
            (None, None) => (KeySource::Custom, None, custom.clone()),
        };
        if let Some(address) = &address {
            require_new(cx, &project, kind, address)?;
        }
        let id = cx.rng.uuid("third-party auth");
        let text = |keys: &Option<Value>| keys.as_ref().map(Value::to_string);
        cx.db.run(
            "INSERT INTO third_party_auth (project, id, kind, address, custom_jwks, resolved_jwks, made, resolved)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            rusqlite::params![
                project.r#ref,
                id.to_string(),
                text_of(&kind),
                address,
                text(&custom),
                text(&resolved),
                micros(cx.now),
                resolved.as_ref().map(|_| micros(cx.now)),
            ],
        );
        load(cx, &project, &id)
    }
}

/// Exactly one source of keys.
fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    let given =
        ["oidc_issuer_url", "jwks_url", "custom_jwks"].iter().filter(|name| input.get(**name).is_some());
    match given.count() {
        1 => Ok(()),
        0 => {
            let text = "oidc_issuer_url: Required, or jwks_url or custom_jwks in its place";
            Err(Error::invalid("invalid_body.oidc_issuer_url", text))
        }
        _ => {
            let text = "oidc_issuer_url: Only one of oidc_issuer_url, jwks_url and custom_jwks can be given";
            Err(Error::invalid("invalid_body.oidc_issuer_url", text))
        }
    }
}

fn keys_of_issuer(cx: &Cx<'_>, issuer: &str) -> Option<Value> {
    let at = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let text = documents::fetch(cx, "oidc_issuer_url", &at).ok()?;
    let configuration: Value = serde_json::from_str(&text).ok()?;
    keys_at(cx, configuration["jwks_uri"].as_str()?)
}

fn keys_at(cx: &Cx<'_>, url: &str) -> Option<Value> {
    let keys: Value = serde_json::from_str(&documents::fetch(cx, "jwks_url", url).ok()?).ok()?;
    keys["keys"].is_array().then_some(keys)
}

fn require_new(cx: &Cx<'_>, project: &Project, kind: KeySource, address: &str) -> Result<(), Error> {
    let sql = "SELECT id FROM third_party_auth WHERE project = ?1 AND kind = ?2 AND address = ?3";
    let key = (&project.r#ref, text_of(&kind), address);
    match cx.db.maybe(sql, key, |row| row.get::<_, String>(0)) {
        None => Ok(()),
        Some(there) => {
            let text = format!("The project accepts the tokens of {address} already.");
            Err(Error::invalid("third_party_auth_exists", text).because("third-party auth", there, None))
        }
    }
}

/// List the other services whose tokens a project accepts, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListThirdPartyAuth {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListThirdPartyAuth {
    type Output = Vec<ThirdPartyAuth>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("auth:read")),
        ..get("v1-list-project-tpa-integrations", "/v1/projects/{ref}/config/auth/third-party-auth")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<ThirdPartyAuth>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = format!("SELECT {COLUMNS} FROM third_party_auth WHERE project = ?1 ORDER BY seq");
        Ok(cx.db.all(&sql, (&project.r#ref,), read))
    }
}

/// Get another service whose tokens a project accepts.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetThirdPartyAuth {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub tpa_id: Uuid,
}

impl Operation for GetThirdPartyAuth {
    type Output = ThirdPartyAuth;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("auth:read")),
        ..get("v1-get-project-tpa-integration", "/v1/projects/{ref}/config/auth/third-party-auth/{tpa_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ThirdPartyAuth, Error> {
        let project = project::load(cx, &self.r#ref)?;
        load(cx, &project, &self.tpa_id)
    }
}

/// Stop accepting the tokens of another service.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteThirdPartyAuth {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub tpa_id: Uuid,
}

impl Operation for DeleteThirdPartyAuth {
    type Output = ThirdPartyAuth;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("auth:write")),
        ..delete(
            "v1-delete-project-tpa-integration",
            "/v1/projects/{ref}/config/auth/third-party-auth/{tpa_id}",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ThirdPartyAuth, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = load(cx, &project, &self.tpa_id)?;
        cx.db.run("DELETE FROM third_party_auth WHERE id = ?1", (&found.id,));
        Ok(found)
    }
}

const COLUMNS: &str = "id, kind, address, custom_jwks, resolved_jwks, made, resolved";

/// The service with that id, or 404.
fn load(cx: &Cx<'_>, project: &Project, id: &Uuid) -> Result<ThirdPartyAuth, Error> {
    let sql = format!("SELECT {COLUMNS} FROM third_party_auth WHERE project = ?1 AND id = ?2");
    let found = cx.db.maybe(&sql, (&project.r#ref, id.to_string()), read);
    found.ok_or_else(|| Error::not_found("third_party_auth", &id.to_string()))
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<ThirdPartyAuth> {
    let kind: KeySource = named(row.get_ref(1)?.as_str()?);
    let address: Option<String> = row.get(2)?;
    let of = |wanted: KeySource| address.clone().filter(|_| kind == wanted);
    let json = |text: Option<String>| {
        text.map(|text| serde_json::from_str(&text).expect("stored keys are the JSON they came as"))
    };
    Ok(ThirdPartyAuth {
        id: row.get(0)?,
        r#type: kind,
        oidc_issuer_url: of(KeySource::Oidc),
        jwks_url: of(KeySource::Jwks),
        custom_jwks: json(row.get(3)?),
        resolved_jwks: json(row.get(4)?),
        inserted_at: from_micros(row.get(5)?),
        updated_at: from_micros(row.get(5)?),
        resolved_at: row.get::<_, Option<i64>>(6)?.map(from_micros),
    })
}
