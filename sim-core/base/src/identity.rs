//! Users, their tokens and memberships. They identify the caller.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sim_derive::ToSchema;

use super::cx::Cx;
use super::db::Db;
use super::error::Error;
use super::operation::Role;
use super::rate::Bucket;
use super::rng::hex;
use super::time::{Timestamp, from_micros, later, micros};
use super::view::{View, view};

/// The tables of users, tokens and members. Code that changes a token or a membership must call [`Cx::forget_caller`].
pub const TABLES: &str = "
    CREATE TABLE user (
        id INTEGER PRIMARY KEY,
        uuid TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        email TEXT NOT NULL UNIQUE,
        mfa_enabled INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE token (
        id INTEGER PRIMARY KEY,
        hash BLOB NOT NULL UNIQUE,
        user INTEGER NOT NULL REFERENCES user,
        name TEXT NOT NULL,
        app TEXT,
        scopes TEXT,
        limits TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        revoked_by_call INTEGER,
        CHECK ((app IS NULL) = (scopes IS NULL))
    ) STRICT;
    CREATE INDEX token_by_user ON token (user);
    CREATE TABLE member (
        organization TEXT NOT NULL,
        user INTEGER NOT NULL REFERENCES user,
        role TEXT NOT NULL,
        PRIMARY KEY (organization, user)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX member_by_user ON member (user);
";

/// The views of users, tokens and members.
pub const VIEWS: &[View] = &[
    view("user", "A user.", "SELECT name, email, mfa_enabled FROM user ORDER BY id"),
    view(
        "token",
        "A token, without its text: `app` and `scopes` are set if it belongs to an OAuth app, `limits` if it is limited \
         to permissions, organizations or projects.",
        "SELECT token.id, user.name AS user, token.name, app, scopes, limits, created_at, expires_at, revoked_by_call
         FROM token JOIN user ON user.id = token.user ORDER BY token.id",
    ),
    view(
        "member",
        "A member of an organization.",
        "SELECT organization, user.name AS user, role FROM member JOIN user ON user.id = member.user",
    ),
];

/// The caller of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The client that controls the simulator. It may do everything and has no limits.
    Control,
    /// Anyone. The operation checks credentials of its own.
    Anyone,
    /// The bearer of a token.
    Token(Bearer),
}

/// The bearer of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The token's row.
    pub token: i64,
    /// The user it acts for.
    pub user: i64,
    /// The OAuth app it was given to; `None` for a personal token.
    pub app: Option<String>,
    /// The scopes that the user granted the app: `projects:read projects:write`.
    pub scopes: Option<String>,
    /// What the token is limited to, if it is.
    pub limits: Option<Arc<Limits>>,
}

/// What a token is limited to. It never has more rights than its user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The permissions of a fine-grained personal token: `database_read`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// Organizations, by slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organizations: Option<Vec<String>>,
    /// Projects, by reference. Their branches belong to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projects: Option<Vec<String>>,
}

impl Limits {
    /// These limits, or `None` if nothing is limited.
    pub fn or_none(self) -> Option<Limits> {
        Some(self).filter(|limits| *limits != Limits::default())
    }

    /// The form in which limits are stored.
    pub fn stored(&self) -> String {
        serde_json::to_string(self).expect("limits are plain data")
    }

    /// The limits that were stored as `text`.
    ///
    /// # Panics
    ///
    /// If the text is not from [`stored`](Limits::stored).
    pub fn read(text: &str) -> Limits {
        serde_json::from_str(text).expect("stored limits are plain data")
    }
}

impl Caller {
    /// The user that the call acts for, if any.
    pub fn user(&self) -> Option<i64> {
        match self {
            Caller::Control | Caller::Anyone => None,
            Caller::Token(bearer) => Some(bearer.user),
        }
    }
}

impl Bearer {
    /// Reads the columns `id, user, app, scopes, limits`, which come first in the row.
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Bearer> {
        let limits = row.get::<_, Option<String>>(4)?.map(|text| Arc::new(Limits::read(&text)));
        Ok(Bearer { token: row.get(0)?, user: row.get(1)?, app: row.get(2)?, scopes: row.get(3)?, limits })
    }

    /// The bucket that these calls count in, for the rate limit.
    pub fn bucket(&self) -> Bucket<'_> {
        Bucket { user: self.user, app: self.app.as_deref(), class: None }
    }
}

