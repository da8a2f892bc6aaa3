//! `/v1/organizations/{slug}/projects`: the projects of an organization, page by page.

use std::sync::LazyLock;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, from_micros,
    get,
};

use crate::catalog::{CloudProvider, InstanceSize, Region};
use crate::disk::DiskType;
use crate::pooler::DatabaseType;
use crate::project::{ProjectRef, Row, Status};
use crate::project_row::COLUMNS;
use crate::replica::{self, ReplicaStatus};
use crate::{disk, named, organization};

operations![ListOrganizationProjects];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A page of an organization's projects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct OrganizationProjects {
    /// The projects.
    pub projects: Vec<OrganizationProject>,
    /// The position of the page.
    pub pagination: Pagination,
}

/// The position of a page among all projects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Pagination {
    /// The number of projects on all pages.
    pub count: u64,
    /// The maximum number of projects on a page.
    pub limit: u32,
    /// The number of projects before this page.
    pub offset: u64,
}

/// A project in the list of its organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct OrganizationProject {
    /// Its reference.
    pub r#ref: ProjectRef,
    /// Its name.
    pub name: String,
    /// The provider of its machine.
    pub cloud_provider: CloudProvider,
    /// Its region.
    pub region: Region,
    /// Whether it is a branch of another project.
    pub is_branch: bool,
    /// Its status.
    pub status: Status,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// Its databases: the primary, then the read replicas.
    pub databases: Vec<ListedDatabase>,
}

/// A database of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ListedDatabase {
    /// The size of its machine.
    pub infra_compute_size: InstanceSize,
    /// Its region.
    pub region: Region,
    /// Its status.
    pub status: DatabaseStatus,
    /// The provider of its machine.
    pub cloud_provider: CloudProvider,
    /// Its name.
    pub identifier: String,
    /// What it is.
    pub r#type: DatabaseType,
    /// The size of its disk in gigabytes.
    pub disk_volume_size_gb: u64,
    /// The kind of its disk.
    pub disk_type: DiskType,
    /// The throughput of its disk in megabytes per second; absent if its kind determines it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk_throughput_mbps: Option<u64>,
    /// When its disk was last changed; absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub disk_last_modified_at: Option<Timestamp>,
}

/// The status of a database. It has fewer values than that of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum DatabaseStatus {
    ActiveHealthy,
    ActiveUnhealthy,
    ComingUp,
    GoingDown,
    InitFailed,
    Removed,
    Restoring,
    Unknown,
    InitReadReplica,
    InitReadReplicaFailed,
    Restarting,
    Resizing,
}

impl DatabaseStatus {
    /// The status of the primary of a project.
    const fn of_primary(project: Status) -> DatabaseStatus {
        match project {
            Status::Unknown => DatabaseStatus::Unknown,
            Status::ComingUp => DatabaseStatus::ComingUp,
            Status::ActiveHealthy => DatabaseStatus::ActiveHealthy,
            Status::ActiveUnhealthy => DatabaseStatus::ActiveUnhealthy,
            Status::InitFailed | Status::RestoreFailed => DatabaseStatus::InitFailed,
            Status::Pausing | Status::Inactive | Status::PauseFailed | Status::GoingDown => {
                DatabaseStatus::GoingDown
            }
            Status::Restoring => DatabaseStatus::Restoring,
            Status::Upgrading | Status::Restarting => DatabaseStatus::Restarting,
            Status::Resizing => DatabaseStatus::Resizing,
            Status::Removed => DatabaseStatus::Removed,
        }
    }

    /// The status of a replica. One that is up is so only while its primary is.
    const fn of_replica(replica: ReplicaStatus, project: Status) -> DatabaseStatus {
        match replica {
            ReplicaStatus::ComingUp => DatabaseStatus::InitReadReplica,
            ReplicaStatus::ActiveHealthy => DatabaseStatus::of_primary(project),
            ReplicaStatus::InitFailed => DatabaseStatus::InitReadReplicaFailed,
            ReplicaStatus::GoingDown => DatabaseStatus::GoingDown,
            ReplicaStatus::Removed => DatabaseStatus::Removed,
        }
    }
}

/// The states of a project, as published.
pub(crate) fn states(_: &mut SchemaGenerator) -> Schema {
    const MORE: [&str; 1] = ["PROMOTING"];
    let all: Vec<_> = Status::ALL.iter().map(|status| status.as_str()).chain(MORE).collect();
    json_schema!({ "type": "string", "enum": all })
}

/// An order of projects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ProjectOrder {
    NameAsc,
    NameDesc,
    CreatedAsc,
    CreatedDesc,
}

impl ProjectOrder {
    const fn sql(self) -> &'static str {
        match self {
            ProjectOrder::NameAsc => "name, id",
            ProjectOrder::NameDesc => "name DESC, id DESC",
            // Numbers follow the order of creation, and have an index.
            ProjectOrder::CreatedAsc => "id",
            ProjectOrder::CreatedDesc => "id DESC",
        }
    }
}

/// List the projects of an organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListOrganizationProjects {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// The number of items to skip; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = i64::MAX))]
    pub offset: Option<u64>,
    /// The maximum number of items; 100 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<u32>,
    /// Only projects whose name contains this text in any case, or whose reference it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// Their order; by name by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<ProjectOrder>,
    /// Only projects in one of these states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statuses: Option<Vec<Status>>,
}

impl ListOrganizationProjects {
    /// The first page, by name.
    pub fn of(slug: &str) -> ListOrganizationProjects {
        ListOrganizationProjects::new(slug)
    }

