//! `/v1/projects/{ref}/vanity-subdomain`: a project under a chosen name of the platform's domain.

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, Role, Scope, ToSchema, View, delete, get,
    post, view,
};

use crate::from_text::from_text;
use crate::hostname;
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};

operations![CheckVanitySubdomain, ActivateVanitySubdomain, GetVanitySubdomain, DeleteVanitySubdomain];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE vanity_subdomain (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        activated_by_call INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX vanity_subdomain_by_name ON vanity_subdomain (name);
";

pub(crate) const VIEWS: &[View] = &[view(
    "vanity_subdomain",
    "A vanity subdomain.",
    "SELECT project, name, activated_by_call FROM vanity_subdomain",
)];

/// The name of a project's subdomain of the platform's domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Label(
    #[schemars(
        length(max = 63),
        regex(pattern = r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"),
        extend("x-rule" = "lowercase letters, digits and hyphens, with no hyphen at either end")
    )]
    pub String,
);

from_text!(Label);

/// The status of a project's vanity subdomain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VanityStatus {
    /// It has none.
    NotUsed,
    /// It has a custom hostname instead.
    CustomDomainUsed,
    /// It has one.
    Active,
}

/// The vanity subdomain of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct VanityConfig {
    /// Its status.
    pub status: VanityStatus,
    /// The host name of the project's services; absent if they only use the name with its reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_domain: Option<String>,
}

/// Whether a name is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Availability {
    /// Whether it is available.
    pub available: bool,
}

/// The result of an activation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ActivatedVanity {
    /// The host name of the project's services from now on.
    pub custom_domain: String,
}

/// Get a project's vanity subdomain.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetVanitySubdomain {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetVanitySubdomain {
    type Output = VanityConfig;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("domains:read")),
        also: &[500],
        failure: "Failed to get project vanity subdomain configuration",
        ..get("v1-get-vanity-subdomain-config", "/v1/projects/{ref}/vanity-subdomain")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<VanityConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if let Some((name, _)) = find(cx, &project) {
            return Ok(VanityConfig { status: VanityStatus::Active, custom_domain: Some(host(cx, &name)) });
        }
        Ok(match hostname::active_name(cx, &project) {
            Some(name) => VanityConfig { status: VanityStatus::CustomDomainUsed, custom_domain: Some(name) },
            None => VanityConfig { status: VanityStatus::NotUsed, custom_domain: None },
        })
    }
}

/// Check whether a vanity subdomain is available.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CheckVanitySubdomain {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name.
    pub vanity_subdomain: Label,
}

impl Operation for CheckVanitySubdomain {
    type Output = Availability;
    const META: Meta = Meta {
        beta: true,
        role: Role::ReadOnly,
        scope: Some(Scope("domains:write")),
        also: &[500],
        failure: "Failed to check project vanity subdomain configuration",
        ..post(
            "v1-check-vanity-subdomain-availability",
            "/v1/projects/{ref}/vanity-subdomain/check-availability",
        )
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Availability, Error> {
        project::load(cx, &self.r#ref)?;
        Ok(Availability { available: holder(cx, &self.vanity_subdomain.0).is_none() })
    }
}

/// Make a project's services available under a vanity subdomain.
///
/// Requires a paid plan; excludes a custom hostname.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ActivateVanitySubdomain {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name.
    pub vanity_subdomain: Label,
}

impl Operation for ActivateVanitySubdomain {
    type Output = ActivatedVanity;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("domains:write")),
        also: &[500],
        failure: "Failed to activate project vanity subdomain configuration",
        ..post("v1-activate-vanity-subdomain-config", "/v1/projects/{ref}/vanity-subdomain/activate")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ActivatedVanity, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_plan(cx, &project)?;
        hostname::refuse_beside(cx, &project)?;
        let name = self.vanity_subdomain.0;
        let custom_domain = host(cx, &name);
        match find(cx, &project) {
            Some((active, _)) if active == name => return Ok(ActivatedVanity { custom_domain }),
            Some((active, call)) => {
                let text = "Delete the vanity subdomain of the project before activating another one.";
                return Err(Error::invalid("vanity_exists", text).because(
                    "vanity subdomain",
                    active,
                    Some(call),
                ));
            }
            None => {}
        }
        if let Some(holder) = holder(cx, &name) {
            let text = format!("The vanity subdomain {name} is not available.");
            return Err(Error::invalid("vanity_taken", text).because("held by", holder, None));
        }
        let sql = "INSERT INTO vanity_subdomain VALUES (?1, ?2, ?3)";
        cx.db.run(sql, (&project.r#ref, name, cx.call as i64));
        Ok(ActivatedVanity { custom_domain })
    }
}

fn require_plan(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    if plan != Plan::Free || cx.policy.free_plan_vanity_subdomain {
        return Ok(());
    }
    let text = "Vanity subdomains are not included in the free plan, please upgrade the organization first.";
    Err(Error::invalid("plan_too_low", text).because("organization plan", plan.as_str(), None))
}

/// The owner of the name: another project (as its own name or as its reference) or the platform itself.
fn holder(cx: &Cx<'_>, name: &str) -> Option<String> {
    if cx.profile.reserved_subdomains.iter().any(|reserved| reserved == name) {
        return Some("the platform".to_owned());
    }
    let sql = "SELECT project FROM vanity_subdomain WHERE name = ?1";
    let mut holders = cx.db.all(sql, (name,), |row| row.get::<_, String>(0));
    holders.push(name.to_owned());
    // A removed project keeps its rows for a while, but its subdomain is free.
    holders.into_iter().find(|holder| project::load(cx, &ProjectRef(holder.clone())).is_ok())
}

/// Remove a project's vanity subdomain.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteVanitySubdomain {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for DeleteVanitySubdomain {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("domains:write")),
        also: &[500],
        failure: "Failed to delete project vanity subdomain configuration",
        ..delete("v1-deactivate-vanity-subdomain-config", "/v1/projects/{ref}/vanity-subdomain")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        match cx.db.run("DELETE FROM vanity_subdomain WHERE project = ?1", (&project.r#ref,)) {
            0 => Err(Error::invalid("no_vanity", "Vanity subdomain not configured for project").because(
                "vanity subdomain",
                "none",
                None,
            )),
            _ => Ok(Empty {}),
        }
    }
}

/// Refuses if the project has a vanity subdomain.
pub(crate) fn require_none(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let Some((name, call)) = find(cx, project) else { return Ok(()) };
    let text = "The project has a vanity subdomain, delete that before setting up a custom hostname.";
    Err(Error::invalid("vanity_exists", text).because("vanity subdomain", name, Some(call)))
}

fn host(cx: &Cx<'_>, name: &str) -> String {
    format!("{name}.{}", cx.profile.project_domain)
}

/// The project's name and the call that activated it.
fn find(cx: &Cx<'_>, project: &Row) -> Option<(String, u64)> {
    let sql = "SELECT name, activated_by_call FROM vanity_subdomain WHERE project = ?1";
    cx.db.maybe(sql, (&project.r#ref,), |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))
}
