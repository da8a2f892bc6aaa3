//! Whether a project grants temporary access.

use serde::Serialize;
use sim_base::{Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Scope, ToSchema, get, put};

use crate::project::{self, ProjectRef, Row as Project};
use crate::ssl;

/// Whether members may log in to a project's database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum JitState {
    Enabled,
    Disabled,
    Unavailable,
}

/// Why members can't log in to a project's database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JitObstacle {
    /// Its version of Postgres is older than 17.
    PostgresUpgradeRequired,
    /// The platform that it runs on lacks it.
    PlatformUnsupported,
    /// It accepts unencrypted connections.
    SslEnforcementRequired,
    /// It is temporarily unavailable.
    TemporarilyUnavailable,
}

/// Whether members may log in to a project's database, or the reason why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct JitConfig {
    /// Whether it is enabled.
    pub state: JitState,
    /// Whether the setting is applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub appliedSuccessfully: Option<bool>,
    /// The reason why it is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailableReason: Option<JitObstacle>,
}

/// Get whether members may log in to a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetJitConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetJitConfig {
    type Output = JitConfig;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to retrieve project's temporary access configuration",
        ..get("v1-get-jit-access-config", "/v1/projects/{ref}/jit-access")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(config(cx, &project))
    }
}

/// The new setting for logins of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum WantedJitState {
    Enabled,
    Disabled,
}

/// Enable or disable temporary logins of members to a project's database. If they are not available, nothing changes and the
/// answer says why.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateJitConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Whether it is enabled from now on.
    pub state: WantedJitState,
}

impl Operation for UpdateJitConfig {
    type Output = JitConfig;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to update project's temporary access configuration",
        needs: Needs::SET_UP,
        ..put("v1-update-jit-access-config", "/v1/projects/{ref}/jit-access")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if obstacle(cx, &project).is_none() {
            let sql = match self.state {
                WantedJitState::Enabled => "INSERT OR IGNORE INTO jit_config VALUES (?1)",
                WantedJitState::Disabled => "DELETE FROM jit_config WHERE project = ?1",
            };
            cx.db.run(sql, (&project.r#ref,));
        }
        Ok(config(cx, &project))
    }
}

pub(super) fn config(cx: &Cx<'_>, project: &Project) -> JitConfig {
    let reason = obstacle(cx, project);
    let sql = "SELECT 1 FROM jit_config WHERE project = ?1";
    let state = match (reason, cx.db.maybe(sql, (&project.r#ref,), |_| Ok(()))) {
        (Some(_), _) => JitState::Unavailable,
        (None, Some(())) => JitState::Enabled,
        (None, None) => JitState::Disabled,
    };
    JitConfig { state, appliedSuccessfully: reason.is_none().then_some(true), unavailableReason: reason }
}

fn obstacle(cx: &Cx<'_>, project: &Project) -> Option<JitObstacle> {
    let major = project.engine.split('-').next().and_then(|text| text.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST_ENGINE) {
        Some(JitObstacle::PostgresUpgradeRequired)
    } else if !ssl::is_enforced(cx, project) {
        Some(JitObstacle::SslEnforcementRequired)
    } else if !project.status.is_active() {
        Some(JitObstacle::TemporarilyUnavailable)
    } else {
        None
    }
}

const OLDEST_ENGINE: u32 = 17;
