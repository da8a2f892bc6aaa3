//! OAuth apps and their tokens: `/v1/oauth`.

use sim_base::Section;

pub mod oauth;
pub mod oauth_app;
pub mod oauth_claim;
pub mod oauth_client;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "OAuth",
    resources: &[oauth_app::RESOURCE, oauth_client::RESOURCE, oauth::RESOURCE, oauth_claim::RESOURCE],
    views: &[oauth_app::VIEWS, oauth::VIEWS],
};
