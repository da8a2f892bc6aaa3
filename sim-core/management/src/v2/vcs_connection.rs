//! `/v2/organizations/{slug}/integrations/vcs/connections`: the repositories that projects are connected to. People connect
//! them in a browser; here the client that controls the simulator does.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema,
    View, from_micros, get, micros, put, view,
};

use super::document::{Asked, Object, PAGING, Page, kind};
use crate::kept;
use crate::project::{self, ProjectRef};
use crate::user;

operations![SetVcsConnection, ListVcsConnections];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE vcs_connection (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL UNIQUE REFERENCES project (ref) ON DELETE CASCADE,
        repository TEXT NOT NULL,
        repository_id INTEGER NOT NULL,
        installation_id INTEGER NOT NULL,
        workdir TEXT NOT NULL,
        branch_limit INTEGER NOT NULL,
        new_branch_per_pr INTEGER NOT NULL,
        platform_changes_only INTEGER NOT NULL,
        user INTEGER,
        inserted_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "vcs_connection",
    "The repository that a project is connected to.",
    "SELECT project, repository, repository_id, installation_id, workdir, branch_limit, new_branch_per_pr,
     platform_changes_only, (SELECT name FROM user WHERE user.id = user) AS user, inserted_at, updated_at
     FROM vcs_connection ORDER BY id",
)];

kind! {
    /// A connection of a project to a repository.
    ConnectionKind = "vcs_connection";
}

/// A connection of a project to a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "VcsConnection")]
pub struct Connection {
    /// The project.
    pub project: ConnectedProject,
    /// The repository.
    pub repository: Repository,
    /// Number of the installation through which it is reached.
    pub installation_id: i64,
    /// The directory of the repository that has the project's files.
    pub workdir: String,
    /// How many branches pull requests may have at a time.
    pub branch_limit: u32,
    /// Whether each pull request gets a branch.
    pub new_branch_per_pr: bool,
    /// Whether only those do that change the project's own files.
    pub platform_changes_only: bool,
    /// Who connected them.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub user: Option<ConnectingUser>,
    /// When they were connected.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When that was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// A project that is connected to a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ConnectedProject {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its reference.
    pub r#ref: ProjectRef,
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Repository {
    /// Its number.
    pub id: i64,
    /// Its name: `acme/shop`.
    pub name: String,
}

/// Who connected a project to a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ConnectingUser {
    /// Number of the user.
    pub id: i64,
    /// Name of the user.
    pub username: String,
    /// Address of the user.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub primary_email: Option<String>,
}

/// Connect a project to a repository, as its owner does in a browser. A project has one connection; a further call changes it.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetVcsConnection {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Name of the repository: `acme/shop`; without one the connection ends.
    #[serde(default)]
    #[schemars(length(max = 1024), extend("x-nullable" = true))]
    pub repository: Option<String>,
    /// The directory of the repository that has the project's files; `.` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub workdir: Option<String>,
    /// How many branches pull requests may have at a time; 3 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_limit: Option<u32>,
    /// Whether each pull request gets a branch, as it does unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_branch_per_pr: Option<bool>,
    /// Whether only those do that change the project's own files, as it is unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform_changes_only: Option<bool>,
    /// Name of the user who connects them; nobody unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

impl Operation for SetVcsConnection {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-set-vcs-connection", "/_sim/projects/{ref}/vcs-connection")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let Some(repository) = self.repository else {
            cx.db.run("DELETE FROM vcs_connection WHERE project = ?1", (&project.r#ref,));
            return Ok(Empty {});
        };
        let user = match &self.user {
            Some(name) => Some(user::named(cx, name)?.id),
            None => None,
        };
        let sql = "INSERT INTO vcs_connection VALUES (?3, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)
                   ON CONFLICT (project) DO UPDATE SET repository = ?2, workdir = ?5, branch_limit = ?6,
                       new_branch_per_pr = ?7, platform_changes_only = ?8, user = ?9, updated_at = ?10";
        let number = cx.rng.draw("vcs connection").number();
        let row = rusqlite::params![
            project.r#ref,
            repository,
            number,
            number,
            self.workdir.as_deref().unwrap_or("."),
            self.branch_limit.unwrap_or(3),
            self.new_branch_per_pr.unwrap_or(true),
            self.platform_changes_only.unwrap_or(true),
            user,
            micros(cx.now),
        ];
        cx.db.run(sql, row);
        kept::require_room(cx)?;
        Ok(Empty {})
    }
}

/// List the repositories that an organization's projects are connected to, oldest connection first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListVcsConnections {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// Only the one of this project.
    #[serde(rename = "filter[project_ref]", default, skip_serializing_if = "Option::is_none")]
    pub project_ref: Option<ProjectRef>,
    /// Those after the one of this project.
    #[serde(rename = "page[after]", default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ProjectRef>,
    /// Those before the one of this project.
    #[serde(rename = "page[before]", default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ProjectRef>,
    /// How many at most; 100 unless given.
    #[serde(rename = "page[size]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub size: Option<u32>,
}

impl Operation for ListVcsConnections {
    type Output = Page<Object<ConnectionKind, Connection>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["filter[project_ref]", PAGING[0], PAGING[1], PAGING[2]],
        scope: Some(Scope("organizations:read")),
        also: &[500],
        failure: "Failed to list the connections",
        ..get("v2-list-organization-vcs-connections", "/v2/organizations/{slug}/integrations/vcs/connections")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Page<Object<ConnectionKind, Connection>>, Error> {
        // Connections come first in the plan: an organization may have many projects, few of them connected.
        let sql = "SELECT c.id, p.id, p.name, p.ref, c.repository_id, c.repository, c.installation_id, c.workdir,
                       c.branch_limit, c.new_branch_per_pr, c.platform_changes_only, c.inserted_at, c.updated_at,
                       u.id, u.name, u.email
                   FROM vcs_connection c CROSS JOIN project p ON p.ref = c.project LEFT JOIN user u ON u.id = c.user
                   WHERE p.organization = ?1 AND p.status <> 'REMOVED' AND (?2 IS NULL OR p.ref = ?2) ORDER BY c.id";
        let only = self.project_ref.as_ref().map(|one| one.0.as_str());
        let all = cx.db.all(sql, (&self.slug, only), read);
        let target = format!("/v2/organizations/{}/integrations/vcs/connections", self.slug);
        let cursor = |one: &Option<ProjectRef>| one.as_ref().map(|one| one.0.clone());
        let (after, before) = (cursor(&self.after), cursor(&self.before));
        let asked = Asked::of(after.as_ref(), before.as_ref(), self.size);
        let by_project = |one: &Object<ConnectionKind, Connection>| one.attributes.project.r#ref.0.clone();
        asked.of_all(all, by_project, &target, &[("filter[project_ref]", only)])
    }
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Object<ConnectionKind, Connection>> {
    let user = match row.get(13)? {
        Some(id) => Some(ConnectingUser { id, username: row.get(14)?, primary_email: row.get(15)? }),
        None => None,
    };
    let connection = Connection {
        project: ConnectedProject { id: row.get(1)?, name: row.get(2)?, r#ref: ProjectRef(row.get(3)?) },
        repository: Repository { id: row.get(4)?, name: row.get(5)? },
        installation_id: row.get(6)?,
        workdir: row.get(7)?,
        branch_limit: row.get(8)?,
        new_branch_per_pr: row.get(9)?,
        platform_changes_only: row.get(10)?,
        user,
        inserted_at: from_micros(row.get(11)?),
        updated_at: from_micros(row.get(12)?),
    };
    Ok(Object::new(row.get::<_, i64>(0)?.to_string(), connection))
}
