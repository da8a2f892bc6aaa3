//! The number of free projects that a member may have.

use serde::Serialize;
use sim_base::{Cx, Error, FromJson, Kind, ToSchema};

use crate::organization::{self, Plan};

/// A member who has the maximum number of free projects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct MemberAtLimit {
    /// The user's name.
    pub name: String,
    /// The maximum number of free projects.
    pub limit: u32,
}

/// Refuses with `kind` if an administrator of a free organization has no free project left, not counting
/// `except`.
pub(crate) fn require_quota(
    cx: &Cx<'_>,
    organization: &organization::OrganizationDetail,
    except: &str,
    kind: Kind,
) -> Result<(), Error> {
    require_none_at_limit(&members_at_limit(cx, organization, except), kind)
}

pub(crate) fn require_none_at_limit(full: &[MemberAtLimit], kind: Kind) -> Result<(), Error> {
    if full.is_empty() {
        return Ok(());
    }
    let full = full.iter().map(|MemberAtLimit { name, limit }| format!("{name} ({limit} project limit)"));
    let text = format!(
        "The following organization members have reached their maximum limits for the number of active free \
         projects within organizations where they are an administrator or owner: {}. To continue, these users will \
         need to either delete, pause or upgrade one or more of these projects.",
        full.collect::<Vec<_>>().join(", ")
    );
    Err(Error::new(kind, "free_quota", text).because("organization plan", "free", None))
}

/// The administrators of a free organization who have no free project left, not counting `except`.
pub(crate) fn members_at_limit(
    cx: &Cx<'_>,
    organization: &organization::OrganizationDetail,
    except: &str,
) -> Vec<MemberAtLimit> {
    if organization.plan != Plan::Free {
        return Vec::new();
    }
    let active = "SELECT ifnull(sum(o.projects - o.branches - o.resting), 0) - count(p.id)
                  FROM member m JOIN organization o ON o.slug = m.organization
                  LEFT JOIN project p ON p.ref = ?2 AND p.organization = o.slug
                      AND p.branch_of IS NULL AND p.status NOT IN ('PAUSING', 'INACTIVE')
                  WHERE m.user = ?1 AND m.role IN ('Owner', 'Administrator') AND o.plan = 'free'";
    let limit = cx.policy.free_projects_per_member;
    let is_at_limit =
        |user: i64| cx.db.one(active, (user, except), |row| row.get::<_, i64>(0)) >= i64::from(limit);
    organization::administrators(cx, &organization.id)
        .into_iter()
        .filter(|(user, _)| is_at_limit(*user))
        .map(|(_, name)| MemberAtLimit { name, limit })
        .collect()
}
