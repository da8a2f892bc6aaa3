//! `/api/access-tokens`: the tokens of callers, each with its scopes.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, NewToken, Operation, Payload, Resource, Secret,
    Timestamp, ToSchema, View, from_micros, hex, micros, register_token, revoke_token, view,
};

use crate::account;
use crate::manner::{create, not_found, read, remove, unprocessable};

operations![CreateAccessToken, ListAccessTokens, DeleteAccessToken];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE access_token (
        id INTEGER PRIMARY KEY REFERENCES token,
        user INTEGER NOT NULL REFERENCES user,
        scopes TEXT NOT NULL,
        description TEXT,
        inserted_at INTEGER NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        public_text TEXT -- secret
    ) STRICT;
    CREATE INDEX access_token_by_user ON access_token (user);
";

pub(crate) const VIEWS: &[View] = &[view(
    "access_token",
    "The scopes of an access token, without its text: `id` is that of `token`.",
    "SELECT id, scopes, description, inserted_at FROM access_token",
)];

/// An access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AccessToken {
    /// Number.
    pub id: i64,
    /// Its text: in the answer to its creation, and in lists if it is public.
    #[schemars(extend("x-nullable" = true))]
    pub token: Option<Secret>,
    /// Its scopes, separated by blanks: `private`, `public`, `ingest`, `ingest:source:1`, `query`, `query:endpoint:1`.
    pub scopes: String,
    /// Its description.
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
}

/// Create an access token.
#[derive(Clone, Debug, Default, Serialize, FromJson, ToSchema, New)]
pub struct CreateAccessToken {
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// Its scopes; `public` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub scopes: Option<String>,
}

impl CreateAccessToken {
    /// A token with those scopes.
    pub fn with(scopes: &str) -> CreateAccessToken {
        CreateAccessToken { scopes: Some(scopes.to_owned()), description: None }
    }
}

impl Operation for CreateAccessToken {
    type Output = AccessToken;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..create("analytics-create-access-token", "/api/access-tokens") };

    fn run(self, cx: &mut Cx<'_>) -> Result<AccessToken, Error> {
        let user = account::caller(cx)?;
        let scopes = self.scopes.unwrap_or_else(|| "public".to_owned());
        if !scopes.split(' ').all(is_scope) {
            return Err(unprocessable("scopes", "is invalid"));
        }
        if let Some(lacking) = scopes.split(' ').find(|scope| !is_there(cx, user, scope)) {
            return Err(unprocessable("scopes", &format!("{lacking} does not exist")));
        }
        let text = hex(&cx.rng.draw("access_token").bytes::<32>());
        let id = register(cx, user, &text, &scopes, self.description.as_deref())?;
        Ok(AccessToken {
            id,
            token: Some(Secret(text)),
            scopes,
            description: self.description,
            inserted_at: cx.now,
        })
    }
}

/// Stores a token whose text is given.
pub(crate) fn seed(cx: &Cx<'_>, user: i64, text: &str, scopes: &str, description: &str) -> Result<(), Error> {
    register(cx, user, text, scopes, Some(description)).map(drop)
}

fn register(
    cx: &Cx<'_>,
    user: i64,
    text: &str,
    scopes: &str,
    description: Option<&str>,
) -> Result<i64, Error> {
    let grant = Some(("access_token".to_owned(), scopes.to_owned()));
    let new = NewToken { name: description.unwrap_or_default().to_owned(), grant, limits: None, lasts: None };
    let id = register_token(cx, user, &new, text)?;
    list(cx, id, user, text, scopes, description);
    Ok(id)
}

/// Adds the token with that number to the user's list.
pub(crate) fn list(cx: &Cx<'_>, id: i64, user: i64, text: &str, scopes: &str, description: Option<&str>) {
    let public = is_public(scopes).then_some(text);
    cx.db.run(
        "INSERT INTO access_token VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        (id, user, scopes, description, micros(cx.now), digest(text), public),
    );
}

fn is_scope(scope: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match scope.split(':').collect::<Vec<_>>()[..] {
        ["private" | "public" | "ingest" | "query"] => true,
        ["ingest", "source" | "collection", id] | ["query", "endpoint", id] => is_number(id),
        _ => false,
    }
}

/// Whether the user has the source or endpoint that a scope names.
fn is_there(cx: &Cx<'_>, user: i64, scope: &str) -> bool {
    let sql = match scope.rsplit_once(':') {
        Some(("ingest:source" | "ingest:collection", _)) => {
            "SELECT 1 FROM source WHERE id = ?1 AND user = ?2"
        }
        Some(("query:endpoint", _)) => "SELECT 1 FROM endpoint WHERE id = ?1 AND user = ?2",
        _ => return true,
    };
    let id = scope.rsplit(':').next().and_then(|id| id.parse::<i64>().ok());
    id.is_some_and(|id| cx.db.maybe(sql, (id, user), |_| Ok(())).is_some())
}

fn is_public(scopes: &str) -> bool {
    scopes.split(' ').all(|scope| scope == "public")
}

/// The texts of private tokens are not stored, but a token is deleted by its text.
fn digest(text: &str) -> String {
    use sha2::Digest as _;
    hex(&sha2::Sha256::digest(text))
}

/// List the access tokens of the user.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListAccessTokens {}

impl Operation for ListAccessTokens {
    type Output = Vec<AccessToken>;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..read("analytics-list-access-tokens", "/api/access-tokens") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<AccessToken>, Error> {
        let sql = "SELECT id, public_text, scopes, description, inserted_at FROM access_token
                   WHERE user = ?1 ORDER BY id";
        Ok(cx.db.all(sql, (account::caller(cx)?,), |row| {
            Ok(AccessToken {
                id: row.get(0)?,
                token: row.get::<_, Option<String>>(1)?.map(Secret),
                scopes: row.get(2)?,
                description: row.get(3)?,
                inserted_at: from_micros(row.get(4)?),
            })
        }))
    }
}

/// Delete an access token. Calls with it are refused from now on.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteAccessToken {
    /// Its text.
    pub token: String,
}

impl Operation for DeleteAccessToken {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        ..remove("analytics-delete-access-token", "/api/access-tokens/{token}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let sql = "DELETE FROM access_token WHERE digest = ?1 AND user = ?2 RETURNING id";
        let found = cx.db.maybe(sql, (digest(&self.token), account::caller(cx)?), |row| row.get(0));
        let id = found.ok_or_else(|| not_found("access_token_not_found", "•••"))?;
        revoke_token(cx, id);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}
