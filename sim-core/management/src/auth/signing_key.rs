//! `/v1/projects/{ref}/config/auth/signing-keys`: the keys that sign a project's tokens, one at a time.

mod jwk;
mod legacy;

use serde::Serialize;
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Kind, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, View,
    delete, from_micros, get, micros, patch, post, view,
};
use uuid::Uuid;

use self::jwk::{check_key, public_jwk};
use self::legacy::require_no_legacy_api_keys;
use crate::project::{self, ProjectRef, Row as Project};
use crate::{named, text_of};

pub use self::jwk::PrivateJwk;
pub(crate) use self::legacy::require_legacy_not_revoked;
pub use self::legacy::{CreateLegacySigningKey, GetLegacySigningKey};

operations![
    CreateSigningKey,
    ListSigningKeys,
    GetLegacySigningKey,
    CreateLegacySigningKey,
    GetSigningKey,
    UpdateSigningKey,
    DeleteSigningKey
];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE signing_key (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        id TEXT NOT NULL UNIQUE,
        algorithm TEXT NOT NULL,
        status TEXT NOT NULL,
        public_jwk TEXT,
        legacy INTEGER NOT NULL,
        made INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        changed_by_call INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX signing_key_by_project ON signing_key (project, seq);
";

pub(crate) const VIEWS: &[View] = &[view(
    "signing_key",
    "A key that a project's tokens are signed with.",
    "SELECT project, id, algorithm, status, public_jwk, legacy, made, changed, changed_by_call
     FROM signing_key ORDER BY seq",
)];

/// The algorithm of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "the published names")]
pub enum Algorithm {
    #[serde(rename = "EdDSA")]
    EdDsa,
    #[serde(rename = "ES256")]
    Es256,
    #[serde(rename = "RS256")]
    Rs256,
    #[serde(rename = "HS256")]
    Hs256,
}

/// The status of a key: its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// It verifies, but does not sign yet.
    Standby,
    /// It signs and verifies. A project has at most one such key.
    InUse,
    /// It verifies the tokens that it has signed.
    PreviouslyUsed,
    /// It neither signs nor verifies.
    Revoked,
}

/// What can happen to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson)]
pub enum KeyEvent {
    /// It starts to sign.
    Use,
    /// Another key starts to sign.
    Replace,
    /// It goes to standby.
    Hold,
    /// It only verifies from now on.
    Retire,
    /// It is revoked.
    Revoke,
    /// It is deleted.
    Delete,
}

impl KeyEvent {
    /// Every event.
    pub const ALL: [KeyEvent; 6] = {
        use KeyEvent::*;
        [Use, Replace, Hold, Retire, Revoke, Delete]
    };

    /// The event that takes a key to `status`.
    const fn to(status: KeyStatus) -> KeyEvent {
        match status {
            KeyStatus::InUse => KeyEvent::Use,
            KeyStatus::Standby => KeyEvent::Hold,
            KeyStatus::PreviouslyUsed => KeyEvent::Retire,
            KeyStatus::Revoked => KeyEvent::Revoke,
        }
    }
}

impl KeyStatus {
    /// Every status.
    pub const ALL: [KeyStatus; 4] = {
        use KeyStatus::*;
        [Standby, InUse, PreviouslyUsed, Revoked]
    };

    /// The whole lifecycle of a key. `None`: the event does not apply in this state.
    pub const fn on(self, event: KeyEvent) -> Option<KeyStatus> {
        use KeyEvent::*;
        use KeyStatus::*;
        Some(match (self, event) {
            (Standby | InUse | PreviouslyUsed, Use) => InUse,
            (InUse, Replace) => PreviouslyUsed,
            (Standby | PreviouslyUsed | Revoked, Hold) => Standby,
            (PreviouslyUsed | Revoked, Retire) => PreviouslyUsed,
            (Standby | PreviouslyUsed | Revoked, Revoke) => Revoked,
            // Deleted.
            (Standby | Revoked, Delete) => self,
            (Standby, Replace | Retire)
            | (InUse, Hold | Retire | Revoke | Delete)
            | (PreviouslyUsed, Replace | Delete)
            | (Revoked, Use | Replace) => return None,
        })
    }
}

