//! `/v2/organizations/{slug}/members` and `/roles`: members, their roles, and the projects that a role is limited to.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Caller, Cx, Edition, Empty, Error, FromJson, Kind, Meta, NO_PRIVILEGES, New, Operation, Payload,
    Resource, Role, Scope, ToSchema, View, delete, end_membership, get, patch, set_role, view,
};

use super::document::{Asked, Given, Many, Object, One, PAGING, Page, kind};
use super::webhooks::event;
use crate::organization::{self, Plan};
use crate::project::Row as Project;
use crate::{claim_token, jit_access, reach};

operations![ListOrganizationMembers, ListOrganizationRoles, AssignMemberRole, RemoveOrganizationMember];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// A member has a row if the role applies only to some projects; to none with the role `no-access`.
const TABLES: &str = "
    CREATE TABLE member_scope (
        organization TEXT NOT NULL,
        user INTEGER NOT NULL,
        projects TEXT NOT NULL,
        PRIMARY KEY (organization, user),
        FOREIGN KEY (organization, user) REFERENCES member (organization, user) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "member_scope",
    "The projects to which a member's role is limited.",
    "SELECT organization, user.name AS user, projects FROM member_scope JOIN user ON user.id = user",
)];

kind! {
    /// A member of an organization.
    MemberKind = "organization_member";
    /// The role of a member.
    MemberRoleKind = "organization_member_role";
    /// A role.
    RoleKind = "organization_role";
}

/// A member of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct OrganizationMember {
    /// Name of the user.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub username: Option<String>,
    /// Address of the user.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub primary_email: Option<String>,
    /// The user's picture; always absent here.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub avatar_url: Option<String>,
    /// Whether the user signs in through the organization's identity provider.
    pub is_sso_user: bool,
    /// Whether the user has enabled a second factor.
    pub mfa_enabled: bool,
    /// The user's role.
    pub roles: Vec<HeldRole>,
}

/// A role that a member has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct HeldRole {
    /// Its name.
    pub name: MemberRole,
    /// Its scope.
    pub scope: RoleScope,
    /// The projects to which it applies; empty if it applies to all.
    pub projects: Vec<RoleProject>,
}

/// A project to which a role applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RoleProject {
    /// Its name.
    pub name: String,
    /// Its reference.
    pub r#ref: String,
}

/// The scope of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoleScope {
    /// All projects of the organization.
    Organization,
    /// Some of its projects.
    Project,
}

/// A role, with its name in `/v2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemberRole {
    /// All permissions.
    Owner,
    /// All permissions except those over the organization itself and its owners.
    Administrator,
    /// May change content.
    Developer,
    /// May read.
    ReadOnly,
    /// No permissions, until a role in some project is given.
    NoAccess,
}

impl MemberRole {
    const ALL: [MemberRole; 5] = {
        use MemberRole::*;
        [Owner, Administrator, Developer, ReadOnly, NoAccess]
    };

    /// The role used in checks. Without access it is the lowest role, in no project.
    pub(crate) const fn rank(self) -> Role {
        match self {
            MemberRole::Owner => Role::Owner,
            MemberRole::Administrator => Role::Administrator,
            MemberRole::Developer => Role::Developer,
            MemberRole::ReadOnly | MemberRole::NoAccess => Role::ReadOnly,
        }
    }

    const fn of(role: Role, in_none: bool) -> MemberRole {
        match role {
            Role::Owner => MemberRole::Owner,
            Role::Administrator => MemberRole::Administrator,
            Role::Developer => MemberRole::Developer,
            Role::ReadOnly if in_none => MemberRole::NoAccess,
            Role::ReadOnly => MemberRole::ReadOnly,
        }
    }
}

/// List the members of an organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListOrganizationMembers {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// Only the member with this address.
    #[serde(rename = "filter[primary_email]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = EMAIL), extend("x-rule" = "an email address"))]
    pub primary_email: Option<String>,
    /// Only the member with this name.
    #[serde(rename = "filter[username]", default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// Only items after this one.
    #[serde(rename = "page[after]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uuid"))]
    pub after: Option<String>,
    /// Only items before this one.
    #[serde(rename = "page[before]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uuid"))]
    pub before: Option<String>,
    /// The maximum number; 100 by default.
    #[serde(rename = "page[size]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub size: Option<u32>,
}

