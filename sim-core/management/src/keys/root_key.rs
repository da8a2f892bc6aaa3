//! `/v1/projects/{ref}/pgsodium`: the key with which a project's database encrypts values.
//!
//! Values are really encrypted. A value that was encrypted with another key can't be read until that key is
//! restored.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Kind, Meta, Needs, New, Operation, Resource, Role, Scope, Secret,
    ToSchema, View, get, hex, put, view,
};

use crate::kept;
use crate::keyed;
use crate::project::{self, ProjectRef};

operations![GetRootKey, UpdateRootKey, WriteVaultValue, ReadVaultValue];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE root_key (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        key TEXT NOT NULL, -- secret
        changed_by_call INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE vault_value (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sealed TEXT NOT NULL, -- secret
        written_by_call INTEGER NOT NULL,
        PRIMARY KEY (project, name)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[
    view(
        "root_key",
        "A root key, without its text.",
        "SELECT project, '•••' AS key, changed_by_call FROM root_key",
    ),
    view(
        "vault_value",
        "A value encrypted under a root key, masked.",
        "SELECT project, name, '•••' AS value, written_by_call FROM vault_value",
    ),
];

/// A project's root key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RootKey {
    /// The key, 64 hex digits.
    pub root_key: Secret,
}

/// Get a project's root key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRootKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetRootKey {
    type Output = RootKey;
    const META: Meta = Meta {
        beta: true,
        role: Role::Administrator,
        scope: Some(Scope("secrets:read")),
        also: &[500],
        failure: "Failed to retrieve project's pgsodium config",
        ..get("v1-get-pgsodium-config", "/v1/projects/{ref}/pgsodium")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RootKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(RootKey { root_key: Secret(stored(cx, &project.r#ref).0) })
    }
}

/// Replace a project's root key.
///
/// Values encrypted under the old key can't be decrypted any more.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateRootKey {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The key from now on, 64 hex digits.
    #[schemars(
        regex(pattern = r"^[0-9A-Fa-f]{64}$"),
        extend("x-refusal" = "Expected a 32 byte secret, hex-encoded (64 characters).")
    )]
    pub root_key: Secret,
}

impl Operation for UpdateRootKey {
    type Output = RootKey;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("secrets:write")),
        also: &[500],
        failure: "Failed to update project's pgsodium config",
        needs: Needs::SET_UP,
        ..put("v1-update-pgsodium-config", "/v1/projects/{ref}/pgsodium")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RootKey, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "INSERT OR REPLACE INTO root_key VALUES (?1, ?2, ?3)";
        cx.db.run(sql, (&project.r#ref, &self.root_key.0, cx.call as i64));
        Ok(RootKey { root_key: self.root_key })
    }
}

/// Encrypt a value under the project's root key and store it, as its database does for its own clients.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct WriteVaultValue {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name of the value.
    pub name: String,
    /// The value.
    #[schemars(length(max = kept::LONGEST))]
    pub value: Secret,
}

impl Operation for WriteVaultValue {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-write-vault-value", "/_sim/projects/{ref}/vault/{name}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sealed = seal(&stored(cx, &project.r#ref).0, &self.name, &self.value.0);
        let sql = "INSERT OR REPLACE INTO vault_value VALUES (?1, ?2, ?3, ?4)";
        cx.db.run(sql, (&project.r#ref, &self.name, sealed, cx.call as i64));
        kept::require_room(cx)?;
        Ok(Empty {})
    }
}

/// A value, decrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct VaultValue {
    /// The value.
    pub value: Secret,
}

/// Decrypt a value under the project's root key; 400 if it was encrypted under another key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ReadVaultValue {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name of the value.
    pub name: String,
}

impl Operation for ReadVaultValue {
    type Output = VaultValue;
    const META: Meta =
        Meta { access: Access::Control, ..get("sim-read-vault-value", "/_sim/projects/{ref}/vault/{name}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<VaultValue, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT sealed, written_by_call FROM vault_value WHERE project = ?1 AND name = ?2";
        let found = cx.db.maybe(sql, (&project.r#ref, &self.name), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64))
        });
        let (sealed, written) = found.ok_or_else(|| self.unknown())?;
        let (key, since) = stored(cx, &project.r#ref);
        let value = open(&key, &self.name, &sealed).ok_or_else(|| {
            let text = "ERROR:  22000: pgsodium_crypto_aead_det_decrypt_by_id: invalid ciphertext";
            Error::new(Kind::Invalid, "vault_value_unreadable", text)
                .because("value", "encrypted under another root key", Some(written))
                .because("root key", "replaced", since)
        })?;
        Ok(VaultValue { value: Secret(value) })
    }
}

impl ReadVaultValue {
    fn unknown(&self) -> Error {
        Error::new(Kind::NotFound, "vault_value_not_found", "Vault value not found").because(
            "vault value",
            &self.name,
            None,
        )
    }
}

/// The project's root key and the call that set it. A new project's key follows from its JWT secret, which is
/// random.
fn stored(cx: &Cx<'_>, project: &str) -> (String, Option<u64>) {
    let sql = "SELECT key, changed_by_call FROM root_key WHERE project = ?1";
    let set = cx.db.maybe(sql, (project,), |row| Ok((row.get(0)?, Some(row.get::<_, i64>(1)? as u64))));
    let first = || (hex(&keyed(project::jwt_secret(cx, project).as_bytes(), &[b"root key"])), None);
    set.unwrap_or_else(first)
}

/// Deterministic authenticated encryption: the tag over name and value is the start of the key stream.
fn seal(key: &str, name: &str, value: &str) -> String {
    let key = key.to_ascii_lowercase();
    let tag = keyed(key.as_bytes(), &[b"tag", name.as_bytes(), value.as_bytes()]);
    let mut bytes = value.as_bytes().to_vec();
    mix(&key, &tag, &mut bytes);
    BASE64.encode([&tag[..], &bytes].concat())
}

/// The value, if `key` is the one that sealed it.
fn open(key: &str, name: &str, sealed: &str) -> Option<String> {
    let key = key.to_ascii_lowercase();
    let sealed = BASE64.decode(sealed).ok()?;
    let (tag, bytes) = sealed.split_first_chunk::<32>()?;
    let mut bytes = bytes.to_vec();
    mix(&key, tag, &mut bytes);
    let expected = keyed(key.as_bytes(), &[b"tag", name.as_bytes(), &bytes]);
    (expected == *tag).then(|| String::from_utf8(bytes).ok())?
}

fn mix(key: &str, tag: &[u8; 32], bytes: &mut [u8]) {
    for (index, block) in (0_u64..).zip(bytes.chunks_mut(32)) {
        let stream = keyed(key.as_bytes(), &[b"stream", tag, &index.to_be_bytes()]);
        block.iter_mut().zip(stream).for_each(|(byte, mask)| *byte ^= mask);
    }
}
