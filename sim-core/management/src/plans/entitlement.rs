//! `/v1/organizations/{slug}/entitlements`: what an organization's plan includes.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, ToSchema, get};

use crate::backup;
use crate::billing::AddonVariant;
use crate::catalog::InstanceSize;
use crate::organization::{self, Plan};
use crate::text_of;

operations![ListEntitlements];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The features that an organization's plan includes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Entitlements {
    /// The features.
    pub entitlements: Vec<Entitlement>,
}

/// Whether a plan includes a feature, and to which extent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct Entitlement {
    /// The feature.
    pub feature: Feature,
    /// Whether it is included at all.
    pub hasAccess: bool,
    /// The fields of `config` in addition to `enabled`.
    pub r#type: FeatureType,
    /// The extent.
    pub config: Extent,
}

/// A feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Feature {
    /// Its name: `branching_limit`.
    pub key: String,
    /// The kind of its limit.
    pub r#type: FeatureType,
}

/// The kind of a feature's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FeatureType {
    /// Whether it is included.
    Boolean,
    /// A number or a duration.
    Numeric,
    /// A list.
    Set,
}

/// The extent of a feature.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Extent {
    /// Whether it is included.
    pub enabled: bool,
    /// The number or the duration; 0 if unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
    /// Whether it is unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlimited: Option<bool>,
    /// The unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<Vec<String>>,
}

/// List the limited features that an organization's plan includes.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListEntitlements {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
}

impl Operation for ListEntitlements {
    type Output = Entitlements;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("organizations:read")),
        ..get("v1-get-organization-entitlements", "/v1/organizations/{slug}/entitlements")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Entitlements, Error> {
        let plan = organization::load(cx, &self.slug)?.plan;
        Ok(Entitlements { entitlements: entitlements(cx, plan) })
    }
}

fn entitlements(cx: &Cx<'_>, plan: Plan) -> Vec<Entitlement> {
    let (policy, pays) = (cx.policy, plan != Plan::Free);
    let functions = match plan {
        Plan::Free => Some(policy.functions.free),
        Plan::Pro => Some(policy.functions.pro),
        Plan::Team => Some(policy.functions.team),
        Plan::Enterprise => policy.functions.enterprise,
    };
    let sizes = InstanceSize::ALL.into_iter().filter(|size| pays && *size > InstanceSize::Nano);
    let pitr = [AddonVariant::Pitr7, AddonVariant::Pitr14, AddonVariant::Pitr28];
    let backup_days = backup::kept_days(plan).unsigned_abs();
    vec![
        set("instances.compute_update_available_sizes", sizes.map(|size| text_of(&size)).collect()),
        boolean("instances.read_replicas", pays),
        boolean("instances.disk_modifications", pays),
        boolean("storage.image_transformations", pays),
        boolean("custom_domain", pays),
        boolean("vanity_subdomain", pays || policy.free_plan_vanity_subdomain),
        boolean("ipv4", pays),
        set("pitr.available_variants", pitr.iter().filter(|_| pays).map(text_of).collect()),
        numeric("branching_limit", pays, None, "count"),
        boolean("branching_persistent", pays),
        boolean("auth.saml_2", true),
        boolean("auth.leaked_password_protection", pays),
        numeric("backup.retention_days", pays, Some(backup_days), "days"),
        boolean("backup.schedule", plan == Plan::Enterprise),
        numeric("function.max_count", true, functions.map(u64::from), "count"),
        numeric("function.size_limit_mb", true, Some(policy.function_bytes / 1_000_000), "mb"),
        boolean("project_pausing", !pays || policy.pause_paid_projects),
    ]
}

fn entitlement(key: &str, r#type: FeatureType, config: Extent) -> Entitlement {
    let feature = Feature { key: key.to_owned(), r#type };
    Entitlement { feature, hasAccess: config.enabled, r#type, config }
}

fn boolean(key: &str, enabled: bool) -> Entitlement {
    entitlement(key, FeatureType::Boolean, Extent { enabled, ..Extent::default() })
}

/// A limit; `None` means unlimited.
fn numeric(key: &str, enabled: bool, limit: Option<u64>, unit: &str) -> Entitlement {
    let extent = Extent {
        enabled,
        value: Some(limit.filter(|_| enabled).unwrap_or(0)),
        unlimited: Some(enabled && limit.is_none()),
        unit: Some(unit.to_owned()),
        set: None,
    };
    entitlement(key, FeatureType::Numeric, extent)
}

fn set(key: &str, members: Vec<String>) -> Entitlement {
    let extent = Extent { enabled: !members.is_empty(), set: Some(members), ..Extent::default() };
    entitlement(key, FeatureType::Set, extent)
}
