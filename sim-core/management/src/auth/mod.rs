//! Sign-in of a project's users: `/v1/projects/{ref}/config/auth`.

use sim_base::Section;

pub mod auth_config;
pub mod auth_field;
pub(crate) mod auth_field_list;
pub mod saml_metadata;
pub mod signing_key;
pub mod sso;
pub mod third_party_auth;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Auth",
    resources: &[auth_config::RESOURCE, sso::RESOURCE, third_party_auth::RESOURCE, signing_key::RESOURCE],
    views: &[auth_config::VIEWS, sso::VIEWS, third_party_auth::VIEWS, signing_key::VIEWS],
};