    /// The condition on the selected projects. It contains only the filters of the request, so that indexes
    /// can do the rest.
    fn meant(&self, shows_branches: bool) -> String {
        let all = "organization = ?1";
        let own = if shows_branches { "" } else { " AND branch_of IS NULL" };
        let found = match self.search {
            Some(_) => {
                " AND (instr(lower(name), lower(?2)) > 0 OR id = (SELECT id FROM project WHERE ref = ?2))"
            }
            None => " AND ?2 IS NULL",
        };
        let status = match self.statuses {
            Some(_) => " AND status IN (SELECT value FROM json_each(?3))",
            None => " AND ?3 IS NULL",
        };
        [all, own, found, status].concat()
    }

    /// The number of projects that match.
    #[doc(hidden)]
    pub fn total(&self, shows_branches: bool) -> String {
        format!("SELECT count(*) FROM project WHERE {}", self.meant(shows_branches))
    }

    /// The requested page.
    #[doc(hidden)]
    pub fn page(&self, shows_branches: bool) -> String {
        let (meant, order) = (self.meant(shows_branches), self.sort.unwrap_or(ProjectOrder::NameAsc).sql());
        format!("{} WHERE {meant} ORDER BY {order} LIMIT ?4 OFFSET ?5", *LINES)
    }
}

/// A page of projects without their filter. Disks and replicas are joined, not queried for each project.
pub(crate) static LINES: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, (SELECT size_gb FROM disk WHERE project = ref) AS disk_gb,
                (SELECT kind FROM disk WHERE project = ref) AS disk_kind,
                (SELECT throughput FROM disk WHERE project = ref) AS disk_throughput,
                (SELECT changed FROM disk WHERE project = ref) AS disk_changed,
                EXISTS (SELECT 1 FROM replica WHERE project = ref) AS has_replicas
         FROM project"
    )
});

impl Operation for ListOrganizationProjects {
    type Output = OrganizationProjects;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["offset", "limit", "search", "sort", "statuses"],
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve projects",
        ..get("v1-get-all-projects-for-organization", "/v1/organizations/{slug}/projects")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<OrganizationProjects, Error> {
        let (offset, limit) = (self.offset.unwrap_or(0), self.limit.unwrap_or(100));
        let shows_branches = cx.policy.show_branch_projects;
        let statuses = self.statuses.as_ref().map(|wanted| json!(wanted).to_string());
        let count = match (&self.search, &statuses) {
            (None, None) => organization::count_projects(cx, &self.slug),
            (search, statuses) => {
                let total = self.total(shows_branches);
                cx.db.one(&total, (&self.slug, search, statuses), |row| row.get::<_, i64>(0)).unsigned_abs()
            }
        };
        let page = cx.db.all(
            &self.page(shows_branches),
            (&self.slug, &self.search, &statuses, limit, i64::try_from(offset).unwrap_or(i64::MAX)),
            Line::read,
        );
        Ok(OrganizationProjects {
            projects: page.into_iter().map(|line| line.shown(cx)).collect(),
            pagination: Pagination { count, limit, offset },
        })
    }
}

/// A project with its values from other tables.
pub(crate) struct Line {
    pub(crate) row: Row,
    /// The size of its disk, if it has its own.
    disk_gb: Option<i64>,
    disk_kind: Option<String>,
    disk_throughput: Option<i64>,
    disk_changed: Option<i64>,
    has_replicas: bool,
}

impl Line {
    pub(crate) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Line> {
        Ok(Line {
            row: Row::read(row)?,
            disk_gb: row.get("disk_gb")?,
            disk_kind: row.get("disk_kind")?,
            disk_throughput: row.get("disk_throughput")?,
            disk_changed: row.get("disk_changed")?,
            has_replicas: row.get("has_replicas")?,
        })
    }

    pub(crate) fn shown(self, cx: &Cx<'_>) -> OrganizationProject {
        let Line { row, .. } = &self;
        let disk_volume_size_gb = disk::size_gb_of(cx, self.disk_gb);
        let disk_type = self.disk_kind.as_deref().map_or(DiskType::Gp3, named);
        let disk_throughput_mbps = match self.disk_changed {
            Some(_) => self.disk_throughput.map(i64::unsigned_abs),
            None => Some(disk::USUAL_THROUGHPUT),
        };
        let database = |identifier: String, region, status, r#type| ListedDatabase {
            infra_compute_size: row.size,
            region,
            status,
            cloud_provider: CloudProvider::CloudA,
            identifier,
            r#type,
            disk_volume_size_gb,
            disk_type,
            disk_throughput_mbps,
            disk_last_modified_at: self.disk_changed.map(from_micros),
        };
        let primary = database(
            row.r#ref.clone(),
            row.region,
            DatabaseStatus::of_primary(row.status),
            DatabaseType::Primary,
        );
        let replicas = if self.has_replicas { replica::of(cx, &row.r#ref) } else { Vec::new() };
        let replicas = replicas.into_iter().map(|one| {
            database(
                one.database_identifier,
                named(&one.region),
                DatabaseStatus::of_replica(one.status, row.status),
                DatabaseType::ReadReplica,
            )
        });
        OrganizationProject {
            databases: std::iter::once(primary).chain(replicas).collect(),
            r#ref: ProjectRef(self.row.r#ref),
            name: self.row.name,
            cloud_provider: CloudProvider::CloudA,
            region: self.row.region,
            is_branch: self.row.branch_of.is_some(),
            status: self.row.status,
            inserted_at: self.row.created_at,
        }
    }
}