/// A key that a project's tokens are signed with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SigningKey {
    /// UUID: the `kid` of its tokens.
    pub id: String,
    /// Its algorithm.
    pub algorithm: Algorithm,
    /// Its use.
    pub status: KeyStatus,
    /// Its public half as a JSON web key; `null` if it has none.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub public_jwk: Option<Value>,
    /// When it was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Timestamp,
}

/// The keys of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SigningKeys {
    /// The newest first.
    pub keys: Vec<SigningKey>,
}

/// The use of a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum NewKeyStatus {
    InUse,
    Standby,
}

/// Create a key, or import one.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct CreateSigningKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its algorithm.
    pub algorithm: Algorithm,
    /// Its use; standby by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<NewKeyStatus>,
    /// The key itself as a JSON web key; generated by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_jwk: Option<PrivateJwk>,
}

impl Operation for CreateSigningKey {
    type Output = SigningKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:write")),
        check: Some(check_key),
        ..post("v1-create-project-signing-key", "/v1/projects/{ref}/config/auth/signing-keys")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let given = self.private_jwk.map(|jwk| jwk.0.into_iter().collect::<Map<_, _>>());
        let kid = given.as_ref().and_then(|jwk| jwk.get("kid")?.as_str()?.parse().ok());
        let id: Uuid = kid.unwrap_or_else(|| cx.rng.uuid("signing key"));
        if find_any(cx, &id) {
            let text = "private_jwk.kid: another key has this id";
            return Err(Error::invalid("signing_key_exists", text).because("signing key", id, None));
        }
        let public = public_jwk(cx, self.algorithm, &id, given.as_ref());
        let status = match self.status {
            Some(NewKeyStatus::InUse) => KeyStatus::InUse,
            Some(NewKeyStatus::Standby) | None => KeyStatus::Standby,
        };
        insert(cx, &project, &id, self.algorithm, status, public.as_ref(), false);
        load(cx, &project, &id).map(|key| key.shown)
    }
}

/// List a project's keys, the newest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListSigningKeys {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListSigningKeys {
    type Output = SigningKeys;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:read")),
        ..get("v1-get-project-signing-keys", "/v1/projects/{ref}/config/auth/signing-keys")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKeys, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = format!("SELECT {COLUMNS} FROM signing_key WHERE project = ?1 ORDER BY seq DESC");
        let keys = cx.db.all(&sql, (&project.r#ref,), Stored::read);
        Ok(SigningKeys { keys: keys.into_iter().map(|key| key.shown).collect() })
    }
}

/// Get a key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetSigningKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub id: Uuid,
}

impl Operation for GetSigningKey {
    type Output = SigningKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:read")),
        ..get("v1-get-project-signing-key", "/v1/projects/{ref}/config/auth/signing-keys/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        load(cx, &project, &self.id).map(|key| key.shown)
    }
}

/// Change the use of a key: in use, standby, verifying only, or revoked.
///
/// A key that is put in use replaces the previous one, which verifies from then on.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct UpdateSigningKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub id: Uuid,
    /// Its use from now on.
    pub status: KeyStatus,
}

impl Operation for UpdateSigningKey {
    type Output = SigningKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:write")),
        also: &[422],
        ..patch("v1-update-project-signing-key", "/v1/projects/{ref}/config/auth/signing-keys/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let key = load(cx, &project, &self.id)?;
        if key.shown.status == self.status {
            return Ok(key.shown);
        }
        key.apply(KeyEvent::to(self.status))?;
        if self.status == KeyStatus::Revoked && key.is_legacy {
            require_no_legacy_api_keys(cx, &project)?;
        }
        if self.status == KeyStatus::InUse {
            replace_used(cx, &project);
        }
        store(cx, &key.shown.id, self.status);
        load(cx, &project, &self.id).map(|key| key.shown)
    }
}

/// Delete a key that is on standby or was revoked.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteSigningKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub id: Uuid,
}

impl Operation for DeleteSigningKey {
    type Output = SigningKey;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("secrets:write")),
        also: &[422],
        ..delete("v1-remove-project-signing-key", "/v1/projects/{ref}/config/auth/signing-keys/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SigningKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let key = load(cx, &project, &self.id)?;
        key.apply(KeyEvent::Delete)?;
        cx.db.run("DELETE FROM signing_key WHERE id = ?1", (&key.shown.id,));
        Ok(key.shown)
    }
}

