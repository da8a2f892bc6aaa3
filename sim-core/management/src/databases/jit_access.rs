//! `/v1/projects/{ref}/jit-access` and `…/database/jit`: members who may temporarily log in to a project's
//! database as a role.

mod config;

use std::collections::BTreeMap;
use std::net::IpAddr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Profile, Resource, Role, Scope, Timestamp,
    ToSchema, View, delete, get, post, put, view,
};
use uuid::Uuid;

use self::config::config;
use crate::jit_invite;
use crate::project::{self, ProjectRef, Row as Project};

pub use self::config::{GetJitConfig, JitConfig, JitObstacle, JitState, UpdateJitConfig, WantedJitState};

operations![
    GetJitConfig,
    UpdateJitConfig,
    GetJitAccess,
    AuthorizeJitAccess,
    UpdateJitAccess,
    ListJitAccess,
    DeleteJitAccess
];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE jit_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE jit_access (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        user TEXT NOT NULL,
        roles TEXT NOT NULL,
        UNIQUE (project, user)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[
    view(
        "jit_config",
        "A project whose members may log in to its database.",
        "SELECT project FROM jit_config",
    ),
    view(
        "jit_access",
        "A member who may log in to a project's database.",
        "SELECT project, user, roles FROM jit_access ORDER BY seq",
    ),
];

/// A member who may log in to a project's database.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct JitAccess {
    /// UUID of the user.
    pub user_id: String,
    /// The roles.
    pub user_roles: Vec<JitRole>,
}

/// A role with which a member may log in.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct JitRole {
    /// Its name.
    #[schemars(length(min = 1))]
    pub role: String,
    /// The end of the permission, in seconds since the epoch; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub expires_at: Option<Number>,
    /// The networks from which they may log in; any by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_networks: Option<JitNetworks>,
    /// Whether the permission is only for databases of the project's branches. By default it includes the project's own database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches_only: Option<bool>,
}

/// Networks from which a member may log in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct JitNetworks {
    /// IPv4 networks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_cidrs: Option<Vec<JitNetworkV4>>,
    /// IPv6 networks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_cidrs_v6: Option<Vec<JitNetworkV6>>,
}

/// An IPv4 network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct JitNetworkV4 {
    /// In CIDR notation.
    #[schemars(extend("format" = "ipv4-cidr"))]
    pub cidr: String,
}

/// An IPv6 network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct JitNetworkV6 {
    /// In CIDR notation.
    #[schemars(extend("format" = "ipv6-cidr"))]
    pub cidr: String,
}

impl JitNetworks {
    fn all(&self) -> impl Iterator<Item = &str> {
        let v4 = self.allowed_cidrs.iter().flatten().map(|one| one.cidr.as_str());
        v4.chain(self.allowed_cidrs_v6.iter().flatten().map(|one| one.cidr.as_str()))
    }
}

impl JitRole {
    fn is_good_at(&self, second: i64) -> bool {
        let end = self.expires_at.as_ref().and_then(Number::as_f64);
        end.is_none_or(|end| (second as f64) < end)
    }

    fn is_good_from(&self, address: IpAddr) -> bool {
        let holds = |cidr: &str| cidr.parse::<IpNet>().is_ok_and(|network| network.contains(&address));
        self.allowed_networks.as_ref().is_none_or(|networks| networks.all().any(holds))
    }
}

/// Get the roles with which the caller may log in to a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetJitAccess {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetJitAccess {
    type Output = JitAccess;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to list database jit access",
        ..get("v1-get-jit-access", "/v1/projects/{ref}/database/jit")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitAccess, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let user = caller(cx)?;
        let user_roles = roles(cx, &project, &user).unwrap_or_default();
        Ok(JitAccess { user_id: user, user_roles })
    }
}

/// Ask, as a database does, whether the caller may log in as a role from an address.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AuthorizeJitAccess {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The role.
    #[schemars(length(min = 1))]
    pub role: String,
    /// The address.
    #[schemars(length(min = 1), regex(pattern = r"^[0-9a-fA-F.:]+$"), extend("x-rule" = "an IP address"))]
    pub rhost: String,
}

/// A caller who may log in.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct AuthorizedJitAccess {
    /// UUID of the user.
    pub user_id: String,
    /// The role.
    pub user_role: JitRole,
    /// The account that acts for the user; always absent here, because users act for themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<String>,
}

