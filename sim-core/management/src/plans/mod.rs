//! Add-ons and their prices: `/v1/projects/{ref}/billing`, `/v1/organizations/{slug}/billing`.

use sim_base::Section;

pub mod addon;
pub mod beyond_plan;
pub mod billing;
pub mod entitlement;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Plans and billing",
    resources: &[entitlement::RESOURCE, addon::RESOURCE, billing::RESOURCE],
    views: &[addon::VIEWS],
};
