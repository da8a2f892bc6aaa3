//! Exchanging codes and refresh tokens for tokens.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sim_base::{
    Access, Body, Cx, Error, FromJson, Kind, Limits, Meta, New, NewToken, Operation, Secret, ToSchema,
    from_micros, issue_token, micros, post, revoke_token,
};

use super::digest;
use crate::oauth_app::{self as app, App};

/// The kind of value that an app exchanges for tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum GrantType {
    AuthorizationCode,
    RefreshToken,
    #[serde(rename = "urn:ietf:params:oauth:grant-type:jwt-bearer")]
    #[schemars(extend("x-since" = "2026-11"))]
    JwtBearer,
}

/// Tokens of an app that acts for a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct OAuthTokens {
    /// The token to send after `Bearer`.
    pub access_token: Secret,
    /// The refresh token, which can be used once.
    pub refresh_token: Secret,
    /// The lifetime of the access token in seconds.
    pub expires_in: i64,
    /// `Bearer`.
    pub token_type: TokenType,
    /// The projects to which the user limited the app (`SetConsent`); `null` if to none.
    #[serde(default)]
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub project_refs: Option<Vec<String>>,
    /// The app's scopes, separated by blanks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub scope: Option<String>,
}

/// How an access token is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum TokenType {
    /// After the word `Bearer`.
    Bearer,
}

/// Exchange an authorization code or a refresh token for tokens.
///
/// Both can be used once. A refresh makes the previous tokens invalid.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(deny_unknown_fields)]
#[schemars(extend("allOf" = [{ "oneOf": [
    { "properties": { "grant_type": { "const": "authorization_code" } },
      "required": ["grant_type", "code", "redirect_uri"] },
    { "properties": { "grant_type": { "const": "refresh_token" } }, "required": ["grant_type", "refresh_token"] },
] }]))]
pub struct ExchangeToken {
    /// The kind of value that is exchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_type: Option<GrantType>,
    /// The app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uuid"))]
    pub client_id: Option<String>,
    /// The app's secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<Secret>,
    /// The authorization code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Secret>,
    /// The verifier of the challenge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_verifier: Option<Secret>,
    /// The address to which the browser returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_uri: Option<String>,
    /// The refresh token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<Secret>,
    /// A signed statement of another issuer. None is trusted here, so it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub assertion: Option<Secret>,
    /// Has no effect: the tokens are for this service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri", "x-since" = "2026-11", "x-sim-ignored" = true))]
    pub resource: Option<String>,
    /// Has no effect: an app has the scopes that it registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11", "x-sim-ignored" = true))]
    pub scope: Option<String>,
}

impl Operation for ExchangeToken {
    type Output = OAuthTokens;
    const META: Meta = Meta {
        beta: true,
        access: Access::Public,
        body: Body::Form,
        also: &[401, 404],
        ..post("v1-exchange-oauth-token", "/v1/oauth/token")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<OAuthTokens, Error> {
        let id = required("client_id", self.client_id.as_deref())?;
        let app = app::load(cx, id)?;
        app.require_secret(required("client_secret", text(&self.client_secret))?)?;
        let grant_type = required("grant_type", self.grant_type)?;
        self.tell_fields_of_other_grants(cx, grant_type)?;
        let grant = match grant_type {
            GrantType::AuthorizationCode => self.redeem_code(cx, &app)?,
            GrantType::RefreshToken => {
                by_refresh_token(cx, &app, required("refresh_token", text(&self.refresh_token))?)?
            }
            GrantType::JwtBearer => {
                required("assertion", text(&self.assertion))?;
                let text = "assertion: was not signed by an issuer that is trusted";
                return Err(Error::invalid("issuer_not_trusted", text));
            }
        };
        Ok(grant.issue(cx, &app))
    }
}

fn text(secret: &Option<Secret>) -> Option<&str> {
    secret.as_ref().map(|secret| secret.0.as_str())
}

fn required<T>(name: &'static str, value: Option<T>) -> Result<T, Error> {
    value.ok_or_else(|| Error::invalid(format!("invalid_body.{name}"), format!("{name}: Required")))
}

impl ExchangeToken {
    /// Marks the fields that belong to another grant.
    fn tell_fields_of_other_grants(&self, cx: &Cx<'_>, own: GrantType) -> Result<(), Error> {
        let of_a_code = own == GrantType::AuthorizationCode;
        let others = [
            ("code", self.code.is_some() && !of_a_code),
            ("code_verifier", self.code_verifier.is_some() && !of_a_code),
            ("redirect_uri", self.redirect_uri.is_some() && !of_a_code),
            ("refresh_token", self.refresh_token.is_some() && own != GrantType::RefreshToken),
            ("assertion", self.assertion.is_some() && own != GrantType::JwtBearer),
        ];
        let mut others = others.iter().filter(|(_, is_given)| *is_given);
        others.try_for_each(|(name, _)| cx.without_effect(|| format!("body.{name}")))
    }

