//! API keys, secrets of functions, and the root key: `/v1/projects/{ref}/api-keys`, `/secrets`, `/pgsodium`.

use sim_base::Section;

pub mod api_key;
pub mod api_key_change;
pub mod root_key;
pub mod secret;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Keys and secrets",
    resources: &[api_key::RESOURCE, api_key_change::RESOURCE, secret::RESOURCE, root_key::RESOURCE],
    views: &[api_key::VIEWS, secret::VIEWS, root_key::VIEWS],
};
