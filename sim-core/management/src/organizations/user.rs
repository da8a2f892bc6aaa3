//! Users and their personal access tokens. The service creates them on its web pages, so here they are
//! control operations under `/_sim`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, Meta, NewToken, Operation, Resource, Secret, UserSpec, create_user, delete,
    get, issue_token, post, register_token, revoke_token,
};

operations![CreateUser, ListUsers, CreateToken, ListTokens, RevokeToken];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct User {
    /// Its number in this world.
    pub id: i64,
    /// UUID, as in lists of members.
    pub user_id: String,
    /// Unique name.
    pub name: String,
    /// Unique address.
    pub email: String,
    /// Whether the user has enabled a second factor.
    pub mfa_enabled: bool,
}

/// A new token. Its text is shown only here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CreatedToken {
    /// Its number in this world.
    pub id: i64,
    /// The token to send after `Bearer`.
    pub token: Secret,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Token {
    /// Its number in this world.
    pub id: i64,
    /// The user it acts for.
    pub user: String,
    /// Its name.
    pub name: String,
    /// OAuth scopes, separated by blanks; absent for a personal token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<String>,
    /// The call that revoked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_by_call: Option<i64>,
}

/// Create a user.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateUser {
    /// Unique name.
    #[schemars(length(min = 1, max = 256))]
    pub name: String,
    /// Unique email address; `name@example.test` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Whether the user has enabled a second factor.
    #[serde(default)]
    pub mfa_enabled: bool,
}

impl Operation for CreateUser {
    type Output = User;
    const META: Meta = Meta { access: Access::Control, ..post("sim-create-user", "/_sim/users") };

    fn run(self, cx: &mut Cx<'_>) -> Result<User, Error> {
        let Self { name, email, mfa_enabled } = self;
        create_user(cx, &UserSpec { name: name.clone(), email, mfa_enabled, tokens: Vec::new() })?;
        named(cx, &name)
    }
}

/// List all users.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListUsers {}

impl Operation for ListUsers {
    type Output = Vec<User>;
    const META: Meta = Meta { access: Access::Control, ..get("sim-list-users", "/_sim/users") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<User>, Error> {
        Ok(cx.db.all("SELECT id, uuid, name, email, mfa_enabled FROM user ORDER BY id", (), user))
    }
}

/// Create a token for a user.
///
/// It is a personal token, unless scopes are given. With scopes it is the token of an OAuth app to which the user granted them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateToken {
    /// The user's name.
    pub user: String,
    /// The text of the token; generated from the seed by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Secret>,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// OAuth scopes, for example `projects:read`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// Its lifetime in seconds of simulated time; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 3_153_600_000_u64))]
    pub lasts_s: Option<u64>,
}

impl CreateToken {
    /// A personal token for `user` that does not expire.
    pub fn personal(user: &str) -> CreateToken {
        CreateToken { user: user.to_owned(), token: None, name: String::new(), scopes: None, lasts_s: None }
    }
}

impl Operation for CreateToken {
    type Output = CreatedToken;
    const META: Meta =
        Meta { access: Access::Control, ..post("sim-create-token", "/_sim/users/{user}/tokens") };

    fn run(self, cx: &mut Cx<'_>) -> Result<CreatedToken, Error> {
        let user = named(cx, &self.user)?;
        let new = NewToken {
            name: self.name,
            grant: self.scopes.map(|scopes| ("app".to_owned(), scopes.join(" "))),
            lasts: self.lasts_s.map(std::time::Duration::from_secs),
        };
        let (id, token) = match self.token {
            Some(Secret(text)) => (register_token(cx, user.id, &new, &text)?, text),
            None => issue_token(cx, user.id, &new)?,
        };
        Ok(CreatedToken { id, token: Secret(token) })
    }
}

/// List all tokens, without their texts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListTokens {}

impl Operation for ListTokens {
    type Output = Vec<Token>;
    const META: Meta = Meta { access: Access::Control, ..get("sim-list-tokens", "/_sim/tokens") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Token>, Error> {
        let sql = "SELECT t.id, u.name, t.name, t.scopes, t.revoked_by_call
                   FROM token t JOIN user u ON u.id = t.user ORDER BY t.id";
        Ok(cx.db.all(sql, (), |row| {
            Ok(Token {
                id: row.get(0)?,
                user: row.get(1)?,
                name: row.get(2)?,
                scopes: row.get(3)?,
                revoked_by_call: row.get(4)?,
            })
        }))
    }
}

/// Revoke a token. Calls with it are refused from now on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RevokeToken {
    /// The token's number.
    #[schemars(regex(pattern = r"^[0-9]{1,18}$"), extend("x-rule" = "the token's number"))]
    pub id: String,
}

impl Operation for RevokeToken {
    type Output = Empty;
    const META: Meta = Meta { access: Access::Control, ..delete("sim-revoke-token", "/_sim/tokens/{id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        if !self.id.parse().is_ok_and(|id| revoke_token(cx, id)) {
            return Err(Error::not_found("token", &self.id));
        }
        Ok(Empty {})
    }
}

/// The user with that name, or 404.
pub fn named(cx: &Cx<'_>, name: &str) -> Result<User, Error> {
    let sql = "SELECT id, uuid, name, email, mfa_enabled FROM user WHERE name = ?1";
    cx.db.maybe(sql, (name,), user).ok_or_else(|| Error::not_found("user", name))
}

fn user(row: &rusqlite::Row<'_>) -> rusqlite::Result<User> {
    Ok(User {
        id: row.get(0)?,
        user_id: row.get(1)?,
        name: row.get(2)?,
        email: row.get(3)?,
        mfa_enabled: row.get(4)?,
    })
}
