//! Who may connect, and under which names: `/v1/projects/{ref}/network-restrictions`, `/custom-hostname`, `/vanity-subdomain`.

use sim_base::Section;

pub mod dns;
pub mod hostname;
pub mod hostname_progress;
pub mod network;
pub mod network_change;
pub mod vanity;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Networking",
    resources: &[
        network::RESOURCE,
        network_change::RESOURCE,
        dns::RESOURCE,
        hostname::RESOURCE,
        vanity::RESOURCE,
    ],
    views: &[network::VIEWS, dns::VIEWS, hostname::VIEWS, vanity::VIEWS],
};