/// A user as created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserSpec {
    /// Unique name.
    pub name: String,
    /// Unique email address; `name@example.test` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Whether the user signs in with a second factor.
    #[serde(default)]
    pub mfa_enabled: bool,
    /// Personal access tokens, in plain text. `sha256:` followed by 64 hex digits is the digest of a token that only its
    /// bearer knows.
    #[serde(default)]
    pub tokens: Vec<String>,
}

impl UserSpec {
    /// A user without a token.
    pub fn named(name: &str) -> UserSpec {
        UserSpec { name: name.to_owned(), email: None, mfa_enabled: false, tokens: Vec::new() }
    }

    /// Adds a personal access token, in the form that [`tokens`](UserSpec::tokens) takes.
    #[must_use]
    pub fn token(mut self, token: &str) -> UserSpec {
        self.tokens.push(token.to_owned());
        self
    }
}

/// Stores `spec` and returns the user's row id. Refuses a name, an address or a token that is in use already.
pub fn create_user(cx: &Cx<'_>, spec: &UserSpec) -> Result<i64, Error> {
    let email = spec.email.clone().unwrap_or_else(|| format!("{}@example.test", spec.name));
    let id = cx.db.insert_new(
        "INSERT INTO user (uuid, name, email, mfa_enabled) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        (cx.rng.uuid("user").to_string(), &spec.name, &email, spec.mfa_enabled),
    );
    let id = id.ok_or_else(|| {
        let text = format!("name: a user with the name {} or the address {email} exists already", spec.name);
        Error::invalid("user_exists", text)
    })?;
    for token in &spec.tokens {
        let new = NewToken::personal("given");
        match token.strip_prefix(DIGEST).and_then(unhex) {
            Some(digest) => register_digest(cx, id, &new, digest)?,
            None => register_token(cx, id, &new, token)?,
        };
    }
    Ok(id)
}

/// A token to be registered.
#[derive(Clone, Debug, Default)]
pub struct NewToken {
    /// The name that its owner gave it.
    pub name: String,
    /// The OAuth app and its scopes, for tokens that are not personal.
    pub grant: Option<(String, String)>,
    /// What it is limited to, if it is.
    pub limits: Option<Limits>,
    /// How long it is valid; it does not expire when `None`.
    pub lasts: Option<Duration>,
}

impl NewToken {
    /// A personal access token that does not expire.
    pub fn personal(name: &str) -> NewToken {
        NewToken { name: name.to_owned(), ..NewToken::default() }
    }
}

/// Generates a token for `user` and registers it. Returns its row id and its text, which is shown only once.
pub fn issue_token(cx: &Cx<'_>, user: i64, new: &NewToken) -> Result<(i64, String), Error> {
    let drawn = cx.rng.draw("token").hex::<20>();
    let own = match (&new.grant, &new.limits) {
        (Some(_), _) => format!("oauth_{drawn}"),
        // The mark of fine-grained tokens is part of the digits.
        (None, Some(_)) => format!("fc{}", &drawn[2..]),
        (None, None) => drawn,
    };
    let text = format!("{}{own}", cx.profile.token_prefix);
    Ok((register_token(cx, user, new, &text)?, text))
}

/// Registers `text` as a token of `user` and returns its row id. Refuses a text that is empty, has white space or is in
/// use.
pub fn register_token(cx: &Cx<'_>, user: i64, new: &NewToken, text: &str) -> Result<i64, Error> {
    if text.trim().is_empty() || text.contains(char::is_whitespace) {
        return Err(Error::invalid("invalid_body.token", "token: must be a text without white space"));
    }
    register_digest(cx, user, new, digest(text))
}

fn register_digest(cx: &Cx<'_>, user: i64, new: &NewToken, hash: [u8; 32]) -> Result<i64, Error> {
    let (app, scopes) = new.grant.as_ref().map(|(app, scopes)| (app, scopes)).unzip();
    let expires = new.lasts.map(|lasts| micros(later(cx.now, lasts)));
    let limits = new.limits.as_ref().map(Limits::stored);
    let id = cx.db.insert_new(
        "INSERT INTO token (hash, user, name, app, scopes, limits, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
        (&hash[..], user, &new.name, app, scopes, limits, micros(cx.now), expires),
    );
    id.ok_or_else(|| Error::invalid("token_exists", "token: is in use already"))
}

