//! `/v1/oauth`: how a third-party application gets permission to act for a user. The apps themselves are in
//! `oauth_app`.

mod token;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Limits, Meta, New, Operation, Payload, Resource, Secret, ToSchema,
    View, get, later, micros, post, revoke_token, view,
};

use self::token::by_refresh_token;
use crate::oauth_app::{self as app, App};
use crate::project::Row as Project;
use crate::project_claim;
use crate::text_of;

pub use self::token::{ExchangeToken, GrantType, OAuthTokens, TokenType};

operations![Authorize, ExchangeToken, RevokeAuthorization];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE oauth_grant (
        id INTEGER PRIMARY KEY,
        app TEXT NOT NULL REFERENCES oauth_app ON DELETE CASCADE,
        user INTEGER NOT NULL REFERENCES user,
        scopes TEXT NOT NULL,
        limits TEXT,
        code BLOB NOT NULL UNIQUE,
        redirect_uri TEXT NOT NULL,
        challenge TEXT,
        challenge_method TEXT,
        expires_at INTEGER NOT NULL,
        used_by_call INTEGER,
        refresh BLOB UNIQUE,
        token INTEGER REFERENCES token
    ) STRICT;
    CREATE INDEX oauth_grant_by_app ON oauth_grant (app, user);
";

/// The end of a code that is not exchanged yet.
pub(crate) const CODE_END: End = End {
    kind: "end of OAuth code",
    sql: "SELECT expires_at, app, json_object('user', user.name) FROM oauth_grant JOIN user ON user.id = user
          WHERE expires_at > ?1 AND used_by_call IS NULL",
};

pub(crate) const VIEWS: &[View] = &[view(
    "oauth_grant",
    "A user's grant to an app, without code and tokens: `token` is the number of the valid token.",
    "SELECT oauth_grant.id, app, user.name AS user, scopes, limits, redirect_uri, expires_at, used_by_call, token
     FROM oauth_grant JOIN user ON user.id = user ORDER BY oauth_grant.id",
)];

/// The result of an authorization that an app requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum ResponseType {
    /// A code, to be exchanged for tokens.
    #[serde(rename = "code")]
    Code,
    /// A token right away; refused.
    #[serde(rename = "token")]
    Token,
    /// Two kinds of token right away; refused.
    #[serde(rename = "id_token token")]
    IdTokenToken,
}

/// The method by which a challenge was computed from its verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum ChallengeMethod {
    /// The challenge is the verifier.
    #[serde(rename = "plain")]
    Plain,
    /// SHA-256, base64url: another name of S256.
    #[serde(rename = "sha256")]
    Sha256,
    /// SHA-256, base64url.
    S256,
}

/// The redirect of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Redirect {
    /// The app's address, with the code or the reason for refusal.
    pub location: String,
}

/// Ask a user to let an app act for them.
///
/// The user's answer is that of `SetConsent` or of the policy, or is given at the consent page if the policy says so. Then the browser
/// returns to the app.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct Authorize {
    /// The request.
    #[serde(flatten)]
    pub request: CodeRequest,
    /// Has no effect: an app has the scopes that it registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("deprecated" = true, "x-sim-ignored" = true))]
    pub scope: Option<String>,
    /// The only organization in which the app may act, unless the user chooses projects instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[\w-]+$"), extend("x-since" = "2026-11"))]
    pub organization_slug: Option<String>,
    /// Has no effect: the tokens are for this service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri", "x-since" = "2026-11", "x-sim-ignored" = true))]
    pub resource: Option<String>,
    /// The page that the user sees. It has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11", "x-sim-ignored" = true))]
    pub target_flow: Option<String>,
}

impl Authorize {
    /// A minimal request for a code.
    pub fn code(client_id: &str, redirect_uri: &str) -> Authorize {
        Authorize::new(CodeRequest {
            client_id: client_id.to_owned(),
            response_type: ResponseType::Code,
            redirect_uri: redirect_uri.to_owned(),
            state: None,
            response_mode: None,
            code_challenge: None,
            code_challenge_method: None,
        })
    }
}

/// An app's request for an authorization code.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema)]
pub struct CodeRequest {
    /// The app.
    #[schemars(extend("format" = "uuid"))]
    pub client_id: String,
    /// The requested result; only a code is supported.
    pub response_type: ResponseType,
    /// The address to which the browser returns: one that the app registered.
    pub redirect_uri: String,
    /// Returned unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Has no effect: the answer is in the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-sim-ignored" = true))]
    pub response_mode: Option<String>,
    /// The challenge, whose verifier the app must send later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub code_challenge: Option<String>,
    /// The method of the challenge; plain by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_challenge_method: Option<ChallengeMethod>,
}

