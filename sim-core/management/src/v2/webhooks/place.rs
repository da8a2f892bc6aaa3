//! Where an endpoint belongs: to an organization or to a project.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sim_base::{Cx, Edition, Error, FromJson, Meta, ToSchema};

use crate::project::{self, ProjectRef};

/// Whose endpoints a call is about.
pub trait Place: Clone + Debug + Serialize + DeserializeOwned + JsonSchema + 'static {
    /// Operation ids and paths.
    const PATHS: Paths;
    /// The owner of the endpoints, which must be there.
    fn owner(&self, cx: &Cx<'_>) -> Result<Owner, Error>;
}

/// Operation ids and paths.
#[expect(missing_docs, reason = "they are what they say")]
pub struct Paths {
    pub create: (&'static str, &'static str),
    pub list: (&'static str, &'static str),
    pub delete_all: (&'static str, &'static str),
    pub get: (&'static str, &'static str),
    pub update: (&'static str, &'static str),
    pub delete: (&'static str, &'static str),
    pub test: (&'static str, &'static str),
    pub deliveries: (&'static str, &'static str),
    pub delivery: (&'static str, &'static str),
    pub retry: (&'static str, &'static str),
}

macro_rules! paths {
    ($id:literal, $at:literal) => {
        Paths {
            create: (concat!($id, "-endpoints-post"), concat!($at, "/endpoints")),
            list: (concat!($id, "-endpoints-get"), concat!($at, "/endpoints")),
            delete_all: (concat!($id, "-endpoints-delete"), concat!($at, "/endpoints")),
            get: (concat!($id, "-endpoints-id-get"), concat!($at, "/endpoints/{id}")),
            update: (concat!($id, "-endpoints-id-patch"), concat!($at, "/endpoints/{id}")),
            delete: (concat!($id, "-endpoints-id-delete"), concat!($at, "/endpoints/{id}")),
            test: (concat!($id, "-endpoints-id-test-post"), concat!($at, "/endpoints/{id}/test")),
            deliveries: (
                concat!($id, "-endpoints-id-deliveries-get"),
                concat!($at, "/endpoints/{id}/deliveries"),
            ),
            delivery: (concat!($id, "-deliveries-id-get"), concat!($at, "/deliveries/{id}")),
            retry: (concat!($id, "-deliveries-id-retry-post"), concat!($at, "/deliveries/{id}/retry")),
        }
    };
}

/// Endpoints of an organization, for what happens in it and in its projects.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema)]
pub struct OfOrganization {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
}

/// Endpoints of a project, for what happens in it.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema)]
pub struct OfProject {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl<T: Into<String>> From<T> for OfOrganization {
    /// Accepts any text; the call that uses it refuses an invalid one.
    fn from(slug: T) -> OfOrganization {
        OfOrganization { slug: slug.into() }
    }
}

impl From<&str> for OfProject {
    /// Accepts any text; the call that uses it refuses an invalid one.
    fn from(reference: &str) -> OfProject {
        OfProject { r#ref: reference.into() }
    }
}

impl From<&ProjectRef> for OfProject {
    fn from(reference: &ProjectRef) -> OfProject {
        OfProject { r#ref: reference.into() }
    }
}

impl Place for OfOrganization {
    const PATHS: Paths = paths!("v2-organizations-slug-webhooks", "/v2/organizations/{slug}/webhooks");

    fn owner(&self, _: &Cx<'_>) -> Result<Owner, Error> {
        let (path, column) = (format!("/v2/organizations/{}", self.slug), "organization");
        Ok(Owner { path, column, name: self.slug.clone(), organization: self.slug.clone(), project: None })
    }
}

impl Place for OfProject {
    const PATHS: Paths = paths!("v2-projects-ref-webhooks", "/v2/projects/{ref}/webhooks");

    fn owner(&self, cx: &Cx<'_>) -> Result<Owner, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(Owner {
            path: format!("/v2/projects/{}", project.r#ref),
            column: "project",
            name: project.r#ref.clone(),
            organization: project.organization,
            project: Some(project.r#ref),
        })
    }
}

/// The owner of endpoints.
pub struct Owner {
    /// The path of its webhooks, up to `/webhooks`.
    pub(super) path: String,
    /// The column of the table of endpoints that has its name.
    pub(super) column: &'static str,
    pub(super) name: String,
    pub(super) organization: String,
    pub(super) project: Option<String>,
}

/// What all operations on webhooks have in common.
pub(super) const fn of_webhooks(meta: Meta) -> Meta {
    Meta { since: Edition::V2026_11, also: &[500], failure: "Failed to reach the webhooks", ..meta }
}