/// A key as stored.
struct Stored {
    shown: SigningKey,
    is_legacy: bool,
    changed_by_call: u64,
}

const COLUMNS: &str = "id, algorithm, status, public_jwk, legacy, made, changed, changed_by_call";

impl Stored {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Stored> {
        let public: Option<String> = row.get(3)?;
        Ok(Stored {
            shown: SigningKey {
                id: row.get(0)?,
                algorithm: named(row.get_ref(1)?.as_str()?),
                status: named(row.get_ref(2)?.as_str()?),
                public_jwk: public.map(|text| serde_json::from_str(&text).expect("stored keys are JSON")),
                created_at: from_micros(row.get(5)?),
                updated_at: from_micros(row.get(6)?),
            },
            is_legacy: row.get(4)?,
            changed_by_call: row.get::<_, i64>(7)? as u64,
        })
    }

    /// Refuses events that do not apply in the key's state.
    fn apply(&self, event: KeyEvent) -> Result<KeyStatus, Error> {
        let status = self.shown.status;
        status.on(event).ok_or_else(|| {
            let text = match event {
                KeyEvent::Delete => format!("A key that is {} can't be deleted.", text_of(&status)),
                _ => format!("A key that is {} can't be moved there.", text_of(&status)),
            };
            let since = Some(self.changed_by_call);
            Error::new(Kind::Unprocessable, "signing_key_status", text).because(
                "status",
                text_of(&status),
                since,
            )
        })
    }
}

fn insert(
    cx: &Cx<'_>,
    project: &Project,
    id: &Uuid,
    algorithm: Algorithm,
    status: KeyStatus,
    public: Option<&Value>,
    legacy: bool,
) {
    if status == KeyStatus::InUse {
        replace_used(cx, project);
    }
    let sql = "INSERT INTO signing_key (project, id, algorithm, status, public_jwk, legacy, made, changed, changed_by_call)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)";
    let (id, public) = (id.to_string(), public.map(Value::to_string));
    let (algorithm, status, now) = (text_of(&algorithm), text_of(&status), micros(cx.now));
    let row = rusqlite::params![project.r#ref, id, algorithm, status, public, legacy, now, cx.call as i64];
    cx.db.run(sql, row);
}

/// Replaces the key in use: it verifies from then on.
fn replace_used(cx: &Cx<'_>, project: &Project) {
    let sql = "SELECT id FROM signing_key WHERE project = ?1 AND status = 'in_use'";
    if let Some(id) = cx.db.maybe(sql, (&project.r#ref,), |row| row.get::<_, String>(0)) {
        store(cx, &id, KeyStatus::InUse.on(KeyEvent::Replace).expect("a key in use can be replaced"));
    }
}

fn store(cx: &Cx<'_>, id: &str, status: KeyStatus) {
    let sql = "UPDATE signing_key SET status = ?2, changed = ?3, changed_by_call = ?4 WHERE id = ?1";
    cx.db.run(sql, (id, text_of(&status), micros(cx.now), cx.call as i64));
}

fn find_any(cx: &Cx<'_>, id: &Uuid) -> bool {
    cx.db.maybe("SELECT 1 FROM signing_key WHERE id = ?1", (id.to_string(),), |_| Ok(())).is_some()
}

fn legacy(cx: &Cx<'_>, project: &Project) -> Option<Stored> {
    let sql = format!("SELECT {COLUMNS} FROM signing_key WHERE project = ?1 AND legacy");
    cx.db.maybe(&sql, (&project.r#ref,), Stored::read)
}

/// The key with that id, or 404.
fn load(cx: &Cx<'_>, project: &Project, id: &Uuid) -> Result<Stored, Error> {
    let sql = format!("SELECT {COLUMNS} FROM signing_key WHERE project = ?1 AND id = ?2");
    let found = cx.db.maybe(&sql, (&project.r#ref, id.to_string()), Stored::read);
    found.ok_or_else(|| Error::not_found("signing_key", &id.to_string()))
}