/// The pattern of an email address, as published.
pub(crate) const EMAIL: &str =
    r"^([A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$";

impl Operation for ListOrganizationMembers {
    type Output = Page<Object<MemberKind, OrganizationMember>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["filter[primary_email]", "filter[username]", PAGING[0], PAGING[1], PAGING[2]],
        scope: Some(Scope("organizations:read")),
        also: &[500],
        failure: "Failed to list the organization's members",
        ..get("v2-list-organization-members", "/v2/organizations/{slug}/members")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Page<Object<MemberKind, OrganizationMember>>, Error> {
        let asked = Asked::of(self.after.as_ref(), self.before.as_ref(), self.size);
        let sql = "SELECT u.uuid, u.name, u.email, u.mfa_enabled, u.id, m.role
                   FROM member m JOIN user u ON u.id = m.user
                   WHERE m.organization = ?1 AND lower(u.email) = lower(ifnull(?2, u.email)) AND u.name = ifnull(?3, u.name)
                   ORDER BY u.id";
        let found = cx.db.all(sql, (&self.slug, &self.primary_email, &self.username), |row| {
            let member = OrganizationMember {
                username: Some(row.get(1)?),
                primary_email: Some(row.get(2)?),
                avatar_url: None,
                is_sso_user: false,
                mfa_enabled: row.get(3)?,
                roles: Vec::new(),
            };
            let role = Role::named(&row.get::<_, String>(5)?).expect("stored roles are published ones");
            Ok((Object::new(row.get::<_, String>(0)?, member), row.get::<_, i64>(4)?, role))
        });
        let target = format!("/v2/organizations/{}/members", self.slug);
        let filters = [
            ("filter[primary_email]", self.primary_email.as_deref()),
            ("filter[username]", self.username.as_deref()),
        ];
        let id = |(one, ..): &(Object<MemberKind, OrganizationMember>, i64, Role)| one.id.clone();
        // A user who is no member any more had a place all the same.
        let gone = |left: &[(Object<MemberKind, OrganizationMember>, i64, Role)], cursor: &str| {
            let number =
                cx.db.maybe("SELECT id FROM user WHERE uuid = ?1", (cursor,), |row| row.get::<_, i64>(0))?;
            Some(left.partition_point(|(_, user, _)| *user < number))
        };
        let Page { data, links } = asked.of_those_left(found, id, gone, &target, &filters)?;
        let data = data.into_iter().map(|(mut one, user, role)| {
            one.attributes.roles = vec![held(cx, &self.slug, user, role)];
            one
        });
        Ok(Page { data: data.collect(), links })
    }
}

/// The name of a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NamedRole {
    /// The name.
    pub name: MemberRole,
}

/// List the roles that members of an organization can have.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListOrganizationRoles {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
}

impl Operation for ListOrganizationRoles {
    type Output = Many<Given<RoleKind, NamedRole>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("organizations:read")),
        also: &[500],
        failure: "Failed to list the organization's roles",
        ..get("v2-list-organization-roles", "/v2/organizations/{slug}/roles")
    };

    fn run(self, _: &mut Cx<'_>) -> Result<Many<Given<RoleKind, NamedRole>>, Error> {
        let all = MemberRole::ALL.into_iter().map(|name| Given::new(NamedRole { name }));
        Ok(Many { data: all.collect() })
    }
}

/// The new role of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AssignedRole {
    /// The role.
    pub role: MemberRole,
    /// The projects to which it applies; all of the organization by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub projects: Option<Vec<ScopedProject>>,
}

/// A project to which a role is to apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ScopedProject {
    /// Its reference.
    pub r#ref: String,
}

/// Give a member of an organization another role.
///
/// A role that is limited to projects needs the team plan. It includes reading the organization itself, but no other project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AssignMemberRole {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// UUID of the user.
    #[schemars(extend("format" = "uuid"))]
    pub user_id: String,
    /// The role.
    pub data: Given<MemberRoleKind, AssignedRole>,
}

