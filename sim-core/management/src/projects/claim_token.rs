//! `/v1/projects/{ref}/claim-token`: the token with which another organization can claim a project.

use std::time::Duration;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Kind, Meta, New, Operation, Payload, Resource, Role, Secret,
    Timestamp, ToSchema, View, act, delete, from_micros, get, hex, later, micros, view,
};

use crate::project::{self, ProjectRef};

operations![CreateClaimToken, GetClaimToken, DeleteClaimToken];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE claim_token (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        digest TEXT NOT NULL UNIQUE, -- secret
        alias TEXT NOT NULL,
        user TEXT NOT NULL,
        made INTEGER NOT NULL,
        until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// The end of a claim token.
pub(crate) const END: End = End {
    kind: "end of claim token",
    sql: "SELECT until, project, json_object('token', alias) FROM claim_token WHERE until > ?1",
};

pub(crate) const VIEWS: &[View] = &[view(
    "claim_token",
    "A claim token of a project, without its text.",
    "SELECT project, alias, user, made, until FROM claim_token",
)];

/// A claim token, with which a project can be taken over, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ClaimToken {
    /// Its first and last characters.
    pub token_alias: String,
    /// When it expires.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// When it was created.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// UUID of the user who created it.
    pub created_by: String,
}

/// A new token. It is shown only here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct CreatedClaimToken {
    /// The token.
    pub token: Secret,
    /// Its first and last characters.
    pub token_alias: String,
    /// When it expires.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// When it was created.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// UUID of the user who created it.
    pub created_by: String,
}

/// Create the claim token of a project, with which it can be claimed. It replaces an earlier one.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateClaimToken {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for CreateClaimToken {
    type Output = CreatedClaimToken;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        ..act("v1-create-project-claim-token", "/v1/projects/{ref}/claim-token")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CreatedClaimToken, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if project.branch_of.is_some() {
            return Err(Error::invalid("project_is_branch", "A branch goes where its project goes."));
        }
        // The control API has no user.
        let user = cx.caller.user().map_or_else(String::new, |user| {
            cx.db.one("SELECT uuid FROM user WHERE id = ?1", (user,), |row| row.get(0))
        });
        let token = format!("{}claim_{}", cx.profile.token_prefix, cx.rng.draw("claim token").hex::<20>());
        let token_alias =
            format!("{}...{}", &token[..token.floor_char_boundary(14)], &token[token.len() - 4..]);
        let expires_at = later(cx.now, Duration::from_millis(cx.policy.durations.claim_token_ms));
        let digest = digest(&token);
        cx.db.run(
            "INSERT OR REPLACE INTO claim_token VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            (&project.r#ref, digest, &token_alias, &user, micros(cx.now), micros(expires_at)),
        );
        let (created_at, created_by) = (cx.now, user);
        Ok(CreatedClaimToken { token: Secret(token), token_alias, expires_at, created_at, created_by })
    }
}

/// Get the claim token of a project, without its text.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetClaimToken {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetClaimToken {
    type Output = ClaimToken;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Administrator,
        ..get("v1-get-project-claim-token", "/v1/projects/{ref}/claim-token")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ClaimToken, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT alias, until, made, user FROM claim_token WHERE project = ?1 AND until > ?2";
        let found = cx.db.maybe(sql, (&project.r#ref, micros(cx.now)), |row| {
            Ok(ClaimToken {
                token_alias: row.get(0)?,
                expires_at: from_micros(row.get(1)?),
                created_at: from_micros(row.get(2)?),
                created_by: row.get(3)?,
            })
        });
        found.ok_or_else(|| Error::not_found("claim_token", &project.r#ref))
    }
}

/// Delete the claim token of a project, if it has one.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteClaimToken {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for DeleteClaimToken {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        since: Edition::V2026_11,
        ..delete("v1-delete-project-claim-token", "/v1/projects/{ref}/claim-token")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        spend(cx, &project.r#ref);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn digest(token: &str) -> String {
    hex(&Sha256::digest(token))
}

/// A valid token, and its project.
pub(crate) struct Claim {
    /// The project's reference.
    pub(crate) project: ProjectRef,
    pub(crate) expires_at: Timestamp,
    pub(crate) created_at: Timestamp,
    /// UUID of the user who created it.
    pub(crate) created_by: String,
}

/// The project of the token, or 404.
pub(crate) fn open(cx: &Cx<'_>, token: &Secret) -> Result<Claim, Error> {
    let sql = "SELECT project, until, made, user FROM claim_token WHERE digest = ?1 AND until > ?2";
    let found = cx.db.maybe(sql, (digest(&token.0), micros(cx.now)), |row| {
        Ok(Claim {
            project: ProjectRef(row.get(0)?),
            expires_at: from_micros(row.get(1)?),
            created_at: from_micros(row.get(2)?),
            created_by: row.get(3)?,
        })
    });
    found.ok_or_else(|| Error::new(Kind::NotFound, "claim_token_not_found", "Claim token not found"))
}

/// Refuses a project without a valid token.
pub(crate) fn require_open(cx: &Cx<'_>, project: &str) -> Result<(), Error> {
    let sql = "SELECT 1 FROM claim_token WHERE project = ?1 AND until > ?2";
    let found = cx.db.maybe(sql, (project, micros(cx.now)), |_| Ok(()));
    found.ok_or_else(|| Error::new(Kind::NotFound, "claim_token_not_found", "Claim token not found"))
}

/// Deletes the tokens that a user made for projects of an organization that the user leaves.
pub(crate) fn end_with_member(cx: &Cx<'_>, organization: &str, user: i64) {
    let sql = "DELETE FROM claim_token
               WHERE user = (SELECT uuid FROM user WHERE id = ?2)
                     AND EXISTS (SELECT 1 FROM project WHERE ref = claim_token.project AND organization = ?1)";
    cx.db.run(sql, (organization, user));
}

/// Deletes the token, so that the project can't be claimed again.
pub(crate) fn spend(cx: &Cx<'_>, project: &str) {
    cx.db.run("DELETE FROM claim_token WHERE project = ?1", (project,));
}
