//! The legacy secret as a signing key.

use serde::Serialize;
use sim_base::{Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Scope, ToSchema, act, get};

use super::{Algorithm, KeyStatus, SigningKey, insert, legacy, load};
use crate::api_key;
use crate::project::{self, ProjectRef, Row as Project};

/// Get the key that was made of the project's JWT secret.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetLegacySigningKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetLegacySigningKey {
    type Output = SigningKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:read")),
        ..get("v1-get-legacy-signing-key", "/v1/projects/{ref}/config/auth/signing-keys/legacy")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = legacy(cx, &project).ok_or_else(|| Error::not_found("signing_key", "legacy"))?;
        Ok(found.shown)
    }
}

/// Make a key of the project's JWT secret. It is in use at once.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateLegacySigningKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for CreateLegacySigningKey {
    type Output = SigningKey;
    const META: Meta = Meta {
        status: 201,
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:write")),
        ..act("v1-create-legacy-signing-key", "/v1/projects/{ref}/config/auth/signing-keys/legacy")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if let Some(there) = legacy(cx, &project) {
            let text = "The project's JWT secret is a signing key already.";
            let since = Some(there.changed_by_call);
            return Err(Error::invalid("signing_key_exists", text).because(
                "signing key",
                there.shown.id,
                since,
            ));
        }
        let id = cx.rng.uuid("signing key");
        insert(cx, &project, &id, Algorithm::Hs256, KeyStatus::InUse, None, true);
        load(cx, &project, &id).map(|key| key.shown)
    }
}

/// Legacy API keys are signed with the secret.
pub(super) fn require_no_legacy_api_keys(cx: &Cx<'_>, project: &Project) -> Result<(), Error> {
    if api_key::legacy_of_changed(cx, project) == Some(false) {
        return Ok(());
    }
    let text = "The legacy API keys are signed with this key: disable them before it is revoked.";
    Err(Error::new(Kind::Unprocessable, "legacy_keys_enabled", text).because(
        "legacy API keys",
        "enabled",
        None,
    ))
}

/// Refuses a project whose secret was revoked: nothing that is signed with it counts.
pub(crate) fn require_legacy_not_revoked(cx: &Cx<'_>, project: &Project) -> Result<(), Error> {
    match legacy(cx, project).filter(|key| key.shown.status == KeyStatus::Revoked) {
        None => Ok(()),
        Some(key) => {
            let text = "The key that signs the legacy API keys was revoked: they can't be enabled.";
            Err(Error::invalid("signing_key_revoked", text).because("signing key", key.shown.id, None))
        }
    }
}
