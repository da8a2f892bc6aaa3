//! A project's add-ons to its organization's plan, as control operations under `/_sim`. Owners use `billing`.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, ToSchema, View, get, put, view,
};

use crate::backup_span;
use crate::hostname;
use crate::project::{self, ProjectRef};
use crate::text_of;

operations![SetAddon, ListAddons];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE addon (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        addon TEXT NOT NULL,
        PRIMARY KEY (project, addon)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] =
    &[view("addon", "An add-on that a project has.", "SELECT project, addon FROM addon")];

/// An add-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Addon {
    /// A custom host name.
    CustomDomain,
    /// Restoring to any second of the last 7 days.
    #[serde(rename = "pitr_7")]
    Pitr7,
    /// Restoring to any second of the last 14 days.
    #[serde(rename = "pitr_14")]
    Pitr14,
    /// Restoring to any second of the last 28 days.
    #[serde(rename = "pitr_28")]
    Pitr28,
    /// An IPv4 address for the database.
    Ipv4,
    /// Text messages as a second factor.
    AuthMfaPhone,
    /// Security keys as a second factor.
    AuthMfaWebAuthn,
    /// Logs sent to another service.
    LogDrain,
    /// Rows replicated to another database.
    EtlPipeline,
}

impl Addon {
    /// All add-ons.
    pub const ALL: [Addon; 9] = {
        use Addon::*;
        [CustomDomain, Pitr7, Pitr14, Pitr28, Ipv4, AuthMfaPhone, AuthMfaWebAuthn, LogDrain, EtlPipeline]
    };
}

/// Add an add-on to a project, or remove it.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetAddon {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The add-on.
    pub addon: Addon,
    /// Whether the project has it from now on.
    pub enabled: bool,
}

impl Operation for SetAddon {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-addon", "/_sim/projects/{ref}/addons/{addon}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        project::load(cx, &self.r#ref)?;
        set(cx, &self.r#ref.0, self.addon, self.enabled);
        Ok(Empty {})
    }
}

/// Adds the add-on to the project, or removes it.
pub(crate) fn set(cx: &Cx<'_>, project: &str, addon: Addon, enabled: bool) {
    backup_span::settle(cx, project);
    let sql = if enabled {
        "INSERT OR IGNORE INTO addon VALUES (?1, ?2)"
    } else {
        "DELETE FROM addon WHERE project = ?1 AND addon = ?2"
    };
    cx.db.run(sql, (project, text_of(&addon)));
    if addon == Addon::CustomDomain && !enabled {
        hostname::end(cx, project);
    }
    backup_span::lose_archive(cx, project);
}

/// List the add-ons that a project has.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListAddons {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListAddons {
    type Output = Vec<Addon>;
    const META: Meta =
        Meta { access: Access::Control, ..get("sim-list-addons", "/_sim/projects/{ref}/addons") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Addon>, Error> {
        project::load(cx, &self.r#ref)?;
        Ok(Addon::ALL.into_iter().filter(|addon| has(cx, &self.r#ref.0, *addon)).collect())
    }
}

/// Whether the project has add-ons.
pub(crate) fn any(cx: &Cx<'_>, project: &str) -> bool {
    cx.db.maybe("SELECT 1 FROM addon WHERE project = ?1 LIMIT 1", (project,), |_| Ok(())).is_some()
}

/// Whether the project has the add-on.
pub(crate) fn has(cx: &Cx<'_>, project: &str, addon: Addon) -> bool {
    let sql = "SELECT 1 FROM addon WHERE project = ?1 AND addon = ?2";
    cx.db.maybe(sql, (project, text_of(&addon)), |_| Ok(())).is_some()
}
