//! `/v1/organizations`: organizations and their members.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Kind, Meta, New, Operation, OrganizationSpec, Resource, Role, Scope,
    ToSchema, View, delete, get, micros, post, put, set_role, view,
};

use crate::beyond_plan::{self, Kept};
use crate::catalog::ReleaseChannel;
use crate::project::Row;
use crate::reach;
use crate::user;
use crate::v2::member;
use crate::v2::webhooks::event;

operations![
    CreateOrganization,
    ListOrganizations,
    GetOrganization,
    ListMembers,
    SetPlan,
    SetOptions,
    SetMember,
    RemoveMember
];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE organization (
        slug TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        plan TEXT NOT NULL,
        opt_in_tags TEXT NOT NULL DEFAULT '[]',
        release_channels TEXT NOT NULL DEFAULT '[\"ga\",\"preview\"]',
        projects INTEGER NOT NULL DEFAULT 0, -- branches' own among them
        branches INTEGER NOT NULL DEFAULT 0,
        resting INTEGER NOT NULL DEFAULT 0, -- paused, or on the way there; no branches among them
        paying_since INTEGER NOT NULL DEFAULT 0,
        lapses INTEGER NOT NULL DEFAULT 0 -- how often it ceased to pay
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "organization",
    "An organization.",
    "SELECT slug, name, plan, opt_in_tags, release_channels, projects, branches, resting FROM organization",
)];

/// The plan of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Plan {
    Free,
    Pro,
    Team,
    Enterprise,
}

impl Plan {
    /// All plans, cheapest first.
    pub const ALL: [Plan; 4] = [Plan::Free, Plan::Pro, Plan::Team, Plan::Enterprise];

    /// The published name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Plan::Free => "free",
            Plan::Pro => "pro",
            Plan::Team => "team",
            Plan::Enterprise => "enterprise",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Plan> {
        Plan::ALL.into_iter().find(|plan| plan.as_str() == name)
    }
}

/// A summary of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Organization {
    /// The slug.
    pub id: String,
    /// The slug.
    pub slug: String,
    /// Its name.
    pub name: String,
}

impl Organization {
    fn new(slug: String, name: String) -> Organization {
        Organization { id: slug.clone(), slug, name }
    }
}

/// An organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct OrganizationDetail {
    /// The slug.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// Optional services that it has accepted.
    pub opt_in_tags: Vec<OptInTag>,
    /// Release channels that its projects may use.
    pub allowed_release_channels: Vec<ReleaseChannel>,
}

/// An optional service that an organization can accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum OptInTag {
    /// Generated SQL.
    #[serde(rename = "AI_SQL_GENERATOR_OPT_IN")]
    AiSqlGenerator,
    /// An assistant that reads rows.
    #[serde(rename = "AI_DATA_GENERATOR_OPT_IN")]
    #[schemars(extend("x-since" = "2026-11"))]
    AiDataGenerator,
    /// An assistant that reads logs.
    #[serde(rename = "AI_LOG_GENERATOR_OPT_IN")]
    #[schemars(extend("x-since" = "2026-11"))]
    AiLogGenerator,
}

/// A member of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Member {
    /// UUID of the user.
    pub user_id: String,
    /// Name of the user.
    pub user_name: String,
    /// Address of the user.
    pub email: String,
    /// Role in the organization.
    pub role_name: Role,
    /// Whether the user has enabled a second factor.
    pub mfa_enabled: bool,
    /// Picture of the user; always `null` here.
    #[serde(default)]
    #[schemars(extend("x-since" = "2026-11", "x-nullable" = true, "x-required" = true))]
    pub avatar_url: Option<String>,
}

/// Create an organization.
///
/// It starts on the free plan; the caller is its owner.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct CreateOrganization {
    /// Its name.
    #[schemars(length(min = 1, max = 256))]
    pub name: String,
}

