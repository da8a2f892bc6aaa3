//! `/v2/organizations/{slug}/projects`: the projects of an organization, from cursor to cursor.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, get,
};

use super::document::{Asked, Ends, Object, PAGING, Page, kind, unknown};
use crate::catalog::{CloudProvider, Region};
use crate::organization_project::{LINES, Line, ListedDatabase, OrganizationProject, states};
use crate::project::Status;
use crate::project_ref;

operations![ListProjectsByCursor];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// A project.
    ProjectKind = "project";
}

/// A project of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "ProjectOfOrganization")]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Whose machines it runs on.
    pub cloud_provider: CloudProvider,
    /// Where it runs.
    pub region: Region,
    /// Where it stands in its life.
    #[schemars(schema_with = "states")]
    pub status: Status,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// Its databases: the primary, then the read replicas.
    pub databases: Vec<ListedDatabase>,
}

impl From<OrganizationProject> for Object<ProjectKind, Listed> {
    fn from(project: OrganizationProject) -> Object<ProjectKind, Listed> {
        let OrganizationProject {
            r#ref, name, cloud_provider, region, status, inserted_at, databases, ..
        } = project;
        Object::new(r#ref.0, Listed { name, cloud_provider, region, status, inserted_at, databases })
    }
}

/// An order of projects by age.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum ProjectAge {
    /// The oldest first.
    #[serde(rename = "inserted_at")]
    Oldest,
    /// The newest first.
    #[serde(rename = "-inserted_at")]
    Newest,
}

/// List the projects of an organization, page by page.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListProjectsByCursor {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// Only those whose name has this in it, in any case, or whose reference this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub search: Option<String>,
    /// Their order; the oldest first unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<ProjectAge>,
    /// Those after this one.
    #[serde(rename = "page[after]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub after: Option<String>,
    /// Those before this one.
    #[serde(rename = "page[before]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub before: Option<String>,
    /// How many at most; 100 unless given.
    #[serde(rename = "page[size]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub size: Option<u32>,
}

impl Operation for ListProjectsByCursor {
    type Output = Page<Object<ProjectKind, Listed>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["search", "sort", PAGING[0], PAGING[1], PAGING[2]],
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to list the organization's projects",
        ..get("v2-list-organization-projects", "/v2/organizations/{slug}/projects")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Page<Object<ProjectKind, Listed>>, Error> {
        let asked = Asked::of(self.after.as_ref(), self.before.as_ref(), self.size);
        let place = |cursor: &str| number(cx, &self.slug, cursor).ok_or_else(|| unknown(cursor));
        let after = asked.after.map(place).transpose()?;
        let before = asked.before.map(place).transpose()?;
        let backwards = after.is_none() && before.is_some();
        let is_newest_first = self.sort == Some(ProjectAge::Newest);
        let (above, below) = if is_newest_first { (before, after) } else { (after, before) };
        let sql = format!(
            "{} WHERE organization = ?1 AND id > ?2 AND id < ?3 AND (?4 OR branch_of IS NULL)
             AND (?5 IS NULL OR instr(lower(name), lower(?5)) > 0 OR ref = ?5)
             ORDER BY id {} LIMIT ?6",
            *LINES,
            if backwards == is_newest_first { "ASC" } else { "DESC" }
        );
        let row = (
            &self.slug,
            above.unwrap_or(i64::MIN),
            below.unwrap_or(i64::MAX),
            cx.policy.show_branch_projects,
            &self.search,
            asked.size() as i64 + 1,
        );
        let mut found = cx.db.all(&sql, row, Line::read);
        let has_more = found.len() > asked.size();
        found.truncate(asked.size());
        if backwards {
            found.reverse();
        }
        let data: Vec<Object<ProjectKind, Listed>> =
            found.into_iter().map(|line| line.shown(cx).into()).collect();
        // The project at a cursor lies beyond the page on its side.
        let (has_before, has_after) =
            if backwards { (has_more, true) } else { (after.is_some(), has_more || before.is_some()) };
        let sort = self.sort.map(|sort| crate::text_of(&sort));
        let filters = [("search", self.search.as_deref()), ("sort", sort.as_deref())];
        let ends = Ends::of(&data, |one| one.id.clone()).filtered(has_before, has_after);
        let target = format!("/v2/organizations/{}/projects", self.slug);
        let links = asked.links(&target, &filters, ends);
        Ok(Page { data, links })
    }
}

/// The number of an organization's project, by which projects follow each other. One that is gone had the number that its
/// reference tells.
fn number(cx: &Cx<'_>, slug: &str, r#ref: &str) -> Option<i64> {
    match crate::project::find(cx, r#ref) {
        Some(project) => Some(project.id).filter(|_| project.organization == slug),
        None => project_ref::likely_number(r#ref).filter(|number| *number <= MOST_PROJECTS),
    }
}

/// More projects than any world has had. References that were made up have larger numbers, but for one in 100,000.
const MOST_PROJECTS: i64 = 1_000_000_000;
