//! The SQL that fills a project's branches with initial rows.
//!
//! The service finds it in the project's code repository; here a control operation sets it.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, ToSchema, View, get, put, view,
};

use crate::kept;
use crate::project::{self, ProjectRef};

operations![SetBranchSeed, GetBranchSeed];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE branch_seed (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        sql TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "branch_seed",
    "The SQL that fills a project's branches.",
    "SELECT project, sql FROM branch_seed",
)];

/// The SQL that fills a project's branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BranchSeed {
    /// One or more statements; empty by default.
    pub sql: String,
}

/// Set the SQL that fills a project's branches. It runs after their migrations, when a branch is made or reset.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetBranchSeed {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// One or more statements. An empty text removes the SQL.
    #[schemars(length(max = kept::LONGEST))]
    pub sql: String,
}

impl Operation for SetBranchSeed {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-branch-seed", "/_sim/projects/{ref}/branch-seed") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        cx.db.run("INSERT OR REPLACE INTO branch_seed VALUES (?1, ?2)", (&project.r#ref, &self.sql));
        kept::require_room(cx)?;
        Ok(Empty {})
    }
}

/// Get the SQL that fills a project's branches.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetBranchSeed {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetBranchSeed {
    type Output = BranchSeed;
    const META: Meta =
        Meta { access: Access::Control, ..get("sim-get-branch-seed", "/_sim/projects/{ref}/branch-seed") };

    fn run(self, cx: &mut Cx<'_>) -> Result<BranchSeed, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(BranchSeed { sql: of(cx, &project.r#ref) })
    }
}

/// The SQL that fills the branches of the project with that reference.
pub(crate) fn of(cx: &Cx<'_>, project: &str) -> String {
    let sql = "SELECT sql FROM branch_seed WHERE project = ?1";
    cx.db.maybe(sql, (project,), |row| row.get(0)).unwrap_or_default()
}