impl Operation for AssignMemberRole {
    type Output = One<Given<MemberRoleKind, HeldRole>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        role: Role::Owner,
        also: &[500],
        failure: "Failed to assign the role",
        ..patch("v2-assign-organization-member-role", "/v2/organizations/{slug}/members/{user_id}/roles")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Given<MemberRoleKind, HeldRole>>, Error> {
        let (user, before) = member(cx, &self.slug, &self.user_id)?;
        let AssignedRole { role, projects } = self.data.attributes;
        let scope = require_scope_fits(cx, &self.slug, role, projects.as_deref())?;
        if before == Role::Owner && role != MemberRole::Owner {
            require_other_owner(cx, &self.slug, user)?;
        }
        give_role(cx, &self.slug, user, role.rank());
        store_scope(cx, &self.slug, user, scope.as_deref());
        Ok(One::of(Given::new(held(cx, &self.slug, user, role.rank()))))
    }
}

/// End a user's membership in an organization.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveOrganizationMember {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
    /// UUID of the user.
    #[schemars(extend("format" = "uuid"))]
    pub user_id: String,
}

impl Operation for RemoveOrganizationMember {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        since: Edition::V2026_11,
        role: Role::Owner,
        also: &[500],
        failure: "Failed to remove the member",
        ..delete("v2-remove-organization-members", "/v2/organizations/{slug}/members/{user_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let (user, role) = member(cx, &self.slug, &self.user_id)?;
        if role == Role::Owner {
            require_other_owner(cx, &self.slug, user)?;
        }
        remove_member(cx, &self.slug, user);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// Gives a user a role in an organization, as a member from now on.
pub(crate) fn give_role(cx: &Cx<'_>, slug: &str, user: i64, role: Role) {
    let before = cx.role_in(user, slug);
    set_role(cx, slug, user, role);
    event::role_given(cx, slug, before, role);
}

/// Ends a membership; returns whether there was one.
pub(crate) fn remove_member(cx: &Cx<'_>, slug: &str, user: i64) -> bool {
    let was_there = end_membership(cx, slug, user);
    if was_there {
        claim_token::end_with_member(cx, slug, user);
        jit_access::end_with_member(cx, slug, user);
        event::member_removed(cx, slug);
    }
    was_there
}

/// The projects to which a role is to be limited, or `None` for all. Refuses a limit that the plan does not include.
pub(crate) fn require_scope_fits(
    cx: &Cx<'_>,
    slug: &str,
    role: MemberRole,
    projects: Option<&[ScopedProject]>,
) -> Result<Option<Vec<String>>, Error> {
    let Some(projects) = projects else { return Ok((role == MemberRole::NoAccess).then(Vec::new)) };
    if role == MemberRole::Owner {
        let text = "data.attributes.projects: an owner has the role in all projects; leave it out";
        return Err(Error::invalid("organization_role_name_invalid", text));
    }
    let plan = organization::load(cx, slug)?.plan;
    if plan < Plan::Team {
        let text = "data.attributes.projects: roles that are limited to projects need the team plan";
        return Err(Error::forbidden("organization_role_not_entitled", text).because(
            "plan",
            plan.as_str(),
            None,
        ));
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM project WHERE ref = ?1 AND organization = ?2)";
    let is_there = |one: &ScopedProject| cx.db.one(sql, (&one.r#ref, slug), |row| row.get::<_, bool>(0));
    if let Some(other) = projects.iter().find(|one| !is_there(one)) {
        return Err(Error::not_found("project", &other.r#ref));
    }
    let mut scope: Vec<String> = Vec::with_capacity(projects.len());
    for (place, one) in projects.iter().enumerate() {
        if scope.contains(&one.r#ref) {
            cx.without_effect(|| format!("body.data.attributes.projects.{place}.ref"))?;
        } else {
            scope.push(one.r#ref.clone());
        }
    }
    Ok(Some(scope))
}

/// Takes a project that leaves the organization out of the roles and invitations that are limited to it. One that is limited
/// to no other project gives no access then.
pub(crate) fn forget_project(cx: &Cx<'_>, slug: &str, project: &str) {
    let without = "(SELECT json_group_array(value) FROM json_each(projects) WHERE value <> ?2)";
    for table in ["member_scope", "invitation"] {
        let sql = format!(
            "UPDATE {table} SET projects = {without} WHERE organization = ?1 AND projects IS NOT NULL
                AND EXISTS (SELECT 1 FROM json_each(projects) WHERE value = ?2)"
        );
        cx.db.run(&sql, (slug, project));
    }
}

/// Limits the member's role to these projects, or to none in particular.
pub(crate) fn store_scope(cx: &Cx<'_>, slug: &str, user: i64, projects: Option<&[String]>) {
    cx.db.run("DELETE FROM member_scope WHERE organization = ?1 AND user = ?2", (slug, user));
    if let Some(projects) = projects {
        let text = serde_json::to_string(projects).expect("references are plain data");
        cx.db.run("INSERT INTO member_scope VALUES (?1, ?2, ?3)", (slug, user, text));
    }
}

fn scope_of(cx: &Cx<'_>, slug: &str, user: i64) -> Option<Vec<String>> {
    let sql = "SELECT projects FROM member_scope WHERE organization = ?1 AND user = ?2";
    let text = cx.db.maybe(sql, (slug, user), |row| row.get::<_, String>(0))?;
    Some(serde_json::from_str(&text).expect("a stored scope was written as a list"))
}

/// Refuses with 403 a caller whose token or role is limited to other projects. Owners' roles are not, so their calls cost nothing.
pub(crate) fn require_in_scope(
    cx: &Cx<'_>,
    organization: &str,
    project: Option<&Project>,
    needed: Role,
) -> Result<(), Error> {
    let Caller::Token(bearer) = cx.caller else { return Ok(()) };
    reach::require(cx, organization, project)?;
    if cx.role_in(bearer.user, organization) == Some(Role::Owner) {
        return Ok(());
    }
    let Some(scope) = scope_of(cx, organization, bearer.user) else { return Ok(()) };
    let may = match project {
        Some(project) => {
            let own = project.branch_of.as_ref().unwrap_or(&project.r#ref);
            scope.iter().any(|one| one == own || *one == project.r#ref)
        }
        None => needed == Role::ReadOnly && !scope.is_empty(),
    };
    if may {
        return Ok(());
    }
    let listed = if scope.is_empty() { "none".to_owned() } else { scope.join(", ") };
    Err(Error::forbidden("role_too_low", NO_PRIVILEGES).because("projects of the role", listed, None))
}

fn held(cx: &Cx<'_>, slug: &str, user: i64, role: Role) -> HeldRole {
    let scope = scope_of(cx, slug, user);
    let sql = "SELECT name FROM project WHERE ref = ?1";
    let project = |r#ref: String| {
        let name = cx.db.maybe(sql, (&r#ref,), |row| row.get(0))?;
        Some(RoleProject { name, r#ref })
    };
    HeldRole {
        name: MemberRole::of(role, scope.as_ref().is_some_and(Vec::is_empty)),
        scope: if scope.is_some() { RoleScope::Project } else { RoleScope::Organization },
        projects: scope.into_iter().flatten().filter_map(project).collect(),
    }
}

/// The member's number and role, or 404.
fn member(cx: &Cx<'_>, slug: &str, user_id: &str) -> Result<(i64, Role), Error> {
    let sql = "SELECT u.id, m.role FROM member m JOIN user u ON u.id = m.user
               WHERE m.organization = ?1 AND u.uuid = ?2";
    let found =
        cx.db.maybe(sql, (slug, user_id.to_lowercase()), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)));
    let (user, role) = found.ok_or_else(|| Error::not_found("member", user_id))?;
    Ok((user, Role::named(&role).expect("stored roles are published ones")))
}

/// How many owners and administrators an organization has.
pub(crate) fn administrators(cx: &Cx<'_>, slug: &str) -> i64 {
    let sql = "SELECT count(*) FROM member WHERE organization = ?1 AND role IN ('Owner', 'Administrator')";
    cx.db.one(sql, (slug,), |row| row.get(0))
}

/// An organization always has an owner.
fn require_other_owner(cx: &Cx<'_>, slug: &str, user: i64) -> Result<(), Error> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM member WHERE organization = ?1 AND role = 'Owner' AND user <> ?2)";
    if cx.db.one(sql, (slug, user), |row| row.get(0)) {
        return Ok(());
    }
    Err(Error::new(Kind::Invalid, "last_owner", "An organization must keep an owner."))
}
