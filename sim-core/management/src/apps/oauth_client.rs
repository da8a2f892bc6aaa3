//! `/platform/oauth/apps/register`: clients that register themselves, by RFC 7591. The published documents do not have it;
//! clients find it by the metadata at `/.well-known/oauth-authorization-server`, which a server adds.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Access, Cx, Error, FromJson, Meta, New, Operation, Resource, Secret, ToSchema, post};

use crate::named;
use crate::oauth::{GrantType, ResponseType};
use crate::oauth_app::{NewApp, OAuthScope, RedirectUri};
use crate::text_of;

operations![RegisterClient];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// How a client sends its secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientAuthentication {
    /// In the form.
    ClientSecretPost,
    /// As Basic credentials.
    ClientSecretBasic,
    /// Not at all. Every client has a secret here, so the answer says `client_secret_post` instead.
    None,
}

/// Register a client that acts for users.
///
/// The answer has the client's secret, which is shown only here. Other metadata of RFC 7591 has no effect.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RegisterClient {
    /// The addresses to which browsers may return.
    #[schemars(length(min = 1))]
    pub redirect_uris: Vec<RedirectUri>,
    /// Its name, which the user sees; its first address by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub client_name: Option<String>,
    /// The kinds of value that it exchanges for tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_types: Option<Vec<GrantType>>,
    /// The results of authorizations that it requests; only `code` is supported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_types: Option<Vec<ResponseType>>,
    /// How it sends its secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_endpoint_auth_method: Option<ClientAuthentication>,
    /// Its scopes, separated by blanks; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// A client that has registered itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RegisteredClient {
    /// UUID.
    pub client_id: String,
    /// Its secret.
    pub client_secret: Secret,
    /// When it was registered, in seconds since the epoch.
    pub client_id_issued_at: i64,
    /// 0: the secret does not expire.
    pub client_secret_expires_at: i64,
    /// Its name.
    pub client_name: String,
    /// The addresses to which browsers may return.
    pub redirect_uris: Vec<RedirectUri>,
    /// The kinds of value that it exchanges for tokens.
    pub grant_types: Vec<GrantType>,
    /// The results of authorizations that it requests.
    pub response_types: Vec<ResponseType>,
    /// How it sends its secret.
    pub token_endpoint_auth_method: ClientAuthentication,
    /// Its scopes, separated by blanks.
    pub scope: String,
}

impl Operation for RegisterClient {
    type Output = RegisteredClient;
    const META: Meta = Meta {
        access: Access::Public,
        unlisted: true,
        ..post("register-oauth-client", "/platform/oauth/apps/register")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RegisteredClient, Error> {
        let Self { redirect_uris, client_name, grant_types, response_types, .. } = self;
        if response_types.iter().flatten().any(|wanted| *wanted != ResponseType::Code) {
            let text = "response_types: only code is supported";
            return Err(Error::invalid("invalid_body.response_types", text));
        }
        let client_name = client_name.unwrap_or_else(|| redirect_uris[0].0.clone());
        let scopes = scopes(self.scope.as_deref())?;
        let new = NewApp { name: &client_name, redirect_uris: &redirect_uris, scopes: &scopes };
        let app = new.register(cx, None, None)?;
        let usual = || vec![GrantType::AuthorizationCode, GrantType::RefreshToken];
        Ok(RegisteredClient {
            client_id: app.client_id,
            client_secret: app.client_secret,
            client_id_issued_at: cx.now.as_second(),
            client_secret_expires_at: 0,
            client_name,
            redirect_uris,
            grant_types: grant_types.unwrap_or_else(usual),
            response_types: vec![ResponseType::Code],
            token_endpoint_auth_method: match self.token_endpoint_auth_method {
                Some(ClientAuthentication::ClientSecretBasic) => ClientAuthentication::ClientSecretBasic,
                _ => ClientAuthentication::ClientSecretPost,
            },
            scope: scopes.iter().map(text_of).collect::<Vec<_>>().join(" "),
        })
    }
}

/// The scopes of a list separated by blanks; all if there is none.
fn scopes(list: Option<&str>) -> Result<Vec<OAuthScope>, Error> {
    let Some(list) = list else { return Ok(OAuthScope::ALL.to_vec()) };
    let known: Vec<String> = OAuthScope::ALL.iter().map(text_of).collect();
    let mut scopes = Vec::new();
    for word in list.split_whitespace() {
        if !known.iter().any(|scope| scope == word) {
            let text = format!("scope: there is no scope {word}, expected any of {}", known.join(" "));
            return Err(Error::invalid("invalid_body.scope", text));
        }
        scopes.push(named(word));
    }
    Ok(scopes)
}
