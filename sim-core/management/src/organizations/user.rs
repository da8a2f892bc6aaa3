//! Users and their personal access tokens. The service creates them on its web pages, so here they are
//! control operations under `/_sim`.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Bearer, Cx, Empty, Error, FromJson, Limits, Meta, New, NewToken, Operation, Resource, Secret,
    Timestamp, ToSchema, UserSpec, create_user, delete, get, issue_token, post, register_token,
    require_scope, revoke_token, valid_until,
};

use crate::kept;
use crate::oauth_app::OAuthScope;
use crate::organization;
use crate::permission::{self, Permission};
use crate::project::{self, ProjectRef};
use crate::v2::member;

operations![CreateUser, ListUsers, CreateToken, ListTokens, IntrospectToken, RevokeToken];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct CreatedToken {
    /// Its number in this world.
    pub id: i64,
    /// The token to send after `Bearer`.
    pub token: Secret,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
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
    /// Permissions, if it is a fine-grained token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// The organizations that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organizations: Option<Vec<String>>,
    /// The projects that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projects: Option<Vec<String>>,
    /// The call that revoked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_by_call: Option<i64>,
}

/// Create a user.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct CreateUser {
    /// Unique name.
    #[schemars(length(min = 1, max = 256))]
    pub name: String,
    /// Unique email address; `name@example.test` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024), regex(pattern = member::EMAIL), extend("x-rule" = "an email address"))]
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
        kept::require_room(cx)?;
        named(cx, &name)
    }
}

/// List all users.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
/// With permissions it is a fine-grained personal token.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
    #[schemars(with = "Option<Vec<OAuthScope>>")]
    pub scopes: Option<Vec<String>>,
    /// The permissions of a fine-grained token, for example `database_read`; one to write includes the one to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<Permission>>,
    /// The slugs of the organizations that it is limited to; all of the user by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub organizations: Option<Vec<String>>,
    /// The projects that it is limited to, with their branches; all of the user by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub projects: Option<Vec<ProjectRef>>,
    /// Its lifetime in seconds of simulated time; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 3_153_600_000_u64))]
    pub lasts_s: Option<u64>,
}

impl CreateToken {
    /// A personal token for `user` that does not expire.
    pub fn personal(user: &str) -> CreateToken {
        CreateToken {
            user: user.to_owned(),
            token: None,
            name: String::new(),
            scopes: None,
            permissions: None,
            organizations: None,
            projects: None,
            lasts_s: None,
        }
    }

    /// What the token is limited to. Refuses organizations and projects that are not there.
    fn limits(&mut self, cx: &Cx<'_>) -> Result<Option<Limits>, Error> {
        let permissions = self.permissions.take();
        if permissions.is_some() && self.scopes.is_some() {
            let text = "permissions: can't be given together with scopes";
            return Err(Error::invalid("invalid_body.permissions", text));
        }
        let (organizations, projects) = (self.organizations.take(), self.projects.take());
        if organizations.is_some() && projects.is_some() {
            let text = "projects: can't be given together with organizations";
            return Err(Error::invalid("invalid_body.projects", text));
        }
        organizations.iter().flatten().try_for_each(|slug| organization::load(cx, slug).map(drop))?;
        projects.iter().flatten().try_for_each(|project| project::load(cx, project).map(drop))?;
        let limits = Limits {
            permissions: permissions.map(|list| list.into_iter().map(|permission| permission.0).collect()),
            organizations,
            projects: projects.map(|list| list.into_iter().map(|project| project.0).collect()),
        };
        Ok(limits.or_none())
    }
}

impl Operation for CreateToken {
    type Output = CreatedToken;
    const META: Meta =
        Meta { access: Access::Control, ..post("sim-create-token", "/_sim/users/{user}/tokens") };