impl Operation for Authorize {
    type Output = Redirect;
    const META: Meta = Meta {
        status: 303,
        beta: true,
        access: Access::Public,
        query: &[
            "client_id",
            "response_type",
            "redirect_uri",
            "scope",
            "state",
            "response_mode",
            "code_challenge",
            "code_challenge_method",
            "organization_slug",
            "resource",
            "target_flow",
        ],
        ..get("v1-authorize-user", "/v1/oauth/authorize")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Redirect, Error> {
        let organization = self.organization_slug.as_deref();
        if cx.policy.oauth_consent_page && !app::is_decided(cx) {
            return self.request.ask(cx, organization);
        }
        self.request.answer(cx, organization, None)
    }

    fn payload(output: &Redirect) -> Payload {
        Payload::redirect(output.location.clone())
    }
}

impl CodeRequest {
    /// Sends the browser to the consent page, with the request.
    fn ask(&self, cx: &Cx<'_>, organization: Option<&str>) -> Result<Redirect, Error> {
        self.require_good(&app::load(cx, &self.client_id)?)?;
        let fields = serde_json::to_value(self).expect("a request is plain data");
        let fields = fields.as_object().into_iter().flatten();
        let texts = fields.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
        let organization = organization.map(|slug| ("organization_slug", slug));
        Ok(Redirect { location: with_query(CONSENT_PAGE, texts.chain(organization)) })
    }

    /// The user's answer. With an organization, the app may act only there. With a project, the app also gets that project into an
    /// organization of the user.
    pub(crate) fn answer(
        self,
        cx: &Cx<'_>,
        organization: Option<&str>,
        project: Option<&Project>,
    ) -> Result<Redirect, Error> {
        let app = app::load(cx, &self.client_id)?;
        // A read has nothing to roll back, so everything is refused before anything is stored.
        self.require_good(&app)?;
        let consent = app::consent(cx)?.within(organization);
        let state = self.state.as_deref().map(|state| ("state", state));
        if !consent.granted {
            let refused = [("error", "access_denied"), ("error_description", "The user refused.")];
            return Ok(Redirect {
                location: with_query(&self.redirect_uri, refused.into_iter().chain(state)),
            });
        }
        if let Some(project) = project {
            project_claim::hand_over_to_user(cx, project, consent.user)?;
        }
        let code = cx.rng.draw("oauth code").hex::<20>();
        let method = self.code_challenge_method.unwrap_or(ChallengeMethod::Plain);
        let until = later(cx.now, Duration::from_millis(cx.policy.durations.oauth_code_ms));
        cx.db.run(
            "INSERT INTO oauth_grant
                 (app, user, scopes, code, redirect_uri, challenge, challenge_method, expires_at, limits)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            rusqlite::params![
                app.client_id,
                consent.user,
                app.scopes,
                &digest(&code)[..],
                self.redirect_uri,
                self.code_challenge,
                self.code_challenge.is_some().then(|| text_of(&method)),
                micros(until),
                consent.limits.as_ref().map(Limits::stored),
            ],
        );
        let location = with_query(&self.redirect_uri, [("code", code.as_str())].into_iter().chain(state));
        Ok(Redirect { location })
    }

    fn require_good(&self, app: &App) -> Result<(), Error> {
        if !app.redirect_uris.contains(&self.redirect_uri) {
            let text = "redirect_uri: is not one that the app registered";
            return Err(Error::invalid("redirect_uri_unknown", text).because("app", &app.client_id, None));
        }
        if self.response_type != ResponseType::Code {
            let text = "response_type: only code is supported";
            return Err(Error::invalid("invalid_query.response_type", text));
        }
        if self.redirect_uri.len() + self.state.as_ref().map_or(0, String::len) > LONGEST_RETURN_BYTES {
            let text = "state: together with redirect_uri it must be no longer than 4 kB";
            return Err(Error::invalid("invalid_query.state", text));
        }
        if self.code_challenge.is_none() && self.code_challenge_method.is_some() {
            return Err(Error::invalid("invalid_query.code_challenge", "code_challenge: Required"));
        }
        Ok(())
    }
}

/// The consent page of a server, seen from the authorization.
const CONSENT_PAGE: &str = "../../_sim/oauth/consent/page";

/// The most bytes that redirect address and state may have together.
const LONGEST_RETURN_BYTES: usize = 4096;

/// `address` with additional query fields.
fn with_query<'a>(address: &str, fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let separator = if address.contains('?') { '&' } else { '?' };
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    format!("{address}{separator}{query}")
}

/// Revoke a user's grant to an app: the app's tokens become invalid.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct RevokeAuthorization {
    /// The app.
    #[schemars(extend("format" = "uuid"))]
    pub client_id: String,
    /// The app's secret.
    pub client_secret: Secret,
    /// A refresh token of the grant.
    pub refresh_token: Secret,
}

impl Operation for RevokeAuthorization {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        beta: true,
        access: Access::Public,
        also: &[401, 404],
        ..post("v1-revoke-token", "/v1/oauth/revoke")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let app = app::load(cx, &self.client_id)?;
        app.require_secret(&self.client_secret.0)?;
        let grant = by_refresh_token(cx, &app, &self.refresh_token.0)?;
        revoke_all(cx, &app.client_id, Some(grant.user));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// Revokes all grants that `user`, or any user, gave the app. Returns their number.
pub(crate) fn revoke_all(cx: &Cx<'_>, app: &str, user: Option<i64>) -> usize {
    let sql = "DELETE FROM oauth_grant WHERE app = ?1 AND (?2 IS NULL OR user = ?2) RETURNING token";
    let tokens = cx.db.all(sql, (app, user), |row| row.get::<_, Option<i64>>(0));
    tokens.iter().flatten().for_each(|token| {
        revoke_token(cx, *token);
    });
    tokens.len()
}

/// Codes and refresh tokens are stored as digests only.
fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