    fn redeem_code(&self, cx: &Cx<'_>, app: &App) -> Result<Grant, Error> {
        let code = required("code", text(&self.code))?;
        let sql = format!("SELECT {COLUMNS} FROM oauth_grant WHERE code = ?1 AND app = ?2");
        let found = cx.db.maybe(&sql, (&digest(code)[..], &app.client_id), Grant::read);
        let bad = |reason| Error::invalid(reason, "code: is not an authorization code that is good now");
        let grant = found.ok_or_else(|| bad("code_unknown"))?;
        if let Some(call) = grant.used_by_call {
            return Err(bad("code_used").because("code", "used", Some(call as u64)));
        }
        if grant.expires_at <= micros(cx.now) {
            let end = from_micros(grant.expires_at);
            return Err(bad("code_expired").because("expired at", end, None));
        }
        if required("redirect_uri", self.redirect_uri.as_deref())? != grant.redirect_uri {
            let text = "redirect_uri: is not the one that the code was sent to";
            return Err(Error::invalid("redirect_uri_mismatch", text));
        }
        if grant.challenge.is_none() && self.code_verifier.is_some() {
            cx.without_effect(|| "body.code_verifier".to_owned())?;
        }
        grant.require_verifier(text(&self.code_verifier))?;
        cx.db.run("UPDATE oauth_grant SET used_by_call = ?2 WHERE id = ?1", (grant.id, cx.call as i64));
        Ok(grant)
    }
}

/// A user's grant to an app.
pub(super) struct Grant {
    pub(super) id: i64,
    pub(super) user: i64,
    scopes: String,
    redirect_uri: String,
    challenge: Option<String>,
    challenge_method: Option<String>,
    expires_at: i64,
    used_by_call: Option<i64>,
    token: Option<i64>,
    limits: Option<Limits>,
}

const COLUMNS: &str =
    "id, user, scopes, redirect_uri, challenge, challenge_method, expires_at, used_by_call, token, limits";

impl Grant {
    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Grant> {
        Ok(Grant {
            id: row.get(0)?,
            user: row.get(1)?,
            scopes: row.get(2)?,
            redirect_uri: row.get(3)?,
            challenge: row.get(4)?,
            challenge_method: row.get(5)?,
            expires_at: row.get(6)?,
            used_by_call: row.get(7)?,
            token: row.get(8)?,
            limits: row.get::<_, Option<String>>(9)?.map(|text| Limits::read(&text)),
        })
    }

    fn require_verifier(&self, verifier: Option<&str>) -> Result<(), Error> {
        let Some(challenge) = &self.challenge else { return Ok(()) };
        let verifier = required("code_verifier", verifier)?;
        let plain = self.challenge_method.as_deref() == Some("plain");
        let made = if plain { verifier.to_owned() } else { BASE64URL.encode(Sha256::digest(verifier)) };
        if app::same(made.as_bytes(), challenge.as_bytes()) {
            return Ok(());
        }
        let text = "code_verifier: does not fit the challenge that the code was asked for with";
        Err(Error::invalid("code_verifier_wrong", text))
    }

    /// New tokens, which replace those of the grant.
    fn issue(&self, cx: &Cx<'_>, app: &App) -> OAuthTokens {
        if let Some(token) = self.token {
            revoke_token(cx, token);
        }
        let lasts = Duration::from_millis(cx.policy.durations.oauth_token_ms);
        let new = NewToken {
            name: app.name.clone(),
            grant: Some((app.client_id.clone(), self.scopes.clone())),
            limits: self.limits.clone(),
            lasts: Some(lasts),
        };
        let (token, access_token) = issue_token(cx, self.user, &new).expect("a random token is not in use");
        let refresh_token = cx.rng.draw("refresh token").hex::<20>();
        let sql = "UPDATE oauth_grant SET refresh = ?2, token = ?3 WHERE id = ?1";
        cx.db.run(sql, (self.id, &digest(&refresh_token)[..], token));
        OAuthTokens {
            access_token: Secret(access_token),
            refresh_token: Secret(refresh_token),
            expires_in: i64::try_from(lasts.as_secs()).unwrap_or(i64::MAX),
            token_type: TokenType::Bearer,
            project_refs: self.limits.clone().and_then(|limits| limits.projects),
            scope: Some(self.scopes.clone()),
        }
    }
}

pub(super) fn by_refresh_token(cx: &Cx<'_>, app: &App, token: &str) -> Result<Grant, Error> {
    let sql = format!("SELECT {COLUMNS} FROM oauth_grant WHERE refresh = ?1 AND app = ?2");
    let found = cx.db.maybe(&sql, (&digest(token)[..], &app.client_id), Grant::read);
    found.ok_or_else(|| Error::new(Kind::NotFound, "refresh_token_not_found", "No such refresh token found"))
}