impl Operation for CreateOrganization {
    type Output = Organization;
    const META: Meta = Meta {
        also: &[403, 500],
        failure: "Unexpected error creating an organization",
        ..post("v1-create-an-organization", "/v1/organizations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Organization, Error> {
        reach::require_unlimited(cx, "organization", "a new one")?;
        let created = Organization::new(cx.rng.draw("organization").letters(20), self.name);
        let is_new = insert(cx, &created, Plan::Free);
        assert!(is_new, "no two slugs are drawn alike");
        if let Some(user) = cx.caller.user() {
            set_role(cx, &created.id, user, Role::Owner);
        }
        Ok(created)
    }
}

/// List the organizations that the caller is a member of.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListOrganizations {}

impl Operation for ListOrganizations {
    type Output = Vec<Organization>;
    const META: Meta = Meta {
        also: &[500],
        failure: "Unexpected error listing organizations",
        scope: Some(Scope("organizations:read")),
        ..get("v1-list-all-organizations", "/v1/organizations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Organization>, Error> {
        let own = in_callers(cx, "slug");
        let reached = reach::condition(cx, "slug", &[]);
        let sql = format!("SELECT slug, name FROM organization WHERE {own}{reached} ORDER BY slug");
        Ok(cx.db.all(&sql, (cx.caller.user(),), |row| Ok(Organization::new(row.get(0)?, row.get(1)?))))
    }
}

/// The condition that `column` is an organization of the caller, whose user is `?1`; true for the control
/// API. There are two texts, so that an index finds the caller's organizations, however many others there
/// are.
pub(crate) fn in_callers(cx: &Cx<'_>, column: &str) -> String {
    match cx.caller.user() {
        Some(_) => format!("{column} IN (SELECT organization FROM member WHERE user = ?1)"),
        None => "?1 IS NULL".to_owned(),
    }
}

/// Get an organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetOrganization {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
}

impl Operation for GetOrganization {
    type Output = OrganizationDetail;
    const META: Meta = Meta {
        scope: Some(Scope("organizations:read")),
        ..get("v1-get-an-organization", "/v1/organizations/{slug}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<OrganizationDetail, Error> {
        load(cx, &self.slug)
    }
}

/// List the members of an organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListMembers {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
}

impl Operation for ListMembers {
    type Output = Vec<Member>;
    const META: Meta = Meta {
        scope: Some(Scope("organizations:read")),
        ..get("v1-list-organization-members", "/v1/organizations/{slug}/members")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Member>, Error> {
        let sql = "SELECT u.uuid, u.name, u.email, m.role, u.mfa_enabled
                   FROM member m JOIN user u ON u.id = m.user WHERE m.organization = ?1 ORDER BY u.id";
        Ok(cx.db.all(sql, (&self.slug,), |row| {
            Ok(Member {
                user_id: row.get(0)?,
                user_name: row.get(1)?,
                email: row.get(2)?,
                role_name: Role::named(&row.get::<_, String>(3)?).expect("stored roles are published ones"),
                mfa_enabled: row.get(4)?,
                avatar_url: None,
            })
        }))
    }
}

/// An organization whose plan was set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrganizationOnPlan {
    /// The organization.
    #[serde(flatten)]
    pub organization: OrganizationDetail,
    /// What its projects keep although the plan lacks it; absent if there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Kept>,
}

/// Change the plan of an organization.
///
/// Projects keep what a lower plan lacks (add-ons, larger machines, read replicas, branches, private links), and the answer lists
/// it; with `enforce` it ends.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetPlan {
    /// The organization's slug.
    pub slug: String,
    /// The new plan.
    pub plan: Plan,
    /// Whether to end what the projects have and the plan lacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enforce: Option<bool>,
}

impl Operation for SetPlan {
    type Output = OrganizationOnPlan;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-plan", "/_sim/organizations/{slug}/plan") };

