//! Users, teams and access tokens: `/api/account`, `/api/teams`, `/api/access-tokens`.

use sim_base::Section;

pub mod access_token;
pub mod account;
pub mod platform;
pub mod team;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Accounts",
    resources: &[account::RESOURCE, access_token::RESOURCE, platform::RESOURCE, team::RESOURCE],
    views: &[access_token::VIEWS, team::VIEWS],
};