    fn run(mut self, cx: &mut Cx<'_>) -> Result<CreatedToken, Error> {
        let user = named(cx, &self.user)?;
        let new = NewToken {
            limits: self.limits(cx)?,
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
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListTokens {}

impl Operation for ListTokens {
    type Output = Vec<Token>;
    const META: Meta = Meta { access: Access::Control, ..get("sim-list-tokens", "/_sim/tokens") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Token>, Error> {
        let sql = "SELECT t.id, u.name, t.name, t.scopes, t.revoked_by_call, t.limits
                   FROM token t JOIN user u ON u.id = t.user ORDER BY t.id";
        Ok(cx.db.all(sql, (), |row| {
            let limits = row.get::<_, Option<String>>(5)?.map(|text| Limits::read(&text));
            let Limits { permissions, organizations, projects } = limits.unwrap_or_default();
            Ok(Token {
                id: row.get(0)?,
                user: row.get(1)?,
                name: row.get(2)?,
                scopes: row.get(3)?,
                permissions,
                organizations,
                projects,
                revoked_by_call: row.get(4)?,
            })
        }))
    }
}

/// What a token may do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Introspection {
    /// Whether calls with it are accepted now.
    pub active: bool,
    /// Why not: `token_expired`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its number in this world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The user it acts for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// OAuth scopes, separated by blanks; absent for a personal token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<String>,
    /// Permissions, if it is a fine-grained token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// The organizations that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organizations: Option<Vec<String>>,
    /// The projects that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub projects: Option<Vec<String>>,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub expires_at: Option<Timestamp>,
    /// The operations that its scopes or permissions do not cover. The user's role and the limits to organizations and
    /// projects may refuse more calls.
    #[serde(default)]
    pub lacks: Vec<Lack>,
}

/// What a token lacks for an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Lack {
    /// The operation.
    pub operation: String,
    /// The scopes or permissions that it needs in addition.
    pub missing: Vec<String>,
}

/// Say what a token may do, and what it lacks for operations.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct IntrospectToken {
    /// The token.
    pub token: Secret,
    /// The operation, by id, that is asked about; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
}

impl Operation for IntrospectToken {
    type Output = Introspection;
    const META: Meta = Meta {
        access: Access::Control,
        status: 200,
        ..post("sim-introspect-token", "/_sim/tokens/introspect")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Introspection, Error> {
        let asked = self.operation.as_deref();
        let is_asked = |meta: &&Meta| asked.is_none_or(|id| meta.has_id(id));
        let operations: Vec<_> = token_operations(cx).filter(is_asked).collect();
        if let Some(id) = asked.filter(|_| operations.is_empty()) {
            let text = format!("operation: there is no operation {id} that takes a token");
            return Err(Error::invalid("invalid_body.operation", text));
        }
        let (bearer, expires_at) = match valid_until(cx.db, cx.now, &self.token.0) {
            Ok(found) => found,
            Err(error) => {
                let reason = Some(error.reason.into_owned());
                return Ok(Introspection { reason, ..Introspection::default() });
            }
        };
        let name = |row: &rusqlite::Row<'_>| row.get(0);
        let lacks = operations.iter().filter_map(|meta| {
            let missing = lacking(&bearer, meta);
            let operation = meta.id_in(meta.id, cx.policy.edition).into_owned();
            (!missing.is_empty()).then_some(Lack { operation, missing })
        });
        let limits = bearer.limits.as_deref().cloned().unwrap_or_default();
        Ok(Introspection {
            active: true,
            reason: None,
            id: Some(bearer.token),
            user: Some(cx.db.one("SELECT name FROM user WHERE id = ?1", (bearer.user,), name)),
            lacks: lacks.collect(),
            scopes: bearer.scopes.clone(),
            permissions: limits.permissions,
            organizations: limits.organizations,
            projects: limits.projects,
            expires_at,
        })
    }
}

/// The operations of the world's edition that take a token.
fn token_operations(cx: &Cx<'_>) -> impl Iterator<Item = &'static Meta> {
    let edition = cx.policy.edition;
    let all = crate::SERVICE.resources().flat_map(|resource| resource.operations).map(|entry| &entry.meta);
    all.filter(move |meta| meta.access == Access::Token && meta.is_in(edition))
}

/// The scopes or permissions that the operation needs and the token does not have.
fn lacking(bearer: &Bearer, meta: &Meta) -> Vec<String> {
    if require_scope(bearer, meta).is_err() {
        return vec![meta.scope.map_or("none that an app can have", |scope| scope.0).to_owned()];
    }
    let granted = bearer.limits.as_ref().and_then(|limits| limits.permissions.as_deref());
    granted.map_or_else(Vec::new, |granted| permission::missing(granted, meta))
}

/// Revoke a token. Calls with it are refused from now on.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
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