    fn run(self, cx: &mut Cx<'_>) -> Result<OrganizationOnPlan, Error> {
        let before = load(cx, &self.slug)?.plan;
        if self.enforce == Some(true) {
            beyond_plan::end(cx, &self.slug, self.plan)?;
        }
        // The other effects on its projects, such as on their backups, are computed from these values, however many
        // projects there are.
        let sql = "UPDATE organization SET plan = ?2,
                       paying_since = iif(plan = 'free' AND ?2 <> 'free', ?3, paying_since),
                       lapses = lapses + (plan <> 'free' AND ?2 = 'free')
                   WHERE slug = ?1";
        cx.db.run(sql, (&self.slug, self.plan.as_str(), micros(cx.now)));
        event::plan_changed(cx, &self.slug, before, self.plan);
        let kept = beyond_plan::of_organization(cx, &self.slug, self.plan);
        Ok(OrganizationOnPlan { organization: load(cx, &self.slug)?, kept })
    }
}

/// Set the optional services that an organization has accepted, and the releases that its projects may use. Omitted fields do not
/// change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetOptions {
    /// The organization's slug.
    pub slug: String,
    /// Optional services that it has accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opt_in_tags: Option<Vec<OptInTag>>,
    /// Release channels that its projects may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_release_channels: Option<Vec<ReleaseChannel>>,
}

impl Operation for SetOptions {
    type Output = OrganizationDetail;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-set-organization-options", "/_sim/organizations/{slug}/options")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<OrganizationDetail, Error> {
        let organization = load(cx, &self.slug)?;
        let tags = self.opt_in_tags.unwrap_or(organization.opt_in_tags);
        let channels = self.allowed_release_channels.unwrap_or(organization.allowed_release_channels);
        let sql = "UPDATE organization SET opt_in_tags = ?2, release_channels = ?3 WHERE slug = ?1";
        cx.db.run(sql, (&self.slug, json!(tags).to_string(), json!(channels).to_string()));
        load(cx, &self.slug)
    }
}

/// Make a user a member of an organization, or give a member another role.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetMember {
    /// The organization's slug.
    pub slug: String,
    /// The user's name.
    pub user: String,
    /// The role from now on.
    pub role: Role,
}

impl Operation for SetMember {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-set-member", "/_sim/organizations/{slug}/members/{user}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        load(cx, &self.slug)?;
        let user = user::named(cx, &self.user)?.id;
        member::give_role(cx, &self.slug, user, self.role);
        member::store_scope(cx, &self.slug, user, None);
        Ok(Empty {})
    }
}

/// End a user's membership in an organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveMember {
    /// The organization's slug.
    pub slug: String,
    /// The user's name.
    pub user: String,
}

impl Operation for RemoveMember {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..delete("sim-remove-member", "/_sim/organizations/{slug}/members/{user}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let user = user::named(cx, &self.user)?;
        match member::remove_member(cx, &self.slug, user.id) {
            true => Ok(Empty {}),
            false => Err(Error::not_found("member", &self.user)),
        }
    }
}

/// Controls access to `/v1/organizations/{slug}`: for members with the role.
pub(crate) fn guard(cx: &mut Cx<'_>, slug: &str, meta: &Meta) -> Result<(), Error> {
    load(cx, slug)?;
    cx.require_role(slug, meta.role)?;
    member::require_in_scope(cx, slug, None, meta.role)
}

/// The organization, or 404.
pub fn load(cx: &Cx<'_>, slug: &str) -> Result<OrganizationDetail, Error> {
    const SQL: &str =
        "SELECT slug, name, plan, opt_in_tags, release_channels FROM organization WHERE slug = ?1";
    let found = cx.db.maybe(SQL, (slug,), |row| {
        Ok(OrganizationDetail {
            id: row.get(0)?,
            name: row.get(1)?,
            plan: read_plan(row.get_ref(2)?.as_str()?),
            opt_in_tags: stored(&row.get::<_, String>(3)?),
            allowed_release_channels: stored(&row.get::<_, String>(4)?),
        })
    });
    found.ok_or_else(|| Error::not_found("organization", slug))
}