impl Operation for AuthorizeJitAccess {
    type Output = AuthorizedJitAccess;
    const META: Meta = Meta {
        status: 200,
        since: Edition::V2026_11,
        role: Role::ReadOnly,
        scope: Some(Scope("database:read")),
        check: Some(check_address),
        also: &[500],
        failure: "Failed to authorize database jit access",
        ..post("v1-authorize-jit-access", "/v1/projects/{ref}/database/jit")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<AuthorizedJitAccess, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let user_id = caller(cx)?;
        let refused = |reason, text: &str| Err(Error::forbidden(reason, text));
        if config(cx, &project).state != JitState::Enabled {
            return refused("jit_access_off", "Temporary access is not enabled for this project.");
        }
        let address: IpAddr = self.rhost.parse().expect("validation takes addresses only");
        let all = roles(cx, &project, &user_id).unwrap_or_default();
        let Some(user_role) = all.into_iter().find(|one| one.role == self.role) else {
            return refused("jit_role_missing", "The user may not log in as this role.");
        };
        if user_role.branches_only == Some(true) && project.branch_of.is_none() {
            return refused("jit_branches_only", "The user may log in as this role on branches only.");
        }
        if !user_role.is_good_at(cx.now.as_second()) {
            return refused("jit_access_expired", "The user's access has expired.");
        }
        if !user_role.is_good_from(address) {
            return refused("jit_network_not_allowed", "The user may not log in from this address.");
        }
        Ok(AuthorizedJitAccess { user_id, user_role, act: None })
    }
}

fn check_address(input: &Value, _: &Profile) -> Result<(), Error> {
    match input["rhost"].as_str().unwrap_or_default().parse::<IpAddr>() {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::invalid("invalid_body.rhost", "rhost: Invalid, must be an IP address")),
    }
}

/// Set the roles with which a member may log in to a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateJitAccess {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the user.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub user_id: Uuid,
    /// The roles, each once.
    pub roles: Vec<JitRole>,
}

impl Operation for UpdateJitAccess {
    type Output = JitAccess;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        check: Some(check_networks),
        also: &[500],
        failure: "Failed to upsert database jit access",
        ..put("v1-update-jit-access", "/v1/projects/{ref}/database/jit")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitAccess, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let user_id = self.user_id.to_string();
        let sql =
            "SELECT 1 FROM member m JOIN user u ON u.id = m.user WHERE m.organization = ?1 AND u.uuid = ?2";
        if cx.db.maybe(sql, (&project.organization, &user_id), |_| Ok(())).is_none() {
            return Err(Error::not_found("user", &user_id));
        }
        let user_roles = last_of_each(cx, self.roles)?;
        let roles = serde_json::to_string(&user_roles).expect("roles are plain data");
        store(cx, &project, &user_id, &roles);
        Ok(JitAccess { user_id, user_roles })
    }
}

/// The roles of a request. If a role comes more than once, the last one stays, and the answer names the others.
pub(crate) fn last_of_each(cx: &Cx<'_>, roles: Vec<JitRole>) -> Result<Vec<JitRole>, Error> {
    let places = roles.iter().enumerate().map(|(place, one)| (one.role.clone(), place));
    let last: BTreeMap<String, usize> = places.collect();
    let mut kept = Vec::new();
    for (place, one) in roles.into_iter().enumerate() {
        if last[&one.role] == place {
            kept.push(one);
        } else {
            cx.without_effect(|| format!("body.roles.{place}"))?;
        }
    }
    Ok(kept)
}

/// Sets the roles with which the user may log in, stored as JSON.
pub(crate) fn store(cx: &Cx<'_>, project: &Project, user: &str, roles: &str) {
    let sql = "INSERT INTO jit_access (project, user, roles) VALUES (?1, ?2, ?3)
               ON CONFLICT (project, user) DO UPDATE SET roles = ?3";
    cx.db.run(sql, (&project.r#ref, user, roles));
}

pub(crate) fn check_networks(input: &Value, _: &Profile) -> Result<(), Error> {
    for (index, role) in input["roles"].as_array().into_iter().flatten().enumerate() {
        for (field, is_v6) in [("allowed_cidrs", false), ("allowed_cidrs_v6", true)] {
            for (place, one) in role["allowed_networks"][field].as_array().into_iter().flatten().enumerate() {
                let network = one["cidr"].as_str().unwrap_or_default().parse::<IpNet>();
                if network.is_ok_and(|network| matches!(network, IpNet::V6(_)) == is_v6) {
                    continue;
                }
                let at = format!("roles.{index}.allowed_networks.{field}.{place}.cidr");
                let family = if is_v6 { "IPv6" } else { "IPv4" };
                let text = format!("{at}: Invalid, must be an {family} network in CIDR notation");
                return Err(Error::invalid(format!("invalid_body.{at}"), text));
            }
        }
    }
    Ok(())
}

/// A person who may log in to a project's database, or is invited to.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ListedJitAccess {
    /// UUID of the user; `null` for an invitation.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub user_id: Option<String>,
    /// The roles.
    pub user_roles: Vec<JitRole>,
    /// Email address of the user or the invited person.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub primary_email: Option<String>,
    /// UUID of the invitation; `null` for a user.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub invite_id: Option<String>,
    /// When the invitation expires; `null` for a user.
    #[schemars(with = "Option<String>", extend("format" = "date-time", "x-nullable" = true, "x-required" = true))]
    pub expires_at: Option<Timestamp>,
}

/// The people who may log in to a project's database.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct JitAccessList {
    /// Users in the order in which they were added, then invitations.
    pub items: Vec<ListedJitAccess>,
}

