//! `/v1/projects/{ref}/network-restrictions`: adds and removes networks that may connect to a project's
//! database, and reviews restrictions that wait for it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Kind, Meta, Needs, New, Operation, Profile, Resource, Scope, Timestamp,
    ToSchema, patch, post,
};

use crate::network::{
    Cidrs, Entitlement, RestrictionStatus, Restrictions, check_cidrs_in, forget_pending, request,
    require_entitlement, restrictions, store,
};
use crate::project::{self, ProjectRef};

operations![ChangeRestrictions, ReviewRestrictions];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Networks to add or remove.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[expect(non_snake_case, reason = "the published names")]
pub struct SomeCidrs {
    /// IPv4 networks in CIDR notation.
    #[schemars(extend("items" = { "type": "string", "format": "ipv4-cidr" }))]
    pub dbAllowedCidrs: Vec<String>,
    /// IPv6 networks in CIDR notation.
    #[schemars(extend("items" = { "type": "string", "format": "ipv6-cidr" }))]
    pub dbAllowedCidrsV6: Vec<String>,
}

/// A network that may reach a project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Network {
    /// In CIDR notation.
    pub address: String,
    /// Its family.
    pub r#type: Family,
}

/// A family of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Family {
    V4,
    V6,
}

/// Networks of both families in one list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct Networks {
    /// The networks, IPv4 first.
    pub dbAllowedCidrs: Vec<Network>,
}

impl From<Cidrs> for Networks {
    fn from(cidrs: Cidrs) -> Networks {
        let of = |family, list: Vec<String>| {
            list.into_iter().map(move |address| Network { address, r#type: family })
        };
        let (v4, v6) = (of(Family::V4, cidrs.dbAllowedCidrs), of(Family::V6, cidrs.dbAllowedCidrsV6));
        Networks { dbAllowedCidrs: v4.chain(v6).collect() }
    }
}

/// Network restrictions of a project, as returned by a change of some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ChangedRestrictions {
    /// Whether the project may have restrictions.
    pub entitlement: Entitlement,
    /// The restrictions requested last.
    pub config: Networks,
    /// The restrictions in force, if the requested ones are not yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_config: Option<Networks>,
    /// The status of `config`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-required" = true))]
    pub status: Option<RestrictionStatus>,
    /// When `config` was set; absent until it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Option<Timestamp>,
    /// When `config` took effect; absent until it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub applied_at: Option<Timestamp>,
}

/// Add networks that may reach a project's database, and remove others.
///
/// Adding an existing network or removing an absent one has no effect.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ChangeRestrictions {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Networks to add.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<SomeCidrs>,
    /// Networks to remove.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<SomeCidrs>,
}

impl Operation for ChangeRestrictions {
    type Output = ChangedRestrictions;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("projects:write")),
        check: Some(check),
        also: &[500],
        failure: "Failed to update project network restrictions",
        needs: Needs::SET_UP,
        ..patch("v1-patch-network-restrictions", "/v1/projects/{ref}/network-restrictions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ChangedRestrictions, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_entitlement(cx, &project)?;
        let mut config = restrictions(cx, &project)?.config;
        let (add, remove) = (self.add.unwrap_or_default(), self.remove.unwrap_or_default());
        let families = [
            ("dbAllowedCidrs", &mut config.dbAllowedCidrs, add.dbAllowedCidrs, &remove.dbAllowedCidrs),
            (
                "dbAllowedCidrsV6",
                &mut config.dbAllowedCidrsV6,
                add.dbAllowedCidrsV6,
                &remove.dbAllowedCidrsV6,
            ),
        ];
        for (name, list, add, remove) in families {
            tell_absent(cx, name, list, remove)?;
            list.retain(|one| !remove.contains(one));
            add_to(cx, name, list, add)?;
        }
        request(cx, &project, &config);
        let Restrictions { entitlement, config, old_config, status, updated_at, applied_at, .. } =
            restrictions(cx, &project)?;
        let (config, old_config) = (config.into(), old_config.map(Networks::from));
        Ok(ChangedRestrictions { entitlement, config, old_config, status, updated_at, applied_at })
    }
}

/// The decision on restrictions that wait for review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// They take effect.
    Apply,
    /// They are discarded.
    Reject,
}

/// Review network restrictions that wait for it.
///
/// Here restrictions wait only if the policy has `review_restrictions`.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ReviewRestrictions {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The decision.
    pub action: Review,
    /// The restrictions under review: their `pending_requested_at`.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub requested_at: Timestamp,
}

impl Operation for ReviewRestrictions {
    type Output = Restrictions;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("projects:write")),
        also: &[500],
        failure: "Failed to review project network restrictions",
        ..post("v1-review-network-restrictions", "/v1/projects/{ref}/network-restrictions/review")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Restrictions, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_entitlement(cx, &project)?;
        let Restrictions { pending_config, pending_requested_at, .. } = restrictions(cx, &project)?;
        let wanted = pending_config.filter(|_| pending_requested_at == Some(self.requested_at));
        let Some(config) = wanted else {
            let text = "No network restrictions that were requested at this time wait for review";
            return Err(Error::new(Kind::NotFound, "restrictions_not_pending", text));
        };
        match self.action {
            Review::Apply => store(cx, &project, &config),
            Review::Reject => forget_pending(cx, &project),
        }
        restrictions(cx, &project)
    }
}

fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    check_cidrs_in(&input["add"], "add.")?;
    check_cidrs_in(&input["remove"], "remove.")
}

/// Says which networks can't be removed, because they are not there.
fn tell_absent(cx: &Cx<'_>, name: &str, list: &[String], remove: &[String]) -> Result<(), Error> {
    let mut absent = remove.iter().enumerate().filter(|(_, one)| !list.contains(one));
    absent.try_for_each(|(place, _)| cx.without_effect(|| format!("body.remove.{name}.{place}")))
}

/// Adds networks, and says which are there already.
fn add_to(cx: &Cx<'_>, name: &str, list: &mut Vec<String>, add: Vec<String>) -> Result<(), Error> {
    for (place, one) in add.into_iter().enumerate() {
        if list.contains(&one) {
            cx.without_effect(|| format!("body.add.{name}.{place}"))?;
        } else {
            list.push(one);
        }
    }
    Ok(())
}