/// Revokes a token. Returns whether there was one to revoke.
pub fn revoke_token(cx: &Cx<'_>, token: i64) -> bool {
    cx.forget_caller();
    let sql = "UPDATE token SET revoked_by_call = ?2 WHERE id = ?1 AND revoked_by_call IS NULL";
    cx.db.run(sql, (token, cx.call as i64)) == 1
}

/// Sets the role of `user` in the organization. Makes the user a member if necessary.
pub fn set_role(cx: &Cx<'_>, organization: &str, user: i64, role: Role) {
    cx.forget_caller();
    cx.db.run(
        "INSERT INTO member VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET role = ?3",
        (organization, user, role.as_str()),
    );
}

/// Ends the user's membership in the organization. Returns whether there was one to end.
pub fn end_membership(cx: &Cx<'_>, organization: &str, user: i64) -> bool {
    cx.forget_caller();
    cx.db.run("DELETE FROM member WHERE organization = ?1 AND user = ?2", (organization, user)) == 1
}

/// The bearer of the token `text` at `now`. Refuses every invalid token with the same 401.
pub fn authenticate(db: Db<'_>, now: Timestamp, text: &str) -> Result<Bearer, Error> {
    valid_until(db, now, text).map(|(bearer, _)| bearer)
}

/// Like [`authenticate`], and also returns when the token expires.
pub fn valid_until(db: Db<'_>, now: Timestamp, text: &str) -> Result<(Bearer, Option<Timestamp>), Error> {
    let hash = digest(text);
    let sql =
        "SELECT id, user, app, scopes, limits, expires_at, revoked_by_call, hash FROM token WHERE hash = ?1";
    let found = db.maybe(sql, (&hash[..],), |row| {
        let ends = (row.get::<_, Option<i64>>(5)?, row.get::<_, Option<i64>>(6)?);
        Ok((Bearer::read(row)?, ends.0, ends.1, row.get::<_, Vec<u8>>(7)?))
    });
    let Some((bearer, expires_at, revoked_by, stored)) = found.filter(|found| same(&found.3, &hash)) else {
        return Err(Error::unauthorized("token_unknown"));
    };
    debug_assert_eq!(stored.len(), hash.len(), "stored digests have one length");
    let token = format!("token {}", bearer.token);
    if let Some(call) = revoked_by {
        return Err(Error::unauthorized("token_revoked").because("token", token, Some(call as u64)));
    }
    match expires_at.map(from_micros) {
        Some(end) if end <= now => Err(Error::unauthorized("token_expired")
            .because("token", token, None)
            .because("expired at", end, None)),
        end => Ok((bearer, end)),
    }
}

/// The bearer of the token with this row id, even if the token is expired or revoked. Use it for callers that are
/// authenticated already.
pub fn bearer(db: Db<'_>, token: i64) -> Option<Bearer> {
    db.maybe("SELECT id, user, app, scopes, limits FROM token WHERE id = ?1", (token,), Bearer::read)
}

/// Prefix of a digest that replaces a token in the description of a world.
const DIGEST: &str = "sha256:";

/// `token` as in a replay file: its digest, unless it is a digest already.
pub fn sealed_token(token: &str) -> String {
    if token.starts_with(DIGEST) { token.to_owned() } else { format!("{DIGEST}{}", hex(&digest(token))) }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    (text.len() == 64).then_some(bytes)
}

/// The stored form of a token.
pub type Digest = [u8; 32];

/// The digests of all tokens, revoked ones included.
pub fn digests(db: Db<'_>) -> BTreeSet<Digest> {
    let rows = db.all("SELECT hash FROM token", (), |row| row.get::<_, Vec<u8>>(0));
    rows.into_iter().filter_map(|hash| hash.try_into().ok()).collect()
}

/// Whether there is a token with this digest, even a revoked one.
pub fn is_token(db: Db<'_>, digest: &Digest) -> bool {
    db.maybe("SELECT 1 FROM token WHERE hash = ?1", (&digest[..],), |_| Ok(())).is_some()
}

/// Only digests of tokens are stored, so a copy of the database gives no access.
pub fn digest(token: &str) -> Digest {
    Sha256::digest(token).into()
}

/// Compares in a time that depends on the length only.
pub fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |diff, (x, y)| diff | (x ^ y)) == 0
}