/// List the people who may log in to a project's database, or are invited to.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListJitAccess {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListJitAccess {
    type Output = JitAccessList;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to list database jit access",
        ..get("v1-list-jit-access", "/v1/projects/{ref}/database/jit/list")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<JitAccessList, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT a.user, a.roles, u.email FROM jit_access a LEFT JOIN user u ON u.uuid = a.user
                   WHERE a.project = ?1 ORDER BY a.seq";
        let mut items = cx.db.all(sql, (&project.r#ref,), |row| {
            Ok(ListedJitAccess {
                user_id: row.get(0)?,
                user_roles: read_roles(&row.get::<_, String>(1)?),
                primary_email: row.get(2)?,
                invite_id: None,
                expires_at: None,
            })
        });
        items.extend(jit_invite::listed(cx, &project));
        Ok(JitAccessList { items })
    }
}

/// Revoke a member's permission to log in to a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteJitAccess {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// UUID of the user.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub user_id: Uuid,
}

impl Operation for DeleteJitAccess {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to remove database jit access",
        ..delete("v1-delete-jit-access", "/v1/projects/{ref}/database/jit/{user_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "DELETE FROM jit_access WHERE project = ?1 AND user = ?2";
        match cx.db.run(sql, (&project.r#ref, self.user_id.to_string())) {
            0 => Err(Error::not_found("jit_access", &self.user_id.to_string())),
            _ => Ok(Empty {}),
        }
    }
}

/// UUID of the caller.
pub(crate) fn caller(cx: &Cx<'_>) -> Result<String, Error> {
    // The control API has no user.
    let user = cx.caller.user().ok_or_else(|| Error::unauthorized("no_user"))?;
    Ok(cx.db.one("SELECT uuid FROM user WHERE id = ?1", (user,), |row| row.get(0)))
}

/// The user's roles in the project. For a branch, the roles in its parent, unless the user has roles in the branch itself.
fn roles(cx: &Cx<'_>, project: &Project, user: &str) -> Option<Vec<JitRole>> {
    let sql = "SELECT roles FROM jit_access WHERE project = ?1 AND user = ?2";
    let of = |project: &String| cx.db.maybe(sql, (project, user), |row| row.get::<_, String>(0));
    let found = of(&project.r#ref).or_else(|| of(project.branch_of.as_ref()?));
    found.map(|text| read_roles(&text))
}

/// Ends the access of a user to the databases of an organization that the user leaves.
pub(crate) fn end_with_member(cx: &Cx<'_>, organization: &str, user: i64) {
    let sql = "DELETE FROM jit_access
               WHERE user = (SELECT uuid FROM user WHERE id = ?2)
                     AND EXISTS (SELECT 1 FROM project WHERE ref = jit_access.project AND organization = ?1)";
    cx.db.run(sql, (organization, user));
}

/// Of those who may log in to the database of a project that was moved, members of the new organization stay.
pub(crate) fn hand_over(cx: &Cx<'_>, project: &str, organization: &str) {
    let sql = "DELETE FROM jit_access
               WHERE project = ?1 AND user NOT IN (SELECT u.uuid FROM member m JOIN user u ON u.id = m.user
                                                   WHERE m.organization = ?2)";
    cx.db.run(sql, (project, organization));
    cx.db.run("DELETE FROM jit_invite WHERE project = ?1", (project,));
}

pub(crate) fn read_roles(text: &str) -> Vec<JitRole> {
    serde_json::from_str(text).expect("stored roles were written by the same type")
}