/// A plan that is stored.
pub(crate) fn read_plan(stored: &str) -> Plan {
    Plan::named(stored).expect("stored plans are published ones")
}

/// The number of its projects, without branches' own projects if the policy does not show these.
pub(crate) fn count_projects(cx: &Cx<'_>, slug: &str) -> u64 {
    let sql = "SELECT iif(?2, projects, projects - branches) FROM organization WHERE slug = ?1";
    cx.db.one(sql, (slug, cx.policy.show_branch_projects), |row| row.get::<_, i64>(0)).unsigned_abs()
}

/// Counts a project that is added to the organization (`by` is 1) or leaves it (-1).
pub(crate) fn count(cx: &Cx<'_>, slug: &str, project: &Row, by: i64) {
    let is_branch = project.branch_of.is_some();
    let rests = !is_branch && project.status.is_resting();
    let sql = "UPDATE organization
               SET projects = projects + ?2, branches = branches + ?2 * ?3, resting = resting + ?2 * ?4
               WHERE slug = ?1";
    cx.db.run(sql, (slug, by, is_branch, rests));
}

/// Counts a project that was paused or resumed.
pub(crate) fn count_resting(cx: &Cx<'_>, slug: &str, rests: bool) {
    let sql = "UPDATE organization SET resting = resting + iif(?2, 1, -1) WHERE slug = ?1";
    cx.db.run(sql, (slug, rests));
}

/// Refuses with 402 on the free plan.
pub(crate) fn require_paid(cx: &Cx<'_>, slug: &str, what: &str) -> Result<(), Error> {
    require_plan(cx, slug, Plan::Pro, what)
}

/// Refuses with 402 on plans below `least`.
pub(crate) fn require_plan(cx: &Cx<'_>, slug: &str, least: Plan, what: &str) -> Result<(), Error> {
    let plan = load(cx, slug)?.plan;
    if plan >= least {
        return Ok(());
    }
    let text = format!("{what} requires a higher plan.");
    Err(Error::new(Kind::PaymentRequired, "plan_too_low", text).because("plan", plan.as_str(), None))
}

fn stored<T: DeserializeOwned>(names: &str) -> Vec<T> {
    serde_json::from_str(names).expect("stored names are published ones")
}

/// Stores an organization of a new world; its slug is its name in lower case with hyphens.
pub(crate) fn seed(cx: &Cx<'_>, spec: &OrganizationSpec) -> Result<String, Error> {
    let words = spec.name.to_lowercase();
    let slug = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = slug.collect::<Vec<_>>().join("-");
    let plan = Plan::named(&spec.plan).ok_or_else(|| {
        let plans = Plan::ALL.map(Plan::as_str).join(", ");
        Error::invalid("invalid_world.plan", format!("plan: {:?} is none of {plans}", spec.plan))
    })?;
    if slug.is_empty() || !insert(cx, &Organization::new(slug.clone(), spec.name.clone()), plan) {
        let text = format!("name: {:?} makes the slug {slug:?}, which is empty or taken", spec.name);
        return Err(Error::invalid("invalid_world.name", text));
    }
    Ok(slug)
}

/// Whether the slug was free.
fn insert(cx: &Cx<'_>, organization: &Organization, plan: Plan) -> bool {
    let sql = "INSERT INTO organization (slug, name, plan) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    cx.db.run(sql, (&organization.id, &organization.name, plan.as_str())) > 0
}

/// The roles of administrators, who count for the free quota.
pub(crate) fn administrators(cx: &Cx<'_>, slug: &str) -> Vec<(i64, String)> {
    let sql = "SELECT u.id, u.name FROM member m JOIN user u ON u.id = m.user
               WHERE m.organization = ?1 AND m.role IN ('Owner', 'Administrator') ORDER BY u.id";
    cx.db.all(sql, (slug,), |row| Ok((row.get(0)?, row.get(1)?)))
}
